/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output is whole or not there: for files, folders, and every format that writes volumes, on folders that are missing,
 * read-only or full, and when the job is cancelled. */
#include "recon/io/io.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/untold.h"
#include "recon/io/shared/io-private.h"
#include "tests/io/files.h"
#include "tests/lack.h"
#include "tests/test.h"

#include <errno.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

static void put(const char *path, const char *text) {
  write_text(path, text);
}

static bool holds(const char *path, const char *text) {
  if (!path_exists(path)) return false;
  size_t bytes;
  unsigned char *data = read_file(path, &bytes);
  const bool same = bytes == strlen(text) && memcmp(data, text, bytes) == 0;
  free(data);
  return same;
}

static void test_file(void) {
  ct_error *error = NULL;
  make_test_folder();
  const char *path = in_folder("a.txt");
  ct_output *output = ct_output_begin(path, false, &error);
  CHECK_OK(output);
  CHECK(!path_exists(path));
  put(ct_output_get_path(output), "one");
  CHECK_OK(ct_output_commit(output, &error));
  CHECK(holds(path, "one"));
  chmod(path, 0640);
  CHECK_OK(output = ct_output_begin(path, false, &error));
  put(ct_output_get_path(output), "two");
  CHECK(holds(path, "one"));
  ct_output_abandon(output);
  CHECK(holds(path, "one"));
  CHECK(count_entries(test_folder) == 1);
  CHECK_OK(output = ct_output_begin(path, false, &error));
  put(ct_output_get_path(output), "three");
  CHECK_OK(ct_output_commit(output, &error));
  CHECK(holds(path, "three"));
  struct stat status;
  CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0640);
  /* A link stays a link, and its target is replaced. */
  CHECK(symlink("a.txt", in_folder("link")) == 0);
  CHECK_OK(output = ct_output_begin(in_folder("link"), false, &error));
  put(ct_output_get_path(output), "four");
  CHECK_OK(ct_output_commit(output, &error));
  CHECK(holds(path, "four"));
  CHECK(lstat(in_folder("link"), &status) == 0 && S_ISLNK(status.st_mode));
  CHECK(count_entries(test_folder) == 2);
  ct_output_abandon(NULL);
  remove_test_folder();
}

static void test_links(void) {
  ct_error *error = NULL;
  make_test_folder();
  CHECK(symlink("gone.txt", in_folder("away.txt")) == 0 && symlink("round.txt", in_folder("round.txt")) == 0);
  CHECK_FAILS(ct_output_write_text(in_folder("away.txt"), "a", &error), CT_ERROR_IO,
              "it is a link to gone.txt, which is not there");
  CHECK_FAILS(ct_output_write_text(in_folder("round.txt"), "a", &error), CT_ERROR_IO, "leads back to itself");
  CHECK_OK(ct_output_write_text(in_folder("gone.txt"), "a", &error));
  CHECK_OK(ct_output_write_text(in_folder("away.txt"), "b", &error));
  CHECK(holds(in_folder("gone.txt"), "b"));
  remove_test_folder();
}

static void test_bad_targets(void) {
  ct_error *error = NULL;
  make_test_folder();
  put(in_folder("file"), "x");
  mkdir(in_folder("folder"), 0777);
  CHECK_FAILS(ct_output_begin(in_folder("none/a.txt"), false, &error), CT_ERROR_IO, "none; make it first");
  CHECK_FAILS(ct_output_begin(in_folder("file/a.txt"), false, &error), CT_ERROR_IO,
              "file is a file, not a folder; choose another place");
  CHECK_FAILS(ct_output_begin(in_folder("folder"), false, &error), CT_ERROR_IO, "it is a folder");
  CHECK_FAILS(ct_output_begin(in_folder("new/"), false, &error), CT_ERROR_ARGUMENT, "names no file");
  CHECK_FAILS(ct_output_begin("", false, &error), CT_ERROR_ARGUMENT, "names no file");
  CHECK_FAILS(ct_output_begin(in_folder("file"), true, &error), CT_ERROR_IO, "a file of that name exists");
  CHECK_FAILS(ct_output_begin("/dev/null", false, &error), CT_ERROR_IO, "not a regular file");
  char name[300];
  memset(name, 'n', sizeof name);
  name[sizeof name - 1] = 0;
  CHECK_FAILS(ct_output_begin(in_folder("%s", name), false, &error), CT_ERROR_IO, "too long");
  CHECK(count_entries(test_folder) == 2);
  remove_test_folder();
}

