/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The task that reads volumes along a ray, or the line integral that its pixel measured. */
#include "app/tasks-private.h"

#include <math.h>

/* NAN: there are no line integrals now, or none at that place. */
static double read_measured(const GantryRayTask *self) {
  if (gantry_engine_get_scan(self->engine) != self->scan) return NAN;
  ct_pipeline *pipeline = gantry_engine_get_pipeline(self->engine, GANTRY_A, NULL);
  const ct_stack *stack = pipeline ? ct_pipeline_get_line_integrals(pipeline) : NULL;
  const GantryRay *ray = &self->values.ray;
  if (!stack || ray->view < 0 || ray->view >= ct_stack_views(stack)) return NAN;
  const double u = ray->uv[0], v = ray->uv[1];
  const int nu = ct_stack_nu(stack), nv = ct_stack_nv(stack);
  if (!(u >= -0.5 && u <= nu - 0.5 && v >= -0.5 && v <= nv - 0.5)) return NAN;
  const int i = (int)CLAMP(floor(u), 0, MAX(nu - 2, 0)), j = (int)CLAMP(floor(v), 0, MAX(nv - 2, 0));
  const int next = nu > 1 ? 1 : 0, above = nv > 1 ? nu : 0;
  const double a = CLAMP(u - i, 0, 1), b = CLAMP(v - j, 0, 1);
  const float *p = ct_stack_get_view(stack, ray->view) + (gsize)j * nu + i;
  return (1 - b) * ((1 - a) * p[0] + a * p[next]) + b * ((1 - a) * p[above] + a * p[above + next]);
}

static void ray_run(GantryTask *task) {
  GantryRayTask *self = (GantryRayTask *)task;
  ct_error *error = NULL;
  if (self->engine) self->values.measured = read_measured(self);
  for (int side = 0; side < GANTRY_SIDES; side++) {
    const ct_volume *volume = self->results[side] ? self->results[side]->volume : NULL;
    if (volume && self->values.ray.in_field &&
        !ct_ray_profile_make(ct_volume_get_data(volume), ct_volume_grid(volume), self->values.ray.field.from,
                             self->values.ray.field.to, &self->values.sides[side], &error))
      gantry_work_fail(task, &error);
  }
}

static void ray_free(GantryTask *task) {
  GantryRayTask *self = (GantryRayTask *)task;
  for (int side = 0; side < GANTRY_SIDES; side++) {
    gantry_result_unref(self->results[side]);
    ct_ray_profile_clear(&self->values.sides[side]);
  }
  if (self->scan) gantry_scan_unref(self->scan);
  gantry_work_free(task);
}

GantryRayTask *gantry_ray_task_new(GObject *owner, GantryDone done, const GantryRay *ray) {
  GantryRayTask *self = gantry_work_init(g_new0(GantryRayTask, 1), owner, done, ray_run, ray_free);
  self->work.task.slot = GANTRY_SLOT_RAY;
  self->values = (GantryRayValues){.ray = *ray, .measured = NAN};
  return self;
}
