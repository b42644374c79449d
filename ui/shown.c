/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign text in labels. */
#include "ui/shown.h"
#include "recon/base/shown.h"

#include <glib.h>
#include <string.h>

char *gantry_shown(const char *text) {
  const gsize room = 3 * strlen(text) + 1; /* a stray byte becomes a character of three */
  return ct_shown(text, g_malloc(room), room);
}

char *gantry_shown_name(const char *path) {
  const char *mark = g_file_test(path, G_FILE_TEST_EXISTS) ? NULL : strstr(path, "::");
  g_autofree char *file = g_strndup(path, mark ? (gsize)(mark - path) : strlen(path)),
                  *name = g_path_get_basename(file);
  g_autofree char *whole = g_strconcat(name, mark, NULL);
  return gantry_shown(whole);
}
