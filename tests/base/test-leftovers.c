/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a killed process leaves behind goes with the next output into the same folder; what belongs to a living one, to
 * another machine, or is too young, stays. */
#include "tests/test.h"

#include "recon/base/output.h"
#include "tests/io/files.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static int count_files(void) {
  int count = 0;
  DIR *dir = opendir(test_folder);
  for (const struct dirent *entry; dir && (entry = readdir(dir));)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(dir);
  return count;
}

static void make_older(const char *path, int seconds) {
  const struct timespec then = {time(NULL) - seconds, 0}, times[2] = {then, then};
  if (utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) != 0) abort();
}

/* Begins an output in a child process and kills it there. The name of what stays, of /tmp/.../NAME. */
static const char *leave(bool folder, int age) {
  static char path[512];
  int ends[2];
  if (pipe(ends) != 0) abort();
  const pid_t child = fork();
  if (child == 0) {
    ct_output *output = ct_output_begin(in_folder("v"), folder, NULL);
    if (!output) _exit(1);
    const char *name = ct_output_get_path(output);
    if (folder) write_text(in_folder("%s/slice.png", strrchr(name, '/') + 1), "x");
    if (write(ends[1], name, strlen(name) + 1) < 0) _exit(1);
    for (;;) pause();
  }
  close(ends[1]);
  ssize_t got = 0;
  for (ssize_t bytes; got < (ssize_t)sizeof path - 1 && (got == 0 || path[got - 1]); got += bytes)
    if ((bytes = read(ends[0], path + got, 1)) <= 0) abort();
  close(ends[0]);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  make_older(path, age);
  return path;
}

static void begin_and_end(void) {
  ct_output_abandon(ct_output_begin(in_folder("w"), false, NULL));
}

static void test_killed(void) {
  make_test_folder();
  for (int folder = 0; folder < 2; folder++) {
    CHECK(access(leave(folder, 1000), F_OK) == 0);
    CHECK(count_files() == 1);
    begin_and_end();
    CHECK(count_files() == 0);
  }
  remove_test_folder();
}

static void test_young(void) {
  make_test_folder();
  leave(false, 30);
  begin_and_end();
  CHECK(count_files() == 1);
  remove_test_folder();
}

static void test_living(void) {
  make_test_folder();
  ct_output *output = ct_output_begin(in_folder("v"), false, NULL);
  CHECK(output);
  make_older(ct_output_get_path(output), 100000);
  begin_and_end();
  CHECK(access(ct_output_get_path(output), F_OK) == 0);
  ct_output_abandon(output);
  CHECK(count_files() == 0);
  remove_test_folder();
}

/* Names that are like ours, and links. */
static void test_others(void) {
  make_test_folder();
  char name[512], path[600];
  snprintf(name, sizeof name, "%s", strrchr(leave(false, 1000), '/') + 1);
  snprintf(path, sizeof path, "%s", in_folder("%s", name));
  static const char *const names[] = {".gantry-notes.tmp", ".gantry-files", ".gantry-0-0-0-0.tmp",
                                      ".gantry-00000001-1-1-0000000000000001.tmp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    write_text(in_folder("%s", names[i]), "x");
    make_older(in_folder("%s", names[i]), 100000);
  }
  /* Another machine, a longer name; a link of the right name. */
  name[8] ^= 1;
  write_text(in_folder("%s", name), "x");
  make_older(in_folder("%s", name), 1000);
  write_text(in_folder("%s.old", strrchr(path, '/') + 1), "x");
  make_older(in_folder("%s.old", strrchr(path, '/') + 1), 1000);
  if (unlink(path) != 0 || symlink("nowhere", path) != 0) abort();
  make_older(path, 1000);
  begin_and_end();
  CHECK(count_files() == 4 + 3);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"what killed processes left is removed", test_killed},
    {"but not at once", test_young},
    {"what a process still writes stays", test_living},
    {"and so does what is not ours", test_others},
};
CT_TEST_MAIN(tests)
