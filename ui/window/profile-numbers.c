/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the table are made once and filled anew. */
#include "ui/window/profile-numbers.h"

#include "ui/number-text.h"
#include "ui/plot/plot.h"
#include "ui/tips.h"

#include <math.h>

enum { LENGTH, PEAK, WIDTH, MEAN, FIGURES };
#define COLUMNS 2

typedef struct {
  GtkWidget *swatch; /* NULL: the plot has no place for the curve */
  GtkLabel *name, *value[COLUMNS];
  guint number;
} Row;

struct _GantryProfileNumbers {
  GantryDisplay *display;
  GtkWidget *scrolled, *lines;
  GtkGrid *table;
  GtkLabel *heads[COLUMNS], *figure[FIGURES];
  GArray *rows;
  gboolean updating;
};

/* Widgets */

static GtkLabel *add_label(GtkGrid *grid, const char *text, int column, int row, const char *style) {
  GtkWidget *label = gtk_label_new(text);
  gtk_widget_add_css_class(label, style);
  gtk_grid_attach(grid, label, column, row, 1, 1);
  return GTK_LABEL(label);
}

static GtkLabel *add_value(GtkGrid *grid, int column, int row, int chars) {
  GtkLabel *label = add_label(grid, "—", column, row, "numeric");
  gtk_label_set_xalign(label, 1);
  gtk_label_set_selectable(label, TRUE);
  gtk_widget_set_focusable(GTK_WIDGET(label), FALSE);
  gtk_label_set_width_chars(label, chars);
  return label;
}

static GtkWidget *make_table(GantryProfileNumbers *self) {
  self->table = GTK_GRID(gtk_grid_new());
  gtk_grid_set_column_spacing(self->table, 8);
  gtk_grid_set_row_spacing(self->table, 1);
  gtk_widget_add_css_class(GTK_WIDGET(self->table), "caption");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->table), GTK_ACCESSIBLE_PROPERTY_LABEL, "Curves in numbers", -1);
  for (int c = 0; c < COLUMNS; c++) {
    self->heads[c] = add_label(self->table, "", c + 2, 0, "dim-label");
    gtk_label_set_xalign(self->heads[c], 1);
    gtk_label_set_width_chars(self->heads[c], 10);
  }
  return GTK_WIDGET(self->table);
}

static void lines_changed(GtkSpinButton *button, GantryProfileNumbers *self) {
  if (!self->updating) gantry_display_set_profile_lines(self->display, gtk_spin_button_get_value_as_int(button));
}

static void display_changed(GantryProfileNumbers *self) {
  self->updating = TRUE;
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(self->lines), gantry_display_get_profile_lines(self->display));
  self->updating = FALSE;
}

static void add_lines(GantryProfileNumbers *self, GtkGrid *grid, int row) {
  static const char tip[] =
      "How many lines beside each other, a pixel of A apart, each point is the mean of: 1 to " G_STRINGIFY(
          GANTRY_MOST_LINES);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4), *unit = gtk_label_new("px");
  self->lines = gtk_spin_button_new_with_range(1, GANTRY_MOST_LINES, 1);
  gtk_editable_set_width_chars(GTK_EDITABLE(self->lines), 3);
  gtk_widget_add_css_class(self->lines, "compact");
  gtk_widget_add_css_class(unit, "dim-label");
  gtk_widget_set_halign(box, GTK_ALIGN_END);
  gantry_tips_set(self->lines, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->lines), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Thickness of the measuring line, pixels", -1);
  g_signal_connect(self->lines, "value-changed", G_CALLBACK(lines_changed), self);
  gtk_box_append(GTK_BOX(box), self->lines);
  gtk_box_append(GTK_BOX(box), unit);
  gtk_grid_attach(grid, box, 1, row, 1, 1);
  GtkLabel *title = add_label(grid, "Thickness", 0, row, "dim-label");
  gtk_label_set_xalign(title, 0);
  gantry_tips_set(GTK_WIDGET(title), tip);
}

static GtkWidget *make_figures(GantryProfileNumbers *self) {
  static const struct {
    const char *title, *tip;
  } figures[FIGURES] = {{"Length", "Length of the measuring line"},
                        {"Peak", "Largest value of A along the line"},
                        {"FWHM", "Full width at half maximum of the peak of A, above the least value"},
                        {"Mean", "Mean value of A along the line"}};
  GtkGrid *grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_column_spacing(grid, 12);
  gtk_grid_set_row_spacing(grid, 4);
  for (int i = 0; i < FIGURES; i++) {
    GtkLabel *title = add_label(grid, figures[i].title, 0, i, "dim-label");
    gtk_label_set_xalign(title, 0);
    self->figure[i] = add_value(grid, 1, i, 12);
    gtk_widget_set_hexpand(GTK_WIDGET(self->figure[i]), TRUE);
    gantry_tips_set(GTK_WIDGET(title), figures[i].tip);
    gantry_tips_set(GTK_WIDGET(self->figure[i]), figures[i].tip);
  }
  add_lines(self, grid, FIGURES);
  return GTK_WIDGET(grid);
}

