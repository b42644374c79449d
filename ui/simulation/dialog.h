/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for a scan of a phantom: object, geometry, what goes wrong. Hidden when it is closed, with its values. Signal
 * "chosen" (const ct_simulation *, const char *object): the scan is to be made; object: a file in place of the phantom,
 * or NULL. */
#pragma once

#include <adwaita.h>

#include "recon/phantom/simulation.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SIMULATION_DIALOG (gantry_simulation_dialog_get_type())
G_DECLARE_FINAL_TYPE(GantrySimulationDialog, gantry_simulation_dialog, GANTRY, SIMULATION_DIALOG, AdwWindow)

GtkWidget *gantry_simulation_dialog_new(GtkWindow *parent);
void gantry_simulation_dialog_show(GantrySimulationDialog *self, const ct_simulation *simulation, const char *object);

G_END_DECLS
