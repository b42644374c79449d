/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every kernel of a table has to show, on the processor or on a graphics card, in each precision that it is made
 * for: agreement with textbook of the same precision on every case that it accepts, independence of the number of
 * threads, and the answer to a cancel. */
#ifndef CT_TESTS_BP_CHECKS_H
#define CT_TESTS_BP_CHECKS_H

#include "tests/bp/cases.h"
#include "tests/bp/wanted.h"
#include "tests/test.h"

/* CT_TEST_WHOLE (`check --all`): every check on every case, where a sample of them does otherwise; on graphics cards a
 * larger share of them. */
static inline bool whole(void) {
  return getenv("CT_TEST_WHOLE") != NULL;
}

/* Whether a kernel that a check has served so many cases gets this one, too: how many tiles are joined depends on the
 * threads and batches. */
static inline bool is_in_sample(const problem *p, int served) {
  enum { ENOUGH = 6 };
  return served < ENOUGH || strstr(p->name, "many tiles");
}

/* Projection matrices carry a looser promise: their positions are quotients of three numbers. */
static double bound(const ct_bp_kernel *kernel, const problem *p) {
  /* Integers promise less for filtered projections, whose sums cancel, than they keep on noise. */
  if (kernel->precisions == CT_BIT(CT_PRECISION_INT16)) return 5e-5;
  return p->beam == CT_BEAM_FREE ? fmax(kernel->tolerance, 1e-5) : kernel->tolerance;
}

/* Nearest neighbour jumps where positions round differently: a few voxels may, the others have to agree. On graphics
 * cards positions are single precision throughout: a position of some hundred samples is 1e-5 samples off, and of so
 * many updates (two sides of a jump, two directions) that share jumps. */
static size_t jumps_allowed(const ct_bp_request *request) {
  const size_t voxels = ct_grid_voxels(&request->grid);
  const double samples = request->interp == CT_INTERP_OVERSAMPLED ? 4 : 1;
  const double on_card = request->device ? 4e-5 * samples * (double)voxels * request->geometry->views : 0;
  return 2 + voxels / 1000 + (size_t)on_card;
}

static double rmse_but_jumps(ct_volume *volume, const ct_volume *reference, size_t allowed) {
  float *a = ct_volume_data(volume);
  const float *b = ct_volume_get_data(reference);
  const size_t count = ct_grid_voxels(ct_volume_grid(volume));
  size_t jumps = 0;
  for (size_t n = 0; n < count; n++)
    if (fabsf(a[n] - b[n]) > 1e-3f && ++jumps <= allowed) a[n] = b[n];
  return problem_rel_rmse(volume, reference);
}

/* The first that it is made for: float32 where it is. */
static ct_precision precision_of(const ct_bp_kernel *kernel) {
  return (ct_precision)__builtin_ctz(kernel->precisions);
}

typedef struct scene {
  ct_geometry geometry;
  ct_stack *stack;
  ct_volume *reference, *volume;
  bool smooth; /* the projections are what kernels that resample are held to */
} scene;

static void scene_clear(scene *s) {
  ct_volume_free(s->reference);
  ct_volume_free(s->volume);
  ct_stack_free(s->stack);
  ct_geometry_clear(&s->geometry);
}

static void start_at(ct_volume *volume, float value) {
  float *data = ct_volume_data(volume);
  const size_t count = ct_grid_voxels(ct_volume_grid(volume));
  for (size_t n = 0; n < count; n++) data[n] = value;
}

static bool is_to_compare(const ct_bp_kernel *kernel, const ct_bp_request *request) {
  return strcmp(kernel->id, "textbook") && runs_here(kernel) && ct_bp_accepts(kernel, request, NULL);
}

/* What the table's kernels run on; NULL: the processor. */
static ct_bp_device *check_device;

