/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The RabbitCT benchmark (Rohkohl et al. 2009): volumes of 128^3 to 1024^3 voxels from a data set, each kernel's
 * seconds and GUPS, and its error in Hounsfield units against the data set's reference, or against textbook where it
 * has none. The projections are back-projected as they are, without the pipeline: they are weighted and filtered
 * already. */
#include "app/bench/measure-private.h"
#include "app/bench/rabbitct-private.h"
#include "app/bench/suites-private.h"
#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/io/rabbitct/rabbitct.h"
#include "recon/metric/rabbitct.h"

#include <math.h>
#include <string.h>

/* The data set in memory. */
typedef struct data_set {
  ct_rabbitct *file; /* NULL: generated */
  ct_geometry geometry;
  ct_stack *stack;
  float scale[2];
  int edge;             /* of the volume in work */
  double updated_share; /* of its updates, those whose ray meets the detector */
} data_set;

/* One of them would reach every voxel behind it, and every measure. */
static size_t clear_not_finite(float *pixels, size_t count) {
  size_t cleared = 0;
  for (size_t n = 0; n < count; n++)
    if (!isfinite(pixels[n])) pixels[n] = 0, cleared++;
  return cleared;
}

static bool load(bench *b, data_set *set, ct_error **error) {
  const char *path = b->options.file;
  if (!(set->file = ct_rabbitct_open(path, error))) return false;
  const ct_rabbitct_facts *facts = ct_rabbitct_get_facts(set->file);
  const ct_geometry *g = &facts->geometry;
  memcpy(set->scale, facts->scale, sizeof set->scale);
  bench_say(b, "%s: version %d, %d views of %d x %d pixels, %d reference volume%s", path, facts->version, g->views,
            g->nu, g->nv, facts->references, facts->references == 1 ? "" : "s");
  bool good = ct_geometry_copy(&set->geometry, g, error) && (set->stack = ct_stack_new(g->nu, g->nv, g->views, error));
  size_t cleared = 0;
  for (int view = 0; good && view < g->views; view++) {
    float *pixels = ct_stack_view(set->stack, view);
    good = ct_job_may_go_on(b->job, error) && ct_rabbitct_read(set->file, view, 0, g->nv, pixels, error);
    if (good) cleared += clear_not_finite(pixels, (size_t)g->nv * (size_t)g->nu);
  }
  if (cleared) bench_say(b, "%s: %zu pixels are not finite numbers, and are taken as 0", path, cleared);
  return good;
}

static bool write_reference(bench *b, const data_set *set, int edge, uint16_t **reference, ct_error **error) {
  const ct_grid grid = ct_rabbitct_grid(edge);
  const size_t voxels = ct_grid_voxels(&grid);
  bench_say(b, "the reference of %d^3 voxels by textbook", edge);
  ct_geometry geometry = {0};
  bench_case c = {.stack = set->stack};
  bool good = ct_geometry_copy(&geometry, &set->geometry, error);
  c.geometry = geometry;
  const bench_run run = {.kernel = ct_bp_find(&b->backend.kernels, "textbook"), .batch = geometry.views};
  const ct_bp_request request = {.geometry = &geometry,
                                 .grid = grid,
                                 .interp = CT_INTERP_LINEAR,
                                 .precision = CT_PRECISION_FLOAT64,
                                 .threads = b->options.threads,
                                 .batch = run.batch};
  ct_volume *volume = good ? ct_volume_new(&grid, error) : NULL;
  ct_bp_state *state = volume ? run.kernel->prepare(run.kernel, &request, error) : NULL;
  good = state && bench_add_views(b, &c, &run, state, 0, geometry.views, volume, error) &&
         (*reference = ct_alloc(voxels, sizeof **reference, "a reference volume", error));
  for (size_t i = 0; good && i < voxels; i++)
    (*reference)[i] = ct_rabbitct_hu(ct_volume_get_data(volume)[i], set->scale);
  if (state) run.kernel->free(state);
  ct_volume_free(volume);
  ct_geometry_clear(&geometry);
  return good;
}

