/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of parameters, made from the rows that each room states. */
#include "recon/bp/choices.h"
#include "recon/data/samples.h"
#include "recon/fp/choices.h"
#include "recon/geom/questions.h"
#include "recon/solve/iterative/solver.h"
#include "recon/solve/plan.h"

#include <math.h>
#include <stddef.h>

static const ct_choice as_file_choices[] = {
    {CT_AUTO_INT, "auto", "As the file says", NULL}, {0, "no", "No", NULL}, {1, "yes", "Yes", NULL}, CT_CHOICE_END};
static const ct_choice values_choices[] = {
    {CT_AUTO_INT, "auto", "As the file says or shows", NULL},
    {CT_VALUES_COUNTS, "counts", "Raw counts", "counts"},
    {CT_VALUES_TRANSMISSION, "transmission", "Transmission", "transmissions"},
    {CT_VALUES_LINE_INTEGRALS, "line-integrals", "Line integrals", "line integrals"},
    {CT_VALUES_OPTICAL_DENSITY, "optical-density", "Optical density, -log10", "optical densities"},
    CT_CHOICE_END};
#define BEAM_CHOICE(beam, id, title, choice, traits, takes) {beam, id, choice, NULL},
static const ct_choice beam_choices[] = {{CT_AUTO_INT, "auto", "As the scan says", NULL},
                                         CT_GEOMETRY_KINDS(BEAM_CHOICE) CT_CHOICE_END};
static const ct_choice centre_choices[] = {CT_CENTRE_METHODS(CT_CHOICE_ROW) CT_CHOICE_END};
static const ct_choice sharpness_choices[] = {{CT_AUTO_INT, "auto", "By the arc", NULL},
                                              CT_SHARPNESS_MEASURES(CT_CHOICE_ROW) CT_CHOICE_END};

#define REAL(lo, hi, by, decimals) .type = CT_PARAM_REAL, .low = (lo), .high = (hi), .step = (by), .digits = (decimals)
#define INT(lo, hi) .type = CT_PARAM_INT, .low = (lo), .high = (hi), .step = 1
#define CHOICE(list) .type = CT_PARAM_CHOICE, .choices = (list)
#define BOOL .type = CT_PARAM_BOOL, .low = 0, .high = 1, .step = 1
#define TEXT(word) .type = CT_PARAM_TEXT, .fallback_text = (word)
#define ONLY(field, bits) .only = {offsetof(ct_plan, field), bits}
#define AUTO_REAL .automatic = true, .fallback = NAN
#define AUTO_INT .automatic = true, .fallback = CT_AUTO_INT

/* A room states its parameters beside its options, one row each:
 *   CT_PARAM(declaration, place, key, title, unit, tip, section, stage, columns...)
 * The declaration makes the member, of the room's struct of options or of ct_plan, and the place is where it lies in
 * ct_plan. CT_PARAM_MORE(place, key, ...) is a further element of an array that the row before has declared. The
 * columns are those of ct_param, most of them by the words above. */
#define CT_PARAM(declaration, place, ...) {offsetof(ct_plan, place), __VA_ARGS__},
#define CT_PARAM_MORE(place, ...) {offsetof(ct_plan, place), __VA_ARGS__},

static const ct_param params[] = {
#include "recon/solve/params/scan.h"
#include "recon/solve/params/geometry.h"
#include "recon/prep/params.h"
#include "recon/solve/params/corrections.h"
#include "recon/solve/params/centre.h"
#include "recon/solve/params/filter.h"
#include "recon/filter/params.h"
#include "recon/solve/params/reconstruction.h"
#include "recon/solve/iterative/params.h"
#include "recon/solve/fourier/params.h"
#include "recon/solve/params/output.h"
};

const ct_param *ct_params(size_t *count) {
  *count = sizeof params / sizeof *params;
  return params;
}

const char *ct_section_title(ct_section section) {
  static const char *const titles[] = {"Scan",   "Geometry",       "Corrections", "Centre",
                                       "Filter", "Reconstruction", "Iterative",   "Output"};
  return titles[section];
}
