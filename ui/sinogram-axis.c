/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps are those of angles, 15, 30, 45, 90, where they are degrees of a scan, else 1, 2 and 5. */
#include "ui/sinogram-axis.h"

#include "ui/number-text.h"

#include <math.h>

/* The first of the steps that gives no more than `most` ticks. */
static double round_step(double range, guint most) {
  static const double steps[] = {1, 2, 5, 10};
  const double least = fabs(range) / MAX(most, 1), decade = pow(10, floor(log10(least)));
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    if (steps[i] * decade >= least * (1 - 1e-9)) return steps[i] * decade;
  return 10 * decade;
}

static double angle_step(double range, guint most) {
  static const double steps[] = {10, 15, 30, 45, 60, 90, 180, 360, 720, 1440, 3600};
  const double least = fabs(range) / MAX(most, 1);
  if (least < 10) return round_step(range, most);
  for (gsize i = 0; i < G_N_ELEMENTS(steps); i++)
    if (steps[i] >= least * (1 - 1e-9)) return steps[i];
  return round_step(range, most);
}

/* 1 or -1: all go that way; 0: up and down. */
static int direction(const GantryImage *image) {
  int up = 0, down = 0;
  for (int row = 1; row < image->height; row++) {
    up += image->angles[row] > image->angles[row - 1];
    down += image->angles[row] < image->angles[row - 1];
  }
  return up && !down ? 1 : down && !up ? -1 : 0;
}

static double angle_at(const GantryImage *image, double row) {
  const double at = CLAMP(row, 0, image->height - 1);
  const int i = MIN((int)at, image->height - 2);
  return image->angles[i] + (at - i) * (image->angles[i + 1] - image->angles[i]);
}

static double row_at(const GantryImage *image, double angle, int way) {
  int i = 0;
  while (i < image->height - 2 && way * image->angles[i + 1] < way * angle) i++;
  const double rise = image->angles[i + 1] - image->angles[i];
  return rise != 0 ? i + (angle - image->angles[i]) / rise : i;
}

static guint round_angles(const GantryImage *image, double low, double high, guint most, int way, GantryTick *ticks) {
  const double first = angle_at(image, low), last = angle_at(image, high), from = fmin(first, last),
               to = fmax(first, last), step = angle_step(to - from, most), slack = 1e-6 * step;
  const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
  guint count = 0;
  for (double k = ceil(from / step - 1e-6); k * step <= to + slack && count < GANTRY_MOST_TICKS; k++) {
    g_autofree char *text = gantry_fixed_text(k * step, decimals);
    ticks[count].at = row_at(image, k * step, way);
    g_snprintf(ticks[count++].text, sizeof ticks->text, "%s°", text);
  }
  return count;
}

static guint at_round_numbers(double low, double high, guint most, GantryTick *ticks) {
  const double step = fmax(round_step(high - low, most), 1);
  guint count = 0;
  for (double k = ceil(low / step - 1e-6) + 0.0; k * step <= high + 1e-6 && count < GANTRY_MOST_TICKS; k++) {
    ticks[count].at = k * step;
    g_snprintf(ticks[count++].text, sizeof ticks->text, "%.0f", k * step);
  }
  return count;
}

guint gantry_sinogram_angles(const GantryImage *sinogram, double low, double high, guint most, GantryTick *ticks) {
  low = fmax(low, 0), high = fmin(high, sinogram->height - 1);
  most = MIN(most, GANTRY_MOST_TICKS - 1);
  if (!(high >= low) || !most) return 0;
  const int way = sinogram->angles && sinogram->height > 1 ? direction(sinogram) : 0;
  if (way && high > low) return round_angles(sinogram, low, high, most, way, ticks);
  const guint count = at_round_numbers(low, high, most, ticks);
  for (guint i = 0; i < count; i++)
    if (sinogram->angles)
      g_snprintf(ticks[i].text, sizeof ticks->text, "%.0f°", sinogram->angles[(int)ticks[i].at]);
    else
      g_snprintf(ticks[i].text, sizeof ticks->text, "view %.0f", ticks[i].at);
  return count;
}

guint gantry_sinogram_columns(double low, double high, guint most, GantryTick *ticks) {
  most = MIN(most, GANTRY_MOST_TICKS - 1);
  if (!(high > low) || !most) return 0;
  const guint count = at_round_numbers(low, high, most, ticks);
  if (count) g_strlcat(ticks[count - 1].text, " px", sizeof ticks->text);
  return count;
}
