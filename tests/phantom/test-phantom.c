/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phantoms voxelised and projected: densities at known points, masses, symmetry, agreement of the two, all beams alike
 * where they must be, linearity, thread counts, cancelling and wrong arguments. Every property runs over all phantoms.
 */
#include "recon/base/job.h"
#include "recon/phantom/phantom.h"
#include "tests/test.h"

#include <omp.h>

static double density_at(const char *id, double x, double y, double z) {
  const double point[3] = {x, y, z};
  return ct_phantom_density(ct_phantom_find(id), point);
}

static void known_densities(void) {
  CHECK_NEAR(density_at("shepp-logan", 0, 0.91, 5), 1, 1e-12);
  CHECK_NEAR(density_at("shepp-logan", 0, 0, 0), 0.2, 1e-12);
  CHECK_NEAR(density_at("shepp-logan", 0.22, 0, 0), 0, 1e-12);
  CHECK_NEAR(density_at("shepp-logan", 0, 0.35, -3), 0.3, 1e-12);
  CHECK_NEAR(density_at("shepp-logan-original", 0, -0.9, 0), 2, 1e-12);
  CHECK_NEAR(density_at("shepp-logan-original", -0.22, 0, 0), 1, 1e-12);
  CHECK_NEAR(density_at("shepp-logan-3d-original", 0, 0, 0), 1.02, 1e-12);
  CHECK_NEAR(density_at("shepp-logan-3d-original", 0, -0.0, 0.89), 2, 1e-12);
  CHECK_NEAR(density_at("shepp-logan-3d-original", -0.08, -0.65, -0.25), 1.03, 1e-12);
  CHECK_NEAR(density_at("shepp-logan-3d", 0, 0.1, 0.625), 0, 1e-12);
  CHECK_NEAR(density_at("discs", 0.6, 0, 0), 1.01, 1e-12);
  CHECK_NEAR(density_at("bars", -0.20, 0.5, 0), 1, 1e-12);
  CHECK_NEAR(density_at("bars", -0.26, 0.5, 0), 0.2, 1e-12);
  /* The square of half side 0.45 turned by 5 degrees: its right edge has moved left above the axis. */
  CHECK_NEAR(density_at("tilted-edge", 0.44, 0.3, 0), 0.2, 1e-12);
  CHECK_NEAR(density_at("tilted-edge", 0.44, -0.3, 0), 1, 1e-12);
  /* Spokes of 10 degrees, the first at 3 degrees, and gaps as wide. */
  for (int degrees = -1; degrees < 357; degrees++) {
    const double angle = (degrees + 0.5) * M_PI / 180;
    CHECK_NEAR(density_at("star", 0.6 * cos(angle), 0.6 * sin(angle), 2), (degrees + 2) % 20 < 10 ? 1 : 0.2, 1e-12);
  }
  CHECK_NEAR(density_at("star", 0.81 * cos(3 * M_PI / 180), 0.81 * sin(3 * M_PI / 180), 2), 0.2, 1e-12);
  CHECK_NEAR(density_at("insert", 0.5, 0.1, 0), 1.1, 1e-12);
  CHECK_NEAR(density_at("insert", 0.25, -0.43, 0), 0, 1e-12);
  CHECK_NEAR(density_at("head", 0, 0, 0.87), 1.8, 1e-12);
  CHECK_NEAR(density_at("head", 0, -0.18, 0.1), 1.045, 1e-12);
  CHECK_NEAR(density_at("head", 0, 0.7, 0.12), 0, 1e-12);
  CHECK(!ct_phantom_find("no-such-phantom"));
}

static void table_is_complete(void) {
  size_t count;
  const ct_phantom *phantoms = ct_phantoms(&count);
  CHECK(count >= 7);
  for (size_t i = 0; i < count; i++) {
    CHECK(ct_phantom_find(phantoms[i].id) == &phantoms[i]);
    CHECK(strlen(phantoms[i].title) > 4 && strlen(phantoms[i].explanation) > 40 && phantoms[i].count > 0);
    for (size_t s = 0; s < phantoms[i].count; s++) {
      const ct_shape *shape = &phantoms[i].shapes[s];
      for (int axis = 0; axis < 3; axis++)
        CHECK(shape->half[axis] > 0 && (axis == 2 || fabs(shape->centre[axis]) <= 1));
      /* Nothing is denser or thinner than what is physical. */
      CHECK(ct_phantom_density(&phantoms[i], shape->centre) >= -1e-12);
    }
  }
}

