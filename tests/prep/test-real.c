/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Corrections and centres of real scans whose answers are known (README.md of the data folder). */
#include "recon/io/io.h"
#include "tests/prep/support.h"
#include "tests/test.h"

/* Opens $GANTRY_DATA/name, which may be a folder; NULL with the reason why not. */
static ct_scan *open_scan(const char *name, ct_error **error) {
  const char *path = ct_test_data(name);
  return path ? ct_scan_open(path, NULL, error) : NULL;
}

#define OPEN(scan, name)                                                                                               \
  ct_error *error = NULL;                                                                                              \
  if (!ct_test_data(name)) SKIP("%s missing from the data folder", name);                                              \
  ct_scan *scan = open_scan(name, &error);                                                                             \
  CHECK_OK(scan)

/* The geometry as the README tells it; angles as in the file. */
static bool set_geometry(ct_geometry *g, const ct_scan *scan, ct_beam beam, double sod, double sdd, double pitch) {
  if (!ct_geometry_copy(g, &ct_scan_get_facts(scan)->geometry, NULL)) return false;
  g->beam = beam;
  g->sod = sod;
  g->sdd = sdd;
  g->du = g->dv = pitch;
  return true;
}

static ct_stack *load(ct_scan *scan, const ct_prep_options *options, ct_prep_report *report, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  return ct_prep_load(&(ct_load_request){.scan = scan,
                                         .options = options,
                                         .rows = facts->geometry.nv,
                                         .step = 1,
                                         .count = facts->geometry.views,
                                         .bin = 1,
                                         .flip_rows = facts->flip_rows,
                                         .flip_columns = facts->flip_columns},
                      report, NULL, error);
}

static void test_tooth(void) {
  OPEN(scan, "tooth.h5");
  ct_geometry g;
  CHECK(set_geometry(&g, scan, CT_BEAM_PARALLEL, 0, 0, 1));
  ct_prep_options options = plain_prep();
  ct_prep_report report;
  ct_stack *stack = load(scan, &options, &report, &error);
  CHECK_OK(stack);
  CHECK(report.used_flats && report.used_log && report.not_finite == 0);
  /* The air beside the tooth transmits everything. */
  double air = 0;
  for (int i = 0; i < g.views; i++)
    for (int k = 620; k < 640; k++) air += ct_stack_get_view(stack, i)[k] / (20.0 * g.views);
  CHECK_NEAR(air, 0, 0.03);
  double centre, confidence;
  CHECK_OK(ct_centre_by_correlation(stack, &g, &centre, &confidence, NULL, &error));
  CHECK(centre > 295.5 && centre < 296.2);
  CHECK(confidence >= CT_CENTRE_SURE);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
  ct_scan_free(scan);
}

static void test_bell_pepper(void) {
  /* Folders cannot be opened as files everywhere, so the first frame tells whether it is there. */
  if (!ct_test_data("bell-pepper/bell_pepper_001.tif")) SKIP("bell-pepper missing from the data folder");
  ct_error *error = NULL;
  char path[4096];
  snprintf(path, sizeof path, "%s", ct_test_data("bell-pepper/bell_pepper_001.tif"));
  *strrchr(path, '/') = 0;
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  ct_geometry g;
  CHECK(set_geometry(&g, scan, CT_BEAM_CONE, 210.66, 553.74, 0.8));
  ct_geometry_set_arc(&g, 0, DEGREE);
  ct_prep_options options = plain_prep();
  /* The top left corner: the rows count upwards. */
  options.i0 = CT_I0_REGION;
  options.i0_region[1] = g.nv - 12;
  options.i0_region[2] = options.i0_region[3] = 12;
  ct_prep_report report;
  ct_stack *stack = load(scan, &options, &report, &error);
  CHECK_OK(stack);
  CHECK_NEAR(report.i0_mean, 2150, 15);
  CHECK_NEAR(report.i0_spread, 0.016, 0.002);
  double centre, confidence;
  CHECK_OK(ct_centre_by_correlation(stack, &g, &centre, &confidence, NULL, &error));
  CHECK_NEAR(centre, 69.5, 0.15);
  /* Three rows alone, with the corner far outside of them. */
  ct_stack *band = ct_prep_load(&(ct_load_request){.scan = scan,
                                                   .options = &options,
                                                   .row0 = 70,
                                                   .rows = 3,
                                                   .step = 40,
                                                   .count = 9,
                                                   .bin = 1,
                                                   .flip_rows = true},
                                NULL, NULL, &error);
  CHECK_OK(band);
  CHECK(memcmp(ct_stack_get_view(band, 2), ct_stack_get_view(stack, 80) + 70 * g.nu,
               3 * sizeof(float) * (size_t)g.nu) == 0);
  ct_stack_free(band);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
  ct_scan_free(scan);
}

static void test_walnut(void) {
  OPEN(scan, "walnut.h5");
  ct_geometry g;
  CHECK(set_geometry(&g, scan, CT_BEAM_FAN, 110, 300, 0.05));
  ct_prep_options options = plain_prep();
  options.i0 = CT_I0_BORDER;
  options.i0_border = 60;
  ct_prep_report report;
  ct_stack *stack = load(scan, &options, &report, &error);
  CHECK_OK(stack);
  CHECK(!report.used_flats && report.used_log);
  CHECK_NEAR(report.i0_mean, 2010, 5);
  double centre, confidence;
  CHECK_OK(ct_centre_by_correlation(stack, &g, &centre, &confidence, NULL, &error));
  CHECK_NEAR((centre - 0.5 * (g.nu - 1)) * g.du, -0.30, 0.05);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
  ct_scan_free(scan);
}

