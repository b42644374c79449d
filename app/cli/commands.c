/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of subcommands. */
#include "app/cli/commands.h"

#include <string.h>

const cli_command *const cli_commands[] = {&cli_info,
                                           &cli_simulate,
                                           &cli_reconstruct,
                                           &cli_batch_command,
                                           &cli_slice,
                                           &cli_compare,
                                           &cli_measure,
                                           &cli_kernels,
                                           &cli_methods,
                                           &cli_matrix_command,
                                           &cli_bench,
                                           &cli_tune,
                                           &cli_variants_command,
                                           &cli_figures,
                                           &cli_theorem,
                                           &cli_lesson,
                                           &cli_plan_command,
                                           NULL};

const cli_command *cli_find_command(const char *name) {
  for (int i = 0; cli_commands[i]; i++)
    if (!strcmp(cli_commands[i]->name, name)) return cli_commands[i];
  return NULL;
}
