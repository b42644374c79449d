/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIFF: every layout that a page may have, which files make a stack, volumes there and back, and files that lie. */
#include "tests/io/io-test.h"

#include <math.h>
#include <tiffio.h>

typedef struct layout {
  const char *mode; /* libtiff's: "w" little-endian classic, "wb" big-endian, "w8" BigTIFF */
  int width, height, bits, format, compression, predictor, rows_per_strip, tile, pages, orientation;
} layout;

static double sample(int page, int row, int column) {
  return (page * 31 + row * 7 + column * 3) % 120 + 1;
}

/* IEEE 754 binary16 of a whole number from 1 to 1023. */
static uint16_t half_of(double value) {
  const int exponent = (int)floor(log2(value));
  return (uint16_t)((exponent + 15) << 10 | (int)((value / exp2(exponent) - 1) * 1024));
}

static void store(unsigned char *to, const layout *l, double value) {
  const uint8_t u8 = (uint8_t)value;
  const uint16_t u16 = (uint16_t)(value * 500);
  const uint32_t u32 = (uint32_t)(value * 65536);
  const float f32 = (float)(value / 7);
  const double f64 = (double)f32;
  const uint64_t u64 = (uint64_t)(value * 65536);
  const uint16_t f16 = half_of(value > 0 ? value : 1);
  const bool is_float = l->format == SAMPLEFORMAT_IEEEFP;
  const void *from = l->bits == 8    ? (const void *)&u8
                     : l->bits == 16 ? (is_float ? (const void *)&f16 : (const void *)&u16)
                     : l->bits == 64 ? (is_float ? (const void *)&f64 : (const void *)&u64)
                     : is_float      ? (const void *)&f32
                                     : (const void *)&u32;
  memcpy(to, from, (size_t)l->bits / 8);
}

static double stored(const layout *l, double value) {
  return l->bits == 8                       ? value
         : l->bits == 16                    ? (l->format == SAMPLEFORMAT_IEEEFP ? value : value * 500)
         : l->format == SAMPLEFORMAT_IEEEFP ? (double)(float)(value / 7)
                                            : value * 65536;
}

static void write_page(TIFF *tiff, const layout *l, int page) {
  const size_t size = (size_t)l->bits / 8;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, l->width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, l->height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, l->bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  if (l->format) TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, l->format);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, l->compression ? l->compression : COMPRESSION_NONE);
  if (l->predictor) TIFFSetField(tiff, TIFFTAG_PREDICTOR, l->predictor);
  if (l->orientation) TIFFSetField(tiff, TIFFTAG_ORIENTATION, l->orientation);
  if (l->tile) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, l->tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, l->tile);
    unsigned char *tile = calloc((size_t)(l->tile * l->tile), size);
    for (int y = 0; y < l->height; y += l->tile)
      for (int x = 0; x < l->width; x += l->tile) {
        for (int j = 0; j < l->tile; j++)
          for (int i = 0; i < l->tile; i++)
            store(tile + (size_t)(j * l->tile + i) * size, l,
                  y + j < l->height && x + i < l->width ? sample(page, y + j, x + i) : 0);
        if (TIFFWriteTile(tiff, tile, (uint32_t)x, (uint32_t)y, 0, 0) < 0) abort();
      }
    free(tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, l->rows_per_strip ? l->rows_per_strip : l->height);
    unsigned char *row = calloc((size_t)l->width, size);
    for (int y = 0; y < l->height; y++) {
      for (int x = 0; x < l->width; x++) store(row + (size_t)x * size, l, sample(page, y, x));
      if (TIFFWriteScanline(tiff, row, (uint32_t)y, 0) < 0) abort();
    }
    free(row);
  }
  if (!TIFFWriteDirectory(tiff)) abort();
}

/* `first`: the number of the first page, so that single files of a stack differ. */
static const char *write_tiff(const char *name, const layout *l, int first) {
  const char *path = scratch_path(name);
  TIFF *tiff = TIFFOpen(path, l->mode ? l->mode : "w");
  if (!tiff) abort();
  for (int page = 0; page < (l->pages ? l->pages : 1); page++) write_page(tiff, l, first + page);
  TIFFClose(tiff);
  return path;
}

