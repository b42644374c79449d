/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exchange of ranks by MPI (3.1; section numbers are that standard's); sums of slabs are in mpi-sums.c. */
#include "recon/exchange/mpi-private.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <stdio.h>
#include <string.h>

#define TEXT(x) #x
#define NUMBERS(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)
#if defined OMPI_MAJOR_VERSION
const char ct_exchange_mpi_title[] = "Open MPI " NUMBERS(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
#elif defined MPICH_VERSION
const char ct_exchange_mpi_title[] = "MPICH " MPICH_VERSION;
#else
const char ct_exchange_mpi_title[] = "neither Open MPI nor MPICH";
#endif

/* Counts are ints: pieces of so many values, and of so many bytes. */
enum { PIECE = 1 << 28, MESSAGE = 512 };

static void leave(ct_exchange *x) {
  mpi_ranks *own = x->state;
  ct_mpi_end_mover(own);
  pthread_cond_destroy(&own->begun);
  pthread_mutex_destroy(&own->turn);
  ct_mpi_free_sum(&own->sum);
  ct_free(own->path);
  MPI_Comm_free(&own->world);
  MPI_Comm_free(&own->pulses);
  if (own->column != MPI_COMM_NULL) MPI_Comm_free(&own->column);
  ct_free(own);
  ct_free(x);
  MPI_Finalize();
}

static bool agree(ct_exchange *x, bool good, ct_error **error) {
  mpi_ranks *own = x->state;
  struct {
    int code;
    char text[MESSAGE];
  } said = {CT_ERROR_IO, "It failed, and does not say why."};
  const bool cancelled = !good && error && *error && (*error)->code == CT_ERROR_CANCELLED;
  int mine = good ? 2 * x->ranks : x->rank + (cancelled ? x->ranks : 0), first;
  pthread_mutex_lock(&own->turn);
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, own->world);
  pthread_mutex_unlock(&own->turn);
  if (first == 2 * x->ranks) return true;
  x->refused++;
  const int speaker = first % x->ranks;
  if (speaker == x->rank && error && *error) {
    said.code = (int)(*error)->code;
    snprintf(said.text, sizeof said.text, "%s", (*error)->message);
  }
  pthread_mutex_lock(&own->turn);
  MPI_Bcast(&said, sizeof said, MPI_BYTE, speaker, own->world);
  pthread_mutex_unlock(&own->turn);
  if (error && speaker != x->rank) {
    ct_error_clear(error);
    ct_error_set(error, (ct_error_code)said.code, "%s", said.text);
  } else if (error && !*error) {
    ct_error_set(error, (ct_error_code)said.code, "%s", said.text);
  }
  return false;
}

static void tell(ct_exchange *x, void *data, size_t bytes) {
  const mpi_ranks *own = x->state;
  for (size_t at = 0; at < bytes; at += PIECE) {
    const size_t piece = bytes - at < PIECE ? bytes - at : PIECE;
    MPI_Bcast((char *)data + at, (int)piece, MPI_BYTE, 0, own->world);
  }
}

static void gather(ct_exchange *x, const void *one, size_t bytes, void *every) {
  const mpi_ranks *own = x->state;
  MPI_Gather(one, (int)bytes, MPI_BYTE, every, (int)bytes, MPI_BYTE, 0, own->world);
}

static double least(ct_exchange *x, double value) {
  mpi_ranks *own = x->state;
  double found;
  pthread_mutex_lock(&own->turn);
  MPI_Allreduce(&value, &found, 1, MPI_DOUBLE, MPI_MIN, own->world);
  pthread_mutex_unlock(&own->turn);
  return found;
}

static double most_of_column(ct_exchange *x, double value) {
  mpi_ranks *own = x->state;
  double found;
  pthread_mutex_lock(&own->turn);
  MPI_Allreduce(&value, &found, 1, MPI_DOUBLE, MPI_MAX, own->column);
  pthread_mutex_unlock(&own->turn);
  return found;
}

static void arrange(ct_exchange *x, int groups, int columns) {
  mpi_ranks *own = x->state;
  x->groups = groups;
  x->columns = columns;
  x->group = x->rank / columns;
  x->column = x->rank % columns;
  if (own->column != MPI_COMM_NULL) MPI_Comm_free(&own->column);
  MPI_Comm_split(own->world, x->column, x->group, &own->column);
}

static void begin_pulses(ct_exchange *x) {
  mpi_ranks *own = x->state;
  own->over = false;
}

static void send_pulse(mpi_ranks *own, const ct_pulse *now) {
  const int64_t sent[4] = {now->done, now->finished, now->failed, now->cancelled};
  memcpy(own->sent, sent, sizeof sent);
  MPI_Iallreduce(own->sent, own->received, 4, MPI_INT64_T, MPI_SUM, own->pulses, &own->pulse);
  own->beats = true;
}

/* One reduction after the other: every rank has the same answers in the same order, and stops after the same one. The
 * next one begins with the answer of the last: some ask only every few minutes. */
static bool take_pulse(ct_exchange *x, const ct_pulse *now, ct_pulse *all) {
  mpi_ranks *own = x->state;
  if (own->over) return false;
  if (!own->beats) send_pulse(own, now);
  int done;
  MPI_Test(&own->pulse, &done, MPI_STATUS_IGNORE);
  if (!done) return false;
  own->beats = false;
  *all = (ct_pulse){(own->received[0] - own->sent[0] + now->done) / x->ranks, own->received[1] == x->ranks,
                    own->received[2] > 0, own->received[3] > 0};
  own->over = all->finished || all->failed;
  if (!own->over) send_pulse(own, now);
  return true;
}

static bool pulse(ct_exchange *x, const ct_pulse *now, ct_pulse *all) {
  mpi_ranks *own = x->state;
  pthread_mutex_lock(&own->turn);
  const bool news = take_pulse(x, now, all);
  pthread_mutex_unlock(&own->turn);
  return news;
}

/* From here on nothing is called while a sum is on its way. */

static void sum_numbers(ct_exchange *x, double *values, int count) {
  const mpi_ranks *own = x->state;
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, own->world);
  x->traffic.shared += (double)count * sizeof *values;
}

