/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of arrays, indented like the groups that they are in, above rows for what else may be told; beside them a
 * frame of the scan as it is told. */
#include "ui/source-dialog.h"
#include "ui/shown.h"

#include "ui/source-fields.h"

#include <string.h>

enum { FLATS, DARKS, ANGLES, ROLES };
/* ms without a change until a frame is looked at. */
enum { PAUSE = 80 };

struct _GantrySourceDialog {
  AdwWindow parent_instance;
  GtkListBox *tree; /* NULL: no arrays */
  GtkWidget *open;
  AdwComboRow *layout, *roles[ROLES];
  GPtrArray *paths; /* of the arrays, as listed in the roles */
  GantrySourceFields *fields;
  GtkLabel *fit; /* what a raw file holds by the layout that is told */
  GantrySourcePreview *preview;
  guint looking; /* the timer until the next look */
  guint64 bytes; /* of a raw file */
  gboolean pictures_alone, raw;
  GtkEditable *preset_name;
  char **presets, **preset_texts; /* names and texts by turns; presets: NULL while the window goes */
};

G_DEFINE_FINAL_TYPE(GantrySourceDialog, gantry_source_dialog, ADW_TYPE_WINDOW)

static guint chosen_signal, preset_signal, looks_signal;

static const struct {
  const char *title, *tooltip;
} roles[ROLES] = {
    {"Flats", "Frames with beam and without object, that the projections are divided by"},
    {"Darks", "Frames without beam, that are subtracted"},
    {"Angles", "The angle of each view, in degrees unless the array carries a unit"},
};

/* A list that is taken apart tells that another row, or none, is selected: the button may be gone by then. */
static void gantry_source_dialog_dispose(GObject *object) {
  GantrySourceDialog *self = GANTRY_SOURCE_DIALOG(object);
  if (self->tree) g_signal_handlers_disconnect_by_data(self->tree, self);
  self->tree = NULL;
  g_clear_handle_id(&self->looking, g_source_remove);
  self->preview = NULL;
  self->raw = FALSE;
  self->presets = NULL;
  G_OBJECT_CLASS(gantry_source_dialog_parent_class)->dispose(object);
}

static void gantry_source_dialog_finalize(GObject *object) {
  g_ptr_array_unref(GANTRY_SOURCE_DIALOG(object)->paths);
  gantry_source_fields_free(GANTRY_SOURCE_DIALOG(object)->fields);
  g_strfreev(GANTRY_SOURCE_DIALOG(object)->preset_texts);
  G_OBJECT_CLASS(gantry_source_dialog_parent_class)->finalize(object);
}

