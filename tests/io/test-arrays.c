/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NumPy, MRC and NRRD: one array behind a header, as a scan and as a volume; headers that lie. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/damage.h"
#include "tests/io/npz.h"
#include "tests/test.h"

#include <math.h>

enum { NU = 6, NV = 4, VIEWS = 3, SAMPLES = NU * NV * VIEWS };

static float sample_of(int view, int row, int column) {
  return (float)(24 * view + 6 * row + column);
}

static void check_scan(const char *path, const char *format) {
  ct_error *error = NULL;
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(strcmp(facts->format, format) == 0);
  CHECK(facts->geometry.views == VIEWS && facts->geometry.nv == NV && facts->geometry.nu == NU);
  float rows[NV * NU];
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 2, 1, 2, rows, &error));
  for (int i = 0; i < 2 * NU; i++) CHECK(rows[i] == sample_of(2, 1 + i / NU, i % NU));
  ct_scan_free(scan);
}

/* A .npy of version `version` whose samples are `bytes` bytes. */
static void write_npy(const char *path, int version, const char *dictionary, const void *samples, size_t bytes) {
  unsigned char file[2048] = "\x93NUMPY";
  const size_t length = strlen(dictionary), head = version > 1 ? 12 : 10;
  file[6] = (unsigned char)version;
  file[8] = (unsigned char)length;
  file[9] = (unsigned char)(length >> 8);
  memcpy(file + head, dictionary, length);
  memcpy(file + head + length, samples, bytes);
  write_file(path, file, head + length + bytes);
}

static void test_numpy(void) {
  ct_error *error = NULL;
  float floats[SAMPLES];
  uint16_t big[SAMPLES], half[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) {
    const int exponent = i ? (int)floor(log2(i)) : 0;
    floats[i] = (float)i;
    big[i] = __builtin_bswap16((uint16_t)i);
    half[i] = i ? (uint16_t)((exponent + 15) << 10 | (int)((i / exp2(exponent) - 1) * 1024)) : 0;
  }
  make_test_folder();
  write_npy(in_folder("a.npy"), 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 6), }\n", floats,
            sizeof floats);
  check_scan(in_folder("a.npy"), "NumPy");
  CHECK(ct_path_content(in_folder("a.npy"), NULL) == CT_CONTENT_EITHER);
  write_npy(in_folder("b.npy"), 2, "{\"shape\":(1, 3L, 1, 4, 6),'fortran_order':False,\"descr\":\">u2\"}", big,
            sizeof big);
  check_scan(in_folder("b.npy"), "NumPy");
  write_npy(in_folder("c.npy"), 3, "{'descr': '<f2', 'fortran_order': False, 'shape': (3, 4, 6)}", half, sizeof half);
  check_scan(in_folder("c.npy"), "NumPy");
  write_text(in_folder("c.ang"), "0 60 120\n");
  CHECK(ct_path_content(in_folder("c.npy"), NULL) == CT_CONTENT_SCAN);
  ct_volume *volume = ct_volume_read(in_folder("a.npy"), NULL, &error);
  CHECK_OK(volume);
  CHECK(ct_volume_grid(volume)->nz == VIEWS && ct_volume_get_data(volume)[30] == 30);
  ct_volume_free(volume);
  static const struct {
    const char *dictionary, *said;
  } wrong[] = {
      {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (3, 4, 6), }", "'fortran_order' is missing"},
      {"{'descr': '<c8', 'fortran_order': False, 'shape': (3, 4, 6), }", "samples of type"},
      {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", "no array of plain numbers"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (72,), }", "an array of 1 axes"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, -4, 6), }", "'shape' makes no sense"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 99999999999999999999), }", "makes no sense"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 3, 4, 6), }", "more than three axes"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (30000, 40000, 60000), }", "ends early"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 7), }", "ends early"},
      {"{'descr': '<f4', 'shape': (3, 4, 6), }", "'fortran_order' is missing"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    write_npy(in_folder("w.npy"), 1, wrong[i].dictionary, floats, sizeof floats);
    ct_scan *scan = ct_scan_open(in_folder("w.npy"), NULL, &error);
    if (scan || !strstr(error->message, wrong[i].said))
      CT_TEST_END(1, "case %zu: %s", i, scan ? "opens" : error->message);
    ct_error_clear(&error);
  }
  damage(in_folder("a.npy"), 80, 1);
  remove_test_folder();
}

