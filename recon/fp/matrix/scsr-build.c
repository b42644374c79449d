/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the stored rows of a symmetric matrix: counted, then laid out by the format, then made once more and put to
 * their places, in parallel over stored rays. No second copy of the matrix exists at any time. */
#include "recon/fp/matrix/build.h"
#include "recon/fp/matrix/scsr-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Rays of a view taken at once by a thread. */
enum { CHUNK = 32 };

bool ct_scsr_accepts(const ct_projector *self, const ct_projector_request *request, ct_error **error) {
  if (!ct_projector_slices(request))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "A stored matrix is one of slices: it needs a fan, or a parallel beam whose rows lie at the volume's slices.");
  if (request->grid.nx > CT_SCSR_LARGEST)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "The symmetric matrix holds slices of up to %d x %d pixels.",
                        CT_SCSR_LARGEST, CT_SCSR_LARGEST);
  ct_error *reason = NULL;
  if (!ct_symmetry_holds(request->geometry, &request->grid, CT_SYMMETRY_SQUARE, &reason)) {
    const bool symmetry = reason && reason->code == CT_ERROR_UNSUPPORTED;
    ct_error_set(error, symmetry ? CT_ERROR_UNSUPPORTED : CT_ERROR_MEMORY, "%s%s", reason ? reason->message : "",
                 symmetry ? " The whole matrix (csr) needs no symmetry." : "");
    ct_error_clear(&reason);
    return false;
  }
  return ct_model_accepts(request->geometry, &request->grid, request->model, error);
}

static ct_matrix_request rows_of(const ct_projector_request *request, const ct_symmetry *s) {
  ct_matrix_request rows = ct_matrix_whole(request->geometry, &request->grid, request->model, request->threads);
  rows.views = s->view;
  rows.view_count = s->slots;
  rows.rays = s->count;
  rows.memory = request->memory;
  return rows;
}

bool ct_scsr_estimate(const ct_projector_request *request, double *stored, double *rows) {
  *stored = *rows = 0;
  ct_symmetry *s = ct_symmetry_new(request->geometry, &request->grid, CT_SYMMETRY_SQUARE, NULL);
  if (!s) return false;
  const ct_matrix_request matrix = rows_of(request, s);
  *stored = ct_matrix_estimate(&matrix);
  *rows = (double)s->rays;
  ct_symmetry_free(s);
  return *stored > 0;
}

double ct_scsr_common_bytes(const ct_projector_request *request, double rows) {
  return rows * (CT_SCSR_IMAGES * sizeof(float) + sizeof(int) + sizeof(uint64_t) + 1) +
         request->geometry->views *
             (double)(sizeof(int) + 3 * sizeof(int) + sizeof(ct_symmetry_image[8]) + 5 * sizeof(int));
}

/* Room of one thread. */
typedef struct {
  ct_model_room *model;
  ct_row row;
} builder;

static bool builder_init(builder *b, const ct_grid *grid, ct_error **error) {
  ct_row_init(&b->row);
  return (b->model = ct_model_room_new(grid, error)) != NULL;
}

static void builder_clear(builder *b) {
  ct_model_room_free(b->model);
  ct_row_clear(&b->row);
}

static bool put_row(ct_projector_state *state, const ct_model_view *view, size_t row, int u, builder *b,
                    ct_error **error) {
  const size_t count = ct_scsr_count(state, row);
  if (!ct_row_reserve(&b->row, count, error)) return false;
  if (!ct_model_view_row(view, u, b->model, b->row.columns, b->row.values, error)) return false;
  for (size_t e = 0; e < count; e++) b->row.columns[e] = ct_scsr_pack(b->row.columns[e], (uint32_t)state->n);
  state->format->put(state, state->storage, row, b->row.columns, b->row.values);
  return true;
}

/* The rays of one task: a piece of a stored view. */
static bool put_piece(ct_projector_state *state, int slot, int from, builder *b, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  const ct_projector_request *request = &state->request;
  const int end = from + CHUNK < s->count[slot] ? from + CHUNK : s->count[slot];
  const ct_model_view view = ct_model_view_make(request->geometry, &request->grid, request->model, s->view[slot]);
  bool good = true;
  for (int u = from; good && u < end; u++) good = put_row(state, &view, s->first[slot] + (size_t)u, u, b, error);
  return good;
}

/* Tasks that a stored view makes. */
static int pieces_of(const ct_symmetry *s) {
  return (s->nu + CHUNK - 1) / CHUNK;
}

static bool put_all(ct_projector_state *state, ct_job *job, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  const int pieces = pieces_of(s);
  ct_error *fault = NULL;
  bool good = true;
#pragma omp parallel num_threads(state->request.threads) reduction(&& : good)
  {
    ct_error *own = NULL;
    builder b;
    good = builder_init(&b, &state->request.grid, &own);
#pragma omp for schedule(dynamic, 1)
    for (int task = 0; task < s->slots * pieces; task++)
      if (good && ct_job_requested(job) != CT_JOB_CANCEL) {
        good = put_piece(state, task / pieces, task % pieces * CHUNK, &b, &own);
        ct_job_advance(job, 1);
      }
    builder_clear(&b);
#pragma omp critical(ct_fp_scsr)
    {
      if (!fault)
        fault = own;
      else
        ct_error_clear(&own);
    }
  }
  if (fault && error && !*error)
    *error = fault;
  else
    ct_error_clear(&fault);
  return good && ct_job_may_go_on(job, error);
}

