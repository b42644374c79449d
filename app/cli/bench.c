/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli bench: speed and error of every back-projection kernel, of RabbitCT, of the whole pipeline, and what the
 * machine could do. */
#include "app/bench/bench.h"
#include "app/cli/cli.h"
#include "app/backend.h"
#include "recon/base/machine.h"
#include "recon/fp/projector.h"
#include "render/compute/tuning.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/stat.h>

enum {
  THREADS = 256,
  KERNELS,
  PROBLEMS,
  REPEAT,
  BATCH,
  SIZE,
  VIEWS,
  LIMIT,
  JSON,
  CSV,
  WRITE,
  REFERENCES,
  CPU_TIME,
  DEVICE,
  PROFILE,
  PART,
  PICTURE,
  PICTURES,
  DIAGNOSE,
  CURVE,
  COUNTERS,
  SWEEP,
  KNOBS
};

static const cli_option option_table[] = {
    {THREADS, "threads", "N", "Threads; default: all cores."},
    {KERNELS, "kernels", "LIST",
     "Only these, ids separated by commas; the voxel loop is always measured, too. Suite iterative: projectors; "
     "auto: rows that leave the choice to the method."},
    {PART, "part", "LIST", "Suite iterative: only these parts, names separated by commas; see below."},
    {DEVICE, "device", "NAME",
     "Graphics device of the GPU kernels or a part of its name, see gantry-cli info --devices; auto: the first card; "
     "all: "
     "all cards, \"A + B\" two of them; "
     "default: auto."},
    {KNOBS, "knobs", "LIST",
     "Suite gpu: turns the numbers of gl-tuned and gl-tuned-parallel by hand, as "
     "views=16,voxels=4,block=16x32,sync=yes or "
     "slices=2,texture_share=3; help=yes lists them all with their ranges. Only these two kernels are measured "
     "unless --kernels names others."},
    {PROBLEMS, "problems", "LIST", "Only these, names separated by commas, or all; see below."},
    {REPEAT, "repeat", "N", "Timed runs of each row, of which the median counts; default: 5."},
    {LIMIT, "limit", "SECONDS",
     "For the timed runs of one row. Slow kernels are timed on fewer views, or passed over where all views count "
     "(rabbitct, pipeline), and the row says so; default: 5, for rabbitct 120."},
    {BATCH, "batch", "N",
     "Views that one sweep over the volume takes at most; default: as the program would take them, 64 or more by "
     "kernel."},
    {SIZE, "size", "N",
     "Shrinks each problem so that no side of detector or volume is longer than N; default: as the suite states. Rates "
     "of "
     "the machine (suites limits and roofline) and the scan of FILE (suite gpu) stay as they are."},
    {VIEWS, "views", "N",
     "Suite rabbitct: views of a generated data set; default: 64 (the original has 496). Suite gpu: views of each "
     "problem; default: as "
     "stated below."},
    {WRITE, "write", "FILE.rctd", "Suite rabbitct: also writes the generated data set."},
    {REFERENCES, "references", "L",
     "The largest reference volume that --write puts in, by textbook: 0, 128, 256, 512 or 1024; default: 128."},
    {CPU_TIME, "cpu-time", NULL,
     "Counts processor time per thread instead of the wall clock: for a machine that others use, too."},
    {JSON, "json", "FILE", "Writes machine and rows as JSON."},
    {CSV, "csv", "FILE", "Writes the rows as comma-separated values."},
    {PROFILE, "csv-profile", "FILE",
     "Suites gpu and iterative: writes the values along the middle line of the quality's slices, of the pictures "
     "(there means of five rows)."},
    {PICTURE, "picture", "FILE.svg",
     "Suite roofline: draws it. Suite gpu with --diagnose: a bar for each kernel. Suite limits with --curve: draws "
     "it."},
    {PICTURES, "pictures", "FOLDER",
     "Suite iterative, part pictures: writes the pictures and the phantom as PNG, all in one window of greys, and the "
     "profiles along the middle, means of five rows, as SVG and CSV. The folder is made where it is not there."},
    {CURVE, "curve", NULL,
     "Suite limits: instead, rates of reading, writing and updating vectors of 4 KiB to 128 MiB a thread, and where "
     "the "
     "data of --problems and their kernels lie among them."},
    {COUNTERS, "counters", NULL,
     "Suites ladder, chen, parallel and rabbitct: a table of instructions, cycles, stalls and cache misses of each row "
     "of a processor's kernel, where the system lets them be counted; where not, it says why."},
    {SWEEP, "sweep", NULL, "Suite chen: batch sizes and threads on every problem that is measured, not on P5 alone."},
    {DIAGNOSE, "diagnose", NULL,
     "Suite gpu: instead of measuring speed and error, times each kernel whole and with parts of its work left out "
     "(always the same pixel; no fetches; no updates), which shows what bounds it."},
    {'q', "quiet", NULL, "No progress on stderr."},
    {0},
};

