/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a thread that has done its part of a loop waits awake for the others. Knows no GLib. */
#ifndef GANTRY_BRIEF_WAIT_H
#define GANTRY_BRIEF_WAIT_H

/* Called first in main. GNU's OpenMP library lets such threads spin for milliseconds, which on a processor that other
 * programs use keeps from it the very thread that is waited for: iterations on two threads then take up to ten times as
 * long as on one. The library reads the number of turns from the environment as it is loaded, so the program starts
 * itself anew with GOMP_SPINCOUNT, once, unless the user has set that or OMP_WAIT_POLICY, or preloads a library
 * (LD_PRELOAD), as tools do that watch a program. Returns where that is so, or cannot be done. It is
 * started anew, too, where OMP_NUM_THREADS is more than CT_MOST_THREADS, with that number. */
void gantry_wait_briefly(char **argv);

#endif
