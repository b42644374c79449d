/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans, pipelines and slices of the states that claims compare: each is made once. */
#include "app/lesson/lab.h"

#include "recon/base/memory.h"

#include <math.h>

/* A step compares few states: what is more is made anew in the place of the oldest. */
enum { SCANS = 6, SLICES = 12 };

typedef struct scan {
  ct_simulation simulation;
  ct_scan *scan;
  ct_pipeline *pipeline;
} scan;

typedef struct slice {
  gantry_lesson_state state;
  gantry_lesson_slice made;
  float *values;
  ct_volume *truth;
} slice;

struct gantry_lesson_lab {
  scan scans[SCANS];
  slice slices[SLICES];
  int scan_count, slice_count;
};

gantry_lesson_lab *gantry_lesson_lab_new(ct_error **error) {
  return ct_alloc_zero(1, sizeof(gantry_lesson_lab), "the lesson's scans", error);
}

static void clear_scan(scan *s) {
  ct_pipeline_free(s->pipeline);
  ct_scan_free(s->scan);
  *s = (scan){0};
}

static void clear_slice(slice *s) {
  ct_free(s->values);
  ct_volume_free(s->truth);
  *s = (slice){0};
}

void gantry_lesson_lab_free(gantry_lesson_lab *lab) {
  if (!lab) return;
  for (int i = 0; i < SCANS; i++) clear_scan(&lab->scans[i]);
  for (int i = 0; i < SLICES; i++) clear_slice(&lab->slices[i]);
  ct_free(lab);
}

static scan *scan_of(gantry_lesson_lab *lab, const ct_simulation *simulation, ct_job *job, ct_error **error) {
  for (int i = 0; i < SCANS; i++)
    if (lab->scans[i].pipeline && gantry_same_simulation(&lab->scans[i].simulation, simulation)) return &lab->scans[i];
  scan *s = &lab->scans[lab->scan_count++ % SCANS];
  clear_scan(s);
  s->simulation = *simulation;
  s->scan = ct_simulate(simulation, simulation->phantom->id, job, error);
  s->pipeline = s->scan ? ct_pipeline_new(s->scan, NULL, error) : NULL;
  return s->pipeline ? s : NULL;
}

ct_pipeline *gantry_lesson_lab_pipeline(gantry_lesson_lab *lab, const gantry_lesson_state *state, ct_job *job,
                                        ct_error **error) {
  scan *s = scan_of(lab, &state->simulation, job, error);
  return s && ct_pipeline_prepare_planes(s->pipeline, &state->plan, job, error) ? s->pipeline : NULL;
}

static bool same_slice(const gantry_lesson_state *a, const gantry_lesson_state *b) {
  return a->plane == b->plane && (a->position == b->position || (isnan(a->position) && isnan(b->position))) &&
         gantry_same_simulation(&a->simulation, &b->simulation) && ct_plan_equal(&a->plan, &b->plan);
}

static bool make_slice(gantry_lesson_lab *lab, slice *s, ct_job *job, ct_error **error) {
  const gantry_lesson_state *state = &s->state;
  ct_pipeline *pipeline = gantry_lesson_lab_pipeline(lab, state, job, error);
  if (!pipeline) return false;
  gantry_lesson_slice *made = &s->made;
  made->grid = ct_pipeline_get_facts(pipeline)->grid;
  int width, height, count;
  ct_grid_plane_size(&made->grid, state->plane, &width, &height, &count);
  made->index = count / 2;
  if (!isnan(state->position) && !ct_slice_at(&made->grid, state->plane, state->position, &made->index, error))
    return false;
  if (ct_pipeline_slice_is_preview(pipeline, &state->plan, state->plane))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "This method makes whole volumes: a claim can be measured on the axial slices of parallel or "
                        "fan beam.");
  s->values = ct_alloc((size_t)width * (size_t)height, sizeof *s->values, "a slice", error);
  if (!s->values || !ct_pipeline_slice(pipeline, &state->plan, state->plane, made->index, s->values, job, error))
    return false;
  const ct_grid plane = ct_grid_plane(&made->grid, state->plane, made->index);
  if (!(s->truth = ct_simulation_truth(&state->simulation, &plane, job, error))) return false;
  made->image = ct_slice_image_of(&made->grid, state->plane);
  made->image.values = s->values;
  made->truth = ct_volume_data(s->truth);
  return true;
}

bool gantry_lesson_lab_slice(gantry_lesson_lab *lab, const gantry_lesson_state *state, gantry_lesson_slice *out,
                             ct_job *job, ct_error **error) {
  for (int i = 0; i < SLICES; i++)
    if (lab->slices[i].truth && same_slice(&lab->slices[i].state, state)) {
      *out = lab->slices[i].made;
      return true;
    }
  slice *s = &lab->slices[lab->slice_count++ % SLICES];
  clear_slice(s);
  s->state = *state;
  if (make_slice(lab, s, job, error)) {
    *out = s->made;
    return true;
  }
  clear_slice(s);
  return false;
}
