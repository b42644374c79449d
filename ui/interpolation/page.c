/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything here is asked of the engine's own weights (recon/bp/interp.h), so that kernels that round the place or
 * divide by their sum are shown as they are. */
#include "ui/interpolation/page.h"

#include <math.h>

#include "recon/bp/choices.h"
#include "recon/bp/interp-response.h"
#include "ui/interpolation/block.h"
#include "ui/interpolation/sum.h"
#include "ui/note.h"
#include "ui/number-text.h"
#include "ui/plot/plot.h"
#include "ui/tab.h"
#include "ui/tips.h"

/* Columns that are shown on either side of the place; points of curves. */
enum { AROUND = 6, FINE = 64, RESPONSE_POINTS = 161 };
/* h(x) is shown up to so many columns. */
static const double reach = 2.5;
/* The response is shown up to so many times Nyquist's frequency. */
static const double highest = 4;

struct _GantryInterpolationPage {
  GtkBox parent_instance;
  GantryPlot *kernel, *row;
  GtkDropDown *choice;
  GtkToggleButton *response, *block, *magnified;
  GtkStack *stack;
  GantryInterpolationBlock *pixels;
  GantryInterpolationStrip *strip;
  GtkSpinButton *place;
  GtkLabel *sum, *words, *note, *cost; /* words: of the strip */
  GantryInterpRate rates[CT_INTERP_OVERSAMPLED + 1];
  double *values;       /* [count] of the filtered row; NULL: none */
  gsize count, columns; /* of it, and of the detector */
  double first;         /* the column of values[0]: a displaced detector's rows are longer when they are filtered */
  int view, line, rows;
  gboolean placed, showing, wants_focus; /* of its first control, once that is sensitive */
};

G_DEFINE_FINAL_TYPE(GantryInterpolationPage, gantry_interpolation_page, GTK_TYPE_BOX)

static guint edited_signal, magnified_signal;

static void gantry_interpolation_page_finalize(GObject *object) {
  g_free(GANTRY_INTERPOLATION_PAGE(object)->values);
  G_OBJECT_CLASS(gantry_interpolation_page_parent_class)->finalize(object);
}

