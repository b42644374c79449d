/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment that the OpenMP library is to find. */
#include "app/brief-wait.h"
#include "recon/base/machine.h"

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Some 20 to 100 microseconds: longer than equal parts of a loop differ on an idle machine, much shorter than another
 * program's turn on the processor. */
#define TURNS "2000"

/* The library takes OMP_NUM_THREADS as it is, and its stack does not hold the list of 100 000. */
static bool too_many(void) {
  return omp_get_max_threads() > CT_MOST_THREADS;
}

#if defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#include <sys/auxv.h>
#include <sys/prctl.h>

/* qemu's user emulation, out of which the program would start itself. */
static bool is_emulated(void) {
  char name[16] = "";
  return prctl(PR_GET_NAME, name) == 0 && strncmp(name, "qemu-", 5) == 0;
}

/* The program's file, under its own name, which the process is called by. Started through the dynamic loader it has
 * none: /proc/self/exe is the loader then, and AT_BASE, where that was loaded to, is 0. */
static bool find_program(char *path, size_t size) {
  static const char deleted[] = " (deleted)";
  const ssize_t length = getauxval(AT_BASE) ? readlink("/proc/self/exe", path, size - 1) : -1;
  if (length <= 0 || (size_t)length >= size - 1) return false;
  path[length] = 0;
  const size_t end = sizeof deleted - 1;
  return (size_t)length < end || strcmp(path + length - end, deleted) != 0;
}

/* With the variables that it is to find; does not return. */
static void start_anew(char **argv) {
  char path[4096], number[16];
  const bool told = getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY");
  /* A library that is preloaded watches this process: valgrind, a sanitizer, the tests' own. */
  if ((told && !too_many()) || getenv("LD_PRELOAD") || is_emulated() || !find_program(path, sizeof path)) return;
  snprintf(number, sizeof number, "%d", CT_MOST_THREADS);
  if ((told || setenv("GOMP_SPINCOUNT", TURNS, 1) == 0) && (!too_many() || setenv("OMP_NUM_THREADS", number, 1) == 0))
    execv(path, argv);
}
#else
static void start_anew(char **argv) {
  (void)argv;
}
#endif

void gantry_wait_briefly(char **argv) {
  start_anew(argv);
  if (too_many()) omp_set_num_threads(CT_MOST_THREADS);
}
