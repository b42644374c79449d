/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan names the input that it was made with; it may be used on another one, which is said. */
#include "app/session/plan-files.h"

#include "app/errors.h"
#include "app/tasks.h"
#include "recon/solve/plan.h"
#include "ui/shown.h"

struct _GantryPlanFiles {
  GObject parent_instance;
  GantryPlanFilesParts with;
  char *plan, *scan; /* NULL: none, unknown */
  char *next;        /* asked for while a scan is being opened or closed, and taken after it; or NULL */
  guint mark;        /* of the window's messages, when the newest plan was taken */
};

G_DEFINE_FINAL_TYPE(GantryPlanFiles, gantry_plan_files, G_TYPE_OBJECT)

static void gantry_plan_files_finalize(GObject *object) {
  GantryPlanFiles *self = GANTRY_PLAN_FILES(object);
  gantry_plan_files_forget(self);
  g_free(self->next);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_plan_files_parent_class)->finalize(object);
}

static void gantry_plan_files_class_init(GantryPlanFilesClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_plan_files_finalize;
}

static void gantry_plan_files_init(GantryPlanFiles *self) {}

static void load_next(GantryPlanFiles *self);

GantryPlanFiles *gantry_plan_files_new(const GantryPlanFilesParts *parts) {
  GantryPlanFiles *self = g_object_new(GANTRY_TYPE_PLAN_FILES, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  g_signal_connect_object(parts->slot, "loaded", G_CALLBACK(load_next), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  return self;
}

void gantry_plan_files_forget(GantryPlanFiles *self) {
  g_clear_pointer(&self->plan, g_free);
  g_clear_pointer(&self->scan, g_free);
}

/* A plan without a scan */

/* Where the plan's scan is: as the plan says, seen from the plan where that is relative, or beside it. NULL: nowhere.
 */
static char *find_scan(const char *plan, const char *input) {
  g_autofree char *folder = g_path_get_dirname(plan), *base = g_path_get_basename(input);
  g_autofree char *told = g_canonicalize_filename(input, folder), *beside = g_build_filename(folder, base, NULL);
  return ct_scan_is_there(told) ? g_steal_pointer(&told) : ct_scan_is_there(beside) ? g_steal_pointer(&beside) : NULL;
}

static void offer_scan(GantryPlanFiles *self) {
  gantry_window_offer_remedy(self->with.context->window, self->scan ? "Open Its _Scan" : "_Choose a Scan…",
                             "Open a scan with the values of the plan", "win.open-plan-scan");
  gantry_context_changed(self->with.context);
}

/* input: where the plan's scan was, or NULL. */
static void ask_for_scan(GantryPlanFiles *self, const char *path, const char *input) {
  g_autofree char *name = gantry_shown_name(path);
  g_autofree char *scan = input ? gantry_shown(input) : NULL;
  char *found = input ? find_scan(path, input) : NULL;
  g_autofree char *place = found ? gantry_shown(found) : NULL;
  g_autofree char *text =
      found ? g_strdup_printf("%s is a plan: it tells how a scan is reconstructed. Its scan is %s.", name, place)
      : input
          ? g_strdup_printf("%s is a plan: it tells how a scan is reconstructed. Its scan, %s, is not there any "
                            "more: choose where it is now, or another scan.",
                            name, scan)
          : g_strdup_printf("%s is a plan: it tells how a scan is reconstructed. Choose the scan to use it on.", name);
  gantry_plan_files_forget(self);
  self->plan = g_strdup(path);
  self->scan = found;
  gantry_window_show_notice(self->with.context->window, text);
  offer_scan(self);
}

gboolean gantry_plan_files_can_open_scan(GantryPlanFiles *self) {
  return self->plan && !gantry_scan_slot_get(self->with.slot) && gantry_jobs_is_idle(self->with.jobs);
}

static void scan_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantryPlanFiles *self = data;
  g_autofree char *path = gantry_dialogs_end_with_path(self->with.dialogs, dialog, response);
  if (path && gantry_plan_files_can_open_scan(self)) gantry_scan_slot_load(self->with.slot, path, NULL, self->plan);
}

void gantry_plan_files_open_scan(GantryPlanFiles *self) {
  if (!gantry_plan_files_can_open_scan(self) || gantry_dialogs_is_open(self->with.dialogs)) return;
  if (self->scan) {
    gantry_scan_slot_load(self->with.slot, self->scan, NULL, self->plan);
    return;
  }
  gantry_dialogs_begin(self->with.dialogs, "Choose the Scan of the Plan", GTK_FILE_CHOOSER_ACTION_OPEN, "_Open",
                       G_CALLBACK(scan_chosen), self);
  gantry_dialogs_show(self->with.dialogs);
}

/* Its values */

static void identified(gpointer owner, GantryTask *task) {
  GantryPlanFiles *self = owner;
  const GantryIdentifyTask *identify = (const GantryIdentifyTask *)task;
  if (task->dropped || !self->with.context->window || !identify->note) return;
  if (identify->scan != gantry_scan_slot_get(self->with.slot)) return;
  g_autofree char *note = g_utf8_make_valid(identify->note, -1);
  /* An error is not hidden by what is none. */
  if (gantry_banner_is_free(self->with.banner))
    gantry_window_show_outcome(self->with.context->window, self->mark, &(GantryWarning){.text = note});
  else
    gantry_context_toast(self->with.context, GANTRY_ABOUT_PLAN, NULL, NULL, "%s", note);
}

/* Takes what *input owns. */
static void take_values(GantryPlanFiles *self, const ct_plan *plan, ct_identity *input, const char *path) {
  GantryContext *context = self->with.context;
  g_autofree char *name = gantry_shown_name(path);
  gantry_window_clear_error(context->window);
  self->mark = gantry_window_get_message_mark(context->window);
  gantry_jobs_set_searching(self->with.jobs, FALSE);
  gantry_plan_editor_take(self->with.editor, plan, NULL);
  gantry_context_toast(context, GANTRY_ABOUT_PLAN, "_Undo", "win.undo", "Values taken from %s", name);
  GantryIdentifyTask *task =
      gantry_identify_task_new(G_OBJECT(self), identified, gantry_scan_slot_get(self->with.slot), input, name);
  gantry_worker_push(context->files_worker, (GantryTask *)task);
}

static void load(GantryPlanFiles *self, const char *path) {
  ct_plan plan;
  ct_plan_init(&plan);
  ct_identity input = {0};
  ct_error *reason = NULL;
  if (!ct_plan_load(&plan, &input, path, &reason)) {
    g_autoptr(GError) error = NULL;
    gantry_take_ct_error(&error, &reason);
    gantry_context_show_error(self->with.context, error);
  } else if (gantry_scan_slot_get(self->with.slot)) {
    take_values(self, &plan, &input, path);
  } else {
    ask_for_scan(self, path, input.path);
    ct_identity_clear(&input);
  }
}

/* The scan that comes would begin with values of its own. */
void gantry_plan_files_load(GantryPlanFiles *self, const char *path) {
  if (gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_LOAD) {
    g_free(self->next);
    self->next = g_strdup(path);
  } else {
    load(self, path);
  }
}

static void load_next(GantryPlanFiles *self) {
  g_autofree char *path = self->with.context->window ? g_steal_pointer(&self->next) : NULL;
  if (path) gantry_plan_files_load(self, path);
}

void gantry_plan_files_scan_loaded(GantryPlanFiles *self, const char *plan, const GError *error) {
  if (!error || gantry_error_is_cancelled(error)) {
    gantry_plan_files_load(self, plan);
  } else if (!gantry_scan_slot_get(self->with.slot)) {
    gantry_plan_files_forget(self);
    self->plan = g_strdup(plan);
    offer_scan(self);
  }
}

static void file_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantryPlanFiles *self = data;
  g_autofree char *path = gantry_dialogs_end_with_path(self->with.dialogs, dialog, response);
  if (path) gantry_plan_files_load(self, path);
}

void gantry_plan_files_choose(GantryPlanFiles *self) {
  if (!gantry_scan_slot_get(self->with.slot) || gantry_dialogs_is_open(self->with.dialogs)) return;
  gantry_dialogs_begin(self->with.dialogs, "Load a Plan", GTK_FILE_CHOOSER_ACTION_OPEN, "_Load",
                       G_CALLBACK(file_chosen), self);
  gantry_dialogs_add_filter(self->with.dialogs, "Plans", "json");
  gantry_dialogs_show(self->with.dialogs);
}
