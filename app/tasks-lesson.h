/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task behind "Measured here". */
#pragma once

#include "app/lesson-box.h"
#include "app/lesson/claim.h"
#include "app/tasks.h"

G_BEGIN_DECLS

/* Any worker: measures the claims of a step, each on scans of its own. */
typedef struct {
  GantryWork work;
  GantryLessonBox *box;
  gsize step;
  /* out, one for each claim: why it could not be measured, NULL where it was */
  gantry_finding *findings;
  char **reasons;
} GantryLessonTask;
GantryLessonTask *gantry_lesson_task_new(GObject *owner, GantryDone done, GantryLessonBox *box, gsize step);

G_END_DECLS
