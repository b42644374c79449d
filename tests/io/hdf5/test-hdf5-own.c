/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans written to HDF5 and read back, and volumes. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/io/hdf5/scans.h"
#include "tests/test.h"

static void test_scan_round_trip(void) {
  static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_CONE, CT_BEAM_FREE};
  ct_error *error = NULL;
  make_test_folder();
  for (size_t i = 0; i < 3; i++) {
    ct_geometry g;
    ct_scan *scan = make_scan(beams[i], &g);
    CHECK(scan);
    const char *path = in_folder("%s.h5", ct_beam_id(beams[i]));
    CHECK_OK(ct_scan_write(path, scan, NULL, &error));
    ct_scan *back = ct_scan_open(path, NULL, &error);
    CHECK_OK(back);
    const ct_scan_facts *a = ct_scan_get_facts(scan), *b = ct_scan_get_facts(back);
    const ct_geometry *h = &b->geometry;
    CHECK(h->beam == g.beam && h->nu == g.nu && h->nv == g.nv && h->views == g.views);
    CHECK(h->du == g.du && h->dv == g.dv && h->sod == g.sod && h->sdd == g.sdd);
    CHECK(h->centre_u == g.centre_u && h->centre_v == g.centre_v && h->tilt == g.tilt);
    CHECK(h->feed == g.feed && h->height == g.height);
    CHECK(memcmp(h->angles, g.angles, 3 * sizeof(double)) == 0);
    if (beams[i] == CT_BEAM_FREE) CHECK(memcmp(h->matrices, g.matrices, 36 * sizeof(double)) == 0);
    CHECK(b->known == a->known && b->values == a->values && b->flats == 3 && b->darks == 1);
    CHECK(memcmp(b->flat_positions, a->flat_positions, 3 * sizeof(double)) == 0);
    CHECK(!b->dark_positions && !b->flip_rows);
    float x[NV * NU], y[NV * NU];
    for (int kind = 0; kind < 3; kind++)
      for (int f = 0; f < (kind == 2 ? 1 : 3); f++) {
        CHECK_OK(ct_scan_read(scan, (ct_frame_kind)kind, f, 0, NV, x, &error));
        CHECK_OK(ct_scan_read(back, (ct_frame_kind)kind, f, 0, NV, y, &error));
        CHECK(memcmp(x, y, sizeof x) == 0);
      }
    /* A scan can be written over the file that it is read from, which then is another one. */
    CHECK_OK(ct_scan_write(path, back, NULL, &error));
    CHECK_FAILS(ct_scan_read(back, CT_FRAME_PROJECTION, 2, 0, NV, y, &error), CT_ERROR_DATA, "replaced");
    ct_scan_free(back);
    CHECK_OK(back = ct_scan_open(path, NULL, &error));
    ct_scan_free(back);
    ct_scan_free(scan);
    ct_geometry_clear(&g);
  }
  CHECK(count_entries(test_folder) == 3);
  ct_geometry g;
  ct_scan *scan = make_scan(CT_BEAM_CONE, &g);
  CHECK_FAILS(ct_scan_write(in_folder("a.tif"), scan, NULL, &error), CT_ERROR_ARGUMENT, "a.tif");
  CHECK_FAILS(ct_scan_write(in_folder("none/a.h5"), scan, NULL, &error), CT_ERROR_IO, "none");
  ct_job *job = ct_job_new(&error);
  CHECK_OK(job);
  ct_job_cancel(job);
  CHECK_FAILS(ct_scan_write(in_folder("a.h5"), scan, job, &error), CT_ERROR_CANCELLED, "");
  ct_job_free(job);
  ct_scan_free(scan);
  ct_geometry_clear(&g);
  CHECK(count_entries(test_folder) == 3);
  remove_test_folder();
}

