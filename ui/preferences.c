/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are made from their words and bound to the settings; a choice is bound by its ids. */
#include "ui/preferences.h"

#include "recon/base/units.h"
#include "render/slice-renderer.h"
#include "ui/tips.h"

#include <string.h>

/* What a row of choices keeps: the ids in the order of its titles. */
typedef struct {
  GSettings *settings;
  char *key;
  GPtrArray *ids;
} Choice;

static void choice_free(gpointer data) {
  Choice *choice = data;
  g_object_unref(choice->settings);
  g_free(choice->key);
  g_ptr_array_unref(choice->ids);
  g_free(choice);
}

static gpointer group(AdwPreferencesPage *page, const char *title, const char *words) {
  GtkWidget *widget = adw_preferences_group_new();
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(widget), title);
  if (words) adw_preferences_group_set_description(ADW_PREFERENCES_GROUP(widget), words);
  adw_preferences_page_add(page, ADW_PREFERENCES_GROUP(widget));
  return widget;
}

static void add(gpointer to, GtkWidget *row, const char *title, const char *when) {
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), when);
  adw_preferences_group_add(to, row);
}

/* Switches */

static void add_switch(gpointer to, GSettings *settings, const char *key, const char *title, const char *when) {
  GtkWidget *row = adw_action_row_new(), *toggle = gtk_switch_new();
  gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER);
  gantry_tips_name(toggle, title, when);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), toggle);
  gantry_tips_activate(row, toggle);
  g_settings_bind(settings, key, toggle, "active", G_SETTINGS_BIND_DEFAULT);
  add(to, row, title, when);
}

/* Numbers */

/* 0 stands for the automatic value, and shows what that is. */
static gboolean show_automatic(GtkSpinButton *spin, gpointer data) {
  const char *automatic = g_object_get_data(G_OBJECT(spin), "automatic");
  if (gtk_spin_button_get_value_as_int(spin) != 0) return FALSE;
  gtk_editable_set_text(GTK_EDITABLE(spin), automatic);
  return TRUE;
}

static int read_automatic(GtkSpinButton *spin, double *value, gpointer data) {
  const char *automatic = g_object_get_data(G_OBJECT(spin), "automatic");
  const char *text = gtk_editable_get_text(GTK_EDITABLE(spin));
  if (strcmp(text, automatic) != 0 && g_ascii_isdigit(*text)) return FALSE;
  *value = 0;
  return TRUE;
}

static void add_number(gpointer to, GSettings *settings, const char *key, double most, double step, const char *title,
                       const char *when, const char *automatic) {
  GtkWidget *row = adw_action_row_new(), *spin = gtk_spin_button_new_with_range(0, most, step);
  gtk_widget_set_valign(spin, GTK_ALIGN_CENTER);
  gtk_editable_set_width_chars(GTK_EDITABLE(spin), 14);
  gantry_tips_name(spin, title, when);
  g_object_set_data_full(G_OBJECT(spin), "automatic", g_strdup(automatic), g_free);
  gtk_spin_button_set_numeric(GTK_SPIN_BUTTON(spin), FALSE); /* else it takes no words */
  g_signal_connect(spin, "output", G_CALLBACK(show_automatic), NULL);
  g_signal_connect(spin, "input", G_CALLBACK(read_automatic), NULL);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), spin);
  gantry_tips_activate(row, spin);
  g_settings_bind(settings, key, gtk_spin_button_get_adjustment(GTK_SPIN_BUTTON(spin)), "value",
                  G_SETTINGS_BIND_DEFAULT);
  gtk_spin_button_update(GTK_SPIN_BUTTON(spin));
  add(to, row, title, when);
}

/* Choices */

static void choice_made(AdwComboRow *row, GParamSpec *property, Choice *choice) {
  const guint index = adw_combo_row_get_selected(row);
  if (index < choice->ids->len) g_settings_set_string(choice->settings, choice->key, choice->ids->pdata[index]);
}

/* One that is kept and no longer offered stays what it is. */
static guint index_of(Choice *choice, GtkStringList *titles) {
  g_autofree char *now = g_settings_get_string(choice->settings, choice->key);
  for (guint i = 0; i < choice->ids->len; i++)
    if (g_str_equal(choice->ids->pdata[i], now)) return i;
  g_autofree char *title = g_strdup_printf("%s (not found)", now);
  gtk_string_list_append(titles, title);
  g_ptr_array_add(choice->ids, g_strdup(now));
  return choice->ids->len - 1;
}

