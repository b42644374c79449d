/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of images as they lie about: folders of projections, flats and darks, angles and gaps in the names, pictures
 * of several sizes; and files that cannot be read, by their true names. */
#include "recon/base/memory.h"
#include "recon/io/raw-told.h"
#include "tests/io/io-test.h"

enum { NU = 12, NV = 3 };

static void put_image(const char *name, int wide, float value) {
  float values[64];
  for (int i = 0; i < wide * NV; i++) values[i] = value + (float)i;
  const ct_png_plane plane = {
      .values = values, .width = wide, .height = NV, .pixel_x = 1, .pixel_y = 1, .bits = 16, .low = 0, .high = 65535};
  if (!ct_png_write_plane(scratch_path(name), &plane, NULL)) abort();
}

static void put_images(const char *begin, int count, int wide, float value) {
  for (int i = 0; i < count; i++) {
    char name[128];
    snprintf(name, sizeof name, "%s%03d.png", begin, i);
    put_image(name, wide, value);
  }
}

static float first_pixel(ct_scan *scan, ct_frame_kind kind, int index) {
  float row[64];
  return ct_scan_read(scan, kind, index, 0, 1, row, NULL) ? row[0] : -1;
}

/* From the folder of folders as from that of the projections. */
static void test_folders(void) {
  static const char *const paths[] = {"mantid", "mantid/Tomo", "mantid/Tomo/"};
  put_images("mantid/Tomo/S_Tomo_", 8, NU, 1000);
  put_images("mantid/Flat_Before/S_Flat_", 2, NU, 5000);
  put_images("mantid/Flat_After/S_Flat_", 3, NU, 6000);
  put_images("mantid/Dark_Before/S_Dark_", 1, NU, 10);
  put_images("mantid/180deg/S_180deg_", 1, NU, 900);
  put_images("mantid/leaf180/p_", 2, NU, 900);
  for (int i = 0; i < 3; i++) {
    ct_error *error = NULL;
    ct_scan *scan = ct_scan_open(scratch_path(paths[i]), NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    CHECK(facts->geometry.views == 8 && facts->flats == 5 && facts->darks == 1);
    CHECK(first_pixel(scan, CT_FRAME_PROJECTION, 7) == 1000 && first_pixel(scan, CT_FRAME_FLAT, 1) == 5000 &&
          first_pixel(scan, CT_FRAME_FLAT, 2) == 6000 && first_pixel(scan, CT_FRAME_DARK, 0) == 10);
    CHECK(facts->flat_positions && facts->flat_positions[1] == 0 && facts->flat_positions[2] == 8);
    CHECK(!facts->dark_positions);
    CHECK(has_remark(scan, CT_REMARK_READ, "5 flats, also from Flat_Before") ||
          has_remark(scan, CT_REMARK_READ, "5 flats, also from Flat_After"));
    /* Named once; a folder of another scan with that number in its name is none of them. */
    CHECK(ct_remarks_count(facts->remarks, CT_REMARK_IGNORED) == 1);
    CHECK(has_remark(scan, CT_REMARK_IGNORED, "the folder of images at 180 degrees"));
    ct_scan_free(scan);
    CHECK(ct_path_content(scratch_path(paths[i]), NULL) == CT_CONTENT_SCAN);
    CHECK(ct_scan_is_destroyed(scratch_path(paths[i]), NULL, scratch_path("mantid/Flat_After/S_Flat_001.png")));
  }
}

/* A series of scans with the number 180 among theirs, beside and inside; folders that do hold opposite images. */
static void test_opposite(void) {
  static const struct {
    const char *scan, *other;
    bool opposite;
  } cases[] = {
      {"leaf_090", "leaf_180", false},
      {"leaf_090deg", "leaf_180deg", false},
      {"walnut0179", "walnut0180", false},
      {"walnut", "walnut1800", false},
      {"img_090", "img_180", false},
      {"090", "180", false},
      {"葉_090", "葉_180", false},
      {"leaf_20C", "leaf_180C", false},
      {"Tomo", "leaf180", false},
      {"walnut_2", "walnut_3_180deg", false},
      {"walnut_2", "walnut_2_180deg", true},
      {"leaf", "180", true},
      {"Tomo", "180°", true},
      {"Tomo", "images_at_180", true},
      {"Tomo", "Tomo/leaf180", false},
      {"Tomo", "Tomo/180deg", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[64];
    ct_error *error = NULL;
    snprintf(path, sizeof path, "turned%zu/%s/p_", i, cases[i].scan);
    put_images(path, 2, NU, 1000);
    snprintf(path, sizeof path, "turned%zu/%s/p_", i, cases[i].other);
    put_images(path, 1, NU, 900);
    snprintf(path, sizeof path, "turned%zu/%s", i, cases[i].scan);
    ct_scan *scan = ct_scan_open(scratch_path(path), NULL, &error);
    CHECK_OK(scan);
    CHECK(has_remark(scan, CT_REMARK_IGNORED, "180 degrees") == cases[i].opposite);
    ct_scan_free(scan);
  }
}

/* Flats of another size are not used, and a folder of flats is a series like any other. */
static void test_other_fields(void) {
  ct_error *error = NULL;
  put_images("odd/proj/p_", 4, NU, 1000);
  put_images("odd/flats/f_", 2, NU - 2, 5000);
  put_images("odd/df/d_", 2, NU, 7);
  ct_scan *scan = ct_scan_open(scratch_path("odd/proj"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->flats == 0 && ct_scan_get_facts(scan)->darks == 2);
  CHECK(has_remark(scan, CT_REMARK_DOUBT, "flats beside are not used"));
  ct_scan_free(scan);
  scan = ct_scan_open(scratch_path("odd/df"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == 2 && ct_scan_get_facts(scan)->darks == 0);
  ct_scan_free(scan);
  /* Folders of which nothing tells which is the scan. */
  put_images("many/a/p_", 4, NU, 1000);
  put_images("many/b/p_", 4, NU, 1000);
  CHECK_FAILS(ct_scan_open(scratch_path("many"), NULL, &error), CT_ERROR_FORMAT, "the folders a, b");
}

/* Another sample whose name begins like that of flats is none; the scan's own words may stand in the names of its. */
static void test_neighbours(void) {
  ct_error *error = NULL;
  put_images("lab/walnut/p_", 4, NU, 1000);
  put_images("lab/white_oak/p_", 4, NU, 900);
  put_images("lab/walnut_df/p_", 2, NU, 7);
  ct_scan *scan = ct_scan_open(scratch_path("lab/walnut"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->flats == 0 && ct_scan_get_facts(scan)->darks == 2);
  CHECK(has_remark(scan, CT_REMARK_IGNORED, "its name has other words"));
  ct_scan_free(scan);
  put_images("lab/walnut_WhiteField_2/p_", 3, NU, 5000);
  CHECK_OK(scan = ct_scan_open(scratch_path("lab/walnut"), NULL, &error));
  CHECK(ct_scan_get_facts(scan)->flats == 3);
  ct_scan_free(scan);
}

/* Endings that differ in case are one series, unless each number is there with both. */
static void test_endings(void) {
  ct_error *error = NULL;
  for (int i = 0; i < 7; i++) {
    char name[32];
    snprintf(name, sizeof name, "ends/p_%03d.%s", i, i % 3 ? "png" : "PNG");
    put_image(name, NU, (float)(1000 + 10 * i));
  }
  for (int named = 0; named < 2; named++) {
    ct_scan *scan = ct_scan_open(scratch_path(named ? "ends/p_001.png" : "ends"), NULL, &error);
    CHECK_OK(scan);
    CHECK(ct_scan_get_facts(scan)->geometry.views == 7);
    for (int i = 0; i < 7; i++) CHECK(first_pixel(scan, CT_FRAME_PROJECTION, i) == (float)(1000 + 10 * i));
    ct_scan_free(scan);
  }
  put_image("ends/p_002.PNG", NU, 1);
  ct_scan *scan = ct_scan_open(scratch_path("ends/p_001.png"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == 4);
  ct_scan_free(scan);
}

/* The only text that is called after angles, and one that knows none. */
static void test_angle_files(void) {
  ct_error *error = NULL;
  put_images("said/p_", 4, NU, 1000);
  put_string(scratch_path("said/notes.txt"), "nothing\n");
  put_string(scratch_path("said/run7_Theta.csv"), "0;0,5\n1;20,5\n2;45,5\n3;60,5\n");
  ct_scan *scan = ct_scan_open(scratch_path("said"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[2], 45.5 * M_PI / 180, 1e-12);
  ct_scan_free(scan);
  CHECK(ct_scan_is_destroyed(scratch_path("said"), NULL, scratch_path("said/run7_Theta.csv")));
  put_string(scratch_path("said/angles.txt"), "30\n30\n30\n30\n");
  CHECK_OK(scan = ct_scan_open(scratch_path("said"), NULL, &error));
  CHECK(!(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES) &&
        has_remark(scan, CT_REMARK_DOUBT, "all of its 4 angles"));
  ct_scan_free(scan);
}

static void test_name_angles(void) {
  static const double steps[] = {111.25, 15, -7.5};
  for (int k = 0; k < 3; k++) {
    ct_error *error = NULL;
    char name[128], folder[16];
    for (int i = 0; i < 5; i++) {
      const double angle = fmod(i * steps[k], 180);
      if (k == 0) snprintf(name, sizeof name, "n1/L_%.4f_%03d.png", angle, i);
      if (k == 1) snprintf(name, sizeof name, "n2/p_ang%03.0f_run7.png", angle);
      if (k == 2) snprintf(name, sizeof name, "n3/p_%.1fdeg_%d.png", angle, i);
      put_image(name, NU, (float)(1000 + i));
    }
    snprintf(folder, sizeof folder, "n%d", k + 1);
    ct_scan *scan = ct_scan_open(scratch_path(folder), NULL, &error);
    CHECK_OK(scan);
    CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES && has_remark(scan, CT_REMARK_ASSUMED, "names"));
    /* Files are sorted by their numbers: each has its own angle all the same. */
    for (int view = 0; view < 5; view++) {
      const int i = (int)first_pixel(scan, CT_FRAME_PROJECTION, view) - 1000;
      CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[view], fmod(i * steps[k], 180) * M_PI / 180, 1e-9);
    }
    ct_scan_free(scan);
  }
}

static void test_gaps(void) {
  ct_error *error = NULL;
  put_images("gap/p_", 6, NU, 1000);
  unlink(scratch_path("gap/p_002.png"));
  unlink(scratch_path("gap/p_003.png"));
  ct_scan *scan = ct_scan_open(scratch_path("gap"), "{\"angles_deg\": {\"first\": 5, \"step\": 10}}", &error);
  CHECK_OK(scan);
  const double *angles = ct_scan_get_facts(scan)->geometry.angles;
  CHECK(has_remark(scan, CT_REMARK_DOUBT, "2 images are missing by the numbers: p_001.png is followed by p_004.png"));
  CHECK_NEAR(angles[1], 15 * M_PI / 180, 1e-12);
  CHECK_NEAR(angles[2], 45 * M_PI / 180, 1e-12);
  ct_scan_free(scan);
  /* A list for all that there once were. */
  put_string(scratch_path("gap/angles.txt"), "0 1 2 3 4 5\n");
  scan = ct_scan_open(scratch_path("gap"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[2], 4 * M_PI / 180, 1e-12);
  ct_scan_free(scan);
  /* Every second number is a step of two, and no gap. */
  put_image("even/p_0.png", NU, 1), put_image("even/p_2.png", NU, 1), put_image("even/p_4.png", NU, 1);
  scan = ct_scan_open(scratch_path("even"), NULL, &error);
  CHECK_OK(scan);
  CHECK(!ct_scan_get_facts(scan)->numbers && !ct_remarks_count(ct_scan_get_facts(scan)->remarks, CT_REMARK_DOUBT));
  ct_scan_free(scan);
}

/* One named picture of several sizes is opened alone; a series with one odd picture is an error that names it. */
static void test_sizes(void) {
  ct_error *error = NULL;
  put_image("sizes/size_256.png", NU, 1);
  put_image("sizes/size_512.png", 2 * NU - 4, 1);
  ct_scan *scan = ct_scan_open(scratch_path("sizes/size_512.png"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == 1 && has_remark(scan, CT_REMARK_ASSUMED, "alone"));
  ct_scan_free(scan);
  put_images("sizes/size_1", 3, NU, 1);
  CHECK_FAILS(ct_scan_open(scratch_path("sizes/size_256.png"), NULL, &error), CT_ERROR_FORMAT, "size_512.png differs");
}

static void test_true_names(void) {
  static const struct {
    const char *name, *bytes, *words;
    size_t size;
  } cases[] = {
      {"a.tif", "\xff\xd8\xff\xe0 and so on", "JPEG picture", 14},
      {"a.bin", "PK\x03\x04 and so on, an archive", "unpack it first", 20},
      {"a.his", "\x00\x70\x44\x00\x64\x00\x00\x00\x00\x00\x20\x00\x01\x00\x01\x00\x00\x04\x00\x03\x0a\x00",
       "1024, 768, 10", 22},
      {"a.xyz", "nothing that anybody knows", "raw samples (26 bytes", 26},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    char bytes[100] = "", name[32];
    memcpy(bytes, cases[i].bytes, cases[i].size);
    snprintf(name, sizeof name, "names/%s", cases[i].name);
    put_bytes(scratch_path(name), bytes, i == 2 ? 100 : cases[i].size);
    ct_scan *scan = ct_scan_open(scratch_path(name), NULL, &error);
    if (scan || !error || !strstr(error->message, cases[i].words))
      CT_TEST_END(1, "%s: %.300s", name, error ? error->message : "opened");
    ct_error_clear(&error);
  }
  char *told = ct_raw_told(scratch_path("names/a.his"));
  CHECK(told && strstr(told, "files.type=uint16\nfiles.dims.0=1024\nfiles.dims.1=768\nfiles.dims.2=10\n") &&
        strstr(told, "files.header_bytes=100\n") && strstr(told, "files.byte_order=little\n"));
  ct_free(told);
  CHECK(!ct_raw_told(scratch_path("names/a.xyz")) && !ct_raw_told(scratch_path("names/none")));
}

static const ct_test tests[] = {
    {"folders of projections, flats and darks", test_folders},
    {"folders of opposite images and of other scans", test_opposite},
    {"flats that do not fit, folders that say nothing", test_other_fields},
    {"samples beside that are called like flats", test_neighbours},
    {"endings of several kinds", test_endings},
    {"files of angles by their names", test_angle_files},
    {"angles in the names", test_name_angles},
    {"images that are missing", test_gaps},
    {"pictures of several sizes", test_sizes},
    {"files by their true names", test_true_names},
};

IO_TEST_MAIN(tests)
