/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --counters: what was counted in the timed runs of a row, an update (one voxel, one view): members of the row, and a
 * table behind all rows. Figures 6 and 7 of Chandrachary and others are of these kinds. */
#include "app/bench/counted-private.h"
#include "app/bench/counters-private.h"
#include "app/bench/counts-private.h"
#include "app/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A column: an event over updates, times a factor, or over another event. */
typedef struct column {
  const char *key, *title;
  bench_event event;
  enum { PER_UPDATE, LINES_PER_UPDATE, PER_CYCLE, PER_RUN } kind;
} column;

static const column columns[] = {
    {"instructions_per_update", "instructions", BENCH_INSTRUCTIONS, PER_UPDATE},
    {"cycles_per_update", "cycles", BENCH_CYCLES, PER_UPDATE},
    {"instructions_per_cycle", "instructions a cycle", BENCH_INSTRUCTIONS, PER_CYCLE},
    {"stalled_front", "stalled in the front end, of all cycles", BENCH_STALLED_FRONT, PER_CYCLE},
    {"stalled_back", "stalled in the back end", BENCH_STALLED_BACK, PER_CYCLE},
    {"l1_miss_bytes", "B read past L1", BENCH_L1_MISSES, LINES_PER_UPDATE},
    {"cache_miss_bytes", "B by cache misses", BENCH_CACHE_MISSES, LINES_PER_UPDATE},
    {"last_miss_bytes", "B read past the last cache", BENCH_LAST_MISSES, LINES_PER_UPDATE},
    {"processor_seconds", "processor s a run", BENCH_SECONDS, PER_RUN},
    {"page_faults", "page faults a run", BENCH_FAULTS, PER_RUN},
    {"context_switches", "context switches a run", BENCH_SWITCHES, PER_RUN},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static double line_bytes(void) {
  const long bytes = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
  return bytes > 0 ? (double)bytes : 64;
}

static double value_of(const bench_counters *c, const column *k, double updates, int runs) {
  double sum, cycles;
  if (!bench_counters_get(c, k->event, &sum)) return NAN;
  switch (k->kind) {
  case PER_UPDATE:
    return sum / updates;
  case LINES_PER_UPDATE:
    return sum * line_bytes() / updates;
  case PER_CYCLE:
    return bench_counters_get(c, BENCH_CYCLES, &cycles) && cycles > 0 ? sum / cycles : NAN;
  case PER_RUN:
    return sum / runs;
  }
  return NAN;
}

void bench_add_counted(const bench *b, const bench_case *c, const bench_run *run, const bench_row *row, int runs,
                       json_t **more) {
  const ct_bp_request request = bench_request(b, c, run);
  const double updates = (double)ct_grid_voxels(&c->grid) * row->views * runs;
  bench_count count;
  if (!*more) *more = json_object();
  for (int n = 0; n < COLUMNS; n++)
    json_object_set_new(*more, columns[n].key, gantry_json_real(value_of(b->counters, &columns[n], updates, runs)));
  if (bench_count_of(run->kernel, &request, &count))
    json_object_set_new(*more, "source_bytes", gantry_json_real(count.bytes));
}

static void print_cell(const json_t *row, const char *key) {
  const json_t *value = json_object_get(row, key);
  if (json_is_number(value))
    printf(" %.4g |", json_number_value(value));
  else
    printf(" - |");
}

/* Events that are refused for the same reason stand together. */
static void print_reasons(const bench_counters *c) {
  for (int first = 0; first < BENCH_EVENTS; first++) {
    const char *reason = bench_counters_reason(c, (bench_event)first);
    bool told = !reason;
    for (int n = 0; n < first && !told; n++) {
      const char *earlier = bench_counters_reason(c, (bench_event)n);
      told = earlier && !strcmp(earlier, reason);
    }
    if (told) continue;
    printf("\nNot counted here: ");
    for (int n = first; n < BENCH_EVENTS; n++) {
      const char *other = bench_counters_reason(c, (bench_event)n);
      if (other && !strcmp(other, reason)) printf("%s%s", n > first ? ", " : "", bench_event_title((bench_event)n));
    }
    printf("; %s.\n", reason);
  }
}

void bench_print_counted(const bench *b) {
  bool any = false;
  for (size_t n = 0; n < json_array_size(b->rows); n++) {
    const json_t *row = json_array_get(b->rows, n);
    if (!json_object_get(row, columns[0].key)) continue;
    if (!any) {
      printf("\nCounted in the timed runs, all threads, an update (one voxel, one view) unless it says otherwise; "
             "a cache miss is a line of %g B. The first column is counted in the sources.\n\n"
             "| problem | kernel | precision | threads | B with L1 |",
             line_bytes());
      for (int k = 0; k < COLUMNS; k++) printf(" %s |", columns[k].title);
      printf("\n|---|---|---|---|---|");
      for (int k = 0; k < COLUMNS; k++) printf("---|");
      putchar('\n');
    }
    any = true;
    printf("| %s | %s | %s | %lld |", json_string_value(json_object_get(row, "problem")),
           json_string_value(json_object_get(row, "kernel")), json_string_value(json_object_get(row, "precision")),
           (long long)json_integer_value(json_object_get(row, "threads")));
    print_cell(row, "source_bytes");
    for (int k = 0; k < COLUMNS; k++) print_cell(row, columns[k].key);
    putchar('\n');
  }
  if (any) print_reasons(b->counters);
}

json_t *bench_counted_reasons(const bench *b) {
  json_t *reasons = json_object();
  for (int n = 0; n < BENCH_EVENTS; n++) {
    const char *reason = bench_counters_reason(b->counters, (bench_event)n);
    if (reason) json_object_set_new(reasons, bench_event_title((bench_event)n), json_string(reason));
  }
  return reasons;
}
