/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: time to convergence and speed-up over ART on one thread (Figs. 11 and 12 of Yu et al. 2018), each
 * method with each projector in one table. The paper states no error at which it stops, only that ART has converged
 * after 15 iterations, its forms after 30 (view by view) and 50 (all rays at once). So the RMSE that ART has after 15
 * is what the others have to reach; beside that, the ratio that the paper's iterations give at the speeds measured. */
#include "app/bench/iterative-private.h"

#include "app/json.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ITERATIONS = 300, ART_ITERATIONS = 15 };

typedef struct contender {
  ct_method method;
  const char *projector;
  bool gpu;
  int published; /* iterations in the paper's Fig. 13; 0: none */
} contender;

static const contender contenders[] = {
    {CT_METHOD_ART, "auto", false, ART_ITERATIONS},
    {CT_METHOD_ART_GLOBAL, "auto", false, 50},
    {CT_METHOD_ART_VIEW, "auto", false, 30},
    {CT_METHOD_ART_VIEW, "orbit-matrix", false, 0}, /* so many views at a time as it ties together: not the paper's */
    {CT_METHOD_ART_GLOBAL, "scsr-global", false, 50},
    {CT_METHOD_ART_VIEW, "scsr-view", false, 30},
    {CT_METHOD_ART_VIEW, "csr", false, 30},
    {CT_METHOD_ART_GLOBAL, "csr", false, 50},
    {CT_METHOD_ART_GLOBAL, "csr-merge", false, 50},
    {CT_METHOD_ART_GLOBAL, "scsr", false, 50},
    {CT_METHOD_SART, "auto", false, 0},
    {CT_METHOD_SIRT, "auto", false, 0},
    {CT_METHOD_ART_GLOBAL, "gl-csr-merge", true, 50},
    {CT_METHOD_ART_GLOBAL, "gl-scsr", true, 50},
    {CT_METHOD_ART_GLOBAL, "gl-scsr-global", true, 50},
    {CT_METHOD_ART_VIEW, "gl-scsr-view", true, 30},
    {CT_METHOD_ART_VIEW, "gl-scsr-even", true, 30},
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders };

/* Of ART on one thread. */
typedef struct base {
  double rmse, seconds;
} base;

static double sum_seconds(const ct_iteration *curve, size_t count) {
  double seconds = 0;
  for (size_t i = 0; i < count; i++) seconds += curve[i].seconds;
  return seconds;
}

static json_t *ratio_of(bool known, double seconds, double other) {
  return known ? gantry_json_real(seconds / other) : json_null();
}

static void add_row(bench *b, const iter_case *c, const contender *who, int threads, const ct_iterative *run,
                    base *art) {
  size_t count;
  const ct_iteration *curve = ct_iterative_get_curve(run, &count);
  const double seconds = sum_seconds(curve, count);
  ct_projector_shape shape;
  ct_iterative_get_shape(run, &shape);
  if (isnan(art->rmse)) *art = (base){curve[count - 1].rmse, seconds};
  const bool reached = curve[count - 1].rmse <= art->rmse;
  iter_add_row(b, "time",
               json_pack("{s:s, s:i, s:i, s:s, s:s, s:i, s:b, s:i, s:f, s:f, s:f, s:o, s:o, s:o, s:f}", "problem",
                         c->problem.name, "size", c->problem.n, "views", c->problem.views, "method",
                         iter_method_id(who->method), "projector", ct_iterative_get_projector(run)->id, "threads",
                         threads, "reached", reached, "iterations", (int)count, "rmse", curve[count - 1].rmse,
                         "iteration_ms", 1e3 * seconds / (double)count, "seconds", seconds, "ratio",
                         ratio_of(reached, art->seconds, seconds), "published_iterations",
                         who->published ? json_integer(who->published) : json_null(), "published_ratio",
                         ratio_of(who->published, art->seconds, seconds / (double)count * who->published),
                         "prepare_seconds", shape.seconds));
}

/* ART on one thread does its 15 iterations; the others go on until they have its RMSE, for no longer than five
 * times its time and --limit. */
static bool race(bench *b, const iter_case *c, const contender *who, int threads, base *art, ct_error **error) {
  const bool first = isnan(art->rmse);
  const int most = first ? ART_ITERATIONS : MOST_ITERATIONS;
  const double longest = first ? INFINITY : fmax(5 * art->seconds, b->options.limit);
  bench_say(b, "%s: %s, %s, %d thread%s", c->problem.name, iter_method_id(who->method), who->projector, threads,
            threads == 1 ? "" : "s");
  ct_iterative *run = iter_start(b, c,
                                 &(iter_run){.method = who->method,
                                             .projector = who->projector,
                                             .compared = true,
                                             .nonnegative = true,
                                             .threads = threads},
                                 error);
  bool good = run != NULL, done = false;
  for (int n = 1; good && !done && n <= most; n++) {
    size_t count;
    good = ct_iterative_run(run, n, NULL, b->job, error);
    const ct_iteration *curve = ct_iterative_get_curve(run, &count);
    done = good && !first && (curve[count - 1].rmse <= art->rmse || sum_seconds(curve, count) > longest);
  }
  if (good) add_row(b, c, who, threads, run, art);
  ct_iterative_free(run);
  return good;
}

/* Of those that a device is needed for, only where there is one or they are named. */
static bool takes_part(const bench *b, const contender *who) {
  return bench_listed(b->options.kernels, who->projector) && (!who->gpu || b->backend.device || b->options.kernels);
}

static bool race_all(bench *b, const iter_case *c, ct_error **error) {
  base art = {NAN, NAN};
  if (!race(b, c, &contenders[0], 1, &art, error)) return false;
  for (int i = 0; i < CONTENDERS; i++) {
    ct_error *fault = NULL;
    if ((i == 0 && b->options.threads == 1) || !takes_part(b, &contenders[i])) continue;
    if (!race(b, c, &contenders[i], b->options.threads, &art, &fault) &&
        !iter_skip(b, c->problem.name, contenders[i].projector, &fault, error))
      return false;
  }
  return true;
}

enum { PROBLEMS = 4 };
static const iter_problem problems[PROBLEMS] = {{"fan-256-180", "fan", 256, 1, 512, 180, CT_MODEL_AREA, 360, 0},
                                                {"fan-512-720", "fan", 512, 1, 1024, 720, CT_MODEL_AREA, 360, 0},
                                                {"fan-1024-720", "fan", 1024, 1, 1024, 720, CT_MODEL_AREA, 360, 0},
                                                {"fan-2048-720", "fan", 2048, 1, 1024, 720, CT_MODEL_AREA, 360, 0}};

/* Without --problems the smallest that --size does not enlarge, or the small one. */
static bool chosen(const bench *b, int number) {
  int ordinary = 0;
  while (ordinary < PROBLEMS - 1 && problems[ordinary].n < b->options.size) ordinary++;
  return bench_chosen(b, problems[number].name, problems[ordinary].name);
}

static bool run(bench *b, ct_error **error) {
  for (int n = 0; n < PROBLEMS; n++) {
    iter_case c;
    if (!chosen(b, n)) continue;
    if (!iter_open(b, &problems[n], &c, error)) return false;
    const bool good = iter_project(b, &c, error) && race_all(b, &c, error);
    iter_close(&c);
    if (!good) return false;
  }
  return true;
}

const iter_part iter_time = {"time", problems, PROBLEMS, run};
