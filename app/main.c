/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry [FILE...]: opens the window. */
#include "app/application.h"
#include "app/brief-wait.h"
#include "recon/base/output.h"
#include "recon/simd/level.h"

#include <locale.h>

/* Whether a graphics card could draw: a render node, NVIDIA's own node, or WSL's. */
static gboolean has_graphics_card(void) {
  if (g_file_test("/dev/nvidia0", G_FILE_TEST_EXISTS) || g_file_test("/dev/dxg", G_FILE_TEST_EXISTS)) return TRUE;
  g_autoptr(GDir) folder = g_dir_open("/dev/dri", 0, NULL);
  const char *name;
  while (folder && (name = g_dir_read_name(folder)))
    if (g_str_has_prefix(name, "renderD")) return TRUE;
  return FALSE;
}

/* Without a card, GTK draws the widgets several times faster with cairo than with OpenGL in software (frames of 20 ms
 * in place of 200 ms while all cores reconstruct); the slices stay in OpenGL either way. */
static void choose_widget_renderer(void) {
  if (g_strcmp0(g_getenv("LIBGL_ALWAYS_SOFTWARE"), "1") == 0 || !has_graphics_card())
    g_setenv("GSK_RENDERER", "cairo", FALSE);
}

int main(int argc, char **argv) {
  gantry_wait_briefly(argv);
  ct_output_outlive_size_limit();
  /* Text comes in the user's encoding, but numbers keep their point: plans and labels are read and written by one C
   * library. */
  setlocale(LC_ALL, "");
  setlocale(LC_NUMERIC, "C");
  gtk_disable_setlocale();
  choose_widget_renderer();
  ct_error *error = NULL;
  if (!ct_simd_check_environment(&error)) {
    g_printerr("gantry: %s\n", error->message);
    ct_error_clear(&error);
    return 2;
  }
  g_set_application_name("Gantry");
  g_autoptr(GantryApplication) application = gantry_application_new();
  return g_application_run(G_APPLICATION(application), argc, argv);
}
