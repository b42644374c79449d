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

/* shape: those of the object, else those of the geometry. Without rows. */
GtkWidget *gantry_simulation_numbers_new(gboolean shape);
/* Makes the next rows, so many at most, which show these values; FALSE: all are there. */
gboolean gantry_simulation_numbers_add(GantrySimulationNumbers *self, guint most, const ct_simulation *simulation);
void gantry_simulation_numbers_show(GantrySimulationNumbers *self, const ct_simulation *simulation);
/* Into the simulation; NULL, or the first number whose field holds none within its range, which such fields show. */
const ct_simulation_number *gantry_simulation_numbers_read(GantrySimulationNumbers *self, ct_simulation *simulation);
/* "Views: type a whole number from 1 to 1 000 000." */
char *gantry_simulation_number_refusal(const ct_simulation_number *number);

G_END_DECLS
