/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window says by itself: toasts over the lower edge of the views, and errors, which take no room from the
 * views. */
#include "ui/window-private.h"

void gantry_window_toast(GantryWindow *self, GantryTopic topic, const char *text, const char *button_label,
                         const char *action_name) {
  /* Over the views, where they hide no curve and no number. */
  const gboolean work = g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") == 0;
  gantry_toasts_say(self->sayings, work ? self->view_toasts : self->toasts, topic, text, button_label, action_name);
}

/* Where the words of an error have room and hide neither a picture nor its heading: below the side panel, else over the
 * lower edge of the plots, else over that of the views. */
static GtkRevealer *host_of_error(GantryWindow *self) {
  if (g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") != 0) return self->error_above;
  if (adw_flap_get_reveal_flap(self->flap)) return self->error_below;
  return gtk_widget_get_visible(self->plots) ? self->error_plots : self->error_views;
}

static void place_error(GantryWindow *self) {
  GtkRevealer *const hosts[] = {self->error_above, self->error_below, self->error_plots, self->error_views};
  GtkRevealer *host = host_of_error(self);
  if (gtk_revealer_get_child(host) != self->error_banner) {
    g_object_ref(self->error_banner);
    for (gsize i = 0; i < G_N_ELEMENTS(hosts); i++) gtk_revealer_set_child(hosts[i], NULL);
    gtk_revealer_set_child(host, self->error_banner);
    g_object_unref(self->error_banner);
    gtk_orientable_set_orientation(GTK_ORIENTABLE(self->error_words),
                                   host == self->error_below ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  }
  for (gsize i = 0; i < G_N_ELEMENTS(hosts); i++) {
    const gboolean shown = hosts[i] == host && self->error_shown;
    gtk_revealer_set_reveal_child(hosts[i], shown);
    /* An empty one must not take the pointer from what it lies over. */
    gtk_widget_set_can_target(GTK_WIDGET(hosts[i]), shown);
  }
  /* A toast stands above it. */
  if (host == self->error_views && self->error_shown)
    gtk_widget_add_css_class(GTK_WIDGET(self->view_toasts), "above-error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->view_toasts), "above-error");
}

static void room_changed(GObject *object, GParamSpec *property, GantryWindow *self) {
  if (self->closed) return;
  place_error(self);
  gantry_window_show_status(self);
}

/* As high as the words need in the whole width: an overlay by itself asks for the height that they need in their least
 * width. */
static gboolean lay_error(GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place, gpointer user) {
  GtkWidget *banner = GTK_IS_REVEALER(child) ? gtk_revealer_get_child(GTK_REVEALER(child)) : NULL;
  if (!banner) return FALSE;
  const int width = gtk_widget_get_width(GTK_WIDGET(overlay)), height = gtk_widget_get_height(GTK_WIDGET(overlay));
  int natural;
  gtk_widget_measure(banner, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  *place = (GdkRectangle){0, gtk_widget_get_valign(child) == GTK_ALIGN_END ? height - natural : 0, width, natural};
  return TRUE;
}

void gantry_window_make_messages(GantryWindow *self) {
  GtkRevealer *const over[] = {self->error_above, self->error_plots, self->error_views};
  for (gsize i = 0; i < G_N_ELEMENTS(over); i++)
    g_signal_connect(gtk_widget_get_parent(GTK_WIDGET(over[i])), "get-child-position", G_CALLBACK(lay_error), NULL);
  g_signal_connect(self->pages, "notify::visible-child", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::reveal-flap", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::folded", G_CALLBACK(room_changed), self);
  g_signal_connect(self->plots, "notify::visible", G_CALLBACK(room_changed), self);
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
