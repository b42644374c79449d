/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry in files of HDF5 and MATLAB, and in tables of RX Solutions: ASTRA vectors, TIGRE's structures, CIL's scans
 * and volumes, against named beams and rays calculated here. */
#include "tests/io/beside.h"
#include "tests/io/hdf5/make.h"

#include <matio.h>

static void put_vectors(hid_t file, const char *name, double odd) {
  double rows[VIEWS][12];
  for (int view = 0; view < VIEWS; view++) {
    const double t = 15 * view * degree, c = cos(t), s = sin(t);
    const double row[12] = {90 * s, -90 * c, 0, -odd * s, odd * c, 0, 0.4 * c, 0.4 * s, 0, 0, 0, 0.3};
    memcpy(rows[view], row, sizeof row);
  }
  make_array(file, name, H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){VIEWS, 12}, H5T_NATIVE_DOUBLE, rows);
}

static bool is_cone(const ct_scan *scan, double sod, double sdd, double du, double dv) {
  const ct_geometry *g = geometry_of(scan);
  return g->beam == CT_BEAM_CONE && g->sod == sod && g->sdd == sdd && g->du == du && g->dv == dv;
}

/* A file of vectors beside the images, one dataset of several that is named, and one beside the projections. */
static void test_astra(void) {
  ct_error *error = NULL;
  float frames[VIEWS * NV * NU] = {0};
  put_stack("astra/p.mha", "", VIEWS);
  hid_t file = make_file(scratch_path("astra/p_cone_vec.h5"));
  put_vectors(file, "/vectors", 110);
  H5Fclose(file);
  file = make_file(scratch_path("other/scan.h5"));
  put_vectors(file, "/geometry/cone_vec", 60);
  make_array(file, "/exchange/data", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){VIEWS, NV, NU}, H5T_NATIVE_FLOAT, frames);
  H5Fclose(file);
  static const struct {
    const char *path, *description;
    double sdd;
  } cases[] = {{"astra/p.mha", NULL, 200},
               {"astra/p_cone_vec.h5", NULL, 200},
               {"other/scan.h5", NULL, 150},
               {"astra/p.mha", "{\"geometry\": \"../other/scan.h5::/geometry/cone_vec\"}", 150}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_scan *scan = ct_scan_open(scratch_path(cases[i].path), cases[i].description, &error);
    CHECK_OK(scan);
    CHECK(is_cone(scan, 90, cases[i].sdd, 0.4, 0.3));
    CHECK(geometry_of(scan)->angles[5] == 75 * degree && geometry_of(scan)->centre_u == 0.5 * (NU - 1));
    CHECK(!ct_remarks_count(ct_scan_get_facts(scan)->remarks, CT_REMARK_DOUBT));
    ct_scan_free(scan);
  }
  /* Vectors of other projections are a warning, and the scan is what its own file tells. */
  file = H5Fopen(scratch_path("other/scan.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/exchange/data", H5P_DEFAULT);
  make_array(file, "/exchange/data", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){VIEWS - 1, NV, NU}, H5T_NATIVE_FLOAT,
             frames);
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(scratch_path("other/scan.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_PARALLEL && has_remark(scan, CT_REMARK_DOUBT, "24 projections"));
  ct_scan_free(scan);
  CHECK_FAILS(ct_scan_open(scratch_path("astra/p.mha"), "{\"geometry\": \"../other/scan.h5::/exchange/data\"}", &error),
              CT_ERROR_FORMAT, "no geometry file");
}

/* Vectors make a scan of the only array with an axis of as many views, be it the first or, as ASTRA has it, the second.
 */
static void test_astra_by_shape(void) {
  static const struct {
    const char *projections, *vectors;
    hsize_t dims[3], columns;
    int rank, nv, views; /* 0: no scan */
  } cases[] = {{"/proj", "/Cone_Vec", {VIEWS, NV, NU}, 12, 3, NV, VIEWS},
               {"/run/data", "/run/cone_vec", {NV, VIEWS, NU}, 12, 3, NV, VIEWS},
               {"/sino", "/FANFLAT_VEC", {VIEWS, NU}, 6, 2, 1, VIEWS},
               {"/data", "/eigenvectors", {VIEWS, NV, NU}, 6, 3, 0, 0},
               {"/cube", "/cone_vec", {VIEWS, VIEWS, 5}, 12, 3, 0, 0},
               {"/proj", "/cone_vec", {VIEWS - 1, NV, NU}, 12, 3, 0, 0}};
  float frames[VIEWS * NV * NU];
  double rows[VIEWS * 12];
  for (int i = 0; i < VIEWS * NV * NU; i++) frames[i] = (float)(i % 7);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    const hid_t file = make_file(scratch_path("shape/a.h5"));
    if (strrchr(cases[i].projections, '/') != cases[i].projections) H5Gclose(H5Gcreate2(file, "/run", 0, 0, 0));
    make_array(file, cases[i].projections, H5T_NATIVE_FLOAT, cases[i].rank, cases[i].dims, H5T_NATIVE_FLOAT, frames);
    for (int view = 0; view < VIEWS; view++) {
      const double t = 15 * view * degree, c = cos(t), s = sin(t);
      const double solid[12] = {90 * s, -90 * c, 0, -110 * s, 110 * c, 0, 0.4 * c, 0.4 * s, 0, 0, 0, 0.3},
                   flat[6] = {90 * s, -90 * c, -110 * s, 110 * c, 0.4 * c, 0.4 * s};
      memcpy(rows + view * (int)cases[i].columns, cases[i].columns == 12 ? solid : flat,
             (size_t)cases[i].columns * sizeof *rows);
    }
    make_array(file, cases[i].vectors, H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){VIEWS, cases[i].columns},
               H5T_NATIVE_DOUBLE, rows);
    make_array(file, "/other", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){2, 3, 4}, H5T_NATIVE_FLOAT, frames);
    H5Fclose(file);
    CHECK(ct_path_content(scratch_path("shape/a.h5"), NULL) == (cases[i].views ? CT_CONTENT_SCAN : CT_CONTENT_EITHER));
    if (!cases[i].views) continue;
    for (int named = 0; named < 2; named++) {
      char path[512];
      snprintf(path, sizeof path, "%s%s%s", scratch_path("shape/a.h5"), named ? "::" : "",
               named ? cases[i].projections : "");
      ct_scan *scan = ct_scan_open(path, NULL, &error);
      CHECK_OK(scan);
      const ct_geometry *g = geometry_of(scan);
      CHECK(g->views == cases[i].views && g->nv == cases[i].nv && g->nu == NU && g->sod == 90 && g->sdd == 200);
      CHECK(g->beam == (cases[i].nv > 1 ? CT_BEAM_CONE : CT_BEAM_FAN));
      CHECK(has_remark(scan, CT_REMARK_READ, cases[i].dims[0] == VIEWS ? "its first axis" : "its second axis"));
      ct_scan_free(scan);
    }
  }
}

