/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The projectors joseph-2d of all instruction sets against textbook: geometries with every symmetry and without any,
 * pitches from a fifth of a pixel to six, subsets of views, single views; <A x, y> = <x, A^T y>; the same result from
 * one thread and from three; layouts whose padding stays zero; words for what they do not serve. */
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/fp/projector.h"
#include "tests/fp/squares.h"
#include "tests/test.h"

#include <stdint.h>

typedef struct scan {
  const char *name;
  ct_beam beam;
  int nx, ny, nz, nu, views;
  double dx, dy, du;     /* mm */
  double first, step;    /* degrees */
  double offset, gx, gy; /* of the axis, columns; of the grid, mm */
  double sod;
} scan;

/* clang-format off */
static const scan scans[] = {
  {"every eighth", CT_BEAM_PARALLEL, 64, 64, 1, 64, 32, 1, 1, 1, 0, 180 / 32., 0, 0, 0, 0},
  {"between eighths", CT_BEAM_PARALLEL, 64, 64, 1, 64, 32, 1, 1, 1, 180 / 64., 180 / 32., 0, 0, 0, 0},
  {"two turns, negative", CT_BEAM_PARALLEL, 48, 48, 1, 50, 64, 1, 1, 1, -360, 720 / 64., 0, 0, 0, 0},
  {"no symmetry of views", CT_BEAM_PARALLEL, 64, 64, 1, 66, 31, 1, 1, 1, .3, 5.7, 0, 0, 0, 0},
  {"odd", CT_BEAM_PARALLEL, 51, 51, 1, 53, 32, 1, 1, 1, 0, 180 / 32., 0, 0, 0, 0},
  {"rectangle of rectangles", CT_BEAM_PARALLEL, 70, 43, 1, 53, 32, 1, 1.3, 1, 0, 180 / 32., 0, 0, 0, 0},
  {"axis off", CT_BEAM_PARALLEL, 64, 64, 1, 64, 30, 1, 1, 1, 0, 6, 3.3, 0, 0, 0},
  {"grid off", CT_BEAM_PARALLEL, 64, 60, 1, 64, 30, 1, 1, 1, 0, 6, 0, 5.2, -3.7, 0},
  {"fine rays", CT_BEAM_PARALLEL, 64, 64, 1, 160, 32, 1, 1, .4, 0, 180 / 32., 0, 0, 0, 0},
  {"rays just below a pixel", CT_BEAM_PARALLEL, 64, 64, 1, 90, 32, 1, 1, .7, 0, 180 / 32., 0, 0, 0, 0},
  {"fine rays, axis off", CT_BEAM_PARALLEL, 64, 64, 1, 160, 32, 1, 1, .4, 0, 180 / 32., 2, 0, 0, 0},
  {"rays of varied phases", CT_BEAM_PARALLEL, 64, 64, 1, 100, 360, 1, 1, .45, 0, 180 / 360., 0, 0, 0, 0},
  {"coarse rays", CT_BEAM_PARALLEL, 100, 100, 1, 40, 32, 1, 1, 1.9, 0, 180 / 32., 0, 0, 0, 0},
  {"coarser rays", CT_BEAM_PARALLEL, 100, 100, 1, 40, 32, 1, 1, 3, 0, 180 / 32., 0, 0, 0, 0},
  {"fewer pixels than lanes", CT_BEAM_PARALLEL, 5, 7, 1, 3, 8, 1, 1, 1, 0, 45, 0, 0, 0, 0},
  {"rays that miss", CT_BEAM_PARALLEL, 64, 64, 1, 200, 8, 1, 1, 1, 0, 22.5, 0, 0, 0, 0},
  {"narrow detector", CT_BEAM_PARALLEL, 200, 200, 1, 17, 8, 1, 1, 1, 0, 22.5, 0, 0, 0, 0},
  {"more rows than a chunk", CT_BEAM_PARALLEL, 150, 270, 1, 160, 12, 1, 1, 1.1, 5, 15, 0, 0, 0, 0},
  {"three slices", CT_BEAM_PARALLEL, 40, 40, 3, 41, 16, 1, 1, 1, 0, 180 / 16., 0, 0, 0, 0},
  {"nineteen slices", CT_BEAM_PARALLEL, 40, 38, 19, 41, 15, 1, 1.1, 1.2, 0, 12, .4, 1, 2, 0},
  {"forty slices, fine rays", CT_BEAM_PARALLEL, 24, 24, 40, 60, 12, 1, 1, .5, 0, 15, 0, 0, 0, 0},
  {"detector of one pixel", CT_BEAM_PARALLEL, 64, 64, 1, 8, 12, 1, 1, .125, 0, 15, 0, 0, 0, 0},
  {"fan", CT_BEAM_FAN, 64, 64, 1, 128, 72, 1, 1, 1, 0, 5, 0, 0, 0, 200},
  {"fan, all off", CT_BEAM_FAN, 51, 70, 1, 100, 36, 1, 1.2, 1.5, 3, 10, 1.3, 2, 1, 150},
  {"fan, fine", CT_BEAM_FAN, 64, 64, 1, 300, 36, 1, 1, .5, 3, 10, 0, 0, 0, 200},
  {"fan, finer", CT_BEAM_FAN, 64, 64, 1, 800, 36, 1, 1, .2, 3, 10, 0, 0, 0, 200},
  {"fan, coarse", CT_BEAM_FAN, 100, 100, 1, 40, 36, 1, 1, 6, 3, 10, 0, 0, 0, 200},
  {"fan, far source", CT_BEAM_FAN, 100, 100, 1, 120, 36, 1, 1, 2, 3, 10, 0, 0, 0, 20000},
  {"fan, near source", CT_BEAM_FAN, 64, 64, 1, 128, 36, 1, 1, 3, 0, 10, 0, 0, 0, 47},
  {"fan, fewer pixels than lanes", CT_BEAM_FAN, 5, 20, 1, 13, 8, 1, 1, 2, 0, 45, 0, 0, 0, 60},
  {"fan, rows farthest apart amid a band", CT_BEAM_FAN, 191, 191, 1, 90, 60, 1, 1, 1.07602, 54.9239, 6, -40.6743, 0, 0, 189.08},
  {"fan, so too with many rays", CT_BEAM_FAN, 197, 189, 1, 856, 60, 1, 1, .236193, 54.5864, 6, 0, 0, 0, 150.151},
  {"fan, narrow detector", CT_BEAM_FAN, 150, 131, 1, 40, 12, 1, 1, .5, 3, 30, 0, 0, 0, 300},
  {"fan, detector within a pixel", CT_BEAM_FAN, 64, 64, 1, 64, 12, 1, 1, .0008, 3, 30, 0, 0, 0, 200},
  {"fan, far within a pixel", CT_BEAM_FAN, 64, 70, 1, 64, 12, 1, 1, 8e-5, 0, 30, 0, 0, 0, 200},
  {"fan, two rays in a pixel", CT_BEAM_FAN, 64, 64, 1, 2, 12, 1, 1, .02, 3, 30, 0, 0, 0, 200},
};
/* clang-format on */
enum { scan_count = sizeof scans / sizeof *scans };

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

