/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forward_layer and back_layer of every projector that has them: what they give is, float by float, what forward and
 * back give, each voxel is handed over once, and layers leave each other alone. sweep_layer corrects as block after
 * block does by forward and back, whatever the number of threads. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/fp/projector.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

typedef struct scene {
  const char *name;
  ct_beam beam;
  int nx, ny, nz, nu, nv, views;
  double du, offset; /* pixels of 1 mm; of the axis, columns */
} scene;

static const scene scenes[] = {
    {"slice", CT_BEAM_PARALLEL, 70, 200, 1, 75, 1, 12, 1, 0},
    {"slice, axis off", CT_BEAM_PARALLEL, 64, 64, 1, 75, 1, 9, 1, 3.3},
    {"slice, fine rays", CT_BEAM_PARALLEL, 50, 40, 1, 160, 1, 10, 0.4, 2},
    {"fewer pixels than lanes", CT_BEAM_PARALLEL, 5, 7, 1, 9, 1, 8, 1, 0},
    {"three slices", CT_BEAM_PARALLEL, 40, 40, 3, 41, 3, 16, 1, 0},
    {"nineteen slices", CT_BEAM_PARALLEL, 43, 38, 19, 47, 19, 15, 1.2, 0.4},
    {"forty slices, fine rays", CT_BEAM_PARALLEL, 24, 40, 40, 60, 40, 12, 0.5, 0},
    {"fan", CT_BEAM_FAN, 64, 130, 1, 128, 1, 24, 1, 0},
    {"fan, all off", CT_BEAM_FAN, 51, 70, 1, 100, 1, 18, 1.5, 1.3},
};
enum { scene_count = sizeof scenes / sizeof *scenes };

typedef struct setup {
  ct_geometry geometry;
  ct_projector_request request;
  const ct_projector *projector;
  ct_projector_state *state, *layered; /* a state each, so that neither finds what the other left */
  ct_projector_shape shape;
  float *x, *rays[2], *image[2]; /* by forward and back, and by layers */
  float *taken;                  /* how often a float was handed over */
} setup;

static void fill(float *to, size_t count, unsigned seed) {
  for (size_t n = 0; n < count; n++) {
    seed = seed * 1664525u + 1013904223u;
    to[n] = (float)(seed >> 8) / (1 << 24) - 0.3f;
  }
}

static bool setup_make(setup *s, const scene *of, const ct_projector *projector, int threads) {
  *s = (setup){.projector = projector};
  if (!ct_geometry_init(&s->geometry, of->beam, of->nu, of->nv, of->views, NULL)) return false;
  s->geometry.du = of->du;
  s->geometry.centre_u += of->offset;
  s->geometry.sod = 220;
  s->geometry.sdd = 440;
  ct_geometry_set_arc(&s->geometry, 0.1, (of->beam == CT_BEAM_PARALLEL ? M_PI : 2 * M_PI) / of->views);
  s->request = (ct_projector_request){.geometry = &s->geometry,
                                      .grid = ct_grid_centred(of->nx, of->ny, of->nz, 1, NULL),
                                      .model = CT_MODEL_JOSEPH,
                                      .threads = threads};
  if (!ct_projector_accepts(projector, &s->request, NULL)) return false;
  s->state = ct_projector_prepare(projector, &s->request, NULL, NULL);
  s->layered = ct_projector_prepare(projector, &s->request, NULL, NULL);
  if (!s->state || !s->layered) return false;
  projector->shape(s->state, &s->shape);
  s->x = ct_alloc_zero(s->shape.image, sizeof(float), "an image", NULL);
  s->taken = ct_alloc_zero(s->shape.image, sizeof(float), "an image", NULL);
  for (int n = 0; n < 2; n++) {
    s->rays[n] = ct_alloc_zero(s->shape.rays, sizeof(float), "rays", NULL);
    s->image[n] = ct_alloc_zero(s->shape.image, sizeof(float), "an image", NULL);
    if (!s->rays[n] || !s->image[n]) return false;
  }
  const size_t voxels = ct_grid_voxels(&s->request.grid);
  float *natural = ct_alloc(voxels, sizeof *natural, "an image", NULL);
  if (!s->x || !s->taken || !natural) return false;
  fill(natural, voxels, 1);
  projector->image_in(s->state, natural, s->x);
  ct_free(natural);
  return true;
}

