/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures that are sinograms, [detector row][view][column], read as projections. A view takes one row of every
 * picture; pictures that are asked for are kept decoded, [view][column] each, as far as a share of the free memory
 * goes: opening and decoding one for each of its rows would take as many times as long. */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"

#include <stdio.h>
#include <string.h>

/* Of what is free when the scan is opened. */
enum { KEPT_SHARE = 4 };

typedef struct {
  ct_scan *pictures;
  int nu, views, rows;
  float **kept; /* [rows]; NULL: not decoded yet */
  size_t room;  /* pictures that may still be kept */
} sinograms;

static void free_sinograms(void *state) {
  sinograms *s = state;
  if (!s) return;
  for (int i = 0; s->kept && i < s->rows; i++) ct_free(s->kept[i]);
  ct_free(s->kept);
  ct_scan_free(s->pictures);
  ct_free(s);
}

/* Rows [row0, row0 + rows) of picture `index`, in the file's order. */
static bool read_picture(const sinograms *s, int index, int row0, int rows, float *out, ct_error **error) {
  const ct_frame_rows part = {.kind = CT_FRAME_PROJECTION, .index = index, .row0 = row0, .rows = rows};
  return ct_scan_read_flipped(s->pictures, &part, out, error);
}

/* Decodes a picture where there is room; false only with an error of the file. */
static bool keep(sinograms *s, int index, ct_error **error) {
  if (s->kept[index] || s->room == 0) return true;
  float *values = ct_alloc((size_t)s->views * (size_t)s->nu, sizeof *values, "a sinogram", NULL);
  if (!values) {
    s->room = 0;
    return true;
  }
  if (!read_picture(s, index, 0, s->views, values, error)) {
    ct_free(values);
    return false;
  }
  s->kept[index] = values;
  s->room--;
  return true;
}

static bool read_rows(void *state, ct_frame_kind kind, int view, int row0, int rows, float *out, ct_error **error) {
  sinograms *s = state;
  const size_t nu = (size_t)s->nu;
  if (kind != CT_FRAME_PROJECTION) return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no such frame.");
  for (int i = 0; i < rows; i++) {
    float *to = out + (size_t)i * nu;
    if (!keep(s, row0 + i, error)) return false;
    if (s->kept[row0 + i])
      memcpy(to, s->kept[row0 + i] + (size_t)view * nu, nu * sizeof *to);
    else if (!read_picture(s, row0 + i, view, 1, to, error))
      return false;
  }
  return true;
}

static bool check_pictures(void *state, ct_error **error) {
  const sinograms *s = state;
  return ct_scan_check(s->pictures, error);
}

/* The facts of the pictures, turned; false with an error. `note` holds the note. */
static bool turn_facts(ct_scan_facts *facts, const ct_open_options *options, bool is_stack, char note[512],
                       ct_error **error) {
  const ct_geometry given = facts->geometry;
  facts->geometry = (ct_geometry){0};
  if (!ct_geometry_init(&facts->geometry, CT_BEAM_PARALLEL, given.nu, given.views, given.nv, error)) return false;
  /* Only columns have a pitch of their own in a sinogram; a detector's pixels are taken as square. */
  if (facts->known & CT_KNOWN_PITCH) facts->geometry.du = facts->geometry.dv = given.du;
  facts->known &= CT_KNOWN_PITCH;
  facts->layout = CT_LAYOUT_SINOGRAMS;
  facts->note = NULL;
  if (options->ignore_angles)
    facts->note = ct_assume_angles(&facts->geometry);
  else if (!ct_series_angles(facts->path, is_stack, facts, error))
    return false;
  if (facts->flats || facts->darks)
    snprintf(note, 512, "%d flats and %d darks beside the sinograms were left out: name them in a description. %s",
             facts->flats, facts->darks, facts->note ? facts->note : "");
  if (facts->flats || facts->darks) facts->note = note;
  facts->flats = facts->darks = 0;
  facts->flat_positions = facts->dark_positions = NULL;
  facts->together = 0;
  return true;
}

ct_scan *ct_scan_of_sinograms(ct_scan *pictures, const ct_open_options *options, bool is_stack, ct_error **error) {
  ct_scan_facts facts = *ct_scan_get_facts(pictures);
  ct_remarks remarks = {0};
  facts.remarks = &remarks;
  facts.numbers = NULL; /* of pictures, which are no views */
  const int nu = facts.geometry.nu, views = facts.geometry.nv, rows = facts.geometry.views;
  sinograms *s = ct_alloc_zero(1, sizeof *s, "the scan", error);
  if (!s) {
    ct_scan_free(pictures);
    return NULL;
  }
  const size_t bytes = (size_t)nu * (size_t)views * sizeof(float);
  char note[512];
  *s = (sinograms){.pictures = pictures, .nu = nu, .views = views, .rows = rows};
  s->room = ct_memory_available() / KEPT_SHARE / bytes;
  s->kept = ct_alloc_zero((size_t)rows, sizeof *s->kept, "the scan", error);
  ct_scan *scan = NULL;
  const bool turned = s->kept;
  if (turned && turn_facts(&facts, options, is_stack, note, error))
    scan = ct_scan_new(&facts, (ct_scan_source){s, read_rows, free_sinograms, check_pictures}, error);
  else
    free_sinograms(s);
  if (turned) ct_geometry_clear(&facts.geometry);
  ct_remarks_clear(&remarks);
  return scan;
}
