/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The small letters of a plot, digits of one width. */
#include "ui/plot/plot-private.h"

#include <math.h>

char *gantry_plot_with_unit(const char *title, const char *unit) {
  if (!title || !*title) return g_strdup(unit ? unit : "");
  return unit && *unit ? g_strdup_printf("%s (%s)", title, unit) : g_strdup(title);
}

PangoLayout *gantry_plot_make_text(PangoContext *context, const char *text) {
  PangoLayout *layout = pango_layout_new(context);
  PangoFontDescription *font = pango_font_description_copy(pango_context_get_font_description(context));
  const double size = pango_font_description_get_size(font) * 0.86;
  if (pango_font_description_get_size_is_absolute(font))
    pango_font_description_set_absolute_size(font, size);
  else
    pango_font_description_set_size(font, (int)size);
  PangoAttrList *attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
  pango_layout_set_font_description(layout, font);
  pango_layout_set_attributes(layout, attributes);
  pango_layout_set_text(layout, text, -1);
  pango_attr_list_unref(attributes);
  pango_font_description_free(font);
  return layout;
}

void gantry_plot_text_size(PangoContext *context, const char *text, double *width, double *height) {
  g_autoptr(PangoLayout) layout = gantry_plot_make_text(context, text);
  PangoRectangle box;
  pango_layout_get_pixel_extents(layout, NULL, &box);
  *width = box.width, *height = box.height;
}

double gantry_plot_draw_text(cairo_t *cr, PangoContext *context, const char *text, const GdkRGBA *rgba, double x,
                             double y, double align) {
  g_autoptr(PangoLayout) layout = gantry_plot_make_text(context, text);
  PangoRectangle box;
  pango_layout_get_pixel_extents(layout, NULL, &box);
  gdk_cairo_set_source_rgba(cr, rgba);
  cairo_move_to(cr, floor(x - align * box.width), floor(y));
  pango_cairo_show_layout(cr, layout);
  return box.width;
}

void gantry_plot_draw_upright(cairo_t *cr, PangoContext *context, const char *text, const GdkRGBA *rgba, double x,
                              double y) {
  g_autoptr(PangoLayout) layout = gantry_plot_make_text(context, text);
  PangoRectangle box;
  pango_layout_get_pixel_extents(layout, NULL, &box);
  gdk_cairo_set_source_rgba(cr, rgba);
  cairo_save(cr);
  cairo_translate(cr, x, y);
  cairo_rotate(cr, -G_PI / 2);
  cairo_move_to(cr, -box.width / 2.0, -box.height / 2.0);
  pango_cairo_show_layout(cr, layout);
  cairo_restore(cr);
}
