/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plot's values as a table (CSV) and its picture as a file. */
#include "ui/plot-private.h"

#include "recon/base/output.h"

#include <cairo-svg.h>
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

/* Whether the curve's abscissae are the first ones of the longest. */
static gboolean shares_x(const GantryCurveData *curve, const GantryCurveData *longest) {
  return memcmp(longest->x, curve->x, curve->count * sizeof *curve->x) == 0;
}

/* One column of x for all curves that share it, then those that bring theirs along. */
char *gantry_plot_to_csv(GantryPlot *plot) {
  const GantryPlotData *data = gantry_plot_get_data(plot);
  const GantryCurveData *order[GANTRY_CURVES], *longest = NULL;
  guint curves = 0, sharing = 0;
  for (int c = 0; c < GANTRY_CURVES; c++)
    if (data->curves[c].count > (longest ? longest->count : 0)) longest = &data->curves[c];
  GString *csv = g_string_new(NULL);
  if (!longest) return g_string_free(csv, FALSE);
  for (int own = 0; own < 2; own++) {
    for (int c = 0; c < GANTRY_CURVES; c++)
      if (data->curves[c].count && shares_x(&data->curves[c], longest) != own) order[curves++] = &data->curves[c];
    if (!own) sharing = curves;
  }
  for (guint c = 0; c < curves; c++) {
    if (c) g_string_append_c(csv, ',');
    if (!c || c >= sharing) append_title(csv, data->x_title, data->x_unit), g_string_append_c(csv, ',');
    append_title(csv, order[c]->title, data->y_unit);
  }
  g_string_append_c(csv, '\n');
  for (gsize i = 0; i < longest->count; i++) {
    for (guint c = 0; c < curves; c++) {
      const gboolean has_x = !c || c >= sharing, there = i < order[c]->count;
      if (c) g_string_append_c(csv, ',');
      if (!c) append_number(csv, longest->x[i]);
      if (c && has_x && there) append_number(csv, order[c]->x[i]);
      if (has_x) g_string_append_c(csv, ',');
      if (there) append_number(csv, order[c]->y[i]);
    }
    g_string_append_c(csv, '\n');
  }
  return g_string_free(csv, FALSE);
}

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int length) {
  g_byte_array_append(closure, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

/* The picture on paper: light colours and 2 x the pixels, whatever the window's style. */
gboolean gantry_plot_save(GantryPlot *self, const char *path, ct_error **error) {
  const gboolean svg = g_str_has_suffix(path, ".svg");
  if (!svg && !g_str_has_suffix(path, ".png"))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: a plot is saved as .png or .svg; choose one of them.", path);
  const int width = MAX(gtk_widget_get_width(GTK_WIDGET(self)), 640),
            height = MAX(gtk_widget_get_height(GTK_WIDGET(self)), 260);
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  cairo_surface_t *surface = svg ? cairo_svg_surface_create_for_stream(write_bytes, bytes, width, height)
                                 : cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * width, 2 * height);
  if (!svg) cairo_surface_set_device_scale(surface, 2, 2);
  GantryPlotTheme theme;
  GantryPlotData data = *gantry_plot_get_data(self);
  data.legend = data.wrap_legend = TRUE;
  data.cursor = NAN;
  gantry_plot_theme(&theme, FALSE);
  cairo_t *cr = cairo_create(surface);
  gdk_cairo_set_source_rgba(cr, &theme.background);
  cairo_paint(cr);
  gantry_plot_draw(&data, &theme, gtk_widget_get_pango_context(GTK_WIDGET(self)), cr, width, height);
  cairo_destroy(cr);
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  if (!svg) status = cairo_surface_write_to_png_stream(surface, write_bytes, bytes);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return ct_error_set(error, CT_ERROR_IO, "%s: the plot could not be drawn: %s.", path,
                        cairo_status_to_string(status));
  return ct_output_write_whole(path, bytes->data, bytes->len, error);
}
