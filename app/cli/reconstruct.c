/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli reconstruct: the command line of it, and its help from the plan's table. */
#include "app/cli/reconstruct.h"
#include "app/cli/reconstruct-shared.h"
#include "recon/base/machine.h"
#include "recon/base/path.h"
#include "recon/solve/plan-rules.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum {
  SLICE = 256,
  THREADS,
  SAVE_PLAN,
  FORCE,
  BITS,
  WINDOW,
  MEMORY,
  START,
  REFERENCE,
  CURVE,
  STRICT,
  GRID,
  JSON,
  PROGRESS
};

static const cli_option options[] = {
    {'p', "plan", "FILE",
     "Plan to begin with: JSON as saved by the window or by --save-plan, or a volume that carries one; default: all "
     "defaults. "
     "One that was made with another scan is taken all the same, and told."},
    {'s', "set", "KEY=VALUE", "Changes one parameter of the plan, see below; may be repeated."},
    CLI_SOURCE_OPTIONS,
    {SLICE, "slice", "AXIS:INDEX",
     "One plane alone, exactly as the volume would hold it: axial, coronal or sagittal (or z, y, "
     "x), and an index counted from 0, or mid; or the word oblique. Needed for a PNG."},
    CLI_POSE_OPTIONS,
    {BITS, "bits", "8|16", "Grey levels of a PNG; default: 8."},
    {WINDOW, "window", "LOW,HIGH",
     "Values (1/mm) that become black and white in a PNG; default: 0.1 % and 99.9 % percentiles."},
    {THREADS, "threads", "N", "Processor cores; short for --set reconstruction.threads=N; default: all."},
    {SAVE_PLAN, "save-plan", "FILE", "Also writes the plan as JSON, with the input's path, size and checksum."},
    {MEMORY, "memory", "SIZE",
     "Memory that a volume with its projections may take, for example 2G; default: 85 % of what is free. A volume that "
     "needs more is made in slabs, each written to the file before the next."},
    {START, "start", "FILE",
     "Iterative methods: the volume to start from, on the plan's grid (or the slice); implies --set start=current."},
    {REFERENCE, "reference", "FILE",
     "Iterative methods: a volume on the plan's grid (or the slice) that every iteration is compared with (RMSE, "
     "SSIM)."},
    {CURVE, "curve", "FILE.csv",
     "Iterative methods: also writes residual, change, time and, with --reference, RMSE and SSIM of every iteration."},
    {FORCE, "force", NULL,
     "Makes the volume (or slice) at once, also where the estimate says that the memory will not do."},
    {STRICT, "strict", NULL,
     "Takes warnings for failures: the result is written all the same, but the exit status is 1 where a number in it "
     "may "
     "be wrong."},
    {GRID, "grid", "VIEWSxSLABS",
     "Several processes, by mpirun: groups of views by columns of slabs, whose product is their number; default: "
     "columns "
     "while each has 32 slices (iterative methods: 16), groups of the rest. See docs/scale.md."},
    {JSON, "json", NULL, "Several processes: also prints what went between them, as JSON."},
    {PROGRESS, "progress", "SECONDS",
     "Time between two lines of progress where they go to no terminal, from 0.1; default: 10."},
    {'q', "quiet", NULL, "No progress and no summary; warnings are still told."},
    {'o', "output", "FILE",
     "The volume, in the format of its extension (output.format without one), or with --slice a PNG."},
    {0},
};

enum { WIDTH = 100, INDENT = 10 }; /* of a list that is cut into lines */

static void print_range(FILE *to, const ct_param *p) {
  if (p->type == CT_PARAM_CHOICE) {
    fputs("one of", to);
    int column = 2 + (int)strlen(p->key) + 8;
    for (const ct_choice *c = p->choices; c->id; c++) {
      const bool fits = (column += 1 + (int)strlen(c->id)) <= WIDTH;
      if (!fits) column = INDENT + (int)strlen(c->id);
      fprintf(to, "%s%s", fits ? " " : "\n          ", c->id);
    }
  } else if (p->type == CT_PARAM_BOOL) {
    fputs("yes or no", to);
  } else if (p->type == CT_PARAM_TEXT && p->offset == offsetof(ct_plan, format)) {
    fputs("one of", to);
    cli_print_volume_format_ids(to);
  } else if (p->type == CT_PARAM_TEXT) {
    fputs("a word", to);
  } else {
    fprintf(to, "%.15g..%.15g%s%s%s", p->low, p->high, *p->unit ? " " : "", p->unit, p->automatic ? " or auto" : "");
  }
}

static void print_parameters(FILE *to) {
  size_t count;
  ct_plan defaults;
  ct_section section = CT_SECTIONS;
  const ct_param *params = ct_params(&count);
  ct_plan_init(&defaults);
  cli_print_volume_formats(to);
  fputs("\nParameters for --set:\n", to);
  for (size_t i = 0; i < count; i++) {
    char text[256];
    if (params[i].section != section) {
      section = params[i].section;
      fprintf(to, "\n %s\n", ct_section_title(section));
    }
    ct_plan_get_text(&defaults, &params[i], text, sizeof text);
    fprintf(to, "  %s: ", params[i].key);
    print_range(to, &params[i]);
    fprintf(to, "; default: %s\n", text);
    cli_print_wrapped(to, 10, params[i].tip);
    ct_param_describe_condition(&params[i], text, sizeof text);
    if (*text) cli_print_wrapped(to, 10, text);
  }
}

