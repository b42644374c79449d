/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the system matrix against slow formulas of other make: Joseph point by point, Siddon by cutting the ray with
 * every pixel, areas by clipping every pixel's polygon (Sutherland and Hodgman 1974); and properties: chords, sums over
 * a view, rays that miss, symmetry, refusals. */
#include "recon/fp/model/ray-model.h"
#include "tests/test.h"

#include <stdint.h>

static double uniform(uint64_t *state, double low, double high) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(*state >> 11) * 0x1p-53);
}

/* A geometry of one view, and a grid, drawn at random. */
static bool draw(uint64_t *state, ct_beam beam, ct_geometry *g, ct_grid *grid, ct_error **error) {
  if (!ct_geometry_init(g, beam, (int)uniform(state, 1, 30), 1, 1, error)) return false;
  *grid = (ct_grid){.nx = (int)uniform(state, 1, 24),
                    .ny = (int)uniform(state, 1, 24),
                    .nz = 1,
                    .dx = uniform(state, 0.3, 2),
                    .dy = uniform(state, 0.3, 2),
                    .dz = 1};
  grid->x0 = -0.5 * grid->nx * grid->dx + uniform(state, -8, 8);
  grid->y0 = -0.5 * grid->ny * grid->dy + uniform(state, -8, 8);
  g->sod = uniform(state, 60, 200);
  g->sdd = g->sod * uniform(state, 1, 2);
  g->du = uniform(state, 0, 1) < 0.1 ? uniform(state, 10, 110) : uniform(state, 0.2, 5); /* some very wide strips */
  g->centre_u += uniform(state, -4, 4);
  if (beam == CT_BEAM_FAN) g->tilt = uniform(state, -0.5, 0.5);
  g->angles[0] = uniform(state, 0, 1) < 0.2 ? floor(uniform(state, -8, 8)) * M_PI / 4 : uniform(state, -7, 7);
  return true;
}

static double joseph_weight(const ct_grid *grid, const double p[3], const double d[3], int i, int j) {
  if (fabs(d[0]) / grid->dx > fabs(d[1]) / grid->dy) {
    const double s = (grid->x0 + i * grid->dx - p[0]) / d[0];
    const double at = (p[1] + s * d[1] - grid->y0) / grid->dy;
    return fmax(0, 1 - fabs(at - j)) * grid->dx / fabs(d[0]);
  }
  const double s = (grid->y0 + j * grid->dy - p[1]) / d[1];
  const double at = (p[0] + s * d[0] - grid->x0) / grid->dx;
  return fmax(0, 1 - fabs(at - i)) * grid->dy / fabs(d[1]);
}

/* Length of the ray within low .. high. */
static double chord(const double low[2], const double high[2], const double p[3], const double d[3]) {
  double enter = -INFINITY, leave = INFINITY;
  for (int axis = 0; axis < 2; axis++) {
    const double a = (low[axis] - p[axis]) / d[axis], b = (high[axis] - p[axis]) / d[axis];
    enter = fmax(enter, fmin(a, b));
    leave = fmin(leave, fmax(a, b));
  }
  return fmax(0, leave - enter);
}

static double siddon_weight(const ct_grid *grid, const double p[3], const double d[3], int i, int j) {
  const double x = grid->x0 + i * grid->dx, y = grid->y0 + j * grid->dy;
  const double low[2] = {x - 0.5 * grid->dx, y - 0.5 * grid->dy}, high[2] = {x + 0.5 * grid->dx, y + 0.5 * grid->dy};
  return chord(low, high, p, d);
}

typedef struct polygon {
  int count;
  double at[12][2];
} polygon;

/* What lies on the left of the ray from p along d (sign 1) or on its right (sign -1). */
static void clip(polygon *shape, const double p[3], const double d[3], double sign) {
  polygon cut = {0};
  for (int n = 0; n < shape->count; n++) {
    const double *a = shape->at[n], *b = shape->at[(n + 1) % shape->count];
    const double fa = sign * (d[0] * (a[1] - p[1]) - d[1] * (a[0] - p[0]));
    const double fb = sign * (d[0] * (b[1] - p[1]) - d[1] * (b[0] - p[0]));
    if (fa >= 0) memcpy(cut.at[cut.count++], a, sizeof cut.at[0]);
    if ((fa >= 0) != (fb >= 0)) {
      for (int axis = 0; axis < 2; axis++) cut.at[cut.count][axis] = a[axis] + fa / (fa - fb) * (b[axis] - a[axis]);
      cut.count++;
    }
  }
  *shape = cut;
}

