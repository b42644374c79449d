/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The banner moves between three places as the panel comes and goes; in none it lies over a picture or a plot. */
#include "ui/window/messages.h"

#include "ui/tips.h"
#include "ui/window/parts.h"

enum { ABOVE, BELOW, VIEWS, HOSTS }; /* on the start page, below the side panel, the views */

/* A message and its button, which outlive what told them. */
typedef struct {
  char *text, *label, *tip, *action_name;
} Kept;

struct _GantryMessages {
  GantryToasts *queue;
  GtkStack *pages;
  AdwFlap *flap;
  GtkRevealer *hosts[HOSTS]; /* one of them has the banner */
  GtkWidget *banner, *text_box;
  GtkImage *icon;
  GtkLabel *error_label, *notice_label; /* one of them has text */
  GtkButton *button;
  gboolean shown, stopped;
  gboolean told;    /* an error or a notice is up */
  guint errors, up; /* told so far; which of them is up, 0: none */
  Kept waiting;     /* a notice behind the error that is up */
  Kept warning;
  gboolean dismissed; /* the warning */
  GQueue questions;   /* of Kept *: the oldest is up where no error or notice is */
  gboolean asks;      /* it is up */
};

static gboolean at_work(GantryMessages *self) {
  return g_strcmp0(gtk_stack_get_visible_child_name(self->pages), "work") == 0;
}

void gantry_messages_toast(GantryMessages *self, GantryTopic topic, const char *text, const char *button_label,
                           const char *action_name) {
  gantry_toasts_say(self->queue, topic, text, button_label, action_name);
}

/* Where a message has room: below the side panel, else below the views, which give it up. */
static int find_host(GantryMessages *self) {
  if (!at_work(self)) return ABOVE;
  return adw_flap_get_reveal_flap(self->flap) ? BELOW : VIEWS;
}

static void move_banner(GantryMessages *self, int host) {
  if (gtk_revealer_get_child(self->hosts[host]) == self->banner) return;
  g_object_ref(self->banner);
  for (int i = 0; i < HOSTS; i++) gtk_revealer_set_child(self->hosts[i], NULL);
  gtk_revealer_set_child(self->hosts[host], self->banner);
  g_object_unref(self->banner);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self->text_box),
                                 host == BELOW ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

static void place(GantryMessages *self) {
  const int host = find_host(self);
  move_banner(self, host);
  for (int i = 0; i < HOSTS; i++) {
    const gboolean shown = i == host && self->shown;
    gtk_revealer_set_reveal_child(self->hosts[i], shown);
    /* An empty one must not take the pointer from what it lies over. */
    gtk_widget_set_can_target(GTK_WIDGET(self->hosts[i]), shown);
  }
}

static void room_changed(GObject *object, GParamSpec *property, GantryMessages *self) {
  if (!self->stopped) place(self);
}

/* As high as the text needs in the whole width: an overlay by itself asks for the height that it needs in its least
 * width. */
