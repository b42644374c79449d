/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The projector of an iterative run. */
#include "recon/solve/iterative/solver-private.h"

#include "recon/base/machine.h"
#include "recon/fp/projector.h"
#include "recon/geom/questions.h"

#include <stdio.h>
#include <string.h>

static bool has_rows(const ct_projector *projector) {
  return projector->row != NULL;
}
static bool knows_squares(const ct_projector *projector) {
  return projector->row_squares != NULL;
}
static bool ties_none(const ct_projector *projector) {
  return !projector->ties_views;
}
static bool is_matched(const ct_projector *projector) {
  return projector->matched;
}

static const ct_solver_need needs_table[] = {
    {CT_NEEDS_ROWS, "rows of the matrix", has_rows, "goes ray by ray and needs a projector that has single rows"},
    {CT_NEEDS_ROW_SQUARES, "sums of squares of its rows", knows_squares,
     "needs a projector that knows the sums of squares of its rows"},
    {CT_NEEDS_SINGLE_VIEWS, "single views", ties_none,
     "corrects view by view and needs a projector that does not tie views together (iterative.block=8 and more views "
     "at a time may)"},
    {CT_NEEDS_MATCHED, "a matched pair", is_matched, "needs a projector that goes back by the very transpose"},
    {CT_NEEDS_POSITIVE, "values that are not negative", NULL, NULL},
};

const ct_solver_need *ct_solver_needs_table(size_t *count) {
  *count = sizeof needs_table / sizeof *needs_table;
  return needs_table;
}

/* The first need that the projector does not meet; NULL: it meets all. */
static const ct_solver_need *unmet(const ct_projector *projector, unsigned needs) {
  for (size_t n = 0; n < sizeof needs_table / sizeof *needs_table; n++)
    if ((needs & needs_table[n].bit) && needs_table[n].met && !needs_table[n].met(projector)) return &needs_table[n];
  return NULL;
}

static bool has_needs(const ct_projector *projector, unsigned needs, bool matched) {
  return !unmet(projector, (needs & ~(unsigned)CT_NEEDS_MATCHED) | (matched ? CT_NEEDS_MATCHED : 0));
}

static const ct_projector *choose_fastest(unsigned needs, bool matched, const ct_projector_request *request) {
  size_t count;
  const ct_projector *const *all = ct_projectors(&count), *best = NULL;
  for (size_t n = 0; n < count; n++)
    if (has_needs(all[n], needs, matched) && ct_projector_accepts(all[n], request, NULL) &&
        (!best || ct_projector_rank(all[n], request) > ct_projector_rank(best, request)))
      best = all[n];
  return best;
}

/* Of the stored matrices that would be quicker than the one taken, the quickest that the geometry alone rules out: why,
 * for the user, behind `why`. */
static bool add_better(unsigned needs, bool matched, const ct_projector_request *request, const ct_projector *taken,
                       char *why, size_t why_size) {
  size_t count;
  const ct_projector *const *all = ct_projectors(&count), *best = taken;
  ct_error *reason = NULL;
  for (size_t n = 0; n < count; n++) {
    ct_error *fault = NULL;
    if (!all[n]->stored || !has_needs(all[n], needs, matched) ||
        !ct_geometry_promises(request->geometry, all[n]->geometry) || !(all[n]->models & 1u << request->model) ||
        !ct_projector_usable(all[n]) || ct_projector_rank(all[n], request) <= ct_projector_rank(best, request) ||
        ct_projector_accepts(all[n], request, &fault))
      continue;
    if (fault->code == CT_ERROR_UNSUPPORTED) {
      best = all[n];
      ct_error_clear(&reason);
      reason = fault;
    } else {
      ct_error_clear(&fault);
    }
  }
  const size_t length = why ? strlen(why) : 0;
  if (reason && why)
    snprintf(why + length, why_size - length, " %s would be faster but cannot be used. %s", best->title,
             reason->message);
  ct_error_clear(&reason);
  return best != taken;
}

/* The chosen projector, or the rows by themselves where it is a matrix that lacks its symmetry. */
static const ct_projector *take_or_fall_back(const ct_projector *chosen, const ct_projector_request *request, char *why,
                                             size_t why_size, ct_error **error) {
  ct_error *reason = NULL;
  const ct_projector *csr = ct_projector_find("csr"), *taken = NULL;
  if (ct_projector_accepts(chosen, request, &reason)) {
    if (why) snprintf(why, why_size, "%s, as chosen.", chosen->title);
    return chosen;
  }
  if (chosen->stored && csr && csr != chosen && reason->code == CT_ERROR_UNSUPPORTED) {
    ct_error *too_large = NULL;
    if (ct_projector_accepts(csr, request, &too_large)) taken = csr;
    if (taken && why) snprintf(why, why_size, "%s instead of %s. %s", csr->title, chosen->title, reason->message);
    if (too_large && too_large->code == CT_ERROR_MEMORY)
      ct_error_set(error, CT_ERROR_MEMORY, "%s Instead of it: %s", reason->message, too_large->message);
    ct_error_clear(&too_large);
  }
  if (!taken) ct_error_set(error, reason->code, "%s Leave the projector to auto.", reason->message);
  ct_error_clear(&reason);
  return taken;
}

