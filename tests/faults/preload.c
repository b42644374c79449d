/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before the C library (LD_PRELOAD): lets the n-th allocation, or the n-th call to a file, fail, be cut short,
 * or be the last thing that the process does. Calls of child processes are neither counted nor touched.
 *
 * FAULT_KIND   "memory", or one of the calls below ("write"), or "any" of these
 * FAULT_AT     which one, from 1; not set: none
 * FAULT_DO     "fail" (default), "short" (half of it is done, then the disk is full), "kill"
 * FAULT_FROM   set: all behind it fail, too
 * FAULT_TRACE  set: its call stack goes to the standard error
 * FAULT_CALL   a file that takes its kind, for "any"
 * FAULT_COUNT  a file that takes "KIND COUNT" lines at the end
 * FAULT_SITES  a file that takes the number of the first allocation of each call stack
 * FAULT_STEPS  a file that takes a line for each call that brings files to the disk or changes names, behind which the
 *              process stops (SIGSTOP) until it is told to go on: "fsync INODE", "syncfs", "rename", "unlink" */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* The calls, which are the kinds of faults but memory. */
#define CALLS(CALL)                                                                                                    \
  CALL(write) CALL(read) CALL(open) CALL(fsync) CALL(rename) CALL(unlink) CALL(close) CALL(truncate) CALL(map)

enum {
  MEMORY,
#define CALL(name) CALL_##name,
  CALLS(CALL)
#undef CALL
      KINDS
};
static const char *const names[KINDS] = {"memory",
#define CALL(name) #name,
                                         CALLS(CALL)
#undef CALL
};

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static volatile long counts[KINDS], all_calls;
static long fault_at, fault_from;
static int fault_kind = -1, fault_any, fault_kill, fault_short, sites = -1;
static pid_t process;
static __thread int inside;
static uint64_t seen[1 << 16];

/* What libraries take for themselves that end the process where they get no memory, whoever calls them: it is never
 * refused here (docs/trust.md says what is done against that). */
static struct { uintptr_t begin, end; } mortal[16];
static int mortals;

static int find_mortals(struct dl_phdr_info *info, size_t size, void *data) {
  static const char *const libraries[] = {"libhdf5",  "libtiff", "libjpeg", "libmatio",
                                          "libfftw3", "libgomp", "ld-linux"};
  (void)size;
  (void)data;
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    for (int k = 0; strstr(info->dlpi_name, libraries[i]) && k < info->dlpi_phnum && mortals < 16; k++)
      if (info->dlpi_phdr[k].p_type == PT_LOAD && info->dlpi_phdr[k].p_flags & PF_X) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
        mortal[mortals].begin = begin;
        mortal[mortals++].end = begin + info->dlpi_phdr[k].p_memsz;
      }
  return 0;
}

static int is_mortal(const void *caller) {
  for (int i = 0; i < mortals; i++)
    if ((uintptr_t)caller >= mortal[i].begin && (uintptr_t)caller < mortal[i].end) return 1;
  return 0;
}

/* The first allocation of each call stack. */
static void note_site(long number) {
  void *frames[14];
  uint64_t hash = 1469598103934665603u;
  inside = 1;
  const int depth = backtrace(frames, 14);
  for (int i = 3; i < depth && i < 10; i++) hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211u;
  unsigned at = hash & 0xffff;
  while (seen[at] && seen[at] != hash) at = (at + 1) & 0xffff;
  if (!seen[at]) {
    char line[32];
    seen[at] = hash;
    const int length = snprintf(line, sizeof line, "%ld\n", number);
    static ssize_t (*put)(int, const void *, size_t);
    if (!put) *(void **)&put = dlsym(RTLD_NEXT, "write");
    if (put(sites, line, (size_t)length) < 0) abort();
  }
  inside = 0;
}

/* Writes down which kind of call it was. */
static void tell_call(int kind) {
  const char *path = getenv("FAULT_CALL");
  if (!path) return;
  inside = 1;
  FILE *file = fopen(path, "w");
  if (file) fputs(names[kind], file);
  if (file) fclose(file);
  inside = 0;
}

