/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words about the iterative part of a plan: names of methods and runs, the section's summary, and which parameters the
 * chosen method takes. No widgets. */
#pragma once

#include "ui/plan-words.h"

/* "OS-SART"; "filtered back-projection" for the direct method. */
const char *gantry_plan_method_name(int method);
/* What tells a run from others beside it: "OS-SART 10 subsets, relaxation 0.5, every 8th view". */
char *gantry_plan_run_name(const ct_plan *plan);
/* Everything that was chosen for a run, line by line. */
char *gantry_plan_run_recipe(const ct_plan *plan);
/* "SIRT, 50 iterations, matrix-free" */
char *gantry_plan_summarise_iterative(const ct_plan *plan, const GantryPlanFacts *facts);
/* Whether the method takes a parameter of the iterative section. */
gboolean gantry_plan_method_takes(const ct_plan *plan, const ct_param *param);
/* What an automatic value of the section comes to; NAN: nothing. */
double gantry_plan_method_automatic(const ct_plan *plan, const ct_param *param);
/* Why a parameter outside that section has no effect on what the method makes: a sentence to be freed; NULL: it has. */
char *gantry_plan_why_idle(const ct_plan *plan, const ct_param *param);
