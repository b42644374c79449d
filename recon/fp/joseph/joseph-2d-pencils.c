/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views of a parallel or fan beam as pencils: where their rays cross the rows of the image, and where a pixel is
 * seen. Everything is in double precision; positions relative to a window's beginning are left to single precision. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>

/* Both axes of the plane as a pencil takes them: `along` the row, and across the rows. */
typedef struct axes {
  double along0, along_step, across0, across_step; /* mm */
  int along, rows;
} axes;

bool ct_j2d_is_fan(const ct_geometry *geometry) {
  return !ct_geometry_promises(geometry, CT_TRAIT_PARALLEL);
}

static axes axes_of(const ct_grid *grid, bool transposed) {
  return transposed ? (axes){grid->y0, grid->dy, grid->x0, grid->dx, grid->ny, grid->nx}
                    : (axes){grid->x0, grid->dx, grid->y0, grid->dy, grid->nx, grid->ny};
}

static ct_j2d_pencil pencil_start(const axes *ax, int view, bool transposed, int first, int step, int count) {
  return (ct_j2d_pencil){.view = view,
                         .transposed = transposed,
                         .along = ax->along,
                         .rows = ax->rows,
                         .first = first,
                         .step = step,
                         .count = count,
                         .phases = 1};
}

/* x c + y s = place of the ray: along k_along + across k_across = place. */
static ct_j2d_pencil make_parallel(const ct_geometry *g, const ct_grid *grid, int view) {
  const double c = cos(g->angles[view]), s = sin(g->angles[view]);
  const bool transposed = fabs(s) / grid->dx > fabs(c) / grid->dy;
  const axes ax = axes_of(grid, transposed);
  const double k_along = transposed ? s : c, k_across = transposed ? c : s, scale = 1 / (k_along * ax.along_step);
  const int step = k_along > 0 ? 1 : -1;
  ct_j2d_pencil p = pencil_start(&ax, view, transposed, step > 0 ? 0 : g->nu - 1, step, g->nu);
  p.p0 = ((p.first - g->centre_u) * g->du - k_across * ax.across0) * scale - ax.along0 / ax.along_step;
  p.pt = step * g->du * scale;
  p.pj = -k_across * ax.across_step * scale;
  p.length = ax.across_step / fabs(k_along);
  p.c0 = -p.p0 / p.pt;
  p.ci = (transposed ? -p.pj : 1) / p.pt;
  p.cj = (transposed ? 1 : -p.pj) / p.pt;
  p.w0 = 1;
  p.r0 = 1 / p.pt;
  p.closest = p.pt;
  return p;
}

/* Seen along the central ray, a point lies w SOD from the source and at the place (x c + y s) SDD / (w SOD). */
static void look_from_pixels(const ct_geometry *g, const ct_grid *grid, ct_j2d_pencil *p) {
  const double c = cos(g->angles[p->view]), s = sin(g->angles[p->view]);
  const double scale = cos(g->tilt) / g->du * g->sdd / g->sod, shift = g->centre_u - p->first;
  p->w0 = 1 + (-s * grid->x0 + c * grid->y0) / g->sod;
  p->wi = -s * grid->dx / g->sod;
  p->wj = c * grid->dy / g->sod;
  p->c0 = p->step * (scale * (c * grid->x0 + s * grid->y0) + shift * p->w0);
  p->ci = p->step * (scale * c * grid->dx + shift * p->wi);
  p->cj = p->step * (scale * s * grid->dy + shift * p->wj);
  p->r0 = p->transposed ? p->cj : p->ci;
  p->r1 = -(p->transposed ? p->wj : p->wi);
  double nearest = INFINITY;
  for (int corner = 0; corner < 4; corner++)
    nearest =
        fmin(nearest, p->w0 + (corner & 1 ? p->wi * (grid->nx - 1) : 0) + (corner & 2 ? p->wj * (grid->ny - 1) : 0));
  p->plain = p->plain || nearest < 0.02;
  const double last = p->r0 + p->r1 * (p->count - 1);
  p->plain = p->plain || !(p->r0 > 0 && last > 0);
  p->closest = nearest / fmax(fabs(p->r0), fabs(last));
}

/* Direction of ray t: along k, across n; the source's row must not lie among the rows. */
static ct_j2d_pencil make_fan(const ct_geometry *g, const ct_grid *grid, int view, bool transposed, int first,
                              int end) {
  const double c = cos(g->angles[view]), s = sin(g->angles[view]), pitch = g->du / cos(g->tilt);
  const axes ax = axes_of(grid, transposed);
  const double x = g->sod * s, y = -g->sod * c;
  ct_j2d_pencil p = pencil_start(&ax, view, transposed, first, 1, end - first);
  p.divergent = true;
  p.e = ((transposed ? y : x) - ax.along0) / ax.along_step;
  p.f0 = (ax.across0 - (transposed ? x : y)) / ax.along_step;
  p.f1 = ax.across_step / ax.along_step;
  for (int turn = 0; turn < 2; turn++) {
    const double place = (p.first - g->centre_u) * pitch, step = p.step * pitch;
    const double dx = -g->sdd * s + place * c, dy = g->sdd * c + place * s;
    p.m0 = transposed ? dy : dx, p.m1 = step * (transposed ? s : c);
    p.n0 = transposed ? dx : dy, p.n1 = step * (transposed ? c : s);
    if ((p.m1 * p.n0 - p.m0 * p.n1) * p.f0 > 0) break;
    p.first = end - 1;
    p.step = -1;
  }
  p.plain = p.f0 * (p.f0 + p.f1 * (ax.rows - 1)) <= 0 || fabs(p.f0) < 1 || fabs(p.f0 + p.f1 * (ax.rows - 1)) < 1;
  look_from_pixels(g, grid, &p);
  return p;
}

