/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system matrix by compressed rows: built as its rows are, counted and estimated as it is built, whatever the
 * number of threads; and the products with it: against sums in double precision, adjoint to each other, by blocks, and
 * for stacks of slices. */
#include "recon/base/memory.h"
#include "recon/fp/matrix/build.h"
#include "recon/fp/projector.h"
#include "tests/test.h"

#include <stdint.h>

static float noise(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (float)((double)(*state >> 11) * 0x1p-53 - 0.3);
}

static bool scan(ct_geometry *g, ct_beam beam, int nu, int nv, int views, ct_error **error) {
  if (!ct_geometry_init(g, beam, nu, nv, views, error)) return false;
  g->sod = 90;
  g->sdd = 130;
  g->centre_u += 1.3;
  ct_geometry_set_arc(g, 0.1, (beam == CT_BEAM_FAN ? 2 : 1) * M_PI / views);
  return true;
}

static void rows_are_built_in_their_places(void) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK_OK(scan(&g, CT_BEAM_FAN, 70, 1, 19, &error));
  const ct_grid grid = ct_grid_centred(31, 22, 1, 1.1, (double[]){2, -1, 0});
  const int views[] = {3, 17, 4}, rays[] = {70, 5, 0};
  ct_row row;
  ct_row_init(&row);
  CHECK_OK(ct_row_reserve(&row, 1, &error)); /* comparing nothing takes an address, too */
  for (int model = CT_MODEL_JOSEPH; model <= CT_MODEL_AREA; model++)
    for (int threads = 1; threads <= 3; threads += 2)
      for (int some = 0; some < 2; some++) {
        ct_matrix_request request = ct_matrix_whole(&g, &grid, (ct_ray_model)model, threads);
        if (some) request.views = views, request.rays = rays, request.view_count = 3;
        ct_sparse *matrix = ct_matrix_build(&request, NULL, &error);
        CHECK_OK(matrix);
        CHECK_OK(ct_sparse_check(matrix, &error));
        CHECK(ct_sparse_rows(matrix) == (some ? 75 : 19 * 70) && ct_sparse_rows(matrix) == ct_matrix_rows(&request));
        CHECK(ct_sparse_columns(matrix) == 31 * 22);
        uint64_t counted;
        CHECK_OK(ct_matrix_count(&request, NULL, &counted, NULL, &error));
        CHECK(counted == ct_sparse_entries(matrix) && counted > 0);
        if (!some) CHECK_NEAR(ct_matrix_estimate(&request) / (double)counted, 1, 0.03);
        const uint64_t *starts = ct_sparse_starts(matrix);
        size_t at = 0;
        for (int k = 0; k < request.view_count; k++)
          for (int u = 0; u < (some ? rays[k] : g.nu); u++, at++) {
            CHECK_OK(ct_model_row(&g, &grid, (ct_ray_model)model, some ? views[k] : k, u, &row, &error));
            CHECK(row.count == starts[at + 1] - starts[at]);
            CHECK(!memcmp(row.columns, ct_sparse_get_indices(matrix) + starts[at], row.count * sizeof *row.columns));
            CHECK(!memcmp(row.values, ct_sparse_get_values(matrix) + starts[at], row.count * sizeof *row.values));
          }
        ct_sparse_free(matrix);
      }
  ct_row_clear(&row);
  ct_geometry_clear(&g);
}

static void what_cannot_be_built_is_refused(void) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK_OK(scan(&g, CT_BEAM_PARALLEL, 40, 1, 6, &error));
  const ct_grid grid = ct_grid_centred(32, 32, 1, 1, NULL);
  ct_matrix_request request = ct_matrix_whole(&g, &grid, CT_MODEL_AREA, 2);
  request.memory = 10000;
  CHECK_FAILS(ct_matrix_build(&request, NULL, &error), CT_ERROR_MEMORY, "matrix-free");
  request.memory = 0;
  const int views[] = {0, 6};
  request.views = views;
  request.view_count = 2;
  CHECK_FAILS(ct_matrix_build(&request, NULL, &error), CT_ERROR_ARGUMENT, "no view 6");
  request.views = NULL;
  request.view_count = 6;
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  ct_job_cancel(job);
  CHECK_FAILS(ct_matrix_build(&request, job, &error), CT_ERROR_CANCELLED, "");
  ct_job_free(job);
  g.angles[2] = NAN;
  CHECK_FAILS(ct_matrix_build(&request, NULL, &error), CT_ERROR_ARGUMENT, "angle");
  CHECK(ct_matrix_estimate(&request) == 0);
  ct_geometry_clear(&g);
}

