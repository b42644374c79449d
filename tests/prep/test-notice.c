/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bad pixels are noticed: those that stand still, and not what turns with the object; values that are no numbers are
 * counted apart from pixels that are dead in the flats. */
#include "tests/prep/support.h"
#include "tests/test.h"

#include <string.h>

enum { COLUMNS = 64, FRAMES = 30 };

/* A disc that goes round, with a speck of one pixel on it, and noise. */
static struct {
  int rows, column, row; /* of the bad pixel; -1: none */
  float factor, constant;
  bool integrals, unreadable;
  int zingers;  /* in every so many views; 0: none */
  float zinger; /* counts */
  float top;    /* what values are cut off at; 0: not */
} made;

static double noise_at(int view, int u, int v) {
  uint64_t x = (uint64_t)view * 7919 + (uint64_t)u * 104729 + (uint64_t)v * 1299709 + 12345;
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(x >> 40) / (1 << 24) - 0.5;
  }
  return 0.017 * sum;
}

static float uncut(ct_frame_kind kind, int index, int u, int v) {
  const bool bad = u == made.column && v == made.row;
  if (kind == CT_FRAME_FLAT) return u == 5 && v == 0 ? 0 : 1000;
  const double at = 31.5 + 8 * cos(M_PI * index / FRAMES), x = (u - at) / 18;
  double p = x * x < 1 ? 1.5 * sqrt(1 - x * x) : 0;
  if (u == (int)(at + 9) && v == made.rows / 2) p += 1;
  p += noise_at(index, u, v);
  if (made.unreadable && index % 10 == 3 && u >= 20 && u < 24) return u % 2 ? NAN : INFINITY;
  if (made.integrals) return (float)(bad ? made.factor * p + made.constant : p);
  if (made.zingers && index % made.zingers == 0)
    for (int n = 0; n < 2; n++)
      if (u == 7 + (index * 13 + n * 29) % 50 && v == (index * 5 + n * 3) % made.rows) return made.zinger;
  const float value = (float)(1000 * exp(-p));
  return bad ? made.factor * value + made.constant : value;
}

static float pixel(ct_frame_kind kind, int index, int u, int v) {
  const float value = uncut(kind, index, u, v);
  return made.top > 0 && value > made.top ? made.top : value;
}

static bool load(int flats, double outlier, ct_prep_report *report, ct_stack **stack) {
  const function_source source = {pixel, COLUMNS};
  ct_error *error = NULL;
  ct_scan *scan = function_scan(&source, made.rows, FRAMES, flats, 0, NULL, NULL,
                                made.integrals ? CT_VALUES_LINE_INTEGRALS : CT_VALUES_COUNTS, &error);
  ct_prep_options options = plain_prep();
  options.i0 = CT_I0_AUTO;
  options.outlier = outlier;
  ct_stack *loaded = scan ? load_all(scan, &options, report, &error) : NULL;
  ct_scan_free(scan);
  if (stack)
    *stack = loaded;
  else
    ct_stack_free(loaded);
  ct_error_clear(&error);
  return loaded != NULL;
}

static void pixels_that_stand_still_are_noticed(void) {
  const struct { float factor, constant; } faults[] = {{1.4f, 0}, {0, 60000}, {0, 0.5f}, {1, 500}, {0.5f, 0}};
  for (int rows = 1; rows <= 9; rows += 4)
    for (int integrals = 0; integrals < 2; integrals++)
      for (int f = 0; f < 5; f++)
        for (int place = 0; place < 3; place++) {
          ct_prep_report report;
          made.rows = rows;
          made.integrals = integrals;
          made.column = (const int[]){-1, 27, 61}[place];
          made.row = rows / 3;
          made.factor = integrals ? 1 : faults[f].factor;
          made.constant = integrals ? (float)(f - 2.5) : faults[f].constant;
          CHECK(load(0, 0, &report, NULL));
          CHECK(report.stuck == (place > 0));

          CHECK(!place || (report.stuck_at[0] == made.column && report.stuck_at[1] == made.row));
          CHECK(load(0, CT_OUTLIER_OFFER, &report, NULL));
          CHECK(report.stuck == 0);
          /* In a single row the window of outliers is 25 columns, over which the object itself varies by more; and weak
           * ones stand out where the object is even alone. */
          CHECK(rows == 1 || f == 0 || !place || report.outliers >= FRAMES * 3 / 4);
        }
}

static void what_the_file_holds_is_counted_apart(void) {
  ct_prep_report report;
  memset(&made, 0, sizeof made);
  made.rows = 5;
  made.column = -1;
  CHECK(load(1, 0, &report, NULL) && report.not_finite == FRAMES && report.unreadable == 0 && report.stuck == 0);
  made.unreadable = true;
  CHECK(load(1, 0, &report, NULL) && report.unreadable == 3 * 4 * 5 && report.unreadable_views == 3);
  CHECK(report.not_finite == FRAMES + 3 * 4 * 5 && report.pixels == 5.0 * COLUMNS * FRAMES);
}

/* Particles are told from a speck that turns with the object, and from pixels that stand still. */
static void particles_are_noticed(void) {
  for (int rows = 1; rows <= 9; rows += 4)
    for (int often = 0; often < 2; often++)
      for (int strong = 0; strong < 2; strong++) {
        ct_prep_report report;
        memset(&made, 0, sizeof made);
        made.rows = rows;
        made.column = -1;
        made.zingers = often ? 1 : 0;
        /* Of a single row, those brighter than the free beam alone. */
        made.zinger = strong ? 5000 : rows == 1 ? 1800 : 900;
        CHECK(load(0, 0, &report, NULL));
        CHECK(report.spike_views >= 5);
        CHECK(often ? report.spikes >= report.spike_views : report.spikes == 0);
        CHECK(!often || (report.spike_at[1] == (report.spike_at[2] * 5) % rows ||
                         report.spike_at[1] == (report.spike_at[2] * 5 + 3) % rows));
        CHECK(load(0, CT_OUTLIER_OFFER, &report, NULL) && report.spikes == 0 && report.spike_views == 0);
      }
}

/* A full detector of counts, and line integrals where no beam came through; not a number of any size, nor what is not
 * cut off. */
static void values_cut_off_are_noticed(void) {
  static const struct {
    float top;
    bool integrals;
    int bits;
    bool told;
  } cases[] = {{255, false, 8, true}, {1023, false, 10, false}, {4095, false, 0, false}, {300, false, 0, false},
               {1.2f, true, 0, true}, {0, true, 0, false},      {0, false, 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_prep_report report;
    memset(&made, 0, sizeof made);
    made.rows = 6;
    made.column = -1;
    made.top = cases[i].top;
    made.integrals = cases[i].integrals;
    CHECK(load(0, 0, &report, NULL));
    if ((report.top_share > 0) != cases[i].told)
      CT_TEST_END(1, "case %zu: %g of the pixels at %g", i, report.top_share, (double)report.top);
    if (!cases[i].told) continue;
    CHECK(report.top == cases[i].top && report.top_bits == cases[i].bits && report.top_share > 0.1);
  }
}

static const ct_test tests[] = {
    {"pixels that stand still are noticed, what turns is not", pixels_that_stand_still_are_noticed},
    {"particles are noticed, what turns or stands still is none", particles_are_noticed},
    {"values that were cut off above are noticed", values_cut_off_are_noticed},
    {"what is no number in the file is counted apart", what_the_file_holds_is_counted_apart},
};

CT_TEST_MAIN(tests)
