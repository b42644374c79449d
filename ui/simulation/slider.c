/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field holds the value; the slider only shows where it lies. */
#include "ui/simulation/slider.h"

#include "ui/number-spin.h"
#include "ui/number-text.h"
#include "ui/tips.h"

#include <math.h>

struct _GantrySlider {
  GtkBox parent_instance;
  GantrySliderRange range;
  GtkRange *scale;
  GtkSpinButton *field;
  GtkWidget *reset;
  gboolean showing; /* a value is being shown: nobody chose it */
};

G_DEFINE_FINAL_TYPE(GantrySlider, gantry_slider, GTK_TYPE_BOX)

static guint changed_signal;

/* Below this share of the slider's length it is at 0, where the values go on from something else. */
#define SNAP 0.02

static gboolean is_logarithmic(const GantrySliderRange *range) {
  return range->least > 0 && range->reach / range->least >= 100;
}

double gantry_slider_place(const GantrySliderRange *range, double value) {
  const double size = fabs(value);
  if (size == 0 || (range->least > 0 && size < range->least)) return 0;
  const double way = is_logarithmic(range) ? log(size / range->least) / log(range->reach / range->least)
                                           : (size - range->least) / (range->reach - range->least);
  const double place = range->least > 0 ? SNAP + (1 - SNAP) * way : way;
  return copysign(fmin(place, 1), value);
}

double gantry_slider_value(const GantrySliderRange *range, double place) {
  const double size = fabs(place);
  if (size == 0 || (range->least > 0 && size < SNAP)) return 0;
  const double way = range->least > 0 ? (size - SNAP) / (1 - SNAP) : size;
  const double value = is_logarithmic(range) ? range->least * pow(range->reach / range->least, way)
                                             : range->least + way * (range->reach - range->least);
  return copysign(value, place);
}

/* So that the slider has some hundred steps. */
static int digits_of(const GantrySliderRange *range) {
  return range->whole || range->reach >= 100 ? 0 : (int)ceil(2 - log10(range->reach));
}

static double rounded(const GantrySliderRange *range, double value) {
  const double unit = pow(10, -digits_of(range));
  /* Two digits tell enough of a number of photons. */
  const double step =
      is_logarithmic(range) && value != 0 && !range->whole ? pow(10, floor(log10(fabs(value))) - 1) : unit;
  return round(value / fmax(step, unit)) * fmax(step, unit);
}

GantrySliderRange gantry_slider_range_of(const ct_imperfection *row, double standard) {
  return (GantrySliderRange){.title = row->title,
                             .unit = row->unit,
                             .explanation = row->explanation,
                             .low = row->low,
                             .high = row->high,
                             .least = row->least,
                             .reach = row->reach,
                             .standard = standard};
}

double gantry_slider_get(GantrySlider *self) {
  return gtk_spin_button_get_value(self->field);
}

static void show(GantrySlider *self) {
  const double value = gantry_slider_get(self);
  self->showing = TRUE;
  gtk_range_set_value(self->scale, gantry_slider_place(&self->range, value));
  self->showing = FALSE;
  /* What cannot be pressed keeps its place, so that nothing moves. */
  const gboolean changed = fabs(value - self->range.standard) > 1e-9 * fmax(1, fabs(value));
  gtk_widget_set_sensitive(self->reset, changed);
  gtk_widget_set_opacity(self->reset, changed ? 1 : 0);
}

void gantry_slider_set(GantrySlider *self, double value) {
  self->showing = TRUE;
  gtk_spin_button_set_value(self->field, value);
  self->showing = FALSE;
  show(self);
}

/* Of each part by itself: assistive technology is not told of what holds them. */
void gantry_slider_allow(GantrySlider *self, gboolean allowed) {
  gtk_widget_set_sensitive(GTK_WIDGET(self->scale), allowed);
  gtk_widget_set_sensitive(GTK_WIDGET(self->field), allowed);
}

static void typed(GantrySlider *self) {
  if (self->showing) return;
  show(self);
  g_signal_emit(self, changed_signal, 0);
}

static void moved(GantrySlider *self) {
  if (self->showing) return;
  const double value = rounded(&self->range, gantry_slider_value(&self->range, gtk_range_get_value(self->scale)));
  if (value == gantry_slider_get(self)) return;
  self->showing = TRUE;
  gtk_spin_button_set_value(self->field, value);
  self->showing = FALSE;
  const gboolean changed = value != self->range.standard;
  gtk_widget_set_sensitive(self->reset, changed);
  gtk_widget_set_opacity(self->reset, changed ? 1 : 0);
  g_signal_emit(self, changed_signal, 0);
}

