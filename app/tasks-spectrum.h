/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task behind the page "Spectrum". */
#pragma once

#include "app/tasks.h"
#include "ui/spectrum/report.h"

G_BEGIN_DECLS

/* A slice with its spectrum, kept from task to task: only tasks of the engine worker look into it. */
typedef struct _GantrySpectrum GantrySpectrum;
GantrySpectrum *gantry_spectrum_new(void);
GantrySpectrum *gantry_spectrum_ref(GantrySpectrum *spectrum);
void gantry_spectrum_unref(GantrySpectrum *spectrum);

/* Engine worker: the spectrum of the plan's axial slice (of an iterative method the direct one), masked to the circle
 * that every view sees, and what the view measured of it. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  GantrySpectrum *spectrum;
  ct_plan plan;
  GantryWanted wanted;
  int view;
  GantrySpectrumReport *report; /* out */
} GantrySpectrumTask;
GantrySpectrumTask *gantry_spectrum_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                             GantrySpectrum *spectrum, const ct_plan *plan, int view);

G_END_DECLS
