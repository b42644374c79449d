/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes read in parts, and written slab by slab: byte for byte the file of a whole write, in every format; nothing
 * left behind when they are abandoned, cancelled, incomplete or the disk is full; 16 bits need their values told. */
#include "recon/io/io.h"
#include "recon/io/shared/io-private.h"
#include "tests/io/files.h"
#include "tests/io/targets.h"
#include "tests/test.h"

#include <signal.h>
#include <sys/resource.h>

static int count_of_targets;

static ct_volume *make_volume(int nx, int ny, int nz) {
  const double centre[3] = {0.1, -2.5, 3};
  const ct_grid grid = ct_grid_centred(nx, ny, nz, 0.3043, centre);
  ct_volume *volume = ct_volume_new(&grid, NULL);
  if (!volume || !ct_volume_set_plan(volume, "{\"filter\": \"hann\"}", NULL)) abort();
  float *data = ct_volume_data(volume);
  for (size_t i = 0; i < ct_grid_voxels(&grid); i++) data[i] = (float)sin((double)i * 0.37) * 0.1f;
  return volume;
}

static ct_volume_writer *open_for(const target *to, const char *path, const ct_volume *volume,
                                  const ct_write_options *options, ct_error **error) {
  return ct_volume_writer_open(to->format, path, ct_volume_grid(volume), ct_volume_get_plan(volume), options, error);
}

/* Slices [k, k + count). */
static bool append(ct_volume_writer *writer, const ct_volume *volume, int k, int count, ct_job *job, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(volume);
  return ct_volume_writer_append(writer, ct_volume_get_data(volume) + (size_t)k * (size_t)grid->nx * (size_t)grid->ny,
                                 count, job, error);
}

/* Compares two folders file by file. */
static int different_files(const char *a, const char *b) {
  DIR *dir = opendir(a);
  const struct dirent *entry;
  int different = dir ? 0 : 1, files = 0;
  while (dir && (entry = readdir(dir))) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char one[1024], other[1024];
    snprintf(one, sizeof one, "%s/%s", a, entry->d_name);
    snprintf(other, sizeof other, "%s/%s", b, entry->d_name);
    struct stat status;
    if (stat(one, &status) == 0 && S_ISDIR(status.st_mode)) {
      different += different_files(one, other);
      files++;
      continue;
    }
    if (!path_exists(other)) return different + 1;
    size_t sizes[2];
    unsigned char *data[2] = {read_file(one, &sizes[0]), read_file(other, &sizes[1])};
    /* The manifest of a folder lists its files in the order of the file system. */
    different += sizes[0] != sizes[1] || (entry->d_name[0] != '.' && memcmp(data[0], data[1], sizes[0]) != 0);
    free(data[0]);
    free(data[1]);
    files++;
  }
  if (dir) closedir(dir);
  return different + (files != count_entries(b));
}

static void test_equal_bytes(void) {
  static const int slabs[] = {1, 4, 2, 5, 1};
  ct_error *error = NULL;
  ct_volume *volume = make_volume(37, 21, 13);
  for (int t = 0; t < count_of_targets; t++)
    for (int way = 0; way < 4; way++) {
      make_test_folder();
      const ct_write_options options = {way & 1 ? CT_SAMPLES_UINT16 : CT_SAMPLES_FLOAT32, -0.08, 0.09, way & 2};
      mkdir(in_folder("whole"), 0777);
      mkdir(in_folder("slabs"), 0777);
      char whole[1024], path[1024];
      snprintf(whole, sizeof whole, "%s", in_folder("whole/%s", targets[t].name));
      snprintf(path, sizeof path, "%s", in_folder("slabs/%s", targets[t].name));
      CHECK_OK(ct_volume_write(whole, volume, &options, NULL, &error));
      ct_volume_writer *writer = open_for(&targets[t], path, volume, &options, &error);
      CHECK_OK(writer);
      for (int s = 0, k = 0; k < 13; k += slabs[s++]) {
        CHECK_OK(append(writer, volume, k, slabs[s], NULL, &error));
        CHECK(!path_exists(path));
      }
      CHECK_OK(ct_volume_writer_finish(writer, &error));
      const int different = different_files(in_folder("whole"), in_folder("slabs"));
      if (different) CT_TEST_END(1, "%s, way %d: %d files differ", targets[t].name, way, different);
      remove_test_folder();
    }
  ct_volume_free(volume);
}

