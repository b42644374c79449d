/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan makes of a scan: the geometry that it stands for, and the voxel grid. */
#include "recon/geom/assumed.h"
#include "recon/geom/questions.h"
#include "recon/geom/spiral.h"
#include "recon/solve/pipeline-private.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>

static const double degree = M_PI / 180;

ct_centre_method ct_plan_centre_method(const ct_plan *plan) {
  const ct_centre_method method = (ct_centre_method)plan->centre_method;
  if (method == CT_CENTRE_AUTO && !isnan(plan->centre_u)) return CT_CENTRE_MANUAL;
  if (method == CT_CENTRE_MANUAL || method == CT_CENTRE_FOUND)
    return isnan(plan->centre_u) ? CT_CENTRE_AUTO : CT_CENTRE_MANUAL;
  return method;
}

bool ct_centre_is_told(const ct_plan *plan, const ct_scan *scan, ct_beam beam) {
  const ct_centre_method method = ct_plan_centre_method(plan);
  return method == CT_CENTRE_MANUAL || method == CT_CENTRE_SCAN || !ct_beam_takes(beam, CT_TAKES_CENTRE) ||
         (method == CT_CENTRE_AUTO && ct_scan_get_facts(scan)->known & CT_KNOWN_CENTRE);
}

bool ct_plan_widens_grid(const ct_plan *plan) {
  return ct_plan_is_iterative(plan) && plan->nx == CT_AUTO_INT && plan->ny == CT_AUTO_INT;
}

ct_values ct_plan_values(const ct_plan *plan, ct_values told) {
  return plan->values == CT_AUTO_INT ? told : (ct_values)plan->values;
}

bool ct_plan_takes_filtered(const ct_plan *plan, ct_values values) {
  return plan->filtered == CT_AUTO_INT ? ct_plan_values(plan, values) == CT_VALUES_FILTERED : plan->filtered != 0;
}

bool ct_plan_beam_is_assumed(const ct_plan *plan, unsigned known) {
  return plan->beam == CT_AUTO_INT && !(known & CT_KNOWN_BEAM) && (isnan(plan->sod) || isnan(plan->sdd));
}

bool ct_plan_in_pixels(const ct_plan *plan, unsigned known, ct_beam beam) {
  return !(known & CT_KNOWN_PITCH) && isnan(plan->pitch_u) && !ct_beam_takes(beam, CT_TAKES_DISTANCES) &&
         !ct_beam_takes(beam, CT_TAKES_MATRICES);
}

ct_units ct_plan_units(const ct_plan *plan, const ct_scan *scan) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_geometry *g = &facts->geometry;
  return ct_units_of(ct_plan_in_pixels(plan, facts->known, ct_plan_beam(plan, g->beam, facts->known, g->nv)));
}

ct_beam ct_plan_beam(const ct_plan *plan, ct_beam told, unsigned known, int rows) {
  if (plan->beam != CT_AUTO_INT) return (ct_beam)plan->beam;
  if (known & CT_KNOWN_BEAM || ct_plan_beam_is_assumed(plan, known)) return told;
  return ct_beam_divergent(rows);
}

static bool choose_beam(const ct_plan *plan, const ct_scan_facts *facts, ct_geometry *g, ct_error **error) {
  const ct_beam beam = ct_plan_beam(plan, g->beam, facts->known, g->nv);
  if (ct_beam_takes(beam, CT_TAKES_MATRICES) && !g->matrices)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The scan holds no projection matrices: geometry.beam cannot be free.");
  if (ct_beam_takes(beam, CT_TAKES_ANGLES) && !g->angles)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The scan holds projection matrices but no angles: geometry.beam must be free.");
  g->beam = beam;
  if (ct_beam_takes(beam, CT_TAKES_MATRICES)) return true;
  if (!isnan(plan->sod)) g->sod = plan->sod;
  if (!isnan(plan->sdd)) g->sdd = plan->sdd;
  return true;
}

