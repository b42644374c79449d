/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed of the back-projection kernels: bench-bp [--threads N] [--repeat N] [--kernels a,b] [--problems x,y]
 * [--cpu-time] [--list]. Each kernel on each problem that it accepts: GUPS (nx ny nz np / t / 1e9) over run + finish,
 * layout included, from the fastest of the repeats, the speed-up against the voxel loop of the same run, and the
 * relative RMSE against textbook on a sub-grid. The voxel loop is timed on part of the views where a whole run would
 * take long. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "tests/bp/problem.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define TURN 6.283185307179586

typedef struct bench_problem {
  problem p;
  int batch;
} bench_problem;

/* name, beam, nu nv views, du dv sod sdd, offsets, tilt, first arc, wobble, nx ny nz, dx dy dz, centre; batch.
 * The first cone is RabbitCT-like in scale: a 256 mm cube at magnification 1.6. */
/* clang-format off */
static const bench_problem problems[] = {
  {{"cone-512", CT_BEAM_CONE, 512, 512, 64, 1.14, 1.14, 750, 1200, 0, 0, 0, 0.01, TURN,
    0, 512, 512, 512, .5, .5, .5, 0, 0, 0}, 64},
  {{"cone-256", CT_BEAM_CONE, 512, 512, 64, 1.14, 1.14, 750, 1200, 0, 0, 0, 0.01, TURN, 0, 256,
    256, 256, 1, 1, 1, 0, 0, 0}, 64},
  {{"cone-1024-512", CT_BEAM_CONE, 1024, 1024, 32, 0.57, 0.57, 750, 1200, 0, 0, 0, 0.01, TURN,
    0, 512, 512, 512, .5, .5, .5, 0, 0, 0}, 32},
  {{"cone-512-natural", CT_BEAM_CONE, 512, 512, 64, 0.8, 0.8, 750, 1200, 0, 0, 0, 0.01, TURN,
    0, 512, 512, 512, .5, .5, .5, 0, 0, 0}, 64},
  {{"cone-512-offset", CT_BEAM_CONE, 512, 512, 64, 0.8, 0.8, 750, 1200, 7.3, -3.4, 0, 0.01, TURN,
    0, 511, 509, 507, .5, .5, .5, 0, 0, 1}, 64},
  {{"cone-tilt", CT_BEAM_CONE, 512, 512, 64, 0.8, 0.8, 750, 1200, 0, 0, 0.01, 0.01, TURN, 0, 256,
    256, 256, 1, 1, 1, 0, 0, 0}, 64},
  {{"cone-axial", CT_BEAM_CONE, 512, 512, 512, 0.8, 0.8, 750, 1200, 0, 0, 0, 0.01, TURN,
    0, 512, 512, 1, .5, .5, .5, 0, 0, 60}, 512},
  {{"cone-coronal", CT_BEAM_CONE, 512, 512, 512, 0.8, 0.8, 750, 1200, 0, 0, 0, 0.01, TURN,
    0, 512, 1, 512, .5, .5, .5, 0, 20, 0}, 512},
  {{"cone-sagittal", CT_BEAM_CONE, 512, 512, 512, 0.8, 0.8, 750, 1200, 0, 0, 0, 0.01, TURN,
    0, 1, 512, 512, .5, .5, .5, 20, 0, 0}, 512},
  {{"parallel-64", CT_BEAM_PARALLEL, 1024, 64, 512, 1, 1, 0, 0, 0.3, 0, 0, 0, TURN / 2, 0, 1024,
    1024, 64, 1, 1, 1, 0, 0, 0}, 512},
  {{"parallel-between", CT_BEAM_PARALLEL, 1024, 64, 128, 1, 1, 0, 0, 0.3, 0.2, 0, 0, TURN / 2,
    0, 1021, 1019, 61, .9, .9, .9, 0, 0, 0}, 128},
  {{"parallel-1", CT_BEAM_PARALLEL, 1024, 1, 512, 1, 1, 0, 0, 0.3, 0, 0, 0, TURN / 2, 0, 1024,
    1024, 1, 1, 1, 1, 0, 0, 0}, 512},
  {{"parallel-coronal", CT_BEAM_PARALLEL, 512, 512, 512, 1, 1, 0, 0, 0.3, 0, 0, 0, TURN / 2, 0, 512,
    1, 512, 1, 1, 1, 0, 9, 0}, 512},
  {{"fan", CT_BEAM_FAN, 1024, 1, 720, 0.4, 0.4, 750, 1200, 0.3, 0, 0, 0, TURN,
    0, 1024, 1024, 1, .25, .25, .25, 0, 0, 0}, 720},
  {{"free-512", CT_BEAM_FREE, 1248, 960, 32, 0.32, 0.32, 750, 1200, 0, 0, 0, 0, 3.5,
    0.01, 512, 512, 512, .5, .5, .5, 0, 0, 0}, 32},
  {{"free-1024", CT_BEAM_FREE, 1248, 960, 4, 0.32, 0.32, 750, 1200, 0, 0, 0, 0, 3.5,
    0.01, 1024, 1024, 512, .25, .25, .25, 0, 0, 60}, 4},
};
/* clang-format on */
enum { problem_count = sizeof problems / sizeof *problems };

