/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts of a scan: what the file tells, what is assumed, and the volume that would come of it. */
#include "app/cli/info.h"
#include "app/json.h"
#include "recon/base/shown.h"
#include "recon/base/units.h"
#include "recon/geom/grid.h"
#include "recon/geom/questions.h"
#include "recon/geom/spiral.h"
#include "recon/geom/told-arc.h"
#include "recon/solve/plan.h"

#include <math.h>
#include <string.h>

static const double degrees = 180 / M_PI;

static const struct {
  unsigned bit;
  const char *id;
} known_ids[] = {
    {CT_KNOWN_ANGLES, "angles"}, {CT_KNOWN_PITCH, "pixel"},   {CT_KNOWN_DISTANCES, "distances"},
    {CT_KNOWN_BEAM, "beam"},     {CT_KNOWN_CENTRE, "centre"},
};

static const char *values_id(ct_values values) {
  return ct_choice_id(ct_values_choices, (int)values);
}

static json_t *known_list(const ct_scan_facts *facts, bool known) {
  json_t *list = json_array();
  const bool divergent = ct_geometry_takes(&facts->geometry, CT_TAKES_DISTANCES);
  /* Projection matrices hold these. */
  const unsigned held = ct_geometry_takes(&facts->geometry, CT_TAKES_MATRICES)
                            ? CT_KNOWN_ANGLES | CT_KNOWN_DISTANCES | CT_KNOWN_CENTRE
                            : 0;
  for (size_t i = 0; i < sizeof known_ids / sizeof *known_ids; i++)
    if (!(held & known_ids[i].bit) && ((facts->known & known_ids[i].bit) != 0) == known &&
        (divergent || known_ids[i].bit != CT_KNOWN_DISTANCES || known))
      json_array_append_new(list, json_string(known_ids[i].id));
  return list;
}

static json_t *angles_object(const ct_geometry *g) {
  json_t *object = json_object();
  json_object_set_new(object, "first", json_real(g->angles[0] * degrees));
  json_object_set_new(object, "last", json_real(g->angles[g->views - 1] * degrees));
  json_object_set_new(object, "arc", json_real(ct_geometry_arc(g) * degrees));
  return object;
}

