/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rectangle of detector pixels over a projection: drawn with its tool, moved by its inside, changed by its edges,
 * with its numbers at the lower edge. Pixel i reaches from i - 0.5 to i + 0.5. What is being dragged is told when the
 * drag ends. */
#include "ui/slice-view/view-private.h"

#include <math.h>

enum { LEFT = 1, RIGHT = 2, LOWER = 4, UPPER = 8, WHOLE = 15 };

/* Logical pixels: how far outside an edge can be taken hold of. */
static const double grip = 6;

static gboolean is_drawing(GantrySliceView *self) {
  return self->dragging && (self->drag == GANTRY_DRAG_RECTANGLE || self->drag == GANTRY_DRAG_RECTANGLE_NEW);
}

/* First and last detector pixel of the picture along x (0) or y (1). */
static void bounds(const ctgl_image_frame *frame, int axis, int *low, int *high) {
  const double spacing = axis ? frame->spacing_y : frame->spacing_x, origin = axis ? frame->origin_y : frame->origin_x;
  *low = (int)round(origin - (spacing - 1) / 2);
  *high = *low + (int)round(spacing * (axis ? frame->height : frame->width)) - 1;
}

void gantry_slice_view_rectangle_between(GantrySliceView *self, ctgl_point from, ctgl_point to, int rectangle[4]) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_frame(self, &frame)) return;
  const double ends[2][2] = {{from.x, to.x}, {from.y, to.y}};
  for (int axis = 0; axis < 2; axis++) {
    int low, high;
    bounds(&frame, axis, &low, &high);
    const int first = (int)CLAMP(round(MIN(ends[axis][0], ends[axis][1])), low, high);
    const int last = (int)CLAMP(round(MAX(ends[axis][0], ends[axis][1])), low, high);
    rectangle[axis] = first;
    rectangle[axis + 2] = last - first + 1;
  }
}

gboolean gantry_slice_view_rectangle(GantrySliceView *self, int rectangle[4]) {
  if (is_drawing(self)) {
    memcpy(rectangle, self->drag_rectangle, sizeof self->drag_rectangle);
    return TRUE;
  }
  if (self->tool == GANTRY_TOOL_RECTANGLE && self->tool_started) {
    const ctgl_point pointer = gantry_slice_view_to_world(self, self->pointer_x, self->pointer_y);
    gantry_slice_view_rectangle_between(self, self->tool_from, pointer, rectangle);
    return TRUE;
  }
  memcpy(rectangle, self->rectangle, sizeof self->rectangle);
  return self->has_rectangle;
}

/* Lower left and upper right corner, plane coordinates. */
static void corners(const int rectangle[4], ctgl_point *lower, ctgl_point *upper) {
  *lower = (ctgl_point){rectangle[0] - 0.5, rectangle[1] - 0.5};
  *upper = (ctgl_point){lower->x + rectangle[2], lower->y + rectangle[3]};
}

void gantry_slice_view_add_rectangle(GantrySliceView *self, ctgl_slice_scene *scene) {
  int rectangle[4];
  scene->rectangle = gantry_slice_view_rectangle(self, rectangle);
  if (scene->rectangle) corners(rectangle, &scene->rectangle_from, &scene->rectangle_to);
}

/* Taking hold of it. */

/* Along one axis of the widget: the edge at a place, both for the inside, 0 beside it. Small rectangles keep an inside.
 */
static int edge_at(double place, double low, double high, int at_low, int at_high) {
  const double inwards = MIN(grip, (high - low) / 4);
  if (place < low - grip || place > high + grip) return 0;
  return place <= low + inwards ? at_low : place >= high - inwards ? at_high : at_low | at_high;
}

int gantry_slice_view_rectangle_edges(GantrySliceView *self, double x, double y) {
  if (!self->has_rectangle) return 0;
  ctgl_point lower, upper;
  corners(self->rectangle, &lower, &upper);
  const ctgl_point a = gantry_slice_view_to_widget(self, lower), b = gantry_slice_view_to_widget(self, upper);
  const int across = edge_at(x, a.x, b.x, LEFT, RIGHT), along = edge_at(y, b.y, a.y, UPPER, LOWER);
  if (!across || !along) return 0;
  const gboolean between_sides = across == (LEFT | RIGHT), between_ends = along == (LOWER | UPPER);
  return between_sides && between_ends ? WHOLE : (between_sides ? 0 : across) | (between_ends ? 0 : along);
}

