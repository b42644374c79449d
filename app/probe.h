/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the responsiveness of the main loop for the bench: with GANTRY_TEST_LOG=FILE in the environment the gaps
 * between ticks of a 60 Hz timer and named intervals are appended to that file, one "NAME SECONDS" per line. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GantryProbe GantryProbe;

/* NULL without the variable, or when the file cannot be opened; every function takes NULL. */
GantryProbe *gantry_probe_new(void);
void gantry_probe_free(GantryProbe *probe);
/* An interval begins; ends (written once); a tick's statistics begin and are written under a name. */
void gantry_probe_begin(GantryProbe *probe, const char *name);
void gantry_probe_end(GantryProbe *probe, const char *name);
void gantry_probe_begin_ticks(GantryProbe *probe);
void gantry_probe_end_ticks(GantryProbe *probe, const char *name);

G_END_DECLS
