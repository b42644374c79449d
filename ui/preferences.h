/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The preferences: what windows, plans and the shelf begin with. Each row writes its setting at once and says when that
 * counts. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct {
  const char *const *devices; /* names of graphics devices; NULL-terminated */
  int cores;                  /* of the processor */
  double memory;              /* bytes of the machine */
  const char *cache_folder;   /* that counts where none is chosen */
  double cached;              /* bytes of results that lie there now */
} GantryPreferencesFacts;

/* A window over its parent, to be presented; settings is referenced, the facts are copied. */
GtkWindow *gantry_preferences_new(GtkWindow *parent, GSettings *settings, const GantryPreferencesFacts *facts);

G_END_DECLS
