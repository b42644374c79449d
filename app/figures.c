/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of papers: what each shows, and its profiles. */
#include "app/figures.h"

#include "app/example.h"
#include "app/variants-run.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const gantry_figure figures[] = {
    {7, true, "reconstruction.precision=float32,float16", 0, "half and single precision of filtered projections"},
    {8, false, "reconstruction.precision=float32,float16", 0, "half and single precision of filtered projections"},
    {18, true, "reconstruction.interpolation=nearest,linear,oversampled", -1,
     "nearest, linear and oversampled interpolation"},
    {19, false, "reconstruction.interpolation=nearest,linear,oversampled", 1,
     "nearest, linear and oversampled interpolation"},
};
enum { FIGURES = sizeof figures / sizeof *figures };

const gantry_figure *gantry_figures(size_t *count) {
  *count = FIGURES;
  return figures;
}

const gantry_figure *gantry_figure_find(int number) {
  for (size_t i = 0; i < FIGURES; i++)
    if (figures[i].number == number) return &figures[i];
  return NULL;
}

/* What the runs of the rows hand over to. */
typedef struct collector {
  gantry_profiles *profiles;
  const gantry_figure_request *request;
  const ct_simulation *simulation; /* NULL: a scan */
  int first;                       /* curve of row 0 */
} collector;

/* The column whose values deviate most from their mean: it crosses what contrasts most. */
static int liveliest_column(const float *slice, int nx, int ny) {
  int best = nx / 2;
  double most = -1;
  for (int x = 0; x < nx; x++) {
    double sum = 0, squares = 0;
    for (int y = 0; y < ny; y++) sum += slice[(size_t)y * (size_t)nx + (size_t)x];
    for (int y = 0; y < ny; y++) {
      const double d = slice[(size_t)y * (size_t)nx + (size_t)x] - sum / ny;
      squares += d * d;
    }
    if (squares > most) {
      most = squares;
      best = x;
    }
  }
  return best;
}

static double *new_numbers(int count, ct_error **error) {
  return ct_alloc((size_t)count, sizeof(double), "a profile", error);
}

static bool take_column(gantry_profiles *p, int curve, const ct_volume *slice, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(slice);
  const float *data = ct_volume_get_data(slice);
  p->values[curve] = new_numbers(p->count, error);
  if (!p->values[curve]) return false;
  for (int y = 0; y < p->count; y++) p->values[curve][y] = data[(size_t)y * (size_t)grid->nx + (size_t)p->column];
  return true;
}

static bool take_truth(const collector *c, const ct_grid *grid, ct_error **error) {
  const ct_simulation *s = c->simulation;
  ct_volume *truth = ct_volume_new(grid, error);
  const bool good = truth && ct_phantom_voxelise(s->phantom, s->radius, s->mu, 4, truth, NULL, error) &&
                    take_column(c->profiles, 0, truth, error);
  snprintf(c->profiles->names[0], GANTRY_FIGURE_NAME, "phantom");
  ct_volume_free(truth);
  return good;
}

/* The first slice tells where the line lies. */
static bool begin_profiles(const collector *c, const ct_volume *slice, ct_error **error) {
  gantry_profiles *p = c->profiles;
  const ct_grid *grid = ct_volume_grid(slice);
  const int asked = c->request->column;
  if (asked >= grid->nx)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no column %d; the slice has 0..%d.", asked, grid->nx - 1);
  p->column = asked >= 0      ? asked
              : c->simulation ? grid->nx / 2
                              : liveliest_column(ct_volume_get_data(slice), grid->nx, grid->ny);
  p->count = grid->ny;
  p->y = new_numbers(p->count, error);
  for (int y = 0; p->y && y < p->count; y++) p->y[y] = grid->y0 + y * grid->dy;
  return p->y && (p->figure->against >= 0 || take_truth(c, grid, error));
}

