/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of an image begin at the bottom, those of a texture at the top. */
#include "ui/shelf/thumbnail.h"

#include "render/slice-renderer.h"

#include <math.h>

/* Of greys this is what there is to do for each pixel of each picture. */
static guint8 *paint_greys(const GantryImage *image, double low, double high) {
  const gsize width = (gsize)image->width, height = (gsize)image->height;
  const float scale = high > low ? (float)(255 / (high - low)) : 0, least = (float)low;
  guint8 *pixels = g_malloc(width * height * 3), *to = pixels;
  for (gsize j = 0; j < height; j++) {
    const float *row = image->pixels + (height - 1 - j) * width;
    for (gsize i = 0; i < width; i++, to += 3) {
      const float level = (row[i] - least) * scale + 0.5f;
      /* What is no number is black. */
      to[0] = to[1] = to[2] = level > 0 ? level < 255.5f ? (guint8)level : isfinite(row[i]) ? 255 : 0 : 0;
    }
  }
  return pixels;
}

static void paint(const ctgl_colour_map *map, double part, guint8 rgb[3]) {
  double colour[3];
  ctgl_colour_map_at(map, part, colour);
  for (int i = 0; i < 3; i++) rgb[i] = (guint8)lround(CLAMP(colour[i], 0, 1) * 255);
}

GdkTexture *gantry_thumbnail_new(const GantryImage *image, double low, double high, const char *map) {
  const ctgl_colour_map *colours = map ? ctgl_colour_map_find(map) : NULL;
  const gsize width = (gsize)image->width, height = (gsize)image->height;
  guint8 *pixels = colours ? g_malloc(width * height * 3) : paint_greys(image, low, high);
  for (gsize j = 0; colours && j < height; j++)
    for (gsize i = 0; i < width; i++) {
      const double value = image->pixels[(height - 1 - j) * width + i];
      const double part = high > low && isfinite(value) ? CLAMP((value - low) / (high - low), 0, 1) : 0;
      paint(colours, part, pixels + (j * width + i) * 3);
    }
  g_autoptr(GBytes) bytes = g_bytes_new_take(pixels, width * height * 3);
  return gdk_memory_texture_new((int)width, (int)height, GDK_MEMORY_R8G8B8, bytes, width * 3);
}