static void test_folder_target(void) {
  ct_error *error = NULL;
  char inside[1100];
  make_test_folder();
  const char *path = in_folder("stack");
  for (int round = 0; round < 3; round++) {
    ct_output *output = ct_output_begin(round == 1 ? in_folder("stack/") : path, true, &error);
    CHECK_OK(output);
    for (int i = 0; i < 3 - round; i++) {
      snprintf(inside, sizeof inside, "%s/slice%d.tif", ct_output_get_path(output), i);
      put(inside, round ? "new" : "old");
    }
    CHECK_OK(ct_output_commit(output, &error));
    CHECK(count_entries(path) == 3 - round + 1);
    CHECK(holds(in_folder("stack/slice0.tif"), round ? "new" : "old"));
    CHECK(count_entries(test_folder) == 1);
  }
  ct_output *output = ct_output_begin(path, true, &error);
  CHECK_OK(output);
  snprintf(inside, sizeof inside, "%s/slice0.tif", ct_output_get_path(output));
  put(inside, "gone");
  ct_output_abandon(output);
  CHECK(holds(in_folder("stack/slice0.tif"), "new"));
  /* Somebody else's file keeps the folder, also when it comes while the writing goes on. */
  CHECK_OK(output = ct_output_begin(path, true, &error));
  put(in_folder("stack/notes.txt"), "mine");
  CHECK_FAILS(ct_output_commit(output, &error), CT_ERROR_IO, "notes.txt");
  CHECK_FAILS(ct_output_begin(path, true, &error), CT_ERROR_IO, "notes.txt");
  CHECK(holds(in_folder("stack/notes.txt"), "mine"));
  /* An empty folder is free to use, a folder of other things is not. */
  mkdir(in_folder("empty"), 0777);
  CHECK_OK(output = ct_output_begin(in_folder("empty"), true, &error));
  CHECK_OK(ct_output_commit(output, &error));
  mkdir(in_folder("photos"), 0777);
  put(in_folder("photos/a.tif"), "mine");
  CHECK_FAILS(ct_output_begin(in_folder("photos"), true, &error), CT_ERROR_IO, "a.tif");
  CHECK(count_entries(test_folder) == 3);
  remove_test_folder();
}

static ct_volume *make_volume(int nx, int ny, int nz) {
  const double centre[3] = {0.1, -2.5, 3};
  ct_grid grid = ct_grid_centred(nx, ny, nz, 0.3043, centre);
  grid.dz = 0.25;
  ct_volume *volume = ct_volume_new(&grid, NULL);
  if (!volume || !ct_volume_set_plan(volume, "{\"filter\": \"hann\", \"\xc2\xb5\": [1, 2.5]}", NULL)) abort();
  float *data = ct_volume_data(volume);
  for (size_t i = 0; i < ct_grid_voxels(&grid); i++) data[i] = (float)sin((double)i * 0.37) * 0.1f;
  return volume;
}

static const char *target_of(const ct_format *format, const char *name) {
  return in_folder("%s.%.*s", name, (int)strcspn(format->extensions, " "), format->extensions);
}

