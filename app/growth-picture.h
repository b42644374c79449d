/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pictures of the page "View by View". */
#pragma once

#include "recon/base/error.h"
#include "recon/geom/grid.h"
#include "ui/image.h"

G_BEGIN_DECLS

/* pixels[ny][nx] of a grid of one slice, averaged in blocks where the slice is large; what is left over at the far
 * edges is cut off. */
GantryImage *gantry_growth_picture(const ct_grid *grid, const float *pixels, ct_error **error);

G_END_DECLS
