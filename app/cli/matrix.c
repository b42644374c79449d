/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli matrix: the system matrix of a slice: its size, its stored forms, its export and its pictures. */
#include "app/cli/matrix.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/geom/questions.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum {
  VIEWS = 256,
  RAYS,
  SIZE,
  FAN,
  PARALLEL,
  WIDTH,
  PIXEL,
  ARC,
  FIRST,
  FORM,
  COUNT_ONLY,
  BARS,
  OVERLAP,
  BARS_VIEWS,
  SPY,
  THREADS,
  MEMORY
};

static const cli_option options[] = {
    {VIEWS, "views", "N", "Without a scan: views; default: 720."},
    {RAYS, "rays", "N", "Without a scan: rays of a view; default: 1024."},
    {SIZE, "size", "N", "Without a scan: the slice has N x N pixels; default: as many as rays."},
    {FAN, "fan", "SOD,SDD", "Without a scan: fan beam, source to axis and to detector in mm; default: 500,800."},
    {PARALLEL, "parallel", NULL, "Without a scan: parallel beam."},
    {WIDTH, "width", "MM", "Without a scan: side of the slice in mm; default: 256."},
    {PIXEL, "pixel", "MM",
     "Without a scan: pitch of the detector in mm; default: such that a view is as wide as the slice at the axis."},
    {ARC, "arc", "DEGREES",
     "Without a scan: angle that the views are spread over evenly; default: 360, parallel beam 180."},
    {FIRST, "first-angle", "DEGREES", "Without a scan: angle of the first view; default: 0."},
    {'p', "plan", "FILE",
     "With a scan: plan to begin with, JSON or a volume that carries one; default: all defaults. One that was made "
     "with "
     "another scan is taken all the same, and told."},
    {'s', "set", "KEY=VALUE", "With a scan: changes one parameter of the plan, as reconstruct does; may be repeated."},
    {'d', "description", "FILE", "With a scan: JSON scan description with what the file lacks."},
    {'m', "model", "MODEL", "What a ray is: joseph, siddon or area; default: area, with a scan what the plan says."},
    {FORM, "form", "ID",
     "Prepares this stored form only (csr, ...); may be repeated; default: each that there is, once."},
    {COUNT_ONLY, "count-only", NULL, "Counts entries and bytes, and prepares nothing."},
    {'o', "export", "FILE.mtx",
     "Writes the matrix in Matrix Market coordinate form, also where it does not fit into the memory."},
    {BARS, "bars", "FILE.png|svg",
     "Draws the number of entries of every ray as bars, a panel a view: pixels, or a figure with letters and scales."},
    {OVERLAP, "overlap", "FILE.svg",
     "Draws where the rays of the same views lie over the slice: the outermost, and those through its corners."},
    {BARS_VIEWS, "bars-views", "LIST",
     "Views of --bars and --overlap, counted from 0, with commas; default: six from the first eighth of them."},
    {SPY, "spy", "FILE.png", "Draws where the matrix has entries, rays downwards and pixels across."},
    {THREADS, "threads", "N", "Processor cores; default: all."},
    {MEMORY, "memory", "SIZE", "Memory that a form may take, for example 2G; default: what is free."},
    {'j', "json", NULL, "Prints JSON."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

/* "500,800". */
static bool read_distances(const cli_command *command, const char *text, cli_matrix *asked) {
  char *end;
  asked->sod = ct_text_to_double(text, &end);
  if (end != text && *end == ',') {
    const char *second = end + 1;
    asked->sdd = ct_text_to_double(second, &end);
    if (end != second && !*end && asked->sod > 0 && asked->sdd >= asked->sod && asked->sdd < 1e9) return true;
  }
  cli_misuse(command, "--fan must be SOD,SDD in mm, the first above 0 and not above the second, not \"%s\"", text);
  return false;
}

static bool read_model(const cli_command *command, const char *text, int *model) {
  for (int m = CT_MODEL_JOSEPH; m <= CT_MODEL_AREA; m++)
    if (!strcmp(text, ct_model_id((ct_ray_model)m))) {
      *model = m;
      return true;
    }
  cli_misuse(command, "--model must be joseph, siddon or area, not \"%s\"", text);
  return false;
}

static bool read_form(const cli_command *command, const char *text, cli_matrix *asked) {
  const ct_projector *projector = ct_projector_find(text);
  if (!projector || !projector->stored) {
    cli_misuse(command,
               "--form: \"%s\" is no projector with a stored matrix on the processor (gantry-cli methods lists them)",
               text);
    return false;
  }
  if (asked->form_count < CLI_MOST_FORMS) asked->forms[asked->form_count++] = projector->id;
  return true;
}

static bool read_list(const cli_command *command, const char *text, cli_matrix *asked) {
  asked->bar_count = 0;
  for (const char *at = text;;) {
    char *end;
    const double view = ct_text_to_double(at, &end);
    if (end == at || view < 0 || view > 1e9 || view != floor(view) || asked->bar_count >= CLI_MOST_BARS) break;
    asked->bar_views[asked->bar_count++] = (int)view;
    if (!*end) return true;
    if (*end != ',') break;
    at = end + 1;
  }
  cli_misuse(command, "--bars-views must be up to %d views like 0,4,22, not \"%s\"", CLI_MOST_BARS, text);
  return false;
}

static bool read_count(const cli_command *command, const char *option, const char *text, int high, int *count) {
  long long number;
  if (!cli_read_int(command, option, text, 1, high, &number)) return false;
  *count = (int)number;
  return true;
}

static bool read_degrees(const cli_command *command, const char *option, const char *text, double low,
                         double *radians) {
  if (!cli_read_real(command, option, text, low, 36000, radians)) return false;
  *radians *= M_PI / 180;
  return true;
}

/* Options that make a scan from numbers. */
static bool read_number(const cli_command *command, int letter, const char *value, cli_matrix *asked) {
  asked->made = true;
  switch (letter) {
  case VIEWS:
    return read_count(command, "--views", value, 1000000, &asked->views);
  case RAYS:
    return read_count(command, "--rays", value, 65536, &asked->rays);
  case SIZE:
    return read_count(command, "--size", value, 65535, &asked->size);
  case FAN:
    return read_distances(command, value, asked);
  case PARALLEL:
    asked->beam = ct_beam_find("parallel")->beam;
    return true;
  case WIDTH:
    return cli_read_real(command, "--width", value, 1e-6, 1e6, &asked->width);
  case PIXEL:
    return cli_read_real(command, "--pixel", value, 1e-7, 1e5, &asked->pixel);
  case ARC:
    return read_degrees(command, "--arc", value, 1e-6, &asked->arc);
  default:
    return read_degrees(command, "--first-angle", value, -36000, &asked->first);
  }
}

static bool read_option(const cli_command *command, int letter, const char *value, cli_matrix *asked) {
  switch (letter) {
  case 's':
    return cli_set_parameter(command, value, &asked->plan);
  case 'd':
    asked->description = value;
    return true;
  case 'p':
    return true; /* read before */
  case 'm':
    return read_model(command, value, &asked->model);
  case FORM:
    return read_form(command, value, asked);
  case COUNT_ONLY:
    asked->count_only = true;
    return true;
  case 'o':
    asked->output = value;
    return true;
  case OVERLAP:
    asked->overlap = value;
    return true;
  case BARS:
    asked->bars = value;
    return true;
  case BARS_VIEWS:
    return read_list(command, value, asked);
  case SPY:
    asked->spy = value;
    return true;
  case THREADS:
    return read_count(command, "--threads", value, CT_MOST_THREADS, &asked->threads);
  case MEMORY:
    return cli_read_bytes(command, "--memory", value, &asked->memory);
  case 'j':
    asked->json = true;
    return true;
  case 'q':
    asked->quiet = true;
    return true;
  default:
    return read_number(command, letter, value, asked);
  }
}

/* The last plan given by --plan counts before every --set, wherever it stands: two passes over the options. */
static int read_plan(const cli_command *command, int argc, char **argv, cli_matrix *asked, bool *any) {
  const char *value;
  int letter, fans = 0, parallels = 0;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    ct_error *error = NULL;
    *any = *any || letter == 'p' || letter == 's' || letter == 'd';
    fans += letter == FAN;
    parallels += letter == PARALLEL;
    if (letter != 'p') continue;
    ct_identity_clear(&asked->plan_input);
    asked->plan_file = value;
    if (!cli_load_plan(value, &asked->plan, &asked->plan_input, &error)) return cli_failure(value, &error);
  }
  optind = 0; /* starts getopt anew */
  if (letter == CLI_BAD) return CLI_MISUSED;
  if (fans && parallels) return cli_misuse(command, "--fan and --parallel contradict each other");
  return CLI_DONE;
}

static int check_asked(const cli_command *command, cli_matrix *asked, bool planned) {
  if (asked->scan && asked->made)
    return cli_misuse(command,
                      "the scan has its own geometry: --views, --rays, --size, --fan and the like go without one");
  if (!asked->scan && planned) return cli_misuse(command, "--plan, --set and --description go with a scan");
  if (asked->bar_count && !asked->bars && !asked->overlap)
    return cli_misuse(command, "--bars-views goes with --bars FILE.png and --overlap FILE.svg");
  if (asked->count_only && asked->form_count)
    return cli_misuse(command, "--form and --count-only contradict each other");
  if (asked->size == 0) asked->size = asked->rays < 65535 ? asked->rays : 65535;
  if (asked->threads == 0) asked->threads = ct_thread_count();
  return CLI_DONE;
}

/* The views whose bars are drawn are in the scan; by default six from the first eighth, its ends included. */
static bool check_bars(cli_matrix *asked, const cli_matrix_case *slice, ct_error **error) {
  const int views = slice->geometry.views,
            eighth = views / (ct_geometry_promises(&slice->geometry, CT_TRAIT_PARALLEL) ? 4 : 8);
  if ((asked->bars || asked->overlap) && !asked->bar_count) {
    asked->bar_count = eighth >= 5 ? 6 : 1;
    for (int n = 0; n < asked->bar_count; n++) asked->bar_views[n] = n * eighth / 5;
  }
  for (int n = 0; n < asked->bar_count; n++)
    if (asked->bar_views[n] >= views)
      return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no view %d to draw: the scan has %d.",
                          asked->bar_views[n], views);
  return true;
}

