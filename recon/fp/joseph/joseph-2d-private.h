/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joseph's model in a slice without a matrix: what is known of the rays of each view, and what the drivers, the vector
 * loops (*-loops.c) and the plain code hand to each other.
 *
 * A pencil is a run of a view's rays that are sampled along the same axis. Its rows are the image's rows, or its
 * columns where it is transposed; ray t crosses row j at the position (pixel index along the row)
 *   parallel beam   p0 + pt t + pj j,                                   pt > 0
 *   fan             e + (f0 + f1 j) m(t),  m(t) = (m0 + m1 t) / (n0 + n1 t), ascending with t
 * and has the sum over rows of the values interpolated there, times its length between rows. Seen from pixel (i, j) the
 * pencil's ray coordinate is c = (c0 + ci i + cj j) / (w0 + wi i + wj j), and ray t passes it at a distance of
 * |t - c| w / |r0 + r1 t| pixels along the row; so the transpose is a gather with the weights max(0, 1 - distance).
 *
 * Images [y][x], each row behind CT_J2D_MARGIN zeros and the last one before so many, so that windows may reach past
 * the ends. */
#ifndef CT_FP_JOSEPH_2D_PRIVATE_H
#define CT_FP_JOSEPH_2D_PRIVATE_H

#include "recon/fp/projectors-private.h"
#include "recon/simd/compile.h"

#include <stdint.h>

enum {
  CT_J2D_LANES = 16,      /* rays, or pixels, that are done side by side */
  CT_J2D_EIGHT = 8,       /* images that lie side by side */
  CT_J2D_MARGIN = 32,     /* zeros between rows: two vectors of 16 */
  CT_J2D_PAD = 64,        /* zeros on both sides of a run of rays in the transpose */
  CT_J2D_FAN_TILE = 64,   /* rows and columns of a tile of the fan's transpose */
  CT_J2D_FAN_REACH = 320, /* most rays from the middle of those near a tile to the last */
  CT_J2D_STEPS = 16,      /* rows or views that many slices take at a time */
  CT_J2D_TILE = 16,       /* rows of a tile of the transpose */
  CT_J2D_TALL = 64,       /* most rows of its tiles that are not mirrored */
  CT_J2D_CHUNK = 128,     /* rows that stay with one thread where a view is taken alone */
  CT_J2D_TRANSPOSED = 32, /* columns of them that are transposed at a time */
  CT_J2D_TOGETHER = 24,   /* pencils that are projected while a part of the image lies in the first-level cache */
  CT_J2D_ALONE = 3,       /* most views that are taken one by one */
  CT_J2D_INTERLEAVED = 9, /* slices from which on they are kept side by side */
};

typedef struct ct_j2d_pencil {
  int view;
  bool transposed, divergent;
  bool plain;             /* the source lies between rows: no vector code */
  int along, rows;        /* pixels of a row, rows, in the pencil's orientation */
  int first, step, count; /* ray t is detector column first + step t, step 1 or -1 */
  double p0, pt, pj;
  double e, f0, f1, m0, m1, n0, n1;
  double length; /* mm between rows; fan: lengths of its own per ray */
  double c0, ci, cj, w0, wi, wj;
  double r0, r1;
  double closest; /* least distance along a row between adjacent rays anywhere in the image */
  int phases;     /* the transpose takes every phases-th ray at a time, so that no more than few are near a pixel */
  size_t scratch; /* floats from the scratch's beginning to its rays in the transpose */
} ct_j2d_pencil;

/* Sixteen adjacent rays: lane l in row j is at a + b j + (h0 + h1 j) l d / (1 + l g), for rows [first, end) that some
 * lane meets. */
typedef struct ct_j2d_group {
  double a, b, h0, h1, d, g;
  int first, end;
  int ray;   /* of lane 0, counted from the sums' beginning */
  int lanes; /* that are rays */
  bool divergent, plain;
} ct_j2d_group;

/* Pencils that share positions, and weights: views mirrored at the axes and the diagonal of the square. Member n reads
 * row j of its image, or row rows - 1 - j where it is flipped, at the position of the first member; and, where both
 * halves of the detector are done at once (paired), its mirrored ray count - 1 - t reads the other row backwards. */