static void test_own_geometry_faults(void) {
  static const char *const texts[] = {"", "{", "[]", "{\"version\": 1}",
                                      "{\"beam\":\"cone\",\"columns\":6,\"rows\":4,\"views\":3,\"pixel_mm\":[1,1],"
                                      "\"sod_mm\":9,\"sdd_mm\":5,\"centre_u\":0,"
                                      "\"centre_v\":0,\"tilt_rad\":0,\"angles_rad\":[0,1,2],\"values\":\"counts\"}"};
  ct_error *error = NULL;
  make_test_folder();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *path = in_folder("%zu.h5", i);
    const hid_t file = begin_exchange(path, 3, 0, 0);
    make_text(file, "/gantry/geometry", texts[i]);
    H5Fclose(file);
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    CHECK(!scan && error && strstr(error->message, ".h5"));
    ct_error_clear(&error);
  }
  remove_test_folder();
}

static void test_volumes(void) {
  ct_error *error = NULL;
  make_test_folder();
  float values[2 * NV * NU];
  fill_frames(values, 2);
  hid_t file = make_file(in_folder("one.h5"));
  make_array(file, "/exchange/data", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){2, NV, NU}, H5T_NATIVE_FLOAT, values);
  make_array(file, "/flat", H5T_NATIVE_FLOAT, 2, (const hsize_t[]){NV, NU}, H5T_NATIVE_FLOAT, values);
  H5Fclose(file);
  ct_volume *volume = ct_volume_read(in_folder("one.h5"), NULL, &error);
  CHECK_OK(volume);
  const ct_grid *grid = ct_volume_grid(volume);
  CHECK(grid->nx == NU && grid->ny == NV && grid->nz == 2 && grid->dx == 1 && grid->x0 == -2.5);
  CHECK(memcmp(ct_volume_get_data(volume), values, sizeof values) == 0);
  ct_volume_free(volume);
  CHECK_FAILS(ct_volume_read(in_folder("one.h5::/flat"), NULL, &error), CT_ERROR_FORMAT, "2 dimensions");
  CHECK_FAILS(ct_volume_read(in_folder("one.h5::/none"), NULL, &error), CT_ERROR_ARGUMENT, "/none");
  file = H5Fopen(in_folder("one.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  make_array(file, "/second", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){1, NV, NU}, H5T_NATIVE_FLOAT, values);
  H5Fclose(file);
  CHECK_FAILS(ct_volume_read(in_folder("one.h5"), NULL, &error), CT_ERROR_FORMAT,
              "is a scan, and has to be reconstructed first; as it stands it holds several arrays");
  CHECK_OK(volume = ct_volume_read(in_folder("one.h5::/second"), NULL, &error));
  CHECK(ct_volume_grid(volume)->nz == 1);
  ct_volume_free(volume);
  /* An array that nobody could have written: the memory is not even asked for. */
  file = make_file(in_folder("huge.h5"));
  make_chunked_array(file, "/data", H5T_NATIVE_FLOAT, (const hsize_t[]){1 << 20, 1 << 20, 1 << 20},
                     (const hsize_t[]){1, 64, 64}, NULL);
  H5Fclose(file);
  CHECK_FAILS(ct_volume_read(in_folder("huge.h5"), NULL, &error), CT_ERROR_FORMAT, "huge.h5");
  remove_test_folder();
}

static herr_t count_times(hid_t object, const char *name, const H5O_info_t *info, void *user) {
  int *times = user;
  *times += info->ctime || info->mtime || info->btime;
  return 0;
}

/* Equal contents make equal files, whenever they are written. */
static void test_no_times(void) {
  ct_error *error = NULL;
  make_test_folder();
  ct_geometry g;
  ct_scan *scan = make_scan(CT_BEAM_CONE, &g);
  CHECK(scan);
  CHECK_OK(ct_scan_write(in_folder("scan.h5"), scan, NULL, &error));
  const hid_t file = H5Fopen(in_folder("scan.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  int times = 0;
  CHECK(file >= 0 && H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, count_times, &times, H5O_INFO_TIME) >= 0);
  H5Fclose(file);
  ct_scan_free(scan);
  ct_geometry_clear(&g);
  remove_test_folder();
  CHECK(times == 0);
}

static const ct_test tests[] = {
    {"a written scan reads back exactly", test_scan_round_trip},
    {"a damaged geometry is an error", test_own_geometry_faults},
    {"volumes in foreign files", test_volumes},
    {"no times are written", test_no_times},
    {"nothing stays open", test_all_closed},
};

CT_TEST_MAIN(tests)