static float *random_numbers(size_t count, double low, double high, uint64_t seed) {
  float *numbers = ct_alloc(count, sizeof *numbers, "numbers", NULL);
  for (size_t n = 0; numbers && n < count; n++) numbers[n] = (float)(low + (high - low) * uniform(&seed));
  return numbers;
}

static bool make_geometry(const scan *s, ct_geometry *g, ct_error **error) {
  if (!ct_geometry_init(g, s->beam, s->nu, s->nz, s->views, error)) return false;
  g->du = s->du;
  g->centre_u += s->offset;
  g->sod = s->sod;
  g->sdd = 2 * s->sod;
  ct_geometry_set_arc(g, s->first * M_PI / 180, s->step * M_PI / 180);
  return true;
}

static ct_grid make_grid(const scan *s) {
  return (ct_grid){s->nx,
                   s->ny,
                   s->nz,
                   s->dx,
                   s->dy,
                   1,
                   -0.5 * (s->nx - 1) * s->dx + s->gx,
                   -0.5 * (s->ny - 1) * s->dy + s->gy,
                   -0.5 * (s->nz - 1)};
}

/* A scan with numbers in it. */
typedef struct trial {
  ct_geometry geometry;
  ct_projector_request request;
  size_t voxels, rays;
  float *x, *y; /* natural */
} trial;

