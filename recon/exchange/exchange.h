/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several processes that make one volume, as the rest of the program sees them: a contract with a row for each way in
 * which processes speak to each other. There are two: a process that is alone, and MPI (mpi*.c, the ones that include
 * mpi.h).
 *
 * The processes (ranks 0 .. ranks - 1) stand in a grid of view groups x slab columns. Those of one column make the same
 * slabs, each from the views of its group, and add up what they have made. What is called by every rank is called by
 * all of them in the same order; such functions are marked "all". Used by one thread, the one that joined. */
#ifndef CT_EXCHANGE_EXCHANGE_H
#define CT_EXCHANGE_EXCHANGE_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a rank has given to others and to the file, in bytes, and the seconds in which it only waited for others. */
typedef struct ct_traffic {
  double summed; /* of partial slabs, sent to the ranks that own the sums */
  double shared; /* of images that all ranks of a column add up, and numbers that all ranks do (iterative methods) */
  double traded; /* of line integrals that several columns see, given to each of the others (iterative methods) */
  double written, waited;
  double sum_waited; /* of `waited`: for sums of slabs */
  double sum_late;   /* of that: until something came of another rank, which was later */
  double sum_called; /* s in calls that began sums of slabs or moved them on beside other work */
  double sum_beside; /* s of back-projection while one was on its way */
} ct_traffic;

/* How the work stands: of one rank, or joined of all of them. */
typedef struct ct_pulse {
  int64_t done; /* thousandths of its work; the mean, of others as they told it last, of the asking one as it is */
  bool finished, failed, cancelled; /* of all: every one is finished; any failed, any was cancelled */
} ct_pulse;

/* So many values given to a column, and as many taken from it. */
typedef struct ct_trade {
  int column;
  const float *give;
  float *take;
  size_t count; /* at most CT_TRADED */
} ct_trade;
enum { CT_TRADES = 64, CT_TRADED = 1 << 28 };

typedef struct ct_exchange ct_exchange;

typedef struct ct_exchange_way {
  const char *title;             /* "MPI (Open MPI v4.1.4)" */
  void (*leave)(ct_exchange *x); /* all; frees it */

  /* All: true where every rank is good. Else every rank gets false and one and the same error: that of the lowest rank
   * that failed, before those of ranks that only were cancelled. */
  bool (*agree)(ct_exchange *x, bool good, ct_error **error);
  void (*tell)(ct_exchange *x, void *data, size_t bytes);                     /* all: rank 0's data to every rank */
  void (*gather)(ct_exchange *x, const void *own, size_t bytes, void *every); /* all: every[rank], on rank 0 */
  double (*least)(ct_exchange *x, double value);                              /* all */
  double (*most_of_column)(ct_exchange *x, double value);                     /* all of a column */
  /* All: sets the grid, groups * columns == ranks. Rank r is of group r / columns and column r % columns. */
  void (*arrange)(ct_exchange *x, int groups, int columns);

  /* Room for sums of slabs of up to so many slices, so that none fails later; before the first, by all, who then agree.
   */
  bool (*make_room)(ct_exchange *x, size_t slice, int slices, ct_error **error);
  /* Adds up a slab of [slices][slice] values over the column without waiting: afterwards rank `group` holds the sums of
   * its slices ct_exchange_slices in place, and what the others hold there is of no use. One at a time; the slab stays
   * untouched until end_sum has said true, or wait_sum has returned. */
  bool (*begin_sum)(ct_exchange *x, float *slab, size_t slice, int slices, ct_error **error);
  bool (*end_sum)(ct_exchange *x); /* whether it is there; looks and goes on */
  void (*wait_sum)(ct_exchange *x);

  /* How all ranks stand, as far as it is known by now: tells how this one does and goes on. Every rank gets the same
   * sequence of answers; after one in which some failed, or all are finished, nobody asks again (until the next
   * begin_pulses, all). False: no news. */
  void (*begin_pulses)(ct_exchange *x);
  bool (*pulse)(ct_exchange *x, const ct_pulse *own, ct_pulse *all);

  void (*sum_numbers)(ct_exchange *x, double *values, int count); /* all: the same sums on every rank */
  /* All of a column: sums over its ranks, waited for. */
  void (*sum_values)(ct_exchange *x, float *values, size_t count);
  /* Between the ranks of a view group, each with some others of it: at most CT_TRADES, each of which names this one,
   * with as many values, in its own call. Waited for. */
  void (*trade)(ct_exchange *x, const ct_trade *trades, int count);

  /* A file that every rank opens and writes at places of its own. sync: what this rank wrote is on the disk. */
  bool (*open)(ct_exchange *x, const char *path, ct_error **error);
  bool (*write)(ct_exchange *x, uint64_t offset, const void *data, size_t bytes, ct_error **error);
  bool (*sync)(ct_exchange *x, ct_error **error);
  bool (*close)(ct_exchange *x, ct_error **error);
} ct_exchange_way;

struct ct_exchange {
  const ct_exchange_way *way;
  int rank, ranks;
  int local, locals; /* this one's number among the ranks on its machine, and how many they are */
  int group, groups, column, columns;
  double came; /* ct_now when something for the sum on its way had come first; 0: nothing yet */
  int refused; /* times that agree said false: the same for all ranks */
  ct_traffic traffic;
  void *state;
};

/* The ranks of the job that this process was started in: by MPI where an MPI launcher started several (mpirun, srun
 * set variables that tell), and the program was built with it. NULL without an error: this process is alone, and
 * nothing of MPI was touched. NULL with one: it was launched so, and cannot take part. */
ct_exchange *ct_exchange_join(ct_error **error);
/* A process alone, as an exchange of one rank. */
ct_exchange *ct_exchange_alone(ct_error **error);
/* Processes that a launcher says there are; 1 where none says anything. */
int ct_exchange_launched(void);
/* The MPI that the program was built with: "Open MPI 4.1.4"; NULL: without any. */
const char *ct_exchange_mpi(void);

/* All of a column: seconds that the sum of such a slab takes with nothing beside it, the shortest of a few trials of
 * the slowest rank; 0 where nothing is sent. Left out of the traffic. Negative: there was no memory, or another rank of
 * any column had none. */
double ct_exchange_try_sum(ct_exchange *x, size_t slice, int slices, ct_error **error);

/* Slices [*first, *first + count) of `slices` that belong to a group after a sum; the count. */
static inline int ct_exchange_slices(const ct_exchange *x, int group, int slices, int *first) {
  *first = (int)((int64_t)slices * group / x->groups);
  return (int)((int64_t)slices * (group + 1) / x->groups) - *first;
}

#endif
