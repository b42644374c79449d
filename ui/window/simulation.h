/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Simulation": what goes wrong with the present scan, while its slices follow. It is there for simulated
 * scans alone. Owns the values on it, and the command win.show-simulation. */
#pragma once

#include "recon/phantom/simulation.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

typedef struct _GantrySimulationPart GantrySimulationPart;
/* changed(user, simulation): the user chose another value. plots is borrowed. */
GantrySimulationPart *gantry_simulation_part_new(GtkWidget *window, GantryPlots *plots,
                                                 void (*changed)(gpointer user, const ct_simulation *simulation),
                                                 gpointer user);
void gantry_simulation_part_free(GantrySimulationPart *self);
/* NULL: the scan is none. */
void gantry_simulation_part_set(GantrySimulationPart *self, const ct_simulation *simulation);

G_END_DECLS
