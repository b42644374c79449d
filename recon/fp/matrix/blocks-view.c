/* SPDX-License-Identifier: GPL-3.0-or-later */
/* View-level blocking (section 4.2, Algorithm 1 of Yu et al. 2018), without sorting. Within a view the rows' lengths
 * rise from the detector's left end to the ray through one corner of the slice, stay about level to the ray through
 * another, and fall from there. Both points are found from the geometry, for each pair of adjacent views at the angle
 * between them (the paper's 5 and 6 rows a step hold for its scanner). Three dense sub-matrices: 1  the first a entries
 * of every row, a the length of the view's shortest (its split point), 2  of the pair's second view the level rows
 * beyond that (the paper's third), 3  of the first view all rows beyond that, and behind the rising and the falling
 * ones those of the second view in reverse, so that short follows long, with a junction (the paper's second). Algorithm
 * 1 then evens out the lengths of a pair and of the pair opposite it in the first eighth (lines 30 to 33), for one
 * width of the whole block. Chunks of 16 rows have widths of their own here, and it ties four views together: it is a
 * plan of its own, to be compared. */
#include "recon/fp/matrix/dense-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>

/* One or two adjacent stored views, and how many of the second one's rows go behind rows of the first at either end. */
typedef struct {
  int slot, views;
  int left;  /* rows u = 0 .. left - 1 */
  int right; /* rows u = count - right .. count - 1 */
  size_t split[2];
} view_pair;

static int by_value(double *a, double *b) {
  if (*a <= *b) return 0;
  const double larger = *a;
  *a = *b;
  *b = larger;
  return 1;
}

/* Columns at which the slice's corners are seen at angle t, ascending. */
static void corners_seen(const ct_projector_request *request, double t, double column[4]) {
  const ct_geometry *g = request->geometry;
  const double half = 0.5 * request->grid.nx * request->grid.dx;
  for (int k = 0; k < 4; k++) {
    const double x = k & 1 ? half : -half, y = k & 2 ? half : -half;
    const double across = x * cos(t) + y * sin(t), along = y * cos(t) - x * sin(t);
    const double factor = ct_geometry_promises(g, CT_TRAIT_PARALLEL) ? 1 : g->sdd / fmax(g->sod + along, 1e-3 * g->sod);
    column[k] = g->centre_u + across * factor / g->du;
  }
  while (by_value(column, column + 1) | by_value(column + 1, column + 2) | by_value(column + 2, column + 3)) continue;
}

/* The inflection points of the pair, as numbers of rows at either end. */
static void find_ends(const ct_projector_state *state, view_pair *pair) {
  const ct_symmetry *s = state->symmetry;
  const ct_projector_request *request = &state->request;
  const double *angles = request->geometry->angles;
  const double period = ct_geometry_period(request->geometry);
  const double first = remainder(angles[s->view[pair->slot]], period),
               second = remainder(angles[s->view[pair->slot + 1]], period);
  double column[4];
  corners_seen(request, 0.5 * (first + second), column);
  /* A row goes behind one of the first view at the same end: there must be as many. */
  const int count = s->count[pair->slot] < s->count[pair->slot + 1] ? s->count[pair->slot] : s->count[pair->slot + 1];
  const double left = ceil(column[1]), right = ceil(s->nu - 1 - column[2]);
  pair->left = (int)fmin(fmax(left, 0), count);
  pair->right = s->count[pair->slot] == s->nu && count == s->nu ? (int)fmin(fmax(right, 0), count - pair->left) : 0;
}

/* The view's split point: the shortest of its rows that are not empty. */
static size_t split_of(const ct_projector_state *state, int slot) {
  const ct_symmetry *s = state->symmetry;
  size_t least = 0;
  for (size_t row = s->first[slot]; row < s->first[slot] + (size_t)s->count[slot]; row++) {
    const size_t count = ct_scsr_count(state, row);
    if (count && (!least || count < least)) least = count;
  }
  return least;
}

/* What a row has beyond the split point. */
static size_t rest_of(const ct_projector_state *state, size_t row, size_t split) {
  const size_t count = ct_scsr_count(state, row);
  return count ? count - split : 0;
}

