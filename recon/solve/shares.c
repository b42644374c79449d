/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the slices and views of a volume are shared out among processes. */
#include "recon/solve/shared.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/solve/pipeline-private.h"
#include "recon/solve/share-private.h"
#include "recon/solve/slabs.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <string.h>

/* A column gets slices enough for its detector rows to be mostly its own; a column's slabs are so many at least, that
 * sums go on beside back-projection and little is lost with a rank; a slab is so thick at least, as the rows beside its
 * slices and the passes over its views cost the same for a thin one. Of slabs of 64 slices these passes are a third of
 * all work, of THICK ones a tenth (kernels along z, 512 x 512 voxels): where nothing has to be added up, slabs are as
 * thick as that while no more than LOST updates, some minutes of a processor, are lost with a rank. */
enum { COLUMN_SLICES = 32, SLABS = 4, THIN = 16, THICK = 256 };
static const double LOST = 1e12;

double ct_shared_memory(int processes) {
  return CT_MEMORY_USABLE * (double)ct_memory_available() / processes;
}

int ct_shared_slab_slices(int slices, int groups, double updates) {
  int height = (slices - 1) / SLABS + 1;
  if (groups == 1) height = (int)fmax(height, fmin(THICK, LOST / updates));
  if (height > slices) height = slices;
  /* so many that, cut evenly, none is thinner than that */
  int parts = (slices - 1) / height + 1;
  if (parts > slices / THIN) parts = slices < THIN ? 1 : slices / THIN;
  return (slices - 1) / parts + 1;
}

static int missing_slices(int nz, const unsigned char *done) {
  int count = 0;
  for (int k = 0; k < nz; k++) count += !(done && done[k]);
  return count;
}

/* Whether a set of slices that are made together is missing: if one of them is. */
static bool misses(const ct_shares *s, int set, int nz, const unsigned char *done) {
  for (int k = set * s->together; k < (set + 1) * s->together && k < nz; k++)
    if (!(done && done[k])) return true;
  return false;
}

/* Missing slices of a column as runs without gaps, each cut evenly. With slabs NULL only counts. */
static int cut(const ct_shares *s, int column, int nz, const unsigned char *done, ct_slices *slabs) {
  const int sets = (nz - 1) / s->together + 1, height = s->height > s->together ? s->height / s->together : 1;
  int64_t missing = 0, index = 0;
  for (int k = 0; k < sets; k++) missing += misses(s, k, nz, done);
  const int64_t low = missing * column / s->columns, high = missing * (column + 1) / s->columns;
  int count = 0;
  for (int k = 0; k < sets;) {
    int run = 0;
    for (; k + run < sets && misses(s, k + run, nz, done) && index >= low && index < high; run++) index++;
    if (run == 0) {
      index += misses(s, k, nz, done);
      k++;
      continue;
    }
    const int parts = (run - 1) / height + 1;
    for (int part = 0; part < parts; part++) {
      int first;
      const int taken = ct_share_views(run, parts, part, &first);
      const int from = (k + first) * s->together, end = (k + first + taken) * s->together;
      if (slabs) slabs[count] = (ct_slices){from, (end < nz ? end : nz) - from};
      count++;
    }
    k += run;
  }
  return count;
}

bool ct_shares_slabs(const ct_shares *shares, int column, int nz, const unsigned char *done, ct_slices **slabs,
                     int *count, ct_error **error) {
  *count = cut(shares, column, nz, done, NULL);
  *slabs = ct_alloc((size_t)*count + 1, sizeof **slabs, "the list of slabs", error);
  if (*slabs) cut(shares, column, nz, done, *slabs);
  return *slabs != NULL;
}

typedef struct sizing {
  const ct_share_request *request;
  const ct_plan *plan;
  ct_geometry g;
} sizing;

/* Bytes of a rank that holds the rows of `part` while it makes slabs of so many slices: its views filtered in place
 * (those of a displaced detector are wider, and lie beside the line integrals), a slab in work with its kernel, and one
 * that is being added up. */
static double bytes_for(const sizing *s, const ct_shares *shares, const ct_grid *part, int height, ct_error **error) {
  int row0, rows;
  ct_bp_request request;
  const ct_grid *whole = &s->request->found->grid;
  ct_grid slab = *part;
  ct_geometry g, seen;
  if (slab.nz > height) slab.nz = height;
  if (!ct_slab_rows(s->plan, &s->g, whole, part, &row0, &rows, error) || !ct_geometry_copy(&g, &s->g, error)) return -1;
  ct_geometry_crop_rows(&g, row0, rows);
  ct_filter_options options = s->plan->filter;
  options.ends_within = true; /* at most */
  int columns = g.nu;
  if (ct_filter_output(&g, &options, &seen, NULL)) {
    columns = seen.nu > g.nu ? seen.nu + g.nu : g.nu;
    ct_geometry_clear(&seen);
  }
  const ct_bp_kernel *kernel =
      ct_plan_kernel(s->plan, s->request->backend, &g, &slab, CT_EXTENT_SLAB, &request, NULL, error);
  const double views = (double)g.views / shares->groups, voxels = (double)ct_grid_voxels(&slab) * sizeof(float);
  const double bytes = (double)columns * rows * views * sizeof(float) + 2 * voxels +
                       (kernel && kernel->memory ? (double)kernel->memory(kernel, &request) : 0);
  ct_geometry_clear(&g);
  return kernel ? bytes : -1;
}

