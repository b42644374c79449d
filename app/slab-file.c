/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slabs into a volume's file. */
#include "app/slab-file.h"

bool gantry_slab_file_init(gantry_slab_file *file, const ct_format *format, const char *path, const ct_plan *plan,
                           const ct_grid *grid, ct_error **error) {
  *file = (gantry_slab_file){.format = format, .path = path};
  file->options = (ct_write_options){
      .samples = (ct_samples)plan->samples, .low = plan->low, .high = plan->high, .compress = plan->compress != 0};
  return ct_volume_writer_check(format, path, grid, &file->options, error);
}

static bool write_slab(void *user, const ct_grid *whole, const ct_volume *slab, int first, ct_job *job,
                       ct_error **error) {
  gantry_slab_file *file = user;
  const ct_grid *grid = ct_volume_grid(slab);
  const size_t slice = (size_t)grid->nx * (size_t)grid->ny;
  if (first == 0 && !(file->writer = ct_volume_writer_open(file->format, file->path, whole, ct_volume_get_plan(slab),
                                                           &file->options, error)))
    return false;
  for (int k = 0; k < grid->nz; k++) {
    if (!ct_volume_writer_append(file->writer, ct_volume_get_data(slab) + (size_t)k * slice, 1, job, error))
      return false;
    ct_job_advance(job, 1);
  }
  return true;
}

ct_slab_sink gantry_slab_file_sink(gantry_slab_file *file) {
  return (ct_slab_sink){file, write_slab};
}

bool gantry_slab_file_end(gantry_slab_file *file, bool keep, ct_error **error) {
  ct_volume_writer *writer = file->writer;
  file->writer = NULL;
  if (keep && writer) return ct_volume_writer_finish(writer, error);
  ct_volume_writer_abandon(writer);
  return false;
}
