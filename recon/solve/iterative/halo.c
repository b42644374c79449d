/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A x of a volume in slabs, each in another process. A = (A_1 A_2 ...) by slabs of voxels: a process makes A_c x_c of
 * all rays that hit its slab, y of a ray is the sum over the slabs that it hits, and each process that holds the ray
 * gets that sum. A^T y of a slab then is of rows that its process holds all of. The rays that are shared lie in
 * detector rows that two slabs or more throw their shadows on. */
#include "recon/solve/iterative/solver-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

/* Another process: what it shares with this one, in blocks, within each by view, row and column. */
typedef struct peer {
  int column, row0, rows; /* of this process' rows */
  uint32_t *places;       /* floats from the beginning of the block */
  float *give, *take;
} peer;

struct ct_halo {
  peer *peers; /* those below this one first, all in their order */
  int count, below;
  int chunk;     /* blocks that are exchanged at a time: the same in all processes */
  size_t *ahead; /* [blocks + 1] views of the blocks before it */
  float *kept;   /* what this process made of rays that lower ones share */
};

/* Floats that are exchanged at a time, where a block has no more. */
enum { TOGETHER = 1 << 22 };

static int overlap(ct_row_range a, ct_row_range b, int *first) {
  const int low = a.first > b.first ? a.first : b.first, end_a = a.first + a.count, end_b = b.first + b.count;
  *first = low;
  return (end_a < end_b ? end_a : end_b) - low;
}

/* Rows that a column shares with all others, counted for each; the most of any column. */
static int most_shared(const ct_row_range *columns, int count) {
  int most = 0;
  for (int a = 0; a < count; a++) {
    int rows = 0, first;
    for (int b = 0; b < count; b++) {
      const int both = a == b ? 0 : overlap(columns[a], columns[b], &first);
      rows += both > 0 ? both : 0;
    }
    most = rows > most ? rows : most;
  }
  return most;
}

double ct_iterative_shared_bytes(const ct_row_range *columns, int count, int own, int views, int nu) {
  const double shared = (double)most_shared(columns, count) * nu;
  double rows = 0;
  for (int c = 0; c < count; c++) {
    int first;
    const int both = c == own ? 0 : overlap(columns[own], columns[c], &first);
    rows += both > 0 ? both : 0;
  }
  if (rows == 0) return 0;
  /* What one gives, takes and keeps at a time: as many blocks as stay below TOGETHER, or one. */
  const double together = fmax(CT_BLOCK_VIEWS * shared, fmin(TOGETHER, shared * views));
  return rows * nu * views * sizeof(uint32_t) + 3 * together * sizeof(float);
}

void ct_halo_free(ct_halo *h) {
  if (!h) return;
  for (int n = 0; h->peers && n < h->count; n++) {
    ct_free(h->peers[n].places);
    ct_free(h->peers[n].give);
    ct_free(h->peers[n].take);
  }
  ct_free(h->peers);
  ct_free(h->ahead);
  ct_free(h->kept);
  ct_free(h);
}

static bool find_peers(ct_problem *p, ct_halo *h, const ct_row_range *columns, ct_error **error) {
  const int own = p->exchange->column, count = p->exchange->columns;
  int first;
  if (!(h->peers = ct_alloc_zero((size_t)count, sizeof *h->peers, "the rays that are shared", error))) return false;
  for (int c = 0; c < count; c++) {
    const int rows = c == own ? 0 : overlap(columns[own], columns[c], &first);
    if (rows <= 0) continue;
    if (c < own) h->below++;
    h->peers[h->count++] = (peer){.column = c, .row0 = first - columns[own].first, .rows = rows};
  }
  return h->count <= CT_TRADES ||
         ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The rays of one slab pass those of %d other processes, and %d are provided for: take fewer slab "
                      "columns.",
                      h->count, CT_TRADES);
}

static int find_view(const ct_projector_block *block, int view) {
  int n = 0;
  while (n < block->view_count && block->views[n] != view) n++;
  return n;
}

/* Puts a ray, whose place in its block this is, into the list of all who share it. Others count it where one of them is
 * below this process. False: it lies in two places. */
