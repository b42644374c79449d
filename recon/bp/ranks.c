/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `auto` prefers on the processor, in one table: of the kernels that serve a request the one of highest rank. The
 * order was measured (tests/bench/RESULTS.md): for each family by the class of the problem, in AVX2; the same family in
 * AVX-512 stands 5 above, and in portable vectors behind all intrinsics and before plain C, in the same order, unless
 * SSE2 is all there is. */
#include "recon/bp/kernels-private.h"
#include "recon/bp/ranks-private.h"
#include "recon/bp/support-private.h"
#include "recon/bp/window/conditions-private.h"
#include "recon/geom/questions.h"

#include <string.h>

/* Classes of problems; a family's rows are tried from the first. */
typedef bool problem_class(const ct_bp_kernel *kernel, const ct_bp_request *request);

/* A plane of one or two rows leaves most of a tile empty. */
static bool few_rows(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return request->grid.ny <= 2;
}
static bool few_columns(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return request->grid.nx <= 2;
}

/* Up to eight slices fill half of a vector of 16, and one of 8. */
static bool half_vector(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return kernel->width == 8 && request->grid.nz <= 8;
}
static bool half_wide_vector(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return kernel->width > 8 && request->grid.nz <= 8;
}

/* Every slice costs the same for `rows`; interleaved slices, filled up to whole vectors, cost less from so many on,
 * unless they are no more than a row or two of voxels. */
static bool single_slices(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const bool nearest = request->interp == CT_INTERP_NEAREST;
  const int few = kernel->width == 16 ? (nearest ? 7 : 8) : nearest ? 2 : 4;
  return request->grid.ny <= 2 || request->grid.nz <= few;
}

static bool not_for_lines(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return !ct_lines_is_made_for(kernel, request);
}
/* Interleaved slices find quarters of a pixel for less than windows do, in single precision. */
static bool oversampled_slices(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return request->interp == CT_INTERP_OVERSAMPLED && request->precision == CT_PRECISION_FLOAT32 &&
         ct_geometry_promises(request->geometry, CT_TRAIT_PARALLEL);
}
/* Integers that are widened to float32, where others are multiplied as they are. */
static bool widened_integers(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return request->precision == CT_PRECISION_INT16;
}
static bool axial_planes(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return request->grid.nz <= 12 || ct_geometry_promises(request->geometry, CT_TRAIT_PARALLEL);
}

/* "lines": first for axial planes. Upright ones along x are best read along z, where the detector allows that: twice as
 * fast. Those along y fill no tile there, whose rows run along x. On thick grids, which come here coarse, tilted or by
 * projection matrices alone, the kernel made for those is first, unless the grid is coarse; windows along z where their
 * reach does. */
static const struct {
  const char *family;
  problem_class *when; /* NULL: any other */
  int rank;
  int sse2; /* of portable vectors on x86-64 without AVX2, where the compiler takes permutes apart; 0: as elsewhere */
} vector_ranks[] = {
    {"rows", single_slices, 90, 0},
    {"rows", NULL, 65, 0},
    {"slices", half_vector, 76, 0},
    {"slices", NULL, 70, 0},
    {"slices-int16", few_rows, 58, 0},
    {"slices-int16", half_wide_vector, 64, 0},
    {"slices-int16", NULL, 70, 0},
    {"half-64", half_vector, 66, 21},
    {"half-64", NULL, 60, 21},
    {"z-window", oversampled_slices, 8, 8},
    {"z-window", ct_z_window_is_exceeded, 36, 8},
    {"z-window", widened_integers, 55, 0},
    {"z-window", NULL, 60, 0},
    {"z-window-int16", NULL, 60, 0},
    {"lines", not_for_lines, 38, 8},
    {"lines", axial_planes, 80, 0},
    {"lines", few_columns, 65, 0},
    {"lines", few_rows, 50, 0},
    {"lines", ct_lines_is_coarse, 46, 0},
    {"lines", NULL, 38, 8},
    {"free", NULL, 40, 9},
    {"taps", NULL, 40, 11},
};

/* Kernels without vectors of their own, and those that are never taken where another serves. */
static const struct {
  const char *name; /* id or family */
  int rank;
} plain_ranks[] = {
    {"textbook", 0},        {"serial-loop", 1},      {"rectified", 1},       {"slabs", 3},
    {"slabs-two-views", 4}, {"slabs-unroll-jam", 5}, {"chen-transpose", 6},  {"chen-share", 7},
    {"chen-symmetry", 8},   {"chen-share-local", 8}, {"chen-subline", 9},    {"chen-symmetry-local", 9},
    {"chen-prefetch", 9},   {"voxel-loop", 10},      {"slices-1", 20},       {"differences-1", 20},
    {"columns-1", 20},      {"oversampled-1", 20},   {"slices-2", 21},       {"slices-4", 22},
    {"differences-4", 22},  {"columns-4", 22},       {"oversampled-4", 22},  {"half-4", 22},
    {"slices-8", 23},       {"slices-16", 24},       {"oversampled-16", 24}, {"slices-64", 25},
};

static int rank_in(const ct_bp_kernel *kernel, int rank) {
  if (kernel->portable) return 20 + rank / 5;
  return kernel->width == 16 ? rank + 5 : rank;
}

static bool lacks_avx2(const ct_bp_kernel *kernel) {
#ifdef __x86_64__
  return kernel->portable && ct_simd_usable() == CT_SIMD_BASELINE;
#else
  return false;
#endif
}

static const char *name_of(const ct_bp_kernel *kernel) {
  return kernel->family ? kernel->family : kernel->id;
}

static int plain_rank(const ct_bp_kernel *kernel) {
  for (size_t n = 0; n < sizeof plain_ranks / sizeof *plain_ranks; n++)
    if (!strcmp(name_of(kernel), plain_ranks[n].name)) return plain_ranks[n].rank;
  return -1;
}

int ct_bp_rank_of_cpu(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  for (size_t n = 0; n < sizeof vector_ranks / sizeof *vector_ranks; n++)
    if (!strcmp(name_of(kernel), vector_ranks[n].family) &&
        (!vector_ranks[n].when || vector_ranks[n].when(kernel, request)))
      return lacks_avx2(kernel) && vector_ranks[n].sse2 ? vector_ranks[n].sse2 : rank_in(kernel, vector_ranks[n].rank);
  return plain_rank(kernel);
}

bool ct_bp_is_ranked_by_class(const ct_bp_kernel *kernel) {
  if (kernel->rank_for != ct_bp_rank_of_cpu) return false;
  for (size_t n = 0; n < sizeof vector_ranks / sizeof *vector_ranks; n++)
    if (!strcmp(name_of(kernel), vector_ranks[n].family)) return true;
  return false;
}

int ct_bp_highest_rank(const ct_bp_kernel *kernel) {
  if (kernel->rank_for != ct_bp_rank_of_cpu) return kernel->rank;
  int highest = -1;
  for (size_t n = 0; n < sizeof vector_ranks / sizeof *vector_ranks; n++)
    if (!strcmp(name_of(kernel), vector_ranks[n].family) && vector_ranks[n].rank > highest)
      highest = vector_ranks[n].rank;
  return highest < 0 ? plain_rank(kernel) : rank_in(kernel, highest);
}
