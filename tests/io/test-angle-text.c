/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angles as they are written by people and by programs: lists and tables, decimal commas, units; and angles that a scan
 * tells in a way that can hardly be meant. */
#include "recon/base/memory.h"
#include "recon/io/shared/angle-text.h"
#include "tests/io/io-test.h"

enum { VIEWS = 24, ROOM = 8192 };

/* One line of a table: i its number from 0, degrees its angle. */
typedef void (*write_line)(char *line, size_t size, int i, double degrees);

static void with_point(char *line, size_t size, int i, double degrees) {
  (void)i;
  snprintf(line, size, "%.3f\n", degrees);
}

static void with_comma(char *line, size_t size, int i, double degrees) {
  with_point(line, size, i, degrees);
  *strchr(line, '.') = ',';
}

/* As a spreadsheet writes it, which leaves out decimals that are 0. */
static void with_short_comma(char *line, size_t size, int i, double degrees) {
  (void)i;
  snprintf(line, size, "%g\n", degrees);
  char *point = strchr(line, '.');
  if (point) *point = ',';
}

static void numbered_with_comma(char *line, size_t size, int i, double degrees) {
  snprintf(line, size, "%d;%.2f\n", i + 1, degrees);
  *strchr(line, '.') = ',';
}

static void numbered(char *line, size_t size, int i, double degrees) {
  snprintf(line, size, "%d,%.2f\n", i, degrees);
}

static void whole_numbered(char *line, size_t size, int i, double degrees) {
  (void)degrees;
  snprintf(line, size, "%d,%d\n", i, 15 * i);
}

static void with_sign(char *line, size_t size, int i, double degrees) {
  (void)i;
  snprintf(line, size, "%.2f\xc2\xb0\n", degrees);
}

static void with_word(char *line, size_t size, int i, double degrees) {
  (void)i;
  snprintf(line, size, "%.2f deg\r\n", degrees);
}

static void named(char *line, size_t size, int i, double degrees) {
  snprintf(line, size, "p_%04d.tif; %.2f\n", i, degrees);
}

static void three_columns(char *line, size_t size, int i, double degrees) {
  snprintf(line, size, "%d\t%.2f\t%d\n", i, degrees, 40000 + i);
}

static void in_gons(char *line, size_t size, int i, double degrees) {
  (void)i;
  snprintf(line, size, "%.5f\n", degrees / 0.9);
}

static void in_radians(char *line, size_t size, int i, double degrees) {
  (void)i;
  snprintf(line, size, "%.7f\n", degrees * M_PI / 180);
}

static void in_millidegrees(char *line, size_t size, int i, double degrees) {
  (void)i;
  snprintf(line, size, "%.0f\n", degrees * 1000);
}

static double angle_of(int i, write_line write) {
  return write == whole_numbered ? 15 * i : 1.25 + 15 * i;
}

static void put_angles(const char *path, const char *head, write_line write, int count) {
  char text[ROOM];
  snprintf(text, sizeof text, "%s", head);
  for (int i = 0; i < count; i++) write(text + strlen(text), sizeof text - strlen(text), i, angle_of(i, write));
  put_string(path, text);
}

