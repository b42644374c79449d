/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipeline knows of truncation: a sample of views, spread over the arc, tells whether the object reaches the
 * detector's edge. The sample is that of the plan's whole grid, so that slabs are made as the volume is. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/digest.h"

#include <math.h>

/* The first that a volume is made of, so that looking at them delays no picture. */
enum { SAMPLE_VIEWS = 24 };

/* Fewer views than this share are not worth a warning. */
static const double least_share = 0.02;

/* The sides that count: of a displaced detector the narrow one is cut off by intent. */
static void sides_that_count(const ct_plan *plan, const ct_geometry *g, bool *low, bool *high) {
  double narrow, wide;
  const bool aside = ct_geometry_displaced(g, &narrow, &wide) || plan->filter.redundancy == CT_REDUNDANCY_DISPLACED;
  const bool weighted =
      aside && (plan->filter.redundancy == CT_REDUNDANCY_AUTO || plan->filter.redundancy == CT_REDUNDANCY_DISPLACED);
  *low = !weighted || wide < 0;
  *high = !weighted || wide > 0;
}

static const char *name_of_sides(bool low, bool high) {
  return low && high ? "both sides" : low ? "the side of column 0" : "the side of the last column";
}

static void warn(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g) {
  ct_warnings *warnings = ct_pipeline_warn(p, CT_WARNED_EDGES);
  const ct_truncation *t = &p->truncation;
  bool low, high;
  sides_that_count(plan, g, &low, &high);
  low = low && t->low >= least_share;
  high = high && t->high >= least_share;
  if (!low && !high) return;
  const double share = fmax(low ? t->low : 0, high ? t->high : 0);
  ct_warnings_add(warnings, CT_WARNING_TRUNCATION,
                  "The object reaches beyond the detector on %s, in %.0f %% of the views: values near the rim of the "
                  "field are too high, and less so all over it. Extend the projections (filter.extension), or scan "
                  "with a wider field.",
                  name_of_sides(low, high), 100 * share);
}

/* The beam's intensity is a guess where the object shades the border that it is taken from. */
static void warn_of_border(ct_pipeline *p) {
  const double low = p->report.border_free[0], high = p->report.border_free[1];
  ct_warnings *warnings = &p->warned[CT_WARNED_EDGES];
  if (p->report.border_doubtful)
    ct_warnings_add(
        warnings, CT_WARNING_VALUES,
        "The object seems to shade the border columns that the beam intensity is taken from: all values are "
        "then too low. Give a free rectangle (corrections.i0=region), or the intensity as a number "
        "(corrections.i0=value).");
  else if (low + high > 0 && (low < 1 || high < 1))
    ct_warnings_add(
        warnings, CT_WARNING_VALUES,
        "The object shades a part of the border columns: the beam intensity is taken from the free part of "
        "them alone (%.0f %% of those on the side of column 0, %.0f %% on the other side). To be sure, give a "
        "free rectangle (corrections.i0=region).",
        100 * low, 100 * high);
}

/* Rows of the uncropped geometry that the plan's whole grid needs. */
static bool rows_of_grid(const ct_pipeline *p, const ct_plan *plan, int *row0, int *rows, ct_error **error) {
  ct_geometry g;
  ct_grid grid;
  if (!ct_plan_geometry(plan, p->scan, &g, error)) return false;
  const bool good = ct_plan_grid(plan, &g, &grid, error);
  if (good && (g.tilt != 0 || !ct_grid_detector_rows(&grid, &g, row0, rows))) {
    *row0 = 0;
    *rows = g.nv;
  }
  ct_geometry_clear(&g);
  return good;
}

bool ct_pipeline_look_at_edges(ct_pipeline *p, const ct_plan *plan, ct_geometry *g, ct_job *job, ct_error **error) {
  int row0, rows;
  if (ct_plan_takes_filtered(plan, ct_scan_get_facts(p->scan)->values)) {
    ct_pipeline_warn(p, CT_WARNED_EDGES);
    return true;
  }
  if (!rows_of_grid(p, plan, &row0, &rows, error)) return false;
  const int parts[] = {row0, rows, g->views};
  const uint64_t key = ct_digest(ct_plan_digest(plan, CT_PLAN_INTEGRALS), parts, sizeof parts) | 1;
  if (key != p->truncation_key) {
    const int count = g->views < SAMPLE_VIEWS ? g->views : SAMPLE_VIEWS;
    int *order = ct_alloc((size_t)g->views, sizeof *order, "the order of the views", error);
    if (order) ct_bit_reversed_order(g->views, order);
    ct_stack *sample = order ? ct_integrals_sample(p, plan, row0, rows, order, count, job, error) : NULL;
    const bool good = sample && ct_truncation_measure_stack(sample, &p->truncation, error);
    ct_free(order);
    ct_stack_free(sample);
    if (!good) return false;
    p->truncation_key = key;
  }
  ct_pipeline_decide_narrow_side(p, plan, g);
  warn(p, plan, g);
  warn_of_border(p);
  return true;
}
