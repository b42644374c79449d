/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counted in the sources, per update, as the innermost loops are written: minima, maxima, conversions, permutes and
 * integers of places are no flops, and what a line or a column of voxels shares (places, weights, the first sample of a
 * window) is left out, except where a whole line of samples is blended for it. Products and sums of samples kept in
 * integers count as those of floats do; widening samples of 16 bits is a conversion. */
#include "app/bench/counts-lines-private.h"

#include "recon/bp/layout/stored.h"
#include "recon/bp/support.h"
#include "render/compute/device.h"

#include <math.h>
#include <string.h>

/* Fixed costs. RabbitCT's loop: three dot products of 6, two quotients, fractions and four weights 4 + 4 x 2 + 3, the
 * square of w and its use 3, the sum; four samples, the voxel read and written, which two views share. The voxel loop:
 * affine in i. chen-*: w, u and the weight leave the loop (share), half of the row positions (symmetry). */
static const struct {
  const char *name; /* id or family */
  bench_count count;
} fixed[] = {
    {"serial-loop", {39, 24}},
    {"slabs", {39, 24}},
    {"slabs-two-views", {39, 20}},
    {"slabs-unroll-jam", {39, 20}},
    {"voxel-loop", {26, 24}},
    {"chen-transpose", {28, 24}},
    {"chen-share", {16, 24}},
    {"chen-symmetry", {14.5, 24}},
    /* Two fused operations; two samples, and sums that eight views share. */
    {"slices", {4, 9}},
    /* The same by bins, as difference, product and two sums; the place, a product, a sum and the fraction, which the
     * slices of a vector of four share. With values and differences a sum less; of cached columns, double numbers, the
     * product. Of fewer than four slices each sum is stored after every view, for it might be one of the samples. */
    {"slices-1", {7, 12.5}},
    {"slices-2", {5.5, 12.5}},
    {"differences-1", {6, 12.5}},
    {"differences-4", {3, 9}},
    {"columns-1", {5, 20.5}},
    {"columns-4", {3, 9}},
    /* The nearest of four samples a bin, one for two; its place without a fraction. */
    {"oversampled-1", {3, 8.5}},
    {"oversampled-4", {1, 5}},
    {"oversampled-16", {1, 5}},
    /* Halves: as slices-4, the view's unit, each sum stored; two fused operations with the unit in the weights. */
    {"half-4", {5, 8.5}},
    {"half-64", {4, 5}},
    /* A word of two samples, two products and two sums; of eight views the sum in floats. */
    {"slices-int16", {4.25, 5}},
    {"slices-4", {4, 9}},
    {"slices-8", {4, 9}},
    {"slices-16", {4, 9}},
    {"slices-64", {4, 9}},
};

/* Sub-lines: 3 flops and 12 bytes a detector row, over the voxels of a column. */
static const struct {
  const char *name;
  bench_count count;
  bool by_batch; /* the voxel is read and written once a batch, else once a view */
} sublines[] = {
    {"chen-subline", {8.5, 8}, true},
    {"chen-share-local", {10, 16}, true},
    {"chen-symmetry-local", {8.5, 16}, true},
    {"chen-prefetch", {8.5, 16}, true},
};

static const char *name_of(const ct_bp_kernel *kernel) {
  return kernel->family ? kernel->family : kernel->id;
}

/* Greatest step of the contiguous coordinate from voxel to voxel along x (0) or z (2) in the middle of the grid, px. */
static double step_along(const ct_bp_request *request, int axis, int row) {
  const ct_grid *g = &request->grid;
  double greatest = 0;
  for (int view = 0; view < request->geometry->views; view++) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, g, m);
    const double w = m[8] * 0.5 * g->nx + m[9] * 0.5 * g->ny + m[10] * 0.5 * g->nz + m[11];
    greatest = fmax(greatest, fabs(m[4 * row + axis] / w));
  }
  return greatest;
}

/* Vectors that hold the samples of one vector of voxels: 1, 2 or 4. */
static int windows_of(const ct_bp_kernel *kernel, double step) {
  const double span = (kernel->width - 1) * step + 2;
  return span <= kernel->width ? 1 : span <= 2 * kernel->width ? 2 : 4;
}

/* Columns of 2 x 1024 voxels at most see the mirror image of a half, with the rows' fractions. */
static double share_of_mirror(const ct_bp_request *request) {
  int twice_centre;
  return ct_bp_mirrored(request, 2048, &twice_centre) ? 0.5 : 1;
}

/* Where rows a voxel are beyond all windows, voxel by voxel: the row and its fraction 4, shared by mirrored voxels,
 * three interpolations and the sum 10; four samples, the sum loaded and stored. */
static bench_count of_single_voxels(double shared, int sample) {
  return (bench_count){4 * shared + 10, 4 * sample + 8};
}

/* The row's fraction 1, shared by mirrored voxels, and a linear interpolation 4, each vector of a window blended from
 * two columns 3; sums that four views share. Vectors of 8 that need more than about one window keep even and odd rows
 * apart: shares of both 3, likewise, two fused operations, twice as many windows. */
static bench_count of_z_window(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const double step = step_along(request, 2, 1), shared = share_of_mirror(request);
  const int sample = (int)ct_stored_bytes(request->precision);
  const bool apart = kernel->width == 8 && step > 0.95 * 6 / 7;
  if (step > (apart ? 2 * 14.5 / 7 : (4 * kernel->width - 2.0) / (kernel->width - 1)))
    return of_single_voxels(shared, sample);
  if (apart) {
    const int halves = step <= 13.0 / 7 ? 1 : 2;
    return (bench_count){3 * shared + 4 + 6 * halves, 4 * sample * halves + 2};
  }
  const int windows = windows_of(kernel, step);
  return (bench_count){shared + 4 + 3 * windows, 2 * sample * windows + 2};
}

