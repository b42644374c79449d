/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The windows, and the ramp as it acts on rows: impulse response, linearity, shift, mean, extension. */
#include "recon/base/memory.h"
#include "tests/filter/support.h"
#include "tests/test.h"

#include <string.h>

static void test_windows(void) {
  for (int w = CT_WINDOW_RAM_LAK; w <= CT_WINDOW_HANN; w++) {
    CHECK_NEAR(ct_window_value((ct_window)w, 1, 0), 1, 1e-15);
    CHECK_NEAR(ct_window_value((ct_window)w, 0.5, 0), 1, 1e-15);
    CHECK(ct_window_value((ct_window)w, 0.5, 0.5000001) == 0);
    /* Stretched: half the cut-off means half the frequency. */
    CHECK_NEAR(ct_window_value((ct_window)w, 0.5, 0.2), ct_window_value((ct_window)w, 1, 0.4), 1e-15);
  }
  CHECK_NEAR(ct_window_value(CT_WINDOW_RAM_LAK, 1, 1), 1, 0);
  CHECK_NEAR(ct_window_value(CT_WINDOW_SHEPP_LOGAN, 1, 1), 2 / M_PI, 1e-15);
  CHECK_NEAR(ct_window_value(CT_WINDOW_SHEPP_LOGAN, 1, 0.5), 2 * sqrt(2) / M_PI, 1e-15);
  CHECK_NEAR(ct_window_value(CT_WINDOW_COSINE, 1, 1), 0, 1e-15);
  CHECK_NEAR(ct_window_value(CT_WINDOW_COSINE, 1, 0.5), sqrt(0.5), 1e-15);
  CHECK_NEAR(ct_window_value(CT_WINDOW_HAMMING, 1, 1), 0.08, 1e-15);
  CHECK_NEAR(ct_window_value(CT_WINDOW_HAMMING, 1, 0.5), 0.54, 1e-15);
  CHECK_NEAR(ct_window_value(CT_WINDOW_HANN, 1, 1), 0, 1e-15);
  CHECK_NEAR(ct_window_value(CT_WINDOW_HANN, 1, 0.5), 0.5, 1e-15);
  CHECK_NEAR(ct_window_value(CT_WINDOW_NONE, 0.5, 0.9), 1, 0);
  CHECK(strcmp(ct_choice_id(ct_window_choices, CT_WINDOW_HANN), "hann") == 0);
  CHECK(strcmp(ct_choice_id(ct_window_choices, CT_WINDOW_NONE), "none") == 0);
}

/* Filters one row of a parallel view that stands for `weight` radians, pitch d. */
static bool filter_row(const ct_filter_options *options, int nu, double d, const float *in, float *out,
                       ct_error **error) {
  ct_geometry g;
  bool good = make_geometry(&g, CT_BEAM_PARALLEL, nu, 1, 4, 0, M_PI);
  g.du = g.dv = d;
  ct_filter *filter = good ? ct_filter_new(&g, options, error) : NULL;
  const int view = 2;
  good = filter && ct_filter_apply(filter, &view, 1, &in, &out, error);
  ct_filter_free(filter);
  ct_geometry_clear(&g);
  return good;
}

#define N 100
static const double step = M_PI / 4, pitch = 0.25;

static void test_impulse(void) {
  ct_error *error = NULL;
  const ct_filter_options options = plain_options();
  static const int places[] = {0, 37, N - 1};
  for (int c = 0; c < 3; c++) {
    float in[N] = {0}, out[N];
    in[places[c]] = 3;
    CHECK_OK(filter_row(&options, N, pitch, in, out, &error));
    for (int k = 0; k < N; k++) {
      const int lag = abs(k - places[c]);
      /* pitch * h(lag) of Kak & Slaney's equation 3.61, times the angular step. */
      const double h = lag == 0 ? 0.25 : lag % 2 ? -1 / (M_PI * M_PI * lag * lag) : 0;
      CHECK_NEAR(out[k], 3 * step * h / pitch, 3e-6);
    }
  }
}

static void test_linear(void) {
  ct_error *error = NULL;
  for (int w = CT_WINDOW_NONE; w <= CT_WINDOW_HANN; w++) {
    ct_filter_options options = plain_options();
    options.window = (ct_window)w;
    options.cutoff = 0.8;
    options.extension = (ct_extension)(w % 3);
    float a[N], b[N], c[N], fa[N], fb[N], fc[N];
    for (int k = 0; k < N; k++) {
      a[k] = (float)sin(k * k * 0.37);
      b[k] = (float)cos(k * 1.3);
      c[k] = 2 * a[k] - 3 * b[k];
    }
    CHECK_OK(filter_row(&options, N, pitch, a, fa, &error));
    CHECK_OK(filter_row(&options, N, pitch, b, fb, &error));
    CHECK_OK(filter_row(&options, N, pitch, c, fc, &error));
    for (int k = 0; k < N; k++) CHECK_NEAR(fc[k], 2 * fa[k] - 3 * fb[k], 1e-5);
  }
}

