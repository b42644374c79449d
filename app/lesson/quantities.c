/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What claims can be made about: numbers of the slice, of the projections, of the filter and of the geometry. Places
 * are mm along the slice's horizontal and vertical. */
#include "app/lesson/lab.h"

#include "recon/base/memory.h"
#include "recon/filter/filter.h"
#include "recon/metric/line.h"
#include "recon/solve/slice-theorem.h"

#include <math.h>

#define ARGUMENTS(n) (1u << (n))

static bool slice_of(const gantry_measuring *m, gantry_lesson_slice *slice, ct_error **error) {
  return gantry_lesson_lab_slice(m->lab, m->state, slice, m->job, error);
}

/* Regions: a disc by middle and radius, a rectangle by two corners, all of the slice's circle without arguments. */

static bool pixels_of(const ct_slice_image *image, const double *a, int count, ct_region_pixels *pixels,
                      ct_error **error) {
  const double width = image->across * image->width, height = image->up * image->height;
  const double left = image->left - 0.5 * image->across, bottom = image->bottom - 0.5 * image->up;
  double points[2][2] = {{left, bottom}, {left + width, bottom + height}};
  ct_region region = {.shape = CT_REGION_ELLIPSE, .count = 2, .points = points};
  if (count == 3)
    for (int i = 0; i < 2; i++) points[0][i] = a[i] - a[2], points[1][i] = a[i] + a[2];
  if (count == 4) {
    region.shape = CT_REGION_RECTANGLE;
    for (int i = 0; i < 2; i++) points[0][i] = fmin(a[i], a[i + 2]), points[1][i] = fmax(a[i], a[i + 2]);
  }
  return ct_region_pixels_of(image, &region, pixels, error);
}

typedef struct sums {
  double count, sum, squares, least, largest;
} sums;

/* Of values less those of `other` (NULL: 0). */
static bool add_up(const ct_slice_image *image, const float *values, const float *other, const double *arguments,
                   int count, sums *out, ct_error **error) {
  ct_region_pixels pixels;
  if (!pixels_of(image, arguments, count, &pixels, error)) return false;
  *out = (sums){.least = INFINITY, .largest = -INFINITY};
  const int width = pixels.end[0] - pixels.begin[0];
  for (int j = pixels.begin[1]; j < pixels.end[1]; j++)
    for (int i = pixels.begin[0]; i < pixels.end[0]; i++) {
      if (!pixels.in[(j - pixels.begin[1]) * width + i - pixels.begin[0]]) continue;
      const size_t at = (size_t)j * (size_t)image->width + (size_t)i;
      const double v = (double)values[at] - (other ? (double)other[at] : 0);
      out->count++;
      out->sum += v;
      out->squares += v * v;
      out->least = fmin(out->least, v);
      out->largest = fmax(out->largest, v);
    }
  ct_region_pixels_clear(&pixels);
  return true;
}

static double deviation_of(const sums *s) {
  const double mean = s->sum / s->count;
  return sqrt(fmax(s->squares / s->count - mean * mean, 0));
}

typedef enum { OF_SLICE, OF_TRUTH, OF_ERROR } what;

static bool sums_of(const gantry_measuring *m, what of, sums *out, ct_error **error) {
  gantry_lesson_slice slice;
  return slice_of(m, &slice, error) && add_up(&slice.image, of == OF_TRUTH ? slice.truth : slice.image.values,
                                              of == OF_ERROR ? slice.truth : NULL, m->arguments, m->count, out, error);
}

static bool rmse(const gantry_measuring *m, double *value, ct_error **error) {
  sums s;
  if (!sums_of(m, OF_ERROR, &s, error)) return false;
  *value = sqrt(s.squares / s.count);
  return true;
}

static bool bias(const gantry_measuring *m, double *value, ct_error **error) {
  sums s;
  if (!sums_of(m, OF_ERROR, &s, error)) return false;
  *value = s.sum / s.count;
  return true;
}

static bool mean(const gantry_measuring *m, double *value, ct_error **error) {
  sums s;
  if (!sums_of(m, OF_SLICE, &s, error)) return false;
  *value = s.sum / s.count;
  return true;
}

static bool deviation(const gantry_measuring *m, double *value, ct_error **error) {
  sums s;
  if (!sums_of(m, OF_SLICE, &s, error)) return false;
  *value = deviation_of(&s);
  return true;
}

static bool least(const gantry_measuring *m, double *value, ct_error **error) {
  sums s;
  if (!sums_of(m, OF_SLICE, &s, error)) return false;
  *value = s.least;
  return true;
}

static bool largest(const gantry_measuring *m, double *value, ct_error **error) {
  sums s;
  if (!sums_of(m, OF_SLICE, &s, error)) return false;
  *value = s.largest;
  return true;
}

static bool truth(const gantry_measuring *m, double *value, ct_error **error) {
  sums s;
  if (!sums_of(m, OF_TRUTH, &s, error)) return false;
  *value = s.sum / s.count;
  return true;
}

