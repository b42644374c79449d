/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli reconstruct as one of several processes of an MPI job. */
#ifndef GANTRY_CLI_RECONSTRUCT_SHARED_H
#define GANTRY_CLI_RECONSTRUCT_SHARED_H

#include "app/cli/reconstruct.h"
#include "recon/exchange/exchange.h"

/* All ranks: as cli_reconstruct_now; rank 0 speaks for all. */
int cli_reconstruct_shared(const cli_reconstruction *r, ct_exchange *exchange);
/* "VxS", view groups by slab columns. */
bool cli_read_grid(const cli_command *command, const char *text, int *groups, int *columns);
/* All: one status for all ranks, after the options were read, of which all but rank 0 were silent. */
int cli_agree_on_options(ct_exchange *exchange, int status);
/* Joins the job that a launcher started, before any thread begins, with the signals that end one blocked: the watching
 * thread takes them. NULL with no error: this process is alone. Until `speak` nothing is printed but by rank 0. */
ct_exchange *cli_join_silently(int *silenced, ct_error **error);
void cli_speak(int silenced);

#endif
