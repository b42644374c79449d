/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parameter that varies, with its values to be ticked, or numbers to be typed: one line of the page. */
#pragma once

#include <gtk/gtk.h>

#include "recon/solve/backend.h"
#include "recon/solve/plan.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_VARIANT_AXIS (gantry_variant_axis_get_type())
G_DECLARE_FINAL_TYPE(GantryVariantAxis, gantry_variant_axis, GANTRY, VARIANT_AXIS, GtkWidget)

/* Why a value cannot be carried out with what else is chosen (g_free); NULL: it can, or nobody knows. */
typedef char *(*GantryVariantRefusal)(gpointer user, const char *key, const char *value);

/* Whether the page can let a parameter vary: it changes voxels or how quickly they are made, and is no device. */
gboolean gantry_variant_axis_can_vary(const ct_param *param);

/* Signals: "changed": other values; "removed": it is no longer to vary. param lives for good. Of kernels and projectors
 * the values are the backend's, of others those of the plan table; the plan's own is ticked. */
GtkWidget *gantry_variant_axis_new(const ct_param *param, const ct_plan *plan, const ct_backend *backend);
void gantry_variant_axis_set_refusal(GantryVariantAxis *self, GantryVariantRefusal refusal, gpointer user);
const ct_param *gantry_variant_axis_get_param(GantryVariantAxis *self);
/* The values as a text "a,b,c" (g_free); empty: none is chosen. */
char *gantry_variant_axis_dup_values(GantryVariantAxis *self);
/* Of ticked values; those that are not offered are passed over. Of numbers the text. Emits "changed". */
void gantry_variant_axis_set_values(GantryVariantAxis *self, const char *values);
/* Asks anew what refuses, as opening the list does. */
void gantry_variant_axis_show_refusals(GantryVariantAxis *self);

G_END_DECLS
