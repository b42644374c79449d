/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The finished levels of a volume that is made in slabs, kept small: blocks of step^3 voxels and their mean. They are
 * what the planes on screen show of slabs that have been handed on. */
#ifndef CT_SOLVE_SHELF_H
#define CT_SOLVE_SHELF_H

#include "recon/data/volume.h"

typedef struct ct_shelf {
  ct_grid grid;   /* the whole volume's */
  int step;       /* 1: every voxel is kept */
  int nx, ny, nz; /* blocks */
  float *blocks;  /* [nz][ny][nx] */
  int done;       /* levels that are finished: the slab in work begins there */
} ct_shelf;

/* The least step whose blocks take `bytes` at most. */
int ct_shelf_step(const ct_grid *grid, double bytes);
double ct_shelf_bytes(const ct_grid *grid, int step);
bool ct_shelf_init(ct_shelf *shelf, const ct_grid *grid, int step, ct_error **error);
void ct_shelf_clear(ct_shelf *shelf);
/* The next levels. */
void ct_shelf_add(ct_shelf *shelf, const ct_volume *slab);
/* A plane of the whole grid; 0 where nothing is finished. */
void ct_shelf_read_plane(const ct_shelf *shelf, ct_plane plane, int index, float *out);

#endif
