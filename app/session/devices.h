/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphics devices: which there are, how each is tuned, and the search for the best settings of one, which is a job.
 * Owns nothing: the panel has the list, the job its trial. */
#pragma once

#include "app/session/scan-slot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_DEVICES (gantry_devices_get_type())
G_DECLARE_FINAL_TYPE(GantryDevices, gantry_devices, GANTRY, DEVICES, GObject)

/* jobs and slot are borrowed. */
GantryDevices *gantry_devices_new(GantryContext *context, GantryJobs *jobs, GantryScanSlot *slot);
/* Asks which there are, and tells the panel. */
void gantry_devices_find(GantryDevices *self);
void gantry_devices_tune(GantryDevices *self);
/* Whether that makes sense now; the panel gets the reason where it does not. */
gboolean gantry_devices_can_tune(GantryDevices *self);

G_END_DECLS
