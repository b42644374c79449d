/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ramp on the card: projections that come weighted, but not filtered (ct_bp_request.ramp), are filtered between
 * their upload and the slots that the kernels read (Chilingaryan et al. 2019, section 4). */
#ifndef CTGL_COMPUTE_FILTER_PRIVATE_H
#define CTGL_COMPUTE_FILTER_PRIVATE_H

#include "recon/bp/kernel.h"
#include "render/compute/pace-private.h"

/* Where filtered rows go. */
typedef enum { CTGL_ROWS_TEXTURE, CTGL_ROWS_BUFFER, CTGL_ROWS_COLUMNS } ctgl_rows;

typedef struct ctgl_filter {
  ct_bp_device *device;
  GLuint program; /* 0: projections come filtered */
  GLuint rows;    /* as they come: `views` of nv x nu */
  GLuint table;
  int nu, nv, views;
  ctgl_rows to;
  GLenum format; /* of a texture */
} ctgl_filter;

/* Whether the request's ramp fits the device's shared memory; false with the reason. */
bool ctgl_filter_accepts(const ct_bp_request *request, ct_error **error);
/* While entered: makes the program and the tables for slots of that kind, `format` (GL_R32F or GL_R16F) that of a
 * texture. The request has a ramp. */
bool ctgl_filter_init(ctgl_filter *filter, const ct_bp_request *request, ctgl_rows to, GLenum format, int slots,
                      ct_error **error);
/* Bytes that the filter takes beside the slots. */
double ctgl_filter_bytes(const ct_bp_request *request, int slots);
void ctgl_filter_clear(ctgl_filter *filter);
/* Filters `count` projections into the slots 0 .. count - 1 of the texture or buffer `object`, samples of a texture
 * stored times `scale`; not all of them after a cancel. */
bool ctgl_filter_run(ctgl_filter *filter, const float *const *projections, int count, GLuint object, float scale,
                     ctgl_pace *pace, const ct_job *job);

#endif
