/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's frame: template, start page and work page, settings, menus, files dropped on it. */
#include "ui/window/window-private.h"

G_DEFINE_TYPE(GantryWindow, gantry_window, ADW_TYPE_APPLICATION_WINDOW)

static guint signals[GANTRY_WINDOW_SIGNALS];

void gantry_window_emit_planes_wanted(GantryWindow *self) {
  g_signal_emit(self, signals[GANTRY_WINDOW_PLANES_WANTED], 0);
}

void gantry_window_emit_projection_wanted(GantryWindow *self) {
  g_signal_emit(self, signals[GANTRY_WINDOW_PROJECTION_WANTED], 0, self->sinogram ? self->row : self->projection,
                self->sinogram);
}

static gboolean file_dropped(GtkDropTarget *target, const GValue *value, double x, double y, GantryWindow *self) {
  GSList *files = g_value_get_boxed(value);
  if (!files) return FALSE;
  g_signal_emit(self, signals[GANTRY_WINDOW_FILE_DROPPED], 0, files->data);
  return TRUE;
}

static void drop_current_changed(GtkDropTarget *target, GParamSpec *property, GantryWindow *self) {
  gtk_widget_set_visible(self->drop_hint, gtk_drop_target_get_current_drop(target) != NULL);
}

static void take_drops(GantryWindow *self) {
  GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect(target, "drop", G_CALLBACK(file_dropped), self);
  g_signal_connect(target, "notify::current-drop", G_CALLBACK(drop_current_changed), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(target));
}

static void add_colour_maps(GtkBuilder *builder, const char *section) {
  size_t count;
  const ctgl_colour_map *maps = ctgl_colour_maps(&count);
  GMenu *menu = G_MENU(gtk_builder_get_object(builder, section));
  for (size_t i = 0; i < count; i++) {
    if (!g_str_equal(maps[i].id, "blue-white-red")) {
      g_autofree char *action = g_strdup_printf("win.colour-map::%s", maps[i].id);
      g_menu_append(menu, maps[i].title, action);
    }
  }
}

static void add_menus(GantryWindow *self) {
  g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource("/org/gantry/Gantry/ui/menus.ui");
  self->recent_menu = g_object_ref(G_MENU(gtk_builder_get_object(builder, "recent_section")));
  add_colour_maps(builder, "colour_section");
  add_colour_maps(builder, "colour_section_main");
  adw_split_button_set_menu_model(self->open_button, G_MENU_MODEL(gtk_builder_get_object(builder, "open_menu")));
  adw_split_button_set_menu_model(self->reconstruct_button,
                                  G_MENU_MODEL(gtk_builder_get_object(builder, "reconstruct_menu")));
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(self->menu_button),
                                 G_MENU_MODEL(gtk_builder_get_object(builder, "main_menu")));
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(self->display_button),
                                 G_MENU_MODEL(gtk_builder_get_object(builder, "display_menu")));
}

/* A panel that makes way because the window is narrow was not hidden by the user. */
static void panel_revealed(AdwFlap *flap, GParamSpec *property, GantryWindow *self) {
  if (adw_flap_get_folded(flap) || self->closed) return;
  g_settings_set_boolean(self->settings, "show-panel", adw_flap_get_reveal_flap(flap));
}

