/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NRRD volumes [z][y][x], and scans as stacks [view][v][u], raw or gzip, with the samples behind the header (.nrrd) or
 * in a file of their own (.nhdr). */
#include "recon/io/nrrd/nrrd-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/units.h"
#include "recon/io/shared/meanings.h"
#include "recon/io/shared/series-private.h"

#include <string.h>

#define EXTENSIONS "nrrd nhdr"

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return 0;
  return ct_probe_confidence(path, EXTENSIONS, header_size >= 7 && memcmp(header, "NRRD000", 7) == 0);
}

/* Gantry marks its volumes; angles beside the file make a scan. */
static ct_content content(const char *path, const char *dataset) {
  ct_nrrd header;
  if (!ct_nrrd_read_header(path, &header, NULL)) return CT_CONTENT_EITHER;
  const bool is_volume = header.is_volume || header.plan;
  char *angles = is_volume ? NULL : ct_series_angles_file(path, false);
  const ct_content found = is_volume ? CT_CONTENT_VOLUME : angles ? CT_CONTENT_SCAN : CT_CONTENT_EITHER;
  ct_free(angles);
  ct_nrrd_clear(&header);
  return found;
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  ct_nrrd header;
  if (!ct_nrrd_read_header(path, &header, error)) return NULL;
  ct_remarks remarks = {0};
  ct_scan_facts told = {.format = "NRRD", .known = header.has_spacing ? CT_KNOWN_PITCH : 0, .remarks = &remarks};
  told.values = ct_values_told(header.unit, "the unit of its samples", ct_path_name(path), &remarks);
  told.geometry.du = header.grid.dx;
  told.geometry.dv = header.grid.dy;
  ct_scan *scan = NULL;
  if (header.is_volume || header.plan)
    ct_refuse_volume(path, error);
  else
    scan = ct_array_scan_of_layout(&header.layout, &told, options, error);
  ct_remarks_clear(&remarks);
  ct_nrrd_clear(&header);
  return scan;
}

static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  (void)options;
  ct_nrrd header;
  if (!ct_nrrd_read_header(path, &header, error)) return NULL;
  ct_array *array = ct_array_open(&header.layout, error);
  if (array)
    *facts = (ct_volume_facts){.grid = header.grid,
                               .pitch_unknown = !header.has_spacing,
                               .plan = header.plan,
                               .file_bytes = ct_array_file_bytes(array)};
  if (array) header.plan = NULL;
  ct_nrrd_clear(&header);
  return array;
}

static const ct_slice_reader reader = CT_ARRAY_READER(open_slices);

static bool read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  (void)dataset;
  ct_nrrd header;
  if (!ct_nrrd_read_header(path, &header, error)) return false;
  *plan = header.plan;
  header.plan = NULL;
  ct_nrrd_clear(&header);
  return true;
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  (void)options;
  ct_nrrd header;
  if (ct_series_angles_are_in(path, false, file)) return true;
  if (!ct_nrrd_read_header(path, &header, NULL)) return false;
  const bool found = ct_array_layout_holds(&header.layout, file);
  ct_nrrd_clear(&header);
  return found;
}

/* Newlines and backslashes escaped, as the format asks. */
static bool put_plan(FILE *file, const char *path, const char *plan, ct_error **error) {
  if (!ct_put_text(file, path, error, CT_NRRD_PLAN_KEY ":=")) return false;
  while (*plan) {
    const int length = (int)strcspn(plan, "\n\\");
    if (!ct_put_text(file, path, error, "%.*s%s", length, plan,
                     plan[length] == '\n' ? "\\n"
                     : plan[length]       ? "\\\\"
                                          : ""))
      return false;
    plan += length + (plan[length] ? 1 : 0);
  }
  return ct_put_text(file, path, error, "\n");
}

static bool put_header(FILE *file, const char *path, const ct_volume_header *header, const char *data_file,
                       long *size_place, ct_error **error) {
  (void)size_place; /* the header tells no size */
  const ct_grid *grid = &header->grid;
  const ct_units units = header->units;
  char x[32], y[32], z[32];
  bool good = ct_put_text(file, path, error,
                          "NRRD0005\n# Written by Gantry " GANTRY_VERSION "; values in %s\ntype: %s\ndimension: 3\n"
                          "space dimension: 3\nsizes: %d %d %d\nendian: %s\nencoding: %s\n",
                          units.value, header->integers ? "uint16" : "float", grid->nx, grid->ny, grid->nz,
                          ct_machine_is_big_endian() ? "big" : "little", header->compress ? "gzip" : "raw") &&
              ct_put_text(file, path, error,
                          "kinds: domain domain domain\nspace units: \"%s\" \"%s\" \"%s\"\n"
                          "space directions: (%s,0,0) (0,%s,0) (0,0,%s)\n",
                          units.length, units.length, units.length, ct_double_to_text(grid->dx, x),
                          ct_double_to_text(grid->dy, y), ct_double_to_text(grid->dz, z)) &&
              ct_put_text(file, path, error, "space origin: (%s,%s,%s)\n", ct_double_to_text(grid->x0, x),
                          ct_double_to_text(grid->y0, y), ct_double_to_text(grid->z0, z));
  if (good && header->integers) {
    /* Teem's cells: their centres, not their edges, are the values of the samples. */
    const double half = (header->high - header->low) / 65535.0 / 2;
    good = ct_put_text(file, path, error, "old min: %s\nold max: %s\n", ct_double_to_text(header->low - half, x),
                       ct_double_to_text(header->high + half, y));
  }
  good = good && ct_put_text(file, path, error, CT_NRRD_CONTENT_KEY ":=volume\n");
  if (good && header->plan) good = put_plan(file, path, header->plan, error);
  return good && (data_file ? ct_put_text(file, path, error, "data file: %s\n", data_file)
                            : ct_put_text(file, path, error, "\n"));
}

static const ct_array_form form = {.put_header = put_header, .packed = CT_ENCODE_GZIP};

static void *open_writer(const ct_volume_header *header, ct_error **error) {
  return ct_array_writer_open_beside(&form, header, "nhdr", "raw", "raw.gz", error);
}

static const ct_slice_writer writer = {
    .open = open_writer,
    .put = ct_array_writer_put,
    .close = ct_array_writer_close,
    .plain = true,
};

static const ct_companion companions[] = {{"nhdr", "raw"}, {"nhdr", "raw.gz"}, {NULL, NULL}};

const ct_format ct_format_nrrd = {
    .id = "nrrd",
    .title = "NRRD",
    .extensions = EXTENSIONS,
    .companions = companions,
    .probe = probe,
    .content = content,
    .open_scan = open_scan,
    .reader = &reader,
    .read_plan = read_plan,
    .reads = reads,
    .writer = &writer,
};
