/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worst voxels, so far apart that they are as many places: the largest error of each row, of which the largest is
 * taken; then the rows about that voxel are searched again without its neighbourhood. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/metric/analysis-private.h"

#include <math.h>
#include <stdlib.h>

typedef struct row_worst {
  double size; /* largest |a - b| of the row; 0: none is left */
  int x;
} row_worst;

/* Whether (x, y, z) lies in the neighbourhood of a voxel that was taken. */
static bool is_taken(const ct_analysis *analysis, int x, int y, int z) {
  for (int i = 0; i < analysis->worst_count; i++) {
    const int *at = analysis->worst[i].at;
    if (abs(x - at[0]) < CT_ANALYSIS_APART && abs(y - at[1]) < CT_ANALYSIS_APART && abs(z - at[2]) < CT_ANALYSIS_APART)
      return true;
  }
  return false;
}

static row_worst search_row(const ct_comparison *pair, const ct_analysis *analysis, int y, int z) {
  const size_t row = ((size_t)z * (size_t)pair->ny + (size_t)y) * (size_t)pair->nx;
  row_worst worst = {0};
  for (int x = 0; x < pair->nx; x++) {
    const float a = pair->a[row + (size_t)x], b = pair->b[row + (size_t)x];
    const double size = fabs((double)a - b);
    /* Not finite where one of the two is not. */
    if (!isfinite(size) || size <= worst.size || is_taken(analysis, x, y, z)) continue;
    worst = (row_worst){size, x};
  }
  return worst;
}

static void search_again(const ct_comparison *pair, const ct_analysis *analysis, const int at[3], row_worst *rows) {
  for (int z = at[2] - CT_ANALYSIS_APART + 1; z < at[2] + CT_ANALYSIS_APART; z++)
    for (int y = at[1] - CT_ANALYSIS_APART + 1; y < at[1] + CT_ANALYSIS_APART; y++)
      if (y >= 0 && y < pair->ny && z >= 0 && z < pair->nz)
        rows[(size_t)z * (size_t)pair->ny + (size_t)y] = search_row(pair, analysis, y, z);
}

bool ct_analysis_fill_worst(const ct_comparison *pair, ct_analysis *analysis, ct_error **error) {
  const size_t count = (size_t)pair->ny * (size_t)pair->nz;
  row_worst *rows = ct_alloc(count, sizeof *rows, "the worst voxels", error);
  if (!rows) return false;
#pragma omp parallel for schedule(static) num_threads(ct_thread_count())
  for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
    rows[i] = search_row(pair, analysis, (int)(i % pair->ny), (int)(i / pair->ny));
  while (analysis->worst_count < CT_ANALYSIS_WORST) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
      if (rows[i].size > rows[best].size) best = i;
    if (!(rows[best].size > 0)) break;
    const size_t at = best * (size_t)pair->nx + (size_t)rows[best].x;
    ct_worst_voxel *voxel = &analysis->worst[analysis->worst_count];
    *voxel = (ct_worst_voxel){
        {rows[best].x, (int)(best % (size_t)pair->ny), (int)(best / (size_t)pair->ny)}, pair->a[at], pair->b[at]};
    analysis->worst_count++;
    search_again(pair, analysis, voxel->at, rows);
  }
  ct_free(rows);
  return true;
}
