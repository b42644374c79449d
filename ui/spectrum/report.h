/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spectrum of an axial slice, and on one line through it what a view measured of it. */
#pragma once

#include "recon/base/units.h"
#include "recon/solve/slice-theorem.h"
#include "ui/image.h"

G_BEGIN_DECLS

#define GANTRY_SPECTRUM_SHARE 0.8 /* of the Nyquist frequency, up to which the difference is told */

typedef struct {
  GantryImage *spectrum; /* log10 of the magnitude over the largest, over cycles per mm */
  int view, views;
  double *angles; /* [views] radians: those of the lines that the views measure */
  double nyquist; /* of the detector's columns at the axis, cycles per mm */
  ct_units units;
  gboolean rebinned; /* the row is of parallel rays out of several views */
  char *refused;     /* why there is no row; NULL: there is */
  char *note;        /* where the slice is not what the plan makes: of what it is; NULL: it is */
  ct_slice_theorem_sample *samples;
  int count;
  double difference; /* largest within that share, over the row's largest magnitude */
  char *damping;     /* by what the slice's frequencies are damped in a known way; NULL: by nothing */
  double rest;       /* the largest difference from the row damped so */
} GantrySpectrumReport;

/* NULL is none. */
void gantry_spectrum_report_free(GantrySpectrumReport *report);

G_END_DECLS
