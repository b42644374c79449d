/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows bound to the settings; below them what hinders, how far it is, or what came of it. */
#include "ui/processes.h"

#include "ui/shown.h"
#include "ui/tips.h"

struct _GantryProcessesWindow {
  AdwWindow parent_instance;
  GSettings *settings;
  GtkWidget *begin, *cancel, *open, *rows, *bar, *words, *reset;
  AdwActionRow *line_row, *file_row;
  char *path, *problem, *outcome, *stand;
  gboolean running, made;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE(GantryProcessesWindow, gantry_processes_window, ADW_TYPE_WINDOW)

enum { CHANGED, BEGIN, CANCEL, OPEN, SIGNALS };
static guint signals[SIGNALS];

static void gantry_processes_window_finalize(GObject *object) {
  GantryProcessesWindow *self = GANTRY_PROCESSES_WINDOW(object);
  g_clear_object(&self->chooser);
  g_object_unref(self->settings);
  g_free(self->path);
  g_free(self->problem);
  g_free(self->outcome);
  g_free(self->stand);
  G_OBJECT_CLASS(gantry_processes_window_parent_class)->finalize(object);
}

static void gantry_processes_window_class_init(GantryProcessesWindowClass *class) {
  static const char *const names[SIGNALS] = {"changed", "begin", "cancel", "open"};
  G_OBJECT_CLASS(class)->finalize = gantry_processes_window_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] =
        g_signal_new(names[i], GANTRY_TYPE_PROCESSES_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_processes_window_init(GantryProcessesWindow *self) {}

/* What is shown */

static void update(GantryProcessesWindow *self) {
  const char *words = self->running ? self->stand : self->problem ? self->problem : self->outcome;
  gtk_widget_set_visible(self->begin, !self->running);
  gtk_widget_set_visible(self->cancel, self->running);
  gtk_widget_set_sensitive(self->begin, !self->problem);
  gtk_widget_set_sensitive(self->rows, !self->running);
  gtk_widget_set_visible(self->bar, self->running);
  gtk_widget_set_visible(self->open, self->made && !self->running);
  gtk_label_set_text(GTK_LABEL(self->words), words ? words : "");
  gtk_widget_set_visible(gtk_widget_get_ancestor(self->words, GTK_TYPE_SCROLLED_WINDOW), words != NULL);
}

const char *gantry_processes_window_get_path(GantryProcessesWindow *self) {
  return self->path;
}

void gantry_processes_window_set_path(GantryProcessesWindow *self, const char *path) {
  char *own = g_strdup(path);
  g_free(self->path);
  self->path = own;
  g_autofree char *shown = own ? gantry_shown(own) : g_strdup("None is chosen yet");
  const gboolean there = own && g_file_test(own, G_FILE_TEST_EXISTS);
  g_autofree char *words = g_strdup_printf("%s%s", shown, there ? "\nIs there already, and will be replaced" : "");
  adw_action_row_set_subtitle(self->file_row, words);
}

static void replace(char **text, const char *other) {
  char *own = g_strdup(other);
  g_free(*text);
  *text = own;
}

void gantry_processes_window_set_line(GantryProcessesWindow *self, const char *line, const char *problem) {
  adw_action_row_set_subtitle(self->line_row, line ? line : "–");
  replace(&self->problem, problem);
  update(self);
}

void gantry_processes_window_set_running(GantryProcessesWindow *self, gboolean running) {
  self->running = running;
  update(self);
}

void gantry_processes_window_set_stand(GantryProcessesWindow *self, const char *words, double part) {
  replace(&self->stand, words);
  if (part >= 0)
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(self->bar), CLAMP(part, 0, 1));
  else
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(self->bar), 0);
  update(self);
}

void gantry_processes_window_set_outcome(GantryProcessesWindow *self, const char *words, gboolean made) {
  replace(&self->outcome, words);
  self->made = made;
  update(self);
}

/* What is asked */

static void say_changed(GantryProcessesWindow *self) {
  g_signal_emit(self, signals[CHANGED], 0);
}

static void say_begin(GantryProcessesWindow *self) {
  g_signal_emit(self, signals[BEGIN], 0);
}

static void say_cancel(GantryProcessesWindow *self) {
  g_signal_emit(self, signals[CANCEL], 0);
}

static void say_open(GantryProcessesWindow *self) {
  g_signal_emit(self, signals[OPEN], 0);
}

static void reset(GantryProcessesWindow *self) {
  g_settings_reset(self->settings, "process-command");
}

