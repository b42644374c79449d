/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways of showing A and B, pixel by pixel against what they are said to show: fade, checkerboard, differences on
 * linear and logarithmic scales and in both diverging maps, the SSIM map. */
#include "tests/render/bench.h"

#include <string.h>

static void test_table(void) {
  for (int i = 0; i < CTGL_MODES; i++) {
    const ctgl_mode_row *row = ctgl_mode_get((ctgl_mode)i);
    CHECK(ctgl_mode_find(row->id) == (ctgl_mode)i);
    CHECK(*row->name && *row->label && *row->title && *row->tip && row->reads);
    CHECK(ctgl_mode_needs_b((ctgl_mode)i) == (i != CTGL_SHOW_A));
  }
  CHECK(ctgl_mode_find("none") == CTGL_MODES && ctgl_mode_find(NULL) == CTGL_MODES);
  CHECK(ctgl_mode_is_symmetric(CTGL_SHOW_RELATIVE) && !ctgl_mode_is_symmetric(CTGL_SHOW_ABSOLUTE));
  CHECK(ctgl_mode_tells_difference(CTGL_SHOW_SIMILARITY) && !ctgl_mode_tells_difference(CTGL_SHOW_FADE));
}

/* Linear up to a thousandth of the range, which takes a quarter, and a quarter more with each decade. */
static double symlog(double part) {
  const double size = fabs(part);
  const double place = size <= 0.001 ? size * 250 : size >= 1 ? 1 : 0.25 + 0.25 * (log10(size) + 3);
  return part < 0 ? -place : place;
}

static void test_symlog(void) {
  const double parts[] = {-7, -1, -0.1, -0.01, -0.001, -0.0004, 0, 0.0002, 0.001, 0.01, 0.1, 0.5, 1, 3};
  for (int i = 0; i < 14; i++) {
    CHECK_NEAR(ctgl_scale_position(parts[i], true), symlog(parts[i]), 1e-12);
    CHECK_NEAR(ctgl_scale_position(parts[i], false), fmax(-1, fmin(1, parts[i])), 1e-15);
  }
  CHECK_NEAR(ctgl_scale_position(0.01, true), 0.5, 1e-12);
  CHECK_NEAR(ctgl_scale_position(-0.1, true), -0.75, 1e-12);
}

static void test_values(void) {
  CHECK(ctgl_mode_value(CTGL_SHOW_DIFFERENCE, 3, 5, 0) == -2 && ctgl_mode_value(CTGL_SHOW_ABSOLUTE, 3, 5, 0) == 2);
  CHECK(ctgl_mode_value(CTGL_SHOW_RELATIVE, 3, -4, 1) == -1.75);
  CHECK(isnan(ctgl_mode_value(CTGL_SHOW_RELATIVE, 3, -4, 4)) && isnan(ctgl_mode_value(CTGL_SHOW_RELATIVE, 1, 0, 0)));
}

enum { PIXELS = 24 };

/* Differences of every size and both signs; B crosses zero. */
static void fill(float a[PIXELS], float b[PIXELS]) {
  for (int i = 0; i < PIXELS; i++) {
    b[i] = (float)((i % 7 - 3) * 0.1);
    a[i] = b[i] + (float)((i % 2 ? 1 : -1) * 0.3 * pow(10, -i / 5.0));
  }
}

static bool shows(const drawing_canvas *canvas, int i, const double rgb[3]) {
  return canvas_is(canvas, 4 * i + 1, 2, byte_of(rgb[0]), byte_of(rgb[1]), byte_of(rgb[2]), 2);
}

