/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items of four pencils whose eight images lie side by side: [row][column][8] of the slice for the projection, and
 * [item][phase][ray][8] of the rays for the transpose. Lane 2 m is member m's image, lane 2 m + 1 the same backwards;
 * so the lower half of the rows is the upper one with the lanes of flipped members exchanged, and is not kept. Costs
 * four times the slice's memory, and spares every permute. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include "recon/base/memory.h"

#include <string.h>

enum { side = CT_J2D_EIGHT, lanes = CT_J2D_LANES, tile_rows = CT_J2D_TILE };

static size_t pitch_of(const ct_j2d *j) {
  return (size_t)(j->nx + CT_J2D_MARGIN) * side;
}

static bool can_lie_side_by_side(const ct_j2d *j, const ct_j2d_item *item) {
  /* Rays beyond the ends of a row still lie within its margin. */
  return item->members == 4 && j->pencils[item->pencil[0]].pt * (lanes - 1) < CT_J2D_MARGIN - 2;
}

bool ct_j2d_make_eights(ct_j2d *j, ct_error **error) {
  size_t count = 0;
  for (int n = 0; n < j->item_count && j->loops->eights; n++) {
    if (!can_lie_side_by_side(j, j->items + n)) continue;
    const ct_j2d_pencil *p = j->pencils + j->items[n].pencil[0];
    const size_t rays = (size_t)p->phases * ct_j2d_run(p) * side;
    j->eight_rays = rays > j->eight_rays ? rays : j->eight_rays;
    count++;
  }
  if (!count || j->bundles) return true;
  const size_t rows = (size_t)(j->ny + 1) / 2;
  j->eights = ct_alloc_zero(rows * pitch_of(j) + CT_J2D_MARGIN * side, sizeof(float), "mirrored images", error);
  j->eights_of_rays = ct_alloc_zero(count * j->eight_rays, sizeof(float), "mirrored rays", error);
  return j->eights && j->eights_of_rays;
}

bool ct_j2d_is_eight(const ct_j2d *j, const ct_j2d_item *item) {
  return j->eights && can_lie_side_by_side(j, item);
}

void ct_j2d_spread(ct_j2d *j, const float *x) {
  const int half = (j->ny + 1) / 2;
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int row = 0; row < half; row++) {
    const float *transposed = j->transposed + CT_J2D_MARGIN, *slice = x + CT_J2D_MARGIN;
    const size_t upper = (size_t)row, lower = (size_t)(j->ny - 1 - row);
    const float *const rows[4] = {slice + upper * j->pitch, slice + lower * j->pitch,
                                  transposed + upper * j->transposed_pitch, transposed + lower * j->transposed_pitch};
    j->loops->eights->spread(rows, j->nx, j->eights + CT_J2D_MARGIN * side + upper * pitch_of(j));
  }
}

void ct_j2d_project_eights(const ct_j2d *j, const ct_j2d_group *groups, int group_count, int count,
                           float *const sums[]) {
  enum { band = 16 };
  const int half = (j->ny + 1) / 2;
  const ptrdiff_t pitch = (ptrdiff_t)pitch_of(j);
  const float *from = j->eights + CT_J2D_MARGIN * side;
  for (int row = 0; row < half; row += band) {
    const int end = row + band < half ? row + band : half;
    for (int flipped = 0; flipped < 2; flipped++) {
      /* of an odd number of rows the middle one is its own mirror image */
      const int last = flipped && 2 * end > j->ny ? j->ny - end : end;
      const int first_row = flipped ? j->ny - last : row, end_row = flipped ? j->ny - row : end;
      for (int g = 0; g < group_count; g++)
        for (int n = 0; n < count; n++) {
          const ct_j2d_group *group = groups + (size_t)n * (size_t)j->groups_of + g;
          if (group->end <= first_row || group->first >= end_row) continue;
          j->loops->eights->forward(group, first_row, end_row, flipped, flipped ? from + (j->ny - 1) * pitch : from,
                                    flipped ? -pitch : pitch, sums[n]);
        }
    }
  }
}

float *ct_j2d_eight_rays(const ct_j2d *j, int item, const ct_j2d_pencil *p, int phase) {
  return j->eights_of_rays + (size_t)item * j->eight_rays + ((size_t)phase * ct_j2d_run(p) + CT_J2D_PAD) * side;
}

void ct_j2d_fill_eights(const ct_j2d *j, const ct_j2d_item *item, int number, const float *y) {
  const ct_j2d_pencil *first = j->pencils + item->pencil[0];
  /* The slot may have been that of an item in other phases, whose rays would lie where zeros belong. */
  for (int phase = 0; phase < first->phases; phase++) {
    float *rays = ct_j2d_eight_rays(j, number, first, phase);
    const size_t count = (size_t)ct_j2d_phase_count(first, phase);
    memset(rays - CT_J2D_PAD * side, 0, CT_J2D_PAD * side * sizeof *rays);
    memset(rays + count * side, 0, ((size_t)ct_j2d_run(first) - CT_J2D_PAD - count) * side * sizeof *rays);
  }
  for (int m = 0; m < item->members; m++) {
    const ct_j2d_pencil *p = j->pencils + item->pencil[m];
    const float *rays = y + (size_t)p->view * j->view_rays + p->first, length = (float)p->length;
    const ptrdiff_t step = p->step, last = p->count - 1;
    for (int phase = 0; phase < p->phases; phase++) {
      float *straight = ct_j2d_eight_rays(j, number, first, phase) + 2 * m,
            *mirrored = ct_j2d_eight_rays(j, number, first, phase) + 2 * (m ^ 1) + 1;
      for (int t = phase; t < p->count; t += p->phases, straight += side, mirrored += side) {
        *straight = length * rays[step * t];
        *mirrored = length * rays[step * (last - t)];
      }
    }
  }
}

void ct_j2d_back_eights(const ct_j2d *j, const ct_j2d_source *const sources[2], int count, int column, int row,
                        int rows, float *tile) {
  float eights[tile_rows * lanes * side];
  memset(eights, 0, sizeof eights);
  for (int flipped = 0; flipped < 2; flipped++)
    j->loops->eights->back(sources[flipped], count, column, row, rows, flipped, eights);
  for (int n = 0; n < tile_rows * lanes; n++)
    for (int l = 0; l < side; l++) tile[l * tile_rows * lanes + n] += eights[n * side + l];
}
