/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One toast at a time. The toolkit's own queue shows every message for its whole time, so that the last comes late; its
 * urgent toasts dismiss the one before, and libadwaita 1.2 frees a toast's animation twice where it is dismissed while
 * it is still coming. Hence a message is rewritten in place or dismissed by a timer after it could be read. */
#include "ui/toasts.h"

#define READ_TIME (2 * G_TIME_SPAN_SECOND) /* much longer than a toast takes to come */
#define SHOW_TIME (5 * G_TIME_SPAN_SECOND)
#define TICK_MS 100

typedef struct {
  GantryTopic topic;
  AdwToastOverlay *overlay;
  char *title, *button, *action_name;
} Message;

struct GantryToasts {
  AdwToast *toast; /* on show */
  GantryTopic topic;
  AdwToastOverlay *overlay;
  gint64 since;
  Message waiting;
  guint timer; /* while there is a toast */
};

GantryToastStep gantry_toast_step(GantryTopic shown, gint64 age, gboolean held, GantryTopic waiting) {
  if (held || age < READ_TIME) return GANTRY_TOAST_STAYS;
  const gboolean patient = waiting == GANTRY_ABOUT_ASIDE && shown != GANTRY_ABOUT_ASIDE;
  if (waiting != GANTRY_ABOUT_NOTHING && !patient) return GANTRY_TOAST_YIELDS;
  return age < SHOW_TIME ? GANTRY_TOAST_STAYS : GANTRY_TOAST_GOES;
}

static void clear_message(Message *message) {
  g_free(message->title);
  g_free(message->button);
  g_free(message->action_name);
  *message = (Message){0};
}

/* The widget of the toast on show, the last child of the overlay. */
static gboolean is_held(GantryToasts *self) {
  GtkWidget *widget = gtk_widget_get_last_child(GTK_WIDGET(self->overlay));
  const GtkStateFlags held = GTK_STATE_FLAG_PRELIGHT | GTK_STATE_FLAG_FOCUS_WITHIN;
  return widget && widget != adw_toast_overlay_get_child(self->overlay) &&
         (gtk_widget_get_state_flags(widget) & held) != 0;
}

/* Results are told in long sentences, and a title of the toolkit's is cut off where the window is small. */
static GtkWidget *make_label(void) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, "heading");
  return label;
}

static void write_message(GantryToasts *self, const Message *message) {
  gtk_label_set_text(GTK_LABEL(adw_toast_get_custom_title(self->toast)), message->title);
  adw_toast_set_button_label(self->toast, message->button);
  if (message->action_name) adw_toast_set_detailed_action_name(self->toast, message->action_name);
  self->topic = message->topic;
  self->since = g_get_monotonic_time();
}

static void dismissed(AdwToast *toast, GantryToasts *self) {
  if (toast == self->toast) g_clear_object(&self->toast);
}

static void drop(GantryToasts *self) {
  if (!self->toast) return;
  g_autoptr(AdwToast) toast = g_steal_pointer(&self->toast);
  g_signal_handlers_disconnect_by_data(toast, self);
  adw_toast_dismiss(toast);
}

static void show_waiting(GantryToasts *self) {
  Message *next = &self->waiting;
  if (next->topic == GANTRY_ABOUT_NOTHING) return;
  self->toast = adw_toast_new("");
  adw_toast_set_custom_title(self->toast, make_label());
  adw_toast_set_timeout(self->toast, 0);
  g_signal_connect(self->toast, "dismissed", G_CALLBACK(dismissed), self);
  write_message(self, next);
  self->overlay = next->overlay;
  clear_message(next);
  adw_toast_overlay_add_toast(self->overlay, g_object_ref(self->toast));
}

static gboolean tick(gpointer data) {
  GantryToasts *self = data;
  if (self->toast) {
    const gint64 age = g_get_monotonic_time() - self->since;
    if (gantry_toast_step(self->topic, age, is_held(self), self->waiting.topic) != GANTRY_TOAST_STAYS) drop(self);
  }
  if (!self->toast) show_waiting(self);
  if (self->toast) return G_SOURCE_CONTINUE;
  self->timer = 0;
  return G_SOURCE_REMOVE;
}

void gantry_toasts_say(GantryToasts *self, AdwToastOverlay *overlay, GantryTopic topic, const char *text,
                       const char *button, const char *action_name) {
  g_debug("toast: %s", text);
  /* An aside is no reason to forget what waits. */
  if (topic == GANTRY_ABOUT_ASIDE && self->waiting.topic > GANTRY_ABOUT_ASIDE) return;
  clear_message(&self->waiting);
  self->waiting = (Message){topic, overlay, g_strdup(text), g_strdup(button), g_strdup(action_name)};
  if (self->toast && self->topic == topic && self->overlay == overlay) {
    write_message(self, &self->waiting);
    clear_message(&self->waiting);
  }
  if (!self->timer && tick(self)) self->timer = g_timeout_add(TICK_MS, tick, self);
}

GantryToasts *gantry_toasts_new(void) {
  return g_new0(GantryToasts, 1);
}

void gantry_toasts_free(GantryToasts *self) {
  if (!self) return;
  g_clear_handle_id(&self->timer, g_source_remove);
  if (self->toast) g_signal_handlers_disconnect_by_data(self->toast, self);
  g_clear_object(&self->toast);
  clear_message(&self->waiting);
  g_free(self);
}