/* All frames of a scan against the pattern, whole and in odd bands read backwards; rows as stored. */
static bool agrees(ct_scan *scan, const layout *l, int first, ct_error **error) {
  const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
  if (g->nu != l->width || g->nv != l->height) return ct_error_set(error, CT_ERROR_DATA, "%d x %d", g->nu, g->nv);
  float *frame = malloc((size_t)(g->nu * g->nv) * sizeof *frame);
  bool good = frame;
  for (int view = g->views - 1; good && view >= 0; view--)
    for (int bands = 0; good && bands < 2; bands++) {
      const int step = bands ? 5 : g->nv;
      for (int row = (g->nv - 1) / step * step; good && row >= 0; row -= step)
        good = ct_scan_read_flipped(scan,
                                    &(ct_frame_rows){.kind = CT_FRAME_PROJECTION,
                                                     .index = view,
                                                     .row0 = row,
                                                     .rows = row + step > g->nv ? g->nv - row : step},
                                    frame + (size_t)row * (size_t)g->nu, error);
      for (int i = 0; good && i < g->nu * g->nv; i++) {
        const double wanted = stored(l, sample(first + view, i / g->nu, i % g->nu));
        if ((double)frame[i] != wanted)
          good = ct_error_set(error, CT_ERROR_DATA, "view %d, pixel %d: %g, not %g", view, i, (double)frame[i], wanted);
      }
    }
  free(frame);
  return good;
}

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

static void test_volumes(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(7, 5, 12);
  const double range = 419 * 0.37;
  const ct_write_options packed = {CT_SAMPLES_FLOAT32, NAN, NAN, true}, integers = {CT_SAMPLES_UINT16, NAN, NAN, false},
                         both = {CT_SAMPLES_UINT16, -20, 140, true};
  const char *const names[] = {"slices", "volume.tif", "volume.tiff"};
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, NULL, &error), 0, 0);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &packed, &error), 0, 0);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &integers, &error), 0, 0.51 * range / 65535 + 1e-5);
    CHECK_NEAR(round_trip(scratch_path(names[i]), volume, &both, &error), 0, 0.51 * 160 / 65535 + 1e-5);
  }
  /* Slices that are damaged, missing in the middle or foreign do not make a volume by accident. */
  put_string(scratch_path("slices/slice_0004.tif"), "II*");
  CHECK_FAILS(ct_volume_read(scratch_path("slices"), NULL, &error), CT_ERROR_FORMAT, "slice_0004.tif");
  unlink(scratch_path("slices/slice_0004.tif"));
  CHECK_FAILS(ct_volume_read(scratch_path("slices"), NULL, &error), CT_ERROR_FORMAT, "12 slices, but 11");
  ct_volume_free(volume);
  /* NaN stays NaN in floats. */
  volume = make_volume(3, 3, 1);
  ct_volume_data(volume)[4] = NAN;
  CHECK_OK(ct_volume_write(scratch_path("nan.tif"), volume, NULL, NULL, &error));
  ct_volume_free(volume);
  CHECK_OK(volume = ct_volume_read(scratch_path("nan.tif"), NULL, &error));
  const bool kept = isnan(ct_volume_get_data(volume)[4]) && ct_volume_get_data(volume)[5] == 5 * 0.37f - 20;
  ct_volume_free(volume);
  CHECK(kept);
}

/* Rows lie as in the array, and the tags say what a picture viewer needs. */
static void test_written_tags(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(7, 5, 3);
  CHECK_OK(ct_volume_write(scratch_path("tags.tif"), volume, NULL, NULL, &error));
  const float wanted = ct_volume_get_data(volume)[2 * 35 + 1 * 7 + 3];
  ct_volume_free(volume);
  TIFF *tiff = TIFFOpen(scratch_path("tags.tif"), "r");
  CHECK(tiff && TIFFNumberOfDirectories(tiff) == 3 && TIFFSetDirectory(tiff, 2));
  uint16_t orientation = 0, unit = 0;
  float resolution = 0, row[7];
  TIFFGetField(tiff, TIFFTAG_ORIENTATION, &orientation);
  TIFFGetField(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &resolution);
  const bool got = TIFFReadScanline(tiff, row, 1, 0) == 1;
  TIFFClose(tiff);
  CHECK(got && row[3] == wanted && orientation == ORIENTATION_BOTLEFT && unit == RESUNIT_CENTIMETER);
  CHECK_NEAR(resolution, 10 / 0.3043, 1e-3);
}

