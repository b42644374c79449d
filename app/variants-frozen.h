/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The automatic values of variants: those that the first one's come to, for all, so that what differs is what varies.
 */
#ifndef GANTRY_VARIANTS_FROZEN_H
#define GANTRY_VARIANTS_FROZEN_H

#include "app/variants-run.h"

/* Values of the plan that replace automatic ones. */
typedef struct gantry_frozen {
  ct_plan values;
  bool centre, log, redundancy, grid;
} gantry_frozen;

/* Prepares the scan for the first row, and takes what its automatic values came to, but for those that an axis or what
 * an axis varies decides. The grid is the slice's where one is asked for. words: NULL, or GANTRY_FROZEN_TEXT bytes. */
bool gantry_freeze(const gantry_variants *variants, const gantry_variants_request *request, ct_pipeline *pipeline,
                   gantry_frozen *frozen, char *words, ct_job *job, ct_error **error);
/* The grid of the slice that is asked for, where one is; CT_ERROR_ARGUMENT where there is none of that index. */
bool gantry_choose_slice(const gantry_variants_request *request, ct_grid *grid, ct_error **error);
/* The grid as numbers of a plan. */
void gantry_hold_grid(const ct_grid *grid, ct_plan *plan);
/* Puts the values where the plan has automatic ones, and the grid. */
void gantry_apply_frozen(const gantry_frozen *frozen, ct_plan *plan);

#endif