static void check_fan_centre(const char *name, double sod, double sdd, double pitch, double offset, double tolerance) {
  OPEN(scan, name);
  ct_geometry g;
  CHECK(set_geometry(&g, scan, CT_BEAM_FAN, sod, sdd, pitch));
  const ct_prep_options options = plain_prep();
  ct_prep_report report;
  ct_stack *stack = load(scan, &options, &report, &error);
  CHECK_OK(stack);
  CHECK(!report.used_flats && !report.used_log);
  double centre, confidence;
  CHECK_OK(ct_centre_by_correlation(stack, &g, &centre, &confidence, NULL, &error));
  CHECK_NEAR((centre - 0.5 * (g.nu - 1)) * g.du, offset, tolerance);
  CHECK(confidence >= CT_CENTRE_SURE);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
  ct_scan_free(scan);
}

static void test_htc(void) {
  check_fan_centre("htc2022-ta.h5", 410.66, 553.74, 0.2, 0, 0.04);
}
static void test_lotus(void) {
  check_fan_centre("lotus.h5", 540, 630, 0.05, -0.30, 0.03);
}

/* Root mean square of what stands still between neighbouring columns: the mean over the views less its moving average
 * over 11. */
static double stripe_energy(const ct_stack *stack) {
  const int nu = ct_stack_nu(stack), views = ct_stack_views(stack);
  double mean[1260] = {0}, energy = 0;
  for (int i = 0; i < views; i++)
    for (int k = 0; k < nu; k++) mean[k] += ct_stack_get_view(stack, i)[k] / views;
  for (int k = 5; k + 5 < nu; k++) {
    double sum = 0;
    for (int i = -5; i <= 5; i++) sum += mean[k + i] / 11;
    energy += (mean[k] - sum) * (mean[k] - sum);
  }
  return sqrt(energy / (nu - 10));
}

/* Mean absolute change of the picture beside the stripes: views minus the mean view. */
static double change(const ct_stack *a, const ct_stack *b) {
  const int nu = ct_stack_nu(a), views = ct_stack_views(a);
  double sum = 0, size = 0;
  for (int k = 0; k < nu; k++) {
    double ma = 0, mb = 0;
    for (int i = 0; i < views; i++) {
      ma += ct_stack_get_view(a, i)[k] / views;
      mb += ct_stack_get_view(b, i)[k] / views;
    }
    for (int i = 0; i < views; i++) {
      const double pa = ct_stack_get_view(a, i)[k] - ma, pb = ct_stack_get_view(b, i)[k] - mb;
      sum += (pa - pb) * (pa - pb);
      size += pa * pa;
    }
  }
  return sqrt(sum / size);
}

static void test_dendrites(void) {
  OPEN(scan, "dendrites.h5");
  ct_geometry g;
  CHECK(set_geometry(&g, scan, CT_BEAM_PARALLEL, 0, 0, 1));
  CHECK(g.nu == 1260);
  ct_prep_options options = plain_prep();
  ct_stack *stack = load(scan, &options, NULL, &error);
  CHECK_OK(stack);
  const double before = stripe_energy(stack);
  static const struct {
    ct_ring_method method;
    int size;
    double sigma, factor, change;
  } cases[] = {
      {CT_RINGS_SORTING, 21, 0, 2.4, 0.08}, {CT_RINGS_WAVELET, 4, 2, 5, 0.08}, {CT_RINGS_SMOOTHING, 21, 0, 5, 0.001}};
  for (int c = 0; c < 3; c++) {
    ct_stack *mended = ct_stack_dup(stack, NULL);
    CHECK(mended);
    CHECK_OK(ct_prep_remove_rings(mended, cases[c].method, cases[c].size, cases[c].sigma, NULL, NULL, &error));
    CHECK_BELOW(stripe_energy(mended) * cases[c].factor, before);
    CHECK_BELOW(change(stack, mended), cases[c].change);
    ct_stack_free(mended);
  }
  /* One noisy row, and no opposite views: known to about two columns, and said so. */
  ct_centre_found found;
  CHECK_OK(ct_centre_search(stack, &g, &found, NULL, &error));
  CHECK_NEAR(found.centre, 629.5, 1.5 * found.spread);
  CHECK(found.spread < 2.5 && found.confidence < CT_CENTRE_SURE);
  ct_stack_free(stack);
  ct_geometry_clear(&g);
  ct_scan_free(scan);
}

static const ct_test tests[] = {
    {"tooth: flats, darks and a centre in 295.5..296.2", test_tooth},
    {"bell pepper: beam intensity from a corner, centre 69.5", test_bell_pepper},
    {"walnut: beam intensity from the border, centre", test_walnut},
    {"acrylic disc: centre", test_htc},
    {"lotus root: centre", test_lotus},
    {"dendrites: rings lose their energy, the picture stays", test_dendrites},
};
CT_TEST_MAIN(tests)
