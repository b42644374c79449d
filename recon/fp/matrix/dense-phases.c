/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of one view that threads can scatter from at once. Rays of one view cross nowhere within the slice, so that
 * chunks share pixels only where their rays lie within a pixel's shadow of each other. Chunks are coloured greedily; a
 * phase is what has one colour in one sub-matrix. */
#include "recon/fp/matrix/dense-private.h"

#include "recon/base/memory.h"
#include "recon/base/untold.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 64 };

typedef struct {
  uint32_t chunk;
  int phase; /* sub-matrix times COLOURS plus colour, ascending */
} coloured;

typedef struct {
  ct_dense *dense;
  const ct_projector_state *state;
  int shadow;     /* rays apart that may share a pixel */
  int *at;        /* [3][nu] where a ray's chunk stands in `list`, -1: none */
  int *where;     /* [chunks] the same for a chunk, valid where list[].chunk agrees */
  coloured *list; /* [chunks of the slot] */
  size_t count, room;
} colouring;

/* Largest distance, in detector columns, of two rays that both see a pixel: 2 sqrt 2 pixels (Joseph's neighbours
 * included), as seen from the source at the slice's corner nearest to it, and two columns for the strips' own width. */
static int find_shadow(const ct_projector_request *request) {
  const ct_geometry *g = request->geometry;
  const double reach = 0.5 * M_SQRT2 * request->grid.nx * request->grid.dx, side = 2 * M_SQRT2 * request->grid.dx;
  double factor = 1;
  if (!ct_geometry_promises(g, CT_TRAIT_PARALLEL)) {
    if (reach >= g->sod) return g->nu;
    factor = g->sdd / (g->sod - reach) * hypot(1, 0.5 * g->nu * g->du / g->sdd);
  }
  const double columns = side * factor / g->du + 2;
  return columns < g->nu ? (int)ceil(columns) : g->nu;
}

static int block_of(const ct_dense *d, size_t chunk) {
  int block = 0;
  while (chunk >= d->block[block + 1]) block++;
  return block;
}

/* The chunks of a view, and which of its rays stand in which. */
static void list_chunks(colouring *c, int slot) {
  const ct_dense *d = c->dense;
  const ct_symmetry *s = c->state->symmetry;
  c->count = 0;
  for (int n = 0; n < CT_DENSE_BLOCKS * s->nu; n++) c->at[n] = -1;
  for (int u = 0; u < s->count[slot]; u++) {
    const size_t row = s->first[slot] + (size_t)u;
    for (uint32_t k = d->row_first[row]; k < d->row_first[row + 1]; k++) {
      const uint32_t chunk = d->piece[d->row_piece[k]].lane / CT_DENSE_LANES;
      int *where = c->where + chunk;
      if (*where < 0 || (size_t)*where >= c->count || c->list[*where].chunk != chunk) {
        *where = (int)c->count;
        c->list[c->count++] = (coloured){chunk, -1};
      }
      c->at[block_of(d, chunk) * s->nu + u] = *where;
    }
  }
}

/* Bits of the colours that chunks near this ray have. */
static uint64_t colours_near(const colouring *c, const int *at, int u, int count, int self) {
  const int from = u > c->shadow ? u - c->shadow : 0, end = u + c->shadow < count - 1 ? u + c->shadow : count - 1;
  uint64_t used = 0;
  for (int w = from; w <= end; w++)
    if (at[w] >= 0 && at[w] != self && c->list[at[w]].phase >= 0) used |= UINT64_C(1) << c->list[at[w]].phase % COLOURS;
  return used;
}

