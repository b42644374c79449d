/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures that are sinograms: the same scan stored either way gives the same rows; one picture of which nobody says
 * what it is makes no reconstruction. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/test.h"

#include <math.h>

enum { NU = 7, NV = 4, VIEWS = 9 };

static float sample_of(int view, int row, int column) {
  return (float)(20 * view + 5 * row + column);
}

/* Pictures of the samples, as projections or as sinograms; row 0 is the top, which a plane has last. */
static void write_pictures(const char *name, bool sinograms) {
  for (int k = 0; k < (sinograms ? NV : VIEWS); k++) {
    float values[VIEWS * NU];
    const int height = sinograms ? VIEWS : NV;
    for (int row = 0; row < height; row++)
      for (int i = 0; i < NU; i++)
        values[(height - 1 - row) * NU + i] = sinograms ? sample_of(row, k, i) : sample_of(k, row, i);
    const ct_png_plane plane = {
        .values = values, .width = NU, .height = height, .pixel_x = 1, .pixel_y = 1, .bits = 8, .low = 0, .high = 255};
    if (!ct_png_write_plane(in_folder("%s/p_%d.png", name, k), &plane, NULL)) abort();
  }
}

static ct_scan *open_told(const char *path, const char *description, const ct_scan_told *told, ct_error **error) {
  char *text = ct_scan_tell(path, description, told, error);
  ct_scan *scan = text ? ct_scan_open(path, text, error) : NULL;
  ct_free(text);
  return scan;
}

static void check_samples(ct_scan *scan, bool upside_down) {
  ct_error *error = NULL;
  float rows[NV * NU];
  CHECK_OK(scan);
  const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
  CHECK(g->views == VIEWS && g->nv == NV && g->nu == NU);
  for (int view = VIEWS - 1; view >= 0; view -= 2)
    for (int row0 = 0; row0 < NV; row0++) {
      CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, view, row0, NV - row0, rows, &error));
      for (int i = 0; i < (NV - row0) * NU; i++) {
        const int row = row0 + i / NU;
        if (rows[i] != sample_of(view, upside_down ? NV - 1 - row : row, i % NU))
          CT_TEST_END(1, "view %d row %d column %d of layout %d: %g", view, row, i % NU,
                      (int)ct_scan_get_facts(scan)->layout, (double)rows[i]);
      }
    }
  CHECK_OK(ct_scan_check(scan, &error));
}

static void test_same_scan(void) {
  ct_error *error = NULL;
  make_test_folder();
  mkdir(in_folder("p"), 0777);
  mkdir(in_folder("s"), 0777);
  write_pictures("p", false);
  write_pictures("s", true);
  write_text(in_folder("s/angles.txt"), "0 20 40 60 80 100 120 140 160\n");
  ct_scan *scan = ct_scan_open(in_folder("p"), NULL, &error);
  check_samples(scan, true);
  ct_scan_free(scan);
  const ct_scan_told told = {.layout = "sinograms"};
  static const char *const paths[] = {"s", "s/p_#.png", "s/p_2.png"};
  for (int i = 0; i < 3; i++) {
    scan = open_told(in_folder("%s", paths[i]), NULL, &told, &error);
    check_samples(scan, true);
    /* The text file beside sinograms counts views. */
    CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES);
    CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[3], 60 * M_PI / 180, 1e-12);
    CHECK(ct_scan_get_facts(scan)->layout == CT_LAYOUT_SINOGRAMS);
    ct_scan_free(scan);
  }
  /* In the folder's own description, and in one that is based on another. */
  write_text(in_folder("s/scan.json"), "{\"layout\": \"sinograms\", \"angles_deg\": {\"step\": 5}}");
  scan = ct_scan_open(in_folder("s"), NULL, &error);
  check_samples(scan, true);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[2], 10 * M_PI / 180, 1e-12);
  ct_scan_free(scan);
  const ct_scan_told back = {.layout = "projections"};
  scan = open_told(in_folder("s"), NULL, &back, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == NV && ct_scan_get_facts(scan)->layout == CT_LAYOUT_PROJECTIONS);
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_raw(void) {
  ct_error *error = NULL;
  make_test_folder();
  float values[NV * VIEWS * NU];
  for (int i = 0; i < NV * VIEWS * NU; i++) values[i] = sample_of(i / NU % VIEWS, i / NU / VIEWS, i % NU);
  write_file(in_folder("a.bin"), values, sizeof values);
  write_text(in_folder("a.json"), "{\"layout\": \"sinograms\", \"files\": {\"raw\": \"a.bin\", \"type\": \"float32\", "
                                  "\"dims\": [7, 9, 4]}, \"angles_deg\": {\"step\": 20}}");
  ct_scan *scan = ct_scan_open(in_folder("a.json"), NULL, &error);
  check_samples(scan, false);
  ct_scan_free(scan);
  /* What is told goes before what a description says that is opened by itself. */
  const ct_scan_told told = {.layout = "projections"};
  scan = open_told(in_folder("a.json"), NULL, &told, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == NV && ct_scan_get_facts(scan)->geometry.nv == VIEWS);
  ct_scan_free(scan);
  write_text(in_folder("b.json"), "{\"based_on\": \"a.json\", \"layout\": \"sideways\"}");
  CHECK_FAILS(ct_scan_open(in_folder("b.json"), NULL, &error), CT_ERROR_FORMAT,
              "\"layout\" must be \"projections\" or \"sinograms\"");
  write_text(in_folder("c.json"), "{\"based_on\": \"b.json\"}");
  CHECK_FAILS(ct_scan_open(in_folder("c.json"), NULL, &error), CT_ERROR_FORMAT, "is based on another");
  remove_test_folder();
}

static void test_one_picture(void) {
  ct_error *error = NULL;
  make_test_folder();
  mkdir(in_folder("s"), 0777);
  write_pictures("s", true);
  for (int k = 1; k < NV; k++) unlink(in_folder("s/p_%d.png", k));
  ct_scan *scan = ct_scan_open(in_folder("s/p_0.png"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_layout_is_open(scan));
  CHECK_FAILS(ct_scan_check_layout(scan, &error), CT_ERROR_DATA, "7 columns and 9 rows. Are its rows angles");
  ct_scan_free(scan);
  for (int i = 0; i < 2; i++) {
    const ct_scan_told told = {.layout = i ? "projections" : "sinograms"};
    scan = open_told(in_folder("s/p_0.png"), NULL, &told, &error);
    CHECK_OK(scan);
    CHECK_OK(ct_scan_check_layout(scan, &error));
    CHECK(ct_scan_get_facts(scan)->geometry.views == (i ? 1 : VIEWS));
    ct_scan_free(scan);
  }
  remove_test_folder();
}

/* A picture that changes while a scan is loaded is an error, also where its rows were kept. */
static void test_changed(void) {
  ct_error *error = NULL;
  make_test_folder();
  mkdir(in_folder("s"), 0777);
  write_pictures("s", true);
  const ct_scan_told told = {.layout = "sinograms"};
  ct_scan *scan = open_told(in_folder("s"), NULL, &told, &error);
  float row[NU];
  CHECK_OK(scan && ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, 1, row, &error));
  if (truncate(in_folder("s/p_0.png"), 40) != 0) abort();
  CHECK_FAILS(ct_scan_check(scan, &error), CT_ERROR_DATA, "p_0.png");
  ct_scan_free(scan);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"projections and sinograms are one scan", test_same_scan},
    {"raw samples", test_raw},
    {"one picture alone is a question", test_one_picture},
    {"a changed picture", test_changed},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
