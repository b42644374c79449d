/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels of the slices on screen, for what is fitted to them or counted of them. Owns nothing. */
#pragma once

#include "ui/window/quad.h"

G_BEGIN_DECLS

typedef enum {
  GANTRY_SAMPLE_A,
  GANTRY_SAMPLE_B,
  GANTRY_SAMPLE_SHOWN, /* A, B, or both where each is in a part of the picture; A for a difference */
} GantrySample;

/* Enough for percentiles and a histogram. */
#define GANTRY_MOST_SAMPLES (1u << 18)

/* Thinned to about `most`; NULL without pictures. mode: what is shown. */
/* Freed by g_free. */
float *gantry_sample_slices(GantryQuad *quad, ctgl_mode mode, GantrySample sample, gsize most, gsize *count);
/* The same of what a mode that tells a difference shows: A - B, |A - B|, (A - B) / B, NAN where that is not shown; of
 * similarity 1 - SSIM. B is looked up at the place of A's pixels. */
float *gantry_sample_differences(GantryQuad *quad, GantryDisplay *display, ctgl_mode mode, gsize most, gsize *count);

G_END_DECLS
