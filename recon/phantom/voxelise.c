/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Voxelising: volume[z][y][x] = mu * mean density over sub^3 points of the voxel. A shape is handled row by row. Grown
 * by a voxel it bounds the voxels it can touch, shrunk by one those that lie wholly inside; only the few between are
 * sampled. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/phantom/phantom-private.h"

#include <math.h>
#include <omp.h>

typedef struct shape_bounds {
  ct_placed exact, outer, inner;
  bool has_inner;
  double top; /* mm above and below the centre that the grown shape reaches */
} shape_bounds;

/* Shapes that are hardly wider than a voxel are sampled finer, as a point's weight is that of few samples. */
static int sampling_of(const ct_placed *placed, const ct_grid *grid, int sub) {
  enum { FINE = 16 };
  const double wide = fmin(placed->half[0], placed->half[1]), voxel = fmax(grid->dx, grid->dy);
  return sub > 1 && sub < FINE && wide < 2 * voxel ? FINE : sub;
}

typedef struct row_sampler {
  const ct_grid *grid;
  int sub;
  double *sum; /* [nx] densities */
} row_sampler;

/* How far a voxel reaches from its centre in the shape's own frame: along each axis of it, and as the crow flies over
 * the first two or all three axes (a bound: the half diagonal). */
static void voxel_reach(const ct_placed *placed, const ct_grid *grid, double along[3], double *flat, double *solid) {
  const double hx = grid->dx / 2, hy = grid->dy / 2, hz = grid->dz / 2;
  const double c = fabs(placed->frame.cosine), s = fabs(placed->frame.sine);
  along[0] = (c * hx + s * hy) * placed->frame.inverse_half[0];
  along[1] = (s * hx + c * hy) * placed->frame.inverse_half[1];
  along[2] = hz * placed->frame.inverse_half[2];
  *flat = hypot(along[0], along[1]);
  *solid = hypot(*flat, along[2]);
}

static void shape_bounds_init(shape_bounds *bounds, const ct_shape *shape, double radius, const ct_grid *grid) {
  double along[3], flat, solid, grown[3], shrunk[3];
  ct_placed_init(&bounds->exact, shape, radius, NULL);
  voxel_reach(&bounds->exact, grid, along, &flat, &solid);
  bounds->has_inner = true;
  for (int i = 0; i < 3; i++) {
    double reach = along[i];
    if (shape->kind == CT_SHAPE_ELLIPSOID) reach = solid;
    if (shape->kind == CT_SHAPE_CYLINDER && i < 2) reach = flat;
    /* A wedge's slanted sides lie at half a unit from its centre. */
    if (shape->kind == CT_SHAPE_WEDGE && i < 2) reach = along[0] + 2 * along[1];
    grown[i] = 1 + reach * (1 + 1e-9);
    shrunk[i] = 1 - reach * (1 + 1e-9);
    if (!(shrunk[i] > 0)) bounds->has_inner = false;
  }
  ct_placed_init(&bounds->outer, shape, radius, grown);
  if (bounds->has_inner) ct_placed_init(&bounds->inner, shape, radius, shrunk);
  bounds->top = bounds->outer.half[2];
}

/* Voxels first .. last of a row (centres at x0 + i dx, y, z) whose centres lie in the shape; false when none does. */
static bool row_range(const ct_placed *placed, const ct_grid *grid, double y, double z, int *first, int *last) {
  const double point[3] = {grid->x0, y, z}, direction[3] = {1, 0, 0};
  double enter, leave;
  if (!ct_placed_hit(placed, point, direction, &enter, &leave)) return false;
  *first = (int)ceil(fmin(fmax(enter / grid->dx, 0), grid->nx));
  *last = (int)floor(fmax(fmin(leave / grid->dx, grid->nx - 1), -1));
  return *first <= *last;
}

