/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws slices into a framebuffer and checks pixels against the formulas of slice-renderer.h. */
#include "tests/render/bench.h"

static void test_window_and_map(void) {
  OPEN(64, 4);
  float pixels[64];
  for (int i = 0; i < 64; i++) pixels[i] = (float)(0.02 + i * 0.001);
  const ctgl_image_frame frame = unit_frame(64, 1);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 1);
  scene.camera.zoom = 1;
  scene.low = 0.03;
  scene.high = 0.07;
  size_t count = 0;
  const ctgl_colour_map *maps = ctgl_colour_maps(&count);
  for (size_t m = 0; m < count; m++) {
    scene.map = &maps[m];
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    for (int x = 0; x < 64; x++) {
      double rgb[3];
      ctgl_colour_map_at(&maps[m], ((double)pixels[x] - scene.low) / (scene.high - scene.low), rgb);
      CHECK(canvas_is(canvas, x, 2, byte_of(rgb[0]), byte_of(rgb[1]), byte_of(rgb[2]), 1));
    }
  }
  /* Ends exactly, and the opaque alpha that a compositor relies on. */
  scene.map = NULL;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  CHECK(canvas_is(canvas, 0, 2, 0, 0, 0, 0));
  CHECK(canvas_is(canvas, 63, 2, 255, 255, 255, 0));
  CHECK(canvas_at(canvas, 5, 0)[3] == 255 && canvas_at(canvas, 5, 2)[3] == 255);
  CHECK(canvas->complaints == 0);
}

static void test_empty_window_is_a_step(void) {
  OPEN(4, 4);
  const float pixels[] = {0.4f, 0.5f, 0.6f, 0.7f};
  const ctgl_image_frame frame = unit_frame(4, 1);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 1);
  scene.low = scene.high = 0.5;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  CHECK(canvas_is(canvas, 0, 2, 0, 0, 0, 0));
  CHECK(canvas_is(canvas, 2, 2, 255, 255, 255, 0));
}

/* Integer zooms: every image pixel covers exactly zoom x zoom device pixels, at the right place, row 0 lowest. */
static void test_nearest_borders(void) {
  OPEN(60, 60);
  float pixels[25];
  for (int i = 0; i < 25; i++) pixels[i] = (float)(i + 1) / 26;
  const ctgl_image_frame frame = {5, 5, 0.25, 0.25, 3, -7};
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
  for (int side = 2; side <= 12; side += 2) {
    const ctgl_slice_scene scene = plain_scene(canvas, &frame, side / 0.25);
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    const int first = 30 - 5 * side / 2;
    for (int y = 0; y < 60; y++)
      for (int x = 0; x < 60; x++) {
        const int i = x < first ? -1 : (x - first) / side, row = y < first ? -1 : (y - first) / side;
        const bool inside = i >= 0 && i < 5 && row >= 0 && row < 5;
        const int grey = inside ? byte_of((double)pixels[5 * (4 - row) + i]) : 0;
        CHECK(canvas_is(canvas, x, y, grey, grey, grey, 1));
      }
  }
}

/* At zoom 1 with image borders on fragment centres every pixel still shows once. */
static void test_tied_borders(void) {
  OPEN(256, 1);
  float pixels[256];
  for (int i = 0; i < 256; i++) pixels[i] = (float)i / 255;
  const ctgl_image_frame frame = {256, 1, 0.3, 0.3, -38.25, 0};
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 1 / 0.3);
  scene.camera.centre_x += 0.15;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  for (int x = 1; x < 255; x++) CHECK(canvas_at(canvas, x, 0)[0] - canvas_at(canvas, x - 1, 0)[0] == 1);
}

static void test_unequal_spacing(void) {
  OPEN(40, 40);
  const float pixels[] = {0, 1, 1, 0};
  const ctgl_image_frame frame = {2, 2, 1, 3, 0, 0};
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
  const ctgl_slice_scene scene = plain_scene(canvas, &frame, 4);
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  /* 8 wide and 24 high about (20, 20); white are the upper left and the lower right pixel. */
  int white = 0;
  for (int y = 0; y < 40; y++)
    for (int x = 0; x < 40; x++) {
      const bool expected = (x >= 16 && x < 20 && y >= 8 && y < 20) || (x >= 20 && x < 24 && y >= 20 && y < 32);
      CHECK((canvas_at(canvas, x, y)[0] > 127) == expected);
      white += expected;
    }
  CHECK(white == 96);
}

