/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processor joined with a graphics device: kernels of both, and that device's projectors. Knows no GLib: the
 * command line uses it, too. */
#ifndef GANTRY_BACKEND_H
#define GANTRY_BACKEND_H

#include "recon/solve/backend.h"

typedef struct gantry_backend gantry_backend;

/* device, as in a plan: "none"; "auto" (or NULL), the first card, none where there is only a software device or
 * nothing; "all", all cards together; else a device's name, or names joined by " + ", an error where one is not here.
 */
gantry_backend *gantry_backend_new(const char *device, ct_error **error);
/* The same for the `number`-th of `of` processes on this machine: they take the cards, or those of that name, in turn.
 */
gantry_backend *gantry_backend_new_in_turn(const char *device, int number, int of, ct_error **error);
/* After everything that was given what it holds. */
void gantry_backend_free(gantry_backend *backend);
/* Why the settings kept for the device (app/tuning-file.h) were not taken; NULL when they were, or there are none. */
const char *gantry_backend_get_note(const gantry_backend *backend);
const ct_backend *gantry_backend_get(const gantry_backend *backend);

#endif
