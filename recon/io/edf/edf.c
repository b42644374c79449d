/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format EDF: scans as series of files, or of blocks in one file. Row 0 is taken for the top. */
#include "recon/io/edf/edf-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"

#include <string.h>
#include <unistd.h>

#define EXTENSIONS "edf"

typedef struct {
  char *path;
  int descriptor;
  uint64_t bytes;
  ct_edf_block block;
} edf_file;

static void codec_close(void *state) {
  edf_file *file = state;
  if (!file) return;
  if (file->descriptor >= 0) close(file->descriptor);
  ct_free(file->path);
  ct_free(file);
}

static void *codec_open(const char *path, ct_image_facts *facts, ct_error **error) {
  edf_file *file = ct_alloc_zero(1, sizeof *file, "an image", error);
  if (!file) return NULL;
  file->descriptor = -1;
  bool good = ct_file_size(path, &file->bytes, error) && (file->path = ct_strdup(path, error));
  good = good && (file->descriptor = ct_open_to_read(path, error)) >= 0;
  if (good && ct_edf_read_block(file->descriptor, path, 0, file->bytes, &file->block, error)) {
    *facts = file->block.facts;
    return file;
  }
  codec_close(file);
  return NULL;
}

/* Another block begins with "{", maybe behind line ends. */
static bool codec_next(void *state, bool *more, ct_image_facts *facts, ct_error **error) {
  edf_file *file = state;
  char head[16];
  *more = false;
  const uint64_t left = file->bytes - file->block.end;
  const size_t bytes = left < sizeof head ? (size_t)left : sizeof head;
  if (bytes == 0) return true;
  if (!ct_read_exactly(file->descriptor, file->path, head, bytes, (off_t)file->block.end, error)) return false;
  size_t at = 0;
  while (at < bytes && strchr("\r\n \t", head[at]) && head[at]) at++;
  if (at == bytes || head[at] != '{') return true;
  if (!ct_edf_read_block(file->descriptor, file->path, file->block.end + at, file->bytes, &file->block, error))
    return false;
  *facts = file->block.facts;
  return *more = true;
}

static uint64_t codec_tell(const void *state) {
  return ((const edf_file *)state)->block.begin;
}

static bool codec_seek(void *state, uint64_t page, ct_image_facts *facts, ct_error **error) {
  edf_file *file = state;
  if (file->block.begin != page &&
      !ct_edf_read_block(file->descriptor, file->path, page, file->bytes, &file->block, error))
    return false;
  *facts = file->block.facts;
  return true;
}

static bool codec_read(void *state, int row0, int rows, float *out, ct_error **error) {
  const edf_file *file = state;
  const ct_edf_block *block = &file->block;
  const size_t size = ct_sample_size(block->facts.type), width = (size_t)block->facts.width;
  unsigned char *row = ct_alloc(width, size, "a row of an image", error);
  bool good = row != NULL;
  for (int i = 0; good && i < rows; i++) {
    good = ct_read_exactly(file->descriptor, file->path, row, width * size,
                           (off_t)(block->data + (uint64_t)(row0 + i) * width * size), error);
    if (good) ct_samples_to_float(row, block->facts.type, block->big_endian, width, out + (size_t)i * width);
  }
  ct_free(row);
  return good;
}

static const ct_image_codec codec = {
    .title = "EDF",
    .extensions = EXTENSIONS,
    .open = codec_open,
    .close = codec_close,
    .next = codec_next,
    .tell = codec_tell,
    .seek = codec_seek,
    .read = codec_read,
};

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return ct_series_probe_folder(path, EXTENSIONS);
  size_t at = 0;
  while (at < header_size && strchr("\r\n \t", header[at]) && header[at]) at++;
  return ct_path_has_extension(path, EXTENSIONS)
             ? ct_probe_confidence(path, EXTENSIONS, at < header_size && header[at] == '{')
             : 0;
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  return ct_image_scan_open(&codec, path, options, error);
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  return ct_image_scan_reads(&codec, path, file);
}

const ct_format ct_format_edf = {
    .id = "edf",
    .title = "EDF series",
    .extensions = EXTENSIONS,
    .notes = "folder, numbered pattern, several blocks in a file; angles of the rotation motor",
    .images = "EDF",
    .probe = probe,
    .open_scan = open_scan,
    .reads = reads,
};
