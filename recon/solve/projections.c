/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The projections that a pipeline holds: line integrals, read and corrected once, and filtered projections, made view
 * by view as they are needed; where a volume is all that is asked for, the line integrals, too. Where memory is short
 * there is one stack only: views are filtered in place, and the line integrals are read again when something else asks
 * for them. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/untold.h"
#include "recon/phantom/phantom.h"
#include "recon/solve/digest.h"
#include "recon/solve/spiral/stage.h"

#include <math.h>

/* Views filtered between two looks at the job. */
enum { CHUNK = 16 };

static double held(const ct_stack *stack) {
  return stack ? (double)ct_stack_bytes(stack) : 0;
}

/* Whether so many bytes may be allocated besides what is held. */
static bool has_room(const ct_pipeline *p, double bytes) {
  if (p->frugal) return false;
  if (p->memory > 0) return held(p->integrals) + held(p->filtered) + bytes <= (double)p->memory;
  const double available = (double)ct_memory_available();
  return available <= 0 || bytes <= CT_MEMORY_USABLE * available;
}

/* Stacks take their memory as they are filled. */
bool ct_projections_leave_room(const ct_pipeline *p, double bytes) {
  if (p->memory > 0 || !p->filtered) return has_room(p, bytes);
  const double views = ct_stack_views(p->filtered), unread = p->loader && p->integrals ? 1 - p->read_count / views : 0;
  return has_room(p, bytes + held(p->integrals) * unread + held(p->filtered) * (1 - p->filtered_count / views));
}

void ct_pipeline_limit_memory(ct_pipeline *pipeline, size_t bytes) {
  pipeline->memory = bytes;
}

static void end_reading(ct_pipeline *p) {
  ct_loader_free(p->loader);
  ct_free(p->is_read);
  ct_free(p->doubted);
  p->doubted = NULL;
  p->loader = NULL;
  p->is_read = NULL;
  p->read_count = 0;
}

static void drop_filtered(ct_pipeline *p) {
  if (!p->integrals) end_reading(p);
  ct_stack_free(p->filtered);
  ct_free(p->is_filtered);
  ct_filtering_free(p->filtering);
  p->filtering = NULL;
  p->filtered = NULL;
  p->is_filtered = NULL;
  p->filtered_count = 0;
}

/* Views that were not filtered yet never will be. */
static void drop_integrals(ct_pipeline *p) {
  if (!p->integrals) return;
  if (p->filtering) drop_filtered(p);
  end_reading(p);
  ct_stack_free(p->integrals);
  p->integrals = NULL;
}

void ct_projections_free(ct_pipeline *p) {
  drop_integrals(p);
  drop_filtered(p);
  ct_free(p->left_out);
  p->left_out = NULL;
}

static bool flips_rows(const ct_pipeline *p, const ct_plan *plan) {
  return plan->flip_rows == CT_AUTO_INT ? ct_scan_get_facts(p->scan)->flip_rows : plan->flip_rows != 0;
}

static bool flips_columns(const ct_pipeline *p, const ct_plan *plan) {
  return plan->flip_columns == CT_AUTO_INT ? ct_scan_get_facts(p->scan)->flip_columns : plan->flip_columns != 0;
}

/* On one view, which lies in some place of a stack with rows from row0 on. */
static void add_noise(const ct_plan *plan, const ct_scan *scan, int row0, ct_stack *stack, int place, int view) {
  const int nv = ct_scan_get_facts(scan)->geometry.nv;
  const uint64_t nu = (uint64_t)ct_stack_nu(stack), rows = (uint64_t)(nv / ct_row_bin(nv, plan->bin));
  const uint64_t frame = (uint64_t)plan->view_first + (uint64_t)view * (uint64_t)plan->view_step;
  ct_add_photon_noise_pixels(ct_stack_view(stack, place), nu * (size_t)ct_stack_nv(stack), plan->noise_photons,
                             (uint64_t)plan->noise_seed, (frame * rows + (uint64_t)row0) * nu);
}

