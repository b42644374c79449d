/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions against loops over all pixels with rules of their own, contrast to noise of a simulated phantom, and widths
 * of edges and ridges that are known. */
#include "recon/metric/line.h"
#include "recon/metric/region.h"
#include "tests/test.h"

#include <stdint.h>

enum { WIDTH = 90, HEIGHT = 70, PIXELS = WIDTH * HEIGHT };

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

static double gaussian(uint64_t *state) {
  return sqrt(-2 * log(uniform(state) + 1e-300)) * cos(2 * M_PI * uniform(state));
}

/* Pixels that are no squares and no whole mm. */
static ct_slice_image image_of(const float *values) {
  return (ct_slice_image){values, WIDTH, HEIGHT, -20.3, 4.1, 0.5, 0.75};
}

static double x_of(const ct_slice_image *image, int i) {
  return image->left + i * image->across;
}
static double y_of(const ct_slice_image *image, int j) {
  return image->bottom + j * image->up;
}

static void fill_noise(float *values) {
  uint64_t seed = 3;
  for (int n = 0; n < PIXELS; n++) values[n] = (float)(uniform(&seed) - 0.3);
  values[30 * WIDTH + 40] = NAN;
  values[31 * WIDTH + 40] = -INFINITY;
}

/* The angle that the corners turn through as seen from a point: a whole turn within a simple polygon. */
static bool is_within(const double (*p)[2], size_t count, double x, double y) {
  double turned = 0;
  for (size_t i = 0; i < count; i++) {
    const double *a = p[i], *b = p[(i + 1) % count];
    const double u[2] = {a[0] - x, a[1] - y}, v[2] = {b[0] - x, b[1] - y};
    turned += atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
  }
  return fabs(turned) > M_PI;
}

static const double box[][2] = {{5.13, 44.4}, {-12.2, 10.05}};
static const double concave[][2] = {{-15.1, 8.2}, {18.3, 12.4}, {2.2, 24.7}, {20.1, 50.3}, {-17.4, 39.9}};

static bool is_chosen(ct_region_shape shape, double x, double y) {
  if (shape == CT_REGION_RECTANGLE) return x > -12.2 && x < 5.13 && y > 10.05 && y < 44.4;
  if (shape == CT_REGION_ELLIPSE) return pow((x + 3.535) / 8.665, 2) + pow((y - 27.225) / 17.175, 2) < 1;
  return is_within(concave, 5, x, y);
}

static void sums_are_those_of_all_pixels(void) {
  static float values[PIXELS];
  fill_noise(values);
  const ct_slice_image image = image_of(values);
  for (int shape = CT_REGION_RECTANGLE; shape <= CT_REGION_POLYGON; shape++) {
    ct_error *error = NULL;
    ct_region_numbers numbers;
    const bool free_form = shape == CT_REGION_POLYGON;
    const ct_region region = {(ct_region_shape)shape, free_form ? 5 : 2, free_form ? concave : box};
    double sum = 0, squares = 0, low = INFINITY, high = -INFINITY;
    size_t all = 0, finite = 0;
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j < HEIGHT; j++)
        for (int i = 0; i < WIDTH; i++) {
          const double value = values[j * WIDTH + i];
          if (!is_chosen((ct_region_shape)shape, x_of(&image, i), y_of(&image, j))) continue;
          if (pass == 0) all++;
          if (!isfinite(value)) continue;
          if (pass == 0) sum += value, finite++, low = fmin(low, value), high = fmax(high, value);
          if (pass == 1) squares += pow(value - sum / (double)finite, 2);
        }
    CHECK_OK(ct_region_measure(&image, &region, &numbers, &error));
    CHECK(all > 500 && all > finite);
    CHECK(numbers.pixels == all && numbers.values.count == finite);
    CHECK_NEAR(numbers.values.mean, sum / (double)finite, 1e-14);
    CHECK_NEAR(numbers.values.deviation, sqrt(squares / (double)finite), 1e-14);
    CHECK(numbers.values.min == low && numbers.values.max == high);
    CHECK_NEAR(numbers.area, (double)all * 0.5 * 0.75, 1e-9);
  }
}