static void gantry_source_dialog_class_init(GantrySourceDialogClass *klass) {
  G_OBJECT_CLASS(klass)->dispose = gantry_source_dialog_dispose;
  G_OBJECT_CLASS(klass)->finalize = gantry_source_dialog_finalize;
  chosen_signal = g_signal_new("chosen", GANTRY_TYPE_SOURCE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                               1, G_TYPE_POINTER);
  preset_signal = g_signal_new("preset-saved", GANTRY_TYPE_SOURCE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, G_TYPE_STRING);
  looks_signal = g_signal_new("looks", GANTRY_TYPE_SOURCE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                              1, G_TYPE_POINTER);
  gtk_widget_class_add_binding_action(GTK_WIDGET_CLASS(klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void gantry_source_dialog_init(GantrySourceDialog *self) {
  self->paths = g_ptr_array_new_with_free_func(g_free);
}

/* The answer */

static const char *selected_array(GantrySourceDialog *self) {
  GtkListBoxRow *row = self->tree ? gtk_list_box_get_selected_row(self->tree) : NULL;
  return row ? g_object_get_data(G_OBJECT(row), "path") : NULL;
}

/* frames: of raw samples, where their number is left open; or NULL. */
static void tell(GantrySourceDialog *self, const char *frames, guint signal) {
  static const char *const layouts[] = {NULL, "projections", "sinograms"};
  char *texts[ROLES] = {NULL};
  for (int i = 0; i < ROLES && self->tree; i++) {
    const guint item = adw_combo_row_get_selected(self->roles[i]);
    if (item > 0 && item <= self->paths->len)
      texts[i] = g_strconcat("::", g_ptr_array_index(self->paths, item - 1), NULL);
  }
  ct_scan_told told = {.layout = layouts[adw_combo_row_get_selected(self->layout) + (self->pictures_alone ? 1 : 0)],
                       .dataset = selected_array(self),
                       .flats = texts[FLATS],
                       .darks = texts[DARKS],
                       .angles = texts[ANGLES],
                       .raw = self->raw};
  g_autoptr(GArray) keys = gantry_source_fields_get(self->fields, frames);
  told.keys = (const struct ct_told_key *)(const void *)keys->data;
  told.key_count = keys->len;
  g_signal_emit(self, signal, 0, &told);
  for (int i = 0; i < ROLES; i++) g_free(texts[i]);
}

static void accept(GantrySourceDialog *self) {
  if (self->tree && !selected_array(self)) return;
  g_object_ref(self);
  tell(self, NULL, chosen_signal);
  gtk_window_close(GTK_WINDOW(self));
  g_object_unref(self);
}

char *gantry_source_dialog_get_told(GantrySourceDialog *self) {
  return gantry_source_fields_to_text(self->fields);
}

/* Looking. Also frames of a raw layout that leaves bytes over are seen: what is wrong with it shows in the picture. */

static gboolean look(gpointer data) {
  GantrySourceDialog *self = data;
  GantrySourceFit fit = {0};
  g_autofree char *fault = gantry_source_fields_find_fault(self->fields), *text = NULL, *frames = NULL;
  self->looking = 0;
  if (self->raw) {
    text = gantry_source_fields_fit(self->fields, self->bytes, &fit);
    frames = g_strdup_printf("%" G_GUINT64_FORMAT, fit.frames);
  }
  if (fault) {
    gantry_source_preview_show_nothing(self->preview, fault);
  } else if (self->raw && !fit.frames) {
    gantry_source_preview_show_nothing(self->preview, "A frame is seen here as soon as the file can hold one of the "
                                                      "columns and rows that are typed.");
  } else if (self->tree && !selected_array(self)) {
    gantry_source_preview_show_nothing(self->preview, "Choose the array of the projections.");
  } else {
    gantry_source_preview_wait(self->preview);
    tell(self, frames, looks_signal);
  }
  return G_SOURCE_REMOVE;
}

static void look_soon(GantrySourceDialog *self) {
  if (!self->preview) return;
  g_clear_handle_id(&self->looking, g_source_remove);
  self->looking = g_timeout_add(PAUSE, look, self);
}

int gantry_source_dialog_get_frame(GantrySourceDialog *self) {
  return gantry_source_preview_get_frame(self->preview);
}

void gantry_source_dialog_show_frame(GantrySourceDialog *self, const GantrySourceSeen *seen) {
  if (self->preview) gantry_source_preview_show(self->preview, seen);
}

void gantry_source_dialog_show_no_frame(GantrySourceDialog *self, const char *why) {
  if (self->preview) gantry_source_preview_show_nothing(self->preview, why);
}

/* Whether what is told can be opened: of a raw file, whether it is as long as it is told to be. */
static void fields_changed(GantrySourceDialog *self) {
  GantrySourceFit fit = {.fits = TRUE};
  if (!self->preview) return;
  look_soon(self);
  g_autofree char *fault = gantry_source_fields_find_fault(self->fields),
                  *text = self->raw ? gantry_source_fields_fit(self->fields, self->bytes, &fit) : NULL;
  if (text) gtk_label_set_text(self->fit, text);
  gtk_widget_set_sensitive(self->open, !fault && fit.fits && (!self->tree || selected_array(self)));
}

/* The tree */

static char *shape_of(const ct_dataset *d) {
  GString *text = g_string_new(NULL);
  for (int i = 0; i < d->rank; i++)
    g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i ? " × " : "", (guint64)d->dims[i]);
  g_string_append_printf(text, "  %s", d->type);
  return g_string_free(text, FALSE);
}

static GtkWidget *new_row(const char *name, const char *detail, guint depth, gboolean group) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12), *title = gtk_label_new(name),
            *shape = gtk_label_new(detail), *row = gtk_list_box_row_new();
  gtk_widget_set_margin_start(box, 12 + 18 * (int)depth);
  gtk_widget_set_margin_end(box, 12);
  gtk_widget_set_margin_top(box, 6);
  gtk_widget_set_margin_bottom(box, 6);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand(title, TRUE);
  gtk_widget_add_css_class(shape, "dim-label");
  gtk_widget_add_css_class(shape, "numeric");
  if (group) gtk_widget_add_css_class(title, "dim-label");
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), shape);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  gtk_list_box_row_set_selectable(GTK_LIST_BOX_ROW(row), !group);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), !group);
  return row;
}