typedef struct ct_j2d_item {
  int members; /* 1, 2 or 4, these in the order (rows, rows flipped, columns, columns flipped) */
  bool paired;
  int pencil[4];
} ct_j2d_item;

/* Where a forward kernel reads and adds. Row j of member n begins at from[n] + j stride[n]. */
typedef struct ct_j2d_sheet {
  int members;
  bool paired;
  int along;
  const float *from[4];
  ptrdiff_t stride[4];
  const float *behind; /* paired and one member: the other row, whose stride is -stride[0] */
  float *straight[4];  /* sums of all rays */
  float *mirrored[4];  /* of those that read from[n], `behind`, backwards */
} ct_j2d_sheet;

/* Rows [first, end) of a group are added to the sums. */
typedef void ct_j2d_forward(const ct_j2d_group *group, int first, int end, const ct_j2d_sheet *sheet);

/* One pencil, or one of its phases, as seen from the image: pixel (column, row) has the ray coordinate
 * c = (c0 + cl column + cr row) / (w0 + wl column + wr row). */
typedef struct ct_j2d_source {
  const float *straight[4];       /* ray 0 of each member */
  const float *mirrored[4];       /* the last ray, run backwards; NULL: not paired */
  const uint32_t *even, *slanted; /* fan: running sums of the rays, and of ray t times t, in steps of `scale` */
  int count;                      /* rays */
  double c0, cl, cr, w0, wl, wr;
  double r0, r1; /* fan */
  float scale;
  float alike;
  bool plain;
} ct_j2d_source;

/* Tiles of `rows` rows of 16 pixels from (column, row) on, `stride` floats apart; those of mirrored rays run backwards.
 */
typedef struct ct_j2d_target {
  float *straight[4], *mirrored[4];
  int column, row;
  ptrdiff_t stride;
  int rows;
  bool begin; /* overwritten; otherwise added to */
} ct_j2d_target;

typedef void ct_j2d_back(const ct_j2d_source *sources, int count, const ct_j2d_target *target);

/* One source of a single phase alone: at least CT_J2D_LANES columns of a row are overwritten. How far along the rays
 * each vector lies from the first one is the same in every row: whole rays, and a part. */
typedef struct ct_j2d_place {
  int whole;
  float part;
} ct_j2d_place;
typedef void ct_j2d_back_places(const ct_j2d_source *source, int columns, ct_j2d_place *places);
typedef void ct_j2d_back_row(const ct_j2d_source *source, const ct_j2d_place *places, int row, int columns, float *to);

/* Adds a source to bands of `lanes` rows: [band][columns][row of the band], from `row` on; the last band begins at
 * `last` and overlaps the one before it. Rows and columns are those of the source's pencil. */
typedef struct ct_j2d_bands {
  int column, columns; /* at most CT_J2D_FAN_TILE */
  int row, count, last;
  float *to;
} ct_j2d_bands;
typedef void ct_j2d_fan(const ct_j2d_source *source, const ct_j2d_bands *bands);

/* Many slices at once, [sample][16 slices]: where 16 rays (pixels) side by side meet one row of the image (one view).
 * Lane l lies at at + slope l, and sample k away from there by f < 1 has the weight scale max(0, 1 - reach f). Samples
 * -1 and `count` can be read and are zero. */
typedef struct ct_j2d_walk {
  const float *from; /* sample 0 */
  ptrdiff_t stride;  /* floats from sample to sample */
  double at, slope;
  int count;
  float scale, reach;
} ct_j2d_walk;

/* Adds what `steps` (at most CT_J2D_STEPS) walks give to `count` lanes of one or two bundles of 16 slices. */
typedef struct ct_j2d_lanes {
  int count, bundles;
  ptrdiff_t from_bundle; /* floats from bundle to bundle where the walks read */
  float *out;
  ptrdiff_t out_lane, out_bundle;
} ct_j2d_lanes;
typedef void ct_j2d_slices(const ct_j2d_walk *walks, int steps, const ct_j2d_lanes *to);

/* Eight images side by side (joseph-2d-eights.c), where there are loops for it. Rows of the image and of its
 * transpose, each in its order and from the last one, and all of them backwards, into [count][8]; up to 7 samples more
 * are written. */
