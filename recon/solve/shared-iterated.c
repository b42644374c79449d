/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterative methods in several processes: each has the slices of its column, the views of its group, and of these the
 * detector rows that its slices' rays hit. Line integrals of rays through several slabs, sums over rays and voxels, and
 * what the views of all groups carry back are joined inside the method (iterative/halo.c). */
#include "recon/solve/shared-iterated-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/geom/questions.h"
#include "recon/solve/pipeline-private.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct course {
  const ct_shared_iteration *request;
  ct_exchange *x;
  ct_job *job, *own; /* that may be cancelled on one rank alone; that all ranks end together */
  ct_pipeline *pipeline;
  ct_plan plan;
  ct_grid slab;
  ct_row_range *rows; /* [columns] */
  int views;          /* of the whole scan */
  bool sorted;        /* it is a spiral or sequence */
  double bytes;       /* that this rank takes */
} course;

static ct_shared_run run_of(const course *c, const ct_iterative *run, ct_volume *room) {
  size_t count;
  ct_iterative_get_curve(run, &count);
  return (ct_shared_run){.run = run,
                         .room = ct_volume_data(room),
                         .slices = ct_iteration_slices(c->request->found->grid.nz, c->x->columns, c->x->column),
                         .done = (int)count,
                         .wanted = c->plan.iterative.iterations,
                         .memory = c->bytes,
                         .ends = ct_iterative_get_stopped(run) != CT_STOPPED_NOT};
}

static bool before_iterations(void *user, ct_iterative *run, ct_volume *room, ct_error **error) {
  course *c = user;
  if (!c->x->way->agree(c->x, true, error)) return false; /* some may have had no memory */
  if (!c->request->begun) return true;
  ct_shared_run stand = run_of(c, run, room);
  if (!c->request->begun(c->request->user, &stand, run, error)) return false;
  ct_job_advance(c->job, (uint64_t)run_of(c, run, room).done);
  return true;
}

static void after_iteration(void *user, const ct_partial *partial) {
  course *c = user;
  double cancels = ct_job_requested(c->job) == CT_JOB_CANCEL;
  c->x->way->sum_numbers(c->x, &cancels, 1);
  if (cancels > 0) ct_job_cancel(c->own);
  ct_job_advance(c->job, 1);
  ct_shared_run stand = run_of(c, partial->run, partial->volume);
  stand.cancelled = cancels > 0;
  if (c->request->iterated) c->request->iterated(c->request->user, &stand);
}

/* The slab and this rank's views, of which `bytes` are what the method takes beside volume and line integrals. */
static bool fits(course *c, double bytes, ct_error **error) {
  const ct_grid *grid = &c->slab;
  const double may = c->request->memory;
  char needs[32], has[32];
  bytes += (double)ct_grid_voxels(grid) * sizeof(float) + (double)ct_stack_bytes(c->pipeline->integrals);
  c->bytes = bytes;
  if (!(may > 0) || bytes <= may) return true;
  return ct_error_set(
      error, CT_ERROR_MEMORY,
      "Iterating in %d processes (%d view groups x %d slab columns), each holds %d x %d x %d voxels and "
      "its part of the projections: that takes %s in each, and each may take %s. Take more slab columns, "
      "larger voxels (reconstruction.voxel), fewer slices (reconstruction.nz), more machines of "
      "fewer processes each, or the direct method, which holds thinner slabs.",
      c->x->ranks, c->x->groups, c->x->columns, grid->nx, grid->ny, grid->nz,
      ct_format_bytes(bytes, needs, sizeof needs), ct_format_bytes(may, has, sizeof has));
}

