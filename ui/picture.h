/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture on a page, as large as the room allows with square pixels, in black surroundings and with a caption below
 * its edge; over it is drawn what its page has to mark. */
#pragma once

#include <gtk/gtk.h>

#include "ui/image.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PICTURE (gantry_picture_get_type())
G_DECLARE_FINAL_TYPE(GantryPicture, gantry_picture, GANTRY, PICTURE, GtkWidget)

/* Draws over the picture: cr is in the image's world coordinates (mm), y upwards; pixel: mm of a logical pixel. */
typedef void (*GantryPictureOverlay)(gpointer user, cairo_t *cr, double pixel);

GtkWidget *gantry_picture_new(const char *name);
/* The least, and what is taken where there is room, before others expand; 0: as all pictures. */
void gantry_picture_set_widths(GantryPicture *self, int least, int wished);
/* low..high is black to white; NULL: `instead` stands in its place. */
void gantry_picture_set(GantryPicture *self, const GantryImage *image, double low, double high, const char *instead);
/* Where in it a point of the widget is, in mm; FALSE: beside it. */
gboolean gantry_picture_find(GantryPicture *self, double x, double y, double *across, double *up);
void gantry_picture_set_caption(GantryPicture *self, const char *text);
void gantry_picture_set_overlay(GantryPicture *self, GantryPictureOverlay overlay, gpointer user);

G_END_DECLS