/* Whether the ray is nearer to the x axis, and its length from row to row. */
static bool ray_by_columns(const ct_geometry *g, const ct_grid *grid, int view, int u, float *length) {
  const double c = cos(g->angles[view]), s = sin(g->angles[view]), place = (u - g->centre_u) * g->du / cos(g->tilt);
  const double dx = -g->sdd * s + place * c, dy = g->sdd * c + place * s;
  const bool by_columns = fabs(dx) / grid->dx > fabs(dy) / grid->dy;
  *length = (float)(hypot(dx, dy) * (by_columns ? grid->dx / fabs(dx) : grid->dy / fabs(dy)));
  return by_columns;
}

static void add_fan_view(ct_j2d *j, int view) {
  const ct_geometry *g = j->request.geometry;
  float *lengths = j->lengths + (size_t)view * (size_t)j->nu;
  int first = 0;
  bool columns = ray_by_columns(g, &j->request.grid, view, 0, lengths);
  for (int u = 1; u <= j->nu; u++) {
    const bool now = u < j->nu && ray_by_columns(g, &j->request.grid, view, u, lengths + u);
    if (u < j->nu && now == columns) continue;
    j->pencils[j->count++] = make_fan(g, &j->request.grid, view, columns, first, u);
    first = u;
    columns = now;
  }
}

/* The transpose looks at two rays near a pixel; in a fan at any number, but its windows ask for 0.36 pixels between,
 * and where not even single rays have them, none serve. */
static void place_scratch(ct_j2d *j) {
  size_t at = 0;
  for (int n = 0; n < j->count; n++) {
    ct_j2d_pencil *p = j->pencils + n;
    const double needed = (p->divergent ? 0.36 : 1) / p->closest - 1e-9;
    const bool dense = p->divergent && needed > p->count;
    p->plain = p->plain || dense;
    p->phases = dense ? 1 : needed > 1 && needed < p->count ? (int)ceil(needed) : needed > 1 ? p->count : 1;
    p->scratch = at;
    at += (size_t)p->phases * ct_j2d_run(p);
  }
  j->scratch_size = at;
  for (int n = 0; n < j->count; n++) j->phases += j->pencils[n].phases;
}

bool ct_j2d_make_pencils(ct_j2d *j, ct_error **error) {
  const ct_geometry *g = j->request.geometry;
  const bool fan = ct_j2d_is_fan(g);
  /* Two linear functions compare differently on at most three runs of the detector. */
  j->pencils = ct_alloc((size_t)j->views * (fan ? 3 : 1), sizeof *j->pencils, "the rays of a projector", error);
  j->first_pencil = ct_alloc((size_t)j->views + 1, sizeof *j->first_pencil, "the rays of a projector", error);
  if (fan) j->lengths = ct_alloc((size_t)j->views * (size_t)j->nu, sizeof(float), "the rays of a projector", error);
  if (!j->pencils || !j->first_pencil || (fan && !j->lengths)) return false;
  for (int view = 0; view < j->views; view++) {
    j->first_pencil[view] = j->count;
    if (fan)
      add_fan_view(j, view);
    else
      j->pencils[j->count++] = make_parallel(g, &j->request.grid, view);
  }
  j->first_pencil[j->views] = j->count;
  place_scratch(j);
  return true;
}

/* Cuts [first, end) to the rows where c + d row > 0. */
static void cut(double c, double d, int *first, int *end) {
  if (d == 0) {
    if (!(c > 0)) *end = *first;
    return;
  }
  const double root = -c / d;
  if (d > 0) {
    if (root >= *first) *first = root < *end ? (int)floor(root) + 1 : *end;
  } else if (root < *end) {
    *end = root > *first ? (int)ceil(root) : *first;
  }
}

void ct_j2d_make_group(const ct_j2d_pencil *p, int t, int low, int high, ct_j2d_group *group) {
  group->lanes = p->count - t < CT_J2D_LANES ? p->count - t : CT_J2D_LANES;
  group->ray = t;
  group->divergent = p->divergent;
  group->plain = p->plain;
  group->first = 0;
  group->end = p->rows;
  high -= low;
  if (p->divergent) {
    const double n = p->n0 + p->n1 * t, m = (p->m0 + p->m1 * t) / n;
    group->a = p->e - low + p->f0 * m, group->b = p->f1 * m;
    group->h0 = p->f0, group->h1 = p->f1;
    group->d = (p->m1 * p->n0 - p->m0 * p->n1) / (n * n), group->g = p->n1 / n;
    group->plain = p->plain || 1 + group->g * (CT_J2D_LANES - 1) < 0.25;
    if (p->plain) return;
  } else {
    group->a = p->p0 - low + p->pt * t, group->b = p->pj;
    group->h0 = 1, group->h1 = 0;
    group->d = p->pt, group->g = 0;
  }
  const double last = group->lanes - 1, reach = last * group->d / (1 + last * group->g);
  cut(high - group->a, -group->b, &group->first, &group->end);
  cut(group->a + group->h0 * reach + 1, group->b + group->h1 * reach, &group->first, &group->end);
}