/* Without projections and volumes where no kernel of the table is to be compared. */
static bool scene_make(scene *s, const problem *p, ct_interp interp, ct_precision precision, const ct_bp_table *kernels,
                       ct_bp_request *request, ct_error **error) {
  *s = (scene){0};
  if (!problem_geometry(p, &s->geometry, error)) return false;
  const ct_grid grid = problem_grid(p);
  *request = (ct_bp_request){.geometry = &s->geometry,
                             .grid = grid,
                             .interp = interp,
                             .precision = precision,
                             .threads = 2,
                             .batch = 5,
                             .device = check_device};
  size_t wanted = 0;
  for (size_t n = 0; n < kernels->count; n++) wanted += is_to_compare(kernels->kernels[n], request);
  if (!wanted) return true;
  s->stack = problem_projections(&s->geometry, error);
  s->reference = s->stack ? ct_volume_new(&grid, error) : NULL;
  s->volume = s->reference ? ct_volume_new(&grid, error) : NULL;
  if (!s->volume) return false;
  const ct_bp_table table = ct_bp_cpu_kernels();
  start_at(s->reference, 0.5f);
  return problem_run(ct_bp_find(&table, "textbook"), request, s->stack, s->reference, NULL, error);
}

/* Changes the projections, and textbook's volume with them, from noise to smooth ones or back. */
static bool scene_suit(scene *s, const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  if (s->smooth == kernel->resamples) return true;
  const ct_bp_table table = ct_bp_cpu_kernels();
  ct_stack_free(s->stack);
  if (!(s->stack = problem_projections(&s->geometry, error))) return false;
  if (kernel->resamples) problem_smooth(s->stack);
  s->smooth = kernel->resamples;
  start_at(s->reference, 0.5f);
  return problem_run(ct_bp_find(&table, "textbook"), request, s->stack, s->reference, NULL, error);
}

static bool has_jumps(ct_interp interp) {
  return interp == CT_INTERP_NEAREST || interp == CT_INTERP_OVERSAMPLED;
}

/* Compares all kernels on one case; returns false with a message when one fails. served[n] counts what kernel n
 * accepted. wanted: those kernels alone; NULL: all. */
static bool compare_all(const ct_bp_table *table, const problem *p, ct_interp interp, ct_precision precision,
                        const bool *wanted, int *served, char *words, size_t size) {
  ct_error *error = NULL;
  scene s;
  ct_bp_request request;
  bool fine = scene_make(&s, p, interp, precision, table, &request, &error);
  if (!fine) snprintf(words, size, "%s: %s", p->name, error ? error->message : "?");
  for (size_t n = 0; fine && n < table->count; n++) {
    const ct_bp_kernel *kernel = table->kernels[n];
    if ((wanted && !wanted[n]) || !is_to_compare(kernel, &request)) continue;
    served[n]++;
    start_at(s.volume, 0.5f);
    fine = scene_suit(&s, kernel, &request, &error) && problem_run(kernel, &request, s.stack, s.volume, NULL, &error);
    if (!fine) {
      snprintf(words, size, "%s, %s: %s", kernel->id, p->name, error->message);
      break;
    }
    const double rmse = has_jumps(interp) ? rmse_but_jumps(s.volume, s.reference, jumps_allowed(&request))
                                          : problem_rel_rmse(s.volume, s.reference);
    if (getenv("CT_TEST_VERBOSE"))
      printf("# %-20s %-34s %-11s %-7s %.2e\n", kernel->id, p->name, ct_interp_id(interp), ct_precision_id(precision),
             rmse);
    fine = rmse <= bound(kernel, p);
    if (!fine)
      snprintf(words, size, "%s, %s, %s, %s: relative RMSE %.3g, not %.3g", kernel->id, p->name, ct_interp_id(interp),
               ct_precision_id(precision), rmse, bound(kernel, p));
  }
  ct_error_clear(&error);
  scene_clear(&s);
  return fine;
}

enum { most_kernels = 256 };

