/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reference count round ct_scan. */
#include "app/scan.h"

#include "app/example.h"
#include "app/object.h"
#include "recon/geom/questions.h"
#include "recon/io/io.h"
#include "ui/shown.h"

#include <math.h>

#define REFERENCE "/reference/"

typedef struct GantryObject GantryObject;

struct _GantryScan {
  gint references;
  ct_scan *scan;
  char *name, *description, *file;
  GArray *stored; /* of int: edges of the volumes stored beside the projections, in their order; NULL: none */
  gboolean example, simulated;
  ct_simulation simulation; /* its object is `object` */
  GantryObject *object;     /* NULL: a phantom, or a scan of files */
};

/* Shared by the scans that are simulated of it. */
struct GantryObject {
  gint references;
  char *path;
  ct_volume *volume;
};

static void object_unref(GantryObject *object) {
  if (!object || !g_atomic_int_dec_and_test(&object->references)) return;
  ct_volume_free(object->volume);
  g_free(object->path);
  g_free(object);
}

GantryScan *gantry_scan_new(ct_scan *scan, const char *name) {
  GantryScan *self = g_new0(GantryScan, 1);
  self->references = 1;
  self->scan = scan;
  self->name = gantry_shown(name);
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
  g_free(scan->file);
  g_clear_pointer(&scan->stored, g_array_unref);
  object_unref(scan->object);
  g_free(scan);
}

/* Cubes called /reference/EDGE, as files of projections that are filtered already hold them. */
static GArray *list_references(const ct_scan_facts *facts) {
  ct_dataset_list list;
  if (facts->values != CT_VALUES_FILTERED || !ct_file_list_datasets(facts->path, false, &list, NULL)) return NULL;
  GArray *edges = g_array_new(FALSE, FALSE, sizeof(int));
  for (size_t i = 0; i < list.count; i++) {
    const ct_dataset *d = &list.items[i];
    const int edge = d->rank == 3 && d->dims[0] <= G_MAXINT ? (int)d->dims[0] : 0;
    g_autofree char *name = g_strdup_printf(REFERENCE "%d", edge);
    if (edge > 0 && g_str_equal(d->path, name)) g_array_append_val(edges, edge);
  }
  ct_dataset_list_clear(&list);
  if (edges->len) return edges;
  g_array_unref(edges);
  return NULL;
}

GantryScan *gantry_scan_open(const char *path, const char *description, ct_job *job, ct_error **error) {
  ct_scan *scan = path ? ct_scan_open_job(path, description, job, error) : gantry_example_scan(job, error);
  if (!scan) return NULL;
  GantryScan *self = gantry_scan_new(scan, ct_scan_get_name(scan));
  self->example = self->simulated = !path;
  if (!path) ct_simulation_init(&self->simulation);
  self->description = g_strdup(description);
  if (path) self->stored = list_references(ct_scan_get_facts(scan));
  return self;
}

gboolean gantry_scan_has_reference(GantryScan *scan) {
  return scan->stored != NULL;
}

char *gantry_scan_dup_reference(GantryScan *scan, int edge) {
  int best = 0;
  for (guint i = 0; scan->stored && i < scan->stored->len; i++) {
    const int each = g_array_index(scan->stored, int, i);
    if (!best || ABS(each - edge) < ABS(best - edge)) best = each;
  }
  return best ? g_strdup_printf("%s::" REFERENCE "%d", gantry_scan_get_facts(scan)->path, best) : NULL;
}

/* Simulated */

static char *name_of(const ct_simulation *simulation, const GantryObject *object) {
  return object ? gantry_shown_name(object->path) : g_strdup(simulation->phantom->title);
}

/* Takes a reference of the object. */
static GantryScan *simulate(const ct_simulation *simulation, GantryObject *object, ct_job *job, ct_error **error) {
  g_autofree char *name = name_of(simulation, object);
  ct_simulation whole = *simulation;
  whole.object = object ? object->volume : NULL;
  ct_scan *scan = ct_simulate(&whole, name, job, error);
  if (!scan) return NULL;
  GantryScan *self = gantry_scan_new(scan, name);
  self->simulated = TRUE;
  self->simulation = whole;
  self->object = object;
  if (object) g_atomic_int_inc(&object->references);
  return self;
}

static GantryObject *read_object(const char *path, const ct_simulation *simulation, ct_job *job, ct_error **error) {
  ct_volume *volume = gantry_object_read(path, false, simulation, job, error);
  if (!volume) return NULL;
  GantryObject *object = g_new0(GantryObject, 1);
  *object = (GantryObject){1, g_strdup(path), volume};
  return object;
}

GantryScan *gantry_scan_simulate(const ct_simulation *simulation, const char *path, ct_job *job, ct_error **error) {
  GantryObject *object = path ? read_object(path, simulation, job, error) : NULL;
  GantryScan *scan = path && !object ? NULL : simulate(simulation, object, job, error);
  object_unref(object);
  return scan;
}

GantryScan *gantry_scan_simulate_anew(GantryScan *scan, const ct_simulation *simulation, ct_job *job,
                                      ct_error **error) {
  return simulate(simulation, scan->object, job, error);
}

const ct_simulation *gantry_scan_get_simulation(GantryScan *scan) {
  return scan->simulated ? &scan->simulation : NULL;
}

const char *gantry_scan_get_object(GantryScan *scan) {
  return scan->object ? scan->object->path : NULL;
}

const char *gantry_scan_get_file(GantryScan *scan) {
  if (scan->simulated) return scan->file;
  const char *path = gantry_scan_get_facts(scan)->path;
  return path && *path ? path : NULL;
}

void gantry_scan_note_file(GantryScan *scan, const char *path) {
  g_free(scan->file);
  scan->file = g_canonicalize_filename(path, NULL);
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
  const char *title =
      ct_beam_title(ct_plan_beam(plan, geometry->beam, gantry_scan_get_facts(scan)->known, geometry->nv));
  if (ct_plan_geometry(plan, scan->scan, &used, NULL)) {
    title = ct_geometry_title(&used);
    ct_geometry_clear(&used);
  }
  const gboolean assumed = ct_plan_beam_is_assumed(plan, gantry_scan_get_facts(scan)->known);
  return g_strdup_printf("%s%s · %d view%s of %d × %d", title, assumed ? " (assumed)" : "", geometry->views,
                         geometry->views == 1 ? "" : "s", geometry->nu, geometry->nv);
}

gboolean gantry_scan_lacks_distances(GantryScan *scan, const ct_plan *plan) {
  const ct_scan_facts *facts = gantry_scan_get_facts(scan);
  const ct_geometry *told = &facts->geometry;
  if (!ct_beam_takes(ct_plan_beam(plan, told->beam, facts->known, told->nv), CT_TAKES_DISTANCES)) return FALSE;
  const double sod = isnan(plan->sod) ? told->sod : plan->sod, sdd = isnan(plan->sdd) ? told->sdd : plan->sdd;
  return !(sod > 0) || !(sdd > 0);
}
