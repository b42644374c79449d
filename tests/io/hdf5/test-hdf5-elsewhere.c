/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 files that take numbers from files of other folders, and who can allow it. */
#include "recon/base/memory.h"
#include "tests/io/hdf5/scans.h"

enum { VIEWS = 8 };

/* A column of numbers that is another file's. */
static void map_numbers(hid_t file, const char *name, const char *other, const char *object, int count,
                        const char *units) {
  const hsize_t size = (hsize_t)count;
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL),
              links = H5Pcreate(H5P_LINK_CREATE);
  make_need(H5Pset_create_intermediate_group(links, 1) >= 0 &&
            H5Pset_virtual(create, space, other, object, space) >= 0);
  const hid_t id = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, links, create, H5P_DEFAULT);
  make_need(id >= 0);
  H5Dclose(id);
  if (units) make_text_attribute(file, name, "units", units);
  H5Pclose(links);
  H5Sclose(space);
  H5Pclose(create);
}

static const ct_scan_facts *facts_when_allowed(const char *name, ct_scan **scan, ct_error **error) {
  const char *path = in_folder("scan/%s", name);
  if (ct_scan_open(path, NULL, error) || !*error) return NULL;
  const bool asked =
      (*error)->code == CT_ERROR_ELSEWHERE && strstr((*error)->message, "numbers.h5, outside its folder");
  if (!asked) return NULL;
  ct_error_clear(error);
  *scan = ct_scan_open(path, "{\"links\": \"anywhere\"}", error);
  return *scan ? ct_scan_get_facts(*scan) : NULL;
}

/* No scan is opened with other numbers than its own because those are in a file of another folder. */
static void test_numbers_elsewhere(void) {
  static const double keys[VIEWS] = {1, 0, 0, 0, 0, 0, 2, 2}, step[] = {3}, angles[] = {1, 3, 5, 7, 9, 11, 13, 15};
  static const char other[] = "../numbers.h5";
  ct_error *error = NULL;
  ct_scan *scan = NULL;
  const ct_scan_facts *facts;
  make_test_folder();
  mkdir(in_folder("scan"), 0777);
  hid_t file = make_file(in_folder("numbers.h5"));
  put_numbers(file, "/theta", angles, VIEWS, "deg");
  put_numbers(file, "/keys", keys, VIEWS, "");
  put_numbers(file, "/step", step, 1, "");
  H5Fclose(file);

  file = begin_exchange(in_folder("scan/theta.h5"), VIEWS, 0, 0);
  map_numbers(file, "/exchange/theta", other, "/theta", VIEWS, "deg");
  H5Fclose(file);
  CHECK_OK((facts = facts_when_allowed("theta.h5", &scan, &error)));
  CHECK_NEAR(facts->geometry.angles[5], 11 * M_PI / 180, 1e-12);
  ct_scan_free(scan);
  /* It can be chosen, which asks. */
  ct_dataset_list list;
  CHECK_OK(ct_file_list_datasets(in_folder("scan/theta.h5"), false, &list, &error));
  CHECK(list.count == 2 && !list.items[0].trouble && !list.items[1].trouble);
  ct_dataset_list_clear(&list);
  CHECK(ct_scan_is_destroyed(in_folder("scan/theta.h5"), NULL, in_folder("numbers.h5")));
  CHECK_FAILS(
      ct_scan_open(in_folder("scan/theta.h5"), "{\"angles_deg\": {\"file\": \"theta.h5::/exchange/theta\"}}", &error),
      CT_ERROR_ELSEWHERE, "outside its folder");
  scan = ct_scan_open(in_folder("scan/theta.h5"),
                      "{\"angles_deg\": {\"file\": \"theta.h5::/exchange/theta\"}, \"links\": \"anywhere\"}", &error);
  CHECK_OK(scan);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[5], 11 * M_PI / 180, 1e-12);
  ct_scan_free(scan);

  file = begin_exchange(in_folder("scan/step.h5"), VIEWS, 0, 0);
  map_numbers(file, "/process/acquisition/rotation/rotation_step", other, "/step", 1, "deg");
  H5Fclose(file);
  CHECK_OK((facts = facts_when_allowed("step.h5", &scan, &error)));
  CHECK_NEAR(facts->geometry.angles[5], 15 * M_PI / 180, 1e-12);
  ct_scan_free(scan);

  file = begin_exchange(in_folder("scan/pitch.h5"), VIEWS, 0, 0);
  map_numbers(file, "/measurement/instrument/detector/pixel_size_x", other, "/step", 1, "um");
  H5Fclose(file);
  CHECK_OK((facts = facts_when_allowed("pitch.h5", &scan, &error)));
  CHECK_NEAR(facts->geometry.du, 3e-3, 1e-12);
  ct_scan_free(scan);

  file = begin_exchange(in_folder("scan/scale.h5"), VIEWS, 0, 0);
  map_numbers(file, "/exchange/data_scaling_factor", other, "/step", 1, NULL);
  H5Fclose(file);
  CHECK_OK((facts = facts_when_allowed("scale.h5", &scan, &error)));
  bool doubted = false;
  for (int i = 0; i < facts->remarks->count; i++)
    doubted = doubted || strstr(facts->remarks->items[i].text, "data_scaling_factor");
  CHECK(doubted);
  ct_scan_free(scan);

  file = begin_nxtomo(in_folder("scan/keys.h5"), "/entry", NULL, VIEWS);
  map_numbers(file, "/entry/instrument/detector/image_key", other, "/keys", VIEWS, NULL);
  H5Fclose(file);
  CHECK_OK((facts = facts_when_allowed("keys.h5", &scan, &error)));
  CHECK(facts->geometry.views == 5 && facts->flats == 1 && facts->darks == 2);
  ct_scan_free(scan);
  remove_test_folder();
}

