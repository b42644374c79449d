/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orbit matrix, in all forms that the table has and the machine can run: against the textbook projector for all
 * models and kinds of scans, transposes, blocks, threads, interleaved slices, padding, indices beyond 16 bits, and the
 * words of refusals. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/fp/projector.h"
#include "tests/test.h"

#include <stdint.h>

typedef struct {
  const char *what;
  int n, nu, slices, views;
  double first, step; /* degrees */
  double sod;         /* 0: parallel */
} scan;

static const scan scans[] = {
    {"parallel, half steps", 48, 50, 1, 24, 3.75, 7.5, 0},
    {"parallel, axes, odd grid and detector", 33, 37, 1, 36, 0, 5, 0},
    {"parallel, whole circle", 30, 32, 1, 40, 4.5, 9, 0},
    {"parallel, short detector", 60, 31, 1, 12, 7.5, 15, 0},
    {"fan, half steps", 40, 64, 1, 56, 45.0 / 14, 45.0 / 7, 50},
    {"fan, axes, odd grid and detector", 31, 45, 1, 48, 0, 7.5, 40},
    {"fan, more than one tile", 110, 90, 1, 24, 7.5, 15, 150},
};

typedef struct {
  ct_geometry geometry;
  ct_projector_request request;
  size_t voxels, rays;
  float *x, *y; /* random, natural */
  float *ax, *aty;
} problem;

static float uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (float)((double)(*state >> 11) * 0x1p-53);
}

static float *random_numbers(size_t count, uint64_t seed) {
  float *numbers = ct_alloc(count, sizeof *numbers, "numbers", NULL);
  for (size_t i = 0; numbers && i < count; i++) numbers[i] = uniform(&seed);
  return numbers;
}

static bool problem_init(problem *p, const scan *s, ct_ray_model model) {
  const double degree = M_PI / 180;
  *p = (problem){0};
  if (!ct_geometry_init(&p->geometry, s->sod > 0 ? CT_BEAM_FAN : CT_BEAM_PARALLEL, s->nu, s->slices, s->views, NULL))
    return false;
  p->geometry.sod = s->sod;
  p->geometry.sdd = 1.8 * s->sod;
  p->geometry.du = s->sod > 0 ? 2.0 * s->n / s->nu : 0.9;
  p->geometry.dv = 0.9;
  ct_geometry_set_arc(&p->geometry, s->first * degree, s->step * degree);
  p->request = (ct_projector_request){.geometry = &p->geometry,
                                      .grid = ct_grid_centred(s->n, s->n, s->slices, 0.9, NULL),
                                      .model = model,
                                      .threads = 2};
  p->voxels = ct_grid_voxels(&p->request.grid);
  p->rays = (size_t)s->views * (size_t)s->slices * (size_t)s->nu;
  p->x = random_numbers(p->voxels, 1);
  p->y = random_numbers(p->rays, 2);
  p->ax = ct_alloc_zero(p->rays + 16, sizeof *p->ax, "rays", NULL);
  p->aty = ct_alloc_zero(p->voxels + 16, sizeof *p->aty, "image", NULL);
  return p->x && p->y && p->ax && p->aty;
}

static void problem_clear(problem *p) {
  ct_geometry_clear(&p->geometry);
  ct_free(p->x);
  ct_free(p->y);
  ct_free(p->ax);
  ct_free(p->aty);
}

/* A projector's state with its layouts filled. */
typedef struct {
  const ct_projector *projector;
  ct_projector_state *state;
  ct_projector_shape shape;
  float *x, *y, *ax, *aty; /* own layouts */
} run;

static void run_clear(run *r) {
  if (r->state) r->projector->free(r->state);
  ct_free(r->x);
  ct_free(r->y);
  ct_free(r->ax);
  ct_free(r->aty);
}

/* Output starts as rubbish. */
static bool run_init(run *r, const ct_projector *projector, const problem *p, ct_error **error) {
  *r = (run){.projector = projector};
  r->state = ct_projector_prepare(projector, &p->request, NULL, error);
  if (!r->state) return false;
  projector->shape(r->state, &r->shape);
  r->x = random_numbers(r->shape.image, 3);
  r->y = random_numbers(r->shape.rays, 4);
  r->ax = random_numbers(r->shape.rays, 5);
  r->aty = random_numbers(r->shape.image, 6);
  if (!r->x || !r->y || !r->ax || !r->aty) return false;
  projector->image_in(r->state, p->x, r->x);
  projector->rays_in(r->state, p->y, r->y);
  return true;
}

static bool run_both(run *r, ct_error **error) {
  return r->projector->forward(r->state, NULL, 0, r->x, r->ax, error) &&
         r->projector->back(r->state, NULL, 0, r->y, r->aty, error);
}

