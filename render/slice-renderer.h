/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws one plane of a volume (or a projection, or a sinogram) with grey window, colour map, difference and overlays.
 * OpenGL 3.3 core or newer through epoxy; every function needs the context current in which the renderer was made, and
 * leaves no GL state behind but its own. Failures come back as ct_error. */
#ifndef CTGL_SLICE_RENDERER_H
#define CTGL_SLICE_RENDERER_H

#include "recon/base/error.h"
#include "render/mode.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum { CTGL_SLOT_A, CTGL_SLOT_B, CTGL_SLOT_MAP /* of their similarity */, CTGL_SLOTS } ctgl_slot;

/* Colour maps as data: 256 RGB triples each. */
typedef struct ctgl_colour_map {
  const char *id; /* "grey", "viridis", "inferno", "cividis", "blue-white-red", "blue-black-orange" */
  const char *title;
  const unsigned char (*rgb)[3]; /* [256] */
  bool diverging;                /* about a middle: for differences */
} ctgl_colour_map;
const ctgl_colour_map *ctgl_colour_maps(size_t *count);
const ctgl_colour_map *ctgl_colour_map_find(const char *id);
/* Colour of a value in 0..1 (clamped), linear between table entries; components 0..1. map NULL: grey. */
void ctgl_colour_map_at(const ctgl_colour_map *map, double value, double rgb[3]);

typedef struct ctgl_point {
  double x, y;
} ctgl_point;
typedef struct ctgl_colour {
  float r, g, b, a;
} ctgl_colour;

/* Place of the image. Image pixel (i, j) has its centre at origin + (i, j) * spacing, in mm (or px for
 * projections); the vertical axis points up on screen. */
typedef struct ctgl_image_frame {
  int width, height;
  double spacing_x, spacing_y, origin_x, origin_y;
} ctgl_image_frame;

/* The pixels of a picture that hold a value: those (i, j) for which corner + i across + j up is within 0..1 three times
 * over. So a plane through a volume of any pose says which part of it is cut. */
typedef struct ctgl_bounds {
  double corner[3], across[3], up[3];
} ctgl_bounds;

typedef struct ctgl_camera {
  int width, height;         /* of the viewport, device pixels */
  double centre_x, centre_y; /* mm shown in the middle of the viewport */
  double zoom;               /* device pixels per mm, across */
  double stretch;            /* those upwards by those across; 0: 1 */
} ctgl_camera;

#define CTGL_MOST_CURVE 128
typedef struct ctgl_slice_scene {
  ctgl_camera camera;
  ctgl_mode mode;
  bool smooth;                      /* bilinear, averaged where the picture is made smaller; else pixel-sharp nearest */
  double low, high;                 /* grey window of A and B */
  double range;                     /* of the mode's own scale, where it has one: ctgl_scale */
  bool logarithmic;                 /* that scale: ctgl_scale_position */
  double least;                     /* |B| that A - B is divided by must be larger */
  const ctgl_colour_map *map;       /* of A and B, and of scales that begin at zero; NULL: grey */
  const ctgl_colour_map *diverging; /* of scales about zero; NULL: blue-white-red */
  double swipe;                     /* 0..1 across the viewport */
  double fade;                      /* part of B, 0..1 */
  double tile;                      /* of the checkerboard, device pixels */
  double pixel_ratio;               /* device pixels per logical pixel: line widths */
  bool crosshair;
  ctgl_point cross;                             /* mm */
  ctgl_colour cross_horizontal, cross_vertical; /* colours of the planes that the lines stand for */
  ctgl_colour frame;                            /* thin frame round the view; a = 0: none */
  bool profile;                                 /* a measuring line with end handles */
  ctgl_point profile_from, profile_to;
  double profile_width;                 /* mm: what is averaged across it; 0: it alone */
  bool trace;                           /* where another plane cuts this one: a line with two handles */
  ctgl_point trace_at, trace_direction; /* mm; of unit length */
  double trace_reach;                   /* of the handles from there, mm */
  ctgl_colour trace_colour;
  const ctgl_point *curve; /* [curve_points], a thin line through them; NULL: none */
  int curve_points;        /* at most CTGL_MOST_CURVE are joined */
  ctgl_colour curve_colour;
  bool ray; /* a line, and where it crosses this plane, if it does */
  ctgl_point ray_from, ray_to, ray_at;
  bool ray_crosses;
  ctgl_colour ray_colour;
  bool rectangle; /* a thin box that stays: between opposite corners, mm (px) */
  ctgl_point rectangle_from, rectangle_to;
  bool region; /* a rubber band */
  ctgl_point region_from, region_to;
  bool scale_bar; /* drawn lower right, ctgl_scale_bar_length mm long */
} ctgl_slice_scene;

typedef struct ctgl_slice_renderer ctgl_slice_renderer;
typedef struct ctgl_slice_programs ctgl_slice_programs;

/* shared: where the renderers of one context keep the programs that they have in common, NULL before the first is made
 * and after the last is freed; it outlives them. NULL: the renderer has its own. */
ctgl_slice_renderer *ctgl_slice_renderer_new(ctgl_slice_programs **shared, ct_error **error);
void ctgl_slice_renderer_free(ctgl_slice_renderer *renderer);

/* Uploads float32 pixels [height][width], row 0 lowest; NULL empties the slot. Non-finite pixels are drawn in magenta.
 * CT_ERROR_UNSUPPORTED beyond the largest texture. */
bool ctgl_slice_renderer_set_image(ctgl_slice_renderer *renderer, ctgl_slot slot, const ctgl_image_frame *frame,
                                   const float *pixels, ct_error **error);
/* Pixels beyond the bounds are drawn as what lies beside the picture; NULL, as at first: all have a value. */
void ctgl_slice_renderer_set_bounds(ctgl_slice_renderer *renderer, ctgl_slot slot, const ctgl_bounds *bounds);
/* Draws to the framebuffer that is bound, over the whole viewport. */
bool ctgl_slice_renderer_draw(ctgl_slice_renderer *renderer, const ctgl_slice_scene *scene, ct_error **error);

/* Pure helpers, no GL. Screen points are in device pixels from the upper left corner. */
ctgl_point ctgl_screen_to_world(const ctgl_camera *camera, ctgl_point screen);
ctgl_point ctgl_world_to_screen(const ctgl_camera *camera, ctgl_point world);
/* Zoom and centre that show the whole frame with a margin. */
void ctgl_camera_fit(ctgl_camera *camera, const ctgl_image_frame *frame);
/* The same for a picture whose pixels are not square, a sinogram: it is stretched to what the margins (left, top,
 * right, bottom, device pixels) leave of the viewport. */
void ctgl_camera_fill(ctgl_camera *camera, const ctgl_image_frame *frame, const double margins[4]);
/* Device pixels per mm upwards. */
double ctgl_camera_zoom_up(const ctgl_camera *camera);
/* A round length (1, 2 or 5 times a power of ten, mm) of about a fifth of the viewport. */
double ctgl_scale_bar_length(const ctgl_camera *camera);

#endif
