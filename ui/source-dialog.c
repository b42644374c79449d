/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of arrays, indented like the groups that they are in, above rows for what else may be told; beside them a
 * frame of the scan as it is told. The parts below the list are made one a frame. */
#include "ui/source-dialog.h"

#include "ui/in-turn.h"
#include "ui/source-fields.h"
#include "ui/source-presets.h"
#include "ui/source-tree.h"
#include "ui/tips.h"

#include <string.h>

enum { FLATS, DARKS, ANGLES, ROLES };
/* ms without a change until a frame is looked at. */
enum { PAUSE = 80 };

struct _GantrySourceDialog {
  AdwWindow parent_instance;
  GtkListBox *tree; /* NULL: no arrays */
  GtkWidget *open;
  AdwComboRow *layout, *roles[ROLES];
  GPtrArray *paths;       /* of the arrays, as listed in the roles */
  char *largest;          /* of the arrays, which is most likely the projections; NULL: none */
  int layout_asked, role; /* the first row chosen; the next role to be made */
  GtkBox *questions, *body;
  AdwPreferencesGroup *rows;
  char *told; /* that the fields begin with */
  GantrySourceFields *fields;
  GtkLabel *fit;                /* what a raw file holds by the layout that is told */
  GantrySourcePreview *preview; /* NULL: not all parts are there yet, or the window goes */
  guint looking;                /* the timer until the next look */
  guint64 bytes;                /* of a raw file */
  gboolean pictures_alone, raw;
  GantrySourcePresets *presets;
};

G_DEFINE_FINAL_TYPE(GantrySourceDialog, gantry_source_dialog, ADW_TYPE_WINDOW)

static guint chosen_signal, preset_signal, removed_signal, looks_signal;

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
  g_clear_object(&self->presets);
  G_OBJECT_CLASS(gantry_source_dialog_parent_class)->dispose(object);
}

static void gantry_source_dialog_finalize(GObject *object) {
  GantrySourceDialog *self = GANTRY_SOURCE_DIALOG(object);
  g_ptr_array_unref(self->paths);
  g_free(self->largest);
  g_free(self->told);
  gantry_source_fields_free(self->fields);
  G_OBJECT_CLASS(gantry_source_dialog_parent_class)->finalize(object);
}

