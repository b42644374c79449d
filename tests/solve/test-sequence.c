/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequences: each position as the circular scan that it is, balls whose means have to be right, slice after slice of a
 * single row, planes against volumes, what no position sees, and what is refused. */
#include "tests/solve/spheres.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/geom/sequence.h"
#include "recon/solve/spiral/stage.h"

#include <string.h>

static ct_volume *volume_of(spheres *s, ct_error **error) {
  return ct_pipeline_volume(s->b.pipeline, &s->b.plan, NULL, NULL, error);
}

static const ct_warning *arc_warning(const spheres *s) {
  return ct_warnings_find(ct_pipeline_get_facts(s->b.pipeline)->warnings, CT_WARNING_ARC);
}

static void test_circles(void) {
  spheres s;
  ct_error *error = NULL;
  CHECK_OK(spheres_open_sequence(&s, 0.5, 3, &error));
  ct_volume *volume = volume_of(&s, &error);
  CHECK_OK(volume);
  CHECK(!arc_warning(&s));
  const ct_grid all = *ct_volume_grid(volume);
  const double step = s.simulation.table_step;
  ct_plan *plan = &s.b.plan;
  for (int position = 0; position < 3; position++) {
    /* The turn alone, its volume about its source: rows from end to end of the detector are read. */
    plan->view_first = position * s.simulation.views;
    plan->view_count = s.simulation.views;
    plan->table_step = 0;
    ct_volume *circle = volume_of(&s, &error);
    CHECK_OK(circle);
    const ct_grid *own = ct_volume_grid(circle);
    int compared = 0;
    double worst = 0;
    for (int k = 0; k < all.nz; k++) {
      const double z = all.z0 + k * all.dz - step * (position - 1), place = (z - own->z0) / own->dz;
      const int slice = (int)rint(place);
      if (fabs(z) > 0.49 * step || fabs(place - slice) > 1e-6) continue;
      const size_t count = (size_t)all.nx * (size_t)all.ny;
      const float *a = ct_volume_get_data(volume) + (size_t)k * count,
                  *b = ct_volume_get_data(circle) + (size_t)slice * count;
      for (size_t i = 0; i < count; i++) worst = fmax(worst, fabs((double)a[i] - (double)b[i]));
      compared++;
    }
    CHECK(compared == 16);
    CHECK_BELOW(worst, 1e-6);
    ct_volume_free(circle);
  }
  ct_volume_free(volume);
  bench_close(&s.b);
}

static void test_spheres(void) {
  static const struct {
    double pitch;
    int positions, nv;
  } scans[] = {{0.3, 8, 32}, {0.8, 4, 32}, {-0.8, 4, 32}, {1, 1, 48}};
  for (size_t n = 0; n < sizeof scans / sizeof *scans; n++) {
    spheres s;
    ct_error *error = NULL;
    int balls;
    ct_simulation *m = spheres_init(&s);
    m->nv = scans[n].nv;
    m->table_step = spheres_feed(m, scans[n].pitch);
    m->positions = scans[n].positions;
    CHECK_OK(spheres_take(&s, &error));
    ct_volume *volume = volume_of(&s, &error);
    CHECK_OK(volume);
    CHECK_BELOW(worst_mean(volume, m, &balls), 0.01);
    CHECK(balls == 5);
    const ct_pipeline_facts *facts = ct_pipeline_get_facts(s.b.pipeline);
    CHECK(facts->views_taken == m->views && facts->geometry->views == m->views * m->positions);
    CHECK(strstr(facts->kernel_why, "sequence"));
    ct_volume_free(volume);
    bench_close(&s.b);
  }
}

/* Two slices for the height of a row (the lecture's effective thickness), made as fans are: each is the slice of the
 * balls at its height, averaged over the row. */
