/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIFF as a scan: every layout that a page may have, which files make a stack, and files that lie. */
#include "tests/io/tiff/pages.h"

static void test_layouts(void) {
  static const struct {
    int bits, format;
  } types[] = {{8, 0},
               {8, SAMPLEFORMAT_UINT},
               {16, SAMPLEFORMAT_UINT},
               {16, SAMPLEFORMAT_VOID},
               {32, SAMPLEFORMAT_UINT},
               {32, SAMPLEFORMAT_INT},
               {32, SAMPLEFORMAT_IEEEFP},
               {64, SAMPLEFORMAT_IEEEFP},
               {64, SAMPLEFORMAT_UINT},
               {64, SAMPLEFORMAT_INT},
               {16, SAMPLEFORMAT_IEEEFP}};
  const char *const modes[] = {"wl", "wb", "wl8", "wb8"};
  const int compressions[] = {COMPRESSION_NONE, COMPRESSION_PACKBITS, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (int m = 0; m < 4; m++)
      for (int c = 0; c < 4; c++)
        for (int shape = 0; shape < 4; shape++) {
          layout l = {.mode = modes[m],
                      .width = 37,
                      .height = 29,
                      .bits = types[t].bits,
                      .format = types[t].format,
                      .compression = compressions[c],
                      .rows_per_strip = shape == 1 ? 4 : 0,
                      .tile = shape >= 2 ? 16 : 0,
                      .pages = shape == 3 ? 3 : 1};
          if (shape == 1 && c >= 2)
            l.predictor = l.format == SAMPLEFORMAT_IEEEFP ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL;
          /* libtiff swaps the bytes of floats before it predicts them, which no reader expects. */
          if (l.predictor == PREDICTOR_FLOATINGPOINT && (m & 1)) l.predictor = 0;
          ct_error *error = NULL;
          ct_scan *scan = ct_scan_open(write_tiff("layout.tif", &l, 0), NULL, &error);
          const bool good = scan && ct_scan_get_facts(scan)->geometry.views == l.pages && agrees(scan, &l, 0, &error);
          ct_scan_free(scan);
          if (!good)
            CT_TEST_END(1, "%d bits, format %d, mode %s, compression %d, shape %d: %.200s", l.bits, l.format, l.mode,
                        l.compression, shape, error ? error->message : "other facts");
        }
}

/* Strips of 4.4 MB, which are unpacked row by row, whatever the order of reading. */
static void test_tall_strips(void) {
  static const struct {
    int compression, predictor;
    const char *mode;
  } cases[] = {{COMPRESSION_PACKBITS, 0, "wl"},
               {COMPRESSION_LZW, 0, "wb"},
               {COMPRESSION_ADOBE_DEFLATE, 0, "wb8"},
               {COMPRESSION_ADOBE_DEFLATE, PREDICTOR_HORIZONTAL, "wb"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const layout l = {.mode = cases[i].mode,
                      .width = 220000,
                      .height = 17,
                      .bits = 16,
                      .format = SAMPLEFORMAT_UINT,
                      .compression = cases[i].compression,
                      .predictor = cases[i].predictor,
                      .rows_per_strip = 11,
                      .pages = 1};
    ct_error *error = NULL;
    ct_scan *scan = ct_scan_open(write_tiff("tall.tif", &l, 0), NULL, &error);
    const bool good = scan && agrees(scan, &l, 0, &error);
    ct_scan_free(scan);
    if (!good) CT_TEST_END(1, "compression %d: %.200s", l.compression, error ? error->message : "no error");
  }
}

static void test_orientations(void) {
  static const struct {
    int tag;
    bool rows, columns;
  } cases[] = {{0, true, false},
               {ORIENTATION_TOPLEFT, true, false},
               {ORIENTATION_TOPRIGHT, true, true},
               {ORIENTATION_BOTRIGHT, false, true},
               {ORIENTATION_BOTLEFT, false, false}};
  ct_error *error = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const layout l = {.width = 4, .height = 3, .bits = 8, .orientation = cases[i].tag};
    ct_scan *scan = ct_scan_open(write_tiff("turned.tif", &l, 0), NULL, &error);
    CHECK_OK(scan);
    float row[4];
    const bool got = ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, 1, row, &error);
    const ct_scan_facts facts = *ct_scan_get_facts(scan);
    ct_scan_free(scan);
    CHECK_OK(got);
    CHECK(facts.flip_rows == cases[i].rows && facts.flip_columns == cases[i].columns && facts.integers);
    CHECK_NEAR(row[0], sample(0, cases[i].rows ? 2 : 0, cases[i].columns ? 3 : 0), 0);
  }
  const layout across = {.width = 4, .height = 3, .bits = 8, .orientation = ORIENTATION_LEFTTOP};
  CHECK_FAILS(ct_scan_open(write_tiff("turned.tif", &across, 0), NULL, &error), CT_ERROR_UNSUPPORTED, "turned.tif");
}