static void test_shift(void) {
  ct_error *error = NULL;
  ct_filter_options options = plain_options();
  options.window = CT_WINDOW_SHEPP_LOGAN;
  float a[N] = {0}, b[N] = {0}, fa[N], fb[N];
  for (int k = 20; k < 50; k++) {
    a[k] = (float)(1 + sin(k));
    b[k + 13] = a[k];
  }
  CHECK_OK(filter_row(&options, N, pitch, a, fa, &error));
  CHECK_OK(filter_row(&options, N, pitch, b, fb, &error));
  for (int k = 0; k + 13 < N; k++) CHECK_NEAR(fb[k + 13], fa[k], 2e-6);
}

static double row_sum(const float *row) {
  double sum = 0;
  for (int k = 0; k < N; k++) sum += row[k];
  return sum;
}

/* A constant row cut off at both edges: zeros beyond them make horns, the edge value beyond them leaves next to
 * nothing, the fade lies between. What remains of the extended row is what the kernel's tail beyond the transform would
 * have cancelled: 2 / (pi^2 L / 2). */
static void test_constant(void) {
  ct_error *error = NULL;
  ct_filter_options options = plain_options();
  float in[N], zero[N], edge[N], cosine[N];
  for (int k = 0; k < N; k++) in[k] = 1;
  CHECK_OK(filter_row(&options, N, 1, in, zero, &error));
  options.extension = CT_EXTEND_EDGE;
  CHECK_OK(filter_row(&options, N, 1, in, edge, &error));
  options.extension = CT_EXTEND_COSINE;
  CHECK_OK(filter_row(&options, N, 1, in, cosine, &error));
  /* At the end of the row half of the kernel is missing: its sum is h(0) / 2 plus next to nothing. */
  CHECK_NEAR(zero[0], step * 0.125, 0.002);
  const double left_over = step * 2 / (M_PI * M_PI * 3 * N);
  for (int k = 0; k < N; k++) CHECK_NEAR(edge[k], left_over, 0.1 * left_over);
  CHECK_BELOW(fabs(cosine[0]), 0.1 * zero[0]);
  CHECK_BELOW(row_sum(edge), row_sum(cosine));
  CHECK_BELOW(row_sum(cosine), row_sum(zero));
}

/* The discrete kernel keeps the mean: a centred box's filtered row sums up to the kernel's tails alone, and the zero
 * frequency is positive, 2 / (pi^2 L / 2), not 0: a ramp sampled in the frequency domain would lose it. */
static void test_mean(void) {
  ct_error *error = NULL;
  const ct_filter_options options = plain_options();
  float in[N] = {0}, out[N];
  in[N / 2] = 1;
  CHECK_OK(filter_row(&options, N, 1, in, out, &error));
  double tail = 0;
  for (int lag = 1; lag < 200001; lag += 2) {
    if (lag > N / 2) tail += 1 / (M_PI * M_PI * lag * lag);
    if (lag >= N - N / 2) tail += 1 / (M_PI * M_PI * lag * lag);
  }
  CHECK_NEAR(row_sum(out), step * tail, 2e-6);
}

/* Disc of radius R: p(s) = 2 sqrt(R^2 - s^2) filters to 1/pi inside and (1 - |s| / sqrt(s^2 - R^2)) / pi outside. */
static void test_disc(void) {
  ct_error *error = NULL;
  enum { M = 800 };
  const ct_filter_options options = plain_options();
  static float in[M], out[M];
  const double radius = 40, d = 0.2;
  for (int k = 0; k < M; k++) {
    const double s = (k - 0.5 * (M - 1)) * d;
    in[k] = fabs(s) < radius ? (float)(2 * sqrt(radius * radius - s * s)) : 0;
  }
  CHECK_OK(filter_row(&options, M, d, in, out, &error));
  for (int k = 0; k < M; k++) {
    const double s = fabs((k - 0.5 * (M - 1)) * d);
    if (fabs(s - radius) < 3) continue;
    const double exact = s < radius ? 1 / M_PI : (1 - s / sqrt(s * s - radius * radius)) / M_PI;
    CHECK_NEAR(out[k], step * exact, 0.004 * step);
  }
}