static bool add_first(ct_dense_plan *plan, const ct_projector_state *state, int slot, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  const size_t split = split_of(state, slot);
  for (size_t row = s->first[slot]; row < s->first[slot] + (size_t)s->count[slot]; row++) {
    if (!ct_scsr_count(state, row)) continue;
    if (!ct_dense_plan_lane(plan, error) || !ct_dense_plan_piece(plan, row, split, error)) return false;
  }
  return ct_dense_plan_align(plan, error);
}

/* Pieces of one lane before it is planned: a row of the pair's first view, and perhaps one of the second behind it. */
typedef struct {
  size_t row[2], count[2], total;
} run;

static run level_run(const ct_projector_state *state, const view_pair *pair, int u) {
  const size_t row = state->symmetry->first[pair->slot + 1] + (size_t)u, count = rest_of(state, row, pair->split[1]);
  return (run){.row = {row}, .count = {count}, .total = count};
}

static run folded_run(const ct_projector_state *state, const view_pair *pair, int u) {
  const ct_symmetry *s = state->symmetry;
  const int count = s->count[pair->slot], behind = u < pair->left             ? pair->left - 1 - u
                                                   : u >= count - pair->right ? 2 * count - pair->right - 1 - u
                                                                              : -1;
  run r = {.row = {s->first[pair->slot] + (size_t)u}};
  r.count[0] = rest_of(state, r.row[0], pair->split[0]);
  if (behind >= 0) {
    r.row[1] = s->first[pair->slot + 1] + (size_t)behind;
    r.count[1] = rest_of(state, r.row[1], pair->split[1]);
  }
  r.total = r.count[0] + r.count[1];
  return r;
}

/* What the pair's lanes of a sub-matrix are made of: rows u = first .. end - 1 of its level or its folded ones. */
typedef struct {
  run (*of)(const ct_projector_state *state, const view_pair *pair, int u);
  int first, end;
} run_range;

static run_range level_runs(const ct_projector_state *state, const view_pair *pair) {
  if (pair->views < 2) return (run_range){level_run, 0, 0};
  return (run_range){level_run, pair->left, state->symmetry->count[pair->slot + 1] - pair->right};
}

static run_range folded_runs(const ct_projector_state *state, const view_pair *pair) {
  return (run_range){folded_run, 0, state->symmetry->count[pair->slot]};
}

typedef run_range (*runs_of)(const ct_projector_state *state, const view_pair *pair);

/* Entries from .. end - 1 of a run go to the open lane. */
static bool add_part(ct_dense_plan *plan, const run *r, size_t from, size_t end, ct_error **error) {
  for (int k = 0; k < 2; k++) {
    const size_t before = k ? r->count[0] : 0, behind = before + r->count[k], low = from > before ? from : before,
                 high = end < behind ? end : behind;
    if (low < high && !ct_dense_plan_piece(plan, r->row[k], high - low, error)) return false;
  }
  return true;
}

/* The lanes of one pair. other: the opposite one, with which lengths are evened out (lines 30 to 33): of lanes at the
 * same place the longer gives the shorter what is more than half of both. The lanes of the pair that comes first keep
 * the first entries; NULL: as they are. */
static bool add_runs(ct_dense_plan *plan, const ct_projector_state *state, const view_pair *pair,
                     const view_pair *other, runs_of find, ct_error **error) {
  const run_range own = find(state, pair), theirs = other ? find(state, other) : (run_range){0};
  const int count = own.end - own.first, most = theirs.end - theirs.first > count ? theirs.end - theirs.first : count;
  for (int n = 0; n < most; n++) {
    const run none = {{0}, {0}, 0}, r = n < count ? own.of(state, pair, own.first + n) : none,
              o = n < theirs.end - theirs.first ? theirs.of(state, other, theirs.first + n) : none;
    const size_t half = (r.total + o.total + 1) / 2, rest = r.total + o.total - half;
    if (!ct_dense_plan_lane(plan, error)) return false;
    if (!other) {
      if (!add_part(plan, &r, 0, r.total, error)) return false;
      continue;
    }
    /* What the first lane has is its own first entries and then the other's; the other lane has what is left. */
    const bool first = pair->slot < other->slot;
    const run *a = first ? &r : &o, *b = first ? &o : &r;
    const size_t from_a = a->total < half ? a->total : half, from_b = half - from_a;
    if (first
            ? !add_part(plan, a, 0, from_a, error) || !add_part(plan, b, 0, from_b, error)
            : rest > 0 && (!add_part(plan, a, from_a, a->total, error) || !add_part(plan, b, from_b, b->total, error)))
      return false;
  }
  return ct_dense_plan_align(plan, error);
}

