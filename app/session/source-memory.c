/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A key file, read anew each time, so that two windows do not overwrite each other's. */
#include "app/session/source-memory.h"

#include <gio/gio.h>

#include <string.h>

#define FOLDER "folder "
#define PRESET "preset "
#define KEY "told"

static char *path_of_file(void) {
  return g_build_filename(g_get_user_config_dir(), "gantry", "imports.ini", NULL);
}

/* Without brackets and line ends, which names of groups must not have. */
static char *group_of(const char *kind, const char *name) {
  g_autofree char *escaped = g_uri_escape_string(name, "/ ", TRUE);
  return g_strconcat(kind, escaped, NULL);
}

static char *group_of_path(const char *path) {
  g_autofree char *absolute = g_canonicalize_filename(path, NULL);
  g_autofree char *folder =
      g_file_test(absolute, G_FILE_TEST_IS_DIR) ? g_strdup(absolute) : g_path_get_dirname(absolute);
  return group_of(FOLDER, folder);
}

static GKeyFile *load(void) {
  g_autofree char *path = path_of_file();
  GKeyFile *file = g_key_file_new();
  g_key_file_load_from_file(file, path, G_KEY_FILE_KEEP_COMMENTS, NULL);
  return file;
}

/* told NULL: it is forgotten. */
static gboolean put(const char *group, const char *told, GError **error) {
  g_autoptr(GKeyFile) file = load();
  g_autofree char *path = path_of_file(), *folder = g_path_get_dirname(path);
  if (told)
    g_key_file_set_string(file, group, KEY, told);
  else
    g_key_file_remove_group(file, group, NULL);
  if (g_mkdir_with_parents(folder, 0700) == 0) return g_key_file_save_to_file(file, path, error);
  g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "The folder %s cannot be made.", folder);
  return FALSE;
}

char *gantry_source_memory_get(const char *path) {
  g_autoptr(GKeyFile) file = load();
  g_autofree char *group = group_of_path(path);
  return g_key_file_get_string(file, group, KEY, NULL);
}

static int compare(gconstpointer a, gconstpointer b) {
  return g_utf8_collate(*(char *const *)a, *(char *const *)b);
}

char **gantry_source_memory_list_presets(void) {
  g_autoptr(GKeyFile) file = load();
  g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
  GPtrArray *list = g_ptr_array_new();
  qsort(groups, g_strv_length(groups), sizeof *groups, compare);
  for (guint i = 0; groups[i]; i++) {
    char *told = g_str_has_prefix(groups[i], PRESET) ? g_key_file_get_string(file, groups[i], KEY, NULL) : NULL,
         *name = told ? g_uri_unescape_string(groups[i] + strlen(PRESET), NULL) : NULL;
    if (name) {
      g_ptr_array_add(list, name);
      g_ptr_array_add(list, told);
    } else {
      g_free(told);
    }
  }
  g_ptr_array_add(list, NULL);
  return (char **)g_ptr_array_free(list, FALSE);
}

gboolean gantry_source_memory_put(const char *path, const char *told, GError **error) {
  g_autofree char *group = group_of_path(path);
  return put(group, told, error);
}

gboolean gantry_source_memory_put_preset(const char *name, const char *told, GError **error) {
  g_autofree char *group = group_of(PRESET, name);
  return put(group, told, error);
}

gboolean gantry_source_memory_remove_preset(const char *name, GError **error) {
  g_autofree char *group = group_of(PRESET, name);
  return put(group, NULL, error);
}
