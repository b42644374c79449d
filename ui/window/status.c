/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has no room gives it up in this order: the busy text, undo, reconstruct. */
#include "ui/window/status.h"

#include "ui/tips.h"
#include "ui/window/parts.h"

#include <adwaita.h>

/* Work shorter than this shows no busy line: flicker says nothing. */
#define BUSY_DELAY_MS 180
#define PULSE_MS 60

/* Logical pixels: in narrower windows a toast may take three lines. */
#define NARROW 1150

struct _GantryStatus {
  GtkWindow *window;
  AdwWindowTitle *title;
  GtkStack *title_stack; /* the title, or a toast in its place */
  GtkStack *pages;
  AdwFlap *flap;
  GtkWidget *header, *reconstruct_button, *undo_box, *run_buttons, *pause_button, *busy_label;
  GtkImage *pause_icon;
  GtkLabel *pause_word;
  GtkProgressBar *progress_bar, *busy_bar;
  char *subtitle, *progress_text,
      *missing; /* what the scan is; how far the run is, NULL without one; what is still to be told */
  guint busy_timer, soon;
  gboolean busy_shown, stopped;
  void (*settled)(gpointer user);
  gpointer user;
};

static gboolean show_soon(gpointer user) {
  GantryStatus *self = user;
  self->soon = 0;
  gantry_status_show(self);
  return G_SOURCE_REMOVE;
}

/* The panel is told that it is folded while the window is laid out: no time to hide a button. */
static void room_changed(GObject *object, GParamSpec *property, GantryStatus *self) {
  if (!self->stopped && !self->soon) self->soon = g_idle_add_full(G_PRIORITY_HIGH_IDLE, show_soon, self, NULL);
}

GantryStatus *gantry_status_new(GtkWidget *window, void (*settled)(gpointer user), gpointer user) {
  GantryStatus *self = g_new0(GantryStatus, 1);
  self->window = GTK_WINDOW(window);
  self->title = gantry_window_part(window, "title");
  self->title_stack = gantry_window_part(window, "title_stack");
  self->header = gtk_widget_get_ancestor(GTK_WIDGET(self->title_stack), ADW_TYPE_HEADER_BAR);
  self->pages = gantry_window_part(window, "pages");
  self->flap = gantry_window_part(window, "flap");
  self->reconstruct_button = gantry_window_part(window, "reconstruct_button");
  self->undo_box = gantry_window_part(window, "undo_box");
  self->run_buttons = gantry_window_part(window, "run_buttons");
  self->pause_button = gantry_window_part(window, "pause_button");
  self->pause_icon = gantry_window_part(window, "pause_icon");
  self->pause_word = gantry_window_part(window, "pause_word");
  self->progress_bar = gantry_window_part(window, "progress_bar");
  self->busy_bar = gantry_window_part(window, "busy_bar");
  self->busy_label = gantry_window_part(window, "busy_label");
  self->settled = settled;
  self->user = user;
  g_signal_connect_swapped(window, "map", G_CALLBACK(gantry_status_show), self);
  g_signal_connect(window, "notify::default-width", G_CALLBACK(room_changed), self);
  g_signal_connect(self->pages, "notify::visible-child", G_CALLBACK(room_changed), self);
  g_signal_connect(self->title_stack, "notify::visible-child", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::reveal-flap", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::folded", G_CALLBACK(room_changed), self);
  return self;
}

static void stop_busy(GantryStatus *self) {
  g_clear_handle_id(&self->busy_timer, g_source_remove);
}

void gantry_status_stop(GantryStatus *self) {
  stop_busy(self);
  g_clear_handle_id(&self->soon, g_source_remove);
  self->stopped = TRUE;
}

void gantry_status_free(GantryStatus *self) {
  stop_busy(self);
  g_free(self->subtitle);
  g_free(self->progress_text);
  g_free(self->missing);
  g_free(self);
}

static gboolean at_work(GantryStatus *self) {
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "start") != 0;
}

/* Where the plan can be carried out: beside the views. */
static gboolean at_views(GantryStatus *self) {
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") == 0;
}

/* Below the window's title: how far a run or the opening of a file is; else what the scan is. */
static void show_subtitle(GantryStatus *self) {
  const char *text = self->progress_text ? self->progress_text : self->subtitle;
  if (!self->progress_text && !at_work(self))
    text = self->busy_shown ? gtk_label_get_text(GTK_LABEL(self->busy_label)) : NULL;
  adw_window_title_set_subtitle(self->title, text ? text : "");
  gantry_tips_set(GTK_WIDGET(self->title), text);
}

