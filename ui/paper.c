/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cairo writes into memory, and the whole of it goes to the file. */
#include "ui/paper.h"

#include "recon/base/output.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>

typedef enum { FORMAT_PNG, FORMAT_SVG, FORMAT_PDF, FORMATS } Format;
static const char *const suffixes[FORMATS] = {".png", ".svg", ".pdf"};

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int length) {
  g_byte_array_append(closure, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *make_surface(Format format, const GantryDrawing *drawing, GByteArray *bytes) {
  const double width = drawing->width, height = drawing->height, dots = drawing->dots;
  if (format == FORMAT_SVG) return cairo_svg_surface_create_for_stream(write_bytes, bytes, width, height);
  if (format == FORMAT_PDF) return cairo_pdf_surface_create_for_stream(write_bytes, bytes, width, height);
  cairo_surface_t *surface =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(dots * width - 1e-6), (int)ceil(dots * height - 1e-6));
  cairo_surface_set_device_scale(surface, dots, dots);
  return surface;
}

static cairo_status_t draw(const GantryDrawing *drawing, Format format, GByteArray *bytes) {
  cairo_surface_t *surface = make_surface(format, drawing, bytes);
  cairo_t *cr = cairo_create(surface);
  drawing->draw(drawing->user, cr, drawing->width, drawing->height);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  if (format == FORMAT_PNG && status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream(surface, write_bytes, bytes);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  return status;
}

gboolean gantry_drawing_save(const GantryDrawing *drawing, const char *path, ct_error **error) {
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  int format = 0;
  while (format < FORMATS && !g_str_has_suffix(path, suffixes[format])) format++;
  if (format == FORMATS)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: a %s is saved as .png, .svg or .pdf; choose one of them.", path,
                        drawing->what);
  const cairo_status_t status = draw(drawing, (Format)format, bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    return ct_error_set(error, CT_ERROR_IO, "%s: the %s could not be drawn: %s.", path, drawing->what,
                        cairo_status_to_string(status));
  return ct_output_write_whole(path, bytes->data, bytes->len, error);
}

PangoContext *gantry_paper_context_new(const char *letters) {
  PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
  cairo_font_options_t *options = cairo_font_options_create();
  PangoFontDescription *font = pango_font_description_from_string(letters);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options(context, options);
  pango_cairo_context_set_resolution(context, 72);
  pango_context_set_font_description(context, font);
  pango_font_description_free(font);
  cairo_font_options_destroy(options);
  return context;
}
