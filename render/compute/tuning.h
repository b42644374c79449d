/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the settings of the tuned kernels (gl-tuned, gl-tuned-parallel) for a device by trying, and keeping them as text.
 * The idea of a search instead of tables per card: Chilingaryan et al. (2019), section 6.9. */
#ifndef CTGL_COMPUTE_TUNING_H
#define CTGL_COMPUTE_TUNING_H

#include "recon/base/job.h"
#include "render/compute/device.h"

typedef struct ctgl_tuning_step {
  const char *kernel;  /* "gl-tuned" */
  const char *problem; /* what it is tried on: "cone beam", "parallel beam, 2 slices at a time" */
  const char *setting; /* "views 32, voxels 4, block_x 16, ..." */
  double gups;         /* of this setting; 0: the device refuses it */
  double best;         /* of this problem so far */
} ctgl_tuning_step;

typedef struct ctgl_tuning_watcher {
  void *user;
  void (*tell)(void *user, const ctgl_tuning_step *step);
} ctgl_tuning_watcher;

/* Changes one number of a setting at a time and keeps what is faster, until no change helps. `edge`: voxels along the
 * sides of the trial volumes; 0: 512 on a card, 32 in software. The watcher (may be NULL) hears of every trial, in this
 * thread. Stage CT_STAGE_TUNING, units: trials, of which there may be fewer than its total: those left out count as done.
 * A cancel keeps what was there before. */
bool ctgl_device_tune(ct_bp_device *device, int edge, const ctgl_tuning_watcher *watcher, ct_job *job, ct_error **error);

/* The device's settings as text (ct_free), with its name and driver; and back: false when the text is not for this
 * device and driver, or damaged, and then nothing has changed. */
char *ctgl_device_save_tuning(ct_bp_device *device, ct_error **error);
bool ctgl_device_load_tuning(ct_bp_device *device, const char *text, ct_error **error);
/* Whether the settings were measured on it. */
bool ctgl_device_is_tuned(ct_bp_device *device);

/* GUPS that the settings reached on the trial volumes; 0: not measured. */
typedef struct ctgl_tuning_rates {
  double cone, parallel; /* gl-tuned; gl-tuned-parallel with as many slices at a time as were fastest */
} ctgl_tuning_rates;
/* Those of a text that was saved, without opening the device. Fails as loading it does. */
bool ctgl_read_tuning_rates(const ctgl_device_facts *facts, const char *text, ctgl_tuning_rates *rates, ct_error **error);

#endif