static bool make_lists(ct_projector_state *state, ct_error **error) {
  const ct_symmetry *s = state->symmetry;
  const size_t views = (size_t)s->views, slots = (size_t)s->slots;
  state->views = ct_alloc(views, sizeof *state->views, "the list of views", error);
  state->slot_of = ct_alloc(s->rays, sizeof *state->slot_of, "the list of rays", error);
  state->first = ct_alloc_zero(s->rays, sizeof *state->first, "the list of rays", error);
  state->starts = ct_alloc_zero(s->rays + 1, sizeof *state->starts, "the list of rays", error);
  state->orbit = ct_alloc_zero(s->rays, CT_SCSR_IMAGES * sizeof *state->orbit, "the table of rays", error);
  state->wanted = ct_alloc_zero(slots, sizeof *state->wanted, "the list of views", error);
  state->active = ct_alloc_zero(slots, sizeof *state->active, "the list of views", error);
  if (!state->views || !state->slot_of || !state->first || !state->starts || !state->orbit || !state->wanted ||
      !state->active)
    return false;
  for (int view = 0; view < s->views; view++) state->views[view] = view;
  for (int slot = 0; slot < s->slots; slot++)
    for (int u = 0; u < s->count[slot]; u++) {
      const size_t row = s->first[slot] + (size_t)u;
      state->slot_of[row] = slot;
      for (int g = 0; g < CT_SCSR_IMAGES; g++)
        if (ct_symmetry_is_first(s, slot, u, g)) state->first[row] |= (uint8_t)(1 << g);
    }
  return true;
}

static bool build(ct_projector_state *state, ct_job *job, ct_error **error) {
  const int tasks = state->symmetry->slots * pieces_of(state->symmetry);
  ct_job_begin_stage(job, CT_STAGE_BUILDING, (uint64_t)tasks);
  const ct_matrix_request rows = rows_of(&state->request, state->symmetry);
  uint64_t stored;
  if (!ct_matrix_count(&rows, state->starts, &stored, job, error)) return false;
  state->stored = (double)stored;
  for (size_t row = 0; row < state->symmetry->rays; row++)
    state->entries += (double)ct_scsr_count(state, row) * __builtin_popcount(state->first[row]) * state->slices;
  state->storage = state->format->plan(state, error);
  if (!state->storage || !put_all(state, job, error)) return false;
  return !state->format->finish || state->format->finish(state, state->storage, error);
}

/* The same pixels where rows lie `pitch` apart. */
static ct_symmetry_pixels pad_map(ct_symmetry_pixels map, int n, int pitch) {
  const size_t side = (size_t)n, from = ct_symmetry_pixel(&map, 0, 0);
  const size_t right = n > 1 ? ct_symmetry_pixel(&map, 1, 0) : from, up = n > 1 ? ct_symmetry_pixel(&map, 0, 1) : from;
  const ptrdiff_t more = pitch - n;
  const ptrdiff_t offset = (ptrdiff_t)from + (ptrdiff_t)(from / side) * more;
  return (ct_symmetry_pixels){offset, (ptrdiff_t)right + (ptrdiff_t)(right / side) * more - offset,
                              (ptrdiff_t)up + (ptrdiff_t)(up / side) * more - offset};
}

ct_projector_state *ct_scsr_prepare(const ct_scsr_format *format, const ct_projector *self,
                                    const ct_projector_request *request, ct_job *job, ct_error **error) {
  const double began = ct_now();
  if (!ct_scsr_accepts(self, request, error)) return NULL;
  ct_projector_state *state = calloc(1, sizeof *state);
  if (!state) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projector.");
    return NULL;
  }
  const ct_geometry *g = request->geometry;
  state->format = format;
  state->loops = ct_simd_loops_usable(&self->loops);
  state->request = *request;
  state->n = request->grid.nx;
  state->slices = ct_projector_slices(request);
  state->plane = (size_t)state->n * (size_t)state->n;
  state->image = ct_grid_voxels(&request->grid);
  state->rays = (size_t)g->views * (size_t)g->nv * (size_t)g->nu;
  state->padding = ((state->n + 15) / 16 | 1) * 16;
  for (int image = 0; image < CT_SCSR_IMAGES; image++) {
    state->natural[image] = ct_symmetry_pixels_of(state->n, state->n, image);
    state->padded[image] = pad_map(state->natural[image], state->n, state->padding);
  }
  state->symmetry = ct_symmetry_new(g, &request->grid, CT_SYMMETRY_SQUARE, error);
  if (!state->symmetry || !make_lists(state, error) || !build(state, job, error)) {
    ct_scsr_free(state);
    return NULL;
  }
  state->seconds = ct_now() - began;
  return state;
}

void ct_scsr_free(ct_projector_state *state) {
  if (!state) return;
  if (state->storage) state->format->free(state->storage);
  ct_symmetry_free(state->symmetry);
  ct_free(state->views);
  ct_free(state->slot_of);
  ct_free(state->first);
  ct_free(state->starts);
  ct_free(state->orbit);
  ct_free(state->wanted);
  ct_free(state->active);
  ct_free(state->squares);
  free(state);
}
