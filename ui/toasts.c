/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One toast at a time, in the window's title: there it lies over no picture, plot or menu. A message is rewritten in
 * place, or dismissed by a timer after it could be read. */
#include "ui/toasts.h"

#include "ui/tips.h"

#define READ_TIME (2 * G_TIME_SPAN_SECOND)
#define SHOW_TIME (5 * G_TIME_SPAN_SECOND)
#define TICK_MS 100

typedef struct {
  GantryTopic topic;
  char *title, *button, *action_name;
} Message;

struct GantryToasts {
  GtkStack *stack; /* the title, or the toast */
  GtkWidget *title, *box;
  GtkLabel *label;
  GtkButton *button;
  gboolean shown;
  GantryTopic topic;
  gint64 since;
  Message waiting;
  guint timer; /* while a toast is shown */
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

static gboolean is_held(GantryToasts *self) {
  const GtkStateFlags held = GTK_STATE_FLAG_PRELIGHT | GTK_STATE_FLAG_FOCUS_WITHIN;
  return (gtk_widget_get_state_flags(self->box) & held) != 0;
}

static void write_message(GantryToasts *self, const Message *message) {
  gtk_label_set_text(self->label, message->title);
  gantry_tips_set(self->box, message->title);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->button), NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->button), message->button != NULL);
  if (message->button) gantry_tips_set_label(self->button, message->button);
  g_autofree char *name = NULL;
  g_autoptr(GVariant) target = NULL;
  /* The target comes before the name, as an action is looked at with the target that is there. */
  if (message->action_name && g_action_parse_detailed_name(message->action_name, &name, &target, NULL)) {
    gtk_actionable_set_action_target_value(GTK_ACTIONABLE(self->button), target);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(self->button), name);
  }
  self->topic = message->topic;
  self->since = g_get_monotonic_time();
}

static void drop(GantryToasts *self) {
  self->shown = FALSE;
  gtk_stack_set_visible_child(self->stack, self->title);
}

static void show_waiting(GantryToasts *self) {
  Message *next = &self->waiting;
  if (next->topic == GANTRY_ABOUT_NOTHING) return;
  write_message(self, next);
  clear_message(next);
  self->shown = TRUE;
  gtk_stack_set_visible_child(self->stack, self->box);
}

static gboolean tick(gpointer data) {
  GantryToasts *self = data;
  if (self->shown) {
    const gint64 age = g_get_monotonic_time() - self->since;
    if (gantry_toast_step(self->topic, age, is_held(self), self->waiting.topic) != GANTRY_TOAST_STAYS) drop(self);
  }
  if (!self->shown) show_waiting(self);
  if (self->shown) return G_SOURCE_CONTINUE;
  self->timer = 0;
  return G_SOURCE_REMOVE;
}

void gantry_toasts_say(GantryToasts *self, GantryTopic topic, const char *text, const char *button,
                       const char *action_name) {
  g_debug("toast: %s", text);
  /* An aside is no reason to forget what waits. */
  if (topic == GANTRY_ABOUT_ASIDE && self->waiting.topic > GANTRY_ABOUT_ASIDE) return;
  clear_message(&self->waiting);
  self->waiting = (Message){topic, g_strdup(text), g_strdup(button), g_strdup(action_name)};
  if (self->shown && self->topic == topic) {
    write_message(self, &self->waiting);
    clear_message(&self->waiting);
  }
  if (!self->timer && tick(self)) self->timer = g_timeout_add(TICK_MS, tick, self);
}

/* Results are told in long sentences: small lines have room for one in a narrow window. */
static GtkWidget *make_label(void) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_lines(GTK_LABEL(label), 3);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, "caption");
  return label;
}

static GtkWidget *make_close(GantryToasts *self) {
  GtkWidget *close = gtk_button_new_from_icon_name("window-close-symbolic");
  gantry_tips_set(close, "Dismiss this note");
  gtk_accessible_update_property(GTK_ACCESSIBLE(close), GTK_ACCESSIBLE_PROPERTY_LABEL, "Dismiss this note", -1);
  gtk_widget_add_css_class(close, "flat");
  gtk_widget_add_css_class(close, "circular");
  g_signal_connect_swapped(close, "clicked", G_CALLBACK(drop), self);
  return close;
}

GantryToasts *gantry_toasts_new(GtkStack *stack) {
  GantryToasts *self = g_new0(GantryToasts, 1);
  self->stack = stack;
  self->title = gtk_stack_get_visible_child(stack);
  self->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class(self->box, "title-toast");
  gtk_widget_set_halign(self->box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(self->box, GTK_ALIGN_CENTER);
  GtkWidget *label = make_label(), *button = gantry_tips_new_button("Command", "What can be done next");
  self->label = GTK_LABEL(label);
  self->button = GTK_BUTTON(button);
  g_signal_connect_swapped(button, "clicked", G_CALLBACK(drop), self);
  GtkWidget *parts[] = {label, button, make_close(self)};
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    gtk_widget_set_valign(parts[i], GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(self->box), parts[i]);
  }
  gtk_stack_add_child(stack, self->box);
  return self;
}

gboolean gantry_toasts_is_shown(GantryToasts *self) {
  return self->shown;
}

const char *gantry_toasts_get_text(GantryToasts *self) {
  return self->shown ? gtk_label_get_text(self->label) : NULL;
}

void gantry_toasts_free(GantryToasts *self) {
  if (!self) return;
  g_clear_handle_id(&self->timer, g_source_remove);
  clear_message(&self->waiting);
  g_free(self);
}
