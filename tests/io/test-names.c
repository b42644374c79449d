/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Natural order of file names, patterns, numbers in text, samples of any type. */
#include "recon/io/shared/io-private.h"
#include "recon/io/io.h"
#include "recon/base/memory.h"
#include "tests/io/files.h"
#include "tests/test.h"

#include <locale.h>

static void test_natural_order(void) {
  static const char *const sorted[] = {
      "a", "a1", "a01", "a2", "a2b", "a10", "a10b2", "a10b10", "a99999999999999999999998", "a99999999999999999999999",
      "b", "b0", "b00"};
  for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++)
    for (size_t j = 0; j < sizeof sorted / sizeof *sorted; j++) {
      const int order = ct_natural_compare(sorted[i], sorted[j]);
      /* Names that differ in leading zeros only need an order, whichever. */
      const bool twins = (i == 1 && j == 2) || (i == 2 && j == 1) || (i > 10 && j > 10);
      if (i != j && twins)
        CHECK(order != 0 && order == -ct_natural_compare(sorted[j], sorted[i]));
      else
        CHECK((order > 0) - (order < 0) == (i > j) - (i < j));
    }
}

static void test_pattern(void) {
  static const struct {
    const char *pattern;
    size_t count;
    const char *first;
  } cases[] = {{"p_*.raw", 4, "p_1.raw"},        {"p_##.raw", 2, "p_02.raw"},
               {"p_#.raw", 1, "p_1.raw"},        {"p_%d.raw", 3, "p_1.raw"},
               {"p_%02d.raw", 3, "p_1.raw"},     {"p_?.raw", 2, "p_1.raw"},
               {"*10.raw", 1, "p_10.raw"},       {"%d", 1, "7"},
               {"s_*_%d.png", 1, "s_2_a_10.png"}}; /* the star takes a number, too */
  ct_error *error = NULL;
  make_test_folder();
  static const char *const names[] = {"p_1.raw", "p_02.raw", "p_10.raw",    "p_x.raw",     "q.raw",
                                      "7",       ".p_5.raw", "p_1.raw.bak", "s_2_a_10.png"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) write_text(in_folder("%s", names[i]), "x");
  mkdir(in_folder("p_3.raw"), 0777);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_file_list list;
    const char *pattern = in_folder("%s", cases[i].pattern);
    CHECK(ct_path_is_pattern(pattern));
    CHECK_OK(ct_file_list_pattern(&list, pattern, &error));
    const bool good = list.count == cases[i].count && strcmp(ct_path_name(list.paths[0]), cases[i].first) == 0;
    const size_t count = list.count;
    ct_file_list_clear(&list);
    if (!good) CT_TEST_END(1, "%s fits %zu files", cases[i].pattern, count);
  }
  ct_file_list list;
  CHECK_FAILS(ct_file_list_pattern(&list, in_folder("z*.tif"), &error), CT_ERROR_IO, "z*.tif");
  CHECK_FAILS(ct_file_list_folder(&list, test_folder, "tif tiff", &error), CT_ERROR_FORMAT, "tif tiff");
  CHECK_OK(ct_file_list_folder(&list, test_folder, "tif RAW", &error));
  CHECK(list.count == 5);
  CHECK(strcmp(ct_path_name(list.paths[2]), "p_10.raw") == 0);
  ct_file_list_clear(&list);
  remove_test_folder();
}

/* A file that cannot be read is told by what its first bytes say, with the way out. */
static void test_true_names(void) {
  static const struct {
    size_t at;
    const char *bytes, *words;
  } cases[] = {{128, "DICM", "is a DICOM file: dcm2niix"},
               {344, "ni1", "is the header of a NIfTI volume in two files"},
               {344, "n+1", "a NIfTI volume: give it the extension .nii"},
               {0, "\x1f\x8b", "compressed by gzip: unpack it"},
               {0, "\xff\xd8\xff", "is a JPEG picture"},
               {0, "MATLAB 5.0", "give it the extension .mat"}};
  make_test_folder();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned char bytes[512] = {0};
    ct_error *error = NULL;
    memcpy(bytes + cases[i].at, cases[i].bytes, strlen(cases[i].bytes));
    FILE *file = fopen(in_folder("file"), "wb");
    CHECK(file && fwrite(bytes, sizeof bytes, 1, file) == 1 && fclose(file) == 0);
    CHECK_FAILS(ct_scan_open(in_folder("file"), NULL, &error), CT_ERROR_UNSUPPORTED, cases[i].words);
  }
  remove_test_folder();
}

