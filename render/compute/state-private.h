/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the families of kernels (cone.c, parallel.c) share: the state's common part, and the functions of the contract
 * around what is a family's own. */
#ifndef CTGL_COMPUTE_STATE_PRIVATE_H
#define CTGL_COMPUTE_STATE_PRIVATE_H

#include "recon/bp/kernel.h"
#include "render/compute/pace-private.h"
#include "render/compute/tiles-private.h"
#include "render/compute/views-private.h"

/* All while the device is entered. */
typedef struct ctgl_family {
  /* Makes the program and whatever lies in graphics memory, tiles and views as large as ctgl_state_limit and
   * ctgl_state_slots allow. What it made until a failure is cleared. */
  bool (*set_up)(ct_bp_state *state, ct_error **error);
  /* Adds a batch. False with an error, or without when ctgl_device_check reports it. */
  bool (*run)(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error);
  /* Deletes what is the family's own. */
  void (*clear)(ct_bp_state *state);
} ctgl_family;

/* The first member of a family's state. */
struct ct_bp_state {
  const ctgl_family *family;
  ct_bp_request request;
  int shrunk; /* how often the memory was too small: tiles and groups of views are halved each time */
  ctgl_tiles tiles;
  ctgl_views views;
  ctgl_pace pace;
  GLuint program;
};

/* For set_up: bytes that tiles of up to `slices` slices (0: any) may take, of the `limit` that would do with memory
 * enough (0: no limit), and views at a time, of `slots`, a multiple of `group`. */
double ctgl_state_limit(const ct_bp_state *state, double limit, int slices);
int ctgl_state_slots(const ct_bp_state *state, int slots, int group);

/* Takes `state` (allocated with zeros, what is the family's own filled in) and sets it up, in smaller and smaller
 * pieces while the memory is too small. */
ct_bp_state *ctgl_state_prepare(ct_bp_state *state, const ctgl_family *family, const ct_bp_request *request,
                                ct_error **error);

/* Whether the rest of the batch is left out. */
bool ctgl_batch_ends(const ct_bp_batch *batch, const ct_job *job);

/* The contract's functions (recon/bp/kernel.h). */
bool ctgl_state_run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error);
bool ctgl_state_finish(ct_bp_state *state, ct_volume *volume, ct_error **error);
bool ctgl_state_read_plane(ct_bp_state *state, const ct_volume *volume, ct_plane plane, int index, float *out,
                           ct_error **error);
bool ctgl_state_read_oblique(ct_bp_state *state, const ct_volume *volume, const ct_oblique *oblique, float *out,
                             ct_error **error);
/* The last run's dispatches, done; with what went wrong meanwhile. */
bool ctgl_state_wait(ct_bp_state *state, ct_error **error);
void ctgl_state_free(ct_bp_state *state);

#endif
