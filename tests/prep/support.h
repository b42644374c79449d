/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of prep share: a scan whose frames come from a function, and exact projections of balls. */
#ifndef CT_TEST_PREP_SUPPORT_H
#define CT_TEST_PREP_SUPPORT_H

#include "recon/base/memory.h"
#include "recon/data/scan.h"
#include "recon/data/stack.h"
#include "recon/geom/geometry.h"
#include "recon/prep/prep.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define DEGREE (M_PI / 180)

/* Value of pixel (column u, row v) of frame `index`. */
typedef float (*pixel_function)(ct_frame_kind kind, int index, int u, int v);

typedef struct {
  pixel_function pixel;
  int nu;
} function_source;

static inline bool read_function(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out,
                                 ct_error **error) {
  const function_source *source = state;
  (void)error;
  for (int j = 0; j < rows; j++)
    for (int k = 0; k < source->nu; k++) out[j * source->nu + k] = source->pixel(kind, index, k, row0 + j);
  return true;
}

/* `source` must outlive the scan. */
static inline ct_scan *function_scan(const function_source *source, int nv, int views, int flats, int darks,
                                     const double *flat_positions, const double *dark_positions, ct_values values,
                                     ct_error **error) {
  ct_scan_facts facts = {.values = values,
                         .flats = flats,
                         .darks = darks,
                         .flat_positions = flat_positions,
                         .dark_positions = dark_positions,
                         .path = "test.h5",
                         .format = "test"};
  if (!ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, source->nu, nv, views, error)) return NULL;
  ct_geometry_set_arc(&facts.geometry, 0, M_PI / views);
  ct_scan *scan =
      ct_scan_new(&facts, (ct_scan_source){.state = (void *)(uintptr_t)source, .read = read_function}, error);
  ct_geometry_clear(&facts.geometry);
  return scan;
}

static inline ct_prep_options plain_prep(void) {
  return (ct_prep_options){.floor = 1e-4, .i0 = CT_I0_NONE, .i0_border = 2, .i0_value = 1000};
}

/* All rows and views, unbinned. */
static inline ct_stack *load_all(ct_scan *scan, const ct_prep_options *options, ct_prep_report *report,
                                 ct_error **error) {
  const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
  return ct_prep_load(
      &(ct_load_request){.scan = scan, .options = options, .rows = g->nv, .step = 1, .count = g->views, .bin = 1},
      report, NULL, error);
}

typedef struct {
  double centre[3], radius, density;
} ball;

/* Line integrals of balls that may be cut by the detector's edge. */
static inline void project_balls(const ct_geometry *g, const ball *balls, int count, ct_stack *stack) {
  for (int i = 0; i < g->views; i++)
    for (int j = 0; j < g->nv; j++)
      for (int k = 0; k < g->nu; k++) {
        double p[3], d[3], sum = 0;
        ct_geometry_ray(g, i, k, j, p, d);
        for (int b = 0; b < count; b++) {
          double along = 0, square = 0;
          for (int a = 0; a < 3; a++) along += (balls[b].centre[a] - p[a]) * d[a];
          for (int a = 0; a < 3; a++) {
            const double off = p[a] + along * d[a] - balls[b].centre[a];
            square += off * off;
          }
          const double rest = balls[b].radius * balls[b].radius - square;
          if (rest > 0) sum += balls[b].density * 2 * sqrt(rest);
        }
        ct_stack_view(stack, i)[j * g->nu + k] = (float)sum;
      }
}

/* Repeatable noise in [-0.5, 0.5). */
static inline double noise(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

#endif
