/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every projector in three dimensions has to show, on the processor or on a graphics card: agreement with
 * textbook, a transpose, blocks of views, and padding that stays zero. */
#ifndef TESTS_FP_CHECKS_3D_H
#define TESTS_FP_CHECKS_3D_H

#include "tests/fp/scenes-3d.h"

#include <stdio.h>
#include <stdlib.h>

static double difference(const float *a, const float *b, size_t count) {
  double sum = 0, norm = 0;
  for (size_t n = 0; n < count; n++) sum += pow((double)a[n] - b[n], 2), norm += pow(b[n], 2);
  return sqrt(sum / (norm > 0 ? norm : 1));
}

static double product(const float *a, const float *b, size_t count) {
  double sum = 0;
  for (size_t n = 0; n < count; n++) sum += (double)a[n] * b[n];
  return sum;
}

/* What is done with each projector and scene: false with a message in `fault`. */
typedef bool checker(const ct_projector *projector, const staged *stage, float *forward, float *back, char *fault,
                     size_t room, ct_error **error);

#define FAULT(...) (snprintf(fault, room, __VA_ARGS__), false)
static bool agrees(const ct_projector *projector, const staged *stage, float *forward, float *back, char *fault,
                   size_t room, ct_error **error) {
  if (!apply(projector, &stage->request, NULL, 0, stage->x, stage->y, forward, back, error)) return false;
  const double f = difference(forward, stage->forward, stage->rays), b = difference(back, stage->back, stage->image);
  if (getenv("CT_TEST_SHOW")) printf("# %s: forward %.2g back %.2g\n", projector->id, f, b);
  if (!(f <= projector->tolerance)) return FAULT("%s: A x off by %.3g", projector->id, f);
  if (!(b <= projector->tolerance) && projector->matched) return FAULT("%s: A^T y off by %.3g", projector->id, b);
  if (!projector->matched) return b < 1 || FAULT("%s: another back-projection, %.3g off", projector->id, b);
  const double here = product(forward, stage->y, stage->rays), there = product(stage->x, back, stage->image);
  const double scale = sqrt(product(forward, forward, stage->rays) * product(stage->y, stage->y, stage->rays));
  if (!(fabs(here - there) <= 1e-6 * scale))
    return FAULT("%s: <A x, y> = %.9g, <x, A^T y> = %.9g", projector->id, here, there);
  return true;
}

static bool takes_blocks(const ct_projector *projector, const staged *stage, float *forward, float *back, char *fault,
                         size_t room, ct_error **error) {
  ct_projector_state *state = ct_projector_prepare(projector, &stage->request, NULL, error);
  if (!state) return false;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  /* The last block and every third one, not in order. */
  int blocks[32], count = 0, views = 0;
  bool taken[32] = {false};
  for (int n = shape.blocks - 1; n >= 0 && count < 32; n -= 3) {
    ct_projector_block block;
    projector->block(state, n, &block);
    blocks[count++] = n;
    for (int i = 0; i < block.view_count; i++) taken[block.views[i]] = true, views++;
  }
  projector->free(state);
  const size_t view_size = stage->rays / (size_t)stage->geometry.views;
  float *y = ct_alloc(stage->rays, sizeof *y, "rays", error),
        *expected = ct_alloc(stage->image, sizeof *y, "rays", error);
  bool good = y && expected;
  for (size_t n = 0; good && n < stage->rays; n++) y[n] = taken[n / view_size] ? stage->y[n] : 0;
  /* A^T of the blocks alone is that of all views with the others' rays 0. */
  good = good && apply(projector, &stage->request, NULL, 0, stage->x, y, forward, expected, error) &&
         apply(projector, &stage->request, blocks, count, stage->x, stage->y, forward, back, error);
  for (size_t n = 0; good && n < stage->rays; n++) {
    const double wanted = taken[n / view_size] ? stage->forward[n] : -1;
    if (!(fabs(forward[n] - wanted) < 1e-3))
      good = FAULT("%s: ray %zu is %g, not %g", projector->id, n, forward[n], wanted);
  }
  if (good && !(difference(back, expected, stage->image) < 1e-6))
    good = FAULT("%s: A^T y of %d views", projector->id, views);
  ct_free(y);
  ct_free(expected);
  return good;
}

/* Padding stays 0, so that solvers may take norms of own layouts. */
static bool keeps_padding(const ct_projector *projector, const staged *stage, float *forward, float *back, char *fault,
                          size_t room, ct_error **error) {
  ct_projector_state *state = ct_projector_prepare(projector, &stage->request, NULL, error);
  if (!state) return false;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  float *image = ct_alloc(shape.image, sizeof *image, "an image", error),
        *rays = ct_alloc(shape.rays, sizeof *rays, "rays", error);
  bool good = image && rays;
  if (good) {
    for (size_t n = 0; n < stage->image; n++) back[n] = 1;
    for (size_t n = 0; n < shape.image; n++) image[n] = NAN;
    projector->image_in(state, back, image);
    double sum = 0;
    for (size_t n = 0; n < shape.image; n++) sum += fabs((double)image[n]);
    if (sum != (double)stage->image) good = FAULT("%s: image_in leaves padding", projector->id);
    projector->rays_in(state, stage->y, rays);
    good = good && projector->forward(state, NULL, 0, image, rays, error);
    projector->rays_out(state, rays, forward);
    const double own = product(rays, rays, shape.rays), natural = product(forward, forward, stage->rays);
    if (good && !(fabs(own - natural) <= 1e-9 * natural)) good = FAULT("%s: forward leaves padding", projector->id);
    good = good && projector->back(state, NULL, 0, rays, image, error);
    projector->image_out(state, image, back);
    const double own2 = product(image, image, shape.image), natural2 = product(back, back, stage->image);
    if (good && !(fabs(own2 - natural2) <= 1e-9 * natural2)) good = FAULT("%s: back leaves padding", projector->id);
  }
  ct_free(image);
  ct_free(rays);
  projector->free(state);
  return good;
}

#endif
