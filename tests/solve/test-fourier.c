/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Direct Fourier reconstruction: rows whose interpolation is known exactly (Gaussians far below the Nyquist frequency)
 * on grids of any pitch, place and size; filtered back-projection of phantoms beside it; what it refuses. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/metric/metric.h"
#include "recon/solve/fourier/fourier.h"
#include "recon/solve/pipeline.h"

#include <string.h>

/* Pixels: transforms of such Gaussians have fallen to 3e-9 at the Nyquist frequency. */
static const double sigma = 2;

typedef struct setting {
  int gridding, width;
  double padding;
} setting;

/* Filtered rows as they might be: of view n a Gaussian about the place where the object is seen, as high as
 * 1 + n / 10 in row 0 and twice as high in row 1. */
typedef struct rows {
  ct_geometry geometry;
  ct_stack *stack;
} rows;

static double centre_of(int n, const ct_geometry *g) {
  return 0.5 * g->nu + 0.15 * g->nu * sin(2.3 * n);
}

static bool rows_make(rows *r, int nu, int views) {
  if (!ct_geometry_init(&r->geometry, CT_BEAM_PARALLEL, nu, 2, views, NULL)) return false;
  ct_geometry *g = &r->geometry;
  g->du = 0.4, g->dv = 0.5;
  g->centre_u += 1.7;
  for (int n = 0; n < views; n++) g->angles[n] = 0.37 + 2.4 * n + 0.1 * n * n;
  if (!(r->stack = ct_stack_new(nu, 2, views, NULL))) return false;
  for (int n = 0; n < views; n++)
    for (int v = 0; v < 2; v++)
      for (int u = 0; u < nu; u++) {
        const double d = (u - centre_of(n, g)) / sigma;
        ct_stack_view(r->stack, n)[v * nu + u] = (float)((1 + v) * (1 + 0.1 * n) * exp(-0.5 * d * d));
      }
  return true;
}

static void rows_clear(rows *r) {
  ct_geometry_clear(&r->geometry);
  ct_stack_free(r->stack);
}

static ct_volume *reconstruct(const rows *r, const ct_grid *grid, const setting *s, int threads, int batch, ct_job *job,
                              ct_error **error) {
  const ct_fourier_options options = {.gridding = s->gridding, .width = s->width, .padding = s->padding};
  const int views = r->geometry.views;
  const ct_bp_request request = {.geometry = &r->geometry,
                                 .grid = *grid,
                                 .interp = CT_INTERP_LINEAR,
                                 .threads = threads,
                                 .batch = batch,
                                 .fourier = &options};
  ct_bp_state *state = NULL;
  ct_volume *volume = ct_volume_new(grid, error);
  bool good = volume && ct_fourier_kernel.accepts(&ct_fourier_kernel, &request, error) &&
              (state = ct_fourier_kernel.prepare(&ct_fourier_kernel, &request, error));
  for (int at = 0; good && at < views; at += batch) {
    const float *projections[64];
    int order[64];
    const int count = views - at < batch ? views - at : batch;
    for (int n = 0; n < count; n++) order[n] = at + n, projections[n] = ct_stack_get_view(r->stack, at + n);
    good = ct_fourier_kernel.run(
        state, &(ct_bp_batch){.count = count, .views = order, .projections = projections, .first = at == 0}, volume,
        job, error);
  }
  ct_fourier_kernel.free(state);
  if (good) return volume;
  ct_volume_free(volume);
  return NULL;
}

/* The sum over the views of the Gaussians themselves, at voxel centres; relative RMSE of the volume against it. */
static double error_of(const rows *r, const ct_volume *volume) {
  const ct_grid *grid = ct_volume_grid(volume);
  const ct_geometry *g = &r->geometry;
  const float *data = ct_volume_get_data(volume);
  double difference = 0, power = 0;
  for (int k = 0; k < grid->nz; k++)
    for (int j = 0; j < grid->ny; j++)
      for (int i = 0; i < grid->nx; i++) {
        const double x = grid->x0 + i * grid->dx, y = grid->y0 + j * grid->dy, z = grid->z0 + k * grid->dz;
        const double v = g->centre_v + z / g->dv, height = v < 0 || v > 1 ? 0 : 1 + v;
        double sum = 0;
        for (int n = 0; n < g->views; n++) {
          const double u = g->centre_u + (x * cos(g->angles[n]) + y * sin(g->angles[n])) / g->du,
                       d = (u - centre_of(n, g)) / sigma;
          sum += height * (1 + 0.1 * n) * exp(-0.5 * d * d);
        }
        const double is = *data++;
        difference += (is - sum) * (is - sum);
        power += sum * sum;
      }
  return sqrt(difference / power);
}