static void sum_values(ct_exchange *x, float *values, size_t count) {
  const mpi_ranks *own = x->state;
  const double begun = ct_now();
  if (x->groups == 1) return;
  for (size_t at = 0; at < count; at += PIECE) {
    const int piece = count - at < PIECE ? (int)(count - at) : PIECE;
    MPI_Allreduce(MPI_IN_PLACE, values + at, piece, MPI_FLOAT, MPI_SUM, own->column);
  }
  x->traffic.shared += (double)count * sizeof *values;
  x->traffic.waited += ct_now() - begun;
}

static void trade(ct_exchange *x, const ct_trade *trades, int count) {
  const mpi_ranks *own = x->state;
  const double begun = ct_now();
  MPI_Request requests[2 * CT_TRADES];
  const int first = x->group * x->columns; /* the group's */
  for (int n = 0; n < count; n++) {
    const ct_trade *t = &trades[n];
    MPI_Irecv(t->take, (int)t->count, MPI_FLOAT, first + t->column, 0, own->world, &requests[2 * n]);
    MPI_Isend(t->give, (int)t->count, MPI_FLOAT, first + t->column, 0, own->world, &requests[2 * n + 1]);
    x->traffic.traded += (double)t->count * sizeof(float);
  }
  MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
  x->traffic.waited += ct_now() - begun;
}

/* What MPI says of a failed operation on the file. */
static bool told(const mpi_ranks *own, int code, ct_error **error) {
  if (code == MPI_SUCCESS) return true;
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0, kind = 0;
  MPI_Error_class(code, &kind);
  MPI_Error_string(code, text, &length);
  text[length] = 0;
  for (char *c = text; *c; c++)
    if (*c == '\n') *c = ' ';
  if (kind == MPI_ERR_NO_SPACE || kind == MPI_ERR_QUOTA)
    return ct_error_set(error, CT_ERROR_IO, "Cannot write %s: its disk is full (%s).", own->path, text);
  return ct_error_set(error, CT_ERROR_IO, "Cannot write %s: %s", own->path, text);
}

/* Opened by every rank for itself: only then a rank can bring to the disk what it wrote, without the others (13.6.1).
 */
static bool open_file(ct_exchange *x, const char *path, ct_error **error) {
  mpi_ranks *own = x->state;
  ct_free(own->path);
  if (!(own->path = ct_strdup(path, error))) return false;
  return told(own, MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &own->file), error);
}

