/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variants of a reconstruction: the plans that a grid of parameter values makes of one plan, each a row with what its
 * run gave. Knows no GLib: command line and window share it. variants-run.h makes the runs, variants-table.h shows
 * them. */
#ifndef GANTRY_VARIANTS_H
#define GANTRY_VARIANTS_H

#include "recon/base/error.h"
#include "recon/base/warnings.h"
#include "recon/metric/metric.h"
#include "recon/solve/plan-names.h"
#include "recon/solve/plan.h"

#include <stdbool.h>
#include <stddef.h>

enum { GANTRY_VARIANTS_MOST = 1000, GANTRY_AXES_MOST = 16 };

typedef enum { GANTRY_VARIANT_WAITING, GANTRY_VARIANT_DONE, GANTRY_VARIANT_FAILED } gantry_variant_state;

typedef struct gantry_variant {
  ct_plan plan;
  char name[CT_PLAN_NAME]; /* what tells it from the others */
  gantry_variant_state state;
  char *reason; /* why it failed */
  /* Of a run that was made: */
  char kernel[CT_PLAN_TEXT]; /* the one used; of an iterative method its projector */
  int views, views_all;      /* taken, and of the scan that the plan makes use of */
  int iterations;            /* of an iterative method; 0 without */
  double seconds;            /* from the plan to the volume, with what had to be corrected and filtered anew */
  double backprojection;     /* s of it; NaN of an iterative method */
  double gups;               /* 1e9 voxel updates a second of back-projection; NaN of an iterative method */
  bool compared, resampled;  /* with the reference; that onto this variant's voxels */
  ct_metrics metrics;        /* valid where compared */
  ct_warnings warnings;
} gantry_variant;

/* A parameter that varies. */
typedef struct gantry_axis {
  const ct_param *param;
  size_t values;
} gantry_axis;

typedef struct gantry_variants {
  ct_plan base;
  gantry_axis axes[GANTRY_AXES_MOST];
  size_t axis_count;
  gantry_variant *rows; /* [count], the last axis quickest */
  size_t count;
  size_t repeated; /* combinations left out because another row makes the same */
} gantry_variants;

/* Every combination of the axes' values, each axis a text "KEY=A,B,C" with the keys and values of the plan table;
 * without any the base alone. Nothing is run. Errors name the axis and what is allowed: CT_ERROR_ARGUMENT. */
bool gantry_variants_init(gantry_variants *variants, const ct_plan *base, const char *const axes[], size_t count,
                          ct_error **error);
void gantry_variants_clear(gantry_variants *variants);
/* Whether a parameter varies. */
bool gantry_variants_vary(const gantry_variants *variants, const ct_param *param);
/* Whether one has failed. */
bool gantry_variants_failed(const gantry_variants *variants);

#endif
