/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume on the voxels of another grid. */
#ifndef CT_DATA_RESAMPLE_H
#define CT_DATA_RESAMPLE_H

#include "recon/data/volume.h"

#include <stddef.h>

/* ct_volume_sample at each voxel of the grid, NaN outside the volume; *outside (may be NULL) counts the voxels there.
 * Without the plan. */
ct_volume *ct_volume_resample(const ct_volume *volume, const ct_grid *grid, size_t *outside, ct_error **error);

#endif
