/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes and slices of iterative methods: the line integrals of a pipeline, iterated, published after every iteration,
 * and kept so that more iterations go on from there. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/exchange/exchange.h"
#include "recon/geom/questions.h"
#include "recon/solve/digest.h"
#include "recon/solve/iterative/shearlet-private.h"
#include "recon/solve/iterative/solver-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ct_pipeline_set_start(ct_pipeline *p, const ct_volume *start) {
  if (start != p->start) p->start_version++;
  p->start = start;
}

void ct_pipeline_set_reference(ct_pipeline *p, const ct_volume *reference) {
  if (reference != p->reference) ct_pipeline_drop_run(p);
  p->reference = reference;
}

const ct_iteration *ct_pipeline_get_curve(const ct_pipeline *p, size_t *count) {
  if (p->iterated) return ct_iterative_get_curve(p->iterated->run, count);
  *count = 0;
  return NULL;
}

ct_stopped ct_pipeline_get_stopped(const ct_pipeline *p) {
  return p->iterated ? ct_iterative_get_stopped(p->iterated->run) : CT_STOPPED_NOT;
}

const ct_iteration *ct_pipeline_get_slice_curve(const ct_pipeline *p, size_t *count, ct_stopped *stopped) {
  *count = p->slice_points;
  *stopped = p->slice_stopped;
  return p->slice_curve;
}

/* Keeps the curve of a run that ends. */
static bool take_curve(ct_pipeline *p, const ct_iterative *run, ct_error **error) {
  size_t count;
  const ct_iteration *curve = ct_iterative_get_curve(run, &count);
  ct_free(p->slice_curve);
  p->slice_points = 0;
  p->slice_curve = ct_alloc(count ? count : 1, sizeof *curve, "the convergence curve", error);
  if (!p->slice_curve) return false;
  if (count) memcpy(p->slice_curve, curve, count * sizeof *curve);
  p->slice_points = count;
  p->slice_stopped = ct_iterative_get_stopped(run);
  return true;
}

static const ct_volume *on_grid(const ct_volume *volume, const ct_grid *grid) {
  return volume && ct_grid_matches(ct_volume_grid(volume), grid) ? volume : NULL;
}

/* The kept run, if it is this plan's with no more iterations than it asks for. */
static ct_iterated *kept(const ct_pipeline *p, const ct_plan *plan, const ct_grid *grid) {
  ct_iterated *it = p->iterated;
  size_t done;
  if (!it || it->run_digest != ct_plan_stage_digest(plan, CT_PLAN_RUN) ||
      it->integrals_version != p->integrals_version || !ct_grid_matches(grid, &it->grid) ||
      it->geometry_digest != ct_geometry_digest(&p->geometry, true) ||
      (plan->iterative.start == CT_START_CURRENT && it->start_version != p->start_version) ||
      (plan->iterative.start == CT_START_DIRECT && it->finish_after != plan->finish_after))
    return NULL;
  ct_iterative_get_curve(it->run, &done);
  return done <= (size_t)plan->iterative.iterations ? it : NULL;
}

/* Geometry of the rows that the grid needs. */
static bool crop_geometry(const ct_geometry *from, const ct_grid *grid, ct_geometry *to, int *row0, ct_error **error) {
  if (!ct_geometry_copy(to, from, error)) return false;
  if (ct_geometry_rows_of_slices(from, grid, row0))
    ct_geometry_crop_rows(to, *row0, grid->nz);
  else
    *row0 = 0;
  return true;
}

/* That of a run: of the rows that the grid needs, or that its slab was given. */
static bool run_geometry(const ct_pipeline *p, const ct_grid *grid, ct_geometry *to, int *row0, ct_error **error) {
  if (!p->slab_rows) return crop_geometry(&p->geometry, grid, to, row0, error);
  const ct_row_range *rows = &p->slab_rows[p->exchange->column];
  if (!ct_geometry_copy(to, &p->geometry, error)) return false;
  *row0 = rows->first - p->row0;
  ct_geometry_crop_rows(to, *row0, rows->count);
  return true;
}