/* The textbook's answers, natural. */
static bool solve_by_textbook(problem *p, ct_error **error) {
  const ct_projector *textbook = ct_projector_find("textbook");
  run r;
  const bool good = run_init(&r, textbook, p, error) && run_both(&r, error);
  if (good) {
    textbook->rays_out(r.state, r.ax, p->ax);
    textbook->image_out(r.state, r.aty, p->aty);
  }
  run_clear(&r);
  return good;
}

static double difference(const float *a, const float *b, size_t count) {
  double square = 0, reference = 0;
  for (size_t i = 0; i < count; i++) {
    square += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    reference += (double)b[i] * (double)b[i];
  }
  return sqrt(square / reference);
}

static double product(const float *a, const float *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (double)a[i] * (double)b[i];
  return sum;
}

static double total(const float *a, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += (double)a[i];
  return sum;
}

static bool is_orbit(const ct_projector *projector) {
  return strncmp(projector->id, "orbit-matrix", 12) == 0;
}

/* Every orbit projector of the table on one problem. */
static void check_forms(problem *p) {
  ct_error *error = NULL;
  float *rays = ct_alloc_zero(p->rays, sizeof *rays, "rays", NULL),
        *image = ct_alloc_zero(p->voxels, sizeof *image, "image", NULL);
  CHECK(rays && image);
  CHECK_OK(solve_by_textbook(p, &error));
  size_t count, served = 0;
  const ct_projector *const *projectors = ct_projectors(&count);
  for (size_t i = 0; i < count; i++) {
    const ct_projector *projector = projectors[i];
    if (!is_orbit(projector) || !ct_projector_usable(projector)) continue;
    run r;
    CHECK_OK(ct_projector_accepts(projector, &p->request, &error));
    CHECK_OK(run_init(&r, projector, p, &error));
    CHECK_OK(run_both(&r, &error));
    projector->rays_out(r.state, r.ax, rays);
    projector->image_out(r.state, r.aty, image);
    CHECK_BELOW(difference(rays, p->ax, p->rays), projector->tolerance);
    CHECK_BELOW(difference(image, p->aty, p->voxels), projector->tolerance);
    const double forward = product(r.ax, r.y, r.shape.rays), back = product(r.x, r.aty, r.shape.image);
    CHECK_NEAR(forward / back, 1, 1e-6);
    /* Padding is 0: nothing is in the own layouts that is not in the natural ones. */
    CHECK_NEAR(total(r.x, r.shape.image) / total(p->x, p->voxels), 1, 1e-12);
    CHECK_NEAR(total(r.y, r.shape.rays) / total(p->y, p->rays), 1, 1e-12);
    CHECK_NEAR(total(r.ax, r.shape.rays) / total(rays, p->rays), 1, 1e-12);
    CHECK_NEAR(total(r.aty, r.shape.image) / total(image, p->voxels), 1, 1e-12);
    CHECK(r.shape.image % 16 == 0 && r.shape.rays % 16 == 0);
    run_clear(&r);
    served++;
  }
  CHECK(served >= 3);
  ct_free(rays);
  ct_free(image);
}

static void agrees_with_textbook(void) {
  for (size_t i = 0; i < sizeof scans / sizeof *scans; i++)
    for (int model = CT_MODEL_JOSEPH; model <= CT_MODEL_AREA; model++) {
      problem p;
      CHECK(problem_init(&p, scans + i, (ct_ray_model)model));
      check_forms(&p);
      if (ct_test_state == 1) printf("# %s, %s\n", scans[i].what, ct_model_id((ct_ray_model)model));
      problem_clear(&p);
      if (ct_test_state == 1) return;
    }
}

static void interleaved_slices(void) {
  const int counts[] = {2, 3, 5, 8, 11, 13, 19};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const scan stack = {"stack", 27, 30, counts[i], 16, 5.625, 11.25, 0};
    problem p;
    CHECK(problem_init(&p, &stack, CT_MODEL_JOSEPH));
    check_forms(&p);
    problem_clear(&p);
    if (ct_test_state == 1) return;
  }
}

/* 8 x 4500 rays of a block, of which a 16-bit index in quarter lines reaches 16384; and one pixel that more rays meet
 * than a header can count. */
static void long_detectors(void) {
  const scan wide = {"wide fan", 22, 4500, 1, 16, 11.25, 22.5, 40}, single = {"one pixel", 1, 9000, 1, 8, 22.5, 45, 3};
  const scan *both[] = {&wide, &single};
  for (int i = 0; i < 2; i++) {
    problem p;
    CHECK(problem_init(&p, both[i], CT_MODEL_AREA));
    check_forms(&p);
    problem_clear(&p);
    if (ct_test_state == 1) return;
  }
}

