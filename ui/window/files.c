/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots to the clipboard and to files: as a table or as a picture. */
#include "ui/window/window-private.h"

#include "recon/base/output.h"

typedef struct {
  GantryWindow *window; /* borrowed: the dialog is its child */
  const char *name;
  GantryPlot *plot;
  char *(*to_csv)(gpointer source);
  gpointer source;
} Saving;

static void write_plot(const Saving *saving, const char *path) {
  ct_error *error = NULL;
  gboolean saved;
  if (g_str_has_suffix(path, ".csv")) {
    g_autofree char *csv = saving->to_csv(saving->source);
    saved = ct_output_write_text(path, csv, &error);
  } else {
    saved = gantry_plot_save(saving->plot, path, &error);
  }
  if (!saved) {
    gantry_window_show_error(saving->window, error->message);
    ct_error_clear(&error);
    return;
  }
  g_autofree char *base = g_path_get_basename(path);
  g_autofree char *text = g_strdup_printf("The %s was saved as %s.", saving->name, base);
  gantry_window_toast(saving->window, GANTRY_ABOUT_FILE, text, NULL, NULL);
}

static void answered(GtkNativeDialog *dialog, int response, Saving *saving) {
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
    g_autofree char *path = g_file_get_path(file);
    if (path)
      write_plot(saving, path);
    else
      gantry_window_show_error(saving->window,
                               "A plot can only be saved to a folder of this computer. Choose another place.");
  }
  gtk_native_dialog_destroy(dialog);
  g_object_unref(dialog);
}

static void add_filter(GtkFileChooser *chooser, const char *name, const char *pattern) {
  g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
  gtk_file_filter_set_name(filter, name);
  gtk_file_filter_add_pattern(filter, pattern);
  gtk_file_chooser_add_filter(chooser, filter);
}

void gantry_window_save_plot(GantryWindow *self, const char *name, GantryPlot *plot, char *(*to_csv)(gpointer source),
                             gpointer source) {
  g_autofree char *title = g_strdup_printf("Save the %c%s", g_ascii_toupper(*name), name + 1);
  g_autofree char *file = g_strdup_printf("%s.png", name);
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new(title, GTK_WINDOW(self), GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
  Saving *saving = g_new(Saving, 1);
  *saving = (Saving){self, name, plot, to_csv, source};
  g_object_set_data_full(G_OBJECT(dialog), "saving", saving, g_free);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  add_filter(GTK_FILE_CHOOSER(dialog), "PNG picture (.png)", "*.png");
  add_filter(GTK_FILE_CHOOSER(dialog), "SVG drawing (.svg)", "*.svg");
  add_filter(GTK_FILE_CHOOSER(dialog), "Table (.csv)", "*.csv");
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), file);
  g_signal_connect(dialog, "response", G_CALLBACK(answered), saving);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

void gantry_window_copy_table(GantryWindow *self, const char *name, const char *csv) {
  g_autofree char *text = g_strdup_printf("The %s was copied as a table.", name);
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self)), csv);
  gantry_window_toast(self, GANTRY_ABOUT_FILE, text, NULL, NULL);
}
