/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An allocation that fails and of which nobody is told, as where an answer falls back. */
#ifndef CT_TESTS_LACK_H
#define CT_TESTS_LACK_H

#include "recon/base/memory.h"
#include "recon/base/untold.h"
#include "tests/test.h"

#include <sys/resource.h>

/* The address sanitizer would end where it gets no memory: there the failure is only noted, as ct_alloc does. */
static inline void lack_memory_for(const char *what) {
#ifdef __SANITIZE_ADDRESS__
  char text[CT_UNTOLD];
  snprintf(text, sizeof text, "There was not enough memory for %s", what);
  ct_untold_note(text);
#else
  struct rlimit before, none = {0};
  getrlimit(RLIMIT_AS, &before);
  none.rlim_max = before.rlim_max;
  setrlimit(RLIMIT_AS, &none);
  void *block = ct_alloc((size_t)64 << 20, 1, what, NULL);
  setrlimit(RLIMIT_AS, &before);
  CHECK(!block);
#endif
}

#endif
