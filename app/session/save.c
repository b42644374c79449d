/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saving the volume, a slice or the plan. */
#include "app/session/session-private.h"

#include "app/errors.h"
#include "recon/base/units.h"

/* Answers */

static void saved(gpointer owner, GantryTask *task) {
  GantrySession *self = owner;
  const GantrySaveTask *save = (const GantrySaveTask *)task;
  const GantryTopic topic = save->kind == GANTRY_SAVE_VOLUME ? GANTRY_ABOUT_RUN : GANTRY_ABOUT_FILE;
  gantry_session_end_job(self, task);
  if (!self->window) return;
  g_autofree char *name = g_filename_display_basename(save->path);
  if (save->work.error && gantry_error_is_cancelled(save->work.error)) {
    gantry_session_toast(self, topic, NULL, NULL, "Saving was cancelled; nothing was written.");
  } else if (save->work.error) {
    gantry_session_show_error(self, save->work.error);
  } else if (!task->dropped) {
    if (save->kind == GANTRY_SAVE_VOLUME && save->result == self->volume) self->unsaved = FALSE;
    gantry_window_clear_error(self->window);
    gantry_session_toast(self, topic, NULL, NULL, "Saved %s", name);
  }
  gantry_session_update_actions(self);
}

static void begin_save(GantrySession *self, GantrySaveTask *task) {
  /* The header shows one job; a save beside a reconstruction runs without it. */
  if (self->job)
    gantry_worker_push(self->files_worker, (GantryTask *)task);
  else
    gantry_session_begin_job(self, GANTRY_JOB_SAVE, (GantryTask *)task, self->files_worker);
}

static void save_volume_as(GantrySession *self, const char *path) {
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), saved, GANTRY_SAVE_VOLUME, path);
  const ct_plan *plan = gantry_session_get_plan(self);
  task->result = gantry_result_ref(self->volume);
  task->options = (ct_write_options){
      .samples = (ct_samples)plan->samples, .low = plan->low, .high = plan->high, .compress = plan->compress != 0};
  begin_save(self, task);
}

/* The view that has the keyboard, else the axial one. */
static GantryImage *slice_to_save(GantrySession *self) {
  GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(self->window));
  GtkWidget *view = focus ? gtk_widget_get_ancestor(focus, GANTRY_TYPE_SLICE_VIEW) : NULL;
  if (focus && GANTRY_IS_SLICE_VIEW(focus)) view = focus;
  const GantryViewKind kind = view ? gantry_slice_view_get_kind(GANTRY_SLICE_VIEW(view)) : GANTRY_VIEW_AXIAL;
  GantryImage *image = self->shown[GANTRY_A][kind];
  return image ? image : self->shown[GANTRY_A][GANTRY_VIEW_AXIAL];
}

static void save_slice_as(GantrySession *self, const char *path, GantryImage *image) {
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), saved, GANTRY_SAVE_SLICE, path);
  GantryDisplay *display = gantry_window_get_display(self->window);
  task->image = gantry_image_ref(image);
  task->plan = *gantry_session_get_plan(self);
  if (image->kind == GANTRY_VIEW_PROJECTION)
    gantry_display_get_projection_window(display, &task->low, &task->high);
  else
    gantry_display_get_window(display, &task->low, &task->high);
  begin_save(self, task);
}

static void save_plan_as(GantrySession *self, const char *path) {
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), saved, GANTRY_SAVE_PLAN, path);
  task->scan = self->scan ? gantry_scan_ref(self->scan) : NULL;
  task->plan = *gantry_session_get_plan(self);
  begin_save(self, task);
}

/* Dialogs */

static char *base_name(GantrySession *self) {
  const char *name = gantry_scan_get_name(self->scan);
  const char *dot = g_strrstr(name, ".");
  return dot && dot > name ? g_strndup(name, (gsize)(dot - name)) : g_strdup(name);
}

/* Where to write; NULL when nowhere, or where it would overwrite the open scan, which is said. */
static char *end_save_dialog(GantrySession *self, GtkNativeDialog *dialog, int response) {
  char *path = gantry_session_end_dialog_with_path(self, dialog, response);
  const char *scan = self->scan ? gantry_scan_get_facts(self->scan)->path : NULL;
  if (!path || !scan || !ct_scan_is_destroyed(scan, NULL, path)) return path;
  g_autofree char *name = g_filename_display_basename(path);
  g_autofree char *words =
      g_strdup_printf("“%s” belongs to the open scan, which it would overwrite: choose another name.", name);
  gantry_window_show_error(self->window, words);
  g_free(path);
  return NULL;
}

