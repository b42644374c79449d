/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the columns of the plan table say about a plan and a scan: which parameters matter, which the chosen method
 * makes no use of, and what automatic values come to. */
#ifndef CT_SOLVE_PLAN_RULES_H
#define CT_SOLVE_PLAN_RULES_H

#include "recon/base/warnings.h"
#include "recon/solve/plan.h"

#include <stdbool.h>
#include <stddef.h>

/* What is known of the scan and of what was made of it so far; all zero: nothing. */
typedef struct ct_plan_facts {
  bool scan; /* one is open, and the block below is valid */
  unsigned known;
  ct_values values;
  int flats;
  bool level; /* the scan states that of the free beam */
  bool flip_rows, flip_columns;
  ct_beam beam;
  int nv, views;
  double du, dv, sod, sdd, centre_v, tilt_deg;
  double angle_first_deg, angle_step_deg; /* NaN: none, uneven */
  double feed, table_step, start_z;       /* of a spiral, of a sequence, of both; 0, 0 and NaN: none */

  bool outcome;        /* the plan was prepared, and a centre is known */
  double centre;       /* column of the unbinned detector */
  const ct_grid *grid; /* that the plan's values give; NULL: not known */
} ct_plan_facts;

/* The block of the scan; the rest stays as it is. */
void ct_plan_facts_of_scan(const ct_scan_facts *scan, ct_plan_facts *facts);

/* Columns of the unbinned detector that a sweep covers to both sides of the present centre, where the plan tells no
 * range. */
enum { CT_SWEEP_HALF_RANGE = 10 };

/* The beam that counts; before a scan the plan's own, else parallel. */
ct_beam ct_plan_facts_beam(const ct_plan *plan, const ct_plan_facts *facts);
/* Whether the logarithm is taken of such values; whether they are divided by flats. */
bool ct_plan_takes_log(const ct_plan *plan, ct_values told);
bool ct_plan_uses_flats(const ct_plan *plan, ct_values told, int flats);

/* The CT_IF_* that hold. */
unsigned ct_plan_conditions(const ct_plan *plan, const ct_plan_facts *facts);

/* Whether a parameter changes anything at present; whether it should be shown even if it is rarely touched. */
bool ct_param_matters(const ct_plan *plan, const ct_plan_facts *facts, const ct_param *param);
bool ct_param_unfolds(const ct_plan *plan, const ct_plan_facts *facts, const ct_param *param);
/* Whether the plan's iterative method makes no use of a parameter of the direct one, with the reason as a sentence
 * (size may be 0). */
bool ct_param_is_idle(const ct_plan *plan, const ct_param *param, char *why, size_t size);
/* Warns of the parameters that differ from their defaults and change nothing. */
void ct_plan_warn_idle(const ct_plan *plan, const ct_plan_facts *facts, ct_warnings *warnings);
/* The condition on the plan's other values as text, for help: "Only with corrections.rings=wavelet."; empty where
 * there is none. */
void ct_param_describe_condition(const ct_param *param, char *text, size_t size);

/* The plan with automatic values replaced where they are known. */
void ct_plan_resolve(const ct_plan *plan, const ct_plan_facts *facts, ct_plan *resolved);
/* The number that "auto" of a parameter stands for, whatever the plan holds for it; NaN: not known, or never automatic.
 */
double ct_param_automatic(const ct_plan *plan, const ct_plan_facts *facts, const ct_param *param);

#endif
