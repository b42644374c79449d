/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page "View by View" says of a report with pictures; texts are to be freed. */
#pragma once

#include "ui/display.h"
#include "ui/growth/report.h"

G_BEGIN_DECLS

/* "Sum of 40 views of 180", "Iteration 5 of 20" */
char *gantry_growth_dup_sum(const GantryGrowthReport *report);
/* "Added last: view 39 at 78.0°", "Changed by iteration 5"; "" where that is not known. */
char *gantry_growth_dup_last(const GantryGrowthReport *report);
/* "40 of 180 views: RMSE 0.00474 from all, 0.00481 from the truth" */
char *gantry_growth_dup_reading(const GantryGrowthReport *report, ct_sum_kind kind, GantryDisplay *display);

G_END_DECLS