/* A stack in a folder: order by number, other files passed over, flats and darks by name. */
static void test_folders(void) {
  ct_error *error = NULL;
  const layout l = {.width = 6, .height = 5, .bits = 16}, small = {.width = 3, .height = 3, .bits = 8};
  char name[64];
  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "mixed/p%d.tif", i + 1);
    write_tiff(name, &l, i);
  }
  ct_scan *scan = ct_scan_open(scratch_path("mixed"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == 12 && strcmp(ct_scan_get_name(scan), "mixed") == 0);
  CHECK_OK(agrees(scan, &l, 0, &error));
  ct_scan_free(scan);
  write_tiff("mixed/preview.tif", &small, 0);
  write_tiff("mixed/flat_1.tif", &l, 100);
  write_tiff("mixed/flat_2.tif", &l, 101);
  write_tiff("mixed/Dark-1.tif", &l, 110);
  put_string(scratch_path("mixed/notes.txt"), "not a picture");
  put_string(scratch_path("mixed/.hidden_1.tif"), "not a picture either");
  const char *const ways[] = {"mixed", "mixed/", "mixed/p3.tif", "mixed/p#.tif", "mixed/p?.tif", "mixed/p%d.tif"};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", scratch, ways[i]);
    scan = ct_scan_open(path, NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    if (facts->geometry.views != (i == 3 || i == 4 ? 9 : 12))
      CT_TEST_END(1, "%s: %d views", ways[i], facts->geometry.views);
    CHECK_OK(agrees(scan, &l, 0, &error));
    CHECK(facts->flats == (i < 2 ? 2 : 0) && facts->darks == (i < 2 ? 1 : 0));
    if (i < 2) {
      float row[6];
      CHECK(strstr(facts->note, "left out: 1") && strcmp(ct_scan_get_name(scan), "mixed") == 0);
      CHECK_OK(ct_scan_read_flipped(scan, &(ct_frame_rows){.kind = CT_FRAME_FLAT, .index = 1, .row0 = 2, .rows = 1},
                                    row, &error));
      CHECK_NEAR(row[4], stored(&l, sample(101, 2, 4)), 0);
      CHECK_OK(ct_scan_read_flipped(scan, &(ct_frame_rows){.kind = CT_FRAME_DARK, .index = 0, .row0 = 2, .rows = 1},
                                    row, &error));
      CHECK_NEAR(row[4], stored(&l, sample(110, 2, 4)), 0);
    }
    ct_scan_free(scan);
  }
  mkdir(scratch_path("hollow/x"), 0777);
  CHECK_FAILS(ct_format_find("tiff")->open_scan(scratch_path("hollow"), NULL, &error), CT_ERROR_FORMAT, "hollow");
  CHECK_FAILS(ct_format_find("tiff")->open_scan(scratch_path("mixed/q###.tif"), NULL, &error), CT_ERROR_IO, "q###");
}

