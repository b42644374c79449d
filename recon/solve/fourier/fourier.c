/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Direct Fourier reconstruction: transforms of rows, gridding, the transform of the slice (fourier.h). */
#include "recon/solve/fourier/fourier.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "recon/filter/fft.h"
#include "recon/geom/questions.h"
#include "recon/solve/fourier/fourier-private.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

/* Columns of the Fourier grid that are transformed together: stretches of 128 bytes of its rows. */
enum { COLUMNS = 16 };
/* Samples whose phases differ by a table's entry. */
enum { PHASES = 32 };
/* Rows' transforms are multiples of this, so that no run of PHASES samples crosses frequency 0. */
enum { LENGTHS = 2 * PHASES };
/* Views between two looks at the job. */
enum { VIEWS_PER_LOOK = 64 };

/* One direction of the slice: `count` voxels, of which the one at `centre` is frequency grid's origin, on `cells`
 * frequencies. */
typedef struct side {
  int count, centre, cells;
} side;

/* What a request comes to. */
typedef struct sizes {
  ct_gridding kind;
  int width;
  double padding;
  side x, y;
  int length; /* of a row's transform */
  int stride; /* complex numbers of a row of the Fourier grid */
} sizes;

struct ct_bp_state {
  ct_bp_request request;
  sizes size;
  ct_gridding_window window;
  const ct_gridding_loops *loops;
  ct_fft_complex *row, *across, *up;
  float *undo_x, *undo_y; /* by what voxels of a column and row are multiplied */
  float *scratch;         /* of all threads */
  size_t per_thread;
};

static const ct_simd_loops all_loops = CT_SIMD_PLAIN(ct_gridding_loops);

/* A cache line's worth of voxels, so that columns are transformed from one on. */
static bool make_side(int count, double padding, side *s) {
  s->count = count;
  s->centre = count / 2 & ~7;
  const int reach = s->centre > count - s->centre ? s->centre : count - s->centre;
  const double wanted = fmax(ceil(2 * padding * reach / 8), 2);
  if (wanted > INT_MAX / 64) return false;
  s->cells = 8 * ct_fft_good_length((int)wanted);
  return true;
}

/* Where a row's transform repeats it, no voxel may lie: `low` and `high` are the columns in which they are seen. */
static void reach_of(const ct_bp_request *request, double *low, double *high) {
  const ct_grid *grid = &request->grid;
  *low = 0, *high = request->geometry->nu;
  for (int view = 0; view < request->geometry->views; view++) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, grid, m);
    for (int corner = 0; corner < 4; corner++) {
      const double u = m[0] * (corner & 1 ? grid->nx - 1 : 0) + m[1] * (corner & 2 ? grid->ny - 1 : 0) + m[3];
      *low = fmin(*low, u);
      *high = fmax(*high, u);
    }
  }
}

static bool size_up(const ct_bp_request *request, sizes *s, ct_error **error) {
  const ct_fourier_options *o = request->fourier;
  double low, high;
  s->kind = (ct_gridding)o->gridding;
  s->width = s->kind == CT_GRIDDING_NEAREST ? 1 : s->kind == CT_GRIDDING_LINEAR ? 2 : o->width;
  s->padding = ct_fourier_padding(o);
  reach_of(request, &low, &high);
  const double wanted = ceil((fmax(high, request->geometry->nu - low) + 2) / LENGTHS);
  if (wanted < INT_MAX / 64 && make_side(request->grid.nx, s->padding, &s->x) &&
      make_side(request->grid.ny, s->padding, &s->y)) {
    s->length = LENGTHS * ct_fft_good_length((int)wanted);
    s->stride = s->x.cells + 2 * CT_GRIDDING_BORDER;
    return true;
  }
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "Direct Fourier reconstruction cannot make %d x %d voxels from rows of %d pixels: take fewer "
                      "voxels or less padding.",
                      request->grid.nx, request->grid.ny, request->geometry->nu);
}

