/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli info: what a file is. A file that can be both, a stack of projections and a volume (MetaImage, TIFF), is
 * taken for a scan when its angles are known, else for a volume when a plan or its format says so. */
#include "app/cli/cli.h"
#include "app/cli/info.h"
#include "recon/base/memory.h"
#include "recon/io/io.h"

#include <getopt.h>
#include <stdarg.h>
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
    {0},
};

void cli_print_fact(const char *name, const char *format, ...) {
  va_list args;
  va_start(args, format);
  printf("  %-12s ", name);
  vprintf(format, args);
  putchar('\n');
  va_end(args);
}

static bool is_volume_name(const char *path) {
  static const char *const extensions[] = {".mha", ".mhd", ".nrrd", ".nhdr"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; i++)
    if (!strcasecmp(dot, extensions[i])) return true;
  return false;
}

/* Whether what opens as a scan would rather be a volume; then the volume. */
static ct_volume *prefer_volume(const char *path, const ct_scan *scan) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  if (facts->known & CT_KNOWN_ANGLES) return NULL;
  const double bytes = 4.0 * facts->geometry.nu * facts->geometry.nv * facts->geometry.views;
  const size_t available = ct_memory_available();
  if (available && bytes > 0.8 * (double)available) return NULL;
  char *plan = NULL;
  const bool wanted = is_volume_name(path) || (ct_volume_read_plan(path, &plan, NULL) && plan);
  ct_free(plan);
  return wanted ? ct_volume_read(path, NULL, NULL) : NULL;
}

static int describe(const char *path, const char *description, bool json, int kind) {
  ct_error *error = NULL;
  ct_scan *scan = NULL;
  ct_volume *volume = NULL;
  bool good = false;
  if (kind != VOLUME) scan = cli_open_scan(path, description, NULL, &error);
  if (kind == VOLUME)
    volume = ct_volume_read(path, NULL, &error);
  else if (kind != SCAN && !description) {
    if (scan)
      volume = prefer_volume(path, scan);
    else if ((volume = ct_volume_read(path, NULL, NULL)))
      ct_error_clear(&error);
  }
  if (volume)
    good = cli_info_of_volume(path, volume, json, &error);
  else if (scan)
    good = cli_info_of_scan(path, scan, json, &error);
  ct_volume_free(volume);
  ct_scan_free(scan);
  return good ? CLI_DONE : cli_failure(path, &error);
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value, *description = NULL;
  bool json = false, devices = false;
  int letter, kind = 0;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    if (letter == 'j')
      json = true;
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
  return describe(argv[optind], description, json, kind);
}

const cli_command cli_info = {
    "info",
    "[--json] [--description FILE] FILE | --devices",
    "Prints what a scan or a volume is: its size, its geometry, and which of that the file tells and which is "
    "assumed. FILE may be the word example, the built-in example scan.",
    options,
    NULL,
    run,
};
