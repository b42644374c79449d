/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signed numbers in spin buttons. */
#include "ui/number-spin.h"

#include "ui/number-text.h"

#include <math.h>

static int read_minus(GtkSpinButton *spin, double *value, gpointer user) {
  g_autoptr(GString) typed = g_string_new(gtk_editable_get_text(GTK_EDITABLE(spin)));
  char *end;
  g_string_replace(typed, GANTRY_MINUS, "-", 0);
  g_strstrip(typed->str);
  *value = g_strtod(typed->str, &end);
  return end != typed->str && !*end && isfinite(*value) ? TRUE : GTK_INPUT_ERROR;
}

static gboolean write_minus(GtkSpinButton *spin, gpointer user) {
  g_autofree char *shown = gantry_fixed_text(gtk_spin_button_get_value(spin), (int)gtk_spin_button_get_digits(spin));
  if (g_strcmp0(shown, gtk_editable_get_text(GTK_EDITABLE(spin)))) gtk_editable_set_text(GTK_EDITABLE(spin), shown);
  return TRUE;
}

void gantry_spin_take_minus(GtkSpinButton *spin) {
  /* A numeric spin button takes no other minus than the hyphen. */
  gtk_spin_button_set_numeric(spin, FALSE);
  gtk_spin_button_set_update_policy(spin, GTK_UPDATE_IF_VALID);
  g_signal_connect(spin, "input", G_CALLBACK(read_minus), NULL);
  g_signal_connect(spin, "output", G_CALLBACK(write_minus), NULL);
  gtk_spin_button_update(spin);
}
