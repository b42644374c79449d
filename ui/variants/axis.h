/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parameter that varies, with its values to be ticked, or numbers to be typed: one line of the page. */
#pragma once

#include <gtk/gtk.h>

#include "recon/solve/backend.h"
#include "recon/solve/plan.h"
#include "ui/plan/kernel-note.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_VARIANT_AXIS (gantry_variant_axis_get_type())
G_DECLARE_FINAL_TYPE(GantryVariantAxis, gantry_variant_axis, GANTRY, VARIANT_AXIS, GtkWidget)

/* What is known of a value with what else is chosen: why it cannot be carried out, and of a kernel how fast it was. */
typedef GantryKernelNote (*GantryAskValue)(gpointer user, const char *key, const char *value);

/* Whether the page can let a parameter vary: it changes voxels or how quickly they are made, and is no device. */
gboolean gantry_variant_axis_can_vary(const ct_param *param);

/* Signals: "changed": other values; "removed": it is no longer to vary. param lives for good. Of kernels and projectors
 * the values are the backend's, of others those of the plan table; the plan's own is ticked. */
GtkWidget *gantry_variant_axis_new(const ct_param *param, const ct_plan *plan, const ct_backend *backend);
void gantry_variant_axis_set_ask(GantryVariantAxis *self, GantryAskValue ask, gpointer user);
const ct_param *gantry_variant_axis_get_param(GantryVariantAxis *self);
/* The values as a text "a,b,c" (g_free); empty: none is chosen. */
char *gantry_variant_axis_dup_values(GantryVariantAxis *self);
/* Of ticked values; those that are not offered are passed over. Of numbers the text. Emits "changed". */
void gantry_variant_axis_set_values(GantryVariantAxis *self, const char *values);
/* Asks anew what is known of the values, as opening the list does. */
void gantry_variant_axis_show_notes(GantryVariantAxis *self);
/* Ticks all but those that refuse, and of kernels "auto", which is one of the others. */
void gantry_variant_axis_tick_served(GantryVariantAxis *self);

G_END_DECLS
