/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment that the OpenMP library is to find. */
#include "app/brief-wait.h"

#include <stdlib.h>
#include <unistd.h>

/* Some 20 to 100 microseconds: longer than equal parts of a loop differ on an idle machine, much shorter than another
 * program's turn on the processor. */
#define TURNS "2000"

void gantry_wait_briefly(char **argv) {
#if defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
  if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY") || setenv("GOMP_SPINCOUNT", TURNS, 1)) return;
  execv("/proc/self/exe", argv);
#else
  (void)argv;
#endif
}
