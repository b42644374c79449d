/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation of a full turn, parallel, fan or the middle rows of a cone beam, over the whole width of the
 * detector: averaged columns first, then ever finer ones about the best trial. How far mirrored rays may differ besides
 * noise is not known; the least misfit that gives evidence decides. */
#include "recon/prep/centre-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>

enum { MOST_ROWS = 4, MIDDLE_ROWS = 3, COARSE_COLUMNS = 320, MOST_LEVELS = 12, MARGIN = 4 };
static const double misfits[] = {0.003, 0.01, 0.03, 0.1, 0.3};
/* Evidence that is taken at once, that is a result at all, and by which the best has to surpass all other trials; a
 * standard deviation, columns, that halves the confidence. */
static const double enough = 12, least = 4, margin_enough = 8, wide = 0.2;

/* The best trial of the whole width. */
typedef struct {
  int at;
  double evidence;
  ct_mirror_model model;
} finding;

static finding best_of(const ct_mirror_trials *t, ct_mirror_model model) {
  finding best = {.at = -1, .model = model};
  for (int i = 0; i < t->count; i++) {
    const double evidence = ct_mirror_evidence(t->mirrors + (size_t)i * CT_TURN_BANDS, &model);
    if (evidence > best.evidence) best.at = i, best.evidence = evidence;
  }
  return best;
}

/* What stands still over the turn can be the object or the detector's own; it is left out where it spoils the match. */
static finding find_best(const ct_mirror_trials *t) {
  finding best = {.at = -1};
  for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++)
    for (int still = 1; still >= 0; still--) {
      const finding f = best_of(t, (ct_mirror_model){misfits[i], still});
      if (f.at >= 0 && (best.evidence < enough || best.model.misfit == misfits[i]) && f.evidence > best.evidence)
        best = f;
    }
  return best;
}

/* Trials far from the centre, best first. */
static void find_others(const ct_turn *turn, const ct_mirror_trials *t, const finding *f, double apart,
                        ct_centre_found *found) {
  found->count = 1;
  found->candidates[0] = found->centre;
  found->margin = f->evidence;
  for (int n = 1; n < CT_CENTRE_CANDIDATES; n++) {
    double best = 0, at = NAN;
    for (int i = 0; i < t->count; i++) {
      const double centre = turn->first + 0.5 * (t->first + i) * turn->bin;
      bool far = true;
      for (int other = 0; other < found->count; other++) far = far && fabs(centre - found->candidates[other]) > apart;
      const double evidence = far ? ct_mirror_evidence(t->mirrors + (size_t)i * CT_TURN_BANDS, &f->model) : 0;
      if (evidence > best) best = evidence, at = centre;
    }
    if (n == 1) found->margin = f->evidence - best;
    if (!(best > least)) break;
    found->candidates[found->count++] = at;
  }
}

static ct_mirror_trials trials_new(int first, int count, ct_error **error) {
  return (ct_mirror_trials){first, count,
                            ct_alloc((size_t)count, CT_TURN_BANDS * sizeof(ct_mirror), "the trial centres", error)};
}

/* From a centre on one level to one on a finer one. */
static bool refine_level(const ct_turn *turn, const finding *f, ct_centre_found *found, ct_job *job, ct_error **error) {
  enum { HALF = 24 };
  const int middle = (int)lround(2 * (found->centre - turn->first) / turn->bin), last = 2 * (turn->nu - 1) - MARGIN;
  const int from = middle - HALF > MARGIN ? middle - HALF : MARGIN, to = middle + HALF < last ? middle + HALF : last;
  if (to - from < 4) return true;
  ct_mirror_trials t = trials_new(from, to - from + 1, error);
  const bool good = t.mirrors && ct_mirror_compare(turn, &t, job, error);
  if (good) {
    double spread, agreement = 0;
    const int at = middle < from ? 0 : middle > to ? to - from : middle - from;
    const double centre = ct_mirror_refine(&t, at, &f->model, &spread, &agreement);
    /* A centre that leaves what coarser columns and their spread say is another one: not to be relied on. */
    const double moved = fabs(turn->first + centre * turn->bin - found->centre);
    const bool apart = moved > fmax(6 * found->spread, 3 * turn->bin);
    if (isfinite(spread)) {
      found->centre = turn->first + centre * turn->bin;
      found->spread = apart ? INFINITY : spread * turn->bin;
      found->agreement = agreement;
    }
  }
  ct_free(t.mirrors);
  return good;
}

static bool search_levels(const ct_turn *levels, int count, ct_centre_found *found, ct_job *job, ct_error **error) {
  const ct_turn *coarse = levels + count - 1;
  ct_mirror_trials t = trials_new(MARGIN, 2 * (coarse->nu - 1) - 2 * MARGIN + 1, error);
  bool good = t.mirrors && ct_mirror_compare(coarse, &t, job, error);
  if (good) {
    const finding f = find_best(&t);
    if (f.at < 0 || f.evidence < least) {
      good = ct_error_set(error, CT_ERROR_DATA,
                          "Opposite views have nothing in common, so the centre of rotation cannot be found by "
                          "comparing them: set it by hand or search by sharpness.");
    } else {
      found->centre =
          coarse->first + ct_mirror_refine(&t, f.at, &f.model, &found->spread, &found->agreement) * coarse->bin;
      found->spread *= coarse->bin;
      for (int i = count - 2; good && i >= 0; i--) good = refine_level(levels + i, &f, found, job, error);
      find_others(coarse, &t, &f, fmax(fmin(4 * found->spread, 0.1 * levels->nu), 3 * coarse->bin), found);
      found->evidence = f.evidence;
      const double wideness = found->spread / wide;
      found->confidence = found->agreement / (1 + wideness * wideness) * fmin(f.evidence / (2 * enough), 1) *
                          fmin(fmax(found->margin, 0) / margin_enough, 1);
    }
  }
  ct_free(t.mirrors);
  return good;
}

bool ct_centre_full_turn(const ct_stack *stack, const ct_geometry *g, int row0, int rows, ct_centre_found *found,
                         ct_job *job, ct_error **error) {
  ct_turn levels[MOST_LEVELS];
  int list[MOST_ROWS], count = 0, depth = 1;
  const bool slices = ct_geometry_promises(g, CT_TRAIT_PARALLEL) || rows <= MIDDLE_ROWS;
  if (slices) {
    count = rows < MOST_ROWS ? rows : MOST_ROWS;
    for (int i = 0; i < count; i++) list[i] = row0 + (int)((i + 0.5) * rows / count);
  } else {
    const int middle = (int)lround(fmin(fmax(g->centre_v, row0), row0 + rows - 1));
    for (int j = middle - MIDDLE_ROWS / 2; j <= middle + MIDDLE_ROWS / 2; j++)
      if (j >= row0 && j < row0 + rows) list[count++] = j;
  }
  const bool add = !ct_geometry_promises(g, CT_TRAIT_PARALLEL);
  ct_job_begin_stage(job, CT_STAGE_CENTRING, 0);
  if (!ct_turn_new(levels, stack, g, list, count, add, job, error)) return false;
  bool good = true;
  while (good && levels[depth - 1].nu > COARSE_COLUMNS && depth < MOST_LEVELS)
    if ((good = ct_turn_halve(levels + depth, levels + depth - 1, error))) depth++;
  ct_job_begin_stage(job, CT_STAGE_CENTRING, (uint64_t)(depth * CT_TURN_SCALES * levels->rows));
  good = good && search_levels(levels, depth, found, job, error);
  for (int i = 0; i < depth; i++) ct_turn_clear(levels + i);
  return good;
}
