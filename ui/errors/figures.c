/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the figures are called, how they are taken from the analysis and how they are written stands in one table. */
#include "ui/errors/figures.h"

#include "ui/number-text.h"
#include "ui/plot/plot-private.h"
#include "ui/tips.h"

#include <math.h>

typedef enum { PLAIN, VALUE, DECIBEL, NEAR_ONE, COUNT, VOXEL } Form;

static double equal_voxels(const ct_analysis *analysis) {
  return (double)analysis->zeros;
}

#define METRIC(name)                                                                                                   \
  static double take_##name(const ct_analysis *analysis) {                                                             \
    return analysis->metrics.name;                                                                                     \
  }
METRIC(rmse)
METRIC(max_abs)
METRIC(psnr)
METRIC(ssim)
METRIC(slope)
METRIC(intercept)
#undef METRIC

static double take_mae(const ct_analysis *analysis) {
  return analysis->mae;
}

static double take_bias(const ct_analysis *analysis) {
  return analysis->bias;
}

static double take_relative(const ct_analysis *analysis) {
  return 100 * analysis->metrics.relative_rmse;
}

static double take_uncorrelated(const ct_analysis *analysis) {
  return 1 - analysis->metrics.pearson_r;
}

static double take_median(const ct_analysis *analysis) {
  return analysis->percentiles[0];
}

static double take_p99(const ct_analysis *analysis) {
  return analysis->percentiles[2];
}

static double take_compared(const ct_analysis *analysis) {
  return (double)analysis->metrics.count;
}

static double take_left_out(const ct_analysis *analysis) {
  return (double)analysis->metrics.not_finite;
}

static const struct {
  const char *title, *tip;
  int column, digits;
  Form form;
  double (*take)(const ct_analysis *analysis);
} figures[] = {
    {"RMSE", "Root of the mean squared difference, A − B", 0, 5, VALUE, take_rmse},
    {"RMSE, relative", "RMSE as a share of the root mean square of B", 0, 4, PLAIN, take_relative},
    {"MAE", "Mean of the absolute difference", 0, 5, VALUE, take_mae},
    {"Bias", "Mean difference, A − B", 0, 4, VALUE, take_bias},
    {"Largest error", "Largest absolute difference", 0, 5, VALUE, take_max_abs},
    {"Found at voxel", "Where the largest difference is: x, y, z of A, counted from 0", 0, 0, VOXEL, NULL},
    {"PSNR", "Peak signal-to-noise ratio, the peak being the range of B", 1, 5, DECIBEL, take_psnr},
    {"SSIM", "Structural similarity (Wang 2004), mean over axial slices; 1 for equal pictures", 1, 0, NEAR_ONE,
     take_ssim},
    {"1 − r", "What Pearson's correlation of A with B lacks of 1", 1, 3, PLAIN, take_uncorrelated},
    {"Slope", "Least-squares line A = slope · B + offset: 1 where the scales agree", 1, 0, NEAR_ONE, take_slope},
    {"Offset", "Least-squares line A = slope · B + offset: 0 where the scales agree", 1, 4, VALUE, take_intercept},
    {"Median |error|", "Half of the voxels have a smaller absolute difference", 1, 4, VALUE, take_median},
    {"99 % below", "99 % of the voxels have a smaller absolute difference", 1, 4, VALUE, take_p99},
    {"Equal voxels", "Voxels in which A and B are the same to the last bit", 0, 0, COUNT, equal_voxels},
    {"Voxels compared", "Voxels in which A and B are finite", 1, 0, COUNT, take_compared},
    {"Left out", "Voxels that are not finite in A or in B", 0, 0, COUNT, take_left_out},
};
#define FIGURES G_N_ELEMENTS(figures)
#define RELATIVE 1 /* the row in percent */

