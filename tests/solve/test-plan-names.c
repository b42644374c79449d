/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of plans say what tells them from each other, and nothing else. */
#include "recon/solve/plan-names.h"
#include "tests/test.h"

#include <string.h>

enum { MOST = 8 };

/* Plans set by texts like "precision=float16 interpolation=nearest", each with the name that it should have; the first
 * fault as text. */
static const char *check(const char *const set[], const char *const expected[], size_t count) {
  static char fault[400];
  ct_plan plans[MOST];
  const ct_plan *list[MOST] = {NULL};
  char names[MOST][CT_PLAN_NAME];
  for (size_t i = 0; i < count; i++) {
    char text[200];
    ct_plan_init(&plans[i]);
    list[i] = &plans[i];
    snprintf(text, sizeof text, "%s", set[i]);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
      char *value = strchr(word, '=');
      *value = 0;
      if (!ct_plan_set_text(&plans[i], word, value + 1, NULL)) return "a test's plan cannot be set";
    }
  }
  ct_plan_names(list, count, names);
  for (size_t i = 0; i < count; i++)
    if (strcmp(names[i], expected[i]) != 0) {
      snprintf(fault, sizeof fault, "\"%.90s\" is named \"%.150s\", not \"%.90s\"", set[i], names[i], expected[i]);
      return fault;
    }
  return NULL;
}

#define CHECK_NAMES(...)                                                                                               \
  do {                                                                                                                 \
    static const char *const rows[][2] = {__VA_ARGS__};                                                                \
    const char *set[MOST], *names[MOST];                                                                               \
    const size_t count = sizeof rows / sizeof *rows;                                                                   \
    for (size_t i = 0; i < count; i++) set[i] = rows[i][0], names[i] = rows[i][1];                                     \
    const char *fault = check(set, names, count);                                                                      \
    if (fault) CT_TEST_END(1, "%s:%d: %s", __FILE__, __LINE__, fault);                                                 \
  } while (0)

static void two_plans_both_tell(void) {
  CHECK_NAMES({"", "single"}, {"precision=float16", "half"});
  CHECK_NAMES({"view_step=3", "every 3rd view"}, {"", "every view"});
  CHECK_NAMES({"filter.window=hann", "hann"}, {"filter.window=cosine cutoff=0.5", "cosine, cut-off 0.5 × Nyquist"},
              {"filter.window=shepp-logan", "shepp-logan"});
}

static void most_go_without_saying(void) {
  CHECK_NAMES({"", "linear, single, every view"}, {"precision=float16", "half"},
              {"interpolation=nearest view_step=2", "nearest, every 2nd view"});
  CHECK_NAMES({"", "linear"}, {"interpolation=nearest", "nearest"}, {"method=sirt iterations=50", "SIRT 50"});
}

static void grids_tell_all(void) {
  CHECK_NAMES({"kernel=textbook", "textbook, single"}, {"kernel=textbook precision=float16", "textbook, half"},
              {"kernel=slab", "slab, single"}, {"kernel=slab precision=float16", "slab, half"});
}

static void iterative_plans(void) {
  CHECK_NAMES({"method=sirt iterations=20", "20 iterations"}, {"method=sirt iterations=50", "50 iterations"});
  CHECK_NAMES({"method=sirt iterations=20", "SIRT 20"}, {"method=cgls iterations=1", "CGLS 1"});
  CHECK_NAMES({"", "direct"}, {"method=sirt iterations=3", "SIRT 3"}, {"method=sirt iterations=5", "SIRT 5"});
  /* Neither interpolation nor, without SIRT, its relaxation changes these. */
  CHECK_NAMES({"method=sirt interpolation=nearest", "SIRT 20"}, {"method=sirt", "SIRT 20"});
  CHECK_NAMES({"relaxation=0.5", "linear, single"}, {"", "linear, single"});
  CHECK_NAMES({"method=sirt relaxation=0.5", "relaxation 0.5"}, {"method=sirt", "relaxation automatic"});
}

static void nothing_differs(void) {
  CHECK_NAMES({"", "linear, single"});
  CHECK_NAMES({"output.compress=yes interpolation=nearest precision=float16", "nearest, half"},
              {"interpolation=nearest precision=float16", "nearest, half"});
}

static void differing(void) {
  ct_plan a, b;
  ct_plan_init(&a);
  b = a;
  b.iterative.iterations = 7;
  b.compress = !a.compress;
  CHECK(!ct_plans_differ(&a, &b));
  a.iterative.method = b.iterative.method = CT_METHOD_SIRT;
  CHECK(ct_plans_differ(&a, &b));
  b = a;
  b.interp = CT_INTERP_NEAREST;
  CHECK(!ct_plans_differ(&a, &b));
  b.threads = 3;
  CHECK(ct_plans_differ(&a, &b));
}

static const ct_test tests[] = {
    {"of two plans both values are told", two_plans_both_tell},
    {"what most plans have goes without saying", most_go_without_saying},
    {"a grid of plans tells every value", grids_tell_all},
    {"methods tell their iterations, and what they make use of", iterative_plans},
    {"what a method makes no use of makes no difference", differing},
    {"plans that do not differ are summarised", nothing_differs},
};
CT_TEST_MAIN(tests)
