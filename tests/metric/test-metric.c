/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison measures against closed forms and against SSIM straight from its formula; non-finite pairs; thread counts.
 */
#include "recon/metric/metric.h"
#include "tests/test.h"

#include <omp.h>
#include <stdint.h>

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

static float *noise(size_t count, uint64_t seed) {
  float *values = malloc(count * sizeof *values);
  for (size_t i = 0; values && i < count; i++) values[i] = (float)uniform(&seed);
  return values;
}

static void equal_arrays(void) {
  ct_error *error = NULL;
  ct_metrics m;
  float *a = noise(30 * 20 * 3, 1);
  CHECK(a);
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = a, .nx = 30, .ny = 20, .nz = 3, .peak = NAN}, &m, NULL, &error));
  CHECK(m.rmse == 0 && m.relative_rmse == 0 && m.max_abs == 0 && isinf(m.psnr) && m.psnr > 0);
  CHECK_NEAR(m.ssim, 1, 1e-12);
  CHECK_NEAR(m.pearson_r, 1, 1e-12);
  CHECK_NEAR(m.slope, 1, 1e-12);
  CHECK_NEAR(m.intercept, 0, 1e-12);
  CHECK(m.count == 1800 && m.not_finite == 0);
  free(a);
}

static void by_hand(void) {
  const float a[] = {1, 2, 3, 9}, b[] = {1, 1, 4, 6};
  ct_error *error = NULL;
  ct_metrics m;
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 2, .ny = 1, .nz = 2, .peak = 4095}, &m, NULL, &error));
  CHECK_NEAR(m.rmse, sqrt((0 + 1 + 1 + 9) / 4.0), 1e-12);
  CHECK_NEAR(m.relative_rmse, sqrt(11.0 / 54), 1e-12);
  CHECK_NEAR(m.max_abs, 3, 0);
  CHECK(m.max_at[0] == 1 && m.max_at[1] == 0 && m.max_at[2] == 1);
  CHECK_NEAR(m.psnr, 20 * log10(4095 / sqrt(11 / 4.0)), 1e-9);
  /* Means 3.75 and 3: sum of products 24, of squares of b 18, of a 38.75. */
  CHECK_NEAR(m.slope, 24.0 / 18, 1e-12);
  CHECK_NEAR(m.intercept, 3.75 - 3 * 24.0 / 18, 1e-12);
  CHECK_NEAR(m.pearson_r, 24 / sqrt(18 * 38.75), 1e-12);
}

static void linear_relation(void) {
  enum { N = 40 * 40 * 4 };
  ct_error *error = NULL;
  ct_metrics m;
  float *b = noise(N, 3), *a = malloc(N * sizeof *a);
  CHECK(a && b);
  for (int i = 0; i < N; i++) a[i] = 0.5f * b[i] - 3;
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 40, .ny = 40, .nz = 4, .peak = 1}, &m, NULL, &error));
  CHECK_NEAR(m.slope, 0.5, 1e-6);
  CHECK_NEAR(m.intercept, -3, 1e-6);
  CHECK_NEAR(m.pearson_r, 1, 1e-6);
  for (int i = 0; i < N; i++) a[i] = -2 * b[i];
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 40, .ny = 40, .nz = 4, .peak = 1}, &m, NULL, &error));
  CHECK_NEAR(m.pearson_r, -1, 1e-12);
  CHECK_NEAR(m.slope, -2, 1e-12);
  free(a);
  free(b);
}

static void large_offset_keeps_digits(void) {
  enum { N = 64 * 64 };
  ct_error *error = NULL;
  ct_metrics m;
  float *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
  CHECK(a && b);
  for (int i = 0; i < N; i++) {
    b[i] = 1e6f + (float)(i % 7);
    a[i] = 1e6f + 3 * (float)(i % 7);
  }
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 64, .ny = 64, .nz = 1, .peak = NAN}, &m, NULL, &error));
  CHECK_NEAR(m.slope, 3, 1e-9);
  CHECK_NEAR(m.pearson_r, 1, 1e-9);
  free(a);
  free(b);
}

