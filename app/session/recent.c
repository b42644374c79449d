/* SPDX-License-Identifier: GPL-3.0-or-later */
/* URIs, most recent first. */
#include "app/session/recent.h"
#include "ui/shown.h"

#define RECENT_KEPT 10

static char *display_name(const char *uri) {
  g_autoptr(GFile) file = g_file_new_for_uri(uri);
  g_autofree char *base = g_file_get_basename(file);
  return gantry_shown(base ? base : uri);
}

void gantry_recent_show(GantryContext *context) {
  if (!context->window) return;
  g_auto(GStrv) uris = g_settings_get_strv(context->settings, "recent-scans");
  const guint count = g_strv_length(uris);
  g_auto(GStrv) names = g_new0(char *, count + 1);
  for (guint i = 0; i < count; i++) names[i] = display_name(uris[i]);
  gantry_window_set_recent(context->window, (const char *const *)uris, (const char *const *)names);
}

void gantry_recent_add(GantryContext *context, const char *path) {
  g_autoptr(GFile) file = g_file_new_for_path(path);
  g_autofree char *uri = g_file_get_uri(file);
  g_auto(GStrv) old = g_settings_get_strv(context->settings, "recent-scans");
  g_autoptr(GPtrArray) uris = g_ptr_array_new();
  g_ptr_array_add(uris, uri);
  for (char **each = old; *each && uris->len < RECENT_KEPT; each++)
    if (!g_str_equal(*each, uri)) g_ptr_array_add(uris, *each);
  g_ptr_array_add(uris, NULL);
  g_settings_set_strv(context->settings, "recent-scans", (const char *const *)uris->pdata);
}
