/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan descriptions: what they add to a scan, where they are found, and what is wrong with them. */
#include "recon/geom/questions.h"
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/io/targets.h"
#include "tests/test.h"

enum { NU = 4, NV = 2, VIEWS = 3 };

/* Frames of bytes whose samples are base + their index. */
static void make_frames(const char *path, int base, int frames) {
  unsigned char bytes[256];
  for (int i = 0; i < NU * NV * frames; i++) bytes[i] = (unsigned char)(base + i);
  write_file(path, bytes, (size_t)(NU * NV * frames));
}

#define LAYOUT(file) "{\"raw\": \"" file "\", \"type\": \"uint8\", \"dims\": [4, 2]}"
#define FILES "\"files\": " LAYOUT("p.raw")

static ct_scan *open_with(const char *entries, ct_error **error) {
  char json[2048];
  snprintf(json, sizeof json, "{" FILES "%s%s}", *entries ? ", " : "", entries);
  write_text(in_folder("a.json"), json);
  return ct_scan_open(in_folder("a.json"), NULL, error);
}

static void test_facts(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_frames(in_folder("p.raw"), 0, VIEWS);
  ct_scan *scan = open_with(
      "\"comment\": \"bell pepper\", \"beam\": \"cone\", \"sod_mm\": 210.66, \"sdd_mm\": 553.74, \"pixel_mm\": 0.8, "
      "\"centre_u\": 1.25, \"centre_v\": 0.75, \"tilt_deg\": 0.5, \"angles_deg\": [10, 5, 5], \"values\": \"counts\", "
      "\"flip_rows\": true, \"flip_columns\": true",
      &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_geometry *g = &facts->geometry;
  CHECK(facts->known == (CT_KNOWN_ANGLES | CT_KNOWN_PITCH | CT_KNOWN_DISTANCES | CT_KNOWN_BEAM | CT_KNOWN_CENTRE));
  CHECK(g->beam == CT_BEAM_CONE && g->sod == 210.66 && g->sdd == 553.74 && g->du == 0.8 && g->dv == 0.8);
  CHECK(g->centre_u == 1.25 && g->centre_v == 0.75);
  CHECK_NEAR(g->tilt, 0.5 * M_PI / 180, 1e-15);
  CHECK_NEAR(g->angles[0], 10 * M_PI / 180, 1e-15);
  CHECK(g->angles[1] == g->angles[2]);
  CHECK(facts->values == CT_VALUES_COUNTS && !facts->note);
  CHECK(strcmp(facts->path, in_folder("a.json")) == 0);
  float out[NU * NV];
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 1, 0, NV, out, &error));
  for (int i = 0; i < NU * NV; i++) CHECK(out[i] == (float)(NU * NV + NU * NV - 1 - i));
  ct_scan_free(scan);
  /* Distances alone make a divergent beam; without angles a whole turn is assumed for it. */
  CHECK_OK(scan = open_with("\"sod_mm\": 100, \"sdd_mm\": 200, \"pixel_mm\": [0.1, 0.2]", &error));
  facts = ct_scan_get_facts(scan);
  CHECK(facts->geometry.beam == CT_BEAM_CONE && facts->geometry.dv == 0.2);
  CHECK(!(facts->known & CT_KNOWN_ANGLES) && strstr(facts->note, "0 to 360"));
  CHECK_NEAR(facts->geometry.angles[1], 2 * M_PI / 3, 1e-12);
  ct_scan_free(scan);
  /* A feed makes a spiral, about the isocentre unless its start is told. */
  for (int told = 0; told < 2; told++) {
    char entries[160];
    snprintf(entries, sizeof entries,
             "\"sod_mm\": 100, \"sdd_mm\": 200, \"angles_deg\": {\"step\": 180}, \"feed_mm\": -8%s",
             told ? ", \"start_z_mm\": 1.5" : "");
    CHECK_OK(scan = open_with(entries, &error));
    g = &ct_scan_get_facts(scan)->geometry;
    CHECK(g->beam == CT_BEAM_CONE && g->feed == -8);
    CHECK_NEAR(ct_geometry_height(g, 0), told ? 1.5 : 4, 1e-12);
    CHECK_NEAR(ct_geometry_height(g, 2), told ? -6.5 : -4, 1e-12);
    ct_scan_free(scan);
  }
  /* Steps make a sequence, whose table stands while the angles go round. */
  for (int told = 0; told < 2; told++) {
    char entries[160];
    snprintf(entries, sizeof entries,
             "\"sod_mm\": 100, \"sdd_mm\": 200, \"angles_deg\": {\"step\": 180}, \"table_step_mm\": -8%s",
             told ? ", \"start_z_mm\": 1.5" : "");
    CHECK_OK(scan = open_with(entries, &error));
    g = &ct_scan_get_facts(scan)->geometry;
    CHECK(g->beam == CT_BEAM_CONE && g->feed == -8 && g->stops);
    CHECK_NEAR(ct_geometry_height(g, 0), told ? 1.5 : 4, 1e-12);
    CHECK_NEAR(ct_geometry_height(g, 1), told ? 1.5 : 4, 1e-12);
    CHECK_NEAR(ct_geometry_height(g, 2), told ? -6.5 : -4, 1e-12);
    ct_scan_free(scan);
  }
  CHECK_OK(scan = open_with("", &error));
  CHECK(ct_scan_get_facts(scan)->known == 0 && strstr(ct_scan_get_facts(scan)->note, "0 to 180"));
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_angles_and_matrices(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_frames(in_folder("p.raw"), 0, VIEWS);
  write_text(in_folder("angles.txt"), "# degrees\n0\n120.5\n241\n");
  ct_scan *scan = open_with("\"angles_deg\": {\"file\": \"angles.txt\"}", &error);
  CHECK_OK(scan);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[1], 120.5 * M_PI / 180, 1e-12);
  ct_scan_free(scan);
  write_text(in_folder("angles.txt"), "0, 120.5, x");
  CHECK_FAILS(open_with("\"angles_deg\": {\"file\": \"angles.txt\"}", &error), CT_ERROR_FORMAT, "angles.txt, line 1");
  write_text(in_folder("angles.txt"), "0, 120.5");
  CHECK_FAILS(open_with("\"angles_deg\": {\"file\": \"angles.txt\"}", &error), CT_ERROR_DATA,
              "2 angles for 3 projections");
  /* Any scale of a matrix is the same camera: w = 1 at the isocentre. */
  CHECK_OK(scan = open_with("\"matrices\": [[2,0,0,4, 0,0,2,3, 0,0.5,0,2], [1,0,0,2, 0,0,1,1.5, 0,0.25,0,1], "
                            "[-3,0,0,-6, 0,0,-3,-4.5, 0,-0.75,0,-3]]",
                            &error));
  const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
  const double expected[12] = {1, 0, 0, 2, 0, 0, 1, 1.5, 0, 0.25, 0, 1};
  CHECK(g->beam == CT_BEAM_FREE);
  for (int i = 0; i < 36; i++) CHECK_NEAR(g->matrices[i], expected[i % 12], 1e-15);
  ct_scan_free(scan);
  CHECK_FAILS(
      open_with("\"matrices\": [[1,0,0,2, 0,0,1,1, 0,1,0,0], [1,0,0,2, 0,0,1,1, 0,1,0,1], [1,0,0,2, 0,0,1,1, 0,1,0,1]]",
                &error),
      CT_ERROR_DATA, "matrix 0");
  remove_test_folder();
}

