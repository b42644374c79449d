/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filtering of projection rows for FBP and FDK: cosine and redundancy weights, then the ramp. This room alone includes
 * fftw3.h (see filter/fft.h for the transforms that others need).
 *
 * The ramp is built in its band-limited space-domain form (Kak & Slaney 1988, eq. 3.61): h(0) = 1/(4 d^2), h(n odd) =
 * -1/(pi n d)^2, h(n even) = 0, so that the discrete filter keeps the mean right; its spectrum is then multiplied by
 * the window. Convolution is linear: rows are padded to at least twice their length. */
#ifndef CT_FILTER_FILTER_H
#define CT_FILTER_FILTER_H

#include "recon/base/choice.h"
#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/stack.h"
#include "recon/filter/outline.h"
#include "recon/geom/geometry.h"
#include "recon/geom/trajectory.h"

#include <stdbool.h>

/* No filter at all is plain back-projection, for teaching. */
#define CT_WINDOWS(ROW)                                                                                                \
  ROW(CT_WINDOW_NONE, "none", "No filter", "no filter")                                                                \
  ROW(CT_WINDOW_RAM_LAK, "ram-lak", "Ram-Lak", "Ram-Lak")                                                              \
  ROW(CT_WINDOW_SHEPP_LOGAN, "shepp-logan", "Shepp-Logan", "Shepp-Logan")                                              \
  ROW(CT_WINDOW_COSINE, "cosine", "Cosine", "cosine")                                                                  \
  ROW(CT_WINDOW_HAMMING, "hamming", "Hamming", "Hamming")                                                              \
  ROW(CT_WINDOW_HANN, "hann", "Hann", "Hann")
/* The ramp of the rows' samples, whose mean is right, or samples of the ramp |f|, which lose the mean: for teaching. */
#define CT_RAMPS(ROW)                                                                                                  \
  ROW(CT_RAMP_BAND_LIMITED, "band-limited", "Band-limited", NULL)                                                      \
  ROW(CT_RAMP_SAMPLED, "sampled", "Sampled |f|", "sampled ramp")
#define CT_EXTENSIONS(ROW)                                                                                             \
  ROW(CT_EXTEND_AUTO, "auto", "Automatic", NULL)                                                                       \
  ROW(CT_EXTEND_OUTLINE, "outline", "Outline of the object", "extended by the outline")                                \
  ROW(CT_EXTEND_ZERO, "zero", "Zeros", "nothing beyond the edge")                                                      \
  ROW(CT_EXTEND_EDGE, "edge", "Edge value", "edges extended")                                                          \
  ROW(CT_EXTEND_COSINE, "cosine", "Edge value, fading", "edges fading")
#define CT_REDUNDANCIES(ROW)                                                                                           \
  ROW(CT_REDUNDANCY_AUTO, "auto", "Automatic", NULL)                                                                   \
  ROW(CT_REDUNDANCY_FULL, "full", "Full scan", NULL)                                                                   \
  ROW(CT_REDUNDANCY_PARKER, "parker", "Short scan (Parker)", "Parker weights")                                         \
  ROW(CT_REDUNDANCY_DISPLACED, "displaced", "Displaced detector (Wang)", "displaced detector")                         \
  ROW(CT_REDUNDANCY_NONE, "none", "None", "no redundancy weights")

/* How a spiral is filtered and back-projected (solve/spiral). */
#define CT_SPIRAL_METHODS(ROW)                                                                                         \
  ROW(CT_SPIRAL_WEIGHTED, "weighted", "Weighted, all rows", NULL)                                                      \
  ROW(CT_SPIRAL_KATSEVICH, "katsevich", "Exact (Katsevich)", "Katsevich's filter")

typedef enum { CT_WINDOWS(CT_CHOICE_VALUE) } ct_window;
typedef enum { CT_RAMPS(CT_CHOICE_VALUE) } ct_ramp;
typedef enum { CT_EXTENSIONS(CT_CHOICE_VALUE) } ct_extension;
typedef enum { CT_REDUNDANCIES(CT_CHOICE_VALUE) } ct_redundancy;
typedef enum { CT_SPIRAL_METHODS(CT_CHOICE_VALUE) } ct_spiral_method;
extern const ct_choice ct_window_choices[], ct_ramp_choices[], ct_extension_choices[], ct_redundancy_choices[],
    ct_spiral_choices[];

/* cutoff: share of the Nyquist frequency kept, (0, 1]. extension: beyond truncated edges, zeros, the edge value, the
 * edge value fading to zero as a half cosine, or the rays through the object's outline, scaled to what is measured next
 * to the edge; automatic, the outline where there is one, else zeros. redundancy: automatic, Parker for divergent beams
 * over less than 360 degrees, displaced where the detector is (ct_geometry_displaced), else full. Those that cannot be
 * are an error. */
typedef struct ct_filter_options {
#define CT_PARAM(declaration, ...) declaration;
#define CT_PARAM_MORE(...)
#include "recon/filter/params.h"
#undef CT_PARAM
#undef CT_PARAM_MORE
  int threads;
  const ct_outline *outline; /* of an object that is cut off, copied by ct_filter_new; NULL: none is known */
  int row0;                  /* the first row of the geometry is this one of the outline's */
  bool ends_within;          /* the object ends on the detector: a narrow side cuts off air alone */
  bool filtered;             /* the projections are weighted and filtered already: they are only copied */
  bool without_ramp;         /* they are weighted alone: whoever back-projects has the ramp (ramp.h) */
} ct_filter_options;

