/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of lines of voxels through the projections as they are (lines-private.h), compiled once per variant. */
#include "recon/bp/support-private.h"
#include "recon/bp/window/line-inside.h"
#include "recon/bp/window/lines-private.h"

#include <math.h>
#include <string.h>

/* piece_lines lines or fewer; those behind count are empty. Each is taken from a whole vector on. */
typedef struct piece {
  int count;
  int number[piece_lines]; /* in its slice */
  int across[piece_lines], slice[piece_lines];
  int from[piece_lines], length[piece_lines]; /* voxels */
} piece;

static piece piece_of(const ct_bp_state *state, long first) {
  const ct_skew *skew = &state->skew;
  const long left = (long)skew->lines * state->request.grid.nz - first;
  piece p = {.count = left < piece_lines ? (int)left : piece_lines};
  for (int l = 0; l < p.count; l++) {
    const int n = (int)((first + l) % skew->lines), from = skew->span[n][0] / W * W;
    p.number[l] = n, p.across[l] = skew->lowest + n, p.slice[l] = (int)((first + l) / skew->lines);
    p.from[l] = from, p.length[l] = skew->span[n][1] - from;
  }
  return p;
}

/* Line l, from voxel t on. */
CT_INLINE voxel_line line_of(const double m[12], const ct_skew *skew, const piece *p, int l, int t) {
  const int c = skew->along_y ? 0 : 1, d = skew->along_y ? 1 : 0, across = p->across[l], k = p->slice[l];
  const double da = m[d] + skew->slope * m[c], db = m[4 + d] + skew->slope * m[4 + c],
               dw = m[8 + d] + skew->slope * m[8 + c];
  return (voxel_line){m[c] * across + m[2] * k + m[3] + t * da,
                      m[4 + c] * across + m[6] * k + m[7] + t * db,
                      m[8 + c] * across + m[10] * k + m[11] + t * dw,
                      da,
                      db,
                      dw};
}

/* What voxels of a skewed line are aside of it. */
static sidestep sidestep_of(const double m[12], const ct_skew *skew) {
  const int c = skew->along_y ? 0 : 1;
  return (sidestep){skew->aside, skew->most, m[c], m[4 + c], m[8 + c]};
}

static void add_to_volume(const ct_bp_state *state, const piece *p, const float *sums, float *data) {
  const ct_grid *grid = &state->request.grid;
  const ct_skew *skew = &state->skew;
  const size_t nx = (size_t)grid->nx, along = skew->along_y ? nx : 1, across = skew->along_y ? 1 : nx;
  /* Voxels W after W, for what those of a line across touch is touched by the next lines, too. */
  for (int begin = 0; begin < skew->length; begin += W)
    for (int l = 0; l < p->count; l++) {
      const int *span = skew->span[p->number[l]];
      const int first = span[0] > begin ? span[0] : begin, end = span[1] < begin + W ? span[1] : begin + W;
      const float *from = sums + (size_t)l * state->line_room;
      float *slice = data + (size_t)p->slice[l] * (size_t)grid->ny * nx;
      for (int t = first; t < end; t++)
        slice[(size_t)(p->across[l] + skew->across[t]) * across + (size_t)t * along] += from[t];
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

/* Fetches the next `rows` rows. */
static void fetch_rows(band *b, int rows) {
  for (const int end = b->end - b->row < rows ? b->end : b->row + rows; b->row < end; b->row++) {
    const float u = b->u + b->slope * (float)b->row;
    const int from = u < (float)b->low ? b->low : u > (float)b->high ? b->high : (int)u;
    for (int n = 0; n < b->lines; n++) __builtin_prefetch(b->data + b->row * b->pitch + from + n * row_floats, 0, 3);
  }
}

static image image_of(const ct_bp_state *state, int n) {
  const ct_geometry *g = state->request.geometry;
  return (image){
      state->rounded.projections[n], g->nu, g->nv, g->nu, state->steps, state->steps ? 1 / (float)state->steps : 0,
      (float)state->rounded.worth[n]};
}

/* Of view n of `views`; empty where there is none, or where the lines are not beside one another. */
static band band_of_piece(const ct_bp_state *state, int views, int n, const piece *p) {
  const int last = p->count - 1;
  if (n == views || p->slice[0] != p->slice[last]) return (band){0};
  int from = p->from[0], end = 0;
  for (int l = 0; l <= last; l++) {
    from = p->from[l] < from ? p->from[l] : from;
    end = p->from[l] + p->length[l] > end ? p->from[l] + p->length[l] : end;
  }
  const double *m = state->rounded.matrices[n];
  const voxel_line edges[2] = {line_of(m, &state->skew, p, 0, from), line_of(m, &state->skew, p, last, from)};
  const image im = image_of(state, n);
  return band_of(&im, edges, end - from);
}

/* `inside` of every line of a piece. */
typedef struct insides {
  double first[piece_lines], end[piece_lines], windows[piece_lines], rows[piece_lines], low_a[piece_lines],
      low_b[piece_lines], margin_a[piece_lines], margin_b[piece_lines];
} insides;

CT_INLINE void add_view(bool parallel, bool askew, const ct_bp_state *state, const image *im, const double m[12],
                        const piece *p, band next, float *sums) {
  const ct_skew *skew = &state->skew;
  const int share = (next.end - next.row) / p->count + 1;
  const sidestep course = sidestep_of(m, skew);
  insides in;
#pragma omp simd
  for (int l = 0; l < piece_lines; l++) {
    const voxel_line line = line_of(m, skew, p, l, p->from[l]);
    const inside found = find_inside(im, line, askew ? &course : NULL, (p->length[l] + W - 1) / W);
    in.first[l] = found.first, in.end[l] = found.end, in.windows[l] = found.windows, in.rows[l] = found.rows;
    in.low_a[l] = found.low_a, in.low_b[l] = found.low_b;
    in.margin_a[l] = found.margin_a, in.margin_b[l] = found.margin_b;
  }
  for (int l = 0; l < p->count; l++) {
    const voxel_line line = line_of(m, skew, p, l, p->from[l]);
    const sidestep aside = sidestep_from(&course, p->from[l]);
    const inside found = {in.first[l], in.end[l],   in.windows[l],  in.rows[l],
                          in.low_a[l], in.low_b[l], in.margin_a[l], in.margin_b[l]};
    fetch_rows(&next, share);
    add_line_within(parallel, im, &line, askew ? &aside : NULL, &found, p->length[l],
                    sums + (size_t)l * state->line_room + p->from[l]);
  }
}

static void do_piece(const ct_bp_state *state, int views, long first, float *sums, float *data, const ct_job *job) {
  const piece p = piece_of(state, first);
  const bool askew = state->skew.slope != 0;
  memset(sums, 0, (size_t)p.count * state->line_room * sizeof *sums);
  for (int n = 0; n < views; n++) {
    if (ct_bp_stopped(job)) return;
    const image im = image_of(state, n);
    const double *m = state->rounded.matrices[n];
    const band next = band_of_piece(state, views, n + 1, &p);
    if (is_parallel(m)) {
      if (askew)
        add_view(true, true, state, &im, m, &p, next, sums);
      else
        add_view(true, false, state, &im, m, &p, next, sums);
    } else if (askew) {
      add_view(false, true, state, &im, m, &p, next, sums);
    } else {
      add_view(false, false, state, &im, m, &p, next, sums);
    }
  }
  add_to_volume(state, &p, sums, data);
}

const ct_lines_loops CT_SIMD_TABLE(ct_lines_loops) = {.piece = do_piece};
