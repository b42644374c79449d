/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What render computes without OpenGL: cameras, scale bars, colour maps. */
#include "render/slice-renderer.h"
#include "tests/test.h"

static const ctgl_camera cameras[] = {
    {640, 480, 0, 0, 1, 0},
    {641, 333, -12.5, 7.25, 3.7, 1},
    {1, 1, 1e4, -1e4, 1e-3, 40},
    {3840, 2160, 0.01, 0.02, 900, 0.01},
};
enum { CAMERAS = sizeof cameras / sizeof *cameras };

static void test_round_trip(void) {
  for (int i = 0; i < CAMERAS; i++)
    for (int k = 0; k < 9; k++) {
      const ctgl_point screen = {cameras[i].width * (k % 3) / 2.0, cameras[i].height * (k / 3) / 2.0};
      const ctgl_point world = ctgl_screen_to_world(&cameras[i], screen);
      const ctgl_point back = ctgl_world_to_screen(&cameras[i], world);
      CHECK_NEAR(back.x, screen.x, 1e-7);
      CHECK_NEAR(back.y, screen.y, 1e-7);
    }
}

static void test_orientation(void) {
  const ctgl_camera camera = {200, 100, 10, 20, 4, 0};
  const ctgl_point middle = ctgl_screen_to_world(&camera, (ctgl_point){100, 50});
  CHECK_NEAR(middle.x, 10, 0);
  CHECK_NEAR(middle.y, 20, 0);
  const ctgl_point corner = ctgl_screen_to_world(&camera, (ctgl_point){0, 0});
  CHECK_NEAR(corner.x, 10 - 100 / 4.0, 0);
  CHECK_NEAR(corner.y, 20 + 50 / 4.0, 0);
}

static void test_fit(void) {
  static const ctgl_image_frame frames[] = {
      {256, 256, 0.5, 0.5, -63.75, -63.75}, {1024, 3, 0.1, 2, 5, 5}, {3, 700, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0}};
  for (int f = 0; f < 4; f++) {
    ctgl_camera camera = {500, 300, 99, 99, 99, 99};
    const ctgl_image_frame *frame = &frames[f];
    ctgl_camera_fit(&camera, frame);
    const ctgl_point low = ctgl_world_to_screen(
        &camera, (ctgl_point){frame->origin_x - frame->spacing_x / 2, frame->origin_y - frame->spacing_y / 2});
    const ctgl_point high =
        ctgl_world_to_screen(&camera, (ctgl_point){frame->origin_x + (frame->width - 0.5) * frame->spacing_x,
                                                   frame->origin_y + (frame->height - 0.5) * frame->spacing_y});
    CHECK_NEAR((low.x + high.x) / 2, 250, 1e-9);
    CHECK_NEAR((low.y + high.y) / 2, 150, 1e-9);
    /* The whole image, and one direction nearly full. */
    CHECK(low.x > 0 && high.x < 500 && high.y > 0 && low.y < 300);
    CHECK(fmax((high.x - low.x) / 500, (low.y - high.y) / 300) > 0.9);
  }
}

/* The outer edges of the pixels come to lie where the margins end, whatever the pixels' shape. */
static void test_fill(void) {
  const double margins[4] = {46, 34, 12, 24};
  const ctgl_image_frame wide = {250, 9, 2, 1, 0.5, 0}, high = {16, 3000, 1, 1, 0, 0};
  for (int f = 0; f < 2; f++) {
    const ctgl_image_frame *frame = f ? &high : &wide;
    ctgl_camera camera = {500, 300, 99, 99, 99, 99};
    ctgl_camera_fill(&camera, frame, margins);
    const ctgl_point low = ctgl_world_to_screen(
        &camera, (ctgl_point){frame->origin_x - frame->spacing_x / 2, frame->origin_y - frame->spacing_y / 2});
    const ctgl_point top =
        ctgl_world_to_screen(&camera, (ctgl_point){frame->origin_x + (frame->width - 0.5) * frame->spacing_x,
                                                   frame->origin_y + (frame->height - 0.5) * frame->spacing_y});
    CHECK_NEAR(low.x, 46, 1e-9);
    CHECK_NEAR(low.y, 300 - 24, 1e-9);
    CHECK_NEAR(top.x, 500 - 12, 1e-9);
    CHECK_NEAR(top.y, 34, 1e-9);
  }
  ctgl_camera none = {0, 0, 0, 0, 0, 0};
  ctgl_camera_fill(&none, &wide, margins);
  CHECK(none.zoom > 0 && isfinite(ctgl_camera_zoom_up(&none)));
}

