/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `gantry-cli reconstruct` was asked for, between reading the command line and doing it. */
#ifndef GANTRY_CLI_RECONSTRUCT_H
#define GANTRY_CLI_RECONSTRUCT_H

#include "app/cli/oblique.h"
#include "recon/io/io.h"
#include "recon/solve/plan.h"

typedef struct cli_reconstruction {
  const char *scan, *description, *output, *save_plan;
  const char *start, *reference, *curve; /* of iterative methods; NULL: none */
  ct_plan plan;
  const char *plan_file; /* NULL: none was given */
  ct_identity plan_input;
  bool one_plane, png, quiet, force, strict;
  ct_plane axis;
  int index; /* -1: the middle */
  cli_pose pose;
  int bits;
  double low, high;          /* of a PNG; NaN: percentiles */
  double memory;             /* bytes that a volume may take; 0: what is free */
  const ct_format *format;   /* of a volume */
  const ct_backend *backend; /* set by cli_reconstruct_now, as the plan's device asks */
} cli_reconstruction;

/* Opens, checks the memory, reconstructs and writes; prints errors. Returns an exit status. */
int cli_reconstruct_now(const cli_reconstruction *r);

#endif