/* The grid of the ranks, and the rows of every slab, which rank 0 tells: they hang on rounding. */
static bool share_out(course *c, ct_error **error) {
  const ct_found *found = c->request->found;
  ct_exchange *x = c->x;
  ct_geometry g;
  int groups = 1, columns = 1;
  bool good = ct_plan_geometry(&found->plan, c->pipeline->scan, &g, error);
  const bool has = good;
  c->views = good ? g.views : 0;
  c->sorted = good && ct_geometry_is_sorted(&g);
  good = good && ct_iteration_grid(c->request, x->ranks, g.views, &groups, &columns, error);
  good = good && (c->rows = ct_alloc_zero((size_t)columns, sizeof *c->rows, "the slabs' rows", error)) &&
         ct_iteration_rows(&g, &found->grid, columns, c->rows, &c->pipeline->all_rows, error);
  if (has) ct_geometry_clear(&g);
  if (!x->way->agree(x, good, error)) return false;
  x->way->tell(x, c->rows, (size_t)columns * sizeof *c->rows);
  x->way->tell(x, &c->pipeline->all_rows, sizeof c->pipeline->all_rows);
  x->way->arrange(x, groups, columns);
  c->slab = ct_iteration_slab(&found->grid, columns, x->column);
  c->plan = found->plan;
  c->plan.view_first += x->group * c->plan.view_step;
  c->plan.view_step *= groups;
  if (columns > 1) c->pipeline->slab_rows = c->rows;
  return true;
}

/* A view that is no use in the rows of one is left out by all. */
static bool leave_out_alike(course *c, ct_error **error) {
  ct_pipeline *p = c->pipeline;
  ct_exchange *x = c->x;
  double *marks = ct_alloc_zero((size_t)c->views, sizeof *marks, "the list of views", error);
  bool *mine = ct_alloc_zero((size_t)p->asked, sizeof *mine, "the list of views", error);
  bool good = x->way->agree(x, marks && mine, error);
  if (good) {
    for (int view = 0; view < p->asked; view++) marks[x->group + view * x->groups] = p->left_out && p->left_out[view];
    x->way->sum_numbers(x, marks, c->views);
    for (int view = 0; view < p->asked; view++) mine[view] = marks[x->group + view * x->groups] > 0;
    good = x->way->agree(x, ct_integrals_leave_out(p, mine, error), error);
  }
  ct_free(marks);
  ct_free(mine);
  return good;
}

/* The geometry of the rows that one process would take, for rank 0 to choose the projector that it would; of a group of
 * the views that of these. */
static bool whole_geometry(const course *c, ct_geometry *g, ct_error **error) {
  const ct_pipeline *p = c->pipeline;
  if (!ct_plan_geometry(&c->plan, p->scan, g, error)) return false;
  g->centre_u = p->geometry.centre_u;
  ct_integrals_drop_views(p, g);
  ct_geometry_crop_rows(g, p->all_rows.first, p->all_rows.count);
  return true;
}

/* Of the lists of rays that others hold, too. They are made before five of the method's images, and with one set of
 * line integrals more than it has later. */
static double shared_bytes(const course *c, const ct_geometry *g) {
  const ct_row_range *rows = c->pipeline->slab_rows;
  if (!rows) return 0;
  const double lists = ct_iterative_shared_bytes(rows, c->x->columns, c->x->column, g->views, g->nu);
  const double made = (double)g->nu * g->nv * g->views * sizeof(float),
               after = 5 * (double)ct_grid_voxels(&c->slab) * sizeof(float);
  return lists > 0 ? lists + fmax(made - after, 0) : 0;
}