static bool trial_make(trial *t, const scan *s, ct_error **error) {
  *t = (trial){0};
  if (!make_geometry(s, &t->geometry, error)) return false;
  t->request =
      (ct_projector_request){.geometry = &t->geometry, .grid = make_grid(s), .model = CT_MODEL_JOSEPH, .threads = 2};
  t->voxels = (size_t)s->nx * (size_t)s->ny * (size_t)s->nz;
  t->rays = (size_t)s->nu * (size_t)s->nz * (size_t)s->views;
  t->x = random_numbers(t->voxels, -0.2, 1, 1);
  t->y = random_numbers(t->rays, -0.3, 1, 2);
  return t->x && t->y;
}

static void trial_clear(trial *t) {
  ct_free(t->x);
  ct_free(t->y);
  ct_geometry_clear(&t->geometry);
}

static const float marked = 12345;

/* Natural A x (other rays `marked`) and A^T y of some views. False also when padding is not zero. */
static bool run(const ct_projector *p, const trial *t, int threads, const int *blocks, int count, float *ax, float *aty,
                ct_error **error) {
  ct_projector_request request = t->request;
  request.threads = threads;
  ct_projector_state *state = ct_projector_prepare(p, &request, NULL, error);
  if (!state) return false;
  ct_projector_shape shape;
  p->shape(state, &shape);
  float *image = ct_alloc(shape.image, sizeof(float), "an image", error),
        *rays = ct_alloc(shape.rays, sizeof(float), "rays", error);
  float *all = ct_alloc(t->rays, sizeof(float), "rays", error);
  bool good = image && rays && all;
  if (good) {
    for (size_t n = 0; n < t->rays; n++) all[n] = marked;
    p->image_in(state, t->x, image);
    p->rays_in(state, all, rays);
    good = p->forward(state, blocks, count, image, rays, error);
    p->rays_out(state, rays, ax);
    p->rays_in(state, ax, rays);
    double sum = 0, natural = 0;
    for (size_t n = 0; n < shape.rays; n++) sum += fabs((double)rays[n]);
    for (size_t n = 0; n < t->rays; n++) natural += fabs((double)ax[n]);
    good = good && fabs(sum - natural) <= 1e-9 * natural;
    p->rays_in(state, t->y, rays);
    for (size_t n = 0; n < shape.image; n++) image[n] = marked;
    good = good && p->back(state, blocks, count, rays, image, error);
    p->image_out(state, image, aty);
    sum = natural = 0;
    for (size_t n = 0; n < shape.image; n++) sum += fabs((double)image[n]);
    for (size_t n = 0; n < t->voxels; n++) natural += fabs((double)aty[n]);
    good = good && fabs(sum - natural) <= 1e-9 * natural;
  }
  ct_free(image);
  ct_free(rays);
  ct_free(all);
  p->free(state);
  return good;
}

static double rel_rmse(const float *a, const float *b, size_t count) {
  double error = 0, norm = 0;
  for (size_t n = 0; n < count; n++) {
    error += ((double)a[n] - (double)b[n]) * ((double)a[n] - (double)b[n]);
    norm += (double)b[n] * (double)b[n];
  }
  return norm > 0 ? sqrt(error / norm) : error > 0 ? INFINITY : 0;
}

static double dot(const float *a, const float *b, size_t count) {
  double sum = 0;
  for (size_t n = 0; n < count; n++) sum += (double)a[n] * (double)b[n];
  return sum;
}

typedef void check(const ct_projector *p, const trial *t, const ct_projector *textbook);

/* Views of a list (NULL: all) against textbook. */
static double worst(const ct_projector *p, const trial *t, const ct_projector *textbook, const int *blocks, int count) {
  float *ax[2], *aty[2];
  double error = INFINITY;
  for (int n = 0; n < 2; n++) {
    ax[n] = random_numbers(t->rays, 0, 0, 1);
    aty[n] = random_numbers(t->voxels, 0, 0, 1);
  }
  if (ax[0] && ax[1] && aty[0] && aty[1] && run(textbook, t, 2, blocks, count, ax[0], aty[0], NULL) &&
      run(p, t, 2, blocks, count, ax[1], aty[1], NULL))
    error = fmax(rel_rmse(ax[1], ax[0], t->rays), rel_rmse(aty[1], aty[0], t->voxels));
  for (int n = 0; n < 2; n++) {
    ct_free(ax[n]);
    ct_free(aty[n]);
  }
  return error;
}

