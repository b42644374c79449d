/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suites that are loops over problems: the ladder, Chen's ten problems with batch sizes and threads, and parallel
 * beam. */
#include "app/bench/counts-private.h"
#include "app/bench/measure-private.h"
#include "app/bench/suites-private.h"

#include "render/compute/device.h"

#include <string.h>

static bench_run model_of(const bench *b) {
  return (bench_run){.interp = CT_INTERP_LINEAR,
                     .precision = CT_PRECISION_FLOAT32,
                     .threads = b->options.threads,
                     .batch = b->options.batch};
}

/* Opens a problem; one that does not fit is told and passed over (c->stack is NULL). */
static bool open_or_skip(bench *b, const bench_problem *problem, bench_case *c, ct_error **error) {
  ct_error *fault = NULL;
  if (!ct_job_may_go_on(b->job, error)) return false;
  if (!bench_case_open(b, problem, c, &fault)) bench_skip(b, problem->name, NULL, &fault);
  return true;
}

static bool each_problem(bench *b, const bench_problem *problems, int count, const char *ordinary,
                         bool (*measure)(bench *b, bench_case *c, ct_error **error), ct_error **error) {
  for (int n = 0; n < count; n++) {
    if (!bench_chosen(b, problems[n].name, ordinary)) continue;
    bench_case c;
    if (!open_or_skip(b, &problems[n], &c, error)) return false;
    if (!c.stack) continue;
    const bool good = measure(b, &c, error);
    bench_case_clear(&c);
    if (!good) return false;
  }
  return true;
}

static bool measure_linear(bench *b, bench_case *c, ct_error **error) {
  const bench_run model = model_of(b);
  return bench_measure_all(b, c, &model, error);
}

bool bench_ladder(bench *b, ct_error **error) {
  return bench_check_problems(b, bench_problems, bench_problem_count, NULL, error) &&
         each_problem(b, bench_problems, bench_problem_count, "cone-512", measure_linear, error);
}

static bool measure_interpolations(bench *b, bench_case *c, ct_error **error) {
  static const ct_interp interps[] = {CT_INTERP_LINEAR, CT_INTERP_NEAREST, CT_INTERP_OVERSAMPLED};
  for (size_t i = 0; i < sizeof interps / sizeof *interps; i++) {
    bench_run model = model_of(b);
    model.interp = interps[i];
    if (!bench_measure_all(b, c, &model, error)) return false;
  }
  return true;
}

bool bench_parallel(bench *b, ct_error **error) {
  return bench_check_problems(b, bench_problems, bench_problem_count, NULL, error) &&
         each_problem(b, bench_problems, bench_problem_count, "parallel-64,parallel-between,parallel-1",
                      measure_interpolations, error);
}

bool bench_auto(bench *b, ct_error **error) {
  return bench_check_problems(b, bench_problems, bench_problem_count, NULL, error) &&
         each_problem(
             b, bench_problems, bench_problem_count,
             "cone-512,cone-256,cone-1024-512,cone-512-offset,cone-tilt,cone-axial,cone-coronal,cone-sagittal,"
             "parallel-64,parallel-37,parallel-16,parallel-8,parallel-4,parallel-2,parallel-1,parallel-coronal,"
             "fan,free-512",
             bench_judge_auto, error);
}

/* Kernels of the sweeps: the listed ones, else Chen's and what `auto` takes. */
static bool sweeps(const bench *b, const bench_case *c, const ct_bp_kernel *kernel) {
  if (b->options.kernels) return bench_listed(b->options.kernels, kernel->id);
  const ct_bp_request request = {.geometry = &c->geometry,
                                 .grid = c->grid,
                                 .interp = CT_INTERP_LINEAR,
                                 .precision = CT_PRECISION_FLOAT32,
                                 .threads = b->options.threads,
                                 .batch = 16,
                                 .device = b->backend.device};
  return !strncmp(kernel->id, "chen", 4) ||
         kernel == ct_bp_choose(&b->backend.kernels, "auto", &request, NULL, 0, NULL);
}

