/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing in raw samples says how they are stored. Two mistakes show: bytes that no frame holds, which may be a header,
 * and samples read in the other byte order. Integers then jump from one to the next by as much as they spread over the
 * whole row, where those of the right order follow their neighbours; reals have exponents that no measurement has.
 * Bytes that are halves of 16-bit samples jump by turns, of which every other one follows the one before the last. */
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/io/raw/raw-private.h"

#include <math.h>

/* Samples looked at in the middle row of a frame; numbers of reals that measurements are among. */
enum { MOST = 4096, FEWEST = 16 };
#define SMALLEST 1e-12f
#define LARGEST 1e12f

/* Mean step between neighbours over the standard deviation: about 1.1 of unordered numbers; NaN where all are alike. */
static double roughness(const float *row, size_t count) {
  double mean = 0, square = 0, steps = 0;
  for (size_t i = 0; i < count; i++) mean += row[i] / (double)count;
  for (size_t i = 0; i < count; i++) square += (row[i] - mean) * (row[i] - mean);
  for (size_t i = 1; i < count; i++) steps += fabs((double)row[i] - row[i - 1]);
  const double deviation = sqrt(square / (double)count);
  return deviation > 0 ? steps / (double)(count - 1) / deviation : NAN;
}

static double plausible(const float *row, size_t count) {
  size_t good = 0;
  for (size_t i = 0; i < count; i++) good += row[i] == 0 || (fabsf(row[i]) > SMALLEST && fabsf(row[i]) < LARGEST);
  return (double)good / (double)count;
}

static bool looks_swapped(const ct_raw_layout *layout, const float *as_told, const float *swapped, size_t count) {
  if (!ct_sample_is_integer(layout->type)) return plausible(as_told, count) < 0.7 && plausible(swapped, count) > 0.95;
  const double told = roughness(as_told, count), other = roughness(swapped, count);
  return told > 0.3 && other < 0.25 * told;
}

/* The middle row of a frame, or its beginning, both ways. */
static bool is_swapped(ct_raw_reader *reader, int frame) {
  ct_raw_layout *layout = &reader->layout;
  if (layout->nx > MOST * 64) return false;
  const size_t nx = (size_t)layout->nx, count = nx < MOST ? nx : MOST;
  float *rows = ct_alloc(2 * nx, sizeof *rows, "a row", NULL);
  bool good = rows && ct_raw_reader_read(reader, frame, layout->ny / 2, 1, rows, NULL);
  layout->big_endian = !layout->big_endian;
  good = good && ct_raw_reader_read(reader, frame, layout->ny / 2, 1, rows + nx, NULL);
  layout->big_endian = !layout->big_endian;
  good = good && looks_swapped(layout, rows, rows + nx, count);
  ct_free(rows);
  return good;
}

/* The same of 8-bit samples and their every other one. */
static bool is_halved(ct_raw_reader *reader, int frame) {
  const ct_raw_layout *layout = &reader->layout;
  const size_t nx = (size_t)layout->nx, count = (nx < MOST ? nx : MOST) / 2;
  if (layout->nx > MOST * 64) return false;
  float *row = ct_alloc(3 * nx, sizeof *row, "a row", NULL);
  bool good = row && ct_raw_reader_read(reader, frame, layout->ny / 2, 1, row, NULL);
  if (good) {
    float *even = row + nx, *odd = even + nx;
    for (size_t i = 0; i < count; i++) even[i] = row[2 * i], odd[i] = row[2 * i + 1];
    const double all = roughness(row, 2 * count), a = roughness(even, count), b = roughness(odd, count);
    good = all > 0.3 && (a < 0.25 * all || b < 0.25 * all);
  }
  ct_free(row);
  return good;
}

void ct_raw_find_doubts(ct_raw_reader *reader, ct_remarks *remarks) {
  const ct_raw_layout *layout = &reader->layout;
  const char *name = ct_path_name(layout->files.paths[0]);
  const uint64_t frame = layout->file_bytes / layout->files.count - layout->spare_bytes - layout->header_bytes;
  if (layout->spare_bytes % (frame / (uint64_t)layout->frames_per_file))
    ct_remarks_add(remarks, CT_REMARK_DOUBT, name,
                   "%llu bytes are left over behind the last frame. Where they belong to a header in front, every "
                   "sample is read from a wrong place: tell \"header_bytes\"",
                   (unsigned long long)layout->spare_bytes);
  const int last = layout->frames - 1;
  if (layout->nx < FEWEST) return;
  if (ct_sample_size(layout->type) < 2) {
    if (is_halved(reader, last / 2) && is_halved(reader, last))
      ct_remarks_add(remarks, CT_REMARK_DOUBT, name,
                     "the samples look as if they had 16 bits and are read as two of 8, which makes every value wrong: "
                     "tell \"type\": \"uint16\" and half as many columns");
    return;
  }
  if (is_swapped(reader, last / 2) && is_swapped(reader, last))
    ct_remarks_add(remarks, CT_REMARK_DOUBT, name,
                   "the samples look as if they were stored %s-endian and are read %s-endian, which makes every value "
                   "wrong: tell \"byte_order\": \"%s\"",
                   layout->big_endian ? "little" : "big", layout->big_endian ? "big" : "little",
                   layout->big_endian ? "little" : "big");
}
