/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Below the views: the profile along the measuring line, the histogram of the shown slices, statistics, and the value
 * under the crosshair. All of it is read from the pictures on screen. */
#include "ui/window/window-private.h"

#include "ui/number-text.h"

#include <math.h>
#include <string.h>

#define BINS 256
#define MOST_SAMPLES (1u << 18)
#define MOST_POINTS 4096
#define COMPARISON_CHARS 19

static GtkLabel *add_readout(GtkGrid *grid, int row, const char *title, const char *tip) {
  GtkWidget *name = gtk_label_new(title), *value = gtk_label_new("—");
  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_label_set_xalign(GTK_LABEL(value), 1);
  gtk_label_set_selectable(GTK_LABEL(value), TRUE);
  gtk_widget_set_focusable(value, FALSE);
  gtk_label_set_width_chars(GTK_LABEL(value), 12);
  gtk_widget_add_css_class(name, "dim-label");
  gtk_widget_add_css_class(value, "numeric");
  gtk_widget_set_tooltip_text(name, tip);
  gtk_widget_set_tooltip_text(value, tip);
  gtk_grid_attach(grid, name, 0, row, 1, 1);
  gtk_grid_attach(grid, value, 1, row, 1, 1);
  return GTK_LABEL(value);
}

static GtkWidget *make_profile_page(GantryWindow *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12), *grid = gtk_grid_new();
  self->profile = GANTRY_PLOT(gantry_plot_new());
  gtk_widget_set_hexpand(GTK_WIDGET(self->profile), TRUE);
  gantry_plot_set_empty_text(self->profile,
                             "Press Ctrl+L, or P in a view, and drag a line: the values along it are plotted here.");
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->profile));
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  gtk_grid_set_row_spacing(GTK_GRID(grid), 4);
  gtk_widget_set_valign(grid, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(grid, "readout");
  self->profile_words[0] = add_readout(GTK_GRID(grid), 0, "Length", "Length of the measuring line");
  self->profile_words[1] = add_readout(GTK_GRID(grid), 1, "Peak", "Largest value of A along the line");
  self->profile_words[2] =
      add_readout(GTK_GRID(grid), 2, "FWHM", "Full width at half maximum of the peak of A, above the least value");
  self->profile_words[3] = add_readout(GTK_GRID(grid), 3, "Mean", "Mean value of A along the line");
  gtk_box_append(GTK_BOX(box), grid);
  return box;
}

static void page_changed(GtkStack *stack, GParamSpec *property, GantryWindow *self) {
  const char *page = gtk_stack_get_visible_child_name(self->plot_pages);
  gtk_widget_set_visible(self->profile_buttons, g_strcmp0(page, "profile") == 0);
  gtk_widget_set_visible(self->convergence_buttons, g_strcmp0(page, "convergence") == 0);
  /* It has its command and its key; here the room is for what goes on with the run. */
  gtk_widget_set_visible(self->set_reference, g_strcmp0(page, "convergence") != 0);
  gantry_window_queue_refresh(self);
}

void gantry_window_make_plots(GantryWindow *self) {
  self->histogram = GANTRY_HISTOGRAM(gantry_histogram_new(self->display));
  self->statistics = GANTRY_STATISTICS_PAGE(gantry_statistics_page_new());
  gtk_stack_add_titled(self->plot_pages, make_profile_page(self), "profile", "Profile");
  gtk_stack_add_titled(self->plot_pages, GTK_WIDGET(self->histogram), "histogram", "Histogram");
  gtk_stack_add_titled(self->plot_pages, GTK_WIDGET(self->statistics), "statistics", "Statistics");
  gantry_window_make_convergence(self);
  g_signal_connect(self->plot_pages, "notify::visible-child", G_CALLBACK(page_changed), self);
  /* What is hidden is not kept up to date. */
  g_signal_connect_swapped(self->plots, "notify::visible", G_CALLBACK(gantry_window_queue_refresh), self);
}

