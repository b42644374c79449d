/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipeline knows of truncation: a sample of views, spread over the arc, tells whether the object reaches the
 * detector's edge. The sample is that of the plan's whole grid, so that slabs are made as the volume is. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/geom/spiral.h"
#include "recon/prep/outline.h"
#include "recon/solve/digest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Sides on which enough views are cut off. */
static bool cut_off(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, bool *low, bool *high) {
  sides_that_count(plan, g, low, high);
  *low = *low && p->truncation.low >= CT_CUT_OFF_SHARE;
  *high = *high && p->truncation.high >= CT_CUT_OFF_SHARE;
  return *low || *high;
}

/* What a circle about the axis that holds all of the outline's ellipses has for a radius, mm. An ellipse with no end in
 * sight is not believed. */
static double radius_of_outline(const ct_pipeline *p, const ct_geometry *g) {
  static const double margin = 1.02, most = 3;
  double radius = 0;
  for (int b = 0; b < p->outline.bands; b++) {
    const ct_ellipse *e = &p->outline.ellipses[b];
    radius = fmax(radius, hypot(e->x, e->y) + fmax(e->a, e->b));
  }
  return fmin(margin * radius, most * 0.5 * g->nu * ct_geometry_pitch_at_axis(g));
}

/* Diameters of the middle one of the ellipses. */
static void describe_outline(const ct_pipeline *p, const ct_geometry *g, char *text, size_t size) {
  const ct_ellipse *e = &p->outline.ellipses[p->outline.bands / 2];
  const double field = 0.5 * g->nu * ct_geometry_pitch_at_axis(g);
  snprintf(text, size, "%.3g x %.3g times the width of the detector", fmax(e->a, e->b) / field,
           fmin(e->a, e->b) / field);
}

/* An iterative method needs a voxel wherever there is something. */
static void warn_of_grid(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, const char *sides, double share) {
  ct_warnings *warnings = &p->warned[CT_WARNED_EDGES];
  const double seen = ct_geometry_field_radius(g), radius = fmax(seen, radius_of_outline(p, g));
  ct_grid grid;
  if (!ct_plan_grid(plan, g, &grid, NULL)) return;
  const bool wide = ct_plan_widens_grid(plan) || 0.5 * fmin(grid.nx * grid.dx, grid.ny * grid.dy) >= 0.95 * radius;
  if (wide)
    ct_warnings_add(warnings, CT_WARNING_TRUNCATION,
                    "The object reaches beyond the detector on %s, in %.0f %% of the views: it seems to reach %.3g mm "
                    "from the axis, and the grid holds that. Values within %.3g mm of the axis are estimates, good to "
                    "some per cent; those farther out mean nothing. Its diameter (filter.object_size) or a grid of "
                    "your own (reconstruction.nx, .ny) overrule that.",
                    sides, share, radius, seen);
  else
    ct_warnings_add(warnings, CT_WARNING_TRUNCATION,
                    "The object reaches beyond the detector on %s, in %.0f %% of the views, and seems to reach %.3g mm "
                    "from the axis. Iterative methods need a grid as wide (reconstruction.nx, .ny; automatic ones "
                    "are): in this one values are too high, most near its rim.",
                    sides, share, radius);
}

/* What a diameter that is 5 % off changes, in per cent, in the middle and at 0.85 of the field: of a disc that reaches
 * as far from the axis as the middle one of the ellipses. "" where that is within the field. */
static void describe_doubt(const ct_pipeline *p, const ct_geometry *g, bool both, char *text, size_t size) {
  static const double times[] = {0.95, 1.05};
  const ct_ellipse *e = &p->outline.ellipses[p->outline.bands / 2];
  const double seen = ct_geometry_field_radius(g), radius = hypot(e->x, e->y) + fmax(e->a, e->b),
               sides = both ? 1 : 0.5;
  double most[2] = {0};
  for (int n = 0; n < 4; n++) {
    const double effect = ct_truncation_effect(seen, radius, times[n & 1], n < 2 ? 0 : 0.85 * seen);
    most[n / 2] = fmax(most[n / 2], 100 * sides * fabs(effect));
  }
  text[0] = 0;
  if (most[1] >= 0.05)
    snprintf(
        text, size,
        "; where the object is alike throughout, a diameter that is 5 %% off changes them by %.1f %% in the middle "
        "and %.1f %% near the rim",
        most[0], most[1]);
}

