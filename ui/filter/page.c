/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two plots with their choices above them. */
#include "ui/filter/page.h"

#include "ui/note.h"
#include "ui/number-text.h"
#include "ui/plot/plot.h"
#include "ui/tips.h"

#include <math.h>

struct _GantryFilterPage {
  GtkBox parent_instance;
  GantryPlot *filter, *row;
  GtkRange *cutoff;
  GtkSwitch *limited;
  GtkToggleButton *taps, *spectrum;
  GtkLabel *note, *dc;
  GantryFilterReport *report; /* NULL: none */
  gboolean showing;
};

G_DEFINE_FINAL_TYPE(GantryFilterPage, gantry_filter_page, GTK_TYPE_BOX)

static guint edited_signal;

static void gantry_filter_page_finalize(GObject *object) {
  gantry_filter_report_free(GANTRY_FILTER_PAGE(object)->report);
  G_OBJECT_CLASS(gantry_filter_page_parent_class)->finalize(object);
}

static void gantry_filter_page_class_init(GantryFilterPageClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_filter_page_finalize;
  edited_signal = g_signal_new("edited", GANTRY_TYPE_FILTER_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                               2, G_TYPE_DOUBLE, G_TYPE_INT);
}

static void gantry_filter_page_init(GantryFilterPage *self) {}

/* Showing */

static void show_curve(GantryFilterPage *self, GantryPlot *plot, GantryPanel panel, guint colour, const char *title,
                       GantryFilterCurve curve) {
  const GantryFilterReport *r = self->report;
  gantry_plot_set_panel_curve(plot, panel, colour, title, r->x[curve], r->y[curve], r->count[curve]);
}

/* Grey. */
enum { RAMP = GANTRY_CURVE_COLOURS - 1 };
/* The deepest that spectra are shown, dB below their largest. */
static const double deepest = -80;

static gboolean shows_curves(GantryFilterPage *self) {
  return self->report && !self->report->refused;
}

/* What the window takes away is seen beside the ramp alone, |f| in cycles per px, whose scale it has. */
static void add_ramp(GantryFilterPage *self) {
  static const double x[] = {0, 1}, y[] = {0, 0.5};
  gantry_plot_set_curve(self->filter, RAMP, "ramp alone", x, y, G_N_ELEMENTS(x));
  gantry_plot_set_style(self->filter, RAMP, GANTRY_CURVE_LINE);
}

/* That of the band-limited ramp: 1/4, and of odd lags −1/(πn)². */
static void add_ramp_taps(GantryFilterPage *self) {
  const gsize count = self->report->count[GANTRY_FILTER_TAPS];
  const double *x = self->report->x[GANTRY_FILTER_TAPS];
  g_autofree double *y = g_new(double, count);
  for (gsize i = 0; i < count; i++) {
    const long n = lround(x[i]);
    y[i] = n == 0 ? 0.25 : n % 2 ? -1 / (G_PI * G_PI * (double)(n * n)) : 0;
  }
  gantry_plot_set_curve(self->filter, RAMP, "ramp alone", x, y, count);
  gantry_plot_set_style(self->filter, RAMP, GANTRY_CURVE_LINE);
}

/* "H(0) = 0.000123 1/px; of the sampled ramp 0" */
static void show_dc(GantryFilterPage *self) {
  const GantryFilterReport *r = self->report;
  if (!shows_curves(self) || !r->has_ramp || !isfinite(r->dc[r->ramp])) {
    gantry_note_set(self->dc, NULL);
    return;
  }
  const gboolean limited = r->ramp == CT_RAMP_BAND_LIMITED;
  const ct_ramp other = limited ? CT_RAMP_SAMPLED : CT_RAMP_BAND_LIMITED;
  g_autofree char *used = gantry_quantity_text(r->dc[r->ramp], 3, "1/px"),
                  *instead = gantry_quantity_text(r->dc[other], 3, isfinite(r->dc[other]) ? "1/px" : NULL),
                  *text = g_strdup_printf("H(0) = %s of the %s ramp; of the %s one %s", used,
                                          limited ? "band-limited" : "sampled", limited ? "sampled" : "band-limited",
                                          instead);
  gantry_note_set(self->dc, text);
}

