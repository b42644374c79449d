/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field that a scan sees: detectors moved aside, the circle about the axis that is seen, and the grid that covers
 * it. */
#include "recon/geom/grid.h"
#include "recon/geom/sequence.h"
#include "recon/geom/spiral.h"
#include "recon/geom/trajectory.h"

#include <math.h>

/* Sides of the detector, pixels, towards smaller and larger u: what all views have, and the most that one has. */
typedef struct sides {
  double low, high, most_low, most_high;
} sides;

static sides sides_of(const ct_geometry *g, const ct_trajectory *t) {
  sides s = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  const int views = g->beam == CT_BEAM_FREE ? g->views : 1;
  for (int view = 0; view < views; view++) {
    const double column = ct_trajectory_axis_column(g, t, view), low = column + 0.5, high = g->nu - 0.5 - column;
    s.low = fmin(s.low, low);
    s.high = fmin(s.high, high);
    s.most_low = fmax(s.most_low, low);
    s.most_high = fmax(s.most_high, high);
  }
  return s;
}

static bool is_displaced(const ct_geometry *g, const ct_trajectory *t, double *narrow, double *wide) {
  const sides s = sides_of(g, t);
  const bool right = s.high > s.low;
  *narrow = right ? s.low : s.high;
  *wide = right ? s.most_high : -s.most_low;
  /* An axis at or beyond the detector's end leaves a hole in the middle that no view sees. */
  if (g->narrow_side == CT_NARROW_SEES_ALL || !(*narrow >= 1) || !ct_trajectory_is_closed(t, true)) return false;
  return *narrow < (g->narrow_side == CT_NARROW_CUTS ? 1 : 0.75) * fabs(*wide);
}

bool ct_geometry_displaced(const ct_geometry *g, double *narrow, double *wide) {
  ct_trajectory t;
  *narrow = *wide = 0;
  if (!ct_trajectory_make(g, &t, NULL)) return false;
  const bool displaced = is_displaced(g, &t, narrow, wide);
  ct_trajectory_clear(&t);
  return displaced;
}

/* The nearer side, and of displaced detectors the wide one that all views have. */
static double pixels_seen(const ct_geometry *g, const ct_trajectory *t) {
  const sides s = sides_of(g, t);
  double narrow, wide;
  return is_displaced(g, t, &narrow, &wide) ? fmax(s.low, s.high) : fmin(s.low, s.high);
}

double ct_geometry_field_radius(const ct_geometry *g) {
  ct_trajectory t;
  if (!ct_trajectory_make(g, &t, NULL)) return 0;
  const double radius = pixels_seen(g, &t) * ct_geometry_pitch_at_axis(g);
  ct_trajectory_clear(&t);
  if (!(radius > 0)) return 0;
  return t.radius > 0 ? t.radius * radius / hypot(t.radius, radius) : radius;
}

/* Where the middles of the detectors see the axis, on average: so far along it from the trajectory's centre. */
static double height_seen(const ct_geometry *g, const ct_trajectory *t) {
  double sum = 0;
  int count = 0;
  for (int view = 0; view < g->views; view++) {
    double at[3], along[3], u, v, w, unused;
    const double *m = g->matrices + 12 * (size_t)view, middle = 0.5 * (g->nv - 1.0);
    for (int k = 0; k < 3; k++) along[k] = t->centre[k] + t->axis[k];
    ct_project(m, t->centre, &u, &v, &w);
    at[0] = (v - middle) * w;
    ct_project(m, along, &u, &v, &unused);
    at[1] = (v - middle) * unused;
    const double height = at[0] / (at[0] - at[1]);
    if (!isfinite(height)) continue;
    sum += height;
    count++;
  }
  return count > 0 ? sum / count : 0;
}

