/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted filtered back-projection of spirals: the loops against the formula in double precision, balls whose means
 * have to be right at every pitch, planes against volumes, and what is refused. */
#include "tests/solve/spheres.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/geom/spiral.h"
#include "recon/solve/spiral/stage.h"

#include <string.h>

static bool make_spiral(ct_geometry *g, int nv, double turns, double feed) {
  if (!ct_geometry_init(g, CT_BEAM_CONE, 36, nv, (int)(50 * turns), NULL)) return false;
  g->du = 2;
  g->dv = 2.5;
  g->sod = 200;
  g->sdd = 330;
  g->centre_u += 0.7;
  g->centre_v += 0.4;
  ct_geometry_set_arc(g, 0.4, 2 * M_PI / 50);
  ct_geometry_set_feed(g, feed, ct_geometry_centred_start(g, feed));
  return true;
}

/* By the formula of spiral.h, linear between rows and columns, rows repeated beyond the outermost; *updates counts the
 * views that see the point. */
static double value_at(const ct_geometry *g, const ct_stack *stack, const double point[3], double *updates) {
  ct_spiral_views views;
  ct_spiral_arrange(g, &views);
  double total = 0;
  bool seen = true;
  for (int group = 0; group < views.groups; group++) {
    double sum = 0, weight = 0;
    for (int k = 0; group + k * views.groups < views.count; k++) {
      const double theta = views.first + (group + k * views.groups) * M_PI / views.groups,
                   p = point[0] * cos(theta) + point[1] * sin(theta),
                   along = -point[0] * sin(theta) + point[1] * cos(theta), fan = asin(p / g->sod),
                   height = g->height + g->feed * (theta + fan) / (2 * M_PI),
                   slope = (point[2] - height) / (g->sod * cos(fan) + along),
                   v = g->centre_v + slope * g->sdd / (cos(fan) * g->dv), j = p / views.pitch + views.centre;
      if (!(v > -0.5 && v < g->nv - 0.5) || j < 0 || j >= views.columns - 1) continue;
      const double q = fabs(v - 0.5 * (g->nv - 1)) / (0.5 * g->nv), t = fmin((1 - q) / 0.4, 1), w = t * t * (3 - 2 * t);
      double value = 0;
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
          const int row = (int)floor(v) + a, column = (int)floor(j) + b;
          const double share = (a ? v - floor(v) : 1 - v + floor(v)) * (b ? j - floor(j) : 1 - j + floor(j));
          value += share * (double)ct_stack_get_view(stack, group)[(k * g->nv + (row < 0           ? 0
                                                                                 : row < g->nv - 1 ? row
                                                                                                   : g->nv - 1)) *
                                                                       views.columns +
                                                                   column];
        }
      sum += w * value;
      weight += w;
      ++*updates;
    }
    seen = seen && weight > 0;
    if (seen) total += sum / weight;
  }
  return seen ? total : 0;
}

static ct_stack *random_stack(ct_sorted_size size) {
  ct_stack *stack = ct_stack_new(size.nu, size.nv, size.views, NULL);
  unsigned seed = 7;
  for (size_t n = 0; stack && n < (size_t)size.nu * (size_t)size.nv * (size_t)size.views; n++) {
    seed = seed * 1664525u + 1013904223u;
    ct_stack_data(stack)[n] = (float)(seed >> 8) / (1 << 24);
  }
  return stack;
}

static ct_volume *back_project(const ct_geometry *g, const ct_stack *stack, const ct_grid *grid, int threads, int batch,
                               ct_job *job, ct_error **error) {
  const ct_bp_request request = {
      .geometry = g, .grid = *grid, .interp = CT_INTERP_LINEAR, .threads = threads, .batch = batch};
  const int groups = ct_stack_views(stack);
  ct_volume *volume = ct_volume_new(grid, error);
  ct_bp_state *state = ct_spiral_kernel.prepare(&ct_spiral_kernel, &request, error);
  bool good = volume && state;
  for (int at = 0; good && at < groups; at += batch) {
    const float *projections[64];
    int order[64];
    const int count = groups - at < batch ? groups - at : batch;
    for (int n = 0; n < count; n++) order[n] = at + n, projections[n] = ct_stack_get_view(stack, at + n);
    good = ct_spiral_kernel.run(
        state, &(ct_bp_batch){.count = count, .views = order, .projections = projections, .first = at == 0}, volume,
        job, error);
  }
  ct_spiral_kernel.free(state);
  if (good) return volume;
  ct_volume_free(volume);
  return NULL;
}