typedef struct options {
  int threads, repeat;
  bool cpu_time;
  const char *kernels, *problems;
} options;

static bool listed(const char *list, const char *name) {
  if (!list) return true;
  const size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at++)
    if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length])) return true;
  return false;
}

static void complain(const char *what, ct_error **error) {
  fprintf(stderr, "%s: %s\n", what, *error ? (*error)->message : "?");
  ct_error_clear(error);
}

/* Wall clock, or processor time a thread: what a busy machine is measured with. */
static double clock_now(const options *o) {
  if (!o->cpu_time) return ct_now();
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec) / o->threads;
}

typedef struct seconds {
  double prepare, run; /* fastest of the repeats */
} seconds;

/* The first run also touches the kernel's own memory for the first time, and so is not timed where there are several.
 */
static seconds time_kernel(const ct_bp_kernel *kernel, const ct_bp_request *request, const ct_stack *stack,
                           const options *o) {
  ct_error *error = NULL;
  ct_volume *volume = ct_volume_new(&request->grid, &error);
  seconds best = {INFINITY, INFINITY};
  double start = clock_now(o);
  ct_bp_state *state = volume ? kernel->prepare(request, &error) : NULL;
  best.prepare = clock_now(o) - start;
  for (int n = 0; state && n <= o->repeat; n++) {
    start = clock_now(o);
    if (!problem_add(kernel, state, request, stack, volume, NULL, &error)) break;
    if (n) best.run = fmin(best.run, clock_now(o) - start);
  }
  if (error) complain(kernel->id, &error);
  if (state) kernel->free(state);
  ct_volume_free(volume);
  return best;
}

/* On rows of voxels spread over the grid: at most 24 in each direction, whole columns of z kept short by a coarser
 * step. */
static double rel_rmse(const ct_bp_kernel *kernel, const ct_bp_request *request, const ct_stack *stack) {
  ct_error *error = NULL;
  ct_bp_request part = *request;
  ct_grid *g = &part.grid;
  /* A corner block that reaches the middle of the object, with the voxels' own size. */
  if (g->nx > 40) g->x0 += (g->nx / 2 - 37) * g->dx, g->nx = 39;
  if (g->ny > 20) g->y0 += (g->ny / 5) * g->dy, g->ny = 19;
  const ct_bp_table table = ct_bp_cpu_kernels();
  double rmse = NAN;
  ct_volume *a = ct_volume_new(g, &error), *b = a ? ct_volume_new(g, &error) : NULL;
  if (b && ct_bp_accepts(kernel, &part, &error) && problem_run(kernel, &part, stack, a, NULL, &error) &&
      problem_run(ct_bp_find(&table, "textbook"), &part, stack, b, NULL, &error))
    rmse = problem_rel_rmse(a, b);
  if (error) complain(kernel->id, &error);
  ct_volume_free(a);
  ct_volume_free(b);
  return rmse;
}

static double updates(const ct_bp_request *request) {
  return (double)ct_grid_voxels(&request->grid) * request->geometry->views;
}