static void check_all_views(const ct_projector *p, const trial *t, const ct_projector *textbook) {
  CHECK_BELOW(worst(p, t, textbook, NULL, 0), p->tolerance);
}

static void check_some_views(const ct_projector *p, const trial *t, const ct_projector *textbook) {
  const int views = t->geometry.views;
  int some[80] = {0}, count = 0;
  for (int view = 1; view < views && count < 80; view += 3) some[count++] = view;
  CHECK_BELOW(worst(p, t, textbook, some, count), p->tolerance);
  for (int view = 0; view < views; view += 1 + views / 5) CHECK_BELOW(worst(p, t, textbook, &view, 1), p->tolerance);
  const int two[] = {0, views - 1};
  CHECK_BELOW(worst(p, t, textbook, two, 2), p->tolerance);
}

static void check_adjoint(const ct_projector *p, const trial *t, const ct_projector *textbook) {
  float *ax = random_numbers(t->rays, 0, 0, 1), *aty = random_numbers(t->voxels, 0, 0, 1);
  const bool good = ax && aty && run(p, t, 2, NULL, 0, ax, aty, NULL);
  const double forth = good ? dot(ax, t->y, t->rays) : 0, back = good ? dot(aty, t->x, t->voxels) : 1;
  ct_free(ax);
  ct_free(aty);
  CHECK_NEAR(back / forth, 1, 1e-6);
}

static void check_threads(const ct_projector *p, const trial *t, const ct_projector *textbook) {
  float *ax[2], *aty[2];
  bool same = true;
  for (int n = 0; n < 2; n++) {
    ax[n] = random_numbers(t->rays, 0, 0, 1);
    aty[n] = random_numbers(t->voxels, 0, 0, 1);
  }
  for (int some = 0; some < 2; some++) {
    const int view = t->geometry.views / 2;
    for (int n = 0; n < 2; n++) same = same && run(p, t, n ? 3 : 1, some ? &view : NULL, some, ax[n], aty[n], NULL);
    same = same && !memcmp(ax[0], ax[1], t->rays * sizeof(float)) && !memcmp(aty[0], aty[1], t->voxels * sizeof(float));
  }
  for (int n = 0; n < 2; n++) {
    ct_free(ax[n]);
    ct_free(aty[n]);
  }
  CHECK(same);
}

/* What a call leaves behind does not reach the next one: all views, then every other one, from one state and from two.
 */
static void check_reuse(const ct_projector *p, const trial *t, const ct_projector *textbook) {
  enum { states = 2, most = 180 };
  int some[most] = {0}, count = 0;
  for (int view = 0; view < t->geometry.views && count < most; view += 2) some[count++] = view;
  float *aty[states] = {random_numbers(t->voxels, 0, 0, 1), random_numbers(t->voxels, 0, 0, 1)};
  bool same = aty[0] && aty[1];
  for (int n = 0; n < states && same; n++) {
    ct_projector_state *state = ct_projector_prepare(p, &t->request, NULL, NULL);
    ct_projector_shape shape = {0};
    if (state) p->shape(state, &shape);
    float *image = ct_alloc(shape.image, sizeof(float), "an image", NULL),
          *rays = ct_alloc(shape.rays, sizeof(float), "rays", NULL);
    same = state && image && rays;
    if (same) {
      p->rays_in(state, t->y, rays);
      same = (n == 0 || p->back(state, NULL, 0, rays, image, NULL)) && p->back(state, some, count, rays, image, NULL);
      p->image_out(state, image, aty[n]);
    }
    ct_free(image);
    ct_free(rays);
    if (state) p->free(state);
  }
  same = same && !memcmp(aty[0], aty[1], t->voxels * sizeof(float));
  for (int n = 0; n < states; n++) ct_free(aty[n]);
  CHECK(same);
}

/* One ray that is not a number shows in the image. */
static void check_not_finite(const ct_projector *p, const trial *t, const ct_projector *textbook) {
  float *ax = random_numbers(t->rays, 0, 0, 1), *aty = random_numbers(t->voxels, 0, 0, 1);
  const size_t ray = t->rays / 2 + (size_t)t->geometry.nu / 2;
  const float kept = t->y[ray];
  bool shows = false;
  t->y[ray] = NAN;
  if (ax && aty) run(p, t, 2, NULL, 0, ax, aty, NULL);
  t->y[ray] = kept;
  for (size_t n = 0; aty && n < t->voxels; n++) shows = shows || isnan(aty[n]);
  ct_free(ax);
  ct_free(aty);
  CHECK(shows);
}

