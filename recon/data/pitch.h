/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether anybody told how large a volume's voxels are, and the units that follow. */
#ifndef CT_DATA_PITCH_H
#define CT_DATA_PITCH_H

#include "recon/base/units.h"
#include "recon/data/volume.h"

/* For readers: the file tells nothing of the voxel size, so that the grid has voxels of 1. */
void ct_volume_set_pitch_unknown(ct_volume *volume);
/* There is no plan either, which would tell. */
bool ct_volume_is_pitch_unknown(const ct_volume *volume);
/* Of lengths and values: those of its plan's header; without one px where the pitch is not known, else mm. */
ct_units ct_volume_get_units(const ct_volume *volume);

#endif
