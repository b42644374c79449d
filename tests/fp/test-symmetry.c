/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symmetries of the square: the group's tables, pixels and rays against points and lines turned in the world, every ray
 * the image of exactly one stored ray, sizes of orbits, and the words where a scan has no symmetry. */
#include "recon/base/memory.h"
#include "recon/fp/model/ray-model.h"
#include "recon/fp/symmetry.h"
#include "tests/test.h"

static const double degree = M_PI / 180;

/* A parallel (sod 0) or divergent scan of a centred slice of n x n pixels. */
static bool make_scan(ct_geometry *geometry, ct_grid *grid, int n, int nu, int views, double first, double step,
                      double sod) {
  if (!ct_geometry_init(geometry, sod > 0 ? CT_BEAM_FAN : CT_BEAM_PARALLEL, nu, 1, views, NULL)) return false;
  geometry->sod = sod;
  geometry->sdd = 1.7 * sod;
  geometry->du = 1.1;
  ct_geometry_set_arc(geometry, first * degree, step * degree);
  *grid = ct_grid_centred(n, n, 1, 0.8, NULL);
  return true;
}

/* g of a point of the plane. */
static void turn(int g, const double from[2], double to[2]) {
  double x = (g & 4) ? -from[0] : from[0], y = from[1];
  for (int k = 0; k < (g & 3); k++) {
    const double old = x;
    x = -y;
    y = old;
  }
  to[0] = x;
  to[1] = y;
}

static void tables(void) {
  const double point[2] = {2, 7};
  for (int g = 0; g < 8; g++) {
    CHECK(ct_symmetry_compose(g, ct_symmetry_inverse(g)) == 0 && ct_symmetry_compose(ct_symmetry_inverse(g), g) == 0);
    for (int h = 0; h < 8; h++) {
      double a[2], b[2], c[2];
      turn(h, point, a);
      turn(g, a, b);
      turn(ct_symmetry_compose(g, h), point, c);
      CHECK(b[0] == c[0] && b[1] == c[1]);
    }
  }
}

static void pixels(void) {
  for (int n = 1; n <= 6; n++) {
    const ct_grid grid = ct_grid_centred(n, n, 1, 0.8, NULL);
    for (int g = 0; g < 8; g++) {
      const ct_symmetry_pixels map = ct_symmetry_pixels_of(n, n, g);
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
          const double from[2] = {grid.x0 + i * grid.dx, grid.y0 + j * grid.dy};
          double to[2];
          turn(g, from, to);
          const size_t index = ct_symmetry_pixel(&map, i, j);
          CHECK(index < (size_t)(n * n));
          CHECK_NEAR(grid.x0 + (double)(index % (size_t)n) * grid.dx, to[0], 1e-12);
          CHECK_NEAR(grid.y0 + (double)(index / (size_t)n) * grid.dy, to[1], 1e-12);
        }
    }
  }
  const ct_symmetry_pixels half = ct_symmetry_pixels_of(5, 3, 2);
  CHECK(ct_symmetry_pixel(&half, 0, 0) == 14 && ct_symmetry_pixel(&half, 4, 1) == 5);
}

typedef struct {
  const char *what;
  int nu, views;
  double first, step, sod;
  int slots;
  size_t rays; /* stored */
} closed_scan;

static const closed_scan closed[] = {
    {"fan, axes included", 16, 720, 0, 0.5, 300, 91, 89 * 16 + 2 * 8},
    {"fan, odd detector", 17, 64, 0, 5.625, 300, 9, 7 * 17 + 2 * 9},
    {"fan, half steps", 16, 72, 2.5, 5, 300, 9, 9 * 16},
    {"fan, clockwise, begun elsewhere", 16, 48, 97.5, -7.5, 300, 7, 5 * 16 + 2 * 8},
    {"fan, no mirror axis at 0", 16, 40, 4.5, 9, 300, 5, 5 * 16},
    {"fan, two turns", 16, 80, 0, 9, 300, 12, 8 * 16 + 4 * 8},
    {"fan, no view at 45 degrees", 16, 12, 0, 30, 300, 2, 16 + 8},
    {"parallel, 180 degrees", 16, 180, 0, 1, 0, 46, 46 * 8},
    {"parallel, 180 degrees, half steps", 17, 20, 4.5, 9, 0, 5, 5 * 9},
    {"parallel, 360 degrees", 16, 72, 0, 5, 0, 20, 20 * 8},
    {"parallel, backwards from beyond a turn", 16, 36, 720, -5, 0, 10, 10 * 8},
    {"one fan of four views", 5, 4, 0, 90, 300, 1, 3},
};

