/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of projectors, and the choice among them. */
#include "recon/fp/projectors-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/geom/questions.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const ct_projector *const projectors[] = {
  &ct_projector_textbook,
  &ct_projector_orbit_matrix,
  &ct_projector_orbit_matrix_float,
  &ct_projector_orbit_matrix_c8,
  CT_SIMD_X86(&ct_projector_orbit_matrix_avx2,)
  &ct_projector_csr,
  &ct_projector_csr_merge,
  &ct_projector_scsr,
  &ct_projector_scsr_global,
  &ct_projector_scsr_view,
  CT_SIMD_FORM_ROWS(ct_projector_joseph_2d),
  &ct_projector_joseph_3d_general,
  CT_SIMD_FORM_ROWS(ct_projector_joseph_3d),
  CT_SIMD_FORM_ROWS(ct_projector_fast_pair),
};
/* clang-format on */

const ct_projector *const *ct_projectors(size_t *count) {
  *count = sizeof projectors / sizeof *projectors;
  return projectors;
}

const ct_projector *ct_projector_find(const char *id) {
  for (size_t i = 0; i < sizeof projectors / sizeof *projectors; i++)
    if (!strcmp(projectors[i]->id, id)) return projectors[i];
  return NULL;
}

const ct_projector *ct_projector_find_in(const ct_projector_table *others, const char *id) {
  for (size_t i = 0; others && i < others->count; i++)
    if (!strcmp(others->projectors[i]->id, id)) return others->projectors[i];
  return ct_projector_find(id);
}

static bool check_request(const ct_projector_request *request, ct_error **error) {
  if (!request->geometry) return ct_error_set(error, CT_ERROR_ARGUMENT, "The projector has no geometry.");
  if (request->threads < 1) return ct_error_set(error, CT_ERROR_ARGUMENT, "The projector needs at least one thread.");
  return ct_geometry_check(request->geometry, error) && ct_grid_check(&request->grid, error);
}

/* Room for the state; a stored projector names its size and the way out. */
static bool check_memory(const ct_projector *projector, const ct_projector_request *request, ct_error **error) {
  const double needed = ct_projector_memory(projector, request);
  const double room = request->memory ? (double)request->memory : (double)ct_memory_available();
  if (room == 0 || needed <= room) return true;
  char need[32], has[32];
  return ct_error_set(error, CT_ERROR_MEMORY, "Projector “%s” needs %s here, and %s may be used%s", projector->title,
                      ct_format_bytes(needed, need, sizeof need), ct_format_bytes(room, has, sizeof has),
                      projector->stored ? ": a matrix-free projector (joseph-2d, joseph-3d) needs next to nothing."
                                        : ".");
}

bool ct_projector_usable(const ct_projector *projector) {
  return ct_simd_loops_need(&projector->loops) <= ct_simd_usable();
}

static bool check_instructions(const ct_projector *projector, ct_error **error) {
  return ct_projector_usable(projector) ||
         ct_error_set(error, CT_ERROR_UNSUPPORTED, "Projector “%s” needs instructions that this processor lacks: %s.",
                      projector->title, ct_simd_title(ct_simd_loops_need(&projector->loops)));
}

bool ct_projector_accepts(const ct_projector *projector, const ct_projector_request *request, ct_error **error) {
  if (!check_request(request, error)) return false;
  if (!check_instructions(projector, error)) return false;
  if (!ct_geometry_promises(request->geometry, projector->geometry))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Projector “%s” does not serve this geometry: %s.",
                        projector->title, ct_geometry_title(request->geometry));
  if (!(projector->models & CT_FP_BIT(request->model)))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Projector “%s” does not know this model of a ray: %s.",
                        projector->title, ct_model_title(request->model));
  if (projector->gpu && !request->device)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Projector “%s” needs a graphics device: choose one, or another projector.", projector->title);
  if (projector->accepts && !projector->accepts(projector, request, error)) return false;
  return check_memory(projector, request, error);
}

double ct_projector_memory(const ct_projector *projector, const ct_projector_request *request) {
  return projector->memory ? projector->memory(projector, request) : 0;
}

ct_projector_state *ct_projector_prepare(const ct_projector *projector, const ct_projector_request *request,
                                         ct_job *job, ct_error **error) {
  return check_instructions(projector, error) ? projector->prepare(projector, request, job, error) : NULL;
}

static const ct_projector *choose_best(bool matched, const ct_projector_request *request) {
  const ct_projector *best = NULL;
  int highest = 0;
  for (size_t i = 0; i < sizeof projectors / sizeof *projectors; i++) {
    const ct_projector *projector = projectors[i];
    if ((matched && !projector->matched) || !ct_projector_accepts(projector, request, NULL)) continue;
    const int rank = ct_projector_rank(projector, request);
    if (!best || rank > highest) best = projector, highest = rank;
  }
  return best;
}

const ct_projector *ct_projector_choose(const char *id, bool matched, const ct_projector_request *request, char *why,
                                        size_t why_size, ct_error **error) {
  if (why && why_size) *why = 0;
  if (id && strcmp(id, "auto")) {
    const ct_projector *projector = ct_projector_find_in(request->others, id);
    if (!projector) {
      ct_error_set(error, CT_ERROR_ARGUMENT, "There is no projector named “%s”: leave the choice to auto.", id);
      return NULL;
    }
    if (matched && !projector->matched) {
      ct_error_set(error, CT_ERROR_UNSUPPORTED,
                   "Projector “%s” goes back by another way than forward; this method needs a matched pair.",
                   projector->title);
      return NULL;
    }
    if (!ct_projector_accepts(projector, request, error)) return NULL;
    if (why) snprintf(why, why_size, "%s, as chosen.", projector->title);
    return projector;
  }
  if (!check_request(request, error)) return NULL;
  const ct_projector *best = choose_best(matched, request);
  if (!best) {
    ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "No %sprojector serves %s with %d x %d x %d voxels and rays of the model “%s” in the memory that is free.",
        matched ? "matched " : "", ct_geometry_title(request->geometry), request->grid.nx, request->grid.ny,
        request->grid.nz, ct_model_title(request->model));
    return NULL;
  }
  if (why)
    snprintf(why, why_size, "%s: the fastest on this machine for %s, %d x %d x %d voxels.", best->title,
             ct_geometry_title(request->geometry), request->grid.nx, request->grid.ny, request->grid.nz);
  return best;
}
