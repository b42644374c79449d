/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dialogs that ask for a file or a folder. Owns the one that is open: there is one at a time, for all objects of
 * the session. Who begins a dialog connects to its answer and ends it there. */
#pragma once

#include "app/session/context.h"

G_BEGIN_DECLS

typedef struct _GantryDialogs GantryDialogs;
GantryDialogs *gantry_dialogs_new(GantryContext *context);
void gantry_dialogs_free(GantryDialogs *self);
/* The window goes: the dialog with it. */
void gantry_dialogs_close(GantryDialogs *self);
gboolean gantry_dialogs_is_open(GantryDialogs *self);

/* accept: the label of its button; response(dialog, int, owner). Nothing is shown yet. */
GtkFileChooser *gantry_dialogs_begin(GantryDialogs *self, const char *title, GtkFileChooserAction action,
                                     const char *accept, GCallback response, gpointer owner);
/* The first is chosen. extensions: "tif tiff", in small or capital letters; NULL: any file. */
void gantry_dialogs_add_filter(GantryDialogs *self, const char *name, const char *extensions);
void gantry_dialogs_show(GantryDialogs *self);

/* What was chosen (g_object_unref); NULL where nothing was, or the window is gone. */
GFile *gantry_dialogs_end(GantryDialogs *self, GtkNativeDialog *dialog, int response);
/* The local path of it (g_free); NULL also where it has none, which is said. */
char *gantry_dialogs_end_with_path(GantryDialogs *self, GtkNativeDialog *dialog, int response);

G_END_DECLS
