/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts of HDF5 that are no NXtomo, datasets that are chosen, and what cannot be read but is named. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/io/hdf5/scans.h"
#include "tests/test.h"

enum { VIEWS = 5 };
static const double degree = M_PI / 180;
static const double angles[VIEWS + 1] = {90, 120, 150, 180, 210, 240};

static ct_scan *open_told(const char *path, const ct_scan_told *told, ct_error **error) {
  char *text = ct_scan_tell(path, NULL, told, error);
  ct_scan *scan = text ? ct_scan_open(path, text, error) : NULL;
  ct_free(text);
  return scan;
}

static void put_frames(hid_t file, const char *name, int rank, const hsize_t *dims) {
  float frames[2 * VIEWS * NV * NU];
  fill_frames(frames, 2 * VIEWS);
  make_array(file, name, H5T_NATIVE_FLOAT, rank, dims, H5T_NATIVE_FLOAT, frames);
}

static void put_angles(hid_t file, const char *name, int count) {
  put_numbers(file, name, angles, count, "deg");
}

/* A list of texts as NeXus has it: of variable length, as h5py writes a list, or fixed. */
static void put_list(hid_t file, const char *group, const char *const texts[3], bool fixed) {
  const hsize_t three = 3;
  char flat[3][16] = {{0}};
  for (int i = 0; i < 3; i++) snprintf(flat[i], sizeof flat[i], "%s", texts[i]);
  const hid_t type = fixed ? H5Tcopy(H5T_C_S1) : make_text_type(), space = H5Screate_simple(1, &three, NULL),
              at = H5Oopen(file, group, H5P_DEFAULT);
  if (fixed) H5Tset_size(type, sizeof flat[0]);
  const hid_t id = H5Acreate2(at, "axes", type, space, H5P_DEFAULT, H5P_DEFAULT);
  make_need(id >= 0 && H5Awrite(id, type, fixed ? (const void *)flat : (const void *)texts) >= 0);
  H5Aclose(id);
  H5Oclose(at);
  H5Sclose(space);
  H5Tclose(type);
}

static void check_scan(const char *path, const ct_scan_told *told, const char *format, ct_layout layout) {
  ct_error *error = NULL;
  const ct_scan_told nothing = {0};
  ct_scan *scan = open_told(path, told ? told : &nothing, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  if (strcmp(facts->format, format) != 0) CT_TEST_END(1, "%s is %s", path, facts->format);
  CHECK(facts->geometry.views == VIEWS && facts->geometry.nu == NU && facts->layout == layout);
  CHECK(facts->known & CT_KNOWN_ANGLES);
  for (int i = 0; i < VIEWS; i++) CHECK_NEAR(facts->geometry.angles[i], angles[i] * degree, 1e-9);
  float rows[NV * NU];
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 3, 0, facts->geometry.nv, rows, &error));
  if (layout == CT_LAYOUT_PROJECTIONS) CHECK(rows[NU + 1] == sample_of(3, 1, 1));
  ct_scan_free(scan);
}

static void test_nexus(void) {
  static const char *const projections[] = {"rotation_angle", "y", "x"}, *const sinograms[] = {"y", "rotation_angle",
                                                                                               "x"};
  const hsize_t dims[] = {VIEWS, NV, NU}, turned[] = {NV, VIEWS, NU};
  make_test_folder();
  for (int i = 0; i < 4; i++) {
    const hid_t file = make_file(in_folder("n%d.nxs", i));
    put_frames(file, "/entry/result/data", 3, i % 2 ? turned : dims);
    put_angles(file, "/entry/result/rotation_angle", VIEWS);
    make_text_attribute(file, "/entry/result", "NX_class", "NXdata");
    make_text_attribute(file, "/entry/result", "signal", "data");
    put_list(file, "/entry/result", i % 2 ? sinograms : projections, i / 2);
    H5Fclose(file);
    check_scan(in_folder("n%d.nxs", i), NULL, "NeXus HDF5", i % 2 ? CT_LAYOUT_SINOGRAMS : CT_LAYOUT_PROJECTIONS);
  }
  /* An NXtomo whose angles are an axis of an NXdata group alone. */
  hid_t file = begin_nxtomo(in_folder("t.nxs"), "/entry", (const double[VIEWS]){0}, VIEWS);
  put_angles(file, "/entry/imaging/theta", VIEWS);
  make_text_attribute(file, "/entry/imaging", "NX_class", "NXdata");
  put_list(file, "/entry/imaging", (const char *const[]){"theta", ".", "."}, true);
  H5Fclose(file);
  check_scan(in_folder("t.nxs"), NULL, "NXtomo HDF5", CT_LAYOUT_PROJECTIONS);
  remove_test_folder();
}