/* Whether this call is to fail. */
static int fails(int kind) {
  if (!process || inside || getpid() != process) return 0;
  const long number = __sync_add_and_fetch(&counts[kind], 1);
  const long of_all = kind == MEMORY ? 0 : __sync_add_and_fetch(&all_calls, 1);
  if (kind == MEMORY && sites >= 0) note_site(number);
  const long n = fault_any && kind != MEMORY ? of_all : kind == fault_kind ? number : 0;
  if (!fault_at || (fault_from ? n < fault_at : n != fault_at)) return 0;
  if (fault_kill) kill(process, SIGKILL);
  if (getenv("FAULT_TRACE") && (n == fault_at)) {
    void *frames[20];
    inside = 1;
    backtrace_symbols_fd(frames, backtrace(frames, 20), STDERR_FILENO);
    inside = 0;
  }
  if (n == fault_at) tell_call(kind);
  errno = kind == MEMORY || kind == CALL_map ? ENOMEM : kind == CALL_write ? ENOSPC : EIO;
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  const char *kind = getenv("FAULT_KIND"), *at = getenv("FAULT_AT"), *what = getenv("FAULT_DO");
  void *frames[2];
  backtrace(frames, 2); /* loads what it needs before anything is counted */
  dl_iterate_phdr(find_mortals, NULL);
  for (int i = 0; kind && i < KINDS; i++)
    if (strcmp(kind, names[i]) == 0) fault_kind = i;
  fault_any = kind && strcmp(kind, "any") == 0;
  fault_at = at ? strtol(at, NULL, 10) : 0;
  fault_from = getenv("FAULT_FROM") != NULL;
  fault_kill = what && strcmp(what, "kill") == 0;
  fault_short = what && strcmp(what, "short") == 0;
  const char *file = getenv("FAULT_SITES");
  if (file) sites = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  process = getpid();
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNT");
  if (!path || getpid() != process) return;
  process = 0;
  FILE *file = fopen(path, "w");
  for (int i = 0; file && i < KINDS; i++) fprintf(file, "%s %ld\n", names[i], counts[i]);
  if (file) fprintf(file, "any %ld\n", all_calls);
  if (file) fclose(file);
}

#define NO_MEMORY (!is_mortal(__builtin_return_address(0)) && fails(MEMORY))

void *malloc(size_t bytes) {
  return NO_MEMORY ? NULL : __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  return NO_MEMORY ? NULL : __libc_calloc(count, bytes);
}
void *realloc(void *block, size_t bytes) {
  return NO_MEMORY ? NULL : __libc_realloc(block, bytes);
}
void *memalign(size_t alignment, size_t bytes) {
  return NO_MEMORY ? NULL : __libc_memalign(alignment, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  return NO_MEMORY ? NULL : __libc_memalign(alignment, bytes);
}
int posix_memalign(void **block, size_t alignment, size_t bytes) {
  return !NO_MEMORY && (*block = __libc_memalign(alignment, bytes)) ? 0 : ENOMEM;
}

/* Allocates for its caller. */
char *strdup(const char *text) {
  const size_t bytes = strlen(text) + 1;
  char *copy = NO_MEMORY ? NULL : __libc_malloc(bytes);
  return copy ? memcpy(copy, text, bytes) : NULL;
}

/* The real one of a name, whatever its type. */
#define REAL(type, name, parameters)                                                                                   \
  static type(*real) parameters;                                                                                       \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, name)

/* Standard streams carry messages, which are no files. */
static int is_file(int descriptor) {
  return descriptor > STDERR_FILENO;
}

