/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan needs before anything is filtered: geometry, line integrals, centre, whether the object reaches beyond
 * the detector's narrow side, and only then the grid; and what the arc of the views does to the numbers. */
#include "recon/solve/pipeline-private.h"

#include "recon/exchange/exchange.h"
#include "recon/filter/thickness.h"
#include "recon/geom/questions.h"
#include "recon/geom/sequence.h"
#include "recon/geom/trajectory.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <stdio.h>

static const double degrees = 180 / M_PI;

/* Rows on either side that the plan's slice thickness averages: as many everywhere, whatever a voxel's magnification.
 */
static int rows_averaged(const ct_plan *plan, const ct_geometry *g) {
  if (ct_plan_is_iterative(plan)) return 0;
  return (int)fmin(ceil(0.5 * ct_thickness_rows(g, plan->filter.thickness)), g->nv);
}

bool ct_plan_rows(const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid, int *row0, int *rows) {
  if (!ct_grid_detector_rows(grid, geometry, row0, rows)) return false;
  const int more = rows_averaged(plan, geometry), low = *row0 - more, high = *row0 + *rows + more;
  *row0 = low > 0 ? low : 0;
  *rows = (high < geometry->nv ? high : geometry->nv) - *row0;
  return true;
}

static bool needed_rows(const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid, int *row0, int *rows,
                        ct_error **error) {
  if (ct_plan_rows(plan, geometry, grid, row0, rows)) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "No view sees the volume: its shadow falls beside the detector. Check the centre of rotation "
                      "(%.1f of %d columns), "
                      "the central row, the distances and the position of the volume.",
                      geometry->centre_u, geometry->nu);
}

/* And the neighbours that the corrections of a pixel look at, out of `all` rows from the first on. */
static void widen_rows(int first, int all, int *row0, int *rows) {
  enum { NEIGHBOURS = 4 };
  int low = *row0 - first - NEIGHBOURS, high = *row0 - first + *rows + NEIGHBOURS;
  low = low < 0 ? 0 : low & ~1;
  high = high > all ? all : high + (high & 1 && high < all);
  *row0 = first + low;
  *rows = high - low;
}

bool ct_slab_rows(const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid, const ct_grid *part, int *row0,
                  int *rows, ct_error **error) {
  int first, all;
  if (!needed_rows(plan, geometry, grid, &first, &all, error)) return false;
  if (!ct_plan_rows(plan, geometry, part, row0, rows)) {
    *row0 = first;
    *rows = 1;
  }
  widen_rows(first, all, row0, rows);
  return true;
}

/* The rows of a part: those that others who make the rest of the volume left to it, or that its shadow needs. */
static bool part_rows(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, const ct_grid *grid,
                      const ct_grid *part, int *row0, int *rows, ct_error **error) {
  if (!p->slab_rows) return ct_slab_rows(plan, g, grid, part, row0, rows, error);
  *row0 = p->slab_rows[p->exchange->column].first;
  *rows = p->slab_rows[p->exchange->column].count;
  widen_rows(p->all_rows.first, p->all_rows.count, row0, rows);
  return true;
}

/* The arc that a direct method needs, radians: half a turn, and for diverging rays the fan of the detector's wider side
 * twice. */
static double arc_needed(const ct_geometry *g, const ct_trajectory *t, double *fan) {
  *fan = 0;
  for (int view = 0; view < g->views && !t->parallel; view++) {
    double low, high;
    ct_trajectory_places(g, t, view, &low, &high);
    *fan = fmax(*fan, fmax(-low, high));
    if (ct_geometry_promises(g, CT_TRAIT_CIRCULAR)) break;
  }
  return fmin(M_PI + 2 * *fan, 2 * M_PI);
}

/* The largest gap of parallel views' directions, modulo half a turn, is what the arc lacks. */
static void warn_of_arc(const ct_geometry *g, const ct_trajectory *t, ct_warnings *warnings) {
  double fan, narrow, wide;
  const double needed = arc_needed(g, t, &fan), step = t->step;
  if (ct_geometry_displaced(g, &narrow, &wide)) {
    if (!ct_trajectory_is_closed(t, false))
      ct_warnings_add(
          warnings, CT_WARNING_ARC,
          "Views are missing over %.3g°, and the detector is displaced, so that nothing else measures their "
          "lines: the gap is bridged from the views beside it. Expect streaks in its direction; an "
          "iterative method (iterative.method) needs no bridge.",
          (t->gap - step) * degrees);
    return;
  }
  if (g->narrow_side == CT_NARROW_CUTS && t->gap > CT_GAP_BRIDGED)
    ct_warnings_add(
        warnings, CT_WARNING_ARC,
        "The object reaches beyond one side of the detector, and the views have a gap of %.4g°, too wide for "
        "a displaced detector's weights: what the other side sees is half measured. Values beyond %.4g mm "
        "from the axis are too low.",
        t->gap * degrees, ct_geometry_field_radius(g));
  if (ct_trajectory_is_closed(t, false) || t->arc >= needed - fmax(1.5 * step, 0.01)) return;
  if (t->arc < M_PI * (1 - 1e-6) - 0.5 * step)
    ct_warnings_add(
        warnings, CT_WARNING_ARC,
        "This is a limited-angle reconstruction: the views cover %.4g° and %.4g° are needed. Values are scaled "
        "up as a whole for the missing directions, edges along them are lost and streaks appear; iterative "
        "methods with total variation help, more views help most.",
        t->arc * degrees, needed * degrees);
  else {
    char complete[80] = "nowhere complete: everywhere, most far out,";
    const double radius = t->radius * sin(0.5 * (t->arc - M_PI));
    if (radius > 0.5 * ct_geometry_pitch_at_axis(g))
      snprintf(complete, sizeof complete, "complete only within %.4g mm of the axis; farther out", radius);
    ct_warnings_add(
        warnings, CT_WARNING_ARC,
        "The views cover %.4g°, and the fan of the detector needs %.4g°: the reconstruction is %s lines are "
        "missing and values are wrong.",
        t->arc * degrees, needed * degrees, complete);
  }
}

