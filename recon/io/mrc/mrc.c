/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format MRC: tilt series [view][row][column] with their angles in NAME.tlt or NAME.rawtlt, and volumes. The tilt
 * axis of an aligned series (.ali) runs along y, as the rotation axis here. */
#include "recon/io/mrc/mrc-private.h"

#include "recon/base/memory.h"
#include "recon/io/shared/series-private.h"

#define EXTENSIONS "mrc ali st rec"

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return 0;
  return ct_probe_confidence(path, EXTENSIONS, ct_mrc_is_header(header, header_size));
}

/* .st and .ali are tilt series, .rec is what was made of one; .mrc is either, unless angles lie beside it. */
static ct_content content(const char *path, const char *dataset) {
  if (ct_path_has_extension(path, "rec")) return CT_CONTENT_VOLUME;
  if (ct_path_has_extension(path, "st ali")) return CT_CONTENT_SCAN;
  char *angles = ct_series_angles_file(path, false);
  const ct_content found = angles ? CT_CONTENT_SCAN : CT_CONTENT_EITHER;
  ct_free(angles);
  return found;
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  ct_mrc mrc;
  if (!ct_mrc_read_header(path, &mrc, error)) return NULL;
  ct_scan_facts told = {.format = "MRC", .known = mrc.pitch[0] > 0 && mrc.pitch[1] > 0 ? CT_KNOWN_PITCH : 0};
  told.geometry.du = mrc.pitch[0];
  told.geometry.dv = mrc.pitch[1];
  return ct_array_scan_of_layout(&mrc.layout, &told, options, error);
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  return ct_series_angles_are_in(path, false, file);
}

static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  (void)options;
  ct_mrc mrc;
  if (!ct_mrc_read_header(path, &mrc, error)) return NULL;
  const ct_array_layout *l = &mrc.layout;
  const int counts[3] = {l->nx, l->ny, l->nz};
  const bool known = mrc.pitch[0] > 0;
  double first[3];
  for (int i = 0; i < 3; i++) {
    if (!(mrc.pitch[i] > 0)) mrc.pitch[i] = 1;
    first[i] = -0.5 * (counts[i] - 1) * mrc.pitch[i];
  }
  facts->grid = (ct_grid){l->nx, l->ny, l->nz, mrc.pitch[0], mrc.pitch[1], mrc.pitch[2], first[0], first[1], first[2]};
  facts->pitch_unknown = !known;
  ct_array *array = ct_array_open(&mrc.layout, error);
  if (array) facts->file_bytes = ct_array_file_bytes(array);
  return array;
}

static const ct_slice_reader reader = CT_ARRAY_READER(open_slices);

/* The header is read, so that a damaged one is named. */
static bool read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  ct_mrc mrc;
  *plan = NULL;
  if (!ct_mrc_read_header(path, &mrc, error)) return false;
  ct_array_layout_clear(&mrc.layout);
  return true;
}

const ct_format ct_format_mrc = {
    .id = "mrc",
    .title = "MRC",
    .extensions = EXTENSIONS,
    .notes = "tilt series with their angles in NAME.tlt or NAME.rawtlt",
    .probe = probe,
    .content = content,
    .open_scan = open_scan,
    .reads = reads,
    .reader = &reader,
    .read_plan = read_plan,
};