static void test_files_that_differ(void) {
  ct_error *error = NULL;
  const layout l = {.width = 6, .height = 5, .bits = 16}, higher = {.width = 6, .height = 7, .bits = 16},
               other = {.width = 6, .height = 5, .bits = 32, .format = SAMPLEFORMAT_IEEEFP};
  write_tiff("differ/f1.tif", &l, 0);
  write_tiff("differ/f2.tif", &l, 1);
  write_tiff("differ/f10.tif", &higher, 2);
  write_tiff("differ/f11.tif", &other, 3);
  CHECK_FAILS(ct_scan_open(scratch_path("differ"), NULL, &error), CT_ERROR_FORMAT, "f10.tif differs");
  CHECK(!ct_scan_open(scratch_path("differ"), NULL, &error));
  CHECK(strstr(error->message, "6 x 7") && strstr(error->message, "6 x 5") && strstr(error->message, "f1.tif"));
  ct_error_clear(&error);
  unlink(scratch_path("differ/f10.tif"));
  CHECK_FAILS(ct_scan_open(scratch_path("differ"), NULL, &error), CT_ERROR_FORMAT, "float32");
  put_string(scratch_path("differ/f11.tif"), "");
  CHECK_FAILS(ct_scan_open(scratch_path("differ"), NULL, &error), CT_ERROR_FORMAT, "f11.tif is empty");
}

static void test_angles(void) {
  ct_error *error = NULL;
  const layout l = {.width = 3, .height = 2, .bits = 8, .pages = 4};
  const char *path = write_tiff("angles/scan.tif", &l, 0);
  static const struct {
    const char *file, *text, *fault;
  } cases[] = {
      {"angles/angles.txt", "0\n10.5\n# a remark\n20\n-30\n", NULL},
      {"angles/scan.ang", "0, 10.5, 20, -30", NULL},
      {"angles/run.ang", "0;10.5;20;-30\r\n", NULL},
      {"angles/angles.txt", "0 1 two 3", "line 1, column 5"},
      {"angles/angles.txt", "0 1 nan 3", "finite"},
      {"angles/angles.txt", "", "no numbers"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    put_string(scratch_path(cases[i].file), cases[i].text);
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    unlink(scratch_path(cases[i].file));
    if (!cases[i].fault) {
      CHECK_OK(scan);
      CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES);
      CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[1], 10.5 * M_PI / 180, 1e-12);
      CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[3], -30 * M_PI / 180, 1e-12);
      ct_scan_free(scan);
    } else {
      if (scan || !error || !strstr(error->message, cases[i].fault) || !strstr(error->message, cases[i].file + 7))
        CT_TEST_END(1, "case %zu: %.200s", i, error ? error->message : "read");
      ct_error_clear(&error);
    }
  }
  /* Another number of angles is a warning, and half a turn is assumed. */
  static const char *const other[] = {"0 1 2 3 4", "0 1 2"}, *const words[] = {"5 angles", "3 angles"};
  for (int i = 0; i < 2; i++) {
    put_string(scratch_path("angles/angles.txt"), other[i]);
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    CHECK_OK(scan);
    CHECK(!(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES) && has_remark(scan, CT_REMARK_DOUBT, words[i]));
    CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[1], M_PI / 4, 1e-12);
    ct_scan_free(scan);
  }
  unlink(scratch_path("angles/angles.txt"));
}

/* Grey JPEG in strips and tiles: near to the picture, which it rounds; of cut data it says so. */
static void test_jpeg(void) {
  enum { SIDE = 64 };
  ct_error *error = NULL;
  for (int tiled = 0; tiled < 2; tiled++) {
    const char *path = scratch_path(tiled ? "jpeg-tiles.tif" : "jpeg.tif");
    TIFF *tiff = TIFFOpen(path, "w");
    unsigned char picture[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
      picture[i] = (unsigned char)(128 + 100 * sin(i % SIDE / 10.0) * cos(i / SIDE / 12.0));
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, SIDE);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, SIDE);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
    TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, 95);
    if (tiled) {
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, SIDE);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, SIDE);
      CHECK(TIFFWriteEncodedTile(tiff, 0, picture, sizeof picture) > 0);
    } else {
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, SIDE);
      CHECK(TIFFWriteEncodedStrip(tiff, 0, picture, sizeof picture) > 0);
    }
    TIFFClose(tiff);
    float rows[SIDE * SIDE];
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    CHECK_OK(scan);
    CHECK_OK(ct_scan_read_flipped(
        scan, &(ct_frame_rows){.kind = CT_FRAME_PROJECTION, .index = 0, .row0 = 0, .rows = SIDE}, rows, &error));
    for (int i = 0; i < SIDE * SIDE; i++) CHECK(fabs((double)rows[i] - picture[i]) <= 4);
    CHECK(ct_remarks_count(ct_scan_get_facts(scan)->remarks, CT_REMARK_DOUBT) == 1);
    ct_scan_free(scan);
    /* Entropy-coded data in the middle of the stream become zeros. */
    size_t size;
    unsigned char *bytes = get_bytes(path, &size);
    memset(bytes + size / 3, 0xff, size / 3);
    put_bytes(path, bytes, size);
    free(bytes);
    scan = ct_scan_open(path, NULL, &error);
    CHECK(!scan || !ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, SIDE, rows, &error));
    ct_scan_free(scan);
    CHECK(error && strstr(error->message, "jpeg"));
    ct_error_clear(&error);
  }
}