static gboolean lay_out(GtkOverlay *overlay, GtkWidget *child, GdkRectangle *place, GantryMessages *self) {
  GtkWidget *banner = GTK_IS_REVEALER(child) ? gtk_revealer_get_child(GTK_REVEALER(child)) : NULL;
  if (!banner) return FALSE;
  /* Beside the lessons, whose head it would cover. */
  GtkWidget *room = child == GTK_WIDGET(self->hosts[ABOVE]) ? GTK_WIDGET(self->pages) : GTK_WIDGET(overlay);
  const int width = gtk_widget_get_width(room), height = gtk_widget_get_height(GTK_WIDGET(overlay));
  int natural;
  gtk_widget_measure(banner, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  *place = (GdkRectangle){0, gtk_widget_get_valign(child) == GTK_ALIGN_END ? height - natural : 0, width, natural};
  return TRUE;
}

GantryMessages *gantry_messages_new(GtkWidget *window) {
  static const char *const hosts[] = {"message_above", "message_below", "message_views"};
  GantryMessages *self = g_new0(GantryMessages, 1);
  self->queue = gantry_toasts_new(gantry_window_part(window, "title_stack"));
  self->pages = gantry_window_part(window, "pages");
  self->flap = gantry_window_part(window, "flap");
  self->banner = gantry_window_part(window, "message_banner");
  self->text_box = gantry_window_part(window, "message_texts");
  self->icon = gantry_window_part(window, "message_icon");
  self->error_label = gantry_window_part(window, "error_label");
  self->notice_label = gantry_window_part(window, "notice_label");
  self->button = gantry_window_part(window, "message_button");
  for (int i = 0; i < HOSTS; i++) {
    self->hosts[i] = gantry_window_part(window, hosts[i]);
    GtkWidget *parent = gtk_widget_get_parent(GTK_WIDGET(self->hosts[i]));
    if (GTK_IS_OVERLAY(parent)) g_signal_connect(parent, "get-child-position", G_CALLBACK(lay_out), self);
  }
  g_signal_connect(self->pages, "notify::visible-child", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::reveal-flap", G_CALLBACK(room_changed), self);
  g_signal_connect(self->flap, "notify::folded", G_CALLBACK(room_changed), self);
  return self;
}

void gantry_messages_stop(GantryMessages *self) {
  g_clear_pointer(&self->queue, gantry_toasts_free);
  self->stopped = TRUE;
}

static void forget(Kept *kept) {
  g_clear_pointer(&kept->text, g_free);
  g_clear_pointer(&kept->label, g_free);
  g_clear_pointer(&kept->tip, g_free);
  g_clear_pointer(&kept->action_name, g_free);
}

static void keep(Kept *kept, const GantryWarning *message) {
  forget(kept);
  *kept =
      (Kept){g_strdup(message->text), g_strdup(message->label), g_strdup(message->tip), g_strdup(message->action_name)};
}

static void free_kept(gpointer data) {
  forget(data);
  g_free(data);
}

void gantry_messages_free(GantryMessages *self) {
  gantry_messages_stop(self);
  g_queue_clear_full(&self->questions, free_kept);
  forget(&self->waiting);
  forget(&self->warning);
  g_free(self);
}

/* The banner */

static void tell(GtkLabel *label, const char *text) {
  gtk_widget_set_visible(GTK_WIDGET(label), *text);
  gtk_label_set_text(label, text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

typedef enum { ERROR, NOTICE, WARNING, LOOKS } Look;

/* An accessible role is for life: what is no error has a label of its own. */
static void show(GantryMessages *self, const char *text, Look look) {
  static const struct {
    const char *class, *icon, *name;
  } looks[LOOKS] = {[ERROR] = {"fault", "dialog-error-symbolic", "Error"},
                    [NOTICE] = {"notice", "dialog-information-symbolic", "Notice"},
                    [WARNING] = {"doubt", "dialog-warning-symbolic", "Warning"}};
  gtk_widget_set_visible(GTK_WIDGET(self->button), FALSE);
  tell(self->error_label, look == ERROR ? text : "");
  tell(self->notice_label, look == ERROR ? "" : text);
  gtk_image_set_from_icon_name(self->icon, looks[look].icon);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->icon), GTK_ACCESSIBLE_PROPERTY_LABEL, looks[look].name, -1);
  for (int i = 0; i < LOOKS; i++) gtk_widget_remove_css_class(self->banner, looks[i].class);
  gtk_widget_add_css_class(self->banner, looks[look].class);
  self->told = look != WARNING;
  self->asks = FALSE;
  self->up = look == ERROR ? ++self->errors : 0;
  self->shown = TRUE;
  place(self);
}

void gantry_messages_show_error(GantryMessages *self, const char *text) {
  show(self, text, ERROR);
}

void gantry_messages_show_notice(GantryMessages *self, const char *text) {
  show(self, text, NOTICE);
}

void gantry_messages_offer(GantryMessages *self, const char *label, const char *tip, const char *action_name) {
  gantry_tips_set_label(self->button, label);
  gantry_tips_set(GTK_WIDGET(self->button), tip);
  /* The target comes before the name, as an action is looked at with the target that is there. */
  g_autofree char *name = NULL;
  g_autoptr(GVariant) target = NULL;
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->button), NULL);
  if (!action_name || !g_action_parse_detailed_name(action_name, &name, &target, NULL)) return;
  gtk_actionable_set_action_target_value(GTK_ACTIONABLE(self->button), target);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->button), name);
  gtk_widget_set_visible(GTK_WIDGET(self->button), TRUE);
}

