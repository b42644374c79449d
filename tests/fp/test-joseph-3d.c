/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every projector that serves Joseph's model in three dimensions, against the textbook one: cone beam with shifted and
 * odd grids, cut off, steep and oblong, parallel beam between slices, projection matrices; transposes, blocks, threads.
 */
#include "recon/fp/projectors-private.h"
#include "tests/fp/checks-3d.h"
#include "tests/fp/squares.h"
#include "tests/test.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/phantom/phantom.h"

/* Those that make rows of a whole matrix are tested with the stored ones. */
static bool is_meant(const ct_projector *projector, const ct_projector_request *request) {
  return projector != &ct_projector_textbook && !projector->stored && ct_projector_accepts(projector, request, NULL);
}

static bool for_all(checker *check, const char **scene_name, char *fault, size_t room, ct_error **error) {
  size_t count;
  const ct_projector *const *all = ct_projectors(&count);
  bool good = true;
  for (int n = 0; good && n < scene_count; n++) {
    staged stage;
    *scene_name = scenes[n].name;
    good = set_stage(&stage, &scenes[n], error);
    float *forward = good ? ct_alloc(stage.rays, sizeof(float), "rays", error) : NULL;
    float *back = good ? ct_alloc(stage.image, sizeof(float), "an image", error) : NULL;
    good = forward && back;
    for (size_t p = 0; good && p < count; p++)
      if (is_meant(all[p], &stage.request)) good = check(all[p], &stage, forward, back, fault, room, error);
    ct_free(forward);
    ct_free(back);
    clear_stage(&stage);
  }
  return good;
}

#define FOR_ALL(check)                                                                                                 \
  do {                                                                                                                 \
    char fault[256] = "no words";                                                                                      \
    const char *name = "";                                                                                             \
    ct_error *error = NULL;                                                                                            \
    if (!for_all(check, &name, fault, sizeof fault, &error))                                                           \
      CT_TEST_END(1, "scene “%s”: %s", name, error ? error->message : fault);                                          \
  } while (0)

static void test_textbook(void) {
  FOR_ALL(agrees);
}

static void test_blocks(void) {
  FOR_ALL(takes_blocks);
}

static bool is_steady(const ct_projector *projector, const staged *stage, float *forward, float *back, char *fault,
                      size_t room, ct_error **error) {
  ct_projector_request request = stage->request;
  float *forward1 = ct_alloc(stage->rays, sizeof *forward1, "rays", error),
        *back1 = ct_alloc(stage->image, sizeof *back1, "an image", error);
  bool good = forward1 && back1;
  request.threads = 1;
  good = good && apply(projector, &request, NULL, 0, stage->x, stage->y, forward1, back1, error);
  request.threads = 3;
  good = good && apply(projector, &request, NULL, 0, stage->x, stage->y, forward, back, error);
  if (good && memcmp(forward, forward1, stage->rays * sizeof *forward))
    good = FAULT("%s: A x hangs on threads", projector->id);
  if (good && memcmp(back, back1, stage->image * sizeof *back))
    good = FAULT("%s: A^T y hangs on threads", projector->id);
  ct_free(forward1);
  ct_free(back1);
  return good;
}

static void test_threads(void) {
  FOR_ALL(is_steady);
}

static void test_padding(void) {
  FOR_ALL(keeps_padding);
}

/* What Eq. 9 of Yu et al. and ART divide by. */
static bool knows_squares(const ct_projector *projector, const staged *stage, float *forward, float *back, char *fault,
                          size_t room, ct_error **error) {
  if (!projector->row_squares) return FAULT("%s does not know the squares of its rows", projector->id);
  float *expected = ct_alloc(stage->rays, sizeof *expected, "rays", error);
  bool good = expected && take_squares(&ct_projector_textbook, &stage->request, expected, error);
  if (good && !take_squares(projector, &stage->request, forward, error))
    good = FAULT("%s: padding of the squares", projector->id);
  const double off = good ? difference(forward, expected, stage->rays) : 0;
  if (getenv("CT_TEST_SHOW")) printf("# %s: squares %.2g\n", projector->id, off);
  if (!(off <= 1e-6)) good = FAULT("%s: sums of squares off by %.3g", projector->id, off);
  ct_free(expected);
  return good;
}

static void test_squares(void) {
  FOR_ALL(knows_squares);
}

/* Every scene has a matched projector besides the textbook one. */
static void test_served(void) {
  for (int n = 0; n < scene_count; n++) {
    ct_error *error = NULL;
    ct_geometry geometry;
    CHECK_OK(prepare_geometry(&geometry, &scenes[n], &error));
    const ct_projector_request request = {.geometry = &geometry, .grid = grid_of(&scenes[n]), .threads = 1};
    const ct_projector *chosen = ct_projector_choose("auto", true, &request, NULL, 0, &error);
    CHECK_OK(chosen != NULL);
    CHECK(chosen != &ct_projector_textbook && chosen->matched);
    ct_geometry_clear(&geometry);
  }
}

