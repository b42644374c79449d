/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side panel's copies of what is known of the scan, of the plan's grid, and of what a pipeline made of the plan. */
#include "ui/plan/words.h"
#include "ui/shown.h"

#include "recon/geom/told-arc.h"

#include <math.h>

#define DEGREES (180 / G_PI)

static void set_text(char **field, const char *text) {
  char *copy = text ? gantry_shown(text) : NULL;
  g_free(*field);
  *field = copy;
}

/* The grid that the plan asks for, else the one that was prepared last. */
static void choose_grid(GantryPlanFacts *facts) {
  facts->base.grid = facts->gridded ? &facts->asked : facts->base.outcome ? &facts->grid : NULL;
}

/* The reader's note, then what is doubtful, assumed, and not used, and last the files that were read. */
static char *note_of(const ct_scan_facts *scan) {
  static const ct_remark_kind shown[] = {CT_REMARK_DOUBT, CT_REMARK_ASSUMED, CT_REMARK_IGNORED};
  GString *text = g_string_new(scan->note), *read = g_string_new(NULL);
  const int count = scan->remarks ? scan->remarks->count : 0;
  for (gsize k = 0; k < G_N_ELEMENTS(shown); k++)
    for (int i = 0; i < count; i++) {
      const ct_remark *r = &scan->remarks->items[i];
      if (r->kind != shown[k]) continue;
      g_string_append_printf(text, "%s%s%s%s%s.", text->len ? "\n" : "",
                             r->kind == CT_REMARK_IGNORED ? "Not used: " : "", r->from ? r->from : "",
                             r->from ? ": " : "", r->text);
    }
  for (int i = 0; i < count; i++) {
    const ct_remark *r = &scan->remarks->items[i];
    if (r->kind != CT_REMARK_READ || !r->from || strstr(read->str, r->from)) continue;
    g_string_append_printf(read, "%s%s", read->len ? ", " : "", r->from);
  }
  if (read->len) g_string_append_printf(text, "%sGeometry from %s.", text->len ? "\n" : "", read->str);
  g_string_free(read, TRUE);
  char *valid = text->len ? g_utf8_make_valid(text->str, -1) : NULL;
  g_string_free(text, TRUE);
  return valid;
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
  facts->note = note_of(scan);
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
