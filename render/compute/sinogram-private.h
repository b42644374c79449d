/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compound sinograms of a tile's slices: an array texture, bins across, views down, a layer for every 1, 2 or 4 slices.
 */
#ifndef CTGL_COMPUTE_SINOGRAM_PRIVATE_H
#define CTGL_COMPUTE_SINOGRAM_PRIVATE_H

#include "render/compute/pace-private.h"
#include "render/compute/views-private.h"

/* Samples a bin of the oversampled form. */
#define CTGL_OVERSAMPLE 4

typedef struct ctgl_sinogram {
  int slices, oversample;   /* of a layer; samples a bin */
  int whole;                /* samples across, of which a window of `width` is made at a time */
  int width, views, layers; /* texels */
  GLuint texture, rows, program;
  GLenum format;
} ctgl_sinogram;

/* Samples across, in all. Oversampled they begin one bin before the first. */
int ctgl_sinogram_width(const ct_bp_request *request);
/* Of windows `width` samples wide, with layers for so many slices. */
double ctgl_sinogram_bytes(const ct_bp_request *request, int width, int slices, int levels);
/* While entered. `slices` a layer, for tiles of up to `levels` levels. */
bool ctgl_sinogram_init(ctgl_sinogram *sinogram, const ct_bp_request *request, int width, int slices, int levels,
                        bool linear, ct_error **error);
void ctgl_sinogram_clear(ctgl_sinogram *sinogram);
/* Makes the sinograms of levels k .. k + levels - 1 from the first `count` views (a buffer, see views-private.h), each
 * from its sample starts[view] on, with zeros where there is none; not all of them after a cancel. */
bool ctgl_sinogram_make(ctgl_sinogram *sinogram, const ct_bp_request *request, const ctgl_views *views,
                        const int *starts, int count, int k, int levels, ctgl_pace *pace, const ct_job *job,
                        ct_error **error);

#endif