static void test_shapes(void) {
  static const struct {
    const char *head;
    write_line write;
    ct_remark_kind kind;
    const char *words; /* a remark, NULL: none */
  } cases[] = {
      {"", with_point, 0, NULL},
      {"# degrees\n% more\n// and more\n\n", with_point, 0, NULL},
      {"\xef\xbb\xbf", with_point, 0, NULL},
      {"", with_comma, CT_REMARK_ASSUMED, "decimal commas"},
      {"", with_short_comma, CT_REMARK_ASSUMED, "decimal commas"},
      {"Winkel\n", with_comma, CT_REMARK_ASSUMED, "decimal commas"},
      {"", numbered_with_comma, CT_REMARK_ASSUMED, "its second is the angles"},
      {"Bild;Winkel\n", numbered_with_comma, CT_REMARK_ASSUMED, "decimal commas"},
      {"", numbered, CT_REMARK_ASSUMED, "its second is the angles"},
      {"", whole_numbered, CT_REMARK_ASSUMED, "its second is the angles"},
      {"index,angle\n", numbered, 0, NULL},
      {"Angle [deg]\n", with_point, 0, NULL},
      {"", with_sign, 0, NULL},
      {"", with_word, 0, NULL},
      {"", named, 0, NULL},
      {"file;angle\n", named, 0, NULL},
      {"image\ttheta (deg)\tcounts\n", three_columns, 0, NULL},
      {"# gon\n", in_gons, 0, NULL},
      {"angle (rad)\n", in_radians, 0, NULL},
      {"# mdeg\n", in_millidegrees, 0, NULL},
      {"", in_radians, CT_REMARK_DOUBT, "a whole turn in radians"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ct_error *error = NULL;
    ct_remarks remarks = {0};
    double *degrees;
    size_t count;
    bool found = !cases[k].words && remarks.count == 0;
    put_angles(scratch_path("a.txt"), cases[k].head, cases[k].write, VIEWS);
    CHECK_OK(ct_read_angle_text(scratch_path("a.txt"), VIEWS, &degrees, &count, &remarks, &error));
    if (!cases[k].words && remarks.count) CT_TEST_END(1, "case %zu: \"%s\"", k, remarks.items[0].text);
    for (int i = 0; i < remarks.count; i++)
      found |=
          cases[k].words && remarks.items[i].kind == cases[k].kind && strstr(remarks.items[i].text, cases[k].words);
    if (count != VIEWS || !found) CT_TEST_END(1, "case %zu: %zu angles, %d remarks", k, count, remarks.count);
    for (int i = 0; i < VIEWS; i++) CHECK_NEAR(degrees[i], angle_of(i, cases[k].write), 1e-4);
    ct_free(degrees);
    ct_remarks_clear(&remarks);
  }
}

/* Numbers of which the count alone tells how they are to be parted. */
static void test_counts(void) {
  static const struct {
    const char *text;
    size_t views, count;
    double last;
  } cases[] = {
      {"0,5\n", 2, 2, 5},           {"0,5\n", 1, 1, 0.5},         {"0 1 2 3\n4 5 6 7\n", 8, 8, 7},
      {"1,2,3", 3, 3, 3},           {"0,5 1,5 2,5\n", 3, 3, 2.5}, {"0;0\n1;4\n2;8\n", 3, 3, 8},
      {"0;0\n1;4\n2;8\n", 6, 6, 8}, {"0.5,1.5", 2, 2, 1.5},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ct_error *error = NULL;
    double *degrees;
    size_t count;
    put_string(scratch_path("a.txt"), cases[k].text);
    CHECK_OK(ct_read_angle_text(scratch_path("a.txt"), cases[k].views, &degrees, &count, NULL, &error));
    if (count != cases[k].count || degrees[count - 1] != cases[k].last)
      CT_TEST_END(1, "case %zu: %zu angles, the last %g", k, count, degrees[count - 1]);
    ct_free(degrees);
  }
}

static void test_faults(void) {
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"", "no numbers"},
      {"a header\n", "no numbers"},
      {"0 1 two 3", "line 1, column 5"},
      {"0\n1\nx\n", "line 3, column 1"},
      {"0\nnan\n", "line 2: a number is not finite"},
      {"a 1\nb 2\n3\n", "line 3, column 1"},
      {"1\nb 2\n", "line 2, column 1"},
      {"1 kg\n", "line 1, column 3"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ct_error *error = NULL;
    double *degrees;
    size_t count;
    put_string(scratch_path("a.txt"), cases[k].text);
    CHECK_FAILS(ct_read_angle_text(scratch_path("a.txt"), 3, &degrees, &count, NULL, &error), CT_ERROR_FORMAT,
                cases[k].words);
    CHECK(!degrees && count == 0);
  }
}

