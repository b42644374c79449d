/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans are told from volumes by what their files say. A scan with an error in it stays a scan, also where its samples
 * could be read as a volume. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/bmp.h"
#include "tests/io/files.h"
#include "tests/io/hdf5/scans.h"
#include "tests/test.h"

enum { VIEWS = 5 };

/* An [VIEWS][NV][NU] MetaImage of other programs. */
static void write_metaimage(const char *path) {
  char header[256];
  const int length = snprintf(header, sizeof header,
                              "ObjectType = Image\nNDims = 3\nDimSize = %d %d %d\nElementSpacing = 1 1 1\n"
                              "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n",
                              NU, NV, VIEWS);
  memset(header + length, 7, NU * NV * VIEWS);
  write_file(path, header, (size_t)length + NU * NV * VIEWS);
}

/* The least TIFF: one strip of bytes behind eight entries. */
static void write_tiff(const char *path) {
  enum { PIXELS = NU * NV, ENTRIES = 8 };
  static const uint16_t tags[ENTRIES] = {256, 257, 258, 259, 262, 273, 278, 279};
  static const uint32_t values[ENTRIES] = {NU, NV, 8, 1, 1, 8, NV, PIXELS};
  unsigned char bytes[8 + PIXELS + 2 + 12 * ENTRIES + 4] = {'I', 'I', 42, 0, 8 + PIXELS};
  unsigned char *at = bytes + 8 + PIXELS;
  at[0] = ENTRIES;
  for (int i = 0; i < ENTRIES; i++) {
    unsigned char *entry = at + 2 + 12 * i;
    entry[0] = (unsigned char)tags[i], entry[1] = (unsigned char)(tags[i] >> 8);
    entry[2] = 4, entry[4] = 1;
    entry[8] = (unsigned char)values[i];
  }
  write_file(path, bytes, sizeof bytes);
}

static void write_images(const char *extension) {
  const float values[NU * NV] = {1};
  const ct_png_plane plane = {
      .values = values, .width = NU, .height = NV, .pixel_x = 1, .pixel_y = 1, .bits = 8, .low = 0, .high = 255};
  for (int i = 0; i < VIEWS; i++) {
    const char *path = in_folder("p%d.%s", i, extension);
    if (strcmp(extension, "png") != 0)
      write_tiff(path);
    else if (!ct_png_write_plane(path, &plane, NULL))
      abort();
  }
}

/* An angle that is no number. */
static void write_bad_angles(const char *name) {
  write_text(in_folder("%s", name), "0 90 x\n");
}

static void make_exchange(void) {
  const double theta[] = {0, 10, 20, 30, 40};
  const hid_t file = begin_exchange(in_folder("s.h5"), VIEWS, 0, 0);
  put_numbers(file, "/exchange/theta", theta, VIEWS - 2, "deg");
  H5Fclose(file);
}

static void make_nxtomo(void) {
  const double keys[VIEWS] = {0}, angles[2] = {0, 1};
  const hid_t file = begin_nxtomo(in_folder("s.h5"), "/entry", keys, VIEWS);
  put_numbers(file, "/entry/sample/rotation_angle", angles, 2, "deg");
  H5Fclose(file);
}

/* Frames of four dimensions, which no scan has, beside an array that could be a volume. */
static void make_nxtomo_of_another_rank(void) {
  const float frames[2 * VIEWS * NV * NU] = {0};
  const double keys[VIEWS] = {0};
  const hid_t file = make_file(in_folder("s.h5"));
  make_array(file, "/entry/instrument/detector/data", H5T_NATIVE_FLOAT, 4, (const hsize_t[]){VIEWS, 2, NV, NU},
             H5T_NATIVE_FLOAT, frames);
  make_array(file, "/entry/instrument/detector/image_key", H5T_NATIVE_DOUBLE, 1, (const hsize_t[]){VIEWS},
             H5T_NATIVE_DOUBLE, keys);
  make_array(file, "/entry/other", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){VIEWS, NV, NU}, H5T_NATIVE_FLOAT, frames);
  H5Fclose(file);
}

static void make_own_geometry(void) {
  const hid_t file = begin_exchange(in_folder("s.h5"), VIEWS, 0, 0);
  make_text(file, "/gantry/geometry", "{\"version\": 1, \"beam\": \"parallel\", \"views\": 9}");
  H5Fclose(file);
}

static void make_tiff(void) {
  write_images("tif");
  write_bad_angles("angles.txt");
}

