/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analysis of errors against loops that do the same in the plainest way: sorting, one voxel after the other, at
 * several sizes, with values that are not finite. */
#include "recon/metric/analysis.h"

#include "recon/base/memory.h"
#include "tests/test.h"

#include <omp.h>
#include <stdint.h>

typedef struct pair {
  int nx, ny, nz;
  size_t count;
  float *a, *b;
} pair;

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

/* b of noise; a with errors of many orders of magnitude, some exactly 0, and a bias. */
static pair new_pair(int nx, int ny, int nz) {
  pair p = {nx, ny, nz, (size_t)nx * (size_t)ny * (size_t)nz, NULL, NULL};
  uint64_t seed = 7;
  p.a = malloc(p.count * sizeof *p.a);
  p.b = malloc(p.count * sizeof *p.b);
  for (size_t i = 0; p.a && p.b && i < p.count; i++) {
    p.b[i] = (float)(3 * uniform(&seed) - 1);
    p.a[i] = p.b[i] + (i % 9 ? (float)(0.01 + (uniform(&seed) - 0.5) * pow(10, -9 * uniform(&seed))) : 0);
  }
  if (p.a && p.b && p.count > 100) {
    p.a[17] = NAN;
    p.a[40] = -INFINITY;
    p.b[60] = INFINITY;
    p.b[61] = p.a[61] = NAN;
  }
  return p;
}

static void free_pair(pair *p) {
  free(p->a);
  free(p->b);
}

