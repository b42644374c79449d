/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that work together make what one of them makes alone: the volume, planes of one in the making, an error. Here
 * they are contexts of their own on the one device that there is. */
#include "render/compute/device-private.h"
#include "render/compute/together-private.h"
#include "render/compute/tuning-private.h"
#include "render/compute/tuning.h"
#include "tests/render/compute/trial.h"
#include "tests/test.h"

static ct_bp_device *alone, *two, *three;

static bool open_devices(void) {
  if (alone) return true;
  if (!(alone = ctgl_device_new(NULL, false, NULL))) return false;
  const char *name = ctgl_device_get_facts(alone)->name;
  char names[3 * sizeof(ctgl_device_facts)];
  snprintf(names, sizeof names, "%s + %s", name, name);
  two = ctgl_device_new(names, false, NULL);
  snprintf(names, sizeof names, "%s + %s + %s", name, name, name);
  three = ctgl_device_new(names, false, NULL);
  return true;
}

#define NEED_DEVICES()                                                                                                 \
  if (!open_devices()) CT_TEST_END(2, "no graphics device with OpenGL 4.3")

/* The planes in the making behind the first batch, one after the other, and then the volume. */
typedef struct made {
  float *planes;
  size_t count;
  ct_volume *volume;
} made;

static void clear(made *m) {
  free(m->planes);
  ct_volume_free(m->volume);
  *m = (made){0};
}

static bool read_planes(const trial *t, ct_bp_state *state, made *m, ct_error **error) {
  for (ct_plane plane = CT_AXIAL; plane <= CT_SAGITTAL; plane++) {
    int width, height, count;
    ct_grid_plane_size(&t->request.grid, plane, &width, &height, &count);
    const size_t size = (size_t)width * (size_t)height;
    for (int index = 0; index < count; index++, m->count += size) {
      m->planes = realloc(m->planes, (m->count + size) * sizeof *m->planes);
      if (!t->kernel->read_plane(state, m->volume, plane, index, m->planes + m->count, error)) return false;
    }
  }
  return true;
}

static bool make(trial *t, ct_bp_device *device, made *m, ct_error **error) {
  const ct_bp_table table = ctgl_backend(device).kernels;
  t->kernel = ct_bp_find(&table, t->kernel->id);
  t->request.device = device;
  m->volume = ct_volume_new(&t->request.grid, error);
  ct_bp_state *state = m->volume && ct_bp_accepts(t->kernel, &t->request, error)
                           ? t->kernel->prepare(t->kernel, &t->request, error)
                           : NULL;
  bool good = state != NULL;
  const int views = ct_stack_views(t->stack);
  for (int first = 0; good && first < views; first += t->request.batch) {
    int numbers[16], count = 0;
    const float *projections[16];
    for (; count < t->request.batch && first + count < views; count++) {
      numbers[count] = first + count;
      projections[count] = ct_stack_get_view(t->stack, first + count);
    }
    const ct_bp_batch batch = {.count = count,
                               .views = numbers,
                               .projections = projections,
                               .first = first == 0,
                               .last = first + count == views};
    good = t->kernel->run(state, &batch, m->volume, NULL, error) && (first || read_planes(t, state, m, error));
  }
  good = good && t->kernel->finish(state, m->volume, error);
  if (state) t->kernel->free(state);
  return good;
}

static double distance(const float *a, const float *b, size_t count) {
  double off = 0, all = 0;
  for (size_t n = 0; n < count; n++) {
    off += ((double)a[n] - b[n]) * ((double)a[n] - b[n]);
    all += (double)b[n] * b[n];
  }
  return sqrt(off / all);
}

static void check_same(const problem *p, const char *kernel) {
  ct_error *error = NULL;
  trial t;
  CHECK_OK(trial_make(&t, p, kernel, alone, &error));
  made one = {0};
  CHECK_OK(make(&t, alone, &one, &error));
  ct_bp_device *const devices[] = {two, three};
  for (int n = 0; n < 2; n++) {
    made several = {0};
    CHECK_OK(make(&t, devices[n], &several, &error));
    CHECK(several.count == one.count);
    const double plane = distance(several.planes, one.planes, one.count);
    const double whole =
        distance(ct_volume_get_data(several.volume), ct_volume_get_data(one.volume), ct_grid_voxels(&t.request.grid));
    if (!(plane < 1e-6 && whole < 1e-6))
      CT_TEST_END(1, "%s of %s: planes %.2g, volume %.2g", kernel, p->name, plane, whole);
    clear(&several);
  }
  clear(&one);
  trial_clear(&t);
}

