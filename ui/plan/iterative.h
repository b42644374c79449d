/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words about the iterative part of a plan: names of methods and runs, the section's summary, and which parameters the
 * chosen method takes. No widgets. */
#pragma once

#include "ui/plan/words.h"

/* What tells a run from others beside it: "OS-SART 10 subsets, relaxation 0.5, every 8th view". */
char *gantry_plan_run_name(const ct_plan *plan);
/* Everything that was chosen for a run, line by line. */
char *gantry_plan_run_recipe(const ct_plan *plan);
/* "SIRT, 50 iterations, matrix-free" */
char *gantry_plan_summarise_iterative(const ct_plan *plan, const GantryPlanFacts *facts);
