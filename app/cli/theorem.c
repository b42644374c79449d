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
#include <getopt.h>

enum { SET = 256, VIEW, SLICE, WITHIN, CSV, JSON };

static const cli_option options[] = {
    {VIEW, "view", "N", "The view, counted from 0; default: 0."},
    {SLICE, "slice", "Z", "The axial slice, or mid; default: mid."},
    {SET, "set", "KEY=VALUE", "A parameter of the reconstruction, see reconstruct --help; may be repeated."},
    {WITHIN, "within", "SHARE",
     "Share of the detector's Nyquist frequency up to which the difference is taken, above 0 and at most 1; default: "
     "0.8."},
    {CSV, "csv", NULL, "The line of frequencies as comma-separated values."},
    {JSON, "json", NULL, "The same as JSON."},
    {'q', "quiet", NULL, "No progress."},
    {0},
};

typedef struct request {
  const char *path;
  ct_plan plan;
  int view, slice;
  double within;
  bool csv, json, quiet;
} request;

typedef struct result {
  int count;
  ct_slice_theorem_sample *samples;
  double angle, nyquist;
  const char *length; /* "mm" or "px" */
  bool rebinned;      /* from diverging rays */
} result;

/* As many frequencies as the detector has columns. */
static bool measure(const request *r, ct_pipeline *pipeline, ct_job *job, result *out, ct_error **error) {
  int k = r->slice;
  if (!ct_pipeline_prepare(pipeline, &r->plan, job, error)) return false;
  const ct_grid grid = ct_pipeline_get_facts(pipeline)->grid;
  if (!cli_resolve_index(&grid, CT_AXIAL, &k, error)) return false;
  float *slice = ct_alloc((size_t)grid.nx * (size_t)grid.ny, sizeof *slice, "a slice", error);
  bool good = slice && ct_pipeline_slice(pipeline, &r->plan, CT_AXIAL, k, slice, job, error);
  const ct_geometry *g = ct_pipeline_get_facts(pipeline)->geometry;
  const ct_stack *integrals = good ? ct_pipeline_get_line_integrals(pipeline) : NULL;
  if (good && (r->view < 0 || r->view >= g->views))
    good = ct_error_set(error, CT_ERROR_ARGUMENT, "There is no view %d: the views are 0 to %d.", r->view, g->views - 1);
  if (good && !integrals)
    good = ct_error_set(error, CT_ERROR_MEMORY,
                        "There is not enough memory for line integrals beside filtered "
                        "projections: bin them (--set bin=2).");
  float *row = good ? ct_alloc((size_t)g->nu, sizeof *row, "a row", error) : NULL;
  ct_geometry parallel = {0};
  good = row && ct_slice_theorem_gather(&grid, k, g, integrals, r->view, &parallel, row, error);
  if (good) {
    out->count = g->nu > 1 ? g->nu : 2;
    out->angle = g->angles[r->view] * 180 / M_PI;
    out->nyquist = 0.5 / parallel.du;
    out->rebinned = ct_geometry_diverges(g);
    out->samples = ct_alloc((size_t)out->count, sizeof *out->samples, "the spectrum", error);
    const ct_grid plane = ct_grid_plane(&grid, CT_AXIAL, k);
    good = out->samples && ct_slice_theorem(&plane, slice, &parallel, 0, row, out->count, out->samples, error);
  }
  ct_geometry_clear(&parallel);
  ct_free(row);
  ct_free(slice);
  return good;
}

static bool print_json(const request *r, const result *out, ct_error **error) {
  json_t *line = json_array();
  for (int n = 0; n < out->count; n++) {
    const ct_slice_theorem_sample *s = &out->samples[n];
    json_array_append_new(
        line, json_pack("[f, f, f, f, f]", s->frequency, s->slice[0], s->slice[1], s->projection[0], s->projection[1]));
  }
  return gantry_json_print(
      json_pack("{s:i, s:o, s:b, s:f, s:f, s:o, s:o}", "view", r->view, "angle_degrees", gantry_json_real(out->angle),
                "rebinned", out->rebinned, "nyquist", out->nyquist, "within", r->within, "difference",
                gantry_json_real(ct_slice_theorem_difference(out->samples, out->count, r->within)), "line", line),
      error);
}

static bool print(const request *r, const result *out, ct_error **error) {
  if (r->json) return print_json(r, out, error);
  if (r->csv) {
    puts("frequency,slice_real,slice_imaginary,projection_real,projection_imaginary");
    for (int n = 0; n < out->count; n++)
      printf("%.9g,%.9g,%.9g,%.9g,%.9g\n", out->samples[n].frequency, out->samples[n].slice[0],
             out->samples[n].slice[1], out->samples[n].projection[0], out->samples[n].projection[1]);
    return true;
  }
  static const double shares[] = {0.2, 0.4, 0.6, 0.8, 1};
  printf("View %d at %.6g°%s, %d frequencies up to %.4g per %s (Nyquist)\n", r->view, out->angle,
         out->rebinned ? ", rebinned to parallel rays" : "", out->count, out->nyquist, out->length);
  puts("Largest difference of the slice's spectrum from the row's, relative to the row's largest magnitude:");
  for (size_t n = 0; n < sizeof shares / sizeof *shares; n++)
    printf("  within %.1f Nyquist   %.3g\n", shares[n],
           ct_slice_theorem_difference(out->samples, out->count, shares[n]));
  if (fabs(remainder(r->within, 0.2)) > 1e-9)
    printf("  within %.4g Nyquist   %.3g\n", r->within,
           ct_slice_theorem_difference(out->samples, out->count, r->within));
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
  return good;
}

static bool take_option(const cli_command *command, int letter, const char *value, request *r) {
  long long number = 0;
  switch (letter) {
  case VIEW:
    if (!cli_read_int(command, "--view", value, 0, 10000000, &number)) return false;
    r->view = (int)number;
    return true;
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
  request r = {.slice = -1, .within = 0.8};
  const char *value;
  int letter;
  ct_plan_init(&r.plan);
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0)
    if (!take_option(command, letter, value, &r)) return CLI_MISUSED;
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc != optind + 1) return cli_misuse(command, "one scan is needed");
  if (r.csv && r.json) return cli_misuse(command, "--csv and --json are two forms of the same: choose one");
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
    "SCAN [--view N] [--slice Z] [--csv | --json]",
    "Measures the Fourier slice theorem on a scan: the transform of a view's row beside the spectrum of the "
    "reconstructed slice, masked to the circle that every view sees, along the line at the view's angle. Rays that "
    "spread from a source are rebinned to a parallel row first; of a cone beam, the slice in the source's plane is "
    "served.",
    options,
    NULL,
    run,
};
