/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `gantry-cli reconstruct` was asked for, between reading the command line and doing it. */
#ifndef GANTRY_CLI_RECONSTRUCT_H
#define GANTRY_CLI_RECONSTRUCT_H

#include "app/cli/cli.h"
#include "app/cli/oblique.h"
#include "app/cli/source.h"
#include "recon/solve/pipeline.h"

typedef struct cli_reconstruction {
  cli_source source; /* as the command line tells it */
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
  int groups, columns;       /* of several processes; 0: chosen */
  bool json;                 /* what went between them is printed */
  double progress;           /* s between two lines of it; 0: as ever */
  double memory;             /* bytes that a volume may take; 0: what is free */
  const ct_format *format;   /* of a volume */
  const ct_backend *backend; /* set by cli_reconstruct_now, as the plan's device asks */
} cli_reconstruction;

/* What a run came to. */
typedef struct cli_reconstructed {
  ct_grid grid;
  double seconds;
  ct_warnings warnings;
} cli_reconstructed;

/* Nothing asked for yet but a plan of defaults. */
cli_reconstruction cli_no_reconstruction(void);
/* Whether what is asked for goes together, before anything is opened; chooses the output's format. */
bool cli_reconstruct_check(cli_reconstruction *r, ct_error **error);
/* Opens, checks the memory, reconstructs and writes; prints errors. Returns an exit status. */
int cli_reconstruct_now(const cli_reconstruction *r);
/* The same with a backend and a job that are there already, for several in a row. Warnings are the caller's to tell. */
bool cli_reconstruct_watched(const cli_reconstruction *r, cli_watch *watch, cli_reconstructed *made, ct_error **error);
/* Parts of it, for a run by several processes: that the outputs can be made; what plan and scan do not go together; the
 * file that a fault is about, NULL where its message names one; the plan beside a volume that is written already; the
 * line at the end. */
bool cli_reconstruct_check_outputs(const cli_reconstruction *r, ct_error **error);
bool cli_reconstruct_check_scan(const cli_reconstruction *r, const ct_scan *scan, ct_error **error);
const char *cli_reconstruct_at_fault(const cli_reconstruction *r, const ct_error *error);
bool cli_save_plan(const cli_reconstruction *r, const ct_identity *identity, ct_error **error);
void cli_print_summary(const cli_reconstruction *r, const ct_scan *scan, const ct_pipeline *pipeline,
                       const ct_grid *grid, double seconds, double gups);
/* Opens the scan and goes no further than its header: the grid, as far as plan and scan tell it (else nx is 0), and the
 * memory in bytes. */
bool cli_reconstruct_foresee(const cli_reconstruction *r, cli_watch *watch, ct_grid *grid, double *bytes,
                             ct_error **error);

#endif
