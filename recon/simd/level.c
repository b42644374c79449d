/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which instruction sets may be used: every feature that -march=x86-64-v3 and -v4 let the compiler use, as CPUID tells
 * it (Intel SDM volume 2, AMD APM volume 3), and the registers that the operating system saves (XCR0). */
#include "recon/simd/level.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static const struct {
  const char *id, *title;
} levels[CT_SIMD_LEVELS] = {
    [CT_SIMD_BASELINE] = {"baseline", "no wide vectors"},
    [CT_SIMD_V3] = {"v3", "AVX2 with FMA"},
    [CT_SIMD_V4] = {"v4", "AVX-512"},
    [CT_SIMD_V4_VNNI] = {"v4-vnni", "AVX-512 VNNI"},
};

const char *ct_simd_id(ct_simd_level level) {
  return levels[level].id;
}

const char *ct_simd_title(ct_simd_level level) {
  return levels[level].title;
}

bool ct_simd_parse(const char *id, ct_simd_level *level) {
  for (int n = 0; n < CT_SIMD_LEVELS; n++)
    if (!strcmp(id, levels[n].id)) {
      *level = (ct_simd_level)n;
      return true;
    }
  return false;
}

#ifdef __x86_64__
#include <cpuid.h>

enum { EAX, EBX, ECX, EDX };

/* The compiler's macro of each feature, so that a test can hold this table against the compiler's own. */
static const struct {
  const char *macro;
  unsigned leaf;
  int word, bit;
  ct_simd_level level;
} features[] = {
    {"__SSE3__", 1, ECX, 0, CT_SIMD_V3},
    {"__SSSE3__", 1, ECX, 9, CT_SIMD_V3},
    {"__FMA__", 1, ECX, 12, CT_SIMD_V3},
    {"__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16", 1, ECX, 13, CT_SIMD_V3}, /* CMPXCHG16B */
    {"__SSE4_1__", 1, ECX, 19, CT_SIMD_V3},
    {"__SSE4_2__", 1, ECX, 20, CT_SIMD_V3},
    {"__CRC32__", 1, ECX, 20, CT_SIMD_V3},
    {"__MOVBE__", 1, ECX, 22, CT_SIMD_V3},
    {"__POPCNT__", 1, ECX, 23, CT_SIMD_V3},
    {"__XSAVE__", 1, ECX, 26, CT_SIMD_V3},
    {"__AVX__", 1, ECX, 28, CT_SIMD_V3},
    {"__F16C__", 1, ECX, 29, CT_SIMD_V3},
    {"__LAHF_SAHF__", 0x80000001, ECX, 0, CT_SIMD_V3},
    {"__LZCNT__", 0x80000001, ECX, 5, CT_SIMD_V3},
    {"__BMI__", 7, EBX, 3, CT_SIMD_V3},
    {"__AVX2__", 7, EBX, 5, CT_SIMD_V3},
    {"__BMI2__", 7, EBX, 8, CT_SIMD_V3},
#ifndef CT_AVX512_EMULATED
    {"__AVX512F__", 7, EBX, 16, CT_SIMD_V4},
    {"__AVX512DQ__", 7, EBX, 17, CT_SIMD_V4},
    {"__AVX512CD__", 7, EBX, 28, CT_SIMD_V4},
    {"__AVX512BW__", 7, EBX, 30, CT_SIMD_V4},
    {"__AVX512VL__", 7, EBX, 31, CT_SIMD_V4},
    {"__AVX512VNNI__", 7, ECX, 11, CT_SIMD_V4_VNNI},
#endif
};

/* XCR0, 0 where the operating system does not use XSAVE: bits 1 and 2 are SSE and AVX registers, 5 to 7 the masks and
 * the rest of AVX-512's. */
