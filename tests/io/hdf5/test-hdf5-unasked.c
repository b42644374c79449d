/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Before somebody has allowed it, nothing outside its folder is opened on behalf of an HDF5 file, in whatever way the
 * file leads there. What waits there is a pipe that nobody writes to: who opens it waits for ever. */
#include "recon/base/memory.h"
#include "tests/io/hdf5/scans.h"

#include <sys/stat.h>
#include <unistd.h>

enum { VIEWS = 8, SIDE = 400 };

static void make_pipe(const char *name) {
  make_need(mkfifo(in_folder("%s", name), 0600) == 0);
}

/* A folder "scan", and pipes beside it and in it. */
static void make_places(void) {
  make_test_folder();
  make_need(mkdir(in_folder("scan"), 0777) == 0);
  make_pipe("pipe.h5");
  make_pipe("pipe-0.h5");
  make_pipe("scan/near.h5");
}

static void link_out(hid_t file, const char *name, const char *other, const char *object) {
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  make_need(H5Pset_create_intermediate_group(links, 1) >= 0);
  make_need(H5Lcreate_external(other, object, file, name, links, H5P_DEFAULT) >= 0);
  H5Pclose(links);
}

/* A virtual dataset of as many frames as its sources have. */
static void map_without_bounds(hid_t file, const char *name, hid_t type, const char *other, const char *dataset) {
  const hsize_t none[3] = {0, NV, NU}, most[3] = {H5S_UNLIMITED, NV, NU}, one[3] = {1, NV, NU}, start[3] = {0, 0, 0},
                count[3] = {H5S_UNLIMITED, 1, 1};
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE),
              space = H5Screate_simple(3, none, most), from = H5Screate_simple(3, one, NULL);
  make_need(H5Pset_create_intermediate_group(links, 1) >= 0 &&
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start, one, count, one) >= 0 &&
            H5Pset_virtual(create, space, other, dataset, from) >= 0);
  const hid_t id = H5Dcreate2(file, name, type, space, links, create, H5P_DEFAULT);
  make_need(id >= 0);
  H5Dclose(id);
  H5Sclose(from);
  H5Sclose(space);
  H5Pclose(links);
  H5Pclose(create);
}

/* A fixed text whose bytes are in a file of plain samples. */
static void store_text(hid_t file, const char *name, const char *samples) {
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE), type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 16);
  make_need(H5Pset_external(create, samples, 0, 16) >= 0);
  make_dataset(file, name, type, 0, NULL, create, type, NULL);
  H5Tclose(type);
  H5Pclose(create);
}

/* Scans, one way out of the folder each. */
static const char *const ways[] = {"data.h5",   "group.h5", "theta.h5", "entry.h5",
                                   "blocks.h5", "type.h5",  "text.h5",  "cell.mat"};

static void make_ways(void) {
  const double keys[VIEWS] = {0};
  hid_t file = make_file(in_folder("scan/data.h5"));
  link_out(file, "/exchange/data", "../pipe.h5", "/d");
  H5Fclose(file);
  file = make_file(in_folder("scan/group.h5"));
  link_out(file, "/exchange", "../pipe.h5", "/exchange");
  H5Fclose(file);
  file = begin_exchange(in_folder("scan/theta.h5"), VIEWS, 0, 0);
  link_out(file, "/exchange/theta", "../pipe.h5", "/theta");
  H5Fclose(file);
  /* Another scan may lie there. */
  file = begin_exchange(in_folder("scan/entry.h5"), VIEWS, 0, 0);
  link_out(file, "/entry2", "../pipe.h5", "/entry");
  H5Fclose(file);
  file = make_file(in_folder("scan/blocks.h5"));
  map_without_bounds(file, "/exchange/data", H5T_NATIVE_FLOAT, "../pipe-%b.h5", "/d");
  H5Fclose(file);
  file = begin_nxtomo(in_folder("scan/type.h5"), "/entry", keys, VIEWS);
  link_out(file, "/entry/instrument/source/type", "../pipe.h5", "/type");
  H5Fclose(file);
  file = begin_nxtomo(in_folder("scan/text.h5"), "/entry", keys, VIEWS);
  store_text(file, "/entry/instrument/source/type", in_folder("pipe.h5"));
  H5Fclose(file);
  /* Any variable of MATLAB's may be a cell. */
  file = make_file(in_folder("scan/cell.mat"));
  map_without_bounds(file, "/a", H5T_NATIVE_FLOAT, "../pipe.h5", "/d-%b");
  map_without_bounds(file, "/b", H5T_STD_REF_OBJ, "../pipe.h5", "/d-%b");
  H5Fclose(file);
  file = begin_exchange(in_folder("scan/within.h5"), VIEWS, 0, 0);
  make_need(H5Ldelete(file, "/exchange/data", H5P_DEFAULT) >= 0);
  link_out(file, "/exchange/data", "near.h5", "/d");
  H5Fclose(file);
}