/* A column for each projection makes each a matrix, with the axis there. */
static void test_wandering_axis(void) {
  static const double columns[VIEWS] = {1.25, 0.5, 2};
  static const char *const entries[] = {
      "\"beam\": \"parallel\", \"angles_deg\": [10, 50, 95], \"centre_u\": [1.25, 0.5, 2]",
      "\"beam\": \"cone\", \"sod_mm\": 100, \"sdd_mm\": 200, \"angles_deg\": [10, 50, 95], "
      "\"centre_u\": {\"file\": \"columns.txt\"}"};
  ct_error *error = NULL;
  make_test_folder();
  make_frames(in_folder("p.raw"), 0, VIEWS);
  write_text(in_folder("columns.txt"), "1.25 0.5 2");
  for (int i = 0; i < 2; i++) {
    ct_scan *scan = open_with(entries[i], &error);
    CHECK_OK(scan);
    const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
    CHECK(g->beam == CT_BEAM_FREE && ct_geometry_promises(g, CT_GEOMETRY_PARALLEL) == (i == 0));
    for (int view = 0; view < VIEWS; view++) {
      double m[12], u, v, w;
      const double t = (view == 0   ? 10
                        : view == 1 ? 50
                                    : 95) *
                       M_PI / 180,
                   axis[3] = {0, 0, 5}, beside[3] = {cos(t), sin(t), 0};
      ct_geometry_matrix(g, view, m);
      ct_project(m, axis, &u, &v, &w);
      CHECK_NEAR(u, columns[view], 1e-12);
      ct_project(m, beside, &u, &v, &w);
      CHECK_NEAR(u, columns[view] + (i ? 2 : 1), 1e-12);
    }
    ct_scan_free(scan);
  }
  remove_test_folder();
}

