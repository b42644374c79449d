/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether an MPI launcher started this process, told by its environment, so that a process that is alone never touches
 * MPI: Open MPI's mpirun sets OMPI_COMM_WORLD_SIZE; MPICH's (Hydra) and Slurm's PMI-2 set PMI_SIZE; PMIx, by which
 * Slurm starts Open MPI, sets PMIX_RANK, and Slurm the number of tasks of the step. */
#include "recon/exchange/exchange-private.h"

#include <stdlib.h>

static int number_in(const char *name) {
  const char *text = getenv(name);
  char *end = NULL;
  const long number = text ? strtol(text, &end, 10) : 0;
  return text && end != text && !*end && number > 0 && number < 1 << 24 ? (int)number : 0;
}

int ct_exchange_launched(void) {
  int ranks = number_in("OMPI_COMM_WORLD_SIZE");
  if (!ranks) ranks = number_in("PMI_SIZE");
  if (!ranks && getenv("PMIX_RANK")) {
    ranks = number_in("SLURM_STEP_NUM_TASKS");
    if (!ranks) ranks = number_in("SLURM_NTASKS");
  }
  return ranks ? ranks : 1;
}

const char *ct_exchange_mpi(void) {
#ifdef GANTRY_HAS_MPI
  return ct_exchange_mpi_title;
#else
  return NULL;
#endif
}

ct_exchange *ct_exchange_join(ct_error **error) {
  if (ct_exchange_launched() < 2) return NULL;
#ifdef GANTRY_HAS_MPI
  return ct_exchange_join_mpi(ct_exchange_launched(), error);
#else
  ct_error_set(error, CT_ERROR_UNSUPPORTED,
               "This was started as one of %d processes by an MPI launcher, but was built without MPI: each would make "
               "the whole volume. Start it without the launcher, or build it with -Dmpi=enabled.",
               ct_exchange_launched());
  return NULL;
#endif
}
