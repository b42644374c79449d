/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the subcommands of gantry-cli share: their table's row, options with their help, messages, and watching a job.
 */
#ifndef GANTRY_CLI_H
#define GANTRY_CLI_H

#include "app/backend.h"
#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/base/warnings.h"
#include "recon/data/scan.h"
#include "recon/data/volume.h"
#include "recon/io/io.h"
#include "recon/solve/plan.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit statuses. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_MISUSED = 2 };

/* One option; the table ends with name NULL. `help` states unit and default. */
typedef struct cli_option {
  int letter;        /* short form; from 256 on: none */
  const char *name;  /* long form */
  const char *value; /* name of its argument, or NULL */
  const char *help;
} cli_option;

typedef struct cli_command {
  const char *name, *arguments, *summary;
  const cli_option *options;
  void (*more_help)(FILE *to); /* NULL: none */
  int (*run)(const struct cli_command *command, int argc, char **argv);
} cli_command;

extern const cli_command cli_info, cli_simulate, cli_reconstruct, cli_slice, cli_compare, cli_kernels, cli_methods,
    cli_matrix_command, cli_bench, cli_bench_papers, cli_tune, cli_variants_command, cli_figures, cli_batch_command,
    cli_measure, cli_theorem, cli_lesson, cli_plan_command;

/* The next option's letter, *value its argument; CLI_END after the last; CLI_HELPED when help was asked for and
 * printed; CLI_BAD when the option is wrong and the message printed. Operands follow from argv[optind] on. */
enum { CLI_END = -1, CLI_HELPED = -2, CLI_BAD = -3 };
int cli_next_option(const cli_command *command, int argc, char **argv, const char **value);
void cli_print_help(const cli_command *command, FILE *to);
/* Text broken at 100 columns, each line after `indent` blanks. */
void cli_print_wrapped(FILE *to, int indent, const char *text);

/* Strict readings of whole arguments; each prints what is wrong and returns false. */
bool cli_read_real(const cli_command *command, const char *option, const char *text, double low, double high,
                   double *value);
bool cli_read_int(const cli_command *command, const char *option, const char *text, long long low, long long high,
                  long long *value);
/* "500M", "2G", "1.5GB" (powers of 1000), or a number of bytes. */
bool cli_read_bytes(const cli_command *command, const char *option, const char *text, double *bytes);
/* "axial", "coronal", "sagittal", or z, y, x. */
bool cli_read_plane(const cli_command *command, const char *text, size_t length, ct_plane *plane);
/* "0.01,0.09" into two numbers, the first below the second. */
bool cli_read_window(const cli_command *command, const char *text, double *low, double *high);
/* The index of a slice: a number, or "mid". -1 is the middle one. */
bool cli_read_index(const cli_command *command, const char *text, int *index);
/* "AXIS:INDEX", the two of them. */
bool cli_read_slice(const cli_command *command, const char *text, ct_plane *plane, int *index);
/* One parameter of a plan from "KEY=VALUE". */
bool cli_set_parameter(const cli_command *command, const char *text, ct_plan *plan);
/* The index within a plane's count, middle resolved; false with an error naming the range. */
bool cli_resolve_index(const ct_grid *grid, ct_plane plane, int *index, ct_error **error);

/* Prints "gantry-cli: COMMAND: MESSAGE" to stderr; returns CLI_MISUSED. */
int cli_misuse(const cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The option, or command, that does what a message of the engine asks for, as a sentence; NULL: there is none.
 * leads_elsewhere: it is of CT_ERROR_ELSEWHERE. */
const char *cli_advice(const char *message, bool leads_elsewhere);
/* Prints "gantry-cli: FILE: fault" to stderr, with the advice behind it (the file only if the fault does not name it,
 * or another one, already) and clears the error; a cancelled job gives "interrupted, nothing written". Returns
 * CLI_FAILED. */
int cli_failure(const char *file, ct_error **error);
/* What was asked for cannot be, as the error says, which it clears: misuse, but a failure where memory was short. */
int cli_refuse(const cli_command *command, ct_error **error);
/* Prints each as a line "warning: TEXT" to stderr, also where there is no progress (quiet). CLI_FAILED where there is
 * one and they are not allowed (--strict), else CLI_DONE. */
int cli_tell_warnings(const ct_warnings *warnings, bool strict);
/* Prints "gantry-cli: MESSAGE" to stderr when the settings kept for the table's graphics device were not taken. */
void cli_tell_note(const gantry_backend *backend);
/* Commands that print a list for a kernel table, for people or as JSON: their only option, and their run. */
typedef bool (*cli_print_listing)(const ct_backend *backend, bool json, ct_error **error);
extern const cli_option cli_listing_options[];
int cli_run_listing(const cli_command *command, int argc, char **argv, cli_print_listing print);
/* The table of file formats as further help; those of volumes in one line; and the ids of those, each behind a blank.
 */
void cli_print_formats(FILE *to);
void cli_print_volume_formats(FILE *to);
void cli_print_volume_format_ids(FILE *to);
/* Flushes stdout; CLI_FAILED with a message when it cannot take all (a full disk, a closed pipe). */
int cli_flush(int status);

/* Fails when a file, or a volume in a format, could not be made at `path`: its folder is missing or not writable, a
 * folder is in its place, ... Said before hours of work. */
bool cli_check_output(const char *path, ct_error **error);
bool cli_check_volume(const ct_format *format, const char *path, ct_error **error);
/* False with a message when one of the outputs (NULL: none) is read from, as the input (NULL: none) with its
 * description (NULL: the one beside it), or is another output. */
bool cli_check_apart(const cli_command *command, const char *input, const char *description,
                     const char *const outputs[], int count);
/* The plan of a JSON file, or the one that a volume carries, with the input that it was used on (may be NULL). */
bool cli_load_plan(const char *path, ct_plan *plan, ct_identity *input, ct_error **error);

/* A job watched by a thread of its own: progress on stderr, SIGINT and SIGTERM cancel it; a second one kills. Signals
 * are taken over from begin to end. NULL with an error. */
typedef struct cli_watch cli_watch;
cli_watch *cli_watch_begin(bool quiet, ct_error **error);
ct_job *cli_watch_job(cli_watch *watch);
/* tell(progress, user) is called a few times a second from the thread that watches, quiet or not. */
void cli_watch_tell(cli_watch *watch, void (*tell)(const ct_progress *progress, void *user), void *user);
/* Seconds between lines of progress where there is no terminal; 10 without. */
void cli_watch_every(cli_watch *watch, double seconds);
/* A line between those of the progress; not when it is quiet. */
void cli_watch_say(cli_watch *watch, const char *text);
/* The same for a warning: after the program's name, and also when it is quiet. */
void cli_watch_warn(cli_watch *watch, const char *text);
/* Words behind the progress line from now on: copied. */
void cli_watch_note(cli_watch *watch, const char *text);
/* Puts the progress line away for good, so that something else can be printed; end does it too. */
void cli_watch_hide(cli_watch *watch);
void cli_watch_end(cli_watch *watch);
/* Says so where a plan that tells this input was made with another scan than this one. False only when the scan cannot
 * be read. */
bool cli_tell_other_scan(const ct_identity *input, const char *plan, ct_scan *scan, cli_watch *watch, ct_error **error);

#endif