typedef void ct_j2d_eights_spread(const float *const rows[4], int count, float *to);
/* Rows [first, end) of a group in a parallel beam are added to the sums [ray][8]. Row j begins at from + j stride;
 * flipped: with the lanes of flipped members exchanged. */
typedef void ct_j2d_eights_forward(const ct_j2d_group *group, int first, int end, bool flipped, const float *from,
                                   ptrdiff_t stride, float *sums);
/* Adds the rays [ray][8] of the sources to a tile [row][16 columns][8]. */
typedef void ct_j2d_eights_back(const ct_j2d_source *sources, int count, int column, int row, int rows, bool flipped,
                                float *to);

/* The loops, once per variant (joseph-2d-*-loops.c). */
typedef struct ct_j2d_forward_loops {
  ct_j2d_forward *one, *pair, *pairs2, *pairs4;
} ct_j2d_forward_loops;
typedef struct ct_j2d_back_loops {
  ct_j2d_back *one, *pair, *pairs2, *pairs4;
  ct_j2d_back_places *places;
  ct_j2d_back_row *row;
} ct_j2d_back_loops;
typedef struct ct_j2d_fan_loops {
  ct_j2d_fan *add; /* bands of as many rows as a vector has floats */
} ct_j2d_fan_loops;
typedef struct ct_j2d_slices_loops {
  ct_j2d_slices *add;
} ct_j2d_slices_loops;
typedef struct ct_j2d_eights_loops {
  ct_j2d_eights_spread *spread;
  ct_j2d_eights_forward *forward;
  ct_j2d_eights_back *back;
} ct_j2d_eights_loops;
typedef struct ct_j2d_loops {
  const ct_j2d_forward_loops *forward;
  const ct_j2d_back_loops *back;
  const ct_j2d_fan_loops *fan;
  const ct_j2d_slices_loops *slices;
  const ct_j2d_eights_loops *eights; /* of vectors of 8 floats; NULL otherwise */
  void (*transpose)(const float *from, ptrdiff_t pitch, int rows, int columns, float *to, ptrdiff_t to_pitch);
} ct_j2d_loops;
CT_SIMD_DECLARE(ct_j2d_loops, ct_j2d_loops);

/* joseph-2d-plain.c: the same without vectors, for pitches and sources that windows do not serve. */
ct_j2d_forward ct_j2d_plain_forward;
/* Columns [first, end) of one band of so many rows. */
void ct_j2d_plain_fan(const ct_j2d_source *source, int first, int end, int row, int lanes, float *to);

typedef struct ct_j2d {
  ct_projector_request request;
  const ct_j2d_loops *loops;
  int width; /* floats of a vector of the loops */
  int threads;
  int nx, ny, nu, views, slices;
  size_t pitch, transposed_pitch; /* floats from row to row of the image, and of its transpose */
  int bundles;                    /* of 16 slices; 0: slice by slice */
  int border;                     /* then: zero rays on both sides of a view */
  size_t slice_image, slice_rays; /* floats of a slice, or of a bundle; of one of its views */
  size_t image, rays;
  size_t view_rays; /* floats of one view of one slice */
  ct_j2d_pencil *pencils;
  int *first_pencil; /* [views + 1] */
  int count;         /* pencils */
  float *lengths;    /* [views][nu], fan */
  float *factors;    /* lengths / |r0 + r1 t|, fan */
  size_t scratch_size;
  int phases;         /* of all pencils */
  bool centred;       /* half turns map the scan onto itself */
  ct_j2d_item *items; /* all pencils */
  int item_count;
  ct_j2d_item *some;         /* [count] room for those of some views */
  bool *wanted;              /* [views] */
  int *listed, listed_count; /* [views] those of some views, ascending: many slices */
  int *chunks;               /* [count + 1] items that are projected together */
  ct_j2d_source *sources;    /* of the transpose */
  float *transposed;         /* the transposed image: its rows are columns */
  float *scratch;            /* the rays of the transpose */
  uint32_t *even, *slanted;  /* their running sums, fan */
  float *scales;             /* [count] of the running sums */
  float *eights;             /* eight images side by side; NULL: none */
  float *eights_of_rays;     /* eight_rays for each item of four pencils */
  size_t eight_rays;
  float *sums; /* [threads][sums_size]; of a view alone [chunks][rays] */
  size_t sums_size;
  ct_j2d_group *groups; /* [threads][CT_J2D_TOGETHER groups_of] */
  int groups_of;        /* most of a pencil */
  float *tall;          /* [threads][CT_J2D_TALL pitch]: rows that are handed over; slice by slice in a parallel beam */
  float *strip;         /* [threads][strip_size]: a transposed band */
  size_t strip_size;
  float *transposed_part; /* [threads][CT_J2D_TRANSPOSED][CT_J2D_CHUNK between zeros] */
  float *alone;           /* [threads][alone_size]: the rays of a view, and what is carried back from it */
  size_t alone_size;
  ct_j2d_source *alone_sources; /* [threads][most_phases] */
  ct_j2d_place *alone_places;   /* [threads][pitch / 8] */
  int most_phases;              /* of a pencil */
  int *order;                   /* [views] 0, 1, 2, ... */
  int *families;                /* [views] the item that a view belongs to; NULL: each has one of its own */
  double seconds;
} ct_j2d;

