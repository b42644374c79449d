/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels whose setting was found by trying on the device at hand (tuning.h); before that a guess. */
#include "recon/geom/questions.h"
#include "render/compute/device.h"
#include "render/compute/kernels-private.h"
#include "render/compute/setting-macros-private.h"
#include "render/compute/tuning-private.h"

enum { LEAST_THICKNESS = 8 }; /* voxels */

/* A volume repays the way of the projections to the card and its own way back; a few planes, for which all projections
 * must make that way, are quicker where the projections lie. */
static int rank_on_card(const ct_bp_request *request, int rank) {
  const ct_grid *grid = &request->grid;
  const int least = grid->nx < grid->ny ? grid->nx : grid->ny, thickness = grid->nz < least ? grid->nz : least;
  const bool card = request->device && !ctgl_device_get_facts(request->device)->software;
  return card && thickness >= LEAST_THICKNESS ? rank : CTGL_RANK_BY_NAME;
}

static int rank_cone(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return rank_on_card(request, CTGL_RANK_CARD);
}

static int rank_parallel(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return rank_on_card(request, CTGL_RANK_CARD + 1);
}

static const ctgl_cone_setting *cone_setting(const ct_bp_request *request) {
  return ctgl_tuning_for_cone(ctgl_device_tuning(request->device), request);
}

static bool accepts_cone(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  return ctgl_cone_accepts(cone_setting(request), request, error);
}

static size_t memory_cone(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return ctgl_cone_memory(cone_setting(request), request);
}

static ct_bp_state *prepare_cone(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  return ctgl_cone_prepare(cone_setting(request), request, error);
}

static const ctgl_parallel_setting *parallel_setting(const ct_bp_request *request) {
  return ctgl_tuning_for_parallel(ctgl_device_tuning(request->device), request);
}

static bool accepts_parallel(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  return ctgl_parallel_accepts(parallel_setting(request), request, error);
}

static size_t memory_parallel(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return ctgl_parallel_memory(parallel_setting(request), request);
}

static ct_bp_state *prepare_parallel(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  return ctgl_parallel_prepare(parallel_setting(request), request, error);
}

const ct_bp_kernel ctgl_bp_tuned[CTGL_TUNED_KERNELS] = {
    {CTGL_STATE_FUNCTIONS, .accepts = accepts_cone, .memory = memory_cone, .prepare = prepare_cone,
     .rank_for = rank_cone, .id = "gl-tuned", .title = "GPU, tuned to the card", .geometry = CT_GEOMETRY_ANY,
     .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR),
     .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16), .tolerance = CTGL_TEXTURE_TOLERANCE,
     .explanation =
         "The techniques of RapidRabbit and Thumper with the views, voxels and blocks that were fastest when "
         "tried on this very card and driver; before a trial, numbers that suit most cards."},
    {CTGL_STATE_FUNCTIONS, .accepts = accepts_parallel, .memory = memory_parallel, .prepare = prepare_parallel,
     .rank_for = rank_parallel, .id = "gl-tuned-parallel", .title = "GPU, parallel beam, tuned to the card",
     .geometry = CT_GEOMETRY_PARALLEL,
     .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR) | CT_BIT(CT_INTERP_OVERSAMPLED),
     .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16), .tolerance = CTGL_TEXTURE_TOLERANCE,
     .explanation =
         "The techniques of Chilingaryan et al. (2019) with the slices, pixels, cache and share of the texture "
         "unit that were fastest when tried on this very card and driver (their section 6.9 asks for such a "
         "search)."},
};
