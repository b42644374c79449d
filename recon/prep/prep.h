/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From counts to line integrals: outliers, flats and darks, I0, -log, rings, truncation. Everything works on a ct_stack
 * or on single frames [rows][nu]; non-finite numbers in become the median of their finite neighbours, and are counted.
 */
#ifndef CT_PREP_PREP_H
#define CT_PREP_PREP_H

#include "recon/base/choice.h"
#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/data/stack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_RING_METHODS(ROW)                                                                                           \
  ROW(CT_RINGS_NONE, "none", "None", NULL)                                                                             \
  ROW(CT_RINGS_SORTING, "sorting", "Sorting (Vo 2018)", "rings by sorting")                                            \
  ROW(CT_RINGS_WAVELET, "wavelet", "Wavelet-Fourier (Münch 2009)", "rings by wavelets")                                \
  ROW(CT_RINGS_SMOOTHING, "smoothing", "Mean smoothing (Boin 2006)", "rings by smoothing")
#define CT_I0_METHODS(ROW)                                                                                             \
  ROW(CT_I0_AUTO, "auto", "Border without flats", NULL)                                                                \
  ROW(CT_I0_NONE, "none", "None", NULL)                                                                                \
  ROW(CT_I0_BORDER, "border", "Border columns", "intensity from the border")                                           \
  ROW(CT_I0_REGION, "region", "Rectangle", "intensity from a rectangle")                                               \
  ROW(CT_I0_VALUE, "value", "A number", "intensity as given")
#define CT_LOG_MODES(ROW)                                                                                              \
  ROW(CT_LOG_AUTO, "auto", "Unless already taken", NULL)                                                               \
  ROW(CT_LOG_ON, "on", "On", NULL)                                                                                     \
  ROW(CT_LOG_OFF, "off", "Off", NULL)
#define CT_FLAT_MODES(ROW)                                                                                             \
  ROW(CT_FLAT_AUTO, "auto", "Where the scan has them", NULL)                                                           \
  ROW(CT_FLAT_OFF, "off", "Off", NULL)

typedef enum { CT_RING_METHODS(CT_CHOICE_VALUE) } ct_ring_method;
typedef enum { CT_I0_METHODS(CT_CHOICE_VALUE) } ct_i0_method;
typedef enum { CT_LOG_MODES(CT_CHOICE_VALUE) } ct_log_mode;
typedef enum { CT_FLAT_MODES(CT_CHOICE_VALUE) } ct_flat_mode;
extern const ct_choice ct_ring_choices[], ct_i0_choices[], ct_log_choices[], ct_flat_choices[];

/* flat: automatic, flats and darks where the scan has them. log: automatic, unless the scan holds line integrals. i0
 * divides each frame, behind the flats where there are any, so that the beam may change its intensity: border, mean of
 * i0_border columns on both sides of the frame; region, mean of a rectangle (column, row, width, height; rows counted
 * upright, row 0 lowest); value, a number, which counts where neither flats nor transmissions tell the level;
 * automatic, border where nothing else tells it. floor: least
 * transmission before the logarithm. outlier: in local standard deviations of the 5 x 5 neighbourhood, median based; 0:
 * off. */
typedef struct ct_prep_options {
#define CT_PARAM(declaration, ...) declaration;
#define CT_PARAM_MORE(...)
#include "recon/prep/params.h"
#undef CT_PARAM
#undef CT_PARAM_MORE
} ct_prep_options;

/* The method that counts; normalised: by flats, or because the values are transmissions; stated: the scan tells the
 * level of the free beam (white_level), which then is the number of the automatic method. */
ct_i0_method ct_i0_method_of(ct_i0_method asked, bool normalised, bool stated);

/* The outlier threshold that is offered where bad pixels are seen. */
enum { CT_OUTLIER_OFFER = 5 };

typedef struct ct_prep_report {
  size_t not_finite, outliers, floored; /* pixels mended */
  size_t unreadable;                    /* of the first: NaN or infinite in the file, not dead in the flats */
  int unreadable_views;                 /* that have such */
  double pixels;                        /* of all views loaded */
  size_t stuck;                         /* detector pixels that stand out from their neighbours in nearly every view */
  int stuck_at[2];                      /* column and row of the first */
  int spikes, spike_views; /* bright pixels that the views before and after do not show, and views looked at for them */
  int spike_at[3];         /* column, row and view of the first */
  int blank_views, blank_first; /* of one number everywhere, the views beside them not; the first, by its number */
  double i0_mean, i0_spread;    /* of the frames' I0: mean, (highest - lowest) / mean; NaN without */
  double border_free[2]; /* share of the border columns, low and high, that the intensity is taken from; 0 without */
  /* What the outermost columns, low and high, read of some views where nothing but flats, or the file, has normalised
   * them: least and most of the views; NaN where that was not looked at. */
  double side_least[2], side_most[2];
  float top;            /* the largest value as read, of some views, */
  double top_share;     /* the share of their pixels that seems to be cut off there; 0: none */
  int top_bits;         /* of a detector of counts that is full there; 0: line integrals */
  double rings_share;   /* what ring removal changed in the means over the views, as a share of them; 0 without */
  bool border_doubtful; /* the object seems to shade all of them */
  bool used_flats, used_log;
} ct_prep_report;

/* What is read of a scan, and how it is corrected: rows [row0, row0 + rows) of views first, first + step, ... (count of
 * them). bin > 1 averages transmissions (counts) of bin x bin pixels before the logarithm. */
