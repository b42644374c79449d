/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stored matrices on a graphics device, symmetric ones and compressed rows, against the processor's: every form,
 * every model of a ray, every view by itself and so all eight zones, matrices in several parts, columns that collide,
 * ART view by view, and what is said where a matrix does not fit. */
#include "recon/base/memory.h"
#include "recon/solve/iterative/iterate.h"
#include "recon/solve/iterative/solver.h"
#include "render/compute/device.h"
#include "tests/render/compute/faults.h"
#include "tests/test.h"

#include <math.h>

static ct_bp_device *device;
static ct_backend backend;
static size_t storage_block;

static const char *const forms[][2] = {{"gl-scsr", "scsr"},
                                       {"gl-scsr-global", "scsr-global"},
                                       {"gl-scsr-view", "scsr-view"},
                                       {"gl-scsr-even", "scsr-view"},
                                       {"gl-csr-merge", "csr-merge"}};
enum { SYMMETRIC = 4, FORMS = sizeof forms / sizeof *forms };

typedef struct {
  const char *what;
  int n, nu, nv, views;
  double first, step, sod, pitch;
  ct_ray_model model;
  size_t block; /* bytes that a buffer may have; 0: as it is */
} scan;

static const scan scans[] = {
    {"fan, area, small buffers", 22, 30, 1, 24, 0, 15, 50, 1.3, CT_MODEL_AREA, 12000},
    {"fan, siddon, half steps", 17, 21, 1, 16, 11.25, 22.5, 50, 1.2, CT_MODEL_SIDDON, 0},
    {"fan, fine pixels that collide", 5, 150, 1, 8, 0, 45, 40, 0.08, CT_MODEL_JOSEPH, 0},
    {"fan, pixels of more rays than a tile", 2, 640, 1, 8, 0, 45, 40, 0.012, CT_MODEL_JOSEPH, 0},
    {"two parallel slices", 16, 25, 2, 12, 0, 15, 0, 0.9, CT_MODEL_JOSEPH, 0},
    {"one pixel", 1, 5, 1, 8, 0, 45, 20, 0.3, CT_MODEL_AREA, 0},
};
enum { SCANS = sizeof scans / sizeof *scans };

static bool open_device(void) {
  ct_error *error = NULL;
  if (!device) device = ctgl_device_new(NULL, true, &error);
  ct_error_clear(&error);
  if (!device) return false;
  backend = ctgl_backend(device);
  if (!storage_block) storage_block = ctgl_device_get_facts(device)->storage_block;
  return true;
}

#define NEED_DEVICE()                                                                                                  \
  if (!open_device()) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

/* Capabilities that a test makes smaller. */
static ctgl_device_facts *facts(void) {
  return (ctgl_device_facts *)ctgl_device_get_facts(device);
}

typedef struct {
  ct_geometry geometry;
  ct_projector_request request;
} problem;

static bool problem_init(problem *p, const scan *k, ct_error **error) {
  const double degree = M_PI / 180;
  if (!ct_geometry_init(&p->geometry, k->sod > 0 ? CT_BEAM_FAN : CT_BEAM_PARALLEL, k->nu, k->nv, k->views, error))
    return false;
  p->geometry.sod = k->sod;
  p->geometry.sdd = 1.6 * k->sod;
  p->geometry.du = k->pitch;
  ct_geometry_set_arc(&p->geometry, k->first * degree, k->step * degree);
  p->request = (ct_projector_request){.geometry = &p->geometry,
                                      .grid = ct_grid_centred(k->n, k->n, k->nv, 1, NULL),
                                      .model = k->model,
                                      .threads = 2,
                                      .device = backend.device,
                                      .others = &backend.projectors};
  facts()->storage_block = k->block ? k->block : storage_block;
  return true;
}

/* A projector with an image and rays of its own. */
typedef struct {
  const ct_projector *projector;
  ct_projector_state *state;
  ct_projector_shape shape;
  float *x, *y; /* noise in it at the beginning */
} side;

static void fill(float *to, size_t count, uint32_t seed) {
  for (size_t n = 0; n < count; n++) {
    seed = seed * 1664525u + 1013904223u;
    to[n] = (float)(seed >> 8) / (1 << 24) - 0.3f;
  }
}

