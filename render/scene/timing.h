/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a frame of the scene takes, with a volume in it, on this machine's OpenGL. */
#ifndef CTGL_SCENE_TIMING_H
#define CTGL_SCENE_TIMING_H

#include "render/scene/renderer.h"

typedef struct ctgl_scene_timing {
  int width, height; /* of the picture */
  int side;          /* voxels along a side of the volume */
  const float *values;
  ctgl_solid solid;
  bool coarse; /* as while the camera moves */
  int frames;  /* that are timed, after one that is not */
} ctgl_scene_timing;

/* Seconds of each frame, from directions around the volume; in a context of its own, which is current in no thread
 * thereafter. device: the driver's name for what draws, cut to size. CT_ERROR_UNSUPPORTED where there is no OpenGL. */
bool ctgl_scene_time(const ctgl_scene_timing *timing, double *seconds, char *device, size_t size, ct_error **error);

#endif
