/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Against RTK 2.7 (data/rtk): its cosine weights, its ramp, its Parker weights. RTK turns about y; (x, y, z) -> (x, -z,
 * y) makes its views ours, column by column and row by row. */
#include "tests/filter/support.h"
#include "tests/test.h"

#include <string.h>

/* Floats behind the line "ElementDataFile = LOCAL" of an uncompressed MetaImage, or NULL. */
static float *read_mha(const char *name, size_t count) {
  const char *path = ct_test_data(name);
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file) return NULL;
  char line[512];
  bool local = false;
  while (!local && fgets(line, sizeof line, file)) local = strncmp(line, "ElementDataFile = LOCAL", 23) == 0;
  float *data = ct_alloc(count, sizeof *data, "an image", NULL);
  if (data && !(local && fread(data, sizeof *data, count, file) == count)) {
    ct_free(data);
    data = NULL;
  }
  fclose(file);
  return data;
}

static bool rtk_geometry(ct_geometry *g, int views) {
  if (!ct_geometry_init(g, CT_BEAM_CONE, 128, 128, views, NULL)) return false;
  g->du = g->dv = 3.2;
  g->sod = 1000;
  g->sdd = 1536;
  ct_geometry_set_arc(g, 0, 2 * DEGREE);
  return true;
}

/* Largest |a / factor - b| in units of the largest |b|. */
static double worst(const float *a, double factor, const float *b, size_t count) {
  double difference = 0, peak = 0;
  for (size_t i = 0; i < count; i++) {
    difference = fmax(difference, fabs(a[i] / factor - b[i]));
    peak = fmax(peak, fabs(b[i]));
  }
  return difference / peak;
}

#define VIEW ((size_t)128 * 128)

/* RTK puts the angular step and its factor SDD / (2 SID) into the first weight, so that its back-projection may divide
 * by distances on the detector; ours enters after the ramp. */
static void test_cosine(void) {
  ct_geometry g;
  CHECK(rtk_geometry(&g, 180));
  float *p = read_mha("rtk/A_projections.mha", 180 * VIEW), *expected = read_mha("rtk/A_weighted_first3.mha", 3 * VIEW);
  float *weights = ct_alloc(VIEW, sizeof *weights, "weights", NULL);
  if (!p || !expected) {
    ct_free(p);
    ct_free(expected);
    ct_free(weights);
    ct_geometry_clear(&g);
    SKIP("rtk/A_*.mha missing from the data folder");
  }
  for (int view = 0; view < 3; view++) {
    CHECK(ct_cosine_weights(&g, view, weights, NULL));
    for (size_t k = 0; k < VIEW; k++) p[view * VIEW + k] *= weights[k];
  }
  const double factor = 1 / (2 * DEGREE * g.sdd / (2 * g.sod));
  CHECK_BELOW(worst(p, factor, expected, 3 * VIEW), 3e-7);
  ct_free(p);
  ct_free(expected);
  ct_free(weights);
  ct_geometry_clear(&g);
}

static void test_ramp(void) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(rtk_geometry(&g, 180));
  float *p = read_mha("rtk/A_projections.mha", 180 * VIEW),
        *expected = read_mha("rtk/A_weighted_ramped_first3.mha", 3 * VIEW);
  if (!p || !expected) {
    ct_free(p);
    ct_free(expected);
    ct_geometry_clear(&g);
    SKIP("rtk/A_*.mha missing from the data folder");
  }
  const ct_filter_options options = plain_options();
  ct_filter *filter = ct_filter_new(&g, &options, &error);
  CHECK_OK(filter);
  static const int views[] = {0, 1, 2};
  float *rows[] = {p, p + VIEW, p + 2 * VIEW};
  CHECK_OK(ct_filter_apply(filter, views, 3, (const float *const *)rows, rows, &error));
  /* step / 2 / (pitch at the axis) = step SDD / (2 SOD pitch) on both sides. */
  CHECK_BELOW(worst(p, 1, expected, 3 * VIEW), 2e-6);
  ct_filter_free(filter);
  ct_free(p);
  ct_free(expected);
  ct_geometry_clear(&g);
}

/* RTK's weights of two conjugate rays sum to 2, because its cosine step has halved them already; ours sum to 1. */
static void test_parker(void) {
  ct_error *error = NULL;
  ct_geometry g;
  CHECK(rtk_geometry(&g, 111));
  float *expected = read_mha("rtk/B_parker_weights_128x1x111.mha", 128 * 111);
  if (!expected) {
    ct_geometry_clear(&g);
    SKIP("rtk/B_parker_weights_128x1x111.mha missing from the data folder");
  }
  float *weights = ct_alloc(128 * 111, sizeof *weights, "weights", NULL);
  CHECK_OK(ct_redundancy_weights(&g, CT_REDUNDANCY_AUTO, weights, &error));
  CHECK_BELOW(worst(weights, 0.5, expected, 128 * 111), 3e-7);
  ct_free(weights);
  ct_free(expected);
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"cosine weights are RTK's", test_cosine},
    {"the ramp is RTK's", test_ramp},
    {"Parker weights are RTK's", test_parker},
};
CT_TEST_MAIN(tests)
