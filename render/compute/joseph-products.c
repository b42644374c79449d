/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A x and A^T y on the card: slabs of the image, groups of views, dispatches short enough for the desktop. Results go
 * back through a buffer that stays mapped while the next group or slice is at work. */
#include "render/compute/joseph-private.h"

#include "recon/fp/joseph/view-rays.h"

#include <math.h>
#include <string.h>

enum { IMAGE = 0, RAYS = 1, VIEWS = 2 }; /* bindings */
enum { SIZE = 0, SLAB = 1, PIXELS = 2, CENTRE = 3, MIDDLE = 4, VOXEL = 5, FIRST = 6 };

static void find_centre(const ct_grid *grid, int centre[3]) {
  centre[0] = grid->nx / 2, centre[1] = grid->ny / 2, centre[2] = grid->nz / 2;
}

/* Directions, moments about the middle voxel and the matrix, all counted from the middle pixel. Rays of slices lie in
 * their planes, whatever their row. */
static void describe(const ct_projector_state *state, int view, float out[CTGL_JOSEPH_VIEW]) {
  const ct_geometry *g = state->request.geometry;
  const int u = g->nu / 2;
  const double v = state->layout.flat ? g->centre_v : g->nv / 2;
  int centre[3];
  find_centre(&state->request.grid, centre);
  ct_view_rays rays;
  ct_view_rays_find(g, &state->request.grid, view, &rays);
  double size = 0;
  for (int i = 0; i < 3; i++) {
    rays.direction[0][i] += u * rays.direction[1][i] + v * rays.direction[2][i];
    rays.point[0][i] += u * rays.point[1][i] + v * rays.point[2][i] - centre[i];
    size = fmax(size, fabs(rays.direction[0][i]));
  }
  memset(out, 0, CTGL_JOSEPH_VIEW * sizeof *out);
  /* Either the point or the direction is the same for all pixels. */
  for (int n = 0; n < 3; n++)
    for (int i = 0; i < 3; i++) {
      const int a = (i + 1) % 3, b = (i + 2) % 3;
      double moment = rays.point[0][a] * rays.direction[n][b] - rays.point[0][b] * rays.direction[n][a];
      if (n) moment += rays.point[n][a] * rays.direction[0][b] - rays.point[n][b] * rays.direction[0][a];
      out[4 * n + i] = (float)(rays.direction[n][i] / size);
      out[12 + 4 * n + i] = (float)(moment / size);
    }
  const double *m = rays.matrix, middle[3] = {u, v, 0};
  double w = m[11];
  for (int i = 0; i < 3; i++) w += m[8 + i] * centre[i];
  for (int n = 0; n < 3; n++) {
    double last = m[4 * n + 3] - middle[n] * m[11];
    for (int i = 0; i < 3; i++) {
      const double each = m[4 * n + i] - middle[n] * m[8 + i];
      out[24 + 4 * n + i] = (float)(each / w);
      last += each * centre[i];
    }
    out[24 + 4 * n + 3] = (float)(last / w);
  }
}

static void send_descriptions(const ct_projector_state *state, const int *views, int count, int turn) {
  float descriptions[64 * CTGL_JOSEPH_VIEW];
  for (int n = 0; n < count; n++) describe(state, views[n], descriptions + n * CTGL_JOSEPH_VIEW);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, state->descriptions[turn]);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)((size_t)count * CTGL_JOSEPH_VIEW * sizeof(float)),
                  descriptions);
}

static void use(const ct_projector_state *state, int from, int slices, int turn) {
  const ct_geometry *g = state->request.geometry;
  const ct_grid *grid = &state->request.grid;
  int centre[3];
  find_centre(grid, centre);
  glUseProgram(state->programs[state->pass.back]);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, IMAGE, state->slab);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, RAYS, state->rays[turn]);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, VIEWS, state->descriptions[turn]);
  glUniform3i(SIZE, grid->nx, grid->ny, grid->nz);
  glUniform2i(SLAB, from - state->layout.overlap, slices);
  glUniform2i(PIXELS, g->nu, g->nv);
  glUniform3i(CENTRE, centre[0], centre[1], centre[2]);
  glUniform2i(MIDDLE, g->nu / 2, g->nv / 2);
  glUniform3f(VOXEL, (float)grid->dx, (float)grid->dy, (float)grid->dz);
}

static GLuint groups(int count, int each) {
  return (GLuint)((count + each - 1) / each);
}

static bool project_group(ct_projector_state *state, int count) {
  const ct_geometry *g = state->request.geometry;
  ctgl_pace *pace = &state->paces[0];
  for (int slot = 0; slot < count;) {
    const int now = ctgl_pace_next(pace, count - slot);
    glUniform3i(FIRST, slot, 0, 0);
    glDispatchCompute(groups(g->nu, CTGL_JOSEPH_X), groups(g->nv, CTGL_JOSEPH_Y), (GLuint)now);
    if (!ctgl_pace_sent(pace, now)) return false;
    slot += now;
  }
  return true;
}

