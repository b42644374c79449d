/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window's signals (window.h tells of them), and the functions by which its objects have them emitted; user is the
 * window. */
#pragma once

#include <gtk/gtk.h>

#include "recon/filter/filter.h"
#include "recon/phantom/simulation.h"
#include "ui/shelf/item.h"

G_BEGIN_DECLS

/* Once, when the class is made. */
void gantry_window_add_signals(GType window);

void gantry_say_planes_wanted(gpointer user);
void gantry_say_projection_wanted(gpointer user, int index, gboolean sinogram);
void gantry_say_errors_wanted(gpointer user);
void gantry_say_file_dropped(gpointer user, GFile *file);
void gantry_say_worst_wanted(gpointer user);
void gantry_say_solid_wanted(gpointer user);
void gantry_say_ray_wanted(gpointer user);
void gantry_say_shelf_chosen(gpointer user);
void gantry_say_shelf_renamed(gpointer user, GantryShelfItem *item, const char *name);
void gantry_say_simulation_changed(gpointer user, const ct_simulation *simulation);
void gantry_say_filter_wanted(gpointer user);
void gantry_say_filter_edited(gpointer user, double cutoff, ct_ramp ramp);
void gantry_say_interpolation_edited(gpointer user, int interp);
void gantry_say_growth_wanted(gpointer user);
void gantry_say_spectrum_wanted(gpointer user);

G_END_DECLS
