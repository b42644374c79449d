/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens and what happened: progress strip, busy line, toasts, errors, and what the statistics are about. */
#include "ui/window-private.h"

/* Work shorter than this shows no busy line: flicker says nothing. */
#define BUSY_DELAY_MS 180
#define PULSE_MS 60

/* Work has ended; its last pictures may still be on the way. */
static void settle(GantryWindow *self) {
  self->settles_until = g_get_monotonic_time() + G_TIME_SPAN_SECOND;
  gantry_window_queue_refresh(self);
}

void gantry_window_set_progress(GantryWindow *self, const ct_progress *progress, const char *text) {
  if (!progress && gtk_revealer_get_reveal_child(self->progress_revealer)) settle(self);
  gtk_revealer_set_reveal_child(self->progress_revealer, progress != NULL);
  if (!progress) return;
  gtk_label_set_text(self->progress_label, text ? text : ct_stage_title(progress->stage));
  gtk_button_set_label(GTK_BUTTON(self->pause_button), progress->paused ? "Resume" : "Pause");
  if (progress->fraction >= 0)
    gtk_progress_bar_set_fraction(self->progress_bar, progress->fraction);
  else
    gtk_progress_bar_pulse(self->progress_bar);
}

static gboolean pulse(gpointer user) {
  gtk_progress_bar_pulse(GANTRY_WINDOW(user)->busy_bar);
  return G_SOURCE_CONTINUE;
}

/* The start page has no place for the words but the title bar. */
static void tell_busy(GantryWindow *self) {
  if (g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "start") != 0) return;
  adw_window_title_set_subtitle(self->title, self->busy_shown ? gtk_label_get_text(GTK_LABEL(self->busy_label)) : "");
}

static gboolean show_busy(gpointer user) {
  GantryWindow *self = user;
  self->busy_shown = TRUE;
  tell_busy(self);
  gtk_widget_set_visible(GTK_WIDGET(self->busy_bar), TRUE);
  gtk_widget_set_visible(self->busy_label, TRUE);
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
    tell_busy(self);
  } else {
    if (self->busy_shown) settle(self);
    gantry_window_stop_busy(self);
    self->busy_shown = FALSE;
    tell_busy(self);
    gtk_widget_set_visible(GTK_WIDGET(self->busy_bar), FALSE);
    gtk_widget_set_visible(self->busy_label, FALSE);
  }
}

/* Toasts of which the last one counts. They are rewritten where they stand and never dismissed: libadwaita 1.2 frees a
 * toast's animation twice where the toast goes while it is still coming. */
#define OFFER_TOAST "gantry-offer-toast"
#define STEP_TOAST "gantry-step-toast"
#define TOAST_BORN "gantry-born"
/* An offer that has stood longer is about to go, and takes no new words. */
#define FRESH_OFFER (2 * G_TIME_SPAN_SECOND)

static void toast_gone(AdwToast *toast, GantryWindow *self) {
  static const char *const slots[] = {OFFER_TOAST, STEP_TOAST};
  for (gsize i = 0; i < G_N_ELEMENTS(slots); i++)
    if (g_object_get_data(G_OBJECT(self), slots[i]) == toast) g_object_set_data(G_OBJECT(self), slots[i], NULL);
}

static void keep_toast(GantryWindow *self, const char *slot, AdwToast *toast) {
  g_object_set_data_full(G_OBJECT(self), slot, g_object_ref(toast), g_object_unref);
  g_signal_connect_object(toast, "dismissed", G_CALLBACK(toast_gone), self, 0);
}

/* The last offer, to be rewritten; NULL where there is none that stays long enough. */
static AdwToast *fresh_offer(GantryWindow *self) {
  AdwToast *offer = g_object_get_data(G_OBJECT(self), OFFER_TOAST);
  const gint64 *born = offer ? g_object_get_data(G_OBJECT(offer), TOAST_BORN) : NULL;
  return born && g_get_monotonic_time() - *born < FRESH_OFFER ? offer : NULL;
}

void gantry_window_toast(GantryWindow *self, const char *text, const char *button_label, const char *action_name) {
  /* A toast's title is markup. */
  g_autofree char *title = g_markup_escape_text(text, -1);
  const gboolean offers = button_label && action_name;
  AdwToast *before = offers ? fresh_offer(self) : NULL, *toast = before ? before : adw_toast_new(title);
  g_debug("toast: %s", text);
  if (before) adw_toast_set_title(toast, title);
  if (offers) {
    adw_toast_set_button_label(toast, button_label);
    adw_toast_set_detailed_action_name(toast, action_name);
  }
  if (before) return;
  if (offers) {
    const gint64 now = g_get_monotonic_time();
    g_object_set_data_full(G_OBJECT(toast), TOAST_BORN, g_memdup2(&now, sizeof now), g_free);
    keep_toast(self, OFFER_TOAST, toast);
  }
  adw_toast_overlay_add_toast(self->toasts, toast);
}

void gantry_window_set_statistics_scope(GantryWindow *self, const char *scope) {
  gantry_statistics_page_set_scope(self->statistics, scope);
}

void gantry_window_toast_step(GantryWindow *self, const char *text) {
  g_autofree char *title = g_markup_escape_text(text, -1);
  AdwToast *toast = g_object_get_data(G_OBJECT(self), STEP_TOAST);
  g_debug("toast: %s", text);
  if (toast) {
    adw_toast_set_title(toast, title);
    return;
  }
  toast = adw_toast_new(title);
  keep_toast(self, STEP_TOAST, toast);
  adw_toast_overlay_add_toast(self->toasts, toast);
}

void gantry_window_show_error(GantryWindow *self, const char *text) {
  gtk_widget_set_visible(GTK_WIDGET(self->error_button), FALSE);
  gtk_label_set_text(self->error_label, text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->error_label), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_revealer_set_reveal_child(self->error_revealer, TRUE);
}

void gantry_window_offer_remedy(GantryWindow *self, const char *label, const char *tip, const char *action_name) {
  gtk_button_set_label(self->error_button, label);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->error_button), tip);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->error_button), action_name);
  gtk_widget_set_visible(GTK_WIDGET(self->error_button), TRUE);
}

void gantry_window_clear_error(GantryWindow *self) {
  gtk_revealer_set_reveal_child(self->error_revealer, FALSE);
}
