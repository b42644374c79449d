/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What keys mean in slice views and in the scene alike. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  GANTRY_MOVE_NONE,
  GANTRY_MOVE_ARROW,
  GANTRY_MOVE_STEP,
  GANTRY_MOVE_END,
  GANTRY_MOVE_ZOOM
} GantryMoveKind;

typedef struct {
  GantryMoveKind kind;
  int right, up; /* of an arrow */
  int sign;      /* of a step, an end (Home: -1), or a zoom (in: 1) */
} GantryMove;

/* By GDK's key value; letters and digits mean nothing here. */
GantryMove gantry_move_of_key(guint key);

G_END_DECLS