static bool list_ray(ct_problem *p, const ct_halo *h, int number, const ct_projector_block *block, size_t ray,
                     uint32_t place) {
  const ct_geometry *g = p->geometry;
  const size_t nu = (size_t)g->nu, view_rays = nu * (size_t)g->nv;
  const int row = (int)(ray % view_rays / nu), view = find_view(block, (int)(ray / view_rays));
  for (int n = 0; n < h->count; n++) {
    const peer *other = &h->peers[n];
    if (row < other->row0 || row >= other->row0 + other->rows) continue;
    uint32_t *at = other->places +
                   ((h->ahead[number] + (size_t)view) * (size_t)other->rows + (size_t)(row - other->row0)) * nu +
                   ray % nu;
    if (*at != UINT32_MAX) return false;
    *at = place;
    if (n < h->below) p->ray_share[block->first + place] = 0;
  }
  return true;
}

static bool in_several_places(const ct_problem *p, ct_error **error) {
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "%s keeps rays in several places, and cannot be used with slabs in several processes: choose "
                      "another projector (iterative.projector).",
                      p->projector->title);
}

/* Sends the rays' numbers through the layout, in two halves, which floats hold exactly. */
static bool list_rays(ct_problem *p, const ct_halo *h, float *natural, float *low, float *high, ct_error **error) {
  const ct_geometry *g = p->geometry;
  const size_t rays = (size_t)g->views * (size_t)g->nv * (size_t)g->nu;
  bool once = true;
  for (size_t n = 0; n < rays; n++) natural[n] = (float)(n & 4095) + 1;
  p->projector->rays_in(p->state, natural, low);
  for (size_t n = 0; n < rays; n++) natural[n] = (float)(n >> 12);
  p->projector->rays_in(p->state, natural, high);
  for (int b = 0; b < p->shape.blocks; b++) {
    ct_projector_block block;
    p->projector->block(p->state, b, &block);
    for (size_t n = 0; n < block.count; n++) {
      const size_t at = block.first + n;
      if (low[at] == 0) continue;
      if (p->ray_share) p->ray_share[at] = 1;
      once = once && list_ray(p, h, b, &block, ((size_t)high[at] << 12) + (size_t)low[at] - 1, (uint32_t)n);
    }
  }
  return once || in_several_places(p, error);
}

static bool make_lists(ct_problem *p, ct_halo *h, int shared, ct_error **error) {
  const ct_geometry *g = p->geometry;
  const size_t rays = (size_t)g->views * (size_t)g->nv * (size_t)g->nu, nu = (size_t)g->nu;
  if (p->ray_share) return in_several_places(p, error);
  if (!(h->ahead = ct_alloc_zero((size_t)p->shape.blocks + 1, sizeof *h->ahead, "the rays that are shared", error)))
    return false;
  for (int b = 0; b < p->shape.blocks; b++) {
    ct_projector_block block;
    p->projector->block(p->state, b, &block);
    h->ahead[b + 1] = h->ahead[b] + (size_t)block.view_count;
  }
  const size_t together = (p->projector->ties_views ? CT_BLOCK_VIEWS : 1) * (size_t)shared * nu;
  h->chunk = together < TOGETHER ? (int)(TOGETHER / together) : 1;
  if (h->chunk > p->shape.blocks) h->chunk = p->shape.blocks;
  const size_t views = (size_t)h->chunk * (p->projector->ties_views ? CT_BLOCK_VIEWS : 1);
  for (int n = 0; n < h->count; n++) {
    peer *other = &h->peers[n];
    const size_t view = (size_t)other->rows * nu, count = view * h->ahead[p->shape.blocks];
    if (!(other->places = ct_alloc(count, sizeof *other->places, "the rays that are shared", error)) ||
        !(other->give = ct_alloc(view * views, sizeof *other->give, "the rays that are shared", error)) ||
        !(other->take = ct_alloc(view * views, sizeof *other->take, "the rays that are shared", error)))
      return false;
    memset(other->places, 0xff, count * sizeof *other->places);
  }
  if (h->below) {
    const peer *nearest = &h->peers[h->below - 1];
    if (!(h->kept = ct_alloc((size_t)nearest->rows * nu * views, sizeof *h->kept, "the rays that are shared", error)) ||
        !(p->ray_share = ct_problem_rays(p, error)))
      return false;
  }
  float *natural = ct_alloc(rays, sizeof *natural, "a layout", error),
        *low = ct_alloc_zero(p->shape.rays, sizeof *low, "a layout", error),
        *high = ct_alloc_zero(p->shape.rays, sizeof *high, "a layout", error);
  const bool good = natural && low && high && list_rays(p, h, natural, low, high, error);
  ct_free(natural);
  ct_free(low);
  ct_free(high);
  return good;
}