static void gantry_source_dialog_class_init(GantrySourceDialogClass *klass) {
  G_OBJECT_CLASS(klass)->dispose = gantry_source_dialog_dispose;
  G_OBJECT_CLASS(klass)->finalize = gantry_source_dialog_finalize;
  chosen_signal = g_signal_new("chosen", GANTRY_TYPE_SOURCE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                               1, G_TYPE_POINTER);
  preset_signal = g_signal_new("preset-saved", GANTRY_TYPE_SOURCE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, G_TYPE_STRING);
  removed_signal = g_signal_new("preset-removed", GANTRY_TYPE_SOURCE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
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
  return self->tree ? gantry_source_tree_get_selected(self->tree) : NULL;
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

static GtkWidget *new_tree(GantrySourceDialog *self, const ct_dataset_list *datasets) {
  self->tree = gantry_source_tree_new(datasets);
  self->largest = g_strdup(gantry_source_tree_find_largest(datasets));
  for (gsize i = 0; i < datasets->count; i++)
    if (!datasets->items[i].trouble) g_ptr_array_add(self->paths, g_strdup(datasets->items[i].path));
  g_signal_connect_swapped(self->tree, "row-selected", G_CALLBACK(fields_changed), self);
  return GTK_WIDGET(self->tree);
}

/* Rows below the tree */

static AdwComboRow *new_combo(const char *title, const char *tooltip, const char *const *items) {
  g_autoptr(GtkStringList) list = gtk_string_list_new(items);
  AdwComboRow *row = ADW_COMBO_ROW(adw_combo_row_new());
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  gantry_tips_name(GTK_WIDGET(row), title, tooltip);
  adw_combo_row_set_model(row, G_LIST_MODEL(list));
  return row;
}

static gboolean add_layout(gpointer widget) {
  static const char *const items[] = {"As the file says", "A projection", "A sinogram: rows are angles", NULL};
  GantrySourceDialog *self = widget;
  GtkWidget *group = adw_preferences_group_new();
  const int first = self->pictures_alone ? 1 : 0;
  self->layout = new_combo("Each Picture Is", "A projection, or a sinogram: its rows are the views of one detector row",
                           items + first);
  if (self->layout_asked >= first) adw_combo_row_set_selected(self->layout, (guint)(self->layout_asked - first));
  g_signal_connect_object(self->layout, "notify::selected", G_CALLBACK(look_soon), self, G_CONNECT_SWAPPED);
  self->rows = ADW_PREFERENCES_GROUP(group);
  adw_preferences_group_add(self->rows, GTK_WIDGET(self->layout));
  gtk_box_append(self->questions, group);
  return FALSE;
}

static gboolean add_role(gpointer widget) {
  GantrySourceDialog *self = widget;
  const int i = self->role++;
  if (!self->tree) return FALSE;
  g_autoptr(GPtrArray) items = g_ptr_array_new();
  char first[] = "As the file says, or none";
  g_ptr_array_add(items, first);
  for (guint k = 0; k < self->paths->len; k++) g_ptr_array_add(items, self->paths->pdata[k]);
  g_ptr_array_add(items, NULL);
  self->roles[i] = new_combo(roles[i].title, roles[i].tooltip, (const char *const *)items->pdata);
  g_signal_connect_object(self->roles[i], "notify::selected", G_CALLBACK(look_soon), self, G_CONNECT_SWAPPED);
  adw_preferences_group_add(self->rows, GTK_WIDGET(self->roles[i]));
  return self->role < ROLES;
}

static gboolean add_fields(gpointer widget) {
  GantrySourceDialog *self = widget;
  return gantry_source_fields_add_to(self->fields, self->questions, self->told, G_CALLBACK(fields_changed), self);
}

/* Presets */

static void fill(GantrySourceDialog *self, const char *text) {
  if (self->preview) gantry_source_fields_fill(self->fields, text);
}

static void preset_named(GantrySourceDialog *self, const char *name) {
  g_signal_emit(self, preset_signal, 0, name);
}

static void preset_removed(GantrySourceDialog *self, const char *name) {
  g_signal_emit(self, removed_signal, 0, name);
}

static gboolean add_choice(gpointer widget) {
  GantrySourceDialog *self = widget;
  gtk_box_append(self->questions, gantry_source_presets_make_choice(self->presets));
  return FALSE;
}

static gboolean add_saving(gpointer widget) {
  GantrySourceDialog *self = widget;
  gtk_box_append(self->questions, gantry_source_presets_make_saving(self->presets));
  g_signal_connect_object(self->presets, "chosen", G_CALLBACK(fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->presets, "saved", G_CALLBACK(preset_named), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->presets, "removed", G_CALLBACK(preset_removed), self, G_CONNECT_SWAPPED);
  return FALSE;
}

void gantry_source_dialog_put_preset(GantrySourceDialog *self, const char *name, const char *text) {
  gantry_source_presets_put(self->presets, name, text);
}

void gantry_source_dialog_forget_preset(GantrySourceDialog *self, const char *name) {
  gantry_source_presets_forget(self->presets, name);
}

static GtkWidget *new_header(GantrySourceDialog *self) {
  GtkWidget *header = adw_header_bar_new(), *cancel = gantry_tips_new_button("_Cancel", NULL);
  self->open = gantry_tips_new_button("_Open", "Opens the scan as it is told here");
  gtk_widget_add_css_class(self->open, "suggested-action");
  gtk_widget_set_sensitive(self->open, FALSE);
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
  set_margins(box);
  self->questions = GTK_BOX(box);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
  gtk_widget_set_size_request(scrolled, 520, -1);
  gtk_widget_set_hexpand(scrolled, FALSE);
  return scrolled;
}

static GtkWidget *new_body(GantrySourceDialog *self, const GantrySourceRequest *request) {
  GtkWidget *body = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append(GTK_BOX(body), new_questions(self, request));
  gtk_box_append(GTK_BOX(body), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
  gtk_widget_set_vexpand(body, TRUE);
  self->body = GTK_BOX(body);
  return body;
}

static gboolean add_preview(gpointer widget) {
  GantrySourceDialog *self = widget;
  GtkWidget *preview = gantry_source_preview_new();
  self->preview = GANTRY_SOURCE_PREVIEW(preview);
  g_signal_connect_object(preview, "frame-changed", G_CALLBACK(look_soon), self, G_CONNECT_SWAPPED);
  set_margins(preview);
  gtk_widget_set_hexpand(preview, TRUE);
  gtk_box_append(self->body, preview);
  return FALSE;
}

static void be_made(gpointer widget) {
  GantrySourceDialog *self = widget;
  fields_changed(self);
  if (self->tree && self->largest && !selected_array(self)) gantry_source_tree_select(self->tree, self->largest);
}

GantrySourceDialog *gantry_source_dialog_new(GtkWindow *parent, const GantrySourceRequest *request) {
  static const GantryMakePart parts[] = {add_choice, add_layout, add_role, add_fields, add_saving, add_preview};
  g_autofree char *title = g_strdup_printf("What Is the Scan in %s?", request->name);
  GantrySourceDialog *self = g_object_new(GANTRY_TYPE_SOURCE_DIALOG, "transient-for", parent, "modal", TRUE, "title",
                                          title, "destroy-with-parent", TRUE, NULL);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->pictures_alone = request->datasets->count == 0;
  self->raw = request->raw;
  self->bytes = request->bytes;
  self->layout_asked = (int)request->layout;
  self->told = g_strdup(request->told);
  self->fields = gantry_source_fields_new(request->raw);
  self->presets = gantry_source_presets_new(request->presets);
  gtk_window_set_default_size(GTK_WINDOW(self), 980, 700);
  gtk_box_append(GTK_BOX(box), new_header(self));
  gtk_box_append(GTK_BOX(box), new_body(self, request));
  adw_window_set_content(ADW_WINDOW(self), box);
  gantry_make_in_turn(GTK_WIDGET(self), parts, G_N_ELEMENTS(parts), be_made);
  return self;
}