/* Slices of the grid that a spiral does not see from all sides. */
static void warn_of_cover(ct_spiral_method method, const ct_geometry *g, const ct_grid *grid, ct_warnings *warnings) {
  ct_geometry spiral;
  if (!ct_spiral_of(g, &spiral, NULL)) return;
  const ct_spiral_cover cover = ct_spiral_covers_by(method, &spiral, ct_geometry_field_radius(&spiral));
  const double low = grid->z0, high = grid->z0 + (grid->nz - 1) * grid->dz, slack = 1e-6 * grid->dz;
  const bool exact = method == CT_SPIRAL_KATSEVICH;
  if (low < cover.low - slack || high > cover.high + slack)
    ct_warnings_add(
        warnings, CT_WARNING_ARC,
        "The spiral sees z = %.4g to %.4g mm from all sides%s, and the volume reaches from %.4g to %.4g mm: voxels "
        "%s are 0.",
        cover.low, cover.high, exact ? " in the Tam window" : "", low, high,
        exact ? "without their whole interval" : "that some direction does not see");
  ct_geometry_clear(&spiral);
}

/* Slices that no position reaches, and slices whose field passes beyond the rows of theirs. */
static void warn_of_positions(const ct_geometry *g, const ct_sequence *s, const ct_grid *grid, ct_warnings *warnings) {
  const double radius = ct_geometry_field_radius(g), reach = ct_sequence_reach(g, s, radius), slack = 1e-6 * grid->dz;
  double farthest = 0;
  int missed = 0;
  for (int k = 0; k < grid->nz; k++) {
    const double z = grid->z0 + k * grid->dz;
    const int position = ct_sequence_position(s, z);
    missed += position < 0;
    if (position >= 0) farthest = fmax(farthest, fabs(z - ct_sequence_height(s, position) - s->middle));
  }
  if (missed > 0)
    ct_warnings_add(warnings, CT_WARNING_ARC,
                    "%d of %d slices lie where no position of the sequence sees them: each sees %.4g mm at the axis, "
                    "and the table moves by %.4g mm. They are 0.",
                    missed, grid->nz, s->seen, fabs(s->step));
  if (farthest > reach + slack)
    ct_warnings_add(warnings, CT_WARNING_ARC,
                    "Slices up to %.4g mm from their position are made, and farther than %.4g mm the rays of a field "
                    "of %.4g mm about the axis pass beyond the detector's rows: the outermost row stands for them. A "
                    "table step of up to %.4g mm does without.",
                    farthest, reach, radius, 2 * reach);
}

/* The arc is that of each position. */
static bool look_at_positions(const ct_geometry *g, const ct_grid *grid, ct_warnings *warnings, ct_error **error) {
  ct_sequence s;
  ct_geometry circle;
  ct_trajectory t;
  if (!ct_sequence_of(g, &s, NULL)) return true; /* the filter says so */
  warn_of_positions(g, &s, grid, warnings);
  if (!ct_sequence_circle(g, &s, 0, &circle, error)) return false;
  const bool good = ct_trajectory_make(&circle, &t, error);
  if (good && circle.views > 1) warn_of_arc(&circle, &t, warnings);
  if (good) ct_trajectory_clear(&t);
  ct_geometry_clear(&circle);
  return good;
}

static bool look_at_arc(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, const ct_grid *grid,
                        ct_error **error) {
  ct_trajectory t;
  ct_warnings *warnings = ct_pipeline_warn(p, CT_WARNED_GEOMETRY);
  if (ct_plan_is_iterative(plan) || ct_plan_takes_filtered(plan, ct_scan_get_facts(p->scan)->values)) return true;
  if (ct_geometry_is_sequence(g)) return look_at_positions(g, grid, warnings, error);
  if (ct_geometry_is_sorted(g)) {
    warn_of_cover(plan->filter.spiral, g, grid, warnings);
    return true;
  }
  if (!ct_trajectory_make(g, &t, error)) return false;
  if (g->views > 1) warn_of_arc(g, &t, warnings);
  ct_trajectory_clear(&t);
  return true;
}

