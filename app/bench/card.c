/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a graphics device can do, and what of it the kernels of parallel beam use: the rates of its units with their
 * ratios (Table 10 of Chilingaryan et al. 2019, "measured using micro-benchmarking"), which of them work side by side
 * (section 3.7), fetches along a curve or by rows (Fig. 3), the kernels' use of the texture unit (Fig. 6), and the
 * rates that the model of section 6.5 allows the cache kernels beside those that are measured (Tables 15 and 16). */
#include "app/bench/card-model.h"
#include "app/bench/measure-private.h"
#include "app/bench/suites-private.h"
#include "recon/bp/kernel.h"
#include "render/compute/rates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char problem_name[] = "parallel-64";

/* Kernels that fetch an update through the texture unit, and the rate of it that bounds them: of 1, 2 or 4 slices in
 * single and in half precision. */
static const struct {
  const char *kernel;
  int slices;
} fetching[] = {{"gl-slices-1", 1}, {"gl-slices-2", 2},   {"gl-slices-4", 4},   {"gl-curve-1", 1},   {"gl-curve-2", 2},
                {"gl-curve-4", 4},  {"gl-quarters-1", 1}, {"gl-quarters-2", 2}, {"gl-quarters-4", 4}};
static const char *const bounding[2][3] = {{"linear-32", "linear-64", "linear-128"},
                                           {"linear-32", "linear-half-32", "linear-half-64"}};

static const struct {
  const char *kernel;
  bench_cached model;
} caching[] = {{"gl-cache-1", {256, 4, 1, 16, false}},    {"gl-cache-2", {256, 4, 2, 16, false}},
               {"gl-cache-4", {256, 4, 4, 16, false}},    {"gl-wide-1", {256, 16, 1, 16, false}},
               {"gl-wide-2", {256, 16, 2, 16, false}},    {"gl-wide-4", {256, 16, 4, 16, false}},
               {"gl-differences", {256, 16, 1, 16, true}}};

/* Operations that may share a unit. */
static const char *const pairs[][2] = {
    {"multiply-add", "integer"}, {"multiply-add", "shift"}, {"multiply-add", "to-integer"},
    {"multiply-add", "sine"},    {"sine", "to-integer"},    {"sine", "round"},
    {"sine", "shift"},           {"sine", "root"},          {"shift", "to-integer"}};

/* Ratios that the paper's Table 10 ends with. */
static const struct {
  const char *title, *over, *under;
  double factor; /* to words of 32 bits, and to operations */
} ratios[] = {{"constants to texture (words a texel)", "constants", "linear-32", 0.25},
              {"shared memory to texture (words a texel)", "shared-32", "linear-32", 0.25},
              {"conversions to texture (operations a texel)", "to-integer", "linear-32", 1},
              {"arithmetic to texture (flops a texel)", "multiply-add", "linear-32", 2},
              {"arithmetic to shared memory (flops a word)", "multiply-add", "shared-32", 8},
              {"arithmetic to conversions (flops an operation)", "multiply-add", "to-integer", 2}};

static double rate_of(const bench *b, const char *id) {
  return json_number_value(json_object_get(b->rates, id));
}

static void keep(bench *b, const char *table, json_t *cell) {
  json_object_set_new(cell, "table", json_string(table));
  json_array_append_new(b->tables, cell);
}

