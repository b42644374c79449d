/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans for projectors in three dimensions, with data and what the textbook projector makes of them. */
#ifndef TESTS_FP_SCENES_3D_H
#define TESTS_FP_SCENES_3D_H

#include "recon/fp/projectors-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

typedef struct scene {
  const char *name;
  ct_beam beam;
  int nu, nv, views;
  double du, dv, sod, sdd, shift_u, shift_v; /* pixels off the detector's middle */
  double tilt, first, arc;                   /* degrees */
  int nx, ny, nz;
  double dx, dy, dz, x, y, z; /* the grid's middle, mm */
} scene;

static const scene scenes[] = {
    {"centred", CT_BEAM_CONE, 40, 36, 12, 1, 1, 120, 200, 0, 0, 0, 3, 360, 32, 32, 34, 0.7, 0.7, 0.7, 0, 0, 0},
    {"quarter turns", CT_BEAM_CONE, 33, 32, 8, 1, 1, 120, 200, 0, 0, 0, 0, 360, 24, 24, 24, 0.7, 0.7, 0.7, 0, 0, 0},
    {"odd", CT_BEAM_CONE, 37, 33, 9, 1, 1, 90, 150, 0, 0, 0, 10, 360, 27, 31, 29, 0.7, 0.7, 0.7, 0, 0, 0},
    {"odd rows, even slices",
     CT_BEAM_CONE,
     37,
     33,
     7,
     1,
     1,
     90,
     150,
     0,
     0,
     0,
     10,
     360,
     27,
     31,
     38,
     0.7,
     0.7,
     0.7,
     0,
     0,
     0},
    {"even rows, odd slices",
     CT_BEAM_CONE,
     37,
     42,
     7,
     1,
     1,
     90,
     150,
     0,
     0,
     0,
     10,
     360,
     27,
     31,
     17,
     0.7,
     0.7,
     0.7,
     0,
     0,
     0},
    {"rows cut off", CT_BEAM_CONE, 40, 30, 9, 1, 1, 120, 200, 0, -3.5, 0, 7, 360, 30, 30, 34, 0.7, 0.7, 0.7, 0, 0, 1.4},
    {"shifted", CT_BEAM_CONE, 41, 35, 9, 1, 1.2, 120, 180, 5.3, -2.7, 0, 1, 200, 32, 30, 37, 0.7, 0.8, 0.6, 3, -4, 1.3},
    {"cut off", CT_BEAM_CONE, 20, 12, 9, 1, 1, 120, 200, 2, 0.3, 0, 1, 360, 40, 44, 50, 0.8, 0.8, 0.8, 0, 0, 0},
    {"small in view", CT_BEAM_CONE, 60, 70, 7, 1, 1, 120, 200, 0, 0, 0, 1, 360, 18, 17, 20, 0.6, 0.6, 0.6, 2, 1, -4},
    {"wide cone", CT_BEAM_CONE, 50, 60, 16, 1, 1, 34, 50, 0, 0, 0, 0.5, 360, 40, 40, 40, 0.6, 0.6, 0.6, 0, 0, 0},
    {"fine rows", CT_BEAM_CONE, 30, 90, 7, 1, 0.35, 120, 200, 0, 0.2, 0, 1, 360, 24, 24, 26, 0.7, 0.7, 0.7, 0, 0, 0},
    {"finer rows", CT_BEAM_CONE, 30, 120, 7, 1, 0.2, 120, 200, 0, 0, 0, 1, 360, 24, 24, 26, 0.7, 0.7, 0.7, 0, 0, 0},
    {"finest rows", CT_BEAM_CONE, 20, 160, 5, 1, 0.1, 120, 200, 0, 0, 0, 1, 360, 16, 16, 20, 0.7, 0.7, 0.9, 0, 0, 0},
    {"coarse rows", CT_BEAM_CONE, 30, 24, 7, 1, 2.1, 120, 200, 0, 0, 0, 1, 360, 24, 24, 40, 0.7, 0.7, 0.6, 0, 0, 0},
    {"coarser rows", CT_BEAM_CONE, 30, 14, 7, 1, 4, 120, 200, 0, 0.3, 0, 1, 360, 24, 24, 60, 0.7, 0.7, 0.7, 0, 0, 0},
    {"coarsest rows", CT_BEAM_CONE, 30, 8, 7, 1, 6, 120, 200, 0, 0, 0, 1, 360, 24, 24, 60, 0.7, 0.7, 0.5, 0, 0, 0},
    {"one slice", CT_BEAM_CONE, 30, 5, 7, 1, 1, 120, 200, 0, 0, 0, 1, 360, 24, 24, 1, 0.7, 0.7, 0.7, 0, 0, 0},
    {"one row", CT_BEAM_CONE, 30, 1, 7, 1, 1, 120, 200, 0, 0, 0, 1, 360, 24, 24, 6, 0.7, 0.7, 0.7, 0, 0, 0},
    {"below the rows", CT_BEAM_CONE, 30, 6, 7, 1, 1, 120, 200, 0, 0, 0, 1, 360, 24, 24, 17, 0.7, 0.7, 0.7, 0, 0, -7.45},
    {"above the rows", CT_BEAM_CONE, 30, 6, 7, 1, 1, 120, 200, 0, 0, 0, 1, 360, 24, 24, 1, 0.7, 0.7, 0.7, 0, 0, 1.85},
    {"one slice below", CT_BEAM_CONE, 30, 6, 7, 1, 1, 120, 200, 0, 0, 0, 1, 360, 24, 24, 1, 0.7, 0.7, 0.7, 0, 0, -1.85},
    {"tall", CT_BEAM_CONE, 9, 300, 3, 1, 1, 900, 1200, 0, 0.5, 0, 1, 180, 18, 5, 310, 0.8, 0.8, 0.75, 0, 0, 0.1},
    {"tall, mirrored", CT_BEAM_CONE, 9, 300, 3, 1, 1, 900, 1200, 0, 0, 0, 1, 180, 5, 18, 310, 0.8, 0.8, 0.75, 0, 0, 0},
    {"parallel between slices",
     CT_BEAM_PARALLEL,
     36,
     30,
     9,
     1,
     1,
     0,
     0,
     1.5,
     0.3,
     0,
     0,
     180,
     30,
     32,
     29,
     1,
     1,
     1,
     0,
     1,
     0},
    {"parallel, coarser", CT_BEAM_PARALLEL, 36, 20, 8, 1, 1, 0, 0, 0, 0, 0, 0, 180, 30, 32, 26, 1, 1, 0.8, 0, 0, 0},
    {"parallel slices", CT_BEAM_PARALLEL, 30, 9, 9, 1, 1, 0, 0, 0, 0, 0, 0, 180, 24, 24, 9, 1, 1, 1, 0, 0, 0},
    {"tilted cone", CT_BEAM_CONE, 40, 36, 7, 1, 1, 120, 200, 0, 0, 3, 3, 360, 26, 24, 22, 0.8, 0.7, 0.8, 1, 0, 0},
    {"tilted parallel", CT_BEAM_PARALLEL, 40, 36, 7, 1, 1, 0, 0, 0.4, 0, -2, 3, 180, 26, 24, 22, 1, 1, 1.1, 0, 0, 0},
    {"free, rows tipped", CT_BEAM_FREE, 40, 36, 7, 1, 1, 120, 200, 0, 0, 4, 3, 360, 26, 24, 22, 0.8, 0.7, 0.8, 1, 0, 0},
    {"free, upright", CT_BEAM_FREE, 40, 36, 7, 1, 1, 120, 200, 1, 2, 0, 3, 360, 26, 24, 22, 0.8, 0.7, 0.8, 1, 0, 2},
};
enum { scene_count = sizeof scenes / sizeof *scenes };

