/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What iterative methods are made of: orders of views, the bound of the spectral radius, passes of every instruction
 * set, total variation. */
#include "tests/solve/iterative-problem.h"
#include "tests/test.h"

#include "recon/base/machine.h"
#include "recon/solve/iterative/solver-private.h"

static bool is_permutation(const int *order, int count) {
  bool seen[1024] = {false};
  for (int n = 0; n < count; n++) {
    if (order[n] < 0 || order[n] >= count || seen[order[n]]) return false;
    seen[order[n]] = true;
  }
  return true;
}

static void orders(void) {
  static const int counts[] = {1, 2, 3, 5, 8, 12, 45, 90, 180, 360, 719, 720, 1000, 1024};
  int order[1024], again[1024];
  for (int kind = CT_ORDER_SEQUENTIAL; kind <= CT_ORDER_MULTILEVEL; kind++)
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
      ct_order_fill((ct_view_order)kind, counts[n], 5, 2, order);
      CHECK(is_permutation(order, counts[n]));
    }
  ct_order_fill(CT_ORDER_SEQUENTIAL, 720, 1, 0, order);
  for (int n = 0; n < 720; n++) CHECK(order[n] == n);
  ct_order_fill(CT_ORDER_RANDOM, 720, 1, 3, order);
  ct_order_fill(CT_ORDER_RANDOM, 720, 1, 3, again);
  CHECK(!memcmp(order, again, sizeof(int) * 720));
  ct_order_fill(CT_ORDER_RANDOM, 720, 1, 4, again);
  CHECK(memcmp(order, again, sizeof(int) * 720) != 0);
  ct_order_fill(CT_ORDER_RANDOM, 720, 2, 3, again);
  CHECK(memcmp(order, again, sizeof(int) * 720) != 0);
  ct_order_fill(CT_ORDER_MULTILEVEL, 8, 1, 0, order);
  static const int levels[] = {0, 4, 2, 6, 1, 5, 3, 7};
  CHECK(!memcmp(order, levels, sizeof levels));
  /* neighbours in the golden order lie far apart, on the circle of views, too */
  ct_order_fill(CT_ORDER_GOLDEN, 180, 1, 0, order);
  for (int n = 1; n < 180; n++) {
    const int away = abs(order[n] - order[n - 1]);
    CHECK(away > 60 && away < 120);
  }
}

/* Reference values in double of what the passes give. */
static void check_passes(const ct_passes *passes, const char **fault) {
  enum { COUNT = 1000 };
  static float x[COUNT], t[COUNT], c[COUNT], y[COUNT], b[COUNT], w[COUNT], was[COUNT];
  double residual = 0, change = 0, size = 0, dot = 0;
  for (int n = 0; n < COUNT; n++) {
    was[n] = x[n] = (float)sin(n);
    t[n] = (float)cos(3 * n);
    c[n] = n % 7 ? (float)(n % 5) : 0;
    y[n] = (float)(1 + 0.5 * sin(2 * n));
    b[n] = (float)(n % 11) / 5;
    w[n] = (float)(n % 3);
    residual += (double)(b[n] - y[n]) * (double)(b[n] - y[n]);
  }
  *fault = "residual";
  if (fabs(passes->residual(y, b, w, NULL, COUNT) - residual) > 1e-4 * residual) return;
  for (int n = 0; n < COUNT; n++)
    if (fabs((double)y[n] - (double)w[n] * ((double)b[n] - 1 - 0.5 * sin(2 * n))) > 1e-5) return;
  *fault = "step";
  double sums[2] = {0};
  const ct_pass_step step = {.x = x, .t = t, .c = c, .factor = 0.25f, .low = -0.5f, .high = 0.75f, .count = COUNT};
  passes->step_sums(&step, sums);
  for (int n = 0; n < COUNT; n++) {
    const double free = (double)was[n] + 0.25 * (double)c[n] * (double)t[n];
    const double is = c[n] > 0 ? fmin(fmax(free, -0.5), 0.75) : (double)was[n];
    if (fabs((double)x[n] - is) > 1e-6) return;
    change += (is - (double)was[n]) * (is - (double)was[n]);
    size += is * is;
    dot += (double)x[n] * (double)t[n];
  }
  if (fabs(sums[0] - change) > 1e-4 * change || fabs(sums[1] - size) > 1e-4 * size) return;
  *fault = "dot";
  if (fabs(passes->dot(x, t, NULL, COUNT) - dot) > 1e-4) return;
  *fault = "ratio";
  for (int n = 0; n < COUNT; n++) y[n] = n % 4 ? 2 : 0;
  passes->ratio(y, b, NULL, COUNT);
  for (int n = 0; n < COUNT; n++)
    if (fabs((double)y[n] - (n % 4 ? (double)b[n] / 2 - 1 : 0)) > 1e-6) return;
  *fault = NULL;
}

