/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of colour maps, and the formula by which a value in 0..1 becomes a colour: linear between table entries, as
 * image.frag computes it. */
#include "render/colour-map-private.h"
#include "render/slice-renderer.h"

#include <math.h>
#include <string.h>

static const ctgl_colour_map maps[] = {
    {"grey", "Grey", ctgl_table_grey, false},
    {"viridis", "Viridis", ctgl_table_viridis, false},
    {"inferno", "Inferno", ctgl_table_inferno, false},
    {"cividis", "Cividis", ctgl_table_cividis, false},
    {"blue-white-red", "Blue, white, red", ctgl_table_blue_white_red, true},
    {"blue-black-orange", "Blue, black, orange", ctgl_table_blue_black_orange, true},
};

const ctgl_colour_map *ctgl_colour_maps(size_t *count) {
  if (count) *count = sizeof maps / sizeof *maps;
  return maps;
}

const ctgl_colour_map *ctgl_colour_map_find(const char *id) {
  for (size_t i = 0; id && i < sizeof maps / sizeof *maps; i++)
    if (strcmp(maps[i].id, id) == 0) return &maps[i];
  return NULL;
}

void ctgl_colour_map_at(const ctgl_colour_map *map, double value, double rgb[3]) {
  const ctgl_colour_map *table = map ? map : &maps[0];
  /* Written so that NaN falls to the lower end. */
  const double position = value > 0 ? 255 * fmin(value, 1) : 0;
  const int low = (int)position, high = low < 255 ? low + 1 : 255;
  for (int c = 0; c < 3; c++)
    rgb[c] = (table->rgb[low][c] + (position - low) * (table->rgb[high][c] - table->rgb[low][c])) / 255;
}
