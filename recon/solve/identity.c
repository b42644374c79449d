/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identities of scans: taken, and compared with what a plan tells. */
#include "recon/solve/identity.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"

#include <string.h>

bool ct_identity_of(ct_scan *scan, ct_identity *identity, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  *identity = (ct_identity){.bytes = facts->bytes};
  if (!ct_scan_checksum(scan, &identity->checksum, error)) return false;
  if (facts->path && *facts->path) identity->path = ct_strdup(facts->path, error);
  return identity->path || !facts->path || !*facts->path;
}

void ct_identity_clear(ct_identity *identity) {
  ct_free(identity->path);
  *identity = (ct_identity){0};
}

bool ct_identity_compare(const ct_identity *told, const char *plan, ct_scan *scan, char **note, ct_error **error) {
  static const char advice[] = "Its values are taken all the same: look at the centre and the geometry.";
  uint64_t checksum;
  *note = NULL;
  if (!told->checksum) return true;
  if (!ct_scan_checksum(scan, &checksum, error)) return false;
  if (checksum == told->checksum) return true;
  const char *now = ct_scan_get_facts(scan)->path, *then = told->path;
  if (!then || !*then)
    *note = ct_strprintf("%s was made with another scan than %s. %s", plan, ct_scan_get_name(scan), advice);
  else if (now && strcmp(now, then) == 0)
    *note = ct_strprintf("%s was made when %s held something else, or with other angles. %s", plan, now, advice);
  else if (strcmp(ct_path_name(then), ct_scan_get_name(scan)) == 0)
    *note = ct_strprintf("%s was made with the scan %s, and this is %s, which holds something else. %s", plan, then,
                         now, advice);
  else
    *note = ct_strprintf("%s was made with the scan %s, and this is %s. %s", plan, ct_path_name(then),
                         ct_scan_get_name(scan), advice);
  return *note || ct_error_set(error, CT_ERROR_MEMORY, "There is no memory for a word about the plan's scan.");
}
