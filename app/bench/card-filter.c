/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part of the suite gpu: projections that are filtered on the card, where they are back-projected (Chilingaryan et al.
 * 2019, section 4): the time of the filter by the card's clock, what the run takes more for it than from filtered
 * projections, and the time of the processor's filter. */
#include "app/bench/case-private.h"
#include "app/bench/counts-private.h"
#include "app/bench/suites-private.h"
#include "recon/base/memory.h"
#include "recon/filter/ramp.h"
#include "recon/geom/questions.h"
#include "render/compute/device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_REPEATS = 100, SOFTWARE_VIEWS = 16 };

/* A case with its projections weighted alone, and filtered by the processor. */
typedef struct both {
  bench_case *weighted;
  bench_case filtered;
  ct_ramp_filter ramp;
  double processor; /* seconds of its filter, weights too */
  int views;        /* that are timed */
} both;

static bool filter_into(bench *b, const bench_case *from, bool without_ramp, ct_stack *to, double *seconds,
                        ct_error **error) {
  const ct_filter_options options = {
      .window = CT_WINDOW_RAM_LAK, .cutoff = 1, .threads = b->options.threads, .without_ramp = without_ramp};
  ct_filter *filter = ct_filter_new(&from->geometry, &options, error);
  const bench_clock start = bench_start();
  const bool good = filter && ct_filter_stack(filter, from->stack, to, b->job, error);
  *seconds = bench_elapsed(b, start, b->options.threads);
  ct_filter_free(filter);
  return good;
}

static bool both_make(bench *b, bench_case *c, both *t, ct_error **error) {
  const ct_filter_options options = {.window = CT_WINDOW_RAM_LAK, .cutoff = 1, .threads = b->options.threads};
  double seconds;
  *t = (both){.weighted = c, .filtered = *c, .views = c->geometry.views};
  if (ctgl_device_get_facts(b->backend.device)->software && t->views > SOFTWARE_VIEWS) t->views = SOFTWARE_VIEWS;
  /* All but the projections, and what textbook makes of them, is the case's. */
  t->filtered.expected = NULL;
  t->filtered.expected_views = 0;
  t->filtered.stack = ct_stack_new(c->geometry.nu, c->geometry.nv, c->geometry.views, error);
  return t->filtered.stack && filter_into(b, c, false, t->filtered.stack, &seconds, error) &&
         filter_into(b, c, false, t->filtered.stack, &t->processor, error) &&
         filter_into(b, c, true, c->stack, &seconds, error) &&
         ct_ramp_filter_make(&c->geometry, &options, &t->ramp, error);
}

static void both_clear(both *t) {
  ct_stack_free(t->filtered.stack);
  ct_volume_free(t->filtered.expected);
  ct_ramp_filter_clear(&t->ramp);
}

/* Medians of the wall clock, and of the card's for back-projection and filter. */
typedef struct seconds {
  double wall, spread, adding, filtering;
} seconds;

static bool time_runs(bench *b, const bench_case *c, const bench_run *run, const ct_ramp_filter *ramp, int views,
                      seconds *t, ct_error **error) {
  double wall[MOST_REPEATS], adding[MOST_REPEATS], filtering[MOST_REPEATS];
  ct_bp_request request = bench_request(b, c, run);
  request.ramp = ramp;
  ct_bp_state *state =
      ct_bp_accepts(run->kernel, &request, error) ? run->kernel->prepare(run->kernel, &request, error) : NULL;
  bool good = state != NULL;
  const int repeat = b->options.repeat < MOST_REPEATS ? b->options.repeat : MOST_REPEATS;
  for (int n = -1; good && n < repeat; n++) {
    ctgl_device_take_seconds(b->backend.device);
    ctgl_device_take_filter_seconds(b->backend.device);
    ct_clear(ct_volume_data(c->volume), ct_volume_bytes(c->volume));
    const bench_clock start = bench_start();
    good = bench_add_views(b, c, run, state, 0, views, c->volume, error);
    if (n < 0) continue; /* warms up */
    wall[n] = bench_elapsed(b, start, b->options.threads);
    adding[n] = ctgl_device_take_seconds(b->backend.device);
    filtering[n] = ctgl_device_take_filter_seconds(b->backend.device);
  }
  if (state) run->kernel->free(state);
  if (!good) return false;
  t->wall = bench_median(wall, repeat, &t->spread);
  t->adding = bench_median(adding, repeat, NULL);
  t->filtering = bench_median(filtering, repeat, NULL);
  return true;
}

