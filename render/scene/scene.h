/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the scene shows of a scan: the places of source, detector, rays, axis, volume and field of view, as numbers in
 * mm of the world frame of recon/geom/geometry.h. Needs no OpenGL. */
#ifndef CTGL_SCENE_H
#define CTGL_SCENE_H

#include "recon/geom/grid.h"
#include "recon/geom/oblique.h"
#include "recon/geom/questions.h"
#include "recon/geom/trajectory.h"

#include <stdbool.h>

typedef struct ctgl_segment {
  double from[3], to[3];
} ctgl_segment;

enum { CTGL_SHADOW_EDGES = 48 }; /* half of them upwards, half downwards */

/* A ray of the present view from where it begins (the source; of parallel rays a point well before the volume) to the
 * detector position (u, v), which may lie beside the detector. */
typedef struct ctgl_scene_ray {
  ctgl_segment line;
  double u, v;
  bool seen; /* it meets the detector */
} ctgl_scene_ray;

/* A value that owns its path: ctgl_scene_make, ctgl_scene_clear. */
typedef struct ctgl_scene {
  ct_detector detector; /* of the present view */
  double corners[4][3]; /* of the detector's outer edge: about (0, 0), (nu - 1, 0), (nu - 1, nv - 1), (0, nv - 1) */
  ctgl_segment beam[4]; /* rays to these corners */
  ctgl_segment *path;   /* of the source: from each view to the next in angle. Of parallel rays: of the point
                         * that the middle ray begins at. Where views have no common axis, points. */
  int path_segments;
  double heading[3]; /* unit direction in which the source goes on to the next view; zero where there is one view */
  bool has_axis;     /* else the views tell none */
  ctgl_segment axis; /* as long as the volume and some more */
  double field;      /* radius of the field of view about the axis; 0: there is none */
  ctgl_segment field_axis; /* the cylinder's: as high as the volume */
  double low[3], high[3];  /* corners of the volume's box */
  double cross[3];
  ctgl_scene_ray ray; /* through the crosshair */
  /* Of a cone beam on a circle (recon/geom/shadow.h): its edges, radians; the shadow zone at the crosshair, as lines
   * from there (none where the zone is closed) and the least and largest half opening; the axis between the heights
   * that all views see, and these heights at the edge of the field of view. */
  bool is_cone;
  double cone[2], shadow[2];
  ctgl_segment shadow_edges[CTGL_SHADOW_EDGES];
  int shadow_count;
  double covered_axis[2], covered_edge[2];
  bool is_pointing;
  ctgl_scene_ray pointed;   /* to the pixel pointed at */
  double centre[3], radius; /* of a sphere about all of it */
  double (*turn)[3];        /* corners of detectors, places of sources and corners of the box over all views: what has
                             * to be seen so that nothing leaves the picture while the gantry goes round */
  int turn_points;
  double middle[3], reach; /* of a sphere about the box */
} ctgl_scene;

typedef struct ctgl_scene_request {
  const ct_geometry *geometry;
  const ct_grid *grid;
  int view;              /* clamped */
  double cross[3];       /* mm */
  const double *pointed; /* [2] detector position (u, v) that is pointed at, or NULL */
} ctgl_scene_request;

bool ctgl_scene_make(const ctgl_scene_request *request, ctgl_scene *scene, ct_error **error);
void ctgl_scene_clear(ctgl_scene *scene);

/* Points on a circle of the field of view at a share 0..1 of its height, at an angle (radians). */
void ctgl_scene_field_point(const ctgl_scene *scene, double share, double angle, double point[3]);

/* Where a picture lies: its lower left, lower right, upper right and upper left corner, mm, outer edges of pixels. */
typedef struct ctgl_corners {
  double at[4][3];
} ctgl_corners;
/* Of a slice whose picture has `width` x `height` pixels of these spacings, the first centre at `origin`. */
typedef struct ctgl_picture_frame {
  int width, height;
  double spacing[2], origin[2];
} ctgl_picture_frame;
ctgl_corners ctgl_slice_corners(ct_plane plane, double position, const ctgl_picture_frame *frame);
/* Of a projection, its frame in pixels of the detector. */
ctgl_corners ctgl_projection_corners(const ct_detector *detector, const ctgl_picture_frame *frame);
ctgl_corners ctgl_oblique_corners(const ct_oblique *oblique);

/* The part within the grid of a view's ray to detector position (u, v); false where it misses it. */
bool ctgl_ray_within(const ct_geometry *geometry, const ct_grid *grid, int view, const double uv[2],
                     ctgl_segment *within);
/* Where a line meets the detector's plane, (u, v); false where it does not. */
bool ctgl_detector_meets(const ct_detector *detector, const ctgl_segment *line, double uv[2]);

/* The part of a line within a box; false where it misses it. */
bool ctgl_clip_to_box(const ctgl_segment *line, const double low[3], const double high[3], ctgl_segment *within);

#endif
