/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window of the queue: several scans or plans, reconstructed one after another into a folder. It shows what it is
 * told and says what the user asks for; it runs nothing. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_QUEUE_WINDOW (gantry_queue_window_get_type())
G_DECLARE_FINAL_TYPE(GantryQueueWindow, gantry_queue_window, GANTRY, QUEUE_WINDOW, AdwWindow)

typedef enum { GANTRY_QUEUE_WAITS, GANTRY_QUEUE_RUNS, GANTRY_QUEUE_DONE, GANTRY_QUEUE_FAILED } GantryQueueState;

typedef struct {
  const char *name;  /* "bell.h5" */
  const char *words; /* below it: where it goes, how far it is, why it failed */
  GantryQueueState state;
  double part; /* that is done, 0 to 1; below 0: not known */
} GantryQueueRow;

/* Signals: "add-plan": the open scan with its present values is to be put in; "begin": what is in it is to be made;
 * "cancel". It hides when it is closed. */
GtkWidget *gantry_queue_window_new(GtkWindow *parent);
/* At the end of the list, waiting. */
void gantry_queue_window_add(GantryQueueWindow *self, const char *path);
/* What is in it (g_strfreev), and the folder for the volumes (g_free; NULL: none is chosen yet). */
char **gantry_queue_window_dup_paths(GantryQueueWindow *self);
char *gantry_queue_window_dup_folder(GantryQueueWindow *self);
gboolean gantry_queue_window_skips(GantryQueueWindow *self);
/* While it runs nothing can be added: the rows are those that the paths stand for. */
void gantry_queue_window_set_running(GantryQueueWindow *self, gboolean running);
void gantry_queue_window_set_rows(GantryQueueWindow *self, const GantryQueueRow *rows, gsize count);
void gantry_queue_window_set_row(GantryQueueWindow *self, gsize index, const GantryQueueRow *row);
/* A line below the list; NULL: none. */
void gantry_queue_window_set_summary(GantryQueueWindow *self, const char *text);
void gantry_queue_window_set_can_add_plan(GantryQueueWindow *self, gboolean can);

G_END_DECLS
