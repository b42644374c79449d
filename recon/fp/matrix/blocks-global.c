/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Global-level blocking (section 4.1 of Yu et al. 2018): the stored rows sorted by length, the longest paired with the
 * shortest and so on inwards, and each pair bisected, which gives three dense sub-matrices: 1  the first N' entries of
 * every row, N' the length of the shortest, 2  of the longer rows the entries from N' to half of the pair (the paper's
 * third), 3  the rest of the longer row and then of the shorter one, with a junction (the paper's second). Where the
 * paper fills a sub-matrix to the width of its widest row, here each chunk of 16 rows has a width of its own; the
 * longer rows stand side by side with rows of about their length, so that next to nothing is filled. Rays that miss the
 * slice are left out. */
#include "recon/fp/matrix/dense-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <string.h>

/* Numbers of the rows that have entries, longest first (equal ones in their order), by counting. */
static uint32_t *sort_rows(const ct_projector_state *state, size_t *count, ct_error **error) {
  const size_t rows = state->symmetry->rays;
  size_t longest = 0;
  for (size_t r = 0; r < rows; r++)
    if (longest < ct_scsr_count(state, r)) longest = ct_scsr_count(state, r);
  size_t *next = ct_alloc_zero(longest + 2, sizeof *next, "the sorting of rows", error);
  uint32_t *order = ct_alloc(rows + 1, sizeof *order, "the sorting of rows", error);
  if (!next || !order) {
    ct_free(next);
    ct_free(order);
    return NULL;
  }
  for (size_t r = 0; r < rows; r++) next[ct_scsr_count(state, r)]++;
  *count = rows - next[0];
  for (size_t length = longest + 1, sum = 0; length-- > 0;) {
    const size_t these = next[length];
    next[length] = sum;
    sum += these;
  }
  for (size_t r = 0; r < rows; r++) order[next[ct_scsr_count(state, r)]++] = (uint32_t)r;
  ct_free(next);
  return order;
}

typedef struct {
  size_t longer, shorter, row, partner; /* lengths, rows */
  bool alone;                           /* the middle row of an odd number */
} pair;

static pair pair_of(const ct_projector_state *state, const uint32_t *order, size_t count, size_t k) {
  pair p = {.row = order[k], .partner = order[count - 1 - k], .alone = k == count - 1 - k};
  p.longer = ct_scsr_count(state, p.row);
  p.shorter = p.alone ? 0 : ct_scsr_count(state, p.partner);
  return p;
}

/* Where the longer row of a pair is cut. */
static size_t cut_of(pair p) {
  return p.alone ? p.longer : (p.longer + p.shorter + 1) / 2;
}

static bool add_lanes(ct_dense_plan *plan, const ct_projector_state *state, const uint32_t *order, size_t count,
                      ct_error **error) {
  const size_t least = count ? ct_scsr_count(state, order[count - 1]) : 0, pairs = (count + 1) / 2;
  bool good = true;
  for (size_t k = 0; good && k < count; k++)
    good = ct_dense_plan_lane(plan, error) && ct_dense_plan_piece(plan, order[k], least, error);
  good = good && ct_dense_plan_block(plan, error);
  for (size_t k = 0; good && k < pairs; k++) {
    const pair p = pair_of(state, order, count, k);
    good = ct_dense_plan_lane(plan, error) && ct_dense_plan_piece(plan, p.row, cut_of(p) - least, error);
  }
  good = good && ct_dense_plan_block(plan, error);
  for (size_t k = 0; good && k < pairs; k++) {
    const pair p = pair_of(state, order, count, k);
    good = ct_dense_plan_lane(plan, error) && ct_dense_plan_piece(plan, p.row, p.longer - cut_of(p), error) &&
           (p.alone || ct_dense_plan_piece(plan, p.partner, p.shorter - least, error));
  }
  return good && ct_dense_plan_block(plan, error);
}

void *ct_dense_plan_global(ct_projector_state *state, ct_error **error) {
  size_t count = 0;
  uint32_t *order = sort_rows(state, &count, error);
  ct_dense_plan plan;
  if (!order) return NULL;
  if (!ct_dense_plan_init(&plan, state->symmetry->rays, error)) {
    ct_free(order);
    return NULL;
  }
  const bool good = add_lanes(&plan, state, order, count, error);
  ct_free(order);
  if (good) return ct_dense_plan_finish(&plan, state, false, error);
  ct_dense_plan_abandon(&plan);
  return NULL;
}

static const ct_scsr_format format = {ct_dense_plan_global, ct_dense_put, ct_dense_finish, ct_dense_forward,
                                      ct_dense_back,        ct_dense_get, ct_dense_bytes,  ct_dense_free};

static ct_projector_state *prepare(const ct_projector *self, const ct_projector_request *request, ct_job *job,
                                   ct_error **error) {
  return ct_scsr_prepare(&format, self, request, job, error);
}

const ct_projector ct_projector_scsr_global = {
    .id = "scsr-global",
    .title = "Symmetric matrix, global-level blocks",
    .explanation = "SCSR folded into three dense sub-matrices: all rows sorted by length, long ones paired with short "
                   "ones (Yu et al. "
                   "2018). For products over all rays; single views are slow.",
    .memory = ct_dense_memory,
    .prepare = prepare,
    CT_SCSR_DESCRIPTOR,
};
