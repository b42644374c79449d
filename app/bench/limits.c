/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each kernel's share of the bound that the machine's rates set.
 *
 * The bound of linear interpolation: an update takes at least `samples` loads of 4 bytes from L1 and as many fused
 * multiply-adds: two samples where all voxels of a line share the other coordinate (detector columns along z, or
 * parallel slices), four for projection matrices and tilted detectors; and each sweep over the volume, one per batch of
 * views, reads and writes 8 bytes of memory per voxel. The lowest of the three rates is the bound. What a kernel spends
 * on finding its samples comes on top: no kernel reaches it. */
#include "app/bench/measure-private.h"
#include "app/bench/suites-private.h"
#include "recon/geom/questions.h"

#include <math.h>

static void set_bound(bench *b, const bench_rates *r, const bench_case *c) {
  const bool one_line = ct_geometry_promises(&c->geometry, CT_TRAIT_CIRCULAR) && c->geometry.tilt == 0;
  const int samples = one_line ? 2 : 4;
  const int wanted = b->options.batch ? b->options.batch : ct_bp_batch_views(NULL, &c->grid);
  const int batch = wanted < c->geometry.views ? wanted : c->geometry.views;
  const double l1 = r->l1 / (4 * samples), fma = r->fma / (2 * samples), memory = r->update * batch / 8;
  b->bound_gups = fmin(l1, fmin(fma, memory));
  b->bound_by = b->bound_gups == memory ? "memory" : b->bound_gups == l1 ? "L1" : "FMA";
}

bool bench_limits(bench *b, ct_error **error) {
  bench_rates r;
  if (b->options.curve)
    return bench_check_problems(b, bench_problems, bench_problem_count, NULL, error) && bench_curve(b, error);
  if (!bench_check_problems(b, bench_problems, bench_problem_count, NULL, error)) return false;
  if (!bench_measure_rates(b, &r, error)) return false;
  bool good = true;
  for (int n = 0; good && n < bench_problem_count; n++) {
    ct_error *fault = NULL;
    bench_case c;
    if (!bench_chosen(b, bench_problems[n].name, "cone-512,parallel-64,free-512")) continue;
    if (!bench_case_open(b, &bench_problems[n], &c, &fault)) {
      bench_skip(b, bench_problems[n].name, NULL, &fault);
      continue;
    }
    set_bound(b, &r, &c);
    const bench_run model = {.interp = CT_INTERP_LINEAR,
                             .precision = CT_PRECISION_FLOAT32,
                             .threads = b->options.threads,
                             .batch = b->options.batch};
    good = bench_measure_all(b, &c, &model, error);
    bench_case_clear(&c);
  }
  return good;
}
