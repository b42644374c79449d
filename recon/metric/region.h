/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of a slice and the numbers of the voxels in them. All places are mm of the world frame along the slice's
 * horizontal and vertical: axial (x, y), coronal (x, z), sagittal (y, z), so that a region survives another grid. */
#ifndef CT_METRIC_REGION_H
#define CT_METRIC_REGION_H

#include "recon/base/value-scale.h"
#include "recon/metric/metric.h"

/* One slice, or any image: values[height][width], pixel (i, j) with its centre at (left + i across, bottom + j up). */
typedef struct ct_slice_image {
  const float *values; /* borrowed */
  int width, height;
  double left, bottom, across, up; /* mm; across and up > 0 */
} ct_slice_image;

/* Where a grid's slices of a plane lie, without values. */
ct_slice_image ct_slice_image_of(const ct_grid *grid, ct_plane plane);
/* The slice whose voxels hold a position (mm along the plane's normal); CT_ERROR_ARGUMENT with the range where none
 * does. */
bool ct_slice_at(const ct_grid *grid, ct_plane plane, double position, int *index, ct_error **error);

typedef enum { CT_REGION_RECTANGLE, CT_REGION_ELLIPSE, CT_REGION_POLYGON } ct_region_shape;

/* A rectangle and an ellipse by two opposite corners of their box; a polygon by its corners in order, closed by itself,
 * crossings by the even-odd rule. */
typedef struct ct_region {
  ct_region_shape shape;
  size_t count;              /* of points: 2, or at least 3 */
  const double (*points)[2]; /* mm, borrowed */
} ct_region;

/* Statistics of the pixels whose centre lies in the region. Lower edges belong to it, upper ones do not, so that
 * regions side by side share no pixel. */
typedef struct ct_region_numbers {
  ct_statistics values; /* deviation of the population; count: finite ones */
  size_t pixels;        /* all: finite and not */
  double area;          /* mm^2, of these pixels */
  bool cut_off;         /* the region reaches beyond the slice: its part within is measured */
} ct_region_numbers;

/* The pixels of a region: in[height][width] of the box [begin, end) that holds them all, 1 where one belongs to it. */
typedef struct ct_region_pixels {
  int begin[2], end[2]; /* (i, j) */
  unsigned char *in;
  size_t count;
  bool cut_off; /* the region reaches beyond the slice */
} ct_region_pixels;

/* Looks at the slice's frame alone, not at its values. CT_ERROR_ARGUMENT where the points are too few or not finite, or
 * no pixel's centre lies in the region; CT_ERROR_MEMORY. */
bool ct_region_pixels_of(const ct_slice_image *frame, const ct_region *region, ct_region_pixels *pixels,
                         ct_error **error);
void ct_region_pixels_clear(ct_region_pixels *pixels);

/* Errors as ct_region_pixels_of. */
bool ct_region_measure(const ct_slice_image *image, const ct_region *region, ct_region_numbers *numbers,
                       ct_error **error);

/* |mean a - mean b| / sqrt((deviation a^2 + deviation b^2) / 2): the difference in units of the noise; NaN where
 * neither has any. */
double ct_contrast_to_noise(const ct_region_numbers *a, const ct_region_numbers *b);

/* The scale on which the means of two regions have the values told. CT_ERROR_DATA where the means are equal, or the
 * values are. */
bool ct_value_scale_from(double mean_a, double value_a, double mean_b, double value_b, ct_value_scale *scale,
                         ct_error **error);
/* The numbers on another scale, a negative factor allowed. */
ct_statistics ct_statistics_scaled(const ct_statistics *statistics, ct_value_scale scale);

/* Degrees from 0 to 180 between the lines from `vertex` to a and to b; NaN where one has no length. */
double ct_angle_between(const double a[2], const double vertex[2], const double b[2]);

#endif
