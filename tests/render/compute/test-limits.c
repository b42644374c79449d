/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes and detectors larger than the textures of a device, which the tests make small: they are cut into tiles and
 * strips, and come out as textbook's. */
#include "render/compute/device-private.h"
#include "tests/bp/checks.h"

static ct_bp_device *device;
static ctgl_device_facts kept, *facts;

/* The device's own facts, to be changed. */
static bool open_device(void) {
  if (!device) {
    device = check_device = ctgl_device_new(NULL, true, NULL);
    if (!device) return false;
    facts = (ctgl_device_facts *)ctgl_device_get_facts(device);
    kept = *facts;
  }
  *facts = kept;
  return true;
}

#define NEED_DEVICE()                                                                                                  \
  if (!open_device()) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

static const char *const parallel_kernels[] = {"gl-slices-1", "gl-slices-4", "gl-wide-2"};

static const problem tall = {"tall", CT_BEAM_PARALLEL, 24, 30, 5, 1,  1, 0, 0,   0.4, 0, 0,
                             0.1,    3.14159265,       0,  9,  7, 41, 1, 1, 0.7, 0,   0, 0};

/* Whether these kernels are textbook's on a problem; words at the first that is not. */
static bool agree(const problem *p, ct_interp interp, const char *const *ids, size_t count, char *words, size_t size) {
  const ct_bp_table table = ctgl_backend(device).kernels;
  bool good = true;
  *words = 0;
  for (size_t n = 0; good && n < count; n++) {
    int served = 0;
    const ct_bp_kernel *kernel = ct_bp_find(&table, ids[n]);
    const ct_bp_table one = {.kernels = &kernel, .count = 1};
    good = compare_all(&one, p, interp, CT_PRECISION_FLOAT32, NULL, &served, words, size);
    if (good && !served) good = snprintf(words, size, "%s does not take %s", ids[n], p->name) < 0;
  }
  return good;
}

#define CHECK_AGREE(p, interp, ids)                                                                                    \
  do {                                                                                                                 \
    char words[400];                                                                                                   \
    if (!agree(p, interp, ids, sizeof ids / sizeof *ids, words, sizeof words)) CT_TEST_END(1, "%s", words);            \
  } while (0)

static void test_layers(void) {
  NEED_DEVICE();
  const int layers[] = {40, 7, 1};
  for (size_t n = 0; n < sizeof layers / sizeof *layers; n++) {
    facts->texture_layers = layers[n];
    CHECK_AGREE(&tall, CT_INTERP_LINEAR, parallel_kernels);
  }
}

/* More slices than this device's textures have layers. */
static void test_true_layers(void) {
  NEED_DEVICE();
  if (facts->texture_layers > 4096) CT_TEST_END(2, "textures of %d layers", facts->texture_layers);
  problem tower = tall;
  tower.nz = facts->texture_layers + 52, tower.dz = 28.0 / tower.nz;
  CHECK_AGREE(&tower, CT_INTERP_LINEAR, parallel_kernels);
}

/* Strips across, down, and both; one pixel more than fits. */
static void test_strips(void) {
  NEED_DEVICE();
  static const char *const kernels[] = {"gl-texture", "gl-four-views", "gl-rabbit-stream", "gl-tuned"};
  static const int picks[] = {0, 2, 4, 6};
  for (size_t n = 0; n < sizeof picks / sizeof *picks; n++) {
    problem p = cases[picks[n]];
    const int sides[] = {p.nu - 1, (p.nu < p.nv ? p.nu : p.nv) - 1, 9};
    for (size_t side = 0; side < sizeof sides / sizeof *sides; side++) {
      facts->texture_side = sides[side];
      CHECK_AGREE(&p, CT_INTERP_LINEAR, kernels);
    }
    /* Away from the middles between pixels, where rounding may go either way. */
    p.offset_u += 0.1231, p.offset_v += 0.0377;
    CHECK_AGREE(&p, CT_INTERP_NEAREST, kernels);
  }
}

/* Sinograms wider than a texture are made in windows, for a square of the slice each: of 16, 32 and 64 pixels a side
 * and more. */
