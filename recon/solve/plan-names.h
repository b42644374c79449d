/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short names of plans that lie beside each other, made of what tells each from the others: "half", "nearest, every 2nd
 * view", "SIRT 50". */
#ifndef CT_SOLVE_PLAN_NAMES_H
#define CT_SOLVE_PLAN_NAMES_H

#include "recon/solve/plan.h"

enum { CT_PLAN_NAME = 160 };

/* names[count], UTF-8, each cut between two words where it is too long. A parameter counts where plans differ in it, it
 * changes voxels or how quickly they are made, and the plan's method makes use of it; the value of more than half of
 * those plans goes without saying, unless the name would be empty. Plans that do not differ (ct_plans_differ) have the
 * same name: "linear, single" or "SIRT 50" where they are all the same. */
void ct_plan_names(const ct_plan *const plans[], size_t count, char names[][CT_PLAN_NAME]);
/* Whether two plans differ in a parameter that counts as above for one of them: not in the file's format alone, nor in
 * what their methods make no use of. */
bool ct_plans_differ(const ct_plan *a, const ct_plan *b);

#endif
