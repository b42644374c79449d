/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format RabbitCT: filtered projections as a scan, reference volumes as volumes. */
#include "recon/io/rabbitct/rabbitct-private.h"

#include "recon/io/rabbitct/rabbitct.h"
#include "recon/io/shared/io-private.h"

#include <stdio.h>

#define EXTENSIONS "rctd rct"

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  uint64_t bytes;
  if (is_folder) return 0;
  return ct_probe_confidence(path, EXTENSIONS,
                             ct_file_size(path, &bytes, NULL) && ct_rabbitct_is(header, header_size, bytes));
}

static bool read_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  (void)kind;
  return ct_rabbitct_read(state, index, row0, rows, out, error);
}

static bool check_file(void *state, ct_error **error) {
  return ct_rabbitct_check(state, error);
}

static void free_frames(void *state) {
  ct_rabbitct_free(state);
}

static void describe(const ct_rabbitct_facts *facts, char *text, size_t size) {
  int used =
      snprintf(text, size,
               "The projections are already weighted and filtered for back-projection, so they are not filtered "
               "again. The volume is a cube of 256 mm about the origin: reconstruction.nx = 128, 256, 512 or 1024 "
               "is the problem of that size. Hounsfield units are %g f + %g. Reference volumes: ",
               (double)facts->scale[0], (double)facts->scale[1]);
  if (facts->references == 0) snprintf(text + used, size - (size_t)used, "none.");
  for (int r = 0; r < facts->references; r++)
    used += snprintf(text + used, size - (size_t)used, "%d^3%s", ct_rabbitct_edge(r),
                     r + 1 < facts->references ? ", " : ".");
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  ct_rabbitct *set = NULL;
  if (ct_rabbitct_check_projections(path, options ? options->dataset : NULL, error))
    set = ct_rabbitct_open(path, error);
  if (!set) return NULL;
  const ct_rabbitct_facts *facts = ct_rabbitct_get_facts(set);
  char note[480];
  describe(facts, note, sizeof note);
  const ct_scan_facts told = {
      .geometry = facts->geometry,
      .known = CT_KNOWN_ANGLES | CT_KNOWN_BEAM | CT_KNOWN_DISTANCES | CT_KNOWN_CENTRE,
      .values = CT_VALUES_FILTERED,
      .path = path,
      .format = facts->version == 2 ? "RabbitCT, version 2" : "RabbitCT, version 1",
      .note = note,
      .bytes = facts->bytes,
      .scale = ct_rabbitct_scale(facts),
  };
  return ct_scan_new(&told, (ct_scan_source){set, read_frame, free_frames, check_file}, error);
}

const ct_format ct_format_rabbitct = {
    .id = "rabbitct",
    .title = "RabbitCT",
    .extensions = EXTENSIONS,
    .notes = "both versions; filtered views with a 3 x 4 matrix each; reference volumes as FILE::/reference/256",
    .also_written = "by bench rabbitct",
    .datasets = true,
    .probe = probe,
    .content = ct_rabbitct_content_of,
    .open_scan = open_scan,
    .reader = &ct_rabbitct_reader,
    .read_plan = ct_rabbitct_read_plan,
    .list_datasets = ct_rabbitct_list_datasets,
};