bool ct_halo_make(ct_problem *p, const ct_row_range *columns, ct_error **error) {
  if (!p->exchange || !columns || p->exchange->columns == 1) return true;
  const int shared = most_shared(columns, p->exchange->columns);
  p->apart = shared == 0 && p->exchange->groups == 1;
  if (shared == 0) return true;
  ct_halo *h = p->halo = ct_alloc_zero(1, sizeof *h, "the rays that are shared", error);
  return h && find_peers(p, h, columns, error) && (h->count == 0 || make_lists(p, h, shared, error));
}

/* Blocks of a product, some of which are exchanged. */
typedef struct some_blocks {
  const int *blocks; /* NULL: all from the first on */
  int first, count;
  size_t views; /* of them */
} some_blocks;

typedef enum { GIVE, KEEP, ADD } motion;

/* Moves the rays that are shared with one, between y and a buffer in which they lie block after block. */
static void move(const ct_problem *p, const some_blocks *some, const peer *other, motion what, float *y,
                 float *buffer) {
  const ct_halo *h = p->halo;
  const size_t view = (size_t)other->rows * (size_t)p->geometry->nu;
  size_t at = 0;
  for (int n = 0; n < some->count; n++) {
    const int number = some->blocks ? some->blocks[some->first + n] : some->first + n;
    ct_projector_block block;
    p->projector->block(p->state, number, &block);
    const uint32_t *places = other->places + h->ahead[number] * view;
    const size_t count = (size_t)block.view_count * view;
    float *rays = y + block.first, *lies = buffer + at;
#pragma omp parallel for schedule(static) num_threads(p->threads) if (count > 1 << 14)
    for (size_t i = 0; i < count; i++) switch (what) {
      case GIVE:
        lies[i] = rays[places[i]];
        break;
      case KEEP:
        lies[i] = rays[places[i]];
        rays[places[i]] = 0;
        break;
      case ADD:
        rays[places[i]] += lies[i];
        break;
      }
    at += count;
  }
}

/* Summed in the order of the columns, so that all who hold a ray have the same sum: from 0, those below, this one,
 * those above. The rows shared with the nearest below are all that are shared with any. */
static void join_some(const ct_problem *p, const some_blocks *some, float *y) {
  const ct_halo *h = p->halo;
  ct_trade trades[CT_TRADES];
  for (int n = 0; n < h->count; n++) {
    const peer *other = &h->peers[n];
    move(p, some, other, GIVE, y, other->give);
    trades[n] = (ct_trade){other->column, other->give, other->take,
                           (size_t)other->rows * (size_t)p->geometry->nu * some->views};
  }
  p->exchange->way->trade(p->exchange, trades, h->count);
  const peer *nearest = h->below ? &h->peers[h->below - 1] : NULL;
  if (nearest) move(p, some, nearest, KEEP, y, h->kept);
  for (int n = 0; n < h->below; n++) move(p, some, &h->peers[n], ADD, y, h->peers[n].take);
  if (nearest) move(p, some, nearest, ADD, y, h->kept);
  for (int n = h->below; n < h->count; n++) move(p, some, &h->peers[n], ADD, y, h->peers[n].take);
}

void ct_halo_join(const ct_problem *p, const int *blocks, int count, float *y) {
  const ct_halo *h = p->halo;
  if (!h || h->count == 0) return;
  if (!blocks) count = p->shape.blocks;
  for (int first = 0; first < count; first += h->chunk) {
    some_blocks some = {blocks, first, count - first < h->chunk ? count - first : h->chunk, 0};
    for (int n = 0; n < some.count; n++) {
      const int number = blocks ? blocks[first + n] : first + n;
      some.views += h->ahead[number + 1] - h->ahead[number];
    }
    join_some(p, &some, y);
  }
}
