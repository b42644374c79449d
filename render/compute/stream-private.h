/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projections on their way to the card: two halves of a pixel buffer that stays mapped; a thread copies the next views
 * into one while the card takes the others from the other one (RapidRabbit, Papenhausen and Mueller 2013). */
#ifndef CTGL_COMPUTE_STREAM_PRIVATE_H
#define CTGL_COMPUTE_STREAM_PRIVATE_H

#include "render/compute/views-private.h"

#include <pthread.h>

typedef struct ctgl_stream_half {
  GLsync taken; /* the card has read it */
  pthread_t filler;
  bool filling;
  const float *const *projections;
  int count;
  char *to;
  size_t view, pixel; /* pixels, bytes of one */
  float scale;        /* of those in half precision; 1: of others */
} ctgl_stream_half;

typedef struct ctgl_stream {
  ct_bp_device *device;
  GLuint buffer;
  int slots;          /* views of a half */
  size_t view, pixel; /* pixels, bytes of one */
  ctgl_stream_half halves[2];
} ctgl_stream;

/* While entered; needs ctgl_device_facts.persistent_map. */
bool ctgl_stream_init(ctgl_stream *stream, ct_bp_device *device, const ctgl_views *views, ct_error **error);
void ctgl_stream_clear(ctgl_stream *stream);
/* Begins to copy `count` projections into half `half`; they have to stay until ctgl_stream_upload. False when the
 * device was lost. */
bool ctgl_stream_fill(ctgl_stream *stream, int half, const float *const *projections, int count);
/* Waits for the copy and sends it to slots 0 .. count - 1. */
void ctgl_stream_upload(ctgl_stream *stream, int half, ctgl_views *views);
/* Waits for a copy that a cancel left without its upload. */
void ctgl_stream_settle(ctgl_stream *stream);

#endif