/* Area or volume of a shape inside |z| <= depth, in units of radius. */
static double mass_of(const ct_phantom *phantom, double depth) {
  double mass = 0;
  for (size_t i = 0; i < phantom->count; i++) {
    const ct_shape *s = &phantom->shapes[i];
    const double tall = 2 * fmin(s->half[2], depth);
    if (s->kind == CT_SHAPE_ELLIPSOID)
      mass += s->density * 4 / 3 * M_PI * s->half[0] * s->half[1] * s->half[2];
    else if (s->kind == CT_SHAPE_CYLINDER)
      mass += s->density * M_PI * s->half[0] * s->half[1] * tall;
    else
      mass += s->density * (s->kind == CT_SHAPE_WEDGE ? 2 : 4) * s->half[0] * s->half[1] * tall;
  }
  return mass;
}

/* Rays a pixel: more where a shape is hardly wider than one. */
static int sampling_of(const ct_phantom *phantom) {
  for (size_t s = 0; s < phantom->count; s++)
    if (phantom->shapes[s].half[0] < 0.05 && phantom->shapes[s].kind != CT_SHAPE_BOX && phantom->count < 10) return 16;
  return 4;
}

static void mass_of_voxels(void) {
  size_t count;
  const ct_phantom *phantoms = ct_phantoms(&count);
  const double radius = 50, mu = 0.02;
  for (size_t i = 0; i < count; i++) {
    ct_error *error = NULL;
    const ct_grid grid = ct_grid_centred(100, 100, 100, 1, NULL);
    ct_volume *volume = ct_volume_new(&grid, &error);
    CHECK_OK(volume);
    CHECK_OK(ct_phantom_voxelise(&phantoms[i], radius, mu, 4, volume, NULL, &error));
    double sum = 0;
    for (size_t v = 0; v < ct_grid_voxels(&grid); v++) sum += ct_volume_get_data(volume)[v];
    const double expected = mu * mass_of(&phantoms[i], 1) * radius * radius * radius;
    ct_volume_free(volume);
    /* Of a shape of two voxels' width some 800 points of a lattice are counted. */
    CHECK_NEAR(sum, expected, (sampling_of(&phantoms[i]) > 4 ? 1e-2 : 2e-3) * expected);
  }
}

static void mass_of_a_parallel_view(void) {
  /* Every view of a parallel beam sums to the mass, times the pitch; the detector sees all of it. */
  size_t count;
  const ct_phantom *phantoms = ct_phantoms(&count);
  const double radius = 20, mu = 0.05;
  for (size_t i = 0; i < count; i++) {
    ct_error *error = NULL;
    ct_geometry geometry;
    CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_PARALLEL, 200, 80, 7, &error));
    geometry.du = 0.25;
    geometry.dv = 0.5;
    ct_geometry_set_arc(&geometry, 0.1, 0.4);
    ct_stack *stack = ct_phantom_project(&phantoms[i], radius, mu, &geometry, sampling_of(&phantoms[i]), NULL, &error);
    CHECK_OK(stack);
    const double expected = mu * mass_of(&phantoms[i], 1) * radius * radius * radius;
    for (int view = 0; view < 7; view++) {
      double sum = 0;
      for (int p = 0; p < 200 * 80; p++) sum += ct_stack_get_view(stack, view)[p];
      CHECK_NEAR(sum * 0.25 * 0.5, expected, 1e-3 * expected);
    }
    ct_stack_free(stack);
    ct_geometry_clear(&geometry);
  }
}

static void projection_agrees_with_voxels(void) {
  /* A ray marched through the voxelised phantom against the exact integral of the smooth 3-D phantoms: at most two
   * voxels' worth of skull are misjudged at each of four borders. */
  const char *ids[] = {"shepp-logan-3d", "shepp-logan-3d-original"};
  const ct_grid grid = ct_grid_centred(80, 80, 80, 0.5, NULL);
  for (int i = 0; i < 2; i++) {
    ct_error *error = NULL;
    const ct_phantom *phantom = ct_phantom_find(ids[i]);
    ct_volume *volume = ct_volume_new(&grid, &error);
    CHECK_OK(volume);
    CHECK_OK(ct_phantom_voxelise(phantom, 20, 1, 4, volume, NULL, &error));
    double worst = 0, mean = 0;
    int rays = 0;
    for (int ray = 0; ray < 200; ray++) {
      const double t = 0.37 * ray, tilt = 0.3 * sin(ray), offset = 12 * sin(1.7 * ray);
      const double direction[3] = {-sin(t) * cos(tilt), cos(t) * cos(tilt), sin(tilt)};
      const double point[3] = {offset * cos(t), offset * sin(t), 4 * cos(2.3 * ray)};
      double sum = 0;
      const double exact = ct_phantom_line_integral(phantom, 20, point, direction);
      for (double s = -30; s < 30; s += 0.05) {
        const double at[3] = {point[0] + s * direction[0], point[1] + s * direction[1], point[2] + s * direction[2]};
        const double value = ct_volume_sample(volume, at);
        if (isfinite(value)) sum += 0.05 * value;
      }
      worst = fmax(worst, fabs(sum - exact));
      mean += sum - exact;
      rays++;
    }
    ct_volume_free(volume);
    const double skull = phantom->shapes[0].density;
    CHECK_BELOW(worst, 4 * 2 * 0.5 * skull);
    CHECK_BELOW(fabs(mean / rays), 0.05 * skull);
  }
}

