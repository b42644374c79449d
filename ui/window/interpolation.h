/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Interpolation" below the views, and the command win.show-interpolation. */
#pragma once

#include "ui/interpolation/page.h"
#include "ui/window/plots.h"

G_BEGIN_DECLS

/* wanted(user): the page came on screen, or went, or wants other pictures; edited: the user chose another kernel. */
typedef struct {
  void (*wanted)(gpointer user);
  void (*edited)(gpointer user, int interp);
  gpointer user;
} GantryInterpolationListener;

typedef struct _GantryInterpolationPart GantryInterpolationPart;
GantryInterpolationPart *gantry_interpolation_part_new(GtkWidget *window, GantryDisplay *display, GantryPlots *plots,
                                                       const GantryInterpolationListener *listener);
void gantry_interpolation_part_free(GantryInterpolationPart *self);
gboolean gantry_interpolation_part_is_shown(GantryInterpolationPart *self);
void gantry_interpolation_part_refresh(GantryInterpolationPart *self);
/* What is under way; NULL: nothing. A page with nothing to show says so. */
void gantry_interpolation_part_wait(GantryInterpolationPart *self, const char *doing);
/* Without report and reason there is no scan. */
/* Borrows the report. */
void gantry_interpolation_part_take(GantryInterpolationPart *self, const GantryFilterReport *report,
                                    const char *instead);
/* FALSE: no pictures side by side are wanted. */
gboolean gantry_interpolation_part_get_wish(GantryInterpolationPart *self, GantryMagnifiedWish *wish);
/* Takes what is in it; NULL: all go, `instead` says why. */
void gantry_interpolation_part_take_magnified(GantryInterpolationPart *self, GantryMagnified *picture,
                                              const char *instead);

G_END_DECLS
