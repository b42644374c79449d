/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arc of a scan as people say it. */
#ifndef CT_GEOM_TOLD_ARC_H
#define CT_GEOM_TOLD_ARC_H

#include "recon/geom/geometry.h"

#include <stdbool.h>

/* Radians: ct_geometry_arc, and whole turns where the last view stands where the first did (*repeated): 361 views in
 * steps of 1 degree are a turn of 360 with one view twice, not 361. */
double ct_geometry_told_arc(const ct_geometry *geometry, bool *repeated);

#endif
