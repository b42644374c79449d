/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One frame: transmission T = (raw - dark) / (flat - dark), or (raw - dark) / I0 of the frame; bad pixels and outliers
 * mended; bins averaged; p = -log(max(T, floor)). */
#include "recon/data/values.h"
#include "recon/prep/load-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

/* A pixel whose flat is below this share of the mean flat is dead. */
#define DEAD_GAIN 1e-3
/* More dead pixels than this share are not a few bad pixels but useless flats. */
#define DEAD_SHARE 0.25

/* Linear interpolation between the two held sets. */
typedef struct {
  const float *a, *b; /* NULL: zero */
  float share;
} blend;

static inline float blended(const blend *f, size_t p) {
  return f->a ? f->a[p] + f->share * (f->b[p] - f->a[p]) : 0;
}

static blend find_blend(const ct_fields *fields, const float *const held[2], bool use, int view) {
  if (!use) return (blend){0};
  int before, after;
  double share;
  ct_fields_find(fields, view, &before, &after, &share);
  return (blend){held[0], held[1], (float)share};
}

bool ct_check_gain(ct_loader *l, int view, ct_error **error) {
  const blend flat = find_blend(&l->flats, l->flat, true, view),
              dark = find_blend(&l->darks, l->dark, l->use_darks, view);
  const size_t pixels = (size_t)l->band * (size_t)l->facts->geometry.nu;
  double sum = 0;
  size_t positive = 0, dead = 0;
  for (size_t p = 0; p < pixels; p++) {
    const float gain = blended(&flat, p) - blended(&dark, p);
    if (!(gain > 0) || !isfinite(gain)) continue;
    sum += gain;
    positive++;
  }
  l->least_gain = positive ? (float)(DEAD_GAIN * sum / (double)positive) : 0;
  for (size_t p = 0; p < pixels; p++) {
    const float gain = blended(&flat, p) - blended(&dark, p);
    dead += !(gain > l->least_gain) || !isfinite(gain);
  }
  if ((double)dead <= DEAD_SHARE * (double)pixels) return true;
  char doubts[1024];
  return ct_error_set(
      error, CT_ERROR_DATA,
      "%s: %.1f %% of the pixels are not brighter in the flat fields than in the dark ones; without usable flats, "
      "switch them off and take the beam intensity from a free region.%s",
      ct_scan_get_name(l->scan), 100.0 * (double)dead / (double)pixels,
      ct_scan_facts_doubts(l->facts, doubts, sizeof doubts));
}

static void divide_by_flats(const ct_loader *l, int view, float *frame, size_t pixels) {
  const blend flat = find_blend(&l->flats, l->flat, true, view),
              dark = find_blend(&l->darks, l->dark, l->use_darks, view);
  for (size_t p = 0; p < pixels; p++) {
    const float black = blended(&dark, p), gain = blended(&flat, p) - black;
    frame[p] = gain > l->least_gain ? (frame[p] - black) / gain : NAN;
  }
}

static void subtract_darks(const ct_loader *l, int view, float *frame, size_t pixels) {
  const blend dark = find_blend(&l->darks, l->dark, true, view);
  for (size_t p = 0; p < pixels; p++) frame[p] -= blended(&dark, p);
}

/* Mean of the finite values of a rectangle of the band. */
static void add_rectangle(const float *frame, int nu, int x, int y, int width, int height, double *sum, size_t *count) {
  for (int j = y; j < y + height; j++)
    for (int i = x; i < x + width; i++) {
      const float value = frame[(size_t)j * (size_t)nu + (size_t)i];
      if (!isfinite(value)) continue;
      *sum += value;
      *count += 1;
    }
}

double ct_loader_level(const ct_loader *loader) {
  return loader->options.i0 == CT_I0_AUTO ? loader->facts->white_level : loader->options.i0_value;
}

static double beam_intensity(const ct_loader *l, const float *frame) {
  const int nu = l->facts->geometry.nu;
  double sum = 0;
  size_t count = 0;
  if (l->i0 == CT_I0_VALUE) return ct_loader_level(l);
  if (l->i0 == CT_I0_REGION) {
    const int *r = l->options.i0_region;
    add_rectangle(frame, nu, r[0], r[1] - l->band0, r[2], r[3], &sum, &count);
  } else
    return ct_beam_of_frame(&l->border, frame);
  return count ? sum / (double)count : NAN;
}

