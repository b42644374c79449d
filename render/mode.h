/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways of showing a picture A and a reference B: one table, which the shader's variants, menus, keys and labels are
 * made from, and the scales by which a difference becomes a colour. Pure, no GL. */
#ifndef CTGL_MODE_H
#define CTGL_MODE_H

#include <stdbool.h>

typedef enum {
  CTGL_SCALE_GREY,       /* the grey window, low to high */
  CTGL_SCALE_DIFFERENCE, /* -range to range, in the unit of the values */
  CTGL_SCALE_ABSOLUTE,   /* 0 to that same range */
  CTGL_SCALE_RELATIVE,   /* -range to range, without a unit */
  CTGL_SCALE_SIMILARITY  /* 1 - range to 1 */
} ctgl_scale;

/* Which pictures a mode reads: bits. */
enum { CTGL_READS_A = 1, CTGL_READS_B = 2, CTGL_READS_MAP = 4 };

/* NAME, id, label, title (with mnemonic), what it shows, reads, scale. The order is that of the keys Alt+1 to Alt+9. */
#define CTGL_MODE_TABLE(X)                                                                                             \
  X(A, "a", "A", "_A, the Result", "Show A, the result", CTGL_READS_A, CTGL_SCALE_GREY)                                \
  X(B, "b", "B", "_B, the Reference", "Show B, the reference", CTGL_READS_B, CTGL_SCALE_GREY)                          \
  X(DIFFERENCE, "difference", "A − B", "A _minus B", "Show A minus B, about zero, on a scale of its own",              \
    CTGL_READS_A | CTGL_READS_B, CTGL_SCALE_DIFFERENCE)                                                                \
  X(SWIPE, "swipe", "Swipe", "_Swipe", "Swipe between A and B: A on the left, B on the right of a line",               \
    CTGL_READS_A | CTGL_READS_B, CTGL_SCALE_GREY)                                                                      \
  X(FADE, "fade", "Fade", "_Fade", "Mix A and B", CTGL_READS_A | CTGL_READS_B, CTGL_SCALE_GREY)                        \
  X(CHECKERBOARD, "checkerboard", "Tiles", "_Checkerboard", "A and B in turn, tile by tile",                           \
    CTGL_READS_A | CTGL_READS_B, CTGL_SCALE_GREY)                                                                      \
  X(ABSOLUTE, "absolute", "|A − B|", "Abs_olute Difference", "Show the size of A minus B, from zero",                  \
    CTGL_READS_A | CTGL_READS_B, CTGL_SCALE_ABSOLUTE)                                                                  \
  X(RELATIVE, "relative", "(A − B) / B", "_Relative Difference",                                                       \
    "Show A minus B as a part of B, where B is large enough to divide by", CTGL_READS_A | CTGL_READS_B,                \
    CTGL_SCALE_RELATIVE)                                                                                               \
  X(SIMILARITY, "similarity", "SSIM", "Local Si_milarity (SSIM)",                                                      \
    "Show how alike A and B are about each pixel: structural similarity, 1 where they are equal", CTGL_READS_MAP,      \
    CTGL_SCALE_SIMILARITY)

#define CTGL_MODE_NAME(name, ...) CTGL_SHOW_##name,
typedef enum { CTGL_MODE_TABLE(CTGL_MODE_NAME) CTGL_MODES } ctgl_mode;
#undef CTGL_MODE_NAME

typedef struct ctgl_mode_row {
  const char *name; /* the shader's MODE_NAME */
  const char *id, *label, *title, *tip;
  int reads; /* CTGL_READS_... */
  ctgl_scale scale;
} ctgl_mode_row;
/* Of a mode below CTGL_MODES. */
const ctgl_mode_row *ctgl_mode_get(ctgl_mode mode);
/* CTGL_MODES when there is none of that id. */
ctgl_mode ctgl_mode_find(const char *id);
/* Every mode but A compares with B. */
bool ctgl_mode_needs_b(ctgl_mode mode);
/* Whether its colours tell a difference, not a value. */
bool ctgl_mode_tells_difference(ctgl_mode mode);
/* Whether zero is in the middle of its colours, which are those of a diverging map. */
bool ctgl_mode_is_symmetric(ctgl_mode mode);

/* A logarithmic scale is linear within this part of its range (a symlog), and that takes as much of it as a decade. */
#define CTGL_LINEAR_PART 1e-3
#define CTGL_LINEAR_SHARE 0.25
/* Where a part of the range, -1 to 1, lies on the scale, -1 to 1; what is beyond is at its ends. */
double ctgl_scale_position(double part, bool logarithmic);
/* What is shown of a pixel: A, B, A - B, |A - B| or (A - B) / B, the last NAN where |B| <= least; NAN where a pixel is
 * made of both or of none, which depends on its place. */
double ctgl_mode_value(ctgl_mode mode, double a, double b, double least);

#endif
