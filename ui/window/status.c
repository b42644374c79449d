/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens: how far a run is, in the header, where it takes no room from the views; the busy line; what the
 * statistics are about. */
#include "ui/window/window-private.h"

/* Work shorter than this shows no busy line: flicker says nothing. */
#define BUSY_DELAY_MS 180
#define PULSE_MS 60

/* Work has ended; its last pictures may still be on the way. */
static void settle(GantryWindow *self) {
  self->settles_until = g_get_monotonic_time() + G_TIME_SPAN_SECOND;
  gantry_window_queue_refresh(self);
}

static gboolean at_work(GantryWindow *self) {
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") == 0;
}

/* Below the window's title: how far a run is; while a file is opened on the start page, that; else what the scan is. */
static void show_subtitle(GantryWindow *self) {
  const char *text = self->subtitle;
  if (self->progress_text && at_work(self)) text = self->progress_text;
  if (!at_work(self)) text = self->busy_shown ? gtk_label_get_text(GTK_LABEL(self->busy_label)) : NULL;
  adw_window_title_set_subtitle(self->title, text ? text : "");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->title), text);
}

void gantry_window_show_status(GantryWindow *self) {
  const gboolean shown = self->progress_text && at_work(self);
  gtk_widget_set_visible(self->run_buttons, shown);
  /* A run has other verbs, and words that need the room; a narrow window has that only in place of undo, too. */
  gtk_widget_set_visible(GTK_WIDGET(self->reconstruct_button), at_work(self) && !shown);
  gtk_widget_set_visible(self->undo_box, at_work(self) && !(shown && adw_flap_get_folded(self->flap)));
  gtk_widget_set_visible(GTK_WIDGET(self->progress_bar), shown);
  gtk_widget_set_visible(GTK_WIDGET(self->busy_bar), self->busy_shown && !shown);
  /* Beside it the value under the crosshair would take a second line, and the views would move. */
  gtk_widget_set_visible(self->busy_label, self->busy_shown && !adw_flap_get_folded(self->flap));
  show_subtitle(self);
}

void gantry_window_set_progress(GantryWindow *self, const ct_progress *progress, const char *text) {
  if (!progress && self->progress_text) settle(self);
  g_free(self->progress_text);
  self->progress_text = progress ? g_strdup(text ? text : ct_stage_title(progress->stage)) : NULL;
  gantry_window_show_status(self);
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

gboolean gantry_window_is_running(GantryWindow *self) {
  return self->progress_text != NULL;
}

static gboolean pulse(gpointer user) {
  gtk_progress_bar_pulse(GANTRY_WINDOW(user)->busy_bar);
  return G_SOURCE_CONTINUE;
}

static gboolean show_busy(gpointer user) {
  GantryWindow *self = user;
  self->busy_shown = TRUE;
  gantry_window_show_status(self);
  self->busy_timer = g_timeout_add(PULSE_MS, pulse, self);
  return G_SOURCE_REMOVE;
}

void gantry_window_stop_busy(GantryWindow *self) {
  g_clear_handle_id(&self->busy_timer, g_source_remove);
}

void gantry_window_set_busy(GantryWindow *self, gboolean busy, const char *text) {
  gtk_label_set_text(GTK_LABEL(self->busy_label), text ? text : "");
  if (busy && !self->busy_timer) {
    self->busy_timer = g_timeout_add(BUSY_DELAY_MS, show_busy, self);
  } else if (busy) {
    show_subtitle(self);
  } else {
    if (self->busy_shown) settle(self);
    gantry_window_stop_busy(self);
    self->busy_shown = FALSE;
    gantry_window_show_status(self);
  }
}

void gantry_window_set_statistics_scope(GantryWindow *self, const char *scope) {
  gantry_statistics_page_set_scope(self->statistics, scope);
}
