/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli tune: searches the best settings of the tuned GPU kernels on this machine's device and keeps them. */
#include "app/cli/cli.h"
#include "app/cli/tune.h"
#include "app/tuning-file.h"
#include "recon/base/memory.h"

#include <getopt.h>

enum { DEVICE = 256, SIZE, SUGGESTED };

static const cli_option options[] = {
    {DEVICE, "device", "NAME",
     "Graphics device or a part of its name, see gantry-cli info --devices; default: the first card."},
    {SIZE, "size", "N",
     "Voxels along the sides of the trial volumes, 8 to 2048; default: 512 on a card, 16 in software."},
    {SUGGESTED, "suggested", NULL,
     "Tries nothing: prints the algorithms for parallel beam that Chilingaryan et al. (2019) suggest for each "
     "architecture, and what was found on the device before."},
    {'q', "quiet", NULL, "Not every trial on stderr."},
    {0},
};

static void tell(void *user, const ctgl_tuning_step *step) {
  (void)user;
  if (step->gups > 0)
    fprintf(stderr, "%s: %s: %.4g GUPS (best %.4g): %s\n", step->kernel, step->problem, step->gups, step->best,
            step->setting);
  else
    fprintf(stderr, "%s: %s: refused by the device: %s\n", step->kernel, step->problem, step->setting);
}

/* The result as it is kept: the rates with their settings. */
static bool print_result(ct_bp_device *device, ct_error **error) {
  char *text = ctgl_device_save_tuning(device, error),
       *path = text ? gantry_tuning_path(ctgl_device_get_facts(device), error) : NULL;
  if (path) printf("%sKept in %s\n", text, path);
  ct_free(text);
  const bool good = path != NULL;
  ct_free(path);
  return good;
}

static bool tune(ct_bp_device *device, int size, bool quiet, ct_job *job, ct_error **error) {
  const ctgl_tuning_watcher watcher = {NULL, tell};
  return gantry_tuning_search(device, size, quiet ? NULL : &watcher, job, error) && print_result(device, error);
}

static int run(const cli_command *command, int argc, char **argv) {
  const char *value, *name = NULL;
  long long size = 0;
  bool quiet = false, suggested = false;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    if (letter == DEVICE) name = value;
    if (letter == 'q') quiet = true;
    if (letter == SUGGESTED) suggested = true;
    if (letter == SIZE && !cli_read_int(command, "--size", value, 8, 2048, &size)) return CLI_MISUSED;
  }
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc != optind) return cli_misuse(command, "\"%s\" is one word too many", argv[optind]);
  ct_error *error = NULL;
  if (suggested) return cli_print_suggested(name, &error) ? CLI_DONE : cli_failure(NULL, &error);
  ct_bp_device *device = ctgl_device_new(name, false, &error);
  if (!device) return cli_failure(NULL, &error);
  cli_watch *watch = cli_watch_begin(true, &error);
  const bool good = watch && tune(device, (int)size, quiet, cli_watch_job(watch), &error);
  cli_watch_end(watch);
  ctgl_device_free(device);
  return good ? CLI_DONE : cli_failure(NULL, &error);
}

const cli_command cli_tune = {
    "tune",
    "[--device NAME] [--size N | --suggested]",
    "Tries the settings of the kernels gl-tuned and gl-tuned-parallel on a graphics device, one number at a time, and "
    "keeps the fastest for this device and driver in the user's cache folder, where every later run finds them.",
    options,
    NULL,
    run,
};