static void test_smooth_is_bilinear(void) {
  OPEN(80, 80);
  float pixels[64];
  for (int i = 0; i < 64; i++) pixels[i] = (float)((i * 37 % 64) / 63.0);
  const ctgl_image_frame frame = unit_frame(8, 8);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 10);
  scene.smooth = true;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  for (int y = 0; y < 80; y += 3)
    for (int x = 0; x < 80; x += 3) {
      const ctgl_point world = ctgl_screen_to_world(&scene.camera, (ctgl_point){x + 0.5, y + 0.5});
      const double cx = fmin(fmax(world.x, 0), 7), cy = fmin(fmax(world.y, 0), 7);
      const int i = (int)fmin(floor(cx), 6), j = (int)fmin(floor(cy), 6);
      const double fx = cx - i, fy = cy - j;
      const float *p = pixels + 8 * j + i;
      const double value =
          (1 - fy) * ((1 - fx) * (double)p[0] + fx * (double)p[1]) + fy * ((1 - fx) * (double)p[8] + fx * (double)p[9]);
      CHECK_NEAR(canvas_at(canvas, x, y)[0], 255 * value, 1.01);
    }
}

/* Made smaller, a checkerboard becomes its mean when smooth. */
static void test_smooth_averages(void) {
  OPEN(32, 32);
  static float pixels[64 * 64];
  for (int i = 0; i < 64 * 64; i++) pixels[i] = (float)((i + i / 64) % 2);
  const ctgl_image_frame frame = unit_frame(64, 64);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 0.5);
  scene.smooth = true;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  for (int k = 2; k < 30; k++) CHECK_NEAR(canvas_at(canvas, k, 31 - k)[0], 127.5, 1.5);
}

static void test_broken_pixels(void) {
  OPEN(40, 10);
  const float pixels[] = {NAN, INFINITY, -INFINITY, 0.5f};
  const ctgl_image_frame frame = unit_frame(4, 1);
  for (int slot = 0; slot < 2; slot++)
    CHECK_OK(ctgl_slice_renderer_set_image(renderer, slot ? CTGL_SLOT_B : CTGL_SLOT_A, &frame, pixels, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 10);
  scene.swipe = 1;
  for (int mode = 0; mode <= CTGL_SHOW_SWIPE; mode++)
    for (int smooth = 0; smooth < 2; smooth++) {
      scene.mode = (ctgl_mode)mode;
      scene.smooth = smooth;
      CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
      for (int i = 0; i < 3; i++) CHECK(canvas_is(canvas, 10 * i + 2, 5, 255, 0, 255, 0));
      /* The neighbour of a broken pixel is not drawn into it. */
      const int expected = mode == CTGL_SHOW_DIFFERENCE ? 255 : 128;
      CHECK(canvas_is(canvas, 32, 5, expected, expected, expected, 1));
    }
}

static void test_difference(void) {
  OPEN(50, 10);
  const float a[] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f}, b[] = {0.5f, 0.3f, 0.3f, 0.3f, 0.1f};
  const ctgl_image_frame frame = unit_frame(5, 1);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, a, &error));
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_B, &frame, b, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 10);
  scene.mode = CTGL_SHOW_DIFFERENCE;
  scene.range = 0.2;
  scene.map = ctgl_colour_map_find("inferno"); /* not for differences */
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  const ctgl_colour_map *map = ctgl_colour_map_find("blue-white-red");
  for (int i = 0; i < 5; i++) {
    double rgb[3];
    ctgl_colour_map_at(map, 0.5 + ((double)a[i] - (double)b[i]) / (2 * scene.range), rgb);
    CHECK(canvas_is(canvas, 10 * i + 5, 5, byte_of(rgb[0]), byte_of(rgb[1]), byte_of(rgb[2]), 1));
  }
  const unsigned char *negative = canvas_at(canvas, 5, 5), *positive = canvas_at(canvas, 45, 5);
  CHECK(negative[2] > negative[0] + 50 && positive[0] > positive[2] + 50);
}

