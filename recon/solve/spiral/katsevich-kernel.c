/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection over the interval of each voxel (katsevich.h, step 6): column by column along z, as for parallel
 * views (kernel.c). Along a voxel column the ends of the Tam window rise with the source: between two views of the scan
 * each passes over the same heights at every column's own pace, in which the share of the filtered view goes from 0 to
 * 1. */
#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "recon/geom/questions.h"
#include "recon/solve/spiral/katsevich-private.h"
#include "recon/solve/spiral/tiles.h"
#include "recon/solve/spiral/views.h"

/* Steps of the table of the window's upper end over |q| <= its reach: linear between them to 1e-7. */
enum { STEPS = 4096 };

/* The gantry at an angle of the scan. */
typedef struct stand {
  double c, s, height;
} stand;

struct ct_bp_state {
  ct_bp_request request;
  const ct_spiral_loops *loops;
  ct_katsevich_views views;
  int rows;      /* of a column, rounded up */
  stand *stands; /* [2 count + 1]: views of the scan by angle, and between them filtered views */
  double *tops;  /* [STEPS + 2] from q = -reach on */
  double reach;
  float *layout; /* [groups of a batch][views of a group][columns][rows] */
  ct_spiral_tiles tiles;
};

static const ct_simd_loops all_loops = CT_SIMD_PLAIN(ct_spiral_loops);

static size_t layout_floats(const ct_bp_request *request, const ct_katsevich_views *views) {
  return (size_t)request->batch * (size_t)views->most * (size_t)request->geometry->nu *
             (size_t)ct_spiral_column_floats(views->rows) +
         2 * CT_SPIRAL_PAD;
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  return ct_spiral_takes(request, error) && ct_katsevich_serves(request->geometry, error);
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  const ct_katsevich_views views = ct_katsevich_arrange(request->geometry);
  return sizeof(float) * layout_floats(request, &views) + ct_spiral_tiles_bytes(request, 0) +
         (2 * (size_t)views.count + 1) * sizeof(stand) + (STEPS + 2) * sizeof(double);
}

static void free_state(ct_bp_state *s) {
  if (!s) return;
  ct_free(s->stands);
  ct_free(s->tops);
  ct_free(s->layout);
  ct_spiral_tiles_clear(&s->tiles);
  ct_free(s);
}

static bool find_stands(ct_bp_state *s, ct_error **error) {
  const ct_geometry *g = s->request.geometry;
  ct_spiral_view *order = ct_spiral_sort(g, error);
  for (int n = 0; order && n <= 2 * s->views.count; n++) {
    const double t = 0.5 * (order[n / 2].angle + order[(n + 1) / 2].angle);
    s->stands[n] = (stand){cos(t), sin(t), g->height + ct_katsevich_rise(g) * t};
  }
  ct_free(order);
  return order;
}

static double top_at(const ct_bp_state *s, double q) {
  const double at = (q + s->reach) * (STEPS / (2 * s->reach));
  if (!(at >= 0 && at < STEPS)) return ct_tam_top(q);
  const int n = (int)at;
  return s->tops[n] + (at - n) * (s->tops[n + 1] - s->tops[n]);
}

/* Heights of the window's upper and lower end in a voxel column. */
static void ends_at(const ct_bp_state *s, const stand *gantry, double x, double y, double ends[2]) {
  const ct_geometry *g = s->request.geometry;
  const double away = g->sod - x * gantry->s + y * gantry->c, q = (x * gantry->c + y * gantry->s) / away,
               rise = ct_katsevich_rise(g) * away / g->sod;
  ends[0] = gantry->height + rise * top_at(s, q);
  ends[1] = ends[0] - rise * ct_tam_height(q);
}