/* The box is the smallest one, and its mask is that of a rule of its own. */
static void pixels_of_regions(void) {
  const ct_slice_image frame = image_of(NULL);
  for (int shape = CT_REGION_RECTANGLE; shape <= CT_REGION_POLYGON; shape++) {
    const bool free_form = shape == CT_REGION_POLYGON;
    const ct_region region = {(ct_region_shape)shape, free_form ? 5 : 2, free_form ? concave : box};
    ct_error *error = NULL;
    ct_region_pixels pixels;
    CHECK_OK(ct_region_pixels_of(&frame, &region, &pixels, &error));
    int begin[2] = {WIDTH, HEIGHT}, end[2] = {0, 0};
    size_t count = 0;
    const int width = pixels.end[0] - pixels.begin[0];
    for (int j = 0; j < HEIGHT; j++)
      for (int i = 0; i < WIDTH; i++) {
        const bool chosen = is_chosen((ct_region_shape)shape, x_of(&frame, i), y_of(&frame, j));
        const bool boxed = i >= pixels.begin[0] && i < pixels.end[0] && j >= pixels.begin[1] && j < pixels.end[1];
        CHECK(chosen == (boxed && pixels.in[(j - pixels.begin[1]) * width + i - pixels.begin[0]]));
        if (!chosen) continue;
        count++;
        begin[0] = i < begin[0] ? i : begin[0], begin[1] = j < begin[1] ? j : begin[1];
        end[0] = i >= end[0] ? i + 1 : end[0], end[1] = j + 1;
      }
    CHECK(!memcmp(begin, pixels.begin, sizeof begin) && !memcmp(end, pixels.end, sizeof end));
    CHECK(count == pixels.count && !pixels.cut_off);
    ct_region_pixels_clear(&pixels);
  }
}

/* Edges on the pixels' centres, where it matters to which side these belong. */
static void neighbours_share_no_pixel(void) {
  static float values[PIXELS];
  fill_noise(values);
  const ct_slice_image image = image_of(values);
  const double left = image.left - 1, right = x_of(&image, WIDTH), bottom = image.bottom - 1,
               top = y_of(&image, HEIGHT), x = x_of(&image, 33), y = y_of(&image, 21);
  const double parts[4][2][2] = {
      {{left, bottom}, {x, y}}, {{x, bottom}, {right, y}}, {{left, y}, {x, top}}, {{x, y}, {right, top}}};
  ct_error *error = NULL;
  ct_region_numbers numbers;
  for (int polygon = 0; polygon < 2; polygon++) {
    size_t all = 0;
    for (int n = 0; n < 4; n++) {
      const double *a = parts[n][0], *b = parts[n][1];
      const double corners[][2] = {{a[0], a[1]}, {b[0], a[1]}, {b[0], b[1]}, {a[0], b[1]}};
      const ct_region region =
          polygon ? (ct_region){CT_REGION_POLYGON, 4, corners} : (ct_region){CT_REGION_RECTANGLE, 2, parts[n]};
      CHECK_OK(ct_region_measure(&image, &region, &numbers, &error));
      all += numbers.pixels;
      if (n == 0) CHECK(numbers.pixels == 33 * 21);
    }
    CHECK(all == PIXELS);
  }
}

/* Two discs, of 0.03 and 0.02 /mm, in noise of 0.002 /mm: a contrast of 5. */
static void fill_discs(float *values, bool regular) {
  const ct_slice_image image = image_of(values);
  uint64_t seed = 11;
  for (int j = 0; j < HEIGHT; j++)
    for (int i = 0; i < WIDTH; i++) {
      const double x = x_of(&image, i), y = y_of(&image, j);
      const double noise = regular ? ((i + j) % 2 ? 1 : -1) : gaussian(&seed);
      const double value = hypot(x + 10, y - 25) < 9 ? 0.03 : hypot(x - 12, y - 30) < 9 ? 0.02 : 0;
      values[j * WIDTH + i] = (float)(value + 0.002 * noise);
    }
}

