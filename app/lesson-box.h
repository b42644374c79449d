/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson that the main loop and a worker share; it never changes. */
#pragma once

#include "app/lesson/lesson.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gantry_lesson *lesson;
} GantryLessonBox;

static inline void gantry_lesson_box_clear(gpointer box) {
  gantry_lesson_free(((GantryLessonBox *)box)->lesson);
}
/* Takes the lesson. */
static inline GantryLessonBox *gantry_lesson_box_new(gantry_lesson *lesson) {
  GantryLessonBox *box = g_atomic_rc_box_new(GantryLessonBox);
  box->lesson = lesson;
  return box;
}
static inline void gantry_lesson_box_unref(GantryLessonBox *box) {
  g_atomic_rc_box_release_full(box, gantry_lesson_box_clear);
}

G_END_DECLS
