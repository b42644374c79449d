/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PNG: 8- and 16-bit grey stacks as scans, planes written for people and read back, and files that lie. */
#include "tests/io/io-test.h"

#include "recon/base/memory.h"
#include "recon/io/png/grey.h"

#include <png.h>
#include <unistd.h>
#include <zlib.h>

static int level(int image, int row, int column, int bits) {
  return (image * 311 + row * 701 + column * 37) % (bits == 16 ? 65536 : 256);
}

static const char *write_png(const char *name, int image, int width, int height, int bits, int colour, int interlace) {
  const char *path = scratch_path(name);
  FILE *file = fopen(path, "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (!file || setjmp(png_jmpbuf(png))) abort();
  png_init_io(png, file);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bits, colour, interlace,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  const int passes = png_set_interlace_handling(png);
  static unsigned char row[4096];
  for (int pass = 0; pass < passes; pass++)
    for (int y = 0; y < height; y++) {
      memset(row, 0, sizeof row);
      for (int x = 0; x < width && colour == PNG_COLOR_TYPE_GRAY && bits >= 8; x++) {
        const int value = level(image, y, x, bits);
        if (bits == 16) row[2 * x] = (unsigned char)(value >> 8);
        row[bits == 16 ? 2 * x + 1 : x] = (unsigned char)value;
      }
      png_write_row(png, row);
    }
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  fclose(file);
  return path;
}

static void test_stacks(void) {
  ct_error *error = NULL;
  for (int bits = 8; bits <= 16; bits += 8)
    for (int interlace = 0; interlace < 2; interlace++) {
      char name[64];
      for (int i = 0; i < 11; i++) {
        snprintf(name, sizeof name, "stack%d%d/s%d.png", bits, interlace, i);
        write_png(name, i, 23, 17, bits, PNG_COLOR_TYPE_GRAY, interlace ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE);
      }
      snprintf(name, sizeof name, "stack%d%d", bits, interlace);
      ct_scan *scan = ct_scan_open(scratch_path(name), NULL, &error);
      CHECK_OK(scan);
      const ct_scan_facts *facts = ct_scan_get_facts(scan);
      CHECK(facts->geometry.nu == 23 && facts->geometry.nv == 17 && facts->geometry.views == 11);
      CHECK(facts->flip_rows && facts->integers && facts->values == CT_VALUES_COUNTS);
      float rows[5 * 23];
      for (int view = 10; view >= 0; view -= 5)
        for (int row = 12; row >= 0; row -= 4) { /* bands backwards: the decoder begins anew */
          CHECK_OK(ct_scan_read_flipped(
              scan, &(ct_frame_rows){.kind = CT_FRAME_PROJECTION, .index = view, .row0 = row, .rows = 5}, rows,
              &error));
          for (int i = 0; i < 5 * 23; i++) CHECK_NEAR(rows[i], level(view, row + i / 23, i % 23, bits), 0);
        }
      CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 3, 0, 1, rows, &error));
      CHECK_NEAR(rows[7], level(3, 16, 7, bits), 0);
      ct_scan_free(scan);
    }
}

static void test_bad_files(void) {
  ct_error *error = NULL;
  const ct_format *format = ct_format_find("png");
  CHECK_FAILS(format->open_scan(write_png("c.png", 0, 4, 4, 8, PNG_COLOR_TYPE_RGB, 0), NULL, &error),
              CT_ERROR_UNSUPPORTED, "colour");
  CHECK_FAILS(format->open_scan(write_png("c.png", 0, 4, 4, 8, PNG_COLOR_TYPE_GRAY_ALPHA, 0), NULL, &error),
              CT_ERROR_UNSUPPORTED, "alpha");
  CHECK_FAILS(format->open_scan(write_png("c.png", 0, 4, 4, 4, PNG_COLOR_TYPE_GRAY, 0), NULL, &error),
              CT_ERROR_UNSUPPORTED, "4 bits");
  put_string(scratch_path("c.png"), "");
  CHECK_FAILS(format->open_scan(scratch_path("c.png"), NULL, &error), CT_ERROR_FORMAT, "empty");
  put_string(scratch_path("c.png"), "GIF89a, not a PNG");
  CHECK_FAILS(format->open_scan(scratch_path("c.png"), NULL, &error), CT_ERROR_FORMAT, "c.png");
  CHECK_FAILS(format->open_scan(scratch_path("none.png"), NULL, &error), CT_ERROR_IO, "none.png");
  write_png("d/a1.png", 0, 8, 4, 8, PNG_COLOR_TYPE_GRAY, 0);
  write_png("d/a2.png", 0, 8, 4, 16, PNG_COLOR_TYPE_GRAY, 0);
  CHECK_FAILS(ct_scan_open(scratch_path("d"), NULL, &error), CT_ERROR_FORMAT, "a2.png differs");
  /* 900000 x 900000 pixels promised by a good header of a short file. */
  size_t size;
  unsigned char *bytes = get_bytes(write_png("c.png", 0, 4, 4, 8, PNG_COLOR_TYPE_GRAY, 0), &size);
  for (int i = 0; i < 2; i++) memcpy(bytes + 16 + 4 * i, "\0\15\273\240", 4);
  const uint32_t sum = (uint32_t)crc32(0, bytes + 12, 17);
  for (int i = 0; i < 4; i++) bytes[29 + i] = (unsigned char)(sum >> (24 - 8 * i));
  put_bytes(scratch_path("c.png"), bytes, size);
  free(bytes);
  CHECK_FAILS(format->open_scan(scratch_path("c.png"), NULL, &error), CT_ERROR_FORMAT, "promises more");
}