/* Every kernel that offers the interpolation and precision has to have met a case. */
static inline void check_served(const ct_bp_table *table, ct_interp interp, ct_precision precision, const int *served) {
  for (size_t n = 0; n < table->count; n++) {
    const ct_bp_kernel *kernel = table->kernels[n];
    if (!strcmp(kernel->id, "textbook")) continue;
    const bool offers =
        runs_here(kernel) && (kernel->interps & CT_BIT(interp)) && (kernel->precisions & CT_BIT(precision));
    if (offers && !served[n] && ct_test_case_step() == 1)
      CT_TEST_END(1, "no case tests kernel %s with %s, %s", kernel->id, ct_interp_id(interp),
                  ct_precision_id(precision));
  }
}

/* On one case in `step`, another one first for each interpolation and precision. */
static inline void check_interp_in_steps(const ct_bp_table *table, ct_interp interp, ct_precision precision, int step) {
  int served[most_kernels] = {0};
  char words[400];
  CHECK(table->count <= most_kernels);
  for (int n = (int)(interp + precision) % step; n < case_count; n += step * ct_test_case_step()) {
    if (!compare_all(table, &cases[n], interp, precision, NULL, served, words, sizeof words))
      CT_TEST_END(1, "%s", words);
  }
  check_served(table, interp, precision, served);
}

/* Every case by one kernel in `share`, other kernels for each case, interpolation and precision; then kernels that met
 * none of theirs by the first that they accept: of those of a smaller share, which `most` divides as it does `share`,
 * and then of all. What a device has compiled for the pairs of a large share so serves those of a small one. */
static inline void check_interp_shared(const ct_bp_table *table, ct_interp interp, ct_precision precision, int share,
                                       int most) {
  int served[most_kernels] = {0};
  bool wanted[most_kernels];
  char words[400];
  CHECK(table->count <= most_kernels);
  const int shares[] = {share, most, 1};
  for (int round = 0; round < 3; round++)
    for (int n = 0; n < case_count; n++) {
      bool any = false;
      for (size_t k = 0; k < table->count; k++) {
        const bool unserved = !served[k] && (table->kernels[k]->interps & CT_BIT(interp));
        wanted[k] = (round == 0 || unserved) && ((size_t)n + k + interp) % (size_t)shares[round] == 0;
        any = any || wanted[k];
      }
      if (any && !compare_all(table, &cases[n], interp, precision, wanted, served, words, sizeof words))
        CT_TEST_END(1, "%s", words);
    }
  check_served(table, interp, precision, served);
}

static inline void check_interp(const ct_bp_table *table, ct_interp interp, ct_precision precision) {
  check_interp_in_steps(table, interp, precision, 1);
}

/* What the request, which gets the problem's geometry and grid, makes of it, as the reference; and room for a volume
 * beside. Nothing where the kernel does not accept it. */
static bool make_reference(const ct_bp_kernel *kernel, const problem *p, ct_bp_request *request, scene *s,
                           bool *accepted, ct_error **error) {
  if (!problem_geometry(p, &s->geometry, error)) return false;
  request->geometry = &s->geometry;
  request->grid = problem_grid(p);
  *accepted = ct_bp_accepts(kernel, request, NULL);
  return !*accepted ||
         ((s->stack = problem_projections(&s->geometry, error)) &&
          (s->reference = ct_volume_new(&request->grid, error)) && (s->volume = ct_volume_new(&request->grid, error)) &&
          problem_run(kernel, request, s->stack, s->reference, NULL, error));
}

/* Whether another request gives the reference, bit for bit. */
static bool makes_the_same(const ct_bp_kernel *kernel, const ct_bp_request *request, scene *s, ct_error **error) {
  start_at(s->volume, 0);
  return problem_run(kernel, request, s->stack, s->volume, NULL, error) &&
         !memcmp(ct_volume_get_data(s->volume), ct_volume_get_data(s->reference), ct_volume_bytes(s->volume));
}

