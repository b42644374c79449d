/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loupe: pixels of A, B and A - B about the pointer, or the crosshair while the pointer is elsewhere, with their
 * values where these have room; side by side, each picture's own. It lies at the upper or lower edge, whichever is
 * farther away. B's pixels are those at the places of A's. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/number-text.h"

/* Logical pixels: sides of a picture's pixel, of a pane at most, the gap between panes, and the line of their names. */
enum { SMALL = 8, LARGE = 62, PANE = 168, PANE_OF_VALUES = 270, GAP = 6, NAME = 16, MARGIN = 40 };

static gboolean is_beside(GantrySliceView *self) {
  return self->leader || self->companions[0];
}

/* Views that stand side by side show one picture each. */
static int count_panes(GantrySliceView *self) {
  return gantry_slice_view_is_plane(self) && self->images[CTGL_SLOT_B] && !is_beside(self) ? 3 : 1;
}

static ctgl_mode mode_of(GantrySliceView *self, int pane) {
  static const ctgl_mode panes[] = {CTGL_SHOW_A, CTGL_SHOW_B, CTGL_SHOW_DIFFERENCE};
  return is_beside(self) ? self->fixed : panes[pane];
}

/* Pixels of the picture across a pane: odd, so that one is in the middle. */
static int count_pixels(GantrySliceView *self, int side) {
  const gboolean values = side == LARGE;
  const int count = count_panes(self);
  const int width = ((int)(self->camera.width / self->ratio) - 24 - (count - 1) * GAP) / count;
  const int height = (int)(self->camera.height / self->ratio) / 2 - NAME - GAP;
  const int pixels = MIN(MIN(width, height), values ? PANE_OF_VALUES : PANE) / side;
  return MAX(pixels - (pixels + 1) % 2, 1);
}

static int side_of(GantrySliceView *self) {
  return gantry_display_get_loupe(self->display) == GANTRY_LOUPE_VALUES ? LARGE : SMALL;
}

static void colour_of(GantrySliceView *self, ctgl_mode mode, double value, double rgb[3]) {
  double low, high;
  if (!isfinite(value)) {
    rgb[0] = rgb[2] = 1;
    rgb[1] = 0;
    return;
  }
  if (mode == CTGL_SHOW_DIFFERENCE) {
    const double part = value / gantry_display_get_range(self->display, CTGL_SCALE_DIFFERENCE);
    ctgl_colour_map_at(ctgl_colour_map_find(gantry_display_get_diverging_map(self->display)),
                       0.5 + ctgl_scale_position(part, gantry_display_get_logarithmic(self->display)) / 2, rgb);
    return;
  }
  gantry_slice_view_get_window(self, &low, &high);
  ctgl_colour_map_at(ctgl_colour_map_find(gantry_display_get_colour_map(self->display)), (value - low) / (high - low),
                     rgb);
}

/* Dark on light and light on dark; FALSE and nothing where it would not fit. */
static gboolean draw_text(cairo_t *cr, const char *text, double x, double y, double width, const double rgb[3]) {
  cairo_text_extents_t extents;
  const double light = 0.3 * rgb[0] + 0.6 * rgb[1] + 0.1 * rgb[2] > 0.5 ? 0 : 1;
  cairo_text_extents(cr, text, &extents);
  if (extents.width > width - 4) return FALSE;
  cairo_set_source_rgb(cr, light, light, light);
  cairo_move_to(cr, x + (width - extents.width) / 2 - extents.x_bearing, y);
  cairo_show_text(cr, text);
  return TRUE;
}

/* With as many digits as there is room for. */
static void draw_value(cairo_t *cr, double value, double x, double y, double width, const double rgb[3]) {
  gboolean drawn = FALSE;
  for (int digits = 3; digits > 0 && !drawn; digits--) {
    g_autofree char *text = gantry_quantity_text(value, digits, "");
    drawn = draw_text(cr, text, x, y, width, rgb);
  }
}

static void draw_pane(GantrySliceView *self, cairo_t *cr, ctgl_mode mode, ctgl_point world, int side) {
  const GantryImage *a = self->images[CTGL_SLOT_A], *b = self->images[CTGL_SLOT_B], *frame = a ? a : b;
  const int pixels = count_pixels(self, side);
  const double column = round((world.x - frame->origin_x) / frame->spacing_x),
               row = round((world.y - frame->origin_y) / frame->spacing_y);
  for (int j = 0; j < pixels; j++)
    for (int i = 0; i < pixels; i++) {
      const double x = frame->origin_x + (column + i - pixels / 2) * frame->spacing_x,
                   y = frame->origin_y + (row + pixels / 2 - j) * frame->spacing_y;
      const gboolean held = (mode == CTGL_SHOW_B || (a && gantry_image_holds(a, x, y))) &&
                            (mode == CTGL_SHOW_A || (b && gantry_image_holds(b, x, y)));
      if (!held) continue;
      const double value = ctgl_mode_value(mode, a ? gantry_image_shown_value(a, x, y, FALSE) : NAN,
                                           b ? gantry_image_shown_value(b, x, y, FALSE) : NAN, 0);
      double rgb[3];
      colour_of(self, mode, value, rgb);
      cairo_rectangle(cr, i * side, j * side, side, side);
      cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
      cairo_fill(cr);
      if (side < LARGE) continue;
      draw_value(cr, value, i * side, j * side + side / 2.0 + 4, side, rgb);
    }
  /* The pixel that is pointed at. */
  const double at = pixels / 2 * side;
  cairo_rectangle(cr, at - 0.5, at - 0.5, side + 1, side + 1);
  cairo_set_line_width(cr, 1);
  cairo_set_source_rgb(cr, 1, 0.84, 0.2);
  cairo_stroke(cr);
}

