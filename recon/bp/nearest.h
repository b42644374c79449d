/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounding of positions, for nearest neighbour (to whole pixels) and oversampled interpolation (to quarters): what
 * every kernel keeps to, in whatever precision its positions are. Scans that are centred put many voxels exactly midway
 * between two samples, where rounding errors would decide; so what is less than CT_BP_TIE of a sample below the middle
 * goes up, too. That is more than any kernel's positions are off, and less than anyone could measure; no power of two,
 * so that no regular grid meets this threshold either. */
#ifndef CT_BP_NEAREST_H
#define CT_BP_NEAREST_H

#include <math.h>

#define CT_BP_TIE 2.5e-4

/* In 1/steps of a pixel; 0: as it is. */
static inline double ct_bp_nearest(double position, int steps) {
  return steps > 0 ? floor(position * steps + (0.5 + CT_BP_TIE)) / steps : position;
}

#endif