static void test_units(void) {
  static const struct {
    const char *unit;
    double degrees; /* 0: none */
  } cases[] = {{"deg", 1},   {"Degrees", 1}, {"\xc2\xb0", 1},       {"rad", 180 / M_PI}, {"radians", 180 / M_PI},
               {"gon", 0.9}, {"mdeg", 1e-3}, {"mrad", 0.18 / M_PI}, {"grad", 0},         {"mm", 0},
               {"", 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double degrees = 0;
    CHECK(ct_angle_unit(cases[k].unit, &degrees) == (cases[k].degrees != 0));
    CHECK_NEAR(degrees, cases[k].degrees, 1e-12);
  }
}

/* Angles that a description tells, whatever the format. */
static void test_doubts(void) {
  static const struct {
    double first, step;
    const char *words; /* NULL: nothing is doubted */
  } cases[] = {
      {0, 15, NULL},
      {3, M_PI / 12, "a whole turn"},
      {0, 400.0 / 24, "gons"},
      {1, 0, "all views have one angle"},
      {0, 7000, "more than a turn"},
      {0, 222.5, NULL},
      {-60, 5, NULL},
      {0, -M_PI / 24, "half a turn"},
      {0, M_PI / 12, "a whole turn"},
      {0, 0.5, NULL},
  };
  const float zeros[VIEWS * 8] = {0};
  put_bytes(scratch_path("p.raw"), zeros, sizeof zeros);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ct_error *error = NULL;
    char text[256];
    snprintf(text, sizeof text,
             "{\"files\": {\"raw\": \"p.raw\", \"type\": \"float32\", \"dims\": [4, 2, %d]}, \"angles_deg\": "
             "{\"first\": %.17g, "
             "\"step\": %.17g}}",
             VIEWS, cases[k].first, cases[k].step);
    put_string(scratch_path("p.json"), text);
    ct_scan *scan = ct_scan_open(scratch_path("p.json"), NULL, &error);
    CHECK_OK(scan);
    const ct_remarks *remarks = ct_scan_get_facts(scan)->remarks;
    const char *words = cases[k].words;
    if (words ? !has_remark(scan, CT_REMARK_DOUBT, words) : ct_remarks_count(remarks, CT_REMARK_DOUBT) != 0)
      CT_TEST_END(1, "case %zu: %d doubts", k, ct_remarks_count(remarks, CT_REMARK_DOUBT));
    ct_scan_free(scan);
  }
}

/* Angles that no scan has, of however many views, and steps of more than a turn of a few. */
static void test_no_angles(void) {
  static const struct {
    double first, step;
    int views;
    const char *words; /* NULL: nothing is said */
    bool refused;
  } cases[] = {
      {1e300, 0, 1, "The angle of view 0 is 1e+300 degrees", true},
      {0, 1e300, 3, "The angle of view 1 is 1e+300 degrees", true},
      {0, -2e5, 12, "The angle of view 6 is -1.2e+06 degrees", true},
      {1e6, 0, 1, NULL, false},
      {0, 7000, 3, "more than a turn", false},
      {0, 222.5, 3, NULL, false},
  };
  const float zeros[VIEWS * 8] = {0};
  put_bytes(scratch_path("p.raw"), zeros, sizeof zeros);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ct_error *error = NULL;
    char text[256];
    snprintf(text, sizeof text,
             "{\"files\": {\"raw\": \"p.raw\", \"type\": \"float32\", \"dims\": [4, 2, %d]}, \"layout\": "
             "\"projections\", \"angles_deg\": {\"first\": %.17g, \"step\": %.17g}}",
             cases[k].views, cases[k].first, cases[k].step);
    put_string(scratch_path("p.json"), text);
    ct_scan *scan = ct_scan_open(scratch_path("p.json"), NULL, &error);
    if (cases[k].refused) {
      CHECK_FAILS(scan != NULL, CT_ERROR_ARGUMENT, cases[k].words);
      continue;
    }
    CHECK_OK(scan);
    CHECK(has_remark(scan, CT_REMARK_DOUBT, cases[k].words ? cases[k].words : "angle") == (cases[k].words != NULL));
    ct_scan_free(scan);
  }
}

/* A few views of many rows. */
static void test_axes(void) {
  static const struct {
    int rows, views;
    const char *layout;
    int doubts;
  } cases[] = {{40, 3, "", 1}, {40, 3, ", \"layout\": \"projections\"", 0}, {20, 3, "", 0}, {100, 12, "", 0}};
  const float zeros[4 * 1200] = {0};
  put_bytes(scratch_path("p.raw"), zeros, sizeof zeros);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ct_error *error = NULL;
    char text[256];
    snprintf(text, sizeof text, "{\"files\": {\"raw\": \"p.raw\", \"type\": \"float32\", \"dims\": [4, %d, %d]}%s}",
             cases[k].rows, cases[k].views, cases[k].layout);
    put_string(scratch_path("p.json"), text);
    ct_scan *scan = ct_scan_open(scratch_path("p.json"), NULL, &error);
    CHECK_OK(scan);
    CHECK(has_remark(scan, CT_REMARK_DOUBT, "say so") == (cases[k].doubts == 1));
    ct_scan_free(scan);
  }
}

static const ct_test tests[] = {
    {"lists and tables of angles", test_shapes},
    {"how many there should be tells", test_counts},
    {"what are no angles", test_faults},
    {"units of angles", test_units},
    {"angles that can hardly be meant", test_doubts},
    {"angles that are none", test_no_angles},
    {"pictures that may be sinograms", test_axes},
};

IO_TEST_MAIN(tests)
