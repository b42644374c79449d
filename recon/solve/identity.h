/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which scan a plan was used on. */
#ifndef CT_SOLVE_IDENTITY_H
#define CT_SOLVE_IDENTITY_H

#include "recon/base/error.h"
#include "recon/data/scan.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ct_identity {
  char *path;               /* may be NULL: unknown */
  uint64_t bytes, checksum; /* 0: unknown */
} ct_identity;

/* Path, size and checksum of a scan; reads some of its frames the first time. Ended with ct_identity_clear. */
bool ct_identity_of(ct_scan *scan, ct_identity *identity, ct_error **error);
void ct_identity_clear(ct_identity *identity);

/* Whether a plan that tells this identity was made with another scan than this one, by the checksum alone: files are
 * moved and renamed. Then *note (ct_free) names both, in a sentence that begins with the plan's name; NULL where it is
 * the same scan, or the plan does not tell. False only when the scan cannot be read. */
bool ct_identity_compare(const ct_identity *told, const char *plan, ct_scan *scan, char **note, ct_error **error);

#endif
