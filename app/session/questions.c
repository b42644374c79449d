/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One message dialog; the answer is acted on when the dialog has closed. */
#include "app/session/questions.h"

struct _GantryQuestions {
  GObject parent_instance;
  GantryContext *context;
  GantryJobs *jobs;
  GantryShelf *shelf;
  char *(*other)(gpointer user);
  gpointer user;
  gboolean asking;
  GantryQuestion *put_off; /* until a result has been saved; NULL: none */
};

static guint save_wanted_signal;

G_DEFINE_FINAL_TYPE(GantryQuestions, gantry_questions, G_TYPE_OBJECT)

static void question_free(gpointer data) {
  GantryQuestion *question = data;
  if (question->destroy) question->destroy(question->data);
  g_free(question);
}

static void gantry_questions_finalize(GObject *object) {
  g_clear_pointer(&GANTRY_QUESTIONS(object)->put_off, question_free);
  gantry_context_unref(GANTRY_QUESTIONS(object)->context);
  G_OBJECT_CLASS(gantry_questions_parent_class)->finalize(object);
}

static void gantry_questions_class_init(GantryQuestionsClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_questions_finalize;
  save_wanted_signal = g_signal_new("save-wanted", GANTRY_TYPE_QUESTIONS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, GANTRY_TYPE_ENTRY);
}

static void gantry_questions_init(GantryQuestions *self) {}

GantryQuestions *gantry_questions_new(GantryContext *context, GantryJobs *jobs, GantryShelf *shelf) {
  GantryQuestions *self = g_object_new(GANTRY_TYPE_QUESTIONS, NULL);
  self->context = gantry_context_ref(context);
  self->jobs = jobs;
  self->shelf = shelf;
  return self;
}

/* Of results that have not been saved. */
static char *unsaved_text(guint count, gboolean runs) {
  const char *before = runs ? "A reconstruction is running, and " : "";
  if (count > 1) return g_strdup_printf("%s%u results on the shelf have not been saved.", before, count);
  return g_strdup_printf("%s%s", before,
                         runs ? "the volume before it has not been saved." : "The volume has not been saved.");
}

void gantry_questions_set_other(GantryQuestions *self, char *(*other)(gpointer user), gpointer user) {
  self->other = other;
  self->user = user;
}

/* Of jobs and results; NULL: nothing. */
static char *work_that_is_lost(GantryQuestions *self) {
  const GantryJobKind kind = gantry_jobs_get_kind(self->jobs);
  const guint unsaved = gantry_shelf_count_unsaved(self->shelf);
  const gboolean runs = kind == GANTRY_JOB_VOLUME || kind == GANTRY_JOB_SWEEP;
  if (kind == GANTRY_JOB_SAVE) return g_strdup("A file is still being written; it would be given up and removed.");
  if (kind == GANTRY_JOB_TUNE && !unsaved)
    return g_strdup("A graphics device is being tuned; the trials so far would be lost.");
  if (kind == GANTRY_JOB_VARIANTS && !unsaved)
    return g_strdup("Variants are being compared; the rows so far would be lost.");
  if (unsaved) return unsaved_text(unsaved, runs);
  return runs ? g_strdup("A reconstruction is running; its result would be lost.") : NULL;
}

/* NULL: nothing. */
static char *what_is_lost(GantryQuestions *self) {
  g_autofree char *work = work_that_is_lost(self), *other = self->other ? self->other(self->user) : NULL;
  if (work && other) return g_strdup_printf("%s %s", work, other);
  return g_strdup(work ? work : other);
}

/* Of several results the first: the question comes again for the others. A file is written by itself. */
static gboolean offers_save(GantryQuestions *self) {
  return gantry_jobs_get_kind(self->jobs) != GANTRY_JOB_SAVE && gantry_shelf_find_unsaved(self->shelf) != NULL;
}

