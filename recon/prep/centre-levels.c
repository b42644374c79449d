/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of a centre over the whole width of the detector, by what mirrored rays tell at trial centres: averaged
 * columns first, then ever finer ones about the best trial. How far mirrored rays may differ besides noise is not
 * known; the least misfit that gives evidence decides. */
#include "recon/prep/centre-private.h"

#include "recon/base/memory.h"

#include <math.h>

/* Trials on each side of a centre that is known nearly, half-steps. */
enum { MARGIN = 4, HALF = 24 };
static const double misfits[] = {0.003, 0.01, 0.03, 0.1, 0.3};
/* Evidence that is taken at once, that is a result at all, and by which the best has to surpass all other trials; a
 * standard deviation, columns, that halves the confidence. */
static const double enough = 12, least = 4, margin_enough = 8, wide = 0.13;

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
static void find_others(const ct_mirror_level *level, const ct_mirror_trials *t, const finding *f, double apart,
                        ct_centre_found *found) {
  found->count = 1;
  found->candidates[0] = found->centre;
  found->margin = f->evidence;
  for (int n = 1; n < CT_CENTRE_CANDIDATES; n++) {
    double best = 0, at = NAN;
    for (int i = 0; i < t->count; i++) {
      const double centre = level->first + 0.5 * (t->first + i) * level->bin;
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
static bool refine_level(const ct_mirror_level *level, const finding *f, ct_centre_found *found, ct_job *job,
                         ct_error **error) {
  const int middle = (int)lround(2 * (found->centre - level->first) / level->bin), last = 2 * (level->nu - 1) - MARGIN;
  const int from = middle - HALF > MARGIN ? middle - HALF : MARGIN, to = middle + HALF < last ? middle + HALF : last;
  if (to - from < 4) return true;
  ct_mirror_trials t = trials_new(from, to - from + 1, error);
  const bool good = t.mirrors && level->compare(level->rays, &t, job, error);
  if (good) {
    double spread, agreement = 0;
    const int at = middle < from ? 0 : middle > to ? to - from : middle - from;
    const double centre = ct_mirror_refine(&t, at, &f->model, &spread, &agreement);
    /* A centre that leaves what coarser columns and their spread say is another one: not to be relied on. */
    const double moved = fabs(level->first + centre * level->bin - found->centre);
    const bool apart = moved > fmax(6 * found->spread, 3 * level->bin);
    if (isfinite(spread)) {
      found->centre = level->first + centre * level->bin;
      found->spread = apart ? INFINITY : spread * level->bin;
      found->agreement = agreement;
    }
  }
  ct_free(t.mirrors);
  return good;
}

bool ct_mirror_search(const ct_mirror_level *levels, int count, double about, ct_centre_found *found, ct_job *job,
                      ct_error **error) {
  const ct_mirror_level *coarse = levels + count - 1;
  int from = MARGIN, to = 2 * (coarse->nu - 1) - MARGIN;
  if (isfinite(about)) {
    const int middle = (int)lround(2 * (fmin(fmax(about, 0), levels->nu - 1) - coarse->first) / coarse->bin);
    from = middle - HALF > from ? middle - HALF : from;
    to = middle + HALF < to ? middle + HALF : to;
  }
  ct_mirror_trials t = trials_new(from, to - from + 1, error);
  bool good = t.mirrors && coarse->compare(coarse->rays, &t, job, error);
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