static const ct_simd_loops tables = CT_SIMD_PLAIN(ct_passes);

/* At every level that may be used. */
static void passes(void) {
  for (int level = 0; level <= (int)ct_simd_usable(); level++) {
    const char *fault;
    if (!tables.at[level]) continue;
    check_passes(tables.at[level], &fault);
    if (fault) CT_TEST_END(1, "%s: %s", ct_simd_title((ct_simd_level)level), fault);
  }
}

/* A problem as the runner makes it, for the inside of methods. */
static bool open_problem(ct_problem *p, const small_problem *small, const char *projector, ct_error **error) {
  *p = (ct_problem){.solver = ct_solver_find(CT_METHOD_SIRT),
                    .options = small->request.options,
                    .geometry = &small->geometry,
                    .grid = small->grid,
                    .threads = 2,
                    .projector = ct_projector_find(projector),
                    .low = -INFINITY,
                    .high = INFINITY};
  const ct_projector_request request = {
      .geometry = &small->geometry, .grid = small->grid, .model = CT_MODEL_JOSEPH, .threads = 2};
  p->state = ct_projector_prepare(p->projector, &request, NULL, error);
  if (!p->state) return false;
  p->projector->shape(p->state, &p->shape);
  return ct_problem_prepare(p, error);
}

static void close_problem(ct_problem *p) {
  if (p->state) p->projector->free(p->state);
  ct_problem_clear(p);
}

/* Largest gap between the directions of a group's views, in views of the half turn. */
static int largest_gap(const ct_groups *groups, int group, int views) {
  const int *blocks = groups->blocks + groups->first[group], count = groups->first[group + 1] - groups->first[group];
  bool has[360] = {false};
  int gap = 0, longest = 0;
  for (int n = 0; n < count; n++) has[blocks[n]] = true;
  for (int n = 0; n < 2 * views; n++) {
    gap = has[n % views] ? 0 : gap + 1;
    longest = gap > longest ? gap : longest;
  }
  return longest;
}

/* Whether views that mirror each other are in one group; of a view k of 180 at half steps these are 179 - k, 90 + k,
 * ... */
static bool keeps_families(const ct_groups *groups, int views) {
  int group_of[360];
  for (int g = 0; g < groups->count; g++)
    for (int n = groups->first[g]; n < groups->first[g + 1]; n++) group_of[groups->blocks[n]] = g;
  for (int k = 0; k < views; k++)
    if (group_of[k] != group_of[views - 1 - k] || group_of[k] != group_of[(k + views / 2) % views]) return false;
  return true;
}

/* Subsets hold every view once and as many as each other, spread over the arc; where they are large, views that mirror
 * each other are together. */
