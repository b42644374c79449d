/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting up in the memory there is, running, reading back and freeing, for every family of kernels. */
#include "render/compute/state-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"

#include <math.h>

/* Halvings after which memory counts as too small for anything. */
enum { MOST_SHRINKS = 10 };

double ctgl_state_limit(const ct_bp_state *state, double limit, int slices) {
  if (!state->shrunk) return limit;
  return ldexp(ctgl_tiles_bytes(state->request.device, &state->request.grid, limit, slices), -state->shrunk);
}

int ctgl_state_slots(const ct_bp_state *state, int slots, int group) {
  const int fewer = (slots >> state->shrunk) / group * group;
  return fewer > group ? fewer : group;
}

static void clear(ct_bp_state *state) {
  ctgl_pace_drain(&state->pace);
  state->family->clear(state);
  ctgl_views_clear(&state->views);
  ctgl_tiles_clear(&state->tiles);
}

static bool set_up(ct_bp_state *state, ct_error **error) {
  for (;; state->shrunk++) {
    ct_error *fault = NULL;
    if (state->family->set_up(state, &fault) && ctgl_device_check(state->request.device, "the back-projection", &fault))
      return true;
    clear(state);
    if (fault->code != CT_ERROR_MEMORY || state->shrunk == MOST_SHRINKS) {
      ct_error_set(error, fault->code, "%s", fault->message);
      ct_error_clear(&fault);
      return false;
    }
    ct_error_clear(&fault);
    ctgl_device_forget(state->request.device);
  }
}

ct_bp_state *ctgl_state_prepare(ct_bp_state *state, const ctgl_family *family, const ct_bp_request *request,
                                ct_error **error) {
  state->family = family;
  state->request = *request;
  state->pace.device = request->device;
  if (ctgl_device_enter(request->device, error)) {
    const bool good = set_up(state, error);
    if (ctgl_device_leave(request->device, good, "preparing the back-projection", error)) return state;
    if (good) {
      ctgl_state_free(state);
      return NULL;
    }
  }
  ct_free(state);
  return NULL;
}

bool ctgl_batch_ends(const ct_bp_batch *batch, const ct_job *job) {
  return batch->added && ct_job_requested(job) == CT_JOB_FINISH_EARLY;
}

bool ctgl_state_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  if (ct_bp_stopped(job)) return ct_bp_conclude(job, error);
  if (!ctgl_device_enter(state->request.device, error)) return false;
  const bool good = state->family->run(state, batch, volume, job, error);
  /* Tiles on their way are added to the volume, which is the caller's again. Else the card may go on. */
  ctgl_tiles_settle(&state->tiles);
  ctgl_pace_rest(&state->pace);
  return ctgl_device_leave(state->request.device, good, "back-projecting", error) && ct_bp_conclude(job, error);
}

bool ctgl_state_finish(ct_bp_state *state, ct_volume *volume, ct_error **error) {
  if (!ctgl_device_enter(state->request.device, error)) return false;
  const bool good = ctgl_pace_drain(&state->pace) && ctgl_tiles_finish(&state->tiles, volume, error);
  return ctgl_device_leave(state->request.device, good, "reading the volume back", error);
}

bool ctgl_state_read_plane(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                           ct_error **error) {
  ct_volume_copy_plane(volume, plane, index, out);
  if (!ctgl_device_enter(state->request.device, error)) return false;
  const bool good = ctgl_pace_drain(&state->pace) && ctgl_tiles_add_plane(&state->tiles, plane, index, out, error);
  return ctgl_device_leave(state->request.device, good, "reading a plane back", error);
}

bool ctgl_state_read_oblique(ct_bp_state *state, const ct_volume *volume, const ct_oblique *oblique, float *out,
                             ct_error **error) {
  ct_volume_copy_oblique(volume, oblique, out);
  if (!ctgl_device_enter(state->request.device, error)) return false;
  const bool good = ctgl_pace_drain(&state->pace) && ctgl_tiles_add_oblique(&state->tiles, oblique, out, error);
  return ctgl_device_leave(state->request.device, good, "reading a plane back", error);
}

bool ctgl_state_wait(ct_bp_state *state, ct_error **error) {
  if (!ctgl_device_enter(state->request.device, error)) return false;
  return ctgl_device_leave(state->request.device, ctgl_pace_drain(&state->pace), "back-projecting", error);
}

void ctgl_state_free(ct_bp_state *state) {
  if (!state) return;
  if (ctgl_device_enter_to_delete(state->request.device)) {
    clear(state);
    ctgl_device_leave(state->request.device, true, "freeing graphics memory", NULL);
  } else {
    ctgl_tiles_forget(&state->tiles);
  }
  ct_free(state);
}
