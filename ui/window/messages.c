/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window says by itself: toasts over the lower edge of the views, and one message that stays, an error or a
 * notice, which takes no room from the views. */
#include "ui/window/window-private.h"

void gantry_window_toast(GantryWindow *self, GantryTopic topic, const char *text, const char *button_label,
                         const char *action_name) {
  /* Over the views, where they hide no curve and no number. */
  const gboolean work = g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") == 0;
  gantry_toasts_say(self->sayings, work ? self->view_toasts : self->toasts, topic, text, button_label, action_name);
}

/* Where the words of a message have room and hide neither a picture nor its heading: below the side panel, else over
 * the lower edge of the plots, else over that of the views. */
static GtkRevealer *host_of_message(GantryWindow *self) {
  if (g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") != 0) return self->message_above;
  if (adw_flap_get_reveal_flap(self->flap)) return self->message_below;
  return gtk_widget_get_visible(self->plots) ? self->message_plots : self->message_views;
}

static void place_message(GantryWindow *self) {
  GtkRevealer *const hosts[] = {self->message_above, self->message_below, self->message_plots, self->message_views};
  GtkRevealer *host = host_of_message(self);
  if (gtk_revealer_get_child(host) != self->message_banner) {
    g_object_ref(self->message_banner);
    for (gsize i = 0; i < G_N_ELEMENTS(hosts); i++) gtk_revealer_set_child(hosts[i], NULL);
    gtk_revealer_set_child(host, self->message_banner);
    g_object_unref(self->message_banner);
    gtk_orientable_set_orientation(GTK_ORIENTABLE(self->message_words),
                                   host == self->message_below ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(hosts); i++) {
    const gboolean shown = hosts[i] == host && self->message_shown;
    gtk_revealer_set_reveal_child(hosts[i], shown);
    /* An empty one must not take the pointer from what it lies over. */
    gtk_widget_set_can_target(GTK_WIDGET(hosts[i]), shown);
  }
  /* A toast stands above it. */
  if (host == self->message_views && self->message_shown)
    gtk_widget_add_css_class(GTK_WIDGET(self->view_toasts), "above-message");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->view_toasts), "above-message");
}

static void room_changed(GObject *object, GParamSpec *property, GantryWindow *self) {
  if (self->closed) return;
  place_message(self);
  gantry_window_show_status(self);
}

/* As high as the words need in the whole width: an overlay by itself asks for the height that they need in their least
 * width. */
static gboolean lay_message(GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place, gpointer user) {
  GtkWidget *banner = GTK_IS_REVEALER(child) ? gtk_revealer_get_child(GTK_REVEALER(child)) : NULL;
  if (!banner) return FALSE;
  const int width = gtk_widget_get_width(GTK_WIDGET(overlay)), height = gtk_widget_get_height(GTK_WIDGET(overlay));
  int natural;
  gtk_widget_measure(banner, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  *place = (GdkRectangle){0, gtk_widget_get_valign(child) == GTK_ALIGN_END ? height - natural : 0, width, natural};
  return TRUE;
}

void gantry_window_make_messages(GantryWindow *self) {
  GtkRevealer *const over[] = {self->message_above, self->message_plots, self->message_views};
  for (gsize i = 0; i < G_N_ELEMENTS(over); i++)
    g_signal_connect(gtk_widget_get_parent(GTK_WIDGET(over[i])), "get-child-position", G_CALLBACK(lay_message), NULL);
  g_signal_connect(self->pages, "notify::visible-child", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::reveal-flap", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::folded", G_CALLBACK(room_changed), self);
  g_signal_connect(self->plots, "notify::visible", G_CALLBACK(room_changed), self);
}

static void tell(GtkLabel *label, const char *text) {
  gtk_widget_set_visible(GTK_WIDGET(label), *text);
  gtk_label_set_text(label, text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/* An accessible role is for life: each kind has a label of its own. */
static void show_message(GantryWindow *self, const char *text, gboolean notice) {
  gtk_widget_set_visible(GTK_WIDGET(self->message_button), FALSE);
  tell(self->error_label, notice ? "" : text);
  tell(self->notice_label, notice ? text : "");
  gtk_image_set_from_icon_name(self->message_icon, notice ? "dialog-information-symbolic" : "dialog-error-symbolic");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->message_icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 notice ? "Notice" : "Error", -1);
  gtk_widget_remove_css_class(self->message_banner, notice ? "fault" : "notice");
  gtk_widget_add_css_class(self->message_banner, notice ? "notice" : "fault");
  self->message_shown = TRUE;
  place_message(self);
}

void gantry_window_show_error(GantryWindow *self, const char *text) {
  show_message(self, text, FALSE);
}

void gantry_window_show_notice(GantryWindow *self, const char *text) {
  show_message(self, text, TRUE);
}

void gantry_window_offer_remedy(GantryWindow *self, const char *label, const char *tip, const char *action_name) {
  gtk_button_set_label(self->message_button, label);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->message_button), tip);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->message_button), action_name);
  gtk_widget_set_visible(GTK_WIDGET(self->message_button), TRUE);
}

void gantry_window_clear_error(GantryWindow *self) {
  self->message_shown = FALSE;
  place_message(self);
}
