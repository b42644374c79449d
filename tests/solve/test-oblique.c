/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Oblique planes on demand: equal to slices where they are aligned, to the back-projection formula in any pose, to the
 * phantom within the bounds of whole slices; the same cut out of volumes, finished and in the making. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"

static const double degree = M_PI / 180;
static const simulation small_cone = {CT_BEAM_CONE, 48, 40, 60, 360, 1.3, "shepp-logan-3d"};
static const simulation small_parallel = {CT_BEAM_PARALLEL, 48, 40, 60, 180, 1.3, "shepp-logan-3d"};
static const simulation small_fan = {CT_BEAM_FAN, 64, 1, 90, 360, 0, "shepp-logan"};

/* As projection matrices: the same scan of free views. */
static ct_scan *free_scan(const simulation *s, ct_error **error) {
  ct_geometry g, free_views;
  if (!sim_geometry(s, &g)) return NULL;
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s->phantom), sim_radius, sim_mu, &g, 1, NULL, error);
  ct_scan *scan = NULL;
  if (stack && ct_geometry_init(&free_views, CT_BEAM_FREE, g.nu, g.nv, g.views, error)) {
    free_views.du = g.du, free_views.dv = g.dv;
    for (int view = 0; view < g.views; view++) ct_geometry_matrix(&g, view, free_views.matrices + 12 * (size_t)view);
    scan = ct_scan_new_memory(&free_views, stack, CT_VALUES_LINE_INTEGRALS, "simulated", error);
    ct_geometry_clear(&free_views);
  }
  ct_geometry_clear(&g);
  return scan;
}

static bool bench_open(bench *b, const simulation *s, bool matrices, ct_error **error) {
  if (!bench_take(b, matrices ? free_scan(s, error) : sim_scan(s, error), error)) return false;
  if (!matrices) b->plan.centre_method = CT_CENTRE_SCAN;
  /* The phantom reaches beyond one side by a fraction of a pixel: the filtered views shall be as wide as the scan's. */
  b->plan.filter.redundancy = CT_REDUNDANCY_FULL;
  return ct_pipeline_prepare(b->pipeline, &b->plan, NULL, error);
}

static float *new_plane(const ct_oblique *o) {
  return ct_alloc_zero(ct_oblique_pixels(o), sizeof(float), "a plane", NULL);
}

static double relative_rmse(const float *a, const float *b, size_t count) {
  double difference = 0, power = 0;
  for (size_t i = 0; i < count; i++) {
    difference += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    power += (double)b[i] * (double)b[i];
  }
  return power > 0 ? sqrt(difference / power) : INFINITY;
}

static void aligned_planes_are_slices(void) {
  static const simulation *const cases[] = {&small_cone, &small_parallel, &small_cone};
  static const double angles[3][2] = {{0, 0}, {0, 90}, {90, 90}};
  for (int c = 0; c < 3; c++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, cases[c], c == 2, &error));
    const ct_grid grid = ct_pipeline_get_facts(b.pipeline)->grid;
    for (int plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++) {
      int count;
      ct_grid_plane_size(&grid, (ct_plane)plane, NULL, NULL, &count);
      const int index = count / 2 + 3;
      const double at = ct_grid_plane_position(&grid, (ct_plane)plane, index);
      const ct_oblique o =
          ct_oblique_through(&grid, (double[]){at, at, at}, angles[plane][0] * degree, angles[plane][1] * degree);
      float *oblique = new_plane(&o), *slice = new_plane(&o);
      CHECK_OK(ct_pipeline_oblique(b.pipeline, &b.plan, &o, oblique, NULL, &error));
      CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, (ct_plane)plane, index, slice, NULL, &error));
      CHECK_BELOW(relative_rmse(oblique, slice, ct_oblique_pixels(&o)), 1e-5);
      ct_free(oblique);
      ct_free(slice);
    }
    bench_close(&b);
  }
}

/* The sum over all views of q(u, v) / w^2, straight from the formula. */
static double formula(const ct_geometry *g, const ct_stack *filtered, const double point[3]) {
  double sum = 0;
  for (int view = 0; view < g->views; view++) {
    double m[12], u, v, w;
    ct_geometry_matrix(g, view, m);
    ct_project(m, point, &u, &v, &w);
    const int first_u = (int)floor(u), first_v = (int)floor(v);
    for (int k = 0; k < 4; k++) {
      const int a = first_u + (k & 1), b = first_v + (k >> 1);
      if (!(w > 0) || a < 0 || a >= g->nu || b < 0 || b >= g->nv) continue;
      sum += (1 - fabs(u - a)) * (1 - fabs(v - b)) * (double)ct_stack_get_view(filtered, view)[b * g->nu + a] / (w * w);
    }
  }
  return sum;
}

