/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of subcommands. */
#ifndef GANTRY_CLI_COMMANDS_H
#define GANTRY_CLI_COMMANDS_H

#include "app/cli/cli.h"

/* In the order of the overview, NULL behind the last. */
extern const cli_command *const cli_commands[];
/* NULL: there is none of that name. */
const cli_command *cli_find_command(const char *name);

#endif