/* Width of the highest peak at half its height above the least value; false when it does not end within the line. */
static gboolean find_width(const double *x, const double *y, gsize count, gsize peak, double least, double *width) {
  const double half = (y[peak] + least) / 2;
  double ends[2] = {NAN, NAN};
  for (gsize i = peak; i > 0 && isnan(ends[0]); i--) {
    if (y[i - 1] < half) ends[0] = x[i - 1] + (x[i] - x[i - 1]) * (half - y[i - 1]) / (y[i] - y[i - 1]);
  }
  for (gsize i = peak; i + 1 < count && isnan(ends[1]); i++) {
    if (y[i + 1] < half) ends[1] = x[i] + (x[i + 1] - x[i]) * (y[i] - half) / (y[i] - y[i + 1]);
  }
  *width = ends[1] - ends[0];
  return isfinite(*width);
}

static void set_quantity(GtkLabel *label, double value, int digits, const char *unit) {
  g_autofree char *text = gantry_quantity_text(value, digits, unit);
  gtk_label_set_text(label, text);
}

static void show_readout(GantryWindow *self, const double *x, const double *a, gsize count, const char *unit,
                         const char *value_unit) {
  double sum = 0, least = INFINITY, width;
  gsize peak = 0, finite = 0;
  for (gsize i = 0; i < count; i++) {
    if (!isfinite(a[i])) continue;
    if (!finite || a[i] > a[peak]) peak = i;
    least = fmin(least, a[i]), sum += a[i];
    finite++;
  }
  for (int i = 0; i < 4; i++) gtk_label_set_text(self->profile_words[i], "—");
  if (count) set_quantity(self->profile_words[0], x[count - 1], 4, unit);
  if (!finite) return;
  g_autofree char *highest = gantry_quantity_text(a[peak], 3, value_unit),
                  *place = gantry_quantity_text(x[peak], 3, unit);
  g_autofree char *top = g_strdup_printf("%s at %s", highest, place);
  gtk_label_set_text(self->profile_words[1], top);
  if (find_width(x, a, count, peak, least, &width)) set_quantity(self->profile_words[2], width, 3, unit);
  set_quantity(self->profile_words[3], sum / (double)finite, 3, value_unit);
}

static void clear_profile(GantryWindow *self) {
  gantry_plot_clear(self->profile);
  show_readout(self, NULL, NULL, 0, "", "");
}

/* Nothing to copy or to save without a line over a picture. */
static void allow_profile(GantryWindow *self) {
  static const char *const names[] = {"copy-profile", "save-profile"};
  ctgl_point from, to;
  const GantryViewKind kind = gantry_display_get_profile(self->display, &from, &to);
  const gboolean there = kind != GANTRY_VIEWS && gantry_slice_view_get_image(self->view[kind], CTGL_SLOT_A);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self), names[i]);
    if (action) g_simple_action_set_enabled(G_SIMPLE_ACTION(action), there);
  }
}

void gantry_window_show_profile(GantryWindow *self) {
  ctgl_point from, to;
  const GantryViewKind kind = gantry_display_get_profile(self->display, &from, &to);
  GantryImage *a = kind == GANTRY_VIEWS ? NULL : gantry_slice_view_get_image(self->view[kind], CTGL_SLOT_A);
  GantryImage *b = kind == GANTRY_VIEWS ? NULL : gantry_slice_view_get_image(self->view[kind], CTGL_SLOT_B);
  const double length = hypot(to.x - from.x, to.y - from.y);
  if (!a || !(length > 0)) {
    clear_profile(self);
    return;
  }
  const gboolean slice = kind != GANTRY_VIEW_PROJECTION;
  const char *unit = slice ? "mm" : "px", *value_unit = slice ? "1/mm" : "";
  const double pitch = fmin(a->spacing_x, a->spacing_y);
  const gsize count = (gsize)CLAMP(ceil(length / pitch), 1, MOST_POINTS - 1) + 1;
  g_autofree double *x = g_new(double, count), *ya = g_new(double, count), *yb = g_new(double, count),
                    *yd = g_new(double, count);
  for (gsize i = 0; i < count; i++) {
    const double t = (double)i / (double)(count - 1), px = from.x + t * (to.x - from.x),
                 py = from.y + t * (to.y - from.y);
    x[i] = t * length;
    ya[i] = gantry_image_sample(a, px, py);
    yb[i] = b ? gantry_image_sample(b, px, py) : NAN;
    yd[i] = ya[i] - yb[i];
  }
  gantry_plot_set_axes(self->profile, "distance", unit,
                       slice          ? "attenuation"
                       : a->integrals ? "line integral"
                                      : "value as stored",
                       value_unit);
  gantry_plot_set_curve(self->profile, GANTRY_CURVE_A, "A", x, ya, count);
  gantry_plot_set_curve(self->profile, GANTRY_CURVE_B, "B", x, yb, b ? count : 0);
  gantry_plot_set_curve(self->profile, GANTRY_CURVE_DIFFERENCE, "A − B", x, yd, b ? count : 0);
  show_readout(self, x, ya, count, unit, value_unit);
}

