/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a scan's frames to a stack of line integrals: one thread reads frame after frame, each into its place in the
 * stack, and the others correct there what is read. Only binned frames, and frames of which more rows are read than are
 * wanted, pass through a buffer of one batch. */
#include "recon/prep/load-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/data/values.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Frames from one wait for all threads to the next: as many as make a useful load for them (pixels), and at most so
 * many. Without a buffer more cost no memory. */
#define BUFFER_PIXELS (1 << 20)
#define BATCH_PIXELS (1 << 24)
#define BATCH_FRAMES 256

static const char *scan_name(const ct_loader *l) {
  return ct_scan_get_name(l->scan);
}

static bool check_ranges(const ct_loader *l, ct_error **error) {
  const int first = l->first, step = l->step, count = l->count;
  const ct_geometry *g = &l->facts->geometry;
  if (l->row0 < 0 || l->rows < 1 || l->rows > g->nv || l->row0 > g->nv - l->rows)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: rows %d to %d are not within its %d rows.", scan_name(l),
                        l->row0, l->row0 + (l->rows - 1), g->nv);
  if (count < 1 || step < 1 || first < 0 || (int64_t)first + (int64_t)(count - 1) * step >= g->views)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "%s: %d views from view %d on in steps of %d are not within its %d views.", scan_name(l), count,
                        first, step, g->views);
  if (l->bin < 1 || l->bin > g->nu || l->row_bin > l->rows)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: %d rows of %d columns cannot be binned %d x %d.", scan_name(l),
                        l->rows, g->nu, l->bin, l->row_bin);
  return true;
}

static bool check_numbers(const ct_loader *l, ct_error **error) {
  const ct_prep_options *o = &l->options;
  if (!(o->floor > 0 && o->floor < 1))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The least transmission is %g; it must lie between 0 and 1.",
                        o->floor);
  if (!(o->outlier >= 0))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The outlier threshold is %g; it must be 0 (off) or positive.",
                        o->outlier);
  return true;
}

/* Whether flats, darks and the beam's intensity have something to do. */
static bool are_counts(const ct_loader *l) {
  return ct_values_are_logarithms(l->values) ? l->options.log == CT_LOG_ON : l->values == CT_VALUES_COUNTS;
}

static bool check_i0(const ct_loader *l, ct_error **error) {
  const ct_geometry *g = &l->facts->geometry;
  const ct_prep_options *o = &l->options;
  const int *r = o->i0_region;
  const double level = ct_loader_level(l);
  if (l->i0 == CT_I0_VALUE && !(level > 0 && isfinite(level)))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The beam intensity is %g; it must be a positive number.", level);
  if (l->i0 == CT_I0_BORDER && o->i0_border < 1)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The border has %d columns; it needs at least 1.", o->i0_border);
  if (l->i0 == CT_I0_REGION && (r[0] < 0 || r[1] < 0 || r[2] < 1 || r[3] < 1 || r[2] > g->nu || r[3] > g->nv ||
                                r[0] > g->nu - r[2] || r[1] > g->nv - r[3]))
    return ct_error_set(
        error, CT_ERROR_ARGUMENT,
        "The free rectangle (%d x %d pixels at column %d, row %d) is not within the %d x %d pixels of %s.", r[2], r[3],
        r[0], r[1], g->nu, g->nv, scan_name(l));
  return true;
}

ct_i0_method ct_i0_method_of(ct_i0_method asked, bool normalised, bool stated) {
  if (asked == CT_I0_AUTO) return normalised ? CT_I0_NONE : stated ? CT_I0_VALUE : CT_I0_BORDER;
  return asked == CT_I0_VALUE && normalised ? CT_I0_NONE : asked;
}

