/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NRRD: volumes there and back, headers attached and detached, and headers that lie. */
#include "tests/io/io-test.h"

#include <zlib.h>

#define HEAD(rest) "NRRD0004\n# a remark\ntype: uint8\ndimension: 3\nsizes: 2 2 2\n" rest

static const char *put_file(const char *name, const char *header, const void *data, size_t size) {
  const char *path = scratch_path(name);
  FILE *file = fopen(path, "wb");
  if (!file || fputs(header, file) < 0 || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
  return path;
}

static void test_round_trip(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(5, 4, 3);
  const ct_write_options packed = {CT_SAMPLES_FLOAT32, NAN, NAN, true};
  const ct_write_options integers = {CT_SAMPLES_UINT16, NAN, NAN, false}, both = {CT_SAMPLES_UINT16, -30, 40, true};
  const char *const names[] = {"a.nrrd", "b.nhdr"};
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, NULL, &error), 0, 0);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &packed, &error), 0, 0);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &integers, &error), 0, 0.51 * 59 * 0.37 / 65535 + 2e-6);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &both, &error), 0, 0.51 * 70 / 65535 + 2e-6);
  }
  ct_volume_free(volume);
  CHECK(access(scratch_path("b.raw"), F_OK) == 0 && access(scratch_path("b.raw.gz"), F_OK) == 0);
}

static bool reads_ramp(const char *path, ct_error **error) {
  ct_volume *volume = ct_volume_read(path, NULL, error);
  if (!volume) return false;
  bool good = ct_grid_voxels(ct_volume_grid(volume)) == 8;
  for (int i = 0; good && i < 8; i++) good = ct_volume_get_data(volume)[i] == (float)(i + 1);
  ct_volume_free(volume);
  return good || ct_error_set(error, CT_ERROR_DATA, "other values than 1 to 8");
}

static void test_places_of_data(void) {
  static const struct {
    const char *lines;
    bool good;
  } cases[] = {
      {"encoding: raw\ndata file: ramp.bin\n", true},
      {"encoding: raw\ndatafile: ramp.bin", true},
      {"encoding: raw\r\ndata file: ramp.bin\r\n", true},
      {"encoding: raw\nbyte skip: 3\ndata file: shifted.bin\n", true},
      {"encoding: raw\nbyteskip: -1\ndata file: shifted.bin\n", true},
      {"encoding: raw\nline skip: 2\ndata file: lines.bin\n", true},
      {"encoding: raw\nline skip: 1\nbyte skip: 2\ndata file: lines.bin\n", true},
      {"encoding: gz\ndata file: ramp.gz\n", true},
      {"encoding: raw\ndata file: half%02d.bin 3 5 2\n", true},
      {"encoding: raw\ndata file: LIST\nhalf03.bin\nhalf05.bin\n", true},
      {"encoding: raw\ndata file: LIST 2\nhalf03.bin\nhalf05.bin", true},
      {"encoding: raw\nline skip: 9\ndata file: lines.bin\n", false},
      {"encoding: raw\nbyte skip: 9000000000000000000\ndata file: ramp.bin\n", false},
      {"encoding: raw\nbyte skip: 4\ndata file: ramp.bin\n", false},
      {"encoding: raw\ndata file: LIST\nhalf03.bin\n", false},
      {"encoding: raw\ndata file: half%s.bin 1 2 1\n", false},
      {"encoding: raw\ndata file: missing.bin\n", false},
      {"encoding: gzip\nbyte skip: 1\ndata file: ramp.gz\n", false},
      {"encoding: raw\n", false},
  };
  ct_error *error = NULL;
  const unsigned char ramp[] = {1, 2, 3, 4, 5, 6, 7, 8}, shifted[] = {9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8};
  put_bytes(scratch_path("ramp.bin"), ramp, 8);
  put_bytes(scratch_path("shifted.bin"), shifted, 11);
  put_bytes(scratch_path("lines.bin"), "a\nb\n\1\2\3\4\5\6\7\10", 12);
  put_bytes(scratch_path("half03.bin"), ramp, 4);
  put_bytes(scratch_path("half05.bin"), ramp + 4, 4);
  gzFile packed = gzopen(scratch_path("ramp.gz"), "wb");
  CHECK(packed && gzwrite(packed, ramp, 8) == 8 && gzclose(packed) == Z_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char header[512];
    snprintf(header, sizeof header, HEAD("%s"), cases[i].lines);
    put_string(scratch_path("places.nhdr"), header);
    const bool good = reads_ramp(scratch_path("places.nhdr"), &error);
    if (good != cases[i].good) CT_TEST_END(1, "case %zu: %.300s", i, error ? error->message : "read");
    if (!good)
      CHECK(strstr(error->message, "places.nhdr") || strstr(error->message, ".bin") || strstr(error->message, ".gz"));
    ct_error_clear(&error);
  }
  CHECK_OK(reads_ramp(put_file("attached.nrrd", HEAD("encoding: raw\n\n"), ramp, 8), &error));
  CHECK_OK(reads_ramp(put_file("attached.nrrd", HEAD("encoding: raw\nbyte skip: -1\n\n"), shifted, 11), &error));
}

