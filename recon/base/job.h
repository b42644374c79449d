/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running piece of work as seen from two threads: the owner asks (cancel, finish early, pause), the worker reports
 * (stage, units done). All of it is C11 atomics but the pause, which sleeps on a condition. Any function of this
 * header may be called from any thread; a NULL job is allowed everywhere and means "never stop, nobody watches". */
#ifndef CT_BASE_JOB_H
#define CT_BASE_JOB_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
  CT_STAGE_WAITING,
  CT_STAGE_READING,        /* units: frames */
  CT_STAGE_CORRECTING,     /* units: views or rows */
  CT_STAGE_CENTRING,       /* units: trial centres, or pairs of views */
  CT_STAGE_FILTERING,      /* units: views */
  CT_STAGE_BACKPROJECTING, /* units: views */
  CT_STAGE_BUILDING,       /* of a system matrix; units: views or blocks */
  CT_STAGE_ITERATING,      /* units: iterations */
  CT_STAGE_SIMULATING,     /* units: views */
  CT_STAGE_WRITING,        /* units: slices */
  CT_STAGE_COMPARING,      /* two volumes; units: slices */
  CT_STAGE_TUNING,         /* of a graphics device; units: trials */
  CT_STAGE_DONE,
} ct_stage;

typedef enum { CT_JOB_GO, CT_JOB_FINISH_EARLY, CT_JOB_CANCEL } ct_job_request;

typedef struct ct_job ct_job;

typedef struct {
  ct_stage stage;
  uint64_t done, total; /* units of the stage */
  double elapsed;       /* s since the job began, pauses excluded */
  int part, parts;      /* of a run in equal parts, each through several stages: counted from 0; parts 0: one whole */
  double fraction;      /* 0..1 of all parts, or of the stage; negative when unknown */
  double remaining;     /* s, estimated from the parts or the present stage; negative when unknown */
  double gups; /* 1e9 voxel updates a second of back-projection so far, with the reading and filtering between its
                  batches; 0 before it */
  bool paused;
} ct_progress;

ct_job *ct_job_new(ct_error **error);
void ct_job_free(ct_job *job);

/* Owner's side. Requests are sticky; a cancel overrules a finish-early; both end a pause. */
void ct_job_cancel(ct_job *job);
void ct_job_finish_early(ct_job *job);
void ct_job_set_paused(ct_job *job, bool paused);
/* Asks a paused worker to show once more what it has (ct_job_set_show); a worker that is not paused shows it when it
 * is. Asking again before it has done so changes nothing. */
void ct_job_look(ct_job *job);
void ct_job_get_progress(const ct_job *job, ct_progress *progress);

/* Worker's side. */
void ct_job_begin_stage(ct_job *job, ct_stage stage, uint64_t total);
void ct_job_advance(ct_job *job, uint64_t units);
/* Part `part` of `parts` begins. */
void ct_job_begin_part(ct_job *job, int part, int parts);
/* Adds voxel updates (nx ny nz views) to the count that gups is made from. */
void ct_job_add_updates(ct_job *job, double updates);
/* Non-blocking; for the inside of a parallel loop. */
ct_job_request ct_job_requested(const ct_job *job);
/* What a paused worker does before it sleeps, and whenever ct_job_look asks: show(user) in its own
 * thread, from within ct_job_checkpoint. NULL: nothing. Belongs to the worker, as do all of show's data. */
void ct_job_set_show(ct_job *job, void (*show)(void *user), void *user);
/* While set, checkpoints do not sleep: a team is at work that must not be stopped, or looked at, halfway. Requests are
 * reported as always. */
void ct_job_stay_awake(ct_job *job, bool awake);
/* Between batches, outside parallel regions: sleeps while the job is paused, then tells the request. */
ct_job_request ct_job_checkpoint(ct_job *job);
/* ct_job_checkpoint, and false with CT_ERROR_CANCELLED when the job is cancelled. */
bool ct_job_may_go_on(ct_job *job, ct_error **error);

/* English name of a stage for people: "Filtering". */
const char *ct_stage_title(ct_stage stage);

#endif