/* Flats and darks from other files, in sets along the run. */
static void test_flats(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_frames(in_folder("p.raw"), 0, VIEWS);
  make_frames(in_folder("f1.raw"), 100, 2);
  make_frames(in_folder("f2.raw"), 150, 1);
  make_frames(in_folder("d.raw"), 200, 1);
  ct_scan *scan = open_with(
      "\"flats\": [{\"files\": " LAYOUT("f1.raw") "}, {\"files\": " LAYOUT("f2.raw") ", \"before_view\": 3}], "
                                                                                     "\"darks\": " LAYOUT("d.raw"),
      &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(facts->flats == 3 && facts->darks == 1 && facts->values == CT_VALUES_COUNTS);
  CHECK(facts->flat_positions[0] == 0 && facts->flat_positions[1] == 0 && facts->flat_positions[2] == 3);
  float row[NU];
  static const float first[] = {100, 108, 150};
  for (int i = 0; i < 3; i++) {
    CHECK_OK(ct_scan_read(scan, CT_FRAME_FLAT, i, 1, 1, row, &error));
    CHECK(row[0] == first[i] + NU);
  }
  CHECK_OK(ct_scan_read(scan, CT_FRAME_DARK, 0, 0, 1, row, &error));
  CHECK(row[3] == 203);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 2, 0, 1, row, &error));
  CHECK(row[0] == 2 * NU * NV);
  ct_scan_free(scan);
  CHECK_FAILS(open_with("\"flats\": {\"raw\": \"f1.raw\", \"type\": \"uint8\", \"dims\": [2, 2]}", &error),
              CT_ERROR_DATA, "2 x 2 pixels, the projections 4 x 2");
  CHECK_FAILS(open_with("\"darks\": \"none.tif\"", &error), CT_ERROR_IO, "none.tif");
  CHECK_FAILS(open_with("\"darks\": 5", &error), CT_ERROR_FORMAT, "darks");
  CHECK_FAILS(open_with("\"darks\": [{\"files\": " LAYOUT("d.raw") ", \"after\": 3}]", &error), CT_ERROR_FORMAT,
              "after");
  remove_test_folder();
}

