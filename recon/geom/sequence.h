/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequences (step and shoot, sequential CT): the table stands while the gantry goes round, moves by a step, and stands
 * again. Every position has the views of one turn at the same angles, one after the other: view n of position k is view
 * k views + n of the scan, and what its turn sees about the plane of its source is a circular scan of its own. Sources
 * and detectors climb by the step, as geometry.h says. */
#ifndef CT_GEOM_SEQUENCE_H
#define CT_GEOM_SEQUENCE_H

#include "recon/geom/geometry.h"

#include <stdbool.h>

typedef struct ct_sequence {
  int positions, views; /* of each position */
  double first, step;   /* mm: z of the first position's source, and from each to the next; step 0: there is one */
  double seen, middle;  /* mm at the axis: height of the detector's rows, and of their middle above the source */
} ct_sequence;

/* Whether it is given as one. */
bool ct_geometry_is_sequence(const ct_geometry *geometry);
/* False with CT_ERROR_UNSUPPORTED, which says what would do, where it is none, or where positions have not the same
 * views. */
bool ct_sequence_of(const ct_geometry *geometry, ct_sequence *sequence, ct_error **error);
/* Makes a sequence of a cone beam's views that stand at these heights, mm, where they are those of one whose angles,
 * counted on or from the start of each turn, are the same at each position, to a twentieth of a row. */
bool ct_sequence_take(ct_geometry *geometry, const double *heights);

/* The circular scan of one position, with so many more detector rows below and above. To be cleared. */
bool ct_sequence_circle(const ct_geometry *geometry, const ct_sequence *sequence, int more, ct_geometry *circle,
                        ct_error **error);
double ct_sequence_height(const ct_sequence *sequence, int position);
/* The position whose rows see the slice at z best: the nearest; -1 where the rows of none reach it at the axis. */
int ct_sequence_position(const ct_sequence *sequence, double z);
/* radius, mm, from here on: of the field about the axis (ct_geometry_field_radius). Rows that voxels of it need of a
 * position beyond its detector's, below or above: those of slices half a step away, nearest to the source. */
int ct_sequence_rows_beyond(const ct_geometry *geometry, const ct_sequence *sequence, double radius);
/* Distance of a slice from the middle of its position up to which the whole field is seen, mm. */
double ct_sequence_reach(const ct_geometry *geometry, const ct_sequence *sequence, double radius);
/* Heights that any view sees of the field. */
void ct_sequence_seen(const ct_geometry *geometry, double radius, double *low, double *high);

#endif
