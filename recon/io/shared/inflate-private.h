/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A zlib or gzip stream inside a file, inflated piece by piece, and the deflating counterpart. */
#ifndef CT_IO_INFLATE_PRIVATE_H
#define CT_IO_INFLATE_PRIVATE_H

#include "recon/io/shared/io-private.h"
#include "recon/base/output.h"

/* Deflate expands by at most this factor (zlib's technical details: 1032:1). */
#define CT_DEFLATE_RATIO 1032

typedef struct ct_inflate ct_inflate;
/* limit: bytes of the stream at most; 0: up to the end of the file. The path is borrowed. */
ct_inflate *ct_inflate_open(const char *path, int64_t offset, uint64_t limit, ct_error **error);
/* A bare deflated stream (RFC 1951), as ZIP archives hold them, of which `skipped` bytes are passed over; `crc`
 * is the checksum (CRC-32) of its contents, which ct_inflate_finish compares. */
ct_inflate *ct_inflate_open_bare(const char *path, int64_t offset, uint64_t limit, size_t skipped, uint32_t crc,
                                 ct_error **error);
void ct_inflate_close(ct_inflate *stream);
/* Exactly `bytes`, or CT_ERROR_FORMAT. */
bool ct_inflate_read(ct_inflate *stream, void *out, size_t bytes, ct_error **error);
/* The stream must be at its end here, checksum right. */
bool ct_inflate_finish(ct_inflate *stream, ct_error **error);

typedef struct ct_deflate ct_deflate;
ct_deflate *ct_deflate_open(FILE *file, const char *path, bool gzip, ct_error **error);
/* last: ends the stream. */
bool ct_deflate_write(ct_deflate *stream, const void *data, size_t bytes, bool last, ct_error **error);
uint64_t ct_deflate_written(const ct_deflate *stream);
void ct_deflate_close(ct_deflate *stream);

#endif
