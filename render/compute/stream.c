/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Double-buffered uploads through a persistently mapped pixel buffer that another thread fills. */
#include "render/compute/stream-private.h"

#include "recon/bp/layout/half.h"

#include <math.h>
#include <string.h>

bool ctgl_stream_init(ctgl_stream *stream, ct_bp_device *device, const ctgl_views *views, ct_error **error) {
  *stream = (ctgl_stream){.device = device,
                          .slots = views->slots,
                          .view = (size_t)views->nu * (size_t)views->nv,
                          .pixel = ctgl_views_pixel(views)};
  const size_t half = stream->view * stream->pixel * (size_t)stream->slots, bytes = 2 * half;
  const GLbitfield how = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glGenBuffers(1, &stream->buffer);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, stream->buffer);
  glBufferStorage(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, NULL, how);
  char *mapped = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)bytes, how);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  for (int n = 0; n < 2; n++) stream->halves[n].to = mapped ? mapped + (size_t)n * half : NULL;
  const char *what = "the buffer of projections on their way";
  return mapped ? ctgl_device_check(device, what, error) : ctgl_device_refuse(device, what, error);
}

static void await_filler(ctgl_stream_half *half) {
  if (half->filling) pthread_join(half->filler, NULL);
  half->filling = false;
}

void ctgl_stream_settle(ctgl_stream *stream) {
  for (int n = 0; n < 2; n++) await_filler(&stream->halves[n]);
}

void ctgl_stream_clear(ctgl_stream *stream) {
  for (int n = 0; n < 2; n++) {
    await_filler(&stream->halves[n]);
    ctgl_device_await(stream->device, &stream->halves[n].taken);
  }
  /* Deleting a mapped buffer unmaps it. */
  if (stream->buffer) glDeleteBuffers(1, &stream->buffer);
  *stream = (ctgl_stream){0};
}

static void *fill(void *user) {
  ctgl_stream_half *half = user;
  const bool halves = half->pixel == sizeof(uint16_t);
  float most = 0;
  for (int n = 0; halves && n < half->count; n++)
    most = fmaxf(most, ct_half_magnitude(half->projections[n], half->view));
  half->scale = halves ? ct_half_scale(most) : 1;
  for (int n = 0; n < half->count; n++) {
    void *to = half->to + (size_t)n * half->view * half->pixel;
    if (halves)
      ct_halves_from_floats(half->projections[n], half->view, half->scale, to);
    else
      memcpy(to, half->projections[n], half->view * sizeof(float));
  }
  return NULL;
}

bool ctgl_stream_fill(ctgl_stream *stream, int which, const float *const *projections, int count) {
  ctgl_stream_half *half = &stream->halves[which];
  if (!ctgl_device_await(stream->device, &half->taken)) return false;
  half->projections = projections, half->count = count;
  half->view = stream->view, half->pixel = stream->pixel;
  half->filling = !pthread_create(&half->filler, NULL, fill, half);
  if (!half->filling) fill(half);
  return true;
}

void ctgl_stream_upload(ctgl_stream *stream, int which, ctgl_views *views) {
  ctgl_stream_half *half = &stream->halves[which];
  await_filler(half);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, stream->buffer);
  const size_t view = stream->view * stream->pixel, start = (size_t)which * view * (size_t)stream->slots;
  for (int n = 0; n < half->count; n++) ctgl_views_upload_stored(views, n, (const void *)(start + (size_t)n * view));
  views->scale = half->scale;
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  half->taken = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}
