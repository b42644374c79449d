/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli matrix: the slice whose matrix it is, its size by counting, and its export. */
#include "app/cli/matrix.h"
#include "app/example.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/fp/symmetry.h"
#include "recon/geom/questions.h"
#include "recon/io/matrix/market.h"
#include "recon/io/matrix/picture.h"

#include <math.h>
#include <string.h>

/* Entries that are in memory at a time while files are made; pixels of a picture. */
enum { PIECE = 1 << 25, PICTURE = 1024 };

/* One slice of a scan: the plane that the source turns in, or the middle one of a parallel beam. */
static bool take_slice(cli_matrix_case *slice, ct_error **error) {
  ct_geometry *g = &slice->geometry;
  ct_grid *grid = &slice->grid;
  if (!ct_geometry_promises(g, CT_TRAIT_CIRCULAR)) return ct_model_accepts(g, grid, slice->model, error);
  if (grid->nz > 1 || g->nv > 1)
    snprintf(slice->note, sizeof slice->note, "of one slice of %d: %s", grid->nz,
             ct_geometry_promises(g, CT_TRAIT_SLICED) ? "all of a stack share the matrix"
                                                      : "the one in the source's plane, which is a fan beam");
  ct_geometry_take_slice(g);
  grid->nz = 1;
  grid->z0 = 0;
  if (g->tilt == 0) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "A slice's matrix needs an untilted detector, it is tilted by %g degrees.", g->tilt * 180 / M_PI);
}

static bool from_file(const cli_matrix *asked, cli_watch *watch, cli_matrix_case *slice, ct_error **error) {
  ct_scan *scan = gantry_open_scan(asked->scan, asked->description, cli_watch_job(watch), error);
  const bool good = scan && cli_tell_other_scan(&asked->plan_input, asked->plan_file, scan, watch, error) &&
                    ct_plan_geometry(&asked->plan, scan, &slice->geometry, error) &&
                    ct_plan_grid(&asked->plan, &slice->geometry, &slice->grid, error);
  ct_scan_free(scan);
  if (!good) return false;
  slice->model = asked->model >= 0 ? (ct_ray_model)asked->model : (ct_ray_model)asked->plan.iterative.model;
  return take_slice(slice, error);
}

static bool from_numbers(const cli_matrix *asked, cli_matrix_case *slice, ct_error **error) {
  const bool fan = ct_beam_takes(asked->beam, CT_TAKES_DISTANCES);
  ct_geometry *g = &slice->geometry;
  if (!ct_geometry_init(g, asked->beam, asked->rays, 1, asked->views, error)) return false;
  g->sod = fan ? asked->sod : 0;
  g->sdd = fan ? asked->sdd : 0;
  const double magnification = fan ? asked->sdd / asked->sod : 1;
  g->du = g->dv = isnan(asked->pixel) ? asked->width / asked->rays * magnification : asked->pixel;
  const double arc = isnan(asked->arc) ? ct_beam_period(asked->beam) : asked->arc;
  ct_geometry_set_arc(g, asked->first, arc / asked->views);
  slice->grid = ct_grid_centred(asked->size, asked->size, 1, asked->width / asked->size, NULL);
  slice->model = asked->model >= 0 ? (ct_ray_model)asked->model : CT_MODEL_AREA;
  return true;
}

bool cli_matrix_scan(const cli_matrix *asked, cli_watch *watch, cli_matrix_case *slice, ct_error **error) {
  *slice = (cli_matrix_case){0};
  const bool good = asked->scan ? from_file(asked, watch, slice, error) : from_numbers(asked, slice, error);
  if (!good || !ct_model_accepts(&slice->geometry, &slice->grid, slice->model, error)) return false;
  slice->request = ct_matrix_whole(&slice->geometry, &slice->grid, slice->model, asked->threads);
  slice->request.memory = (size_t)asked->memory;
  return true;
}

void cli_matrix_clear(cli_matrix_case *slice) {
  ct_geometry_clear(&slice->geometry);
  ct_free(slice->starts);
}

/* What an eighth of the circle has. */
static bool count_stored(cli_matrix_case *slice, ct_job *job, ct_error **error) {
  ct_error *fault = NULL;
  ct_symmetry *symmetry = ct_symmetry_new(&slice->geometry, &slice->grid, CT_SYMMETRY_SQUARE, &fault);
  if (!symmetry) {
    const bool starved = fault && fault->code == CT_ERROR_MEMORY;
    if (starved) ct_error_set(error, fault->code, "%s", fault->message);
    snprintf(slice->reason, sizeof slice->reason, "%s", fault ? fault->message : "");
    ct_error_clear(&fault);
    return !starved;
  }
  ct_matrix_request request = slice->request;
  request.views = symmetry->view;
  request.rays = symmetry->count;
  request.view_count = symmetry->slots;
  slice->stored_rows = symmetry->rays;
  const bool good = ct_matrix_count(&request, NULL, &slice->stored_entries, job, error);
  ct_symmetry_free(symmetry);
  return good;
}

