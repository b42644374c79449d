/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counted in the sources as counts.c does: kernels whose loops go along lines of voxels and differ by where these look,
 * as means over lines spread over the grid and over views. */
#include "app/bench/counts-lines-private.h"

#include "recon/base/memory.h"
#include "recon/bp/interp.h"
#include "recon/bp/layout/stored.h"
#include "recon/bp/support.h"
#include "recon/bp/window/courses.h"

#include <math.h>

enum { SPREAD = 8, MOST_VIEWS = 64 };

/* Numerators of u, v and w at the first voxel (or pixel) of a line, per voxel, and per voxel aside of the line. */
typedef struct line {
  double at[3], step[3], aside[3];
  int length;
} line;

/* What lines read: which numerator runs along what is contiguous, and bytes of a sample. */
typedef struct image {
  int along, sample;
} image;

typedef struct mean {
  double flops, bytes;
  int count;
} mean;

static void add_to(mean *m, bench_count count) {
  m->flops += count.flops, m->bytes += count.bytes, m->count++;
}

static bench_count mean_of(const mean *m) {
  return m->count ? (bench_count){m->flops / m->count, m->bytes / m->count} : (bench_count){0, 0};
}

/* The guess of AVX-512 is made better by a fused operation and a product; others divide. */
static double reciprocal_of(const ct_bp_kernel *kernel) {
  return kernel->width == 16 && !kernel->portable ? 3 : 1;
}

/* line-inside.h: how many vectors hold the samples of a vector of voxels, and how many detector lines it meets; rows 0:
 * too many, and samples are read pair by pair. */
static void find_windows(const line *l, int lanes, bool askew, const image *im, int *windows, int *rows) {
  const double most = askew ? 0.5 : 0, high = (l->length + lanes - 1) / lanes * lanes - 1.0;
  const double w = l->at[2], last_w = w + high * l->step[2], least_w = fmin(w, last_w) - most * fabs(l->aside[2]);
  const double scale = 1 / (least_w * least_w);
  double span[2];
  for (int n = 0; n < 2; n++) {
    const double last = l->at[n] + high * l->step[n];
    const double aside =
        fmax(fabs(l->aside[n] * w - l->at[n] * l->aside[2]), fabs(l->aside[n] * last_w - last * l->aside[2])) * most *
        scale;
    span[n] = fabs(l->step[n] * w - l->at[n] * l->step[2]) * scale * (lanes - 1) + 2 * aside;
  }
  const double along = span[im->along], away = span[1 - im->along], place = l->at[1 - im->along] / w;
  const bool level = away < 1e-6, met = level && fabs(place - rint(place)) < 1e-9;
  *windows = along + 1.001 < lanes - 1 ? 1 : along + 1.001 < 2 * lanes - 1 ? 2 : 4;
  *rows = along + 1.001 >= 4 * lanes - 1 || away >= lanes / 4 ? 0 : met ? 1 : level ? 2 : away < 1 ? 3 : 4;
}

/* see_inside: both numerators 4 and w 1, the same aside, the reciprocal, two quotients. inside_value: the fraction 1;
 * of each detector line an interpolation 3; between two of them a difference and a sum 3, and from the third on the
 * share's difference; the weight 2, its use and the sum 2. On one detector line nothing of v is calculated. By pairs
 * the place 2, two fractions 2, three interpolations 9, with places, fractions and weight stored and loaded again. Rays
 * side by side have w 1. */
static bench_count of_line(const ct_bp_kernel *kernel, const line *l, bool askew, const image *im) {
  const bool parallel = l->step[2] == 0 && l->aside[2] == 0 && l->at[2] == 1;
  int windows, rows;
  find_windows(l, kernel->width, askew, im, &windows, &rows);
  const double seen = parallel ? 4 + (askew ? 4 : 0) : 7 + reciprocal_of(kernel) + (askew ? 6 : 0);
  const double weight = (parallel ? 0 : 2) + 2, aside = askew ? 4 : 0;
  if (!rows) return (bench_count){seen + 2 + 2 + 9 + weight, aside + 32 + 4 * im->sample + 8};
  const double unseen = rows > 1 ? 0 : (parallel ? 2 : 3) + (askew ? 2 : 0);
  const double between = rows > 1 ? 4 * (rows - 1) - 1 : 0;
  return (bench_count){seen - unseen + 1 + 3 * rows + between + weight,
                       aside + (double)im->sample * windows * rows + 8};
}

/* Calls visit for lines along axis `along`, those of `slope` voxels along axis `across` a voxel. */
static void visit_lines(const ct_bp_request *request, int along, int across, double slope,
                        void (*visit)(void *user, const line *l), void *user) {
  const ct_grid *g = &request->grid;
  const int counts[3] = {g->nx, g->ny, g->nz}, up = 3 - along - across;
  const int views = request->geometry->views;
  for (int view = 0; view < views; view += views / MOST_VIEWS + 1) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, g, m);
    for (int n = 0; n < SPREAD * SPREAD; n++) {
      const double start = (int)((n % SPREAD + 0.5) / SPREAD * counts[across] - slope * (counts[along] - 1) / 2),
                   height = (int)((n / SPREAD + 0.5) / SPREAD * counts[up]);
      line l = {.length = counts[along]};
      for (int r = 0; r < 3; r++) {
        const double *row = m + 4 * r;
        l.at[r] = row[across] * start + row[up] * height + row[3];
        l.step[r] = row[along] + slope * row[across];
        l.aside[r] = slope != 0 ? row[across] : 0;
      }
      if (l.at[2] > 0 && l.at[2] + (l.length - 1) * l.step[2] > 0) visit(user, &l);
    }
  }
}

