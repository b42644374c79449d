/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plot's values as a table (CSV) and its picture as a file. */
#include "ui/plot/plot-private.h"

#include "recon/base/output.h"

#include <cairo-pdf.h>
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

#define POINTS_PER_MM (72 / 25.4)
#define DOTS_PER_POINT (300 / 72.0)
/* Of letters on paper; what the plot writes is somewhat smaller than the text around it (text.c). */
#define LETTERS "Sans 9.3"

typedef enum { FORMAT_PNG, FORMAT_SVG, FORMAT_PDF, FORMATS } Format;
static const char *const suffixes[FORMATS] = {".png", ".svg", ".pdf"};

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int length) {
  g_byte_array_append(closure, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *make_surface(Format format, double width, double height, double scale, GByteArray *bytes) {
  if (format == FORMAT_SVG) return cairo_svg_surface_create_for_stream(write_bytes, bytes, width, height);
  if (format == FORMAT_PDF) return cairo_pdf_surface_create_for_stream(write_bytes, bytes, width, height);
  cairo_surface_t *surface =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(scale * width - 1e-6), (int)ceil(scale * height - 1e-6));
  cairo_surface_set_device_scale(surface, scale, scale);
  return surface;
}

static PangoContext *make_paper_context(void) {
  PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
  cairo_font_options_t *options = cairo_font_options_create();
  PangoFontDescription *font = pango_font_description_from_string(LETTERS);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options(context, options);
  pango_cairo_context_set_resolution(context, 72);
  pango_context_set_font_description(context, font);
  pango_font_description_free(font);
  cairo_font_options_destroy(options);
  return context;
}

/* In points on paper, else in pixels at twice their number. */
static cairo_status_t draw_picture(GantryPlot *self, Format format, const GantryPaper *paper, GByteArray *bytes) {
  const double width = paper ? paper->width * POINTS_PER_MM : MAX(gtk_widget_get_width(GTK_WIDGET(self)), 640),
               height = paper ? paper->height * POINTS_PER_MM : MAX(gtk_widget_get_height(GTK_WIDGET(self)), 260);
  cairo_surface_t *surface = make_surface(format, width, height, paper ? DOTS_PER_POINT : 2, bytes);
  PangoContext *context = paper ? make_paper_context() : g_object_ref(gtk_widget_get_pango_context(GTK_WIDGET(self)));
  GantryPlotTheme theme;
  GantryPlotData data = *gantry_plot_get_data(self);
  data.legend = data.wrap_legend = TRUE;
  data.has_box = FALSE;
  data.cursor = NAN;
  if (paper)
    gantry_plot_theme_of_paper(&theme);
  else
    gantry_plot_theme(&theme, FALSE);
  cairo_t *cr = cairo_create(surface);
  gdk_cairo_set_source_rgba(cr, &theme.background);
  cairo_paint(cr);
  gantry_plot_draw(&data, &theme, context, cr, width, height);
  cairo_destroy(cr);
  g_object_unref(context);
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  if (format == FORMAT_PNG) status = cairo_surface_write_to_png_stream(surface, write_bytes, bytes);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  return status;
}

gboolean gantry_plot_save(GantryPlot *self, const char *path, const GantryPaper *paper, ct_error **error) {
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  int format = 0;
  while (format < FORMATS && !g_str_has_suffix(path, suffixes[format])) format++;
  if (format == FORMATS)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: a plot is saved as .png, .svg or .pdf; choose one of them.",
                        path);
  const cairo_status_t status = draw_picture(self, (Format)format, paper, bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    return ct_error_set(error, CT_ERROR_IO, "%s: the plot could not be drawn: %s.", path,
                        cairo_status_to_string(status));
  return ct_output_write_whole(path, bytes->data, bytes->len, error);
}
