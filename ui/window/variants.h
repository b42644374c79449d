/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ticked results of the shelf, for plots that draw several of them over one another: of each its name, its colour
 * and the planes on screen, which lie where A's do in the world. A value; the window keeps a copy of what it was told
 * last (gantry_window_set_variants). */
#pragma once

#include "ui/image.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;
  int colour; /* 0 and up, another for each; it stays while the result is ticked */
  gboolean is_a, is_b;
  gboolean resampled; /* its voxels are not A's */
  /* By kind; NULL where there is none (no plane yet, or the result does not reach it). The projection is never there.
   */
  GantryImage *images[GANTRY_VIEWS];
} GantryVariant;

typedef struct _GantryVariants GantryVariants;
GantryVariants *gantry_variants_new(void);
void gantry_variants_free(GantryVariants *self);
/* Copies. */
void gantry_variants_set(GantryVariants *self, const GantryVariant *variants, gsize count);
/* In the order of the shelf; borrowed until the next set. */
const GantryVariant *gantry_variants_get(GantryVariants *self, gsize *count);

G_END_DECLS