static bool keep(void *user, size_t row, const ct_volume *volume, ct_error **error) {
  const collector *c = user;
  if (!c->profiles->y && !begin_profiles(c, volume, error)) return false;
  return take_column(c->profiles, c->first + (int)row, volume, error);
}

static bool take_differences(gantry_profiles *p, ct_error **error) {
  const double *from = p->values[p->against];
  for (int c = 0; c < p->curves; c++) {
    p->rmse[c] = p->largest[c] = NAN;
    if (c == p->against) continue;
    p->differences[c] = new_numbers(p->count, error);
    if (!p->differences[c]) return false;
    double squares = 0, largest = 0;
    for (int y = 0; y < p->count; y++) {
      const double d = fabs(p->values[c][y] - from[y]);
      p->differences[c][y] = d;
      squares += d * d;
      largest = fmax(largest, d);
    }
    p->rmse[c] = sqrt(squares / p->count);
    p->largest[c] = largest;
  }
  return true;
}

/* Values of the phantom are its densities: 1/mm with a mu of 1. */
static bool simulate(const gantry_figure_request *request, ct_simulation *s, ct_scan **scan, ct_job *job,
                     ct_error **error) {
  ct_geometry geometry;
  ct_simulation_init(s);
  s->phantom = ct_phantom_find("shepp-logan-original");
  s->beam = ct_beam_find("parallel")->beam;
  s->nu = request->size;
  s->nv = 1;
  s->views = request->views;
  s->pixel = 1;
  s->mu = 1;
  if (!ct_simulation_geometry(s, &geometry, error)) return false;
  ct_geometry_clear(&geometry);
  *scan = ct_simulate(s, "Shepp-Logan phantom", job, error);
  return *scan;
}

static bool run(gantry_profiles *p, collector *c, ct_scan *scan, ct_job *job, ct_error **error) {
  gantry_variants variants;
  const gantry_figure_request *r = c->request;
  const gantry_variants_request request = {
      .one_slice = true, .plane = CT_AXIAL, .index = c->simulation ? -1 : r->index, .repeat = 1};
  const gantry_variants_watcher watcher = {.user = c, .keep = keep};
  if (!gantry_variants_init(&variants, &r->plan, &p->figure->axis, 1, error)) return false;
  p->curves = c->first + (int)variants.count;
  p->against = p->figure->against < 0 ? 0 : p->figure->against;
  p->unit = ct_plan_units(&r->plan, scan).length;
  for (size_t i = 0; i < variants.count; i++)
    snprintf(p->names[c->first + (int)i], GANTRY_FIGURE_NAME, "%s", variants.rows[i].name);
  bool good = gantry_variants_run(&variants, &request, scan, r->backend, &watcher, NULL, job, error);
  for (size_t i = 0; good && i < variants.count; i++)
    if (variants.rows[i].reason)
      good = ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: %s", variants.rows[i].name, variants.rows[i].reason);
  gantry_variants_clear(&variants);
  return good;
}

bool gantry_profiles_make(gantry_profiles *profiles, const gantry_figure *figure, const gantry_figure_request *request,
                          ct_job *job, ct_error **error) {
  ct_simulation simulation;
  ct_scan *own = NULL;
  *profiles = (gantry_profiles){.figure = figure, .of = figure->phantom ? "Shepp-Logan phantom" : request->name};
  collector c = {profiles, request, figure->phantom ? &simulation : NULL, figure->against < 0 ? 1 : 0};
  const bool good = (!figure->phantom || simulate(request, &simulation, &own, job, error)) &&
                    run(profiles, &c, own ? own : request->scan, job, error) && take_differences(profiles, error);
  ct_scan_free(own);
  if (!good) gantry_profiles_clear(profiles);
  return good;
}

void gantry_profiles_clear(gantry_profiles *profiles) {
  ct_free(profiles->y);
  for (int c = 0; c < GANTRY_FIGURE_CURVES; c++) {
    ct_free(profiles->values[c]);
    ct_free(profiles->differences[c]);
  }
  *profiles = (gantry_profiles){0};
}
