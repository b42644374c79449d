/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deflated streams (RFC 1950 zlib, RFC 1952 gzip) in files through zlib, in pieces that fit its 32-bit counts. */
#include "recon/io/shared/inflate-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 256 << 10, PIECE = 1 << 30 };

struct ct_inflate {
  z_stream z;
  const char *path;
  int descriptor;
  off_t offset;
  uint64_t left; /* bytes of the file not yet read */
  bool ended;
  bool gzip;    /* another member may follow (RFC 1952, 2.2) */
  bool checked; /* by `crc`: a bare stream has no checksum of its own */
  uint32_t crc, found;
  unsigned char input[CHUNK];
};

static bool is_gzip(const unsigned char magic[2]) {
  return magic[0] == 0x1f && magic[1] == 0x8b;
}

static ct_inflate *open_stream(const char *path, int64_t offset, uint64_t limit, int window, ct_error **error) {
  uint64_t size;
  if (!ct_file_size(path, &size, error)) return NULL;
  if (offset < 0 || (uint64_t)offset >= size || (limit && limit > size - (uint64_t)offset)) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: its compressed data should begin at byte %lld%s", path,
                 (long long)offset, limit ? " and are shorter than its header says" : "");
    return NULL;
  }
  ct_inflate *stream = ct_alloc_zero(1, sizeof *stream, "a decompressor", error);
  if (!stream) return NULL;
  stream->path = path;
  stream->offset = (off_t)offset;
  stream->left = limit ? limit : size - (uint64_t)offset;
  stream->descriptor = ct_open_to_read(path, error);
  if (stream->descriptor < 0) {
    ct_free(stream);
    return NULL;
  }
  if (inflateInit2(&stream->z, window) != Z_OK) {
    ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to decompress %s", path);
    close(stream->descriptor);
    ct_free(stream);
    return NULL;
  }
  return stream;
}

ct_inflate *ct_inflate_open(const char *path, int64_t offset, uint64_t limit, ct_error **error) {
  unsigned char magic[2] = {0};
  /* 32: zlib tells zlib and gzip headers apart */
  ct_inflate *stream = open_stream(path, offset, limit, 15 + 32, error);
  const size_t bytes = stream && stream->left < sizeof magic ? (size_t)stream->left : sizeof magic;
  if (stream && !ct_read_exactly(stream->descriptor, path, magic, bytes, stream->offset, error)) {
    ct_inflate_close(stream);
    return NULL;
  }
  if (stream) stream->gzip = is_gzip(magic);
  return stream;
}

ct_inflate *ct_inflate_open_bare(const char *path, int64_t offset, uint64_t limit, size_t skipped, uint32_t crc,
                                 ct_error **error) {
  ct_inflate *stream = open_stream(path, offset, limit, -15, error);
  unsigned char passed[4096];
  bool good = stream != NULL;
  if (good) {
    stream->checked = true;
    stream->crc = crc;
  }
  while (good && skipped > 0) {
    const size_t bytes = skipped < sizeof passed ? skipped : sizeof passed;
    good = ct_inflate_read(stream, passed, bytes, error);
    skipped -= bytes;
  }
  if (good) return stream;
  ct_inflate_close(stream);
  return NULL;
}

void ct_inflate_close(ct_inflate *stream) {
  if (!stream) return;
  inflateEnd(&stream->z);
  close(stream->descriptor);
  ct_free(stream);
}