static void blocks_partition(void) {
  ct_error *error = NULL;
  const ct_projector *projector = ct_projector_find("orbit-matrix");
  for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
    problem p;
    run r;
    CHECK(problem_init(&p, scans + i, CT_MODEL_JOSEPH));
    CHECK_OK(run_init(&r, projector, &p, &error));
    size_t next = 0;
    int seen[64] = {0};
    for (int b = 0; b < r.shape.blocks; b++) {
      ct_projector_block block;
      projector->block(r.state, b, &block);
      CHECK(block.first == next && block.count > 0 && block.view_count > 0);
      next += block.count;
      for (int v = 0; v < block.view_count; v++) {
        seen[block.views[v]]++;
        CHECK(v == 0 || block.views[v] > block.views[v - 1]);
      }
    }
    CHECK(next == r.shape.rays);
    for (int v = 0; v < scans[i].views; v++) CHECK(seen[v] == 1);
    run_clear(&r);
    problem_clear(&p);
  }
}

static void blocks_add_up(void) {
  ct_error *error = NULL;
  const ct_projector *projector = ct_projector_find("orbit-matrix");
  const scan s = {"many blocks", 40, 44, 3, 144, 0.625, 1.25, 0};
  problem p;
  run r;
  CHECK(problem_init(&p, &s, CT_MODEL_JOSEPH));
  CHECK_OK(run_init(&r, projector, &p, &error));
  CHECK_OK(run_both(&r, &error));
  CHECK(r.shape.blocks == 18);
  float *ax = random_numbers(r.shape.rays, 7), *part = random_numbers(r.shape.image, 8);
  float *sum = ct_alloc_zero(r.shape.image, sizeof *sum, "image", NULL);
  CHECK(ax && part && sum);
  /* Many, several, single ones, in no order; none. */
  const int blocks[] = {17, 3, 0, 16, 5, 1, 2, 4, 6, 15, 7, 14, 8, 13, 9, 12, 10, 11}, counts[] = {1, 16, 0, 1};
  for (int i = 0, first = 0; i < 4; first += counts[i++]) {
    const float before = ax[0];
    CHECK_OK(projector->forward(r.state, blocks + first, counts[i], r.x, ax, &error));
    if (i == 0) CHECK(ax[0] == before);
    CHECK_OK(projector->back(r.state, blocks + first, counts[i], r.y, part, &error));
    for (size_t k = 0; k < r.shape.image; k++) sum[k] += part[k];
  }
  CHECK_BELOW(difference(ax, r.ax, r.shape.rays), 1e-6);
  CHECK_BELOW(difference(sum, r.aty, r.shape.image), 1e-6);
  ct_free(ax);
  ct_free(part);
  ct_free(sum);
  run_clear(&r);
  problem_clear(&p);
}

static void threads_change_nothing(void) {
  ct_error *error = NULL;
  const ct_projector *projector = ct_projector_find("orbit-matrix");
  const scan s = {"many blocks", 110, 64, 1, 160, 0.5625, 1.125, 0};
  problem p;
  CHECK(problem_init(&p, &s, CT_MODEL_JOSEPH));
  run r[2];
  for (int i = 0; i < 2; i++) {
    p.request.threads = i ? 3 : 1;
    CHECK_OK(run_init(r + i, projector, &p, &error));
    CHECK_OK(run_both(r + i, &error));
  }
  CHECK(!memcmp(r[0].ax, r[1].ax, r[0].shape.rays * sizeof(float)));
  CHECK(!memcmp(r[0].aty, r[1].aty, r[0].shape.image * sizeof(float)));
  const int few[] = {4, 1, 7};
  for (int i = 0; i < 2; i++) {
    CHECK_OK(projector->forward(r[i].state, few, 3, r[i].x, r[i].ax, &error));
    CHECK_OK(projector->back(r[i].state, few, 3, r[i].y, r[i].aty, &error));
  }
  CHECK(!memcmp(r[0].ax, r[1].ax, r[0].shape.rays * sizeof(float)));
  CHECK(!memcmp(r[0].aty, r[1].aty, r[0].shape.image * sizeof(float)));
  for (int i = 0; i < 2; i++) run_clear(r + i);
  problem_clear(&p);
}

