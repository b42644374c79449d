/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels and projectors of a graphics device need, for the lists of both. */
#ifndef GANTRY_CLI_DEVICE_NEEDS_H
#define GANTRY_CLI_DEVICE_NEEDS_H

#include <jansson.h>

/* Appends "graphics device with OpenGL 4.3" and the extensions that the kernel or projector needs. */
void cli_append_device_needs(json_t *list, const char *id);
/* A line that says what it needs that this run has not, and which device of this machine serves when it is named. */
void cli_print_device_needs(const char *id);

#endif
