/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of a stated thickness: their sensitivity along z, as the slope of a ball's upper edge on its axis, of circles,
 * spirals and sequences, against rays, interpolation and box put together; what rows are read, and that the estimate of
 * memory counts them. */
#include "tests/solve/spheres.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/filter/thickness.h"

#include <string.h>

enum { FINE = 8 /* slices a mm */ };

/* Full width at half maximum of samples 1 / FINE mm apart. */
static double width_of(const double *values, int count) {
  double most = 0, first = 0, last = 0;
  for (int i = 0; i < count; i++) most = fmax(most, values[i]);
  for (int i = 0; i + 1 < count; i++) {
    const double a = values[i] - 0.5 * most, b = values[i + 1] - 0.5 * most;
    if (a < 0 && b >= 0 && first == 0) first = i + a / (a - b);
    if (a >= 0 && b < 0) last = i + a / (a - b);
  }
  return (last - first) / FINE;
}

/* Two rays a row, half a row apart; linear interpolation between rows; the box of averaged rows. */
static double theory(double row, double thickness) {
  enum { COUNT = 40 * FINE };
  double values[COUNT];
  for (int i = 0; i < COUNT; i++) {
    const double z = (i - COUNT / 2) / (double)FINE;
    double sum = 0;
    for (int ray = 0; ray < 2; ray++)
      for (int off = -40; off <= 40; off++) {
        const double share = fmax(fmin(off + 0.5, 0.5 * thickness / row) - fmax(off - 0.5, -0.5 * thickness / row), 0),
                     from = z / row - off - (ray ? 0.25 : -0.25);
        sum += (thickness > row ? share : off == 0) * fmax(1 - fabs(from), 0);
      }
    values[i] = sum;
  }
  return width_of(values, COUNT);
}

enum { SLICES = 20 * FINE + 1, SLOPES = SLICES - 2, PHASES = 4 };

typedef enum { CIRCLE, SPIRAL, SEQUENCE, KINDS } kind;

/* The source's start is so many rows off, so that the edge falls between rows in several ways. */
static bool open_scan(spheres *s, kind k, double phase, ct_error **error) {
  ct_simulation *m = spheres_init(s);
  const double row = m->pixel * m->sod / m->sdd, feed = spheres_feed(m, 0.8);
  m->views = 120;
  if (k == SPIRAL) {
    m->feed = feed;
    m->arc = 3 * 2 * M_PI;
    m->start_z = -1.5 * feed + phase * row;
  } else {
    m->table_step = feed;
    m->positions = k == CIRCLE ? 1 : 3;
    m->start_z = (k == CIRCLE ? 0 : -feed) + phase * row;
  }
  return spheres_take(s, error);
}

/* Adds the slope of the middle ball's upper edge on its axis, in slices 1 / FINE mm apart. */
static bool add_slope(spheres *s, double thickness, double slope[SLOPES], ct_error **error) {
  ct_plan plan = s->b.plan;
  double line[SLICES];
  plan.nx = plan.ny = 3;
  plan.nz = SLICES;
  plan.voxel = 1;
  plan.voxel_z = 1.0 / FINE;
  plan.centre_mm[2] = 11;
  plan.filter.thickness = thickness;
  ct_volume *volume = ct_pipeline_volume(s->b.pipeline, &plan, NULL, NULL, error);
  if (!volume) return false;
  for (int k = 0; k < SLICES; k++) {
    line[k] = 0;
    for (int i = 0; i < 9; i++) line[k] += (double)ct_volume_get_data(volume)[9 * k + i] / 9;
  }
  for (int k = 0; k < SLOPES; k++) slope[k] += line[k] - line[k + 2];
  ct_volume_free(volume);
  return true;
}

/* Spiral and sequence at the same pitch. */
static void test_sensitivity(void) {
  static const double thicknesses[] = {0, 5, 8};
  static const char *const names[] = {"circle", "spiral", "sequence"};
  enum { CASES = sizeof thicknesses / sizeof *thicknesses };
  for (int k = 0; k < KINDS; k++) {
    double slopes[CASES][SLOPES] = {{0}};
    for (int phase = 0; phase < PHASES; phase++) {
      spheres s;
      ct_error *error = NULL;
      CHECK_OK(open_scan(&s, (kind)k, (double)phase / PHASES, &error));
      for (int n = 0; n < CASES; n++) CHECK_OK(add_slope(&s, thicknesses[n], slopes[n], &error));
      bench_close(&s.b);
    }
    for (int n = 0; n < CASES; n++) {
      const double width = width_of(slopes[n], SLOPES), expected = theory(2, thicknesses[n]);
      printf("# %s, %g mm: %.2f mm, %.2f expected\n", names[k], thicknesses[n], width, expected);
      CHECK_NEAR(width, expected, 0.03 * expected);
    }
  }
}

