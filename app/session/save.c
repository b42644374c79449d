/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is saved is that of the moment of the command, whatever is shown when the dialog is answered; the plan is that
 * of the answer. */
#include "app/session/save.h"

#include "app/errors.h"
#include "app/session/file-names.h"
#include "app/session/recent.h"
#include "app/tasks.h"
#include "recon/io/io.h"
#include "ui/shown.h"

struct _GantrySaver {
  GObject parent_instance;
  GantrySaverParts with;
};

G_DEFINE_FINAL_TYPE(GantrySaver, gantry_saver, G_TYPE_OBJECT)

static guint target_chosen_signal, volume_ended_signal;

static void gantry_saver_finalize(GObject *object) {
  gantry_context_unref(GANTRY_SAVER(object)->with.context);
  G_OBJECT_CLASS(gantry_saver_parent_class)->finalize(object);
}

static void gantry_saver_class_init(GantrySaverClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_saver_finalize;
  target_chosen_signal = g_signal_new("target-chosen", GANTRY_TYPE_SAVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 1, G_TYPE_STRING);
  volume_ended_signal = g_signal_new("volume-ended", GANTRY_TYPE_SAVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void gantry_saver_init(GantrySaver *self) {}

GantrySaver *gantry_saver_new(const GantrySaverParts *parts) {
  GantrySaver *self = g_object_new(GANTRY_TYPE_SAVER, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

/* Writing */

static void saved(gpointer owner, GantryTask *task) {
  GantrySaver *self = owner;
  const GantrySaveTask *save = (const GantrySaveTask *)task;
  const GantryTopic topic = save->kind == GANTRY_SAVE_VOLUME ? GANTRY_ABOUT_RUN : GANTRY_ABOUT_FILE;
  gantry_jobs_end(self->with.jobs, task);
  if (!self->with.context->window) return;
  g_autofree char *name = gantry_shown_name(save->path);
  if (save->work.error && gantry_error_is_cancelled(save->work.error)) {
    gantry_context_toast(self->with.context, topic, NULL, NULL, "Saving was cancelled; nothing was written.");
  } else if (save->work.error) {
    gantry_context_show_error(self->with.context, save->work.error);
  } else if (!task->dropped) {
    if (save->kind == GANTRY_SAVE_VOLUME) gantry_shelf_note_file(self->with.shelf, save->result, save->path);
    if (save->kind == GANTRY_SAVE_SCAN) {
      gantry_scan_note_file(save->scan, save->path);
      gantry_recent_add(self->with.context, save->path);
    }
    gantry_window_clear_error(self->with.context->window);
    g_autofree char *title = save->beside_run ? gantry_result_dup_title(save->result) : NULL;
    if (title)
      gantry_context_toast(self->with.context, topic, NULL, NULL, "Saved %s: the volume before this run, %s", name,
                           title);
    else
      gantry_context_toast(self->with.context, topic, NULL, NULL, "Saved %s", name);
  }
  gantry_context_changed(self->with.context);
  if (save->kind == GANTRY_SAVE_VOLUME)
    g_signal_emit(self, volume_ended_signal, 0, !save->work.error && !task->dropped);
}

static gboolean is_running(GantrySaver *self) {
  return gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_VOLUME;
}

static void begin(GantrySaver *self, GantrySaveTask *task) {
  GantryWorker *worker = self->with.context->files_worker;
  const GantryJob job = {.kind = GANTRY_JOB_SAVE, .task = (GantryTask *)task};
  /* The header shows one job; a save beside a reconstruction runs without it. */
  if (gantry_jobs_is_idle(self->with.jobs))
    gantry_jobs_begin(self->with.jobs, &job, worker);
  else
    gantry_worker_push(worker, (GantryTask *)task);
}

static void write_volume(GantrySaver *self, const char *path, GantryResult *result) {
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), saved, GANTRY_SAVE_VOLUME, path);
  const ct_plan *plan = gantry_plan_editor_get(self->with.editor);
  task->result = gantry_result_ref(result);
  task->beside_run = is_running(self);
  task->options = (ct_write_options){
      .samples = (ct_samples)plan->samples, .low = plan->low, .high = plan->high, .compress = plan->compress != 0};
  begin(self, task);
}

static void write_slice(GantrySaver *self, const char *path, GantryImage *image) {
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), saved, GANTRY_SAVE_SLICE, path);
  GantryDisplay *display = gantry_window_get_display(self->with.context->window);
  task->image = gantry_image_ref(image);
  task->plan = *gantry_plan_editor_get(self->with.editor);
  const GantryOutcome *outcome = gantry_slices_get_outcome(self->with.slices);
  if (outcome && image->kind != GANTRY_VIEW_PROJECTION)
    task->record = g_strdup(gantry_slices_get_record(self->with.slices));
  if (image->kind == GANTRY_VIEW_PROJECTION)
    gantry_display_get_projection_window(display, &task->low, &task->high);
  else
    gantry_display_get_window(display, &task->low, &task->high);
  begin(self, task);
}