static bool write_set(bench *b, const data_set *set, ct_error **error) {
  uint16_t *references[CT_RABBITCT_REFERENCES] = {NULL};
  ct_rabbitct_content content = {
      .version = 2, .scale = {set->scale[0], set->scale[1]}, .geometry = &set->geometry, .projections = set->stack};
  bool good = true;
  for (int r = 0; good && r < CT_RABBITCT_REFERENCES && ct_rabbitct_edge(r) <= b->options.references; r++) {
    good = write_reference(b, set, ct_rabbitct_edge(r), &references[r], error);
    content.references[r] = references[r];
  }
  good = good && ct_rabbitct_write(b->options.write, &content, b->job, error);
  for (int r = 0; r < CT_RABBITCT_REFERENCES; r++) ct_free(references[r]);
  return good;
}

static bool generate(bench *b, data_set *set, ct_error **error) {
  const int detector = b->options.size && b->options.size < 1248 ? b->options.size : 1248;
  bench_say(b, "generating %d views of %d columns", b->options.views, detector);
  memcpy(set->scale, bench_rabbitct_scale, sizeof set->scale);
  if (!bench_make_rabbitct(detector, b->options.views, b->options.threads, b->job, &set->geometry, &set->stack, error))
    return false;
  return !b->options.write || write_set(b, set, error);
}

static json_t *measures_object(const ct_rabbitct_metrics *m, const char *reference, int edge) {
  json_t *histogram = json_array();
  for (int bin = 0; bin < CT_RABBITCT_BINS; bin++)
    json_array_append_new(histogram, json_integer((json_int_t)m->histogram[bin]));
  return json_pack("{s:i, s:s, s:o, s:o, s:o, s:i, s:I, s:o}", "edge", edge, "reference", reference, "q_mse",
                   gantry_json_real(m->q_mse), "rmse_hu", gantry_json_real(m->rmse), "psnr_db",
                   gantry_json_real(m->psnr), "max_error_hu", m->max_error, "voxels_compared", (json_int_t)m->count,
                   "error_histogram", histogram);
}

/* Against the file's reference, a few planes at a time. */
static bool compare_file(const data_set *set, const ct_volume *volume, ct_rabbitct_metrics *m, ct_error **error) {
  const size_t plane = (size_t)set->edge * (size_t)set->edge;
  const int planes = 8;
  uint16_t *reference = ct_alloc(plane * (size_t)planes, sizeof *reference, "planes of the reference", error);
  bool good = reference;
  for (int k = 0; good && k < set->edge; k += planes) {
    good = ct_rabbitct_read_reference(set->file, set->edge, k, planes, reference, error);
    if (good)
      ct_rabbitct_compare(ct_volume_get_data(volume) + (size_t)k * plane, reference, plane * (size_t)planes, set->scale,
                          m);
  }
  ct_free(reference);
  return good;
}

/* Against textbook's voxels on the lattice; the relative RMSE comes with it. */
static bool compare_lattice(bench *b, bench_case *c, const bench_run *run, int views, ct_rabbitct_metrics *m,
                            bool measures, double *rel_rmse, ct_error **error) {
  if (!bench_expect(b, c, run->interp, views, error)) return false;
  const data_set *set = run->user;
  const size_t count = ct_grid_voxels(ct_volume_grid(c->expected));
  const float *expected = ct_volume_get_data(c->expected);
  float *values = ct_alloc(count, sizeof *values, "the voxels to be compared", error);
  uint16_t *reference = ct_alloc(count, sizeof *reference, "the reference's voxels", error);
  const bool good = values && reference;
  if (good) {
    bench_gather(c, c->volume, values);
    *rel_rmse = bench_rel_rmse(values, expected, count);
    for (size_t i = 0; i < count; i++) reference[i] = ct_rabbitct_hu(expected[i], set->scale);
    if (measures) ct_rabbitct_compare(values, reference, count, set->scale, m);
  }
  ct_free(values);
  ct_free(reference);
  return good;
}

/* The histogram as text: the share of voxels that are off by so many HU, without those that none is. */
static void tell_errors(const ct_rabbitct_metrics *m, char *text, size_t size) {
  *text = 0;
  for (int bin = 0; bin < CT_RABBITCT_BINS; bin++) {
    const size_t used = strlen(text);
    if (m->histogram[bin])
      snprintf(text + used, size - used, "%s%s%d HU %.*g %%", used ? ", " : "",
               bin == CT_RABBITCT_BINS - 1 ? "from " : "", bin, bin ? 3 : 6,
               100 * (double)m->histogram[bin] / (double)m->count);
  }
}