/* Rows (binned) of so many views, as the plan takes them. */
static ct_load_request request_of(const ct_pipeline *p, const ct_plan *plan, int row0, int rows, int views) {
  const int row_bin = ct_row_bin(ct_scan_get_facts(p->scan)->geometry.nv, plan->bin);
  return (ct_load_request){.scan = p->scan,
                           .options = &plan->prep,
                           .values = ct_plan_values(plan, CT_VALUES_UNKNOWN),
                           .row0 = row0 * row_bin,
                           .rows = rows * row_bin,
                           .first = plan->view_first,
                           .step = plan->view_step,
                           .count = views,
                           .bin = plan->bin,
                           .flip_rows = flips_rows(p, plan),
                           .flip_columns = flips_columns(p, plan)};
}

static ct_stack *load(const ct_pipeline *p, const ct_plan *plan, const ct_load_request *request, ct_prep_report *report,
                      ct_job *job, ct_error **error) {
  const int nv = ct_scan_get_facts(p->scan)->geometry.nv, row_bin = ct_row_bin(nv, plan->bin);
  ct_stack *integrals = ct_prep_load(request, report, job, error);
  if (integrals && !isnan(plan->noise_photons))
    ct_add_photon_noise_part(integrals, plan->noise_photons, (uint64_t)plan->noise_seed, plan->view_first,
                             plan->view_step, request->row0 / row_bin, nv / row_bin);
  return integrals;
}

/* Ready to read rows of the views as they are needed; false, without an error, where that must not be. */
static bool read_later(ct_pipeline *p, const ct_plan *plan, const ct_load_request *asked) {
  const int nu = ct_scan_get_facts(p->scan)->geometry.nu, nv = ct_scan_get_facts(p->scan)->geometry.nv;
  if (plan->prep.rings != CT_RINGS_NONE) return false;
  const unsigned untold = ct_untold(NULL);
  ct_load_request later = *asked, *request = &later;
  bool *is_read = ct_alloc_zero((size_t)request->count, sizeof *is_read, "the list of views", NULL);
  bool *doubted = is_read ? ct_alloc_zero((size_t)request->count, sizeof *doubted, "the list of views", NULL) : NULL;
  request->left_out = doubted;
  ct_loader *loader = doubted ? ct_loader_new(request, NULL) : NULL;
  ct_stack *integrals =
      loader && ct_loader_any_order(loader)
          ? ct_stack_new(nu / plan->bin, request->rows / ct_row_bin(nv, plan->bin), request->count, NULL)
          : NULL;
  if (!integrals) {
    ct_untold_forgive(untold);
    ct_loader_free(loader);
    ct_free(is_read);
    ct_free(doubted);
    return false;
  }
  drop_integrals(p);
  end_reading(p);
  p->doubted = doubted;
  p->integrals = integrals;
  p->loader = loader;
  p->is_read = is_read;
  ct_loader_report(loader, &p->report);
  return true;
}

/* What is made of the views so far has weights of an arc with this one. */
static bool is_useless(ct_pipeline *p, int view, ct_error **error) {
  p->found_useless = true;
  p->read_first = p->integrals_digest;
  p->integrals_digest = ~p->integrals_digest;
  return ct_error_set(error, CT_ERROR_DATA, "%s: view %d holds no number, or saw no beam.", ct_scan_get_name(p->scan),
                      p->integrals_plan.view_first + view * p->integrals_plan.view_step);
}

/* Reads those of some views that are not there. */
static bool read_views(ct_pipeline *p, const int *views, int count, ct_job *job, ct_error **error) {
  ct_stack *to = p->integrals ? p->integrals : p->filtered;
  const ct_plan *plan = &p->integrals_plan;
  int missing[CHUNK], n = 0;
  for (int i = 0; i < count; i++)
    if (!p->is_read[views[i]]) missing[n++] = views[i];
  if (n == 0) return true;
  if (!ct_loader_load(p->loader, missing, n, to, job, error)) return false;
  for (int i = 0; i < n; i++)
    if (p->doubted[missing[i]]) return is_useless(p, missing[i], error);
  if (p->read_count + n == ct_stack_views(to) && !ct_scan_check(p->scan, error)) return false;
  if (!isnan(plan->noise_photons)) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) add_noise(plan, p->scan, p->row0, to, missing[i], missing[i]);
  }
  for (int i = 0; i < n; i++) p->is_read[missing[i]] = true;
  p->read_count += n;
  ct_loader_report(p->loader, &p->report);
  p->facts.prep = p->report;
  if (p->read_count == ct_stack_views(to)) {
    end_reading(p);
    ct_pipeline_join_warnings(p);
  }
  return true;
}