/* Windows of 32 samples for 32 voxels, or one or two for 16, each blended from two columns by two products and a sum;
 * the weight of the row below 1, shared by mirrored voxels, two products and two sums; sums that four views share. */
static bench_count of_z_window_int16(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  (void)kernel;
  const double step = step_along(request, 2, 1);
  if (step > 4) return of_single_voxels(share_of_mirror(request), sizeof(int16_t));
  const double vectors = step <= 30.0 / 31 ? 1 : step <= 2 ? 2 : 4; /* for 32 voxels */
  return (bench_count){share_of_mirror(request) + 4 + 0.5 + 3 * vectors, 4 * vectors + 2};
}

/* The same without blending; sums that eight views share. Beyond all windows a place 4, an interpolation 3 and the sum.
 */
static bench_count of_rows(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const double step = step_along(request, 0, 0);
  if (step > (4 * kernel->width - 2.0) / (kernel->width - 1)) return (bench_count){8, 16};
  return (bench_count){6, 4 * windows_of(kernel, step) + 1};
}

/* Whether w changes by more than 0.16 % from the middle of a vector of voxels to its ends, where `free` takes them as
 * `lines` does, as it does beyond all windows. */
static bool has_steep_depth(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_grid *g = &request->grid;
  for (int view = 0; view < request->geometry->views; view++) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, g, m);
    double w = m[11];
    const int counts[3] = {g->nx, g->ny, g->nz};
    for (int n = 0; n < 3; n++) w += fmin(0, m[8 + n] * (counts[n] - 1));
    if (!(w > 0.01) || fabs(m[10]) * (kernel->width - 1) / 2 > 1.6e-3 * w) return true;
  }
  return false;
}

/* Along z, for three columns: the reciprocal 5, both coordinates 6, what is odd and even 4, the weight 1, with a unit
 * 2; of each column an interpolation 3; between the columns 7, the sum 2. Even and odd rows stand apart. */
static bench_count of_matrices(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const double step = step_along(request, 2, 1) * (kernel->width - 1) / 2;
  if (step > 4 * kernel->width - 2.6 || has_steep_depth(kernel, request)) return bench_count_columns(kernel, request);
  const int windows = step <= kernel->width - 2.6 ? 1 : step <= 2 * kernel->width - 2.6 ? 2 : 4;
  const int sample = (int)ct_stored_bytes(request->precision), unit = request->precision != CT_PRECISION_FLOAT32;
  return (bench_count){16 + unit + 3 * 3 + 7 + 2, 3 * 2 * sample * windows + 8};
}

static bench_count of_rectified(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return bench_count_rectified(kernel, request, of_z_window);
}

/* Counted for linear interpolation, unless they have others alone. */
static const struct {
  const char *name;
  bench_counter *count;
} counters[] = {
    {"z-window", of_z_window},  {"z-window-int16", of_z_window_int16},
    {"rows", of_rows},          {"lines", bench_count_lines},
    {"free", of_matrices},      {"rectified", of_rectified},
    {"taps", bench_count_taps},
};

/* Views that meet a voxel in one sweep over the volume at most; of kernels that are not listed all of a run. */
static const struct {
  const char *name; /* id or family */
  int views;
} passes[] = {
    {"voxel-loop", 1},        {"serial-loop", 1},          {"slabs", 1},
    {"slabs-two-views", 2},   {"slabs-unroll-jam", 2},     {"chen-transpose", 1},
    {"chen-share", 1},        {"chen-symmetry", 1},        {"chen-subline", 32},
    {"chen-share-local", 32}, {"chen-symmetry-local", 32}, {"chen-prefetch", 32},
    {"rectified", 32},        {"z-window-int16", 64},      {"z-window", 128},
    {"slices", 256},          {"slices-int16", 256},
};

int bench_pass_views(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const int batch = request->batch > 0 ? request->batch : 1;
  if (kernel->gpu) return request->device ? ctgl_pass_views(kernel->id, request) : batch;
  for (size_t n = 0; n < sizeof passes / sizeof *passes; n++)
    if (!strcmp(name_of(kernel), passes[n].name)) return passes[n].views < batch ? passes[n].views : batch;
  return batch;
}

bool bench_count_of(const ct_bp_kernel *kernel, const ct_bp_request *request, bench_count *count) {
  const char *name = name_of(kernel);
  if (kernel->gpu || (kernel->interps & CT_BIT(CT_INTERP_LINEAR) && request->interp != CT_INTERP_LINEAR)) return false;
  for (size_t n = 0; n < sizeof fixed / sizeof *fixed; n++)
    if (!strcmp(name, fixed[n].name)) {
      *count = fixed[n].count;
      return true;
    }
  for (size_t n = 0; n < sizeof sublines / sizeof *sublines; n++)
    if (!strcmp(name, sublines[n].name)) {
      const double rows = (request->geometry->nv + 3.0) / request->grid.nz;
      const int views = bench_pass_views(kernel, request);
      *count = (bench_count){sublines[n].count.flops + 3 * rows, sublines[n].count.bytes + 12 * rows + 8.0 / views};
      return true;
    }
  *count = (bench_count){0, 0};
  for (size_t n = 0; n < sizeof counters / sizeof *counters; n++)
    if (!strcmp(name, counters[n].name)) *count = counters[n].count(kernel, request);
  return count->flops > 0;
}
