/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of a volume in graphics memory: sizes, uploads and downloads, reading planes and the whole volume. */
#include "render/compute/tiles-private.h"

#include "recon/base/memory.h"

#include <string.h>

/* Read-backs go in pieces of so many floats, two on their way at a time. */
enum { MOST_PIECE = 1 << 23, PLANE_SOURCE = 0, PLANE_RESULT = 1 };
/* Tiles that go back one behind the other: eight at least, of some 16 to 128 MiB. */
enum { CARRIED_TILES = 8, LEAST_CARRIED = 1 << 22, MOST_CARRIED = 1 << 25 };

static int at_least_one(size_t n, int most) {
  return n < 1 ? 1 : n < (size_t)most ? (int)n : most;
}

static size_t most_floats(const ctgl_device_facts *facts, const ct_grid *grid) {
  const size_t block = facts->storage_block / sizeof(float);
  size_t carried = ct_grid_voxels(grid) / CARRIED_TILES;
  if (carried < LEAST_CARRIED) carried = LEAST_CARRIED;
  if (carried > MOST_CARRIED) carried = MOST_CARRIED;
  return facts->persistent_map && carried < block ? carried : block;
}

static void plan(ctgl_tiles *tiles, const ct_bp_device *device, const ct_grid *grid, double limit, int slices) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(device);
  *tiles = (ctgl_tiles){.grid = *grid, .carries = facts->persistent_map};
  const size_t block = most_floats(facts, grid), row = (size_t)grid->nx;
  tiles->rows = at_least_one(block / row, grid->ny);
  tiles->slices = tiles->rows < grid->ny ? 1 : at_least_one(block / (row * (size_t)grid->ny), grid->nz);
  if (slices > 0 && tiles->slices > slices) tiles->slices = slices;
  /* Two tiles at least have to fit, for one to be read while the other is made. */
  const double slice = (double)sizeof(float) * grid->nx * tiles->rows;
  if (limit > 0 && (double)sizeof(float) * (double)ct_grid_voxels(grid) > limit) {
    if (2 * slice * tiles->slices > limit) tiles->slices = at_least_one((size_t)(limit / (2 * slice)), tiles->slices);
    if (2 * slice > limit)
      tiles->rows = at_least_one((size_t)(limit / (2 * (double)sizeof(float) * grid->nx)), tiles->rows);
  }
  tiles->across = (grid->ny + tiles->rows - 1) / tiles->rows;
  tiles->up = (grid->nz + tiles->slices - 1) / tiles->slices;
  tiles->count = tiles->across * tiles->up;
  const size_t floats = (size_t)grid->nx * (size_t)tiles->rows * (size_t)tiles->slices;
  tiles->piece = floats < MOST_PIECE ? floats : MOST_PIECE;
  const double tile = slice * tiles->slices;
  const bool all = limit <= 0 || tile * tiles->count <= limit;
  tiles->resident = all || tiles->count < 2 ? tiles->count : 2;
}

static GLsizeiptr tile_bytes(const ctgl_tiles *tiles) {
  return (GLsizeiptr)sizeof(float) * tiles->grid.nx * tiles->rows * tiles->slices;
}

double ctgl_tiles_bytes(const ct_bp_device *device, const ct_grid *grid, double limit, int slices) {
  ctgl_tiles tiles;
  plan(&tiles, device, grid, limit, slices);
  const double back = tiles.carries ? 2.0 * (double)tile_bytes(&tiles) : 0;
  return (double)tile_bytes(&tiles) * tiles.resident + 2.0 * (double)tiles.piece * sizeof(float) + back;
}

static size_t tile_floats(const ctgl_tiles *tiles, const ctgl_tile *t) {
  return (size_t)tiles->grid.nx * (size_t)t->rows * (size_t)t->slices;
}

/* Where float `at` of a tile stands in the volume, and how many follow on without a gap. */
static size_t place(const ctgl_tiles *tiles, const ctgl_tile *t, size_t at, size_t *run) {
  const size_t slice = (size_t)t->rows * (size_t)tiles->grid.nx, k = at / slice, inside = at % slice;
  *run = t->rows == tiles->grid.ny ? slice * (size_t)t->slices - at : slice - inside;
  return (((size_t)t->k + k) * (size_t)tiles->grid.ny + (size_t)t->j) * (size_t)tiles->grid.nx + inside;
}

