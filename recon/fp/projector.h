/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract that every pair of forward and back-projector for iterative methods fills: y = A x and x = A^T y, stored
 * as a matrix or computed on the fly.
 *
 * x is an image on a ct_grid, 1/mm; y are line integrals of the rays through the detector's pixel centres, without
 * unit, so that A holds lengths in mm (models: ray-model.h). Detector pixel and voxel indices, axes and angles:
 * geom/geometry.h. Nothing is weighted or filtered: y are the corrected projections as they are.
 *
 * Each projector keeps images and rays in a layout of its own (symmetry orbits, interleaved slices, z innermost, ...).
 * Solvers work in these layouts from beginning to end: all that they do besides is element by element. Padding in a
 * layout is 0 after image_in and rays_in, and forward and back keep it 0. A projector that has rows (row) uses the
 * natural layouts.
 *
 * Views are taken in blocks, the smallest groups that a projector can handle alone (one view, or those that a symmetry
 * ties together). The rays of one block lie side by side in the own layout, and the blocks partition it.
 *
 * A state is used by one thread at a time and starts its own OpenMP team of request.threads; results do not depend on
 * that number. */
#ifndef CT_FP_PROJECTOR_H
#define CT_FP_PROJECTOR_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/bp/kernel.h"
#include "recon/fp/model/ray-model.h"
#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"
#include "recon/simd/level.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ct_projector_request {
  const ct_geometry *geometry; /* outlives the state */
  ct_grid grid;
  ct_ray_model model;
  int threads;                             /* >= 1 */
  size_t memory;                           /* bytes that the state may hold; 0: what the machine has free */
  ct_bp_device *device;                    /* outlives the state; NULL: only projectors of the processor serve */
  const struct ct_projector_table *others; /* besides the processor's, to be chosen by their ids; NULL: none */
} ct_projector_request;

typedef struct ct_projector_shape {
  size_t image, rays; /* floats of the own layouts, padding included; multiples of 16 */
  int blocks;
  int layers; /* parts of the image that share no ray: layer l is the floats from l image / layers on, and of a block's
               * rays those from l count / layers on; 0 and 1: all of it */
  int apart;  /* most blocks that forward_layer and back_layer take at a time */
  const int *families; /* [blocks] blocks of one number are best taken together; NULL: it is all the same. Borrowed from
                          the state */
  double entries;      /* of the whole matrix A that stands behind it, every slice counted; 0: not counted */
  double stored;       /* of which it holds so many; 0: matrix-free */
  double bytes;        /* held by the state */
  double seconds;      /* that prepare took */
} ct_projector_shape;

typedef struct ct_projector_block {
  size_t first, count; /* floats of the own ray layout */
  const int *views;    /* [view_count], ascending; borrowed from the state */
  int view_count;
} ct_projector_block;

/* Entries of one row of A. Columns are voxel indices of the natural layout, each at most once, in any order. Borrowed
 * from the state or from the buffer. */
typedef struct ct_projector_row {
  size_t count;
  const uint32_t *columns;
  const float *values;
} ct_projector_row;

typedef struct ct_projector_state ct_projector_state; /* each projector defines its own */

/* A stretch of an image in the own layout: `count` values, that of float `first` in front. */
typedef void ct_projector_take(void *user, size_t first, size_t count, const float *values);

/* What a sweep over blocks does between its products, by several threads at a time. */
typedef struct ct_projector_visit {
  void *user;
  /* Puts what is to be carried back in the place of A x of some rays, those from float `first` of the layout on.
   * Returns the sum that is wanted of them. The same rays may be asked for by each thread. */
  double (*compare)(void *user, size_t first, size_t count, float *rays);
  /* Corrects the image by what block `number` of the sweep carries back: see ct_projector_take. */
  void (*take)(void *user, int number, size_t first, size_t count, const float *values);
} ct_projector_visit;

/* One layer swept by blocks in this order: each is projected from x as the blocks before it have corrected it,
 * compared, and carried back into x. */
typedef struct ct_projector_sweep {
  int layer;
  const int *blocks; /* [count] */
  int count;
  const float *x;
  float *y; /* room for the rays */
  const ct_projector_visit *visit;
  double *sums; /* [count] those that compare returned */
} ct_projector_sweep;

/* Most views of a block of a projector that ties views together. */
enum { CT_BLOCK_VIEWS = 8 };

typedef struct ct_projector ct_projector;
struct ct_projector {
  const char *id;     /* "orbit-matrix", for plans and the command line */
  const char *family; /* "joseph-2d": what the forms of one projector in vectors have in common; NULL: it is alone */
  const char *title;  /* for menus */
  const char *explanation; /* one or two sentences: what it does, whose idea it is */
  unsigned geometry;       /* CT_TRAIT_* that it relies on, all of them: a set of geom/questions.h */
  unsigned models;         /* bits of ct_ray_model */
  /* Its loops by level, a table of its own type each; none: baseline code. What else stands here is baseline code. */
  ct_simd_loops loops;
  int width;       /* floats of a vector of these loops; 0: the compiler's choice */
  bool portable;   /* they are written without intrinsics */
  bool gpu;        /* runs on request.device, and needs one */
  bool stored;     /* keeps a matrix */
  bool matched;    /* back is the transpose of forward (to float rounding); otherwise another back-projector */
  bool ties_views; /* a block holds up to CT_BLOCK_VIEWS views, which a symmetry ties together */
  /* A matrix that the slices of a stack share: products with A and its transpose, each slice's counted by itself, from
   * which on it is quicker than what makes rays anew, its own making counted; 0: never. NULL: never. */
  int (*shared_after)(const ct_projector *self, const ct_projector_request *request);
  double tolerance; /* relative RMSE of A x and A^T y against textbook of the same model that it promises */

