/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Capturing: copies of small things, so that it takes no time on the main loop; the scan's checksum is taken where the
 * copy is written. */
#include "app/session/workspace-private.h"

#include "app/marks-json.h"
#include "app/errors.h"
#include "recon/base/memory.h"
#include "ui/window/arrangement.h"

G_DEFINE_FINAL_TYPE(GantryWorkspace, gantry_workspace, G_TYPE_OBJECT)

void gantry_workspace_end_opening(GantryWorkspace *self) {
  self->stage = GANTRY_OPENS_NOTHING;
  gantry_session_file_clear(&self->file);
  g_clear_pointer(&self->view, g_variant_unref);
  g_clear_weak_pointer(&self->a);
  g_clear_weak_pointer(&self->b);
  g_ptr_array_set_size(self->report, 0);
}

static void gantry_workspace_finalize(GObject *object) {
  GantryWorkspace *self = GANTRY_WORKSPACE(object);
  gantry_workspace_end_opening(self);
  gantry_session_file_clear(&self->lost);
  g_ptr_array_unref(self->report);
  g_free(self->path);
  g_free(self->content);
  g_free(self->source);
  g_free(self->next_path);
  g_free(self->next_scan);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_workspace_parent_class)->finalize(object);
}

static void gantry_workspace_class_init(GantryWorkspaceClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_workspace_finalize;
  g_signal_new("alone", GANTRY_TYPE_WORKSPACE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               GANTRY_TYPE_ENTRY);
  g_signal_new("elsewhere", GANTRY_TYPE_WORKSPACE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_STRING);
  g_signal_new("opened", GANTRY_TYPE_WORKSPACE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_workspace_init(GantryWorkspace *self) {
  self->report = g_ptr_array_new_with_free_func(g_free);
}

GantryWorkspace *gantry_workspace_new(const GantryWorkspaceParts *parts) {
  GantryWorkspace *self = g_object_new(GANTRY_TYPE_WORKSPACE, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

const char *gantry_workspace_get_path(GantryWorkspace *self) {
  return self->path;
}

/* NULL: there is no file, or none that can be read. */
static char *checksum_of(const char *path) {
  g_autofree char *text = NULL;
  gsize length;
  if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents(path, &text, &length, NULL)) return NULL;
  return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, length);
}

void gantry_workspace_set_path(GantryWorkspace *self, const char *path) {
  char *copy = g_strdup(path);
  g_free(self->path);
  g_free(self->content);
  self->path = copy;
  self->content = checksum_of(copy);
}

gboolean gantry_workspace_file_was_changed(GantryWorkspace *self) {
  g_autofree char *now = self->path && self->content ? checksum_of(self->path) : NULL;
  return now && !g_str_equal(now, self->content);
}

void gantry_workspace_forget(GantryWorkspace *self) {
  g_clear_pointer(&self->path, g_free);
  g_clear_pointer(&self->content, g_free);
  g_clear_pointer(&self->source, g_free);
  gantry_session_file_clear(&self->lost);
}

/* Capturing */

static void capture_result(GantryWorkspace *self, GantryEntry *entry, gantry_session_result *result) {
  const GantryResult *facts = gantry_entry_get_facts(entry);
  const char *source = gantry_entry_get_source(entry), *name = gantry_entry_get_given_name(entry);
  const gboolean shown = gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_VOLUME;
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  const gboolean of_example = scan && gantry_scan_is_example(scan);
  *result = (gantry_session_result){.path = source ? ct_strdup(source, NULL) : NULL,
                                    .name = name ? ct_strdup(name, NULL) : NULL,
                                    .title = ct_strdup(gantry_entry_get_name(entry), NULL),
                                    .made = !gantry_entry_is_opened(entry) || facts->views > 0,
                                    .phantom = gantry_entry_is_opened(entry) && !source && of_example,
                                    .grid = *gantry_entry_get_grid(entry),
                                    .views = facts->views,
                                    .views_all = facts->views_all,
                                    .iterations = facts->iterations,
                                    .seconds = facts->seconds,
                                    .gups = facts->gups,
                                    .is_a = shown && entry == gantry_shelf_get_a(self->with.shelf),
                                    .is_b = entry == gantry_shelf_get_b(self->with.shelf),
                                    .pinned = gantry_entry_is_pinned(entry),
                                    .ticked = gantry_entry_get_colour(entry) >= 0};
  const char *record = gantry_entry_get_record(entry);
  if (record) result->record = ct_strdup(record, NULL);
  if (result->made) result->plan = ct_plan_to_json(&facts->plan, NULL, NULL);
}

static void copy_result(const gantry_session_result *from, gantry_session_result *result) {
  char *const *texts[] = {&from->path, &from->name, &from->title, &from->plan, &from->record};
  *result = *from;
  char **copies[] = {&result->path, &result->name, &result->title, &result->plan, &result->record};
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) *copies[i] = *texts[i] ? ct_strdup(*texts[i], NULL) : NULL;
}

/* Those on the shelf, and those that a session told of and that could not be opened. */
static gboolean capture_results(GantryWorkspace *self, gantry_session_file *file) {
  const guint count = gantry_shelf_count(self->with.shelf);
  const gsize all = count + self->lost.count;
  if (!all) return TRUE;
  file->results = ct_alloc_zero(all, sizeof *file->results, "the results of a session", NULL);
  if (!file->results) return FALSE;
  for (guint i = 0; i < count; i++)
    capture_result(self, gantry_shelf_get(self->with.shelf, i), &file->results[file->count++]);
  for (gsize i = 0; i < self->lost.count; i++) copy_result(&self->lost.results[i], &file->results[file->count++]);
  return TRUE;
}

static void capture_scan(GantryWorkspace *self, GantryWorkspaceCopy *copy) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  gantry_session_file *file = &copy->file;
  if (scan) {
    const char *path = gantry_scan_get_file(scan);
    g_autofree char *absolute = path ? g_canonicalize_filename(path, NULL) : NULL;
    file->example = gantry_scan_is_example(scan);
    file->scan = file->example || !absolute ? NULL : ct_strdup(absolute, NULL);
    const char *description = gantry_scan_get_description(scan);
    file->description = file->scan && description ? ct_strdup(description, NULL) : NULL;
    file->title = ct_strdup(gantry_scan_get_name(scan), NULL);
    copy->scan = gantry_scan_ref(scan);
    copy->plan = *gantry_plan_editor_get(self->with.editor);
  } else {
    const GantryResult *result = gantry_shelf_get_result(self->with.shelf);
    const char *title = self->lost.title ? self->lost.title : result ? result->file : NULL;
    file->title = title ? ct_strdup(title, NULL) : NULL;
    file->scan = self->lost.scan ? ct_strdup(self->lost.scan, NULL) : NULL;
    file->description = self->lost.description ? ct_strdup(self->lost.description, NULL) : NULL;
    file->plan = self->lost.plan ? ct_strdup(self->lost.plan, NULL) : NULL;
  }
  file->has_scan = file->example || file->scan;
}

