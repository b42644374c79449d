/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli batch: reconstruct, one scan after the other. */
#include "app/cli/batch.h"
#include "recon/base/output.h"
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/units.h"

#include <errno.h>
#include <getopt.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

enum { REPLACE = 256, SKIP, STRICT, MEMORY, DRY_RUN, EVENTS };

static const cli_option options[] = {
    {'o', "output", "PATTERN",
     "Where the volumes go: a path with {name} (of the scan, or of a plan that is given alone), {plan}, {folder} (that "
     "the scan lies in) or {number}, or a folder, for {name} in it. Missing folders are made."},
    {'p', "plan", "FILE",
     "Plan for all that a list gives none of their own, as of reconstruct; default: all defaults."},
    {'s', "set", "KEY=VALUE", "Changes one parameter of every plan, see reconstruct --help; may be repeated."},
    {MEMORY, "memory", "SIZE", "Memory that each may take, as of reconstruct."},
    {REPLACE, "replace", NULL,
     "Replaces outputs that are there already. Without, these scans fail and their outputs stay."},
    {SKIP, "skip", NULL, "Passes over scans whose outputs are there already: goes on where a batch was interrupted."},
    {STRICT, "strict", NULL,
     "Takes warnings for failures: results are written all the same, but the exit status is 1 where a number in one "
     "may be wrong."},
    {DRY_RUN, "dry-run", NULL,
     "Opens every scan, checks plans, outputs and memory, and tells what would be made; makes nothing."},
    {'j', "json", NULL, "Prints the summary as JSON."},
    {EVENTS, "events", NULL,
     "Prints what happens as lines of JSON, for a program that follows it: all rows, each as it begins and ends, and "
     "how "
     "far the present one is. No table at the end."},
    {'q', "quiet", NULL, "No progress; warnings are still told."},
    {0},
};

typedef struct request {
  const char *output, *plan_file;
  const char **sets; /* of argv */
  size_t set_count;
  ct_plan plan;
  ct_identity plan_input;
  double memory;
  int threads; /* where a plan does not say */
  bool replace, skip, strict, dry, json, quiet, events;
} request;

/* One backend for consecutive rows of one device. */
typedef struct runner {
  const request *r;
  cli_watch *watch;
  gantry_backend *backend;
  char device[CT_PLAN_TEXT];
  atomic_size_t number; /* of the present row, from 1: the watching thread reads it */
} runner;

static bool load_plan(const request *r, cli_batch_row *row, ct_error **error) {
  cli_reconstruction *asked = &row->asked;
  asked->plan = r->plan;
  asked->plan_file = row->plan_file ? row->plan_file : r->plan_file;
  if (row->plan_file && !cli_load_plan(row->plan_file, &asked->plan, &asked->plan_input, error)) return false;
  if (!row->plan_file && r->plan_input.path && !(asked->plan_input.path = ct_strdup(r->plan_input.path, error)))
    return false;
  if (!row->plan_file) {
    asked->plan_input.bytes = r->plan_input.bytes;
    asked->plan_input.checksum = r->plan_input.checksum;
  }
  for (size_t i = 0; i < r->set_count; i++) {
    char key[CT_PLAN_TEXT];
    const char *equals = strchr(r->sets[i], '='); /* has one: it was read before */
    snprintf(key, sizeof key, "%.*s", (int)(equals - r->sets[i]), r->sets[i]);
    if (!ct_plan_set_text(&asked->plan, key, equals + 1, error)) return false;
  }
  return true;
}

/* Everything of a row but its output, which hangs on its plan. */
static void prepare(const request *r, cli_batch_row *row) {
  ct_error *error = NULL;
  row->asked.scan = row->scan;
  row->asked.description = row->description;
  row->asked.memory = r->memory;
  row->asked.quiet = true; /* the summary is the table's */
  row->asked.strict = r->strict;
  if (row->state == CLI_BATCH_WAITING && !load_plan(r, row, &error)) cli_batch_fail(row, &error);
}

static bool make_folders(const char *path, ct_error **error) {
  char *text = ct_strdup(path, error);
  bool good = text;
  for (char *slash = good ? strchr(text + 1, '/') : NULL; slash && good; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    good = mkdir(text, 0777) == 0 || errno == EEXIST ||
           ct_error_set_errno(error, errno, "Cannot make the folder %s", text);
    *slash = '/';
  }
  ct_free(text);
  return good;
}