static const int sizes[][3] = {{23, 17, 5}, {64, 43, 3}, {7, 30, 2}, {40, 3, 2}, {1, 1, 1}, {300, 2, 1}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static ct_analysis *analyse(const pair *p, const ct_box *box, double range, ct_error **error) {
  return ct_analysis_new(&(ct_analysis_request){.pair = {p->a, p->b, p->nx, p->ny, p->nz, NAN}, box, range}, NULL,
                         error);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Errors of the finite pairs in order; returns their number. */
static size_t errors_of(const pair *p, double *errors) {
  size_t n = 0;
  for (size_t i = 0; i < p->count; i++)
    if (isfinite(p->a[i]) && isfinite(p->b[i])) errors[n++] = (double)p->a[i] - (double)p->b[i];
  return n;
}

static void sums_and_percentiles(void) {
  for (int s = 0; s < SIZES; s++) {
    ct_error *error = NULL;
    pair p = new_pair(sizes[s][0], sizes[s][1], sizes[s][2]);
    double *e = malloc(p.count * sizeof *e);
    CHECK(p.a && p.b && e);
    ct_analysis *r = analyse(&p, NULL, NAN, &error);
    CHECK_OK(r);
    const size_t n = errors_of(&p, e);
    double sum = 0, absolute = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += e[i], absolute += fabs(e[i]);
    for (size_t i = 0; i < n; i++) squares += (e[i] - sum / (double)n) * (e[i] - sum / (double)n);
    CHECK(r->metrics.count == n);
    CHECK_NEAR(r->bias, sum / (double)n, 1e-15);
    CHECK_NEAR(r->mae, absolute / (double)n, 1e-15);
    CHECK_NEAR(r->deviation, sqrt(squares / (double)n), 1e-14);
    for (size_t i = 0; i < n; i++) e[i] = fabs(e[i]);
    qsort(e, n, sizeof *e, by_size);
    for (int i = 0; i < CT_ANALYSIS_SHARES; i++) {
      const double at = (double[]){0.5, 0.9, 0.99, 0.999}[i] * (double)(n - 1);
      const size_t low = (size_t)at, high = low + 1 < n ? low + 1 : low;
      const double expected = e[low] + (at - (double)low) * (e[high] - e[low]);
      CHECK_NEAR(r->percentiles[i], expected, 1e-7 * expected);
    }
    ct_analysis_free(r);
    free(e);
    free_pair(&p);
  }
}

static void histograms(void) {
  for (int s = 0; s < SIZES; s++) {
    ct_error *error = NULL;
    pair p = new_pair(sizes[s][0], sizes[s][1], sizes[s][2]);
    double *e = malloc(p.count * sizeof *e);
    CHECK(p.a && p.b && e);
    ct_analysis *r = analyse(&p, NULL, s == 1 ? 0.2 : NAN, &error);
    CHECK_OK(r);
    const size_t n = errors_of(&p, e);
    size_t bins[CT_ANALYSIS_BINS] = {0}, zeros = 0, all = 0, joint = 0;
    for (size_t i = 0; i < n; i++) {
      const double at = r->range > 0 ? (e[i] + r->range) / (2 * r->range) * CT_ANALYSIS_BINS : CT_ANALYSIS_BINS / 2;
      bins[at < 0 ? 0 : at >= CT_ANALYSIS_BINS ? CT_ANALYSIS_BINS - 1 : (int)at]++;
      zeros += e[i] == 0;
    }
    CHECK(!memcmp(bins, r->bins, sizeof bins));
    CHECK(zeros == r->zeros && r->range == (s == 1 ? 0.2 : r->metrics.max_abs));
    for (int i = 0; i <= CT_ANALYSIS_LOG_BINS; i++) {
      size_t below = 0;
      const double edge = r->metrics.max_abs * pow(10, (i - 160) / 20.0);
      CHECK_NEAR(r->log_edges[i], edge, 1e-12 * edge);
      for (size_t k = 0; k < n; k++) below += fabs(e[k]) < r->log_edges[i] || (i == 160 && r->log_edges[160] > 0);
      CHECK_NEAR(r->shares[i], r->log_edges[160] > 0 ? (double)below / (double)n : 1, 1e-15);
    }
    for (int i = 0; i < CT_ANALYSIS_LOG_BINS; i++) all += r->log_bins[i];
    CHECK(all + r->smaller == n);
    for (int v = 0; v < CT_ANALYSIS_VALUES; v++)
      for (int i = 0; i < CT_ANALYSIS_ERRORS; i++) joint += r->joint[v][i];
    CHECK(joint == n);
    ct_analysis_free(r);
    free(e);
    free_pair(&p);
  }
}

static void errors_against_values(void) {
  ct_error *error = NULL;
  pair p = new_pair(64, 43, 3);
  CHECK(p.a && p.b);
  ct_analysis *r = analyse(&p, NULL, NAN, &error);
  CHECK_OK(r);
  const double width = (r->value_high - r->value_low) / CT_ANALYSIS_VALUES;
  for (int v = 0; v < CT_ANALYSIS_VALUES; v++) {
    double sum = 0, squares = 0;
    size_t n = 0, row = 0;
    for (int pass = 0; pass < 2; pass++)
      for (size_t i = 0; i < p.count; i++) {
        if (!isfinite(p.a[i]) || !isfinite(p.b[i])) continue;
        const int at = (int)((p.b[i] - r->value_low) / width);
        if ((at < CT_ANALYSIS_VALUES ? at : CT_ANALYSIS_VALUES - 1) != v) continue;
        const double e = (double)p.a[i] - p.b[i];
        if (pass == 0) {
          sum += e;
          n++;
        } else {
          squares += (e - sum / (double)n) * (e - sum / (double)n);
        }
      }
    CHECK(r->values[v].count == n && n > 0);
    CHECK_NEAR(r->values[v].mean, sum / (double)n, 1e-14);
    CHECK_NEAR(r->values[v].deviation, sqrt(squares / (double)n), 1e-13);
    for (int i = 0; i < CT_ANALYSIS_ERRORS; i++) row += r->joint[v][i];
    CHECK(row == n);
  }
  ct_analysis_free(r);
  free_pair(&p);
}

/* The rule by looking at every voxel for each of the ten. */
static void worst_voxels(void) {
  for (int s = 0; s < SIZES; s++) {
    ct_error *error = NULL;
    pair p = new_pair(sizes[s][0], sizes[s][1], sizes[s][2]);
    CHECK(p.a && p.b);
    if (s == 0) p.a[100] = p.b[100] + 5, p.a[101] = p.b[101] + 4, p.a[1500] = p.a[100], p.b[1500] = p.b[100];
    ct_analysis *r = analyse(&p, NULL, NAN, &error);
    CHECK_OK(r);
    int taken[CT_ANALYSIS_WORST][3], count = 0;
    while (count < CT_ANALYSIS_WORST) {
      double largest = 0;
      for (int z = 0; z < p.nz; z++)
        for (int y = 0; y < p.ny; y++)
          for (int x = 0; x < p.nx; x++) {
            const size_t i = ((size_t)z * (size_t)p.ny + (size_t)y) * (size_t)p.nx + (size_t)x;
            bool near = false;
            for (int t = 0; t < count; t++)
              near |= abs(x - taken[t][0]) < 5 && abs(y - taken[t][1]) < 5 && abs(z - taken[t][2]) < 5;
            if (near || !isfinite(p.a[i]) || !isfinite(p.b[i]) || fabs((double)p.a[i] - p.b[i]) <= largest) continue;
            largest = fabs((double)p.a[i] - p.b[i]);
            memcpy(taken[count], (int[]){x, y, z}, sizeof *taken);
          }
      if (!(largest > 0)) break;
      CHECK(count < r->worst_count && !memcmp(taken[count], r->worst[count].at, sizeof *taken));
      CHECK(fabs((double)r->worst[count].a - r->worst[count].b) == largest);
      count++;
    }
    CHECK(count == r->worst_count);
    CHECK(!count || !memcmp(r->worst[0].at, r->metrics.max_at, sizeof r->metrics.max_at));
    ct_analysis_free(r);
    free_pair(&p);
  }
}

/* Slices and regions are what ct_compare gives of their voxels cut out. */
static void boxes(void) {
  ct_error *error = NULL;
  pair p = new_pair(23, 17, 5);
  const ct_box all[] = {{{0, 0, 2}, {23, 17, 3}},
                        {{3, 2, 1}, {20, 16, 4}},
                        {{0, 0, 0}, {23, 17, 5}},
                        {{0, 4, 3}, {23, 9, 4}},
                        {{5, 0, 0}, {6, 17, 5}}};
  CHECK(p.a && p.b);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const ct_box *box = &all[k];
    float a[23 * 17 * 5], b[23 * 17 * 5];
    size_t n = 0;
    ct_metrics m, slice;
    for (int z = box->begin[2]; z < box->end[2]; z++)
      for (int y = box->begin[1]; y < box->end[1]; y++)
        for (int x = box->begin[0]; x < box->end[0]; x++, n++) {
          a[n] = p.a[(z * 17 + y) * 23 + x];
          b[n] = p.b[(z * 17 + y) * 23 + x];
        }
    ct_comparison cut = {a,  b, box->end[0] - box->begin[0], box->end[1] - box->begin[1], box->end[2] - box->begin[2],
                         NAN};
    CHECK_OK(ct_compare(&cut, &m, NULL, &error));
    ct_analysis *r = analyse(&p, box, NAN, &error);
    CHECK_OK(r);
    CHECK(r->metrics.rmse == m.rmse && r->metrics.ssim == m.ssim && r->metrics.count == m.count);
    for (int axis = 0; axis < 3; axis++) {
      CHECK(r->metrics.max_at[axis] == m.max_at[axis] + box->begin[axis]);
      CHECK(r->worst[0].at[axis] == r->metrics.max_at[axis]);
    }
    CHECK(r->first_slice == box->begin[2] && r->slice_count == cut.nz);
    for (int z = 0; z < r->slice_count; z++) {
      const size_t area = (size_t)cut.nx * (size_t)cut.ny;
      const ct_comparison one = {a + (size_t)z * area, b + (size_t)z * area, cut.nx, cut.ny, 1, m.peak};
      CHECK_OK(ct_compare(&one, &slice, NULL, &error));
      CHECK_NEAR(r->slices[z].rmse, slice.rmse, 1e-15);
      CHECK(r->slices[z].ssim == slice.ssim);
    }
    ct_analysis_free(r);
  }
  free_pair(&p);
}

static void ssim_map(void) {
  for (int s = 0; s < SIZES; s++) {
    ct_error *error = NULL;
    pair p = new_pair(sizes[s][0], sizes[s][1], 1);
    float *map = malloc(p.count * sizeof *map);
    ct_metrics m;
    CHECK(p.a && p.b && map);
    const ct_comparison slice = {p.a, p.b, p.nx, p.ny, 1, NAN};
    CHECK_OK(ct_compare(&slice, &m, NULL, &error));
    CHECK_OK(ct_ssim_map(&slice, map, &error));
    double sum = 0;
    size_t n = 0;
    for (int y = 0; y < p.ny; y++)
      for (int x = 0; x < p.nx; x++) {
        const float value = map[y * p.nx + x];
        const bool inside = (p.nx < 11 || (x >= 5 && x < p.nx - 5)) && (p.ny < 11 || (y >= 5 && y < p.ny - 5));
        CHECK(isnan(value) == !inside);
        if (!inside) continue;
        sum += value;
        n++;
      }
    CHECK_NEAR(sum / (double)n, m.ssim, 1e-7);
    free(map);
    free_pair(&p);
  }
}

/* Some of the voxels of a box: an outline that is no rectangle, other at each slice. */
static bool is_left(int x, int y, int z) {
  return (x - 12) * (x - 12) + 2 * (y - 9) * (y - 9) < 70 + 20 * z || (x == 2 && y == 3);
}

static void check_masked(const pair *p, const ct_box *box) {
  const int n[3] = {box->end[0] - box->begin[0], box->end[1] - box->begin[1], box->end[2] - box->begin[2]};
  const size_t size = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
  unsigned char *mask = malloc(size);
  float *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b), *own = NULL, *map = malloc(size * sizeof *map);
  ct_comparison cut;
  ct_error *error = NULL;
  size_t at = 0, count = 0, similar = 0;
  double similarity = 0;
  CHECK(mask && a && b && map);
  CHECK_OK(ct_comparison_crop(&(ct_comparison){p->a, p->b, p->nx, p->ny, p->nz, NAN}, box, &cut, &own, &error));
  for (int z = 0; z < n[2]; z++)
    for (int y = 0; y < n[1]; y++)
      for (int x = 0; x < n[0]; x++, at++) {
        mask[at] = is_left(x, y, z);
        if (!mask[at]) continue;
        a[count] = cut.a[at];
        b[count++] = cut.b[at];
      }
  /* The same voxels as an array of their own. */
  ct_analysis *alone = ct_analysis_new(&(ct_analysis_request){.pair = {a, b, (int)count, 1, 1, NAN}, .range = NAN},
                                       NULL, &error),
              *r = ct_analysis_new(
                  &(ct_analysis_request){.pair = {p->a, p->b, p->nx, p->ny, p->nz, NAN}, box, NAN, mask}, NULL, &error);
  CHECK_OK(alone && r);
  CHECK(r->metrics.count == alone->metrics.count && r->metrics.not_finite == alone->metrics.not_finite);
  CHECK(r->metrics.count + r->metrics.not_finite == count && r->metrics.count > 50);
  CHECK_NEAR(r->metrics.rmse, alone->metrics.rmse, 1e-15);
  CHECK_NEAR(r->mae, alone->mae, 1e-15);
  CHECK_NEAR(r->bias, alone->bias, 1e-15);
  CHECK_NEAR(r->metrics.slope, alone->metrics.slope, 1e-12);
  CHECK_NEAR(r->metrics.pearson_r, alone->metrics.pearson_r, 1e-12);
  CHECK(r->metrics.max_abs == alone->metrics.max_abs && r->metrics.peak == alone->metrics.peak);
  CHECK(!memcmp(r->percentiles, alone->percentiles, sizeof r->percentiles));
  CHECK(!memcmp(r->bins, alone->bins, sizeof r->bins) && !memcmp(r->joint, alone->joint, sizeof r->joint));
  CHECK(r->of_a.nans == alone->of_a.nans && r->of_b.nans == alone->of_b.nans && r->of_a.below == alone->of_a.below);
  CHECK(
      is_left(r->worst[0].at[0] - box->begin[0], r->worst[0].at[1] - box->begin[1], r->worst[0].at[2] - box->begin[2]));
  for (int z = 0; z < n[2]; z++) {
    const size_t area = (size_t)n[0] * (size_t)n[1], from = (size_t)z * area;
    CHECK_OK(ct_ssim_map(&(ct_comparison){cut.a + from, cut.b + from, n[0], n[1], 1, r->metrics.peak}, map, &error));
    for (size_t i = 0; i < area; i++)
      if (mask[from + i] && !isnan(map[i])) {
        similarity += map[i];
        similar++;
      }
  }
  CHECK(similar > 20);
  CHECK_NEAR(r->metrics.ssim, similarity / (double)similar, 1e-12);
  memset(mask, 0, size);
  CHECK_FAILS(ct_analysis_new(&(ct_analysis_request){.pair = {p->a, p->b, p->nx, p->ny, p->nz, NAN}, box, NAN, mask},
                              NULL, &error),
              CT_ERROR_DATA, "region");
  ct_analysis_free(alone);
  ct_analysis_free(r);
  ct_free(own);
  free(mask);
  free(a);
  free(b);
  free(map);
}