static void write_plan(GantrySaver *self, const char *path) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), saved, GANTRY_SAVE_PLAN, path);
  task->scan = scan ? gantry_scan_ref(scan) : NULL;
  task->plan = *gantry_plan_editor_get(self->with.editor);
  begin(self, task);
}

static void write_scan(GantrySaver *self, const char *path, GantryScan *scan) {
  GantrySaveTask *task = gantry_save_task_new(G_OBJECT(self), saved, GANTRY_SAVE_SCAN, path);
  task->scan = gantry_scan_ref(scan);
  begin(self, task);
}

/* Answers */

gboolean gantry_saver_refuses(GantrySaver *self, const char *path) {
  const ct_scan_facts *facts = gantry_scan_slot_get_facts(self->with.slot);
  const char *scan = facts ? facts->path : NULL;
  if (!scan || !ct_scan_is_destroyed(scan, NULL, path)) return FALSE;
  g_autofree char *name = gantry_shown_name(path);
  g_autofree char *text =
      g_strdup_printf("“%s” belongs to the open scan, which it would overwrite: choose another name.", name);
  gantry_window_show_error(self->with.context->window, text);
  return TRUE;
}

/* Where to write; NULL when nowhere, or where it would overwrite the open scan, which is said. */
static char *end_dialog(GantrySaver *self, GtkNativeDialog *dialog, int response) {
  g_autofree char *path = gantry_dialogs_end_with_path(self->with.dialogs, dialog, response);
  return path && !gantry_saver_refuses(self, path) ? g_steal_pointer(&path) : NULL;
}

static void volume_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantrySaver *self = data;
  g_autoptr(GantryResult) result = g_object_steal_data(G_OBJECT(dialog), "result");
  g_autofree char *path = end_dialog(self, dialog, response);
  if (path)
    write_volume(self, path, result);
  else
    g_signal_emit(self, volume_ended_signal, 0, FALSE);
}

static void target_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  g_autofree char *path = end_dialog(data, dialog, response);
  if (path) g_signal_emit(data, target_chosen_signal, 0, path);
}

static void slice_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  g_autoptr(GantryImage) image = g_object_steal_data(G_OBJECT(dialog), "image");
  g_autofree char *path = end_dialog(data, dialog, response);
  if (path && image) write_slice(data, path, image);
}

static void plan_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  g_autofree char *path = end_dialog(data, dialog, response);
  if (path) write_plan(data, path);
}

static void scan_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  g_autoptr(GantryScan) scan = g_object_steal_data(G_OBJECT(dialog), "scan");
  g_autofree char *path = end_dialog(data, dialog, response);
  if (path && scan) write_scan(data, path, scan);
}

/* Dialogs */

/* After the scan; where only volumes are open, after what is A. */
static char *base_name(GantrySaver *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  const GantryResult *result = gantry_shelf_get_result(self->with.shelf);
  g_autofree char *title = result ? gantry_shelf_dup_title(self->with.shelf, result) : NULL;
  return gantry_file_stem(scan ? gantry_scan_get_name(scan) : title ? title : "gantry");
}

/* The plan's; a plan of another program version may name one that is not there. */
static const ct_format *preferred_format(const ct_plan *plan) {
  const ct_format *format = ct_format_find(plan->format);
  if (format && ct_format_can(format, CT_FORMAT_WRITE_VOLUME)) return format;
  ct_plan defaults;
  ct_plan_init(&defaults);
  return ct_format_find(defaults.format);
}

/* Where to write a volume, in which format. result, which may be NULL, is the dialog's; name: of it, NULL: none. */
static void ask_volume_file(GantrySaver *self, const char *title, const char *accept, GCallback response,
                            GantryResult *result, const char *name_of_it) {
  GantryDialogs *dialogs = self->with.dialogs;
  GtkFileChooser *chooser = gantry_dialogs_begin(dialogs, title, GTK_FILE_CHOOSER_ACTION_SAVE, accept, response, self);
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  const ct_format *preferred = preferred_format(gantry_plan_editor_get(self->with.editor));
  gantry_dialogs_add_filter(dialogs, preferred->title, preferred->extensions);
  for (size_t i = 0; i < count; i++)
    if (formats[i] != preferred && ct_format_can(formats[i], CT_FORMAT_WRITE_VOLUME))
      gantry_dialogs_add_filter(dialogs, formats[i]->title, formats[i]->extensions);
  g_autofree char *base = base_name(self);
  g_auto(GStrv) extensions = g_strsplit(preferred->extensions, " ", 2);
  g_autofree char *part = name_of_it ? gantry_file_part(name_of_it) : NULL;
  g_autofree char *name = part && *part ? g_strdup_printf("%s-%s.%s", base, part, extensions[0])
                                        : g_strdup_printf("%s.%s", base, extensions[0]);
  gtk_file_chooser_set_current_name(chooser, name);
  if (result)
    g_object_set_data_full(G_OBJECT(chooser), "result", gantry_result_ref(result), (GDestroyNotify)gantry_result_unref);
  gantry_dialogs_show(dialogs);
}