/* What is left in the folder after a failure, besides what stood there. */
static int left_over(int before) {
  return count_entries(test_folder) - before;
}

static void test_abandoned(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(20, 20, 6);
  for (int t = 0; t < count_of_targets; t++)
    for (int slices = 0; slices <= 6; slices += 3) {
      make_test_folder();
      const ct_write_options options = {CT_SAMPLES_UINT16, -0.08, 0.09, slices == 3};
      ct_volume_writer *writer = open_for(&targets[t], in_folder("%s", targets[t].name), volume, &options, &error);
      CHECK_OK(writer);
      CHECK(left_over(0) > 0);
      if (slices) CHECK_OK(append(writer, volume, 0, slices, NULL, &error));
      ct_volume_writer_abandon(writer);
      if (left_over(0)) CT_TEST_END(1, "%s leaves something after %d slices", targets[t].name, slices);
      remove_test_folder();
    }
  ct_volume_writer_abandon(NULL);
  ct_volume_free(volume);
}

static void test_incomplete(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(20, 20, 6);
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  for (int t = 0; t < count_of_targets; t++) {
    make_test_folder();
    char path[1024];
    snprintf(path, sizeof path, "%s", in_folder("%s", targets[t].name));
    /* Too few slices, and too many. */
    ct_volume_writer *writer = open_for(&targets[t], path, volume, NULL, &error);
    CHECK_OK(writer);
    CHECK_OK(append(writer, volume, 0, 5, NULL, &error));
    CHECK_FAILS(append(writer, volume, 0, 2, NULL, &error), CT_ERROR_ARGUMENT, targets[t].name);
    CHECK_FAILS(ct_volume_writer_finish(writer, &error), CT_ERROR_ARGUMENT, "5 of 6");
    CHECK(left_over(0) == 0);
    remove_test_folder();
  }
  make_test_folder();
  ct_volume_writer *writer = open_for(&targets[0], in_folder("%s", targets[0].name), volume, NULL, &error);
  CHECK_OK(writer);
  CHECK_OK(append(writer, volume, 0, 2, job, &error));
  ct_job_cancel(job);
  CHECK_FAILS(append(writer, volume, 2, 2, job, &error), CT_ERROR_CANCELLED, "");
  CHECK_FAILS(append(writer, volume, 2, 2, NULL, &error), CT_ERROR_ARGUMENT, targets[0].name);
  ct_volume_writer_abandon(writer);
  CHECK(left_over(0) == 0);
  remove_test_folder();
  ct_job_free(job);
  ct_volume_free(volume);
}

static void test_values_of_16_bits(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(5, 5, 5);
  make_test_folder();
  const double bad[][2] = {{NAN, NAN}, {0, NAN}, {NAN, 1}, {1, 1}, {2, 1}, {0, INFINITY}};
  for (int t = 0; t < count_of_targets; t++)
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
      const ct_write_options options = {CT_SAMPLES_UINT16, bad[i][0], bad[i][1], false};
      CHECK_FAILS(open_for(&targets[t], in_folder("%s", targets[t].name), volume, &options, &error), CT_ERROR_ARGUMENT,
                  "0 and 65535");
    }
  CHECK(left_over(0) == 0);
  remove_test_folder();
  ct_volume_free(volume);
}

static void test_check(void) {
  ct_error *error = NULL;
  make_test_folder();
  const ct_grid small = ct_grid_centred(8, 8, 8, 1, NULL), huge = ct_grid_centred(1 << 18, 1 << 18, 1 << 18, 1, NULL);
  for (int t = 0; t < count_of_targets; t++) {
    const ct_format *format = targets[t].format;
    CHECK_OK(ct_volume_writer_check(format, in_folder("%s", targets[t].name), &small, NULL, &error));
    /* 72 million GB: no disk has them, and the file must not be begun. */
    CHECK_FAILS(ct_volume_writer_check(format, in_folder("%s", targets[t].name), &huge, NULL, &error), CT_ERROR_IO,
                "the disk has");
    CHECK_FAILS(ct_volume_writer_check(format, in_folder("none/%s", targets[t].name), &small, NULL, &error),
                CT_ERROR_IO, "none");
  }
  CHECK(left_over(0) == 0);
  remove_test_folder();
}

