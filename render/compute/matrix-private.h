/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stored symmetric matrix in graphics memory (matrix.comp): what its files share. Entries lie in parts, as many
 * chunks as one buffer of the card holds; the tables of chunks, pieces and rows in one buffer each. */
#ifndef CTGL_COMPUTE_MATRIX_PRIVATE_H
#define CTGL_COMPUTE_MATRIX_PRIVATE_H

#include "recon/fp/matrix/blocks.h"
#include "render/compute/pace-private.h"

typedef struct ctgl_matrix_part {
  size_t first, end; /* chunks */
  size_t base;       /* steps before them */
  GLuint columns, values;
} ctgl_matrix_part;

/* Programs, as matrix.comp describes them. */
typedef enum {
  CTGL_MATRIX_FORWARD,      /* chunks, all zones */
  CTGL_MATRIX_FORWARD_LIST, /* chunks of the list, zone by zone */
  CTGL_MATRIX_FORWARD_ROWS, /* by rows */
  CTGL_MATRIX_SUM_PIECES,
  CTGL_MATRIX_BACK, /* chunks, atomic additions */
  CTGL_MATRIX_BACK_ROWS,
  CTGL_MATRIX_BACK_STEPS, /* chunks of a phase */
  CTGL_MATRIX_SUM_IMAGES,
  CTGL_MATRIX_PROGRAMS,
} ctgl_matrix_program;

typedef struct ctgl_matrix {
  ct_bp_device *device;
  int n;
  size_t rows, chunks, pieces, plane; /* plane: pixels of an image */
  ct_symmetry_pixels map[CT_MATRIX_ZONES];
  int images; /* that one buffer holds, 1 .. 8 */
  /* Kept of the blocks, in main memory; slot_phase NULL: chunks hold any views. */
  int slots;
  size_t *slot_row, *slot_phase, *phase_chunk;
  uint32_t *chunk_of;

  ctgl_matrix_part *parts;
  int part_count;
  double bytes; /* of buffers */
  GLuint chunk_table, piece_table, lane_table, list_table, row_table, orbit, sums, image;
  GLuint programs[CTGL_MATRIX_PROGRAMS];
  ctgl_pace paces[2]; /* forward, back */
} ctgl_matrix;

/* Bytes of graphics memory for so many entries and rows of slices of n x n pixels, estimated. */
double ctgl_matrix_bytes(double entries, double rows, int n);
/* While entered: buffers, programs. False with an error; what was made is cleared by ctgl_matrix_clear. */
bool ctgl_matrix_upload(ctgl_matrix *matrix, const ct_matrix_blocks *blocks, ct_error **error);
void ctgl_matrix_clear(ctgl_matrix *matrix);

bool ctgl_matrix_forward(void *own, const ct_matrix_call *call, const float *image, float *orbit, ct_error **error);
bool ctgl_matrix_back(void *own, const ct_matrix_call *call, const float *orbit, float *image, ct_error **error);

#endif
