/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Toasts, one message at a time: a newer one about the same thing takes the place of the older at
 * once, another waits until the one on show could be read, and at most one waits. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* What a message is about. Anything else replaces an aside; an aside waits until no message is shown. */
typedef enum {
  GANTRY_ABOUT_NOTHING,
  GANTRY_ABOUT_ASIDE,     /* a note on a scan, a choice that was made for the user */
  GANTRY_ABOUT_RUN,       /* a volume: made, cancelled, refused, saved */
  GANTRY_ABOUT_PLAN,      /* values: taken, undone, found */
  GANTRY_ABOUT_REFERENCE, /* what A is compared with */
  GANTRY_ABOUT_DEVICE,    /* tuning */
  GANTRY_ABOUT_FILE,      /* pictures, tables and plans that were saved or not opened */
} GantryTopic;

typedef enum { GANTRY_TOAST_STAYS, GANTRY_TOAST_YIELDS, GANTRY_TOAST_GOES } GantryToastStep;

/* What becomes of the message on show after age µs, while another one (GANTRY_ABOUT_NOTHING: none) waits. held: the
 * pointer or the keyboard is on it, and its button may be about to be pressed. */
GantryToastStep gantry_toast_step(GantryTopic shown, gint64 age, gboolean held, GantryTopic waiting);

typedef struct GantryToasts GantryToasts;
/* In a stack whose child is what is shown between toasts; the stack outlives them, and gets another child. */
GantryToasts *gantry_toasts_new(GtkStack *stack);
void gantry_toasts_free(GantryToasts *self);
/* button and action_name may be NULL. */
void gantry_toasts_say(GantryToasts *self, GantryTopic topic, const char *text, const char *button,
                       const char *action_name);
gboolean gantry_toasts_is_shown(GantryToasts *self);
/* NULL: none is on show. */
const char *gantry_toasts_get_text(GantryToasts *self);

G_END_DECLS
