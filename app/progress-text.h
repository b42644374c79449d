/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a job is, as text: "back-projecting 184 / 361 · 21.4 GUPS · 3.2 s left · 210 MB",
 * "iterating 12 / 50 · residual 0.0342 · 6.5 ms each · 3.2 s left · 210 MB". */
#pragma once

#include <glib.h>

#include "recon/base/job.h"
#include "recon/solve/iterative/iterate.h"

G_BEGIN_DECLS

/* memory: bytes in use; 0 leaves them out. last: the iteration made last; NULL: none. */
char *gantry_progress_text(const ct_progress *progress, gsize memory, const ct_iteration *last);

G_END_DECLS
