/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that a plan needs, before anything is allocated, and what to do when it is too much. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/solve/slabs.h"

#include <math.h>
#include <stdio.h>

static bool add_direct(const ct_plan *plan, const ct_scan *scan, const ct_bp_table *table, const ct_geometry *g, const ct_grid *grid,
                       ct_estimate *e, ct_error **error) {
  ct_bp_request request;
  ct_geometry seen;
  const ct_filter_options options = ct_plan_filter_options(plan, scan);
  if (!ct_filter_output(g, &options, &seen, error)) return false;
  const ct_bp_kernel *kernel = ct_plan_kernel(plan, table, &seen, grid, false, &request, NULL, 0, error);
  e->filtered = e->projections * seen.nu / g->nu;
  if (kernel) e->kernel = kernel->memory ? (double)kernel->memory(&request) : 0;
  ct_geometry_clear(&seen);
  return kernel != NULL;
}

/* Beyond the limit views are filtered in place, as projections.c does where memory is short. */
static bool add_up(const ct_plan *plan, const ct_scan *scan, const ct_bp_table *table, double limit, ct_estimate *e, ct_grid *grid,
                   ct_error **error) {
  ct_geometry g;
  if (!ct_plan_geometry(plan, scan, &g, error)) return false;
  bool good = ct_plan_grid(plan, &g, grid, error);
  int row0 = 0, rows;
  if (good && (g.tilt != 0 || !ct_grid_detector_rows(grid, &g, &row0, &rows))) {
    row0 = 0;
    rows = g.nv;
  }
  if (good) {
    e->projections = (double)g.nu * rows * g.views * sizeof(float);
    e->volume = (double)ct_grid_voxels(grid) * sizeof(float);
    if (!ct_plan_is_iterative(plan) || plan->iterative.start == CT_START_DIRECT) good = add_direct(plan, scan, table, &g, grid, e, error);
    if (good && ct_plan_is_iterative(plan)) {
      ct_geometry_crop_rows(&g, row0, rows);
      good = ct_plan_iterative_bytes(plan, table, &g, grid, limit, &e->iterative, NULL, error);
    }
    if (e->projections + e->filtered + e->volume + e->kernel + e->iterative > limit && e->filtered <= e->projections)
      e->filtered = 0;
    e->total = e->projections + e->filtered + e->volume + e->kernel + e->iterative;
  }
  ct_geometry_clear(&g);
  return good;
}

/* The smallest binning that makes the plan fit as it stands; 0: none up to 16. */
static int fitting_bin(const ct_plan *plan, const ct_scan *scan, const ct_bp_table *table, double limit, double *total) {
  ct_plan binned = *plan;
  for (int bin = plan->bin * 2; bin <= 16; bin *= 2) {
    ct_estimate e = {0};
    ct_grid grid;
    binned.bin = bin;
    if (!add_up(&binned, scan, table, limit, &e, &grid, NULL)) return 0;
    *total = e.total;
    if (e.total <= limit) return bin;
  }
  return 0;
}

/* The thickest slab about the middle of the grid that fits. */
static bool fitting_slab(const ct_plan *plan, const ct_scan *scan, const ct_bp_table *table, double limit, ct_grid *grid, double *total) {
  ct_plan slab = *plan;
  slab.nx = grid->nx;
  slab.ny = grid->ny;
  slab.voxel = grid->dx;
  slab.voxel_z = grid->dz;
  for (int nz = grid->nz / 2; nz >= 1; nz /= 2) {
    ct_estimate e = {0};
    ct_grid tried;
    slab.nz = nz;
    if (!add_up(&slab, scan, table, limit, &e, &tried, NULL)) return false;
    if (e.total > limit) continue;
    *total = e.total;
    *grid = tried;
    return true;
  }
  return false;
}

bool ct_plan_estimate(const ct_plan *plan, const ct_scan *scan, const ct_bp_table *kernels, ct_estimate *e, ct_error **error) {
  const ct_bp_table table = kernels ? *kernels : ct_bp_cpu_kernels();
  ct_grid grid;
  *e = (ct_estimate){0};
  const double available = (double)ct_memory_available(), limit = available > 0 ? CT_MEMORY_USABLE * available : INFINITY;
  if (!add_up(plan, scan, &table, limit, e, &grid, error)) {
    *e = (ct_estimate){0}; /* parts of a plan that cannot be carried out are no estimate */
    return false;
  }
  e->available = available;
  e->suggested_bin = plan->bin;
  e->suggested_grid = grid;
  e->fits = e->total <= limit;
  if (e->fits) return true;
  char needs[32], has[32], part[32], binning[96] = "", region[96] = "", file[96] = "";
  double total;
  const int bin = fitting_bin(plan, scan, &table, limit, &total);
  if (bin) {
    e->suggested_bin = bin;
    snprintf(binning, sizeof binning, "bin %d × %d (%s)", bin, bin, ct_format_bytes(total, part, sizeof part));
  }
  if (fitting_slab(plan, scan, &table, limit, &grid, &total)) {
    e->suggested_grid = grid;
    snprintf(region, sizeof region, "take only %d %s of %d × %d (%s)", grid.nz,
             grid.nz == 1 ? "slice" : "slices", grid.nx, grid.ny,
             ct_format_bytes(total, part, sizeof part));
  }
  ct_slab_plan slabs;
  if (ct_plan_slabs(plan, scan, &table, limit, &slabs, NULL)) {
    e->slab_height = slabs.height;
    e->file = slabs.file;
    snprintf(file, sizeof file, "reconstruct to file in slabs of %d %s (%s on disk)", slabs.height, slabs.height == 1 ? "slice" : "slices",
             ct_format_bytes(slabs.file, part, sizeof part));
  }
  if (!*binning && !*region && !*file) snprintf(region, sizeof region, "use a machine with more memory, or far fewer voxels");
  snprintf(e->advice, sizeof e->advice, "This needs %s and %s are free: %s%s%s%s%s.", ct_format_bytes(e->total, needs, sizeof needs),
           ct_format_bytes(e->available, has, sizeof has), binning, *binning && *region ? ", or " : "", region,
           (*binning || *region) && *file ? ", or " : "", file);
  return true;
}