/* The pictures whose pixels are sampled; at most two for each slice. */
static gsize pictures_of(GantryWindow *self, GantrySample sample, const GantryImage *pictures[6]) {
  const ctgl_mode mode = sample == GANTRY_SAMPLE_SHOWN ? gantry_display_get_mode(self->display) : CTGL_SHOW_A;
  gsize found = 0;
  for (int k = 0; k < 3; k++) {
    const GantryImage *a = gantry_slice_view_get_image(self->view[k], CTGL_SLOT_A);
    const GantryImage *b = gantry_slice_view_get_image(self->view[k], CTGL_SLOT_B);
    if (a && mode != CTGL_SHOW_B) pictures[found++] = a;
    if (b && (mode == CTGL_SHOW_B || mode == CTGL_SHOW_SWIPE)) pictures[found++] = b;
  }
  return found;
}

static const GantryImage *beside(GantryWindow *self, const GantryImage *a) {
  const GantryImage *b = gantry_slice_view_get_image(self->view[a->kind], CTGL_SLOT_B);
  return b && b->width == a->width && b->height == a->height ? b : NULL;
}

float *gantry_window_sample_slices(GantryWindow *self, GantrySample sample, gsize most, gsize *count) {
  const GantryImage *pictures[6];
  const gsize found = pictures_of(self, sample, pictures);
  gsize total = 0;
  *count = 0;
  for (gsize k = 0; k < found; k++) total += (gsize)pictures[k]->width * (gsize)pictures[k]->height;
  const gsize step = total / most + 1;
  float *values = total ? g_new(float, total / step + found) : NULL;
  for (gsize k = 0; k < found; k++) {
    const GantryImage *each = pictures[k], *b = sample == GANTRY_SAMPLE_DIFFERENCE ? beside(self, each) : NULL;
    if (sample == GANTRY_SAMPLE_DIFFERENCE && !b) continue;
    const gsize pixels = (gsize)each->width * (gsize)each->height;
    for (gsize i = 0; i < pixels; i += step) values[(*count)++] = b ? each->pixels[i] - b->pixels[i] : each->pixels[i];
  }
  return values;
}

/* Counted here, by one thread: the main loop starts no team while the worker uses all cores. */
void gantry_window_show_histogram(GantryWindow *self) {
  gsize count, bins[BINS] = {0};
  double low, high, window[2];
  g_autofree float *values = gantry_window_sample_slices(self, GANTRY_SAMPLE_SHOWN, MOST_SAMPLES, &count);
  if (!count) {
    gantry_histogram_set_bins(self->histogram, 0, 1, NULL, 0);
    return;
  }
  ct_percentiles(values, count, 0.0002, 0.9998, &low, &high);
  gantry_display_get_window(self->display, &window[0], &window[1]);
  low = fmin(low, window[0]), high = fmax(high, window[1]);
  const double margin = 0.05 * (high - low);
  low -= margin, high += margin;
  for (gsize i = 0; i < count; i++) {
    const double place = ((double)values[i] - low) / (high - low) * BINS;
    if (place >= 0 && place < BINS) bins[(int)place]++;
  }
  gantry_histogram_set_bins(self->histogram, low, high, bins, BINS);
}