/* B on a grid of its own is looked up at the same place of the world. */
static void test_different_frames(void) {
  OPEN(64, 64);
  float a[64], b[16];
  for (int i = 0; i < 64; i++) a[i] = (float)((i % 8 / 2 + i / 16 * 4) / 16.0);
  for (int i = 0; i < 16; i++) b[i] = (float)(i / 16.0);
  const ctgl_image_frame fine = {8, 8, 1, 1, 0, 0}, coarse = {4, 4, 2, 2, 0.5, 0.5};
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &fine, a, &error));
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_B, &coarse, b, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &fine, 8);
  scene.mode = CTGL_SHOW_DIFFERENCE;
  scene.range = 0.01;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  for (int k = 0; k < 64; k++) CHECK(canvas_is(canvas, k, 63 - k, 255, 255, 255, 1));
  /* Shifted by one coarse pixel they differ, and where one of them ends there is no difference to show. */
  const ctgl_image_frame shifted = {4, 4, 2, 2, 2.5, 0.5};
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_B, &shifted, b, &error));
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  CHECK(canvas_is(canvas, 8, 32, 0, 0, 0, 0));
  double rgb[3];
  ctgl_colour_map_at(ctgl_colour_map_find("blue-white-red"), 1, rgb);
  CHECK(canvas_is(canvas, 40, 32, byte_of(rgb[0]), byte_of(rgb[1]), byte_of(rgb[2]), 1));
}

/* Beyond its bounds a picture is drawn as beside it, in every mode and whatever is stored there; within them, to the
 * last pixel, nothing of that is mixed in. */
static void test_bounds(void) {
  OPEN(80, 80);
  float a[400], b[400];
  for (int k = 0; k < 400; k++) a[k] = k % 20 + k / 20 <= 19 ? 0.75f : 1, b[k] = k % 20 >= 5 ? 0.5f : 0;
  const ctgl_image_frame frame = unit_frame(20, 20);
  const ctgl_bounds corner = {{0, 0.5, 0.5}, {1.0 / 19, 0, 0}, {1.0 / 19, 0, 0}},
                    right = {{0.5, -5.0 / 14, 0.5}, {0, 1.0 / 14, 0}, {0, 0, 0}};
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, a, &error));
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_B, &frame, b, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 4);
  scene.swipe = 0.5;
  double rgb[3];
  ctgl_colour_map_at(ctgl_colour_map_find("blue-white-red"), 0.5 + 0.25 / 2, rgb);
  for (int with = 0; with < 4; with++)
    for (int kind = 0; kind < 8; kind++) {
      ctgl_slice_renderer_set_bounds(renderer, CTGL_SLOT_A, with & 1 ? &corner : NULL);
      ctgl_slice_renderer_set_bounds(renderer, CTGL_SLOT_B, with & 2 ? &right : NULL);
      scene.mode = (ctgl_mode)(kind / 2);
      scene.smooth = kind % 2;
      CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
      for (int k = 0; k < 400; k++) {
        const int i = k % 20, j = k / 20;
        const bool in_a = i + j <= 19, in_b = i >= 5, takes_b = scene.mode == CTGL_SHOW_SWIPE && i >= 10;
        const bool counts_a = scene.mode != CTGL_SHOW_B && !takes_b,
                   counts_b = scene.mode == CTGL_SHOW_B || scene.mode == CTGL_SHOW_DIFFERENCE || takes_b;
        const bool out = (with & 1 && counts_a && !in_a) || (with & 2 && counts_b && !in_b);
        if (scene.mode == CTGL_SHOW_SWIPE && i >= 7 && i <= 12) continue; /* the line between them, and its handle */
        /* What is not bounded is not looked at where it has another value. */
        if (!out && ((counts_a && (!in_a || !(with & 1))) || (counts_b && (!in_b || !(with & 2))))) continue;
        const double value = counts_a ? 0.75 : 0.5;
        const bool difference = scene.mode == CTGL_SHOW_DIFFERENCE;
        int expected[3];
        for (int c = 0; c < 3; c++) expected[c] = out ? 0 : byte_of(difference ? rgb[c] : value);
        for (int y = 0; y < 4; y++)
          for (int x = 0; x < 4; x++)
            if (!canvas_is(canvas, 4 * i + x, 79 - 4 * j - y, expected[0], expected[1], expected[2], 1))
              CT_TEST_END(1, "bounds %d, mode %d, smooth %d: pixel (%d, %d)", with, kind / 2, kind % 2, i, j);
      }
    }
  CHECK(canvas->complaints == 0);
}

