/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels of the slices on screen, for what is fitted to them or counted of them. Owns nothing. */
#pragma once

#include "ui/window/quad.h"

G_BEGIN_DECLS

typedef enum {
  GANTRY_SAMPLE_A,
  GANTRY_SAMPLE_SHOWN,      /* A, B, or both where one is swiped over the other; A for the difference */
  GANTRY_SAMPLE_DIFFERENCE, /* A - B */
} GantrySample;

/* Enough for percentiles and a histogram. */
#define GANTRY_MOST_SAMPLES (1u << 18)

/* Thinned to about `most`; NULL without pictures. mode: what is shown. */
float *gantry_sample_slices(GantryQuad *quad, ctgl_mode mode, GantrySample sample, gsize most, gsize *count);

G_END_DECLS
