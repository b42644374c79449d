/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons in the window. Owns which lesson and which step of it is on the panel, and the step that is being set up;
 * asks for its claims to be measured when it is shown. */
#pragma once

#include "app/session/dialogs.h"
#include "app/session/pictures.h"
#include "app/session/plan-editor.h"
#include "app/session/questions.h"
#include "app/session/scan-slot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_LESSONS (gantry_lessons_get_type())
G_DECLARE_FINAL_TYPE(GantryLessons, gantry_lessons, GANTRY, LESSONS, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryQuestions *questions;
  GantryDialogs *dialogs;
  GantryPictures *pictures;
} GantryLessonsParts;

GantryLessons *gantry_lessons_new(const GantryLessonsParts *parts);
/* Fills the panel's list, adds the actions, listens to the scan slot. After whoever puts another scan's plan in place.
 */
void gantry_lessons_connect(GantryLessons *self);
/* A lesson of a file, at its first step; a wrong one is said, and the panel stays as it is. */
void gantry_lessons_open(GantryLessons *self, GFile *file);

G_END_DECLS