/* Reads all views that are not there. */
static bool read_rest(ct_pipeline *p, ct_job *job, ct_error **error) {
  if (!p->loader) return true;
  const int views = ct_stack_views(p->integrals ? p->integrals : p->filtered);
  ct_job_begin_stage(job, CT_STAGE_READING, (uint64_t)views);
  for (int at = 0; p->loader && at < views; at += CHUNK) {
    int chunk[CHUNK];
    const int count = views - at < CHUNK ? views - at : CHUNK;
    for (int i = 0; i < count; i++) chunk[i] = at + i;
    if (!ct_job_may_go_on(job, error) || !read_views(p, chunk, count, job, error)) return false;
    ct_job_advance(job, (uint64_t)count);
  }
  return true;
}

bool ct_integrals_make(ct_pipeline *p, const ct_plan *plan, const ct_geometry *geometry, int row0, int rows, bool later,
                       ct_job *job, ct_error **error) {
  const uint64_t digest = ct_plan_digest(plan, CT_PLAN_INTEGRALS);
  const bool fresh =
      p->integrals_version > 0 && digest == p->integrals_digest && row0 >= p->row0 && row0 + rows <= p->row0 + p->rows;
  if (!isnan(plan->noise_photons) && ct_plan_takes_filtered(plan, ct_scan_get_facts(p->scan)->values))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "corrections.noise_photons needs line integrals: these projections are filtered already.");
  ct_error *fault = NULL;
  if (fresh && (later || read_rest(p, job, &fault))) return true;
  if (fresh && !ct_pipeline_try_again(p, &fault, error)) return false;
  later = later && digest != p->read_first;
  /* The old projections are kept until the new ones stand, unless memory is short. */
  if (!has_room(p, 2.0 * geometry->nu * rows * geometry->views * sizeof(float))) {
    if (p->integrals)
      drop_integrals(p);
    else
      drop_filtered(p);
  }
  ct_load_request request = request_of(p, plan, row0, rows, geometry->views);
  if (later && read_later(p, plan, &request)) {
    ct_free(p->left_out);
    p->left_out = NULL;
    p->asked = geometry->views;
  } else {
    ct_prep_report report;
    bool *left_out = ct_alloc_zero((size_t)geometry->views, sizeof *left_out, "the list of views", error);
    request.left_out = left_out;
    ct_stack *integrals = left_out ? load(p, plan, &request, &report, job, error) : NULL;
    if (!integrals) {
      ct_free(left_out);
      return false;
    }
    ct_integrals_take_left_out(p, left_out, geometry->views);
    drop_integrals(p);
    end_reading(p);
    p->integrals = integrals;
    p->report = report;
  }
  p->integrals_plan = *plan;
  p->integrals_digest = digest;
  p->row0 = row0;
  p->rows = rows;
  p->integrals_version++;
  return true;
}

bool ct_integrals_hold(ct_pipeline *p, const ct_geometry *geometry, ct_job *job, ct_error **error) {
  if (p->integrals) return true;
  if (!has_room(p, (double)geometry->nu * p->rows * geometry->views * sizeof(float))) drop_filtered(p);
  ct_prep_report report;
  ct_load_request request = request_of(p, &p->integrals_plan, p->row0, p->rows, p->asked);
  bool *left_out = ct_alloc_zero((size_t)p->asked, sizeof *left_out, "the list of views", error);
  request.left_out = left_out;
  p->integrals = left_out ? load(p, &p->integrals_plan, &request, &report, job, error) : NULL;
  ct_free(left_out);
  return p->integrals != NULL;
}

/* Bands of a view of the line integrals that are held, out of all their rows. */
static void take_bands_held(const ct_pipeline *p, int view, int row0, int rows, float *bands) {
  const int nu = ct_stack_nu(p->integrals);
  ct_take_bands(ct_stack_get_view(p->integrals, view) + (size_t)(row0 - p->row0) * (size_t)nu, nu, rows, bands);
}

