/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which the tiles of a plane are taken: row by row, or block by block. What tiles that are close together
 * read of a view is close together, too: blocks keep it in the cache until their last tile. */
#ifndef CT_BP_LAYOUT_BLOCKS_H
#define CT_BP_LAYOUT_BLOCKS_H

typedef struct ct_blocks {
  int across, down;  /* tiles of the plane */
  int columns, rows; /* tiles of a block, which the plane's end cuts; {across, 1}: row by row */
} ct_blocks;

/* Tile n of across * down. */
static inline void ct_blocks_place(const ct_blocks *b, int n, int *x, int *y) {
  const int band = n / (b->across * b->rows), top = band * b->rows, in_band = n - top * b->across;
  const int rows = b->down - top < b->rows ? b->down - top : b->rows;
  const int block = in_band / (b->columns * rows), left = block * b->columns, in_block = in_band - left * rows;
  const int columns = b->across - left < b->columns ? b->across - left : b->columns;
  *x = left + in_block % columns, *y = top + in_block / columns;
}

#endif
