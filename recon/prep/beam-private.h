/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beam's intensity from the border columns of each frame, without those parts of them that the object shades. */
#ifndef CT_PREP_BEAM_PRIVATE_H
#define CT_PREP_BEAM_PRIVATE_H

#include <stdbool.h>

enum { CT_BORDER_BLOCKS = 2 * 4 * 16, CT_BORDER_VIEWS = 16 };

/* A few border columns of some rows. */
typedef struct ct_beam_block {
  int x, y, width, height;
  bool free;    /* no object shades it in the views that were looked at */
  double ratio; /* of its mean to that of one of the free blocks */
} ct_beam_block;

typedef struct ct_beam_border {
  int nu, count;
  ct_beam_block blocks[CT_BORDER_BLOCKS]; /* those of the low side first */
  bool doubtful;                          /* no two blocks agree, or all fall towards the middle */
  double shaded;                          /* a block darker than its ratio by so much is shaded in a frame */
  float share[2];                         /* of the low and the high border that is free, on average over the views */
} ct_beam_border;

/* Mean of a block and the standard error that the noise gives it; NaN where no pixel is finite. By how much the half
 * that is nearer to the detector's middle is darker than the other. */
typedef struct ct_beam_mean {
  double mean, error, fall;
} ct_beam_mean;

/* Blocks of up to 5 columns and a sixteenth of the rows, all taken as free; wide borders have wider blocks. */
void ct_beam_lay_out(ct_beam_border *border, int nu, int rows, int columns);
/* means[count] of a frame [rows][nu]. */
void ct_beam_look(const ct_beam_border *border, const float *frame, ct_beam_mean *means);
/* Decides which blocks are free, from means[views][count]: those that are nearly as bright as the brightest, and whose
 * ratios do not change from view to view. Where hardly any is free throughout: those that the object shades in some of
 * the views alone, as long as every view keeps two that are beside or opposite each other. */
void ct_beam_choose(ct_beam_border *border, const ct_beam_mean *means, int views);
/* Mean of the finite pixels of a frame's free blocks; NaN without any. Blocks that the object happens to shade in this
 * frame are left out, but for their ratios. */
double ct_beam_of_frame(const ct_beam_border *border, const float *frame);

#endif
