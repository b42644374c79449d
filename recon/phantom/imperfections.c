/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan of a phantom, from paths through each of its materials to line integrals or counts. */
#include "recon/phantom/imperfections.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/phantom/blur-private.h"
#include "recon/phantom/detector-private.h"
#include "recon/phantom/object.h"
#include "recon/phantom/spectrum.h"

#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <string.h>

#define ROW_OF(member, id, unit, low, high, least, reach, title, explanation, counts)                                  \
  {id, unit, title, explanation, low, high, least, reach, offsetof(ct_imperfections, member), counts},
#define ROW(...) ROW_OF(__VA_ARGS__, false)
#define DETECTOR(...) ROW_OF(__VA_ARGS__, true)
static const ct_imperfection rows[] = {CT_IMPERFECTIONS(ROW, DETECTOR)};
enum { ROWS = sizeof rows / sizeof *rows };

const ct_imperfection *ct_imperfection_rows(size_t *count) {
  *count = ROWS;
  return rows;
}

static double value_of(const ct_imperfections *o, const ct_imperfection *row) {
  return *(const double *)((const char *)o + row->offset);
}

bool ct_imperfection_matters(const ct_imperfections *o, const ct_imperfection *row, ct_beam beam, bool phantom) {
  if (row->offset == offsetof(ct_imperfections, focal_spot) && ct_beam_promises(beam, CT_TRAIT_PARALLEL)) return false;
  if (row->offset == offsetof(ct_imperfections, motion) && !phantom) return false;
  const bool filter =
      row->offset == offsetof(ct_imperfections, aluminium) || row->offset == offsetof(ct_imperfections, copper);
  return !filter || o->kilovolts > 0;
}

int ct_imperfections_cut(const ct_imperfections *o, int nu) {
  const double cut = fmin(fmax(o->truncation, 0), 1) * nu / 2;
  return (int)fmin(rint(cut), (nu - 1) / 2);
}

/* Filters are nothing by themselves, a truncated detector measures exactly. */
bool ct_imperfections_any(const ct_imperfections *o) {
  ct_imperfections rest = *o;
  rest.photons = rest.aluminium = rest.copper = rest.truncation = 0;
  bool any = o->counts;
  for (int n = 0; n < ROWS; n++) any = any || value_of(&rest, &rows[n]) != 0;
  return any;
}

bool ct_imperfections_check(const ct_imperfections *o, const ct_geometry *g, ct_error **error) {
  for (int n = 0; n < ROWS; n++) {
    const double value = value_of(o, &rows[n]);
    if (!(value >= rows[n].low && value <= rows[n].high))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "%s (%s) must lie in %g..%g, not at %g.", rows[n].title,
                          rows[n].unit, rows[n].low, rows[n].high, value);
    if (rows[n].counts && value > 0 && !o->counts)
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "%s: a fault of the detector, which line integrals do not show. Simulate raw counts.",
                          rows[n].title);
  }
  if (o->focal_spot > 0 && ct_geometry_promises(g, CT_TRAIT_PARALLEL))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "Parallel beam has no focal spot: leave it at 0.");
  ct_spectrum spectrum;
  return !(o->kilovolts > 0) || ct_spectrum_init(&spectrum, o->kilovolts, o->aluminium, o->copper, error);
}

static ct_material material_of(const ct_phantom *phantom, size_t shape) {
  return phantom->materials ? phantom->materials[shape] : CT_MATERIAL_WATER;
}

/* The materials of a phantom; returns their number. */
static int materials_of(const ct_phantom *phantom, ct_material materials[CT_MATERIAL_COUNT]) {
  int count = 0;
  for (int m = 0; m < CT_MATERIAL_COUNT; m++)
    for (size_t s = 0; s < phantom->count; s++)
      if (material_of(phantom, s) == (ct_material)m) {
        materials[count++] = (ct_material)m;
        break;
      }
  return count;
}

int ct_imperfections_stacks(const ct_imperfections *o, const ct_phantom *phantom) {
  ct_material materials[CT_MATERIAL_COUNT];
  return o->kilovolts > 0 ? materials_of(phantom, materials) : 1;
}

