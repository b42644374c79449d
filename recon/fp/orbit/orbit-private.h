/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orbit matrix: A and its transpose by orbits of the square's symmetries.
 *
 * The image is X[orbit][g], g = 0 .. 7 of symmetry.h: the pixels that g maps the orbit's first pixel rho to. The rays
 * are Y[row][g], the images of a stored ray. A[g ray, g pixel] = A[ray, pixel], so that an entry w of a stored ray at
 * the pixel h rho says Y[row][g] += w X[orbit][g h],        X[orbit][k] += w Y[row][k h^-1]      for all eight at once.
 * Both are one product of sparse rows with lines of eight floats. Forward, the entries of a row are sorted by h and
 * each segment's sum is turned (g -> g h) once; back, turned copies of Y (one per h) are made first, so that nothing is
 * turned.
 *
 * Pixels on a diagonal (and on the axes of an odd n) lie in short orbits: the first place of such a pixel is the real
 * one, its others are padding, 0. Their entries are written for all their places; so are rays that a symmetry maps onto
 * themselves.
 *
 * Storage. Four neighbouring rows (rays; or orbits) make a row group. Entries of neighbouring lines are merged into
 * pairs, and step s of a row group holds the pairs s of its four rows: eight weights and four indices of the first
 * line, counted in quarter lines from the piece's base. A block's pieces are the tiles of the image, back for each
 * window of the turned copies that 16 bits reach. Several slices of a volume lie interleaved in each place:
 * X[orbit][g][slice]. */
#ifndef CT_FP_ORBIT_PRIVATE_H
#define CT_FP_ORBIT_PRIVATE_H

#include "recon/fp/orbit/orbit-loops.h"
#include "recon/fp/projector.h"
#include "recon/fp/symmetry.h"

/* Rows of a row group of the storage; lines that an index reaches. */
enum { CT_ORBIT_ROWS = 4, CT_ORBIT_REACH = 1 << 14 };
/* Fewer blocks than this are shared by the threads, each in so many parts that there are at least as many, and at most
 * CT_ORBIT_PARTS. */
enum { CT_ORBIT_FEW = 16, CT_ORBIT_PARTS = 2 * CT_ORBIT_FEW };
/* Bits of a place: tile, orbit within the tile, h. */
enum { CT_ORBIT_H_BITS = 3, CT_ORBIT_LOCAL_BITS = 12, CT_ORBIT_PLACE_BITS = CT_ORBIT_LOCAL_BITS + CT_ORBIT_H_BITS };

/* Where the pixels are. */
typedef struct ct_orbit_image {
  int n, tiles;
  uint32_t *first; /* [tiles + 1] orbits, multiples of CT_ORBIT_ROWS */
  size_t orbits;   /* padding included */
  uint32_t *pixel; /* [orbits][8] natural index */
  uint8_t *real;   /* [orbits] bit k: place k is real */
  uint32_t *place; /* [n n] its real place: tile << CT_ORBIT_PLACE_BITS | orbit within the tile << 3 | h */
} ct_orbit_image;

/* `wide`: for interleaved slices. */
bool ct_orbit_image_init(ct_orbit_image *image, int n, bool wide, ct_error **error);
void ct_orbit_image_clear(ct_orbit_image *image);

typedef struct ct_orbit_offset {
  uint32_t header, step;
} ct_orbit_offset;

/* One direction of one block. */
typedef struct ct_orbit_stored {
  uint32_t *headers;
  unsigned char *steps;
  ct_orbit_offset *first; /* [pieces + 1]; forward [tile], back [tile][window] */
} ct_orbit_stored;

typedef struct ct_orbit_block {
  int *slots; /* [slot_count] of the symmetry, borrowed from ct_orbit_rays */
  int slot_count;
  int *views, view_count;
  size_t first_row; /* of the whole layout */
  uint32_t rows;    /* multiple of CT_ORBIT_ROWS */
  ct_orbit_stored forward, back;
} ct_orbit_block;

