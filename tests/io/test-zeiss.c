/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of Zeiss microscopes: compound files of both versions as scans and volumes, shifts, and damaged ones. */
#include "recon/io/io.h"
#include "tests/io/compound.h"
#include "tests/io/damage.h"
#include "tests/test.h"

#include <math.h>

static double sample_of(const zeiss_file *z, int view, int row, int column) {
  return view * 1000 + row * z->nu + column; /* row 0: the first of the file */
}

/* 12 x 10 pixels lie in the small stream, 60 x 50 in sectors of their own. */
static void check_scan(const zeiss_file *z) {
  ct_error *error = NULL;
  make_test_folder();
  write_zeiss(in_folder("a.txrm"), z);
  CHECK(ct_path_content(in_folder("a.txrm"), NULL) == CT_CONTENT_SCAN);
  ct_scan *scan = ct_scan_open(in_folder("a.txrm"), NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *f = ct_scan_get_facts(scan);
  const ct_geometry *g = &f->geometry;
  CHECK(g->nu == z->nu && g->nv == z->nv && g->views == z->views && f->flats == 1 && f->values == CT_VALUES_COUNTS);
  CHECK_NEAR(g->sod, 50, 0);
  CHECK_NEAR(g->sdd, 200, 0);
  CHECK_NEAR(g->du, 0.08, 1e-9);              /* 20 um at the object, seen four times as large */
  CHECK_NEAR(g->angles[2], -M_PI / 3, 1e-12); /* written as 60 degrees */
  CHECK((f->known & CT_KNOWN_PITCH) && (f->known & CT_KNOWN_ANGLES) && (f->known & CT_KNOWN_BEAM));
  float *rows = malloc((size_t)(z->nu * z->nv) * sizeof *rows);
  for (int view = 0; view < z->views; view++) {
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, view, 0, z->nv, rows, &error));
    const int sx = z->shifted && view == 1 ? 2 : 0, sy = z->shifted && view == 1 ? -1 : 0;
    for (int row = 0; row < z->nv; row++)
      for (int column = 0; column < z->nu; column++) {
        const int from = (int)fmin(fmax(z->nv - 1 - row - sy, 0), z->nv - 1), across = (int)fmax(column - sx, 0);
        CHECK(rows[row * z->nu + column] == sample_of(z, view, from, across));
      }
  }
  CHECK_OK(ct_scan_read(scan, CT_FRAME_FLAT, 0, z->nv - 1, 1, rows, &error));
  CHECK(rows[0] == 40000 && rows[z->nu - 1] == 40000 + (float)z->nu - 1);
  free(rows);
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_scans(void) {
  for (int version = 3; version <= 4; version++)
    for (int size = 0; size < 2; size++)
      for (int shifted = 0; shifted < 2; shifted++)
        check_scan(&(zeiss_file){size ? 60 : 12, size ? 50 : 10, 4, version, false, shifted});
}

static void test_volume(void) {
  ct_error *error = NULL;
  const zeiss_file z = {30, 20, 5, 3, true, false};
  make_test_folder();
  write_zeiss(in_folder("a.txm"), &z);
  CHECK(ct_path_content(in_folder("a.txm"), NULL) == CT_CONTENT_VOLUME);
  ct_volume *volume = ct_volume_read(in_folder("a.txm"), NULL, &error);
  CHECK_OK(volume);
  const ct_grid *grid = ct_volume_grid(volume);
  CHECK(grid->nx == 30 && grid->ny == 20 && grid->nz == 5);
  CHECK_NEAR(grid->dx, 0.02, 1e-9);
  CHECK(ct_volume_get_data(volume)[2 * 600 + 19 * 30 + 7] == sample_of(&z, 2, 0, 7));
  ct_volume_free(volume);
  remove_test_folder();
}

static void test_wrong(void) {
  ct_error *error = NULL;
  static compound c;
  const uint16_t picture[12] = {0};
  make_test_folder();
  for (int what = 0; what < 4; what++) {
    compound_add_int(&c, "ImageWidth", 4);
    if (what != 0) compound_add_int(&c, "ImageHeight", 3);
    compound_add_int(&c, "DataType", what == 1 ? 7 : 5);
    compound_add_int(&c, "NoOfImages", what == 2 ? 2 : 1);
    compound_add(&c, "ImageData1", "Image1", picture, what == 3 ? 20 : sizeof picture);
    compound_write(&c, in_folder("w.xrm"), 3);
    static const char *const said[] = {"does not tell the size", "samples of kind 7", "picture 2 of 2 is missing",
                                       "picture 1 of 1 is cut short"};
    CHECK_FAILS(ct_scan_open(in_folder("w.xrm"), NULL, &error), what == 1 ? CT_ERROR_UNSUPPORTED : CT_ERROR_FORMAT,
                said[what]);
  }
  write_text(in_folder("t.txrm"), "text");
  CHECK_FAILS(ct_scan_open(in_folder("t.txrm"), NULL, &error), CT_ERROR_FORMAT, "not even its header");
  remove_test_folder();
}

/* The software's centre and several reference images are named. */
static void test_ignored(void) {
  ct_error *error = NULL;
  static compound c;
  const uint16_t picture[12] = {0};
  const float shift = -2.5f;
  make_test_folder();
  compound_add_int(&c, "ImageWidth", 4);
  compound_add_int(&c, "ImageHeight", 3);
  compound_add_int(&c, "DataType", 5);
  compound_add_int(&c, "NoOfImages", 1);
  compound_add(&c, "ImageData1", "Image1", picture, sizeof picture);
  compound_add(&c, "MultiReferenceData", "Image1", picture, sizeof picture);
  compound_add(&c, "ReconSettings", "CenterShift", &shift, sizeof shift);
  compound_write(&c, in_folder("i.xrm"), 3);
  ct_scan *scan = ct_scan_open(in_folder("i.xrm"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_remarks_count(ct_scan_get_facts(scan)->remarks, CT_REMARK_IGNORED) == 2);
  CHECK(ct_scan_get_facts(scan)->flats == 0 && !(ct_scan_get_facts(scan)->known & CT_KNOWN_CENTRE));
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_damage(void) {
  make_test_folder();
  write_zeiss(in_folder("d.txrm"), &(zeiss_file){12, 10, 3, 3, false, true});
  damage(in_folder("d.txrm"), 80, 1);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"scans of both versions: counts, geometry, frames, reference, shifts", test_scans},
    {"a volume: slices from below, rows from the top", test_volume},
    {"files that lack what is needed say so", test_wrong},
    {"what is not read is named", test_ignored},
    {"damaged files", test_damage},
};
CT_TEST_MAIN(tests)