static void squares_of_rows(void) {
  ct_error *error = NULL;
  const ct_projector *projector = ct_projector_find("orbit-matrix"), *textbook = ct_projector_find("textbook");
  for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
    problem p;
    run r, t;
    CHECK(problem_init(&p, scans + i, CT_MODEL_SIDDON));
    CHECK_OK(run_init(&r, projector, &p, &error));
    CHECK_OK(run_init(&t, textbook, &p, &error));
    CHECK_OK(projector->row_squares(r.state, r.ax, &error));
    CHECK_OK(textbook->row_squares(t.state, t.ax, &error));
    projector->rays_out(r.state, r.ax, p.y);
    textbook->rays_out(t.state, t.ax, p.ax);
    CHECK_BELOW(difference(p.y, p.ax, p.rays), 1e-6);
    CHECK_NEAR(total(r.ax, r.shape.rays) / total(p.y, p.rays), 1, 1e-12);
    run_clear(&r);
    run_clear(&t);
    problem_clear(&p);
  }
}

static void counts_entries(void) {
  ct_error *error = NULL;
  const ct_projector *projector = ct_projector_find("orbit-matrix");
  for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
    problem p;
    run r;
    CHECK(problem_init(&p, scans + i, CT_MODEL_JOSEPH));
    CHECK_OK(run_init(&r, projector, &p, &error));
    double entries = 0;
    for (int view = 0; view < scans[i].views; view++) {
      const ct_model_view v = ct_model_view_make(&p.geometry, &p.request.grid, CT_MODEL_JOSEPH, view);
      for (int u = 0; u < scans[i].nu; u++) entries += (double)ct_model_view_count(&v, u);
    }
    CHECK_NEAR(r.shape.entries / entries, 1, 1e-3);
    CHECK(r.shape.stored <= entries / 5 && r.shape.stored >= entries / 8.01);
    CHECK(r.shape.bytes > 4 * r.shape.stored && r.shape.seconds > 0);
    run_clear(&r);
    problem_clear(&p);
  }
}

static void refusals(void) {
  ct_error *error = NULL;
  const ct_projector *projector = ct_projector_find("orbit-matrix");
  problem p;
  CHECK(problem_init(&p, scans + 4, CT_MODEL_JOSEPH));
  CHECK_OK(ct_projector_accepts(projector, &p.request, &error));
  p.geometry.centre_u += 0.3;
  CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "0.3 columns off");
  p.geometry.centre_u -= 0.3;
  p.geometry.angles[5] += 0.01;
  CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "not symmetric");
  p.geometry.angles[5] -= 0.01;
  p.request.grid.ny--;
  CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "square slice");
  p.request.grid.ny++;
  p.request.memory = 10000;
  CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_MEMORY,
              " kB here, and 10.0 kB may be used");
  CHECK_FAILS(ct_projector_prepare(projector, &p.request, NULL, &error), CT_ERROR_MEMORY, "matrix-free");
  p.request.memory = 0;
  p.geometry.beam = CT_BEAM_CONE;
  CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "cone beam");
  problem_clear(&p);
  const scan stack = {"stack", 20, 24, 4, 16, 5.625, 11.25, 0};
  CHECK(problem_init(&p, &stack, CT_MODEL_JOSEPH));
  p.request.grid.z0 += 0.4;
  CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "slices");
  ct_job *job = ct_job_new(NULL);
  ct_job_cancel(job);
  p.request.grid.z0 -= 0.4;
  CHECK_FAILS(ct_projector_prepare(projector, &p.request, job, &error), CT_ERROR_CANCELLED, "not finished");
  ct_job_free(job);
  problem_clear(&p);
}

/* Pixels so large that even the middle rays pass beside the slice: a matrix without entries. */
static void rays_that_miss(void) {
  ct_error *error = NULL;
  problem p;
  run r;
  CHECK(problem_init(&p, &scans[2], CT_MODEL_JOSEPH));
  p.geometry.du = 1e4;
  CHECK_OK(run_init(&r, ct_projector_find("orbit-matrix"), &p, &error) && run_both(&r, &error));
  r.projector->rays_out(r.state, r.ax, p.ax);
  r.projector->image_out(r.state, r.aty, p.aty);
  for (size_t i = 0; i < p.rays; i++) CHECK(p.ax[i] == 0);
  for (size_t i = 0; i < p.voxels; i++) CHECK(p.aty[i] == 0);
  CHECK(r.shape.stored == 0);
  run_clear(&r);
  problem_clear(&p);
}

static const ct_test tests[] = {
    {"all forms agree with the textbook and with their transposes", agrees_with_textbook},
    {"so do interleaved slices of any number", interleaved_slices},
    {"so do detectors beyond the reach of one index", long_detectors},
    {"blocks partition rays and views", blocks_partition},
    {"blocks add up", blocks_add_up},
    {"the number of threads changes no bit", threads_change_nothing},
    {"sums of squares are those of the rows", squares_of_rows},
    {"entries are counted", counts_entries},
    {"rays that miss the slice make an empty matrix", rays_that_miss},
    {"what cannot be served is refused with a message", refusals},
};
CT_TEST_MAIN(tests)
