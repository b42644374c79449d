/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of JSON tells all rows, one row, or how far one is. */
#include "app/session/queue.h"

#include "app/errors.h"
#include "app/json.h"
#include "app/launch.h"
#include "app/session/file-names.h"
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "ui/queue.h"
#include "ui/shown.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>

struct _GantryQueue {
  GObject parent_instance;
  GantryContext *context;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryQueueWindow *window; /* NULL: it was never shown */
  GSubprocess *process;      /* NULL: nothing runs */
  GDataInputStream *lines;
  GString *words; /* of the program's errors */
  json_t *rows;   /* as they were told last */
  gboolean cancelled;
};

G_DEFINE_FINAL_TYPE(GantryQueue, gantry_queue, G_TYPE_OBJECT)

static void gantry_queue_finalize(GObject *object) {
  GantryQueue *self = GANTRY_QUEUE(object);
  gantry_queue_stop(self);
  json_decref(self->rows);
  g_string_free(self->words, TRUE);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_queue_parent_class)->finalize(object);
}

static void gantry_queue_class_init(GantryQueueClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_queue_finalize;
}

static void gantry_queue_init(GantryQueue *self) {
  self->words = g_string_new(NULL);
}

GantryQueue *gantry_queue_new(GantryContext *context, GantryPlanEditor *editor, GantryScanSlot *slot) {
  GantryQueue *self = g_object_new(GANTRY_TYPE_QUEUE, NULL);
  self->context = gantry_context_ref(context);
  self->editor = editor;
  self->slot = slot;
  return self;
}

gboolean gantry_queue_is_running(GantryQueue *self) {
  return self->process != NULL;
}

void gantry_queue_stop(GantryQueue *self) {
  if (self->process) g_subprocess_send_signal(self->process, SIGINT);
  g_clear_object(&self->process);
  g_clear_object(&self->lines);
  if (self->window) gtk_window_destroy(GTK_WINDOW(self->window));
  self->window = NULL;
}

/* Rows */