/* Which corrections apply, and which rows have to be read for them. */
static bool decide(ct_loader *l, ct_error **error) {
  const ct_prep_options *o = &l->options;
  const bool counts = are_counts(l), fields = counts && o->flat == CT_FLAT_AUTO;
  l->use_flats = fields && l->facts->flats > 0;
  l->use_darks = fields && l->facts->darks > 0;
  const bool transmission = l->values == CT_VALUES_TRANSMISSION;
  l->i0 = counts || transmission ? ct_i0_method_of(o->i0, l->use_flats || transmission, l->facts->white_level > 0)
                                 : CT_I0_NONE;
  l->use_log = o->log == CT_LOG_ON || (o->log == CT_LOG_AUTO && (counts || transmission));
  if (counts && o->log == CT_LOG_AUTO && !l->use_flats && l->i0 == CT_I0_NONE)
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s holds raw counts and no flat fields are used: choose where the beam intensity comes from "
                        "(border, rectangle or a number), or switch the logarithm off.",
                        scan_name(l));
  if (!check_i0(l, error)) return false;
  /* The intensity of a frame must not depend on the rows that happen to be wanted. */
  int low = l->row0, high = l->row0 + l->rows;
  if (l->i0 == CT_I0_BORDER) {
    low = 0;
    high = l->facts->geometry.nv;
  } else if (l->i0 == CT_I0_REGION) {
    const int *r = o->i0_region;
    if (r[1] < low) low = r[1];
    if (r[1] + r[3] > high) high = r[1] + r[3];
  }
  l->band0 = low;
  l->band = high - low;
  return true;
}

static bool open_fields(ct_loader *l, ct_error **error) {
  return (!l->use_flats ||
          ct_fields_open(&l->flats, l->scan, CT_FRAME_FLAT, l->band0, l->band, l->flip_rows, l->flip_columns, error)) &&
         (!l->use_darks ||
          ct_fields_open(&l->darks, l->scan, CT_FRAME_DARK, l->band0, l->band, l->flip_rows, l->flip_columns, error));
}

/* The first of these views that share their flats and darks, as many as a batch takes. */
static int plan_batch(const ct_loader *l, const int *views, int most) {
  int count = 0, sets[4] = {0}, now[4] = {0};
  double share;
  for (; count < most; count++) {
    const int view = l->first + views[count] * l->step;
    if (l->use_flats) ct_fields_find(&l->flats, view, &now[0], &now[1], &share);
    if (l->use_darks) ct_fields_find(&l->darks, view, &now[2], &now[3], &share);
    if (count > 0 && memcmp(sets, now, sizeof sets) != 0) break;
    memcpy(sets, now, sizeof sets);
  }
  return count;
}

static bool hold_fields(ct_loader *l, int view, ct_job *job, ct_error **error) {
  int before, after;
  double share;
  if (l->use_darks) {
    ct_fields_find(&l->darks, view, &before, &after, &share);
    if (!ct_fields_hold(&l->darks, before, after, &l->dark[0], &l->dark[1], job, error)) return false;
  }
  if (!l->use_flats) return true;
  ct_fields_find(&l->flats, view, &before, &after, &share);
  if (l->flats.held[0] == before && l->flats.held[1] == after && l->flat[0]) return true;
  return ct_fields_hold(&l->flats, before, after, &l->flat[0], &l->flat[1], job, error) &&
         ct_check_gain(l, view, error);
}

static bool explain(const ct_loader *l, int view, const ct_frame_report *report, ct_error **error) {
  char doubts[1024];
  switch (report->result) {
  case CT_FRAME_UNREAD:
  case CT_FRAME_GOOD:
    return true;
  case CT_FRAME_EMPTY:
    return ct_error_set(error, CT_ERROR_DATA, "%s: view %d holds not a single finite number.", scan_name(l), view);
  case CT_FRAME_DARK_BEAM:
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s: the beam intensity of view %d, taken from its %s, is %g; it must be positive.%s",
                        scan_name(l), view, l->i0 == CT_I0_BORDER ? "border" : "free rectangle", report->i0,
                        ct_scan_facts_doubts(l->facts, doubts, sizeof doubts));
  case CT_FRAME_NO_BEAM:
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s: view %d saw no beam: not one of its pixels is above the least transmission.%s",
                        scan_name(l), view, ct_scan_facts_doubts(l->facts, doubts, sizeof doubts));
  case CT_FRAME_NO_MEMORY:
    break;
  }
  return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to correct a frame of %d x %d pixels.",
                      l->facts->geometry.nu, l->band);
}

