/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values under the pointer and the crosshair in words: of A, of B, or what the mode makes of both. */
#include "ui/slice-view/view-private.h"

#include <math.h>

#include "ui/number-text.h"
#include "ui/scale-text.h"

static double value_at(GantrySliceView *self, const GantryImage *image, ctgl_point world) {
  return image ? gantry_image_shown_value(image, world.x, world.y, gantry_display_get_smooth(self->display)) : NAN;
}

/* Of a slice, in the unit that values are told in. */
static double told(GantrySliceView *self, double value) {
  return gantry_slice_view_is_plane(self) ? gantry_display_value(self->display, value) : value;
}

static double grey_range(GantrySliceView *self) {
  double low, high;
  gantry_slice_view_get_window(self, &low, &high);
  return gantry_slice_view_is_plane(self) ? fabs(gantry_display_difference(self->display, high - low)) : high - low;
}

static char *both_text(double a, double b, double range, const char *unit) {
  g_autofree char *first = gantry_value_text(a, range, ""), *second = gantry_value_text(b, range, unit);
  return g_strdup_printf("A = %s  B = %s", first, second);
}

/* Of a mode that tells a difference. */
static char *difference_text(ctgl_mode mode, double value, const char *unit) {
  const ctgl_mode_row *row = ctgl_mode_get(mode);
  const gboolean relative = row->scale == CTGL_SCALE_RELATIVE, similarity = row->scale == CTGL_SCALE_SIMILARITY;
  if (relative && isnan(value)) return g_strdup_printf("%s: B is too small", row->label);
  g_autofree char *text = similarity ? gantry_fixed_text(value, 6)
                                     : gantry_quantity_text(relative ? 100 * value : value, 4, relative ? "%" : unit);
  return g_strdup_printf("%s = %s", row->label, text);
}

char *gantry_slice_view_value_text(GantrySliceView *self, ctgl_point world) {
  const GantryImage *a = self->images[CTGL_SLOT_A], *b = self->images[CTGL_SLOT_B], *map = self->images[CTGL_SLOT_MAP];
  const ctgl_mode mode = gantry_slice_view_mode(self);
  const gboolean plane = gantry_slice_view_is_plane(self);
  const GantryImage *shown = plane ? gantry_slice_view_shown(self, world) : a;
  const char *unit = plane ? gantry_display_value_unit(self->display) : "";
  if (mode == CTGL_SHOW_SIMILARITY && !map && a && b) return g_strdup("SSIM is being computed");
  if (!shown) return g_strconcat(a ? "B" : "A", " is not made yet", NULL);
  if (!gantry_image_holds(shown, world.x, world.y)) return g_strdup("outside");
  const gboolean pair = mode == CTGL_SHOW_FADE || ctgl_mode_tells_difference(mode);
  if (plane && pair && (!a || !b))
    return g_strdup_printf("%s: %s is not there yet", ctgl_mode_get(mode)->label, a ? "B" : "A");
  const double first = value_at(self, a, world), second = value_at(self, b, world);
  if (mode == CTGL_SHOW_SIMILARITY) return difference_text(mode, value_at(self, map, world), unit);
  if (mode == CTGL_SHOW_FADE) return both_text(told(self, first), told(self, second), grey_range(self), unit);
  if (ctgl_mode_tells_difference(mode)) {
    if (isnan(second) && !gantry_image_holds(b, world.x, world.y))
      return g_strdup_printf("%s: outside B", ctgl_mode_get(mode)->label);
    const double value = ctgl_mode_value(mode, first, second, gantry_display_get_least(self->display));
    const gboolean relative = ctgl_mode_get(mode)->scale == CTGL_SCALE_RELATIVE;
    return difference_text(mode, relative ? value : gantry_display_difference(self->display, value), unit);
  }
  g_autofree char *text = gantry_value_text(told(self, shown == a ? first : second), grey_range(self), unit);
  return g_strconcat(!plane || !b ? "" : shown == a ? "A = " : "B = ", text, NULL);
}

char *gantry_slice_view_widest_value(GantrySliceView *self) {
  double wide = -0.0008888, low, high;
  const ctgl_mode mode = gantry_slice_view_mode(self);
  gantry_slice_view_get_window(self, &low, &high);
  /* Large values of little contrast take more digits. */
  const double most = MAX(fabs(low), fabs(high)), range = high - low;
  if (range > 0 && most > 10 * range) wide = -(floor(most / range * 1000) / 1000 * range + range / 1111);
  if (!gantry_slice_view_is_plane(self)) return gantry_value_text(wide, range, "");
  if (mode == CTGL_SHOW_FADE) return both_text(wide, wide, range, "1/mm");
  if (!self->images[CTGL_SLOT_B]) return gantry_value_text(wide, range, "1/mm");
  return difference_text(mode == CTGL_SHOW_RELATIVE ? mode : CTGL_SHOW_DIFFERENCE, wide, "1/mm");
}
