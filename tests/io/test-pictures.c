/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EDF and FITS: series of pictures, several in one file, their angles; headers that lie. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/bmp.h"
#include "tests/io/damage.h"
#include "tests/test.h"

#include <math.h>

enum { NU = 6, NV = 4, VIEWS = 3, PIXELS = NU * NV };

static uint16_t sample_of(int view, int row, int column) {
  return (uint16_t)(40000 + 24 * view + 6 * row + column);
}

static size_t put_edf(unsigned char *file, int view, const char *lines) {
  char text[513];
  const int length = snprintf(text, sizeof text,
                              "{\nHeaderID = EH:000001:000000:000000 ;\nByteOrder = HighByteFirst ;\nDataType = "
                              "UnsignedShort ;\nDim_1 = %d ;\nDim_2 = %d ;\n%s",
                              NU, NV, lines);
  memset(text + length, ' ', (size_t)(510 - length));
  memcpy(text + 510, "}\n", 2);
  memcpy(file, text, 512);
  for (int i = 0; i < PIXELS; i++) {
    const uint16_t value = __builtin_bswap16(sample_of(view, i / NU, i % NU));
    memcpy(file + 512 + 2 * i, &value, 2);
  }
  return 512 + 2 * PIXELS;
}

static void write_edf(const char *path, int view) {
  unsigned char file[2048];
  char lines[200];
  snprintf(lines, sizeof lines,
           "motor_mne = sx hrsrot sz ;\nmotor_pos = 1.5 %g 7 ;\nPSize_1 = 2e-06 ;\nPSize_2 = 2e-06 ;\n", 30.0 * view);
  write_file(path, file, put_edf(file, view, lines));
}

static void check_scan(const char *path, const char *format, bool top) {
  ct_error *error = NULL;
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(strcmp(facts->format, format) == 0 && facts->integers);
  CHECK(facts->geometry.views == VIEWS && facts->geometry.nv == NV && facts->geometry.nu == NU);
  float rows[PIXELS];
  for (int view = VIEWS - 1; view >= 0; view--) {
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, view, 1, 2, rows, &error));
    for (int i = 0; i < 2 * NU; i++) {
      const int row = 1 + i / NU;
      CHECK(rows[i] == sample_of(view, top ? NV - 1 - row : row, i % NU));
    }
  }
  CHECK_OK(ct_scan_check(scan, &error));
  ct_scan_free(scan);
}

static void check_angles(const char *path, double step) {
  ct_error *error = NULL;
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(facts->known & CT_KNOWN_ANGLES);
  for (int view = 0; view < VIEWS; view++) CHECK_NEAR(facts->geometry.angles[view], step * view * M_PI / 180, 1e-12);
  ct_scan_free(scan);
}

static void test_bmp(void) {
  ct_error *error = NULL;
  static const int bits[] = {8, 16, 24, 32};
  make_test_folder();
  mkdir(in_folder("b"), 0777);
  for (int k = 0; k < 8; k++) {
    const bmp_file f = {5, NV, bits[k / 2], k % 2};
    for (int view = 0; view < VIEWS; view++) write_bmp(in_folder("b/p%04d.bmp", view), &f, view);
    ct_scan *scan = ct_scan_open(in_folder("b"), NULL, &error);
    CHECK_OK(scan);
    float rows[2 * 5];
    CHECK(ct_scan_get_facts(scan)->geometry.nu == 5 && ct_scan_get_facts(scan)->geometry.nv == NV);
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 2, 1, 2, rows, &error));
    for (int i = 0; i < 10; i++) CHECK(rows[i] == bmp_value(2, 1 + i / 5, i % 5, f.bits));
    ct_scan_free(scan);
  }
  damage(in_folder("b/p0001.bmp"), 54, 1);
  /* A colour among the greys, in the palette and in a pixel, and pixels that are packed. */
  for (int k = 0; k < 3; k++) {
    unsigned char bytes[4096];
    const size_t size = make_bmp_bytes(bytes, &(bmp_file){NU, NV, k == 1 ? 24 : 8, false}, 1);
    bytes[k == 0 ? 54 + 4 * 7 : k == 1 ? 54 + 3 : 30] ^= 1;
    write_file(in_folder("colour.bmp"), bytes, size);
    float row[NU];
    ct_scan *scan = ct_scan_open(in_folder("colour.bmp"), "{\"layout\": \"projections\"}", &error);
    const bool good = scan && ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, 1, row, &error);
    CHECK(!good && error && error->code == CT_ERROR_UNSUPPORTED &&
          strstr(error->message, k == 2 ? "compressed" : "colour"));
    ct_scan_free(scan);
    ct_error_clear(&error);
  }
}