static bool check_outputs(const cli_matrix *asked, ct_error **error) {
  return (!asked->output || cli_check_output(asked->output, error)) &&
         (!asked->bars || cli_check_output(asked->bars, error)) &&
         (!asked->overlap || cli_check_output(asked->overlap, error)) &&
         (!asked->spy || cli_check_output(asked->spy, error));
}

static int make_all(cli_matrix *asked) {
  ct_error *error = NULL;
  if (!check_outputs(asked, &error)) return cli_failure(NULL, &error);
  cli_watch *watch = cli_watch_begin(asked->quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  ct_job *job = cli_watch_job(watch);
  cli_matrix_case slice;
  cli_matrix_form forms[CLI_MOST_FORMS];
  int count = 0;
  const char *at_fault = asked->scan;
  bool good = cli_matrix_scan(asked, watch, &slice, &error);
  if (good) {
    at_fault = NULL;
    const bool files = asked->output || asked->bars || asked->overlap || asked->spy;
    good = check_bars(asked, &slice, &error) && cli_matrix_count(&slice, job, &error) &&
           cli_matrix_export(asked, &slice, job, &at_fault, &error) &&
           /* Who asks for files alone does not wait for forms. */
           (files && !asked->form_count ? true : cli_matrix_forms(asked, &slice, job, forms, &count, &error));
  }
  cli_watch_end(watch);
  good = good && cli_matrix_report(asked, &slice, forms, count, &error);
  cli_matrix_clear(&slice);
  return good ? CLI_DONE : cli_failure(at_fault, &error);
}

static int read_all(const cli_command *command, int argc, char **argv, cli_matrix *asked) {
  bool planned = false;
  ct_plan_init(&asked->plan);
  int status = read_plan(command, argc, argv, asked, &planned);
  const char *value;
  int letter;
  while (status == CLI_DONE && (letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, asked)) status = CLI_MISUSED;
  if (status != CLI_DONE) return status;
  if (argc - optind > 1) return cli_misuse(command, "\"%s\" is one word too many", argv[optind + 1]);
  asked->scan = argc > optind ? argv[optind] : NULL;
  status = check_asked(command, asked, planned);
  const char *const outputs[] = {asked->output, asked->bars, asked->overlap, asked->spy};
  return status != CLI_DONE || cli_check_apart(command, asked->scan, asked->description, outputs, 4) ? status
                                                                                                     : CLI_MISUSED;
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_matrix asked = {.beam = ct_beam_find("fan")->beam,
                      .views = 720,
                      .rays = 1024,
                      .sod = 500,
                      .sdd = 800,
                      .width = 256,
                      .pixel = NAN,
                      .arc = NAN,
                      .model = -1};
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
      cli_print_help(command, stdout);
      return CLI_DONE;
    }
  int status = read_all(command, argc, argv, &asked);
  if (status == CLI_DONE) {
    omp_set_num_threads(asked.threads);
    status = make_all(&asked);
  }
  ct_identity_clear(&asked.plan_input);
  return status;
}

const cli_command cli_matrix_command = {
    "matrix",
    "[SCAN | --views N --rays N --size N --fan SOD,SDD | --parallel] [options]",
    "The system matrix of a slice, for iterative methods: how many entries it has, what its stored forms take in "
    "memory and time, "
    "the matrix itself as a file, and pictures of its pattern. Of a scan's slice, or of one made from numbers.",
    options,
    NULL,
    run,
};