static void show_kept(GantryMessages *self, const Kept *kept, Look look) {
  show(self, kept->text, look);
  if (kept->label) gantry_messages_offer(self, kept->label, kept->tip, kept->action_name);
}

/* The oldest: another one must not take its place while somebody is about to answer it. */
static void show_question(GantryMessages *self) {
  const guint more = g_queue_get_length(&self->questions) - 1;
  Kept question = *(const Kept *)g_queue_peek_head(&self->questions);
  g_autofree char *text = more == 0   ? g_strdup(question.text)
                          : more == 1 ? g_strdup_printf("%s One more file asks after it.", question.text)
                                      : g_strdup_printf("%s %u more files ask after it.", question.text, more);
  question.text = text;
  show_kept(self, &question, ERROR);
  self->told = FALSE;
  self->up = 0;
  self->asks = TRUE;
}

/* What is left when errors and notices are over. */
static void show_rest(GantryMessages *self) {
  self->told = self->shown = self->asks = FALSE;
  self->up = 0;
  if (!g_queue_is_empty(&self->questions))
    show_question(self);
  else if (self->warning.text && !self->dismissed)
    show_kept(self, &self->warning, WARNING);
  else
    place(self);
}

void gantry_messages_end_question(GantryMessages *self, const char *action_name) {
  for (GList *link = self->questions.head; link; link = link->next) {
    if (g_strcmp0(((const Kept *)link->data)->action_name, action_name) != 0) continue;
    free_kept(link->data);
    g_queue_delete_link(&self->questions, link);
    break;
  }
  if (!self->told) show_rest(self);
}

void gantry_messages_ask(GantryMessages *self, const GantryWarning *question) {
  gantry_messages_end_question(self, question->action_name);
  Kept *kept = g_new0(Kept, 1);
  keep(kept, question);
  g_queue_push_tail(&self->questions, kept);
  if (!self->told) show_rest(self);
}

void gantry_messages_clear(GantryMessages *self) {
  forget(&self->waiting);
  show_rest(self);
}

guint gantry_messages_get_mark(GantryMessages *self) {
  return self->errors;
}

void gantry_messages_clear_until(GantryMessages *self, guint mark) {
  if (self->up <= mark) gantry_messages_clear(self);
}

void gantry_messages_show_outcome(GantryMessages *self, guint mark, const GantryWarning *notice) {
  keep(&self->waiting, notice);
  if (self->up > mark) return;
  show_kept(self, &self->waiting, NOTICE);
  forget(&self->waiting);
}

void gantry_messages_set_warning(GantryMessages *self, const GantryWarning *warning) {
  if (g_strcmp0(self->warning.text, warning->text) == 0) return;
  keep(&self->warning, warning);
  self->dismissed = FALSE;
  if (!self->told) show_rest(self);
}

void gantry_messages_dismiss(GantryMessages *self) {
  if (self->asks)
    free_kept(g_queue_pop_head(&self->questions));
  else if (!self->told)
    self->dismissed = TRUE;
  if (self->waiting.text) {
    show_kept(self, &self->waiting, NOTICE);
    forget(&self->waiting);
  } else {
    show_rest(self);
  }
}