static bool write_file(ct_exchange *x, uint64_t offset, const void *data, size_t bytes, ct_error **error) {
  mpi_ranks *own = x->state;
  for (size_t at = 0; at < bytes; at += PIECE) {
    const int piece = bytes - at < PIECE ? (int)(bytes - at) : PIECE;
    MPI_Status status;
    int written = 0;
    if (!told(own,
              MPI_File_write_at(own->file, (MPI_Offset)offset + (MPI_Offset)at, (const char *)data + at, piece,
                                MPI_BYTE, &status),
              error))
      return false;
    MPI_Get_count(&status, MPI_BYTE, &written);
    if (written != piece)
      return ct_error_set(error, CT_ERROR_IO, "Cannot write %s: only %d of %d bytes were taken; is its disk full?",
                          own->path, written, piece);
  }
  x->traffic.written += (double)bytes;
  return true;
}

static bool sync_file(ct_exchange *x, ct_error **error) {
  const mpi_ranks *own = x->state;
  return told(own, MPI_File_sync(own->file), error);
}

static bool close_file(ct_exchange *x, ct_error **error) {
  mpi_ranks *own = x->state;
  return own->file == MPI_FILE_NULL || told(own, MPI_File_close(&own->file), error);
}

static const ct_exchange_way way = {
    .title = "MPI",
    .leave = leave,
    .agree = agree,
    .tell = tell,
    .gather = gather,
    .least = least,
    .most_of_column = most_of_column,
    .arrange = arrange,
    .make_room = ct_mpi_make_room,
    .begin_sum = ct_mpi_begin_sum,
    .end_sum = ct_mpi_end_sum,
    .wait_sum = ct_mpi_wait_sum,
    .begin_pulses = begin_pulses,
    .pulse = pulse,
    .sum_numbers = sum_numbers,
    .sum_values = sum_values,
    .trade = trade,
    .open = open_file,
    .write = write_file,
    .sync = sync_file,
    .close = close_file,
};

static void find_locals(ct_exchange *x, MPI_Comm world) {
  MPI_Comm here;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_rank(here, &x->local);
  MPI_Comm_size(here, &x->locals);
  MPI_Comm_free(&here);
}

ct_exchange *ct_exchange_join_mpi(int launched, ct_error **error) {
  int provided;
  /* Other threads work, but only the one that joined speaks, and the one that moves sums on. */
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS || provided < MPI_THREAD_FUNNELED) {
    ct_error_set(error, CT_ERROR_UNSUPPORTED, "This MPI cannot be used by a program with threads.");
    return NULL;
  }
  ct_exchange *x = ct_alloc_zero(1, sizeof *x, "an exchange", error);
  mpi_ranks *own = x ? ct_alloc_zero(1, sizeof *own, "an exchange", error) : NULL;
  if (!own) {
    MPI_Abort(MPI_COMM_WORLD, 1);
    return NULL;
  }
  *own = (mpi_ranks){.column = MPI_COMM_NULL, .file = MPI_FILE_NULL, .exchange = x};
  pthread_mutex_init(&own->turn, NULL);
  pthread_cond_init(&own->begun, NULL);
  *x = (ct_exchange){.way = &way, .state = own};
  MPI_Comm_dup(MPI_COMM_WORLD, &own->world);
  MPI_Comm_dup(MPI_COMM_WORLD, &own->pulses);
  MPI_Comm_rank(own->world, &x->rank);
  MPI_Comm_size(own->world, &x->ranks);
  find_locals(x, own->world);
  arrange(x, 1, x->ranks);
  if (x->ranks > 1 && provided >= MPI_THREAD_SERIALIZED) ct_mpi_begin_mover(own);
  if (x->ranks > 1) return x;
  /* MPICH's mpirun and a program built with Open MPI, or the other way round. */
  ct_error_set(
      error, CT_ERROR_UNSUPPORTED,
      "A launcher started %d processes, but the MPI that this was built with (%s) sees one: each would make the whole "
      "volume into the same file. Start it by the launcher of that MPI.",
      launched, ct_exchange_mpi_title);
  x->way->leave(x);
  return NULL;
}
