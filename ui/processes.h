/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window of a reconstruction with several processes: how many, the command that starts them, the file of the
 * volume. It shows what it is told and says what the user asks for; it runs nothing. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_PROCESSES_WINDOW (gantry_processes_window_get_type())
G_DECLARE_FINAL_TYPE(GantryProcessesWindow, gantry_processes_window, GANTRY, PROCESSES_WINDOW, AdwWindow)

/* Signals: "changed": a number, the command or the file is another; "begin"; "cancel"; "open": the volume is to be
 * opened. The numbers and the command are those of the settings. It hides when it is closed. */
GtkWidget *gantry_processes_window_new(GtkWindow *parent, GSettings *settings);
/* The file of the volume (borrowed, NULL: none yet); setting it says no "changed". */
const char *gantry_processes_window_get_path(GantryProcessesWindow *self);
void gantry_processes_window_set_path(GantryProcessesWindow *self, const char *path);
/* The command as it will be run, NULL: it cannot be; and why nothing can be begun, NULL: it can. */
void gantry_processes_window_set_line(GantryProcessesWindow *self, const char *line, const char *problem);
/* While it runs nothing can be changed. */
void gantry_processes_window_set_running(GantryProcessesWindow *self, gboolean running);
/* How far it is, in words and as a part of the whole, below 0: unknown. */
void gantry_processes_window_set_stand(GantryProcessesWindow *self, const char *words, double part);
/* What came of it, NULL: nothing yet; and whether the volume can be opened. */
void gantry_processes_window_set_outcome(GantryProcessesWindow *self, const char *words, gboolean made);

G_END_DECLS
