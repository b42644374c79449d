/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A x and A^T y on the orbit matrix. Forward, threads own blocks, or of few blocks parts of the image with sums of
 * their own; back, they own tiles of the image. The order of sums depends on the blocks asked for, never on the number
 * of threads. */
#include "recon/fp/orbit/orbit-run.h"

#include "recon/base/machine.h"

#include <string.h>

/* Blocks that read a tile of the image one after another while it lies in the cache; tiles that read a block's turned
 * rays so, of interleaved slices; shares of a block that are summed at a time. */
enum { BLOCKS_TOGETHER = 4, TILES_TOGETHER = 4, SHARES = 8 };

typedef struct pieces {
  const ct_orbit_stored *stored;
  int from, to; /* of [tile][part] */
} pieces;

static void run_pieces(const ct_projector_state *state, const pieces *p, bool turned, int width, const float *in,
                       float *out) {
  const ct_orbit_offset *from = p->stored->first + p->from, *to = p->stored->first + p->to;
  if (from->header == to->header) return;
  const ct_orbit_run run = {.headers = p->stored->headers + from->header,
                            .count = to->header - from->header,
                            .steps = p->stored->steps + from->step * ct_orbit_step_size(state->precision),
                            .in = in,
                            .out = out,
                            .scale = state->scale,
                            .turns = state->turns};
  const ct_orbit_loops *loops = state->loops;
  const ct_orbit_width w = width == 1 ? CT_ORBIT_NARROW : CT_ORBIT_INTERLEAVED;
  (turned ? loops->turned : loops->straight)[w][state->precision](&run);
}

/* Places that are not real become 0. */
static void clear_unreal(const uint8_t *real, size_t lines, int width, float *out) {
  for (size_t n = 0; n < lines; n++)
    if (real[n] != 0xff)
      for (size_t k = 0; k < 8; k++)
        if (!(real[n] >> k & 1)) memset(out + (n * 8 + k) * (size_t)width, 0, (size_t)width * sizeof *out);
}

/* Tiles [from, to) of some blocks; out[n] are the block's rays, or room for this part of their sums. */
static void add_tiles(const ct_projector_state *state, const int *blocks, int count, int group, int from, int to,
                      const float *x, float *const out[]) {
  const int width = ct_orbit_width_of(state, group);
  const size_t line = 8 * (size_t)width;
  for (int n = 0; n < count; n++) memset(out[n], 0, state->rays.block[blocks[n]].rows * line * sizeof *x);
  for (int tile = from; tile < to; tile++)
    for (int n = 0; n < count; n++) {
      const pieces p = {&state->rays.block[blocks[n]].forward, tile, tile + 1};
      run_pieces(state, &p, true, width, x + ct_orbit_image_at(state, group) + state->image.first[tile] * line, out[n]);
    }
}

/* A run of blocks of one group, and what makes the rays' layout of it complete. */
static void forward_run(const ct_projector_state *state, const int *blocks, int count, int group, const float *x,
                        float *y) {
  float *out[BLOCKS_TOGETHER];
  for (int k = 0; k < count; k++) out[k] = y + ct_orbit_rays_at(state, state->rays.block + blocks[k], group);
  add_tiles(state, blocks, count, group, 0, state->image.tiles, x, out);
  for (int k = 0; k < count; k++) {
    const ct_orbit_block *block = state->rays.block + blocks[k];
    clear_unreal(state->rays.real + block->first_row, block->rows, ct_orbit_width_of(state, group), out[k]);
  }
}

/* Many blocks: threads take runs of them, shorter ones towards the end so that all finish together. */
static void forward_blocks(const ct_projector_state *state, const int *blocks, int count, const float *x, float *y) {
  const int threads = state->request.threads, all = state->groups * count;
  int next = 0;
#pragma omp parallel num_threads(threads)
  while (true) {
    int first, here;
#pragma omp critical(ct_orbit_runs)
    {
      first = next;
      const int share = (all - first) / (2 * threads), most = count - first % count;
      here = share < 1 ? 1 : share < BLOCKS_TOGETHER ? share : BLOCKS_TOGETHER;
      if (here > most) here = most;
      next += first < all ? here : 0;
    }
    if (first >= all) break;
    forward_run(state, blocks + first % count, here, first / count, x, y);
  }
}

static float *part_of(const ct_projector_state *state, int part, int width) {
  return state->parts + (size_t)part * state->rays.most_rows * 8 * (size_t)width;
}

/* Rows [from, to) of a block from its parts, in their order. */
static void sum_parts(const ct_projector_state *state, const ct_orbit_block *block, int group, int first, int parts,
                      size_t from, size_t to, float *y) {
  const int width = ct_orbit_width_of(state, group);
  const size_t line = 8 * (size_t)width, floats = (to - from) * line;
  float *out = y + ct_orbit_rays_at(state, block, group) + from * line;
  memcpy(out, part_of(state, first, width) + from * line, floats * sizeof *out);
  for (int p = 1; p < parts; p++) {
    const float *in = part_of(state, first + p, width) + from * line;
    for (size_t n = 0; n < floats; n++) out[n] += in[n];
  }
  clear_unreal(state->rays.real + block->first_row + from, to - from, width, out);
}

