/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task behind the pictures side by side on the page "Interpolation". */
#pragma once

#include "app/tasks.h"
#include "ui/interpolation/magnified.h"

G_BEGIN_DECLS

/* Engine worker: one of the pictures of an axial slice's part, by direct reconstruction; of kernel -1 the truth, where
 * the scan is a simulated one. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  ct_plan plan;
  GantryMagnifiedWish wish;
  GantryMagnified picture; /* kernel: in; the rest: out */
} GantryMagnifiedTask;
GantryMagnifiedTask *gantry_magnified_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                               const ct_plan *plan);

G_END_DECLS
