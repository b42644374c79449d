/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A benchmark's problem in memory: noise as projections, a volume, and textbook's values on a lattice of its voxels. */
#include "app/bench/case-private.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"

#include <math.h>
#include <string.h>

/* Voxels of the lattice along a side; projections beyond this many bytes are thinned out, for a processor and for a
 * card. */
enum { LATTICE = 40 };
static const double most_projections = 1.1e9, most_for_cards = 4e9;

/* White noise about a smooth hill: every interpolation error shows. The same in every run. */
static void fill_noise(ct_stack *stack) {
  const int nu = ct_stack_nu(stack), nv = ct_stack_nv(stack), views = ct_stack_views(stack);
#pragma omp parallel for schedule(static)
  for (int view = 0; view < views; view++) {
    uint32_t state = 12345 + 2654435761u * (uint32_t)view;
    float *at = ct_stack_view(stack, view);
    for (int v = 0; v < nv; v++) {
      const double hill = sin(3.0 * (v + 1) / (nv + 1));
      for (int u = 0; u < nu; u++) {
        state = state * 1664525u + 1013904223u;
        *at++ = (float)((state >> 8) / 8388608.0 - 1 + sin(3.0 * u / nu) * hill);
      }
    }
  }
}

static bool check_memory(const char *name, const ct_grid *grid, const ct_geometry *geometry, ct_error **error) {
  char needed_text[32], available_text[32];
  const double available = (double)ct_memory_available(), one = 4.0 * geometry->nu * geometry->nv;
  const double needed = 4.0 * (double)ct_grid_voxels(grid) + one * fmin(geometry->views, 16);
  if (available <= 0 || needed < 0.9 * available) return true;
  return ct_error_set(error, CT_ERROR_MEMORY, "%s needs %s of memory, and %s are available.", name,
                      ct_format_bytes(needed, needed_text, sizeof needed_text),
                      ct_format_bytes(available, available_text, sizeof available_text));
}

/* As many of the views as memory allows, evenly spread. */
static bool thin_views(ct_geometry *g, const ct_grid *grid, double most_bytes, ct_error **error) {
  const double available = (double)ct_memory_available(), one = 4.0 * g->nu * g->nv;
  const double spare = available > 0 ? 0.9 * available - 4.0 * (double)ct_grid_voxels(grid) : most_bytes;
  const int most = (int)fmax(1, fmin(most_bytes, spare / 2) / one);
  if (most >= g->views) return true;
  return ct_geometry_take_views(g, 0, g->views / most, most, error);
}

bool bench_case_take(const char *name, ct_geometry *geometry, ct_stack *stack, const ct_grid *grid, bench_case *c,
                     ct_error **error) {
  *c = (bench_case){.geometry = *geometry, .views_stated = geometry->views, .grid = *grid, .stack = stack};
  *geometry = (ct_geometry){0};
  snprintf(c->name, sizeof c->name, "%s", name);
  if (check_memory(name, grid, &c->geometry, error) && (c->volume = ct_volume_new(grid, error))) return true;
  bench_case_clear(c);
  return false;
}

bool bench_case_open(const bench *b, const bench_problem *problem, bench_case *c, ct_error **error) {
  bench_problem p = bench_shrink(problem, b->options.size);
  if (b->gpu_only && b->options.views) p.views = b->options.views;
  const double centre[3] = {0, p.cy, p.cz};
  const ct_grid grid = ct_grid_centred(p.nx, p.ny, p.nz, p.voxel, centre);
  ct_geometry geometry = {0};
  *c = (bench_case){0};
  if (!bench_problem_geometry(&p, &geometry, error) || !check_memory(p.name, &grid, &geometry, error) ||
      !thin_views(&geometry, &grid, b->gpu_only ? most_for_cards : most_projections, error)) {
    ct_geometry_clear(&geometry);
    return false;
  }
  ct_stack *stack = ct_stack_new(geometry.nu, geometry.nv, geometry.views, error);
  if (!stack) {
    ct_geometry_clear(&geometry);
    return false;
  }
  fill_noise(stack);
  if (!bench_case_take(p.name, &geometry, stack, &grid, c, error)) return false;
  c->views_stated = p.views;
  return true;
}

void bench_case_clear(bench_case *c) {
  ct_geometry_clear(&c->geometry);
  ct_stack_free(c->stack);
  ct_volume_free(c->volume);
  ct_volume_free(c->expected);
  *c = (bench_case){0};
}

