/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings that were found best on a graphics device, kept in the user's cache folder from one run of the program
 * to the next: a file for each device and driver. Knows no GLib: the command line uses it, too. */
#ifndef GANTRY_TUNING_FILE_H
#define GANTRY_TUNING_FILE_H

#include "recon/bp/kernel.h"

/* Where a device's settings lie: $XDG_CACHE_HOME/gantry (else ~/.cache/gantry); ct_free. */
char *gantry_tuning_path(const ct_bp_device *device, ct_error **error);
/* Writes the device's settings, whole or not at all; makes the folder. */
bool gantry_tuning_save(ct_bp_device *device, ct_error **error);
/* Takes the settings kept for the device, if there are any. False with words when the file is damaged or another
 * device's: the device is as it was. */
bool gantry_tuning_load(ct_bp_device *device, ct_error **error);

#endif
