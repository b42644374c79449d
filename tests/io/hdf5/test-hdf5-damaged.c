/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 files that are damaged: words, no crashes, nothing left open; also from several threads at once. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/io/hdf5/scans.h"
#include "tests/test.h"

#include <omp.h>

/* A child process is slow to start under the address sanitizer. */
#ifdef __SANITIZE_ADDRESS__
enum { FLIP_STRIDE = 499 };
#else
enum { FLIP_STRIDE = 211 };
#endif

/* Opens and reads whatever there is; an error must have a message. Returns false when a failure has none. */
static bool try_volume(const char *path) {
  ct_error *error = NULL;
  ct_volume *volume = ct_volume_read(path, NULL, &error);
  const bool good = volume || (error && strstr(error->message, "damaged.h5"));
  ct_volume_free(volume);
  ct_error_clear(&error);
  return good;
}

static bool try_scan(const char *path) {
  ct_error *error = NULL;
  bool good = true;
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  if (scan) {
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    const ct_geometry *g = &facts->geometry;
    float *frame =
        (double)g->nu * g->nv < 1e6 ? ct_alloc((size_t)g->nu * (size_t)g->nv, sizeof *frame, "a frame", NULL) : NULL;
    for (int i = 0; frame && good && i < g->views && i < 20; i++)
      if (!ct_scan_read(scan, CT_FRAME_PROJECTION, i, 0, g->nv, frame, &error)) {
        good = error != NULL;
        ct_error_clear(&error);
      }
    if (frame && facts->flats && !ct_scan_read(scan, CT_FRAME_FLAT, 0, 0, g->nv, frame, &error)) good = good && error;
    ct_free(frame);
    ct_scan_free(scan);
  } else {
    good = error && strstr(error->message, "damaged.h5");
  }
  ct_error_clear(&error);
  return good;
}

/* A scan with everything, small: compressed chunks, flats, angles, texts of variable length. */
static void make_victims(void) {
  ct_error *error = NULL;
  float frames[4 * NV * NU];
  fill_frames(frames, 4);
  hid_t file = begin_nxtomo(in_folder("nx.h5"), "/entry", (const double[]){0, 0, 1, 2}, 4);
  put_numbers(file, "/entry/sample/rotation_angle", (const double[]){0, 1, 2, 3}, 4, "deg");
  H5Fclose(file);
  file = make_file(in_folder("dx.h5"));
  make_chunked_array(file, "/exchange/data", H5T_STD_U16LE, (const hsize_t[]){4, NV, NU}, (const hsize_t[]){2, 3, 4},
                     frames);
  make_array(file, "/exchange/data_white", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){1, NV, NU}, H5T_NATIVE_FLOAT, frames);
  make_text_attribute(file, "/exchange/data", "units", "counts");
  put_numbers(file, "/exchange/theta", (const double[]){0, 1, 2, 3}, 4, "deg");
  H5Fclose(file);
  const ct_grid grid = ct_grid_centred(5, 4, 3, 0.5, NULL);
  ct_volume *volume = ct_volume_new(&grid, &error);
  const ct_write_options options = {CT_SAMPLES_UINT16, 0, 1, true};
  if (!volume || !ct_volume_set_plan(volume, "{}", NULL) ||
      !ct_volume_write(in_folder("volume.h5"), volume, &options, NULL, &error))
    abort();
  ct_volume_free(volume);
}

