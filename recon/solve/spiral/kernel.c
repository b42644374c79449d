/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection of groups of parallel views (spiral.h): tiles of voxel columns, one group after the other, each with
 * its sum and its weight along z in the first cache. */
#include "recon/solve/spiral/spiral.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "recon/geom/questions.h"
#include "recon/solve/spiral/tiles.h"

#include <math.h>

struct ct_bp_state {
  ct_bp_request request;
  const ct_spiral_loops *loops;
  ct_spiral_views views;
  int rows;              /* of a column, rounded up */
  double *fans;          /* [columns] */
  float *layout;         /* [groups of a batch][views of a group][columns][rows] */
  ct_spiral_tiles tiles; /* seen: by every group so far */
};

static const ct_simd_loops all_loops = CT_SIMD_PLAIN(ct_spiral_loops);

/* Of a thread: sum and weight along z, and a column of rows. */
static size_t own_floats(const ct_bp_request *request) {
  return 2 * (size_t)ct_spiral_round_up(request->grid.nz) + (size_t)ct_spiral_round_up(request->geometry->nv + 1) +
         2 * (size_t)ct_spiral_pad();
}

static size_t layout_floats(const ct_bp_request *request, const ct_spiral_views *views) {
  return (size_t)request->batch * (size_t)views->most * (size_t)views->columns *
         (size_t)ct_spiral_round_up(request->geometry->nv + 1);
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
  return sizeof(float) * layout_floats(request, &views) + ct_spiral_tiles_bytes(request, own_floats(request));
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
  s->rows = ct_spiral_round_up(request->geometry->nv + 1);
  if (!accepts(kernel, request, error) || !ct_spiral_arrange(request->geometry, &s->views) ||
      !(s->fans = ct_alloc((size_t)s->views.columns, sizeof *s->fans, "the columns' fan angles", error)) ||
      !(s->layout = ct_alloc(layout_floats(request, &s->views), sizeof(float), "the transposed views", error)) ||
      !ct_spiral_tiles_init(&s->tiles, request, own_floats(request), error)) {
    free_state(s);
    return NULL;
  }
  for (int j = 0; j < s->views.columns; j++)
    s->fans[j] = ct_spiral_ray_at(request->geometry, &s->views, 0, (j - s->views.centre) * s->views.pitch).fan;
  return s;
}

/* A group for a tile: directions of p and of the way along the rays. */
typedef struct direction {
  int group;
  double c, s;
  double gantry;       /* of its first view, in the middle of the fan, radians */
  double per_mm;       /* voxels along z */
  const float *layout; /* [views of it][columns][rows] */
} direction;

/* How the views of a group see one voxel column, from one side and from the other: all but the heights of their
 * sources. */
typedef struct side {
  bool seen;
  int left;          /* the column of the view before it */
  float share;       /* of the one behind */
  double fan;        /* radians */
  double rise, fall; /* rows per mm of z, and mm per row */
} side;

static void find_sides(const ct_bp_state *s, double p, double along, side sides[2]) {
  const ct_geometry *g = s->request.geometry;
  const ct_spiral_views *views = &s->views;
  const double off = p / views->pitch, share = p / g->sod, cosine = sqrt(1 - share * share);
  for (int n = 0; n < 2; n++) {
    const double j = (n ? -off : off) + views->centre;
    sides[n].seen = j >= 0 && j < views->columns - 1;
    if (!sides[n].seen) continue;
    sides[n].left = (int)j;
    /* The height hardly hangs on the fan angle, the row does on its cosine. */
    const double part = j - sides[n].left, *fans = s->fans + sides[n].left;
    sides[n].share = (float)part;
    sides[n].fan = fans[0] + part * (fans[1] - fans[0]);
    sides[n].fall = g->dv * cosine * (g->sod * cosine + (n ? -along : along)) / g->sdd;
    sides[n].rise = 1 / sides[n].fall;
  }
}

/* What view k of the group gives the column: false where it does not see it. */
static bool find_column(const ct_bp_state *s, const direction *d, int k, const side *seen, ct_spiral_column *column) {
  const ct_geometry *g = s->request.geometry;
  const ct_grid *grid = &s->request.grid;
  if (!seen->seen) return false;
  const double gantry = d->gantry + k * M_PI + seen->fan, height = g->height + g->feed * gantry / (2 * M_PI),
               from = (height - grid->z0 - (g->centre_v + 0.5) * seen->fall) * d->per_mm,
               to = from + g->nv * seen->fall * d->per_mm;
  if (!(to >= 0 && from <= grid->nz - 1)) return false;
  column->first = from > 0 ? (int)ceil(from) : 0;
  column->end = to < grid->nz - 1 ? (int)to + 1 : grid->nz;
  if (column->first >= column->end) return false;
  column->step = seen->rise * grid->dz;
  column->v0 = g->centre_v + seen->rise * (grid->z0 - height);
  column->share = seen->share;
  column->left = d->layout + ((size_t)k * (size_t)s->views.columns + (size_t)seen->left) * (size_t)s->rows;
  column->right = column->left + s->rows;
  return true;
}

