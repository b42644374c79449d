/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw samples with a described layout: every type and byte order, headers, numbered files, and layouts that do not fit.
 */
#include "recon/base/memory.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/io.h"
#include "recon/io/raw-told.h"
#include "tests/io/files.h"
#include "tests/test.h"

#include <math.h>

enum { NU = 5, NV = 3, FRAMES = 4, COUNT = NU * NV * FRAMES };

/* Sample i of the test's scan, of which every type has an exact copy. */
static double sample_of(int i) {
  return i % 97 + 1;
}

/* One sample as bytes of a type and order; returns their number. */
static size_t put_sample(unsigned char *bytes, ct_sample_type type, bool big, double value) {
  unsigned char host[8];
  const size_t size = ct_sample_size(type);
  const float f = (float)value;
  int64_t n = (int64_t)value;
  if (type == CT_SAMPLE_FLOAT16) { /* of a whole number from 1 to 1023 */
    const int exponent = (int)floor(log2(value));
    n = (exponent + 15) << 10 | (int)((value / exp2(exponent) - 1) * 1024);
  }
  if (type == CT_SAMPLE_FLOAT64)
    memcpy(host, &value, 8);
  else if (type == CT_SAMPLE_FLOAT32)
    memcpy(host, &f, 4);
  else
    for (size_t k = 0; k < size; k++) host[k] = (unsigned char)(n >> (8 * k));
  for (size_t k = 0; k < size; k++) bytes[k] = host[big ? size - 1 - k : k];
  return size;
}

/* A file: header, then frames each behind a header of its own. */
static void make_raw(const char *path, ct_sample_type type, bool big, size_t header, size_t frame_header, int first,
                     int frames) {
  unsigned char bytes[4096] = {0};
  size_t at = header;
  for (int f = 0; f < frames; f++) {
    at += frame_header;
    for (int i = 0; i < NU * NV; i++) at += put_sample(bytes + at, type, big, sample_of((first + f) * NU * NV + i));
  }
  write_file(path, bytes, at);
}

static void test_types(void) {
  ct_error *error = NULL;
  make_test_folder();
  for (int type = 0; type < CT_SAMPLE_TYPES; type++)
    for (int way = 0; way < 4; way++) {
      const bool big = way & 1;
      const size_t header = way & 2 ? 13 : 0, frame_header = way & 2 ? 7 : 0;
      make_raw(in_folder("p.raw"), (ct_sample_type)type, big, header, frame_header, 0, FRAMES);
      char json[512];
      snprintf(json, sizeof json,
               "{\"files\": {\"raw\": \"p.raw\", \"type\": \"%s\", \"dims\": [%d, %d, %d], \"byte_order\": \"%s\", "
               "\"header_bytes\": %zu, "
               "\"frame_header_bytes\": %zu}}",
               ct_sample_id((ct_sample_type)type), NU, NV, FRAMES, big ? "big" : "little", header, frame_header);
      write_text(in_folder("scan.json"), json);
      ct_scan *scan = ct_scan_open(in_folder("scan.json"), NULL, &error);
      CHECK_OK(scan);
      const ct_scan_facts *facts = ct_scan_get_facts(scan);
      CHECK(facts->geometry.nu == NU && facts->geometry.nv == NV && facts->geometry.views == FRAMES);
      CHECK(facts->integers == ct_sample_is_integer((ct_sample_type)type));
      CHECK(!(facts->known & CT_KNOWN_ANGLES) && strstr(facts->note, "angles"));
      float out[NU * NV];
      for (int f = 0; f < FRAMES; f++)
        for (int row0 = 0; row0 < NV; row0++) {
          CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, f, row0, NV - row0, out, &error));
          for (int i = 0; i < NU * (NV - row0); i++) CHECK(out[i] == (float)sample_of((f * NV + row0) * NU + i));
        }
      ct_scan_free(scan);
    }
  remove_test_folder();
}

/* Frames in numbered files, in the order of the numbers; counts left out; scaled values; a description beside the file.
 */