static void add_choice(gpointer to, GSettings *settings, const char *key, const char *const (*options)[2], gsize count,
                       const char *title, const char *when) {
  GtkWidget *row = adw_combo_row_new();
  g_autoptr(GtkStringList) titles = gtk_string_list_new(NULL);
  Choice *choice = g_new(Choice, 1);
  *choice = (Choice){g_object_ref(settings), g_strdup(key), g_ptr_array_new_with_free_func(g_free)};
  for (gsize i = 0; i < count; i++) {
    g_ptr_array_add(choice->ids, g_strdup(options[i][0]));
    gtk_string_list_append(titles, options[i][1]);
  }
  const guint now = index_of(choice, titles);
  adw_combo_row_set_model(ADW_COMBO_ROW(row), G_LIST_MODEL(titles));
  adw_combo_row_set_selected(ADW_COMBO_ROW(row), now);
  g_signal_connect(row, "notify::selected", G_CALLBACK(choice_made), choice);
  g_object_set_data_full(G_OBJECT(row), "choice", choice, choice_free);
  gantry_tips_set(row, when);
  add(to, row, title, when);
}

static void add_maps(gpointer to, GSettings *settings, const char *key, bool diverging, const char *title) {
  const char *options[32][2];
  size_t count, used = 0;
  const ctgl_colour_map *maps = ctgl_colour_maps(&count);
  for (size_t i = 0; i < count && used < G_N_ELEMENTS(options); i++) {
    if (maps[i].diverging != diverging) continue;
    options[used][0] = maps[i].id;
    options[used++][1] = maps[i].title;
  }
  add_choice(to, settings, key, (const char *const(*)[2])options, used, title, "At once, in all windows");
}

/* The folder */

static void show_folder(GSettings *settings, const char *key, GtkLabel *label) {
  g_autofree char *chosen = g_settings_get_string(settings, "cache-folder");
  const char *usual = g_object_get_data(G_OBJECT(label), "usual");
  gtk_label_set_text(label, *chosen ? chosen : usual);
}

static void folder_chosen(GtkNativeDialog *dialog, int response, GSettings *settings) {
  g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
  g_autofree char *path = response == GTK_RESPONSE_ACCEPT && file ? g_file_get_path(file) : NULL;
  if (path) g_settings_set_string(settings, "cache-folder", path);
  g_object_unref(dialog);
}

static void choose_folder(GtkButton *button, GSettings *settings) {
  GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(button));
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new("Choose the Cache Folder", GTK_WINDOW(root),
                                                             GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, "_Choose", NULL);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  g_signal_connect(dialog, "response", G_CALLBACK(folder_chosen), settings);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void reset_folder(GtkButton *button, GSettings *settings) {
  g_settings_reset(settings, "cache-folder");
}

static GtkWidget *make_button(const char *icon, const char *title, const char *tip, GCallback clicked,
                              GSettings *settings) {
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(button, "flat");
  gantry_tips_name(button, title, tip);
  g_signal_connect_object(button, "clicked", clicked, settings, 0);
  return button;
}

static void add_folder(gpointer to, GSettings *settings, const char *usual) {
  GtkWidget *row = adw_action_row_new(), *label = gtk_label_new(NULL);
  g_object_set_data_full(G_OBJECT(label), "usual", g_strdup(usual), g_free);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_START);
  gtk_label_set_max_width_chars(GTK_LABEL(label), 28);
  gtk_widget_add_css_class(label, "dim-label");
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), label);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row),
                            make_button("folder-open-symbolic", "Choose the cache folder", "Choose another folder",
                                        G_CALLBACK(choose_folder), settings));
  adw_action_row_add_suffix(ADW_ACTION_ROW(row),
                            make_button("edit-undo-symbolic", "Use the usual cache folder", "Back to the usual folder",
                                        G_CALLBACK(reset_folder), settings));
  g_signal_connect_object(settings, "changed::cache-folder", G_CALLBACK(show_folder), label, 0);
  show_folder(settings, NULL, GTK_LABEL(label));
  add(to, row, "Folder", "Of results that leave the memory from now on");
}

/* Pages */

static AdwPreferencesPage *add_page(AdwPreferencesWindow *window, const char *title, const char *icon) {
  GtkWidget *page = adw_preferences_page_new();
  adw_preferences_page_set_title(ADW_PREFERENCES_PAGE(page), title);
  adw_preferences_page_set_icon_name(ADW_PREFERENCES_PAGE(page), icon);
  adw_preferences_window_add(window, ADW_PREFERENCES_PAGE(page));
  return ADW_PREFERENCES_PAGE(page);
}