static void test_bad_files(void) {
  ct_error *error = NULL;
  const ct_format *format = ct_format_find("tiff");
  const char *path = scratch_path("bad.tif");
  CHECK_FAILS(format->open_scan(scratch_path("none.tif"), NULL, &error), CT_ERROR_IO, "none.tif");
  put_string(path, "");
  CHECK_FAILS(format->open_scan(path, NULL, &error), CT_ERROR_FORMAT, "empty");
  put_string(path, "this is no picture at all");
  CHECK_FAILS(format->open_scan(path, NULL, &error), CT_ERROR_FORMAT, "bad.tif");
  /* Promises of 60000 x 60000 floats, 10^9 rows of strips, and a width of 0, by few bytes. */
  static const struct {
    uint32_t width, height, bits, compression, rows;
  } lies[] = {{60000, 60000, 32, 1, 60000},
              {1000000000, 1000000000, 16, 1, 1},
              {4000000000u, 4, 8, 1, 4},
              {0, 4, 8, 1, 4},
              {60000, 60000, 32, 5, 60000},
              {60000, 60000, 32, 8, 1},
              {4, 4, 12, 1, 4},
              {4, 4, 8, 7, 4},
              {100, 100, 8, 1, 0},
              {2147483647, 2147483647, 8, 32773, 2147483647}};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    struct {
      char magic[4];
      uint32_t place;
      uint16_t count;
      struct {
        uint16_t tag, type;
        uint32_t number, value;
      } __attribute__((packed)) tags[9];
      uint32_t next;
    } __attribute__((packed)) file = {"II*",
                                      8,
                                      9,
                                      {{256, 4, 1, lies[i].width},
                                       {257, 4, 1, lies[i].height},
                                       {258, 4, 1, lies[i].bits},
                                       {259, 4, 1, lies[i].compression},
                                       {262, 4, 1, 1},
                                       {273, 4, 1, 8},
                                       {277, 4, 1, 1},
                                       {278, 4, 1, lies[i].rows},
                                       {279, 4, 1, 100}},
                                      0};
    put_bytes(path, &file, sizeof file);
    if (try_scan(format, path, &error) || !error || !strstr(error->message, "bad.tif"))
      CT_TEST_END(1, "lie %zu: %.300s", i, error ? error->message : "read");
    ct_error_clear(&error);
    if (try_volume(format, path, &error)) CT_TEST_END(1, "lie %zu: a volume", i);
    ct_error_clear(&error);
  }
}

static void test_colour(void) {
  ct_error *error = NULL;
  TIFF *tiff = TIFFOpen(scratch_path("colour.tif"), "w");
  unsigned char row[12] = {0};
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 4);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFWriteScanline(tiff, row, 0, 0);
  TIFFClose(tiff);
  CHECK_FAILS(ct_scan_open(scratch_path("colour.tif"), NULL, &error), CT_ERROR_UNSUPPORTED, "colour");
}

static bool read_either(const char *path, ct_error **error) {
  const ct_format *format = ct_format_find("tiff");
  ct_error *other = NULL;
  const bool scan = try_scan(format, path, &other), volume = try_volume(format, path, error);
  const bool honest = scan || other;
  ct_error_clear(&other);
  return volume && honest;
}