/* A plane of square pixels of 1 mm. */
static ct_png_plane plane_of(const float *values, int size, int bits, double low, double high) {
  return (ct_png_plane){.values = values,
                        .width = size,
                        .height = size,
                        .pixel_x = 1,
                        .pixel_y = 1,
                        .bits = bits,
                        .low = low,
                        .high = high};
}

static void test_planes(void) {
  ct_error *error = NULL;
  float plane[3 * 4] = {0, 1, 2, 3, 4, 5, 6, 7, 8, NAN, 10, 12};
  for (int bits = 8; bits <= 16; bits += 8) {
    const double top = bits == 16 ? 65535 : 255;
    const ct_png_plane written = {.values = plane,
                                  .width = 4,
                                  .height = 3,
                                  .pixel_x = 0.3043,
                                  .pixel_y = 0.25,
                                  .bits = bits,
                                  .low = 1,
                                  .high = 11,
                                  .plan = TEST_PLAN};
    CHECK_OK(ct_png_write_plane(scratch_path("plane.png"), &written, &error));
    ct_scan *scan = ct_scan_open(scratch_path("plane.png"), NULL, &error);
    CHECK_OK(scan);
    float grey[12];
    const bool got = ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, 3, grey, &error);
    ct_scan_free(scan);
    CHECK_OK(got);
    for (int i = 0; i < 12; i++) {
      const double wanted = isnan(plane[i]) ? 0 : fmin(fmax(((double)plane[i] - 1) / 10, 0), 1) * top;
      CHECK_NEAR(grey[i], wanted, 0.5001);
    }
  }
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  FILE *file = fopen(scratch_path("plane.png"), "rb");
  CHECK(file && !setjmp(png_jmpbuf(png)));
  png_init_io(png, file);
  png_read_info(png, info);
  png_uint_32 x = 0, y = 0;
  int unit = 0, found = 0, count;
  png_textp texts;
  png_get_pHYs(png, info, &x, &y, &unit);
  png_get_text(png, info, &texts, &count);
  for (int i = 0; i < count; i++)
    found += (strcmp(texts[i].key, "Gantry plan") == 0 && strcmp(texts[i].text, TEST_PLAN) == 0) ||
             (strcmp(texts[i].key, "Gantry black") == 0 && strcmp(texts[i].text, "1") == 0) ||
             (strcmp(texts[i].key, "Gantry white") == 0 && strcmp(texts[i].text, "11") == 0);
  png_destroy_read_struct(&png, &info, NULL);
  fclose(file);
  CHECK(unit == PNG_RESOLUTION_METER && x == 3286 && y == 4000);
  CHECK(found == 3);
}

/* Without limits the 0.1 % and 99.9 % percentiles are black and white, and one hot pixel does not spoil the picture. */
static void test_percentiles(void) {
  ct_error *error = NULL;
  static float plane[100 * 100], grey[100 * 100];
  const ct_png_plane automatic = plane_of(plane, 100, 16, NAN, NAN), flat = plane_of(plane, 100, 8, NAN, NAN);
  for (int i = 0; i < 10000; i++) plane[i] = (float)i;
  plane[5000] = 1e30f;
  plane[5001] = INFINITY;
  CHECK_OK(ct_png_write_plane(scratch_path("auto.png"), &automatic, &error));
  ct_scan *scan = ct_scan_open(scratch_path("auto.png"), NULL, &error);
  CHECK_OK(scan);
  const bool got = ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, 100, grey, &error);
  ct_scan_free(scan);
  CHECK_OK(got);
  CHECK_NEAR(grey[5], 0, 0);
  CHECK_NEAR(grey[2500], 65535 * 0.25, 65535 * 0.002);
  CHECK_NEAR(grey[5000], 65535, 0);
  CHECK_NEAR(grey[9995], 65535, 0);
  memset(plane, 0, sizeof plane);
  CHECK_OK(ct_png_write_plane(scratch_path("flat.png"), &flat, &error));
  for (int i = 0; i < 10000; i++) plane[i] = NAN;
  CHECK_OK(ct_png_write_plane(scratch_path("flat.png"), &flat, &error));
}

