/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory to spare for libraries that cannot do without: HDF5, libtiff and libmatio follow wild pointers and FFTW ends
 * the process where one of their many small allocations fails. They are called only where some memory is left for
 * those. */
#ifndef CT_BASE_SPARE_H
#define CT_BASE_SPARE_H

#include "recon/base/error.h"

#include <stdbool.h>

/* Whether 16 MiB can be allocated now; CT_ERROR_MEMORY, "There is not enough memory WHAT.", where not. */
bool ct_memory_is_spare(const char *what, ct_error **error);

#endif