/* Where that is wanted, and the frame is no use. */
static bool leave_out(ct_loader *l, int index) {
  const ct_frame_result result = l->reports[index].result;
  if (!l->left_out || (result != CT_FRAME_EMPTY && result != CT_FRAME_DARK_BEAM && result != CT_FRAME_NO_BEAM))
    return false;
  return l->left_out[index] = true;
}

static bool read_band(ct_loader *l, int view, float *out, ct_error **error) {
  const ct_frame_rows part = {.kind = CT_FRAME_PROJECTION,
                              .index = view,
                              .row0 = l->band0,
                              .rows = l->band,
                              .flip_rows = l->flip_rows,
                              .flip_columns = l->flip_columns};
  return ct_scan_read_flipped(l->scan, &part, out, error);
}

/* The thread that reads goes ahead of those that correct. */
static bool load_batch(ct_loader *l, const int *views, const int *places, int count, ct_stack *stack, ct_job *job,
                       ct_error **error) {
  const size_t frame = (size_t)l->band * (size_t)l->facts->geometry.nu;
  if (!hold_fields(l, l->first + views[0] * l->step, job, error)) return false;
  bool good = true, stopped = false;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < count; i++) {
    float *out = ct_stack_view(stack, places[i]), *from = l->buffer ? l->buffer + (size_t)i * frame : out;
    const int view = l->first + views[i] * l->step;
    if ((stopped = ct_job_requested(job) == CT_JOB_CANCEL)) break;
    good = read_band(l, view, from, error);
    if (!good) break;
    ct_frame_report *report = &l->reports[views[i]];
#pragma omp task if (omp_get_num_threads() > 1) firstprivate(view, from, out, report)
    ct_correct_frame(l, view, from, out, report);
  }
  if (!good || (stopped && !ct_job_may_go_on(job, error))) return false;
  for (int i = 0; i < count; i++)
    if (leave_out(l, views[i]))
      memset(ct_stack_view(stack, places[i]), 0, ct_stack_bytes(stack) / (size_t)ct_stack_views(stack));
    else if (!explain(l, l->first + views[i] * l->step, &l->reports[views[i]], error))
      return false;
  return true;
}

bool ct_loader_load_to(ct_loader *l, const int *views, const int *places, int count, ct_stack *stack, ct_job *job,
                       ct_error **error) {
  for (int at = 0; at < count;) {
    const int batch = plan_batch(l, views + at, count - at < l->batch ? count - at : l->batch);
    if (!ct_job_may_go_on(job, error) || !load_batch(l, views + at, places + at, batch, stack, job, error))
      return false;
    at += batch;
  }
  return true;
}

bool ct_loader_load(ct_loader *l, const int *views, int count, ct_stack *stack, ct_job *job, ct_error **error) {
  return ct_loader_load_to(l, views, views, count, stack, job, error);
}