static void contrast_of_a_phantom(void) {
  static float values[PIXELS];
  const ct_slice_image image = image_of(values);
  const double in_a[][2] = {{-18, 17}, {-2, 33}}, in_b[][2] = {{4, 22}, {20, 38}};
  ct_region_numbers a, b;
  ct_error *error = NULL;
  fill_discs(values, true); /* as many pixels above as below: the deviation is exact */
  CHECK_OK(ct_region_measure(&image, &(ct_region){CT_REGION_ELLIPSE, 2, in_a}, &a, &error));
  CHECK_OK(ct_region_measure(&image, &(ct_region){CT_REGION_ELLIPSE, 2, in_b}, &b, &error));
  CHECK_NEAR(ct_contrast_to_noise(&a, &b), 5, 0.02);
  fill_discs(values, false);
  CHECK_OK(ct_region_measure(&image, &(ct_region){CT_REGION_ELLIPSE, 2, in_a}, &a, &error));
  CHECK_OK(ct_region_measure(&image, &(ct_region){CT_REGION_ELLIPSE, 2, in_b}, &b, &error));
  /* four standard errors of a mean and of a deviation over n pixels */
  const double n = (double)a.pixels;
  CHECK(a.pixels > 500 && b.pixels > 500);
  CHECK_NEAR(a.values.mean, 0.03, 4 * 0.002 / sqrt(n));
  CHECK_NEAR(ct_contrast_to_noise(&a, &b), 5, 4 * (sqrt(2 / n) + 5 / sqrt(4 * n)));
  CHECK_NEAR(ct_contrast_to_noise(&a, &b), ct_contrast_to_noise(&b, &a), 1e-12);
  CHECK(isnan(ct_contrast_to_noise(&(ct_region_numbers){.values = {.mean = 1}}, &(ct_region_numbers){0})));
  ct_value_scale scale;
  CHECK_OK(ct_value_scale_from(a.values.mean, 1000, b.values.mean, 0, &scale, &error));
  const ct_statistics scaled = ct_statistics_scaled(&a.values, scale);
  CHECK_NEAR(scaled.mean, 1000, 1e-9);
  CHECK_NEAR(scaled.deviation, a.values.deviation * 1000 / (a.values.mean - b.values.mean), 1e-9);
  CHECK_NEAR(scale.factor * b.values.mean + scale.offset, 0, 1e-9);
  const ct_statistics mirrored = ct_statistics_scaled(&a.values, (ct_value_scale){-2, 0});
  CHECK(mirrored.min == -2 * a.values.max && mirrored.max == -2 * a.values.min && mirrored.deviation > 0);
  CHECK_FAILS(ct_value_scale_from(0.02, 0, 0.02, 1, &scale, &error), CT_ERROR_DATA, "means differ");
}

enum { SIDE = 200 };

/* Across a line through (2, -1) tilted by `angle`: an edge, or a ridge, of standard deviation `sigma`. */
static void fill_profile(float *values, double pixel, double angle, double sigma, bool ridge) {
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      const double x = (i - SIDE / 2) * pixel, y = (j - SIDE / 2) * pixel;
      const double s = ((x - 2) * cos(angle) + (y + 1) * sin(angle)) / sigma;
      values[j * SIDE + i] = (float)(ridge ? 0.5 - 0.2 * exp(-s * s / 2) : 1 + 3 * erf(s / sqrt(2)));
    }
}