static bool same_for_threads(const ct_bp_kernel *kernel, ct_precision precision, ct_bp_device *device, const problem *p,
                             ct_interp interp, bool *served) {
  ct_error *error = NULL;
  scene s = {0};
  bool accepted = false;
  ct_bp_request request = {.interp = interp, .precision = precision, .threads = 1, .batch = 4, .device = device};
  bool same = make_reference(kernel, p, &request, &s, &accepted, &error);
  *served = *served || accepted;
  request.threads = 3;
  same = same && (!accepted || makes_the_same(kernel, &request, &s, &error));
  ct_error_clear(&error);
  scene_clear(&s);
  return same;
}

/* Whether layouts made ahead, by 1 thread and by 3, give the volume of plain runs, bit for bit. */
static bool same_ahead(const ct_bp_kernel *kernel, ct_precision precision, const problem *p, int batch, bool *served) {
  ct_error *error = NULL;
  scene s = {0};
  bool accepted = false;
  ct_bp_request request = {.interp = CT_INTERP_LINEAR, .precision = precision, .threads = 2, .batch = batch};
  bool same = make_reference(kernel, p, &request, &s, &accepted, &error);
  *served = *served || accepted;
  if (same && accepted) {
    const size_t plain = kernel->memory(kernel, &request);
    request.ahead = true;
    same = kernel->memory(kernel, &request) > plain;
    for (request.threads = 1; same && request.threads <= 3; request.threads += 2)
      same = makes_the_same(kernel, &request, &s, &error);
  }
  ct_error_clear(&error);
  scene_clear(&s);
  return same;
}

/* Whether a volume of zeros to which the first sums are added is the one in which they are stored. */
static bool same_first(const ct_bp_kernel *kernel, ct_precision precision, const problem *p, bool *served) {
  ct_error *error = NULL;
  scene s = {0};
  bool accepted = false;
  const ct_interp interp =
      kernel->interps & CT_BIT(CT_INTERP_LINEAR) ? CT_INTERP_LINEAR : (ct_interp)__builtin_ctz(kernel->interps);
  ct_bp_request request = {.interp = interp, .precision = precision, .threads = 2, .batch = 4};
  bool same = make_reference(kernel, p, &request, &s, &accepted, &error);
  *served = *served || accepted;
  if (same && accepted) {
    ct_bp_state *state = kernel->prepare(kernel, &request, &error);
    same = state && problem_add_to(false, kernel, state, &request, s.stack, s.volume, NULL, &error);
    if (state) kernel->free(state);
    const float *stored = ct_volume_get_data(s.reference), *added = ct_volume_get_data(s.volume);
    for (size_t n = 0; same && n < ct_grid_voxels(&request.grid); n++) same = stored[n] == added[n];
  }
  ct_error_clear(&error);
  scene_clear(&s);
  return same;
}

/* The precision that case c is tried in: all that the kernel has by turns. */
static ct_precision precision_at(const ct_bp_kernel *kernel, int c) {
  for (int n = c % 4;; n = (n + 1) % 4)
    if (kernel->precisions & CT_BIT(n)) return (ct_precision)n;
}

/* Rows of whole cache lines, which are stored past the caches, and others. */
static inline void check_first(const ct_bp_table *table) {
  for (size_t n = 0; n < table->count; n++) {
    const ct_bp_kernel *kernel = table->kernels[n];
    if (!runs_here(kernel) || !strcmp(kernel->id, "textbook")) continue;
    int seen = 0;
    for (int c = 0; c < case_count; c += ct_test_case_step()) {
      bool served = false;
      for (int lines = 0; lines < 2 && (whole() || is_in_sample(&cases[c], seen)); lines++) {
        problem p = cases[c];
        if (lines) p.nx = (p.nx + 15) / 16 * 16;
        if (!same_first(kernel, precision_at(kernel, c), &p, &served))
          CT_TEST_END(1, "%s, %s: first sums stored and added differ", kernel->id, cases[c].name);
      }
      seen += served;
    }
    if (!seen && ct_test_case_step() == 1) CT_TEST_END(1, "no case tests kernel %s with first sums stored", kernel->id);
  }
}