/* SSIM of one window, from the formula, in two passes: means, then moments about them. */
static double window_ssim(const float *a, const float *b, int nx, int ny, int x, int y, double range) {
  double w = 0, ma = 0, mb = 0, va = 0, vb = 0, cab = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int j = y - 5; j <= y + 5; j++)
      for (int i = x - 5; i <= x + 5; i++) {
        if (i < 0 || j < 0 || i >= nx || j >= ny || !isfinite(a[j * nx + i]) || !isfinite(b[j * nx + i])) continue;
        const double g = exp(-((i - x) * (i - x) + (j - y) * (j - y)) / 4.5), p = a[j * nx + i], q = b[j * nx + i];
        if (pass == 0) {
          w += g;
          ma += g * p;
          mb += g * q;
        } else {
          va += g * (p - ma) * (p - ma);
          vb += g * (q - mb) * (q - mb);
          cab += g * (p - ma) * (q - mb);
        }
      }
    if (pass == 0) {
      ma /= w;
      mb /= w;
    }
  }
  const double c1 = 1e-4 * range * range, c2 = 9e-4 * range * range;
  return (2 * ma * mb + c1) * (2 * cab / w + c2) / ((ma * ma + mb * mb + c1) * (va / w + vb / w + c2));
}

static double direct_ssim(const float *a, const float *b, int nx, int ny, int nz, double range) {
  const int x0 = nx >= 11 ? 5 : 0, x1 = nx >= 11 ? nx - 5 : nx, y0 = ny >= 11 ? 5 : 0, y1 = ny >= 11 ? ny - 5 : ny;
  double sum = 0;
  for (int z = 0; z < nz; z++)
    for (int y = y0; y < y1; y++)
      for (int x = x0; x < x1; x++) sum += window_ssim(a + z * nx * ny, b + z * nx * ny, nx, ny, x, y, range);
  return sum / ((double)nz * (y1 - y0) * (x1 - x0));
}

static void ssim_by_the_formula(void) {
  const int sizes[][3] = {{23, 80, 2}, {11, 11, 1}, {64, 43, 3}, {7, 30, 2}, {40, 3, 2}, {1, 1, 1}};
  for (int s = 0; s < 6; s++) {
    const int nx = sizes[s][0], ny = sizes[s][1], nz = sizes[s][2];
    const size_t n = (size_t)nx * (size_t)ny * (size_t)nz;
    ct_error *error = NULL;
    ct_metrics m;
    float *a = noise(n, 5), *b = noise(n, 6);
    CHECK(a && b);
    for (size_t i = 0; i < n; i++) b[i] = 0.7f * a[i] + 0.3f * b[i];
    if (n > 100) { /* left-out pairs: the windows' other weights are made up to 1 */
      a[17] = NAN;
      b[60] = INFINITY;
    }
    CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = nx, .ny = ny, .nz = nz, .peak = 1}, &m, NULL, &error));
    CHECK_NEAR(m.ssim, direct_ssim(a, b, nx, ny, nz, 1), 1e-11);
    CHECK(m.not_finite == (n > 100 ? 2 : 0) && m.count == n - m.not_finite);
    free(a);
    free(b);
  }
}

static void ssim_of_constants(void) {
  enum { N = 20 * 20 };
  ct_error *error = NULL;
  ct_metrics m;
  float a[N], b[N];
  for (int i = 0; i < N; i++) a[i] = 0.25f, b[i] = 0.5f;
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 20, .ny = 20, .nz = 1, .peak = 1}, &m, NULL, &error));
  CHECK_NEAR(m.ssim, (2 * 0.25 * 0.5 + 1e-4) / (0.0625 + 0.25 + 1e-4), 1e-12);
  CHECK(isnan(m.pearson_r) && isnan(m.slope));
  CHECK_NEAR(m.psnr, 20 * log10(4), 1e-12);
  /* Without a stated peak the range of a constant reference is 0. */
  CHECK_OK(ct_compare(&(ct_comparison){.a = b, .b = b, .nx = 20, .ny = 20, .nz = 1, .peak = NAN}, &m, NULL, &error));
  CHECK_NEAR(m.ssim, 1, 1e-12);
  CHECK(isinf(m.psnr) && m.psnr > 0);
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 20, .ny = 20, .nz = 1, .peak = NAN}, &m, NULL, &error));
  CHECK(isinf(m.psnr) && m.psnr < 0);
}