static void add_piece(const ctgl_tiles *tiles, const ctgl_tile *t, size_t from, size_t count, const float *sums,
                      float *data) {
  for (size_t done = 0; done < count;) {
    size_t run;
    float *to = data + place(tiles, t, from + done, &run);
    if (run > count - done) run = count - done;
    const float *in = sums + done;
#pragma omp parallel for simd schedule(static)
    for (size_t n = 0; n < run; n++) to[n] += in[n];
    done += run;
  }
}

static void add_carried(const void *user, int n, const float *sums, size_t count, float *data) {
  const ctgl_tiles *tiles = user;
  const ctgl_tile t = ctgl_tiles_at(tiles, n);
  add_piece(tiles, &t, 0, count, sums, data);
}

static void zero(GLuint buffer) {
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32F, GL_RED, GL_FLOAT, NULL);
}

bool ctgl_tiles_init(ctgl_tiles *tiles, ct_bp_device *device, const ct_grid *grid, double limit, int slices,
                     ct_error **error) {
  plan(tiles, device, grid, limit, slices);
  tiles->device = device;
  tiles->buffers = ct_alloc_zero((size_t)tiles->resident, sizeof *tiles->buffers, "the volume's tiles", error);
  if (!tiles->buffers) return false;
  glGenBuffers(tiles->resident, tiles->buffers);
  for (int n = 0; n < tiles->resident; n++) {
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, tiles->buffers[n]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, tile_bytes(tiles), NULL, GL_DYNAMIC_COPY);
    zero(tiles->buffers[n]);
  }
  glGenBuffers(1, &tiles->staging);
  glBindBuffer(GL_COPY_WRITE_BUFFER, tiles->staging);
  glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(2 * tiles->piece * sizeof(float)), NULL, GL_STREAM_READ);
  return ctgl_device_check(device, "the volume", error) &&
         (!tiles->carries ||
          ctgl_carry_init(&tiles->carry, device, (size_t)tile_bytes(tiles) / sizeof(float), add_carried, tiles, error));
}

void ctgl_tiles_clear(ctgl_tiles *tiles) {
  ctgl_carry_clear(&tiles->carry);
  if (tiles->buffers) glDeleteBuffers(tiles->resident, tiles->buffers);
  if (tiles->staging) glDeleteBuffers(1, &tiles->staging);
  ct_free(tiles->buffers);
  *tiles = (ctgl_tiles){0};
}

void ctgl_tiles_forget(ctgl_tiles *tiles) {
  ct_free(tiles->buffers);
  *tiles = (ctgl_tiles){0};
}

ctgl_tile ctgl_tiles_at(const ctgl_tiles *tiles, int n) {
  const int j = n % tiles->across * tiles->rows, k = n / tiles->across * tiles->slices;
  const ct_grid *grid = &tiles->grid;
  return (ctgl_tile){j, j + tiles->rows < grid->ny ? tiles->rows : grid->ny - j, k,
                     k + tiles->slices < grid->nz ? tiles->slices : grid->nz - k};
}

GLuint ctgl_tiles_buffer(const ctgl_tiles *tiles, int n) {
  return tiles->buffers[n % tiles->resident];
}

void ctgl_tiles_begin(ctgl_tiles *tiles, int n, GLuint binding) {
  if (tiles->resident < tiles->count) zero(ctgl_tiles_buffer(tiles, n));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, ctgl_tiles_buffer(tiles, n));
  tiles->dirty = true;
}

static void request_piece(const ctgl_tiles *tiles, GLuint buffer, size_t from, size_t count, int half) {
  glBindBuffer(GL_COPY_READ_BUFFER, buffer);
  glBindBuffer(GL_COPY_WRITE_BUFFER, tiles->staging);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)(from * sizeof(float)),
                      (GLintptr)((size_t)half * tiles->piece * sizeof(float)), (GLsizeiptr)(count * sizeof(float)));
}

/* The tile's sums are added to the volume; the copy of the next piece is under way while one is being added. */
static bool add_tile(const ctgl_tiles *tiles, int n, ct_volume *volume, ct_error **error) {
  const ctgl_tile t = ctgl_tiles_at(tiles, n);
  const size_t total = tile_floats(tiles, &t), piece = tiles->piece;
  const GLuint buffer = ctgl_tiles_buffer(tiles, n);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  request_piece(tiles, buffer, 0, total < piece ? total : piece, 0);
  int half = 0;
  for (size_t at = 0; at < total; at += piece, half = 1 - half) {
    const size_t count = total - at < piece ? total - at : piece, next = at + piece;
    if (next < total) request_piece(tiles, buffer, next, total - next < piece ? total - next : piece, 1 - half);
    glBindBuffer(GL_COPY_WRITE_BUFFER, tiles->staging);
    const float *sums = glMapBufferRange(GL_COPY_WRITE_BUFFER, (GLintptr)((size_t)half * tiles->piece * sizeof(float)),
                                         (GLsizeiptr)(count * sizeof(float)), GL_MAP_READ_BIT);
    if (!sums) return ctgl_device_refuse(tiles->device, "reading the volume back", error);
    add_piece(tiles, &t, at, count, sums, ct_volume_data(volume));
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
  }
  return true;
}