/* The groups of a path that the one before was not in; returns its depth. */
static guint add_groups(GtkListBox *tree, char **before, char *const *parts, guint count) {
  gboolean same = TRUE;
  for (guint i = 0; i + 1 < count; i++) {
    same = same && before && i + 1 < g_strv_length(before) && g_str_equal(before[i], parts[i]);
    if (!same) gtk_list_box_append(tree, new_row(parts[i], NULL, i, TRUE));
  }
  return count - 1;
}

static void add_array(GantrySourceDialog *self, const ct_dataset *d, char ***before) {
  g_autofree char *shown = gantry_shown(d->path + strspn(d->path, "/")), *shape = shape_of(d);
  char **parts = g_strsplit(shown, strchr(shown, '/') ? "/" : ".", -1);
  const guint depth = add_groups(self->tree, *before, parts, g_strv_length(parts));
  GtkWidget *row = new_row(parts[depth], d->trouble ? "cannot be read" : shape, depth, FALSE);
  g_autofree char *name = g_strdup_printf("%s, %s", shown, d->trouble ? d->trouble : shape);
  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_tooltip_text(row, d->trouble ? d->trouble : d->path);
  gtk_widget_set_sensitive(row, !d->trouble && d->rank > 1);
  g_object_set_data_full(G_OBJECT(row), "path", g_strdup(d->path), g_free);
  gtk_list_box_append(self->tree, row);
  g_strfreev(*before);
  *before = parts;
}

/* The largest array is most likely the projections. */
static void select_largest(GantrySourceDialog *self, const ct_dataset_list *datasets) {
  double most = 0;
  const char *path = NULL;
  for (gsize i = 0; i < datasets->count; i++) {
    const ct_dataset *d = &datasets->items[i];
    double size = d->rank > 1 && !d->trouble ? 1 : 0;
    for (int k = 0; k < d->rank; k++) size *= (double)d->dims[k];
    if (size > most) {
      most = size;
      path = d->path;
    }
  }
  for (GtkWidget *row = gtk_widget_get_first_child(GTK_WIDGET(self->tree)); row && path;
       row = gtk_widget_get_next_sibling(row))
    if (g_strcmp0(g_object_get_data(G_OBJECT(row), "path"), path) == 0)
      gtk_list_box_select_row(self->tree, GTK_LIST_BOX_ROW(row));
}

static GtkWidget *new_tree(GantrySourceDialog *self, const ct_dataset_list *datasets) {
  char **before = NULL;
  self->tree = GTK_LIST_BOX(gtk_list_box_new());
  gtk_widget_add_css_class(GTK_WIDGET(self->tree), "boxed-list");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->tree), GTK_ACCESSIBLE_PROPERTY_LABEL, "Projections", -1);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->tree), "The array that holds the projections or sinograms");
  for (gsize i = 0; i < datasets->count; i++) add_array(self, &datasets->items[i], &before);
  g_strfreev(before);
  g_signal_connect_swapped(self->tree, "row-selected", G_CALLBACK(fields_changed), self);
  return GTK_WIDGET(self->tree);
}

/* Rows below the tree */

