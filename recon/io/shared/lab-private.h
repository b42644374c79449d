/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry in structures of laboratories (Helsinki Tomography Challenge, FIPS), by the names of their fields: lengths
 * in mm, angles in degrees. */
#ifndef CT_IO_LAB_PRIVATE_H
#define CT_IO_LAB_PRIVATE_H

#include "recon/data/scan.h"

/* A number of the structure; false where there is none of that name. */
typedef bool (*ct_lab_number)(void *structure, const char *name, double *value);
/* Distances, beam and pixel pitch into facts whose geometry has its counts. */
void ct_lab_take(ct_scan_facts *facts, void *structure, ct_lab_number number);

#endif