struct ct_projector_state {
  ct_j2d j;
};

/* joseph-2d-pencils.c: of the slices that the projector serves, those whose rays diverge. */
bool ct_j2d_is_fan(const ct_geometry *geometry);

/* joseph-2d-plan.c: of a ct_j2d that is all zeros. */
bool ct_j2d_init(ct_j2d *j, const ct_projector *self, const ct_projector_request *request, ct_error **error);
void ct_j2d_clear(ct_j2d *j);

/* joseph-2d-layouts.c */
void ct_j2d_image_in(const ct_projector_state *state, const float *natural, float *own);
void ct_j2d_image_out(const ct_projector_state *state, const float *own, float *natural);
void ct_j2d_rays_in(const ct_projector_state *state, const float *natural, float *own);
void ct_j2d_rays_out(const ct_projector_state *state, const float *own, float *natural);

/* joseph-2d-squares.c */
bool ct_j2d_row_squares(ct_projector_state *state, float *y, ct_error **error);

/* joseph-2d-pencils.c */
bool ct_j2d_make_pencils(ct_j2d *j, ct_error **error);
/* Rays t .. t + 15 with the rows in which one of them is between pixels low - 1 and high of the row (all rows where the
 * pencil is plain); positions are counted from `low`. */
void ct_j2d_make_group(const ct_j2d_pencil *pencil, int t, int low, int high, ct_j2d_group *group);
static inline int ct_j2d_half(const ct_j2d_pencil *pencil, bool paired) {
  return paired ? (pencil->count + 1) / 2 : pencil->count;
}

/* Rays of a phase of the pencil. */
static inline int ct_j2d_phase_count(const ct_j2d_pencil *pencil, int phase) {
  return (pencil->count - phase + pencil->phases - 1) / pencil->phases;
}
/* Floats of one phase of a pencil's scratch, zeros included. */
static inline size_t ct_j2d_run(const ct_j2d_pencil *pencil) {
  return ct_projector_padded((size_t)ct_j2d_phase_count(pencil, 0) + 2 * CT_J2D_PAD);
}
static inline size_t ct_j2d_ray_place(const ct_j2d_pencil *pencil, int phase) {
  return pencil->scratch + (size_t)phase * ct_j2d_run(pencil) + CT_J2D_PAD;
}

/* joseph-2d-items.c */
bool ct_j2d_make_items(ct_j2d *j, ct_error **error);
/* The items of the wanted views; j->items where all are. */
const ct_j2d_item *ct_j2d_items_of(ct_j2d *j, bool all, int *count);

/* joseph-2d-eights.c */
bool ct_j2d_make_eights(ct_j2d *j, ct_error **error);
bool ct_j2d_is_eight(const ct_j2d *j, const ct_j2d_item *item);
/* Fills j->eights; x is transposed. */
void ct_j2d_spread(ct_j2d *j, const float *x);
/* Some items' groups (groups_of for each) are added to their sums [ray][8]. */
void ct_j2d_project_eights(const ct_j2d *j, const ct_j2d_group *groups, int group_count, int count,
                           float *const sums[]);