static void masks(void) {
  pair p = new_pair(64, 43, 3);
  CHECK(p.a && p.b);
  check_masked(&p, &(ct_box){{0, 0, 0}, {64, 43, 3}});
  check_masked(&p, &(ct_box){{31, 7, 1}, {57, 30, 2}});
  free_pair(&p);
}

static void counts(void) {
  enum { N = 4000 };
  static float v[N];
  ct_value_counts c;
  for (int i = 0; i < N; i++) v[i] = (float)(i % 500) / 500;
  v[3] = v[999] = NAN;
  v[5] = INFINITY;
  v[6] = v[7] = v[3999] = -INFINITY;
  v[8] = 1e-40f;
  v[9] = -1e-44f;
  v[10] = 65504;
  v[11] = -65505;
  v[12] = 2e38f;
  for (int i = 100; i < 120; i++) v[i] = 3e38f;
  ct_value_counts_of(v, N, &c);
  CHECK(c.nans == 2 && c.above == 1 && c.below == 3 && c.subnormal == 2);
  CHECK(c.beyond_half == 22 && c.huge == 21);
  CHECK(c.low == -65505 && c.at_low == 1 && c.high == 3e38f && c.at_high == 20 && c.clipped == 20);
  for (int i = 0; i < N; i++) v[i] = 1;
  ct_value_counts_of(v, N, &c);
  CHECK(c.at_low == N && c.at_high == N && c.clipped == N);
  ct_value_counts_of(v, 0, &c);
  CHECK(isnan(c.low) && isnan(c.high) && c.clipped == 0 && c.at_low == 0);
}