static void test_cone(void) {
  NEED_DEVICES();
  const problem p = TRIAL_CONE(32, 28, 21), few = TRIAL_CONE(20, 20, 5);
  check_same(&p, "gl-naive");
  check_same(&p, "gl-tuned");
  check_same(&few, "gl-naive"); /* the last of three devices has no slice */
}

static void test_parallel(void) {
  NEED_DEVICES();
  const problem p = TRIAL_PARALLEL(33, 30, 19);
  check_same(&p, "gl-slices-4");
  check_same(&p, "gl-cache-4");
}

/* A device is sent the rows that its slices lie in the shadow of: the others may hold anything. */
static void check_rows(const problem *p, const char *kernel, bool has_matrices) {
  ct_error *error = NULL;
  trial t;
  CHECK_OK(trial_make(&t, p, kernel, alone, &error));
  if (has_matrices) CHECK_OK(ct_geometry_take_matrices(&t.geometry, &error));
  made one = {0}, several = {0};
  CHECK_OK(make(&t, alone, &one, &error));
  CHECK_OK(make(&t, three, &several, &error));
  const double whole =
      distance(ct_volume_get_data(several.volume), ct_volume_get_data(one.volume), ct_grid_voxels(&t.request.grid));
  if (!(whole < 1e-6)) CT_TEST_END(1, "%s of %s: %.2g", kernel, p->name, whole);
  ct_bp_state *state = t.kernel->prepare(t.kernel, &t.request, &error);
  CHECK_OK(state);
  int at[3], rows[3], sum = 0;
  for (int n = 0; n < 3; n++) sum += rows[n] = ctgl_together_rows(state, n, &at[n]);
  t.kernel->free(state);
  const int nv = t.geometry.nv;
  CHECK(rows[0] > 0 && rows[2] > 0 && sum < 2 * nv);
  for (int n = 0; n < 3; n++) CHECK(at[n] >= 0 && at[n] % 2 == 0 && rows[n] < nv * 2 / 3 && at[n] + rows[n] <= nv);
  clear(&one);
  clear(&several);
  trial_clear(&t);
}

static void test_rows(void) {
  NEED_DEVICES();
  const problem cone = TRIAL_CONE(48, 28, 40), slices = TRIAL_PARALLEL(33, 30, 37);
  check_rows(&cone, "gl-naive", false);
  check_rows(&cone, "gl-naive", true);
  check_rows(&cone, "gl-tuned", false);
  check_rows(&slices, "gl-cache-4", false);
}

static void test_cancel(void) {
  NEED_DEVICES();
  ct_error *error = NULL;
  const problem p = TRIAL_CONE(32, 28, 21);
  trial t;
  CHECK_OK(trial_make(&t, &p, "gl-naive", two, &error));
  const ct_bp_table table = ctgl_backend(two).kernels;
  t.kernel = ct_bp_find(&table, "gl-naive");
  ct_volume *volume = ct_volume_new(&t.request.grid, &error);
  ct_bp_state *state = t.kernel->prepare(t.kernel, &t.request, &error);
  ct_job *job = ct_job_new(&error);
  CHECK(volume && state && job);
  ct_job_cancel(job);
  const int number = 0;
  const float *projection = ct_stack_get_view(t.stack, 0);
  const ct_bp_batch batch = {.count = 1, .views = &number, .projections = &projection, .first = true};
  CHECK(!t.kernel->run(state, &batch, volume, job, &error) && error && error->code == CT_ERROR_CANCELLED);
  ct_error_clear(&error);
  t.kernel->free(state);
  ct_volume_free(volume);
  ct_job_free(job);
  trial_clear(&t);
}

static void test_names(void) {
  ct_error *error = NULL;
  int at[CTGL_MOST_TOGETHER], meant;
  const ctgl_device_facts list[] = {
      {.name = "Fast"}, {.name = "Fast #2"}, {.name = "Slow"}, {.name = "Drawn", .software = true}};
  static const struct {
    const char *name;
    int meant, at[3];
  } cases[] = {{"all", 3, {0, 1, 2}}, {"Slow + Fast", 2, {2, 0}},
               {"Fast #2", 1, {1}},   {"drawn + slo", 2, {3, 2}},
               {NULL, 1, {0}},        {"Fast #2 + Fast + Drawn", 3, {1, 0, 3}}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    CHECK(ctgl_device_find_all(list, 4, cases[n].name, at, &meant, &error) && meant == cases[n].meant);
    for (int m = 0; m < meant; m++) CHECK(at[m] == cases[n].at[m]);
  }
  CHECK(!ctgl_device_find_all(list, 4, "Fast + Quick", at, &meant, &error) && strstr(error->message, "“Quick”"));
  ct_error_clear(&error);
  CHECK(!ctgl_device_find_all(list + 3, 1, "all", at, &meant, &error) && strstr(error->message, "No graphics card"));
  ct_error_clear(&error);
  char many[256] = "Slow";
  for (int n = 0; n < CTGL_MOST_TOGETHER; n++) strcat(many, " + Slow");
  CHECK(!ctgl_device_find_all(list, 4, many, at, &meant, &error) && strstr(error->message, "16"));
  ct_error_clear(&error);
}

