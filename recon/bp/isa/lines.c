/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thin grids (slices on demand, single slices), and any grid where the detector is tilted or the matrices are free.
 * Lines of voxels along x (or along y where the grid is a sagittal plane) read the projections as they are, so that
 * nothing is turned or copied for a plane; windows as in line.h. A piece of 16 lines takes one view after the other,
 * whose few detector rows stay in the cache for all of them, and which is fetched during the view before it. */
#include "recon/bp/isa/isa-kernels.h"
#include "recon/bp/isa/line-inside.h"
#include "recon/bp/support-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

/* row_floats: of a cache line. */
enum { piece_lines = 16, row_floats = 16 };

struct ct_bp_state {
  ct_bp_request request;
  bool along_y;
  double (*matrices)[12]; /* [batch] */
  float *sums;            /* [threads][piece_lines][line_room] */
  size_t line_room;
};

/* Along y only where x is too short for vectors. */
static bool along_y(const ct_grid *grid) {
  return grid->nx < W && grid->ny > grid->nx;
}

static size_t line_room(const ct_grid *grid) {
  return ((size_t)(along_y(grid) ? grid->ny : grid->nx) + W - 1) / W * W;
}

/* The kernels that run along z, or through all slices, are faster on thick grids where they apply. */
static bool is_made_for(const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  const bool slices = request->geometry->beam == CT_BEAM_PARALLEL;
  return !ct_bp_columns_along_z(request) || grid->ny <= 2 || grid->nx <= 2 || grid->nz <= (slices ? 4 : 12);
}

static bool accepts(const ct_bp_request *request, ct_error **error) {
  const ct_grid *grid = &request->grid;
  if (is_made_for(request)) return true;
  return ct_error_set(
      error, CT_ERROR_UNSUPPORTED,
      "Kernel “Windows along lines" CT_ISA_TITLE "” is made for planes and for tilted detectors; this grid has %d x %d x %d "
      "voxels and the detector is not tilted.",
      grid->nx, grid->ny, grid->nz);
}

/* First for axial planes. Upright ones along x are best read along z, where the detector allows that: twice as fast.
 * Those along y fill no tile there, whose rows run along x. On thick grids, which come here tilted or with free
 * matrices alone, the kernel made for those is first. */
static int rank_for(const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  if (!is_made_for(request)) return CT_ISA_RANK(38);
  if (grid->nz <= 12 || request->geometry->beam == CT_BEAM_PARALLEL) return CT_ISA_RANK(80);
  if (grid->nx <= 2) return CT_ISA_RANK(65);
  return grid->ny <= 2 ? CT_ISA_RANK(50) : CT_ISA_RANK(38);
}

static size_t memory(const ct_bp_request *request) {
  return (size_t)request->batch * 12 * sizeof(double) +
         (size_t)request->threads * piece_lines * line_room(&request->grid) * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_free(state->matrices);
  ct_free(state->sums);
  ct_free(state);
}

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the back-projection", error);
  if (!state) return NULL;
  state->request = *request;
  state->along_y = along_y(&request->grid);
  state->line_room = line_room(&request->grid);
  state->matrices = ct_alloc((size_t)request->batch, sizeof *state->matrices, "the views' matrices", error);
  state->sums =
      ct_alloc((size_t)request->threads * piece_lines, state->line_room * sizeof(float), "the voxel lines", error);
  if (state->matrices && state->sums) return state;
  free_state(state);
  return NULL;
}

/* The line through voxel (0, j, k), or through (i, 0, k) along y. */
static voxel_line line_of(const double m[12], bool along_y, int across, int k) {
  const int c = along_y ? 0 : 1, d = along_y ? 1 : 0;
  return (voxel_line){m[c] * across + m[2] * k + m[3],
                      m[4 + c] * across + m[6] * k + m[7],
                      m[8 + c] * across + m[10] * k + m[11],
                      m[d],
                      m[4 + d],
                      m[8 + d]};
}

