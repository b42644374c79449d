/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The iterations of a job that did not end: beside FILE.part of a volume lies FILE.part.iterate, with the images that
 * the iterative method goes on from, whole and in one order whatever the number of processes was; with the plan and
 * scan that they are of, the convergence curve, and digests of it all, by which damage shows. Each rank writes its
 * slices into FILE.part.iterate.new, which takes the name when all of it is on the disk. */
#ifndef GANTRY_CLI_PART_ITERATIONS_H
#define GANTRY_CLI_PART_ITERATIONS_H

#include "app/cli/part-file.h"
#include "recon/solve/shared.h"

typedef struct cli_iterations {
  char *path, *fresh;
  char line[CLI_PART_LINE];
  ct_grid grid;
  int done, images; /* of what is there; done 0: nothing of use is */
  double number;
  ct_iteration *curve;       /* [done] */
  uint64_t digests, samples; /* places in the file */
  double saved_at, took;     /* s; rank 0's */
  bool given_up;             /* one could not be written */
} cli_iterations;

/* All: looks for what another job kept, and whether it is of this plan and scan, and whole. `note` as
 * cli_part_begin's. */
bool cli_iterations_begin(cli_iterations *kept, const cli_part_request *request, ct_exchange *exchange, char *note,
                          size_t size, ct_error **error);
/* All: sets a run that has done nothing to what is there. */
bool cli_iterations_take_up(cli_iterations *kept, ct_exchange *exchange, const ct_shared_run *stand, ct_iterative *run,
                            ct_error **error);
/* All, between iterations: writes them where that is due: where a job ends unfinished, else so seldom that it takes no
 * more than a twentieth of the time. What cannot be written is no fault of the volume: `note` then tells it, once. */
void cli_iterations_keep(cli_iterations *kept, ct_exchange *exchange, const ct_shared_run *stand, char *note,
                         size_t size);
/* Rank 0: the volume is made. */
void cli_iterations_remove(const cli_iterations *kept);
void cli_iterations_clear(cli_iterations *kept);

#endif