/* The most that any column's ranks take. */
static double need(const sizing *s, const ct_shares *shares, ct_error **error) {
  const ct_grid *whole = &s->request->found->grid;
  double most = 0;
  /* the outermost and the middle column throw the widest shadows */
  const int looked[] = {0, shares->columns / 2, shares->columns - 1};
  for (int n = 0; n < 3; n++) {
    ct_slices *slabs;
    int count;
    if (!ct_shares_slabs(shares, looked[n], whole->nz, s->request->done, &slabs, &count, error)) return -1;
    const int first = count ? slabs[0].first : 0, end = count ? slabs[count - 1].first + slabs[count - 1].count : 0;
    for (int i = 0; i < (shares->held ? count > 0 : count); i++) {
      ct_grid part = *whole;
      const int from = shares->held ? first : slabs[i].first;
      part.nz = shares->held ? end - first : slabs[i].count;
      part.z0 = whole->z0 + from * whole->dz;
      const double bytes = bytes_for(s, shares, &part, shares->height, error);
      if (bytes < 0) {
        ct_free(slabs);
        return -1;
      }
      most = fmax(most, bytes);
    }
    ct_free(slabs);
  }
  return most;
}

/* Columns while each has slices enough, view groups of the rest: of all ways to make a grid of the ranks that with the
 * most columns. */
static bool choose_grid(const sizing *s, ct_shares *shares, int missing, ct_error **error) {
  const ct_share_request *r = s->request;
  const bool whole = ct_geometry_is_sorted(&s->g) || s->plan->iterative.method == CT_METHOD_FOURIER;
  shares->groups = r->groups;
  shares->columns = r->columns;
  if (!r->groups) {
    shares->columns = 1;
    for (int columns = 1; columns <= r->ranks; columns++)
      if (r->ranks % columns == 0 && (whole || columns == 1 || missing >= columns * COLUMN_SLICES))
        shares->columns = columns;
    shares->groups = r->ranks / shares->columns;
  }
  if (shares->groups * shares->columns != r->ranks)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A grid of %d x %d (view groups x slab columns) takes %d processes, and there are %d.",
                        shares->groups, shares->columns, shares->groups * shares->columns, r->ranks);
  if (whole && shares->groups > 1)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED, "The views of %s are not shared out: take a grid of 1 x %d (one view group).",
        ct_geometry_is_sorted(&s->g) ? "a spiral or sequence" : "direct Fourier reconstruction", r->ranks);
  return true;
}

static bool cut_to_memory(const sizing *s, ct_shares *shares, int missing, ct_error **error) {
  const double budget = s->request->memory > 0 ? s->request->memory : INFINITY;
  const ct_grid *grid = &s->request->found->grid;
  const int most = ct_shared_slab_slices((missing - 1) / shares->columns + 1, shares->groups,
                                         (double)grid->nx * grid->ny * s->g.views);
  char a[32], b[32];
  double bytes = 0;
  for (int tries = 0; tries < 3; tries++) {
    const bool held = tries == 0;
    /* slices that are made together are parted where one is all there is room for */
    if (tries == 2) shares->together = 1;
    for (int height = tries < 2 ? most : 1;; height = height * 3 / 4) {
      shares->held = held;
      shares->height = ((height - 1) / shares->together + 1) * shares->together;
      bytes = need(s, shares, error);
      if (bytes < 0) return false;
      shares->memory = bytes;
      if (bytes <= budget) return true;
      if (height <= (held ? (THIN < most ? THIN : most) : 1)) break;
    }
  }
  return ct_error_set(error, CT_ERROR_MEMORY,
                      "Even one slice at a time needs %s in each of %d processes, and %s may be used: take more "
                      "machines, bin the projections, or take fewer voxels.",
                      ct_format_bytes(bytes, a, sizeof a), s->request->ranks, ct_format_bytes(budget, b, sizeof b));
}

bool ct_plan_shares(const ct_share_request *request, ct_shares *shares, ct_error **error) {
  sizing s = {.request = request, .plan = &request->found->plan};
  const int missing = missing_slices(request->found->grid.nz, request->done);
  *shares = (ct_shares){.groups = 1, .columns = 1, .height = 1, .together = ct_plan_slices_together(s.plan)};
  if (!ct_plan_geometry(s.plan, request->scan, &s.g, error)) return false;
  const bool good =
      choose_grid(&s, shares, missing, error) && (missing == 0 || cut_to_memory(&s, shares, missing, error));
  ct_geometry_clear(&s.g);
  return good;
}