static void add_to_volume(const ct_grid *grid, bool along_y, int across, int k, const float *sums, float *data) {
  float *slice = data + (size_t)k * (size_t)grid->ny * (size_t)grid->nx;
  if (along_y) {
    for (int j = 0; j < grid->ny; j++) slice[(size_t)j * (size_t)grid->nx + (size_t)across] += sums[j];
  } else {
    float *row = slice + (size_t)across * (size_t)grid->nx;
    for (int i = 0; i < grid->nx; i++) row[i] += sums[i];
  }
}

/* Rays side by side: w is 1 everywhere. Not asked of the beam, for an oblique plane comes with matrices of its own. */
static bool is_parallel(const double m[12]) {
  return m[8] == 0 && m[9] == 0 && m[10] == 0 && m[11] == 1;
}

/* What a piece sees of a view, row by row: a band along the projection of its middle line. */
typedef struct band {
  const float *data;
  ptrdiff_t pitch;
  int row, end;   /* [row, end) */
  int lines;      /* cache lines of each row */
  int low, high;  /* bounds of the first column */
  float u, slope; /* the first column of row 0, and per row */
} band;

/* The corners of a piece's projection bound it; empty where a corner is not before the source. */
static band band_of(const image *im, const voxel_line edges[2], int length) {
  double u[4], v[4], low = im->width, high = -1, top = im->lines, bottom = -1;
  for (int c = 0; c < 4; c++) {
    const voxel_line *l = &edges[c / 2];
    const double t = c % 2 ? length - 1 : 0, w = l->w + t * l->dw;
    if (!(w > 0.01)) return (band){0};
    u[c] = (l->a + t * l->da) / w, v[c] = (l->b + t * l->db) / w;
    low = fmin(low, u[c]), high = fmax(high, u[c]), top = fmin(top, v[c]), bottom = fmax(bottom, v[c]);
  }
  low = fmax(floor(low), 0), high = fmin(high + 1, im->width - 1), top = fmax(floor(top), 0),
  bottom = fmin(bottom + 1, im->lines - 1);
  if (!(low <= high && top <= bottom)) return (band){0};
  const double rise = v[1] + v[3] - v[0] - v[2], run = u[1] + u[3] - u[0] - u[2], width = high - low;
  const double slope = fabs(run) < fabs(rise) * width ? run / rise : 0;
  const double middle = (u[0] + u[2] - slope * (v[0] + v[2])) / 2;
  double reach = 0;
  for (int c = 0; c < 4; c++) reach = fmax(reach, fabs(u[c] - middle - slope * v[c]));
  /* A voxel reads the row above and below it, and the columns to both sides. */
  reach += fabs(slope) + 1;
  const int across = (int)fmin(width, 2 * reach) / row_floats + 2, last = (int)high - (across - 1) * row_floats;
  return (band){.data = im->data,
                .pitch = im->pitch,
                .row = (int)top,
                .end = (int)bottom + 1,
                .lines = across,
                .low = (int)low,
                .high = last > (int)low ? last : (int)low,
                .u = (float)(middle - reach),
                .slope = (float)slope};
}

/* Fetches the next `rows` rows into the second-level cache. */
static void fetch_rows(band *b, int rows) {
  for (const int end = b->end - b->row < rows ? b->end : b->row + rows; b->row < end; b->row++) {
    const float u = b->u + b->slope * (float)b->row;
    const int from = u < (float)b->low ? b->low : u > (float)b->high ? b->high : (int)u;
    for (int n = 0; n < b->lines; n++) __builtin_prefetch(b->data + b->row * b->pitch + from + n * row_floats, 0, 2);
  }
}

static image image_of(const ct_bp_state *state, const ct_bp_batch *batch, int n) {
  const ct_geometry *g = state->request.geometry;
  return (image){batch->projections[n], g->nu, g->nv, g->nu};
}