typedef struct visitor {
  const ct_bp_kernel *kernel;
  bool askew;
  int degree, flat_rows; /* of taps */
  image image;
  mean sum;
} visitor;

static void visit_line(void *user, const line *l) {
  visitor *to = user;
  add_to(&to->sum, of_line(to->kernel, l, to->askew, &to->image));
}

bench_count bench_count_lines(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_course course = ct_lines_course(request, kernel->width);
  visitor to = {.kernel = kernel, .askew = course.slope != 0, .image = {0, sizeof(float)}};
  visit_lines(request, course.along_y ? 1 : 0, course.along_y ? 0 : 1, course.slope, visit_line, &to);
  return mean_of(&to.sum);
}

bench_count bench_count_columns(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  visitor to = {.kernel = kernel, .image = {1, (int)ct_stored_bytes(request->precision)}};
  visit_lines(request, 2, 0, 0, visit_line, &to);
  return mean_of(&to.sum);
}

/* add_vector: w 2, the reciprocal 1, a position 3; what is below it and the polynomials' argument 4, four polynomials
 * by fused operations; of a detector line a product and three fused ones, with its weight another; the weight 3, the
 * sum 1. Lines that lie exactly on a row of pixels meet the taps that count there, without polynomials of v. */
static void visit_taps(void *user, const line *l) {
  visitor *to = user;
  const double row = floor(l->at[1] / l->at[2]);
  const bool flat = (float)(l->at[1] - row * l->at[2]) == 0 && (float)(l->step[1] - row * l->step[2]) == 0;
  const int rows = flat ? to->flat_rows : 4;
  const double axis = 3 + 4 + 4 * 2 * to->degree;
  add_to(&to->sum, (bench_count){3 + axis * (flat ? 1 : 2) + 9 * rows + 4, 4 * 4 * rows + 8});
}

bench_count bench_count_taps(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_grid *g = &request->grid;
  const int sizes[3] = {g->nx, g->ny, g->nz};
  int along = 0, first;
  for (int n = 1; g->nx < 16 && n < 3; n++)
    if (sizes[n] > sizes[along]) along = n;
  double weights[CT_INTERP_TAPS];
  visitor to = {.kernel = kernel, .degree = request->interp == CT_INTERP_CUBIC ? 3 : 11};
  const int taps = ct_interp_taps(ct_interp_get_shape(request->interp), 0, &first, weights);
  for (int n = 0; n < taps; n++) to.flat_rows += fabs(weights[n]) >= 1e-6;
  visit_lines(request, along, along == 0 ? 1 : 0, 0, visit_taps, &to);
  return mean_of(&to.sum);
}

/* A row of a virtual detector is a line in its view, whose sums are cleared first. */
static bench_count of_resampling(const ct_bp_kernel *kernel, const ct_geometry *g, const ct_rectified_view *views) {
  const image whole = {0, sizeof(float)};
  mean sum = {0};
  for (int view = 0; view < g->views; view += g->views / MOST_VIEWS + 1)
    for (int n = 0; n < SPREAD; n++) {
      const ct_rectified_view *v = &views[view];
      const int row = (int)((n + 0.5) / SPREAD * g->nv);
      line l = {.length = g->nu};
      for (int r = 0; r < 3; r++) l.at[r] = v->origin[r] + row * v->along_v[r], l.step[r] = v->along_u[r];
      if (l.at[2] > 0 && l.at[2] + (l.length - 1) * l.step[2] > 0) add_to(&sum, of_line(kernel, &l, false, &whole));
    }
  const bench_count count = mean_of(&sum);
  return (bench_count){count.flops, count.bytes + 4};
}

bench_count bench_count_rectified(const ct_bp_kernel *kernel, const ct_bp_request *request, bench_counter *inner) {
  const int views = request->geometry->views;
  ct_rectified_view *places = ct_alloc((size_t)views, sizeof *places, "the views' virtual detectors", NULL);
  ct_geometry g = {0};
  bench_count count = {0, 0};
  if (places && ct_rectified_geometry(kernel, request->geometry, &g, places, NULL)) {
    ct_bp_request within = *request;
    within.geometry = &g;
    const bench_count plain = inner(kernel, &within), more = of_resampling(kernel, &g, places);
    const double pixels = (double)g.nu * g.nv / (double)ct_grid_voxels(&request->grid);
    count = (bench_count){plain.flops + pixels * more.flops, plain.bytes + pixels * more.bytes};
  }
  ct_geometry_clear(&g);
  ct_free(places);
  return count;
}
