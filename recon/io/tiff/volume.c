/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes from stacks of TIFF slices: slice k is plane z = k, row j of the file is row y = j, whatever its orientation
 * tag. */
#include "recon/base/memory.h"
#include "recon/data/pitch.h"
#include "recon/io/shared/array-private.h"
#include "recon/io/tiff/tiff-private.h"

#include <math.h>
#include <string.h>

static bool read_meta(const char *file, ct_tiff_meta *meta, ct_error **error) {
  ct_tiff *slice = ct_tiff_open(file, error);
  const bool good = slice && ct_tiff_parse_meta(slice, meta, error);
  if (slice) ct_tiff_close(slice);
  return good;
}

/* The grid as far as the first slice tells it: unit spacing and a volume centred on the axis where it says nothing. */
static bool find_grid(const ct_image_stack *stack, ct_tiff_meta *meta, ct_grid *grid, ct_error **error) {
  if (!read_meta(ct_image_stack_get_path(stack, 0), meta, error)) return false;
  const ct_image_facts *facts = ct_image_stack_get_facts(stack);
  const int slices = ct_image_stack_count(stack, CT_FRAME_PROJECTION);
  if (meta->slices && meta->slices != slices)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s belongs to a volume of %d slices, but %d are there",
                        ct_image_stack_get_path(stack, 0), meta->slices, slices);
  const double dx = meta->has_spacing[0] ? meta->spacing[0] : 1;
  *grid = ct_grid_centred(facts->width, facts->height, slices, dx, NULL);
  if (meta->has_spacing[1]) grid->dy = meta->spacing[1];
  if (meta->has_spacing[2]) grid->dz = meta->spacing[2];
  grid->y0 = -0.5 * (grid->ny - 1) * grid->dy;
  grid->z0 = -0.5 * (grid->nz - 1) * grid->dz;
  if (meta->ours) {
    grid->x0 = meta->origin[0];
    grid->y0 = meta->origin[1];
    grid->z0 = meta->origin[2];
  }
  return true;
}

static bool read_slices(ct_image_stack *stack, const ct_tiff_meta *meta, ct_volume *volume, ct_job *job,
                        ct_error **error) {
  const ct_grid *grid = ct_volume_grid(volume);
  const size_t plane = (size_t)grid->nx * (size_t)grid->ny;
  const bool scaled =
      isfinite(meta->low) && isfinite(meta->high) && ct_image_stack_get_facts(stack)->type == CT_SAMPLE_UINT16;
  ct_job_begin_stage(job, CT_STAGE_READING, (uint64_t)grid->nz);
  for (int k = 0; k < grid->nz; k++) {
    float *slice = ct_volume_data(volume) + (size_t)k * plane;
    if (!ct_job_may_go_on(job, error) || !ct_image_stack_read(stack, CT_FRAME_PROJECTION, k, 0, grid->ny, slice, error))
      return false;
    for (size_t i = 0; scaled && i < plane; i++)
      slice[i] = (float)(meta->low + (double)slice[i] * ((meta->high - meta->low) / 65535.0));
    ct_job_advance(job, 1);
  }
  return ct_image_stack_check(stack, error);
}

/* Of the first slice alone. */
bool ct_tiff_read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  (void)dataset;
  char *trimmed = ct_path_trimmed(path, error);
  ct_series series;
  ct_tiff_meta meta = {0};
  if (!trimmed || !ct_series_find(&series, trimmed, ct_tiff_codec.extensions, error)) {
    ct_free(trimmed);
    return false;
  }
  const bool good = read_meta(series.files[CT_FRAME_PROJECTION].paths[0], &meta, error);
  if (good)
    *plan = meta.plan;
  else
    ct_free(meta.plan);
  ct_series_clear(&series);
  ct_free(trimmed);
  return good;
}

ct_volume *ct_tiff_read_volume(const char *path, const char *dataset, ct_job *job, ct_error **error) {
  (void)dataset;
  char *trimmed = ct_path_trimmed(path, error);
  if (!trimmed) return NULL;
  ct_image_stack *stack = ct_image_stack_open(&ct_tiff_codec, trimmed, error);
  ct_tiff_meta meta = {0};
  ct_grid grid;
  ct_volume *volume = NULL;
  if (stack && find_grid(stack, &meta, &grid, error)) volume = ct_volume_new_for_file(trimmed, &grid, error);
  if (volume && (!read_slices(stack, &meta, volume, job, error) ||
                 (meta.plan && !ct_volume_set_plan(volume, meta.plan, error)))) {
    ct_volume_free(volume);
    volume = NULL;
  }
  if (volume && (!meta.has_spacing[0] || meta.in_pixels)) ct_volume_set_pitch_unknown(volume);
  ct_free(meta.plan);
  ct_image_stack_free(stack);
  ct_free(trimmed);
  return volume;
}