/* Level, lying on its side, and rolled about its normal; with the circle of the mask and without. */
static void planes_of_any_pose_follow_the_formula(void) {
  static const simulation *const cases[] = {&small_cone, &small_parallel, &small_cone};
  for (int c = 0; c < 3; c++)
    for (int roll = 0; roll < 3; roll++) {
      bench b;
      ct_error *error = NULL;
      CHECK_OK(bench_open(&b, cases[c], c == 2, &error));
      b.plan.mask = roll == 1;
      const ct_grid grid = ct_pipeline_get_facts(b.pipeline)->grid;
      const double radius = ct_geometry_field_radius(ct_pipeline_get_facts(b.pipeline)->geometry);
      const double turn = roll * 45 * degree;
      ct_oblique o = ct_oblique_turned((double[]){4, -7, 11}, 37 * degree, 58 * degree, 3.1, 71, 67);
      for (int k = 0; k < 3; k++) {
        const double across = o.across[k], up = o.up[k];
        o.across[k] = cos(turn) * across + sin(turn) * up;
        o.up[k] = cos(turn) * up - sin(turn) * across;
      }
      float *got = new_plane(&o), *want = new_plane(&o);
      CHECK_OK(ct_pipeline_oblique(b.pipeline, &b.plan, &o, got, NULL, &error));
      int seen = 0;
      for (int j = 0; j < o.height; j++) {
        int first, end;
        ct_oblique_row_within(&o, &grid, j, &first, &end);
        for (int i = first; i < end; i++) {
          double p[3];
          ct_oblique_point(&o, i, j, p);
          if (b.plan.mask && hypot(p[0], p[1]) > radius) continue;
          want[j * o.width + i] =
              (float)formula(ct_pipeline_get_facts(b.pipeline)->geometry, ct_pipeline_get_filtered(b.pipeline), p);
          seen++;
        }
      }
      CHECK(seen > 1000 && seen < 71 * 67);
      CHECK_BELOW(relative_rmse(got, want, ct_oblique_pixels(&o)), 1e-5);
      b.plan.threads = 3;
      CHECK_OK(ct_pipeline_oblique(b.pipeline, &b.plan, &o, want, NULL, &error));
      CHECK(!memcmp(got, want, ct_oblique_pixels(&o) * sizeof *got));
      ct_free(got);
      ct_free(want);
      bench_close(&b);
    }
}

static bool near_edge(const ct_phantom *phantom, const ct_oblique *o, int i, int j, double margin) {
  double p[3];
  ct_oblique_point(o, i, j, p);
  const double middle =
      ct_phantom_density(phantom, (double[]){p[0] / sim_radius, p[1] / sim_radius, p[2] / sim_radius});
  for (int n = 0; n < 125; n++) {
    const double q[3] = {(p[0] + (n % 5 - 2) * margin / 2) / sim_radius,
                         (p[1] + (n / 5 % 5 - 2) * margin / 2) / sim_radius,
                         (p[2] + (n / 25 - 2) * margin / 2) / sim_radius};
    if (fabs(ct_phantom_density(phantom, q) - middle) > 1e-9) return true;
  }
  return false;
}

/* Root mean square error against the phantom away from edges, as a part of the skull's density. The mid-region of a
 * cone beam of small opening; a tilted plane leaves it, where Feldkamp's formula is an approximation. */
static void phantom_is_found(void) {
  static const simulation cases[] = {{CT_BEAM_PARALLEL, 128, 96, 240, 180, 0, "shepp-logan-3d"},
                                     {CT_BEAM_CONE, 128, 96, 240, 360, 0, "shepp-logan-3d"}};
  for (int c = 0; c < 2; c++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, &cases[c], false, &error));
    const ct_grid grid = ct_pipeline_get_facts(b.pipeline)->grid;
    const ct_phantom *phantom = ct_phantom_find(cases[c].phantom);
    const ct_oblique o = ct_oblique_through(&grid, (double[]){5, -3, 0}, 30 * degree, 25 * degree);
    float *plane = new_plane(&o);
    CHECK_OK(ct_pipeline_oblique(b.pipeline, &b.plan, &o, plane, NULL, &error));
    double sum = 0, got = 0, want = 0;
    int count = 0;
    const double range = sim_mu * phantom->shapes[0].density;
    for (int j = 0; j < o.height; j += 2)
      for (int i = 0; i < o.width; i += 2) {
        double p[3];
        ct_oblique_point(&o, i, j, p);
        const double truth =
            sim_mu * ct_phantom_density(phantom, (double[]){p[0] / sim_radius, p[1] / sim_radius, p[2] / sim_radius});
        if (!(truth > 0) || fabs(p[2]) > 40 || near_edge(phantom, &o, i, j, 3 * grid.dx)) continue;
        const double d = (double)plane[j * o.width + i] - truth;
        sum += d * d, got += (double)plane[j * o.width + i], want += truth;
        count++;
      }
    CHECK(count > 500);
    CHECK_BELOW(sqrt(sum / count) / range, 0.02);
    CHECK_NEAR(got / want, 1, 0.02);
    ct_free(plane);
    bench_close(&b);
  }
}

