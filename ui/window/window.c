/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the window's objects from its template, wires them, and passes on what it is told. */
#include "ui/window/window-private.h"

#include "ui/start-page.h"
#include "ui/tiles.h"
#include "ui/tips.h"
#include "ui/window/accels.h"
#include "ui/window/parts.h"
#include "ui/window/signals-private.h"
#include "ui/tab.h"

G_DEFINE_TYPE(GantryWindow, gantry_window, ADW_TYPE_APPLICATION_WINDOW)

/* The parts of the template that an object asks for. */
static const char *const parts[] = {
    "title",
    "title_stack",
    "open_button",
    "reconstruct_button",
    "panel_button",
    "undo_box",
    "menu_button",
    "pages",
    "start_page",
    "lessons",
    "flap",
    "panel",
    "paned",
    "quad",
    "plots",
    "modes",
    "compare_button",
    "swipe",
    "swipe_adjustment",
    "fade",
    "fade_adjustment",
    "tile",
    "tile_adjustment",
    "layout_button",
    "display_button",
    "legend_box",
    "small_legend_box",
    "cross_label",
    "title_a",
    "title_b",
    "set_reference",
    "clear_reference",
    "plot_pages",
    "plot_tabs",
    "shelf_beside",
    "shelf_box",
    "profile_buttons",
    "errors_buttons",
    "convergence_buttons",
    "continue_button",
    "continue_popover",
    "continue_spin",
    "continue_for",
    "message_above",
    "message_below",
    "message_views",
    "message_banner",
    "message_texts",
    "message_icon",
    "error_label",
    "notice_label",
    "message_button",
    "run_buttons",
    "pause_button",
    "pause_icon",
    "pause_word",
    "progress_bar",
    "busy_bar",
    "busy_label",
    "drop_hint",
};

/* What the objects say */

static void work_settled(gpointer user) {
  GantryWindow *self = user;
  gantry_scales_settle(self->scales);
  gantry_refresh_queue(self->refresh);
}

static void bring_up_to_date(gpointer user) {
  GantryWindow *self = user;
  gantry_fourth_ask(self->fourth);
  gantry_links_refresh(self->links);
  gantry_scales_update(self->scales, gantry_status_is_running(self->status));
  gantry_reading_show(self->reading, gantry_sides_have_reference(self->sides));
  gantry_ray_part_refresh(self->ray);
  gantry_profile_refresh(self->profile);
  gantry_numbers_refresh(self->numbers);
  gantry_errors_refresh(self->errors);
  gantry_filter_part_refresh(self->filter);
  gantry_interpolation_part_refresh(self->interpolation);
  gantry_growth_part_refresh(self->growth);
  gantry_spectrum_part_refresh(self->spectrum);
  gantry_marks_part_refresh(self->marks, gantry_sides_have_reference(self->sides));
}

static void display_changed(GantryDisplay *display, GantryWindow *self) {
  gantry_sides_update(self->sides);
  gantry_reading_show(self->reading, gantry_sides_have_reference(self->sides));
}

static void marks_changed(GantryWindow *self) {
  gantry_refresh_queue(self->refresh);
}

/* Life */

