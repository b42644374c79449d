/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Haar's transform without decimation against the transform as it is defined: the image and its mirror images in all
 * directions, moved by every shift of the largest block, transformed by orthonormal steps along each axis, coefficients
 * brought down, transformed and moved back; the mean over all shifts. Sizes are no powers of two. */
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/iterative/solver-private.h"

enum { MOST = 1 << 15 };

static double value_of(int n) {
  return sin(0.37 * n) + 0.5 * cos(1.91 * n) + (n % 7 == 0 ? 2 : 0);
}

/* One step along an axis of `stride` within the first `size` of `whole` values: sums to the front, differences behind.
 */
static void turn(double *line, int size, int stride, bool back) {
  double now[256];
  const int half = size / 2;
  for (int n = 0; n < half; n++) {
    const double a = line[(back ? n : 2 * n) * stride], b = line[(back ? n + half : 2 * n + 1) * stride];
    now[back ? 2 * n : n] = (a + b) * M_SQRT1_2;
    now[back ? 2 * n + 1 : n + half] = (a - b) * M_SQRT1_2;
  }
  for (int n = 0; n < size; n++) line[n * stride] = now[n];
}

/* All axes of the corner of `size` of an image of `whole`. */
static void turn_all(double *image, const int whole[3], const int size[3], bool back) {
  for (int axis = 0; axis < 3; axis++) {
    if (whole[axis] == 1) continue;
    const int stride = axis == 0 ? 1 : axis == 1 ? whole[0] : whole[0] * whole[1];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int su = u == 0   ? 1
                   : u == 1 ? whole[0]
                            : whole[0] * whole[1],
              sv = v == 0   ? 1
                   : v == 1 ? whole[0]
                            : whole[0] * whole[1];
    for (int a = 0; a < size[u]; a++)
      for (int b = 0; b < size[v]; b++) turn(image + a * su + b * sv, size[axis], stride, back);
  }
}

static void size_at(const int whole[3], int level, int size[3]) {
  for (int axis = 0; axis < 3; axis++) size[axis] = whole[axis] == 1 ? 1 : whole[axis] >> level;
}

static double soft(double value, double threshold) {
  return value > threshold ? value - threshold : value < -threshold ? value + threshold : 0;
}

/* Of one shift. */
static void denoise_shifted(double *image, const int whole[3], int levels, double threshold) {
  int size[3], rest[3];
  for (int level = 0; level < levels; level++) size_at(whole, level, size), turn_all(image, whole, size, false);
  size_at(whole, levels, rest);
  for (int k = 0; k < whole[2]; k++)
    for (int j = 0; j < whole[1]; j++)
      for (int i = 0; i < whole[0]; i++)
        if (i >= rest[0] || j >= rest[1] || k >= rest[2]) {
          double *at = image + (k * whole[1] + j) * whole[0] + i;
          *at = soft(*at, threshold);
        }
  for (int level = levels; level-- > 0;) size_at(whole, level, size), turn_all(image, whole, size, true);
}

static int mirrored(int i, int n) {
  return i < n ? i : 2 * n - 1 - i;
}

static void expect(const int n[3], int levels, double threshold, double *out) {
  static double image[MOST], moved[MOST];
  int whole[3], shifts[3];
  for (int axis = 0; axis < 3; axis++) whole[axis] = n[axis] == 1 ? 1 : 2 * n[axis];
  for (int axis = 0; axis < 3; axis++) shifts[axis] = n[axis] == 1 ? 1 : 1 << levels;
  const int all = whole[0] * whole[1] * whole[2];
  for (int m = 0; m < all; m++) {
    const int i = m % whole[0], j = m / whole[0] % whole[1], k = m / (whole[0] * whole[1]);
    image[m] = value_of((mirrored(k, n[2]) * n[1] + mirrored(j, n[1])) * n[0] + mirrored(i, n[0]));
  }
  memset(out, 0, (size_t)(n[0] * n[1] * n[2]) * sizeof *out);
  for (int s = 0; s < shifts[0] * shifts[1] * shifts[2]; s++) {
    const int di = s % shifts[0], dj = s / shifts[0] % shifts[1], dk = s / (shifts[0] * shifts[1]);
#define PLACE(i, j, k) ((((k) + dk) % whole[2] * whole[1] + ((j) + dj) % whole[1]) * whole[0] + ((i) + di) % whole[0])
    for (int m = 0; m < all; m++)
      moved[PLACE(m % whole[0], m / whole[0] % whole[1], m / (whole[0] * whole[1]))] = image[m];
    denoise_shifted(moved, whole, levels, threshold);
    for (int m = 0; m < n[0] * n[1] * n[2]; m++)
      out[m] += moved[PLACE(m % n[0], m / n[0] % n[1], m / (n[0] * n[1]))] / (shifts[0] * shifts[1] * shifts[2]);
#undef PLACE
  }
}