static void test_damaged(void) {
  static const char *const victims[] = {"nx.h5", "dx.h5", "volume.h5"};
  ct_error *error = NULL;
  make_test_folder();
  make_victims();
  for (int i = 0; i < 3; i++) {
    bool (*const try)(const char *) = i == 2 ? try_volume : try_scan;
    size_t bytes;
    unsigned char *data = read_file(in_folder("%s", victims[i]), &bytes);
    const char *path = in_folder("damaged.h5");
    for (size_t cut = 0; cut < bytes; cut += cut < 8 ? 1 : 997) {
      write_file(path, data, cut);
      if (!try(path)) CT_TEST_END(1, "%s cut at %zu: no words", victims[i], cut);
      CHECK_FAILS(ct_scan_open(path, NULL, &error), CT_ERROR_FORMAT, "damaged.h5");
    }
    /* Bits spread over the file; the stride meets every field of a header in one place or another. */
    for (size_t at = (size_t)i; at < bytes; at += FLIP_STRIDE) {
      const unsigned char bit = (unsigned char)(1 << (at % 8));
      data[at] ^= bit;
      write_file(path, data, bytes);
      if (!try(path)) CT_TEST_END(1, "%s, byte %zu: no words", victims[i], at);
      data[at] ^= bit;
    }
    free(data);
  }
  write_text(in_folder("damaged.h5"), "");
  CHECK_FAILS(ct_scan_open(in_folder("damaged.h5"), NULL, &error), CT_ERROR_FORMAT, "is empty");
  write_text(in_folder("damaged.h5"), "this is a text");
  CHECK_FAILS(ct_scan_open(in_folder("damaged.h5"), NULL, &error), CT_ERROR_FORMAT, "no HDF5 file");
  CHECK_FAILS(ct_scan_open(in_folder("none.h5"), NULL, &error), CT_ERROR_IO, "none.h5");
  mkdir(in_folder("folder.h5"), 0777);
  CHECK(!ct_scan_open(in_folder("folder.h5"), NULL, &error));
  ct_error_clear(&error);
  remove_test_folder();
}

/* The library's own printing must not reach the user's terminal. */
static void test_silence(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_victims();
  size_t bytes;
  unsigned char *data = read_file(in_folder("dx.h5"), &bytes);
  write_file(in_folder("cut.h5"), data, bytes / 2);
  free(data);
  const int old = dup(2), file = open(in_folder("stderr"), O_RDWR | O_CREAT, 0600);
  H5Eset_auto2(H5E_DEFAULT, (H5E_auto2_t)H5Eprint2, stderr);
  dup2(file, 2);
  ct_scan *scan = ct_scan_open(in_folder("cut.h5"), NULL, &error);
  fflush(stderr);
  dup2(old, 2);
  close(old);
  struct stat status;
  fstat(file, &status);
  close(file);
  CHECK_FAILS(scan, CT_ERROR_FORMAT, "cut-off or damaged");
  CHECK(status.st_size == 0);
  remove_test_folder();
}

static void test_threads(void) {
  ct_error *error = NULL;
  make_test_folder();
  ct_geometry g;
  ct_scan *made = make_scan(CT_BEAM_CONE, &g);
  CHECK_OK(ct_scan_write(in_folder("a.h5"), made, NULL, &error));
  ct_scan *scans[2];
  for (int i = 0; i < 2; i++) CHECK_OK(scans[i] = ct_scan_open(in_folder("a.h5"), NULL, &error));
  int wrong = 0;
#pragma omp parallel for num_threads(4) reduction(+ : wrong)
  for (int i = 0; i < 400; i++) {
    float row[NU], expected[NU];
    wrong += !ct_scan_read(scans[i % 2], CT_FRAME_PROJECTION, i % 3, i % NV, 1, row, NULL) ||
             !ct_scan_read(made, CT_FRAME_PROJECTION, i % 3, i % NV, 1, expected, NULL) ||
             memcmp(row, expected, sizeof row) != 0;
  }
  CHECK(wrong == 0);
  for (int i = 0; i < 2; i++) ct_scan_free(scans[i]);
  ct_scan_free(made);
  ct_geometry_clear(&g);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"cut and flipped files give words, not crashes", test_damaged},
    {"nothing is printed", test_silence},
    {"several threads at once", test_threads},
    {"nothing stays open", test_all_closed},
};

CT_TEST_MAIN(tests)