static void test_swipe(void) {
  OPEN(100, 40);
  const float a = 0.25f, b = 0.75f;
  const ctgl_image_frame frame = {1, 1, 200, 200, 0, 0};
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, &a, &error));
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_B, &frame, &b, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 1);
  scene.mode = CTGL_SHOW_SWIPE;
  scene.swipe = 0.3;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  for (int x = 0; x < 28; x++) CHECK(canvas_is(canvas, x, 0, 64, 64, 64, 1));
  CHECK(canvas_at(canvas, 30, 0)[0] > 230);
  for (int x = 32; x < 100; x++) CHECK(canvas_is(canvas, x, 0, 191, 191, 191, 1));
  scene.mode = CTGL_SHOW_B;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  CHECK(canvas_is(canvas, 0, 0, 191, 191, 191, 1));
}

static void test_crosshair(void) {
  OPEN(201, 151);
  const float value = 0;
  const ctgl_image_frame frame = unit_frame(1, 1);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, &value, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 2.5);
  scene.crosshair = true;
  scene.cross_horizontal = (ctgl_colour){0, 1, 0, 1};
  scene.cross_vertical = (ctgl_colour){0, 0, 1, 1};
  for (int ratio = 1; ratio <= 3; ratio++) {
    scene.pixel_ratio = ratio;
    scene.cross = ctgl_screen_to_world(&scene.camera, (ctgl_point){60.7, 90.7});
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    const int line = ratio, first = 60 - (line - 1) / 2, top = 90 - (line - 1) / 2;
    int green = 0, blue = 0;
    for (int y = 0; y < 151; y++) green += canvas_is(canvas, 0, y, 0, 255, 0, 0);
    for (int x = 0; x < 201; x++) blue += canvas_is(canvas, x, 0, 0, 0, 255, 0);
    CHECK(green == line && blue == line);
    for (int k = 0; k < line; k++) {
      CHECK(canvas_is(canvas, first + k, 0, 0, 0, 255, 0) && canvas_is(canvas, first + k, 150, 0, 0, 255, 0));
      CHECK(canvas_is(canvas, 0, top + k, 0, 255, 0, 0) && canvas_is(canvas, 200, top + k, 0, 255, 0, 0));
    }
    /* The gap: what lies under the crossing stays visible. */
    for (int k = -10; k <= 10; k++)
      CHECK(canvas_is(canvas, 60 + k, 90, 0, 0, 0, 0) && canvas_is(canvas, 60, 90 + k, 0, 0, 0, 0));
  }
  /* A crossing outside the view leaves the line that is in it whole, and NaN leaves none. */
  scene.pixel_ratio = 1;
  scene.cross = ctgl_screen_to_world(&scene.camera, (ctgl_point){-500, 20.5});
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  for (int x = 0; x < 201; x++) CHECK(canvas_is(canvas, x, 20, 0, 255, 0, 0));
  scene.cross = (ctgl_point){NAN, 0};
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  for (int x = 0; x < 201; x++) CHECK(canvas_is(canvas, x, 75, 0, 0, 0, 0));
  CHECK(canvas->complaints == 0);
}