/* The projector within request->memory; where none fits, one that needs little, so that its size can be told. */
static const ct_projector *choose_within(const ct_plan *plan, ct_projector_request *request, ct_error **error) {
  const ct_solver *solver = ct_solver_find((ct_method)plan->iterative.method);
  const double spare = request->memory ? (double)request->memory : INFINITY;
  ct_error *fault = NULL;
  const ct_projector *projector = ct_iterative_choose(solver, &plan->iterative, request, spare, NULL, 0, NULL, &fault);
  for (size_t more = 1 << 16; !projector && fault->code == CT_ERROR_UNSUPPORTED && request->memory && more >> 42 == 0;
       more *= 4) {
    ct_error_clear(&fault);
    request->memory = more;
    projector = ct_iterative_choose(solver, &plan->iterative, request, spare, NULL, 0, NULL, &fault);
  }
  if (!projector) ct_error_set(error, fault->code, "%s", fault->message);
  ct_error_clear(&fault);
  return projector;
}

/* Bytes of the vectors of a run on rows `g`. At most so many: image, mask, correction, column weights, the one before,
 * the one ahead and a share; line integrals as they come and as they are laid out, their weights, those of the image
 * and a share. Total variation keeps three components twice, and a copy; Haar's transform a mean of each level, the
 * room of another, and a copy; shearlets their filters and the room of a few slices, and a copy. Stacks are laid out by
 * 16 slices. */
static double vector_bytes(const ct_plan *plan, const ct_geometry *g, const ct_grid *grid) {
  enum { IMAGES = 7, VARIATION = 7, RAYS = 5, TOGETHER = 16 };
  const bool smooths = plan->iterative.method == CT_METHOD_FISTA_TV || plan->iterative.method == CT_METHOD_ASD_POCS;
  const bool shears = plan->iterative.method == CT_METHOD_FISTA_SHEARLET;
  const int more = smooths                                          ? VARIATION
                   : plan->iterative.method == CT_METHOD_FISTA_HAAR ? plan->iterative.haar_levels + 2
                   : shears                                         ? 1
                                                                    : 0;
  int row0;
  const double image = (double)ct_grid_voxels(grid) * sizeof(float),
               rays = (double)g->nu * g->nv * g->views * sizeof(float);
  const bool stack = ct_geometry_rows_of_slices(g, grid, &row0) && grid->nz > TOGETHER / 2;
  const double filled = stack ? (double)((grid->nz + TOGETHER - 1) / TOGETHER * TOGETHER) / grid->nz : 1;
  const double apart = shears ? ct_shearlet_bytes(grid, ct_plan_threads(plan), plan->iterative.shearlet_scales) : 0;
  return (IMAGES + more) * filled * image + RAYS * filled * rays + apart;
}

bool ct_plan_iterative_bytes(const ct_plan *plan, const ct_backend *backend, const ct_geometry *geometry,
                             const ct_grid *grid, double limit, double *bytes, const ct_projector **chosen,
                             ct_error **error) {
  int row0;
  ct_geometry g;
  if (!crop_geometry(geometry, grid, &g, &row0, error)) return false;
  const double image = (double)ct_grid_voxels(grid) * sizeof(float);
  *bytes = vector_bytes(plan, &g, grid);
  const double room = limit - *bytes - image - (double)geometry->nu * geometry->nv * geometry->views * sizeof(float);
  ct_projector_request request = {.geometry = &g,
                                  .grid = *grid,
                                  .model = (ct_ray_model)plan->iterative.model,
                                  .threads = ct_plan_threads(plan),
                                  .memory = room < 1e18 ? (size_t)fmax(room, 1) : 0,
                                  .device = backend ? backend->device : NULL,
                                  .others = backend ? &backend->projectors : NULL};
  const ct_projector *projector = choose_within(plan, &request, error);
  if (projector) *bytes += ct_projector_memory(projector, &request);
  if (chosen) *chosen = projector;
  ct_geometry_clear(&g);
  return projector != NULL;
}

static ct_stack *take_rows(const ct_stack *integrals, int row0, int rows, ct_error **error) {
  const int nu = ct_stack_nu(integrals), views = ct_stack_views(integrals);
  ct_stack *part = ct_stack_new(nu, rows, views, error);
  for (int view = 0; part && view < views; view++)
    memcpy(ct_stack_view(part, view), ct_stack_get_view(integrals, view) + (size_t)row0 * (size_t)nu,
           (size_t)nu * (size_t)rows * sizeof(float));
  return part;
}

/* Bytes for a matrix that could be done without, beside the vectors and the volume of a run whose line integrals are
 * held. */
