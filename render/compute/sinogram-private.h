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
  int per_layer, oversample; /* slices of a layer; samples a bin */
  int whole;                 /* samples across, of which a window of `width` is made at a time */
  int width, views, layers;  /* texels */
  GLuint texture, rows, program;
  GLenum format;
} ctgl_sinogram;

/* Samples across, in all. Oversampled they begin one bin before the first. */
int ctgl_sinogram_width(const ct_bp_request *request);
/* Bytes of sinograms `width` samples wide, for so many slices. */
double ctgl_sinogram_bytes(const ct_bp_request *request, int width, int per_layer, int slices);
/* While entered. `per_layer` slices a layer, for tiles of up to `slices`. */
bool ctgl_sinogram_init(ctgl_sinogram *sinogram, const ct_bp_request *request, int width, int per_layer, int slices,
                        bool linear, ct_error **error);
void ctgl_sinogram_clear(ctgl_sinogram *sinogram);
typedef struct ctgl_sinogram_part {
  const ctgl_views *views; /* in a buffer: views-private.h */
  const int *starts;       /* [count] first sample of each view's sinogram */
  int count;               /* the first so many views */
  int k, slices;           /* slices k .. k + slices - 1 */
} ctgl_sinogram_part;

/* Makes the sinograms of a part, with zeros where a view has no sample; not all of them after a cancel. */
bool ctgl_sinogram_make(ctgl_sinogram *sinogram, const ct_bp_request *request, const ctgl_sinogram_part *part,
                        ctgl_pace *pace, const ct_job *job, ct_error **error);

#endif
