/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes through a format's writer, slab by slab: the samples are converted here, the formats put slices into files. A
 * whole volume is one slab. */
#include "recon/base/memory.h"
#include "recon/data/pitch.h"
#include "recon/io/io.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <string.h>

struct ct_volume_writer {
  const ct_slice_writer *ops;
  void *state;
  ct_volume_header header;
  char *path, *plan; /* of the header */
  ct_named_scale scale;
  bool hounsfield;
  uint16_t *integers; /* one slice of integers */
  int done;           /* slices */
  bool failed;
};

static void free_writer(ct_volume_writer *writer) {
  ct_free(writer->integers);
  ct_free(writer->plan);
  ct_free(writer->path);
  ct_free(writer);
}

/* Stated in the file is the scale that turns Hounsfield units back into the volume's values. */
static bool set_hounsfield(ct_volume_writer *writer, ct_error **error) {
  const ct_value_scale *scale = &writer->scale.scale;
  writer->header.low = -scale->offset / scale->factor;
  writer->header.high = (65535 - scale->offset) / scale->factor;
  writer->hounsfield = true;
  if (strcmp(writer->scale.unit, "HU") == 0 && scale->factor > 0) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "Cannot write %s in Hounsfield units: neither scan nor volume tells what they are of its values. "
                      "Write float32 or uint16 instead.",
                      writer->path);
}

static bool set_header(ct_volume_writer *writer, const ct_write_options *options, ct_error **error) {
  ct_volume_header *header = &writer->header;
  header->path = writer->path;
  header->plan = writer->plan;
  if (!options) return true;
  header->integers = options->samples != CT_SAMPLES_FLOAT32;
  header->compress = options->compress;
  if (!header->integers) return true;
  if (options->samples == CT_SAMPLES_HOUNSFIELD) return set_hounsfield(writer, error);
  header->low = options->low;
  header->high = options->high;
  if (header->low < header->high && isfinite(header->low) && isfinite(header->high)) return true;
  return ct_error_set(
      error, CT_ERROR_ARGUMENT,
      "Cannot write %s slab by slab with 16 bits before the values that become 0 and 65535 are told: they "
      "would be known only after the last slab. Set both, the first below the second, or write float32.",
      writer->path);
}

/* What a plan tells itself, of a volume without one. */
typedef struct {
  ct_units units;
  ct_named_scale scale;
} told;

static ct_volume_writer *open_writer(const ct_format *format, const char *path, const ct_grid *grid, const char *plan,
                                     told without, const ct_write_options *options, ct_error **error) {
  if (!ct_grid_check(grid, error)) return NULL;
  ct_volume_writer *writer = ct_alloc_zero(1, sizeof *writer, "a writer", error);
  if (!writer) return NULL;
  writer->ops = format->writer;
  writer->header.grid = *grid;
  writer->header.units = plan ? ct_units_of_header(plan) : without.units;
  writer->scale = plan ? ct_named_scale_of_header(plan) : without.scale;
  bool good = (writer->path = ct_strdup(path, error)) && (!plan || (writer->plan = ct_strdup(plan, error))) &&
              set_header(writer, options, error) && ct_volume_check_beside(format, path, error);
  if (good && writer->header.integers)
    good = (writer->integers =
                ct_alloc((size_t)grid->nx * (size_t)grid->ny, sizeof *writer->integers, "a slice", error)) != NULL;
  if (good && (writer->state = writer->ops->open(&writer->header, error))) return writer;
  free_writer(writer);
  return NULL;
}

ct_volume_writer *ct_volume_writer_open(const ct_format *format, const char *path, const ct_grid *grid,
                                        const char *plan, const ct_write_options *options, ct_error **error) {
  return open_writer(format, path, grid, plan, (told){ct_units_of(false), {{1, 0}, ""}}, options, error);
}

bool ct_volume_writer_append(ct_volume_writer *writer, const float *slices, int count, ct_job *job, ct_error **error) {
  const ct_volume_header *header = &writer->header;
  const size_t slice = (size_t)header->grid.nx * (size_t)header->grid.ny;
  if (writer->failed || count < 1 || count > header->grid.nz - writer->done)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s takes no %d slices after %d of %d.", header->path, count,
                        writer->done, header->grid.nz);
  bool good = true;
  for (int k = 0; good && k < count; k++) {
    const void *samples = slices + (size_t)k * slice;
    if (!(good = ct_job_may_go_on(job, error))) break;
    if (writer->integers) {
      const float *values = samples;
      if (!writer->hounsfield) ct_floats_to_uint16(values, slice, header->low, header->high, writer->integers);
      for (size_t i = 0; writer->hounsfield && i < slice; i++)
        writer->integers[i] = ct_hounsfield_of(values[i], writer->scale.scale);
      samples = writer->integers;
    }
    good = writer->ops->put(writer->state, writer->done, samples, error);
    writer->done += good;
  }
  writer->failed = !good;
  return good;
}

bool ct_volume_writer_finish(ct_volume_writer *writer, ct_error **error) {
  bool good = !writer->failed && writer->done == writer->header.grid.nz;
  if (!good)
    ct_error_set(error, CT_ERROR_ARGUMENT, "%s is not complete: it has %d of %d slices.", writer->header.path,
                 writer->done, writer->header.grid.nz);
  good = writer->ops->close(writer->state, good, error);
  free_writer(writer);
  return good;
}

void ct_volume_writer_abandon(ct_volume_writer *writer) {
  if (!writer) return;
  writer->ops->close(writer->state, false, NULL);
  free_writer(writer);
}

bool ct_volume_writer_check(const ct_format *format, const char *path, const ct_grid *grid,
                            const ct_write_options *options, ct_error **error) {
  /* The plan, which tells the scale, comes with the first slab. */
  ct_write_options any = options ? *options : (ct_write_options){0};
  if (any.samples == CT_SAMPLES_HOUNSFIELD) any = (ct_write_options){CT_SAMPLES_UINT16, 0, 65535, any.compress};
  ct_volume_writer *writer = ct_volume_writer_open(format, path, grid, NULL, &any, error);
  const bool good = writer != NULL;
  ct_volume_writer_abandon(writer);
  return good;
}

bool ct_volume_write_as(const ct_format *format, const char *path, const ct_volume *volume,
                        const ct_write_options *options, ct_job *job, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(volume);
  const size_t slice = (size_t)grid->nx * (size_t)grid->ny;
  ct_write_options known = options ? *options : (ct_write_options){.samples = CT_SAMPLES_FLOAT32};
  if (known.samples == CT_SAMPLES_UINT16) ct_volume_sample_range(volume, &known.low, &known.high);
  const told own = {ct_volume_get_units(volume), ct_volume_get_scale(volume)};
  ct_volume_writer *writer = open_writer(format, path, grid, ct_volume_get_plan(volume), own, &known, error);
  if (!writer) return false;
  ct_job_begin_stage(job, CT_STAGE_WRITING, (uint64_t)grid->nz);
  for (int k = 0; k < grid->nz; k++) {
    if (!ct_volume_writer_append(writer, ct_volume_get_data(volume) + (size_t)k * slice, 1, job, error)) {
      ct_volume_writer_abandon(writer);
      return false;
    }
    ct_job_advance(job, 1);
  }
  return ct_volume_writer_finish(writer, error);
}

bool ct_volume_write(const char *path, const ct_volume *volume, const ct_write_options *options, ct_job *job,
                     ct_error **error) {
  const ct_format *format = ct_format_for_writing(path, error);
  return format && ct_volume_write_as(format, path, volume, options, job, error);
}