/* Who sends a file with a description beside it does not give himself the permission; the user does. */
static void test_who_allows(void) {
  static const char allows[] = "{\"links\": \"anywhere\"}";
  ct_error *error = NULL;
  char path[1024], beside[1024], named[1024];
  make_test_folder();
  mkdir(in_folder("scan"), 0777);
  H5Fclose(begin_exchange(in_folder("src.h5"), VIEWS, 0, 0));
  const hid_t file = begin_exchange(in_folder("scan/link.h5"), VIEWS, 0, 0);
  make_need(H5Ldelete(file, "/exchange/data", H5P_DEFAULT) >= 0);
  make_need(H5Lcreate_external("../src.h5", "/exchange/data", file, "/exchange/data", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  snprintf(path, sizeof path, "%s", in_folder("scan/link.h5"));
  snprintf(beside, sizeof beside, "%s", in_folder("scan/link.scan.json"));
  snprintf(named, sizeof named, "%s", in_folder("mine.json"));
  write_text(in_folder("scan/link.scan.json"), allows);
  write_text(in_folder("mine.json"), allows);
  CHECK_FAILS(ct_scan_open(path, NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
  write_text(in_folder("scan/other.json"), allows);
  write_text(in_folder("scan/link.scan.json"), "{\"based_on\": \"other.json\"}");
  CHECK_FAILS(ct_scan_open(path, NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
  write_text(in_folder("scan/link.scan.json"), allows);
  const ct_scan_told layout = {.layout = "sinograms"}, links = {.links = "anywhere"};
  char *told = ct_scan_tell(path, NULL, &layout, &error);
  CHECK_FAILS(ct_scan_open(path, told, &error), CT_ERROR_ELSEWHERE, "outside its folder");
  ct_free(told);
  const struct {
    const char *path, *description;
    const ct_scan_told *told;
  } cases[] = {
      {path, named, NULL}, {path, named, &layout}, {path, NULL, &links}, {beside, NULL, NULL}, {beside, NULL, &layout}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    told = cases[i].told ? ct_scan_tell(cases[i].path, cases[i].description, cases[i].told, &error) : NULL;
    ct_scan *scan = ct_scan_open(cases[i].path, told ? told : cases[i].description, &error);
    if (!scan) CT_TEST_END(1, "case %zu: %s", i, error ? error->message : "no error");
    CHECK(cases[i].told != &layout || ct_scan_get_facts(scan)->layout == CT_LAYOUT_SINOGRAMS);
    ct_scan_free(scan);
    ct_free(told);
  }
  /* An opened description that says nothing of it, without and with the files that it is about. */
  static const char *const opened[] = {"{\"comment\": \"\"}", "{\"files\": \"link.h5\"}"};
  for (int i = 0; i < 2; i++) {
    write_text(in_folder("scan/link.scan.json"), opened[i]);
    CHECK_FAILS(ct_scan_open(beside, NULL, &error), CT_ERROR_ELSEWHERE, "outside its folder");
    ct_scan *scan = ct_scan_open(beside, allows, &error);
    CHECK_OK(scan);
    ct_scan_free(scan);
    told = ct_scan_tell(beside, NULL, &links, &error);
    scan = ct_scan_open(beside, told, &error);
    CHECK_OK(scan);
    ct_scan_free(scan);
    ct_free(told);
  }
  remove_test_folder();
}

static const ct_test tests[] = {
    {"numbers of other folders are not left out", test_numbers_elsewhere},
    {"the user alone allows other folders", test_who_allows},
};

CT_TEST_MAIN(tests)
