/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring removal: stripes go, the object stays. */
#include "recon/prep/prep-private.h"
#include "tests/prep/support.h"
#include "tests/test.h"

#include <string.h>

enum { NU = 161, VIEWS = 180 };

static const ball balls[] = {{{-20, 15, 0}, 25, 0.02},
                             {{30, -10, 0}, 18, 0.03},
                             {{5, 40, 0}, 9, 0.05},
                             {{-35, -30, 0}, 6, -0.01},
                             {{0, 0, 0}, 70, 0.01}};

static ct_stack *make_sinogram(int nv) {
  ct_geometry g;
  if (!ct_geometry_init(&g, CT_BEAM_PARALLEL, NU, nv, VIEWS, NULL)) return NULL;
  ct_geometry_set_arc(&g, 0.1, M_PI / VIEWS);
  ct_stack *stack = ct_stack_new(NU, nv, VIEWS, NULL);
  if (stack) project_balls(&g, balls, sizeof balls / sizeof *balls, stack);
  ct_geometry_clear(&g);
  return stack;
}

/* Wrong gains of up to +-20 % in every sixth column. */
static void add_stripes(ct_stack *stack) {
  uint64_t state = 3;
  for (int k = 0; k < NU; k++) {
    const float stripe = k % 6 == 2 ? (float)(0.4 * noise(&state)) : 0;
    for (int i = 0; i < VIEWS * ct_stack_nv(stack); i++) ct_stack_data(stack)[i * NU + k] += stripe;
  }
}

static double rms_difference(ct_stack *a, ct_stack *b) {
  double sum = 0;
  const int count = NU * VIEWS * ct_stack_nv(a);
  for (int i = 0; i < count; i++) sum += pow(ct_stack_data(a)[i] - ct_stack_data(b)[i], 2);
  return sqrt(sum / count);
}

static double largest(ct_stack *a) {
  double top = 0;
  for (int i = 0; i < NU * VIEWS * ct_stack_nv(a); i++) top = fmax(top, ct_stack_data(a)[i]);
  return top;
}

/* `kept` bounds the harm to a clean sinogram (rms over its peak), `left` what remains of the stripes (rms over theirs).
 */
static void check_method(ct_ring_method method, int size, double sigma, double kept, double left) {
  ct_error *error = NULL;
  ct_stack *clean = make_sinogram(2), *again = ct_stack_dup(clean, NULL), *striped = ct_stack_dup(clean, NULL);
  CHECK(clean && again && striped);
  CHECK_OK(ct_prep_remove_rings(again, method, size, sigma, NULL, NULL, &error));
  const double harm = rms_difference(again, clean) / largest(clean);
  CHECK_BELOW(harm, kept);
  add_stripes(striped);
  const double before = rms_difference(striped, clean);
  CHECK_OK(ct_prep_remove_rings(striped, method, size, sigma, NULL, NULL, &error));
  CHECK_BELOW(rms_difference(striped, again) / before, left);
  ct_stack_free(clean);
  ct_stack_free(again);
  ct_stack_free(striped);
}

/* Where the sinogram is steeper than a stripe is strong, the stripe does not break the order of the columns and stays.
 */
static void test_sorting(void) {
  check_method(CT_RINGS_SORTING, 9, 0, 0.006, 0.55);
}
static void test_wavelet(void) {
  check_method(CT_RINGS_WAVELET, 3, 2, 0.012, 0.4);
}
static void test_smoothing(void) {
  check_method(CT_RINGS_SMOOTHING, 9, 0, 0.01, 0.4);
}

/* Split and join are each other's inverse, and keep the sum of squares. */
static void test_wavelet_transform(void) {
  static const int lengths[] = {10, 12, 64, 250};
  for (int c = 0; c < 4; c++) {
    const int n = lengths[c];
    float in[250], split[250], out[250];
    uint64_t state = 5;
    double before = 0, after = 0;
    for (int i = 0; i < n; i++) in[i] = (float)noise(&state);
    ct_wavelet_split(in, split, n);
    ct_wavelet_join(split, out, n);
    for (int i = 0; i < n; i++) {
      CHECK_NEAR(out[i], in[i], 1e-6);
      before += in[i] * in[i];
      after += split[i] * split[i];
    }
    CHECK_NEAR(after, before, 1e-5 * before);
    /* Five vanishing moments: the details of a cubic, away from its wrap, are nothing. */
    for (int i = 0; i < n; i++) in[i] = (float)(pow(i / 250.0, 3) - i / 250.0);
    ct_wavelet_split(in, split, n);
    for (int i = 0; i + 5 < n / 2; i++) CHECK_NEAR(split[n / 2 + i], 0, 2e-6);
  }
}

/* A single stripe in an empty sinogram: all but gone, with every method. */
static void test_lone_stripe(void) {
  ct_error *error = NULL;
  static const struct {
    ct_ring_method method;
    int size;
    double left;
  } cases[] = {{CT_RINGS_SORTING, 5, 1e-6}, {CT_RINGS_WAVELET, 3, 0.3}, {CT_RINGS_SMOOTHING, 21, 0.06}};
  for (int c = 0; c < 3; c++) {
    ct_stack *stack = ct_stack_new(NU, 1, VIEWS, NULL);
    CHECK(stack);
    for (int i = 0; i < NU * VIEWS; i++) ct_stack_data(stack)[i] = i % NU == 70;
    CHECK_OK(ct_prep_remove_rings(stack, cases[c].method, cases[c].size, 3, NULL, NULL, &error));
    for (int i = 0; i < VIEWS; i++) CHECK_BELOW(fabs(ct_stack_get_view(stack, i)[70]), cases[c].left);
    ct_stack_free(stack);
  }
}

