/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmark's suites in one table, and the run of one of them. */
#include "app/bench/counted-private.h"
#include "app/bench/counters-private.h"
#include "app/bench/suites-private.h"

#include "recon/base/memory.h"

#include <stdlib.h>
#include <string.h>

static const bench_suite suites[] = {
    {"ladder", "all kernels on one problem, cone-512 unless --problems names others", bench_ladder,
     BENCH_TAKES_COUNTERS, 5, 0},
    {"auto", "what the automatic choice takes, beside the kernels ranked behind it, on a spread of problems",
     bench_auto, 0, 5, 0},
    {"chen", "the problems P1 to P10 of Chen et al. 2021, then batch sizes and threads on P5", bench_chen,
     BENCH_TAKES_COUNTERS | BENCH_TAKES_SWEEP, 5, 0},
    {"parallel", "parallel beam: linear, nearest and oversampled interpolation", bench_parallel, BENCH_TAKES_COUNTERS,
     5, 0},
    {"fourier", "direct Fourier reconstruction beside back-projection, slices of several sizes", bench_fourier, 0, 5,
     0},
    {"rabbitct", "the RabbitCT benchmark on FILE, or on a generated data set", bench_rabbitct,
     BENCH_TAKES_FILE | BENCH_TAKES_VIEWS | BENCH_TAKES_WRITE | BENCH_TAKES_COUNTERS, 120, 64},
    {"pipeline", "filter and back-projection end to end, stage by stage; single slices", bench_pipeline, 0, 5, 0},
    {"spiral", "spirals beside a circle: means of five balls, RMSE and rate by pitch, for both methods", bench_spiral,
     0, 5, 0},
    {"limits", "FMA, L1, L2 and memory rates, and each kernel's share of its bound", bench_limits,
     BENCH_TAKES_PICTURE | BENCH_TAKES_CURVE, 5, 0},
    {"roofline", "those rates as roofs, and each kernel's counted flops, bytes and measured rate below them",
     bench_roofline, BENCH_TAKES_PICTURE, 5, 0},
    {"iterative", "projectors and iterative methods: matrices, speed, convergence, quality", bench_iterative,
     BENCH_TAKES_PROFILE | BENCH_TAKES_PART | BENCH_TAKES_PROJECTORS | BENCH_TAKES_PICTURES, 5, 0},
    {"gpu",
     "every GPU kernel in each interpolation and precision; filter: on the card; quality: slices of a phantom and FILE",
     bench_gpu,
     BENCH_TAKES_FILE | BENCH_TAKES_VIEWS | BENCH_TAKES_PROFILE | BENCH_TAKES_KNOBS | BENCH_TAKES_PICTURE |
         BENCH_TAKES_DIAGNOSE | BENCH_NEEDS_DEVICE,
     5, 0},
    {"card", "what each unit of a graphics device does, and what of it the kernels of parallel beam use", bench_card,
     BENCH_NEEDS_DEVICE, 5, 0},
    {"scene", "frames per second of a volume in the window's scene, turning and at rest", bench_scene, 0, 5, 0},
};
enum { SUITES = sizeof suites / sizeof *suites };

const bench_suite *bench_find_suite(const char *name) {
  for (int i = 0; i < SUITES; i++)
    if (!strcmp(suites[i].name, name)) return &suites[i];
  return NULL;
}

void bench_list_suites(char *names, size_t size) {
  for (int i = 0; i < SUITES; i++) bench_add_name(names, size, suites[i].name);
}

void bench_print_suites(FILE *to) {
  fputs("\nSuites:\n", to);
  for (int i = 0; i < SUITES; i++) fprintf(to, "  %-10s%s\n", suites[i].name, suites[i].summary);
  fputs("\nProblems of ladder, auto, parallel, limits, roofline and gpu (chen has P1 to P10, rabbitct 128, 256, 512 "
        "and 1024):\n",
        to);
  for (int i = 0; i < bench_problem_count; i++) {
    const bench_problem *p = &bench_problems[i];
    fprintf(to, "  %-18s%d x %d pixels, %d views -> %d x %d x %d voxels\n", p->name, p->nu, p->nv, p->views, p->nx,
            p->ny, p->nz);
  }
  fputs("\n", to);
  fprintf(to, "Problems of pipeline:\n  %s\nProblems of fourier:\n  %s\nProblems of spiral:\n  %s\n",
          bench_pipeline_problems, bench_fourier_problems, bench_spiral_problems);
  bench_print_iterative(to);
}

bench *bench_new(const bench_options *options, const bench_suite *suite, const ct_backend *backend, ct_job *job,
                 ct_error **error) {
  bench *b = calloc(1, sizeof *b);
  if (b) *b = (bench){.options = *options, .suite = suite, .backend = *backend, .job = job};
  if (b && (b->rows = json_array()) && (b->skipped = json_array()) &&
      (!options->counters || (b->counters = bench_counters_new(NULL, NULL))))
    return b;
  bench_free(b);
  ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the results.");
  return NULL;
}

void bench_free(bench *b) {
  if (!b) return;
  json_decref(b->rows);
  json_decref(b->skipped);
  json_decref(b->rates);
  json_decref(b->tables);
  ct_free(b->diagnosis);
  bench_counters_free(b->counters);
  free(b);
}

static bool has_row(const bench *b, const char *kernel) {
  for (size_t n = 0; n < json_array_size(b->rows); n++) {
    const char *id = json_string_value(json_object_get(json_array_get(b->rows, n), "kernel"));
    if (id && !strcmp(id, kernel)) return true;
  }
  return false;
}

/* A kernel asked for by name that nothing was measured of: the first, with the last reason. */
static bool check_measured(const bench *b, ct_error **error) {
  for (size_t n = json_array_size(b->skipped); b->options.kernels && n-- > 0;) {
    const json_t *skip = json_array_get(b->skipped, n);
    const char *kernel = json_string_value(json_object_get(skip, "kernel"));
    if (kernel && bench_listed(b->options.kernels, kernel) && !has_row(b, kernel))
      return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Nothing was measured of kernel \"%s\": %s", kernel,
                          json_string_value(json_object_get(skip, "reason")));
  }
  return true;
}

bool bench_run_suite(bench *b, ct_error **error) {
  const bool good = b->suite->run(b, error);
  if (b->counters) bench_print_counted(b);
  return good && check_measured(b, error);
}

size_t bench_count_rows(const bench *b) {
  return json_array_size(b->rows);
}