static size_t spare_bytes(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid) {
  const double available = CT_MEMORY_USABLE * (double)ct_memory_available();
  double limit = available > 0 ? available : INFINITY;
  if (p->memory > 0) limit = fmin(limit, (double)p->memory - (double)ct_stack_bytes(p->integrals));
  const double room = limit - (double)ct_grid_voxels(grid) * sizeof(float) - vector_bytes(plan, geometry, grid);
  return room < 1e18 ? (size_t)fmax(room, 1) : 0;
}

static ct_iterative *new_run(const ct_pipeline *p, const ct_plan *plan, const ct_iterated *it, int row0, bool complete,
                             const ct_volume *start, ct_job *job, ct_error **error) {
  const ct_geometry *geometry = &it->geometry;
  const ct_grid *grid = &it->grid;
  const bool part = geometry->nv != ct_stack_nv(p->integrals);
  ct_stack *rows = part ? take_rows(p->integrals, row0, geometry->nv, error) : NULL;
  if (part && !rows) return NULL;
  const double held = (double)ct_stack_bytes(p->integrals) + (double)ct_grid_voxels(grid) * sizeof(float);
  ct_iterative_request request = {
      .options = plan->iterative,
      .complete = complete,
      .geometry = geometry,
      .grid = *grid,
      .integrals = part ? rows : p->integrals,
      .start = start,
      .reference = on_grid(p->reference, grid),
      .threads = ct_plan_threads(plan),
      .memory = p->memory > 0 ? (size_t)fmax((double)p->memory - held, 1) : 0,
      .spare = spare_bytes(p, plan, geometry, grid),
      .backend = &p->backend,
      .exchange = p->exchange,
      .columns = p->slab_rows,
  };
  if (p->projector) snprintf(request.options.projector, sizeof request.options.projector, "%s", p->projector->id);
  ct_iterative *run = ct_iterative_new(&request, job, error);
  ct_stack_free(rows);
  return run;
}

static ct_iterated *begin(const ct_pipeline *p, const ct_plan *plan, const ct_grid *grid, bool complete,
                          const ct_volume *start, ct_job *job, ct_error **error) {
  int row0;
  ct_iterated *it = ct_alloc_zero(1, sizeof *it, "an iterative run", error);
  if (!it) return NULL;
  it->run_digest = ct_plan_stage_digest(plan, CT_PLAN_RUN);
  it->integrals_version = p->integrals_version;
  it->geometry_digest = ct_geometry_digest(&p->geometry, true);
  it->start_version = p->start_version;
  it->grid = *grid;
  it->finish_after = plan->finish_after;
  it->start_views = start ? p->start_views : 0;
  if (run_geometry(p, grid, &it->geometry, &row0, error) &&
      (it->run = new_run(p, plan, it, row0, complete, start, job, error)))
    return it;
  ct_iterated_free(it);
  return NULL;
}

static void iterated(void *user, const ct_iterative *run, const ct_iteration *last) {
  const ct_partial *partial = user;
  *partial->current = false;
  ct_partial_publish(partial);
}

ct_plan ct_plan_iterated(const ct_plan *plan, int iterations) {
  ct_plan used = *plan;
  if (iterations > 0)
    used.iterative.iterations = iterations;
  else
    used.iterative.method = CT_METHOD_DIRECT;
  return used;
}

static void tell(ct_pipeline *p, const ct_plan *plan, const ct_iterative *run) {
  p->facts.projector = ct_iterative_get_projector(run);
  if (p->projector && strcmp(plan->iterative.projector, p->projector->id) != 0)
    snprintf(p->facts.projector_why, sizeof p->facts.projector_why, "%s, for all slabs alike.", p->projector->title);
  else
    snprintf(p->facts.projector_why, sizeof p->facts.projector_why, "%s", ct_iterative_get_why(run));
  p->facts.projector_fell_back = ct_iterative_fell_back(run);
  ct_iterative_get_shape(run, &p->facts.projector_shape);
}

