/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan that is made of many files, as detectors write them in series: the work that opening it takes in this process,
 * by calls of the library, and what is told where some of the files are missing. */
#include "tests/io/hdf5/scans.h"

#include "recon/io/shared/trial-private.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

/* More files than the steps for which a trial is given a second. */
enum { PARTS = 264, FEW = 24, LEVELS = 6, TURNS = 4, SCALARS = 2500 };

static int opened_files, copied_properties;

/* Of trials, in memory that they share: opened parts, and the limits of processor time then, s. */
typedef struct {
  int parts;
  rlim_t least, most;
} trial_record;

static trial_record *trials;
static pid_t this_process;
static bool parts_crash;     /* in trials */
static char cut_after[1024]; /* a file that is cut off between trial and opening */

static void watch_file(const char *name) {
  struct rlimit limit;
  const bool is_part = strstr(name, "part_") != NULL, in_trial = getpid() != this_process;
  if (in_trial && is_part && getrlimit(RLIMIT_CPU, &limit) == 0) {
    if (parts_crash) abort();
    if (!trials->parts++ || limit.rlim_cur < trials->least) trials->least = limit.rlim_cur;
    if (limit.rlim_cur > trials->most) trials->most = limit.rlim_cur;
  }
  if (in_trial || !cut_after[0] || trials->parts < PARTS) return;
  make_need(truncate(cut_after, 60) == 0);
  cut_after[0] = 0;
}

static void begin_watch(void) {
  this_process = getpid();
  if (!trials) trials = ct_trial_share(sizeof *trials);
  make_need(trials != NULL);
  *trials = (trial_record){0};
}

/* In place of the library's own, for all of this program. */
hid_t H5Fopen(const char *name, unsigned flags, hid_t access) {
  static hid_t (*library)(const char *, unsigned, hid_t);
  if (!library) *(void **)&library = dlsym(RTLD_NEXT, "H5Fopen");
  opened_files++;
  if (trials) watch_file(name);
  return library(name, flags, access);
}

hid_t H5Dget_create_plist(hid_t dataset) {
  static hid_t (*library)(hid_t);
  if (!library) *(void **)&library = dlsym(RTLD_NEXT, "H5Dget_create_plist");
  copied_properties++;
  return library(dataset);
}

/* Frame i is in file i modulo `files`. */
static void make_parts(int files) {
  make_test_folder();
  const hsize_t all[3] = {PARTS, NV, NU}, one[3] = {1, NV, NU};
  const hid_t file = make_file(in_folder("whole.h5")), create = H5Pcreate(H5P_DATASET_CREATE),
              space = H5Screate_simple(3, all, NULL), from = H5Screate_simple(3, one, NULL);
  for (int i = 0; i < PARTS; i++) {
    const hsize_t start[3] = {(hsize_t)i, 0, 0};
    float frames[64 * NV * NU];
    char name[32];
    fill_frames(frames, 64);
    snprintf(name, sizeof name, "part_%03d.h5", i % files);
    const hid_t part = i < files ? make_file(in_folder("%s", name)) : -1;
    if (part >= 0) {
      make_array(part, "/d", H5T_NATIVE_FLOAT, 3, one, H5T_NATIVE_FLOAT, frames + i % 64 * NV * NU);
      H5Fclose(part);
    }
    make_need(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL) >= 0 &&
              H5Pset_virtual(create, space, name, "/d", from) >= 0);
  }
  make_need(H5Sselect_all(space) >= 0);
  const hid_t group = H5Gcreate2(file, "/exchange", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              id = H5Dcreate2(file, "/exchange/data", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, create, H5P_DEFAULT);
  make_need(group >= 0 && id >= 0);
  H5Dclose(id);
  H5Gclose(group);
  H5Sclose(space);
  H5Sclose(from);
  H5Pclose(create);
  H5Fclose(file);
}

