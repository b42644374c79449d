/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the settings of the tuned kernels (gl-tuned, gl-tuned-parallel) for a device by trying, and keeping them as
 * text. The idea of a search instead of tables per card: Chilingaryan et al. (2019), section 6.9. */
#ifndef CTGL_COMPUTE_TUNING_H
#define CTGL_COMPUTE_TUNING_H

#include "recon/base/job.h"
#include "recon/bp/kernel.h"
#include "render/compute/device.h"

typedef struct ctgl_tuning_step {
  const char *kernel;  /* "gl-tuned" */
  const char *problem; /* what it is tried on: "cone beam, linear", "parallel beam, 2 slices at a time, nearest" */
  const char *setting; /* "views 32, voxels 4, block_x 16, ..." */
  double gups;         /* of this setting; 0: the device refuses it */
  double best;         /* of this problem so far */
} ctgl_tuning_step;

typedef struct ctgl_tuning_watcher {
  void *user;
  void (*tell)(void *user, const ctgl_tuning_step *step);
} ctgl_tuning_watcher;

/* Changes one number of a setting at a time and keeps what is faster, until no change helps; for linear interpolation
 * in single precision, from there for half precision and for the nearest pixel, and for four samples a pixel. `edge`:
 * voxels along the sides of the trial volumes; 0: 512 on a card, 16 in software. The watcher (may be NULL) hears of
 * every trial, in this thread. Stage CT_STAGE_TUNING, units: trials, of which there may be fewer than its total: those
 * left out count as done. A cancel keeps what was there before. */
bool ctgl_device_tune(ct_bp_device *device, int edge, const ctgl_tuning_watcher *watcher, ct_job *job,
                      ct_error **error);

/* The device's settings as text (ct_free), with its name and driver; and back: false when the text is not for this
 * device and driver, or damaged, and then nothing has changed. */
char *ctgl_device_save_tuning(ct_bp_device *device, ct_error **error);
bool ctgl_device_load_tuning(ct_bp_device *device, const char *text, ct_error **error);
/* Turns knobs of the tuned kernels by hand, "views=16,voxels=4,block=16x32,sync=yes", for all requests until the device
 * is freed. CT_ERROR_ARGUMENT with the range of a knob, or all knobs there are, and then nothing has changed. */
bool ctgl_device_turn_knobs(ct_bp_device *device, const char *list, ct_error **error);
/* All knobs there are with their ranges. */
enum { CTGL_KNOBS_TEXT = 2048 };
void ctgl_knobs_list(char *text, size_t size);
/* The setting that a tuned kernel has for a request: "views 32, voxels 4, ..."; false: the kernel is none of them. */
bool ctgl_device_tell_setting(ct_bp_device *device, const char *kernel, const ct_bp_request *request, char *text,
                              size_t size);
/* Whether the settings were measured on it. */
bool ctgl_device_is_tuned(ct_bp_device *device);

/* GUPS that the settings reached on the trial volumes; 0: not measured. */
typedef struct ctgl_tuning_rates {
  double cone, parallel; /* linear in single precision: gl-tuned; gl-tuned-parallel with as many slices at a time as
                            were fastest */
} ctgl_tuning_rates;
/* Those of a text that was saved, without opening the device. Fails as loading it does. */
bool ctgl_read_tuning_rates(const ctgl_device_facts *facts, const char *text, ctgl_tuning_rates *rates,
                            ct_error **error);

#endif