/* What was read from where, assumed, not used, or is doubtful. */
static json_t *remark_list(const ct_remarks *remarks, ct_remark_kind kind) {
  json_t *list = json_array();
  for (int i = 0; remarks && i < remarks->count; i++) {
    if (remarks->items[i].kind != kind) continue;
    json_t *one = json_object();
    json_object_set_new(one, "from", gantry_json_text(remarks->items[i].from));
    json_object_set_new(one, "text", gantry_json_text(remarks->items[i].text));
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *scan_object(const char *path, const ct_scan_facts *facts) {
  const ct_geometry *g = &facts->geometry;
  const bool divergent = ct_geometry_takes(g, CT_TAKES_DISTANCES);
  json_t *root = json_object(), *grid = json_object();
  json_object_set_new(root, "kind", json_string("scan"));
  json_object_set_new(root, "path", gantry_json_text(path));
  json_object_set_new(root, "format", gantry_json_text(facts->format));
  json_object_set_new(root, "dataset", gantry_json_text(facts->dataset));
  json_object_set_new(root, "bytes", json_integer((json_int_t)facts->bytes));
  json_object_set_new(root, "columns", json_integer(g->nu));
  json_object_set_new(root, "rows", json_integer(g->nv));
  json_object_set_new(root, "views", json_integer(g->views));
  json_object_set_new(root, "layout", json_string(ct_choice_id(ct_layout_choices, (int)facts->layout)));
  json_object_set_new(root, "flats", json_integer(facts->flats));
  json_object_set_new(root, "darks", json_integer(facts->darks));
  json_object_set_new(root, "values", json_string(values_id(facts->values)));
  json_object_set_new(root, "values_stated", json_boolean(!facts->values_why));
  json_object_set_new(root, "values_doubt", gantry_json_text(facts->values_doubt));
  json_object_set_new(root, "beam", json_string(ct_beam_id(g->beam)));
  json_object_set_new(root, "pixel_mm", facts->known & CT_KNOWN_PITCH ? json_pack("[f,f]", g->du, g->dv) : json_null());
  json_object_set_new(root, "sod_mm", divergent ? gantry_json_real(g->sod) : json_null());
  json_object_set_new(root, "sdd_mm", divergent ? gantry_json_real(g->sdd) : json_null());
  json_object_set_new(root, "centre_u", gantry_json_real(g->centre_u));
  json_object_set_new(root, "centre_v", gantry_json_real(g->centre_v));
  json_object_set_new(root, "tilt_deg", gantry_json_real(g->tilt * degrees));
  json_object_set_new(root, "feed_mm", g->feed != 0 ? gantry_json_real(g->feed) : json_null());
  json_object_set_new(root, "start_z_mm", g->feed != 0 ? gantry_json_real(ct_geometry_height(g, 0)) : json_null());
  json_object_set_new(root, "angles_deg",
                      g->angles && ct_geometry_takes(g, CT_TAKES_ANGLES) ? angles_object(g) : json_null());
  json_object_set_new(root, "known", known_list(facts, true));
  json_object_set_new(root, "assumed", known_list(facts, false));
  json_object_set_new(root, "note", gantry_json_text(facts->note));
  const ct_named_scale *scale = &facts->scale;
  json_object_set_new(root, CT_VALUE_SCALE_KEY,
                      scale->unit[0] ? json_pack("[f,f,s]", scale->scale.factor, scale->scale.offset, scale->unit)
                                     : json_null());
  json_object_set_new(root, "read", remark_list(facts->remarks, CT_REMARK_READ));
  json_object_set_new(root, "assumptions", remark_list(facts->remarks, CT_REMARK_ASSUMED));
  json_object_set_new(root, "ignored", remark_list(facts->remarks, CT_REMARK_IGNORED));
  json_object_set_new(root, "warnings", remark_list(facts->remarks, CT_REMARK_DOUBT));
  if (ct_geometry_check(g, NULL)) {
    const ct_grid natural = ct_grid_natural(g);
    gantry_json_add_grid(grid, &natural);
  }
  json_object_set_new(root, "volume", grid);
  return root;
}

static const char *origin_of(const ct_scan_facts *facts, unsigned bit) {
  return facts->known & bit ? "" : " (assumed; the file does not tell)";
}

static void print_geometry(const ct_scan_facts *facts) {
  const ct_geometry *g = &facts->geometry;
  char a[64], b[64], c[64];
  bool repeated;
  const double arc = ct_geometry_told_arc(g, &repeated) * degrees;
  cli_print_fact("beam", "%s%s", ct_geometry_title(g), origin_of(facts, CT_KNOWN_BEAM));
  if (g->angles && ct_geometry_takes(g, CT_TAKES_ANGLES))
    cli_print_fact("angles", "%s to %s, an arc of %s%s%s",
                   ct_format_quantity(g->angles[0] * degrees, 6, "°", a, sizeof a),
                   ct_format_quantity(g->angles[g->views - 1] * degrees, 6, "°", b, sizeof b),
                   ct_format_quantity(arc, 6, "°", c, sizeof c),
                   repeated ? " with the first view repeated at the end" : "", origin_of(facts, CT_KNOWN_ANGLES));
  ct_plan silent;
  ct_plan_init(&silent);
  const bool in_pixels = ct_plan_in_pixels(&silent, facts->known, g->beam);
  if (in_pixels)
    cli_print_fact("pixel", "not known: lengths are in px and values in 1/px; geometry.pixel_u tells it, in mm");
  else
    cli_print_fact("pixel", "%s x %s%s", ct_format_quantity(g->du, 5, "mm", a, sizeof a),
                   ct_format_quantity(g->dv, 5, "mm", b, sizeof b), origin_of(facts, CT_KNOWN_PITCH));
  if (ct_geometry_takes(g, CT_TAKES_DISTANCES))
    cli_print_fact("distances", "source to axis %s, source to detector %s%s",
                   ct_format_quantity(g->sod, 7, "mm", a, sizeof a), ct_format_quantity(g->sdd, 7, "mm", b, sizeof b),
                   origin_of(facts, CT_KNOWN_DISTANCES));
  if (ct_geometry_takes(g, CT_TAKES_CENTRE))
    cli_print_fact("centre", "column %s, row %s%s", ct_format_number(g->centre_u, 7, a, sizeof a),
                   ct_format_number(g->centre_v, 7, b, sizeof b), origin_of(facts, CT_KNOWN_CENTRE));
  if (g->feed != 0)
    cli_print_fact("feed", "%s a turn, a pitch of %s, the first source at z = %s",
                   ct_format_quantity(g->feed, 5, "mm", a, sizeof a),
                   ct_format_number(ct_spiral_pitch(g), 3, b, sizeof b),
                   ct_format_quantity(ct_geometry_height(g, 0), 5, "mm", c, sizeof c));
  if (g->tilt != 0) cli_print_fact("tilt", "%s", ct_format_quantity(g->tilt * degrees, 4, "°", a, sizeof a));
  if (!ct_geometry_check(g, NULL)) return;
  const ct_grid grid = ct_grid_natural(g);
  cli_print_fact("volume", "%d x %d x %d voxels of %s by default", grid.nx, grid.ny, grid.nz,
                 ct_format_quantity(grid.dx, 5, ct_units_of(in_pixels).length, a, sizeof a));
}

static void print_scan(const char *path, const ct_scan *scan) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_geometry *g = &facts->geometry;
  char a[64], shown[CT_SHOWN];
  printf("%s: a scan\n", ct_shown(path, shown, sizeof shown));
  cli_print_fact("format", "%s%s%s%s%s", facts->format ? facts->format : "unknown", facts->dataset ? ", " : "",
                 facts->dataset ? facts->dataset : "", facts->bytes ? ", " : "",
                 facts->bytes ? ct_format_bytes((double)facts->bytes, a, sizeof a) : "");
  cli_print_fact("views", "%d of %d x %d pixels%s", g->views, g->nu, g->nv,
                 facts->layout == CT_LAYOUT_SINOGRAMS ? ", out of sinograms: rows of pictures are angles" : "");
  if (ct_scan_layout_is_open(scan))
    cli_print_fact("question",
                   "one picture: are its rows angles (--layout sinograms: %d views), or is it one projection "
                   "(--layout projections)?",
                   g->nv);
  if (facts->flats || facts->darks)
    cli_print_fact("flat fields", "%d flats, %d darks", facts->flats, facts->darks);
  else
    cli_print_fact("flat fields", "none");
  cli_print_fact("values", "%s%s%s%s", values_id(facts->values), facts->values_why ? " (not stated: " : "",
                 facts->values_why ? facts->values_why : "", facts->values_why ? ")" : "");
  if (facts->values_doubt) cli_print_fact("warning", "%s", facts->values_doubt);
  print_geometry(facts);
  if (facts->note) cli_print_fact("note", "%s", facts->note);
  for (ct_remark_kind kind = 0; kind < CT_REMARK_KINDS; kind++)
    for (int i = 0; facts->remarks && i < facts->remarks->count; i++) {
      const ct_remark *r = &facts->remarks->items[i];
      if (r->kind == kind)
        cli_print_fact(ct_remark_kind_id(kind), "%s%s%s", r->from ? r->from : "", r->from ? ": " : "", r->text);
    }
}

bool cli_info_of_scan(const char *path, ct_scan *scan, bool json, ct_error **error) {
  if (json) return gantry_json_print(scan_object(path, ct_scan_get_facts(scan)), error);
  print_scan(path, scan);
  return true;
}
