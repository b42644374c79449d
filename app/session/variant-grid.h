/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variants of the page "Compare Variants": lists the combinations of what the page lets vary, with what refuses;
 * runs them as one job of the engine's worker; and keeps what came of them, the volumes as far as the shelf's memory
 * goes. Owns the rows of the run made last, which stay until the next one or another scan. */
#pragma once

#include "app/session/reference.h"
#include "app/session/shelf-store.h"
#include "app/session/speeds.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_VARIANT_GRID (gantry_variant_grid_get_type())
G_DECLARE_FINAL_TYPE(GantryVariantGrid, gantry_variant_grid, GANTRY, VARIANT_GRID, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryShelf *shelf;
  GantryShelfStore *store;
  GantryDialogs *dialogs;
  GantrySlices *slices;
  GantryReference *reference;
  GantryKernelSpeeds *speeds;
} GantryVariantGridParts;

GantryVariantGrid *gantry_variant_grid_new(const GantryVariantGridParts *parts);
/* The window is there: fills its page. */
void gantry_variant_grid_connect(GantryVariantGrid *self);
/* Another scan: nothing is listed, nothing was run. */
void gantry_variant_grid_reset(GantryVariantGrid *self);
/* The plan or the reference is another one. */
void gantry_variant_grid_update(GantryVariantGrid *self);

/* What is known of a kernel with the plan as it is, for the side panel. */
GantryKernelNote gantry_variant_grid_ask_kernel(gpointer grid, const char *kernel);
/* Shows the page with all kernels ticked that serve the plan; nothing is run yet. */
void gantry_variant_grid_measure_kernels(GantryVariantGrid *self);

/* Volumes of rows that do not lie on the shelf: how many bytes; what would be lost with them and the table, as a
 * sentence (g_free), NULL for nothing. */
double gantry_variant_grid_get_held(GantryVariantGrid *self);
char *gantry_variant_grid_dup_losses(GantryVariantGrid *self);

gboolean gantry_variant_grid_can_run(GantryVariantGrid *self);
void gantry_variant_grid_run(GantryVariantGrid *self);

/* About the row that is chosen on the page. */
gboolean gantry_variant_grid_has_volume(GantryVariantGrid *self);
void gantry_variant_grid_show(GantryVariantGrid *self);
void gantry_variant_grid_make_reference(GantryVariantGrid *self);
void gantry_variant_grid_put_on_shelf(GantryVariantGrid *self);
gboolean gantry_variant_grid_has_values(GantryVariantGrid *self);
void gantry_variant_grid_use_values(GantryVariantGrid *self);

/* Whether rows have ended, and nothing runs. Each asks for a file. */
gboolean gantry_variant_grid_can_save(GantryVariantGrid *self);
void gantry_variant_grid_save_table(GantryVariantGrid *self);
void gantry_variant_grid_save_picture(GantryVariantGrid *self);

G_END_DECLS
