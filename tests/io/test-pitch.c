/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units of volumes: mm where a file tells the voxel size, 1 too; px where none does; the plan's word before both. Every
 * format that is written keeps that over another copy. */
#include "recon/data/pitch.h"
#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/test.h"

/* A plan-less volume of voxels of `pitch` about the axis. */
static ct_volume *make(double pitch, bool unknown, const char *plan) {
  const ct_grid grid = ct_grid_centred(7, 5, 3, pitch, NULL);
  ct_volume *volume = ct_volume_new(&grid, NULL);
  if (!volume || (plan && !ct_volume_set_plan(volume, plan, NULL))) abort();
  for (size_t i = 0; i < ct_grid_voxels(&grid); i++) ct_volume_data(volume)[i] = (float)i;
  if (unknown) ct_volume_set_pitch_unknown(volume);
  return volume;
}

static void check_copies(double pitch, bool unknown, const char *plan, bool in_pixels) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  ct_volume *volume = make(pitch, unknown, plan);
  int seen = 0;
  CHECK(ct_units_are_pixels(ct_volume_get_units(volume)) == in_pixels);
  for (size_t i = 0; i < count; i++) {
    ct_error *error = NULL;
    if (!ct_format_can(formats[i], CT_FORMAT_WRITE_VOLUME)) continue;
    const char *extension = formats[i]->extensions;
    const char *path = in_folder("v.%.*s", (int)strcspn(extension, " "), extension);
    CHECK_OK(ct_volume_write(path, volume, NULL, NULL, &error));
    ct_volume *back = ct_volume_read(path, NULL, &error);
    CHECK_OK(back);
    if (ct_units_are_pixels(ct_volume_get_units(back)) != in_pixels)
      CT_TEST_END(1, "%s does not keep whether voxels of %g are mm", path, pitch);
    CHECK(ct_volume_is_pitch_unknown(back) == unknown);
    CHECK_NEAR(ct_volume_grid(back)->dx, pitch, 1e-12);
    CHECK_NEAR(ct_volume_grid(back)->z0, -pitch, 1e-12);
    ct_volume_free(back);
    seen++;
  }
  CHECK(seen >= 5);
  ct_volume_free(volume);
}

static void copies(void) {
  make_test_folder();
  check_copies(1, false, NULL, false);
  check_copies(0.07, false, NULL, false);
  check_copies(1, true, NULL, true);
  check_copies(2, false, "{\"" CT_UNITS_KEY "\": \"px\"}", true);
  check_copies(3, false, "{\"kernel\": \"auto\"}", false);
  remove_test_folder();
}

/* Headers of other programs. */
static void headers_that_are_silent(void) {
  static const struct {
    const char *name, *header;
    bool known;
  } rows[] = {
      {"a.mha", "ObjectType = Image\nNDims = 3\nDimSize = 2 3 4\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n",
       false},
      {"b.mha",
       "ObjectType = Image\nNDims = 3\nDimSize = 2 3 4\nElementSpacing = 1 1 1\nElementType = MET_UCHAR\n"
       "ElementDataFile = LOCAL\n",
       true},
      {"a.nrrd", "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 3 4\nencoding: raw\n\n", false},
      {"b.nrrd", "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 3 4\nspacings: 1 1 1\nencoding: raw\n\n", true},
  };
  make_test_folder();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char bytes[512];
    ct_error *error = NULL;
    const size_t length = strlen(rows[i].header);
    memcpy(bytes, rows[i].header, length);
    memset(bytes + length, 9, 24);
    write_file(in_folder("%s", rows[i].name), bytes, length + 24);
    ct_volume *volume = ct_volume_read(in_folder("%s", rows[i].name), NULL, &error);
    CHECK_OK(volume);
    if (ct_volume_is_pitch_unknown(volume) == rows[i].known) CT_TEST_END(1, "%s is mistaken", rows[i].name);
    ct_volume_free(volume);
  }
  remove_test_folder();
}

static const ct_test tests[] = {
    {"every format keeps whether the voxel size is known", copies},
    {"other programs' headers with and without a spacing", headers_that_are_silent},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
