/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking comes before asking: nobody is asked to give up work for a file that cannot be opened. */
#include "app/session/opening-private.h"

#include "app/session-file.h"
#include "app/errors.h"
#include "app/session/source-memory.h"
#include "app/tasks-source.h"
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "recon/io/raw-told.h"
#include "ui/shown.h"
#include "ui/source-dialog.h"

#include <string.h>

/* What follows: the path, or it and the description that was allowed. */
#define DESCRIBE_RAW "win.describe-raw"
#define READ_ELSEWHERE "win.read-elsewhere"

G_DEFINE_FINAL_TYPE(GantryOpening, gantry_opening, G_TYPE_OBJECT)

static void is_unclear(GantryScanSlot *slot, GantryLoadTask *load, GantryOpening *self);
static void is_refused(GantryScanSlot *slot, GantryLoadTask *load, GantryOpening *self);
static void forget_seen(GantryOpening *self);

static guint elsewhere_signal, volume_signal, session_signal;

static void gantry_opening_finalize(GObject *object) {
  GantryOpening *self = GANTRY_OPENING(object);
  if (self->source) g_object_remove_weak_pointer(G_OBJECT(self->source), (gpointer *)&self->source);
  forget_seen(self);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_opening_parent_class)->finalize(object);
}

static void gantry_opening_class_init(GantryOpeningClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_opening_finalize;
  elsewhere_signal = g_signal_new("elsewhere", GANTRY_TYPE_OPENING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  2, G_TYPE_STRING, G_TYPE_POINTER);
  volume_signal = g_signal_new("volume", GANTRY_TYPE_OPENING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_STRING);
  session_signal = g_signal_new("session", GANTRY_TYPE_OPENING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
}

static void gantry_opening_init(GantryOpening *self) {}

GantryOpening *gantry_opening_new(const GantryOpeningParts *parts) {
  GantryOpening *self = g_object_new(GANTRY_TYPE_OPENING, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  g_signal_connect_object(parts->slot, "unclear", G_CALLBACK(is_unclear), self, 0);
  g_signal_connect_object(parts->slot, "refused", G_CALLBACK(is_refused), self, 0);
  return self;
}

/* Asking, where work would be lost */

typedef struct {
  char *path;         /* NULL: the built-in example */
  GantryScan *opened; /* NULL: not yet */
} Choice;

static void choice_free(gpointer data) {
  Choice *choice = data;
  g_free(choice->path);
  g_clear_pointer(&choice->opened, gantry_scan_unref);
  g_free(choice);
}

static void load_here(gpointer owner, gpointer data) {
  GantryOpening *self = owner;
  const Choice *choice = data;
  gantry_jobs_cancel(self->with.jobs);
  gantry_scan_slot_load(self->with.slot, choice->path, choice->opened, NULL);
}

static void load_elsewhere(gpointer owner, gpointer data) {
  const Choice *choice = data;
  g_signal_emit(owner, elsewhere_signal, 0, choice->path, choice->opened);
}

static void load_or_ask(GantryOpening *self, const char *path, GantryScan *opened) {
  Choice *choice = g_new(Choice, 1);
  *choice = (Choice){g_strdup(path), opened ? gantry_scan_ref(opened) : NULL};
  const GantryQuestion question = {.heading = "Open another scan?",
                                   .discard = "_Open Here",
                                   .other = "Open in _New Window",
                                   .go_on = load_here,
                                   .instead = load_elsewhere,
                                   .owner = self,
                                   .data = choice,
                                   .destroy = choice_free};
  gantry_questions_ask(self->with.questions, &question);
}

static void close_here(gpointer owner, gpointer data) {
  gantry_scan_slot_close(GANTRY_OPENING(owner)->with.slot);
}

void gantry_opening_close(GantryOpening *self) {
  if (!gantry_scan_slot_get(self->with.slot)) return;
  const GantryQuestion question = {
      .heading = "Close this scan?", .discard = "_Close Scan", .go_on = close_here, .owner = self};
  gantry_questions_ask(self->with.questions, &question);
}

/* Telling what of a file is the scan */

static void begin_look(GantryOpening *self, const char *path, const char *description, gboolean lists);

static void source_chosen(GantrySourceDialog *dialog, const ct_scan_told *told, GantryOpening *self) {
  const char *path = g_object_get_data(G_OBJECT(dialog), "path");
  ct_error *fault = NULL;
  g_autofree char *fields = gantry_source_dialog_get_told(dialog);
  /* A folder that cannot be remembered is no reason not to open. */
  if (*fields) gantry_source_memory_put(path, fields, NULL);
  char *description = ct_scan_tell(path, NULL, told, &fault);
  if (description) {
    begin_look(self, path, description, FALSE);
  } else {
    g_autoptr(GError) error = NULL;
    gantry_take_ct_error(&error, &fault);
    gantry_context_show_error(self->with.context, error);
  }
  ct_free(description);
}

static void preset_saved(GantrySourceDialog *dialog, const char *name, GantryOpening *self) {
  g_autofree char *fields = gantry_source_dialog_get_told(dialog);
  g_autoptr(GError) error = NULL;
  if (gantry_source_memory_put_preset(name, fields, &error))
    gantry_source_dialog_put_preset(dialog, name, fields);
  else
    gantry_context_show_error(self->with.context, error);
}

static void preset_removed(GantrySourceDialog *dialog, const char *name, GantryOpening *self) {
  g_autoptr(GError) error = NULL;
  if (gantry_source_memory_remove_preset(name, &error))
    gantry_source_dialog_forget_preset(dialog, name);
  else
    gantry_context_show_error(self->with.context, error);
}

/* Seeing a frame of it */

static void forget_seen(GantryOpening *self) {
  g_clear_pointer(&self->seen, gantry_scan_unref);
  g_clear_pointer(&self->seen_as, g_free);
}

static void frame_seen(gpointer owner, GantryTask *task) {
  GantryOpening *self = owner;
  GantrySourceTask *look = (GantrySourceTask *)task;
  if (!self->source || task->dropped || task->generation != self->looks) return;
  forget_seen(self);
  self->seen = g_steal_pointer(&look->scan);
  self->seen_as = g_strdup(look->description);
  gantry_source_dialog_show_frame(self->source, &look->seen);
}

static void source_looks(GantrySourceDialog *dialog, const ct_scan_told *told, GantryOpening *self) {
  const char *path = g_object_get_data(G_OBJECT(dialog), "path");
  ct_error *fault = NULL;
  char *description = self->with.context->window ? ct_scan_tell(path, NULL, told, &fault) : NULL;
  if (description) {
    GantrySourceTask *task = gantry_source_task_new(G_OBJECT(self), frame_seen, path, description,
                                                    g_strcmp0(description, self->seen_as) == 0 ? self->seen : NULL);
    task->index = gantry_source_dialog_get_frame(dialog);
    task->work.task.generation = ++self->looks;
    gantry_worker_push(self->with.context->files_worker, (GantryTask *)task);
  } else if (fault) {
    g_autoptr(GError) error = NULL;
    gantry_take_ct_error(&error, &fault);
    g_autofree char *why = gantry_error_sentence(error);
    self->looks++;
    gantry_source_dialog_show_no_frame(dialog, why);
  }
  ct_free(description);
}

static void source_gone(GantryOpening *self) {
  if (self->with.context->window) gantry_worker_cancel_slot(self->with.context->files_worker, GANTRY_SLOT_SOURCE);
  self->looks++;
  forget_seen(self);
}

/* The dialog */

typedef struct {
  const char *path;
  const ct_dataset_list *datasets;
  const GError *error; /* of the file that could not be opened as it is; else NULL */
  gboolean raw, lists, described;
  const char *told; /* by the header of a raw file, as lines of "key=value"; or NULL */
} Source;

/* What the dialog begins with; the command line's way to tell it is not the window's. */
static char *question_of(const Source *source, const char *name) {
  if (source->raw && !source->described && source->told)
    return g_strdup_printf("%s is read as raw samples, stored as its header tells: look whether the frame is right.",
                           name);
  if (source->raw && !source->described)
    return g_strdup_printf("%s does not tell what it holds: say how its samples are stored.", name);
  g_autofree char *why = gantry_error_sentence(source->error);
  char *how = strstr(why, " Say which:");
  if (how) *how = 0;
  if (source->lists || !source->datasets->count) return g_steal_pointer(&why);
  return g_strdup_printf("None of the arrays in the file is known to be the scan: choose the one that holds the "
                         "projections.\n\n%s",
                         why);
}

static void show_dialog(GantryOpening *self, const char *path, const GantrySourceRequest *request) {
  self->source = gantry_source_dialog_new(GTK_WINDOW(self->with.context->window), request);
  g_object_add_weak_pointer(G_OBJECT(self->source), (gpointer *)&self->source);
  g_object_set_data_full(G_OBJECT(self->source), "path", g_strdup(path), g_free);
  g_signal_connect_object(self->source, "chosen", G_CALLBACK(source_chosen), self, 0);
  g_signal_connect_object(self->source, "preset-saved", G_CALLBACK(preset_saved), self, 0);
  g_signal_connect_object(self->source, "preset-removed", G_CALLBACK(preset_removed), self, 0);
  g_signal_connect_object(self->source, "looks", G_CALLBACK(source_looks), self, 0);
  g_signal_connect_object(self->source, "destroy", G_CALLBACK(source_gone), self, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(self->source));
}

/* One dialog at a time. */
static void ask(GantryOpening *self, const Source *source) {
  if (self->source || !self->with.context->window || !source->path) return;
  g_autofree char *name = gantry_shown_name(source->path), *memory = gantry_source_memory_get(source->path),
                  *told = source->told ? g_strconcat(memory ? memory : "", "\n", source->told, NULL)
                                       : g_steal_pointer(&memory);
  g_auto(GStrv) presets = gantry_source_memory_list_presets();
  guint64 bytes = 0;
  g_autoptr(GFile) file = source->raw ? g_file_new_for_path(source->path) : NULL;
  g_autoptr(GFileInfo) info =
      file ? g_file_query_info(file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL) : NULL;
  if (info) bytes = (guint64)g_file_info_get_size(info);
  g_autofree char *why = question_of(source, name);
  const ct_scan_facts *facts = source->lists ? gantry_scan_slot_get_facts(self->with.slot) : NULL;
  const GantrySourceRequest request = {.name = name,
                                       .why = why,
                                       .datasets = source->datasets,
                                       .layout = facts                     ? facts->layout
                                                 : source->raw             ? CT_LAYOUT_PROJECTIONS
                                                 : source->datasets->count ? CT_LAYOUT_UNKNOWN
                                                                           : CT_LAYOUT_SINOGRAMS,
                                       .raw = source->raw,
                                       .bytes = bytes,
                                       .presets = (const char *const *)presets,
                                       .told = told};
  show_dialog(self, source->path, &request);
}

/* What a header tells of this file goes before what was told of others in its folder. */
static void ask_source(GantryOpening *self, const Source *source) {
  Source whole = *source;
  char *told = source->raw && !source->described ? ct_raw_told(source->path) : NULL;
  whole.told = told;
  ask(self, &whole);
  ct_free(told);
}

static void ask_source_of(GantryOpening *self, const GantryLoadTask *load) {
  /* What is open and could be raw was told to be. */
  const Source source = {.path = load->path,
                         .datasets = &load->datasets,
                         .error = load->work.error,
                         .raw = load->path && (load->lists ? ct_scan_could_be_raw : ct_scan_is_raw)(load->path),
                         .lists = load->lists,
                         .described = load->description != NULL};
  ask_source(self, &source);
}

static char *describe_action(const char *path) {
  return g_action_print_detailed_name(DESCRIBE_RAW, g_variant_new_string(path));
}

static char *elsewhere_action(const char *path, const char *description) {
  return g_action_print_detailed_name(READ_ELSEWHERE, g_variant_new("(ss)", path, description));
}

/* Why the file cannot be opened, and what can be done about it. The commands say of which file they are: what is told
 * stays on screen while others are tried. */
static void tell_refusal(GantryOpening *self, const GantryLoadTask *load) {
  if (load->allowed) {
    g_autofree char *action = elsewhere_action(load->path, load->allowed);
    gantry_context_ask_elsewhere(self->with.context, load->work.error, action);
    return;
  }
  gantry_context_show_error(self->with.context, load->work.error);
  if (!load->raw || !load->path) return;
  g_autofree char *action = describe_action(load->path);
  gantry_window_offer_remedy(self->with.context->window, "Describe as _Raw…",
                             "Tell how the samples are stored in the file, and see whether it is right", action);
}

void gantry_opening_allow(GantryOpening *self, const char *path, const char *description) {
  g_autofree char *action = elsewhere_action(path, description);
  begin_look(self, path, description, FALSE);
  gantry_window_end_question(self->with.context->window, action);
}

void gantry_opening_describe(GantryOpening *self, const char *path) {
  const ct_dataset_list none = {0};
  const Source source = {.path = path, .datasets = &none, .raw = TRUE};
  ask_source(self, &source);
}

static void is_refused(GantryScanSlot *slot, GantryLoadTask *load, GantryOpening *self) {
  tell_refusal(self, load);
}

static void is_unclear(GantryScanSlot *slot, GantryLoadTask *load, GantryOpening *self) {
  ask_source_of(self, load);
}

void gantry_opening_ask_source(GantryOpening *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  if (scan && !gantry_scan_get_simulation(scan)) begin_look(self, gantry_scan_get_facts(scan)->path, NULL, TRUE);
}

/* Looking */

static gboolean is_asked_something(GantryOpening *self, const char *path) {
  if (!gantry_questions_is_asking(self->with.questions)) return FALSE;
  g_autofree char *name = gantry_shown_name(path);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_FILE, NULL, NULL,
                       "%s was not opened: answer the question first, then open it again.", name);
  return TRUE;
}

static void looked(gpointer owner, GantryTask *task) {
  GantryOpening *self = owner;
  const GantryLoadTask *look = (const GantryLoadTask *)task;
  if (!gantry_jobs_take(self->with.jobs, GANTRY_WATCH_LOOK, task)) return;
  if (!self->with.context->window || task->dropped) return;
  if (look->unclear) {
    ask_source_of(self, look);
  } else if (!look->scan) {
    tell_refusal(self, look);
  } else if (!is_asked_something(self, look->path)) {
    load_or_ask(self, look->path, look->scan);
  }
}

/* What is unsaved, or runs, goes on meanwhile. The newest choice counts. */
static void begin_look(GantryOpening *self, const char *path, const char *description, gboolean lists) {
  GantryLoadTask *task = gantry_load_task_new(G_OBJECT(self), looked, NULL, path);
  task->description = g_strdup(description);
  task->lists = lists;
  /* What was said of another file is over; why there is no preview or no run is not. */
  gantry_banner_make_room(self->with.banner);
  gantry_jobs_drop(self->with.jobs, GANTRY_WATCH_LOOK);
  gantry_jobs_watch(self->with.jobs, GANTRY_WATCH_LOOK, (GantryTask *)task, task->path,
                    self->with.context->files_worker);
}

void gantry_opening_open_example(GantryOpening *self) {
  load_or_ask(self, NULL, NULL);
}

static void open_content(GantryOpening *self, const char *path, ct_content content) {
  if (content == CT_CONTENT_VOLUME) {
    g_signal_emit(self, volume_signal, 0, path);
  } else if (gantry_questions_would_lose(self->with.questions)) {
    begin_look(self, path, NULL, FALSE);
  } else {
    load_or_ask(self, path, NULL);
  }
}

static void content_known(gpointer owner, GantryTask *task) {
  GantryOpening *self = owner;
  const GantryContentTask *known = (const GantryContentTask *)task;
  if (!gantry_jobs_take(self->with.jobs, GANTRY_WATCH_LOOK, task)) return;
  if (!self->with.context->window || task->dropped || ct_job_requested(task->job) == CT_JOB_CANCEL) return;
  if (!is_asked_something(self, known->path)) open_content(self, known->path, known->content);
}

/* By what it is. waits: for that, while the window goes on. */
static void open_file(GantryOpening *self, GFile *file, gboolean waits) {
  g_autofree char *path = g_file_get_path(file);
  if (!path) {
    g_autofree char *name = g_file_get_parse_name(file);
    g_autofree char *text =
        g_strdup_printf("%s is not on this computer: copy it here first, then open the copy.", name);
    gantry_window_show_error(self->with.context->window, text);
  } else if (gantry_session_file_is(path)) {
    g_signal_emit(self, session_signal, 0, path);
  } else if (ct_plan_is_file(path)) {
    gantry_plan_files_load(self->with.plans, path);
  } else if (waits) {
    GantryContentTask *task = gantry_content_task_new(G_OBJECT(self), content_known, path);
    gantry_jobs_drop(self->with.jobs, GANTRY_WATCH_LOOK);
    gantry_jobs_watch(self->with.jobs, GANTRY_WATCH_LOOK, (GantryTask *)task, task->path,
                      self->with.context->planes_worker);
  } else {
    open_content(self, path, ct_path_content(path, NULL));
  }
}

void gantry_opening_open(GantryOpening *self, GFile *file) {
  open_file(self, file, TRUE);
}

void gantry_opening_open_at_once(GantryOpening *self, GFile *file) {
  open_file(self, file, FALSE);
}