void gantry_saver_save_volume(GantrySaver *self) {
  GantryResult *result = gantry_shelf_get_result(self->with.shelf);
  if (!result || gantry_dialogs_is_open(self->with.dialogs)) return;
  g_autofree char *title = gantry_shelf_dup_title(self->with.shelf, result);
  g_autofree char *before = g_strdup_printf("Save the Volume before This Run (%s)", title);
  ask_volume_file(self, is_running(self) ? before : "Save the Volume", "_Save", G_CALLBACK(volume_chosen), result,
                  NULL);
}

void gantry_saver_save_result(GantrySaver *self, GantryResult *result, const char *name) {
  if (gantry_dialogs_is_open(self->with.dialogs)) {
    g_signal_emit(self, volume_ended_signal, 0, FALSE);
    return;
  }
  ask_volume_file(self, "Save the Result", "_Save", G_CALLBACK(volume_chosen), result, name);
}

void gantry_saver_choose_target(GantrySaver *self) {
  if (gantry_scan_slot_get(self->with.slot) && gantry_jobs_is_idle(self->with.jobs) &&
      !gantry_dialogs_is_open(self->with.dialogs))
    ask_volume_file(self, "Reconstruct to File", "_Reconstruct", G_CALLBACK(target_chosen), NULL, NULL);
}

/* Of the view that has the keyboard; NULL: there is none. */
static GantryImage *slice_to_save(GantrySaver *self) {
  GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(self->with.context->window));
  GtkWidget *view = focus ? gtk_widget_get_ancestor(focus, GANTRY_TYPE_SLICE_VIEW) : NULL;
  if (focus && GANTRY_IS_SLICE_VIEW(focus)) view = focus;
  const GantryViewKind kind = view ? gantry_slice_view_get_kind(GANTRY_SLICE_VIEW(view)) : GANTRY_VIEW_AXIAL;
  GantryImage *image = gantry_pictures_get(self->with.pictures, GANTRY_A, kind);
  return image ? image : gantry_pictures_get(self->with.pictures, GANTRY_A, GANTRY_VIEW_AXIAL);
}

static char *slice_name(GantrySaver *self, const GantryImage *image) {
  static const char *const views[] = {"axial", "coronal", "sagittal", "projection"};
  g_autofree char *base = base_name(self);
  if (image->kind != GANTRY_VIEW_OBLIQUE)
    return g_strdup_printf("%s-%s-%d.png", base, views[image->kind], image->index);
  return g_strdup_printf("%s-oblique-tilt%.0f-rotation%.0f.png", base, image->tilt * 180 / G_PI,
                         image->rotation * 180 / G_PI);
}

void gantry_saver_save_slice(GantrySaver *self) {
  GantryDialogs *dialogs = self->with.dialogs;
  GantryImage *image = slice_to_save(self);
  if (!image || gantry_dialogs_is_open(dialogs)) return;
  GtkFileChooser *chooser = gantry_dialogs_begin(dialogs, "Save the Slice", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save",
                                                 G_CALLBACK(slice_chosen), self);
  g_object_set_data_full(G_OBJECT(chooser), "image", gantry_image_ref(image), (GDestroyNotify)gantry_image_unref);
  g_autofree char *name = slice_name(self, image);
  gantry_dialogs_add_filter(dialogs, "PNG pictures", "png");
  gtk_file_chooser_set_current_name(chooser, name);
  gantry_dialogs_show(dialogs);
}

void gantry_saver_save_plan(GantrySaver *self) {
  GantryDialogs *dialogs = self->with.dialogs;
  if (!gantry_scan_slot_get(self->with.slot) || gantry_dialogs_is_open(dialogs)) return;
  GtkFileChooser *chooser = gantry_dialogs_begin(dialogs, "Save the Plan", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save",
                                                 G_CALLBACK(plan_chosen), self);
  g_autofree char *base = base_name(self);
  g_autofree char *name = g_strdup_printf("%s.plan.json", base);
  gantry_dialogs_add_filter(dialogs, "Plans", "json");
  gtk_file_chooser_set_current_name(chooser, name);
  gantry_dialogs_show(dialogs);
}

void gantry_saver_save_scan(GantrySaver *self) {
  GantryDialogs *dialogs = self->with.dialogs;
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  if (!scan || !gantry_scan_get_simulation(scan) || gantry_dialogs_is_open(dialogs)) return;
  GtkFileChooser *chooser = gantry_dialogs_begin(dialogs, "Save the Scan", GTK_FILE_CHOOSER_ACTION_SAVE, "_Save",
                                                 G_CALLBACK(scan_chosen), self);
  char extensions[64];
  ct_formats_extensions(CT_FORMAT_WRITE_SCAN, extensions, sizeof extensions);
  g_autofree char *part = gantry_file_part(gantry_scan_get_name(scan)), *name = g_strdup_printf("%s.h5", part);
  g_object_set_data_full(G_OBJECT(chooser), "scan", gantry_scan_ref(scan), (GDestroyNotify)gantry_scan_unref);
  gantry_dialogs_add_filter(dialogs, "Scans", extensions);
  gtk_file_chooser_set_current_name(chooser, name);
  gantry_dialogs_show(dialogs);
}
