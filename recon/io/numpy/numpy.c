/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format NumPy: scans [view][row][column], row 0 the lowest v, and volumes [z][y][x]. */
#include "recon/base/json-text.h"
#include "recon/io/numpy/numpy-private.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/io/shared/json-private.h"
#include "recon/io/shared/series-private.h"

#include <stdlib.h>
#include <string.h>

#define EXTENSIONS "npy npz"

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return 0;
  return ct_probe_confidence(path, EXTENSIONS,
                             header_size >= 6 && memcmp(header, ct_numpy_is_archive(path) ? "PK\3\4" : CT_NUMPY_MAGIC,
                                                        ct_numpy_is_archive(path) ? 4 : 6) == 0);
}

/* An archive of arrays of which none is known to be the scan is asked about. */
static ct_content is_open_question(const char *path, const char *dataset) {
  ct_npz npz;
  if (dataset || !ct_numpy_is_archive(path) || !ct_npz_open(path, &npz, NULL)) return CT_CONTENT_SCAN;
  const bool several = npz.count > 1;
  ct_npz_clear(&npz);
  return several ? CT_CONTENT_EITHER : CT_CONTENT_SCAN;
}

static ct_content content(const char *path, const char *dataset) {
  ct_numpy header;
  ct_npz npz;
  if (!ct_numpy_read_header(path, dataset, &header, NULL)) return is_open_question(path, dataset);
  if (ct_numpy_is_archive(path) && ct_npz_open(path, &npz, NULL)) {
    const bool told = ct_numpy_angles(&npz) != NULL;
    ct_npz_clear(&npz);
    if (told) {
      ct_numpy_clear(&header);
      return CT_CONTENT_SCAN;
    }
  }
  char *angles = header.is_volume ? NULL : ct_series_angles_file(path, false);
  const ct_content found = header.is_volume             ? CT_CONTENT_VOLUME
                           : angles || header.axes == 2 ? CT_CONTENT_SCAN
                                                        : CT_CONTENT_EITHER;
  ct_free(angles);
  ct_numpy_clear(&header);
  return found;
}

static ct_scan *with_angles(const char *path, ct_scan *scan, ct_error **error) {
  ct_npz npz;
  bool good = ct_npz_open(path, &npz, error);
  if (!good) npz = (ct_npz){0};
  const ct_npz_member *angles = ct_numpy_angles(&npz);
  good = good && (!angles || ct_numpy_take_angles(path, angles, scan, error));
  ct_npz_clear(&npz);
  if (good) return scan;
  ct_scan_free(scan);
  return NULL;
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  ct_numpy header;
  if (!ct_numpy_read_header(path, options ? options->dataset : NULL, &header, error)) return NULL;
  ct_scan *scan = NULL;
  if (header.is_volume)
    ct_refuse_volume(path, error);
  else
    scan = ct_array_scan_of_layout(&header.layout, &(ct_scan_facts){.format = "NumPy"}, options, error);
  ct_numpy_clear(&header);
  return scan && ct_numpy_is_archive(path) && !(options && options->ignore_angles) ? with_angles(path, scan, error)
                                                                                   : scan;
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  return ct_series_angles_are_in(path, false, file);
}

static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  ct_numpy header;
  if (!ct_numpy_read_header(path, options->dataset, &header, error)) return NULL;
  ct_array *array = ct_array_open(&header.layout, error);
  if (array)
    *facts = (ct_volume_facts){.grid = header.grid,
                               .pitch_unknown = header.in_pixels,
                               .plan = header.plan,
                               .file_bytes = ct_array_file_bytes(array),
                               .unit_bytes = ct_array_unit_bytes(array)};
  if (array) header.plan = NULL;
  ct_numpy_clear(&header);
  return array;
}

static const ct_slice_reader reader = CT_ARRAY_READER(open_slices);

static bool read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  ct_numpy header;
  if (!ct_numpy_read_header(path, dataset, &header, error)) return false;
  *plan = header.plan;
  header.plan = NULL;
  ct_numpy_clear(&header);
  return true;
}

/* The text is filled up so that the array begins at a multiple of 64 bytes. */
static bool put_header(FILE *file, const char *path, const ct_volume_header *header, const char *data_file,
                       long *size_place, ct_error **error) {
  const ct_grid *g = &header->grid;
  char text[246];
  const int used =
      snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%d, %d, %d), }",
               ct_machine_is_big_endian() ? '>' : '<', header->integers ? "u2" : "f4", g->nz, g->ny, g->nx);
  const int length = (used + 1 + 10 + 63) / 64 * 64 - 10;
  const unsigned char head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)length, 0};
  return ct_output_write(file, path, head, sizeof head, error) &&
         ct_put_text(file, path, error, "%-*s\n", length - 1, text);
}

static bool put_trailer(FILE *file, const char *path, const ct_volume_header *header, ct_error **error) {
  const ct_grid *g = &header->grid;
  json_t *root = json_pack("{s:[f,f,f], s:[f,f,f], s:s}", "spacing_mm", g->dx, g->dy, g->dz, "origin_mm", g->x0, g->y0,
                           g->z0, "unit", header->units.value);
  bool good = root != NULL;
  if (good && header->integers)
    good = json_object_set_new(root, "scale", json_real((header->high - header->low) / 65535)) == 0 &&
           json_object_set_new(root, "offset", json_real(header->low)) == 0;
  if (good && header->plan) good = json_object_set_new(root, "plan", json_string(header->plan)) == 0;
  char *text = good ? ct_json_text(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(root);
  if (!text)
    return ct_error_set(error, CT_ERROR_MEMORY,
                        "The end of %s cannot be made: memory is short or the plan is no UTF-8.", path);
  good = ct_put_text(file, path, error, "%s%s\n", CT_NUMPY_TRAILER, text);
  free(text);
  return good;
}

static const ct_array_form form = {.put_header = put_header, .put_trailer = put_trailer};

static void *open_writer(const ct_volume_header *header, ct_error **error) {
  if (ct_numpy_is_archive(header->path)) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "Cannot write %s: NumPy's archives are read only. Give the output the extension .npy.", header->path);
    return NULL;
  }
  return ct_array_writer_open(&form, header, header->path, NULL, error);
}

static const ct_slice_writer writer = {
    .open = open_writer,
    .put = ct_array_writer_put,
    .close = ct_array_writer_close,
};

const ct_format ct_format_numpy = {
    .id = "numpy",
    .title = "NumPy array",
    .extensions = EXTENSIONS,
    .notes = ".npz archives too, stored or deflated",
    .datasets = true,
    .probe = probe,
    .content = content,
    .open_scan = open_scan,
    .reads = reads,
    .reader = &reader,
    .read_plan = read_plan,
    .writer = &writer,
    .read_angles = ct_numpy_read_angles,
    .list_datasets = ct_numpy_list_datasets,
};
