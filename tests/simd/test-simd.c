/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels, the cap by GANTRY_CPU (read once, so each value in a process of its own), and which table is handed out. */
#include "recon/simd/compile.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The usable level where GANTRY_CPU is `value`; + 100: the environment was refused. -1: the child ended badly. */
static int level_with(const char *value) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("GANTRY_CPU", value, 1);
    ct_error *error = NULL;
    int status = ct_simd_check_environment(&error) ? 0 : 100;
    if (error && !strstr(error->message, value)) status = 50;
    ct_error_clear(&error);
    _exit(status + (int)ct_simd_usable());
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void the_environment_caps_the_level(void) {
  /* This process must not have asked yet: what it found its children would know. */
  const int machine = level_with("");
  CHECK(machine >= 0 && machine < CT_SIMD_LEVELS);
  for (int level = 0; level < CT_SIMD_LEVELS; level++)
    CHECK(level_with(ct_simd_id((ct_simd_level)level)) == (level <= machine ? level : 100 + machine));
  CHECK(level_with("v5") == 100 + machine);
  CHECK(machine == (int)ct_simd_machine());
}

static void names_are_read_back(void) {
  ct_simd_level level;
  for (int n = 0; n < CT_SIMD_LEVELS; n++) {
    CHECK(ct_simd_parse(ct_simd_id((ct_simd_level)n), &level) && (int)level == n);
    CHECK(*ct_simd_title((ct_simd_level)n));
  }
  CHECK(!ct_simd_parse("V3", &level) && !ct_simd_parse("", &level));
}

static void tables_come_from_the_highest_usable_level(void) {
  static const int tables[CT_SIMD_LEVELS];
  ct_simd_loops all, one = {{NULL}}, none = {{NULL}};
  for (int n = 0; n < CT_SIMD_LEVELS; n++) all.at[n] = &tables[n];
  CHECK(ct_simd_loops_usable(&all) == &tables[ct_simd_usable()]);
  CHECK(ct_simd_loops_need(&all) == CT_SIMD_BASELINE);
  one.at[CT_SIMD_V4_VNNI] = &tables[CT_SIMD_V4_VNNI];
  CHECK(ct_simd_loops_need(&one) == CT_SIMD_V4_VNNI);
  CHECK(!ct_simd_loops_usable(&one) == (ct_simd_usable() < CT_SIMD_V4_VNNI));
  CHECK(!ct_simd_loops_usable(&none) && ct_simd_loops_need(&none) == CT_SIMD_BASELINE);
}

static void the_machine_describes_itself(void) {
  char text[256];
  ct_simd_describe_machine(text, sizeof text);
  CHECK(strstr(text, "core") && strstr(text, ct_simd_title(ct_simd_machine())));
}

static const ct_test tests[] = {
    {"GANTRY_CPU caps the level, and is refused where it cannot", the_environment_caps_the_level},
    {"names of levels are read back", names_are_read_back},
    {"tables come from the highest usable level", tables_come_from_the_highest_usable_level},
    {"the machine describes itself", the_machine_describes_itself},
};

CT_TEST_MAIN(tests)