static void test_bad_options(void) {
  ct_error *error = NULL;
  float row[N] = {0};
  ct_filter_options options = plain_options();
  options.cutoff = 0;
  CHECK_FAILS(filter_row(&options, N, 1, row, row, &error), CT_ERROR_ARGUMENT, "cut-off is 0");
  options.cutoff = NAN;
  CHECK_FAILS(filter_row(&options, N, 1, row, row, &error), CT_ERROR_ARGUMENT, "cut-off");
  options.cutoff = 1.01;
  CHECK_FAILS(filter_row(&options, N, 1, row, row, &error), CT_ERROR_ARGUMENT, "cut-off");
  options = plain_options();
  options.window = (ct_window)17;
  CHECK_FAILS(filter_row(&options, N, 1, row, row, &error), CT_ERROR_ARGUMENT, "window of number 17");
  options = plain_options();
  options.extension = (ct_extension)9;
  CHECK_FAILS(filter_row(&options, N, 1, row, row, &error), CT_ERROR_ARGUMENT, "extension of number 9");
  options = plain_options();
  options.redundancy = (ct_redundancy)9;
  CHECK_FAILS(filter_row(&options, N, 1, row, row, &error), CT_ERROR_ARGUMENT, "redundancy weight of number 9");
  options = plain_options();
  CHECK_FAILS(filter_row(&options, N, 0, row, row, &error), CT_ERROR_ARGUMENT, "");
}

static void test_one_column(void) {
  ct_error *error = NULL;
  const ct_filter_options options = plain_options();
  float in[1] = {2}, out[1];
  CHECK_OK(filter_row(&options, 1, pitch, in, out, &error));
  CHECK_NEAR(out[0], 2 * step * 0.25 / pitch, 1e-5);
}

/* Against sums written anew: what a filter tells of itself is Kak & Slaney's ramp, or |f|, and its taps are the cosine
 * sum of its gain. */
static void test_response(void) {
  for (int ramp = CT_RAMP_BAND_LIMITED; ramp <= CT_RAMP_SAMPLED; ramp++) {
    ct_error *error = NULL;
    ct_geometry g;
    ct_filter_response r;
    ct_filter_options options = plain_options();
    options.ramp = (ct_ramp)ramp;
    options.window = CT_WINDOW_HANN;
    options.cutoff = 0.8;
    CHECK(make_geometry(&g, CT_BEAM_PARALLEL, N, 1, 4, 0, M_PI));
    ct_filter *filter = ct_filter_new(&g, &options, &error);
    CHECK_OK(filter && ct_filter_get_response(filter, &r, &error));
    const int half = r.length / 2;
    for (int k = 0; k <= half; k++) {
      double h = 0.25;
      for (int n = 1; n < half; n += 2) h -= 2 * cos(2 * M_PI * k * n / r.length) / (M_PI * M_PI * n * n);
      const double plain = ramp == CT_RAMP_SAMPLED ? (double)k / r.length : h;
      CHECK_NEAR(r.gain[k], plain * ct_window_value(CT_WINDOW_HANN, 0.8, (double)k / half), 1e-7);
    }
    for (int n = 0; n <= half; n += 7) {
      double h = (double)r.gain[0] + (double)r.gain[half] * (n % 2 ? -1 : 1);
      for (int k = 1; k < half; k++) h += 2 * (double)r.gain[k] * cos(2 * M_PI * k * n / r.length);
      CHECK_NEAR(r.taps[n], h / r.length, 1e-7);
    }
    /* The mean of what lies on the rows goes through the one, and is lost by the other. */
    CHECK(ramp == CT_RAMP_SAMPLED ? r.gain[0] == 0 : r.gain[0] > 1e-5f);
    ct_free(r.gain);
    ct_free(r.taps);
    ct_filter_free(filter);
    ct_geometry_clear(&g);
  }
}

static const ct_test tests[] = {
    {"the filter tells its gain and its taps", test_response},
    {"every window has its values, its stretch and its cut-off", test_windows},
    {"an impulse gives the band-limited ramp", test_impulse},
    {"filtering is linear for every window and extension", test_linear},
    {"filtering commutes with shifts", test_shift},
    {"a constant row meets its edges as the extension says", test_constant},
    {"the mean is kept", test_mean},
    {"a disc filters to its closed form", test_disc},
    {"impossible options are errors with a message", test_bad_options},
    {"a detector of one column works", test_one_column},
};
CT_TEST_MAIN(tests)