/* A folder that nothing can be read from is told with what lies in it. */
static void test_folders_in_words(void) {
  const char *folder = make_test_folder();
  ct_error *error = NULL;
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT, "neither TIFF nor PNG");
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT, "that tells of others. It is empty.");
  write_text(in_folder("b10.jpg"), "x");
  write_text(in_folder("b9.jpg"), "x");
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT, "It holds b9.jpg, b10.jpg.");
  write_text(in_folder("b8"), "\xff\xd8\xff\xe0");
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT,
              "It holds b8, b9.jpg, b10.jpg. b8 is a JPEG picture: projections that were saved in it");
  unlink(in_folder("b8"));
  CHECK_FAILS(ct_volume_read(folder, NULL, &error), CT_ERROR_FORMAT, "holds no TIFF images. It holds b9.jpg");
  write_text(in_folder("c.txt"), "x");
  write_text(in_folder("d.txt"), "x");
  write_text(in_folder(".hidden"), "x");
  CHECK(mkdir(in_folder("frames"), 0700) == 0);
  CHECK_FAILS(
      ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT,
      "It holds b9.jpg, b10.jpg, c.txt and 1 more file, and the folder frames: open one that holds the images.");
  write_text(in_folder("z.h5"), "x");
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT,
              "and 2 more files, and the folder frames. This one can be opened by itself: z.h5.");
  remove_test_folder();
  /* A description that names no files opens nothing, nor does a plan. */
  folder = make_test_folder();
  write_text(in_folder("plan.json"), "{\"gantry_plan\": 1}");
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT, "that tells of others. It holds plan.json.");
  unlink(in_folder("plan.json"));
  write_text(in_folder("scan.json"), "{\"pixel_mm\": 0.5}");
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT,
              "It holds scan.json. The scan.json tells a geometry but names no files: put the images beside it");
  CHECK_FAILS(ct_volume_read(folder, NULL, &error), CT_ERROR_FORMAT, "holds no TIFF images. It holds scan.json.");
  write_text(in_folder("other.json"), "{\"files\": \"p*.tif\"}");
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT,
              "It holds other.json, scan.json. This one can be opened by itself: other.json.");
  remove_test_folder();
  /* Long names end with a whole character, and leave room for the advice. */
#define TEN "ääääääääää"
  folder = make_test_folder();
  for (int i = 0; i < 3; i++) {
    write_text(in_folder("%d" TEN TEN TEN TEN TEN ".h5", i), "x");
    CHECK(mkdir(in_folder("x%d" TEN TEN TEN TEN TEN, i), 0700) == 0);
  }
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT,
              "It holds 0" TEN TEN TEN "ä…, 1" TEN TEN TEN "ä…, 2" TEN TEN TEN "ä…, and the folders x0" TEN TEN TEN
              "ä…, ");
  CHECK_FAILS(ct_scan_open(folder, NULL, &error), CT_ERROR_FORMAT,
              "These can be opened by themselves: 0" TEN TEN TEN "ä…, 1" TEN TEN TEN "ä…, 2" TEN TEN TEN "ä….");
#undef TEN
  remove_test_folder();
}

static void test_numbers(void) {
  ct_error *error = NULL;
  double *values;
  size_t count;
  char text[32];
  make_test_folder();
  write_text(in_folder("a.txt"), "\xef\xbb\xbf# angles\n0, 0.5;1e1\t-2.25\n\n  # more\n3\r\n");
  CHECK_OK(ct_read_numbers(in_folder("a.txt"), &values, &count, &error));
  const double expected[] = {0, 0.5, 10, -2.25, 3};
  CHECK(count == 5 && memcmp(values, expected, sizeof expected) == 0);
  ct_free(values);
  static const char *const bad[] = {"1\n2\nabc\n", "1,2\n3x", "nan", "1 inf", "", "# only words\n", "1e999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    write_text(in_folder("b.txt"), bad[i]);
    CHECK_FAILS(ct_read_numbers(in_folder("b.txt"), &values, &count, &error), CT_ERROR_FORMAT, "b.txt");
  }
  write_file(in_folder("b.txt"), "1\0 2", 4);
  CHECK_FAILS(ct_read_numbers(in_folder("b.txt"), &values, &count, &error), CT_ERROR_FORMAT, "zero bytes");
  CHECK_FAILS(ct_read_numbers(in_folder("none.txt"), &values, &count, &error), CT_ERROR_IO, "none.txt");
  CHECK_FAILS(ct_read_numbers(test_folder, &values, &count, &error), CT_ERROR_IO, "folder");
  remove_test_folder();
  const double numbers[] = {0, 1, -0.1, 1.0 / 3, 6.02214076e23, 5e-324, 1.7976931348623157e308, 0.30430000000000001};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    CHECK(ct_text_to_double(ct_double_to_text(numbers[i], text), NULL) == numbers[i]);
  CHECK(strcmp(ct_double_to_text(0.1, text), "0.1") == 0);
}