/* Linear interpolation between pixels adds a sixth of a squared pixel to the variance. */
static void widths_are_known(void) {
  static float values[SIDE * SIDE];
  const double pixel = 0.4, sigmas[] = {0.8, 1.5}, angles[] = {0.09, 0.7, 2.5};
  const double gauss = 2 * sqrt(2 * log(2)), rise = 2 * 1.2815515655446;
  const ct_slice_image image = {values, SIDE, SIDE, -SIDE / 2 * pixel, -SIDE / 2 * pixel, pixel, pixel};
  for (int n = 0; n < 6; n++) {
    const double sigma = sigmas[n % 2], angle = angles[n / 2], wide = sqrt(sigma * sigma + pixel * pixel / 6);
    const double half = 18, off = 1.3, c = cos(angle), s = sin(angle);
    /* from 18 + 1.3 mm before the edge to 18 - 1.3 mm behind */
    const ct_measure_line line = {
        {2 - (half + off) * c, -1 - (half + off) * s}, {2 + (half - off) * c, -1 + (half - off) * s}, 5};
    ct_line_profile profile;
    ct_error *error = NULL;
    fill_profile(values, pixel, angle, sigma, false);
    CHECK_OK(ct_line_profile_make(&image, &line, &profile, &error));
    ct_line_widths w = ct_line_widths_of(&profile);
    CHECK_NEAR(profile.step * (double)(profile.count - 1), 2 * half, 1e-9);
    CHECK(profile.step <= pixel / 2 + 1e-12);
    ct_line_profile_clear(&profile);
    CHECK_NEAR(w.before, -2, 1e-4);
    CHECK_NEAR(w.after, 4, 1e-4);
    CHECK(isnan(w.peak_width));
    CHECK_NEAR(w.edge_at, half + off, 0.01 * pixel);
    CHECK_NEAR(w.edge_width, gauss * wide, 0.01 * gauss * wide);
    CHECK_NEAR(w.edge_rise, rise * wide, 0.01 * rise * wide);
    fill_profile(values, pixel, angle, sigma, true);
    CHECK_OK(ct_line_profile_make(&image, &line, &profile, &error));
    w = ct_line_widths_of(&profile);
    ct_line_profile_clear(&profile);
    CHECK(isnan(w.edge_width));
    CHECK_NEAR(w.peak_width, gauss * wide, 0.01 * gauss * wide);
    CHECK_NEAR((w.peak_edges[0] + w.peak_edges[1]) / 2, half + off, 0.01 * pixel);
    CHECK_NEAR(w.peak, 0.3, 0.02);
  }
}

/* Of a plane of values every bilinear sample is known; a thick line takes the mean across. */
static void profiles_read_the_slice(void) {
  static float values[PIXELS];
  const ct_slice_image image = image_of(values);
  for (int j = 0; j < HEIGHT; j++)
    for (int i = 0; i < WIDTH; i++) values[j * WIDTH + i] = (float)(3 * x_of(&image, i) - 2 * y_of(&image, j));
  const ct_measure_line line = {{-15, 10}, {12, 46}, 4};
  ct_line_profile profile;
  ct_error *error = NULL;
  CHECK_OK(ct_line_profile_make(&image, &line, &profile, &error));
  for (size_t n = 0; n < profile.count; n++) {
    const double t = (double)n / (double)(profile.count - 1);
    CHECK_NEAR(profile.values[n], 3 * (-15 + 27 * t) - 2 * (10 + 36 * t), 2e-5);
  }
  ct_line_profile_clear(&profile);
  const double right = x_of(&image, WIDTH - 1), y = y_of(&image, 7);
  CHECK_OK(ct_line_profile_make(&image, &(ct_measure_line){{right - 3, y}, {right + 0.25, y}, 0}, &profile, &error));
  CHECK_NEAR(profile.values[profile.count - 1], 3 * right - 2 * y, 2e-5);
  ct_line_profile_clear(&profile);
  CHECK_FAILS(ct_line_profile_make(&image, &(ct_measure_line){{0, 20}, {right + 0.3, 20}, 0}, &profile, &error),
              CT_ERROR_ARGUMENT, "leaves the slice");
  CHECK_FAILS(ct_line_profile_make(&image, &(ct_measure_line){{0, 5}, {3, 5}, 4}, &profile, &error), CT_ERROR_ARGUMENT,
              "leaves the slice");
  CHECK_FAILS(ct_line_profile_make(&image, &(ct_measure_line){{1, 9}, {1, 9}, 0}, &profile, &error), CT_ERROR_ARGUMENT,
              "different points");
}

