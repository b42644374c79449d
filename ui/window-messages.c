/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window says by itself: toasts over the lower edge of the views, and errors. An error stands below the side
 * panel, where it takes no room from the views and hides nothing; without a panel it lies over the top of what is
 * shown. */
#include "ui/window-private.h"

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

/* Over the views, where they hide no curve and no number. */
static AdwToastOverlay *toasts_of(GantryWindow *self) {
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") == 0 ? self->view_toasts : self->toasts;
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
  adw_toast_overlay_add_toast(toasts_of(self), toast);
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
  adw_toast_overlay_add_toast(toasts_of(self), toast);
}

/* Where the words of an error have room. */
static void place_error(GantryWindow *self) {
  const gboolean work = g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") == 0;
  const gboolean below = work && adw_flap_get_reveal_flap(self->flap) && !adw_flap_get_folded(self->flap);
  GtkRevealer *host = below ? self->error_below : self->error_above,
              *other = below ? self->error_above : self->error_below;
  if (gtk_revealer_get_child(host) != self->error_banner) {
    g_object_ref(self->error_banner);
    gtk_revealer_set_child(other, NULL);
    gtk_revealer_set_child(host, self->error_banner);
    g_object_unref(self->error_banner);
    gtk_orientable_set_orientation(GTK_ORIENTABLE(self->error_words),
                                   below ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  }
  gtk_revealer_set_reveal_child(other, FALSE);
  gtk_revealer_set_reveal_child(host, self->error_shown);
}

static void room_changed(GObject *object, GParamSpec *property, GantryWindow *self) {
  if (self->closed) return;
  place_error(self);
  gantry_window_show_status(self);
}

void gantry_window_make_messages(GantryWindow *self) {
  g_signal_connect(self->pages, "notify::visible-child", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::reveal-flap", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::folded", G_CALLBACK(room_changed), self);
}

void gantry_window_show_error(GantryWindow *self, const char *text) {
  gtk_widget_set_visible(GTK_WIDGET(self->error_button), FALSE);
  gtk_label_set_text(self->error_label, text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->error_label), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  self->error_shown = TRUE;
  place_error(self);
}

void gantry_window_offer_remedy(GantryWindow *self, const char *label, const char *tip, const char *action_name) {
  gtk_button_set_label(self->error_button, label);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->error_button), tip);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->error_button), action_name);
  gtk_widget_set_visible(GTK_WIDGET(self->error_button), TRUE);
}

void gantry_window_clear_error(GantryWindow *self) {
  self->error_shown = FALSE;
  place_error(self);
}
