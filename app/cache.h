/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's cache folder, where what was found about this machine is kept from one run of the program to the next.
 * Knows no GLib: the command line uses it, too. */
#ifndef GANTRY_CACHE_H
#define GANTRY_CACHE_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* $XDG_CACHE_HOME/gantry, else ~/.cache/gantry; ct_free. what, for a message: "a graphics device's settings". */
char *gantry_cache_folder(const char *what, ct_error **error);
/* A file there, "PREFIX-0123456789abcdef.SUFFIX", the digits a digest of the texts; ct_free. */
char *gantry_cache_path(const char *prefix, const char *const texts[], size_t count, const char *suffix,
                        const char *what, ct_error **error);
/* Makes the folder and those above it, which a new account may lack. */
bool gantry_cache_make(const char *what, ct_error **error);

#endif
