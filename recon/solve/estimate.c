/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that a plan needs, before anything is allocated, and what to do when it is too much. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/geom/questions.h"
#include "recon/solve/slabs.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is asked about: a plan's volume, or planes of it alone. */
typedef struct asked {
  const ct_scan *scan;
  const ct_backend *backend;
  double limit;
  bool planes;
  double beside; /* bytes of the planes */
} asked;

static bool add_direct(const ct_plan *plan, const asked *a, const ct_geometry *g, const ct_grid *grid, ct_estimate *e,
                       ct_error **error) {
  ct_bp_request request;
  ct_geometry seen;
  ct_filter_options options = ct_plan_filter_options(plan, a->scan);
  options.ends_within = true; /* at most */
  if (!ct_filtered_geometry(g, &options, &seen, error)) return false;
  /* Planes take what serves them. */
  const ct_bp_kernel *kernel =
      a->planes ? NULL : ct_plan_kernel(plan, a->backend, &seen, grid, CT_EXTENT_VOLUME, &request, NULL, error);
  const ct_sorted_size size = ct_filtered_size(&seen, plan->filter.spiral);
  e->filtered = ct_geometry_climbs(&seen) ? 4.0 * size.nu * size.nv * size.views : e->projections * seen.nu / g->nu;
  if (kernel) {
    e->kernel = kernel->memory ? (double)kernel->memory(kernel, &request) : 0;
    request.ahead = kernel->lays;
    e->ahead = kernel->lays ? (double)kernel->memory(kernel, &request) - e->kernel : 0;
  }
  ct_geometry_clear(&seen);
  return kernel || a->planes;
}

/* Of planes, axial ones that are pictures of their own are iterated, the others are previewed. */
static bool add_iterative(const ct_plan *plan, const asked *a, const ct_geometry *g, const ct_grid *grid,
                          ct_estimate *e, ct_error **error) {
  const ct_grid slice = ct_grid_plane(grid, CT_AXIAL, grid->nz / 2);
  if (a->planes && !ct_geometry_is_stack(g, grid)) return true;
  return ct_plan_iterative_bytes(plan, a->backend, g, a->planes ? &slice : grid, a->limit, &e->iterative, NULL, error);
}

/* Detector rows that are read: all where the axis is tilted, as which are needed hangs on the centre, and of a spiral
 * or sequence, whose filtered views are made of them. */
static void rows_read(const ct_plan *plan, const ct_geometry *g, const ct_grid *grid, int *row0, int *rows) {
  const bool sorted = !ct_plan_is_iterative(plan) && ct_geometry_is_sorted(g);
  if (g->tilt == 0 && !sorted && ct_plan_rows(plan, g, grid, row0, rows)) return;
  *row0 = 0;
  *rows = g->nv;
}

/* Beyond the limit views are filtered in place, as projections.c does where memory is short. */
static bool add_up(const ct_plan *plan, const asked *a, ct_estimate *e, ct_grid *grid, ct_error **error) {
  ct_geometry g;
  if (!ct_plan_geometry(plan, a->scan, &g, error)) return false;
  const bool iterative = ct_plan_is_iterative(plan);
  bool good = ct_plan_grid(plan, &g, grid, error);
  const bool starts = iterative && plan->iterative.start == CT_START_DIRECT;
  const ct_plan direct = ct_plan_direct(plan);
  if (good) {
    int row0, rows;
    rows_read(starts ? &direct : plan, &g, grid, &row0, &rows);
    e->projections = (double)g.nu * rows * g.views * sizeof(float);
    e->volume = a->planes ? a->beside : (double)ct_grid_voxels(grid) * sizeof(float);
    if (a->planes || !iterative || starts) good = add_direct(plan, a, &g, grid, e, error);
    if (good && iterative) {
      ct_geometry_crop_rows(&g, row0, rows);
      good = add_iterative(plan, a, &g, grid, e, error);
    }
    if (e->projections + e->filtered + e->volume + e->kernel + e->iterative > a->limit &&
        e->filtered <= e->projections && !ct_geometry_is_sorted(&g))
      e->filtered = 0;
    e->total = e->projections + e->filtered + e->volume + e->kernel + e->iterative;
    if (e->total + e->ahead > a->limit) e->ahead = 0;
  }
  ct_geometry_clear(&g);
  return good;
}

/* The smallest multiple of a factor of the plan that makes it fit as it stands; 0: none up to 16. */
static int fitting_factor(const ct_plan *plan, const asked *a, size_t offset, double *total) {
  ct_plan tried = *plan;
  int *factor = (int *)((char *)&tried + offset);
  for (int times = 2; *factor * 2 <= 16; times *= 2) {
    ct_estimate e = {0};
    ct_grid grid;
    *factor *= 2;
    if (!add_up(&tried, a, &e, &grid, NULL)) return 0;
    *total = e.total;
    if (e.total <= a->limit) return *factor;
  }
  return 0;
}

