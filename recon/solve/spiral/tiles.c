/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of voxel columns (tiles.h). */
#include "recon/solve/spiral/tiles.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"

#include <omp.h>
#include <string.h>

/* Voxel columns of a tile; one row of them where they are so long that the totals would leave the second cache. */
enum { TILE_X = 16, TILE_Y = 4, LONG = 1024 };

static int tile_height(const ct_grid *grid) {
  return grid->nz <= LONG ? TILE_Y : 1;
}

static size_t tile_floats(const ct_grid *grid) {
  return (size_t)ct_spiral_round_up(grid->nz) * (size_t)TILE_X * (size_t)tile_height(grid);
}

size_t ct_spiral_tiles_bytes(const ct_bp_request *request, size_t own) {
  return sizeof(float) * (size_t)request->threads * (tile_floats(&request->grid) + own) +
         2 * sizeof(int) * (size_t)request->grid.nx * (size_t)request->grid.ny;
}

bool ct_spiral_tiles_init(ct_spiral_tiles *t, const ct_bp_request *request, size_t own, ct_error **error) {
  const ct_grid *grid = &request->grid;
  const size_t columns = (size_t)grid->nx * (size_t)grid->ny;
  *t = (ct_spiral_tiles){.grid = *grid,
                         .threads = request->threads,
                         .height = tile_height(grid),
                         .voxels = ct_spiral_round_up(grid->nz),
                         .own = own};
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
      const float *from = view + (size_t)(row < count ? row : count - 1) * (size_t)columns;
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

/* What is not seen is 0. */
static void store(const ct_spiral_tiles *s, const ct_spiral_tile *t, const float *totals, bool first, float *data) {
  const ct_grid *grid = &s->grid;
  for (int k = 0; k < grid->nz; k++)
    for (int b = 0; b < t->height; b++) {
      const size_t at = (size_t)(t->j0 + b) * (size_t)grid->nx + (size_t)t->i0;
      float *row = data + (size_t)k * (size_t)grid->nx * (size_t)grid->ny + at;
      const int *seen = s->seen + 2 * at;
      for (int a = 0; a < t->width; a++) {
        const float more = totals[(size_t)(b * t->width + a) * (size_t)s->voxels + (size_t)k];
        row[a] = k < seen[2 * a] || k >= seen[2 * a + 1] ? 0 : first ? more : row[a] + more;
      }
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