/* The grid for what was found out, by the geometry of the whole detector, and the rows that it needs. */
static bool make_grid(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *found, ct_grid *grid, int *row0,
                      int *rows, ct_error **error) {
  ct_geometry g;
  if (!ct_plan_geometry(plan, p->scan, &g, error)) return false;
  g.centre_u = found->centre_u;
  g.narrow_side = found->narrow_side;
  ct_integrals_drop_views(p, &g);
  bool good = ct_plan_grid(plan, &g, grid, error);
  if (good && p->object_radius > 0) ct_grid_widen(grid, &g, p->object_radius);
  good = good && ct_grid_check(grid, error) && needed_rows(plan, &g, grid, row0, rows, error);
  ct_geometry_clear(&g);
  return good;
}

/* What is to be found out: for a plan, its views read later or not, *g being the geometry, of the rows that are held
 * then. */
typedef struct finding {
  ct_pipeline *pipeline;
  const ct_plan *plan;
  bool later;
  ct_geometry *g;
  ct_job *job;
} finding;

/* Line integrals of these rows, the centre, and the narrow side. */
static bool find_out(const finding *f, const ct_grid *grid, int row0, int rows, ct_error **error) {
  ct_pipeline *p = f->pipeline;
  if (!ct_integrals_make(p, f->plan, f->g, row0, rows, f->later, f->job, error)) return false;
  ct_integrals_drop_views(p, f->g);
  ct_geometry_crop_rows(f->g, p->row0, p->rows);
  return ct_pipeline_centre(p, f->plan, f->g, grid, f->job, error) &&
         ct_pipeline_look_at_edges(p, f->plan, f->g, f->job, error);
}

/* Where the grid that comes of it is so much larger that it needs more rows, they are read, and all is found out from
 * them: each time more. */
static bool find_grid(const finding *f, int row0, int rows, ct_grid *grid, ct_error **error) {
  const ct_pipeline *p = f->pipeline;
  for (;;) {
    const ct_grid before = *grid;
    int first, count;
    if (!find_out(f, &before, row0, rows, error) || !make_grid(p, f->plan, f->g, grid, &first, &count, error))
      return false;
    if (f->g->tilt != 0 || (first >= p->row0 && first + count <= p->row0 + p->rows)) return true;
    const int end = first + count > p->row0 + p->rows ? first + count : p->row0 + p->rows;
    row0 = first < p->row0 ? first : p->row0;
    rows = end - row0;
    ct_geometry_clear(f->g);
    if (!ct_plan_geometry(f->plan, p->scan, f->g, error)) return false;
  }
}

bool ct_pipeline_make_ready(ct_pipeline *p, const ct_plan *plan, const ct_grid *part, bool later, ct_geometry *g,
                            ct_grid *grid, ct_job *job, ct_error **error) {
  int row0 = 0, rows = 0;
  if (!ct_plan_geometry(plan, p->scan, g, error)) return false;
  /* The filtered views of a spiral are made of several, and of the rows of the whole detector. */
  const bool sorted = !ct_plan_is_iterative(plan) && ct_geometry_is_sorted(g);
  const finding f = {p, plan, later && !sorted && ct_centre_is_told(plan, p->scan, g->beam), g, job};
  bool good = ct_plan_grid(plan, g, grid, error);
  if (good && part) {
    good = part_rows(p, plan, g, grid, part, &row0, &rows, error);
    if (sorted) row0 = 0, rows = g->nv;
    good = good && find_out(&f, part, row0, rows, error);
    *grid = *part;
  } else {
    /* Which rows are needed hangs on the centre by the tilt. */
    rows = g->nv;
    good = good && (g->tilt != 0 || sorted || needed_rows(plan, g, grid, &row0, &rows, error)) &&
           find_grid(&f, row0, rows, grid, error);
  }
  good = good && look_at_arc(p, plan, g, grid, error);
  if (!good) ct_geometry_clear(g);
  return good;
}

bool ct_pipeline_settled(const ct_pipeline *p, const ct_plan *plan, ct_plan *settled, ct_grid *grid, ct_error **error) {
  int row0, rows;
  *settled = *plan;
  if (!ct_plan_is_iterative(plan) && !ct_pipeline_weights(p, plan, &settled->filter.redundancy, error)) return false;
  if (!make_grid(p, plan, &p->geometry, grid, &row0, &rows, error)) return false;
  if (p->object_radius > 0) {
    settled->nx = grid->nx;
    settled->ny = grid->ny;
    settled->nz = grid->nz;
    settled->voxel = grid->dx;
    settled->voxel_z = grid->dz;
  }
  return true;
}

bool ct_pipeline_weights(const ct_pipeline *p, const ct_plan *plan, ct_redundancy *used, ct_error **error) {
  ct_trajectory t;
  *used = plan->filter.redundancy;
  if (!p->has_geometry) return true;
  if (!ct_trajectory_make(&p->geometry, &t, error)) return false;
  *used = ct_redundancy_resolve(&p->geometry, &t, plan->filter.redundancy);
  ct_trajectory_clear(&t);
  return true;
}
