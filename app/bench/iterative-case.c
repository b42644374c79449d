/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench iterative: a problem in memory, a run on it, and the rows of all parts. */
#include "app/bench/iterative-private.h"

#include "recon/fp/projector.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/phantom/phantom.h"
#include "recon/solve/iterative/solver.h"

#include <math.h>
#include <string.h>

static const double side = 200, radius = 100; /* mm; the phantom's skull reaches 0.92 of the radius */

const char *iter_method_id(ct_method method) {
  return ct_solver_find(method)->names->id;
}

/* The problem no larger than --size voxels a side, with as many fewer rays and views. */
static iter_problem shrink(const bench *b, const iter_problem *problem) {
  iter_problem p = *problem;
  if (b->options.size <= 0 || p.n <= b->options.size) return p;
  const double share = (double)b->options.size / p.n;
  p.n = b->options.size;
  p.nu = (int)fmax(round(p.nu * share / 2) * 2, 2);
  p.nz = (int)fmax(round(p.nz * share), 1);
  /* Eight views or twice as many, and so on, keep the symmetry. */
  p.views = (int)fmax(round(p.views * share / 8) * 8, 8);
  return p;
}

bool iter_open(const bench *b, const iter_problem *problem, iter_case *c, ct_error **error) {
  *c = (iter_case){.problem = shrink(b, problem)};
  const iter_problem *p = &c->problem;
  const ct_beam beam = ct_beam_find(p->beam)->beam;
  const bool parallel = ct_beam_promises(beam, CT_TRAIT_PARALLEL);
  const int rows = ct_beam_promises(beam, CT_TRAIT_SPATIAL) ? p->nz : 1;
  if (!ct_geometry_init(&c->geometry, beam, p->nu, rows, p->views, error)) return false;
  const double voxel = side / p->n, magnification = parallel ? 1 : 1.5;
  c->geometry.du = side * magnification / p->nu;
  c->geometry.dv = parallel ? voxel : c->geometry.du;
  if (!parallel) {
    c->geometry.sod = 600;
    c->geometry.sdd = 600 * magnification;
  }
  const double step = p->arc * M_PI / 180 / p->views;
  ct_geometry_set_arc(&c->geometry, p->first * step, step);
  c->grid = ct_grid_centred(p->n, p->n, p->nz, voxel, NULL);
  const ct_phantom *phantom = ct_phantom_find(p->nz > 1 ? "shepp-logan-3d" : "shepp-logan");
  c->truth = ct_volume_new(&c->grid, error);
  if (c->truth && ct_phantom_voxelise(phantom, radius, 1, 4, c->truth, b->job, error)) return true;
  iter_close(c);
  return false;
}

ct_projector_request iter_request(const bench *b, const iter_case *c) {
  return (ct_projector_request){.geometry = &c->geometry,
                                .grid = c->grid,
                                .model = c->problem.model,
                                .threads = b->options.threads,
                                .device = b->backend.device,
                                .others = &b->backend.projectors};
}

bool iter_project(const bench *b, iter_case *c, ct_error **error) {
  const ct_projector_request request = iter_request(b, c);
  const ct_projector *projector = ct_projector_choose("auto", true, &request, NULL, 0, error);
  ct_projector_state *state = projector ? ct_projector_prepare(projector, &request, b->job, error) : NULL;
  if (!state) return false;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  float *x = ct_alloc(shape.image, sizeof *x, "the phantom", error),
        *y = ct_alloc(shape.rays, sizeof *y, "the line integrals", error);
  ct_stack_free(c->integrals);
  c->integrals = ct_stack_new(c->geometry.nu, c->geometry.nv, c->geometry.views, error);
  bool good = x && y && c->integrals;
  if (good) {
    projector->image_in(state, ct_volume_get_data(c->truth), x);
    memset(y, 0, shape.rays * sizeof *y);
    good = projector->forward(state, NULL, 0, x, y, error);
  }
  if (good) projector->rays_out(state, y, ct_stack_data(c->integrals));
  projector->free(state);
  ct_free(x);
  ct_free(y);
  return good;
}

bool iter_project_exactly(const bench *b, iter_case *c, ct_error **error) {
  ct_stack_free(c->integrals);
  c->integrals = ct_phantom_project(ct_phantom_find(c->problem.nz > 1 ? "shepp-logan-3d" : "shepp-logan"), radius, 1,
                                    &c->geometry, 3, b->job, error);
  return c->integrals != NULL;
}

void iter_close(iter_case *c) {
  ct_geometry_clear(&c->geometry);
  ct_volume_free(c->truth);
  ct_stack_free(c->integrals);
  c->truth = NULL;
  c->integrals = NULL;
}

ct_iterative *iter_start(const bench *b, const iter_case *c, const iter_run *asked, ct_error **error) {
  ct_iterative_request request = {.geometry = &c->geometry,
                                  .grid = c->grid,
                                  .integrals = c->integrals,
                                  .threads = asked->threads ? asked->threads : b->options.threads,
                                  .reference = asked->compared ? c->truth : NULL,
                                  .backend = &b->backend};
  ct_iterative_options_init(&request.options);
  request.options.method = (int)asked->method;
  request.options.model = (int)c->problem.model;
  request.options.matched = !asked->unmatched;
  request.options.nonnegative = asked->nonnegative;
  request.options.momentum = (int)asked->momentum;
  const ct_projector *projector = asked->projector ? ct_projector_find(asked->projector) : NULL;
  if (projector && projector->ties_views) request.options.block = CT_BLOCK_VIEWS;
  if (asked->block > 0) request.options.block = asked->block;
  if (asked->relaxation > 0) request.options.relaxation = asked->relaxation;
  snprintf(request.options.projector, sizeof request.options.projector, "%s",
           asked->projector ? asked->projector : "auto");
  return ct_iterative_new(&request, b->job, error);
}

/* Numbers as people read them in a table. */
static void print_value(const json_t *value) {
  if (json_is_string(value))
    printf(" %s |", json_string_value(value));
  else if (json_is_boolean(value))
    printf(" %s |", json_is_true(value) ? "yes" : "no");
  else if (json_is_integer(value))
    printf(" %lld |", (long long)json_integer_value(value));
  else if (json_is_real(value))
    printf(" %.4g |", json_real_value(value));
  else
    fputs(" |", stdout);
}

void iter_add_row(bench *b, const char *part, json_t *row) {
  const char *key;
  json_t *value;
  if (!b->part_printed || strcmp(b->part_printed, part) != 0) {
    printf("%s%s:\n|", b->part_printed ? "\n" : "", part);
    json_object_foreach(row, key, value) printf(" %s |", key);
    fputs("\n|", stdout);
    json_object_foreach(row, key, value) fputs("---|", stdout);
    putchar('\n');
    b->part_printed = part;
  }
  putchar('|');
  json_object_foreach(row, key, value) print_value(value);
  putchar('\n');
  fflush(stdout);
  json_object_set_new(row, "suite", json_string(b->suite->name));
  json_object_set_new(row, "part", json_string(part));
  if (!json_object_get(row, "threads")) json_object_set_new(row, "threads", json_integer(b->options.threads));
  json_array_append_new(b->rows, row);
}

bool iter_skip(bench *b, const char *problem, const char *what, ct_error **fault, ct_error **error) {
  if (*fault && (*fault)->code == CT_ERROR_CANCELLED) {
    if (error)
      *error = *fault;
    else
      ct_error_clear(fault);
    return false;
  }
  bench_skip(b, problem, what, fault);
  return true;
}
