/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One rank's slabs: made, added up over its column while the next is made, handed on. */
#include "recon/solve/shared.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/solve/pipeline-private.h"
#include "recon/solve/share-private.h"
#include "recon/solve/slabs.h"

#include <string.h>
#include <unistd.h>

typedef struct work {
  ct_pipeline *pipeline;
  const ct_shared_request *request;
  ct_exchange *x;
  ct_job *job;
  ct_slices *slabs;
  int count, made, begun; /* slabs; made of them; sums begun */
  ct_volume *pending;     /* whose sum is on its way: of slab begun - 1 */
  double stand, heard;    /* of all, 0..1, as told last; when that was, or since when this one waits */
  bool stopped;           /* others have failed */
} work;

static ct_grid grid_of(const work *w, const ct_slices *slices) {
  ct_grid grid = w->request->found->grid;
  grid.z0 += slices->first * grid.dz;
  grid.nz = slices->count;
  return grid;
}

/* Whether the sum that is on its way is there. A look may move no more than a few ten kilobytes, so that one alone
 * would have a large slab wait for as many looks: a burst moves some megabytes, and takes microseconds where nothing
 * comes. Where ranks share a core, a look may give it away, so that a burst would have the work wait as often. */
static bool look(work *w) {
  enum { BURST = 1024 };
  const double longest = 1e-3, until = ct_now() + longest;
  for (int i = 0; i < BURST && ct_now() < until; i++)
    if (w->x->way->end_sum(w->x)) return true;
  return false;
}

static void tell(const work *w, double silence) {
  if (w->request->stand) w->request->stand(w->request->user, w->stand, silence);
}

static void hear(work *w, const ct_pulse *all) {
  w->stand = (double)all->done / 1000;
  w->heard = ct_now();
  tell(w, 0);
}

/* Looks how the others stand. Twice: the first answer may be of what they told when this one looked last, and all who
 * have looked since then told the next. */
static void beat(work *w, ct_pulse now) {
  ct_pulse all;
  now.cancelled = now.cancelled || ct_job_requested(w->job) == CT_JOB_CANCEL;
  for (int turn = 0; turn < 2 && w->x->way->pulse(w->x, &now, &all); turn++) {
    if (all.cancelled) ct_job_cancel(w->job);
    if (all.failed) w->stopped = true;
    hear(w, &all);
  }
}

static bool between(void *user, double fraction) {
  work *w = user;
  if (w->pending) {
    const double begun = ct_now();
    look(w);
    w->x->traffic.sum_called += ct_now() - begun;
  }
  beat(w, (ct_pulse){.done = (int64_t)(1000 * (w->made + fraction) / (w->count ? w->count : 1))});
  return !w->stopped;
}

static bool give_up(ct_error **error) {
  return ct_error_set(error, CT_ERROR_CANCELLED, "Another process of the job failed.");
}

/* Sleeps a little more each time: the first looks come at once. */
static void rest(const work *w, int *turn) {
  const unsigned most = 1000;
  const double silence = ct_now() - w->heard;
  if (silence > CT_WAITS_LONG) tell(w, silence);
  usleep((unsigned)*turn < most ? (unsigned)(*turn)++ : most);
}

/* Waits for the sum that is on its way, and hands this rank's slices of it on. */
static bool take_sum(work *w, ct_error **error) {
  if (!w->pending) return true;
  const double begun = w->heard = ct_now();
  int turn = 0;
  while (!look(w)) {
    beat(w, (ct_pulse){.done = 1000 * w->made / w->count});
    if (w->stopped) return give_up(error);
    rest(w, &turn);
  }
  w->x->traffic.sum_waited += ct_now() - begun;
  if (w->x->came > begun) w->x->traffic.sum_late += w->x->came - begun;
  w->x->traffic.waited += ct_now() - begun;
  const ct_slices *slab = &w->slabs[w->begun - 1];
  const ct_grid *grid = ct_volume_grid(w->pending);
  int first;
  const int count = ct_exchange_slices(w->x, w->x->group, slab->count, &first);
  const bool good = count == 0 || w->request->write(w->request->user,
                                                    ct_volume_get_data(w->pending) +
                                                        (size_t)first * (size_t)grid->nx * (size_t)grid->ny,
                                                    slab->first + first, count, error);
  ct_volume_free(w->pending);
  w->pending = NULL;
  return good;
}

static bool begin_sum(work *w, ct_volume *volume, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(volume);
  const double begun = ct_now();
  w->pending = volume;
  if (!w->x->way->begin_sum(w->x, ct_volume_data(volume), (size_t)grid->nx * (size_t)grid->ny, grid->nz, error))
    return false;
  w->x->traffic.sum_called += ct_now() - begun;
  w->begun++;
  return true;
}

/* Ready for a slab, or where they are held for all of them. */
static bool prepare(work *w, int slab, ct_error **error) {
  ct_pipeline *p = w->pipeline;
  if (w->request->shares->held && slab > 0) return true;
  ct_slices rows = w->slabs[slab];
  if (w->request->shares->held) rows.count = w->slabs[w->count - 1].first + w->slabs[w->count - 1].count - rows.first;
  const ct_grid part = grid_of(w, &rows);
  if (!ct_pipeline_prepare_volume(p, &w->request->found->plan, &part, w->job, error)) return false;
  if (w->request->found->searched) {
    p->warned[CT_WARNED_CENTRE] = w->request->found->warned;
    ct_pipeline_join_warnings(p);
  }
  return true;
}