/* Samples of an array whose first index runs fastest. */
static void turn_over(float out[SAMPLES]) {
  for (int view = 0; view < VIEWS; view++)
    for (int row = 0; row < NV; row++)
      for (int column = 0; column < NU; column++)
        out[view + VIEWS * (row + NV * column)] = sample_of(view, row, column);
}

static void test_fortran(void) {
  ct_error *error = NULL;
  float turned[SAMPLES];
  turn_over(turned);
  make_test_folder();
  write_npy(in_folder("f.npy"), 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4, 6), }\n", turned,
            sizeof turned);
  check_scan(in_folder("f.npy"), "NumPy");
  ct_volume *volume = ct_volume_read(in_folder("f.npy"), NULL, &error);
  CHECK_OK(volume);
  for (int i = 0; i < SAMPLES; i++) CHECK(ct_volume_get_data(volume)[i] == (float)i);
  ct_volume_free(volume);
  remove_test_folder();
}

/* Stored and deflated, in either order of indices, with angles in radians and in degrees. */
static void test_npz(void) {
  ct_error *error = NULL;
  float floats[SAMPLES], turned[SAMPLES];
  const double angles[2][VIEWS] = {{0, 1, 2}, {0, 60, 120}};
  for (int i = 0; i < SAMPLES; i++) floats[i] = (float)i;
  turn_over(turned);
  make_test_folder();
  for (int way = 0; way < 8; way++) {
    const bool fortran = way & 1, deflated = way & 2, degrees = way & 4;
    const npz_array arrays[] = {{"theta", "<f8", false, {VIEWS}, angles[degrees], sizeof *angles},
                                {"frames", "<f4", fortran, {VIEWS, NV, NU}, fortran ? turned : floats, sizeof floats}};
    write_npz(in_folder("a.npz"), arrays, 2, deflated);
    check_scan(in_folder("a.npz"), "NumPy");
    CHECK(ct_path_content(in_folder("a.npz"), NULL) == CT_CONTENT_SCAN);
    ct_scan *scan = ct_scan_open(in_folder("a.npz"), NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *f = ct_scan_get_facts(scan);
    CHECK(f->known & CT_KNOWN_ANGLES);
    CHECK_NEAR(f->geometry.angles[2], degrees ? 120 * M_PI / 180 : 2, 1e-15);
    ct_scan_free(scan);
    ct_volume *volume = ct_volume_read(in_folder("a.npz::frames"), NULL, &error);
    CHECK_OK(volume);
    for (int i = 0; i < SAMPLES; i++) CHECK(ct_volume_get_data(volume)[i] == (float)i);
    ct_volume_free(volume);
  }
  ct_dataset_list list;
  CHECK_OK(ct_file_list_datasets(in_folder("a.npz"), false, &list, &error));
  CHECK(list.count == 2 && list.items[0].rank == 1 && list.items[1].rank == 3 && list.items[1].dims[2] == NU);
  CHECK(strcmp(list.items[1].path, "frames") == 0 && strcmp(list.items[0].type, "float64") == 0);
  ct_dataset_list_clear(&list);
  CHECK_FAILS(ct_scan_open(in_folder("a.npz::gone"), NULL, &error), CT_ERROR_ARGUMENT, "theta, frames");
  write_npy(in_folder("f.npy"), 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4, 6), }\n", turned,
            sizeof turned);
  CHECK_FAILS(ct_scan_open(in_folder("f.npy::a"), NULL, &error), CT_ERROR_ARGUMENT, "no datasets inside");
  const npz_array two[] = {{"a", "<f4", false, {VIEWS, NV, NU}, floats, sizeof floats},
                           {"b", "<f4", false, {VIEWS, NV, NU}, floats, sizeof floats}};
  write_npz(in_folder("t.npz"), two, 2, true);
  CHECK_FAILS(ct_scan_open(in_folder("t.npz"), NULL, &error), CT_ERROR_FORMAT, "Say which");
  CHECK(ct_scan_is_unclear(in_folder("t.npz"), &list) && list.count == 2);
  ct_dataset_list_clear(&list);
  check_scan(in_folder("t.npz::b"), "NumPy");
  write_npz(in_folder("d.npz"), two, 1, true);
  damage(in_folder("d.npz"), 100, 4);
  /* One bit of the deflated samples. */
  size_t size;
  unsigned char *bytes = read_file(in_folder("d.npz"), &size);
  bytes[140] ^= 1;
  write_file(in_folder("d.npz"), bytes, size);
  free(bytes);
  ct_scan *scan = ct_scan_open(in_folder("d.npz"), NULL, &error);
  CHECK(!scan && error);
  ct_error_clear(&error);
  remove_test_folder();
}