bool cli_matrix_count(cli_matrix_case *slice, ct_job *job, ct_error **error) {
  const double began = ct_now();
  ct_job_begin_stage(job, CT_STAGE_BUILDING, 0);
  slice->rows = ct_matrix_rows(&slice->request);
  slice->starts = ct_alloc(slice->rows + 1, sizeof *slice->starts, "the rows of the matrix", error);
  if (!slice->starts || !ct_matrix_count(&slice->request, slice->starts, &slice->entries, job, error)) return false;
  slice->seconds = ct_now() - began;
  return count_stored(slice, job, error);
}

/* What all files of the matrix say about it. */
static void describe(const cli_matrix_case *slice, char *text, size_t size) {
  const ct_geometry *g = &slice->geometry;
  int used =
      snprintf(text, size, "System matrix in mm, %s; rows: view * %d + column of the detector; columns: y * %d + x\n",
               ct_model_title(slice->model), g->nu, slice->grid.nx);
  used += snprintf(text + used, size - (size_t)used, "%s, %d views from %.9g degrees on over %.9g, %d rays of %.9g mm",
                   ct_beam_title(g->beam), g->views, g->angles[0] * 180 / M_PI, ct_geometry_arc(g) * 180 / M_PI, g->nu,
                   g->du);
  if (ct_geometry_takes(g, CT_TAKES_DISTANCES))
    used += snprintf(text + used, size - (size_t)used, ", source to axis %.9g mm, to detector %.9g mm", g->sod, g->sdd);
  snprintf(text + used, size - (size_t)used,
           "\nslice of %d x %d pixels of %.9g x %.9g mm, the first at (%.9g, %.9g) mm", slice->grid.nx, slice->grid.ny,
           slice->grid.dx, slice->grid.dy, slice->grid.x0, slice->grid.y0);
}

/* Views [first, first + count) of the matrix go to the file and to the picture. */
static bool add_piece(const cli_matrix_case *slice, int first, int count, int *list, ct_matrix_market *file,
                      ct_matrix_spy *spy, ct_job *job, ct_error **error) {
  for (int n = 0; n < count; n++) list[n] = first + n;
  ct_matrix_request request = slice->request;
  request.views = list;
  request.view_count = count;
  ct_sparse *piece = ct_matrix_build(&request, job, error);
  if (!piece) return false;
  if (spy) ct_matrix_spy_add(spy, piece);
  const bool good = !file || ct_matrix_market_append(file, piece, request.threads, job, error);
  ct_sparse_free(piece);
  return good;
}

static bool add_pieces(const cli_matrix_case *slice, ct_matrix_market *file, ct_matrix_spy *spy, ct_job *job,
                       ct_error **error) {
  const int views = slice->geometry.views;
  const uint64_t per_view = slice->entries / (uint64_t)views + 1;
  const int step = per_view < PIECE ? (int)(PIECE / per_view) : 1;
  int *list = ct_alloc((size_t)views, sizeof *list, "the list of views", error);
  bool good = list != NULL;
  for (int first = 0; good && first < views; first += step)
    good = add_piece(slice, first, first + step < views ? step : views - first, list, file, spy, job, error);
  ct_free(list);
  return good;
}

bool cli_matrix_export(const cli_matrix *asked, const cli_matrix_case *slice, ct_job *job, const char **at_fault,
                       ct_error **error) {
  char description[1024];
  describe(slice, description, sizeof description);
  *at_fault = asked->bars;
  if (asked->bars && !cli_matrix_draw_bars(asked, slice, description, error)) return false;
  *at_fault = asked->overlap;
  if (asked->overlap && !cli_matrix_draw_overlap(asked, slice, error)) return false;
  if (!asked->output && !asked->spy) return true;
  const uint64_t pixels = (uint64_t)slice->grid.nx * (uint64_t)slice->grid.ny;
  ct_matrix_market *file = NULL;
  ct_matrix_spy *spy = NULL;
  *at_fault = asked->output;
  bool good = !asked->output ||
              (file = ct_matrix_market_begin(asked->output, slice->rows, pixels, slice->entries, description, error));
  good = good && (!asked->spy || (spy = ct_matrix_spy_new(slice->rows, pixels, PICTURE, error)));
  good = good && add_pieces(slice, file, spy, job, error);
  if (good && file) {
    good = ct_matrix_market_commit(file, error);
    file = NULL;
  }
  if (good && spy) {
    *at_fault = asked->spy;
    good = ct_matrix_spy_write(spy, asked->spy, description, error);
  }
  ct_matrix_market_abandon(file);
  ct_matrix_spy_free(spy);
  return good;
}
