/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots as SVG. */
#include "app/svg.h"

#include "recon/base/text-stream.h"
#include "recon/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Colours that remain apart for most colour-blind readers (Okabe and Ito 2008), dark ones first. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"};
enum { COLOURS = sizeof colours / sizeof *colours, LEFT = 78, RIGHT = 18, TOP = 44, BOTTOM = 46 };

typedef struct axis {
  double low, high; /* of the logarithm where it is logarithmic */
  bool log;
  double from, to; /* px */
} axis;

static bool is_shown(double value, bool log) {
  return isfinite(value) && (!log || value > 0);
}

static double place(const axis *a, double value) {
  const double at = fmax(a->log ? log10(value) : value, a->low);
  return a->from + (at - a->low) / (a->high - a->low) * (a->to - a->from);
}

static axis make_axis(const gantry_svg_panel *panel, bool vertical, double from, double to) {
  axis a = {INFINITY, -INFINITY, vertical ? panel->log_y : panel->log_x, from, to};
  bool curves = false;
  for (size_t c = 0; c < panel->count; c++) curves = curves || !panel->curves[c].points;
  for (size_t c = 0; c < panel->count; c++)
    for (size_t i = 0; i < panel->curves[c].count; i++) {
      const double x = panel->curves[c].x[i], y = panel->curves[c].y[i], value = vertical ? y : x;
      if (!is_shown(x, panel->log_x) || !is_shown(y, panel->log_y)) continue;
      a.low = fmin(a.low, a.log ? log10(value) : value);
      a.high = fmax(a.high, a.log ? log10(value) : value);
    }
  if (!(a.low <= a.high)) a.low = 0, a.high = 1;
  if (vertical && a.log && panel->decades > 0) a.low = fmax(a.low, a.high - panel->decades);
  const double margin = a.high > a.low ? (vertical || !curves ? 0.06 : 0) * (a.high - a.low)
                                       : fmax(0.5 * fabs(a.low), a.log ? 0.5 : 1e-12);
  a.low -= margin;
  a.high += margin;
  return a;
}