static void test_wide_parallel(void) {
  NEED_DEVICE();
  static const struct {
    int side;
    ct_interp interp;
    const char *kernels[4];
  } trials[] = {
      {26, CT_INTERP_LINEAR, {"gl-slices-1", "gl-curve-2", "gl-quarters-4", "gl-tuned"}},
      {60, CT_INTERP_LINEAR, {"gl-slices-4", "gl-cache-1", "gl-cache-4", "gl-cache-8-pixels"}},
      {100, CT_INTERP_LINEAR, {"gl-columns", "gl-differences", "gl-hybrid-1", "gl-tuned-parallel"}},
      {102, CT_INTERP_NEAREST, {"gl-slices-2", "gl-cache-2", "gl-wide-1", "gl-round-1"}},
      {200, CT_INTERP_OVERSAMPLED, {"gl-cache-1", "gl-cache-2", "gl-cache-4", "gl-cache-8-pixels"}},
      {400, CT_INTERP_OVERSAMPLED, {"gl-columns", "gl-wide-2", "gl-round-1", "gl-split-4"}},
  };
  problem p = {"wide", CT_BEAM_PARALLEL, 150, 3,  7,   1, 1, 0, 0,   -3.7, 0, 0,
               0.1,    3.14159265,       0,   97, 133, 5, 1, 1, 0.7, -6,   4, 0};
  for (size_t n = 0; n < sizeof trials / sizeof *trials; n++) {
    facts->texture_side = trials[n].side;
    p.offset_u = trials[n].interp == CT_INTERP_LINEAR ? -3.7 : -3.5769;
    CHECK_AGREE(&p, trials[n].interp, trials[n].kernels);
  }
  /* Tiles of some rows, too. */
  facts->texture_side = 60, facts->storage_block = sizeof(float) * 97 * 5 * 40;
  CHECK_AGREE(&p, CT_INTERP_LINEAR, trials[1].kernels);
}

/* Voxels so large that the shadow of the smallest square is wider than a texture: another kernel serves, and is taken.
 */
static void test_coarse_parallel(void) {
  NEED_DEVICE();
  const ct_bp_table gpu = ctgl_backend(device).kernels;
  ct_geometry geometry;
  ct_error *error = NULL;
  facts->texture_side = 20, facts->software = false;
  CHECK_OK(problem_geometry(&tall, &geometry, &error));
  ct_bp_request request = {.geometry = &geometry,
                           .grid = problem_grid(&tall),
                           .interp = CT_INTERP_LINEAR,
                           .precision = CT_PRECISION_FLOAT32,
                           .threads = 2,
                           .batch = 5,
                           .device = device};
  request.grid.nx = request.grid.ny = 33;
  CHECK_FAILS(ct_bp_accepts(ct_bp_find(&gpu, "gl-wide-2"), &request, &error), CT_ERROR_UNSUPPORTED,
              "“gl-tuned” serves instead");
  const ct_bp_kernel *kernel = ct_bp_choose(&gpu, "auto", &request, NULL, 0, &error);
  CHECK_OK(kernel);
  CHECK(!strcmp(kernel->id, "gl-tuned"));
  static const char *const kernels[] = {"gl-tuned"};
  CHECK_AGREE(&tall, CT_INTERP_LINEAR, kernels);
  facts->texture_layers = 100;
  CHECK_FAILS(ct_bp_accepts(kernel, &request, &error), CT_ERROR_UNSUPPORTED, "fewer views at a time");
  ct_geometry_clear(&geometry);
}

/* Adds one batch of all views to two volumes, the kernel's while somebody asks to finish early, and textbook's of as
 * many as it added. */
static bool finish_early(const char *id, const problem *p, int *added, double *rmse, ct_error **error) {
  const ct_bp_table gpu = ctgl_backend(device).kernels, cpu = ct_bp_cpu_kernels();
  const ct_bp_kernel *kernel = ct_bp_find(&gpu, id), *textbook = ct_bp_find(&cpu, "textbook");
  scene s = {0};
  ct_job *job = ct_job_new(error);
  ct_bp_state *state = NULL;
  bool fine = job && problem_geometry(p, &s.geometry, error);
  const ct_grid grid = problem_grid(p);
  const ct_bp_request request = {.geometry = &s.geometry,
                                 .grid = grid,
                                 .interp = CT_INTERP_LINEAR,
                                 .precision = CT_PRECISION_FLOAT32,
                                 .threads = 2,
                                 .batch = p->views,
                                 .device = device};
  s.stack = fine ? problem_projections(&s.geometry, error) : NULL;
  s.volume = ct_volume_new(&grid, NULL);
  s.reference = ct_volume_new(&grid, NULL);
  const float *projections[64];
  int views[64];
  for (int n = 0; s.stack && n < p->views; n++) views[n] = n, projections[n] = ct_stack_get_view(s.stack, n);
  fine = fine && s.stack && s.volume && s.reference && (state = kernel->prepare(kernel, &request, error));
  if (fine) {
    ct_job_finish_early(job);
    *added = p->views;
    fine = kernel->run(state,
                       &(ct_bp_batch){
                           .count = p->views, .views = views, .projections = projections, .last = true, .added = added},
                       s.volume, job, error) &&
           kernel->finish(state, s.volume, error);
    kernel->free(state);
  }
  state = fine ? textbook->prepare(textbook, &request, error) : NULL;
  if (state) {
    fine =
        textbook->run(state, &(ct_bp_batch){.count = *added, .views = views, .projections = projections, .last = true},
                      s.reference, NULL, error);
    textbook->free(state);
    *rmse = problem_rel_rmse(s.volume, s.reference);
  }
  ct_job_free(job);
  scene_clear(&s);
  return fine && state;
}

