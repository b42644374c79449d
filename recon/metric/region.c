/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of a slice: which pixels they hold, and statistics of these. */
#include "recon/metric/region.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>

ct_slice_image ct_slice_image_of(const ct_grid *grid, ct_plane plane) {
  int count;
  ct_slice_image image = {.left = plane == CT_SAGITTAL ? grid->y0 : grid->x0,
                          .bottom = plane == CT_AXIAL ? grid->y0 : grid->z0,
                          .across = plane == CT_SAGITTAL ? grid->dy : grid->dx,
                          .up = plane == CT_AXIAL ? grid->dy : grid->dz};
  ct_grid_plane_size(grid, plane, &image.width, &image.height, &count);
  return image;
}

bool ct_slice_at(const ct_grid *grid, ct_plane plane, double position, int *index, ct_error **error) {
  int width, height, count;
  ct_grid_plane_size(grid, plane, &width, &height, &count);
  const double first = ct_grid_plane_position(grid, plane, 0);
  const double step = plane == CT_AXIAL ? grid->dz : plane == CT_CORONAL ? grid->dy : grid->dx;
  const double at = floor((position - first) / step + 0.5);
  /* The upper edge of the last voxel is its own: there is none above. */
  const bool top = position == first + ((double)count - 0.5) * step;
  if (at >= 0 && (at < count || top)) {
    *index = at < count ? (int)at : count - 1;
    return true;
  }
  return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no %s slice at %g mm; the volume reaches from %g to %g mm.",
                      ct_plane_id(plane), position, first - step / 2, first + (count - 0.5) * step);
}

typedef struct box {
  double low[2], high[2];
} box;

static box box_of(const ct_region *region) {
  box b = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  for (size_t i = 0; i < region->count; i++)
    for (int axis = 0; axis < 2; axis++) {
      b.low[axis] = fmin(b.low[axis], region->points[i][axis]);
      b.high[axis] = fmax(b.high[axis], region->points[i][axis]);
    }
  return b;
}

/* Even-odd: edges that cross the horizontal to the right of the point. An edge holds its lower end, not its upper one,
 * so that a corner counts once. */
static bool is_in_polygon(const ct_region *region, double x, double y) {
  bool in = false;
  for (size_t i = 0, j = region->count - 1; i < region->count; j = i++) {
    const double *a = region->points[i], *b = region->points[j];
    if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) in = !in;
  }
  return in;
}

static bool is_in(const ct_region *region, const box *b, double x, double y) {
  if (region->shape == CT_REGION_POLYGON) return is_in_polygon(region, x, y);
  if (region->shape == CT_REGION_RECTANGLE) return x >= b->low[0] && x < b->high[0] && y >= b->low[1] && y < b->high[1];
  const double u = (2 * x - b->low[0] - b->high[0]) / (b->high[0] - b->low[0]),
               v = (2 * y - b->low[1] - b->high[1]) / (b->high[1] - b->low[1]);
  return u * u + v * v <= 1; /* NaN of an ellipse without width: none */
}

/* The first pixel at or beyond a coordinate, within 0 .. count. */
static int first_from(double coordinate, double begin, double step, int count) {
  return (int)fmin(fmax(ceil((coordinate - begin) / step), 0), count);
}

static bool check(const ct_region *region, ct_error **error) {
  const size_t least = region->shape == CT_REGION_POLYGON ? 3 : 2;
  if (region->count < least || (region->shape != CT_REGION_POLYGON && region->count > 2))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A region of this shape takes %s points, not %zu.",
                        least == 2 ? "two" : "three or more", region->count);
  for (size_t i = 0; i < region->count; i++)
    if (!isfinite(region->points[i][0]) || !isfinite(region->points[i][1]))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "A region's point is not finite.");
  return true;
}

static bool reaches_beyond(const box *b, const ct_slice_image *image) {
  const double slack = 1e-9, across = image->across, up = image->up;
  return b->low[0] < image->left - (0.5 + slack) * across || b->low[1] < image->bottom - (0.5 + slack) * up ||
         b->high[0] > image->left + (image->width - 0.5 + slack) * across ||
         b->high[1] > image->bottom + (image->height - 0.5 + slack) * up;
}

static bool no_pixel(const ct_slice_image *image, const box *b, ct_error **error) {
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "The region from (%g, %g) to (%g, %g) holds no voxel's centre; the slice reaches from "
                      "(%g, %g) to (%g, %g) in steps of %g and %g.",
                      b->low[0], b->low[1], b->high[0], b->high[1], image->left, image->bottom,
                      image->left + (image->width - 1) * image->across, image->bottom + (image->height - 1) * image->up,
                      image->across, image->up);
}