static bool read_slice(const cli_command *command, const char *text, cli_reconstruction *r) {
  const char *colon = strchr(text, ':');
  r->pose.oblique = !strcmp(text, "oblique");
  if (r->pose.oblique) return r->one_plane = true;
  if (!colon) {
    cli_misuse(command, "--slice takes AXIS:INDEX, for example axial:mid, or oblique, not \"%s\"", text);
    return false;
  }
  r->one_plane = true;
  return cli_read_plane(command, text, (size_t)(colon - text), &r->axis) &&
         cli_read_index(command, colon + 1, &r->index);
}

static bool read_threads(const cli_command *command, const char *text, ct_plan *plan) {
  long long threads;
  if (!cli_read_int(command, "--threads", text, 1, CT_MOST_THREADS, &threads)) return false;
  plan->threads = (int)threads;
  return true;
}

static bool read_bits(const cli_command *command, const char *text, int *bits) {
  long long number;
  if (!cli_read_int(command, "--bits", text, 8, 16, &number)) return false;
  *bits = (int)number;
  if (number == 8 || number == 16) return true;
  cli_misuse(command, "--bits must be 8 or 16");
  return false;
}

/* The last plan given by --plan counts as set before every --set, wherever it stands: two passes over the options. */
static int read_plan(const cli_command *command, int argc, char **argv, cli_reconstruction *r) {
  const char *value;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    ct_error *error = NULL;
    if (letter != 'p') continue;
    ct_identity_clear(&r->plan_input);
    r->plan_file = value;
    if (!cli_load_plan(value, &r->plan, &r->plan_input, &error)) return cli_failure(value, &error);
  }
  optind = 0; /* starts getopt anew */
  return letter == CLI_BAD ? CLI_MISUSED : CLI_DONE;
}

static int read_options(const cli_command *command, int argc, char **argv, cli_reconstruction *r) {
  const char *value;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    bool good = true;
    if (cli_take_pose(command, letter, value, &r->pose, &good) && !good) return CLI_MISUSED;
    if (cli_take_source(command, letter, value, &r->source, &good) && !good) return CLI_MISUSED;
    switch (letter) {
    case 's':
      good = cli_set_parameter(command, value, &r->plan);
      break;
    case 'o':
      r->output = value;
      break;
    case 'q':
      r->quiet = true;
      break;
    case PROGRESS:
      good = cli_read_real(command, "--progress", value, 0.1, 3600, &r->progress);
      break;
    case FORCE:
      r->force = true;
      break;
    case STRICT:
      r->strict = true;
      break;
    case SAVE_PLAN:
      r->save_plan = value;
      break;
    case START:
      r->start = value;
      r->plan.iterative.start = CT_START_CURRENT;
      break;
    case REFERENCE:
      r->reference = value;
      break;
    case CURVE:
      r->curve = value;
      break;
    case GRID:
      good = cli_read_grid(command, value, &r->groups, &r->columns);
      break;
    case JSON:
      r->json = true;
      break;
    case SLICE:
      good = read_slice(command, value, r);
      break;
    case THREADS:
      good = read_threads(command, value, &r->plan);
      break;
    case MEMORY:
      good = cli_read_bytes(command, "--memory", value, &r->memory);
      break;
    case BITS:
      good = read_bits(command, value, &r->bits);
      break;
    case WINDOW:
      good = cli_read_window(command, value, &r->low, &r->high);
      break;
    }
    if (!good) return CLI_MISUSED;
  }
  if (argc - optind != 1) return cli_misuse(command, "one scan is needed, or the word example");
  r->scan = argv[optind];
  return cli_check_pose(command, &r->pose) ? CLI_DONE : CLI_MISUSED;
}

/* By the extension, or without one by the plan. */
static bool choose_volume_format(cli_reconstruction *r, bool has_extension, ct_error **error) {
  char list[256];
  ct_error *fault = NULL;
  r->format = has_extension ? ct_format_for_writing(r->output, &fault) : ct_format_find(r->plan.format);
  const bool good = r->format && ct_format_can(r->format, CT_FORMAT_WRITE_VOLUME);
  if (!good && r->one_plane && has_extension)
    ct_error_set(error, CT_ERROR_ARGUMENT,
                 "%s: a slice is written as PNG (.png), or as a volume one voxel thick: %s; give it one of these "
                 "extensions",
                 r->output, ct_formats_list(CT_FORMAT_WRITE_VOLUME, list, sizeof list));
  else if (!good && fault)
    ct_error_set(error, fault->code, "%s", fault->message);
  else if (!good)
    ct_error_set(error, CT_ERROR_ARGUMENT, "\"%s\" is no format for volumes; give %s an extension.", r->plan.format,
                 r->output);
  ct_error_clear(&fault);
  return good;
}

