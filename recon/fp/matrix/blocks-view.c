/* SPDX-License-Identifier: GPL-3.0-or-later */
/* View-level blocking (section 4.2, Algorithm 1 of Yu et al. 2018), without sorting. Within a view the rows' lengths
 * rise from the detector's left end to the ray through one corner of the slice, stay about level to the ray through
 * another, and fall from there. Both points are found from the geometry, for each pair of adjacent views at the angle
 * between them (the paper's 5 and 6 rows a step hold for its scanner). Three dense sub-matrices: 1  the first a entries
 * of every row, a the length of the view's shortest (its split point), 2  of the pair's second view the level rows
 * beyond that (the paper's third), 3  of the first view all rows beyond that, and behind the rising and the falling
 * ones those of the second view in reverse, so that short follows long, with a junction (the paper's second). Algorithm
 * 1 then evens out the lengths of one pair and the pair opposite it in the first eighth, for one width of the whole
 * block. Chunks of 16 rows have widths of their own here; it would only tie four views together, and is left out. */
#include "recon/fp/matrix/dense-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>

/* One or two adjacent stored views, and how many of the second one's rows go behind rows of the first at either end. */
typedef struct {
  int slot, views;
  int left;  /* rows u = 0 .. left - 1 */
  int right; /* rows u = count - right .. count - 1 */
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

static bool add_level(ct_dense_plan *plan, const ct_projector_state *state, const view_pair *pair, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  if (pair->views < 2) return true;
  const int slot = pair->slot + 1;
  const size_t split = split_of(state, slot);
  for (int u = pair->left; u < s->count[slot] - pair->right; u++) {
    const size_t row = s->first[slot] + (size_t)u;
    if (!ct_dense_plan_lane(plan, error) || !ct_dense_plan_piece(plan, row, rest_of(state, row, split), error))
      return false;
  }
  return ct_dense_plan_align(plan, error);
}

static bool add_folded(ct_dense_plan *plan, const ct_projector_state *state, const view_pair *pair, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  const int count = s->count[pair->slot];
  const size_t split = split_of(state, pair->slot),
               second_split = pair->views > 1 ? split_of(state, pair->slot + 1) : 0;
  for (int u = 0; u < count; u++) {
    const size_t row = s->first[pair->slot] + (size_t)u;
    if (!ct_dense_plan_lane(plan, error) || !ct_dense_plan_piece(plan, row, rest_of(state, row, split), error))
      return false;
    int behind = -1;
    if (u < pair->left)
      behind = pair->left - 1 - u;
    else if (u >= count - pair->right)
      behind = 2 * count - pair->right - 1 - u;
    if (behind < 0) continue;
    const size_t other = s->first[pair->slot + 1] + (size_t)behind;
    if (!ct_dense_plan_piece(plan, other, rest_of(state, other, second_split), error)) return false;
  }
  return ct_dense_plan_align(plan, error);
}

static bool add_lanes(ct_dense_plan *plan, const ct_projector_state *state, const view_pair *pairs, int count,
                      ct_error **error) {
  bool good = true;
  for (int slot = 0; good && slot < state->symmetry->slots; slot++) good = add_first(plan, state, slot, error);
  good = good && ct_dense_plan_block(plan, error);
  for (int k = 0; good && k < count; k++) good = add_level(plan, state, pairs + k, error);
  good = good && ct_dense_plan_block(plan, error);
  for (int k = 0; good && k < count; k++) good = add_folded(plan, state, pairs + k, error);
  return good && ct_dense_plan_block(plan, error);
}

void *ct_dense_plan_view(ct_projector_state *state, ct_error **error) {
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
  }
  const bool good = add_lanes(&plan, state, pairs, count, error);
  ct_free(pairs);
  if (good) return ct_dense_plan_finish(&plan, state, true, error);
  ct_dense_plan_abandon(&plan);
  return NULL;
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
