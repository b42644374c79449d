/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a 2-D system matrix: the ray's line among the pixels, the runs that it meets, and their order. */
#include "recon/fp/model/ray-model-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_model_room {
  int majors;
  int *first, *count; /* [majors] */
  ptrdiff_t *offset;
  size_t room;
  float *weights;
};

void ct_row_init(ct_row *row) {
  *row = (ct_row){0};
}

void ct_row_clear(ct_row *row) {
  ct_free(row->columns);
  ct_free(row->values);
  ct_row_init(row);
}

bool ct_row_reserve(ct_row *row, size_t room, ct_error **error) {
  if (room <= row->room) return true;
  room += room / 2;
  uint32_t *columns = ct_alloc(room, sizeof *columns, "a row of the matrix", error);
  float *values = ct_alloc(room, sizeof *values, "a row of the matrix", error);
  if (!columns || !values) {
    ct_free(columns);
    ct_free(values);
    return false;
  }
  if (row->count) {
    memcpy(columns, row->columns, row->count * sizeof *columns);
    memcpy(values, row->values, row->count * sizeof *values);
  }
  ct_free(row->columns);
  ct_free(row->values);
  row->columns = columns;
  row->values = values;
  row->room = room;
  return true;
}

static void make_ray(const ct_model_view *view, int u, ct_model_ray *ray) {
  const double place = (u - view->centre_u) * view->pitch;
  double equation[3];
  ct_model_equation(view, place, equation);
  const bool by_columns = fabs(equation[1]) > fabs(equation[0]);
  *ray = (ct_model_ray){
      .by_columns = by_columns, .majors = by_columns ? view->nx : view->ny, .minors = by_columns ? view->ny : view->nx};
  ray->middle = ct_model_solved(equation, by_columns);
  ray->step = by_columns ? hypot(view->dx, ray->middle.q * view->dy) : hypot(view->dy, ray->middle.q * view->dx);
  if (view->model == CT_MODEL_JOSEPH)
    ct_model_joseph_lines(ray);
  else if (view->model == CT_MODEL_SIDDON)
    ct_model_siddon_lines(ray);
  else
    ct_model_area_lines(view, place, ray);
}

/* Cuts [*from, *to) to the steps where the line is at or above `bound` (sign 1) or at or below it (sign -1), with a
 * step of margin. */
static void cut_steps(ct_model_line line, double bound, int sign, double *from, double *to) {
  if (line.q == 0) {
    if (sign * (line.p - bound) < 0) *to = *from;
    return;
  }
  const double at = (bound - line.p) / line.q;
  if (sign * line.q > 0)
    *from = fmax(*from, floor(at) - 1);
  else
    *to = fmin(*to, ceil(at) + 2);
}

static void find_steps(const ct_model_ray *ray, ct_model_runs *runs) {
  double from = 0, to = ray->majors;
  /* One pixel more on either side: a run's ends may be in either order. */
  cut_steps(ray->high, -1, 1, &from, &to);
  cut_steps(ray->low, ray->minors + 1.0, -1, &from, &to);
  if (!(from < to)) from = to = 0;
  runs->from = (int)from;
  runs->to = (int)to;
}

/* The clipped runs; returns how many pixels they have. */
static size_t find_runs(const ct_model_ray *ray, ct_model_runs *runs) {
  find_steps(ray, runs);
  const ct_model_line low = ray->low, high = ray->high;
  const int last_minor = ray->minors - 1;
  const double top = ray->minors;
  size_t total = 0;
  for (int s = runs->from; s < runs->to; s++) {
    const int a = ct_model_floor(low.p + low.q * s, top), b = ct_model_floor(high.p + high.q * s, top);
    const int least = a < b ? a : b, most = a < b ? b : a;
    const int first = least > 0 ? least : 0, last = most < last_minor ? most : last_minor;
    const int count = last >= first ? last - first + 1 : 0;
    runs->first[s] = first;
    runs->count[s] = count;
    total += (size_t)count;
  }
  return total;
}

