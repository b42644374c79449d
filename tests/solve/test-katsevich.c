/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Katsevich's filter: the back-projection against the formula in double precision, balls whose means have to be right
 * in both directions of the table, planes against volumes, and what is refused. */
#include "tests/solve/spheres.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/spiral/katsevich.h"
#include "recon/solve/spiral/stage.h"

#include <string.h>

static bool make_spiral(ct_geometry *g, int nv, double feed, double step) {
  if (!ct_geometry_init(g, CT_BEAM_CONE, 31, nv, 140, NULL)) return false;
  g->du = 2.4;
  g->dv = 2.2;
  g->sod = 190;
  g->sdd = 310;
  g->centre_u += 0.3;
  g->centre_v -= 0.6;
  ct_geometry_set_arc(g, -0.7, step);
  ct_geometry_set_feed(g, feed, ct_geometry_centred_start(g, feed));
  return true;
}

/* Heights of the Tam window's ends at an angle, by the neighbouring turns of the source that stand behind them: the
 * line from the source through (x, y) meets the helix's cylinder again at an angle between 0 and 2 pi on, and before.
 */
static void window_at(const ct_geometry *g, double t, const double point[3], double ends[2]) {
  const double away = g->sod - point[0] * sin(t) + point[1] * cos(t),
               fan = atan((point[0] * cos(t) + point[1] * sin(t)) / away), h = g->feed / (2 * M_PI),
               chord = 2 * g->sod * cos(fan), on = hypot(away, away * tan(fan)) / chord;
  ends[0] = g->height + h * (t + on * (M_PI - 2 * fan));
  ends[1] = g->height + h * (t - on * (M_PI + 2 * fan));
}

/* Share of the stretch from one view to the next in which the end, rising as a line, is on the other side of z. */
static double share_of(double before, double behind, double z, bool lower) {
  const double t = fmin(fmax((z - before) / (behind - before), 0), 1);
  return lower ? t : 1 - t;
}

static double pixel_of(const ct_stack *stack, const ct_katsevich_views *v, int m, double j, double row) {
  const int nu = ct_stack_nu(stack), left = (int)fmin(fmax(floor(j), 0), nu - 2);
  const double part = fmin(fmax(j - left, 0), 1);
  double value = 0;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      const double at = floor(row) + a, clamped = fmin(fmax(at, 0), v->rows - 1);
      const size_t place = (size_t)(m / v->groups * v->rows + (int)clamped) * (size_t)nu + (size_t)(left + b);
      value += (a ? row - floor(row) : 1 - row + floor(row)) * (b ? part : 1 - part) *
               (double)ct_stack_get_view(stack, m % v->groups)[place];
    }
  return value;
}

/* Step 6 of katsevich.h; *updates counts the views of which the point takes half and more. */
static double value_at(const ct_geometry *g, const ct_stack *stack, const double p[3], double *updates) {
  const ct_katsevich_views v = ct_katsevich_arrange(g);
  const bool back = g->angles[1] < g->angles[0];
  double sum = 0;
  for (int m = 0; m < v.count; m++) {
    const double from = g->angles[back ? g->views - 1 - m : m], to = g->angles[back ? g->views - 2 - m : m + 1],
                 t = 0.5 * (from + to), away = g->sod - p[0] * sin(t) + p[1] * cos(t),
                 height = g->height + g->feed * t / (2 * M_PI),
                 j = g->centre_u + (p[0] * cos(t) + p[1] * sin(t)) / away * g->sdd / g->du,
                 row = g->centre_v + (p[2] - height) / away * g->sdd / g->dv - v.row0;
    double before[2], behind[2];
    window_at(g, from, p, before);
    window_at(g, to, p, behind);
    const double share = share_of(before[0], behind[0], p[2], false) * share_of(before[1], behind[1], p[2], true);
    if (share >= 0.5) ++*updates;
    if (share > 0) sum += share / away * pixel_of(stack, &v, m, j, row);
  }
  return sum;
}

