/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line profiles of a slice, and widths at half height. */
#include "recon/metric/line.h"

#include "recon/base/memory.h"

#include <math.h>

enum { MOST_SAMPLES = 1 << 24 };

/* Half a pixel of border is inside: the outer centres go on there. */
static double sample(const ct_slice_image *image, double x, double y) {
  const double u = fmin(fmax((x - image->left) / image->across, 0), image->width - 1),
               v = fmin(fmax((y - image->bottom) / image->up, 0), image->height - 1);
  const int i = (int)fmin(u, image->width > 1 ? image->width - 2 : 0),
            j = (int)fmin(v, image->height > 1 ? image->height - 2 : 0);
  const size_t right = image->width > 1, up = image->height > 1 ? (size_t)image->width : 0;
  const float *p = image->values + (size_t)j * (size_t)image->width + (size_t)i;
  const double a = u - i, b = v - j;
  return (1 - b) * ((1 - a) * p[0] + a * p[right]) + b * ((1 - a) * p[up] + a * p[up + right]);
}

static bool is_inside(const ct_slice_image *image, double x, double y) {
  const double border = 0.5 + 1e-9;
  const double u = (x - image->left) / image->across, v = (y - image->bottom) / image->up;
  return u >= -border && u <= image->width - 1 + border && v >= -border && v <= image->height - 1 + border;
}

static bool check(const ct_slice_image *image, const ct_measure_line *line, const double across[2], ct_error **error) {
  for (int corner = 0; corner < 4; corner++) {
    const double *end = corner & 1 ? line->to : line->from, side = corner & 2 ? 0.5 : -0.5;
    const double x = end[0] + side * across[0], y = end[1] + side * across[1];
    if (!is_inside(image, x, y))
      return ct_error_set(
          error, CT_ERROR_ARGUMENT, "The line leaves the slice at (%g, %g); that reaches from (%g, %g) to (%g, %g).", x,
          y, image->left - image->across / 2, image->bottom - image->up / 2,
          image->left + (image->width - 0.5) * image->across, image->bottom + (image->height - 0.5) * image->up);
  }
  return true;
}

bool ct_line_profile_make(const ct_slice_image *image, const ct_measure_line *line, ct_line_profile *profile,
                          ct_error **error) {
  const double d[2] = {line->to[0] - line->from[0], line->to[1] - line->from[1]}, length = hypot(d[0], d[1]);
  const double fine = fmin(image->across, image->up) / 2, thick = line->thickness;
  *profile = (ct_line_profile){0};
  if (!(length > 0) || !isfinite(length) || !(thick >= 0) || !isfinite(thick))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A line takes two different points, and a thickness of 0 or more.");
  const double across[2] = {-d[1] / length * thick, d[0] / length * thick};
  if (!check(image, line, across, error)) return false;
  const double steps = fmax(ceil(length / fine), 2), lanes = fmax(ceil(thick / fine), 1);
  if (steps > MOST_SAMPLES || lanes > MOST_SAMPLES)
    return ct_error_set(error, CT_ERROR_MEMORY, "The line is too long.");
  const size_t count = (size_t)steps + 1, breadth = (size_t)lanes;
  profile->values = ct_alloc(count, sizeof *profile->values, "the profile", error);
  if (!profile->values) return false;
  profile->count = count;
  profile->step = length / steps;
  for (size_t n = 0; n < count; n++) {
    const double t = (double)n / steps;
    double sum = 0;
    for (size_t m = 0; m < breadth; m++) {
      const double s = ((double)m + 0.5) / lanes - 0.5;
      sum += sample(image, line->from[0] + t * d[0] + s * across[0], line->from[1] + t * d[1] + s * across[1]);
    }
    profile->values[n] = sum / lanes;
  }
  return true;
}

void ct_line_profile_clear(ct_line_profile *profile) {
  ct_free(profile->values);
  *profile = (ct_line_profile){0};
}

static double mean_of(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += values[i];
  return sum / (double)count;
}

/* The place (in samples) where the values reach a level, walking from `begin` towards `end` on either side; NaN: they
 * do not. */
static double crossing(const double *values, size_t begin, size_t end, double level) {
  const ptrdiff_t way = begin < end ? 1 : -1;
  const bool above = values[begin] > level;
  for (size_t i = begin; i != end; i = (size_t)((ptrdiff_t)i + way)) {
    const size_t next = (size_t)((ptrdiff_t)i + way);
    if ((values[next] > level) == above) continue;
    return (double)i + (double)way * (level - values[i]) / (values[next] - values[i]);
  }
  return NAN;
}

/* Full width at half height of the extreme at `top` above a base of `level`. */
static double width_about(const double *values, size_t count, size_t top, double level, double edges[2]) {
  const double half = (values[top] + level) / 2;
  edges[0] = crossing(values, top, 0, half);
  edges[1] = crossing(values, top, count - 1, half);
  return edges[1] - edges[0];
}

static void find_peak(const ct_line_profile *profile, ct_line_widths *w) {
  const double base = (w->before + w->after) / 2, apart = fabs(w->after - w->before);
  size_t top = 0;
  double most = 0;
  for (size_t i = 0; i < profile->count; i++) {
    const double value = profile->values[i];
    /* beyond both levels: what lies between them is an edge's */
    const double out = fmin(fabs(value - w->before), fabs(value - w->after));
    if ((value - w->before) * (value - w->after) > 0 && out > most) {
      most = out;
      top = i;
    }
  }
  if (!(most > apart) || most == 0) return;
  double edges[2];
  w->peak = profile->values[top];
  w->peak_at = (double)top * profile->step;
  w->peak_width = width_about(profile->values, profile->count, top, base, edges) * profile->step;
  for (int side = 0; side < 2; side++) w->peak_edges[side] = edges[side] * profile->step;
}

static void find_edge(const ct_line_profile *profile, ct_line_widths *w) {
  const size_t count = profile->count;
  const double height = w->after - w->before;
  if (!(fabs(height) > 0)) return;
  /* Outwards from the middle, so that noise of the levels is no edge. */
  const double *values = profile->values;
  size_t middle = 0;
  while (middle + 1 < count && (values[middle + 1] - w->before) / height < 0.5) middle++;
  if (middle + 1 == count) return;
  const double from = crossing(values, middle + 1, 0, w->before + 0.1 * height),
               to = crossing(values, middle, count - 1, w->before + 0.9 * height);
  w->edge_at = crossing(values, middle, count - 1, w->before + 0.5 * height) * profile->step;
  w->edge_rise = (to - from) * profile->step;
  double *slope = ct_alloc(count - 1, sizeof *slope, "the slope", NULL);
  if (!slope) return;
  size_t top = 0;
  for (size_t i = 0; i + 1 < count; i++) {
    slope[i] = (values[i + 1] - values[i]) / height;
    if (slope[i] > slope[top]) top = i;
  }
  double edges[2];
  w->edge_width = width_about(slope, count - 1, top, 0, edges) * profile->step;
  ct_free(slope);
}

ct_line_widths ct_line_widths_of(const ct_line_profile *profile) {
  const size_t outer = profile->count / 10 ? profile->count / 10 : 1;
  ct_line_widths w = {.peak = NAN, .peak_at = NAN, .peak_width = NAN, .peak_edges = {NAN, NAN}};
  w.edge_at = w.edge_rise = w.edge_width = NAN;
  w.before = mean_of(profile->values, outer);
  w.after = mean_of(profile->values + profile->count - outer, outer);
  find_peak(profile, &w);
  if (isnan(w.peak)) find_edge(profile, &w);
  return w;
}