static void test_imagej(void) {
  ct_error *error = NULL;
  const char *path = scratch_path("imagej.tif");
  TIFF *tiff = TIFFOpen(path, "w");
  const layout l = {.width = 4, .height = 3, .bits = 8};
  TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\nunit=micron\nspacing=25.0\nloop=false\n");
  TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 0.05);
  TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 0.1);
  TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
  write_page(tiff, &l, 0);
  TIFFClose(tiff);
  ct_volume *volume = ct_volume_read(path, NULL, &error);
  CHECK_OK(volume);
  const ct_grid grid = *ct_volume_grid(volume);
  ct_volume_free(volume);
  CHECK_NEAR(grid.dx, 0.02, 1e-6);
  CHECK_NEAR(grid.dy, 0.01, 1e-6);
  CHECK_NEAR(grid.dz, 0.025, 1e-12);
  CHECK_NEAR(grid.x0, -1.5 * grid.dx, 1e-12);
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_PITCH);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.du, 0.02, 1e-6);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.dv, 0.01, 1e-6);
  ct_scan_free(scan);
  tiff = TIFFOpen(path, "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\nimages=900\nslices=900\n");
  write_page(tiff, &l, 0);
  TIFFClose(tiff);
  CHECK_FAILS(ct_volume_read(path, NULL, &error), CT_ERROR_UNSUPPORTED, "imagej.tif");
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

static void test_output_faults(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(64, 64, 8);
  char path[600];
  const char *const names[] = {"full/v.tif", "full/slices"};
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", read_only_folder(), names[i] + 5);
    CHECK_FAILS(ct_volume_write(path, volume, NULL, NULL, &error), CT_ERROR_IO, names[i] + 5);
    for (rlim_t limit = 6; limit < 16000; limit = limit * 3 + 1) { /* the header, the samples, the directory */
      const char *full = scratch_path(names[i]);
      limit_file_size(limit);
      const bool written = ct_volume_write(full, volume, NULL, NULL, &error);
      unlimit_file_size();
      CHECK_FAILS(written, CT_ERROR_IO, names[i]);
      CHECK(count_entries(scratch_path("full")) == 0);
    }
    ct_job *job = ct_job_new(&error);
    ct_job_cancel(job);
    const bool written = ct_volume_write(scratch_path(names[i]), volume, NULL, job, &error);
    ct_job_free(job);
    CHECK_FAILS(written, CT_ERROR_CANCELLED, "");
    CHECK(count_entries(scratch_path("full")) == 0);
  }
  ct_volume_free(volume);
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

static void test_volume_is_no_scan(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(4, 3, 2);
  const bool good = ct_volume_write(scratch_path("made.tif"), volume, NULL, NULL, &error) &&
                    ct_volume_write(scratch_path("made"), volume, NULL, NULL, &error);
  ct_volume_free(volume);
  CHECK_OK(good);
  CHECK_FAILS(ct_scan_open(scratch_path("made.tif"), NULL, &error), CT_ERROR_FORMAT,
              "made.tif is a volume that Gantry made");
  CHECK_FAILS(ct_scan_open(scratch_path("made"), NULL, &error), CT_ERROR_FORMAT, "made is a volume that Gantry made");
}

static const ct_test tests[] = {
    {"types, byte orders, compressions, strips and tiles", test_layouts},
    {"tall strips", test_tall_strips},
    {"orientations", test_orientations},
    {"which files make a stack", test_folders},
    {"files that differ", test_files_that_differ},
    {"angles beside the files", test_angles},
    {"volumes there and back", test_volumes},
    {"a volume of Gantry's is no scan", test_volume_is_no_scan},
    {"tags of a written volume", test_written_tags},
    {"spacing as ImageJ writes it", test_imagej},
    {"grey JPEG, near to the picture, and damaged", test_jpeg},
    {"bad files", test_bad_files},
    {"colour images", test_colour},
    {"read-only and full folders, cancel", test_output_faults},
    {"damaged files", test_damage},
    {"a real scan", test_bell_pepper},
};

IO_TEST_MAIN(tests)