static void print_help(FILE *to) {
  bench_print_suites(to);
  cli_print_wrapped(to, 0,
                    "gantry-cli bench papers [PAPER] makes the tables and figures of the papers again, see gantry-cli "
                    "bench papers --help.");
  fputc('\n', to);
  cli_print_wrapped(
      to, 0,
      "GUPS = voxels x views / seconds / 1e9, layout included. The relative RMSE is that of voxels spread "
      "over the whole volume, against textbook in double precision, after the first views. Suite gpu has two rates: "
      "GUPS with all "
      "transfers and the making of sinograms (JSON and CSV: seconds, gups), and those of the card alone, by timestamps "
      "around each "
      "dispatch (card_seconds, card_gups).");
}

static bool read_count(const cli_command *command, const char *option, const char *text, long long most, int *value) {
  long long number;
  if (!cli_read_int(command, option, text, 1, most, &number)) return false;
  *value = (int)number;
  return true;
}

static bool read_references(const cli_command *command, const char *text, int *value) {
  static const char *const sizes[] = {"0", "128", "256", "512", "1024"};
  for (int i = 0; i < 5; i++)
    if (!strcmp(text, sizes[i])) {
      *value = i ? 64 << i : 0;
      return true;
    }
  cli_misuse(command, "--references must be 0, 128, 256, 512 or 1024, not \"%s\"", text);
  return false;
}

static bool read_option(const cli_command *command, int letter, const char *value, bench_options *o) {
  switch (letter) {
  case THREADS:
    return read_count(command, "--threads", value, CT_MOST_THREADS, &o->threads);
  case REPEAT:
    return read_count(command, "--repeat", value, 100, &o->repeat);
  case BATCH:
    return read_count(command, "--batch", value, 65536, &o->batch);
  case SIZE:
    return read_count(command, "--size", value, 65536, &o->size);
  case VIEWS:
    return read_count(command, "--views", value, 65536, &o->views);
  case LIMIT:
    return cli_read_real(command, "--limit", value, 1e-3, 1e6, &o->limit);
  case REFERENCES:
    return read_references(command, value, &o->references);
  case KERNELS:
    o->kernels = value;
    return true;
  case PROBLEMS:
    o->problems = value;
    return true;
  case DEVICE:
    o->device = value;
    return true;
  case KNOBS:
    o->knobs = value;
    return true;
  case PART:
    o->part = value;
    return true;
  case JSON:
    o->json = value;
    return true;
  case CSV:
    o->csv = value;
    return true;
  case PROFILE:
    o->profile = value;
    return true;
  case PICTURE:
    o->picture = value;
    return true;
  case PICTURES:
    o->pictures = value;
    return true;
  case CURVE:
    return o->curve = true;
  case COUNTERS:
    return o->counters = true;
  case SWEEP:
    return o->sweep = true;
  case DIAGNOSE:
    return o->diagnose = true;
  case WRITE:
    o->write = value;
    return true;
  case CPU_TIME:
    return o->cpu_time = true;
  case 'q':
    return o->quiet = true;
  }
  return false;
}

