/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages Histogram and Statistics. Owns them: the histogram is counted here, from the slices on screen; the figures
 * are given. */
#pragma once

#include "ui/histogram.h"
#include "ui/statistics-page.h"
#include "ui/window/plots.h"
#include "ui/window/quad.h"

G_BEGIN_DECLS

typedef struct _GantryNumbers GantryNumbers;
/* plots and quad are borrowed. */
GantryNumbers *gantry_numbers_new(GantryDisplay *display, GantryPlots *plots, GantryQuad *quad);
void gantry_numbers_free(GantryNumbers *self);
/* In an idle moment. */
void gantry_numbers_refresh(GantryNumbers *self);
GantryStatisticsPage *gantry_numbers_get_statistics(GantryNumbers *self);

G_END_DECLS