static void test_where(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_frames(in_folder("p.raw"), 0, VIEWS);
  /* Beside a file; given outright; as a text; a folder with its scan.json. */
  write_text(in_folder("p.scan.json"), "{\"files\": {\"type\": \"uint8\", \"dims\": [4, 2]}, \"pixel_mm\": 0.5}");
  ct_scan *scan = ct_scan_open(in_folder("p.raw"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.du == 0.5);
  /* Written as HDF5, to see descriptions on a file that needs none. */
  CHECK_OK(ct_scan_write(in_folder("q.h5"), scan, NULL, &error));
  ct_scan_free(scan);
  write_text(in_folder("q.scan.json"), "{\"pixel_mm\": 0.25}");
  CHECK_OK(scan = ct_scan_open(in_folder("q.h5"), NULL, &error));
  CHECK(ct_scan_get_facts(scan)->geometry.du == 0.25);
  CHECK(strcmp(ct_scan_get_facts(scan)->path, in_folder("q.h5")) == 0);
  CHECK(strcmp(ct_scan_get_facts(scan)->dataset, "/exchange/data") == 0);
  ct_scan_free(scan);
  /* The description itself stands for what it lies beside. */
  CHECK_OK(scan = ct_scan_open(in_folder("q.scan.json"), NULL, &error));
  CHECK(ct_scan_get_facts(scan)->geometry.du == 0.25 && ct_scan_get_facts(scan)->geometry.views == VIEWS);
  ct_scan_free(scan);
  CHECK_OK(scan = ct_scan_open(in_folder("q.scan.json"), "{\"pixel_mm\": 7}", &error));
  CHECK(ct_scan_get_facts(scan)->geometry.du == 7);
  ct_scan_free(scan);
  write_text(in_folder("r.scan.json"), "{\"pixel_mm\": 1}");
  CHECK_FAILS(ct_scan_open(in_folder("r.scan.json"), NULL, &error), CT_ERROR_FORMAT, "beside NAME");
  write_text(in_folder("other.json"), "{\"pixel_mm\": 0.125}");
  CHECK_FAILS(ct_scan_open(in_folder("other.json"), NULL, &error), CT_ERROR_FORMAT, "beside NAME");
  CHECK_OK(scan = ct_scan_open(in_folder("q.h5"), in_folder("other.json"), &error));
  CHECK(ct_scan_get_facts(scan)->geometry.du == 0.125);
  ct_scan_free(scan);
  CHECK_OK(scan = ct_scan_open(in_folder("q.h5"), " {\"pixel_mm\": 2}", &error));
  CHECK(ct_scan_get_facts(scan)->geometry.du == 2);
  ct_scan_free(scan);
  CHECK_FAILS(ct_scan_open(in_folder("q.h5"), in_folder("none.json"), &error), CT_ERROR_IO, "none.json");
  write_text(in_folder("scan.json"), "{\"files\": \"q.h5\", \"pixel_mm\": 3}");
  CHECK_OK(scan = ct_scan_open(test_folder, NULL, &error));
  CHECK(ct_scan_get_facts(scan)->geometry.du == 3 && ct_scan_get_facts(scan)->geometry.views == VIEWS);
  CHECK(strcmp(ct_scan_get_facts(scan)->path, test_folder) == 0);
  ct_scan_free(scan);
  remove_test_folder();
}

/* One image of a series has its folder's description, but not one that puts files together. */
static void test_series(void) {
  ct_error *error = NULL;
  make_test_folder();
  float plane[4 * 3];
  const ct_png_plane written = {
      .values = plane, .width = 4, .height = 3, .pixel_x = 1, .pixel_y = 1, .bits = 16, .low = 0, .high = 11};
  for (int i = 0; i < 12; i++) plane[i] = (float)i;
  for (int i = 1; i < 4; i++) CHECK_OK(ct_png_write_plane(in_folder("p%d.png", i), &written, &error));
  static const char *const paths[] = {".", "p1.png", "p*.png", "scan.json"};
  write_text(in_folder("scan.json"), "{\"pixel_mm\": 0.25, \"angles_deg\": [0, 50, 100]}");
  for (int i = 0; i < 4; i++) {
    ct_scan *scan = ct_scan_open(in_folder("%s", paths[i]), NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    CHECK(facts->geometry.views == 3 && facts->geometry.du == 0.25);
    CHECK_NEAR(facts->geometry.angles[2], 100 * M_PI / 180, 1e-12);
    ct_scan_free(scan);
  }
  write_text(in_folder("scan.json"), "{\"files\": \"p*.png\", \"pixel_mm\": 0.5}");
  for (int i = 0; i < 2; i++) {
    ct_scan *scan = ct_scan_open(in_folder("%s", paths[i]), NULL, &error);
    CHECK_OK(scan);
    CHECK((ct_scan_get_facts(scan)->geometry.du == 0.5) == (i == 0));
    ct_scan_free(scan);
  }
  remove_test_folder();
}

static void test_faults(void) {
  static const struct {
    const char *entries, *words;
  } cases[] = {
      {"\"colour\": 1", "colour"},
      {"\"beam\": \"helix\"", "\"parallel\", \"fan\", \"cone\" or \"free\""},
      {"\"beam\": 3", "beam"},
      {"\"beam\": \"cone\"", "needs \"sod_mm\" and \"sdd_mm\""},
      {"\"beam\": \"cone\", \"sod_mm\": 500, \"sdd_mm\": 200", "a.json"},
      {"\"beam\": \"cone\", \"sod_mm\": -5, \"sdd_mm\": 200", "a.json"},
      {"\"beam\": \"fan\", \"sod_mm\": 100, \"sdd_mm\": 200", "a.json"},
      {"\"beam\": \"free\"", "matrices"},
      {"\"sod_mm\": \"far\"", "sod_mm"},
      {"\"pixel_mm\": 0", "pixel_mm"},
      {"\"pixel_mm\": [1, 2, 3]", "pixel_mm"},
      {"\"pixel_mm\": 1e999", "a.json"},
      {"\"centre_u\": null", "centre_u"},
      {"\"beam\": \"parallel\", \"centre_u\": [1, 2]", "2 columns for 3 projections"},
      {"\"beam\": \"parallel\", \"centre_u\": {\"file\": \"none.txt\"}", "none.txt"},
      {"\"centre_u\": [1, 2, 1]", "\"beam\" has to be told"},
      {"\"tilt_deg\": []", "tilt_deg"},
      {"\"feed_mm\": 3", "cone beam"},
      {"\"table_step_mm\": 3", "cone beam"},
      {"\"sod_mm\": 100, \"sdd_mm\": 200, \"table_step_mm\": 3, \"feed_mm\": 3", "tell one of them"},
      {"\"sod_mm\": 100, \"sdd_mm\": 200, \"start_z_mm\": 3", "needs \"feed_mm\""},
      {"\"angles_deg\": [0, 1]", "2 angles for 3 projections"},
      {"\"angles_deg\": [0, 1, \"x\"]", "angles_deg"},
      {"\"angles_deg\": {\"step\": \"x\"}", "step"},
      {"\"angles_deg\": {\"first\": 0}", "step"},
      {"\"angles_deg\": {\"step\": 1, \"last\": 5}", "last"},
      {"\"angles_deg\": 5", "angles_deg"},
      {"\"angles_deg\": {\"file\": \"none.txt\"}", "none.txt"},
      {"\"matrices\": [[1, 2], [3], []]", "12 numbers"},
      {"\"matrices\": [[1,0,0,0,0,1,0,0,0,0,0,1]]", "1 matrices for 3 projections"},
      {"\"matrices\": \"x\"", "matrices"},
      {"\"beam\": \"cone\", \"matrices\": []", "free"},
      {"\"values\": \"photons\"", "line integrals"},
      {"\"flip_rows\": 1", "true or false"},
      {"\"dataset\": 5", "dataset"},
      {"\"beam\": \"parallel\", \"beam\": \"parallel\"", "duplicate"},
  };
  ct_error *error = NULL;
  make_test_folder();
  make_frames(in_folder("p.raw"), 0, VIEWS);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_scan *scan = open_with(cases[i].entries, &error);
    if (scan || !error || !strstr(error->message, cases[i].words) || !strstr(error->message, test_folder))
      CT_TEST_END(1, "%s: %.250s", cases[i].entries, error ? error->message : "no error");
    ct_error_clear(&error);
  }
  static const struct {
    const char *json, *words;
  } texts[] = {{"", "empty"},
               {"{", "line 1"},
               {"[]", "JSON object"},
               {"{}", "\"files\""},
               {"{\"files\": 5}", "files"},
               {"{\"files\": \"\"}", "files"},
               {"{\"files\": \"none.tif\"}", "none.tif"},
               {"{\"files\": \"a.json\"}", "another description"},
               {"{\"files\": \"\xff\"}", "JSON"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    write_text(in_folder("a.json"), texts[i].json);
    ct_scan *scan = ct_scan_open(in_folder("a.json"), NULL, &error);
    /* An empty file is no valid JSON either; both words will do. */
    const bool told = error && (strstr(error->message, texts[i].words) || (i == 0 && strstr(error->message, "JSON")));
    if (scan || !told) CT_TEST_END(1, "%s: %.250s", texts[i].json, error ? error->message : "no error");
    ct_error_clear(&error);
  }
  remove_test_folder();
}

/* Cut anywhere, bits flipped anywhere: a scan or words. */
static void test_damaged(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_frames(in_folder("p.raw"), 0, VIEWS);
  char json[] =
      "{" FILES
      ", \"beam\": \"cone\", \"sod_mm\": 1e2, \"sdd_mm\": 200, \"angles_deg\": [0, 120, 2.4e2], \"flip_rows\": true}";
  const size_t bytes = sizeof json - 1;
  for (size_t at = 0; at < bytes; at++)
    for (int bit = -1; bit < 8; bit++) {
      const char old = json[at];
      if (bit >= 0) json[at] = (char)(json[at] ^ (1 << bit));
      write_file(in_folder("a.json"), json, bit < 0 ? at : bytes);
      json[at] = old;
      ct_scan *scan = ct_scan_open(in_folder("a.json"), NULL, &error);
      const bool good = scan ? !error : error && strstr(error->message, test_folder);
      ct_scan_free(scan);
      if (!good) CT_TEST_END(1, "byte %zu, bit %d: %.200s", at, bit, error ? error->message : "no error");
      ct_error_clear(&error);
    }
  remove_test_folder();
}

/* What a description names from elsewhere is not overwritten, nor is it itself. */
static void test_destroyed(void) {
  static const char far[] = "{\"files\": \"../far/p_*.tif\", "
                            "\"flats\": [{\"files\": \"../far/f.h5\", \"before_view\": 0}, \"../far/white\"], "
                            "\"darks\": {\"raw\": \"../far/d_#.raw\", \"type\": \"uint8\", \"dims\": [1, 1]}, "
                            "\"angles_deg\": {\"file\": \"../far/a.csv\"}, \"matrices\": {\"file\": \"../far/m.csv\"}}";
  static const struct {
    const char *scan, *description, *target;
    bool destroyed;
  } cases[] = {
      {"near", NULL, "far/p_2.tif", true},
      {"near", NULL, "near/scan.json", true},
      {"near/scan.json", NULL, "far/p_2.tif", true},
      {"near/scan.json", NULL, "far/f.h5", true},
      {"near/scan.json", NULL, "far/white/w_1.tif", true},
      {"near/scan.json", NULL, "far/d_1.raw", true},
      {"near/scan.json", NULL, "far/a.csv", true},
      {"near/scan.json", NULL, "far/m.csv", true},
      {"near/scan.json", NULL, "far/v.mha", false},
      {"near/scan.json", NULL, "far/white/v.mha", false},
      {"near/scan.json", NULL, "far/x.h5", false},
      {"far/x.h5", NULL, "far/f.h5", false},
      {"far/x.h5", "near/scan.json", "far/f.h5", true},
      {"far/x.h5", "near/scan.json", "near/scan.json", true},
      {"far/x.h5", "near/scan.json", "far/p_1.tif", false}, /* the file itself is opened, not those */
      {"far/d_1.raw", NULL, "far/d_1.scan.json", true},
      {"far/s.mhd", NULL, "far/d_2.raw", true},
      {"far/s.mhd", NULL, "far/s.ang", true},
      {"far/s.mhd", NULL, "far/d_1.raw", false},
      /* What a format writes beside its file. */
      {"near/scan.json", NULL, "far/d_1.mhd", true},
      {"near/scan.json", NULL, "far/d_1.nhdr", true},
      {"near/scan.json", NULL, "far/d_3.mhd", false},
      {"far/d_1.raw", "near/v.raw.json", "near/v.raw", true},
  };
  make_test_folder();
  static const char *const folders[] = {"near", "far", "far/white"};
  for (int i = 0; i < 3; i++) CHECK(mkdir(in_folder("%s", folders[i]), 0700) == 0);
  static const char *const files[] = {"p_1.tif", "p_2.tif", "white/w_1.tif", "white/w_2.tif", "white/v.mha",
                                      "f.h5",    "x.h5",    "d_1.raw",       "d_2.raw",       "a.csv",
                                      "m.csv",   "v.mha",   "s.ang"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) write_text(in_folder("far/%s", files[i]), "x");
  write_text(in_folder("near/scan.json"), far);
  write_text(in_folder("near/v.raw.json"), "{\"pixel_mm\": 1}");
  write_text(in_folder("far/d_1.scan.json"), "{\"files\": {\"type\": \"uint8\", \"dims\": [1, 1]}}");
  write_text(in_folder("far/s.mhd"), "ObjectType = Image\nNDims = 3\nDimSize = 1 1 1\nElementType = MET_UCHAR\n"
                                     "ElementDataFile = d_2.raw\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *description = cases[i].description ? in_folder("%s", cases[i].description) : NULL;
    if (ct_scan_is_destroyed(in_folder("%s", cases[i].scan), description, in_folder("%s", cases[i].target)) !=
        cases[i].destroyed)
      CT_TEST_END(1, "%s, written over %s", cases[i].scan, cases[i].target);
  }
  remove_test_folder();
}

/* Whatever a format writes beside its file is known to the protection. */
static void test_beside(void) {
  ct_error *error = NULL;
  const int count = find_targets();
  const ct_grid grid = ct_grid_centred(2, 2, 2, 1, NULL);
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  for (int i = 0; i < 2 * count; i++) {
    const char *name = targets[i / 2].name;
    make_test_folder();
    CHECK_OK(ct_volume_write(in_folder("%s", name), volume, &(ct_write_options){.compress = i % 2}, NULL, &error));
    DIR *dir = opendir(test_folder);
    const struct dirent *entry;
    char missed[64] = "";
    while ((entry = readdir(dir)))
      if (entry->d_name[0] != '.' && !ct_scan_is_destroyed(in_folder("%s", entry->d_name), NULL, in_folder("%s", name)))
        snprintf(missed, sizeof missed, "%.60s", entry->d_name);
    closedir(dir);
    if (*missed) CT_TEST_END(1, "%s overwrites %s", name, missed);
    remove_test_folder();
  }
  ct_volume_free(volume);
}

/* Every key is in the documentation. */
static void test_documentation(void) {
  static const char *const keys[] = {
      "comment",  "files",      "dataset",    "flats",      "darks",        "before_view",
      "beam",     "sod_mm",     "sdd_mm",     "pixel_mm",   "centre_u",     "centre_v",
      "tilt_deg", "angles_deg", "matrices",   "values",     "flip_rows",    "flip_columns",
      "raw",      "type",       "dims",       "byte_order", "header_bytes", "frame_header_bytes",
      "scale",    "offset",     "spacing_mm", "origin_mm",  "plan"};
  const char *path = "docs/scan-description.md";
  if (!path_exists(path)) SKIP("not run in the source folder");
  size_t bytes;
  unsigned char *text = read_file(path, &bytes);
  const char *missing = NULL;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "`%s`", keys[i]);
    if (!strstr((const char *)text, quoted)) missing = keys[i];
  }
  free(text);
  if (missing) CT_TEST_END(1, "%s is not in %s", missing, path);
}

static const ct_test tests[] = {
    {"a description tells the geometry", test_facts},
    {"angles and matrices, listed or in files", test_angles_and_matrices},
    {"a column for each projection lets the axis wander", test_wandering_axis},
    {"flats and darks from other files", test_flats},
    {"where descriptions are found", test_where},
    {"one image of a series", test_series},
    {"faults are named", test_faults},
    {"cut and flipped descriptions give words, not crashes", test_damaged},
    {"what a description names elsewhere is not overwritten", test_destroyed},
    {"nor what is written beside a volume's file", test_beside},
    {"every key is documented", test_documentation},
};

CT_TEST_MAIN(tests)