enum { FIELDS = 7 };
static const struct {
  const char *name;
  size_t count;
  double values[3];
} fields[FIELDS] = {{"DSD", 1, {1500}},
                    {"DSO", 1, {1000}},
                    {"nDetector", 2, {NU, NV}},
                    {"dDetector", 2, {0.5, 0.75}},
                    {"offDetector", 2, {-2, 0.6}},
                    {"rotDetector", 3, {0.02, 0, 0}},
                    {"COR", 1, {0.4}}};

/* A file of MATLAB 5 as MATLAB saves geo and angles; with projections where there are some. */
static void put_mat5(const char *path, bool projections) {
  const char *names[FIELDS + 1];
  size_t one[2] = {1, 1}, sides[2] = {VIEWS, 1}, cube[3] = {NV, NU, VIEWS};
  double angles[VIEWS];
  float frames[NV * NU * VIEWS];
  for (int i = 0; i < VIEWS; i++) angles[i] = 0.2 * i;
  for (int i = 0; i < NV * NU * VIEWS; i++) frames[i] = (float)i;
  for (int i = 0; i < FIELDS; i++) names[i] = fields[i].name;
  names[FIELDS] = "mode";
  mat_t *mat = Mat_CreateVer(path, NULL, MAT_FT_MAT5);
  matvar_t *geo = Mat_VarCreateStruct("geo", 2, one, names, FIELDS + 1);
  for (int i = 0; i < FIELDS; i++) {
    double values[3];
    size_t size[2] = {fields[i].count, 1};
    memcpy(values, fields[i].values, sizeof values);
    Mat_VarSetStructFieldByName(geo, names[i], 0,
                                Mat_VarCreate(names[i], MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, values, 0));
  }
  size_t word[2] = {1, 4};
  char mode[] = "cone";
  Mat_VarSetStructFieldByName(geo, "mode", 0, Mat_VarCreate("mode", MAT_C_CHAR, MAT_T_UTF8, 2, word, mode, 0));
  Mat_VarWrite(mat, geo, MAT_COMPRESSION_ZLIB);
  Mat_VarFree(geo);
  matvar_t *list = Mat_VarCreate("angles", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sides, angles, 0);
  Mat_VarWrite(mat, list, MAT_COMPRESSION_NONE);
  Mat_VarFree(list);
  matvar_t *proj = Mat_VarCreate("proj", MAT_C_SINGLE, MAT_T_SINGLE, 3, cube, frames, 0);
  if (projections) Mat_VarWrite(mat, proj, MAT_COMPRESSION_NONE);
  Mat_VarFree(proj);
  Mat_Close(mat);
}

