/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of the processor joined with those of a graphics device, and that device's projectors. Knows no GLib: the
 * command line uses it, too. */
#ifndef GANTRY_KERNEL_TABLE_H
#define GANTRY_KERNEL_TABLE_H

#include "recon/bp/kernel.h"

typedef struct gantry_kernel_table gantry_kernel_table;

/* device, as in a plan: "none"; "auto" (or NULL), the first card, none where there is only a software device or
 * nothing; else a device's name, an error where it is not here. */
gantry_kernel_table *gantry_kernel_table_new(const char *device, ct_error **error);
/* After everything that was given its table. */
void gantry_kernel_table_free(gantry_kernel_table *table);
/* Why the settings kept for the device (app/tuning-file.h) were not taken; NULL when they were, or there are none. */
const char *gantry_kernel_table_get_note(const gantry_kernel_table *table);
const ct_bp_table *gantry_kernel_table_get(const gantry_kernel_table *table);

#endif
