/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What readers of scans say of volumes that are no scans. */
#include "recon/io/shared/io-private.h"

bool ct_refuse_volume(const char *path, ct_error **error) {
  return ct_error_set(
      error, CT_ERROR_FORMAT,
      "%s is a volume that Gantry made, and its slices are no projections: open the scan that it was made from.", path);
}
