/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several scans or plans, one after another, beside what the window does: gantry-cli batch in a process of its own,
 * which is followed by the lines that it prints (--events). Owns the queue's window and that process. */
#pragma once

#include "app/session/plan-editor.h"
#include "app/session/scan-slot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_QUEUE (gantry_queue_get_type())
G_DECLARE_FINAL_TYPE(GantryQueue, gantry_queue, GANTRY, QUEUE, GObject)

/* editor and slot are borrowed. */
GantryQueue *gantry_queue_new(GantryContext *context, GantryPlanEditor *editor, GantryScanSlot *slot);
void gantry_queue_show(GantryQueue *self);
gboolean gantry_queue_is_running(GantryQueue *self);
/* The window is gone: the present one is ended without half a file. */
void gantry_queue_stop(GantryQueue *self);

G_END_DECLS