static void subsets(void) {
  enum { VIEWS = 360 };
  static const struct {
    int count, most; /* subsets; views of the largest gap */
    bool families;
  } wanted[] = {{1, 0, true}, {2, 4, true}, {10, 20, true}, {15, 30, true}, {60, 59, false}, {360, 359, false}};
  ct_error *error = NULL;
  small_problem small;
  CHECK_OK(problem_init(&small, CT_BEAM_PARALLEL, 16, VIEWS, false, &error));
  for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
    ct_problem p;
    ct_groups groups;
    CHECK_OK(open_problem(&p, &small, "joseph-2d-c8", &error));
    CHECK_OK(ct_groups_make(&p, wanted[n].count, &groups, &error));
    CHECK(groups.count == wanted[n].count && groups.first[groups.count] == VIEWS);
    CHECK(is_permutation(groups.blocks, VIEWS));
    for (int g = 0; g < groups.count; g++) {
      CHECK(groups.views[g] == groups.first[g + 1] - groups.first[g]);
      CHECK(abs(groups.views[g] - VIEWS / groups.count) <= 4);
      CHECK(largest_gap(&groups, g, VIEWS) <= wanted[n].most);
    }
    CHECK(keeps_families(&groups, VIEWS) == wanted[n].families);
    close_problem(&p);
  }
  problem_clear(&small);
}

/* Above the radius that plain power iteration comes to from below, and close to it. */
static void radius(void) {
  ct_error *error = NULL;
  small_problem small;
  CHECK_OK(problem_init(&small, CT_BEAM_FAN, 32, 24, true, &error));
  ct_problem p;
  CHECK_OK(open_problem(&p, &small, "textbook", &error));
  float *w = ct_square_weights(&p, &error), *x = ct_problem_image(&p, &error), *t = ct_problem_image(&p, &error),
        *y = ct_problem_rays(&p, &error);
  CHECK_OK(w && x && t && y);
  double rough = 0, bound = 0, radius = 0;
  ct_radius_request request = {.w = w, .steps = 1, .x = x, .t = t, .y = y};
  CHECK_OK(ct_radius_bound(&p, &request, &rough, NULL, &error));
  request.steps = 30;
  CHECK_OK(ct_radius_bound(&p, &request, &bound, NULL, &error));
  for (int n = 0; n < 60; n++) {
    CHECK_OK(ct_forward(&p, x, y, &error));
    ct_multiply(&p, p.shape.rays, y, w);
    CHECK_OK(ct_back(&p, y, t, &error));
    radius = sqrt(ct_image_dot(&p, t, t) / ct_image_dot(&p, x, x));
    ct_copy(&p, p.shape.image, x, t);
    ct_scale(&p, p.shape.image, x, 1 / radius);
  }
  CHECK(bound > radius * (1 - 1e-5) && bound < 1.1 * radius && rough > bound && rough < 4 * radius);
  close_problem(&p);
  problem_clear(&small);
}

/* The sum of a layout's squares is that of the natural one, also where a layout keeps voxels or rays twice. */
static void shares(void) {
  ct_error *error = NULL;
  small_problem small;
  size_t count, served = 0;
  const ct_projector *const *all = ct_projectors(&count);
  CHECK_OK(problem_init(&small, CT_BEAM_PARALLEL, 32, 24, false, &error));
  const float *image = ct_volume_get_data(small.truth), *lines = ct_stack_get_view(small.lines, 0);
  double squares[2] = {0};
  for (size_t n = 0; n < ct_grid_voxels(&small.grid); n++) squares[0] += (double)image[n] * (double)image[n];
  for (size_t n = 0; n < ct_stack_bytes(small.lines) / sizeof(float); n++)
    squares[1] += (double)lines[n] * (double)lines[n];
  const ct_projector_request request = {
      .geometry = &small.geometry, .grid = small.grid, .model = CT_MODEL_JOSEPH, .threads = 2};
  for (size_t n = 0; n < count; n++) {
    if (!ct_projector_accepts(all[n], &request, NULL)) continue;
    ct_problem p;
    CHECK_OK(open_problem(&p, &small, all[n]->id, &error));
    p.projector->image_in(p.state, image, p.x);
    p.projector->rays_in(p.state, lines, p.b);
    CHECK_NEAR(ct_image_dot(&p, p.x, p.x), squares[0], 1e-6 * squares[0]);
    CHECK_NEAR(ct_ray_dot(&p, p.b, p.b), squares[1], 1e-6 * squares[1]);
    close_problem(&p);
    served++;
  }
  CHECK(served >= 2);
  problem_clear(&small);
}