/* A plane is that of a volume of half the voxel size, but for the blur of the interpolation there, which a smooth
 * filter keeps small. */
static void volumes_hold_the_same_plane(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_cone, false, &error));
  const ct_grid coarse = ct_pipeline_get_facts(b.pipeline)->grid;
  b.plan.filter.window = CT_WINDOW_HANN;
  ct_plan fine = b.plan;
  fine.nx = 2 * coarse.nx, fine.ny = 2 * coarse.ny, fine.nz = 2 * coarse.nz;
  fine.voxel = fine.voxel_z = 0.5 * coarse.dx;
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &fine, NULL, NULL, &error);
  CHECK_OK(volume);
  const ct_oblique o = ct_oblique_through(&coarse, (double[]){5, -3, 8}, 30 * degree, 25 * degree);
  float *demand = new_plane(&o), *cut = new_plane(&o);
  CHECK_OK(ct_pipeline_oblique(b.pipeline, &b.plan, &o, demand, NULL, &error));
  ct_volume_copy_oblique(volume, &o, cut);
  CHECK_BELOW(relative_rmse(cut, demand, ct_oblique_pixels(&o)), 0.02);
  ct_free(demand);
  ct_free(cut);
  ct_volume_free(volume);
  bench_close(&b);
}

typedef struct {
  ct_oblique oblique;
  float *plane;
  int calls;
  bool failed;
} watcher;

static void watch(void *user, const ct_partial *partial) {
  watcher *w = user;
  w->calls++;
  w->failed |= !ct_partial_read_oblique(partial, &w->oblique, w->plane, NULL);
}

/* Kernels that keep the volume in a layout of their own are read slice by slice. */
static void volumes_in_the_making_show_the_plane(void) {
  static const char *const kernels[] = {"auto", "chen-transpose"};
  for (int c = 0; c < 2; c++) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open(&b, &small_cone, false, &error));
    snprintf(b.plan.kernel, sizeof b.plan.kernel, "%s", kernels[c]);
    b.plan.mask = 0;
    b.plan.batch = 20;
    const ct_grid grid = ct_pipeline_get_facts(b.pipeline)->grid;
    watcher w = {.oblique = ct_oblique_through(&grid, (double[]){5, -3, 8}, 30 * degree, 65 * degree)};
    w.plane = new_plane(&w.oblique);
    const ct_publisher publisher = {&w, watch};
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
    CHECK_OK(volume);
    CHECK(w.calls == 3 && !w.failed);
    float *want = new_plane(&w.oblique);
    ct_volume_copy_oblique(volume, &w.oblique, want);
    CHECK_BELOW(relative_rmse(w.plane, want, ct_oblique_pixels(&w.oblique)), 1e-6);
    ct_free(want);
    ct_free(w.plane);
    ct_volume_free(volume);
    bench_close(&b);
  }
}

static void fans_turn_in_their_plane(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &small_fan, false, &error));
  ct_oblique o = ct_oblique_turned((double[]){6, 2, 0}, 30 * degree, 0, 2, 60, 50);
  float *got = new_plane(&o), *want = new_plane(&o);
  CHECK_OK(ct_pipeline_oblique(b.pipeline, &b.plan, &o, got, NULL, &error));
  const double radius = ct_geometry_field_radius(ct_pipeline_get_facts(b.pipeline)->geometry);
  for (int n = 0; n < 3000; n++) {
    double p[3];
    ct_oblique_point(&o, n % 60, n / 60, p);
    if (!b.plan.mask || hypot(p[0], p[1]) <= radius)
      want[n] = (float)formula(ct_pipeline_get_facts(b.pipeline)->geometry, ct_pipeline_get_filtered(b.pipeline), p);
  }
  CHECK_BELOW(relative_rmse(got, want, 3000), 1e-5);
  o = ct_oblique_turned((double[]){6, 2, 0}, 30 * degree, 5 * degree, 2, 60, 50);
  CHECK_FAILS(ct_pipeline_oblique(b.pipeline, &b.plan, &o, got, NULL, &error), CT_ERROR_UNSUPPORTED, "fan beam");
  o.up[2] = 3;
  CHECK_FAILS(ct_pipeline_oblique(b.pipeline, &b.plan, &o, got, NULL, &error), CT_ERROR_ARGUMENT, "length 1");
  ct_free(got);
  ct_free(want);
  bench_close(&b);
}

static const ct_test tests[] = {
    {"aligned planes are slices", aligned_planes_are_slices},
    {"planes of any pose follow the formula, whatever the threads", planes_of_any_pose_follow_the_formula},
    {"the phantom is found on a tilted plane", phantom_is_found},
    {"fine volumes hold the same plane", volumes_hold_the_same_plane},
    {"volumes in the making show the plane", volumes_in_the_making_show_the_plane},
    {"fans turn in their plane", fans_turn_in_their_plane},
};
CT_TEST_MAIN(tests)
