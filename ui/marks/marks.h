/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks of a window: one list for all views, with which is chosen, their numbers in A and B, and undo. */
#pragma once

#include <glib-object.h>

#include "ui/marks/mark.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_MARKS (gantry_marks_get_type())
G_DECLARE_FINAL_TYPE(GantryMarks, gantry_marks, GANTRY, MARKS, GObject)

#define GANTRY_MOST_MARKS 500
/* Results that numbers are of. */
enum { GANTRY_MARKS_OF_A, GANTRY_MARKS_OF_B, GANTRY_MARKS_SIDES };

/* Signals: "changed": a mark came, went, moved, or got another name or thickness; "chosen": another is; "measured":
 * numbers came or went. */
GantryMarks *gantry_marks_new(void);
guint gantry_marks_count(GantryMarks *self);
/* In the order in which they were made; borrowed until the next change. */
const GantryMark *gantry_marks_get(GantryMarks *self, guint index);
/* NULL: it is gone. */
const GantryMark *gantry_marks_find(GantryMarks *self, guint id);

/* Copies the mark but for id and serial; an empty name, or NULL: "Ellipse 2". Points that are not finite, too few or
 * too many are refused, as is more than GANTRY_MOST_MARKS: 0. */
guint gantry_marks_add(GantryMarks *self, const GantryMark *mark);
/* As many as it has. */
void gantry_marks_set_points(GantryMarks *self, guint id, const double (*points)[2]);
void gantry_marks_set_name(GantryMarks *self, guint id, const char *name);
void gantry_marks_set_thickness(GantryMarks *self, guint id, double thickness);
void gantry_marks_remove(GantryMarks *self, guint id);
void gantry_marks_clear(GantryMarks *self);
/* Between them changes are one step of undo: a drag. */
void gantry_marks_begin(GantryMarks *self);
void gantry_marks_end(GantryMarks *self);
gboolean gantry_marks_can_undo(GantryMarks *self);
void gantry_marks_undo(GantryMarks *self);

/* 0: none. */
void gantry_marks_choose(GantryMarks *self, guint id);
guint gantry_marks_get_chosen(GantryMarks *self);

/* Those of a mark that has changed since, or is gone, are dropped. */
void gantry_marks_set_numbers(GantryMarks *self, guint id, int side, const GantryMarkNumbers *numbers);
void gantry_marks_measured(GantryMarks *self); /* after all were set */
/* The result is another one. */
void gantry_marks_forget_numbers(GantryMarks *self, int side);
/* NULL: not known, or of an earlier place. */
const GantryMarkNumbers *gantry_marks_get_numbers(GantryMarks *self, guint id, int side);

G_END_DECLS