#define WRITE(name, parameters, whole, half)                                                                           \
  ssize_t name parameters {                                                                                            \
    REAL(ssize_t, #name, parameters);                                                                                  \
    if (!is_file(to) || !fails(CALL_write)) return real whole;                                                         \
    if (fault_short && bytes > 1) return real half;                                                                    \
    return -1;                                                                                                         \
  }
WRITE(write, (int to, const void *from, size_t bytes), (to, from, bytes), (to, from, bytes / 2))
WRITE(pwrite, (int to, const void *from, size_t bytes, off_t offset), (to, from, bytes, offset),
      (to, from, bytes / 2, offset))
WRITE(pwrite64, (int to, const void *from, size_t bytes, off_t offset), (to, from, bytes, offset),
      (to, from, bytes / 2, offset))

size_t fwrite(const void *from, size_t size, size_t count, FILE *file) {
  REAL(size_t, "fwrite", (const void *, size_t, size_t, FILE *));
  if (!is_file(fileno(file)) || !fails(CALL_write)) return real(from, size, count, file);
  const size_t done = fault_short ? real(from, size, count / 2, file) : 0;
  file->_flags |= 0x20; /* what ferror tells, as behind a write that failed */
  errno = ENOSPC;
  return done;
}
int fflush(FILE *file) {
  REAL(int, "fflush", (FILE *));
  return file && is_file(fileno(file)) && fails(CALL_write) ? EOF : real(file);
}
int fclose(FILE *file) {
  REAL(int, "fclose", (FILE *));
  const int failing = is_file(fileno(file)) && fails(CALL_close), fault = errno, result = real(file);
  if (failing) errno = fault;
  return failing ? EOF : result;
}

#define READ(name, parameters, whole, half)                                                                            \
  ssize_t name parameters {                                                                                            \
    REAL(ssize_t, #name, parameters);                                                                                  \
    if (!is_file(from) || !fails(CALL_read)) return real whole;                                                        \
    if (fault_short && bytes > 1) return real half;                                                                    \
    return -1;                                                                                                         \
  }
READ(read, (int from, void *to, size_t bytes), (from, to, bytes), (from, to, bytes / 2))
READ(pread, (int from, void *to, size_t bytes, off_t offset), (from, to, bytes, offset), (from, to, bytes / 2, offset))
READ(pread64, (int from, void *to, size_t bytes, off_t offset), (from, to, bytes, offset),
     (from, to, bytes / 2, offset))
READ(__read_chk, (int from, void *to, size_t bytes, size_t room), (from, to, bytes, room), (from, to, bytes / 2, room))
READ(__pread_chk, (int from, void *to, size_t bytes, off_t offset, size_t room), (from, to, bytes, offset, room),
     (from, to, bytes / 2, offset, room))
READ(__pread64_chk, (int from, void *to, size_t bytes, off_t offset, size_t room), (from, to, bytes, offset, room),
     (from, to, bytes / 2, offset, room))

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    REAL(int, #name, (const char *, int, ...));                                                                        \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                      \
    va_end(rest);                                                                                                      \
    return fails(CALL_open) ? -1 : real(path, flags, mode);                                                            \
  }
OPEN(open)
OPEN(open64)
#define OPEN_STREAM(name)                                                                                              \
  FILE *name(const char *path, const char *mode) {                                                                     \
    REAL(FILE *, #name, (const char *, const char *));                                                                 \
    return fails(CALL_open) ? NULL : real(path, mode);                                                                 \
  }
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

#define SIMPLE(name, kind, parameters, given)                                                                          \
  int name parameters {                                                                                                \
    REAL(int, #name, parameters);                                                                                      \
    return fails(kind) ? -1 : real given;                                                                              \
  }
/* Writes the step down and stops. */
static void step(const char *line) {
  const char *path = getenv("FAULT_STEPS");
  if (!path || !process || inside || getpid() != process) return;
  const int fault = errno;
  inside = 1;
  FILE *file = fopen(path, "a");
  if (file) fprintf(file, "%s\n", line);
  if (file) fclose(file);
  kill(process, SIGSTOP);
  inside = 0;
  errno = fault;
}

int fsync(int file) {
  REAL(int, "fsync", (int));
  struct stat status;
  char line[40] = "fsync 0";
  if (fails(CALL_fsync)) return -1;
  const int result = real(file);
  if (fstat(file, &status) == 0) snprintf(line, sizeof line, "fsync %lu", (unsigned long)status.st_ino);
  step(line);
  return result;
}

#define STEP(name, kind, parameters, given, line)                                                                      \
  int name parameters {                                                                                                \
    REAL(int, #name, parameters);                                                                                      \
    if (fails(kind)) return -1;                                                                                        \
    const int result = real given;                                                                                     \
    step(line);                                                                                                        \
    return result;                                                                                                     \
  }
STEP(syncfs, CALL_fsync, (int file), (file), "syncfs")
STEP(rename, CALL_rename, (const char *from, const char *to), (from, to), "rename")
STEP(renameat2, CALL_rename, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags),
     "rename")
STEP(unlink, CALL_unlink, (const char *path), (path), "unlink")
SIMPLE(mkdir, CALL_open, (const char *path, mode_t mode), (path, mode))
SIMPLE(chmod, CALL_rename, (const char *path, mode_t mode), (path, mode))
SIMPLE(ftruncate, CALL_truncate, (int file, off_t bytes), (file, bytes))
SIMPLE(ftruncate64, CALL_truncate, (int file, off_t bytes), (file, bytes))

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
  REAL(void *, "mmap", (void *, size_t, int, int, int, off_t));
  return fails(CALL_map) ? MAP_FAILED : real(at, bytes, protection, flags, file, offset);
}
