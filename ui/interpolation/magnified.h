/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small part of the axial slice, made with every interpolation kernel on a far finer grid, picture by picture. */
#pragma once

#include "ui/image.h"

G_BEGIN_DECLS

/* What is wanted: the rectangle, mm, or where there is none a square about this point. */
typedef struct {
  gboolean has_rectangle;
  double corners[2][2], cross[3];
} GantryMagnifiedWish;

/* One of the pictures. */
typedef struct {
  int kernel;         /* of ct_interp_choices; -1: the truth */
  GantryImage *image; /* NULL: there is none, `instead` says why */
  double rmse;        /* from the truth, NAN: there is none */
  int finer;          /* pixels in place of one voxel's side */
  char *instead;
} GantryMagnified;

void gantry_magnified_clear(GantryMagnified *picture);

G_END_DECLS
