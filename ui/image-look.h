/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all drawings of a picture have in common: the colour of its plane, the part of an oblique one that is the
 * volume's. */
#pragma once

#include "render/slice-renderer.h"
#include "ui/image.h"

G_BEGIN_DECLS

ctgl_colour gantry_plane_colour(GantryViewKind kind);
/* Where the pixels of an oblique plane lie in its volume, half a voxel of border included. */
ctgl_bounds gantry_image_bounds(const GantryImage *image);

G_END_DECLS