/* Paths through one material, or all (CT_MATERIAL_COUNT). */
static ct_stack *project_material(const ct_phantom_scan_request *r, ct_material material, ct_job *job,
                                  ct_error **error) {
  const ct_phantom *whole = r->phantom;
  if (r->object) return ct_object_project(r->object, r->geometry, job, error);
  ct_shape *shapes = ct_alloc(whole->count, sizeof *shapes, "the shapes of the phantom", error);
  ct_phantom part = *whole;
  if (!shapes) return NULL;
  part.shapes = shapes;
  part.count = 0;
  for (size_t s = 0; s < whole->count; s++)
    if (material == CT_MATERIAL_COUNT || material_of(whole, s) == material) shapes[part.count++] = whole->shapes[s];
  const ct_phantom_rays rays = {.phantom = &part,
                                .radius = r->radius,
                                .mu = r->mu,
                                .geometry = r->geometry,
                                .curved = r->curved,
                                .sub = r->sub,
                                .motion = r->imperfections->motion};
  ct_stack *stack = ct_phantom_project_rays(&rays, job, error);
  ct_free(shapes);
  return stack;
}

/* Paths, of which the first stack takes the signal that they leave. */
static void harden(const ct_spectrum *spectrum, const ct_material *materials, ct_stack *const *paths, int count) {
  const size_t pixels = (size_t)ct_stack_nu(paths[0]) * (size_t)ct_stack_nv(paths[0]);
#pragma omp parallel for schedule(dynamic, 1) num_threads(ct_thread_count())
  for (int view = 0; view < ct_stack_views(paths[0]); view++)
    for (size_t i = 0; i < pixels; i++) {
      double p[CT_MATERIAL_COUNT];
      bool any = false;
      for (int m = 0; m < count; m++) {
        p[m] = (double)ct_stack_get_view(paths[m], view)[i];
        any = any || p[m] != 0;
      }
      ct_stack_view(paths[0], view)[i] = any ? (float)ct_spectrum_transmission(spectrum, materials, p, count) : 1.0f;
    }
}

static void attenuate(ct_stack *stack) {
  const size_t pixels = (size_t)ct_stack_nu(stack) * (size_t)ct_stack_nv(stack);
#pragma omp parallel for schedule(static) num_threads(ct_thread_count())
  for (int view = 0; view < ct_stack_views(stack); view++) {
    float *data = ct_stack_view(stack, view);
    for (size_t i = 0; i < pixels; i++) data[i] = (float)exp(-(double)data[i]);
  }
}

/* The signal behind the object. */
static ct_stack *project_signal(const ct_phantom_scan_request *r, ct_job *job, ct_error **error) {
  const ct_imperfections *o = r->imperfections;
  ct_material materials[CT_MATERIAL_COUNT];
  ct_stack *paths[CT_MATERIAL_COUNT] = {NULL};
  ct_spectrum spectrum;
  const bool spectral = o->kilovolts > 0;
  if (spectral && !ct_spectrum_init(&spectrum, o->kilovolts, o->aluminium, o->copper, error)) return NULL;
  int count = 1;
  if (r->object)
    materials[0] = CT_MATERIAL_WATER;
  else if (spectral)
    count = materials_of(r->phantom, materials);
  bool good = true;
  for (int m = 0; good && m < count; m++)
    good = (paths[m] = project_material(r, spectral ? materials[m] : CT_MATERIAL_COUNT, job, error)) != NULL;
  if (good && spectral)
    harden(&spectrum, materials, paths, count);
  else if (good)
    attenuate(paths[0]);
  for (int m = good ? 1 : 0; m < count; m++) ct_stack_free(paths[m]);
  return good ? paths[0] : NULL;
}

typedef struct blurs {
  ct_blur focus[2], detector;
  int half[2]; /* of the running means of scatter */
  double scatter;
} blurs;

/* The focal spot's shadow of the axis' plane on the detector is spot (sdd - sod) / sod wide. Scatter is blurred with a
 * standard deviation of a sixth of the detector: three means over 2 h + 1 pixels have (2 h + 1) / 2. */
static blurs blurs_of(const ct_phantom_scan_request *r) {
  const ct_geometry *g = r->geometry;
  const ct_imperfections *o = r->imperfections;
  const double spot = o->focal_spot > 0 ? o->focal_spot * (g->sdd - g->sod) / g->sod : 0;
  return (blurs){.focus = {ct_blur_box(spot / g->du), ct_blur_box(spot / g->dv)},
                 .detector = ct_blur_gaussian(o->blur),
                 .half = {g->nu / 6, g->nv / 6},
                 .scatter = o->scatter};
}

/* Scattered once, radiation starts where the beam is weakened: it goes as the signal times the line integral. */
static void add_scatter(const blurs *b, float *image, int nu, int nv, float *room, double *line) {
  const size_t pixels = (size_t)nu * (size_t)nv;
  double primary = 0, scattered = 0;
  for (size_t i = 0; i < pixels; i++) {
    const double signal = (double)image[i];
    room[i] = signal > 0 ? (float)(-signal * log(signal)) : 0;
    primary += signal;
  }
  ct_blur_wide(room, nu, nv, b->half[0], b->half[1], line);
  for (size_t i = 0; i < pixels; i++) scattered += (double)room[i];
  if (!(scattered > 0)) return;
  const double factor = b->scatter * primary / scattered;
  for (size_t i = 0; i < pixels; i++) image[i] += (float)(factor * (double)room[i]);
}

