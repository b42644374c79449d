/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of one height each where the detector is tilted in its plane: the pixels (k, j) of height h lie along j = h - (k
 * - c) tan e du / dv (geometry.h). */
#include "recon/prep/prep-private.h"

#include <math.h>

/* Row h of a view along the tilt, the mean of `thick` rows about it, linear between rows: out[nu]. */
static void tilted_line(const float *view, const ct_geometry *g, double h, int thick, double slope, float *out) {
  for (int k = 0; k < g->nu; k++) {
    double sum = 0;
    for (int n = 0; n < thick; n++) {
      const double row = h + n - 0.5 * (thick - 1) - (k - g->centre_u) * slope;
      const double inside = fmin(fmax(row, 0), g->nv - 1);
      const int low = (int)inside < g->nv - 1 ? (int)inside : g->nv - 2;
      const double share = inside - low;
      sum += (1 - share) * (double)view[(size_t)low * (size_t)g->nu + (size_t)k] +
             share * (double)view[((size_t)low + 1) * (size_t)g->nu + (size_t)k];
    }
    out[k] = (float)(sum / thick);
  }
}

ct_stack *ct_tilted_rows(const ct_stack *stack, const ct_geometry *g, double tilt, const double *heights, int count,
                         int thick, ct_error **error) {
  ct_stack *rows = ct_stack_new(g->nu, count, g->views, error);
  const double slope = tan(tilt) * g->du / g->dv;
  for (int i = 0; rows && i < g->views; i++)
    for (int r = 0; r < count; r++)
      tilted_line(ct_stack_get_view(stack, i), g, heights[r], thick, slope,
                  ct_stack_view(rows, i) + (size_t)r * (size_t)g->nu);
  return rows;
}
