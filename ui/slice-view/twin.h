/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In a sinogram: the other pixel that measured the line of the one pointed at. */
#pragma once

#include "ui/slice-view.h"

G_BEGIN_DECLS

/* A ring about the pixel, NULL: none; words: of it, for the axes' accessible name, copied. */
void gantry_slice_view_set_twin(GantrySliceView *self, const ctgl_point *at, const char *words);

G_END_DECLS
