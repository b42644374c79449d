/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ladder of Chen, Wahib, Wang, Takizawa, Hirofuchi, Ogawa and Matsuoka, "Performance portable back-projection
 * algorithms on CPUs" (ICS 2021): what the kernels of its table 2 share. Projections transposed so that v is contiguous
 * and a volume of its own, [x][y][z] with z contiguous (section 3.1.1); the loop over pairs (i, j) is the parallel one.
 *
 * Transposed projections have one column and row of zeros before and two behind, and positions are counted from that
 * border and clamped into it (t = v + 1 in 0 .. nv + 1), so that no loop asks whether it is inside the detector: the
 * vectoriser needs that. The paper's positions are float32; they are double here, because float32 ones lose up to 3e-5
 * of a pixel on 512 rows. */
#ifndef CT_BP_CHEN_CHEN_PRIVATE_H
#define CT_BP_CHEN_CHEN_PRIVATE_H

#include "recon/bp/kernels-private.h"

/* The largest batch nb of the paper; request.batch sets it below that. */
enum { CT_CHEN_VIEWS = 32 };

/* Adds views first .. first + count - 1 of those transposed to the voxels (i, j, all k). `scratch` is the thread's own.
 */
typedef void ct_chen_column(const ct_bp_state *state, int first, int count, int i, int j, float *scratch);

/* The authors compile for the machine at hand (-march=native) and leave vectors to the compiler: so are these, once per
 * level (chen-loops.c). */
typedef struct ct_chen_loops {
  ct_chen_column *transpose, *share, *symmetry, *subline, *share_local, *symmetry_local, *prefetch;
} ct_chen_loops;

CT_SIMD_DECLARE(ct_chen_loops, ct_chen_loops);

struct ct_bp_state {
  ct_bp_request request;
  ct_chen_column *column;
  int pass;               /* views that `column` takes at a time: 1 or nb */
  int views;              /* nb: projections transposed at once */
  size_t stride, view;    /* floats from one transposed column to the next, from one transposed view to the next */
  size_t scratch;         /* floats a thread */
  float *transposed;      /* [views][nu + 3][stride] */
  float *volume;          /* [nx][ny][nz] */
  float *threads;         /* [threads][scratch] */
  double (*matrices)[12]; /* [views], voxel indices to pixels */
  double *mirrors;        /* [views]: rows of voxels k and nz - 1 - k, counted from the border, add up to it */
};

/* What share and all above it need: u and w the same for all k. */
bool ct_chen_accepts_columns(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);
/* What symmetry and all above it need besides: voxels k and nz - 1 - k seen in rows that lie as far above and below one
 * row, the same for all columns of voxels. */
bool ct_chen_accepts_mirror(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);

/* Floats from one transposed column, or one blended line, to the next. */
size_t ct_chen_stride(const ct_bp_request *request);
/* Floats of an array with a sum for each voxel of a column, up to whole cache lines. */
static inline size_t ct_chen_sums(const ct_bp_request *request) {
  return ((size_t)request->grid.nz + 15) / 16 * 16;
}

int ct_chen_views(const ct_bp_request *request);

/* A kernel of the ladder: descriptors have one as their `setting`. */
typedef struct ct_chen_setting {
  size_t column;                                   /* offset in ct_chen_loops */
  bool batch;                                      /* takes nb views a pass, else one */
  size_t (*scratch)(const ct_bp_request *request); /* floats a thread; NULL: none */
} ct_chen_setting;

size_t ct_chen_memory(const ct_bp_kernel *kernel, const ct_bp_request *request);
ct_bp_state *ct_chen_prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error);
/* Transposes nb views, passes over the volume, and goes on with the next. */
bool ct_chen_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error);
bool ct_chen_finish(ct_bp_state *state, ct_volume *volume, ct_error **error);
bool ct_chen_read_plane(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                        ct_error **error);
void ct_chen_free(ct_bp_state *state);

/* Into the border of zeros; NaN goes there too. `last` is nu + 1 or nv + 1. */
static inline double ct_chen_clamp(double t, double last) {
  const double above = t > 0 ? t : 0;
  return above < last ? above : last;
}

