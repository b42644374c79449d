/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object of a simulated scan, from a file: a volume with its own size and values, or a picture. Plain C. */
#ifndef GANTRY_OBJECT_H
#define GANTRY_OBJECT_H

#include "recon/phantom/simulation.h"

/* A picture becomes a volume of one slice, about the axis, black 0 and its brightest pixel the simulation's
 * attenuation, its diagonal as long as twice the phantom's radius; of a colour PNG the luminance, over black. anywhere:
 * as of ct_volume_read_allowed. */
ct_volume *gantry_object_read(const char *path, bool anywhere, const ct_simulation *simulation, ct_job *job,
                              ct_error **error);
/* Whether the file is such a picture. */
bool gantry_object_is_picture(const char *path);

#endif