static const struct {
  const char *title, *tip;
  gsize member; /* of ct_value_counts */
} counts[] = {
    {"NaN", "Values that are no number", G_STRUCT_OFFSET(ct_value_counts, nans)},
    {"+Inf", "Values beyond the largest number", G_STRUCT_OFFSET(ct_value_counts, above)},
    {"−Inf", "Values beyond the least number", G_STRUCT_OFFSET(ct_value_counts, below)},
    {"Overflow half", "Finite values above 65 504 or below −65 504, which no half-precision number holds",
     G_STRUCT_OFFSET(ct_value_counts, beyond_half)},
    {"Near overflow", "Finite values whose size is above 10³⁸: the next sum may overflow",
     G_STRUCT_OFFSET(ct_value_counts, huge)},
    {"Subnormal", "Values closer to 0 than 1.2·10⁻³⁸, which have lost digits",
     G_STRUCT_OFFSET(ct_value_counts, subnormal)},
    {"Clipped", "Values equal to the least or to the largest one, where more than ten are: cut off there",
     G_STRUCT_OFFSET(ct_value_counts, clipped)},
};
#define COUNTS G_N_ELEMENTS(counts)

struct _GantryErrorFigures {
  GtkWidget *flow;
  GtkLabel *value[FIGURES], *count[COUNTS][2];
};

/* Widgets */

static GtkLabel *add_label(GtkWidget *grid, const char *text, const char *tip, double align, int column, int row) {
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), (float)align);
  gantry_tips_set(label, tip);
  gtk_grid_attach(GTK_GRID(grid), label, column, row, 1, 1);
  return GTK_LABEL(label);
}

static GtkLabel *add_value(GtkWidget *grid, const char *tip, int column, int row) {
  GtkLabel *label = add_label(grid, "—", tip, 1, column, row);
  gtk_label_set_selectable(label, TRUE);
  gtk_widget_set_focusable(GTK_WIDGET(label), FALSE);
  gtk_widget_add_css_class(GTK_WIDGET(label), "numeric");
  return label;
}

static GtkWidget *make_grid(void) {
  GtkWidget *grid = gtk_grid_new();
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  gtk_grid_set_row_spacing(GTK_GRID(grid), 1);
  gtk_widget_set_valign(grid, GTK_ALIGN_START);
  return grid;
}

static void append(GantryErrorFigures *self, GtkWidget *grid) {
  GtkWidget *child = gtk_flow_box_child_new();
  gtk_flow_box_child_set_child(GTK_FLOW_BOX_CHILD(child), grid);
  gtk_widget_set_focusable(child, FALSE);
  gtk_flow_box_append(GTK_FLOW_BOX(self->flow), child);
}

static void make_figures(GantryErrorFigures *self, int column) {
  GtkWidget *grid = make_grid();
  int row = 0;
  for (gsize f = 0; f < FIGURES; f++) {
    if (figures[f].column != column) continue;
    gtk_widget_add_css_class(GTK_WIDGET(add_label(grid, figures[f].title, figures[f].tip, 0, 0, row)), "dim-label");
    self->value[f] = add_value(grid, figures[f].tip, 1, row++);
  }
  append(self, grid);
}

static void make_counts(GantryErrorFigures *self) {
  static const char *const sides[] = {"A", "B"}, *const classes[] = {"curve-a", "curve-b"};
  GtkWidget *grid = make_grid();
  for (int side = 0; side < 2; side++) {
    GtkLabel *head = add_label(grid, sides[side], NULL, 1, side + 1, 0);
    gtk_widget_add_css_class(GTK_WIDGET(head), "caption-heading");
    gtk_widget_add_css_class(GTK_WIDGET(head), classes[side]);
  }
  for (gsize c = 0; c < COUNTS; c++) {
    const int row = (int)c + 1;
    gtk_widget_add_css_class(GTK_WIDGET(add_label(grid, counts[c].title, counts[c].tip, 0, 0, row)), "dim-label");
    for (int side = 0; side < 2; side++) self->count[c][side] = add_value(grid, counts[c].tip, side + 1, row);
  }
  append(self, grid);
}

GantryErrorFigures *gantry_error_figures_new(void) {
  GantryErrorFigures *self = g_new0(GantryErrorFigures, 1);
  self->flow = g_object_ref_sink(gtk_flow_box_new());
  gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(self->flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_min_children_per_line(GTK_FLOW_BOX(self->flow), 1);
  gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(self->flow), 3);
  gtk_flow_box_set_column_spacing(GTK_FLOW_BOX(self->flow), 16);
  gtk_flow_box_set_row_spacing(GTK_FLOW_BOX(self->flow), 8);
  gtk_widget_add_css_class(self->flow, "errors-figures");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->flow), GTK_ACCESSIBLE_PROPERTY_LABEL, "Errors in numbers", -1);
  make_figures(self, 0);
  make_figures(self, 1);
  make_counts(self);
  return self;
}