static ct_volume *go_on(ct_pipeline *p, const ct_part *part, ct_iterated *it, int iterations, ct_job *job,
                        ct_error **error) {
  const ct_plan *plan = part->plan;
  if (!it->volume && !(it->volume = ct_volume_new(&it->grid, error))) return NULL;
  it->current = false;
  tell(p, plan, it->run);
  if (part->begun && !part->begun->begun(part->begun->user, it->run, it->volume, error)) return NULL;
  ct_partial partial = {.volume = it->volume,
                        .scale = 1,
                        .done = it->geometry.views,
                        .overview = part->overview,
                        .run = it->run,
                        .current = &it->current,
                        .publisher = part->publisher};
  const ct_iterative_watch calls = {&partial, iterated};
  size_t done;
  ct_iterative_get_curve(it->run, &done);
  ct_job_set_show(job, ct_partial_show, &partial);
  const bool good = done >= (size_t)iterations || ct_iterative_run(it->run, iterations, &calls, job, error);
  ct_job_set_show(job, NULL, NULL);
  if (!good) return NULL;
  ct_iterative_get_curve(it->run, &done);
  ct_volume *volume = it->volume;
  if (!it->current) ct_iterative_read(it->run, ct_volume_data(volume));
  if (plan->mask) ct_mask_field(volume, &p->geometry);
  it->current = false;
  p->views_taken = it->start_views;
  const ct_plan used = ct_plan_iterated(plan, (int)done);
  if (!ct_pipeline_attach_plan(p, &used, volume, error)) return NULL;
  it->volume = NULL;
  return volume;
}

ct_volume *ct_pipeline_iterate(ct_pipeline *p, const ct_part *part, bool keep, int *iterations, const ct_volume *start,
                               ct_job *job, ct_error **error) {
  const ct_plan *plan = part->plan;
  ct_iterated *it = keep ? kept(p, plan, part->grid) : NULL;
  const bool told = iterations && *iterations >= 0;
  if (!it) {
    if (keep) ct_pipeline_drop_run(p);
    if (!(it = begin(p, plan, part->grid, told, start, job, error))) return NULL;
    if (keep) p->iterated = it;
  }
  ct_volume *volume = go_on(p, part, it, told ? *iterations : plan->iterative.iterations, job, error);
  size_t done;
  ct_iterative_get_curve(it->run, &done);
  if (iterations) *iterations = (int)done;
  if (keep) return volume;
  const bool told_curve = !volume || take_curve(p, it->run, error);
  ct_iterated_free(it);
  if (told_curve) return volume;
  ct_volume_free(volume);
  return NULL;
}

static bool need_start(const ct_pipeline *p, const ct_plan *plan, const ct_grid *grid, ct_error **error) {
  if (plan->iterative.start != CT_START_CURRENT || on_grid(p->start, grid)) return true;
  if (!p->start)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "iterative.start is \"current\", but there is no volume yet: choose zero or direct.");
  const ct_grid *has = ct_volume_grid(p->start);
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "The volume that there is (%d x %d x %d voxels of %g mm) does not lie on the plan's grid (%d x "
                      "%d x %d of %g mm): "
                      "iterative.start must be zero or direct.",
                      has->nx, has->ny, has->nz, has->dx, grid->nx, grid->ny, grid->nz, grid->dx);
}

ct_plan ct_plan_direct(const ct_plan *plan) {
  ct_plan direct = *plan;
  direct.iterative.method = CT_METHOD_DIRECT;
  direct.mask = 0;
  return direct;
}

/* Memory was estimated for a grid as wide as the detector; one that is to hold all of an object may not fit. */
static bool iteration_fits(const ct_pipeline *p, const ct_plan *plan, const ct_grid *grid, ct_error **error) {
  char needs[32], has[32];
  double bytes;
  const double available = CT_MEMORY_USABLE * (double)ct_memory_available();
  if (p->memory > 0 || !(available > 0) || !(p->object_radius > 0) || !ct_plan_widens_grid(plan)) return true;
  if (!ct_plan_iterative_bytes(plan, &p->backend, &p->geometry, grid, available, &bytes, NULL, error)) return false;
  bytes += (double)ct_grid_voxels(grid) * sizeof(float);
  if (bytes <= available) return true;
  return ct_error_set(
      error, CT_ERROR_MEMORY,
      "The object reaches %.3g mm from the axis, beyond the detector: a grid of %d x %d x %d voxels that "
      "holds it needs %s, and %s are free. Take larger voxels (reconstruction.voxel), fewer slices, "
      "or a grid of your own (reconstruction.nx).",
      p->object_radius, grid->nx, grid->ny, grid->nz, ct_format_bytes(bytes, needs, sizeof needs),
      ct_format_bytes(available, has, sizeof has));
}