static void bind_settings(GantryWindow *self) {
  if (!self->settings) return;
  g_settings_bind(self->settings, "window-width", self, "default-width", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind(self->settings, "window-height", self, "default-height", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind(self->settings, "window-maximized", self, "maximized", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind(self->settings, "show-panel", self->flap, "reveal-flap", G_SETTINGS_BIND_GET);
  g_signal_connect(self->flap, "notify::reveal-flap", G_CALLBACK(panel_revealed), self);
  g_settings_bind(self->settings, "show-plots", self->plots, "visible", G_SETTINGS_BIND_DEFAULT);
  g_autofree char *map = g_settings_get_string(self->settings, "colour-map");
  g_autofree char *style = g_settings_get_string(self->settings, "style");
  g_action_group_change_action_state(G_ACTION_GROUP(self), "colour-map", g_variant_new_string(map));
  g_action_group_change_action_state(G_ACTION_GROUP(self), "style", g_variant_new_string(style));
  g_action_group_change_action_state(G_ACTION_GROUP(self), "smooth",
                                     g_variant_new_boolean(g_settings_get_boolean(self->settings, "smooth")));
}

static void gantry_window_dispose(GObject *object) {
  GantryWindow *self = GANTRY_WINDOW(object);
  g_clear_handle_id(&self->refresh, g_source_remove);
  gantry_window_stop_busy(self);
  g_clear_pointer(&self->sayings, gantry_toasts_free);
  self->closed = TRUE;
  if (self->display) g_signal_handlers_disconnect_by_data(self->display, self);
  g_clear_object(&self->display);
  g_clear_object(&self->settings);
  g_clear_object(&self->recent_menu);
  g_clear_pointer(&self->subtitle, g_free);
  g_clear_pointer(&self->progress_text, g_free);
  G_OBJECT_CLASS(gantry_window_parent_class)->dispose(object);
}

static void bind_children(GtkWidgetClass *class) {
#define BIND(name) gtk_widget_class_bind_template_child(class, GantryWindow, name)
  BIND(title), BIND(open_button), BIND(reconstruct_button), BIND(panel_button), BIND(undo_box), BIND(menu_button);
  BIND(pages), BIND(start_page), BIND(flap), BIND(panel), BIND(paned), BIND(quad), BIND(upper_row), BIND(lower_row);
  BIND(plots), BIND(modes), BIND(swipe), BIND(swipe_adjustment), BIND(display_button), BIND(legend_box),
      BIND(small_legend_box), BIND(cross_label);
  BIND(title_a), BIND(title_b), BIND(set_reference), BIND(clear_reference), BIND(plot_pages), BIND(profile_buttons);
  BIND(convergence_buttons), BIND(continue_button), BIND(continue_popover), BIND(continue_spin), BIND(continue_for);
  BIND(toasts), BIND(view_toasts), BIND(message_above), BIND(message_below), BIND(message_plots), BIND(message_views);
  BIND(message_banner), BIND(message_words), BIND(message_icon), BIND(error_label), BIND(notice_label),
      BIND(message_button), BIND(run_buttons), BIND(pause_button), BIND(pause_icon), BIND(pause_word);
  BIND(progress_bar), BIND(busy_bar), BIND(busy_label), BIND(drop_hint);
#undef BIND
}

static void gantry_window_class_init(GantryWindowClass *class) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = gantry_window_dispose;
  g_type_ensure(GANTRY_TYPE_START_PAGE);
  g_type_ensure(GANTRY_TYPE_PLAN_PANEL);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/gantry/Gantry/ui/window.ui");
  bind_children(widget_class);
  gtk_widget_class_bind_template_callback(widget_class, gantry_window_clear_error);
  signals[GANTRY_WINDOW_PLANES_WANTED] =
      g_signal_new("planes-wanted", GANTRY_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[GANTRY_WINDOW_PROJECTION_WANTED] = g_signal_new("projection-wanted", GANTRY_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0,
                                                          NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_BOOLEAN);
  signals[GANTRY_WINDOW_FILE_DROPPED] = g_signal_new("file-dropped", GANTRY_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL,
                                                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_FILE);
}

static void gantry_window_init(GantryWindow *self) {
  self->maximised = GANTRY_VIEWS;
  self->display = gantry_display_new();
  self->sayings = gantry_toasts_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  gantry_window_make_views(self);
  gantry_window_make_plots(self);
  gantry_window_add_actions(self);
  gantry_window_make_rectangle(self);
  gantry_window_make_messages(self);
  add_menus(self);
  take_drops(self);
  gantry_window_show_start(self);
}

GantryWindow *gantry_window_new(GtkApplication *application, GSettings *settings) {
  GantryWindow *self = g_object_new(GANTRY_TYPE_WINDOW, "application", application, NULL);
  self->settings = settings ? g_object_ref(settings) : NULL;
  bind_settings(self);
  if (application) gantry_window_set_accels(application);
  return self;
}

GantryPlanPanel *gantry_window_get_panel(GantryWindow *self) {
  return self->panel;
}

GantryDisplay *gantry_window_get_display(GantryWindow *self) {
  return self->display;
}

static void show_page(GantryWindow *self, gboolean work) {
  gtk_stack_set_visible_child_name(self->pages, work ? "work" : "start");
  gtk_widget_set_visible(self->panel_button, work);
  gantry_window_show_status(self);
}

void gantry_window_show_start(GantryWindow *self) {
  show_page(self, FALSE);
  adw_window_title_set_title(self->title, "Gantry");
  gantry_window_set_subtitle(self, NULL);
  gtk_window_set_title(GTK_WINDOW(self), "Gantry");
  gtk_widget_grab_focus(GTK_WIDGET(self->start_page));
}

void gantry_window_set_subtitle(GantryWindow *self, const char *subtitle) {
  g_free(self->subtitle);
  self->subtitle = g_strdup(subtitle);
  gantry_window_show_status(self);
}

void gantry_window_show_scan(GantryWindow *self, const char *title, const char *subtitle) {
  g_autofree char *window_title = g_strdup_printf("%s – Gantry", title);
  show_page(self, TRUE);
  adw_window_title_set_title(self->title, title);
  gantry_window_set_subtitle(self, subtitle);
  gtk_window_set_title(GTK_WINDOW(self), window_title);
  gantry_window_reset_views(self);
  gtk_widget_grab_focus(GTK_WIDGET(self->view[GANTRY_VIEW_AXIAL]));
}

void gantry_window_set_recent(GantryWindow *self, const char *const *uris, const char *const *names) {
  g_menu_remove_all(self->recent_menu);
  /* While the menu is empty: GTK 4.8 complains when an item that is there loses its key. */
  gantry_window_set_recent_accels(self, uris);
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