/* Looks at the border of some views, to see which of it is free beam. */
static bool look_at_border(ct_loader *l, ct_error **error) {
  const int views = l->count < CT_BORDER_VIEWS ? l->count : CT_BORDER_VIEWS, nu = l->facts->geometry.nu;
  ct_beam_lay_out(&l->border, nu, l->band, l->options.i0_border);
  float *frame = ct_alloc((size_t)l->band * (size_t)nu, sizeof *frame, "a frame", error);
  ct_beam_mean *means =
      frame ? ct_alloc((size_t)views * CT_BORDER_BLOCKS, sizeof *means, "the border of the frames", error) : NULL;
  bool good = means;
  int seen = 0;
  for (int i = 0; good && i < views; i++) {
    const int view = l->first + (int)((long)i * l->count / views) * l->step;
    good = hold_fields(l, view, NULL, error) && read_band(l, view, frame, error);
    if (!good) break;
    ct_divide_fields(l, view, frame);
    ct_beam_mean *own = means + (size_t)seen * (size_t)l->border.count;
    ct_beam_look(&l->border, frame, own);
    bool beam = false; /* frames that are no use do not count */
    for (int b = 0; b < l->border.count; b++) beam |= own[b].mean > 0;
    seen += beam || (seen == 0 && i == views - 1);
  }
  if (good) ct_beam_choose(&l->border, means, seen);
  ct_free(frame);
  ct_free(means);
  return good;
}

void ct_loader_report(const ct_loader *l, ct_prep_report *report) {
  double sum = 0, low = INFINITY, high = -INFINITY;
  int loaded = 0;
  *report = (ct_prep_report){.used_flats = l->use_flats, .used_log = l->use_log, .i0_mean = NAN, .i0_spread = NAN};
  for (int i = 0; i < l->count; i++) {
    const ct_frame_report *frame = &l->reports[i];
    if (frame->result != CT_FRAME_GOOD) continue;
    report->not_finite += frame->not_finite;
    report->unreadable += frame->unreadable;
    report->unreadable_views += frame->unreadable > 0;
    report->outliers += frame->outliers;
    report->floored += frame->floored;
    sum += frame->i0;
    low = fmin(low, frame->i0);
    high = fmax(high, frame->i0);
    loaded++;
  }
  report->pixels = (double)loaded * l->rows * l->facts->geometry.nu;
  ct_notice_report(l, report);
  ct_saturation_report(l, report);
  ct_blank_report(l, report);
  for (int side = 0; side < 2 && l->i0 == CT_I0_BORDER; side++) report->border_free[side] = l->border.share[side];
  report->border_doubtful = l->border.doubtful;
  if (l->i0 == CT_I0_NONE || loaded == 0) return;
  report->i0_mean = sum / loaded;
  report->i0_spread = (high - low) / report->i0_mean;
}

bool ct_loader_any_order(const ct_loader *l) {
  const ct_fields *const fields[] = {l->use_flats ? &l->flats : NULL, l->use_darks ? &l->darks : NULL};
  double share;
  for (int i = 0; i < 2; i++) {
    int first[2], last[2];
    if (!fields[i]) continue;
    ct_fields_find(fields[i], l->first, &first[0], &first[1], &share);
    ct_fields_find(fields[i], l->first + (l->count - 1) * l->step, &last[0], &last[1], &share);
    if (first[0] != last[0] || first[1] != last[1]) return false;
  }
  return l->facts->together <= 1;
}

static void choose_batch(ct_loader *l, bool buffered) {
  const size_t pixels = (size_t)l->facts->geometry.nu * (size_t)l->band, threads = (size_t)ct_thread_count();
  size_t frames = (buffered ? BUFFER_PIXELS : BATCH_PIXELS) / pixels;
  if (frames < threads) frames = threads;
  if (frames > BATCH_FRAMES) frames = BATCH_FRAMES;
  l->batch = frames < (size_t)l->count ? (int)frames : l->count;
}

void ct_loader_free(ct_loader *l) {
  if (!l) return;
  ct_fields_close(&l->flats);
  ct_fields_close(&l->darks);
  ct_free(l->buffer);
  ct_free(l->reports);
  ct_free(l->hits);
  ct_free(l->spikes);
  ct_free(l);
}