/* Every name of the list is that of a kernel, or of a projector or auto. */
static bool check_names(const cli_command *command, const char *list, bool projectors, const ct_backend *backend) {
  while (list && *list) {
    char name[64];
    const size_t length = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, list);
    const bool known = projectors ? !strcmp(name, "auto") || ct_projector_find_in(&backend->projectors, name)
                                  : ct_bp_find(&backend->kernels, name) != NULL;
    if (!known) {
      cli_misuse(command, "there is no %s \"%s\"; gantry-cli %s lists them", projectors ? "projector" : "kernel", name,
                 projectors ? "methods" : "kernels");
      return false;
    }
    list += length + (list[length] == ',');
  }
  return true;
}

static bool check_outputs(const bench_options *o, ct_error **error) {
  const char *const paths[] = {o->json, o->csv, o->write, o->profile, o->picture};
  for (int i = 0; i < 5; i++)
    if (paths[i] && !cli_check_output(paths[i], error)) return false;
  if (o->pictures && mkdir(o->pictures, 0777) != 0 && errno != EEXIST)
    return ct_error_set_errno(error, errno, "Cannot make the folder %s", o->pictures);
  return true;
}

/* What has been measured is kept in the files, also when the suite is interrupted. */
static int run_suite(const bench_options *options, const bench_suite *suite, const ct_backend *backend) {
  ct_error *error = NULL, *fault = NULL;
  if (!check_outputs(options, &error)) return cli_failure(NULL, &error);
  cli_watch *watch = cli_watch_begin(true, &error);
  if (!watch) return cli_failure(NULL, &error);
  bench *b = bench_new(options, suite, backend, cli_watch_job(watch), &error);
  bool good = b && bench_run_suite(b, &error);
  const size_t rows = b ? bench_count_rows(b) : 0;
  const bool cancelled = error && error->code == CT_ERROR_CANCELLED;
  if (cancelled) {
    fprintf(stderr, "gantry-cli: interrupted; %zu rows were measured\n", rows);
    ct_error_clear(&error);
  }
  cli_watch_end(watch);
  /* Of a suite that came to nothing an earlier file stays. */
  if ((good || rows > 0) && !bench_write_files(b, &fault)) {
    good = false;
    cli_failure(NULL, &fault);
  }
  bench_free(b);
  if (good) return CLI_DONE;
  return error ? cli_failure(options->file, &error) : CLI_FAILED;
}

