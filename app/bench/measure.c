/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing one kernel on one case: trial sweeps over a few views warm caches and first-touched memory, are checked
 * against textbook and tell how many views the time limit allows; then the timed runs, layout and finish included. */
#include "app/bench/counted-private.h"
#include "app/bench/counters-private.h"
#include "app/bench/counts-private.h"
#include "app/bench/measure-private.h"
#include "app/bench/pace-private.h"
#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/geom/questions.h"
#include "render/compute/tuning.h"

#include <math.h>
#include <string.h>

enum { TEXTBOOK_VIEWS = 16, MOST_REPEATS = 100 };

static bool time_views(bench *b, const bench_case *c, const bench_run *run, ct_bp_state *state, int first, int count,
                       double *seconds, ct_error **error) {
  const bench_clock start = bench_start();
  const bool good = bench_add_views(b, c, run, state, first, count, c->volume, error);
  *seconds = bench_elapsed(b, start, run->threads);
  return good;
}

static bool check_lattice(bench *b, bench_case *c, const bench_run *run, int views, bench_row *row, ct_error **error) {
  if (!bench_expect(b, c, run->interp, views, error)) return false;
  const size_t count = ct_grid_voxels(ct_volume_grid(c->expected));
  float *values = ct_alloc(count, sizeof *values, "the voxels to be compared", error);
  if (!values) return false;
  bench_gather(c, c->volume, values);
  row->rel_rmse = bench_rel_rmse(values, ct_volume_get_data(c->expected), count);
  ct_free(values);
  return true;
}

static bench_terms terms_of(const bench *b, const bench_case *c, const bench_run *run) {
  return (bench_terms){.views = c->geometry.views,
                       .batch = run->batch,
                       .all_views = run->all_views,
                       .limit = b->options.limit,
                       .repeat = b->options.repeat};
}

/* A first part of the views, alone in the volume: *count of them, in sweeps that tell the pace. */
static bool try_views(bench *b, bench_case *c, const bench_run *run, ct_bp_state *state, int *count, bench_pace *pace,
                      ct_error **error) {
  const bench_terms terms = terms_of(b, c, run);
  bench_trial trial = {0};
  double seconds;
  ct_clear(ct_volume_data(c->volume), ct_volume_bytes(c->volume));
  for (int next; (next = bench_trial_next(&trial, &terms)) > 0; bench_trial_add(&trial, next, seconds))
    if (!time_views(b, c, run, state, trial.views, next, &seconds, error)) return false;
  *count = trial.views;
  *pace = bench_trial_pace(&trial);
  if (!run->all_views || *count == terms.views) return true;
  const double whole = bench_pace_time(*pace, terms.views, terms.batch);
  if (whole > terms.limit)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%d views would take about %.3g s, more than --limit %g.",
                        terms.views, whole, terms.limit);
  const bool good = time_views(b, c, run, state, *count, terms.views - *count, &seconds, error);
  *count = terms.views;
  return good;
}

/* Where few views leave much of the time to the sweep itself, that is told, and the rate of whole batches. */
static void add_pace(const bench_case *c, const bench_terms *terms, bench_pace pace, bench_row *row, json_t **more) {
  const int batch = terms->batch < c->views_stated ? terms->batch : c->views_stated;
  const double share = pace.fixed * ((row->views + batch - 1) / batch) / row->seconds;
  if (row->views >= batch || !(share > 0.1)) return;
  const double gups = (double)ct_grid_voxels(&c->grid) * batch / bench_pace_time(pace, batch, batch) / 1e9;
  const size_t used = strlen(row->note);
  snprintf(row->note + used, sizeof row->note - used,
           "%sabout %.2g of %.2g s are the sweep's own: %.2g GUPS in batches of %d", used ? "; " : "",
           fmax(row->seconds - pace.per_view * row->views, 0), row->seconds, gups, batch);
  if (!*more) *more = json_object();
  json_object_set_new(*more, "fixed_seconds", gantry_json_real(pace.fixed));
  json_object_set_new(*more, "batch_gups", gantry_json_real(gups));
}

