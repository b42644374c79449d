/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for a device's best settings: one number at a time (coordinate descent), on small problems of noise. */
#include "render/compute/tuning.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/untold.h"
#include "recon/data/stack.h"
#include "recon/geom/questions.h"
#include "render/compute/knobs-private.h"
#include "render/compute/state-private.h"

#include <stdio.h>
#include <string.h>

enum {
  CARD_EDGE = 512,
  SOFTWARE_EDGE = 16,
  CARD_VIEWS = 64,
  SOFTWARE_VIEWS = 8,
  CARD_ROUNDS = 3,
  SOFTWARE_ROUNDS = 1,
  CARD_RUNS = 3,
  SOFTWARE_RUNS = 1
};

/* Relative RMSE between two settings: what 8 bits of position cost is 3e-3 at most. */
#define MOST_APART 1e-2

/* One family of kernels seen by the search. */
typedef struct family {
  const char *kernel;
  const ctgl_knob *knobs;
  size_t size;        /* of a setting */
  const void *starts; /* settings that the search may begin with in place of the guess; those of slices take its own */
  int start_count;
  bool (*accepts)(const void *setting, const ct_bp_request *request);
  ct_bp_state *(*prepare)(const void *setting, const ct_bp_request *request, ct_error **error);
} family;

typedef struct trial {
  const family *family;
  const char *problem; /* for the watcher */
  int rounds;          /* at most */
  ct_bp_request request;
  ct_bp_batch batch;
  ct_volume *volume, *reference; /* of a run; of the first setting that ran */
  const ctgl_tuning_watcher *watcher;
  ct_job *job;
} trial;

static bool accepts_cone(const void *setting, const ct_bp_request *request) {
  return ctgl_cone_accepts(setting, request, NULL);
}
static ct_bp_state *prepare_cone(const void *setting, const ct_bp_request *request, ct_error **error) {
  return ctgl_cone_prepare(setting, request, error);
}
static bool accepts_parallel(const void *setting, const ct_bp_request *request) {
  return ctgl_parallel_accepts(setting, request, NULL);
}
static ct_bp_state *prepare_parallel(const void *setting, const ct_bp_request *request, ct_error **error) {
  return ctgl_parallel_prepare(setting, request, error);
}

/* From one of these three ways, the guess being the first, one number at a time does not lead to another: a cache, the
 * texture unit for four views at a time, both. */
static const ctgl_parallel_setting parallel_starts[] = {
    {.texture_share = 8, .threads = 256, .area = 16, .cached = 8, .curve = 1, .quarters = 1, .arrays = 1, .unroll = 1},
    {.texture_share = 4, .threads = 256, .area = 32, .cached = 16, .curve = 1, .arrays = 1, .unroll = 1}};
enum { PARALLEL_STARTS = sizeof parallel_starts / sizeof *parallel_starts };

static const family cone_family = {"gl-tuned",   ctgl_cone_knobs, sizeof(ctgl_cone_setting), NULL, 0,
                                   accepts_cone, prepare_cone};
static const family parallel_family = {"gl-tuned-parallel", ctgl_parallel_knobs, sizeof(ctgl_parallel_setting),
                                       parallel_starts,     PARALLEL_STARTS,     accepts_parallel,
                                       prepare_parallel};

/* Seconds since `start`; of slices on a card those of its own clock since they were last taken: their dispatches are
 * over so soon that the way of the projections and the processor's share would decide. Knobs of cone beam are about
 * that way, too. */
static double seconds_since(const trial *t, double start) {
  const double passed = ct_now() - start;
  if (t->family != &parallel_family || ctgl_device_get_facts(t->request.device)->software) return passed;
  const double card = ctgl_device_take_seconds(t->request.device);
  return card > 0 ? card : passed;
}

