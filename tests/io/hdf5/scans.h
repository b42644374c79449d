/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans for the tests of HDF5, whose samples tell where they stand: as other programs write them, and as ours that
 * write. */
#ifndef CT_TESTS_IO_HDF5_SCANS_H
#define CT_TESTS_IO_HDF5_SCANS_H

#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/io/hdf5/make.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

enum { NU = 6, NV = 4 };

/* Frames whose samples tell where they stand: 100 frame + 10 row + column. */
static inline float sample_of(int frame, int row, int column) {
  return (float)(100 * frame + 10 * row + column);
}

static inline void fill_frames(float *frames, int count) {
  for (int f = 0; f < count; f++)
    for (int v = 0; v < NV; v++)
      for (int u = 0; u < NU; u++) frames[(f * NV + v) * NU + u] = sample_of(f, v, u);
}

static inline hid_t begin_exchange(const char *path, int views, int flats, int darks) {
  float frames[64 * NV * NU];
  fill_frames(frames, 64);
  const hid_t file = make_file(path);
  make_array(file, "/exchange/data", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){(hsize_t)views, NV, NU}, H5T_NATIVE_FLOAT,
             frames);
  if (flats)
    make_array(file, "/exchange/data_white", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){(hsize_t)flats, NV, NU},
               H5T_NATIVE_FLOAT, frames);
  if (darks)
    make_array(file, "/exchange/data_dark", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){(hsize_t)darks, NV, NU},
               H5T_NATIVE_FLOAT, frames);
  return file;
}

static inline void put_numbers(hid_t file, const char *name, const double *values, int count, const char *units) {
  make_array(file, name, H5T_NATIVE_DOUBLE, 1, (const hsize_t[]){(hsize_t)count}, H5T_NATIVE_DOUBLE, values);
  if (units) make_text_attribute(file, name, "units", units);
}

static inline hid_t begin_nxtomo(const char *path, const char *entry, const double *keys, int frames) {
  float data[64 * NV * NU];
  char name[256];
  fill_frames(data, 64);
  const hid_t file = path_exists(path) ? H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT) : make_file(path);
  snprintf(name, sizeof name, "%s/instrument/detector/data", entry);
  make_array(file, name, H5T_STD_U16LE, 3, (const hsize_t[]){(hsize_t)frames, NV, NU}, H5T_NATIVE_FLOAT, data);
  snprintf(name, sizeof name, "%s/instrument/detector/image_key", entry);
  if (keys) make_array(file, name, H5T_STD_U8LE, 1, (const hsize_t[]){(hsize_t)frames}, H5T_NATIVE_DOUBLE, keys);
  return file;
}

/* A source in memory with flats, darks and flips, to be written. */
static inline bool read_source(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out,
                               ct_error **error) {
  for (int k = 0; k < rows * NU; k++) out[k] = sample_of(index + 10 * (int)kind, row0 + k / NU, k % NU) / 7;
  return true;
}

static inline ct_scan *make_scan(ct_beam beam, ct_geometry *g) {
  static const double positions[] = {0, 2.5, 3};
  if (!ct_geometry_init(g, beam, NU, NV, 3, NULL)) abort();
  ct_geometry_set_arc(g, 0.1, 1.0 / 3);
  g->du = 0.1, g->dv = 1.0 / 7, g->centre_u = 2.3, g->centre_v = 1.9, g->tilt = beam == CT_BEAM_FREE ? 0 : 0.01;
  if (beam != CT_BEAM_PARALLEL) g->sod = 100.0 / 3, g->sdd = 200.0 / 3;
  if (beam == CT_BEAM_CONE) g->feed = -7.25, g->height = 1.0 / 3;
  for (int i = 0; i < 36 && beam == CT_BEAM_FREE; i++) g->matrices[i] = i % 12 == 11 ? 1 : sin(i + 1.0);
  const ct_scan_facts facts = {.geometry = *g,
                               .known = CT_KNOWN_ANGLES | CT_KNOWN_CENTRE,
                               .values = CT_VALUES_TRANSMISSION,
                               .flats = 3,
                               .darks = 1,
                               .flat_positions = positions,
                               .flip_rows = true,
                               .path = "made",
                               .format = "test"};
  return ct_scan_new(&facts, (ct_scan_source){.read = read_source}, NULL);
}

/* The library loses blocks of its own on some damaged files; that everything of ours is closed is a test below. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libhdf5";
}

/* Last: no file, dataset, type or attribute of all these tests is still open. */
static inline void test_all_closed(void) {
  CHECK(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
}

#endif
