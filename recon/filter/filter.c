/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighting and ramp filtering of projection rows: q = s * ramp(redundancy * cosine * p) with s = angular step / pitch
 * at the isocentre, the ramp for unit pitch.
 *
 * The filter's spectrum is real and even, so two rows travel as the real and imaginary part of one complex transform;
 * that beats FFTW's real transforms by a third here. The two rows belong to the same view, so that a view's result
 * depends neither on its company in the batch nor on the number of threads. */
#include "recon/filter/filter.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/filter/extend-private.h"
#include "recon/filter/fft-private.h"
#include "recon/filter/ramp-private.h"
#include "recon/filter/ramp.h"
#include "recon/geom/questions.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stddef.h>
#include <string.h>

/* Views between two looks at the job. */
#define VIEWS_PER_BATCH 16

struct ct_filter {
  ct_geometry geometry;
  ct_trajectory trajectory;
  ct_filter_options options; /* the extension is not automatic */
  ct_outline outline;        /* where it extends */
  int threads;
  int before, after; /* columns added at the ends of each row */
  int length;        /* of the transform, a multiple of 16 */
  float *spectrum;   /* [length] */
  float *redundancy; /* [views][nu] */
  float *scale;      /* [views]: angular step / pitch, and the redundancy where it is the same for the whole view */
  bool uniform;      /* it is, for all views */
  fftwf_plan forward, inverse;
  size_t scratch_size; /* floats per thread */
  float *scratch;      /* [threads][scratch_size]: row pair, spectrum, two rows of weights */
};

static bool check_options(const ct_filter_options *options, ct_error **error) {
  if (!ct_choice_find(ct_window_choices, (int)options->window))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no filter window of number %d.", (int)options->window);
  if (!(options->cutoff > 0 && options->cutoff <= 1))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The filter's cut-off is %g; it must be above 0 and at most 1 (the Nyquist frequency).",
                        options->cutoff);
  if (!ct_choice_find(ct_ramp_choices, (int)options->ramp))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no ramp of number %d.", (int)options->ramp);
  if (!ct_choice_find(ct_extension_choices, (int)options->extension))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no row extension of number %d.", (int)options->extension);
  if (!ct_choice_find(ct_redundancy_choices, (int)options->redundancy))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no redundancy weight of number %d.",
                        (int)options->redundancy);
  return true;
}

/* A side that is shorter than this share of the other is a narrow one. */
static const double narrow_share = 0.75;

/* Whether columns are added where the detector is short, and how many it lacks at each end, in any view. */
static bool displaced(const ct_geometry *g, const ct_filter_options *options, int *before, int *after) {
  double narrow, wide, lacks_before = 0, lacks_after = 0;
  ct_trajectory t;
  *before = *after = 0;
  const bool aside = ct_geometry_displaced(g, &narrow, &wide);
  const bool weighted =
      options->redundancy == CT_REDUNDANCY_DISPLACED || (options->redundancy == CT_REDUNDANCY_AUTO && aside);
  const bool beyond = options->ends_within && narrow < narrow_share * fabs(wide);
  if (options->filtered || narrow <= 0 || !(weighted || beyond) || !ct_trajectory_make(g, &t, NULL)) return false;
  const int views = ct_geometry_promises(g, CT_TRAIT_CIRCULAR) ? 1 : g->views;
  for (int view = 0; view < views; view++) {
    const double column = ct_trajectory_axis_column(g, &t, view), more = g->nu - 1 - 2 * column;
    lacks_before = fmax(lacks_before, more);
    lacks_after = fmax(lacks_after, -more);
  }
  ct_trajectory_clear(&t);
  *(wide > 0 ? before : after) = (int)floor((wide > 0 ? lacks_before : lacks_after) + 1e-6);
  return true;
}

bool ct_filter_output(const ct_geometry *geometry, const ct_filter_options *options, ct_geometry *output,
                      ct_error **error) {
  int before, after;
  if (!ct_geometry_copy(output, geometry, error)) return false;
  if (!displaced(geometry, options, &before, &after)) return true;
  ct_geometry_add_columns(output, before, after);
  output->narrow_side = CT_NARROW_SEES_ALL;
  return true;
}

bool ct_filter_needs_centre(const ct_geometry *geometry, const ct_filter_options *options) {
  int before, after;
  return !ct_geometry_promises(geometry, CT_TRAIT_PARALLEL) || displaced(geometry, options, &before, &after);
}