GantryProfileNumbers *gantry_profile_numbers_new(GantryDisplay *display) {
  GantryProfileNumbers *self = g_new0(GantryProfileNumbers, 1);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
  self->display = g_object_ref(display);
  self->rows = g_array_new(FALSE, TRUE, sizeof(Row));
  gtk_widget_set_valign(box, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(box), make_table(self));
  gtk_box_append(GTK_BOX(box), make_figures(self));
  self->scrolled = g_object_ref_sink(gtk_scrolled_window_new());
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self->scrolled), box);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(self->scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width(GTK_SCROLLED_WINDOW(self->scrolled), TRUE);
  gtk_widget_set_hexpand(self->scrolled, FALSE); /* the plot takes what is left */
  gtk_widget_add_css_class(box, "readout");
  g_signal_connect_swapped(display, "profile-changed", G_CALLBACK(display_changed), self);
  return self;
}

void gantry_profile_numbers_free(GantryProfileNumbers *self) {
  g_signal_handlers_disconnect_by_data(self->display, self);
  g_signal_handlers_disconnect_by_data(self->lines, self);
  g_object_unref(self->scrolled);
  g_object_unref(self->display);
  g_array_unref(self->rows);
  g_free(self);
}

GtkWidget *gantry_profile_numbers_get_widget(GantryProfileNumbers *self) {
  return self->scrolled;
}

/* The figures of A */

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
  g_autofree char *text = isfinite(value) ? gantry_quantity_text(value, digits, unit) : g_strdup("—");
  gtk_label_set_text(label, text);
}

static void show_figures(GantryProfileNumbers *self, const GantryProfileFacts *facts) {
  for (int i = 0; i < FIGURES; i++) gtk_label_set_text(self->figure[i], "—");
  if (!facts->curves) return;
  const double *x = facts->line->x, *a = ((const GantryProfileCurve *)facts->curves->pdata[0])->y;
  const gsize count = facts->line->count;
  double sum = 0, least = INFINITY, width;
  gsize peak = 0, finite = 0;
  for (gsize i = 0; i < count; i++) {
    if (!isfinite(a[i])) continue;
    if (!finite || a[i] > a[peak]) peak = i;
    least = fmin(least, a[i]), sum += a[i];
    finite++;
  }
  set_quantity(self->figure[LENGTH], x[count - 1], 4, facts->unit);
  if (!finite) return;
  g_autofree char *highest = gantry_quantity_text(a[peak], 3, facts->value_unit),
                  *place = gantry_length_text(x[peak], 3, facts->unit);
  g_autofree char *top = g_strdup_printf("%s at %s", highest, place);
  gtk_label_set_text(self->figure[PEAK], top);
  if (find_width(x, a, count, peak, least, &width)) set_quantity(self->figure[WIDTH], width, 3, facts->unit);
  set_quantity(self->figure[MEAN], sum / (double)finite, 3, facts->value_unit);
}

/* The table */

