/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list is kept up to date while it is on screen; the actions always. */
#include "ui/window/marks.h"

#include "recon/base/output.h"

struct _GantryMarksPart {
  GantryMarksPartParts with;
  GantryMarks *marks;
  GantryMarksPage *page;
};

static void draw(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryMarksPart *self = user;
  const GantryMarkKind kind = gantry_mark_kind_find(g_variant_get_string(value, NULL));
  const GantryViewKind focused = gantry_quad_get_focused(self->with.quad);
  if (kind == GANTRY_MARK_KINDS) return;
  gantry_plots_choose(self->with.plots, "regions");
  gantry_display_drop_tools(self->with.display);
  for (int k = 0; k < GANTRY_VIEWS; k++)
    gantry_slice_view_start_mark(gantry_quad_get_view(self->with.quad, (GantryViewKind)k), kind);
  gtk_widget_grab_focus(GTK_WIDGET(
      gantry_quad_get_view(self->with.quad, focused == GANTRY_VIEW_PROJECTION ? GANTRY_VIEW_AXIAL : focused)));
}

/* The crosshair goes to the middle of the chosen mark, and the slices with it. */
static void go_there(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryMarksPart *self = user;
  const GantryMark *mark = gantry_marks_find(self->marks, gantry_marks_get_chosen(self->marks));
  double middle[2], cross[3];
  if (!mark) return;
  gantry_mark_middle(mark, middle);
  gantry_mark_to_world(mark, middle, cross);
  if (mark->oblique) {
    g_action_group_change_action_state(G_ACTION_GROUP(self->with.window), "fourth", g_variant_new_string("oblique"));
    gantry_display_set_oblique(self->with.display, TRUE, &mark->pose);
  }
  gantry_display_set_cross(self->with.display, cross);
}

static void step(GantryMarksPart *self, gboolean back) {
  const guint count = gantry_marks_count(self->marks), chosen = gantry_marks_get_chosen(self->marks);
  guint at = count;
  for (guint i = 0; i < count; i++)
    if (gantry_marks_get(self->marks, i)->id == chosen) at = i;
  if (!count) return;
  const guint next = at == count ? (back ? count - 1 : 0) : (at + (back ? count - 1 : 1)) % count;
  gantry_marks_choose(self->marks, gantry_marks_get(self->marks, next)->id);
  go_there(NULL, NULL, self);
}

static void next(GSimpleAction *action, GVariant *value, gpointer user) {
  step(user, FALSE);
}

static void previous(GSimpleAction *action, GVariant *value, gpointer user) {
  step(user, TRUE);
}

static void drop(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryMarksPart *self = user;
  gantry_marks_remove(self->marks, gantry_marks_get_chosen(self->marks));
}

static void drop_all(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryMarksPart *self = user;
  const guint count = gantry_marks_count(self->marks);
  if (!count) return;
  gantry_marks_clear(self->marks);
  g_autofree char *text = g_strdup_printf(count == 1 ? "One mark was removed." : "%u marks were removed.", count);
  gantry_messages_toast(self->with.messages, GANTRY_ABOUT_ASIDE, text, "Undo", "win.undo-mark");
}

static void undo(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_marks_undo(((GantryMarksPart *)user)->marks);
}

static void show(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_plots_show(((GantryMarksPart *)user)->with.plots, "regions");
}

/* As a table */

static void copy(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryMarksPart *self = user;
  g_autofree char *csv = gantry_marks_page_to_csv(self->page);
  gdk_clipboard_set_text(gtk_widget_get_clipboard(self->with.window), csv);
  gantry_messages_toast(self->with.messages, GANTRY_ABOUT_FILE, "The regions were copied as a table.", NULL, NULL);
}

static void write_to(GantryMarksPart *self, const char *path) {
  gboolean refused = FALSE;
  ct_error *error = NULL;
  g_signal_emit_by_name(self->with.window, "refuses-output", path, &refused);
  if (refused) return;
  g_autofree char *csv = gantry_marks_page_to_csv(self->page), *base = g_path_get_basename(path);
  g_autofree char *text = g_strdup_printf("The regions were saved as %s.", base);
  if (ct_output_write_text(path, csv, &error))
    gantry_messages_toast(self->with.messages, GANTRY_ABOUT_FILE, text, NULL, NULL);
  else
    gantry_messages_show_error(self->with.messages, error->message);
  ct_error_clear(&error);
}

static void answered(GtkNativeDialog *dialog, int response, GantryMarksPart *self) {
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
    g_autofree char *path = g_file_get_path(file);
    if (path)
      write_to(self, path);
    else
      gantry_messages_show_error(self->with.messages,
                                 "A table can only be saved to a folder of this computer. Choose another place.");
  }
  gtk_native_dialog_destroy(dialog);
  g_object_unref(dialog);
}

static void save(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryMarksPart *self = user;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new("Save the Regions", GTK_WINDOW(self->with.window),
                                                             GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", "_Cancel");
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
  gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), "regions.csv");
  g_signal_connect(dialog, "response", G_CALLBACK(answered), self);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

/* Life */

static void allow(GantryMarksPart *self) {
  const gboolean any = gantry_marks_count(self->marks) > 0, chosen = gantry_marks_get_chosen(self->marks) != 0;
  const struct {
    const char *name;
    gboolean there;
  } rows[] = {{"mark-next", any},     {"mark-previous", any},
              {"mark-there", chosen}, {"remove-mark", chosen},
              {"remove-marks", any},  {"copy-marks", any},
              {"save-marks", any},    {"undo-mark", gantry_marks_can_undo(self->marks)}};
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    g_simple_action_set_enabled(
        G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->with.window), rows[i].name)), rows[i].there);
}

GantryMarksPart *gantry_marks_part_new(const GantryMarksPartParts *parts) {
  static const GActionEntry entries[] = {
      {.name = "draw-mark", .parameter_type = "s", .activate = draw},
      {.name = "mark-next", .activate = next},
      {.name = "mark-previous", .activate = previous},
      {.name = "mark-there", .activate = go_there},
      {.name = "remove-mark", .activate = drop},
      {.name = "remove-marks", .activate = drop_all},
      {.name = "undo-mark", .activate = undo},
      {.name = "copy-marks", .activate = copy},
      {.name = "save-marks", .activate = save},
      {.name = "show-marks", .activate = show},
  };
  GantryMarksPart *self = g_new0(GantryMarksPart, 1);
  self->with = *parts;
  self->marks = g_object_ref(gantry_display_get_marks(parts->display));
  g_action_map_add_action_entries(G_ACTION_MAP(parts->window), entries, G_N_ELEMENTS(entries), self);
  self->page = GANTRY_MARKS_PAGE(gantry_marks_page_new(parts->display));
  gantry_plots_add(parts->plots, GTK_WIDGET(self->page), "regions", "Regions");
  g_signal_connect_swapped(self->marks, "changed", G_CALLBACK(allow), self);
  g_signal_connect_swapped(self->marks, "chosen", G_CALLBACK(allow), self);
  allow(self);
  return self;
}

void gantry_marks_part_stop(GantryMarksPart *self) {
  g_signal_handlers_disconnect_by_data(self->marks, self);
}

void gantry_marks_part_free(GantryMarksPart *self) {
  gantry_marks_part_stop(self);
  g_object_unref(self->marks);
  g_free(self);
}

void gantry_marks_part_refresh(GantryMarksPart *self, gboolean has_b) {
  gantry_marks_page_set_b(self->page, has_b);
  if (gantry_plots_is_shown(self->with.plots, "regions")) gantry_marks_page_refresh(self->page);
}