/* An MRC of mode 1 with an extended header of 64 bytes. */
static void write_mrc(const char *path, bool big) {
  unsigned char file[1024 + 64 + 2 * SAMPLES] = {0};
  const uint32_t words[][2] = {{0, NU}, {1, NV}, {2, VIEWS}, {3, 1}, {7, NU}, {8, NV}, {9, VIEWS}, {23, 64}};
  const float cell[3] = {60, 40, 30};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const uint32_t value = big ? __builtin_bswap32(words[i][1]) : words[i][1];
    memcpy(file + 4 * words[i][0], &value, 4);
  }
  for (int i = 0; i < 3; i++) {
    uint32_t bits;
    memcpy(&bits, &cell[i], 4);
    if (big) bits = __builtin_bswap32(bits);
    memcpy(file + 40 + 4 * i, &bits, 4);
  }
  memcpy(file + 208, "MAP ", 4);
  file[212] = file[213] = big ? 0x11 : 0x44;
  for (int i = 0; i < SAMPLES; i++) {
    const uint16_t value = big ? __builtin_bswap16((uint16_t)i) : (uint16_t)i;
    memcpy(file + 1088 + 2 * i, &value, 2);
  }
  write_file(path, file, sizeof file);
}

static void test_mrc(void) {
  ct_error *error = NULL;
  make_test_folder();
  for (int big = 0; big < 2; big++) {
    write_mrc(in_folder("t.mrc"), big);
    check_scan(in_folder("t.mrc"), "MRC");
  }
  CHECK(ct_path_content(in_folder("t.mrc"), NULL) == CT_CONTENT_EITHER);
  write_text(in_folder("t.tlt"), " -60.0\n   0.0\n  60.0\n");
  CHECK(ct_path_content(in_folder("t.mrc"), NULL) == CT_CONTENT_SCAN);
  ct_scan *scan = ct_scan_open(in_folder("t.mrc"), NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(facts->known == (CT_KNOWN_ANGLES | CT_KNOWN_PITCH));
  CHECK_NEAR(facts->geometry.angles[0], -M_PI / 3, 1e-12);
  CHECK_NEAR(facts->geometry.du, 10e-7, 1e-15); /* 10 Angstrom */
  ct_scan_free(scan);
  CHECK(ct_scan_is_destroyed(in_folder("t.mrc"), NULL, in_folder("t.tlt")));
  write_mrc(in_folder("v.rec"), false);
  CHECK(ct_path_content(in_folder("v.rec"), NULL) == CT_CONTENT_VOLUME);
  ct_volume *volume = ct_volume_read(in_folder("v.rec"), NULL, &error);
  CHECK_OK(volume);
  CHECK(ct_volume_get_data(volume)[SAMPLES - 1] == SAMPLES - 1);
  CHECK_NEAR(ct_volume_grid(volume)->dx, 1e-6, 1e-15);
  ct_volume_free(volume);
  damage(in_folder("t.mrc"), 240, 4);
  remove_test_folder();
}

static void test_nrrd(void) {
  make_test_folder();
  char file[512];
  const int length = snprintf(
      file, sizeof file,
      "NRRD0004\ntype: uint8\ndimension: 3\nsizes: %d %d %d\nencoding: raw\nspacings: 0.5 0.5 nan\n\n", NU, NV, VIEWS);
  for (int i = 0; i < SAMPLES; i++) file[length + i] = (char)i;
  write_file(in_folder("s.nrrd"), file, (size_t)length + SAMPLES);
  CHECK(ct_path_content(in_folder("s.nrrd"), NULL) == CT_CONTENT_EITHER);
  write_text(in_folder("s.ang"), "0 45 90\n");
  CHECK(ct_path_content(in_folder("s.nrrd"), NULL) == CT_CONTENT_SCAN);
  check_scan(in_folder("s.nrrd"), "NRRD");
  ct_scan *scan = ct_scan_open(in_folder("s.nrrd"), NULL, NULL);
  CHECK(scan && ct_scan_get_facts(scan)->geometry.du == 0.5);
  CHECK(ct_scan_get_facts(scan)->known == (CT_KNOWN_ANGLES | CT_KNOWN_PITCH));
  ct_scan_free(scan);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"NumPy", test_numpy}, {"NumPy: Fortran order", test_fortran}, {"NumPy: archives", test_npz},
    {"MRC", test_mrc},     {"NRRD as a scan", test_nrrd},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
