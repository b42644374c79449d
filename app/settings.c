/* SPDX-License-Identifier: GPL-3.0-or-later */
/* g_settings_new aborts when a schema is missing, or lacks a key because an older version is installed: so each place
 * is tried in turn, and a schema counts only when it has every key. */
#include "app/settings.h"

#include "app/schema-data.h"

#include <glib/gstdio.h>

#define SCHEMA "org.gantry.Gantry"

static gboolean is_complete(GSettingsSchema *schema) {
  static const char *const keys[] = {"window-width", "window-height", "window-maximized", "show-panel", "show-plots",
                                     "colour-map",   "diverging-map", "smooth",           "style",      "recent-scans",
                                     "auto-preview", "threads",       "shelf-memory",     "fourth",     "device",
                                     "cache-folder", "cache-size",    "keep-session"};
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    if (!g_settings_schema_has_key(schema, keys[i])) return FALSE;
  return TRUE;
}

static GSettingsSchema *look_up(GSettingsSchemaSource *source) {
  GSettingsSchema *schema = source ? g_settings_schema_source_lookup(source, SCHEMA, TRUE) : NULL;
  if (schema && !is_complete(schema)) g_clear_pointer(&schema, g_settings_schema_unref);
  return schema;
}

static GSettingsSchema *look_in_folder(const char *folder) {
  GSettingsSchemaSource *source = g_settings_schema_source_new_from_directory(folder, NULL, TRUE, NULL);
  GSettingsSchema *schema = look_up(source);
  if (source) g_settings_schema_source_unref(source);
  return schema;
}

static GSettingsSchema *beside_program(void) {
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;
  return folder ? look_in_folder(folder) : NULL;
}

/* GLib reads compiled schemas from files only; it maps them, so the file can go at once. */
static GSettingsSchema *built_in(void) {
  g_autofree char *folder = g_dir_make_tmp("gantry-XXXXXX", NULL);
  if (!folder) return NULL;
  g_autofree char *path = g_build_filename(folder, "gschemas.compiled", NULL);
  GSettingsSchema *schema = NULL;
  if (g_file_set_contents(path, (const char *)gantry_schema_data, sizeof gantry_schema_data, NULL))
    schema = look_in_folder(folder);
  g_unlink(path);
  g_rmdir(folder);
  return schema;
}

GSettings *gantry_settings_new(void) {
  g_autoptr(GSettingsSchema) schema = beside_program();
  if (!schema) schema = look_up(g_settings_schema_source_get_default());
  if (!schema) schema = built_in();
  return schema ? g_settings_new_full(schema, NULL, NULL) : NULL;
}
