/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges are percentiles, so that single voxels do not decide. */
#include "ui/window/scales.h"

#include "recon/metric/metric.h"
#include "ui/window/samples.h"

#include <math.h>
#include <string.h>

/* Of each of three slices: they are sorted with every picture that arrives. */
#define MOST_DIFFERENCES (1u << 15)

struct _GantryScales {
  GantryDisplay *display;
  GantryQuad *quad;
  gboolean pending, projection_pending, difference_pending; /* to be fitted when pictures arrive */
  gboolean rescaled, has_reference;
  gboolean kept, projection_kept;         /* windows that were saved: what range they are of is yet to be seen */
  double fitted[2], projection_fitted[2]; /* the windows as they were last fitted */
  double fitted_to[2];                    /* A's range at that time */
  gint64 settles_until;                   /* monotonic µs */
};

GantryScales *gantry_scales_new(GantryDisplay *display, GantryQuad *quad) {
  GantryScales *self = g_new0(GantryScales, 1);
  self->display = g_object_ref(display);
  self->quad = quad;
  return self;
}

void gantry_scales_free(GantryScales *self) {
  g_object_unref(self->display);
  g_free(self);
}

void gantry_scales_reset(GantryScales *self) {
  self->kept = self->projection_kept = FALSE;
  self->rescaled = FALSE;
  self->pending = self->projection_pending = self->difference_pending = TRUE;
}

void gantry_scales_set_rescaled(GantryScales *self) {
  self->rescaled = TRUE;
}

void gantry_scales_keep(GantryScales *self) {
  self->kept = TRUE;
}

void gantry_scales_keep_projection(GantryScales *self) {
  self->projection_kept = TRUE;
}

void gantry_scales_renew_projection(GantryScales *self) {
  self->projection_pending = TRUE;
}

void gantry_scales_set_reference(GantryScales *self, gboolean reference) {
  if (reference && !self->has_reference) {
    self->difference_pending = TRUE;
    gantry_display_set_locked(self->display, FALSE);
  }
  self->has_reference = reference;
}

void gantry_scales_settle(GantryScales *self) {
  self->settles_until = g_get_monotonic_time() + 3 * G_TIME_SPAN_SECOND;
}

/* Whether values of range `now` need another window than those it was fitted to: counts became line integrals, the
 * pixel size became known. Noise and the streaks of an early volume do not. */
static gboolean outgrown(const double fitted[2], const double now[2], double far) {
  const double ratio = (now[1] - now[0]) / (fitted[1] - fitted[0]);
  return !(ratio < far && ratio > 1 / far) || now[0] > fitted[1] || now[1] < fitted[0];
}
static const double other_values = 6, other_kind = 50;

/* The projection */

/* What a person has set stays, but for pictures of another kind: counts that became line integrals. */
void gantry_scales_fit_projection(GantryScales *self, const GantryImage *image) {
  double range[2], low, high;
  gantry_image_get_grey(image, range);
  if (self->projection_kept) {
    memcpy(self->projection_fitted, range, sizeof range);
    self->projection_kept = self->projection_pending = FALSE;
    return;
  }
  gantry_display_get_projection_window(self->display, &low, &high);
  const gboolean by_hand = low != self->projection_fitted[0] || high != self->projection_fitted[1];
  if (!self->projection_pending && !outgrown(self->projection_fitted, range, by_hand ? other_kind : other_values))
    return;
  memcpy(self->projection_fitted, range, sizeof range);
  gantry_display_set_projection_window(self->display, range[0], range[1]);
  self->projection_pending = FALSE;
}

/* The slices */

static gboolean is_fitted(GantryScales *self) {
  double low, high;
  gantry_display_get_window(self->display, &low, &high);
  return low == self->fitted[0] && high == self->fitted[1];
}

/* Whether work has just ended and the limits are far from what it made, as those of an early iteration are. */
static gboolean is_unsettled(const GantryScales *self, const double now[2]) {
  const double ratio = (now[1] - now[0]) / (self->fitted_to[1] - self->fitted_to[0]);
  return g_get_monotonic_time() < self->settles_until && !(ratio < 1.5 && ratio > 1 / 1.5);
}

static float *sample_slices(GantryScales *self, GantrySample sample, gsize most, gsize *count) {
  return gantry_sample_slices(self->quad, gantry_display_get_mode(self->display), sample, most, count);
}

static gboolean find_range(GantryScales *self, GantrySample sample, double range[2]) {
  gsize count;
  g_autofree float *values = sample_slices(self, sample, GANTRY_MOST_SAMPLES, &count);
  if (count) ct_grey_range(values, count, &range[0], &range[1]);
  return count > 0;
}

/* It is fitted to what is on show and follows A: showing B, which may be far brighter, is no reason to change it. What
 * a person has set stays until the values have another unit. */
