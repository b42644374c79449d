/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spin buttons for signed numbers. */
#pragma once

#include <gtk/gtk.h>

/* The spin button shows negative values with a true minus sign, and reads either sign. */
void gantry_spin_take_minus(GtkSpinButton *spin);