static size_t grid_floats(const sizes *s) {
  return 2 * (size_t)s->stride * ((size_t)s->y.cells + 2 * CT_GRIDDING_BORDER);
}
static size_t columns_floats(const sizes *s) {
  return 2 * (size_t)COLUMNS * (size_t)s->y.cells;
}
/* Row, its transform, and the samples, which have one more. */
static size_t row_floats(const sizes *s) {
  return 2 * (size_t)s->length;
}
static size_t thread_floats(const sizes *s) {
  return grid_floats(s) + columns_floats(s) + 3 * row_floats(s) + CT_ALIGNMENT / sizeof(float);
}

static int pairs_of(const ct_bp_request *request) {
  return (request->grid.nz + 1) / 2;
}
static int team_of(const ct_bp_request *request) {
  const int pairs = pairs_of(request);
  return request->threads < pairs ? request->threads : pairs;
}
static size_t phases_of(const sizes *s) {
  return (size_t)s->length / PHASES + 1 + PHASES;
}

static bool accepts(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  sizes s;
  if (!ct_geometry_promises(request->geometry, kernel->geometry))
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "Direct Fourier reconstruction needs the parallel rays of a circular scan, and these are of %s: "
        "take filtered back-projection (method=fbp).",
        ct_geometry_title(request->geometry));
  if (request->geometry->tilt != 0)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Direct Fourier reconstruction needs a detector without tilt, its columns parallel to the "
                        "rotation axis: take filtered back-projection (method=fbp).");
  return size_up(request, &s, error);
}

static size_t memory(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  sizes s;
  if (!size_up(request, &s, NULL)) return 0;
  return (size_t)team_of(request) * thread_floats(&s) * sizeof(float) +
         (size_t)request->batch * phases_of(&s) * 2 * sizeof(float);
}

static void free_state(ct_bp_state *state) {
  if (!state) return;
  ct_gridding_window_clear(&state->window);
  ct_fft_complex_free(state->row);
  ct_fft_complex_free(state->across);
  ct_fft_complex_free(state->up);
  ct_free(state->undo_x);
  ct_free(state->undo_y);
  ct_free(state->scratch);
  ct_free(state);
}

static float *undo(const ct_gridding_window *window, const side *s, double factor, ct_error **error) {
  float *values = ct_alloc((size_t)s->count, sizeof *values, "the deapodisation", error);
  for (int i = 0; values && i < s->count; i++)
    values[i] = (float)(factor / ct_gridding_window_transform(window, (double)(i - s->centre) / s->cells));
  return values;
}

static bool plan_transforms(ct_bp_state *state, ct_error **error) {
  const sizes *s = &state->size;
  const ct_fft_layout row = {.length = s->length, .count = 1, .step = 1, .next = 1, .out_step = 1, .out_next = 1},
                      across =
                          {.length = s->x.cells, .count = 1, .step = 1, .next = 1, .backward = true, .in_place = true},
                      up = {.length = s->y.cells,
                            .count = COLUMNS,
                            .step = s->stride,
                            .next = 1,
                            .out_step = COLUMNS,
                            .out_next = 1,
                            .backward = true};
  return (state->row = ct_fft_complex_new(&row, error)) && (state->across = ct_fft_complex_new(&across, error)) &&
         (state->up = ct_fft_complex_new(&up, error));
}

static ct_bp_state *prepare(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  ct_bp_state *state = ct_alloc_zero(1, sizeof *state, "the Fourier reconstruction", error);
  if (!state) return NULL;
  const sizes *s = &state->size;
  state->request = *request;
  state->request.fourier = NULL;
  state->loops = ct_simd_loops_usable(&all_loops);
  bool good = size_up(request, &state->size, error);
  if (good) {
    /* Whole vectors may have made it more than was asked for. */
    const double padding = fmin((double)s->x.cells / s->x.count, (double)s->y.cells / s->y.count);
    good = ct_gridding_window_make(s->kind, s->width, padding, &state->window, error);
  }
  if (good) {
    state->per_thread = (thread_floats(s) + 15) / 16 * 16;
    good = (state->undo_x = undo(&state->window, &s->x, 1, error)) &&
           (state->undo_y = undo(&state->window, &s->y, 1.0 / s->length, error)) &&
           (state->scratch = ct_alloc((size_t)team_of(request) * state->per_thread, sizeof *state->scratch,
                                      "the Fourier grids", error)) &&
           plan_transforms(state, error);
  }
  if (good) return state;
  free_state(state);
  return NULL;
}

