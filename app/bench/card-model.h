/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one update by a cache kernel asks of a card's units, counted as in section 6.5 of Chilingaryan et al. (2019),
 * and the rate that each unit would allow alone (their Tables 15 and 16). */
#ifndef GANTRY_BENCH_CARD_MODEL_H
#define GANTRY_BENCH_CARD_MODEL_H

#include <stdbool.h>

/* A kernel of the model: linear interpolation. */
typedef struct bench_cached {
  int threads;     /* of a group, n_t */
  int pixels;      /* of a thread, n_q */
  int slices;      /* at a time, n_v */
  int row_threads; /* that copy a row, s_t */
  bool advanced;   /* a bin and its difference to the next lie side by side, for one read */
} bench_cached;

/* Operations of one update, and bytes. */
typedef struct bench_load {
  double conversions, shifts, reals, shared,
      constants; /* operations: roundings and conversions; multiply-adds count one */
  double shared_bytes, constant_bytes;
} bench_load;

/* Of the card: 1e9 operations and bytes per second. */
typedef struct bench_card_rates {
  double reals, shifts, conversions; /* multiply-adds */
  double shared, constants;          /* bytes */
} bench_card_rates;

/* GUPS that each allows: shared memory and constants together, real arithmetic with shifts where one unit does both,
 * conversions, and all operations at one a thread and clock. */
typedef struct bench_limits_of_card {
  double memory, arithmetic, conversions, instructions;
  double least;
  const char *by;
} bench_limits_of_card;

bench_load bench_card_load(const bench_cached *kernel);
/* `one_unit`: shifts are done by the unit of real arithmetic. */
bench_limits_of_card bench_card_limits(const bench_load *load, const bench_card_rates *rates, bool one_unit);

#endif