static ct_stack *project(ct_beam beam, const char *id, double sod, double first, double step, int views, int nv,
                         ct_geometry *geometry, ct_error **error) {
  if (!ct_geometry_init(geometry, beam, 65, nv, views, error)) return NULL;
  geometry->du = geometry->dv = beam == CT_BEAM_PARALLEL ? 0.7 : 0.7 * 1.5;
  if (beam != CT_BEAM_PARALLEL) {
    geometry->sod = sod;
    geometry->sdd = 1.5 * sod;
  }
  ct_geometry_set_arc(geometry, first, step);
  return ct_phantom_project(ct_phantom_find(id), 20, 0.05, geometry, 1, NULL, error);
}

static void opposite_views_mirror(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  ct_stack *stack = project(CT_BEAM_PARALLEL, "shepp-logan-3d", 0, 0.3, M_PI, 2, 33, &geometry, &error);
  CHECK_OK(stack);
  const float *a = ct_stack_get_view(stack, 0), *b = ct_stack_get_view(stack, 1);
  for (int v = 0; v < 33; v++)
    for (int u = 0; u < 65; u++) CHECK_NEAR(a[v * 65 + u], b[v * 65 + 64 - u], 1e-5);
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
}

static void far_cone_is_parallel(void) {
  /* Seen from a source a million mm away the cone's rays are the parallel ones, magnified. */
  ct_error *error = NULL;
  ct_geometry p, c;
  ct_stack *parallel = project(CT_BEAM_PARALLEL, "shepp-logan-3d", 0, 0.2, 0.5, 5, 33, &p, &error);
  CHECK_OK(parallel);
  ct_stack *cone = project(CT_BEAM_CONE, "shepp-logan-3d", 1e7, 0.2, 0.5, 5, 33, &c, &error);
  CHECK_OK(cone);
  double worst = 0;
  for (int view = 0; view < 5; view++)
    for (int i = 0; i < 65 * 33; i++)
      worst = fmax(worst, fabs(ct_stack_get_view(parallel, view)[i] - ct_stack_get_view(cone, view)[i]));
  ct_stack_free(parallel);
  ct_stack_free(cone);
  ct_geometry_clear(&p);
  ct_geometry_clear(&c);
  /* Near a tangent the chord grows like a square root: rays 4e-5 mm apart may differ by 2 sqrt(2 * 20 * 4e-5) * mu. */
  CHECK_BELOW(worst, 0.05 * 2 * sqrt(2 * 20 * 4e-5));
}

static void fan_is_the_middle_of_a_cone(void) {
  ct_error *error = NULL;
  ct_geometry f, c;
  ct_stack *fan = project(CT_BEAM_FAN, "shepp-logan-3d", 100, 0, 0.5, 5, 1, &f, &error);
  CHECK_OK(fan);
  ct_stack *cone = project(CT_BEAM_CONE, "shepp-logan-3d", 100, 0, 0.5, 5, 33, &c, &error);
  CHECK_OK(cone);
  for (int view = 0; view < 5; view++)
    for (int u = 0; u < 65; u++)
      CHECK_NEAR(ct_stack_get_view(fan, view)[u], ct_stack_get_view(cone, view)[16 * 65 + u], 1e-6);
  ct_stack_free(fan);
  ct_stack_free(cone);
  ct_geometry_clear(&f);
  ct_geometry_clear(&c);
}

