/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curved detectors of fan and cone beam: pixels stand on a cylinder about the line through the source along the
 * columns, at equal angles of the fan (equi-angular; Kak & Slaney 1988, 3.4.1). Their geometry is told in the members
 * of a flat one: du is the pitch along the arc, so that column i is at the angle (i - centre_u) du / sdd from the ray
 * through the axis; dv is the pitch along the cylinder, sdd its radius. A ray meets the flat detector that touches the
 * cylinder in the ray through the axis at u' = sdd tan(angle), v' = v / cos(angle)      (mm from the point of contact).
 */
#ifndef CT_GEOM_CURVED_H
#define CT_GEOM_CURVED_H

#include "recon/geom/geometry.h"

/* CT_ERROR_ARGUMENT: parallel beam and matrices have no such detector, and the fan reaches 80 degrees to either side at
 * most. */
bool ct_curved_check(const ct_geometry *curved, ct_error **error);

/* From pixel indices of the curved detector to those of the flat one of the same counts, pitch and centre, and back. */
void ct_curved_to_flat(const ct_geometry *curved, double *u, double *v);
void ct_curved_from_flat(const ct_geometry *curved, double *u, double *v);

/* The flat detector on which nothing has to be extrapolated, of the same pitch: the columns between the outermost rays,
 * and of the rows those that every column measures. In place; its pixel (0, 0) is pixel (first[0], first[1]) of
 * ct_curved_to_flat. CT_ERROR_ARGUMENT as above, or where nothing is left. */
bool ct_curved_flatten(ct_geometry *geometry, int first[2], ct_error **error);

#endif
