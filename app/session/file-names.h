/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files that are proposed or made by themselves. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Letters and digits of a name, the others as hyphens: "half, every 2nd view" becomes "half-every-2nd-view" (g_free).
 */
char *gantry_file_part(const char *name);
/* A name without its last extension: "bell" of "bell.h5" (g_free). */
char *gantry_file_stem(const char *name);

G_END_DECLS