/* The same of version 7.3, where columns are rows. */
static void put_mat73(const char *path) {
  double angles[VIEWS];
  const uint16_t mode[4] = {'c', 'o', 'n', 'e'};
  for (int i = 0; i < VIEWS; i++) angles[i] = 0.2 * i;
  const hid_t create = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(create, 512);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, create, H5P_DEFAULT);
  for (int i = 0; i < FIELDS; i++) {
    char name[64];
    snprintf(name, sizeof name, "/geo/%s", fields[i].name);
    make_array(file, name, H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){1, fields[i].count}, H5T_NATIVE_DOUBLE,
               fields[i].values);
  }
  make_array(file, "/geo/mode", H5T_NATIVE_UINT16, 2, (const hsize_t[]){4, 1}, H5T_NATIVE_UINT16, mode);
  make_array(file, "/angles", H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){1, VIEWS}, H5T_NATIVE_DOUBLE, angles);
  H5Fclose(file);
  H5Pclose(create);
  FILE *text = fopen(path, "r+b");
  fputs("MATLAB 7.3 MAT-file, Platform: GLNXA64", text);
  if (fclose(text) != 0) abort();
}

/* The angles lie in a file of another folder. */
static void move_angles(const char *path, const char *other) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  if (H5Ldelete(file, "/angles", H5P_DEFAULT) < 0 ||
      H5Lcreate_external(other, "/angles", file, "/angles", H5P_DEFAULT, H5P_DEFAULT) < 0)
    abort();
  H5Fclose(file);
}

/* The numbers of test-beside.c's JSON, in MATLAB's order. */
static void check_tigre(const ct_scan *scan) {
  const ct_geometry *g = geometry_of(scan);
  CHECK(is_cone(scan, 1000, 1500, 0.5, 0.75));
  CHECK_NEAR(g->centre_u, 15.5 + ((0.4 - 0.4 * 1.5) - (0.4 - 2)) / 0.5, 1e-12);
  CHECK_NEAR(g->centre_v, 1.5 + (0 - 0.6) / 0.75, 1e-12);
  CHECK_NEAR(g->tilt, 0.02, 1e-12);
  CHECK_NEAR(g->angles[7], 1.4 + M_PI / 2, 1e-12);
  CHECK(has_remark(scan, CT_REMARK_ASSUMED, "[u; v]"));
}

