/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Photon noise: the generator against its published answers, Poisson's moments and distribution at means from tiny to
 * huge, and what the noise makes of line integrals. Seeds are fixed, so each result either always holds or never does.
 */
#include "recon/phantom/phantom.h"
#include "recon/phantom/random-private.h"
#include "tests/test.h"

static void philox_known_answers(void) {
  /* kat_vectors of Random123, the authors' own library. */
  static const struct {
    uint32_t counter[4], key[2], out[4];
  } known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (int i = 0; i < 3; i++) {
    uint32_t out[4];
    ct_philox(known[i].counter, known[i].key, out);
    CHECK(!memcmp(out, known[i].out, sizeof out));
  }
}

static void poisson_moments(void) {
  const double means[] = {0.01, 0.5, 3, 9.99, 10.01, 25, 300, 1e5, 9.9e8, 1e12};
  const int draws = 60000;
  for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
    double sum = 0, squares = 0, cubes = 0;
    for (int i = 0; i < draws; i++) {
      const double x = ct_poisson(means[m], 11, (uint64_t)i);
      CHECK(x >= 0 && x == floor(x));
      const double z = (x - means[m]) / sqrt(means[m]);
      sum += z;
      squares += z * z;
      cubes += z * z * z;
    }
    /* z has mean 0, variance 1, third moment mean^-1/2; the variance of z^2 is 2 + 1 / mean. Five standard errors each.
     */
    const double n = draws, rare = 1 / means[m];
    CHECK_NEAR(sum / n, 0, 5 / sqrt(n));
    CHECK_NEAR(squares / n, 1, 5 * sqrt((2 + rare) / n));
    CHECK_NEAR(cubes / n, sqrt(rare), 5 * sqrt((15 + 25 * rare + rare * rare) / n));
  }
}

static void poisson_distribution(void) {
  /* Chi-square over single counts, below and above the change of method. The 99.99 % point of 30 degrees is 66. */
  const double means[] = {2.5, 9.9, 10.1, 14};
  const int draws = 200000;
  for (int m = 0; m < 4; m++) {
    int counts[64] = {0}, degrees = 0;
    double chi = 0;
    for (int i = 0; i < draws; i++) {
      const double x = ct_poisson(means[m], 5, (uint64_t)i);
      CHECK(x < 64);
      counts[(int)x]++;
    }
    for (int k = 0; k < 64; k++) {
      const double expected = draws * exp(k * log(means[m]) - means[m] - lgamma(k + 1));
      if (expected < 20) continue;
      chi += (counts[k] - expected) * (counts[k] - expected) / expected;
      degrees++;
    }
    CHECK(degrees > 5 && degrees < 31);
    CHECK_BELOW(chi, 66);
  }
}

static void degenerate_means(void) {
  CHECK_NEAR(ct_poisson(0, 1, 1), 0, 0);
  CHECK_NEAR(ct_poisson(1e-300, 1, 1), 0, 0);
}

static ct_stack *flat_stack(float value, ct_error **error) {
  ct_stack *stack = ct_stack_new(100, 50, 4, error);
  if (stack)
    for (int i = 0; i < 20000; i++) ct_stack_data(stack)[i] = value;
  return stack;
}

static void noise_of_a_flat_field(void) {
  /* For n photons -log has a deviation of n^-1/2 to first order, and a bias of 1 / 2n. */
  ct_error *error = NULL;
  ct_stack *stack = flat_stack(1.5f, &error);
  CHECK_OK(stack);
  const double i0 = 1e4, photons = i0 * exp(-1.5);
  ct_add_photon_noise(stack, i0, 3);
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; i++) {
    const double d = ct_stack_data(stack)[i] - 1.5;
    sum += d;
    squares += d * d;
  }
  CHECK_NEAR(sum / 20000, 0.5 / photons, 5 / sqrt(20000 * photons));
  CHECK_NEAR(sqrt(squares / 20000), 1 / sqrt(photons), 0.03 / sqrt(photons));
  ct_stack_free(stack);
}

static void at_least_one_photon(void) {
  ct_error *error = NULL;
  ct_stack *stack = flat_stack(60, &error);
  CHECK_OK(stack);
  ct_add_photon_noise(stack, 1000, 3);
  for (int i = 0; i < 20000; i++) CHECK_NEAR(ct_stack_data(stack)[i], log(1000), 1e-5);
  ct_stack_free(stack);
}

static void seeds_and_oddities(void) {
  ct_error *error = NULL;
  ct_stack *a = flat_stack(1, &error), *b = flat_stack(1, &error), *c = flat_stack(1, &error);
  CHECK(a && b && c);
  ct_stack_data(a)[7] = NAN;
  ct_add_photon_noise(a, 1e3, 1);
  ct_add_photon_noise(b, 1e3, 1);
  ct_add_photon_noise(c, 1e3, 2);
  CHECK(isnan(ct_stack_data(a)[7]));
  ct_stack_data(a)[7] = ct_stack_data(b)[7];
  CHECK(!memcmp(ct_stack_data(a), ct_stack_data(b), ct_stack_bytes(a)));
  int same = 0;
  for (int i = 0; i < 20000; i++) same += ct_stack_data(b)[i] == ct_stack_data(c)[i];
  /* Two draws of mean 368 agree in 1 of 68. */
  CHECK(same < 600);
  ct_add_photon_noise(c, 0, 1);
  ct_add_photon_noise(c, NAN, 1);
  for (int i = 0; i < 20000; i++) CHECK(isfinite(ct_stack_data(c)[i]));
  ct_stack_free(a);
  ct_stack_free(b);
  ct_stack_free(c);
}

static void a_part_gets_its_share_of_the_whole(void) {
  ct_error *error = NULL;
  ct_stack *whole = flat_stack(1, &error), *part = ct_stack_new(100, 7, 2, &error);
  CHECK(whole && part);
  for (int i = 0; i < 1400; i++) ct_stack_data(part)[i] = 1;
  ct_add_photon_noise(whole, 1e3, 5);
  ct_add_photon_noise_part(part, 1e3, 5, 1, 2, 11, 50);
  for (int n = 0; n < 2; n++)
    CHECK(!memcmp(ct_stack_get_view(part, n), ct_stack_get_view(whole, 1 + 2 * n) + 11 * 100, 700 * sizeof(float)));
  ct_stack_free(whole);
  ct_stack_free(part);
}

static const ct_test tests[] = {
    {"Philox gives its published answers", philox_known_answers},
    {"Poisson draws have Poisson's moments", poisson_moments},
    {"Poisson draws have Poisson's distribution", poisson_distribution},
    {"a mean of nothing draws nothing", degenerate_means},
    {"noise of a flat field has the right spread and bias", noise_of_a_flat_field},
    {"a pixel counts one photon at least", at_least_one_photon},
    {"the seed decides, and nothing else", seeds_and_oddities},
    {"a part of a scan gets its share of the noise", a_part_gets_its_share_of_the_whole},
};
CT_TEST_MAIN(tests)
