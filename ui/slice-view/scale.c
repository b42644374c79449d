/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grey window of what a view shows, or the scale of its difference: by drag and key, or from the values of a
 * region. */
#include "ui/slice-view/view-private.h"

#include <math.h>
#include <stdlib.h>

void gantry_slice_view_get_window(GantrySliceView *self, double *low, double *high) {
  if (gantry_slice_view_is_plane(self))
    gantry_display_get_window(self->display, low, high);
  else
    gantry_display_get_projection_window(self->display, low, high);
}

static void set_window(GantrySliceView *self, double low, double high) {
  if (gantry_slice_view_is_plane(self))
    gantry_display_set_window(self->display, low, high);
  else
    gantry_display_set_projection_window(self->display, low, high);
}

static void set_range(GantrySliceView *self, double range) {
  gantry_display_set_locked(self->display, TRUE);
  gantry_display_set_range(self->display, ctgl_mode_get(gantry_slice_view_mode(self))->scale, range);
}

void gantry_slice_view_adjust_window(GantrySliceView *self, double low, double high, double range, double right,
                                     double up) {
  const double factor = exp(CLAMP(right, -20, 20));
  if (ctgl_mode_tells_difference(gantry_slice_view_mode(self))) {
    set_range(self, range * factor);
    return;
  }
  const double width = MAX(high - low, 1e-12) * factor, level = (low + high) / 2 - up * (high - low);
  set_window(self, level - width / 2, level + width / 2);
}

static int compare_floats(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

void gantry_slice_view_window_from_region(GantrySliceView *self, ctgl_point from, ctgl_point to) {
  const ctgl_mode mode = gantry_slice_view_mode(self);
  const gboolean difference = ctgl_mode_tells_difference(mode), similarity = mode == CTGL_SHOW_SIMILARITY;
  const GantryImage *image = similarity ? self->images[CTGL_SLOT_MAP] : gantry_slice_view_shown(self, from),
                    *other = self->images[CTGL_SLOT_B];
  if (!image || (difference && !other)) return;
  const double left = (MIN(from.x, to.x) - image->origin_x) / image->spacing_x;
  const double right = (MAX(from.x, to.x) - image->origin_x) / image->spacing_x;
  const double lower = (MIN(from.y, to.y) - image->origin_y) / image->spacing_y;
  const double upper = (MAX(from.y, to.y) - image->origin_y) / image->spacing_y;
  const int i0 = (int)round(CLAMP(left, 0, image->width - 1)), i1 = (int)round(CLAMP(right, 0, image->width - 1));
  const int j0 = (int)round(CLAMP(lower, 0, image->height - 1)), j1 = (int)round(CLAMP(upper, 0, image->height - 1));
  /* A quarter of a million samples place percentiles well, and sort within a frame. */
  const double area = (double)(i1 - i0 + 1) * (j1 - j0 + 1);
  const int stride = MAX(1, (int)ceil(sqrt(area / 250000)));
  g_autofree float *values = g_try_new(float, (gsize)((i1 - i0) / stride + 1) * (gsize)((j1 - j0) / stride + 1));
  if (!values) return;
  gsize count = 0;
  for (int j = j0; j <= j1; j += stride) {
    int first, end;
    gantry_image_row_held(image, j, &first, &end);
    for (int i = i0; i <= i1; i += stride) {
      if (i < first || i >= end) continue;
      double value = (double)image->pixels[(gsize)j * (gsize)image->width + (gsize)i];
      if (similarity)
        value = 1 - value;
      else if (difference)
        value = fabs(ctgl_mode_value(
            mode, value,
            gantry_image_sample(other, image->origin_x + i * image->spacing_x, image->origin_y + j * image->spacing_y),
            gantry_display_get_least(self->display)));
      if (isfinite(value)) values[count++] = (float)value;
    }
  }
  if (count < 4) return;
  qsort(values, count, sizeof *values, compare_floats);
  const gsize tail = count / 1000;
  const double low = (double)values[tail], high = (double)values[count - 1 - tail];
  if (difference)
    set_range(self, high);
  else if (high > low)
    set_window(self, low, high);
}
