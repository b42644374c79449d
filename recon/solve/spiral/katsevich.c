/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which spirals Katsevich's filter serves, and what they cover (katsevich.h). */
#include "recon/solve/spiral/katsevich.h"

#include "recon/geom/questions.h"
#include "recon/solve/spiral/katsevich-private.h"
#include "recon/solve/spiral/views.h"

/* Rows beyond the window that interpolation may reach for. */
enum { BESIDE = 2 };

static void angles_of(const ct_geometry *g, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int view = 0; view < g->views; view++) {
    *low = fmin(*low, g->angles[view]);
    *high = fmax(*high, g->angles[view]);
  }
}

/* Half the height that the window needs within the field, mm per mm of h. */
static double reach_of(const ct_geometry *g, double radius) {
  const double q = tan(asin(fmin(radius / g->sod, 0.999)));
  return g->sdd / g->sod * ct_tam_top(-q);
}

ct_katsevich_views ct_katsevich_arrange(const ct_geometry *g) {
  double low, high;
  angles_of(g, &low, &high);
  ct_katsevich_views v = {.count = g->views - 1};
  v.groups = (int)fmax(rint(M_PI * v.count / fmax(high - low, 1e-9)), 1);
  if (v.groups > v.count) v.groups = v.count;
  v.most = (v.count + v.groups - 1) / v.groups;
  const double rows = fabs(ct_katsevich_rise(g)) * reach_of(g, ct_geometry_field_radius(g)) / g->dv;
  v.row0 = (int)fmax(floor(g->centre_v - rows) - BESIDE, 0);
  const int end = (int)fmin(ceil(g->centre_v + rows) + BESIDE + 1, g->nv);
  v.rows = end - v.row0;
  return v;
}

ct_sorted_size ct_katsevich_size_of(const ct_geometry *g) {
  const ct_katsevich_views v = ct_katsevich_arrange(g);
  return (ct_sorted_size){g->nu, v.most * v.rows, v.groups};
}

ct_spiral_cover ct_katsevich_covers(const ct_geometry *g, double radius) {
  enum { DIRECTIONS = 48, CIRCLES = 4 };
  const double h = ct_katsevich_rise(g), rows = fmin(g->centre_v + 0.5, g->nv - 0.5 - g->centre_v);
  double first, last;
  angles_of(g, &first, &last);
  ct_spiral_cover cover = ct_spiral_covers(g, radius);
  cover.low = -INFINITY;
  cover.high = INFINITY;
  cover.most_feed = fmax(rows, 0) * g->dv * 2 * M_PI / reach_of(g, radius);
  for (int n = 0; n < DIRECTIONS * CIRCLES + 1; n++) {
    const double r = radius * ((n + DIRECTIONS - 1) / DIRECTIONS) / CIRCLES, around = n * 2 * M_PI / DIRECTIONS;
    double ends[2];
    for (int end = 0; end < 2; end++) {
      const double t = end ? last : first, away = g->sod + r * sin(around - t), q = r * cos(around - t) / away;
      ends[end] = g->height + h * t + h * away / g->sod * (ct_tam_top(q) - (end ? ct_tam_height(q) : 0));
    }
    cover.low = fmax(cover.low, h > 0 ? ends[0] : ends[1]);
    cover.high = fmin(cover.high, h > 0 ? ends[1] : ends[0]);
  }
  return cover;
}

bool ct_katsevich_serves(const ct_geometry *g, ct_error **error) {
  if (!ct_spiral_is_plain(g, error)) return false;
  const ct_spiral_cover cover = ct_katsevich_covers(g, ct_geometry_field_radius(g));
  if (fabs(g->feed) > cover.most_feed)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The table moves by %.4g mm a turn (pitch %.3g), and Katsevich's filter needs the whole Tam "
                        "window on the detector, which it is up to %.4g mm. %s",
                        fabs(g->feed), ct_spiral_pitch(g), cover.most_feed, CT_SPIRAL_WAY_OUT);
  if (cover.low > cover.high)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The views of this spiral go round by too little for Katsevich's filter: nowhere do they hold "
                        "all rays between two turns of the source. %s",
                        CT_SPIRAL_WAY_OUT);
  return true;
}
