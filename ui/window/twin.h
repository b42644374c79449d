/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other ray that measured the line of the page "Profile"'s: what its pixel read comes by
 * gantry_window_set_ray_measured, too. */
#pragma once

#include "ui/window/window.h"

G_BEGIN_DECLS

/* NULL: none is wanted, or that line was measured once. */
const GantryRay *gantry_window_get_wanted_twin(GantryWindow *self);

G_END_DECLS