/* Each file is opened once, in the trial, and the list of all of them is copied a few times. */
static void test_work(void) {
  ct_error *error = NULL;
  float frame[NU * NV];
  make_parts(PARTS);
  opened_files = copied_properties = 0;
  ct_scan *scan = ct_scan_open(in_folder("whole.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK(opened_files > 0 && opened_files < FEW);
  CHECK(copied_properties > 0 && copied_properties < FEW);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, PARTS - 1, 0, NV, frame, &error));
  CHECK_NEAR(frame[2 * NU + 3], sample_of((PARTS - 1) % 64, 2, 3), 0);
  /* Once more while it is open. */
  ct_scan *second = ct_scan_open(in_folder("whole.h5"), NULL, &error);
  CHECK_OK(second);
  ct_scan_free(second);
  CHECK(truncate(in_folder("part_100.h5"), 4096) == 0);
  CHECK_FAILS(ct_scan_check(scan, &error), CT_ERROR_DATA, "part_100.h5");
  ct_scan_free(scan);
  /* What the trial found does not hold for another state of a file. */
  begin_watch();
  snprintf(cut_after, sizeof cut_after, "%s", in_folder("part_100.h5"));
  CHECK_FAILS(ct_scan_open(in_folder("whole.h5"), NULL, &error), CT_ERROR_FORMAT, "part_100.h5");
  CHECK(!cut_after[0]);
  remove_test_folder();
}

/* In whatever way such a file is opened, its many parts are given time. */
static void test_time(void) {
  ct_dataset_list list;
  make_parts(PARTS);
  write_text(in_folder("other"), "text");
  for (int way = 0; way < 4; way++) {
    begin_watch();
    if (way == 0) ct_scan_free(ct_scan_open(in_folder("whole.h5"), NULL, NULL));
    if (way == 1) ct_volume_free(ct_volume_read(in_folder("whole.h5"), NULL, NULL));
    if (way == 2 && ct_file_list_datasets(in_folder("whole.h5"), false, &list, NULL)) ct_dataset_list_clear(&list);
    if (way == 3) CHECK(!ct_scan_is_destroyed(in_folder("whole.h5"), NULL, in_folder("other")));
    if (trials->parts < PARTS || trials->most != trials->least + 1)
      CT_TEST_END(1, "way %d: %d parts, %d s, then %d s", way, trials->parts, (int)trials->least, (int)trials->most);
  }
  /* What is read by a file whose trial fails is not known: it may be any HDF5 file, and nothing else. */
  parts_crash = true;
  const bool destroyed = ct_scan_is_destroyed(in_folder("whole.h5"), NULL, in_folder("part_003.h5")),
             other = ct_scan_is_destroyed(in_folder("whole.h5"), NULL, in_folder("other"));
  parts_crash = false;
  CHECK(destroyed && !other);
  remove_test_folder();
}

static void test_missing(void) {
  static const char *const gone[] = {"part_007.h5", "part_100.h5", "part_101.h5", "part_239.h5"};
  ct_error *error = NULL;
  make_parts(PARTS);
  for (int i = 0; i < 4; i++) CHECK(unlink(in_folder("%s", gone[i])) == 0);
  CHECK_FAILS(ct_scan_open(in_folder("whole.h5"), NULL, &error), CT_ERROR_IO,
              "4 files which are not there: part_007.h5, part_100.h5, part_101.h5, ...");
  remove_test_folder();
  /* Each file once, however many frames it has. */
  make_parts(2);
  CHECK(unlink(in_folder("part_001.h5")) == 0);
  CHECK_FAILS(ct_scan_open(in_folder("whole.h5"), NULL, &error), CT_ERROR_IO,
              "are in part_001.h5, which is not there. Put that file");
  CHECK(unlink(in_folder("part_000.h5")) == 0);
  CHECK_FAILS(ct_scan_open(in_folder("whole.h5"), NULL, &error), CT_ERROR_IO,
              "in 2 files which are not there: part_000.h5, part_001.h5. Put them");
  remove_test_folder();
}