static void override_detector(const ct_plan *plan, const ct_scan_facts *facts, ct_geometry *g) {
  const bool square = isnan(plan->pitch_v) && !(facts->known & CT_KNOWN_PITCH);
  if (!isnan(plan->pitch_u)) g->du = plan->pitch_u;
  if (!isnan(plan->pitch_v))
    g->dv = plan->pitch_v;
  else if (square || !isnan(plan->pitch_u))
    g->dv = g->du;
  /* The scan's centre and tilt are told for its own flips; mirrored once, the detector leans the other way. */
  const bool flip_rows = plan->flip_rows == CT_AUTO_INT ? facts->flip_rows : plan->flip_rows != 0;
  const bool flip_columns = plan->flip_columns == CT_AUTO_INT ? facts->flip_columns : plan->flip_columns != 0;
  if (flip_rows != facts->flip_rows) g->centre_v = g->nv - 1 - g->centre_v;
  if (flip_columns != facts->flip_columns) g->centre_u = g->nu - 1 - g->centre_u;
  if ((flip_rows != facts->flip_rows) != (flip_columns != facts->flip_columns)) g->tilt = -g->tilt;
  if (!isnan(plan->tilt_deg)) g->tilt = plan->tilt_deg * degree;
  if (!isnan(plan->centre_v)) g->centre_v = plan->centre_v;
  if (ct_plan_centre_method(plan) == CT_CENTRE_MANUAL) g->centre_u = plan->centre_u;
  /* Weights that are chosen say whether the detector is displaced; iterative methods have none. */
  if (!ct_method_iterates(plan->iterative.method) && plan->filter.redundancy != CT_REDUNDANCY_AUTO)
    g->narrow_side = plan->filter.redundancy == CT_REDUNDANCY_DISPLACED ? CT_NARROW_CUTS : CT_NARROW_SEES_ALL;
}

static void override_angles(const ct_plan *plan, const ct_scan_facts *facts, ct_geometry *g) {
  if (!g->angles) return;
  /* Readers assume angles for the beam that they know of; the plan's may be another. */
  if (!(facts->known & CT_KNOWN_ANGLES) && ct_beam_period(g->beam) != ct_beam_period(facts->geometry.beam))
    ct_geometry_set_arc(g, g->angles[0], ct_assumed_step(ct_beam_period(g->beam), g->views));
  if (!isnan(plan->angle_step_deg))
    ct_geometry_set_arc(g, isnan(plan->angle_first_deg) ? g->angles[0] : plan->angle_first_deg * degree,
                        plan->angle_step_deg * degree);
  else if (!isnan(plan->angle_first_deg)) {
    const double turn = plan->angle_first_deg * degree - g->angles[0];
    for (int i = 0; i < g->views; i++) g->angles[i] += turn;
  }
}

/* By the angles as they stand, so that the feed counts per turn of them; reversed, each view keeps its height. */
static bool override_feed(const ct_plan *plan, const ct_scan_facts *facts, ct_geometry *g, ct_error **error) {
  const ct_geometry *told = &facts->geometry;
  const bool moves = !isnan(plan->feed) && plan->feed != 0, stops = !isnan(plan->table_step) && plan->table_step != 0;
  if (!g->angles || !ct_beam_takes(g->beam, CT_TAKES_FEED)) {
    ct_geometry_set_feed(g, 0, 0);
    return true;
  }
  if (moves && stops)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "geometry.feed makes a spiral and geometry.table_step a sequence: set one of them.");
  g->stops = stops || (!moves && told->stops && isnan(plan->table_step));
  const double told_feed = told->stops == g->stops ? told->feed : 0, set = g->stops ? plan->table_step : plan->feed,
               feed = isnan(set) ? told_feed : set;
  const double automatic = told->feed != 0 ? ct_geometry_height(told, 0) : ct_geometry_centred_start(g, feed);
  ct_geometry_set_feed(g, feed, isnan(plan->start_z) ? automatic : plan->start_z);
  return true;
}

static void reverse(ct_geometry *g) {
  for (int i = 0; g->angles && i < g->views; i++) g->angles[i] = -g->angles[i];
  if (g->feed != 0) g->feed = -g->feed, g->begin = -g->begin;
}

static bool take_views(const ct_plan *plan, ct_geometry *g, ct_error **error) {
  if (plan->view_first >= g->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "scan.first_view is %d, but the scan has only %d views.",
                        plan->view_first, g->views);
  const int most = (g->views - 1 - plan->view_first) / plan->view_step + 1;
  const int count = plan->view_count == CT_AUTO_INT ? most : plan->view_count;
  if (count > most)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "scan.view_count is %d, but the scan has only %d such views.", count,
                        most);
  return ct_geometry_take_views(g, plan->view_first, plan->view_step, count, error);
}