/* Few blocks: threads share each one, part by part of the image. */
static void forward_parts(const ct_projector_state *state, const int *blocks, int count, const float *x, float *y) {
  if (!count) return;
  const int parts = (CT_ORBIT_FEW + count - 1) / count, tiles = state->image.tiles;
#pragma omp parallel num_threads(state->request.threads)
  for (int group = 0; group < state->groups; group++) {
#pragma omp for schedule(dynamic)
    for (int n = 0; n < count * parts; n++) {
      float *const out[1] = {part_of(state, n, ct_orbit_width_of(state, group))};
      const int part = n % parts;
      add_tiles(state, blocks + n / parts, 1, group, part * tiles / parts, (part + 1) * tiles / parts, x, out);
    }
#pragma omp for schedule(static)
    for (int n = 0; n < count * SHARES; n++) {
      const ct_orbit_block *block = state->rays.block + blocks[n / SHARES];
      const size_t share = n % SHARES, rows = block->rows;
      sum_parts(state, block, group, n / SHARES * parts, parts, rows * share / SHARES, rows * (share + 1) / SHARES, y);
    }
  }
}

void ct_orbit_forward(const ct_projector_state *state, const int *blocks, int count, const float *x, float *y) {
  (count < CT_ORBIT_FEW ? forward_parts : forward_blocks)(state, blocks, count, x, y);
}

typedef struct back_set {
  const int *blocks;
  int count, group;
  bool begins, ends;
} back_set;

static float *copies_of(const ct_projector_state *state, int n, int width) {
  return state->copies + (size_t)n * ct_orbit_copied_lines(state) * 8 * (size_t)width;
}

/* The copy of a block's rays that is turned by h: copy[row][k] = Y[row][k h^-1]. */
static void copy_turned(const ct_projector_state *state, const back_set *set, int n, int h, const float *y) {
  const ct_orbit_block *block = state->rays.block + set->blocks[n];
  const int width = ct_orbit_width_of(state, set->group);
  const size_t line = 8 * (size_t)width;
  float *copy = copies_of(state, n, width) + (size_t)h * block->rows * line;
  const ct_orbit_width w = width == 1 ? CT_ORBIT_NARROW : CT_ORBIT_INTERLEAVED;
  state->loops->turn[w](y + ct_orbit_rays_at(state, block, set->group), block->rows,
                        state->turns[ct_symmetry_inverse(h)], copy);
  /* The second line of a pair that begins with the last one. */
  if (h == 7) memset(copy + block->rows * line, 0, line * sizeof *copy);
}

/* Tiles [from, to). */
static void run_back(const ct_projector_state *state, const back_set *set, int from, int to, float *x) {
  const int width = ct_orbit_width_of(state, set->group);
  const size_t line = 8 * (size_t)width, first = state->image.first[from];
  const size_t end = to < state->image.tiles ? state->image.first[to] : state->image.orbits;
  float *out = x + ct_orbit_image_at(state, set->group);
  if (set->begins) memset(out + first * line, 0, (end - first) * line * sizeof *x);
  for (int n = 0; n < set->count; n++)
    for (int piece = from * state->windows; piece < to * state->windows; piece++) {
      const pieces p = {&state->rays.block[set->blocks[n]].back, piece, piece + 1};
      run_pieces(state, &p, false, width,
                 copies_of(state, n, width) + (size_t)(piece % state->windows) * CT_ORBIT_REACH * line,
                 out + state->image.first[piece / state->windows] * line);
    }
  if (set->ends) clear_unreal(state->image.real + first, end - first, width, out + first * line);
}

/* As long as there is work for every thread. */
static int tiles_together(const ct_projector_state *state, int group) {
  const int fair = state->image.tiles / (4 * state->request.threads);
  if (ct_orbit_width_of(state, group) == 1 || fair < 1) return 1;
  return fair < TILES_TOGETHER ? fair : TILES_TOGETHER;
}

void ct_orbit_back(const ct_projector_state *state, const int *blocks, int count, const float *y, float *x) {
  const int together = state->copied_blocks, sets = count ? (count + together - 1) / together : 1,
            tiles = state->image.tiles;
#pragma omp parallel num_threads(state->request.threads)
  for (int n = 0; n < state->groups * sets; n++) {
    const int first = n % sets * together, left = count - first;
    const back_set set = {.blocks = blocks + first,
                          .count = left < together ? left : together,
                          .group = n / sets,
                          .begins = first == 0,
                          .ends = left <= together};
#pragma omp for schedule(dynamic)
    for (int k = 0; k < 8 * set.count; k++) copy_turned(state, &set, k / 8, k % 8, y);
    const int here = tiles_together(state, set.group);
#pragma omp for schedule(dynamic)
    for (int tile = 0; tile < tiles; tile += here)
      run_back(state, &set, tile, tile + here < tiles ? tile + here : tiles, x);
  }
}