/* A multiple of 16 (whole cache lines, and lag length / 2 even) that is a power of two times 1, 3, 5 or 15: there
 * FFTW's estimated plans come near to measured ones, and are quicker than those of many shorter lengths (2000 values
 * take 4.3 us there and back, 2048 take 2.7 us). */
static int quick_length(int n) {
  static const int factors[] = {1, 3, 5, 15};
  int best = 16;
  while (best < n) best *= 2;
  for (int i = 1; i < 4; i++) {
    int length = 16 * factors[i];
    while (length < n) length *= 2;
    if (length < best) best = length;
  }
  return best;
}

/* Twice the row makes the convolution linear; extended rows get a whole row's worth of continuation on each side. */
static int transform_length(int nu, ct_extension extension) {
  return quick_length(nu * (extension == CT_EXTEND_ZERO ? 2 : extension == CT_EXTEND_OUTLINE ? 4 : 3));
}

static int wide_of(const ct_filter *filter) {
  return filter->before + filter->geometry.nu + filter->after;
}

/* Joins angular step, pitch and uniform redundancies into one factor per view. */
static void make_scale(ct_filter *filter) {
  const ct_geometry *g = &filter->geometry;
  const size_t nu = (size_t)g->nu;
  filter->uniform = true;
  for (size_t i = 0; i < (size_t)g->views && filter->uniform; i++)
    for (size_t k = 1; k < nu && filter->uniform; k++)
      filter->uniform = filter->redundancy[i * nu + k] == filter->redundancy[i * nu];
  for (int i = 0; i < g->views; i++) {
    const double pitch = ct_view_pitch(g, &filter->trajectory, i);
    /* Without a filter the mean over all rays through a point of (ray sum / width of the field) is a picture in 1/mm
     * too. */
    const double factor = filter->options.window == CT_WINDOW_NONE ? 1 / (M_PI * pitch * wide_of(filter)) : 1 / pitch;
    filter->scale[i] =
        (float)(filter->trajectory.steps[i] * factor * (filter->uniform ? filter->redundancy[(size_t)i * nu] : 1));
  }
}

static bool allocate(ct_filter *filter, ct_error **error) {
  const size_t nu = (size_t)filter->geometry.nu, views = (size_t)filter->geometry.views,
               length = (size_t)filter->length;
  size_t weights, scratch;
  /* Two complex rows of `length`, two rows of weights, each part beginning on a cache line. */
  filter->scratch_size = 4 * length + 2 * ((nu + 15) / 16 * 16);
  if (!ct_size_multiply(views, nu, &weights) ||
      !ct_size_multiply(filter->scratch_size, (size_t)filter->threads, &scratch))
    return ct_error_set(error, CT_ERROR_MEMORY, "The filter of %zu views of %zu columns does not fit into memory.",
                        views, nu);
  filter->spectrum = ct_alloc(length, sizeof(float), "the filter's spectrum", error);
  filter->redundancy = filter->spectrum ? ct_alloc(weights, sizeof(float), "the redundancy weights", error) : NULL;
  filter->scale = filter->redundancy ? ct_alloc(views, sizeof(float), "the views' weights", error) : NULL;
  filter->scratch = filter->scale ? ct_alloc_zero(scratch, sizeof(float), "the filter's rows", error) : NULL;
  return filter->scratch != NULL;
}

/* Without an outline there is nothing to extend by. */
static ct_extension really(const ct_filter_options *options) {
  if (options->extension != CT_EXTEND_AUTO && options->extension != CT_EXTEND_OUTLINE) return options->extension;
  return options->outline ? CT_EXTEND_OUTLINE : CT_EXTEND_ZERO;
}

bool ct_ramp_filter_make(const ct_geometry *output, const ct_filter_options *options, ct_ramp_filter *ramp,
                         ct_error **error) {
  const ct_extension extension = really(options);
  *ramp = (ct_ramp_filter){.ends = extension == CT_EXTEND_EDGE     ? CT_ENDS_EDGE
                                   : extension == CT_EXTEND_COSINE ? CT_ENDS_COSINE
                                                                   : CT_ENDS_ZERO};
  if (options->filtered || options->window == CT_WINDOW_NONE)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "These projections get no ramp.");
  if (extension == CT_EXTEND_OUTLINE)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "Rows that the object reaches beyond are extended by its outline, each in its own way.");
  ramp->length = transform_length(output->nu, extension);
  ramp->spectrum = ct_alloc((size_t)ramp->length, sizeof *ramp->spectrum, "the filter's spectrum", error);
  const int threads = options->threads > 0 ? options->threads : ct_thread_count();
  if (ramp->spectrum && ct_ramp_spectrum(ramp->length, options, threads, ramp->spectrum, error)) return true;
  ct_ramp_filter_clear(ramp);
  return false;
}

