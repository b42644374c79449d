/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window shows when no scan is open: the built-in example, open, recent scans, what can be opened. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_START_PAGE (gantry_start_page_get_type())
G_DECLARE_FINAL_TYPE(GantryStartPage, gantry_start_page, GANTRY, START_PAGE, GtkWidget)

/* A session that was kept of a program that ended unexpectedly. */
typedef struct {
  guint number; /* for win.restore-session and win.discard-session */
  char *title, *facts;
  gboolean damaged; /* it can only be discarded; facts tell why */
} GantryLostSession;
/* Offered above everything else; count 0: there is none. */
void gantry_start_page_set_lost(GantryStartPage *self, const GantryLostSession *sessions, gsize count);
/* Scans by URI and display name, most recent first; NULL-terminated. */
void gantry_start_page_set_recent(GantryStartPage *self, const char *const *uris, const char *const *names);

G_END_DECLS