/* The same without storing them. */
static size_t count_runs(const ct_model_ray *ray) {
  ct_model_runs runs = {0};
  find_steps(ray, &runs);
  const ct_model_line low = ray->low, high = ray->high;
  const int last_minor = ray->minors - 1;
  const double top = ray->minors;
  unsigned total = 0;
  for (int s = runs.from; s < runs.to; s++) {
    const int a = ct_model_floor(low.p + low.q * s, top), b = ct_model_floor(high.p + high.q * s, top);
    const int least = a < b ? a : b, most = a < b ? b : a;
    const int first = least > 0 ? least : 0, last = most < last_minor ? most : last_minor;
    total += (unsigned)(last >= first ? last - first + 1 : 0);
  }
  return total;
}

/* A strip too wide for runs: every pixel. columns may be NULL: only counted. */
static size_t walk_pixels(const ct_model_view *view, const ct_model_ray *ray, uint32_t *columns, float *values) {
  size_t count = 0;
  for (int j = 0; j < view->ny; j++)
    for (int i = 0; i < view->nx; i++) {
      const double overlap = ct_model_area_overlap(ray, i, j);
      if (!(overlap > CT_MODEL_REACH)) continue;
      if (columns) {
        columns[count] = (uint32_t)j * (uint32_t)view->nx + (uint32_t)i;
        values[count] = (float)ct_model_area_weight(ray, ray->by_columns ? i : j, ray->by_columns ? j : i, overlap);
      }
      count++;
    }
  return count;
}

ct_model_room *ct_model_room_new(const ct_grid *grid, ct_error **error) {
  const int majors = grid->nx > grid->ny ? grid->nx : grid->ny;
  ct_model_room *room = calloc(1, sizeof *room);
  if (!room) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a ray.");
    return NULL;
  }
  room->majors = majors;
  room->first = ct_alloc((size_t)majors, sizeof(int), "a ray", error);
  room->count = ct_alloc((size_t)majors, sizeof(int), "a ray", error);
  room->offset = ct_alloc((size_t)majors, sizeof(ptrdiff_t), "a ray", error);
  if (room->first && room->count && room->offset) return room;
  ct_model_room_free(room);
  return NULL;
}

void ct_model_room_free(ct_model_room *room) {
  if (!room) return;
  ct_free(room->first);
  ct_free(room->count);
  ct_free(room->offset);
  ct_free(room->weights);
  free(room);
}

static bool reserve_weights(ct_model_room *room, size_t count, ct_error **error) {
  count += CT_MODEL_SLACK;
  if (count <= room->room) return true;
  ct_free(room->weights);
  room->room = count + count / 2;
  room->weights = ct_alloc(room->room, sizeof(float), "a ray", error);
  if (!room->weights) room->room = 0;
  return room->weights != NULL;
}

size_t ct_model_view_count(const ct_model_view *view, int u) {
  ct_model_ray ray;
  make_ray(view, u, &ray);
  return ray.wide ? walk_pixels(view, &ray, NULL, NULL) : count_runs(&ray);
}

/* By rows the runs are in the order of the columns. */
static void write_rows(const ct_model_runs *runs, int nx, const float *weights, size_t count, uint32_t *columns,
                       float *values) {
  memcpy(values, weights, count * sizeof *values);
  const uint32_t *end = columns + count;
  for (int s = runs->from; s < runs->to; s++) {
    const uint32_t column = (uint32_t)s * (uint32_t)nx + (uint32_t)runs->first[s];
    const int run = runs->count[s];
    /* Four at a time, of which the next run overwrites what it has no use for. */
    int k = 0;
    for (; end - columns >= k + 4 && k < run; k += 4)
      for (int n = 0; n < 4; n++) columns[k + n] = column + (uint32_t)(k + n);
    for (; k < run; k++) columns[k] = column + (uint32_t)k;
    columns += run;
  }
}

/* Steps [*begin, *end) that meet row j: those with first <= j and last >= j. Either bound is monotonic along the steps,
 * so the steps of the next row are found by moving the ends on. */
typedef struct row_steps {
  bool first_rises, last_rises;
  int under, over; /* ends of the steps with first <= j, and of those with last >= j */
} row_steps;