void ct_ramp_filter_clear(ct_ramp_filter *ramp) {
  ct_free(ramp->spectrum);
  *ramp = (ct_ramp_filter){0};
}

ct_filter *ct_filter_new(const ct_geometry *geometry, const ct_filter_options *options, ct_error **error) {
  if (!ct_geometry_check(geometry, error) || !check_options(options, error)) return NULL;
  if (geometry->nu > INT_MAX / 8) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "Rows of %d columns are too long to be filtered.", geometry->nu);
    return NULL;
  }
  ct_filter *filter = ct_alloc_zero(1, sizeof *filter, "the filter", error);
  if (!filter) return NULL;
  filter->options = *options;
  filter->options.extension = really(options);
  if (options->outline) filter->outline = *options->outline;
  filter->threads = options->threads > 0 ? options->threads : ct_thread_count();
  displaced(geometry, options, &filter->before, &filter->after);
  if (options->filtered) {
    if (ct_geometry_copy(&filter->geometry, geometry, error)) return filter;
    ct_filter_free(filter);
    return NULL;
  }
  filter->length = transform_length(filter->before + geometry->nu + filter->after, filter->options.extension);
  bool good = ct_geometry_copy(&filter->geometry, geometry, error) && allocate(filter, error) &&
              ct_trajectory_make(geometry, &filter->trajectory, error) &&
              ct_trajectory_check(geometry, &filter->trajectory, error) &&
              ct_redundancy_weights(geometry, options->redundancy, filter->redundancy, error);
  if (good) make_scale(filter);
  if (good && options->window != CT_WINDOW_NONE)
    good = ct_ramp_spectrum(filter->length, options, filter->threads, filter->spectrum, error) &&
           ct_fftw_plan_complex(filter->length, &filter->forward, &filter->inverse, error);
  if (!good) {
    ct_filter_free(filter);
    return NULL;
  }
  return filter;
}

void ct_filter_free(ct_filter *filter) {
  if (!filter) return;
  ct_fftw_destroy(filter->forward);
  ct_fftw_destroy(filter->inverse);
  ct_free(filter->spectrum);
  ct_free(filter->redundancy);
  ct_free(filter->scale);
  ct_free(filter->scratch);
  ct_geometry_clear(&filter->geometry);
  ct_trajectory_clear(&filter->trajectory);
  ct_free(filter);
}

const float *ct_filter_spectrum(const ct_filter *filter, int *length) {
  *length = filter->length;
  return filter->options.window == CT_WINDOW_NONE || filter->options.filtered ? NULL : filter->spectrum;
}

/* pair[k] = (a[k] wa[k], b[k] wb[k]), times the redundancy r[k] where it varies within the view (NULL: it does not). */
static void pack(float *restrict pair, const float *restrict a, const float *restrict wa, const float *restrict b,
                 const float *restrict wb, const float *restrict r, int nu) {
  if (r) {
    for (int k = 0; k < nu; k++) {
      pair[2 * k] = a[k] * wa[k] * r[k];
      pair[2 * k + 1] = b[k] * wb[k] * r[k];
    }
  } else {
    for (int k = 0; k < nu; k++) {
      pair[2 * k] = a[k] * wa[k];
      pair[2 * k + 1] = b[k] * wb[k];
    }
  }
}

/* The same for the last row of an odd number. */
static void pack_single(float *restrict pair, const float *restrict a, const float *restrict wa,
                        const float *restrict r, int nu) {
  for (int k = 0; k < nu; k++) {
    pair[2 * k] = r ? a[k] * wa[k] * r[k] : a[k] * wa[k];
    pair[2 * k + 1] = 0;
  }
}

/* Fills what lies behind the row on the circle: the first half continues the right edge, the second half leads up to
 * the left one. */