static bool compare(bench *b, both *t, double *rel_rmse, ct_error **error) {
  if (!bench_expect(b, &t->filtered, CT_INTERP_LINEAR, t->views, error)) return false;
  const size_t count = ct_grid_voxels(ct_volume_grid(t->filtered.expected));
  float *values = ct_alloc(count, sizeof *values, "the voxels to be compared", error);
  if (!values) return false;
  bench_gather(&t->filtered, t->filtered.volume, values);
  *rel_rmse = bench_rel_rmse(values, ct_volume_get_data(t->filtered.expected), count);
  ct_free(values);
  return true;
}

static bool measure(bench *b, both *t, const ct_bp_kernel *kernel, ct_error **error) {
  const bench_case *c = t->weighted;
  bench_run run = {.kernel = kernel, .interp = CT_INTERP_LINEAR, .threads = b->options.threads};
  char name[sizeof c->name + 32];
  seconds plain, whole;
  run.batch = b->options.batch ? b->options.batch : ct_bp_batch_views(kernel, &c->grid);
  const ct_bp_request request = bench_request(b, c, &run);
  bench_row row = {.kernel = kernel->id,
                   .precision = ct_precision_id(CT_PRECISION_FLOAT32),
                   .interp = ct_interp_id(CT_INTERP_LINEAR),
                   .threads = b->options.threads,
                   .batch = bench_pass_views(kernel, &request),
                   .views = t->views,
                   .speedup = NAN};
  bench_say(b, "gpu, %s, filtered on the card: %s", c->name, kernel->id);
  if (!time_runs(b, &t->filtered, &run, NULL, t->views, &plain, error) ||
      !time_runs(b, c, &run, &t->ramp, t->views, &whole, error) || !compare(b, t, &row.rel_rmse, error))
    return false;
  const double updates = (double)ct_grid_voxels(&c->grid) * t->views / 1e9,
               samples = (double)c->geometry.nu * c->geometry.nv * t->views / 1e9,
               processor = t->processor * t->views / c->geometry.views;
  snprintf(name, sizeof name, "%s, filtered on the card", c->name);
  row.problem = name;
  row.seconds = whole.wall, row.spread = whole.spread, row.gups = updates / whole.wall;
  if (whole.adding > 0) row.card_seconds = whole.adding, row.card_gups = updates / whole.adding;
  row.bytes = (double)ct_volume_bytes(c->volume) + 2 * (double)ct_stack_bytes(c->stack);
  int used = snprintf(row.note, sizeof row.note, "the processor's filter %.3g ms, from filtered projections %.3g ms",
                      1e3 * processor, 1e3 * plain.wall);
  json_t *more = json_pack("{s:f, s:f, s:i}", "processor_filter_seconds", processor, "filtered_seconds", plain.wall,
                           "filter_length", t->ramp.length);
  if (whole.filtering > 0) {
    snprintf(row.note + used, sizeof row.note - (size_t)used,
             "; the card's filter %.3g ms, %.3g Gsamples/s; with it the run takes %.3g ms more", 1e3 * whole.filtering,
             samples / whole.filtering, 1e3 * (whole.wall - plain.wall));
    json_object_set_new(more, "filter_seconds", json_real(whole.filtering));
    json_object_set_new(more, "filter_samples_per_second", json_real(1e9 * samples / whole.filtering));
  }
  bench_add_row(b, &row, more);
  return true;
}

/* Those that are listed, else the one that is tuned for the geometry. */
static bool is_wanted(const bench *b, const bench_case *c, const ct_bp_kernel *kernel) {
  const bool parallel = ct_geometry_promises(&c->geometry, CT_TRAIT_PARALLEL);
  if (!kernel->ramps || !ct_geometry_promises(&c->geometry, kernel->geometry)) return false;
  return b->options.kernels ? bench_listed(b->options.kernels, kernel->id)
                            : !strcmp(kernel->id, parallel ? "gl-tuned-parallel" : "gl-tuned");
}

bool bench_card_filter(bench *b, bench_case *c, ct_error **error) {
  both t;
  bool good = both_make(b, c, &t, error);
  for (size_t n = 0; good && n < b->backend.kernels.count; n++) {
    const ct_bp_kernel *kernel = b->backend.kernels.kernels[n];
    ct_error *fault = NULL;
    if (!is_wanted(b, c, kernel) || measure(b, &t, kernel, &fault)) continue;
    good = fault->code != CT_ERROR_CANCELLED;
    if (good)
      bench_skip(b, c->name, kernel->id, &fault);
    else
      *error = fault;
  }
  both_clear(&t);
  return good;
}
