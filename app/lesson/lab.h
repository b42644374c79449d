/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where claims are measured: simulated scans with their pipelines and slices, kept while the claims of a step are
 * checked. Used by one thread at a time. */
#ifndef GANTRY_LESSON_LAB_H
#define GANTRY_LESSON_LAB_H

#include "app/lesson/state.h"
#include "recon/base/job.h"
#include "recon/metric/region.h"
#include "recon/solve/pipeline.h"

typedef struct gantry_lesson_lab gantry_lesson_lab;

gantry_lesson_lab *gantry_lesson_lab_new(ct_error **error);
void gantry_lesson_lab_free(gantry_lesson_lab *lab);

/* The pipeline of the state's scan, prepared for its plan. Borrowed until the next call. */
ct_pipeline *gantry_lesson_lab_pipeline(gantry_lesson_lab *lab, const gantry_lesson_state *state, ct_job *job,
                                        ct_error **error);

/* The state's slice as it is reconstructed, and what it should be. Values borrowed until the lab is freed; false:
 * cannot be made, or CT_ERROR_CANCELLED. */
typedef struct gantry_lesson_slice {
  ct_slice_image image; /* reconstructed */
  const float *truth;   /* of the same pixels */
  ct_grid grid;         /* of the whole volume */
  int index;
} gantry_lesson_slice;
bool gantry_lesson_lab_slice(gantry_lesson_lab *lab, const gantry_lesson_state *state, gantry_lesson_slice *slice,
                             ct_job *job, ct_error **error);

/* What can be measured of a state: id, title, unit, and what its arguments are, in words; counts: bit n says that it
 * takes n arguments. */
typedef struct gantry_measuring gantry_measuring;
struct gantry_quantity {
  const char *id, *title, *unit, *arguments;
  unsigned counts;
  bool (*measure)(const gantry_measuring *measuring, double *value, ct_error **error);
};
const struct gantry_quantity *gantry_quantities(size_t *count);

struct gantry_measuring {
  gantry_lesson_lab *lab;
  const gantry_lesson_state *state, *own; /* own: of the step, which `state` may differ from */
  const double *arguments;
  int count;
  ct_job *job;
};

#endif
