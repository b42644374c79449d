/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages are asked of the system and given back untouched, which takes microseconds. Not of malloc: told to fill what it
 * gives (MALLOC_PERTURB_) or watched by a sanitizer it touches all of them. */
#include "recon/base/spare.h"

#include <stddef.h>
#include <sys/mman.h>

enum { SPARE = 16 << 20 };

bool ct_memory_is_spare(const char *what, ct_error **error) {
  void *block = mmap(NULL, SPARE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory %s.", what);
  munmap(block, SPARE);
  return true;
}
