/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told beside a sinogram, against the weights that the filter takes and the rays that are twins; and that all
 * rows of a scan share it until geometry or weights change. */
#include "tests/test.h"

#include "app/projection-picture.h"
#include "recon/geom/twin.h"
#include "recon/phantom/simulation.h"

enum { COLUMNS = 48, VIEWS = 110 };

typedef struct {
  ct_scan *scan;
  ct_pipeline *pipeline;
  ct_plan plan;
  GantryKeptRedundancy kept;
} Bench;

static void set_up(Bench *bench, ct_beam beam, double arc, double offset) {
  ct_error *error = NULL;
  ct_simulation simulation;
  ct_simulation_init(&simulation);
  simulation.beam = beam;
  simulation.nu = COLUMNS, simulation.nv = 1, simulation.views = VIEWS;
  simulation.pixel = 4, simulation.arc = arc * M_PI / 180, simulation.offset_u = offset;
  bench->scan = ct_simulate(&simulation, "scan", NULL, &error);
  bench->pipeline = bench->scan ? ct_pipeline_new(bench->scan, NULL, &error) : NULL;
  CHECK_OK(bench->pipeline != NULL);
  ct_plan_init(&bench->plan);
  CHECK_OK(ct_pipeline_prepare_planes(bench->pipeline, &bench->plan, NULL, &error));
  bench->kept = (GantryKeptRedundancy){0};
}

static void tear_down(Bench *bench) {
  gantry_kept_redundancy_clear(&bench->kept);
  ct_pipeline_free(bench->pipeline);
  ct_scan_free(bench->scan);
}

static GantryImage *picture(Bench *bench, GantryProjectionValues values) {
  const GantryWanted wanted = {.projection = TRUE, .sinogram = TRUE, .redundancy = TRUE, .values = values};
  return gantry_projection_picture(bench->pipeline, &bench->plan, &wanted, &bench->kept);
}

/* Of a view, and of a column, from all weights. */
static void check_weights(const GantryRedundancy *r, const float *weights) {
  double least = INFINITY, largest = 0;
  for (int view = 0; view < VIEWS; view++) {
    double low = INFINITY, high = 0, sum = 0;
    for (int k = 0; k < COLUMNS; k++) {
      const double weight = (double)weights[view * COLUMNS + k];
      low = fmin(low, weight), high = fmax(high, weight), sum += weight / COLUMNS;
    }
    CHECK_NEAR((double)r->low[view], low, 1e-6);
    CHECK_NEAR((double)r->high[view], high, 1e-6);
    CHECK_NEAR((double)r->mean[view], sum, 1e-5);
    least = fmin(least, low), largest = fmax(largest, high);
  }
  CHECK_NEAR(r->least, least, 1e-6);
  CHECK_NEAR(r->largest, largest, 1e-6);
  for (int k = 0; k < COLUMNS; k++) {
    double sum = 0;
    for (int view = 0; view < VIEWS; view++) sum += (double)weights[view * COLUMNS + k] / VIEWS;
    CHECK_NEAR((double)r->across[k], sum, 1e-5);
  }
  for (int i = 0; i < VIEWS * COLUMNS; i++)
    CHECK(abs(r->map[i] - (int)lround(255 * (double)weights[i] / largest)) <= 1);
}

/* Those at the border hang on rounding. */
static void check_twice(const GantryRedundancy *r, const ct_geometry *g) {
  ct_trajectory t;
  int found = 0, others = 0;
  CHECK(ct_trajectory_make(g, &t, NULL));
  for (int view = 0; view < VIEWS; view++)
    for (int k = 0; k < COLUMNS; k++) {
      const gboolean twice = ct_geometry_twin(g, &t, view, (const double[]){k, 0}).state == CT_TWIN_MEASURED;
      found += twice;
      others += twice != (r->twice[view * COLUMNS + k] != 0);
    }
  CHECK(others <= 2);
  CHECK_NEAR(r->share, (double)found / (VIEWS * COLUMNS), 1e-3);
  ct_trajectory_clear(&t);
}

static void what_is_drawn_is_what_is_applied(void) {
  static const struct {
    ct_beam beam;
    double arc, offset;
    const char *title;
  } scans[] = {{CT_BEAM_FAN, 220, 0, "Short scan (Parker)"},
               {CT_BEAM_FAN, 360, 0, "Full scan"},
               {CT_BEAM_FAN, 360, 15, "Displaced detector (Wang)"},
               {CT_BEAM_PARALLEL, 240, 0, "Full scan"}};
  for (gsize i = 0; i < G_N_ELEMENTS(scans); i++) {
    Bench bench;
    float weights[VIEWS * COLUMNS];
    set_up(&bench, scans[i].beam, scans[i].arc, scans[i].offset);
    const ct_geometry *g = ct_pipeline_get_facts(bench.pipeline)->geometry;
    g_autoptr(GantryImage) image = picture(&bench, GANTRY_VALUES_INTEGRALS);
    CHECK(image && image->redundancy && ct_redundancy_weights(g, CT_REDUNDANCY_AUTO, weights, NULL));
    CHECK(strcmp(image->redundancy->title, scans[i].title) == 0);
    CHECK_NEAR(image->redundancy->arc, scans[i].arc, 1e-6);
    check_weights(image->redundancy, weights);
    check_twice(image->redundancy, g);
    g_autoptr(GantryImage) shown = picture(&bench, GANTRY_VALUES_WEIGHTS);
    for (int k = 0; k < VIEWS * COLUMNS; k++) CHECK_NEAR((double)shown->pixels[k], (double)weights[k], 1e-6);
    tear_down(&bench);
  }
}

static void rows_share_it(void) {
  Bench bench;
  set_up(&bench, CT_BEAM_FAN, 220, 0);
  g_autoptr(GantryImage) first = picture(&bench, GANTRY_VALUES_INTEGRALS),
                         second = picture(&bench, GANTRY_VALUES_WEIGHTED);
  CHECK(first->redundancy && first->redundancy == second->redundancy);
  bench.plan.filter.redundancy = CT_REDUNDANCY_NONE;
  g_autoptr(GantryImage) other = picture(&bench, GANTRY_VALUES_INTEGRALS);
  CHECK(other->redundancy && other->redundancy != first->redundancy);
  CHECK_NEAR(other->redundancy->least, other->redundancy->largest, 1e-6);
  bench.plan.iterative.method = CT_METHOD_SIRT;
  g_autoptr(GantryImage) iterative = picture(&bench, GANTRY_VALUES_INTEGRALS);
  CHECK(!iterative->redundancy);
  tear_down(&bench);
}

static const ct_test tests[] = {
    {"what is drawn beside a sinogram is what is applied", what_is_drawn_is_what_is_applied},
    {"the rows of a scan share it", rows_share_it},
};

CT_TEST_MAIN(tests)
