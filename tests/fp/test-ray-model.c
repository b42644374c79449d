/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the system matrix against slow formulas of other make: Joseph point by point, Siddon by cutting the ray with
 * every pixel, areas by clipping every pixel's polygon (Sutherland and Hodgman 1974); and properties: chords, sums over
 * a view, rays that miss, symmetry, refusals. */
#include "recon/base/memory.h"
#include "recon/fp/ray-model.h"
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

CT_TEST_MAIN(((const ct_test[]){{"rows agree with slow formulas", against_slow_formulas}}))