static void test_files(void) {
  ct_error *error = NULL;
  make_test_folder();
  for (int f = 0; f < 12; f++) make_raw(in_folder("p%d.bin", f), CT_SAMPLE_UINT16, false, 4, 0, f, 1);
  write_text(in_folder("a.json"),
             "{\"files\": {\"raw\": \"p*.bin\", \"type\": \"uint16\", \"dims\": [5, 3], \"header_bytes\": 4, "
             "\"scale\": 0.5, \"offset\": -1}, \"angles_deg\": {\"first\": 0, \"step\": 15}}");
  ct_scan *scan = ct_scan_open(in_folder("a.json"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == 12 && !ct_scan_get_facts(scan)->integers);
  CHECK(!ct_scan_get_facts(scan)->note);
  float row[NU];
  for (int f = 11; f >= 0; f--) {
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, f, 2, 1, row, &error));
    for (int i = 0; i < NU; i++) CHECK_NEAR(row[i], sample_of((f * NV + 2) * NU + i) * 0.5 - 1, 1e-6);
  }
  /* A file that goes away is an error of its frame. */
  unlink(in_folder("p7.bin"));
  CHECK_FAILS(ct_scan_read(scan, CT_FRAME_PROJECTION, 7, 0, 1, row, &error), CT_ERROR_IO, "p7.bin");
  write_text(in_folder("p8.bin"), "x");
  CHECK_FAILS(ct_scan_read(scan, CT_FRAME_PROJECTION, 8, 0, 1, row, &error), CT_ERROR_DATA, "p8.bin was cut short");
  ct_scan_free(scan);
  CHECK_FAILS(ct_scan_open(in_folder("a.json"), NULL, &error), CT_ERROR_FORMAT, "must be of one size");
  make_raw(in_folder("b.raw"), CT_SAMPLE_UINT8, false, 0, 0, 0, 3);
  CHECK_FAILS(ct_scan_open(in_folder("b.raw"), NULL, &error), CT_ERROR_FORMAT, "b.scan.json");
  write_text(in_folder("b.scan.json"), "{\"files\": {\"type\": \"uint8\", \"dims\": [5, 3]}}");
  CHECK_OK(scan = ct_scan_open(in_folder("b.raw"), NULL, &error));
  CHECK(ct_scan_get_facts(scan)->geometry.views == 3);
  CHECK(strcmp(ct_scan_get_name(scan), "b.raw") == 0);
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_bad_layouts(void) {
  static const struct {
    const char *layout;
    const char *words;
  } cases[] = {
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3, 5]}", "need 150"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [7, 3]}", "36 bytes are left over"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3, 4], \"header_bytes\": 1}", "need 121"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3, 4], \"header_bytes\": 9000000000000000000}",
       "p.raw"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3, 4], \"frame_header_bytes\": 9223372036854775807}",
       "too large"},
      {"{\"raw\": \"p.raw\", \"type\": \"float64\", \"dims\": [2147483647, 2147483647]}", "too large"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint8\", \"dims\": [2147483647, 2147483647, 2147483647]}", "p.raw"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 0, 4]}", "dims"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, -3, 4]}", "dims"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3.5]}", "dims"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5]}", "dims"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [99999999999, 3]}", "dims"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\"}", "dims"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint12\", \"dims\": [5, 3]}", "float32"},
      {"{\"raw\": \"p.raw\", \"dims\": [5, 3]}", "type"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3], \"byte_order\": \"middle\"}", "byte_order"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3], \"header_bytes\": -1}", "header_bytes"},
      {"{\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3], \"colour\": 1}", "colour"},
      {"{\"raw\": \"none.raw\", \"type\": \"uint16\", \"dims\": [5, 3]}", "none.raw"},
      {"{\"raw\": \"none*.raw\", \"type\": \"uint16\", \"dims\": [5, 3]}", "none*.raw"},
      {"{\"raw\": \".\", \"type\": \"uint16\", \"dims\": [5, 3]}", "folder"},
      {"{\"type\": \"uint16\", \"dims\": [5, 3]}", "raw"},
  };
  ct_error *error = NULL;
  make_test_folder();
  make_raw(in_folder("p.raw"), CT_SAMPLE_UINT16, false, 0, 0, 0, FRAMES);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char json[512];
    snprintf(json, sizeof json, "{\"files\": %s}", cases[i].layout);
    write_text(in_folder("scan.json"), json);
    ct_scan *scan = ct_scan_open(in_folder("scan.json"), NULL, &error);
    if (scan || !error || !strstr(error->message, cases[i].words) || !strstr(error->message, test_folder))
      CT_TEST_END(1, "%s: %.250s", cases[i].layout, error ? error->message : "no error");
    ct_error_clear(&error);
  }
  /* More than described is no fault, but is said. */
  write_text(in_folder("scan.json"), "{\"files\": {\"raw\": \"p.raw\", \"type\": \"uint16\", \"dims\": [5, 3, 3]}}");
  ct_scan *scan = ct_scan_open(in_folder("scan.json"), NULL, &error);
  CHECK_OK(scan);
  CHECK(strstr(ct_scan_get_facts(scan)->note, "30 bytes behind the last frame"));
  ct_scan_free(scan);
  remove_test_folder();
}