static void warn(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g) {
  ct_warnings *warnings = ct_pipeline_warn(p, CT_WARNED_EDGES);
  const ct_truncation *t = &p->truncation;
  bool low, high;
  char size[80] = "", doubt[200] = "";
  if (!cut_off(p, plan, g, &low, &high)) return;
  const double share = 100 * fmax(low ? t->low : 0, high ? t->high : 0);
  if (ct_plan_is_iterative(plan))
    warn_of_grid(p, plan, g, name_of_sides(low, high), share);
  else if (p->has_outline) {
    describe_outline(p, g, size, sizeof size);
    describe_doubt(p, g, low && high, doubt, sizeof doubt);
    ct_warnings_add(warnings, CT_WARNING_TRUNCATION,
                    "The object reaches beyond the detector on %s, in %.0f %% of the views: they are extended by an "
                    "ellipse fitted to them (%s). Values are then estimates%s. Giving the object's diameter "
                    "(filter.object_size) or a wider scan is surer.",
                    name_of_sides(low, high), share, size, doubt);
  } else
    ct_warnings_add(
        warnings, CT_WARNING_TRUNCATION,
        "The object reaches beyond the detector on %s, in %.0f %% of the views: values are wrong, most near "
        "the rim of the field, where zeros beyond the edge make them too high. Take "
        "filter.extension=outline, or a scan with a wider field.",
        name_of_sides(low, high), share);
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

/* Whether the object is cut off. */
static bool look(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, ct_job *job, ct_error **error) {
  int row0, rows;
  if (!rows_of_grid(p, plan, &row0, &rows, error)) return false;
  const int parts[] = {row0, rows, g->views};
  const uint64_t key = ct_digest(ct_plan_digest(plan, CT_PLAN_INTEGRALS), parts, sizeof parts) | 1;
  if (key == p->truncation_key) return true;
  const int count = g->views < CT_SAMPLE_VIEWS ? g->views : CT_SAMPLE_VIEWS;
  int *order = ct_alloc((size_t)g->views, sizeof *order, "the order of the views", error);
  if (!order) return false;
  ct_bit_reversed_order(g->views, order);
  memcpy(p->sample_views, order, (size_t)count * sizeof *order);
  ct_free(order);
  ct_stack_free(p->sample);
  p->truncation_key = 0;
  p->sample = ct_integrals_sample(p, plan, row0, rows, p->sample_views, count, job, error);
  if (!p->sample || !ct_truncation_measure_stack(p->sample, &p->truncation, error)) return false;
  p->sample_row0 = row0;
  p->sample_rows = rows;
  p->truncation_key = key;
  return true;
}

/* The outline for the geometry as it is now, where the filter takes one. */
static bool fit_outline(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, ct_error **error) {
  bool low, high;
  p->has_outline = (plan->filter.extension == CT_EXTEND_OUTLINE || plan->filter.extension == CT_EXTEND_AUTO ||
                    ct_plan_is_iterative(plan) || p->starts_iteration) &&
                   cut_off(p, plan, g, &low, &high) && !ct_geometry_climbs(g);
  if (!p->has_outline) return true;
  const double parts[] = {plan->filter.object_size, low, high};
  const ct_filter_options options = ct_plan_filter_options(plan, p->scan);
  const bool centred = ct_filter_needs_centre(g, &options);
  const uint64_t key = ct_digest(ct_geometry_digest(g, centred) ^ p->truncation_key, parts, sizeof parts) | 1;
  if (key == p->outline_key) return true;
  ct_geometry whole;
  if (!ct_plan_geometry(plan, p->scan, &whole, error)) return false;
  whole.centre_u = g->centre_u;
  const ct_outline_request request = {.bands = p->sample,
                                      .views = p->sample_views,
                                      .geometry = &whole,
                                      .row0 = p->sample_row0,
                                      .rows = p->sample_rows,
                                      .air = p->truncation.air,
                                      .size = plan->filter.object_size};
  const bool good = ct_outline_fit(&request, &p->outline, error);
  ct_geometry_clear(&whole);
  p->outline.low = low;
  p->outline.high = high;
  p->outline_key = good ? key : 0;
  p->has_outline = good;
  return good;
}

bool ct_pipeline_look_at_edges(ct_pipeline *p, const ct_plan *plan, ct_geometry *g, ct_job *job, ct_error **error) {
  p->has_outline = false;
  p->object_radius = 0;
  if (ct_plan_takes_filtered(plan, ct_scan_get_facts(p->scan)->values)) {
    ct_pipeline_warn(p, CT_WARNED_EDGES);
    return true;
  }
  if (!look(p, plan, g, job, error)) return false;
  ct_pipeline_decide_narrow_side(p, plan, g);
  if (!fit_outline(p, plan, g, error)) return false;
  const bool whole =
      ct_plan_widens_grid(plan) || (p->starts_iteration && plan->nx == CT_AUTO_INT && plan->ny == CT_AUTO_INT);
  p->object_radius = p->has_outline && whole ? radius_of_outline(p, g) : 0;
  warn(p, plan, g);
  warn_of_border(p);
  return true;
}
