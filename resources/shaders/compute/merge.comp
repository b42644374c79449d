/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge-based products of compressed rows (Merrill and Garland 2016): the ends of rows and the numbers of entries are
 * merged, and the path of the merge is cut into tiles of equal length, one for each work group, and those into ITEMS
 * steps for each thread, however long the rows are. What a row has in several threads is joined by a scan, what it has
 * in several tiles by the second stage: no atomic additions, and always the same sums. STAGE 0 walks the tiles, STAGE 1
 * adds the shares of rows that tiles have in common. */
#define TILE (THREADS * ITEMS)
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) readonly buffer Starts { uint starts[]; };   /* of the part's rows, and the end of the last */
layout(std430, binding = 1) readonly buffer Columns { uint columns[]; };
layout(std430, binding = 2) readonly buffer Values { float values[]; };
layout(std430, binding = 3) readonly buffer X { float x[]; };
layout(std430, binding = 4) buffer Y { float y[]; };
layout(std430, binding = 5) buffer Shares { float shares[]; }; /* of the row that a tile leaves unfinished */
layout(location = 0) uniform uvec2 rows;  /* of the product: the first in the part, how many */
layout(location = 1) uniform uint place;  /* of the first row's result in y */
layout(location = 2) uniform uint first;  /* tile, or row, of the dispatch */

/* Entries before the end of a row. */
uint end_of(uint row) {
  return starts[rows.x + row + 1u] - starts[rows.x];
}

#if STAGE == 0

shared uint bounds[2], ends[TILE], reached[THREADS];
shared float products[TILE], sums[THREADS];

/* Rows that end before step `at` of the merge path. */
uint rows_before(uint at, uint entries) {
  uint low = at > entries ? at - entries : 0u, high = min(at, rows.y);
  while (low < high) {
    uint middle = low + (high - low) / 2u;
    if (end_of(middle) + middle < at)
      low = middle + 1u;
    else
      high = middle;
  }
  return low;
}

/* The same within the tile. */
uint ends_before(uint at, uint count, uint entries) {
  uint low = at > entries ? at - entries : 0u, high = min(at, count);
  while (low < high) {
    uint middle = low + (high - low) / 2u;
    if (ends[middle] + middle < at)
      low = middle + 1u;
    else
      high = middle;
  }
  return low;
}

void main() {
  uint me = gl_LocalInvocationIndex, tile = gl_WorkGroupID.x + first, entries = end_of(rows.y - 1u);
  uint from = tile * uint(TILE), steps = min(uint(TILE), rows.y + entries - from);
  if (me < 2u) bounds[me] = rows_before(from + me * steps, entries);
  memoryBarrierShared();
  barrier();
  uint row0 = bounds[0], count = bounds[1] - row0, entry0 = from - row0, held = steps - count;
  uint base = starts[rows.x] + entry0;
  for (uint n = me; n < count; n += uint(THREADS)) ends[n] = end_of(row0 + n) - entry0;
  for (uint n = me; n < held; n += uint(THREADS)) products[n] = values[base + n] * x[columns[base + n]];
  memoryBarrierShared();
  barrier();
  uint begin = min(me * uint(ITEMS), steps), end = min(begin + uint(ITEMS), steps);
  uint row = ends_before(begin, count, held), entry = begin - row, met = 0xFFFFFFFFu;
  float sum = 0.0, finished = 0.0;
  for (uint step = begin; step < end; step++) {
    if (row < count && ends[row] <= entry) {
      if (met == 0xFFFFFFFFu) {
        met = row;
        finished = sum;
      } else {
        y[place + row0 + row] = sum;
      }
      sum = 0.0;
      row++;
    } else {
      sum += products[entry++];
    }
  }
  /* Of the row that each thread is in, what it and those before it have. */
  reached[me] = row;
  sums[me] = sum;
  memoryBarrierShared();
  barrier();
  for (uint far = 1u; far < uint(THREADS); far *= 2u) {
    float more = me >= far && reached[me - far] == row ? sums[me - far] : 0.0;
    barrier();
    sums[me] += more;
    memoryBarrierShared();
    barrier();
  }
  if (met != 0xFFFFFFFFu) {
    if (me > 0u && reached[me - 1u] == met) finished += sums[me - 1u];
    y[place + row0 + met] = finished;
  }
  if (me == uint(THREADS) - 1u) shares[tile] = sums[me];
}

#else

/* Tiles that end within the row. */
void main() {
  uint row = gl_GlobalInvocationID.x + first;
  if (row >= rows.y) return;
  uint begin = starts[rows.x + row] - starts[rows.x] + row, end = end_of(row) + row;
  float sum = y[place + row];
  for (uint n = max((begin + uint(TILE) - 1u) / uint(TILE), 1u); n * uint(TILE) <= end; n++) sum += shares[n - 1u];
  y[place + row] = sum;
}

#endif
