/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIFF as a volume: there and back, what the tags tell other programs, and places that cannot be written. */
#include "recon/base/text.h"
#include "tests/io/tiff/pages.h"

static void test_volumes(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(7, 5, 12);
  const double range = 419 * 0.37;
  const ct_write_options packed = {CT_SAMPLES_FLOAT32, NAN, NAN, true}, integers = {CT_SAMPLES_UINT16, NAN, NAN, false},
                         both = {CT_SAMPLES_UINT16, -20, 140, true};
  const char *const names[] = {"slices", "volume.tif", "volume.tiff"};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, NULL, &error), 0, 0);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &packed, &error), 0, 0);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &integers, &error), 0, 0.51 * range / 65535 + 1e-5);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &both, &error), 0, 0.51 * 160 / 65535 + 1e-5);
  }
  /* Slices that are damaged, missing in the middle or foreign do not make a volume by accident. */
  put_string(scratch_path("slices/slice_0004.tif"), "II*");
  CHECK_FAILS(ct_volume_read(scratch_path("slices"), NULL, &error), CT_ERROR_FORMAT, "slice_0004.tif");
  unlink(scratch_path("slices/slice_0004.tif"));
  CHECK_FAILS(ct_volume_read(scratch_path("slices"), NULL, &error), CT_ERROR_FORMAT, "12 slices, but 11");
  ct_volume_free(volume);
  /* NaN stays NaN in floats. */
  volume = make_volume(3, 3, 1);
  ct_volume_data(volume)[4] = NAN;
  CHECK_OK(ct_volume_write(scratch_path("nan.tif"), volume, NULL, NULL, &error));
  ct_volume_free(volume);
  CHECK_OK(volume = ct_volume_read(scratch_path("nan.tif"), NULL, &error));
  const bool kept = isnan(ct_volume_get_data(volume)[4]) && ct_volume_get_data(volume)[5] == 5 * 0.37f - 20;
  ct_volume_free(volume);
  CHECK(kept);
}

/* Rows lie as in the array, and the tags say what a picture viewer needs. */
static void test_written_tags(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(7, 5, 3);
  CHECK_OK(ct_volume_write(scratch_path("tags.tif"), volume, NULL, NULL, &error));
  const float wanted = ct_volume_get_data(volume)[2 * 35 + 1 * 7 + 3];
  ct_volume_free(volume);
  TIFF *tiff = TIFFOpen(scratch_path("tags.tif"), "r");
  CHECK(tiff && TIFFNumberOfDirectories(tiff) == 3 && TIFFSetDirectory(tiff, 2));
  uint16_t orientation = 0, unit = 0;
  float resolution = 0, row[7];
  TIFFGetField(tiff, TIFFTAG_ORIENTATION, &orientation);
  TIFFGetField(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &resolution);
  const bool got = TIFFReadScanline(tiff, row, 1, 0) == 1;
  TIFFClose(tiff);
  CHECK(got && row[3] == wanted && orientation == ORIENTATION_BOTLEFT && unit == RESUNIT_CENTIMETER);
  CHECK_NEAR(resolution, 10 / 0.3043, 1e-3);
}

/* What ImageJ takes of a written stack: no predictor, the slices' distance in the unit of the resolution tags, what the
 * samples of 16 bits stand for; no count of images, by which it would pass over the directories between the pages. */
static void test_written_for_imagej(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(7, 5, 3);
  const ct_write_options packed = {CT_SAMPLES_UINT16, -30, 40, true};
  CHECK_OK(ct_volume_write(scratch_path("packed.tif"), volume, &packed, NULL, &error));
  char wanted[200], spacing[32], scale[32];
  snprintf(wanted, sizeof wanted, "\nslices=3\nunit=cm\nspacing=%s\ncf=0\nc0=-30\nc1=%s\nvunit=1/mm\n{\"software\":",
           ct_double_to_text(ct_volume_grid(volume)->dz / 10, spacing), ct_double_to_text(70.0 / 65535, scale));
  ct_volume_free(volume);
  TIFF *tiff = TIFFOpen(scratch_path("packed.tif"), "r");
  CHECK(tiff);
  uint16_t predictor = 0;
  const char *text = NULL;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PREDICTOR, &predictor);
  const bool told = TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) && strncmp(text, "ImageJ=", 7) == 0 &&
                    strstr(text, wanted) && !strstr(text, "images=");
  TIFFClose(tiff);
  CHECK(told && predictor == PREDICTOR_NONE);
}

