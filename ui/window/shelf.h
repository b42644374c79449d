/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shelf beside the plots, and its commands that are of the window alone: show-shelf, shelf-rename. */
#pragma once

#include "ui/shelf/beside.h"
#include "ui/shelf/list.h"

G_BEGIN_DECLS

typedef struct _GantryShelfPart GantryShelfPart;
/* chosen(user): another result is chosen; renamed(user, item, name): it is to have that name. */
GantryShelfPart *gantry_shelf_part_new(GtkWidget *window, GantryDisplay *display, void (*chosen)(gpointer user),
                                       void (*renamed)(gpointer user, GantryShelfItem *item, const char *name),
                                       gpointer user);
void gantry_shelf_part_free(GantryShelfPart *self);
/* The window is gone. */
void gantry_shelf_part_stop(GantryShelfPart *self);
void gantry_shelf_part_bind(GantryShelfPart *self, GSettings *settings);
/* Of GantryShelfItem; NULL: none. */
void gantry_shelf_part_set_model(GantryShelfPart *self, GListModel *model);
/* See gantry_shelf_list_set_memory. */
void gantry_shelf_part_set_memory(GantryShelfPart *self, const char *text, const char *tip);
/* NULL: none is chosen. */
GantryShelfItem *gantry_shelf_part_get_chosen(GantryShelfPart *self);
/* The plots with the shelf are brought on screen, and the keyboard is on it. */
void gantry_shelf_part_show(GantryShelfPart *self);

G_END_DECLS