static void test_differences(void) {
  OPEN(4 * PIXELS, 4);
  float a[PIXELS], b[PIXELS];
  fill(a, b);
  const ctgl_image_frame frame = unit_frame(PIXELS, 1);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, a, &error));
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_B, &frame, b, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 4);
  scene.map = ctgl_colour_map_find("inferno");
  scene.range = 0.2;
  scene.least = 0.15;
  static const ctgl_mode modes[] = {CTGL_SHOW_DIFFERENCE, CTGL_SHOW_ABSOLUTE, CTGL_SHOW_RELATIVE};
  static const char *const maps[] = {"blue-white-red", "blue-black-orange"};
  for (int kind = 0; kind < 12; kind++) {
    scene.mode = modes[kind / 4];
    scene.logarithmic = kind % 2;
    const ctgl_colour_map *diverging = ctgl_colour_map_find(maps[kind / 2 % 2]);
    scene.diverging = diverging;
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    int undefined = 0;
    for (int i = 0; i < PIXELS; i++) {
      const double difference = (double)(a[i] - b[i]);
      double rgb[3] = {0.2, 0.2, 0.2}, part = difference / scene.range;
      if (scene.mode == CTGL_SHOW_RELATIVE) part /= (double)b[i];
      const double place = scene.logarithmic ? symlog(part) : fmax(-1, fmin(1, part));
      if (scene.mode == CTGL_SHOW_ABSOLUTE)
        ctgl_colour_map_at(scene.map, fabs(place), rgb);
      else if (scene.mode == CTGL_SHOW_DIFFERENCE || fabs((double)b[i]) > scene.least)
        ctgl_colour_map_at(diverging, 0.5 + place / 2, rgb);
      else
        undefined++;
      if (!shows(canvas, i, rgb)) CT_TEST_END(1, "%s, kind %d: pixel %d", ctgl_mode_get(scene.mode)->id, kind, i);
    }
    CHECK((undefined > 5) == (scene.mode == CTGL_SHOW_RELATIVE));
  }
  CHECK(canvas->complaints == 0);
}

/* Nothing is dark or white, and both directions are as light as each other and lighter with size. */
static double lightness(const ctgl_colour_map *map, int i) {
  double linear[3];
  for (int c = 0; c < 3; c++) {
    const double v = map->rgb[i][c] / 255.0;
    linear[c] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
  }
  const double y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

static void test_diverging_maps(void) {
  size_t count, diverging = 0;
  const ctgl_colour_map *maps = ctgl_colour_maps(&count);
  for (size_t m = 0; m < count; m++) {
    if (!maps[m].diverging) continue;
    diverging++;
    const bool dark = !strcmp(maps[m].id, "blue-black-orange");
    CHECK(dark ? lightness(&maps[m], 127) < 2 : lightness(&maps[m], 127) > 98);
    for (int i = 0; i < 128; i++) CHECK_NEAR(lightness(&maps[m], i), lightness(&maps[m], 255 - i), dark ? 1.5 : 6);
    for (int i = 129; i < 256; i++) {
      const double step = lightness(&maps[m], i) - lightness(&maps[m], i - 1);
      CHECK(dark ? step > -0.3 : step < 0.3);
    }
  }
  CHECK(diverging == 2);
}

static void test_fade(void) {
  OPEN(12, 4);
  const float a[] = {0.2f, 0.4f, 0.6f}, b[] = {0.9f, 0.1f};
  const ctgl_image_frame wide = unit_frame(3, 1), narrow = unit_frame(2, 1);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &wide, a, &error));
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_B, &narrow, b, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &wide, 4);
  scene.mode = CTGL_SHOW_FADE;
  scene.logarithmic = true; /* not of grey values */
  const double parts[] = {0, 0.3, 0.5, 1, 4};
  for (int k = 0; k < 5; k++) {
    scene.fade = parts[k];
    const double part = fmin(parts[k], 1);
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    for (int i = 0; i < 3; i++) {
      const int grey = byte_of((1 - part) * (double)a[i] + part * (i < 2 ? (double)b[i] : 0));
      CHECK(canvas_is(canvas, 4 * i + 2, 2, grey, grey, grey, 1));
    }
  }
}