static void show_filter(GantryFilterPage *self) {
  gantry_plot_clear(self->filter);
  gantry_plot_set_mark(self->filter, NAN, NULL);
  show_dc(self);
  if (!shows_curves(self)) return;
  if (gtk_toggle_button_get_active(self->taps)) {
    gantry_plot_set_axes(self->filter, "Lag", "px", "h(n)", "");
    if (self->report->has_ramp) add_ramp_taps(self);
    show_curve(self, self->filter, GANTRY_PANEL_UPPER, GANTRY_CURVE_A, "h(n)", GANTRY_FILTER_TAPS);
    gantry_plot_set_style(self->filter, GANTRY_CURVE_A, GANTRY_CURVE_POINTS);
  } else {
    gantry_plot_set_axes(self->filter, "Frequency", "× Nyquist", "|H(f)|", "1/px");
    if (self->report->has_ramp) add_ramp(self);
    show_curve(self, self->filter, GANTRY_PANEL_UPPER, GANTRY_CURVE_A, "|H(f)|", GANTRY_FILTER_GAIN);
    gantry_plot_set_style(self->filter, GANTRY_CURVE_A, GANTRY_CURVE_LINE);
    if (self->report->has_ramp) gantry_plot_set_mark(self->filter, self->report->cutoff, "cut-off");
  }
}

/* In dB of its largest: else it is a spike at 0 alone. */
static void show_spectrum(GantryFilterPage *self, GantryPanel panel, guint colour, const char *title,
                          GantryFilterCurve curve) {
  const GantryFilterReport *r = self->report;
  const gsize count = r->count[curve];
  double largest = 0;
  g_autofree double *y = g_new(double, count);
  for (gsize i = 0; i < count; i++) largest = fmax(largest, r->y[curve][i]);
  for (gsize i = 0; i < count; i++) y[i] = largest > 0 ? fmax(20 * log10(r->y[curve][i] / largest), deepest) : NAN;
  gantry_plot_set_panel_curve(self->row, panel, colour, title, r->x[curve], y, count);
}

static void show_row(GantryFilterPage *self) {
  gantry_plot_clear(self->row);
  if (!shows_curves(self)) return;
  const gboolean spectrum = gtk_toggle_button_get_active(self->spectrum);
  g_autofree char *before = g_strdup_printf("view %d, row %d, before", self->report->view, self->report->row);
  if (spectrum) {
    gantry_plot_set_axes(self->row, "Frequency", "× Nyquist", "Before", "dB of its largest");
    gantry_plot_set_lower(self->row, "After", "dB of its largest", GANTRY_SCALE_LINEAR, FALSE);
    show_spectrum(self, GANTRY_PANEL_UPPER, GANTRY_CURVE_A, before, GANTRY_FILTER_SPECTRUM_BEFORE);
    show_spectrum(self, GANTRY_PANEL_LOWER, GANTRY_CURVE_B, "after", GANTRY_FILTER_SPECTRUM_AFTER);
    return;
  }
  gantry_plot_set_axes(self->row, "Column", "px", "Before", "line integral");
  gantry_plot_set_lower(self->row, "After", self->report->in_pixels ? "1/px" : "1/mm", GANTRY_SCALE_LINEAR, FALSE);
  show_curve(self, self->row, GANTRY_PANEL_UPPER, GANTRY_CURVE_A, before, GANTRY_FILTER_BEFORE);
  show_curve(self, self->row, GANTRY_PANEL_LOWER, GANTRY_CURVE_B, "after", GANTRY_FILTER_AFTER);
}

/* To be told what it shows ends the switch's animation after a key or click, and so what it is to bring. */
static void show_values(GantryFilterPage *self, const GantryFilterReport *report) {
  const gboolean limited = report->ramp == CT_RAMP_BAND_LIMITED;
  gtk_range_set_value(self->cutoff, report->cutoff);
  if (gtk_switch_get_active(self->limited) != limited) gtk_switch_set_active(self->limited, limited);
}

void gantry_filter_page_take(GantryFilterPage *self, GantryFilterReport *report, const char *instead) {
  gantry_filter_report_free(self->report);
  self->report = report;
  if (!shows_curves(self)) {
    gantry_plot_set_empty_text(self->filter, report ? report->refused : instead);
    gantry_plot_set_empty_text(self->row, "");
  }
  gtk_widget_set_visible(GTK_WIDGET(self->row), shows_curves(self)); /* what is said in place of both has all room */
  gantry_note_set(self->note, report ? report->note : NULL);
  self->showing = TRUE;
  if (report && !report->outdated) show_values(self, report);
  self->showing = FALSE;
  gtk_widget_set_sensitive(GTK_WIDGET(self->cutoff), shows_curves(self) && report->has_ramp);
  gtk_widget_set_sensitive(GTK_WIDGET(self->limited), shows_curves(self) && report->has_ramp);
  show_filter(self);
  show_row(self);
}

/* Edits */

static void edited(GantryFilterPage *self) {
  if (self->showing) return;
  g_signal_emit(self, edited_signal, 0, gtk_range_get_value(self->cutoff),
                gtk_switch_get_active(self->limited) ? CT_RAMP_BAND_LIMITED : CT_RAMP_SAMPLED);
}

