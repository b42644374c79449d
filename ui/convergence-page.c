/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs as curves: the measure and the abscissa are chosen here, so that every run is kept with all of its points. */
#include "ui/convergence-private.h"

#include "ui/number-text.h"
#include "ui/plot/plot-private.h"
#include "ui/tips.h"

#include <math.h>

typedef enum { RESIDUAL, RMSE, SSIM, CHANGE, MEASURES } Measure;

static const struct {
  const char *title, *axis, *unit, *tip, *empty;
  int digits;
  gboolean linear; /* always */
} measures[MEASURES] = {
    [RESIDUAL] =
        {"Residual", "residual", NULL,
         "How far the line integrals of the picture are from the measured ones, as a share of them, over the "
         "iterations that the picture had behind it: 0 is the start. Methods that correct step by step gather it on "
         "the way",
         "Run an iterative method: the curve of its residual is drawn here.", 3, FALSE},
    [RMSE] =
        {"RMSE", "RMSE", NULL, "Root of the mean squared difference from the phantom or the reference B",
         "There is nothing to compare with. Keep or open a volume as the reference B, then run an iterative method: "
         "the difference from it is drawn here. The phantom of the built-in example is known by itself.",
         3, FALSE},
    [SSIM] =
        {"SSIM", "SSIM", NULL,
         "Structural similarity with the phantom or the reference B (Wang 2004): 1 for equal pictures",
         "There is nothing to compare with. Keep or open a volume as the reference B, then run an iterative method: "
         "the similarity with it is drawn here. The phantom of the built-in example is known by itself.",
         4, TRUE},
    [CHANGE] = {"Change", "change", NULL, "By how much each iteration changed the picture, as a share of it",
                "Run an iterative method: by how much each iteration changes the picture is drawn here.", 3, FALSE},
};

G_DEFINE_TYPE(GantryConvergencePage, gantry_convergence_page, GTK_TYPE_WIDGET)

enum { CHANGED, SIGNALS };
static guint signals[SIGNALS];

static void run_free(gpointer data) {
  Run *run = data;
  g_free(run->name);
  g_free(run->recipe);
  g_free(run->points);
  g_free(run);
}

static Run *find(GantryConvergencePage *self, guint number) {
  for (guint i = 0; i < self->runs->len; i++)
    if (((Run *)self->runs->pdata[i])->number == number) return self->runs->pdata[i];
  return NULL;
}

static Measure chosen_measure(GantryConvergencePage *self) {
  return (Measure)MIN(gtk_drop_down_get_selected(GTK_DROP_DOWN(self->measure)), MEASURES - 1);
}

static gboolean over_seconds(GantryConvergencePage *self) {
  return gtk_drop_down_get_selected(GTK_DROP_DOWN(self->abscissa)) == 1;
}

static double value_of(const ct_iteration *point, Measure measure) {
  switch (measure) {
  case RMSE:
    return point->rmse;
  case SSIM:
    return point->ssim;
  case CHANGE:
    return point->change;
  default:
    return point->residual;
  }
}

/* How many iterations the picture of a value had behind it: residuals of most methods are of a picture before the
 * iteration's last. */
static double iterations_behind(const ct_iteration *point, Measure measure) {
  return measure == RESIDUAL ? point->residual_after : point->index;
}

/* Points that have the measure: similarity is not taken at every iteration. */
static gsize extract(const Run *run, Measure measure, gboolean seconds, double *x, double *y) {
  gsize count = 0;
  double elapsed = 0;
  for (gsize i = 0; i < run->count; i++) {
    const ct_iteration *point = &run->points[i];
    const double value = value_of(point, measure), behind = iterations_behind(point, measure);
    elapsed += point->seconds;
    if (!isfinite(value)) continue;
    x[count] = seconds ? elapsed - (point->index - behind) * point->seconds : behind;
    y[count++] = value;
  }
  return count;
}

