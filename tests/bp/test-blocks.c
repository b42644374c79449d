/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of tiles: every tile once, block after block, whatever the plane's end cuts. */
#include "recon/bp/layout/blocks.h"
#include "tests/test.h"

enum { most = 40 };

/* Tiles that are missing or come twice, and those that come before their block's turn or after it. */
static void count_faults(const ct_blocks *b, int *wrong, int *astray) {
  int times[most * most] = {0}, last = -1;
  for (int n = 0; n < b->across * b->down; n++) {
    int x = -1, y = -1;
    ct_blocks_place(b, n, &x, &y);
    if (x < 0 || x >= b->across || y < 0 || y >= b->down) {
      ++*wrong;
      continue;
    }
    times[y * b->across + x]++;
    const int wide = (b->across + b->columns - 1) / b->columns, block = y / b->rows * wide + x / b->columns;
    if (block < last) ++*astray;
    last = block;
  }
  for (int n = 0; n < b->across * b->down; n++)
    if (times[n] != 1) ++*wrong;
}

static void test_every_tile_once(void) {
  int wrong = 0, astray = 0;
  for (int across = 1; across <= most; across += 3)
    for (int down = 1; down <= most; down += 2)
      for (int columns = 1; columns <= 9; columns++)
        for (int rows = 1; rows <= 9; rows += 2)
          count_faults(&(ct_blocks){across, down, columns, rows}, &wrong, &astray);
  CHECK(wrong == 0 && astray == 0);
}

static void test_row_by_row(void) {
  const ct_blocks rows = {7, 5, 7, 1};
  int different = 0;
  for (int n = 0; n < 35; n++) {
    int x, y;
    ct_blocks_place(&rows, n, &x, &y);
    different += y * 7 + x != n;
  }
  CHECK(different == 0);
}

static const ct_test tests[] = {
    {"every tile comes once, block after block", test_every_tile_once},
    {"blocks as wide as the plane are its rows", test_row_by_row},
};

CT_TEST_MAIN(tests)