/* GUPS of the voxel loop, from as few views as take about a second. */
static double time_yardstick(const ct_bp_table *table, const ct_bp_request *request, const ct_stack *stack,
                             const options *o) {
  ct_error *error = NULL;
  ct_geometry few;
  if (!ct_geometry_copy(&few, request->geometry, &error)) return NAN;
  ct_bp_request part = *request;
  const int views = (int)fmin(few.views, fmax(1, 3e8 / (double)ct_grid_voxels(&request->grid)));
  double gups = NAN;
  if (ct_geometry_take_views(&few, 0, 1, views, &error)) {
    part.geometry = &few;
    gups = updates(&part) / time_kernel(ct_bp_find(table, "voxel-loop"), &part, stack, o).run / 1e9;
  }
  if (error) complain("voxel-loop", &error);
  ct_geometry_clear(&few);
  return gups;
}

static void bench(const bench_problem *bp, const options *o) {
  ct_error *error = NULL;
  ct_geometry geometry = {0};
  ct_stack *stack = NULL;
  if (problem_geometry(&bp->p, &geometry, &error)) stack = problem_projections(&geometry, &error);
  if (!stack) {
    complain(bp->p.name, &error);
    ct_geometry_clear(&geometry);
    return;
  }
  const ct_bp_request request = {&geometry, problem_grid(&bp->p), CT_INTERP_LINEAR, CT_PRECISION_FLOAT32, o->threads,
                                 bp->batch};
  const ct_bp_table table = ct_bp_cpu_kernels();
  const double yardstick = time_yardstick(&table, &request, stack, o);
  printf("| %s | voxel-loop | %.3f | 1.0 | | | |\n", bp->p.name, yardstick);
  for (size_t n = 1; n < table.count; n++) {
    const ct_bp_kernel *kernel = table.kernels[n];
    if (!strcmp(kernel->id, "voxel-loop") || !listed(o->kernels, kernel->id)) continue;
    if (!ct_bp_accepts(kernel, &request, NULL)) continue;
    const seconds s = time_kernel(kernel, &request, stack, o);
    const double gups = updates(&request) / s.run / 1e9;
    printf("| %s | %s | %.2f | %.1f | %.1f | %.1f | %.1e |\n", bp->p.name, kernel->id, gups, gups / yardstick,
           s.run * 1e3, s.prepare * 1e3, rel_rmse(kernel, &request, stack));
    fflush(stdout);
  }
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
}

int main(int argc, char **argv) {
  options o = {ct_thread_count(), 3, false, NULL, NULL};
  static const struct option longs[] = {{"threads", required_argument, NULL, 't'},
                                        {"repeat", required_argument, NULL, 'r'},
                                        {"kernels", required_argument, NULL, 'k'},
                                        {"problems", required_argument, NULL, 'p'},
                                        {"list", no_argument, NULL, 'l'},
                                        {"cpu-time", no_argument, NULL, 'c'},
                                        {NULL, 0, NULL, 0}};
  for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
    if (c == 't')
      o.threads = atoi(optarg);
    else if (c == 'r')
      o.repeat = atoi(optarg);
    else if (c == 'c')
      o.cpu_time = true;
    else if (c == 'k')
      o.kernels = optarg;
    else if (c == 'p')
      o.problems = optarg;
    else if (c == 'l') {
      for (int n = 0; n < problem_count; n++) puts(problems[n].p.name);
      return 0;
    } else
      return 2;
  }
  if (o.threads < 1 || o.repeat < 1) return fprintf(stderr, "--threads and --repeat must be at least 1\n"), 2;
  char machine[200];
  ct_cpu_describe(machine, sizeof machine);
  printf("%s; %d threads; fastest of %d\n\n| problem | kernel | GUPS | x voxel loop | ms | prepare ms | rel. RMSE "
         "|\n|---|---|---|---|---|---|---|\n",
         machine, o.threads, o.repeat);
  for (int n = 0; n < problem_count; n++)
    if (listed(o.problems, problems[n].p.name)) bench(&problems[n], &o);
  return 0;
}