static void test_fit_of_nothing(void) {
  ctgl_camera camera = {0, 0, 0, 0, 0, 0};
  ctgl_camera_fit(&camera, &(ctgl_image_frame){0});
  CHECK(camera.zoom > 0 && isfinite(camera.zoom));
}

static void test_scale_bar(void) {
  for (double zoom = 1e-4; zoom < 1e5; zoom *= 1.37) {
    const ctgl_camera camera = {700, 500, 0, 0, zoom, 1};
    const double length = ctgl_scale_bar_length(&camera), part = length * zoom / camera.width;
    CHECK(part > 0.12 && part < 0.33);
    const double mantissa = length / pow(10, floor(log10(length) + 1e-9));
    CHECK(fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 || fabs(mantissa - 5) < 1e-6);
  }
  CHECK_NEAR(ctgl_scale_bar_length(&(ctgl_camera){0, 0, 0, 0, 0, 0}), 0, 0);
}

/* CIE L* of an sRGB triple. */
static double lightness(const unsigned char rgb[3]) {
  static const double weights[3] = {0.2126729, 0.7151522, 0.0721750};
  double y = 0;
  for (int c = 0; c < 3; c++) {
    const double v = rgb[c] / 255.0;
    y += weights[c] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
  }
  return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

static void test_lightness_rises(void) {
  static const char *const ids[] = {"grey", "viridis", "inferno", "cividis"};
  for (int i = 0; i < 4; i++) {
    const ctgl_colour_map *map = ctgl_colour_map_find(ids[i]);
    CHECK(map);
    for (int k = 1; k < 256; k++) CHECK_BELOW(lightness(map->rgb[k - 1]) - 0.3, lightness(map->rgb[k]));
    CHECK_BELOW(60, lightness(map->rgb[255]) - lightness(map->rgb[0]));
  }
}

static void test_diverging_is_symmetric(void) {
  const ctgl_colour_map *map = ctgl_colour_map_find("blue-white-red");
  CHECK(map);
  for (int k = 0; k < 128; k++) {
    CHECK_NEAR(lightness(map->rgb[k]), lightness(map->rgb[255 - k]), 1.0);
    CHECK_BELOW(lightness(map->rgb[k]), lightness(map->rgb[k + 1]) + 0.1);
    CHECK(k > 120 || map->rgb[k][2] > map->rgb[k][0]);
    CHECK(k > 120 || map->rgb[255 - k][0] > map->rgb[255 - k][2]);
  }
  double rgb[3];
  ctgl_colour_map_at(map, 0.5, rgb);
  for (int c = 0; c < 3; c++) CHECK_NEAR(rgb[c], 1, 0.005);
}

static void test_look_up(void) {
  size_t count = 0;
  const ctgl_colour_map *maps = ctgl_colour_maps(&count);
  CHECK(count >= 5);
  for (size_t i = 0; i < count; i++) {
    CHECK(ctgl_colour_map_find(maps[i].id) == &maps[i]);
    double rgb[3];
    for (int k = 0; k < 256; k++) {
      ctgl_colour_map_at(&maps[i], k / 255.0, rgb);
      for (int c = 0; c < 3; c++) CHECK_NEAR(rgb[c], maps[i].rgb[k][c] / 255.0, 1e-12);
    }
    ctgl_colour_map_at(&maps[i], 40, rgb);
    CHECK_NEAR(rgb[1], maps[i].rgb[255][1] / 255.0, 0);
    ctgl_colour_map_at(&maps[i], -INFINITY, rgb);
    CHECK_NEAR(rgb[1], maps[i].rgb[0][1] / 255.0, 0);
    ctgl_colour_map_at(&maps[i], NAN, rgb);
    CHECK_NEAR(rgb[1], maps[i].rgb[0][1] / 255.0, 0);
  }
  CHECK(!ctgl_colour_map_find("rainbow"));
  CHECK(!ctgl_colour_map_find(NULL));
}

static const ct_test tests[] = {
    {"screen to world and back", test_round_trip},
    {"y points up and the centre lies in the middle", test_orientation},
    {"fit shows the whole image", test_fit},
    {"a sinogram fills what its axes leave", test_fill},
    {"fit of an empty view stays finite", test_fit_of_nothing},
    {"scale bar is a round fifth of the view", test_scale_bar},
    {"sequential maps grow lighter", test_lightness_rises},
    {"the diverging map is symmetric about white", test_diverging_is_symmetric},
    {"colour of a value", test_look_up},
};
CT_TEST_MAIN(tests)