static bool sweep_kernels(bench *b, bench_case *c, const bench_run *model, ct_error **error) {
  for (size_t i = 0; i < b->backend.kernels.count; i++) {
    bench_run run = *model;
    run.kernel = b->backend.kernels.kernels[i];
    if (!sweeps(b, c, run.kernel) || !strcmp(run.kernel->id, "textbook") || !strcmp(run.kernel->id, "voxel-loop"))
      continue;
    const ct_bp_request request = bench_request(b, c, &run);
    if (run.batch > 1 && bench_pass_views(run.kernel, &request) < run.batch) continue; /* nothing to sweep */
    /* A refusal is news of kernels that were asked for. */
    if ((b->options.kernels || ct_bp_accepts(run.kernel, &request, NULL)) && !bench_measure(b, c, &run, error))
      return false;
  }
  return true;
}

/* Chen et al. 2021, Fig. 6 and Fig. 9. */
static bool sweep_batches_and_threads(bench *b, bench_case *c, ct_error **error) {
  static const int batches[] = {1, 2, 4, 8, 16, 32};
  char name[sizeof c->name];
  snprintf(name, sizeof name, "%s", c->name);
  bench_run model = model_of(b);
  if (!bench_measure_loop(b, c, &model, error)) return false;
  for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
    model.batch = batches[i];
    snprintf(c->name, sizeof c->name, "%.40s, nb = %d", name, batches[i]);
    if (!sweep_kernels(b, c, &model, error)) return false;
  }
  model = model_of(b);
  for (int threads = 1;; threads = 2 * threads < b->options.threads ? 2 * threads : b->options.threads) {
    model.threads = threads;
    snprintf(c->name, sizeof c->name, "%.40s, %d thread%s", name, threads, threads == 1 ? "" : "s");
    if (!bench_measure_loop(b, c, &model, error) || !sweep_kernels(b, c, &model, error)) return false;
    if (threads >= b->options.threads) return true;
  }
}

bool bench_chen(bench *b, ct_error **error) {
  if (!bench_check_problems(b, bench_chen_problems, bench_chen_problem_count, NULL, error)) return false;
  const bool good =
      each_problem(b, bench_chen_problems, bench_chen_problem_count, "all", measure_linear, error) &&
      (b->options.sweep
           ? each_problem(b, bench_chen_problems, bench_chen_problem_count, "all", sweep_batches_and_threads, error)
           : !bench_chosen(b, "P5", "all") ||
                 each_problem(b, bench_chen_problems + 4, 1, "all", sweep_batches_and_threads, error));
  /* Also of what was measured before an interrupt. */
  bench_compare_with_rtk(b);
  return good;
}

static bool measure_filter(bench *b, ct_error **error) {
  const char *asked = b->options.problems;
  b->options.problems = NULL;
  const char *ordinary =
      ctgl_device_get_facts(b->backend.device)->software ? "cone-256,parallel-64" : "cone-512,parallel-64";
  const bool good = each_problem(b, bench_problems, bench_problem_count, ordinary, bench_card_filter, error);
  b->options.problems = asked;
  return good;
}

bool bench_gpu(bench *b, ct_error **error) {
  if (!b->backend.device)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "The suite gpu needs a graphics device, and no card was found; gantry-cli info --devices lists what "
        "there is, to be named with --device.");
  ct_error *fault = NULL;
  b->gpu_only = true;
  b->measures_card = ctgl_device_measure(b->backend.device, &fault);
  if (!b->measures_card) bench_skip(b, "card alone", NULL, &fault);
  /* RabbitCT whole is for cards; in software it has to be named. */
  const char *ordinary = ctgl_device_get_facts(b->backend.device)->software
                             ? "cone-512,cone-256,free-512,parallel-1,parallel-64"
                             : "rabbit-512,cone-512,cone-256,free-512,parallel-1,parallel-64";
  if (b->options.diagnose)
    return bench_check_problems(b, bench_problems, bench_problem_count, NULL, error) &&
           bench_diagnosis_begin(b, error) &&
           each_problem(b, bench_problems, bench_problem_count, "cone-256,parallel-64", bench_diagnose, error) &&
           bench_diagnosis_draw(b, error);
  const bool good = bench_check_problems(b, bench_problems, bench_problem_count, "filter, quality", error) &&
                    each_problem(b, bench_problems, bench_problem_count, ordinary, measure_interpolations, error) &&
                    (!bench_chosen(b, "filter", "filter") || measure_filter(b, error)) &&
                    (!bench_chosen(b, "quality", "quality") || bench_quality(b, error));
  /* Also of what was measured before an interrupt. */
  bench_make_tables(b);
  return good;
}
