/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The windows of gridding and their transforms: a box (nearest), a triangle (linear), and Kaiser-Bessel
 * C(k) = I0(beta sqrt(1 - (2 k / W)^2)), whose transform is W sinh(s) / s with s^2 = beta^2 - (pi W x)^2 (Jackson et
 * al. 1991); beta by Beatty et al. 2005. */
#include "recon/solve/fourier/fourier-private.h"

#include "recon/base/memory.h"

#include <math.h>

const ct_choice ct_gridding_choices[] = {CT_GRIDDINGS(CT_CHOICE_ROW) CT_CHOICE_END};

/* The modified Bessel function of order 0, by its power series: all terms are positive. */
static double bessel(double x) {
  double sum = 1, term = 1;
  for (int n = 1; term > 1e-17 * sum; n++) sum += term *= x * x / (4.0 * n * n);
  return sum;
}

double ct_fourier_padding(const ct_fourier_options *options) {
  if (!isnan(options->padding)) return options->padding;
  return options->gridding == CT_GRIDDING_KAISER_BESSEL ? 1.25 : 2;
}

static double value_at(const ct_gridding_window *w, double k) {
  const double share = 2 * k / w->width;
  switch (w->kind) {
  case CT_GRIDDING_NEAREST:
    return 1;
  case CT_GRIDDING_LINEAR:
    return fmax(0, 1 - fabs(k));
  default:
    /* Nothing at the very edge, which one cell in a window's reach meets on one side and none on the other: the spectra
     * of two slices that are transformed at once would not be those of real numbers, and mix. */
    return fabs(share) < 1 ? bessel(w->beta * sqrt(1 - share * share)) : 0;
  }
}

double ct_gridding_window_transform(const ct_gridding_window *w, double x) {
  const double sinc = x == 0 ? 1 : sin(M_PI * x) / (M_PI * x), phase = M_PI * w->width * x,
               square = w->beta * w->beta - phase * phase, root = sqrt(fabs(square));
  switch (w->kind) {
  case CT_GRIDDING_NEAREST:
    return sinc;
  case CT_GRIDDING_LINEAR:
    return sinc * sinc;
  default:
    if (root < 1e-6) return w->width;
    return w->width * (square > 0 ? sinh(root) : sin(root)) / root;
  }
}

bool ct_gridding_window_make(ct_gridding kind, int width, double padding, ct_gridding_window *w, ct_error **error) {
  *w = (ct_gridding_window){.kind = kind,
                            .width = kind == CT_GRIDDING_NEAREST  ? 1
                                     : kind == CT_GRIDDING_LINEAR ? 2
                                                                  : width};
  const double spread = width / padding * (padding - 0.5);
  w->beta = M_PI * sqrt(fmax(spread * spread - 0.8, 0.1));
  w->table = ct_alloc_zero((size_t)CT_GRIDDING_PLACES * 2 * CT_GRIDDING_WIDEST, sizeof *w->table, "the gridding window",
                           error);
  if (!w->table) return false;
  for (int n = 0; n < CT_GRIDDING_PLACES; n++)
    for (int t = 0; t < w->width; t++) {
      const double k = t - 0.5 * w->width, here = value_at(w, k + (double)n / CT_GRIDDING_PLACES),
                   next = value_at(w, k + (n + 1.0) / CT_GRIDDING_PLACES);
      float *row = w->table + (size_t)n * 2 * CT_GRIDDING_WIDEST;
      row[t] = (float)here;
      row[CT_GRIDDING_WIDEST + t] = (float)(next - here);
    }
  return true;
}

void ct_gridding_window_clear(ct_gridding_window *w) {
  ct_free(w->table);
  w->table = NULL;
}