static bool measure_rates(bench *b, ct_error **error) {
  int count;
  const ctgl_rate *rates = ctgl_rates(&count);
  printf("| unit | rate | |\n|---|---|---|\n");
  for (int n = 0; n < count; n++) {
    double rate = 0;
    if (!ct_job_may_go_on(b->job, error) || !ctgl_rate_measure(b->backend.device, rates + n, &rate, error))
      return false;
    printf("| %s | %.4g | %s |\n", rates[n].title, rate, rates[n].unit);
    fflush(stdout);
    json_object_set_new(b->rates, rates[n].id, json_real(rate));
    keep(b, "Table 10",
         json_pack("{s:s, s:s, s:f, s:s}", "unit", rates[n].id, "title", rates[n].title, "rate", rate, "of",
                   rates[n].unit));
  }
  printf("\n| ratio | |\n|---|---|\n");
  for (size_t n = 0; n < sizeof ratios / sizeof *ratios; n++)
    printf("| %s | %.3g |\n", ratios[n].title,
           ratios[n].factor * rate_of(b, ratios[n].over) / rate_of(b, ratios[n].under));
  printf("\nFig. 3: two reals linearly, row by row %.0f %% of along the curve; nearest %.0f %%.\n",
         100 * rate_of(b, "linear-64-rows") / rate_of(b, "linear-64"),
         100 * rate_of(b, "nearest-64-rows") / rate_of(b, "nearest-64"));
  return true;
}

/* What is closer to the time of both one after the other than to that of the slower one is done by one unit. */
static bool are_one(double times, double sum) {
  return times > (1 + sum) / 2;
}

static bool measure_pairs(bench *b, bool *shifts_by_reals, ct_error **error) {
  printf("\nSection 3.7: the time of two operations at once, over that of the slower alone.\n\n"
         "| operations | measured | one after the other | |\n|---|---|---|---|\n");
  for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
    double times = 0, sum = 0;
    if (!ct_job_may_go_on(b->job, error) || !ctgl_rate_measure_pair(b->backend.device, ctgl_rate_find(pairs[n][0]),
                                                                    ctgl_rate_find(pairs[n][1]), &times, &sum, error))
      return false;
    const bool one = are_one(times, sum);
    printf("| %s, %s | %.2f | %.2f | %s |\n", pairs[n][0], pairs[n][1], times, sum, one ? "one unit" : "side by side");
    if (!strcmp(pairs[n][0], "multiply-add") && !strcmp(pairs[n][1], "shift")) *shifts_by_reals = one;
    keep(b, "Section 3.7",
         json_pack("{s:s, s:s, s:f, s:f, s:b}", "one", pairs[n][0], "other", pairs[n][1], "times", times, "sum", sum,
                   "one_unit", one));
  }
  return true;
}

/* The kernels of both tables, measured on one problem. */
static bool measure_kernels(bench *b, ct_error **error) {
  const char *asked = b->options.kernels;
  char names[512] = "";
  for (size_t n = 0; n < sizeof fetching / sizeof *fetching; n++)
    bench_add_name(names, sizeof names, fetching[n].kernel);
  for (size_t n = 0; n < sizeof caching / sizeof *caching; n++) bench_add_name(names, sizeof names, caching[n].kernel);
  for (char *at = names; (at = strstr(at, ", "));) memmove(at + 1, at + 2, strlen(at + 1));
  const bench_problem *problem = bench_problems;
  while (strcmp(problem->name, problem_name) != 0) problem++;
  bench_case c;
  ct_error *fault = NULL;
  if (!bench_case_open(b, problem, &c, &fault)) {
    bench_skip(b, problem_name, NULL, &fault);
    return true;
  }
  if (!asked) b->options.kernels = names;
  const bench_run model = {.interp = CT_INTERP_LINEAR,
                           .precision = CT_PRECISION_FLOAT32,
                           .threads = b->options.threads,
                           .batch = b->options.batch};
  printf("\n");
  const bool good = bench_measure_all(b, &c, &model, error);
  bench_case_clear(&c);
  b->options.kernels = asked;
  return good;
}

static double card_gups(const bench *b, const char *kernel, const char *precision) {
  for (size_t n = 0; n < json_array_size(b->rows); n++) {
    const json_t *row = json_array_get(b->rows, n);
    const char *id = json_string_value(json_object_get(row, "kernel")),
               *of = json_string_value(json_object_get(row, "precision"));
    if (id && of && !strcmp(id, kernel) && !strcmp(of, precision))
      return json_number_value(json_object_get(row, "card_gups"));
  }
  return 0;
}

