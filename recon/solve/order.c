/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of views: bit-reversed (van der Corput), so that any prefix is spread evenly over the arc. */
#include "recon/solve/pipeline.h"

void ct_bit_reversed_order(int count, int *order) {
  int bits = 0;
  while (bits < 30 && (1 << bits) < count) bits++;
  int n = 0;
  for (unsigned i = 0; i < 1u << bits; i++) {
    unsigned reversed = 0;
    for (int b = 0; b < bits; b++)
      if (i & 1u << b) reversed |= 1u << (bits - 1 - b);
    if (reversed < (unsigned)count) order[n++] = (int)reversed;
  }
}