static void extend(float *pair, int nu, int length, ct_extension extension) {
  const int pad = length - nu, half = pad / 2;
  if (extension == CT_EXTEND_ZERO || extension == CT_EXTEND_OUTLINE) {
    memset(pair + 2 * (size_t)nu, 0, 2 * (size_t)pad * sizeof *pair);
    return;
  }
  const float right[2] = {pair[2 * (nu - 1)], pair[2 * (nu - 1) + 1]}, left[2] = {pair[0], pair[1]};
  for (int k = 0; k < pad; k++) {
    const bool behind = k < half;
    const int distance = behind ? k + 1 : pad - k;
    const float *edge = behind ? right : left;
    const float fade = extension == CT_EXTEND_COSINE ? (float)(0.5 + 0.5 * cos(M_PI * distance / (half + 1))) : 1;
    pair[2 * (nu + k)] = edge[0] * fade;
    pair[2 * (nu + k) + 1] = edge[1] * fade;
  }
}

static void multiply(float *restrict spectrum, const float *restrict factors, int length) {
  for (int k = 0; k < length; k++) {
    spectrum[2 * k] *= factors[k];
    spectrum[2 * k + 1] *= factors[k];
  }
}

static void unpack(const float *restrict pair, float scale, float *restrict a, float *restrict b, int nu) {
  for (int k = 0; k < nu; k++) {
    a[k] = pair[2 * k] * scale;
    b[k] = pair[2 * k + 1] * scale;
  }
}

/* A thread's part of the scratch: row pair, spectrum, and the cosine weights of two rows. */
typedef struct workspace {
  float *pair, *spectrum, *weights[2];
} workspace;

static workspace workspace_of(const ct_filter *filter, int thread) {
  float *pair = filter->scratch + (size_t)thread * filter->scratch_size, *spectrum = pair + 2 * (size_t)filter->length;
  float *weights = spectrum + 2 * (size_t)filter->length;
  return (workspace){pair, spectrum, {weights, weights + (filter->scratch_size - 4 * (size_t)filter->length) / 2}};
}

/* The k-th row of the workspace's pair beyond the edges that the object reaches. measured: the row; r: its redundancy
 * weights, NULL where they are the same for the whole view. */
static void extend_by_outline(const ct_filter *filter, int view, int row, int k, const float *measured, const float *r,
                              const workspace *own) {
  const int wide = wide_of(filter), room = (filter->length - wide) / 2;
  const ct_outline_row rays = ct_outline_row_of(&filter->geometry, view, row + k);
  const ct_geometry *g = &filter->geometry;
  ct_end end = {.outline = &filter->outline,
                .rays = &rays,
                .v = row + k + filter->options.row0,
                .shift = ct_geometry_takes(g, CT_TAKES_CENTRE) ? g->centre_u - filter->outline.centre_u : 0,
                .nu = g->nu,
                .row = measured,
                .weights = own->weights[k],
                .redundancy = r ? r[0] : 1,
                .beyond = own->pair + k + 2 * ((size_t)filter->length - 1),
                .room = room};
  if (filter->outline.low && filter->before == 0) ct_extend_end(&end, own->spectrum);
  end.high = true;
  end.redundancy = r ? r[g->nu - 1] : 1;
  end.beyond = own->pair + k + 2 * (size_t)wide;
  if (filter->outline.high && filter->after == 0) ct_extend_end(&end, own->spectrum);
}

/* Rows row and row + 1 (when there is one) of a view, whose weights are in the workspace. */
static void filter_pair(const ct_filter *filter, int view, int row, const float *in, float *out, const workspace *own) {
  float *pair = own->pair, *spectrum = own->spectrum;
  const int nu = filter->geometry.nu, wide = wide_of(filter);
  const size_t offset = (size_t)row * (size_t)nu, place = (size_t)row * (size_t)wide;
  float *measured = pair + 2 * (size_t)filter->before;
  const bool both = row + 1 < filter->geometry.nv;
  const float *r = filter->uniform ? NULL : filter->redundancy + (size_t)view * (size_t)nu;
  memset(pair, 0, 2 * (size_t)filter->before * sizeof *pair);
  memset(measured + 2 * (size_t)nu, 0, 2 * (size_t)filter->after * sizeof *pair);
  if (both)
    pack(measured, in + offset, own->weights[0], in + offset + nu, own->weights[1], r, nu);
  else
    pack_single(measured, in + offset, own->weights[0], r, nu);
  if (filter->options.window != CT_WINDOW_NONE && !filter->options.without_ramp) {
    extend(pair, wide, filter->length, filter->options.extension);
    for (int k = 0; filter->options.extension == CT_EXTEND_OUTLINE && k < (both ? 2 : 1); k++)
      extend_by_outline(filter, view, row, k, in + offset + (size_t)k * (size_t)nu, r, own);
    fftwf_execute_dft(filter->forward, (fftwf_complex *)pair, (fftwf_complex *)spectrum);
    multiply(spectrum, filter->spectrum, filter->length);
    fftwf_execute_dft(filter->inverse, (fftwf_complex *)spectrum, (fftwf_complex *)pair);
  }
  const float scale = filter->scale[view];
  if (both)
    unpack(pair, scale, out + place, out + place + wide, wide);
  else
    for (int k = 0; k < wide; k++) out[place + (size_t)k] = pair[2 * k] * scale;
}