static void test_imagej(void) {
  ct_error *error = NULL;
  const char *path = scratch_path("imagej.tif");
  TIFF *tiff = TIFFOpen(path, "w");
  const layout l = {.width = 4, .height = 3, .bits = 8};
  TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\nunit=micron\nspacing=25.0\nloop=false\n");
  TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 0.05);
  TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 0.1);
  TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
  write_page(tiff, &l, 0);
  TIFFClose(tiff);
  ct_volume *volume = ct_volume_read(path, NULL, &error);
  CHECK_OK(volume);
  const ct_grid grid = *ct_volume_grid(volume);
  ct_volume_free(volume);
  CHECK_NEAR(grid.dx, 0.02, 1e-6);
  CHECK_NEAR(grid.dy, 0.01, 1e-6);
  CHECK_NEAR(grid.dz, 0.025, 1e-12);
  CHECK_NEAR(grid.x0, -1.5 * grid.dx, 1e-12);
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_PITCH);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.du, 0.02, 1e-6);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.dv, 0.01, 1e-6);
  ct_scan_free(scan);
  tiff = TIFFOpen(path, "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\nimages=900\nslices=900\n");
  write_page(tiff, &l, 0);
  TIFFClose(tiff);
  CHECK_FAILS(ct_volume_read(path, NULL, &error), CT_ERROR_UNSUPPORTED, "imagej.tif");
  /* Gantry's description stands behind ImageJ's lines alone: what others quote of it is no claim. */
  tiff = TIFFOpen(path, "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "Iron, made from\n{\"software\":\"Gantry 0.1\"}");
  write_page(tiff, &l, 0);
  TIFFClose(tiff);
  CHECK_OK(volume = ct_volume_read(path, NULL, &error));
  ct_volume_free(volume);
}

static void test_output_faults(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(64, 64, 8);
  char path[600];
  const char *const names[] = {"full/v.tif", "full/slices"};
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", read_only_folder(), names[i] + 5);
    CHECK_FAILS(ct_volume_write(path, volume, NULL, NULL, &error), CT_ERROR_IO, names[i] + 5);
    for (rlim_t limit = 6; limit < 16000; limit = limit * 3 + 1) { /* the header, the samples, the directory */
      const char *full = scratch_path(names[i]);
      limit_file_size(limit);
      const bool written = ct_volume_write(full, volume, NULL, NULL, &error);
      unlimit_file_size();
      CHECK_FAILS(written, CT_ERROR_IO, names[i]);
      CHECK(count_entries(scratch_path("full")) == 0);
    }
    ct_job *job = ct_job_new(&error);
    ct_job_cancel(job);
    const bool written = ct_volume_write(scratch_path(names[i]), volume, NULL, job, &error);
    ct_job_free(job);
    CHECK_FAILS(written, CT_ERROR_CANCELLED, "");
    CHECK(count_entries(scratch_path("full")) == 0);
  }
  ct_volume_free(volume);
}

static void test_volume_is_no_scan(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(4, 3, 2);
  const bool good = ct_volume_write(scratch_path("made.tif"), volume, NULL, NULL, &error) &&
                    ct_volume_write(scratch_path("made"), volume, NULL, NULL, &error);
  ct_volume_free(volume);
  CHECK_OK(good);
  CHECK_FAILS(ct_scan_open(scratch_path("made.tif"), NULL, &error), CT_ERROR_FORMAT,
              "made.tif is a volume that Gantry made");
  CHECK_FAILS(ct_scan_open(scratch_path("made"), NULL, &error), CT_ERROR_FORMAT, "made is a volume that Gantry made");
}

static const ct_test tests[] = {
    {"volumes there and back", test_volumes},        {"a volume of Gantry's is no scan", test_volume_is_no_scan},
    {"tags of a written volume", test_written_tags}, {"what ImageJ takes of a written volume", test_written_for_imagej},
    {"spacing as ImageJ writes it", test_imagej},    {"read-only and full folders, cancel", test_output_faults},
};

IO_TEST_MAIN(tests)