/* Every format, float32 and 16 bits, plain and compressed. */
static void test_round_trips(void) {
  ct_error *error = NULL;
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  ct_volume *volume = make_volume(7, 5, 6);
  const ct_grid *a = ct_volume_grid(volume);
  int written = 0;
  for (size_t i = 0; i < count; i++)
    for (int way = 0; way < 4; way++) {
      if (!formats[i]->writer || !formats[i]->reader) continue;
      make_test_folder();
      const char *path = target_of(formats[i], "volume");
      const ct_write_options options = {way & 1 ? CT_SAMPLES_UINT16 : CT_SAMPLES_FLOAT32, -0.1, 0.1, way & 2};
      CHECK_OK(ct_volume_write(path, volume, &options, NULL, &error));
      ct_volume *back = ct_volume_read(path, NULL, &error);
      if (!back) CT_TEST_END(1, "%s does not read what it wrote: %s", formats[i]->title, error->message);
      const ct_grid *b = ct_volume_grid(back);
      CHECK(a->nx == b->nx && a->ny == b->ny && a->nz == b->nz);
      CHECK_NEAR(b->dx, a->dx, 1e-12);
      CHECK_NEAR(b->dz, a->dz, 1e-12);
      CHECK_NEAR(b->x0, a->x0, 1e-12);
      CHECK_NEAR(b->y0, a->y0, 1e-12);
      CHECK_NEAR(b->z0, a->z0, 1e-12);
      const char *plan = ct_volume_get_plan(back);
      if (!plan || strcmp(plan, ct_volume_get_plan(volume)) != 0)
        CT_TEST_END(1, "%s: the plan is %.200s", formats[i]->title, plan ? plan : "lost");
      double worst = 0;
      for (size_t k = 0; k < ct_grid_voxels(a); k++)
        worst = fmax(worst, fabs((double)ct_volume_get_data(back)[k] - (double)ct_volume_get_data(volume)[k]));
      /* Half a step of 16 bits over 0.2, and float rounding. */
      if (!(worst <= (way & 1 ? 0.5 * 0.2 / 65535 + 1e-8 : 0)))
        CT_TEST_END(1, "%s, way %d: worst difference %g", formats[i]->title, way, worst);
      ct_volume_free(back);
      remove_test_folder();
      written++;
    }
  ct_volume_free(volume);
  CHECK(written >= 8);
}

/* Bytes that this process has read so far; 0 where the machine does not tell. */
static unsigned long long bytes_read(void) {
  unsigned long long bytes = 0;
  FILE *file = fopen("/proc/self/io", "r");
  if (!file) return 0;
  if (fscanf(file, "rchar: %llu", &bytes) != 1) bytes = 0;
  fclose(file);
  return bytes;
}

/* Alone, from a file or a folder of slices, without its voxels. */
static void test_plans_alone(void) {
  ct_error *error = NULL;
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  ct_volume *volume = make_volume(64, 64, 256), *bare = ct_volume_new(ct_volume_grid(volume), &error);
  CHECK_OK(bare);
  for (size_t i = 0; i <= count; i++)
    for (int way = 0; way < 2; way++) {
      if (i < count && !formats[i]->writer) continue;
      make_test_folder();
      const char *path = i < count ? target_of(formats[i], "volume") : in_folder("slices");
      const ct_write_options options = {way ? CT_SAMPLES_UINT16 : CT_SAMPLES_FLOAT32, -0.1, 0.1, way};
      CHECK_OK(ct_volume_write(path, volume, &options, NULL, &error));
      char *plan = NULL;
      const unsigned long long before = bytes_read();
      CHECK_OK(ct_volume_read_plan(path, &plan, &error));
      const unsigned long long after = bytes_read();
      if (!plan || strcmp(plan, ct_volume_get_plan(volume)) != 0)
        CT_TEST_END(1, "%s: the plan is %.200s", path, plan ? plan : "lost");
      if (!way && after - before > ct_volume_bytes(volume) / 8)
        CT_TEST_END(1, "%s: %llu bytes are read for the plan", path, after - before);
      ct_free(plan);
      CHECK_OK(ct_volume_write(path, bare, NULL, NULL, &error));
      CHECK_OK(ct_volume_read_plan(path, &plan, &error));
      CHECK(plan == NULL);
      remove_test_folder();
    }
  ct_volume_free(volume);
  ct_volume_free(bare);
  make_test_folder();
  char *plan;
  CHECK_FAILS(ct_volume_read_plan(in_folder("none.mha"), &plan, &error), CT_ERROR_IO, "none.mha");
  CHECK(plan == NULL);
  remove_test_folder();
}

/* Every format fails to write into the folder; the words name the path, nothing new stays, an old file of that name
 * neither. */
