/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of the plan as they are typed and shown, with their unit. No widgets. */
#pragma once

#include <glib.h>

#include "recon/solve/plan.h"

/* Number of a typed text: the unit may follow, the decimal mark may be a comma, the minus a true one. False when it is
 * no number, or not a whole one where that is asked for. The range is not looked at. */
gboolean gantry_number_parse(const ct_param *param, const char *typed, double *value);
/* "0.625 × Nyquist", without zeros that say nothing. The value is shown whole where `room` (letters, the unit's among
 * them) allows, else with fewer decimals, but never fewer than the table grants. */
char *gantry_number_text(const ct_param *param, double value, int room);
/* For a refusal, every limit: "0.01 to 1 × Nyquist", "0.001 to 10 000 000 mm", "above 0, at most 10 000 mm". */
char *gantry_number_range(const ct_param *param);
/* For a tooltip, those that somebody may meet: "Range: 0.01 to 1 × Nyquist.", "At least 0.001 mm.", "Above 0.", NULL.
 */
char *gantry_number_bounds(const ct_param *param);