const char *gantry_slice_view_rectangle_cursor(int edges) {
  switch (edges) {
  case LEFT:
  case RIGHT:
    return "ew-resize";
  case LOWER:
  case UPPER:
    return "ns-resize";
  case LEFT | UPPER:
  case RIGHT | LOWER:
    return "nwse-resize";
  case RIGHT | UPPER:
  case LEFT | LOWER:
    return "nesw-resize";
  default:
    return "move";
  }
}

static void drag_axis(const ctgl_image_frame *frame, int axis, const int held[4], int moved, int edges,
                      int rectangle[4]) {
  const int low_edge = axis ? LOWER : LEFT, high_edge = axis ? UPPER : RIGHT;
  int low, high, first = held[axis], last = held[axis] + held[axis + 2] - 1;
  bounds(frame, axis, &low, &high);
  if ((edges & low_edge) && (edges & high_edge)) {
    moved = MAX(MIN(moved, high - last), low - first);
    first += moved;
    last += moved;
  } else if (edges & low_edge) {
    first = CLAMP(first + moved, MIN(low, last), last);
  } else if (edges & high_edge) {
    last = CLAMP(last + moved, first, MAX(high, first));
  }
  rectangle[axis] = first;
  rectangle[axis + 2] = last - first + 1;
}

void gantry_slice_view_drag_rectangle(GantrySliceView *self, ctgl_point here) {
  ctgl_image_frame frame;
  if (!gantry_slice_view_frame(self, &frame)) return;
  const ctgl_point start = self->drag_world;
  if (self->drag == GANTRY_DRAG_RECTANGLE_NEW) {
    gantry_slice_view_rectangle_between(self, start, here, self->drag_rectangle);
  } else {
    drag_axis(&frame, 0, self->rectangle, (int)round(here.x - start.x), self->drag_edges, self->drag_rectangle);
    drag_axis(&frame, 1, self->rectangle, (int)round(here.y - start.y), self->drag_edges, self->drag_rectangle);
  }
  gantry_slice_view_show_rectangle(self);
}

gboolean gantry_slice_view_give_up_rectangle(GantrySliceView *self) {
  if (!is_drawing(self)) return FALSE;
  self->drag = GANTRY_DRAG_NONE;
  if (self->tool != GANTRY_TOOL_NONE) gantry_display_drop_tools(self->display);
  gantry_slice_view_show_rectangle(self);
  return TRUE;
}

/* Showing it. */

void gantry_slice_view_show_rectangle(GantrySliceView *self) {
  int rectangle[4];
  ctgl_image_frame frame;
  const gboolean filled = gantry_slice_view_frame(self, &frame) && !self->fault && self->camera.width > 1;
  gantry_slice_view_redraw(self);
  const gboolean shown = filled && gantry_slice_view_rectangle(self, rectangle);
  gtk_widget_set_visible(self->numbers, shown);
  if (!shown) return;
  g_autofree char *text = g_strdup_printf("Free beam: %d × %d px at column %d, row %d", rectangle[2], rectangle[3],
                                          rectangle[0], rectangle[1]);
  gtk_label_set_text(GTK_LABEL(self->numbers), text);
}

void gantry_slice_view_set_rectangle(GantrySliceView *self, const int rectangle[4]) {
  g_return_if_fail(GANTRY_IS_SLICE_VIEW(self));
  self->has_rectangle = rectangle != NULL;
  if (rectangle) memcpy(self->rectangle, rectangle, sizeof self->rectangle);
  gantry_slice_view_show_rectangle(self);
}

void gantry_slice_view_start_rectangle(GantrySliceView *self) {
  gantry_slice_view_set_tool(self, GANTRY_TOOL_RECTANGLE);
  gtk_widget_grab_focus(self->area);
}
