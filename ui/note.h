/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on a page that says what its pictures are of, where they could be taken for something else. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Hidden until it has words. */
GtkLabel *gantry_note_new(void);
/* NULL: none. What has no room is in the tooltip. */
void gantry_note_set(GtkLabel *note, const char *words);

G_END_DECLS
