/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --counters adds to rows and reports; b->counters is not NULL. */
#ifndef GANTRY_BENCH_COUNTED_PRIVATE_H
#define GANTRY_BENCH_COUNTED_PRIVATE_H

#include "app/bench/case-private.h"

/* What b->counters summed up over `runs` timed runs of row->views views, as members of the row. */
void bench_add_counted(const bench *b, const bench_case *c, const bench_run *run, const bench_row *row, int runs,
                       json_t **more);
/* The table of what rows have of it, and what was refused and why. */
void bench_print_counted(const bench *b);
/* Title of an event to the reason why it is not counted. */
json_t *bench_counted_reasons(const bench *b);

#endif
