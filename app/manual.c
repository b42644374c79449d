/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both places are known from where the program lies, so that a moved installation finds its own. */
#include "app/manual.h"

/* NULL: nowhere. */
static char *find_manual(void) {
  static const char *const places[] = {"../" GANTRY_MANUAL_PLACE, "../../docs/manual"};
  g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;
  for (gsize i = 0; folder && i < G_N_ELEMENTS(places); i++) {
    g_autofree char *joined = g_build_filename(folder, places[i], "index.html", NULL);
    g_autofree char *path = g_canonicalize_filename(joined, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) return g_steal_pointer(&path);
  }
  return NULL;
}

static void opened(GObject *source, GAsyncResult *result, gpointer user) {
  GantryWindow *window = GANTRY_WINDOW(source);
  g_autofree char *path = user;
  g_autoptr(GError) error = NULL;
  if (gtk_show_uri_full_finish(GTK_WINDOW(window), result, &error)) return;
  g_autofree char *text = g_strdup_printf("No program here opens the manual. Its pages begin with %s.", path);
  gantry_window_show_notice(window, text);
}

void gantry_manual_open(GantryWindow *window) {
  g_autofree char *path = find_manual();
  if (!path) {
    gantry_window_show_notice(window, "The manual was not installed with this program.");
    return;
  }
  g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);
  gtk_show_uri_full(GTK_WINDOW(window), uri, GDK_CURRENT_TIME, NULL, opened, g_steal_pointer(&path));
}
