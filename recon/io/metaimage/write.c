/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing MetaImages: .mha in one file, .mhd with its samples in NAME.raw (NAME.zraw when compressed) beside it. */
#include "recon/io/metaimage/metaimage-private.h"

#include <errno.h>
#include <stdio.h>

enum { PLAN_PIECE = 360 };

/* The plan over lines of fewer than 500 bytes; newlines, '%' and what a reader would strip at either end as %XX. */
static bool put_plan(FILE *file, const char *path, const char *plan, ct_error **error) {
  for (int number = 1; *plan; number++) {
    char piece[PLAN_PIECE + 8];
    size_t n = 0;
    while (*plan && n < PLAN_PIECE) {
      const unsigned char c = (unsigned char)*plan++;
      const bool edge = n == 0 || n + 3 >= PLAN_PIECE || !*plan;
      if (c == '%' || c < ' ' || (edge && (c == ' ' || c == '=' || c == ':')))
        n += (size_t)snprintf(piece + n, 4, "%%%02X", c);
      else
        piece[n++] = (char)c;
    }
    piece[n] = 0;
    if (!ct_put_text(file, path, error, CT_METAIMAGE_PLAN_KEY "%04d = %s\n", number, piece)) return false;
  }
  return true;
}

static bool put_header(FILE *file, const char *path, const ct_volume_header *header, const char *data_file,
                       long *size_place, ct_error **error) {
  const ct_grid *grid = &header->grid;
  char x[32], y[32], z[32];
  bool good = ct_put_text(file, path, error,
                          "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
                          "CompressedData = %s\n",
                          ct_machine_is_big_endian() ? "True" : "False", header->compress ? "True" : "False");
  if (good && header->compress) {
    good = ct_put_text(file, path, error, "CompressedDataSize = ");
    *size_place = ftell(file);
    good = good && *size_place >= 0 && ct_put_text(file, path, error, "%-20d\n", 0);
  }
  /* The format has no unit: where only a plan could tell it, or nobody can, its default of 1 is not stated. */
  const bool known = header->plan || !ct_units_are_pixels(header->units);
  good = good &&
         ct_put_text(file, path, error,
                     "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = %s %s %s\nCenterOfRotation = 0 0 0\n",
                     ct_double_to_text(grid->x0, x), ct_double_to_text(grid->y0, y), ct_double_to_text(grid->z0, z)) &&
         (!known || ct_put_text(file, path, error, "ElementSpacing = %s %s %s\n", ct_double_to_text(grid->dx, x),
                                ct_double_to_text(grid->dy, y), ct_double_to_text(grid->dz, z))) &&
         ct_put_text(file, path, error, "DimSize = %d %d %d\n", grid->nx, grid->ny, grid->nz);
  if (good && header->integers)
    good =
        ct_put_text(file, path, error, "ElementToIntensityFunctionSlope = %s\nElementToIntensityFunctionOffset = %s\n",
                    ct_double_to_text((header->high - header->low) / 65535.0, x), ct_double_to_text(header->low, y));
  good = good && ct_put_text(file, path, error, CT_METAIMAGE_CONTENT_KEY " = Volume\n");
  if (good && header->plan) good = put_plan(file, path, header->plan, error);
  return good && ct_put_text(file, path, error, "ElementType = %s\nElementDataFile = %s\n",
                             header->integers ? "MET_USHORT" : "MET_FLOAT", data_file ? data_file : "LOCAL");
}

static bool put_size(FILE *file, const char *path, long size_place, uint64_t bytes, ct_error **error) {
  errno = 0;
  if (fseek(file, size_place, SEEK_SET) != 0) return ct_error_set_errno(error, errno, "Cannot write %s", path);
  return ct_put_text(file, path, error, "%-20llu", (unsigned long long)bytes);
}

static const ct_array_form form = {.put_header = put_header, .put_size = put_size, .packed = CT_ENCODE_ZLIB};

static void *open_writer(const ct_volume_header *header, ct_error **error) {
  return ct_array_writer_open_beside(&form, header, "mhd", "raw", "zraw", error);
}

const ct_slice_writer ct_metaimage_writer = {
    .open = open_writer,
    .put = ct_array_writer_put,
    .close = ct_array_writer_close,
    .plain = true,
};