/* Against differences of the total variation itself. */
static void check_gradient(const ct_passes *passes, int nz, const char **fault) {
  enum { NX = 19, NY = 5, MOST = NX * NY * 4 };
  static float image[MOST], gradient[MOST], normals[2 * CT_TV_NORMALS * NX];
  const int count = NX * NY * nz;
  const ct_tv tv = {
      .nx = NX, .ny = NY, .nz = nz, .threads = 2, .passes = passes, .w = {1, 0.8f, 0.5f}, .normals = normals};
  for (int n = 0; n < count; n++) image[n] = (float)sin(n * n);
  double norm = ct_tv_gradient(&tv, image, 1e-6, gradient), sum = 0;
  for (int n = 0; n < count; n++) {
    const float kept = image[n], step = 1e-2f;
    image[n] = kept + step;
    const double up = ct_tv_value(&tv, image);
    image[n] = kept - step;
    const double down = ct_tv_value(&tv, image);
    image[n] = kept;
    if (!(fabs((double)gradient[n] - (up - down) / (2 * (double)step)) < 0.02)) *fault = "gradient";
    sum += (double)gradient[n] * (double)gradient[n];
  }
  if (!(fabs(norm - sqrt(sum)) <= 1e-6 * norm)) *fault = "norm";
}

static void gradient_of_tv(void) {
  const char *fault = NULL;
  for (int nz = 1; nz <= 4; nz += 3) {
    for (int level = 0; level <= (int)ct_simd_usable(); level++)
      if (tables.at[level]) check_gradient(tables.at[level], nz, &fault);
    CHECK(!fault);
  }
}

/* |x - u|^2 / 2 + weight TV(x) at the minimiser is below what it is beside it, and the minimiser keeps the mean. */
static void denoising(void) {
  ct_error *error = NULL;
  for (int three = 0; three < 2; three++) {
    small_problem small;
    CHECK_OK(problem_init(&small, three ? CT_BEAM_CONE : CT_BEAM_PARALLEL, three ? 10 : 24, 4, true, &error));
    ct_problem p;
    CHECK_OK(open_problem(&p, &small, "textbook", &error));
    const size_t count = ct_grid_voxels(&small.grid);
    float *u = ct_problem_natural(&p, &error), *x = ct_problem_natural(&p, &error),
          *beside = ct_problem_natural(&p, &error);
    ct_tv tv;
    CHECK_OK(u && x && beside && ct_tv_prepare(&p, true, &tv, &error));
    double mean[2] = {0};
    for (size_t n = 0; n < count; n++)
      x[n] = u[n] = (float)(ct_volume_get_data(small.truth)[n] > 0) + 0.3f * (float)sin((double)(n * n));
    const double weight = 0.3, before = ct_tv_value(&tv, u);
    ct_tv_denoise(&tv, x, weight, 400, -INFINITY, INFINITY);
    CHECK(ct_tv_value(&tv, x) < 0.5 * before);
    double best = ct_tv_value(&tv, x) * weight, size = 0;
    for (size_t n = 0; n < count; n++) best += 0.5 * ((double)x[n] - (double)u[n]) * ((double)x[n] - (double)u[n]);
    for (int kind = 0; kind < 3; kind++)
      for (int sign = -1; sign <= 1; sign += 2) {
        double value = 0;
        for (size_t n = 0; n < count; n++) {
          const float toward = kind == 0 ? u[n] - x[n] : kind == 1 ? (float)cos((double)(7 * n)) : x[n];
          beside[n] = x[n] + 0.02f * (float)sign * toward;
          value += 0.5 * ((double)beside[n] - (double)u[n]) * ((double)beside[n] - (double)u[n]);
        }
        CHECK(value + weight * ct_tv_value(&tv, beside) > best);
      }
    for (size_t n = 0; n < count; n++) {
      mean[0] += (double)u[n];
      mean[1] += (double)x[n];
      size += fabs((double)u[n]);
    }
    CHECK_NEAR(mean[0], mean[1], 1e-4 * size);
    ct_tv_denoise(&tv, x, weight, 20, 0.2f, 0.7f);
    for (size_t n = 0; n < count; n++) CHECK(x[n] >= 0.2f && x[n] <= 0.7f);
    close_problem(&p);
    problem_clear(&small);
  }
}