static void test_single_rows(void) {
  spheres s;
  ct_error *error = NULL;
  int balls;
  ct_simulation *m = spheres_init(&s);
  m->nv = 1;
  m->sub = 3;
  m->table_step = 0.5 * m->pixel * m->sod / m->sdd;
  m->positions = 72;
  m->views = 90;
  CHECK_OK(spheres_take(&s, &error));
  ct_volume *volume = volume_of(&s, &error);
  CHECK_OK(volume);
  const ct_grid grid = *ct_volume_grid(volume);
  CHECK(grid.nz == 72 && fabs(grid.dz - m->table_step) < 1e-9 && grid.nx == 64);
  CHECK_BELOW(worst_mean(volume, m, &balls), 0.01);
  CHECK(balls == 5);
  CHECK(!arc_warning(&s));
  ct_volume_free(volume);
  bench_close(&s.b);
}

static void test_planes(void) {
  spheres s;
  ct_error *error = NULL;
  CHECK_OK(spheres_open_sequence(&s, 1.5, 2, &error)); /* with a gap */
  ct_volume *volume = volume_of(&s, &error);
  CHECK_OK(volume);
  CHECK(arc_warning(&s) && strstr(arc_warning(&s)->text, "no position"));
  const ct_grid g = *ct_volume_grid(volume);
  const float *data = ct_volume_get_data(volume);
  float *plane = ct_alloc((size_t)g.nx * (size_t)g.nz + (size_t)g.nx * (size_t)g.ny, sizeof *plane, "a plane", NULL);
  CHECK(plane && g.nz == 80);
  double seen = 0, missed = 0;
  for (int k = 0; k < g.nz; k++) {
    const double value = fabs((double)data[((size_t)k * (size_t)g.ny + (size_t)g.ny / 2) * (size_t)g.nx + 31]);
    if (fabs(g.z0 + k * g.dz) < 16)
      missed = fmax(missed, value);
    else
      seen = fmax(seen, value);
  }
  CHECK(missed == 0 && seen > 0);
  for (int p = CT_AXIAL; p <= CT_SAGITTAL; p++) {
    int width, height, index = p == CT_AXIAL ? 50 : 47;
    double most = 0;
    ct_grid_plane_size(&g, (ct_plane)p, &width, &height, NULL);
    CHECK_OK(ct_pipeline_slice(s.b.pipeline, &s.b.plan, (ct_plane)p, index, plane, NULL, &error));
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

/* Every position has the same views when it ends early. */
static void test_early_end(void) {
  spheres s;
  ct_error *error = NULL;
  int balls;
  CHECK_OK(spheres_open_sequence(&s, 0.8, 4, &error));
  s.b.plan.finish_after = 100;
  ct_volume *volume = volume_of(&s, &error);
  CHECK_OK(volume);
  CHECK_BELOW(worst_mean(volume, &s.simulation, &balls), 0.02);
  CHECK(balls == 5 && ct_pipeline_get_facts(s.b.pipeline)->views_taken == 100);
  ct_volume_free(volume);
  bench_close(&s.b);
}

/* A view of the scan stands in the stack of its angle where it is looked for, filtered as the circle's that it is of.
 */
static void test_places(void) {
  spheres s;
  ct_geometry g, seen, circle;
  ct_sequence turns;
  ct_error *error = NULL;
  const ct_filter_options options = {.window = CT_WINDOW_RAM_LAK, .cutoff = 1, .threads = 1};
  ct_simulation *m = spheres_init(&s);
  m->views = 8;
  m->table_step = spheres_feed(m, 0.8);
  m->positions = 3;
  CHECK_OK(ct_simulation_geometry(m, &g, &error));
  CHECK(ct_sequence_of(&g, &turns, &error) && ct_sequence_circle(&g, &turns, 0, &circle, &error));
  ct_stack *integrals = ct_stack_new(g.nu, g.nv, g.views, &error);
  ct_filtering *filtering = ct_filtering_new(&g, &options, &seen, &error);
  ct_filter *filter = ct_filter_new(&circle, &options, &error);
  CHECK(integrals && filtering && filter && ct_filtering_get_filter(filtering));
  const ct_sorted_size size = ct_filtered_size(&seen, CT_SPIRAL_WEIGHTED);
  const size_t pixels = (size_t)g.nv * (size_t)g.nu, all = (size_t)size.nv * (size_t)size.nu;
  float *view = ct_alloc(pixels, sizeof *view, "a view", NULL), *stack = ct_alloc(all, sizeof *stack, "views", NULL);
  CHECK(view && stack && size.nu == g.nu);
  for (size_t i = 0; i < pixels * (size_t)g.views; i++) ct_stack_data(integrals)[i] = (float)sin(0.7 * (double)i);
  for (int n = 0; n < g.views; n += 5) {
    const ct_filtered_place place = ct_filtered_find(&seen, n);
    ct_filtering_sort(filtering, integrals, n, view);
    const float *in = view;
    CHECK(place.view == n % 8 && place.rows == g.nv && place.row0 + g.nv <= size.nv);
    CHECK_OK(ct_filtering_apply(filtering, integrals, &place.view, 1, &in, &stack, &error));
    CHECK_OK(ct_filter_apply(filter, &place.view, 1, &in, &view, &error));
    for (size_t i = 0; i < pixels; i++)
      CHECK_NEAR((double)stack[(size_t)place.row0 * (size_t)g.nu + i], (double)view[i], 1e-6);
  }
  ct_free(view);
  ct_free(stack);
  ct_filter_free(filter);
  ct_filtering_free(filtering);
  ct_stack_free(integrals);
  ct_geometry_clear(&circle);
  ct_geometry_clear(&seen);
  ct_geometry_clear(&g);
}

static void test_refusals(void) {
  spheres s;
  ct_error *error = NULL;
  int balls;
  CHECK_OK(spheres_open_sequence(&s, 0.8, 4, &error));
  refuses(&s, "scan.view_count", "700", "no whole number of turns");
  ct_plan plan = s.b.plan;
  plan.feed = 20;
  plan.table_step = 20;
  CHECK_FAILS(ct_pipeline_volume(s.b.pipeline, &plan, NULL, NULL, &error), CT_ERROR_ARGUMENT, "one of them");
  /* What is said to be a spiral is one. */
  plan.table_step = NAN;
  ct_geometry g;
  CHECK_OK(ct_plan_geometry(&plan, s.b.scan, &g, &error));
  CHECK(g.feed == 20 && !g.stops);
  ct_geometry_clear(&g);
  /* The named kernel makes the positions; an iterative method takes any views. */
  snprintf(s.b.plan.kernel, sizeof s.b.plan.kernel, "voxel-loop");
  s.b.plan.nx = 16;
  ct_volume *volume = volume_of(&s, &error);
  CHECK_OK(volume);
  CHECK(strstr(ct_pipeline_get_facts(s.b.pipeline)->kernel_why, "by voxel-loop"));
  ct_volume_free(volume);
  s.b.plan.nx = CT_AUTO_INT;
  snprintf(s.b.plan.kernel, sizeof s.b.plan.kernel, "auto");
  s.b.plan.view_count = 700;
  s.b.plan.iterative.method = CT_METHOD_CGLS;
  s.b.plan.iterative.iterations = 12;
  volume = volume_of(&s, &error);
  CHECK_OK(volume);
  CHECK_BELOW(worst_mean(volume, &s.simulation, &balls), 0.05);
  CHECK(balls == 5);
  ct_volume_free(volume);
  bench_close(&s.b);
}

static const ct_test tests[] = {
    {"each position is the circular scan that it is", test_circles},
    {"means of balls are right at every table step", test_spheres},
    {"single rows make slice after slice", test_single_rows},
    {"planes are those of the volume, and what no position sees is 0", test_planes},
    {"an early end leaves every position the same views", test_early_end},
    {"a view is found among the filtered ones", test_places},
    {"what cannot be served is refused in words, or iterated", test_refusals},
};
CT_TEST_MAIN(tests)