static void fit_window(GantryScales *self, gboolean only_if_outgrown) {
  double range[2], shown[2];
  if (!find_range(self, GANTRY_SAMPLE_A, range)) return;
  if (only_if_outgrown && !is_fitted(self) && !self->rescaled) return;
  if (only_if_outgrown && !outgrown(self->fitted_to, range, other_values) &&
      !(is_fitted(self) && is_unsettled(self, range)))
    return;
  memcpy(self->fitted_to, range, sizeof range);
  if (!find_range(self, GANTRY_SAMPLE_SHOWN, shown)) return;
  memcpy(self->fitted, shown, sizeof shown);
  gantry_display_set_window(self->display, shown[0], shown[1]);
  self->pending = FALSE;
}

/* The window that was saved is that of what is shown now. */
static void adopt_window(GantryScales *self) {
  double range[2];
  if (!self->kept || !find_range(self, GANTRY_SAMPLE_A, range)) return;
  memcpy(self->fitted_to, range, sizeof range);
  self->kept = self->pending = self->rescaled = self->difference_pending = FALSE;
}

void gantry_scales_fit(GantryScales *self) {
  const GantryImage *projection = gantry_quad_get_image(self->quad, GANTRY_VIEW_PROJECTION, CTGL_SLOT_A);
  if (projection) {
    gantry_image_get_grey(projection, self->projection_fitted);
    gantry_display_set_projection_window(self->display, self->projection_fitted[0], self->projection_fitted[1]);
  }
  fit_window(self, FALSE);
}

/* The differences */

static const double much_too_wide = 0.3, room = 1.25;
/* Of what |B| reaches: where less is there A - B is not divided by it. */
static const double least_part = 0.1;

static double round_up(double value) {
  const double grain = pow(10, floor(log10(value)) - 1);
  return ceil(value / grain - 1e-9) * grain;
}

static int compare_floats(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* 99.9th percentile of the finite sizes, the largest where that is zero; 0 without any. Sorts them. */
static double largest_of(float *values, gsize count) {
  gsize finite = 0;
  for (gsize i = 0; i < count; i++)
    if (isfinite(values[i])) values[finite++] = fabsf(values[i]);
  if (!finite) return 0;
  qsort(values, finite, sizeof *values, compare_floats);
  const double most = (double)values[(gsize)((double)(finite - 1) * 0.999)];
  return most > 0 ? most : (double)values[finite - 1];
}

static void fit_least(GantryScales *self, gboolean always) {
  gsize count;
  g_autofree float *values = sample_slices(self, GANTRY_SAMPLE_B, MOST_DIFFERENCES, &count);
  const double least = least_part * largest_of(values, count), now = gantry_display_get_least(self->display);
  if (least > 0 && (always || least > 2 * now || least < now / 2))
    gantry_display_set_least(self->display, round_up(least));
}

static void fit_scale(GantryScales *self, ctgl_mode mode, gboolean always) {
  const ctgl_scale scale = ctgl_mode_get(mode)->scale;
  gsize count;
  if (scale == CTGL_SCALE_RELATIVE) fit_least(self, always);
  g_autofree float *values = gantry_sample_differences(self->quad, self->display, mode, MOST_DIFFERENCES, &count);
  const double size = largest_of(values, count), now = gantry_display_get_range(self->display, scale);
  if (!(size > 0)) return;
  if (always || size > now || size < much_too_wide * now)
    gantry_display_set_range(self->display, scale, round_up(room * size));
  if (scale == CTGL_SCALE_DIFFERENCE) self->difference_pending = FALSE;
}

/* The difference's own is kept fitted whatever is shown: it is the first that is looked at. */
static void fit_scales(GantryScales *self, gboolean always) {
  const ctgl_mode mode = gantry_display_get_mode(self->display);
  fit_scale(self, CTGL_SHOW_DIFFERENCE, always || self->difference_pending);
  if (ctgl_mode_get(mode)->scale == CTGL_SCALE_RELATIVE || ctgl_mode_get(mode)->scale == CTGL_SCALE_SIMILARITY)
    fit_scale(self, mode, always);
}

void gantry_scales_fit_difference(GantryScales *self) {
  gantry_display_set_locked(self->display, FALSE);
  fit_scales(self, TRUE);
}

void gantry_scales_update(GantryScales *self, gboolean running) {
  adopt_window(self);
  if (self->rescaled && is_fitted(self)) self->pending = TRUE;
  fit_window(self, !self->pending);
  /* The first views of a run give streaks: the scale is settled when it is over. */
  if (!self->pending && !running) self->rescaled = FALSE;
  if (self->has_reference && !gantry_display_get_locked(self->display)) fit_scales(self, FALSE);
}
