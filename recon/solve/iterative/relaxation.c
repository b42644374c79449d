/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a method makes of automatic momentum and relaxation. */
#include "recon/solve/iterative/solver.h"

#include <math.h>

bool ct_solver_has_momentum(const ct_solver *solver, const ct_iterative_options *o) {
  if (!(solver->uses & CT_USES_MOMENTUM) || o->momentum != CT_MOMENTUM_AUTO)
    return (solver->uses & CT_USES_MOMENTUM) && o->momentum == CT_MOMENTUM_YES;
  return solver->momentum && o->matched && (isnan(o->relaxation) || o->relaxation <= 1);
}

double ct_solver_relaxation(const ct_solver *solver, const ct_iterative_options *o) {
  return ct_solver_has_momentum(solver, o) ? 1 : solver->relaxation.fallback;
}

unsigned ct_solver_needs(const ct_solver *solver, const ct_iterative_options *o) {
  const unsigned momentum = (solver->uses & CT_USES_MOMENTUM) && o->momentum == CT_MOMENTUM_YES ? CT_NEEDS_MATCHED : 0,
                 views = (solver->uses & CT_USES_BLOCK) && o->block < CT_BLOCK_VIEWS ? CT_NEEDS_SINGLE_VIEWS : 0;
  return solver->needs | momentum | views;
}