static bool time_runs(bench *b, bench_case *c, const bench_run *run, ct_bp_state *state, bench_pace pace,
                      bench_row *row, json_t **more, ct_error **error) {
  const bench_terms terms = terms_of(b, c, run);
  double times[MOST_REPEATS], card[MOST_REPEATS];
  int runs;
  bench_share_limit(&terms, pace, &row->views, &runs);
  bench_counters *counters = run->kernel->gpu ? NULL : b->counters;
  if (counters) bench_counters_clear(counters);
  for (int n = 0; n < runs; n++) {
    ct_clear(ct_volume_data(c->volume), ct_volume_bytes(c->volume));
    if (b->measures_card) ctgl_device_take_seconds(b->backend.device);
    if (counters) bench_counters_start(counters);
    const bool good = time_views(b, c, run, state, 0, row->views, &times[n], error);
    if (counters) bench_counters_stop(counters);
    if (!good) return false;
    card[n] = b->measures_card ? ctgl_device_take_seconds(b->backend.device) : 0;
  }
  const double updates = (double)ct_grid_voxels(&c->grid) * row->views / 1e9;
  row->seconds = bench_median(times, runs, &row->spread);
  row->gups = updates / row->seconds;
  const double seconds = bench_median(card, runs, NULL);
  if (seconds > 0) row->card_seconds = seconds, row->card_gups = updates / seconds;
  const size_t used = strlen(row->note);
  if (row->views < c->views_stated)
    snprintf(row->note + used, sizeof row->note - used, "%stimed on %d of %d views", used ? "; " : "", row->views,
             c->views_stated);
  add_pace(c, &terms, pace, row, more);
  if (counters) bench_add_counted(b, c, run, row, runs, more);
  return true;
}

/* The row's share of the machine's bound, into the remarks and the members for JSON. */
static json_t *add_bound(const bench *b, bench_row *row, json_t *more) {
  const size_t used = strlen(row->note);
  const double share = row->gups / b->bound_gups;
  snprintf(row->note + used, sizeof row->note - used, "%s%.0f %% of %.4g GUPS (%s)", used ? "; " : "", 100 * share,
           b->bound_gups, b->bound_by);
  if (!more) more = json_object();
  json_object_set_new(more, "bound_gups", gantry_json_real(b->bound_gups));
  json_object_set_new(more, "bound_by", json_string(b->bound_by));
  json_object_set_new(more, "share", gantry_json_real(share));
  return more;
}

/* Figure 8 of Chandrachary and others: the slabs over the loop that they are made of. */
static json_t *add_serial(bench_case *c, bench_row *row, json_t *more) {
  if (!strcmp(row->kernel, "serial-loop")) c->serial_gups = row->gups;
  if (!(c->serial_gups > 0) || strncmp(row->kernel, "slabs", 5) != 0) return more;
  const double speedup = row->gups / c->serial_gups;
  const size_t used = strlen(row->note);
  snprintf(row->note + used, sizeof row->note - used, "%s%.3g x serial-loop", used ? "; " : "", speedup);
  if (!more) more = json_object();
  json_object_set_new(more, "serial_speedup", gantry_json_real(speedup));
  return more;
}

/* Figure 9 of Chen et al.: rows "P5, 2 threads" over the same kernel's "P5, 1 thread". */
static json_t *add_scaling(const bench *b, bench_row *row, json_t *more) {
  const char *comma = strstr(row->problem, ", ");
  if (!comma || !strstr(comma, " thread") || row->threads < 2) return more;
  char one[96];
  snprintf(one, sizeof one, "%.*s, 1 thread", (int)(comma - row->problem), row->problem);
  for (size_t n = 0; n < json_array_size(b->rows); n++) {
    const json_t *other = json_array_get(b->rows, n);
    const char *const keys[] = {"problem", "kernel", "precision", "interpolation"};
    const char *const wanted[] = {one, row->kernel, row->precision, row->interp};
    bool same = true;
    for (int i = 0; i < 4; i++) same = same && !strcmp(json_string_value(json_object_get(other, keys[i])), wanted[i]);
    if (!same) continue;
    const double scaling = row->gups / json_number_value(json_object_get(other, "gups"));
    const size_t used = strlen(row->note);
    snprintf(row->note + used, sizeof row->note - used, "%s%.3g x one thread", used ? "; " : "", scaling);
    if (!more) more = json_object();
    json_object_set_new(more, "scaling", gantry_json_real(scaling));
    break;
  }
  return more;
}

