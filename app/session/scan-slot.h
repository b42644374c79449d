/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scan of the session. Owns it, and the job that puts another one in its place: a scan that cannot be opened leaves
 * the one before. Signal "loaded" (gboolean replaced, char *plan, GError *error): a load was answered; replaced:
 * another scan, or none, is here; plan: the file that load was for, NULL without; error: NULL also when it never ran.
 * "renewed": the scan has been simulated anew, with its session going on.
 * "unclear" (GantryLoadTask *load): what of its file is the scan has to be told first; "loaded" follows without error.
 * "refused" (GantryLoadTask *load): its file cannot be opened, which is still to be told; "loaded" follows. */
#pragma once

#include "app/scan.h"
#include "app/session/jobs.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SCAN_SLOT (gantry_scan_slot_get_type())
G_DECLARE_FINAL_TYPE(GantryScanSlot, gantry_scan_slot, GANTRY, SCAN_SLOT, GObject)

/* jobs is borrowed. */
GantryScanSlot *gantry_scan_slot_new(GantryContext *context, GantryJobs *jobs);
/* NULL: none; borrowed. */
GantryScan *gantry_scan_slot_get(GantryScanSlot *self);
const ct_scan_facts *gantry_scan_slot_get_facts(GantryScanSlot *self);
/* gantry_window_get_message_mark when the newest load began. */
guint gantry_scan_slot_get_mark(GantryScanSlot *self);

/* path: NULL for the built-in example; opened: the scan of that path, if somebody opened it to look; plan: file whose
 * values it is opened for; either may be NULL. */
void gantry_scan_slot_load(GantryScanSlot *self, const char *path, GantryScan *opened, const char *plan);
/* With a description that was told before (gantry_scan_get_description), NULL: none. */
void gantry_scan_slot_load_told(GantryScanSlot *self, const char *path, const char *description);
/* A simulated one; object: a file in place of the phantom, or NULL. */
void gantry_scan_slot_simulate(GantryScanSlot *self, const ct_simulation *simulation, const char *object);
/* The same object simulated anew, which the engine has already: nothing is loaded. Emits "renewed". */
void gantry_scan_slot_renew(GantryScanSlot *self, GantryScan *scan);
void gantry_scan_slot_close(GantryScanSlot *self);

G_END_DECLS