static void gantry_interpolation_page_class_init(GantryInterpolationPageClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_interpolation_page_finalize;
  edited_signal = g_signal_new("edited", GANTRY_TYPE_INTERPOLATION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, G_TYPE_INT);
  magnified_signal =
      g_signal_new("magnified", GANTRY_TYPE_INTERPOLATION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_interpolation_page_init(GantryInterpolationPage *self) {}

static ct_interp chosen(GantryInterpolationPage *self) {
  return (ct_interp)ct_interp_choices[gtk_drop_down_get_selected(self->choice)].value;
}

/* The kernel */

static void add_shape(GantryInterpolationPage *self, guint curve, ct_interp interp) {
  const gsize count = (gsize)(2 * reach * FINE) + 1;
  g_autofree char *title = gantry_interpolation_short_title(interp);
  g_autofree double *x = g_new(double, count), *y = g_new(double, count);
  for (gsize i = 0; i < count; i++) {
    x[i] = (double)i / FINE - reach;
    y[i] = ct_interp_weight(interp, x[i]);
  }
  gantry_plot_set_curve(self->kernel, curve, title, x, y, count);
}

static void add_response(GantryInterpolationPage *self, guint curve, ct_interp interp) {
  double frequencies[RESPONSE_POINTS];
  g_autofree char *title = gantry_interpolation_short_title(interp);
  g_autofree double *x = g_new(double, RESPONSE_POINTS), *y = g_new(double, RESPONSE_POINTS);
  for (int i = 0; i < RESPONSE_POINTS; i++) {
    x[i] = highest * i / (RESPONSE_POINTS - 1);
    frequencies[i] = 0.5 * x[i];
  }
  ct_interp_response(interp, frequencies, RESPONSE_POINTS, y);
  for (int i = 0; i < RESPONSE_POINTS; i++) y[i] = fabs(y[i]);
  gantry_plot_set_curve(self->kernel, curve, title, x, y, RESPONSE_POINTS);
}

/* "A voxel takes 4 values of a view and 17 operations; fastest here: 0.52 GUPS (tiles)" */
static void show_cost(GantryInterpolationPage *self) {
  const ct_interp interp = chosen(self);
  const ct_interp_cost all = ct_interp_get_cost(interp, 2), line = ct_interp_get_cost(interp, 1);
  const GantryInterpRate *rate = &self->rates[interp];
  g_autofree char *formula = gantry_interpolation_cost_words(interp, self->rows),
                  *gups = rate->gups > 0 ? gantry_quantity_text(rate->gups, 3, "GUPS") : NULL,
                  *measured = gups ? g_strdup_printf("fastest here: %s (%s)", gups, rate->kernel)
                                   : g_strdup("its speed is not measured here yet"),
                  *text = g_strdup_printf("A voxel takes %s of a view; %s", formula, measured),
                  *whole =
                      g_strdup_printf("By the formula, %d of the detector's values and %d operations for each voxel "
                                      "and view; of a single row %d and %d. The speed is that of the fastest "
                                      "back-projection of this machine's processor that is known for this kernel, "
                                      "beam and precision, in GUPS: 10⁹ voxels and views a second.",
                                      all.values, all.operations, line.values, line.operations);
  gantry_note_set(self->cost, text);
  gantry_tips_set(GTK_WIDGET(self->cost), whole);
}

static void show_kernel(GantryInterpolationPage *self) {
  const gboolean response = gtk_toggle_button_get_active(self->response);
  const ct_interp interp = chosen(self);
  gantry_plot_clear(self->kernel);
  gantry_plot_set_axes(self->kernel, response ? "Frequency" : "Distance", response ? "× Nyquist" : "px",
                       response ? "|H(f)|" : "h(x)", "");
  (response ? add_response : add_shape)(self, GANTRY_CURVE_A, interp);
  show_cost(self);
  if (interp != CT_INTERP_LINEAR) (response ? add_response : add_shape)(self, GANTRY_CURVE_B, CT_INTERP_LINEAR);
}

/* The row */

static double value_at(GantryInterpolationPage *self, double column, int *first, double weights[CT_INTERP_TAPS],
                       int *taps) {
  double sum = 0;
  *taps = ct_interp_taps(ct_interp_get_shape(chosen(self)), column - self->first, first, weights);
  for (int tap = 0; tap < *taps; tap++) {
    const int at = *first + tap;
    if (at >= 0 && (gsize)at < self->count) sum += weights[tap] * self->values[at];
  }
  return sum;
}

/* Line by line; the tooltip says where. */
static void show_sum(GantryInterpolationPage *self, double column) {
  double weights[CT_INTERP_TAPS], samples[CT_INTERP_TAPS];
  int first, taps;
  value_at(self, column, &first, weights, &taps);
  for (int tap = 0; tap < taps; tap++) {
    const int at = first + tap;
    samples[tap] = at >= 0 && (gsize)at < self->count ? self->values[at] : 0;
  }
  g_autofree char *text = gantry_interpolation_sum_words(weights, samples, taps),
                  *where = g_strdup_printf("Column %.2f of view %d, row %d: the values of the filtered row about it, "
                                           "each times the weight that the kernel gives it",
                                           column, self->view, self->line);
  gtk_label_set_text(self->sum, text);
  gantry_tips_set(GTK_WIDGET(self->sum), where);
}

static void show_row(GantryInterpolationPage *self) {
  if (gantry_interpolation_page_is_magnified(self)) return;
  gantry_plot_clear(self->row);
  gantry_plot_set_mark(self->row, NAN, NULL);
  gtk_label_set_text(self->sum, "");
  if (!self->values) return;
  gantry_interpolation_block_show(self->pixels, chosen(self), gtk_spin_button_get_value(self->place));
  const double place = gtk_spin_button_get_value(self->place);
  const double low = fmax(floor(place) - AROUND, self->first),
               high = fmin(floor(place) + 1 + AROUND, self->first + (double)self->count - 1);
  const gsize points = (gsize)(high - low) + 1, count = (points - 1) * FINE + 1;
  g_autofree double *x = g_new(double, count), *y = g_new(double, count), *at = g_new(double, points),
                    *value = g_new(double, points);
  for (gsize i = 0; i < points; i++) {
    at[i] = low + (double)i;
    value[i] = self->values[(gsize)lround(at[i] - self->first)];
  }
  for (gsize i = 0; i < count; i++) {
    double weights[CT_INTERP_TAPS];
    int first, taps;
    x[i] = low + (double)i / FINE;
    y[i] = value_at(self, x[i], &first, weights, &taps);
  }
  g_autofree char *mark = gantry_fixed_text(place, 2);
  gantry_plot_set_axes(self->row, "Column", "px", "Filtered row", "");
  gantry_plot_set_curve(self->row, GANTRY_CURVE_A, "interpolated", x, y, count);
  gantry_plot_set_curve(self->row, GANTRY_CURVE_B, "samples", at, value, points);
  gantry_plot_set_style(self->row, GANTRY_CURVE_B, GANTRY_CURVE_POINTS);
  gantry_plot_set_mark(self->row, place, mark);
  show_sum(self, place);
}

/* Where the row changes most from one sample to the next: there interpolation matters. */
static double steepest(GantryInterpolationPage *self, double *most) {
  gsize at = 0;
  *most = 0;
  for (gsize i = 0; i + 1 < self->count; i++) {
    const double change = fabs(self->values[i + 1] - self->values[i]);
    if (change > *most) *most = change, at = i;
  }
  return (double)at;
}

void gantry_interpolation_page_take(GantryInterpolationPage *self, const GantryFilterReport *report,
                                    const char *instead) {
  g_clear_pointer(&self->values, g_free);
  self->count = report ? report->count[GANTRY_FILTER_AFTER] : 0;
  if (report && report->refused) instead = report->refused;
  gantry_plot_set_empty_text(self->row, instead ? instead : "");
  gantry_note_set(self->note, report ? report->note : NULL);
  if (report) memcpy(self->rates, report->rates, sizeof self->rates);
  self->rows = report ? report->block_rows : 0;
  gantry_interpolation_strip_set_rows(self->strip, self->rows);
  gantry_interpolation_block_take(self->pixels, report, instead);
  gtk_widget_set_sensitive(GTK_WIDGET(self->choice), self->count > 0);
  gtk_widget_set_sensitive(GTK_WIDGET(self->place), self->count > 0 && !gantry_interpolation_page_is_magnified(self));
  self->showing = TRUE;
  for (guint i = 0; report && ct_interp_choices[i].id; i++)
    if (ct_interp_choices[i].value == (int)report->interp) gtk_drop_down_set_selected(self->choice, i);
  if (self->count > 0) {
    /* A place on another detector says nothing of this one's row. */
    if (report->count[GANTRY_FILTER_BEFORE] != self->columns) self->placed = FALSE;
    self->columns = report->count[GANTRY_FILTER_BEFORE];
    self->values = g_memdup2(report->y[GANTRY_FILTER_AFTER], self->count * sizeof *self->values);
    self->first = report->x[GANTRY_FILTER_AFTER][0];
    self->view = report->view;
    self->line = report->row;
    gtk_spin_button_set_range(self->place, self->first, self->first + (double)self->count - 1);
    if (!self->placed) {
      double step;
      gtk_spin_button_set_value(self->place, self->first + steepest(self, &step) + 0.35);
      self->placed = step > 0; /* a row of zeros has no such place: that of the next one */
    }
  }
  self->showing = FALSE;
  if (self->count > 0 && self->wants_focus) gantry_tab_enter(GTK_WIDGET(self), GTK_WIDGET(self->choice));
  if (report) self->wants_focus = FALSE;
  show_kernel(self);
  show_row(self);
}

void gantry_interpolation_page_focus(GantryInterpolationPage *self) {
  self->wants_focus = !self->count;
  gantry_tab_begin(GTK_WIDGET(self));
}

/* Side by side */

gboolean gantry_interpolation_page_is_magnified(GantryInterpolationPage *self) {
  return gtk_toggle_button_get_active(self->magnified);
}

static void show_words(GantryInterpolationPage *self) {
  g_autofree char *words = gantry_interpolation_strip_dup_words(self->strip);
  gtk_label_set_text(self->words, words ? words : "");
  gantry_tips_set(GTK_WIDGET(self->words), words);
}

void gantry_interpolation_page_take_magnified(GantryInterpolationPage *self, GantryMagnified *picture) {
  gantry_interpolation_strip_take(self->strip, picture);
  if (gantry_interpolation_page_is_magnified(self)) show_words(self);
}

void gantry_interpolation_page_clear_magnified(GantryInterpolationPage *self, const char *instead) {
  gantry_interpolation_strip_clear(self->strip, instead);
  if (gantry_interpolation_page_is_magnified(self)) show_words(self);
}

static void show_child(GantryInterpolationPage *self) {
  const gboolean magnified = gantry_interpolation_page_is_magnified(self),
                 block = gtk_toggle_button_get_active(self->block);
  gtk_stack_set_visible_child_name(self->stack, magnified ? "strip" : block ? "block" : "plots");
  gtk_widget_set_sensitive(GTK_WIDGET(self->response), !magnified && !block);
  gtk_widget_set_sensitive(GTK_WIDGET(self->place), !magnified && self->count > 0);
  gtk_widget_set_visible(GTK_WIDGET(self->words), magnified);
}

static void block_toggled(GantryInterpolationPage *self) {
  if (gtk_toggle_button_get_active(self->block)) gtk_toggle_button_set_active(self->magnified, FALSE);
  show_child(self);
}

static void magnified_toggled(GantryInterpolationPage *self) {
  const gboolean magnified = gantry_interpolation_page_is_magnified(self);
  if (magnified) gtk_toggle_button_set_active(self->block, FALSE);
  show_child(self);
  if (magnified)
    show_words(self);
  else
    show_row(self);
  g_signal_emit(self, magnified_signal, 0);
}

/* Edits */

static void kernel_chosen(GantryInterpolationPage *self) {
  if (self->showing) return;
  show_kernel(self);
  show_row(self);
  g_signal_emit(self, edited_signal, 0, (int)chosen(self));
}

static void place_chosen(GantryInterpolationPage *self) {
  if (self->showing) return;
  self->placed = TRUE;
  show_row(self);
}

static void clicked(GtkWidget *widget, double x, GantryInterpolationPage *self) {
  if (self->values) gtk_spin_button_set_value(self->place, x);
}

/* Making */

static GtkWidget *make_plot(GantryPlot **plot, gboolean legend) {
  GtkWidget *widget = gantry_plot_new();
  *plot = GANTRY_PLOT(widget);
  gantry_plot_set_legend(*plot, legend);
  gtk_widget_set_hexpand(widget, TRUE);
  gtk_widget_set_vexpand(widget, TRUE);
  return widget;
}

static GtkWidget *make_bar(GantryInterpolationPage *self) {
  GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9), *response = gtk_toggle_button_new_with_label("|H(f)|"),
            *block = gtk_toggle_button_new_with_label("Block"), *magnified = gtk_toggle_button_new_with_label("All"),
            *place = gtk_spin_button_new_with_range(0, 1, 0.05);
  const char *titles[16] = {NULL};
  for (guint i = 0; ct_interp_choices[i].id && i + 1 < G_N_ELEMENTS(titles); i++)
    titles[i] = ct_interp_choices[i].title;
  GtkWidget *choice = gtk_drop_down_new_from_strings(titles);
  gantry_tips_name(choice, "Interpolation kernel",
                   "What lies between the pixels, of the plan. The other curve is linear interpolation.");
  gantry_tips_name(response, "Frequency response", "The kernel's frequency response instead of its shape");
  gantry_tips_name(block, "Block of pixels",
                   "The pixels of the filtered view about the place, row and column, with the weight of each");
  gantry_tips_name(
      magnified, "Kernels side by side",
      "The chosen rectangle of the axial slice, or what lies about the crosshair, by every kernel, voxels divided into "
      "up to 20 × 20 pixels");
  gantry_tips_name(place, "Column that is interpolated",
                   "The place in the row, px. A click on the row sets it, and its mark can be dragged.");
  gtk_spin_button_set_digits(GTK_SPIN_BUTTON(place), 2);
  gtk_editable_set_width_chars(GTK_EDITABLE(place), 7);
  gtk_widget_add_css_class(place, "compact");
  gtk_widget_add_css_class(choice, "compact");
  gtk_widget_set_valign(choice, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(place, GTK_ALIGN_CENTER);
  GtkWidget *const toggles[] = {response, block, magnified};
  for (guint i = 0; i < G_N_ELEMENTS(toggles); i++) {
    gtk_widget_add_css_class(toggles[i], "small");
    gtk_widget_set_valign(toggles[i], GTK_ALIGN_CENTER);
  }
  GtkWidget *room = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_hexpand(room, TRUE);
  GtkWidget *const widgets[] = {choice, response, block, magnified, room, place};
  for (guint i = 0; i < G_N_ELEMENTS(widgets); i++) gtk_box_append(GTK_BOX(bar), widgets[i]);
  self->choice = GTK_DROP_DOWN(choice);
  self->response = GTK_TOGGLE_BUTTON(response);
  self->block = GTK_TOGGLE_BUTTON(block);
  self->magnified = GTK_TOGGLE_BUTTON(magnified);
  self->place = GTK_SPIN_BUTTON(place);
  g_signal_connect_swapped(choice, "notify::selected", G_CALLBACK(kernel_chosen), self);
  g_signal_connect_swapped(response, "toggled", G_CALLBACK(show_kernel), self);
  g_signal_connect_swapped(block, "toggled", G_CALLBACK(block_toggled), self);
  g_signal_connect_swapped(magnified, "toggled", G_CALLBACK(magnified_toggled), self);
  g_signal_connect_swapped(place, "value-changed", G_CALLBACK(place_chosen), self);
  gtk_widget_add_css_class(bar, "filter-bar");
  return bar;
}

/* As wide as most sums are, so that plots stay where they are while the place moves. */
static GtkWidget *make_sum(GantryInterpolationPage *self) {
  GtkWidget *sum = gtk_label_new(NULL);
  self->sum = GTK_LABEL(sum);
  gtk_label_set_xalign(self->sum, 0);
  gtk_label_set_width_chars(self->sum, 17);
  gtk_widget_set_valign(sum, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(sum, "worked-sum");
  return sum;
}

GtkWidget *gantry_interpolation_page_new(GantryDisplay *display) {
  GantryInterpolationPage *self =
      g_object_new(GANTRY_TYPE_INTERPOLATION_PAGE, "orientation", GTK_ORIENTATION_VERTICAL, NULL);
  GtkWidget *plots = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *stack = gtk_stack_new(),
            *beside = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *words = gtk_label_new(NULL),
            *strip = gantry_interpolation_strip_new(display), *pixels = gantry_interpolation_block_new();
  gtk_box_set_homogeneous(GTK_BOX(plots), TRUE);
  gtk_widget_set_hexpand(plots, TRUE);
  gtk_box_append(GTK_BOX(plots), make_plot(&self->kernel, TRUE));
  gtk_box_append(GTK_BOX(plots), make_plot(&self->row, FALSE));
  gtk_box_append(GTK_BOX(beside), plots);
  gtk_box_append(GTK_BOX(beside), make_sum(self));
  self->words = GTK_LABEL(words);
  gtk_label_set_ellipsize(self->words, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(self->words, 0);
  gtk_widget_set_margin_start(words, 12);
  gtk_widget_set_visible(words, FALSE);
  self->note = gantry_note_new();
  self->cost = gantry_note_new();
  gtk_box_append(GTK_BOX(self), make_bar(self));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->cost));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->note));
  self->stack = GTK_STACK(stack);
  self->strip = GANTRY_INTERPOLATION_STRIP(strip);
  self->pixels = GANTRY_INTERPOLATION_BLOCK(pixels);
  gtk_stack_set_hhomogeneous(self->stack, FALSE);
  gtk_stack_add_named(self->stack, beside, "plots");
  gtk_stack_add_named(self->stack, pixels, "block");
  gtk_stack_add_named(self->stack, strip, "strip");
  gtk_box_append(GTK_BOX(self), stack);
  gtk_box_append(GTK_BOX(self), words);
  g_signal_connect(self->row, "clicked", G_CALLBACK(clicked), self);
  g_signal_connect(self->row, "mark-dragged", G_CALLBACK(clicked), self);
  g_signal_connect(pixels, "column-chosen", G_CALLBACK(clicked), self);
  return GTK_WIDGET(self);
}
