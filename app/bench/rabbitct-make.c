/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic RabbitCT data: exact projections of a phantom along a C-arm's irregular orbit, weighted (cosine, Parker)
 * and ramp-filtered, so that their sum over p / w^2 is the attenuation in 1/mm. */
#include "app/bench/problems-private.h"
#include "app/bench/rabbitct-private.h"
#include "recon/filter/filter.h"
#include "recon/phantom/phantom.h"

#include <math.h>

enum { REAL_COLUMNS = 1248, REAL_ROWS = 960 };

/* Water, 0.02/mm, becomes 1000 and air 0: with another second number the scale, which gives 0 where f <= 0, would jump
 * there, and the least rounding error could count as that jump. */
const float bench_rabbitct_scale[2] = {50000, 0};

bool bench_make_rabbitct(int detector, int views, int threads, ct_job *job, ct_geometry *geometry, ct_stack **stack,
                         ct_error **error) {
  const double factor = (double)REAL_COLUMNS / detector;
  const bench_problem problem = {
      .name = "RabbitCT",
      .beam = "free",
      .nu = detector,
      .nv = (int)fmax(1, floor(REAL_ROWS / factor + 0.5)),
      .views = views,
      .du = 0.32 * factor,
      .sod = 750,
      .sdd = 1200,
      .arc = 200 * M_PI / 180,
      .wobble = 0.01,
  };
  const ct_filter_options options = {.window = CT_WINDOW_RAM_LAK, .cutoff = 1, .threads = threads};
  *stack = NULL;
  if (!bench_problem_geometry(&problem, geometry, error)) return false;
  ct_filter *filter = ct_filter_new(geometry, &options, error);
  if (filter) *stack = ct_phantom_project(ct_phantom_find("shepp-logan-3d"), 95, 0.02, geometry, 1, job, error);
  const bool good = *stack && ct_filter_stack(filter, *stack, *stack, job, error);
  ct_filter_free(filter);
  if (good) return true;
  ct_stack_free(*stack);
  *stack = NULL;
  ct_geometry_clear(geometry);
  return false;
}
