/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wisdom file: written, read back, and never in the way when it is broken or cannot be written. */
#include "recon/filter/fft-private.h"
#include "tests/filter/support.h"
#include "tests/test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static bool begin(void) {
  snprintf(folder, sizeof folder, "/tmp/gantry-wisdom-XXXXXX");
  fftwf_forget_wisdom();
  return mkdtemp(folder) && setenv("XDG_CACHE_HOME", folder, 1) == 0;
}

static void end(void) {
  char path[256];
  chmod(folder, 0700);
  snprintf(path, sizeof path, "%s/gantry/fftwf-wisdom", folder);
  chmod(path, 0600);
  unlink(path);
  snprintf(path, sizeof path, "%s/gantry", folder);
  rmdir(path);
  unlink(path);
  rmdir(folder);
}

static bool plan(int length, bool measure, ct_error **error) {
  fftwf_plan forward, inverse;
  if (!ct_fftw_plan_complex(length, measure, &forward, &inverse, error)) return false;
  ct_fftw_destroy(forward);
  ct_fftw_destroy(inverse);
  return true;
}

static long file_size(void) {
  char *path = ct_wisdom_path();
  struct stat status;
  const long size = path && stat(path, &status) == 0 ? (long)status.st_size : -1;
  ct_free(path);
  return size;
}

static int files_in_folder(void) {
  char path[256];
  snprintf(path, sizeof path, "%s/gantry", folder);
  DIR *list = opendir(path);
  int count = 0;
  while (list && readdir(list)) count++;
  if (list) closedir(list);
  return count - 2;
}

static void test_round_trip(void) {
  ct_error *error = NULL;
  CHECK(begin());
  CHECK_OK(plan(48, false, &error));
  CHECK(file_size() == -1);
  CHECK_OK(plan(48, true, &error));
  CHECK(file_size() > 0);
  CHECK(files_in_folder() == 1);
  /* A fresh planner recalls it: planning from wisdom alone succeeds after the import, not before. */
  fftwf_forget_wisdom();
  float *a = ct_alloc_zero(96, sizeof *a, "a", NULL), *b = ct_alloc_zero(96, sizeof *b, "b", NULL);
  const unsigned flags = FFTW_MEASURE | FFTW_WISDOM_ONLY;
  CHECK(!fftwf_plan_dft_1d(48, (fftwf_complex *)a, (fftwf_complex *)b, FFTW_FORWARD, flags));
  ct_fftw_lock();
  ct_wisdom_import();
  ct_fftw_unlock();
  fftwf_plan recalled = fftwf_plan_dft_1d(48, (fftwf_complex *)a, (fftwf_complex *)b, FFTW_FORWARD, flags);
  CHECK(recalled);
  ct_fftw_destroy(recalled);
  ct_free(a);
  ct_free(b);
  end();
}

static void test_corrupt(void) {
  ct_error *error = NULL;
  CHECK(begin());
  CHECK_OK(plan(32, true, &error));
  char *path = ct_wisdom_path();
  static const char *const contents[] = {"", "(fftw-3.3.10 fftwf_wisdom #x0", "\x00\xff nonsense ((((",
                                         "(fftw-9.9 fftwf_wisdom)"};
  for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
    FILE *file = fopen(path, "wb");
    CHECK(file);
    fputs(contents[i], file);
    fclose(file);
    fftwf_forget_wisdom();
    CHECK_OK(plan(32 + 16 * (int)i, true, &error));
    /* What was measured replaces the broken file. */
    CHECK(file_size() > 60);
  }
  ct_free(path);
  end();
}

static void test_no_place(void) {
  ct_error *error = NULL;
  CHECK(begin());
  /* A file where the folder should be: neither mkdir nor open can succeed, for root neither. */
  char path[256];
  snprintf(path, sizeof path, "%s/gantry", folder);
  FILE *file = fopen(path, "wb");
  CHECK(file);
  fclose(file);
  CHECK_OK(plan(32, true, &error));
  CHECK(file_size() == -1);
  end();
  CHECK(begin());
  CHECK(chmod(folder, 0500) == 0);
  fftwf_forget_wisdom();
  CHECK_OK(plan(64, true, &error));
  end();
  setenv("XDG_CACHE_HOME", "/nonexistent/cache", 1);
  fftwf_forget_wisdom();
  CHECK_OK(plan(80, true, &error));
  /* Relative paths do not count; without a home there is no place at all. */
  char *home = getenv("HOME") ? ct_strdup(getenv("HOME"), NULL) : NULL;
  setenv("XDG_CACHE_HOME", "relative", 1);
  unsetenv("HOME");
  CHECK(!ct_wisdom_path());
  fftwf_forget_wisdom();
  CHECK_OK(plan(96, true, &error));
  if (home) setenv("HOME", home, 1);
  ct_free(home);
}

static const ct_test tests[] = {
    {"wisdom is kept and recalled", test_round_trip},
    {"a broken wisdom file is no error and is replaced", test_corrupt},
    {"no place for the wisdom is no error", test_no_place},
};
CT_TEST_MAIN(tests)