/* GUPS of a setting, the best of some runs after one that compiles; 0 when the device cannot run it. Cancelled: -1. */
static double rate(const trial *t, const void *setting) {
  if (ct_job_requested(t->job) == CT_JOB_CANCEL) return -1;
  if (!t->family->accepts(setting, &t->request)) return 0;
  const unsigned untold = ct_untold(NULL);
  ct_bp_state *state = t->family->prepare(setting, &t->request, NULL);
  if (!state) {
    ct_untold_forgive(untold);
    return 0;
  }
  double best = 0;
  const double updates = (double)ct_grid_voxels(&t->request.grid) * t->batch.count / 1e9;
  bool good = true;
  const int runs = ctgl_device_get_facts(t->request.device)->software ? SOFTWARE_RUNS : CARD_RUNS;
  for (int n = 0; good && n <= runs; n++) {
    const double start = ct_now();
    good = ctgl_state_run(state, &t->batch, t->volume, t->job, NULL) && ctgl_state_wait(state, NULL);
    const double gups = updates / seconds_since(t, start);
    if (good && n && gups > best) best = gups;
  }
  ctgl_state_free(state);
  return ct_job_requested(t->job) == CT_JOB_CANCEL ? -1 : good ? best : 0;
}

/* The whole volume of a setting. */
static bool make_volume(const trial *t, const void *setting, ct_volume *volume) {
  ct_bp_batch batch = t->batch;
  batch.last = true;
  ct_bp_state *state = t->family->prepare(setting, &t->request, NULL);
  memset(ct_volume_data(volume), 0, ct_volume_bytes(volume));
  const bool good =
      state && ctgl_state_run(state, &batch, volume, t->job, NULL) && ctgl_state_finish(state, volume, NULL);
  ctgl_state_free(state);
  return good;
}

/* Whether a setting is faster, and gives what the first one that ran gave: drivers have been seen that get a trick
 * wrong, and no rate is worth that. */
static bool wins(const trial *t, const void *setting, double gups, double best) {
  if (!(gups > best) || !make_volume(t, setting, best > 0 ? t->volume : t->reference)) return false;
  if (!(best > 0)) return true;
  const float *a = ct_volume_get_data(t->volume), *b = ct_volume_get_data(t->reference);
  double off = 0, square = 0;
  for (size_t n = 0; n < ct_grid_voxels(&t->request.grid); n++) {
    off += ((double)a[n] - b[n]) * ((double)a[n] - b[n]);
    square += (double)b[n] * b[n];
  }
  return off <= MOST_APART * MOST_APART * square;
}

static void tell(const trial *t, const void *setting, double gups, double best) {
  char text[512];
  ct_job_advance(t->job, 1);
  if (!t->watcher) return;
  ctgl_knobs_print(t->family->knobs, setting, text, sizeof text);
  t->watcher->tell(t->watcher->user, &(ctgl_tuning_step){t->family->kernel, t->problem, text, gups, best});
}

static int rounds_on(const ct_bp_device *device) {
  return ctgl_device_get_facts(device)->software ? SOFTWARE_ROUNDS : CARD_ROUNDS;
}

/* Trials of a round: every value of every knob but the one it has. */
static int trials_of_round(const family *f) {
  int trials = 0;
  for (const ctgl_knob *knob = f->knobs; knob->name; knob++)
    for (const int *value = knob->values + 1; *value != CTGL_KNOB_END; value++) trials++;
  return trials;
}

/* Tries every value of one knob. *changed when another one is faster; false when cancelled. */
static bool turn(const trial *t, const ctgl_knob *knob, void *setting, double *best, bool *changed) {
  union {
    ctgl_cone_setting cone;
    ctgl_parallel_setting parallel;
  } other;
  memcpy(&other, setting, t->family->size);
  const int before = *ctgl_knob_field(knob, setting);
  for (const int *value = knob->values; *value != CTGL_KNOB_END; value++) {
    if (*value == before) continue;
    *ctgl_knob_field(knob, &other) = *value;
    const double gups = rate(t, &other);
    if (gups < 0) return false;
    if (wins(t, &other, gups, *best)) {
      *best = gups;
      *changed = true;
      *ctgl_knob_field(knob, setting) = *value;
    }
    tell(t, &other, gups, *best);
  }
  return true;
}

/* The fastest of a setting and the family's other starts. */
static bool begin(const trial *t, void *setting, double *best) {
  *best = rate(t, setting);
  if (*best < 0) return false;
  if (!wins(t, setting, *best, 0)) *best = 0;
  tell(t, setting, *best, *best);
  for (int n = 0; n < t->family->start_count; n++) {
    ctgl_parallel_setting start = ((const ctgl_parallel_setting *)t->family->starts)[n];
    start.slices = ((const ctgl_parallel_setting *)setting)->slices;
    const double gups = rate(t, &start);
    if (gups < 0) return false;
    if (wins(t, &start, gups, *best)) {
      *best = gups;
      memcpy(setting, &start, t->family->size);
    }
    tell(t, &start, gups, *best);
  }
  return true;
}

