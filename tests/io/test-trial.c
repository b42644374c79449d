/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Child processes in which libraries are tried out: what becomes of a crash, and what their sandbox refuses. */
#include "recon/io/shared/trial-private.h"
#include "tests/io/files.h"
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void do_nothing(void *data) {
  (void)data;
}

static void crash(void *data) {
  volatile int *volatile nowhere = (volatile int *)16;
  errno = *(int *)data;
  *nowhere = 1;
}

/* As a library does that is told of gigabytes by a damaged header. */
static void take_too_much(void *data) {
  (void)data;
  void *volatile room = malloc((size_t)5 << 30);
  free(room);
}

static void need_usual_time(void *data) {
  struct rlimit limit;
  (void)data;
  if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur > 10) _exit(1);
}

static void end(void *data) {
  _exit(*(int *)data);
}

static void test_outcomes(void) {
  ct_error *error = NULL;
  int number = 0;
  CHECK_OK(ct_survives(do_nothing, NULL, NULL, "a.h5", "HDF5", &error));
  CHECK_FAILS(ct_survives(crash, &number, NULL, "a.h5", "HDF5", &error), CT_ERROR_FORMAT,
              "a.h5 is a damaged HDF5 file.");
  number = ENOMEM;
  CHECK_FAILS(ct_survives(crash, &number, NULL, "b.mat", "MAT", &error), CT_ERROR_MEMORY,
              "There is not enough memory to open b.mat, or it is damaged.");
  /* An attempt that was refused memory: of a file of a few bytes, which cannot mean so much, and of one that may. */
  char small[] = "/tmp/gantry-trial-XXXXXX";
  const int file = mkstemp(small);
  CHECK(file >= 0 && write(file, "MATLAB", 6) == 6);
  CHECK_FAILS(ct_survives(take_too_much, NULL, NULL, small, "MAT", &error), CT_ERROR_MEMORY, "or it is damaged");
  CHECK(ftruncate(file, 2 << 20) == 0);
  CHECK_OK(ct_survives(take_too_much, NULL, NULL, small, "MAT", &error));
  /* A library may go round in circles in a large file too. */
  CHECK(ftruncate(file, (off_t)2 << 30) == 0);
  CHECK_OK(ct_survives(need_usual_time, NULL, NULL, small, "MAT", &error));
  close(file);
  unlink(small);
  number = 1;
  CHECK_FAILS(ct_survives(end, &number, NULL, "c.mat", "MAT", &error), CT_ERROR_FORMAT, "c.mat is a damaged MAT file.");
}

/* Fails with the code that `data` points to; none: a negative one. */
static bool fail(void *data, ct_error **error) {
  const int code = *(int *)data;
  return code < 0 || ct_error_set(error, (ct_error_code)code, "x.h5 lacks its %d views.", 17);
}

static bool crash_opening(void *data, ct_error **error) {
  crash(data);
  return true;
}

/* What fails in the child is told with its own words; for what may be the child's limit it is done here. */
static void test_failures(void) {
  ct_error *error = NULL;
  int code = CT_ERROR_DATA;
  CHECK_FAILS(ct_survives_and_opens(fail, &code, NULL, "x.h5", "HDF5", &error), CT_ERROR_DATA,
              "x.h5 lacks its 17 views.");
  CHECK(!ct_survives_and_opens(fail, &code, NULL, "x.h5", "HDF5", NULL));
  code = CT_ERROR_MEMORY;
  CHECK_OK(ct_survives_and_opens(fail, &code, NULL, "x.h5", "HDF5", &error));
  code = -1;
  CHECK_OK(ct_survives_and_opens(fail, &code, NULL, "x.h5", "HDF5", &error));
  code = 0;
  CHECK_FAILS(ct_survives_and_opens(crash_opening, &code, NULL, "x.h5", "HDF5", &error), CT_ERROR_FORMAT,
              "a damaged HDF5");
}

/* Many steps: the processor time that they leave, which was some seconds before. */
static int gain_time(void *data) {
  struct rlimit before = {0, 0}, after = {0, 0};
  atomic_uint step;
  getrlimit(RLIMIT_CPU, &before);
  for (int i = 0; i < *(int *)data; i++) {
    step = (unsigned)i;
    ct_trial_step(&step);
    if (getrlimit(RLIMIT_CPU, &after) != 0 || after.rlim_cur < before.rlim_cur) return CT_MOST_ANSWER;
  }
  return (int)(after.rlim_cur - before.rlim_cur);
}

/* Time is given by the steps, and not more than in proportion to them. */
static void test_steps(void) {
  int steps = 10;
  CHECK(ct_answers(gain_time, &steps) == 0);
  steps = 5000;
  const int gained = ct_answers(gain_time, &steps);
  CHECK(gained > 4 && gained < CT_MOST_ANSWER);
}

static int answer(void *data) {
  if (*(int *)data < 0) crash(data);
  return *(int *)data;
}

static void test_answers(void) {
  for (int n = -1; n <= CT_MOST_ANSWER; n += 16) CHECK(ct_answers(answer, &n) == n);
}

