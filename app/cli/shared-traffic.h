/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What went between the processes of an MPI job, and how much of its time was hidden, beside the model of it. */
#ifndef GANTRY_CLI_SHARED_TRAFFIC_H
#define GANTRY_CLI_SHARED_TRAFFIC_H

#include "recon/solve/shared.h"

typedef struct cli_traffic {
  ct_exchange *exchange;
  const ct_shares *shares;
  const ct_grid *grid;
  const unsigned char *done; /* slices that were there before; of an iterative method NULL */
  double seconds;
  const ct_bp_device *device; /* of this rank; NULL: none */
  double slab_sum;            /* s of one slab's sum by itself; 0: not tried, or nothing is summed */
  bool iterates, json, say;   /* JSON on stdout; a line on stderr */
} cli_traffic;

/* All ranks; the first one prints. */
bool cli_traffic_print(const cli_traffic *traffic, ct_error **error);

#endif