typedef struct ct_load_request {
  ct_scan *scan;
  const ct_prep_options *options;
  ct_values values; /* CT_VALUES_UNKNOWN: as the scan says or, settled now if need be, shows */
  int row0, rows;
  int first, step, count;
  int bin;
  bool flip_rows, flip_columns;
  /* [count], all false, kept until the load is over, or NULL: views that hold no number, or saw no beam, are an error.
   * With it they are marked, and zeros in the stack of ct_loader_load; ct_prep_load takes them out of its stack. More
   * than half of the views are an error. */
  bool *left_out;
} ct_load_request;

/* Line integrals [count][rows / ct_row_bin of the scan][nu / bin]; report may be NULL. Flats that are no brighter than
 * the darks in more than a quarter of the pixels give CT_ERROR_DATA naming their share; fewer bad pixels are mended
 * (and counted as not finite). I0 does not depend on the rows that are loaded. Frames are read one after the other into
 * the stack and corrected there while others are read; at most one batch of frames is held besides (binning, I0 from
 * other rows).
 */
ct_stack *ct_prep_load(const ct_load_request *request, ct_prep_report *report, ct_job *job, ct_error **error);

/* The same some views at a time, but for the rings, which only all views show. */
typedef struct ct_loader ct_loader;
ct_loader *ct_loader_new(const ct_load_request *request, ct_error **error);
void ct_loader_free(ct_loader *loader);
/* Whether any order of views costs and gives the same: all lie between the same flats and darks, and the file packs
 * each alone. */
bool ct_loader_any_order(const ct_loader *loader);
/* Reads and corrects views[count], numbers of the stack's views, into the stack [views][rows / bin][nu / bin] of the
 * whole load: one thread reads, the others correct what is read. */
bool ct_loader_load(ct_loader *loader, const int *views, int count, ct_stack *stack, ct_job *job, ct_error **error);
/* The same into places[count] of a stack with any number of views. */
bool ct_loader_load_to(ct_loader *loader, const int *views, const int *places, int count, ct_stack *stack, ct_job *job,
                       ct_error **error);
/* Of the views loaded so far. */
void ct_loader_report(const ct_loader *loader, ct_prep_report *report);

/* The parts, on their own for tests and previews. */
/* Replaces outliers in one frame [rows][nu] in place by the median of the 3 x 3 neighbourhood (1 x 9 of a single row);
 * returns how many, or SIZE_MAX when memory ran short. */
size_t ct_prep_remove_outliers(float *frame, int nu, int rows, double threshold);
/* Removes ring artefacts from line integrals, sinogram by sinogram, in place. Sorting: Vo, Atwood, Drakopoulos 2018
 * (algorithm 3), size = window of the median in columns; wavelet: Muench et al. 2009 (FFT-damped vertical detail of a
 * Daubechies-5 decomposition), size = levels, cut down to what the sinogram allows, sigma = damped frequencies;
 * smoothing: Boin & Haibel 2006 (moving average of the mean projection), size = its window. Sizes beyond the row are
 * cut down. *share (may be NULL): what that changed in the means over the views, absolute sum by absolute sum. */
bool ct_prep_remove_rings(ct_stack *stack, ct_ring_method method, int size, double sigma, double *share, ct_job *job,
                          ct_error **error);

/* A centre of rotation that was searched: detector columns (pixel centres from 0). */
enum { CT_CENTRE_CANDIDATES = 4 };
typedef struct ct_centre_found {
  double centre;
  double confidence; /* 0..1: how well mirrored rays agree, how exactly they tell the place, and how far other places
                        are from it; below CT_CENTRE_SURE the centre may be another */
  double spread;     /* standard deviation of the centre, columns; NaN: not known */
  double agreement;  /* 0..1: share of what stands out of the noise that mirrored rays have in common */
  double evidence;   /* logarithm of how much likelier the data are with this centre than with none; NaN: not known */
  double margin;     /* the same against the best other place */
  double candidates[CT_CENTRE_CANDIDATES]; /* best first; the first is the centre */
  int count;
} ct_centre_found;
#define CT_CENTRE_SURE 0.5

/* Compares rays that are measured from both sides, over the whole width (parallel and fan beam, the middle rows of a
 * cone beam). Full turns: the harmonics of all views mirror about the centre. Shorter arcs: opposite views, and where a
 * scan of just 180 degrees has one or none, its first and last views continued to each other; conjugate rays of fan and
 * cone. Where the geometry has a tilt, rows along it, about centre_v. geometry->centre_u is the place that a tilt turns
 * about, and of no use else. CT_ERROR_DATA when no two views lie about 180 degrees apart (parallel), too few rays are
 * measured from both sides (fan, cone), or nothing agrees; CT_ERROR_UNSUPPORTED for projection matrices. Stage
 * CT_STAGE_CENTRING, units: comparisons of a row, of full turns at a scale (at most the total). */
bool ct_centre_search(const ct_stack *stack, const ct_geometry *geometry, ct_centre_found *found, ct_job *job,
                      ct_error **error);
/* The same from no more than `rows` rows, those about the central one: a quick second opinion. */
bool ct_centre_search_middle(const ct_stack *stack, const ct_geometry *geometry, int rows, ct_centre_found *found,
                             ct_job *job, ct_error **error);
/* The same; confidence may be NULL. */
bool ct_centre_by_correlation(const ct_stack *stack, const ct_geometry *geometry, double *centre, double *confidence,
                              ct_job *job, ct_error **error);

/* Tilt of the axis in the detector's plane (geometry->tilt is not used), and the centre at centre_v, from the centres
 * at ten heights; radians, columns; NaN where fewer than three heights tell one. about: the centre, nearly. True also
 * where nothing is found. */
typedef struct ct_tilt_found {
  double tilt, spread; /* and its standard deviation */
  double centre;
} ct_tilt_found;
bool ct_centre_tilt(const ct_stack *stack, const ct_geometry *geometry, double about, ct_tilt_found *found, ct_job *job,
                    ct_error **error);

#endif