/* A prepared csr with an image and rays of noise. */
typedef struct bench {
  const ct_projector *projector;
  ct_projector_request request;
  ct_projector_state *state;
  ct_projector_shape shape;
  float *x, *y, *ax, *aty;
} bench;

static bool bench_open(bench *b, const ct_geometry *g, const ct_grid *grid, ct_ray_model model, int threads,
                       ct_error **error) {
  *b = (bench){.projector = ct_projector_find("csr"), .request = {g, *grid, model, threads, 0, NULL}};
  if (!b->projector || !ct_projector_accepts(b->projector, &b->request, error)) return false;
  b->state = ct_projector_prepare(b->projector, &b->request, NULL, error);
  if (!b->state) return false;
  b->projector->shape(b->state, &b->shape);
  float **arrays[] = {&b->x, &b->y, &b->ax, &b->aty};
  const size_t sizes[] = {b->shape.image, b->shape.rays, b->shape.rays, b->shape.image};
  const size_t image = ct_grid_voxels(grid), rays = (size_t)g->views * (size_t)g->nv * (size_t)g->nu;
  uint64_t seed = 5;
  for (int k = 0; k < 4; k++) {
    *arrays[k] = ct_alloc_zero(sizes[k], sizeof(float), "a test", error);
    if (!*arrays[k]) return false;
  }
  for (size_t n = 0; n < image; n++) b->x[n] = noise(&seed);
  for (size_t n = 0; n < rays; n++) b->y[n] = noise(&seed);
  return b->projector->forward(b->state, NULL, 0, b->x, b->ax, error) &&
         b->projector->back(b->state, NULL, 0, b->y, b->aty, error);
}

static void bench_close(bench *b) {
  b->projector->free(b->state);
  ct_free(b->x);
  ct_free(b->y);
  ct_free(b->ax);
  ct_free(b->aty);
}

static double product(const float *a, const float *b, size_t count) {
  double sum = 0;
  for (size_t n = 0; n < count; n++) sum += (double)a[n] * (double)b[n];
  return sum;
}

static void products_follow_the_rows(void) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK_OK(scan(&g, CT_BEAM_PARALLEL, 90, 3, 23, &error));
  ct_grid grid = ct_grid_centred(61, 70, 3, 1, NULL);
  for (int model = CT_MODEL_JOSEPH; model <= CT_MODEL_AREA; model++) {
    bench b;
    CHECK_OK(bench_open(&b, &g, &grid, (ct_ray_model)model, 2, &error));
    double *expected = ct_alloc_zero(b.shape.image, sizeof(double), "a test", &error);
    float *squares = ct_alloc(b.shape.rays, sizeof(float), "a test", &error);
    CHECK_OK(expected && squares && b.projector->row_squares(b.state, squares, &error));
    ct_row buffer;
    ct_row_init(&buffer);
    double worst = 0, entries = 0;
    for (size_t ray = 0; ray < 23 * 3 * 90; ray++) {
      ct_projector_row row;
      CHECK_OK(b.projector->row(b.state, ray, &buffer, &row, &error));
      double sum = 0, square = 0;
      for (size_t n = 0; n < row.count; n++) {
        sum += (double)row.values[n] * (double)b.x[row.columns[n]];
        square += (double)row.values[n] * (double)row.values[n];
        expected[row.columns[n]] += (double)row.values[n] * (double)b.y[ray];
      }
      entries += (double)row.count;
      worst = fmax(worst, fabs(sum - (double)b.ax[ray]));
      CHECK_NEAR((double)squares[ray], square, 1e-6 * square);
    }
    CHECK(entries == b.shape.entries && b.shape.stored * 3 == entries);
    CHECK_BELOW(worst, 3e-5);
    for (size_t n = 0; n < b.shape.image; n++) CHECK_NEAR((double)b.aty[n], expected[n], 2e-5);
    const double left = product(b.ax, b.y, b.shape.rays), right = product(b.x, b.aty, b.shape.image);
    CHECK_NEAR(left / right, 1, 1e-6);
    ct_projector_row row;
    CHECK_FAILS(b.projector->row(b.state, 23 * 3 * 90, &buffer, &row, &error), CT_ERROR_ARGUMENT, "no ray");
    ct_row_clear(&buffer);
    ct_free(expected);
    ct_free(squares);
    bench_close(&b);
  }
  ct_geometry_clear(&g);
}