/* 1, 2 or 5 times a power of ten, of which 4 to 9 fit the range. */
double gantry_svg_step(double range) {
  const double power = pow(10, floor(log10(range / 4)));
  const double part = range / 4 / power;
  return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

static void put_escaped(FILE *to, const char *text) {
  for (; text && *text; text++) {
    if (*text == '<')
      fputs("&lt;", to);
    else if (*text == '>')
      fputs("&gt;", to);
    else if (*text == '&')
      fputs("&amp;", to);
    else
      fputc(*text, to);
  }
}

void gantry_svg_text(FILE *to, double x, double y, const char *anchor, const char *text) {
  fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  put_escaped(to, text);
  fputs("</text>\n", to);
}

static void put_tick(FILE *to, const axis *a, bool vertical, double value, const axis *other) {
  const double at = place(a, value);
  char text[32];
  snprintf(text, sizeof text, "%.6g", fabs(value) < 1e-9 * fmax(fabs(a->low), fabs(a->high)) && !a->log ? 0 : value);
  if (vertical)
    fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", other->from, at, other->to);
  else
    fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", at, other->from, other->to);
  if (vertical)
    gantry_svg_text(to, other->from - 6, at + 4, "end", text);
  else
    gantry_svg_text(to, at, other->from + 16, "middle", text);
}

static void put_ticks(FILE *to, const axis *a, bool vertical, const axis *other) {
  const bool decades = a->log && a->high - a->low >= 1.5;
  if (decades) {
    const double every = fmax(1, ceil((a->high - a->low) / 8));
    for (double e = ceil(a->low / every) * every; e <= a->high; e += every)
      put_tick(to, a, vertical, pow(10, e), other);
    return;
  }
  const double low = a->log ? pow(10, a->low) : a->low, high = a->log ? pow(10, a->high) : a->high;
  const double step = gantry_svg_step(high - low);
  for (double n = ceil(low / step); n * step <= high; n++)
    if (is_shown(n * step, a->log)) put_tick(to, a, vertical, n * step, other);
}

static void put_curve(FILE *to, const gantry_svg_panel *panel, const gantry_svg_curve *curve, const axis *x,
                      const axis *y) {
  bool drawing = false;
  fprintf(to, "<path class=\"curve\" stroke=\"%s\" d=\"", colours[curve->colour % COLOURS]);
  for (size_t i = 0; i < curve->count; i++) {
    const bool shown = is_shown(curve->x[i], panel->log_x) && is_shown(curve->y[i], panel->log_y);
    if (shown) fprintf(to, "%c%.2f %.2f", drawing ? 'L' : 'M', place(x, curve->x[i]), place(y, curve->y[i]));
    drawing = shown;
  }
  fputs("\"/>\n", to);
}

/* Where names of points stand: from, to, and the line below, px. */
enum { MOST_NAMES = 512 };
typedef struct names {
  double at[MOST_NAMES][3];
  int count;
} names;

/* The nearest line within the frame, below or above, on which a name from x0 to x1 touches no other. */
static double free_line(names *taken, double x0, double x1, double line, const axis *y) {
  const double height = 13;
  for (int n = 0; n < 4 * MOST_NAMES; n++) {
    const double at = line + (n % 2 ? 1 : -1) * ((n + 1) / 2) * height / 2;
    bool touches = at < y->to + height || at > y->from - 3;
    for (int k = 0; k < taken->count && !touches; k++)
      touches = x0 < taken->at[k][1] && x1 > taken->at[k][0] && fabs(at - taken->at[k][2]) < height;
    if (touches) continue;
    if (taken->count < MOST_NAMES) {
      double *own = taken->at[taken->count++];
      own[0] = x0, own[1] = x1, own[2] = at;
    }
    return at;
  }
  return line;
}

/* The name stands to the side where there is more room. Widths of names are estimated. */
static void put_point(FILE *to, const gantry_svg_panel *panel, const gantry_svg_curve *curve, const axis *x,
                      const axis *y, names *taken) {
  for (size_t i = 0; i < curve->count; i++) {
    if (!is_shown(curve->x[i], panel->log_x) || !is_shown(curve->y[i], panel->log_y)) continue;
    const double px = place(x, curve->x[i]), py = place(y, curve->y[i]);
    const bool right = px < (x->from + x->to) / 2;
    fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", px, py, colours[curve->colour % COLOURS]);
    const double near = px + (right ? 7 : -7), far = near + (right ? 7 : -7) * (double)strlen(curve->name);
    const double line = free_line(taken, fmin(near, far), fmax(near, far), py + 4, y);
    if (fabs(line - py - 4) > 8)
      fprintf(to, "<path class=\"grid\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", px, py, near, line - 4);
    gantry_svg_text(to, near, line, right ? "start" : "end", curve->name);
  }
}

/* Above the upper right corner, beside one another, so that it hides nothing. Widths of names are estimated. */
static void put_legend(FILE *to, const gantry_svg_panel *panel, const axis *x, const axis *y) {
  double at = x->to;
  for (size_t c = panel->count; c-- > 0;) {
    const char *name = panel->curves[c].name;
    if (panel->curves[c].points) continue;
    gantry_svg_text(to, at, y->to - 7, "end", name);
    at -= 7.5 * (double)strlen(name) + 6;
    fprintf(to, "<path class=\"curve\" stroke=\"%s\" d=\"M%.1f %.1fh-18\"/>\n",
            colours[panel->curves[c].colour % COLOURS], at, y->to - 11);
    at -= 18 + 14;
  }
}

static void put_panel(FILE *to, const gantry_svg_panel *panel, double top, int width, double height) {
  const axis x = make_axis(panel, false, LEFT, width - RIGHT),
             y = make_axis(panel, true, top + height - BOTTOM, top + TOP);
  put_ticks(to, &x, false, &y);
  put_ticks(to, &y, true, &x);
  fprintf(to, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", x.from, y.to,
          x.to - x.from, y.from - y.to);
  /* Names lie over no point either. */
  names taken = {.count = 0};
  for (size_t c = 0; c < panel->count; c++)
    for (size_t i = 0; panel->curves[c].points && i < panel->curves[c].count && taken.count < MOST_NAMES / 2; i++) {
      double *own = taken.at[taken.count++];
      const double px = place(&x, panel->curves[c].x[i]);
      own[0] = px - 5, own[1] = px + 5, own[2] = place(&y, panel->curves[c].y[i]) + 4;
    }
  for (size_t c = 0; c < panel->count; c++)
    if (!panel->curves[c].points) put_curve(to, panel, &panel->curves[c], &x, &y);
  for (size_t c = 0; c < panel->count; c++)
    if (panel->curves[c].points) put_point(to, panel, &panel->curves[c], &x, &y, &taken);
  if (panel->count > 1) put_legend(to, panel, &x, &y);
  if (panel->title) gantry_svg_text(to, x.from, top + 16, "start", panel->title);
  if (panel->x_title) gantry_svg_text(to, (x.from + x.to) / 2, y.from + 34, "middle", panel->x_title);
  if (!panel->y_title) return;
  fprintf(to, "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">", (y.from + y.to) / 2);
  put_escaped(to, panel->y_title);
  fputs("</text>\n", to);
}

void gantry_svg_begin(FILE *to, int width, int height) {
  fprintf(to,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n<style>.grid{stroke:#e4e4e4;fill:none}.frame{stroke:#444;fill:"
          "none}.curve{fill:none;stroke-width:1.3;stroke-linejoin:round}</style>\n<rect width=\"%d\" height=\"%d\" "
          "fill=\"#ffffff\"/>\n",
          width, height, width, height, width, height);
}

const char *gantry_svg_colour(int index) {
  return colours[index % COLOURS];
}

char *gantry_svg(const gantry_svg_panel *panels, size_t count, int width, int height, ct_error **error) {
  char *text = NULL, *copy = NULL;
  size_t size = 0;
  FILE *to = ct_text_stream(&text, &size);
  if (to) {
    gantry_svg_begin(to, width, height);
    for (size_t i = 0; i < count; i++)
      put_panel(to, &panels[i], (double)i * height / (double)count, width, (double)height / (double)count);
    fputs("</svg>\n", to);
    if (fclose(to) == 0) copy = ct_strdup(text, error);
  }
  free(text);
  if (!copy && error && !*error) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the picture.");
  return copy;
}
