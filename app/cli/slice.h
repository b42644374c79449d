/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes for the subcommands that write them. */
#ifndef GANTRY_CLI_SLICE_H
#define GANTRY_CLI_SLICE_H

#include "recon/base/error.h"
#include "recon/geom/grid.h"
#include "recon/io/png/plane.h"

/* Memory for one plane of a grid (ct_free). */
float *cli_new_plane(const ct_grid *grid, ct_plane axis, ct_error **error);
/* As a PNG with the pixel size of the grid; the picture comes with values, bits, low, high and plan. */
bool cli_write_plane(const char *path, const ct_grid *grid, ct_plane axis, ct_png_plane picture, ct_error **error);

#endif
