/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outliers and holes in single frames. */
#include "recon/prep/prep-private.h"
#include "tests/prep/support.h"
#include "tests/test.h"

#include <string.h>

enum { NU = 57, ROWS = 41 };

/* A smooth hill with noise of +-0.005. */
static void make_frame(float *frame, int nu, int rows) {
  uint64_t state = 7;
  for (int j = 0; j < rows; j++)
    for (int k = 0; k < nu; k++)
      frame[j * nu + k] = (float)(1 + 0.3 * sin(0.09 * k) * cos(0.11 * j) + 0.01 * noise(&state));
}

static void check_zingers(int rows) {
  float clean[NU * ROWS], frame[NU * ROWS];
  make_frame(clean, NU, rows);
  memcpy(frame, clean, sizeof frame);
  /* Single ones at corners, edges and inside, both signs, and a pair. */
  const int places[] = {
      0, NU - 1, (rows - 1) * NU, rows * NU - 1, (rows / 2) * NU + 20, (rows / 2) * NU + 21, (rows / 2) * NU + 40};
  const int count = sizeof places / sizeof *places;
  for (int i = 0; i < count; i++) frame[places[i]] = clean[places[i]] + (i % 2 ? 3.0f : rows > 1 ? -0.8f : -2.5f);
  const size_t found = ct_prep_remove_outliers(frame, NU, rows, 8);
  /* In a single row the four corners are but two. */
  CHECK(found >= (size_t)(rows > 1 ? count : count - 2) && found <= (size_t)count + 2);
  for (int i = 0; i < NU * rows; i++) CHECK_NEAR(frame[i], clean[i], 0.08);
  /* Done once, done for good. */
  CHECK(ct_prep_remove_outliers(frame, NU, rows, 8) == 0);
}

static void test_zingers(void) {
  check_zingers(ROWS);
}
static void test_zingers_in_a_row(void) {
  check_zingers(1);
}

static void test_harmless(void) {
  float frame[NU * ROWS], before[NU * ROWS];
  make_frame(frame, NU, ROWS);
  memcpy(before, frame, sizeof frame);
  CHECK(ct_prep_remove_outliers(frame, NU, ROWS, 8) == 0);
  CHECK(memcmp(frame, before, sizeof frame) == 0);
  /* A noiseless box with sharp corners, and a line one pixel wide. */
  for (int j = 0; j < ROWS; j++)
    for (int k = 0; k < NU; k++)
      frame[j * NU + k] = (j > 10 && j < 30 && k > 15 && k < 40 ? 1.0f : 0.25f) + (k == 48 ? 0.5f : 0);
  memcpy(before, frame, sizeof frame);
  CHECK(ct_prep_remove_outliers(frame, NU, ROWS, 5) == 0);
  CHECK(memcmp(frame, before, sizeof frame) == 0);
  CHECK(ct_prep_remove_outliers(frame, NU, ROWS, 0) == 0);
  CHECK(ct_prep_remove_outliers(frame, NU, ROWS, NAN) == 0);
}

static void test_small_frames(void) {
  for (int nu = 1; nu < 5; nu++)
    for (int rows = 1; rows < 5; rows++) {
      float frame[16];
      for (int i = 0; i < 16; i++) frame[i] = 2;
      CHECK(ct_prep_remove_outliers(frame, nu, rows, 5) == 0);
      for (int i = 0; i < 16; i++) CHECK(frame[i] == 2);
    }
}

static void test_mend(void) {
  float clean[NU * ROWS], frame[NU * ROWS];
  make_frame(clean, NU, ROWS);
  memcpy(frame, clean, sizeof frame);
  size_t expected = 0, mended = 0;
  for (int j = 0; j < ROWS; j++)
    for (int k = 0; k < NU; k++) {
      const bool bad = (j == 0 && k == 0) || (j > 20 && j < 26 && k > 30 && k < 36) || k == 9;
      if (bad) frame[j * NU + k] = (j + k) % 3 == 0 ? NAN : (j + k) % 3 == 1 ? INFINITY : -INFINITY;
      expected += bad;
    }
  CHECK(ct_prep_mend(frame, NU, ROWS, &mended) == CT_MEND_DONE);
  CHECK(mended == expected);
  for (int i = 0; i < NU * ROWS; i++) CHECK_NEAR(frame[i], clean[i], 0.1);
  /* Nearly nothing left, and nothing at all. */
  for (int i = 0; i < NU * ROWS; i++) frame[i] = NAN;
  CHECK(ct_prep_mend(frame, NU, ROWS, &mended) == CT_MEND_NOTHING_FINITE);
  frame[3] = 4;
  CHECK(ct_prep_mend(frame, NU, ROWS, &mended) == CT_MEND_DONE);
  for (int i = 0; i < NU * ROWS; i++) CHECK(frame[i] == 4);
}

static const ct_test tests[] = {
    {"zingers are found and replaced", test_zingers},
    {"zingers in a single row are found and replaced", test_zingers_in_a_row},
    {"noise, edges and lines stay as they are", test_harmless},
    {"small frames work", test_small_frames},
    {"holes are filled from their rims", test_mend},
};
CT_TEST_MAIN(tests)