static AdwComboRow *new_combo(const char *title, const char *tooltip, const char *const *items) {
  g_autoptr(GtkStringList) list = gtk_string_list_new(items);
  AdwComboRow *row = ADW_COMBO_ROW(adw_combo_row_new());
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  gtk_widget_set_tooltip_text(GTK_WIDGET(row), tooltip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  adw_combo_row_set_model(row, G_LIST_MODEL(list));
  return row;
}

static void add_roles(GantrySourceDialog *self, AdwPreferencesGroup *group, const ct_dataset_list *datasets) {
  g_autoptr(GPtrArray) items = g_ptr_array_new();
  char first[] = "As the file says, or none";
  g_ptr_array_add(items, first);
  for (gsize i = 0; i < datasets->count; i++) {
    if (datasets->items[i].trouble) continue;
    g_ptr_array_add(self->paths, g_strdup(datasets->items[i].path));
    g_ptr_array_add(items, g_ptr_array_index(self->paths, self->paths->len - 1));
  }
  g_ptr_array_add(items, NULL);
  for (int i = 0; i < ROLES; i++) {
    self->roles[i] = new_combo(roles[i].title, roles[i].tooltip, (const char *const *)items->pdata);
    g_signal_connect_object(self->roles[i], "notify::selected", G_CALLBACK(look_soon), self, G_CONNECT_SWAPPED);
    adw_preferences_group_add(group, GTK_WIDGET(self->roles[i]));
  }
}

static GtkWidget *new_rows(GantrySourceDialog *self, const GantrySourceRequest *request) {
  static const char *const items[] = {"As the file says", "A projection", "A sinogram: rows are angles", NULL};
  GtkWidget *group = adw_preferences_group_new();
  const int first = self->pictures_alone ? 1 : 0;
  self->layout = new_combo("Each Picture Is", "A projection, or a sinogram: its rows are the views of one detector row",
                           items + first);
  if ((int)request->layout >= first) adw_combo_row_set_selected(self->layout, (guint)((int)request->layout - first));
  g_signal_connect_object(self->layout, "notify::selected", G_CALLBACK(look_soon), self, G_CONNECT_SWAPPED);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), GTK_WIDGET(self->layout));
  if (self->tree) add_roles(self, ADW_PREFERENCES_GROUP(group), request->datasets);
  return group;
}

/* Presets */

static void preset_selected_of(AdwComboRow *row, GParamSpec *property, GantrySourceDialog *self) {
  const guint item = adw_combo_row_get_selected(row);
  if (self->presets && item > 0 && item != GTK_INVALID_LIST_POSITION)
    gantry_source_fields_fill(self->fields, self->presets[2 * item - 1]);
}

static void save_preset(GantrySourceDialog *self) {
  g_autofree char *name = g_strstrip(g_strdup(gtk_editable_get_text(self->preset_name)));
  if (*name) g_signal_emit(self, preset_signal, 0, name);
}

static void name_preset(GtkEditable *entry, GtkWidget *button) {
  gtk_widget_set_sensitive(button, gtk_editable_get_text(entry)[0] != 0);
}

static GtkWidget *new_presets(GantrySourceDialog *self) {
  GtkWidget *group = adw_preferences_group_new(), *row = adw_action_row_new(), *entry = gtk_entry_new(),
            *save = gtk_button_new_with_label("Save Preset");
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  char none[] = "None";
  g_ptr_array_add(names, none);
  for (guint i = 0; self->presets[i]; i += 2) g_ptr_array_add(names, self->presets[i]);
  g_ptr_array_add(names, NULL);
  AdwComboRow *combo =
      new_combo("Preset", "Fills the fields as they were saved for a scanner", (const char *const *)names->pdata);
  g_signal_connect_object(combo, "notify::selected", G_CALLBACK(preset_selected_of), self, 0);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), "Save as a Preset");
  gtk_widget_set_tooltip_text(row, "Keeps the fields under the scanner's name, for other scans of it");
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, "Name of the Preset", -1);
  gtk_entry_set_placeholder_text(GTK_ENTRY(entry), "Name of the scanner");
  gtk_widget_set_valign(entry, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(save, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive(save, FALSE);
  self->preset_name = GTK_EDITABLE(entry);
  g_signal_connect_object(entry, "changed", G_CALLBACK(name_preset), save, 0);
  g_signal_connect_swapped(save, "clicked", G_CALLBACK(save_preset), self);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), entry);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), save);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), GTK_WIDGET(combo));
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row);
  return group;
}