static void non_finite(void) {
  float a[] = {1, NAN, 3, INFINITY}, b[] = {1, 2, NAN, 4};
  ct_error *error = NULL;
  ct_metrics m;
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 4, .ny = 1, .nz = 1, .peak = 1}, &m, NULL, &error));
  CHECK(m.count == 1 && m.not_finite == 3 && m.rmse == 0 && m.max_at[0] == 0);
  a[0] = NAN;
  CHECK_FAILS(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 4, .ny = 1, .nz = 1, .peak = 1}, &m, NULL, &error),
              CT_ERROR_DATA, "finite");
  CHECK_FAILS(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 0, .ny = 1, .nz = 1, .peak = 1}, &m, NULL, &error),
              CT_ERROR_ARGUMENT, "0 x 1 x 1");
  CHECK_FAILS(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = 4, .ny = 1, .nz = 1, .peak = -1}, &m, NULL, &error),
              CT_ERROR_ARGUMENT, "peak");
}

static void job_watches_and_cancels(void) {
  enum { NX = 50, NY = 70, NZ = 7 };
  ct_error *error = NULL;
  ct_metrics m = {.rmse = -1};
  ct_progress progress;
  float *a = noise(NX * NY * NZ, 4), *b = noise(NX * NY * NZ, 5);
  ct_job *job = ct_job_new(&error);
  CHECK(a && b && job);
  CHECK_OK(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = NX, .ny = NY, .nz = NZ, .peak = NAN}, &m, job, &error));
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_COMPARING && progress.done == NZ && progress.total == NZ && m.rmse > 0);
  ct_job_cancel(job);
  m.rmse = -1;
  CHECK_FAILS(ct_compare(&(ct_comparison){.a = a, .b = b, .nx = NX, .ny = NY, .nz = NZ, .peak = NAN}, &m, job, &error),
              CT_ERROR_CANCELLED, "");
  CHECK(m.rmse == -1);
  ct_job_free(job);
  free(a);
  free(b);
}

static void threads_change_nothing(void) {
  enum { NX = 61, NY = 47, NZ = 5, N = NX * NY * NZ };
  const int most = omp_get_max_threads();
  ct_error *error = NULL;
  ct_metrics m[2];
  ct_statistics s[2];
  size_t bins[2][33];
  float *a = noise(N, 8), *b = noise(N, 9);
  CHECK(a && b);
  memset(m, 0, sizeof m);
  for (int i = 0; i < 2; i++) {
    omp_set_num_threads(i ? 3 : 1);
    CHECK_OK(
        ct_compare(&(ct_comparison){.a = a, .b = b, .nx = NX, .ny = NY, .nz = NZ, .peak = NAN}, &m[i], NULL, &error));
    ct_statistics_of(a, N, &s[i]);
    ct_histogram(a, N, 0.1, 0.9, bins[i], 33);
  }
  omp_set_num_threads(most);
  CHECK(m[0].rmse == m[1].rmse && m[0].ssim == m[1].ssim && m[0].pearson_r == m[1].pearson_r &&
        m[0].slope == m[1].slope);
  CHECK(!memcmp(m[0].max_at, m[1].max_at, sizeof m[0].max_at));
  CHECK(s[0].mean == s[1].mean && s[0].deviation == s[1].deviation);
  CHECK(!memcmp(bins[0], bins[1], sizeof bins[0]));
  free(a);
  free(b);
}

static void statistics(void) {
  const float values[] = {4, NAN, 1, -INFINITY, 7, INFINITY, NAN};
  ct_statistics s;
  ct_statistics_of(values, 7, &s);
  CHECK(s.count == 3 && s.nans == 2 && s.infinities == 2);
  CHECK_NEAR(s.min, 1, 0);
  CHECK_NEAR(s.max, 7, 0);
  CHECK_NEAR(s.mean, 4, 1e-12);
  CHECK_NEAR(s.deviation, sqrt(6), 1e-12);
  ct_statistics_of(values, 0, &s);
  CHECK(s.count == 0 && isnan(s.mean) && isnan(s.min));
  /* In parts of one to seven values, of which some hold no finite one. */
  for (size_t step = 1; step <= 7; step++) {
    ct_statistics sum = {0}, part;
    for (size_t i = 0; i < 7; i += step) {
      ct_statistics_of(values + i, 7 - i < step ? 7 - i : step, &part);
      ct_statistics_add(&sum, &part);
    }
    CHECK(sum.count == 3 && sum.nans == 2 && sum.infinities == 2);
    CHECK_NEAR(sum.min, 1, 0);
    CHECK_NEAR(sum.max, 7, 0);
    CHECK_NEAR(sum.mean, 4, 1e-12);
    CHECK_NEAR(sum.deviation, sqrt(6), 1e-12);
  }
}

