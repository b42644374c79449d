/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of the axial, the coronal and the sagittal slice alike. */
#include "ui/window/samples.h"

/* The pictures whose pixels are sampled; at most two for each slice. reads: CTGL_READS_... */
static gsize find_pictures(GantryQuad *quad, int reads, const GantryImage *pictures[3 * CTGL_SLOTS]) {
  gsize found = 0;
  for (int k = 0; k < 3; k++)
    for (int slot = 0; slot < CTGL_SLOTS; slot++) {
      const GantryImage *image = gantry_quad_get_image(quad, (GantryViewKind)k, (ctgl_slot)slot);
      if (image && reads & 1 << slot) pictures[found++] = image;
    }
  return found;
}

static gsize step_for(const GantryImage *const *pictures, gsize found, gsize most, gsize *total) {
  *total = 0;
  for (gsize k = 0; k < found; k++) *total += (gsize)pictures[k]->width * (gsize)pictures[k]->height;
  return *total / most + 1;
}

float *gantry_sample_slices(GantryQuad *quad, ctgl_mode mode, GantrySample sample, gsize most, gsize *count) {
  const gboolean shown = sample == GANTRY_SAMPLE_SHOWN && !ctgl_mode_tells_difference(mode);
  const int reads = shown ? ctgl_mode_get(mode)->reads : sample == GANTRY_SAMPLE_B ? CTGL_READS_B : CTGL_READS_A;
  const GantryImage *pictures[3 * CTGL_SLOTS];
  const gsize found = find_pictures(quad, reads, pictures);
  gsize total;
  const gsize step = step_for(pictures, found, most, &total);
  *count = 0;
  float *values = total ? g_new(float, total / step + found) : NULL;
  for (gsize k = 0; k < found; k++) {
    const gsize pixels = (gsize)pictures[k]->width * (gsize)pictures[k]->height;
    for (gsize i = 0; i < pixels; i += step) values[(*count)++] = pictures[k]->pixels[i];
  }
  return values;
}

static float difference_at(const GantryImage *a, const GantryImage *b, gsize i, ctgl_mode mode, double least) {
  const gsize width = (gsize)a->width;
  const double x = a->origin_x + (double)(i % width) * a->spacing_x,
               y = a->origin_y + (double)(i / width) * a->spacing_y;
  const gboolean alike = a->width == b->width && a->height == b->height && a->origin_x == b->origin_x &&
                         a->origin_y == b->origin_y && a->spacing_x == b->spacing_x && a->spacing_y == b->spacing_y;
  const double other = alike ? (double)b->pixels[i] : gantry_image_shown_value(b, x, y, FALSE);
  return (float)ctgl_mode_value(mode, (double)a->pixels[i], other, least);
}

float *gantry_sample_differences(GantryQuad *quad, GantryDisplay *display, ctgl_mode mode, gsize most, gsize *count) {
  const gboolean similarity = ctgl_mode_get(mode)->scale == CTGL_SCALE_SIMILARITY;
  const GantryImage *pictures[3 * CTGL_SLOTS];
  const gsize found = find_pictures(quad, similarity ? CTGL_READS_MAP : CTGL_READS_A, pictures);
  const double least = gantry_display_get_least(display);
  gsize total;
  const gsize step = step_for(pictures, found, most, &total);
  *count = 0;
  float *values = total ? g_new(float, total / step + found) : NULL;
  for (gsize k = 0; k < found; k++) {
    const GantryImage *a = pictures[k], *b = gantry_quad_get_image(quad, a->kind, CTGL_SLOT_B);
    if (!similarity && !b) continue;
    const gsize pixels = (gsize)a->width * (gsize)a->height;
    for (gsize i = 0; i < pixels; i += step)
      values[(*count)++] = similarity ? 1 - a->pixels[i] : difference_at(a, b, i, mode, least);
  }
  return values;
}
