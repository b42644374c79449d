/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the filter does: its gain and taps, and a detector row before and after it, with their spectra. Read from the
 * filter and the projections of the engine. */
#pragma once

#include <glib.h>

#include "recon/bp/kernel.h"
#include "recon/filter/filter.h"

G_BEGIN_DECLS

typedef enum {
  GANTRY_FILTER_GAIN,   /* |H| in cycles per px, over the frequency in shares of Nyquist's */
  GANTRY_FILTER_TAPS,   /* h, over the lag in px */
  GANTRY_FILTER_BEFORE, /* the row, over its columns */
  GANTRY_FILTER_AFTER,
  GANTRY_FILTER_SPECTRUM_BEFORE, /* |P|, over shares of Nyquist */
  GANTRY_FILTER_SPECTRUM_AFTER,
  GANTRY_FILTER_CURVES
} GantryFilterCurve;

/* The fastest back-projection of this machine's processor that is known, with one interpolation. */
typedef struct {
  double gups; /* 0: none */
  char kernel[32];
} GantryInterpRate;

typedef struct {
  int view, row; /* of the scan */
  double cutoff;
  ct_ramp ramp;
  ct_interp interp;                                  /* how the plan has the filtered row read */
  double dc[CT_RAMP_SAMPLED + 1];                    /* H(0) in 1/px with each ramp; NAN: not known */
  gboolean in_pixels;                                /* lengths are in px, not in mm */
  gboolean has_ramp;                                 /* the window is not "none" */
  GantryInterpRate rates[CT_INTERP_OVERSAMPLED + 1]; /* by interpolation */
  gboolean outdated;                                 /* cut-off or ramp were edited since */
  char *refused;                                     /* why there are no curves; NULL: there are */
  char *note;                                        /* what the reader has to know about them; NULL: nothing */
  double *x[GANTRY_FILTER_CURVES], *y[GANTRY_FILTER_CURVES];
  gsize count[GANTRY_FILTER_CURVES];
  float *block; /* [block_rows][count of GANTRY_FILTER_AFTER] filtered rows about `row`, from block_first on */
  int block_first, block_rows;
} GantryFilterReport;

/* NULL is none. */
void gantry_filter_report_free(GantryFilterReport *report);
/* Leaves what the plan says. */
void gantry_filter_report_drop_curves(GantryFilterReport *report);
/* Room for a curve. */
void gantry_filter_report_add(GantryFilterReport *report, GantryFilterCurve curve, gsize count);

G_END_DECLS
