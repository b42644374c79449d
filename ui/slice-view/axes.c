/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The axes of a sinogram: angles of its views at the left, columns of the detector below it. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/sinogram-axis.h"
#include "ui/view-label.h"

/* Logical pixels: room beside the picture, the length of a tick, the least way between two of them, and the least
 * height that has room for the axis below the picture, and for the readout below that. */
enum { LEFT = 46, TOP = 34, RIGHT = 12, AXIS = 24, READOUT = 22, NO_ROOM = 6 };
enum { TICK = 5, APART_UP = 30, APART_ACROSS = 64, LOWEST = 100, LOWEST_FOR_READOUT = 180 };
static const GdkRGBA ink = {1, 1, 1, 0.9}, plate = {0, 0, 0, 0.7};

const GantryImage *gantry_slice_view_sinogram(GantrySliceView *self) {
  const GantryImage *image = self->images[CTGL_SLOT_A];
  return self->kind == GANTRY_VIEW_PROJECTION && image && image->sinogram && !self->instead ? image : NULL;
}

static gboolean reads_below(GantrySliceView *self) {
  return self->camera.height / self->ratio >= LOWEST_FOR_READOUT;
}

static double room_below(GantrySliceView *self) {
  if (self->camera.height / self->ratio < LOWEST) return NO_ROOM;
  return reads_below(self) ? AXIS + READOUT : AXIS;
}

gboolean gantry_slice_view_axis_margins(GantrySliceView *self, double margins[4]) {
  if (!gantry_slice_view_sinogram(self)) return FALSE;
  double room[4] = {LEFT, TOP, RIGHT, room_below(self)};
  gantry_slice_view_arc_room(self, room);
  for (int i = 0; i < 4; i++) margins[i] = room[i] * self->ratio;
  return TRUE;
}

/* right: 1: it ends at x, 0.5: its middle is there. Numbers lie on a plate: a zoomed picture reaches below them. */
static void draw_number(GantrySliceView *self, cairo_t *cr, const char *text, double x, double y, double right) {
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(self->axes, text);
  g_autoptr(PangoAttrList) attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_scale_new(0.85));
  pango_layout_set_attributes(layout, attributes);
  int wide, high;
  pango_layout_get_pixel_size(layout, &wide, &high);
  const double most = gtk_widget_get_width(self->axes) - wide - 2;
  const double left = CLAMP(x - right * wide, 2, MAX(most, 2)),
               top = CLAMP(y - high / 2.0, 0, MAX(gtk_widget_get_height(self->axes) - high, 0));
  cairo_rectangle(cr, left - 2, top, wide + 4, high);
  gdk_cairo_set_source_rgba(cr, &plate);
  cairo_fill(cr);
  cairo_move_to(cr, left, top);
  gdk_cairo_set_source_rgba(cr, &ink);
  pango_cairo_show_layout(cr, layout);
}

static void draw_tick(cairo_t *cr, double x, double y, double dx, double dy) {
  gdk_cairo_set_source_rgba(cr, &ink);
  cairo_set_line_width(cr, 1);
  cairo_move_to(cr, floor(x) + 0.5, floor(y) + 0.5);
  cairo_rel_line_to(cr, dx, dy);
  cairo_stroke(cr);
}

static void draw(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user) {
  GantrySliceView *self = user;
  const GantryImage *image = gantry_slice_view_sinogram(self);
  double margins[4];
  GantryTick ticks[GANTRY_MOST_TICKS];
  if (!image || !gantry_slice_view_axis_margins(self, margins)) return;
  for (int i = 0; i < 4; i++) margins[i] /= self->ratio;
  gantry_slice_view_draw_arc(self, cr, margins, width, height);
  /* Ticks lie outside of arc and weights. */
  const double bottom = height - margins[3], top = margins[1], foot = height - room_below(self);
  const ctgl_point low = gantry_slice_view_to_world(self, margins[0], bottom),
                   high = gantry_slice_view_to_world(self, width - RIGHT, top);
  guint count = gantry_sinogram_angles(image, low.y, high.y, (guint)MAX((bottom - top) / APART_UP, 1), ticks);
  for (guint i = 0; i < count; i++) {
    const double y = gantry_slice_view_to_widget(self, (ctgl_point){low.x, ticks[i].at}).y;
    draw_tick(cr, LEFT, y, -TICK, 0);
    draw_number(self, cr, ticks[i].text, LEFT - TICK - 3, y, 1);
  }
  const double first = fmax(low.x, image->origin_x),
               last = fmin(high.x, image->origin_x + (image->width - 1) * image->spacing_x);
  if (height < LOWEST) return;
  count = gantry_sinogram_columns(first, last, (guint)MAX((width - margins[0] - RIGHT) / APART_ACROSS, 1), ticks);
  for (guint i = 0; i < count; i++) {
    const double x = gantry_slice_view_to_widget(self, (ctgl_point){ticks[i].at, low.y}).x;
    draw_tick(cr, x, foot, 0, TICK);
    draw_number(self, cr, ticks[i].text, x, foot + TICK + 9, 0.5);
  }
}

void gantry_slice_view_make_axes(GantrySliceView *self, GtkOverlay *overlay) {
  self->axes = gtk_drawing_area_new();
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(self->axes), draw, self, NULL);
  gtk_widget_set_can_target(self->axes, FALSE);
  gtk_widget_set_visible(self->axes, FALSE);
  gtk_overlay_add_overlay(overlay, self->axes);
}

void gantry_slice_view_update_axes(GantrySliceView *self, gboolean filled) {
  const GantryImage *image = filled && self->camera.width > 1 ? gantry_slice_view_sinogram(self) : NULL;
  gtk_widget_set_visible(self->axes, image != NULL);
  const gboolean below = image && reads_below(self), above = image && !below && room_below(self) > NO_ROOM;
  gtk_widget_set_margin_bottom(self->readings, above ? AXIS : 0);
  gtk_widget_set_margin_bottom(self->readout, below ? 2 : GANTRY_LABEL_MARGIN);
  gtk_widget_set_margin_start(self->readings, image && !below ? LEFT - 8 : 0);
  if (!image) return;
  g_autoptr(GString) text = g_string_new("Axes: ");
  if (image->angles)
    g_string_append_printf(text, "angle upwards, %.0f° to %.0f°", image->angles[0], image->angles[image->height - 1]);
  else
    g_string_append_printf(text, "views upwards, 0 to %d", image->height - 1);
  g_string_append_printf(text, "; detector columns across, %.0f to %.0f px", image->origin_x,
                         image->origin_x + (image->width - 1) * image->spacing_x);
  gantry_slice_view_tell_arc(self, text);
  if (self->twin_words) g_string_append_printf(text, "; %s", self->twin_words);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->axes), GTK_ACCESSIBLE_PROPERTY_LABEL, text->str, -1);
  gtk_widget_queue_draw(self->axes);
}