static json_t *check(bench *b, bench_case *c, const bench_run *run, int views, bench_row *row, ct_error **error) {
  const data_set *set = run->user;
  ct_rabbitct_metrics m = {0};
  const int references = set->file ? ct_rabbitct_get_facts(set->file)->references : 0;
  const bool in_file = references > 0 && set->edge <= ct_rabbitct_edge(references - 1) && views == c->views_stated;
  if (!compare_lattice(b, c, run, views, &m, !in_file, &row->rel_rmse, error) ||
      (in_file && !compare_file(set, c->volume, &m, error)))
    return NULL;
  char errors[240];
  tell_errors(&m, errors, sizeof errors);
  snprintf(row->note, sizeof row->note, "RMSE %.4f HU, PSNR %.1f dB, at most %d HU, on %s: off by %s", m.rmse, m.psnr,
           m.max_error, in_file ? "the data set's reference" : "textbook's lattice", errors);
  row->updated_share = set->updated_share;
  json_t *more = measures_object(&m, in_file ? "data set" : "textbook on a lattice", set->edge);
  if (!more) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the results.");
  return more;
}

/* On voxels spread over the grid. */
static double share_on_detector(const ct_geometry *g, const ct_grid *grid) {
  int steps[3];
  const ct_grid l = bench_lattice(grid, 20, steps);
  const size_t voxels = ct_grid_voxels(&l);
  size_t inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : inside)
  for (int view = 0; view < g->views; view++) {
    double matrix[12], u, v, w;
    ct_geometry_matrix(g, view, matrix);
    for (size_t n = 0; n < voxels; n++) {
      const int i = (int)(n % (size_t)l.nx), j = (int)(n / (size_t)l.nx % (size_t)l.ny),
                k = (int)(n / (size_t)l.nx / (size_t)l.ny);
      ct_project(matrix, (const double[3]){l.x0 + i * l.dx, l.y0 + j * l.dy, l.z0 + k * l.dz}, &u, &v, &w);
      inside += w > 0 && u > -1 && u < g->nu && v > -1 && v < g->nv;
    }
  }
  return (double)inside / (double)voxels / g->views;
}

static bool measure_edge(bench *b, data_set *set, ct_error **error) {
  char name[64];
  ct_error *fault = NULL;
  const ct_grid grid = ct_rabbitct_grid(set->edge);
  bench_case c;
  ct_geometry geometry = {0};
  set->updated_share = share_on_detector(&set->geometry, &grid);
  if (!ct_geometry_copy(&geometry, &set->geometry, error)) return false;
  snprintf(name, sizeof name, "RabbitCT %d", set->edge);
  if (!bench_case_take(name, &geometry, set->stack, &grid, &c, &fault)) {
    /* The stack went with the case: what follows is larger still and would not fit either. */
    set->stack = NULL;
    bench_skip(b, name, NULL, &fault);
    return true;
  }
  const bench_run model = {.interp = CT_INTERP_LINEAR,
                           .precision = CT_PRECISION_FLOAT32,
                           .threads = b->options.threads,
                           .batch = b->options.batch,
                           .all_views = true,
                           .check = check,
                           .user = set};
  const bool good = bench_measure_all(b, &c, &model, error);
  c.stack = NULL;
  bench_case_clear(&c);
  return good;
}

/* What --problems calls a reference's volume: its edge. */
typedef struct edge_text {
  char text[16];
} edge_text;

static edge_text edge_name(int reference) {
  edge_text name;
  snprintf(name.text, sizeof name.text, "%d", ct_rabbitct_edge(reference));
  return name;
}

bool bench_rabbitct(bench *b, ct_error **error) {
  data_set set = {0};
  char known[64] = "";
  for (int r = 0; r < CT_RABBITCT_REFERENCES; r++) bench_add_name(known, sizeof known, edge_name(r).text);
  bench_add_name(known, sizeof known, "all");
  if (!bench_check_list(b, "problem", b->options.problems, known, error)) return false;
  bool good = b->options.file ? load(b, &set, error) : generate(b, &set, error);
  for (int r = 0; good && set.stack && r < CT_RABBITCT_REFERENCES; r++) {
    set.edge = ct_rabbitct_edge(r);
    if (b->options.size && set.edge > b->options.size && r > 0) break;
    if (bench_chosen(b, edge_name(r).text, "all")) good = measure_edge(b, &set, error);
  }
  ct_rabbitct_free(set.file);
  ct_geometry_clear(&set.geometry);
  ct_stack_free(set.stack);
  return good;
}