static void test_edf(void) {
  ct_error *error = NULL;
  make_test_folder();
  mkdir(in_folder("e"), 0777);
  for (int view = 0; view < VIEWS; view++) write_edf(in_folder("e/p%04d.edf", view), view);
  check_scan(in_folder("e"), "EDF", true);
  check_angles(in_folder("e"), 30);
  ct_scan *scan = ct_scan_open(in_folder("e/p0001.edf"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_PITCH);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.du, 0.002, 1e-12);
  ct_scan_free(scan);
  /* A text file beside the images goes before their headers. */
  write_text(in_folder("e/angles.txt"), "0 1 2\n");
  check_angles(in_folder("e"), 1);
  unsigned char file[4096];
  size_t bytes = 0;
  for (int view = 0; view < VIEWS; view++) bytes += put_edf(file + bytes, view, "");
  write_file(in_folder("blocks.edf"), file, bytes);
  check_scan(in_folder("blocks.edf"), "EDF", true);
  damage(in_folder("blocks.edf"), 130, 1);
  static const struct {
    const char *lines, *said;
  } wrong[] = {{"Dim_1 = 1e9 ;\n", "ends early"},
               {"Dim_3 = 7 ;\n", "three dimensions"},
               {"DataType = Complex ;\n", "samples of type \"Complex\""},
               {"Compression = GZIP ;\n", "compressed"},
               {"Dim_2 = -3 ;\n", "no sensible size"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[513];
    snprintf(text, sizeof text, "{\n%sDataType = FloatValue ;\nDim_1 = 4 ;\nDim_2 = 4 ;\n}\n", wrong[i].lines);
    memset(text + strlen(text), '\n', 512 - strlen(text));
    write_file(in_folder("w.edf"), text, 512);
    scan = ct_scan_open(in_folder("w.edf"), NULL, &error);
    if (scan || !strstr(error->message, wrong[i].said))
      CT_TEST_END(1, "case %zu: %s", i, error ? error->message : "opens");
    ct_error_clear(&error);
  }
  remove_test_folder();
}

/* A FITS of unsigned 16-bit samples: BZERO 32768. */
static size_t put_fits(unsigned char *file, int first, int planes, double angle, bool extension) {
  char cards[9][81];
  int count = 0;
  snprintf(cards[count++], 81, "%-80s", extension ? "XTENSION= 'IMAGE   '" : "SIMPLE  =                    T");
  snprintf(cards[count++], 81, "BITPIX  = %20d%50s", 16, "");
  snprintf(cards[count++], 81, "NAXIS   = %20d%50s", planes > 1 ? 3 : 2, "");
  snprintf(cards[count++], 81, "NAXIS1  = %20d%50s", NU, "");
  snprintf(cards[count++], 81, "NAXIS2  = %20d%50s", NV, "");
  if (planes > 1) snprintf(cards[count++], 81, "NAXIS3  = %20d%50s", planes, "");
  if (extension) {
    snprintf(cards[count++], 81, "PCOUNT  = %20d%50s", 0, "");
    snprintf(cards[count++], 81, "GCOUNT  = %20d%50s", 1, "");
  }
  memset(file, ' ', 2880);
  for (int i = 0; i < count; i++) memcpy(file + 80 * i, cards[i], 80);
  char card[81];
  snprintf(card, sizeof card, "BZERO   = %20d%50s", 32768, "");
  memcpy(file + 80 * count++, card, 80);
  snprintf(card, sizeof card, "ANGLE   = %20.6f%50s", angle, "");
  memcpy(file + 80 * count++, card, 80);
  memcpy(file + 80 * count, "END", 3);
  memset(file + 2880, 0, 2880);
  for (int i = 0; i < planes * PIXELS; i++) {
    const uint16_t value = __builtin_bswap16((uint16_t)(sample_of(first + i / PIXELS, i / NU % NV, i % NU) - 32768));
    memcpy(file + 2880 + 2 * i, &value, 2);
  }
  return 2 * 2880;
}

static void test_fits(void) {
  ct_error *error = NULL;
  make_test_folder();
  mkdir(in_folder("f"), 0777);
  unsigned char file[4 * 5760];
  for (int view = 0; view < VIEWS; view++)
    write_file(in_folder("f/p_%d.fits", view), file, put_fits(file, view, 1, 20.0 * view, false));
  check_scan(in_folder("f"), "FITS", false);
  check_angles(in_folder("f"), 20);
  write_file(in_folder("cube.fits"), file, put_fits(file, 0, VIEWS, 0, false));
  check_scan(in_folder("cube.fits"), "FITS", false);
  size_t bytes = 0;
  for (int view = 0; view < VIEWS; view++) bytes += put_fits(file + bytes, view, 1, 45.0 * view, view > 0);
  write_file(in_folder("units.fits"), file, bytes);
  check_scan(in_folder("units.fits"), "FITS", false);
  check_angles(in_folder("units.fits"), 45);
  damage(in_folder("cube.fits"), 800, 16);
  put_fits(file, 0, 1, 0, false);
  memcpy(file + 3 * 80 + 10, "            99999999", 20);
  write_file(in_folder("w.fits"), file, 5760);
  CHECK_FAILS(ct_scan_open(in_folder("w.fits"), NULL, &error), CT_ERROR_FORMAT, "ends early");
  /* Forty bytes that claim to be two gigabytes packed, at their end or their beginning. */
  unsigned char packed[40] = {0x1f, 0x8b, [39] = 0x77};
  write_file(in_folder("packed.fits"), packed, sizeof packed);
  CHECK_FAILS(ct_scan_open(in_folder("packed.fits"), NULL, &error), CT_ERROR_FORMAT, "compressed by gzip");
  memcpy(packed, (unsigned char[]){0x1f, 0x1e, 0x70, 0, 0, 0}, 6);
  write_file(in_folder("packed.fits"), packed, sizeof packed);
  CHECK_FAILS(ct_scan_open(in_folder("packed.fits"), NULL, &error), CT_ERROR_FORMAT, "claims to hold 1879048192 bytes");
  static const struct {
    const char *unit;
    int values, doubts;
  } units[] = {{"OD", CT_VALUES_OPTICAL_DENSITY, 0},
               {"absorbance", CT_VALUES_OPTICAL_DENSITY, 1},
               {"line integral", CT_VALUES_LINE_INTEGRALS, 0},
               {"adu", CT_VALUES_COUNTS, 0}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    /* Cards of 80 characters: this one takes the place of END, which moves on. */
    put_fits(file, 0, VIEWS, 0, false);
    unsigned char *end = memmem(file, 2880, "END     ", 8);
    snprintf((char *)end, 81, "BUNIT   = '%s'%*s", units[i].unit, (int)(68 - strlen(units[i].unit)), "");
    memcpy(end + 80, "END ", 4);
    write_file(in_folder("unit.fits"), file, 5760);
    ct_scan *scan = ct_scan_open(in_folder("unit.fits"), NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    CHECK((int)facts->values == units[i].values);
    CHECK(ct_remarks_count(facts->remarks, CT_REMARK_DOUBT) == units[i].doubts);
    ct_scan_free(scan);
  }
  /* A name in the library's extended syntax is a name. */
  put_fits(file, 0, 1, 0, false);
  write_file(in_folder("a[1:2,1:2].fits"), file, 5760);
  ct_scan *scan = ct_scan_open(in_folder("a[1:2,1:2].fits"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.nu == NU);
  ct_scan_free(scan);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"BMP", test_bmp},
    {"EDF", test_edf},
    {"FITS", test_fits},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
