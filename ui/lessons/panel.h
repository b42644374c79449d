/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel "Lessons": the list of lessons, or a step of one, with its text, formula, what to look at, claims with what
 * they were measured as, and a question whose answer is shown when asked for. Its buttons name "win." actions that app
 * adds: choose-lesson(i), lesson-list, open-lesson, lesson-set-up, lesson-back, lesson-next, lesson-look(i); close is
 * the window's show-lessons. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_LESSONS_PANEL (gantry_lessons_panel_get_type())
G_DECLARE_FINAL_TYPE(GantryLessonsPanel, gantry_lessons_panel, GANTRY, LESSONS_PANEL, GtkBox)

GtkWidget *gantry_lessons_panel_new(void);
/* One more row of the list; its number is given to win.choose-lesson. summary may be NULL. */
void gantry_lessons_panel_add(GantryLessonsPanel *self, const char *title, const char *summary);

/* A step; texts are copied. Paragraphs are separated by an empty line, *stars* are emphasis. NULL: there is none. */
typedef struct {
  const char *lesson, *title, *text, *formula, *question, *answer;
  const char *const *looks;  /* ends with NULL: what win.lesson-look shows */
  const char *const *claims; /* ends with NULL */
  int index, count;
} GantryLessonStep;
void gantry_lessons_panel_show_step(GantryLessonsPanel *self, const GantryLessonStep *step);
void gantry_lessons_panel_show_list(GantryLessonsPanel *self);

typedef enum { GANTRY_CLAIM_MEASURING, GANTRY_CLAIM_HOLDS, GANTRY_CLAIM_FAILS, GANTRY_CLAIM_UNKNOWN } GantryClaimState;
/* What became of a claim of the step: the numbers, or why there are none. */
void gantry_lessons_panel_set_finding(GantryLessonsPanel *self, int claim, GantryClaimState state, const char *text);

G_END_DECLS
