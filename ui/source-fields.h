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
/* Appends the groups of rows. changed(user): one of them was edited. */
void gantry_source_fields_add_to(GantrySourceFields *self, GtkBox *box, GCallback changed, gpointer user);
/* The keys that are told, which point into the rows' texts: to be freed with g_array_unref, of struct ct_told_key. */
GArray *gantry_source_fields_get(GantrySourceFields *self);
/* As lines "key=value" of those that are told, and filled from them; others stay. */
char *gantry_source_fields_to_text(GantrySourceFields *self);
void gantry_source_fields_fill(GantrySourceFields *self, const char *text);
/* Bytes that the layout of raw samples asks for: header, and of one frame. FALSE where it is not told. */
gboolean gantry_source_fields_get_layout(GantrySourceFields *self, guint64 *header, guint64 *frame, guint64 *frames);

G_END_DECLS
