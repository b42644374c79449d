/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs: atomics for requests and counters; a condition for pauses. */
#include "recon/base/job.h"

#include "recon/base/machine.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct ct_job {
  atomic_int request;
  atomic_bool paused, awake;
  atomic_int stage;
  atomic_uint_fast64_t done, total;
  _Atomic double begun, stage_begun; /* clock readings */
  _Atomic double idle, stage_idle;   /* seconds paused so far, in all and before the stage */
  atomic_int part, parts;
  _Atomic double parts_begun, parts_idle; /* as for the stage */
  _Atomic double pause_begun;             /* 0: the worker is not sleeping */
  _Atomic double updates, update_time;    /* voxel updates, seconds spent in back-projection stages before this one */
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool look;                /* under the lock */
  void (*show)(void *user); /* the worker's */
  void *show_user;
};

ct_job *ct_job_new(ct_error **error) {
  ct_job *job = calloc(1, sizeof *job);
  if (!job) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a job.");
    return NULL;
  }
  pthread_mutex_init(&job->lock, NULL);
  pthread_cond_init(&job->wake, NULL);
  const double now = ct_now();
  atomic_store(&job->begun, now);
  atomic_store(&job->stage_begun, now);
  return job;
}

void ct_job_free(ct_job *job) {
  if (!job) return;
  pthread_cond_destroy(&job->wake);
  pthread_mutex_destroy(&job->lock);
  free(job);
}

static void wake(ct_job *job) {
  pthread_mutex_lock(&job->lock);
  pthread_cond_broadcast(&job->wake);
  pthread_mutex_unlock(&job->lock);
}

void ct_job_cancel(ct_job *job) {
  if (!job) return;
  atomic_store(&job->request, CT_JOB_CANCEL);
  atomic_store(&job->paused, false);
  wake(job);
}

void ct_job_finish_early(ct_job *job) {
  if (!job) return;
  int expected = CT_JOB_GO;
  atomic_compare_exchange_strong(&job->request, &expected, CT_JOB_FINISH_EARLY);
  atomic_store(&job->paused, false);
  wake(job);
}

void ct_job_set_paused(ct_job *job, bool paused) {
  if (!job) return;
  atomic_store(&job->paused, paused && atomic_load(&job->request) == CT_JOB_GO);
  wake(job);
}

void ct_job_look(ct_job *job) {
  if (!job) return;
  pthread_mutex_lock(&job->lock);
  job->look = true;
  pthread_cond_broadcast(&job->wake);
  pthread_mutex_unlock(&job->lock);
}

void ct_job_set_show(ct_job *job, void (*show)(void *user), void *user) {
  if (!job) return;
  job->show = show;
  job->show_user = user;
}

void ct_job_stay_awake(ct_job *job, bool awake) {
  if (job) atomic_store(&job->awake, awake);
}

static double idle_until(const ct_job *job, double now) {
  const double since = atomic_load(&job->pause_begun);
  return atomic_load(&job->idle) + (since > 0 ? now - since : 0);
}

/* A part is back-projection or iterations for the most part: what comes before it counts as its beginning, what comes
 * behind as its end. */
static double part_fraction(const ct_progress *p) {
  double within = 1;
  if (p->stage == CT_STAGE_BACKPROJECTING || p->stage == CT_STAGE_ITERATING)
    within = p->total > 0 ? (double)p->done / (double)p->total : 0;
  else if (p->stage < CT_STAGE_BACKPROJECTING || p->stage == CT_STAGE_BUILDING)
    within = 0;
  return (p->part + within) / p->parts;
}

void ct_job_get_progress(const ct_job *job, ct_progress *progress) {
  *progress = (ct_progress){.remaining = -1, .fraction = -1};
  if (!job) return;
  const double now = ct_now(), idle = idle_until(job, now);
  progress->stage = (ct_stage)atomic_load(&job->stage);
  progress->done = atomic_load(&job->done);
  progress->total = atomic_load(&job->total);
  progress->elapsed = now - atomic_load(&job->begun) - idle;
  progress->paused = atomic_load(&job->paused);
  const double stage_time = now - atomic_load(&job->stage_begun) - (idle - atomic_load(&job->stage_idle));
  progress->part = atomic_load(&job->part);
  progress->parts = atomic_load(&job->parts);
  if (progress->parts > 0) {
    progress->fraction = part_fraction(progress);
    const double time = now - atomic_load(&job->parts_begun) - (idle - atomic_load(&job->parts_idle));
    if (progress->fraction > 0) progress->remaining = time / progress->fraction * (1 - progress->fraction);
  } else {
    if (progress->total > 0) progress->fraction = fmin((double)progress->done / (double)progress->total, 1);
    if (progress->done > 0 && progress->total >= progress->done)
      progress->remaining = stage_time / (double)progress->done * (double)(progress->total - progress->done);
  }
  double time = atomic_load(&job->update_time);
  if (progress->stage == CT_STAGE_BACKPROJECTING) time += stage_time;
  if (time > 0) progress->gups = atomic_load(&job->updates) / time * 1e-9;
}

