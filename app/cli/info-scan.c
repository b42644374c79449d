/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts of a scan: what the file tells, what is assumed, and the volume that would come of it. */
#include "app/cli/cli.h"
#include "app/cli/info.h"
#include "app/json.h"
#include "app/scan-facts.h"
#include "recon/base/shown.h"
#include "recon/data/values.h"
#include "recon/geom/grid.h"
#include "recon/geom/questions.h"

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

static json_t *angles_object(const ct_geometry *g, double arc) {
  json_t *object = json_object();
  json_object_set_new(object, "first", json_real(g->angles[0] * degrees));
  json_object_set_new(object, "last", json_real(g->angles[g->views - 1] * degrees));
  json_object_set_new(object, "arc", json_real(arc * degrees));
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

static json_t *scan_object(const char *path, const ct_scan_facts *facts, double arc) {
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
  json_object_set_new(root, "samples_doubt", gantry_json_text(ct_scan_facts_samples_doubt(facts, facts->values)));
  json_object_set_new(root, "beam", json_string(ct_beam_id(g->beam)));
  json_object_set_new(root, "pixel_mm", facts->known & CT_KNOWN_PITCH ? json_pack("[f,f]", g->du, g->dv) : json_null());
  json_object_set_new(root, "sod_mm", divergent ? gantry_json_real(g->sod) : json_null());
  json_object_set_new(root, "sdd_mm", divergent ? gantry_json_real(g->sdd) : json_null());
  json_object_set_new(root, "centre_u", gantry_json_real(g->centre_u));
  json_object_set_new(root, "centre_v", gantry_json_real(g->centre_v));
  json_object_set_new(root, "tilt_deg", gantry_json_real(g->tilt * degrees));
  json_object_set_new(root, "feed_mm", g->feed != 0 && !g->stops ? gantry_json_real(g->feed) : json_null());
  json_object_set_new(root, "table_step_mm", g->stops ? gantry_json_real(g->feed) : json_null());
  json_object_set_new(root, "start_z_mm", g->feed != 0 ? gantry_json_real(ct_geometry_height(g, 0)) : json_null());
  json_object_set_new(root, "angles_deg",
                      g->angles && ct_geometry_takes(g, CT_TAKES_ANGLES) ? angles_object(g, arc) : json_null());
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

static void print_fact(void *user, const char *name, const char *text) {
  const char *advice = cli_advice(text, false);
  cli_print_fact(name, "%s%s%s", text, advice ? " " : "", advice ? advice : "");
}

static bool print_scan(const char *path, const ct_scan *scan) {
  char shown[CT_SHOWN];
  printf("%s: a scan\n", ct_shown(path, shown, sizeof shown));
  return gantry_scan_list_facts(scan, print_fact, NULL);
}

bool cli_info_of_scan(const char *path, ct_scan *scan, bool json, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const double arc = json ? ct_geometry_arc(&facts->geometry) : 0;
  if (isnan(arc) || (!json && !print_scan(path, scan)))
    return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to tell the arc of %s.", path);
  return !json || gantry_json_print(scan_object(path, facts, arc), error);
}
