/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests' harness: TAP on stdout. A test is a void function; CHECK and friends end it on failure with the place and
 * the values; SKIP ends it with a reason. */
#ifndef CT_TEST_H
#define CT_TEST_H

#include "recon/base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ct_test {
  const char *name;
  void (*run)(void);
} ct_test;

/* Declared per test program. */
static int ct_test_state; /* 0 passed, 1 failed, 2 skipped */
static char ct_test_reason[512];

#define CT_TEST_END(state, ...)                                                                                        \
  do {                                                                                                                 \
    ct_test_state = (state);                                                                                           \
    snprintf(ct_test_reason, sizeof ct_test_reason, __VA_ARGS__);                                                      \
    return;                                                                                                            \
  } while (0)

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) CT_TEST_END(1, "%s:%d: %s", __FILE__, __LINE__, #condition);                                     \
  } while (0)
#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
  do {                                                                                                                 \
    const double a_ = (actual), e_ = (expected), t_ = (tolerance);                                                     \
    if (!(fabs(a_ - e_) <= t_))                                                                                        \
      CT_TEST_END(1, "%s:%d: %s = %.9g, not %.9g within %.3g", __FILE__, __LINE__, #actual, a_, e_, t_);               \
  } while (0)
#define CHECK_BELOW(actual, bound)                                                                                     \
  do {                                                                                                                 \
    const double a_ = (actual), b_ = (bound);                                                                          \
    if (!(a_ < b_)) CT_TEST_END(1, "%s:%d: %s = %.9g, not below %.9g", __FILE__, __LINE__, #actual, a_, b_);           \
  } while (0)
/* The call succeeds; its error, named `error` in the test, is shown when not. */
#define CHECK_OK(call)                                                                                                 \
  do {                                                                                                                 \
    if (!(call))                                                                                                       \
      CT_TEST_END(1, "%s:%d: %s failed: %.300s", __FILE__, __LINE__, #call,                                            \
                  error ? error->message : "(no error set)");                                                          \
  } while (0)
/* The call fails with this code and words that contain `words`. `error` is cleared. */
#define CHECK_FAILS(call, expected, words)                                                                             \
  do {                                                                                                                 \
    if (call) CT_TEST_END(1, "%s:%d: %s succeeded", __FILE__, __LINE__, #call);                                        \
    if (!error) CT_TEST_END(1, "%s:%d: %s set no error", __FILE__, __LINE__, #call);                                   \
    if (error->code != (expected) || !strstr(error->message, words))                                                   \
      CT_TEST_END(1, "%s:%d: %s: error %d: %.300s", __FILE__, __LINE__, #call, (int)error->code, error->message);      \
    ct_error_clear(&error);                                                                                            \
  } while (0)
#define SKIP(...) CT_TEST_END(2, __VA_ARGS__)

/* Real scans with known answers lie in $GANTRY_DATA, or in ../shared/data beside the source tree; NULL when missing. */
static inline const char *ct_test_data(const char *name) {
  static char path[4096];
  const char *folder = getenv("GANTRY_DATA");
  snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/data", name);
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fclose(file);
  return path;
}

/* CT_TEST_CASES: one case in so many, where a machine or a build is too slow for all. */
static inline int ct_test_case_step(void) {
  const char *step = getenv("CT_TEST_CASES");
  return step && atoi(step) > 1 ? atoi(step) : 1;
}

static inline int ct_test_run(const ct_test *tests, size_t count) {
  int failures = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("1..%zu\n", count);
  for (size_t i = 0; i < count; i++) {
    ct_test_state = 0;
    tests[i].run();
    failures += ct_test_state == 1;
    if (ct_test_state == 0)
      printf("ok %zu - %s\n", i + 1, tests[i].name);
    else if (ct_test_state == 1)
      printf("not ok %zu - %s\n# %s\n", i + 1, tests[i].name, ct_test_reason);
    else
      printf("ok %zu - %s # SKIP %s\n", i + 1, tests[i].name, ct_test_reason);
  }
  return failures ? 1 : 0;
}

#define CT_TEST_MAIN(tests)                                                                                            \
  int main(void) {                                                                                                     \
    return ct_test_run((tests), sizeof(tests) / sizeof *(tests));                                                      \
  }

#endif
