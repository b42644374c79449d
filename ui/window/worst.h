/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places where A and B differ most: stepped through by the crosshair. Owns the list, which it asks for where there
 * is none of the pictures on screen. */
#pragma once

#include "ui/window/quad.h"

G_BEGIN_DECLS

#define GANTRY_MOST_PLACES 10

typedef struct {
  double at[3]; /* mm */
  double a, b;
} GantryPlace;

typedef struct _GantryWorst GantryWorst;
/* Adds the actions worst-first, worst-next, worst-previous; wanted: a list is asked for. quad is borrowed. */
GantryWorst *gantry_worst_new(GActionMap *map, GantryDisplay *display, GantryQuad *quad, void (*wanted)(gpointer user),
                              gpointer user);
void gantry_worst_free(GantryWorst *self);
/* The window is gone. */
void gantry_worst_stop(GantryWorst *self);
void gantry_worst_set_reference(GantryWorst *self, gboolean reference);
/* A or B is another one: the list is forgotten. */
void gantry_worst_forget(GantryWorst *self);
/* The largest first; scope: what they are the largest of ("in the whole volume"), NULL: nothing could be compared. */
void gantry_worst_set(GantryWorst *self, const GantryPlace *places, gsize count, const char *scope);

G_END_DECLS
