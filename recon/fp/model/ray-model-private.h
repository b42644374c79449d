/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One ray among pixels, as the models see it. Coordinates are pixel indices X = (x - x0) / dx, Y = (y - y0) / dy, in
 * which pixel (i, j) is the unit square about (i, j) and areas are in pixels.
 *
 * A ray is walked along its major axis, the one that it is nearer to: y ("by rows") or x ("by columns"). At every
 * integer of the major axis it meets one run of adjacent pixels along the minor axis, from floor(low) to floor(high),
 * both of which are linear in the major index. So a model is these two lines and the weights of a run; clipping,
 * counting and the order of the entries are the same for all. */
#ifndef CT_FP_RAY_MODEL_PRIVATE_H
#define CT_FP_RAY_MODEL_PRIVATE_H

#include "recon/fp/model/ray-model.h"

/* What does not reach into a pixel by this part of its side does not reach it. */
#define CT_MODEL_REACH 1e-9

/* minor = p + q major. */
typedef struct ct_model_line {
  double p, q;
} ct_model_line;

typedef struct ct_model_ray {
  bool by_columns;
  int majors, minors;
  double step; /* mm of the ray per unit of the major axis */
  ct_model_line middle;
  ct_model_line low, high; /* floor of them: first and last pixel of a run, in either order */
  /* Of the area model. */
  ct_model_line lower, upper;    /* edges of the strip */
  double lower_half, upper_half; /* |q| / 2 of them */
  double scale;                  /* weight of a wholly covered pixel: dx dy / width, or that times the distance */
  bool divergent; /* the weight is scale / distance, distance = along + along_major major + along_minor minor */
  double along, along_major, along_minor, nearest;
  bool wide;          /* edges so far apart that runs along one axis do not serve: pixel by pixel */
  double edges[2][3]; /* then: A X + B Y = C of both, the first one's A X + B Y > C holds inside */
} ct_model_ray;

/* Runs that a ray's steps [from, to) meet, clipped to the grid. */
typedef struct ct_model_runs {
  int from, to;
  int *first, *count; /* [majors] */
} ct_model_runs;

/* Completes a ray whose axes, step and middle are set. The area model also needs the ray's place on the detector (mm
 * from the centre of rotation along u). */
void ct_model_joseph_lines(ct_model_ray *ray);
void ct_model_siddon_lines(ct_model_ray *ray);
void ct_model_area_lines(const ct_model_view *view, double place, ct_model_ray *ray);

/* Weights of all runs, one after another. Up to CT_MODEL_SLACK floats behind the last one are overwritten. */
#define CT_MODEL_SLACK 4
typedef void ct_model_weights(const ct_model_ray *ray, const ct_model_runs *runs, float *weights);
ct_model_weights ct_model_joseph_weights, ct_model_siddon_weights, ct_model_area_weights;

/* Overlap (pixels) and weight of one pixel of a wide strip. */
double ct_model_area_overlap(const ct_model_ray *ray, int i, int j);
double ct_model_area_weight(const ct_model_ray *ray, int major, int minor, double overlap);

/* A X + B Y = C of the line through detector place `place`. */
void ct_model_equation(const ct_model_view *view, double place, double equation[3]);
/* The equation solved for the minor axis. */
static inline ct_model_line ct_model_solved(const double equation[3], bool by_columns) {
  const double minor = equation[by_columns ? 1 : 0], major = equation[by_columns ? 0 : 1];
  return (ct_model_line){equation[2] / minor, -major / minor};
}
/* floor(x) of an x clipped to [-1, top]; also of NaN some index in that range. */
static inline int ct_model_floor(double x, double top) {
  const double above = x > -1 ? x : -1;
  return (int)((above < top ? above : top) + 1) - 1;
}

#endif