/* A scan seen from above in every view: no in-plane direction is left. */
static void test_refusals(void) {
  ct_error *error = NULL;
  ct_geometry geometry;
  CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_FREE, 16, 16, 2, &error));
  for (int view = 0; view < 2; view++)
    memcpy(geometry.matrices + 12 * view, (double[12]){1, 0, 0, 7.5, 0, 1, 0, 7.5, 0, 0, 0, 1}, 12 * sizeof(double));
  ct_projector_request request = {.geometry = &geometry, .grid = ct_grid_centred(8, 8, 8, 1, NULL), .threads = 1};
  CHECK_FAILS(ct_projector_accepts(&ct_projector_joseph_3d_general, &request, &error), CT_ERROR_UNSUPPORTED,
              "along the rotation axis");
  CHECK_FAILS(ct_projector_accepts(&ct_projector_joseph_3d[0], &request, &error), CT_ERROR_UNSUPPORTED, "rows");
  ct_geometry_clear(&geometry);
  CHECK_OK(ct_geometry_init(&geometry, CT_BEAM_CONE, 16, 16, 2, &error));
  geometry.sod = 20, geometry.sdd = 30, geometry.tilt = 0.1;
  request.geometry = &geometry;
  CHECK_FAILS(ct_projector_accepts(&ct_projector_joseph_3d[0], &request, &error), CT_ERROR_UNSUPPORTED,
              "parallel to the rotation axis");
  geometry.tilt = 0, geometry.sod = 4;
  CHECK_FAILS(ct_projector_accepts(&ct_projector_joseph_3d[0], &request, &error), CT_ERROR_UNSUPPORTED,
              "source outside the volume");
  ct_geometry_clear(&geometry);
}

/* Unmatched pairs come near the transpose for smooth data. */
static void test_smooth(void) {
  ct_error *error = NULL;
  staged stage;
  CHECK_OK(set_stage(&stage, &scenes[0], &error));
  for (size_t n = 0; n < stage.rays; n++) stage.y[n] = 1;
  CHECK_OK(apply(&ct_projector_textbook, &stage.request, NULL, 0, stage.x, stage.y, stage.forward, stage.back, &error));
  size_t count;
  const ct_projector *const *all = ct_projectors(&count);
  float *back = ct_alloc(stage.image, sizeof *back, "an image", &error);
  for (size_t p = 0; p < count; p++) {
    if (all[p]->matched || !is_meant(all[p], &stage.request)) continue;
    CHECK_OK(apply(all[p], &stage.request, NULL, 0, stage.x, stage.y, stage.forward, back, &error));
    if (getenv("CT_TEST_SHOW")) printf("# %s: %.3g\n", all[p]->id, difference(back, stage.back, stage.image));
    CHECK_BELOW(difference(back, stage.back, stage.image), 0.03);
  }
  ct_free(back);
  clear_stage(&stage);
}

/* A voxelised phantom is projected as its shapes are, but for the voxels. */
static void test_phantom(void) {
  ct_error *error = NULL;
  const scene s = {"phantom", CT_BEAM_CONE, 64, 64, 6,  1,   1,   200, 300, 0, 0, 0,
                   5,         360,          64, 64, 64, 0.6, 0.6, 0.6, 0,   0, 0};
  staged stage;
  CHECK_OK(set_stage(&stage, &s, &error));
  const ct_phantom *phantom = ct_phantom_find("shepp-logan-3d");
  ct_volume *volume = ct_volume_new(&stage.request.grid, &error);
  CHECK_OK(volume && ct_phantom_voxelise(phantom, 18, 0.02, 4, volume, NULL, &error));
  ct_stack *exact = ct_phantom_project(phantom, 18, 0.02, &stage.geometry, 4, NULL, &error);
  CHECK_OK(exact != NULL);
  size_t count;
  const ct_projector *const *all = ct_projectors(&count);
  for (size_t p = 0; p < count; p++) {
    if (!is_meant(all[p], &stage.request)) continue;
    CHECK_OK(
        apply(all[p], &stage.request, NULL, 0, ct_volume_get_data(volume), stage.y, stage.forward, stage.back, &error));
    const double off = difference(stage.forward, ct_stack_data(exact), stage.rays);
    if (getenv("CT_TEST_SHOW")) printf("# %s: %.3g\n", all[p]->id, off);
    CHECK_BELOW(off, 0.05); /* the skull is two voxels thick */
    double sum = 0, wanted = 0;
    for (size_t n = 0; n < stage.rays; n++) sum += stage.forward[n], wanted += ct_stack_data(exact)[n];
    CHECK_NEAR(sum / wanted, 1, 0.005);
  }
  ct_stack_free(exact);
  ct_volume_free(volume);
  clear_stage(&stage);
}

static const ct_test tests[] = {
    {"A x and A^T y are the textbook's, and transposes of each other", test_textbook},
    {"Blocks of views", test_blocks},
    {"Results do not depend on the number of threads", test_threads},
    {"Padding stays zero", test_padding},
    {"Sums of squares of rows are the textbook's", test_squares},
    {"Every geometry is served", test_served},
    {"Rays along the axis, tilted detectors and sources within are refused", test_refusals},
    {"Unmatched pairs come near the transpose", test_smooth},
    {"A phantom of voxels is projected as its shapes", test_phantom},
};

CT_TEST_MAIN(tests)
