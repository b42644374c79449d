/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of slabs. Every rank sends each owner of slices its part of a slab, and adds up what it receives, in messages of
 * a megabyte: MPI_Ireduce of Open MPI 4.1 cuts them to 16 kB, of which a call moves one or two on. MPI moves messages
 * on only while it is called, so that a thread calls it now and then while a sum is on its way: beside it the ranks
 * back-project for seconds without a call. */
#include "recon/exchange/mpi-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <sched.h>
#include <signal.h>
#include <time.h>

static void post_receive(mpi_ranks *own) {
  ct_mpi_sum *s = &own->sum;
  if (s->left == 0) return;
  if (s->at == s->count) {
    s->at = 0;
    s->left--;
    s->source = (s->source + 1) % own->exchange->groups;
    if (s->left == 0) return;
  }
  const int slot = s->newest++ % CT_MPI_SLOTS;
  const size_t part = s->count - s->at < CT_MPI_PART ? s->count - s->at : CT_MPI_PART;
  s->to[slot] = s->mine + s->at;
  s->parts[slot] = (int)part;
  MPI_Irecv(s->room + (size_t)slot * CT_MPI_PART, (int)part, MPI_FLOAT, s->source, 0, own->column, &s->receives[slot]);
  s->at += part;
}

/* Adds what has come, in the order that was asked for; *moved: there was some. */
static bool test_sum(mpi_ranks *own, bool *moved) {
  ct_mpi_sum *s = &own->sum;
  int done = 1;
  *moved = false;
  if (!s->goes) return true;
  if (s->oldest < s->newest) {
    const int slot = s->oldest % CT_MPI_SLOTS;
    MPI_Test(&s->receives[slot], &done, MPI_STATUS_IGNORE);
    if (!done) return false;
    const float *from = s->room + (size_t)slot * CT_MPI_PART;
    for (int n = 0; n < s->parts[slot]; n++) s->to[slot][n] += from[n];
    if (!(own->exchange->came > 0)) own->exchange->came = ct_now();
    s->oldest++;
    post_receive(own);
    *moved = true;
    return false;
  }
  MPI_Testall(s->send_count, s->sends, &done, MPI_STATUSES_IGNORE);
  if (done) s->goes = false;
  return done;
}

/* A tenth of the time as long as nothing comes: it takes a core from the work beside it. */
static void *move_sums(void *data) {
  mpi_ranks *own = data;
  const double burst = 1e-4;
  const struct timespec rest = {0, 1000000};
  pthread_mutex_lock(&own->turn);
  while (!own->ends) {
    if (!own->sum.goes) {
      pthread_cond_wait(&own->begun, &own->turn);
      continue;
    }
    bool moved = false;
    const double until = ct_now() + burst;
    while (!test_sum(own, &moved) && !moved && ct_now() < until)
      ;
    pthread_mutex_unlock(&own->turn);
    if (!moved) nanosleep(&rest, NULL);
    pthread_mutex_lock(&own->turn);
  }
  pthread_mutex_unlock(&own->turn);
  return NULL;
}

void ct_mpi_begin_mover(mpi_ranks *own) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  own->moves = pthread_create(&own->mover, NULL, move_sums, own) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void ct_mpi_end_mover(mpi_ranks *own) {
  if (!own->moves) return;
  pthread_mutex_lock(&own->turn);
  own->ends = true;
  pthread_cond_signal(&own->begun);
  pthread_mutex_unlock(&own->turn);
  pthread_join(own->mover, NULL);
}

/* Messages that a slab is sent in. */
static size_t count_sends(const ct_exchange *x, size_t slice, int slices) {
  size_t sends = 0;
  for (int owner = 0; owner < x->groups; owner++) {
    int first;
    const size_t count = (size_t)ct_exchange_slices(x, owner, slices, &first) * slice;
    if (owner != x->group) sends += (count + CT_MPI_PART - 1) / CT_MPI_PART;
  }
  return sends;
}

bool ct_mpi_make_room(ct_exchange *x, size_t slice, int slices, ct_error **error) {
  ct_mpi_sum *s = &((mpi_ranks *)x->state)->sum;
  const size_t sends = count_sends(x, slice, slices);
  if (x->groups == 1) return true;
  if (!s->room && !(s->room = ct_alloc((size_t)CT_MPI_SLOTS * CT_MPI_PART, sizeof *s->room, "sums of slabs", error)))
    return false;
  if (sends <= s->send_room) return true;
  MPI_Request *room = ct_alloc(sends, sizeof *room, "a list of messages", error);
  if (!room) return false;
  ct_free(s->sends);
  s->sends = room;
  s->send_room = sends;
  return true;
}

/* Each sends to the one before it first, and receives of the one behind it first: all are busy alike. */
bool ct_mpi_begin_sum(ct_exchange *x, float *slab, size_t slice, int slices, ct_error **error) {
  mpi_ranks *own = x->state;
  ct_mpi_sum *s = &own->sum;
  if (x->groups == 1) return true;
  if (!ct_mpi_make_room(x, slice, slices, error)) return false;
  pthread_mutex_lock(&own->turn);
  int first;
  s->count = (size_t)ct_exchange_slices(x, x->group, slices, &first) * slice;
  s->mine = slab + (size_t)first * slice;
  s->left = s->count ? x->groups - 1 : 0;
  s->source = (x->group + 1) % x->groups;
  s->at = s->oldest = s->newest = 0;
  s->send_count = 0;
  x->came = 0;
  for (int slot = 0; slot < CT_MPI_SLOTS; slot++) post_receive(own);
  for (int n = 1; n < x->groups; n++) {
    const int owner = (x->group - n + x->groups) % x->groups;
    const size_t count = (size_t)ct_exchange_slices(x, owner, slices, &first) * slice;
    for (size_t at = 0; at < count; at += CT_MPI_PART) {
      const int part = count - at < CT_MPI_PART ? (int)(count - at) : CT_MPI_PART;
      MPI_Isend(slab + (size_t)first * slice + at, part, MPI_FLOAT, owner, 0, own->column, &s->sends[s->send_count++]);
      x->traffic.summed += (double)part * sizeof(float);
    }
  }
  s->goes = true;
  pthread_cond_signal(&own->begun);
  pthread_mutex_unlock(&own->turn);
  return true;
}

bool ct_mpi_end_sum(ct_exchange *x) {
  mpi_ranks *own = x->state;
  bool moved;
  pthread_mutex_lock(&own->turn);
  const bool done = test_sum(own, &moved);
  pthread_mutex_unlock(&own->turn);
  return done;
}

void ct_mpi_wait_sum(ct_exchange *x) {
  while (!ct_mpi_end_sum(x)) sched_yield();
}

void ct_mpi_free_sum(ct_mpi_sum *sum) {
  ct_free(sum->sends);
  ct_free(sum->room);
}
