/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Libraries that crash or hang on damaged files are tried out in a child process first. */
#ifndef CT_IO_TRIAL_PRIVATE_H
#define CT_IO_TRIAL_PRIVATE_H

#include "recon/base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Runs an attempt at opening `path` in a child process that may read and nothing else (ct_sandbox_enter). False when
 * the child crashes or hangs: CT_ERROR_FORMAT, the path "is a damaged KIND file", or CT_ERROR_MEMORY where an
 * allocation had failed in it. steps: of ct_trial_step; or NULL. */
bool ct_survives(void (*attempt)(void *data), void *data, const atomic_uint *steps, const char *path, const char *kind,
                 ct_error **error);
/* The same, and what fails in the child for what the file is (CT_ERROR_FORMAT, DATA, ARGUMENT) is not done over again:
 * its error is given. Others may come of the child's limits. True: `attempt` is to be made here. */
bool ct_survives_and_opens(bool (*attempt)(void *data, ct_error **error), void *data, const atomic_uint *steps,
                           const char *path, const char *kind, ct_error **error);
/* Within an attempt that takes long: it got on. `steps` is memory that it shares, and that was told with the attempt;
 * the child has more time, and none that it had is taken from it. */
void ct_trial_step(atomic_uint *steps);
/* Memory of zeros that a child writes for this process to read; NULL where there is none. */
void *ct_trial_share(size_t bytes);
void ct_trial_unshare(void *shared, size_t bytes); /* NULL allowed */
/* What `answer` gives in the child, 0 to CT_MOST_ANSWER; -1 where the child crashes or hangs. Without a child process
 * it is asked here. */
enum { CT_MOST_ANSWER = 31 };
int ct_answers(int (*answer)(void *data), void *data);
/* Whether the child's reading succeeds with one second and 256 MiB: for what takes far less where the file is sound. */
bool ct_reads_small(bool (*reading)(void *data), void *data);

/* Lets this process read files and no more, for good: none is opened for writing, made, renamed or removed, no program
 * is run, no process made, no socket opened, no signal sent to others; such calls fail with EPERM. False, and all is as
 * it was, where the system has no seccomp filters, the machine is none that the filter knows, or GANTRY_SANDBOX is
 * "off". */
bool ct_sandbox_enter(void);

#endif