static void make_objects(GantryWindow *self) {
  GtkWidget *window = GTK_WIDGET(self);
  self->refresh = gantry_refresh_new(bring_up_to_date, self);
  self->frame = gantry_frame_new(window, gantry_say_file_dropped, self);
  self->status = gantry_status_new(window, work_settled, self);
  self->messages = gantry_messages_new(window);
  self->quad = gantry_quad_new(window, self->display);
  self->scales = gantry_scales_new(self->display, self->quad);
  self->layouts = gantry_layouts_new(window, self->quad);
  self->planes = gantry_planes_new(self->display, self->quad, self->refresh, gantry_say_planes_wanted, self);
  self->rectangle = gantry_rectangle_new(window, self->panel, self->quad);
  self->fourth =
      gantry_fourth_new(&(GantryFourthParts){window, self->panel, self->display, self->quad, self->refresh,
                                             self->scales, self->rectangle, gantry_say_projection_wanted, self});
  self->scene = gantry_scene_part_new(window, self->quad, self->fourth, gantry_say_solid_wanted, self);
  self->links = gantry_links_new(self->display, self->quad, self->planes, self->fourth);
  self->sides = gantry_sides_new(window, self->display, self->refresh);
  self->compare = gantry_compare_new(G_ACTION_MAP(self), self->display, self->scales, self->refresh);
  self->worst = gantry_worst_new(G_ACTION_MAP(self), self->display, self->quad, gantry_say_worst_wanted, self);
  self->variants = gantry_variants_new();
  self->shelf = gantry_shelf_part_new(window, self->display, gantry_say_shelf_chosen, gantry_say_shelf_renamed, self);
  self->reading = gantry_reading_new(window, self->display, self->quad, self->planes);
  self->plots = gantry_plots_new(window, self->refresh);
  self->ray =
      gantry_ray_part_new(window, self->display, self->plots, self->links, self->refresh, gantry_say_ray_wanted, self);
  self->profile = gantry_profile_new(
      &(GantryProfileParts){window, self->display, self->quad, self->plots, self->messages, self->variants, self->ray});
  self->numbers = gantry_numbers_new(self->display, self->plots, self->quad);
  self->marks =
      gantry_marks_part_new(&(GantryMarksPartParts){window, self->display, self->plots, self->quad, self->messages});
  self->errors = gantry_errors_new(
      &(GantryErrorsParts){window, self->display, self->plots, self->messages, gantry_say_errors_wanted, self});
  self->runs = gantry_runs_new(window, self->display, self->plots, self->messages);
  gantry_scene_part_add_page(self->scene, self->plots);
  self->filter = gantry_filter_part_new(
      window, self->plots, &(GantryFilterListener){gantry_say_filter_wanted, gantry_say_filter_edited, self});
  self->interpolation = gantry_interpolation_part_new(
      window, self->display, self->plots,
      &(GantryInterpolationListener){gantry_say_filter_wanted, gantry_say_interpolation_edited, self});
  self->spectrum = gantry_spectrum_part_new(window, self->plots, self->fourth, gantry_say_spectrum_wanted, self);
  self->growth = gantry_growth_part_new(
      &(GantryGrowthPartParts){window, self->display, self->plots, self->fourth, gantry_say_growth_wanted, self});
  self->simulation = gantry_simulation_part_new(window, self->plots, gantry_say_simulation_changed, self);
  self->variants_part = gantry_variants_part_new(window);
  self->display_actions = gantry_display_actions_new(G_ACTION_MAP(self), self->display);
  self->lessons = gantry_lessons_part_new(window, self->quad, self->plots);
  self->figures = gantry_figures_new(&(GantryFiguresParts){window, self->display, self->quad, self->messages});
}

static void gantry_window_init(GantryWindow *self) {
  static const char *const of_marks[] = {"changed", "chosen", "measured"};
  self->display = gantry_display_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  self->panel = gantry_window_part(self, "panel");
  make_objects(self);
  gantry_window_add_actions(self);
  for (int k = 0; k < GANTRY_VIEWS; k++)
    g_signal_connect_swapped(gantry_quad_get_view(self->quad, (GantryViewKind)k), "auto-window-wanted",
                             G_CALLBACK(gantry_window_auto_window), self);
  g_signal_connect(self->display, "changed", G_CALLBACK(display_changed), self);
  g_signal_connect_swapped(self->display, "profile-changed", G_CALLBACK(gantry_refresh_queue), self->refresh);
  g_signal_connect_swapped(self->display, "mode-changed", G_CALLBACK(gantry_refresh_queue), self->refresh);
  g_signal_connect_swapped(self->display, "values-changed", G_CALLBACK(gantry_refresh_queue), self->refresh);
  for (gsize i = 0; i < G_N_ELEMENTS(of_marks); i++)
    g_signal_connect_object(gantry_display_get_marks(self->display), of_marks[i], G_CALLBACK(marks_changed), self,
                            G_CONNECT_SWAPPED);
  display_changed(self->display, self);
  gantry_tips_yield(GTK_WIDGET(self));
  gantry_tab_connect(GTK_WINDOW(self));
  gantry_window_show_start(self);
}