/* Whether the slices of the request, iterated so often, share the matrix with profit. */
static bool pays(const ct_projector *projector, const ct_iterative_options *options,
                 const ct_projector_request *request) {
  const int after = projector->shared_after ? projector->shared_after(projector, request) : 0;
  return after > 0 && (double)ct_projector_slices(request) * options->iterations >= after;
}

/* The fastest of the matrices that the slices share with profit, where `spare` holds it. View by view none is: its
 * blocks are several views, after which a picture has come less far than after as many single ones. */
static const ct_projector *choose_shared(const ct_solver *solver, const ct_iterative_options *options, bool matched,
                                         const ct_projector_request *request, double spare) {
  const unsigned needs = ct_solver_needs(solver, options);
  size_t count;
  const ct_projector *const *all = ct_projectors(&count), *best = NULL;
  for (size_t n = 0; n < count && !(solver->uses & CT_USES_ORDER); n++)
    if (pays(all[n], options, request) && has_needs(all[n], needs, matched) &&
        ct_projector_accepts(all[n], request, NULL) && ct_projector_memory(all[n], request) <= spare &&
        (!best || ct_projector_rank(all[n], request) > ct_projector_rank(best, request)))
      best = all[n];
  return best;
}

const ct_projector *ct_iterative_choose(const ct_solver *solver, const ct_iterative_options *options,
                                        const ct_projector_request *request, double spare, char *why, size_t why_size,
                                        bool *fell_back, ct_error **error) {
  const unsigned needs = ct_solver_needs(solver, options);
  const bool matched = options->matched || (needs & CT_NEEDS_MATCHED);
  if (why && why_size) *why = 0;
  bool unseen, *const told = fell_back ? fell_back : &unseen;
  *told = false;
  if (strcmp(options->projector, "auto") != 0 && *options->projector) {
    const ct_projector *chosen = ct_projector_find_in(request->others, options->projector);
    if (!chosen) {
      ct_error_set(error, CT_ERROR_ARGUMENT, "There is no projector named “%s”: leave the choice to auto.",
                   options->projector);
      return NULL;
    }
    if (has_needs(chosen, needs, false) && !has_needs(chosen, needs, matched) && !(needs & CT_NEEDS_MATCHED)) {
      ct_error_set(error, CT_ERROR_UNSUPPORTED,
                   "“%s” is no matched pair, and one is asked for: set iterative.matched to no, or leave the projector "
                   "to auto.",
                   chosen->title);
      return NULL;
    }
    if (!has_needs(chosen, needs, matched)) {
      ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s %s; “%s” is none: leave the choice to auto.", solver->names->title,
                   unmet(chosen, needs | CT_NEEDS_MATCHED)->lack, chosen->title);
      return NULL;
    }
    const ct_projector *taken = take_or_fall_back(chosen, request, why, why_size, error);
    *told = taken && taken != chosen;
    return taken;
  }
  const ct_projector *shared = choose_shared(solver, options, matched, request, spare);
  if (shared) {
    if (why)
      snprintf(why, why_size, "%s: %d slices share one stored matrix, which over %d iterations is quicker.",
               shared->title, ct_projector_slices(request), options->iterations);
    return shared;
  }
  if (!(needs & (CT_NEEDS_ROWS | CT_NEEDS_ROW_SQUARES | CT_NEEDS_SINGLE_VIEWS))) {
    const ct_projector *taken = ct_projector_choose("auto", matched, request, why, why_size, error);
    *told = taken && add_better(needs, matched, request, taken, why, why_size);
    return taken;
  }
  const ct_projector *best = choose_fastest(needs, matched, request);
  if (!best) {
    /* The reason is the one that stops the plainest of those that would do. */
    const ct_projector *csr = ct_projector_find("csr");
    ct_error *reason = NULL;
    if (csr) ct_projector_accepts(csr, request, &reason);
    ct_error_set(error, reason ? reason->code : CT_ERROR_UNSUPPORTED, "%s cannot be used here. %s%s",
                 solver->names->title,
                 reason ? reason->message : "No projector that has its rows serves this geometry.",
                 needs & CT_NEEDS_ROWS ? " View by view (art-view, sart) needs no stored rows." : "");
    ct_error_clear(&reason);
    return NULL;
  }
  if (why)
    snprintf(why, why_size, "%s: the fastest on this machine that has what %s needs.", best->title,
             solver->names->title);
  *told = add_better(needs, matched, request, best, why, why_size);
  return best;
}