/* A thread's part of the scratch. */
typedef struct workspace {
  float *grid, *columns, *row, *spectrum, *samples;
} workspace;

static workspace workspace_of(const ct_bp_state *state, int thread) {
  const sizes *s = &state->size;
  workspace w;
  w.grid = state->scratch + (size_t)thread * state->per_thread;
  w.columns = w.grid + grid_floats(s);
  w.row = w.columns + columns_floats(s);
  w.spectrum = w.row + row_floats(s);
  w.samples = w.spectrum + row_floats(s);
  return w;
}

/* How one view's samples lie on the Fourier grid: their steps, and the phases that bring the slice's centre to the
 * grid's origin, exp(2 pi i n u / length) for n = 32 a - length / 2 and for n = 0 .. 31. */
typedef struct line_place {
  double dx, dy;
  double heights[2]; /* slice k is seen in row heights[0] k + heights[1] */
  const float *coarse, *fine;
} line_place;

static void phase(double turns, float out[2]) {
  const double angle = 2 * M_PI * (turns - floor(turns));
  out[0] = (float)cos(angle);
  out[1] = (float)sin(angle);
}

static line_place place_line(const ct_bp_state *state, int view, float *phases) {
  const sizes *s = &state->size;
  double m[12];
  ct_bp_index_matrix(state->request.geometry, view, &state->request.grid, m);
  const double u = (m[0] * s->x.centre + m[1] * s->y.centre + m[3]) / s->length;
  const int coarse = s->length / PHASES + 1;
  for (int a = 0; a < coarse; a++) phase((PHASES * a - s->length / 2) * u, phases + 2 * (size_t)a);
  for (int b = 0; b < PHASES; b++) phase(b * u, phases + 2 * (size_t)(coarse + b));
  return (line_place){
      m[0] * s->x.cells / s->length, m[1] * s->y.cells / s->length, {m[6], m[7]}, phases, phases + 2 * (size_t)coarse};
}

/* Slice k's detector row into every second float; between rows both count linearly. */
static void take_row(const ct_bp_request *request, const line_place *place, const float *projection, int k,
                     float *out) {
  const int nu = request->geometry->nu, nv = request->geometry->nv;
  const double v = place->heights[0] * k + place->heights[1], below = floor(v);
  const bool seen = k < request->grid.nz && v > -1 && v < nv;
  const int row = seen ? (int)below : 0;
  const float part = (float)(v - below), a = seen && row >= 0 ? 1 - part : 0, b = seen && row + 1 < nv ? part : 0;
  const float *low = projection + (a > 0 ? (size_t)row * (size_t)nu : 0),
              *high = projection + (b > 0 ? (size_t)(row + 1) * (size_t)nu : 0);
  if (a > 0 && b > 0)
    for (int u = 0; u < nu; u++) out[2 * u] = a * low[u] + b * high[u];
  else if (a > 0 || b > 0)
    for (int u = 0; u < nu; u++) out[2 * u] = a > 0 ? a * low[u] : b * high[u];
  else
    for (int u = 0; u < nu; u++) out[2 * u] = 0;
}

/* samples[n] = phase * spectrum[n - half], n = 0 .. length; the highest frequency counts half at each end. */
static void take_samples(const sizes *s, const line_place *place, const float *restrict spectrum,
                         float *restrict samples) {
  const int half = s->length / 2;
  for (int n = 0; n <= s->length; n += PHASES) {
    const float cr = place->coarse[2 * (n / PHASES)], ci = place->coarse[2 * (n / PHASES) + 1];
    const float *from = spectrum + 2 * (size_t)(n < half ? n + half : n - half);
    const int count = n + PHASES <= s->length ? PHASES : s->length - n;
    for (int b = 0; b < count; b++) {
      const float fr = place->fine[2 * b], fi = place->fine[2 * b + 1];
      const float pr = cr * fr - ci * fi, pi = cr * fi + ci * fr;
      samples[2 * (n + b)] = pr * from[2 * b] - pi * from[2 * b + 1];
      samples[2 * (n + b) + 1] = pr * from[2 * b + 1] + pi * from[2 * b];
    }
  }
  float last[2];
  const float *end = place->coarse + 2 * (s->length / PHASES), *top = spectrum + 2 * (size_t)half;
  last[0] = end[0] * top[0] - end[1] * top[1];
  last[1] = end[0] * top[1] + end[1] * top[0];
  samples[2 * s->length] = 0.5f * last[0];
  samples[2 * s->length + 1] = 0.5f * last[1];
  samples[0] *= 0.5f;
  samples[1] *= 0.5f;
}

