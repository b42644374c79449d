/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of the slice renderer begin with: a canvas with its renderer, a plain scene. */
#ifndef TESTS_RENDER_BENCH_H
#define TESTS_RENDER_BENCH_H

#include "tests/render/canvas.h"
#include "tests/test.h"

typedef struct drawing_bench {
  drawing_canvas canvas;
  ctgl_slice_renderer *renderer;
} drawing_bench;

static inline void close_bench(drawing_bench *bench) {
  ctgl_slice_renderer_free(bench->renderer);
  canvas_close(&bench->canvas);
}

/* Every test opens its own context; without one it is skipped with the reason. */
#define OPEN(width, height)                                                                                            \
  ct_error *error = NULL;                                                                                              \
  __attribute__((cleanup(close_bench))) drawing_bench bench = {0};                                                     \
  if (!canvas_open(&bench.canvas, width, height, &error)) {                                                            \
    char why[400];                                                                                                     \
    snprintf(why, sizeof why, "%s", error ? error->message : "no context");                                            \
    ct_error_clear(&error);                                                                                            \
    SKIP("%s", why);                                                                                                   \
  }                                                                                                                    \
  drawing_canvas *canvas = &bench.canvas;                                                                              \
  CHECK_OK(bench.renderer = ctgl_slice_renderer_new(NULL, &error));                                                    \
  ctgl_slice_renderer *renderer = bench.renderer

/* A scene with nothing but the image; window 0..1; the camera looks at the middle of a unit-spaced image. */
static inline ctgl_slice_scene plain_scene(const drawing_canvas *canvas, const ctgl_image_frame *frame, double zoom) {
  return (ctgl_slice_scene){.camera = {canvas->width, canvas->height,
                                       frame->origin_x + (frame->width - 1) * frame->spacing_x / 2,
                                       frame->origin_y + (frame->height - 1) * frame->spacing_y / 2, zoom},
                            .low = 0,
                            .high = 1,
                            .range = 1,
                            .pixel_ratio = 1};
}

static inline ctgl_image_frame unit_frame(int width, int height) {
  return (ctgl_image_frame){width, height, 1, 1, 0, 0};
}

static inline int byte_of(double value) {
  return (int)lrint(255 * value);
}

#endif