/* One kind of sub-matrix: of all pairs, or of those of the first half and then of those opposite them, so that no row
 * stands in two lanes of a sub-matrix. */
static bool add_kind(ct_dense_plan *plan, const ct_projector_state *state, const view_pair *pairs, int count, bool even,
                     runs_of find, ct_error **error) {
  bool good = true;
  const int half = even ? (count + 1) / 2 : count;
  for (int k = 0; good && k < half; k++) {
    const int opposite = count - 1 - k;
    good = add_runs(plan, state, pairs + k, even && opposite > k ? pairs + opposite : NULL, find, error);
  }
  good = good && ct_dense_plan_block(plan, error);
  if (!good || !even) return good;
  for (int k = half; good && k < count; k++)
    good = add_runs(plan, state, pairs + k, pairs + (count - 1 - k), find, error);
  return good && ct_dense_plan_block(plan, error);
}

static bool add_lanes(ct_dense_plan *plan, const ct_projector_state *state, const view_pair *pairs, int count,
                      bool even, ct_error **error) {
  bool good = true;
  for (int slot = 0; good && slot < state->symmetry->slots; slot++) good = add_first(plan, state, slot, error);
  return good && ct_dense_plan_block(plan, error) && add_kind(plan, state, pairs, count, even, level_runs, error) &&
         add_kind(plan, state, pairs, count, even, folded_runs, error);
}

static void *plan_pairs(ct_projector_state *state, bool even, ct_error **error) {
  const int slots = state->symmetry->slots, count = (slots + 1) / 2;
  view_pair *pairs = ct_alloc_zero((size_t)count, sizeof *pairs, "the plan of a matrix", error);
  ct_dense_plan plan;
  if (!pairs) return NULL;
  if (!ct_dense_plan_init(&plan, state->symmetry->rays, error)) {
    ct_free(pairs);
    return NULL;
  }
  for (int k = 0; k < count; k++) {
    pairs[k] = (view_pair){.slot = 2 * k, .views = 2 * k + 1 < slots ? 2 : 1};
    if (pairs[k].views == 2) find_ends(state, pairs + k);
    for (int n = 0; n < pairs[k].views; n++) pairs[k].split[n] = split_of(state, 2 * k + n);
  }
  const bool good = add_lanes(&plan, state, pairs, count, even, error);
  ct_free(pairs);
  if (good) return ct_dense_plan_finish(&plan, state, true, error);
  ct_dense_plan_abandon(&plan);
  return NULL;
}

void *ct_dense_plan_view(ct_projector_state *state, ct_error **error) {
  return plan_pairs(state, false, error);
}

void *ct_dense_plan_even(ct_projector_state *state, ct_error **error) {
  return plan_pairs(state, true, error);
}

static const ct_scsr_format format = {ct_dense_plan_view, ct_dense_put, ct_dense_finish, ct_dense_forward,
                                      ct_dense_back,      ct_dense_get, ct_dense_bytes,  ct_dense_free};

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  return ct_scsr_prepare(&format, self, request, job, error);
}

const ct_projector ct_projector_scsr_view = {
    .id = "scsr-view",
    .title = "Symmetric matrix, view-level blocks",
    .explanation = "SCSR folded into dense sub-matrices pair of views by pair of views, at inflection points known "
                   "from the geometry, "
                   "without sorting (Yu et al. 2018). For methods that go view by view.",
    .memory = ct_dense_memory,
    .prepare = prepare,
    CT_SCSR_DESCRIPTOR,
};
