/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli info: what a file is. */
#include "app/cli/cli.h"
#include "app/cli/info.h"
#include "app/cli/source.h"
#include "app/example.h"
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "recon/io/png/plane.h"

#include <getopt.h>
#include <string.h>

enum { SCAN = 256, VOLUME, DEVICES, DATASETS };

static const cli_option options[] = {
    {'j', "json", NULL, "Prints JSON; reals at full precision."},
    CLI_SOURCE_OPTIONS,
    {SCAN, "scan", NULL, "Takes the file for a scan, also if it could be a volume."},
    {DEVICES, "devices", NULL, "Lists the graphics devices that can back-project, instead of a file."},
    {DATASETS, "datasets", NULL, "Lists the arrays inside a file that can hold several (HDF5): shapes and types."},
    {VOLUME, "volume", NULL, "Takes the file for a volume, also if it could be a scan."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

/* *scan or *volume. Errors of a file are those of what it is: only where nothing tells which, the one that can be read
 * counts, volumes first. */
static bool open_either(const char *path, const char *description, int kind, ct_scan **scan, ct_volume **volume,
                        ct_job *job, ct_error **error) {
  ct_content content = kind == VOLUME ? CT_CONTENT_VOLUME : CT_CONTENT_SCAN;
  if (!kind && strcmp(path, "example") != 0) content = ct_path_content(path, description);
  if (content == CT_CONTENT_VOLUME) return (*volume = ct_volume_read(path, job, error)) != NULL;
  if (content == CT_CONTENT_EITHER) *volume = ct_volume_read(path, job, NULL);
  if (!ct_job_may_go_on(job, error)) return false;
  return *volume || (*scan = gantry_open_scan(path, description, job, error));
}

/* A slice that was written as a picture tells how it was made; as a scan it would be one view. */
static char *picture_plan(const char *path, const char *description, int kind, ct_error **error) {
  return kind == 0 && !description ? ct_png_read_plan(path, error) : NULL;
}

/* The facts are printed when nothing can interrupt them any more: all of them, or none. */
static int describe(const char *path, const char *description, bool json, bool quiet, int kind) {
  ct_error *error = NULL;
  ct_scan *scan = NULL;
  ct_volume *volume = NULL;
  cli_watch *watch = cli_watch_begin(quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  char *plan = picture_plan(path, description, kind, &error);
  bool good = !error && (plan || open_either(path, description, kind, &scan, &volume, cli_watch_job(watch), &error));
  cli_watch_end(watch);
  good = good && (plan     ? cli_info_of_picture(path, plan, json, &error)
                  : volume ? cli_info_of_volume(path, volume, json, &error)
                           : cli_info_of_scan(path, scan, json, &error));
  ct_free(plan);
  ct_volume_free(volume);
  ct_scan_free(scan);
  return good ? CLI_DONE : cli_failure(path, &error);
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value;
  cli_source source = {0};
  bool json = false, quiet = false, devices = false, datasets = false, good = true;
  int letter, kind = 0;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    if (cli_take_source(command, letter, value, &source, &good) && !good) return CLI_MISUSED;
    json |= letter == 'j';
    quiet |= letter == 'q';
    devices |= letter == DEVICES;
    datasets |= letter == DATASETS;
    if (letter == SCAN || letter == VOLUME) kind = letter;
  }
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (devices && argc != optind) return cli_misuse(command, "--devices goes without a file");
  if (devices) {
    ct_error *error = NULL;
    return cli_info_of_devices(json, &error) ? CLI_DONE : cli_failure(NULL, &error);
  }
  if (argc - optind != 1) return cli_misuse(command, "one file is needed");
  ct_error *error = NULL;
  if (datasets) return cli_info_of_datasets(argv[optind], json, &error) ? CLI_DONE : cli_failure(argv[optind], &error);
  if (!cli_finish_source(&source, argv[optind], &error)) return cli_failure(argv[optind], &error);
  const int status = describe(argv[optind], source.description, json, quiet, kind);
  cli_clear_source(&source);
  return status;
}

const cli_command cli_info = {
    "info",
    "[--json] [--description FILE] [--quiet] FILE | --datasets FILE | --devices",
    "Prints what a scan or a volume is: its size, its geometry, and which of that the file tells and which is "
    "assumed. FILE may be the word example, the built-in example scan.",
    options,
    cli_print_formats,
    run,
};