/* PNG or volume, and its format. */
static bool choose_format(cli_reconstruction *r, ct_error **error) {
  if (!r->output) return ct_error_set(error, CT_ERROR_ARGUMENT, "-o FILE is needed");
  const char *dot = strrchr(ct_path_name(r->output), '.');
  r->png = dot && !strcasecmp(dot, ".png");
  const char *fault = NULL;
  if (r->png && !r->one_plane) fault = "a PNG holds one slice: say which with --slice AXIS:INDEX";
  if (!r->png && (r->bits != 8 || !isnan(r->low))) fault = "--bits and --window are for PNG";
  if (r->one_plane && r->memory > 0) fault = "--memory is for volumes, not for one slice";
  if (r->force && r->memory > 0) fault = "--force and --memory contradict each other";
  if (fault) return ct_error_set(error, CT_ERROR_ARGUMENT, "%s", fault);
  if (r->png) return true;
  if (r->pose.oblique)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: an oblique plane is written as PNG", r->output);
  return choose_volume_format(r, dot, error);
}

/* The scan is not overwritten, unless it is the built-in one; the plan is by the plan alone. */
static bool check_apart(const cli_command *command, const cli_reconstruction *r) {
  const char *const outputs[] = {r->output, r->save_plan, r->curve};
  for (int n = 0; n < 3; n += 2)
    if (r->plan_file && outputs[n] && ct_outputs_meet(r->plan_file, outputs[n])) {
      cli_misuse(command, "writing %s would overwrite the plan %s: give the output another name", outputs[n],
                 r->plan_file);
      return false;
    }
  const char *volumes = cli_links_description(cli_source_leads_anywhere(&r->source));
  return cli_check_apart(command, strcmp(r->scan, "example") ? r->scan : NULL, r->description, outputs, 3) &&
         cli_check_apart(command, r->start, volumes, outputs, 3) &&
         cli_check_apart(command, r->reference, volumes, outputs, 3);
}

/* What makes no sense together. */
static bool check_iterative(const cli_reconstruction *r, ct_error **error) {
  const char *asked = r->start ? "--start" : r->reference ? "--reference" : r->curve ? "--curve" : NULL;
  const bool direct = !ct_method_iterates(r->plan.iterative.method);
  if (asked && direct)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s goes with an iterative method: --set method=sirt, for example",
                        asked);
  if (!direct && r->plan.iterative.start == CT_START_CURRENT && !r->start)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "start=current needs the volume: --start FILE, or --set start=zero or direct");
  return true;
}

bool cli_reconstruct_check(cli_reconstruction *r, ct_error **error) {
  return choose_format(r, error) && check_iterative(r, error);
}

cli_reconstruction cli_no_reconstruction(void) {
  cli_reconstruction r = {.pose = cli_no_pose(), .index = -1, .bits = 8, .low = NAN, .high = NAN};
  ct_plan_init(&r.plan);
  return r;
}

static int check(const cli_command *command, cli_reconstruction *r) {
  ct_error *error = NULL;
  if (!cli_finish_source(&r->source, r->scan, &error)) return cli_failure(r->scan, &error);
  r->description = r->source.description;
  if (cli_reconstruct_check(r, &error)) return check_apart(command, r) ? CLI_DONE : CLI_MISUSED;
  return cli_refuse(command, &error);
}

/* One of several processes, or alone. */
static int run_options(const cli_command *command, int argc, char **argv) {
  int silenced;
  ct_error *error = NULL;
  cli_reconstruction r = cli_no_reconstruction();
  ct_exchange *exchange = cli_join_silently(&silenced, &error);
  if (error) return cli_failure(NULL, &error);
  int status = read_plan(command, argc, argv, &r);
  if (status == CLI_DONE) status = read_options(command, argc, argv, &r);
  if (status == CLI_DONE && !exchange && (r.groups || r.json))
    status = cli_misuse(command, "--grid and --json are for several processes: start it by mpirun");
  if (status == CLI_DONE) status = check(command, &r);
  cli_speak(silenced);
  if (status == CLI_DONE && r.plan.threads != CT_AUTO_INT) omp_set_num_threads(r.plan.threads);
  if (exchange) status = cli_agree_on_options(exchange, status);
  if (status == CLI_DONE) status = exchange ? cli_reconstruct_shared(&r, exchange) : cli_reconstruct_now(&r);
  ct_identity_clear(&r.plan_input);
  cli_clear_source(&r.source);
  if (exchange) exchange->way->leave(exchange);
  return status;
}

static int run(const cli_command *command, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
      cli_print_help(command, stdout);
      return CLI_DONE;
    }
  return run_options(command, argc, argv);
}

const cli_command cli_reconstruct = {
    "reconstruct",
    "SCAN [--plan FILE] [--set KEY=VALUE]... [--slice AXIS:INDEX | --slice oblique] [options] -o FILE",
    "Reconstructs a volume in 1/mm, or one slice of it, from a scan: a file, a folder of images, a JSON scan "
    "description, or the word example for the built-in example. The result carries the plan and the input's "
    "identity. Ctrl+C ends it cleanly and writes nothing.",
    options,
    print_parameters,
    run,
};
