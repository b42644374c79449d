/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume on the voxels of another grid. */
#ifndef CT_DATA_RESAMPLE_H
#define CT_DATA_RESAMPLE_H

#include "recon/data/volume.h"

#include <stddef.h>

/* ct_volume_sample at each voxel of the grid, NaN outside the volume; *outside (may be NULL) counts the voxels there.
 * Without the plan. */
ct_volume *ct_volume_resample(const ct_volume *volume, const ct_grid *grid, size_t *outside, ct_error **error);

/* Whether both say where their voxels lie, in one unit of length: else neither can be resampled onto the other. A file
 * that tells nothing is read as unit voxels about the axis. */
bool ct_volumes_share_world(const ct_volume *a, const ct_volume *b);

#endif