/* Tiles begin with A in the upper left corner, whatever the height. */
static void test_checkerboard(void) {
  OPEN(50, 31);
  const float a = 0.25f, b = 0.75f;
  const ctgl_image_frame frame = {1, 1, 200, 200, 0, 0};
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, &a, &error));
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_B, &frame, &b, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 1);
  scene.mode = CTGL_SHOW_CHECKERBOARD;
  for (int tile = 1; tile < 20; tile += 6) {
    scene.tile = tile;
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    for (int y = 0; y < 31; y++)
      for (int x = 0; x < 50; x++) {
        const int grey = byte_of((x / tile + y / tile) % 2 ? 0.75 : 0.25);
        CHECK(canvas_is(canvas, x, y, grey, grey, grey, 1));
      }
  }
}

static void test_similarity(void) {
  OPEN(24, 4);
  const float a[6] = {0}, similarity[] = {1, 0.999f, 0.99f, 0.9f, 0.5f, -0.2f};
  const ctgl_image_frame frame = unit_frame(6, 1);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, a, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 4);
  scene.mode = CTGL_SHOW_SIMILARITY;
  scene.map = ctgl_colour_map_find("viridis");
  scene.range = 0.5;
  /* Not computed yet. */
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  CHECK(shows(canvas, 0, (const double[]){0, 0, 0}));
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_MAP, &frame, similarity, &error));
  for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
    scene.logarithmic = logarithmic;
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    for (int i = 0; i < 6; i++) {
      const double part = (1 - (double)similarity[i]) / 0.5;
      double rgb[3];
      ctgl_colour_map_at(scene.map, 1 - (logarithmic ? symlog(part) : fmin(part, 1)), rgb);
      CHECK(shows(canvas, i, rgb));
    }
  }
}

/* Every variant of the shader is accepted; broken pixels are told, and what has no B is black. */
static void test_every_variant(void) {
  OPEN(16, 8);
  const float good[] = {0.1f, 0.2f, 0.3f, 0.4f}, broken[] = {NAN, INFINITY, -INFINITY, 0.4f};
  const ctgl_image_frame frame = unit_frame(4, 1);
  const ctgl_bounds all = {.corner = {0.5, 0.5, 0.5}};
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 4);
  scene.fade = 1;
  scene.tile = 1000;
  scene.swipe = 1; /* its line, and its grip over the last pixel, at the right border */
  for (int kind = 0; kind < CTGL_MODES * 8; kind++) {
    scene.mode = (ctgl_mode)(kind / 8);
    scene.smooth = kind & 1;
    scene.logarithmic = kind & 2;
    const int reads = ctgl_mode_get(scene.mode)->reads;
    for (int slot = 0; slot < CTGL_SLOTS; slot++) {
      ctgl_slice_renderer_set_bounds(renderer, (ctgl_slot)slot, kind & 4 ? &all : NULL);
      CHECK_OK(ctgl_slice_renderer_set_image(renderer, (ctgl_slot)slot, &frame, broken, &error));
    }
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    const double magenta[] = {1, 0, 1}, grey[] = {0.2, 0.2, 0.2};
    for (int i = 0; i < 3; i++) CHECK(shows(canvas, i, scene.mode == CTGL_SHOW_SIMILARITY ? grey : magenta));
    for (int slot = 0; slot < CTGL_SLOTS; slot++)
      CHECK_OK(
          ctgl_slice_renderer_set_image(renderer, (ctgl_slot)slot, reads & 1 << slot ? NULL : &frame, good, &error));
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    for (int i = 0; i < 3; i++) CHECK(shows(canvas, i, (const double[]){0, 0, 0}));
  }
  CHECK(canvas->complaints == 0);
}

static const ct_test tests[] = {
    {"the table's rows", test_table},
    {"a logarithmic scale is linear about zero", test_symlog},
    {"values that modes show", test_values},
    {"differences on every scale and map", test_differences},
    {"diverging maps are as light to both sides", test_diverging_maps},
    {"fade", test_fade},
    {"checkerboard", test_checkerboard},
    {"SSIM map", test_similarity},
    {"every variant draws", test_every_variant},
};
CT_TEST_MAIN(tests)
