/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of any pose: reconstructed alone from the filtered projections, whose matrices are turned with the plane, or
 * cut out of a volume in the making. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"
#include "recon/geom/spiral.h"
#include "recon/geom/trajectory.h"

#include <math.h>
#include <string.h>

/* Copies the pixels that lie in the grid and, where the plan masks it, in the circle that every view sees; zeroes the
 * others. */
static void take_within(const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid,
                        const ct_oblique *oblique, const ct_volume *plane, bool transposed, float *out) {
  const double radius = plan->mask ? ct_geometry_field_radius(geometry) : INFINITY;
  ct_line axis;
  ct_geometry_axis(geometry, &axis);
  const float *from = ct_volume_get_data(plane);
  const size_t width = (size_t)oblique->width, height = (size_t)oblique->height;
  memset(out, 0, ct_oblique_pixels(oblique) * sizeof *out);
  for (int j = 0; j < oblique->height; j++) {
    int first, end;
    ct_oblique_row_within(oblique, grid, j, &first, &end);
    for (int i = first; i < end; i++) {
      double point[3];
      ct_oblique_point(oblique, i, j, point);
      if (ct_line_distance2(&axis, point) > radius * radius) continue;
      out[(size_t)j * width + (size_t)i] =
          transposed ? from[(size_t)i * height + (size_t)j] : from[(size_t)j * width + (size_t)i];
    }
  }
}

bool ct_pipeline_oblique(ct_pipeline *pipeline, const ct_plan *plan, const ct_oblique *oblique, float *out, ct_job *job,
                         ct_error **error) {
  if (!ct_oblique_check(oblique, error) || !ct_pipeline_prepare_planes(pipeline, plan, job, error)) return false;
  ct_geometry turned;
  ct_grid grid;
  bool transposed;
  if (ct_geometry_climbs(&pipeline->seen))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Oblique planes of a scan whose table moves are cut out of its volume: reconstruct it first.");
  const double scale = ct_plan_views_scale(plan, &pipeline->seen, error);
  if (isnan(scale)) return false;
  if (!ct_oblique_frame(oblique, &pipeline->seen, &turned, &grid, &transposed, error)) return false;
  ct_job_begin_stage(job, CT_STAGE_BACKPROJECTING, (uint64_t)ct_plan_most_views(plan, turned.views));
  ct_volume *plane = ct_backproject_thin(plan, &pipeline->backend, &turned, pipeline->filtered, &grid,
                                         &pipeline->facts.plane, job, error);
  const bool good = plane != NULL;
  if (good && scale != 1) ct_volume_scale(plane, (float)scale);
  if (good) take_within(plan, &pipeline->geometry, &pipeline->facts.grid, oblique, plane, transposed, out);
  ct_volume_free(plane);
  ct_geometry_clear(&turned);
  return good;
}

/* Two neighbouring slices at a time: `pair` holds slices k and k + 1, and the pixels between them (beyond them, at the
 * ends of the volume) are interpolated. */
static bool read_through_slices(const ct_partial *partial, const ct_oblique *oblique, ct_volume *pair, int k,
                                float *out, ct_error **error) {
  const ct_grid *grid = ct_partial_grid(partial), *part = ct_volume_grid(pair);
  const size_t slice = (size_t)grid->nx * (size_t)grid->ny;
  const double low = k == 0 ? k - 0.5 : k, high = k + 2 >= grid->nz ? grid->nz - 0.5 : k + 1;
  ct_grid between = *grid;
  between.nz = 1;
  between.dz = (high - low) * grid->dz;
  between.z0 = grid->z0 + 0.5 * (low + high) * grid->dz;
  bool loaded = false;
  ct_oblique shifted = *oblique;
  shifted.centre[2] -= k * grid->dz;
  for (int j = 0; j < oblique->height; j++) {
    int first, end;
    ct_oblique_row_within(oblique, &between, j, &first, &end);
    if (first == end) continue;
    for (int n = 0; !loaded && n < part->nz; n++)
      if (!ct_partial_read_plane(partial, CT_AXIAL, k + n, ct_volume_data(pair) + (size_t)n * slice, error))
        return false;
    loaded = true;
    ct_volume_sample_row(pair, &shifted, j, first, end, out);
  }
  return true;
}

bool ct_partial_read_oblique(const ct_partial *partial, const ct_oblique *oblique, float *out, ct_error **error) {
  float scale;
  if (!ct_oblique_check(oblique, error)) return false;
  const ct_volume *volume = ct_partial_volume(partial, &scale);
  const bool gathers = !volume && !partial->overview && partial->kernel->read_oblique;
  if (volume || gathers) {
    if (volume)
      ct_volume_copy_oblique(volume, oblique, out);
    else if (!partial->kernel->read_oblique(partial->state, partial->volume, oblique, out, error))
      return false;
    for (size_t i = 0; i < ct_oblique_pixels(oblique); i++) out[i] *= scale;
    return true;
  }
  ct_grid slices = *ct_partial_grid(partial);
  const int count = slices.nz;
  slices.nz = count < 2 ? count : 2;
  ct_volume *pair = ct_volume_new(&slices, error);
  bool good = pair != NULL;
  memset(out, 0, ct_oblique_pixels(oblique) * sizeof *out);
  for (int k = 0; good && k < (count < 2 ? 1 : count - 1); k++)
    good = read_through_slices(partial, oblique, pair, k, out, error);
  ct_volume_free(pair);
  return good;
}