static void pixels_are_line_integrals(void) {
  /* With tilt, offsets and projection matrices every pixel is the line integral of its own ray: no shadow was cut off.
   */
  size_t count;
  const ct_phantom *phantoms = ct_phantoms(&count);
  for (int beam = CT_BEAM_PARALLEL; beam <= CT_BEAM_FREE; beam++)
    for (size_t i = 0; i < count; i++) {
      ct_error *error = NULL;
      ct_geometry cone, geometry;
      const int nv = beam == CT_BEAM_FAN ? 1 : 25;
      CHECK_OK(ct_geometry_init(&cone, beam == CT_BEAM_FREE ? CT_BEAM_CONE : (ct_beam)beam, 41, nv, 6, &error));
      cone.du = cone.dv = 1.9;
      cone.sod = beam == CT_BEAM_PARALLEL ? 0 : 70;
      cone.sdd = beam == CT_BEAM_PARALLEL ? 0 : 110;
      cone.centre_u = 23.3;
      if (beam != CT_BEAM_FAN) {
        cone.centre_v = 9.1;
        cone.tilt = 0.08;
      }
      ct_geometry_set_arc(&cone, 0.2, 1.1);
      if (beam == CT_BEAM_FREE) {
        CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_FREE, 41, nv, 6, &error));
        for (int view = 0; view < 6; view++) ct_geometry_matrix(&cone, view, geometry.matrices + 12 * view);
      } else {
        CHECK_OK(ct_geometry_copy(&geometry, &cone, &error));
      }
      ct_stack *stack = ct_phantom_project(&phantoms[i], 20, 0.05, &geometry, 1, NULL, &error);
      CHECK_OK(stack);
      for (int view = 0; view < 6; view++)
        for (int p = 0; p < 41 * nv; p++) {
          double point[3], direction[3];
          CHECK(ct_geometry_ray(&cone, view, p % 41, p / 41, point, direction));
          const double exact = 0.05 * ct_phantom_line_integral(&phantoms[i], 20, point, direction);
          CHECK_NEAR(ct_stack_get_view(stack, view)[p], exact, 2e-6 + 1e-6 * fabs(exact));
        }
      ct_stack_free(stack);
      ct_geometry_clear(&geometry);
      ct_geometry_clear(&cone);
    }
}

static void inside_and_border_voxels(void) {
  /* Refining changes no voxel that lies wholly inside or outside; border voxels lie between the values of their
   * corners. */
  const ct_phantom *phantom = ct_phantom_find("tilted-edge");
  const ct_grid grid = ct_grid_centred(60, 60, 1, 1, NULL);
  ct_error *error = NULL;
  ct_volume *coarse = ct_volume_new(&grid, &error), *fine = ct_volume_new(&grid, &error);
  CHECK(coarse && fine);
  CHECK_OK(ct_phantom_voxelise(phantom, 30, 1, 1, coarse, NULL, &error));
  CHECK_OK(ct_phantom_voxelise(phantom, 30, 1, 16, fine, NULL, &error));
  int borders = 0;
  for (int i = 0; i < 3600; i++) {
    const float a = ct_volume_get_data(coarse)[i], b = ct_volume_get_data(fine)[i];
    double low = INFINITY, high = -INFINITY;
    for (int corner = 0; corner < 9; corner++) {
      const double point[3] = {(grid.x0 + i % 60 + (corner % 3 - 1) * 0.5) / 30,
                               (grid.y0 + i / 60 + (corner / 3 - 1) * 0.5) / 30, 0};
      const double density = ct_phantom_density(phantom, point);
      low = fmin(low, density);
      high = fmax(high, density);
    }
    CHECK(b >= low - 1e-6 && b <= fmax(high, 1) + 1e-6);
    if (b != a) borders++;
    const double centre[3] = {(grid.x0 + i % 60) / 30, (grid.y0 + i / 60) / 30, 0};
    CHECK_NEAR(a, ct_phantom_density(phantom, centre), 1e-6);
  }
  /* The circle's perimeter is 170 mm, the square's 108 mm: some hundreds of voxels, not thousands. */
  CHECK(borders > 150 && borders < 500);
  ct_volume_free(coarse);
  ct_volume_free(fine);
}

static void threads_change_nothing(void) {
  const ct_grid grid = ct_grid_centred(40, 40, 40, 1, NULL);
  const int most = omp_get_max_threads();
  ct_error *error = NULL;
  ct_volume *volumes[2];
  ct_stack *stacks[2];
  ct_geometry geometry;
  for (int i = 0; i < 2; i++) {
    omp_set_num_threads(i ? 3 : 1);
    CHECK_OK(volumes[i] = ct_volume_new(&grid, &error));
    CHECK_OK(ct_phantom_voxelise(ct_phantom_find("shepp-logan-3d"), 20, 0.02, 3, volumes[i], NULL, &error));
    if (i) ct_geometry_clear(&geometry);
    CHECK_OK(stacks[i] = project(CT_BEAM_CONE, "shepp-logan-3d", 100, 0, 0.5, 9, 33, &geometry, &error));
    ct_add_photon_noise(stacks[i], 1e4, 42);
  }
  omp_set_num_threads(most);
  CHECK(!memcmp(ct_volume_get_data(volumes[0]), ct_volume_get_data(volumes[1]), ct_volume_bytes(volumes[0])));
  CHECK(!memcmp(ct_stack_data(stacks[0]), ct_stack_data(stacks[1]), ct_stack_bytes(stacks[0])));
  for (int i = 0; i < 2; i++) {
    ct_volume_free(volumes[i]);
    ct_stack_free(stacks[i]);
  }
  ct_geometry_clear(&geometry);
}