/* The room for three lines is there before they are: nothing below moves. */
static void make_room(GantryStatus *self) {
  int width, height;
  gtk_window_get_default_size(self->window, &width, &height);
  if (at_views(self) && width < NARROW)
    gtk_widget_add_css_class(self->header, "narrow");
  else
    gtk_widget_remove_css_class(self->header, "narrow");
}

void gantry_status_show(GantryStatus *self) {
  const gboolean shown = self->progress_text != NULL;
  gtk_widget_set_visible(self->run_buttons, shown);
  make_room(self);
  /* Pictures in place of words: the template binds them all to this one. */
  gtk_widget_set_visible(GTK_WIDGET(self->pause_icon), adw_flap_get_folded(self->flap));
  const gboolean toast = gtk_stack_get_visible_child(self->title_stack) != GTK_WIDGET(self->title);
  /* A run has other verbs, and texts that need the room; a narrow window has that only in place of undo, too. */
  const gboolean cramped = (shown || toast) && adw_flap_get_folded(self->flap);
  gtk_widget_set_visible(self->reconstruct_button, at_views(self) && !shown && !cramped);
  gtk_widget_set_visible(self->undo_box, at_views(self) && !cramped);
  gtk_widget_set_visible(GTK_WIDGET(self->progress_bar), shown);
  gtk_widget_set_visible(GTK_WIDGET(self->busy_bar), self->busy_shown && !shown);
  /* Beside it the value under the crosshair would take a second line, and the views would move. */
  gtk_widget_set_visible(self->busy_label, self->busy_shown && !adw_flap_get_folded(self->flap));
  show_subtitle(self);
}

void gantry_status_set_subtitle(GantryStatus *self, const char *subtitle) {
  g_free(self->subtitle);
  self->subtitle = g_strdup(subtitle);
  gantry_status_show(self);
}

/* Reconstruct is what to do next only when it can be done. */
void gantry_status_set_missing(GantryStatus *self, const char *text) {
  if (g_strcmp0(self->missing, text) == 0) return;
  g_free(self->missing);
  self->missing = g_strdup(text);
  if (text)
    gtk_widget_remove_css_class(self->reconstruct_button, "suggested-action");
  else
    gtk_widget_add_css_class(self->reconstruct_button, "suggested-action");
  gantry_tips_set(self->reconstruct_button, text ? text : "Reconstruct the whole volume (Ctrl+R)");
}

/* A run */

gboolean gantry_status_is_running(GantryStatus *self) {
  return self->progress_text != NULL;
}

void gantry_status_set_progress(GantryStatus *self, const ct_progress *progress, const char *text) {
  const gboolean ends = !progress && self->progress_text;
  if (ends) self->settled(self->user);
  g_free(self->progress_text);
  self->progress_text = progress ? g_strdup(text ? text : ct_stage_title(progress->stage)) : NULL;
  gantry_status_show(self);
  if (!progress) return;
  const char *verb = progress->paused ? "Resume" : "Pause";
  gtk_label_set_text(self->pause_word, verb);
  gtk_image_set_from_icon_name(self->pause_icon,
                               progress->paused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->pause_button), GTK_ACCESSIBLE_PROPERTY_LABEL, verb, -1);
  if (progress->fraction >= 0)
    gtk_progress_bar_set_fraction(self->progress_bar, progress->fraction);
  else
    gtk_progress_bar_pulse(self->progress_bar);
}

/* The busy line */

static gboolean pulse(gpointer user) {
  gtk_progress_bar_pulse(((GantryStatus *)user)->busy_bar);
  return G_SOURCE_CONTINUE;
}

static gboolean show_busy(gpointer user) {
  GantryStatus *self = user;
  self->busy_shown = TRUE;
  gantry_status_show(self);
  self->busy_timer = g_timeout_add(PULSE_MS, pulse, self);
  return G_SOURCE_REMOVE;
}

gboolean gantry_status_shows_busy(GantryStatus *self) {
  return self->busy_shown;
}

void gantry_status_set_busy(GantryStatus *self, gboolean busy, const char *text) {
  gtk_label_set_text(GTK_LABEL(self->busy_label), text ? text : "");
  if (busy && !self->busy_timer) {
    self->busy_timer = g_timeout_add(BUSY_DELAY_MS, show_busy, self);
  } else if (busy) {
    show_subtitle(self);
  } else {
    if (self->busy_shown) self->settled(self->user);
    stop_busy(self);
    self->busy_shown = FALSE;
    gantry_status_show(self);
  }
}