/* Widgets outlive this, and may tell the objects so. */
static void gantry_window_dispose(GObject *object) {
  GantryWindow *self = GANTRY_WINDOW(object);
  gantry_refresh_stop(self->refresh);
  gantry_status_stop(self->status);
  gantry_messages_stop(self->messages);
  gantry_frame_stop(self->frame);
  gantry_shelf_part_stop(self->shelf);
  gantry_planes_stop(self->planes);
  gantry_scene_part_stop(self->scene);
  gantry_display_actions_stop(self->display_actions);
  gantry_compare_stop(self->compare);
  gantry_worst_stop(self->worst);
  gantry_marks_part_stop(self->marks);
  gantry_ray_part_stop(self->ray);
  if (self->display) {
    g_signal_handlers_disconnect_by_data(self->display, self);
    g_signal_handlers_disconnect_by_data(self->display, self->refresh);
  }
  g_clear_object(&self->display);
  G_OBJECT_CLASS(gantry_window_parent_class)->dispose(object);
}

static void gantry_window_finalize(GObject *object) {
  GantryWindow *self = GANTRY_WINDOW(object);
  gantry_figures_free(self->figures);
  gantry_lessons_part_free(self->lessons);
  gantry_display_actions_free(self->display_actions);
  gantry_variants_part_free(self->variants_part);
  gantry_simulation_part_free(self->simulation);
  for (int i = 0; i < 2; i++) g_free(self->doing[i]);
  gantry_growth_part_free(self->growth);
  gantry_spectrum_part_free(self->spectrum);
  gantry_interpolation_part_free(self->interpolation);
  gantry_filter_part_free(self->filter);
  gantry_runs_free(self->runs);
  gantry_errors_free(self->errors);
  gantry_marks_part_free(self->marks);
  gantry_numbers_free(self->numbers);
  gantry_profile_free(self->profile);
  gantry_ray_part_free(self->ray);
  gantry_plots_free(self->plots);
  gantry_reading_free(self->reading);
  gantry_worst_free(self->worst);
  gantry_compare_free(self->compare);
  gantry_shelf_part_free(self->shelf);
  gantry_variants_free(self->variants);
  gantry_sides_free(self->sides);
  gantry_links_free(self->links);
  gantry_scene_part_free(self->scene);
  gantry_fourth_free(self->fourth);
  gantry_rectangle_free(self->rectangle);
  gantry_planes_free(self->planes);
  gantry_layouts_free(self->layouts);
  gantry_scales_free(self->scales);
  gantry_quad_free(self->quad);
  gantry_messages_free(self->messages);
  gantry_status_free(self->status);
  gantry_frame_free(self->frame);
  gantry_refresh_free(self->refresh);
  G_OBJECT_CLASS(gantry_window_parent_class)->finalize(object);
}

static gboolean gantry_window_focus(GtkWidget *widget, GtkDirectionType direction) {
  const gboolean tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  return (tab && gantry_tab_move(GTK_WINDOW(widget), direction == GTK_DIR_TAB_BACKWARD)) ||
         GTK_WIDGET_CLASS(gantry_window_parent_class)->focus(widget, direction);
}

static void dismiss_message(GantryWindow *self) {
  gantry_messages_dismiss(self->messages);
}

static void gantry_window_class_init(GantryWindowClass *class) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = gantry_window_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_window_finalize;
  widget_class->focus = gantry_window_focus;
  g_type_ensure(GANTRY_TYPE_START_PAGE);
  g_type_ensure(GANTRY_TYPE_PLAN_PANEL);
  g_type_ensure(GANTRY_TYPE_BESIDE);
  g_type_ensure(GANTRY_TYPE_TILES);
  gtk_widget_class_set_template_from_resource(widget_class, "/org/gantry/Gantry/ui/window.ui");
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
    gtk_widget_class_bind_template_child_full(widget_class, parts[i], FALSE, 0);
  gtk_widget_class_bind_template_callback(widget_class, dismiss_message);
  gantry_window_add_signals(GANTRY_TYPE_WINDOW);
}

