/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Widgets of the template that no other object of the window needs. */
#include "ui/window/frame.h"

#include "render/slice-renderer.h"
#include "ui/start-page.h"
#include "ui/window/accels.h"
#include "ui/window/parts.h"

#include <adwaita.h>

struct _GantryFrame {
  GtkWindow *window;
  AdwWindowTitle *title;
  GtkStack *pages;
  GantryStartPage *start_page;
  AdwFlap *flap;
  GtkWidget *panel_button, *drop_hint;
  GMenu *recent_menu;
  GSettings *settings; /* NULL: none */
  void (*dropped)(gpointer user, GFile *file);
  gpointer user;
};

/* Drops */

static gboolean file_dropped(GtkDropTarget *target, const GValue *value, double x, double y, GantryFrame *self) {
  GSList *files = g_value_get_boxed(value);
  if (!files) return FALSE;
  self->dropped(self->user, files->data);
  return TRUE;
}

static void drop_changed(GtkDropTarget *target, GParamSpec *property, GantryFrame *self) {
  gtk_widget_set_visible(self->drop_hint, gtk_drop_target_get_current_drop(target) != NULL);
}

static void take_drops(GantryFrame *self) {
  GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect(target, "drop", G_CALLBACK(file_dropped), self);
  g_signal_connect(target, "notify::current-drop", G_CALLBACK(drop_changed), self);
  gtk_widget_add_controller(GTK_WIDGET(self->window), GTK_EVENT_CONTROLLER(target));
}

/* Menus */

static void add_colour_maps(GtkBuilder *builder, const char *section, const char *command, bool diverging) {
  size_t count;
  const ctgl_colour_map *maps = ctgl_colour_maps(&count);
  GMenu *menu = G_MENU(gtk_builder_get_object(builder, section));
  for (size_t i = 0; i < count; i++) {
    g_autofree char *action = g_strdup_printf("%s::%s", command, maps[i].id);
    if (maps[i].diverging == diverging) g_menu_append(menu, maps[i].title, action);
  }
}

/* One menu for the button beside the modes and, as sections, for the main one. */
static void add_compare_menu(GantryFrame *self, GtkBuilder *builder) {
  GMenu *modes = G_MENU(gtk_builder_get_object(builder, "mode_section")),
        *rates = G_MENU(gtk_builder_get_object(builder, "flicker_rates"));
  GMenuModel *menu = G_MENU_MODEL(gtk_builder_get_object(builder, "compare_menu"));
  for (int i = 0; i < CTGL_MODES; i++) {
    g_autofree char *action = g_strdup_printf("win.mode::%s", ctgl_mode_get((ctgl_mode)i)->id);
    g_menu_append(modes, ctgl_mode_get((ctgl_mode)i)->title, action);
  }
  for (int rate = 1; rate <= 8; rate *= 2) {
    g_autofree char *label = g_strdup_printf("%d per Second", rate),
                    *action = g_strdup_printf("win.flicker-rate(%d)", rate);
    g_menu_append(rates, label, action);
  }
  add_colour_maps(builder, "diverging_section", "win.diverging-map", true);
  GMenu *main_section = G_MENU(gtk_builder_get_object(builder, "compare_section"));
  g_menu_append_section(main_section, NULL, menu);
  gtk_menu_button_set_menu_model(gantry_window_part(self->window, "compare_button"), menu);
}

/* Of a split button the part that opens its menu, which the toolkit leaves without a name. */
static void name_drop_down(GtkWidget *widget, const char *name) {
  if (GTK_IS_MENU_BUTTON(widget)) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    name_drop_down(child, name);
}

static void add_menus(GantryFrame *self) {
  g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource("/org/gantry/Gantry/ui/menus.ui");
  self->recent_menu = g_object_ref(G_MENU(gtk_builder_get_object(builder, "recent_section")));
  add_colour_maps(builder, "colour_section", "win.colour-map", false);
  add_colour_maps(builder, "colour_section_main", "win.colour-map", false);
  add_compare_menu(self, builder);
  adw_split_button_set_menu_model(gantry_window_part(self->window, "open_button"),
                                  G_MENU_MODEL(gtk_builder_get_object(builder, "open_menu")));
  adw_split_button_set_menu_model(gantry_window_part(self->window, "reconstruct_button"),
                                  G_MENU_MODEL(gtk_builder_get_object(builder, "reconstruct_menu")));
  name_drop_down(gantry_window_part(self->window, "open_button"), "More to open");
  name_drop_down(gantry_window_part(self->window, "reconstruct_button"), "More of reconstructing");
  name_drop_down(gantry_window_part(self->window, "continue_button"), "Continue for another number");
  gtk_menu_button_set_menu_model(gantry_window_part(self->window, "menu_button"),
                                 G_MENU_MODEL(gtk_builder_get_object(builder, "main_menu")));
  gtk_menu_button_set_menu_model(gantry_window_part(self->window, "display_button"),
                                 G_MENU_MODEL(gtk_builder_get_object(builder, "display_menu")));
  gtk_menu_button_set_menu_model(gantry_window_part(self->window, "layout_button"),
                                 G_MENU_MODEL(gtk_builder_get_object(builder, "layout_menu")));
}

