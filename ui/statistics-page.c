/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics page: one column about A, one about A against B. */
#include "ui/statistics-page.h"

#include "ui/number-text.h"
#include "ui/scale-text.h"
#include "ui/tips.h"

#include <math.h>

typedef enum {
  MEAN,
  DEVIATION,
  MINIMUM,
  MAXIMUM,
  INVALID,
  RMSE,
  MAX_ERROR,
  MAX_AT,
  PSNR,
  SSIM,
  PEARSON,
  SLOPE,
  FIGURES
} Figure;

/* Each column is read on its own; the first figure of B stands at the top again. */
static const struct {
  const char *title, *tip;
  int column, row;
} layout[FIGURES] = {
    [MEAN] = {"Mean", "Mean value of the result", 0, 0},
    [DEVIATION] = {"Standard deviation", "Standard deviation of the values of the result", 0, 1},
    [MINIMUM] = {"Minimum", "Least value of the result", 0, 2},
    [MAXIMUM] = {"Maximum", "Largest value of the result", 0, 3},
    [INVALID] = {"Invalid voxels", "Voxels that are not finite numbers", 0, 4},
    [RMSE] = {"RMSE", "Root of the mean squared difference from B; in brackets relative to the root mean square of B",
              1, 0},
    [MAX_ERROR] = {"Largest error", "Largest absolute difference from B", 1, 1},
    [MAX_AT] = {"Found at voxel", "Where the largest difference is: x, y, z, counted from 0", 1, 2},
    [PSNR] = {"PSNR", "Peak signal-to-noise ratio, the peak being the range of B", 1, 3},
    [SSIM] = {"SSIM", "Structural similarity (Wang 2004), 1 for equal pictures", 2, 0},
    [PEARSON] = {"Pearson r", "Correlation of the values of A with those of B", 2, 1},
    [SLOPE] = {"Slope", "Least-squares slope of A over B: 1 when the scales agree", 2, 2},
};

struct _GantryStatisticsPage {
  GtkWidget parent_instance;
  GtkWidget *stack, *empty, *columns[3], *hint;
  GtkLabel *scope, *warnings, *differences;
  GtkLabel *value[FIGURES];
  const char *unit; /* of values */
};

G_DEFINE_TYPE(GantryStatisticsPage, gantry_statistics_page, GTK_TYPE_WIDGET)

static void gantry_statistics_page_dispose(GObject *object) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_statistics_page_parent_class)->dispose(object);
}

static void gantry_statistics_page_class_init(GantryStatisticsPageClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_statistics_page_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *make_column(GantryStatisticsPage *self, int column, const char *heading) {
  GtkWidget *grid = gtk_grid_new(), *title = gtk_label_new(heading);
  gtk_grid_set_column_spacing(GTK_GRID(grid), 18);
  gtk_grid_set_row_spacing(GTK_GRID(grid), 1);
  gtk_widget_set_valign(grid, GTK_ALIGN_START);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_widget_add_css_class(title, "heading");
  gtk_grid_attach(GTK_GRID(grid), title, 0, 0, 2, 1);
  for (int f = 0; f < FIGURES; f++) {
    if (layout[f].column != column) continue;
    GtkWidget *name = gtk_label_new(layout[f].title), *value = gtk_label_new("—");
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_label_set_xalign(GTK_LABEL(value), 1);
    gtk_label_set_selectable(GTK_LABEL(value), TRUE);
    gtk_widget_set_focusable(value, FALSE);
    gtk_widget_add_css_class(name, "dim-label");
    gtk_widget_add_css_class(value, "numeric");
    gantry_tips_set(name, layout[f].tip);
    gantry_tips_set(value, layout[f].tip);
    gtk_grid_attach(GTK_GRID(grid), name, 0, layout[f].row + 1, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), value, 1, layout[f].row + 1, 1, 1);
    self->value[f] = GTK_LABEL(value);
  }
  if (column == 0) self->scope = GTK_LABEL(title);
  self->columns[column] = grid;
  return grid;
}

static void gantry_statistics_page_init(GantryStatisticsPage *self) {
  self->unit = "1/mm";
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 48), *scrolled = gtk_scrolled_window_new();
  self->stack = gtk_stack_new();
  self->empty = gtk_label_new("The statistics of the volume appear here when it has been reconstructed.");
  gtk_label_set_wrap(GTK_LABEL(self->empty), TRUE);
  gtk_widget_add_css_class(self->empty, "dim-label");
  gtk_widget_add_css_class(box, "statistics");
  gtk_box_append(GTK_BOX(box), make_column(self, 0, "A, the result"));
  gtk_box_append(GTK_BOX(box), make_column(self, 1, "A against B"));
  gtk_box_append(GTK_BOX(box), make_column(self, 2, " "));
  self->hint = gtk_label_new("Keep a result as reference B, and later results are compared with it here.");
  gtk_label_set_wrap(GTK_LABEL(self->hint), TRUE);
  gtk_label_set_xalign(GTK_LABEL(self->hint), 0);
  gtk_label_set_width_chars(GTK_LABEL(self->hint), 30);
  gtk_label_set_max_width_chars(GTK_LABEL(self->hint), 36);
  gtk_widget_set_valign(self->hint, GTK_ALIGN_START);
  gtk_widget_add_css_class(self->hint, "dim-label");
  gtk_box_append(GTK_BOX(box), self->hint);
  self->warnings = GTK_LABEL(gtk_label_new(""));
  gtk_label_set_wrap(self->warnings, TRUE);
  gtk_label_set_xalign(self->warnings, 0);
  gtk_label_set_selectable(self->warnings, TRUE);
  gtk_widget_set_focusable(GTK_WIDGET(self->warnings), FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self->warnings), FALSE);
  gtk_widget_add_css_class(GTK_WIDGET(self->warnings), "statistics-warnings");
  self->differences = GTK_LABEL(gtk_label_new(""));
  gtk_label_set_wrap(self->differences, TRUE);
  gtk_label_set_xalign(self->differences, 0);
  gtk_label_set_selectable(self->differences, TRUE);
  gtk_widget_set_focusable(GTK_WIDGET(self->differences), FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self->differences), FALSE);
  gtk_widget_add_css_class(GTK_WIDGET(self->differences), "statistics-warnings");
  /* Sentences have the page's width to break at, the columns of figures theirs. */
  GtkWidget *across = gtk_scrolled_window_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(across), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(across), box);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  GtkWidget *all = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append(GTK_BOX(all), GTK_WIDGET(self->warnings));
  gtk_box_append(GTK_BOX(all), GTK_WIDGET(self->differences));
  gtk_box_append(GTK_BOX(all), across);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), all);
  gtk_stack_add_named(GTK_STACK(self->stack), self->empty, "empty");
  gtk_stack_add_named(GTK_STACK(self->stack), scrolled, "figures");
  gtk_widget_set_parent(self->stack, GTK_WIDGET(self));
}