static Row *get_row(GantryProfileNumbers *self, guint index) {
  if (index < self->rows->len) return &g_array_index(self->rows, Row, index);
  Row row = {.number = G_MAXUINT};
  row.name = add_label(self->table, "", 1, (int)index + 1, "caption");
  gtk_label_set_xalign(row.name, 0);
  gtk_label_set_ellipsize(row.name, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars(row.name, 9);
  gtk_label_set_max_width_chars(row.name, 20);
  gtk_widget_set_hexpand(GTK_WIDGET(row.name), TRUE);
  for (int c = 0; c < COLUMNS; c++) row.value[c] = add_value(self->table, c + 2, (int)index + 1, 10);
  g_array_append_val(self->rows, row);
  return &g_array_index(self->rows, Row, index);
}

static void show_swatch(GantryProfileNumbers *self, Row *row, guint index, guint number) {
  if (row->number == number) return;
  row->number = number;
  if (row->swatch) gtk_grid_remove(self->table, row->swatch);
  row->swatch = number < GANTRY_CURVES ? gantry_plot_swatch_new(number) : NULL;
  if (row->swatch) gtk_grid_attach(self->table, row->swatch, 0, (int)index + 1, 1, 1);
}

static void set_row_visible(Row *row, gboolean visible) {
  GtkWidget *const widgets[] = {row->swatch, GTK_WIDGET(row->name), GTK_WIDGET(row->value[0]),
                                GTK_WIDGET(row->value[1])};
  for (gsize i = 0; i < G_N_ELEMENTS(widgets); i++)
    if (widgets[i]) gtk_widget_set_visible(widgets[i], visible);
}

/* Between the two nearest points. */
static double read_at(const double *values, const GantryProfileLine *line, double x) {
  if (!values) return NAN;
  const double place = x / line->x[line->count - 1] * (double)(line->count - 1);
  if (!(place >= 0 && place <= (double)(line->count - 1))) return NAN;
  const gsize i = MIN((gsize)place, line->count - 2);
  const double part = place - (double)i;
  return part > 0 ? values[i] + part * (values[i + 1] - values[i]) : values[i];
}

static char *row_tip(const GantryProfileFacts *facts, const GantryProfileCurve *curve) {
  GString *tip = g_string_new(curve->name);
  if (curve->number >= GANTRY_CURVES)
    g_string_append(tip, "\nNot drawn: no more curves can be told apart. Untick some of the others.");
  if (curve->resampled) g_string_append(tip, "\nIts voxels are not those of A: it is read between them, by its place.");
  if (!curve->difference) {
    g_string_append(tip, "\nThe others are compared with it");
  } else if (isfinite(curve->largest)) {
    g_autofree char *largest = gantry_quantity_text(curve->largest, 4, facts->value_unit);
    g_autofree char *place = gantry_length_text(curve->largest_at, 4, facts->unit);
    g_string_append_printf(tip, "\nLargest difference from %s: %s at %s", facts->reference, largest, place);
  }
  return g_string_free(tip, FALSE);
}

static void show_row(GantryProfileNumbers *self, const GantryProfileFacts *facts, guint index) {
  const GantryProfileCurve *curve = facts->curves->pdata[index];
  const gboolean reading = isfinite(facts->cursor);
  Row *row = get_row(self, index);
  show_swatch(self, row, index, curve->number);
  g_autofree char *tip = row_tip(facts, curve);
  gtk_label_set_text(row->name, curve->name);
  gantry_tips_set(GTK_WIDGET(row->name), tip);
  const double values[COLUMNS] = {reading ? read_at(curve->y, facts->line, facts->cursor) : curve->rmse,
                                  reading ? read_at(curve->difference, facts->line, facts->cursor) : curve->largest};
  for (int c = 0; c < COLUMNS; c++) {
    set_quantity(row->value[c], values[c], 3, NULL);
    gantry_tips_set(GTK_WIDGET(row->value[c]), tip);
  }
  if (!curve->difference && !reading) gtk_label_set_text(row->value[0], "reference");
  set_row_visible(row, TRUE);
}

static void show_heads(GantryProfileNumbers *self, const GantryProfileFacts *facts) {
  const gboolean reading = isfinite(facts->cursor);
  const char *unit = facts->value_unit && *facts->value_unit ? facts->value_unit : NULL;
  g_autofree char *first = g_strconcat(reading ? "value" : "RMSE", unit ? ", " : NULL, unit, NULL);
  gtk_label_set_text(self->heads[0], first);
  gtk_label_set_text(self->heads[1], reading ? "difference" : "largest");
  g_autofree char *rmse =
      g_strdup_printf("Root of the mean squared difference from %s along the line", facts->reference);
  g_autofree char *largest = g_strdup_printf("Largest absolute difference from %s along the line", facts->reference);
  gantry_tips_set(GTK_WIDGET(self->heads[0]), reading ? "Value at the pointer" : rmse);
  gantry_tips_set(GTK_WIDGET(self->heads[1]), reading ? "Difference at the pointer" : largest);
}

void gantry_profile_numbers_show(GantryProfileNumbers *self, const GantryProfileFacts *facts) {
  const guint count = facts->curves && facts->reference ? facts->curves->len : 0;
  show_figures(self, facts);
  gtk_widget_set_visible(GTK_WIDGET(self->table), count > 0);
  if (count) show_heads(self, facts);
  for (guint i = 0; i < count; i++) show_row(self, facts, i);
  for (guint i = count; i < self->rows->len; i++) set_row_visible(&g_array_index(self->rows, Row, i), FALSE);
}
