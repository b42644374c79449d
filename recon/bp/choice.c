/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The choice among the kernels of any table: who can serve a request, who goes first, and why. */
#include "recon/bp/choices.h"
#include "recon/bp/kernel.h"
#include "recon/geom/questions.h"

#include <stdio.h>
#include <string.h>

static bool check_request(const ct_bp_request *request, ct_error **error) {
  if (!request->geometry) return ct_error_set(error, CT_ERROR_ARGUMENT, "The back-projection has no geometry.");
  if (request->threads < 1 || request->batch < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The back-projection needs at least one thread and one view at a time.");
  return ct_grid_check(&request->grid, error);
}

/* Brief: 2^34 updates, half a second or so of the kernels that ask for more than 64 views. */
int ct_bp_batch_views(const ct_bp_kernel *kernel, const ct_grid *grid) {
  enum { usual = 64 };
  const double brief = 17179869184.0 / (double)ct_grid_voxels(grid);
  if (!kernel || kernel->batch <= usual || brief <= usual) return usual;
  return brief < kernel->batch ? (int)brief : kernel->batch;
}

ct_simd_level ct_bp_needs(const ct_bp_kernel *kernel) {
  return ct_simd_loops_need(&kernel->loops);
}

bool ct_bp_runs_here(const ct_bp_kernel *kernel) {
  return ct_bp_needs(kernel) <= ct_simd_usable();
}

static const char *first_precision(const ct_bp_kernel *kernel) {
  return ct_precision_id((ct_precision)__builtin_ctz(kernel->precisions));
}

ct_bp_fit ct_bp_find_fit(const ct_bp_kernel *kernel, unsigned traits, ct_interp interp, ct_precision precision,
                         bool device) {
  if (kernel->gpu && !device) return CT_BP_LACKS_DEVICE;
  if (kernel->geometry & ~traits) return CT_BP_LACKS_GEOMETRY;
  if (!(kernel->interps & CT_BIT(interp))) return CT_BP_LACKS_INTERP;
  if (!(kernel->precisions & CT_BIT(precision))) return CT_BP_LACKS_PRECISION;
  return CT_BP_FITS;
}

/* It may refuse a request that it is made for all the same. */
static ct_bp_fit find_fit(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return ct_bp_find_fit(kernel, ct_geometry_traits(request->geometry), request->interp, request->precision,
                        request->device);
}

bool ct_bp_accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  if (!check_request(request, error)) return false;
  if (!ct_bp_runs_here(kernel))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” needs a processor with %s.", kernel->title,
                        ct_simd_title(ct_bp_needs(kernel)));
  switch (find_fit(kernel, request)) {
  case CT_BP_LACKS_DEVICE:
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Kernel “%s” needs a graphics device with OpenGL 4.3; choose one, or another kernel.",
                        kernel->title);
  case CT_BP_LACKS_GEOMETRY:
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” does not serve this geometry: %s.", kernel->title,
                        ct_geometry_title(request->geometry));
  case CT_BP_LACKS_INTERP:
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” does not interpolate this way: %s.", kernel->title,
                        ct_choice_title(ct_interp_choices, (int)request->interp));
  case CT_BP_LACKS_PRECISION:
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Kernel “%s” does not calculate in %s; choose the precision %s for it.", kernel->title,
                        ct_precision_id(request->precision), first_precision(kernel));
  case CT_BP_FITS:
    break;
  }
  if (request->ramp && !kernel->ramps)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Kernel “%s” takes filtered projections alone.", kernel->title);
  return !kernel->accepts || kernel->accepts(kernel, request, error);
}

int ct_bp_rank(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return kernel->rank_for ? kernel->rank_for(kernel, request) : kernel->rank;
}

/* The applicable kernel of highest rank, and the next after it; NULL: there is none. */
static const ct_bp_kernel *choose_best(const ct_bp_table *table, const ct_bp_request *request,
                                       const ct_bp_kernel **second) {
  const ct_bp_kernel *best = NULL, *next = NULL;
  int highest = 0, high = 0;
  for (size_t i = 0; i < table->count; i++) {
    const ct_bp_kernel *kernel = table->kernels[i];
    if (!ct_bp_accepts(kernel, request, NULL)) continue;
    const int rank = ct_bp_rank(kernel, request);
    if (!best || rank > highest) {
      next = best, high = highest;
      best = kernel, highest = rank;
    } else if (!next || rank > high) {
      next = kernel, high = rank;
    }
  }
  if (second) *second = next;
  return best;
}