static void equal_and_impossible(void) {
  ct_error *error = NULL;
  pair p = new_pair(23, 17, 5);
  CHECK(p.a && p.b);
  memcpy(p.b, p.a, p.count * sizeof *p.b);
  ct_analysis *r = analyse(&p, NULL, NAN, &error);
  CHECK_OK(r);
  CHECK(r->worst_count == 0 && r->range == 0 && r->bins[CT_ANALYSIS_BINS / 2] == r->metrics.count);
  CHECK(r->zeros == r->metrics.count && r->smaller == r->zeros && r->mae == 0 && r->percentiles[3] == 0);
  ct_analysis_free(r);
  CHECK_FAILS(analyse(&p, &(ct_box){{0, 0, 4}, {23, 17, 6}}, NAN, &error), CT_ERROR_ARGUMENT, "4:6 along z");
  CHECK_FAILS(analyse(&p, &(ct_box){{5, 0, 0}, {5, 17, 5}}, NAN, &error), CT_ERROR_ARGUMENT, "5:5 along x");
  CHECK_FAILS(analyse(&p, NULL, -1, &error), CT_ERROR_ARGUMENT, "range");
  for (size_t i = 0; i < p.count; i++) p.a[i] = NAN;
  CHECK_FAILS(analyse(&p, NULL, NAN, &error), CT_ERROR_DATA, "finite");
  free_pair(&p);
}

