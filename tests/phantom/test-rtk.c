/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The 3-D Shepp-Logan's table and line integrals against another toolkit's projections of the same phantom
 * ($GANTRY_DATA/rtk): 100 mm, densities 2, -0.98, ..., point rays. Its rotation axis is y, ours is z: its (x, y, z) is
 * our (x, -z, y), which leaves gantry angles, u and v as they are. It lays the y of Kak and Slaney's table along its z,
 * which is our -y: its phantom is the mirror image of ours. Mirroring the gantry too (angle t becomes pi - t, u becomes
 * -u) undoes that. */
#include "recon/phantom/phantom.h"
#include "tests/test.h"

enum { SIDE = 128, VIEWS = 180 };

/* Uncompressed float32 MetaImage: the numbers stand at the end of the file. */
static float *read_tail(const char *path, size_t count) {
  FILE *file = fopen(path, "rb");
  float *data = malloc(count * sizeof *data);
  const bool read = file && data && !fseek(file, -(long)(count * sizeof *data), SEEK_END) &&
                    fread(data, sizeof *data, count, file) == count;
  if (file) fclose(file);
  if (read) return data;
  free(data);
  return NULL;
}

static void line_integrals(void) {
  const char *path = ct_test_data("rtk/A_projections.mha");
  ct_error *error = NULL;
  ct_geometry geometry;
  if (!path) SKIP("rtk/A_projections.mha is not at hand");
  const size_t frame = (size_t)SIDE * SIDE;
  float *theirs = read_tail(path, frame * VIEWS);
  CHECK(theirs);
  CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_CONE, SIDE, SIDE, VIEWS, &error));
  geometry.du = geometry.dv = 3.2;
  geometry.sod = 1000;
  geometry.sdd = 1536;
  ct_geometry_set_arc(&geometry, M_PI, -2 * M_PI / VIEWS);
  ct_stack *ours = ct_phantom_project(ct_phantom_find("shepp-logan-3d-original"), 100, 1, &geometry, 1, NULL, &error);
  CHECK_OK(ours);
  double largest = 0, difference = 0;
  for (int view = 0; view < VIEWS; view++)
    for (int v = 0; v < SIDE; v++)
      for (int u = 0; u < SIDE; u++) {
        const double a = ct_stack_get_view(ours, view)[v * SIDE + SIDE - 1 - u];
        const double b = theirs[(size_t)view * frame + (size_t)v * SIDE + (size_t)u];
        largest = fmax(largest, fabs(b));
        difference = fmax(difference, fabs(a - b));
      }
  free(theirs);
  ct_stack_free(ours);
  ct_geometry_clear(&geometry);
  CHECK(largest > 50);
  CHECK_BELOW(difference, 1e-6 * largest);
}

static const ct_test tests[] = {
    {"line integrals agree with RTK's to float rounding", line_integrals},
};
CT_TEST_MAIN(tests)
