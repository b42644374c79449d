/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side panel's copies of what is known of the scan, of the plan's grid, and of what a pipeline made of the plan. */
#include "ui/plan/words.h"

#include "recon/geom/told-arc.h"

#include <math.h>

#define DEGREES (180 / G_PI)

static void set_text(char **field, const char *text) {
  char *copy = g_strdup(text);
  g_free(*field);
  *field = copy;
}

/* The grid that the plan asks for, else the one that was prepared last. */
static void choose_grid(GantryPlanFacts *facts) {
  facts->base.grid = facts->gridded ? &facts->asked : facts->base.outcome ? &facts->grid : NULL;
}

static void clear_scan(GantryPlanFacts *facts) {
  g_clear_pointer(&facts->name, g_free);
  g_clear_pointer(&facts->path, g_free);
  g_clear_pointer(&facts->format, g_free);
  g_clear_pointer(&facts->dataset, g_free);
  g_clear_pointer(&facts->note, g_free);
  g_clear_pointer(&facts->values_why, g_free);
  facts->base.scan = FALSE;
}

void gantry_plan_facts_set_scan(GantryPlanFacts *facts, const char *name, const ct_scan_facts *scan) {
  clear_scan(facts);
  gantry_plan_facts_set_grid(facts, NULL, NULL);
  gantry_plan_facts_set_outcome(facts, NULL, NULL);
  if (!scan) return;
  const ct_geometry *geometry = &scan->geometry;
  set_text(&facts->name, name);
  set_text(&facts->path, scan->path);
  set_text(&facts->format, scan->format);
  set_text(&facts->dataset, scan->dataset);
  set_text(&facts->note, scan->note);
  set_text(&facts->values_why, scan->values_why);
  ct_plan_facts_of_scan(scan, &facts->base);
  facts->darks = scan->darks;
  facts->bytes = scan->bytes;
  facts->nu = geometry->nu, facts->centre_u = geometry->centre_u;
  bool repeated;
  facts->arc_deg = ct_geometry_told_arc(geometry, &repeated) * DEGREES;
  facts->arc_repeated = repeated;
}

void gantry_plan_facts_set_outcome(GantryPlanFacts *facts, const ct_pipeline_facts *outcome,
                                   const ct_estimate *estimate) {
  facts->base.outcome = outcome != NULL;
  facts->refused = FALSE;
  set_text(&facts->centre_how, outcome ? outcome->centre_how : NULL);
  set_text(&facts->kernel_id, outcome && outcome->kernel ? outcome->kernel->id : NULL);
  set_text(&facts->kernel_title, outcome && outcome->kernel ? outcome->kernel->title : NULL);
  set_text(&facts->kernel_why, outcome ? outcome->kernel_why : NULL);
  set_text(&facts->projector_title, outcome && outcome->projector ? outcome->projector->title : NULL);
  set_text(&facts->projector_why, outcome && outcome->projector ? outcome->projector_why : NULL);
  facts->projector_stored = outcome && outcome->projector && outcome->projector->stored;
  if (outcome) {
    facts->projector_shape = outcome->projector_shape;
    facts->grid = outcome->grid;
    facts->base.centre = outcome->centre_u, facts->confidence = outcome->centre_confidence;
    facts->found = outcome->found;
    facts->tilt = outcome->tilt;
    facts->prep = outcome->prep;
  }
  choose_grid(facts);
  gantry_plan_facts_set_estimate(facts, estimate);
}

void gantry_plan_facts_set_estimate(GantryPlanFacts *facts, const ct_estimate *estimate) {
  facts->estimated = estimate != NULL;
  if (estimate) facts->estimate = *estimate;
}

void gantry_plan_facts_set_grid(GantryPlanFacts *facts, const ct_grid *grid, const char *objection) {
  facts->gridded = grid != NULL;
  if (grid) facts->asked = *grid;
  choose_grid(facts);
  set_text(&facts->objection, objection);
}

void gantry_plan_facts_clear(GantryPlanFacts *facts) {
  clear_scan(facts);
  gantry_plan_facts_set_grid(facts, NULL, NULL);
  gantry_plan_facts_set_outcome(facts, NULL, NULL);
}
