/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli bench: speed and error of every back-projection kernel, of RabbitCT, of the whole pipeline, and what the
 * machine could do. */
#include "app/cli/bench.h"
#include "app/kernel-table.h"
#include "recon/base/machine.h"
#include "recon/fp/projector.h"
#include "render/compute/tuning.h"

#include <getopt.h>
#include <string.h>

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
  KNOBS
};

static const cli_option options[] = {
    {THREADS, "threads", "N", "Threads; default: all cores."},
    {KERNELS, "kernels", "LIST",
     "Only these, ids separated by commas; the voxel loop is always measured, too. Suite iterative: projectors."},
    {PART, "part", "LIST", "Suite iterative: only these parts, names separated by commas; see below."},
    {DEVICE, "device", "NAME",
     "Graphics device of the GPU kernels, see gantry-cli info --devices; auto: the first card; default: auto."},
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
     "Shrinks each problem so that no side of detector or volume is longer than N; default: as the suite states."},
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
     "Suites gpu and iterative: writes the values along the middle line of the quality's slices, of the pictures."},
    {'q', "quiet", NULL, "No progress on stderr."},
    {0},
};

static const struct {
  const char *name, *summary;
  bool (*run)(bench *b, ct_error **error);
} suites[] = {
    {"ladder", "all kernels on one problem, cone-512 unless --problems names others", bench_ladder},
    {"auto", "what the automatic choice takes, beside the kernels ranked behind it, on a spread of problems",
     bench_auto},
    {"chen", "the problems P1 to P10 of Chen et al. 2021, then batch sizes and threads on P5", bench_chen},
    {"parallel", "parallel beam: linear, nearest and oversampled interpolation", bench_parallel},
    {"rabbitct", "the RabbitCT benchmark on FILE, or on a generated data set", bench_rabbitct},
    {"pipeline", "filter and back-projection end to end, stage by stage; single slices", bench_pipeline},
    {"limits", "FMA, L1, L2 and memory rates, and each kernel's share of its bound", bench_limits},
    {"iterative", "projectors and iterative methods: matrices, speed, convergence, quality", bench_iterative},
    {"gpu", "every GPU kernel in each interpolation and precision; quality: slices of a phantom and of FILE",
     bench_gpu},
};
enum { SUITES = sizeof suites / sizeof *suites };

static void print_suites(FILE *to) {
  fputs("\nSuites:\n", to);
  for (int i = 0; i < SUITES; i++) fprintf(to, "  %-10s%s\n", suites[i].name, suites[i].summary);
  fputs("\nProblems of ladder, auto, parallel, limits and gpu (chen has P1 to P10, rabbitct 128, 256, 512 and 1024):\n",
        to);
  for (int i = 0; i < bench_problem_count; i++) {
    const bench_problem *p = &bench_problems[i];
    fprintf(to, "  %-18s%d x %d pixels, %d views -> %d x %d x %d voxels\n", p->name, p->nu, p->nv, p->views, p->nx,
            p->ny, p->nz);
  }
  fputs("\n", to);
  fprintf(to, "Problems of pipeline:\n  %s\n", bench_pipeline_problems);
  bench_print_iterative(to);
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
    return read_count(command, "--threads", value, 1024, &o->threads);
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

/* Every name of the list is that of a kernel, or of a projector. */
static bool check_names(const cli_command *command, const char *list, bool projectors, const ct_bp_table *table) {
  while (list && *list) {
    char name[64];
    const size_t length = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, list);
    if (projectors ? !ct_projector_find_in(table, name) : !ct_bp_find(table, name)) {
      cli_misuse(command, "there is no %s \"%s\"; gantry-cli %s lists them", projectors ? "projector" : "kernel", name,
                 projectors ? "methods" : "kernels");
      return false;
    }
    list += length + (list[length] == ',');
  }
  return true;
}

static bool check_outputs(const bench_options *o, ct_error **error) {
  const char *const paths[] = {o->json, o->csv, o->write, o->profile};
  for (int i = 0; i < 4; i++)
    if (paths[i] && !cli_check_output(paths[i], error)) return false;
  return true;
}

