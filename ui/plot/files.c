/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plot's values as a table (CSV) and its picture as a file. */
#include "ui/plot/plot-private.h"

#include "ui/paper.h"

#include <math.h>
#include <string.h>

void gantry_csv_append_field(GString *csv, const char *text) {
  if (!strpbrk(text, ",\"\n")) {
    g_string_append(csv, text);
    return;
  }
  g_autoptr(GString) quoted = g_string_new(text);
  g_string_replace(quoted, "\"", "\"\"", 0);
  g_string_append_printf(csv, "\"%s\"", quoted->str);
}

static void append_title(GString *csv, const char *title, const char *unit) {
  g_autofree char *text =
      unit && *unit ? g_strdup_printf("%s (%s)", title ? title : "", unit) : g_strdup(title ? title : "");
  gantry_csv_append_field(csv, text);
}

static void append_number(GString *csv, double value) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (isfinite(value)) g_string_append(csv, g_ascii_formatd(text, sizeof text, "%.9g", value));
}

typedef struct {
  const GantryCurveData *curve;
  const char *unit;
} Column;

/* Whether the curve's abscissae are the first ones of the longest. */
static gboolean shares_x(const GantryCurveData *curve, const GantryCurveData *longest) {
  return memcmp(longest->x, curve->x, curve->count * sizeof *curve->x) == 0;
}

/* First those that share the abscissae of the longest; returns how many there are in all. */
static guint order_columns(const GantryPlotData *data, Column order[GANTRY_PANELS * GANTRY_CURVES], guint *sharing) {
  const GantryCurveData *longest = NULL;
  guint columns = 0;
  for (int p = 0; p < GANTRY_PANELS; p++)
    for (int c = 0; c < GANTRY_CURVES; c++)
      if (data->panels[p].curves[c].count > (longest ? longest->count : 0)) longest = &data->panels[p].curves[c];
  *sharing = 0;
  for (int own = 0; longest && own < 2; own++) {
    for (int p = 0; p < GANTRY_PANELS; p++) {
      for (int c = 0; c < GANTRY_CURVES; c++) {
        const GantryCurveData *curve = &data->panels[p].curves[c];
        if (curve->count && shares_x(curve, longest) != own) order[columns++] = (Column){curve, data->panels[p].unit};
      }
    }
    if (!own) *sharing = columns;
  }
  return columns;
}

/* One column of x for all curves that share it, then those that bring theirs along. */
char *gantry_plot_to_csv(GantryPlot *plot) {
  const GantryPlotData *data = gantry_plot_get_data(plot);
  Column order[GANTRY_PANELS * GANTRY_CURVES];
  guint sharing;
  const guint columns = order_columns(data, order, &sharing);
  gsize rows = 0;
  GString *csv = g_string_new(NULL);
  if (!columns) return g_string_free(csv, FALSE);
  const double *x = NULL;
  for (guint c = 0; c < columns; c++) {
    if (order[c].curve->count > rows) rows = order[c].curve->count, x = order[c].curve->x;
    if (c) g_string_append_c(csv, ',');
    if (!c || c >= sharing) append_title(csv, data->x_title, data->x_unit), g_string_append_c(csv, ',');
    append_title(csv, order[c].curve->title, order[c].unit);
  }
  g_string_append_c(csv, '\n');
  for (gsize i = 0; i < rows; i++) {
    for (guint c = 0; c < columns; c++) {
      const GantryCurveData *curve = order[c].curve;
      const gboolean has_x = !c || c >= sharing, there = i < curve->count;
      if (c) g_string_append_c(csv, ',');
      if (!c) append_number(csv, x[i]);
      if (c && has_x && there) append_number(csv, curve->x[i]);
      if (has_x) g_string_append_c(csv, ',');
      if (there) append_number(csv, curve->y[i]);
    }
    g_string_append_c(csv, '\n');
  }
  return g_string_free(csv, FALSE);
}

/* Pictures */

/* Of letters on paper; what the plot writes is somewhat smaller than the text around it (text.c). */
#define LETTERS "Sans 9.3"

typedef struct {
  GantryPlot *plot;
  const GantryPaper *paper;
} Picture;

static void draw_picture(gpointer user, cairo_t *cr, double width, double height) {
  const Picture *picture = user;
  GtkWidget *widget = GTK_WIDGET(picture->plot);
  PangoContext *context =
      picture->paper ? gantry_paper_context_new(LETTERS) : g_object_ref(gtk_widget_get_pango_context(widget));
  GantryPlotTheme theme;
  GantryPlotData data = *gantry_plot_get_data(picture->plot);
  data.legend = data.wrap_legend = TRUE;
  data.has_box = FALSE;
  data.cursor = NAN;
  if (picture->paper)
    gantry_plot_theme_of_paper(&theme);
  else
    gantry_plot_theme(&theme, FALSE);
  gdk_cairo_set_source_rgba(cr, &theme.background);
  cairo_paint(cr);
  gantry_plot_draw(&data, &theme, context, cr, width, height);
  g_object_unref(context);
}

/* In points on paper, else in pixels at twice their number. */
gboolean gantry_plot_save(GantryPlot *self, const char *path, const GantryPaper *paper, ct_error **error) {
  Picture picture = {self, paper};
  const GantryDrawing drawing = {
      .what = "plot",
      .width = paper ? paper->width * GANTRY_POINTS_PER_MM : MAX(gtk_widget_get_width(GTK_WIDGET(self)), 640),
      .height = paper ? paper->height * GANTRY_POINTS_PER_MM : MAX(gtk_widget_get_height(GTK_WIDGET(self)), 260),
      .dots = paper ? GANTRY_DOTS_PER_POINT : 2,
      .draw = draw_picture,
      .user = &picture};
  return gantry_drawing_save(&drawing, path, error);
}
