/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list box; each row keeps its path until the queue runs. */
#include "ui/queue.h"
#include "ui/shown.h"
#include "ui/tips.h"

struct _GantryQueueWindow {
  AdwWindow parent_instance;
  GtkListBox *list;
  GtkStack *stack;
  GtkWidget *add, *add_folder, *add_plan, *clear, *begin, *cancel, *summary, *folder_button;
  GtkSwitch *skip;
  AdwActionRow *folder_row;
  char *folder;
  gboolean running, can_add_plan;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE(GantryQueueWindow, gantry_queue_window, ADW_TYPE_WINDOW)

enum { ADD_PLAN, BEGIN, CANCEL, SIGNALS };
static guint signals[SIGNALS];

static void gantry_queue_window_finalize(GObject *object) {
  GantryQueueWindow *self = GANTRY_QUEUE_WINDOW(object);
  g_clear_object(&self->chooser);
  g_free(self->folder);
  G_OBJECT_CLASS(gantry_queue_window_parent_class)->finalize(object);
}

static void gantry_queue_window_class_init(GantryQueueWindowClass *class) {
  static const char *const names[SIGNALS] = {"add-plan", "begin", "cancel"};
  G_OBJECT_CLASS(class)->finalize = gantry_queue_window_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] =
        g_signal_new(names[i], GANTRY_TYPE_QUEUE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_queue_window_init(GantryQueueWindow *self) {}

/* Rows */

#define PATH "path"

static guint count(GantryQueueWindow *self) {
  guint rows = 0;
  while (gtk_list_box_get_row_at_index(self->list, (int)rows)) rows++;
  return rows;
}

static void update(GantryQueueWindow *self) {
  const guint rows = count(self);
  gtk_stack_set_visible_child_name(self->stack, rows ? "list" : "empty");
  gtk_widget_set_sensitive(self->begin, rows && self->folder && !self->running);
  gtk_widget_set_visible(self->cancel, self->running);
  gtk_widget_set_visible(self->begin, !self->running);
  gtk_widget_set_sensitive(self->clear, rows && !self->running);
  gtk_widget_set_sensitive(self->add, !self->running);
  gtk_widget_set_sensitive(self->add_folder, !self->running);
  gtk_widget_set_sensitive(self->add_plan, self->can_add_plan && !self->running);
  gtk_widget_set_sensitive(GTK_WIDGET(self->folder_row), !self->running);
  gtk_widget_set_sensitive(GTK_WIDGET(self->skip), !self->running);
}

static void fill_row(GtkWidget *row, const GantryQueueRow *told) {
  static const char *const icons[] = {"content-loading-symbolic", "media-playback-start-symbolic",
                                      "object-select-symbolic", "dialog-error-symbolic"};
  static const char *const words[] = {"waiting", "running", "done", "failed"};
  GtkWidget *icon = g_object_get_data(G_OBJECT(row), "icon"), *bar = g_object_get_data(G_OBJECT(row), "bar");
  g_autofree char *name = g_strdup_printf("%s, %s%s%s", told->name, words[told->state], told->words ? ": " : "",
                                          told->words ? told->words : "");
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), told->name);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), told->words ? told->words : "");
  gtk_image_set_from_icon_name(GTK_IMAGE(icon), icons[told->state]);
  gantry_tips_set(icon, words[told->state]);
  gtk_widget_set_visible(bar, told->state == GANTRY_QUEUE_RUNS);
  if (told->part >= 0)
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(bar), CLAMP(told->part, 0, 1));
  else
    gtk_progress_bar_pulse(GTK_PROGRESS_BAR(bar));
  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *add_row(GantryQueueWindow *self, const GantryQueueRow *told, const char *path) {
  GtkWidget *row = adw_action_row_new(), *icon = gtk_image_new(), *bar = gtk_progress_bar_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 3);
  gtk_widget_set_valign(bar, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request(bar, 120, -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(bar), GTK_ACCESSIBLE_PROPERTY_LABEL, "Progress", -1);
  adw_action_row_add_prefix(ADW_ACTION_ROW(row), icon);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), bar);
  g_object_set_data(G_OBJECT(row), "icon", icon);
  g_object_set_data(G_OBJECT(row), "bar", bar);
  g_object_set_data_full(G_OBJECT(row), PATH, g_strdup(path), g_free);
  fill_row(row, told);
  gtk_list_box_append(self->list, row);
  return row;
}

static void remove_all(GantryQueueWindow *self) {
  GtkListBoxRow *row;
  while ((row = gtk_list_box_get_row_at_index(self->list, 0))) gtk_list_box_remove(self->list, GTK_WIDGET(row));
}

void gantry_queue_window_add(GantryQueueWindow *self, const char *path) {
  g_autofree char *name = gantry_shown_name(path), *parent = g_path_get_dirname(path), *folder = gantry_shown(parent);
  const GantryQueueRow row = {.name = name, .words = folder};
  add_row(self, &row, path);
  update(self);
}