static void test_samples(void) {
  static const unsigned char two[] = {0x80, 0x01}, four[] = {0xff, 0xff, 0xff, 0xfe};
  static const unsigned char pi[] = {0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18};
  float out;
  ct_samples_to_float(two, CT_SAMPLE_UINT16, true, 1, &out);
  CHECK_NEAR(out, 0x8001, 0);
  ct_samples_to_float(two, CT_SAMPLE_UINT16, false, 1, &out);
  CHECK_NEAR(out, 0x0180, 0);
  ct_samples_to_float(two, CT_SAMPLE_INT16, true, 1, &out);
  CHECK_NEAR(out, -32767, 0);
  ct_samples_to_float(two, CT_SAMPLE_INT8, true, 1, &out);
  CHECK_NEAR(out, -128, 0);
  ct_samples_to_float(four, CT_SAMPLE_INT32, true, 1, &out);
  CHECK_NEAR(out, -2, 0);
  ct_samples_to_float(four, CT_SAMPLE_UINT32, true, 1, &out);
  CHECK_NEAR(out, 4294967294.0, 2);
  ct_samples_to_float(pi, CT_SAMPLE_FLOAT64, true, 1, &out);
  CHECK_NEAR(out, 3.14159265, 1e-6);
  for (int type = 0; type < CT_SAMPLE_TYPES; type++) {
    ct_sample_type found;
    CHECK(ct_sample_from_id(ct_sample_id((ct_sample_type)type), &found) && (int)found == type);
  }
  const float in[] = {-1, 0, 0.5f, 1, 2, NAN, INFINITY, -INFINITY};
  const uint16_t expected[] = {0, 0, 32768, 65535, 65535, 0, 65535, 0};
  uint16_t words[8];
  ct_floats_to_uint16(in, 8, 0, 1, words);
  CHECK(memcmp(words, expected, sizeof words) == 0);
}

static void test_sample_range(void) {
  ct_error *error = NULL;
  const ct_grid grid = ct_grid_centred(4, 1, 1, 1, NULL);
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  float *data = ct_volume_data(volume);
  double low = NAN, high = NAN;
  data[0] = NAN, data[1] = -2, data[2] = INFINITY, data[3] = 5;
  ct_volume_sample_range(volume, &low, &high);
  CHECK_NEAR(low, -2, 0);
  CHECK_NEAR(high, 5, 0);
  low = NAN, high = 1;
  ct_volume_sample_range(volume, &low, &high);
  CHECK_NEAR(low, -2, 0);
  CHECK_NEAR(high, 1, 0);
  low = NAN, high = NAN;
  for (int i = 0; i < 4; i++) data[i] = 7;
  ct_volume_sample_range(volume, &low, &high);
  CHECK(low == 7 && high > low);
  for (int i = 0; i < 4; i++) data[i] = NAN;
  low = NAN, high = NAN;
  ct_volume_sample_range(volume, &low, &high);
  CHECK(high > low);
  ct_volume_free(volume);
}

