/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pencils of a parallel beam share positions and weights. About a centred axis a half turn maps every view onto
 * itself, so both halves of the detector go together. Mirrored at the axes of the image and, in a square, at its
 * diagonals, views at t, -t, 90 deg - t and 90 deg + t are one pencil: same pitch, same or opposite shift from row to
 * row. Off-centred scans and fans go view by view. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>

/* Positions that agree to this part of a pixel throughout the image are one. */
#define SAME 2e-5

static bool is_centred(const ct_geometry *g, const ct_grid *grid) {
  return ct_geometry_promises(g, CT_TRAIT_PARALLEL) && fabs(g->centre_u - 0.5 * (g->nu - 1)) < SAME &&
         fabs(grid->x0 / grid->dx + 0.5 * (grid->nx - 1)) < SAME &&
         fabs(grid->y0 / grid->dy + 0.5 * (grid->ny - 1)) < SAME;
}

typedef struct entry {
  double shift;
  int pencil;
} entry;

static int by_shift(const void *a, const void *b) {
  const entry *p = a, *q = b;
  if (p->shift != q->shift) return p->shift < q->shift ? -1 : 1;
  return (p->pencil > q->pencil) - (p->pencil < q->pencil);
}

static bool are_alike(const ct_j2d_pencil *p, const ct_j2d_pencil *q) {
  return p->along == q->along && p->rows == q->rows && fabs(p->pt - q->pt) * p->count < SAME &&
         fabs(fabs(p->pj) - fabs(q->pj)) * p->rows < SAME;
}

static void add_item(ct_j2d_item *items, int *count, bool paired, int members, const int *pencils) {
  ct_j2d_item *item = items + (*count)++;
  item->members = members;
  item->paired = paired;
  for (int n = 0; n < members; n++) item->pencil[n] = pencils[n];
}

/* What is there of a family, slots (rows, rows flipped, columns, columns flipped), in as few items as possible. */
static void add_family(ct_j2d_item *items, int *count, const int slots[4]) {
  if (slots[0] >= 0 && slots[1] >= 0 && slots[2] >= 0 && slots[3] >= 0) {
    add_item(items, count, true, 4, slots);
    return;
  }
  for (int n = 0; n < 4; n += 2)
    if (slots[n] >= 0 && slots[n + 1] >= 0) {
      add_item(items, count, true, 2, slots + n);
    } else {
      if (slots[n] >= 0) add_item(items, count, true, 1, slots + n);
      if (slots[n + 1] >= 0) add_item(items, count, true, 1, slots + n + 1);
    }
}

static void find_families(const ct_j2d *j, const entry *sorted, bool *taken, ct_j2d_item *items, int *count) {
  for (int n = 0; n < j->count; n++) {
    if (taken[n]) continue;
    const ct_j2d_pencil *p = j->pencils + sorted[n].pencil;
    int slots[4] = {-1, -1, -1, -1};
    for (int m = n; m < j->count; m++) {
      const ct_j2d_pencil *q = j->pencils + sorted[m].pencil;
      if ((sorted[m].shift - sorted[n].shift) * p->rows >= SAME) break;
      const int slot = 2 * q->transposed + (q->pj < 0);
      if (taken[m] || slots[slot] >= 0 || !are_alike(p, q)) continue;
      slots[slot] = sorted[m].pencil;
      taken[m] = true;
    }
    add_family(items, count, slots);
  }
}

/* Of a parallel beam, whose views are a pencil each. Many slices have them, too, though they share nothing: a slice is
 * then the same alone and among others. */
static bool make_families(ct_j2d *j, ct_error **error) {
  if (j->item_count == j->count) return true;
  j->families = ct_alloc((size_t)j->views, sizeof *j->families, "the list of views", error);
  for (int n = 0; n < j->item_count && j->families; n++)
    for (int m = 0; m < j->items[n].members; m++) j->families[j->pencils[j->items[n].pencil[m]].view] = n;
  return j->families;
}

bool ct_j2d_make_items(ct_j2d *j, ct_error **error) {
  j->centred = is_centred(j->request.geometry, &j->request.grid);
  j->items = ct_alloc((size_t)j->count, sizeof *j->items, "the rays of a projector", error);
  j->some = ct_alloc((size_t)j->count, sizeof *j->some, "the rays of a projector", error);
  entry *sorted = ct_alloc((size_t)j->count, sizeof *sorted, "the rays of a projector", error);
  bool *taken = ct_alloc_zero((size_t)j->count, sizeof *taken, "the rays of a projector", error);
  const bool good = j->items && j->some && sorted && taken;
  if (good) {
    for (int n = 0; n < j->count; n++) sorted[n] = (entry){fabs(j->pencils[n].pj), n};
    if (j->centred) {
      qsort(sorted, (size_t)j->count, sizeof *sorted, by_shift);
      find_families(j, sorted, taken, j->items, &j->item_count);
    } else {
      for (int n = 0; n < j->count; n++) add_item(j->items, &j->item_count, false, 1, &n);
    }
  }
  ct_free(sorted);
  ct_free(taken);
  return good && make_families(j, error);
}

const ct_j2d_item *ct_j2d_items_of(ct_j2d *j, bool all, int *count) {
  *count = j->item_count;
  if (all) return j->items;
  *count = 0;
  for (int n = 0; n < j->item_count; n++) {
    const ct_j2d_item *item = j->items + n;
    int slots[4] = {-1, -1, -1, -1}, wanted = 0;
    for (int m = 0; m < item->members; m++)
      if (j->wanted[j->pencils[item->pencil[m]].view]) slots[m] = item->pencil[m], wanted++;
    if (!wanted) continue;
    if (item->paired)
      add_family(j->some, count, slots);
    else
      add_item(j->some, count, false, 1, item->pencil);
  }
  return j->some;
}
