/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of all threads of this process. OpenMP's threads live already when counting begins, so each thread gets
 * counters of its own, which those that it begins inherit. */
#include "app/bench/counters-private.h"

#include "recon/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READ_MISSES(cache)                                                                                             \
  ((cache) | (unsigned)PERF_COUNT_HW_CACHE_OP_READ << 8 | (unsigned)PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const struct {
  const char *title;
  unsigned type;
  unsigned long long config;
} events[BENCH_EVENTS] = {
    [BENCH_CYCLES] = {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    [BENCH_INSTRUCTIONS] = {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    [BENCH_STALLED_FRONT] = {"cycles stalled in the front end", PERF_TYPE_HARDWARE,
                             PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    [BENCH_STALLED_BACK] = {"cycles stalled in the back end", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    [BENCH_L1_MISSES] = {"L1 read misses", PERF_TYPE_HW_CACHE, READ_MISSES(PERF_COUNT_HW_CACHE_L1D)},
    [BENCH_CACHE_MISSES] = {"cache misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    [BENCH_LAST_MISSES] = {"last cache's read misses", PERF_TYPE_HW_CACHE, READ_MISSES(PERF_COUNT_HW_CACHE_LL)},
    [BENCH_SECONDS] = {"processor seconds", 0, 0},
    [BENCH_FAULTS] = {"page faults", 0, 0},
    [BENCH_SWITCHES] = {"context switches", 0, 0},
};

/* A counter that runs. */
typedef struct counter {
  int descriptor;
  bench_event event;
} counter;

/* As the system hands them over: while a counter was wanted and while it ran, ns. */
typedef struct reading {
  uint64_t value, enabled, running;
} reading;

struct bench_counters {
  bench_event_open open;
  counter *running; /* count of them, room for `room` */
  size_t count, room;
  double value[BENCH_EVENTS], enabled[BENCH_EVENTS], ran[BENCH_EVENTS];
  double begun[BENCH_EVENTS]; /* the system's own counts at start */
  char reasons[BENCH_EVENTS][200];
};

static int open_event(unsigned type, unsigned long long config, int thread) {
  struct perf_event_attr attr = {
      .type = type,
      .size = sizeof attr,
      .config = config,
      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .disabled = 1,
      .inherit = 1,
      .exclude_kernel = 1,
      .exclude_hv = 1,
  };
  const long descriptor = syscall(SYS_perf_event_open, &attr, thread, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);
  return descriptor < 0 ? -errno : (int)descriptor;
}

/* Whether the kernel knows a processor's counters: "cpu", "cpu_core", "armv8_pmuv3". */
static bool has_unit(void) {
  DIR *folder = opendir("/sys/bus/event_source/devices");
  bool found = !folder;
  for (const struct dirent *entry; folder && (entry = readdir(folder));)
    found = found || !strncmp(entry->d_name, "cpu", 3) || !strncmp(entry->d_name, "arm", 3);
  if (folder) closedir(folder);
  return found;
}

/* -100: unknown. */
static int paranoia(void) {
  int level = -100;
  FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
  if (file && fscanf(file, "%d", &level) != 1) level = -100;
  if (file) fclose(file);
  return level;
}

static void explain(int fault, char *text, size_t size) {
  const int level = paranoia();
  if ((fault == EPERM || fault == EACCES) && level > 2)
    snprintf(text, size, "kernel.perf_event_paranoid is %d: sysctl kernel.perf_event_paranoid=2 allows it", level);
  else if (fault == EPERM || fault == EACCES)
    snprintf(text, size, "the system does not permit it, as in many containers");
  else if (fault == ENOSYS)
    snprintf(text, size, "the system does not offer perf_event_open");
  else if (fault == EMFILE || fault == ENFILE)
    snprintf(text, size, "too many files are open; ulimit -n raises the limit");
  else if (fault == ENOENT || fault == EOPNOTSUPP || fault == ENODEV || fault == EINVAL)
    snprintf(text, size, "%s",
             has_unit() ? "this processor has no such event"
                        : "the system shows no counters of the processor, as in most virtual machines");
  else
    snprintf(text, size, "%s", strerror(fault));
}

/* Opens and keeps one; what it is refused for stays. */
static void open_one(bench_counters *c, bench_event event, int thread) {
  const int descriptor = c->open(events[event].type, events[event].config, thread);
  if (descriptor == -ESRCH) return; /* the thread has ended meanwhile */
  if (descriptor < 0) {
    explain(-descriptor, c->reasons[event], sizeof c->reasons[event]);
    return;
  }
  if (c->count == c->room) {
    const size_t room = c->room ? 2 * c->room : 64;
    counter *more = realloc(c->running, room * sizeof *more);
    if (!more) {
      close(descriptor);
      explain(ENOMEM, c->reasons[event], sizeof c->reasons[event]);
      return;
    }
    c->running = more;
    c->room = room;
  }
  c->running[c->count++] = (counter){descriptor, event};
}

static void close_all(bench_counters *c) {
  for (size_t n = 0; n < c->count; n++) close(c->running[n].descriptor);
  c->count = 0;
}

/* The processor's events that nothing speaks against, for a thread. */
static void open_for(bench_counters *c, int thread) {
  for (int event = 0; event < BENCH_PROCESSOR_EVENTS; event++)
    if (!*c->reasons[event]) open_one(c, (bench_event)event, thread);
}

static void read_usage(double value[BENCH_EVENTS]) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return;
  value[BENCH_SECONDS] = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
                         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  value[BENCH_FAULTS] = (double)usage.ru_minflt + (double)usage.ru_majflt;
  value[BENCH_SWITCHES] = (double)usage.ru_nvcsw + (double)usage.ru_nivcsw;
}

/* Each thread has a file for each event. */
static void allow_files(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

bench_counters *bench_counters_new(bench_event_open open, ct_error **error) {
  bench_counters *c = ct_alloc_zero(1, sizeof *c, "the counters", error);
  if (!c) return NULL;
  c->open = open ? open : open_event;
  allow_files();
  open_for(c, 0);
  close_all(c);
  return c;
}

void bench_counters_free(bench_counters *c) {
  if (!c) return;
  close_all(c);
  free(c->running);
  ct_free(c);
}

void bench_counters_clear(bench_counters *c) {
  memset(c->value, 0, sizeof c->value);
  memset(c->enabled, 0, sizeof c->enabled);
  memset(c->ran, 0, sizeof c->ran);
}

void bench_counters_start(bench_counters *c) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) open_for(c, 0);
  for (const struct dirent *entry; threads && (entry = readdir(threads));)
    if (entry->d_name[0] != '.') open_for(c, atoi(entry->d_name));
  if (threads) closedir(threads);
  read_usage(c->begun);
  for (size_t n = 0; n < c->count; n++) ioctl(c->running[n].descriptor, PERF_EVENT_IOC_ENABLE, 0);
}

void bench_counters_stop(bench_counters *c) {
  double now[BENCH_EVENTS] = {0};
  for (size_t n = 0; n < c->count; n++) ioctl(c->running[n].descriptor, PERF_EVENT_IOC_DISABLE, 0);
  read_usage(now);
  for (int event = BENCH_PROCESSOR_EVENTS; event < BENCH_EVENTS; event++)
    c->value[event] += now[event] - c->begun[event];
  for (size_t n = 0; n < c->count; n++) {
    reading r;
    const bench_event event = c->running[n].event;
    if (read(c->running[n].descriptor, &r, sizeof r) != (ssize_t)sizeof r) {
      explain(errno, c->reasons[event], sizeof c->reasons[event]);
      continue;
    }
    c->value[event] += (double)r.value;
    c->enabled[event] += (double)r.enabled;
    c->ran[event] += (double)r.running;
  }
  close_all(c);
}

const char *bench_event_title(bench_event event) {
  return events[event].title;
}

const char *bench_counters_reason(const bench_counters *c, bench_event event) {
  if (*c->reasons[event]) return c->reasons[event];
  if (event < BENCH_PROCESSOR_EVENTS && c->enabled[event] > 0 && !(c->ran[event] > 0))
    return "the processor has no counter left for it";
  return NULL;
}

bool bench_counters_get(const bench_counters *c, bench_event event, double *sum) {
  if (bench_counters_reason(c, event)) return false;
  *sum = c->value[event];
  if (event < BENCH_PROCESSOR_EVENTS && c->ran[event] > 0) *sum *= c->enabled[event] / c->ran[event];
  return true;
}
