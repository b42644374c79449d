/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 files whose values are in other files, by external links, virtual datasets and external storage: read rightly,
 * an error where one of them is missing, too short or changed, and no output may overwrite one. */
#include "recon/base/memory.h"
#include "tests/io/hdf5/scans.h"

enum { VIEWS = 8 };

/* FOLDER/NAME with the frames as "/d", and a theta for others to point to. */
static void make_source(const char *name, int views) {
  float frames[64 * NV * NU];
  double theta[64];
  fill_frames(frames, 64);
  for (int i = 0; i < 64; i++) theta[i] = 10 * i + 5;
  const hid_t file = make_file(in_folder("%s", name));
  make_array(file, "/d", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){(hsize_t)views, NV, NU}, H5T_NATIVE_FLOAT, frames);
  put_numbers(file, "/theta", theta, views, "deg");
  H5Fclose(file);
}

static hid_t begin(const char *name) {
  double theta[VIEWS];
  for (int i = 0; i < VIEWS; i++) theta[i] = 10 * i + 5;
  const hid_t file = make_file(in_folder("%s", name));
  put_numbers(file, "/exchange/theta", theta, VIEWS, "deg");
  return file;
}

static void make_external(const char *name, const char *link, const char *other, const char *object) {
  const hid_t file = begin(name);
  make_need(H5Lcreate_external(other, object, file, link, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
}

/* `parts` equal parts, mapped from the datasets of files named by `pattern`, with the part's number in it. */
static void make_virtual(const char *name, const char *pattern, const char *object, int parts) {
  const hid_t file = begin(name), create = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t all[3] = {VIEWS, NV, NU}, one[3] = {(hsize_t)(VIEWS / parts), NV, NU};
  const hid_t space = H5Screate_simple(3, all, NULL), from = H5Screate_simple(3, one, NULL);
  for (int i = 0; i < parts; i++) {
    const hsize_t start[3] = {(hsize_t)(i * (VIEWS / parts)), 0, 0};
    char other[64];
    if (parts > 1)
      snprintf(other, sizeof other, "%s%d.h5", pattern, i);
    else
      snprintf(other, sizeof other, "%s.h5", pattern);
    make_need(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL) >= 0 &&
              H5Pset_virtual(create, space, other, object, from) >= 0);
  }
  const hid_t whole = H5Screate_simple(3, all, NULL);
  const hid_t id = H5Dcreate2(file, "/exchange/data", H5T_NATIVE_FLOAT, whole, H5P_DEFAULT, create, H5P_DEFAULT);
  make_need(id >= 0);
  H5Dclose(id);
  H5Sclose(whole);
  H5Sclose(space);
  H5Sclose(from);
  H5Pclose(create);
  H5Fclose(file);
}

static void make_stored(const char *name, const char *samples) {
  float frames[VIEWS * NV * NU];
  fill_frames(frames, VIEWS);
  write_file(samples, frames, sizeof frames);
  const hid_t file = begin(name), create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(create, samples, 0, sizeof frames);
  make_dataset(file, "/exchange/data", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){VIEWS, NV, NU}, create, H5T_NATIVE_FLOAT,
               NULL);
  H5Pclose(create);
  H5Fclose(file);
}

static void make_all(void) {
  static char samples[1024];
  make_test_folder();
  make_source("src.h5", VIEWS);
  for (int i = 0; i < 4; i++) {
    char name[32];
    snprintf(name, sizeof name, "part%d.h5", i);
    make_source(name, VIEWS / 4);
  }
  make_external("link.h5", "/exchange/data", "src.h5", "/d");
  make_external("away.h5", "/d", "src.h5", "/d");
  make_virtual("virtual.h5", "src", "/d", 1);
  make_virtual("twice.h5", "away", "/d", 1);
  make_virtual("parts.h5", "part", "/d", 4);
  snprintf(samples, sizeof samples, "%s", in_folder("samples.bin"));
  make_stored("stored.h5", samples);
}

