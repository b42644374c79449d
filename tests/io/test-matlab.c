/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MATLAB: the structures of open data sets in versions 5 and 7.3, either way round, and damaged files. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/damage.h"
#include "tests/io/hdf5/make.h"
#include "tests/test.h"

#include <math.h>
#include <matio.h>

enum { NU = 7, VIEWS = 5, NV = 3 };

static double sample_of(int view, int row, int column) {
  return 100 * view + 10 * row + column;
}

/* A matrix as MATLAB has it, [rows][columns] with the rows running fastest. */
static matvar_t *new_matrix(const char *name, size_t rows, size_t columns, size_t pages, double *values) {
  size_t dims[3] = {rows, columns, pages};
  matvar_t *v = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, pages > 1 ? 3 : 2, dims, values, 0);
  if (!v) abort();
  return v;
}

static matvar_t *new_number(double value) {
  return new_matrix(NULL, 1, 1, 1, &value);
}

/* A sinogram, views down (or across). */
static matvar_t *new_sinogram(const char *name, bool across) {
  double values[VIEWS * NU];
  for (int view = 0; view < VIEWS; view++)
    for (int u = 0; u < NU; u++) values[across ? view * NU + u : u * VIEWS + view] = sample_of(view, 0, u);
  return new_matrix(name, across ? NU : VIEWS, across ? VIEWS : NU, 1, values);
}

/* Takes the variables. */
static void write_mat(const char *path, matvar_t **variables, int count, bool packed) {
  mat_t *mat = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
  if (!mat) abort();
  for (int i = 0; i < count; i++) {
    if (Mat_VarWrite(mat, variables[i], packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE) != 0) abort();
    Mat_VarFree(variables[i]);
  }
  Mat_Close(mat);
}

static matvar_t *new_structure(const char *name, const char **fields, unsigned count, matvar_t **values) {
  size_t one[2] = {1, 1};
  matvar_t *v = Mat_VarCreateStruct(name, 2, one, fields, count);
  if (!v) abort();
  for (unsigned i = 0; i < count; i++) Mat_VarSetStructFieldByName(v, fields[i], 0, values[i]);
  return v;
}

/* As the Helsinki Tomography Challenge has it. */
static void write_challenge(const char *path, bool across, bool packed) {
  const char *inner[] = {"distanceSourceOrigin", "distanceSourceDetector", "pixelSizePost", "angles"};
  const char *outer[] = {"type", "sinogram", "parameters"};
  double angles[VIEWS] = {0, 10, 20, 30, 45};
  matvar_t *parameters[] = {new_number(410.66), new_number(553.74), new_number(0.2),
                            new_matrix(NULL, 1, VIEWS, 1, angles)};
  size_t two[2] = {1, 2};
  char kind[] = "2D";
  matvar_t *values[] = {Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UINT8, 2, two, kind, 0), new_sinogram(NULL, across),
                        new_structure(NULL, inner, 4, parameters)};
  matvar_t *whole = new_structure("CtDataFull", outer, 3, values);
  write_mat(path, &whole, 1, packed);
}

static void check_sinogram(const char *path, const char *format, bool challenge) {
  ct_error *error = NULL;
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_geometry *g = &facts->geometry;
  CHECK(strcmp(facts->format, format) == 0);
  if (g->views != VIEWS || g->nv != 1 || g->nu != NU) CT_TEST_END(1, "%d views of %d x %d", g->views, g->nu, g->nv);
  float row[NU];
  for (int view = 0; view < VIEWS; view++) {
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, view, 0, 1, row, &error));
    for (int u = 0; u < NU; u++) CHECK(row[u] == (float)sample_of(view, 0, u));
  }
  if (challenge) {
    CHECK(g->beam == CT_BEAM_FAN && facts->layout == CT_LAYOUT_SINOGRAMS);
    CHECK_NEAR(g->sod, 410.66, 1e-9);
    CHECK_NEAR(g->sdd, 553.74, 1e-9);
    CHECK_NEAR(g->du, 0.2, 1e-12);
    CHECK(facts->known == (CT_KNOWN_ANGLES | CT_KNOWN_PITCH | CT_KNOWN_DISTANCES | CT_KNOWN_BEAM));
    CHECK_NEAR(g->angles[4], M_PI / 4, 1e-12);
  }
  ct_scan_free(scan);
}

/* Three indices alone are rows, columns, views; the file is a scan, and nothing else. */
static void check_projections(const char *path) {
  ct_error *error = NULL;
  CHECK(ct_path_content(path, NULL) == CT_CONTENT_SCAN);
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == VIEWS && ct_scan_get_facts(scan)->geometry.nv == NV);
  float rows[NV * NU];
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 3, 1, 2, rows, &error));
  for (int i = 0; i < 2 * NU; i++) CHECK(rows[i] == (float)sample_of(3, 1 + i / NU, i % NU));
  ct_scan_free(scan);
}

