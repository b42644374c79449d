/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joseph's projector in three dimensions before detectors whose columns are parallel to z: what is known of every ray
 * before it runs, and the layouts. A detector column of a view, seen from above, is one straight line of the plane; it
 * meets each plane of voxels that it is nearer to being at right angles to at one point, and there the slices at which
 * its rays pass are affine in the row. Images are [y][x][z] and rays [view][u][v], the last index folded: where slices
 * and rows lie mirror-symmetric about one slice, both halves run outwards from it and share positions and weights. */
#ifndef CT_FP_JOSEPH_3D_PRIVATE_H
#define CT_FP_JOSEPH_3D_PRIVATE_H

#include "recon/fp/projectors-private.h"
#include "recon/simd/compile.h"

/* A run along z or v. Sample n of half 0 is sample base + n of the natural run, that of half 1 sample
 * base - 1 + centred - n; where a sample lies on the mirror (centred), sample 0 of half 1 is padding. */
typedef struct ct_joseph_fold {
  int count, halves;
  int base, centred;
  int length[2]; /* samples of each half */
  int longest;
  int stride; /* floats from half to half, a multiple of 16 */
} ct_joseph_fold;

/* A detector column's line. Plane n (x = const for axis 0, y = const for axis 1) is met at minor + n minor_step of the
 * other index, and row r at slice (shift + n shift_step) + r (slope + n slope_step), both folded. */
typedef struct ct_joseph_ray {
  double minor, minor_step;
  double slope, slope_step; /* > 0 within the grid */
  double shift, shift_step;
  double flat; /* mm^2: square of the way from plane to plane as seen from above */
  int axis;
  int first, end; /* planes that are met within the grid */
} ct_joseph_ray;

typedef struct ct_joseph ct_joseph;

/* The loops, once per variant (joseph-3d-*-loops.c). Own layouts; views NULL: all. */
typedef struct ct_joseph_product {
  void (*run)(const ct_joseph *joseph, const int *views, int count, const float *from, float *to);
} ct_joseph_product;
typedef struct ct_joseph_loops {
  const ct_joseph_product *forward, *back;
  const ct_joseph_product *voxels; /* instead of the transpose: voxel by voxel, which is faster */
  void (*row_squares)(const ct_joseph *joseph, float *y);
} ct_joseph_loops;
CT_SIMD_DECLARE(ct_joseph_loops, ct_joseph_loops);

struct ct_joseph {
  const ct_joseph_loops *loops;
  ct_projector_request request;
  ct_joseph_fold slices, rows;
  size_t column, image_row; /* floats of a voxel column, from row y to y + 1 */
  size_t ray;               /* floats of a detector column */
  size_t image, rays;
  ct_joseph_ray *table;   /* [views][nu] */
  double (*matrices)[12]; /* [views], from voxel indices to detector pixels */
  int *views;             /* [views] 0, 1, 2, ... */
  float *strips; /* room for detector columns in the back-projection, and for each thread's in the projection */
  int chunk;     /* views that the strips hold */
  /* Whether strips keep even and odd samples apart, as loops for vectors of eight do where steps allow it: of slices in
   * the projection, of rows in the way back. */
  bool split_slices, split_rows;
  double seconds;
};

/* Zeros on either side of a half, so that no window at the border reads past them. */
#define CT_JOSEPH_PAD 64
/* Planes that are projected at a time. */
#define CT_JOSEPH_SOURCES 4

bool ct_joseph_accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error);
double ct_joseph_memory(const ct_projector *self, const ct_projector_request *request);
bool ct_joseph_init(ct_joseph *joseph, const ct_projector *self, const ct_projector_request *request, ct_error **error);
void ct_joseph_clear(ct_joseph *joseph);

void ct_joseph_shape(const ct_joseph *joseph, ct_projector_shape *shape);
void ct_joseph_image_in(const ct_joseph *joseph, const float *natural, float *own);
void ct_joseph_image_out(const ct_joseph *joseph, const float *own, float *natural);
void ct_joseph_rays_in(const ct_joseph *joseph, const float *natural, float *own);
void ct_joseph_rays_out(const ct_joseph *joseph, const float *own, float *natural);

/* Floats of a strip: both halves with their borders. */
static inline size_t ct_joseph_strip_half(const ct_joseph_fold *fold) {
  return (size_t)fold->stride + 2 * CT_JOSEPH_PAD;
}
static inline size_t ct_joseph_strip(const ct_joseph_fold *fold) {
  return (size_t)fold->halves * ct_joseph_strip_half(fold);
}

/* A sample of a split strip's half: even ones lie in its first part, odd ones in its second, each between zeros. */
static inline float *ct_joseph_split_sample(const ct_joseph_fold *fold, float *half, int sample) {
  return half + CT_JOSEPH_PAD / 2 + (sample >> 1) + (sample & 1 ? (ptrdiff_t)ct_joseph_strip_half(fold) / 2 : 0);
}

/* Floats of all threads' strips in the projection; those of the back-projection follow them. */
static inline size_t ct_joseph_forward_strips(const ct_joseph *joseph) {
  return (size_t)joseph->request.threads * CT_JOSEPH_SOURCES * ct_joseph_strip(&joseph->slices);
}

/* Strips of one thread in the back-projection by voxels, behind the others. */
static inline float *ct_joseph_voxel_strips(const ct_joseph *joseph, int thread) {
  const size_t strip = ct_joseph_strip(&joseph->rows);
  const size_t transposed = (size_t)joseph->chunk * (size_t)joseph->request.geometry->nu * strip;
  return joseph->strips + ct_joseph_forward_strips(joseph) + transposed + (size_t)thread * CT_JOSEPH_SOURCES * strip;
}

/* Clears what is padding in a run of the layout. */
static inline void ct_joseph_clear_padding(const ct_joseph_fold *fold, float *run) {
  for (int half = 0; half < fold->halves; half++)
    for (int n = fold->length[half]; n < fold->stride; n++) run[half * fold->stride + n] = 0;
  if (fold->halves == 2 && fold->centred) run[fold->stride] = 0;
}

#endif
