/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge-based products against those by rows, which are tested against the textbook: rows of very different length,
 * empty ones, stacks of slices, some views, and any number of threads. */
#include "recon/base/memory.h"
#include "recon/fp/projector.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *what;
  int n, nu, nv, views;
  double sod, pitch;
  ct_ray_model model;
} scan;

/* The first two have some 200000 entries, a dozen of parts. */
static const scan scans[] = {
    {"fan, area", 40, 48, 1, 72, 60, 1.2, CT_MODEL_AREA},
    {"three slices", 60, 67, 3, 40, 0, 0.9, CT_MODEL_JOSEPH},
    {"rays that miss", 12, 90, 1, 7, 40, 2, CT_MODEL_SIDDON},
    {"one pixel", 1, 3, 1, 2, 0, 0.4, CT_MODEL_AREA},
};
enum { SCANS = sizeof scans / sizeof *scans };

static void fill(float *to, size_t count, uint32_t seed) {
  for (size_t n = 0; n < count; n++) {
    seed = seed * 1664525u + 1013904223u;
    to[n] = (float)(seed >> 8) / (1 << 24) - 0.3f;
  }
}

/* A x and A^T y of all views (blocks NULL) or some, and the squares of rows, one behind the other; the caller's. */
static float *products(const char *id, const ct_geometry *g, const scan *k, int threads, const int *blocks, int count,
                       size_t *size, ct_error **error) {
  const ct_projector *projector = ct_projector_find(id);
  const ct_projector_request request = {
      .geometry = g, .grid = ct_grid_centred(k->n, k->n, k->nv, 1, NULL), .model = k->model, .threads = threads};
  ct_projector_state *state = ct_projector_prepare(projector, &request, NULL, error);
  if (!state) return NULL;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  *size = 2 * (shape.image + shape.rays) + shape.rays;
  float *all = ct_alloc_zero(*size, sizeof *all, "products", error);
  float *x = all, *y = x + shape.image, *image = y + shape.rays, *rays = image + shape.image,
        *squares = rays + shape.rays;
  bool good = all;
  if (good) {
    fill(x, ct_grid_voxels(&request.grid), 3);
    fill(rays, (size_t)k->views * (size_t)k->nv * (size_t)k->nu, 4);
    good = projector->forward(state, blocks, count, x, y, error) &&
           projector->back(state, blocks, count, rays, image, error) && projector->row_squares(state, squares, error);
  }
  projector->free(state);
  if (good) return all;
  ct_free(all);
  return NULL;
}

static double off(const float *a, const float *b, size_t count) {
  double sum = 0, norm = 0;
  for (size_t n = 0; n < count; n++) {
    sum += pow((double)a[n] - (double)b[n], 2);
    norm += pow((double)b[n], 2);
  }
  return sqrt(sum / (norm > 0 ? norm : 1));
}

static void agrees_with_rows(void) {
  for (int s = 0; s < SCANS; s++) {
    const scan *k = scans + s;
    const int some[] = {k->views - 1, 0};
    ct_error *error = NULL;
    ct_geometry g;
    CHECK_OK(ct_geometry_init(&g, k->sod > 0 ? CT_BEAM_FAN : CT_BEAM_PARALLEL, k->nu, k->nv, k->views, &error));
    g.sod = k->sod, g.sdd = 1.6 * k->sod, g.du = k->pitch;
    ct_geometry_set_arc(&g, 0.1, 3.2 / k->views);
    for (int part = 0; part < 2; part++) {
      const int *blocks = part ? some : NULL, count = part ? 2 : 0;
      size_t size;
      float *rows = products("csr", &g, k, 2, blocks, count, &size, &error),
            *merged = products("csr-merge", &g, k, 1, blocks, count, &size, &error),
            *again = products("csr-merge", &g, k, 3, blocks, count, &size, &error);
      CHECK_OK(rows && merged && again);
      const double most = off(merged, rows, size);
      if (!(most <= 1e-6)) CT_TEST_END(1, "%s: %.3g off", k->what, most);
      if (memcmp(merged, again, size * sizeof *merged)) CT_TEST_END(1, "%s: threads change the sums", k->what);
      ct_free(rows);
      ct_free(merged);
      ct_free(again);
    }
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"products are those by rows, whatever the threads", agrees_with_rows},
};
CT_TEST_MAIN(tests)