/* Sinograms do not see one another: a band of rows gives the same bits as the whole. */
static void test_rows_apart(void) {
  ct_error *error = NULL;
  for (int method = CT_RINGS_SORTING; method <= CT_RINGS_SMOOTHING; method++) {
    ct_stack *both = make_sinogram(2), *one = make_sinogram(1);
    CHECK(both && one);
    for (int i = 0; i < VIEWS; i++) {
      memcpy(ct_stack_view(one, i), ct_stack_view(both, i), NU * sizeof(float));
      for (int k = 0; k < NU; k++) ct_stack_view(both, i)[NU + k] += (float)((k * k + i) % 7);
    }
    CHECK_OK(ct_prep_remove_rings(both, (ct_ring_method)method, 4, 2, NULL, NULL, &error));
    CHECK_OK(ct_prep_remove_rings(one, (ct_ring_method)method, 4, 2, NULL, NULL, &error));
    for (int i = 0; i < VIEWS; i++)
      CHECK(memcmp(ct_stack_view(one, i), ct_stack_view(both, i), NU * sizeof(float)) == 0);
    ct_stack_free(both);
    ct_stack_free(one);
  }
}

/* Sorting with a window of one column changes nothing: sort and its undoing are exact, negative numbers and ties too.
 */
static void test_sorting_is_reversible(void) {
  ct_error *error = NULL;
  ct_stack *stack = ct_stack_new(NU, 1, VIEWS, NULL);
  CHECK(stack);
  uint64_t state = 11;
  for (int i = 0; i < NU * VIEWS; i++) ct_stack_data(stack)[i] = i % 5 ? (float)noise(&state) : (float)(i % 3 - 1);
  ct_stack *before = ct_stack_dup(stack, NULL);
  CHECK(before);
  CHECK_OK(ct_prep_remove_rings(stack, CT_RINGS_SORTING, 1, 0, NULL, NULL, &error));
  CHECK(memcmp(ct_stack_data(stack), ct_stack_data(before), ct_stack_bytes(stack)) == 0);
  ct_stack_free(stack);
  ct_stack_free(before);
}

static void test_bad_options(void) {
  ct_error *error = NULL;
  ct_stack *stack = make_sinogram(1);
  CHECK(stack);
  CHECK_FAILS(ct_prep_remove_rings(stack, CT_RINGS_SORTING, 0, 1, NULL, NULL, &error), CT_ERROR_ARGUMENT,
              "size of the ring removal is 0");
  CHECK_FAILS(ct_prep_remove_rings(stack, CT_RINGS_WAVELET, 3, 0, NULL, NULL, &error), CT_ERROR_ARGUMENT, "damping");
  CHECK_FAILS(ct_prep_remove_rings(stack, CT_RINGS_WAVELET, 3, NAN, NULL, NULL, &error), CT_ERROR_ARGUMENT, "damping");
  CHECK_FAILS(ct_prep_remove_rings(stack, (ct_ring_method)8, 3, 1, NULL, NULL, &error), CT_ERROR_ARGUMENT, "number 8");
  /* More than the detector holds is cut down, not refused. */
  for (int method = CT_RINGS_NONE; method <= CT_RINGS_SMOOTHING; method++)
    CHECK_OK(ct_prep_remove_rings(stack, (ct_ring_method)method, 501, 3, NULL, NULL, &error));
  for (int i = 0; i < NU * VIEWS; i++) CHECK(isfinite(ct_stack_data(stack)[i]));
  ct_stack_free(stack);
}

/* Stripes are a small share of the means over the views; a narrow body on the axis is most of what goes. */
static void test_share(void) {
  ct_error *error = NULL;
  ct_geometry g;
  double share = -1;
  for (int method = CT_RINGS_SORTING; method <= CT_RINGS_SMOOTHING; method++) {
    ct_stack *stack = make_sinogram(2);
    CHECK(stack);
    add_stripes(stack);
    CHECK_OK(ct_prep_remove_rings(stack, (ct_ring_method)method, method == CT_RINGS_WAVELET ? 3 : 21, 3, &share, NULL,
                                  &error));
    CHECK(share > 0 && share < 0.1);
    static const ball thin = {{0, 0, 0}, 3, 0.02};
    CHECK(ct_geometry_init(&g, CT_BEAM_PARALLEL, NU, 2, VIEWS, NULL));
    ct_geometry_set_arc(&g, 0, M_PI / VIEWS);
    project_balls(&g, &thin, 1, stack);
    CHECK_OK(ct_prep_remove_rings(stack, (ct_ring_method)method, method == CT_RINGS_WAVELET ? 3 : 21, 3, &share, NULL,
                                  &error));
    CHECK(share > 0.5);
    CHECK_OK(ct_prep_remove_rings(stack, CT_RINGS_NONE, 21, 3, &share, NULL, &error));
    CHECK(share == 0);
    ct_geometry_clear(&g);
    ct_stack_free(stack);
  }
}

static const ct_test tests[] = {
    {"sorting takes stripes off and leaves the object", test_sorting},
    {"wavelet and Fourier filtering takes stripes off and leaves the object", test_wavelet},
    {"smoothing takes stripes off and leaves the object", test_smoothing},
    {"the wavelet transform is orthonormal and has its moments", test_wavelet_transform},
    {"a lone stripe goes", test_lone_stripe},
    {"sinograms are treated apart", test_rows_apart},
    {"sorting puts everything back", test_sorting_is_reversible},
    {"how much of the means goes is told", test_share},
    {"impossible options are errors with a message", test_bad_options},
};
CT_TEST_MAIN(tests)