void ct_job_begin_stage(ct_job *job, ct_stage stage, uint64_t total) {
  if (!job) return;
  const double now = ct_now(), idle = idle_until(job, now);
  if (atomic_load(&job->stage) == CT_STAGE_BACKPROJECTING)
    atomic_store(&job->update_time, atomic_load(&job->update_time) + now - atomic_load(&job->stage_begun) -
                                        (idle - atomic_load(&job->stage_idle)));
  atomic_store(&job->done, 0);
  atomic_store(&job->total, total);
  atomic_store(&job->stage_begun, now);
  atomic_store(&job->stage_idle, idle);
  atomic_store(&job->stage, stage);
}

void ct_job_begin_part(ct_job *job, int part, int parts) {
  if (!job) return;
  if (part == 0) {
    const double now = ct_now();
    atomic_store(&job->parts_begun, now);
    atomic_store(&job->parts_idle, idle_until(job, now));
  }
  ct_job_begin_stage(job, CT_STAGE_WAITING, 0);
  atomic_store(&job->part, part);
  atomic_store(&job->parts, parts);
}

void ct_job_advance(ct_job *job, uint64_t units) {
  if (job) atomic_fetch_add(&job->done, units);
}

void ct_job_add_updates(ct_job *job, double updates) {
  if (job) atomic_store(&job->updates, atomic_load(&job->updates) + updates);
}

ct_job_request ct_job_requested(const ct_job *job) {
  return job ? (ct_job_request)atomic_load_explicit(&job->request, memory_order_relaxed) : CT_JOB_GO;
}

/* Not locked while show runs: it may read progress and make requests. */
static void sleep_paused(ct_job *job) {
  pthread_mutex_lock(&job->lock);
  job->look = true;
  while (atomic_load(&job->paused)) {
    if (job->look && job->show) {
      job->look = false;
      pthread_mutex_unlock(&job->lock);
      job->show(job->show_user);
      pthread_mutex_lock(&job->lock);
    } else {
      pthread_cond_wait(&job->wake, &job->lock);
    }
  }
  pthread_mutex_unlock(&job->lock);
}

ct_job_request ct_job_checkpoint(ct_job *job) {
  if (!job) return CT_JOB_GO;
  if (atomic_load(&job->paused) && !atomic_load(&job->awake)) {
    const double began = ct_now();
    atomic_store(&job->pause_begun, began);
    sleep_paused(job);
    atomic_store(&job->pause_begun, 0.0);
    atomic_store(&job->idle, atomic_load(&job->idle) + ct_now() - began);
  }
  return ct_job_requested(job);
}

bool ct_job_may_go_on(ct_job *job, ct_error **error) {
  if (ct_job_checkpoint(job) != CT_JOB_CANCEL) return true;
  return ct_error_set(error, CT_ERROR_CANCELLED, "Cancelled.");
}

const char *ct_stage_title(ct_stage stage) {
  switch (stage) {
  case CT_STAGE_WAITING:
    return "Waiting";
  case CT_STAGE_READING:
    return "Reading";
  case CT_STAGE_CORRECTING:
    return "Correcting";
  case CT_STAGE_CENTRING:
    return "Finding the centre";
  case CT_STAGE_FILTERING:
    return "Filtering";
  case CT_STAGE_BACKPROJECTING:
    return "Back-projecting";
  case CT_STAGE_BUILDING:
    return "Building the matrix";
  case CT_STAGE_ITERATING:
    return "Iterating";
  case CT_STAGE_SIMULATING:
    return "Simulating";
  case CT_STAGE_WRITING:
    return "Writing";
  case CT_STAGE_COMPARING:
    return "Comparing";
  case CT_STAGE_TUNING:
    return "Tuning";
  case CT_STAGE_DONE:
    return "Done";
  }
  return "Working";
}