static void test_tigre(void) {
  ct_error *error = NULL;
  static const char *const paths[] = {"five", "five/geo.mat", "seven", "seven/geo.mat", "own/scan.mat"};
  put_images("five/p_", VIEWS);
  put_mat5(scratch_path("five/geo.mat"), false);
  put_images("seven/p_", VIEWS);
  put_mat73(scratch_path("seven/geo.mat"));
  put_mat5(scratch_path("own/scan.mat"), true);
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    ct_scan *scan = ct_scan_open(scratch_path(paths[i]), NULL, &error);
    CHECK_OK(scan);
    check_tigre(scan);
    ct_scan_free(scan);
  }
  put_images("apart/p_", VIEWS);
  put_mat73(scratch_path("apart/geo.mat"));
  move_angles(scratch_path("apart/geo.mat"), "../seven/geo.mat");
  for (int k = 0; k < 2; k++) {
    const char *path = scratch_path(k ? "apart/geo.mat" : "apart");
    CHECK_FAILS(ct_scan_open(path, NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
    ct_scan *scan = ct_scan_open(path, "{\"links\": \"anywhere\"}", &error);
    CHECK_OK(scan);
    check_tigre(scan);
    ct_scan_free(scan);
  }
  /* Cut off: a warning beside images, an error by itself. */
  size_t size;
  unsigned char *bytes = get_bytes(scratch_path("five/geo.mat"), &size);
  for (size_t cut = 1; cut < size; cut += 97) {
    put_bytes(scratch_path("five/geo.mat"), bytes, cut);
    ct_scan *scan = ct_scan_open(scratch_path("five"), NULL, &error);
    CHECK_OK(scan);
    ct_scan_free(scan);
  }
  free(bytes);
}

#define CIL "/entry1/tomo_entry"
#define CIL_DATA CIL "/data/data"

typedef struct {
  const char *axes[3], *origin, *unit;
  double source[3], detector[3], axis[3], initial;
} cil;

static void put_vector(hid_t file, const char *name, const double v[3]) {
  make_array(file, name, H5T_NATIVE_FLOAT, 1, (const hsize_t[]){3}, H5T_NATIVE_DOUBLE, v);
}

/* As CIL's NEXUSDataWriter keeps it: stored = 2 value + 3. */
static void put_cil(const char *path, const cil *c) {
  hsize_t dims[3];
  float frames[VIEWS * NV * NU], angles[VIEWS];
  const double across[3] = {1, 0, 0}, up[3] = {0, 0, 1};
  for (int i = 0; i < 3; i++) dims[i] = c->axes[i][0] == 'a' ? VIEWS : c->axes[i][0] == 'v' ? NV : NU;
  for (int i = 0; i < VIEWS * NV * NU; i++) frames[i] = 2 * (float)i + 3;
  const hid_t file = make_file(path);
  make_array(file, CIL_DATA, H5T_NATIVE_FLOAT, 3, dims, H5T_NATIVE_FLOAT, frames);
  make_text_attribute(file, CIL_DATA, "data_type", "AcquisitionData");
  for (int i = 0; i < 3; i++) {
    char key[16];
    snprintf(key, sizeof key, "dim%d", i);
    make_text_attribute(file, CIL_DATA, key, c->axes[i]);
  }
  make_text_attribute(file, CIL_DATA, "panel_origin", c->origin);
  make_number_attribute(file, CIL_DATA, "pixel_size_h", 0.4);
  make_number_attribute(file, CIL_DATA, "pixel_size_v", 0.3);
  make_number_attribute(file, CIL_DATA, "scale", 2);
  make_number_attribute(file, CIL_DATA, "offset", 3);
  put_vector(file, CIL "/config/source/position", c->source);
  put_vector(file, CIL "/config/detector/position", c->detector);
  put_vector(file, CIL "/config/detector/direction_x", across);
  put_vector(file, CIL "/config/detector/direction_y", up);
  put_vector(file, CIL "/config/rotation_axis/position", c->axis);
  put_vector(file, CIL "/config/rotation_axis/direction", up);
  for (int i = 0; i < VIEWS; i++) angles[i] = (float)(15 * i * (c->unit[0] == 'r' ? degree : 1));
  make_array(file, CIL "/config/angles", H5T_NATIVE_FLOAT, 1, (const hsize_t[]){VIEWS}, H5T_NATIVE_FLOAT, angles);
  make_text_attribute(file, CIL "/config/angles", "angle_unit", c->unit);
  make_number_attribute(file, CIL "/config/angles", "initial_angle", c->initial);
  H5Fclose(file);
}

/* What a point of the object, which turns counter-clockwise, casts its shadow on: column and row from the corner that
 * is the panel's origin. */
static void cil_place(const cil *c, int view, const double x[3], double place[2]) {
  const double unit = c->unit[0] == 'r' ? 1 : degree, t = 15 * view * degree + c->initial * unit;
  const double turned[3] = {cos(t) * x[0] - sin(t) * x[1] + c->axis[0], sin(t) * x[0] + cos(t) * x[1] + c->axis[1],
                            x[2]};
  const double share = (c->detector[1] - c->source[1]) / (turned[1] - c->source[1]);
  const double u = c->source[0] + share * (turned[0] - c->source[0]) - c->detector[0],
               v = c->source[2] + share * (turned[2] - c->source[2]) - c->detector[2];
  place[0] = u / 0.4 + 0.5 * (NU - 1);
  place[1] = v / 0.3 + 0.5 * (NV - 1);
}

static void test_cil(void) {
  ct_error *error = NULL;
  static const cil cases[] = {
      {{"angle", "vertical", "horizontal"}, "bottom-left", "degree", {0, -90, 0}, {0, 110, 0}, {0, 0, 0}, 0},
      {{"vertical", "angle", "horizontal"}, "top-left", "radian", {0, -90, 0}, {2.5, 110, -0.25}, {0, 0, 0}, 0.1},
      {{"angle", "horizontal", "vertical"}, "bottom-right", "degree", {0, -90, 0}, {0, 110, 0}, {0.75, 0, 0}, 30},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const cil *c = &cases[i];
    float row[NU];
    put_cil(scratch_path("cil.nxs"), c);
    CHECK(ct_path_content(scratch_path("cil.nxs"), NULL) == CT_CONTENT_SCAN);
    ct_scan *scan = ct_scan_open(scratch_path("cil.nxs"), NULL, &error);
    CHECK_OK(scan);
    const ct_geometry *g = geometry_of(scan);
    CHECK(g->nu == NU && g->nv == NV && g->views == VIEWS);
    if (i == 0) CHECK(is_cone(scan, 90, 200, 0.4, 0.3) && g->angles[2] == -30 * degree);
    for (int view = 0; view < VIEWS; view += 5) {
      const double x[3] = {3, -2, 0.5};
      double place[2], m[12], u, v, w;
      cil_place(c, view, x, place);
      ct_geometry_matrix(g, view, m);
      ct_project(m, x, &u, &v, &w);
      CHECK_NEAR(u, place[0], 1e-5);
      CHECK_NEAR(v, place[1], 1e-5);
    }
    /* Row 0 of the scan is the lowest, column 0 the one on the left. */
    const bool top = strstr(c->origin, "top"), right = strstr(c->origin, "right");
    const int stored_row = top ? NV - 1 - 1 : 1, stored_column = right ? NU - 1 - 4 : 4, view = 7;
    int index = 0;
    for (int k = 0; k < 3; k++) {
      const int size = c->axes[k][0] == 'a' ? VIEWS : c->axes[k][0] == 'v' ? NV : NU;
      index = index * size + (c->axes[k][0] == 'a' ? view : c->axes[k][0] == 'v' ? stored_row : stored_column);
    }
    CHECK(ct_scan_read(scan, CT_FRAME_PROJECTION, view, 1, 1, row, &error));
    CHECK_NEAR(row[4], index, 1e-3);
    ct_scan_free(scan);
  }
}

static void test_cil_refused(void) {
  ct_error *error = NULL;
  const cil c = {{"angle", "vertical", "horizontal"}, "bottom-left", "degree", {0, -90, 0}, {0, 110, 0}, {0, 0, 0}, 0};
  static const char *const missing[] = {CIL "/config/angles", CIL "/config/detector/position"};
  for (int i = 0; i < 2; i++) {
    put_cil(scratch_path("less.nxs"), &c);
    const hid_t file = H5Fopen(scratch_path("less.nxs"), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, missing[i], H5P_DEFAULT);
    H5Fclose(file);
    CHECK_FAILS(ct_scan_open(scratch_path("less.nxs"), NULL, &error), CT_ERROR_FORMAT, missing[i]);
  }
}

static void test_cil_volume(void) {
  ct_error *error = NULL;
  static const char *const axes[3] = {"vertical", "horizontal_y", "horizontal_x"};
  uint16_t values[2 * 3 * 4];
  for (int i = 0; i < 24; i++) values[i] = (uint16_t)(10 * i);
  const hid_t file = make_file(scratch_path("image.nxs"));
  make_array(file, CIL_DATA, H5T_NATIVE_UINT16, 3, (const hsize_t[]){2, 3, 4}, H5T_NATIVE_UINT16, values);
  make_text_attribute(file, CIL_DATA, "data_type", "ImageData");
  for (int i = 0; i < 3; i++)
    make_text_attribute(file, CIL_DATA, (const char[3][5]){"dim0", "dim1", "dim2"}[i], axes[i]);
  make_number_attribute(file, CIL_DATA, "voxel_size_x", 0.1);
  make_number_attribute(file, CIL_DATA, "voxel_size_y", 0.2);
  make_number_attribute(file, CIL_DATA, "voxel_size_z", 0.4);
  make_number_attribute(file, CIL_DATA, "center_x", 5);
  make_number_attribute(file, CIL_DATA, "scale", 100);
  make_number_attribute(file, CIL_DATA, "offset", -50);
  H5Fclose(file);
  CHECK(ct_path_content(scratch_path("image.nxs"), NULL) == CT_CONTENT_VOLUME);
  ct_volume *volume = ct_volume_read(scratch_path("image.nxs"), NULL, &error);
  CHECK_OK(volume);
  const ct_grid *g = ct_volume_grid(volume);
  CHECK(g->nx == 4 && g->ny == 3 && g->nz == 2 && g->dx == 0.1 && g->dy == 0.2 && g->dz == 0.4);
  CHECK_NEAR(g->x0, 5 - 0.15, 1e-12);
  CHECK_NEAR(g->z0, -0.2, 1e-12);
  CHECK_NEAR(ct_volume_get_data(volume)[7], (70 + 50) / 100.0, 1e-6);
  ct_volume_free(volume);
}

#define RX(inside) "<?xml version=\"1.0\"?>\n<unireconstruction><conebeam>" inside "</conebeam></unireconstruction>\n"

static void test_rx_settings(void) {
  ct_error *error = NULL;
  put_images("rx/Proj/p_", VIEWS);
  put_string(scratch_path("rx/unireconstruction.xml"),
             RX("<profile images=\"24\"/><acquisitioninfo><geometry sod=\"120.5\" sdd=\"480\"/></acquisitioninfo>"
                "<correction offsetX=\"-1.5\"/>"));
  for (int i = 0; i < 2; i++) {
    ct_scan *scan = ct_scan_open(scratch_path(i ? "rx" : "rx/unireconstruction.xml"), NULL, &error);
    CHECK_OK(scan);
    CHECK(geometry_of(scan)->sod == 120.5 && geometry_of(scan)->sdd == 480);
    CHECK_NEAR(geometry_of(scan)->angles[3], 45 * degree, 1e-12);
    CHECK(has_remark(scan, CT_REMARK_IGNORED, "offsetX -1.5") && has_remark(scan, CT_REMARK_DOUBT, "pixels"));
    ct_scan_free(scan);
  }
  put_string(scratch_path("rx/unireconstruction.xml"), RX("<profile images=\"24\"/>"));
  CHECK_FAILS(ct_scan_open(scratch_path("rx/unireconstruction.xml"), NULL, &error), CT_ERROR_DATA, "sod and sdd");
}

/* A table whose axis runs along y, 7 mm high: pixels see what its lines say. */
static void test_rx_table(void) {
  ct_error *error = NULL;
  put_images("table/Proj/p_", VIEWS);
  FILE *file = fopen(scratch_path("table/geom.csv"), "w");
  fputs("RX\nimage;sx;sy;sz;dx;dy;dz;ax;ay;az;bx;by;bz\n", file);
  for (int view = 0; view < VIEWS; view++) {
    const double t = 15 * view * degree, c = cos(t), s = sin(t), width = 0.5 * NU * 0.25, height = 0.5 * NV * 0.25;
    /* ours (x, y, z) is the file's (y, z, x) */
    const double source[3] = {90 * s, -90 * c, 7}, middle[3] = {-60 * s, 60 * c, 7}, across[3] = {c, s, 0};
    fprintf(file, "p_%04d.png", view + 1);
    for (int k = 1; k < 4; k++) fprintf(file, ";%.12g", source[k % 3]);
    for (int k = 1; k < 4; k++) fprintf(file, ";%.12g", middle[k % 3]);
    for (int k = 1; k < 4; k++) fprintf(file, ";%.12g", middle[k % 3] + (k == 2 ? height : 0));
    for (int k = 1; k < 4; k++) fprintf(file, ";%.12g", middle[k % 3] + width * across[k % 3]);
    fputc('\n', file);
  }
  if (fclose(file) != 0) abort();
  ct_scan *scan = ct_scan_open(scratch_path("table/geom.csv"), NULL, &error);
  CHECK_OK(scan);
  CHECK(is_cone(scan, 90, 150, 0.25, 0.25) && geometry_of(scan)->centre_u == 0.5 * (NU - 1));
  CHECK_NEAR(geometry_of(scan)->angles[3], 45 * degree, 1e-12);
  ct_scan_free(scan);
  put_string(scratch_path("table/geom.csv"), "a\nb\nx;1;2;3;4;5;6;7;8;9;10;11;12\nx;1;2\n");
  CHECK_FAILS(ct_scan_open(scratch_path("table/geom.csv"), NULL, &error), CT_ERROR_DATA, "line 4");
}

static const ct_test tests[] = {
    {"ASTRA: datasets of HDF5", test_astra},
    {"ASTRA: projections by the number of vectors", test_astra_by_shape},
    {"TIGRE: MAT files", test_tigre},
    {"CIL: scans", test_cil},
    {"CIL: what is missing", test_cil_refused},
    {"CIL: volumes", test_cil_volume},
    {"RX Solutions: settings", test_rx_settings},
    {"RX Solutions: table", test_rx_table},
};

IO_TEST_MAIN(tests)