static bool search(const trial *t, void *setting, double *best) {
  if (!begin(t, setting, best)) return false;
  bool changed = true;
  int left = t->rounds;
  for (; changed && left > 0; left--) {
    changed = false;
    for (const ctgl_knob *knob = t->family->knobs; knob->name; knob++)
      if (!turn(t, knob, setting, best, &changed)) return false;
  }
  ct_job_advance(t->job, (uint64_t)left * (uint64_t)trials_of_round(t->family));
  return true;
}

static bool make_problem(ct_beam beam, int edge, int views, int slices, ct_geometry *geometry, ct_grid *grid,
                         ct_stack **stack, ct_error **error) {
  const bool parallel = ct_beam_promises(beam, CT_TRAIT_PARALLEL);
  if (!ct_geometry_init(geometry, beam, edge, parallel ? slices : edge, views, error)) return false;
  if (!parallel) geometry->sod = 2.0 * edge, geometry->sdd = 3.0 * edge;
  ct_geometry_set_arc(geometry, 0.1, (parallel ? 3.14159265 : 6.2831853) / views);
  *grid = ct_grid_natural(geometry);
  *stack = ct_stack_new(geometry->nu, geometry->nv, views, error);
  unsigned noise = 1;
  for (int n = 0; *stack && n < views; n++) {
    float *at = ct_stack_view(*stack, n);
    for (size_t i = 0; i < (size_t)geometry->nu * (size_t)geometry->nv; i++) {
      noise = noise * 1664525u + 1013904223u;
      at[i] = (float)(noise >> 8) / 16777216.0f - 0.5f; /* a mean would outweigh the errors */
    }
  }
  return *stack;
}

/* After a first search the next one starts close to its optimum; in software it is not repeated. */
static int rounds_of(int mode, const ct_bp_device *device) {
  if (mode == CTGL_TUNED_LINEAR) return rounds_on(device);
  return ctgl_device_get_facts(device)->software ? 0 : 1;
}

static bool serves(const family *f, int mode) {
  return f != &cone_family || ctgl_tuned_for_cone(mode);
}

/* All trials of one problem, in every mode that the family serves. */
static int trials_of(const family *f, const ct_bp_device *device) {
  int trials = 0;
  for (int mode = 0; mode < CTGL_TUNED_MODES; mode++)
    if (serves(f, mode)) trials += 1 + f->start_count + rounds_of(mode, device) * trials_of_round(f);
  return trials;
}

static const struct {
  const char *title;
  ct_interp interp;
  ct_precision precision;
} modes[CTGL_TUNED_MODES] = {
    [CTGL_TUNED_LINEAR] = {"linear", CT_INTERP_LINEAR, CT_PRECISION_FLOAT32},
    [CTGL_TUNED_HALF] = {"half precision", CT_INTERP_LINEAR, CT_PRECISION_FLOAT16},
    [CTGL_TUNED_NEAREST] = {"nearest", CT_INTERP_NEAREST, CT_PRECISION_FLOAT32},
    [CTGL_TUNED_OVERSAMPLED] = {"oversampled", CT_INTERP_OVERSAMPLED, CT_PRECISION_FLOAT32},
};

/* What is tuned together: a family's settings in every mode, on one problem. */
typedef struct target {
  const family *family;
  const char *problem;
  int edge, slices;
  void *setting[CTGL_TUNED_MODES];
  double *gups[CTGL_TUNED_MODES];
} target;

