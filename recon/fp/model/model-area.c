/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The area integral model (Zhang et al., Opt. Eng. 53, 113101, 2014; Yu et al., J. Signal Process. Syst. 91, 321,
 * 2019): overlap of pixel and strip, exactly. In one step along the major axis an edge of the strip sweeps minor
 * positions uniformly distributed over x - h .. x + h, h = |q| / 2. The area on its lower side above a position b of
 * the minor axis is the mean of max(0, x' - b) over them, which is ramp(x - b): 0, then a parabola of length 2 h, then
 * the identity. The strip's area above b is the difference of both edges' ramps, and a pixel's overlap the difference
 * of that at its two borders. */
#include "recon/fp/model/ray-model-private.h"

#include <math.h>

/* Overlaps that rounding makes 0 or negative; far below what a float keeps beside a row's other entries. */
#define LEAST 1e-16

static inline double ramp(double t, double half, double inverse) {
  const double above = t + half > 0 ? t + half : 0, over = t - half > 0 ? t - half : 0;
  const double within = above < 2 * half ? above : 2 * half;
  return within * within * inverse + over;
}

/* 1 / (4 h); an edge along the major axis has no parabola. */
static double inverse_of(double half) {
  return half > 0 ? 0.25 / half : 0;
}

static bool is_steep(ct_model_line line) {
  return !(fabs(line.q) <= 2);
}

/* Width = slope times the distance of the foot from the source. */
static void set_width(const ct_model_view *view, double place, ct_model_ray *ray) {
  ray->divergent = view->divergent;
  ray->scale = view->dx * view->dy / view->pitch;
  if (!view->divergent) return;
  /* Both edges seen from the middle ray: tangents of the angles to it, with l the middle's length from source to
   * detector. */
  const double l2 = view->sdd * view->sdd + place * place, half = 0.5 * view->pitch;
  const double slope = view->sdd * half * (1 / (l2 + place * half) + 1 / (l2 - place * half));
  ray->scale = view->dx * view->dy / slope;
  const double inverse = 1 / sqrt(l2);
  const double mx = (-view->sdd * view->sine + place * view->cosine) * inverse;
  const double my = (view->sdd * view->cosine + place * view->sine) * inverse;
  ray->along = mx * view->x0 + my * view->y0 + view->sod * view->sdd * inverse;
  ray->along_major = ray->by_columns ? mx * view->dx : my * view->dy;
  ray->along_minor = ray->by_columns ? my * view->dy : mx * view->dx;
  ray->nearest = 0.5 * (view->dx < view->dy ? view->dx : view->dy);
}

void ct_model_area_lines(const ct_model_view *view, double place, ct_model_ray *ray) {
  set_width(view, place, ray);
  double middle[3];
  ct_model_equation(view, place, middle);
  ct_model_equation(view, place - 0.5 * view->pitch, ray->edges[0]);
  ct_model_equation(view, place + 0.5 * view->pitch, ray->edges[1]);
  const int minor = ray->by_columns ? 1 : 0;
  const bool rising = middle[minor] > 0; /* larger places lie at larger minor positions */
  ray->lower = ct_model_solved(ray->edges[rising ? 0 : 1], ray->by_columns);
  ray->upper = ct_model_solved(ray->edges[rising ? 1 : 0], ray->by_columns);
  ray->wide = is_steep(ray->lower) || is_steep(ray->upper) || (ray->edges[0][minor] > 0) != rising ||
              (ray->edges[1][minor] > 0) != rising;
  ray->lower_half = 0.5 * fabs(ray->lower.q);
  ray->upper_half = 0.5 * fabs(ray->upper.q);
  ray->low = ray->lower;
  ray->high = ray->upper;
  ray->low.p += 0.5 - ray->lower_half + CT_MODEL_REACH;
  ray->high.p += 0.5 + ray->upper_half - CT_MODEL_REACH;
}

double ct_model_area_weight(const ct_model_ray *ray, int major, int minor, double overlap) {
  if (!ray->divergent) return overlap * ray->scale;
  const double distance = ray->along + ray->along_major * major + ray->along_minor * minor;
  return overlap * ray->scale / (distance > ray->nearest ? distance : ray->nearest);
}

/* Steps at a time, with the first pixels of their runs side by side, so that compilers make vectors of the steps. */
enum { BATCH = 64, LANES = 4 };

typedef struct area_batch {
  double lower[BATCH], upper[BATCH]; /* highest positions that the edges reach above the run's lower border: x + h */
  double distance[BATCH];            /* of the run's first pixel from the source */
  double above[LANES + 1][BATCH];    /* area of the strip above the borders 0 .. LANES of the run */
  float weights[LANES][BATCH];
} area_batch;

static inline double ramp_from(double top, double most, double inverse) {
  const double above = top > 0 ? top : 0, within = above < most ? above : most;
  return within * within * inverse + (above - within);
}

/* Pixels of a run behind the first LANES. */
static void weigh_rest(const ct_model_ray *ray, int step, int first, int count, double lower, double upper,
                       float *weights) {
  const double ml = 2 * ray->lower_half, mu = 2 * ray->upper_half, il = inverse_of(ray->lower_half),
               iu = inverse_of(ray->upper_half);
  double above = ramp_from(upper - LANES, mu, iu) - ramp_from(lower - LANES, ml, il);
  for (int k = LANES; k < count; k++) {
    const double next = ramp_from(upper - (k + 1), mu, iu) - ramp_from(lower - (k + 1), ml, il);
    weights[k] = (float)ct_model_area_weight(ray, step, first + k, above - next > LEAST ? above - next : LEAST);
    above = next;
  }
}

static void place_edges(const ct_model_ray *ray, const int *first, int step, int steps, area_batch *batch) {
  const ct_model_line lower = ray->lower, upper = ray->upper;
  const double hl = ray->lower_half + 0.5, hu = ray->upper_half + 0.5;
  for (int s = 0; s < steps; s++) {
    batch->lower[s] = lower.p + lower.q * (step + s) + hl - first[s];
    batch->upper[s] = upper.p + upper.q * (step + s) + hu - first[s];
  }
  if (!ray->divergent) return;
  for (int s = 0; s < steps; s++)
    batch->distance[s] = ray->along + ray->along_major * (step + s) + ray->along_minor * first[s];
}

static void measure_lanes(const ct_model_ray *ray, int steps, area_batch *batch) {
  const double ml = 2 * ray->lower_half, mu = 2 * ray->upper_half, il = inverse_of(ray->lower_half),
               iu = inverse_of(ray->upper_half);
  for (int k = 0; k <= LANES; k++) {
    double *above = batch->above[k];
    for (int s = 0; s < steps; s++)
      above[s] = ramp_from(batch->upper[s] - k, mu, iu) - ramp_from(batch->lower[s] - k, ml, il);
  }
}

static void weigh_lanes(const ct_model_ray *ray, int steps, area_batch *batch) {
  const double scale = ray->scale, nearest = ray->nearest, along = ray->along_minor;
  for (int k = 0; k < LANES; k++) {
    const double *above = batch->above[k], *next = batch->above[k + 1];
    float *weights = batch->weights[k];
    for (int s = 0; s < steps; s++) {
      const double overlap = above[s] - next[s] > LEAST ? above[s] - next[s] : LEAST;
      const double distance = batch->distance[s] + k * along;
      weights[s] = (float)(overlap * scale / (distance > nearest ? distance : nearest));
    }
  }
}

void ct_model_area_weights(const ct_model_ray *ray, const ct_model_runs *runs, float *weights) {
  area_batch batch;
  for (int s = 0; s < BATCH; s++) batch.distance[s] = 1; /* for parallel beam */
  for (int step = runs->from; step < runs->to; step += BATCH) {
    const int steps = runs->to - step < BATCH ? runs->to - step : BATCH;
    place_edges(ray, runs->first + step, step, steps, &batch);
    measure_lanes(ray, steps, &batch);
    weigh_lanes(ray, steps, &batch);
    for (int s = 0; s < steps; s++) {
      const int count = runs->count[step + s];
      for (int k = 0; k < LANES; k++) weights[k] = batch.weights[k][s];
      if (count > LANES)
        weigh_rest(ray, step + s, runs->first[step + s], count, batch.lower[s], batch.upper[s], weights);
      weights += count;
    }
  }
}

/* Part of pixel (i, j) where A X + B Y > C. */
static double part_beyond(const double edge[3], int i, int j) {
  const bool by_columns = fabs(edge[1]) > fabs(edge[0]);
  const ct_model_line line = ct_model_solved(edge, by_columns);
  const double half = 0.5 * fabs(line.q), inverse = inverse_of(half);
  const double t = line.p + line.q * (by_columns ? i : j) - (by_columns ? j : i) + 0.5;
  const double below = ramp(t, half, inverse) - ramp(t - 1, half, inverse);
  return edge[by_columns ? 1 : 0] > 0 ? 1 - below : below;
}

double ct_model_area_overlap(const ct_model_ray *ray, int i, int j) {
  return part_beyond(ray->edges[0], i, j) - part_beyond(ray->edges[1], i, j);
}
