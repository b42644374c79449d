/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection of groups of parallel views (spiral.h): tiles of voxel columns, one group after the other, each with
 * the mean of a group along z in registers. */
#include "recon/solve/spiral/spiral.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "recon/geom/questions.h"
#include "recon/solve/spiral/tiles.h"

#include <math.h>

struct ct_bp_state {
  ct_bp_request request;
  const ct_spiral_loops *loops;
  ct_spiral_scan scan;
  double *fans;          /* [columns] */
  float *layout;         /* between pads: [groups of a batch][views of a group][columns][rows] */
  ct_spiral_tiles tiles; /* seen: by every group so far */
};

static const ct_simd_loops all_loops = CT_SIMD_PLAIN(ct_spiral_loops);

/* Of a thread: how the views of a group see a strip. */
static size_t own_floats(const ct_spiral_views *views) {
  return (size_t)ct_spiral_round_up(views->most * (int)(sizeof(ct_spiral_sight) / sizeof(float)));
}

static size_t layout_floats(const ct_bp_request *request, const ct_spiral_views *views) {
  return (size_t)request->batch * (size_t)views->most * (size_t)views->columns *
             (size_t)ct_spiral_column_floats(request->geometry->nv) +
         2 * CT_SPIRAL_PAD;
}

bool ct_spiral_takes(const ct_bp_request *request, ct_error **error) {
  if (request->interp != CT_INTERP_LINEAR || request->precision != CT_PRECISION_FLOAT32)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Filtered back-projection of a spiral interpolates linearly in single precision, not %s in %s: "
                        "set reconstruction.interpolation to linear and reconstruction.precision to float32.",
                        ct_interp_id(request->interp), ct_precision_id(request->precision));
  return true;
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  return ct_spiral_takes(request, error) && ct_spiral_serves(request->geometry, error);
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  ct_spiral_views views;
  if (!ct_spiral_arrange(request->geometry, &views)) return 0;
  return sizeof(float) * layout_floats(request, &views) + ct_spiral_tiles_bytes(request, own_floats(&views));
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->fans);
  ct_free(state->layout);
  ct_spiral_tiles_clear(&state->tiles);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *s = ct_alloc_zero(1, sizeof *s, "the back-projection", error);
  if (!s) return NULL;
  s->request = *request;
  s->loops = ct_simd_loops_usable(&all_loops);
  s->scan = (ct_spiral_scan){.geometry = request->geometry,
                             .grid = &s->request.grid,
                             .rows = ct_spiral_column_floats(request->geometry->nv),
                             .voxels = ct_spiral_round_up(request->grid.nz)};
  if (!accepts(kernel, request, error) || !ct_spiral_arrange(request->geometry, &s->scan.views) ||
      !(s->fans = ct_alloc((size_t)s->scan.views.columns, sizeof *s->fans, "the columns' fan angles", error)) ||
      !(s->layout =
            ct_alloc_zero(layout_floats(request, &s->scan.views), sizeof(float), "the transposed views", error)) ||
      !ct_spiral_tiles_init(&s->tiles, request, s->loops, own_floats(&s->scan.views), error)) {
    free_state(s);
    return NULL;
  }
  const ct_spiral_views *views = &s->scan.views;
  for (int j = 0; j < views->columns; j++)
    s->fans[j] = ct_spiral_ray_at(request->geometry, views, 0, (j - views->centre) * views->pitch).fan;
  s->scan.fans = s->fans;
  return s;
}

/* A group for a tile: directions of p and of the way along the rays. */
typedef struct direction {
  double c, s;
  double gantry;       /* of its first view, in the middle of the fan, radians */
  int first, end;      /* views of it that may see the grid */
  const float *layout; /* [views of it][columns][rows] */
} direction;

/* Views of a group that may see the grid: those whose sources are not too far from it along z. */
static void find_views(const ct_bp_state *s, int group, int *first, int *end) {
  const ct_geometry *g = s->request.geometry;
  const ct_grid *grid = &s->request.grid;
  const double x = fmax(fabs(grid->x0), fabs(grid->x0 + (grid->nx - 1) * grid->dx)),
               y = fmax(fabs(grid->y0), fabs(grid->y0 + (grid->ny - 1) * grid->dy)),
               rows = fmax(g->centre_v + 0.5, g->nv - 0.5 - g->centre_v),
               reach = (g->sod + hypot(x, y)) * rows * g->dv / g->sdd + fabs(g->feed) * M_PI / 2 / (2 * M_PI),
               low = grid->z0 - reach, high = grid->z0 + (grid->nz - 1) * grid->dz + reach;
  const ct_spiral_views *views = &s->scan.views;
  const int count = (views->count - 1 - group) / views->groups + 1;
  *first = count;
  *end = 0;
  for (int k = 0; k < count; k++) {
    const ct_spiral_ray ray = ct_spiral_ray_at(g, views, group + k * views->groups, 0);
    if (!(ray.height >= low && ray.height <= high)) continue;
    if (k < *first) *first = k;
    *end = k + 1;
  }
}

