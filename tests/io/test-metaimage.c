/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MetaImage: volumes and scans there and back, every layout of a header, and headers that lie. */
#include "recon/base/memory.h"
#include "tests/io/io-test.h"

#include <zlib.h>

#define HEAD(dims, rest) "ObjectType = Image\nNDims = 3\nDimSize = " dims "\n" rest

/* A header and bytes behind it. */
static const char *put_image(const char *name, const char *header, const void *data, size_t size) {
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
  const char *const names[] = {"a.mha", "b.mhd"};
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, NULL, &error), 0, 0);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &packed, &error), 0, 0);
    /* Half a step of 65535 over the volume's range of 59 * 0.37, and over 70. */
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &integers, &error), 0, 0.51 * 59 * 0.37 / 65535 + 2e-6);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &both, &error), 0, 0.51 * 70 / 65535 + 2e-6);
  }
  ct_volume_free(volume);
  CHECK(access(scratch_path("b.raw"), F_OK) == 0 && access(scratch_path("b.zraw"), F_OK) == 0);
}

/* MetaIO's reader takes at most 499 characters of a line and drops keys that it does not know. */
static void test_header_lines_are_short(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(2, 2, 2);
  char plan[5000];
  for (size_t i = 0; i < sizeof plan - 1; i++) plan[i] = " =:%ab\n\t"[i * i % 8];
  plan[sizeof plan - 1] = 0;
  CHECK_OK(ct_volume_set_plan(volume, plan, &error));
  CHECK_NEAR(round_trip(scratch_path("long.mha"), volume, NULL, &error), 0, 0);
  ct_volume_free(volume);
  size_t size;
  unsigned char *bytes = get_bytes(scratch_path("long.mha"), &size);
  const char *end = strstr((const char *)bytes, "ElementDataFile = LOCAL\n");
  bool good = end;
  for (const char *line = (const char *)bytes; good && line < end;) {
    const size_t length = strcspn(line, "\n"), key = strcspn(line, " =:");
    good = length < 490 && strncmp(line + key, " = ", 3) == 0 && !strchr(" =:\n", line[key + 3]) &&
           line[length - 1] != ' ';
    line += length + 1;
  }
  free(bytes);
  CHECK(good);
}

