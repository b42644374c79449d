/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a session, step by step, each begun when the one before is answered: the scan, its plan and panels, the
 * results one after another, A and B, and when A's pictures are there, what hangs on them. What cannot be opened is
 * told in one message at the end, and the rest is opened. */
#include "app/session/workspace-private.h"

#include "app/marks-json.h"
#include "app/errors.h"
#include "app/session/recent.h"
#include "app/tasks.h"
#include "recon/base/memory.h"
#include "ui/shown.h"
#include "ui/window/arrangement.h"

#include <string.h>

/* What went wrong */

static void report(GantryWorkspace *self, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void report(GantryWorkspace *self, const char *format, ...) {
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  g_ptr_array_add(self->report, g_utf8_make_valid(text, -1));
}

static void show_report(GantryWorkspace *self) {
  enum { MOST = 4 };
  GantryWindow *window = self->with.context->window;
  if (!self->report->len) {
    g_autofree char *name = gantry_shown_name(self->source);
    if (self->autosaved)
      gantry_context_toast(self->with.context, GANTRY_ABOUT_FILE, NULL, NULL, "The session is as it was.");
    else
      gantry_context_toast(self->with.context, GANTRY_ABOUT_FILE, NULL, NULL, "Opened the session %s", name);
    return;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint i = 0; i < self->report->len && i < MOST; i++)
    g_string_append_printf(text, "%s%s", i ? " " : "", (const char *)self->report->pdata[i]);
  if (self->report->len > MOST) g_string_append_printf(text, " And %u more of this kind.", self->report->len - MOST);
  GantryWarning notice = {.text = text->str};
  if (self->lost.scan) {
    notice.label = "_Choose the Scan…";
    notice.tip = "Open the session with its scan from another place";
    notice.action_name = "win.locate-scan";
  }
  gantry_window_show_outcome(window, self->mark, &notice);
}

/* It could not be opened: it is told again when the session is saved. */
static void keep_result(GantryWorkspace *self, gsize index) {
  gantry_session_result *all = ct_alloc_zero(self->lost.count + 1, sizeof *all, "results", NULL);
  if (!all) return;
  if (self->lost.count) memcpy(all, self->lost.results, self->lost.count * sizeof *all);
  ct_free(self->lost.results);
  self->lost.results = all;
  all[self->lost.count++] = self->file.results[index];
  self->file.results[index] = (gantry_session_result){0};
}

/* Something else was opened meanwhile. */
static void give_up(GantryWorkspace *self) {
  gantry_workspace_end_opening(self);
  gantry_workspace_forget(self);
}

/* A's picture of the middle of things is there, of the result that is to be A. */
static gboolean pictures_are_there(GantryWorkspace *self) {
  const GantrySource source = gantry_slices_get_source(self->with.slices);
  const GantryImage *image = gantry_pictures_get(self->with.pictures, GANTRY_A, GANTRY_VIEW_AXIAL);
  if (self->a && (source != GANTRY_SOURCE_VOLUME || gantry_shelf_get_a(self->with.shelf) != self->a)) return FALSE;
  return image && image->generation == gantry_pictures_get_generation(self->with.pictures, GANTRY_A);
}

static void arrange_views(GantryWorkspace *self) {
  if (self->stage != GANTRY_OPENS_VIEWS || !self->with.context->window || !pictures_are_there(self)) return;
  g_autoptr(GVariant) view = g_steal_pointer(&self->view);
  gantry_workspace_end_opening(self);
  gantry_window_arrange_views(self->with.context->window, view);
  g_signal_emit_by_name(self, "opened");
}

static void arrived(GantryPictures *pictures, gboolean of_a, GantryWorkspace *self) {
  if (of_a) arrange_views(self);
}

/* A and B */

static void a_brought(gpointer user, GantryEntry *entry) {
  GantryWorkspace *self = user;
  if (!self->with.context->window) return;
  if (gantry_scan_slot_get(self->with.slot))
    gantry_slices_show_entry(self->with.slices, entry);
  else
    g_signal_emit_by_name(self, "alone", entry);
}

static void b_brought(gpointer user, GantryEntry *entry) {
  GantryWorkspace *self = user;
  if (self->with.context->window) gantry_reference_set_entry(self->with.reference, entry);
}

static void choose_b(GantryWorkspace *self) {
  ct_plan plan;
  ct_plan_init(&plan);
  if (self->b)
    gantry_shelf_store_bring(self->with.store, self->b, b_brought, self);
  else if (self->file.reference && ct_plan_from_json(&plan, NULL, self->file.reference, NULL))
    gantry_reference_set_plan(self->with.reference, &plan);
}

static void choose_sides(GantryWorkspace *self) {
  const gboolean alone = !gantry_scan_slot_get(self->with.slot);
  if (!self->a && alone && gantry_shelf_count(self->with.shelf))
    g_set_weak_pointer(&self->a, gantry_shelf_get(self->with.shelf, 0));
  if (self->a) gantry_shelf_store_bring(self->with.store, self->a, a_brought, self);
  choose_b(self);
  gantry_context_changed(self->with.context);
}

/* Those that cannot be read go back into the file as they are. */
static void take_regions(GantryWorkspace *self) {
  ct_error *error = NULL;
  if (gantry_marks_from_json(gantry_window_get_display(self->with.context->window), self->file.regions, &error)) return;
  report(self, "Its regions are left out: %s", error->message);
  ct_error_clear(&error);
  self->lost.regions = g_steal_pointer(&self->file.regions);
}

static void take_leftovers(GantryWorkspace *self) {
  const gboolean lacks_scan = self->file.has_scan && !gantry_scan_slot_get(self->with.slot);
  for (gsize i = 0; i < self->file.note_count; i++) report(self, "%s", self->file.notes[i]);
  take_regions(self);
  if (!lacks_scan) return;
  self->lost.scan = g_steal_pointer(&self->file.scan);
  self->lost.description = g_steal_pointer(&self->file.description);
  self->lost.plan = g_steal_pointer(&self->file.plan);
  self->lost.title = g_steal_pointer(&self->file.title);
}

static void results_are_read(GantryWorkspace *self) {
  self->stage = GANTRY_OPENS_VIEWS;
  take_leftovers(self);
  choose_sides(self);
  show_report(self);
  arrange_views(self);
}

/* Results */

static void read_next(GantryWorkspace *self);

/* Its facts come from the session; a header that the volume's format does not keep, too. */
static GantryResult *make_result(GantryWorkspace *self, const gantry_session_result *told, GantryResult *read) {
  ct_plan plan;
  ct_plan_init(&plan);
  if (told->record && !ct_volume_get_plan(read->volume)) ct_volume_set_plan(read->volume, told->record, NULL);
  if (!told->made || !told->plan || !ct_plan_from_json(&plan, NULL, told->plan, NULL)) return read;
  read->plan = plan;
  read->views = told->views;
  read->views_all = told->views_all;
  read->seconds = told->seconds;
  read->gups = told->gups;
  /* Its curve is not kept, nor is what a run would go on from. */
  read->iterations = told->iterations;
  /* Without its scan it is a volume that was opened, and told as what it was when the session is saved again. */
  if (gantry_scan_slot_get(self->with.slot)) g_clear_pointer(&read->file, g_free);
  return read;
}

static void put_on_shelf(GantryWorkspace *self, const gantry_session_result *told, GantryResult *result) {
  GantryShelf *shelf = self->with.shelf;
  GantryEntry *entry = gantry_shelf_add(shelf, result);
  gantry_entry_set_saved(entry);
  if (told->path && !told->phantom) gantry_entry_set_source(entry, told->path);
  if (told->name) gantry_shelf_rename(shelf, entry, told->name);
  if (told->pinned) gantry_shelf_pin(shelf, entry, TRUE);
  if (told->ticked) gantry_shelf_tick(shelf, entry, TRUE);
  if (told->is_a) g_set_weak_pointer(&self->a, entry);
  if (told->is_b) g_set_weak_pointer(&self->b, entry);
}

/* Whether it goes on with the next. */
static gboolean result_answered(GantryWorkspace *self, GantryTask *task) {
  if (!gantry_jobs_take(self->with.jobs, GANTRY_WATCH_SESSION, task)) return FALSE;
  if (!self->with.context->window || task->dropped || self->stage != GANTRY_OPENS_RESULTS) return FALSE;
  return TRUE;
}

static void take_result(GantryWorkspace *self, GantryResult **result, const GError *error) {
  const gsize index = self->next++;
  const gantry_session_result *told = &self->file.results[index];
  if (*result && told->place == GANTRY_PLACE_CHANGED)
    report(self, "%s has changed since the session was saved.", told->path);
  if (*result) {
    put_on_shelf(self, told, make_result(self, told, g_steal_pointer(result)));
  } else {
    g_autofree char *sentence = error ? gantry_error_sentence(error) : g_strdup("It cannot be read.");
    const gboolean asks = g_error_matches(error, GANTRY_ERROR, CT_ERROR_ELSEWHERE);
    report(self, "%s%s", sentence, asks ? " Open it by itself to be asked." : "");
    keep_result(self, index);
  }
  read_next(self);
}

static void volume_read(gpointer owner, GantryTask *task) {
  GantryReadTask *read = (GantryReadTask *)task;
  if (result_answered(owner, task)) take_result(owner, &read->result, read->work.error);
}

static void truth_made(gpointer owner, GantryTask *task) {
  GantryTruthTask *truth = (GantryTruthTask *)task;
  if (result_answered(owner, task)) take_result(owner, &truth->result, truth->work.error);
}

/* Nothing can be read of it. */
static void pass_over(GantryWorkspace *self, const gantry_session_result *told) {
  if (told->place == GANTRY_PLACE_MISSING)
    report(self, "The volume %s is not there any more.", told->path);
  else if (told->made)
    report(self, "The result “%s” had not been saved: it can be made again with the values of the session.",
           told->title ? told->title : "without a name");
  keep_result(self, self->next++);
}

static gboolean is_example(GantryWorkspace *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  return scan && gantry_scan_is_example(scan);
}

static void read_next(GantryWorkspace *self) {
  GantryWorker *worker = self->with.context->files_worker;
  while (self->next < self->file.count) {
    const gantry_session_result *told = &self->file.results[self->next];
    if (told->phantom && is_example(self)) {
      GantryTruthTask *task =
          gantry_truth_task_new(G_OBJECT(self), truth_made, gantry_scan_slot_get(self->with.slot), &told->grid);
      gantry_jobs_watch(self->with.jobs, GANTRY_WATCH_SESSION, (GantryTask *)task, NULL, worker);
      return;
    }
    if (told->place == GANTRY_PLACE_THERE || told->place == GANTRY_PLACE_CHANGED) {
      GantryReadTask *task = gantry_read_task_new(G_OBJECT(self), volume_read, told->path);
      gantry_jobs_watch(self->with.jobs, GANTRY_WATCH_SESSION, (GantryTask *)task, task->path, worker);
      return;
    }
    pass_over(self, told);
  }
  results_are_read(self);
}

static void begin_results(GantryWorkspace *self) {
  self->stage = GANTRY_OPENS_RESULTS;
  gantry_shelf_empty(self->with.shelf);
  gantry_window_arrange(self->with.context->window, self->view);
  read_next(self);
}

/* The scan */

static void identified(gpointer owner, GantryTask *task) {
  GantryWorkspace *self = owner;
  const GantryIdentifyTask *identify = (const GantryIdentifyTask *)task;
  if (task->dropped || !identify->note || self->stage != GANTRY_OPENS_RESULTS) return;
  if (identify->scan == gantry_scan_slot_get(self->with.slot)) report(self, "%s", identify->note);
}

/* The answer comes before those of the results, which the same worker reads. */
static void take_plan(GantryWorkspace *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  ct_plan plan;
  ct_plan_init(&plan);
  ct_identity told = {0};
  ct_error *fault = NULL;
  if (!self->file.plan) return;
  if (ct_plan_from_json(&plan, &told, self->file.plan, &fault)) {
    gantry_plan_editor_take(self->with.editor, &plan, NULL);
    GantryIdentifyTask *task = gantry_identify_task_new(G_OBJECT(self), identified, scan, &told, "The session");
    gantry_worker_push(self->with.context->files_worker, (GantryTask *)task);
  } else {
    report(self, "The plan in the session cannot be used, the scan has its automatic values: %s", fault->message);
    ct_error_clear(&fault);
  }
}

/* Whether the scan that is open now is the one that the session asked for. */
static gboolean is_the_scan(GantryWorkspace *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  if (!scan || !self->file.has_scan) return FALSE;
  if (gantry_scan_is_example(scan) || self->file.example) return gantry_scan_is_example(scan) && self->file.example;
  const char *path = gantry_scan_get_facts(scan)->path;
  g_autofree char *now = path ? g_canonicalize_filename(path, NULL) : NULL;
  g_autofree char *asked = g_canonicalize_filename(self->file.scan, NULL);
  return g_strcmp0(now, asked) == 0;
}

/* Of the window before: a scan, or volumes alone. */
static gboolean has_work(GantryWorkspace *self) {
  return gantry_scan_slot_get(self->with.slot) || gantry_shelf_count(self->with.shelf);
}

static void scan_loaded(GantryScanSlot *slot, gboolean replaced, const char *plan, const GError *error,
                        GantryWorkspace *self) {
  if (self->stage == GANTRY_OPENS_NOTHING) {
    if (replaced) gantry_workspace_forget(self);
    return;
  }
  if (self->stage != GANTRY_OPENS_SCAN || !self->with.context->window) {
    if (replaced) give_up(self);
    return;
  }
  if (error && !gantry_error_is_cancelled(error)) {
    g_autofree char *sentence = gantry_error_sentence(error);
    gantry_window_clear_error(self->with.context->window);
    report(self, "The scan cannot be opened: %s", sentence);
    if (has_work(self)) {
      gantry_scan_slot_close(slot);
      return;
    }
  } else if (replaced && gantry_scan_slot_get(slot)) {
    if (!is_the_scan(self)) {
      give_up(self);
      return;
    }
    take_plan(self);
  } else if (!replaced) {
    give_up(self);
    return;
  }
  begin_results(self);
}

static void begin_scan(GantryWorkspace *self) {
  GantryScanSlot *slot = self->with.slot;
  const gboolean there = self->file.has_scan && self->file.scan_place == GANTRY_PLACE_THERE;
  self->stage = GANTRY_OPENS_SCAN;
  if (self->file.scan_place == GANTRY_PLACE_MISSING)
    report(self, "The scan %s is not there any more.", self->file.scan);
  if (there)
    gantry_scan_slot_load_told(slot, self->file.scan, self->file.description);
  else if (has_work(self))
    gantry_scan_slot_close(slot);
  else
    begin_results(self);
}

/* From outside */

static gboolean begin(GantryWorkspace *self, const char *path, const char *scan, gboolean autosaved) {
  gantry_session_file file;
  ct_error *fault = NULL;
  g_autofree char *absolute = g_canonicalize_filename(path, NULL);
  if (!gantry_session_file_read(&file, absolute, &fault)) {
    g_autoptr(GError) error = NULL;
    gantry_take_ct_error(&error, &fault);
    gantry_context_show_error(self->with.context, error);
    return FALSE;
  }
  gantry_jobs_drop(self->with.jobs, GANTRY_WATCH_SESSION);
  gantry_workspace_end_opening(self);
  gantry_workspace_forget(self);
  self->file = file;
  self->next = 0;
  self->autosaved = autosaved;
  self->source = g_steal_pointer(&absolute);
  if (scan) {
    ct_free(self->file.scan);
    self->file.scan = ct_strdup(scan, NULL);
    self->file.scan_place = GANTRY_PLACE_THERE;
  }
  self->view = gantry_view_from_json(self->file.view);
  if (!autosaved) {
    gantry_workspace_set_path(self, self->source);
    gantry_recent_add(self->with.context, self->source);
  }
  gantry_window_clear_error(self->with.context->window);
  self->mark = gantry_window_get_message_mark(self->with.context->window);
  begin_scan(self);
  return TRUE;
}

/* The end of what the engine does before would be taken for the end of opening the session's scan. */
gboolean gantry_workspace_open(GantryWorkspace *self, const char *path, const char *scan, gboolean autosaved) {
  if (gantry_jobs_get_kind(self->with.jobs) != GANTRY_JOB_LOAD) return begin(self, path, scan, autosaved);
  gantry_jobs_drop(self->with.jobs, GANTRY_WATCH_SESSION);
  gantry_workspace_end_opening(self);
  g_free(self->next_path);
  g_free(self->next_scan);
  self->next_path = g_strdup(path);
  self->next_scan = g_strdup(scan);
  self->next_autosaved = autosaved;
  return TRUE;
}

static void open_next(GantryWorkspace *self) {
  g_autofree char *path = g_steal_pointer(&self->next_path), *scan = g_steal_pointer(&self->next_scan);
  if (path && self->with.context->window) gantry_workspace_open(self, path, scan, self->next_autosaved);
}

gboolean gantry_workspace_is_opening(GantryWorkspace *self) {
  return self->stage == GANTRY_OPENS_SCAN || self->stage == GANTRY_OPENS_RESULTS;
}

const char *gantry_workspace_get_missing_scan(GantryWorkspace *self) {
  return self->source ? self->lost.scan : NULL;
}

void gantry_workspace_locate_scan(GantryWorkspace *self, const char *scan) {
  g_autofree char *source = g_strdup(self->source);
  if (source) gantry_workspace_open(self, source, scan, self->autosaved);
}

void gantry_workspace_connect(GantryWorkspace *self) {
  /* After those who make a scan's session its own. */
  g_signal_connect_object(self->with.slot, "loaded", G_CALLBACK(scan_loaded), self, G_CONNECT_AFTER);
  g_signal_connect_object(self->with.slot, "loaded", G_CALLBACK(open_next), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object(self->with.pictures, "arrived", G_CALLBACK(arrived), self, G_CONNECT_AFTER);
}