static GtkWidget *new_header(GantrySourceDialog *self) {
  GtkWidget *header = adw_header_bar_new(), *cancel = gtk_button_new_with_mnemonic("_Cancel");
  self->open = gtk_button_new_with_mnemonic("_Open");
  gtk_widget_add_css_class(self->open, "suggested-action");
  gtk_widget_set_tooltip_text(self->open, "Opens the scan as it is told here");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(cancel), "window.close");
  adw_header_bar_set_show_end_title_buttons(ADW_HEADER_BAR(header), FALSE);
  adw_header_bar_pack_start(ADW_HEADER_BAR(header), cancel);
  adw_header_bar_pack_end(ADW_HEADER_BAR(header), self->open);
  g_signal_connect_swapped(self->open, "clicked", G_CALLBACK(accept), self);
  return header;
}

static void set_margins(GtkWidget *widget) {
  gtk_widget_set_margin_top(widget, 18);
  gtk_widget_set_margin_bottom(widget, 18);
  gtk_widget_set_margin_start(widget, 18);
  gtk_widget_set_margin_end(widget, 18);
}

/* What is asked. */
static GtkWidget *new_questions(GantrySourceDialog *self, const GantrySourceRequest *request) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 18), *why = gtk_label_new(request->why),
            *scrolled = gtk_scrolled_window_new();
  gtk_label_set_wrap(GTK_LABEL(why), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(why), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(GTK_LABEL(why), 0);
  gtk_box_append(GTK_BOX(box), why);
  if (request->datasets->count) gtk_box_append(GTK_BOX(box), new_tree(self, request->datasets));
  if (self->raw) {
    self->fit = GTK_LABEL(gtk_label_new(""));
    gtk_label_set_wrap(self->fit, TRUE);
    gtk_label_set_xalign(self->fit, 0);
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->fit));
  }
  gtk_box_append(GTK_BOX(box), new_rows(self, request));
  gantry_source_fields_add_to(self->fields, GTK_BOX(box), G_CALLBACK(fields_changed), self);
  gantry_source_fields_fill(self->fields, request->told);
  gtk_box_append(GTK_BOX(box), new_presets(self));
  set_margins(box);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
  gtk_widget_set_size_request(scrolled, 520, -1);
  gtk_widget_set_hexpand(scrolled, FALSE);
  return scrolled;
}

static GtkWidget *new_body(GantrySourceDialog *self, const GantrySourceRequest *request) {
  GtkWidget *body = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *preview = gantry_source_preview_new();
  gtk_box_append(GTK_BOX(body), new_questions(self, request));
  gtk_box_append(GTK_BOX(body), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
  gtk_box_append(GTK_BOX(body), preview);
  self->preview = GANTRY_SOURCE_PREVIEW(preview);
  g_signal_connect_object(preview, "frame-changed", G_CALLBACK(look_soon), self, G_CONNECT_SWAPPED);
  set_margins(preview);
  gtk_widget_set_hexpand(preview, TRUE);
  gtk_widget_set_vexpand(body, TRUE);
  return body;
}

GantrySourceDialog *gantry_source_dialog_new(GtkWindow *parent, const GantrySourceRequest *request) {
  g_autofree char *title = g_strdup_printf("What Is the Scan in %s?", request->name);
  GantrySourceDialog *self = g_object_new(GANTRY_TYPE_SOURCE_DIALOG, "transient-for", parent, "modal", TRUE, "title",
                                          title, "destroy-with-parent", TRUE, NULL);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->pictures_alone = request->datasets->count == 0;
  self->raw = request->raw;
  self->bytes = request->bytes;
  self->fields = gantry_source_fields_new(request->raw);
  self->presets = self->preset_texts = g_strdupv((char **)request->presets);
  gtk_window_set_default_size(GTK_WINDOW(self), 980, 700);
  gtk_box_append(GTK_BOX(box), new_header(self));
  gtk_box_append(GTK_BOX(box), new_body(self, request));
  adw_window_set_content(ADW_WINDOW(self), box);
  fields_changed(self);
  if (self->tree) select_largest(self, request->datasets);
  return self;
}
