/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list lies in the template's box, beside the pages of plots. */
#include "ui/window/shelf.h"

#include "ui/window/parts.h"

struct _GantryShelfPart {
  GantryBeside *beside;
  GtkWidget *plots;
  GantryShelfList *list;
  GantryDisplay *display;
  void (*chosen)(gpointer user);
  void (*renamed)(gpointer user, GantryShelfItem *item, const char *name);
  gpointer user;
};

static void list_chosen(GantryShelfList *list, GantryShelfPart *self) {
  self->chosen(self->user);
}

static void list_renamed(GantryShelfList *list, GantryShelfItem *item, const char *name, GantryShelfPart *self) {
  self->renamed(self->user, item, name);
}

static void rename_chosen(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_shelf_part_show(user);
  gantry_shelf_list_rename(((GantryShelfPart *)user)->list);
}

GantryShelfPart *gantry_shelf_part_new(GtkWidget *window, GantryDisplay *display, void (*chosen)(gpointer user),
                                       void (*renamed)(gpointer user, GantryShelfItem *item, const char *name),
                                       gpointer user) {
  static const GActionEntry entries[] = {{.name = "shelf-rename", .activate = rename_chosen}};
  GantryShelfPart *self = g_new0(GantryShelfPart, 1);
  self->beside = gantry_window_part(window, "shelf_beside");
  self->plots = gantry_window_part(window, "plots");
  self->display = g_object_ref(display);
  self->chosen = chosen;
  self->renamed = renamed;
  self->user = user;
  self->list = GANTRY_SHELF_LIST(gantry_shelf_list_new());
  gtk_widget_set_hexpand(GTK_WIDGET(self->list), TRUE);
  gtk_box_append(gantry_window_part(window, "shelf_box"), GTK_WIDGET(self->list));
  g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource("/org/gantry/Gantry/ui/menus.ui");
  gantry_shelf_list_set_menu(self->list, G_MENU_MODEL(gtk_builder_get_object(builder, "shelf_menu")));
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_autoptr(GPropertyAction) show = g_property_action_new("show-shelf", self->beside, "shown");
  g_action_map_add_action(G_ACTION_MAP(window), G_ACTION(show));
  g_signal_connect_object(gantry_window_part(window, "plot_pages"), "notify::visible-child",
                          G_CALLBACK(gantry_beside_give_way), self->beside, G_CONNECT_SWAPPED);
  g_signal_connect(self->list, "chosen", G_CALLBACK(list_chosen), self);
  g_signal_connect(self->list, "renamed", G_CALLBACK(list_renamed), self);
  return self;
}

void gantry_shelf_part_stop(GantryShelfPart *self) {
  if (!self->list) return;
  g_signal_handlers_disconnect_by_data(self->list, self);
  gantry_shelf_list_set_model(self->list, NULL, NULL);
  self->list = NULL;
}

void gantry_shelf_part_free(GantryShelfPart *self) {
  gantry_shelf_part_stop(self);
  g_object_unref(self->display);
  g_free(self);
}

void gantry_shelf_part_bind(GantryShelfPart *self, GSettings *settings) {
  g_settings_bind(settings, "show-shelf", self->beside, "wanted", G_SETTINGS_BIND_DEFAULT);
}

void gantry_shelf_part_set_model(GantryShelfPart *self, GListModel *model) {
  if (self->list) gantry_shelf_list_set_model(self->list, model, self->display);
}

void gantry_shelf_part_set_memory(GantryShelfPart *self, const char *text, const char *tip) {
  if (self->list) gantry_shelf_list_set_memory(self->list, text, tip);
}

GantryShelfItem *gantry_shelf_part_get_chosen(GantryShelfPart *self) {
  return self->list ? gantry_shelf_list_get_chosen(self->list) : NULL;
}

void gantry_shelf_part_show(GantryShelfPart *self) {
  gtk_widget_set_visible(self->plots, TRUE);
  gantry_beside_set_shown(self->beside, TRUE);
}
