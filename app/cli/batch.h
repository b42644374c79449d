/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of `gantry-cli batch`: which scans, with which plans, into which outputs, and what came of each. */
#ifndef GANTRY_CLI_BATCH_H
#define GANTRY_CLI_BATCH_H

#include "app/cli/reconstruct.h"

typedef enum {
  CLI_BATCH_WAITING,
  CLI_BATCH_RUNNING, /* at this moment; no state at the end */
  CLI_BATCH_READY,   /* of a dry run */
  CLI_BATCH_DONE,
  CLI_BATCH_DOUBTFUL, /* done, with warnings that --strict takes for failures */
  CLI_BATCH_THERE,    /* the output is there, and was left alone as asked */
  CLI_BATCH_FAILED,
  CLI_BATCH_INTERRUPTED,
  CLI_BATCH_STATES
} cli_batch_state;

typedef struct cli_batch_row {
  char *scan, *plan_file, *description, *output; /* owned; NULL: not given (scan: not found out) */
  char *origin;                                  /* "list.txt, line 3"; NULL: the command line */
  cli_reconstruction asked;                      /* borrows these */
  cli_batch_state state;
  char *reason;          /* of a failure, NULL else */
  double seconds, bytes; /* NaN: not known */
  ct_grid grid;          /* nx 0: not known */
  ct_warnings warnings;
} cli_batch_row;

typedef struct cli_batch {
  cli_batch_row *rows;
  size_t count, room;
  double seconds; /* of all */
} cli_batch;

/* Adds the rows that an operand stands for: a scan, a saved plan (of the scan that it was used on), a list (.txt or
 * .list, recon/io's paths taken from its folder on), a folder of scans, or a pattern of any of these. False for a list
 * that cannot be read or has a mistake, and where nothing fits. A scan that is not there is a row, which fails. */
bool cli_batch_add(cli_batch *batch, const char *operand, ct_error **error);
void cli_batch_clear(cli_batch *batch);
/* The row fails with the error, which is cleared. */
void cli_batch_fail(cli_batch_row *row, ct_error **error);

/* Names every row's output that the list does not name: a pattern with {name}, {plan}, {folder} and {number}, or a
 * folder, in which it is {name} with the extension of the plan's format. False where the pattern has a mistake, or two
 * rows have one output. */
bool cli_batch_name_outputs(cli_batch *batch, const char *pattern, ct_error **error);
/* False where an output would destroy what any row is read from. */
bool cli_batch_check_inputs(const cli_batch *batch, ct_error **error);

size_t cli_batch_count(const cli_batch *batch, cli_batch_state state);
void cli_batch_print(const cli_batch *batch, bool dry);
/* For whoever follows it: all rows, or that of a number (from 1), or how far that one is, as a line of JSON each. */
void cli_batch_tell_all(const cli_batch *batch);
void cli_batch_tell(const cli_batch *batch, size_t number);
void cli_batch_tell_progress(size_t number, const ct_progress *progress);
bool cli_batch_print_json(const cli_batch *batch, bool dry, ct_error **error);

#endif