static char *place_text(GantryWindow *self, const double cross[3]) {
  const double steps[] = {self->grid.dx, self->grid.dy, self->grid.dz};
  GString *text = g_string_new(NULL);
  for (int i = 0; i < 3; i++) {
    g_autofree char *place = gantry_coordinate_text(cross[i], steps[i]);
    g_string_append_printf(text, "%s%c\u00a0%s", i ? ", " : "", 'x' + i, place);
  }
  g_string_append(text, "\u00a0mm");
  return g_string_free(text, FALSE);
}

/* "A 0.0921  B 0.0918", and below "A − B 0.0003 1/mm": markup. */
static char *comparison_text(double a, double b) {
  g_autofree char *first = gantry_quantity_text(a, 4, ""), *second = gantry_quantity_text(b, 4, "");
  g_autofree char *rest = gantry_quantity_text(a - b, 3, "1/mm");
  return g_strdup_printf("<b>A</b>\u00a0%s  <b>B</b>\u00a0%s\n<b>A\u00a0−\u00a0B</b>\u00a0%s", first, second, rest);
}

/* "0.0921 1/mm at", and below "x 1.0, y −3.5, z 12.5 mm"; with a reference both values and their difference, and the
 * place in the tooltip: the views tell it too. Always two lines, of the height of the buttons beside them: the pictures
 * above stay where they are. */
void gantry_window_show_cross(GantryWindow *self) {
  const GantryImage *a = gantry_slice_view_get_image(self->view[GANTRY_VIEW_AXIAL], CTGL_SLOT_A);
  const GantryImage *b = gantry_slice_view_get_image(self->view[GANTRY_VIEW_AXIAL], CTGL_SLOT_B);
  const gboolean smooth = gantry_display_get_smooth(self->display), there = self->has_grid && a;
  double cross[3];
  gantry_display_get_cross(self->display, cross);
  const double value = there ? gantry_image_shown_value(a, cross[0], cross[1], smooth) : NAN;
  g_autofree char *place = place_text(self, cross), *alone = gantry_quantity_text(value, 4, "1/mm");
  g_autofree char *markup = there && b ? comparison_text(value, gantry_image_shown_value(b, cross[0], cross[1], smooth))
                            : there    ? g_strdup_printf("%s at\n<small>%s</small>", alone, place)
                                       : g_strdup("");
  gtk_label_set_markup(self->cross_label, markup);
  gtk_label_set_width_chars(self->cross_label, self->has_reference ? COMPARISON_CHARS : -1);
  /* A narrow bar may cut it short. */
  const char *text = gtk_label_get_text(self->cross_label);
  g_autofree char *tip = g_strdup_printf("%s%s%s%sValue and position under the crosshair", text,
                                         there && b ? " at " : "", there && b ? place : "", there ? "\n" : "");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->cross_label), tip);
  if (self->has_reference)
    gtk_widget_add_css_class(GTK_WIDGET(self->cross_label), "caption");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->cross_label), "caption");
}

static int compare_magnitude(const void *a, const void *b) {
  const float x = fabsf(*(const float *)a), y = fabsf(*(const float *)b);
  return (x > y) - (x < y);
}

/* So that all but half a percent of the differences are within the scale. */
void gantry_window_fit_difference(GantryWindow *self) {
  gsize count, finite = 0;
  g_autofree float *values = gantry_window_sample_slices(self, GANTRY_SAMPLE_DIFFERENCE, 1u << 15, &count);
  for (gsize i = 0; i < count; i++) {
    if (isfinite(values[i])) values[finite++] = values[i];
  }
  if (!finite) return;
  qsort(values, finite, sizeof *values, compare_magnitude);
  const double range = fabs((double)values[(gsize)((double)(finite - 1) * 0.995)]);
  gantry_display_set_difference_range(self->display, range > 0 ? range : 1e-6);
  self->difference_pending = FALSE;
}

