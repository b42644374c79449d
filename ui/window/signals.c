/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals by name: they are rare beside what they ask for. */
#include "ui/window/signals-private.h"

static guint add(GType window, const char *name, guint count, GType first, GType second) {
  const GType types[] = {first, second};
  return g_signal_newv(name, window, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE, count, (GType *)types);
}

void gantry_window_add_signals(GType window) {
  static const char *const plain[] = {"planes-wanted", "errors-wanted", "worst-wanted",  "solid-wanted",   "ray-wanted",
                                      "shelf-chosen",  "filter-wanted", "growth-wanted", "spectrum-wanted"};
  for (gsize i = 0; i < G_N_ELEMENTS(plain); i++) add(window, plain[i], 0, G_TYPE_NONE, G_TYPE_NONE);
  add(window, "projection-wanted", 2, G_TYPE_INT, G_TYPE_BOOLEAN);
  add(window, "file-dropped", 1, G_TYPE_FILE, G_TYPE_NONE);
  add(window, "shelf-renamed", 2, GANTRY_TYPE_SHELF_ITEM, G_TYPE_STRING);
  add(window, "simulation-changed", 1, G_TYPE_POINTER, G_TYPE_NONE);
  add(window, "filter-edited", 2, G_TYPE_DOUBLE, G_TYPE_INT);
  add(window, "interpolation-edited", 1, G_TYPE_INT, G_TYPE_NONE);
  g_signal_new("refuses-output", window, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL, NULL,
               G_TYPE_BOOLEAN, 1, G_TYPE_STRING);
}

void gantry_say_planes_wanted(gpointer user) {
  g_signal_emit_by_name(user, "planes-wanted");
}

void gantry_say_projection_wanted(gpointer user, int index, gboolean sinogram) {
  g_signal_emit_by_name(user, "projection-wanted", index, sinogram);
}

void gantry_say_errors_wanted(gpointer user) {
  g_signal_emit_by_name(user, "errors-wanted");
}

void gantry_say_file_dropped(gpointer user, GFile *file) {
  g_signal_emit_by_name(user, "file-dropped", file);
}

void gantry_say_worst_wanted(gpointer user) {
  g_signal_emit_by_name(user, "worst-wanted");
}

void gantry_say_solid_wanted(gpointer user) {
  g_signal_emit_by_name(user, "solid-wanted");
}

void gantry_say_ray_wanted(gpointer user) {
  g_signal_emit_by_name(user, "ray-wanted");
}

void gantry_say_shelf_chosen(gpointer user) {
  g_signal_emit_by_name(user, "shelf-chosen");
}

void gantry_say_shelf_renamed(gpointer user, GantryShelfItem *item, const char *name) {
  g_signal_emit_by_name(user, "shelf-renamed", item, name);
}

void gantry_say_simulation_changed(gpointer user, const ct_simulation *simulation) {
  g_signal_emit_by_name(user, "simulation-changed", simulation);
}

void gantry_say_filter_wanted(gpointer user) {
  g_signal_emit_by_name(user, "filter-wanted");
}

void gantry_say_filter_edited(gpointer user, double cutoff, ct_ramp ramp) {
  g_signal_emit_by_name(user, "filter-edited", cutoff, (int)ramp);
}

void gantry_say_interpolation_edited(gpointer user, int interp) {
  g_signal_emit_by_name(user, "interpolation-edited", interp);
}

void gantry_say_growth_wanted(gpointer user) {
  g_signal_emit_by_name(user, "growth-wanted");
}

void gantry_say_spectrum_wanted(gpointer user) {
  g_signal_emit_by_name(user, "spectrum-wanted");
}