static void test_element_types(void) {
  static const struct {
    const char *name;
    size_t size;
    bool is_float, is_signed;
  } types[] = {{"MET_CHAR", 1, false, true},        {"MET_UCHAR", 1, false, false}, {"MET_SHORT", 2, false, true},
               {"MET_USHORT", 2, false, false},     {"MET_INT", 4, false, true},    {"MET_UINT", 4, false, false},
               {"MET_LONG", 4, false, true},        {"MET_ULONG", 4, false, false}, {"MET_LONG_LONG", 8, false, true},
               {"MET_ULONG_LONG", 8, false, false}, {"MET_FLOAT", 4, true, true},   {"MET_DOUBLE", 8, true, true}};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (int big = 0; big < 2; big++)
      for (int packed = 0; packed < 2; packed++) {
        unsigned char data[12 * 8], deflated[512];
        const size_t size = types[t].size;
        double wanted[12];
        for (int i = 0; i < 12; i++) {
          wanted[i] = types[t].is_float ? i * 1.25 - 3 : types[t].is_signed ? i * 9 - 40 : i * 20 + 1;
          const int64_t integer = (int64_t)wanted[i];
          const float single = (float)wanted[i];
          unsigned char little[8];
          if (types[t].is_float)
            memcpy(little, size == 4 ? (const void *)&single : (const void *)&wanted[i], size);
          else
            memcpy(little, &integer, sizeof integer);
          for (size_t b = 0; b < size; b++) data[(size_t)i * size + b] = little[big ? size - 1 - b : b];
        }
        uLongf length = sizeof deflated;
        if (compress(deflated, &length, data, 12 * size) != Z_OK) abort();
        char header[512];
        snprintf(
            header, sizeof header,
            HEAD("3 2 2", "ElementType = %s\nElementByteOrderMSB = %s\nCompressedData = %s\nElementDataFile = LOCAL\n"),
            types[t].name, big ? "True" : "False", packed ? "True" : "False");
        const char *path = put_image("type.mha", header, packed ? deflated : data, packed ? length : 12 * size);
        ct_error *error = NULL;
        ct_volume *volume = ct_volume_read(path, NULL, &error);
        CHECK_OK(volume);
        double worst = 0;
        for (int i = 0; i < 12; i++) worst = fmax(worst, fabs((double)ct_volume_get_data(volume)[i] - wanted[i]));
        ct_volume_free(volume);
        CHECK_NEAR(worst, 0, 0);
        /* The scan of it reads rows at random from either kind. */
        ct_scan *scan = ct_scan_open(path, NULL, &error);
        CHECK_OK(scan);
        float row[3];
        const bool got = ct_scan_read(scan, CT_FRAME_PROJECTION, 1, 1, 1, row, &error);
        const bool integers = ct_scan_get_facts(scan)->integers;
        ct_scan_free(scan);
        CHECK_OK(got);
        CHECK_NEAR(row[2], wanted[11], 0);
        CHECK(integers == !types[t].is_float);
      }
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
  ct_error *error = NULL;
  const unsigned char ramp[] = {1, 2, 3, 4, 5, 6, 7, 8}, shifted[] = {9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8};
  const char *const type = "ElementType = MET_UCHAR\n";
  char header[512];
  put_bytes(scratch_path("ramp.bin"), ramp, 8);
  put_bytes(scratch_path("shifted.bin"), shifted, 11);
  put_bytes(scratch_path("s 3.bin"), ramp, 4);
  put_bytes(scratch_path("s 5.bin"), ramp + 4, 4);
  static const struct {
    const char *lines;
    bool good;
  } cases[] = {
      {"ElementDataFile = ramp.bin\n", true},
      {"ElementDataFile = ramp.bin", true}, /* no newline at the end */
      {"HeaderSize = 3\nElementDataFile = shifted.bin\n", true},
      {"HeaderSize = -1\nElementDataFile = shifted.bin\r\n", true},
      {"ElementDataFile = LIST\ns 3.bin\ns 5.bin\n", true},
      {"ElementDataFile = LIST 2\r\n\r\n s 3.bin\r\ns 5.bin", true},
      {"ElementDataFile = s %d.bin 3 5 2\n", true},
      {"ElementDataFile = s%02d.bin 3 5 2\n", true},
      {"ElementDataFile = LIST\ns 3.bin\n", false},
      {"ElementDataFile = LIST\ns 3.bin\ns 5.bin\ns 5.bin\n", false},
      {"ElementDataFile = missing.bin\n", false},
      {"ElementDataFile = s%s%n.bin 1 2 1\n", false},
      {"HeaderSize = 4\nElementDataFile = ramp.bin\n", false},
      {"HeaderSize = 9000000000000000000\nElementDataFile = ramp.bin\n", false},
      {"HeaderSize = -2\nElementDataFile = ramp.bin\n", false},
  };
  put_bytes(scratch_path("s03.bin"), ramp, 4);
  put_bytes(scratch_path("s05.bin"), ramp + 4, 4);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(header, sizeof header, HEAD("2 2 2", "%s%s"), type, cases[i].lines);
    put_string(scratch_path("places.mhd"), header);
    const bool good = reads_ramp(scratch_path("places.mhd"), &error);
    if (good != cases[i].good) CT_TEST_END(1, "case %zu: %.300s", i, error ? error->message : "read");
    if (!good) CHECK(strstr(error->message, "places.mhd") || strstr(error->message, ".bin"));
    ct_error_clear(&error);
  }
  /* Files are looked for as they are named: a short header cannot ask for two thousand million names. */
  snprintf(header, sizeof header, HEAD("1 1 2000000000", "%sElementDataFile = s%%02d.bin 3 2000000002 1\n"), type);
  put_string(scratch_path("names.mhd"), header);
  CHECK_FAILS(reads_ramp(scratch_path("names.mhd"), &error), CT_ERROR_IO, "s04.bin");
  snprintf(header, sizeof header, HEAD("2 2 2", "%sHeaderSize = -1\nElementDataFile = LOCAL\n"), type);
  CHECK_OK(reads_ramp(put_image("local.mha", header, shifted, 11), &error));
}