static void fill_display(AdwPreferencesPage *page, GSettings *settings) {
  static const char *const styles[][2] = {{"default", "As the desktop"}, {"light", "Light"}, {"dark", "Dark"}};
  static const char *const fourths[][2] = {
      {"projection", "Projection"}, {"sinogram", "Sinogram"}, {"oblique", "Oblique plane"}, {"scene", "Scene"}};
  gpointer colours = group(page, "Pictures", NULL);
  add_maps(colours, settings, "colour-map", false, "Colour map");
  add_maps(colours, settings, "diverging-map", true, "Colour map of differences");
  add_switch(colours, settings, "smooth", "Smooth pixels",
             "Interpolates between pixels on screen; at once, in all windows");
  gpointer layout = group(page, "Layout", NULL);
  add_choice(layout, settings, "style", styles, G_N_ELEMENTS(styles), "Style", "At once");
  add_choice(layout, settings, "fourth", fourths, G_N_ELEMENTS(fourths), "Fourth view",
             "Of windows opened from now on");
  add_switch(layout, settings, "show-panel", "Plan panel", "At once, in all windows");
  add_switch(layout, settings, "show-plots", "Plots", "At once, in all windows");
  add_switch(layout, settings, "show-shelf", "Shelf of results", "At once, in all windows");
}

static void fill_computing(AdwPreferencesPage *page, GSettings *settings, const GantryPreferencesFacts *facts) {
  gpointer computing = group(page, "Computing", NULL);
  g_autofree char *cores = g_strdup_printf("Automatic: %d", facts->cores);
  add_switch(computing, settings, "auto-preview", "Preview slices on every change", "At once");
  add_number(computing, settings, "threads", 4096, 1, "Processor threads",
             "From the next slice or volume on; a plan that names a number keeps it", cores);
  const guint count = g_strv_length((char **)facts->devices);
  const char *(*options)[2] = g_malloc0_n(count + 2, sizeof *options);
  options[0][0] = "auto", options[0][1] = "Automatic";
  options[1][0] = "none", options[1][1] = "None: the processor alone";
  for (guint i = 0; i < count; i++) options[i + 2][0] = options[i + 2][1] = facts->devices[i];
  add_choice(computing, settings, "device", (const char *const(*)[2])options, count + 2, "Graphics device",
             "Of scans opened from now on");
  g_free(options);
}

static void fill_files(AdwPreferencesPage *page, GSettings *settings, const GantryPreferencesFacts *facts) {
  char quarter[32], cached[32];
  g_autofree char *automatic =
      g_strdup_printf("Automatic: %s", ct_format_bytes(facts->memory / 4, quarter, sizeof quarter));
  gpointer memory =
      group(page, "Results", "Beyond this memory the oldest results that are not in use go to the cache.");
  add_number(memory, settings, "shelf-memory", 1e8, 256, "Memory of the shelf, MB", "At once", automatic);
  g_autofree char *lies =
      g_strdup_printf("%s of results lie in it now.", ct_format_bytes(facts->cached, cached, sizeof cached));
  gpointer cache = group(page, "Cache", lies);
  add_folder(cache, settings, facts->cache_folder);
  add_number(cache, settings, "cache-size", 1e8, 1024, "Largest size, MB",
             "Of results that leave the memory from now on; what does not fit stays in memory", "No limit");
  gpointer sessions = group(page, "Sessions", NULL);
  add_switch(sessions, settings, "keep-session", "Keep the session while working",
             "At once; offered again where the program ended unexpectedly");
}

GtkWindow *gantry_preferences_new(GtkWindow *parent, GSettings *settings, const GantryPreferencesFacts *facts) {
  GtkWidget *window = adw_preferences_window_new();
  AdwPreferencesWindow *preferences = ADW_PREFERENCES_WINDOW(window);
  adw_preferences_window_set_search_enabled(preferences, FALSE);
  gtk_window_set_title(GTK_WINDOW(window), "Preferences");
  gtk_window_set_transient_for(GTK_WINDOW(window), parent);
  gtk_window_set_modal(GTK_WINDOW(window), TRUE);
  gtk_window_set_default_size(GTK_WINDOW(window), 640, 620);
  g_object_set_data_full(G_OBJECT(window), "settings", g_object_ref(settings), g_object_unref);
  fill_display(add_page(preferences, "Display", "video-display-symbolic"), settings);
  fill_computing(add_page(preferences, "Computing", "applications-engineering-symbolic"), settings, facts);
  fill_files(add_page(preferences, "Memory and Files", "drive-harddisk-symbolic"), settings, facts);
  return GTK_WINDOW(window);
}