/* Where they are not held, or with rings removed: a few views at a time. */
static bool sample_anew(const ct_pipeline *p, const ct_plan *plan, int row0, int rows, const int *views,
                        ct_stack *sample, ct_job *job, ct_error **error) {
  enum { SOME = 8 };
  static const int places[SOME] = {0, 1, 2, 3, 4, 5, 6, 7};
  const int nv = ct_scan_get_facts(p->scan)->geometry.nv, nu = ct_stack_nu(sample), count = ct_stack_views(sample);
  const ct_geometry *g = &ct_scan_get_facts(p->scan)->geometry;
  const ct_load_request request =
      request_of(p, plan, row0, rows, (g->views - 1 - plan->view_first) / plan->view_step + 1);
  ct_loader *loader = ct_loader_new(&request, error);
  ct_stack *some = loader ? ct_stack_new(nu, request.rows / ct_row_bin(nv, plan->bin), SOME, error) : NULL;
  bool good = some;
  for (int at = 0; good && at < count; at += SOME) {
    const int n = count - at < SOME ? count - at : SOME;
    int from[SOME];
    for (int i = 0; i < n; i++) from[i] = ct_integrals_place(p, views[at + i]);
    good = ct_loader_load_to(loader, from, places, n, some, job, error);
    for (int i = 0; good && i < n; i++) {
      if (!isnan(plan->noise_photons)) add_noise(plan, p->scan, row0, some, i, from[i]);
      ct_take_bands(ct_stack_get_view(some, i), nu, ct_stack_nv(some), ct_stack_view(sample, at + i));
    }
  }
  ct_loader_free(loader);
  ct_stack_free(some);
  return good;
}

ct_stack *ct_integrals_sample(ct_pipeline *p, const ct_plan *plan, int row0, int rows, const int *views, int count,
                              ct_job *job, ct_error **error) {
  const int nu = ct_scan_get_facts(p->scan)->geometry.nu / plan->bin;
  ct_stack *sample = ct_stack_new(nu, ct_band_count(rows), count, error);
  bool good = sample;
  if (good && p->integrals && plan->prep.rings == CT_RINGS_NONE && row0 >= p->row0 &&
      row0 + rows <= p->row0 + p->rows) {
    if (p->loader) ct_job_begin_stage(job, CT_STAGE_READING, (uint64_t)count);
    for (int at = 0; good && p->loader && at < count; at += CHUNK) {
      const int some = count - at < CHUNK ? count - at : CHUNK;
      good = ct_job_may_go_on(job, error) && read_views(p, views + at, some, job, error);
      ct_job_advance(job, (uint64_t)some);
    }
    for (int i = 0; good && i < count; i++) take_bands_held(p, views[i], row0, rows, ct_stack_view(sample, i));
  } else if (good)
    good = sample_anew(p, plan, row0, rows, views, sample, job, error);
  if (good) return sample;
  ct_stack_free(sample);
  return NULL;
}

static uint64_t filter_key(const ct_pipeline *p, const ct_plan *plan, const ct_geometry *g,
                           const ct_filter_options *options) {
  const uint64_t parts[] = {p->integrals_version, ct_plan_stage_digest(plan, CT_PLAN_FILTERED),
                            p->has_outline ? p->outline_key : (uint64_t)options->ends_within,
                            (uint64_t)options->without_ramp};
  return ct_digest(ct_geometry_digest(g, ct_filter_needs_centre(g, options)), parts, sizeof parts);
}

/* A stack to filter into, `seen` its geometry: that of before if it fits, a new one, or that of the line integrals
 * where it is as wide. */
static bool place_filtered(ct_pipeline *p, const ct_geometry *g, const ct_geometry *seen, ct_spiral_method method,
                           double more, ct_error **error) {
  const ct_sorted_size size = ct_filtered_size(seen, method);
  const bool fits = p->filtered && ct_stack_nu(p->filtered) == size.nu && ct_stack_nv(p->filtered) == size.nv &&
                    ct_stack_views(p->filtered) == size.views;
  if (fits && has_room(p, more)) {
    for (int view = 0; view < size.views; view++) p->is_filtered[view] = false;
    p->filtered_count = 0;
    return true;
  }
  drop_filtered(p);
  if (!(p->is_filtered = ct_alloc_zero((size_t)size.views, sizeof(bool), "the list of filtered views", error)))
    return false;
  /* Neither fits in the place of the line integrals. */
  const bool wider = seen->nu > g->nu || ct_geometry_climbs(seen);
  const unsigned untold = ct_untold(NULL);
  if (wider || has_room(p, held(p->integrals) + more))
    p->filtered = ct_stack_new(size.nu, size.nv, size.views, wider ? error : NULL);
  if (p->filtered || wider) return p->filtered != NULL;
  ct_untold_forgive(untold);
  p->filtered = p->integrals;
  p->integrals = NULL;
  return true;
}