static void make_described_tiff(void) {
  write_images("tif");
  write_text(in_folder("scan.json"), "{\"beam\": \"fan\", \"sod_mm\": -4}");
}

static void make_png(void) {
  write_images("png");
  write_bad_angles("angles.txt");
}

static void make_bmp(void) {
  for (int i = 0; i < VIEWS; i++) write_bmp(in_folder("p%d.bmp", i), &(bmp_file){NU, NV, 24, false}, i);
  write_bad_angles("angles.txt");
}

static void make_metaimage(void) {
  write_metaimage(in_folder("s.mha"));
  write_bad_angles("s.ang");
}

static void make_described_metaimage(void) {
  write_metaimage(in_folder("s.mha"));
  write_text(in_folder("s.scan.json"), "{\"beam\": \"cone\"}");
}

static void make_badly_described_metaimage(void) {
  write_metaimage(in_folder("s.mha"));
  write_text(in_folder("s.scan.json"), "{\"beam\": ");
}

static void make_raw(void) {
  const ct_grid grid = ct_grid_centred(NU, NV, VIEWS, 1, NULL);
  ct_volume *volume = ct_volume_new(&grid, NULL);
  if (!volume || !ct_volume_write(in_folder("s.raw"), volume, NULL, NULL, NULL)) abort();
  ct_volume_free(volume);
  write_text(in_folder("s.scan.json"),
             "{\"files\": {\"raw\": \"s.raw\", \"type\": \"float32\", \"dims\": [99, 99, 99]}}");
}

static void make_rabbitct(void) {
  static const uint32_t words[] = {2, NU, NV, VIEWS, 0x3f800000, 0};
  write_file(in_folder("s.rctd"), words, sizeof words);
}

static void make_nrrd(void) {
  write_text(in_folder("s.nrrd"), "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 5\nencoding: raw\n\nabcde");
  write_bad_angles("s.ang");
}

static void make_numpy(void) {
  write_file(in_folder("s.npy"), "\x93NUMPY\1\0\1\0", 10);
}

static void make_mrc(void) {
  write_file(in_folder("s.st"), "MRC", 3);
}

static void make_edf(void) {
  write_text(in_folder("s.edf"), "{ DataType = FloatValue ; Dim_1 = 2 ;");
}

static void make_fits(void) {
  write_text(in_folder("s.fits"), "SIMPLE  =                    T");
}

static void make_matlab(void) {
  write_text(in_folder("s.mat"), "MATLAB 5.0 MAT-file, cut off");
}

static void make_zeiss(void) {
  write_text(in_folder("s.txrm"), "no compound file");
}

static void make_description(void) {
  write_text(in_folder("s.json"), "{\"files\": \"gone.tif\"}");
}

static const struct {
  const char *format, *path;
  void (*make)(void);
} wrong_scans[] = {
    {"hdf5", "s.h5", make_exchange},
    {"hdf5", "s.h5", make_nxtomo},
    {"hdf5", "s.h5", make_nxtomo_of_another_rank},
    {"hdf5", "s.h5", make_own_geometry},
    {"tiff", ".", make_tiff},
    {"tiff", "p1.tif", make_tiff},
    {"tiff", "p#.tif", make_tiff},
    {"tiff", ".", make_described_tiff},
    {"tiff", "p1.tif", make_described_tiff},
    {"png", ".", make_png},
    {"bmp", ".", make_bmp},
    {"metaimage", "s.mha", make_metaimage},
    {"metaimage", "s.mha", make_described_metaimage},
    {"metaimage", "s.mha", make_badly_described_metaimage},
    {"raw", "s.raw", make_raw},
    {"rabbitct", "s.rctd", make_rabbitct},
    {"nrrd", "s.nrrd", make_nrrd},
    {"numpy", "s.npy", make_numpy},
    {"mrc", "s.st", make_mrc},
    {"edf", "s.edf", make_edf},
    {"matlab", "s.mat", make_matlab},
    {"fits", "s.fits", make_fits},
    {"zeiss", "s.txrm", make_zeiss},
    {"", "s.json", make_description},
    {"", "gone.mha", make_description},
};
enum { WRONG = sizeof wrong_scans / sizeof *wrong_scans };