/* As if the disk were full in the middle of the second slab. */
static void test_full_disk(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(64, 64, 20);
  make_test_folder();
  struct rlimit old, limit;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &old);
  limit = old;
  limit.rlim_cur = 100000; /* six slices of 64 x 64 */
  for (int t = 0; t < count_of_targets; t++) {
    if (strcmp(targets[t].name, "v") == 0) continue; /* no file of a folder is as large */
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) SKIP("no file size limit can be set here");
    ct_volume_writer *writer = open_for(&targets[t], in_folder("%s", targets[t].name), volume, NULL, &error);
    CHECK_OK(writer);
    bool good = true;
    for (int k = 0; good && k < 20; k += 4) good = append(writer, volume, k, 4, NULL, &error);
    if (good)
      good = ct_volume_writer_finish(writer, &error);
    else
      ct_volume_writer_abandon(writer);
    setrlimit(RLIMIT_FSIZE, &old);
    if (good || !error || error->code != CT_ERROR_IO || !strstr(error->message, "File too large"))
      CT_TEST_END(1, "%s: %.300s", targets[t].name, error ? error->message : "no error");
    ct_error_clear(&error);
    if (left_over(0)) CT_TEST_END(1, "%s leaves something behind", targets[t].name);
  }
  remove_test_folder();
  ct_volume_free(volume);
}

