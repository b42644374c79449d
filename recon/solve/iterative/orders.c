/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of views, and groups of a projector's blocks. */
#include "recon/solve/iterative/solver-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/pipeline.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Fewest families that a group must have for each to stay whole: the views of one look from two directions where these
 * are near an axis. */
enum { FAMILIES_OF_A_GROUP = 3 };

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int common_divisor(int a, int b) {
  while (b) {
    const int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The step nearest to the golden section of `count` that reaches every place. */
static int golden_step(int count) {
  const int ideal = (int)lround(count * 0.6180339887498949);
  for (int away = 0; away < count; away++)
    for (int side = -1; side <= 1; side += 2) {
      const int step = ideal + side * away;
      if (step > 0 && step < count && common_divisor(step, count) == 1) return step;
    }
  return 1;
}

void ct_order_fill(ct_view_order kind, int count, int seed, int iteration, int *order) {
  if (kind == CT_ORDER_MULTILEVEL) {
    ct_bit_reversed_order(count, order);
    return;
  }
  const int step = kind == CT_ORDER_GOLDEN ? golden_step(count) : 1;
  for (int n = 0; n < count; n++) order[n] = (int)((int64_t)n * step % count);
  if (kind != CT_ORDER_RANDOM) return;
  uint64_t state = ((uint64_t)(uint32_t)seed << 32) + (uint32_t)iteration;
  next_random(&state);
  for (int n = count - 1; n > 0; n--) {
    const int other = (int)(next_random(&state) % (uint64_t)(n + 1)), kept = order[n];
    order[n] = order[other];
    order[other] = kept;
  }
}

typedef struct placed_block {
  double place; /* in the arc; of a family that of its first block */
  int block, views, family;
} placed_block;

static int by_place(const void *a, const void *b) {
  const placed_block *p = a, *q = b;
  if (p->place != q->place) return p->place < q->place ? -1 : 1;
  return p->family != q->family ? p->family - q->family : p->block - q->block;
}

/* Angle modulo half a turn: opposite views see nearly the same rays. Sequential: the views as they come. */
static double place_of(const ct_problem *p, int view) {
  const ct_geometry *g = p->geometry;
  if (p->options.order == CT_ORDER_SEQUENTIAL || !g->angles || !ct_geometry_takes(g, CT_TAKES_ANGLES)) return view;
  const double turned = fmod(g->angles[view], M_PI);
  return turned < 0 ? turned + M_PI : turned;
}

/* Every block by itself. */
static void place_blocks(const ct_problem *p, placed_block *placed) {
  for (int n = 0; n < p->shape.blocks; n++) {
    ct_projector_block block;
    p->projector->block(p->state, n, &block);
    placed[n] = (placed_block){place_of(p, block.views[0]), n, block.view_count, n};
  }
}

/* Puts families where their first block is. Returns how many there are. */
static int place_families(const ct_problem *p, placed_block *placed, double *first) {
  const int blocks = p->shape.blocks, *families = p->shape.families;
  int count = 0;
  for (int n = 0; n < blocks; n++) first[n] = INFINITY;
  for (int n = 0; n < blocks; n++) first[families[n]] = fmin(first[families[n]], placed[n].place);
  for (int n = 0; n < blocks; n++) count += isfinite(first[n]);
  for (int n = 0; n < blocks; n++) placed[n].family = families[n], placed[n].place = first[families[n]];
  return count;
}

/* Deals the families out, in their order. */
static void deal(ct_groups *groups, const placed_block *placed, int blocks) {
  const int many = groups->count;
  int *filled = groups->order, *first = groups->first;
  for (int pass = 0; pass < 2; pass++) {
    for (int n = 0, dealt = -1; n < blocks; n++) {
      dealt += n == 0 || placed[n].family != placed[n - 1].family;
      const int g = dealt % many;
      if (pass == 0) {
        first[g + 1]++;
        groups->views[g] += placed[n].views;
      } else {
        groups->blocks[first[g] + filled[g]++] = placed[n].block;
      }
    }
    for (int g = 0; pass == 0 && g < many; g++) first[g + 1] += first[g];
  }
}

bool ct_groups_make(ct_problem *p, int count, ct_groups *groups, ct_error **error) {
  const int blocks = p->shape.blocks, many = count < 1 || count > blocks ? blocks : count;
  const size_t room = (size_t)many + 1;
  placed_block *placed = ct_alloc((size_t)blocks, sizeof *placed, "the order of views", error);
  double *first = ct_alloc((size_t)blocks, sizeof *first, "the order of views", error);
  *groups = (ct_groups){.count = many};
  const bool good = placed && first && (groups->blocks = ct_problem_room(p, (size_t)blocks, sizeof(int), error)) &&
                    (groups->first = ct_problem_room(p, room, sizeof(int), error)) &&
                    (groups->views = ct_problem_room(p, room, sizeof(int), error)) &&
                    (groups->order = ct_problem_room(p, room, sizeof(int), error));
  if (good) {
    place_blocks(p, placed);
    if (p->shape.families && place_families(p, placed, first) < FAMILIES_OF_A_GROUP * many) place_blocks(p, placed);
    qsort(placed, (size_t)blocks, sizeof *placed, by_place);
    deal(groups, placed, blocks);
  }
  ct_free(placed);
  ct_free(first);
  return good;
}