/* Slices whose whole interval the scan holds, in columns that every view sees. */
static void find_seen(ct_bp_state *s) {
  const ct_geometry *g = s->request.geometry;
  const ct_grid *grid = &s->request.grid;
  const double radius = ct_geometry_field_radius(g), rise = ct_katsevich_rise(g), slack = 1e-6;
  for (int j = 0; j < grid->ny; j++)
    for (int i = 0; i < grid->nx; i++) {
      const double x = grid->x0 + i * grid->dx, y = grid->y0 + j * grid->dy;
      int *seen = s->tiles.seen + 2 * ((size_t)j * (size_t)grid->nx + (size_t)i);
      double first[2], last[2];
      seen[0] = seen[1] = 0;
      if (hypot(x, y) > radius * (1 + slack)) continue;
      ends_at(s, &s->stands[0], x, y, first);
      ends_at(s, &s->stands[2 * s->views.count], x, y, last);
      const double low = ((rise > 0 ? first[0] : last[1]) - grid->z0) / grid->dz - slack,
                   high = ((rise > 0 ? last[1] : first[0]) - grid->z0) / grid->dz + slack;
      seen[0] = (int)fmin(fmax(ceil(low), 0), grid->nz);
      seen[1] = (int)fmin(fmax(floor(high) + 1, 0), grid->nz);
    }
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  const ct_geometry *g = request->geometry;
  if (!accepts(kernel, request, error)) return NULL;
  ct_bp_state *s = ct_alloc_zero(1, sizeof *s, "the back-projection", error);
  if (!s) return NULL;
  s->request = *request;
  s->loops = ct_simd_loops_usable(&all_loops);
  s->views = ct_katsevich_arrange(g);
  s->rows = ct_spiral_column_floats(s->views.rows);
  s->reach = 1.01 * fmax(g->centre_u + 1, g->nu - g->centre_u) * g->du / g->sdd;
  if (!(s->stands = ct_alloc(2 * (size_t)s->views.count + 1, sizeof *s->stands, "the views", error)) ||
      !find_stands(s, error) || !(s->tops = ct_alloc(STEPS + 2, sizeof *s->tops, "the Tam window", error)) ||
      !(s->layout = ct_alloc_zero(layout_floats(request, &s->views), sizeof(float), "the transposed views", error)) ||
      !ct_spiral_tiles_init(&s->tiles, request, s->loops, 0, error)) {
    free_state(s);
    return NULL;
  }
  for (int n = 0; n < STEPS + 2; n++) s->tops[n] = ct_tam_top(s->reach * (2.0 * n / STEPS - 1));
  find_seen(s);
  return s;
}

/* How filtered view m sees a voxel column, and for how long the column's voxels take it; false: it sees none. */
static bool find_column(const ct_bp_state *s, int m, double x, double y, ct_spiral_column *column,
                        ct_spiral_interval *interval) {
  const ct_geometry *g = s->request.geometry;
  const ct_grid *grid = &s->request.grid;
  const stand *at = &s->stands[2 * m + 1];
  const double away = g->sod - x * at->s + y * at->c, nearer = 1 / away, per_mm = 1 / grid->dz,
               j = g->centre_u + (x * at->c + y * at->s) * nearer * g->sdd / g->du, rise = g->sdd * nearer / g->dv;
  double before[2], behind[2];
  ends_at(s, at - 1, x, y, before);
  ends_at(s, at + 1, x, y, behind);
  const double low = fmin(fmin(before[1], behind[1]), fmin(before[0], behind[0])),
               high = fmax(fmax(before[0], behind[0]), fmax(before[1], behind[1])), from = (low - grid->z0) * per_mm,
               to = (high - grid->z0) * per_mm;
  if (!(to >= 0 && from <= grid->nz - 1)) return false;
  column->first = from > 0 ? (int)ceil(from) : 0;
  column->end = to < grid->nz - 1 ? (int)to + 1 : grid->nz;
  if (column->first >= column->end) return false;
  const int left = (int)fmin(fmax(j, 0), g->nu - 2);
  column->share = (float)fmin(fmax(j - left, 0), 1);
  column->left += (size_t)left * (size_t)s->rows;
  column->step = rise * grid->dz;
  column->v0 = g->centre_v - s->views.row0 + rise * (grid->z0 - at->height);
  /* The share in which z is below the upper end, and in which it is above the lower one. */
  const double upper = 1 / (behind[0] - before[0]), lower = 1 / (behind[1] - before[1]);
  *interval = (ct_spiral_interval){{(behind[0] - grid->z0) * upper, (grid->z0 - before[1]) * lower},
                                   {-grid->dz * upper, grid->dz * lower},
                                   (float)nearer};
  return true;
}

