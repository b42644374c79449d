/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether anybody told how large a volume's voxels are, the units that follow, and a scale of its values. */
#ifndef CT_DATA_PITCH_H
#define CT_DATA_PITCH_H

#include "recon/base/units.h"
#include "recon/base/value-scale.h"
#include "recon/data/volume.h"

/* For readers: the file tells nothing of the voxel size, so that the grid has voxels of 1. */
void ct_volume_set_pitch_unknown(ct_volume *volume);
/* There is no plan either, which would tell. */
bool ct_volume_is_pitch_unknown(const ct_volume *volume);
/* The scale that its values are told in, where the file tells one: its plan's header, or what a reader set. */
void ct_volume_set_scale(ct_volume *volume, const ct_named_scale *scale);
ct_named_scale ct_volume_get_scale(const ct_volume *volume);
/* Of lengths and values: those of its plan's header; without one px where the pitch is not known, else mm. */
ct_units ct_volume_get_units(const ct_volume *volume);

#endif
