/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans made of phantoms. Owns the dialog that asks for one, which keeps its values, and the values that the present
 * scan is to be simulated anew with while they are changed on the Simulation page. */
#pragma once

#include "app/session/questions.h"
#include "app/session/slices.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SIMULATOR (gantry_simulator_get_type())
G_DECLARE_FINAL_TYPE(GantrySimulator, gantry_simulator, GANTRY, SIMULATOR, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryScanSlot *slot;
  GantryQuestions *questions;
  GantryShelf *shelf;
  GantrySlices *slices;
} GantrySimulatorParts;

GantrySimulator *gantry_simulator_new(const GantrySimulatorParts *parts);
/* Listens to the window. */
void gantry_simulator_connect(GantrySimulator *self);
/* The dialog. */
void gantry_simulator_ask(GantrySimulator *self);
/* Another scan is open: its values are on the page. */
void gantry_simulator_show(GantrySimulator *self);
void gantry_simulator_stop(GantrySimulator *self);

G_END_DECLS