ct_volume *ct_pipeline_iterated_volume(ct_pipeline *p, const ct_plan *plan, const ct_publisher *publisher, ct_job *job,
                                       ct_error **error) {
  if (!ct_pipeline_prepare_integrals(p, plan, NULL, job, error)) return NULL;
  const ct_grid grid = p->facts.grid;
  if (!need_start(p, plan, &grid, error) || !iteration_fits(p, plan, &grid, error)) return NULL;
  ct_volume *first = NULL;
  p->start_views = 0;
  if (plan->iterative.start == CT_START_DIRECT && !kept(p, plan, &grid)) {
    ct_pipeline_drop_run(p);
    const ct_plan direct = ct_plan_direct(plan);
    p->starts_iteration = true;
    first = ct_pipeline_direct_volume(p, &direct, publisher, job, error);
    p->starts_iteration = false;
    p->start_views = p->views_taken;
    if (!first || !ct_pipeline_prepare_integrals(p, plan, NULL, job, error)) {
      ct_volume_free(first);
      return NULL;
    }
  }
  const ct_part all = {.plan = plan, .grid = &grid, .publisher = publisher};
  ct_volume *volume = ct_pipeline_iterate(p, &all, true, NULL, first ? first : on_grid(p->start, &grid), job, error);
  ct_volume_free(first);
  return volume;
}

bool ct_pipeline_slice_is_preview(const ct_pipeline *p, const ct_plan *plan, ct_plane plane) {
  if (plan->iterative.method == CT_METHOD_FOURIER) return plane != CT_AXIAL;
  if (!ct_plan_is_iterative(plan)) return false;
  return plane != CT_AXIAL || !ct_geometry_is_stack(&p->geometry, &p->facts.grid);
}

/* Slice `index` of a volume on the whole grid, or all of one on the slice's; NULL with an error. */
static ct_volume *level_of(const ct_volume *volume, int index, const ct_grid *grid, ct_error **error) {
  ct_volume *slice = ct_volume_new(grid, error);
  if (slice) ct_volume_copy_plane(volume, CT_AXIAL, on_grid(volume, grid) ? 0 : index, ct_volume_data(slice));
  return slice;
}

static ct_volume *slice_start(ct_pipeline *p, const ct_plan *plan, int index, const ct_grid *grid, ct_job *job,
                              ct_error **error) {
  if (plan->iterative.start == CT_START_CURRENT) return level_of(p->start, index, grid, error);
  const ct_plan direct = ct_plan_direct(plan);
  ct_volume *first = ct_volume_new(grid, error);
  p->starts_iteration = true;
  const bool good = first && ct_pipeline_direct_slice(p, &direct, CT_AXIAL, index, ct_volume_data(first), job, error);
  p->starts_iteration = false;
  if (good) return first;
  ct_volume_free(first);
  return NULL;
}

bool ct_pipeline_iterated_slice(ct_pipeline *p, const ct_plan *plan, int index, float *out, ct_job *job,
                                ct_error **error) {
  if (!ct_pipeline_prepare_integrals(p, plan, NULL, job, error)) return false;
  p->start_views = 0;
  const ct_volume *reference = p->reference;
  const ct_grid grid = ct_grid_plane(&p->facts.grid, CT_AXIAL, index);
  if (!on_grid(p->start, &grid) && !need_start(p, plan, &p->facts.grid, error)) return false;
  ct_volume *start = NULL, *compared = NULL;
  bool good = plan->iterative.start == CT_START_ZERO || (start = slice_start(p, plan, index, &grid, job, error));
  if (good && (on_grid(reference, &p->facts.grid) || on_grid(reference, &grid)))
    good = (compared = level_of(reference, index, &grid, error));
  good = good && ct_pipeline_prepare_integrals(p, plan, NULL, job, error);
  p->reference = compared;
  const ct_part alone = {.plan = plan, .grid = &grid};
  ct_volume *slice = good ? ct_pipeline_iterate(p, &alone, false, NULL, start, job, error) : NULL;
  p->reference = reference;
  if (slice) memcpy(out, ct_volume_get_data(slice), ct_volume_bytes(slice));
  ct_volume_free(slice);
  ct_volume_free(start);
  ct_volume_free(compared);
  return slice != NULL;
}
