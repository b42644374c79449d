/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `gantry-cli compare` was asked for and found, between reading, measuring and printing. */
#ifndef GANTRY_CLI_COMPARE_H
#define GANTRY_CLI_COMPARE_H

#include "recon/base/error.h"
#include "recon/metric/rabbitct.h"
#include "recon/metric/analysis.h"

typedef struct cli_comparison {
  const char *name_a, *name_b, *csv; /* csv NULL: none */
  double peak, range;                /* NaN: from the volumes */
  bool json, quiet, errors, same_grid;
  bool anywhere;          /* the volumes may take their values from there */
  bool one_slice, region; /* a part of A alone */
  ct_plane axis;
  int index;  /* of the slice; -1: the middle */
  ct_box box; /* of the region; -1: that end of the volume */
} cli_comparison;

typedef struct cli_compared {
  ct_analysis *analysis;
  ct_box box;
  bool whole;                     /* the box is all of A */
  bool resampled;                 /* B, onto A's voxels */
  char *asked, *automatic;        /* values in use that differ, line by line; NULL: one volume carries no plan */
  const char *unit;               /* of values */
  ct_rabbitct_metrics hounsfield; /* of all voxels, as RabbitCT has them; count 0: neither file tells what HU are */
} cli_compared;

void cli_compared_clear(cli_compared *found);
void cli_print_compared(const cli_comparison *request, const cli_compared *found);
bool cli_print_compared_json(const cli_compared *found, ct_error **error);

#endif