static void test_challenge(void) {
  ct_error *error = NULL;
  make_test_folder();
  for (int way = 0; way < 4; way++) {
    write_challenge(in_folder("c%d.mat", way), way & 1, way & 2);
    check_sinogram(in_folder("c%d.mat", way), "MATLAB 5", true);
  }
  ct_dataset_list list;
  CHECK_OK(ct_file_list_datasets(in_folder("c0.mat"), false, &list, &error));
  CHECK(list.count == 1 && strcmp(list.items[0].path, "CtDataFull.sinogram") == 0 && list.items[0].dims[1] == NU);
  ct_dataset_list_clear(&list);
  /* Chosen by name, with angles of its own, it is the same scan. */
  const ct_scan_told told = {
      .dataset = "CtDataFull/sinogram", .layout = "sinograms", .angles = "::CtDataFull.parameters.angles"};
  char *text = ct_scan_tell(in_folder("c0.mat"), NULL, &told, &error);
  CHECK_OK(text);
  ct_scan *scan = ct_scan_open(in_folder("c0.mat"), text, &error);
  ct_free(text);
  CHECK_OK(scan);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[3], M_PI / 6, 1e-12);
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_others(void) {
  ct_error *error = NULL;
  make_test_folder();
  /* FIPS: a sparse matrix A and the sinogram m, whose columns are views. */
  size_t dims[2] = {4, 4};
  mat_uint32_t ir[1] = {0}, jc[5] = {0, 1, 1, 1, 1};
  double value[1] = {1};
  mat_sparse_t sparse = {.nzmax = 1, .ir = ir, .nir = 1, .jc = jc, .njc = 5, .ndata = 1, .data = value};
  matvar_t *both[] = {Mat_VarCreate("A", MAT_C_SPARSE, MAT_T_DOUBLE, 2, dims, &sparse, MAT_F_DONT_COPY_DATA),
                      new_sinogram("m", true)};
  write_mat(in_folder("f.mat"), both, 2, true);
  check_sinogram(in_folder("f.mat"), "MATLAB 5", false);
  /* One matrix alone is a question, three indices are rows, columns, views. */
  matvar_t *one = new_sinogram("x", false);
  write_mat(in_folder("x.mat"), &one, 1, false);
  ct_scan *scan = ct_scan_open(in_folder("x.mat"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_layout_is_open(scan));
  ct_scan_free(scan);
  double values[VIEWS * NV * NU];
  for (int i = 0; i < VIEWS * NV * NU; i++) values[i] = sample_of(i / (NV * NU), i % NV, i / NV % NU);
  one = new_matrix("p", NV, NU, VIEWS, values);
  write_mat(in_folder("p.mat"), &one, 1, true);
  check_projections(in_folder("p.mat"));
  /* Radians, as in version 7.3. */
  const char *fields[] = {"sinogram", "angles"};
  double angles[VIEWS] = {0, 0.5, 1, 1.5, 2};
  matvar_t *members[] = {new_sinogram(NULL, false), new_matrix(NULL, 1, VIEWS, 1, angles)};
  one = new_structure("r", fields, 2, members);
  write_mat(in_folder("r.mat"), &one, 1, false);
  scan = ct_scan_open(in_folder("r.mat"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[4], 2, 1e-12);
  ct_scan_free(scan);
  matvar_t *two[] = {new_sinogram("a", false), new_sinogram("b", false)};
  write_mat(in_folder("two.mat"), two, 2, false);
  CHECK_FAILS(ct_scan_open(in_folder("two.mat"), NULL, &error), CT_ERROR_FORMAT,
              "several arrays; choose one as two.mat::NAME: a, b");
  CHECK_FAILS(ct_scan_open(in_folder("two.mat::c"), NULL, &error), CT_ERROR_ARGUMENT, "no variable c");
  remove_test_folder();
}

/* CtData as MATLAB's cell of one entry, an object reference, or behind a soft link. */
static void put_elsewhere(const char *path, bool cell) {
  hobj_ref_t reference;
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT),
              group = H5Gcreate2(file, "/#refs#", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  make_need(group >= 0 && H5Lmove(file, "/CtData", file, "/#refs#/a", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Gclose(group);
  if (cell) {
    const hid_t space = H5Screate_simple(2, (const hsize_t[]){1, 1}, NULL),
                id = H5Dcreate2(file, "/CtData", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    make_need(H5Rcreate(&reference, file, "/#refs#/a", H5R_OBJECT, -1) >= 0 &&
              H5Dwrite(id, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, &reference) >= 0);
    H5Dclose(id);
    H5Sclose(space);
  } else {
    make_need(H5Lcreate_soft("/#refs#/a", file, "/CtData", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  H5Fclose(file);
}

/* Version 7.3 is HDF5, with the indices in reverse. */
static void test_7_3(void) {
  make_test_folder();
  const double angles[VIEWS] = {0, 10, 20, 30, 45}, sod = 410.66, sdd = 553.74, pitch = 0.2;
  for (int across = 0; across < 2; across++) {
    double values[VIEWS * NU];
    /* A listing of views down stands in the file as [columns][views]. */
    for (int view = 0; view < VIEWS; view++)
      for (int u = 0; u < NU; u++) values[across ? view * NU + u : u * VIEWS + view] = sample_of(view, 0, u);
    const hid_t file = make_file(in_folder("v%d.mat", across));
    make_array(file, "/CtData/sinogram", H5T_NATIVE_DOUBLE, 2,
               across ? (const hsize_t[]){VIEWS, NU} : (const hsize_t[]){NU, VIEWS}, H5T_NATIVE_DOUBLE, values);
    make_array(file, "/CtData/parameters/angles", H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){VIEWS, 1}, H5T_NATIVE_DOUBLE,
               angles);
    static const char *const names[] = {"distanceSourceOrigin", "distanceSourceDetector", "pixelSizePost"};
    const double *const numbers[] = {&sod, &sdd, &pitch};
    for (int i = 0; i < 3; i++) {
      char name[100];
      snprintf(name, sizeof name, "/CtData/parameters/%s", names[i]);
      make_array(file, name, H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){1, 1}, H5T_NATIVE_DOUBLE, numbers[i]);
    }
    H5Fclose(file);
    check_sinogram(in_folder("v%d.mat", across), "MATLAB 7.3", true);
    put_elsewhere(in_folder("v%d.mat", across), across == 1);
    check_sinogram(in_folder("v%d.mat", across), "MATLAB 7.3", true);
  }
  /* FIPS, and an array of three indices alone, [views][columns][rows] in the file. */
  double values[VIEWS * NV * NU];
  for (int i = 0; i < VIEWS * NU; i++) values[i] = sample_of(i / NU, 0, i % NU);
  hid_t file = make_file(in_folder("f.mat"));
  make_array(file, "/m", H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){VIEWS, NU}, H5T_NATIVE_DOUBLE, values);
  make_array(file, "/A/data", H5T_NATIVE_DOUBLE, 1, (const hsize_t[]){NU}, H5T_NATIVE_DOUBLE, values);
  make_number_attribute(file, "/A", "MATLAB_sparse", NU);
  H5Fclose(file);
  check_sinogram(in_folder("f.mat"), "MATLAB 7.3", false);
  for (int i = 0; i < VIEWS * NV * NU; i++) values[i] = sample_of(i / (NV * NU), i % NV, i / NV % NU);
  file = make_file(in_folder("p.mat"));
  make_array(file, "/p", H5T_NATIVE_DOUBLE, 3, (const hsize_t[]){VIEWS, NU, NV}, H5T_NATIVE_DOUBLE, values);
  H5Fclose(file);
  check_projections(in_folder("p.mat"));
  /* The first index counts as many as there are angles: sinograms, [rows][columns][views] in the file. */
  for (int i = 0; i < VIEWS * NV * NU; i++) values[i] = sample_of(i % VIEWS, i / (VIEWS * NU), i / VIEWS % NU);
  file = make_file(in_folder("s.mat"));
  make_array(file, "/c/sinogram", H5T_NATIVE_DOUBLE, 3, (const hsize_t[]){NV, NU, VIEWS}, H5T_NATIVE_DOUBLE, values);
  make_array(file, "/c/angles", H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){VIEWS, 1}, H5T_NATIVE_DOUBLE, angles);
  H5Fclose(file);
  check_projections(in_folder("s.mat"));
  remove_test_folder();
}

static void test_damaged(void) {
  ct_error *error = NULL;
  make_test_folder();
  write_challenge(in_folder("c.mat"), false, false);
  damage(in_folder("c.mat"), 260, 16);
  write_text(in_folder("old.mat"), "not a MAT file");
  CHECK_FAILS(ct_scan_open(in_folder("old.mat"), NULL, &error), CT_ERROR_UNSUPPORTED, "save it anew");
  remove_test_folder();
}

static const ct_test tests[] = {
    {"Helsinki Tomography Challenge", test_challenge},
    {"other arrays", test_others},
    {"version 7.3", test_7_3},
    {"damaged files", test_damaged},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