  /* Further limits: false with the reason as a message. NULL: none. */
  bool (*accepts)(const ct_projector *self, const ct_projector_request *request, ct_error **error);
  /* Bytes that the state will hold, and most bytes while it is made. NULL: none worth counting. */
  double (*memory)(const ct_projector *self, const ct_projector_request *request);
  ct_projector_state *(*prepare)(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                 ct_error **error);
  void (*shape)(const ct_projector_state *state, ct_projector_shape *shape);
  void (*block)(const ct_projector_state *state, int index, ct_projector_block *block);

  /* Natural layouts: image [nz][ny][nx], rays [view][v][u]. rays_in and rays_out take all views. */
  void (*image_in)(const ct_projector_state *state, const float *natural, float *own);
  void (*image_out)(const ct_projector_state *state, const float *own, float *natural);
  void (*rays_in)(const ct_projector_state *state, const float *natural, float *own);
  void (*rays_out)(const ct_projector_state *state, const float *own, float *natural);

  /* The rays of these blocks (NULL: all) are overwritten with A x, others stay. */
  bool (*forward)(ct_projector_state *state, const int *blocks, int count, const float *x, float *y, ct_error **error);
  /* x is overwritten with A^T y over the rays of these blocks (NULL: all). */
  bool (*back)(ct_projector_state *state, const int *blocks, int count, const float *y, float *x, ct_error **error);
  /* The same of one layer, for methods that correct the image after a few views. A^T y is not written, but handed over
   * in stretches, each voxel once, by several threads at a time; padding may be left out. Values are those that forward
   * and back give. NULL: forward and back are as good. */
  bool (*forward_layer)(ct_projector_state *state, int layer, const int *blocks, int count, const float *x, float *y,
                        ct_error **error);
  bool (*back_layer)(ct_projector_state *state, int layer, const int *blocks, int count, const float *y,
                     ct_projector_take *take, void *user, ct_error **error);

  /* NULL: the two above do. */
  bool (*sweep_layer)(ct_projector_state *state, const ct_projector_sweep *sweep, ct_error **error);

  /* One row of A by natural ray index (view nv + v) nu + u. `buffer` (ct_row_init) may be used. NULL: it has no rows.
   */
  bool (*row)(const ct_projector_state *state, size_t ray, ct_row *buffer, ct_projector_row *row, ct_error **error);
  /* y = sum of squares of each row, own layout. NULL: it does not know them. */
  bool (*row_squares)(ct_projector_state *state, float *y, ct_error **error);
  void (*free)(ct_projector_state *state);
};

typedef struct ct_projector_table {
  const ct_projector *const *projectors;
  size_t count;
} ct_projector_table;

/* The processor's projectors, textbook first: double precision straight from the formula, the reference of all others.
 */
const ct_projector *const *ct_projectors(size_t *count);
const ct_projector *ct_projector_find(const char *id);
/* The same among those of a table, too (may be NULL). */
const ct_projector *ct_projector_find_in(const ct_projector_table *others, const char *id);
/* Whether this machine has the instructions that it needs, as GANTRY_CPU allows. */
bool ct_projector_usable(const ct_projector *projector);
/* Whether the projector can serve the request on this machine; the error says why not. A stored one that does not fit
 * into request.memory is refused with its size. */
bool ct_projector_accepts(const ct_projector *projector, const ct_projector_request *request, ct_error **error);
/* Bytes that the state will hold, and most bytes while it is made; 0: none worth counting. */
double ct_projector_memory(const ct_projector *projector, const ct_projector_request *request);
/* What `auto` prefers among the processor's projectors that serve the request: higher is faster (ranks.c). NULL: the
 * highest of any problem. Of those that it never takes by itself CT_PROJECTOR_UNRANKED. */
#define CT_PROJECTOR_UNRANKED INT_MIN
int ct_projector_rank(const ct_projector *projector, const ct_projector_request *request);
ct_projector_state *ct_projector_prepare(const ct_projector *projector, const ct_projector_request *request,
                                         ct_job *job, ct_error **error);
/* The projector of that id, also of request.others, or for "auto" (or NULL) the applicable one of the processor of
 * highest rank (matched ones only where `matched`), never textbook unless nothing else applies. `why` (may be NULL)
 * gets a sentence for the user. NULL with an error that says why none serves. */
const ct_projector *ct_projector_choose(const char *id, bool matched, const ct_projector_request *request, char *why,
                                        size_t why_size, ct_error **error);

/* How many slices a stack of 2-D problems has that share one matrix: parallel beam without tilt whose rows lie at the
 * grid's slices (nv == nz, row v at slice v to a hundredth of a row), or a single row. 0: it is a 3-D problem. */
int ct_projector_slices(const ct_projector_request *request);

#endif