/* Rays of a phase of item `number`, whose first pencil it is. */
float *ct_j2d_eight_rays(const ct_j2d *j, int number, const ct_j2d_pencil *pencil, int phase);
void ct_j2d_fill_eights(const ct_j2d *j, const ct_j2d_item *item, int number, const float *y);
/* Adds to eight tiles of 16 x 16 pixels, one per lane; sources as the tile, and as its mirror image, sees them. */
void ct_j2d_back_eights(const ct_j2d *j, const ct_j2d_source *const sources[2], int count, int column, int row,
                        int rows, float *tile);

/* joseph-2d-fan.c: views of j->wanted. `alone`: threads own rows. */
void ct_j2d_back_fan(ct_j2d *j, bool alone, const float *y, float *x);
void ct_j2d_hand_fan(ct_j2d *j, const float *y, size_t first, ct_projector_take *take, void *user);
/* joseph-2d-sources.c: the pencil's phase in image coordinates, or along its own rows; `flip`: rows count from the
 * last one. */
ct_j2d_source ct_j2d_source_of(const ct_j2d *j, const ct_j2d_pencil *pencil, int phase, bool own, bool flip);
/* A pencil's rays into its scratch, which lies `origin` floats before `scratch`'s place in the whole. */
void ct_j2d_fill_pencil(const ct_j2d_pencil *pencil, const float *rays, float *scratch, size_t origin);
/* joseph-2d-forward.c, joseph-2d-back.c: one slice. blocks NULL: all views. */
void ct_j2d_project(ct_j2d *j, const int *blocks, int count, const float *x, float *y);
void ct_j2d_back_project(ct_j2d *j, const int *blocks, int count, const float *y, float *x);
/* A view alone: sums along its rays [ct_j2d_chunk_sums] through one chunk of rows; of all chunks [chunk][sums], in
 * their order, its rays. `room` for the sums of one chunk may be the first of them. */
static inline int ct_j2d_chunks(const ct_j2d *j) {
  return (j->ny + CT_J2D_CHUNK - 1) / CT_J2D_CHUNK;
}
size_t ct_j2d_chunk_sums(const ct_j2d *j, int view);
void ct_j2d_project_chunk(const ct_j2d *j, int view, int chunk, const float *x, float *sums);
void ct_j2d_gather_chunks(const ct_j2d *j, int view, const float *sums, float *room, float *rays);
/* Rows [row, row + rows) of a slice as these sources see them, into rows of j->pitch from `place` on. */
void ct_j2d_back_rows(const ct_j2d *j, const ct_j2d_source *sources, int count, int row, int rows, float *place);
/* The few views of a slice that begins with float `first` of the layout. */
void ct_j2d_hand_slice(ct_j2d *j, const int *blocks, int count, const float *y, size_t first, ct_projector_take *take,
                       void *user);
/* joseph-2d-sweep.c: views one after the other, each correcting the slice in front of the next. */
size_t ct_j2d_alone_size(const ct_j2d *j);
void ct_j2d_sweep_slice(ct_j2d *j, const ct_projector_sweep *sweep);
/* joseph-2d-slices.c: all slices at once. */
void ct_j2d_bundle_layouts(ct_j2d *j);
void ct_j2d_bundles_in(const ct_j2d *j, const float *natural, float *own, bool rays);
void ct_j2d_bundles_out(const ct_j2d *j, const float *own, float *natural, bool rays);
/* bundle -1: all of them. */
void ct_j2d_project_bundles(ct_j2d *j, int bundle, const int *blocks, int count, const float *x, float *y);
void ct_j2d_hand_bundle(ct_j2d *j, int bundle, const int *blocks, int count, const float *y, ct_projector_take *take,
                        void *user);
void ct_j2d_back_project_bundles(ct_j2d *j, const int *blocks, int count, const float *y, float *x);
/* Marks the views of the blocks in j->wanted. */
void ct_j2d_want(ct_j2d *j, const int *blocks, int count);

#endif