/* Odd counts, unequal pitch, off the axis, slices between the rows; coarser than the detector; a single voxel row. */
static const ct_grid grids[] = {
    {41, 37, 3, 0.4, 0.4, 0.25, -8, -7.2, -0.25},
    {30, 53, 2, 0.31, 0.23, 0.5, -2.9, -8.3, -0.25},
    {17, 19, 1, 0.9, 0.8, 0.5, -6.1, -7.5, 0.25},
    {33, 1, 2, 0.4, 0.4, 0.5, -6.4, 1.3, -0.25},
};

static void test_values(void) {
  static const struct {
    setting setting;
    double bound;
  } cases[] = {
      {{CT_GRIDDING_KAISER_BESSEL, 6, NAN}, 2e-4},  {{CT_GRIDDING_KAISER_BESSEL, 4, 1.5}, 1e-3},
      {{CT_GRIDDING_KAISER_BESSEL, 6, 2}, 3e-6},    {{CT_GRIDDING_KAISER_BESSEL, 3, 1.5}, 4e-3},
      {{CT_GRIDDING_KAISER_BESSEL, 8, 1.25}, 4e-5}, {{CT_GRIDDING_LINEAR, 4, 4}, 1.5e-2},
      {{CT_GRIDDING_NEAREST, 4, 8}, 4e-2},
  };
  ct_error *error = NULL;
  rows r;
  CHECK(rows_make(&r, 64, 23));
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (size_t n = 0; n < sizeof grids / sizeof *grids; n++) {
      ct_volume *volume = reconstruct(&r, &grids[n], &cases[c].setting, 2, 64, NULL, &error);
      CHECK_OK(volume);
      CHECK_BELOW(error_of(&r, volume), cases[c].bound);
      ct_volume_free(volume);
    }
  rows_clear(&r);
}

/* Neither threads nor the partner in a pair of slices change a value; views in several runs add up. */
static void test_order(void) {
  static const setting usual = {CT_GRIDDING_KAISER_BESSEL, 6, NAN};
  ct_error *error = NULL;
  rows r;
  CHECK(rows_make(&r, 64, 23));
  /* Samples of these two lie on cells. */
  r.geometry.angles[0] = 0, r.geometry.angles[1] = M_PI / 2;
  ct_volume *one = reconstruct(&r, &grids[0], &usual, 1, 64, NULL, &error),
            *more = reconstruct(&r, &grids[0], &usual, 3, 64, NULL, &error),
            *parts = reconstruct(&r, &grids[0], &usual, 2, 7, NULL, &error);
  CHECK_OK(one && more && parts);
  const float *a = ct_volume_get_data(one), *b = ct_volume_get_data(more), *c = ct_volume_get_data(parts);
  CHECK(!memcmp(a, b, ct_volume_bytes(one)));
  for (size_t i = 0; i < ct_grid_voxels(&grids[0]); i++) CHECK_NEAR(a[i], c[i], 2e-4);
  /* The second of the first pair, without its partner. */
  ct_grid alone = grids[0];
  alone.nz = 1, alone.z0 += alone.dz;
  ct_volume *second = reconstruct(&r, &alone, &usual, 1, 64, NULL, &error);
  CHECK_OK(second);
  const float *d = ct_volume_get_data(second);
  const size_t pixels = ct_grid_voxels(&alone);
  double largest = 0, apart = 0;
  for (size_t i = 0; i < pixels; i++) {
    largest = fmax(largest, fabs((double)d[i]));
    apart = fmax(apart, fabs((double)d[i] - a[pixels + i]));
  }
  CHECK_BELOW(apart, 1e-6 * largest);
  ct_volume_free(second);
  ct_volume_free(one);
  ct_volume_free(more);
  ct_volume_free(parts);
  rows_clear(&r);
}

static void test_refusals(void) {
  static const setting usual = {CT_GRIDDING_KAISER_BESSEL, 6, NAN};
  ct_error *error = NULL;
  rows r;
  CHECK(rows_make(&r, 64, 5));
  ct_job *job = ct_job_new(NULL);
  ct_job_cancel(job);
  CHECK_FAILS(reconstruct(&r, &grids[0], &usual, 1, 64, job, &error), CT_ERROR_CANCELLED, "cancelled");
  ct_job_free(job);
  r.geometry.tilt = 0.01;
  CHECK_FAILS(reconstruct(&r, &grids[0], &usual, 1, 64, NULL, &error), CT_ERROR_UNSUPPORTED, "without tilt");
  r.geometry.tilt = 0;
  r.geometry.beam = CT_BEAM_CONE, r.geometry.sod = 100, r.geometry.sdd = 200;
  CHECK_FAILS(reconstruct(&r, &grids[0], &usual, 1, 64, NULL, &error), CT_ERROR_UNSUPPORTED, "method=fbp");
  rows_clear(&r);
}