/* Datasets that are made of the next one, under two names by turns: TURNS^LEVELS ways lead through them. */
static void test_turns(void) {
  ct_error *error = NULL;
  const hsize_t all[3] = {TURNS, NV, NU}, one[3] = {1, NV, NU};
  float frames[TURNS * NV * NU];
  make_test_folder();
  fill_frames(frames, TURNS);
  const hid_t file = begin_exchange(in_folder("turns.h5"), 1, 0, 0), space = H5Screate_simple(3, all, NULL),
              from = H5Screate_simple(3, all, NULL);
  make_need(H5Ldelete(file, "/exchange/data", H5P_DEFAULT) >= 0);
  for (int level = 0; level < LEVELS; level++) {
    char name[16], next[16];
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    snprintf(name, sizeof name, "/d%d", level);
    snprintf(next, sizeof next, "/d%d", level + 1);
    for (int i = 0; i < TURNS; i++) {
      const hsize_t start[3] = {(hsize_t)i, 0, 0};
      make_need(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL) >= 0 &&
                H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, one, NULL) >= 0 &&
                H5Pset_virtual(create, space, ".", next + i % 2, from) >= 0);
    }
    make_dataset(file, level ? name : "/exchange/data", H5T_NATIVE_FLOAT, 3, all, create, H5T_NATIVE_FLOAT, NULL);
    H5Pclose(create);
  }
  make_array(file, "/d6", H5T_NATIVE_FLOAT, 3, all, H5T_NATIVE_FLOAT, frames);
  H5Sclose(space);
  H5Sclose(from);
  H5Fclose(file);
  opened_files = 0;
  ct_scan *scan = ct_scan_open(in_folder("turns.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK(opened_files > 2 * LEVELS && opened_files < FEW);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 1, 0, NV, frames, &error));
  CHECK_NEAR(frames[2 * NU + 3], sample_of(1, 2, 3), 0);
  ct_scan_free(scan);
  remove_test_folder();
}

/* Geometry vectors are found behind any number of other datasets. */
static void test_vectors_behind(void) {
  ct_error *error = NULL;
  double rows[4][12] = {0};
  const double zero = 0;
  make_test_folder();
  for (int i = 0; i < 4; i++) {
    const double c = cos(i * M_PI / 4), s = sin(i * M_PI / 4);
    const double row[12] = {100 * s, -100 * c, 0, -50 * s, 50 * c, 0, c, s, 0, 0, 0, 1};
    memcpy(rows[i], row, sizeof row);
  }
  const hid_t file = begin_exchange(in_folder("scan.h5"), 4, 0, 0);
  for (int i = 0; i < SCALARS; i++) {
    char name[32];
    snprintf(name, sizeof name, "/a/%d", i);
    make_array(file, name, H5T_NATIVE_DOUBLE, 0, NULL, H5T_NATIVE_DOUBLE, &zero);
  }
  make_array(file, "/cone_vec", H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){4, 12}, H5T_NATIVE_DOUBLE, rows);
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(in_folder("scan.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.sdd, 150, 1e-6);
  ct_scan_free(scan);
  remove_test_folder();
}

static double seconds_of(int who) {
  struct rusage usage;
  make_need(getrusage(who, &usage) == 0);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Each group was looked into by every way that leads to it, which took 10 s of work and was told as damage. */
static void test_circles(void) {
  make_test_folder();
  const hid_t own = make_file(in_folder("own.h5")), other = make_file(in_folder("other.h5"));
  for (int i = 0; i < 300; i++) {
    char name[32];
    snprintf(name, sizeof name, "l%03d", i);
    make_need(H5Lcreate_hard(own, "/", own, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    make_need(H5Lcreate_external("other.h5", "/", other, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  H5Fclose(own);
  H5Fclose(other);
  static const char *const names[] = {"own.h5", "other.h5"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ct_error *error = NULL;
    ct_dataset_list list = {0};
    const double before = seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
    CHECK(!ct_scan_open(in_folder("%s", names[i]), NULL, &error));
    CHECK(error && strstr(error->message, "holds no scan"));
    ct_error_clear(&error);
    CHECK_OK(ct_file_list_datasets(in_folder("%s", names[i]), false, &list, &error));
    CHECK(list.count == 0 && !list.more);
    ct_dataset_list_clear(&list);
    CHECK(seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN) - before < 5);
  }
  remove_test_folder();
}

static const ct_test tests[] = {
    {"each of many files is opened once", test_work},
    {"a dataset that many ways lead to is looked into once", test_turns},
    {"groups that many ways lead to are looked into once", test_circles},
    {"many files are given time, however they are opened", test_time},
    {"vectors are found behind many scalars", test_vectors_behind},
    {"the missing ones of many files are counted and named", test_missing},
};

CT_TEST_MAIN(tests)