static const char *doubt_of(const ct_scan *scan) {
  const ct_remarks *remarks = ct_scan_get_facts(scan)->remarks;
  for (int i = 0; i < remarks->count; i++)
    if (remarks->items[i].kind == CT_REMARK_DOUBT) return remarks->items[i].text;
  return "";
}

/* A disc's rows in each type and order, read in that order and the other; and behind a header that nobody told. */
static void test_doubts(void) {
  enum { WIDE = 60, HIGH = 2, MANY = 3 };
  static const ct_sample_type types[] = {CT_SAMPLE_UINT16, CT_SAMPLE_INT32, CT_SAMPLE_FLOAT32, CT_SAMPLE_FLOAT64};
  ct_error *error = NULL;
  make_test_folder();
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (int way = 0; way < 6; way++) {
      const bool big = way & 1, wrong = way & 2, behind = way & 4;
      unsigned char bytes[WIDE * HIGH * MANY * 8 + 26] = {0};
      char json[256];
      size_t at = behind ? 26 : 0;
      for (int i = 0; i < WIDE * HIGH * MANY; i++) {
        const double x = (i % WIDE - 29.5) / 30, value = 20011 - 17003 * sqrt(1 - x * x) + i * 31 % 57;
        at += put_sample(bytes + at, types[t], big, value);
      }
      write_file(in_folder("d.raw"), bytes, at);
      snprintf(json, sizeof json,
               "{\"files\": {\"raw\": \"d.raw\", \"type\": \"%s\", \"dims\": [60, 2, 3], \"byte_order\": \"%s\"}}",
               ct_sample_id(types[t]), big != wrong ? "big" : "little");
      write_text(in_folder("scan.json"), json);
      ct_scan *scan = ct_scan_open(in_folder("scan.json"), NULL, &error);
      if (!scan) CT_TEST_END(1, "%s: %s", json, error->message);
      const char *doubt = doubt_of(scan);
      if (behind  ? !strstr(doubt, "26 bytes are left over")
          : wrong ? !strstr(doubt, big ? "\"byte_order\": \"big\"" : "\"byte_order\": \"little\"")
                  : *doubt)
        CT_TEST_END(1, "%s: \"%s\"", json, doubt);
      ct_scan_free(scan);
    }
  /* The first type's bytes as samples, and bytes that are samples. */
  for (int halves = 0; halves < 2; halves++) {
    unsigned char bytes[2 * WIDE * HIGH * MANY];
    for (int i = 0; i < 2 * WIDE * HIGH * MANY; i++) {
      const double x = (i % (2 * WIDE) - 59.5) / 60, value = 231 - 197 * sqrt(1 - x * x) + i * 31 % 7;
      if (halves && i % 2 == 0) put_sample(bytes + i, CT_SAMPLE_UINT16, false, 213 * value + i * 31 % 57);
      if (!halves) bytes[i] = (unsigned char)value;
    }
    write_file(in_folder("d.raw"), bytes, sizeof bytes);
    write_text(in_folder("scan.json"), "{\"files\": {\"raw\": \"d.raw\", \"type\": \"uint8\", \"dims\": [120, 2, 3]}}");
    ct_scan *scan = ct_scan_open(in_folder("scan.json"), NULL, &error);
    CHECK_OK(scan);
    const char *doubt = doubt_of(scan);
    if (halves ? !strstr(doubt, "as if they had 16 bits") : *doubt) CT_TEST_END(1, "%d: \"%s\"", halves, doubt);
    ct_scan_free(scan);
  }
  remove_test_folder();
}

static void test_volume_header(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_raw(in_folder("v.raw"), CT_SAMPLE_INT16, true, 0, 0, 0, FRAMES);
  CHECK_FAILS(ct_volume_read(in_folder("v.raw"), NULL, &error), CT_ERROR_IO, "v.raw.json is missing");
  write_text(in_folder("v.raw.json"),
             "{\"type\": \"int16\", \"dims\": [5, 3, 4], \"byte_order\": \"big\", \"spacing_mm\": [1, 2, 3]}");
  ct_volume *volume = ct_volume_read(in_folder("v.raw"), NULL, &error);
  CHECK_OK(volume);
  const ct_grid *grid = ct_volume_grid(volume);
  CHECK(grid->nx == 5 && grid->ny == 3 && grid->nz == 4 && grid->dy == 2);
  CHECK_NEAR(grid->z0, -4.5, 0);
  for (int i = 0; i < COUNT; i++) CHECK(ct_volume_get_data(volume)[i] == (float)sample_of(i));
  ct_volume_free(volume);
  static const char *const bad[] = {"",
                                    "[1]",
                                    "{}",
                                    "{\"type\": \"int16\", \"dims\": [5, 3, 9]}",
                                    "{\"type\": \"int16\", \"dims\": [5, 3, 4], \"spacing_mm\": [1, 0, 1]}",
                                    "{\"type\": \"int16\", \"dims\": [5, 3, 4], \"spacing_mm\": [1, 2]}",
                                    "{\"type\": \"int16\", \"dims\": [5, 3, 4], \"plan\": 5}",
                                    "{\"type\": \"int16\", \"dims\": [5, 3, 4], \"origin\": 5}",
                                    "{\"type\": \"int16\", \"dims\": [5, 3, 4], \"dims\": [5, 3, 4]}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    write_text(in_folder("v.raw.json"), bad[i]);
    volume = ct_volume_read(in_folder("v.raw"), NULL, &error);
    if (volume || !error || !strstr(error->message, "v.raw"))
      CT_TEST_END(1, "%s: %.200s", bad[i], error ? error->message : "no error");
    ct_error_clear(&error);
  }
  remove_test_folder();
}