/* Tunes each mode's setting, beginning with that of linear, or, where the texture unit cannot serve, with a guess. */
static bool tune_one(const target *to, ct_bp_device *device, const ctgl_tuning_watcher *watcher, ct_job *job,
                     ct_error **error) {
  const family *f = to->family;
  const int views = ctgl_device_get_facts(device)->software ? SOFTWARE_VIEWS : CARD_VIEWS;
  ct_geometry geometry = {0};
  ct_grid grid;
  ct_stack *stack = NULL;
  const ct_beam beam = ct_beam_find(f == &cone_family ? "cone" : "parallel")->beam;
  bool good = make_problem(beam, to->edge, views, to->slices, &geometry, &grid, &stack, error);
  ct_volume *volume = good ? ct_volume_new(&grid, error) : NULL,
            *reference = volume ? ct_volume_new(&grid, error) : NULL;
  int *order = ct_alloc((size_t)views, sizeof *order, "a batch", error);
  const float **projections = ct_alloc((size_t)views, sizeof *projections, "a batch", error);
  good = reference && order && projections;
  for (int n = 0; good && n < views; n++) order[n] = n, projections[n] = ct_stack_get_view(stack, n);
  for (int mode = 0; good && mode < CTGL_TUNED_MODES; mode++) {
    if (!serves(f, mode)) continue;
    char title[96];
    snprintf(title, sizeof title, "%s, %s", to->problem, modes[mode].title);
    const trial t = {f,
                     title,
                     rounds_of(mode, device),
                     {.geometry = &geometry,
                      .grid = grid,
                      .interp = modes[mode].interp,
                      .precision = modes[mode].precision,
                      .threads = 1,
                      .batch = views,
                      .device = device},
                     {.count = views, .views = order, .projections = projections},
                     volume,
                     reference,
                     watcher,
                     job};
    if (mode && mode != CTGL_TUNED_OVERSAMPLED) memcpy(to->setting[mode], to->setting[CTGL_TUNED_LINEAR], f->size);
    /* A buffer, which may have been best in single precision, keeps no halves. */
    if (modes[mode].precision == CT_PRECISION_FLOAT16 && f == &cone_family)
      ((ctgl_cone_setting *)to->setting[mode])->texture = 1;
    if (!search(&t, to->setting[mode], to->gups[mode]))
      good = ct_error_set(error, CT_ERROR_CANCELLED, "The tuning was cancelled.");
  }
  ct_free(order);
  ct_free(projections);
  ct_volume_free(volume);
  ct_volume_free(reference);
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
  return good;
}

bool ctgl_device_tune(ct_bp_device *device, int edge, const ctgl_tuning_watcher *watcher, ct_job *job,
                      ct_error **error) {
  static const char *const problems[CTGL_TUNED_SLICES] = {
      "parallel beam, 1 slice at a time", "parallel beam, 2 slices at a time", "parallel beam, 4 slices at a time"};
  if (ctgl_device_next(device))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "Settings are tried on one graphics device at a time: name one of those that work together.");
  if (edge <= 0) edge = ctgl_device_get_facts(device)->software ? SOFTWARE_EDGE : CARD_EDGE;
  ctgl_tuning t = ctgl_tuning_guess();
  target to = {.family = &cone_family, .problem = "cone beam", .edge = edge};
  ct_job_begin_stage(job, CT_STAGE_TUNING,
                     (uint64_t)trials_of(&cone_family, device) +
                         CTGL_TUNED_SLICES * (uint64_t)trials_of(&parallel_family, device));
  for (int mode = 0; mode < CTGL_TUNED_MODES; mode++)
    to.setting[mode] = &t.modes[mode].cone, to.gups[mode] = &t.modes[mode].cone_gups;
  if (!ctgl_device_get_facts(device)->software) ctgl_device_measure(device, NULL);
  bool good = tune_one(&to, device, watcher, job, error);
  for (int n = 0; good && n < CTGL_TUNED_SLICES; n++) {
    /* Enough packs of slices for all of a card's groups; in software one slice where slices come one by one. */
    const int slices = !n && ctgl_device_get_facts(device)->software ? 1 : edge / 4 > 4 ? edge / 4 : 4;
    to = (target){.family = &parallel_family, .problem = problems[n], .edge = 2 * edge, .slices = slices};
    for (int mode = 0; mode < CTGL_TUNED_MODES; mode++)
      to.setting[mode] = &t.modes[mode].parallel[n], to.gups[mode] = &t.modes[mode].parallel_gups[n];
    good = tune_one(&to, device, watcher, job, error);
  }
  if (good) *ctgl_device_tuning(device) = t;
  return good;
}