static bool make_slab(work *w, int slab, ct_error **error) {
  const ct_plan *plan = &w->request->found->plan;
  const ct_grid grid = grid_of(w, &w->slabs[slab]);
  ct_job_begin_part(w->job, slab, w->count);
  if (!prepare(w, slab, error)) return false;
  ct_job_begin_stage(w->job, CT_STAGE_BACKPROJECTING,
                     (uint64_t)ct_stack_views(w->pipeline->filtered) / (uint64_t)w->x->groups);
  const ct_part part = {.plan = plan, .grid = &grid};
  const double begun = ct_now();
  ct_volume *volume = ct_pipeline_backproject(w->pipeline, &part, 0, NULL, w->job, error);
  if (w->pending) w->x->traffic.sum_beside += ct_now() - begun;
  if (!volume) return false;
  w->made = slab + 1;
  beat(w, (ct_pulse){.done = 1000 * w->made / w->count});
  if (take_sum(w, error) && begin_sum(w, volume, error)) return true;
  if (w->pending != volume) ct_volume_free(volume);
  return false;
}

static bool make_slabs(work *w, ct_error **error) {
  for (int slab = 0; slab < w->count; slab++)
    if (!make_slab(w, slab, error)) return false;
  return take_sum(w, error);
}

/* Takes part in the sums that others of the column have begun, after a failure: with what happens to be there. */
static bool drain(work *w, ct_error **error) {
  const int most = (int)w->x->way->most_of_column(w->x, w->begun);
  w->x->way->wait_sum(w->x);
  bool good = true;
  while (good && w->begun < most) {
    const ct_grid grid = grid_of(w, &w->slabs[w->begun]);
    ct_volume *empty = ct_volume_new(&grid, error);
    good = empty != NULL;
    if (good) {
      ct_volume_free(w->pending);
      good = begin_sum(w, empty, error);
      w->x->way->wait_sum(w->x);
    }
  }
  ct_volume_free(w->pending);
  w->pending = NULL;
  return good;
}

/* Until all ranks have finished or one has failed. */
static bool settle(work *w, bool good, ct_error **error) {
  int turn = 0;
  const double begun = w->heard = ct_now();
  ct_pulse now = {.done = good ? 1000 : 0, .finished = good, .failed = !good}, all = {0};
  now.cancelled = !good && error && *error && (*error)->code == CT_ERROR_CANCELLED && !w->stopped;
  while (!all.finished && !all.failed && !w->stopped) {
    if (w->x->way->pulse(w->x, &now, &all))
      hear(w, &all);
    else
      rest(w, &turn);
  }
  w->x->traffic.waited += ct_now() - begun;
  if (good && all.failed) good = give_up(error);
  good = drain(w, good ? error : NULL) && good;
  return w->x->way->agree(w->x, good, error);
}

/* Once through the slabs. *again: a view that turned out to be no use is to be left out from the beginning. */
static bool go_through(work *w, bool *again, ct_error **error) {
  ct_pipeline *p = w->pipeline;
  const ct_share share = {w->x->group, w->x->groups, w, between};
  ct_error *fault = NULL;
  w->made = w->begun = 0;
  w->stand = 0;
  w->stopped = false;
  w->x->way->begin_pulses(w->x);
  p->share = &share;
  bool good = make_slabs(w, &fault);
  p->share = NULL;
  const bool useless = !good && p->found_useless;
  good = settle(w, good, &fault);
  *again = !good && w->x->way->least(w->x, useless ? 0 : 1) == 0;
  if (*again) {
    ct_pipeline_read_first(p);
    ct_error_clear(&fault);
  } else if (!good && error) {
    *error = fault;
  }
  return good;
}

bool ct_pipeline_shared(ct_pipeline *p, const ct_shared_request *request, ct_exchange *x, ct_job *job,
                        ct_error **error) {
  work w = {.pipeline = p, .request = request, .x = x, .job = job};
  const ct_found *found = request->found;
  ct_error *fault = NULL;
  const bool cut =
      ct_shares_slabs(request->shares, x->column, found->grid.nz, request->done, &w.slabs, &w.count, &fault);
  bool good = cut;
  for (int n = 0; good && n < w.count; n++) {
    const ct_grid grid = grid_of(&w, &w.slabs[n]);
    good = x->way->make_room(x, (size_t)grid.nx * (size_t)grid.ny, grid.nz, &fault);
  }
  good = x->way->agree(x, good, &fault);
  bool again = good;
  p->frugal = true;
  p->whole = &found->grid;
  p->searched_by = found->searched ? found->how : NULL;
  for (int turn = 0; again && turn < 3; turn++) good = go_through(&w, &again, &fault);
  p->frugal = false;
  p->whole = NULL;
  p->searched_by = NULL;
  if (found->searched) {
    memcpy(p->centre_how, found->how, sizeof p->centre_how);
    p->confidence = p->facts.centre_confidence = found->confidence;
  }
  p->facts.grid = found->grid;
  ct_free(w.slabs);
  if (!good && error && !*error) *error = fault;
  return good;
}