/* False where the colours do not suffice. */
static bool colour_chunks(colouring *c, int slot) {
  const ct_dense *d = c->dense;
  const ct_symmetry *s = c->state->symmetry;
  for (size_t n = 0; n < c->count; n++) {
    const size_t chunk = c->list[n].chunk;
    const int block = block_of(d, chunk);
    uint64_t used = 0;
    for (uint32_t p = d->lane_first[chunk * CT_DENSE_LANES]; p < d->lane_first[(chunk + 1) * CT_DENSE_LANES]; p++)
      if (c->state->slot_of[d->piece[p].row] == slot)
        used |= colours_near(c, c->at + block * s->nu, (int)(d->piece[p].row - s->first[slot]), s->count[slot], (int)n);
    if (used == UINT64_MAX) return false;
    c->list[n].phase = block * COLOURS + __builtin_ctzll(~used);
  }
  return true;
}

static int by_phase(const void *a, const void *b) {
  const coloured *p = a, *q = b;
  if (p->phase != q->phase) return p->phase - q->phase;
  return p->chunk < q->chunk ? -1 : 1;
}

/* Appends the phases of a slot; the arrays have room. */
static void add_phases(colouring *c, int slot, size_t *phases, size_t *chunks) {
  ct_dense *d = c->dense;
  qsort(c->list, c->count, sizeof *c->list, by_phase);
  for (size_t n = 0; n < c->count; n++) {
    if (n == 0 || c->list[n].phase != c->list[n - 1].phase) d->phase_chunk[(*phases)++] = *chunks;
    d->chunk_of[(*chunks)++] = c->list[n].chunk;
  }
  d->slot_phase[slot + 1] = *phases;
  d->phase_chunk[*phases] = *chunks;
}

static bool make_room(colouring *c, ct_error **error) {
  ct_dense *d = c->dense;
  const size_t slots = (size_t)c->state->symmetry->slots, nu = (size_t)c->state->symmetry->nu;
  c->room = d->chunks;
  d->slot_phase = ct_alloc_zero(slots + 1, sizeof *d->slot_phase, "the plan of a matrix", error);
  d->phase_chunk = ct_alloc_zero(d->pieces + 1, sizeof *d->phase_chunk, "the plan of a matrix", error);
  d->chunk_of = ct_alloc_zero(d->pieces + 1, sizeof *d->chunk_of, "the plan of a matrix", error);
  c->at = ct_alloc(CT_DENSE_BLOCKS * nu, sizeof *c->at, "the plan of a matrix", error);
  c->where = ct_alloc_zero(d->chunks + 1, sizeof *c->where, "the plan of a matrix", error);
  c->list = ct_alloc(d->chunks + 1, sizeof *c->list, "the plan of a matrix", error);
  return d->slot_phase && d->phase_chunk && d->chunk_of && c->at && c->where && c->list;
}

/* An array of `count` elements without the room behind them; as it was when memory is short. */
static void *shrink(void *array, size_t count, size_t element) {
  const unsigned untold = ct_untold(NULL);
  void *smaller = ct_alloc(count, element, "the plan of a matrix", NULL);
  if (!smaller) {
    ct_untold_forgive(untold);
    return array;
  }
  memcpy(smaller, array, count * element);
  ct_free(array);
  return smaller;
}

bool ct_dense_find_phases(ct_dense *d, const ct_projector_state *state, ct_error **error) {
  colouring c = {.dense = d, .state = state, .shadow = find_shadow(&state->request)};
  size_t phases = 0, chunks = 0;
  bool good = make_room(&c, error), enough = true;
  for (int slot = 0; good && enough && slot < state->symmetry->slots; slot++) {
    list_chunks(&c, slot);
    enough = colour_chunks(&c, slot);
    if (enough) add_phases(&c, slot, &phases, &chunks);
  }
  ct_free(c.at);
  ct_free(c.where);
  ct_free(c.list);
  if (good && enough) {
    d->phase_chunk = shrink(d->phase_chunk, phases + 1, sizeof *d->phase_chunk);
    d->chunk_of = shrink(d->chunk_of, chunks + 1, sizeof *d->chunk_of);
    return true;
  }
  ct_free(d->slot_phase);
  ct_free(d->phase_chunk);
  ct_free(d->chunk_of);
  d->slot_phase = d->phase_chunk = NULL;
  d->chunk_of = NULL;
  return good;
}
