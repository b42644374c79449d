/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the side panel says about a plan: section summaries in words, the values that "auto" stands for, and which
 * parameters matter at present. Works on copies of the scan's and the pipeline's facts, which live in another thread.
 * No widgets. */
#pragma once

#include <glib.h>

#include "recon/solve/pipeline.h"
#include "recon/solve/plan-rules.h"
#include "ui/plan/phrases.h"

typedef struct {
  ct_plan_facts base; /* what the rules of the plan table ask for */
  /* Of the scan besides, valid with base.scan. */
  char *name, *path, *format, *dataset, *note, *values_why;
  int darks;
  guint64 bytes;
  int nu;
  double centre_u, arc_deg;

  gboolean gridded; /* whether the plan's grid is known, which needs no pipeline */
  ct_grid asked;
  char *objection; /* "too large for a preview", what stands against it; NULL: nothing */

  /* Of what the pipeline made, valid with base.outcome. */
  ct_grid grid;
  int centre_method; /* of the plan that it was found for */
  double confidence;
  ct_centre_found found; /* count 0: the centre was not searched by comparing views */
  ct_tilt_found tilt;    /* that was found and is not in use; NaN: none */
  char *centre_how;
  gboolean arc_repeated; /* the last view stands where the first did */
  ct_prep_report prep;
  char *kernel_id, *kernel_title, *kernel_why;
  char *projector_title, *projector_why; /* of the iterative volume or slice made last; NULL before */
  gboolean projector_stored;
  ct_projector_shape projector_shape;

  gboolean estimated;
  ct_estimate estimate;
  gboolean refused; /* the values on screen cannot be carried out: outcome and estimate may be of those before */
} GantryPlanFacts;

void gantry_plan_facts_set_scan(GantryPlanFacts *facts, const char *name, const ct_scan_facts *scan);
void gantry_plan_facts_set_outcome(GantryPlanFacts *facts, const ct_pipeline_facts *outcome,
                                   const ct_estimate *estimate);
void gantry_plan_facts_set_estimate(GantryPlanFacts *facts, const ct_estimate *estimate);
void gantry_plan_facts_set_grid(GantryPlanFacts *facts, const ct_grid *grid, const char *objection);
void gantry_plan_facts_clear(GantryPlanFacts *facts);

/* One line about a section's present values: the closed panel reads as the recipe. */
char *gantry_plan_summarise(const ct_plan *plan, const GantryPlanFacts *facts, ct_section section);
/* Idle: shown, but the method does nothing with it. */
typedef enum { GANTRY_PARAM_IRRELEVANT, GANTRY_PARAM_FOLDED, GANTRY_PARAM_IDLE, GANTRY_PARAM_SHOWN } GantryParamPlace;
GantryParamPlace gantry_plan_place(const ct_plan *plan, const GantryPlanFacts *facts, const ct_param *param);
