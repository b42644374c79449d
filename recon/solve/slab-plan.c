/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How thick the slabs of a volume may be that is larger than the memory. */
#include "recon/solve/pipeline-private.h"
#include "recon/solve/slabs.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/solve/iterative/solver.h"
#include "recon/solve/overview.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of the memory for the small copy of finished slabs. */
static const double overview_share = 1.0 / 16;

/* Slabs of fewer slices cost more than they must: every slab prepares every view, and neighbours share detector rows.
 */
enum { THICK = 64, THIN = 16 };

/* Slabs looked at in the search, about. */
enum { LOOKS = 16 };

typedef struct sizing {
  const ct_plan *plan;
  const ct_backend *backend;
  const ct_geometry *geometry; /* of the whole detector, in bins */
  ct_grid grid;
  int row0, rows; /* of the whole grid */
  double overview, budget;
  const ct_projector *projector; /* of an iterative method: that of the slab looked at last */
} sizing;

ct_grid ct_slab_grid(const ct_slab_plan *slabs, int slab) {
  const int first = slab * slabs->height;
  ct_grid grid = slabs->grid;
  grid.nz = slabs->grid.nz - first < slabs->height ? slabs->grid.nz - first : slabs->height;
  grid.z0 = slabs->grid.z0 + first * slabs->grid.dz;
  return grid;
}

/* Bytes for a slab of an iterative method, projections held for rows `g`: INFINITY where no projector fits. */
static double iterated_bytes(sizing *s, const ct_geometry *g, const ct_grid *slab, double projections,
                             ct_error **error) {
  const double voxels = (double)ct_grid_voxels(slab) * sizeof(float);
  double bytes;
  ct_error *fault = NULL;
  if (ct_plan_iterative_bytes(s->plan, s->backend, g, slab, s->budget - s->overview, &bytes, &s->projector, &fault))
    return projections + voxels + bytes;
  const bool small = fault->code == CT_ERROR_MEMORY;
  if (error && !small)
    *error = fault;
  else
    ct_error_clear(&fault);
  return small ? INFINITY : -1;
}

/* Columns of the projections that are held for so many copies: filtered ones of a displaced detector are wider, and
 * cannot be made in the place of the line integrals. */
static int columns_held(const sizing *s, const ct_geometry *g, int copies) {
  ct_geometry seen;
  ct_filter_options options = s->plan->filter;
  options.ends_within = true; /* at most */
  if (!ct_plan_is_iterative(s->plan) && ct_geometry_climbs(g)) {
    const ct_sorted_size size = ct_filtered_size(g, s->plan->filter.spiral);
    return ct_geometry_is_spiral(g) ? 2 * g->nu
                                    : g->nu + (int)ceil((double)size.nu * size.nv * size.views / g->nv / g->views);
  }
  if (ct_plan_is_iterative(s->plan) || !ct_filter_output(g, &options, &seen, NULL)) return g->nu * (copies > 1 ? 2 : 1);
  const int columns = seen.nu;
  ct_geometry_clear(&seen);
  return copies > 1 || columns > g->nu ? g->nu + columns : g->nu;
}

/* Bytes for a slab: its voxels, what its kernel asks for, and the projections. Negative with an error. */
static double slab_bytes(sizing *s, const ct_grid *slab, int copies, double *projections, ct_error **error) {
  int row0 = s->row0, rows = s->rows;
  if (copies == 0 && !ct_slab_rows(s->plan, s->geometry, &s->grid, slab, &row0, &rows, error)) return -1;
  ct_geometry g;
  if (!ct_geometry_copy(&g, s->geometry, error)) return -1;
  ct_geometry_crop_rows(&g, row0, rows);
  ct_bp_request request;
  double bytes = 0;
  *projections = (double)columns_held(s, &g, copies) * rows * g.views * sizeof(float);
  if (!ct_plan_is_iterative(s->plan) || s->plan->iterative.start == CT_START_DIRECT) {
    const ct_bp_kernel *kernel = ct_plan_kernel(s->plan, s->backend, &g, slab, CT_EXTENT_SLAB, &request, NULL, error);
    const double beside = kernel && kernel->memory ? (double)kernel->memory(kernel, &request) : 0;
    bytes = kernel ? *projections + (double)ct_grid_voxels(slab) * sizeof(float) + beside : -1;
  }
  if (bytes >= 0 && ct_plan_is_iterative(s->plan)) {
    const double iterated = iterated_bytes(s, &g, slab, *projections, error);
    bytes = iterated < 0 ? -1 : fmax(bytes, iterated);
  }
  ct_geometry_clear(&g);
  return bytes;
}

