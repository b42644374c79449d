/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All are read by millimetres from their own pixels, so that they may lie on any grid. */
#include "ui/window/profile-curves.h"

#include "ui/plot/plot.h"

#include <math.h>

#define MOST_POINTS 4096

GantryProfileLine gantry_profile_line(const GantryImage *a, ctgl_point from, ctgl_point to, int lines) {
  const double length = hypot(to.x - from.x, to.y - from.y), pitch = fmin(a->spacing_x, a->spacing_y);
  GantryProfileLine line = {.from = from, .to = to, .lines = lines, .pitch = pitch};
  line.count = (gsize)CLAMP(ceil(length / pitch), 1, MOST_POINTS - 1) + 1;
  line.x = g_new(double, line.count);
  for (gsize i = 0; i < line.count; i++) line.x[i] = (double)i / (double)(line.count - 1) * length;
  return line;
}

/* NAN as soon as one place is outside: the mean of the others would be that of another width. */
static double read_across(const GantryImage *image, const GantryProfileLine *line, gsize i) {
  const double length = line->x[line->count - 1], t = (double)i / (double)(line->count - 1);
  const double x = line->from.x + t * (line->to.x - line->from.x), y = line->from.y + t * (line->to.y - line->from.y);
  const double across_x = -(line->to.y - line->from.y) / length, across_y = (line->to.x - line->from.x) / length;
  double sum = 0;
  for (int k = 0; k < line->lines; k++) {
    const double away = (k - (line->lines - 1) / 2.0) * line->pitch;
    sum += gantry_image_sample(image, x + away * across_x, y + away * across_y);
  }
  return sum / line->lines;
}

static void free_curve(gpointer data) {
  GantryProfileCurve *curve = data;
  g_free(curve->name);
  g_free(curve->y);
  g_free(curve->difference);
  g_free(curve);
}

/* Takes the name. */
static GantryProfileCurve *add_curve(GPtrArray *curves, const GantryImage *image, const GantryProfileLine *line,
                                     guint number, char *name) {
  GantryProfileCurve *curve = g_new0(GantryProfileCurve, 1);
  curve->number = number;
  curve->name = name;
  curve->rmse = curve->largest = curve->largest_at = NAN;
  curve->y = g_new(double, line->count);
  for (gsize i = 0; i < line->count; i++) curve->y[i] = read_across(image, line, i);
  g_ptr_array_add(curves, curve);
  return curve;
}

static void mark_resampled(GantryProfileCurve *curve, gboolean resampled) {
  curve->resampled = resampled;
  if (!resampled) return;
  g_autofree char *plain = curve->name;
  curve->name = g_strdup_printf("%s (resampled)", plain);
}

static void take_difference(GantryProfileCurve *curve, const GantryProfileCurve *reference,
                            const GantryProfileLine *line) {
  double squares = 0;
  gsize finite = 0;
  curve->difference = g_new(double, line->count);
  for (gsize i = 0; i < line->count; i++) {
    const double difference = curve->y[i] - reference->y[i];
    curve->difference[i] = difference;
    if (!isfinite(difference)) continue;
    squares += difference * difference;
    if (!finite++ || fabs(difference) > curve->largest)
      curve->largest = fabs(difference), curve->largest_at = line->x[i];
  }
  if (finite) curve->rmse = sqrt(squares / (double)finite);
}

static const GantryVariant *find_side(const GantryProfilePictures *pictures, gboolean b) {
  for (gsize i = 0; i < pictures->variant_count; i++)
    if (b ? pictures->variants[i].is_b : pictures->variants[i].is_a) return &pictures->variants[i];
  return NULL;
}

static char *side_name(const GantryProfilePictures *pictures, gboolean b) {
  const GantryVariant *variant = find_side(pictures, b);
  return variant ? g_strdup_printf("%s: %s", b ? "B" : "A", variant->name) : g_strdup(b ? "B" : "A");
}

static gboolean is_in_plane(const GantryImage *image, const GantryImage *a) {
  return image && fabs(image->position - a->position) <= 1e-6 * a->spacing_x && image->rotation == a->rotation &&
         image->tilt == a->tilt;
}

GPtrArray *gantry_profile_curves_new(const GantryProfilePictures *pictures, const GantryProfileLine *line) {
  const GantryImage *a = pictures->a, *b = pictures->b;
  GPtrArray *curves = g_ptr_array_new_with_free_func(free_curve);
  add_curve(curves, a, line, GANTRY_CURVE_A, side_name(pictures, FALSE));
  if (b) {
    const GantryVariant *variant = find_side(pictures, TRUE);
    GantryProfileCurve *curve = add_curve(curves, b, line, GANTRY_CURVE_B, side_name(pictures, TRUE));
    mark_resampled(curve, !gantry_image_shares_pixels(a, b) || (variant && variant->resampled));
  }
  for (gsize i = 0; i < pictures->variant_count; i++) {
    const GantryVariant *variant = &pictures->variants[i];
    const GantryImage *image = variant->images[a->kind];
    if (variant->is_a || (variant->is_b && b) || !is_in_plane(image, a)) continue;
    GantryProfileCurve *curve =
        add_curve(curves, image, line, GANTRY_CURVE_OTHER + (guint)variant->colour, g_strdup(variant->name));
    mark_resampled(curve, variant->resampled || !gantry_image_shares_pixels(a, image));
  }
  const gsize reference = b ? 1 : 0;
  for (gsize i = 0; i < curves->len; i++)
    if (i != reference) take_difference(curves->pdata[i], curves->pdata[reference], line);
  return curves;
}

const char *gantry_profile_reference_name(const GantryProfilePictures *pictures, const GPtrArray *curves) {
  return curves->len < 2 ? NULL : pictures->b ? "B" : "A";
}
