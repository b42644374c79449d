/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Native file choosers, modal to the window. */
#include "app/session/dialogs.h"

struct _GantryDialogs {
  GantryContext *context;
  GtkFileChooserNative *chooser; /* NULL: none is open */
};

GantryDialogs *gantry_dialogs_new(GantryContext *context) {
  GantryDialogs *self = g_new0(GantryDialogs, 1);
  self->context = gantry_context_ref(context);
  return self;
}

void gantry_dialogs_close(GantryDialogs *self) {
  if (self->chooser) gtk_native_dialog_destroy(GTK_NATIVE_DIALOG(self->chooser));
  g_clear_object(&self->chooser);
}

void gantry_dialogs_free(GantryDialogs *self) {
  gantry_dialogs_close(self);
  gantry_context_unref(self->context);
  g_free(self);
}

gboolean gantry_dialogs_is_open(GantryDialogs *self) {
  return self->chooser != NULL;
}

GtkFileChooser *gantry_dialogs_begin(GantryDialogs *self, const char *title, GtkFileChooserAction action,
                                     const char *accept, GCallback response, gpointer owner) {
  self->chooser = gtk_file_chooser_native_new(title, GTK_WINDOW(self->context->window), action, accept, "_Cancel");
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(self->chooser), TRUE);
  g_signal_connect_object(self->chooser, "response", response, owner, 0);
  return GTK_FILE_CHOOSER(self->chooser);
}

void gantry_dialogs_add_filter(GantryDialogs *self, const char *name, const char *extensions) {
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

void gantry_dialogs_show(GantryDialogs *self) {
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

GFile *gantry_dialogs_end(GantryDialogs *self, GtkNativeDialog *dialog, int response) {
  g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog)) : NULL;
  g_clear_object(&self->chooser);
  return self->context->window ? g_steal_pointer(&file) : NULL;
}

char *gantry_dialogs_end_with_path(GantryDialogs *self, GtkNativeDialog *dialog, int response) {
  g_autoptr(GFile) file = gantry_dialogs_end(self, dialog, response);
  if (!file) return NULL;
  char *path = g_file_get_path(file);
  if (!path)
    gantry_window_show_error(self->context->window, "That place is not on this computer: choose a local folder.");
  return path;
}
