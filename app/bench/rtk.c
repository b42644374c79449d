/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the suite chen over RTK, the baseline of Chen et al. 2021. RTK is not run: its rates were measured once, on
 * the machines and in the year that stand beside them. A second ratio goes by way of the voxel loop: the row's
 * speed-up over it here, over RTK's speed-up over it there, in which the machine's speed cancels. */
#include "app/bench/suites-private.h"
#include "app/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* RTK 2.7.0 with ITK 5.2 of Debian 12, its FDK back-projection for processors alone; medians of quiet runs. `loop`: the
 * voxel loop on the same machine and problem (tests/bench/RESULTS.md); 0: not measured. */
static const struct {
  const char *machine, *problem;
  int threads;
  double rtk, loop; /* GUPS */
} measured[] = {
    {"Zen 5", "P1", 2, 0.54, 0},     {"Zen 5", "P4", 2, 0.50, 0.377}, {"Zen 5", "P5", 1, 0.32, 0},
    {"Zen 5", "P5", 2, 0.57, 0.384}, {"Zen 3", "P5", 2, 0.34, 0.184}, {"Zen 5", "P8", 2, 0.49, 0.377},
};
enum { MEASURED = sizeof measured / sizeof *measured };

static const char heading[] =
    "\nOver RTK 2.7 (ITK 5.2, FDK back-projection on processors), whose rates are stored, not of this run. They were "
    "measured in 2026 on two cores: Zen 5, an AMD EPYC with AVX-512, where they lay between 0.49 and 0.57 GUPS on two "
    "threads; Zen 3, an AMD EPYC with AVX2. x by the loop: the row's speed-up over the voxel loop here over RTK's "
    "there.\n\n"
    "| problem | kernel | precision | threads | GUPS | RTK, GUPS | of | x | x by the loop |\n"
    "|---|---|---|---|---|---|---|---|---|\n";

static double real_of(const json_t *row, const char *key) {
  const json_t *value = json_object_get(row, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *cell(double value, char text[32]) {
  text[0] = 0;
  if (isfinite(value)) snprintf(text, 32, "%.3g", value);
  return text;
}

static const char *text_of(const json_t *row, const char *key) {
  return json_string_value(json_object_get(row, key));
}

/* Of the sweeps over batches and threads the loop has rows of the same name again. */
static bool is_first(const bench *b, size_t n) {
  const json_t *row = json_array_get(b->rows, n);
  for (size_t i = 0; i < n; i++) {
    const json_t *other = json_array_get(b->rows, i);
    if (!strcmp(text_of(row, "problem"), text_of(other, "problem")) &&
        !strcmp(text_of(row, "kernel"), text_of(other, "kernel")) &&
        !strcmp(text_of(row, "precision"), text_of(other, "precision")))
      return false;
  }
  return true;
}

static void add_line(bench *b, const json_t *row, int n, bool *any) {
  const json_int_t threads = json_integer_value(json_object_get(row, "threads"));
  const double gups = real_of(row, "gups"), speedup = real_of(row, "speedup");
  const double direct = threads == measured[n].threads ? gups / measured[n].rtk : NAN;
  const double by_loop = measured[n].loop > 0 ? speedup / (measured[n].rtk / measured[n].loop) : NAN;
  char rate[32], x[32], through[32];
  if (!isfinite(direct) && !isfinite(by_loop)) return;
  if (!*any) fputs(heading, stdout);
  *any = true;
  const char *problem = text_of(row, "problem"), *kernel = text_of(row, "kernel"),
             *precision = text_of(row, "precision");
  printf("| %s | %s | %s | %d | %s | %.2f | %s, %d thread%s | %s | %s |\n", problem, kernel, precision, (int)threads,
         cell(gups, rate), measured[n].rtk, measured[n].machine, measured[n].threads,
         measured[n].threads == 1 ? "" : "s", cell(direct, x), cell(by_loop, through));
  json_array_append_new(b->tables, json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:s, s:i, s:o, s:o}", "table", "RTK",
                                             "problem", problem, "kernel", kernel, "precision", precision, "threads",
                                             threads, "gups", gups, "rtk_gups", measured[n].rtk, "rtk_machine",
                                             measured[n].machine, "rtk_threads", measured[n].threads, "speedup",
                                             gantry_json_real(direct), "speedup_by_loop", gantry_json_real(by_loop)));
}

void bench_compare_with_rtk(bench *b) {
  bool any = false;
  if (b->options.size) {
    puts("\nRTK, the paper's baseline, was measured on whole problems: with --size there are no ratios to it.");
    return;
  }
  b->tables = json_array();
  for (size_t i = 0; b->tables && i < json_array_size(b->rows); i++) {
    const json_t *row = json_array_get(b->rows, i);
    for (int n = 0; n < MEASURED; n++)
      if (!strcmp(text_of(row, "problem"), measured[n].problem) && is_first(b, i)) add_line(b, row, n, &any);
  }
  if (!any) puts("\nRTK, the paper's baseline, was measured on P1, P4, P5 and P8, with two threads, P5 with one, too.");
}
