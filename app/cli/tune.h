/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gantry-cli tune prints besides its own result. */
#ifndef GANTRY_CLI_TUNE_H
#define GANTRY_CLI_TUNE_H

#include "recon/base/error.h"

#include <stdbool.h>

/* The algorithms that Chilingaryan et al. (2019) suggest for each architecture, their Table 25, and what tune found on
 * a device (NULL: the first; none: it says so). */
bool cli_print_suggested(const char *device, ct_error **error);

#endif
