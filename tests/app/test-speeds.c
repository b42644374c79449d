/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speeds that were measured are kept, found for like problems, and survive damage. The cache folder is the test's. */
#include "app/speeds.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static gantry_speed make(const char *kernel, int edge, double gups, double error) {
  gantry_speed speed = {.scan = "tooth.h5",
                        .beam = "parallel",
                        .interp = CT_INTERP_LINEAR,
                        .precision = CT_PRECISION_FLOAT32,
                        .size = {edge, edge, 1},
                        .views = 181,
                        .threads = 2,
                        .gups = gups,
                        .error = error,
                        .when = 1.7e9};
  snprintf(speed.kernel, sizeof speed.kernel, "%s", kernel);
  return speed;
}

static char folder[] = "/tmp/gantry-speeds-XXXXXX";

static bool begin(void) {
  static bool made;
  if (!made) made = mkdtemp(folder) && setenv("XDG_CACHE_HOME", folder, 1) == 0;
  char *path = gantry_speeds_path(NULL);
  if (path) unlink(path);
  ct_free(path);
  return made && path;
}

static void test_kept(void) {
  gantry_speeds speeds = {0}, again;
  ct_error *error = NULL;
  bool same = true;
  CHECK(begin());
  CHECK_OK(gantry_speeds_read(&speeds, &error));
  CHECK(speeds.count == 0 && !gantry_speeds_find(&speeds, &(gantry_speed){0}, &same) && !same);
  const gantry_speed two[] = {make("rows", 640, 4.5, 2e-7), make("lines", 640, 3, NAN)};
  CHECK_OK(gantry_speeds_add(&speeds, two, 2, &error));
  CHECK_OK(gantry_speeds_read(&again, &error));
  CHECK(again.count == 2 && !memcmp(again.rows[0].size, two[0].size, sizeof two[0].size));
  CHECK(again.rows[0].error == 2e-7 && isnan(again.rows[1].error) && again.rows[0].gups == 4.5);
  CHECK(!strcmp(again.rows[1].kernel, "lines") && !strcmp(again.rows[1].scan, "tooth.h5"));
  gantry_speeds_clear(&again);
  gantry_speeds_clear(&speeds);
}

static void test_replaced(void) {
  gantry_speeds speeds = {0};
  ct_error *error = NULL;
  bool same;
  CHECK(begin());
  const gantry_speed first = make("rows", 640, 4.5, 2e-7), later = make("rows", 640, 5, NAN);
  CHECK_OK(gantry_speeds_add(&speeds, &first, 1, &error) && gantry_speeds_add(&speeds, &later, 1, &error));
  /* The newer rate; the error is still that of the same problem. */
  CHECK(speeds.count == 1 && speeds.rows[0].gups == 5 && speeds.rows[0].error == 2e-7);
  const gantry_speed *found = gantry_speeds_find(&speeds, &later, &same);
  CHECK(found && same);
  for (int edge = 1; edge <= 1100; edge++) {
    const gantry_speed one = make("slices", edge, edge, NAN);
    if (edge % 550 && edge > 3) continue;
    CHECK_OK(gantry_speeds_add(&speeds, &one, 1, &error));
  }
  CHECK(speeds.count == 6);
  gantry_speeds_clear(&speeds);
}

static void test_most(void) {
  enum { COUNT = 1200 };
  gantry_speeds speeds = {0};
  ct_error *error = NULL;
  static gantry_speed many[COUNT];
  CHECK(begin());
  for (int i = 0; i < COUNT; i++) many[i] = make("rows", i + 1, i + 1, NAN);
  CHECK_OK(gantry_speeds_add(&speeds, many, COUNT, &error));
  CHECK(speeds.count == 1000 && speeds.rows[0].gups == 201 && speeds.rows[999].gups == COUNT);
  gantry_speeds_clear(&speeds);
}

static void test_nearest(void) {
  gantry_speeds speeds = {0};
  ct_error *error = NULL;
  bool same;
  CHECK(begin());
  gantry_speed rows[] = {make("rows", 64, 1, NAN), make("rows", 640, 2, NAN), make("rows", 600, 3, NAN)};
  rows[2].size[2] = 600; /* a volume */
  CHECK_OK(gantry_speeds_add(&speeds, rows, 3, &error));
  gantry_speed asked = make("rows", 512, 0, NAN);
  const gantry_speed *found = gantry_speeds_find(&speeds, &asked, &same);
  CHECK(found && found->gups == 2 && !same);
  asked.size[2] = 512;
  CHECK((found = gantry_speeds_find(&speeds, &asked, &same)) && found->gups == 3);
  asked = make("rows", 640, 0, NAN);
  CHECK((found = gantry_speeds_find(&speeds, &asked, &same)) && found->gups == 2 && same);
  /* Another kernel, interpolation, precision, beam or device says nothing of this one. */
  asked.interp = CT_INTERP_NEAREST;
  CHECK(!gantry_speeds_find(&speeds, &asked, &same));
  asked = make("lines", 640, 0, NAN);
  CHECK(!gantry_speeds_find(&speeds, &asked, NULL));
  asked = make("rows", 640, 0, NAN);
  snprintf(asked.beam, sizeof asked.beam, "fan");
  CHECK(!gantry_speeds_find(&speeds, &asked, NULL));
  gantry_speeds_clear(&speeds);
}

static void test_damaged(void) {
  static const char *const texts[] = {
      "nonsense", "{}", "{\"gantry_speeds\": 1, \"rows\": 3}",
      "{\"gantry_speeds\": 1, \"rows\": [7, {\"kernel\": \"rows\", \"gups\": -1}, {\"size\": [1, 2]}]}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    gantry_speeds speeds;
    ct_error *error = NULL;
    CHECK(begin());
    const gantry_speed one = make("rows", 640, 4.5, NAN);
    speeds = (gantry_speeds){0};
    CHECK_OK(gantry_speeds_add(&speeds, &one, 0, &error)); /* makes the folder */
    gantry_speeds_clear(&speeds);
    char *path = gantry_speeds_path(&error);
    CHECK_OK(path && ct_output_write_text(path, texts[i], &error));
    /* Rows that say nothing are passed over; a file that is no such file is told, by its name. */
    const bool good = gantry_speeds_read(&speeds, &error);
    CHECK(good == (i == 3) && speeds.count == 0 && (good || strstr(error->message, path)));
    ct_error_clear(&error);
    CHECK_OK(gantry_speeds_add(&speeds, &one, 1, &error));
    CHECK(speeds.count == 1);
    gantry_speeds_clear(&speeds);
    ct_free(path);
  }
  CHECK(begin());
  char *inner = ct_strprintf("%s/gantry", folder);
  CHECK(inner && rmdir(inner) == 0 && rmdir(folder) == 0);
  ct_free(inner);
}

static const ct_test tests[] = {
    {"what was measured is kept", test_kept},
    {"the newest takes the place of the one before", test_replaced},
    {"the oldest go", test_most},
    {"the nearest problem is found", test_nearest},
    {"a damaged file is told and made anew", test_damaged},
};
CT_TEST_MAIN(tests)