/* That of rank 0 for all: layouts and groups of views must be the same. */
static bool choose_projector(course *c, ct_error **error) {
  ct_pipeline *p = c->pipeline;
  ct_exchange *x = c->x;
  ct_geometry g;
  const ct_projector *projector = NULL;
  double bytes;
  bool good = whole_geometry(c, &g, error);
  if (good) {
    good = x->rank > 0 || ct_plan_iterative_bytes(&c->plan, &p->backend, &g, &c->request->found->grid, INFINITY, &bytes,
                                                  &projector, error);
    ct_geometry_clear(&g);
  }
  if (!x->way->agree(x, good, error)) return false;
  char id[sizeof c->plan.iterative.projector] = "";
  if (projector) snprintf(id, sizeof id, "%s", projector->id);
  x->way->tell(x, id, sizeof id);
  snprintf(c->plan.iterative.projector, sizeof id, "%s", id);
  good = ct_geometry_copy(&g, &p->geometry, error);
  if (good) {
    if (p->slab_rows) ct_geometry_crop_rows(&g, c->rows[x->column].first - p->row0, c->rows[x->column].count);
    good = ct_plan_iterative_bytes(&c->plan, &p->backend, &g, &c->slab, INFINITY, &bytes, &projector, error);
    bytes += good ? shared_bytes(c, &g) : 0;
    ct_geometry_clear(&g);
  }
  if (good && strcmp(projector->id, id) != 0)
    good = ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The projector %s does not serve what one of the processes has to do: choose another one "
                        "(iterative.projector).",
                        id);
  return x->way->agree(x, good && fits(c, bytes, error), error);
}

static bool prepare(course *c, ct_error **error) {
  ct_pipeline *p = c->pipeline;
  const ct_grid *whole = &c->request->found->grid;
  if (!share_out(c, error)) return false;
  /* What a group's views of a spiral or sequence cover is not what all do. */
  const ct_grid *part = p->slab_rows || c->sorted ? &c->slab : NULL;
  bool good = ct_pipeline_prepare_integrals(p, &c->plan, part, c->job, error);
  if (good && !part && !ct_grid_matches(&p->facts.grid, whole))
    good = ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The grid hangs on the views: set it (reconstruction.nx, ny, nz and voxel), so that all "
                        "processes have the same.");
  if (!c->x->way->agree(c->x, good, error)) return false;
  return (!p->slab_rows || leave_out_alike(c, error)) && choose_projector(c, error);
}

static ct_volume *iterate(course *c, int *iterations, ct_error **error) {
  ct_exchange *x = c->x;
  c->own = ct_job_new(error);
  if (!x->way->agree(x, c->own != NULL, error)) return NULL;
  ct_job_begin_stage(c->job, CT_STAGE_ITERATING, (uint64_t)c->plan.iterative.iterations);
  const ct_publisher publisher = {c, after_iteration};
  const ct_run_begun begun = {c, before_iterations};
  const ct_part part = {.plan = &c->plan, .grid = &c->slab, .publisher = &publisher, .begun = &begun};
  const int refused = x->refused;
  ct_volume *volume = ct_pipeline_iterate(c->pipeline, &part, false, iterations, NULL, c->own, error);
  /* One that failed by itself joins the others in what they agree on next, which may be this. */
  if (x->refused != refused || x->way->agree(x, volume != NULL, error)) return volume;
  ct_volume_free(volume);
  return NULL;
}

ct_volume *ct_pipeline_shared_iterated(ct_pipeline *p, const ct_shared_iteration *request, ct_exchange *x,
                                       int *iterations, ct_job *job, ct_error **error) {
  const ct_found *found = request->found;
  course c = {.request = request, .x = x, .job = job, .pipeline = p};
  const size_t memory = p->memory;
  p->exchange = x;
  p->whole = &found->grid;
  if (request->memory > 0) p->memory = (size_t)request->memory;
  *iterations = -1;
  ct_volume *volume = prepare(&c, error) ? iterate(&c, iterations, error) : NULL;
  p->exchange = NULL;
  p->slab_rows = NULL;
  p->whole = NULL;
  p->memory = memory;
  ct_job_free(c.own);
  ct_free(c.rows);
  if (!volume) return NULL;
  p->facts.views_all = c.views;
  p->facts.grid = found->grid;
  if (found->searched) {
    memcpy(p->centre_how, found->how, sizeof p->centre_how);
    p->confidence = p->facts.centre_confidence = found->confidence;
  }
  return volume;
}