char **gantry_queue_window_dup_paths(GantryQueueWindow *self) {
  const guint rows = count(self);
  char **paths = g_new0(char *, rows + 1);
  for (guint i = 0; i < rows; i++)
    paths[i] = g_strdup(g_object_get_data(G_OBJECT(gtk_list_box_get_row_at_index(self->list, (int)i)), PATH));
  return paths;
}

char *gantry_queue_window_dup_folder(GantryQueueWindow *self) {
  return g_strdup(self->folder);
}

gboolean gantry_queue_window_skips(GantryQueueWindow *self) {
  return gtk_switch_get_active(self->skip);
}

/* The paths stay: another run may follow. */
void gantry_queue_window_set_rows(GantryQueueWindow *self, const GantryQueueRow *rows, gsize rows_count) {
  g_auto(GStrv) paths = gantry_queue_window_dup_paths(self);
  const guint before = g_strv_length(paths);
  remove_all(self);
  for (gsize i = 0; i < rows_count; i++) add_row(self, &rows[i], before == rows_count ? paths[i] : rows[i].name);
  update(self);
}

void gantry_queue_window_set_row(GantryQueueWindow *self, gsize index, const GantryQueueRow *row) {
  GtkListBoxRow *shown = gtk_list_box_get_row_at_index(self->list, (int)index);
  if (shown) fill_row(GTK_WIDGET(shown), row);
}

void gantry_queue_window_set_running(GantryQueueWindow *self, gboolean running) {
  self->running = running;
  update(self);
}

void gantry_queue_window_set_summary(GantryQueueWindow *self, const char *text) {
  gtk_label_set_text(GTK_LABEL(self->summary), text ? text : "");
  gtk_widget_set_visible(self->summary, text != NULL);
}

void gantry_queue_window_set_can_add_plan(GantryQueueWindow *self, gboolean can) {
  self->can_add_plan = can;
  update(self);
}

/* Choosing */

static void folder_chosen(GantryQueueWindow *self, GFile *file) {
  char *path = g_file_get_path(file);
  if (!path) return;
  g_free(self->folder);
  self->folder = path;
  g_autofree char *name = gantry_shown(path);
  adw_action_row_set_subtitle(self->folder_row, name);
}

static void answered(GtkNativeDialog *dialog, int response, GantryQueueWindow *self) {
  GtkFileChooser *chooser = GTK_FILE_CHOOSER(dialog);
  const gboolean output = g_object_get_data(G_OBJECT(dialog), "output") != NULL;
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GListModel) files = gtk_file_chooser_get_files(chooser);
    for (guint i = 0; i < g_list_model_get_n_items(files); i++) {
      g_autoptr(GFile) file = g_list_model_get_item(files, i);
      g_autofree char *path = g_file_get_path(file);
      if (output)
        folder_chosen(self, file);
      else if (path)
        gantry_queue_window_add(self, path);
    }
  }
  update(self);
  g_clear_object(&self->chooser);
}

static void choose(GantryQueueWindow *self, const char *title, GtkFileChooserAction action, gboolean output) {
  if (self->chooser) return;
  self->chooser = gtk_file_chooser_native_new(title, GTK_WINDOW(self), action, output ? "_Choose" : "_Add", NULL);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(self->chooser), TRUE);
  gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(self->chooser), action == GTK_FILE_CHOOSER_ACTION_OPEN);
  if (output) g_object_set_data(G_OBJECT(self->chooser), "output", self);
  g_signal_connect(self->chooser, "response", G_CALLBACK(answered), self);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

static void add_files(GantryQueueWindow *self) {
  choose(self, "Add Scans, Plans or Lists", GTK_FILE_CHOOSER_ACTION_OPEN, FALSE);
}

static void add_a_folder(GantryQueueWindow *self) {
  choose(self, "Add a Folder of Projections or of Scans", GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, FALSE);
}

static void choose_output(GantryQueueWindow *self) {
  choose(self, "Choose the Folder for the Volumes", GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, TRUE);
}

static void clear(GantryQueueWindow *self) {
  remove_all(self);
  gantry_queue_window_set_summary(self, NULL);
  update(self);
}

static void say_add_plan(GantryQueueWindow *self) {
  g_signal_emit(self, signals[ADD_PLAN], 0);
}

static void say_begin(GantryQueueWindow *self) {
  g_signal_emit(self, signals[BEGIN], 0);
}

static void say_cancel(GantryQueueWindow *self) {
  g_signal_emit(self, signals[CANCEL], 0);
}

/* Making */

static GtkWidget *button(GantryQueueWindow *self, const char *label, const char *tip, GCallback clicked) {
  GtkWidget *made = gantry_tips_new_button(label, tip);
  g_signal_connect_swapped(made, "clicked", clicked, self);
  return made;
}

