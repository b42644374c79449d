/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of any pose gathered from the tiles on the card (oblique.comp), in bands of rows as large as the staging
 * buffer. */
#include "render/compute/tiles-private.h"

enum { SOURCE = 0, RESULT = 1 };                                                 /* bindings */
enum { START = 0, ACROSS = 1, UP = 2, WHOLE = 3, PART = 4, SIZE = 5, ADDS = 6 }; /* uniform locations */

/* Rows from .. from + rows - 1, from all tiles into the staging buffer. */
static void gather(const ctgl_tiles *tiles, const ct_oblique *o, int from, int rows) {
  const ct_grid *g = &tiles->grid;
  const double first[3] = {g->x0, g->y0, g->z0}, step[3] = {g->dx, g->dy, g->dz};
  double start[3], across[3], up[3];
  ct_oblique_point(o, 0, from, start);
  for (int n = 0; n < 3; n++) {
    start[n] = (start[n] - first[n]) / step[n];
    across[n] = o->spacing * o->across[n] / step[n];
    up[n] = o->spacing * o->up[n] / step[n];
  }
  glUniform3dv(START, 1, start);
  glUniform3dv(ACROSS, 1, across);
  glUniform3dv(UP, 1, up);
  glUniform3i(WHOLE, g->nx, g->ny, g->nz);
  glUniform2i(SIZE, o->width, rows);
  for (int n = 0; n < tiles->count; n++) {
    const ctgl_tile t = ctgl_tiles_at(tiles, n);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, SOURCE, tiles->buffers[n]);
    glUniform4i(PART, t.j, t.rows, t.k, t.slices);
    glUniform1i(ADDS, n > 0);
    glDispatchCompute((GLuint)(o->width + 15) / 16, (GLuint)(rows + 15) / 16, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
}

bool ctgl_tiles_add_oblique(ctgl_tiles *tiles, const ct_oblique *o, float *out, ct_error **error) {
  if (tiles->resident < tiles->count || !tiles->dirty) return true;
  const GLuint program = ctgl_device_program(tiles->device, "oblique.comp", "", error);
  if (!program) return false;
  const size_t width = (size_t)o->width, most = 2 * tiles->piece / width;
  if (!most)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "A plane of %d x %d pixels is too large to be shown from the graphics card.", o->width,
                        o->height);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glUseProgram(program);
  for (int row = 0; row < o->height;) {
    const int left = o->height - row, rows = (size_t)left < most ? left : (int)most;
    const size_t count = (size_t)rows * width;
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, RESULT, tiles->staging, 0, (GLsizeiptr)(count * sizeof(float)));
    gather(tiles, o, row, rows);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    glBindBuffer(GL_COPY_WRITE_BUFFER, tiles->staging);
    const float *sums = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)(count * sizeof(float)), GL_MAP_READ_BIT);
    if (!sums) return ctgl_device_refuse(tiles->device, "reading a plane back", error);
    float *to = out + (size_t)row * width;
    for (size_t n = 0; n < count; n++) to[n] += sums[n];
    glUnmapBuffer(GL_COPY_WRITE_BUFFER);
    row += rows;
  }
  return true;
}