/* RMSE of the axial slice against the phantom, 1/mm. */
static bool slice_error(bench *b, const simulation *s, int method, double *rmse, double *mean, ct_error **error) {
  b->plan.iterative.method = method;
  if (!ct_pipeline_prepare(b->pipeline, &b->plan, NULL, error)) return false;
  const ct_grid *grid = &ct_pipeline_get_facts(b->pipeline)->grid;
  const size_t count = (size_t)grid->nx * (size_t)grid->ny;
  float *slice = ct_alloc(count, sizeof *slice, "a slice", error);
  ct_volume *truth = ct_volume_new(grid, error);
  const bool good = slice && truth &&
                    ct_phantom_voxelise(ct_phantom_find(s->phantom), sim_radius, sim_mu, 4, truth, NULL, error) &&
                    ct_pipeline_slice(b->pipeline, &b->plan, CT_AXIAL, 0, slice, NULL, error);
  double squares = 0, sum = 0, whole = 0;
  for (int i = 0; good && i < (int)count; i++) {
    const double is = slice[i], should = ct_volume_get_data(truth)[i];
    const double x = grid->x0 + i % grid->nx * grid->dx, y = grid->y0 + i / grid->nx * grid->dy;
    squares += (is - should) * (is - should);
    if (hypot(x, y) > 0.4 * sim_radius) continue;
    sum += is;
    whole += should;
  }
  *rmse = sqrt(squares / (double)count);
  *mean = sum / whole;
  ct_volume_free(truth);
  ct_free(slice);
  return good;
}

/* As near to the phantom as filtered back-projection, for even and uneven arcs and a full turn, with every window; the
 * mean of the interior is right to 0.1 %, or as by back-projection. */
static void test_phantom(void) {
  static const simulation scans[] = {{CT_BEAM_PARALLEL, 128, 1, 200, 180, 1.3, "shepp-logan"},
                                     {CT_BEAM_PARALLEL, 129, 1, 301, 360, -4.6, "shepp-logan"}};
  for (int n = 0; n < 2; n++)
    for (int window = CT_WINDOW_RAM_LAK; window <= CT_WINDOW_HANN; window += CT_WINDOW_HANN - CT_WINDOW_RAM_LAK) {
      bench b;
      ct_error *error = NULL;
      double rmse[2], means[2];
      CHECK_OK(bench_take(&b, sim_scan(&scans[n], &error), &error));
      b.plan.centre_method = CT_CENTRE_SCAN;
      b.plan.filter.window = window;
      for (int m = 0; m < 2; m++)
        CHECK_OK(slice_error(&b, &scans[n], m ? CT_METHOD_FOURIER : CT_METHOD_DIRECT, &rmse[m], &means[m], &error));
      CHECK_BELOW(rmse[1], 1.05 * rmse[0]);
      /* A smooth window carries some of the skull into the interior, whatever the method. */
      CHECK_BELOW(fabs(means[1] - 1), fmax(1e-3, fabs(means[0] - 1)));
      bench_close(&b);
    }
}

/* Planes across the slices are made by back-projection, and said to be previews. */
static void test_planes(void) {
  static const simulation scan = {CT_BEAM_PARALLEL, 48, 6, 60, 180, 0, "shepp-logan-3d"};
  bench b;
  ct_error *error = NULL;
  float planes[2][48 * 48];
  CHECK_OK(bench_take(&b, sim_scan(&scan, &error), &error));
  b.plan.centre_method = CT_CENTRE_SCAN;
  for (int m = 0; m < 2; m++) {
    b.plan.iterative.method = m ? CT_METHOD_FOURIER : CT_METHOD_DIRECT;
    CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_CORONAL, 20, planes[m], NULL, &error));
    CHECK(ct_pipeline_slice_is_preview(b.pipeline, &b.plan, CT_CORONAL) == m);
    CHECK(!ct_pipeline_slice_is_preview(b.pipeline, &b.plan, CT_AXIAL));
  }
  CHECK(!memcmp(planes[0], planes[1], 48 * 6 * sizeof(float)));
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  float axial[48 * 48];
  CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, 3, axial, NULL, &error));
  for (int i = 0; i < 48 * 48; i++) CHECK_NEAR(axial[i], ct_volume_get_data(volume)[3 * 48 * 48 + i], 1e-6);
  ct_volume_free(volume);
  bench_close(&b);
}

static const ct_test tests[] = {
    {"rows of known interpolation give known values on any grid", test_values},
    {"threads and partners change nothing, and views in several runs add up", test_order},
    {"a cancel, a tilt and diverging rays are errors in words", test_refusals},
    {"phantoms come out as by filtered back-projection", test_phantom},
    {"slices are those of the volume, upright planes previews", test_planes},
};
CT_TEST_MAIN(tests)
