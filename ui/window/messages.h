/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window says by itself: toasts in place of the title, and one message that stays, an error, a notice or
 * a warning. Owns the queue of toasts, the banner, and where that is. */
#pragma once

#include <gtk/gtk.h>

#include "ui/toasts.h"
#include "ui/warning.h"

G_BEGIN_DECLS

typedef struct _GantryMessages GantryMessages;
GantryMessages *gantry_messages_new(GtkWidget *window);
void gantry_messages_free(GantryMessages *self);
/* The window is gone. */
void gantry_messages_stop(GantryMessages *self);

void gantry_messages_toast(GantryMessages *self, GantryTopic topic, const char *text, const char *button_label,
                           const char *action_name);
void gantry_messages_show_error(GantryMessages *self, const char *text);
void gantry_messages_show_notice(GantryMessages *self, const char *text);
/* A button in the banner that is up, until the next message. */
void gantry_messages_offer(GantryMessages *self, const char *label, const char *tip, const char *action_name);
void gantry_messages_clear(GantryMessages *self);
/* An error that its button mends: it stays, behind younger errors and notices, until it is answered or dismissed; of
 * several the oldest is up. Its action's detailed name tells it from others. */
void gantry_messages_ask(GantryMessages *self, const GantryWarning *question);
void gantry_messages_end_question(GantryMessages *self, const char *action_name);

/* For work that ends later. The mark is how many errors were told when it began; its end takes nothing down, and puts
 * nothing in the place, of an error told since: a notice then waits until that is dismissed. */
guint gantry_messages_get_mark(GantryMessages *self);
void gantry_messages_clear_until(GantryMessages *self, guint mark);
void gantry_messages_show_outcome(GantryMessages *self, guint mark, const GantryWarning *notice);

/* What makes the numbers on screen doubtful: shown while there is neither an error nor a notice, until it is dismissed
 * or another text is set. */
void gantry_messages_set_warning(GantryMessages *self, const GantryWarning *warning);
/* The message that is up has been read. */
void gantry_messages_dismiss(GantryMessages *self);

G_END_DECLS
