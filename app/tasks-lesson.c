/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measuring the claims of a lesson's step. */
#include "app/tasks-lesson.h"

#include "app/tasks-private.h"

static const gantry_lesson_step *step_of(const GantryLessonTask *self) {
  return &self->box->lesson->steps[self->step];
}

static void lesson_run(GantryTask *task) {
  GantryLessonTask *self = (GantryLessonTask *)task;
  const gantry_lesson_step *step = step_of(self);
  ct_error *error = NULL;
  gantry_lesson_lab *lab = gantry_lesson_lab_new(&error);
  for (gsize i = 0; lab && i < step->claim_count; i++) {
    if (gantry_claim_check(&step->claims[i], &step->state, lab, &self->findings[i], task->job, &error)) continue;
    if (error->code == CT_ERROR_CANCELLED) break;
    self->reasons[i] = g_strdup(error->message);
    ct_error_clear(&error);
  }
  gantry_lesson_lab_free(lab);
  if (error) gantry_work_fail(task, &error);
}

static void lesson_free(GantryTask *task) {
  GantryLessonTask *self = (GantryLessonTask *)task;
  for (gsize i = 0; i < step_of(self)->claim_count; i++) g_free(self->reasons[i]);
  g_free(self->reasons);
  g_free(self->findings);
  gantry_lesson_box_unref(self->box);
  gantry_work_free(task);
}

GantryLessonTask *gantry_lesson_task_new(GObject *owner, GantryDone done, GantryLessonBox *box, gsize step) {
  GantryLessonTask *self = gantry_work_init(g_new0(GantryLessonTask, 1), owner, done, lesson_run, lesson_free);
  self->work.task.slot = GANTRY_SLOT_LESSON;
  self->box = g_atomic_rc_box_acquire(box);
  self->step = step;
  self->findings = g_new0(gantry_finding, box->lesson->steps[step].claim_count + 1);
  self->reasons = g_new0(char *, box->lesson->steps[step].claim_count + 1);
  return self;
}
