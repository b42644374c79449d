/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The finished slices of a volume that is made in slabs, kept small: blocks of step^3 voxels and their mean. They are
 * what the planes on screen show of slabs that have been handed on. */
#ifndef CT_SOLVE_OVERVIEW_H
#define CT_SOLVE_OVERVIEW_H

#include "recon/data/volume.h"

typedef struct ct_overview {
  ct_grid grid;   /* the whole volume's */
  int step;       /* 1: every voxel is kept */
  int nx, ny, nz; /* blocks */
  float *blocks;  /* [nz][ny][nx] */
  int done;       /* slices that are finished: the slab in work begins there */
} ct_overview;

/* The least step whose blocks take `bytes` at most. */
int ct_overview_step(const ct_grid *grid, double bytes);
double ct_overview_bytes(const ct_grid *grid, int step);
bool ct_overview_init(ct_overview *overview, const ct_grid *grid, int step, ct_error **error);
void ct_overview_clear(ct_overview *overview);
/* The next slices. */
void ct_overview_add(ct_overview *overview, const ct_volume *slab);
/* A plane of the whole grid; 0 where nothing is finished. */
void ct_overview_read_plane(const ct_overview *overview, ct_plane plane, int index, float *out);

#endif
