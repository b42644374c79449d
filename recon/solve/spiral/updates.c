/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many updates the back-projections of a spiral really make (stage.h). */
#include "recon/geom/questions.h"
#include "recon/solve/spiral/katsevich-private.h"
#include "recon/solve/spiral/stage.h"

/* Voxels of a column between two heights. */
static double voxels_between(const ct_grid *grid, double low, double high) {
  const double first = fmax(ceil((low - grid->z0) / grid->dz), 0),
               end = fmin(floor((high - grid->z0) / grid->dz) + 1, grid->nz);
  return fmax(end - first, 0);
}

/* Parallel views that have the column and rows that see it. */
static double weighted_updates(const ct_geometry *g, const ct_grid *grid, double x, double y) {
  ct_spiral_views views;
  double sum = 0;
  if (!ct_spiral_arrange(g, &views)) return 0;
  for (int view = 0; view < views.count; view++) {
    const double theta = views.first + view * M_PI / views.groups, p = x * cos(theta) + y * sin(theta),
                 j = views.centre + p / views.pitch;
    if (!(j >= 0 && j < views.columns - 1)) continue;
    const ct_spiral_ray ray = ct_spiral_ray_at(g, &views, view, p);
    double row[2];
    ct_spiral_rows(g, &ray, y * cos(theta) - x * sin(theta), row);
    sum += voxels_between(grid, (-0.5 - row[0]) / row[1], (g->nv - 0.5 - row[0]) / row[1]);
  }
  return sum;
}

/* Filtered views whose Tam window holds them. */
static double exact_updates(const ct_geometry *g, const ct_grid *grid, double x, double y) {
  double sum = 0;
  if (hypot(x, y) > ct_geometry_field_radius(g)) return 0;
  for (int view = 0; view + 1 < g->views; view++) {
    const double t = 0.5 * (g->angles[view] + g->angles[view + 1]), away = g->sod - x * sin(t) + y * cos(t),
                 q = (x * cos(t) + y * sin(t)) / away, rise = ct_katsevich_rise(g) * away / g->sod,
                 top = g->height + ct_katsevich_rise(g) * t + rise * ct_tam_top(q), below = rise * ct_tam_height(q);
    sum += voxels_between(grid, fmin(top, top - below), fmax(top, top - below));
  }
  return sum;
}

double ct_spiral_updates(ct_spiral_method method, const ct_geometry *spiral, const ct_grid *grid) {
  enum { ACROSS = 24 };
  const int across = grid->nx < ACROSS ? grid->nx : ACROSS, deep = grid->ny < ACROSS ? grid->ny : ACROSS;
  double sum = 0;
  for (int n = 0; n < across * deep; n++) {
    const double x = grid->x0 + ((n % across + 0.5) * grid->nx / across - 0.5) * grid->dx,
                 y = grid->y0 + ((n / across + 0.5) * grid->ny / deep - 0.5) * grid->dy;
    sum += method == CT_SPIRAL_KATSEVICH ? exact_updates(spiral, grid, x, y) : weighted_updates(spiral, grid, x, y);
  }
  return sum * grid->nx * grid->ny / (across * deep);
}
