/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bounds a GPU kernel, as Zinsser and Keck (2013) find it: each kernel is timed four times, whole and with ever
 * more left out (ctgl_omission). Their columns: I-- arithmetic alone, IM- with the volume's reading and writing, IMT
 * with fetches that always meet the same pixel, then the whole. The differences are what memory, fetches and their
 * misses cost; where two of them overlap, the later one is counted as what it adds. */
#include "app/bench/counts-private.h"
#include "app/bench/measure-private.h"
#include "app/bench/suites-private.h"
#include "app/svg-bars.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/geom/questions.h"
#include "render/compute/device.h"

#include <math.h>
#include <string.h>

enum { STEPS = CTGL_OMISSIONS, MOST_BARS = 256, FIRST_VIEWS = 2, WIDTH = 900 };

static const char *const part_names[STEPS] = {"arithmetic (I--)", "volume (IM-)", "fetches (IMT)", "misses (whole)"};
static const char *const bounds[STEPS] = {"arithmetic", "memory", "fetches", "misses of the texture cache"};

struct bench_diagnosis {
  gantry_svg_bar bars[MOST_BARS];
  char names[MOST_BARS][64];
  size_t count;
};

/* Seconds of the first `count` views: the card's own where it has a clock. */
static bool time_once(bench *b, const bench_case *c, const bench_run *run, ct_bp_state *state, int count,
                      double *seconds, ct_error **error) {
  if (b->measures_card) ctgl_device_take_seconds(b->backend.device);
  const bench_clock start = bench_start();
  if (!bench_add_views(b, c, run, state, 0, count, c->volume, error)) return false;
  *seconds = bench_elapsed(b, start, run->threads);
  const double card = b->measures_card ? ctgl_device_take_seconds(b->backend.device) : 0;
  if (card > 0) *seconds = card;
  return true;
}

/* The best of the repeats with so much left out. *views 0: as many as the limit allows, chosen by a first run. */
static bool time_omission(bench *b, const bench_case *c, const bench_run *run, ctgl_omission omission, int *views,
                          double *seconds, ct_error **error) {
  double first, one;
  const ct_bp_request request = bench_request(b, c, run);
  ctgl_device_omit(b->backend.device, omission);
  ct_bp_state *state = run->kernel->prepare(run->kernel, &request, error);
  ctgl_device_omit(b->backend.device, CTGL_WHOLE);
  if (!state) return false;
  const int few = c->geometry.views < FIRST_VIEWS ? c->geometry.views : FIRST_VIEWS, repeat = b->options.repeat;
  /* The first run compiles and makes room, the second one counts. */
  bool good = time_once(b, c, run, state, *views ? *views : few, &first, error);
  if (good && !*views) {
    good = time_once(b, c, run, state, few, &first, error);
    const double fit = b->options.limit / (STEPS * (repeat + 1)) / (first > 0 ? first : 1e-6) * few;
    *views = fit < few ? few : fit < c->geometry.views ? (int)fit : c->geometry.views;
  }
  *seconds = INFINITY;
  for (int n = 0; good && n < repeat; n++) {
    good = time_once(b, c, run, state, *views, &one, error);
    if (good) *seconds = fmin(*seconds, one);
  }
  run->kernel->free(state);
  return good;
}

/* Milliseconds of each part, which are the whole together: what is left out cannot take longer than what is not.
 * Returns the largest; *agree: the times say the same up to a tenth. */
static int divide(const double seconds[STEPS], double parts[STEPS], bool *agree) {
  double above = seconds[STEPS - 1];
  int most = 0;
  *agree = true;
  for (int k = STEPS - 1; k > 0; k--) {
    const double below = fmin(seconds[k - 1], above);
    if (seconds[k - 1] > 1.1 * above) *agree = false;
    parts[k] = 1e3 * (above - below);
    above = below;
  }
  parts[0] = 1e3 * above;
  for (int k = 1; k < STEPS; k++)
    if (parts[k] > parts[most]) most = k;
  return most;
}

