/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated scans of the analytic phantoms, and the built-in example: what `gantry-cli simulate` and the window's start
 * page show. Plain C: the command line knows no GLib. */
#ifndef GANTRY_EXAMPLE_H
#define GANTRY_EXAMPLE_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/data/volume.h"
#include "recon/phantom/imperfections.h"

#include <stdint.h>

typedef struct gantry_simulation {
  const ct_phantom *phantom;
  const ct_volume *object;   /* borrowed; NULL: the phantom */
  ct_beam beam;              /* a circular one */
  int nu, nv, views;         /* nv 0: one row for a fan, else as many as columns */
  double arc, first;         /* radians; arc NaN: 180 degrees for parallel beam, else 360 */
  double pixel;              /* mm */
  double sod, sdd;           /* mm, fan and cone */
  double offset_u, offset_v; /* px from the detector's middle to the axis' shadow */
  double tilt;               /* radians */
  double radius;             /* of the phantom, mm; NaN: as large as every view sees whole */
  double mu;                 /* attenuation of density 1, 1/mm */
  int sub;                   /* sub x sub rays per pixel */
  ct_imperfections imperfections;
} gantry_simulation;

/* The example's values: the 3-D Shepp-Logan phantom, cone beam, 360 views of 256 x 256 pixels over 360 degrees. */
void gantry_simulation_init(gantry_simulation *simulation);

/* The ids of the beams that scans can be simulated with, "parallel, fan or cone"; returns text. */
const char *gantry_simulation_beams(char *text, size_t size);
/* Resolves the automatic values and fills the geometry (to be cleared by the caller). CT_ERROR_ARGUMENT with a message.
 */
bool gantry_simulation_geometry(gantry_simulation *simulation, ct_geometry *geometry, ct_error **error);

/* A scan in memory, called `title`. */
ct_scan *gantry_simulate(const gantry_simulation *simulation, const char *title, ct_job *job, ct_error **error);

/* What the built-in example will be, before it is simulated: facts without frames, for estimates. */
ct_scan *gantry_example_outline(ct_error **error);
/* The built-in example. */
ct_scan *gantry_example_scan(ct_job *job, ct_error **error);
/* The scan of a path with its description (NULL: the one beside it), or of the word "example" the built-in one. */
ct_scan *gantry_open_scan(const char *path, const char *description, ct_job *job, ct_error **error);
/* What the example is a scan of, on a grid. */
ct_volume *gantry_example_truth(const ct_grid *grid, ct_job *job, ct_error **error);

#endif
