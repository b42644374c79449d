/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The volume in graphics memory: tiles of whole rows, [slices][rows][nx] floats in a storage buffer each, no larger
 * than a shader may see, and where the driver keeps buffers mapped so many that the way back of one is hidden behind
 * the work on the next. When all of them fit they stay until the end; else two take turns, and each tile is added to
 * the volume in main memory as soon as a batch of views is in it. */
#ifndef CTGL_COMPUTE_TILES_PRIVATE_H
#define CTGL_COMPUTE_TILES_PRIVATE_H

#include "recon/data/volume.h"
#include "render/compute/carry-private.h"
#include "render/compute/device-private.h"

typedef struct ctgl_tile {
  int j, rows;   /* rows [j, j + rows) of the grid */
  int k, slices; /* slices [k, k + slices) */
} ctgl_tile;

typedef struct ctgl_tiles {
  ct_bp_device *device;
  ct_grid grid;
  int rows, slices; /* of a whole tile */
  int across, up;   /* tiles along y and z */
  int count;        /* across * up */
  int resident;     /* buffers: count, or 2 that take turns */
  GLuint *buffers;  /* [resident] */
  GLuint staging;   /* what read-backs pass through, and planes: two pieces */
  size_t piece;     /* floats */
  bool carries;     /* tiles go back while the next are made */
  ctgl_carry carry;
  bool dirty; /* resident tiles hold sums that the volume lacks */
} ctgl_tiles;

/* Bytes of graphics memory that the tiles take; `limit`: what may be used, 0: no limit; `slices`: of a tile at most, 0:
 * any. */
double ctgl_tiles_bytes(const ct_bp_device *device, const ct_grid *grid, double limit, int slices);
/* While entered. CT_ERROR_MEMORY when the card cannot hold them; whatever was made is there to be cleared. The tiles
 * stay at their address until they are cleared. */
bool ctgl_tiles_init(ctgl_tiles *tiles, ct_bp_device *device, const ct_grid *grid, double limit, int slices,
                     ct_error **error);
void ctgl_tiles_clear(ctgl_tiles *tiles);
/* Instead, where the context is gone and the graphics memory with it. */
void ctgl_tiles_forget(ctgl_tiles *tiles);

ctgl_tile ctgl_tiles_at(const ctgl_tiles *tiles, int n);
/* Where tile n is while it is at work. */
GLuint ctgl_tiles_buffer(const ctgl_tiles *tiles, int n);
/* Binds tile n to the storage binding, zero where its sums begin anew. */
void ctgl_tiles_begin(ctgl_tiles *tiles, int n, GLuint binding);
/* After a batch's views: a tile that cannot stay, or need not because no views follow (`last`), goes back to be added
 * to the volume, at the latest by ctgl_tiles_settle. */
bool ctgl_tiles_end(ctgl_tiles *tiles, int n, bool last, ct_volume *volume, ct_error **error);
/* After all tiles of a batch: waits for those on their way. */
void ctgl_tiles_settle(ctgl_tiles *tiles);
/* Adds what stayed to the volume and begins anew. */
bool ctgl_tiles_finish(ctgl_tiles *tiles, ct_volume *volume, ct_error **error);
/* out[height][width] += the plane's sums that are still on the card. */
bool ctgl_tiles_add_plane(ctgl_tiles *tiles, ct_plane plane, int index, float *out, ct_error **error);
/* The same for a plane of any pose, trilinear (oblique.c). */
bool ctgl_tiles_add_oblique(ctgl_tiles *tiles, const ct_oblique *oblique, float *out, ct_error **error);

#endif