GtkWidget *gantry_statistics_page_new(void) {
  return g_object_new(GANTRY_TYPE_STATISTICS_PAGE, NULL);
}

static void set_quantity(GantryStatisticsPage *self, Figure figure, double value, int digits, const char *unit) {
  g_autofree char *text = isinf(value) ? g_strdup("infinite") : gantry_quantity_text(value, digits, unit);
  gtk_label_set_text(self->value[figure], text);
}

/* One of values that reach over so much. */
static void set_value(GantryStatisticsPage *self, Figure figure, double value, double range) {
  g_autofree char *text = gantry_value_text(value, range, self->unit);
  gtk_label_set_text(self->value[figure], text);
}

static void set_near_one(GantryStatisticsPage *self, Figure figure, double value) {
  g_autofree char *text = gantry_near_one_text(value);
  gtk_label_set_text(self->value[figure], text);
}

static void show_metrics(GantryStatisticsPage *self, const ct_metrics *against) {
  g_autofree char *rmse = gantry_quantity_text(against->rmse, 4, self->unit);
  g_autofree char *relative = gantry_quantity_text(100 * against->relative_rmse, 3, NULL);
  g_autofree char *both = g_strdup_printf("%s (%s %%)", rmse, relative);
  gtk_label_set_text(self->value[RMSE], both);
  set_quantity(self, MAX_ERROR, against->max_abs, 4, self->unit);
  g_autofree char *at = g_strdup_printf("%d, %d, %d", against->max_at[0], against->max_at[1], against->max_at[2]);
  gtk_label_set_text(self->value[MAX_AT], at);
  set_quantity(self, PSNR, against->psnr, 4, "dB");
  set_near_one(self, SSIM, against->ssim);
  set_near_one(self, PEARSON, against->pearson_r);
  set_near_one(self, SLOPE, against->slope);
}

void gantry_statistics_page_set_unit(GantryStatisticsPage *self, const char *unit) {
  self->unit = unit;
}

void gantry_statistics_page_set_scope(GantryStatisticsPage *self, const char *scope) {
  gtk_label_set_text(self->scope, scope);
}

void gantry_statistics_page_show(GantryStatisticsPage *self, const ct_statistics *a, const ct_metrics *against) {
  gtk_stack_set_visible_child_name(GTK_STACK(self->stack), a || against ? "figures" : "empty");
  gtk_widget_set_visible(self->columns[0], a != NULL);
  gtk_widget_set_visible(self->columns[1], against != NULL);
  gtk_widget_set_visible(self->columns[2], against != NULL);
  gtk_widget_set_visible(self->hint, !against);
  if (a) {
    set_value(self, MEAN, a->mean, a->max - a->min);
    set_quantity(self, DEVIATION, a->deviation, 4, self->unit);
    set_value(self, MINIMUM, a->min, a->max - a->min);
    set_value(self, MAXIMUM, a->max, a->max - a->min);
    g_autofree char *invalid =
        a->nans + a->infinities ? g_strdup_printf("%zu", a->nans + a->infinities) : g_strdup("none");
    gtk_label_set_text(self->value[INVALID], invalid);
  }
  if (against) show_metrics(self, against);
}

void gantry_statistics_page_set_warnings(GantryStatisticsPage *self, const ct_warnings *warnings) {
  g_autoptr(GString) text = g_string_new(NULL);
  for (int i = 0; warnings && i < warnings->count; i++)
    g_string_append_printf(text, "%s⚠ %s", i ? "\n" : "", warnings->items[i].text);
  gtk_label_set_text(self->warnings, text->str);
  gtk_widget_set_visible(GTK_WIDGET(self->warnings), text->len > 0);
}

void gantry_statistics_page_set_differences(GantryStatisticsPage *self, const char *lines) {
  g_autofree char *list = g_strchomp(g_strdup(lines ? lines : ""));
  g_autofree char *text = g_strconcat("Found anew for A and for B, and not the same:\n", list, NULL);
  gtk_label_set_text(self->differences, text);
  gtk_widget_set_visible(GTK_WIDGET(self->differences), *list);
}
