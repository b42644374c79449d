/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the GPU papers made anew from the rows that were measured: Thumper's tests 1 to 8 with RapidRabbit's
 * steps (Zinsser and Keck 2013, Papenhausen and Mueller 2013; a GeForce GTX 680), RapidRabbit's first (2011), and
 * Tables 13, 20, 23 and 24 of Chilingaryan et al. (2019), their Titan X (Pascal), kernels by 1, 2 and 4 slices at a
 * time. Cells are GUPS of the card alone / with all transfers. */
#include "app/bench/suites-private.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *kernel, *title;
  double published;
} steps[] = {
    {"gl-thumper-1", "A, I = 1, K = 512, 32 x 8", 7.3},
    {"gl-thumper-2", "A, I = 4, K = 512, 32 x 8", 8.5},
    {"gl-thumper-3", "A, I = 4, K = 512, 32 x 8, in step", 24.6},
    {"gl-thumper-4", "A, I = 4, K = 8, 32 x 8", 33.4},
    {"gl-thumper-5", "B, I = 4, K = 8, 32 x 8", 43.6},
    {"gl-thumper-6", "B, I = 8, K = 4, 16 x 16", 51.4},
    {"gl-thumper-7", "B, I = 16, K = 4, 16 x 32", 63.4},
    {"gl-thumper-8", "B, I = 32, K = 4, 16 x 32", 68.7},
    {"gl-rabbit-base", "RapidRabbit's baseline", 30.3},
    {"gl-rabbit-root", "+ inverse root", 65.9},
    {"gl-rabbit-transpose", "+ x and y change places", 68.8},
    {"gl-rabbit-volume", "the same, the volume too", 68.8},
    {"gl-rabbit-stream", "+ uploads on their own", 70.2},
    {"gl-rabbit-atomic", "+ atomic sums", 72.3},
    {"gl-tuned", "tuned to this device", 0},
};

/* RapidRabbit's table of 2011 (Papenhausen, Zheng and Mueller), with all transfers: GUPS and ms a view. */
static const struct {
  const char *kernel, *title;
  double gups[2], ms[2]; /* 256^3, 512^3 */
} rapid[] = {
    {"gl-rapid-naive", "naive", {0.99, 1.45}, {15.66, 86.06}},
    {"gl-naive", "naive, a thread a voxel", {0, 0}, {0, 0}},
    {"gl-rapid-asic", "ASIC", {2.19, 5.73}, {7.13, 21.82}},
    {"gl-texture", "ASIC, a thread a voxel", {0, 0}, {0, 0}},
    {"gl-rapid-four", "fully optimized", {2.86, 10.2}, {5.47, 12.25}},
    {"gl-four-views", "fully optimized, a thread a voxel", {0, 0}, {0, 0}},
};

enum { SLICES = 3, MOST_FAMILIES = 10 };

typedef struct published {
  const char *interp;
  double gups[SLICES]; /* 1, 2, 4 slices; 0: none */
} published;

/* Kernels are named FAMILY-1, -2 and -4; without a number they make one slice, or tell how many. */
static const struct {
  const char *name, *title;
  const char *families[MOST_FAMILIES];
  published published[2];
  const char *remark;
} tables[] = {
    {"Table 13",
     "through the texture unit",
     {"gl-slices", "gl-curve", "gl-quarters"},
     {{"linear", {389, 726}}, {"nearest", {0, 0, 1396}}},
     "4 slices: half precision"},
    {"Table 20",
     "by arithmetic, from a cache",
     {"gl-cache", "gl-cache-8-pixels", "gl-wide", "gl-differences", "gl-columns", "gl-round", "gl-split", "gl-unrolled",
      "gl-half-cache"},
     {{"linear", {606, 692, 743}}, {"nearest", {1161, 1328, 1405}}},
     "4 slices: half precision, also in the cache"},
    {"Table 23", "both at once", {"gl-hybrid", "gl-tuned-parallel"}, {{"linear", {734, 995}}}, "no 4 slices"},
    {"Table 24",
     "oversampled, from a cache",
     {"gl-cache", "gl-wide", "gl-columns", "gl-round", "gl-split", "gl-unrolled", "gl-half-cache"},
     {{"oversampled", {606, 693, 743}}},
     "the table repeats the linear rates of Table 20; Table 22 states 1107 for 2 slices"},
};

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static const json_t *find_row(const bench *b, const char *problem, const char *kernel, const char *interp,
                              const char *precision) {
  for (size_t n = 0; n < json_array_size(b->rows); n++) {
    const json_t *row = json_array_get(b->rows, n);
    if (!strcmp(text_of(row, "problem"), problem) && !strcmp(text_of(row, "kernel"), kernel) &&
        !strcmp(text_of(row, "interpolation"), interp) && !strcmp(text_of(row, "precision"), precision))
      return row;
  }
  return NULL;
}

