/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts of a scan in words. */
#include "app/scan-facts.h"

#include "recon/base/shown.h"
#include "recon/base/units.h"
#include "recon/data/values.h"
#include "recon/geom/grid.h"
#include "recon/geom/questions.h"
#include "recon/geom/sequence.h"
#include "recon/geom/spiral.h"
#include "recon/geom/told-arc.h"
#include "recon/solve/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double degrees = 180 / M_PI;

typedef struct {
  gantry_scan_fact take;
  void *user;
} facts_list;

__attribute__((format(printf, 3, 4))) static void tell(const facts_list *list, const char *name, const char *format,
                                                       ...) {
  char text[CT_SHOWN];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  list->take(list->user, name, text);
}

static const char *origin_of(const ct_scan_facts *facts, unsigned bit) {
  return facts->known & bit ? "" : " (assumed; the file does not tell)";
}

static bool list_geometry(const facts_list *list, const ct_scan_facts *facts) {
  const ct_geometry *g = &facts->geometry;
  char a[64], b[64], c[64];
  bool repeated;
  const double arc = ct_geometry_told_arc(g, &repeated) * degrees;
  tell(list, "beam", "%s%s", ct_geometry_title(g), origin_of(facts, CT_KNOWN_BEAM));
  if (g->angles && ct_geometry_takes(g, CT_TAKES_ANGLES))
    tell(list, "angles", "%s to %s, an arc of %s%s%s", ct_format_quantity(g->angles[0] * degrees, 6, "°", a, sizeof a),
         ct_format_quantity(g->angles[g->views - 1] * degrees, 6, "°", b, sizeof b),
         ct_format_quantity(arc, 6, "°", c, sizeof c), repeated ? " with the first view repeated at the end" : "",
         origin_of(facts, CT_KNOWN_ANGLES));
  ct_plan silent;
  ct_plan_init(&silent);
  const bool in_pixels = ct_plan_in_pixels(&silent, facts->known, g->beam);
  if (in_pixels)
    tell(list, "pixel", "not known: lengths are in px and values in 1/px; geometry.pixel_u tells it, in mm");
  else
    tell(list, "pixel", "%s x %s%s", ct_format_length(g->du, 5, "mm", a, sizeof a),
         ct_format_length(g->dv, 5, "mm", b, sizeof b), origin_of(facts, CT_KNOWN_PITCH));
  if (ct_geometry_takes(g, CT_TAKES_DISTANCES))
    tell(list, "distances", "source to axis %s, source to detector %s%s",
         ct_format_length(g->sod, 7, "mm", a, sizeof a), ct_format_length(g->sdd, 7, "mm", b, sizeof b),
         origin_of(facts, CT_KNOWN_DISTANCES));
  if (ct_geometry_takes(g, CT_TAKES_CENTRE))
    tell(list, "centre", "column %s, row %s%s", ct_format_number(g->centre_u, 7, a, sizeof a),
         ct_format_number(g->centre_v, 7, b, sizeof b), origin_of(facts, CT_KNOWN_CENTRE));
  ct_sequence sequence;
  if (ct_geometry_is_sequence(g) && ct_sequence_of(g, &sequence, NULL))
    tell(list, "table step", "%s between %d positions, each of %d views, the first source at z = %s",
         ct_format_length(g->feed, 5, "mm", a, sizeof a), sequence.positions, sequence.views,
         ct_format_length(sequence.first, 5, "mm", c, sizeof c));
  if (ct_geometry_is_spiral(g))
    tell(list, "feed", "%s a turn, a pitch of %s, the first source at z = %s",
         ct_format_length(g->feed, 5, "mm", a, sizeof a), ct_format_number(ct_spiral_pitch(g), 3, b, sizeof b),
         ct_format_length(ct_geometry_height(g, 0), 5, "mm", c, sizeof c));
  if (g->tilt != 0) tell(list, "tilt", "%s", ct_format_quantity(g->tilt * degrees, 4, "°", a, sizeof a));
  if (!ct_geometry_check(g, NULL)) return !isnan(arc);
  const ct_grid grid = ct_grid_natural(g);
  tell(list, "volume", "%d x %d x %d voxels of %s by default", grid.nx, grid.ny, grid.nz,
       ct_format_length(grid.dx, 5, ct_units_of(in_pixels).length, a, sizeof a));
  return !isnan(arc);
}

bool gantry_scan_list_facts(const ct_scan *scan, gantry_scan_fact take, void *user) {
  const facts_list all = {take, user}, *list = &all;
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_geometry *g = &facts->geometry;
  char a[64];
  tell(list, "format", "%s%s%s%s%s", facts->format ? facts->format : "unknown", facts->dataset ? ", " : "",
       facts->dataset ? facts->dataset : "", facts->bytes ? ", " : "",
       facts->bytes ? ct_format_bytes((double)facts->bytes, a, sizeof a) : "");
  tell(list, "views", "%d of %d x %d pixels%s", g->views, g->nu, g->nv,
       facts->layout == CT_LAYOUT_SINOGRAMS ? ", out of sinograms: rows of pictures are angles" : "");
  if (ct_scan_layout_is_open(scan))
    tell(list, GANTRY_FACT_QUESTION,
         "one picture: are its rows angles (\"sinograms\", of %d views), or is it one projection (\"projections\")? "
         "\"layout\" in a scan description tells it.",
         g->nv);
  if (facts->flats || facts->darks)
    tell(list, "flat fields", "%d flat%s, %d dark%s", facts->flats, facts->flats == 1 ? "" : "s", facts->darks,
         facts->darks == 1 ? "" : "s");
  else
    tell(list, "flat fields", "none");
  tell(list, "values", "%s%s%s%s", ct_choice_id(ct_values_choices, (int)facts->values),
       facts->values_why ? " (not stated: " : "", facts->values_why ? facts->values_why : "",
       facts->values_why ? ")" : "");
  const char *samples_doubt = ct_scan_facts_samples_doubt(facts, facts->values);
  if (samples_doubt) tell(list, "warning", "%s", samples_doubt);
  if (facts->values_doubt) tell(list, "warning", "%s", facts->values_doubt);
  const bool whole = list_geometry(list, facts);
  if (facts->note) tell(list, "note", "%s", facts->note);
  for (ct_remark_kind kind = 0; kind < CT_REMARK_KINDS; kind++)
    for (int i = 0; facts->remarks && i < facts->remarks->count; i++) {
      const ct_remark *r = &facts->remarks->items[i];
      if (r->kind == kind)
        tell(list, ct_remark_kind_id(kind), "%s%s%s", r->from ? r->from : "", r->from ? ": " : "", r->text);
    }
  return whole;
}
