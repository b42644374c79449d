/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: how large system matrices are (Table 1 of Yu et al. 2018), and what keeping them takes (its Figs. 16
 * and 17). */
#include "app/bench/iterative-private.h"

#include "app/json.h"
#include "recon/fp/matrix/build.h"
#include "recon/fp/symmetry.h"

#include <stdio.h>
#include <string.h>

/* The paper's scans: a fan of 1024 rays, 360 and 720 views over the circle. */
#define PAPER(n, views)                                                                                                \
  { "fan-" #n "-" #views, "fan", n, 1, 1024, views, CT_MODEL_AREA, 360, 0 }
static const iter_problem problems[] = {PAPER(512, 720), PAPER(1024, 720), PAPER(2048, 720),
                                        PAPER(512, 360), PAPER(1024, 360), PAPER(2048, 360)};
enum { PROBLEMS = sizeof problems / sizeof *problems, KEPT = 3 /* those of the second table */ };

/* Eight bytes an entry and as many a row. */
static double csr_bytes(double entries, double rows) {
  return 8 * entries + 8 * (rows + 1);
}

static bool count_one(bench *b, const iter_problem *problem, ct_error **error) {
  iter_case c;
  if (!iter_open(b, problem, &c, error)) return false;
  ct_matrix_request whole = ct_matrix_whole(&c.geometry, &c.grid, c.problem.model, b->options.threads);
  ct_symmetry *symmetry = ct_symmetry_new(&c.geometry, &c.grid, CT_SYMMETRY_SQUARE, error);
  uint64_t all = 0, stored = 0;
  bench_say(b, "%s: counting", problem->name);
  const bench_clock start = bench_start();
  bool good = symmetry && ct_matrix_count(&whole, NULL, &all, b->job, error);
  if (good) {
    ct_matrix_request part = whole;
    part.views = symmetry->view;
    part.rays = symmetry->count;
    part.view_count = symmetry->slots;
    good = ct_matrix_count(&part, NULL, &stored, b->job, error);
  }
  if (good) {
    const double seconds = bench_elapsed(b, start, b->options.threads), rows = (double)c.geometry.views * c.geometry.nu;
    iter_add_row(b, "sizes",
                 json_pack("{s:s, s:i, s:i, s:i, s:I, s:I, s:f, s:f, s:f, s:f}", "problem", problem->name, "n",
                           c.problem.n, "views", c.problem.views, "rays", c.problem.nu, "entries", (json_int_t)all,
                           "stored_entries", (json_int_t)stored, "csr_bytes", csr_bytes((double)all, rows),
                           "scsr_bytes", csr_bytes((double)stored, (double)symmetry->rays), "ratio",
                           (double)all / (double)stored, "count_seconds", seconds));
  }
  ct_symmetry_free(symmetry);
  iter_close(&c);
  return good;
}

static bool run_sizes(bench *b, ct_error **error) {
  for (int n = 0; n < PROBLEMS; n++) {
    ct_error *fault = NULL;
    if (iter_chosen(b, problems + n) && !count_one(b, problems + n, &fault) &&
        !iter_skip(b, problems[n].name, "sizes", &fault, error))
      return false;
  }
  return true;
}

static bool prepare_one(bench *b, const iter_case *c, const char *name, const ct_projector *projector,
                        ct_error **error) {
  const ct_projector_request request = iter_request(b, c);
  bench_say(b, "%s, %s: building", name, projector->id);
  if (!ct_projector_accepts(projector, &request, error)) return false;
  const bench_clock start = bench_start();
  ct_projector_state *state = ct_projector_prepare(projector, &request, b->job, error);
  if (!state) return false;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  iter_add_row(b, "memory",
               json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f}", "problem", name, "projector", projector->id, "model",
                         ct_model_id(c->problem.model), "entries", shape.entries, "stored_entries", shape.stored,
                         "bytes", shape.bytes, "prepare_seconds", bench_elapsed(b, start, b->options.threads)));
  projector->free(state);
  return true;
}

static bool run_memory(bench *b, ct_error **error) {
  size_t count;
  const ct_projector *const *projectors = ct_projectors(&count);
  for (int n = 0; n < KEPT; n++) {
    const char *name = problems[n].name;
    if (!iter_chosen(b, problems + n)) continue;
    iter_case c;
    if (!iter_open(b, problems + n, &c, error)) return false;
    for (size_t i = 0; i < count; i++) {
      if (!projectors[i]->stored || !bench_listed(b->options.kernels, projectors[i]->id)) continue;
      ct_error *fault = NULL;
      if (prepare_one(b, &c, name, projectors[i], &fault) || iter_skip(b, name, projectors[i]->id, &fault, error))
        continue;
      iter_close(&c);
      return false;
    }
    iter_close(&c);
  }
  return true;
}

const iter_part iter_sizes = {"sizes", problems, PROBLEMS, run_sizes};
const iter_part iter_memory = {"memory", problems, KEPT, run_memory};