static const struct {
  const char *scan, *source;
} pairs[] = {
    {"link.h5", "src.h5"},    {"virtual.h5", "src.h5"}, {"twice.h5", "src.h5"},       {"twice.h5", "away.h5"},
    {"parts.h5", "part0.h5"}, {"parts.h5", "part3.h5"}, {"stored.h5", "samples.bin"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* The last frame, whose samples tell which it is (parts count from 0 anew). */
static bool reads_well(ct_scan *scan, bool parts, ct_error **error) {
  float frame[NU * NV];
  if (!ct_scan_read(scan, CT_FRAME_PROJECTION, VIEWS - 1, 0, NV, frame, error)) return false;
  return frame[2 * NU + 3] == sample_of(parts ? VIEWS / 4 - 1 : VIEWS - 1, 2, 3);
}

static void test_reads(void) {
  make_all();
  for (int i = 0; i < PAIRS; i++) {
    ct_error *error = NULL;
    ct_scan *scan = ct_scan_open(in_folder("%s", pairs[i].scan), NULL, &error);
    CHECK_OK(scan);
    CHECK_OK(reads_well(scan, strcmp(pairs[i].scan, "parts.h5") == 0, &error));
    /* Changed while it is open. */
    CHECK(truncate(in_folder("%s", pairs[i].source), 60) == 0);
    float frame[NU * NV];
    if (ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, NV, frame, &error))
      CT_TEST_END(1, "%s %s", pairs[i].scan, pairs[i].source);
    ct_error_clear(&error);
    CHECK_FAILS(ct_scan_check(scan, &error), CT_ERROR_DATA, pairs[i].source);
    ct_scan_free(scan);
    CHECK(!ct_scan_open(in_folder("%s", pairs[i].scan), NULL, &error) && error &&
          strstr(error->message, pairs[i].source));
    ct_error_clear(&error);
    remove_test_folder();
    make_all();
  }
  remove_test_folder();
}

static void test_missing(void) {
  make_all();
  for (int i = 0; i < PAIRS; i++) {
    ct_error *error = NULL;
    char path[1024];
    snprintf(path, sizeof path, "%s", in_folder("%s", pairs[i].scan));
    CHECK(unlink(in_folder("%s", pairs[i].source)) == 0);
    const bool opened = ct_scan_open(path, NULL, &error);
    if (opened || !error || !strstr(error->message, pairs[i].source) || !strstr(error->message, "not there"))
      CT_TEST_END(1, "%s without %s: %s", pairs[i].scan, pairs[i].source, error ? error->message : "no error");
    ct_error_clear(&error);
    CHECK(!ct_volume_read(path, NULL, &error) && error && strstr(error->message, pairs[i].source));
    ct_error_clear(&error);
    remove_test_folder();
    make_all();
  }
  remove_test_folder();
}

/* Flats, angles and objects that are looked for behind links to nowhere are not simply left out. */
static void test_dangling(void) {
  static const struct {
    const char *link, *words;
  } cases[] = {{"/exchange/data_white", "gone.h5"}, {"/exchange/data_dark", "gone.h5"}, {"/exchange/theta", "gone.h5"}};
  make_all();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    const hid_t file = begin_exchange(in_folder("main.h5"), VIEWS, 0, 0);
    make_need(H5Lcreate_external("gone.h5", "/d", file, cases[i].link, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    CHECK_FAILS(ct_scan_open(in_folder("main.h5"), NULL, &error), CT_ERROR_IO, cases[i].words);
  }
  ct_error *error = NULL;
  make_external("object.h5", "/exchange/data", "src.h5", "/nowhere");
  CHECK_FAILS(ct_scan_open(in_folder("object.h5"), NULL, &error), CT_ERROR_FORMAT, "/nowhere");
  make_virtual("set.h5", "src", "/nowhere", 1);
  CHECK_FAILS(ct_scan_open(in_folder("set.h5"), NULL, &error), CT_ERROR_FORMAT, "/nowhere");
  make_external("named.h5", "/other", "gone.h5", "/d");
  CHECK_FAILS(ct_scan_open(in_folder("named.h5::/other"), NULL, &error), CT_ERROR_IO, "gone.h5");
  CHECK_FAILS(ct_volume_read(in_folder("named.h5::/other"), NULL, &error), CT_ERROR_IO, "gone.h5");
  /* A dangling link that no reader asks for does not matter. */
  const hid_t file = begin_exchange(in_folder("main.h5"), VIEWS, 0, 0);
  make_need(H5Lcreate_external("gone.h5", "/d", file, "/exchange/preview", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(in_folder("main.h5"), NULL, &error);
  CHECK_OK(scan);
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_destroyed(void) {
  make_all();
  for (int i = 0; i < PAIRS; i++) {
    char scan[1024], source[1024];
    snprintf(scan, sizeof scan, "%s", in_folder("%s", pairs[i].scan));
    snprintf(source, sizeof source, "%s", in_folder("%s", pairs[i].source));
    if (!ct_scan_is_destroyed(scan, NULL, source)) CT_TEST_END(1, "%s %s", pairs[i].scan, pairs[i].source);
    CHECK(symlink(source, in_folder("symbolic")) == 0 && link(source, in_folder("hard")) == 0);
    CHECK(ct_scan_is_destroyed(scan, NULL, in_folder("symbolic")) &&
          ct_scan_is_destroyed(scan, NULL, in_folder("hard")));
    unlink(in_folder("symbolic"));
    unlink(in_folder("hard"));
  }
  CHECK(!ct_scan_is_destroyed(in_folder("link.h5"), NULL, in_folder("parts.h5")));
  /* As a volume, and one dataset. */
  CHECK(ct_scan_is_destroyed(in_folder("away.h5::/d"), NULL, in_folder("src.h5")));
  remove_test_folder();
}

/* Somebody was asked; and whether or not, no output takes the other file's place. */
static void check_allowed(const char *name, const char *other) {
  ct_error *error = NULL;
  char scan_path[1024];
  snprintf(scan_path, sizeof scan_path, "%s", in_folder("%s", name));
  char *allowed = ct_scan_allow_links(scan_path, NULL);
  CHECK(allowed && ct_scan_is_destroyed(scan_path, NULL, in_folder("%s", other)) &&
        ct_scan_is_destroyed(scan_path, allowed, in_folder("%s", other)));
  ct_scan *scan = ct_scan_open(scan_path, allowed, &error);
  CHECK_OK(scan);
  CHECK_OK(reads_well(scan, false, &error));
  ct_scan_free(scan);
  ct_free(allowed);
}

/* A volume is read after the same question: whole, in part, and with its file protected. */
static void check_volume_allowed(const char *name) {
  ct_error *error = NULL;
  char path[1024];
  snprintf(path, sizeof path, "%s", in_folder("%s::/exchange/data", name));
  CHECK_FAILS(ct_volume_read(path, NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
  CHECK_FAILS(ct_volume_read_allowed(path, false, NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
  CHECK_FAILS(ct_volume_reader_open(path, false, &error), CT_ERROR_ELSEWHERE, "outside its folder");
  ct_volume *volume = ct_volume_read_allowed(path, true, NULL, &error);
  CHECK_OK(volume);
  CHECK(ct_volume_grid(volume)->nz == VIEWS &&
        ct_volume_get_data(volume)[((VIEWS - 1) * NV + 2) * NU + 3] == sample_of(VIEWS - 1, 2, 3));
  ct_volume_free(volume);
}

/* HDF5 files of other folders, by a link, a virtual dataset, and one behind the other. */
static void test_links_elsewhere(void) {
  ct_error *error = NULL;
  make_test_folder();
  mkdir(in_folder("scan"), 0777);
  mkdir(in_folder("scan/inner"), 0777);
  make_source("src.h5", VIEWS);
  make_source("scan/inner/src.h5", VIEWS);
  make_external("scan/link.h5", "/exchange/data", "../src.h5", "/d");
  make_virtual("scan/virtual.h5", "../src", "/d", 1);
  make_external("scan/inner/away.h5", "/d", "../../src.h5", "/d");
  make_virtual("scan/twice.h5", "inner/away", "/d", 1);
  make_external("scan/below.h5", "/exchange/data", "inner/src.h5", "/d");
  static const char *const names[] = {"scan/link.h5", "scan/virtual.h5", "scan/twice.h5"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    CHECK_FAILS(ct_scan_open(in_folder("%s", names[i]), NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
    CHECK_FAILS(ct_scan_open(in_folder("%s", names[i]), "{\"links\": \"folder\"}", &error), CT_ERROR_ELSEWHERE,
                "src.h5");
    check_volume_allowed(names[i]);
    check_allowed(names[i], "src.h5");
  }
  ct_scan *scan = ct_scan_open(in_folder("scan/below.h5"), NULL, &error);
  CHECK_OK(scan);
  ct_scan_free(scan);
  CHECK_FAILS(ct_scan_open(in_folder("scan/below.h5"), "{\"links\": \"up\"}", &error), CT_ERROR_FORMAT, "links");
  /* Flats of a description. */
  const char *flats = "{\"flats\": \"link.h5\"}", *with = "{\"flats\": \"link.h5\", \"links\": \"anywhere\"}";
  CHECK_FAILS(ct_scan_open(in_folder("scan/below.h5"), flats, &error), CT_ERROR_ELSEWHERE, "outside its folder");
  scan = ct_scan_open(in_folder("scan/below.h5"), with, &error);
  CHECK_OK(scan);
  ct_scan_free(scan);
  remove_test_folder();
}

/* Any file can be plain samples: none of another folder is read, also by a link or a way round. */
static void test_samples_elsewhere(void) {
  ct_error *error = NULL;
  make_test_folder();
  mkdir(in_folder("scan"), 0777);
  mkdir(in_folder("scan/inner"), 0777);
  mkdir(in_folder("scan-2"), 0777);
  make_stored("scan/inside.h5", in_folder("scan/inner/samples.raw"));
  make_stored("scan/outside.h5", in_folder("scan-2/secret.raw"));
  make_stored("scan/round.h5", in_folder("scan/../scan-2/secret.raw"));
  if (symlink(in_folder("scan-2/secret.raw"), in_folder("scan/link.raw")) != 0) abort();
  make_stored("scan/link.h5", in_folder("scan/link.raw"));
  ct_scan *scan = ct_scan_open(in_folder("scan/inside.h5"), NULL, &error);
  CHECK_OK(scan);
  ct_scan_free(scan);
  static const char *const names[] = {"scan/outside.h5", "scan/link.h5", "scan/round.h5"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    CHECK_FAILS(ct_scan_open(in_folder("%s", names[i]), NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
    check_volume_allowed(names[i]);
    check_allowed(names[i], "scan-2/secret.raw");
  }
  /* The scan by a link from elsewhere has its samples beside it. */
  if (symlink(in_folder("scan/inside.h5"), in_folder("scan-2/scan.h5")) != 0) abort();
  scan = ct_scan_open(in_folder("scan-2/scan.h5"), NULL, &error);
  CHECK_OK(scan);
  ct_scan_free(scan);
  remove_test_folder();
}

/* Frames in chunks of one frame each, side x side pixels. */
static void make_chunked(const char *name, hsize_t side) {
  const hid_t file = begin(name), create = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t dims[3] = {VIEWS, NV, NU}, most[3] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  const hid_t space = H5Screate_simple(3, dims, most);
  float frames[VIEWS * NV * NU];
  fill_frames(frames, VIEWS);
  H5Pset_chunk(create, 3, (const hsize_t[]){1, side, side});
  H5Pset_deflate(create, 1);
  const hid_t id = H5Dcreate2(file, "/exchange/data", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, create, H5P_DEFAULT);
  make_need(id >= 0 && (side > 1000 || H5Dwrite(id, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, frames) >= 0));
  H5Dclose(id);
  H5Sclose(space);
  H5Pclose(create);
  H5Fclose(file);
}

/* A chunk that takes half a gigabyte to look at one pixel of it. */
static void test_large_chunks(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_chunked("large.h5", 12000);
  make_chunked("small.h5", 40);
  CHECK_FAILS(ct_scan_open(in_folder("large.h5"), NULL, &error), CT_ERROR_UNSUPPORTED, "chunks of 576 MB");
  ct_scan *scan = ct_scan_open(in_folder("small.h5"), NULL, &error);
  CHECK_OK(scan);
  ct_scan_free(scan);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"values in other files", test_reads},
    {"other files that are missing", test_missing},
    {"links to nowhere", test_dangling},
    {"outputs over other files", test_destroyed},
    {"samples outside the folder are read when it is allowed", test_samples_elsewhere},
    {"links out of the folder are followed when it is allowed", test_links_elsewhere},
    {"chunks that are too large are refused", test_large_chunks},
};

CT_TEST_MAIN(tests)