static GtkWidget *make_header(GantryQueueWindow *self) {
  GtkWidget *header = adw_header_bar_new();
  self->begin = button(self, "_Reconstruct All", "Reconstruct one after another; what fails is passed over",
                       G_CALLBACK(say_begin));
  self->cancel =
      button(self, "_Cancel", "End the present one without half a file, and begin no other", G_CALLBACK(say_cancel));
  gtk_widget_add_css_class(self->begin, "suggested-action");
  adw_header_bar_pack_end(ADW_HEADER_BAR(header), self->begin);
  adw_header_bar_pack_end(ADW_HEADER_BAR(header), self->cancel);
  adw_header_bar_set_title_widget(ADW_HEADER_BAR(header), adw_window_title_new("Queue", NULL));
  return header;
}

static GtkWidget *make_buttons(GantryQueueWindow *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->add =
      button(self, "_Add Files…", "Add scans, saved plans with their scans, or lists of scans", G_CALLBACK(add_files));
  self->add_folder =
      button(self, "Add _Folder…", "Add a folder of projections, or the scans in a folder", G_CALLBACK(add_a_folder));
  self->add_plan =
      button(self, "Add the _Open Scan", "Add the scan of the window with its present plan", G_CALLBACK(say_add_plan));
  self->clear = button(self, "_Empty", "Take all out of the queue; no file is touched", G_CALLBACK(clear));
  GtkWidget *const all[] = {self->add, self->add_folder, self->add_plan, self->clear};
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++) gtk_box_append(GTK_BOX(box), all[i]);
  return box;
}

static GtkWidget *make_output(GantryQueueWindow *self) {
  GtkWidget *box = gtk_list_box_new(), *folder = adw_action_row_new(), *skip = adw_action_row_new();
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(box), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(box, "boxed-list");
  self->folder_row = ADW_ACTION_ROW(folder);
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(folder), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(folder), "Folder for the volumes");
  adw_action_row_set_subtitle(self->folder_row, "None is chosen yet");
  self->folder_button =
      button(self, "_Choose…", "Choose the folder that the volumes are written to", G_CALLBACK(choose_output));
  gtk_widget_set_valign(self->folder_button, GTK_ALIGN_CENTER);
  adw_action_row_add_suffix(self->folder_row, self->folder_button);
  self->skip = GTK_SWITCH(gtk_switch_new());
  gtk_widget_set_valign(GTK_WIDGET(self->skip), GTK_ALIGN_CENTER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->skip), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Pass over volumes that are there", -1);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(skip), "Pass over volumes that are there");
  adw_action_row_set_subtitle(ADW_ACTION_ROW(skip), "Goes on where a queue was cancelled; otherwise these rows fail");
  adw_action_row_add_suffix(ADW_ACTION_ROW(skip), GTK_WIDGET(self->skip));
  gantry_tips_activate(skip, GTK_WIDGET(self->skip));
  gtk_list_box_append(GTK_LIST_BOX(box), folder);
  gtk_list_box_append(GTK_LIST_BOX(box), skip);
  return box;
}

static GtkWidget *make_list(GantryQueueWindow *self) {
  GtkWidget *stack = gtk_stack_new(), *scrolled = gtk_scrolled_window_new(), *list = gtk_list_box_new();
  GtkWidget *empty = gtk_label_new("Add scans to reconstruct them one after another, each with the values that suit it "
                                   "by themselves, or with those of a saved plan.");
  gtk_label_set_wrap(GTK_LABEL(empty), TRUE);
  gtk_label_set_justify(GTK_LABEL(empty), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars(GTK_LABEL(empty), 50);
  gtk_widget_add_css_class(empty, "dim-label");
  self->stack = GTK_STACK(stack);
  self->list = GTK_LIST_BOX(list);
  gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class(list, "boxed-list");
  gtk_widget_set_valign(list, GTK_ALIGN_START);
  gtk_accessible_update_property(GTK_ACCESSIBLE(list), GTK_ACCESSIBLE_PROPERTY_LABEL, "In the queue", -1);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_stack_add_named(self->stack, empty, "empty");
  gtk_stack_add_named(self->stack, scrolled, "list");
  gtk_widget_set_vexpand(stack, TRUE);
  return stack;
}

GtkWidget *gantry_queue_window_new(GtkWindow *parent) {
  GantryQueueWindow *self = g_object_new(GANTRY_TYPE_QUEUE_WINDOW, "title", "Queue", "transient-for", parent,
                                         "default-width", 680, "default-height", 560, "hide-on-close", TRUE, NULL);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *body = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_margin_start(body, 18);
  gtk_widget_set_margin_end(body, 18);
  gtk_widget_set_margin_top(body, 18);
  gtk_widget_set_margin_bottom(body, 18);
  self->summary = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(self->summary), TRUE);
  gtk_label_set_xalign(GTK_LABEL(self->summary), 0);
  gtk_widget_set_visible(self->summary, FALSE);
  gtk_box_append(GTK_BOX(box), make_header(self));
  gtk_box_append(GTK_BOX(body), make_buttons(self));
  gtk_box_append(GTK_BOX(body), make_list(self));
  gtk_box_append(GTK_BOX(body), self->summary);
  gtk_box_append(GTK_BOX(body), make_output(self));
  gtk_box_append(GTK_BOX(box), body);
  adw_window_set_content(ADW_WINDOW(self), box);
  update(self);
  return GTK_WIDGET(self);
}