static void places(void) {
  const ct_grid grid = {40, 30, 5, 0.5, 0.6, 2, -10, -9, -4};
  int index;
  ct_error *error = NULL;
  CHECK_OK(ct_slice_at(&grid, CT_AXIAL, 0.99, &index, &error));
  CHECK(index == 2);
  CHECK_OK(ct_slice_at(&grid, CT_AXIAL, 1, &index, &error));
  CHECK(index == 3);
  CHECK_OK(ct_slice_at(&grid, CT_AXIAL, 5, &index, &error));
  CHECK(index == 4);
  CHECK_OK(ct_slice_at(&grid, CT_SAGITTAL, -10.2, &index, &error));
  CHECK(index == 0);
  CHECK_FAILS(ct_slice_at(&grid, CT_AXIAL, 5.01, &index, &error), CT_ERROR_ARGUMENT, "from -5 to 5 mm");
  const ct_slice_image coronal = ct_slice_image_of(&grid, CT_CORONAL);
  CHECK(coronal.width == 40 && coronal.height == 5 && coronal.left == -10 && coronal.bottom == -4 && coronal.up == 2);
  CHECK_NEAR(ct_angle_between((double[2]){3, 3}, (double[2]){1, 1}, (double[2]){-4, 1}), 135, 1e-12);
  CHECK(isnan(ct_angle_between((double[2]){1, 1}, (double[2]){1, 1}, (double[2]){-4, 1})));
}

/* The slice reaches from its first pixels' outer edges to its last ones'. */
static void what_is_cut_off_is_told(void) {
  static float values[PIXELS];
  const ct_slice_image image = image_of(values);
  const double left = x_of(&image, 0) - image.across / 2, right = x_of(&image, WIDTH) - image.across / 2;
  const double bottom = y_of(&image, 0) - image.up / 2, top = y_of(&image, HEIGHT) - image.up / 2;
  const double boxes[][2][2] = {{{left, bottom}, {right, top}},
                                {{left - 0.1, bottom}, {right, top}},
                                {{left, bottom - 0.1}, {right, top}},
                                {{left, bottom}, {right + 0.1, top}},
                                {{left, bottom}, {right, top + 0.1}}};
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    for (int shape = CT_REGION_RECTANGLE; shape <= CT_REGION_ELLIPSE; shape++) {
      ct_error *error = NULL;
      ct_region_numbers numbers;
      const ct_region region = {(ct_region_shape)shape, 2, boxes[i]};
      CHECK_OK(ct_region_measure(&image, &region, &numbers, &error));
      CHECK(numbers.cut_off == (i > 0));
    }
}

static void mistakes_are_told(void) {
  static float values[PIXELS];
  const ct_slice_image image = image_of(values);
  ct_region_numbers numbers;
  ct_error *error = NULL;
  const double outside[][2] = {{100, 100}, {120, 130}}, thin[][2] = {{0.01, 4}, {0.02, 50}},
               bad[][2] = {{0, NAN}, {3, 9}};
  CHECK_FAILS(ct_region_measure(&image, &(ct_region){CT_REGION_RECTANGLE, 2, outside}, &numbers, &error),
              CT_ERROR_ARGUMENT, "holds no voxel's centre");
  CHECK_FAILS(ct_region_measure(&image, &(ct_region){CT_REGION_ELLIPSE, 2, thin}, &numbers, &error), CT_ERROR_ARGUMENT,
              "holds no voxel's centre");
  CHECK_FAILS(ct_region_measure(&image, &(ct_region){CT_REGION_RECTANGLE, 2, bad}, &numbers, &error), CT_ERROR_ARGUMENT,
              "not finite");
  CHECK_FAILS(ct_region_measure(&image, &(ct_region){CT_REGION_POLYGON, 2, box}, &numbers, &error), CT_ERROR_ARGUMENT,
              "three or more");
}

int main(void) {
  static const ct_test tests[] = {
      {"the pixels of a region and their box", pixels_of_regions},
      {"numbers of a region are those of all pixels in it", sums_are_those_of_all_pixels},
      {"regions side by side share no pixel", neighbours_share_no_pixel},
      {"contrast to noise of a phantom, and a scale from two regions", contrast_of_a_phantom},
      {"widths of tilted edges and ridges", widths_are_known},
      {"profiles read the slice, across their thickness too", profiles_read_the_slice},
      {"slices, frames and angles", places},
      {"what is cut off is told", what_is_cut_off_is_told},
      {"mistakes are told", mistakes_are_told},
  };
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