/* The value at the abscissa where the plot is read, else the last one. */
static void show_value(GantryConvergencePage *self, Run *run) {
  const Measure measure = chosen_measure(self);
  g_autofree double *x = g_new(double, run->count + 1), *y = g_new(double, run->count + 1);
  const gsize count = extract(run, measure, over_seconds(self), x, y);
  double value = count ? y[count - 1] : NAN;
  if (isfinite(self->cursor)) {
    const GantryCurveData curve = {.x = x, .y = y, .count = count};
    value = gantry_curve_value(&curve, self->cursor);
  }
  g_autofree char *text = gantry_quantity_text(value, measures[measure].digits, NULL);
  gtk_label_set_text(GTK_LABEL(run->value), isfinite(value) ? text : "—");
}

static void show_run(GantryConvergencePage *self, Run *run) {
  const Measure measure = chosen_measure(self);
  g_autofree double *x = g_new(double, run->count + 1), *y = g_new(double, run->count + 1);
  const gsize count = extract(run, measure, over_seconds(self), x, y);
  g_autofree char *title = gantry_convergence_title(run);
  gantry_plot_set_curve(self->plot, run->curve, title, x, y, count);
  show_value(self, run);
}

/* A run has its axis from the beginning on; a very long one has it grow in steps. */
static double end_of_axis(const Run *run) {
  static const double steps[] = {2.5, 2, 2};
  double end = 200;
  for (int i = 0; end < (double)run->count; i++) end *= steps[i % 3];
  return fmin(run->planned, end);
}

static void show_extent(GantryConvergencePage *self) {
  double high = 0;
  for (guint i = 0; i < self->runs->len; i++) high = fmax(high, end_of_axis(self->runs->pdata[i]));
  gantry_plot_set_extent(self->plot, over_seconds(self) || chosen_measure(self) == RESIDUAL ? 0 : 1,
                         over_seconds(self) ? 0 : fmax(high, 1));
}

static void show_axes(GantryConvergencePage *self) {
  const Measure measure = chosen_measure(self);
  const gboolean seconds = over_seconds(self), linear = measures[measure].linear;
  const gboolean log = !linear && gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(self->logarithm));
  gtk_widget_set_sensitive(self->logarithm, !linear);
  gantry_tips_set(self->measure, measures[measure].tip);
  gantry_plot_set_axes(self->plot, seconds ? "time" : "iteration", seconds ? "s" : NULL, measures[measure].axis,
                       measure == RMSE ? self->unit : measures[measure].unit);
  gantry_plot_set_scales(self->plot, seconds ? GANTRY_SCALE_LINEAR : GANTRY_SCALE_WHOLE,
                         log ? GANTRY_SCALE_LOG : GANTRY_SCALE_LINEAR);
  gantry_plot_set_empty_text(self->plot, gantry_convergence_page_has_points(self) ? measures[measure].empty
                                         : self->runs->len ? "The curve begins with the first iteration."
                                                           : measures[RESIDUAL].empty);
}

/* Without a run the text in place of the curves is about all of the page: it stands in its middle. */
static void show_side(GantryConvergencePage *self) {
  gtk_widget_set_visible(self->side, self->runs->len > 0);
}

static void refresh(GantryConvergencePage *self) {
  show_side(self);
  show_axes(self);
  show_extent(self);
  for (guint i = 0; i < self->runs->len; i++) show_run(self, self->runs->pdata[i]);
}

static void cursor_moved(GantryPlot *plot, double x, GantryConvergencePage *self) {
  self->cursor = x;
  for (guint i = 0; i < self->runs->len; i++) show_value(self, self->runs->pdata[i]);
}

/* Runs */

static void drop(GantryConvergencePage *self, Run *run) {
  gantry_plot_set_curve(self->plot, run->curve, NULL, NULL, NULL, 0);
  gtk_box_remove(GTK_BOX(self->list), run->row);
  g_ptr_array_remove(self->runs, run);
  gtk_widget_set_visible(self->scrolled, self->runs->len > 0);
}

/* The first colour that no run has, undashed ones first. */
static guint free_curve(GantryConvergencePage *self) {
  for (guint i = 0; i < RUNS; i++) {
    const guint curve = i < GANTRY_CURVE_COLOURS - RESERVED ? RESERVED + i : 2 * RESERVED + i;
    gboolean taken = FALSE;
    for (guint r = 0; r < self->runs->len; r++) taken |= ((Run *)self->runs->pdata[r])->curve == curve;
    if (!taken) return curve;
  }
  return RESERVED;
}