static void reset(GantrySlider *self) {
  gantry_slider_set(self, self->range.standard);
  g_signal_emit(self, changed_signal, 0);
}

static void name(GtkWidget *widget, const char *text, const char *tip) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gantry_tips_set(widget, tip);
}

static char *tip_of(const GantrySliderRange *range) {
  g_autofree char *low = gantry_quantity_text(range->low, 3, NULL),
                  *high = gantry_quantity_text(range->high, 3, *range->unit ? range->unit : NULL);
  const gsize length = strlen(range->explanation);
  const gboolean ends = length && range->explanation[length - 1] == '.';
  return g_strdup_printf("%s%s Range: %s to %s.", range->explanation, ends ? "" : ".", low, high);
}

static void make_scale(GantrySlider *self, const char *tip) {
  const double low = self->range.low < 0 ? -1 : 0;
  g_autofree char *label = g_strdup_printf("%s, slider", self->range.title);
  GtkWidget *scale = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, low, 1, 0.01);
  gtk_scale_set_draw_value(GTK_SCALE(scale), FALSE);
  gtk_scale_set_has_origin(GTK_SCALE(scale), low == 0);
  if (low < 0) gtk_scale_add_mark(GTK_SCALE(scale), 0, GTK_POS_BOTTOM, NULL);
  gtk_widget_set_hexpand(scale, TRUE);
  gtk_widget_set_size_request(scale, 110, -1);
  gtk_widget_set_valign(scale, GTK_ALIGN_CENTER);
  name(scale, label, tip);
  self->scale = GTK_RANGE(scale);
  g_signal_connect_swapped(scale, "value-changed", G_CALLBACK(moved), self);
}

static void make_field(GantrySlider *self, const char *tip) {
  const GantrySliderRange *range = &self->range;
  const int digits = digits_of(range);
  GtkWidget *field = gtk_spin_button_new_with_range(range->low, range->high, pow(10, -digits));
  gtk_spin_button_set_digits(GTK_SPIN_BUTTON(field), (guint)digits);
  gtk_editable_set_width_chars(GTK_EDITABLE(field), 7);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(field), 7);
  gtk_editable_set_alignment(GTK_EDITABLE(field), 1);
  gtk_widget_set_valign(field, GTK_ALIGN_CENTER);
  name(field, range->title, tip);
  self->field = GTK_SPIN_BUTTON(field);
  if (range->low < 0) gantry_spin_take_minus(self->field);
  g_signal_connect_swapped(field, "value-changed", G_CALLBACK(typed), self);
}

GtkWidget *gantry_slider_new(const GantrySliderRange *range) {
  GantrySlider *self = g_object_new(GANTRY_TYPE_SLIDER, "orientation", GTK_ORIENTATION_HORIZONTAL, "spacing", 6, NULL);
  self->range = *range;
  g_autofree char *tip = tip_of(range), *back = g_strdup_printf("Back to the standard value of: %s", range->title);
  GtkWidget *title = gtk_label_new(range->title), *unit = gtk_label_new(range->unit);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_label_set_width_chars(GTK_LABEL(title), 15);
  gantry_tips_set(title, tip);
  gtk_label_set_xalign(GTK_LABEL(unit), 0);
  gtk_label_set_width_chars(GTK_LABEL(unit), 7);
  gtk_widget_add_css_class(unit, "dim-label");
  make_scale(self, tip);
  make_field(self, tip);
  self->reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
  gtk_widget_add_css_class(self->reset, "flat");
  gtk_widget_set_valign(self->reset, GTK_ALIGN_CENTER);
  name(self->reset, back, back);
  g_signal_connect_swapped(self->reset, "clicked", G_CALLBACK(reset), self);
  GtkWidget *const parts[] = {title, GTK_WIDGET(self->scale), GTK_WIDGET(self->field), unit, self->reset};
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) gtk_box_append(GTK_BOX(self), parts[i]);
  gantry_slider_set(self, range->standard);
  return GTK_WIDGET(self);
}

static void gantry_slider_class_init(GantrySliderClass *klass) {
  changed_signal = g_signal_new("changed", GANTRY_TYPE_SLIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_slider_init(GantrySlider *self) {}
