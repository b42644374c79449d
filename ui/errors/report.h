/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The errors of A against B as the page shows them: their analysis and what it is of. */
#pragma once

#include <glib.h>

#include "recon/geom/grid.h"
#include "recon/metric/analysis.h"

G_BEGIN_DECLS

/* What is compared; NONE: nothing, the page is not on screen. */
typedef enum { GANTRY_ERRORS_NONE, GANTRY_ERRORS_VOLUME, GANTRY_ERRORS_SLICE, GANTRY_ERRORS_REGION } GantryErrorsScope;

typedef struct {
  ct_analysis *analysis; /* indices are A's, of the whole volume */
  ct_grid grid;          /* A's */
  char *scope;           /* "Whole volume", "Axial slice 96", "Ellipse 1, axial slice 96" */
  char *note;            /* what is special about B: "B was resampled onto A's voxels"; NULL: nothing */
} GantryErrorReport;

/* Takes the analysis; the rest is copied, note may be NULL. */
GantryErrorReport *gantry_error_report_new(ct_analysis *analysis, const ct_grid *grid, const char *scope,
                                           const char *note);
void gantry_error_report_free(GantryErrorReport *report);

G_END_DECLS
