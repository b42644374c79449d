/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of the axial, the coronal and the sagittal slice alike. */
#include "ui/window/samples.h"

/* The pictures whose pixels are sampled; at most two for each slice. */
static gsize find_pictures(GantryQuad *quad, ctgl_mode mode, const GantryImage *pictures[6]) {
  gsize found = 0;
  for (int k = 0; k < 3; k++) {
    const GantryImage *a = gantry_quad_get_image(quad, (GantryViewKind)k, CTGL_SLOT_A);
    const GantryImage *b = gantry_quad_get_image(quad, (GantryViewKind)k, CTGL_SLOT_B);
    if (a && mode != CTGL_SHOW_B) pictures[found++] = a;
    if (b && (mode == CTGL_SHOW_B || mode == CTGL_SHOW_SWIPE)) pictures[found++] = b;
  }
  return found;
}

static const GantryImage *find_reference(GantryQuad *quad, const GantryImage *a) {
  const GantryImage *b = gantry_quad_get_image(quad, a->kind, CTGL_SLOT_B);
  return b && b->width == a->width && b->height == a->height ? b : NULL;
}

float *gantry_sample_slices(GantryQuad *quad, ctgl_mode mode, GantrySample sample, gsize most, gsize *count) {
  const GantryImage *pictures[6];
  const gsize found = find_pictures(quad, sample == GANTRY_SAMPLE_SHOWN ? mode : CTGL_SHOW_A, pictures);
  gsize total = 0;
  *count = 0;
  for (gsize k = 0; k < found; k++) total += (gsize)pictures[k]->width * (gsize)pictures[k]->height;
  const gsize step = total / most + 1;
  float *values = total ? g_new(float, total / step + found) : NULL;
  for (gsize k = 0; k < found; k++) {
    const GantryImage *each = pictures[k];
    const GantryImage *b = sample == GANTRY_SAMPLE_DIFFERENCE ? find_reference(quad, each) : NULL;
    if (sample == GANTRY_SAMPLE_DIFFERENCE && !b) continue;
    const gsize pixels = (gsize)each->width * (gsize)each->height;
    for (gsize i = 0; i < pixels; i += step) values[(*count)++] = b ? each->pixels[i] - b->pixels[i] : each->pixels[i];
  }
  return values;
}
