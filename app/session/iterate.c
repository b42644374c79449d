/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterative volumes: the curve of the run under way and of those before, going on with one, and the filtered
 * back-projection beside it. */
#include "app/session/session-private.h"

#include "recon/base/units.h"
#include "ui/plan-iterative.h"

#define MOST_ITERATIONS 100000

static gboolean is_iterative(const ct_plan *plan) {
  return plan->iterative.method != CT_METHOD_DIRECT;
}

/* The engine has a run of the present plan that more iterations can be added to. */
gboolean gantry_session_can_continue(GantrySession *self) {
  const ct_plan *plan = gantry_session_get_plan(self);
  ct_plan present = *plan;
  gantry_session_engine_plan(self, &present);
  return self->scan && !self->job && self->run_kept && is_iterative(plan) && self->run_done < MOST_ITERATIONS &&
         gantry_plans_iterate_alike(&self->run_plan, &present);
}

void gantry_session_continue(GantrySession *self, int more) {
  if (!gantry_session_can_continue(self)) return;
  if (more < 1) more = self->run_step;
  ct_plan plan = *gantry_session_get_plan(self);
  plan.iterative.iterations = MIN(self->run_done + more, MOST_ITERATIONS);
  self->run_step = more;
  const int before = gantry_session_get_plan(self)->iterative.iterations;
  gantry_session_set_plan(self, &plan, "iterative.iterations");
  gantry_session_reconstruct(self, NULL);
  if (self->job_kind == GANTRY_JOB_VOLUME) self->continued_from = before;
}

void gantry_session_take_back_continue(GantrySession *self) {
  ct_plan plan = *gantry_session_get_plan(self);
  const int before = self->continued_from;
  self->continued_from = 0;
  if (!before || plan.iterative.iterations != self->run_plan.iterative.iterations) return;
  plan.iterative.iterations = before;
  gantry_session_set_plan(self, &plan, "iterative.iterations");
}

/* The task of a volume is about to be pushed: what it needs and shows when it iterates. */
void gantry_session_begin_run(GantrySession *self, GantryVolumeTask *task) {
  const ct_plan *plan = &task->plan;
  self->has_point = FALSE;
  self->continued_from = 0;
  if (!is_iterative(plan) || task->path) return;
  const gboolean goes_on = self->run_kept && gantry_plans_iterate_alike(&self->run_plan, plan) &&
                           plan->iterative.iterations >= self->run_done;
  task->goes_on_from = goes_on ? self->run_done : 0;
  if (!goes_on) {
    task->start = self->volume ? gantry_result_ref(self->volume) : NULL;
    task->reference = self->reference ? gantry_result_ref(self->reference) : NULL;
    self->run_step = plan->iterative.iterations;
    self->run_done = 0;
  }
  if (!goes_on || !gantry_window_has_run(self->window, self->run)) {
    g_autofree char *name = gantry_plan_run_name(plan), *recipe = gantry_plan_run_recipe(plan);
    self->run = gantry_window_add_run(self->window, name, recipe);
    self->run_is_new = TRUE;
  } else {
    self->run_is_new = FALSE;
  }
  task->run = self->run;
  self->run_plan = *plan;
  self->run_kept = FALSE;
}

void gantry_session_show_curve(GantrySession *self, guint run, const ct_iteration *points, gsize count) {
  if (!self->window || !count || run != self->run || self->job_kind != GANTRY_JOB_VOLUME) return;
  self->last_point = points[count - 1];
  self->has_point = TRUE;
  gantry_window_set_run(self->window, run, points, count, self->run_plan.iterative.iterations);
}

/* The curve is that of the volume. A run that goes on and is cancelled leaves the one before, a new one that is
 * cancelled its own. */
void gantry_session_end_run(GantrySession *self, const GantryVolumeTask *task) {
  if (!task->run) return;
  const GantryResult *made = task->result;
  self->has_point = FALSE;
  if (made && made->iterations) {
    self->run_kept = TRUE;
    self->run_done = made->iterations;
    gantry_window_set_run(self->window, task->run, made->curve, (gsize)made->iterations, 0);
  } else if (task->goes_on_from) {
    self->run_kept = TRUE;
    if (!self->run_is_new && self->volume && self->volume->run == task->run)
      gantry_window_set_run(self->window, task->run, self->volume->curve, (gsize)self->volume->iterations, 0);
    else
      gantry_window_remove_run(self->window, task->run);
  } else if (task->points) {
    gantry_window_set_run(self->window, task->run, task->curve, task->points, 0);
    gantry_window_mark_run_cancelled(self->window, task->run);
  } else {
    gantry_window_remove_run(self->window, task->run);
  }
}

