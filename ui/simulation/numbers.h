/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields for the numbers of an object and a geometry, from their table: automatic values are empty, with what they are
 * instead in grey. Signal "changed": something else was typed. */
#pragma once

#include <adwaita.h>

#include "recon/phantom/simulation.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SIMULATION_NUMBERS (gantry_simulation_numbers_get_type())
G_DECLARE_FINAL_TYPE(GantrySimulationNumbers, gantry_simulation_numbers, GANTRY, SIMULATION_NUMBERS,
                     AdwPreferencesGroup)

/* shape: those of the object, else those of the geometry. */
GtkWidget *gantry_simulation_numbers_new(const char *title, gboolean shape);
void gantry_simulation_numbers_show(GantrySimulationNumbers *self, const ct_simulation *simulation);
/* Into the simulation; FALSE: what a field holds is no number within its range, which it shows. */
gboolean gantry_simulation_numbers_read(GantrySimulationNumbers *self, ct_simulation *simulation);

G_END_DECLS
