/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times every projector of the registry on one problem: A x and A^T y of all views, and of one block after another as
 * SART takes them. Medians (and the shortest, which other work on the machine disturbs least), ms; blocks in
 * microseconds each.
 *   bench-projectors [--fan] [--n 512] [--views 360] [--rays 512] [--slices 1] [--arc 180] [--offset 0] [--du 1]
 *                    [--model joseph|siddon|area] [--repeat 15] [--only PART-OF-ID]
 * Pixels of 1 mm; a fan's source is 3 n mm from the axis, its detector twice as far. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/fp/projector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_repeats = 100 };

typedef struct options {
  bool fan;
  int n, views, rays, slices, repeat;
  double arc, offset, du;
  ct_ray_model model;
  const char *only;
} options;

static bool read_options(int count, char **words, options *o) {
  *o = (options){.n = 512, .views = 360, .rays = 512, .slices = 1, .repeat = 15, .du = 1, .only = ""};
  for (int n = 1; n < count; n++) {
    const char *word = words[n], *value = n + 1 < count ? words[n + 1] : "";
    if (!strcmp(word, "--fan")) {
      o->fan = true;
      continue;
    }
    n++;
    if (!strcmp(word, "--n"))
      o->n = atoi(value);
    else if (!strcmp(word, "--views"))
      o->views = atoi(value);
    else if (!strcmp(word, "--rays"))
      o->rays = atoi(value);
    else if (!strcmp(word, "--slices"))
      o->slices = atoi(value);
    else if (!strcmp(word, "--repeat"))
      o->repeat = atoi(value);
    else if (!strcmp(word, "--arc"))
      o->arc = atof(value);
    else if (!strcmp(word, "--offset"))
      o->offset = atof(value);
    else if (!strcmp(word, "--du"))
      o->du = atof(value);
    else if (!strcmp(word, "--only"))
      o->only = value;
    else if (!strcmp(word, "--model"))
      o->model = !strcmp(value, "area") ? CT_MODEL_AREA : !strcmp(value, "siddon") ? CT_MODEL_SIDDON : CT_MODEL_JOSEPH;
    else
      return false;
  }
  if (o->arc == 0) o->arc = o->fan ? 360 : 180;
  if (o->repeat > most_repeats) o->repeat = most_repeats;
  return o->repeat > 0;
}

static int ascending(const void *a, const void *b) {
  const double *p = a, *q = b;
  return (*p > *q) - (*p < *q);
}

typedef struct times {
  int count;
  double each[most_repeats];
} times;

static void print_times(const char *title, times *t, double unit) {
  qsort(t->each, (size_t)t->count, sizeof *t->each, ascending);
  printf("  %s %.2f (%.2f)", title, t->each[t->count / 2] * unit, t->each[0] * unit);
}

/* Room in the projector's own layouts. */
typedef struct arrays {
  float *x, *y, *from_y, *from_x;
} arrays;

static bool run_all(const ct_projector *p, ct_projector_state *state, const arrays *a, int repeat, ct_error **error) {
  times forth = {.count = repeat}, back = {.count = repeat};
  for (int n = -1; n < repeat; n++) {
    const double began = ct_now();
    if (!p->forward(state, NULL, 0, a->x, a->from_x, error)) return false;
    const double half = ct_now();
    if (!p->back(state, NULL, 0, a->y, a->from_y, error)) return false;
    const double end = ct_now();
    if (n >= 0) forth.each[n] = half - began, back.each[n] = end - half;
  }
  print_times("forward", &forth, 1e3);
  print_times("back", &back, 1e3);
  printf(" ms");
  return true;
}

static bool run_blocks(const ct_projector *p, ct_projector_state *state, const arrays *a, int blocks, int repeat,
                       ct_error **error) {
  times forth = {.count = repeat}, back = {.count = repeat};
  for (int n = 0; n < repeat; n++) {
    forth.each[n] = back.each[n] = 0;
    for (int block = 0; block < blocks; block++) {
      const double began = ct_now();
      if (!p->forward(state, &block, 1, a->x, a->from_x, error)) return false;
      const double half = ct_now();
      if (!p->back(state, &block, 1, a->y, a->from_y, error)) return false;
      forth.each[n] += (half - began) / blocks, back.each[n] += (ct_now() - half) / blocks;
    }
  }
  printf("; %d blocks:", blocks);
  print_times("forward", &forth, 1e6);
  print_times("back", &back, 1e6);
  printf(" us each");
  return true;
}