/* The thickest slab about the middle of the grid that fits. */
static bool fitting_slab(const ct_plan *plan, const asked *a, ct_grid *grid, double *total) {
  ct_plan slab = *plan;
  slab.nx = grid->nx;
  slab.ny = grid->ny;
  slab.voxel = grid->dx;
  slab.voxel_z = grid->dz;
  for (int nz = grid->nz / 2; nz >= 1; nz /= 2) {
    ct_estimate e = {0};
    ct_grid tried;
    slab.nz = nz;
    if (!add_up(&slab, a, &e, &tried, NULL)) return false;
    if (e.total > a->limit) continue;
    *total = e.total;
    *grid = tried;
    return true;
  }
  return false;
}

/* One more way out behind those that are there. */
static void add_way(ct_estimate *e, const char *way) {
  const size_t length = strlen(e->advice);
  snprintf(e->advice + length, sizeof e->advice - length, "%s%s", e->advice[length - 2] == ':' ? "" : ", or ", way);
}

static void advise(const ct_plan *plan, const asked *a, ct_estimate *e, ct_grid grid) {
  char needs[32], has[32], part[32], way[96];
  double total;
  snprintf(e->advice, sizeof e->advice,
           "This needs %s and %s are free: ", ct_format_bytes(e->total, needs, sizeof needs),
           ct_format_bytes(e->available, has, sizeof has));
  const size_t before = strlen(e->advice);
  const int bin = fitting_factor(plan, a, offsetof(ct_plan, bin), &total);
  if (bin) {
    e->suggested_bin = bin;
    snprintf(way, sizeof way, "bin %d × %d (%s)", bin, bin, ct_format_bytes(total, part, sizeof part));
    add_way(e, way);
  }
  const int step = a->planes ? fitting_factor(plan, a, offsetof(ct_plan, view_step), &total) : 0;
  if (step) {
    snprintf(way, sizeof way, "take one view in %d (%s)", step, ct_format_bytes(total, part, sizeof part));
    add_way(e, way);
  }
  if (fitting_slab(plan, a, &grid, &total)) {
    e->suggested_grid = grid;
    snprintf(way, sizeof way, "take only %d %s of %d × %d (%s)", grid.nz, grid.nz == 1 ? "slice" : "slices", grid.nx,
             grid.ny, ct_format_bytes(total, part, sizeof part));
    add_way(e, way);
  }
  ct_slab_plan slabs;
  if (!a->planes && ct_plan_slabs(plan, a->scan, a->backend, a->limit, &slabs, NULL)) {
    e->slab_height = slabs.height;
    e->file = slabs.file;
    snprintf(way, sizeof way, "reconstruct to file in slabs of %d %s (%s on disk)", slabs.height,
             slabs.height == 1 ? "slice" : "slices", ct_format_bytes(slabs.file, part, sizeof part));
    add_way(e, way);
  }
  if (strlen(e->advice) == before)
    add_way(e, a->planes ? "use a machine with more memory" : "use a machine with more memory, or far fewer voxels");
  const size_t length = strlen(e->advice);
  snprintf(e->advice + length, sizeof e->advice - length, ".");
}

static bool estimate(const ct_plan *plan, asked *a, ct_estimate *e, ct_error **error) {
  ct_grid grid;
  *e = (ct_estimate){0};
  const double available = (double)ct_memory_available();
  a->limit = available > 0 ? CT_MEMORY_USABLE * available : INFINITY;
  if (!add_up(plan, a, e, &grid, error)) {
    *e = (ct_estimate){0}; /* parts of a plan that cannot be carried out are no estimate */
    return false;
  }
  e->available = available;
  e->suggested_bin = plan->bin;
  e->fits = e->total <= a->limit;
  if (e->fits) e->suggested_grid = grid;
  if (!e->fits) advise(plan, a, e, grid);
  return true;
}

bool ct_plan_estimate(const ct_plan *plan, const ct_scan *scan, const ct_backend *backend, ct_estimate *e,
                      ct_error **error) {
  const ct_backend all = backend ? *backend : ct_backend_of_processor();
  asked a = {.scan = scan, .backend = &all};
  return estimate(plan, &a, e, error);
}

bool ct_plan_estimate_planes(const ct_plan *plan, const ct_scan *scan, const ct_backend *backend, double beside,
                             ct_estimate *e, ct_error **error) {
  const ct_backend all = backend ? *backend : ct_backend_of_processor();
  asked a = {.scan = scan, .backend = &all, .planes = true, .beside = beside};
  return estimate(plan, &a, e, error);
}