static void *note(void *data) {
  *(int *)data = 1;
  return NULL;
}

/* What reading takes goes on: files, memory, threads. */
static void read_all(void *data) {
  char byte;
  pthread_t thread;
  int done = 0;
  const int file = open(data, O_RDONLY | O_CLOEXEC);
  void *block = malloc(1 << 24), *map = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, file, 0);
  if (file < 0 || read(file, &byte, 1) != 1 || !block || map == MAP_FAILED) _exit(1);
  if (pthread_create(&thread, NULL, note, &done) != 0 || pthread_join(thread, NULL) != 0 || !done) _exit(2);
  if (printf("nothing of this is seen\n") < 0 || fflush(stdout) != 0) _exit(3);
}

/* Exits with the number of the first that is not refused. */
static void try_to_get_out(void *data) {
  const char *folder = data;
  char made[600], there[600];
  snprintf(made, sizeof made, "%s/made", folder);
  snprintf(there, sizeof there, "%s/there", folder);
  if (open(made, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0) _exit(10);
  if (open(there, O_RDWR | O_CLOEXEC) >= 0 || errno != EPERM) _exit(11);
  if (mkdir(made, 0700) == 0 || rename(there, made) == 0 || unlink(there) == 0 || truncate(there, 0) == 0) _exit(12);
  if (symlink(there, made) == 0 || link(there, made) == 0 || chmod(there, 0) == 0) _exit(13);
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0) _exit(14);
  execl("/bin/true", "true", (char *)NULL); /* would end this process with status 0 */
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) _exit(15);
  if (kill(getppid(), 0) == 0) _exit(16);
  if (syscall(SYS_ptrace, 0, 0, 0, 0) == 0) _exit(17);
  if (mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) _exit(18);
  _exit(40);
}

static int status_of(void (*run)(void *), void *data, bool *entered) {
  int status = 0, pipes[2];
  *entered = false;
  if (pipe(pipes) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    const bool inside = ct_sandbox_enter();
    /* a pipe cannot be written to any more where it is so */
    if (!inside && write(pipes[1], "-", 1) != 1) _exit(99);
    run(data);
    _exit(0);
  }
  close(pipes[1]);
  char byte;
  *entered = read(pipes[0], &byte, 1) == 0;
  close(pipes[0]);
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_sandbox(void) {
  bool entered;
  ct_error *error = NULL;
  char folder[512], there[600];
  snprintf(folder, sizeof folder, "%s", make_test_folder());
  snprintf(there, sizeof there, "%s/there", folder);
  write_text(there, "text");
  unsetenv("GANTRY_SANDBOX");
  const int status = status_of(try_to_get_out, folder, &entered);
  CHECK(access(there, R_OK) == 0);
  if (!entered) {
    remove_test_folder();
    SKIP("this system has no seccomp filters");
  }
  if (status != 40) CT_TEST_END(1, "not refused, or ended early: %d", status);
  CHECK(access(in_folder("made"), F_OK) != 0);
  CHECK_OK(ct_survives(read_all, there, NULL, "a.h5", "HDF5", &error));
  CHECK(!ct_survives(try_to_get_out, folder, NULL, "a.h5", "HDF5", NULL));
  setenv("GANTRY_SANDBOX", "off", 1);
  CHECK(status_of(try_to_get_out, folder, &entered) == 10 && !entered);
  unsetenv("GANTRY_SANDBOX");
  remove_test_folder();
}

static void hang(void *data) {
  (void)data;
  for (;;) pause();
}

#ifdef __linux__
/* Within 5 s. */
static bool gets_a_child(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
  for (int n = 0; n < 500; n++) {
    FILE *file = fopen(path, "r");
    const int first = file ? fgetc(file) : 0; /* a kernel that keeps no such list */
    if (file) fclose(file);
    if (first != EOF) return true;
    usleep(10000);
  }
  return false;
}

/* A pipe tells when the last that holds it is gone. */
static void test_orphans(void) {
  int ends[2];
  char byte;
  CHECK(pipe(ends) == 0);
  const pid_t process = fork();
  if (process == 0) {
    ct_survives(hang, NULL, NULL, "a.h5", "HDF5", NULL);
    _exit(0);
  }
  close(ends[1]);
  CHECK(process > 0 && gets_a_child(process));
  usleep(20000); /* until it has asked for its end */
  CHECK(kill(process, SIGKILL) == 0 && waitpid(process, NULL, 0) == process);
  struct pollfd end = {.fd = ends[0]};
  CHECK(poll(&end, 1, 5000) == 1 && read(ends[0], &byte, 1) == 0);
  close(ends[0]);
}
#else
static void test_orphans(void) {
  SKIP("only Linux tells a child that its parent has ended");
}
#endif

static const ct_test tests[] = {
    {"a crash is told as damage, or as a lack of memory", test_outcomes},
    {"what fails in the child is told with its words", test_failures},
    {"steps give time", test_steps},
    {"answers come back", test_answers},
    {"a child that hangs ends with its parent", test_orphans},
    {"the sandbox leaves reading and refuses the rest", test_sandbox},
};

CT_TEST_MAIN(tests)