/* Of the slice from the step's own. */
static bool difference(const gantry_measuring *m, double *value, ct_error **error) {
  gantry_lesson_slice slice, own;
  sums s;
  if (!slice_of(m, &slice, error) || !gantry_lesson_lab_slice(m->lab, m->own, &own, m->job, error)) return false;
  if (!ct_grid_matches(&slice.grid, &own.grid))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "\"difference\" needs two slices of the same voxels.");
  if (!add_up(&slice.image, slice.image.values, own.image.values, m->arguments, m->count, &s, error)) return false;
  *value = sqrt(s.squares / s.count);
  return true;
}

/* |mean of a disc - mean of another| over the root mean square of their deviations. */
static bool contrast_to_noise(const gantry_measuring *m, double *value, ct_error **error) {
  gantry_lesson_slice slice;
  sums a, b;
  if (!slice_of(m, &slice, error) || !add_up(&slice.image, slice.image.values, NULL, m->arguments, 3, &a, error) ||
      !add_up(&slice.image, slice.image.values, NULL, m->arguments + 3, 3, &b, error))
    return false;
  *value = fabs(a.sum / a.count - b.sum / b.count) / hypot(deviation_of(&a), deviation_of(&b)) * M_SQRT2;
  return true;
}

/* Lines */

static bool profile_of(const gantry_measuring *m, ct_line_profile *profile, ct_error **error) {
  gantry_lesson_slice slice;
  const double *a = m->arguments;
  const ct_measure_line line = {{a[0], a[1]}, {a[2], a[3]}, m->count > 4 ? a[4] : 0};
  return slice_of(m, &slice, error) && ct_line_profile_make(&slice.image, &line, profile, error);
}

static bool widths_of(const gantry_measuring *m, ct_line_widths *widths, ct_error **error) {
  ct_line_profile profile;
  if (!profile_of(m, &profile, error)) return false;
  *widths = ct_line_widths_of(&profile);
  ct_line_profile_clear(&profile);
  return true;
}

static bool peak_width(const gantry_measuring *m, double *value, ct_error **error) {
  ct_line_widths widths;
  if (!widths_of(m, &widths, error)) return false;
  *value = widths.peak_width;
  return true;
}

static bool edge_rise(const gantry_measuring *m, double *value, ct_error **error) {
  ct_line_widths widths;
  if (!widths_of(m, &widths, error)) return false;
  *value = widths.edge_rise;
  return true;
}

/* (largest - least) / (largest + least). */
static bool modulation(const gantry_measuring *m, double *value, ct_error **error) {
  ct_line_profile profile;
  double low = INFINITY, high = -INFINITY;
  if (!profile_of(m, &profile, error)) return false;
  for (size_t i = 0; i < profile.count; i++) {
    low = fmin(low, profile.values[i]);
    high = fmax(high, profile.values[i]);
  }
  ct_line_profile_clear(&profile);
  *value = (high - low) / (high + low);
  return true;
}

/* Projections: line integrals of the middle detector row. */

static bool row_of(const gantry_measuring *m, const float **row, const ct_geometry **geometry, ct_error **error) {
  ct_pipeline *pipeline = gantry_lesson_lab_pipeline(m->lab, m->state, m->job, error);
  if (!pipeline) return false;
  const ct_stack *integrals = ct_pipeline_get_line_integrals(pipeline);
  const ct_geometry *g = *geometry = ct_pipeline_get_facts(pipeline)->geometry;
  if (!integrals) return ct_error_set(error, CT_ERROR_UNSUPPORTED, "With this plan the line integrals are not kept.");
  const int view = (int)m->arguments[0];
  if (view < 0 || view >= g->views || view != m->arguments[0])
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no view %g: the views are 0 to %d.", m->arguments[0],
                        g->views - 1);
  *row = ct_stack_get_view(integrals, view) + (size_t)(g->nv / 2) * (size_t)g->nu;
  return true;
}

static bool integral(const gantry_measuring *m, double *value, ct_error **error) {
  const float *row = NULL;
  const ct_geometry *g = NULL;
  if (!row_of(m, &row, &g, error)) return false;
  const int column = (int)m->arguments[1];
  if (column < 0 || column >= g->nu)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no column %g: the columns are 0 to %d.", m->arguments[1],
                        g->nu - 1);
  *value = (double)row[column];
  return true;
}

static bool sum_of_view(const gantry_measuring *m, double *value, ct_error **error) {
  const float *row = NULL;
  const ct_geometry *g = NULL;
  if (!row_of(m, &row, &g, error)) return false;
  *value = 0;
  for (int i = 0; i < g->nu; i++) *value += (double)row[i] * g->du;
  return true;
}

/* In columns: the mean of their indices, weighted by what they measured. */
static bool middle_of_view(const gantry_measuring *m, double *value, ct_error **error) {
  const float *row = NULL;
  const ct_geometry *g = NULL;
  double sum = 0, moment = 0;
  if (!row_of(m, &row, &g, error)) return false;
  for (int i = 0; i < g->nu; i++) {
    sum += (double)row[i];
    moment += (double)row[i] * i;
  }
  *value = moment / sum;
  return true;
}

