/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projections and matrices on the graphics card: a number of slots, each one view, as layers of an array texture or in
 * a storage buffer with a border of zeros. */
#ifndef CTGL_COMPUTE_VIEWS_PRIVATE_H
#define CTGL_COMPUTE_VIEWS_PRIVATE_H

#include "recon/bp/kernel.h"
#include "render/compute/device-private.h"
#include "render/compute/filter-private.h"

/* Views whose matrices a uniform block holds: four vec4 each: the rows of the 3x4 matrix, and the voxel it counts from.
 */
#define CTGL_MATRICES 64

/* Pixels [v][u], or in a buffer also [u][v]. */
typedef enum { CTGL_VIEWS_TEXTURE, CTGL_VIEWS_BUFFER, CTGL_VIEWS_COLUMNS } ctgl_views_kind;

typedef struct ctgl_views {
  ct_bp_device *device;
  ctgl_views_kind kind;
  int nu, nv, slots;
  GLenum format;    /* GL_R32F or GL_R16F; of textures */
  bool half;        /* they, or what is made of them, are stored in half precision, */
  float scale;      /* times this power of two; 1 in single precision */
  uint16_t *halves; /* [nv][nu], on their way to a texture */
  /* Where a projection is larger than a texture, a slot is `across` x `down` layers, each a strip of `width` x `height`
   * pixels. Strip (x, y) begins at pixel (x step_u, y step_v), the last ones as far before the end as they are large;
   * neighbours share a pixel at least, so that every position lies between two pixels of one strip. */
  int across, down, width, height, step_u, step_v;
  GLuint object; /* texture or buffer */
  GLuint matrices;
  ctgl_filter filter; /* of projections that come unfiltered */
} ctgl_views;

/* Slots that a request can use on this device, a multiple of `group`, at most CTGL_MATRICES. */
int ctgl_views_slots(const ct_bp_device *device, const ct_bp_request *request, ctgl_views_kind kind, int group);
double ctgl_views_bytes(const ct_bp_request *request, int slots);
/* Whether a slot fits a buffer, or `group` slots the layers of a texture: false with the reason. */
bool ctgl_views_accepts(const ct_bp_request *request, ctgl_views_kind kind, int group, ct_error **error);
/* Whether a projection is larger than a texture, so that shaders have to look for the strip. */
bool ctgl_views_has_strips(const ct_bp_request *request);

bool ctgl_views_init(ctgl_views *views, const ct_bp_request *request, ctgl_views_kind kind, int slots,
                     ct_error **error);
void ctgl_views_clear(ctgl_views *views);

/* Projections [nv][nu], which are all that the next sums are made of, into the slots 0 .. count - 1: of a texture in
 * half precision rounded to nearest here, since drivers may cut; of a buffer as they are. Those that come unfiltered
 * are filtered on the way; not all of them after a cancel. */
bool ctgl_views_send(ctgl_views *views, const float *const *projections, int count, ctgl_pace *pace, const ct_job *job,
                     ct_error **error);
/* One in the format of the texture already, from memory or the bound pixel buffer. */
void ctgl_views_upload_stored(const ctgl_views *views, int slot, const void *projection);
/* Bytes of a pixel in a texture. */
size_t ctgl_views_pixel(const ctgl_views *views);
/* Binds the projections (texture unit or storage binding) and, to uniform binding 0, the matrices of the batch's views
 * first .. first + count - 1 in voxel indices of a tile that begins at (0, j, k), up to `padded` filled with views that
 * see nothing. Detector positions are relative to its middle (ctgl_views_middle), which keeps them small and exact. */
void ctgl_views_bind(ctgl_views *views, const ct_bp_request *request, const int *indices, int count, int padded, int j,
                     int k, GLuint binding);
void ctgl_views_middle(const ctgl_views *views, float middle[2]);

#endif
