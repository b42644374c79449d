/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks how finely a region is to be reconstructed, and how far it reaches through the stack. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  int finer;    /* so many voxels in place of one along each axis */
  double depth; /* across the region's slice, in the volume's unit of length */
} GantryRegionChoice;

typedef struct {
  const char *name, *unit; /* of the region, and of lengths */
  int most_finer;
  double depth, most_depth; /* at first, and at most; most_depth 0: there is a single slice */
  double step;              /* of the depth: a voxel */
  /* What it comes to, or why it cannot be (*possible); the caller's to free. */
  char *(*describe)(gpointer user, const GantryRegionChoice *choice, gboolean *possible);
  void (*accept)(gpointer user, const GantryRegionChoice *choice);
  gpointer user;
  GDestroyNotify destroy; /* of user, with the dialog */
} GantryRegionRequest;

void gantry_region_dialog_show(GtkWindow *parent, const GantryRegionRequest *request);

G_END_DECLS
