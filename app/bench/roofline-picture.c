/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a roofline. Both axes are logarithmic, so that the roof of a level of memory has slope 1. */
#include "app/bench/roofline-private.h"
#include "app/svg.h"
#include "recon/base/memory.h"
#include "recon/base/text-stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 960,
  LEFT = 58,
  RIGHT = 590, /* of the frame; behind it the lines that lead to the list */
  SHAPES = 662,
  SHAPE = 15, /* from one precision to the next */
  NAMES = 710,
  RATES = 902,
  SHARES = 950,
  TOP = 70,
  PITCH = 14,
  LEAST = 420, /* the frame's height */
  BOTTOM = 52,
  LEVELS = 4,
  LETTER = 7 /* its width, estimated */
};

/* Colours that remain apart for most colour-blind readers, all with a contrast of 3:1 or more on white. */
typedef struct family {
  const char *title, *colour;
  const char *begins[8]; /* ids that do */
} family;

static const family families[] = {
    {"plain loops", "#000000", {"voxel-loop", "serial-loop", "slabs"}},
    {"chen", "#d55e00", {"chen"}},
    {"z-window", "#0072b2", {"z-window"}},
    {"free", "#009e73", {"free"}},
    {"lines, rectified", "#cc79a7", {"lines", "rectified"}},
    {"taps", "#9000f0", {"taps"}},
    {"parallel beam", "#603000", {"slices", "rows", "half", "differences", "columns", "oversampled"}},
    {"others", "#767676", {""}},
};
enum { FAMILIES = sizeof families / sizeof *families };

typedef struct panel {
  FILE *to;
  const bench_roofline_data *all;
  bench_roofline_label *labels;
  size_t count;
  double x[2], y[2];  /* the ends of the axes, log10 */
  double top, bottom; /* of the frame, px */
} panel;

double bench_roof_at(const bench_rates *rates, double intensity) {
  return fmin(rates->fma, rates->l1 * intensity);
}

static const family *family_of(const bench_roofline_point *p) {
  for (int n = 0;; n++)
    for (int k = 0; k < 8 && families[n].begins[k]; k++)
      if (!strncmp(p->name, families[n].begins[k], strlen(families[n].begins[k]))) return &families[n];
}

static double across(const panel *p, double intensity) {
  return LEFT + (log10(intensity) - p->x[0]) / (p->x[1] - p->x[0]) * (RIGHT - LEFT);
}

static double down(const panel *p, double gflops) {
  return p->bottom - (log10(gflops) - p->y[0]) / (p->y[1] - p->y[0]) * (p->bottom - p->top);
}

/* A dot, a square and a diamond around one another are all seen where they coincide. */
static void put_shape(FILE *to, ct_precision precision, double x, double y, const char *colour) {
  if (precision == CT_PRECISION_FLOAT32)
    fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\"/>\n", x, y, colour);
  else if (precision == CT_PRECISION_FLOAT16)
    fprintf(to, "<path class=\"shape\" stroke=\"%s\" d=\"M%.1f %.1fh7.6v7.6h-7.6z\"/>\n", colour, x - 3.8, y - 3.8);
  else if (precision == CT_PRECISION_INT16)
    fprintf(to, "<path class=\"shape\" stroke=\"%s\" d=\"M%.1f %.1fl6.4 6.4l-6.4 6.4l-6.4 -6.4z\"/>\n", colour, x,
            y - 6.4);
  else
    fprintf(to, "<path class=\"shape\" stroke=\"%s\" d=\"M%.1f %.1fl8 8m0 -8l-8 8\"/>\n", colour, x - 4, y - 4);
}

static void put_grey(FILE *to, double x, double y, const char *anchor, const char *text) {
  fputs("<g fill=\"#555\">", to);
  gantry_svg_text(to, x, y, anchor, text);
  fputs("</g>\n", to);
}

