/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli figures: figures of papers from the phantom and from any scan. */
#include "app/backend.h"
#include "app/cli/cli.h"
#include "app/example.h"
#include "app/figures.h"
#include "recon/base/path.h"
#include "recon/base/units.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { SLICE = 256, COLUMN, SIZE, VIEWS };

static const cli_option options[] = {
    {'f', "figure", "7|8|18|19|all",
     "Which; default: all. 7 and 18 are of the Shepp-Logan phantom, exactly simulated, 8 and 19 of SCAN. 7 and 8: half "
     "and single precision; 18 and 19: nearest, linear and oversampled interpolation."},
    {'o', "output", "FOLDER",
     "Where figure-7.svg and figure-7.csv are written: the values along a line, and below them the absolute "
     "differences from single precision (7, 8), the phantom (18), linear interpolation (19)."},
    {SLICE, "slice", "axial:INDEX", "Of SCAN: the slice; default: axial:mid."},
    {COLUMN, "column", "X",
     "The line's column of voxels, which runs along y; default: the middle of the phantom, of SCAN the column whose "
     "values deviate most from their mean."},
    {SIZE, "size", "N", "Of the phantom: slice of N x N voxels from N detector pixels; default: 1024."},
    {VIEWS, "views", "N", "Of the phantom: views over 180 degrees; default: 1608, about pi/2 times 1024."},
    {'s', "set", "KEY=VALUE",
     "Changes one parameter of the plan for all; may be repeated. The paper has half precision with "
     "interpolation=nearest."},
    {'d', "description", "FILE", "JSON scan description, as of reconstruct."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

typedef struct request {
  gantry_figure_request figure;
  const char *scan, *description, *output;
  int number; /* 0: all */
  bool quiet;
} request;

static bool make(const request *r, const gantry_figure *figure, cli_watch *watch, ct_error **error) {
  gantry_profiles p;
  char text[200];
  snprintf(text, sizeof text, "figure %d: %s", figure->number, figure->title);
  cli_watch_say(watch, text);
  if (!gantry_profiles_make(&p, figure, &r->figure, cli_watch_job(watch), error)) {
    if (error && *error && (*error)->code != CT_ERROR_CANCELLED) ct_error_prefix(error, "Figure %d", figure->number);
    return false;
  }
  const bool good = gantry_profiles_write(&p, r->output, error);
  for (int c = 0; good && c < p.curves; c++) {
    char rmse[48], largest[48];
    if (c == p.against) continue;
    printf("figure %d, %s, column %d: %s against %s: RMSE %s, largest %s\n", figure->number, p.of, p.column, p.names[c],
           p.names[p.against], ct_format_number(p.rmse[c], 4, rmse, sizeof rmse),
           ct_format_number(p.largest[c], 4, largest, sizeof largest));
  }
  gantry_profiles_clear(&p);
  return good;
}

/* Of all figures those of a scan only where there is one. */
static bool is_wanted(const request *r, const gantry_figure *figure) {
  return r->number ? figure->number == r->number : figure->phantom || r->scan;
}

static int make_all(request *r, const ct_backend *backend) {
  ct_error *error = NULL;
  size_t count;
  const gantry_figure *figures = gantry_figures(&count);
  r->figure.backend = backend;
  if (mkdir(r->output, 0777) != 0 && errno != EEXIST) {
    ct_error_set_errno(&error, errno, "Cannot make the folder %s", r->output);
    return cli_failure(NULL, &error);
  }
  cli_watch *watch = cli_watch_begin(r->quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  bool good = true;
  if (r->scan) {
    r->figure.name = ct_path_name(r->scan);
    r->figure.scan = gantry_open_scan(r->scan, r->description, cli_watch_job(watch), &error);
    good = r->figure.scan;
  }
  for (size_t i = 0; good && i < count; i++)
    if (is_wanted(r, &figures[i])) good = make(r, &figures[i], watch, &error);
  ct_scan_free(r->figure.scan);
  cli_watch_end(watch);
  return good ? CLI_DONE : cli_failure(r->scan, &error);
}

static bool read_figure(const cli_command *command, const char *text, request *r) {
  long long number;
  r->number = 0;
  if (!strcmp(text, "all")) return true;
  if (!cli_read_int(command, "--figure", text, 1, 1000, &number)) return false;
  r->number = (int)number;
  if (gantry_figure_find(r->number)) return true;
  cli_misuse(command, "--figure: there are 7, 8, 18, 19 and all, not \"%s\"", text);
  return false;
}

static bool read_slice(const cli_command *command, const char *text, request *r) {
  ct_plane plane;
  if (!cli_read_slice(command, text, &plane, &r->figure.index)) return false;
  if (plane == CT_AXIAL) return true;
  cli_misuse(command, "--slice: figures are of axial slices");
  return false;
}

static bool read_count(const cli_command *command, const char *option, const char *text, int low, int *value) {
  long long number;
  if (!cli_read_int(command, option, text, low, 16384, &number)) return false;
  *value = (int)number;
  return true;
}

static bool read_option(const cli_command *command, int letter, const char *value, request *r) {
  switch (letter) {
  case 'f':
    return read_figure(command, value, r);
  case 'o':
    r->output = value;
    return true;
  case 'd':
    r->description = value;
    return true;
  case 's':
    return cli_set_parameter(command, value, &r->figure.plan);
  case 'q':
    return r->quiet = true;
  case SLICE:
    return read_slice(command, value, r);
  case COLUMN:
    return read_count(command, "--column", value, 0, &r->figure.column);
  case SIZE:
    return read_count(command, "--size", value, 16, &r->figure.size);
  default:
    return read_count(command, "--views", value, 2, &r->figure.views);
  }
}

static int run(const cli_command *command, int argc, char **argv) {
  static const char paper[] = "chilingaryan-2019";
  request r = {.figure = {.size = 1024, .views = 1608, .index = -1, .column = -1}};
  const char *value;
  int letter;
  ct_error *error = NULL;
  ct_plan_init(&r.figure.plan);
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!read_option(command, letter, value, &r)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc - optind < 1 || argc - optind > 2 || strcmp(argv[optind], paper))
    return cli_misuse(command, "the paper %s is needed, and for figures 8 and 19 a scan", paper);
  r.scan = argc - optind > 1 ? argv[optind + 1] : NULL;
  if (!r.output) return cli_misuse(command, "-o FOLDER is needed");
  if (r.number && !gantry_figure_find(r.number)->phantom && !r.scan)
    return cli_misuse(command, "figure %d is of a scan: name one, or the word example", r.number);
  gantry_backend *backend = gantry_backend_new(r.figure.plan.device, &error);
  if (!backend) return cli_failure(NULL, &error);
  cli_tell_note(backend);
  const int status = make_all(&r, gantry_backend_get(backend));
  gantry_backend_free(backend);
  return status;
}

const cli_command cli_figures = {
    "figures",
    "chilingaryan-2019 [--figure 7|8|18|19|all] [SCAN] [options] -o FOLDER",
    "Makes figures of a paper again, on the phantom and on a scan: profiles of variants of one slice and their "
    "differences, as SVG and CSV. The paper is Chilingaryan, Ametova, Kopmann and Mirone (2019), Reviewing GPU "
    "architectures to build efficient back projection for parallel geometries.",
    options,
    NULL,
    run,
};
