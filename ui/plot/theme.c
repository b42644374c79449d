/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours and pens, on a light and a dark screen and on paper. */
#include "ui/plot/plot-private.h"

static GdkRGBA colour(const char *text) {
  GdkRGBA rgba;
  gdk_rgba_parse(&rgba, text);
  return rgba;
}

void gantry_plot_theme(GantryPlotTheme *theme, gboolean dark) {
  *theme = (GantryPlotTheme){
      .foreground = colour(dark ? "rgba(255,255,255,0.92)" : "rgba(0,0,0,0.85)"),
      .dim = colour(dark ? "rgba(255,255,255,0.62)" : "rgba(0,0,0,0.60)"),
      .grid = colour(dark ? "rgba(255,255,255,0.09)" : "rgba(0,0,0,0.08)"),
      .background = colour(dark ? "#1e1e1e" : "#ffffff"),
      .mark = colour(dark ? "#f8e45c" : "#a87900"),
      .curves =
          {
              [GANTRY_CURVE_A] = colour(dark ? "#78aeed" : "#1c71d8"),
              [GANTRY_CURVE_B] = colour(dark ? "#ffa348" : "#c64600"),
              [GANTRY_CURVE_DIFFERENCE] = colour(dark ? "#dc8add" : "#813d9c"),
              [GANTRY_CURVE_OTHER] = colour(dark ? "#8ff0a4" : "#1b8553"),
              colour(dark ? "#f66151" : "#b81d29"),
              colour(dark ? "#6fd8dd" : "#0a7c88"),
              colour(dark ? "#f5c211" : "#8f6a00"),
              colour(dark ? "#c0bfbc" : "#5e5c64"),
          },
  };
}

void gantry_plot_theme_of_paper(GantryPlotTheme *theme) {
  gantry_plot_theme(theme, FALSE);
  theme->foreground = theme->dim = theme->mark = colour("#000000");
  theme->grid = colour("rgba(0,0,0,0.10)");
  theme->paper = TRUE;
}

/* On screen the second half is dashed. In print, where colours may be lost, each has dashes of its own. */
void gantry_plot_set_pen(const GantryPlotTheme *theme, guint curve, cairo_t *cr) {
  static const struct {
    double dashes[6];
    int count;
  } printed[GANTRY_CURVE_COLOURS] = {
      {{0}, 0},        {{5, 2}, 2},
      {{1.2, 1.6}, 2}, {{7, 2, 1.2, 2}, 4},
      {{2.6, 1.6}, 2}, {{7, 2, 1.2, 1.6, 1.2, 2}, 6},
      {{9, 3}, 2},     {{4, 1.6, 1.6, 1.6}, 4},
  };
  const double dashed[] = {6, 3};
  const guint place = curve % GANTRY_CURVE_COLOURS;
  gdk_cairo_set_source_rgba(cr, &theme->curves[place]);
  if (theme->paper)
    cairo_set_dash(cr, printed[place].dashes, printed[place].count, 0);
  else
    cairo_set_dash(cr, dashed, curve < GANTRY_CURVE_COLOURS ? 0 : 2, 0);
}