static void test_finish_early(void) {
  NEED_DEVICE();
  static const problem p = {"early", CT_BEAM_PARALLEL, 200, 30,  24,  1,  1,   0,   0,   0.4, 0, 0,
                            0.1,     3.14159265,       0,   250, 243, 40, 0.8, 0.8, 0.7, 0,   0, 0};
  static const char *const kernels[] = {"gl-slices-2", "gl-quarters-4", "gl-wide-2", "gl-tuned-parallel"};
  for (size_t n = 0; n < sizeof kernels / sizeof *kernels; n++) {
    int added = 0;
    double rmse = NAN;
    ct_error *error = NULL;
    CHECK_OK(finish_early(kernels[n], &p, &added, &rmse, &error));
    /* A card does so little work in one pass: there all views are right, too. */
    const bool software = ctgl_device_get_facts(device)->software;
    if (added < 1 || (software && added > p.views * 2 / 3))
      CT_TEST_END(1, "%s added %d views of %d", kernels[n], added, p.views);
    if (!(rmse <= 2e-3)) CT_TEST_END(1, "%s, %d views: relative RMSE %.3g", kernels[n], added, rmse);
  }
}

/* Processes of one machine: each card once before any twice, devices in software by their name alone. */
static void test_turns(void) {
  const ctgl_device_facts list[] = {{.name = "A card"},
                                    {.name = "B"},
                                    {.name = "A card #2"},
                                    {.name = "A card #2x"},
                                    {.name = "soft", .software = true}};
  enum { COUNT = sizeof list / sizeof *list };
  static const struct {
    const char *name;
    int number, of, at, sharers;
  } expected[] = {{"auto", 0, 6, 0, 2},      {"auto", 1, 6, 1, 2},   {"auto", 3, 6, 3, 1},    {NULL, 4, 6, 0, 2},
                  {NULL, 5, 6, 1, 2},        {"A card", 0, 3, 0, 2}, {"A card", 1, 3, 2, 1},  {"A card", 2, 3, 0, 2},
                  {"A card #2", 1, 3, 2, 3}, {"soft", 1, 2, 4, 2},   {"c card", 0, 2, -1, 0}, {"B #", 0, 2, -1, 0},
                  {"b", 0, 2, 1, 2},         {"CARD", 0, 4, 0, 2},   {"CARD", 2, 4, 3, 1},    {"#2x", 1, 2, 3, 2}};
  for (size_t n = 0; n < sizeof expected / sizeof *expected; n++) {
    int sharers = 0;
    const ctgl_turn turn = {expected[n].number, expected[n].of};
    const int at = ctgl_device_pick(list, COUNT, expected[n].name, turn, &sharers);
    if (at != expected[n].at || sharers != expected[n].sharers)
      CT_TEST_END(1, "case %d: device %d, of %d processes", (int)n, at, sharers);
  }
  int sharers;
  CHECK(ctgl_device_pick(list + 4, 1, NULL, (ctgl_turn){0, 2}, &sharers) == -1);
}

/* By its whole name, or by a part of it that no other has. */
static void test_names(void) {
  ctgl_device_facts list[] = {{.name = "Fast 80GB"}, {.name = "Fast"}, {.name = "Fast 80GB"}, {.name = "soft (LLVM)"}};
  enum { COUNT = sizeof list / sizeof *list };
  static const struct {
    const char *name;
    int at;
    const char *words;
  } expected[] = {{NULL, 0, ""},        {"auto", 0, ""},         {"Fast", 1, ""},
                  {"Fast 80GB", 0, ""}, {"Fast 80GB #2", 2, ""}, {"80gb", 0, ""},
                  {"llvm", 3, ""},      {"gb #2", 2, ""},        {"FAST", -1, "“Fast 80GB” or “Fast”"},
                  {"s", -1, "may be"},  {"", -1, "no graphics"}, {"slow", -1, "“Fast 80GB” is one"}};
  ctgl_device_number_twins(list, COUNT);
  CHECK(!strcmp(list[2].name, "Fast 80GB #2") && !strcmp(list[1].name, "Fast"));
  for (size_t n = 0; n < sizeof expected / sizeof *expected; n++) {
    ct_error *error = NULL;
    const int at = ctgl_device_find(list, COUNT, expected[n].name, &error);
    const bool told = at >= 0 ? !error : error && strstr(error->message, expected[n].words);
    ct_error_clear(&error);
    if (at != expected[n].at || !told) CT_TEST_END(1, "case %d: device %d", (int)n, at);
  }
  ct_error *error = NULL;
  CHECK(ctgl_device_find(list, 0, "Fast", &error) == -1 && strstr(error->message, "No graphics device"));
  ct_error_clear(&error);
}

static const ct_test tests[] = {
    {"processes of one machine take its devices in turn", test_turns},
    {"a device is meant by its name, or by a part of it that is its own", test_names},
    {"sinograms of more slices than a texture has layers go in tiles", test_layers},
    {"so do those of more than this device's layers", test_true_layers},
    {"projections larger than a texture lie in strips", test_strips},
    {"sinograms wider than a texture are made in windows", test_wide_parallel},
    {"voxels whose shadow is wider than a texture get another kernel", test_coarse_parallel},
    {"a finish early amid a batch is answered with whole views", test_finish_early},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(device);
  return result;
}
