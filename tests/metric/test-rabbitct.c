/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RabbitCT's Hounsfield units and measures, against numbers worked out by hand. */
#include "recon/metric/rabbitct.h"
#include "tests/test.h"

static const float scale[2] = {1000, 24};

static void test_units(void) {
  CHECK_NEAR(ct_rabbitct_hu(0, scale), 0, 0);
  CHECK_NEAR(ct_rabbitct_hu(-1, scale), 0, 0);
  CHECK_NEAR(ct_rabbitct_hu(NAN, scale), 0, 0);
  CHECK_NEAR(ct_rabbitct_hu(-INFINITY, scale), 0, 0);
  CHECK_NEAR(ct_rabbitct_hu(INFINITY, scale), 4095, 0);
  CHECK_NEAR(ct_rabbitct_hu(1, scale), 1024, 0);
  CHECK_NEAR(ct_rabbitct_hu(0.0009765625f, scale), 25, 0);   /* 24.977 */
  CHECK_NEAR(ct_rabbitct_hu(0.5009765625f, scale), 525, 0);  /* 524.977 */
  CHECK_NEAR(ct_rabbitct_hu(0.50048828125f, scale), 524, 0); /* 524.488 */
  CHECK_NEAR(ct_rabbitct_hu(4.071f, scale), 4095, 0);
  CHECK_NEAR(ct_rabbitct_hu(1e6f, scale), 4095, 0);
  const float below[2] = {1000, -100};
  CHECK_NEAR(ct_rabbitct_hu(0.05f, below), 0, 0);
  CHECK_NEAR(ct_rabbitct_hu(0.101f, below), 1, 0);
}

static void test_equal(void) {
  const float f[] = {0, 0.1f, 0.2f, 5};
  const uint16_t reference[] = {0, 124, 224, 4095};
  ct_rabbitct_metrics m = {0};
  ct_rabbitct_compare(f, reference, 4, scale, &m);
  CHECK_NEAR(m.q_mse, 0, 0);
  CHECK_NEAR(m.rmse, 0, 0);
  CHECK(isinf(m.psnr) && m.psnr > 0);
  CHECK(m.max_error == 0 && m.count == 4 && m.histogram[0] == 4);
}

/* Differences 3, -4, 0, 4095 to the last: pieces give what the whole does. */
static void test_pieces(void) {
  const float f[] = {0.1f, 0.2f, 0.3f, 0};
  const uint16_t reference[] = {121, 228, 324, 4095};
  ct_rabbitct_metrics whole = {0}, pieces = {0}, some = {0};
  ct_rabbitct_compare(f, reference, 4, scale, &whole);
  for (int i = 0; i < 4; i++) ct_rabbitct_compare(f + i, reference + i, 1, scale, &pieces);
  CHECK_NEAR(whole.q_mse, (9 + 16 + 4095.0 * 4095) / 4, 1e-9);
  CHECK(whole.max_error == 4095 && whole.count == 4);
  CHECK(whole.histogram[0] == 1 && whole.histogram[3] == 1 && whole.histogram[4] == 1);
  CHECK(whole.histogram[CT_RABBITCT_BINS - 1] == 1);
  CHECK(memcmp(&whole, &pieces, sizeof whole) == 0);
  ct_rabbitct_compare(f, reference, 3, scale, &some);
  CHECK_NEAR(some.rmse, sqrt(25 / 3.0), 1e-12);
  CHECK_NEAR(some.psnr, 20 * log10(4095 / sqrt(25 / 3.0)), 1e-9);
}

static void test_nothing(void) {
  ct_rabbitct_metrics m = {0};
  ct_rabbitct_compare(NULL, NULL, 0, scale, &m);
  CHECK(m.count == 0 && m.q_mse == 0 && m.max_error == 0);
}

static void test_rate(void) {
  CHECK_NEAR(ct_rabbitct_gups(512, 496, 1), 66.571993088, 1e-9);
  CHECK_NEAR(ct_rabbitct_gups(1024, 496, 4), 133.143986176, 1e-9);
}

static const ct_test tests[] = {
    {"Hounsfield units are rounded, cut at 0 and 4095", test_units},
    {"equal volumes have no error", test_equal},
    {"pieces add up to the whole, and the measures are those worked out by hand", test_pieces},
    {"no voxels, no error", test_nothing},
    {"GUPS counts every voxel and view", test_rate},
};
CT_TEST_MAIN(tests)