/* What has been measured is kept in the files, also when the suite is interrupted. */
static int run_suite(bench *b, int suite) {
  ct_error *error = NULL, *fault = NULL;
  if (!check_outputs(&b->options, &error)) return cli_failure(NULL, &error);
  cli_watch *watch = cli_watch_begin(true, &error);
  if (!watch) return cli_failure(NULL, &error);
  b->job = cli_watch_job(watch);
  b->suite = suites[suite].name;
  b->rows = json_array();
  b->skipped = json_array();
  bool good = b->rows && b->skipped && suites[suite].run(b, &error);
  const bool cancelled = error && error->code == CT_ERROR_CANCELLED;
  if (cancelled) {
    fprintf(stderr, "gantry-cli: interrupted; %zu rows were measured\n", json_array_size(b->rows));
    ct_error_clear(&error);
  }
  cli_watch_end(watch);
  /* Of a suite that came to nothing an earlier file stays. */
  if ((good || json_array_size(b->rows) > 0) && !bench_write_files(b, &fault)) {
    good = false;
    cli_failure(NULL, &fault);
  }
  json_decref(b->rows);
  json_decref(b->skipped);
  json_decref(b->rates);
  json_decref(b->tables);
  if (good) return CLI_DONE;
  return error ? cli_failure(b->options.file, &error) : CLI_FAILED;
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value;
  bench b = {.options = {.threads = ct_thread_count(), .repeat = 5, .references = 128}};
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, &b.options)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  char names[256] = "";
  for (int i = 0; i < SUITES; i++) bench_add_name(names, sizeof names, suites[i].name);
  if (argc == optind) return cli_misuse(command, "a suite is needed: %s", names);
  int suite = 0;
  while (suite < SUITES && strcmp(suites[suite].name, argv[optind]) != 0) suite++;
  if (suite == SUITES) return cli_misuse(command, "there is no suite \"%s\"; there are %s", argv[optind], names);
  const bool rabbitct = suites[suite].run == bench_rabbitct;
  const bool gpu = suites[suite].run == bench_gpu, iterative = suites[suite].run == bench_iterative;
  const int words = rabbitct || gpu ? 2 : 1;
  if (argc > optind + words) return cli_misuse(command, "\"%s\" is one word too many", argv[optind + words]);
  if (argc == optind + 2) b.options.file = argv[optind + 1];
  if (b.options.profile && !gpu && !iterative)
    return cli_misuse(command, "--csv-profile goes with the suites gpu and iterative");
  if (b.options.knobs && !gpu) return cli_misuse(command, "--knobs goes with the suite gpu");
  if (b.options.knobs && !b.options.kernels) b.options.kernels = "gl-tuned,gl-tuned-parallel";
  if (b.options.part && !iterative) return cli_misuse(command, "--part goes with the suite iterative");
  if (b.options.write && (!rabbitct || b.options.file))
    return cli_misuse(command, "--write goes with a generated data set of the suite rabbitct");
  const char *const outputs[] = {b.options.json, b.options.csv, b.options.write, b.options.profile};
  if (!cli_check_apart(command, b.options.file, NULL, outputs, 4)) return CLI_MISUSED;
  if (b.options.views && !rabbitct && !gpu) return cli_misuse(command, "--views goes with the suites rabbitct and gpu");
  if (b.options.views && rabbitct && b.options.file)
    return cli_misuse(command, "--views is for generated data sets; %s has views of its own", b.options.file);
  if (!b.options.views && rabbitct) b.options.views = 64;
  if (b.options.limit <= 0) b.options.limit = rabbitct ? 120 : 5;
  ct_error *error = NULL;
  gantry_kernel_table *kernels = gantry_kernel_table_new(b.options.device, &error);
  if (!kernels) return cli_failure(NULL, &error);
  cli_tell_note(kernels);
  b.table = *gantry_kernel_table_get(kernels);
  if (b.options.knobs && b.table.device && !ctgl_device_turn_knobs(b.table.device, b.options.knobs, &error)) {
    cli_misuse(command, "%s", error->message);
    ct_error_clear(&error);
    gantry_kernel_table_free(kernels);
    return CLI_MISUSED;
  }
  const bool known = check_names(command, b.options.kernels, iterative, &b.table);
  const int status = known ? run_suite(&b, suite) : CLI_MISUSED;
  gantry_kernel_table_free(kernels);
  return status;
}

const cli_command cli_bench = {
    "bench",
    "SUITE [FILE] [options]",
    "Measures the back-projection kernels on this machine: speed, the speed-up over the plain voxel loop of the same "
    "run, and the error against textbook.",
    options,
    print_suites,
    run,
};
