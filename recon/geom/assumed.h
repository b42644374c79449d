/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is assumed of angles that nobody tells. */
#ifndef CT_GEOM_ASSUMED_H
#define CT_GEOM_ASSUMED_H

/* Step, radians, of so many views over half a turn or a whole one: equal shares. Over a whole turn the last view is
 * taken to repeat the first where that alone makes the step a multiple of 0.05 degrees, as for 361 or 721 views. */
double ct_assumed_step(double turn, int views);

#endif