ct_loader *ct_loader_new(const ct_load_request *request, ct_error **error) {
  ct_loader *l = ct_alloc(1, sizeof *l, "a scan's reader", error);
  if (!l) return NULL;
  if (!ct_scan_settle_values(request->scan, NULL, error)) {
    ct_free(l);
    return NULL;
  }
  *l = (ct_loader){.scan = request->scan,
                   .facts = ct_scan_get_facts(request->scan),
                   .options = *request->options,
                   .values = request->values != CT_VALUES_UNKNOWN ? request->values
                                                                  : ct_scan_get_facts(request->scan)->values,
                   .row0 = request->row0,
                   .rows = request->rows,
                   .first = request->first,
                   .step = request->step,
                   .count = request->count,
                   .bin = request->bin,
                   .row_bin = ct_row_bin(ct_scan_get_facts(request->scan)->geometry.nv, request->bin),
                   .flip_rows = request->flip_rows,
                   .flip_columns = request->flip_columns,
                   .left_out = request->left_out};
  l->density = 1;
  if (l->values == CT_VALUES_OPTICAL_DENSITY) {
    l->values = CT_VALUES_LINE_INTEGRALS;
    if (l->options.log != CT_LOG_ON) l->density = (float)M_LN10;
  }
  bool good = check_ranges(l, error) && check_numbers(l, error) && decide(l, error);
  good = good && (l->reports = ct_alloc_zero((size_t)l->count, sizeof *l->reports, "the frames' reports", error));
  good =
      good && ct_notice_begin(l, error) && open_fields(l, error) && (l->i0 != CT_I0_BORDER || look_at_border(l, error));
  if (good) {
    const bool buffered = l->bin > 1 || l->band != l->rows;
    choose_batch(l, buffered);
    const size_t pixels = (size_t)l->facts->geometry.nu * (size_t)l->band;
    if (buffered) good = (l->buffer = ct_alloc((size_t)l->batch * pixels, sizeof(float), "a batch of frames", error));
  }
  if (good) return l;
  ct_loader_free(l);
  return NULL;
}

/* All views in the file's order. */
static bool load_all(ct_loader *l, ct_stack *stack, ct_job *job, ct_error **error) {
  int *views = ct_alloc((size_t)l->count, sizeof *views, "the list of views", error);
  bool good = views;
  for (int i = 0; good && i < l->count; i++) views[i] = i;
  ct_job_begin_stage(job, CT_STAGE_READING, (uint64_t)l->count);
  for (int at = 0; good && at < l->count; at += l->batch) {
    const int count = l->count - at < l->batch ? l->count - at : l->batch;
    good = ct_loader_load(l, views + at, count, stack, job, error);
    ct_job_advance(job, (uint64_t)count);
  }
  good = good && ct_scan_check(l->scan, error);
  ct_free(views);
  return good;
}

static bool drop_left_out(const ct_loader *l, ct_stack *stack, ct_error **error) {
  int count = 0, first = -1;
  for (int i = 0; i < l->count; i++) {
    if (l->left_out[i] && first < 0) first = i;
    count += l->left_out[i];
  }
  if (2 * count > l->count) return explain(l, l->first + first * l->step, &l->reports[first], error);
  if (count > 0) ct_stack_drop_views(stack, l->left_out);
  return true;
}

ct_stack *ct_prep_load(const ct_load_request *request, ct_prep_report *report, ct_job *job, ct_error **error) {
  const ct_prep_options *options = request->options;
  ct_loader *l = ct_loader_new(request, error);
  ct_stack *stack = l ? ct_stack_new(l->facts->geometry.nu / l->bin, l->rows / l->row_bin, l->count, error) : NULL;
  bool good = stack && load_all(l, stack, job, error);
  good = good && (!l->left_out || drop_left_out(l, stack, error));
  double rings_share;
  good = good &&
         ct_prep_remove_rings(stack, options->rings, options->ring_size, options->ring_sigma, &rings_share, job, error);
  if (good && report) {
    ct_loader_report(l, report);
    report->rings_share = rings_share;
  }
  ct_loader_free(l);
  if (good) return stack;
  ct_stack_free(stack);
  return NULL;
}