/* The middle of what matrices see, on the axis; a short arc does not tell where that is. */
static void find_middle(const ct_geometry *g, const ct_trajectory *t, double voxel, double middle[3]) {
  const bool told = t->found && (t->parallel || t->arc > M_PI / 2);
  const double height = told ? height_seen(g, t) : 0, rounding = 1e-6 * voxel;
  for (int k = 0; k < 3; k++) middle[k] = told ? rint((t->centre[k] + height * t->axis[k]) / rounding) * rounding : 0;
}

/* Slices whose centres a spiral covers, at least one. */
static ct_grid cut_to_cover(const ct_geometry *g, ct_grid grid) {
  const ct_spiral_cover cover = ct_spiral_covers(g, ct_geometry_field_radius(g));
  const double slices = floor((cover.high - cover.low) / grid.dz) + 1;
  grid.nz = (int)fmin(fmax(slices, 1), 65536);
  grid.z0 = 0.5 * (cover.low + cover.high) - 0.5 * (grid.nz - 1) * grid.dz;
  return grid;
}

/* Larger ones are asked for: 1024^3 takes 4 GiB. */
static ct_grid cube_of(double edge, double pitch) {
  int count = 512;
  while (count > 128 && edge / count < pitch) count /= 2;
  return ct_grid_centred(count, count, count, edge / count, NULL);
}

static ct_grid of_detector(const ct_geometry *g) {
  const double voxel = ct_geometry_pitch_at_axis(g), magnification = ct_geometry_magnification(g);
  ct_trajectory t = {.axis = {0, 0, 1}};
  double narrow, wide, middle[3] = {0, 0, 0};
  const bool known = ct_trajectory_make(g, &t, NULL);
  const int across = known && is_displaced(g, &t, &narrow, &wide) ? (int)ceil(2 * fabs(wide) - 1e-6) : g->nu;
  int rows = g->beam == CT_BEAM_FAN ? 1 : (int)fmin(fmax(round(g->nv * g->dv / g->du), 1), 1 << 30), along = 2;
  if (known && g->beam == CT_BEAM_FREE) {
    find_middle(g, &t, voxel, middle);
    for (int k = 1; k >= 0; k--)
      if (fabs(t.axis[k]) > fabs(t.axis[along]) + 1e-9) along = k;
  } else if (g->beam != CT_BEAM_FAN) {
    middle[2] = (0.5 * (g->nv - 1.0) - g->centre_v) * g->dv / magnification;
  }
  ct_trajectory_clear(&t);
  const int counts[3] = {along == 0 ? rows : across, along == 1 ? rows : across, along == 2 ? rows : across};
  return ct_grid_centred(counts[0], counts[1], counts[2], voxel, middle);
}

/* Slices of voxels over what all positions see; where each sees one row, a slice at each of them. */
static ct_grid over_positions(const ct_sequence *s, ct_grid grid, int rows) {
  const double last = ct_sequence_height(s, s->positions - 1), step = fabs(s->step);
  int slices = s->positions;
  if (rows == 1 && step > 0)
    grid.dz = step;
  else
    slices = (int)fmin(fmax(round((fabs(last - s->first) + (step > 0 ? fmin(step, s->seen) : s->seen)) / grid.dz), 1),
                       65536);
  grid.nz = slices;
  grid.z0 = 0.5 * (s->first + last) + s->middle - 0.5 * (slices - 1) * grid.dz;
  return grid;
}

/* A spiral of matrices counts as what it is. */
ct_grid ct_grid_natural(const ct_geometry *g) {
  ct_geometry spiral;
  ct_sequence sequence;
  if (g->cube > 0) return cube_of(g->cube, ct_geometry_pitch_at_axis(g));
  if (ct_sequence_of(g, &sequence, NULL)) return over_positions(&sequence, of_detector(g), g->nv);
  if ((g->feed == 0 && g->beam != CT_BEAM_FREE) || !ct_spiral_of(g, &spiral, NULL)) return of_detector(g);
  const ct_grid covered = cut_to_cover(&spiral, of_detector(&spiral));
  ct_geometry_clear(&spiral);
  return covered;
}