static bool bench(const ct_projector *p, const ct_projector_request *request, int repeat, ct_error **error) {
  ct_projector_state *state = ct_projector_prepare(p, request, NULL, error);
  if (!state) return false;
  ct_projector_shape shape;
  p->shape(state, &shape);
  arrays a = {.x = ct_alloc_zero(shape.image, sizeof(float), "an image", error),
              .y = ct_alloc_zero(shape.rays, sizeof(float), "rays", error),
              .from_y = ct_alloc_zero(shape.image, sizeof(float), "an image", error),
              .from_x = ct_alloc_zero(shape.rays, sizeof(float), "rays", error)};
  bool good = a.x && a.y && a.from_x && a.from_y;
  /* some x and y of the range of A and its transpose: nonzero within, zero in the padding */
  const size_t rays = (size_t)request->geometry->views * (size_t)request->geometry->nu * (size_t)request->geometry->nv;
  float *ones = good ? ct_alloc(rays, sizeof(float), "rays", error) : NULL;
  good = good && ones;
  if (good) {
    for (size_t n = 0; n < rays; n++) ones[n] = 1;
    p->rays_in(state, ones, a.y);
    good = p->back(state, NULL, 0, a.y, a.x, error);
  }
  if (good) {
    printf("%-24s prepare %.1f ms, %.1f MB", p->id, shape.seconds * 1e3, shape.bytes / 1e6);
    good = run_all(p, state, &a, repeat, error);
    if (good && shape.blocks > 1) good = run_blocks(p, state, &a, shape.blocks, repeat < 5 ? repeat : 5, error);
    printf("\n");
    fflush(stdout);
  }
  ct_free(ones);
  ct_free(a.x);
  ct_free(a.y);
  ct_free(a.from_x);
  ct_free(a.from_y);
  p->free(state);
  return good;
}

static bool make_geometry(const options *o, ct_geometry *g, ct_error **error) {
  if (!ct_geometry_init(g, o->fan ? CT_BEAM_FAN : CT_BEAM_PARALLEL, o->rays, o->slices, o->views, error)) return false;
  g->du = o->fan ? 2 * o->du : o->du;
  g->centre_u += o->offset;
  g->sod = o->fan ? 3 * o->n : 0;
  g->sdd = 2 * g->sod;
  ct_geometry_set_arc(g, 0, o->arc * M_PI / 180 / o->views);
  return true;
}

int main(int count, char **words) {
  options o;
  ct_geometry geometry;
  ct_error *error = NULL;
  if (!read_options(count, words, &o)) {
    fprintf(stderr, "See the head of tests/bench/bench-projectors.c for the options.\n");
    return 2;
  }
  if (!make_geometry(&o, &geometry, &error)) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  const ct_projector_request request = {.geometry = &geometry,
                                        .grid = ct_grid_centred(o.n, o.n, o.slices, 1, NULL),
                                        .model = o.model,
                                        .threads = ct_thread_count()};
  size_t number;
  const ct_projector *const *projectors = ct_projectors(&number);
  char machine[200];
  ct_simd_describe_machine(machine, sizeof machine);
  printf("%s, %d threads; median (shortest) of %d\n", machine, request.threads, o.repeat);
  for (size_t n = 0; n < number; n++) {
    if (!strstr(projectors[n]->id, o.only) || (!*o.only && !strcmp(projectors[n]->id, "textbook"))) continue;
    if (!ct_projector_accepts(projectors[n], &request, &error) || !bench(projectors[n], &request, o.repeat, &error))
      printf("%-24s %s\n", projectors[n]->id, error ? error->message : "failed");
    ct_error_clear(&error);
  }
  ct_geometry_clear(&geometry);
  return 0;
}
