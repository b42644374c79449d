/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows for the presets of the dialog that asks about a scan: which one fills the fields, and under what name the fields
 * are kept. Texts are those of gantry_source_fields_to_text. Signal "chosen" (char *text): the fields are to be filled.
 * Signals "saved" and "removed" (char *name): the fields are to be kept under the name, a preset is to be forgotten. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define GANTRY_TYPE_SOURCE_PRESETS (gantry_source_presets_get_type())
G_DECLARE_FINAL_TYPE(GantrySourcePresets, gantry_source_presets, GANTRY, SOURCE_PRESETS, GObject)

/* presets: names and texts by turns, NULL at the end. */
GantrySourcePresets *gantry_source_presets_new(const char *const *presets);
/* The rows, each made once: the choice, which is hidden while there is no preset, and the saving. */
GtkWidget *gantry_source_presets_make_choice(GantrySourcePresets *self);
GtkWidget *gantry_source_presets_make_saving(GantrySourcePresets *self);
/* A preset was kept, or forgotten. */
void gantry_source_presets_put(GantrySourcePresets *self, const char *name, const char *text);
void gantry_source_presets_forget(GantrySourcePresets *self, const char *name);

G_END_DECLS
