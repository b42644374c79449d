/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Direct Fourier reconstruction beside the back-projection that `auto` takes: 16 slices of N x N voxels from N views,
 * for which the one needs about N^2 log N and the other N^3 steps. Filtering is the same for both and not timed. */
#include "app/bench/measure-private.h"
#include "app/bench/problems-private.h"
#include "app/bench/suites-private.h"
#include "recon/solve/fourier/fourier.h"
#include "recon/solve/plan.h"

/* clang-format off */
static const bench_problem problems[] = {
  {"slices-256", "parallel", 256, 16, 256, 1, 0, 0, 0.3, 0, 0, 3.141592653589793, 0, 256, 256, 16, 1, 0, 0},
  {"slices-512", "parallel", 512, 16, 512, 1, 0, 0, 0.3, 0, 0, 3.141592653589793, 0, 512, 512, 16, 1, 0, 0},
  {"slices-1024", "parallel", 1024, 16, 1024, 1, 0, 0, 0.3, 0, 0, 3.141592653589793, 0, 1024, 1024, 16, 1, 0, 0},
  {"slices-2048", "parallel", 2048, 16, 2048, 1, 0, 0, 0.3, 0, 0, 3.141592653589793, 0, 2048, 2048, 16, 1, 0, 0},
};
/* clang-format on */
enum { COUNT = sizeof problems / sizeof *problems };
const char bench_fourier_problems[] = "slices-256, slices-512, slices-1024, slices-2048, all";

static bool measure(bench *b, const bench_problem *problem, ct_error **error) {
  bench_case c;
  ct_plan plan;
  ct_plan_init(&plan);
  if (!bench_case_open(b, problem, &c, error)) return false;
  bench_run run = {.interp = CT_INTERP_LINEAR,
                   .precision = CT_PRECISION_FLOAT32,
                   .threads = b->options.threads,
                   .all_views = true,
                   .fourier = &plan.fourier};
  const ct_bp_request request = bench_request(b, &c, &run);
  run.kernel = ct_bp_choose(&b->backend.kernels, "auto", &request, NULL, 0, error);
  bool good = run.kernel && bench_measure(b, &c, &run, error);
  run.kernel = &ct_fourier_kernel;
  run.batch = c.geometry.views;
  good = good && bench_measure(b, &c, &run, error);
  bench_case_clear(&c);
  return good;
}

bool bench_fourier(bench *b, ct_error **error) {
  if (!bench_check_problems(b, problems, COUNT, NULL, error)) return false;
  for (int n = 0; n < COUNT; n++)
    if (bench_chosen(b, problems[n].name, "slices-256,slices-512,slices-1024") && !measure(b, &problems[n], error))
      return false;
  return true;
}
