/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run of commands that list what there is. */
#include "app/cli/cli.h"

#include <getopt.h>

const cli_option cli_listing_options[] = {
    {'j', "json", NULL, "Prints JSON."},
    {0},
};

int cli_run_listing(const cli_command *command, int argc, char **argv, cli_print_listing print) {
  const char *value;
  ct_error *error = NULL;
  bool json = false;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) json = true;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc != optind) return cli_misuse(command, "\"%s\" is one word too many", argv[optind]);
  gantry_backend *backend = gantry_backend_new("auto", &error);
  if (!backend) return cli_failure(NULL, &error);
  const bool good = print(gantry_backend_get(backend), json, &error);
  gantry_backend_free(backend);
  return good ? CLI_DONE : cli_failure(NULL, &error);
}