static void copy_views(const ct_filter *filter, int count, const float *const *in, float *const *out) {
  const size_t bytes = (size_t)filter->geometry.nu * (size_t)filter->geometry.nv * sizeof(float);
#pragma omp parallel for schedule(static) num_threads(filter->threads)
  for (int i = 0; i < count; i++)
    if (out[i] != in[i]) memcpy(out[i], in[i], bytes);
}

bool ct_filter_apply(ct_filter *filter, const int *views, int count, const float *const *in, float *const *out,
                     ct_error **error) {
  const ct_geometry *g = &filter->geometry;
  for (int i = 0; i < count; i++)
    if (views[i] < 0 || views[i] >= g->views)
      return ct_error_set(error, CT_ERROR_ARGUMENT, "There is no view %d among the %d of this scan.", views[i],
                          g->views);
  if (filter->options.filtered) {
    copy_views(filter, count, in, out);
    return true;
  }
  const int pairs = (g->nv + 1) / 2;
  const bool per_view = !ct_geometry_promises(g, CT_TRAIT_CIRCULAR);
  const ptrdiff_t items = (ptrdiff_t)pairs * count;
#pragma omp parallel num_threads(filter->threads)
  {
    const workspace own = workspace_of(filter, omp_get_thread_num());
    int weighted = -1;
    /* Row pairs outermost, so that a thread's cosine weights serve all views of the batch. */
#pragma omp for schedule(static)
    for (ptrdiff_t item = 0; item < items; item++) {
      const int row = 2 * (int)(item / count), i = (int)(item % count);
      if (row != weighted || per_view) {
        ct_cosine_weights_row(g, &filter->trajectory, views[i], row, own.weights[0]);
        if (row + 1 < g->nv) ct_cosine_weights_row(g, &filter->trajectory, views[i], row + 1, own.weights[1]);
        weighted = row;
      }
      filter_pair(filter, views[i], row, in[i], out[i], &own);
    }
  }
  return true;
}

bool ct_filter_stack(ct_filter *filter, const ct_stack *from, ct_stack *to, ct_job *job, ct_error **error) {
  const ct_geometry *g = &filter->geometry;
  const ct_stack *stacks[] = {from, to};
  const int columns[] = {g->nu, wide_of(filter)};
  for (int i = 0; i < 2; i++)
    if (ct_stack_nu(stacks[i]) != columns[i] || ct_stack_nv(stacks[i]) != g->nv ||
        ct_stack_views(stacks[i]) != g->views)
      return ct_error_set(error, CT_ERROR_ARGUMENT,
                          "The projections (%d views of %d x %d) do not match the geometry (%d views of %d x %d).",
                          ct_stack_views(stacks[i]), ct_stack_nu(stacks[i]), ct_stack_nv(stacks[i]), g->views,
                          columns[i], g->nv);
  ct_job_begin_stage(job, CT_STAGE_FILTERING, (uint64_t)g->views);
  for (int begin = 0; begin < g->views; begin += VIEWS_PER_BATCH) {
    if (!ct_job_may_go_on(job, error)) return false;
    const int count = g->views - begin < VIEWS_PER_BATCH ? g->views - begin : VIEWS_PER_BATCH;
    int views[VIEWS_PER_BATCH];
    const float *in[VIEWS_PER_BATCH];
    float *out[VIEWS_PER_BATCH];
    for (int i = 0; i < count; i++) {
      views[i] = begin + i;
      in[i] = ct_stack_get_view(from, begin + i);
      out[i] = ct_stack_view(to, begin + i);
    }
    if (!ct_filter_apply(filter, views, count, in, out, error)) return false;
    ct_job_advance(job, (uint64_t)count);
  }
  return true;
}
