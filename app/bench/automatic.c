/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How good the automatic choice is: on a spread of problems, in every precision and with every interpolation that fast
 * kernels serve, what it takes is measured beside the kernels that it ranks next. */
#include "app/bench/counts-private.h"
#include "app/bench/measure-private.h"
#include "app/bench/suites-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kernels of a problem that are measured: the pick and those ranked behind it. */
enum { CANDIDATES = 5 };

/* By rank, best first; returns how many. */
static size_t find_candidates(const bench *b, const ct_bp_request *request, const ct_bp_kernel *list[CANDIDATES]) {
  size_t count = 0;
  for (size_t i = 0; i < b->backend.kernels.count; i++) {
    const ct_bp_kernel *kernel = b->backend.kernels.kernels[i];
    if (!bench_listed(b->options.kernels, kernel->id) || !strcmp(kernel->id, "textbook") ||
        !ct_bp_accepts(kernel, request, NULL))
      continue;
    size_t at = count < CANDIDATES ? count++ : CANDIDATES;
    for (; at > 0 && ct_bp_rank(list[at - 1], request) < ct_bp_rank(kernel, request); at--)
      if (at < CANDIDATES) list[at] = list[at - 1];
    if (at < CANDIDATES) list[at] = kernel;
  }
  return count;
}

/* GUPS of one kernel on the case; 0 when it could not be measured. */
static bool measure_one(bench *b, bench_case *c, const bench_run *run, double *gups, ct_error **error) {
  const size_t rows = json_array_size(b->rows);
  if (!bench_measure(b, c, run, error)) return false;
  const json_t *row = json_array_size(b->rows) > rows ? json_array_get(b->rows, rows) : NULL;
  *gups = row ? json_number_value(json_object_get(row, "gups")) : 0;
  return true;
}

static void report(bench *b, const bench_case *c, const bench_run *run, const ct_bp_kernel *best, double gups,
                   double best_gups) {
  const ct_bp_request request = bench_request(b, c, run);
  bench_row row = {.kernel = run->kernel->id,
                   .problem = c->name,
                   .precision = ct_precision_id(run->precision),
                   .interp = ct_interp_id(run->interp),
                   .threads = run->threads,
                   .batch = bench_pass_views(run->kernel, &request),
                   .seconds = NAN,
                   .spread = NAN,
                   .gups = gups,
                   .speedup = NAN,
                   .rel_rmse = NAN,
                   .bytes = NAN};
  const double share = best_gups > 0 ? gups / best_gups : NAN;
  if (best == run->kernel)
    snprintf(row.note, sizeof row.note, "auto: the fastest");
  else
    snprintf(row.note, sizeof row.note, "auto: %.0f %% of %s with %.3g GUPS%s", 100 * share, best->id, best_gups,
             share < 0.9 ? ", too slow" : "");
  bench_add_row(b, &row,
                json_pack("{s:b, s:s, s:f, s:f}", "auto", 1, "best", best->id, "best_gups", best_gups, "share", share));
}

static bool judge(bench *b, bench_case *c, ct_interp interp, ct_precision precision, ct_error **error) {
  bench_run run = {.interp = interp, .precision = precision, .threads = b->options.threads, .batch = b->options.batch};
  const ct_bp_request request = bench_request(b, c, &run);
  const ct_bp_kernel *list[CANDIDATES] = {NULL};
  const ct_bp_kernel *pick = ct_bp_choose(&b->backend.kernels, "auto", &request, NULL, 0, NULL), *best = pick;
  const size_t count = find_candidates(b, &request, list);
  double of_pick = 0, most = 0;
  if (!pick || count < 2) return true;
  for (size_t i = 0; i < count; i++) {
    double gups;
    run.kernel = list[i];
    if (!measure_one(b, c, &run, &gups, error)) return false;
    if (list[i] == pick) of_pick = gups;
    if (gups > most) most = gups, best = list[i];
  }
  run.kernel = pick;
  if (of_pick > 0) report(b, c, &run, best, of_pick, most);
  return true;
}

bool bench_judge_auto(bench *b, bench_case *c, ct_error **error) {
  static const ct_interp interps[] = {CT_INTERP_LINEAR, CT_INTERP_NEAREST, CT_INTERP_OVERSAMPLED};
  for (size_t i = 0; i < sizeof interps / sizeof *interps; i++)
    for (int precision = CT_PRECISION_FLOAT32; precision <= CT_PRECISION_INT16; precision++)
      if (!judge(b, c, interps[i], (ct_precision)precision, error)) return false;
  return true;
}
