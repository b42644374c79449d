/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of the Errors page, by number. */
#pragma once

#include "recon/metric/analysis.h"
#include "ui/plot/plot.h"

G_BEGIN_DECLS

/* id: of the action win.errors-curve. linear: has no logarithmic scale. logarithmic: has it at first. by_slice: its
 * abscissa is an axial slice. */
typedef struct {
  const char *id, *title, *tip;
  gboolean linear, logarithmic, by_slice;
} GantryErrorCurve;

guint gantry_error_curves_count(void);
const GantryErrorCurve *gantry_error_curve_get(guint curve);
/* unit: of values. Replaces what the plot shows; NULL analysis: nothing. */
void gantry_error_curve_show(guint curve, GantryPlot *plot, const ct_analysis *analysis, const char *unit,
                             gboolean logarithmic);

G_END_DECLS
