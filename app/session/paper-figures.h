/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of papers that the page "Compare Variants" offers: asks for a folder, has the engine's worker make them,
 * and tells where they are. Owns the folder of the last ones. */
#pragma once

#include "app/session/dialogs.h"
#include "app/session/jobs.h"
#include "app/session/scan-slot.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_PAPER_FIGURES (gantry_paper_figures_get_type())
G_DECLARE_FINAL_TYPE(GantryPaperFigures, gantry_paper_figures, GANTRY, PAPER_FIGURES, GObject)

/* All are borrowed. */
GantryPaperFigures *gantry_paper_figures_new(GantryContext *context, GantryJobs *jobs, GantryScanSlot *slot,
                                             GantryDialogs *dialogs);
/* The window is there: tells its page which figures there are. */
void gantry_paper_figures_connect(GantryPaperFigures *self);
gboolean gantry_paper_figures_can_make(GantryPaperFigures *self);
/* Asks for a folder, then makes those that are ticked. */
void gantry_paper_figures_make(GantryPaperFigures *self);
/* Opens the folder of the last ones; nothing before. */
void gantry_paper_figures_open_folder(GantryPaperFigures *self);

G_END_DECLS