static inline float ct_chen_mix(float x, float y, float a) {
  return x + a * (y - x);
}

/* What is shared by the voxels of a column (i, j) in one view: section 3.1.2, lines 4-7 of algorithm 1. */
typedef struct ct_chen_shared {
  double f;             /* 1 / w; 0 behind the source */
  float weight;         /* f f */
  double b, step;       /* of voxel k: v + 1 = (b + step k) f + 1 */
  const float *columns; /* the two transposed columns at u: this one and the next */
  float fraction;       /* of the way to the next */
} ct_chen_shared;

static inline ct_chen_shared ct_chen_share(const ct_bp_state *state, int n, int i, int j) {
  const double *m = state->matrices[n];
  const double w = m[8] * i + m[9] * j + m[11], f = w > 0 ? 1 / w : 0;
  const double s = ct_chen_clamp((m[0] * i + m[1] * j + m[3]) * f + 1, state->request.geometry->nu + 1);
  const int c = (int)s;
  return (ct_chen_shared){f,
                          (float)(f * f),
                          m[4] * i + m[5] * j + m[7],
                          m[6],
                          state->transposed + (size_t)n * state->view + (size_t)c * state->stride,
                          (float)(s - c)};
}

/* The sub-line of section 3.1.5: both columns blended, over all rows and their border. */
static inline void ct_chen_blend(const ct_chen_shared *shared, size_t stride, int from, int to, float *restrict line) {
  const float *restrict at = shared->columns, *restrict next = at + stride;
  const float fraction = shared->fraction;
#pragma omp simd
  for (int m = from; m < to; m++) line[m] = ct_chen_mix(at[m], next[m], fraction);
}

static inline float *ct_chen_column_at(const ct_bp_state *state, int i, int j) {
  const ct_grid *g = &state->request.grid;
  return state->volume + ((size_t)i * (size_t)g->ny + (size_t)j) * (size_t)g->nz;
}

/* The second interpolation, along the line, of voxels from .. to - 1: listing 3, line 34. `last` is nv + 1. */
static inline void ct_chen_add_line(const ct_chen_shared *shared, const float *restrict line, double last, int from,
                                    int to, float *restrict sums) {
  const double f = shared->f, b = shared->b, step = shared->step;
  const float weight = shared->weight;
#pragma omp simd
  for (int k = from; k < to; k++) {
    const double t = ct_chen_clamp((b + step * k) * f + 1, last);
    const int r = (int)t;
    sums[k] += ct_chen_mix(line[r], line[r + 1], (float)(t - r)) * weight;
  }
}

/* The same with the voxels nz - 1 - k, whose sums stand at mirrored[k]. */
static inline void ct_chen_add_line_mirrored(const ct_chen_shared *shared, double mirror, const float *restrict line,
                                             double last, int from, int to, float *restrict sums,
                                             float *restrict mirrored) {
  const double f = shared->f, b = shared->b, step = shared->step;
  const float weight = shared->weight;
#pragma omp simd
  for (int k = from; k < to; k++) {
    const double row = (b + step * k) * f + 1;
    const double t_1 = ct_chen_clamp(row, last), t_2 = ct_chen_clamp(mirror - row, last);
    const int r_1 = (int)t_1, r_2 = (int)t_2;
    sums[k] += ct_chen_mix(line[r_1], line[r_1 + 1], (float)(t_1 - r_1)) * weight;
    mirrored[k] += ct_chen_mix(line[r_2], line[r_2 + 1], (float)(t_2 - r_2)) * weight;
  }
}

/* Both halves of a column; a middle voxel is in the first. */
static inline void ct_chen_add_halves(float *restrict column, int nz, const float *restrict sums,
                                      const float *restrict mirrored) {
  for (int k = 0; k < (nz + 1) / 2; k++) column[k] += sums[k];
  for (int k = 0; k < nz / 2; k++) column[nz - 1 - k] += mirrored[k];
}

#endif