void gantry_error_figures_free(GantryErrorFigures *self) {
  g_object_unref(self->flow);
  g_free(self);
}

GtkWidget *gantry_error_figures_get_widget(GantryErrorFigures *self) {
  return self->flow;
}

/* Texts */

static char *voxel_text(const ct_metrics *metrics) {
  return g_strdup_printf("%d, %d, %d", metrics->max_at[0], metrics->max_at[1], metrics->max_at[2]);
}

static char *figure_text(gsize f, const ct_analysis *analysis, const char *unit) {
  const double value = figures[f].take ? figures[f].take(analysis) : NAN;
  switch (figures[f].form) {
  case VOXEL:
    return analysis->metrics.max_abs > 0 ? voxel_text(&analysis->metrics) : g_strdup("—");
  case COUNT:
    return gantry_count_text((gint64)value);
  case NEAR_ONE:
    return gantry_near_one_text(value);
  case VALUE:
    return gantry_quantity_text(value, figures[f].digits, unit);
  case DECIBEL:
    return isinf(value) ? g_strdup("infinite") : gantry_quantity_text(value, figures[f].digits, "dB");
  default:
    return gantry_quantity_text(value, figures[f].digits, f == RELATIVE ? "%" : NULL);
  }
}

static gsize take_count(const ct_value_counts *of, gsize c) {
  return G_STRUCT_MEMBER(gsize, of, counts[c].member);
}

void gantry_error_figures_show(GantryErrorFigures *self, const GantryErrorReport *report, const char *unit) {
  for (gsize f = 0; f < FIGURES; f++) {
    g_autofree char *text = report ? figure_text(f, report->analysis, unit) : g_strdup("—");
    gtk_label_set_text(self->value[f], text);
  }
  for (gsize c = 0; c < COUNTS; c++) {
    for (int side = 0; side < 2; side++) {
      const gsize count = report ? take_count(side ? &report->analysis->of_b : &report->analysis->of_a, c) : 0;
      g_autofree char *text = report ? gantry_count_text((gint64)count) : g_strdup("—");
      gtk_label_set_text(self->count[c][side], text);
      /* What is there at all is what one looks for. */
      if (count)
        gtk_widget_add_css_class(GTK_WIDGET(self->count[c][side]), "warning");
      else
        gtk_widget_remove_css_class(GTK_WIDGET(self->count[c][side]), "warning");
    }
  }
}

static const char *unit_of(gsize f, const char *unit) {
  return figures[f].form == VALUE ? unit : figures[f].form == DECIBEL ? "dB" : f == RELATIVE ? "%" : "";
}

char *gantry_error_figures_to_csv(const GantryErrorReport *report, const char *unit) {
  GString *csv = g_string_new("number,A against B,unit\n");
  for (gsize f = 0; f < FIGURES; f++) {
    char text[G_ASCII_DTOSTR_BUF_SIZE] = "";
    const double value = figures[f].take ? figures[f].take(report->analysis) : NAN;
    gantry_csv_append_field(csv, figures[f].title);
    g_string_append_c(csv, ',');
    if (figures[f].form == VOXEL) {
      g_autofree char *voxel = voxel_text(&report->analysis->metrics);
      gantry_csv_append_field(csv, voxel);
    } else if (isfinite(value)) {
      g_string_append(csv, g_ascii_formatd(text, sizeof text, "%.17g", value));
    }
    g_string_append_printf(csv, ",%s\n", unit_of(f, unit));
  }
  for (int side = 0; side < 2; side++) {
    const ct_value_counts *of = side ? &report->analysis->of_b : &report->analysis->of_a;
    for (gsize c = 0; c < COUNTS; c++)
      g_string_append_printf(csv, "%s in %s,%zu,\n", counts[c].title, side ? "B" : "A", take_count(of, c));
  }
  return g_string_free(csv, FALSE);
}