static void test_frame_and_scale_bar(void) {
  OPEN(300, 200);
  ctgl_slice_scene scene = plain_scene(canvas, &(ctgl_image_frame){1, 1, 1, 1, 0, 0}, 6);
  scene.frame = (ctgl_colour){1, 0.5f, 0, 1};
  scene.scale_bar = true;
  for (int ratio = 1; ratio <= 2; ratio++) {
    scene.pixel_ratio = ratio;
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    for (int k = 0; k < ratio; k++) {
      CHECK(canvas_is(canvas, 100, k, 255, 128, 0, 1) && canvas_is(canvas, 100, 199 - k, 255, 128, 0, 1));
      CHECK(canvas_is(canvas, k, 100, 255, 128, 0, 1) && canvas_is(canvas, 299 - k, 100, 255, 128, 0, 1));
    }
    CHECK(canvas_is(canvas, ratio, ratio, 0, 0, 0, 0) && canvas_is(canvas, 298 - ratio, 100, 0, 0, 0, 0));
    const int y = 200 - 14 * ratio - ratio;
    int bright = 0;
    for (int x = ratio; x < 300 - ratio; x++) bright += canvas_at(canvas, x, y)[1] > 200;
    CHECK(bright == (int)lrint(ctgl_scale_bar_length(&scene.camera) * scene.camera.zoom));
  }
}

static void test_profile_and_region(void) {
  OPEN(200, 200);
  ctgl_slice_scene scene = plain_scene(canvas, &(ctgl_image_frame){1, 1, 1, 1, 0, 0}, 1);
  scene.profile = true;
  scene.profile_from = ctgl_screen_to_world(&scene.camera, (ctgl_point){40, 50});
  scene.profile_to = ctgl_screen_to_world(&scene.camera, (ctgl_point){160, 140});
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  CHECK(canvas_at(canvas, 100, 95)[0] > 150); /* on the line */
  CHECK(canvas_at(canvas, 40, 50)[0] > 230);  /* the first end is filled */
  CHECK(canvas_at(canvas, 160, 140)[0] < 30); /* the last is a ring */
  CHECK(canvas_at(canvas, 100, 60)[0] == 0);
  scene.profile = false;
  scene.region = true;
  scene.region_from = ctgl_screen_to_world(&scene.camera, (ctgl_point){150.5, 20.5});
  scene.region_to = ctgl_screen_to_world(&scene.camera, (ctgl_point){30.5, 120.5});
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  for (int x = 30; x <= 150; x++) CHECK(canvas_at(canvas, x, 20)[0] > 230 && canvas_at(canvas, x, 120)[0] > 230);
  for (int y = 20; y <= 120; y++) CHECK(canvas_at(canvas, 30, y)[0] > 230 && canvas_at(canvas, 150, y)[0] > 230);
  CHECK(canvas_at(canvas, 90, 70)[0] < 60 && canvas_at(canvas, 90, 150)[0] == 0);
  scene.region = false;
  scene.rectangle = true;
  scene.rectangle_from = scene.region_from;
  scene.rectangle_to = scene.region_to;
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  /* Of a colour of its own. */
  for (int x = 30; x <= 150; x++) CHECK(canvas_at(canvas, x, 20)[2] > 230 && canvas_at(canvas, x, 20)[0] < 120);
  for (int y = 20; y <= 120; y++) CHECK(canvas_at(canvas, 150, y)[2] > 230 && canvas_at(canvas, 150, y)[0] < 120);
  CHECK(canvas_at(canvas, 90, 150)[2] == 0);
  CHECK(canvas->complaints == 0);
}

static void test_resize(void) {
  OPEN(64, 64);
  static float pixels[100 * 100];
  for (int i = 0; i < 100 * 100; i++) pixels[i] = 1;
  static const int sizes[][2] = {{10, 10}, {100, 100}, {3, 77}, {100, 100}, {1, 1}};
  for (int s = 0; s < 5; s++) {
    const ctgl_image_frame frame = unit_frame(sizes[s][0], sizes[s][1]);
    CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
    CHECK(canvas_resize(canvas, 64 + 30 * s, 64 + 20 * s));
    ctgl_slice_scene scene = plain_scene(canvas, &frame, 1);
    ctgl_camera_fit(&scene.camera, &frame);
    CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
    double lit = 0;
    for (int y = 0; y < canvas->height; y++)
      for (int x = 0; x < canvas->width; x++) lit += canvas_at(canvas, x, y)[0] == 255;
    const double expected = frame.width * frame.height * scene.camera.zoom * scene.camera.zoom;
    CHECK_NEAR(lit, expected, 2 * (canvas->width + canvas->height));
  }
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, NULL, NULL, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &(ctgl_image_frame){1, 1, 1, 1, 0, 0}, 100);
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  CHECK(canvas_is(canvas, canvas->width / 2, canvas->height / 2, 0, 0, 0, 0));
}