static void histogram(void) {
  const float values[] = {-5, 0, 0.49f, 0.5f, 0.99f, 1, 3, NAN, INFINITY, -INFINITY};
  size_t bins[2];
  ct_histogram(values, 10, 0, 1, bins, 2);
  CHECK(bins[0] == 3 && bins[1] == 4);
  ct_histogram(values, 10, 1, 1, bins, 2);
  CHECK(bins[0] + bins[1] == 7);
  ct_histogram(values, 10, 0, 1, bins, 0);
}

static void percentiles(void) {
  float values[1001];
  double low, high;
  for (int i = 0; i < 1001; i++) values[i] = (float)((i * 577) % 1001);
  ct_percentiles(values, 1001, 0.1, 0.95, &low, &high);
  CHECK_NEAR(low, 100, 0);
  CHECK_NEAR(high, 950, 0);
  ct_percentiles(values, 1001, 0, 1, &low, &high);
  CHECK_NEAR(low, 0, 0);
  CHECK_NEAR(high, 1000, 0);
  values[3] = NAN;
  values[4] = INFINITY;
  ct_percentiles(values, 1001, 0, 1, &low, &high);
  CHECK(isfinite(low) && isfinite(high) && high <= 1000);
  for (int i = 0; i < 1001; i++) values[i] = -2;
  ct_percentiles(values, 1001, 0.001, 0.999, &low, &high);
  CHECK(low < -2 && high > -2);
  ct_percentiles(values, 0, 0.001, 0.999, &low, &high);
  CHECK(low < high);
}

static void percentiles_of_many(void) {
  /* A ramp along x in a volume whose width the sampling step would divide: every column must be seen. */
  enum { NX = 64, N = NX << 16 };
  float *values = malloc(N * sizeof *values);
  double low, high;
  CHECK(values);
  for (size_t i = 0; i < N; i++) values[i] = (float)(i % NX);
  ct_percentiles(values, N, 0.25, 0.75, &low, &high);
  CHECK_NEAR(low, 16, 1);
  CHECK_NEAR(high, 48, 1);
  free(values);
}

/* A slice of 100 x 100 with a disc on noise; the streak is two columns wide. */
static void grey_range_of_streak(void) {
  enum { N = 100 };
  static float values[N * N];
  double low, high, clean_low, clean_high;
  for (int i = 0; i < N * N; i++) {
    const double x = i % N - N / 2, y = i / N - N / 2;
    values[i] = (float)((x * x + y * y < 900 ? 1 : 0) + 0.01 * ((i * 577) % 101 - 50) / 50);
  }
  ct_grey_range(values, N * N, &clean_low, &clean_high);
  CHECK(clean_low > -0.02 && clean_low < 0 && clean_high > 1 && clean_high < 1.02);
  for (int j = 0; j < N - 20; j++) values[j * N + 10] = 40;
  ct_grey_range(values, N * N, &low, &high);
  CHECK_NEAR(low, clean_low, 0.01);
  CHECK(high >= clean_high && high < 1.5);
  /* All else is alike: then it is what there is to see. */
  for (int i = 0; i < N * N; i++) values[i] = i < 60 ? 7 : 0;
  ct_grey_range(values, N * N, &low, &high);
  CHECK(low <= 0 && high == 7);
  for (int i = 0; i < N * N; i++) values[i] = NAN;
  ct_grey_range(values, N * N, &low, &high);
  CHECK(low < high);
}

static const ct_test tests[] = {
    {"equal arrays compare as equal", equal_arrays},
    {"small arrays give the numbers made by hand", by_hand},
    {"a linear relation gives its slope", linear_relation},
    {"a large offset costs no digits", large_offset_keeps_digits},
    {"SSIM agrees with its formula, at every size", ssim_by_the_formula},
    {"SSIM of constants is the closed form", ssim_of_constants},
    {"pairs that are not finite are left out and counted", non_finite},
    {"a job is told the slices, and cancels", job_watches_and_cancels},
    {"the number of threads changes no bit", threads_change_nothing},
    {"statistics of finite values", statistics},
    {"histogram with outer values in the outer bins", histogram},
    {"percentiles by rank", percentiles},
    {"percentiles of many values see every column", percentiles_of_many},
    {"a streak does not spoil the grey window", grey_range_of_streak},
};
CT_TEST_MAIN(tests)
