/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacked bars as SVG. */
#include "app/svg-bars.h"

#include "app/svg.h"
#include "recon/base/memory.h"
#include "recon/base/text-stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT = 230, RIGHT = 90, TOP = 60, ROW = 20, BAR = 14, BOTTOM = 46 };

static double length_of(const gantry_svg_bars *b, const gantry_svg_bar *bar) {
  double sum = 0;
  for (int k = 0; k < GANTRY_SVG_PARTS && b->parts[k]; k++)
    if (bar->parts[k] > 0 && isfinite(bar->parts[k])) sum += bar->parts[k];
  return sum;
}

static void put_legend(FILE *to, const gantry_svg_bars *b, int width) {
  int count = 0;
  while (count < GANTRY_SVG_PARTS && b->parts[count]) count++;
  for (int k = 0; k < count; k++) {
    const double x = LEFT + (double)k * (width - LEFT - RIGHT / 2) / count;
    fprintf(to, "<rect x=\"%.1f\" y=\"32\" width=\"11\" height=\"11\" fill=\"%s\"/>\n", x, gantry_svg_colour(k));
    gantry_svg_text(to, x + 16, 42, "start", b->parts[k]);
  }
}

static void put_scale(FILE *to, const gantry_svg_bars *b, double longest, double scale, double bottom) {
  const double step = gantry_svg_step(longest);
  for (double n = 0; n * step <= longest * (1 + 1e-9); n++) {
    const double x = LEFT + n * step * scale;
    char text[32];
    snprintf(text, sizeof text, "%.6g", n * step);
    fprintf(to, "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/>\n", x, TOP - 8, bottom);
    gantry_svg_text(to, x, bottom + 16, "middle", text);
  }
  gantry_svg_text(to, LEFT + longest * scale / 2, bottom + 34, "middle", b->unit);
}

static void put_bar(FILE *to, const gantry_svg_bars *b, const gantry_svg_bar *bar, double y, double scale) {
  double x = LEFT;
  char text[32];
  gantry_svg_text(to, LEFT - 8, y + BAR - 3, "end", bar->name);
  for (int k = 0; k < GANTRY_SVG_PARTS && b->parts[k]; k++) {
    if (!(bar->parts[k] > 0) || !isfinite(bar->parts[k])) continue;
    fprintf(to, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>\n", x, y, bar->parts[k] * scale,
            BAR, gantry_svg_colour(k));
    x += bar->parts[k] * scale;
  }
  snprintf(text, sizeof text, "%.4g", length_of(b, bar));
  gantry_svg_text(to, x + 6, y + BAR - 3, "start", text);
}

char *gantry_svg_draw_bars(const gantry_svg_bars *b, int width, ct_error **error) {
  char *text = NULL, *copy = NULL;
  size_t size = 0;
  double longest = 0;
  for (size_t n = 0; n < b->count; n++) longest = fmax(longest, length_of(b, b->bars + n));
  if (!(longest > 0)) longest = 1;
  const double bottom = TOP + (double)b->count * ROW, scale = (width - LEFT - RIGHT) / longest;
  FILE *to = ct_text_stream(&text, &size);
  if (to) {
    gantry_svg_begin(to, width, (int)bottom + BOTTOM);
    gantry_svg_text(to, width / 2.0, 20, "middle", b->title);
    put_legend(to, b, width);
    put_scale(to, b, longest, scale, bottom);
    for (size_t n = 0; n < b->count; n++) put_bar(to, b, b->bars + n, TOP + (double)n * ROW, scale);
    fputs("</svg>\n", to);
    if (fclose(to) == 0) copy = ct_strdup(text, error);
  }
  free(text);
  if (!copy && error && !*error) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the picture.");
  return copy;
}
