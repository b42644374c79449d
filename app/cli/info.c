/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli info: what a file is. A file that can be both, a stack of projections and a volume (MetaImage, TIFF), is
 * taken for a scan when its angles are known, else for a volume when a plan or its format says so. */
#include "app/cli/cli.h"
#include "app/cli/info.h"
#include "app/example.h"
#include "recon/base/memory.h"
#include "recon/io/io.h"

#include <getopt.h>
#include <string.h>
#include <strings.h>

enum { SCAN = 256, VOLUME, DEVICES };

static const cli_option options[] = {
    {'j', "json", NULL, "Prints JSON; reals at full precision."},
    {'d', "description", "FILE",
     "JSON scan description with what the file lacks; default: the one beside the file, if any."},
    {SCAN, "scan", NULL, "Takes the file for a scan, also if it could be a volume."},
    {DEVICES, "devices", NULL, "Lists the graphics devices that can back-project, instead of a file."},
    {VOLUME, "volume", NULL, "Takes the file for a volume, also if it could be a scan."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

static bool is_volume_name(const char *path) {
  static const char *const extensions[] = {".mha", ".mhd", ".nrrd", ".nhdr"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; i++)
    if (!strcasecmp(dot, extensions[i])) return true;
  return false;
}

/* Whether what opens as a scan would rather be a volume; then the volume. */
static ct_volume *prefer_volume(const char *path, const ct_scan *scan, ct_job *job) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  if (facts->known & CT_KNOWN_ANGLES) return NULL;
  const double bytes = 4.0 * facts->geometry.nu * facts->geometry.nv * facts->geometry.views;
  const size_t available = ct_memory_available();
  if (available && bytes > 0.8 * (double)available) return NULL;
  char *plan = NULL;
  const bool wanted = is_volume_name(path) || (ct_volume_read_plan(path, &plan, NULL) && plan);
  ct_free(plan);
  return wanted ? ct_volume_read(path, job, NULL) : NULL;
}

/* *scan or *volume, or both, of which the volume counts. A cancel is none of the faults that mean something else. */
static bool open_either(const char *path, const char *description, int kind, ct_scan **scan, ct_volume **volume,
                        ct_job *job, ct_error **error) {
  ct_error *fault = NULL;
  if (kind != VOLUME) *scan = gantry_open_scan(path, description, job, &fault);
  if (kind == VOLUME)
    *volume = ct_volume_read(path, job, &fault);
  else if (kind != SCAN && !description)
    *volume = *scan ? prefer_volume(path, *scan, job) : ct_volume_read(path, job, NULL);
  const bool goes_on = ct_job_may_go_on(job, error), good = goes_on && (*scan || *volume);
  if (goes_on && !good) ct_error_set(error, fault->code, "%s", fault->message);
  ct_error_clear(&fault);
  return good;
}

/* The facts are printed when nothing can interrupt them any more: all of them, or none. */
static int describe(const char *path, const char *description, bool json, bool quiet, int kind) {
  ct_error *error = NULL;
  ct_scan *scan = NULL;
  ct_volume *volume = NULL;
  cli_watch *watch = cli_watch_begin(quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  bool good = open_either(path, description, kind, &scan, &volume, cli_watch_job(watch), &error);
  cli_watch_end(watch);
  good = good && (volume ? cli_info_of_volume(path, volume, json, &error) : cli_info_of_scan(path, scan, json, &error));
  ct_volume_free(volume);
  ct_scan_free(scan);
  return good ? CLI_DONE : cli_failure(path, &error);
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value, *description = NULL;
  bool json = false, quiet = false, devices = false;
  int letter, kind = 0;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    if (letter == 'j')
      json = true;
    else if (letter == 'q')
      quiet = true;
    else if (letter == 'd')
      description = value;
    else if (letter == DEVICES)
      devices = true;
    else
      kind = letter;
  }
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (devices && argc != optind) return cli_misuse(command, "--devices goes without a file");
  if (devices) {
    ct_error *error = NULL;
    return cli_info_of_devices(json, &error) ? CLI_DONE : cli_failure(NULL, &error);
  }
  if (argc - optind != 1) return cli_misuse(command, "one file is needed");
  return describe(argv[optind], description, json, quiet, kind);
}

const cli_command cli_info = {
    "info",
    "[--json] [--description FILE] [--quiet] FILE | --devices",
    "Prints what a scan or a volume is: its size, its geometry, and which of that the file tells and which is "
    "assumed. FILE may be the word example, the built-in example scan.",
    options,
    NULL,
    run,
};