/* The window's factor at frequency f (share of Nyquist, 0..1); it is stretched to end at the cut-off and 0 above it.
 * CT_WINDOW_NONE: 1 everywhere. */
double ct_window_value(ct_window window, double cutoff, double f);

/* Redundancy weight of (view, column): [views][nu] floats, so that with ct_geometry_view_weights the filtered
 * back-projection of geometry.h has absolute scale. The same for every kind of geometry, by its trajectory.
 *   none       pi / (sum of the view weights) for every ray: 1/2 for arcs of 360 degrees.
 *   full       The same for divergent beams. For parallel beams of 180 degrees or more each line counts once (angles
 *              modulo 180 degrees, trapezoidal: 1/2 for 360 degrees, 1 for 180, 1/2 where an arc between them overlaps
 *              itself).
 *   parker     Parker 1982 with the over-scan of the real arc (Silver 2000's generalised half-fan): sums to 1 over each
 *              pair of conjugate rays.
 *   displaced  Wang 2002: rays that only the wide side of the detector sees count whole, those of the strip that both
 *              sides see by a sine from 0 at the narrow end to 1, so that conjugate rays share each line. Gaps of up to
 *              10 degrees are integrated over, by the trapezoidal rule. CT_ERROR_ARGUMENT unless the views go all round
 *              but for such a gap and the axis lies on the detector.
 * Arcs below 180 degrees leave lines unmeasured whatever the beam: each view counts pi / arc, so that the volume is
 * scaled up as a whole, and what is missing is spread over what was measured; Parker's weights, too, are these then. */
bool ct_redundancy_weights(const ct_geometry *geometry, ct_redundancy redundancy, float *weights, ct_error **error);
/* The weights that automatic means, and that others mean on a short arc. */
ct_redundancy ct_redundancy_resolve(const ct_geometry *geometry, const ct_trajectory *trajectory,
                                    ct_redundancy redundancy);

/* The cosine weight SDD / sqrt(SDD^2 + u^2 + v^2) of FDK, for one view's [nv][nu]; 1 for parallel beam; for
 * projection matrices the same Jacobian for a detector that need not face the axis (see weights.c). */
bool ct_cosine_weights(const ct_geometry *geometry, int view, float *weights, ct_error **error);

/* The geometry of the filtered projections, to be cleared: that of the projections, but for a displaced detector, whose
 * weights apply, or in whose narrow side the object ends. What the ramp makes of its rows reaches beyond the narrow
 * end, and counts: there so many columns are added that the axis comes to the middle. */
bool ct_filter_output(const ct_geometry *geometry, const ct_filter_options *options, ct_geometry *output,
                      ct_error **error);
/* Whether another centre column changes the filtered projections: only for parallel beam whose detector is not
 * displaced it does not. */
bool ct_filter_needs_centre(const ct_geometry *geometry, const ct_filter_options *options);

typedef struct ct_filter ct_filter;

/* Plans for rows of this geometry. Holds FFTW plans and the spectrum; used by one thread at a time.
 * CT_ERROR_UNSUPPORTED for a trajectory that the weights do not serve (ct_trajectory_check). */
ct_filter *ct_filter_new(const ct_geometry *geometry, const ct_filter_options *options, ct_error **error);
void ct_filter_free(ct_filter *filter);

/* The filter as it is applied, for unit pitch: |H| at length / 2 + 1 frequencies from 0 to Nyquist's (the samples' is
 * 1), and h at the lags 0 to length / 2. Without a ramp 1 and an impulse. Both to be freed by ct_free; false:
 * CT_ERROR_MEMORY. */
typedef struct ct_filter_response {
  int length; /* of the transform */
  float *gain, *taps;
} ct_filter_response;
bool ct_filter_get_response(const ct_filter *filter, ct_filter_response *response, ct_error **error);

/* q = angular weight * ramp(redundancy * cosine * p) for `count` views: in[i] are [nv][nu], out[i] [nv][columns
 * of ct_filter_output]; where these are as many out[i] may be in[i]. The absolute scale is such that adding q(u, v) /
 * w^2 over the views (bp/kernel.h) gives 1/mm. CT_WINDOW_NONE leaves the ramp out and divides by pi and the width of
 * the field at the axis instead: the mean over all rays of (line integral / width), in 1/mm too. Rows are filtered
 * along the detector's rows, also when they are tilted. A view's result depends neither on the other views of the call
 * nor on the number of threads. CT_ERROR_ARGUMENT when a view does not exist. */
bool ct_filter_apply(ct_filter *filter, const int *views, int count, const float *const *in, float *const *out,
                     ct_error **error);

/* Whole stack, view by view in batches, from `from` into `to` (may be the same where the output is no wider). */
bool ct_filter_stack(ct_filter *filter, const ct_stack *from, ct_stack *to, ct_job *job, ct_error **error);

#endif
