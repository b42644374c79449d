/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli theorem: the Fourier slice theorem measured on a view of a scan and the slice reconstructed from all. */
#include "app/cli/cli.h"
#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/solve/pipeline.h"
#include "recon/solve/slice-theorem.h"

#include <math.h>
#include <string.h>
#include <stdlib.h>
#include <getopt.h>

enum { SET = 256, VIEW, ALL, SLICE, WITHIN, CSV, JSON };

static const cli_option options[] = {
    {VIEW, "view", "N", "The view, counted from 0; default: 0."},
    {ALL, "all", NULL, "All views: the largest difference and the median, or with --csv or --json that of each."},
    {SLICE, "slice", "Z", "The axial slice, or mid; default: mid."},
    {SET, "set", "KEY=VALUE", "A parameter of the reconstruction, see reconstruct --help; may be repeated."},
    {WITHIN, "within", "SHARE",
     "Share of the detector's Nyquist frequency up to which the difference is taken, above 0 and at most 1; default: "
     "0.8."},
    {CSV, "csv", NULL, "The line of frequencies, or all views, as comma-separated values."},
    {JSON, "json", NULL, "The same as JSON."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

typedef struct request {
  const char *path;
  ct_plan plan;
  int view, slice;
  double within;
  bool all, csv, json, quiet;
} request;

/* Of a view; NaN: its row was not measured, some rays of a short scan; beyond damping also where none is known. */
typedef struct one_view {
  double difference, beyond_damping;
} one_view;

typedef struct result {
  int count; /* of frequencies */
  ct_slice_theorem_sample *samples;
  int views;
  one_view *each; /* [views]; NULL: of one view */
  const double *angles;
  double nyquist;
  const char *length; /* "mm" or "px" */
  bool rebinned;      /* from diverging rays */
  bool damped;        /* by what is known: */
  char damping[80];
} result;

typedef struct measured {
  ct_grid grid;
  int k;
  const ct_geometry *geometry;
  const ct_stack *integrals;
  float *slice, *row;
} measured;

/* As many frequencies as the detector has columns. */
static bool measure_view(const request *r, const measured *m, int view, result *out, ct_error **error) {
  ct_geometry parallel = {0};
  if (!ct_slice_theorem_gather(&m->grid, m->k, m->geometry, m->integrals, view, &parallel, m->row, error)) return false;
  const ct_grid plane = ct_grid_plane(&m->grid, CT_AXIAL, m->k);
  const bool good = ct_slice_theorem(&plane, m->slice, &parallel, 0, m->row, out->count, out->samples, error);
  out->nyquist = 0.5 / parallel.du;
  out->damped =
      good && ct_slice_theorem_pass(&r->plan, m->geometry, out->samples, out->count, out->damping, sizeof out->damping);
  ct_geometry_clear(&parallel);
  return good;
}

static double beyond_damping(const request *r, const result *out) {
  return out->damped ? ct_slice_theorem_rest(out->samples, out->count, r->within) : NAN;
}

/* Views that a short scan measured no whole row of are passed over, unless that is all of them. */
static bool measure_all(const request *r, const measured *m, ct_job *job, result *out, ct_error **error) {
  int done = 0;
  out->each = ct_alloc((size_t)out->views, sizeof *out->each, "the views", error);
  for (int view = 0; out->each && view < out->views; view++) {
    ct_error *refusal = NULL;
    if (!ct_job_may_go_on(job, error)) return false;
    out->each[view] = (one_view){NAN, NAN};
    if (measure_view(r, m, view, out, &refusal)) {
      out->each[view] =
          (one_view){ct_slice_theorem_difference(out->samples, out->count, r->within), beyond_damping(r, out)};
      done++;
    } else if (refusal->code != CT_ERROR_UNSUPPORTED || (view == out->views - 1 && !done)) {
      *error = refusal;
      return false;
    }
    ct_error_clear(&refusal);
  }
  return out->each != NULL;
}

static bool measure(const request *r, ct_pipeline *pipeline, ct_job *job, result *out, ct_error **error) {
  measured m = {.k = r->slice};
  if (!ct_pipeline_prepare(pipeline, &r->plan, job, error)) return false;
  m.grid = ct_pipeline_get_facts(pipeline)->grid;
  if (!cli_resolve_index(&m.grid, CT_AXIAL, &m.k, error)) return false;
  m.slice = ct_alloc((size_t)m.grid.nx * (size_t)m.grid.ny, sizeof *m.slice, "a slice", error);
  bool good = m.slice && ct_pipeline_slice(pipeline, &r->plan, CT_AXIAL, m.k, m.slice, job, error);
  const ct_geometry *g = m.geometry = ct_pipeline_get_facts(pipeline)->geometry;
  m.integrals = good ? ct_pipeline_get_line_integrals(pipeline) : NULL;
  if (good && (r->view < 0 || r->view >= g->views))
    good = ct_error_set(error, CT_ERROR_ARGUMENT, "There is no view %d: the views are 0 to %d.", r->view, g->views - 1);
  if (good && !m.integrals)
    good = ct_error_set(error, CT_ERROR_MEMORY,
                        "There is not enough memory for line integrals beside filtered "
                        "projections: bin them (--set bin=2).");
  m.row = good ? ct_alloc((size_t)g->nu, sizeof *m.row, "a row", error) : NULL;
  out->count = g->nu > 1 ? g->nu : 2;
  out->views = g->views;
  out->angles = g->angles;
  out->rebinned = ct_geometry_diverges(g);
  out->samples = m.row ? ct_alloc((size_t)out->count, sizeof *out->samples, "the spectrum", error) : NULL;
  good = out->samples && (r->all ? measure_all(r, &m, job, out, error) : measure_view(r, &m, r->view, out, error));
  ct_free(m.row);
  ct_free(m.slice);
  return good;
}

/* Of all views */

static int ascending(const void *a, const void *b) {
  const double *p = a, *q = b;
  return *p < *q ? -1 : *p > *q;
}

typedef struct spread {
  double largest, median;
  int at, count; /* the view of the largest; views that were measured */
} spread;

static spread spread_of(const result *out, bool beyond, double *sorted) {
  spread all = {.largest = -1, .median = NAN};
  for (int view = 0; view < out->views; view++) {
    const double value = beyond ? out->each[view].beyond_damping : out->each[view].difference;
    if (isnan(value)) continue;
    sorted[all.count++] = value;
    if (value > all.largest) all.largest = value, all.at = view;
  }
  qsort(sorted, (size_t)all.count, sizeof *sorted, ascending);
  if (all.count) all.median = 0.5 * (sorted[(all.count - 1) / 2] + sorted[all.count / 2]);
  return all;
}

static json_t *json_of(const spread *s) {
  return json_pack("{s:o, s:i, s:o}", "largest", gantry_json_real(s->largest), "view", s->at, "median",
                   gantry_json_real(s->median));
}

static bool print_all_json(const request *r, const result *out, const spread *difference, const spread *beyond,
                           ct_error **error) {
  json_t *views = json_array(), *root;
  for (int view = 0; view < out->views; view++)
    json_array_append_new(views, json_pack("[f, o, o]", out->angles[view] * 180 / M_PI,
                                           gantry_json_real(out->each[view].difference),
                                           gantry_json_real(out->each[view].beyond_damping)));
  root = json_pack("{s:b, s:f, s:f, s:i, s:o, s:o}", "rebinned", out->rebinned, "nyquist", out->nyquist, "within",
                   r->within, "measured", difference->count, "difference", json_of(difference), "views", views);
  if (root && out->damped) json_object_set_new(root, "damping", gantry_json_text(out->damping));
  if (root && out->damped) json_object_set_new(root, "beyond_damping", json_of(beyond));
  return gantry_json_print(root, error);
}

static void print_spread(const spread *s, const char *title) {
  printf("  %-50s largest %.3g (view %d), median %.3g\n", title, s->largest, s->at, s->median);
}

static bool print_all(const request *r, const result *out, ct_error **error) {
  double *sorted = ct_alloc((size_t)out->views, sizeof *sorted, "the views", error);
  if (!sorted) return false;
  const spread difference = spread_of(out, false, sorted), beyond = spread_of(out, true, sorted);
  ct_free(sorted);
  if (r->json) return print_all_json(r, out, &difference, &beyond, error);
  if (r->csv) {
    puts("view,angle_degrees,difference,beyond_damping");
    for (int view = 0; view < out->views; view++)
      printf("%d,%.9g,%.9g,%.9g\n", view, out->angles[view] * 180 / M_PI, out->each[view].difference,
             out->each[view].beyond_damping);
    return true;
  }
  printf("%d of %d views%s, %d frequencies up to %.4g per %s (Nyquist)\n", difference.count, out->views,
         out->rebinned ? ", rebinned to parallel rays" : "", out->count, out->nyquist, out->length);
  printf("Largest difference within %.4g Nyquist of the slice's spectrum from the row's, relative to the row's largest "
         "magnitude:\n",
         r->within);
  print_spread(&difference, "as measured");
  if (out->damped) {
    char title[128];
    snprintf(title, sizeof title, "beyond the damping of %s", out->damping);
    print_spread(&beyond, title);
  }
  return true;
}

/* Of one */

static bool print_json(const request *r, const result *out, ct_error **error) {
  json_t *line = json_array(), *root;
  for (int n = 0; n < out->count; n++) {
    const ct_slice_theorem_sample *s = &out->samples[n];
    json_array_append_new(
        line, json_pack("[f, f, f, f, f]", s->frequency, s->slice[0], s->slice[1], s->projection[0], s->projection[1]));
  }
  root = json_pack("{s:i, s:o, s:b, s:f, s:f, s:o, s:o}", "view", r->view, "angle_degrees",
                   gantry_json_real(out->angles[r->view] * 180 / M_PI), "rebinned", out->rebinned, "nyquist",
                   out->nyquist, "within", r->within, "difference",
                   gantry_json_real(ct_slice_theorem_difference(out->samples, out->count, r->within)), "line", line);
  if (root && out->damped) json_object_set_new(root, "damping", gantry_json_text(out->damping));
  if (root && out->damped) json_object_set_new(root, "beyond_damping", gantry_json_real(beyond_damping(r, out)));
  return gantry_json_print(root, error);
}

static void print_share(const result *out, double share) {
  printf("  within %-3.4g Nyquist   %-11.3g", share, ct_slice_theorem_difference(out->samples, out->count, share));
  if (out->damped) printf("   %.3g", ct_slice_theorem_rest(out->samples, out->count, share));
  puts("");
}

static bool print(const request *r, const result *out, ct_error **error) {
  if (r->all) return print_all(r, out, error);
  if (r->json) return print_json(r, out, error);
  if (r->csv) {
    puts("frequency,slice_real,slice_imaginary,projection_real,projection_imaginary");
    for (int n = 0; n < out->count; n++)
      printf("%.9g,%.9g,%.9g,%.9g,%.9g\n", out->samples[n].frequency, out->samples[n].slice[0],
             out->samples[n].slice[1], out->samples[n].projection[0], out->samples[n].projection[1]);
    return true;
  }
  static const double shares[] = {0.2, 0.4, 0.6, 0.8, 1};
  printf("View %d at %.6g°%s, %d frequencies up to %.4g per %s (Nyquist)\n", r->view, out->angles[r->view] * 180 / M_PI,
         out->rebinned ? ", rebinned to parallel rays" : "", out->count, out->nyquist, out->length);
  puts("Largest difference of the slice's spectrum from the row's, relative to the row's largest magnitude:");
  if (out->damped) printf("%23s%-14sbeyond the damping of %s\n", "", "as measured", out->damping);
  for (size_t n = 0; n < sizeof shares / sizeof *shares; n++) print_share(out, shares[n]);
  if (fabs(remainder(r->within, 0.2)) > 1e-9) print_share(out, r->within);
  return true;
}

static bool go(const request *r, ct_job *job, ct_error **error) {
  result out = {0};
  ct_scan *scan = ct_scan_open(r->path, NULL, error);
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, NULL, error) : NULL;
  if (scan) out.length = ct_plan_units(&r->plan, scan).length;
  const bool good = pipeline && measure(r, pipeline, job, &out, error) && print(r, &out, error);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  ct_free(out.samples);
  ct_free(out.each);
  return good;
}

static bool take_option(const cli_command *command, int letter, const char *value, request *r) {
  long long number = 0;
  switch (letter) {
  case VIEW:
    if (!cli_read_int(command, "--view", value, 0, 10000000, &number)) return false;
    r->view = (int)number;
    return true;
  case ALL:
    return r->all = true;
  case SLICE:
    return cli_read_index(command, value, &r->slice);
  case SET:
    return cli_set_parameter(command, value, &r->plan);
  case WITHIN:
    return cli_read_real(command, "--within", value, 0.001, 1, &r->within);
  case CSV:
    return r->csv = true;
  case JSON:
    return r->json = true;
  default:
    return r->quiet = true;
  }
}

static int run(const cli_command *command, int argc, char **argv) {
  request r = {.view = -1, .slice = -1, .within = 0.8};
  const char *value;
  int letter;
  ct_plan_init(&r.plan);
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!take_option(command, letter, value, &r)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc != optind + 1) return cli_misuse(command, "one scan is needed");
  if (r.csv && r.json) return cli_misuse(command, "--csv and --json are two forms of the same: choose one");
  if (r.view >= 0 && r.all) return cli_misuse(command, "--view names one view and --all means all: choose one");
  if (r.view < 0) r.view = 0;
  r.path = argv[optind];
  /* Beyond the field a slice holds what filtering spreads there: its negative values cancel the mean. */
  r.plan.mask = 1;
  ct_error *error = NULL;
  cli_watch *watch = cli_watch_begin(r.quiet, &error);
  if (!watch) return cli_failure(NULL, &error);
  const bool good = go(&r, cli_watch_job(watch), &error);
  cli_watch_end(watch);
  return good ? CLI_DONE : cli_failure(r.path, &error);
}

const cli_command cli_theorem = {
    "theorem",
    "SCAN [--view N | --all] [--slice Z] [--csv | --json]",
    "Measures the Fourier slice theorem on a scan: the transform of a view's row beside the spectrum of the "
    "reconstructed slice, masked to the circle that every view sees, along the line at the view's angle. Rays that "
    "spread from a source are rebinned to a parallel row first; of a cone beam, the slice in the source's plane is "
    "served.",
    options,
    NULL,
    run,
};
