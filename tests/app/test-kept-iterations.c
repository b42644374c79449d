/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which iterations are kept where not all of them fit, and what a run keeps that goes on with another. */
#include "tests/test.h"

#include "app/kept-iterations.h"

#define SIDE 4
#define BYTES (SIDE * SIDE * 4.0)

static const ct_grid grid = {.nx = SIDE, .ny = SIDE, .nz = 1, .dx = 1, .dy = 1, .dz = 1};

/* Slices whose values are the numbers of their iterations. */
static void add(GantryKeptIterations *kept, int first, int last) {
  for (int iteration = first; iteration <= last; iteration++) {
    GantryImage *slice = gantry_image_new_for_plane(&grid, CT_AXIAL, 0);
    for (int i = 0; i < SIDE * SIDE; i++) slice->pixels[i] = (float)iteration;
    gantry_kept_iterations_add(kept, iteration, slice, &grid);
  }
}

static bool is_whole(const GantryKeptIterations *kept, int last, int most) {
  int count;
  const GantryKeptIteration *one = gantry_kept_iterations_get(kept, &count);
  bool whole = count > 0 && count <= most && one[count - 1].iteration == last &&
               gantry_kept_iterations_bytes(kept) <= most * BYTES;
  for (int i = 0; i < count; i++) whole = whole && one[i].slice->pixels[0] == (float)one[i].iteration;
  /* Equally far apart but for the last. */
  for (int i = 2; i + 1 < count; i++)
    whole = whole && one[i].iteration - one[i - 1].iteration == one[1].iteration - one[0].iteration;
  return whole;
}

static void test_all_that_fit(void) {
  int count;
  g_autoptr(GantryKeptIterations) kept = gantry_kept_iterations_new(8 * BYTES, NULL);
  CHECK(gantry_kept_iterations_lacks(kept, 1));
  add(kept, 1, 8);
  gantry_kept_iterations_get(kept, &count);
  CHECK(count == 8 && is_whole(kept, 8, 8));
  CHECK(!gantry_kept_iterations_lacks(kept, 8) && gantry_kept_iterations_lacks(kept, 9));
}

static void test_no_more_than_fit(void) {
  for (int most = 2; most <= 9; most++) {
    g_autoptr(GantryKeptIterations) kept = gantry_kept_iterations_new(most * BYTES, NULL);
    for (int last = 1; last <= 200; last++) {
      add(kept, last, last);
      CHECK(is_whole(kept, last, most));
    }
    int count;
    gantry_kept_iterations_get(kept, &count);
    CHECK(count >= most / 2);
  }
}

static void test_none_of_what_is_too_large(void) {
  int count;
  g_autoptr(GantryKeptIterations) kept = gantry_kept_iterations_new(1.9 * BYTES, NULL);
  add(kept, 1, 5);
  gantry_kept_iterations_get(kept, &count);
  CHECK(count == 0 && gantry_kept_iterations_bytes(kept) == 0);
}

static void test_going_on(void) {
  int count;
  g_autoptr(GantryKeptIterations) before = gantry_kept_iterations_new(8 * BYTES, NULL);
  add(before, 1, 6);
  g_autoptr(GantryKeptIterations) after = gantry_kept_iterations_new(8 * BYTES, before);
  add(after, 7, 20);
  CHECK(is_whole(after, 20, 8));
  gantry_kept_iterations_get(before, &count);
  CHECK(count == 6 && is_whole(before, 6, 8));
}

static const ct_test tests[] = {{"all iterations that fit are kept", test_all_that_fit},
                                {"of more, equally many apart, and the last", test_no_more_than_fit},
                                {"none where no two would fit", test_none_of_what_is_too_large},
                                {"going on keeps those before, which stay what they are", test_going_on}};
CT_TEST_MAIN(tests)