/* Both lines, as point and direction, are the same line of the plane. */
static bool same_line(const double p[2], const double d[2], const double q[3], const double e[3]) {
  return fabs(d[0] * e[1] - d[1] * e[0]) < 1e-9 && fabs((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) < 1e-8;
}

static void rays(void) {
  for (size_t k = 0; k < sizeof closed / sizeof *closed; k++) {
    const closed_scan *scan = closed + k;
    ct_geometry geometry;
    ct_grid grid;
    ct_error *error = NULL;
    CHECK(make_scan(&geometry, &grid, 8, scan->nu, scan->views, scan->first, scan->step, scan->sod));
    ct_symmetry *s = ct_symmetry_new(&geometry, &grid, CT_SYMMETRY_SQUARE, &error);
    if (!s) CT_TEST_END(1, "%s: %s", scan->what, error->message);
    if (s->slots != scan->slots || s->rays != scan->rays)
      CT_TEST_END(1, "%s: %d stored views of %zu rays, not %d of %zu", scan->what, s->slots, s->rays, scan->slots,
                  scan->rays);
    for (int slot = 0; slot < s->slots; slot++)
      for (int u = 0; u < s->count[slot]; u++)
        for (int g = 0; g < 8; g++) {
          double p[3], d[3], q[3], e[3], gp[2], gd[2];
          ct_geometry_ray(&geometry, s->view[slot], u, 0, p, d);
          ct_geometry_ray(&geometry, s->image[slot][g].view, ct_symmetry_column(s, slot, u, g), 0, q, e);
          turn(g, p, gp);
          turn(g, d, gd);
          if (!same_line(gp, gd, q, e))
            CT_TEST_END(1, "%s: stored view %d, u %d, g %d is another line", scan->what, slot, u, g);
        }
    ct_symmetry_free(s);
    ct_geometry_clear(&geometry);
  }
}

static void every_ray_once(void) {
  for (size_t k = 0; k < sizeof closed / sizeof *closed; k++) {
    const closed_scan *scan = closed + k;
    ct_geometry geometry;
    ct_grid grid;
    ct_error *error = NULL;
    CHECK(make_scan(&geometry, &grid, 8, scan->nu, scan->views, scan->first, scan->step, scan->sod));
    ct_symmetry *s = ct_symmetry_new(&geometry, &grid, CT_SYMMETRY_SQUARE, &error);
    CHECK(s);
    size_t images = 0;
    for (int slot = 0; slot < s->slots; slot++) {
      CHECK(slot == 0 || s->first[slot] == s->first[slot - 1] + (size_t)s->count[slot - 1]);
      for (int u = 0; u < s->count[slot]; u++)
        for (int g = 0; g < 8; g++) {
          const bool first = ct_symmetry_is_first(s, slot, u, g);
          images += first;
          CHECK(g > 0 || first);
        }
    }
    CHECK(images == (size_t)scan->views * (size_t)scan->nu);
    for (int view = 0; view < scan->views; view++)
      for (int u = 0; u < scan->nu; u++) {
        const ct_symmetry_origin o = ct_symmetry_find(s, view, u);
        CHECK(o.slot >= 0 && o.slot < s->slots && o.u >= 0 && o.u < s->count[o.slot] && o.g >= 0 && o.g < 8);
        CHECK(s->image[o.slot][o.g].view == view && ct_symmetry_column(s, o.slot, o.u, o.g) == u);
      }
    ct_symmetry_free(s);
    ct_geometry_clear(&geometry);
  }
}

enum { LARGEST = 13 };

/* Largest difference, in pixel sides, between the row of g's ray and the stored row with its pixels mapped by g. */
static double row_difference(const ct_geometry *geometry, const ct_grid *grid, const ct_symmetry *s, ct_ray_model model,
                             int slot, int u, int g, ct_row *stored, ct_row *there) {
  float image[LARGEST * LARGEST] = {0};
  const int n = grid->nx;
  const ct_symmetry_pixels map = ct_symmetry_pixels_of(n, n, g);
  const int column = ct_symmetry_column(s, slot, u, g);
  if (!ct_model_row(geometry, grid, model, s->view[slot], u, stored, NULL)) return INFINITY;
  if (!ct_model_row(geometry, grid, model, s->image[slot][g].view, column, there, NULL)) return INFINITY;
  for (size_t e = 0; e < there->count; e++) image[there->columns[e]] = there->values[e];
  for (size_t e = 0; e < stored->count; e++)
    image[ct_symmetry_pixel(&map, (int)stored->columns[e] % n, (int)stored->columns[e] / n)] -= stored->values[e];
  double largest = 0;
  for (int p = 0; p < n * n; p++) largest = fmax(largest, fabs((double)image[p]) / grid->dx);
  return largest;
}

/* The weights themselves, for all models, with an even and an odd number of pixels. */
static void rows_of_models(void) {
  const ct_ray_model models[] = {CT_MODEL_JOSEPH, CT_MODEL_SIDDON, CT_MODEL_AREA};
  ct_row stored, there;
  ct_row_init(&stored);
  ct_row_init(&there);
  for (size_t k = 0; k < sizeof closed / sizeof *closed; k++)
    for (int n = LARGEST - 1; n <= LARGEST; n++) {
      const closed_scan *scan = closed + k;
      if (scan->views > 100) continue;
      ct_geometry geometry;
      ct_grid grid;
      CHECK(make_scan(&geometry, &grid, n, scan->nu, scan->views, scan->first, scan->step, scan->sod));
      ct_symmetry *s = ct_symmetry_new(&geometry, &grid, CT_SYMMETRY_SQUARE, NULL);
      CHECK(s);
      for (int m = 0; m < 3; m++)
        for (int slot = 0; slot < s->slots; slot++)
          for (int u = 0; u < s->count[slot]; u++)
            for (int g = 0; g < 8; g++) {
              const double difference = row_difference(&geometry, &grid, s, models[m], slot, u, g, &stored, &there);
              if (!(difference < 1e-6))
                CT_TEST_END(1, "%s, %s, %d pixels: stored view %d, u %d, g %d: off by %g", scan->what,
                            ct_model_id(models[m]), n, slot, u, g, difference);
            }
      ct_symmetry_free(s);
      ct_geometry_clear(&geometry);
    }
  ct_row_clear(&stored);
  ct_row_clear(&there);
}

static void inversion(void) {
  ct_geometry geometry;
  ct_error *error = NULL;
  CHECK(ct_geometry_init(&geometry, CT_BEAM_PARALLEL, 10, 1, 7, &error));
  for (int i = 0; i < 7; i++) geometry.angles[i] = 0.3 + 0.37 * i + 0.01 * i * i;
  ct_grid grid = ct_grid_centred(9, 4, 1, 0.5, NULL);
  grid.dy = 0.6;
  grid.y0 = -1.5 * grid.dy;
  ct_symmetry *s = ct_symmetry_new(&geometry, &grid, CT_SYMMETRY_INVERSION, &error);
  CHECK(s);
  CHECK(s->order == 2 && s->elements[0] == 0 && s->elements[1] == 2 && s->slots == 7 && s->rays == 35);
  for (int slot = 0; slot < 7; slot++) CHECK(s->image[slot][2].view == s->view[slot] && s->image[slot][2].mirrored);
  ct_symmetry_free(s);
  geometry.beam = CT_BEAM_FAN;
  geometry.sod = 100;
  geometry.sdd = 150;
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_INVERSION, &error), CT_ERROR_UNSUPPORTED,
              "no counterpart");
  ct_geometry_clear(&geometry);
}

