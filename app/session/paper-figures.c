/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/session/paper-figures.h"

#include "app/errors.h"
#include "app/figures.h"
#include "app/progress-text.h"
#include "app/tasks.h"
#include "ui/shown.h"

struct _GantryPaperFigures {
  GObject parent_instance;
  GantryContext *context;
  GantryJobs *jobs;
  GantryScanSlot *slot;
  GantryDialogs *dialogs;
  char *folder; /* NULL before the first */
};

G_DEFINE_FINAL_TYPE(GantryPaperFigures, gantry_paper_figures, G_TYPE_OBJECT)

static void gantry_paper_figures_finalize(GObject *object) {
  GantryPaperFigures *self = GANTRY_PAPER_FIGURES(object);
  g_free(self->folder);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_paper_figures_parent_class)->finalize(object);
}

static void gantry_paper_figures_class_init(GantryPaperFiguresClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_paper_figures_finalize;
}

static void gantry_paper_figures_init(GantryPaperFigures *self) {}

GantryPaperFigures *gantry_paper_figures_new(GantryContext *context, GantryJobs *jobs, GantryScanSlot *slot,
                                             GantryDialogs *dialogs) {
  GantryPaperFigures *self = g_object_new(GANTRY_TYPE_PAPER_FIGURES, NULL);
  self->context = gantry_context_ref(context);
  self->jobs = jobs;
  self->slot = slot;
  self->dialogs = dialogs;
  return self;
}

static GantryVariantsPage *page_of(GantryPaperFigures *self) {
  return gantry_window_get_variants_page(self->context->window);
}

void gantry_paper_figures_connect(GantryPaperFigures *self) {
  size_t count;
  const gantry_figure *figures = gantry_figures(&count);
  g_autofree GantryFigureChoice *choices = g_new0(GantryFigureChoice, count);
  for (size_t i = 0; i < count; i++)
    choices[i] = (GantryFigureChoice){figures[i].number, figures[i].title, figures[i].phantom};
  gantry_figures_button_set(gantry_variants_page_get_figures(page_of(self)),
                            "Chilingaryan, Ametova, Kopmann and Mirone (2019), Reviewing GPU architectures to build "
                            "efficient back projection for parallel geometries",
                            choices, count);
}

static char *progress_text(GantryTask *task, const ct_progress *progress, gpointer user) {
  const int making = g_atomic_int_get(&((GantryFiguresTask *)task)->making);
  g_autofree char *stage = gantry_progress_text(progress, 0, NULL);
  return making ? g_strdup_printf("figure %d · %s", making, stage) : g_steal_pointer(&stage);
}

static void made(gpointer owner, GantryTask *task) {
  GantryPaperFigures *self = owner;
  const GantryFiguresTask *figures = (const GantryFiguresTask *)task;
  gantry_jobs_end(self->jobs, task);
  if (!self->context->window) return;
  const GError *error = figures->work.error;
  g_autofree char *name = gantry_shown_name(figures->folder);
  gantry_variants_page_set_progress(page_of(self), 0, NULL);
  if (figures->written) {
    g_free(self->folder);
    self->folder = g_strdup(figures->folder);
  }
  if (task->dropped || (error && gantry_error_is_cancelled(error))) {
    gantry_context_toast(self->context, GANTRY_ABOUT_FILE, NULL, NULL,
                         "Cancelled: %d figure%s written to the folder %s", figures->written,
                         figures->written == 1 ? " was" : "s were", name);
  } else if (error) {
    g_autofree char *sentence = gantry_error_sentence(error);
    gantry_variants_page_set_note(page_of(self), sentence, TRUE);
  } else {
    gantry_context_toast(self->context, GANTRY_ABOUT_FILE, "_Open Folder", "win.open-figures",
                         "%d figure%s written to the folder %s", figures->written,
                         figures->written == 1 ? " was" : "s were", name);
  }
  gantry_context_changed(self->context);
}

static void begin(GantryPaperFigures *self, const char *folder) {
  GantryScan *scan = gantry_scan_slot_get(self->slot);
  GantryFiguresButton *button = gantry_variants_page_get_figures(page_of(self));
  GantryFiguresTask *task = gantry_figures_task_new(G_OBJECT(self), made, self->context->engine, scan, folder,
                                                    gantry_figures_button_dup_chosen(button));
  task->size = gantry_figures_button_get_size(button);
  gantry_context_fill_plan(self->context, &task->plan);
  gantry_variants_page_set_progress(page_of(self), -1,
                                    "The figures are being made: the line above tells how far they are.");
  const GantryJob job = {.kind = GANTRY_JOB_FIGURES, .task = (GantryTask *)task, .text = progress_text};
  gantry_jobs_begin(self->jobs, &job, self->context->engine_worker);
}

static void folder_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantryPaperFigures *self = data;
  g_autofree char *folder = gantry_dialogs_end_with_path(self->dialogs, dialog, response);
  if (folder && gantry_paper_figures_can_make(self)) begin(self, folder);
}

gboolean gantry_paper_figures_can_make(GantryPaperFigures *self) {
  return gantry_scan_slot_get(self->slot) && gantry_jobs_is_idle(self->jobs);
}

void gantry_paper_figures_make(GantryPaperFigures *self) {
  if (!gantry_paper_figures_can_make(self) || gantry_dialogs_is_open(self->dialogs)) return;
  gantry_figures_button_close(gantry_variants_page_get_figures(page_of(self)));
  gantry_dialogs_begin(self->dialogs, "Folder for the Figures", GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, "_Make Them",
                       G_CALLBACK(folder_chosen), self);
  gantry_dialogs_show(self->dialogs);
}

void gantry_paper_figures_open_folder(GantryPaperFigures *self) {
  if (!self->folder || !self->context->window) return;
  g_autofree char *uri = g_filename_to_uri(self->folder, NULL, NULL);
  gtk_show_uri(GTK_WINDOW(self->context->window), uri, GDK_CURRENT_TIME);
}
