/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel of lessons at the window's right side, and the frames around what a lesson's step has one look at. */
#pragma once

#include "ui/lessons/panel.h"
#include "ui/window/plots.h"
#include "ui/window/quad.h"

G_BEGIN_DECLS

typedef struct _GantryLessonsPart GantryLessonsPart;
/* Adds the action show-lessons; the rest is borrowed. */
GantryLessonsPart *gantry_lessons_part_new(GtkWidget *window, GantryQuad *quad, GantryPlots *plots);
void gantry_lessons_part_free(GantryLessonsPart *self);
GantryLessonsPanel *gantry_lessons_part_get_panel(GantryLessonsPart *self);
void gantry_lessons_part_show(GantryLessonsPart *self);

/* A frame around the control of this name, beside those that are framed already: "Axial slice" and the other views,
 * "Filter page" and the others below the views, a section of the plan or a parameter's title. Where `go`, it is brought
 * into sight, and the keyboard goes there. FALSE: there is none of that name now. */
gboolean gantry_lessons_part_look(GantryLessonsPart *self, const char *name, gboolean go);
/* The frames go. */
void gantry_lessons_part_look_away(GantryLessonsPart *self);

G_END_DECLS