static void test_nothing_opened(void) {
  make_places();
  make_ways();
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    ct_error *error = NULL;
    char path[1024];
    ct_dataset_list list;
    snprintf(path, sizeof path, "%s", in_folder("scan/%s", ways[i]));
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    if (scan || !error || error->code != CT_ERROR_ELSEWHERE || !strstr(error->message, "outside its folder"))
      CT_TEST_END(1, "%s: %s", ways[i], error ? error->message : "opened");
    ct_error_clear(&error);
    CHECK_OK(ct_file_list_datasets(path, false, &list, &error));
    ct_dataset_list_clear(&list);
    ct_volume_free(ct_volume_read(path, NULL, NULL));
    CHECK(ct_path_content(path, NULL) != CT_CONTENT_VOLUME);
    ct_scan_is_destroyed(path, NULL, in_folder("scan/data.h5"));
    /* Allowed, a pipe is still none that is opened. */
    ct_scan_free(ct_scan_open(path, "{\"links\": \"anywhere\"}", NULL));
  }
  ct_error *error = NULL;
  CHECK(!ct_scan_open(in_folder("scan/within.h5"), NULL, &error) && error && strstr(error->message, "near.h5"));
  ct_error_clear(&error);
  remove_test_folder();
}

/* Texts are read after the question, as numbers are. */
static void test_texts(void) {
  static const double keys[VIEWS] = {0};
  ct_error *error = NULL;
  make_test_folder();
  make_need(mkdir(in_folder("scan"), 0777) == 0);
  hid_t file = make_file(in_folder("other.h5"));
  make_text(file, "/type", "Synchrotron X-ray Source");
  H5Fclose(file);
  write_file(in_folder("text.bin"), "Synchrotron\0\0\0\0\0", 16);
  file = begin_nxtomo(in_folder("scan/linked.h5"), "/entry", keys, VIEWS);
  link_out(file, "/entry/instrument/source/type", "../other.h5", "/type");
  H5Fclose(file);
  file = begin_nxtomo(in_folder("scan/stored.h5"), "/entry", keys, VIEWS);
  store_text(file, "/entry/instrument/source/type", in_folder("text.bin"));
  H5Fclose(file);
  static const char *const names[] = {"scan/linked.h5", "scan/stored.h5"};
  for (int i = 0; i < 2; i++) {
    CHECK_FAILS(ct_scan_open(in_folder("%s", names[i]), NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
    ct_scan *scan = ct_scan_open(in_folder("%s", names[i]), "{\"links\": \"anywhere\"}", &error);
    CHECK_OK(scan);
    CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_BEAM);
    ct_scan_free(scan);
  }
  remove_test_folder();
}

/* A virtual dataset may be made of one of its own file whose samples are elsewhere. */
static void test_own_dataset(void) {
  ct_error *error = NULL;
  make_test_folder();
  make_need(mkdir(in_folder("scan"), 0777) == 0);
  float frames[VIEWS * NV * NU];
  const hsize_t dims[3] = {VIEWS, NV, NU};
  fill_frames(frames, VIEWS);
  write_file(in_folder("secret.bin"), frames, sizeof frames);
  const hid_t file = make_file(in_folder("scan/own.h5")), stored = H5Pcreate(H5P_DATASET_CREATE),
              mapped = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, dims, NULL);
  make_need(H5Pset_external(stored, in_folder("secret.bin"), 0, sizeof frames) >= 0 &&
            H5Pset_virtual(mapped, space, ".", "/stored", space) >= 0);
  make_dataset(file, "/stored", H5T_NATIVE_FLOAT, 3, dims, stored, H5T_NATIVE_FLOAT, NULL);
  make_dataset(file, "/exchange/data", H5T_NATIVE_FLOAT, 3, dims, mapped, H5T_NATIVE_FLOAT, NULL);
  H5Sclose(space);
  H5Pclose(stored);
  H5Pclose(mapped);
  H5Fclose(file);
  CHECK_FAILS(ct_scan_open(in_folder("scan/own.h5"), NULL, &error), CT_ERROR_ELSEWHERE, "secret.bin");
  CHECK(ct_scan_is_destroyed(in_folder("scan/own.h5"), NULL, in_folder("secret.bin")));
  remove_test_folder();
}

