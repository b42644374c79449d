/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about scan geometries. Code outside recon/geom and recon/io asks these and does not name beams, so that a
 * new trajectory or detector is a new answer here instead of a new case everywhere.
 *
 * Traits are what a kind of geometry promises of every scan, whatever its numbers: a kernel states those that it
 * relies on. A geometry given by projection matrices promises little, even where its matrices happen to be those of a
 * circular scan; but where they are those of parallel rays in level rows, the same in all views, it promises that. The
 * questions further below look at the numbers, and for such matrices answer as for that scan; how
 * the views go round is asked in trajectory.h. */
#ifndef CT_GEOM_QUESTIONS_H
#define CT_GEOM_QUESTIONS_H

#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

#include <stdbool.h>

enum {
  CT_TRAIT_PROJECTIVE = 1 << 0, /* every view is a 3x4 matrix: a flat detector with straight rows and columns */
  CT_TRAIT_CIRCULAR = 1 << 1,   /* the same source and detector in all views, turned about z, the source in z = 0:
                                 * angles, centre, tilt and distances of ct_geometry say all */
  CT_TRAIT_PARALLEL = 1 << 2,   /* all rays of a view are parallel and at right angles to z */
  CT_TRAIT_SLICED = 1 << 3,  /* but for the tilt, the rays of a detector row stay in one slice, the same in all views */
  CT_TRAIT_SPATIAL = 1 << 4, /* rows see what lies beside the plane z = 0 */
  CT_TRAIT_MATRICES = 1 << 5 /* given by a projection matrix for every view */
};

/* The sets that kernels and projectors state as what they serve. */
enum {
  CT_GEOMETRY_ANY = CT_TRAIT_PROJECTIVE,
  CT_GEOMETRY_PARALLEL = CT_TRAIT_PROJECTIVE | CT_TRAIT_PARALLEL | CT_TRAIT_SLICED, /* wherever the axis is in a view */
  CT_GEOMETRY_SLICES = CT_TRAIT_PROJECTIVE | CT_TRAIT_CIRCULAR | CT_TRAIT_SLICED,   /* parallel rows, fans */
  CT_GEOMETRY_VOLUME = CT_TRAIT_PROJECTIVE | CT_TRAIT_SPATIAL,                      /* all but fans */
  CT_GEOMETRY_MATRICES = CT_TRAIT_PROJECTIVE | CT_TRAIT_MATRICES
};

/* What has to be given for a geometry of a kind, besides the detector's size and pitch. */
enum {
  CT_TAKES_ANGLES = 1 << 0,    /* of the views */
  CT_TAKES_CENTRE = 1 << 1,    /* of rotation, and the tilt */
  CT_TAKES_DISTANCES = 1 << 2, /* sod, sdd */
  CT_TAKES_MATRICES = 1 << 3,
  CT_TAKES_FEED = 1 << 4 /* of the table, which makes a spiral or a sequence of it; 0 is a circle */
};

/* One row each: ROW(beam, id, title, choice, traits, takes). `id` stands in files and on the command line, `title` in
 * sentences, `choice` in a list to choose from. */
#define CT_GEOMETRY_KINDS(ROW)                                                                                         \
  ROW(CT_BEAM_PARALLEL, "parallel", "parallel beam", "Parallel beam",                                                  \
      CT_GEOMETRY_PARALLEL | CT_TRAIT_CIRCULAR | CT_TRAIT_SPATIAL, CT_TAKES_ANGLES | CT_TAKES_CENTRE)                  \
  ROW(CT_BEAM_FAN, "fan", "fan beam", "Fan beam, one row", CT_GEOMETRY_SLICES,                                         \
      CT_TAKES_ANGLES | CT_TAKES_CENTRE | CT_TAKES_DISTANCES)                                                          \
  ROW(CT_BEAM_CONE, "cone", "cone beam", "Cone beam", CT_GEOMETRY_VOLUME | CT_TRAIT_CIRCULAR,                          \
      CT_TAKES_ANGLES | CT_TAKES_CENTRE | CT_TAKES_DISTANCES | CT_TAKES_FEED)                                          \
  ROW(CT_BEAM_FREE, "free", "projection matrices", "Projection matrices", CT_GEOMETRY_MATRICES | CT_TRAIT_SPATIAL,     \
      CT_TAKES_MATRICES)

typedef struct ct_beam_kind {
  ct_beam beam;
  const char *id, *title, *choice;
  unsigned traits, takes;
} ct_beam_kind;

