/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tilt of the axis in the detector's plane: the centre of rotation is searched at several heights, and a straight line
 * through these is the axis. After a first line the rows are read along it, and the search made again:
 * where the object's outline changes with the height, the first lines lean too little. */
#include "recon/prep/centre-private.h"

#include "recon/geom/questions.h"

#include <math.h>

enum { BANDS = 10, LEAST_BANDS = 3, LEAST_ROWS = 12, ROUNDS = 10, MOST_THICK = 8 };
/* Centres that count: their evidence, and their standard deviation in columns. Least deviation of one, for what is not
 * noise. */
static const double least_evidence = 8, most_spread = 0.5, least_spread = 0.01;
/* Rounds end where the ends of a row move by less than this many rows, and the tilt by this share of its deviation. */
static const double settled = 0.25, settled_share = 0.2;

typedef struct {
  double row, centre, weight;
} point;

/* The straight line through the points; false where they do not make one. The deviation follows the points' own, or
 * their scatter where that is more. */
static bool fit_line(const point *points, int count, double about, double *slope, double *centre, double *spread) {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0, scatter = 0;
  for (int i = 0; i < count; i++) {
    const point *p = points + i;
    const double row = p->row - about;
    w += p->weight;
    x += p->weight * row;
    y += p->weight * p->centre;
    xx += p->weight * row * row;
    xy += p->weight * row * p->centre;
  }
  const double width = w * xx - x * x;
  if (count < LEAST_BANDS || !(width > 1e-9 * w * xx)) return false;
  *slope = (w * xy - x * y) / width;
  *centre = (y - *slope * x) / w;
  for (int i = 0; i < count; i++) {
    const double off = points[i].centre - *centre - *slope * (points[i].row - about);
    scatter += points[i].weight * off * off;
  }
  *spread = sqrt(w / width * fmax(scatter / (count - 2), 1));
  return true;
}

/* The centres at all heights, along the tilt so far; returns how many were found, -1: an error. */
static int search_bands(const ct_stack *stack, const ct_geometry *g, double tilt, double about, point *points,
                        ct_job *job, ct_error **error) {
  double heights[BANDS];
  const int thick = g->nv / 16 < 1 ? 1 : g->nv / 16 > MOST_THICK ? MOST_THICK : g->nv / 16;
  int count = 0;
  for (int b = 0; b < BANDS; b++) heights[b] = (0.06 + 0.88 * b / (BANDS - 1)) * (g->nv - 1);
  ct_stack *rows = ct_tilted_rows(stack, g, tilt, heights, BANDS, thick, error);
  ct_geometry one;
  bool good = rows != NULL && ct_geometry_copy(&one, g, error);
  if (good) {
    one.nv = BANDS;
    for (int b = 0; good && b < BANDS; b++) {
      ct_centre_found found = {0};
      ct_error *fault = NULL;
      if (!ct_centre_of_rows(rows, &one, b, 1, about, &found, job, &fault)) {
        good = fault->code == CT_ERROR_DATA;
        if (!good) ct_error_set(error, fault->code, "%s", fault->message);
        ct_error_clear(&fault);
        continue;
      }
      if (!(found.evidence >= least_evidence) || !(found.spread <= most_spread)) continue;
      const double spread = hypot(found.spread, least_spread);
      points[count++] = (point){heights[b] - (found.centre - g->centre_u) * tan(tilt) * g->du / g->dv, found.centre,
                                1 / (spread * spread)};
    }
    ct_geometry_clear(&one);
  }
  ct_stack_free(rows);
  return good ? count : -1;
}

bool ct_centre_tilt(const ct_stack *stack, const ct_geometry *geometry, double about, ct_tilt_found *found, ct_job *job,
                    ct_error **error) {
  *found = (ct_tilt_found){NAN, NAN, NAN};
  if (geometry->nv < LEAST_ROWS || geometry->nu < 16 || !ct_geometry_takes(geometry, CT_TAKES_CENTRE)) return true;
  ct_geometry g = *geometry; /* borrows the angles */
  g.centre_u = about;
  double tilt = 0;
  for (int round = 0; round < ROUNDS; round++) {
    point points[BANDS];
    double slope, centre, spread;
    const int count = search_bands(stack, &g, tilt, about, points, job, error);
    if (count < 0) return false;
    if (!fit_line(points, count, g.centre_v, &slope, &centre, &spread)) break;
    const double before = tilt;
    tilt = atan(slope * g.du / g.dv);
    const double cosine = cos(tilt);
    *found = (ct_tilt_found){tilt, spread * g.du / g.dv * cosine * cosine, centre};
    if (fabs(tan(tilt) - tan(before)) * g.du / g.dv * 0.5 * g.nu < settled &&
        fabs(tilt - before) < settled_share * found->spread)
      break;
  }
  return true;
}