/* What a tile sees of views first, first + step, ... of a group, its columns one behind the other, into the second
 * cache. */
static void fetch(const ct_bp_state *s, const direction *d, const ct_spiral_tile *t, int first, int step) {
  enum { LINE = 16 };
  const ct_grid *grid = &s->request.grid;
  const ct_spiral_views *views = &s->scan.views;
  const double x = grid->x0 + (t->i0 + 0.5 * (t->width - 1)) * grid->dx,
               y = grid->y0 + (t->j0 + 0.5 * (t->height - 1)) * grid->dy, p = (x * d->c + y * d->s) / views->pitch,
               half = 0.5 * (fabs(d->c) * grid->dx * t->width + fabs(d->s) * grid->dy * t->height) / views->pitch;
  for (int k = first; k < d->end; k += step) {
    const double middle = views->centre + (k & 1 ? -p : p);
    const int low = (int)fmax(middle - half, 0), high = (int)fmin(middle + half + 2, views->columns);
    const float *view = d->layout + (size_t)k * (size_t)views->columns * (size_t)s->scan.rows;
    for (int n = low * s->scan.rows; n < high * s->scan.rows; n += LINE) __builtin_prefetch(view + n, 0, 2);
  }
}

/* `next`: the group to come, NULL: none. */
static void add_group(const ct_bp_state *s, const direction *d, const direction *next, const ct_spiral_tile *t,
                      float *totals, float *own) {
  const ct_grid *grid = &s->request.grid;
  const size_t voxels = (size_t)s->tiles.voxels;
  for (int n = 0; n < t->height; n++) {
    const double x = grid->x0 + t->i0 * grid->dx, y = grid->y0 + (t->j0 + n) * grid->dy;
    const size_t at = (size_t)(t->j0 + n) * (size_t)grid->nx + (size_t)t->i0;
    const ct_spiral_strip strip = {.scan = &s->scan,
                                   .count = t->width,
                                   .p = x * d->c + y * d->s,
                                   .along = y * d->c - x * d->s,
                                   .more_p = grid->dx * d->c,
                                   .more_along = -grid->dx * d->s,
                                   .gantry = d->gantry,
                                   .first = d->first,
                                   .end = d->end,
                                   .layout = d->layout,
                                   .totals = totals + (size_t)(n * t->width) * voxels,
                                   .sights = (ct_spiral_sight *)own,
                                   .seen = s->tiles.seen + 2 * at};
    if (next) fetch(s, next, t, next->first + n, t->height);
    s->loops->add_strip(&strip);
  }
}

typedef struct batch_of {
  const ct_bp_state *state;
  int count;
  const direction *directions;
} batch_of;

static void add_tile(const void *user, int n, const ct_spiral_tile *tile, float *totals, float *own) {
  const batch_of *b = user;
  add_group(b->state, &b->directions[n], n + 1 < b->count ? &b->directions[n + 1] : NULL, tile, totals, own);
}

static bool run(ct_bp_state *s, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_spiral_views *views = &s->scan.views;
  const ct_spiral_layout layout = {views->groups,
                                   views->most,
                                   views->count,
                                   s->request.geometry->nv,
                                   views->columns,
                                   s->scan.rows,
                                   s->layout + CT_SPIRAL_PAD};
  const size_t group = (size_t)layout.most * ct_spiral_view_floats(&layout);
  direction *directions = ct_alloc((size_t)batch->count, sizeof *directions, "the directions", error);
  if (!directions) return false;
  for (int n = 0; n < batch->count; n++) {
    /* Of the group's first view, as the grid is turned. */
    const double angle = views->first + batch->views[n] * M_PI / views->groups;
    direction *d = &directions[n];
    *d = (direction){.c = cos(angle), .s = sin(angle), .gantry = angle, .layout = layout.out + (size_t)n * group};
    find_views(s, batch->views[n], &d->first, &d->end);
  }
  ct_spiral_lay(&layout, batch, s->request.threads);
  ct_spiral_tiles_run(&s->tiles, batch, add_tile, &(batch_of){s, batch->count, directions}, volume, job);
  ct_free(directions);
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel ct_spiral_kernel = {
    .id = "spiral",
    .title = "Spiral, weighted",
    .explanation =
        "Parallel views sorted from a spiral, half turns apart in one group: every voxel takes the mean of the "
        "rays that see it in each direction, weighted by the detector's row (Stierstorfer et al. 2004).",
    .loops = CT_SIMD_PLAIN(ct_spiral_loops),
    .geometry = CT_GEOMETRY_VOLUME,
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .rank = -1,
    .tolerance = 1e-5,
    .batch = 0,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
