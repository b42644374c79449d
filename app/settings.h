/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The preferences, wherever their schema is: beside the program (build folder), installed, or built in. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Never NULL and never aborts. When no schema is found on disk the built-in one is used, so that the program runs with
 * defaults. */
GSettings *gantry_settings_new(void);

G_END_DECLS
