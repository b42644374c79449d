/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table for the keys of the keyboard and of its keypad. */
#include "ui/view-keys.h"

#include <gdk/gdk.h>

GantryMove gantry_move_of_key(guint key) {
  static const struct {
    guint key, keypad;
    GantryMove move;
  } moves[] = {
      {GDK_KEY_Left, GDK_KEY_KP_Left, {GANTRY_MOVE_ARROW, -1, 0, 0}},
      {GDK_KEY_Right, GDK_KEY_KP_Right, {GANTRY_MOVE_ARROW, 1, 0, 0}},
      {GDK_KEY_Up, GDK_KEY_KP_Up, {GANTRY_MOVE_ARROW, 0, 1, 0}},
      {GDK_KEY_Down, GDK_KEY_KP_Down, {GANTRY_MOVE_ARROW, 0, -1, 0}},
      {GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, {GANTRY_MOVE_STEP, 0, 0, 1}},
      {GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, {GANTRY_MOVE_STEP, 0, 0, -1}},
      {GDK_KEY_Home, GDK_KEY_KP_Home, {GANTRY_MOVE_END, 0, 0, -1}},
      {GDK_KEY_End, GDK_KEY_KP_End, {GANTRY_MOVE_END, 0, 0, 1}},
      {GDK_KEY_plus, GDK_KEY_KP_Add, {GANTRY_MOVE_ZOOM, 0, 0, 1}},
      {GDK_KEY_equal, GDK_KEY_equal, {GANTRY_MOVE_ZOOM, 0, 0, 1}},
      {GDK_KEY_minus, GDK_KEY_KP_Subtract, {GANTRY_MOVE_ZOOM, 0, 0, -1}},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(moves); i++)
    if (moves[i].key == key || moves[i].keypad == key) return moves[i].move;
  return (GantryMove){GANTRY_MOVE_NONE, 0, 0, 0};
}
