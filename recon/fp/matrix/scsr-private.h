/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the projectors of the symmetric matrix (SCSR, Yu et al. 2018) share. Rows of the stored rays alone are kept; A[g
 * ray, g pixel] = A[ray, pixel] for the eight symmetries g of the square (symmetry.h) gives the others.
 *
 * Columns are kept as pixels j 2^16 + i, so that all eight images are found without dividing. Each product goes through
 * a table of rays [stored ray][g], 0 where a ray is not asked for; the formats' kernels know nothing of views. Layouts
 * are the natural ones, blocks are single views, slices of a stack are taken one after another. */
#ifndef CT_FP_MATRIX_SCSR_PRIVATE_H
#define CT_FP_MATRIX_SCSR_PRIVATE_H

#include "recon/fp/matrix/blocks.h"
#include "recon/fp/matrix/scsr-loops.h"
#include "recon/fp/projectors-private.h"
#include "recon/fp/symmetry.h"

enum {
  CT_SCSR_IMAGES = CT_MATRIX_ZONES,
  CT_SCSR_LARGEST = 32768 /* pixels a side: j across + i down stay within 32 bits */
};

static inline uint32_t ct_scsr_pack(uint32_t column, uint32_t n) {
  return (column / n) << 16 | column % n;
}
static inline int ct_scsr_i(uint32_t packed) {
  return (int)(packed & 0xffff);
}
static inline int ct_scsr_j(uint32_t packed) {
  return (int)(packed >> 16);
}

/* One format of the stored rows: what stands behind the three projectors. */
typedef struct ct_scsr_format ct_scsr_format;

struct ct_projector_state {
  ct_projector_request request;
  ct_symmetry *symmetry;
  ct_symmetry_pixels natural[CT_SCSR_IMAGES], padded[CT_SCSR_IMAGES]; /* by the pitch of rows of pixels: n, padding */
  int n, slices;
  size_t plane, image, rays; /* floats of a slice, of all, of all rays */
  int *views;                /* [views] 0, 1, 2, ... */
  int *slot_of;              /* [stored rays] */
  uint8_t *first;            /* [stored rays] bits of the g that ct_symmetry_is_first holds for */
  uint64_t *starts;          /* [stored rays + 1] entries before each row */
  float *squares;            /* [stored rays] of their rows; NULL: the format tells entries */
  double stored, entries, seconds;

  float *orbit;    /* [stored rays][8], the product's rays */
  uint8_t *wanted; /* [slots] bits of the g that the present call asks for */
  int *active;     /* [slots] those of any */
  int active_count;
  /* It asks for most of the matrix: then it works on images whose pitch is an odd number of cache lines, so that pixels
   * above each other do not fall into the same few sets of a cache. */
  bool whole;
  int padding, pitch;             /* the pitch of such images; that of the present product's images */
  const ct_symmetry_pixels *maps; /* those of the present product */

  const ct_scsr_format *format;
  const ct_scsr_loops *loops;
  void *storage; /* the format's own */
};

static inline size_t ct_scsr_count(const ct_projector_state *state, size_t row) {
  return (size_t)(state->starts[row + 1] - state->starts[row]);
}

struct ct_scsr_format {
  /* Lays out room for rows of the lengths that state->starts tells. */
  void *(*plan)(ct_projector_state *state, ct_error **error);
  /* Takes a row: columns packed, natural columns ascending. Called from several threads, once for each row. */
  void (*put)(const ct_projector_state *state, void *storage, size_t row, const uint32_t *columns, const float *values);
  /* After the last row; NULL: nothing is left to do. */
  bool (*finish)(ct_projector_state *state, void *storage, ct_error **error);
  /* Images are [n][pitch]. orbit[row][g] = products of the active slots' rows and the image, for at least the wanted g.
   */
  bool (*forward)(ct_projector_state *state, const float *image, ct_error **error);
  /* image = sum over the active slots' rows and all g of row times orbit[row][g]. */
  bool (*back)(ct_projector_state *state, float *image, ct_error **error);
  /* The entries of a row, packed, in any order; room for its count. */
  void (*get)(const ct_projector_state *state, size_t row, uint32_t *columns, float *values);
  double (*bytes)(const ct_projector_state *state);
  void (*free)(void *storage);
};

ct_projector_state *ct_scsr_prepare(const ct_scsr_format *format, const ct_projector *self,
                                    const ct_projector_request *request, ct_job *job, ct_error **error);
/* Bytes that a state holds besides the format's own. */
double ct_scsr_common_bytes(const ct_projector_request *request, double rows);

/* The rest of the contract (projector.h): blocks.h. */
bool ct_scsr_row(const ct_projector_state *state, size_t ray, ct_row *buffer, ct_projector_row *row, ct_error **error);

#define CT_SCSR_DESCRIPTOR                                                                                             \
  .geometry = CT_GEOMETRY_SLICES,                                                                                      \
  .models = CT_FP_BIT(CT_MODEL_JOSEPH) | CT_FP_BIT(CT_MODEL_SIDDON) | CT_FP_BIT(CT_MODEL_AREA), .stored = true,        \
  .matched = true, .loops = CT_SCSR_LOOPS, .tolerance = 2e-6, .accepts = ct_scsr_accepts, .shape = ct_scsr_shape,      \
  .block = ct_scsr_block, .image_in = ct_scsr_image_in, .image_out = ct_scsr_image_out, .rays_in = ct_scsr_rays_in,    \
  .rays_out = ct_scsr_rays_out, .forward = ct_scsr_forward, .back = ct_scsr_back, .row = ct_scsr_row,                  \
  .row_squares = ct_scsr_row_squares, .free = ct_scsr_free

#endif