/* What a tuned kernel was set to, into the members for JSON; what was turned by hand, into the remarks. */
static json_t *add_setting(const bench *b, const ct_bp_request *request, bench_row *row, json_t *more) {
  char setting[512];
  if (!request->device || !ctgl_device_tell_setting(request->device, row->kernel, request, setting, sizeof setting))
    return more;
  const size_t used = strlen(row->note);
  if (b->options.knobs) snprintf(row->note + used, sizeof row->note - used, "%s%s", used ? "; " : "", b->options.knobs);
  if (!more) more = json_object();
  json_object_set_new(more, "setting", json_string(setting));
  return more;
}

static bool measure_prepared(bench *b, bench_case *c, const bench_run *run, ct_bp_state *state, ct_error **error) {
  const ct_bp_request request = bench_request(b, c, run);
  bench_row row = {.kernel = run->kernel->id,
                   .problem = c->name,
                   .precision = ct_precision_id(run->precision),
                   .interp = ct_interp_id(run->interp),
                   .threads = run->kernel->serial ? 1 : run->threads,
                   .batch = bench_pass_views(run->kernel, &request),
                   .speedup = NAN,
                   .rel_rmse = NAN};
  const bool loop = !strcmp(run->kernel->id, "voxel-loop");
  bench_pace pace;
  int count;
  json_t *more = NULL;
  row.bytes = (double)ct_volume_bytes(c->volume) + (double)ct_stack_bytes(c->stack) +
              (run->kernel->memory ? (double)run->kernel->memory(run->kernel, &request) : 0);
  bool good = try_views(b, c, run, state, &count, &pace, error);
  if (good && run->check)
    good = (more = run->check(b, c, run, count, &row, error));
  else if (good)
    good = check_lattice(b, c, run, count, &row, error);
  good = good && time_runs(b, c, run, state, pace, &row, &more, error);
  if (!good) {
    json_decref(more);
    return false;
  }
  if (loop) {
    c->loop_gups[run->interp] = row.gups;
    c->loop_threads = run->threads;
  }
  if (c->loop_gups[run->interp] > 0 && c->loop_threads == run->threads)
    row.speedup = row.gups / c->loop_gups[run->interp];
  more = add_scaling(b, &row, add_serial(c, &row, add_setting(b, &request, &row, more)));
  if (b->bound_gups > 0) more = add_bound(b, &row, more);
  bench_add_row(b, &row, more);
  return true;
}

static bool check_kernel_memory(const bench_run *run, const ct_bp_request *request, ct_error **error) {
  char needed_text[32], available_text[32];
  const double needed = run->kernel->memory ? (double)run->kernel->memory(run->kernel, request) : 0;
  const double available = (double)ct_memory_available();
  if (available <= 0 || needed < 0.9 * available) return true;
  return ct_error_set(error, CT_ERROR_MEMORY, "it needs %s more, and %s are available.",
                      ct_format_bytes(needed, needed_text, sizeof needed_text),
                      ct_format_bytes(available, available_text, sizeof available_text));
}

/* Textbook is timed where it is used, on the lattice. */
static bool measure_textbook(bench *b, bench_case *c, const bench_run *run, ct_error **error) {
  double times[MOST_REPEATS];
  const int views = c->geometry.views < TEXTBOOK_VIEWS ? c->geometry.views : TEXTBOOK_VIEWS;
  int runs = 0;
  for (double spent = 0; runs < b->options.repeat && spent < b->options.limit; spent += times[runs++]) {
    c->expected_views = 0;
    const bench_clock start = bench_start();
    if (!bench_expect(b, c, run->interp, views, error)) return false;
    times[runs] = bench_elapsed(b, start, run->threads);
  }
  bench_row row = {.kernel = run->kernel->id,
                   .problem = c->name,
                   .precision = ct_precision_id(CT_PRECISION_FLOAT64),
                   .interp = ct_interp_id(run->interp),
                   .threads = run->threads,
                   .batch = views,
                   .views = views,
                   .speedup = NAN,
                   .rel_rmse = NAN,
                   .bytes = (double)ct_volume_bytes(c->expected) + (double)ct_stack_bytes(c->stack)};
  const size_t voxels = ct_grid_voxels(ct_volume_grid(c->expected));
  row.seconds = bench_median(times, runs, &row.spread);
  row.gups = (double)voxels * views / row.seconds / 1e9;
  if (c->loop_gups[run->interp] > 0) row.speedup = row.gups / c->loop_gups[run->interp];
  snprintf(row.note, sizeof row.note, "the reference; timed on %zu voxels", voxels);
  bench_add_row(b, &row, NULL);
  return true;
}