static int count_values(const ct_volume *part, const ct_volume *volume, const ct_box *box) {
  const ct_grid *grid = ct_volume_grid(volume);
  int different = 0;
  const float *found = ct_volume_get_data(part);
  for (int k = box->begin[2]; k < box->end[2]; k++)
    for (int j = box->begin[1]; j < box->end[1]; j++)
      for (int i = box->begin[0]; i < box->end[0]; i++)
        different += *found++ != ct_volume_get_data(
                                     volume)[((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx + (size_t)i];
  return different;
}

static bool is_same(const ct_grid *a, const ct_grid *b) {
  return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz && a->x0 == b->x0 && a->y0 == b->y0 && a->z0 == b->z0 &&
         a->dx == b->dx && a->dy == b->dy && a->dz == b->dz;
}

/* The values that come, compared with the volume's in their order. */
typedef struct {
  const float *next;
  size_t count, different;
} following;

static void follow(void *data, const float *values, size_t count) {
  following *f = data;
  for (size_t i = 0; i < count; i++) f->different += values[i] != f->next[i];
  f->next += count;
  f->count += count;
}

static void check_parts(const char *path, const char *name) {
  static const ct_box boxes[] = {{{0, 0, 0}, {37, 21, 13}},
                                 {{0, 0, 7}, {37, 21, 8}},
                                 {{0, 20, 0}, {37, 21, 13}},
                                 {{36, 0, 0}, {37, 21, 13}},
                                 {{5, 3, 2}, {9, 11, 12}}};
  ct_error *error = NULL;
  ct_volume *whole = ct_volume_read(path, NULL, &error);
  CHECK_OK(whole);
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
    ct_volume_reader *reader = ct_volume_reader_open(path, false, &error);
    CHECK_OK(reader);
    ct_volume *part = ct_volume_reader_box(reader, &boxes[i], NULL, &error);
    CHECK_OK(part);
    const ct_grid grid = ct_box_grid(&boxes[i], ct_volume_grid(whole));
    if (!is_same(&grid, ct_volume_grid(part)) || count_values(part, whole, &boxes[i]) != 0 ||
        strcmp(ct_volume_get_plan(part), ct_volume_get_plan(whole)) != 0)
      CT_TEST_END(1, "%s: box %zu is not that of the whole volume", name, i);
    ct_volume_free(part);
    ct_volume_reader_free(reader);
  }
  following f = {.next = ct_volume_get_data(whole)};
  ct_volume_reader *reader = ct_volume_reader_open(path, false, &error);
  CHECK_OK(reader && ct_volume_reader_each(reader, follow, &f, NULL, &error));
  if (f.count != ct_grid_voxels(ct_volume_grid(whole)) || f.different)
    CT_TEST_END(1, "%s: %zu values, %zu of them others", name, f.count, f.different);
  ct_volume_reader_free(reader);
  ct_volume_free(whole);
}

/* Planes of the whole and of the part's slices are sampled alike, to the rounding of their places. */
static void check_oblique(const char *path, const char *name) {
  static const double poses[][2] = {{0, 0}, {30, 20}, {90, -130}, {135, 0}, {180, 45}};
  ct_error *error = NULL;
  ct_volume *whole = ct_volume_read(path, NULL, &error);
  CHECK_OK(whole);
  const ct_grid *g = ct_volume_grid(whole);
  for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
    const double through[3] = {g->x0 + 11.3 * g->dx, g->y0 + 7 * g->dy, g->z0 + 3.1 * (double)i * g->dz};
    const ct_oblique oblique = ct_oblique_through(g, through, poses[i][1] * M_PI / 180, poses[i][0] * M_PI / 180);
    const size_t pixels = ct_oblique_pixels(&oblique);
    float *expected = calloc(pixels, sizeof *expected), *cut = calloc(pixels, sizeof *cut);
    CHECK(expected && cut);
    ct_volume_copy_oblique(whole, &oblique, expected);
    ct_volume_reader *reader = ct_volume_reader_open(path, false, &error);
    CHECK_OK(reader && ct_volume_reader_oblique(reader, &oblique, cut, NULL, &error));
    size_t shown = 0;
    for (size_t n = 0; n < pixels; n++) {
      shown += expected[n] != 0;
      if (!(fabsf(cut[n] - expected[n]) <= 1e-6f))
        CT_TEST_END(1, "%s: pose %zu, pixel %zu is %g, not %g", name, i, n, (double)cut[n], (double)expected[n]);
    }
    CHECK(shown > 300);
    ct_volume_reader_free(reader);
    free(expected);
    free(cut);
  }
  const ct_oblique rolled = {.across = {0, 0.6, 0.8}, .up = {1, 0, 0}, .spacing = 1, .width = 3, .height = 3};
  float values[9];
  ct_volume_reader *reader = ct_volume_reader_open(path, false, &error);
  CHECK(reader && !ct_volume_reader_oblique(reader, &rolled, values, NULL, &error) && error->code == CT_ERROR_ARGUMENT);
  ct_error_clear(&error);
  ct_volume_reader_free(reader);
  ct_volume_free(whole);
}

/* A box of a file is that of the whole volume, whatever the format and its compression. */
static void test_parts(void) {
  ct_error *error = NULL;
  ct_volume *volume = make_volume(37, 21, 13);
  for (int t = 0; t < count_of_targets; t++)
    for (int way = 0; way < 4; way++) {
      const ct_write_options options = {way & 1 ? CT_SAMPLES_UINT16 : CT_SAMPLES_FLOAT32, -0.08, 0.09, way & 2};
      make_test_folder();
      CHECK_OK(ct_volume_write(in_folder("%s", targets[t].name), volume, &options, NULL, &error));
      check_parts(in_folder("%s", targets[t].name), targets[t].name);
      check_oblique(in_folder("%s", targets[t].name), targets[t].name);
    }
  remove_test_folder();
  ct_volume_free(volume);
}

static const ct_test tests[] = {
    {"slabs make the same file as a whole write", test_equal_bytes},
    {"an abandoned file leaves nothing", test_abandoned},
    {"an incomplete file takes no name", test_incomplete},
    {"16 bits need their values told", test_values_of_16_bits},
    {"a file that cannot be begun is told at once", test_check},
    {"a full disk amid the slabs", test_full_disk},
    {"parts of files are those of whole volumes", test_parts},
};

int main(void) {
  count_of_targets = find_targets();
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