static void remove_clicked(GtkButton *button, GantryConvergencePage *self) {
  gantry_convergence_page_remove(self, GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "run")));
}

guint gantry_convergence_page_add(GantryConvergencePage *self, const char *name, const char *recipe) {
  if (self->runs->len >= RUNS) drop(self, self->runs->pdata[0]);
  Run *run = g_new0(Run, 1);
  run->number = ++self->last;
  run->curve = free_curve(self);
  run->name = gantry_convergence_unused_name(self, name);
  run->recipe = g_strdup(recipe);
  g_ptr_array_add(self->runs, run);
  g_signal_connect(gantry_convergence_make_row(self, run), "clicked", G_CALLBACK(remove_clicked), self);
  refresh(self);
  g_signal_emit(self, signals[CHANGED], 0);
  return run->number;
}

void gantry_convergence_page_set_points(GantryConvergencePage *self, guint number, const ct_iteration *points,
                                        gsize count, int planned) {
  Run *run = find(self, number);
  if (!run) return;
  g_free(run->points);
  run->points = g_memdup2(points, count * sizeof *points);
  run->count = count;
  run->planned = planned;
  show_axes(self);
  show_extent(self);
  show_run(self, run);
  g_signal_emit(self, signals[CHANGED], 0);
}

void gantry_convergence_page_mark_cancelled(GantryConvergencePage *self, guint number) {
  Run *run = find(self, number);
  if (!run) return;
  run->cancelled = TRUE;
  gtk_widget_set_visible(run->mark, TRUE);
  show_run(self, run);
}

gboolean gantry_convergence_page_has_run(GantryConvergencePage *self, guint number) {
  return find(self, number) != NULL;
}

void gantry_convergence_page_remove(GantryConvergencePage *self, guint number) {
  Run *run = find(self, number);
  if (!run) return;
  drop(self, run);
  refresh(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

void gantry_convergence_page_clear(GantryConvergencePage *self) {
  while (self->runs->len) drop(self, self->runs->pdata[0]);
  refresh(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

gboolean gantry_convergence_page_has_points(GantryConvergencePage *self) {
  for (guint i = 0; i < self->runs->len; i++)
    if (((Run *)self->runs->pdata[i])->count) return TRUE;
  return FALSE;
}

GantryPlot *gantry_convergence_page_get_plot(GantryConvergencePage *self) {
  return self->plot;
}

static void append_number(GString *csv, double value) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_c(csv, ',');
  if (isfinite(value)) g_string_append(csv, g_ascii_formatd(text, sizeof text, "%.9g", value));
}

char *gantry_convergence_page_to_csv(GantryConvergencePage *self) {
  GString *csv = g_string_new(NULL);
  if (!gantry_convergence_page_has_points(self)) return g_string_free(csv, FALSE);
  g_string_append_printf(csv, "run,iteration,time (s),residual,change,RMSE (%s),relative RMSE,SSIM,residual after\n",
                         self->unit);
  for (guint i = 0; i < self->runs->len; i++) {
    const Run *run = self->runs->pdata[i];
    g_autofree char *title = gantry_convergence_title(run);
    double elapsed = 0;
    for (gsize p = 0; p < run->count; p++) {
      const ct_iteration *point = &run->points[p];
      elapsed += point->seconds;
      gantry_csv_append_field(csv, title);
      g_string_append_printf(csv, ",%d", point->index);
      const double values[] = {elapsed,     point->residual,      point->change, point->rmse, point->relative_rmse,
                               point->ssim, point->residual_after};
      for (gsize v = 0; v < G_N_ELEMENTS(values); v++) append_number(csv, values[v]);
      g_string_append_c(csv, '\n');
    }
  }
  return g_string_free(csv, FALSE);
}

/* Building */

static GtkWidget *make_choice(const char *const *titles, const char *name, const char *tip) {
  GtkWidget *drop = gtk_drop_down_new_from_strings(titles);
  gtk_widget_add_css_class(drop, "compact");
  gtk_widget_set_valign(drop, GTK_ALIGN_CENTER);
  gantry_tips_set(drop, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(drop), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return drop;
}

static GtkWidget *make_controls(GantryConvergencePage *self) {
  const char *titles[MEASURES + 1] = {NULL};
  for (int m = 0; m < MEASURES; m++) titles[m] = measures[m].title;
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->measure = make_choice(titles, "Measure", measures[RESIDUAL].tip);
  self->abscissa = make_choice((const char *const[]){"by iteration", "by time", NULL}, "Curves over",
                               "Over the number of iterations, or over the time that they took");
  self->logarithm = gtk_toggle_button_new_with_label("log");
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->logarithm), TRUE);
  gtk_widget_add_css_class(self->logarithm, "small");
  gtk_widget_set_valign(self->logarithm, GTK_ALIGN_CENTER);
  gantry_tips_set(self->logarithm, "Logarithmic scale: equal steps for equal ratios");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->logarithm), GTK_ACCESSIBLE_PROPERTY_LABEL, "Logarithmic scale",
                                 -1);
  gtk_widget_set_hexpand(self->measure, TRUE);
  gtk_box_append(GTK_BOX(box), self->measure);
  gtk_box_append(GTK_BOX(box), self->abscissa);
  gtk_box_append(GTK_BOX(box), self->logarithm);
  g_signal_connect_swapped(self->measure, "notify::selected", G_CALLBACK(refresh), self);
  g_signal_connect_swapped(self->abscissa, "notify::selected", G_CALLBACK(refresh), self);
  g_signal_connect_swapped(self->logarithm, "toggled", G_CALLBACK(refresh), self);
  return box;
}