/* What happened to a row: cancelled ends the suite, everything else is told and passed over. */
static bool pass_over(bench *b, const bench_case *c, const bench_run *run, ct_error **error) {
  if (*error && (*error)->code == CT_ERROR_CANCELLED) return false;
  bench_skip(b, c->name, run->kernel->id, error);
  return true;
}

bool bench_measure(bench *b, bench_case *c, const bench_run *wanted, ct_error **error) {
  ct_error *fault = NULL;
  const ct_bp_request request = bench_request(b, c, wanted);
  bench_run resolved = *wanted;
  const bench_run *run = &resolved;
  resolved.batch = request.batch;
  bool good = false;
  bench_say(b, "%s, %s, %s: %s", b->suite->name, c->name, ct_precision_id(run->precision), run->kernel->id);
  if (!strcmp(run->kernel->id, "textbook")) {
    good = measure_textbook(b, c, run, &fault);
  } else if (ct_bp_accepts(run->kernel, &request, &fault) && check_kernel_memory(run, &request, &fault)) {
    ct_bp_state *state = run->kernel->prepare(run->kernel, &request, &fault);
    good = state && measure_prepared(b, c, run, state, &fault);
    if (state) run->kernel->free(state);
  }
  if (good || pass_over(b, c, run, &fault)) return true;
  if (error) *error = fault;
  return false;
}

bool bench_measure_loop(bench *b, bench_case *c, const bench_run *model, ct_error **error) {
  if (c->loop_gups[model->interp] > 0 && c->loop_threads == model->threads) return true;
  bench_run run = *model;
  run.kernel = ct_bp_find(&b->backend.kernels, "voxel-loop");
  run.precision = CT_PRECISION_FLOAT32;
  run.all_views = false;
  if (c->loop_threads != model->threads) memset(c->loop_gups, 0, sizeof c->loop_gups);
  return bench_measure(b, c, &run, error);
}

/* Kernels that serve other geometries or interpolations are no news; other refusals are. */
static bool concerns(const ct_bp_kernel *kernel, const bench_case *c, const bench_run *run) {
  return ct_geometry_promises(&c->geometry, kernel->geometry) && (kernel->interps & CT_BIT(run->interp));
}

/* Of a kernel that was asked for by name. */
static bool tell_refusal(bench *b, const bench_case *c, const bench_run *run, ct_error **error) {
  ct_error *fault = NULL;
  const ct_bp_request request = bench_request(b, c, run);
  ct_bp_accepts(run->kernel, &request, &fault);
  if (pass_over(b, c, run, &fault)) return true;
  *error = fault;
  return false;
}

bool bench_measure_all(bench *b, bench_case *c, const bench_run *model, ct_error **error) {
  const bench_run loop = {.kernel = ct_bp_find(&b->backend.kernels, "voxel-loop"),
                          .interp = model->interp,
                          .precision = CT_PRECISION_FLOAT32,
                          .threads = model->threads,
                          .batch = model->batch,
                          .all_views = true,
                          .check = model->check,
                          .user = model->user};
  /* Of all views if that is wanted and the limit allows it; else of some. */
  if (model->all_views && !b->gpu_only && bench_listed(b->options.kernels, loop.kernel->id) &&
      !bench_measure(b, c, &loop, error))
    return false;
  if (!bench_measure_loop(b, c, model, error)) return false;
  for (size_t i = 0; i < b->backend.kernels.count; i++) {
    bench_run run = *model;
    run.kernel = b->backend.kernels.kernels[i];
    const bool textbook = !strcmp(run.kernel->id, "textbook");
    if (run.kernel == loop.kernel || (b->gpu_only && !run.kernel->gpu) || (textbook && run.all_views) ||
        !bench_listed(b->options.kernels, run.kernel->id))
      continue;
    if (!concerns(run.kernel, c, &run)) {
      const bool otherwise = model->own_interps && !(run.kernel->interps & CT_BIT(run.interp));
      if (b->options.kernels && !otherwise && !tell_refusal(b, c, &run, error)) return false;
      continue;
    }
    for (int p = CT_PRECISION_FLOAT32; p <= CT_PRECISION_FLOAT64; p++) {
      run.precision = (ct_precision)p;
      if (!(run.kernel->precisions & CT_BIT(p)) || (textbook && p != CT_PRECISION_FLOAT64)) continue;
      if (!bench_measure(b, c, &run, error)) return false;
    }
  }
  return true;
}