static void test_refusals(void) {
  OPEN(16, 16);
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const float pixel = 1;
  ctgl_image_frame frame = unit_frame(largest + 1, 1);
  CHECK_FAILS(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, &pixel, &error), CT_ERROR_UNSUPPORTED,
              "at most");
  frame = unit_frame(0, 5);
  CHECK_FAILS(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, &pixel, &error), CT_ERROR_ARGUMENT, "0 x 5");
  frame = (ctgl_image_frame){1, 1, NAN, 1, 0, 0};
  CHECK_FAILS(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, &pixel, &error), CT_ERROR_ARGUMENT,
              "cannot");
  ctgl_slice_scene scene = plain_scene(canvas, &(ctgl_image_frame){1, 1, 1, 1, 0, 0}, 0);
  CHECK_FAILS(canvas_draw(canvas, renderer, &scene, &error), CT_ERROR_ARGUMENT, "cannot be drawn");
  /* An OpenGL error in drawing is told, and one of somebody else's is not taken for ours. */
  scene.camera.zoom = 1;
  glEnable(0x7fff);
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  GLuint hollow = 0;
  glGenFramebuffers(1, &hollow);
  glBindFramebuffer(GL_FRAMEBUFFER, hollow);
  CHECK_FAILS(ctgl_slice_renderer_draw(renderer, &scene, &error), CT_ERROR_UNSUPPORTED, "0x0506");
}

static void test_state_is_restored(void) {
  OPEN(32, 32);
  GLuint textures[3], array = 0, buffers[2];
  glGenTextures(3, textures);
  glGenVertexArrays(1, &array);
  glGenBuffers(2, buffers);
  for (int i = 0; i < 3; i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glBindTexture(GL_TEXTURE_2D, textures[i]);
  }
  glActiveTexture(GL_TEXTURE5);
  glBindVertexArray(array);
  glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffers[1]);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 77);
  glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
  glViewport(1, 2, 3, 4);
  glScissor(0, 0, 1, 1);
  static const GLenum switches[] = {GL_SCISSOR_TEST, GL_DEPTH_TEST,   GL_CULL_FACE,
                                    GL_BLEND,        GL_STENCIL_TEST, GL_RASTERIZER_DISCARD};
  for (int i = 0; i < 6; i++) glEnable(switches[i]);
  glBlendFuncSeparate(GL_DST_COLOR, GL_ONE, GL_ZERO, GL_SRC_ALPHA);
  glBlendEquationSeparate(GL_FUNC_SUBTRACT, GL_MAX);
  glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);

  /* Hostile as that state is, the picture comes out right ... */
  const float pixels[] = {1, 1, 1, 1};
  const ctgl_image_frame frame = unit_frame(2, 2);
  CHECK_OK(ctgl_slice_renderer_set_image(renderer, CTGL_SLOT_A, &frame, pixels, &error));
  ctgl_slice_scene scene = plain_scene(canvas, &frame, 10);
  scene.crosshair = scene.scale_bar = scene.region = scene.profile = true;
  scene.cross = (ctgl_point){9, 9};
  scene.region_from = scene.profile_from = (ctgl_point){-4, -4};
  scene.region_to = scene.profile_to = (ctgl_point){-3, -3};
  CHECK_OK(canvas_draw(canvas, renderer, &scene, &error));
  CHECK(canvas_is(canvas, 24, 8, 255, 255, 255, 0));

  /* ... and the state is as it was. */
  GLint value = 0, box[4] = {0};
  glGetIntegerv(GL_ACTIVE_TEXTURE, &value);
  CHECK(value == GL_TEXTURE5);
  for (int i = 0; i < 3; i++) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &value);
    CHECK(value == (GLint)textures[i]);
  }
  const struct {
    GLenum name;
    GLint expected;
  } integers[] = {{GL_CURRENT_PROGRAM, 0},
                  {GL_VERTEX_ARRAY_BINDING, (GLint)array},
                  {GL_ARRAY_BUFFER_BINDING, (GLint)buffers[0]},
                  {GL_PIXEL_UNPACK_BUFFER_BINDING, (GLint)buffers[1]},
                  {GL_UNPACK_ALIGNMENT, 2},
                  {GL_UNPACK_ROW_LENGTH, 77},
                  {GL_UNPACK_SKIP_PIXELS, 3},
                  {GL_BLEND_SRC_RGB, GL_DST_COLOR},
                  {GL_BLEND_DST_RGB, GL_ONE},
                  {GL_BLEND_SRC_ALPHA, GL_ZERO},
                  {GL_BLEND_DST_ALPHA, GL_SRC_ALPHA},
                  {GL_BLEND_EQUATION_RGB, GL_FUNC_SUBTRACT},
                  {GL_BLEND_EQUATION_ALPHA, GL_MAX},
                  {GL_DRAW_FRAMEBUFFER_BINDING, (GLint)canvas->framebuffer}};
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    glGetIntegerv(integers[i].name, &value);
    CHECK(value == integers[i].expected);
  }
  glGetIntegerv(GL_VIEWPORT, box);
  CHECK(box[0] == 1 && box[1] == 2 && box[2] == 3 && box[3] == 4);
  for (int i = 0; i < 6; i++) CHECK(glIsEnabled(switches[i]));
  GLint mode[2] = {0};
  glGetIntegerv(GL_POLYGON_MODE, mode);
  CHECK(mode[0] == GL_LINE);
  GLboolean mask[4];
  glGetBooleanv(GL_COLOR_WRITEMASK, mask);
  CHECK(mask[0] && !mask[1] && mask[2] && !mask[3]);
  CHECK(canvas->complaints == 0);
}

