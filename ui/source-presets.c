/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list's first item is no preset; the others are in the order of `texts`. */
#include "ui/source-presets.h"

#include "ui/tips.h"

struct _GantrySourcePresets {
  GObject parent_instance;
  GtkStringList *names;
  GPtrArray *texts;
  AdwComboRow *choice;
  AdwActionRow *saving;
  GtkWidget *group, *remove;
  GtkEditable *name;
};

G_DEFINE_FINAL_TYPE(GantrySourcePresets, gantry_source_presets, G_TYPE_OBJECT)

enum { CHOSEN, SAVED, REMOVED, SIGNALS };
static guint signals[SIGNALS];

static void gantry_source_presets_finalize(GObject *object) {
  GantrySourcePresets *self = GANTRY_SOURCE_PRESETS(object);
  g_object_unref(self->names);
  g_ptr_array_unref(self->texts);
  G_OBJECT_CLASS(gantry_source_presets_parent_class)->finalize(object);
}

static void gantry_source_presets_class_init(GantrySourcePresetsClass *class) {
  static const char *const names[SIGNALS] = {"chosen", "saved", "removed"};
  G_OBJECT_CLASS(class)->finalize = gantry_source_presets_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new(names[i], GANTRY_TYPE_SOURCE_PRESETS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                              1, G_TYPE_STRING);
}

static void gantry_source_presets_init(GantrySourcePresets *self) {
  self->names = gtk_string_list_new((const char *const[]){"None", NULL});
  self->texts = g_ptr_array_new_with_free_func(g_free);
}

GantrySourcePresets *gantry_source_presets_new(const char *const *presets) {
  GantrySourcePresets *self = g_object_new(GANTRY_TYPE_SOURCE_PRESETS, NULL);
  for (guint i = 0; presets[i]; i += 2) {
    gtk_string_list_append(self->names, presets[i]);
    g_ptr_array_add(self->texts, g_strdup(presets[i + 1]));
  }
  return self;
}

/* The choice */

/* Item of the list, 0: none is chosen. */
static guint chosen(GantrySourcePresets *self) {
  const guint item = adw_combo_row_get_selected(self->choice);
  return item <= self->texts->len ? item : 0;
}

static void choose(AdwComboRow *row, GParamSpec *property, GantrySourcePresets *self) {
  const guint item = chosen(self);
  gtk_widget_set_sensitive(self->remove, item > 0);
  if (item > 0) g_signal_emit(self, signals[CHOSEN], 0, g_ptr_array_index(self->texts, item - 1));
}

static void remove_chosen(GtkButton *button, GantrySourcePresets *self) {
  const guint item = chosen(self);
  if (item > 0) g_signal_emit(self, signals[REMOVED], 0, gtk_string_list_get_string(self->names, item));
}

GtkWidget *gantry_source_presets_make_choice(GantrySourcePresets *self) {
  self->group = adw_preferences_group_new();
  self->choice = ADW_COMBO_ROW(adw_combo_row_new());
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self->choice), "Preset");
  gantry_tips_name(GTK_WIDGET(self->choice), "Preset", "Fills the fields as they were saved for a scanner");
  adw_combo_row_set_model(self->choice, G_LIST_MODEL(self->names));
  self->remove = gtk_button_new_from_icon_name("user-trash-symbolic");
  gtk_widget_set_valign(self->remove, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(self->remove, "flat");
  gtk_widget_set_sensitive(self->remove, FALSE);
  gantry_tips_set(self->remove, "Forgets the chosen preset; the fields stay");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->remove), GTK_ACCESSIBLE_PROPERTY_LABEL, "Remove the Preset", -1);
  adw_action_row_add_suffix(ADW_ACTION_ROW(self->choice), self->remove);
  g_signal_connect_object(self->choice, "notify::selected", G_CALLBACK(choose), self, 0);
  g_signal_connect_object(self->remove, "clicked", G_CALLBACK(remove_chosen), self, 0);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(self->group), GTK_WIDGET(self->choice));
  gtk_widget_set_visible(self->group, self->texts->len > 0);
  return self->group;
}

/* Saving */

static void save(GantrySourcePresets *self) {
  g_autofree char *name = g_strstrip(g_strdup(gtk_editable_get_text(self->name)));
  if (*name) g_signal_emit(self, signals[SAVED], 0, name);
}

static void name_preset(GtkEditable *entry, GtkWidget *button) {
  gtk_widget_set_sensitive(button, gtk_editable_get_text(entry)[0] != 0);
}

GtkWidget *gantry_source_presets_make_saving(GantrySourcePresets *self) {
  GtkWidget *group = adw_preferences_group_new(), *row = adw_action_row_new(), *entry = gtk_entry_new(),
            *button = gtk_button_new_with_label("Save Preset");
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), "Save as a Preset");
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  gantry_tips_set(row, "Keeps the fields under the scanner's name, for other scans of it");
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, "Name of the Preset", -1);
  gtk_entry_set_placeholder_text(GTK_ENTRY(entry), "Name of the scanner");
  gtk_widget_set_valign(entry, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive(button, FALSE);
  self->name = GTK_EDITABLE(entry);
  self->saving = ADW_ACTION_ROW(row);
  g_signal_connect_object(entry, "changed", G_CALLBACK(name_preset), button, 0);
  g_signal_connect_object(button, "clicked", G_CALLBACK(save), self, G_CONNECT_SWAPPED);
  adw_action_row_add_suffix(self->saving, entry);
  adw_action_row_add_suffix(self->saving, button);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row);
  return group;
}

/* What came of it */

/* Item of the list, 0: there is none of that name. */
static guint find(GantrySourcePresets *self, const char *name) {
  for (guint item = 1; item <= self->texts->len; item++)
    if (g_str_equal(gtk_string_list_get_string(self->names, item), name)) return item;
  return 0;
}

void gantry_source_presets_put(GantrySourcePresets *self, const char *name, const char *text) {
  const guint item = find(self, name);
  g_autofree char *words = g_strdup_printf("Saved as %s", name);
  if (item) {
    g_free(self->texts->pdata[item - 1]);
    self->texts->pdata[item - 1] = g_strdup(text);
  } else {
    g_ptr_array_add(self->texts, g_strdup(text));
    gtk_string_list_append(self->names, name);
  }
  gtk_widget_set_visible(self->group, TRUE);
  adw_action_row_set_subtitle(self->saving, words);
}

void gantry_source_presets_forget(GantrySourcePresets *self, const char *name) {
  const guint item = find(self, name);
  if (!item) return;
  adw_combo_row_set_selected(self->choice, 0);
  g_ptr_array_remove_index(self->texts, item - 1);
  gtk_string_list_remove(self->names, item);
  gtk_widget_set_visible(self->group, self->texts->len > 0);
  adw_action_row_set_subtitle(self->saving, NULL);
}