static void side_clear(side *s) {
  if (s->state) s->projector->free(s->state);
  ct_free(s->x);
  ct_free(s->y);
  *s = (side){0};
}

static bool side_init(side *s, const problem *p, const char *id, ct_error **error) {
  *s = (side){.projector = ct_projector_find_in(&backend.projectors, id)};
  if (!s->projector || !ct_projector_accepts(s->projector, &p->request, error)) return false;
  if (!(s->state = ct_projector_prepare(s->projector, &p->request, NULL, error))) return false;
  s->projector->shape(s->state, &s->shape);
  s->x = ct_alloc_zero(s->shape.image, sizeof *s->x, "an image", error);
  s->y = ct_alloc_zero(s->shape.rays, sizeof *s->y, "rays", error);
  return s->x && s->y;
}

/* The largest difference, as a share of the largest value. */
static double off(const float *a, const float *b, size_t count) {
  double largest = 0, most = 0;
  for (size_t n = 0; n < count; n++) {
    largest = fmax(largest, fabs((double)b[n]));
    most = fmax(most, fabs((double)a[n] - (double)b[n]));
  }
  return most / (largest > 0 ? largest : 1);
}

/* Both products of some views on both sides; the larger deviation. */
static bool compare(side *card, side *processor, const int *blocks, int count, double *most, ct_error **error) {
  side *const sides[] = {card, processor};
  const size_t image = card->shape.image, rays = card->shape.rays;
  for (int n = 0; n < 2; n++) {
    side *s = sides[n];
    fill(s->x, image, 5);
    memset(s->y, 0, rays * sizeof *s->y);
    if (!s->projector->forward(s->state, blocks, count, s->x, s->y, error)) return false;
  }
  *most = fmax(*most, off(card->y, processor->y, rays));
  for (int n = 0; n < 2; n++) {
    side *s = sides[n];
    fill(s->y, rays, 9);
    if (!s->projector->back(s->state, blocks, count, s->y, s->x, error)) return false;
  }
  *most = fmax(*most, off(card->x, processor->x, image));
  return true;
}

/* All views, every third, and each by itself. */
static bool compare_all(const scan *k, const char *const form[2], double *most, ct_error **error) {
  problem p;
  side card = {0}, processor = {0};
  if (!problem_init(&p, k, error)) return false;
  bool good = side_init(&card, &p, form[0], error) && side_init(&processor, &p, form[1], error) &&
              compare(&card, &processor, NULL, 0, most, error);
  int third[32], count = 0;
  for (int view = k->views - 1; view >= 0; view -= 3) third[count++] = view;
  good = good && compare(&card, &processor, third, count, most, error);
  for (int view = 0; good && view < k->views; view++) good = compare(&card, &processor, &view, 1, most, error);
  good = good && card.projector->row_squares(card.state, card.y, error) &&
         processor.projector->row_squares(processor.state, processor.y, error);
  if (good) *most = fmax(*most, off(card.y, processor.y, card.shape.rays));
  side_clear(&card);
  side_clear(&processor);
  ct_geometry_clear(&p.geometry);
  return good;
}

static void test_zones(void) {
  NEED_DEVICE();
  for (int k = 0; k < SCANS; k++)
    for (int f = 0; f < FORMS; f++) {
      ct_error *error = NULL;
      double most = 0;
      CHECK_OK(compare_all(scans + k, forms[f], &most, &error));
      if (getenv("CT_TEST_SHOW")) printf("# %s, %s: %.2g\n", scans[k].what, forms[f][0], most);
      if (!(most <= 1e-5)) CT_TEST_END(1, "%s, %s: %.3g off", scans[k].what, forms[f][0], most);
    }
}

