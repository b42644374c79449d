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

unsigned ct_geometry_traits(const ct_geometry *geometry) {
  const unsigned traits = ct_beam_traits(geometry->beam);
  return geometry->feed != 0 ? traits & ~(unsigned)CT_TRAIT_CIRCULAR : traits;
}

bool ct_geometry_promises(const ct_geometry *geometry, unsigned traits) {
  return (traits & ~ct_geometry_traits(geometry)) == 0;
}

bool ct_geometry_takes(const ct_geometry *geometry, unsigned quantities) {
  return ct_beam_takes(geometry->beam, quantities);
}

const char *ct_geometry_title(const ct_geometry *geometry) {
  return geometry->feed != 0 ? "spiral cone beam" : ct_beam_title(geometry->beam);
}

double ct_geometry_period(const ct_geometry *geometry) {
  return ct_beam_period(geometry->beam);
}
