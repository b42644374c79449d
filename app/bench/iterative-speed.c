/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: seconds of A x and A^T y of every projector, and of an iteration of every method. */
#include "app/bench/iterative-private.h"

#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/iterative/solver.h"

#include <math.h>
#include <string.h>

static const iter_problem problems[] = {
    {"parallel-512", "parallel", 512, 1, 512, 360, CT_MODEL_JOSEPH, 180, 0.5},
    {"parallel-512x64", "parallel", 512, 64, 512, 360, CT_MODEL_JOSEPH, 180, 0.5},
    {"fan-512", "fan", 512, 1, 1024, 720, CT_MODEL_JOSEPH, 360, 0.5},
    {"fan-1024", "fan", 1024, 1, 1024, 720, CT_MODEL_JOSEPH, 360, 0.5},
    {"cone-256", "cone", 256, 256, 256, 180, CT_MODEL_JOSEPH, 360, 0.5},
};
enum { PROBLEMS = sizeof problems / sizeof *problems, MOST_RUNS = 100 };

/* A projector on a case, with vectors in its layout. */
typedef struct pair {
  const ct_projector *projector;
  ct_projector_state *state;
  ct_projector_shape shape;
  float *x, *y;
} pair;

static void close_pair(pair *p) {
  if (p->state) p->projector->free(p->state);
  ct_free(p->x);
  ct_free(p->y);
}

static bool open_pair(bench *b, const iter_case *c, pair *p, ct_error **error) {
  const ct_projector_request request = iter_request(b, c);
  if (!ct_projector_accepts(p->projector, &request, error) ||
      !(p->state = ct_projector_prepare(p->projector, &request, b->job, error)))
    return false;
  p->projector->shape(p->state, &p->shape);
  p->x = ct_alloc_zero(p->shape.image, sizeof *p->x, "the image", error);
  p->y = ct_alloc_zero(p->shape.rays, sizeof *p->y, "the rays", error);
  return p->x && p->y;
}

static bool apply(const pair *p, bool back, ct_error **error) {
  return back ? p->projector->back(p->state, NULL, 0, p->y, p->x, error)
              : p->projector->forward(p->state, NULL, 0, p->x, p->y, error);
}

/* The first run touches memory and is not counted, unless it alone takes the limit. */
static bool time_one(const bench *b, const pair *p, bool back, double *seconds, double *spread, ct_error **error) {
  double times[MOST_RUNS], spent = 0;
  int runs = 0;
  for (int n = -1; n < b->options.repeat && (n < 1 || spent < b->options.limit); n++) {
    const bench_clock start = bench_start();
    if (!ct_job_may_go_on(b->job, error) || !apply(p, back, error)) return false;
    const double time = bench_elapsed(b, start, b->options.threads);
    if (n < 0 && time < b->options.limit) continue;
    times[runs++] = time;
    spent += time;
    if (n < 0) break;
  }
  *seconds = bench_median(times, runs, spread);
  return true;
}

static double dot(const float *a, const float *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (double)a[i] * (double)b[i];
  return sum;
}

/* |<A x, y> - <x, A^T y>| / (|A x| |y|) with x the phantom and y its line integrals, roughened. */
static bool check_adjoint(const iter_case *c, const pair *p, double *difference, ct_error **error) {
  const size_t rays = ct_stack_bytes(c->integrals) / sizeof(float), voxels = ct_grid_voxels(&c->grid);
  float *ax = ct_alloc(rays, sizeof *ax, "line integrals", error), *y = ct_alloc(rays, sizeof *y, "rays", error);
  float *aty = ct_alloc(voxels, sizeof *aty, "an image", error);
  const float *integrals = ct_stack_get_view(c->integrals, 0), *x = ct_volume_get_data(c->truth);
  bool good = ax && y && aty;
  if (good) {
    for (size_t i = 0; i < rays; i++) y[i] = integrals[i] * (float)((i * 2654435761u >> 7) % 1024) / 1024;
    p->projector->image_in(p->state, x, p->x);
    good = apply(p, false, error);
  }
  if (good) {
    p->projector->rays_out(p->state, p->y, ax);
    p->projector->rays_in(p->state, y, p->y);
    good = apply(p, true, error);
  }
  if (good) {
    p->projector->image_out(p->state, p->x, aty);
    *difference = fabs(dot(ax, y, rays) - dot(x, aty, voxels)) / sqrt(dot(ax, ax, rays) * dot(y, y, rays));
  }
  ct_free(ax);
  ct_free(y);
  ct_free(aty);
  return good;
}

static bool measure_pair(bench *b, const iter_case *c, const ct_projector *projector, ct_error **error) {
  pair p = {.projector = projector};
  double forward, back, spread[2], difference = NAN;
  bench_say(b, "%s: %s", c->problem.name, projector->id);
  bool good = open_pair(b, c, &p, error);
  if (good) p.projector->image_in(p.state, ct_volume_get_data(c->truth), p.x);
  good = good && time_one(b, &p, false, &forward, &spread[0], error) &&
         time_one(b, &p, true, &back, &spread[1], error) && check_adjoint(c, &p, &difference, error);
  if (good)
    iter_add_row(b, "projectors",
                 json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:o}", "problem", c->problem.name, "projector",
                           projector->id, "slices", c->problem.nz, "forward_ms", 1e3 * forward, "back_ms", 1e3 * back,
                           "spread", fmax(spread[0], spread[1]), "bytes", p.shape.bytes, "prepare_seconds",
                           p.shape.seconds, "adjoint", gantry_json_real(difference)));
  close_pair(&p);
  return good;
}