/* The image of a method on that projector; NULL with an error. */
static float *iterate(const problem *p, const ct_stack *lines, ct_method method, const char *id, ct_error **error) {
  float *image = ct_alloc(ct_grid_voxels(&p->request.grid), sizeof *image, "an image", error);
  ct_iterative_request request = {
      .geometry = &p->geometry, .grid = p->request.grid, .integrals = lines, .threads = 2, .backend = &backend};
  ct_iterative_options_init(&request.options);
  request.options.method = (int)method;
  request.options.model = p->request.model;
  snprintf(request.options.projector, sizeof request.options.projector, "%s", id);
  ct_iterative *run = image ? ct_iterative_new(&request, NULL, error) : NULL;
  const bool good = run && ct_iterative_run(run, 3, NULL, NULL, error);
  if (good) ct_iterative_read(run, image);
  ct_iterative_free(run);
  if (good) return image;
  ct_free(image);
  return NULL;
}

static void test_methods(void) {
  NEED_DEVICE();
  static const ct_method methods[] = {CT_METHOD_ART_VIEW, CT_METHOD_ART_GLOBAL};
  ct_error *error = NULL;
  problem p;
  CHECK_OK(problem_init(&p, scans, &error));
  ct_stack *lines = ct_stack_new(p.geometry.nu, 1, p.geometry.views, &error);
  CHECK_OK(lines);
  fill(ct_stack_data(lines), (size_t)p.geometry.nu * (size_t)p.geometry.views, 3);
  for (int m = 0; m < 2; m++)
    for (int f = 0; f < FORMS; f++) {
      float *card = iterate(&p, lines, methods[m], forms[f][0], &error),
            *processor = card ? iterate(&p, lines, methods[m], forms[f][1], &error) : NULL;
      CHECK_OK(card && processor);
      const double most = off(card, processor, ct_grid_voxels(&p.request.grid));
      if (!(most <= 1e-5)) CT_TEST_END(1, "%s, method %d: %.3g off", forms[f][0], (int)methods[m], most);
      ct_free(card);
      ct_free(processor);
    }
  ct_stack_free(lines);
  ct_geometry_clear(&p.geometry);
}

static void test_refusals(void) {
  NEED_DEVICE();
  for (int f = 0; f < FORMS; f++) {
    ct_error *error = NULL;
    problem p;
    CHECK_OK(problem_init(&p, scans, &error));
    const ct_projector *projector = ct_projector_find_in(&backend.projectors, forms[f][0]);
    facts()->storage_block = 1900;
    CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "larger than a buffer");
    facts()->storage_block = 2200;
    CHECK_FAILS(ct_projector_prepare(projector, &p.request, NULL, &error), CT_ERROR_UNSUPPORTED, "larger buffers");
    facts()->storage_block = storage_block;
    const double memory = facts()->memory;
    facts()->memory = 20000, facts()->software = false;
    CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_MEMORY, "graphics memory");
    facts()->memory = memory, facts()->software = true;
    p.geometry.centre_u += 1;
    if (f < SYMMETRIC)
      CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "off the detector");
    else
      CHECK_OK(ct_projector_accepts(projector, &p.request, &error));
    ct_geometry_clear(&p.geometry);
  }
}

/* A driver without memory is told of while the matrix is uploaded, and nothing stays behind. */
static void test_faults(void) {
  NEED_DEVICE();
  faults_reset();
  for (int f = 0; f < FORMS; f++)
    for (int n = 1; n <= 8; n += 3) {
      ct_error *error = NULL;
      problem p;
      CHECK_OK(problem_init(&p, scans, &error));
      p.request.device = ctgl_device_new(NULL, false, &error);
      CHECK_OK(p.request.device);
      faults_plan(FAULT_ALLOCATION, n, FAULT_FOR_EVER);
      const ct_projector *projector = ct_projector_find_in(&backend.projectors, forms[f][0]);
      ct_projector_state *state = ct_projector_prepare(projector, &p.request, NULL, &error);
      if (state || !error || !strstr(error->message, "too small for"))
        CT_TEST_END(1, "%s, allocation %d: %s", forms[f][0], n, error ? error->message : "no error");
      ct_error_clear(&error);
      CHECK(faults_get()->buffers == 0 && faults_get()->bytes == 0);
      faults_reset();
      ctgl_device_free(p.request.device);
      ct_geometry_clear(&p.geometry);
    }
}

static const ct_test tests[] = {
    {"both products are the processor's in every form and zone", test_zones},
    {"ART view by view and of all rays runs on it", test_methods},
    {"what does not fit is refused", test_refusals},
    {"a driver without memory is told of", test_faults},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
