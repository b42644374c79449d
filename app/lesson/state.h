/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a lesson's step: a simulated scan, the plan that it is reconstructed with, and the slice that is looked
 * at. Set by the keys of `gantry-cli simulate` and of the plan. */
#ifndef GANTRY_LESSON_STATE_H
#define GANTRY_LESSON_STATE_H

#include "recon/phantom/simulation.h"
#include "recon/solve/plan.h"

typedef struct gantry_lesson_state {
  ct_simulation simulation;
  ct_plan plan;
  ct_plane plane;
  double position; /* mm along the plane's normal; NaN: the middle slice */
} gantry_lesson_state;

/* A 2-D Shepp-Logan phantom, parallel beam, 180 views of 160 columns in one row; the plan's defaults; the middle axial
 * slice. */
void gantry_lesson_state_init(gantry_lesson_state *state);
/* "phantom", "geometry", "counts", "seed", or the name of any number of the simulation; "auto" where it has one.
 * CT_ERROR_ARGUMENT with what is allowed. */
bool gantry_lesson_set_scan(gantry_lesson_state *state, const char *key, const char *value, ct_error **error);
bool gantry_lesson_is_scan_key(const char *key);
/* "axial", "coronal 12.5": the position in mm. */
bool gantry_lesson_set_slice(gantry_lesson_state *state, const char *value, ct_error **error);
/* "KEY=VALUE, KEY=VALUE" of scan or plan; a key of both is the scan's. */
bool gantry_lesson_set_changes(gantry_lesson_state *state, const char *changes, ct_error **error);

/* Whether both describe the same scan, number by number. */
bool gantry_same_simulation(const ct_simulation *a, const ct_simulation *b);

#endif
