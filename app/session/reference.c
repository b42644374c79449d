/* SPDX-License-Identifier: GPL-3.0-or-later */
/* B, the result that A is compared with: a volume, made here or read from a file, or slices of a plan. B's planes lie
 * where A's do in the world. */
#include "app/session/session-private.h"

#include "app/errors.h"

#include <string.h>

static void changed(GantrySession *self) {
  self->reference_generation++;
  self->difference_fitted = FALSE;
  for (int plane = 0; plane < GANTRY_PLANES; plane++)
    g_clear_pointer(&self->shown[GANTRY_B][plane], gantry_image_unref);
  gantry_window_clear_images(self->window, CTGL_SLOT_B);
  gantry_session_update_titles(self);
  gantry_session_update_actions(self);
  gantry_session_compare_volumes(self);
  gantry_session_request_statistics(self);
  gantry_session_request_reference(self);
}

/* The engine need not keep the projections of a plan that is no longer compared with. */
static void drop_pipeline(GantrySession *self) {
  gantry_worker_cancel_slot(self->engine_worker, GANTRY_SLOT_REFERENCE);
  gantry_worker_push(self->engine_worker, (GantryTask *)gantry_drop_task_new(G_OBJECT(self), NULL, self->engine));
}

void gantry_session_set_reference_plan(GantrySession *self, const ct_plan *plan) {
  g_clear_pointer(&self->reference, gantry_result_unref);
  self->reference_plan = *plan;
  self->reference_is_plan = TRUE;
  changed(self);
}

static void take_volume(GantrySession *self, GantryResult *volume) {
  GantryResult *old = self->reference;
  self->reference = gantry_result_ref(volume);
  gantry_result_unref(old);
  if (self->reference_is_plan) drop_pipeline(self);
  self->reference_is_plan = FALSE;
  changed(self);
}

void gantry_session_set_reference(GantrySession *self) {
  if (self->source == GANTRY_SOURCE_VOLUME && self->volume) {
    take_volume(self, self->volume);
  } else if (self->source == GANTRY_SOURCE_PREVIEW && self->has_preview_plan) {
    gantry_session_set_reference_plan(self, &self->preview_plan);
  } else {
    return;
  }
  gantry_session_toast(self, GANTRY_ABOUT_REFERENCE, NULL, NULL, "Now the reference B: %s",
                       self->reference ? "the whole volume" : "the slices of the present values");
}

/* From a file */

void gantry_session_end_reading(GantrySession *self) {
  if (self->reading) ct_job_cancel(self->reading->job);
  self->reading = NULL;
}

static void reference_read(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryReadTask *read = (const GantryReadTask *)task;
  if (self->reading != task) return;
  self->reading = NULL;
  if (!self->window || task->dropped) return;
  if (!read->result) {
    gantry_session_show_error(self, read->work.error);
    return;
  }
  take_volume(self, read->result);
  const gboolean apart = self->has_grid && !gantry_grids_agree(&self->grid, ct_volume_grid(read->result->volume));
  gantry_session_toast(self, GANTRY_ABOUT_REFERENCE, NULL, NULL, "Now the reference B: %s%s", read->result->file,
                       apart ? " (other voxels than A's: compared by slices alone)" : "");
}

static void reference_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autofree char *path = gantry_session_end_dialog_with_path(self, dialog, response);
  if (!path || !self->scan) return;
  if (!self->preview_failed && !self->run_refused) gantry_window_clear_error(self->window);
  gantry_session_end_reading(self);
  GantryReadTask *task = gantry_read_task_new(G_OBJECT(self), reference_read, path);
  self->reading = (GantryTask *)task;
  gantry_worker_push(self->files_worker, (GantryTask *)task);
  gantry_session_watch(self);
}

void gantry_session_open_reference(GantrySession *self) {
  if (!self->scan || self->chooser) return;
  gantry_session_begin_dialog(self, "Open a Volume as the Reference B", GTK_FILE_CHOOSER_ACTION_OPEN, "_Open",
                              G_CALLBACK(reference_chosen));
  char extensions[256];
  gantry_session_add_filter(self, "Volumes",
                            ct_formats_extensions(CT_FORMAT_READ_VOLUME, extensions, sizeof extensions));
  gantry_session_add_filter(self, "All files", NULL);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

void gantry_session_clear_reference(GantrySession *self) {
  if (!self->reference && !self->reference_is_plan) return;
  g_clear_pointer(&self->reference, gantry_result_unref);
  if (self->reference_is_plan) drop_pipeline(self);
  self->reference_is_plan = FALSE;
  changed(self);
}

char *gantry_session_dup_reference_title(GantrySession *self) {
  if (self->reference) return gantry_result_dup_title(self->reference);
  if (!self->reference_is_plan) return NULL;
  const ct_plan *plan = gantry_session_get_plan(self);
  return g_strdup(self->reference_plan.iterative.method == CT_METHOD_DIRECT &&
                          plan->iterative.method != CT_METHOD_DIRECT
                      ? "filtered back-projection slices"
                      : "slices of the plan kept as B");
}

static void reference_previewed(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryPreviewTask *preview = (const GantryPreviewTask *)task;
  if (task->dropped || !self->window || task->generation != self->reference_generation || !preview->work.error) return;
  if (g_error_matches(preview->work.error, GANTRY_ERROR, CT_ERROR_CANCELLED)) return;
  /* A reference that cannot be made is taken back rather than asked for again at every step. */
  gantry_session_show_error(self, preview->work.error);
  gantry_session_clear_reference(self);
}

/* Asks for the planes of B that do not lie beside A's yet. A is the master: until its grid is known B has no place. */
void gantry_session_request_reference(GantrySession *self) {
  if (!self->window || !self->has_grid || self->closing || (!self->reference && !self->reference_is_plan)) return;
  /* A running volume keeps the engine for itself; B's slices follow it. */
  if (self->reference_is_plan && self->source == GANTRY_SOURCE_RUNNING) return;
  GantryWanted wanted;
  gantry_session_update_wanted(self, &wanted);
  const guint missing = gantry_session_missing_planes(self, GANTRY_B);
  if (!missing) return;
  int indices[GANTRY_PLANES];
  double positions[GANTRY_PLANES];
  for (int plane = 0; plane < GANTRY_PLANES; plane++) {
    indices[plane] = gantry_wanted_index(&wanted, &self->grid, (ct_plane)plane);
    positions[plane] = ct_grid_plane_position(&self->grid, (ct_plane)plane, indices[plane]);
  }
  if (self->reference) {
    GantryPlanesTask *task = gantry_planes_task_new(G_OBJECT(self), NULL, self->mailbox);
    task->work.task.slot = GANTRY_SLOT_REFERENCE;
    task->result[GANTRY_B] = gantry_result_ref(self->reference);
    task->planes[GANTRY_B] = missing;
    task->generation[GANTRY_B] = self->reference_generation;
    task->wanted = wanted;
    task->grid = self->grid;
    memcpy(task->indices, indices, sizeof indices);
    memcpy(task->positions, positions, sizeof positions);
    gantry_worker_push(self->planes_worker, (GantryTask *)task);
  } else {
    GantryPreviewTask *task = gantry_preview_task_new(G_OBJECT(self), reference_previewed, self->engine, self->scan,
                                                      self->mailbox, GANTRY_B, &self->reference_plan);
    task->work.task.generation = self->reference_generation;
    task->planes = missing;
    task->wanted = wanted;
    task->grid = self->grid;
    memcpy(task->indices, indices, sizeof indices);
    memcpy(task->positions, positions, sizeof positions);
    gantry_worker_push(self->engine_worker, (GantryTask *)task);
  }
}