static void test_scan_facts(void) {
  ct_error *error = NULL;
  float data[2 * 3 * 4];
  for (int i = 0; i < 24; i++) data[i] = (float)i;
  const char *path = put_image(
      "scan.mha",
      HEAD("2 3 4",
           "ElementSpacing = 0.5 0.25 1\nOffset = -0.25 -0.25 0\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n"),
      data, sizeof data);
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(facts->geometry.nu == 2 && facts->geometry.nv == 3 && facts->geometry.views == 4);
  CHECK(!facts->flip_rows && !facts->flip_columns && !facts->integers && facts->values_why);
  CHECK((facts->known & (CT_KNOWN_PITCH | CT_KNOWN_CENTRE | CT_KNOWN_ANGLES)) == (CT_KNOWN_PITCH | CT_KNOWN_CENTRE));
  CHECK(facts->note && strstr(facts->note, "angles"));
  CHECK_NEAR(facts->geometry.du, 0.5, 0);
  CHECK_NEAR(facts->geometry.dv, 0.25, 0);
  CHECK_NEAR(facts->geometry.centre_u, 0.5, 0);
  CHECK_NEAR(facts->geometry.centre_v, 1, 0);
  float rows[4];
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 2, 1, 2, rows, &error));
  CHECK_NEAR(rows[0], 14, 0);
  CHECK_NEAR(rows[3], 17, 0);
  ct_scan_free(scan);
  const uint16_t counts[2] = {10, 20};
  scan = ct_scan_open(put_image("scaled.mha",
                                HEAD("2 1 1", "ElementToIntensityFunctionSlope = 0.5\nElementToIntensityFunctionOffset "
                                              "= -1\nElementType = MET_USHORT\nElementDataFile = LOCAL\n"),
                                counts, sizeof counts),
                      NULL, &error);
  CHECK_OK(scan);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, 1, rows, &error));
  CHECK(!ct_scan_get_facts(scan)->integers && rows[0] == 4 && rows[1] == 9);
  ct_scan_free(scan);
  put_string(scratch_path("scan.ang"), "0, 90\n180 270\n");
  scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[3], 1.5 * M_PI, 1e-12);
  ct_scan_free(scan);
  put_string(scratch_path("scan.ang"), "0 90 180\n");
  scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  CHECK(!(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES) && has_remark(scan, CT_REMARK_DOUBT, "3 angles"));
  ct_scan_free(scan);
  unlink(scratch_path("scan.ang"));
}

/* Another program's projections and volumes: ends, means and the centre value that its notes state. */
static void test_real_files(void) {
  ct_error *error = NULL;
  const char *path = ct_test_data("rtk/A_projections.mha");
  if (!path) SKIP("rtk/A_projections.mha is not there");
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(facts->geometry.nu == 128 && facts->geometry.nv == 128 && facts->geometry.views == 180);
  CHECK_NEAR(facts->geometry.du, 3.2, 1e-12);
  CHECK_NEAR(facts->geometry.centre_u, 63.5, 1e-9);
  CHECK_NEAR(facts->geometry.centre_v, 63.5, 1e-9);
  static float a[128 * 128], b[128 * 128];
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 179, 0, 128, a, &error));
  for (int row = 0; row < 128; row += 5)
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 179, row, row + 5 > 128 ? 128 - row : 5, b + row * 128, &error));
  CHECK(memcmp(a, b, sizeof a) == 0);
  CHECK(a[64 * 128 + 64] > 50 && a[0] == 0);
  ct_scan_free(scan);
  ct_volume *volume = ct_volume_read(ct_test_data("rtk/A_fdk.mha"), NULL, &error);
  CHECK_OK(volume);
  double sum = 0;
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++) sum += (double)ct_volume_get_data(volume)[((k + 63) * 128 + j + 63) * 128 + i + 63];
  const double x0 = ct_volume_grid(volume)->x0;
  ct_volume_free(volume);
  CHECK_NEAR(sum / 27, 1.02005, 2e-5);
  CHECK_NEAR(x0, -127, 0);
  if (!(path = ct_test_data("htc2022-ta-reference-fbp.mha"))) return;
  volume = ct_volume_read(path, NULL, &error);
  CHECK_OK(volume);
  const ct_grid grid = *ct_volume_grid(volume);
  ct_volume_free(volume);
  CHECK(grid.nx == 512 && grid.nz == 1);
  CHECK_NEAR(grid.dx, 0.148322, 0);
}

