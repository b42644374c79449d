/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shearlets: a tight frame at sizes even, odd and prime, bands that hold the directions that they are named by,
 * the noise of each, and what their thresholds take from noisy pictures beside Haar's transform. */
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/iterative/shearlet-private.h"

enum { MOST = 1 << 17 };

static const int sizes[][2] = {{1, 1},   {2, 2},   {5, 3},   {40, 1},  {1, 41},   {16, 16},  {17, 31},
                               {64, 48}, {97, 60}, {60, 97}, {256, 9}, {101, 97}, {257, 260}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Of -1 .. 1, the same for a seed; of 12 of them, noise of deviation 1. */
static double random_of(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 8388608.0 - 1;
}
static double noise_of(unsigned *state) {
  double sum = 0;
  for (int n = 0; n < 12; n++) sum += random_of(state);
  return sum / 2;
}

static ct_problem problem_of(int nx, int ny, int nz, int threads) {
  return (ct_problem){.grid = ct_grid_centred(nx, ny, nz, 1, NULL), .threads = threads};
}

static void squares_add_up(void) {
  ct_error *error = NULL;
  for (int n = 0; n < SIZES; n++)
    for (int scales = 1; scales <= CT_SHEARLET_SCALES; scales++) {
      const int nx = sizes[n][0], ny = sizes[n][1];
      static double sums[MOST];
      ct_problem p = problem_of(nx, ny, 1, 2);
      ct_shearlet_frame f;
      CHECK_OK(ct_shearlet_frame_make(&p, scales, &f, &error));
      CHECK(f.scales <= scales && (f.scales == 1 || 1 << 2 * f.scales <= (nx > ny ? nx : ny)));
      memset(sums, 0, sizeof sums);
      size_t count = 0;
      double power = 0;
      for (int band = 0; band < f.bands; band++) {
        power += f.norms[band] * f.norms[band];
        for (int row = 0; row < ny; row++) {
          const ct_shearlet_run *run = f.runs + band * ny + row;
          count += (size_t)(run->end - run->first);
          for (int column = run->first; column < run->end; column++) {
            const double value = (double)f.values[run->at + (size_t)(column - run->first)];
            sums[row * f.half + column] += value * value;
          }
        }
      }
      for (int m = 0; m < ny * f.half; m++) CHECK_NEAR(sums[m], 1, 1e-6);
      CHECK_NEAR(power, 1, 1e-6);
      CHECK((double)(count * sizeof(float) + (size_t)(f.bands * ny) * sizeof *f.runs +
                     (size_t)f.bands * sizeof *f.norms) <= ct_shearlet_frame_bytes(nx, ny, scales));
      ct_problem_clear(&p);
    }
}

/* The sum of squares of each band's coefficients of a slice. */
static double *energies(const ct_shearlet *s, const float *slice, ct_error **error) {
  const size_t count = (size_t)s->frame.nx * (size_t)s->frame.ny;
  float *room = ct_alloc_zero(s->plane + 2 * s->pairs, sizeof *room, "a test", error);
  double *energy = ct_alloc_zero((size_t)s->frame.bands, sizeof *energy, "a test", error);
  if (!room || !energy) return NULL;
  float *spectrum = room + s->plane, *pairs = spectrum + s->pairs;
  memcpy(room, slice, count * sizeof *slice);
  ct_shearlet_spectrum(s, room, spectrum);
  for (int band = 0; band < s->frame.bands; band++) {
    ct_shearlet_band(s, band, spectrum, pairs, room);
    for (size_t n = 0; n < count; n++) energy[band] += (double)room[n] * (double)room[n];
  }
  ct_free(room);
  return energy;
}

/* Parseval's equation of pictures at random; of a single voxel each band has its share of noise. */
static void coefficients_have_the_energy(void) {
  ct_error *error = NULL;
  static float slice[MOST];
  unsigned state = 1;
  for (int n = 0; n < SIZES; n += ct_test_case_step()) {
    const int nx = sizes[n][0], ny = sizes[n][1], count = nx * ny;
    ct_problem p = problem_of(nx, ny, 1, 1);
    ct_shearlet s;
    CHECK_OK(ct_shearlet_prepare(&p, 4, &s, &error));
    double whole = 0, sum = 0;
    for (int m = 0; m < count; m++) slice[m] = (float)random_of(&state), whole += (double)slice[m] * (double)slice[m];
    double *energy = energies(&s, slice, &error);
    CHECK_OK(energy);
    for (int band = 0; band < s.frame.bands; band++) sum += energy[band];
    CHECK_NEAR(sum / whole, 1, 1e-5);
    ct_free(energy);
    memset(slice, 0, sizeof slice);
    slice[count / 3] = 1;
    CHECK_OK((energy = energies(&s, slice, &error)));
    for (int band = 0; band < s.frame.bands; band++) CHECK_NEAR(sqrt(energy[band]), s.frame.norms[band], 1e-5);
    ct_free(energy);
    ct_shearlet_clear(&s);
    ct_problem_clear(&p);
  }
}

/* A wave along x, along y, along both diagonals: the bands of 4, 8 and 16 directions that hold all of it. */
static void bands_are_directions(void) {
  enum { N = 64 };
  static const struct {
    int x, y, place; /* waves along the axes; behind the scale's first band, as shares of its width */
  } waves[] = {{20, 0, 0}, {0, 20, 1}, {20, -20, 2}, {20, 20, 3}};
  ct_error *error = NULL;
  static float slice[N * N];
  ct_problem p = problem_of(N, N, 1, 1);
  ct_shearlet s;
  CHECK_OK(ct_shearlet_prepare(&p, 3, &s, &error));
  CHECK(s.frame.scales == 3 && s.frame.bands == 29);
  for (int w = 0; w < 4; w++) {
    for (int m = 0; m < N * N; m++) slice[m] = (float)cos(2 * M_PI * (waves[w].x * (m % N) + waves[w].y * (m / N)) / N);
    double *energy = energies(&s, slice, &error), sum = 0;
    CHECK_OK(energy);
    for (int scale = 0; scale < 3; scale++) {
      const int most = 1 << scale, width = 2 * most - 1, first = 1 + 4 * (most - 1);
      const int places[] = {most - 1, width + most - 1, 2 * width + 1, 2 * width};
      sum += energy[first + places[waves[w].place]];
    }
    CHECK_NEAR(sum, N * N / 2, 1e-2);
    ct_free(energy);
  }
  ct_shearlet_clear(&s);
  ct_problem_clear(&p);
}

static bool denoise(const int n[3], int threads, float *image, double weight, ct_error **error) {
  ct_problem p = problem_of(n[0], n[1], n[2], threads);
  ct_shearlet s;
  bool good = ct_shearlet_prepare(&p, 4, &s, error);
  if (good) {
    good = ct_shearlet_denoise(&s, image, weight, NULL, error);
    ct_shearlet_clear(&s);
  }
  ct_problem_clear(&p);
  return good;
}

/* Next to nothing is taken away, nothing by 0; the mean stays whatever is. */
static void ends(void) {
  ct_error *error = NULL;
  static float image[MOST], was[MOST];
  unsigned state = 2;
  for (int n = 0; n < SIZES; n += ct_test_case_step()) {
    const int size[3] = {sizes[n][0], sizes[n][1], 1}, count = size[0] * size[1];
    double mean = 0;
    for (int m = 0; m < count; m++) image[m] = was[m] = (float)random_of(&state), mean += (double)was[m] / count;
    CHECK_OK(denoise(size, 2, image, 0, &error));
    CHECK(!memcmp(image, was, (size_t)count * sizeof *image));
    CHECK_OK(denoise(size, 2, image, 1e-30, &error));
    for (int m = 0; m < count; m++) CHECK_NEAR(image[m], was[m], 1e-5);
    CHECK_OK(denoise(size, 2, image, 3, &error));
    double left = 0;
    for (int m = 0; m < count; m++) left += (double)image[m] / count;
    CHECK_NEAR(left, mean, 1e-5);
  }
}

/* Slices by themselves or each by all threads: the same bits, and each slice as it is alone. */
static void threads_do_not_matter(void) {
  enum { PLANE = 67 * 50 };
  static float image[7 * PLANE], other[7 * PLANE], single[PLANE];
  ct_error *error = NULL;
  unsigned state = 3;
  static float was[7 * PLANE];
  for (int m = 0; m < 7 * PLANE; m++) was[m] = (float)noise_of(&state);
  memcpy(image, was, sizeof was);
  CHECK_OK(denoise((const int[]){67, 50, 7}, 1, image, 1, &error));
  for (int threads = 2; threads < 9; threads += 3) {
    memcpy(other, was, sizeof was);
    CHECK_OK(denoise((const int[]){67, 50, 7}, threads, other, 1, &error));
    CHECK(!memcmp(image, other, sizeof image));
  }
  for (int k = 0; k < 7; k += 3) {
    memcpy(single, was + k * PLANE, sizeof single);
    CHECK_OK(denoise((const int[]){67, 50, 1}, 3, single, 1, &error));
    CHECK(!memcmp(single, image + k * PLANE, sizeof single));
  }
}

static void cancels(void) {
  static float image[3 * 32 * 32];
  ct_error *error = NULL;
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  ct_job_cancel(job);
  for (int threads = 1; threads < 5; threads += 3) {
    ct_problem p = problem_of(32, 32, 3, threads);
    ct_shearlet s;
    CHECK_OK(ct_shearlet_prepare(&p, 4, &s, &error));
    CHECK_FAILS(ct_shearlet_denoise(&s, image, 1, job, &error), CT_ERROR_CANCELLED, "");
    ct_shearlet_clear(&s);
    ct_problem_clear(&p);
  }
  ct_job_free(job);
}

enum { EDGE = 96 };

/* An ellipse that is turned, and a bar in it: flat. Or waves about a place beside the middle: all edges are curved. */
static double picture_at(bool flat, int m) {
  const double x = (m % EDGE - EDGE / 2 + 0.3) * 2 / EDGE, y = (m / EDGE - EDGE / 2 - 0.2) * 2 / EDGE;
  const double u = 0.8 * x + 0.6 * y, v = 0.8 * y - 0.6 * x;
  if (flat) return (u * u / 0.49 + v * v / 0.16 < 1) + 0.5 * (fabs(u - 0.1) < 0.25 && fabs(v) < 0.07);
  return 0.5 * sin(45 * hypot(x + 0.3, y - 0.2)) * exp(-2 * (x * x + y * y));
}

static double rmse_of(bool flat, const float *image) {
  double sum = 0;
  for (int m = 0; m < EDGE * EDGE; m++) {
    const double d = (double)image[m] - picture_at(flat, m);
    sum += d * d;
  }
  return sqrt(sum / (EDGE * EDGE));
}

/* At the best threshold of each, from 0.05 to 1: of the picture as it came, by Haar's transform, by shearlets. */
static bool best_of(bool flat, double rmse[3], ct_error **error) {
  static float noisy[EDGE * EDGE], image[EDGE * EDGE];
  const int size[3] = {EDGE, EDGE, 1};
  unsigned state = 4;
  for (int m = 0; m < EDGE * EDGE; m++) noisy[m] = (float)(picture_at(flat, m) + 0.2 * noise_of(&state));
  rmse[0] = rmse_of(flat, noisy);
  rmse[1] = rmse[2] = INFINITY;
  ct_problem p = problem_of(EDGE, EDGE, 1, 2);
  ct_haar haar;
  bool good = ct_haar_prepare(&p, 5, &haar, error);
  for (double weight = 0.05; good && weight < 1; weight *= 1.15) {
    memcpy(image, noisy, sizeof noisy);
    ct_haar_denoise(&haar, image, weight);
    rmse[1] = fmin(rmse[1], rmse_of(flat, image));
    memcpy(image, noisy, sizeof noisy);
    good = denoise(size, 2, image, weight, error);
    rmse[2] = fmin(rmse[2], rmse_of(flat, image));
  }
  ct_problem_clear(&p);
  printf("# %s: noisy %.4f, Haar %.4f, shearlets %.4f\n", flat ? "flat pieces" : "waves", rmse[0], rmse[1], rmse[2]);
  return good;
}

/* Steps between flat pieces are Haar's own; those of shearlets are directions. */
static void edges_in_noise(void) {
  ct_error *error = NULL;
  double rmse[3];
  CHECK_OK(best_of(true, rmse, &error));
  CHECK_BELOW(rmse[2], 0.45 * rmse[0]);
  CHECK_OK(best_of(false, rmse, &error));
  CHECK_BELOW(rmse[2], 0.45 * rmse[0]);
  CHECK_BELOW(rmse[2], 0.9 * rmse[1]);
}

static const ct_test tests[] = {
    {"the squares of filters add up to 1 at each frequency", squares_add_up},
    {"coefficients have the energy of the slice", coefficients_have_the_energy},
    {"bands are directions", bands_are_directions},
    {"nothing, next to nothing, and all but the mean are taken away", ends},
    {"the number of threads does not matter, nor do other slices", threads_do_not_matter},
    {"a cancelled job ends it", cancels},
    {"noise goes, edges stay, and curved ones better than by Haar's transform", edges_in_noise},
};
CT_TEST_MAIN(tests)
