/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Libraries that crash or hang on damaged files are tried out in a child process first. */
#ifndef CT_IO_TRIAL_PRIVATE_H
#define CT_IO_TRIAL_PRIVATE_H

#include <stdbool.h>

/* Runs an attempt at opening in a child process; false when the child crashes or hangs. */
bool ct_survives(void (*attempt)(void *data), void *data);
/* Whether the child's reading succeeds with one second and 256 MiB: for what takes far less where the file is sound. */
bool ct_reads_small(bool (*reading)(void *data), void *data);

#endif