/* Means of bin x row_bin pixels; trailing pixels that do not fill a bin are dropped. */
static void take_bins(const float *frame, int nu, int rows, int bin, int row_bin, float *out) {
  const int wide = nu / bin, high = rows / row_bin;
  const float factor = 1.0f / ((float)bin * (float)row_bin);
  for (int j = 0; j < high; j++)
    for (int i = 0; i < wide; i++) {
      float sum = 0;
      for (int y = 0; y < row_bin; y++)
        for (int x = 0; x < bin; x++)
          sum += frame[((size_t)j * (size_t)row_bin + (size_t)y) * (size_t)nu + (size_t)(i * bin + x)];
      out[(size_t)j * (size_t)wide + (size_t)i] = sum * factor;
    }
}

static size_t take_log(float *out, size_t pixels, float floor_value) {
  size_t floored = 0;
  for (size_t p = 0; p < pixels; p++) {
    floored += out[p] < floor_value;
    out[p] = -logf(fmaxf(out[p], floor_value));
  }
  return floored;
}

void ct_divide_fields(const ct_loader *l, int view, float *frame) {
  const size_t pixels = (size_t)l->band * (size_t)l->facts->geometry.nu;
  if (l->use_flats)
    divide_by_flats(l, view, frame, pixels);
  else if (l->use_darks)
    subtract_darks(l, view, frame, pixels);
}

static size_t count_unreadable(const float *values, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) found += !isfinite(values[i]);
  return found;
}

static ct_frame_result normalise(const ct_loader *l, int view, float *frame, ct_frame_report *report) {
  const size_t pixels = (size_t)l->band * (size_t)l->facts->geometry.nu;
  ct_divide_fields(l, view, frame);
  if (l->i0 == CT_I0_NONE) return CT_FRAME_GOOD;
  report->i0 = beam_intensity(l, frame);
  if (isnan(report->i0)) return count_unreadable(frame, pixels) == pixels ? CT_FRAME_EMPTY : CT_FRAME_DARK_BEAM;
  if (!(report->i0 > 0)) return CT_FRAME_DARK_BEAM;
  const float factor = (float)(1 / report->i0);
  for (size_t p = 0; p < pixels; p++) frame[p] *= factor;
  return CT_FRAME_GOOD;
}

void ct_correct_frame(const ct_loader *l, int view, float *frame, float *out, ct_frame_report *report) {
  const int nu = l->facts->geometry.nu;
  float *wanted = frame + (size_t)(l->row0 - l->band0) * (size_t)nu;
  *report = (ct_frame_report){.i0 = NAN, .unreadable = count_unreadable(wanted, (size_t)l->rows * (size_t)nu)};
  ct_saturation_frame(l, (view - l->first) / l->step, wanted, report);
  for (size_t p = 0; l->density != 1 && p < (size_t)l->rows * (size_t)nu; p++) wanted[p] *= l->density;
  report->result = normalise(l, view, frame, report);
  if (report->result != CT_FRAME_GOOD) return;
  const ct_mend_result mended = ct_prep_mend(wanted, nu, l->rows, &report->not_finite);
  if (mended != CT_MEND_DONE) {
    report->result = mended == CT_MEND_NOTHING_FINITE ? CT_FRAME_EMPTY : CT_FRAME_NO_MEMORY;
    return;
  }
  if (l->options.outlier > 0) {
    report->outliers = ct_prep_remove_outliers(wanted, nu, l->rows, l->options.outlier);
    if (report->outliers == SIZE_MAX) {
      report->result = CT_FRAME_NO_MEMORY;
      return;
    }
  }
  ct_notice_frame(l, (view - l->first) / l->step, wanted, report);
  const size_t kept = (size_t)(nu / l->bin) * (size_t)(l->rows / l->row_bin);
  if (l->bin > 1)
    take_bins(wanted, nu, l->rows, l->bin, l->row_bin, out);
  else if (out != wanted)
    memcpy(out, wanted, kept * sizeof *out);
  if (l->use_log) report->floored = take_log(out, kept, (float)l->options.floor);
  /* A shutter that stayed shut: nothing can be told apart. Unless the caller takes what there is. */
  if (l->left_out && kept > 1 && report->floored == kept) report->result = CT_FRAME_NO_BEAM;
  ct_blank_frame(out, kept, report);
}
