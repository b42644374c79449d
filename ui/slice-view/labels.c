/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The labels over a slice: title and position, axis letters, length of the scale bar, value under the pointer or, while
 * it is elsewhere, under the crosshair. They lie along the edges; only the text of an empty view takes the middle. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/number-text.h"
#include "ui/scale-text.h"
#include "ui/tips.h"
#include "ui/view-label.h"

const char *gantry_slice_view_kind_title(GantryViewKind kind) {
  static const char *const titles[GANTRY_VIEWS] = {"Axial", "Coronal", "Sagittal", "Projection", "Oblique"};
  return titles[kind];
}

static const char keys[] =
    "Arrows move the crosshair, Page Up and Page Down the slice, plus and minus zoom, Ctrl+arrows pan, Alt+arrows "
    "change the window, "
    "0 fits, M maximises, W sets the window, P draws a profile, R a region, F flips between A and B, comma and period "
    "mix them, Shift+F10 opens the menu. Shift+R, E, G, L, A and T draw a rectangle, an ellipse, a free region, a "
    "distance, an angle and a point to measure; brackets choose one, Alt+Shift+arrows move it, H chooses a handle, "
    "Ctrl+Shift+arrows move that, Delete removes it.";
static const char oblique_keys[] =
    " Ctrl+Shift+Up and Down tilt the plane, Ctrl+Shift+Left and Right turn it, Page Up and "
    "Page Down shift it.";

enum { MARGIN = GANTRY_LABEL_MARGIN, LABEL_PADDING = 6 /* in the style of slice-view.c */ };

/* Logical pixels: lower views have no room for the letters of the axes, narrower ones none for the
 * number of slices. */
enum { LOW = 136, NARROW = 380 };
#define OUTDATED_OPACITY 0.5 /* over black */

static GtkWidget *add_label(GtkOverlay *overlay, GtkAlign across, GtkAlign along, const char *meaning) {
  GtkWidget *label = gantry_view_label_new(across, along, meaning);
  gtk_overlay_add_overlay(overlay, label);
  return label;
}

/* The rectangle's numbers, what is shown, and its value: they grow upwards from the corner. */
static void add_readings(GantrySliceView *self, GtkOverlay *overlay, const char *badge, const char *readout) {
  self->readings = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_halign(self->readings, GTK_ALIGN_START);
  gtk_widget_set_valign(self->readings, GTK_ALIGN_END);
  gtk_widget_set_can_target(self->readings, FALSE);
  self->numbers = gantry_view_label_new(GTK_ALIGN_START, GTK_ALIGN_END, "Rectangle of unattenuated rays");
  gtk_widget_set_margin_top(self->numbers, 0);
  gtk_widget_set_margin_bottom(self->numbers, 4);
  gtk_widget_set_visible(self->numbers, FALSE);
  self->badge = gantry_view_label_new(GTK_ALIGN_START, GTK_ALIGN_END, badge);
  gtk_widget_set_margin_top(self->badge, 0);
  gtk_widget_set_visible(self->badge, FALSE);
  self->readout = gantry_view_label_new(GTK_ALIGN_START, GTK_ALIGN_END, readout);
  gtk_widget_set_margin_top(self->readout, 0);
  gtk_box_append(GTK_BOX(self->readings), self->numbers);
  gtk_box_append(GTK_BOX(self->readings), self->badge);
  gtk_box_append(GTK_BOX(self->readings), self->readout);
  gtk_overlay_add_overlay(overlay, self->readings);
}

