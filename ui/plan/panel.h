/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side panel: the plan's sections in pipeline order, each an expander whose subtitle sums up its present value;
 * rows made from the table of solve/plan.h (spin buttons with unit, range and tooltip, combo rows, switches; "auto" by
 * a button that shows the automatic value). A changed value is marked and has a reset button. */
#pragma once

#include <gtk/gtk.h>

#include "recon/solve/pipeline.h"
#include "recon/solve/plan.h"
#include "render/compute/device.h"
#include "ui/plan/kernel-note.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PLAN_PANEL (gantry_plan_panel_get_type())
G_DECLARE_FINAL_TYPE(GantryPlanPanel, gantry_plan_panel, GANTRY, PLAN_PANEL, GtkWidget)

/* Signals: "plan-edited" (const char *key): the user changed one parameter (NULL: several at once); read the new plan
 * with get_plan. "rectangle-changed": what the functions for the rectangle of unattenuated rays say. */
GtkWidget *gantry_plan_panel_new(void);
/* Shows a plan without emitting. */
void gantry_plan_panel_set_plan(GantryPlanPanel *self, const ct_plan *plan);
const ct_plan *gantry_plan_panel_get_plan(GantryPlanPanel *self);
/* Between these, which can be nested, nothing is shown anew: of much that changes at once a hundred rows are brought up
 * to date once, with the last release. */
void gantry_plan_panel_hold(GantryPlanPanel *self);
void gantry_plan_panel_release(GantryPlanPanel *self);
/* The scan's facts for the Scan section and the automatic values; NULL: no scan, panel insensitive. */
void gantry_plan_panel_set_scan(GantryPlanPanel *self, const char *name, const ct_scan_facts *facts);
/* What automatic values came to: geometry, grid, centre, kernel with its reason, and of which plan, which may have been
 * edited since; memory estimate. Facts and plan, or the estimate, may be NULL. */
void gantry_plan_panel_set_outcome(GantryPlanPanel *self, const ct_pipeline_facts *facts, const ct_plan *plan,
                                   const ct_estimate *estimate);
/* The estimate alone, where nothing was made of the plan. */
void gantry_plan_panel_set_estimate(GantryPlanPanel *self, const ct_estimate *estimate);
/* Whether the plan cannot be carried out, so that what is known is of the values before. */
void gantry_plan_panel_set_refused(GantryPlanPanel *self, gboolean refused);
/* The grid that the plan asks for, as soon as it is edited (NULL: it cannot be told), and what stands against it in a
 * few words, NULL without. */
void gantry_plan_panel_set_grid(GantryPlanPanel *self, const ct_grid *grid, const char *objection);
/* The kernels and, besides the processor's, the projectors to choose from (id, title, explanation); "auto" is added. */
void gantry_plan_panel_set_backend(GantryPlanPanel *self, const ct_backend *backend);
/* Who knows what stands against a kernel and how fast it was; asked when the list opens. NULL: nobody. */
void gantry_plan_panel_set_ask_kernel(GantryPlanPanel *self, GantryAskKernel ask, gpointer user);
/* The graphics devices to choose from; "auto" (the first that is no software) and "none" are added. Until then none is
 * known. */
void gantry_plan_panel_set_devices(GantryPlanPanel *self, const ctgl_device_facts *devices, gsize count);
/* Their names (g_strfreev). */
char **gantry_plan_panel_dup_devices(GantryPlanPanel *self);
/* What the plan's choice of a device comes to; NULL: the processor. */
const ctgl_device_facts *gantry_plan_panel_get_device(GantryPlanPanel *self);
/* What is known of the settings of that device ("Tuned on 3 May 2026: ..."), shown under the choice. */
void gantry_plan_panel_set_tuning(GantryPlanPanel *self, const char *device, const char *words);
/* Why no device can be tuned now, a sentence; NULL: it can. */
void gantry_plan_panel_set_tuning_idle(GantryPlanPanel *self, const char *why);
/* The result of a centre sweep, plotted under the Centre section with the best marked; clicking the plot sets the
 * centre. */
void gantry_plan_panel_set_sweep(GantryPlanPanel *self, const ct_centre_trial *trials, size_t count, double best);

/* Whether the plan takes the beam's intensity from a rectangle of detector pixels (column, row, width, height); whether
 * the scan needs one of its sources at all; and a rectangle that the user drew. */
gboolean gantry_plan_panel_get_rectangle(GantryPlanPanel *self, int rectangle[4]);
gboolean gantry_plan_panel_takes_rectangle(GantryPlanPanel *self);
void gantry_plan_panel_set_rectangle(GantryPlanPanel *self, const int rectangle[4]);
/* How much light arrives in the rectangle, and how evenly (free-beam.h); NAN: not known. */
void gantry_plan_panel_set_free_beam(GantryPlanPanel *self, double share, double evenness);

/* The section or parameter of this title, unfolded if it is rarely touched; NULL: there is none, or it does not matter
 * now. */
GtkWidget *gantry_plan_panel_find(GantryPlanPanel *self, const char *title);

/* Angles of the scan's first and last view, degrees; 0 without a scan. */
void gantry_plan_panel_get_angles(GantryPlanPanel *self, double *first, double *last);

G_END_DECLS
