/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulated scan as one value: object, geometry, and what goes wrong; automatic values resolved, the scan made, and
 * what it is a scan of. */
#ifndef CT_PHANTOM_SIMULATION_H
#define CT_PHANTOM_SIMULATION_H

#include "recon/phantom/imperfections.h"

/* The numbers of object and geometry: member, option, unit, least and largest value,
 * standard value, title, explanation, and what they are for (CT_SIMULATED_*). COUNT is an int, REAL a double, ANGLE a
 * double of radians that is told in degrees; AUTO... have no standard value but one that follows from the others. */
enum { CT_SIMULATED_DISTANCE = 1 << 0, CT_SIMULATED_SHAPE = 1 << 1, CT_SIMULATED_FEED = 1 << 2 };
#define CT_SIMULATION_NUMBERS(COUNT, REAL, ANGLE, AUTO_COUNT, AUTO_REAL, AUTO_ANGLE)                                   \
  AUTO_REAL(radius, "radius", "mm", 1e-6, 1e6, NAN, "Radius", "Radius that the phantom is scaled to",                  \
            "as large as every view sees whole", CT_SIMULATED_SHAPE)                                                   \
  REAL(mu, "mu", "1/mm", 1e-9, 1e6, 0.02, "Attenuation", "Attenuation of density 1; water has about 0.02 1/mm",        \
       CT_SIMULATED_SHAPE)                                                                                             \
  COUNT(sub, "sub", "", 1, 64, 1, "Rays per pixel", "Rays per pixel in each direction, averaged", CT_SIMULATED_SHAPE)  \
  REAL(sod, "sod", "mm", 1e-3, 1e7, 500, "Source to axis", "Distance of the source from the axis, fan and cone",       \
       CT_SIMULATED_DISTANCE)                                                                                          \
  REAL(sdd, "sdd", "mm", 1e-3, 1e7, 800, "Source to detector",                                                         \
       "Distance of the source from the detector, fan and cone", CT_SIMULATED_DISTANCE)                                \
  COUNT(nu, "columns", "px", 1, 65536, 256, "Columns", "Columns of the detector", 0)                                   \
  AUTO_COUNT(nv, "rows", "px", 1, 65536, 0, "Rows", "Rows of the detector",                                            \
             "as many as columns, one where rays stay in a "                                                           \
             "plane",                                                                                                  \
             0)                                                                                                        \
  REAL(pixel, "pixel", "mm", 1e-7, 1e4, 0.8, "Pixel pitch", "Distance of the detector's pixels", 0)                    \
  COUNT(views, "views", "", 1, 1000000, 360, "Views",                                                                  \
        "Projections, spread over the arc evenly; of a spiral or sequence those of each turn", 0)                      \
  AUTO_ANGLE(arc, "arc", "degrees", 1e-6, 36000, NAN, "Arc", "Angle that the views are spread over",                   \
             "180 for parallel beam, of a spiral the turns that cover the phantom, else 360", 0)                       \
  REAL(feed, "feed", "mm", -1e5, 1e5, 0, "Table feed",                                                                 \
       "How far the source climbs along z in a turn: a spiral, cone only; 0 is a circle", CT_SIMULATED_FEED)           \
  REAL(table_step, "table-step", "mm", -1e5, 1e5, 0, "Table step",                                                     \
       "How far the source climbs between whole turns: a sequence, cone only; 0 is a circle", CT_SIMULATED_FEED)       \
  AUTO_COUNT(positions, "positions", "", 1, 10000, 0, "Positions", "Turns of a sequence, a table step apart",          \
             "as many as cover the phantom", CT_SIMULATED_FEED)                                                        \
  AUTO_REAL(start_z, "start-z", "mm", -1e6, 1e6, NAN, "Start along z",                                                 \
            "z of the source in the first view, of a sequence, too", "the middle of the way is the isocentre",         \
            CT_SIMULATED_FEED)                                                                                         \
  ANGLE(first, "first-angle", "degrees", -36000, 36000, 0, "First angle", "Angle of the first view", 0)                \
  REAL(offset_u, "offset-u", "px", -1e5, 1e5, 0, "Offset along rows",                                                  \
       "Columns from the detector's middle to the rotation axis", 0)                                                   \
  REAL(offset_v, "offset-v", "px", -1e5, 1e5, 0, "Offset along columns",                                               \
       "Rows from the detector's middle to the central ray", 0)                                                        \
  REAL(wander, "axis-wander", "px", -1e4, 1e4, 0, "Axis wander",                                                       \
       "Columns by which the axis strays from view to view, twice to and fro; the file tells where it is", 0)          \
  ANGLE(tilt, "tilt", "degrees", -90, 90, 0, "Tilt", "In-plane tilt of the detector", 0)

#define CT_SIMULATION_INT(member, ...) int member;
#define CT_SIMULATION_DOUBLE(member, ...) double member;
typedef struct ct_simulation {
  const ct_phantom *phantom;
  const ct_volume *object; /* borrowed; NULL: the phantom */
  ct_beam beam;            /* a circular one */
  bool curved;             /* the detector, of phantoms (recon/geom/curved.h) */
  CT_SIMULATION_NUMBERS(CT_SIMULATION_INT, CT_SIMULATION_DOUBLE, CT_SIMULATION_DOUBLE, CT_SIMULATION_INT,
                        CT_SIMULATION_DOUBLE, CT_SIMULATION_DOUBLE)
  ct_imperfections imperfections;
} ct_simulation;
#undef CT_SIMULATION_INT
#undef CT_SIMULATION_DOUBLE

typedef struct ct_simulation_number {
  const char *id, *unit, *title, *explanation, *automatic; /* automatic: in words, NULL: it is no automatic value */
  double low, high;                                        /* degrees, of angles */
  size_t offset;
  unsigned needs; /* CT_SIMULATED_* */
  bool whole, angle;
} ct_simulation_number;
const ct_simulation_number *ct_simulation_numbers(size_t *count);
/* Whether the beam makes use of it. */
bool ct_simulation_uses(const ct_simulation *simulation, const ct_simulation_number *number);
/* Angles in degrees; NaN: automatic. */
double ct_simulation_get(const ct_simulation *simulation, const ct_simulation_number *number);
void ct_simulation_set(ct_simulation *simulation, const ct_simulation_number *number, double value);

/* Standard values: the 3-D Shepp-Logan phantom, cone beam, 360 views of 256 x 256 pixels over 360 degrees. */
void ct_simulation_init(ct_simulation *simulation);

/* The ids of the beams that scans can be simulated with, "parallel, fan or cone"; returns text. */
const char *ct_simulation_beams(char *text, size_t size);
/* Resolves the automatic values and fills the geometry (to be cleared by the caller). CT_ERROR_ARGUMENT with a message.
 */
bool ct_simulation_geometry(ct_simulation *simulation, ct_geometry *geometry, ct_error **error);
/* Bytes that the simulation holds at most. */
double ct_simulation_bytes(const ct_simulation *simulation, const ct_geometry *geometry);

/* A scan in memory, called `title`. */
ct_scan *ct_simulate(const ct_simulation *simulation, const char *title, ct_job *job, ct_error **error);
/* What it is a scan of, at rest, on a grid: the phantom averaged over voxels, or the object's values there, 0 beyond
 * it. */
ct_volume *ct_simulation_truth(const ct_simulation *simulation, const ct_grid *grid, ct_job *job, ct_error **error);

#endif
