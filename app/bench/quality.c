/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the short cuts of the GPU kernels do to the picture, after Chilingaryan et al. (2019), Figs. 7, 8, 18 and 19:
 * one slice with half precision, nearest neighbour, four samples a bin and the texture unit's positions against linear
 * interpolation by arithmetic in single precision; and the values along one line of each. */
#include "app/bench/suites-private.h"
#include "app/example.h"
#include "recon/base/text-stream.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/geom/questions.h"
#include "recon/metric/metric.h"
#include "recon/solve/pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name, *kernel;
  ct_interp interp;
  ct_precision precision;
} ways[] = {
    {"linear", "gl-cache-1", CT_INTERP_LINEAR, CT_PRECISION_FLOAT32}, /* what the others are compared with */
    {"texture", "gl-slices-1", CT_INTERP_LINEAR, CT_PRECISION_FLOAT32},
    {"half", "gl-cache-1", CT_INTERP_LINEAR, CT_PRECISION_FLOAT16},
    {"half-processor", "half-4", CT_INTERP_LINEAR, CT_PRECISION_FLOAT16},
    {"nearest", "gl-cache-1", CT_INTERP_NEAREST, CT_PRECISION_FLOAT32},
    {"oversampled", "gl-cache-1", CT_INTERP_OVERSAMPLED, CT_PRECISION_FLOAT32},
};
enum { WAYS = sizeof ways / sizeof *ways, PHANTOM_SIDE = 512 };

typedef struct pictures {
  const char *problem;
  bool unshrunk; /* --size does not make it smaller */
  ct_grid grid;  /* of one slice */
  int views;
  float *way[WAYS];
  ct_volume *phantom; /* NULL: the truth is not known */
} pictures;

static void clear(pictures *p) {
  for (int n = 0; n < WAYS; n++) ct_free(p->way[n]);
  ct_volume_free(p->phantom);
}

static bool make_picture(bench *b, ct_pipeline *pipeline, int n, pictures *p, ct_error **error) {
  ct_plan plan;
  ct_plan_init(&plan);
  snprintf(plan.kernel, sizeof plan.kernel, "%s", ways[n].kernel);
  plan.interp = (int)ways[n].interp;
  plan.precision = (int)ways[n].precision;
  plan.threads = b->options.threads;
  plan.mask = 1;
  /* Refuses a kernel that does not serve; a slice alone would take another one. */
  if (!ct_pipeline_prepare(pipeline, &plan, b->job, error)) return false;
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  const int middle = facts->grid.nz / 2;
  p->views = facts->geometry->views;
  p->grid = facts->grid;
  p->grid.z0 += middle * p->grid.dz;
  p->grid.nz = 1;
  p->way[n] = ct_alloc(ct_grid_voxels(&p->grid), sizeof(float), "a slice", error);
  return p->way[n] && ct_pipeline_slice(pipeline, &plan, CT_AXIAL, middle, p->way[n], b->job, error);
}

static bool tell(bench *b, const pictures *p, int n, ct_error **error) {
  const int nx = p->grid.nx, ny = p->grid.ny;
  ct_metrics m, truth = {.rmse = NAN};
  if (!ct_compare(&(ct_comparison){.a = p->way[n], .b = p->way[0], .nx = nx, .ny = ny, .nz = 1, .peak = NAN}, &m, NULL,
                  error))
    return false;
  if (p->phantom &&
      !ct_compare(
          &(ct_comparison){
              .a = p->way[n], .b = ct_volume_get_data(p->phantom), .nx = nx, .ny = ny, .nz = 1, .peak = NAN},
          &truth, NULL, error))
    return false;
  bench_row row = {.kernel = ways[n].kernel,
                   .problem = p->problem,
                   .precision = ct_precision_id(ways[n].precision),
                   .interp = ct_interp_id(ways[n].interp),
                   .threads = b->options.threads,
                   .batch = p->views,
                   .views = p->views,
                   .seconds = NAN,
                   .spread = NAN,
                   .gups = NAN,
                   .speedup = NAN,
                   .rel_rmse = n ? m.relative_rmse : NAN,
                   .bytes = NAN,
                   .unshrunk = p->unshrunk};
  int used = n ? snprintf(row.note, sizeof row.note, "%s against linear: largest difference %.3g 1/mm", ways[n].name,
                          m.max_abs)
               : snprintf(row.note, sizeof row.note, "what the others are compared with");
  if (p->phantom)
    snprintf(row.note + used, sizeof row.note - (size_t)used, "; RMSE %.4g 1/mm against the phantom", truth.rmse);
  json_t *more = json_object();
  json_object_set_new(more, "quality", json_string(ways[n].name));
  json_object_set_new(more, "largest_difference", json_real(n ? m.max_abs : 0));
  json_object_set_new(more, "rmse_to_phantom", p->phantom ? json_real(truth.rmse) : json_null());
  bench_add_row(b, &row, more);
  return true;
}

