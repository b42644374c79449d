/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's rates: all threads, best of the repeats. */
#include "app/bench/measure-private.h"
#include "app/bench/rates-private.h"
#include "app/json.h"
#include "recon/base/machine.h"
#include "recon/base/memory.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Of the highest usable level. */
static const bench_loops *usable_loops(void) {
  static const ct_simd_loops loops = CT_SIMD_PLAIN(bench_rates);
  return ct_simd_loops_usable(&loops);
}

/* Work of one thread: `rounds` of a loop over `count` floats of its own. */
typedef struct work {
  const bench_loops *loops;
  bench_work kind;
  float *data;
  size_t count, rounds;
} work;

static double do_work(const work *w, int thread) {
  float *own = w->data ? w->data + (size_t)thread * w->count : NULL;
  if (w->kind == BENCH_FMA) return w->loops->multiply_add(w->rounds, 1.0f / (float)(thread + 1));
  if (w->kind == BENCH_READ) return w->loops->read_all(own, w->count, w->rounds);
  void (*const change)(float *, size_t) = w->kind == BENCH_WRITE ? w->loops->write_all : w->loops->update_all;
  for (size_t n = 0; n < w->rounds; n++) change(own, w->count);
  return own[0];
}

/* Seconds until the last thread is done, best of the repeats after a first run that does not count. */
static double time_work(const bench *b, const work *w) {
  const int threads = b->options.threads;
  double best = INFINITY, sum = 0;
  for (int n = 0; n <= b->options.repeat; n++) {
    const bench_clock start = bench_start();
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(+ : sum)
    for (int thread = 0; thread < threads; thread++) sum += do_work(w, thread);
    if (n) best = fmin(best, bench_elapsed(b, start, threads));
  }
  return isfinite(sum) ? best : NAN;
}

static size_t cache_bytes(int name, size_t fallback) {
  const long bytes = sysconf(name);
  return bytes > 0 ? (size_t)bytes : fallback;
}

double bench_rate_of(const bench *b, bench_work kind, float *data, size_t bytes, size_t traffic) {
  const size_t count = bytes / 512 * 128;
  const size_t rounds = traffic / (count * sizeof(float)) + 1;
  const work w = {usable_loops(), kind, data, count, rounds};
  const double moved = (double)count * sizeof(float) * (double)rounds * b->options.threads;
  return moved * (kind == BENCH_UPDATE ? 2 : 1) / time_work(b, &w) / 1e9;
}

static void add_rate(bench *b, const char *name, double value, const char *unit) {
  bench_row row = {.kernel = usable_loops()->name,
                   .problem = name,
                   .precision = "float32",
                   .interp = "",
                   .threads = b->options.threads,
                   .seconds = NAN,
                   .spread = NAN,
                   .gups = NAN,
                   .speedup = NAN,
                   .rel_rmse = NAN,
                   .bytes = NAN,
                   .unshrunk = true};
  snprintf(row.note, sizeof row.note, "%.4g %s", value, unit);
  bench_add_row(b, &row, json_pack("{s:o, s:s}", "rate", gantry_json_real(value), "unit", unit));
  json_object_set_new(b->rates, name, gantry_json_real(value));
}

bool bench_measure_rates(bench *b, bench_rates *r, ct_error **error) {
  if (!(b->rates = json_object()))
    return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the results.");
  const size_t threads = (size_t)b->options.threads;
  const size_t l1 = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 32768) / 2, l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 524288) / 2;
  /* The third level is shared by all threads, here or with others: four times a second level is within it. */
  const size_t l3 = 8 * l2;
  /* Rates are the machine's, and do not shrink with --size: less memory would stay in its caches. */
  const size_t large = ((size_t)512 << 20) / threads, traffic = (size_t)4000 * 1000000;
  float *data = ct_alloc_zero(threads * large, 1, "the blocks whose reading is timed", error);
  if (!data) return false;
  const work fma = {usable_loops(), BENCH_FMA, NULL, 0, 20000000};
  bench_say(b, "limits: rates of the machine");
  r->fma = fma.loops->flops * (double)fma.rounds * (double)threads / time_work(b, &fma) / 1e9;
  r->l1 = bench_rate_of(b, BENCH_READ, data, l1, traffic);
  r->l2 = bench_rate_of(b, BENCH_READ, data, l2, traffic);
  r->l3 = bench_rate_of(b, BENCH_READ, data, l3, traffic);
  r->memory = bench_rate_of(b, BENCH_READ, data, large, 0);
  r->update = bench_rate_of(b, BENCH_UPDATE, data, large, 0);
  ct_free(data);
  add_rate(b, "FMA", r->fma, "GF/s");
  add_rate(b, "L1 read", r->l1, "GB/s");
  add_rate(b, "L2 read", r->l2, "GB/s");
  add_rate(b, "L3 read", r->l3, "GB/s");
  add_rate(b, "memory read", r->memory, "GB/s");
  add_rate(b, "memory update", r->update, "GB/s");
  return ct_job_may_go_on(b->job, error);
}
