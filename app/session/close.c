/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The question before work is lost, and the end of a session: the window goes at once, the workers are told to stop,
 * and the application is held until they have. */
#include "app/session/session-private.h"

/* The question */

static GantryQuestion *question_new(const GantryQuestion *question) {
  GantryQuestion *copy = g_new(GantryQuestion, 1);
  *copy = *question;
  return copy;
}

static void question_free(gpointer data) {
  GantryQuestion *question = data;
  if (question->destroy) question->destroy(question->data);
  g_free(question);
}

typedef struct {
  GantrySession *session;
  GantryQuestion *question;
  gboolean instead;
} Answer;

static gboolean act_on(gpointer data) {
  const Answer *answer = data;
  GantryQuestion *question = answer->question;
  if (answer->session->window) (answer->instead ? question->instead : question->go_on)(answer->session, question->data);
  return G_SOURCE_REMOVE;
}

static void answer_free(gpointer data) {
  Answer *answer = data;
  question_free(answer->question);
  g_object_unref(answer->session);
  g_free(answer);
}

/* The dialog is still in the middle of its own closing, and its parent may be about to go: the answer is acted on
 * afterwards. */
static void answered(AdwMessageDialog *dialog, const char *response, gpointer data) {
  GantrySession *self = data;
  GantryQuestion *question = g_object_steal_data(G_OBJECT(dialog), "question");
  self->asking = FALSE;
  if (g_str_equal(response, "keep")) {
    question_free(question);
    return;
  }
  Answer *answer = g_new(Answer, 1);
  *answer = (Answer){g_object_ref(self), question, g_str_equal(response, "other")};
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, act_on, answer, answer_free);
}

static const char *what_is_lost(GantrySession *self) {
  const gboolean runs = self->job_kind == GANTRY_JOB_VOLUME || self->job_kind == GANTRY_JOB_SWEEP;
  if (self->job_kind == GANTRY_JOB_SAVE) return "A file is still being written; it would be given up and removed.";
  if (self->job_kind == GANTRY_JOB_TUNE && !self->unsaved)
    return "A graphics device is being tuned; the trials so far would be lost.";
  if (runs && self->unsaved) return "A reconstruction is running, and the volume before it has not been saved.";
  if (runs) return "A reconstruction is running; its result would be lost.";
  return self->unsaved ? "The volume has not been saved." : NULL;
}

gboolean gantry_session_would_lose(GantrySession *self) {
  return what_is_lost(self) != NULL;
}

void gantry_session_ask(GantrySession *self, const GantryQuestion *question) {
  const char *lost = what_is_lost(self);
  GantryQuestion *copy = question_new(question);
  if (!lost) {
    copy->go_on(self, copy->data);
    question_free(copy);
    return;
  }
  if (self->asking) {
    question_free(copy);
    return;
  }
  self->asking = TRUE;
  GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(self->window), question->heading, lost);
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG(dialog);
  adw_message_dialog_add_response(message, "keep", "_Keep Working");
  if (question->other) adw_message_dialog_add_response(message, "other", question->other);
  adw_message_dialog_add_response(message, "discard", question->discard);
  adw_message_dialog_set_response_appearance(message, "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response(message, "keep");
  adw_message_dialog_set_close_response(message, "keep");
  g_object_set_data_full(G_OBJECT(dialog), "question", copy, question_free);
  g_signal_connect_object(dialog, "response", G_CALLBACK(answered), self, 0);
  gtk_window_present(GTK_WINDOW(dialog));
}

/* The end */

static void close_window(GantrySession *self, gpointer data) {
  gtk_window_destroy(GTK_WINDOW(self->window));
}

/* TRUE: the window stays (for now). */
gboolean gantry_session_close_request(GantrySession *self) {
  if (!what_is_lost(self)) return FALSE;
  const GantryQuestion question = {.heading = "Close the window?", .discard = "_Close", .go_on = close_window};
  gantry_session_ask(self, &question);
  return TRUE;
}

static void worker_ended(gpointer data) {
  GantrySession *self = data;
  if (--self->workers_left > 0) return;
  g_application_release(G_APPLICATION(self->application));
  g_object_unref(self);
}

void gantry_session_shut(GantrySession *self) {
  if (self->closing) return;
  self->closing = TRUE;
  self->window = NULL;
  g_clear_handle_id(&self->debounce, g_source_remove);
  g_clear_handle_id(&self->ageing, g_source_remove);
  g_clear_handle_id(&self->progress_timer, g_source_remove);
  if (self->chooser) gtk_native_dialog_destroy(GTK_NATIVE_DIALOG(self->chooser));
  g_clear_object(&self->chooser);
  if (self->mailbox) gantry_mailbox_close(self->mailbox);
  g_application_hold(G_APPLICATION(self->application));
  g_object_ref(self);
  GantryWorker **workers[] = {&self->engine_worker, &self->planes_worker, &self->files_worker};
  self->workers_left = 1;
  for (gsize i = 0; i < G_N_ELEMENTS(workers); i++) {
    if (!*workers[i]) continue;
    self->workers_left++;
    gantry_worker_shut(g_steal_pointer(workers[i]), worker_ended, self);
  }
  worker_ended(self);
}
