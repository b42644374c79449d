/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was told of scans that do not tell enough themselves: by folder, and as presets of scanners under names, in the
 * user's configuration folder (imports.ini). The texts are those of gantry_source_fields_to_text. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What was told last in the folder of a path (g_free), or NULL. */
char *gantry_source_memory_get(const char *path);
/* The names and texts of the presets by turns, in the order of their names, NULL at the end (g_strfreev). */
char **gantry_source_memory_list_presets(void);
/* FALSE with an error where the file cannot be written. */
gboolean gantry_source_memory_put(const char *path, const char *told, GError **error);
gboolean gantry_source_memory_put_preset(const char *name, const char *told, GError **error);
gboolean gantry_source_memory_remove_preset(const char *name, GError **error);

G_END_DECLS