static void cancelled(void) {
  const ct_grid grid = ct_grid_centred(20, 20, 20, 1, NULL);
  ct_error *error = NULL;
  ct_geometry geometry;
  ct_job *job = ct_job_new(&error);
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK(job && volume);
  CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_PARALLEL, 10, 10, 10, &error));
  ct_job_cancel(job);
  CHECK_FAILS(ct_phantom_voxelise(ct_phantom_find("discs"), 9, 1, 2, volume, job, &error), CT_ERROR_CANCELLED, "");
  CHECK_FAILS(ct_phantom_project(ct_phantom_find("discs"), 9, 1, &geometry, 1, job, &error), CT_ERROR_CANCELLED, "");
  ct_geometry_clear(&geometry);
  ct_volume_free(volume);
  ct_job_free(job);
}

static void progress_counts_views(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  ct_progress progress;
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_PARALLEL, 10, 10, 37, &error));
  ct_stack *stack = ct_phantom_project(ct_phantom_find("discs"), 9, 1, &geometry, 1, job, &error);
  CHECK_OK(stack);
  ct_job_get_progress(job, &progress);
  CHECK(progress.stage == CT_STAGE_SIMULATING && progress.done == 37 && progress.total == 37);
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
  ct_job_free(job);
}

static void wrong_arguments(void) {
  const ct_grid grid = ct_grid_centred(4, 4, 4, 1, NULL);
  const ct_phantom *discs = ct_phantom_find("discs");
  ct_error *error = NULL;
  ct_geometry geometry;
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_PARALLEL, 4, 4, 4, &error));
  CHECK_FAILS(ct_phantom_voxelise(discs, 0, 1, 1, volume, NULL, &error), CT_ERROR_ARGUMENT, "radius");
  CHECK_FAILS(ct_phantom_voxelise(discs, NAN, 1, 1, volume, NULL, &error), CT_ERROR_ARGUMENT, "radius");
  CHECK_FAILS(ct_phantom_voxelise(discs, 1, INFINITY, 1, volume, NULL, &error), CT_ERROR_ARGUMENT, "attenuation");
  CHECK_FAILS(ct_phantom_voxelise(discs, 1, 1, 0, volume, NULL, &error), CT_ERROR_ARGUMENT, "sub-sampling");
  CHECK_FAILS(ct_phantom_project(discs, -3, 1, &geometry, 1, NULL, &error), CT_ERROR_ARGUMENT, "radius");
  CHECK_FAILS(ct_phantom_project(discs, 3, 1, &geometry, 65, NULL, &error), CT_ERROR_ARGUMENT, "1..64");
  geometry.du = 0;
  CHECK_FAILS(ct_phantom_project(discs, 3, 1, &geometry, 1, NULL, &error), CT_ERROR_ARGUMENT, "");
  ct_geometry_clear(&geometry);
  ct_volume_free(volume);
}

static const ct_test tests[] = {
    {"densities at known points", known_densities},
    {"every phantom has its words and possible densities", table_is_complete},
    {"the voxels sum to the phantom's mass", mass_of_voxels},
    {"every parallel view sums to the phantom's mass", mass_of_a_parallel_view},
    {"rays through the voxels agree with exact integrals", projection_agrees_with_voxels},
    {"opposite parallel views mirror each other", opposite_views_mirror},
    {"a cone from far away is parallel", far_cone_is_parallel},
    {"a fan is the middle row of a cone", fan_is_the_middle_of_a_cone},
    {"every pixel is the line integral of its ray, for all beams", pixels_are_line_integrals},
    {"only voxels at borders are averages", inside_and_border_voxels},
    {"the number of threads changes no bit", threads_change_nothing},
    {"a cancelled job stops both", cancelled},
    {"progress counts views", progress_counts_views},
    {"wrong arguments are refused with a message", wrong_arguments},
};
CT_TEST_MAIN(tests)