/* Fine, coarse and one voxel high, of rows that a vector holds in one register to none. */
static void test_formula(void) {
  static const double heights[] = {1, 3.7, 14};
  for (int n = 0; n < 6; n++) {
    ct_geometry g;
    ct_error *error = NULL;
    CHECK(make_spiral(&g, 9 + 11 * (n & 1), 3.3, n & 1 ? -31 : 12.5));
    CHECK_OK(ct_spiral_serves(&g, &error));
    ct_stack *stack = random_stack(ct_sorted_size_of(&g));
    const ct_spiral_cover cover = ct_spiral_covers(&g, ct_geometry_field_radius(&g));
    const double dz = heights[n / 2], middle[3] = {2, -3, 0.5 * (cover.low + cover.high)};
    ct_grid grid = ct_grid_centred(19, 6, (int)((cover.high - cover.low) / dz) + 3, 2.2, middle);
    grid.z0 += 0.5 * (grid.nz - 1) * (grid.dz - dz);
    grid.dz = dz;
    ct_volume *volume = back_project(&g, stack, &grid, 2, 64, NULL, &error), *again = NULL;
    CHECK_OK(volume);
    double worst = 0, updates = 0;
    int zeros = 0;
    for (int k = 0; k < grid.nz; k++)
      for (int j = 0; j < grid.ny; j++)
        for (int i = 0; i < grid.nx; i++) {
          const double point[3] = {grid.x0 + i * grid.dx, grid.y0 + j * grid.dy, grid.z0 + k * grid.dz},
                       value = value_at(&g, stack, point, &updates),
                       found = (double)ct_volume_get_data(volume)[(k * grid.ny + j) * grid.nx + i];
          /* Far from the axis, columns with a gap are 0. */
          if (found != 0 || hypot(point[0], point[1]) < ct_geometry_field_radius(&g))
            worst = fmax(worst, fabs(found - value));
          zeros += value == 0;
        }
    CHECK_BELOW(worst, 1e-5 * 0.5 * ct_stack_views(stack));
    CHECK_NEAR(ct_spiral_updates(CT_SPIRAL_WEIGHTED, &g, &grid), updates, 1e-6 * updates);
    CHECK(zeros > 0 && zeros < grid.nx * grid.ny * grid.nz / 2);
    /* Threads change nothing, batches the order of sums alone. */
    for (int m = 0; m < 2; m++) {
      again = back_project(&g, stack, &grid, 1, m ? 7 : 64, NULL, &error);
      CHECK_OK(again);
      for (size_t i = 0; i < ct_grid_voxels(&grid); i++)
        CHECK_NEAR(ct_volume_get_data(again)[i], ct_volume_get_data(volume)[i], m ? 1e-4 : 0);
      ct_volume_free(again);
    }
    ct_volume_free(volume);
    ct_stack_free(stack);
    ct_geometry_clear(&g);
  }
}

static void test_spheres(void) {
  static const struct {
    double pitch, turns;
    int balls;
  } scans[] = {{0.3, 6, 5}, {0.9, 3, 5}, {-1.3, 2, 5}, {1.65, 2, 5}};
  for (size_t n = 0; n < sizeof scans / sizeof *scans; n++) {
    spheres s;
    ct_error *error = NULL;
    int balls;
    CHECK_OK(spheres_open(&s, scans[n].pitch, scans[n].turns, &error));
    ct_volume *volume = ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error);
    CHECK_OK(volume);
    CHECK_BELOW(worst_mean(volume, &s.simulation, &balls), 0.01);
    CHECK(balls >= scans[n].balls);
    /* All of its directions, which are fewer than the scan's views: nothing was finished early. */
    const ct_pipeline_facts *facts = ct_pipeline_get_facts(s.b.pipeline);
    CHECK(facts->views_taken == facts->views_all && facts->views_all < facts->geometry->views);
    CHECK(!ct_warnings_find(facts->warnings, CT_WARNING_ARC));
    ct_volume_free(volume);
    bench_close(&s.b);
  }
}

static void test_planes(void) {
  spheres s;
  ct_error *error = NULL;
  CHECK_OK(spheres_open(&s, 1.1, 2, &error));
  s.b.plan.nz = 80; /* more than is covered */
  ct_volume *volume = ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  const ct_warning *told = ct_warnings_find(ct_pipeline_get_facts(s.b.pipeline)->warnings, CT_WARNING_ARC);
  CHECK(told && strstr(told->text, "from all sides"));
  const ct_grid g = *ct_volume_grid(volume);
  const float *data = ct_volume_get_data(volume);
  float *plane = ct_alloc((size_t)g.nx * 80, sizeof *plane, "a plane", NULL);
  CHECK(plane && data[(size_t)(g.nz - 1) * (size_t)(g.nx * g.ny) + (size_t)(g.nx * g.ny / 2 + g.nx / 2)] == 0);
  for (int p = CT_AXIAL; p <= CT_SAGITTAL; p++) {
    int width, height, index = p == CT_AXIAL ? g.nz / 2 : 30;
    ct_grid_plane_size(&g, (ct_plane)p, &width, &height, NULL);
    CHECK_OK(ct_pipeline_slice(s.b.pipeline, &s.b.plan, (ct_plane)p, index, plane, NULL, &error));
    double most = 0;
    for (int b = 0; b < height; b++)
      for (int a = 0; a < width; a++) {
        const int i = p == CT_SAGITTAL ? index : a,
                  j = p == CT_AXIAL     ? b
                      : p == CT_CORONAL ? index
                                        : a,
                  k = p == CT_AXIAL ? index : b;
        CHECK_NEAR(plane[b * width + a], data[(k * g.ny + j) * g.nx + i], 3e-6);
        most = fmax(most, plane[b * width + a]);
      }
    CHECK(most > 0.01);
  }
  const ct_oblique oblique = ct_oblique_through(&g, (const double[3]){0, 0, 0}, 0.3, 0.4);
  float *out = ct_alloc(ct_oblique_pixels(&oblique), sizeof *out, "a plane", NULL);
  CHECK_FAILS(ct_pipeline_oblique(s.b.pipeline, &s.b.plan, &oblique, out, NULL, &error), CT_ERROR_UNSUPPORTED,
              "cut out of its volume");
  ct_free(out);
  ct_free(plane);
  ct_volume_free(volume);
  bench_close(&s.b);
}