/* Views of a group that may see the grid: those whose sources are not too far from it along z. */
static void find_views(const ct_bp_state *s, int group, int *first, int *end) {
  const ct_geometry *g = s->request.geometry;
  const ct_grid *grid = &s->request.grid;
  const double x = fmax(fabs(grid->x0), fabs(grid->x0 + (grid->nx - 1) * grid->dx)),
               y = fmax(fabs(grid->y0), fabs(grid->y0 + (grid->ny - 1) * grid->dy)),
               rows = fmax(g->centre_v + 0.5, g->nv - 0.5 - g->centre_v),
               reach = (g->sod + hypot(x, y)) * rows * g->dv / g->sdd + fabs(g->feed) * M_PI / 2 / (2 * M_PI),
               low = grid->z0 - reach, high = grid->z0 + (grid->nz - 1) * grid->dz + reach;
  const int count = (s->views.count - 1 - group) / s->views.groups + 1;
  *first = count;
  *end = 0;
  for (int k = 0; k < count; k++) {
    const ct_spiral_ray ray = ct_spiral_ray_at(g, &s->views, group + k * s->views.groups, 0);
    if (!(ray.height >= low && ray.height <= high)) continue;
    if (k < *first) *first = k;
    *end = k + 1;
  }
}

static void add_group(const ct_bp_state *s, const direction *d, const ct_spiral_tile *t, float *totals, float *own) {
  const ct_grid *grid = &s->request.grid;
  const size_t voxels = (size_t)s->tiles.voxels;
  int first, end;
  find_views(s, d->group, &first, &end);
  ct_spiral_column column = {.count = s->request.geometry->nv,
                             .rows = s->rows,
                             .sum = own,
                             .weight = own + voxels,
                             .buffer = own + 2 * voxels,
                             .pad = ct_spiral_pad()};
  for (int n = 0; n < t->width * t->height; n++) {
    const int i = t->i0 + n % t->width, j = t->j0 + n / t->width;
    const double x = grid->x0 + i * grid->dx, y = grid->y0 + j * grid->dy, p = x * d->c + y * d->s,
                 along = y * d->c - x * d->s;
    int low = grid->nz, high = 0;
    bool whole = true;
    side sides[2];
    find_sides(s, p, along, sides);
    for (int k = first; k < end; k++) {
      if (!find_column(s, d, k, &sides[k & 1], &column)) continue;
      s->loops->add(&column);
      whole = whole && (low > high || (column.first <= high && column.end >= low));
      low = column.first < low ? column.first : low;
      high = column.end > high ? column.end : high;
    }
    int *seen = s->tiles.seen + 2 * ((size_t)j * (size_t)grid->nx + (size_t)i);
    seen[0] = low > seen[0] ? low : seen[0];
    seen[1] = high < seen[1] ? high : seen[1];
    /* Far from the axis there may be gaps. */
    if (!whole) seen[1] = 0;
    const int from = low / CT_SPIRAL_ROUND * CT_SPIRAL_ROUND, count = ct_spiral_round_up(high) - from;
    if (high > low)
      s->loops->close(totals + (size_t)n * voxels + (size_t)from, column.sum + from, column.weight + from, count);
  }
}

typedef struct batch_of {
  const ct_bp_state *state;
  const direction *directions;
} batch_of;

static void add_tile(const void *user, int n, const ct_spiral_tile *tile, float *totals, float *own) {
  const batch_of *b = user;
  add_group(b->state, &b->directions[n], tile, totals, own);
}

static bool run(ct_bp_state *s, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_spiral_layout layout = {s->views.groups,  s->views.most, s->views.count, s->request.geometry->nv,
                                   s->views.columns, s->rows,       s->layout};
  const size_t group = (size_t)layout.most * ct_spiral_view_floats(&layout);
  direction *directions = ct_alloc((size_t)batch->count, sizeof *directions, "the directions", error);
  if (!directions) return false;
  for (int n = 0; n < batch->count; n++) {
    /* Of the group's first view, as the grid is turned. */
    const double angle = s->views.first + batch->views[n] * M_PI / s->views.groups;
    directions[n] = (direction){
        batch->views[n], cos(angle), sin(angle), angle, 1 / s->request.grid.dz, s->layout + (size_t)n * group};
  }
  ct_spiral_lay(&layout, batch, s->request.threads);
  ct_spiral_tiles_run(&s->tiles, batch, add_tile, &(batch_of){s, directions}, volume, job);
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