static void answered(GtkNativeDialog *dialog, int response, GantryProcessesWindow *self) {
  g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
  g_autofree char *path = file && response == GTK_RESPONSE_ACCEPT ? g_file_get_path(file) : NULL;
  if (path) {
    gantry_processes_window_set_path(self, path);
    say_changed(self);
  }
  g_clear_object(&self->chooser);
}

static void choose(GantryProcessesWindow *self) {
  if (self->chooser) return;
  self->chooser = gtk_file_chooser_native_new("Choose the File of the Volume", GTK_WINDOW(self),
                                              GTK_FILE_CHOOSER_ACTION_SAVE, "_Choose", NULL);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(self->chooser), TRUE);
  if (self->path) {
    g_autofree char *name = g_path_get_basename(self->path), *folder = g_path_get_dirname(self->path);
    g_autoptr(GFile) place = g_file_new_for_path(folder);
    gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(self->chooser), place, NULL);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(self->chooser), name);
  }
  g_signal_connect(self->chooser, "response", G_CALLBACK(answered), self);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

/* Making */

static GtkWidget *button(GantryProcessesWindow *self, const char *label, const char *tip, GCallback clicked) {
  GtkWidget *made = gantry_tips_new_button(label, tip);
  gtk_widget_set_valign(made, GTK_ALIGN_CENTER);
  g_signal_connect_swapped(made, "clicked", clicked, self);
  return made;
}

static GtkWidget *group(GtkWidget *box, const char *title, const char *words) {
  GtkWidget *made = adw_preferences_group_new();
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(made), title);
  adw_preferences_group_set_description(ADW_PREFERENCES_GROUP(made), words);
  gtk_box_append(GTK_BOX(box), made);
  return made;
}

static AdwActionRow *add_row(GtkWidget *to, const char *title, const char *words, GtkWidget *control) {
  GtkWidget *row = adw_action_row_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), words);
  if (control) adw_action_row_add_suffix(ADW_ACTION_ROW(row), control);
  if (control) gantry_tips_activate(row, control);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(to), row);
  return ADW_ACTION_ROW(row);
}

/* 0 where it is allowed stands for the automatic value. */
static gboolean show_automatic(GtkSpinButton *spin) {
  if (gtk_spin_button_get_value_as_int(spin) != 0) return FALSE;
  gtk_editable_set_text(GTK_EDITABLE(spin), "Automatic");
  return TRUE;
}

static int read_automatic(GtkSpinButton *spin, double *value) {
  if (g_ascii_isdigit(*gtk_editable_get_text(GTK_EDITABLE(spin)))) return FALSE;
  *value = 0;
  return TRUE;
}

static void add_number(GantryProcessesWindow *self, GtkWidget *to, const char *key, double least, double most,
                       const char *title, const char *words) {
  GtkWidget *spin = gtk_spin_button_new_with_range(least, most, 1);
  gtk_widget_set_valign(spin, GTK_ALIGN_CENTER);
  gtk_editable_set_width_chars(GTK_EDITABLE(spin), 9);
  gtk_accessible_update_property(GTK_ACCESSIBLE(spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gantry_tips_set(spin, words);
  if (least == 0) {
    gtk_spin_button_set_numeric(GTK_SPIN_BUTTON(spin), FALSE); /* else it takes no words */
    g_signal_connect(spin, "output", G_CALLBACK(show_automatic), NULL);
    g_signal_connect(spin, "input", G_CALLBACK(read_automatic), NULL);
  }
  g_settings_bind(self->settings, key, gtk_spin_button_get_adjustment(GTK_SPIN_BUTTON(spin)), "value",
                  G_SETTINGS_BIND_DEFAULT);
  gtk_spin_button_update(GTK_SPIN_BUTTON(spin));
  add_row(to, title, words, spin);
}

static void add_command(GantryProcessesWindow *self, GtkWidget *to) {
  static const char title[] = "Command that starts the processes";
  GtkWidget *row = adw_entry_row_new();
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  gantry_tips_name(row, title, "Such as mpirun or srun with its options; taken apart as by a shell, without one");
  self->reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
  gtk_widget_set_valign(self->reset, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(self->reset, "flat");
  gantry_tips_set(self->reset, "Take the command that the program came with");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->reset), GTK_ACCESSIBLE_PROPERTY_LABEL, "Reset the command", -1);
  g_signal_connect_swapped(self->reset, "clicked", G_CALLBACK(reset), self);
  adw_entry_row_add_suffix(ADW_ENTRY_ROW(row), self->reset);
  g_settings_bind(self->settings, "process-command", row, "text", G_SETTINGS_BIND_DEFAULT);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(to), row);
  self->line_row = add_row(to, "Is run as", "–", NULL);
  adw_action_row_set_subtitle_lines(self->line_row, 8);
}

