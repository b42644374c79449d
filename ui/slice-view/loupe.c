/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loupe: pixels of A, B and A - B, and of every ticked result of the shelf, about the pointer, or the crosshair
 * while the pointer is elsewhere, with their values where these have room; side by side each picture's own, and the
 * ticked results beside A's. It lies at the upper or lower edge, whichever is farther away. All pixels are those at the
 * places of A's. Assistive technology reads the values at the place as the loupe's description. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/number-text.h"

/* Logical pixels: sides of a picture's pixel, of a pane at most, the gap between panes, and the line of their names. */
enum { SMALL = 8, LARGE = 62, PANE = 168, PANE_OF_VALUES = 270, GAP = 6, NAME = 16, MARGIN = 40 };

/* One picture; where there is no name, the mode's label is it. */
typedef struct {
  ctgl_mode mode;
  const GantryImage *a, *b;
  const char *name;
} Pane;

/* How panes lie: `pixels` of the picture across each, odd, so that one is in the middle. */
typedef struct {
  int columns, rows, pixels;
} Layout;

static gboolean is_beside(GantrySliceView *self) {
  return self->leader || self->companions[0];
}

/* The others' pictures */

static void clear_other(gpointer data) {
  GantryOtherPicture *other = data;
  g_free((char *)other->name);
  gantry_image_unref(other->image);
}

void gantry_slice_view_set_others(GantrySliceView *self, const GantryOtherPicture *others, gsize count) {
  g_array_set_size(self->others, 0);
  for (gsize i = 0; i < count; i++) {
    const GantryOtherPicture copy = {g_strdup(others[i].name), gantry_image_ref(others[i].image)};
    g_array_append_val(self->others, copy);
  }
  gantry_slice_view_update_loupe(self);
}

/* Those of another plane are on their way. */
static gboolean is_in_plane(const GantryImage *image, const GantryImage *frame) {
  return image->kind == frame->kind && fabs(image->position - frame->position) <= 1e-6 * frame->spacing_x;
}

/* g_array_unref. */
static GArray *list_panes(GantrySliceView *self) {
  GArray *panes = g_array_new(FALSE, FALSE, sizeof(Pane));
  const GantryImage *a = self->images[CTGL_SLOT_A], *b = self->images[CTGL_SLOT_B], *frame = a ? a : b;
  static const ctgl_mode modes[] = {CTGL_SHOW_A, CTGL_SHOW_B, CTGL_SHOW_DIFFERENCE};
  /* Views are side by side for a moment before they know what each shows, and after. */
  const gboolean fixed = self->fixed != CTGL_MODES;
  const int count = gantry_slice_view_is_plane(self) && b && !fixed ? 3 : 1;
  for (int i = 0; i < count; i++) {
    const Pane pane = {fixed ? self->fixed : modes[i], a, b, NULL};
    g_array_append_val(panes, pane);
  }
  for (guint i = 0; !self->leader && frame && i < self->others->len; i++) {
    const GantryOtherPicture *other = &g_array_index(self->others, GantryOtherPicture, i);
    const Pane pane = {CTGL_SHOW_A, other->image, NULL, other->name};
    if (is_in_plane(other->image, frame)) g_array_append_val(panes, pane);
  }
  return panes;
}

