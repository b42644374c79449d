/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views and where they are: in one of the layouts, or one alone; the projection, the oblique plane or the scene is
 * the fourth. Owns the slice views and which of them is maximised; which slices they show is decided elsewhere. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene-view.h"
#include "ui/slice-view.h"
#include "ui/tiles.h"

G_BEGIN_DECLS

typedef struct _GantryQuad GantryQuad;
GantryQuad *gantry_quad_new(GtkWidget *window, GantryDisplay *display);
void gantry_quad_free(GantryQuad *self);

GantrySliceView *gantry_quad_get_view(GantryQuad *self, GantryViewKind kind);
/* The image that a view shows; NULL: none. */
GantryImage *gantry_quad_get_image(GantryQuad *self, GantryViewKind kind, ctgl_slot slot);
/* GANTRY_VIEWS: none. */
void gantry_quad_maximise(GantryQuad *self, GantryViewKind kind);
GantryViewKind gantry_quad_get_maximised(GantryQuad *self);
/* The view that has or last had the keyboard, else the axial one; the scene is in the projection's place. */
GantryViewKind gantry_quad_get_focused(GantryQuad *self);
/* All of them again; of one large and three the view with the keyboard is large. */
void gantry_quad_set_layout(GantryQuad *self, GantryLayout layout);
/* A, B and their difference of the focused plane in a row, instead of the views; the action side-by-side, which is
 * there with a reference. Ends when another view is maximised, or none. */
void gantry_quad_set_side_by_side(GantryQuad *self, gboolean beside);
void gantry_quad_set_reference(GantryQuad *self, gboolean reference);
/* The volume is a single slice, or no longer. */
void gantry_quad_set_flat(GantryQuad *self, gboolean flat);
/* What the fourth view is; of the scene the oblique plane may be a part. */
typedef enum { GANTRY_FOURTH_PROJECTION, GANTRY_FOURTH_OBLIQUE, GANTRY_FOURTH_SCENE } GantryFourthKind;
/* The projection's view shows a sinogram, or no longer. */
void gantry_quad_set_sinogram(GantryQuad *self, gboolean sinogram);
void gantry_quad_set_fourth(GantryQuad *self, GantryFourthKind kind);
GantryFourthKind gantry_quad_get_fourth(GantryQuad *self);
GantrySceneView *gantry_quad_get_scene(GantryQuad *self);

G_END_DECLS