static void threads_change_nothing(void) {
  const int most = omp_get_max_threads();
  ct_error *error = NULL;
  pair p = new_pair(64, 43, 3);
  ct_analysis *r[2];
  CHECK(p.a && p.b);
  for (int i = 0; i < 2; i++) {
    omp_set_num_threads(i ? 3 : 1);
    r[i] = analyse(&p, NULL, NAN, &error);
    CHECK_OK(r[i]);
  }
  omp_set_num_threads(most);
  CHECK(!memcmp(r[0]->slices, r[1]->slices, 3 * sizeof *r[0]->slices));
  CHECK(r[0]->mae == r[1]->mae && r[0]->bias == r[1]->bias && r[0]->deviation == r[1]->deviation);
  CHECK(!memcmp(r[0]->percentiles, r[1]->percentiles, sizeof r[0]->percentiles));
  CHECK(!memcmp(r[0]->values, r[1]->values, sizeof r[0]->values));
  CHECK(!memcmp(r[0]->joint, r[1]->joint, sizeof r[0]->joint) && !memcmp(r[0]->bins, r[1]->bins, sizeof r[0]->bins));
  CHECK(!memcmp(r[0]->worst, r[1]->worst, sizeof r[0]->worst));
  ct_analysis_free(r[0]);
  ct_analysis_free(r[1]);
  free_pair(&p);
}

static const ct_test tests[] = {
    {"mean, deviation and percentiles of errors, by sorting", sums_and_percentiles},
    {"histograms and shares, voxel by voxel", histograms},
    {"errors at each value", errors_against_values},
    {"the worst voxels are apart, largest first", worst_voxels},
    {"a box is what ct_compare gives of its voxels, slices too", boxes},
    {"voxels under a mask are those of an array of their own", masks},
    {"the mean of the map is the slice's SSIM", ssim_map},
    {"values that are no numbers, too large, too small, clipped", counts},
    {"equal arrays, and what cannot be", equal_and_impossible},
    {"the number of threads changes no bit", threads_change_nothing},
};
CT_TEST_MAIN(tests)