/* The most pixels that a pane can have, in as few rows as that takes; half of the view's height at most. */
static Layout lay_out(GantrySliceView *self, int side, int count) {
  const int wide = (int)(self->camera.width / self->ratio) - 24, high = (int)(self->camera.height / self->ratio) / 2;
  const int most = (side == LARGE ? PANE_OF_VALUES : PANE) / side;
  Layout best = {0};
  gboolean best_fits = FALSE;
  for (int rows = 1; rows <= count; rows++) {
    const int columns = (count + rows - 1) / rows;
    const int width = (wide - (columns - 1) * GAP) / columns, height = high / rows - NAME - GAP;
    int pixels = MIN(MIN(width, height) / side, most);
    pixels -= (pixels + 1) % 2;
    const gboolean fits = columns * MAX(pixels, 1) * side + (columns - 1) * GAP <= wide;
    if (best.rows && pixels <= best.pixels && (best_fits || !fits)) continue;
    best = (Layout){columns, rows, pixels};
    best_fits = fits;
  }
  best.pixels = MAX(best.pixels, 1);
  return best;
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

/* As much of a name as there is room for. */
static void draw_name(cairo_t *cr, const char *name, double width) {
  static const double black[3] = {0, 0, 0};
  if (draw_text(cr, name, 0, 12, width, black)) return;
  for (glong letters = g_utf8_strlen(name, -1) - 1; letters > 0; letters--) {
    g_autofree char *part = g_utf8_substring(name, 0, letters), *cut = g_strconcat(part, "…", NULL);
    if (draw_text(cr, cut, 0, 12, width, black)) return;
  }
}

/* Whether there is a value at a place, and which. */
static gboolean read_pane(const Pane *pane, double x, double y, double *value) {
  const GantryImage *a = pane->a, *b = pane->b;
  if (pane->mode != CTGL_SHOW_B && !(a && gantry_image_holds(a, x, y))) return FALSE;
  if (pane->mode != CTGL_SHOW_A && !(b && gantry_image_holds(b, x, y))) return FALSE;
  *value = ctgl_mode_value(pane->mode, a ? gantry_image_shown_value(a, x, y, FALSE) : NAN,
                           b ? gantry_image_shown_value(b, x, y, FALSE) : NAN, 0);
  return TRUE;
}

/* The middle of the pixel that is pointed at, of A, or of B without A. */
static ctgl_point find_pixel(const GantryImage *frame, ctgl_point world) {
  return (ctgl_point){
      frame->origin_x + round((world.x - frame->origin_x) / frame->spacing_x) * frame->spacing_x,
      frame->origin_y + round((world.y - frame->origin_y) / frame->spacing_y) * frame->spacing_y,
  };
}

static void draw_pane(GantrySliceView *self, cairo_t *cr, const Pane *pane, ctgl_point world, int side, int pixels) {
  const GantryImage *frame = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  const ctgl_point middle = find_pixel(frame, world);
  for (int j = 0; j < pixels; j++)
    for (int i = 0; i < pixels; i++) {
      const double x = middle.x + (i - pixels / 2) * frame->spacing_x,
                   y = middle.y + (pixels / 2 - j) * frame->spacing_y;
      double rgb[3], value;
      if (!read_pane(pane, x, y, &value)) continue;
      colour_of(self, pane->mode, value, rgb);
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

static const char *name_of(const Pane *pane) {
  return pane->name ? pane->name : ctgl_mode_get(pane->mode)->label;
}

void gantry_slice_view_draw_loupe(GantrySliceView *self, cairo_t *cr, ctgl_point world, int side) {
  g_autoptr(GArray) panes = list_panes(self);
  const Layout layout = lay_out(self, side, (int)panes->len);
  const int size = layout.pixels * side;
  if (!self->images[CTGL_SLOT_A] && !self->images[CTGL_SLOT_B]) return;
  cairo_set_antialias(cr, CAIRO_ANTIALIAS_NONE);
  cairo_set_font_size(cr, 10.5);
  for (int k = 0; k < (int)panes->len; k++) {
    const Pane *pane = &g_array_index(panes, Pane, k);
    cairo_save(cr);
    cairo_translate(cr, k % layout.columns * (size + GAP), k / layout.columns * (size + NAME + GAP));
    cairo_rectangle(cr, 0, 0, size, size + NAME);
    cairo_clip(cr);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_paint(cr);
    draw_name(cr, name_of(pane), size);
    cairo_translate(cr, 0, NAME);
    draw_pane(self, cr, pane, world, side, layout.pixels);
    cairo_restore(cr);
  }
}

/* "A 0.0123, B 0.0119, A − B 0.0004, half 0.0123 1/mm" */
static void describe(GantrySliceView *self, ctgl_point world) {
  g_autoptr(GArray) panes = list_panes(self);
  g_autoptr(GString) text = g_string_new(NULL);
  const GantryImage *frame = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  if (!frame) return;
  const ctgl_point middle = find_pixel(frame, world);
  for (guint k = 0; k < panes->len; k++) {
    const Pane *pane = &g_array_index(panes, Pane, k);
    double value;
    if (!read_pane(pane, middle.x, middle.y, &value)) continue;
    g_autofree char *number = gantry_quantity_text(value, 4, NULL);
    g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", name_of(pane), number);
  }
  if (text->len && gantry_slice_view_is_plane(self))
    g_string_append_printf(text, " %s", gantry_display_get_units(self->display).value);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->loupe), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str, -1);
}

/* The one of the views side by side that has the pointer; NULL: none of them. */
static GantrySliceView *find_pointed(GantrySliceView *self) {
  GantrySliceView *leader = gantry_slice_view_speaker(self);
  if (leader->pointer_inside) return leader;
  for (int i = 0; i < GANTRY_COMPANIONS; i++)
    if (leader->companions[i] && leader->companions[i]->pointer_inside) return leader->companions[i];
  return NULL;
}

/* Beside the picture there is nothing to see: the crosshair's place then, too. */
static ctgl_point place_of(GantrySliceView *self) {
  const GantryImage *frame = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  GantrySliceView *pointed = find_pointed(self);
  if (!pointed) return gantry_slice_view_get_cross(self);
  const ctgl_point place = gantry_slice_view_to_world(pointed, pointed->pointer_x, pointed->pointer_y);
  return frame && !gantry_image_holds(frame, place.x, place.y) ? gantry_slice_view_get_cross(self) : place;
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
  self->others = g_array_new(FALSE, FALSE, sizeof(GantryOtherPicture));
  g_array_set_clear_func(self->others, clear_other);
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
  g_autoptr(GArray) panes = list_panes(self);
  const int side = side_of(self);
  const Layout layout = lay_out(self, side, (int)panes->len);
  const int size = layout.pixels * side;
  const ctgl_point at = gantry_slice_view_to_widget(self, place_of(self));
  const int below = MAX(measure_readings(self) + GAP, MARGIN), tall = layout.rows * (size + NAME + GAP) - GAP;
  /* What lies between the loupe and the place that it shows, below and above that. */
  const gboolean low = self->camera.height / self->ratio - below - tall - at.y >= at.y - MARGIN - tall;
  gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(self->loupe), layout.columns * (size + GAP) - GAP);
  gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(self->loupe), tall);
  gtk_widget_set_valign(self->loupe, low ? GTK_ALIGN_END : GTK_ALIGN_START);
  gtk_widget_set_margin_top(self->loupe, low ? 0 : MARGIN);
  gtk_widget_set_margin_bottom(self->loupe, low ? below : 0);
  describe(self, place_of(self));
  gtk_widget_queue_draw(self->loupe);
}

void gantry_slice_view_update_loupe(GantrySliceView *self) {
  GantrySliceView *leader = gantry_slice_view_speaker(self);
  update(leader);
  for (int i = 0; i < GANTRY_COMPANIONS; i++)
    if (leader->companions[i]) update(leader->companions[i]);
}