static void blocks_add_up_and_threads_do_not_matter(void) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK_OK(scan(&g, CT_BEAM_FAN, 50, 1, 12, &error));
  const ct_grid grid = ct_grid_centred(130, 300, 1, 0.2, NULL);
  bench one, three;
  CHECK_OK(bench_open(&one, &g, &grid, CT_MODEL_AREA, 1, &error));
  CHECK_OK(bench_open(&three, &g, &grid, CT_MODEL_AREA, 3, &error));
  CHECK(!memcmp(one.ax, three.ax, one.shape.rays * sizeof(float)));
  CHECK(!memcmp(one.aty, three.aty, one.shape.image * sizeof(float)));
  const int halves[2][6] = {{0, 2, 4, 6, 8, 10}, {11, 9, 7, 5, 3, 1}};
  float *whole = ct_alloc(one.shape.rays, sizeof(float), "a test", &error);
  float *part = ct_alloc(one.shape.image, sizeof(float), "a test", &error);
  double *sum = ct_alloc_zero(one.shape.image, sizeof(double), "a test", &error);
  CHECK_OK(whole && part && sum);
  for (size_t n = 0; n < one.shape.rays; n++) whole[n] = -7;
  for (int half = 0; half < 2; half++) {
    CHECK_OK(one.projector->forward(one.state, halves[half], 6, one.x, whole, &error));
    CHECK(half == 1 || whole[50] == -7);
    CHECK_OK(three.projector->back(three.state, halves[half], 6, one.y, part, &error));
    for (size_t n = 0; n < one.shape.image; n++) sum[n] += (double)part[n];
  }
  CHECK(!memcmp(whole, one.ax, 12 * 50 * sizeof(float)));
  for (size_t n = 0; n < one.shape.image; n++) CHECK_NEAR(sum[n], (double)one.aty[n], 1e-5);
  ct_projector_block block;
  one.projector->block(one.state, 7, &block);
  CHECK(block.first == 350 && block.count == 50 && block.view_count == 1 && block.views[0] == 7);
  ct_free(whole);
  ct_free(part);
  ct_free(sum);
  bench_close(&one);
  bench_close(&three);
  ct_geometry_clear(&g);
}

static void what_does_not_fit_is_refused_with_its_size(void) {
  ct_error *error = NULL;
  const ct_projector *csr = ct_projector_find("csr");
  CHECK(csr);
  ct_geometry g;
  CHECK_OK(scan(&g, CT_BEAM_FAN, 64, 1, 90, &error));
  ct_projector_request request = {.geometry = &g,
                                  .grid = ct_grid_centred(64, 64, 1, 1, NULL),
                                  .model = CT_MODEL_AREA,
                                  .threads = 2,
                                  .memory = 100000};
  CHECK_FAILS(ct_projector_accepts(csr, &request, &error), CT_ERROR_MEMORY, "matrix-free");
  CHECK_FAILS(ct_projector_prepare(csr, &request, NULL, &error), CT_ERROR_MEMORY,
              "takes 6.07 MB as stored rows, and 100 kB may be used");
  request.memory = 0;
  CHECK_OK(ct_projector_accepts(csr, &request, &error));
  request.grid.nz = 2;
  CHECK_FAILS(ct_projector_accepts(csr, &request, &error), CT_ERROR_UNSUPPORTED, "slice");
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"rows are built in their places", rows_are_built_in_their_places},
    {"what cannot be built is refused", what_cannot_be_built_is_refused},
    {"products follow the rows", products_follow_the_rows},
    {"blocks add up, threads do not matter", blocks_add_up_and_threads_do_not_matter},
    {"what does not fit is refused with its size", what_does_not_fit_is_refused_with_its_size},
};

CT_TEST_MAIN(tests)