static ct_stack *random_stack(ct_sorted_size size) {
  ct_stack *stack = ct_stack_new(size.nu, size.nv, size.views, NULL);
  unsigned seed = 11;
  for (size_t n = 0; stack && n < (size_t)size.nu * (size_t)size.nv * (size_t)size.views; n++) {
    seed = seed * 1664525u + 1013904223u;
    ct_stack_data(stack)[n] = (float)(seed >> 8) / (1 << 24);
  }
  return stack;
}

static ct_volume *back_project(const ct_geometry *g, const ct_stack *stack, const ct_grid *grid, int threads, int batch,
                               ct_error **error) {
  const ct_bp_kernel *kernel = &ct_katsevich_kernel;
  const ct_bp_request request = {
      .geometry = g, .grid = *grid, .interp = CT_INTERP_LINEAR, .threads = threads, .batch = batch};
  const int groups = ct_stack_views(stack);
  ct_volume *volume = ct_volume_new(grid, error);
  ct_bp_state *state = kernel->prepare(kernel, &request, error);
  bool good = volume && state;
  for (int at = 0; good && at < groups; at += batch) {
    const float *projections[64];
    int order[64];
    const int count = groups - at < batch ? groups - at : batch;
    for (int n = 0; n < count; n++) order[n] = at + n, projections[n] = ct_stack_get_view(stack, at + n);
    good =
        kernel->run(state, &(ct_bp_batch){.count = count, .views = order, .projections = projections, .first = at == 0},
                    volume, NULL, error);
  }
  kernel->free(state);
  if (good) return volume;
  ct_volume_free(volume);
  return NULL;
}

/* Up and down, turning either way, of rows that a vector holds in one register to none. */
static void test_formula(void) {
  static const struct {
    double feed, step, dz;
    int nv;
  } scans[] = {{31, 0.12, 0.9, 35}, {-31, 0.12, 3.1, 33}, {24, -0.12, 11, 33}, {-13, -0.11, 0.7, 20}};
  for (size_t n = 0; n < sizeof scans / sizeof *scans; n++) {
    ct_geometry g;
    ct_error *error = NULL;
    CHECK(make_spiral(&g, scans[n].nv, scans[n].feed, scans[n].step));
    CHECK_OK(ct_katsevich_serves(&g, &error));
    const double radius = ct_geometry_field_radius(&g);
    const ct_spiral_cover cover = ct_katsevich_covers(&g, radius);
    ct_stack *stack = random_stack(ct_katsevich_size_of(&g));
    const double dz = scans[n].dz, middle[3] = {1, -2, 0.5 * (cover.low + cover.high)};
    ct_grid grid = ct_grid_centred(15, 5, (int)((cover.high - cover.low) / dz) + 8, 3.1, middle);
    grid.z0 += 0.5 * (grid.nz - 1) * (grid.dz - dz);
    grid.dz = dz;
    ct_volume *volume = back_project(&g, stack, &grid, 2, 64, &error);
    CHECK_OK(volume);
    double worst = 0, most = 0, made = 0;
    int seen = 0, hidden = 0;
    for (int k = 0; k < grid.nz; k++)
      for (int j = 0; j < grid.ny; j++)
        for (int i = 0; i < grid.nx; i++) {
          const double point[3] = {grid.x0 + i * grid.dx, grid.y0 + j * grid.dy, grid.z0 + k * grid.dz},
                       found = (double)ct_volume_get_data(volume)[(k * grid.ny + j) * grid.nx + i];
          double updates = 0;
          const double value = value_at(&g, stack, point, &updates);
          if (point[2] > cover.low && point[2] < cover.high && hypot(point[0], point[1]) < radius) CHECK(found != 0);
          if (hypot(point[0], point[1]) < radius) made += updates;
          if (found == 0 && ++hidden) continue;
          worst = fmax(worst, fabs(found - value));
          most = fmax(most, fabs(found));
          seen++;
        }
    CHECK_BELOW(worst, 1e-5 * most);
    CHECK(4 * seen > hidden && hidden > 0);
    CHECK_NEAR(ct_spiral_updates(CT_SPIRAL_KATSEVICH, &g, &grid), made, 0.01 * made);
    /* Threads change nothing, batches the order of sums alone. */
    for (int m = 0; m < 2; m++) {
      ct_volume *again = back_project(&g, stack, &grid, 1, m ? 7 : 64, &error);
      CHECK_OK(again);
      for (size_t i = 0; i < ct_grid_voxels(&grid); i++)
        CHECK_NEAR(ct_volume_get_data(again)[i], ct_volume_get_data(volume)[i], m ? 1e-5 * most : 0);
      ct_volume_free(again);
    }
    ct_volume_free(volume);
    ct_stack_free(stack);
    ct_geometry_clear(&g);
  }
}

