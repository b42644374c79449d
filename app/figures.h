/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of papers made live: profiles through variants of one slice and their differences, as SVG and as numbers.
 * Those of Chilingaryan, Ametova, Kopmann and Mirone, "Reviewing GPU architectures to build efficient back
 * projection for parallel geometries" (2019): 7 and 8 show what half precision costs on the Shepp-Logan phantom
 * and on a scan, 18 and 19 what nearest, linear and oversampled interpolation do. Knows no GLib. */
#ifndef GANTRY_FIGURES_H
#define GANTRY_FIGURES_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/solve/backend.h"
#include "recon/solve/plan.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct gantry_figure {
  int number;
  bool phantom;      /* of the simulated phantom; else of any scan */
  const char *axis;  /* what varies, as of gantry_variants_init */
  int against;       /* row that differences are taken from; -1: the phantom's truth, which is shown too */
  const char *title; /* what is shown */
} gantry_figure;

const gantry_figure *gantry_figures(size_t *count);
/* NULL: there is none of that number. */
const gantry_figure *gantry_figure_find(int number);

typedef struct gantry_figure_request {
  ct_plan plan;     /* of the parameters that do not vary */
  ct_scan *scan;    /* borrowed; of figures of the phantom unused */
  const char *name; /* of the scan */
  int size, views;  /* of the phantom: slice of size x size voxels, views over half a turn */
  int index;        /* axial slice of the scan; -1: the middle */
  int column; /* x of the line, which runs along y; -1: the middle of the phantom, of a scan the column whose values
                 deviate most from their mean */
  const ct_backend *backend;
} gantry_figure_request;

enum { GANTRY_FIGURE_CURVES = 4, GANTRY_FIGURE_NAME = 160 };

/* Profiles along one line: curve 0 is the truth where there is one, then a row each. */
typedef struct gantry_profiles {
  const gantry_figure *figure;
  const char *of, *unit;
  int count, column;   /* points; x of the line */
  int curves, against; /* the curve that differences are taken from */
  char names[GANTRY_FIGURE_CURVES][GANTRY_FIGURE_NAME];
  double *y;                                 /* [count], in units of length */
  double *values[GANTRY_FIGURE_CURVES];      /* [count] each */
  double *differences[GANTRY_FIGURE_CURVES]; /* [count] each: |value - that of `against`|; NULL of that one */
  double rmse[GANTRY_FIGURE_CURVES], largest[GANTRY_FIGURE_CURVES]; /* of them along the line; NaN of that one */
} gantry_profiles;

/* Reconstructs what the figure shows. CT_ERROR_*: a row that cannot be made, the scan, memory, cancel. */
bool gantry_profiles_make(gantry_profiles *profiles, const gantry_figure *figure, const gantry_figure_request *request,
                          ct_job *job, ct_error **error);
void gantry_profiles_clear(gantry_profiles *profiles);
/* New texts (ct_free): two panels, profiles above and absolute differences below; the numbers as comma-separated
 * values. */
char *gantry_profiles_svg(const gantry_profiles *profiles, ct_error **error);
char *gantry_profiles_csv(const gantry_profiles *profiles, ct_error **error);
/* Both, as figure-7.svg and figure-7.csv of a folder, which is there. */
bool gantry_profiles_write(const gantry_profiles *profiles, const char *folder, ct_error **error);

#endif