static void fail_everywhere(ct_job *job, ct_error_code code, const char *words, int nz) {
  ct_error *error = NULL;
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  ct_volume *volume = make_volume(64, 64, nz);
  const int before = count_entries(test_folder);
  for (size_t i = 0; i < count; i++)
    for (int way = 0; way < 4; way++) {
      if (!formats[i]->writer) continue;
      const ct_write_options options = {way & 1 ? CT_SAMPLES_UINT16 : CT_SAMPLES_FLOAT32, NAN, NAN, way & 2};
      const char *path = target_of(formats[i], "fails");
      if (ct_volume_write(path, volume, &options, job, &error))
        CT_TEST_END(1, "%s, way %d: writing succeeded", formats[i]->title, way);
      if (!error || error->code != code || !strstr(error->message, words) ||
          (code != CT_ERROR_CANCELLED && !strstr(error->message, "fails")))
        CT_TEST_END(1, "%s, way %d: %.300s", formats[i]->title, way, error ? error->message : "no error");
      ct_error_clear(&error);
      if (count_entries(test_folder) != before)
        CT_TEST_END(1, "%s, way %d leaves something behind", formats[i]->title, way);
    }
  ct_volume_free(volume);
}

static void test_cancelled(void) {
  ct_error *error = NULL;
  make_test_folder();
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  ct_job_cancel(job);
  fail_everywhere(job, CT_ERROR_CANCELLED, "", 3);
  /* What stood there before stays. */
  const char *path = in_folder("kept.h5");
  write_text(path, "old");
  ct_volume *volume = make_volume(4, 4, 4);
  if (ct_test_state == 0) CHECK_FAILS(ct_volume_write(path, volume, NULL, job, &error), CT_ERROR_CANCELLED, "");
  CHECK(holds(path, "old"));
  ct_volume_free(volume);
  ct_job_free(job);
  remove_test_folder();
}

static void test_missing_folder(void) {
  ct_error *error = NULL;
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  make_test_folder();
  ct_volume *volume = make_volume(4, 4, 4);
  for (size_t i = 0; i < count; i++) {
    if (!formats[i]->writer) continue;
    CHECK_FAILS(ct_volume_write(target_of(formats[i], "none/a"), volume, NULL, NULL, &error), CT_ERROR_IO, "none");
  }
  CHECK_FAILS(ct_volume_write(in_folder("a.xyz"), volume, NULL, NULL, &error), CT_ERROR_ARGUMENT, "HDF5 (.h5)");
  CHECK_FAILS(ct_volume_write(in_folder("none/noextension"), volume, NULL, NULL, &error), CT_ERROR_IO, "noextension");
  CHECK(count_entries(test_folder) == 0);
  /* A folder that is there, but makes no files, is not said to be missing. */
  CHECK_FAILS(ct_volume_write("/proc/a.mha", volume, NULL, NULL, &error), CT_ERROR_IO, "/proc; choose another place");
  ct_volume_free(volume);
  remove_test_folder();
}

static void test_read_only_folder(void) {
  make_test_folder();
  const bool root = geteuid() == 0;
  write_text(in_folder("old.h5"), "old");
  chmod(in_folder("old.h5"), 0444);
  chmod(test_folder, 0555);
  /* Permissions do not bind root. */
  if (root && seteuid(65534) != 0) {
    chmod(test_folder, 0777);
    remove_test_folder();
    SKIP("root cannot become an ordinary user here");
  }
  fail_everywhere(NULL, CT_ERROR_IO, "no permission to write into the folder", 3);
  ct_error *error = NULL;
  ct_volume *volume = make_volume(4, 4, 4);
  const bool replaced = ct_volume_write(in_folder("old.h5"), volume, NULL, NULL, &error);
  ct_error_clear(&error);
  ct_volume_free(volume);
  if (root && seteuid(0) != 0) abort();
  chmod(test_folder, 0777);
  const bool kept = holds(in_folder("old.h5"), "old");
  remove_test_folder();
  CHECK(ct_test_state == 0);
  CHECK(!replaced && kept);
}