static void test_grids(void) {
  static const struct {
    const char *lines;
    double size[3], first[3];
  } cases[] = {
      {"", {1, 1, 1}, {-0.5, -0.5, -0.5}},
      {"spacings: 0.5 2 nan\n", {0.5, 2, 1}, {-0.25, -1, -0.5}},
      {"spacings: 0.5 2 3\naxis mins: 7 nan -1\n", {0.5, 2, 3}, {7, -1, -1}},
      {"space dimension: 3\nspace directions: (0.5,0,0) (0,2,0) (0,0,3)\nspace origin: (1, -2e1 ,3)\n",
       {0.5, 2, 3},
       {1, -20, 3}},
      {"space dimension: 3\nspace units: \"um\" \"um\" \"um\"\nspace directions: (500,0,0) (0,2000,0) "
       "(0,0,3000)\nspace origin: (1000,0,0)\n",
       {0.5, 2, 3},
       {1, 0, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    char header[512];
    snprintf(header, sizeof header, HEAD("encoding: raw\n%s\n"), cases[i].lines);
    ct_volume *volume = ct_volume_read(put_file("grid.nrrd", header, "12345678", 8), NULL, &error);
    CHECK_OK(volume);
    const ct_grid g = *ct_volume_grid(volume);
    ct_volume_free(volume);
    const double size[3] = {g.dx, g.dy, g.dz}, first[3] = {g.x0, g.y0, g.z0};
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(size[k], cases[i].size[k], 1e-12);
      CHECK_NEAR(first[k], cases[i].first[k], 1e-12);
    }
  }
}

/* What the unit of the samples says that a scan's values are; of absorbances the base is doubted. */
static void test_meanings(void) {
  static const struct {
    const char *unit;
    int values, doubts;
  } cases[] = {{"OD", CT_VALUES_OPTICAL_DENSITY, 0},
               {"\"OD\"", CT_VALUES_OPTICAL_DENSITY, 0},
               {"absorbance", CT_VALUES_OPTICAL_DENSITY, 1},
               {"counts", CT_VALUES_COUNTS, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    char header[512];
    snprintf(header, sizeof header, HEAD("encoding: raw\nsample units: %s\n\n"), cases[i].unit);
    ct_scan *scan = ct_scan_open(put_file("unit.nrrd", header, "12345678", 8), NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    CHECK((int)facts->values == cases[i].values);
    CHECK(ct_remarks_count(facts->remarks, CT_REMARK_DOUBT) == cases[i].doubts);
    ct_scan_free(scan);
  }
}

static void test_byte_order(void) {
  ct_error *error = NULL;
  const unsigned char big[] = {0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0}, little[] = {1, 0, 0xfe, 0xff};
  ct_volume *volume = ct_volume_read(
      put_file("order.nrrd", "NRRD0001\ntype: float\ndimension: 1\nsizes: 2\nendian: big\nencoding: raw\n\n", big, 8),
      NULL, &error);
  CHECK_OK(volume);
  CHECK(ct_volume_get_data(volume)[0] == 1 && ct_volume_get_data(volume)[1] == -2.5f);
  ct_volume_free(volume);
  volume = ct_volume_read(
      put_file("order.nrrd",
               "NRRD0005\ntype: signed short\ndimension: 2\nsizes: 1 2\nendian: little\nencoding: raw\n\n", little, 4),
      NULL, &error);
  CHECK_OK(volume);
  CHECK(ct_volume_get_data(volume)[0] == 1 && ct_volume_get_data(volume)[1] == -2);
  ct_volume_free(volume);
}

static void test_bad_headers(void) {
  static const struct {
    const char *header, *words;
    ct_error_code code;
  } cases[] = {
      {"", "empty", CT_ERROR_FORMAT},
      {"no such thing\n", "not an NRRD", CT_ERROR_FORMAT},
      {"NRRD0009\n", "version", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: uint8\n", "lacks", CT_ERROR_FORMAT},
      {"NRRD0004\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\n", "type", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 2\n\n", "encoding", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: short\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\n", "endian", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: uint8\ndimension: 2\nsizes: 2 2 2\nencoding: raw\n\n", "dimension", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 0 2\nencoding: raw\n\n", "size", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 -2 2\nencoding: raw\n\n", "size", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: double\nendian: big\ndimension: 3\nsizes: 2147483647 2147483647 2147483647\nencoding: raw\n\n",
       "size", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4000 4000 4000\nencoding: raw\n\n", "ends early", CT_ERROR_FORMAT},
      {"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4000 4000 4000\nencoding: gzip\n\nxx", "ends early",
       CT_ERROR_FORMAT},
      {"NRRD0004\ntype: uint8\ndimension: 4\nsizes: 3 2 2 2\nencoding: raw\n\n", "three axes", CT_ERROR_UNSUPPORTED},
      {"NRRD0004\ntype: block\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\n", "block", CT_ERROR_UNSUPPORTED},
      {HEAD("encoding: bzip2\n\n"), "bzip2", CT_ERROR_UNSUPPORTED},
      {HEAD("encoding: raw\nspace directions: (0,1,0) (1,0,0) (0,0,1)\n\n12345678"), "turned", CT_ERROR_UNSUPPORTED},
      {HEAD("encoding: raw\nspace directions: (-1,0,0) (0,1,0) (0,0,1)\n\n12345678"), "positive", CT_ERROR_UNSUPPORTED},
      {HEAD("encoding: raw\nspace directions: (1,0,0 (0,1,0) (0,0,1)\n\n12345678"), "space directions",
       CT_ERROR_FORMAT},
      {HEAD("encoding: raw\nno colon here\n\n12345678"), "line 7", CT_ERROR_FORMAT},
      {HEAD("encoding: gzip\n\nnot deflated"), "damaged", CT_ERROR_FORMAT},
  };
  const ct_format *format = ct_format_find("nrrd");
  CHECK(format);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    put_string(scratch_path("bad.nrrd"), cases[i].header);
    ct_volume *volume = ct_volume_read_as(format, scratch_path("bad.nrrd"), NULL, &error);
    if (volume || !error || error->code != cases[i].code || !strstr(error->message, cases[i].words) ||
        !strstr(error->message, "bad.nrrd"))
      CT_TEST_END(1, "case %zu: %.300s", i, error ? error->message : "read");
    ct_error_clear(&error);
  }
}

static void test_output_faults(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(40, 40, 10);
  char path[600];
  snprintf(path, sizeof path, "%s/x.nrrd", read_only_folder());
  CHECK_FAILS(ct_volume_write(path, volume, NULL, NULL, &error), CT_ERROR_IO, "x.nrrd");
  const ct_write_options packed = {CT_SAMPLES_FLOAT32, NAN, NAN, true};
  const char *const names[] = {"full/x.nrrd", "full/x.nhdr"};
  for (int i = 0; i < 4; i++) {
    limit_file_size(10000);
    const bool written = ct_volume_write(scratch_path(names[i % 2]), volume, i < 2 ? NULL : &packed, NULL, &error);
    unlimit_file_size();
    CHECK_FAILS(written, CT_ERROR_IO, "full/x.");
    CHECK(count_entries(scratch_path("full")) == 0);
  }
  ct_volume_free(volume);
}

static bool read_volume(const char *path, ct_error **error) {
  return try_volume(ct_format_find("nrrd"), path, error);
}

static void test_damage(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(4, 3, 2);
  const ct_write_options packed = {CT_SAMPLES_FLOAT32, NAN, NAN, true};
  int refused;
  CHECK_OK(ct_volume_write(scratch_path("valid.nrrd"), volume, NULL, NULL, &error));
  CHECK(damage(scratch_path("valid.nrrd"), "hurt.nrrd", 1, read_volume, &refused) == 0);
  CHECK(refused > 500);
  CHECK_OK(ct_volume_write(scratch_path("valid.nrrd"), volume, &packed, NULL, &error));
  CHECK(damage(scratch_path("valid.nrrd"), "hurt.nrrd", 1, read_volume, &refused) == 0);
  CHECK(refused > 500);
  ct_volume_free(volume);
}

static const ct_test tests[] = {
    {"volumes there and back", test_round_trip},
    {"where data may lie", test_places_of_data},
    {"spacings, directions, origins, units", test_grids},
    {"units of samples", test_meanings},
    {"byte orders", test_byte_order},
    {"bad headers", test_bad_headers},
    {"read-only and full folders", test_output_faults},
    {"damaged files", test_damage},
};

IO_TEST_MAIN(tests)
