/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checked, aligned allocation; what memory the machine has left. */
#include "recon/base/memory.h"

#include "recon/base/units.h"
#include "recon/base/untold.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20, HUGE_FROM = 4 << 20 };

bool ct_size_multiply(size_t a, size_t b, size_t *product) {
  return !__builtin_mul_overflow(a, b, product);
}

bool ct_size_product(int64_t a, int64_t b, int64_t c, size_t element, size_t *product) {
  if (a < 0 || b < 0 || c < 0) return false;
  size_t p;
  if (__builtin_mul_overflow((size_t)a, (size_t)b, &p) || __builtin_mul_overflow(p, (size_t)c, &p) ||
      __builtin_mul_overflow(p, element, &p) || p > PTRDIFF_MAX)
    return false;
  *product = p;
  return true;
}

static void note_lack(const char *what) {
  char text[CT_UNTOLD];
  snprintf(text, sizeof text, "There was not enough memory for %s", what);
  ct_untold_note(text);
}

static void *refuse(size_t count, size_t element, const char *what, ct_error **error) {
  char size[32];
  const double total = (double)ct_memory_total();
  if (!(total > 0 && (double)count * (double)element > total)) note_lack(what);
  ct_format_bytes((double)count * (double)element, size, sizeof size);
  ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for %s (%s).", what, size);
  return NULL;
}

void *ct_alloc(size_t count, size_t element, const char *what, ct_error **error) {
  size_t bytes;
  if (!ct_size_multiply(count, element, &bytes) || bytes > PTRDIFF_MAX - 2 * (size_t)HUGE_PAGE)
    return refuse(count, element, what, error);
  const size_t alignment = bytes >= HUGE_FROM ? HUGE_PAGE : CT_ALIGNMENT;
  /* A vector load past the last element of an array must stay inside its block. */
  const size_t rounded = (bytes + 2 * CT_ALIGNMENT - 1) / CT_ALIGNMENT * CT_ALIGNMENT;
  void *block = NULL;
  if (posix_memalign(&block, alignment, rounded) != 0) return refuse(count, element, what, error);
  if (bytes >= HUGE_FROM) madvise(block, rounded, MADV_HUGEPAGE);
  return block;
}

/* Not a word to OpenMP for small blocks: LLVM's library begins with system calls that a child process in which a file
 * is tried out may not make (recon/io/shared/trial.c), even where one thread does it all. */
void ct_clear(void *block, size_t bytes) {
  const size_t chunk = 8 << 20, chunks = (bytes + chunk - 1) / chunk;
  if (chunks < 2) {
    memset(block, 0, bytes);
    return;
  }
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < chunks; i++) memset((char *)block + i * chunk, 0, i + 1 < chunks ? chunk : bytes - i * chunk);
}

void *ct_alloc_zero(size_t count, size_t element, const char *what, ct_error **error) {
  void *block = ct_alloc(count, element, what, error);
  if (block) ct_clear(block, count * element);
  return block;
}

void ct_free(void *block) {
  free(block);
}

char *ct_strdup(const char *text, ct_error **error) {
  char *copy = strdup(text);
  if (!copy) {
    note_lack("a text");
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a text.");
  }
  return copy;
}

char *ct_strprintf(const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) < 0) {
    text = NULL;
    note_lack("a text");
  }
  va_end(args);
  return text;
}

/* A number out of a small file of the system: the first, or the one behind `key`; scaled; 0 when it is not there. */
static size_t read_number(const char *path, const char *key, size_t scale) {
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  char line[256];
  size_t value = 0;
  while (fgets(line, sizeof line, file)) {
    const char *digits = line;
    if (key) {
      if (strncmp(line, key, strlen(key)) != 0) continue;
      digits = line + strlen(key);
    }
    unsigned long long number;
    if (sscanf(digits, "%llu", &number) == 1) value = (size_t)number * scale;
    break;
  }
  fclose(file);
  return value;
}

size_t ct_memory_available(void) {
  size_t available = read_number("/proc/meminfo", "MemAvailable:", 1024);
  const size_t limit = read_number("/sys/fs/cgroup/memory.max", NULL, 1);
  if (limit) {
    const size_t used = read_number("/sys/fs/cgroup/memory.current", NULL, 1);
    /* The page cache counts as used there but can be given back. */
    const size_t cache = read_number("/sys/fs/cgroup/memory.stat", "file ", 1);
    const size_t held = used > cache ? used - cache : 0;
    const size_t left = limit > held ? limit - held : 0;
    if (!available || left < available) available = left;
  }
  struct rlimit space;
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    const size_t mapped = read_number("/proc/self/statm", NULL, (size_t)sysconf(_SC_PAGESIZE));
    const size_t left = space.rlim_cur > mapped ? (size_t)space.rlim_cur - mapped : 0;
    if (!available || left < available) available = left;
  }
  return available;
}

size_t ct_memory_total(void) {
  return read_number("/proc/meminfo", "MemTotal:", 1024);
}

size_t ct_memory_resident(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return 0;
  unsigned long long all, resident = 0;
  if (fscanf(file, "%llu %llu", &all, &resident) != 2) resident = 0;
  fclose(file);
  return (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
}