bool ct_filtered_begin(ct_pipeline *p, const ct_plan *plan, const ct_geometry *g, double more, ct_job *job,
                       ct_error **error) {
  ct_filter_options options = ct_pipeline_filter_options(p, plan);
  options.without_ramp = p->ramp.spectrum != NULL;
  const uint64_t key = filter_key(p, plan, g, &options);
  bool valid = p->filtered && key == p->filtered_key;
  const int views = p->filtered ? ct_stack_views(p->filtered) : 0;
  if (valid && p->integrals && !has_room(p, more)) {
    if (p->filtered_count == views)
      drop_integrals(p);
    else
      valid = false;
  }
  if (valid && (p->filtering || p->filtered_count == views)) return true;
  if (!valid) {
    if (!p->integrals) drop_filtered(p);
    if (!ct_integrals_hold(p, g, job, error)) return false;
  }
  ct_geometry seen;
  ct_filtering *filtering = ct_filtering_new(g, &options, &seen, error);
  if (!filtering) return false;
  const bool placed = valid || place_filtered(p, g, &seen, options.spiral, more, error);
  ct_geometry_clear(&seen);
  if (!placed) {
    ct_filtering_free(filtering);
    return false;
  }
  ct_filtering_free(p->filtering);
  p->filtering = filtering;
  p->filtered_key = key;
  return true;
}

static bool filter_chunk(ct_pipeline *p, const int *views, int count, ct_job *job, ct_error **error) {
  if (p->loader && !read_views(p, views, count, job, error)) return false;
  const float *in[CHUNK];
  float *out[CHUNK];
  for (int i = 0; i < count; i++) {
    out[i] = ct_stack_view(p->filtered, views[i]);
    in[i] = p->integrals && !ct_filtering_sorts(p->filtering) ? ct_stack_get_view(p->integrals, views[i]) : out[i];
  }
  if (!ct_filtering_apply(p->filtering, p->integrals, views, count, in, out, error)) return false;
  for (int i = 0; i < count; i++) p->is_filtered[views[i]] = true;
  p->filtered_count += count;
  return true;
}

bool ct_filtered_has(const ct_pipeline *p, const int *views, int count) {
  for (int i = 0; i < count; i++)
    if (!p->is_filtered[views[i]]) return false;
  return true;
}

bool ct_filtered_add(ct_pipeline *p, const int *views, int count, ct_job *job, ct_error **error) {
  int missing[CHUNK], n = 0;
  for (int i = 0; i < count; i++) {
    if (!p->is_filtered[views[i]]) missing[n++] = views[i];
    if (n < CHUNK && i + 1 < count) continue;
    if (n > 0 && (!ct_job_may_go_on(job, error) || !filter_chunk(p, missing, n, job, error))) return false;
    n = 0;
  }
  if (p->filtered_count == ct_stack_views(p->filtered)) {
    ct_filtering_free(p->filtering);
    p->filtering = NULL;
  }
  return true;
}

bool ct_filtered_all(ct_pipeline *p, ct_job *job, ct_error **error) {
  const int views = ct_stack_views(p->filtered);
  if (p->filtered_count == views) return true;
  ct_job_begin_stage(job, CT_STAGE_FILTERING, (uint64_t)views);
  for (int at = 0; at < views; at += CHUNK) {
    int chunk[CHUNK];
    const int count = views - at < CHUNK ? views - at : CHUNK;
    for (int i = 0; i < count; i++) chunk[i] = at + i;
    if (!ct_job_may_go_on(job, error) || !ct_filtered_add(p, chunk, count, job, error)) return false;
    ct_job_advance(job, (uint64_t)count);
  }
  return true;
}

bool ct_filtered_ahead(ct_pipeline *p, const int *views, int count, const atomic_bool *done, ct_job *job,
                       ct_error **error) {
  for (int at = 0; at < count; at += CHUNK) {
    ct_progress progress;
    ct_job_get_progress(job, &progress);
    if (atomic_load(done) || progress.paused || ct_job_requested(job) != CT_JOB_GO) return true;
    if (!ct_filtered_add(p, views + at, count - at < CHUNK ? count - at : CHUNK, job, error)) return false;
  }
  return true;
}
