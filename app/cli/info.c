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

enum { SCAN = 256, VOLUME, DEVICES, DATASETS, VALUES };

static const cli_option options[] = {
    {'j', "json", NULL, "Prints JSON; reals at full precision."},
    CLI_SOURCE_OPTIONS,
    {SCAN, "scan", NULL, "Takes the file for a scan, also if it could be a volume."},
    {DEVICES, "devices", NULL, "Lists the graphics devices that can back-project, instead of a file."},
    {DATASETS, "datasets", NULL, "Lists the arrays inside a file that can hold several (HDF5): shapes and types."},
    {VOLUME, "volume", NULL, "Takes the file for a volume, also if it could be a scan."},
    {VALUES, "values", NULL,
     "Reads a volume's values for their range and mean however many they are. Without it those of files that unpack to "
     "more than 512 MiB and to 8 times their size are not read."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

typedef struct cli_info_request {
  const char *description; /* of the scan */
  bool json, quiet, values;
  bool of_scan;  /* the user says what a volume does not have */
  bool anywhere; /* files outside the file's folder may be read */
  int kind;      /* SCAN, VOLUME; 0: nobody says */
} cli_info_request;

/* What a file is found to be. */
typedef struct described {
  ct_scan *scan;
  ct_volume_reader *volume;
  ct_statistics values;
  bool values_read;
} described;

static void add_values(void *data, const float *values, size_t count) {
  ct_statistics more;
  ct_statistics_of(values, count, &more);
  ct_statistics_add(data, &more);
}

/* A small file may unpack to a thousand times its size: time and memory stay in proportion to the file. */
static bool is_in_proportion(const ct_volume_facts *facts) {
  const double unpacked = (double)ct_grid_voxels(&facts->grid) * sizeof(float);
  return facts->unit_bytes <= 128 << 20 && (unpacked <= 512 << 20 || unpacked <= 8.0 * (double)facts->file_bytes);
}

static bool open_volume(const char *path, const cli_info_request *r, described *d, ct_job *job, ct_error **error) {
  if (!(d->volume = ct_volume_reader_open(path, r->anywhere, error))) return false;
  d->values_read = r->values || is_in_proportion(ct_volume_reader_facts(d->volume));
  if (!d->values_read || ct_volume_reader_each(d->volume, add_values, &d->values, job, error)) return true;
  ct_volume_reader_free(d->volume);
  d->volume = NULL;
  return false;
}

/* Errors of a file are those of what it is: only where nothing tells which, the one that can be read counts, volumes
 * first. */
static bool open_either(const char *path, const cli_info_request *r, described *d, ct_job *job, ct_error **error) {
  ct_content content = r->kind == VOLUME ? CT_CONTENT_VOLUME : CT_CONTENT_SCAN;
  if (!r->kind && strcmp(path, "example") != 0) content = ct_path_content(path, r->of_scan ? r->description : NULL);
  if (content == CT_CONTENT_VOLUME) return open_volume(path, r, d, job, error);
  if (content == CT_CONTENT_EITHER) open_volume(path, r, d, job, NULL);
  if (!ct_job_may_go_on(job, error)) return false;
  return d->volume || (d->scan = gantry_open_scan(path, r->description, job, error));
}

/* A slice that was written as a picture tells how it was made; as a scan it would be one view. */
static char *picture_plan(const char *path, const char *description, int kind, ct_error **error) {
  return kind == 0 && !description ? ct_png_read_plan(path, error) : NULL;
}

/* The facts are printed when nothing can interrupt them any more: all of them, or none. */
static int describe(const char *path, const cli_info_request *r) {
  ct_error *error = NULL;
  described d = {0};
  cli_watch *watch = cli_watch_begin(r->quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  char *plan = picture_plan(path, r->of_scan ? r->description : NULL, r->kind, &error);
  bool good = !error && (plan || open_either(path, r, &d, cli_watch_job(watch), &error));
  cli_watch_end(watch);
  if (good && plan)
    good = cli_info_of_picture(path, plan, r->json, &error);
  else if (good && d.volume)
    good = cli_info_of_volume(path, d.volume, d.values_read ? &d.values : NULL, r->json, &error);
  else if (good)
    good = cli_info_of_scan(path, d.scan, r->json, &error);
  ct_free(plan);
  ct_volume_reader_free(d.volume);
  ct_scan_free(d.scan);
  return good ? CLI_DONE : cli_failure(path, &error);
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value;
  cli_source source = {0};
  cli_info_request r = {0};
  bool devices = false, datasets = false, good = true;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    if (cli_take_source(command, letter, value, &source, &good) && !good) return CLI_MISUSED;
    r.json |= letter == 'j';
    r.quiet |= letter == 'q';
    r.values |= letter == VALUES;
    devices |= letter == DEVICES;
    datasets |= letter == DATASETS;
    if (letter == SCAN || letter == VOLUME) r.kind = letter;
  }
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (devices && argc != optind) return cli_misuse(command, "--devices goes without a file");
  if (devices) {
    ct_error *error = NULL;
    return cli_info_of_devices(r.json, &error) ? CLI_DONE : cli_failure(NULL, &error);
  }
  if (argc - optind != 1) return cli_misuse(command, "one file is needed");
  ct_error *error = NULL;
  if (datasets)
    return cli_info_of_datasets(argv[optind], cli_source_leads_anywhere(&source), r.json, &error)
               ? CLI_DONE
               : cli_failure(argv[optind], &error);
  if (!cli_finish_source(&source, argv[optind], &error)) return cli_failure(argv[optind], &error);
  r.description = source.description;
  r.of_scan = source.of_scan;
  r.anywhere = cli_source_leads_anywhere(&source);
  const int status = describe(argv[optind], &r);
  cli_clear_source(&source);
  return status;
}

const cli_command cli_info = {
    "info",
    "[--json] [--values] [--description FILE] [--quiet] FILE | --datasets FILE | --devices",
    "Prints what a scan or a volume is: its size, its geometry, and which of that the file tells and which is "
    "assumed. FILE may be the word example, the built-in example scan.",
    options,
    cli_print_formats,
    run,
};
