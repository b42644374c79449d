/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded into the program: how long its main loop is held up. A turn is what the main thread does between two
   polls. Where one takes longer than GANTRY_TURNS_MS (50), a line goes to the file GANTRY_TURNS: milliseconds by the
   clock, without the time that the thread waited for a processor, and computed; below it, indented, where it was found
   every few milliseconds. */
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 40, DEPTH = 48, EVERY_MS = 7 };

typedef int Poll(struct pollfd *files, nfds_t n, int timeout);

static struct {
  int file;
  double limit_ms;
  pthread_t thread, sampler;
  _Atomic double began; /* of the present turn, ms; 0 while the thread sleeps */
  double computed, waited;
  atomic_int n_samples;
  int depth[SAMPLES];
  void *samples[SAMPLES][DEPTH];
} turns = {.file = -1};

static double clock_ms(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* ms that the thread has waited for a processor; 0 where the kernel does not tell. */
static double processor_wait(void) {
  char text[96] = "";
  unsigned long long ran = 0, waited = 0;
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    if (n <= 0 || sscanf(text, "%llu %llu", &ran, &waited) != 2) waited = 0;
  }
  return 1e-6 * (double)waited;
}

static void sample(int number) {
  (void)number;
  int n = atomic_load(&turns.n_samples);
  if (n < SAMPLES) {
    turns.depth[n] = backtrace(turns.samples[n], DEPTH);
    atomic_store(&turns.n_samples, n + 1);
  }
}

static void *watch(void *none) {
  (void)none;
  for (;;) {
    nanosleep(&(struct timespec){.tv_nsec = EVERY_MS * 1000000}, NULL);
    double began = atomic_load(&turns.began);
    if (began != 0.0 && clock_ms(CLOCK_MONOTONIC) - began > 2 * EVERY_MS) pthread_kill(turns.thread, SIGRTMIN + 7);
  }
  return NULL;
}

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("GANTRY_TURNS"), *limit = getenv("GANTRY_TURNS_MS");
  if (!path) return;
  void *once[4];
  backtrace(once, 4); /* loads what it needs, outside a signal */
  turns.file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  turns.limit_ms = limit ? strtod(limit, NULL) : 50.0;
  turns.thread = pthread_self();
  struct sigaction action = {.sa_handler = sample, .sa_flags = SA_RESTART};
  sigaction(SIGRTMIN + 7, &action, NULL);
  unsetenv("LD_PRELOAD"); /* what the program starts is not watched */
  if (turns.file >= 0) dprintf(turns.file, " watching\n");
  if (turns.file >= 0) pthread_create(&turns.sampler, NULL, watch, NULL);
}

static void turn_ends(void) {
  double began = atomic_load(&turns.began);
  double took = clock_ms(CLOCK_MONOTONIC) - began;
  atomic_store(&turns.began, 0.0);
  int n = atomic_load(&turns.n_samples);
  if (began != 0.0 && took > turns.limit_ms) {
    double waited = processor_wait() - turns.waited;
    dprintf(turns.file, "%.1f %.1f %.1f\n", took, took - waited, clock_ms(CLOCK_THREAD_CPUTIME_ID) - turns.computed);
    for (int i = 0; i < n; ++i) {
      dprintf(turns.file, " ");
      for (int j = 1; j < turns.depth[i]; ++j) {
        Dl_info at;
        if (dladdr(turns.samples[i][j], &at) && at.dli_fname) {
          const char *name = strrchr(at.dli_fname, '/');
          if (at.dli_sname)
            dprintf(turns.file, " %s", at.dli_sname);
          else
            dprintf(turns.file, " %s+%#tx", name ? name + 1 : at.dli_fname,
                    (char *)turns.samples[i][j] - (char *)at.dli_fbase);
        }
      }
      dprintf(turns.file, "\n");
    }
  }
}

static void turn_begins(void) {
  turns.waited = processor_wait();
  turns.computed = clock_ms(CLOCK_THREAD_CPUTIME_ID);
  atomic_store(&turns.n_samples, 0);
  atomic_store(&turns.began, clock_ms(CLOCK_MONOTONIC));
}

/* Whether GLib's main loop asks, and not, say, the X library for the answer of its server: that is part of the turn. */
static int main_loop_asks(const void *caller) {
  static void *glib;
  Dl_info at;
  if (turns.file < 0 || !pthread_equal(pthread_self(), turns.thread) || getpid() != (pid_t)syscall(SYS_gettid))
    return 0;
  if (!glib) {
    void *function = dlsym(RTLD_DEFAULT, "g_poll");
    if (function && dladdr(function, &at)) glib = at.dli_fbase;
  }
  return dladdr(caller, &at) && at.dli_fbase == glib;
}

int poll(struct pollfd *files, nfds_t n, int timeout);
int poll(struct pollfd *files, nfds_t n, int timeout) {
  static Poll *real;
  if (!real) real = (Poll *)dlsym(RTLD_NEXT, "poll");
  int ours = main_loop_asks(__builtin_return_address(0));
  if (ours) turn_ends();
  int result = real(files, n, timeout);
  if (ours) turn_begins();
  return result;
}
