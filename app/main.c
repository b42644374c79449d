/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry [FILE...]: opens the window. */
#include "app/application.h"

#include <locale.h>

int main(int argc, char **argv) {
  /* Words come in the user's encoding, but numbers keep their point: plans and labels are read and written by one C
   * library. */
  setlocale(LC_ALL, "");
  setlocale(LC_NUMERIC, "C");
  gtk_disable_setlocale();
  g_set_application_name("Gantry");
  g_autoptr(GantryApplication) application = gantry_application_new();
  return g_application_run(G_APPLICATION(application), argc, argv);
}