static void test_spheres(void) {
  static const struct { double pitch, turns; } scans[] = {{0.45, 5}, {-0.45, 5}, {1.5, 2.6}, {-1.5, 2.6}};
  for (size_t n = 0; n < sizeof scans / sizeof *scans; n++) {
    spheres s;
    ct_error *error = NULL;
    int balls;
    CHECK_OK(spheres_open(&s, scans[n].pitch, scans[n].turns, &error));
    CHECK_OK(ct_plan_set_text(&s.b.plan, "filter.spiral", "katsevich", &error));
    ct_volume *volume = ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error);
    CHECK_OK(volume);
    CHECK_BELOW(worst_mean(volume, &s.simulation, &balls), 0.01);
    CHECK(balls == 5);
    const ct_pipeline_facts *facts = ct_pipeline_get_facts(s.b.pipeline);
    CHECK(facts->views_taken == facts->views_all && facts->views_all < facts->geometry->views);
    CHECK(!strcmp(facts->kernel->id, "katsevich") && !ct_warnings_find(facts->warnings, CT_WARNING_ARC) &&
          !ct_warnings_find(facts->warnings, CT_WARNING_SETTING));
    ct_volume_free(volume);
    bench_close(&s.b);
  }
}

static void test_planes(void) {
  spheres s;
  ct_error *error = NULL;
  CHECK_OK(spheres_open(&s, -1.1, 2, &error));
  s.b.plan.filter.spiral = CT_SPIRAL_KATSEVICH;
  s.b.plan.nz = 74; /* more than is covered */
  ct_volume *volume = ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error);
  CHECK_OK(volume);
  const ct_warning *told = ct_warnings_find(ct_pipeline_get_facts(s.b.pipeline)->warnings, CT_WARNING_ARC);
  CHECK(told && strstr(told->text, "Tam window"));
  const ct_grid g = *ct_volume_grid(volume);
  const float *data = ct_volume_get_data(volume);
  float *plane = ct_alloc((size_t)g.nx * 74, sizeof *plane, "a plane", NULL);
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
  /* A third of the directions shows the same means, but for streaks. */
  int balls;
  s.b.plan.finish_after = ct_pipeline_get_facts(s.b.pipeline)->views_all / 3;
  ct_volume *some = ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error);
  CHECK_OK(some);
  CHECK_BELOW(worst_mean(some, &s.simulation, &balls), 0.03);
  CHECK(ct_pipeline_get_facts(s.b.pipeline)->views_taken == s.b.plan.finish_after);
  ct_volume_free(some);
  ct_free(plane);
  ct_volume_free(volume);
  bench_close(&s.b);
}

static void test_refusals(void) {
  spheres s;
  ct_error *error = NULL;
  CHECK_OK(spheres_open(&s, 1.9, 2, &error));
  s.b.plan.filter.spiral = CT_SPIRAL_KATSEVICH;
  CHECK_FAILS(ct_pipeline_volume(s.b.pipeline, &s.b.plan, NULL, NULL, &error), CT_ERROR_UNSUPPORTED, "Tam window");
  bench_close(&s.b);
  CHECK_OK(spheres_open(&s, 1, 2, &error));
  s.b.plan.filter.spiral = CT_SPIRAL_KATSEVICH;
  check_refusals(&s, "nowhere");
  refuses(&s, "filter.window", "none", "filter.spiral");
  bench_close(&s.b);
}

static const ct_test tests[] = {
    {"the back-projection gives what the formula gives, up and down", test_formula},
    {"means of balls are right in both directions of the table", test_spheres},
    {"planes are those of the volume, and what is not seen whole is 0", test_planes},
    {"what cannot be served is refused in words", test_refusals},
};
CT_TEST_MAIN(tests)