GantryFrame *gantry_frame_new(GtkWidget *window, void (*dropped)(gpointer user, GFile *file), gpointer user) {
  GantryFrame *self = g_new0(GantryFrame, 1);
  self->window = GTK_WINDOW(window);
  self->title = gantry_window_part(window, "title");
  self->pages = gantry_window_part(window, "pages");
  self->start_page = gantry_window_part(window, "start_page");
  self->flap = gantry_window_part(window, "flap");
  self->panel_button = gantry_window_part(window, "panel_button");
  self->drop_hint = gantry_window_part(window, "drop_hint");
  self->dropped = dropped;
  self->user = user;
  add_menus(self);
  take_drops(self);
  return self;
}

void gantry_frame_stop(GantryFrame *self) {
  g_clear_object(&self->settings);
}

void gantry_frame_free(GantryFrame *self) {
  gantry_frame_stop(self);
  g_object_unref(self->recent_menu);
  g_free(self);
}

GMenuModel *gantry_frame_get_recent(GantryFrame *self) {
  return G_MENU_MODEL(self->recent_menu);
}

void gantry_frame_set_recent(GantryFrame *self, const char *const *uris, const char *const *names) {
  GtkApplication *application = gtk_window_get_application(self->window);
  g_menu_remove_all(self->recent_menu);
  /* While the menu is empty: GTK 4.8 complains when an item that is there loses its key. */
  if (application) gantry_accels_set_recent(application, uris);
  for (int i = 0; uris && uris[i]; i++) {
    g_autoptr(GMenuItem) item = g_menu_item_new(NULL, NULL);
    /* Underscores of a file name are no mnemonics. */
    g_autoptr(GString) label = g_string_new(names[i]);
    g_string_replace(label, "_", "__", 0);
    g_menu_item_set_label(item, label->str);
    g_menu_item_set_action_and_target(item, "win.open-recent", "s", uris[i]);
    g_menu_append_item(self->recent_menu, item);
  }
  gantry_start_page_set_recent(self->start_page, uris, names);
}

void gantry_frame_set_lost(GantryFrame *self, const GantryLostSession *sessions, gsize count) {
  gantry_start_page_set_lost(self->start_page, sessions, count);
}

/* Preferences */

/* A panel that makes room because the window is narrow was not hidden by the user. */
static void panel_revealed(AdwFlap *flap, GParamSpec *property, GantryFrame *self) {
  if (self->settings && !adw_flap_get_folded(flap))
    g_settings_set_boolean(self->settings, "show-panel", adw_flap_get_reveal_flap(flap));
}

void gantry_frame_bind(GantryFrame *self, GSettings *settings) {
  self->settings = g_object_ref(settings);
  g_settings_bind(settings, "window-width", self->window, "default-width", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind(settings, "window-height", self->window, "default-height", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind(settings, "window-maximized", self->window, "maximized", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind(settings, "show-panel", self->flap, "reveal-flap", G_SETTINGS_BIND_GET);
  g_signal_connect(self->flap, "notify::reveal-flap", G_CALLBACK(panel_revealed), self);
  g_settings_bind(settings, "show-plots", gantry_window_part(self->window, "plots"), "visible",
                  G_SETTINGS_BIND_DEFAULT);
}

/* Pages */

static void show_page(GantryFrame *self, gboolean work) {
  gtk_stack_set_visible_child_name(self->pages, work ? "work" : "start");
  gtk_widget_set_visible(self->panel_button, work);
}

void gantry_frame_show_start(GantryFrame *self) {
  show_page(self, FALSE);
  adw_window_title_set_title(self->title, "Gantry");
  gtk_window_set_title(self->window, "Gantry");
  gtk_widget_grab_focus(GTK_WIDGET(self->start_page));
}

void gantry_frame_show_work(GantryFrame *self, const char *title) {
  g_autofree char *window_title = g_strdup_printf("%s – Gantry", title);
  show_page(self, TRUE);
  adw_window_title_set_title(self->title, title);
  gtk_window_set_title(self->window, window_title);
}
