/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task behind the Filter page. */
#pragma once

#include "app/tasks.h"
#include "ui/filter/report.h"

G_BEGIN_DECLS

/* Engine worker: what the filter of a plan does to the middle row of a view, of the projections that are there. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  ct_plan plan;
  int view;
  GantryFilterReport *report; /* out */
} GantryFilterTask;
GantryFilterTask *gantry_filter_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                         const ct_plan *plan, int view);

G_END_DECLS
