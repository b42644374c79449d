/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The start page: a template, and the list of recent scans. */
#include "ui/start-page.h"
#include "ui/shown.h"
#include "ui/tips.h"

#include <adwaita.h>

#define MOST_RECENT 5

struct _GantryStartPage {
  GtkWidget parent_instance;
  GtkWidget *example, *recent_box, *lost_box;
  GtkListBox *recent_list, *lost_list;
  GtkLabel *lost_heading;
};

G_DEFINE_TYPE(GantryStartPage, gantry_start_page, GTK_TYPE_WIDGET)

static void gantry_start_page_dispose(GObject *object) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_start_page_parent_class)->dispose(object);
}

static gboolean gantry_start_page_grab_focus(GtkWidget *widget) {
  return gtk_widget_grab_focus(GANTRY_START_PAGE(widget)->example);
}

static void gantry_start_page_class_init(GantryStartPageClass *class) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = gantry_start_page_dispose;
  widget_class->grab_focus = gantry_start_page_grab_focus;
  gtk_widget_class_set_template_from_resource(widget_class, "/org/gantry/Gantry/ui/start-page.ui");
  gtk_widget_class_bind_template_child(widget_class, GantryStartPage, example);
  gtk_widget_class_bind_template_child(widget_class, GantryStartPage, recent_box);
  gtk_widget_class_bind_template_child(widget_class, GantryStartPage, recent_list);
  gtk_widget_class_bind_template_child(widget_class, GantryStartPage, lost_box);
  gtk_widget_class_bind_template_child(widget_class, GantryStartPage, lost_list);
  gtk_widget_class_bind_template_child(widget_class, GantryStartPage, lost_heading);
}

static void gantry_start_page_init(GantryStartPage *self) {
  gtk_widget_init_template(GTK_WIDGET(self));
}

static char *folder_of(const char *uri) {
  g_autoptr(GFile) file = g_file_new_for_uri(uri), parent = g_file_get_parent(file);
  g_autofree char *path = parent ? g_file_get_path(parent) : NULL;
  const char *home = g_get_home_dir();
  if (!path) return gantry_shown(uri);
  if (g_str_has_prefix(path, home) && (path[strlen(home)] == '/' || !path[strlen(home)])) {
    g_autofree char *below = gantry_shown(path + strlen(home));
    return g_strdup_printf("~%s", below);
  }
  return gantry_shown(path);
}

static GtkWidget *make_row(const char *uri, const char *name) {
  GtkWidget *row = adw_action_row_new();
  g_autofree char *folder = folder_of(uri), *tip = g_strdup_printf("Open %s", name);
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), name);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), folder);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 1);
  adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 1);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), gtk_image_new_from_icon_name("go-next-symbolic"));
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(row), "win.open-recent");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(row), "s", uri);
  gantry_tips_set(row, tip);
  return row;
}

void gantry_start_page_set_recent(GantryStartPage *self, const char *const *uris, const char *const *names) {
  GtkWidget *child;
  int count = 0;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->recent_list))))
    gtk_list_box_remove(self->recent_list, child);
  for (; uris && uris[count] && count < MOST_RECENT; count++)
    gtk_list_box_append(self->recent_list, make_row(uris[count], names[count]));
  gtk_widget_set_visible(self->recent_box, count > 0);
}

/* Sessions that were left */

static GtkWidget *make_lost_button(const GantryLostSession *session, gboolean restore) {
  GtkWidget *button = gantry_tips_new_button(restore ? "_Restore" : "_Discard", NULL);
  g_autofree char *name = g_strdup_printf(restore ? "Restore %s" : "Discard %s", session->title);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), restore ? "win.restore-session" : "win.discard-session");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "u", session->number);
  gantry_tips_name(button, name,
                   restore ? "Open scan, plan, results and layout as they were kept last"
                           : "Remove what was kept of this session; no scan and no volume is touched");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  if (restore) gtk_widget_add_css_class(button, "suggested-action");
  return button;
}

static GtkWidget *make_lost_row(const GantryLostSession *session) {
  GtkWidget *row = adw_action_row_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), session->title);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), session->facts);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), session->damaged ? 3 : 1);
  adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 1);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), make_lost_button(session, FALSE));
  if (!session->damaged) adw_action_row_add_suffix(ADW_ACTION_ROW(row), make_lost_button(session, TRUE));
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
  return row;
}

void gantry_start_page_set_lost(GantryStartPage *self, const GantryLostSession *sessions, gsize count) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->lost_list)))) gtk_list_box_remove(self->lost_list, child);
  for (gsize i = 0; i < count; i++) gtk_list_box_append(self->lost_list, make_lost_row(&sessions[i]));
  gtk_label_set_text(self->lost_heading, count > 1 ? "These sessions ended unexpectedly. Restore them?"
                                                   : "The last session ended unexpectedly. Restore it?");
  gtk_widget_set_visible(self->lost_box, count > 0);
  /* One thing at a time is suggested. */
  if (count)
    gtk_widget_remove_css_class(self->example, "suggested-action");
  else
    gtk_widget_add_css_class(self->example, "suggested-action");
}
