/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing MetaImages: .mha in one file, .mhd with its samples in NAME.raw (NAME.zraw when compressed) beside it. */
#include "recon/io/metaimage-private.h"

#include "recon/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

typedef struct writing {
  const ct_volume *volume;
  ct_samples samples;
  double low, high;
  bool compress;
  long size_place; /* where the compressed size is to be filled in */
} writing;

static bool put_header(FILE *file, const char *path, void *state, const char *data_file, ct_error **error) {
  writing *w = state;
  const ct_grid *grid = ct_volume_grid(w->volume);
  const bool integers = w->samples == CT_SAMPLES_UINT16;
  char x[32], y[32], z[32];
  bool good = ct_put_text(file, path, error,
                          "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
                          "CompressedData = %s\n",
                          ct_machine_is_big_endian() ? "True" : "False", w->compress ? "True" : "False");
  if (good && w->compress) {
    good = ct_put_text(file, path, error, "CompressedDataSize = ");
    w->size_place = ftell(file);
    good = good && w->size_place >= 0 && ct_put_text(file, path, error, "%-20d\n", 0);
  }
  good =
      good &&
      ct_put_text(file, path, error,
                  "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = %s %s %s\nCenterOfRotation = 0 0 0\n",
                  ct_double_to_text(grid->x0, x), ct_double_to_text(grid->y0, y), ct_double_to_text(grid->z0, z)) &&
      ct_put_text(file, path, error, "ElementSpacing = %s %s %s\nDimSize = %d %d %d\n", ct_double_to_text(grid->dx, x),
                  ct_double_to_text(grid->dy, y), ct_double_to_text(grid->dz, z), grid->nx, grid->ny, grid->nz);
  if (good && integers)
    good =
        ct_put_text(file, path, error, "ElementToIntensityFunctionSlope = %s\nElementToIntensityFunctionOffset = %s\n",
                    ct_double_to_text((w->high - w->low) / 65535.0, x), ct_double_to_text(w->low, y));
  const char *plan = ct_volume_get_plan(w->volume);
  if (good && plan) good = put_plan(file, path, plan, error);
  return good && ct_put_text(file, path, error, "ElementType = %s\nElementDataFile = %s\n",
                             integers ? "MET_USHORT" : "MET_FLOAT", data_file ? data_file : "LOCAL");
}

static bool put_size(FILE *file, const char *path, void *state, uint64_t bytes, ct_error **error) {
  const writing *w = state;
  if (!w->compress) return true;
  errno = 0;
  if (fseek(file, w->size_place, SEEK_SET) != 0) return ct_error_set_errno(error, errno, "Cannot write %s", path);
  return ct_put_text(file, path, error, "%-20llu", (unsigned long long)bytes);
}

bool ct_metaimage_write(const char *path, const ct_volume *volume, const ct_write_options *options, ct_job *job,
                        ct_error **error) {
  writing w = {.volume = volume};
  if (options) {
    w.samples = options->samples;
    w.compress = options->compress;
  }
  if (w.samples == CT_SAMPLES_UINT16) ct_write_range(volume, options, &w.low, &w.high);
  ct_array_output output = {.path = path,
                            .put_header = put_header,
                            .put_size = put_size,
                            .state = &w,
                            .volume = volume,
                            .samples = w.samples,
                            .low = w.low,
                            .high = w.high,
                            .encoding = w.compress ? CT_ENCODE_ZLIB : CT_ENCODE_PLAIN};
  if (!ct_path_has_extension(path, "mhd")) return ct_array_output_write(&output, job, error);
  const int stem = (int)(strlen(path) - strlen(ct_path_extension(path)));
  char *data_path = ct_strprintf("%.*s%s", stem, path, w.compress ? "zraw" : "raw");
  if (!data_path) return ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to write %s", path);
  output.data_path = data_path;
  const bool good = ct_array_output_write(&output, job, error);
  ct_free(data_path);
  return good;
}
