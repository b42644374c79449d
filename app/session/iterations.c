/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run goes on where the plans differ in the number of iterations alone. */
#include "app/session/iterations.h"

#include "ui/plan/iterative.h"

#define MOST_ITERATIONS 100000

struct _GantryIterations {
  GantryContext *context;
  GantryJobs *jobs;
  GantryShelf *shelf;
  guint run;       /* number of its curve; 0: none */
  gboolean is_new; /* the curve began with the run under way */
  ct_plan plan;
  gboolean kept; /* the engine can go on with it */
  int done, step;
  int continued_from; /* iterations of the plan before Continue began the run under way; 0: something else did */
  gboolean has_point;
  ct_iteration point; /* the last one of the run under way */
};

GantryIterations *gantry_iterations_new(GantryContext *context, GantryJobs *jobs, GantryShelf *shelf) {
  GantryIterations *self = g_new0(GantryIterations, 1);
  self->context = gantry_context_ref(context);
  self->jobs = jobs;
  self->shelf = shelf;
  return self;
}

void gantry_iterations_free(GantryIterations *self) {
  gantry_context_unref(self->context);
  g_free(self);
}

void gantry_iterations_reset(GantryIterations *self) {
  self->kept = self->has_point = FALSE;
  self->run = 0;
  gantry_window_clear_runs(self->context->window);
}

static gboolean is_iterative(const ct_plan *plan) {
  return ct_method_iterates(plan->iterative.method);
}

/* The curve */

void gantry_iterations_begin(GantryIterations *self, GantryVolumeTask *task, GantryResult *reference) {
  const ct_plan *plan = &task->plan;
  GantryResult *result = gantry_shelf_get_result(self->shelf);
  self->has_point = FALSE;
  self->continued_from = 0;
  if (!is_iterative(plan) || task->path) return;
  const gboolean goes_on =
      self->kept && gantry_plans_iterate_alike(&self->plan, plan) && plan->iterative.iterations >= self->done;
  task->goes_on_from = goes_on ? self->done : 0;
  GantryEntry *entry = goes_on ? gantry_shelf_find_run(self->shelf, self->run) : NULL;
  const GantryResult *facts = entry ? gantry_entry_get_facts(entry) : NULL;
  if (facts && facts->kept) task->kept_before = gantry_kept_iterations_ref(facts->kept);
  if (!goes_on) {
    task->start = result ? gantry_result_ref(result) : NULL;
    task->reference = reference ? gantry_result_ref(reference) : NULL;
    self->step = plan->iterative.iterations;
    self->done = 0;
  }
  self->is_new = !goes_on || !gantry_window_has_run(self->context->window, self->run);
  if (self->is_new) {
    g_autofree char *name = gantry_plan_run_name(plan), *recipe = gantry_plan_run_recipe(plan);
    self->run = gantry_window_add_run(self->context->window, name, recipe);
  }
  task->run = self->run;
  self->plan = *plan;
  self->kept = FALSE;
}

void gantry_iterations_show(GantryIterations *self, guint run, const ct_iteration *points, gsize count) {
  if (!self->context->window || !count || run != self->run || gantry_jobs_get_kind(self->jobs) != GANTRY_JOB_VOLUME)
    return;
  self->point = points[count - 1];
  self->has_point = TRUE;
  gantry_window_set_run(self->context->window, run, points, count, self->plan.iterative.iterations);
}

const ct_iteration *gantry_iterations_get_point(GantryIterations *self) {
  return self->has_point ? &self->point : NULL;
}

static void show_curve_of(GantryIterations *self, const GantryResult *result, guint run) {
  gantry_window_set_run(self->context->window, run, result->curve, (gsize)result->iterations, 0);
}

/* The curve is that of the volume. A run that goes on and is cancelled leaves the one before, a new one that is
 * cancelled its own. */
void gantry_iterations_end(GantryIterations *self, const GantryVolumeTask *task) {
  if (!task->run) return;
  GantryWindow *window = self->context->window;
  GantryEntry *entry = gantry_shelf_find_run(self->shelf, task->run);
  const GantryResult *made = task->result, *before = entry ? gantry_entry_get_facts(entry) : NULL;
  self->has_point = FALSE;
  if (made && made->iterations) {
    self->kept = TRUE;
    self->done = made->iterations;
    show_curve_of(self, made, task->run);
  } else if (task->goes_on_from) {
    self->kept = TRUE;
    if (!self->is_new && before)
      show_curve_of(self, before, task->run);
    else
      gantry_window_remove_run(window, task->run);
  } else if (task->points) {
    gantry_window_set_run(window, task->run, task->curve, task->points, 0);
    gantry_window_mark_run_cancelled(window, task->run);
  } else {
    gantry_window_remove_run(window, task->run);
  }
}

/* Going on */

gboolean gantry_iterations_can_continue(GantryIterations *self, const ct_plan *plan) {
  return gantry_jobs_is_idle(self->jobs) && self->kept && is_iterative(plan) && self->done < MOST_ITERATIONS &&
         gantry_plans_iterate_alike(&self->plan, plan);
}

/* A run that was finished early lacks some of what was asked for. */
int gantry_iterations_get_step(GantryIterations *self) {
  const int lacking = self->plan.iterative.iterations - self->done;
  return self->kept && lacking > 0 ? lacking : self->step;
}

int gantry_iterations_extend(GantryIterations *self, int more) {
  if (more > 0) self->step = more;
  return MIN(self->done + (more > 0 ? more : gantry_iterations_get_step(self)), MOST_ITERATIONS);
}

void gantry_iterations_continued_from(GantryIterations *self, int iterations) {
  self->continued_from = iterations;
}

int gantry_iterations_take_back(GantryIterations *self, const ct_plan *plan) {
  const int before = self->continued_from;
  self->continued_from = 0;
  return plan->iterative.iterations == self->plan.iterative.iterations ? before : 0;
}

gboolean gantry_iterations_is_complete(GantryIterations *self, const ct_plan *plan) {
  const GantryResult *result = gantry_shelf_get_result(self->shelf);
  return is_iterative(plan) && result && self->kept && result->iterations == plan->iterative.iterations &&
         gantry_plans_agree(&result->plan, plan);
}