static void volume_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autofree char *path = end_save_dialog(self, dialog, response);
  if (path && self->volume) save_volume_as(self, path);
}

static void target_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autofree char *path = end_save_dialog(self, dialog, response);
  if (path) gantry_session_reconstruct(self, path);
}

static void slice_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autoptr(GantryImage) image = g_object_steal_data(G_OBJECT(dialog), "image");
  g_autofree char *path = end_save_dialog(self, dialog, response);
  if (path && image) save_slice_as(self, path, image);
}

static void plan_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySession *self = data;
  g_autofree char *path = end_save_dialog(self, dialog, response);
  if (path) save_plan_as(self, path);
}

/* The plan's; a plan of another program version may name one that is not there. */
static const ct_format *preferred_format(const ct_plan *plan) {
  const ct_format *format = ct_format_find(plan->format);
  if (format && ct_format_can(format, CT_FORMAT_WRITE_VOLUME)) return format;
  ct_plan defaults;
  ct_plan_init(&defaults);
  return ct_format_find(defaults.format);
}

/* Where to write a volume, in which format. */
static void ask_volume_file(GantrySession *self, const char *title, const char *accept, GCallback response) {
  gantry_session_begin_dialog(self, title, GTK_FILE_CHOOSER_ACTION_SAVE, accept, response);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER(self->chooser);
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  const ct_format *preferred = preferred_format(gantry_session_get_plan(self));
  gantry_session_add_filter(self, preferred->title, preferred->extensions);
  for (size_t i = 0; i < count; i++)
    if (formats[i] != preferred && ct_format_can(formats[i], CT_FORMAT_WRITE_VOLUME))
      gantry_session_add_filter(self, formats[i]->title, formats[i]->extensions);
  g_autofree char *base = base_name(self);
  g_auto(GStrv) extensions = g_strsplit(preferred->extensions, " ", 2);
  g_autofree char *name = g_strdup_printf("%s.%s", base, extensions[0]);
  gtk_file_chooser_set_current_name(chooser, name);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

void gantry_session_save_volume(GantrySession *self) {
  if (self->volume && !self->chooser) ask_volume_file(self, "Save the Volume", "_Save", G_CALLBACK(volume_chosen));
}

void gantry_session_reconstruct_to_file(GantrySession *self) {
  if (self->scan && !self->job && !self->chooser)
    ask_volume_file(self, "Reconstruct to File", "_Reconstruct", G_CALLBACK(target_chosen));
}

void gantry_session_save_slice(GantrySession *self) {
  GantryImage *image = slice_to_save(self);
  if (!image || self->chooser) return;
  gantry_session_begin_dialog(self, "Save the Slice", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", G_CALLBACK(slice_chosen));
  /* The slice of this moment, whatever is shown when the dialog is answered. */
  g_object_set_data_full(G_OBJECT(self->chooser), "image", gantry_image_ref(image), (GDestroyNotify)gantry_image_unref);
  static const char *const views[] = {"axial", "coronal", "sagittal", "projection"};
  const gboolean oblique = image->kind == GANTRY_VIEW_OBLIQUE;
  g_autofree char *base = base_name(self);
  g_autofree char *name = oblique ? g_strdup_printf("%s-oblique-tilt%.0f-rotation%.0f.png", base,
                                                    image->tilt * 180 / G_PI, image->rotation * 180 / G_PI)
                                  : g_strdup_printf("%s-%s-%d.png", base, views[image->kind], image->index);
  gantry_session_add_filter(self, "PNG pictures", "png");
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(self->chooser), name);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

void gantry_session_save_plan(GantrySession *self) {
  if (!self->scan || self->chooser) return;
  gantry_session_begin_dialog(self, "Save the Plan", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", G_CALLBACK(plan_chosen));
  g_autofree char *base = base_name(self);
  g_autofree char *name = g_strdup_printf("%s.plan.json", base);
  gantry_session_add_filter(self, "Plans", "json");
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(self->chooser), name);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}
