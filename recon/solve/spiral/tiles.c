/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of voxel columns (tiles.h). */
#include "recon/solve/spiral/tiles.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"

#include <omp.h>
#include <string.h>

/* Voxel columns of a tile; fewer along y where they are so long that the totals would leave the second cache. */
enum { TILE_X = CT_SPIRAL_STRIP, TILE_Y = 16, LONG = 512 };

static int tile_height(const ct_grid *grid) {
  const int height = TILE_Y * LONG / ct_spiral_round_up(grid->nz);
  return height < 1 ? 1 : height > TILE_Y ? TILE_Y : height;
}

static size_t tile_floats(const ct_grid *grid) {
  return (size_t)ct_spiral_round_up(grid->nz) * (size_t)TILE_X * (size_t)tile_height(grid);
}

size_t ct_spiral_tiles_bytes(const ct_bp_request *request, size_t own) {
  return sizeof(float) * (size_t)request->threads * (tile_floats(&request->grid) + own) +
         2 * sizeof(int) * (size_t)request->grid.nx * (size_t)request->grid.ny;
}

bool ct_spiral_tiles_init(ct_spiral_tiles *t, const ct_bp_request *request, const ct_spiral_loops *loops, size_t own,
                          ct_error **error) {
  const ct_grid *grid = &request->grid;
  const size_t columns = (size_t)grid->nx * (size_t)grid->ny;
  *t = (ct_spiral_tiles){.grid = *grid,
                         .threads = request->threads,
                         .height = tile_height(grid),
                         .voxels = ct_spiral_round_up(grid->nz),
                         .own = own,
                         .loops = loops};
  t->scratch =
      ct_alloc_zero((size_t)request->threads, (tile_floats(grid) + own) * sizeof(float), "the voxel tiles", error);
  t->seen = t->scratch ? ct_alloc(columns, 2 * sizeof(int), "the slices seen", error) : NULL;
  for (size_t n = 0; t->seen && n < columns; n++) t->seen[2 * n] = 0, t->seen[2 * n + 1] = grid->nz;
  return t->seen;
}

void ct_spiral_tiles_clear(ct_spiral_tiles *t) {
  ct_free(t->scratch);
  ct_free(t->seen);
}

static void lay_view(const float *view, int columns, int count, int rows, float *out) {
  for (int j0 = 0; j0 < columns; j0 += 16)
    for (int row = 0; row < rows; row++) {
      const int line = row - CT_SPIRAL_BESIDE;
      const float *from = view + (size_t)(line < 0 ? 0 : line < count ? line : count - 1) * (size_t)columns;
      for (int j = j0; j < columns && j < j0 + 16; j++) out[(size_t)j * (size_t)rows + (size_t)row] = from[j];
    }
}

size_t ct_spiral_view_floats(const ct_spiral_layout *l) {
  return (size_t)l->columns * (size_t)l->rows;
}

void ct_spiral_lay(const ct_spiral_layout *l, const ct_bp_batch *batch, int threads) {
  const size_t picture = (size_t)l->columns * (size_t)l->lines;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int n = 0; n < batch->count * l->most; n++)
    if (batch->views[n / l->most] + n % l->most * l->groups < l->count)
      lay_view(batch->projections[n / l->most] + (size_t)(n % l->most) * picture, l->columns, l->lines, l->rows,
               l->out + (size_t)n * ct_spiral_view_floats(l));
}

static void store(const ct_spiral_tiles *s, const ct_spiral_tile *t, const float *totals, bool first, float *data) {
  const ct_grid *grid = &s->grid;
  for (int b = 0; b < t->height; b++) {
    const size_t at = (size_t)(t->j0 + b) * (size_t)grid->nx + (size_t)t->i0;
    s->loops->store(totals + (size_t)(b * t->width) * (size_t)s->voxels, s->voxels, t->width, s->seen + 2 * at, first,
                    (ptrdiff_t)grid->nx * grid->ny, grid->nz, data + at);
  }
}

void ct_spiral_tiles_run(const ct_spiral_tiles *s, const ct_bp_batch *batch, ct_spiral_add add, const void *user,
                         ct_volume *volume, ct_job *job) {
  const ct_grid *grid = &s->grid;
  const int across = (grid->nx + TILE_X - 1) / TILE_X, tiles = across * ((grid->ny - 1) / s->height + 1);
  const size_t floats = tile_floats(grid);
  float *data = ct_volume_data(volume);
#pragma omp parallel for schedule(dynamic) num_threads(s->threads)
  for (int n = 0; n < tiles; n++) {
    float *totals = s->scratch + (size_t)omp_get_thread_num() * (floats + s->own);
    const int i0 = n % across * TILE_X, j0 = n / across * s->height;
    const ct_spiral_tile t = {i0, j0, grid->nx - i0 < TILE_X ? grid->nx - i0 : TILE_X,
                              grid->ny - j0 < s->height ? grid->ny - j0 : s->height};
    memset(totals, 0, floats * sizeof *totals);
    for (int i = 0; i < batch->count && !ct_bp_stopped(job); i++) add(user, i, &t, totals, totals + floats);
    if (!ct_bp_stopped(job)) store(s, &t, totals, batch->first, data);
  }
}