/* Headers cut and flipped anywhere, samples cut: words or a volume, never a crash. */
static void test_damaged(void) {
  ct_error *error = NULL;
  make_test_folder();
  const ct_grid grid = ct_grid_centred(4, 3, 2, 0.5, NULL);
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  const ct_write_options options = {CT_SAMPLES_UINT16, 0, 1, false};
  CHECK_OK(ct_volume_write(in_folder("damaged.raw"), volume, &options, NULL, &error));
  ct_volume_free(volume);
  size_t bytes, samples;
  unsigned char *header = read_file(in_folder("damaged.raw.json"), &bytes),
                *data = read_file(in_folder("damaged.raw"), &samples);
  for (size_t at = 0; at < bytes; at++)
    for (int bit = -1; bit < 8; bit++) {
      const unsigned char old = header[at];
      if (bit >= 0) header[at] ^= (unsigned char)(1 << bit);
      write_file(in_folder("damaged.raw.json"), header, bit < 0 ? at : bytes);
      header[at] = old;
      volume = ct_volume_read(in_folder("damaged.raw"), NULL, &error);
      const bool good = volume ? !error : error && strstr(error->message, test_folder);
      ct_volume_free(volume);
      if (!good) CT_TEST_END(1, "byte %zu, bit %d: %.200s", at, bit, error ? error->message : "no error");
      ct_error_clear(&error);
    }
  write_file(in_folder("damaged.raw.json"), header, bytes);
  for (size_t cut = 0; cut < samples; cut++) {
    write_file(in_folder("damaged.raw"), data, cut);
    CHECK_FAILS(ct_volume_read(in_folder("damaged.raw"), NULL, &error), CT_ERROR_FORMAT, "damaged.raw");
  }
  free(header);
  free(data);
  remove_test_folder();
}

/* What the header of a flat panel's HIS file tells is said, and ready for a description: 6 x 4 pixels, 5 frames. */
static void test_panel(void) {
  static const struct {
    unsigned char type;
    const char *id;
  } cases[] = {{4, "uint16"}, {2, "uint8"}, {8, "uint32"}, {0, "uint16"}};
  ct_error *error = NULL;
  make_test_folder();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned char bytes[700] = {[1] = 0x70, [2] = 68, [10] = 32, [12] = 1, [14] = 1, [16] = 6, [18] = 4, [20] = 5};
    char said[100], told[200];
    bytes[32] = cases[i].type;
    write_file(in_folder("panel.his"), bytes, sizeof bytes);
    snprintf(said, sizeof said, "\"type\": \"%s\", \"dims\": [6, 4, 5], \"header_bytes\": 100", cases[i].id);
    CHECK_FAILS(ct_scan_open(in_folder("panel.his"), NULL, &error), CT_ERROR_UNSUPPORTED, said);
    snprintf(told, sizeof told,
             "files.type=%s\nfiles.dims.0=6\nfiles.dims.1=4\nfiles.dims.2=5\nfiles.header_bytes=100\n", cases[i].id);
    char *text = ct_raw_told(in_folder("panel.his"));
    CHECK(text && strstr(text, told));
    ct_free(text);
  }
  remove_test_folder();
}

static const ct_test tests[] = {
    {"every type, byte order and header", test_types},
    {"numbered files, scaled values, a description beside the file", test_files},
    {"layouts that do not fit", test_bad_layouts},
    {"headers and byte orders that were not told", test_doubts},
    {"a flat panel's file", test_panel},
    {"headers of volumes", test_volume_header},
    {"cut and flipped headers give words, not crashes", test_damaged},
};

CT_TEST_MAIN(tests)