static bool theorem(const gantry_measuring *m, double *value, ct_error **error) {
  gantry_lesson_state masked = *m->state;
  masked.plan.mask = 1; /* beyond the circle lie the tails of the filter */
  gantry_measuring of = *m;
  of.state = &masked;
  gantry_lesson_slice slice;
  const float *row = NULL;
  const ct_geometry *g = NULL;
  if (!slice_of(&of, &slice, error) || !row_of(&of, &row, &g, error)) return false;
  ct_slice_theorem_sample *samples = ct_alloc((size_t)g->nu, sizeof *samples, "the spectrum", error);
  const ct_grid plane = ct_grid_plane(&slice.grid, CT_AXIAL, slice.index);
  const bool good = samples && g->nu > 1 &&
                    ct_slice_theorem(&plane, slice.image.values, g, (int)m->arguments[0], row, g->nu, samples, error);
  if (good) *value = ct_slice_theorem_difference(samples, g->nu, m->count > 1 ? m->arguments[1] : 0.8);
  ct_free(samples);
  return good;
}

/* Filter and geometry */

static bool gain(const gantry_measuring *m, double *value, ct_error **error) {
  ct_pipeline *pipeline = gantry_lesson_lab_pipeline(m->lab, m->state, m->job, error);
  if (!pipeline) return false;
  const double f = m->arguments[0];
  if (!(f >= 0 && f <= 1))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The frequency is a share of Nyquist's, 0 to 1, not %g.", f);
  ct_filter_options options = m->state->plan.filter;
  ct_filter_response response;
  options.threads = 1;
  ct_filter *filter = ct_filter_new(ct_pipeline_get_facts(pipeline)->geometry, &options, error);
  const bool good = filter && ct_filter_get_response(filter, &response, error);
  ct_filter_free(filter);
  if (!good) return false;
  *value = (double)response.gain[(int)lround(f * (response.length / 2))];
  ct_free(response.gain);
  ct_free(response.taps);
  return true;
}

static bool weight(const gantry_measuring *m, double *value, ct_error **error) {
  const float *row = NULL;
  const ct_geometry *g = NULL;
  if (!row_of(m, &row, &g, error)) return false;
  const int column = (int)m->arguments[1];
  if (column < 0 || column >= g->nu)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no column %g: the columns are 0 to %d.", m->arguments[1],
                        g->nu - 1);
  float *weights = ct_alloc((size_t)g->views * (size_t)g->nu, sizeof *weights, "the weights", error);
  const bool good = weights && ct_redundancy_weights(g, m->state->plan.filter.redundancy, weights, error);
  if (good) *value = (double)weights[(size_t)m->arguments[0] * (size_t)g->nu + (size_t)column];
  ct_free(weights);
  return good;
}

static bool centre(const gantry_measuring *m, double *value, ct_error **error) {
  ct_pipeline *pipeline = gantry_lesson_lab_pipeline(m->lab, m->state, m->job, error);
  if (pipeline) *value = ct_pipeline_get_facts(pipeline)->centre_u;
  return pipeline != NULL;
}

#define REGION                                                                                                         \
  "nothing (the circle of the slice), x, y, radius of a disc, or x0, y0, x1, y1 of a rectangle",                       \
      ARGUMENTS(0) | ARGUMENTS(3) | ARGUMENTS(4)
#define LINE "x0, y0, x1, y1 of a line, and its thickness", ARGUMENTS(4) | ARGUMENTS(5)
static const struct gantry_quantity quantities[] = {
    {"rmse", "RMSE", "1/mm", REGION, rmse},
    {"bias", "mean error", "1/mm", REGION, bias},
    {"mean", "mean", "1/mm", REGION, mean},
    {"deviation", "standard deviation", "1/mm", REGION, deviation},
    {"minimum", "minimum", "1/mm", REGION, least},
    {"maximum", "maximum", "1/mm", REGION, largest},
    {"truth", "true mean", "1/mm", REGION, truth},
    {"difference", "RMSE between the two", "1/mm", REGION, difference},
    {"cnr", "contrast to noise", "", "x, y, radius of a disc, and of another", ARGUMENTS(6), contrast_to_noise},
    {"width", "width at half height", "mm", LINE, peak_width},
    {"edge", "10–90 % of the edge", "mm", LINE, edge_rise},
    {"modulation", "modulation", "", LINE, modulation},
    {"integral", "line integral", "", "view and column", ARGUMENTS(2), integral},
    {"sum", "sum of the projection", "mm", "view", ARGUMENTS(1), sum_of_view},
    {"middle", "middle of the projection", "px", "view", ARGUMENTS(1), middle_of_view},
    {"theorem", "largest difference of the spectra", "", "view, and share of Nyquist's frequency (0.8)",
     ARGUMENTS(1) | ARGUMENTS(2), theorem},
    {"gain", "gain of the filter", "", "share of Nyquist's frequency", ARGUMENTS(1), gain},
    {"weight", "weight of the ray", "", "view and column", ARGUMENTS(2), weight},
    {"centre", "centre of rotation", "px", "nothing", ARGUMENTS(0), centre},
};

const struct gantry_quantity *gantry_quantities(size_t *count) {
  *count = sizeof quantities / sizeof *quantities;
  return quantities;
}
