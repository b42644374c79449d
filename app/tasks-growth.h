/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task behind the page "View by View". */
#pragma once

#include "app/tasks.h"
#include "ui/growth/report.h"

G_BEGIN_DECLS

/* The sums of one slice, kept from task to task: only tasks of the engine worker look into it. */
typedef struct _GantryGrowth GantryGrowth;
GantryGrowth *gantry_growth_new(void);
GantryGrowth *gantry_growth_ref(GantryGrowth *growth);
void gantry_growth_unref(GantryGrowth *growth);

/* Engine worker: the axial slice after the wished views, or, with `measures`, a piece of the curve of errors; or the
 * kept iterations of a volume. Where the sums that are kept are of another scan, plan, slice or order they are made
 * anew. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  GantryGrowth *growth;
  ct_plan plan;
  GantryWanted wanted;
  GantryGrowthWish wish;
  gboolean measures;
  GantryResult *iterated;     /* whose kept iterations are shown in place of views; NULL: views are */
  GantryGrowthReport *report; /* out */
} GantryGrowthTask;
GantryGrowthTask *gantry_growth_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                         GantryGrowth *growth, const ct_plan *plan);

G_END_DECLS
