/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reference count round ct_scan. */
#include "app/scan.h"

#include "app/example.h"
#include "recon/geom/questions.h"
#include "recon/io/io.h"

#include <math.h>

struct _GantryScan {
  gint references;
  ct_scan *scan;
  char *name, *description;
  gboolean example;
};

GantryScan *gantry_scan_new(ct_scan *scan, const char *name) {
  GantryScan *self = g_new0(GantryScan, 1);
  self->references = 1;
  self->scan = scan;
  self->name = g_utf8_make_valid(name, -1);
  return self;
}

GantryScan *gantry_scan_ref(GantryScan *scan) {
  g_atomic_int_inc(&scan->references);
  return scan;
}

void gantry_scan_unref(GantryScan *scan) {
  if (!g_atomic_int_dec_and_test(&scan->references)) return;
  ct_scan_free(scan->scan);
  g_free(scan->name);
  g_free(scan->description);
  g_free(scan);
}

GantryScan *gantry_scan_open(const char *path, const char *description, ct_job *job, ct_error **error) {
  ct_scan *scan = path ? ct_scan_open(path, description, error) : gantry_example_scan(job, error);
  if (!scan) return NULL;
  GantryScan *self = gantry_scan_new(scan, ct_scan_get_name(scan));
  self->example = !path;
  self->description = g_strdup(description);
  return self;
}

const char *gantry_scan_get_description(GantryScan *scan) {
  return scan->description;
}

gboolean gantry_scan_is_example(GantryScan *scan) {
  return scan->example;
}

ct_scan *gantry_scan_get(GantryScan *scan) {
  return scan->scan;
}

const ct_scan_facts *gantry_scan_get_facts(GantryScan *scan) {
  return ct_scan_get_facts(scan->scan);
}

const char *gantry_scan_get_name(GantryScan *scan) {
  return scan->name;
}

char *gantry_scan_dup_subtitle(GantryScan *scan, const ct_plan *plan) {
  const ct_geometry *geometry = &gantry_scan_get_facts(scan)->geometry;
  ct_geometry used;
  ct_beam beam = ct_plan_beam(plan, geometry->beam, gantry_scan_get_facts(scan)->known, geometry->nv);
  if (ct_plan_geometry(plan, scan->scan, &used, NULL)) {
    beam = used.beam;
    ct_geometry_clear(&used);
  }
  const gboolean assumed = ct_plan_beam_is_assumed(plan, gantry_scan_get_facts(scan)->known);
  return g_strdup_printf("%s%s · %d view%s of %d × %d", ct_beam_title(beam), assumed ? " (assumed)" : "",
                         geometry->views, geometry->views == 1 ? "" : "s", geometry->nu, geometry->nv);
}

gboolean gantry_scan_lacks_distances(GantryScan *scan, const ct_plan *plan) {
  const ct_scan_facts *facts = gantry_scan_get_facts(scan);
  const ct_geometry *told = &facts->geometry;
  if (!ct_beam_takes(ct_plan_beam(plan, told->beam, facts->known, told->nv), CT_TAKES_DISTANCES)) return FALSE;
  const double sod = isnan(plan->sod) ? told->sod : plan->sod, sdd = isnan(plan->sdd) ? told->sdd : plan->sdd;
  return !(sod > 0) || !(sdd > 0);
}