void gantry_slice_view_draw_loupe(GantrySliceView *self, cairo_t *cr, ctgl_point world, int side) {
  const int count = count_panes(self), size = count_pixels(self, side) * side;
  static const double black[3] = {0, 0, 0};
  if (!self->images[CTGL_SLOT_A] && !self->images[CTGL_SLOT_B]) return;
  cairo_set_antialias(cr, CAIRO_ANTIALIAS_NONE);
  cairo_set_font_size(cr, 10.5);
  for (int k = 0; k < count; k++) {
    cairo_save(cr);
    cairo_translate(cr, k * (size + GAP), 0);
    cairo_rectangle(cr, 0, 0, size, size + NAME);
    cairo_clip(cr);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_paint(cr);
    draw_text(cr, ctgl_mode_get(mode_of(self, k))->label, 0, 12, size, black);
    cairo_translate(cr, 0, NAME);
    draw_pane(self, cr, mode_of(self, k), world, side);
    cairo_restore(cr);
  }
}

/* The one of the views side by side that has the pointer; NULL: none of them. */
static GantrySliceView *find_pointed(GantrySliceView *self) {
  GantrySliceView *leader = gantry_slice_view_speaker(self);
  if (leader->pointer_inside) return leader;
  for (int i = 0; i < GANTRY_COMPANIONS; i++)
    if (leader->companions[i] && leader->companions[i]->pointer_inside) return leader->companions[i];
  return NULL;
}

static ctgl_point place_of(GantrySliceView *self) {
  GantrySliceView *pointed = find_pointed(self);
  return pointed ? gantry_slice_view_to_world(pointed, pointed->pointer_x, pointed->pointer_y)
                 : gantry_slice_view_get_cross(self);
}

/* By the keyboard where no pointer says; of views side by side all, or none. */
static gboolean is_here(GantrySliceView *self) {
  GantrySliceView *leader = gantry_slice_view_speaker(self);
  if (find_pointed(self)) return TRUE;
  if (!gantry_slice_view_is_plane(self)) return FALSE;
  return gtk_widget_has_focus(self->area) || is_beside(leader);
}

static void draw(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user) {
  GantrySliceView *self = user;
  gantry_slice_view_draw_loupe(self, cr, place_of(self), side_of(self));
}

void gantry_slice_view_make_loupe(GantrySliceView *self, GtkOverlay *overlay) {
  g_autofree char *name = g_strdup_printf("%s loupe", gantry_slice_view_kind_title(self->kind));
  self->loupe = gtk_drawing_area_new();
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(self->loupe), draw, self, NULL);
  gtk_widget_set_halign(self->loupe, GTK_ALIGN_CENTER);
  gtk_widget_set_can_target(self->loupe, FALSE);
  gtk_widget_set_visible(self->loupe, FALSE);
  gtk_widget_add_css_class(self->loupe, "gantry-loupe");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->loupe), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_overlay_add_overlay(overlay, self->loupe);
}

/* Of the highest words in the corner of views side by side, so that their loupes are in one row. */
static int measure_readings(GantrySliceView *self) {
  GantrySliceView *leader = gantry_slice_view_speaker(self);
  int most = 0;
  for (int i = -1; i < GANTRY_COMPANIONS; i++) {
    GantrySliceView *view = i < 0 ? leader : leader->companions[i];
    int height = 0;
    if (view) gtk_widget_measure(view->readings, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
    most = MAX(most, height);
  }
  return most;
}

static void update(GantrySliceView *self) {
  ctgl_image_frame frame;
  const gboolean shown = is_here(self) && gantry_display_get_loupe(self->display) != GANTRY_LOUPE_OFF && !self->fault &&
                         self->camera.width > 1 && gantry_slice_view_frame(self, &frame);
  gtk_widget_set_visible(self->loupe, shown);
  if (!shown) return;
  const int side = side_of(self), count = count_panes(self), size = count_pixels(self, side) * side;
  const ctgl_point at = gantry_slice_view_to_widget(self, place_of(self));
  const int below = MAX(measure_readings(self) + GAP, MARGIN), tall = size + NAME;
  /* What lies between the loupe and the place that it shows, below and above that. */
  const gboolean low = self->camera.height / self->ratio - below - tall - at.y >= at.y - MARGIN - tall;
  gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(self->loupe), count * size + (count - 1) * GAP);
  gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(self->loupe), tall);
  gtk_widget_set_valign(self->loupe, low ? GTK_ALIGN_END : GTK_ALIGN_START);
  gtk_widget_set_margin_top(self->loupe, low ? 0 : MARGIN);
  gtk_widget_set_margin_bottom(self->loupe, low ? below : 0);
  gtk_widget_queue_draw(self->loupe);
}

void gantry_slice_view_update_loupe(GantrySliceView *self) {
  GantrySliceView *leader = gantry_slice_view_speaker(self);
  update(leader);
  for (int i = 0; i < GANTRY_COMPANIONS; i++)
    if (leader->companions[i]) update(leader->companions[i]);
}