/* The most that slabs of `height` need, every `stride`-th looked at. Those in the middle throw the smallest shadows,
 * the detector's edge cuts off those of the outermost: which is the widest is found by looking. */
static double need(sizing *s, int height, int copies, int stride, double *projections, ct_error **error) {
  const ct_slab_plan slabs = {.grid = s->grid, .height = height, .count = (s->grid.nz - 1) / height + 1};
  /* Without rows of their own all are alike but the last. */
  if (copies > 0) stride = slabs.count;
  double most = 0;
  *projections = 0;
  for (int i = 0; i < slabs.count; i += stride) {
    const ct_grid slab = ct_slab_grid(&slabs, i);
    double views;
    const double bytes = slab_bytes(s, &slab, copies, &views, error);
    if (bytes < 0) return -1;
    most = fmax(most, bytes);
    *projections = fmax(*projections, views);
  }
  return most + s->overview;
}

/* The most slices within the budget, 0 when one is too many; -1 with an error. */
static int fitting_height(sizing *s, int copies, double budget, ct_error **error) {
  double projections;
  int low = 0, high = s->grid.nz;
  while (low < high) {
    const int height = low + (high - low + 1) / 2;
    const int count = (s->grid.nz - 1) / height + 1;
    const double bytes = need(s, height, copies, count / LOOKS + 1, &projections, error);
    if (bytes < 0) return -1;
    if (bytes <= budget)
      low = height;
    else
      high = height - 1;
  }
  return low;
}

/* All projections twice, once, or only the rows of a slab: what leaves slabs thick enough, else the thickest. */
static bool choose(sizing *s, double budget, ct_slab_plan *slabs, ct_error **error) {
  static const int least[] = {1, THIN, THICK};
  slabs->height = 0;
  /* Iterative methods filter nothing, but for their start, which is filtered in place. */
  for (int copies = ct_plan_is_iterative(s->plan) ? 1 : 2; copies >= 0; copies--) {
    const int height = fitting_height(s, copies, budget, error);
    if (height < 0) return false;
    if (height > slabs->height) {
      slabs->height = height;
      slabs->copies = copies;
    }
    if (height >= least[copies] || height == s->grid.nz) break;
  }
  return true;
}

/* Slabs with room for a matrix that the slices of each share, where the whole volume would take one: if they stay
 * thick, and by themselves are worth it. `sharing` becomes the plan that names it. Else slabs as thick as they can
 * be. */
static bool choose_sharing(sizing *s, double budget, ct_plan *sharing, ct_slab_plan *slabs, ct_error **error) {
  const ct_plan *asked = s->plan;
  const ct_projector *whole, *own;
  double bytes;
  if (!ct_plan_is_iterative(asked) || strcmp(asked->iterative.projector, "auto") != 0 ||
      !ct_plan_iterative_bytes(asked, s->backend, s->geometry, &s->grid, INFINITY, &bytes, &whole, NULL) ||
      !whole->stored)
    return choose(s, budget, slabs, error);
  *sharing = *asked;
  snprintf(sharing->iterative.projector, sizeof sharing->iterative.projector, "%s", whole->id);
  s->plan = sharing;
  if (choose(s, budget, slabs, NULL) && (slabs->height >= THICK || slabs->height == s->grid.nz)) {
    /* of equal slabs, as settle makes them */
    const int count = (s->grid.nz - 1) / slabs->height + 1;
    const ct_slab_plan cut = {.grid = s->grid, .height = (s->grid.nz - 1) / count + 1, .count = count};
    const ct_grid slab = ct_slab_grid(&cut, 0);
    if (ct_plan_iterative_bytes(asked, s->backend, s->geometry, &slab, INFINITY, &bytes, &own, NULL) && own == whole)
      return true;
  }
  s->plan = asked;
  return choose(s, budget, slabs, error);
}

static bool refuse(sizing *s, double budget, ct_error **error) {
  double projections;
  char a[32], b[32];
  double bytes = need(s, 1, 0, 1, &projections, error);
  if (isinf(bytes)) {
    const ct_slab_plan thin = {.grid = s->grid, .height = 1, .count = s->grid.nz};
    const ct_grid slice = ct_slab_grid(&thin, 0);
    return ct_plan_iterative_bytes(s->plan, s->backend, s->geometry, &slice, s->budget - s->overview, &bytes, NULL,
                                   error) &&
           false;
  }
  return bytes >= 0 &&
         ct_error_set(error, CT_ERROR_MEMORY,
                      "Even one slice of %d x %d voxels at a time needs %s of memory, and %s may be used: bin the "
                      "projections, or take fewer voxels.",
                      s->grid.nx, s->grid.ny, ct_format_bytes(bytes, a, sizeof a),
                      ct_format_bytes(budget, b, sizeof b));
}