static void gantry_convergence_page_dispose(GObject *object) {
  GantryConvergencePage *self = GANTRY_CONVERGENCE_PAGE(object);
  GtkWidget *child;
  if (self->runs) g_ptr_array_set_size(self->runs, 0);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_convergence_page_parent_class)->dispose(object);
}

static void gantry_convergence_page_finalize(GObject *object) {
  g_ptr_array_unref(GANTRY_CONVERGENCE_PAGE(object)->runs);
  G_OBJECT_CLASS(gantry_convergence_page_parent_class)->finalize(object);
}

static void gantry_convergence_page_class_init(GantryConvergencePageClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_convergence_page_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_convergence_page_finalize;
  signals[CHANGED] =
      g_signal_new("changed", GANTRY_TYPE_CONVERGENCE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "convergence");
}

static void gantry_convergence_page_init(GantryConvergencePage *self) {
  self->unit = "1/mm";
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4), *side = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->runs = g_ptr_array_new_with_free_func(run_free);
  self->cursor = NAN;
  self->plot = GANTRY_PLOT(gantry_plot_new());
  gantry_plot_set_legend(self->plot, FALSE);
  gtk_widget_set_hexpand(GTK_WIDGET(self->plot), TRUE);
  g_signal_connect(self->plot, "cursor-moved", G_CALLBACK(cursor_moved), self);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->plot));
  gtk_widget_add_css_class(side, "runs");
  gtk_widget_set_size_request(side, 348, -1);
  gtk_widget_set_hexpand(side, FALSE);
  gtk_box_append(GTK_BOX(side), make_controls(self));
  self->list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, "Runs", -1);
  self->scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(self->scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(self->scrolled), 22);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self->scrolled), self->list);
  gtk_widget_set_vexpand(self->scrolled, TRUE);
  gtk_widget_set_visible(self->scrolled, FALSE);
  gtk_box_append(GTK_BOX(side), self->scrolled);
  gtk_box_append(GTK_BOX(box), side);
  self->side = side;
  gtk_widget_set_parent(box, GTK_WIDGET(self));
  refresh(self);
}

void gantry_convergence_page_set_unit(GantryConvergencePage *self, const char *unit) {
  self->unit = unit;
}

GtkWidget *gantry_convergence_page_new(void) {
  return g_object_new(GANTRY_TYPE_CONVERGENCE_PAGE, NULL);
}