static void test_bad_headers(void) {
  static const struct {
    const char *header, *words;
    ct_error_code code;
  } cases[] = {
      {"", "empty", CT_ERROR_FORMAT},
      {"\x89PNG\r\n\x1a\n", "not", CT_ERROR_FORMAT},
      {"ObjectType = Image\n", "ElementDataFile", CT_ERROR_FORMAT},
      {"NDims = 3\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n", "lacks DimSize", CT_ERROR_FORMAT},
      {"DimSize = 3 3 3\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n", "lacks NDims", CT_ERROR_FORMAT},
      {HEAD("3 3 3", "ElementDataFile = LOCAL\n"), "lacks ElementType", CT_ERROR_FORMAT},
      {HEAD("3 3", "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n"), "NDims", CT_ERROR_FORMAT},
      {HEAD("3 0 3", "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n"), "size", CT_ERROR_FORMAT},
      {HEAD("3 -3 3", "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n"), "size", CT_ERROR_FORMAT},
      {HEAD("2000000000 2000000000 2000000000", "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n"), "size",
       CT_ERROR_FORMAT},
      {HEAD("99999999999999999999 1 1", "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n"), "DimSize",
       CT_ERROR_FORMAT},
      {HEAD("4000 4000 4000", "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n"), "ends early", CT_ERROR_FORMAT},
      {HEAD("4000 4000 4000", "ElementType = MET_FLOAT\nCompressedData = True\nElementDataFile = LOCAL\nxx"),
       "ends early", CT_ERROR_FORMAT},
      {HEAD("1 1 1",
            "ElementType = MET_UCHAR\nCompressedData = True\nCompressedDataSize = 900\nElementDataFile = LOCAL\nxx"),
       "promises more", CT_ERROR_FORMAT},
      {HEAD("1 1 1", "ElementType = MET_UCHAR\nCompressedData = True\nElementDataFile = LOCAL\nxxxx"), "damaged",
       CT_ERROR_FORMAT},
      {HEAD("1 1 1", "ElementType = MET_UCHAR\nCompressedData = Maybe\nElementDataFile = LOCAL\nx"), "Maybe",
       CT_ERROR_FORMAT},
      {HEAD("1 1 1", "ElementType = MET_STRING\nElementDataFile = LOCAL\nx"), "MET_STRING", CT_ERROR_UNSUPPORTED},
      {HEAD("1 1 1", "ElementNumberOfChannels = 3\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nxxx"), "3 values",
       CT_ERROR_UNSUPPORTED},
      {HEAD("1 1 1", "BinaryData = False\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n1"), "text",
       CT_ERROR_UNSUPPORTED},
      {HEAD("1 1 1", "ElementSpacing = 1 0 1\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nx"), "ElementSpacing",
       CT_ERROR_FORMAT},
      {HEAD("1 1 1", "ElementSpacing = 1 nan 1\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nx"), "ElementSpacing",
       CT_ERROR_FORMAT},
      {HEAD("1 1 1", "TransformMatrix = 0 1 0 1 0 0 0 0 1\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nx"),
       "TransformMatrix", CT_ERROR_UNSUPPORTED},
      {"ObjectType = Mesh\nElementDataFile = LOCAL\n", "Mesh", CT_ERROR_UNSUPPORTED},
  };
  const ct_format *format = ct_format_find("metaimage");
  CHECK(format);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    put_string(scratch_path("bad.mha"), cases[i].header);
    ct_volume *volume = ct_volume_read_as(format, scratch_path("bad.mha"), NULL, &error);
    if (volume || !error || error->code != cases[i].code || !strstr(error->message, cases[i].words) ||
        !strstr(error->message, "bad.mha"))
      CT_TEST_END(1, "case %zu: %.300s", i, error ? error->message : "read");
    ct_error_clear(&error);
  }
}

/* A stream that inflates to more, or to less, than the header says. */
static void test_lying_streams(void) {
  ct_error *error = NULL;
  static unsigned char zeros[1 << 20], packed[1 << 12];
  uLongf length = sizeof packed;
  CHECK(compress2(packed, &length, zeros, sizeof zeros, 9) == Z_OK);
  const char *path = put_image(
      "bomb.mha", HEAD("10 10 10", "ElementType = MET_UCHAR\nCompressedData = True\nElementDataFile = LOCAL\n"), packed,
      length);
  CHECK_FAILS(ct_volume_read(path, NULL, &error), CT_ERROR_FORMAT, "more samples");
  CHECK_FAILS(ct_scan_open(path, NULL, &error), CT_ERROR_FORMAT, "more samples");
  path = put_image("less.mha",
                   HEAD("1024 1024 1", "ElementType = MET_UCHAR\nCompressedData = True\nElementDataFile = LOCAL\n"),
                   packed, length);
  CHECK_OK(try_volume(ct_format_find("metaimage"), path, &error));
  path = put_image("less.mha",
                   HEAD("1024 1025 1", "ElementType = MET_UCHAR\nCompressedData = True\nElementDataFile = LOCAL\n"),
                   packed, length);
  CHECK_FAILS(ct_volume_read(path, NULL, &error), CT_ERROR_FORMAT, "");
  path = put_image("cut.mha",
                   HEAD("1024 1024 1", "ElementType = MET_UCHAR\nCompressedData = True\nElementDataFile = LOCAL\n"),
                   packed, length - 3);
  CHECK_FAILS(ct_volume_read(path, NULL, &error), CT_ERROR_FORMAT, "cut.mha");
}