/* A^T (b / |a|^2): what Eq. 9 adds to an empty image, times relaxation over M. NULL with an error. */
static float *averaged(const small_problem *p, ct_error **error) {
  const ct_projector *projector = ct_projector_find("csr");
  const ct_projector_request request = {
      .geometry = &p->geometry, .grid = p->grid, .model = CT_MODEL_JOSEPH, .threads = 1};
  ct_projector_state *state = ct_projector_prepare(projector, &request, NULL, error);
  ct_projector_shape shape;
  if (!state) return NULL;
  projector->shape(state, &shape);
  float *x = ct_alloc_zero(shape.image, sizeof *x, "x", error), *y = ct_alloc_zero(shape.rays, sizeof *y, "y", error);
  bool good = x && y && projector->row_squares(state, y, error);
  const float *b = ct_stack_data(p->lines);
  for (size_t n = 0; good && n < (size_t)p->geometry.views * (size_t)p->geometry.nu; n++)
    y[n] = y[n] > 0 ? b[n] / fmaxf(y[n], (float)(p->grid.dx * p->grid.dx)) : 0;
  good = good && projector->back(state, NULL, 0, y, x, error);
  ct_free(y);
  projector->free(state);
  if (good) return x;
  ct_free(x);
  return NULL;
}

/* Eq. 9 as published: M the number of rays of all views, or of those that are taken at a time. */
static void divisor(void) {
  static const ct_method methods[] = {CT_METHOD_ART_GLOBAL, CT_METHOD_ART_VIEW};
  ct_error *error = NULL;
  small_problem p;
  CHECK_OK(problem_init(&p, CT_BEAM_FAN, 20, 14, true, &error));
  const size_t pixels = ct_grid_voxels(&p.grid);
  float *expected = averaged(&p, &error);
  CHECK_OK(expected);
  const double m = (double)p.geometry.views * p.geometry.nu;
  for (int n = 0; n < 2; n++) {
    problem_take(&p, ct_solver_find(methods[n]));
    ct_iterative_options *o = &p.request.options;
    o->divisor = CT_DIVISOR_RAYS;
    o->momentum = CT_MOMENTUM_NO;
    o->relaxation = 0.8;
    o->block = p.geometry.views;
    float *image = NULL;
    ct_iterative *run = problem_run(&p, 1, &image, &error);
    CHECK_OK(run);
    double off = 0, size = 0;
    for (size_t k = 0; k < pixels; k++) {
      const double wanted = o->relaxation / m * (double)expected[k];
      off = fmax(off, fabs((double)image[k] - wanted)), size = fmax(size, fabs(wanted));
    }
    if (!(off <= 1e-4 * size)) CT_TEST_END(1, "method %d: %.3g off %.3g", (int)methods[n], off, size);
    ct_iterative_free(run);
    ct_free(image);
    o->divisor = 5;
    CHECK_FAILS(ct_iterative_new(&p.request, NULL, &error), CT_ERROR_ARGUMENT, "divisor number 5");
  }
  ct_free(expected);
  problem_clear(&p);
}

static const ct_test tests[] = {
    {"parallel ART divides by the number of rays where asked", divisor},
    {"orders are permutations of their kind", orders},
    {"subsets are spread, and keep together what mirrors each other", subsets},
    {"the passes of every instruction set are those of the formula", passes},
    {"the bound of the spectral radius holds and is tight", radius},
    {"sums over a layout count every voxel and ray once", shares},
    {"the gradient of the total variation is its derivative", gradient_of_tv},
    {"denoising finds the minimum, in two and three dimensions", denoising},
};
CT_TEST_MAIN(tests)