/* A scene made ready: its geometry, request, data in natural layouts and what the textbook makes of them. */
typedef struct staged {
  ct_geometry geometry;
  ct_projector_request request;
  size_t image, rays;
  float *x, *y;          /* noise */
  float *forward, *back; /* A x, A^T y */
} staged;

static float noise(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / (1 << 24) - 0.3f;
}

/* Projection matrices are those of a cone beam, tipped about the x axis by half the tilt. */
static bool set_free(ct_geometry *geometry, const scene *s, ct_error **error) {
  ct_geometry cone;
  if (!ct_geometry_init(&cone, CT_BEAM_CONE, s->nu, s->nv, s->views, error)) return false;
  cone.sod = s->sod, cone.sdd = s->sdd, cone.du = s->du, cone.dv = s->dv;
  cone.centre_u += s->shift_u, cone.centre_v += s->shift_v, cone.tilt = s->tilt * M_PI / 180;
  ct_geometry_set_arc(&cone, s->first * M_PI / 180, s->arc * M_PI / 180 / s->views);
  const double turn = s->tilt / 2 * M_PI / 180, c = cos(turn), d = sin(turn);
  for (int view = 0; view < s->views; view++) {
    double *m = geometry->matrices + 12 * (size_t)view;
    ct_geometry_matrix(&cone, view, m);
    for (int row = 0; row < 3; row++) {
      const double y = m[4 * row + 1], z = m[4 * row + 2];
      m[4 * row + 1] = c * y - d * z, m[4 * row + 2] = d * y + c * z;
    }
  }
  ct_geometry_clear(&cone);
  return true;
}

