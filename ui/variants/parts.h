/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Widgets of the page "Compare Variants" that know nothing of it. */
#pragma once

#include <gtk/gtk.h>

/* With the name of its action. */
GtkWidget *gantry_variants_make_button(const char *label, const char *action, const char *tip);
GtkWidget *gantry_variants_make_heading(const char *text);
/* A control with its title before it, which is its accessible name, too. */
GtkWidget *gantry_variants_make_row(const char *title, GtkWidget *control, const char *tip);
/* About the chosen row, and the table; on two lines where one is too short. */
GtkWidget *gantry_variants_make_commands(void);