static void add_view(const ct_bp_state *state, const line_place *place, const float *projection, int k,
                     const workspace *own) {
  const sizes *s = &state->size;
  const int nu = state->request.geometry->nu, half = s->length / 2;
  take_row(&state->request, place, projection, k, own->row);
  take_row(&state->request, place, projection, k + 1, own->row + 1);
  memset(own->row + 2 * (size_t)nu, 0, 2 * (size_t)(s->length - nu) * sizeof *own->row);
  ct_fft_complex_run(state->row, own->row, own->spectrum);
  take_samples(s, place, own->spectrum, own->samples);
  const double nx = s->x.cells, ny = s->y.cells, x = -half * place->dx, y = -half * place->dy;
  const ct_gridding_line line = {.samples = own->samples,
                                 .count = s->length + 1,
                                 .x = x - nx * floor(x / nx),
                                 .y = y - ny * floor(y / ny),
                                 .dx = place->dx - nx * rint(place->dx / nx),
                                 .dy = place->dy - ny * rint(place->dy / ny),
                                 .nx = s->x.cells,
                                 .ny = s->y.cells,
                                 .grid = own->grid,
                                 .stride = s->stride,
                                 .table = state->window.table,
                                 .width = s->width};
  state->loops->spread(&line);
}

static void add_numbers(float *restrict to, const float *restrict from, size_t count) {
  for (size_t n = 0; n < count; n++) to[n] += from[n];
}

/* What was spread over the borders belongs to the other end. */
static void fold_borders(const sizes *s, float *grid) {
  const size_t row = 2 * (size_t)s->stride, border = 2 * (size_t)CT_GRIDDING_BORDER, width = 2 * (size_t)s->x.cells,
               height = (size_t)s->y.cells;
  for (size_t r = 0; r < CT_GRIDDING_BORDER; r++) {
    add_numbers(grid + (r + height) * row, grid + r * row, row);
    add_numbers(grid + (CT_GRIDDING_BORDER + r) * row, grid + (CT_GRIDDING_BORDER + height + r) * row, row);
  }
  for (size_t r = CT_GRIDDING_BORDER; r < height + CT_GRIDDING_BORDER; r++) {
    add_numbers(grid + r * row + width, grid + r * row, border);
    add_numbers(grid + r * row + border, grid + r * row + border + width, border);
  }
}

/* Rows of frequencies: those beyond the highest that a view has are empty. */
static void transform_rows(const ct_bp_state *state, double highest, const workspace *own) {
  const sizes *s = &state->size;
  for (int r = 0; r < s->y.cells; r++) {
    const int frequency = r <= s->y.cells / 2 ? r : s->y.cells - r;
    float *row = own->grid + 2 * ((size_t)(r + CT_GRIDDING_BORDER) * (size_t)s->stride + CT_GRIDDING_BORDER);
    if (frequency <= highest) ct_fft_complex_run(state->across, row, row);
  }
}

/* `count` columns of voxels from i on, whose frequencies stand from `cell` on. first: they are stored, not added. */
static void transform_columns(const ct_bp_state *state, int cell, int i, int count, int k, bool first, float *data,
                              const workspace *own) {
  const sizes *s = &state->size;
  const ct_grid *g = &state->request.grid;
  const float *restrict across = state->undo_x + i;
  float *from = own->grid + 2 * ((size_t)CT_GRIDDING_BORDER * (size_t)s->stride + CT_GRIDDING_BORDER + (size_t)cell);
  ct_fft_complex_run(state->up, from, own->columns);
  for (int slice = 0; slice < 2 && k + slice < g->nz; slice++)
    for (int j = 0; j < g->ny; j++) {
      const int at = j < s->y.centre ? j - s->y.centre + s->y.cells : j - s->y.centre;
      const float *restrict values = own->columns + 2 * (size_t)COLUMNS * (size_t)at + slice;
      const float up = state->undo_y[j];
      float *restrict row = data + ((size_t)(k + slice) * (size_t)g->ny + (size_t)j) * (size_t)g->nx + i;
      if (first)
        for (int n = 0; n < count; n++) row[n] = up * across[n] * values[2 * n];
      else
        for (int n = 0; n < count; n++) row[n] += up * across[n] * values[2 * n];
    }
}

