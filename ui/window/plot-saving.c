/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file's name decides: .csv is the table, .png, .svg and .pdf are pictures. */
#include "ui/window/plot-saving.h"

#include "recon/base/output.h"

typedef struct {
  GantryPlotSource source;
  GantryMessages *messages;
  GtkWindow *window;
} Saving;

/* Widths of a column and of a page of most journals. */
static const struct {
  const char *id, *title;
  GantryPaper paper;
} sizes[] = {
    {"column", "One column, 85 × 64 mm", {85, 64}},
    {"middle", "One and a half columns, 120 × 80 mm", {120, 80}},
    {"page", "Width of a page, 175 × 100 mm", {175, 100}},
};
#define SCREEN "screen"

static const GantryPaper *find_paper(const char *id) {
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++)
    if (g_strcmp0(sizes[i].id, id) == 0) return &sizes[i].paper;
  return NULL;
}

static void write_plot(const Saving *saving, const char *path, const GantryPaper *paper) {
  const GantryPlotSource *source = &saving->source;
  ct_error *error = NULL;
  gboolean saved, refused = FALSE;
  g_signal_emit_by_name(saving->window, "refuses-output", path, &refused);
  if (refused) return;
  if (g_str_has_suffix(path, ".csv")) {
    g_autofree char *csv = source->to_csv(source->source);
    saved = ct_output_write_text(path, csv, &error);
  } else {
    saved = gantry_plot_save(source->plot, path, paper, &error);
  }
  if (!saved) {
    gantry_messages_show_error(saving->messages, error->message);
    ct_error_clear(&error);
    return;
  }
  g_autofree char *base = g_path_get_basename(path);
  g_autofree char *text = g_strdup_printf("Saved the %s as %s.", source->name, base);
  gantry_messages_toast(saving->messages, GANTRY_ABOUT_FILE, text, NULL, NULL);
}

static void answered(GtkNativeDialog *dialog, int response, Saving *saving) {
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
    g_autofree char *path = g_file_get_path(file);
    if (path)
      write_plot(saving, path, find_paper(gtk_file_chooser_get_choice(GTK_FILE_CHOOSER(dialog), "size")));
    else
      gantry_messages_show_error(saving->messages,
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

static void add_sizes(GtkFileChooser *chooser) {
  const char *ids[G_N_ELEMENTS(sizes) + 2] = {SCREEN}, *titles[G_N_ELEMENTS(sizes) + 2] = {"As on screen"};
  for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) ids[i + 1] = sizes[i].id, titles[i + 1] = sizes[i].title;
  gtk_file_chooser_add_choice(chooser, "size", "Picture", ids, titles);
  gtk_file_chooser_set_choice(chooser, "size", sizes[1].id);
}

void gantry_plot_source_save(const GantryPlotSource *source, GtkWindow *window, GantryMessages *messages) {
  g_autofree char *title = g_strdup_printf("Save the %c%s", g_ascii_toupper(*source->name), source->name + 1);
  g_autofree char *file = g_strdup_printf("%s.png", source->name);
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new(title, window, GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
  Saving *saving = g_new(Saving, 1);
  *saving = (Saving){*source, messages, window};
  g_object_set_data_full(G_OBJECT(dialog), "saving", saving, g_free);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  add_filter(GTK_FILE_CHOOSER(dialog), "PNG picture (.png)", "*.png");
  add_filter(GTK_FILE_CHOOSER(dialog), "SVG drawing (.svg)", "*.svg");
  add_filter(GTK_FILE_CHOOSER(dialog), "PDF drawing (.pdf)", "*.pdf");
  add_filter(GTK_FILE_CHOOSER(dialog), "Table (.csv)", "*.csv");
  add_sizes(GTK_FILE_CHOOSER(dialog));
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), file);
  g_signal_connect(dialog, "response", G_CALLBACK(answered), saving);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

void gantry_plot_source_copy(const GantryPlotSource *source, GantryMessages *messages) {
  g_autofree char *csv = source->to_csv(source->source);
  g_autofree char *text = g_strdup_printf("Copied the %s as a table.", source->name);
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(source->plot)), csv);
  gantry_messages_toast(messages, GANTRY_ABOUT_FILE, text, NULL, NULL);
}
