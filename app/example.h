/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in example that the window's start page offers: the simulation of standard values. Plain C: the command
 * line knows no GLib. */
#ifndef GANTRY_EXAMPLE_H
#define GANTRY_EXAMPLE_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/data/volume.h"
#include "recon/phantom/simulation.h"

/* What the built-in example will be, before it is simulated: facts without frames, for estimates. */
ct_scan *gantry_example_outline(ct_error **error);
/* The built-in example. */
ct_scan *gantry_example_scan(ct_job *job, ct_error **error);
/* The scan of a path with its description (NULL: the one beside it), or of the word "example" the built-in one. */
ct_scan *gantry_open_scan(const char *path, const char *description, ct_job *job, ct_error **error);

#endif