static bool take_backend(runner *run, const char *device, ct_error **error) {
  if (run->backend && !strcmp(run->device, device)) return true;
  gantry_backend_free(run->backend);
  run->backend = gantry_backend_new(device, error);
  if (!run->backend) return false;
  snprintf(run->device, sizeof run->device, "%s", device);
  const char *note = gantry_backend_get_note(run->backend);
  if (note) cli_watch_warn(run->watch, note);
  return true;
}

static bool make(runner *run, cli_batch_row *row, ct_error **error) {
  const request *r = run->r;
  cli_reconstruction *asked = &row->asked;
  cli_reconstructed made = {0};
  if (!cli_reconstruct_check(asked, error) || !take_backend(run, asked->plan.device, error)) return false;
  asked->backend = gantry_backend_get(run->backend);
  if (r->dry) return cli_reconstruct_foresee(asked, run->watch, &row->grid, &row->bytes, error);
  omp_set_num_threads(asked->plan.threads != CT_AUTO_INT ? asked->plan.threads : r->threads);
  if (!make_folders(row->output, error) || !cli_reconstruct_watched(asked, run->watch, &made, error)) return false;
  row->grid = made.grid;
  row->warnings = made.warnings;
  return true;
}

static void tell_end(const runner *run, const cli_batch_row *row) {
  char time[32], *text;
  for (int i = 0; i < row->warnings.count; i++) {
    text = ct_strprintf("warning: %s: %s", row->scan, row->warnings.items[i].text);
    if (text) cli_watch_warn(run->watch, text);
    ct_free(text);
  }
  ct_format_duration(row->seconds, time, sizeof time);
  text = row->reason ? ct_strprintf("  failed: %s", row->reason) : ct_strprintf("  %s: %s", row->output, time);
  if (text && row->state != CLI_BATCH_INTERRUPTED) cli_watch_say(run->watch, text);
  ct_free(text);
}

static void run_row(runner *run, cli_batch_row *row, size_t number, size_t count) {
  const request *r = run->r;
  ct_error *error = NULL;
  const double begun = ct_now();
  const bool there = ct_path_exists(row->output);
  if (there && r->skip) {
    row->state = CLI_BATCH_THERE;
    return;
  }
  char *text = r->dry ? NULL : ct_strprintf("%zu of %zu: %s", number, count, row->scan);
  if (text) cli_watch_say(run->watch, text);
  ct_free(text);
  if (there && !r->replace)
    ct_error_set(&error, CT_ERROR_ARGUMENT,
                 "%s is there already: --replace replaces it, --skip passes over what is there", row->output);
  ct_output_keep_existing(!r->replace);
  if (!error && make(run, row, &error))
    row->state = r->dry ? CLI_BATCH_READY : r->strict && row->warnings.count ? CLI_BATCH_DOUBTFUL : CLI_BATCH_DONE;
  else
    cli_batch_fail(row, &error);
  ct_output_keep_existing(false);
  if (r->dry) return;
  row->seconds = ct_now() - begun;
  tell_end(run, row);
}

/* Ends with the row that was interrupted. */
static void run_rows(runner *run, cli_batch *batch) {
  const double begun = ct_now();
  for (size_t i = 0; i < batch->count && ct_job_requested(cli_watch_job(run->watch)) == CT_JOB_GO; i++) {
    cli_batch_row *row = &batch->rows[i];
    if (row->state != CLI_BATCH_WAITING) continue;
    run->number = i + 1;
    row->state = CLI_BATCH_RUNNING;
    if (run->r->events) cli_batch_tell(batch, i + 1);
    run_row(run, row, i + 1, batch->count);
    if (run->r->events) cli_batch_tell(batch, i + 1);
  }
  batch->seconds = ct_now() - begun;
}

static void tell_progress(const ct_progress *progress, void *user) {
  cli_batch_tell_progress(((const runner *)user)->number, progress);
}

static bool is_good(const cli_batch *batch) {
  return !cli_batch_count(batch, CLI_BATCH_FAILED) && !cli_batch_count(batch, CLI_BATCH_INTERRUPTED) &&
         !cli_batch_count(batch, CLI_BATCH_WAITING) && !cli_batch_count(batch, CLI_BATCH_DOUBTFUL);
}