static void make_figure_6(bench *b) {
  static const char *const precisions[] = {"float32", "float16"};
  printf("\nFig. 6 of Chilingaryan et al. (2019), use of the texture unit on %s: fetches of a kernel over the rate of "
         "the unit for such texels.\n\n| kernel | precision | GUPS, card alone | Gtexel/s | of | %% |\n"
         "|---|---|---|---|---|---|\n",
         problem_name);
  for (size_t n = 0; n < sizeof fetching / sizeof *fetching; n++)
    for (int half = 0; half < 2; half++) {
      const double gups = card_gups(b, fetching[n].kernel, precisions[half]), fetches = gups / fetching[n].slices,
                   most = rate_of(b, bounding[half][fetching[n].slices / 2]);
      if (!(gups > 0)) continue;
      printf("| %s | %s | %.4g | %.4g | %.4g | %.0f |\n", fetching[n].kernel, precisions[half], gups, fetches, most,
             100 * fetches / most);
      keep(b, "Fig. 6",
           json_pack("{s:s, s:s, s:f, s:f, s:f}", "kernel", fetching[n].kernel, "precision", precisions[half],
                     "card_gups", gups, "texels", fetches, "most", most));
    }
}

static void make_model(bench *b, bool shifts_by_reals) {
  const bench_card_rates card = {.reals = rate_of(b, "multiply-add"),
                                 .shifts = rate_of(b, "shift"),
                                 .conversions = rate_of(b, "to-integer"),
                                 .constants = rate_of(b, "constants")};
  printf("\nThe model of section 6.5 (Tables 15 and 16): GUPS that each unit allows, and what is measured, in single "
         "precision.\n\n| kernel | shared memory | arithmetic | conversions | instructions | bound by | measured, card "
         "alone | %% |\n|---|---|---|---|---|---|---|---|\n");
  for (size_t n = 0; n < sizeof caching / sizeof *caching; n++) {
    const bench_cached *k = &caching[n].model;
    /* A read of the model's word. */
    const int words = k->slices * (k->advanced ? 2 : 1);
    bench_card_rates rates = card;
    rates.shared = rate_of(b, words == 1 ? "shared-32" : words == 2 ? "shared-64" : "shared-128");
    const bench_load load = bench_card_load(k);
    const bench_limits_of_card limits = bench_card_limits(&load, &rates, shifts_by_reals);
    const double gups = card_gups(b, caching[n].kernel, "float32");
    printf("| %s | %.4g | %.4g | %.4g | %.4g | %s |", caching[n].kernel, limits.memory, limits.arithmetic,
           limits.conversions, limits.instructions, limits.by);
    if (gups > 0)
      printf(" %.4g | %.0f |\n", gups, 100 * gups / limits.least);
    else
      printf(" | |\n");
    keep(b, "Table 16",
         json_pack("{s:s, s:f, s:f, s:f, s:f, s:s, s:f}", "kernel", caching[n].kernel, "memory_gups", limits.memory,
                   "arithmetic_gups", limits.arithmetic, "conversion_gups", limits.conversions, "instruction_gups",
                   limits.instructions, "by", limits.by, "card_gups", gups));
  }
}

bool bench_card(bench *b, ct_error **error) {
  bool shifts_by_reals = false;
  if (!b->backend.device)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "The suite card needs a graphics device, and no card was found; gantry-cli info --devices "
                        "lists what there is, to be named with --device.");
  b->gpu_only = true;
  b->rates = json_object();
  b->tables = json_array();
  if (!b->rates || !b->tables)
    return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the results.");
  b->measures_card = ctgl_device_measure(b->backend.device, error);
  if (b->measures_card && ctgl_device_get_facts(b->backend.device)->software)
    bench_say(b, "card: “%s” is drawn in software by the processor, and says nothing of a card.",
              ctgl_device_get_facts(b->backend.device)->name);
  if (!b->measures_card || !measure_rates(b, error) || !measure_pairs(b, &shifts_by_reals, error) ||
      !measure_kernels(b, error))
    return false;
  make_figure_6(b);
  make_model(b, shifts_by_reals);
  return true;
}
