/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much work one dispatch may carry, learned from fences. */
#include "render/compute/pace-private.h"

#include "recon/base/machine.h"

#include <math.h>

static double now(const ctgl_pace *pace) {
  return pace->clock ? pace->clock() : ct_now();
}

/* Adapts at once to slower work, slowly to faster work: a dispatch carries twice as much as
 * the one before at most, from a single unit on. */
static void learn(ctgl_pace *pace, double each) {
  double *per_unit = &pace->per_unit[pace->pending_work];
  *per_unit = fmax(each, (*per_unit > 0 ? *per_unit : CTGL_DISPATCH_SECONDS) / 2);
}

static bool await(ctgl_pace *pace) {
  if (!pace->pending) return !pace->lost;
  if (!ctgl_device_await(pace->device, &pace->pending)) pace->lost = true;
  if (pace->lost) return false;
  const double end = now(pace);
  if (pace->last_end > 0) learn(pace, (end - pace->last_end) / pace->pending_units);
  pace->last_end = end;
  return true;
}

static bool is_done(const ctgl_pace *pace) {
  GLint status = GL_UNSIGNALED;
  glGetSynciv(pace->pending, GL_SYNC_STATUS, 1, NULL, &status);
  return status == GL_SIGNALED;
}

int ctgl_pace_next(ctgl_pace *pace, int left) {
  /* The time begins before the dispatch: drivers of software devices do the work within the call. */
  if (pace->pending && is_done(pace)) await(pace);
  if (!pace->pending && pace->last_end <= 0) pace->last_end = now(pace);
  const double per_unit = pace->per_unit[pace->work], fit = per_unit > 0 ? CTGL_DISPATCH_SECONDS / per_unit : 1;
  return fit < 1 ? 1 : fit < left ? (int)fit : left;
}

bool ctgl_pace_sent(ctgl_pace *pace, int units) {
  const GLsync sent = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  const bool answered = await(pace);
  pace->pending = sent;
  pace->pending_work = pace->work;
  pace->pending_units = units;
  return answered;
}

void ctgl_pace_rest(ctgl_pace *pace) {
  pace->last_end = 0;
}

bool ctgl_pace_drain(ctgl_pace *pace) {
  const bool answered = await(pace);
  pace->last_end = 0;
  return answered;
}

bool ctgl_boxes_next(ctgl_boxes *b, ctgl_pace *pace) {
  const int row = b->across, layer = row * b->down, left = layer * b->layers - b->done;
  if (left <= 0) return false;
  const int fit = ctgl_pace_next(pace, left), within = b->done % layer, x = within % row;
  b->x = x, b->y = within / row, b->z = b->done / layer;
  b->nx = (GLuint)row, b->ny = (GLuint)b->down, b->nz = 1;
  if (!within && fit >= layer)
    b->nz = (GLuint)(fit / layer);
  else if (!x && fit >= row)
    b->ny = (GLuint)(fit / row < b->down - b->y ? fit / row : b->down - b->y);
  else
    b->nx = (GLuint)(fit < row - x ? fit : row - x), b->ny = 1;
  return true;
}

bool ctgl_boxes_send(ctgl_boxes *b, ctgl_pace *pace) {
  const int groups = (int)(b->nx * b->ny * b->nz);
  ctgl_meter *meter = pace->work == CTGL_WORK_MAKING_READY ? NULL : ctgl_device_meter(pace->device);
  if (meter) ctgl_meter_begin(meter, pace->work == CTGL_WORK_FILTERING ? CTGL_METER_FILTERING : CTGL_METER_ADDING);
  glDispatchCompute(b->nx, b->ny, b->nz);
  if (meter) ctgl_meter_end(meter);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  b->done += groups;
  return ctgl_pace_sent(pace, groups);
}