static ct_problem problem_of(const int n[3], int threads) {
  return (ct_problem){.grid = ct_grid_centred(n[0], n[1], n[2], 1, NULL), .threads = threads};
}

static void as_defined(void) {
  static const struct {
    int n[3], levels;
  } cases[] = {{{12, 20, 1}, 3}, {{20, 12, 1}, 2}, {{6, 4, 10}, 2}, {{9, 7, 5}, 1}, {{12, 1, 20}, 3}, {{24, 40, 1}, 4}};
  ct_error *error = NULL;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const int *n = cases[c].n, count = n[0] * n[1] * n[2];
    static double expected[MOST];
    static float image[MOST], other[MOST];
    for (int threads = 1; threads < 4; threads += 2) {
      ct_problem p = problem_of(n, threads);
      ct_haar haar;
      CHECK_OK(ct_haar_prepare(&p, cases[c].levels, &haar, &error));
      CHECK(haar.levels == cases[c].levels);
      float *to = threads == 1 ? image : other;
      for (int m = 0; m < count; m++) to[m] = (float)value_of(m);
      ct_haar_denoise(&haar, to, 0.6);
      ct_problem_clear(&p);
    }
    CHECK(!memcmp(image, other, (size_t)count * sizeof *image));
    expect(n, cases[c].levels, 0.6, expected);
    double changed = 0;
    for (int m = 0; m < count; m++) {
      CHECK_NEAR(image[m], expected[m], 3e-6);
      changed = fmax(changed, fabs(expected[m] - value_of(m)));
    }
    CHECK(changed > 0.3);
  }
}

/* A constant, and an image whose coefficients are all below the threshold, become flat; nothing is done by 0. */
static void ends(void) {
  ct_error *error = NULL;
  static const int n[3] = {30, 17, 1};
  enum { COUNT = 30 * 17 };
  float image[COUNT];
  ct_problem p = problem_of(n, 2);
  ct_haar haar;
  CHECK_OK(ct_haar_prepare(&p, CT_HAAR_LEVELS, &haar, &error));
  CHECK(haar.levels == 5);
  for (int m = 0; m < COUNT; m++) image[m] = (float)value_of(m);
  ct_haar_denoise(&haar, image, 0);
  for (int m = 0; m < COUNT; m++) CHECK(image[m] == (float)value_of(m));
  ct_haar_denoise(&haar, image, 1e-30);
  for (int m = 0; m < COUNT; m++) CHECK_NEAR(image[m], value_of(m), 3e-6);
  for (int m = 0; m < COUNT; m++) image[m] = 3 + 1e-3f * (float)value_of(m);
  ct_haar_denoise(&haar, image, 1);
  for (int m = 0; m < COUNT; m++) CHECK_NEAR(image[m], 3, 1e-3);
  for (int m = 1; m < COUNT; m++) CHECK_NEAR(image[m], image[m - 1], 4e-4);
  ct_problem_clear(&p);
}

static const ct_test tests[] = {
    {"the mean over all shifts of the orthonormal transform, at any size", as_defined},
    {"nothing, next to nothing, and all of it are taken away", ends},
};
CT_TEST_MAIN(tests)
