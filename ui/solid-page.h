/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page about the volume in the scene: its histogram with the surface's threshold, and what of it is shown. It
 * stands below the views, so that it covers nothing of what it changes. */
#pragma once

#include "ui/scene-view.h"

G_BEGIN_DECLS

/* Follows the scene, and changes its adjustments; names the action "win.scene-corner". */
GtkWidget *gantry_solid_page_new(GantrySceneView *scene);

G_END_DECLS
