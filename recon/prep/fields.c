/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flat and dark fields over the run: frames taken at the same moment form a set and are averaged; only the two sets
 * next to the present projection are in memory. From five frames on each pixel's lowest and highest value are left out
 * of the mean, so that a zinger in one flat does not become a ring. */
#include "recon/prep/prep-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double position;
  int frame;
} taken;

static int compare_taken(const void *a, const void *b) {
  const taken *p = a, *q = b;
  if (p->position != q->position) return p->position < q->position ? -1 : 1;
  return p->frame - q->frame;
}

static bool sort_into_sets(ct_fields *fields, const double *positions, ct_error **error) {
  taken *sorted = ct_alloc((size_t)fields->frames, sizeof *sorted, "the order of the flat fields", error);
  if (!sorted) return false;
  for (int i = 0; i < fields->frames; i++)
    sorted[i] = (taken){positions && isfinite(positions[i]) ? positions[i] : 0, i};
  qsort(sorted, (size_t)fields->frames, sizeof *sorted, compare_taken);
  for (int i = 0; i < fields->frames; i++) {
    fields->order[i] = sorted[i].frame;
    if (i == 0 || sorted[i].position > sorted[i - 1].position) {
      fields->begins[fields->sets] = i;
      fields->positions[fields->sets++] = sorted[i].position;
    }
  }
  fields->begins[fields->sets] = fields->frames;
  ct_free(sorted);
  return true;
}

bool ct_fields_open(ct_fields *fields, ct_scan *scan, ct_frame_kind kind, int row0, int rows, bool flip_rows,
                    bool flip_columns, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  *fields = (ct_fields){.scan = scan,
                        .kind = kind,
                        .nu = facts->geometry.nu,
                        .row0 = row0,
                        .rows = rows,
                        .flip_rows = flip_rows,
                        .flip_columns = flip_columns,
                        .held = {-1, -1}};
  fields->frames = kind == CT_FRAME_FLAT ? facts->flats : facts->darks;
  const double *positions = kind == CT_FRAME_FLAT ? facts->flat_positions : facts->dark_positions;
  const size_t frames = (size_t)fields->frames, pixels = (size_t)rows * (size_t)fields->nu;
  fields->order = ct_alloc(frames, sizeof *fields->order, "the order of the flat fields", error);
  fields->begins =
      fields->order ? ct_alloc(frames + 1, sizeof *fields->begins, "the sets of flat fields", error) : NULL;
  fields->positions =
      fields->begins ? ct_alloc(frames, sizeof *fields->positions, "the sets of flat fields", error) : NULL;
  for (int i = 0; i < 2; i++)
    fields->data[i] = fields->positions ? ct_alloc(pixels, sizeof(float), "a flat or dark field", error) : NULL;
  fields->work =
      fields->data[0] && fields->data[1] ? ct_alloc(pixels, 4 * sizeof(float), "a flat or dark field", error) : NULL;
  if (fields->work && sort_into_sets(fields, positions, error)) return true;
  ct_fields_close(fields);
  return false;
}

void ct_fields_close(ct_fields *fields) {
  ct_free(fields->order);
  ct_free(fields->begins);
  ct_free(fields->positions);
  ct_free(fields->data[0]);
  ct_free(fields->data[1]);
  ct_free(fields->work);
  *fields = (ct_fields){.held = {-1, -1}};
}

void ct_fields_find(const ct_fields *fields, int index, int *before, int *after, double *share) {
  /* A position counts the projections before it, so projection `index` happens half a step after position `index`. */
  const double time = index + 0.5;
  int next = 0;
  while (next < fields->sets && fields->positions[next] <= time) next++;
  *before = next > 0 ? next - 1 : 0;
  *after = next < fields->sets ? next : fields->sets - 1;
  const double width = fields->positions[*after] - fields->positions[*before];
  *share = width > 0 ? (time - fields->positions[*before]) / width : 0;
}

/* Mean of a set into out. Non-finite values do not count; a pixel without any value becomes NaN. */
static bool average(ct_fields *fields, int set, float *out, ct_job *job, ct_error **error) {
  const ptrdiff_t pixels = (ptrdiff_t)fields->rows * fields->nu;
  float *frame = fields->work, *low = frame + pixels, *high = low + pixels, *count = high + pixels;
  for (ptrdiff_t p = 0; p < pixels; p++) {
    out[p] = 0;
    count[p] = 0;
    low[p] = INFINITY;
    high[p] = -INFINITY;
  }
  for (int i = fields->begins[set]; i < fields->begins[set + 1]; i++) {
    if (!ct_job_may_go_on(job, error)) return false;
    if (!ct_scan_read_flipped(fields->scan,
                              &(ct_frame_rows){.kind = fields->kind,
                                               .index = fields->order[i],
                                               .row0 = fields->row0,
                                               .rows = fields->rows,
                                               .flip_rows = fields->flip_rows,
                                               .flip_columns = fields->flip_columns},
                              frame, error))
      return false;
#pragma omp parallel for schedule(static)
    for (ptrdiff_t p = 0; p < pixels; p++) {
      if (!isfinite(frame[p])) continue;
      count[p]++;
      /* A running mean keeps the digits that a sum of many counts in single precision would lose. */
      out[p] += (frame[p] - out[p]) / count[p];
      low[p] = fminf(low[p], frame[p]);
      high[p] = fmaxf(high[p], frame[p]);
    }
  }
#pragma omp parallel for schedule(static)
  for (ptrdiff_t p = 0; p < pixels; p++) {
    if (count[p] >= 5)
      out[p] += (2 * out[p] - low[p] - high[p]) / (count[p] - 2);
    else if (count[p] == 0)
      out[p] = NAN;
  }
  return true;
}

bool ct_fields_hold(ct_fields *fields, int before, int after, const float **a, const float **b, ct_job *job,
                    ct_error **error) {
  /* Going on in time, the later set of the last pair is the earlier one of this. */
  if (fields->held[0] != before && fields->held[1] == before) {
    float *data = fields->data[0];
    fields->data[0] = fields->data[1];
    fields->data[1] = data;
    fields->held[1] = fields->held[0];
    fields->held[0] = before;
  }
  const int wanted[2] = {before, after};
  for (int i = 0; i < 2; i++) {
    if (fields->held[i] == wanted[i]) continue;
    fields->held[i] = -1;
    if (i == 1 && after == before)
      memcpy(fields->data[1], fields->data[0], (size_t)fields->rows * (size_t)fields->nu * sizeof(float));
    else if (!average(fields, wanted[i], fields->data[i], job, error))
      return false;
    fields->held[i] = wanted[i];
  }
  *a = fields->data[0];
  *b = fields->data[1];
  return true;
}