/* In hundredths, so that plans hold short numbers. */
static void take_cutoff(GantryFilterPage *self, double value) {
  gtk_range_set_value(self->cutoff, CLAMP(round(value * 100) / 100, 0.01, 1));
}

static void clicked(GantryPlot *plot, double x, GantryFilterPage *self) {
  if (!gtk_toggle_button_get_active(self->taps) && gtk_widget_get_sensitive(GTK_WIDGET(self->cutoff)))
    take_cutoff(self, x);
}

/* Left and Right on the curve move its mark, with Shift ten times as far. */
static gboolean key_pressed(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                            GantryFilterPage *self) {
  const double step = state & GDK_SHIFT_MASK ? 0.1 : 0.01;
  if ((key != GDK_KEY_Left && key != GDK_KEY_Right) || state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) return FALSE;
  if (gtk_toggle_button_get_active(self->taps) || !gtk_widget_get_sensitive(GTK_WIDGET(self->cutoff))) return FALSE;
  take_cutoff(self, gtk_range_get_value(self->cutoff) + (key == GDK_KEY_Left ? -step : step));
  return TRUE;
}

/* Making */

static GtkWidget *make_plot(GantryPlot **plot) {
  GtkWidget *widget = gantry_plot_new();
  *plot = GANTRY_PLOT(widget);
  gantry_plot_set_legend(*plot, FALSE);
  gtk_widget_set_hexpand(widget, TRUE);
  gtk_widget_set_vexpand(widget, TRUE);
  return widget;
}

static GtkToggleButton *make_toggle(GantryFilterPage *self, GtkWidget *bar, const char *label, const char *tip,
                                    GCallback toggled) {
  GtkWidget *button = gtk_toggle_button_new_with_label(label);
  gantry_tips_name(button, label, tip);
  gtk_widget_add_css_class(button, "small");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(bar), button);
  g_signal_connect_swapped(button, "toggled", toggled, self);
  return GTK_TOGGLE_BUTTON(button);
}

static GtkWidget *make_bar(GantryFilterPage *self) {
  static const char cutoff_tip[] =
      "Share of the frequencies kept, of the plan. Range: 0.01 to 1 × Nyquist. Its mark on "
      "the curve can be dragged, and a click or the arrow keys there set it, too.",
                    limited_tip[] = "Off: the ramp is sampled in frequency, and the picture loses its mean";
  GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9),
            *cutoff = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0.01, 1, 0.01), *limited = gtk_switch_new();
  self->taps = make_toggle(self, bar, "h(n)", "The filter in space instead of frequency", G_CALLBACK(show_filter));
  gtk_box_append(GTK_BOX(bar), gtk_label_new("Cut-off"));
  gtk_widget_set_hexpand(cutoff, TRUE);
  gantry_tips_name(cutoff, "Cut-off of the filter", cutoff_tip);
  gtk_box_append(GTK_BOX(bar), cutoff);
  gtk_box_append(GTK_BOX(bar), gtk_label_new("Band-limited"));
  gtk_widget_set_valign(limited, GTK_ALIGN_CENTER);
  gantry_tips_name(limited, "Band-limited ramp", limited_tip);
  gtk_box_append(GTK_BOX(bar), limited);
  self->spectrum = make_toggle(self, bar, "Spectrum", "Spectra of the row instead of the row", G_CALLBACK(show_row));
  self->cutoff = GTK_RANGE(cutoff);
  self->limited = GTK_SWITCH(limited);
  g_signal_connect_swapped(cutoff, "value-changed", G_CALLBACK(edited), self);
  g_signal_connect_swapped(limited, "notify::active", G_CALLBACK(edited), self);
  gtk_widget_add_css_class(bar, "filter-bar");
  return bar;
}

GtkWidget *gantry_filter_page_new(void) {
  GantryFilterPage *self = g_object_new(GANTRY_TYPE_FILTER_PAGE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  GtkWidget *plots = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_set_homogeneous(GTK_BOX(plots), TRUE);
  gtk_box_append(GTK_BOX(plots), make_plot(&self->filter));
  gtk_box_append(GTK_BOX(plots), make_plot(&self->row));
  self->note = gantry_note_new();
  self->dc = gantry_note_new();
  gantry_plot_set_legend(self->filter, TRUE);
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller(GTK_WIDGET(self->filter), keys);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), self);
  gtk_box_append(GTK_BOX(self), make_bar(self));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->note));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->dc));
  gtk_box_append(GTK_BOX(self), plots);
  g_signal_connect(self->filter, "clicked", G_CALLBACK(clicked), self);
  g_signal_connect(self->filter, "mark-dragged", G_CALLBACK(clicked), self);
  return GTK_WIDGET(self);
}
