/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block is allocated and given back untouched, which takes microseconds. */
#include "recon/base/spare.h"

#include <stdlib.h>

enum { SPARE = 16 << 20 };

bool ct_memory_is_spare(const char *what, ct_error **error) {
  /* Volatile: a compiler may leave out an allocation that nothing is done with. */
  void *volatile block = malloc(SPARE);
  const bool good = block;
  free(block);
  return good || ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory %s.", what);
}