/* Filtered views of a group whose windows may reach the grid. */
static void find_views(const ct_bp_state *s, int group, int *first, int *end) {
  const ct_geometry *g = s->request.geometry;
  const ct_grid *grid = &s->request.grid;
  const double rows = fmax(g->centre_v + 0.5, g->nv - 0.5 - g->centre_v),
               reach = (g->sod + ct_geometry_field_radius(g)) * rows * g->dv / g->sdd, low = grid->z0 - reach,
               high = grid->z0 + (grid->nz - 1) * grid->dz + reach;
  const int count = (s->views.count - 1 - group) / s->views.groups + 1;
  *first = count;
  *end = 0;
  for (int k = 0; k < count; k++) {
    const double height = s->stands[2 * (group + k * s->views.groups) + 1].height;
    if (!(height >= low && height <= high)) continue;
    if (k < *first) *first = k;
    *end = k + 1;
  }
}

typedef struct direction {
  int group, first, end;
  const float *layout; /* [views of it][columns][rows] */
} direction;

typedef struct batch_of {
  const ct_bp_state *state;
  const direction *directions;
} batch_of;

/* Rows that are there, where the detector leaves a window to the half row. */
static void keep_on_rows(const ct_bp_state *s, ct_spiral_column *c) {
  while (c->first < c->end && !(fabs(c->v0 + c->first * c->step - 0.5 * (s->views.rows - 1)) < 0.5 * s->views.rows))
    c->first++;
  while (c->first < c->end && !(fabs(c->v0 + (c->end - 1) * c->step - 0.5 * (s->views.rows - 1)) < 0.5 * s->views.rows))
    c->end--;
}

static void add_tile(const void *user, int n, const ct_spiral_tile *t, float *totals, float *own) {
  const batch_of *b = user;
  const ct_bp_state *s = b->state;
  const direction *d = &b->directions[n];
  const ct_grid *grid = &s->request.grid;
  ct_spiral_column column = {.pitch = s->rows};
  ct_spiral_interval interval;
  for (int i = 0; i < t->width * t->height; i++) {
    const int at[2] = {t->i0 + i % t->width, t->j0 + i / t->width};
    const int *seen = s->tiles.seen + 2 * ((size_t)at[1] * (size_t)grid->nx + (size_t)at[0]);
    if (seen[0] >= seen[1]) continue;
    const double x = grid->x0 + at[0] * grid->dx, y = grid->y0 + at[1] * grid->dy;
    column.sum = totals + (size_t)i * (size_t)s->tiles.voxels;
    for (int k = d->first; k < d->end; k++) {
      column.left = d->layout + (size_t)k * (size_t)s->request.geometry->nu * (size_t)s->rows;
      if (!find_column(s, d->group + k * s->views.groups, x, y, &column, &interval)) continue;
      keep_on_rows(s, &column);
      if (column.first < column.end) s->loops->add_within(&column, &interval);
    }
  }
}

static bool run(ct_bp_state *s, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_spiral_layout layout = {s->views.groups,         s->views.most, s->views.count,           s->views.rows,
                                   s->request.geometry->nu, s->rows,       s->layout + CT_SPIRAL_PAD};
  const size_t group = (size_t)layout.most * ct_spiral_view_floats(&layout);
  direction *directions = ct_alloc((size_t)batch->count, sizeof *directions, "the directions", error);
  if (!directions) return false;
  for (int n = 0; n < batch->count; n++) {
    directions[n] = (direction){.group = batch->views[n], .layout = layout.out + (size_t)n * group + CT_SPIRAL_BESIDE};
    find_views(s, batch->views[n], &directions[n].first, &directions[n].end);
  }
  ct_spiral_lay(&layout, batch, s->request.threads);
  ct_spiral_tiles_run(&s->tiles, batch, add_tile, &(batch_of){s, directions}, volume, job);
  ct_free(directions);
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel ct_katsevich_kernel = {
    .id = "katsevich",
    .title = "Spiral, exact",
    .explanation =
        "Views of a spiral by Katsevich's filter: every voxel takes the rays of one interval of the source's "
        "path, in which it lies in the Tam window (Katsevich 2002; Noo, Pack, Heuscher 2003).",
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
