/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HDF5 library (1.10.8) divides by zero or follows wild pointers on some damaged headers, and libmatio (1.5.23) on
 * some damaged structures, before anything can be checked from outside. A file is therefore opened by a child process
 * first; when the child dies, the file is damaged and this process lives. */
#include "recon/base/machine.h"
#include "recon/base/text.h"
#include "recon/io/shared/trial-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Processor time after which the library is taken to be in an endless loop, s, of which a file with 20 000 groups takes
 * half a one; and time after which it is taken to wait for ever, on a disk that does not answer, which begins anew with
 * every step of ct_trial_step. One second of processor time more is given for STEPS of those, which open a file each:
 * the work is bounded by their number. */
enum { MOST_WORK = 10, PATIENCE = 60, STEPS = 256, SMALL_BYTES = 256 << 20, LARGE_BYTES = 1 << 30 };
/* Statuses of the child: a crash without memory; the end of an attempt that was refused memory; NO_CHILD: there was
 * none; the answers of ct_answers begin at ANSWER. */
enum { NO_MEMORY = 3, REFUSED = 4, ANSWER = 32, NO_CHILD = 1000, NO_STACK };
/* What deflate can make of a byte. */
enum { MOST_INFLATED = 1032 };

/* Libraries that follow the pointer that they got no memory for crash with that fault still told. */
static void end_crash(int number) {
  if (errno == ENOMEM) _exit(NO_MEMORY);
  signal(number, SIG_DFL); /* the crash repeats */
}

static void limit_work(rlim_t seconds) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit) != 0) return;
  limit.rlim_cur = seconds < limit.rlim_max ? seconds : limit.rlim_max;
  setrlimit(RLIMIT_CPU, &limit);
}

void ct_trial_step(atomic_uint *steps) {
  struct rlimit limit;
  const unsigned step = 1 + atomic_fetch_add(steps, 1);
  if (step % STEPS == 0 && getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    limit_work(limit.rlim_cur + 1);
}

/* The child leaves no trace: no output, no core file, none of this program's signal handlers. */
static void become_quiet(int seconds) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
  const struct rlimit none = {0, 0};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    signal(signals[i], SIG_DFL);
    sigaddset(&set, signals[i]);
  }
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  setrlimit(RLIMIT_CORE, &none);
  limit_work((rlim_t)seconds);
  signal(SIGSEGV, end_crash);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  ct_sandbox_enter();
  errno = 0;
}

/* Who would end a child that hangs may be ended himself. */
static void end_with_parent(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(1); /* it has ended already */
}

/* A stack on which the libraries have room (HDF5 takes some 100 KiB). */
enum { ENOUGH_STACK = 512 << 10 };

static bool has_little_stack(char size[32]) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= ENOUGH_STACK) return false;
  snprintf(size, 32, "%llu KiB", (unsigned long long)limit.rlim_cur >> 10);
  return true;
}

/* Its exit status; -1 when it did not end well. */
static int status_of(int status) {
  char size[32];
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS) && has_little_stack(size)
             ? NO_STACK
             : -1;
}

/* Waits for the child, and ends one that hangs: -1. */
static int wait_for(pid_t child, const atomic_uint *steps) {
  double end = ct_now() + PATIENCE;
  unsigned seen = 0;
  struct timespec pause = {0, 100000};
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status_of(status);
    if (ended < 0 && errno != EINTR)
      return NO_CHILD; /* waited for elsewhere: its status is lost, and the file is taken to be sound */
    const unsigned step = steps ? atomic_load(steps) : 0;
    if (step != seen) end = ct_now() + PATIENCE;
    seen = step;
    if (ct_now() > end) break;
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < 5000000) pause.tv_nsec *= 2;
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return -1;
}

typedef struct {
  void (*attempt)(void *data);
  bool (*reading)(void *data);
  int (*answer)(void *data);
  void *data;
  int seconds;
  uint64_t bytes;           /* of memory; 0: any */
  bool tells_memory;        /* the attempt, by REFUSED */
  const atomic_uint *steps; /* of the attempt, which shares them; or NULL */
} trial;

/* No more memory than this beyond what there is: a small file that takes more is damaged. */
static void limit_memory(uint64_t bytes) {
  unsigned long pages[6];
  FILE *file = bytes ? fopen("/proc/self/statm", "re") : NULL;
  if (!file) return;
  const bool known =
      fscanf(file, "%lu %lu %lu %lu %lu %lu", &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]) == 6;
  fclose(file);
  const rlim_t most = (rlim_t)(known ? pages[5] : 0) * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
  if (known) setrlimit(RLIMIT_DATA, &(struct rlimit){most, most});
}