/* Of view n of the batch; empty where there is none, or where the lines are not beside one another. */
static band band_of_piece(const ct_bp_state *state, const ct_bp_batch *batch, int n, long first, long end) {
  const ct_grid *grid = &state->request.grid;
  const int across = state->along_y ? grid->nx : grid->ny, k = (int)(first / across);
  if (n == batch->count || (end - 1) / across != k) return (band){0};
  const double *m = state->matrices[n];
  const voxel_line edges[2] = {line_of(m, state->along_y, (int)(first % across), k),
                               line_of(m, state->along_y, (int)((end - 1) % across), k)};
  const image im = image_of(state, batch, n);
  return band_of(&im, edges, state->along_y ? grid->ny : grid->nx);
}

/* Lines first .. end - 1, numbered across + k * (voxels across). */
static void do_piece(const ct_bp_state *state, const ct_bp_batch *batch, long first, long end, float *sums, float *data,
                     const ct_job *job) {
  const ct_grid *grid = &state->request.grid;
  const int across = state->along_y ? grid->nx : grid->ny, length = state->along_y ? grid->ny : grid->nx;
  memset(sums, 0, (size_t)(end - first) * state->line_room * sizeof *sums);
  for (int n = 0; n < batch->count; n++) {
    if (ct_bp_stopped(job)) return;
    const image im = image_of(state, batch, n);
    const bool parallel = is_parallel(state->matrices[n]);
    band next = band_of_piece(state, batch, n + 1, first, end);
    const int share = (next.end - next.row) / (int)(end - first) + 1;
    for (long l = first; l < end; l++) {
      const voxel_line line = line_of(state->matrices[n], state->along_y, (int)(l % across), (int)(l / across));
      float *at = sums + (size_t)(l - first) * state->line_room;
      fetch_rows(&next, share);
      if (parallel)
        add_line(true, &im, &line, length, at);
      else
        add_line(false, &im, &line, length, at);
    }
  }
  for (long l = first; l < end; l++)
    add_to_volume(grid, state->along_y, (int)(l % across), (int)(l / across),
                  sums + (size_t)(l - first) * state->line_room, data);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_grid *grid = &state->request.grid;
  const long lines = (long)(state->along_y ? grid->nx : grid->ny) * grid->nz,
             pieces = (lines + piece_lines - 1) / piece_lines;
  float *data = ct_volume_data(volume);
  for (int n = 0; n < batch->count; n++)
    ct_bp_index_matrix(state->request.geometry, batch->views[n], grid, state->matrices[n]);
#pragma omp parallel for schedule(dynamic) num_threads(state->request.threads)
  for (long piece = 0; piece < pieces; piece++) {
    if (ct_bp_stopped(job)) continue;
    const long first = piece * piece_lines, end = first + piece_lines < lines ? first + piece_lines : lines;
    do_piece(state, batch, first, end, state->sums + (size_t)ct_team_thread() * piece_lines * state->line_room, data,
             job);
  }
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel CT_ISA_SYMBOL(ct_bp_lines) = {
    .id = "lines" CT_ISA_ID,
    .title = "Windows along lines" CT_ISA_TITLE,
    .explanation =
        "For planes on demand, tilted detectors and C-arms, any geometry: lines of voxels read the projections "
        "as they are, through windows of detector rows and register permutes." CT_ISA_NOTE,
    .beams = CT_BIT(CT_BEAM_PARALLEL) | CT_BIT(CT_BEAM_FAN) | CT_BIT(CT_BEAM_CONE) | CT_BIT(CT_BEAM_FREE),
    .interps = CT_BIT(CT_INTERP_LINEAR),
    .precisions = CT_BIT(CT_PRECISION_FLOAT32),
    .cpu = CT_ISA_CPU,
    .rank = CT_ISA_RANK(80),
    .rank_for = rank_for,
    .tolerance = 5e-6,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