static int run_batch(const cli_command *command, const request *r, cli_batch *batch) {
  ct_error *error = NULL;
  for (size_t i = 0; i < batch->count; i++) prepare(r, &batch->rows[i]);
  if (!cli_batch_name_outputs(batch, r->output, &error) || !cli_batch_check_inputs(batch, &error))
    return cli_refuse(command, &error);
  runner run = {.r = r, .watch = cli_watch_begin(r->quiet, &error)};
  if (!run.watch) return cli_failure(NULL, &error);
  if (r->events) {
    cli_batch_tell_all(batch);
    cli_watch_tell(run.watch, tell_progress, &run);
  }
  run_rows(&run, batch);
  gantry_backend_free(run.backend);
  cli_watch_end(run.watch);
  if (r->events) return is_good(batch) ? CLI_DONE : CLI_FAILED;
  if (!r->json)
    cli_batch_print(batch, r->dry);
  else if (!cli_batch_print_json(batch, r->dry, &error))
    return cli_failure(NULL, &error);
  return is_good(batch) ? CLI_DONE : CLI_FAILED;
}

static bool read_option(const cli_command *command, int letter, const char *value, request *r) {
  ct_plan checked;
  switch (letter) {
  case 'o':
    r->output = value;
    return true;
  case 's':
    /* The key and the value, before anything is opened. */
    ct_plan_init(&checked);
    r->sets[r->set_count++] = value;
    return cli_set_parameter(command, value, &checked);
  case 'p':
    r->plan_file = value;
    return true;
  case MEMORY:
    return cli_read_bytes(command, "--memory", value, &r->memory);
  case REPLACE:
    return r->replace = true;
  case SKIP:
    return r->skip = true;
  case STRICT:
    return r->strict = true;
  case DRY_RUN:
    return r->dry = true;
  case 'j':
    return r->json = true;
  case EVENTS:
    return r->events = r->quiet = true;
  default:
    return r->quiet = true;
  }
}

static int read_rows(const cli_command *command, int argc, char **argv, request *r, cli_batch *batch) {
  ct_error *error = NULL;
  const char *value;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, r)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_HELPED : CLI_MISUSED;
  if (argc == optind) return cli_misuse(command, "a list, a folder of scans, or scans are needed");
  if (r->replace && r->skip) return cli_misuse(command, "--replace and --skip contradict each other");
  if (r->plan_file && !cli_load_plan(r->plan_file, &r->plan, &r->plan_input, &error))
    return cli_failure(r->plan_file, &error);
  for (int i = optind; i < argc; i++)
    if (!cli_batch_add(batch, argv[i], &error)) return cli_refuse(command, &error);
  return CLI_DONE;
}

static int run(const cli_command *command, int argc, char **argv) {
  ct_error *error = NULL;
  cli_batch batch = {0};
  request r = {.threads = omp_get_max_threads()};
  ct_plan_init(&r.plan);
  r.sets = ct_alloc((size_t)argc, sizeof *r.sets, "the options", &error);
  if (!r.sets) return cli_failure(NULL, &error);
  int status = read_rows(command, argc, argv, &r, &batch);
  if (status == CLI_DONE) status = run_batch(command, &r, &batch);
  ct_identity_clear(&r.plan_input);
  cli_batch_clear(&batch);
  ct_free(r.sets);
  return status == CLI_HELPED ? CLI_DONE : status;
}

static void print_more(FILE *to) {
  fputs("\nA list has one scan a line, as reconstruct takes it, and behind it, where wanted, what is its own:\n\n"
        "  # comment\n"
        "  tooth.h5\n"
        "  bell.h5       plan=bell-plan.json  output=results/bell.nrrd\n"
        "  \"day 2/frames\" description=cone.json\n\n",
        to);
  cli_print_wrapped(to, 0,
                    "Relative paths count from the list's folder, plans are taken before --set. Patterns on the "
                    "command line may be left to the shell, or given in quotes where they are many.");
  cli_print_volume_formats(to);
}

const cli_command cli_batch_command = {
    "batch",
    "LIST|FOLDER|SCAN|PLAN|'PATTERN'... -o PATTERN [--plan FILE] [--set KEY=VALUE]... [options]",
    "Reconstructs several scans one after the other, with one plan or each with its own, and goes on where one fails. "
    "At the end a table tells what came of each: state, time, and the words of a failure. A LIST is a file ending in "
    ".txt or .list; a FOLDER is a scan or holds scans; a PLAN saved by the window or by --save-plan tells its scan. "
    "Ctrl+C ends the present one cleanly, and the table still comes. The exit status is 0 where all went well, 1 where "
    "one failed. What is read is never overwritten.",
    options,
    print_more,
    run,
};
