/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arc and redundancy weights beside a sinogram, where its picture brings them: their place in the view, and their
 * words above it. */
#include "ui/slice-view/view-private.h"

#include "ui/redundancy-drawing.h"

#include <math.h>

/* Logical pixels: below this height there is no room for it. */
enum { LOWEST = 150 };
static const GdkRGBA ink = {1, 1, 1, 0.95};

static const GantryRedundancy *get(GantrySliceView *self) {
  const GantryImage *image = gantry_slice_view_sinogram(self);
  return image && self->camera.height / self->ratio >= LOWEST ? image->redundancy : NULL;
}

/* The words, as wide as the picture and its strip; *height: of all lines. g_object_unref. */
static PangoLayout *make_words(GantrySliceView *self, const GantryRedundancy *r, double width, int *height) {
  PangoLayout *layout = gtk_widget_create_pango_layout(self->axes, NULL);
  g_autoptr(PangoAttrList) attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_scale_new(0.85));
  pango_layout_set_attributes(layout, attributes);
  pango_layout_get_pixel_size(gantry_redundancy_layout(r, layout, width), NULL, height);
  return layout;
}

void gantry_slice_view_arc_room(GantrySliceView *self, double room[4]) {
  const GantryRedundancy *r = get(self);
  int height;
  if (!r) return;
  g_autoptr(PangoLayout) layout = make_words(self, r, self->camera.width / self->ratio - room[0] - room[2], &height);
  room[0] += gantry_redundancy_left_room(1);
  room[1] += height + 2;
  room[3] += gantry_redundancy_lower_room(1);
}

/* The rays' part of the widget: left, top, right, bottom. */
static void place_of(GantrySliceView *self, const GantryRedundancy *r, double place[4]) {
  const double x = r->origin - r->spacing / 2;
  const ctgl_point lower = gantry_slice_view_to_widget(self, (ctgl_point){x, -0.5}),
                   upper = gantry_slice_view_to_widget(self, (ctgl_point){x + r->rays * r->spacing, r->views - 0.5});
  place[0] = lower.x, place[1] = upper.y, place[2] = upper.x, place[3] = lower.y;
}

void gantry_slice_view_draw_arc(GantrySliceView *self, cairo_t *cr, const double margins[4], double width,
                                double height) {
  const GantryRedundancy *r = get(self);
  int lines;
  if (!r) return;
  GantryRedundancyFrame frame = {.seen = {margins[0], margins[1], width - margins[2], height - margins[3]}, .unit = 1};
  place_of(self, r, frame.place);
  gantry_redundancy_draw(gantry_slice_view_sinogram(self), &frame, cr);
  const double left = margins[0] - gantry_redundancy_left_room(1);
  g_autoptr(PangoLayout) layout = make_words(self, r, frame.seen[2] - left, &lines);
  cairo_move_to(cr, left, margins[1] - lines - 2);
  gdk_cairo_set_source_rgba(cr, &ink);
  pango_cairo_show_layout(cr, layout);
}

void gantry_slice_view_tell_arc(GantrySliceView *self, GString *text) {
  const GantryImage *image = gantry_slice_view_sinogram(self);
  if (!image || !image->redundancy) return;
  g_autofree char *arc = gantry_redundancy_arc_text(image->redundancy),
                  *weights = gantry_redundancy_weights_text(image->redundancy);
  g_string_append_printf(text, "; %s. %s", arc, weights);
}