static GtkWidget *make_rows(GantryProcessesWindow *self) {
  self->rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *size =
      group(self->rows, "Processes",
            "Each makes a part of the volume, with the present plan; together they may be on many machines.");
  add_number(self, size, "processes", 1, 1000000, "Number of processes", "On this machine at most one for each core");
  add_number(self, size, "process-threads", 0, 4096, "Threads of each",
             "Automatic: those of a machine divide its cores, unless the launcher gives them fewer");
  GtkWidget *command =
      group(self->rows, "Command",
            "{processes}, {threads}, {program} (gantry-cli of this machine) and {arguments} are filled "
            "in. It is kept for the next time.");
  add_command(self, command);
  GtkWidget *file = group(self->rows, "Volume", NULL);
  self->file_row = add_row(file, "File", "None is chosen yet",
                           button(self, "C_hoose…", "Choose the file of the volume; the format follows from its ending",
                                  G_CALLBACK(choose)));
  adw_action_row_set_subtitle_lines(self->file_row, 3);
  return self->rows;
}

static GtkWidget *make_header(GantryProcessesWindow *self) {
  GtkWidget *header = adw_header_bar_new();
  self->begin = button(self, "_Reconstruct", "Start the processes with the present plan", G_CALLBACK(say_begin));
  self->cancel =
      button(self, "_Cancel", "End all processes; finished slices are kept, and the same command goes on from them",
             G_CALLBACK(say_cancel));
  gtk_widget_add_css_class(self->begin, "suggested-action");
  adw_header_bar_pack_end(ADW_HEADER_BAR(header), self->begin);
  adw_header_bar_pack_end(ADW_HEADER_BAR(header), self->cancel);
  adw_header_bar_set_title_widget(ADW_HEADER_BAR(header), adw_window_title_new("Several Processes", NULL));
  return header;
}

static GtkWidget *make_foot(GantryProcessesWindow *self) {
  GtkWidget *foot = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *scrolled = gtk_scrolled_window_new();
  self->bar = gtk_progress_bar_new();
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, "Progress", -1);
  self->words = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(self->words), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(self->words), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(GTK_LABEL(self->words), 0);
  gtk_label_set_selectable(GTK_LABEL(self->words), TRUE);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), self->words);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scrolled), TRUE);
  gtk_scrolled_window_set_min_content_height(GTK_SCROLLED_WINDOW(scrolled), 90); /* wrapped lines count once for it */
  gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scrolled), 130);
  self->open =
      button(self, "_Open the Volume", "Open the volume beside the results of this window", G_CALLBACK(say_open));
  gtk_widget_set_halign(self->open, GTK_ALIGN_START);
  GtkWidget *const all[] = {self->bar, scrolled, self->open};
  for (gsize i = 0; i < G_N_ELEMENTS(all); i++) gtk_box_append(GTK_BOX(foot), all[i]);
  return foot;
}

static void set_margins(GtkWidget *widget, int margin) {
  gtk_widget_set_margin_start(widget, margin);
  gtk_widget_set_margin_end(widget, margin);
  gtk_widget_set_margin_top(widget, margin);
  gtk_widget_set_margin_bottom(widget, margin);
}

GtkWidget *gantry_processes_window_new(GtkWindow *parent, GSettings *settings) {
  GantryProcessesWindow *self =
      g_object_new(GANTRY_TYPE_PROCESSES_WINDOW, "title", "Several Processes", "transient-for", parent, "default-width",
                   680, "default-height", 740, "hide-on-close", TRUE, NULL);
  self->settings = g_object_ref(settings);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new();
  GtkWidget *rows = make_rows(self), *foot = make_foot(self);
  set_margins(rows, 18);
  set_margins(foot, 18);
  gtk_widget_set_margin_top(foot, 6);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), rows);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_box_append(GTK_BOX(box), make_header(self));
  gtk_box_append(GTK_BOX(box), scrolled);
  gtk_box_append(GTK_BOX(box), foot);
  adw_window_set_content(ADW_WINDOW(self), box);
  static const char *const keys[] = {"changed::processes", "changed::process-threads", "changed::process-command"};
  for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
    g_signal_connect_object(settings, keys[i], G_CALLBACK(say_changed), self, G_CONNECT_SWAPPED);
  update(self);
  return GTK_WIDGET(self);
}