bool ct_plan_geometry(const ct_plan *plan, const ct_scan *scan, ct_geometry *geometry, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  if (!ct_geometry_copy(geometry, &facts->geometry, error)) return false;
  bool good = choose_beam(plan, facts, geometry, error);
  if (good) {
    override_detector(plan, facts, geometry);
    override_angles(plan, facts, geometry);
    good = override_feed(plan, facts, geometry, error);
    if (plan->reverse) reverse(geometry);
    good = good && take_views(plan, geometry, error);
  }
  if (good && plan->bin > geometry->nu)
    good = ct_error_set(error, CT_ERROR_ARGUMENT, "scan.bin is %d, but the detector has only %d columns.", plan->bin,
                        geometry->nu);
  if (good) {
    ct_geometry_bin(geometry, plan->bin);
    good = ct_geometry_check(geometry, error);
  }
  if (!good) ct_geometry_clear(geometry);
  return good;
}

static int rounded_count(double count) {
  return (int)fmin(fmax(round(count), 1), 65536);
}

/* The coordinate axis along which the natural grid covers the detector's rows: z, but for some matrices. */
static int axis_of_rows(const ct_grid *natural) {
  return natural->nx == natural->ny ? 2 : natural->nx == natural->nz ? 1 : 0;
}

bool ct_plan_grid(const ct_plan *plan, const ct_geometry *geometry, ct_grid *grid, ct_error **error) {
  ct_grid natural = ct_grid_natural(geometry);
  double low, high;
  /* An iterative method needs a voxel wherever a view of a spiral or sequence sees one; the exact one covers less. */
  if (ct_plan_is_iterative(plan)
          ? ct_spiral_seen(geometry, &low, &high)
          : plan->filter.spiral == CT_SPIRAL_KATSEVICH && ct_spiral_whole(geometry, natural.dz, &low, &high)) {
    natural.nz = (int)fmin(fmax(ceil((high - low) / natural.dz - 1e-6), 1), 65536);
    natural.z0 = 0.5 * (low + high) - 0.5 * (natural.nz - 1) * natural.dz;
  }
  const int along = axis_of_rows(&natural), given[3] = {plan->nx, plan->ny, plan->nz},
            seen[3] = {natural.nx, natural.ny, natural.nz};
  const double start[3] = {natural.x0, natural.y0, natural.z0};
  int across = CT_AUTO_INT, count[3];
  for (int k = 2; k >= 0; k--)
    if (k != along && given[k] != CT_AUTO_INT) across = given[k];
  const bool counted = across != CT_AUTO_INT;
  double voxel = plan->voxel, centre[3];
  if (isnan(voxel)) voxel = counted ? seen[(along + 1) % 3] * natural.dx / across : natural.dx;
  /* Of a sequence of single rows the table's step. */
  const double voxel_z = !isnan(plan->voxel_z) ? plan->voxel_z : natural.dz != natural.dx ? natural.dz : voxel;
  for (int k = 0; k < 3; k++) {
    const double extent = seen[k] * natural.dx;
    count[k] = given[k] != CT_AUTO_INT ? given[k]
               : k == along && geometry->nv == 1
                   ? ct_geometry_climbs(geometry) ? rounded_count(natural.nz * natural.dz / voxel_z) : 1
               : k != along && counted ? across
                                       : rounded_count(extent / (k == 2 ? voxel_z : voxel));
    const double middle = start[k] + 0.5 * (seen[k] - 1) * (k == 2 ? natural.dz : natural.dx);
    centre[k] = isnan(plan->centre_mm[k]) ? middle : plan->centre_mm[k];
  }
  *grid = ct_grid_centred(count[0], count[1], count[2], voxel, centre);
  grid->dz = voxel_z;
  grid->z0 = centre[2] - 0.5 * (count[2] - 1.0) * voxel_z;
  return ct_grid_check(grid, error);
}

void ct_grid_widen(ct_grid *grid, const ct_geometry *geometry, double radius) {
  const ct_grid natural = ct_grid_natural(geometry);
  const int along = axis_of_rows(&natural);
  int *const counts[3] = {&grid->nx, &grid->ny, &grid->nz};
  double *const starts[3] = {&grid->x0, &grid->y0, &grid->z0};
  const double voxels[3] = {grid->dx, grid->dy, grid->dz};
  for (int k = 0; k < 3; k++) {
    const double more = k == along ? 0 : ceil(radius / voxels[k] - 0.5 * *counts[k]);
    if (!(more > 0 && more < 65536)) continue;
    *counts[k] += 2 * (int)more;
    *starts[k] -= more * voxels[k];
  }
}
