/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dialogs that ask for a file or a folder; one at a time. */
#include "app/session/session-private.h"

void gantry_session_begin_dialog(GantrySession *self, const char *title, GtkFileChooserAction action,
                                 const char *accept, GCallback response) {
  self->chooser = gtk_file_chooser_native_new(title, GTK_WINDOW(self->window), action, accept, "_Cancel");
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(self->chooser), TRUE);
  g_signal_connect_object(self->chooser, "response", response, self, 0);
}

void gantry_session_add_filter(GantrySession *self, const char *name, const char *extensions) {
  GtkFileChooser *chooser = GTK_FILE_CHOOSER(self->chooser);
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
  gtk_file_filter_set_name(filter, name);
  g_auto(GStrv) each = g_strsplit(extensions ? extensions : "", " ", -1);
  for (char **extension = each; *extension; extension++)
    if (**extension) gtk_file_filter_add_suffix(filter, *extension);
  if (!extensions) gtk_file_filter_add_pattern(filter, "*");
  gtk_file_chooser_add_filter(chooser, filter);
  if (!gtk_file_chooser_get_filter(chooser)) gtk_file_chooser_set_filter(chooser, filter);
}

GFile *gantry_session_end_dialog(GantrySession *self, GtkNativeDialog *dialog, int response) {
  g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
  g_clear_object(&self->chooser);
  return self->window ? g_steal_pointer(&file) : NULL;
}

char *gantry_session_end_dialog_with_path(GantrySession *self, GtkNativeDialog *dialog, int response) {
  g_autoptr(GFile) file = gantry_session_end_dialog(self, dialog, response);
  if (!file) return NULL;
  char *path = g_file_get_path(file);
  if (!path) gantry_window_show_error(self->window, "That place is not on this computer: choose a local folder.");
  return path;
}
