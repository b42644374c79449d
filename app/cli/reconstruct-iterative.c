/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli reconstruct: what iterative methods need besides. */
#include "app/cli/reconstruct-iterative.h"

#include "recon/base/shown.h"
#include "recon/base/text-stream.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/units.h"
#include "recon/solve/iterative/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void describe(const ct_iteration *last, const char *unit, char *text, size_t size) {
  char a[32], b[32], c[32];
  int used = snprintf(text, size, "residual %s, change %s", ct_format_number(last->residual, 4, a, sizeof a),
                      ct_format_number(last->change, 3, b, sizeof b));
  if (!isnan(last->rmse) && used > 0 && (size_t)used < size)
    snprintf(text + used, size - (size_t)used, ", RMSE %s", ct_format_quantity(last->rmse, 4, unit, c, sizeof c));
}

static void publish(void *user, const ct_partial *partial) {
  const cli_iterative *it = user;
  size_t count;
  char text[160];
  const ct_iteration *curve = ct_partial_curve(partial, &count);
  if (!count) return;
  describe(&curve[count - 1], it->unit, text, sizeof text);
  cli_watch_note(it->watch, text);
}

/* Whether the volume lies on the grid, or for a slice on that slice's alone. */
static bool lies_on(const ct_grid *has, const ct_grid *grid, const cli_reconstruction *r) {
  int index = r->index;
  if (ct_grid_matches(has, grid)) return true;
  if (!r->one_plane || r->pose.oblique || !cli_resolve_index(grid, r->axis, &index, NULL)) return false;
  const ct_grid slice = ct_grid_plane(grid, r->axis, index);
  return ct_grid_matches(has, &slice);
}

/* A volume on the plan's grid. */
static ct_volume *read_volume(const char *path, const cli_reconstruction *r, ct_scan *scan, ct_job *job,
                              ct_error **error) {
  ct_geometry geometry;
  ct_grid grid;
  ct_volume *volume = ct_volume_read_allowed(path, cli_source_leads_anywhere(&r->source), job, error);
  if (!volume) {
    if (error && *error && !ct_error_names(*error, path)) ct_error_prefix(error, "%s", path);
    return NULL;
  }
  if (!ct_plan_geometry(&r->plan, scan, &geometry, error)) goto failed;
  const bool good = ct_plan_grid(&r->plan, &geometry, &grid, error);
  ct_geometry_clear(&geometry);
  if (!good) goto failed;
  const ct_grid *has = ct_volume_grid(volume);
  if (lies_on(has, &grid, r)) return volume;
  ct_error_set(error, CT_ERROR_ARGUMENT,
               "%s has %d x %d x %d voxels of %g x %g mm from (%g, %g, %g) mm on, the plan %d x %d x %d of %g x %g mm "
               "from (%g, %g, %g) mm on: "
               "they must lie on the same grid.",
               path, has->nx, has->ny, has->nz, has->dx, has->dz, has->x0, has->y0, has->z0, grid.nx, grid.ny, grid.nz,
               grid.dx, grid.dz, grid.x0, grid.y0, grid.z0);
failed:
  ct_volume_free(volume);
  return NULL;
}

bool cli_iterative_begin(cli_iterative *it, const cli_reconstruction *r, ct_scan *scan, ct_pipeline *pipeline,
                         cli_watch *watch, ct_error **error) {
  *it = (cli_iterative){.watch = watch, .unit = ct_plan_units(&r->plan, scan).value, .publisher = {it, publish}};
  ct_job *job = cli_watch_job(watch);
  if ((r->start && !(it->start = read_volume(r->start, r, scan, job, error))) ||
      (r->reference && !(it->reference = read_volume(r->reference, r, scan, job, error)))) {
    cli_iterative_end(it, pipeline);
    return false;
  }
  ct_pipeline_set_start(pipeline, it->start);
  ct_pipeline_set_reference(pipeline, it->reference);
  return true;
}