/* Of equal slabs, so many; more slices where some are made together. */
static int even_height(const sizing *s, int count) {
  const int height = (s->grid.nz - 1) / count + 1, together = ct_plan_slices_together(s->plan);
  return count > 1 && height > 1 ? ((height - 1) / together + 1) * together : height;
}

/* Slabs of equal height, as few as before; all are looked at now. */
static bool settle(sizing *s, double budget, ct_slab_plan *slabs, ct_error **error) {
  for (int height = slabs->height; height > 0; height--) {
    slabs->count = (s->grid.nz - 1) / height + 1;
    slabs->height = even_height(s, slabs->count);
    slabs->count = (s->grid.nz - 1) / slabs->height + 1;
    slabs->total = need(s, slabs->height, slabs->copies, 1, &slabs->projections, error);
    if (slabs->total < 0) return false;
    if (slabs->total > budget) continue;
    /* That of a whole slab, which serves the last, too. */
    const ct_grid first = ct_slab_grid(slabs, 0);
    double projections;
    if (slab_bytes(s, &first, slabs->copies, &projections, error) < 0) return false;
    slabs->projector = s->projector;
    return true;
  }
  return refuse(s, budget, error);
}

/* How the stored matrix, which is most of what is needed, could be done without. */
static const char *without_matrix(const sizing *s) {
  const ct_iterative_options *o = &s->plan->iterative;
  const ct_solver *solver = ct_solver_find((ct_method)o->method);
  if (!s->projector || !s->projector->stored) return "";
  if (solver && (solver->needs & CT_NEEDS_ROWS)) return "take a method that needs no stored matrix (art-view, sart), ";
  if (o->model != CT_MODEL_JOSEPH) return "take the model joseph, which needs no stored matrix, ";
  return strcmp(o->projector, "auto") != 0 ? "leave the projector to auto (a matrix-free one needs next to nothing), "
                                           : "";
}

/* With what the whole volume would need where slabs cannot help. */
static bool may_iterate(sizing *s, ct_error **error) {
  ct_error *fault = NULL;
  double bytes, projections;
  char a[32], b[32];
  if (ct_plan_iterates_slices(s->plan, s->geometry, &s->grid, &fault)) return true;
  const double budget = s->budget;
  s->budget = INFINITY;
  bytes = slab_bytes(s, &s->grid, 1, &projections, NULL);
  s->budget = budget;
  if (bytes > 0 && isfinite(bytes))
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "%s That needs %s, and %s may be used: %sbin the projections, take fewer voxels (%s), or choose the "
                 "direct method.",
                 fault->message, ct_format_bytes(bytes, a, sizeof a), ct_format_bytes(budget, b, sizeof b),
                 without_matrix(s),
                 s->grid.nz > 1 ? "reconstruction.nz: some slices at a time" : "reconstruction.nx and ny");
  else
    ct_error_set(error, fault->code, "%s", fault->message);
  ct_error_clear(&fault);
  return false;
}

bool ct_plan_slabs(const ct_plan *plan, const ct_scan *scan, const ct_backend *backend, double budget,
                   ct_slab_plan *slabs, ct_error **error) {
  const ct_backend all = backend ? *backend : ct_backend_of_processor();
  ct_geometry g;
  ct_plan sharing;
  *slabs = (ct_slab_plan){0};
  if (!ct_plan_geometry(plan, scan, &g, error)) return false;
  sizing s = {.plan = plan, .backend = &all, .geometry = &g};
  bool good = ct_plan_grid(plan, &g, &s.grid, error);
  good = good && ct_slab_rows(plan, &g, &s.grid, &s.grid, &s.row0, &s.rows, error);
  if (good && g.tilt != 0) {
    s.row0 = 0;
    s.rows = g.nv;
  }
  if (good) {
    if (!(budget > 0)) budget = CT_MEMORY_USABLE * (double)ct_memory_available();
    if (!(budget > 0)) budget = INFINITY; /* nobody knows */
    slabs->grid = s.grid;
    s.budget = slabs->budget = budget;
    slabs->overview_step = ct_overview_step(&s.grid, overview_share * budget);
    s.overview = ct_overview_bytes(&s.grid, slabs->overview_step);
    slabs->file = (double)ct_grid_voxels(&s.grid) * (plan->samples == 0 ? sizeof(float) : sizeof(uint16_t));
    good = (!ct_plan_is_iterative(plan) || may_iterate(&s, error)) &&
           choose_sharing(&s, budget, &sharing, slabs, error) && settle(&s, budget, slabs, error);
  }
  ct_geometry_clear(&g);
  return good;
}