static void test_output_faults(void) {
  ct_error *error = NULL;
  static float plane[200 * 200];
  for (int i = 0; i < 200 * 200; i++) plane[i] = (float)(((uint32_t)i * 2654435761u >> 8) % 10007);
  ct_png_plane written = plane_of(plane, 200, 16, 0, 10007);
  written.plan = TEST_PLAN;
  char path[600];
  snprintf(path, sizeof path, "%s/x.png", read_only_folder());
  CHECK_FAILS(ct_png_write_plane(path, &written, &error), CT_ERROR_IO, "x.png");
  for (rlim_t limit = 4; limit < 60000; limit = limit * 5) {
    limit_file_size(limit);
    const bool good = ct_png_write_plane(scratch_path("full/x.png"), &written, &error);
    unlimit_file_size();
    CHECK_FAILS(good, CT_ERROR_IO, "full/x.png");
    CHECK(count_entries(scratch_path("full")) == 0);
  }
  const ct_png_plane twelve = plane_of(plane, 200, 12, 0, 1), infinite = plane_of(plane, 200, 8, 0, INFINITY);
  ct_png_plane empty = plane_of(plane, 200, 8, 0, 1);
  empty.width = 0;
  CHECK_FAILS(ct_png_write_plane(scratch_path("x.png"), &twelve, &error), CT_ERROR_ARGUMENT, "x.png");
  CHECK_FAILS(ct_png_write_plane(scratch_path("x.png"), &empty, &error), CT_ERROR_ARGUMENT, "x.png");
  CHECK_FAILS(ct_png_write_plane(scratch_path("x.png"), &infinite, &error), CT_ERROR_ARGUMENT, "finite");
}

static bool read_scan(const char *path, ct_error **error) {
  return try_scan(ct_format_find("png"), path, error);
}

static void test_damage(void) {
  int refused;
  for (int interlace = 0; interlace < 2; interlace++) {
    CHECK(damage(write_png("valid.png", 0, 13, 9, 16, PNG_COLOR_TYPE_GRAY, interlace), "hurt.png", 1, read_scan,
                 &refused) == 0);
    CHECK(refused > 200);
  }
}

/* A picture of colours: one row for each kind of pixel, the last one lowest. */
static void test_grey_of_colours(void) {
  static const unsigned char colours[3][2][4] = {
      {{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {90, 90, 90, 255}}, {{200, 200, 200, 51}, {7, 8, 9, 0}}};
  static const double grey[3][2] = {{40, 0}, {0.0722 * 255, 90}, {0.2126 * 255, 0.7152 * 255}};
  ct_error *error = NULL;
  int width, height;
  const char *path = scratch_path("colours.png");
  png_image image = {.version = PNG_IMAGE_VERSION, .width = 2, .height = 3, .format = PNG_FORMAT_RGBA};
  CHECK(png_image_write_to_file(&image, path, 0, colours, 0, NULL));
  CHECK(ct_png_is_coloured(path));
  float *values = ct_png_read_grey(path, &width, &height, &error);
  CHECK_OK(values);
  CHECK(width == 2 && height == 3);
  for (int i = 0; i < 6; i++) CHECK_NEAR((double)values[i], grey[i / 2][i % 2], 1e-4);
  ct_free(values);
  CHECK(!ct_png_is_coloured(write_png("grey16.png", 0, 9, 9, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE)));
  CHECK(!ct_png_is_coloured(scratch_path("missing.png")));
  values = ct_png_read_grey(write_png("bits.png", 0, 9, 7, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE), &width, &height,
                            &error);
  CHECK_OK(values);
  CHECK(width == 9 && height == 7 && values[62] == 0);
  ct_free(values);
  CHECK(truncate(path, 60) == 0);
  CHECK(ct_png_is_coloured(path));
  CHECK_FAILS(ct_png_read_grey(path, &width, &height, &error), CT_ERROR_FORMAT, "colours.png");
}

static const ct_test tests[] = {
    {"stacks of both depths, interlaced too", test_stacks},
    {"bad files", test_bad_files},
    {"planes there and back", test_planes},
    {"limits by percentile", test_percentiles},
    {"read-only and full folders", test_output_faults},
    {"the grey of a picture of colours", test_grey_of_colours},
    {"damaged files", test_damage},
};

IO_TEST_MAIN(tests)
