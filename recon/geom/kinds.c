/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of geometry: ids, titles, what each promises and what has to be given for it. */
#include "recon/geom/questions.h"

#include <math.h>
#include <string.h>

#define ROW(value, word, sentence, list, promised, taken)                                                              \
  [value] = {.beam = value, .id = word, .title = sentence, .choice = list, .traits = (promised), .takes = (taken)},

static const ct_beam_kind kinds[] = {CT_GEOMETRY_KINDS(ROW)};

const ct_beam_kind *ct_beam_kinds(int *count) {
  *count = sizeof kinds / sizeof *kinds;
  return kinds;
}

const ct_beam_kind *ct_beam_find(const char *id) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i].id, id)) return &kinds[i];
  return NULL;
}

const char *ct_beam_id(ct_beam beam) {
  return kinds[beam].id;
}

const char *ct_beam_title(ct_beam beam) {
  return kinds[beam].title;
}

unsigned ct_beam_traits(ct_beam beam) {
  return kinds[beam].traits;
}

bool ct_beam_promises(ct_beam beam, unsigned traits) {
  return (traits & ~kinds[beam].traits) == 0;
}

bool ct_beam_takes(ct_beam beam, unsigned quantities) {
  return (kinds[beam].takes & quantities) != 0;
}

ct_beam ct_beam_divergent(int rows) {
  return rows == 1 ? CT_BEAM_FAN : CT_BEAM_CONE;
}

double ct_beam_period(ct_beam beam) {
  return ct_beam_promises(beam, CT_TRAIT_PARALLEL) ? M_PI : 2 * M_PI;
}

/* What matrices can promise beside their kind. */
static const unsigned level_traits = CT_TRAIT_PARALLEL | CT_TRAIT_SLICED;
/* Pixels, over the whole detector, and its widths by which the depth may change. */
static const double level_slack = 1e-6, level_depth = 1e-9;

/* Whether u depends on x and y alone, v on z alone and as in the first view, and no depth on anything. */
static bool is_level(const double m[12], const double first[12], int nu, int nv) {
  const double width = nu / hypot(m[0], m[1]), height = nv / fabs(first[6]);
  return isfinite(width) && isfinite(height) && hypot(hypot(m[8], m[9]) * width, m[10] * height) < level_depth &&
         fabs(m[2]) * height + hypot(m[4], m[5]) * width < level_slack &&
         fabs(m[6] - first[6]) * height + fabs(m[7] - first[7]) < level_slack;
}

static bool are_level(const ct_geometry *g) {
  for (int view = 0; view < g->views; view++)
    if (!is_level(g->matrices + 12 * (size_t)view, g->matrices, g->nu, g->nv)) return false;
  return true;
}

unsigned ct_geometry_traits(const ct_geometry *g) {
  const unsigned traits = ct_beam_traits(g->beam);
  if (g->beam == CT_BEAM_FREE) return g->matrices && are_level(g) ? traits | level_traits : traits;
  return g->feed != 0 ? traits & ~(unsigned)CT_TRAIT_CIRCULAR : traits;
}

bool ct_geometry_promises(const ct_geometry *geometry, unsigned traits) {
  /* The kind alone can tell, mostly. */
  const unsigned missing = traits & ~ct_beam_traits(geometry->beam);
  if (geometry->beam == CT_BEAM_FREE && (!missing || missing & ~level_traits)) return !missing;
  return (traits & ~ct_geometry_traits(geometry)) == 0;
}

bool ct_geometry_takes(const ct_geometry *geometry, unsigned quantities) {
  return ct_beam_takes(geometry->beam, quantities);
}

const char *ct_geometry_title(const ct_geometry *geometry) {
  if (geometry->feed == 0) return ct_beam_title(geometry->beam);
  return geometry->stops ? "sequential cone beam" : "spiral cone beam";
}

double ct_geometry_period(const ct_geometry *geometry) {
  return ct_beam_period(geometry->beam);
}