/* There is nothing that Reconstruct could add to the volume: says so. */
gboolean gantry_session_run_is_complete(GantrySession *self, const ct_plan *plan) {
  const GantryResult *volume = self->volume;
  if (!is_iterative(plan) || !volume || !self->run_kept || volume->iterations != plan->iterative.iterations ||
      !gantry_plans_agree(&volume->plan, plan))
    return FALSE;
  g_autofree char *title = gantry_result_dup_title(volume);
  gantry_session_toast(self, GANTRY_ABOUT_RUN, "_Continue", "win.continue",
                       "Nothing to be done, this is it already: %s", title);
  return TRUE;
}

void gantry_session_announce_run(GantrySession *self, const GantryResult *result, int goes_on_from) {
  const double residual = result->curve[result->iterations - 1].residual;
  const int asked = result->plan.iterative.iterations;
  const char *how = result->stopped == CT_STOPPED_RESIDUAL ? "Reached the residual asked for"
                    : result->stopped == CT_STOPPED_CHANGE ? "Changes no more"
                    : result->iterations < asked           ? "Finished early"
                                                           : "Reconstructed";
  char time[32], number[32];
  ct_format_duration(result->seconds, time, sizeof time);
  const int more = result->iterations - goes_on_from;
  g_autofree char *title = gantry_result_dup_title(result);
  g_autofree char *done = !goes_on_from ? g_strdup_printf("%s in %s", how, time)
                          : more <= 0
                              ? g_strdup("Taken from the run before")
                              : g_strdup_printf("%s, %d more iteration%s in %s", how, more, more == 1 ? "" : "s", time);
  gantry_session_toast(self, GANTRY_ABOUT_RUN, "_Continue", "win.continue", "%s: %s, residual %s", done, title,
                       ct_format_number(residual, 3, number, sizeof number));
}

void gantry_session_announce_projector(GantrySession *self, const GantryVolumeTask *task) {
  const char *chosen = task->plan.iterative.projector;
  const ct_pipeline_facts *facts = task->outcome ? &task->outcome->facts : NULL;
  if (!is_iterative(&task->plan) || !facts || !facts->projector || g_str_equal(chosen, "auto") ||
      g_str_equal(chosen, facts->projector->id))
    return;
  gantry_session_toast(self, GANTRY_ABOUT_ASIDE, NULL, NULL, "%s was used. %s", facts->projector->title,
                       facts->projector_why);
}

/* A matrix that does not fit, a projector that cannot do this geometry: the automatic choice does. */
void gantry_session_offer_projector(GantrySession *self, const ct_plan *plan) {
  if (!is_iterative(plan) || g_str_equal(plan->iterative.projector, "auto")) return;
  gantry_window_offer_remedy(self->window, "_Automatic Projector",
                             "Take the fastest projector that suits the scan and the free memory", "win.use-projector");
}

void gantry_session_use_projector(GantrySession *self) {
  if (!self->scan || self->job) return;
  const gboolean run = self->run_refused;
  ct_plan plan = *gantry_session_get_plan(self);
  g_strlcpy(plan.iterative.projector, "auto", sizeof plan.iterative.projector);
  gantry_window_clear_error(self->window);
  gantry_session_set_plan(self, &plan, "iterative.projector");
  if (run) gantry_session_reconstruct(self, NULL);
}

gboolean gantry_session_can_compare_direct(GantrySession *self) {
  return self->scan && is_iterative(gantry_session_get_plan(self));
}

/* B becomes what filtered back-projection makes of the present values: slices on demand. */
void gantry_session_compare_direct(GantrySession *self) {
  if (!gantry_session_can_compare_direct(self)) return;
  ct_plan plan = *gantry_session_get_plan(self);
  plan.iterative.method = CT_METHOD_DIRECT;
  gantry_session_engine_plan(self, &plan);
  gantry_session_set_reference_plan(self, &plan);
  gantry_session_toast(self, GANTRY_ABOUT_REFERENCE, "_Swipe", "win.mode::swipe",
                       self->job_kind == GANTRY_JOB_VOLUME
                           ? "B is filtered back-projection of the same projections, once the run has ended"
                           : "B is filtered back-projection of the same projections");
}