bool ct_region_pixels_of(const ct_slice_image *frame, const ct_region *region, ct_region_pixels *pixels,
                         ct_error **error) {
  if (!check(region, error)) return false;
  const box b = box_of(region);
  /* One pixel more each way than the region's own box: rounding here must not decide what is_in decides. */
  const int i0 = first_from(b.low[0] - frame->across, frame->left, frame->across, frame->width),
            i1 = first_from(b.high[0] + frame->across, frame->left, frame->across, frame->width),
            j0 = first_from(b.low[1] - frame->up, frame->bottom, frame->up, frame->height),
            j1 = first_from(b.high[1] + frame->up, frame->bottom, frame->up, frame->height);
  size_t room;
  if (!ct_size_product(i1 - i0, j1 - j0, 1, 1, &room))
    return ct_error_set(error, CT_ERROR_MEMORY, "The region is too large.");
  if (!room) return no_pixel(frame, &b, error);
  ct_region_pixels found = {.begin = {i1, j1}, .end = {i0, j0}, .cut_off = reaches_beyond(&b, frame)};
  found.in = ct_alloc_zero(room, 1, "the region", error);
  if (!found.in) return false;
  const size_t loose = (size_t)(i1 - i0);
  for (int j = j0; j < j1; j++)
    for (int i = i0; i < i1; i++) {
      if (!is_in(region, &b, frame->left + i * frame->across, frame->bottom + j * frame->up)) continue;
      found.in[(size_t)(j - j0) * loose + (size_t)(i - i0)] = 1;
      found.count++;
      if (i < found.begin[0]) found.begin[0] = i;
      if (i >= found.end[0]) found.end[0] = i + 1;
      if (j < found.begin[1]) found.begin[1] = j;
      found.end[1] = j + 1;
    }
  if (!found.count) {
    ct_free(found.in);
    return no_pixel(frame, &b, error);
  }
  /* Rows of the box of what was found move to the front. */
  const size_t width = (size_t)(found.end[0] - found.begin[0]);
  for (int j = found.begin[1]; j < found.end[1]; j++)
    memmove(found.in + (size_t)(j - found.begin[1]) * width,
            found.in + (size_t)(j - j0) * loose + (size_t)(found.begin[0] - i0), width);
  *pixels = found;
  return true;
}

void ct_region_pixels_clear(ct_region_pixels *pixels) {
  ct_free(pixels->in);
  *pixels = (ct_region_pixels){0};
}

bool ct_region_measure(const ct_slice_image *image, const ct_region *region, ct_region_numbers *numbers,
                       ct_error **error) {
  ct_region_pixels pixels;
  if (!ct_region_pixels_of(image, region, &pixels, error)) return false;
  float *values = ct_alloc(pixels.count, sizeof *values, "the region", error);
  size_t count = 0, at = 0;
  for (int j = pixels.begin[1]; values && j < pixels.end[1]; j++)
    for (int i = pixels.begin[0]; i < pixels.end[0]; i++)
      if (pixels.in[at++]) values[count++] = image->values[(size_t)j * (size_t)image->width + (size_t)i];
  const bool good = values != NULL;
  if (good) {
    ct_statistics_of(values, count, &numbers->values);
    numbers->pixels = count;
    numbers->area = (double)count * image->across * image->up;
    numbers->cut_off = pixels.cut_off;
  }
  ct_free(values);
  ct_region_pixels_clear(&pixels);
  return good;
}

double ct_contrast_to_noise(const ct_region_numbers *a, const ct_region_numbers *b) {
  const double noise =
      sqrt((a->values.deviation * a->values.deviation + b->values.deviation * b->values.deviation) / 2);
  return noise > 0 ? fabs(a->values.mean - b->values.mean) / noise : NAN;
}

bool ct_value_scale_from(double mean_a, double value_a, double mean_b, double value_b, ct_value_scale *scale,
                         ct_error **error) {
  const double factor = (value_b - value_a) / (mean_b - mean_a);
  if (!isfinite(factor) || factor == 0)
    return ct_error_set(error, CT_ERROR_DATA,
                        "Two regions make a scale only where their means differ (%g and %g), and what they stand for "
                        "(%g and %g).",
                        mean_a, mean_b, value_a, value_b);
  *scale = (ct_value_scale){factor, value_a - factor * mean_a};
  return true;
}

ct_statistics ct_statistics_scaled(const ct_statistics *statistics, ct_value_scale scale) {
  ct_statistics s = *statistics;
  const double low = scale.factor * s.min + scale.offset, high = scale.factor * s.max + scale.offset;
  s.min = fmin(low, high);
  s.max = fmax(low, high);
  s.mean = scale.factor * s.mean + scale.offset;
  s.deviation = fabs(scale.factor) * s.deviation;
  return s;
}

double ct_angle_between(const double a[2], const double vertex[2], const double b[2]) {
  const double u[2] = {a[0] - vertex[0], a[1] - vertex[1]}, v[2] = {b[0] - vertex[0], b[1] - vertex[1]};
  if (hypot(u[0], u[1]) == 0 || hypot(v[0], v[1]) == 0) return NAN;
  return atan2(fabs(u[0] * v[1] - u[1] * v[0]), u[0] * v[0] + u[1] * v[1]) * (180 / M_PI);
}
