/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A template becomes the words that are run, whatever paths are made of; lines of a job tell how far it is. */
#include "app/launch.h"
#include "tests/test.h"

#include <signal.h>
#include <unistd.h>

static const char *const arguments[] = {"/data/it's \"one\".h5", "--plan", "/tmp/a b;c.json", NULL};

static char **words_of(const char *command, GError **error) {
  const GantryLaunch launch = {command, 12, 0, "/opt/my tools/gantry-cli", arguments};
  return gantry_launch_dup_words(&launch, error);
}

static void test_words(void) {
  static const struct {
    const char *command, *words[9];
  } cases[] = {
      {"mpirun -n {processes} {program} reconstruct {arguments}",
       {"mpirun", "-n", "12", "/opt/my tools/gantry-cli", "reconstruct", "/data/it's \"one\".h5", "--plan",
        "/tmp/a b;c.json", NULL}},
      {"srun --ntasks={processes} -c {threads} 'gantry-cli' {arguments}",
       {"srun", "--ntasks=12", "-c", "1", "gantry-cli", "/data/it's \"one\".h5", "--plan", "/tmp/a b;c.json", NULL}},
      {"sh -c '{program} reconstruct {arguments}; exit $?'",
       {"sh", "-c",
        "'/opt/my tools/gantry-cli' reconstruct '/data/it'\\''s \"one\".h5' '--plan' '/tmp/a b;c.json'; exit $?",
        NULL}},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) words = words_of(cases[i].command, &error);
    CHECK(words && g_strv_equal((const char *const *)words, cases[i].words));
    /* What is shown can be typed. */
    g_autofree char *line = gantry_launch_dup_line((const char *const *)words);
    g_auto(GStrv) typed = NULL;
    CHECK(g_shell_parse_argv(line, NULL, &typed, NULL));
    CHECK(g_strv_equal((const char *const *)words, (const char *const *)typed));
  }
}

static void test_mistakes(void) {
  static const char *const cases[][2] = {{"mpirun {program}", "{arguments}"},
                                         {"", "{arguments}"},
                                         {"mpirun -n {process} {arguments}", "{process}"},
                                         {"mpirun 'gantry-cli {arguments}", "taken apart"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) words = words_of(cases[i][0], &error);
    CHECK(!words && error && strstr(error->message, cases[i][1]));
  }
  CHECK(gantry_launch_names_program("mpirun {program} {arguments}"));
  CHECK(!gantry_launch_names_program("mpirun gantry-cli {arguments}"));
  CHECK(gantry_launch_has_mpi("gantry-cli 9.9\nwith MPI (MPICH 4.0.2)\n"));
  CHECK(!gantry_launch_has_mpi("gantry-cli 9.9\nwithout MPI\n") && !gantry_launch_has_mpi("gantry-cli 9.9\n"));
}

static void test_stand(void) {
  static const struct {
    const char *line;
    double part;
  } cases[] = {
      {"Reading 24 / 90, 34.1 MB", -1},
      {"Finding the centre 3 / 90, 34.1 MB", -1},
      {"Back-projecting 20 / 80, 0.1 GUPS, 1.4 s left, 37.5 MB", 0.25},
      {"\r\033[KSlab 3 / 4: Back-projecting 40 / 80, 37.7 MB", 0.625},
      {"Slab 2 / 2: Back-projecting 8 / 80, 37 % of all 3 processes, 1.1 GUPS, 37.5 MB", 0.37},
      {"Iterating 1 / 2, 13 of 20 in all 3 processes, 37.5 MB", 0.65},
      {"Slab 2 / 4: Filtering 70 / 80, 37.7 MB", 0.65},
      {"Writing 5 / 64, 37.7 MB", 0.65},
  };
  GantryLaunchLog *log = gantry_launch_log_new();
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    CHECK(gantry_launch_log_read(log, cases[i].line));
    CHECK_NEAR(gantry_launch_log_get_part(log), cases[i].part, 1e-12);
    CHECK(strstr(cases[i].line, gantry_launch_log_get_stand(log)));
  }
  static const char *const others[] = {
      "Reading", "Readings 3 / 4", "Slab 1 / 2: v.mha", "v.mha: 2 processes", "gantry-cli: Reading 3 / 4, failed", ""};
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++) CHECK(!gantry_launch_log_read(log, others[i]));
  CHECK_NEAR(gantry_launch_log_get_part(log), 0.65, 1e-12);
  gantry_launch_log_free(log);
}

static void test_messages(void) {
  GantryLaunchLog *log = gantry_launch_log_new();
  CHECK(!gantry_launch_log_read(log, "--------------"));
  g_autofree char *none = gantry_launch_log_dup_messages(log);
  CHECK(!*none);
  gantry_launch_log_read(log, "There are not enough slots \xff");
  for (int i = 0; i < 500; i++) gantry_launch_log_read(log, "  and so on");
  g_autofree char *launcher = gantry_launch_log_dup_messages(log);
  CHECK(g_utf8_validate(launcher, -1, NULL) && strlen(launcher) < 4000 && strstr(launcher, "and so on"));
  gantry_launch_log_read(log, "gantry-cli: s.h5: It is cut off");
  gantry_launch_log_read(log, "gantry-cli: 12 of 64 slices are kept");
  gantry_launch_log_read(log, "Primary job terminated normally");
  g_autofree char *own = gantry_launch_log_dup_messages(log), *rest = gantry_launch_log_dup_summary(log);
  CHECK(!strcmp(own, "s.h5: It is cut off\n12 of 64 slices are kept"));
  CHECK(strstr(rest, "Primary job") && !strstr(rest, "cut off"));
  gantry_launch_log_free(log);
}

/* As many as it took to meet a launcher that was gone before it was looked at, and more. */
static void test_start(void) {
  static const char *const gone[] = {"true", NULL};
  pid_t last = 0;
  for (int i = 0; i < 100; i++) {
    pid_t group = 0;
    g_autoptr(GError) error = NULL;
    g_autoptr(GSubprocess) process = gantry_launch_start(gone, &group, &error);
    CHECK(process && group > 1 && group != last && group != getpgrp());
    CHECK(process && g_subprocess_wait_check(process, NULL, NULL));
    last = group;
  }
  /* What a launcher leaves behind keeps the pipe open until its group is ended. */
  static const char *const leaves[] = {"sh", "-c", "sleep 600 & echo begun", NULL};
  pid_t group = 0;
  char words[64] = "";
  gsize length = 0;
  g_autoptr(GSubprocess) process = gantry_launch_start(leaves, &group, NULL);
  CHECK(process && g_subprocess_wait(process, NULL, NULL));
  CHECK(group > 1 && kill(-group, SIGTERM) == 0);
  GInputStream *pipe = g_subprocess_get_stdout_pipe(process);
  CHECK(g_input_stream_read_all(pipe, words, sizeof words - 1, &length, NULL, NULL) && g_str_equal(words, "begun\n"));
  static const char *const nowhere[] = {"/no/such/launcher", NULL};
  g_autoptr(GError) error = NULL;
  CHECK(!gantry_launch_start(nowhere, &group, &error) && error);
}

static const ct_test tests[] = {{"a template becomes words, whatever paths hold", test_words},
                                {"mistakes of a template are told", test_mistakes},
                                {"lines tell how far all processes are", test_stand},
                                {"a launcher's group is known, ended or not", test_start},
                                {"the program's own messages come before the launcher's", test_messages}};
CT_TEST_MAIN(tests)
