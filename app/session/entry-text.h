/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a card of the shelf says of its result. All texts are the caller's. */
#pragma once

#include "app/engine.h"
#include "app/session/numbers.h"

G_BEGIN_DECLS

/* "z-window-v4, half, 16 bit, 1.2 s, 21 GUPS"; of an iterative result "50 iterations, 12 s"; of a file its voxels. */
char *gantry_entry_facts_text(const GantryResult *result, const GantryOutcome *outcome, const ct_grid *grid);
/* "RMSE 1.2·10⁻⁵, SSIM 0.9998"; NULL: nothing is to be said. */
char *gantry_entry_numbers_text(const GantryNumbers *numbers);
/* All of it, a line for each thing. */
char *gantry_entry_tip_text(const GantryResult *result, const GantryOutcome *outcome, const ct_grid *grid,
                            const GantryNumbers *numbers, const char *unit);

G_END_DECLS