/* All kinds in the order of ct_beam; that of an id, NULL when there is none. */
const ct_beam_kind *ct_beam_kinds(int *count);
const ct_beam_kind *ct_beam_find(const char *id);

/* All traits of a kind; whether it promises all of these; whether it takes any of these quantities. */
unsigned ct_beam_traits(ct_beam beam);
bool ct_beam_promises(ct_beam beam, unsigned traits);
bool ct_beam_takes(ct_beam beam, unsigned quantities);
/* The divergent circular beam onto a detector of so many rows, which a scan is assumed to have that does not say. */
ct_beam ct_beam_divergent(int rows);
/* Gantry angle, radians, after which every ray has been measured: half a turn for parallel rays, else a whole one. */
double ct_beam_period(ct_beam beam);

/* Those of its kind, but that a spiral or sequence is not circular, and that matrices of parallel rays at right angles
 * to z promise CT_TRAIT_PARALLEL and _SLICED where each row sees the same height in all views, to 1e-6 of a row within
 * the detector.
 */
unsigned ct_geometry_traits(const ct_geometry *geometry);
bool ct_geometry_promises(const ct_geometry *geometry, unsigned traits);
bool ct_geometry_takes(const ct_geometry *geometry, unsigned quantities);
double ct_geometry_period(const ct_geometry *geometry);

/* "cone beam", or "spiral cone beam" and "sequential cone beam" where the table moves. */
const char *ct_geometry_title(const ct_geometry *geometry);

/* Whether the rays of some view spread from a point. Of matrices: the depth w changes by more than 1e-9 across what
 * the detector sees at the isocentre, so that sources beyond 1e9 times that width count as infinitely far. */
bool ct_geometry_diverges(const ct_geometry *geometry);
/* Whether the rays of every detector row stay in a slice z = const of their own: they leave it by less than 1e-6 of a
 * row within the detector's width at the isocentre. True for untilted parallel beams, fans, and a single row in the
 * source's plane. */
bool ct_geometry_rows_are_slices(const ct_geometry *geometry);
/* Whether each slice of the grid is what one detector row sees of parallel rays: row *row0 + k sees slice k, within
 * 0.01 rows. Of geometries that promise it: false for matrices. */
bool ct_geometry_rows_of_slices(const ct_geometry *geometry, const ct_grid *grid, int *row0);
/* Whether the grid's slices can be made each by itself: from the rows that see them, or the one slice of a fan. */
bool ct_geometry_is_stack(const ct_geometry *geometry, const ct_grid *grid);
/* Whether detector columns are parallel to the axis, so that neither column nor depth of a point depends on its z. Of
 * matrices: for |z| <= reach (mm) z moves the column by less than 1e-7 pixels and the depth by less than that over the
 * detector's larger count. */
bool ct_geometry_columns_along_axis(const ct_geometry *geometry, double reach);
/* The source of a view, mm. False where its rays are parallel. */
bool ct_geometry_source(const ct_geometry *geometry, int view, double point[3]);

/* Where the detector of a view stands, mm: the centre of pixel (0, 0) and the steps to the next column and row, so that
 * position (u, v) is at corner + u across + v up. Where rays spread from a source that is where pixels have the pitch
 * du. The detector of parallel rays may stand anywhere along them: it is at right angles to them, `behind` mm behind
 * the isocentre. A fan's one row is as high as dv. forward: the unit direction of the ray through the detector's
 * middle. */
typedef struct ct_detector {
  double corner[3], across[3], up[3], forward[3];
  bool spreads;     /* from a source */
  double source[3]; /* where they do */
} ct_detector;
ct_detector ct_geometry_detector(const ct_geometry *geometry, int view, double behind);
/* The centre of pixel position (u, v). */
void ct_detector_point(const ct_detector *detector, double u, double v, double point[3]);

/* All views by matrices, zero at first, unit pitch; one view by a matrix that is borrowed, not to be cleared. */
bool ct_geometry_init_matrices(ct_geometry *geometry, int nu, int nv, int views, ct_error **error);
ct_geometry ct_geometry_of_matrix(int nu, int nv, double matrix[12]);
/* The geometry of the slice in the source's plane, or of any slice of parallel rays, with one detector row: a fan, or a
 * parallel beam. In place. False for geometries that are not circular. */
bool ct_geometry_take_slice(ct_geometry *geometry);
/* One row of parallel rays in the direction of a view's middle ray, of as many columns, with the pitch and the centre
 * that the view has at the axis. To be cleared. For geometries of angles. */
bool ct_geometry_parallel_row(const ct_geometry *geometry, int view, ct_geometry *parallel, ct_error **error);

#endif