/* Batches of one layout, and of several. */
static inline void check_ahead(const ct_bp_table *table) {
  for (size_t n = 0; n < table->count; n++) {
    const ct_bp_kernel *kernel = table->kernels[n];
    if (!kernel->lays || !runs_here(kernel)) continue;
    int seen = 0;
    for (int c = 0; c < case_count; c += ct_test_case_step()) {
      bool served = false;
      for (int batch = 3; batch <= 19 && (whole() || is_in_sample(&cases[c], seen)); batch += 8)
        if (!same_ahead(kernel, precision_at(kernel, c + batch / 8), &cases[c], batch, &served))
          CT_TEST_END(1, "%s, %s: a layout made ahead changes the volume", kernel->id, cases[c].name);
      seen += served;
    }
    if (!seen && ct_test_case_step() == 1)
      CT_TEST_END(1, "no case tests kernel %s with layouts made ahead", kernel->id);
  }
}

static inline void check_threads(const ct_bp_table *table) {
  for (size_t n = 0; n < table->count; n++) {
    const ct_bp_kernel *kernel = table->kernels[n];
    if (!runs_here(kernel)) continue;
    const ct_interp interp = kernel->interps & CT_BIT(CT_INTERP_LINEAR) ? CT_INTERP_LINEAR : CT_INTERP_NEAREST;
    int cases_seen = 0;
    for (int c = 0; c < case_count;
         c += !strcmp(kernel->id, "textbook") ? 9 * ct_test_case_step() : ct_test_case_step()) {
      if (!is_in_sample(&cases[c], cases_seen)) continue;
      bool served = false;
      if (!same_for_threads(kernel, precision_at(kernel, c), check_device, &cases[c], interp, &served))
        CT_TEST_END(1, "%s, %s: 1 and 3 threads differ", kernel->id, cases[c].name);
      cases_seen += served;
    }
  }
}

/* A kernel that meets a cancelled job says so, in that code, and has not done the work. */
static bool answers_cancel(const ct_bp_kernel *kernel, ct_bp_device *device, const problem *p, bool *served) {
  ct_error *error = NULL;
  scene s = {0};
  ct_job *job = ct_job_new(&error);
  bool fine = job && problem_geometry(p, &s.geometry, &error);
  const ct_grid grid = problem_grid(p);
  const ct_interp interp = kernel->interps & CT_BIT(CT_INTERP_LINEAR) ? CT_INTERP_LINEAR : CT_INTERP_NEAREST;
  const ct_bp_request request = {.geometry = &s.geometry,
                                 .grid = grid,
                                 .interp = interp,
                                 .precision = precision_of(kernel),
                                 .threads = 2,
                                 .batch = p->views,
                                 .device = device};
  if (fine && ct_bp_accepts(kernel, &request, NULL)) {
    *served = true;
    ct_job_cancel(job);
    s.stack = problem_projections(&s.geometry, &error);
    s.volume = ct_volume_new(&grid, &error);
    fine = s.stack && s.volume && !problem_run(kernel, &request, s.stack, s.volume, job, &error) && error &&
           error->code == CT_ERROR_CANCELLED;
    const float *data = fine ? ct_volume_get_data(s.volume) : NULL;
    for (size_t n = 0; fine && n < ct_grid_voxels(&grid); n++) fine = data[n] == 0;
  }
  ct_error_clear(&error);
  ct_job_free(job);
  scene_clear(&s);
  return fine;
}

static inline void check_cancel(const ct_bp_table *table) {
  for (size_t n = 0; n < table->count; n++) {
    if (!runs_here(table->kernels[n])) continue;
    bool served = false;
    for (int c = 0; c < case_count && !served; c++)
      if (!answers_cancel(table->kernels[n], check_device, &cases[c], &served))
        CT_TEST_END(1, "%s, %s: does not answer a cancel", table->kernels[n]->id, cases[c].name);
  }
}

#endif