static unsigned saved_registers(void) {
  unsigned a, b, c, d, low, high;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1)) return 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static ct_simd_level find_level(void) {
  enum { avx_registers = 0x06, avx512_registers = 0xe6 };
  int highest = CT_SIMD_LEVELS - 1;
  unsigned words[4] = {0}, leaf = 0;
  for (size_t n = 0; n < sizeof features / sizeof *features; n++) {
    if (features[n].leaf != leaf) {
      leaf = features[n].leaf;
      if (!__get_cpuid_count(leaf, 0, &words[EAX], &words[EBX], &words[ECX], &words[EDX]))
        memset(words, 0, sizeof words);
    }
    const bool has = words[features[n].word] >> features[n].bit & 1;
    if (!has && (int)features[n].level <= highest) highest = (int)features[n].level - 1;
  }
  const unsigned saved = saved_registers();
#ifndef CT_AVX512_EMULATED
  if ((saved & avx512_registers) != avx512_registers && highest > CT_SIMD_V3) highest = CT_SIMD_V3;
#endif
  if ((saved & avx_registers) != avx_registers) highest = CT_SIMD_BASELINE;
  return (ct_simd_level)highest;
}
#else
static ct_simd_level find_level(void) {
  return CT_SIMD_BASELINE;
}
#endif

/* What does not change while the program runs, found once. */
static struct {
  once_flag once;
  ct_simd_level machine, usable;
  char wanted[32]; /* GANTRY_CPU, empty if unset */
  bool known;      /* it names a level */
} found = {.once = ONCE_FLAG_INIT};

static void find(void) {
  found.machine = found.usable = find_level();
  const char *wanted = getenv("GANTRY_CPU");
  if (!wanted || !*wanted) return;
  snprintf(found.wanted, sizeof found.wanted, "%s", wanted);
  ct_simd_level cap;
  found.known = ct_simd_parse(wanted, &cap);
  if (found.known && cap < found.machine) found.usable = cap;
}

ct_simd_level ct_simd_usable(void) {
  call_once(&found.once, find);
  return found.usable;
}

ct_simd_level ct_simd_machine(void) {
  call_once(&found.once, find);
  return found.machine;
}

bool ct_simd_check_environment(ct_error **error) {
  call_once(&found.once, find);
  ct_simd_level wanted;
  if (!*found.wanted) return true;
  if (!found.known)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "GANTRY_CPU is “%s”; it may be baseline, v3, v4 or v4-vnni, or not be set.", found.wanted);
  if (ct_simd_parse(found.wanted, &wanted) && wanted > found.machine)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "GANTRY_CPU is “%s”, which needs a processor with %s; this machine's level is %s.",
                        found.wanted, ct_simd_title(wanted), ct_simd_id(found.machine));
  return true;
}

const void *ct_simd_loops_usable(const ct_simd_loops *loops) {
  for (int level = (int)ct_simd_usable(); level >= 0; level--)
    if (loops->at[level]) return loops->at[level];
  return NULL;
}

ct_simd_level ct_simd_loops_need(const ct_simd_loops *loops) {
  for (int level = 0; level < CT_SIMD_LEVELS; level++)
    if (loops->at[level]) return (ct_simd_level)level;
  return CT_SIMD_BASELINE;
}

static void find_name(char *name, size_t size) {
  snprintf(name, size, "processor");
  FILE *file = fopen("/proc/cpuinfo", "re");
  if (!file) return;
  char line[256];
  while (fgets(line, sizeof line, file)) {
    const char *value = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !value || !value[1]) continue;
    snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
    break;
  }
  fclose(file);
}

void ct_simd_describe_machine(char *text, size_t size) {
  char name[128], cap[80] = "";
  find_name(name, sizeof name);
  const int cores = omp_get_num_procs();
  const ct_simd_level machine = ct_simd_machine(), usable = ct_simd_usable();
  if (usable != machine) snprintf(cap, sizeof cap, ", no more than %s by GANTRY_CPU", ct_simd_id(usable));
#ifdef CT_AVX512_EMULATED
  const char *how = machine > CT_SIMD_V3 ? " emulated" : "";
#else
  const char *how = "";
#endif
  snprintf(text, size, "%s, %d %s, %s%s%s", name, cores, cores == 1 ? "core" : "cores", ct_simd_title(machine), how,
           cap);
}