static void setup_clear(setup *s) {
  if (s->state) s->projector->free(s->state);
  if (s->layered) s->projector->free(s->layered);
  ct_geometry_clear(&s->geometry);
  ct_free(s->x);
  ct_free(s->taken);
  for (int n = 0; n < 2; n++) {
    ct_free(s->rays[n]);
    ct_free(s->image[n]);
  }
}

static void take(void *user, size_t first, size_t count, const float *values) {
  setup *s = user;
  memcpy(s->image[1] + first, values, count * sizeof *values);
  for (size_t n = 0; n < count; n++) s->taken[first + n]++;
}

/* Some blocks by both ways. */
static bool same(setup *s, const int *blocks, int count) {
  const ct_projector *p = s->projector;
  const size_t voxels = ct_grid_voxels(&s->request.grid), ray_bytes = s->shape.rays * sizeof(float),
               layer = s->shape.image / (size_t)s->shape.layers;
  memset(s->taken, 0, s->shape.image * sizeof(float));
  for (int n = 0; n < 2; n++) memset(s->rays[n], 0, ray_bytes);
  memset(s->image[1], 0, s->shape.image * sizeof(float));
  bool good = p->forward(s->state, blocks, count, s->x, s->rays[0], NULL);
  for (int l = 0; good && l < s->shape.layers; l++)
    good = p->forward_layer(s->layered, l, blocks, count, s->x, s->rays[1], NULL);
  good = good && !memcmp(s->rays[0], s->rays[1], ray_bytes) &&
         p->back(s->state, blocks, count, s->rays[0], s->image[0], NULL);
  for (int l = 0; good && l < s->shape.layers; l++) {
    good = p->back_layer(s->layered, l, blocks, count, s->rays[0], take, s, NULL);
    for (size_t n = 0; good && n < s->shape.image; n++) /* nothing of the layers behind */
      if (n / layer > (size_t)l) good = s->taken[n] == 0;
  }
  float *natural = ct_alloc(3 * voxels, sizeof *natural, "images", NULL);
  if (good && natural) {
    p->image_out(s->state, s->image[0], natural);
    p->image_out(s->state, s->image[1], natural + voxels);
    p->image_out(s->state, s->taken, natural + 2 * voxels);
    good = !memcmp(natural, natural + voxels, voxels * sizeof *natural);
    for (size_t n = 0; n < voxels; n++) good = good && natural[2 * voxels + n] == 1;
    for (size_t n = 0; n < s->shape.image; n++) good = good && s->taken[n] <= 1;
  }
  ct_free(natural);
  return good;
}

static void layers(void) {
  size_t count;
  int served = 0;
  const ct_projector *const *projectors = ct_projectors(&count);
  for (size_t n = 0; n < count; n++) {
    const ct_projector *p = projectors[n];
    CHECK(!p->forward_layer == !p->back_layer);
    if (!p->back_layer || !ct_projector_usable(p)) continue;
    for (int k = 0; k < scene_count; k++)
      for (int threads = 1; threads <= 3; threads += 2) {
        setup s;
        if (setup_make(&s, scenes + k, p, threads)) {
          const int last = s.shape.blocks - 1, some[] = {last / 3, last};
          int all[64];
          for (int b = 0; b <= last; b++) all[b] = b;
          bool good = s.shape.layers >= 1 && s.shape.apart >= 1;
          for (int b = 0; good && b <= last; b += 3) good = same(&s, &b, 1);
          if (s.shape.apart >= 2) good = good && same(&s, some, 2);
          if (s.shape.apart > last) good = good && same(&s, all, last + 1);
          setup_clear(&s);
          if (!good) CT_TEST_END(1, "%s, %s, %d threads", p->id, scenes[k].name, threads);
          served++;
        } else {
          setup_clear(&s);
        }
      }
  }
  CHECK(served >= 2 * scene_count);
}

/* A sweep towards rays of 1, by made-up weights. */
static const float share = 2e-3f;