static void check_squares(const ct_projector *p, const trial *t, const ct_projector *textbook) {
  float *expected = random_numbers(t->rays, 0, 0, 1), *found = random_numbers(t->rays, 1, 1, 1);
  const bool good = expected && found && take_squares(textbook, &t->request, expected, NULL) && p->row_squares &&
                    take_squares(p, &t->request, found, NULL);
  const double off = good ? rel_rmse(found, expected, t->rays) : INFINITY;
  ct_free(expected);
  ct_free(found);
  CHECK_BELOW(off, 1e-6);
}

/* Every projector of the family, every scan; where only some cases are wanted, other pairs in each check. */
static void over_all(check *what) {
  static size_t turn;
  const size_t step = (size_t)ct_test_case_step();
  const ct_projector *textbook = ct_projector_find("textbook");
  size_t count;
  int served = 0;
  const ct_projector *const *projectors = ct_projectors(&count);
  for (size_t n = 0; n < count; n++) {
    const ct_projector *p = projectors[n];
    if (strncmp(p->id, "joseph-2d", 9) || !ct_projector_usable(p)) continue;
    for (int s = 0; s < scan_count; s++) {
      if (((size_t)s + n + turn) % step) continue;
      ct_error *error = NULL;
      trial t;
      CHECK_OK(trial_make(&t, scans + s, &error));
      CHECK_OK(ct_projector_accepts(p, &t.request, &error));
      what(p, &t, textbook);
      trial_clear(&t);
      if (ct_test_state) {
        const size_t length = strlen(ct_test_reason);
        snprintf(ct_test_reason + length, sizeof ct_test_reason - length, " (%s, %s)", p->id, scans[s].name);
        return;
      }
      served++;
    }
  }
  turn++;
  CHECK(served >= scan_count / (int)step);
}

static void all_views(void) {
  over_all(check_all_views);
}
static void some_views(void) {
  over_all(check_some_views);
}
static void adjoint(void) {
  over_all(check_adjoint);
}
static void threads(void) {
  over_all(check_threads);
}

static void reuse(void) {
  over_all(check_reuse);
}
static void not_finite(void) {
  over_all(check_not_finite);
}
static void squares(void) {
  over_all(check_squares);
}

static void refusals(void) {
  const scan volume = {"", CT_BEAM_PARALLEL, 16, 16, 4, 16, 8, 1, 1, 1, 0, 22.5, 0, 0, 0, 0},
             inside = {"", CT_BEAM_FAN, 64, 64, 1, 64, 8, 1, 1, 1, 0, 45, 0, 0, 0, 30},
             dense = {"", CT_BEAM_PARALLEL, 16, 16, 1, 16, 8, 1, 1, 1. / 17, 0, 22.5, 0, 0, 0, 0};
  const ct_projector *p = ct_projector_find("joseph-2d-c8");
  ct_error *error = NULL;
  trial t;
  CHECK(p);
  CHECK_OK(trial_make(&t, &volume, &error));
  CHECK_OK(ct_projector_accepts(p, &t.request, &error));
  t.request.grid.nz = 5;
  CHECK_FAILS(ct_projector_accepts(p, &t.request, &error), CT_ERROR_UNSUPPORTED, "slices");
  trial_clear(&t);
  CHECK_OK(trial_make(&t, &inside, &error));
  CHECK_FAILS(ct_projector_accepts(p, &t.request, &error), CT_ERROR_UNSUPPORTED, "within the slice");
  trial_clear(&t);
  CHECK_OK(trial_make(&t, &dense, &error));
  CHECK_FAILS(ct_projector_accepts(p, &t.request, &error), CT_ERROR_UNSUPPORTED, "narrower than one pixel");
  trial_clear(&t);
}

static const ct_test tests[] = {
    {"all views agree with textbook", all_views},
    {"some views and single views agree with textbook", some_views},
    {"back is the transpose of forward", adjoint},
    {"results do not depend on the number of threads", threads},
    {"one call leaves nothing behind for the next", reuse},
    {"a ray that is not a number shows", not_finite},
    {"sums of squares of rows are the textbook's", squares},
    {"what is not served is refused with a message", refusals},
};
CT_TEST_MAIN(tests)