static bool refill(ct_inflate *stream, ct_error **error) {
  const size_t bytes = stream->left < CHUNK ? (size_t)stream->left : CHUNK;
  if (bytes == 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: its compressed data are cut off", stream->path);
  if (!ct_read_exactly(stream->descriptor, stream->path, stream->input, bytes, stream->offset, error)) return false;
  stream->offset += (off_t)bytes;
  stream->left -= bytes;
  stream->z.next_in = stream->input;
  stream->z.avail_in = (uInt)bytes;
  return true;
}

/* Whether another member of a gzip file begins behind one that has ended; it is made ready. Other bytes are not looked
 * at. */
static bool next_member(ct_inflate *stream, bool *another, ct_error **error) {
  unsigned char *input = stream->input;
  *another = false;
  if (!stream->gzip) return true;
  if (stream->z.avail_in < 2 && stream->left > 0) {
    /* The two bytes that it begins with may stand in two pieces. */
    const size_t kept = stream->z.avail_in, room = CHUNK - kept,
                 bytes = stream->left < room ? (size_t)stream->left : room;
    memmove(input, stream->z.next_in, kept);
    if (!ct_read_exactly(stream->descriptor, stream->path, input + kept, bytes, stream->offset, error)) return false;
    stream->offset += (off_t)bytes;
    stream->left -= bytes;
    stream->z.next_in = input;
    stream->z.avail_in = (uInt)(kept + bytes);
  }
  *another = stream->z.avail_in >= 2 && is_gzip(stream->z.next_in);
  return !*another || inflateReset(&stream->z) == Z_OK ||
         ct_error_set(error, CT_ERROR_FORMAT, "%s is damaged: its compressed data cannot be decoded", stream->path);
}

/* Inflates into the present output until it is full or the stream ends. */
static bool run(ct_inflate *stream, ct_error **error) {
  while (stream->z.avail_out > 0 && !stream->ended) {
    if (stream->z.avail_in == 0 && !refill(stream, error)) return false;
    const Bytef *begin = stream->z.next_out;
    const int state = inflate(&stream->z, Z_NO_FLUSH);
    if (stream->checked) stream->found = (uint32_t)crc32(stream->found, begin, (uInt)(stream->z.next_out - begin));
    if (state == Z_STREAM_END) {
      bool another;
      if (!next_member(stream, &another, error)) return false;
      stream->ended = !another;
    } else if (state == Z_MEM_ERROR)
      return ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to decompress %s", stream->path);
    else if (state != Z_OK && state != Z_BUF_ERROR)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s is damaged: its compressed data cannot be decoded (%s)",
                          stream->path, stream->z.msg ? stream->z.msg : "unknown error");
  }
  return true;
}

bool ct_inflate_read(ct_inflate *stream, void *out, size_t bytes, ct_error **error) {
  unsigned char *to = out;
  while (bytes > 0) {
    const size_t piece = bytes < PIECE ? bytes : PIECE;
    stream->z.next_out = to;
    stream->z.avail_out = (uInt)piece;
    if (!run(stream, error)) return false;
    if (stream->z.avail_out > 0)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s holds fewer samples than its header says", stream->path);
    to += piece;
    bytes -= piece;
  }
  return true;
}

bool ct_inflate_finish(ct_inflate *stream, ct_error **error) {
  unsigned char one;
  stream->z.next_out = &one;
  stream->z.avail_out = 1;
  if (!run(stream, error)) return false;
  if (stream->z.avail_out == 0)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s holds more samples than its header says", stream->path);
  if (stream->checked && stream->found != stream->crc)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is damaged: the checksum of its compressed data is another",
                        stream->path);
  return true;
}

struct ct_deflate {
  z_stream z;
  FILE *file;
  const char *path;
  uint64_t written;
  unsigned char output[CHUNK];
};

ct_deflate *ct_deflate_open(FILE *file, const char *path, bool gzip, ct_error **error) {
  ct_deflate *stream = ct_alloc_zero(1, sizeof *stream, "a compressor", error);
  if (!stream) return NULL;
  stream->file = file;
  stream->path = path;
  /* Fastest compression: higher ones hardly shrink noisy samples. */
  if (deflateInit2(&stream->z, 1, Z_DEFLATED, gzip ? 15 + 16 : 15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to compress %s", path);
    ct_free(stream);
    return NULL;
  }
  return stream;
}

bool ct_deflate_write(ct_deflate *stream, const void *data, size_t bytes, bool last, ct_error **error) {
  const unsigned char *from = data;
  do {
    const size_t piece = bytes < PIECE ? bytes : PIECE;
    const bool end = last && piece == bytes;
    stream->z.next_in = (z_const Bytef *)from;
    stream->z.avail_in = (uInt)piece;
    do {
      stream->z.next_out = stream->output;
      stream->z.avail_out = CHUNK;
      if (deflate(&stream->z, end ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
        return ct_error_set(error, CT_ERROR_IO, "Cannot compress the data of %s", stream->path);
      const size_t got = CHUNK - stream->z.avail_out;
      if (!ct_output_write(stream->file, stream->path, stream->output, got, error)) return false;
      stream->written += got;
    } while (stream->z.avail_out == 0);
    from += piece;
    bytes -= piece;
  } while (bytes > 0);
  return true;
}

uint64_t ct_deflate_written(const ct_deflate *stream) {
  return stream->written;
}

void ct_deflate_close(ct_deflate *stream) {
  if (!stream) return;
  deflateEnd(&stream->z);
  ct_free(stream);
}