/* The middle column, along y: in the phantom it meets six of the ten ellipses. */
static void print_profile(const pictures *p, FILE *to) {
  const int nx = p->grid.nx, i = nx / 2;
  for (int j = 0; j < p->grid.ny; j++) {
    const size_t at = (size_t)j * (size_t)nx + (size_t)i;
    fprintf(to, "%s,%.9g,", p->problem, p->grid.y0 + j * p->grid.dy);
    if (p->phantom) fprintf(to, "%.9g", (double)ct_volume_get_data(p->phantom)[at]);
    for (int n = 0; n < WAYS; n++) fprintf(to, ",%.9g", (double)p->way[n][at]);
    fputc('\n', to);
  }
}

/* Takes the scan (NULL with an error set). phantom: in the scan, of that radius; NULL: none known. */
static bool compare_ways(bench *b, const char *problem, ct_scan *scan, const ct_phantom *phantom, double radius,
                         double mu, FILE *profile, ct_error **error) {
  /* A file's scan is as large as it is. */
  pictures p = {.problem = problem, .unshrunk = !phantom || b->options.size >= PHANTOM_SIDE};
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, &b->backend, error) : NULL;
  bool good = pipeline != NULL;
  for (int n = 0; good && n < WAYS; n++) {
    bench_say(b, "%s, %s: %s", b->suite->name, problem, ways[n].name);
    good = make_picture(b, pipeline, n, &p, error);
  }
  if (good && phantom)
    good = (p.phantom = ct_volume_new(&p.grid, error)) &&
           ct_phantom_voxelise(phantom, radius, mu, 8, p.phantom, b->job, error);
  for (int n = 0; good && n < WAYS; n++) good = tell(b, &p, n, error);
  if (good && profile) print_profile(&p, profile);
  clear(&p);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return good;
}

static bool compare_phantom(bench *b, FILE *profile, ct_error **error) {
  const int side = b->options.size > 0 && b->options.size < PHANTOM_SIDE ? b->options.size : PHANTOM_SIDE;
  ct_simulation s;
  ct_geometry geometry;
  ct_simulation_init(&s);
  s.phantom = ct_phantom_find("shepp-logan");
  s.beam = ct_beam_find("parallel")->beam;
  s.nu = s.views = side;
  s.nv = 1;
  s.pixel *= (double)PHANTOM_SIDE / side;
  if (!ct_simulation_geometry(&s, &geometry, error)) return false; /* finds the radius */
  ct_geometry_clear(&geometry);
  return compare_ways(b, "shepp-logan", ct_simulate(&s, "Shepp-Logan", b->job, error), s.phantom, s.radius, s.mu,
                      profile, error);
}

static bool compare_all(bench *b, FILE *profile, ct_error **error) {
  if (profile) {
    fputs("problem,y_mm,phantom", profile);
    for (int n = 0; n < WAYS; n++) fprintf(profile, ",%s", ways[n].name);
    fputc('\n', profile);
  }
  if (!compare_phantom(b, profile, error)) return false;
  if (!b->options.file) return true;
  const char *slash = strrchr(b->options.file, '/');
  return compare_ways(b, slash ? slash + 1 : b->options.file, gantry_open_scan(b->options.file, NULL, b->job, error),
                      NULL, 0, 0, profile, error);
}

bool bench_quality(bench *b, ct_error **error) {
  char *text = NULL;
  size_t size = 0;
  FILE *profile = b->options.profile ? ct_text_stream(&text, &size) : NULL;
  if (b->options.profile && !profile)
    return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the profiles.");
  bool good = compare_all(b, profile, error);
  if (profile && fclose(profile) != 0 && good)
    good = ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the profiles.");
  good = good && (!profile || ct_output_write_text(b->options.profile, text, error));
  free(text);
  return good;
}