/* A plan holds 63 letters: of longer names parts, which mean the device and no other, alone and joined. */
static void test_brief_names(void) {
#define LONG "Radeon Graphics (radeonsi, gfx1103_r1, LLVM 15.0.7, DRM 3.54, 6.5.0-41"
  ct_error *error = NULL;
  ctgl_device_facts list[] = {
      {.name = "Fast"}, {.name = LONG "-generic)"}, {.name = LONG "-generic) #2"}, {.name = LONG "-lowlatency)"}};
  char joined[256] = "";
  ctgl_device_shorten_names(list, 4);
  for (int n = 0; n < 4; n++) {
    const char *brief = list[n].brief;
    CHECK(*brief && strstr(list[n].name, brief) && ctgl_device_find(list, 4, brief, &error) == n);
    if (n > 2) strcat(joined, " + ");
    if (n > 1) strcat(joined, brief);
  }
  int at[CTGL_MOST_TOGETHER], meant;
  CHECK(ctgl_device_find_all(list, 4, joined, at, &meant, &error) && meant == 2 && at[0] == 2 && at[1] == 3);
  /* The beginning alone would mean the first twin. */
  CHECK(ctgl_device_find(list, 3, LONG, &error) == 1 && ctgl_device_find(list, 4, LONG, &error) == -1);
  ct_error_clear(&error);
  CHECK(!strcmp(list[0].brief, "Fast"));
#undef LONG
}

/* Processes of one machine take one of them each. */
static void test_turns(void) {
  ct_error *error = NULL;
  const ctgl_device_facts list[] = {{.name = "Fast"}, {.name = "Slow"}, {.name = "Drawn", .software = true}};
  int sharers;
  CHECK(ctgl_device_pick_of(list, 3, "all", (ctgl_turn){2, 3}, &sharers, &error) == 0 && sharers == 2);
  CHECK(ctgl_device_pick_of(list, 3, "all", (ctgl_turn){1, 3}, &sharers, &error) == 1 && sharers == 1);
  CHECK(ctgl_device_pick_of(list, 3, "Drawn + Slow", (ctgl_turn){0, 2}, &sharers, &error) == 2 && sharers == 1);
  CHECK(ctgl_device_pick_of(list, 3, "Drawn + Quick", (ctgl_turn){0, 2}, &sharers, &error) == -1 && error);
  ct_error_clear(&error);
}

static void test_no_settings(void) {
  NEED_DEVICES();
  ct_error *error = NULL;
  CHECK(!ctgl_device_tune(two, 16, NULL, NULL, &error) && strstr(error->message, "one graphics device"));
  ct_error_clear(&error);
}

static void test_knobs(void) {
  NEED_DEVICES();
  ct_error *error = NULL;
  CHECK_OK(ctgl_device_turn_knobs(three, "views=3", &error));
  int count = 0;
  for (ct_bp_device *device = three; device; device = ctgl_device_next(device), count++)
    CHECK(ctgl_device_tuning(device)->modes[0].cone.views == 3);
  CHECK(count == 3);
}

static const ct_test tests[] = {
    {"names joined, and all cards", test_names},
    {"parts of names that are too long for a plan", test_brief_names},
    {"several devices make the cone-beam volume of one, and its planes on the way", test_cone},
    {"so they do the slices of parallel beam", test_parallel},
    {"each is sent the rows of its slices", test_rows},
    {"a cancel ends all of them", test_cancel},
    {"settings are searched on one device", test_no_settings},
    {"processes take one of several devices each", test_turns},
    {"knobs are turned on all of them", test_knobs},
};

int main(void) {
  const int result = ct_test_run(tests, sizeof tests / sizeof *tests);
  ctgl_device_free(alone);
  ctgl_device_free(two);
  ctgl_device_free(three);
  return result;
}
