/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By frames and not when idle: each part is given its style and its place in the frame that it is made in. */
#include "ui/in-turn.h"

typedef struct {
  const GantryMakePart *parts;
  guint count, next;
  void (*made)(gpointer widget);
  gboolean begun;
} Turn;

static gboolean take_turn(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  Turn *turn = data;
  if (turn->begun && !turn->parts[turn->next](widget)) turn->next++;
  turn->begun = TRUE;
  if (turn->next < turn->count) return G_SOURCE_CONTINUE;
  turn->made(widget);
  return G_SOURCE_REMOVE;
}

void gantry_make_in_turn(GtkWidget *widget, const GantryMakePart *parts, guint count, void (*made)(gpointer widget)) {
  Turn *turn = g_new(Turn, 1);
  *turn = (Turn){.parts = parts, .count = count, .made = made};
  gtk_widget_add_tick_callback(widget, take_turn, turn, g_free);
}