static const char *text_of(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static GantryQueueState state_of(const json_t *row) {
  const char *state = text_of(row, "state");
  if (!g_strcmp0(state, "not begun")) return GANTRY_QUEUE_WAITS;
  if (!g_strcmp0(state, "running")) return GANTRY_QUEUE_RUNS;
  return g_strcmp0(state, "failed") && g_strcmp0(state, "interrupted") ? GANTRY_QUEUE_DONE : GANTRY_QUEUE_FAILED;
}

/* "volumes/a.mha · 12.4 s", or why it failed (g_free). */
static char *words_of(const json_t *row) {
  const char *reason = text_of(row, "reason"), *output = text_of(row, "output"), *state = text_of(row, "state");
  const json_t *seconds = json_object_get(row, "seconds");
  char time[32];
  const gsize warnings = json_array_size(json_object_get(row, "warnings"));
  if (reason) return g_strdup(reason);
  if (!g_strcmp0(state, "interrupted")) return g_strdup("cancelled; nothing was written");
  if (!g_strcmp0(state, "there")) return g_strdup_printf("%s is there already", output ? output : "");
  if (!json_is_number(seconds)) return g_strdup(output ? output : "");
  ct_format_duration(json_number_value(seconds), time, sizeof time);
  return warnings ? g_strdup_printf("%s · %s · %s", output ? output : "", time,
                                    text_of(json_array_get(json_object_get(row, "warnings"), 0), "text")
                                        ? text_of(json_array_get(json_object_get(row, "warnings"), 0), "text")
                                        : json_string_value(json_array_get(json_object_get(row, "warnings"), 0)))
                  : g_strdup_printf("%s · %s", output ? output : "", time);
}

static char *name_of(const json_t *row) {
  const char *path = text_of(row, "scan") ? text_of(row, "scan") : text_of(row, "plan");
  return path ? gantry_shown_name(path) : g_strdup("?");
}

static void show_row(GantryQueue *self, gsize index, const char *words, double part) {
  const json_t *row = json_array_get(self->rows, index);
  if (!row || !self->window) return;
  g_autofree char *name = name_of(row), *own = words_of(row);
  const GantryQueueRow shown = {name, words ? words : own, state_of(row), part};
  gantry_queue_window_set_row(self->window, index, &shown);
}

static void show_rows(GantryQueue *self) {
  const gsize count = json_array_size(self->rows);
  g_autofree GantryQueueRow *rows = g_new0(GantryQueueRow, count + 1);
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  for (gsize i = 0; i < count; i++) {
    const json_t *row = json_array_get(self->rows, i);
    char *name = name_of(row), *words = words_of(row);
    g_ptr_array_add(texts, name);
    g_ptr_array_add(texts, words);
    rows[i] = (GantryQueueRow){name, words, state_of(row), 0};
  }
  gantry_queue_window_set_rows(self->window, rows, count);
}

static void show_progress(GantryQueue *self, gsize index, const json_t *event) {
  const double done = json_number_value(json_object_get(event, "done")),
               total = json_number_value(json_object_get(event, "total"));
  const json_t *left = json_object_get(event, "remaining");
  const char *stage = text_of(event, "stage");
  char time[32] = "";
  if (json_is_number(left) && json_number_value(left) > 0.5)
    ct_format_duration(json_number_value(left), time, sizeof time);
  g_autofree char *words = g_strdup_printf("%s%s%s%s", stage, *time ? ", " : "", time, *time ? " left" : "");
  show_row(self, index, words, total > 0 ? done / total : -1);
}

static void take_line(GantryQueue *self, const char *line) {
  json_t *event = ct_json_read(line, 0, NULL, NULL), *rows = json_object_get(event, "rows");
  const gsize number = (gsize)json_integer_value(json_object_get(event, "row"));
  if (rows) {
    json_decref(self->rows);
    self->rows = json_incref(rows);
    show_rows(self);
  } else if (number >= 1 && number <= json_array_size(self->rows)) {
    if (json_object_get(event, "stage")) {
      show_progress(self, number - 1, event);
    } else {
      json_array_set(self->rows, number - 1, event);
      show_row(self, number - 1, NULL, 0);
    }
  }
  json_decref(event);
}

/* The end */

/* "3 in all: 2 done, 1 failed." (g_free) */
static char *dup_summary(GantryQueue *self) {
  guint counts[4] = {0};
  const gsize all = json_array_size(self->rows);
  for (gsize i = 0; i < all; i++) counts[state_of(json_array_get(self->rows, i))]++;
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_printf(text, "%zu in all: %u done", all, counts[GANTRY_QUEUE_DONE]);
  if (counts[GANTRY_QUEUE_FAILED]) g_string_append_printf(text, ", %u failed", counts[GANTRY_QUEUE_FAILED]);
  if (counts[GANTRY_QUEUE_WAITS]) g_string_append_printf(text, ", %u not begun", counts[GANTRY_QUEUE_WAITS]);
  g_string_append(text, self->cancelled ? ". It was cancelled." : ".");
  return g_string_free(g_steal_pointer(&text), FALSE);
}

static void ended(GantryQueue *self) {
  g_clear_object(&self->process);
  g_clear_object(&self->lines);
  if (!self->window || !self->context->window) return;
  g_autofree char *summary = json_array_size(self->rows) ? dup_summary(self) : NULL;
  /* Nothing was begun: it says why. */
  const char *colon = strstr(self->words->str, "batch: ");
  g_autofree char *why = g_strstrip(g_strdup(colon ? colon + strlen("batch: ") : self->words->str));
  gantry_queue_window_set_running(self->window, FALSE);
  gantry_queue_window_set_summary(self->window, summary ? summary : *why ? why : "The queue ended unexpectedly.");
  if (summary)
    gantry_context_toast(self->context, GANTRY_ABOUT_RUN, "_Show", "win.queue", "The queue has ended: %s", summary);
}

static void words_read(GObject *stream, GAsyncResult *answer, gpointer user) {
  GantryQueue *self = user;
  g_autoptr(GBytes) bytes = g_input_stream_read_bytes_finish(G_INPUT_STREAM(stream), answer, NULL);
  gsize length = 0;
  const char *text = bytes ? g_bytes_get_data(bytes, &length) : NULL;
  if (length) g_string_append_len(self->words, text, (gssize)length);
  ended(self);
  g_object_unref(self);
}

static void line_read(GObject *stream, GAsyncResult *answer, gpointer user) {
  GantryQueue *self = user;
  gsize length;
  g_autofree char *line = g_data_input_stream_read_line_finish(G_DATA_INPUT_STREAM(stream), answer, &length, NULL);
  const gboolean mine = self->lines == G_DATA_INPUT_STREAM(stream);
  if (mine && line && self->window) {
    take_line(self, line);
    g_data_input_stream_read_line_async(self->lines, G_PRIORITY_DEFAULT, NULL, line_read, self);
    return;
  }
  if (mine && self->process) {
    enum { MOST_WORDS = 4096 };
    g_input_stream_read_bytes_async(g_subprocess_get_stderr_pipe(self->process), MOST_WORDS, G_PRIORITY_DEFAULT, NULL,
                                    words_read, self);
    return;
  }
  g_object_unref(self);
}

/* The begin */

static void begin(GantryQueueWindow *window, GantryQueue *self) {
  g_autofree char *program = gantry_launch_find_program(), *folder = gantry_queue_window_dup_folder(window);
  g_autofree char *pattern = folder ? g_strdup_printf("%s/", folder) : NULL;
  g_auto(GStrv) paths = gantry_queue_window_dup_paths(window);
  g_autoptr(GPtrArray) words = g_ptr_array_new();
  g_autoptr(GError) error = NULL;
  if (self->process || !pattern || !paths[0]) return;
  if (!program) {
    gantry_queue_window_set_summary(window, "gantry-cli, which does the work, is not installed beside this program.");
    return;
  }
  const char *const always[] = {program, "batch", "--events", "-o", pattern};
  for (gsize i = 0; i < G_N_ELEMENTS(always); i++) g_ptr_array_add(words, (gpointer)always[i]);
  if (gantry_queue_window_skips(window)) g_ptr_array_add(words, (gpointer) "--skip");
  g_ptr_array_add(words, (gpointer) "--");
  for (char **path = paths; *path; path++) g_ptr_array_add(words, *path);
  g_ptr_array_add(words, NULL);
  self->process = g_subprocess_newv((const char *const *)words->pdata,
                                    G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  if (!self->process) {
    gantry_queue_window_set_summary(window, error->message);
    return;
  }
  json_decref(self->rows);
  self->rows = NULL;
  self->cancelled = FALSE;
  g_string_truncate(self->words, 0);
  self->lines = g_data_input_stream_new(g_subprocess_get_stdout_pipe(self->process));
  gantry_queue_window_set_running(window, TRUE);
  gantry_queue_window_set_summary(window, NULL);
  g_data_input_stream_read_line_async(self->lines, G_PRIORITY_DEFAULT, NULL, line_read, g_object_ref(self));
}

static void cancel(GantryQueueWindow *window, GantryQueue *self) {
  if (!self->process) return;
  self->cancelled = TRUE;
  g_subprocess_send_signal(self->process, SIGINT);
}

/* The open scan with its present values: a plan file, which the batch takes as such. */
static void add_plan(GantryQueueWindow *window, GantryQueue *self) {
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  if (!scan || !gantry_scan_get_file(scan)) return;
  g_autofree char *folder = g_build_filename(g_get_user_cache_dir(), "gantry", "queue", NULL);
  g_autofree char *stem = gantry_file_stem(gantry_scan_get_name(scan)),
                  *input = g_canonicalize_filename(gantry_scan_get_file(scan), NULL);
  g_autofree char *path = NULL;
  for (int number = 1; !path || g_file_test(path, G_FILE_TEST_EXISTS); number++) {
    g_free(path);
    g_autofree char *name = g_strdup_printf("%s-%d.json", stem, number);
    path = g_build_filename(folder, name, NULL);
  }
  ct_error *fault = NULL;
  const ct_identity identity = {.path = input};
  const gboolean saved = g_mkdir_with_parents(folder, 0700) == 0 &&
                         ct_plan_save(gantry_plan_editor_get(self->editor), &identity, path, &fault);
  if (saved) {
    gantry_queue_window_add(window, path);
    return;
  }
  g_autoptr(GError) error = NULL;
  if (fault) gantry_take_ct_error(&error, &fault);
  gantry_queue_window_set_summary(window, error ? error->message : g_strerror(errno));
}

void gantry_queue_show(GantryQueue *self) {
  if (!self->context->window) return;
  if (!self->window) {
    self->window = GANTRY_QUEUE_WINDOW(gantry_queue_window_new(GTK_WINDOW(self->context->window)));
    g_signal_connect_object(self->window, "begin", G_CALLBACK(begin), self, 0);
    g_signal_connect_object(self->window, "cancel", G_CALLBACK(cancel), self, 0);
    g_signal_connect_object(self->window, "add-plan", G_CALLBACK(add_plan), self, 0);
  }
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  gantry_queue_window_set_can_add_plan(self->window, scan && gantry_scan_get_file(scan));
  gtk_window_present(GTK_WINDOW(self->window));
}