static void test_output_faults(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(40, 40, 10);
  char path[600];
  const char *folder = read_only_folder();
  snprintf(path, sizeof path, "%s/x.mha", folder);
  CHECK_FAILS(ct_volume_write(path, volume, NULL, NULL, &error), CT_ERROR_IO, "x.mha");
  const char *const names[] = {"full/x.mha", "full/x.mhd"};
  for (int i = 0; i < 2; i++) {
    const char *full = scratch_path(names[i]);
    put_string(full, "old");
    limit_file_size(10000);
    const bool written = ct_volume_write(full, volume, NULL, NULL, &error);
    unlimit_file_size();
    CHECK_FAILS(written, CT_ERROR_IO, "full/x.");
    CHECK(count_entries(scratch_path("full")) == i + 1);
    struct stat status;
    CHECK(stat(full, &status) == 0 && status.st_size == 3);
  }
  ct_job *job = ct_job_new(&error);
  ct_job_cancel(job);
  const bool written = ct_volume_write(scratch_path("full/x.mhd"), volume, NULL, job, &error);
  ct_job_free(job);
  CHECK_FAILS(written, CT_ERROR_CANCELLED, "");
  CHECK(count_entries(scratch_path("full")) == 2);
  ct_volume_free(volume);
}

static bool read_either(const char *path, ct_error **error) {
  const ct_format *format = ct_format_find("metaimage");
  ct_error *other = NULL;
  const bool scan = try_scan(format, path, &other), volume = try_volume(format, path, error);
  const bool honest = scan || other;
  ct_error_clear(&other);
  return volume && honest;
}

static void test_damage(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(4, 3, 2);
  const ct_write_options packed = {CT_SAMPLES_FLOAT32, NAN, NAN, true};
  int refused;
  CHECK_OK(ct_volume_write(scratch_path("valid.mha"), volume, NULL, NULL, &error));
  CHECK(damage(scratch_path("valid.mha"), "hurt.mha", 1, read_either, &refused) == 0);
  CHECK(refused > 600);
  CHECK_OK(ct_volume_write(scratch_path("valid.mha"), volume, &packed, NULL, &error));
  CHECK(damage(scratch_path("valid.mha"), "hurt.mha", 1, read_either, &refused) == 0);
  CHECK(refused > 600);
  ct_volume_free(volume);
  /* Without a plan it can be a scan as well. */
  const unsigned char ramp[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  put_image("valid.mha", HEAD("2 2 2", "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n"), ramp, 8);
  CHECK_OK(try_scan(ct_format_find("metaimage"), scratch_path("valid.mha"), &error));
  CHECK(damage(scratch_path("valid.mha"), "hurt.mha", 1, read_either, &refused) == 0);
  CHECK(refused > 50);
}

static void test_volume_is_no_scan(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(4, 3, 2);
  const char *path = scratch_path("made.mha");
  const bool good = ct_volume_write(path, volume, NULL, NULL, &error);
  ct_volume_free(volume);
  CHECK_OK(good);
  CHECK_FAILS(ct_scan_open(path, NULL, &error), CT_ERROR_FORMAT, "made.mha is a volume that Gantry made");
}

static const ct_test tests[] = {
    {"volumes there and back", test_round_trip},
    {"a volume of Gantry's is no scan", test_volume_is_no_scan},
    {"header lines suit MetaIO readers", test_header_lines_are_short},
    {"element types, byte orders, compression", test_element_types},
    {"where data may lie", test_places_of_data},
    {"facts of a scan", test_scan_facts},
    {"another program's files", test_real_files},
    {"bad headers", test_bad_headers},
    {"compressed data that lie", test_lying_streams},
    {"read-only and full folders, cancel", test_output_faults},
    {"damaged files", test_damage},
};

IO_TEST_MAIN(tests)