static void test_wrong_scans(void) {
  for (int i = 0; i < WRONG; i++) {
    ct_error *error = NULL;
    make_test_folder();
    wrong_scans[i].make();
    const char *path = in_folder("%s", wrong_scans[i].path);
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    const ct_content content = ct_path_content(path, NULL);
    if (scan || !error || content != CT_CONTENT_SCAN)
      CT_TEST_END(1, "case %d, %s of %s: %s, content %d", i, wrong_scans[i].path, wrong_scans[i].format,
                  scan ? "opens" : "fails", (int)content);
    ct_error_clear(&error);
    remove_test_folder();
  }
}

/* A new format that can be a scan comes into the list above. */
static void test_every_format_is_there(void) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  for (size_t i = 0; i < count; i++) {
    bool found = !ct_format_can(formats[i], CT_FORMAT_OPEN_SCAN);
    for (int k = 0; k < WRONG && !found; k++) found = strcmp(wrong_scans[k].format, formats[i]->id) == 0;
    if (!found) CT_TEST_END(1, "no scan of the format %s with an error in it is tested", formats[i]->title);
  }
}

static void test_volumes(void) {
  ct_error *error = NULL;
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  const ct_grid grid = ct_grid_centred(3, 4, 5, 1, NULL);
  ct_volume *volume = ct_volume_new(&grid, &error);
  CHECK_OK(volume);
  make_test_folder();
  /* Without a plan, as the truth of a simulation; then with one. */
  for (int plan = 0; plan < 2; plan++) {
    if (plan) CHECK_OK(ct_volume_set_plan(volume, "{}", &error));
    for (size_t i = 0; i < count; i++) {
      if (!ct_format_can(formats[i], CT_FORMAT_WRITE_VOLUME)) continue;
      const char *extension = formats[i]->extensions;
      const char *path = in_folder("v.%.*s", (int)strcspn(extension, " "), extension);
      CHECK_OK(ct_volume_write(path, volume, NULL, NULL, &error));
      if (ct_path_content(path, NULL) != CT_CONTENT_VOLUME) CT_TEST_END(1, "%s is taken for a scan", path);
      /* Whoever asks for a scan is not given the volume as one. */
      ct_scan *scan = ct_scan_open(path, NULL, &error);
      if (scan) CT_TEST_END(1, "%s is opened as a scan", path);
      ct_error_clear(&error);
    }
  }
  CHECK_OK(ct_volume_write(in_folder("slices"), volume, NULL, NULL, &error));
  CHECK(ct_path_content(in_folder("slices"), NULL) == CT_CONTENT_VOLUME);
  CHECK(ct_path_content(in_folder("v.raw.json"), NULL) == CT_CONTENT_VOLUME);
  CHECK(ct_path_content(in_folder("v.h5::/entry/volume/data"), NULL) == CT_CONTENT_VOLUME);
  /* A description that tells no files makes no scan of a volume, one that is given does. */
  write_text(in_folder("v.scan.json"), "{\"beam\": \"parallel\"}");
  CHECK(ct_path_content(in_folder("v.mha"), NULL) == CT_CONTENT_VOLUME);
  CHECK(ct_path_content(in_folder("v.mha"), in_folder("v.scan.json")) == CT_CONTENT_SCAN);
  remove_test_folder();
  ct_volume_free(volume);
}

static void test_either(void) {
  make_test_folder();
  write_metaimage(in_folder("s.mha"));
  CHECK(ct_path_content(in_folder("s.mha"), NULL) == CT_CONTENT_EITHER);
  write_text(in_folder("s.scan.json"), "{\"beam\": \"parallel\"}");
  CHECK(ct_path_content(in_folder("s.mha"), NULL) == CT_CONTENT_SCAN);
  unlink(in_folder("s.scan.json"));
  write_text(in_folder("s.ang"), "0 1 2 3 4");
  CHECK(ct_path_content(in_folder("s.mha"), NULL) == CT_CONTENT_SCAN);
  const float frames[VIEWS * NV * NU] = {0};
  const hid_t file = make_file(in_folder("a.h5"));
  make_array(file, "/data", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){VIEWS, NV, NU}, H5T_NATIVE_FLOAT, frames);
  H5Fclose(file);
  CHECK(ct_path_content(in_folder("a.h5"), NULL) == CT_CONTENT_EITHER);
  CHECK(ct_path_content(in_folder("a.h5::/data"), NULL) == CT_CONTENT_SCAN);
  remove_test_folder();
}

static const ct_test tests[] = {
    {"a scan with an error stays a scan", test_wrong_scans},
    {"every format is tested for that", test_every_format_is_there},
    {"volumes are told from scans", test_volumes},
    {"files that could be both", test_either},
    {"everything of HDF5 is closed", test_all_closed},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