static void test_rows(void) {
  enum { ROWS = 5, COLUMNS = 2 };
  const ct_thick_views views = {COLUMNS, ROWS, 2};
  float data[2 * ROWS * COLUMNS], *out[] = {data};
  ct_error *error = NULL;
  for (int i = 0; i < 2 * ROWS * COLUMNS; i++) data[i] = i == 2 * COLUMNS || i == (ROWS + 4) * COLUMNS + 1;
  CHECK_OK(ct_thickness_apply(&views, 2, 1, out, 2, &error));
  /* Half a row on either side of a whole one; at the end what is there counts. */
  static const float middle[ROWS] = {0, 0.25f, 0.5f, 0.25f, 0}, end[ROWS] = {0, 0, 0, 0.25f, 2.0f / 3};
  for (int row = 0; row < ROWS; row++) {
    CHECK_NEAR(data[row * COLUMNS], middle[row], 1e-6);
    CHECK_NEAR(data[(ROWS + row) * COLUMNS + 1], end[row], 1e-6);
    CHECK(data[row * COLUMNS + 1] == 0 && data[(ROWS + row) * COLUMNS] == 0);
  }
}

/* Largest difference of two slices that are made alone, from the first on, to those of the volume. */
static double worst_of_part(const spheres *s, const ct_volume *all, int first, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(all);
  const size_t slice = (size_t)grid->nx * (size_t)grid->ny;
  bench part;
  double worst = INFINITY;
  if (!bench_take(&part, ct_simulate(&s->simulation, "spheres", NULL, error), error)) return worst;
  part.plan = s->b.plan;
  part.plan.nz = 2;
  part.plan.centre_mm[2] = grid->z0 + (first + 0.5) * grid->dz;
  ct_volume *two = ct_pipeline_volume(part.pipeline, &part.plan, NULL, NULL, error);
  if (two) {
    const float *a = ct_volume_get_data(all) + slice * (size_t)first, *b = ct_volume_get_data(two);
    worst = 0;
    for (size_t i = 0; i < 2 * slice; i++) worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
  }
  ct_volume_free(two);
  bench_close(&part);
  return worst;
}

/* Some slices are those of the volume: the rows that the thickness reaches over are read, too. Near the source and away
 * from the middle those are more than slices so far away are seen in on the far side. */
static void test_parts(void) {
  static const struct { double sod, sdd, thickness; } scans[] = {{0, 0, 11}, {150, 300, 60}};
  for (int n = 0; n < 2; n++) {
    spheres s;
    ct_error *error = NULL;
    ct_simulation *m = spheres_init(&s);
    if (scans[n].sod > 0) {
      m->sod = scans[n].sod;
      m->sdd = scans[n].sdd;
      m->nu = m->nv = 100;
      m->pixel = 2;
      m->views = 60;
    }
    CHECK_OK(spheres_take(&s, &error));
    s.b.plan.filter.thickness = scans[n].thickness;
    ct_volume *all = ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error);
    CHECK_OK(all);
    const int nz = ct_volume_grid(all)->nz, firsts[] = {nz / 2 - 1, 9 * nz / 10};
    for (int k = 0; k < 2; k++) {
      const double worst = worst_of_part(&s, all, firsts[k], &error);
      CHECK_OK(!error);
      CHECK_BELOW(worst, 1e-6);
    }
    ct_volume_free(all);
    bench_close(&s.b);
  }
}

/* Of two slices, and with all rows that are read for their thickness. */
static void test_estimate(void) {
  static const double thicknesses[] = {0, 11};
  spheres s;
  ct_error *error = NULL;
  double before = 0;
  spheres_init(&s);
  CHECK_OK(spheres_take(&s, &error));
  s.b.plan.nz = 2;
  for (int n = 0; n < 2; n++) {
    ct_estimate e;
    s.b.plan.filter.thickness = thicknesses[n];
    CHECK_OK(ct_plan_estimate(&s.b.plan, s.b.scan, NULL, &e, &error));
    CHECK_OK(ct_pipeline_prepare(s.b.pipeline, &s.b.plan, NULL, &error));
    CHECK_NEAR(e.projections, (double)ct_stack_bytes(ct_pipeline_get_line_integrals(s.b.pipeline)), 1);
    CHECK(e.projections > before);
    before = e.projections;
  }
  bench_close(&s.b);
}

static const ct_test tests[] = {
    {"rows are averaged over a box, within their part", test_rows},
    {"slices are as thick as is asked for", test_sensitivity},
    {"slices of a part are those of the whole", test_parts},
    {"the estimate of memory counts the rows that are read", test_estimate},
};
CT_TEST_MAIN(tests)