/* Renderers of one context make their programs once, and the last takes them along. */
static void test_programs_are_shared(void) {
  OPEN(8, 8);
  ctgl_slice_programs *shared = NULL;
  GLint first_made = 0, second_made = 0;
  ctgl_slice_renderer *first = ctgl_slice_renderer_new(&shared, &error);
  CHECK_OK(first);
  const ctgl_slice_programs *kept = shared;
  for (GLuint name = 1; name < 200; name++) first_made += glIsProgram(name);
  ctgl_slice_renderer *second = ctgl_slice_renderer_new(&shared, &error);
  CHECK_OK(second);
  for (GLuint name = 1; name < 200; name++) second_made += glIsProgram(name);
  CHECK(kept && shared == kept && first_made > 0 && second_made == first_made);
  ctgl_slice_renderer_free(first);
  CHECK(shared == kept);
  const ctgl_image_frame frame = unit_frame(1, 1);
  const ctgl_slice_scene scene = plain_scene(canvas, &frame, 8);
  CHECK_OK(ctgl_slice_renderer_set_image(second, CTGL_SLOT_A, &frame, (const float[]){1}, &error));
  CHECK_OK(ctgl_slice_renderer_draw(second, &scene, &error));
  ctgl_slice_renderer_free(second);
  CHECK(!shared && renderer && canvas->complaints == 0);
}

static const ct_test tests[] = {
    {"window and colour maps against the formula", test_window_and_map},
    {"an empty window is a step", test_empty_window_is_a_step},
    {"nearest pixels have exact borders at integer zoom", test_nearest_borders},
    {"borders on fragment centres show every pixel once", test_tied_borders},
    {"unequal pixel spacing", test_unequal_spacing},
    {"smooth is bilinear", test_smooth_is_bilinear},
    {"smooth averages where the picture is made smaller", test_smooth_averages},
    {"non-finite pixels are magenta", test_broken_pixels},
    {"difference in blue, white and red", test_difference},
    {"images on different grids meet in the world", test_different_frames},
    {"nothing is drawn beyond the bounds", test_bounds},
    {"swipe", test_swipe},
    {"crosshair to the pixel", test_crosshair},
    {"frame and scale bar to the pixel", test_frame_and_scale_bar},
    {"profile line and region", test_profile_and_region},
    {"images and viewports change size", test_resize},
    {"what cannot be drawn is refused with a message", test_refusals},
    {"the context's state is restored", test_state_is_restored},
    {"programs are shared by the renderers of a context", test_programs_are_shared},
};
CT_TEST_MAIN(tests)