/* The processor's projectors, then the graphics device's; NULL ends them. */
static const ct_projector *projector_at(const bench *b, size_t i) {
  size_t count;
  const ct_projector *const *projectors = ct_projectors(&count);
  if (i < count) return projectors[i];
  return i - count < b->backend.projectors.count ? b->backend.projectors.projectors[i - count] : NULL;
}

static bool measure_pairs(bench *b, const iter_case *c, ct_error **error) {
  const ct_projector *projector;
  for (size_t i = 0; (projector = projector_at(b, i)); i++) {
    const bool named = b->options.kernels && bench_listed(b->options.kernels, projector->id);
    if (!named && (b->options.kernels || !strcmp(projector->id, "textbook"))) continue;
    if (!named && !ct_geometry_promises(&c->geometry, projector->geometry)) continue;
    if (!named && projector->gpu && !b->backend.device) continue;
    ct_error *fault = NULL;
    if (!measure_pair(b, c, projector, &fault) && !iter_skip(b, c->problem.name, projector->id, &fault, error))
      return false;
  }
  return true;
}

static bool measure_method(bench *b, const iter_case *c, const ct_solver *solver, const char *projector, bool matched,
                           ct_error **error) {
  enum { LEAST = 4, MOST = 16 };
  bench_say(b, "%s: %s", c->problem.name, solver->names->id);
  ct_iterative *run =
      iter_start(b, c, &(iter_run){(ct_method)solver->names->value, projector, .unmatched = !matched}, error);
  if (!run) return false;
  double times[MOST], spread = 0, spent = 0;
  size_t count = 0;
  bool good = true;
  const ct_iteration *curve = NULL;
  while (good && count < MOST && (count < LEAST || spent < b->options.limit)) {
    good = ct_iterative_run(run, (int)count + 1, NULL, b->job, error);
    curve = ct_iterative_get_curve(run, &count);
    if (count) spent += curve[count - 1].seconds;
    if (count == 1 && spent > b->options.limit) break;
  }
  if (good && count) {
    const size_t skipped = count > 1;
    for (size_t i = skipped; i < count; i++) times[i - skipped] = curve[i].seconds;
    const double seconds = bench_median(times, (int)(count - skipped), &spread);
    iter_add_row(b, "methods",
                 json_pack("{s:s, s:s, s:s, s:b, s:i, s:f, s:f, s:i}", "problem", c->problem.name, "method",
                           solver->names->id, "projector", ct_iterative_get_projector(run)->id, "matched",
                           (int)ct_iterative_get_projector(run)->matched, "slices", c->problem.nz, "iteration_ms",
                           1e3 * seconds, "spread", spread, "iterations", (int)count));
  }
  ct_iterative_free(run);
  return good;
}

static bool measure_solver(bench *b, const iter_case *c, const ct_solver *solver, ct_error **error) {
  const ct_projector_request request = iter_request(b, c);
  const ct_projector *any = ct_projector_choose("auto", false, &request, NULL, 0, NULL);
  ct_error *fault = NULL;
  if (!b->options.kernels) {
    if (!measure_method(b, c, solver, "auto", true, &fault) &&
        !iter_skip(b, c->problem.name, solver->names->id, &fault, error))
      return false;
    if (!any || any->matched || (solver->needs & CT_NEEDS_MATCHED)) return true;
    return measure_method(b, c, solver, "auto", false, &fault) ||
           iter_skip(b, c->problem.name, solver->names->id, &fault, error);
  }
  const ct_projector *projector;
  for (size_t i = 0; (projector = projector_at(b, i)); i++) {
    if (!bench_listed(b->options.kernels, projector->id)) continue;
    if (!measure_method(b, c, solver, projector->id, projector->matched, &fault) &&
        !iter_skip(b, c->problem.name, solver->names->id, &fault, error))
      return false;
  }
  return true;
}

static bool measure_solvers(bench *b, const iter_case *c, ct_error **error) {
  size_t count;
  const ct_solver *const *solvers = ct_solvers(&count);
  for (size_t i = 0; i < count; i++)
    if (!measure_solver(b, c, solvers[i], error)) return false;
  return true;
}

static bool each_problem(bench *b, bool (*measure)(bench *b, const iter_case *c, ct_error **error), ct_error **error) {
  for (int n = 0; n < PROBLEMS; n++) {
    if (!iter_chosen(b, problems + n)) continue;
    iter_case c;
    if (!ct_job_may_go_on(b->job, error) || !iter_open(b, &problems[n], &c, error)) return false;
    ct_error *fault = NULL;
    bool good = iter_project(b, &c, &fault) ? measure(b, &c, error) : iter_skip(b, c.problem.name, NULL, &fault, error);
    iter_close(&c);
    if (!good) return false;
  }
  return true;
}

static bool run_projectors(bench *b, ct_error **error) {
  return each_problem(b, measure_pairs, error);
}

static bool run_methods(bench *b, ct_error **error) {
  return each_problem(b, measure_solvers, error);
}

const iter_part iter_projectors = {"projectors", problems, PROBLEMS, run_projectors};
const iter_part iter_methods = {"methods", problems, PROBLEMS, run_methods};
