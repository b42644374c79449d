/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roofline of the machine (Williams, Waterman and Patterson 2009; with all traffic of the first-level cache, as in
 * Figure 10 of Chen et al. 2021): what arithmetic and each level of memory allow at an intensity, and the measured rate
 * of every kernel whose updates are counted (counts.c). */
#include "app/bench/counts-private.h"
#include "app/bench/roofline-private.h"
#include "app/bench/suites-private.h"
#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/geom/questions.h"
#include "recon/simd/level.h"

#include <math.h>
#include <string.h>

static bool has_several(unsigned bits) {
  return bits & (bits - 1);
}

static void add_point(bench *b, const bench_case *c, const bench_run *run, const json_t *measured,
                      bench_roofline_data *all) {
  const ct_bp_request request = bench_request(b, c, run);
  const double gups = json_number_value(json_object_get(measured, "gups"));
  bench_count count;
  if (!bench_count_of(run->kernel, &request, &count)) return;
  bench_roofline_point p = {.precision = run->precision,
                            .problem = all->problems - 1,
                            .intensity = count.flops / count.bytes,
                            .gflops = count.flops * gups};
  const bool tells_interp = run->interp != CT_INTERP_LINEAR && has_several(run->kernel->interps);
  snprintf(p.name, sizeof p.name, "%s%s%s", run->kernel->id, tells_interp ? ", " : "",
           tells_interp ? ct_interp_id(run->interp) : "");
  const double roof = bench_roof_at(&all->rates, p.intensity);
  bench_row row = {.kernel = run->kernel->id,
                   .problem = c->name,
                   .precision = ct_precision_id(run->precision),
                   .interp = ct_interp_id(run->interp),
                   .threads = run->kernel->serial ? 1 : run->threads,
                   .batch = bench_pass_views(run->kernel, &request),
                   .seconds = NAN,
                   .spread = NAN,
                   .gups = gups,
                   .speedup = NAN,
                   .rel_rmse = NAN,
                   .bytes = NAN};
  snprintf(row.note, sizeof row.note,
           "%.3g flop and %.3g B an update, %.2g flop/B: %.3g GF/s, %.0f %% of the roof (%s)", count.flops, count.bytes,
           p.intensity, p.gflops, 100 * p.gflops / roof, roof < all->rates.fma ? "L1" : "arithmetic");
  bench_add_row(b, &row,
                json_pack("{s:f, s:f, s:f, s:f, s:f}", "flops", count.flops, "l1_bytes", count.bytes, "intensity",
                          p.intensity, "gflops", p.gflops, "roof_gflops", roof));
  if (all->count < BENCH_ROOFLINE_POINTS) all->points[all->count++] = p;
}

static bool find_choice(const char *precision, const char *interp, bench_run *run) {
  bool found[2] = {false, false};
  for (int n = CT_PRECISION_FLOAT32; n <= CT_PRECISION_FLOAT64; n++)
    if (!strcmp(precision, ct_precision_id((ct_precision)n))) run->precision = (ct_precision)n, found[0] = true;
  for (int n = CT_INTERP_NEAREST; n <= CT_INTERP_OVERSAMPLED; n++)
    if (!strcmp(interp, ct_interp_id((ct_interp)n))) run->interp = (ct_interp)n, found[1] = true;
  return found[0] && found[1];
}

/* Kernels without linear interpolation by those that they have. */
static bool measure_others(bench *b, bench_case *c, const bench_run *model, ct_error **error) {
  for (size_t i = 0; i < b->backend.kernels.count; i++) {
    bench_run run = *model;
    run.kernel = b->backend.kernels.kernels[i];
    if (run.kernel->gpu || run.kernel->interps & CT_BIT(CT_INTERP_LINEAR) ||
        !ct_geometry_promises(&c->geometry, run.kernel->geometry) || !bench_listed(b->options.kernels, run.kernel->id))
      continue;
    for (int interp = CT_INTERP_NEAREST; interp <= CT_INTERP_OVERSAMPLED; interp++)
      for (int p = CT_PRECISION_FLOAT32; p <= CT_PRECISION_FLOAT64; p++) {
        run.interp = (ct_interp)interp, run.precision = (ct_precision)p;
        if (run.kernel->interps & CT_BIT(interp) && run.kernel->precisions & CT_BIT(p) &&
            !bench_measure(b, c, &run, error))
          return false;
      }
  }
  return true;
}

/* Rows that were measured from `first` on, a point each. */
static void add_points(bench *b, const bench_case *c, const bench_run *model, size_t first, bench_roofline_data *all) {
  const size_t end = json_array_size(b->rows);
  for (size_t n = first; n < end; n++) {
    const json_t *row = json_array_get(b->rows, n);
    const char *id = json_string_value(json_object_get(row, "kernel"));
    const char *precision = json_string_value(json_object_get(row, "precision"));
    const char *interp = json_string_value(json_object_get(row, "interpolation"));
    bench_run run = *model;
    run.kernel = id ? ct_bp_find(&b->backend.kernels, id) : NULL;
    if (run.kernel && precision && interp && find_choice(precision, interp, &run)) add_point(b, c, &run, row, all);
  }
}

static bool write_picture(const bench *b, const bench_roofline_data *all, ct_error **error) {
  if (!b->options.picture || !all->problems) return true;
  char *text = bench_roofline_draw(all, error);
  const bool good = text && ct_output_write_text(b->options.picture, text, error);
  ct_free(text);
  return good;
}

/* A picture has room for so many panels. */
static bool check_panels(const bench *b, ct_error **error) {
  int chosen = 0;
  for (int n = 0; n < bench_problem_count; n++) chosen += bench_chosen(b, bench_problems[n].name, "cone-512");
  return !b->options.picture || chosen <= BENCH_ROOFLINE_PANELS ||
         ct_error_set(error, CT_ERROR_ARGUMENT, "The picture of a roofline shows up to %d problems, not %d.",
                      BENCH_ROOFLINE_PANELS, chosen);
}

bool bench_roofline(bench *b, ct_error **error) {
  bench_roofline_data all = {0};
  ct_simd_describe_machine(all.machine, sizeof all.machine);
  bool good = bench_check_problems(b, bench_problems, bench_problem_count, NULL, error) && check_panels(b, error) &&
              bench_measure_rates(b, &all.rates, error);
  for (int n = 0; good && n < bench_problem_count; n++) {
    ct_error *fault = NULL;
    bench_case c;
    if (!bench_chosen(b, bench_problems[n].name, "cone-512")) continue;
    if (!bench_case_open(b, &bench_problems[n], &c, &fault)) {
      bench_skip(b, bench_problems[n].name, NULL, &fault);
      continue;
    }
    const bench_run model = {.interp = CT_INTERP_LINEAR,
                             .own_interps = true,
                             .precision = CT_PRECISION_FLOAT32,
                             .threads = b->options.threads,
                             .batch = b->options.batch};
    if (all.problems < BENCH_ROOFLINE_PANELS) snprintf(all.names[all.problems], sizeof all.names[0], "%s", c.name);
    all.problems++;
    const size_t first = json_array_size(b->rows);
    good = bench_measure_all(b, &c, &model, error) && measure_others(b, &c, &model, error);
    if (good) add_points(b, &c, &model, first, &all);
    bench_case_clear(&c);
  }
  return good && write_picture(b, &all, error);
}
