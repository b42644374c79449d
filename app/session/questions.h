/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The question before work is lost. Owns no more than whether it is on screen; what would be lost follows from the job
 * and from the result that has not been saved. */
#pragma once

#include "app/session/jobs.h"
#include "app/session/shelf.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_QUESTIONS (gantry_questions_get_type())
G_DECLARE_FINAL_TYPE(GantryQuestions, gantry_questions, GANTRY, QUESTIONS, GObject)

/* What the user wants to do, at the cost of what is lost. */
typedef struct {
  const char *heading, *discard, *other; /* labels; other: a third answer, NULL without */
  const char *besides;                   /* what else would be lost, a sentence; NULL: nothing */
  void (*go_on)(gpointer owner, gpointer data);
  void (*instead)(gpointer owner, gpointer data); /* the third answer */
  gpointer owner;                                 /* borrowed, as long as the window is there */
  gpointer data;
  GDestroyNotify destroy; /* of data, in any case; may be NULL */
} GantryQuestion;

/* jobs and shelf are borrowed. */
GantryQuestions *gantry_questions_new(GantryContext *context, GantryJobs *jobs, GantryShelf *shelf);
/* Asks someone above what would be lost besides: a sentence (g_free), NULL for nothing. */
void gantry_questions_set_other(GantryQuestions *self, char *(*other)(gpointer user), gpointer user);
/* Signal "save-wanted" (GantryEntry *): the answer was to save that result first. Calls go_on at once when nothing
 * would be lost, else asks; while it asks already, nothing. */
void gantry_questions_ask(GantryQuestions *self, const GantryQuestion *question);
/* The saving that was wanted has ended: asks again what is left to ask where something was saved. */
void gantry_questions_saved(GantryQuestions *self, gboolean saved);
gboolean gantry_questions_would_lose(GantryQuestions *self);
gboolean gantry_questions_is_asking(GantryQuestions *self);

G_END_DECLS
