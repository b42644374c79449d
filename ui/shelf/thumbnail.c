/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of an image begin at the bottom, those of a texture at the top. */
#include "ui/shelf/thumbnail.h"

#include "render/slice-renderer.h"

#include <math.h>

static void paint(const ctgl_colour_map *map, double part, guint8 rgb[3]) {
  double colour[3] = {part, part, part};
  if (map) ctgl_colour_map_at(map, part, colour);
  for (int i = 0; i < 3; i++) rgb[i] = (guint8)lround(CLAMP(colour[i], 0, 1) * 255);
}

GdkTexture *gantry_thumbnail_new(const GantryImage *image, double low, double high, const char *map) {
  const ctgl_colour_map *colours = map ? ctgl_colour_map_find(map) : NULL;
  const gsize width = (gsize)image->width, height = (gsize)image->height;
  guint8 *pixels = g_malloc(width * height * 3);
  for (gsize j = 0; j < height; j++)
    for (gsize i = 0; i < width; i++) {
      const double value = image->pixels[(height - 1 - j) * width + i];
      const double part = high > low && isfinite(value) ? CLAMP((value - low) / (high - low), 0, 1) : 0;
      paint(colours, part, pixels + (j * width + i) * 3);
    }
  g_autoptr(GBytes) bytes = g_bytes_new_take(pixels, width * height * 3);
  return gdk_memory_texture_new((int)width, (int)height, GDK_MEMORY_R8G8B8, bytes, width * 3);
}