static double area_of(const polygon *shape) {
  double sum = 0;
  for (int n = 2; n < shape->count; n++) {
    const double *o = shape->at[0], *a = shape->at[n - 1], *b = shape->at[n];
    sum += (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  }
  return 0.5 * fabs(sum);
}

/* Where the line from p along d meets the normal of the middle ray at `foot`, as a distance from the middle ray. */
static double distance_at(const double foot[2], const double middle[3], const double p[3], const double d[3]) {
  const double s =
      ((foot[0] - p[0]) * middle[0] + (foot[1] - p[1]) * middle[1]) / (d[0] * middle[0] + d[1] * middle[1]);
  return hypot(p[0] + s * d[0] - foot[0], p[1] + s * d[1] - foot[1]);
}

static double area_weight(const ct_geometry *g, const ct_grid *grid, int view, double u, int i, int j) {
  double p[3][3], d[3][3];
  for (int n = 0; n < 3; n++) ct_geometry_ray(g, view, u + 0.5 * (n - 1), 0, p[n], d[n]);
  const double x = grid->x0 + i * grid->dx, y = grid->y0 + j * grid->dy, hx = 0.5 * grid->dx, hy = 0.5 * grid->dy;
  polygon shape = {4, {{x - hx, y - hy}, {x + hx, y - hy}, {x + hx, y + hy}, {x - hx, y + hy}}};
  clip(&shape, p[0], d[0], -1);
  clip(&shape, p[2], d[2], 1);
  if (shape.count < 3) return 0;
  const double s = (x - p[1][0]) * d[1][0] + (y - p[1][1]) * d[1][1];
  const double foot[2] = {p[1][0] + s * d[1][0], p[1][1] + s * d[1][1]};
  return area_of(&shape) / (distance_at(foot, d[1], p[0], d[0]) + distance_at(foot, d[1], p[2], d[2]));
}

static double weight_of(const ct_geometry *g, const ct_grid *grid, ct_ray_model model, int view, int u, int i, int j) {
  double p[3], d[3];
  ct_geometry_ray(g, view, u, 0, p, d);
  if (model == CT_MODEL_JOSEPH) return joseph_weight(grid, p, d, i, j);
  return model == CT_MODEL_SIDDON ? siddon_weight(grid, p, d, i, j) : area_weight(g, grid, view, u, i, j);
}

/* Largest difference to the slow formula beyond float rounding, as part of a pixel's own weight; -1 on a row out of
 * order. */
static double difference(const ct_geometry *g, const ct_grid *grid, ct_ray_model model, int view, int u,
                         const ct_row *row) {
  const double full = model == CT_MODEL_AREA ? grid->dx * grid->dy / g->du : fmin(grid->dx, grid->dy);
  double most = 0;
  size_t n = 0;
  for (uint32_t column = 0; column < (uint32_t)grid->nx * (uint32_t)grid->ny; column++) {
    const double expected =
        weight_of(g, grid, model, view, u, (int)(column % (uint32_t)grid->nx), (int)(column / (uint32_t)grid->nx));
    const bool there = n < row->count && row->columns[n] == column;
    const double value = there ? (double)row->values[n] : 0;
    if (there && !(value > 0)) return -1;
    n += there;
    most = fmax(most, fabs(value - expected) - 6.1e-8 * expected - (there ? 0 : 1e-9 * full));
  }
  return n == row->count ? most / full : -1;
}

static void against_slow_formulas(void) {
  uint64_t state = 1;
  ct_error *error = NULL;
  ct_row row;
  ct_row_init(&row);
  size_t entries = 0;
  for (int trial = 0; trial < 600; trial++) {
    ct_geometry g;
    ct_grid grid;
    CHECK_OK(draw(&state, trial % 2 ? CT_BEAM_FAN : CT_BEAM_PARALLEL, &g, &grid, &error));
    for (int model = CT_MODEL_JOSEPH; model <= CT_MODEL_AREA; model++)
      for (int u = 0; u < g.nu; u++) {
        CHECK_OK(ct_model_row(&g, &grid, (ct_ray_model)model, 0, u, &row, &error));
        const double most = difference(&g, &grid, (ct_ray_model)model, 0, u, &row);
        CHECK(most >= 0);
        CHECK_BELOW(most, 2e-12);
        entries += row.count;
      }
    ct_geometry_clear(&g);
  }
  CHECK(entries > 100000);
  ct_row_clear(&row);
}

static double sum_of(const ct_row *row) {
  double sum = 0;
  for (size_t n = 0; n < row->count; n++) sum += (double)row->values[n];
  return sum;
}

static double chord_of(const ct_geometry *g, const ct_grid *grid, double u) {
  double p[3], d[3];
  ct_geometry_ray(g, 0, u, 0, p, d);
  const double low[2] = {grid->x0 - 0.5 * grid->dx, grid->y0 - 0.5 * grid->dy};
  const double high[2] = {low[0] + grid->nx * grid->dx, low[1] + grid->ny * grid->dy};
  return chord(low, high, p, d);
}

static void sums_are_chords(void) {
  uint64_t state = 7;
  ct_error *error = NULL;
  ct_row row;
  ct_row_init(&row);
  for (int trial = 0; trial < 200; trial++) {
    ct_geometry g;
    ct_grid grid;
    CHECK_OK(draw(&state, trial % 2 ? CT_BEAM_FAN : CT_BEAM_PARALLEL, &g, &grid, &error));
    g.du = 0.5;
    g.angles[0] = uniform(&state, -7, 7); /* along a side a chord jumps within a strip */
    for (int u = 0; u < g.nu; u++) {
      CHECK_OK(ct_model_row(&g, &grid, CT_MODEL_SIDDON, 0, u, &row, &error));
      const double expected = chord_of(&g, &grid, u);
      CHECK_NEAR(sum_of(&row), expected, 1e-6 * expected + 1e-8);
      /* A strip's sum is the mean chord over its width but for the width's change across the strip. */
      double mean = 0, least = INFINITY, most = 0;
      for (int k = 0; k < 200; k++) {
        const double length = chord_of(&g, &grid, u + (k + 0.5) / 200 - 0.5);
        mean += length / 200;
        least = fmin(least, length);
        most = fmax(most, length);
      }
      CHECK_OK(ct_model_row(&g, &grid, CT_MODEL_AREA, 0, u, &row, &error));
      CHECK_NEAR(sum_of(&row), mean, 0.01 * mean + 0.01 * (most - least) + 1e-6);
    }
    ct_geometry_clear(&g);
  }
  ct_row_clear(&row);
}

/* Strips that lie side by side cover every pixel that they see whole exactly once. */
static void strips_cover_pixels_once(void) {
  ct_error *error = NULL;
  ct_row row;
  ct_row_init(&row);
  const ct_grid grid = {.nx = 17, .ny = 12, .nz = 1, .dx = 0.7, .dy = 1.1, .dz = 1, .x0 = -5.2, .y0 = -6.3};
  for (double angle = -3; angle < 3; angle += 0.37) {
    ct_geometry g;
    CHECK_OK(ct_geometry_init(&g, CT_BEAM_PARALLEL, 60, 1, 1, &error));
    g.du = 0.45;
    g.angles[0] = angle;
    double sums[17 * 12] = {0};
    for (int u = 0; u < g.nu; u++) {
      CHECK_OK(ct_model_row(&g, &grid, CT_MODEL_AREA, 0, u, &row, &error));
      for (size_t n = 0; n < row.count; n++) sums[row.columns[n]] += (double)row.values[n];
    }
    for (int n = 0; n < 17 * 12; n++) CHECK_NEAR(sums[n] * g.du / (grid.dx * grid.dy), 1, 1e-6);
    ct_geometry_clear(&g);
  }
  ct_row_clear(&row);
}

static void borders_belong_half_to_both(void) {
  ct_error *error = NULL;
  ct_row row;
  ct_row_init(&row);
  const ct_grid grid = ct_grid_centred(4, 4, 1, 0.1, NULL);
  ct_geometry g;
  CHECK_OK(ct_geometry_init(&g, CT_BEAM_PARALLEL, 5, 1, 4, &error));
  g.du = 0.1;
  ct_geometry_set_arc(&g, 0, M_PI / 2);
  for (int view = 0; view < 4; view++)
    for (int u = 0; u < 5; u++) {
      CHECK_OK(ct_model_row(&g, &grid, CT_MODEL_SIDDON, view, u, &row, &error));
      const bool outer = u == 0 || u == 4;
      CHECK(row.count == (outer ? 4 : 8));
      for (size_t n = 0; n < row.count; n++) CHECK_NEAR((double)row.values[n], 0.05, 1e-8);
      /* A strip that reaches half a pixel to either side. */
      CHECK_OK(ct_model_row(&g, &grid, CT_MODEL_AREA, view, u, &row, &error));
      CHECK(row.count == (outer ? 4 : 8));
    }
  ct_geometry_clear(&g);
  ct_row_clear(&row);
}

static void rays_beside_the_slice_miss(void) {
  ct_error *error = NULL;
  ct_row row;
  ct_row_init(&row);
  const ct_grid grid = ct_grid_centred(8, 8, 1, 1, (double[]){100, 0, 0});
  ct_geometry g;
  CHECK_OK(ct_geometry_init(&g, CT_BEAM_FAN, 32, 1, 3, &error));
  g.sod = 400;
  g.sdd = 500;
  g.angles[1] = 1e-17;
  g.angles[2] = 0.1;
  for (int model = CT_MODEL_JOSEPH; model <= CT_MODEL_AREA; model++)
    for (int view = 0; view < 3; view++)
      for (int u = 0; u < g.nu; u++) {
        CHECK_OK(ct_model_row(&g, &grid, (ct_ray_model)model, view, u, &row, &error));
        CHECK(row.count == 0);
      }
  ct_geometry_clear(&g);
  ct_row_clear(&row);
}

static bool same_row(const ct_row *a, const uint32_t *columns, const float *values) {
  for (size_t n = 0; n < a->count; n++)
    if (a->columns[n] != columns[n] || a->values[n] != values[n]) return false;
  return true;
}

/* The slice of a cone beam in the plane of the source is a fan beam; the batch form gives what single rows give. */
static void ways_agree(void) {
  uint64_t state = 11;
  ct_error *error = NULL;
  ct_row row, other;
  ct_row_init(&row);
  ct_row_init(&other);
  for (int trial = 0; trial < 30; trial++) {
    ct_geometry g;
    ct_grid grid;
    CHECK_OK(draw(&state, CT_BEAM_FAN, &g, &grid, &error));
    g.tilt = 0;
    ct_model_room *room = ct_model_room_new(&grid, &error);
    CHECK_OK(room);
    for (int model = CT_MODEL_JOSEPH; model <= CT_MODEL_AREA; model++) {
      const ct_model_view view = ct_model_view_make(&g, &grid, (ct_ray_model)model, 0);
      for (int u = 0; u < g.nu; u++) {
        g.beam = CT_BEAM_FAN;
        CHECK_OK(ct_model_row(&g, &grid, (ct_ray_model)model, 0, u, &row, &error));
        g.beam = CT_BEAM_CONE;
        CHECK_OK(ct_model_row(&g, &grid, (ct_ray_model)model, 0, u, &other, &error));
        CHECK(row.count == other.count && ct_model_view_count(&view, u) == row.count);
        CHECK(same_row(&row, other.columns, other.values));
        CHECK_OK(ct_row_reserve(&other, row.count + 1, &error));
        other.columns[row.count] = 4711;
        other.values[row.count] = -4711;
        CHECK_OK(ct_model_view_row(&view, u, room, other.columns, other.values, &error));
        CHECK(same_row(&row, other.columns, other.values));
        CHECK(other.columns[row.count] == 4711 && other.values[row.count] == -4711);
      }
    }
    ct_model_room_free(room);
    ct_geometry_clear(&g);
  }
  ct_row_clear(&row);
  ct_row_clear(&other);
}

static void far_sources_keep_digits(void) {
  ct_error *error = NULL;
  ct_row row, other;
  ct_row_init(&row);
  ct_row_init(&other);
  const ct_grid grid = ct_grid_centred(64, 64, 1, 1, (double[]){3.3, 1.7, 0});
  ct_geometry fan, parallel;
  CHECK_OK(ct_geometry_init(&fan, CT_BEAM_FAN, 50, 1, 1, &error));
  CHECK_OK(ct_geometry_init(&parallel, CT_BEAM_PARALLEL, 50, 1, 1, &error));
  fan.angles[0] = parallel.angles[0] = 0.6;
  fan.sod = fan.sdd = 1e11;
  for (int model = CT_MODEL_JOSEPH; model <= CT_MODEL_AREA; model++)
    for (int u = 0; u < fan.nu; u++) {
      CHECK_OK(ct_model_row(&fan, &grid, (ct_ray_model)model, 0, u, &row, &error));
      CHECK_OK(ct_model_row(&parallel, &grid, (ct_ray_model)model, 0, u, &other, &error));
      CHECK(row.count == other.count);
      for (size_t n = 0; n < row.count; n++) {
        CHECK(row.columns[n] == other.columns[n]);
        CHECK_NEAR((double)row.values[n], (double)other.values[n], 1e-6);
      }
    }
  ct_geometry_clear(&fan);
  ct_geometry_clear(&parallel);
  ct_row_clear(&row);
  ct_row_clear(&other);
}

static void unusable_geometries_are_refused(void) {
  ct_error *error = NULL;
  ct_row row;
  ct_row_init(&row);
  ct_grid grid = ct_grid_centred(8, 8, 1, 1, NULL);
  ct_geometry g;
  CHECK_OK(ct_geometry_init(&g, CT_BEAM_FAN, 8, 1, 2, &error));
  g.sod = 50;
  g.sdd = 70;
  CHECK_OK(ct_model_row(&g, &grid, CT_MODEL_AREA, 1, 7, &row, &error));
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_AREA, 2, 0, &row, &error), CT_ERROR_ARGUMENT, "view 2");
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_AREA, 0, -1, &row, &error), CT_ERROR_ARGUMENT, "column -1");
  CHECK_FAILS(ct_model_row(&g, &grid, (ct_ray_model)7, 0, 0, &row, &error), CT_ERROR_ARGUMENT, "model");
  g.sod = NAN;
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_JOSEPH, 0, 0, &row, &error), CT_ERROR_ARGUMENT, "distances");
  g.sod = 5;
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_AREA, 0, 0, &row, &error), CT_ERROR_UNSUPPORTED,
              "between source and detector");
  CHECK_OK(ct_model_row(&g, &grid, CT_MODEL_SIDDON, 0, 0, &row, &error));
  g.sod = 50;
  g.angles[1] = INFINITY;
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_SIDDON, 0, 0, &row, &error), CT_ERROR_ARGUMENT, "angle of view 1");
  g.angles[1] = 0;
  g.du = NAN;
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_SIDDON, 0, 0, &row, &error), CT_ERROR_ARGUMENT, "pitch");
  g.du = 300;
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_AREA, 0, 0, &row, &error), CT_ERROR_UNSUPPORTED, "too wide");
  g.du = 1;
  grid.x0 = INFINITY;
  CHECK(!ct_model_row(&g, &grid, CT_MODEL_JOSEPH, 0, 0, &row, &error));
  ct_error_clear(&error);
  grid.x0 = 1e30;
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_JOSEPH, 0, 0, &row, &error), CT_ERROR_ARGUMENT, "far out");
  grid = ct_grid_centred(70000, 70000, 1, 1e-4, NULL);
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_JOSEPH, 0, 0, &row, &error), CT_ERROR_UNSUPPORTED, "32-bit");
  grid = ct_grid_centred(8, 8, 1, 1, NULL);
  g.beam = CT_BEAM_CONE;
  g.tilt = 0.01;
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_JOSEPH, 0, 0, &row, &error), CT_ERROR_UNSUPPORTED, "untilted");
  ct_geometry_clear(&g);
  CHECK_OK(ct_geometry_init(&g, CT_BEAM_FREE, 8, 8, 1, &error));
  const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1};
  memcpy(g.matrices, identity, sizeof identity);
  CHECK_FAILS(ct_model_row(&g, &grid, CT_MODEL_JOSEPH, 0, 0, &row, &error), CT_ERROR_UNSUPPORTED,
              "projection matrices");
  CHECK(row.count == 0);
  ct_geometry_clear(&g);
  ct_row_clear(&row);
}

static const ct_test tests[] = {
    {"rows agree with slow formulas", against_slow_formulas},
    {"sums of rows are chords", sums_are_chords},
    {"strips cover pixels once", strips_cover_pixels_once},
    {"borders belong half to both", borders_belong_half_to_both},
    {"rays beside the slice miss", rays_beside_the_slice_miss},
    {"cone, fan and batches agree", ways_agree},
    {"far sources keep digits", far_sources_keep_digits},
    {"unusable geometries are refused", unusable_geometries_are_refused},
};

CT_TEST_MAIN(tests)