GantryWindow *gantry_window_new(GtkApplication *application, GSettings *settings) {
  GantryWindow *self = g_object_new(GANTRY_TYPE_WINDOW, "application", application, NULL);
  if (settings) {
    gantry_frame_bind(self->frame, settings);
    gantry_shelf_part_bind(self->shelf, settings);
    gantry_display_actions_bind(self->display_actions, settings);
    g_autofree char *fourth = g_settings_get_string(settings, "fourth");
    g_action_group_change_action_state(G_ACTION_GROUP(self), "fourth", g_variant_new_string(fourth));
  }
  if (application) gantry_accels_set(application);
  return self;
}

GantryPlanPanel *gantry_window_get_panel(GantryWindow *self) {
  return self->panel;
}

GantryDisplay *gantry_window_get_display(GantryWindow *self) {
  return self->display;
}

/* Scans */

/* A new scan: nothing of the old one stays on screen. */
static void reset_views(GantryWindow *self) {
  gantry_window_clear_images(self, CTGL_SLOT_A);
  gantry_window_clear_images(self, CTGL_SLOT_B);
  gantry_window_set_result_titles(self, NULL, NULL);
  gantry_window_set_statistics(self, NULL, NULL);
  gantry_display_set_profile(self->display, GANTRY_VIEWS, (ctgl_point){0, 0}, (ctgl_point){0, 0});
  /* Undo brings the marks back; a scale is true of its own scan alone. */
  gantry_marks_clear(gantry_display_get_marks(self->display));
  gantry_display_set_told(self->display, NULL);
  gantry_quad_maximise(self->quad, GANTRY_VIEWS);
  gantry_planes_reset(self->planes);
  gantry_layouts_reset(self->layouts);
  gantry_quad_set_flat(self->quad, FALSE);
  for (int k = 0; k < GANTRY_VIEWS; k++)
    gantry_slice_view_set_range(gantry_quad_get_view(self->quad, (GantryViewKind)k), 0, 0, 0, 0, NULL);
  gantry_scales_reset(self->scales);
  gantry_fourth_reset(self->fourth);
  gantry_scene_part_reset(self->scene);
  gantry_ray_part_reset(self->ray);
  gantry_links_set_geometry(self->links, NULL, (GantryBins){1, 1, 0});
}

void gantry_window_show_start(GantryWindow *self) {
  gantry_frame_show_start(self->frame);
  gantry_status_set_subtitle(self->status, NULL);
}

void gantry_window_show_scan(GantryWindow *self, const char *title, const char *subtitle) {
  gantry_frame_show_work(self->frame, title);
  gantry_status_set_subtitle(self->status, subtitle);
  reset_views(self);
  gtk_widget_grab_focus(GTK_WIDGET(gantry_quad_get_view(self->quad, GANTRY_VIEW_AXIAL)));
}

void gantry_window_set_title(GantryWindow *self, const char *title) {
  gantry_frame_show_work(self->frame, title);
}

void gantry_window_set_subtitle(GantryWindow *self, const char *subtitle) {
  gantry_status_set_subtitle(self->status, subtitle);
}

void gantry_window_set_recent(GantryWindow *self, const char *const *uris, const char *const *names) {
  gantry_frame_set_recent(self->frame, uris, names);
}

void gantry_window_set_lost_sessions(GantryWindow *self, const GantryLostSession *sessions, gsize count) {
  gantry_frame_set_lost(self->frame, sessions, count);
}

/* Results */

void gantry_window_set_result_titles(GantryWindow *self, const char *a, const char *b) {
  gantry_scales_set_reference(self->scales, b != NULL);
  gantry_sides_set_titles(self->sides, a, b);
  gantry_compare_set_reference(self->compare, b != NULL);
  gantry_quad_set_reference(self->quad, b != NULL);
  gantry_worst_set_reference(self->worst, b != NULL);
}

void gantry_window_set_worst(GantryWindow *self, const GantryPlace *places, gsize count, const char *scope) {
  gantry_worst_set(self->worst, places, count, scope);
}