static void add_diagnosis(bench *b, const bench_case *c, const bench_run *run, int views, const double seconds[STEPS],
                          bench_diagnosis *all) {
  double parts[STEPS];
  bool agree;
  const int most = divide(seconds, parts, &agree);
  const double whole = seconds[STEPS - 1];
  const ct_bp_request request = bench_request(b, c, run);
  bench_row row = {.kernel = run->kernel->id,
                   .problem = c->name,
                   .precision = ct_precision_id(run->precision),
                   .interp = ct_interp_id(run->interp),
                   .threads = run->threads,
                   .batch = bench_pass_views(run->kernel, &request),
                   .views = views,
                   .seconds = whole,
                   .spread = NAN,
                   .gups = (double)ct_grid_voxels(&c->grid) * views / whole / 1e9,
                   .speedup = NAN,
                   .rel_rmse = NAN,
                   .bytes = NAN};
  snprintf(row.note, sizeof row.note, "I-- %.4g ms, IM- %.4g, IMT %.4g, whole %.4g: most of it, %.0f %%, is %s%s%s",
           1e3 * seconds[0], 1e3 * seconds[1], 1e3 * seconds[2], 1e3 * whole, 0.1 * parts[most] / whole, bounds[most],
           agree ? "" : "; with less to do it took longer, so that the machine was busy: run again",
           ctgl_device_get_facts(b->backend.device)->software ? " (software: says nothing of a card)" : "");
  bench_add_row(b, &row,
                json_pack("{s:f, s:f, s:f, s:f, s:s}", "instructions_seconds", seconds[0], "memory_seconds", seconds[1],
                          "texture_seconds", seconds[2], "whole_seconds", whole, "mostly", bounds[most]));
  if (all->count == MOST_BARS) return;
  snprintf(all->names[all->count], sizeof all->names[0], "%.30s, %.30s", run->kernel->id, c->name);
  gantry_svg_bar *bar = all->bars + all->count;
  *bar = (gantry_svg_bar){.name = all->names[all->count]};
  /* Views differ by kernel. */
  for (int k = 0; k < STEPS; k++) bar->parts[k] = parts[k] / views;
  all->count++;
}

static bool diagnose_kernel(bench *b, const bench_case *c, const bench_run *run, bench_diagnosis *all,
                            ct_error **error) {
  static const ctgl_omission steps[STEPS] = {CTGL_NO_UPDATES, CTGL_NO_FETCHES, CTGL_TINY_VOXELS, CTGL_WHOLE};
  double seconds[STEPS];
  int views = 0;
  bench_say(b, "diagnosis, %s: %s", c->name, run->kernel->id);
  for (int k = STEPS - 1; k >= 0; k--)
    if (!time_omission(b, c, run, steps[k], &views, &seconds[k], error)) return false;
  add_diagnosis(b, c, run, views, seconds, all);
  return true;
}

bool bench_diagnose(bench *b, bench_case *c, ct_error **error) {
  bench_diagnosis *all = b->diagnosis;
  for (size_t i = 0; i < b->backend.kernels.count; i++) {
    ct_error *fault = NULL;
    bench_run run = {.kernel = b->backend.kernels.kernels[i],
                     .interp = CT_INTERP_LINEAR,
                     .precision = CT_PRECISION_FLOAT32,
                     .threads = b->options.threads,
                     .batch = b->options.batch};
    if (!run.kernel->gpu || !bench_listed(b->options.kernels, run.kernel->id)) continue;
    const ct_bp_request request = bench_request(b, c, &run);
    run.batch = request.batch;
    const bool concerns =
        ct_geometry_promises(&c->geometry, run.kernel->geometry) && (run.kernel->precisions & CT_BIT(run.precision));
    if (!concerns && !b->options.kernels) continue;
    if (ct_bp_accepts(run.kernel, &request, &fault) && diagnose_kernel(b, c, &run, all, &fault)) continue;
    if (fault && fault->code == CT_ERROR_CANCELLED) {
      if (error) *error = fault;
      return false;
    }
    bench_skip(b, c->name, run.kernel->id, &fault);
  }
  return ct_job_may_go_on(b->job, error);
}

bool bench_diagnosis_begin(bench *b, ct_error **error) {
  b->diagnosis = ct_alloc_zero(1, sizeof *b->diagnosis, "the diagnosis", error);
  return b->diagnosis;
}

bool bench_diagnosis_draw(const bench *b, ct_error **error) {
  const bench_diagnosis *all = b->diagnosis;
  char title[256];
  if (!b->options.picture || !all->count) return true;
  const ctgl_device_facts *facts = ctgl_device_get_facts(b->backend.device);
  snprintf(title, sizeof title, "What bounds each kernel on %s%s", facts->name,
           facts->software ? " (software: no card)" : "");
  gantry_svg_bars bars = {.title = title, .unit = "ms a view", .bars = all->bars, .count = all->count};
  for (int k = 0; k < STEPS; k++) bars.parts[k] = part_names[k];
  char *text = gantry_svg_draw_bars(&bars, WIDTH, error);
  const bool good = text && ct_output_write_text(b->options.picture, text, error);
  ct_free(text);
  return good;
}