/* Odd strides: the lattice then meets every lane of a vector and every place of a tile. */
static int stride(int n, int most) {
  int step = most > 1 ? (n - 1) / (most - 1) : n;
  if (step % 2 == 0) step--;
  return step < 1 ? 1 : step;
}

ct_grid bench_lattice(const ct_grid *grid, int most, int steps[3]) {
  const int n[3] = {grid->nx, grid->ny, grid->nz};
  int count[3];
  for (int i = 0; i < 3; i++) {
    steps[i] = stride(n[i], most);
    count[i] = (n[i] - 1) / steps[i] + 1;
  }
  return (ct_grid){count[0], count[1], count[2], steps[0] * grid->dx, steps[1] * grid->dy, steps[2] * grid->dz,
                   grid->x0, grid->y0, grid->z0};
}

ct_bp_request bench_request(const bench *b, const bench_case *c, const bench_run *run) {
  return (ct_bp_request){.geometry = &c->geometry,
                         .grid = c->grid,
                         .interp = run->interp,
                         .precision = run->precision,
                         .threads = run->threads,
                         .batch = run->batch ? run->batch : ct_bp_batch_views(run->kernel, &c->grid),
                         .device = b->backend.device,
                         .fourier = run->fourier};
}

bool bench_add_views(bench *b, const bench_case *c, const bench_run *run, ct_bp_state *state, int first, int count,
                     ct_volume *volume, ct_error **error) {
  int *views = ct_alloc((size_t)run->batch, sizeof *views, "a batch", error);
  const float **projections = ct_alloc((size_t)run->batch, sizeof *projections, "a batch", error);
  bool good = views && projections;
  for (int done = 0; good && done < count; done += run->batch) {
    const int part = count - done < run->batch ? count - done : run->batch;
    for (int n = 0; n < part; n++) {
      views[n] = first + done + n;
      projections[n] = ct_stack_get_view(c->stack, views[n]);
    }
    good = ct_job_may_go_on(b->job, error) && run->kernel->run(state,
                                                               &(ct_bp_batch){.count = part,
                                                                              .views = views,
                                                                              .projections = projections,
                                                                              .first = first + done == 0,
                                                                              .last = done + part == count},
                                                               volume, b->job, error);
  }
  if (good && run->kernel->finish) good = run->kernel->finish(state, volume, error);
  ct_free(views);
  ct_free(projections);
  return good;
}

bool bench_expect(bench *b, bench_case *c, ct_interp interp, int views, ct_error **error) {
  if (c->expected && c->expected_views == views && c->expected_interp == interp) return true;
  int steps[3];
  const ct_grid lattice = bench_lattice(&c->grid, LATTICE, steps);
  ct_volume_free(c->expected);
  c->expected = ct_volume_new(&lattice, error);
  if (!c->expected) return false;
  bench_case part = *c;
  part.grid = lattice;
  const bench_run run = {.kernel = ct_bp_find(&b->backend.kernels, "textbook"),
                         .interp = interp,
                         .precision = CT_PRECISION_FLOAT32,
                         .threads = b->options.threads,
                         .batch = views};
  const ct_bp_request request = {.geometry = &part.geometry,
                                 .grid = lattice,
                                 .interp = interp,
                                 .precision = run.precision,
                                 .threads = run.threads,
                                 .batch = run.batch};
  ct_bp_state *state = run.kernel->prepare(run.kernel, &request, error);
  const bool good = state && bench_add_views(b, &part, &run, state, 0, views, c->expected, error);
  if (state) run.kernel->free(state);
  c->expected_views = good ? views : 0;
  c->expected_interp = interp;
  return good;
}

void bench_gather(const bench_case *c, const ct_volume *volume, float *out) {
  int steps[3];
  const ct_grid lattice = bench_lattice(&c->grid, LATTICE, steps);
  const float *data = ct_volume_get_data(volume);
  for (int k = 0; k < lattice.nz; k++)
    for (int j = 0; j < lattice.ny; j++) {
      const size_t row = (size_t)k * (size_t)steps[2] * (size_t)c->grid.ny + (size_t)j * (size_t)steps[1];
      for (int i = 0; i < lattice.nx; i++) *out++ = data[row * (size_t)c->grid.nx + (size_t)i * (size_t)steps[0]];
    }
}

double bench_rel_rmse(const float *values, const float *expected, size_t count) {
  double difference = 0, power = 0;
  for (size_t n = 0; n < count; n++) {
    const double d = (double)values[n] - expected[n];
    difference += d * d;
    power += (double)expected[n] * expected[n];
  }
  return power > 0 ? sqrt(difference / power) : sqrt(difference);
}