/* The lowest level above the usable one whose kernels serve the request; CT_SIMD_BASELINE: none does. */
static ct_simd_level missing_for(const ct_bp_table *table, const ct_bp_request *request) {
  ct_simd_level lowest = CT_SIMD_LEVELS;
  for (size_t i = 0; i < table->count; i++) {
    const ct_bp_kernel *kernel = table->kernels[i];
    if (!ct_bp_runs_here(kernel) && ct_bp_needs(kernel) < lowest && find_fit(kernel, request) == CT_BP_FITS &&
        (!kernel->accepts || kernel->accepts(kernel, request, NULL)))
      lowest = ct_bp_needs(kernel);
  }
  return lowest < CT_SIMD_LEVELS ? lowest : CT_SIMD_BASELINE;
}

/* Of the kernels made for such requests that would go before `rank` but refuse this one, the first in rank says why;
 * NULL: there is none. */
static ct_error *refusal_before(const ct_bp_table *table, const ct_bp_request *request, int rank) {
  const ct_bp_kernel *first = NULL;
  for (size_t i = 0; i < table->count; i++) {
    const ct_bp_kernel *kernel = table->kernels[i];
    if (find_fit(kernel, request) != CT_BP_FITS || ct_bp_rank(kernel, request) <= rank ||
        ct_bp_accepts(kernel, request, NULL))
      continue;
    rank = ct_bp_rank(kernel, request);
    first = kernel;
  }
  ct_error *refusal = NULL;
  if (first) ct_bp_accepts(first, request, &refusal);
  return refusal;
}

static void tell_choice(const ct_bp_table *table, const ct_bp_request *request, const ct_bp_kernel *best,
                        const ct_bp_kernel *next, char *why, size_t size) {
  ct_error *refusal = refusal_before(table, request, ct_bp_rank(best, request));
  snprintf(why, size, "%s: the %s on this machine for %s, %d × %d × %d voxels, %s interpolation, %s%s%s.%s%s",
           best->title, next ? "fastest" : "only one", ct_geometry_title(request->geometry), request->grid.nx,
           request->grid.ny, request->grid.nz, ct_interp_id(request->interp), ct_precision_id(request->precision),
           next ? "; next would be " : "", next ? next->title : "", refusal ? " Passed over: " : "",
           refusal ? refusal->message : "");
  ct_error_clear(&refusal);
}

const ct_bp_kernel *ct_bp_choose(const ct_bp_table *table, const char *id, const ct_bp_request *request, char *why,
                                 size_t why_size, ct_error **error) {
  if (why && why_size) *why = 0;
  if (id && strcmp(id, "auto")) {
    const ct_bp_kernel *kernel = ct_bp_find(table, id);
    if (!kernel) {
      ct_error_set(error, CT_ERROR_UNSUPPORTED,
                   "There is no back-projection kernel named “%s”: leave the choice to auto.", id);
      return NULL;
    }
    if (!ct_bp_accepts(kernel, request, error)) return NULL;
    if (why) snprintf(why, why_size, "%s, as chosen.", kernel->title);
    return kernel;
  }
  if (!check_request(request, error)) return NULL;
  const ct_bp_kernel *next, *best = choose_best(table, request, &next);
  if (!best) {
    const ct_simd_level missing = missing_for(table, request);
    ct_bp_request single = *request;
    single.precision = CT_PRECISION_FLOAT32;
    /* What the instructions alone do not explain, the kernel says that is made for such requests. */
    ct_error *refusal = missing ? NULL : refusal_before(table, request, -1);
    ct_error_set(
        error, CT_ERROR_UNSUPPORTED, "No back-projection kernel serves %s with %s interpolation in %s%s%s.%s%s%s",
        ct_geometry_title(request->geometry), ct_interp_id(request->interp), ct_precision_id(request->precision),
        missing   ? " here: that needs a processor with "
        : refusal ? " here"
                  : "",
        missing ? ct_simd_title(missing) : "", refusal ? " " : "", refusal ? refusal->message : "",
        choose_best(table, &single, NULL) ? " Choose single precision." : "");
    ct_error_clear(&refusal);
    return NULL;
  }
  if (why) tell_choice(table, request, best, next, why, why_size);
  return best;
}