bool ctgl_tiles_end(ctgl_tiles *tiles, int n, bool last, ct_volume *volume, ct_error **error) {
  const bool stays = tiles->resident == tiles->count;
  if (!tiles->carries) return stays || add_tile(tiles, n, volume, error);
  if (stays && !last) return true;
  const ctgl_tile t = ctgl_tiles_at(tiles, n);
  ctgl_carry_send(&tiles->carry, ctgl_tiles_buffer(tiles, n), 0, tile_floats(tiles, &t), n, ct_volume_data(volume));
  if (stays) {
    zero(ctgl_tiles_buffer(tiles, n));
    tiles->dirty = n < tiles->count - 1;
  }
  return true;
}

void ctgl_tiles_settle(ctgl_tiles *tiles) {
  if (tiles->carries) ctgl_carry_settle(&tiles->carry);
}

bool ctgl_tiles_finish(ctgl_tiles *tiles, ct_volume *volume, ct_error **error) {
  bool good = true;
  if (tiles->resident == tiles->count && tiles->dirty)
    for (int n = 0; good && n < tiles->count; n++) {
      good = add_tile(tiles, n, volume, error);
      zero(ctgl_tiles_buffer(tiles, n));
    }
  tiles->dirty = !good;
  return good;
}

/* The part of a plane that lies in a tile, gathered by a shader into out[height][width]. */
static bool add_part(ctgl_tiles *tiles, int n, ct_plane plane, int index, int width, float *out, ct_error **error) {
  const ctgl_tile t = ctgl_tiles_at(tiles, n);
  const int nx = tiles->grid.nx;
  /* Where the part begins in the tile, its steps there, its size, and its corner in the plane. */
  int start, across, up, w, h, x, y;
  if (plane == CT_AXIAL) {
    if (index < t.k || index >= t.k + t.slices) return true;
    start = (index - t.k) * t.rows * nx, across = 1, up = nx, w = nx, h = t.rows, x = 0, y = t.j;
  } else if (plane == CT_CORONAL) {
    if (index < t.j || index >= t.j + t.rows) return true;
    start = (index - t.j) * nx, across = 1, up = t.rows * nx, w = nx, h = t.slices, x = 0, y = t.k;
  } else
    start = index, across = nx, up = t.rows * nx, w = t.rows, h = t.slices, x = t.j, y = t.k;
  const size_t count = (size_t)w * (size_t)h;
  const GLuint program = ctgl_device_program(tiles->device, "plane.comp", "", error);
  if (!program) return false;
  if (count > 2 * tiles->piece)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A plane of %d x %d voxels is too large to be shown from the graphics card.", w, h);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, PLANE_SOURCE, ctgl_tiles_buffer(tiles, n));
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, PLANE_RESULT, tiles->staging, 0, (GLsizeiptr)(count * sizeof(float)));
  glUseProgram(program);
  glUniform3i(0, start, across, up);
  glUniform2i(1, w, h);
  glDispatchCompute((GLuint)(w + 15) / 16, (GLuint)(h + 15) / 16, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  glBindBuffer(GL_COPY_WRITE_BUFFER, tiles->staging);
  const float *sums = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)(count * sizeof(float)), GL_MAP_READ_BIT);
  if (!sums) return ctgl_device_refuse(tiles->device, "reading a plane back", error);
  for (int r = 0; r < h; r++)
    for (int c = 0; c < w; c++)
      out[(size_t)(y + r) * (size_t)width + (size_t)(x + c)] += sums[(size_t)r * (size_t)w + (size_t)c];
  glUnmapBuffer(GL_COPY_WRITE_BUFFER);
  return true;
}

bool ctgl_tiles_add_plane(ctgl_tiles *tiles, ct_plane plane, int index, float *out, ct_error **error) {
  int width;
  ct_grid_plane_size(&tiles->grid, plane, &width, NULL, NULL);
  bool good = true;
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  if (tiles->resident == tiles->count && tiles->dirty)
    for (int n = 0; good && n < tiles->count; n++) good = add_part(tiles, n, plane, index, width, out, error);
  return good;
}
