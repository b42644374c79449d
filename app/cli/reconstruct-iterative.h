/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gantry-cli reconstruct does besides for iterative methods: volumes to start from and to compare with, words
 * after every iteration, the curve as a file. */
#ifndef GANTRY_CLI_RECONSTRUCT_ITERATIVE_H
#define GANTRY_CLI_RECONSTRUCT_ITERATIVE_H

#include "app/cli/cli.h"
#include "app/cli/reconstruct.h"
#include "recon/solve/pipeline.h"

typedef struct cli_iterative {
  ct_volume *start, *reference;
  cli_watch *watch;
  const char *unit; /* of values */
  ct_publisher publisher;
} cli_iterative;

/* Reads the volumes that were asked for, checks that they lie on the plan's grid, and hands them to the pipeline. */
bool cli_iterative_begin(cli_iterative *it, const cli_reconstruction *r, ct_scan *scan, ct_pipeline *pipeline,
                         cli_watch *watch, ct_error **error);
void cli_iterative_end(cli_iterative *it, ct_pipeline *pipeline);

/* The curve of the volume or slice as comma-separated values, to r->curve. */
bool cli_write_curve(const cli_reconstruction *r, const ct_pipeline *pipeline, ct_error **error);
/* ", sirt, 50 iterations, residual 0.012, ..." */
void cli_print_iterations(FILE *to, const cli_reconstruction *r, const ct_pipeline *pipeline);

#endif