/* Where the rays are. */
typedef struct ct_orbit_rays {
  ct_symmetry *symmetry;
  int blocks;
  ct_orbit_block *block;
  int *slots, *views; /* all blocks' lists */
  uint32_t *slot_row; /* [slots] first row within its block */
  size_t rows;
  uint32_t most_rows; /* of a block */
  uint8_t *real;      /* [rows] bit g: ray g is real */
} ct_orbit_rays;

/* The symmetry is taken, also on failure. */
bool ct_orbit_rays_init(ct_orbit_rays *rays, ct_symmetry *symmetry, ct_error **error);
void ct_orbit_rays_clear(ct_orbit_rays *rays);

/* The storage, some blocks to a chunk. */
typedef struct ct_orbit_chunks {
  void **data;
  size_t count, room;
} ct_orbit_chunks;

struct ct_projector_state {
  ct_projector_request request;
  const ct_orbit_loops *loops;
  ct_orbit_precision precision;
  ct_orbit_image image;
  ct_orbit_rays rays;
  ct_orbit_chunks chunks;
  int slices, groups; /* the volume's; runs of interleaved ones */
  int *group_first;   /* [groups + 1] first slice in the layout, padding slices included */
  int windows;        /* back, pieces of a block's tile */
  float scale;        /* weights are stored divided by it */
  int32_t turns[8][CT_ORBIT_TURN];
  float *squares; /* [rows] of stored rows */
  float *copies;  /* turned rays of up to copied_blocks blocks, for the widest group */
  int copied_blocks;
  float *parts; /* [CT_ORBIT_PARTS] parts of blocks' sums */
  double entries, stored, bytes, seconds;
};

/* Makes forward and back of all blocks, the squares, and counts. */
bool ct_orbit_build(ct_projector_state *state, ct_job *job, ct_error **error);
void ct_orbit_build_clear(ct_projector_state *state);

/* Emission of one tile of one block: ct_orbit_build's records in, storage out. */
typedef struct ct_orbit_record {
  uint32_t key; /* row << CT_ORBIT_PLACE_BITS | orbit within the tile << 3 | h */
  float weight;
} ct_orbit_record;

typedef struct ct_orbit_buffer {
  unsigned char *data;
  size_t size, room;
} ct_orbit_buffer;

bool ct_orbit_buffer_reserve(ct_orbit_buffer *buffer, size_t more, ct_error **error);

/* Pairs of one row of a row group, waiting to be interleaved. */
enum { CT_ORBIT_MOST_STEPS = (1 << CT_ORBIT_STEP_BITS) - 1 };
typedef struct ct_orbit_pairs {
  uint32_t count;
  uint16_t index[CT_ORBIT_MOST_STEPS];
  float weight[CT_ORBIT_MOST_STEPS][2];
} ct_orbit_pairs;

/* One thread's room and results; `most`: orbits of a tile. */
typedef struct ct_orbit_emitter {
  ct_orbit_precision precision;
  float inverse; /* of the scale */
  uint32_t most;
  ct_orbit_pairs *pairs;                        /* [CT_ORBIT_ROWS] */
  float *dense;                                 /* [8][CT_ORBIT_ROWS][most] */
  uint64_t *bits;                               /* [8][CT_ORBIT_ROWS][most / 64 + 1] */
  uint32_t *start;                              /* [8 most + 2] */
  ct_orbit_buffer sorted, headers[2], steps[2]; /* forward, back */
} ct_orbit_emitter;

bool ct_orbit_emitter_init(ct_orbit_emitter *emitter, const ct_projector_state *state, ct_error **error);
void ct_orbit_emitter_clear(ct_orbit_emitter *emitter);
size_t ct_orbit_step_size(ct_orbit_precision precision);
/* Records ascending by row. Pieces' ends are written to ends[0], or [0 .. windows - 1]. */
bool ct_orbit_emit_forward(ct_orbit_emitter *emitter, const ct_orbit_record *records, size_t count,
                           ct_orbit_offset *ends, ct_error **error);
bool ct_orbit_emit_back(ct_orbit_emitter *emitter, const ct_orbit_record *records, size_t count, uint32_t orbits,
                        uint32_t rows, int windows, ct_orbit_offset *ends, ct_error **error);

#endif
