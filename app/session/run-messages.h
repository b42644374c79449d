/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said when a run has ended. Owns nothing. */
#pragma once

#include "app/session/context.h"
#include "app/tasks.h"

G_BEGIN_DECLS

/* A volume, in memory. */
void gantry_run_announce_volume(GantryContext *context, const GantryResult *result, const GantryVolumeTask *run);
/* A volume that is in its file and not in memory. */
void gantry_run_announce_file(GantryContext *context, const GantryVolumeTask *run);
/* What is left: a volume of before; and whether something else is on screen than that. */
void gantry_run_announce_cancelled(GantryContext *context, const GantryVolumeTask *run, gboolean volume,
                                   gboolean elsewhere);
/* A run would make the result once more. */
void gantry_run_announce_complete(GantryContext *context, const GantryResult *result);

G_END_DECLS