void cli_iterative_end(cli_iterative *it, ct_pipeline *pipeline) {
  ct_pipeline_set_start(pipeline, NULL);
  ct_pipeline_set_reference(pipeline, NULL);
  ct_volume_free(it->start);
  ct_volume_free(it->reference);
  *it = (cli_iterative){0};
}

static void add_number(FILE *file, double value) {
  if (isnan(value))
    fputc(',', file);
  else
    fprintf(file, ",%.9g", value);
}

/* Of the volume, or of the slice. */
static const ct_iteration *get_curve(const cli_reconstruction *r, const ct_pipeline *pipeline, size_t *count,
                                     ct_stopped *stopped) {
  if (r->one_plane) return ct_pipeline_get_slice_curve(pipeline, count, stopped);
  *stopped = ct_pipeline_get_stopped(pipeline);
  return ct_pipeline_get_curve(pipeline, count);
}

static bool write_curve(const cli_reconstruction *r, const ct_pipeline *pipeline, ct_error **error) {
  size_t count, size = 0;
  char *text = NULL;
  ct_stopped stopped;
  const ct_iteration *curve = get_curve(r, pipeline, &count, &stopped);
  FILE *file = ct_text_stream(&text, &size);
  if (!file) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the curve.");
  fputs("iteration,seconds,residual,change,rmse,relative_rmse,ssim,residual_after\n", file);
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "%d", curve[i].index);
    const double values[] = {curve[i].seconds,       curve[i].residual, curve[i].change,        curve[i].rmse,
                             curve[i].relative_rmse, curve[i].ssim,     curve[i].residual_after};
    for (int n = 0; n < 7; n++) add_number(file, values[n]);
    fputc('\n', file);
  }
  const bool good = fclose(file) == 0
                        ? ct_output_write_text(r->curve, text, error)
                        : ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the curve.");
  free(text);
  return good;
}

bool cli_write_curve(const cli_reconstruction *r, const ct_pipeline *pipeline, ct_error **error) {
  if (write_curve(r, pipeline, error)) return true;
  ct_error_prefix(error, "%s is written, but its curve is not", r->output);
  return false;
}

void cli_print_iterations(FILE *to, const cli_reconstruction *r, const ct_pipeline *pipeline) {
  static const char *const ends[] = {[CT_STOPPED_NOT] = "",
                                     [CT_STOPPED_ITERATIONS] = "",
                                     [CT_STOPPED_RESIDUAL] = " (the residual was small enough)",
                                     [CT_STOPPED_CHANGE] = " (the picture changed no more)",
                                     [CT_STOPPED_EARLY] = " (ended early)"};
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  size_t count;
  ct_stopped stopped;
  char method[CT_PLAN_TEXT], text[160];
  ct_plan_get_text(&r->plan, ct_param_find("iterative.method"), method, sizeof method);
  fprintf(to, ", %s", method);
  const ct_iteration *curve = get_curve(r, pipeline, &count, &stopped);
  if (count) {
    describe(&curve[count - 1], ct_pipeline_get_facts(pipeline)->units.value, text, sizeof text);
    fprintf(to, ", %zu %s%s, %s", count, count == 1 ? "iteration" : "iterations", ends[stopped], text);
  }
  const ct_iterative_options *o = &r->plan.iterative;
  if ((o->nonnegative || !isnan(o->upper)) && !(ct_solver_find((ct_method)o->method)->uses & CT_USES_BOUNDS))
    fprintf(to, ", values not bounded (%s cannot)", method);
  if (!facts->projector) return;
  fprintf(to, ", projector %s", facts->projector->id);
  const bool shared = facts->projector->stored && facts->grid.nz > 1 && strcmp(o->projector, "auto") == 0;
  if (facts->projector_fell_back || shared) fprintf(to, " (%s)", facts->projector_why);
  if (facts->projector_shape.stored > 0) {
    char bytes[32], time[32];
    fprintf(to, " (matrix of %s, made in %s)", ct_format_bytes(facts->projector_shape.bytes, bytes, sizeof bytes),
            ct_format_duration(facts->projector_shape.seconds, time, sizeof time));
  }
}
