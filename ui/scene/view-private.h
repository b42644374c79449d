/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene's widget: view.c makes it, draw.c draws it, labels.c labels it, pointer.c and keys.c let a person move in
 * it. The camera is in device pixels, events in logical ones. */
#pragma once

#include "ui/scene-view.h"

G_BEGIN_DECLS

struct _GantrySceneView {
  GtkWidget parent;
  GantryDisplay *display;
  GtkWidget *box, *area, *empty, *bar, *row, *title, *position, *caption, *bar_length;
  GtkAdjustment *view;
  gboolean telling; /* the range is being set by the program: emit nothing */
  int count;
  char *empty_text, *fault;

  ctgl_scene_renderer *renderer; /* NULL while unrealised or without OpenGL */
  GantryImage *images[GANTRY_VIEWS];
  gboolean stale[GANTRY_VIEWS]; /* to be uploaded before the next drawing */
  GantrySolid *solid;
  gboolean solid_stale; /* to be uploaded before the next drawing */
  ctgl_solid how;
  GtkAdjustment *threshold, *clip[3][2];
  gboolean threshold_moved; /* by a person */
  gboolean setting;         /* the threshold is being set by the program */
  gboolean corner;
  guint settling; /* source: the camera moved a moment ago, the volume is drawn coarsely */
  ct_geometry geometry;
  gboolean has_geometry;
  GantryBins bins;
  ct_grid grid;
  gboolean has_grid;
  ctgl_scene scene;
  gboolean has_scene, changed; /* there is one; it has to be made again */

  ctgl_orbit camera;
  gboolean fitted, fitted_volume; /* not moved since; to the volume alone */
  double ratio;                   /* device pixels per logical one */
  double drag_x, drag_y, pinch_zoom;
  gboolean panning, dragging;
};

/* view.c */
void gantry_scene_view_emit_maximise(GantrySceneView *self);
void gantry_scene_view_emit_pointed(GantrySceneView *self, gboolean inside, const double uv[2]);
/* By so many views. */
void gantry_scene_view_step(GantrySceneView *self, int steps);

/* draw.c */
void gantry_scene_view_connect_area(GantrySceneView *self);
void gantry_scene_view_redraw(GantrySceneView *self);
/* The scene is made again before it is drawn: geometry, grid, view or crosshair changed. */
void gantry_scene_view_change(GantrySceneView *self);
/* The scene as it is now; NULL: there is none. */
const ctgl_scene *gantry_scene_view_get_scene(GantrySceneView *self);
/* Radians; logical pixels; a factor about a point of the widget. */
void gantry_scene_view_turn(GantrySceneView *self, double azimuth, double elevation);
void gantry_scene_view_pan(GantrySceneView *self, double right, double down);
void gantry_scene_view_zoom(GantrySceneView *self, double x, double y, double factor);

/* The camera or the gantry moved: coarse until it has been at rest for a moment. */
void gantry_scene_view_stir(GantrySceneView *self);

/* solid.c */
void gantry_scene_view_make_adjustments(GantrySceneView *self);
void gantry_scene_view_drop_adjustments(GantrySceneView *self);
ctgl_solid_part gantry_scene_view_get_part(GantrySceneView *self);
void gantry_scene_view_emit_solid(GantrySceneView *self);
gboolean gantry_scene_view_shows_solid(GantrySceneView *self);

/* labels.c */
void gantry_scene_view_make_labels(GantrySceneView *self, GtkOverlay *overlay);
void gantry_scene_view_update_labels(GantrySceneView *self);

/* pointer.c, keys.c */
void gantry_scene_view_connect_pointer(GantrySceneView *self);
void gantry_scene_view_connect_keys(GantrySceneView *self);

G_END_DECLS