gboolean gantry_workspace_capture(GantryWorkspace *self, GantryWorkspaceCopy *copy) {
  *copy = (GantryWorkspaceCopy){0};
  GantryWindow *window = self->with.context->window;
  if (!window || (!gantry_scan_slot_get(self->with.slot) && !gantry_shelf_count(self->with.shelf))) return FALSE;
  gantry_session_file *file = &copy->file;
  capture_scan(self, copy);
  if (!capture_results(self, file)) {
    gantry_workspace_copy_clear(copy);
    return FALSE;
  }
  const ct_plan *reference = gantry_reference_get_plan(self->with.reference);
  if (reference) file->reference = ct_plan_to_json(reference, NULL, NULL);
  g_autoptr(GVariant) view = g_variant_ref_sink(gantry_window_dup_arrangement(window));
  file->view = gantry_view_to_json(self->view ? self->view : view);
  file->regions =
      self->lost.regions ? json_incref(self->lost.regions) : gantry_marks_to_json(gantry_window_get_display(window));
  g_autoptr(GDateTime) now = g_date_time_new_now_utc();
  g_autofree char *saved = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");
  file->saved = ct_strdup(saved, NULL);
  return TRUE;
}

gboolean gantry_workspace_copy_write(GantryWorkspaceCopy *copy, const char *path, ct_error **error) {
  ct_identity identity = {0};
  if (copy->scan) {
    /* A scan that has gone since can be told all the same, by its path. */
    const bool known = ct_identity_of(gantry_scan_get(copy->scan), &identity, NULL);
    ct_free(copy->file.plan);
    copy->file.plan = ct_plan_to_json(&copy->plan, known ? &identity : NULL, error);
    ct_identity_clear(&identity);
    if (!copy->file.plan) return FALSE;
  }
  return gantry_session_file_write(&copy->file, path, error);
}

void gantry_workspace_copy_clear(GantryWorkspaceCopy *copy) {
  gantry_session_file_clear(&copy->file);
  g_clear_pointer(&copy->scan, gantry_scan_unref);
}
