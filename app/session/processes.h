/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The open scan with the present plan by several processes (gantry-cli reconstruct under mpirun, srun, ...), beside
 * what the window does. Owns the window that asks for it, the launcher as a child process in a process group of its
 * own, and the file of the plan for it. */
#pragma once

#include "app/session/opening.h"
#include "app/session/plan-editor.h"
#include "app/session/scan-slot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PROCESSES (gantry_processes_get_type())
G_DECLARE_FINAL_TYPE(GantryProcesses, gantry_processes, GANTRY, PROCESSES, GObject)

/* editor, slot and opening are borrowed. */
GantryProcesses *gantry_processes_new(GantryContext *context, GantryPlanEditor *editor, GantryScanSlot *slot,
                                      GantryOpening *opening);
void gantry_processes_show(GantryProcesses *self);
gboolean gantry_processes_is_running(GantryProcesses *self);
/* The window is gone: the processes are told to end; what they finished stays. */
void gantry_processes_stop(GantryProcesses *self);

G_END_DECLS
