/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MetaImage (.mha, .mhd): volumes [z][y][x], and scans as stacks [view][v][u], u fastest, row 0 the lowest v. */
#include "recon/io/metaimage/metaimage-private.h"

#include "recon/base/memory.h"
#include "recon/io/shared/series-private.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define EXTENSIONS "mha mhd"

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return 0;
  const bool typed = header_size >= 10 && strncasecmp((const char *)header, "ObjectType", 10) == 0;
  const bool counted = header_size >= 5 && strncasecmp((const char *)header, "NDims", 5) == 0;
  return ct_probe_confidence(path, EXTENSIONS, typed || counted);
}

/* Gantry marks its volumes; angles beside the file make a scan. Others are both: projections of RTK are
 * MetaImages with their geometry elsewhere. */
static ct_content content(const char *path, const char *dataset) {
  (void)dataset;
  ct_metaimage header;
  if (!ct_metaimage_read_header(path, &header, NULL)) return CT_CONTENT_EITHER;
  char *angles = header.is_volume ? NULL : ct_series_angles_file(path, false);
  const ct_content found = header.is_volume ? CT_CONTENT_VOLUME : angles ? CT_CONTENT_SCAN : CT_CONTENT_EITHER;
  ct_free(angles);
  ct_metaimage_clear(&header);
  return found;
}

/* The header's facts as a scan's. Offset is where ITK puts the centre of pixel 0, and RTK counts it from the foot of
 * the source's perpendicular: it then tells the pixel that the isocentre projects to. An offset of 0 tells nothing. */
static bool fill_facts(const ct_metaimage *header, const ct_array_layout *layout, bool ignore_angles,
                       ct_scan_facts *facts, ct_error **error) {
  if (!ct_geometry_init(&facts->geometry, CT_BEAM_PARALLEL, layout->nx, layout->ny, layout->nz, error)) return false;
  if (header->has_spacing) {
    facts->geometry.du = header->spacing[0];
    facts->geometry.dv = header->spacing[1];
    facts->known |= CT_KNOWN_PITCH;
  }
  const double u = -header->offset[0] / header->spacing[0], v = -header->offset[1] / header->spacing[1];
  if (header->has_offset && header->offset[0] != 0 && u >= 0 && u <= layout->nx - 1 && v >= 0 && v <= layout->ny - 1) {
    facts->geometry.centre_u = u;
    facts->geometry.centre_v = v;
    facts->known |= CT_KNOWN_CENTRE;
  }
  if (header->has_offset && !(header->offset[0] == 0 && header->offset[1] == 0)) {
    facts->has_origin = true;
    facts->origin_u = header->offset[0];
    facts->origin_v = header->offset[1];
  }
  if (header->turned)
    ct_remarks_add(facts->remarks, CT_REMARK_DOUBT, ct_path_name(layout->path),
                   "its TransformMatrix turns or mirrors the axes, which is left out of account: columns and rows are "
                   "taken as stored (flip_rows and flip_columns in a scan description mirror them)");
  facts->path = layout->path;
  facts->format = "MetaImage";
  facts->integers = ct_sample_is_integer(layout->type) && !layout->scaled;
  ct_series_assume_angles(facts);
  return ignore_angles || ct_series_angles(layout->path, false, facts, error);
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  ct_metaimage header;
  if (!ct_metaimage_read_header(path, &header, error)) return NULL;
  if (header.is_volume) {
    ct_metaimage_clear(&header);
    ct_refuse_volume(path, error);
    return NULL;
  }
  ct_scan *scan = NULL;
  ct_remarks remarks = {0};
  ct_scan_facts facts = {.remarks = &remarks};
  const bool ignore_angles = options && options->ignore_angles;
  /* The header is checked against the file before the geometry takes memory for as many views as it promises. */
  ct_array *array = ct_array_open(&header.layout, error);
  if (array && fill_facts(&header, ct_array_get_layout(array), ignore_angles, &facts, error) &&
      ct_array_unpack(array, error)) {
    facts.bytes = ct_array_file_bytes(array);
    scan = ct_array_scan(array, &facts, error);
    array = NULL;
  }
  ct_array_free(array);
  ct_remarks_clear(&remarks);
  ct_geometry_clear(&facts.geometry);
  ct_metaimage_clear(&header);
  return scan;
}

/* Whether the header names `file` as one of its samples' files, or the angles are in it. */
static bool reads(const char *path, const ct_open_options *options, const char *file) {
  (void)options;
  ct_metaimage header;
  bool found = ct_series_angles_are_in(path, false, file);
  if (found || !ct_metaimage_read_header(path, &header, NULL)) return found;
  found = ct_array_layout_holds(&header.layout, file);
  ct_metaimage_clear(&header);
  return found;
}

static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  (void)options;
  ct_metaimage header;
  if (!ct_metaimage_read_header(path, &header, error)) return NULL;
  const ct_array_layout *layout = &header.layout;
  const ct_grid grid = {layout->nx,        layout->ny,       layout->nz,       header.spacing[0], header.spacing[1],
                        header.spacing[2], header.offset[0], header.offset[1], header.offset[2]};
  ct_array *array = NULL;
  if (header.turned)
    ct_error_set(error, CT_ERROR_UNSUPPORTED,
                 "%s has turned or mirrored axes (TransformMatrix); only straight ones are read", path);
  else if ((array = ct_array_open(&header.layout, error))) {
    *facts = (ct_volume_facts){.grid = grid,
                               .pitch_unknown = !header.has_spacing,
                               .plan = header.plan,
                               .file_bytes = ct_array_file_bytes(array)};
    header.plan = NULL;
  }
  ct_metaimage_clear(&header);
  return array;
}

static const ct_slice_reader reader = CT_ARRAY_READER(open_slices);

static bool read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  (void)dataset;
  ct_metaimage header;
  if (!ct_metaimage_read_header(path, &header, error)) return false;
  *plan = header.plan;
  header.plan = NULL;
  ct_metaimage_clear(&header);
  return true;
}

static const ct_companion companions[] = {{"mhd", "raw"}, {"mhd", "zraw"}, {NULL, NULL}};

const ct_format ct_format_metaimage = {
    .id = "metaimage",
    .title = "MetaImage",
    .extensions = EXTENSIONS,
    .companions = companions,
    .probe = probe,
    .content = content,
    .open_scan = open_scan,
    .reads = reads,
    .reader = &reader,
    .read_plan = read_plan,
    .writer = &ct_metaimage_writer,
};