/* Share of the voxel's sub^3 points that lie in the shape; an endless shape needs no points along z. */
static double voxel_share(const row_sampler *sampler, const ct_placed *placed, double x, double y, double z) {
  const ct_grid *grid = sampler->grid;
  const int sub = sampling_of(placed, grid, sampler->sub), sub_z = isinf(placed->half[2]) ? 1 : sub;
  int hits = 0;
  for (int c = 0; c < sub_z; c++)
    for (int b = 0; b < sub; b++)
      for (int a = 0; a < sub; a++) {
        const double point[3] = {x + ((a + 0.5) / sub - 0.5) * grid->dx, y + ((b + 0.5) / sub - 0.5) * grid->dy,
                                 z + ((c + 0.5) / sub_z - 0.5) * grid->dz};
        hits += ct_placed_contains(placed, point);
      }
  return (double)hits / ((double)sub * sub * sub_z);
}

static void add_shape_to_row(const row_sampler *sampler, const shape_bounds *bounds, double y, double z) {
  const ct_grid *grid = sampler->grid;
  int first, last, filled_first = grid->nx, filled_last = -1;
  if (!(fabs(z - bounds->exact.centre[2]) <= bounds->top)) return;
  if (!row_range(&bounds->outer, grid, y, z, &first, &last)) return;
  if (!bounds->has_inner || !row_range(&bounds->inner, grid, y, z, &filled_first, &filled_last)) {
    filled_first = grid->nx;
    filled_last = -1;
  }
  for (int i = first; i <= last; i++) {
    if (i == filled_first) {
      for (; i <= filled_last; i++) sampler->sum[i] += bounds->exact.density;
      i--;
    } else {
      sampler->sum[i] += bounds->exact.density * voxel_share(sampler, &bounds->exact, grid->x0 + i * grid->dx, y, z);
    }
  }
}

bool ct_phantom_voxelise(const ct_phantom *phantom, double radius, double mu, int sub, ct_volume *volume, ct_job *job,
                         ct_error **error) {
  if (!ct_phantom_check(phantom, radius, mu, sub, error)) return false;
  const ct_grid *grid = ct_volume_grid(volume);
  const int threads = ct_thread_count();
  float *data = ct_volume_data(volume);
  bool done = false;
  size_t room = 0;
  shape_bounds *bounds = ct_alloc(phantom->count, sizeof *bounds, "the shapes of the phantom", error);
  double *rows = NULL;
  if (ct_size_product(threads, grid->nx, 1, 1, &room))
    rows = ct_alloc(room, sizeof *rows, "rows of the phantom", error);
  else
    ct_error_set(error, CT_ERROR_MEMORY, "The rows of the phantom are too long.");
  if (!bounds || !rows) goto out;
  for (size_t s = 0; s < phantom->count; s++) shape_bounds_init(&bounds[s], &phantom->shapes[s], radius, grid);

  ct_job_begin_stage(job, CT_STAGE_SIMULATING, (uint64_t)grid->nz);
  const int batch = 8 * threads; /* planes between two looks at a pause */
  for (int k0 = 0; k0 < grid->nz; k0 += batch) {
    if (!ct_job_may_go_on(job, error)) goto out;
    const int planes = grid->nz - k0 < batch ? grid->nz - k0 : batch;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (ptrdiff_t row = 0; row < (ptrdiff_t)planes * grid->ny; row++) {
      if (ct_job_requested(job) == CT_JOB_CANCEL) continue;
      const int k = k0 + (int)(row / grid->ny), j = (int)(row % grid->ny);
      const row_sampler sampler = {grid, sub, rows + (size_t)omp_get_thread_num() * (size_t)grid->nx};
      float *out = data + ((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx;
      for (int i = 0; i < grid->nx; i++) sampler.sum[i] = 0;
      for (size_t s = 0; s < phantom->count; s++)
        add_shape_to_row(&sampler, &bounds[s], grid->y0 + j * grid->dy, grid->z0 + k * grid->dz);
      for (int i = 0; i < grid->nx; i++) out[i] = (float)(mu * sampler.sum[i]);
    }
    ct_job_advance(job, (uint64_t)planes);
  }
  done = ct_job_may_go_on(job, error);
out:
  ct_free(rows);
  ct_free(bounds);
  return done;
}
