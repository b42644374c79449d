/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters: what is refused and why, what is scaled, and that all threads are counted, whenever they began. */
#include "app/bench/counters-private.h"
#include "tests/test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int fault; /* of the opener that refuses */

static int refuse(unsigned type, unsigned long long config, int thread) {
  (void)type, (void)config, (void)thread;
  return -fault;
}

/* A counter that has counted 100 in half of its time; cycles never got their turn; there are no stalls. */
static int pretend(unsigned type, unsigned long long config, int thread) {
  (void)thread;
  const bool cycles = type == PERF_TYPE_HARDWARE && config == PERF_COUNT_HW_CPU_CYCLES;
  const bool stalls = type == PERF_TYPE_HARDWARE && (config == PERF_COUNT_HW_STALLED_CYCLES_FRONTEND ||
                                                     config == PERF_COUNT_HW_STALLED_CYCLES_BACKEND);
  const uint64_t reading[3] = {cycles ? 0 : 100, 2000, cycles ? 0 : 1000};
  int ends[2];
  if (stalls) return -ENOENT;
  if (pipe(ends) != 0) return -errno;
  const bool written = write(ends[1], reading, sizeof reading) == (ssize_t)sizeof reading;
  close(ends[1]);
  if (written) return ends[0];
  close(ends[0]);
  return -EIO;
}

/* Nanoseconds of the thread in the place of every event: software counts them on every machine. */
static int open_clock(unsigned type, unsigned long long config, int thread) {
  struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
                                 .size = sizeof attr,
                                 .config = PERF_COUNT_SW_TASK_CLOCK,
                                 .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
                                 .disabled = 1,
                                 .inherit = 1,
                                 .exclude_kernel = 1};
  if (type != PERF_TYPE_HARDWARE || config != PERF_COUNT_HW_CPU_CYCLES) return -ENOENT;
  const long descriptor = syscall(SYS_perf_event_open, &attr, thread, -1, -1, 0UL);
  return descriptor < 0 ? -errno : (int)descriptor;
}

static double thread_seconds(void) {
  struct timespec t;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

static void work(double seconds) {
  volatile double sum = 0;
  const double start = thread_seconds();
  while (thread_seconds() - start < seconds)
    for (int n = 0; n < 1000; n++) sum = sum + n;
}

static void test_refused(void) {
  static const struct {
    int fault;
    const char *words;
  } cases[] = {{EACCES, " it"}, {ENOSYS, "perf_event_open"}, {EMFILE, "ulimit -n"}, {EIO, "Input/output"}};
  ct_error *error = NULL;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    double sum = -1;
    fault = cases[n].fault;
    bench_counters *c = bench_counters_new(refuse, &error);
    CHECK(c);
    bench_counters_start(c);
    work(0.02);
    bench_counters_stop(c);
    for (int event = 0; event < BENCH_PROCESSOR_EVENTS; event++) {
      const char *reason = bench_counters_reason(c, (bench_event)event);
      CHECK(reason && strstr(reason, cases[n].words) && !bench_counters_get(c, (bench_event)event, &sum));
    }
    CHECK(sum == -1);
    for (int event = BENCH_SECONDS; event < BENCH_EVENTS; event++)
      CHECK(bench_counters_get(c, (bench_event)event, &sum) && sum >= 0);
    CHECK(bench_counters_get(c, BENCH_SECONDS, &sum) && sum >= 0.015);
    bench_counters_free(c);
  }
}

static void test_scaled(void) {
  ct_error *error = NULL;
  double sum;
  bench_counters *c = bench_counters_new(pretend, &error);
  CHECK(c);
  for (int run = 1; run <= 2; run++) {
    bench_counters_start(c);
    bench_counters_stop(c);
    CHECK(bench_counters_get(c, BENCH_INSTRUCTIONS, &sum));
    CHECK_NEAR(sum, 200.0 * run, 1e-9);
  }
  CHECK(!bench_counters_get(c, BENCH_CYCLES, &sum) &&
        strstr(bench_counters_reason(c, BENCH_CYCLES), "no counter left"));
  CHECK(!bench_counters_get(c, BENCH_STALLED_BACK, &sum) && bench_counters_get(c, BENCH_L1_MISSES, &sum));
  bench_counters_clear(c);
  CHECK(bench_counters_get(c, BENCH_INSTRUCTIONS, &sum) && sum == 0);
  bench_counters_free(c);
}

static atomic_bool may_work;

static void *work_when_told(void *unused) {
  while (!atomic_load(&may_work)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  work(0.05);
  return unused;
}

static void *work_at_once(void *unused) {
  work(0.05);
  return unused;
}

static void test_threads(void) {
  const int descriptor = open_clock(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0);
  if (descriptor < 0) SKIP("software events are refused here");
  close(descriptor);
  ct_error *error = NULL;
  pthread_t earlier, later;
  atomic_store(&may_work, false);
  bench_counters *c = bench_counters_new(open_clock, &error);
  CHECK(c && pthread_create(&earlier, NULL, work_when_told, NULL) == 0);
  bench_counters_start(c);
  atomic_store(&may_work, true);
  const bool begun = pthread_create(&later, NULL, work_at_once, NULL) == 0;
  work(0.05);
  pthread_join(earlier, NULL);
  if (begun) pthread_join(later, NULL);
  bench_counters_stop(c);
  double nanoseconds = 0, seconds = 0;
  CHECK(begun && bench_counters_get(c, BENCH_CYCLES, &nanoseconds) && bench_counters_get(c, BENCH_SECONDS, &seconds));
  CHECK(seconds >= 0.14);
  CHECK_NEAR(1e-9 * nanoseconds / seconds, 1, 0.1);
  bench_counters_free(c);
}

static const ct_test tests[] = {
    {"what is refused says why, and the system's own counts stay", test_refused},
    {"events that took turns are scaled, those without a turn are told", test_scaled},
    {"threads are counted, those begun before as well as after the start", test_threads},
};

CT_TEST_MAIN(tests)
