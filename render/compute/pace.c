/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much work one dispatch may carry, learned from fences. */
#include "render/compute/pace-private.h"

#include "recon/base/machine.h"

/* The first dispatch, before anything is known. */
enum { FIRST_UNITS = 1 };

int ctgl_pace_next(const ctgl_pace *pace, int left) {
  const double fit = pace->per_unit > 0 ? CTGL_DISPATCH_SECONDS / pace->per_unit : FIRST_UNITS;
  const int units = fit < 1 ? 1 : fit < left ? (int)fit : left;
  return units < 1 ? 1 : units;
}

static bool await(ctgl_pace *pace) {
  if (!pace->pending) return true;
  if (!ctgl_device_await(pace->device, &pace->pending)) return false;
  const double now = ct_now(), each = (now - pace->last_end) / pace->pending_units;
  /* Slow to believe that work became cheaper, quick to believe that it became dearer. */
  if (pace->last_end > 0) pace->per_unit = each > pace->per_unit ? each : 0.75 * pace->per_unit + 0.25 * each;
  pace->last_end = now;
  return true;
}

bool ctgl_pace_sent(ctgl_pace *pace, int units) {
  if (!pace->pending && pace->last_end <= 0) pace->last_end = ct_now();
  const GLsync sent = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  const bool answered = await(pace);
  pace->pending = sent;
  pace->pending_units = units;
  return answered;
}

bool ctgl_pace_drain(ctgl_pace *pace) {
  const bool answered = await(pace);
  pace->last_end = 0;
  return answered;
}
