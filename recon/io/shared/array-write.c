/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a volume's samples, slice by slice, as one plain or deflated array behind its header or in a file beside it.
 */
#include "recon/io/shared/array-private.h"

#include "recon/base/memory.h"
#include "recon/io/shared/inflate-private.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

bool ct_put_text(FILE *file, const char *path, ct_error **error, const char *format, ...) {
  va_list args;
  va_start(args, format);
  errno = 0;
  const bool good = vfprintf(file, format, args) >= 0;
  va_end(args);
  return good || ct_error_set_errno(error, errno ? errno : EIO, "Cannot write %s", path);
}

typedef struct array_file {
  char *path; /* the target, for messages */
  ct_output *output;
  FILE *file;
} array_file;

typedef struct array_writer {
  const ct_array_form *form;
  const ct_volume_header *header;
  array_file header_file, data_file; /* data_file.path NULL: the samples follow the header in its file */
  ct_deflate *stream;
  long size_place;
} array_writer;

static bool open_file(array_file *file, const char *path, ct_error **error) {
  if (!(file->path = ct_strdup(path, error)) || !(file->output = ct_output_begin(path, false, error))) return false;
  if ((file->file = fopen(ct_output_get_path(file->output), "wbe"))) return true;
  return ct_error_set_errno(error, errno, "Cannot write %s", path);
}

/* fclose writes what is still buffered: a full disk may show only here. */
static bool close_file(array_file *file, bool good, ct_error **error) {
  errno = 0;
  if (file->file && fclose(file->file) != 0 && good)
    good = ct_error_set_errno(error, errno, "Cannot write %s", file->path);
  file->file = NULL;
  return good;
}

static array_file *samples_file(array_writer *writer) {
  return writer->data_file.path ? &writer->data_file : &writer->header_file;
}

/* Both files are complete before either takes its name; the samples come first, so that no header lacks them. */
static bool commit(array_writer *writer, ct_error **error) {
  const bool fresh = writer->data_file.output && access(writer->data_file.path, F_OK) != 0;
  bool good = true;
  if (writer->data_file.output) {
    good = ct_output_commit(writer->data_file.output, error);
    writer->data_file.output = NULL;
  }
  if (!good) return false;
  good = ct_output_commit(writer->header_file.output, error);
  writer->header_file.output = NULL;
  if (!good && fresh) unlink(writer->data_file.path);
  return good;
}

bool ct_array_writer_close(void *state, bool keep, ct_error **error) {
  array_writer *writer = state;
  bool good = keep;
  if (good && writer->stream && writer->form->put_size)
    good = writer->form->put_size(writer->header_file.file, writer->header_file.path, writer->size_place,
                                  ct_deflate_written(writer->stream), error);
  if (good && writer->form->put_trailer)
    good = writer->form->put_trailer(samples_file(writer)->file, samples_file(writer)->path, writer->header, error);
  ct_deflate_close(writer->stream);
  good = close_file(&writer->data_file, good, error);
  good = close_file(&writer->header_file, good, error);
  good = good && commit(writer, error);
  ct_output_abandon(writer->data_file.output);
  ct_output_abandon(writer->header_file.output);
  ct_free(writer->data_file.path);
  ct_free(writer->header_file.path);
  ct_free(writer);
  return good;
}

void *ct_array_writer_open(const ct_array_form *form, const ct_volume_header *header, const char *header_path,
                           const char *data_path, ct_error **error) {
  array_writer *writer = ct_alloc_zero(1, sizeof *writer, "a writer", error);
  if (!writer) return NULL;
  writer->form = form;
  writer->header = header;
  bool good = open_file(&writer->header_file, header_path, error) &&
              (!data_path || open_file(&writer->data_file, data_path, error));
  const array_file *to = good ? samples_file(writer) : NULL;
  const bool packs = header->compress && form->packed != CT_ENCODE_PLAIN;
  good = good &&
         (packs || header->header_only || ct_output_check_space(to->output, ct_volume_header_bytes(header), error)) &&
         form->put_header(writer->header_file.file, header_path, header, data_path ? ct_path_name(data_path) : NULL,
                          &writer->size_place, error);
  if (good && packs)
    good = (writer->stream = ct_deflate_open(to->file, to->path, form->packed == CT_ENCODE_GZIP, error)) != NULL;
  if (good) return writer;
  ct_array_writer_close(writer, false, NULL);
  return NULL;
}

void *ct_array_writer_open_beside(const ct_array_form *form, const ct_volume_header *header, const char *apart,
                                  const char *plain, const char *packed, ct_error **error) {
  const char *path = header->path;
  if (!ct_path_has_extension(path, apart)) return ct_array_writer_open(form, header, path, NULL, error);
  const int stem = (int)(strlen(path) - strlen(ct_path_extension(path)));
  char *data_path = ct_strprintf("%.*s%s", stem, path, header->compress ? packed : plain);
  if (!data_path) {
    ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to write %s", path);
    return NULL;
  }
  void *writer = ct_array_writer_open(form, header, path, data_path, error);
  ct_free(data_path);
  return writer;
}

bool ct_array_writer_put(void *state, int k, const void *samples, ct_error **error) {
  array_writer *writer = state;
  const ct_volume_header *header = writer->header;
  const size_t bytes =
      (size_t)header->grid.nx * (size_t)header->grid.ny * (header->integers ? sizeof(uint16_t) : sizeof(float));
  const array_file *to = samples_file(writer);
  return writer->stream ? ct_deflate_write(writer->stream, samples, bytes, k == header->grid.nz - 1, error)
                        : ct_output_write(to->file, to->path, samples, bytes, error);
}