/* Angles as single precision keeps them, in degrees, are symmetric enough. */
static void single_precision(void) {
  ct_geometry geometry;
  ct_grid grid;
  ct_error *error = NULL;
  CHECK(make_scan(&geometry, &grid, 8, 16, 1440, 0, 0.25, 300));
  for (int i = 0; i < 1440; i++) geometry.angles[i] = (double)((float)(0.25 * i) * (float)degree);
  CHECK_OK(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error));
  geometry.angles[17] += 0.01 * 0.25 * degree;
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error), CT_ERROR_UNSUPPORTED, "no counterpart");
  ct_geometry_clear(&geometry);
}

static void refusals(void) {
  ct_geometry geometry;
  ct_grid grid;
  ct_error *error = NULL;
  CHECK(make_scan(&geometry, &grid, 8, 16, 722, 0, 360. / 722, 300));
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error), CT_ERROR_UNSUPPORTED,
              "(724 views evenly over the whole");
  ct_geometry_clear(&geometry);
  CHECK(make_scan(&geometry, &grid, 8, 16, 361, 0, 180. / 361, 0));
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error), CT_ERROR_UNSUPPORTED,
              "362 views evenly over 180 degrees");
  ct_geometry_clear(&geometry);
  CHECK(make_scan(&geometry, &grid, 8, 16, 181, 0, 1, 0)); /* 0 and 180 degrees are the same lines twice */
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error), CT_ERROR_UNSUPPORTED,
              "there are 2 at 0.0000 degrees");
  ct_geometry_clear(&geometry);

  CHECK(make_scan(&geometry, &grid, 8, 16, 72, 0, 5, 300));
  geometry.centre_u += 0.25;
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error), CT_ERROR_UNSUPPORTED,
              "0.25 columns off");
  geometry.centre_u -= 0.25;
  geometry.tilt = 0.5 * degree;
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error), CT_ERROR_UNSUPPORTED,
              "tilted by 0.5 degrees");
  geometry.tilt = 0;
  grid.x0 += 0.5 * grid.dx;
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error), CT_ERROR_UNSUPPORTED, "not centred");
  grid = ct_grid_centred(8, 9, 1, 0.8, NULL);
  CHECK_FAILS(ct_symmetry_holds(&geometry, &grid, CT_SYMMETRY_SQUARE, &error), CT_ERROR_UNSUPPORTED, "square");
  ct_geometry_clear(&geometry);
}

int main(void) {
  const ct_test tests[] = {{"the group's tables", tables},
                           {"pixels are turned as points are", pixels},
                           {"rays are turned as lines are", rays},
                           {"every ray is an image of one stored ray", every_ray_once},
                           {"rows of all models are turned", rows_of_models},
                           {"half turn alone, any views of parallel beam", inversion},
                           {"angles in single precision", single_precision},
                           {"scans without symmetry are told why", refusals}};
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
