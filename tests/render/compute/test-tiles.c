/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles of a volume on the graphics card: whatever memory there is, every voxel comes back once and at its place. */
#include "render/compute/tiles-private.h"
#include "tests/test.h"

static ct_bp_device *device;

#define NEED_DEVICE()                                                                                                  \
  if (!device) device = ctgl_device_new(NULL, true, NULL);                                                             \
  if (!device) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

static float mark(const ct_grid *g, int i, int j, int k) {
  return (float)((k * g->ny + j) * g->nx + i);
}

/* Puts every voxel's own number into tile n as a kernel would. */
static void fill(const ctgl_tiles *tiles, int n) {
  const ct_grid *g = &tiles->grid;
  const ctgl_tile t = ctgl_tiles_at(tiles, n);
  float *data = calloc((size_t)g->nx * (size_t)t.rows * (size_t)t.slices, sizeof *data), *at = data;
  for (int k = 0; k < t.slices; k++)
    for (int j = 0; j < t.rows; j++)
      for (int i = 0; i < g->nx; i++) *at++ = mark(g, i, t.j + j, t.k + k);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, tiles->buffers[n % tiles->resident]);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (at - data) * (GLsizeiptr)sizeof(float), data);
  free(data);
}

static bool planes_right(ctgl_tiles *tiles, ct_error **error) {
  const ct_grid *g = &tiles->grid;
  for (ct_plane plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++) {
    int width, height, count;
    ct_grid_plane_size(g, plane, &width, &height, &count);
    float *out = calloc((size_t)width * (size_t)height, sizeof *out);
    bool right = ctgl_tiles_add_plane(tiles, plane, count / 3, out, error);
    for (int r = 0; right && r < height; r++)
      for (int c = 0; right && c < width; c++)
        right = out[r * width + c] == (plane == CT_AXIAL     ? mark(g, c, r, count / 3)
                                       : plane == CT_CORONAL ? mark(g, c, count / 3, r)
                                                             : mark(g, count / 3, c, r));
    free(out);
    if (!right) return false;
  }
  return true;
}

/* The same as from a volume in main memory; of a small one some pixels lie beside it. */
static bool obliques_right(ctgl_tiles *tiles, ct_error **error) {
  const ct_grid *g = &tiles->grid;
  ct_volume *volume = ct_volume_new(g, error);
  if (!volume) return false;
  for (size_t n = 0; n < ct_grid_voxels(g); n++) ct_volume_data(volume)[n] = (float)n;
  bool right = true;
  for (int turn = 0; right && turn < 6; turn++) {
    const double centre[3] = {turn, -2.3 * turn, 0.4 * turn};
    const ct_oblique plane = ct_oblique_turned(centre, 0.7 * turn, 0.5 * turn, 0.9, 61 + turn, 43);
    const size_t pixels = ct_oblique_pixels(&plane);
    float *out = calloc(2 * pixels, sizeof *out), *expected = out + pixels;
    right = ctgl_tiles_add_oblique(tiles, &plane, out, error);
    ct_volume_copy_oblique(volume, &plane, expected);
    int seen = 0;
    for (size_t n = 0; right && n < pixels; n++) {
      seen += expected[n] != 0;
      right = fabsf(out[n] - expected[n]) <= 1e-6f * (float)ct_grid_voxels(g);
    }
    right = right && seen > 500 && (seen < (int)pixels || g->nx > 100);
    free(out);
  }
  ct_volume_free(volume);
  return right;
}

static bool comes_back(const ct_grid *grid, double limit, int slices, bool last, int *resident, int *count,
                       ct_error **error) {
  ct_volume *volume = ct_volume_new(grid, error);
  ctgl_tiles tiles = {0};
  bool good = volume && ctgl_device_enter(device, error);
  if (!good) return false;
  good = ctgl_tiles_init(&tiles, device, grid, limit, slices, error);
  *resident = tiles.resident, *count = tiles.count;
  for (int n = 0; good && n < tiles.count; n++) {
    ctgl_tiles_begin(&tiles, n, 0);
    fill(&tiles, n);
    good = ctgl_tiles_end(&tiles, n, last, volume, error);
  }
  ctgl_tiles_settle(&tiles);
  if (good && !last && tiles.resident == tiles.count)
    good = planes_right(&tiles, error) && obliques_right(&tiles, error);
  good = good && ctgl_tiles_finish(&tiles, volume, error) && ctgl_tiles_finish(&tiles, volume, error);
  ctgl_tiles_clear(&tiles);
  good = ctgl_device_leave(device, good, "the test", error);
  const float *data = ct_volume_get_data(volume);
  for (size_t n = 0; good && n < ct_grid_voxels(grid); n++) good = data[n] == (float)n;
  ct_volume_free(volume);
  return good;
}

static void test_whole(void) {
  NEED_DEVICE();
  const ct_grid small = ct_grid_centred(37, 29, 23, 1, NULL);
  ct_error *error = NULL;
  int resident, count;
  for (int last = 0; last < 2; last++) {
    CHECK_OK(comes_back(&small, 0, 0, last, &resident, &count, &error));
    CHECK(resident == count);
  }
}

/* Large enough to be cut, so that one tile goes back while the next is made; numbers below 2^24 are exact. */
static void test_overlapped(void) {
  NEED_DEVICE();
  const ct_grid large = ct_grid_centred(256, 200, 300, 1, NULL);
  if (!ctgl_device_get_facts(device)->persistent_map) CT_TEST_END(2, "the driver keeps no buffers mapped");
  for (int last = 0; last < 2; last++) {
    ct_error *error = NULL;
    int resident, count;
    CHECK_OK(comes_back(&large, 0, 0, last, &resident, &count, &error));
    CHECK(resident == count && count > 2);
  }
}

/* Room for two slabs of some slices, for two of one slice, for two of some rows. */
static void test_short_of_memory(void) {
  NEED_DEVICE();
  const ct_grid small = ct_grid_centred(37, 29, 23, 1, NULL);
  const double limits[] = {60000, 12000, 9000, 1000, 296};
  for (size_t n = 0; n < sizeof limits / sizeof *limits; n++) {
    ct_error *error = NULL;
    int resident, count;
    CHECK_OK(comes_back(&small, limits[n], 0, n % 2, &resident, &count, &error));
    CHECK(resident == 2 && count > 2);
  }
}

/* Memory for all, but tiles of five slices. */
static void test_thin_tiles(void) {
  NEED_DEVICE();
  const ct_grid small = ct_grid_centred(37, 29, 23, 1, NULL);
  for (int last = 0; last < 2; last++) {
    ct_error *error = NULL;
    int resident, count;
    CHECK_OK(comes_back(&small, 0, 5, last, &resident, &count, &error));
    CHECK(resident == 5 && count == 5);
  }
}

static const ct_test tests[] = {
    {"a volume that fits comes back whole, and plane by plane before", test_whole},
    {"a large volume comes back tile by tile after its last views", test_overlapped},
    {"a volume comes back in tiles of few slices", test_thin_tiles},
    {"a volume that does not fit comes back tile by tile", test_short_of_memory},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
