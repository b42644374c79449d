/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection of a sequence's groups: position by position, each by a kernel of circular scans onto the slices that
 * it serves (sequence.h). */
#include "recon/solve/sequence/sequence.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "recon/geom/questions.h"

struct ct_bp_state {
  ct_bp_request request, own; /* own: of one position, whose grid is set for each */
  ct_sequence sequence;
  ct_geometry circle;
};

/* Slices first .. end - 1 of the grid that a position serves; false: none. */
static bool slices_of(const ct_sequence *s, const ct_grid *grid, int position, int *first, int *end) {
  *first = *end = 0;
  for (int k = 0; k < grid->nz; k++)
    if (ct_sequence_position(s, grid->z0 + k * grid->dz) == position) {
      if (*end == 0) *first = k;
      *end = k + 1;
    }
  return *end > 0;
}

/* In the frame of the position's circle. */
static ct_grid grid_of(const ct_sequence *s, const ct_grid *grid, int position, int first, int end) {
  ct_grid own = *grid;
  own.nz = end - first;
  own.z0 = grid->z0 + first * grid->dz - ct_sequence_height(s, position);
  return own;
}

/* The position that serves the most slices; of a grid that none serves the first, for its lowest slice. */
static ct_grid widest(const ct_sequence *s, const ct_grid *grid) {
  ct_grid most = grid_of(s, grid, 0, 0, 1);
  int slices = 0, first, end;
  for (int position = 0; position < s->positions; position++)
    if (slices_of(s, grid, position, &first, &end) && end - first > slices) {
      slices = end - first;
      most = grid_of(s, grid, position, first, end);
    }
  return most;
}

bool ct_sequence_request(const ct_bp_request *request, ct_geometry *circle, ct_bp_request *own, ct_error **error) {
  ct_sequence s;
  const ct_geometry *g = request->geometry;
  if (!ct_sequence_of(g, &s, error) ||
      !ct_sequence_circle(g, &s, ct_sequence_rows_beyond(g, &s, ct_geometry_field_radius(g)), circle, error))
    return false;
  *own = *request;
  own->geometry = circle;
  own->grid = widest(&s, &request->grid);
  own->device = NULL;
  own->inner = NULL;
  own->ahead = false;
  return true;
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_request own;
  ct_geometry circle;
  if (request->ramp)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "The positions of a sequence are filtered by the processor.");
  if (!request->inner || !ct_sequence_request(request, &circle, &own, error)) return false;
  const bool good = ct_bp_accepts(request->inner, &own, error);
  ct_geometry_clear(&circle);
  return good;
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  ct_bp_request own;
  ct_geometry circle;
  if (!request->inner || !ct_sequence_request(request, &circle, &own, NULL)) return 0;
  const size_t beside = request->inner->memory ? request->inner->memory(request->inner, &own) : 0;
  ct_geometry_clear(&circle);
  return beside + ct_grid_voxels(&own.grid) * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_geometry_clear(&state->circle);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *s = ct_alloc_zero(1, sizeof *s, "the back-projection", error);
  if (!s) return NULL;
  s->request = *request;
  if (ct_sequence_of(request->geometry, &s->sequence, error) &&
      ct_sequence_request(request, &s->circle, &s->own, error))
    return s;
  free_state(s);
  return NULL;
}

/* By a kernel of its own for the batch: kernels of circles hold layouts, of which only one fits in any case. */
static bool add_position(const ct_bp_state *s, const ct_bp_batch *batch, ct_volume *part, ct_job *job,
                         ct_error **error) {
  const ct_bp_kernel *inner = s->request.inner;
  ct_bp_request own = s->own;
  own.grid = *ct_volume_grid(part);
  ct_bp_state *state = inner->prepare(inner, &own, error);
  const bool good =
      state && inner->run(state, batch, part, job, error) && (!inner->finish || inner->finish(state, part, error));
  if (state) inner->free(state);
  return good;
}

static void add(const ct_volume *part, ct_volume *volume, int first) {
  const ct_grid *grid = ct_volume_grid(part);
  const size_t count = ct_grid_voxels(grid);
  const float *from = ct_volume_get_data(part);
  float *to = ct_volume_data(volume) + (size_t)first * (size_t)grid->ny * (size_t)grid->nx;
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < count; i++) to[i] += from[i];
}

static bool run(ct_bp_state *s, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const size_t part = (size_t)s->circle.nv * (size_t)s->circle.nu;
  const float **views = ct_alloc((size_t)batch->count, sizeof *views, "a batch", error);
  bool good = views != NULL;
  for (int position = 0; good && position < s->sequence.positions; position++) {
    int first, end;
    if (!slices_of(&s->sequence, &s->request.grid, position, &first, &end)) continue;
    const ct_grid grid = grid_of(&s->sequence, &s->request.grid, position, first, end);
    ct_volume *slices = ct_volume_new(&grid, error);
    for (int i = 0; i < batch->count; i++) views[i] = batch->projections[i] + (size_t)position * part;
    const ct_bp_batch own = {
        .count = batch->count, .views = batch->views, .projections = views, .first = true, .last = true};
    good = slices && add_position(s, &own, slices, job, error);
    if (good) add(slices, volume, first);
    ct_volume_free(slices);
  }
  ct_free(views);
  return good && ct_bp_conclude(job, error);
}

const ct_bp_kernel ct_sequence_kernel = {
    .id = "sequence",
    .title = "Sequence",
    .explanation = "Each position of a sequence as a circular scan of its own, by a kernel for those: the slices that "
                   "lie nearest to it.",
    .geometry = CT_GEOMETRY_VOLUME,
    .interps = ~0u,
    .precisions = ~0u,
    .rank = -1,
    .tolerance = 1e-5,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
