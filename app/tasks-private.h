/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the task files share. */
#pragma once

#include "app/tasks.h"

G_BEGIN_DECLS

gpointer gantry_work_init(gpointer task, GObject *owner, GantryDone done, void (*run)(GantryTask *),
                          void (*release)(GantryTask *));
void gantry_work_done(GantryTask *task);
/* Ends a task: its error, its hold on the owner and its memory. */
void gantry_work_free(GantryTask *task);
void gantry_work_fail(GantryTask *task, ct_error **error);
gboolean gantry_is_zero(const float *values, gsize count);
/* b's values at a's pixels, NaN where b does not reach: b's own, or a copy in *own (g_free). NULL: no memory. */
const float *gantry_pixels_at(const GantryImage *a, const GantryImage *b, float **own);
/* b on a's voxels, NaN where b does not reach: b itself, or a copy in *own (ct_volume_free). *outside (may be NULL):
 * voxels of a that b does not reach. NULL with an error where it is not known where both lie, or they share no place.
 */
const ct_volume *gantry_volume_at(const ct_volume *a, const ct_volume *b, ct_volume **own, size_t *outside,
                                  ct_error **error);
/* The session has gone over to another scan: nobody waits for this one any more. */
gboolean gantry_work_is_stale(GantryEngine *engine, GantryScan *scan, ct_error **error);
/* Whether the error is one of a graphics device (missing, refusing, out of memory, lost), so that the processor can do
 * the work. */
gboolean gantry_work_blames_device(GantryEngine *engine, GantrySide side, const ct_plan *plan, const ct_error *error);

G_END_DECLS
