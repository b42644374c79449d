/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows for keys of a scan description (docs/scan-description.md) that a file may leave open: how raw samples are
 * stored, and the geometry. One table; what rows tell goes into a ct_scan_told. */
#pragma once

#include <adwaita.h>

#include "recon/io/io.h"

G_BEGIN_DECLS

typedef struct _GantrySourceFields GantrySourceFields;

/* raw: with the rows of raw samples. */
GantrySourceFields *gantry_source_fields_new(gboolean raw);
void gantry_source_fields_free(GantrySourceFields *self);
/* Appends the next rows, with their groups, filled from lines "key=value" (NULL: none); TRUE: there are more, for which
 * it is called again. changed(user): one of them was edited. */
gboolean gantry_source_fields_add_to(GantrySourceFields *self, GtkBox *box, const char *told, GCallback changed,
                                     gpointer user);
/* The keys that are told, which point into the rows' texts: to be freed with g_array_unref, of struct ct_told_key.
 * frames: of raw samples, where their number is left open; NULL: it stays so. */
GArray *gantry_source_fields_get(GantrySourceFields *self, const char *frames);
/* As lines "key=value" of those that are told, and filled from them; others stay. */
char *gantry_source_fields_to_text(GantrySourceFields *self);
void gantry_source_fields_fill(GantrySourceFields *self, const char *text);
/* Of a raw file by the layout that is told: the frames that it holds, 0 where there are none or the layout is not told;
 * and whether it can be opened so. */
typedef struct {
  guint64 frames;
  gboolean fits;
} GantrySourceFit;
/* What a file of that many bytes holds, in a sentence (g_free). */
char *gantry_source_fields_fit(GantrySourceFields *self, guint64 bytes, GantrySourceFit *fit);
/* The first row whose text is no number and has to be one, in a sentence (g_free); NULL: there is none. */
char *gantry_source_fields_find_fault(GantrySourceFields *self);

G_END_DECLS