/* In a child process: its exit status, -1 where it crashes or hangs. */
static int try_it(const trial *t) {
  /* A lock of the library is held, so that the child's copy of the library is in order; only this thread exists in it.
   */
  const pid_t parent = getpid(), child = fork();
  if (child < 0) return NO_CHILD; /* no process can be made: opened without the trial */
  if (child == 0) {
    end_with_parent(parent);
    become_quiet(t->seconds);
    limit_memory(t->bytes);
    if (t->attempt) t->attempt(t->data);
    if (t->tells_memory && errno == ENOMEM) _exit(REFUSED);
    if (t->answer) _exit(ANSWER + t->answer(t->data));
    /* A library that goes on without the memory that it was refused would ask for it again outside the child. */
    _exit(t->reading && (!t->reading(t->data) || errno == ENOMEM));
  }
  return wait_for(child, t->steps);
}

static bool survive(const trial *t, const char *path, const char *kind, ct_error **error) {
  uint64_t bytes = 0;
  const int status = try_it(t);
  /* A library that goes on without the memory that it was refused would ask for it again outside the child. */
  const bool too_small = status == REFUSED && ct_file_size(path, &bytes, NULL) && bytes < t->bytes / MOST_INFLATED;
  if (status == NO_MEMORY || too_small)
    return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to open %s, or it is damaged.", path);
  char size[32];
  if (status == NO_STACK && has_little_stack(size))
    return ct_error_set(error, CT_ERROR_MEMORY,
                        "There is not enough memory to open %s: the stack is limited to %s (ulimit -s).", path, size);
  return status == 0 || status == REFUSED || status == NO_CHILD ||
         ct_error_set(error, CT_ERROR_FORMAT, "%s is a damaged %s file.", path, kind);
}

bool ct_survives(void (*attempt)(void *data), void *data, const atomic_uint *steps, const char *path, const char *kind,
                 ct_error **error) {
  const trial t = {.attempt = attempt,
                   .data = data,
                   .seconds = MOST_WORK,
                   .bytes = LARGE_BYTES,
                   .tells_memory = true,
                   .steps = steps};
  return survive(&t, path, kind, error);
}

/* Memory that the child shares: what it says of its failure. */
typedef struct {
  bool (*attempt)(void *data, ct_error **error);
  void *data;
  int failed; /* 1 + the code; 0: it did not fail, or not of what the file is */
  char message[3000];
} report;

static void try_and_report(void *data) {
  report *r = data;
  ct_error *error = NULL;
  if (r->attempt(r->data, &error) || !error) return;
  if (error->code != CT_ERROR_FORMAT && error->code != CT_ERROR_DATA && error->code != CT_ERROR_ARGUMENT) return;
  snprintf(r->message, sizeof r->message, "%s", error->message);
  r->failed = 1 + (int)error->code;
}

/* A library may make an error of the file out of one of memory: near the child's limit nothing that it says counts. */
static bool child_was_small(void) {
  struct rusage usage;
  return getrusage(RUSAGE_CHILDREN, &usage) == 0 && usage.ru_maxrss < SMALL_BYTES / 1024;
}

void *ct_trial_share(size_t bytes) {
  void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return shared == MAP_FAILED ? NULL : shared;
}

void ct_trial_unshare(void *shared, size_t bytes) {
  if (shared) munmap(shared, bytes);
}

bool ct_survives_and_opens(bool (*attempt)(void *data, ct_error **error), void *data, const atomic_uint *steps,
                           const char *path, const char *kind, ct_error **error) {
  report *r = ct_trial_share(sizeof *r);
  if (!r) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory to open %s.", path);
  *r = (report){.attempt = attempt, .data = data};
  const trial t = {.attempt = try_and_report, .data = r, .seconds = MOST_WORK, .bytes = LARGE_BYTES, .steps = steps};
  bool good = survive(&t, path, kind, error);
  const int failed = r->failed;
  if (good && failed > 0 && failed <= 1 + CT_ERROR_CANCELLED && child_was_small()) {
    r->message[sizeof r->message - 1] = 0;
    good = ct_error_set(error, (ct_error_code)(failed - 1), "%s", r->message);
  }
  ct_trial_unshare(r, sizeof *r);
  return good;
}

int ct_answers(int (*answer)(void *data), void *data) {
  const int status = try_it(&(trial){.answer = answer, .data = data, .seconds = MOST_WORK, .bytes = LARGE_BYTES});
  if (status == NO_CHILD) return answer(data);
  return status >= ANSWER && status <= ANSWER + CT_MOST_ANSWER ? status - ANSWER : -1;
}

bool ct_reads_small(bool (*reading)(void *data), void *data) {
  const int status = try_it(&(trial){.reading = reading, .data = data, .seconds = 1, .bytes = SMALL_BYTES});
  return status == 0 || status == NO_CHILD;
}
