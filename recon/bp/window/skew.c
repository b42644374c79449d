/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recon/bp/window/skew-private.h"

#include "recon/base/memory.h"
#include "recon/bp/support.h"
#include "recon/bp/window/courses.h"

#include <math.h>
#include <stdlib.h>

enum { most_lanes = 16, most_views = 64 };

/* Sums over views of how v changes with i and j in the middle of the grid: squares, and their product. */
typedef struct descent {
  double ii, jj, ij;
  int views;
} descent;

static descent descent_of(const ct_bp_request *request) {
  const ct_grid *grid = &request->grid;
  const int views = request->geometry->views, step = views / most_views + 1;
  const double i = (grid->nx - 1) / 2.0, j = (grid->ny - 1) / 2.0, k = (grid->nz - 1) / 2.0;
  descent d = {0};
  for (int view = 0; view < views; view += step) {
    double m[12];
    ct_bp_index_matrix(request->geometry, view, grid, m);
    const double w = m[8] * i + m[9] * j + m[10] * k + m[11];
    if (!(w > 0)) continue;
    const double v = (m[4] * i + m[5] * j + m[6] * k + m[7]) / w, vi = (m[4] - v * m[8]) / w,
                 vj = (m[5] - v * m[9]) / w;
    d.ii += vi * vi, d.jj += vj * vj, d.ij += vi * vj, d.views++;
  }
  return d;
}

/* Where v descends by vi and vj a voxel, it does so least along (1, slope) with slope = -(sum of vi vj) / (sum of
 * vj^2). */
ct_course ct_lines_course(const ct_bp_request *request, int lanes) {
  const ct_grid *grid = &request->grid;
  const ct_course straight = {grid->nx < lanes && grid->ny > grid->nx, 0};
  if (grid->nx < lanes || grid->ny < lanes) return straight;
  const descent d = descent_of(request);
  if (!(d.ii * lanes * lanes > d.views)) return straight;
  const bool along_y = d.ii > d.jj;
  const double slope = -d.ij / (along_y ? d.ii : d.jj),
               least = along_y ? d.jj - d.ij * d.ij / d.ii : d.ii - d.ij * d.ij / d.jj;
  return least < d.ii / 4 ? (ct_course){along_y, slope} : straight;
}

size_t ct_skew_memory(const ct_grid *grid) {
  const size_t across = (size_t)grid->nx + (size_t)grid->ny;
  return across * 2 * sizeof(int) + (across + most_lanes) * (sizeof(int) + sizeof(float));
}

bool ct_skew_init(ct_skew *skew, const ct_bp_request *request, int lanes, ct_error **error) {
  const ct_course course = ct_lines_course(request, lanes);
  *skew = (ct_skew){.along_y = course.along_y, .slope = course.slope};
  const ct_grid *grid = &request->grid;
  const int length = skew->along_y ? grid->ny : grid->nx, width = skew->along_y ? grid->nx : grid->ny;
  const int shift = (int)rint(skew->slope * (length - 1));
  skew->length = length, skew->lines = width + abs(shift), skew->lowest = shift > 0 ? -shift : 0;
  const size_t room = ((size_t)length + most_lanes - 1) / most_lanes * most_lanes;
  skew->across = ct_alloc((size_t)length, sizeof *skew->across, "the lines' courses", error);
  skew->aside = ct_alloc_zero(room, sizeof *skew->aside, "the lines' courses", error);
  skew->span = ct_alloc((size_t)skew->lines, sizeof *skew->span, "the lines' ends", error);
  if (!skew->across || !skew->aside || !skew->span) {
    ct_skew_clear(skew);
    return false;
  }
  for (int t = 0; t < length; t++) {
    const double away = skew->slope * t;
    skew->across[t] = (int)rint(away);
    skew->aside[t] = (float)(skew->across[t] - away);
    skew->most = fmax(skew->most, fabs((double)skew->aside[t]));
  }
  for (int n = 0; n < skew->lines; n++) {
    int first = 0, end = length;
    while (first < end && (unsigned)(skew->lowest + n + skew->across[first]) >= (unsigned)width) first++;
    while (end > first && (unsigned)(skew->lowest + n + skew->across[end - 1]) >= (unsigned)width) end--;
    skew->span[n][0] = first, skew->span[n][1] = end;
  }
  return true;
}

void ct_skew_clear(ct_skew *skew) {
  ct_free(skew->across);
  ct_free(skew->aside);
  ct_free(skew->span);
  *skew = (ct_skew){0};
}
