/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a volume's samples as one plain or deflated array, behind its header or in a file beside it. */
#include "recon/io/array-private.h"

#include "recon/base/memory.h"
#include "recon/io/inflate-private.h"
#include "recon/base/output.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

bool ct_put_text(FILE *file, const char *path, ct_error **error, const char *format, ...) {
  va_list args;
  va_start(args, format);
  errno = 0;
  const bool good = vfprintf(file, format, args) >= 0;
  va_end(args);
  return good || ct_error_set_errno(error, errno ? errno : EIO, "Cannot write %s", path);
}

/* All planes to `file`. *bytes: what was written. */
static bool put_samples(FILE *file, const char *path, const ct_array_output *output, ct_job *job, uint64_t *bytes,
                        ct_error **error) {
  const ct_grid *grid = ct_volume_grid(output->volume);
  const size_t plane = (size_t)grid->nx * (size_t)grid->ny;
  const bool integers = output->samples == CT_SAMPLES_UINT16;
  const size_t size = integers ? sizeof(uint16_t) : sizeof(float);
  uint16_t *scaled = NULL;
  ct_deflate *stream = NULL;
  bool good = true;
  if (integers) good = (scaled = ct_alloc(plane, sizeof *scaled, "a slice", error)) != NULL;
  if (good && output->encoding != CT_ENCODE_PLAIN)
    good = (stream = ct_deflate_open(file, path, output->encoding == CT_ENCODE_GZIP, error)) != NULL;
  for (int k = 0; good && k < grid->nz; k++) {
    const float *slice = ct_volume_get_data(output->volume) + (size_t)k * plane;
    const void *data = slice;
    if (integers) {
      ct_floats_to_uint16(slice, plane, output->low, output->high, scaled);
      data = scaled;
    }
    good =
        ct_job_may_go_on(job, error) && (stream ? ct_deflate_write(stream, data, plane * size, k == grid->nz - 1, error)
                                                : ct_output_write(file, path, data, plane * size, error));
    if (good) ct_job_advance(job, 1);
  }
  *bytes = stream ? ct_deflate_written(stream) : (uint64_t)plane * (uint64_t)grid->nz * size;
  ct_deflate_close(stream);
  ct_free(scaled);
  return good;
}

/* Compressed samples take less, nobody knows how much. */
static bool check_space(const ct_array_output *o, const ct_output *output, ct_error **error) {
  const size_t size = o->samples == CT_SAMPLES_UINT16 ? sizeof(uint16_t) : sizeof(float);
  return o->encoding != CT_ENCODE_PLAIN ||
         ct_output_check_space(output, (uint64_t)ct_grid_voxels(ct_volume_grid(o->volume)) * size, error);
}

static FILE *open_output(const ct_output *output, const char *path, ct_error **error) {
  FILE *file = fopen(ct_output_get_path(output), "wbe");
  if (!file) ct_error_set_errno(error, errno, "Cannot write %s", path);
  return file;
}

/* fclose writes what is still buffered: a full disk may show only here. */
static bool close_output(FILE *file, const char *path, bool good, ct_error **error) {
  errno = 0;
  if (file && fclose(file) != 0 && good) return ct_error_set_errno(error, errno, "Cannot write %s", path);
  return good;
}

static bool put_size(const ct_array_output *o, FILE *file, uint64_t bytes, ct_error **error) {
  return !o->put_size || o->put_size(file, o->path, o->state, bytes, error);
}

static bool write_single(const ct_array_output *o, ct_job *job, ct_error **error) {
  ct_output *output = ct_output_begin(o->path, false, error);
  FILE *file = output && check_space(o, output, error) ? open_output(output, o->path, error) : NULL;
  uint64_t bytes = 0;
  bool good = file && o->put_header(file, o->path, o->state, NULL, error) &&
              put_samples(file, o->path, o, job, &bytes, error) && put_size(o, file, bytes, error);
  good = close_output(file, o->path, good, error);
  if (good) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}

/* Both files are complete before either takes its name; the samples come first, so that no header lacks them. */
static bool write_pair(const ct_array_output *o, ct_job *job, ct_error **error) {
  ct_output *header = ct_output_begin(o->path, false, error);
  ct_output *data = header ? ct_output_begin(o->data_path, false, error) : NULL;
  FILE *file = data && check_space(o, data, error) ? open_output(data, o->data_path, error) : NULL;
  uint64_t bytes = 0;
  bool good = file && put_samples(file, o->data_path, o, job, &bytes, error);
  good = close_output(file, o->data_path, good, error);
  file = good ? open_output(header, o->path, error) : NULL;
  good = file && o->put_header(file, o->path, o->state, ct_path_name(o->data_path), error) &&
         put_size(o, file, bytes, error);
  good = close_output(file, o->path, good, error);
  if (!good) {
    ct_output_abandon(data);
    ct_output_abandon(header);
    return false;
  }
  const bool fresh = access(o->data_path, F_OK) != 0;
  if (!ct_output_commit(data, error)) {
    ct_output_abandon(header);
    return false;
  }
  good = ct_output_commit(header, error);
  if (!good && fresh) unlink(o->data_path);
  return good;
}

bool ct_array_output_write(const ct_array_output *output, ct_job *job, ct_error **error) {
  ct_job_begin_stage(job, CT_STAGE_WRITING, (uint64_t)ct_volume_grid(output->volume)->nz);
  return output->data_path ? write_pair(output, job, error) : write_single(output, job, error);
}