/* The image's own slices `from` .. `from` + `slices` - 1. */
static bool project_slab(ct_projector_state *state, int from, int slices, const float *x, float *y) {
  const ctgl_joseph_layout *l = &state->layout;
  state->pass.adds = from > 0;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, state->slab);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)((size_t)slices * l->plane * sizeof *x),
                  x + (size_t)from * l->plane);
  bool good = true;
  for (int first = 0, turn = 0; good && first < state->pass.count; first += l->slots, turn = 1 - turn) {
    const int left = state->pass.count - first, count = left < l->slots ? left : l->slots;
    send_descriptions(state, state->pass.views + first, count, turn);
    use(state, from, slices, turn);
    good = project_group(state, count);
    if (good) ctgl_carry_send(&state->carry, state->rays[turn], 0, (size_t)count * l->view, first, y);
  }
  ctgl_carry_settle(&state->carry);
  return good;
}

static bool back_project_group(ct_projector_state *state, int from, int slices, int count) {
  const ct_grid *grid = &state->request.grid;
  const int lowest = from - state->layout.overlap, begin = lowest > 0 ? lowest : 0,
            end = lowest + slices < grid->nz ? lowest + slices : grid->nz;
  ctgl_pace *pace = &state->paces[1];
  for (int slice = begin; slice < end;) {
    const int left = (end - slice + CTGL_JOSEPH_VOXELS - 1) / CTGL_JOSEPH_VOXELS, now = ctgl_pace_next(pace, left);
    glUniform3i(FIRST, 0, count, slice);
    glDispatchCompute(groups(grid->nx, CTGL_JOSEPH_X), groups(grid->ny, CTGL_JOSEPH_Y), (GLuint)now);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (!ctgl_pace_sent(pace, now)) return false;
    slice += now * CTGL_JOSEPH_VOXELS;
  }
  return true;
}

static bool back_project_slab(ct_projector_state *state, int from, int slices, const float *y, float *x) {
  const ctgl_joseph_layout *l = &state->layout;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, state->slab);
  glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32F, GL_RED, GL_FLOAT, NULL);
  bool good = true;
  for (int first = 0, turn = 0; good && first < state->pass.count; first += l->slots, turn = 1 - turn) {
    const int left = state->pass.count - first, count = left < l->slots ? left : l->slots;
    const int *views = state->pass.views + first;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, state->rays[turn]);
    for (int n = 0; n < count; n++)
      glBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)((size_t)n * l->view * sizeof *y),
                      (GLsizeiptr)(l->view * sizeof *y), y + (size_t)views[n] * l->view);
    send_descriptions(state, views, count, turn);
    use(state, from, slices, turn);
    good = back_project_group(state, from, slices, count);
  }
  const int piece = (int)(state->carry.half / l->plane);
  for (int at = 0; good && at < slices; at += piece)
    ctgl_carry_send(&state->carry, state->slab, (size_t)at * l->plane,
                    (size_t)(slices - at < piece ? slices - at : piece) * l->plane, from + at, x);
  /* The next slab brings its first slice once more. */
  ctgl_carry_settle(&state->carry);
  return good;
}

void ctgl_joseph_take(const void *user, int n, const float *sums, size_t count, float *data) {
  const ct_projector_state *state = user;
  const ctgl_joseph_layout *l = &state->layout;
  if (state->pass.back) {
    memcpy(data + (size_t)n * l->plane, sums, count * sizeof *sums);
    return;
  }
  for (size_t done = 0; done < count; done += l->view, n++) {
    float *to = data + (size_t)state->pass.views[n] * l->view;
    if (!state->pass.adds)
      memcpy(to, sums + done, l->view * sizeof *sums);
    else
      for (size_t i = 0; i < l->view; i++) to[i] += sums[done + i];
  }
}

/* from: y or x, to: the other one. */
static bool run(ct_projector_state *state, bool back, const int *blocks, int count, const float *from, float *to,
                ct_error **error) {
  const ctgl_joseph_layout *l = &state->layout;
  if (!ctgl_device_enter(state->device, error)) return false;
  state->pass =
      (ctgl_joseph_pass){back, blocks ? blocks : state->views, blocks ? count : state->request.geometry->views, false};
  bool good = true;
  for (int at = 0; good && at + l->overlap < l->slices; at += l->thick - l->overlap) {
    const int slices = l->slices - at < l->thick ? l->slices - at : l->thick;
    good = back ? back_project_slab(state, at, slices, from, to) : project_slab(state, at, slices, from, to);
  }
  ctgl_carry_settle(&state->carry);
  good = ctgl_pace_drain(&state->paces[back]) && good;
  return ctgl_device_leave(state->device, good, back ? "back-projecting" : "projecting", error);
}

bool ctgl_joseph_forward(ct_projector_state *state, const int *blocks, int count, const float *x, float *y,
                         ct_error **error) {
  return run(state, false, blocks, count, x, y, error);
}

bool ctgl_joseph_back(ct_projector_state *state, const int *blocks, int count, const float *y, float *x,
                      ct_error **error) {
  const size_t end = (size_t)state->layout.slices * state->layout.plane;
  memset(x + end, 0, (state->layout.image - end) * sizeof *x);
  return run(state, true, blocks, count, y, x, error);
}
