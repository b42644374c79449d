/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the exchange by MPI know of its state. */
#ifndef CT_EXCHANGE_MPI_PRIVATE_H
#define CT_EXCHANGE_MPI_PRIVATE_H

#include "recon/exchange/exchange-private.h"

#include <mpi.h>
#include <pthread.h>

/* Parts of a slab go as messages of so many values, and so many are received at a time. */
enum { CT_MPI_PART = 1 << 18, CT_MPI_SLOTS = 4 };

typedef struct ct_mpi_sum {
  float *mine;  /* the slices that this rank owns */
  size_t count; /* of values there */
  int source, left;
  size_t at; /* of the next part that is to be received of the source; `left` sources, this one included */
  size_t oldest, newest;
  float *room; /* [CT_MPI_SLOTS][CT_MPI_PART] */
  float *to[CT_MPI_SLOTS];
  int parts[CT_MPI_SLOTS]; /* values */
  MPI_Request receives[CT_MPI_SLOTS], *sends;
  int send_count;
  size_t send_room;
  bool goes;
} ct_mpi_sum;

typedef struct mpi_ranks {
  MPI_Comm world, column, pulses; /* own communicators: operations of one are matched in their order */
  ct_mpi_sum sum;                 /* the one that is on its way */
  ct_exchange *exchange;
  MPI_Request pulse;
  int64_t sent[4], received[4]; /* done, finished, failed, cancelled */
  bool beats, over;             /* a pulse is on its way; nobody asks again */
  MPI_File file;
  char *path;
  /* The thread that moves sums on, and whose turn it is to call MPI: whoever may while a sum is on its way. */
  pthread_t mover;
  pthread_mutex_t turn;
  pthread_cond_t begun;
  bool moves, ends;
} mpi_ranks;

/* Without the mover sums are moved on by end_sum alone. */
void ct_mpi_begin_mover(mpi_ranks *own);
void ct_mpi_end_mover(mpi_ranks *own);
void ct_mpi_free_sum(ct_mpi_sum *sum);
/* As ct_exchange_way has them. */
bool ct_mpi_make_room(ct_exchange *x, size_t slice, int slices, ct_error **error);
bool ct_mpi_begin_sum(ct_exchange *x, float *slab, size_t slice, int slices, ct_error **error);
bool ct_mpi_end_sum(ct_exchange *x);
void ct_mpi_wait_sum(ct_exchange *x);

#endif
