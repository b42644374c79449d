/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings that were found best on a graphics device, kept in the user's cache folder from one run of the program
 * to the next: a file for each device and driver. Knows no GLib: the command line uses it, too. */
#ifndef GANTRY_TUNING_FILE_H
#define GANTRY_TUNING_FILE_H

#include "recon/bp/kernel.h"
#include "render/compute/tuning.h"

#include <time.h>

/* Where a device's settings lie: $XDG_CACHE_HOME/gantry (else ~/.cache/gantry); ct_free. */
char *gantry_tuning_path(const ctgl_device_facts *facts, ct_error **error);
/* Searches the device's best settings (ctgl_device_tune) and keeps them, whole or not at all; makes the folder. After a
 * cancel or a failure the file is as it was. */
bool gantry_tuning_search(ct_bp_device *device, int edge, const ctgl_tuning_watcher *watcher, ct_job *job,
                          ct_error **error);
/* Takes the settings kept for the device, if there are any. False with an error when the file is damaged or another
 * device's: the device is as it was. */
bool gantry_tuning_load(ct_bp_device *device, ct_error **error);

/* What is kept for a device. */
typedef struct gantry_tuning_kept {
  bool there;
  time_t when; /* it was kept */
  ctgl_tuning_rates rates;
} gantry_tuning_kept;
/* Looks without opening the device. False with an error when the file is damaged. */
bool gantry_tuning_look(const ctgl_device_facts *facts, gantry_tuning_kept *kept, ct_error **error);

#endif