static bool prepare_geometry(ct_geometry *g, const scene *s, ct_error **error) {
  if (!ct_geometry_init(g, s->beam, s->nu, s->nv, s->views, error)) return false;
  g->sod = s->sod, g->sdd = s->sdd, g->du = s->du, g->dv = s->dv;
  g->centre_u += s->shift_u, g->centre_v += s->shift_v, g->tilt = s->tilt * M_PI / 180;
  ct_geometry_set_arc(g, s->first * M_PI / 180, s->arc * M_PI / 180 / s->views);
  return s->beam != CT_BEAM_FREE || set_free(g, s, error);
}

static ct_grid grid_of(const scene *s) {
  return (ct_grid){s->nx,
                   s->ny,
                   s->nz,
                   s->dx,
                   s->dy,
                   s->dz,
                   s->x - (s->nx - 1) / 2.0 * s->dx,
                   s->y - (s->ny - 1) / 2.0 * s->dy,
                   s->z - (s->nz - 1) / 2.0 * s->dz};
}

/* A x of the rays of some blocks (NULL: all) and A^T y, in natural layouts; the rays of other blocks become -1. */
static bool apply(const ct_projector *projector, const ct_projector_request *request, const int *blocks, int count,
                  const float *x, const float *y, float *forward, float *back, ct_error **error) {
  ct_projector_state *state = ct_projector_prepare(projector, request, NULL, error);
  if (!state) return false;
  ct_projector_shape shape;
  projector->shape(state, &shape);
  float *image = ct_alloc(shape.image, sizeof *image, "an image", error);
  float *rays = ct_alloc(shape.rays, sizeof *rays, "rays", error);
  bool good = image && rays;
  if (good) {
    projector->image_in(state, x, image);
    for (size_t n = 0; n < shape.rays; n++) rays[n] = -1;
    good = projector->forward(state, blocks, count, image, rays, error);
    projector->rays_out(state, rays, forward);
    projector->rays_in(state, y, rays);
    for (size_t n = 0; n < shape.image; n++) image[n] = NAN;
    good = good && projector->back(state, blocks, count, rays, image, error);
    projector->image_out(state, image, back);
  }
  ct_free(image);
  ct_free(rays);
  projector->free(state);
  return good;
}

static bool set_stage(staged *stage, const scene *s, ct_error **error) {
  *stage = (staged){0};
  if (!prepare_geometry(&stage->geometry, s, error)) return false;
  stage->request =
      (ct_projector_request){.geometry = &stage->geometry, .grid = grid_of(s), .model = CT_MODEL_JOSEPH, .threads = 2};
  stage->image = ct_grid_voxels(&stage->request.grid);
  stage->rays = (size_t)s->nu * (size_t)s->nv * (size_t)s->views;
  float **const images[] = {&stage->x, &stage->back}, **const rays[] = {&stage->y, &stage->forward};
  for (int n = 0; n < 2; n++) {
    *images[n] = ct_alloc(stage->image, sizeof(float), "an image", error);
    *rays[n] = ct_alloc(stage->rays, sizeof(float), "rays", error);
    if (!*images[n] || !*rays[n]) return false;
  }
  uint32_t seed = 5;
  for (size_t n = 0; n < stage->image; n++) stage->x[n] = noise(&seed);
  for (size_t n = 0; n < stage->rays; n++) stage->y[n] = noise(&seed);
  return apply(&ct_projector_textbook, &stage->request, NULL, 0, stage->x, stage->y, stage->forward, stage->back,
               error);
}

static void clear_stage(staged *stage) {
  ct_geometry_clear(&stage->geometry);
  ct_free(stage->x);
  ct_free(stage->y);
  ct_free(stage->forward);
  ct_free(stage->back);
}

#endif
