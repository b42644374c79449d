/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of the Fourier slice theorem: F(f) = dx dy sum s(x, y) exp(-2 pi i f n (x, y)) over voxels, with n the direction
 * in which columns count, and P(f) = du sum p(u) exp(-2 pi i f u) over columns, u in mm from the axis. */
#include "recon/solve/slice-theorem.h"

#include "recon/base/memory.h"
#include "recon/bp/choices.h"
#include "recon/bp/interp-response.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdio.h>

static void turn(double phase, double out[2]) {
  out[0] = cos(-2 * M_PI * phase);
  out[1] = sin(-2 * M_PI * phase);
}

static void add_product(const double a[2], const double b[2], double sum[2]) {
  sum[0] += a[0] * b[0] - a[1] * b[1];
  sum[1] += a[0] * b[1] + a[1] * b[0];
}

/* along: phases of the columns, [nx][2], overwritten. */
static void transform_slice(const ct_grid *g, const float *slice, double fx, double fy, double (*along)[2],
                            double out[2]) {
  for (int i = 0; i < g->nx; i++) turn(fx * (g->x0 + i * g->dx), along[i]);
  double sum[2] = {0, 0};
  for (int j = 0; j < g->ny; j++) {
    const float *row = slice + (size_t)j * (size_t)g->nx;
    double line[2] = {0, 0}, up[2];
    for (int i = 0; i < g->nx; i++) {
      line[0] += (double)row[i] * along[i][0];
      line[1] += (double)row[i] * along[i][1];
    }
    turn(fy * (g->y0 + j * g->dy), up);
    add_product(line, up, sum);
  }
  out[0] = sum[0] * g->dx * g->dy;
  out[1] = sum[1] * g->dx * g->dy;
}

static void transform_row(const ct_geometry *g, const float *row, double axis, double frequency, double out[2]) {
  double sum[2] = {0, 0};
  for (int u = 0; u < g->nu; u++) {
    double phase[2];
    turn(frequency * (u - axis) * g->du, phase);
    sum[0] += (double)row[u] * phase[0];
    sum[1] += (double)row[u] * phase[1];
  }
  out[0] = sum[0] * g->du;
  out[1] = sum[1] * g->du;
}

bool ct_slice_theorem(const ct_grid *grid, const float *slice, const ct_geometry *geometry, int view, const float *row,
                      int count, ct_slice_theorem_sample *samples, ct_error **error) {
  double m[12];
  if (!ct_geometry_promises(geometry, CT_GEOMETRY_PARALLEL | CT_TRAIT_CIRCULAR) || geometry->tilt != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The Fourier slice theorem holds for parallel rays at right angles to the axis, before a "
                        "detector without tilt; this scan has %s%s.",
                        ct_geometry_title(geometry), geometry->tilt != 0 ? " and a tilt" : "");
  if (count < 2 || view < 0 || view >= geometry->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no view %d among the %d, or no two frequencies in %d.",
                        view, geometry->views, count);
  ct_geometry_matrix(geometry, view, m);
  const double nyquist = 0.5 / geometry->du;
  bool good = true;
#pragma omp parallel
  {
    double(*along)[2] = ct_alloc((size_t)grid->nx, sizeof *along, "the phases of a row", NULL);
#pragma omp for schedule(dynamic)
    for (int n = 0; n < count; n++) {
      ct_slice_theorem_sample *s = &samples[n];
      s->frequency = nyquist * n / (count - 1);
      s->passed = 1;
      if (along)
        transform_slice(grid, slice, s->frequency * m[0] * geometry->du, s->frequency * m[1] * geometry->du, along,
                        s->slice);
      transform_row(geometry, row, m[3], s->frequency, s->projection);
    }
    if (!along)
#pragma omp atomic write
      good = false;
    ct_free(along);
  }
  return good || ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the phases of a row.");
}

static double apart(const ct_slice_theorem_sample *s, double passed) {
  return hypot(s->slice[0] - passed * s->projection[0], s->slice[1] - passed * s->projection[1]);
}

static double largest_apart(const ct_slice_theorem_sample *samples, int count, double share, bool damped) {
  double largest = 0, difference = 0;
  for (int n = 0; n < count; n++) {
    const ct_slice_theorem_sample *s = &samples[n];
    largest = fmax(largest, hypot(s->projection[0], s->projection[1]));
    if (n <= share * (count - 1)) difference = fmax(difference, apart(s, damped ? s->passed : 1));
  }
  return largest > 0 ? difference / largest : NAN;
}

double ct_slice_theorem_difference(const ct_slice_theorem_sample *samples, int count, double share) {
  return largest_apart(samples, count, share, false);
}

double ct_slice_theorem_rest(const ct_slice_theorem_sample *samples, int count, double share) {
  return largest_apart(samples, count, share, true);
}

static void pass_interpolation(ct_interp interp, ct_slice_theorem_sample *samples, int count) {
  enum { BLOCK = 64 };
  double frequencies[BLOCK], responses[BLOCK];
  for (int first = 0; first < count; first += BLOCK) {
    const int many = count - first < BLOCK ? count - first : BLOCK;
    for (int i = 0; i < many; i++) frequencies[i] = 0.5 * (first + i) / (count - 1);
    ct_interp_response(interp, frequencies, many, responses);
    for (int i = 0; i < many; i++) samples[first + i].passed *= responses[i];
  }
}

bool ct_slice_theorem_pass(const ct_plan *plan, const ct_geometry *geometry, ct_slice_theorem_sample *samples,
                           int count, char *words, size_t size) {
  const ct_filter_options *filter = &plan->filter;
  const bool reads = plan->iterative.method == CT_METHOD_DIRECT,
             windowed = filter->window != CT_WINDOW_RAM_LAK || filter->cutoff < 1;
  if (ct_geometry_diverges(geometry) || ct_method_iterates(plan->iterative.method) ||
      filter->window == CT_WINDOW_NONE || !(reads || windowed))
    return false;
  for (int n = 0; n < count; n++)
    samples[n].passed = ct_window_value(filter->window, filter->cutoff, (double)n / (count - 1));
  if (reads) pass_interpolation((ct_interp)plan->interp, samples, count);
  snprintf(words, size, "%s%s%s%s", windowed ? "the filter's window" : "", windowed && reads ? " and " : "",
           reads ? ct_interp_id((ct_interp)plan->interp) : "", reads ? " interpolation" : "");
  return true;
}

bool ct_slice_theorem_row(const ct_grid *grid, int k, const ct_geometry *geometry, int view, const float *projection,
                          float *row) {
  double m[12], u, v, w;
  const double point[3] = {0, 0, grid->z0 + k * grid->dz};
  const size_t nu = (size_t)geometry->nu;
  ct_geometry_matrix(geometry, view, m);
  ct_project(m, point, &u, &v, &w);
  /* A slice that lies in a row but for rounding. */
  const double nearest = rint(v), at = fabs(v - nearest) < 1e-6 ? nearest : v;
  if (!(at >= 0 && at <= geometry->nv - 1)) return false;
  const int below = (int)at, above = below + 1 < geometry->nv ? below + 1 : below;
  const float part = (float)(at - below), *low = projection + (size_t)below * nu,
              *high = projection + (size_t)above * nu;
  for (size_t n = 0; n < nu; n++) row[n] = low[n] + part * (high[n] - low[n]);
  return true;
}
