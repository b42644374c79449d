/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without a lock: a child process may be made while one is held. */
#include "recon/base/untold.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_uint count;
static atomic_bool is_named;
static char name[CT_UNTOLD];

void ct_untold_note(const char *what) {
  if (atomic_fetch_add(&count, 1) != 0) return;
  snprintf(name, sizeof name, "%s", what);
  atomic_store(&is_named, true);
}

unsigned ct_untold(char what[CT_UNTOLD]) {
  if (what) snprintf(what, CT_UNTOLD, "%s", atomic_load(&is_named) ? name : "Something failed");
  return atomic_load(&count);
}

void ct_untold_forgive(unsigned before) {
  if (before == 0) atomic_store(&is_named, false);
  atomic_store(&count, before);
}

void ct_untold_forget(void) {
  ct_untold_forgive(0);
}
