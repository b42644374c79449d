/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line integrals of every phantom, in every beam, against sums of its density along rays written anew here. */
#include "recon/phantom/phantom.h"
#include "tests/test.h"

#include <math.h>

/* The density along a ray, summed without the shapes' formulas: halved where it changes, down to rounding. */
typedef struct {
  const ct_phantom *phantom;
  double source[3], direction[3], radius;
} walk;

static double density_along(const walk *w, double s) {
  double point[3];
  for (int axis = 0; axis < 3; axis++) point[axis] = (w->source[axis] + s * w->direction[axis]) / w->radius;
  return ct_phantom_density(w->phantom, point);
}

static double sum_along(const walk *w, const double s[2], const double density[2], int halvings) {
  const double length = s[1] - s[0], middle = 0.5 * (s[0] + s[1]);
  if (fabs(density[0] - density[1]) < 1e-12 || !halvings) return 0.5 * length * (density[0] + density[1]);
  const double there = density_along(w, middle);
  return sum_along(w, (double[]){s[0], middle}, (double[]){density[0], there}, halvings - 1) +
         sum_along(w, (double[]){middle, s[1]}, (double[]){there, density[1]}, halvings - 1);
}

/* The ray of a pixel as recon/geom/geometry.h states it: source at (SOD sin t, -SOD cos t, 0), detector's middle
 * opposite.
 */
static void set_ray(walk *w, const ct_geometry *g, double t, int u, int v) {
  const bool parallel = g->beam == CT_BEAM_PARALLEL;
  const double sod = parallel ? 100 : g->sod, odd = parallel ? 100 : g->sdd - g->sod,
               across = (u - 0.5 * (g->nu - 1)) * g->du, up = (v - 0.5 * (g->nv - 1)) * g->dv;
  const double beside = parallel ? across : 0, above = parallel ? up : 0;
  const double from[3] = {sod * sin(t) + beside * cos(t), -sod * cos(t) + beside * sin(t), above},
               to[3] = {-odd * sin(t) + across * cos(t), odd * cos(t) + across * sin(t), up};
  double length = 0;
  for (int axis = 0; axis < 3; axis++) length += (to[axis] - from[axis]) * (to[axis] - from[axis]);
  for (int axis = 0; axis < 3; axis++) {
    w->source[axis] = from[axis];
    w->direction[axis] = (to[axis] - from[axis]) / sqrt(length);
  }
}

static double sum_of_density(const walk *w) {
  enum { PARTS = 4000 }; /* a gap narrower than a part goes unseen: where the star's spokes meet they are fine */
  double at = 0, sum = 0;
  for (int axis = 0; axis < 3; axis++) at -= w->source[axis] * w->direction[axis];
  const double reach = 1.8 * w->radius;
  double s[2] = {at - reach, at - reach}, density[2] = {0, density_along(w, at - reach)};
  for (int part = 1; part <= PARTS; part++) {
    s[0] = s[1], density[0] = density[1];
    s[1] = at + reach * (2.0 * part / PARTS - 1);
    density[1] = density_along(w, s[1]);
    sum += sum_along(w, s, density, 40);
  }
  return sum;
}

/* The column whose ray comes nearest to the first shape's axis: a wire is thinner than the columns are apart. */
static int aim(const ct_phantom *phantom, const ct_geometry *g, double t) {
  const double x = 20 * phantom->shapes->centre[0], y = 20 * phantom->shapes->centre[1];
  const double across = x * cos(t) + y * sin(t), along = y * cos(t) - x * sin(t),
               scale = g->beam == CT_BEAM_PARALLEL ? 1 : g->sdd / (g->sod + along);
  return (int)lround(across * scale / g->du + 0.5 * (g->nu - 1));
}

/* Every phantom in every beam. */
static void rays_are_sums_of_density(void) {
  size_t count;
  const ct_phantom *phantoms = ct_phantoms(&count);
  for (size_t i = 0; i < count; i++) {
    double worst = 0, largest = 0;
    for (int beam = CT_BEAM_PARALLEL; beam <= CT_BEAM_CONE; beam++) {
      ct_geometry g;
      ct_error *error = NULL;
      const int nv = beam == CT_BEAM_FAN ? 1 : 33;
      CHECK_OK(ct_geometry_init(&g, (ct_beam)beam, 65, nv, 3, &error));
      g.du = g.dv = beam == CT_BEAM_PARALLEL ? 0.7 : 1.05;
      g.sod = beam == CT_BEAM_PARALLEL ? 0 : 70;
      g.sdd = 1.5 * g.sod;
      ct_geometry_set_arc(&g, 0.23, 1.1);
      ct_stack *stack = ct_phantom_project(&phantoms[i], 20, 0.05, &g, 1, NULL, &error);
      CHECK_OK(stack);
      for (int view = 0; view < 3; view++)
        for (int ray = 0; ray < 5; ray++) {
          const double t = 0.23 + 1.1 * view;
          const int u = ray == 2 ? aim(&phantoms[i], &g, t) : 7 + 12 * ray + 2 * view,
                    v = nv == 1 ? 0 : 5 + 5 * ray + view;
          walk w = {.phantom = &phantoms[i], .radius = 20};
          set_ray(&w, &g, t, u, v);
          const double sum = 0.05 * sum_of_density(&w);
          worst = fmax(worst, fabs(sum - (double)ct_stack_get_view(stack, view)[v * 65 + u]));
          largest = fmax(largest, fabs(sum));
        }
      ct_stack_free(stack);
      ct_geometry_clear(&g);
    }
    printf("# %s: %.1e of the largest, %.3g\n", phantoms[i].id, worst / largest, largest);
    CHECK(largest > 0);
    CHECK_BELOW(worst, 1e-7 * largest);
  }
}

static const ct_test tests[] = {
    {"line integrals are sums of the density along rays", rays_are_sums_of_density},
};

CT_TEST_MAIN(tests)
