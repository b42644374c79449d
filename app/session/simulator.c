/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One simulation at a time: what was quick is simulated again at once with the newest values when it has ended, so that
 * the slices follow the slider; what was slow waits until the values have stayed for a moment. */
#include "app/session/simulator.h"

#include "app/errors.h"
#include "app/tasks.h"
#include "recon/base/machine.h"
#include "ui/simulation/dialog.h"

#include <string.h>

/* s that a simulation may take to be made while a slider is moved, and ms that a slower one waits. */
#define QUICK 0.15
#define PAUSE_MS 250

struct _GantrySimulator {
  GObject parent_instance;
  GantrySimulatorParts with;
  GantrySimulationDialog *dialog; /* NULL: not asked yet */
  ct_simulation wanted;
  gboolean is_wanted;       /* the values have changed since */
  GantrySimulateTask *task; /* borrowed; NULL: none is under way */
  double begun;             /* when */
  double seconds;           /* of the last one */
  guint pause;
};

G_DEFINE_FINAL_TYPE(GantrySimulator, gantry_simulator, G_TYPE_OBJECT)

static void gantry_simulator_finalize(GObject *object) {
  GantrySimulator *self = GANTRY_SIMULATOR(object);
  g_clear_handle_id(&self->pause, g_source_remove);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_simulator_parent_class)->finalize(object);
}

static void gantry_simulator_class_init(GantrySimulatorClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_simulator_finalize;
}

static void gantry_simulator_init(GantrySimulator *self) {}

GantrySimulator *gantry_simulator_new(const GantrySimulatorParts *parts) {
  GantrySimulator *self = g_object_new(GANTRY_TYPE_SIMULATOR, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

/* A new scan */

typedef struct {
  ct_simulation simulation;
  char *object;
} Choice;

static void choice_free(gpointer data) {
  Choice *choice = data;
  g_free(choice->object);
  g_free(choice);
}

static void make_here(gpointer owner, gpointer data) {
  GantrySimulator *self = owner;
  const Choice *choice = data;
  gantry_jobs_cancel(self->with.jobs);
  gantry_scan_slot_simulate(self->with.slot, &choice->simulation, choice->object);
}

static void chosen(GantrySimulationDialog *dialog, const ct_simulation *simulation, const char *object,
                   GantrySimulator *self) {
  Choice *choice = g_new(Choice, 1);
  *choice = (Choice){*simulation, g_strdup(object)};
  const GantryQuestion question = {.heading = "Make another scan?",
                                   .discard = "_Make Scan",
                                   .go_on = make_here,
                                   .owner = self,
                                   .data = choice,
                                   .destroy = choice_free};
  gantry_questions_ask(self->with.questions, &question);
}

void gantry_simulator_ask(GantrySimulator *self) {
  if (!self->with.context->window) return;
  if (!self->dialog) {
    self->dialog = GANTRY_SIMULATION_DIALOG(gantry_simulation_dialog_new(GTK_WINDOW(self->with.context->window)));
    g_signal_connect_object(self->dialog, "chosen", G_CALLBACK(chosen), self, 0);
  }
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  const ct_simulation *present = scan ? gantry_scan_get_simulation(scan) : NULL;
  if (present && !gantry_scan_is_example(scan))
    gantry_simulation_dialog_show(self->dialog, present, gantry_scan_get_object(scan));
  gtk_window_present(GTK_WINDOW(self->dialog));
}

/* The present one, anew */

static void begin(GantrySimulator *self);

static void simulated(gpointer owner, GantryTask *task) {
  GantrySimulator *self = owner;
  GantrySimulateTask *simulate = (GantrySimulateTask *)task;
  if (self->task == simulate) self->task = NULL;
  if (!self->with.context->window || task->dropped) return;
  if (simulate->scan != gantry_scan_slot_get(self->with.slot)) return;
  if (simulate->made) {
    self->seconds = simulate->seconds;
    gantry_window_clear_error(self->with.context->window);
    gantry_scan_slot_renew(self->with.slot, simulate->made);
  } else if (!gantry_error_is_cancelled(simulate->work.error)) {
    gantry_context_show_error(self->with.context, simulate->work.error);
  }
  if (self->is_wanted && !self->pause) begin(self);
}

/* A volume in the making keeps its scan. */
static void begin(GantrySimulator *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  if (!scan || self->task || !gantry_jobs_is_idle(self->with.jobs)) return;
  self->is_wanted = FALSE;
  gantry_worker_cancel_slot(self->with.context->engine_worker, GANTRY_SLOT_PREVIEW);
  gantry_probe_begin(self->with.context->probe, "edit-to-first-plane");
  self->begun = ct_now();
  self->task = gantry_simulate_task_new(G_OBJECT(self), simulated, self->with.context->engine, scan, &self->wanted);
  gantry_worker_push(self->with.context->engine_worker, (GantryTask *)self->task);
}

static gboolean paused(gpointer data) {
  GantrySimulator *self = data;
  self->pause = 0;
  if (self->is_wanted) begin(self);
  return G_SOURCE_REMOVE;
}

/* A quick one is let come to its end, so that something is seen while a slider moves. */
static void give_up_slow(GantrySimulator *self) {
  GantryTask *task = (GantryTask *)self->task;
  if (task && task->job && ct_now() - self->begun > QUICK) ct_job_cancel(task->job);
}

static void changed(GantryWindow *window, const ct_simulation *simulation, GantrySimulator *self) {
  self->wanted = *simulation;
  self->is_wanted = TRUE;
  g_clear_handle_id(&self->pause, g_source_remove);
  give_up_slow(self);
  if (self->seconds <= QUICK)
    begin(self);
  else
    self->pause = g_timeout_add(PAUSE_MS, paused, self);
}

void gantry_simulator_connect(GantrySimulator *self) {
  g_signal_connect_object(self->with.context->window, "simulation-changed", G_CALLBACK(changed), self, 0);
}

void gantry_simulator_show(GantrySimulator *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  g_clear_handle_id(&self->pause, g_source_remove);
  self->task = NULL;
  self->is_wanted = FALSE;
  self->seconds = 0;
  if (self->with.context->window)
    gantry_window_set_simulation(self->with.context->window, scan ? gantry_scan_get_simulation(scan) : NULL);
}

void gantry_simulator_stop(GantrySimulator *self) {
  g_clear_handle_id(&self->pause, g_source_remove);
  if (self->dialog) gtk_window_destroy(GTK_WINDOW(self->dialog));
  self->dialog = NULL;
}