static void test_file_size_limit(void) {
  make_test_folder();
  struct rlimit old, limit;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &old);
  limit = old;
  limit.rlim_cur = 7000; /* less than one slice of 64 x 64 */
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) SKIP("no file size limit can be set here");
  fail_everywhere(NULL, CT_ERROR_IO, "File too large", 20);
  setrlimit(RLIMIT_FSIZE, &old);
  remove_test_folder();
}

static void test_full_disk(void) {
  char reason[sizeof ct_test_reason] = "";
  make_test_folder();
  if (mount("none", test_folder, "tmpfs", 0, "size=128k") != 0) {
    remove_test_folder();
    SKIP("no small file system can be mounted here");
  }
  fail_everywhere(NULL, CT_ERROR_IO, "", 40);
  const int state = ct_test_state;
  memcpy(reason, ct_test_reason, sizeof reason);
  umount(test_folder);
  remove_test_folder();
  if (state) CT_TEST_END(state, "%.400s", reason);
}

static void test_read_only_disk(void) {
  ct_error *error = NULL;
  make_test_folder();
  if (mount("none", test_folder, "tmpfs", MS_RDONLY, "size=128k") != 0) {
    remove_test_folder();
    SKIP("no file system can be mounted here");
  }
  const bool made = ct_output_write_text(in_folder("a.txt"), "a", &error);
  umount(test_folder);
  remove_test_folder();
  CHECK_FAILS(made, CT_ERROR_IO, "a disk that can only be read; choose another place");
}

static void test_untold(void) {
  ct_error *error = NULL;
  char what[CT_UNTOLD];
  CHECK(ct_untold(NULL) == 0);
  CHECK(!ct_alloc(SIZE_MAX / 4, 1, "what a damaged file claims", NULL) && ct_untold(NULL) == 0);
  lack_memory_for("the angles");
  make_test_folder();
  CHECK(ct_untold(what) == 1 && strcmp(what, "There was not enough memory for the angles") == 0);
  CHECK_OK(ct_output_write_text(in_folder("a.txt"), "old", &error));
  ct_output_refuse_doubtful(true);
  const bool written = ct_output_write_text(in_folder("a.txt"), "new", &error);
  CHECK(holds(in_folder("a.txt"), "old"));
  CHECK_FAILS(written, CT_ERROR_IO, "a.txt is not written. Before that: There was not enough memory for the angles.");
  ct_untold_forget();
  CHECK(ct_untold(NULL) == 0);
  ct_error_set_errno(NULL, ENOENT, "Cannot open %s", "b.txt");
  CHECK(ct_untold(NULL) == 0);
  ct_error_set_errno(NULL, EIO, "Cannot open %s", "b.txt");
  CHECK(ct_untold(what) == 1 && strcmp(what, "Cannot open b.txt: Input/output error") == 0);
  ct_error_set_errno(NULL, EIO, "Cannot open %s", "c.txt");
  ct_untold_forgive(1);
  CHECK(ct_untold(what) == 1 && strstr(what, "b.txt"));
  ct_untold_forget();
  CHECK_OK(ct_output_write_text(in_folder("a.txt"), "new", &error));
  ct_output_refuse_doubtful(false);
  CHECK(holds(in_folder("a.txt"), "new"));
  remove_test_folder();
}

static const ct_test tests[] = {
    {"a file is replaced whole or not at all", test_file},
    {"targets that cannot be written", test_bad_targets},
    {"links that lead nowhere are no targets", test_links},
    {"a folder is replaced only when Gantry wrote all of it", test_folder_target},
    {"every format reads back what it wrote", test_round_trips},
    {"the plan alone is read from headers", test_plans_alone},
    {"a cancelled write leaves nothing behind", test_cancelled},
    {"missing folders and unknown extensions", test_missing_folder},
    {"read-only folders", test_read_only_folder},
    {"read-only disks", test_read_only_disk},
    {"a file size limit", test_file_size_limit},
    {"a full disk", test_full_disk},
    {"nothing is written where something failed untold", test_untold},
};

CT_TEST_MAIN(tests)