/* Ticks and their lines: 1, 2 and 5 of each decade. */
static void put_ticks(const panel *p, bool vertical) {
  const double *ends = vertical ? p->y : p->x;
  static const int steps[] = {1, 2, 5};
  for (int e = (int)floor(ends[0]); e <= (int)ceil(ends[1]); e++)
    for (int n = 0; n < 3; n++) {
      const double value = steps[n] * pow(10, e);
      char text[32];
      if (log10(value) < ends[0] || log10(value) > ends[1]) continue;
      snprintf(text, sizeof text, "%g", value);
      if (vertical) {
        fprintf(p->to, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, down(p, value), RIGHT);
        gantry_svg_text(p->to, LEFT - 6, down(p, value) + 4, "end", text);
      } else {
        fprintf(p->to, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", across(p, value), p->top, p->bottom);
        gantry_svg_text(p->to, across(p, value), p->bottom + 17, "middle", text);
      }
    }
}

/* Along the slope of a roof: the place, of those from its lower end on, with the fewest points beneath the words. */
static void put_slope_title(const panel *p, const char *text, const double from[2], const double to[2]) {
  const double length = hypot(to[0] - from[0], to[1] - from[1]);
  const double ux = (to[0] - from[0]) / length, uy = (to[1] - from[1]) / length;
  const double half = 0.5 * LETTER * (double)strlen(text) + 12;
  double best = half;
  int fewest = 1 << 30;
  for (double at = half; at <= length - half && fewest > 0; at += 6) {
    int hits = 0;
    for (size_t n = 0; n < p->count; n++)
      for (int k = 0; k <= CT_PRECISION_FLOAT64; k++) {
        const bench_roofline_point *point = p->labels[n].points[k];
        if (!point) continue;
        const double dx = across(p, point->intensity) - from[0], dy = down(p, point->gflops) - from[1];
        const double along = dx * ux + dy * uy, above = dx * uy - dy * ux;
        hits += fabs(along - at) < half && above > -6 && above < 22;
      }
    if (hits < fewest) fewest = hits, best = at;
  }
  fprintf(p->to, "<g class=\"halo\" transform=\"translate(%.1f %.1f) rotate(%.2f)\">", from[0] + best * ux,
          from[1] + best * uy, atan2(uy, ux) * 180 / M_PI);
  gantry_svg_text(p->to, 0, -5, "middle", text);
  fputs("</g>\n", p->to);
}

/* The slope of a level within the frame: false where there is none. */
static bool find_slope(const panel *p, double level, double from[2], double to[2]) {
  const double low = fmax(pow(10, p->x[0]), pow(10, p->y[0]) / level),
               high = fmin(pow(10, p->x[1]), p->all->rates.fma / level);
  if (!(low < high)) return false;
  from[0] = across(p, low), from[1] = down(p, low * level);
  to[0] = across(p, high), to[1] = down(p, high * level);
  return true;
}

/* The outer roof and what lies above it, the ridge where it bends, and the slopes of the other levels. */
static void put_roofs(const panel *p) {
  const bench_rates *r = &p->all->rates;
  const double levels[LEVELS] = {r->l1, r->l2, r->l3, r->memory};
  double from[2], to[2];
  const bool roofed = find_slope(p, r->l1, from, to);
  if (roofed)
    fprintf(p->to, "<path fill=\"#f3f3f3\" d=\"M%d %.1fV%.1fH%.1fL%.1f %.1fH%dV%.1fz\"/>\n", LEFT, p->top, from[1],
            from[0], to[0], to[1], RIGHT, p->top);
  put_ticks(p, false);
  put_ticks(p, true);
  for (int n = 1; n < LEVELS; n++)
    if (find_slope(p, levels[n], from, to))
      fprintf(p->to, "<path class=\"level\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", from[0], from[1], to[0], to[1]);
  if (roofed && find_slope(p, r->l1, from, to))
    fprintf(p->to,
            "<path class=\"ridge\" d=\"M%.1f %.1fV%.1f\"/>\n<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fH%d\"/>\n",
            to[0], to[1], p->bottom, from[0], from[1], to[0], to[1], RIGHT);
}

static void put_roof_titles(const panel *p) {
  const bench_rates *r = &p->all->rates;
  const double levels[LEVELS] = {r->l1, r->l2, r->l3, r->memory}, ridge = r->fma / r->l1;
  static const char *const names[LEVELS] = {"L1", "L2", "L3", "memory"};
  double from[2], to[2];
  char text[64];
  for (int n = 0; n < LEVELS; n++) {
    if (!find_slope(p, levels[n], from, to)) continue;
    snprintf(text, sizeof text, "%s %.3g GB/s", names[n], levels[n]);
    put_slope_title(p, text, from, to);
  }
  if (!find_slope(p, r->l1, from, to)) return;
  fputs("<g class=\"halo\">\n", p->to);
  snprintf(text, sizeof text, "FMA %.3g GF/s", r->fma);
  gantry_svg_text(p->to, RIGHT - 8, to[1] - 6, "end", text);
  snprintf(text, sizeof text, "ridge: %.2g flop/B", ridge);
  if (to[0] < RIGHT - 200) gantry_svg_text(p->to, to[0], to[1] - 6, "middle", text);
  fputs("</g>\n", p->to);
}

static void put_points(const panel *p) {
  for (size_t n = p->count; n-- > 0;)
    for (int k = CT_PRECISION_FLOAT64; k >= 0; k--) {
      const bench_roofline_point *point = p->labels[n].points[k];
      if (!point) continue;
      fprintf(p->to, "<g><title>%s, %s: %.3g GF/s, %.2g flop/B</title>", point->name, ct_precision_id(point->precision),
              point->gflops, point->intensity);
      put_shape(p->to, point->precision, across(p, point->intensity), down(p, point->gflops), family_of(point)->colour);
      fputs("</g>\n", p->to);
    }
}

/* From each line of the list to the highest of its points, up to the largest shape there. */
static void put_leaders(const panel *p) {
  for (size_t n = 0; n < p->count; n++) {
    const bench_roofline_label *label = &p->labels[n];
    const double shape = label->points[CT_PRECISION_INT16] ? 7 : 4.5;
    int blank = 0; /* columns of shapes before the first that is there */
    while (blank < CT_PRECISION_INT16 && !label->points[blank]) blank++;
    fprintf(p->to, "<path class=\"leader\" stroke=\"%s\" d=\"M%d %.1fH%dL%d %.1fH%.1f\"/>\n",
            family_of(label->first)->colour, SHAPES - 9 + SHAPE * blank, label->place, SHAPES - 9, RIGHT, label->wanted,
            across(p, label->first->intensity) + shape);
  }
}

static void put_list(const panel *p) {
  char text[32];
  put_grey(p->to, SHAPES - 4, p->top - 8, "start", "kernel");
  put_grey(p->to, RATES, p->top - 8, "end", "GF/s");
  put_grey(p->to, SHARES, p->top - 8, "end", "of roof");
  for (size_t n = 0; n < p->count; n++) {
    const bench_roofline_label *label = &p->labels[n];
    const double line = label->place + 4;
    for (int k = 0; k <= CT_PRECISION_FLOAT64; k++)
      if (label->points[k])
        put_shape(p->to, (ct_precision)k, SHAPES + SHAPE * (k % 3), label->place, family_of(label->first)->colour);
    gantry_svg_text(p->to, NAMES, line, "start", label->first->name);
    snprintf(text, sizeof text, label->high < 10 ? "%.2f" : label->high < 100 ? "%.1f" : "%.0f", label->high);
    gantry_svg_text(p->to, RATES, line, "end", text);
    const double share = 100 * label->high / bench_roof_at(&p->all->rates, label->first->intensity);
    snprintf(text, sizeof text, share < 0.95 ? "%.1g %%" : "%.0f %%", share);
    gantry_svg_text(p->to, SHARES, line, "end", text);
  }
}

/* Precisions, then families that have points, beside one another above the frame. */
static void put_legend(const panel *p, double y) {
  double x = LEFT + 4;
  for (int k = 0; k < CT_PRECISION_FLOAT64; k++) {
    const char *title = ct_precision_id((ct_precision)k);
    put_shape(p->to, (ct_precision)k, x, y - 4, "#000000");
    gantry_svg_text(p->to, x + 11, y, "start", title);
    x += 11 + 6.6 * (double)strlen(title) + 14;
  }
  x += 14;
  for (int f = 0; f < FAMILIES; f++) {
    bool has = false;
    for (size_t n = 0; n < p->count; n++) has = has || family_of(p->labels[n].first) == &families[f];
    if (!has) continue;
    fprintf(p->to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\" fill=\"%s\"/>\n", x, y - 10,
            families[f].colour);
    gantry_svg_text(p->to, x + 16, y, "start", families[f].title);
    x += 16 + 6.6 * (double)strlen(families[f].title) + 14;
  }
}

static void put_panel(const panel *p, double above, const char *title) {
  fputs("<g font-weight=\"bold\">", p->to);
  gantry_svg_text(p->to, LEFT, above + 20, "start", title);
  fputs("</g>\n", p->to);
  put_legend(p, above + 42);
  put_roofs(p);
  put_leaders(p);
  put_roof_titles(p);
  fprintf(p->to, "<rect class=\"frame\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", LEFT, p->top,
          RIGHT - LEFT, p->bottom - p->top);
  put_points(p);
  put_list(p);
  gantry_svg_text(p->to, (LEFT + RIGHT) / 2.0, p->bottom + 35, "middle", "flop per byte of the first-level cache");
  fprintf(p->to, "<g transform=\"translate(16 %.1f) rotate(-90)\">", (p->top + p->bottom) / 2);
  gantry_svg_text(p->to, 0, 0, "middle", "GF/s");
  fputs("</g>\n", p->to);
}

/* All panels have one axis of intensities, with the ridge on it; that of rates begins below the slowest kernel. */
static void set_axes(panel *p) {
  const bench_roofline_data *all = p->all;
  const double ridge = all->rates.fma / all->rates.l1;
  double low = ridge / 2, high = ridge * 3, slowest = all->rates.fma / 10, fastest = all->rates.fma;
  for (size_t n = 0; n < all->count; n++) {
    low = fmin(low, all->points[n].intensity);
    high = fmax(high, all->points[n].intensity);
  }
  for (size_t n = 0; n < p->count; n++) {
    slowest = fmin(slowest, p->labels[n].low);
    fastest = fmax(fastest, p->labels[n].high);
  }
  p->x[0] = log10(low / 1.25), p->x[1] = log10(high * 1.25);
  p->y[0] = log10(slowest / 1.25), p->y[1] = log10(fastest * 1.4);
}

/* The height of the panel follows from the list's. */
static void lay_out(panel *p, double above) {
  p->top = above + TOP;
  p->bottom = p->top + fmax(LEAST, PITCH * (double)p->count);
  set_axes(p);
  for (size_t n = 0; n < p->count; n++) p->labels[n].wanted = down(p, p->labels[n].first->gflops);
  bench_roofline_spread(p->labels, p->count, PITCH, p->top + 0.5 * PITCH, p->bottom - 0.5 * PITCH);
}

static void put_head(FILE *to, double height) {
  gantry_svg_begin(to, WIDTH, (int)height);
  fputs("<style>.shape{fill:none;stroke-width:1.2}.leader{stroke-width:.8;stroke-opacity:.4;fill:none}"
        ".roof{stroke:#222;stroke-width:1.6;fill:none}.level{stroke:#8a8a8a;fill:none}"
        ".ridge{stroke:#8a8a8a;stroke-dasharray:2 3}.halo{stroke:#fff;stroke-width:3;paint-order:stroke}</style>\n",
        to);
}

static void put_panels(panel *panels, const bench_roofline_data *all, FILE *to) {
  double height = 0;
  for (int n = 0; n < all->problems; n++) {
    lay_out(&panels[n], height);
    height = panels[n].bottom + BOTTOM;
  }
  put_head(to, height);
  for (int n = 0; n < all->problems; n++) {
    char title[400];
    snprintf(title, sizeof title, "%s: %s", all->names[n], all->machine);
    panels[n].to = to;
    put_panel(&panels[n], panels[n].top - TOP, title);
  }
  fputs("</svg>\n", to);
}

char *bench_roofline_draw(const bench_roofline_data *all, ct_error **error) {
  bench_roofline_label *labels = ct_alloc_zero(all->count + 1, sizeof *labels, "the picture", error);
  panel panels[BENCH_ROOFLINE_PANELS];
  char *text = NULL, *copy = NULL;
  size_t size = 0, used = 0;
  if (!labels) return NULL;
  for (int n = 0; n < all->problems; n++) {
    panels[n] = (panel){.all = all, .labels = labels + used, .count = bench_roofline_list(all, n, labels + used)};
    used += panels[n].count;
  }
  FILE *to = ct_text_stream(&text, &size);
  if (to) {
    put_panels(panels, all, to);
    if (fclose(to) == 0) copy = ct_strdup(text, error);
  }
  free(text);
  ct_free(labels);
  if (!copy && error && !*error) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the picture.");
  return copy;
}