/* Options that do not go with the suite, or with each other. */
static bool check_options(const cli_command *command, const bench_suite *suite, const bench_options *o) {
  const char *fault = NULL;
  if (o->profile && !(suite->takes & BENCH_TAKES_PROFILE))
    fault = "--csv-profile goes with the suites gpu and iterative";
  else if (o->knobs && !(suite->takes & BENCH_TAKES_KNOBS))
    fault = "--knobs goes with the suite gpu";
  else if (o->picture && !(suite->takes & BENCH_TAKES_PICTURE))
    fault = "--picture goes with the suites roofline, limits and gpu";
  else if (o->pictures && !(suite->takes & BENCH_TAKES_PICTURES))
    fault = "--pictures goes with the suite iterative";
  else if (o->diagnose && !(suite->takes & BENCH_TAKES_DIAGNOSE))
    fault = "--diagnose goes with the suite gpu";
  else if (o->curve && !(suite->takes & BENCH_TAKES_CURVE))
    fault = "--curve goes with the suite limits";
  else if (o->counters && !(suite->takes & BENCH_TAKES_COUNTERS))
    fault = "--counters goes with the suites ladder, chen, parallel and rabbitct";
  else if (o->sweep && !(suite->takes & BENCH_TAKES_SWEEP))
    fault = "--sweep goes with the suite chen";
  else if (o->picture && (suite->takes & BENCH_TAKES_DIAGNOSE) && !o->diagnose)
    fault = "--picture goes with --diagnose in this suite";
  else if (o->picture && (suite->takes & BENCH_TAKES_CURVE) && !o->curve)
    fault = "--picture goes with --curve in this suite";
  else if (o->part && !(suite->takes & BENCH_TAKES_PART))
    fault = "--part goes with the suite iterative";
  else if (o->write && (!(suite->takes & BENCH_TAKES_WRITE) || o->file))
    fault = "--write goes with a generated data set of the suite rabbitct";
  if (fault) {
    cli_misuse(command, "%s", fault);
    return false;
  }
  const char *const outputs[] = {o->json, o->csv, o->write, o->profile, o->picture};
  if (!cli_check_apart(command, o->file, NULL, outputs, 5)) return false;
  if (o->views && !(suite->takes & BENCH_TAKES_VIEWS)) {
    cli_misuse(command, "--views goes with the suites rabbitct and gpu");
    return false;
  }
  if (o->views && suite->takes & BENCH_TAKES_WRITE && o->file) {
    cli_misuse(command, "--views is for generated data sets; %s has views of its own", o->file);
    return false;
  }
  return true;
}

static void fill_defaults(const bench_suite *suite, bench_options *o) {
  if (o->knobs && !o->kernels) o->kernels = "gl-tuned,gl-tuned-parallel";
  if (!o->views) o->views = suite->views;
  if (o->limit <= 0) o->limit = suite->limit;
}

static int list_knobs(void) {
  char all[CTGL_KNOBS_TEXT];
  ctgl_knobs_list(all, sizeof all);
  cli_print_wrapped(stdout, 0, all);
  return CLI_DONE;
}

static int run_with_device(const cli_command *command, const bench_suite *suite, const bench_options *options) {
  ct_error *error = NULL;
  gantry_backend *joined = gantry_backend_new(options->device, &error);
  if (!joined) return cli_failure(NULL, &error);
  cli_tell_note(joined);
  const ct_backend *backend = gantry_backend_get(joined);
  int status = CLI_MISUSED;
  if (options->knobs && backend->device && !ctgl_device_turn_knobs(backend->device, options->knobs, &error)) {
    status = cli_refuse(command, &error);
  } else if (check_names(command, options->kernels, suite->takes & BENCH_TAKES_PROJECTORS, backend)) {
    status = run_suite(options, suite, backend);
  }
  gantry_backend_free(joined);
  return status;
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value;
  bench_options options = {.threads = ct_thread_count(), .repeat = 5, .references = 128};
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, &options)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  char names[256] = "";
  bench_list_suites(names, sizeof names);
  if (argc == optind) return cli_misuse(command, "a suite is needed: %s", names);
  const bench_suite *suite = bench_find_suite(argv[optind]);
  if (!suite && !strcmp(argv[optind], "papers")) return cli_misuse(command, "papers stands right behind bench");
  if (!suite) return cli_misuse(command, "there is no suite \"%s\"; there are %s", argv[optind], names);
  const int words = suite->takes & BENCH_TAKES_FILE ? 2 : 1;
  if (argc > optind + words) return cli_misuse(command, "\"%s\" is one word too many", argv[optind + words]);
  if (argc == optind + 2) options.file = argv[optind + 1];
  if (!check_options(command, suite, &options)) return CLI_MISUSED;
  if (options.knobs && !strcmp(options.knobs, "help=yes")) return list_knobs();
  fill_defaults(suite, &options);
  return run_with_device(command, suite, &options);
}

const cli_command cli_bench = {
    "bench",
    "SUITE [FILE] [options]",
    "Measures the back-projection kernels on this machine: speed, the speed-up over the plain voxel loop of the same "
    "run, and the error against textbook.",
    option_table,
    print_help,
    run,
};
