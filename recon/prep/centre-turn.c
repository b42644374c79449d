/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centre of rotation of a full turn, parallel, fan or the middle rows of a cone beam, by the turn's harmonics. */
#include "recon/prep/centre-private.h"

#include "recon/geom/questions.h"

#include <math.h>

enum { MOST_ROWS = 4, MOST_LEVELS = 12 };

static bool compare(const void *rays, ct_mirror_trials *trials, ct_job *job, ct_error **error) {
  return ct_mirror_compare(rays, trials, job, error);
}

bool ct_centre_full_turn(const ct_stack *stack, const ct_geometry *g, int row0, int rows, double about,
                         ct_centre_found *found, ct_job *job, ct_error **error) {
  ct_turn turns[MOST_LEVELS];
  ct_mirror_level levels[MOST_LEVELS];
  int list[MOST_ROWS], depth = 1;
  const int count = ct_centre_rows(g, row0, rows, MOST_ROWS, list);
  const bool add = !ct_geometry_promises(g, CT_TRAIT_PARALLEL);
  ct_job_begin_stage(job, CT_STAGE_CENTRING, 0);
  if (!ct_turn_new(turns, stack, g, list, count, add, job, error)) return false;
  bool good = true;
  while (good && turns[depth - 1].nu > CT_MIRROR_COLUMNS && depth < MOST_LEVELS)
    if ((good = ct_turn_halve(turns + depth, turns + depth - 1, error))) depth++;
  for (int i = 0; i < depth; i++)
    levels[i] = (ct_mirror_level){turns[i].nu, turns[i].bin, turns[i].first, turns + i, compare};
  ct_job_begin_stage(job, CT_STAGE_CENTRING, (uint64_t)depth * CT_TURN_SCALES * (uint64_t)turns->rows);
  good = good && ct_mirror_search(levels, depth, about, found, job, error);
  for (int i = 0; i < depth; i++) ct_turn_clear(turns + i);
  return good;
}
