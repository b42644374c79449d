/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of what the side panel says: names of choices, and lists of words. No widgets. */
#pragma once

#include <glib.h>

#include "recon/solve/plan.h"

/* Title of the choice that the plan holds for a parameter. */
const char *gantry_plan_choice_title(const ct_plan *plan, const ct_param *param);
/* "OS-SART"; "filtered back-projection" for the direct method. */
const char *gantry_plan_method_name(int method);
/* Appends words as by printf, after a comma where there are some already. */
void gantry_words_add(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
