/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes from stacks of TIFF slices: slice k is plane z = k, row j of the file is row y = j, whatever its orientation
 * tag. */
#include "recon/base/memory.h"
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

typedef struct {
  ct_image_stack *stack;
  size_t width;
  bool scaled; /* value = low + step sample */
  double low, step;
} slices;

static bool read_rows(void *state, int k, int row0, int rows, float *out, ct_error **error) {
  slices *s = state;
  if (!ct_image_stack_read(s->stack, CT_FRAME_PROJECTION, k, row0, rows, out, error)) return false;
  for (size_t i = 0; s->scaled && i < (size_t)rows * s->width; i++) out[i] = (float)(s->low + (double)out[i] * s->step);
  return true;
}

static bool check_slices(void *state, ct_error **error) {
  const slices *s = state;
  return ct_image_stack_check(s->stack, error);
}

static void close_slices(void *state) {
  slices *s = state;
  ct_image_stack_free(s->stack);
  ct_free(s);
}

/* Of the first slice alone. */
bool ct_tiff_read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  (void)dataset;
  char *trimmed = ct_path_trimmed(path, error);
  ct_series series;
  ct_tiff_meta meta = {0};
  if (!trimmed || !ct_series_find_images(&series, trimmed, ct_tiff_codec.extensions, error)) {
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

static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  (void)options;
  slices *s = ct_alloc_zero(1, sizeof *s, "a reader", error);
  if (!s) return NULL;
  char *trimmed = ct_path_trimmed(path, error);
  ct_tiff_meta meta = {0};
  bool good = trimmed && (s->stack = ct_image_stack_open(&ct_tiff_codec, trimmed, error)) &&
              find_grid(s->stack, &meta, &facts->grid, error);
  if (good) {
    const ct_image_facts *image = ct_image_stack_get_facts(s->stack);
    s->width = (size_t)image->width;
    s->scaled = isfinite(meta.low) && isfinite(meta.high) && image->type == CT_SAMPLE_UINT16;
    s->low = meta.low;
    s->step = (meta.high - meta.low) / 65535.0;
    facts->pitch_unknown = !meta.has_spacing[0] || meta.in_pixels;
    facts->file_bytes = ct_image_stack_bytes(s->stack);
    facts->plan = meta.plan;
    meta.plan = NULL;
  }
  ct_free(meta.plan);
  ct_free(trimmed);
  if (good) return s;
  close_slices(s);
  return NULL;
}

const ct_slice_reader ct_tiff_reader = {open_slices, read_rows, check_slices, close_slices};