static int last_of(const ct_model_runs *runs, int step) {
  return runs->first[step] + runs->count[step] - 1;
}

static void move_on(const ct_model_runs *runs, int j, row_steps *steps) {
  if (steps->first_rises) {
    while (steps->under < runs->to && runs->first[steps->under] <= j) steps->under++;
  } else {
    while (steps->under > runs->from && runs->first[steps->under - 1] <= j) steps->under--;
  }
  if (steps->last_rises) {
    while (steps->over < runs->to && last_of(runs, steps->over) < j) steps->over++;
  } else {
    while (steps->over > runs->from && last_of(runs, steps->over - 1) < j) steps->over--;
  }
}

/* By columns: row by row of the slice, from the steps that meet it. */
static void write_columns(const ct_model_ray *ray, const ct_model_runs *runs, ct_model_room *room, int nx,
                          uint32_t *columns, float *values) {
  ptrdiff_t *offset = room->offset, sum = 0;
  for (int s = runs->from; s < runs->to; s++) {
    offset[s] = sum - runs->first[s];
    sum += runs->count[s];
  }
  row_steps steps = {.first_rises = ray->low.q >= 0, .last_rises = ray->high.q >= 0};
  steps.under = steps.first_rises ? runs->from : runs->to;
  steps.over = steps.last_rises ? runs->from : runs->to;
  const float *weights = room->weights;
  for (int j = 0; j < ray->minors; j++) {
    move_on(runs, j, &steps);
    int begin = runs->from, end = runs->to;
    if (steps.first_rises)
      end = steps.under;
    else
      begin = steps.under;
    if (steps.last_rises)
      begin = steps.over > begin ? steps.over : begin;
    else
      end = steps.over < end ? steps.over : end;
    const uint32_t column = (uint32_t)j * (uint32_t)nx;
    for (int s = begin; s < end; s++) {
      *columns++ = column + (uint32_t)s;
      *values++ = weights[offset[s] + j];
    }
  }
}

bool ct_model_view_row(const ct_model_view *view, int u, ct_model_room *room, uint32_t *columns, float *values,
                       ct_error **error) {
  ct_model_ray ray;
  make_ray(view, u, &ray);
  if (ray.wide) {
    walk_pixels(view, &ray, columns, values);
    return true;
  }
  ct_model_runs runs = {.first = room->first, .count = room->count};
  const size_t count = find_runs(&ray, &runs);
  if (count == 0) return true;
  if (!reserve_weights(room, count, error)) return false;
  if (view->model == CT_MODEL_JOSEPH)
    ct_model_joseph_weights(&ray, &runs, room->weights);
  else if (view->model == CT_MODEL_SIDDON)
    ct_model_siddon_weights(&ray, &runs, room->weights);
  else
    ct_model_area_weights(&ray, &runs, room->weights);
  if (ray.by_columns)
    write_columns(&ray, &runs, room, view->nx, columns, values);
  else
    write_rows(&runs, view->nx, room->weights, count, columns, values);
  return true;
}

bool ct_model_row(const ct_geometry *geometry, const ct_grid *grid, ct_ray_model model, int view, int u, ct_row *row,
                  ct_error **error) {
  row->count = 0;
  if (!geometry || !grid) return ct_error_set(error, CT_ERROR_ARGUMENT, "A row needs a geometry and a grid.");
  if (!ct_model_accepts(geometry, grid, model, error)) return false;
  if (view < 0 || view >= geometry->views || u < 0 || u >= geometry->nu)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "There is no ray through column %d of view %d (%d views of %d columns).", u, view,
                        geometry->views, geometry->nu);
  const ct_model_view ready = ct_model_view_make(geometry, grid, model, view);
  const size_t count = ct_model_view_count(&ready, u);
  if (!ct_row_reserve(row, count, error)) return false;
  ct_model_room *room = ct_model_room_new(grid, error);
  if (!room) return false;
  const bool good = ct_model_view_row(&ready, u, room, row->columns, row->values, error);
  ct_model_room_free(room);
  if (good) row->count = count;
  return good;
}