/* The frames behind a link are those that it leads to, also where the other file has an array of the link's name. */
static void test_same_name(void) {
  ct_error *error = NULL;
  const hsize_t dims[3] = {4, SIDE, SIDE}, chunk[3] = {2, SIDE, SIDE};
  float *values = ct_alloc((size_t)4 * SIDE * SIDE, sizeof *values, "the frames", NULL);
  make_need(values != NULL);
  make_test_folder();
  hid_t file = make_file(in_folder("src.h5"));
  for (int i = 0; i < 4 * SIDE * SIDE; i++) values[i] = 1;
  make_chunked_array(file, "/raw", H5T_NATIVE_FLOAT, dims, chunk, values);
  for (int i = 0; i < 4 * SIDE * SIDE; i++) values[i] = 2;
  make_chunked_array(file, "/exchange/data", H5T_NATIVE_FLOAT, dims, chunk, values);
  H5Fclose(file);
  file = make_file(in_folder("link.h5"));
  link_out(file, "/exchange/data", "src.h5", "/raw");
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(in_folder("link.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 3, 0, SIDE, values, &error));
  CHECK(values[0] == 1);
  ct_scan_free(scan);
  ct_free(values);
  remove_test_folder();
}

/* A volume of ours whose samples were moved away is a volume still, whose plan can be read. */
static void test_own_volume(void) {
  ct_error *error = NULL;
  char path[1024], *plan = NULL;
  const ct_grid grid = ct_grid_centred(NU, NV, 2, 0.5, NULL);
  ct_volume *volume = ct_volume_new(&grid, NULL);
  make_need(volume && ct_volume_set_plan(volume, "{\"gantry_plan\": 1}", NULL));
  fill_frames(ct_volume_data(volume), 2);
  make_test_folder();
  make_need(mkdir(in_folder("scan"), 0777) == 0);
  snprintf(path, sizeof path, "%s", in_folder("scan/v.h5"));
  CHECK_OK(ct_volume_write(in_folder("kept.h5"), volume, NULL, NULL, &error));
  CHECK_OK(ct_volume_write(path, volume, NULL, NULL, &error));
  ct_volume_free(volume);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  make_need(file >= 0 && H5Ldelete(file, "/entry/volume/data", H5P_DEFAULT) >= 0);
  link_out(file, "/entry/volume/data", "../kept.h5", "/entry/volume/data");
  H5Fclose(file);
  CHECK(ct_path_content(path, NULL) == CT_CONTENT_VOLUME);
  CHECK_FAILS(ct_volume_read(path, NULL, &error), CT_ERROR_ELSEWHERE, "kept.h5, outside its folder");
  CHECK_OK(ct_volume_read_plan(path, &plan, &error));
  CHECK(plan && strstr(plan, "gantry_plan"));
  ct_free(plan);
  CHECK_OK(volume = ct_volume_read_allowed(path, true, NULL, &error));
  CHECK(ct_volume_grid(volume)->dx == 0.5 && ct_volume_get_data(volume)[NU] == sample_of(0, 1, 0));
  ct_volume_free(volume);
  CHECK(ct_scan_is_destroyed(path, NULL, in_folder("kept.h5")));
  remove_test_folder();
}

/* Geometry vectors that lie elsewhere are asked for like the rest; without them the scan would have another geometry.
 */
static void test_vectors(void) {
  double rows[VIEWS][12];
  ct_error *error = NULL;
  make_test_folder();
  make_need(mkdir(in_folder("scan"), 0777) == 0);
  for (int i = 0; i < VIEWS; i++) {
    const double c = cos(i * M_PI / VIEWS), s = sin(i * M_PI / VIEWS);
    const double row[12] = {100 * s, -100 * c, 0, -50 * s, 50 * c, 0, c, s, 0, 0, 0, 1};
    memcpy(rows[i], row, sizeof row);
  }
  const hsize_t dims[2] = {VIEWS, 12};
  hid_t file = make_file(in_folder("vectors.h5"));
  make_array(file, "/cone_vec", H5T_NATIVE_DOUBLE, 2, dims, H5T_NATIVE_DOUBLE, rows);
  H5Fclose(file);
  file = begin_exchange(in_folder("scan/linked.h5"), VIEWS, 0, 0);
  link_out(file, "/cone_vec", "../vectors.h5", "/cone_vec");
  H5Fclose(file);
  file = begin_exchange(in_folder("scan/mapped.h5"), VIEWS, 0, 0);
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL);
  make_need(H5Pset_virtual(create, space, "../vectors.h5", "/cone_vec", space) >= 0);
  make_dataset(file, "/cone_vec", H5T_NATIVE_DOUBLE, 2, dims, create, H5T_NATIVE_DOUBLE, NULL);
  H5Sclose(space);
  H5Pclose(create);
  H5Fclose(file);
  static const char *const names[] = {"scan/linked.h5", "scan/mapped.h5"};
  for (int i = 0; i < 2; i++) {
    CHECK_FAILS(ct_scan_open(in_folder("%s", names[i]), NULL, &error), CT_ERROR_ELSEWHERE, "vectors.h5");
    char *allowed = ct_scan_allow_links(in_folder("%s", names[i]), NULL);
    ct_scan *scan = ct_scan_open(in_folder("%s", names[i]), allowed, &error);
    CHECK_OK(scan);
    CHECK_NEAR(ct_scan_get_facts(scan)->geometry.sdd, 150, 1e-6);
    ct_scan_free(scan);
    ct_free(allowed);
  }
  remove_test_folder();
}

static const ct_test tests[] = {
    {"nothing outside is opened unasked", test_nothing_opened},
    {"texts outside are asked for", test_texts},
    {"a dataset of the same file may lead out", test_own_dataset},
    {"frames behind a link have their own name", test_same_name},
    {"a volume's samples may lie outside", test_own_volume},
    {"geometry vectors may lie outside", test_vectors},
    {"all that is opened is closed", test_all_closed},
};

CT_TEST_MAIN(tests)