static void test_same_path(void) {
  make_test_folder();
  char *file = ct_strdup(in_folder("a"), NULL), *missing = ct_strdup(in_folder("b"), NULL);
  write_text(file, "x");
  mkdir(in_folder("sub"), 0777);
  CHECK(symlink(file, in_folder("link")) == 0 && link(file, in_folder("twin")) == 0);
  CHECK(symlink(test_folder, in_folder("round")) == 0);
  CHECK(ct_path_is_same(file, file) && ct_path_is_same(file, in_folder("sub/../a")));
  CHECK(ct_path_is_same(file, in_folder("link")) && ct_path_is_same(in_folder("twin"), file));
  CHECK(ct_path_is_same(missing, missing) && ct_path_is_same(missing, in_folder("sub/../b")));
  CHECK(ct_path_is_same(missing, in_folder("round/b")));
  CHECK(!ct_path_is_same(file, missing) && !ct_path_is_same(missing, in_folder("sub/b")));
  CHECK(!ct_path_is_same(missing, in_folder("nowhere/b")) && !ct_path_is_same(in_folder("sub"), file));
  unlink(in_folder("round"));
  ct_free(file);
  ct_free(missing);
  remove_test_folder();
}

/* A copy of in_folder's text, which it writes anew each time; ct_free. */
static char *place(const char *name) {
  return ct_strdup(in_folder("%s", name), NULL);
}

static void test_destroyed(void) {
  static const char *const images[] = {"p_1.tif", "p_2.tif", "p_3.tif", "flat_1.tif"};
  static const struct {
    const char *scan, *target;
    bool destroyed;
  } cases[] = {
      {"scan.h5", "link.h5", true},
      {"scan.h5::/exchange/data", "link.h5", true},
      {"scan.h5::/exchange/data", "p_1.tif", false},
      {"scan.h5", "missing.h5", false},
      {".", "p_2.tif", true},
      {".", "flat_1.tif", true},
      {".", "scan.json", true},
      {".", "angles.txt", true},
      {".", "volume.mha", false},
      {".", "slice.png", false},
      {".", "plan.json", false},
      {".", "p_4.tif", false},
      {".", "sub/p_1.tif", false},
      {".", "round/p_1.tif", true},
      {"p_#.tif", "p_3.tif", true},
      {"p_#.tif", "flat_1.tif", false},
      {"p_1.tif", "p_3.tif", true},
      {"p_1.tif", "flat_1.tif", false},
      {"p_#.tif", "volume.mha", false},
      {"sub", "p_1.tif", false},
  };
  const char *folder = make_test_folder();
  for (size_t i = 0; i < sizeof images / sizeof *images; i++) write_text(in_folder("%s", images[i]), "x");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!strpbrk(cases[i].target, "/4")) write_text(in_folder("%s", cases[i].target), "x");
  unlink(in_folder("missing.h5"));
  unlink(in_folder("link.h5"));
  char *scan = place("scan.h5");
  write_text(scan, "x");
  CHECK(symlink(scan, in_folder("link.h5")) == 0 && symlink(folder, in_folder("round")) == 0);
  ct_free(scan);
  mkdir(in_folder("sub"), 0777);
  write_text(in_folder("sub/p_1.tif"), "x");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *path = place(cases[i].scan), *target = place(cases[i].target);
    const bool found = ct_scan_is_destroyed(path, NULL, target);
    ct_free(path);
    ct_free(target);
    if (found != cases[i].destroyed) CT_TEST_END(1, "%s, written over %s", cases[i].scan, cases[i].target);
  }
  unlink(in_folder("round"));
  remove_test_folder();
}

static void test_is_there(void) {
  static const struct {
    const char *path;
    bool there;
  } cases[] = {{".", true},         {"s.h5", true},  {"s.h5::/a", true}, {"s.h5::", false}, {"t.h5", false},
               {"t.h5::/a", false}, {"s*.h5", true}, {"t*.h5", false},   {"s_##.h5", false}};
  make_test_folder();
  write_text(in_folder("s.h5"), "x");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (ct_scan_is_there(in_folder("%s", cases[i].path)) != cases[i].there) CT_TEST_END(1, "%s", cases[i].path);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"paths that lead to the same file", test_same_path},
    {"what writing a file would destroy of a scan", test_destroyed},
    {"whether a scan is there", test_is_there},
    {"file names sort by their numbers", test_natural_order},
    {"patterns find numbered files", test_pattern},
    {"files by their true names", test_true_names},
    {"descriptions of folders", test_folders_in_words},
    {"numbers in text files", test_numbers},
    {"samples of every type become float32", test_samples},
    {"the range of 16-bit samples", test_sample_range},
};

CT_TEST_MAIN(tests)
