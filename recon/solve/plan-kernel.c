/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan asks of kernel, filter and machine. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/machine.h"
#include "recon/solve/fourier/fourier.h"
#include "recon/solve/sequence/sequence.h"
#include "recon/solve/spiral/katsevich.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int ct_plan_threads(const ct_plan *plan) {
  return plan->threads == CT_AUTO_INT ? ct_thread_count() : plan->threads;
}

ct_filter_options ct_plan_filter_options(const ct_plan *plan, const ct_scan *scan) {
  ct_filter_options options = plan->filter;
  options.filtered = ct_plan_takes_filtered(plan, ct_scan_get_facts(scan)->values);
  options.threads = ct_plan_threads(plan);
  return options;
}

ct_filter_options ct_pipeline_filter_options(const ct_pipeline *p, const ct_plan *plan) {
  ct_filter_options options = ct_plan_filter_options(plan, p->scan);
  options.outline = p->has_outline ? &p->outline : NULL;
  options.row0 = p->row0;
  options.ends_within = ct_pipeline_object_ends(p);
  return options;
}

double ct_unbinned_column(double column, int b) {
  return (column + 0.5) * b - 0.5;
}
double ct_binned_column(double column, int b) {
  return (column + 0.5) / b - 0.5;
}

/* The refusal of the kernel that the plan names, before why another one was taken. */
static void tell_instead(const ct_error *refusal, char *why) {
  if (!why) return;
  char taken[CT_BP_WHY];
  snprintf(taken, sizeof taken, "%s", why);
  snprintf(why, CT_BP_WHY, "%.310s Instead: %.310s", refusal->message, taken);
}

/* Direct Fourier reconstruction of the slices of a volume; upright and oblique planes would take as long as all of it.
 */
static const ct_bp_kernel *choose_fourier(const ct_plan *plan, ct_extent extent, ct_bp_request *request,
                                          ct_error **error) {
  request->fourier = &plan->fourier;
  request->batch = request->geometry->views;
  if (extent == CT_EXTENT_PLANE && request->grid.nz > 1 && (request->grid.nx == 1 || request->grid.ny == 1)) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "Direct Fourier reconstruction makes axial slices; for an upright one it would have to make all.");
    return NULL;
  }
  return ct_fourier_kernel.accepts(&ct_fourier_kernel, request, error) ? &ct_fourier_kernel : NULL;
}

/* Filtered projections of a spiral are groups of views, which only its kernels read. Batches are small enough for
 * the layout to stay some hundred megabytes. */
static const ct_bp_kernel *choose_spiral(const ct_plan *plan, ct_extent extent, ct_bp_request *request, char *why,
                                         size_t why_size, ct_error **error) {
  const bool exact = plan->filter.spiral == CT_SPIRAL_KATSEVICH;
  const ct_bp_kernel *kernel = exact ? &ct_katsevich_kernel : &ct_spiral_kernel;
  const ct_sorted_size size = ct_filtered_size(request->geometry, plan->filter.spiral);
  const double bytes = (double)size.nu * size.nv * sizeof(float), most = fmax(floor(256e6 / bytes), 1);
  const int batch = extent == CT_EXTENT_PLANE || plan->batch == CT_AUTO_INT ? 64 : plan->batch;
  request->batch = batch < most ? batch : (int)most;
  if (strcmp(plan->kernel, "auto") && extent == CT_EXTENT_VOLUME) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "Kernel “%s” back-projects views of a circle; this is a spiral, whose views become groups first: set "
                 "reconstruction.kernel to auto, or iterative.method to an iterative method.",
                 plan->kernel);
    return NULL;
  }
  if (!kernel->accepts(kernel, request, error)) return NULL;
  if (why)
    snprintf(why, why_size, "The scan is a spiral: %s.",
             exact ? "exact filtered back-projection, as filter.spiral says"
                   : "weighted filtered back-projection of sorted views");
  return kernel;
}

/* Filtered projections of a sequence are groups of views, a view for each position, which are made by the plan's kernel
 * for circles, of the processor. */
static const ct_bp_kernel *choose_sequence(const ct_plan *plan, const ct_backend *backend, ct_extent extent,
                                           ct_bp_request *request, char *why, size_t why_size, ct_error **error) {
  ct_bp_request own;
  ct_geometry circle;
  if (!ct_sequence_request(request, &circle, &own, error)) return NULL;
  const bool named = extent == CT_EXTENT_VOLUME && strcmp(plan->kernel, "auto");
  request->inner = ct_bp_choose(&backend->kernels, named ? plan->kernel : "auto", &own, why, why_size, error);
  ct_geometry_clear(&circle);
  if (!request->inner) return NULL;
  request->batch = extent == CT_EXTENT_PLANE || plan->batch == CT_AUTO_INT
                       ? ct_bp_batch_views(request->inner, &own.grid)
                       : plan->batch;
  if (why) {
    const size_t told = strlen(why);
    snprintf(why + told, why_size - told, " The scan is a sequence: each position by %s.", request->inner->id);
  }
  return &ct_sequence_kernel;
}

int ct_plan_slices_together(const ct_plan *plan) {
  return plan->iterative.method == CT_METHOD_FOURIER ? 2 : 1;
}

const ct_bp_kernel *ct_plan_kernel(const ct_plan *plan, const ct_backend *backend, const ct_geometry *geometry,
                                   const ct_grid *grid, ct_extent extent, ct_bp_request *request, char why[CT_BP_WHY],
                                   ct_error **error) {
  const size_t why_size = why ? CT_BP_WHY : 0;
  *request = (ct_bp_request){
      .geometry = geometry,
      .grid = *grid,
      .interp = (ct_interp)plan->interp,
      .precision = (ct_precision)plan->precision,
      .threads = ct_plan_threads(plan),
      .device = strcmp(plan->device, "none") ? backend->device : NULL,
      .batch = ct_bp_batch_views(NULL, grid),
  };
  if (ct_geometry_is_spiral(geometry)) return choose_spiral(plan, extent, request, why, why_size, error);
  if (ct_geometry_is_sequence(geometry)) return choose_sequence(plan, backend, extent, request, why, why_size, error);
  ct_error *refusal = NULL;
  const bool fourier = plan->iterative.method == CT_METHOD_FOURIER;
  const bool may_fall_back =
      fourier ? extent == CT_EXTENT_PLANE : extent != CT_EXTENT_VOLUME && strcmp(plan->kernel, "auto");
  const ct_bp_kernel *kernel = fourier
                                   ? choose_fourier(plan, extent, request, &refusal)
                                   : ct_bp_choose(&backend->kernels, plan->kernel, request, why, why_size, &refusal);
  if (kernel && fourier && why) snprintf(why, why_size, "Direct Fourier reconstruction, as the method says.");
  if (!kernel && may_fall_back && (kernel = ct_bp_choose(&backend->kernels, "auto", request, why, why_size, NULL)))
    tell_instead(refusal, why);
  if (kernel || !error)
    ct_error_clear(&refusal);
  else
    *error = refusal;
  if (kernel && kernel->at_once && plan->batch == CT_AUTO_INT) return kernel;
  request->batch =
      extent == CT_EXTENT_PLANE || plan->batch == CT_AUTO_INT ? ct_bp_batch_views(kernel, grid) : plan->batch;
  return kernel;
}