static bool blur_all(const ct_phantom_scan_request *r, ct_stack *signal, ct_error **error) {
  const blurs b = blurs_of(r);
  const int nu = r->geometry->nu, nv = r->geometry->nv, threads = ct_thread_count();
  const size_t length = (size_t)(nu > nv ? nu : nv) + 2 * CT_BLUR_REACH, pixels = (size_t)nu * (size_t)nv;
  const bool scatters = b.scatter > 0;
  if (!scatters && !b.focus[0].reach && !b.focus[1].reach && !b.detector.reach) return true;
  double *lines = ct_alloc(length * (size_t)threads, sizeof *lines, "the blur", error);
  float *rooms = ct_alloc(scatters ? pixels * (size_t)threads : 1, sizeof *rooms, "the scatter", error);
  if (lines && rooms) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int view = 0; view < r->geometry->views; view++) {
      const size_t thread = (size_t)omp_get_thread_num();
      float *image = ct_stack_view(signal, view);
      double *line = lines + thread * length;
      ct_blur_apply(&b.focus[0], &b.focus[1], image, nu, nv, line);
      if (scatters) add_scatter(&b, image, nu, nv, rooms + thread * pixels, line);
      ct_blur_apply(&b.detector, &b.detector, image, nu, nv, line);
    }
  }
  const bool good = lines && rooms;
  ct_free(lines);
  ct_free(rooms);
  return good;
}

/* Each view keeps a share of the one before it, which kept a share of that before. */
static void lag_behind(double lag, ct_stack *signal) {
  const ptrdiff_t pixels = (ptrdiff_t)ct_stack_nu(signal) * ct_stack_nv(signal);
  const int views = ct_stack_views(signal);
#pragma omp parallel for schedule(static) num_threads(ct_thread_count())
  for (ptrdiff_t i = 0; i < pixels; i++)
    for (int view = 1; view < views; view++) {
      float *now = ct_stack_view(signal, view) + i;
      *now = (float)((1 - lag) * (double)*now + lag * (double)ct_stack_get_view(signal, view - 1)[i]);
    }
}

/* The geometry as the scan tells it. */
static bool tell_geometry(const ct_phantom_scan_request *r, ct_geometry *told, ct_error **error) {
  if (!ct_geometry_copy(told, r->geometry, error)) return false;
  told->centre_u += r->imperfections->centre_error;
  told->tilt += r->imperfections->tilt_error * M_PI / 180;
  return true;
}

ct_scan *ct_phantom_scan(const ct_phantom_scan_request *r, ct_job *job, ct_error **error) {
  const ct_imperfections *o = r->imperfections;
  ct_geometry told;
  ct_scan *scan = NULL;
  if (!ct_imperfections_check(o, r->geometry, error)) return NULL;
  if (r->object && o->motion != 0) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "Only phantoms can move: leave the motion of a volume at 0.");
    return NULL;
  }
  if (r->object && r->curved) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "Only phantoms are simulated on curved detectors: take a flat one.");
    return NULL;
  }
  ct_stack *flats = NULL, *darks = NULL,
           *signal = ct_imperfections_any(o) ? project_signal(r, job, error)
                                             : project_material(r, CT_MATERIAL_COUNT, job, error);
  if (!signal) return NULL;
  bool good = true;
  if (!ct_imperfections_any(o)) {
    if (o->photons > 0) ct_add_photon_noise(signal, o->photons, o->seed);
  } else {
    good = blur_all(r, signal, error);
    if (good && o->lag > 0) lag_behind(o->lag, signal);
    if (good && o->counts)
      good = ct_record_counts(o, signal, &flats, &darks, error);
    else if (good)
      ct_record_integrals(o, signal);
  }
  if (good && tell_geometry(r, &told, error)) {
    scan = ct_scan_new_frames(&told, signal, flats, darks, o->counts ? CT_VALUES_COUNTS : CT_VALUES_LINE_INTEGRALS,
                              r->title, error);
    if (scan) ct_scan_take_shape(scan, r->curved ? CT_SHAPE_CURVED : CT_SHAPE_FLAT);
    ct_geometry_clear(&told);
    return scan;
  }
  ct_stack_free(signal);
  ct_stack_free(flats);
  ct_stack_free(darks);
  return NULL;
}
