/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of MRC: 56 words of 4 bytes, then labels. Words count from 0 here: 0..2 columns, rows, sections, 3 mode,
 * 7..9 samples of the cell, 10..12 its size in Angstrom, 23 bytes of the extended header, 38 and 39 IMOD's stamp and
 * flags, 52 "MAP ", 53 the machine stamp. */
#include "recon/io/mrc/mrc-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MODE = 3, SAMPLES = 7, CELL = 10, EXTENDED = 23, STAMP = 38, FLAGS = 39, MAP = 52, MACHINE = 53 };
enum { IMOD = 1146047817, SIGNED_BYTES = 1, MOST_SIDE = 1 << 24 };

static uint32_t word(const unsigned char *header, int index, bool big) {
  const unsigned char *b = header + 4 * index;
  return big ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
             : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static double real(const unsigned char *header, int index, bool big) {
  const uint32_t bits = word(header, index, big);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static bool makes_sense(const unsigned char *header, bool big) {
  for (int i = 0; i < 3; i++)
    if (word(header, i, big) < 1 || word(header, i, big) > MOST_SIDE) return false;
  const uint32_t mode = word(header, MODE, big);
  return (mode <= 4 || mode == 6 || mode == 12 || mode == 16 || mode == 101) &&
         word(header, EXTENDED, big) < (uint32_t)1 << 30;
}

/* Old files have neither "MAP " nor a stamp: the order in which the counts make sense is theirs. */
static bool find_order(const unsigned char *header, bool *big) {
  const unsigned char *stamp = header + 4 * MACHINE;
  const bool stamped = memcmp(header + 4 * MAP, "MAP", 3) == 0 && (stamp[0] == 0x44 || stamp[0] == 0x11);
  *big = stamped && stamp[0] == 0x11;
  if (makes_sense(header, *big)) return true;
  *big = !*big;
  return makes_sense(header, *big);
}

bool ct_mrc_is_header(const unsigned char *header, size_t size) {
  bool big;
  return size >= CT_MRC_HEADER && find_order(header, &big) && memcmp(header + 4 * MAP, "MAP", 3) == 0;
}

static bool take_mode(const unsigned char *header, ct_mrc *mrc, ct_error **error) {
  static const struct {
    uint32_t mode;
    ct_sample_type type;
  } modes[] = {{0, CT_SAMPLE_INT8},
               {1, CT_SAMPLE_INT16},
               {2, CT_SAMPLE_FLOAT32},
               {6, CT_SAMPLE_UINT16},
               {12, CT_SAMPLE_FLOAT16}};
  ct_array_layout *layout = &mrc->layout;
  const uint32_t mode = word(header, MODE, layout->big_endian);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (modes[i].mode == mode) {
      layout->type = modes[i].type;
      /* IMOD's bytes are unsigned unless a flag says otherwise. */
      if (mode == 0 && word(header, STAMP, layout->big_endian) == IMOD &&
          !(word(header, FLAGS, layout->big_endian) & SIGNED_BYTES))
        layout->type = CT_SAMPLE_UINT8;
      return true;
    }
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "%s holds samples of MRC mode %u, which are not read; modes 0, 1, 2, 6 and 12 are (bytes, 16-bit "
                      "integers, reals)",
                      layout->path, mode);
}

static bool parse(const unsigned char *header, ct_mrc *mrc, ct_error **error) {
  ct_array_layout *layout = &mrc->layout;
  if (!find_order(header, &layout->big_endian))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s has no header of an MRC file: its counts make no sense",
                        layout->path);
  const bool big = layout->big_endian;
  const int64_t counts[3] = {word(header, 0, big), word(header, 1, big), word(header, 2, big)};
  for (int i = 0; i < 3; i++) {
    const double cell = real(header, CELL + i, big), samples = (double)word(header, SAMPLES + i, big);
    /* 1 Angstrom a pixel is what programs write that know no size. */
    if (isfinite(cell) && cell > 0 && samples >= 1 && samples <= MOST_SIDE && cell != samples)
      mrc->pitch[i] = cell / samples * 1e-7;
  }
  return take_mode(header, mrc, error) && ct_array_layout_set_counts(layout, counts, 3, error) &&
         ct_array_layout_add(layout, layout->path, CT_MRC_HEADER + (int64_t)word(header, EXTENDED, big), 0, layout->nz,
                             error);
}

bool ct_mrc_read_header(const char *path, ct_mrc *mrc, ct_error **error) {
  unsigned char header[CT_MRC_HEADER];
  *mrc = (ct_mrc){0};
  const int descriptor = ct_open_to_read(path, error);
  if (descriptor < 0) return false;
  const bool good = (mrc->layout.path = ct_strdup(path, error)) &&
                    ct_read_exactly(descriptor, path, header, sizeof header, 0, error) && parse(header, mrc, error);
  close(descriptor);
  if (!good) ct_array_layout_clear(&mrc->layout);
  return good;
}