static void transform(const ct_bp_state *state, double highest, int k, bool first, float *data, const ct_job *job,
                      const workspace *own) {
  const sizes *s = &state->size;
  fold_borders(&state->size, own->grid);
  transform_rows(state, highest, own);
  for (int i = 0; i < s->x.count && !ct_bp_stopped(job);) {
    const int end = i < s->x.centre ? s->x.centre : s->x.count, count = end - i < COLUMNS ? end - i : COLUMNS;
    const int cell = i < s->x.centre ? i - s->x.centre + s->x.cells : i - s->x.centre;
    transform_columns(state, cell, i, count, k, first, data, own);
    i += count;
  }
}

static void do_pair(const ct_bp_state *state, const ct_bp_batch *batch, const line_place *places, double highest, int k,
                    float *data, const ct_job *job) {
  const workspace own = workspace_of(state, omp_get_thread_num());
  memset(own.grid, 0, grid_floats(&state->size) * sizeof *own.grid);
  for (int n = 0; n < batch->count; n++) {
    if (n % VIEWS_PER_LOOK == 0 && ct_bp_stopped(job)) return;
    add_view(state, &places[n], batch->projections[n], k, &own);
  }
  transform(state, highest, k, batch->first, data, job, &own);
}

static bool run(ct_bp_state *state, const ct_bp_batch *batch, ct_volume *volume, ct_job *job, ct_error **error) {
  const sizes *s = &state->size;
  const ct_bp_request *request = &state->request;
  const int pairs = pairs_of(request), count = batch->count;
  const size_t phases = 2 * phases_of(s);
  line_place *places = ct_alloc((size_t)count, sizeof *places, "the views' lines", error);
  float *table = places ? ct_alloc((size_t)count * phases, sizeof *table, "the views' phases", error) : NULL;
  if (!table) {
    ct_free(places);
    return false;
  }
#pragma omp parallel for schedule(static) num_threads(request->threads)
  for (int n = 0; n < count; n++) places[n] = place_line(state, batch->views[n], table + (size_t)n * phases);
  double highest = 0;
  for (int n = 0; n < count; n++) highest = fmax(highest, fabs(places[n].dy) * (s->length / 2) + s->width);
  float *data = ct_volume_data(volume);
  atomic_int done = 0;
#pragma omp parallel for schedule(dynamic) num_threads(team_of(request))
  for (int pair = 0; pair < pairs; pair++) {
    if (ct_bp_stopped(job)) continue;
    do_pair(state, batch, places, highest, 2 * pair, data, job);
    const uint64_t before = (uint64_t)atomic_fetch_add(&done, 1), views = (uint64_t)count, all = (uint64_t)pairs;
    ct_job_advance(job, views * (before + 1) / all - views * before / all);
  }
  ct_free(places);
  ct_free(table);
  return ct_bp_conclude(job, error);
}

const ct_bp_kernel ct_fourier_kernel = {
    .id = "fourier",
    .title = "Direct Fourier",
    .explanation =
        "The spectra of the views on the slice's own frequencies by gridding (O'Sullivan 1985, Beatty et al. "
        "2005), then one transform for two slices: the work hardly grows with the number of views.",
    .loops = CT_SIMD_PLAIN(ct_gridding_loops),
    .geometry = CT_GEOMETRY_PARALLEL | CT_TRAIT_CIRCULAR,
    .interps = CT_BIT(CT_INTERP_OVERSAMPLED + 1) - 1,
    .precisions = CT_BIT(CT_PRECISION_FLOAT64 + 1) - 1,
    .rank = -1,
    .tolerance = 0.05,
    .at_once = true,
    .accepts = accepts,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .free = free_state,
};