static void add_heading(GantrySliceView *self, GtkOverlay *overlay) {
  static const char *const classes[GANTRY_VIEWS] = {"axial", "coronal", "sagittal", "projection", "oblique"};
  self->heading = gantry_view_heading_new(overlay);
  self->title = gtk_label_new(NULL);
  gtk_widget_add_css_class(self->title, "plane");
  gtk_widget_add_css_class(self->title, classes[self->kind]);
  self->number = gtk_label_new(NULL);
  gtk_widget_set_visible(self->number, FALSE);
  self->position = gtk_label_new(NULL);
  gtk_label_set_ellipsize(GTK_LABEL(self->position), PANGO_ELLIPSIZE_END);
  gtk_box_append(GTK_BOX(self->heading), self->title);
  gtk_box_append(GTK_BOX(self->heading), self->number);
  gtk_box_append(GTK_BOX(self->heading), self->position);
  self->scale = gtk_label_new(NULL);
  gtk_label_set_ellipsize(GTK_LABEL(self->scale), PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible(self->scale, FALSE);
  gantry_view_label_describe(self->scale, "Values of black and white, and what they are");
  gtk_box_append(GTK_BOX(self->heading), self->scale);
  self->stand_in = gtk_label_new("preview: filtered back-projection");
  gtk_label_set_ellipsize(GTK_LABEL(self->stand_in), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(self->stand_in, "stand-in");
  gantry_view_label_describe(
      self->stand_in, "The method makes this slice with the whole volume: until it is run, it is shown as filtered "
                      "back-projection makes it, for position, centre and scale");
  gtk_box_append(GTK_BOX(self->heading), self->stand_in);
  self->before = gtk_label_new(NULL);
  gtk_label_set_ellipsize(GTK_LABEL(self->before), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(self->before, "before");
  gantry_view_label_describe(
      self->before, "This picture was made with the values before the last change. It stays until the new one is "
                    "there, or until Reconstruct makes it.");
  gtk_box_append(GTK_BOX(self->heading), self->before);
}

void gantry_slice_view_make_labels(GantrySliceView *self, GtkOverlay *overlay) {
  const char *kind = gantry_slice_view_kind_title(self->kind);
  g_autofree char *readout = g_strdup_printf("%s value", kind);
  g_autofree char *bar = g_strdup_printf("%s scale bar", kind);
  g_autofree char *across = g_strdup_printf("%s horizontal axis", kind);
  g_autofree char *upward = g_strdup_printf("%s vertical axis", kind);
  g_autofree char *hint = g_strdup_printf("%s hint", kind);
  gantry_slice_view_make_marks(self, overlay);
  gantry_slice_view_make_axes(self, overlay);
  add_heading(self, overlay);
  g_autofree char *badge = g_strdup_printf("%s: what is shown", kind);
  add_readings(self, overlay, badge, readout);
  self->bar_length = add_label(overlay, GTK_ALIGN_END, GTK_ALIGN_END, bar);
  self->across = add_label(overlay, GTK_ALIGN_END, GTK_ALIGN_END, across);
  self->upward = add_label(overlay, GTK_ALIGN_END, GTK_ALIGN_START, upward);
  self->hint = add_label(overlay, GTK_ALIGN_CENTER, GTK_ALIGN_START, hint);
  gtk_widget_set_margin_top(self->hint, 36);
  /* Above the bar that the renderer draws 14 px from the corner. */
  gtk_widget_set_margin_bottom(self->bar_length, 24);
  gtk_widget_set_margin_end(self->bar_length, 10);
  gtk_widget_set_margin_bottom(self->across, 48);

  gantry_slice_view_make_sides(self, overlay);
  gantry_slice_view_make_loupe(self, overlay);

  self->empty = gantry_view_empty_new(overlay);
}

/* Numbers. */

/* Decimals that tell neighbours `step` apart. */
static int decimals_for(double step) {
  return step > 0 && isfinite(step) ? (int)CLAMP(ceil(-log10(step) - 1e-9), 0, 6) : 1;
}

char *gantry_coordinate_text(double value, double pitch) {
  return gantry_fixed_text(value, MIN(decimals_for(pitch) + 1, 6));
}

double gantry_coordinate_factor(double pitch, const char *length, const char **shown) {
  return ct_length_factor(50 * pitch, length, shown);
}

/* "column 12  view 7, 31.5°" */
static char *sinogram_place_text(const GantryImage *image, ctgl_point world) {
  g_autofree char *column = gantry_fixed_text(world.x, 0), *view = gantry_fixed_text(world.y, 0);
  const int row = (int)round(CLAMP(world.y, 0, image->height - 1));
  const double step = image->angles && image->height > 1
                          ? fabs(image->angles[image->height - 1] - image->angles[0]) / (image->height - 1)
                          : NAN;
  g_autofree char *angle = image->angles ? gantry_fixed_text(image->angles[row], decimals_for(step)) : NULL;
  return g_strdup_printf("column %s  view %s%s%s%s", column, view, angle ? ", " : "", angle ? angle : "",
                         angle ? "°" : "");
}

/* "x 0.25  y −63.75 mm", or "column 12  row 7". */
static char *place_text(GantrySliceView *self, const ctgl_image_frame *frame, ctgl_point world) {
  static const char *const letters[GANTRY_VIEWS][2] = {{"x", "y"}, {"x", "z"}, {"y", "z"}, {"", ""}, {"s", "t"}};
  const gboolean plane = gantry_slice_view_is_plane(self);
  if (gantry_slice_view_sinogram(self)) return sinogram_place_text(gantry_slice_view_sinogram(self), world);
  const char *unit;
  const double by = gantry_coordinate_factor(frame->spacing_x, gantry_display_get_units(self->display).length, &unit);
  g_autofree char *x =
      plane ? gantry_coordinate_text(by * world.x, by * frame->spacing_x) : gantry_fixed_text(world.x, 0);
  g_autofree char *y =
      plane ? gantry_coordinate_text(by * world.y, by * frame->spacing_y) : gantry_fixed_text(world.y, 0);
  return plane ? g_strdup_printf("%s %s  %s %s %s", letters[self->kind][0], x, letters[self->kind][1], y, unit)
               : g_strdup_printf("column %s  row %s", x, y);
}

static gboolean same_frame(const ctgl_image_frame *a, const ctgl_image_frame *b) {
  return a->width == b->width && a->height == b->height && a->spacing_x == b->spacing_x &&
         a->spacing_y == b->spacing_y && a->origin_x == b->origin_x && a->origin_y == b->origin_y;
}

/* Width of value and place in one line, however long their numbers get in this picture. Laid out only when that may
 * have changed: it is asked with every move of the pointer. */
static int widest_readout(GantrySliceView *self, const ctgl_image_frame *frame) {
  const gboolean plane = gantry_slice_view_is_plane(self), compares = plane && self->images[CTGL_SLOT_B];
  const guint serial = pango_context_get_serial(gtk_widget_get_pango_context(self->readout));
  const ctgl_mode mode = gantry_slice_view_mode(self);
  if (self->readout_serial == serial && self->readout_compares == compares && self->readout_mode == mode &&
      same_frame(&self->readout_frame, frame))
    return self->readout_width;
  const ctgl_point first = {frame->origin_x, frame->origin_y},
                   last = {frame->origin_x + (frame->width - 1) * frame->spacing_x,
                           frame->origin_y + (frame->height - 1) * frame->spacing_y};
  self->readout_serial = serial;
  self->readout_compares = compares;
  self->readout_mode = mode;
  self->readout_frame = *frame;
  self->readout_width = 0;
  g_autofree char *value = gantry_slice_view_widest_value(self);
  for (int corner = 0; corner < 2; corner++) {
    g_autofree char *place = place_text(self, frame, corner ? last : first);
    g_autofree char *text = g_strdup_printf("✛ %s   %s", value, place);
    g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(self->readout, text);
    int width;
    pango_layout_get_pixel_size(layout, &width, NULL);
    self->readout_width = MAX(self->readout_width, width);
  }
  return self->readout_width;
}

/* Whether that has room beside the scale bar: so the readout keeps its shape while the pointer moves. */
static gboolean fits_one_line(GantrySliceView *self, const ctgl_image_frame *frame) {
  if (self->camera.height / self->ratio < LOW) return TRUE;
  const int room = (int)(self->camera.width / self->ratio) - MARGIN - gtk_widget_get_margin_end(self->readout);
  return widest_readout(self, frame) + 2 * LABEL_PADDING <= room;
}

void gantry_slice_view_update_readout(GantrySliceView *self) {
  if (!self->box) return;
  ctgl_image_frame frame;
  const gboolean filled = gantry_slice_view_frame(self, &frame) && !self->fault;
  const gboolean plane = gantry_slice_view_is_plane(self);
  /* A note is about the place of the crosshair, and tells it. */
  const gboolean noted = self->note && gtk_widget_get_visible(self->badge);
  const gboolean told = filled && (self->pointer_inside || (plane && !noted));
  gtk_widget_set_visible(self->readout, told);
  /* The badge stands on the readout, or in its place. */
  gtk_widget_set_margin_bottom(self->badge, told ? 4 : MARGIN);
  gantry_slice_view_update_loupe(self);
  if (!told) return;
  const ctgl_point world = self->pointer_inside ? gantry_slice_view_to_world(self, self->pointer_x, self->pointer_y)
                                                : gantry_slice_view_get_cross(self);
  g_autofree char *value = gantry_slice_view_value_text(self, world), *place = place_text(self, &frame, world);
  g_autofree char *text = g_strdup_printf("%s%s%s%s", self->pointer_inside ? "" : "✛ ", value,
                                          fits_one_line(self, &frame) ? "   " : "\n", place);
  gtk_label_set_text(GTK_LABEL(self->readout), text);
}

static char *position_text(GantrySliceView *self) {
  ctgl_image_frame frame;
  const GantryImage *image = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  static const char *const letters[GANTRY_VIEWS] = {"z", "y", "x", "θ", "d"};
  if (!image || !gantry_slice_view_frame(self, &frame)) return NULL;
  const gboolean plane = gantry_slice_view_is_plane(self);
  const double step = self->count > 1              ? fabs(self->last - self->first) / (self->count - 1)
                      : plane                      ? frame.spacing_x
                      : self->unit && !*self->unit ? 1 /* a row */
                                                   : 0.1;
  const char *unit = plane ? gantry_display_get_units(self->display).length : self->unit ? self->unit : "°";
  const double by = plane ? gantry_coordinate_factor(step, unit, &unit) : 1;
  g_autofree char *place = plane ? gantry_coordinate_text(by * image->position, by * step)
                                 : gantry_fixed_text(image->position, decimals_for(step));
  /* Without an angle between its ends, a sinogram's position is a row. */
  const gboolean angle = g_strcmp0(unit, "°") == 0;
  return g_strdup_printf("%s%s%s%s%s", plane || angle ? letters[self->kind] : "", plane || angle ? " = " : "", place,
                         angle || !*unit ? "" : " ", unit);
}

/* "75 (0–146)": counted from 0 as in the field below; where there is room. */
static void update_number(GantrySliceView *self, gboolean filled) {
  const GantryImage *image = self->images[CTGL_SLOT_A] ? self->images[CTGL_SLOT_A] : self->images[CTGL_SLOT_B];
  const gboolean counted = filled && image && self->count > 1 && self->camera.width / self->ratio >= NARROW;
  gtk_widget_set_visible(self->number, counted);
  if (!counted) return;
  const int index =
      self->kind == GANTRY_VIEW_OBLIQUE ? (int)round(gtk_adjustment_get_value(self->slice)) : image->index;
  g_autofree char *text = g_strdup_printf("%d (0–%d)", index, self->count - 1);
  gtk_label_set_text(GTK_LABEL(self->number), text);
}

/* "0 to 2.31, line integral": the legend of a projection. The slices' is below them all. */
static void update_scale(GantrySliceView *self, gboolean filled) {
  const GantryImage *image = self->images[CTGL_SLOT_A];
  double low, high;
  const gboolean shown = filled && image && self->kind == GANTRY_VIEW_PROJECTION;
  gtk_widget_set_visible(self->scale, shown);
  if (!shown) return;
  gantry_slice_view_get_window(self, &low, &high);
  const char *unit = image->values == GANTRY_VALUES_FILTERED ? gantry_display_get_units(self->display).value : "";
  g_autofree char *first = gantry_scale_end_text(low, high - low, ""),
                  *last = gantry_scale_end_text(high, high - low, unit);
  g_autofree char *text = g_strdup_printf("%s to %s, %s", first, last, gantry_image_values_words(image));
  gtk_label_set_text(GTK_LABEL(self->scale), text);
}

static void update_scale_bar(GantrySliceView *self, gboolean filled) {
  const double length = filled && !gantry_slice_view_sinogram(self) ? ctgl_scale_bar_length(&self->camera) : 0;
  const double width = length * self->camera.zoom / self->ratio;
  const gboolean shown = length > 0 && self->camera.width > 1;
  gtk_widget_set_visible(self->bar_length, shown);
  /* The readout leaves room for the bar. */
  const int margin = MARGIN + (shown ? (int)ceil(width) + 16 : 0);
  gtk_widget_set_margin_end(self->readout, margin);
  gtk_widget_set_margin_end(self->badge, margin);
  if (!shown) return;
  const gboolean plane = gantry_slice_view_is_plane(self);
  const gboolean pixels = !plane || ct_units_are_pixels(gantry_display_get_units(self->display));
  g_autofree char *text = gantry_length_text(length, 3, pixels ? "px" : "mm");
  gtk_label_set_text(GTK_LABEL(self->bar_length), text);
}

static const char *hint_text(GantrySliceView *self) {
  if (self->tool == GANTRY_TOOL_NONE) return NULL;
  if (self->tool == GANTRY_TOOL_MARK) return gantry_slice_view_mark_hint(self);
  if (self->tool == GANTRY_TOOL_RECTANGLE)
    return self->tool_started ? "Click at the opposite corner. Escape gives up."
                              : "Drag a rectangle where the beam passes no object. Escape gives up.";
  if (self->tool_started) return "Click or press Return at the other end. Escape gives up.";
  return self->tool == GANTRY_TOOL_PROFILE ? "Drag the profile line. Escape gives up."
                                           : "Drag a region for the window. Escape gives up.";
}

static const char *empty_text(GantrySliceView *self) {
  if (self->fault) return self->fault;
  if (self->instead) return self->instead;
  if (self->images[CTGL_SLOT_A]) return NULL;
  const gboolean plane = gantry_slice_view_is_plane(self);
  if (self->images[CTGL_SLOT_B] && ctgl_mode_needs_b(gantry_slice_view_mode(self)) &&
      !ctgl_mode_tells_difference(gantry_slice_view_mode(self)))
    return NULL;
  if (self->empty_text) return self->empty_text;
  return plane ? "No slice yet: press Reconstruct." : "No projection yet: open a scan.";
}

static void show_age(GantrySliceView *self, gboolean filled) {
  const gboolean outdated =
      self->outdated && filled && self->images[CTGL_SLOT_A] && gantry_slice_view_mode(self) != CTGL_SHOW_B;
  gtk_label_set_text(GTK_LABEL(self->before), outdated ? "before the change" : "");
  gtk_widget_set_visible(self->before, outdated);
  gtk_widget_set_opacity(self->area, outdated ? OUTDATED_OPACITY : 1);
}

void gantry_slice_view_update_labels(GantrySliceView *self) {
  if (!self->box) return;
  ctgl_image_frame frame;
  const gboolean filled = gantry_slice_view_frame(self, &frame) && !self->fault;
  g_autofree char *position = filled ? position_text(self) : NULL;
  gtk_label_set_text(GTK_LABEL(self->position), position ? position : "");
  gtk_widget_set_visible(self->position, position != NULL);
  update_number(self, filled);
  update_scale(self, filled);
  /* The row of a sinogram is its number. */
  if (gantry_slice_view_sinogram(self) && gtk_widget_get_visible(self->number))
    gtk_widget_set_visible(self->position, FALSE);
  const GantryImage *a = self->images[CTGL_SLOT_A];
  gtk_widget_set_visible(self->stand_in, filled && a && a->stands_in && gantry_slice_view_mode(self) != CTGL_SHOW_B);
  show_age(self, filled);
  const double height = self->camera.height / self->ratio;
  const gboolean lettered = filled && height >= LOW && !gantry_slice_view_sinogram(self);
  gtk_widget_set_visible(self->across, lettered && *gtk_label_get_text(GTK_LABEL(self->across)));
  gtk_widget_set_visible(self->upward, lettered && *gtk_label_get_text(GTK_LABEL(self->upward)));
  const char *hint_of_view = hint_text(self);
  g_autofree char *hint = hint_of_view              ? g_strdup(hint_of_view)
                          : self->steered && filled ? gantry_slice_view_pose_text(self)
                                                    : NULL;
  gtk_widget_set_visible(self->hint, hint != NULL);
  if (hint) gtk_label_set_text(GTK_LABEL(self->hint), hint);
  const char *empty = empty_text(self);
  gtk_widget_set_visible(self->empty, empty != NULL);
  if (empty) gtk_label_set_text(GTK_LABEL(self->empty), empty);
  gantry_slice_view_update_axes(self, filled);
  update_scale_bar(self, filled);
  gantry_slice_view_update_sides(self, filled);
  gantry_slice_view_update_badge(self, filled && height >= LOW);
  gantry_slice_view_show_rectangle(self);
  gantry_slice_view_update_marks(self);
  gantry_slice_view_update_readout(self);
}

void gantry_slice_view_update_range_words(GantrySliceView *self) {
  const char *title = gtk_label_get_text(GTK_LABEL(self->title));
  const gboolean plane = gantry_slice_view_is_plane(self);
  /* Of three beside each other the words say which. */
  const char *of = self->leader && self->fixed < CTGL_MODES ? ctgl_mode_get(self->fixed)->label : NULL;
  g_autofree char *picture =
      plane ? g_strdup_printf("%s slice%s%s", title, of ? ", " : "", of ? of : "") : g_strdup(title);
  g_autofree char *view = g_strdup_printf("%s view%s%s", title, of ? ", " : "", of ? of : "");
  g_autofree char *help = g_strconcat(keys, self->kind == GANTRY_VIEW_OBLIQUE ? oblique_keys : "", NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, view, -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->area), GTK_ACCESSIBLE_PROPERTY_LABEL, picture,
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, help, -1);
  g_autofree char *slider = g_strdup_printf("%s slider", picture);
  g_autofree char *number = g_strdup_printf("%s number", picture);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->slider), GTK_ACCESSIBLE_PROPERTY_LABEL, slider, -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->spin), GTK_ACCESSIBLE_PROPERTY_LABEL, number, -1);
  if (self->count < 1) {
    gantry_tips_set(self->row, plane ? "There is no slice yet" : "There is no projection yet");
    return;
  }
  const double step = self->count > 1 ? fabs(self->last - self->first) / (self->count - 1) : 0.1;
  const int decimals = decimals_for(step);
  const char *unit = self->unit ? self->unit : "";
  const double by = plane ? gantry_coordinate_factor(step, unit, &unit) : 1;
  g_autofree char *first =
      plane ? gantry_coordinate_text(by * self->first, by * step) : gantry_fixed_text(self->first, decimals);
  g_autofree char *last =
      plane ? gantry_coordinate_text(by * self->last, by * step) : gantry_fixed_text(self->last, decimals);
  const char *gap = *unit && g_strcmp0(unit, "°") != 0 ? " " : "";
  g_autofree char *tip = g_strdup_printf("%s 0 to %d (%s%s%s to %s%s%s)", plane ? "Slice" : title, self->count - 1,
                                         first, gap, unit, last, gap, unit);
  gantry_tips_set(self->row, tip);
}

char *gantry_slice_view_dup_heading(GantrySliceView *self) {
  g_autofree char *position = position_text(self);
  return g_strdup_printf("%s  %s", gtk_label_get_text(GTK_LABEL(self->title)), position ? position : "");
}
