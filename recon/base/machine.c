/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processor features, thread count and time. */
#include "recon/base/machine.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

unsigned ct_cpu_features(void) {
  unsigned features = 0;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
    features |= CT_CPU_AVX2_FMA;
#ifdef CT_AVX512_EMULATED
    features |= CT_CPU_AVX512 | CT_CPU_AVX512_VNNI;
#endif
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
      features |= CT_CPU_AVX512;
      if (__builtin_cpu_supports("avx512vnni")) features |= CT_CPU_AVX512_VNNI;
      if (__builtin_cpu_supports("avx512vbmi")) features |= CT_CPU_AVX512_VBMI;
    }
  }
#endif
  return features;
}

void ct_cpu_describe(char *text, size_t size) {
  char name[128] = "processor";
  FILE *file = fopen("/proc/cpuinfo", "re");
  if (file) {
    char line[256];
    while (fgets(line, sizeof line, file))
      if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
        snprintf(name, sizeof name, "%s", strchr(line, ':') + 2);
        name[strcspn(name, "\n")] = 0;
        break;
      }
    fclose(file);
  }
  const unsigned features = ct_cpu_features();
  const int cores = omp_get_num_procs();
#ifdef CT_AVX512_EMULATED
  const char *wide = "AVX-512 emulated";
#else
  const char *wide = "AVX-512";
#endif
  snprintf(text, size, "%s, %d %s, %s", name, cores, cores == 1 ? "core" : "cores",
           features & CT_CPU_AVX512     ? wide
           : features & CT_CPU_AVX2_FMA ? "AVX2"
                                        : "no wide vectors");
}

int ct_thread_count(void) {
  const int threads = omp_get_max_threads();
  return threads > 0 ? threads : 1;
}

double ct_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