static void test_beamlines(void) {
  ct_error *error = NULL;
  const hsize_t dims[] = {VIEWS, NV, NU}, two[] = {2, NV, NU};
  make_test_folder();
  hid_t file = make_file(in_folder("area.h5"));
  put_frames(file, "/entry/data/data", 3, dims);
  put_angles(file, "/entry/instrument/NDAttributes/Angles", VIEWS);
  make_text_attribute(file, "/entry/data", "NX_class", "NXdata");
  H5Fclose(file);
  const ct_scan_told told = {.angles = "::/entry/instrument/NDAttributes/Angles"};
  check_scan(in_folder("area.h5"), &told, "areaDetector HDF5", CT_LAYOUT_PROJECTIONS);
  file = make_file(in_folder("bliss.h5"));
  put_frames(file, "/1.1/measurement/camera", 3, two);
  make_text(file, "/1.1/title", "reference images");
  put_frames(file, "/2.1/measurement/camera", 3, dims);
  put_angles(file, "/2.1/measurement/hrsrot", VIEWS);
  make_text(file, "/2.1/title", "projections 0 - 5");
  put_frames(file, "/3.1/measurement/camera", 3, two);
  make_text(file, "/3.1/title", "dark images");
  H5Fclose(file);
  check_scan(in_folder("bliss.h5"), NULL, "bliss HDF5", CT_LAYOUT_PROJECTIONS);
  ct_scan *scan = ct_scan_open(in_folder("bliss.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->flats == 2 && ct_scan_get_facts(scan)->darks == 2 && !ct_scan_get_facts(scan)->note);
  ct_scan_free(scan);
  remove_test_folder();
}

/* Every part from another dataset, and from another file. */
static void test_choice(void) {
  ct_error *error = NULL;
  const hsize_t dims[] = {VIEWS, NV, NU}, two[] = {2, NV, NU}, more[] = {1, VIEWS, 1, NV, NU};
  make_test_folder();
  hid_t file = make_file(in_folder("a.h5"));
  put_frames(file, "/x/pictures", 3, dims);
  put_frames(file, "/x/others", 3, dims);
  put_frames(file, "/x/five", 5, more);
  put_frames(file, "/white", 3, two);
  H5Fclose(file);
  file = make_file(in_folder("b.h5"));
  put_frames(file, "/dark", 2, two + 1);
  put_numbers(file, "/phi", (const double[]){90 * degree, 120 * degree, 150 * degree, 180 * degree, 210 * degree},
              VIEWS, "rad");
  H5Fclose(file);
  char dark[1100], phi[1100];
  snprintf(dark, sizeof dark, "%s::/dark", in_folder("b.h5"));
  snprintf(phi, sizeof phi, "%s::/phi", in_folder("b.h5"));
  ct_scan_told told = {.dataset = "/x/pictures", .flats = "::/white", .darks = dark, .angles = phi};
  check_scan(in_folder("a.h5"), &told, "HDF5", CT_LAYOUT_PROJECTIONS);
  ct_scan *scan = open_told(in_folder("a.h5"), &told, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->flats == 2 && ct_scan_get_facts(scan)->darks == 1);
  ct_scan_free(scan);
  /* No output may take the place of what such a scan reads. */
  char *text = ct_scan_tell(in_folder("a.h5"), NULL, &told, &error);
  CHECK_OK(text);
  CHECK(ct_scan_is_destroyed(in_folder("a.h5"), text, in_folder("b.h5")));
  ct_free(text);
  told.dataset = "/x/five";
  check_scan(in_folder("a.h5"), &told, "HDF5", CT_LAYOUT_PROJECTIONS);
  told.angles = "::/no";
  CHECK_FAILS(open_told(in_folder("a.h5"), &told, &error), CT_ERROR_FORMAT, "no dataset /no");
  ct_dataset_list list;
  CHECK_OK(ct_file_list_datasets(in_folder("a.h5"), false, &list, &error));
  CHECK(list.count == 4 && strcmp(list.items[0].path, "/white") == 0 && list.items[1].rank == 5);
  CHECK(strcmp(list.items[1].type, "float32") == 0 && list.items[3].dims[0] == VIEWS && !list.items[3].trouble);
  ct_dataset_list_clear(&list);
  remove_test_folder();
}

static void test_sinogram(void) {
  ct_error *error = NULL;
  make_test_folder();
  const hid_t file = make_file(in_folder("s.h5"));
  put_frames(file, "/sinogram", 2, (const hsize_t[]){VIEWS, NU});
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(in_folder("s.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_layout_is_open(scan));
  ct_scan_free(scan);
  const ct_scan_told told = {.layout = "sinograms"};
  CHECK_OK(scan = open_told(in_folder("s.h5"), &told, &error));
  CHECK(ct_scan_get_facts(scan)->geometry.views == VIEWS && ct_scan_get_facts(scan)->geometry.nv == 1);
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_one_angle_too_many(void) {
  ct_error *error = NULL;
  make_test_folder();
  hid_t file = begin_exchange(in_folder("a.h5"), VIEWS, 0, 0);
  put_angles(file, "/exchange/theta", VIEWS + 1);
  H5Fclose(file);
  check_scan(in_folder("a.h5"), NULL, "Data Exchange HDF5", CT_LAYOUT_PROJECTIONS);
  ct_scan *scan = ct_scan_open(in_folder("a.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK(strstr(ct_scan_get_facts(scan)->note, "6 angles for 5 projections, one too many"));
  ct_scan_free(scan);
  file = begin_exchange(in_folder("b.h5"), VIEWS, 0, 0);
  put_numbers(file, "/exchange/theta", (const double[]){0, 1, 2, 3, 4, 50}, VIEWS + 1, "deg");
  H5Fclose(file);
  CHECK_FAILS(ct_scan_open(in_folder("b.h5"), NULL, &error), CT_ERROR_DATA, "6 angles for 5 projections. Where");
  remove_test_folder();
}

/* A filter that is not installed: the chunks are not cut off or damaged, they cannot be undone. */
static void test_filter(void) {
  ct_error *error = NULL;
  make_test_folder();
  const hid_t file = make_file(in_folder("a.h5")), create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(create, 3, (const hsize_t[]){1, NV, NU});
  make_need(H5Pset_filter(create, 32008, H5Z_FLAG_OPTIONAL, 0, NULL) >= 0);
  make_dataset(file, "/exchange/data", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){VIEWS, NV, NU}, create, H5T_NATIVE_FLOAT,
               NULL);
  H5Pclose(create);
  H5Fclose(file);
  if (H5Zfilter_avail(32008) > 0) SKIP("the filter is installed");
  CHECK_FAILS(ct_scan_open(in_folder("a.h5"), NULL, &error), CT_ERROR_UNSUPPORTED,
              "compressed by bitshuffle (HDF5 filter 32008), which is not installed");
  ct_dataset_list list;
  CHECK_OK(ct_file_list_datasets(in_folder("a.h5"), false, &list, &error));
  CHECK(list.count == 1 && list.items[0].trouble && strstr(list.items[0].trouble, "HDF5_PLUGIN_PATH"));
  ct_dataset_list_clear(&list);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"NeXus with a rotation axis", test_nexus},        {"areaDetector and bliss", test_beamlines},
    {"datasets that are chosen", test_choice},         {"a sinogram alone", test_sinogram},
    {"one angle too many", test_one_angle_too_many},   {"a filter that is not installed", test_filter},
    {"everything of HDF5 is closed", test_all_closed},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