gboolean gantry_window_outgrown(const double fitted[2], const double now[2]) {
  const double ratio = (now[1] - now[0]) / (fitted[1] - fitted[0]);
  return !(ratio < 6 && ratio > 1.0 / 6) || now[0] > fitted[1] || now[1] < fitted[0];
}

static gboolean window_is_fitted(GantryWindow *self) {
  double low, high;
  gantry_display_get_window(self->display, &low, &high);
  return low == self->fitted[0] && high == self->fitted[1];
}

/* Whether work has just ended and the limits are far from what it made, as those of an early iteration are. */
static gboolean is_unsettled(const GantryWindow *self, const double now[2]) {
  const double ratio = (now[1] - now[0]) / (self->fitted_to[1] - self->fitted_to[0]);
  return g_get_monotonic_time() < self->settles_until && !(ratio < 1.5 && ratio > 1 / 1.5);
}

static gboolean find_range(GantryWindow *self, GantrySample sample, double range[2]) {
  gsize count;
  g_autofree float *values = gantry_window_sample_slices(self, sample, MOST_SAMPLES, &count);
  if (count) ct_percentiles(values, count, 0.001, 0.999, &range[0], &range[1]);
  return count > 0;
}

/* It is fitted to what is on show and follows A: showing B, which may be far brighter, is no reason to change it. */
static void fit_window(GantryWindow *self, gboolean only_if_outgrown) {
  double range[2], shown[2];
  if (!find_range(self, GANTRY_SAMPLE_A, range)) return;
  if (only_if_outgrown && !gantry_window_outgrown(self->fitted_to, range) &&
      !(window_is_fitted(self) && is_unsettled(self, range)))
    return;
  memcpy(self->fitted_to, range, sizeof range);
  if (!find_range(self, GANTRY_SAMPLE_SHOWN, shown)) return;
  memcpy(self->fitted, shown, sizeof shown);
  gantry_display_set_window(self->display, shown[0], shown[1]);
  self->window_pending = FALSE;
}

void gantry_window_auto_window(GantryWindow *self) {
  GantryImage *projection = gantry_slice_view_get_image(self->view[GANTRY_VIEW_PROJECTION], CTGL_SLOT_A);
  double low, high;
  if (projection) {
    ct_percentiles(projection->pixels, (size_t)projection->width * (size_t)projection->height, 0.001, 0.999, &low,
                   &high);
    gantry_display_set_projection_window(self->display, low, high);
  }
  fit_window(self, FALSE);
  gantry_window_queue_refresh(self);
}

static gboolean refresh(gpointer user) {
  GantryWindow *self = user;
  self->refresh = 0;
  if (self->projection_due) gantry_window_emit_projection_wanted(self);
  self->projection_due = FALSE;
  if (self->rescaled && window_is_fitted(self)) self->window_pending = TRUE;
  fit_window(self, !self->window_pending);
  /* The first views of a run give streaks: the scale is settled when it is over. */
  if (!self->window_pending && !gantry_window_is_running(self)) self->rescaled = FALSE;
  if (self->difference_pending && self->has_reference) gantry_window_fit_difference(self);
  gantry_window_show_cross(self);
  allow_profile(self);
  const char *page = gtk_stack_get_visible_child_name(self->plot_pages);
  if (!gtk_widget_get_visible(self->plots) || !page) return G_SOURCE_REMOVE;
  if (g_str_equal(page, "profile")) gantry_window_show_profile(self);
  if (g_str_equal(page, "histogram")) gantry_window_show_histogram(self);
  return G_SOURCE_REMOVE;
}

void gantry_window_queue_refresh(GantryWindow *self) {
  /* Before the next frame: where frames are slow and something pulses, idle moments are rare. */
  if (!self->refresh && !self->closed) self->refresh = g_idle_add_full(GTK_PRIORITY_RESIZE, refresh, self, NULL);
}

void gantry_window_set_statistics(GantryWindow *self, const ct_statistics *a, const ct_metrics *a_against_b) {
  gantry_statistics_page_show(self->statistics, a, a_against_b);
}
