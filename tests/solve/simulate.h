/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated scans for the tests of solve: a phantom seen by a given beam, as a scan in memory. */
#ifndef TESTS_SOLVE_SIMULATE_H
#define TESTS_SOLVE_SIMULATE_H

#include "recon/data/scan.h"
#include "recon/phantom/phantom.h"

#include <math.h>

typedef struct {
  ct_beam beam;
  int nu, nv, views;
  double arc_deg, centre_offset; /* px */
  const char *phantom;
} simulation;

static const double sim_radius = 100, sim_mu = 0.02;

/* Detector wide enough for the phantom (radius 100 mm) (its skull reaches 92 mm); magnification 1.5 for fan and cone.
 */
static inline bool sim_geometry(const simulation *s, ct_geometry *g) {
  if (!ct_geometry_init(g, s->beam, s->nu, s->nv, s->views, NULL)) return false;
  const double width = 1.9 * sim_radius;
  g->du = g->dv = width / s->nu;
  if (s->beam != CT_BEAM_PARALLEL) {
    g->sod = 600;
    g->sdd = 900;
    g->du = g->dv = width * 1.5 / s->nu;
  }
  g->centre_u += s->centre_offset;
  ct_geometry_set_arc(g, 0, s->arc_deg * M_PI / 180 / s->views);
  return true;
}

/* Of a spiral where the feed is not 0, mm per turn; stops: of a sequence. */
static inline ct_scan *sim_scan_moved(const simulation *s, double feed, bool stops, ct_error **error) {
  ct_geometry g;
  if (!sim_geometry(s, &g)) return NULL;
  g.stops = stops;
  if (feed != 0) ct_geometry_set_feed(&g, feed, ct_geometry_centred_start(&g, feed));
  ct_stack *stack = ct_phantom_project(ct_phantom_find(s->phantom), sim_radius, sim_mu, &g, 2, NULL, error);
  ct_scan *scan = stack ? ct_scan_new_memory(&g, stack, CT_VALUES_LINE_INTEGRALS, "simulated", error) : NULL;
  ct_geometry_clear(&g);
  return scan;
}

static inline ct_scan *sim_scan(const simulation *s, ct_error **error) {
  return sim_scan_moved(s, 0, false, error);
}

#endif