/* "512 / 498" */
static const char *rates_of(const json_t *row, char text[48]) {
  const double card = json_number_value(json_object_get(row, "card_gups")),
               all = json_number_value(json_object_get(row, "gups"));
  text[0] = 0;
  if (row && card > 0)
    snprintf(text, 48, "%.3g / %.3g", card, all);
  else if (row)
    snprintf(text, 48, "- / %.3g", all);
  return text;
}

static void keep(bench *b, const char *table, const json_t *row, int slices, double published_gups) {
  json_t *cell = json_pack("{s:s}", "table", table);
  static const char *const members[] = {"problem", "kernel", "interpolation", "precision", "gups", "card_gups"};
  for (size_t n = 0; n < sizeof members / sizeof *members; n++) {
    json_t *value = json_object_get(row, members[n]);
    json_object_set(cell, members[n], value ? value : json_null());
  }
  if (slices) json_object_set_new(cell, "slices", json_integer(slices));
  json_object_set_new(cell, "published_gups", published_gups > 0 ? json_real(published_gups) : json_null());
  json_array_append_new(b->tables, cell);
}

static void make_steps(bench *b, const char *problem) {
  bool any = false;
  for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
    char rates[48], gups[32] = "";
    const json_t *row = find_row(b, problem, steps[n].kernel, "linear", "float32");
    if (!row) continue;
    if (!any)
      printf("\nThumper's tests and RapidRabbit's steps on %s; GUPS, card alone / with all transfers. Published: "
             "GeForce GTX 680, 512^3 "
             "from 496 views; Thumper's alone, RapidRabbit's with transfers.\n\n| kernel | | measured | published "
             "|\n|---|---|---|---|\n",
             problem);
    any = true;
    if (steps[n].published > 0) snprintf(gups, sizeof gups, "%.3g", steps[n].published);
    printf("| %s | %s | %s | %s |\n", steps[n].kernel, steps[n].title, rates_of(row, rates), gups);
    keep(b, strstr(steps[n].kernel, "rabbit") ? "RapidRabbit" : "Thumper", row, 0, steps[n].published);
  }
}

static void make_rapid(bench *b, const char *problem) {
  bool any = false;
  for (size_t n = 0; n < sizeof rapid / sizeof *rapid; n++) {
    char rates[48], then[2][48] = {"", ""};
    const json_t *row = find_row(b, problem, rapid[n].kernel, "linear", "float32");
    if (!row) continue;
    if (!any)
      printf(
          "\nRapidRabbit's table of 2011 on %s; GUPS, card alone / with all transfers, and ms a view. Published: with "
          "all transfers, from 496 views.\n\n| kernel | | measured | ms a view | published, 256^3 | 512^3 |\n"
          "|---|---|---|---|---|---|\n",
          problem);
    any = true;
    for (int k = 0; k < 2; k++)
      if (rapid[n].gups[k] > 0) snprintf(then[k], sizeof then[k], "%.3g, %.4g ms", rapid[n].gups[k], rapid[n].ms[k]);
    printf("| %s | %s | %s | %.4g | %s | %s |\n", rapid[n].kernel, rapid[n].title, rates_of(row, rates),
           json_number_value(json_object_get(row, "view_ms")), then[0], then[1]);
    keep(b, "RapidRabbit 2011", row, 0, rapid[n].gups[strstr(problem, "512") != NULL]);
  }
}

/* Whether there are kernels FAMILY-1, -2 or -4: one that is named FAMILY alone is of another family then. */
static bool is_numbered(const bench *b, const char *family) {
  for (int s = 0; s < SLICES; s++) {
    char kernel[64];
    snprintf(kernel, sizeof kernel, "%s-%d", family, 1 << s);
    if (ct_bp_find(&b->backend.kernels, kernel)) return true;
  }
  return false;
}

static const json_t *find_cell(const bench *b, const char *problem, const char *family, int slices, const char *interp,
                               const char *precision) {
  char kernel[64];
  snprintf(kernel, sizeof kernel, "%s-%d", family, slices);
  const json_t *row = find_row(b, problem, kernel, interp, precision);
  if (row || is_numbered(b, family) || !(row = find_row(b, problem, family, interp, precision))) return row;
  /* The tuned kernel chooses by itself. */
  int own = 1;
  sscanf(text_of(row, "setting"), "slices %d", &own);
  return own == slices ? row : NULL;
}