static void test_damage(void) {
  static const layout layouts[] = {
      {.mode = "wl",
       .width = 9,
       .height = 7,
       .bits = 16,
       .compression = COMPRESSION_PACKBITS,
       .rows_per_strip = 3,
       .pages = 2},
      {.mode = "wb",
       .width = 9,
       .height = 7,
       .bits = 16,
       .compression = COMPRESSION_LZW,
       .predictor = PREDICTOR_HORIZONTAL},
      {.mode = "wl8",
       .width = 9,
       .height = 7,
       .bits = 32,
       .format = SAMPLEFORMAT_IEEEFP,
       .rows_per_strip = 2,
       .pages = 2},
      {.mode = "wl",
       .width = 20,
       .height = 7,
       .bits = 32,
       .format = SAMPLEFORMAT_IEEEFP,
       .compression = COMPRESSION_ADOBE_DEFLATE,
       .predictor = PREDICTOR_FLOATINGPOINT,
       .tile = 16},
  };
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    int refused;
    const int faults = damage(write_tiff("valid.tif", &layouts[i], 0), "hurt.tif", 1, read_either, &refused);
    if (faults || refused < 100) CT_TEST_END(1, "layout %zu: %d faults, %d refused", i, faults, refused);
  }
}

/* 361 frames of a bell pepper, PackBits, I0 near 2150 in the top left corner, the last frame at the angle of the first.
 */
static void test_bell_pepper(void) {
  if (!ct_test_data("bell-pepper/bell_pepper_001.tif")) SKIP("bell-pepper/ is not there");
  char path[4096];
  snprintf(path, sizeof path, "%s", ct_test_data("bell-pepper/bell_pepper_001.tif"));
  *strrchr(path, '/') = 0;
  ct_error *error = NULL;
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(facts->geometry.nu == 140 && facts->geometry.nv == 148 && facts->geometry.views == 361);
  CHECK(facts->values == CT_VALUES_COUNTS && facts->flip_rows && !facts->note == !!(facts->known & CT_KNOWN_ANGLES));
  static float first[148][140], last[148][140], band[7][140];
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, 148, first[0], &error));
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 360, 0, 148, last[0], &error));
  double corner = 0, difference = 0, contrast = 0;
  for (int j = 0; j < 10; j++)
    for (int i = 0; i < 10; i++) corner += (double)first[147 - j][i] / 100;
  for (int j = 0; j < 148; j++)
    for (int i = 0; i < 140; i++) {
      difference += fabs((double)(first[j][i] - last[j][i])) / (148 * 140);
      contrast += fabs((double)first[j][i] - corner) / (148 * 140);
    }
  CHECK_NEAR(corner, 2150, 60);
  CHECK_BELOW(difference, 0.1 * contrast);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 70, 7, band[0], &error));
  ct_scan_free(scan);
  CHECK(memcmp(band, first[70], sizeof band) == 0);
}

/* A header that says 8 bits of samples that have 16. */
static void test_wrong_bits(void) {
  static const layout l = {.width = 24, .height = 7, .bits = 16, .rows_per_strip = 3};
  static const unsigned char entry[8] = {258 & 255, 258 >> 8, 3, 0, 1, 0, 0, 0};
  ct_error *error = NULL;
  const char *path = write_tiff("bits.tif", &l, 0);
  FILE *file = fopen(path, "r+b");
  unsigned char bytes[2048];
  const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  size_t at = 0;
  while (at + 9 < size && memcmp(bytes + at, entry, sizeof entry) != 0) at++;
  if (at + 9 >= size || fseek(file, (long)at + 8, SEEK_SET) != 0 || fputc(8, file) == EOF || fclose(file) != 0) abort();
  CHECK_FAILS(ct_scan_open(path, NULL, &error), CT_ERROR_FORMAT, "have 8 bits, and holds 16 bits");
}

static const ct_test tests[] = {
    {"a header of too few bits", test_wrong_bits},
    {"types, byte orders, compressions, strips and tiles", test_layouts},
    {"tall strips", test_tall_strips},
    {"orientations", test_orientations},
    {"which files make a stack", test_folders},
    {"files that differ", test_files_that_differ},
    {"angles beside the files", test_angles},
    {"grey JPEG, near to the picture, and damaged", test_jpeg},
    {"bad files", test_bad_files},
    {"colour images", test_colour},
    {"damaged files", test_damage},
    {"a real scan", test_bell_pepper},
};

IO_TEST_MAIN(tests)
