/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene: a GtkGLArea that shows where source, detector, rays, axis, volume and slices are, in three dimensions
 * (render/scene), with labels along its edges and a bar below: play, view slider, directions to look from. Drag: orbit.
 * Middle drag or Shift+drag: pan. Wheel or pinch: zoom at the pointer. Double-click: maximise. Ctrl+double-click:
 * reset. Keys: arrows orbit by 5 degrees (Shift: 15), Ctrl+arrows pan, plus and minus zoom, Page Up and Down the view
 * (Shift: ten), Home and End the first and last, 1 to 4 look from the front, the side, the top and a corner, 5 shows
 * the volume, 0 the whole gantry, Space plays, M maximises. Its commands are the window's actions scene-look(s),
 * scene-fit(s), scene-volume(s), scene-oblique and play-gantry. */
#pragma once

#include <gtk/gtk.h>

#include "render/scene/renderer.h"
#include "ui/display.h"
#include "ui/image.h"
#include "ui/solid.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SCENE_VIEW (gantry_scene_view_get_type())
G_DECLARE_FINAL_TYPE(GantrySceneView, gantry_scene_view, GANTRY, SCENE_VIEW, GtkWidget)

/* Signals: "view-wanted" (int index: the user asks for another view), "maximise-toggled", "pointed" (gboolean inside,
 * double u, double v: a place on the detector, in pixels of the geometry), "solid-changed". */
GtkWidget *gantry_scene_view_new(GantryDisplay *display);
/* Copied; NULL: there is none. */
void gantry_scene_view_set_geometry(GantrySceneView *self, const ct_geometry *geometry, GantryBins bins);
void gantry_scene_view_set_grid(GantrySceneView *self, const ct_grid *grid);
/* NULL: there is none. The gantry stands where the projection that is shown was taken. */
void gantry_scene_view_set_image(GantrySceneView *self, GantryViewKind kind, GantryImage *image);
/* The volume, and how it is shown where there is one; slices are left out then. NULL: there is none. */
void gantry_scene_view_set_solid(GantrySceneView *self, GantrySolid *solid);
void gantry_scene_view_show_solid(GantrySceneView *self, ctgl_solid how);
/* Borrowed; NULL: there is none. */
const GantrySolid *gantry_scene_view_get_solid(GantrySceneView *self);
/* Of values. */
const char *gantry_scene_view_get_unit(GantrySceneView *self);
/* Where the surface lies, between the ends of the volume's histogram; set by its own threshold until it is moved. */
GtkAdjustment *gantry_scene_view_get_threshold(GantrySceneView *self);
/* Percent of the volume that are left out at the lower (0) or upper (1) end of an axis. */
GtkAdjustment *gantry_scene_view_get_clip(GantrySceneView *self, int axis, int end);
/* The eighth from the crosshair towards the eye is left out. */
void gantry_scene_view_set_corner(GantrySceneView *self, gboolean corner);
/* Views that the slider offers, and the present one. */
void gantry_scene_view_set_range(GantrySceneView *self, int count, int index);
void gantry_scene_view_look(GantrySceneView *self, ctgl_look look);
/* The whole gantry, or the volume alone, as large as it goes. */
void gantry_scene_view_fit(GantrySceneView *self, gboolean volume);
/* Azimuth and elevation, radians; the place in the middle, mm; logical pixels per mm there (0: the whole gantry is
 * fitted, -1: the volume); 1 with perspective, else 0. */
#define GANTRY_SCENE_CAMERA 7
void gantry_scene_view_get_camera(GantrySceneView *self, double camera[GANTRY_SCENE_CAMERA]);
void gantry_scene_view_set_camera(GantrySceneView *self, const double camera[GANTRY_SCENE_CAMERA]);
/* View of which the projection is shown; -1: none is. */
int gantry_scene_view_get_shown(GantrySceneView *self);
/* A control before the slider of the view, in its row. */
void gantry_scene_view_put_before(GantrySceneView *self, GtkWidget *widget);
/* Text in the middle while there is nothing to show. */
void gantry_scene_view_set_empty_text(GantrySceneView *self, const char *text);

G_END_DECLS