gboolean gantry_questions_would_lose(GantryQuestions *self) {
  g_autofree char *lost = what_is_lost(self);
  return lost != NULL;
}

gboolean gantry_questions_is_asking(GantryQuestions *self) {
  return self->asking;
}

/* Answers */

typedef enum { GO_ON, INSTEAD, SAVE } Choice;

typedef struct {
  GantryQuestions *questions;
  GantryQuestion *question;
  Choice choice;
} Answer;

static gboolean act_on(gpointer data) {
  Answer *answer = data;
  GantryQuestions *self = answer->questions;
  GantryQuestion *question = answer->question;
  if (!self->context->window) return G_SOURCE_REMOVE;
  if (answer->choice == SAVE) {
    GantryEntry *entry = gantry_shelf_find_unsaved(self->shelf);
    g_clear_pointer(&self->put_off, question_free);
    self->put_off = g_steal_pointer(&answer->question);
    if (entry)
      g_signal_emit(self, save_wanted_signal, 0, entry);
    else
      gantry_questions_saved(self, TRUE);
  } else {
    (answer->choice == INSTEAD ? question->instead : question->go_on)(question->owner, question->data);
  }
  return G_SOURCE_REMOVE;
}

static void answer_free(gpointer data) {
  Answer *answer = data;
  g_clear_pointer(&answer->question, question_free);
  g_object_unref(answer->questions);
  g_free(answer);
}

/* The dialog is still in the middle of its own closing, and its parent may be about to go. */
static void answered(AdwMessageDialog *dialog, const char *response, gpointer data) {
  GantryQuestions *self = data;
  GantryQuestion *question = g_object_steal_data(G_OBJECT(dialog), "question");
  self->asking = FALSE;
  if (g_str_equal(response, "keep")) {
    question_free(question);
    return;
  }
  Answer *answer = g_new(Answer, 1);
  *answer = (Answer){g_object_ref(self), question,
                     g_str_equal(response, "save")    ? SAVE
                     : g_str_equal(response, "other") ? INSTEAD
                                                      : GO_ON};
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, act_on, answer, answer_free);
}

void gantry_questions_saved(GantryQuestions *self, gboolean saved) {
  g_autofree GantryQuestion *question = g_steal_pointer(&self->put_off);
  if (!question) return;
  if (saved && self->context->window)
    gantry_questions_ask(self, question);
  else if (question->destroy)
    question->destroy(question->data);
}

void gantry_questions_ask(GantryQuestions *self, const GantryQuestion *question) {
  g_autofree char *work = what_is_lost(self);
  g_autofree char *lost = work && question->besides ? g_strdup_printf("%s %s", work, question->besides)
                          : work                    ? g_strdup(work)
                                                    : g_strdup(question->besides);
  GantryQuestion *copy = g_new(GantryQuestion, 1);
  *copy = *question;
  if (!lost) copy->go_on(copy->owner, copy->data);
  if (!lost || self->asking) {
    question_free(copy);
    return;
  }
  self->asking = TRUE;
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(self->context->window), question->heading, lost);
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG(dialog);
  adw_message_dialog_add_response(message, "keep", "_Keep Working");
  if (question->other) adw_message_dialog_add_response(message, "other", question->other);
  adw_message_dialog_add_response(message, "discard", question->discard);
  adw_message_dialog_set_response_appearance(message, "discard", ADW_RESPONSE_DESTRUCTIVE);
  if (offers_save(self)) {
    adw_message_dialog_add_response(message, "save", "_Save…");
    adw_message_dialog_set_response_appearance(message, "save", ADW_RESPONSE_SUGGESTED);
  }
  adw_message_dialog_set_default_response(message, "keep");
  adw_message_dialog_set_close_response(message, "keep");
  g_object_set_data_full(G_OBJECT(dialog), "question", copy, question_free);
  g_signal_connect_object(dialog, "response", G_CALLBACK(answered), self, 0);
  gtk_window_present(GTK_WINDOW(dialog));
}