static double lack(void *user, size_t first, size_t count, float *rays) {
  double sum = 0;
  (void)user, (void)first;
  for (size_t n = 0; n < count; n++) {
    rays[n] = 1 - rays[n];
    sum += (double)rays[n] * (double)rays[n];
  }
  return sum;
}

static void add(void *user, int number, size_t first, size_t count, const float *values) {
  setup *s = user;
  for (size_t n = 0; n < count; n++) s->x[first + n] += share * (float)(1 + number % 3) * values[n];
}

static bool sweep_all(setup *s, bool singly, const int *blocks, int count, double *sums) {
  const ct_projector *p = s->projector;
  const ct_projector_visit visit = {s, lack, add};
  memset(sums, 0, (size_t)count * sizeof *sums);
  if (!singly) {
    double layer_sums[64];
    bool good = true;
    for (int l = 0; good && l < s->shape.layers; l++) {
      {
        const ct_projector_sweep sweep = {.layer = l,
                                          .blocks = blocks,
                                          .count = count,
                                          .x = s->x,
                                          .y = s->rays[1],
                                          .visit = &visit,
                                          .sums = layer_sums};
        good = p->sweep_layer(s->layered, &sweep, NULL);
      }
      for (int n = 0; n < count; n++) sums[n] += layer_sums[n];
    }
    return good;
  }
  for (int n = 0; n < count; n++) {
    ct_projector_block block;
    p->block(s->state, blocks[n], &block);
    if (!p->forward(s->state, blocks + n, 1, s->x, s->rays[0], NULL)) return false;
    sums[n] = lack(NULL, 0, block.count, s->rays[0] + block.first);
    if (!p->back(s->state, blocks + n, 1, s->rays[0], s->image[0], NULL)) return false;
    add(s, n, 0, s->shape.image, s->image[0]);
  }
  return true;
}

/* The image, natural, and the sums of a sweep over every block; NULL where the projector does not serve. */
static float *swept(const ct_projector *projector, const scene *of, int threads, bool singly, double sums[64]) {
  setup s;
  float *natural = NULL;
  if (setup_make(&s, of, projector, threads)) {
    int blocks[64];
    for (int n = 0; n < s.shape.blocks; n++) blocks[n] = (7 * n + 3) % s.shape.blocks;
    natural = ct_alloc_zero(ct_grid_voxels(&s.request.grid), sizeof *natural, "an image", NULL);
    if (natural && sweep_all(&s, singly, blocks, s.shape.blocks, sums)) projector->image_out(s.state, s.x, natural);
  }
  setup_clear(&s);
  return natural;
}

static void sweeps(void) {
  size_t count;
  int served = 0;
  const ct_projector *const *projectors = ct_projectors(&count);
  for (size_t n = 0; n < count; n++) {
    const ct_projector *p = projectors[n];
    if (!p->sweep_layer || !ct_projector_usable(p)) continue;
    for (int k = 0; k < scene_count; k++) {
      const scene *of = scenes + k;
      const size_t voxels = (size_t)of->nx * (size_t)of->ny * (size_t)of->nz;
      double sums[3][64], change = 0, size = 0;
      float *one = swept(p, of, 1, false, sums[0]), *three = swept(p, of, 3, false, sums[1]),
            *singly = swept(p, of, 1, true, sums[2]);
      if (one && three && singly) {
        for (size_t i = 0; i < voxels; i++) {
          const double d = (double)one[i] - (double)singly[i];
          change += d * d;
          size += (double)singly[i] * (double)singly[i];
        }
        bool good = size > 0 && sqrt(change / size) < 2e-6 && !memcmp(one, three, voxels * sizeof *one);
        for (int b = 0; good && b < of->views; b++)
          good = sums[0][b] == sums[1][b] && fabs(sums[0][b] - sums[2][b]) <= 1e-5 * sums[2][b];
        if (!good) CT_TEST_END(1, "%s, %s: %g", p->id, of->name, sqrt(change / size));
        served++;
      }
      ct_free(one);
      ct_free(three);
      ct_free(singly);
    }
  }
  CHECK(served >= scene_count);
}

static const ct_test tests[] = {
    {"a sweep corrects as block after block", sweeps},
    {"layer by layer gives what all of it gives", layers},
};
CT_TEST_MAIN(tests)