/* A view of the scan is found among the sorted ones in its direction, and what is said to be its rows before the filter
 * becomes, filtered, what the pipeline makes of it. */
static void test_places(void) {
  ct_geometry g, seen;
  ct_error *error = NULL;
  ct_spiral_views views;
  const ct_filter_options options = {.window = CT_WINDOW_RAM_LAK, .cutoff = 1, .threads = 1};
  CHECK(make_spiral(&g, 12, 3, 20) && ct_spiral_arrange(&g, &views));
  ct_stack *integrals = random_stack((ct_sorted_size){g.nu, g.nv, g.views});
  ct_filtering *filtering = ct_filtering_new(&g, &options, &seen, &error);
  CHECK_OK(filtering);
  const ct_sorted_size size = ct_filtered_size(&seen, CT_SPIRAL_WEIGHTED);
  const size_t pixels = (size_t)size.nu * (size_t)size.nv;
  float *before = ct_alloc(pixels, sizeof *before, "a group", NULL),
        *after = ct_alloc(pixels, sizeof *after, "a group", NULL),
        *again = ct_alloc(pixels, sizeof *again, "a group", NULL);
  CHECK(integrals && before && after && again);
  for (int view = 20; view < g.views - 20; view += 37) {
    const ct_filtered_place place = ct_filtered_find(&seen, view);
    const int parallel = place.view + place.row0 / g.nv * views.groups;
    CHECK(place.rows == g.nv && place.row0 % g.nv == 0 && place.row0 < size.nv);
    CHECK_BELOW(fabs(views.first + parallel * M_PI / views.groups - g.angles[view]), 0.51 * M_PI / views.groups);
    ct_filtering_sort(filtering, integrals, place.view, before);
    const float *in = before;
    CHECK_OK(ct_filtering_apply(filtering, integrals, &place.view, 1, &in, &after, &error));
    memcpy(again, before, pixels * sizeof *again);
    in = again;
    ct_filter *filter = NULL;
    ct_geometry parallel_views;
    CHECK(ct_sorted_geometry(&g, &parallel_views, &error) &&
          (filter = ct_filter_new(&parallel_views, &options, &error)));
    CHECK_OK(ct_filter_apply(filter, &place.view, 1, &in, &again, &error));
    for (size_t n = 0; n < pixels; n++) CHECK_NEAR((double)again[n], (double)after[n], 1e-6);
    ct_filter_free(filter);
    ct_geometry_clear(&parallel_views);
  }
  ct_free(before);
  ct_free(after);
  ct_free(again);
  ct_stack_free(integrals);
  ct_filtering_free(filtering);
  ct_geometry_clear(&seen);
  ct_geometry_clear(&g);
}

/* Each with what would do; an iterative method serves what is refused. */
static void test_refusals(void) {
  spheres s;
  ct_error *error = NULL;
  int balls;
  CHECK_OK(spheres_open(&s, 1.9, 2, &error));
  CHECK_FAILS(ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error), CT_ERROR_UNSUPPORTED, "gaps beyond");
  s.b.plan.iterative.method = CT_METHOD_CGLS;
  s.b.plan.iterative.iterations = 20;
  ct_volume *volume = ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  CHECK_BELOW(worst_mean(volume, &s.simulation, &balls), 0.05);
  CHECK(balls == 5);
  ct_volume_free(volume);
  bench_close(&s.b);
  CHECK_OK(spheres_open(&s, 1, 2, &error));
  check_refusals(&s, "half a turn");
  bench_close(&s.b);
  ct_geometry g;
  CHECK(make_spiral(&g, 20, 2, 15));
  g.centre_u = 8;
  CHECK_FAILS(ct_spiral_serves(&g, &error), CT_ERROR_UNSUPPORTED, "displaced");
  g.centre_u = 17.5;
  g.angles[40] += 0.2;
  CHECK_FAILS(ct_spiral_serves(&g, &error), CT_ERROR_UNSUPPORTED, "even");
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"the loops give what the formula gives, on any grid", test_formula},
    {"means of balls are right at every pitch", test_spheres},
    {"planes are those of the volume, and what is not seen is 0", test_planes},
    {"a view is found among the sorted ones, before and behind the filter", test_places},
    {"what cannot be served is refused in words, or iterated", test_refusals},
};
CT_TEST_MAIN(tests)
