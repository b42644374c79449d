/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames are of the view that had the keyboard when they were asked for, as it was then. */
#include "app/session/frame-commands.h"

#include "app/errors.h"
#include "app/session/session-private.h"
#include "app/tasks-frames.h"
#include "ui/shown.h"
#include "ui/window/film.h"

/* Frames of a turn, and their height in pixels. */
enum { TURN = 180, HEIGHT = 720 };

static void tell(GantrySession *self, const char *text) {
  gantry_context_toast(self->context, GANTRY_ABOUT_FILE, NULL, NULL, "%s", text);
}

static void made(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantryFramesTask *frames = (const GantryFramesTask *)task;
  gantry_jobs_end(self->jobs, task);
  if (!self->context->window) return;
  const GError *error = frames->work.error;
  g_autofree char *name = frames->made ? gantry_shown_name(frames->made) : NULL;
  if (task->dropped || (error && gantry_error_is_cancelled(error)))
    tell(self, "Cancelled; no frame was kept.");
  else if (error)
    gantry_context_show_error(self->context, error);
  else if (frames->no_film)
    gantry_context_toast(self->context, GANTRY_ABOUT_FILE, NULL, NULL,
                         "%d frames were written to the folder %s; there is no film: %s.", frames->count, name,
                         frames->no_film);
  else
    gantry_context_toast(self->context, GANTRY_ABOUT_FILE, NULL, NULL, "%d frames%s were written to the folder %s",
                         frames->count, frames->film ? " and a film" : "", name);
  gantry_context_changed(self->context);
}

static char *progress_text(GantryTask *task, const ct_progress *progress, gpointer user) {
  return progress->done < progress->total
             ? g_strdup_printf("frame %d / %d", (int)progress->done + 1, (int)progress->total)
             : g_strdup("the film is being made");
}

/* What frames are of; NULL: nothing, which is said. */

static GantryFramesTask *of_scene(GantrySession *self) {
  g_autoptr(GantrySceneShot) shot = gantry_window_dup_scene(self->context->window, HEIGHT);
  if (!shot) {
    tell(self, "The scene is empty yet: open a scan or a volume.");
    return NULL;
  }
  GantryFramesTask *task = gantry_frames_task_new(G_OBJECT(self), made, "scene frames");
  task->shot = g_steal_pointer(&shot);
  task->count = TURN;
  return task;
}

static GantryFramesTask *of_slices(GantrySession *self, GantryViewKind kind) {
  GantryDisplay *display = gantry_window_get_display(self->context->window);
  GantryResult *result = gantry_shelf_get_result(self->shelf);
  if (kind > GANTRY_VIEW_SAGITTAL) {
    tell(self, "Frames are of an axial, coronal or sagittal view, or of the scene: give it the keyboard first.");
    return NULL;
  }
  if (!result || !result->volume) {
    tell(self, "There is no volume to take slices from: press Reconstruct first.");
    return NULL;
  }
  g_autofree char *name = g_strdup_printf("%s frames", ct_plane_id((ct_plane)kind));
  GantryFramesTask *task = gantry_frames_task_new(G_OBJECT(self), made, name);
  task->result = gantry_result_ref(result);
  task->plane = (ct_plane)kind;
  task->map = ctgl_colour_map_find(gantry_display_get_colour_map(display));
  task->smooth = gantry_display_get_smooth(display);
  gantry_display_get_window(display, &task->low, &task->high);
  return task;
}

/* Asking */

static void free_task(gpointer data) {
  GantryTask *task = data;
  task->free(task);
}

static void folder_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  GantryFramesTask *task = g_object_steal_data(G_OBJECT(dialog), "frames");
  const char *film = gtk_file_chooser_get_choice(GTK_FILE_CHOOSER(dialog), "film");
  const gboolean filmed = g_strcmp0(film, "true") == 0;
  g_autofree char *folder = gantry_dialogs_end_with_path(self->dialogs, dialog, response);
  if (!folder || !gantry_jobs_is_idle(self->jobs)) {
    free_task(task);
    return;
  }
  task->parent = g_steal_pointer(&folder);
  task->film = filmed;
  const GantryJob job = {.kind = GANTRY_JOB_FIGURES, .task = (GantryTask *)task, .text = progress_text};
  gantry_jobs_begin(self->jobs, &job, self->context->files_worker);
}

static void save_frames(GSimpleAction *action, GVariant *parameter, gpointer data) {
  GantrySession *self = data;
  gboolean scene;
  if (gantry_dialogs_is_open(self->dialogs)) return;
  const GantryViewKind kind = gantry_window_get_focused(self->context->window, &scene);
  GantryFramesTask *task = scene ? of_scene(self) : of_slices(self, kind);
  if (!task) return;
  GtkFileChooser *chooser =
      gantry_dialogs_begin(self->dialogs, scene ? "Folder for Frames of the Scene" : "Folder for Frames of the Slices",
                           GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, "_Write Them", G_CALLBACK(folder_chosen), self);
  gtk_file_chooser_add_choice(chooser, "film", "Also as a WebM film", NULL, NULL);
  g_object_set_data_full(G_OBJECT(chooser), "frames", task, free_task);
  gantry_dialogs_show(self->dialogs);
}

void gantry_session_add_frame_actions(GantrySession *self) {
  static const GActionEntry entries[] = {{.name = "save-frames", .activate = save_frames}};
  g_action_map_add_action_entries(G_ACTION_MAP(self->context->window), entries, G_N_ELEMENTS(entries), self);
}

void gantry_session_update_frame_actions(GantrySession *self) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->context->window), "save-frames");
  const gboolean any = gantry_scan_slot_get(self->slot) || gantry_shelf_get_result(self->shelf);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), any && gantry_jobs_is_idle(self->jobs));
}