/* The lines of one table for one interpolation, the published one last. */
static void make_lines(bench *b, size_t t, const char *problem, const published *p, bool *any) {
  static const char *const precisions[] = {"float32", "float16"};
  bool lines = false;
  for (int f = 0; f < MOST_FAMILIES && tables[t].families[f]; f++)
    for (int half = 0; half < 2; half++) {
      char rates[SLICES][48];
      int found = 0;
      for (int s = 0; s < SLICES; s++) {
        const json_t *row = find_cell(b, problem, tables[t].families[f], 1 << s, p->interp, precisions[half]);
        rates_of(row, rates[s]);
        if (!row) continue;
        found++;
        keep(b, tables[t].name, row, 1 << s, p->gups[s]);
      }
      if (!found) continue;
      if (!*any)
        printf("\n%s of Chilingaryan et al. (2019), %s, on %s; GUPS, card alone / with all transfers.\n\n| kernels | "
               "interpolation | "
               "precision | 1 slice | 2 slices | 4 slices |\n|---|---|---|---|---|---|\n",
               tables[t].name, tables[t].title, problem);
      *any = lines = true;
      printf("| %s | %s | %s | %s | %s | %s |\n", tables[t].families[f], p->interp, precisions[half], rates[0],
             rates[1], rates[2]);
    }
  char gups[SLICES][16] = {"", "", ""};
  for (int s = 0; s < SLICES; s++)
    if (p->gups[s] > 0) snprintf(gups[s], sizeof gups[s], "%.4g", p->gups[s]);
  if (lines)
    printf("| published, Titan X (Pascal) | %s | %s | %s | %s | %s |\n", p->interp, tables[t].remark, gups[0], gups[1],
           gups[2]);
}

static void make_table(bench *b, size_t t, const char *problem) {
  bool any = false;
  for (int n = 0; n < 2 && tables[t].published[n].interp; n++) make_lines(b, t, problem, &tables[t].published[n], &any);
}

/* Kernels of one problem, interpolation and precision over the standard one, which fetches a slice through the texture
 * unit. */
static void make_speedups(bench *b, const char *problem, const char *interp, const char *precision, bool *any) {
  const json_t *standard = find_row(b, problem, "gl-slices-1", interp, "float32");
  for (size_t n = 0; standard && n < json_array_size(b->rows); n++) {
    const json_t *row = json_array_get(b->rows, n);
    const char *kernel = text_of(row, "kernel");
    const ct_bp_kernel *known = ct_bp_find(&b->backend.kernels, kernel);
    if (!known || !known->gpu || row != find_row(b, problem, kernel, interp, precision)) continue;
    const bool card = json_object_get(row, "card_gups") && json_object_get(standard, "card_gups");
    const char *rate = card ? "card_gups" : "gups";
    const double times =
        json_number_value(json_object_get(row, rate)) / json_number_value(json_object_get(standard, rate));
    if (!*any)
      printf("\nFig. 21 of Chilingaryan et al. (2019), speed-up over gl-slices-1 in single precision, %s, on %s.\n\n"
             "| kernel | interpolation | precision | x |\n|---|---|---|---|\n",
             card ? "card alone" : "with all transfers", problem);
    *any = true;
    printf("| %s | %s | %s | %.3g |\n", kernel, interp, precision, times);
    keep(b, "Fig. 21", row, 0, 0);
    json_object_set_new(json_array_get(b->tables, json_array_size(b->tables) - 1), "speedup", json_real(times));
  }
}

static void make_figure_21(bench *b, const char *problem) {
  static const char *const interps[] = {"linear", "nearest"}, *const precisions[] = {"float32", "float16"};
  bool any = false;
  for (int n = 0; n < 4; n++) make_speedups(b, problem, interps[n / 2], precisions[n % 2], &any);
}

void bench_make_tables(bench *b) {
  b->tables = json_array();
  for (size_t n = 0; b->tables && n < json_array_size(b->rows); n++) {
    const char *problem = text_of(json_array_get(b->rows, n), "problem");
    /* Those of the problem "filter" tell of the filter. */
    if (json_object_get(json_array_get(b->rows, n), "filter_length")) continue;
    size_t first = 0;
    while (strcmp(text_of(json_array_get(b->rows, first), "problem"), problem) != 0) first++;
    if (first < n) continue;
    if (strncmp(problem, "parallel", 8) != 0) {
      make_rapid(b, problem);
      make_steps(b, problem);
    } else {
      for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) make_table(b, t, problem);
      make_figure_21(b, problem);
    }
  }
}
