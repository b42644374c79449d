/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared inside prep: mending of pixels, flat and dark fields over time, the wavelet transform, the centre's
 * search. */
#ifndef CT_PREP_PREP_PRIVATE_H
#define CT_PREP_PREP_PRIVATE_H

#include "recon/prep/prep.h"

#include "recon/geom/geometry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { CT_MEND_DONE, CT_MEND_NOTHING_FINITE, CT_MEND_NO_MEMORY } ct_mend_result;

/* Replaces non-finite pixels of a frame [rows][nu] by the median of their finite neighbours, from the rims of larger
 * holes inwards; adds their number to *mended. Thread-safe. */
ct_mend_result ct_prep_mend(float *frame, int nu, int rows, size_t *mended);

/* The index i folded back into 0 .. n - 1 by reflection about the edges (the edge sample is repeated). */
static inline int ct_reflect(int i, int n) {
  const int period = 2 * n;
  i %= period;
  if (i < 0) i += period;
  return i < n ? i : period - 1 - i;
}

/* Running median of odd `size` over a row, edges reflected. `window` holds size values. */
void ct_median_row(const float *row, int n, int size, float *window, float *out);

/* Flats or darks averaged in sets of equal position in the run, of which the two next to a moment are held. */
typedef struct ct_fields {
  ct_scan *scan;
  ct_frame_kind kind;
  int nu, row0, rows;
  bool flip_rows, flip_columns;
  int frames, sets;
  int *order;        /* [frames] frame indices by position */
  double *positions; /* [sets] */
  int *begins;       /* [sets + 1] into order */
  int held[2];       /* sets in data[0], data[1]; -1: none */
  float *data[2];    /* [rows][nu] means of a set */
  float *work;       /* [4][rows][nu] */
} ct_fields;

bool ct_fields_open(ct_fields *fields, ct_scan *scan, ct_frame_kind kind, int row0, int rows, bool flip_rows,
                    bool flip_columns, ct_error **error);
void ct_fields_close(ct_fields *fields);
/* The sets before and after projection `index`, and the share of the later one in a linear interpolation; clamped
 * outside. */
void ct_fields_find(const ct_fields *fields, int index, int *before, int *after, double *share);
/* Makes the means of both sets present: *a, *b [rows][nu]. */
bool ct_fields_hold(ct_fields *fields, int before, int after, const float **a, const float **b, ct_job *job,
                    ct_error **error);

/* One level of the periodic Daubechies-5 transform along `count` samples (even, >= 10) `stride` apart: lows in the
 * first half of out, highs in the second; and its inverse. in and out are dense. */
void ct_wavelet_split(const float *in, float *out, int count);
void ct_wavelet_join(const float *in, float *out, int count);

bool ct_rings_wavelet(float *sinogram, size_t view_stride, int nu, int views, int levels, double sigma,
                      ct_error **error);

/* Views in the order of their angles, equal ones in that of their numbers. */
typedef struct ct_sorted_view {
  double angle;
  int view;
} ct_sorted_view;
void ct_sort_views(ct_sorted_view *views, size_t count);

/* Of detector rows [row0, row0 + rows); about: near this column alone, NaN: in the whole width. */
bool ct_centre_of_rows(const ct_stack *stack, const ct_geometry *geometry, int row0, int rows, double about,
                       ct_centre_found *found, ct_job *job, ct_error **error);
/* Rows [count] of one height each, along a tilt about (centre_u, centre_v): means of `thick` rows. */
ct_stack *ct_tilted_rows(const ct_stack *stack, const ct_geometry *geometry, double tilt, const double *heights,
                         int count, int thick, ct_error **error);

#endif
