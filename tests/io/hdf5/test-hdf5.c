/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans of other programs in HDF5: Data Exchange and NXtomo in the shapes they come in, and real files. */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "tests/io/files.h"
#include "tests/io/hdf5/scans.h"
#include "tests/test.h"

static const double degree = M_PI / 180;

static void test_real_files(void) {
  static const struct {
    const char *name;
    int nu, nv, views, flats, darks;
    ct_values values;
    double first, last; /* degrees */
    bool integers;
  } files[] = {
      {"tooth.h5", 640, 2, 181, 10, 10, CT_VALUES_COUNTS, 0, 179.0055, false},
      {"htc2022-ta.h5", 560, 1, 721, 0, 0, CT_VALUES_LINE_INTEGRALS, 0, 360, false},
      {"walnut.h5", 2296, 1, 1200, 0, 0, CT_VALUES_COUNTS, 0, 359.7, true},
      {"lotus.h5", 2240, 1, 360, 0, 0, CT_VALUES_LINE_INTEGRALS, 0, 359, false},
      {"dendrites.h5", 1260, 1, 360, 0, 0, CT_VALUES_LINE_INTEGRALS, 180.454, 359.961, false},
  };
  ct_error *error = NULL;
  if (!ct_test_data(files[0].name)) SKIP("no folder of real scans");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char *path = ct_test_data(files[i].name);
    CHECK(path);
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    const ct_geometry *g = &facts->geometry;
    CHECK(g->nu == files[i].nu && g->nv == files[i].nv && g->views == files[i].views);
    CHECK(facts->flats == files[i].flats && facts->darks == files[i].darks);
    CHECK(facts->values == files[i].values);
    CHECK(facts->known == CT_KNOWN_ANGLES);
    CHECK(facts->integers == files[i].integers);
    CHECK(!facts->note);
    CHECK_NEAR(g->angles[0] / degree, files[i].first, 0.001);
    CHECK_NEAR(g->angles[g->views - 1] / degree, files[i].last, 0.001);
    float *frame = ct_alloc((size_t)g->nu * (size_t)g->nv, sizeof *frame, "a frame", &error);
    CHECK_OK(frame);
    double mean = 0;
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, g->views - 1, 0, g->nv, frame, &error));
    for (int k = 0; k < g->nu * g->nv; k++) mean += frame[k] / (g->nu * g->nv);
    CHECK(isfinite(mean) && mean > 0);
    ct_free(frame);
    ct_scan_free(scan);
  }
}

static void test_exchange(void) {
  ct_error *error = NULL;
  make_test_folder();
  const char *path = in_folder("a.h5");
  const double angles[5] = {0, 36, 36, -10, 400};
  hid_t file = begin_exchange(path, 5, 2, 1);
  put_numbers(file, "/exchange/theta", angles, 5, "degrees");
  put_numbers(file, "/measurement/instrument/detector/x_pixel_size", (const double[]){1.5e-6}, 1, "m");
  make_text_attribute(file, "/exchange/data", "units", "counts");
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  CHECK(facts->known == (CT_KNOWN_ANGLES | CT_KNOWN_PITCH));
  CHECK(facts->values == CT_VALUES_COUNTS && facts->flats == 2 && facts->darks == 1 && !facts->flat_positions);
  CHECK(strcmp(facts->format, "Data Exchange HDF5") == 0 && strcmp(facts->dataset, "/exchange/data") == 0);
  CHECK_NEAR(facts->geometry.du, 0.0015, 1e-12);
  CHECK_NEAR(facts->geometry.dv, 0.0015, 1e-12);
  /* Unsorted and duplicated angles are what they are. */
  for (int i = 0; i < 5; i++) CHECK_NEAR(facts->geometry.angles[i], angles[i] * degree, 1e-12);
  float rows[NV * NU];
  for (int row0 = 0; row0 < NV; row0++)
    for (int count = 1; row0 + count <= NV; count++) {
      CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 3, row0, count, rows, &error));
      for (int k = 0; k < count * NU; k++) CHECK(rows[k] == sample_of(3, row0 + k / NU, k % NU));
    }
  CHECK_OK(ct_scan_read(scan, CT_FRAME_FLAT, 1, 1, 2, rows, &error));
  CHECK(rows[0] == sample_of(1, 1, 0));
  CHECK_FAILS(ct_scan_read(scan, CT_FRAME_DARK, 1, 0, 1, rows, &error), CT_ERROR_ARGUMENT, "frame 1");
  ct_scan_free(scan);
  remove_test_folder();
}

/* One file with these angles; what must come of them. */
static void test_angles(void) {
  static const struct {
    double theta[4];
    int count;
    const char *units;
    double first, step; /* expected, degrees; step of the whole list */
    bool known;
    const char *words; /* in the note, or in the error when step is NaN */
  } cases[] = {
      {{0, 10, 20, 30}, 4, "deg", 0, 10, true, NULL},
      {{0, 0.5, 1, 1.5}, 4, "rad", 0, 0.5 * 180 / M_PI, true, NULL},
      {{0, 0.5, 1, 1.5}, 4, "radians", 0, 0.5 * 180 / M_PI, true, NULL},
      {{0, 0.5, 1, 1.5}, 4, NULL, 0, 0.5 * 180 / M_PI, true, "radians"},
      {{0, 10, 20, 30}, 4, NULL, 0, 10, true, "degrees"},
      {{16740, 16750, 16760, 16770}, 4, "deg", 180, 10, true, NULL},
      {{350, 360, 370, 380}, 4, "deg", 350, 10, true, NULL},
      {{-370, -380, -390, -400}, 4, "deg", -10, -10, true, NULL},
      {{0, 0, 0, 0}, 4, "deg", 0, 45, false, "zero"},
      {{0}, 0, NULL, 0, 45, false, "0 to 180 degrees"},
      {{0, 10, 20, 30}, 3, "deg", 0, NAN, false, "3 angles for 4 projections"},
      {{0, 10, NAN, 30}, 4, "deg", 0, NAN, false, "angle of projection 2"},
      {{0, INFINITY, 20, 30}, 4, "deg", 0, NAN, false, "angle of projection 1"},
  };
  ct_error *error = NULL;
  make_test_folder();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *path = in_folder("a.h5");
    const hid_t file = begin_exchange(path, 4, 0, 0);
    if (cases[i].count) put_numbers(file, "/exchange/theta", cases[i].theta, cases[i].count, cases[i].units);
    H5Fclose(file);
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    if (isnan(cases[i].step)) {
      CHECK_FAILS(scan, CT_ERROR_DATA, cases[i].words);
      /* A description can put right what the file has wrong. */
      CHECK_OK(scan = ct_scan_open(path, "{\"angles_deg\": {\"first\": 5, \"step\": 2}}", &error));
      CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES);
      CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[3], 11 * degree, 1e-12);
      ct_scan_free(scan);
      continue;
    }
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    CHECK(!(facts->known & CT_KNOWN_ANGLES) == !cases[i].known);
    for (int k = 0; k < 4; k++)
      CHECK_NEAR(facts->geometry.angles[k] / degree, cases[i].first + k * cases[i].step, 1e-9);
    if (cases[i].words)
      CHECK(facts->note && strstr(facts->note, cases[i].words));
    else
      CHECK(!facts->note);
    ct_scan_free(scan);
  }
  /* Without theta, the acquisition's own record. */
  const hid_t file = begin_exchange(in_folder("p.h5"), 4, 0, 0);
  put_numbers(file, "/process/acquisition/rotation/rotation_start", (const double[]){-90}, 1, NULL);
  put_numbers(file, "/process/acquisition/rotation/rotation_step", (const double[]){0.25}, 1, NULL);
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(in_folder("p.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES);
  CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[2], -89.5 * degree, 1e-12);
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_types(void) {
  static const struct {
    const char *name;
    bool integer;
  } names[] = {{"u8", true},  {"i8", true},  {"u16", true},    {"i16be", true}, {"u32", true},
               {"i32", true}, {"i64", true}, {"f32be", false}, {"f64", false}};
  const hid_t types[] = {H5T_STD_U8LE,  H5T_STD_I8BE,  H5T_STD_U16LE,  H5T_STD_I16BE, H5T_STD_U32LE,
                         H5T_STD_I32LE, H5T_STD_I64LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE};
  ct_error *error = NULL;
  make_test_folder();
  float frames[2 * NV * NU], out[NV * NU];
  for (int i = 0; i < 2 * NV * NU; i++) frames[i] = (float)i;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const char *path = in_folder("%s.h5", names[i].name);
    const hid_t file = make_file(path);
    make_array(file, "/exchange/data", types[i], 3, (const hsize_t[]){2, NV, NU}, H5T_NATIVE_FLOAT, frames);
    H5Fclose(file);
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    CHECK_OK(scan);
    CHECK(ct_scan_get_facts(scan)->integers == names[i].integer);
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 1, 0, NV, out, &error));
    CHECK(memcmp(out, frames + NV * NU, sizeof out) == 0);
    ct_scan_free(scan);
  }
  remove_test_folder();
}

/* Sinogram order, two dimensions, flats of one frame, chunks across frames. */
static void test_shapes(void) {
  ct_error *error = NULL;
  make_test_folder();
  float frames[8 * NV * NU], turned[8 * NV * NU], out[NV * NU];
  fill_frames(frames, 8);
  for (int f = 0; f < 8; f++)
    for (int v = 0; v < NV; v++) memcpy(turned + (v * 8 + f) * NU, frames + (f * NV + v) * NU, NU * sizeof *turned);
  hid_t file = make_file(in_folder("sino.h5"));
  make_array(file, "/exchange/data", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){NV, 8, NU}, H5T_NATIVE_FLOAT, turned);
  make_text_attribute(file, "/exchange/data", "axes", "y:theta:x");
  make_array(file, "/exchange/data_white", H5T_NATIVE_FLOAT, 2, (const hsize_t[]){NV, NU}, H5T_NATIVE_FLOAT, frames);
  H5Fclose(file);
  file = make_file(in_folder("chunks.h5"));
  make_chunked_array(file, "/exchange/data", H5T_STD_U16LE, (const hsize_t[]){8, NV, NU}, (const hsize_t[]){5, 3, 4},
                     frames);
  H5Fclose(file);
  static const char *const names[] = {"sino.h5", "chunks.h5"};
  for (int i = 0; i < 2; i++) {
    ct_scan *scan = ct_scan_open(in_folder("%s", names[i]), NULL, &error);
    CHECK_OK(scan);
    const ct_geometry *g = &ct_scan_get_facts(scan)->geometry;
    CHECK(g->views == 8 && g->nv == NV && g->nu == NU);
    CHECK(ct_scan_get_facts(scan)->together == (i == 0 ? 1 : 5));
    for (int f = 0; f < 8; f++) {
      CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, f, 1, NV - 1, out, &error));
      CHECK(memcmp(out, frames + (f * NV + 1) * NU, (NV - 1) * NU * sizeof *out) == 0);
    }
    if (i == 0) {
      CHECK(ct_scan_get_facts(scan)->flats == 1);
      CHECK_OK(ct_scan_read(scan, CT_FRAME_FLAT, 0, 0, NV, out, &error));
      CHECK(memcmp(out, frames, sizeof out) == 0);
    }
    ct_scan_free(scan);
  }
  file = make_file(in_folder("flat.h5"));
  make_array(file, "/exchange/data", H5T_NATIVE_FLOAT, 2, (const hsize_t[]){8, NU}, H5T_NATIVE_FLOAT, frames);
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(in_folder("flat.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == 8 && ct_scan_get_facts(scan)->geometry.nv == 1);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 2, 0, 1, out, &error));
  CHECK(memcmp(out, frames + 2 * NU, NU * sizeof *out) == 0);
  ct_scan_free(scan);
  file = begin_exchange(in_folder("mismatch.h5"), 3, 0, 0);
  make_array(file, "/exchange/data_dark", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){2, NV, NU - 1}, H5T_NATIVE_FLOAT,
             frames);
  H5Fclose(file);
  CHECK_FAILS(ct_scan_open(in_folder("mismatch.h5"), NULL, &error), CT_ERROR_DATA,
              "5 x 4 pixels, the projections 6 x 4");
  remove_test_folder();
}

static void test_nxtomo(void) {
  /* dark, flat, 3 projections, flat, invalid, 2 projections, flat, flat */
  static const double keys[] = {2, 1, 0, 0, 0, 1, 3, 0, 0, 1, 1};
  static const double angles[] = {0, 0, 0, 45, 90, 90, 111, 135, 180, 180, 180};
  static const int projections[] = {2, 3, 4, 7, 8}, flats[] = {1, 5, 9, 10};
  static const double positions[] = {0, 3, 5, 5};
  static const char *const entries[] = {"/entry", "/entry0000", "/entry1/tomo_entry", "/scan_7"};
  ct_error *error = NULL;
  make_test_folder();
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    char name[256];
    const char *path = in_folder("a%zu.nx", i);
    const hid_t file = begin_nxtomo(path, entries[i], keys, 11);
    snprintf(name, sizeof name, "%s/sample/rotation_angle", entries[i]);
    put_numbers(file, name, angles, 11, "degree");
    snprintf(name, sizeof name, "%s/instrument/detector/x_pixel_size", entries[i]);
    put_numbers(file, name, (const double[]){6.5}, 1, "um");
    snprintf(name, sizeof name, "%s/instrument/detector/y_pixel_size", entries[i]);
    put_numbers(file, name, (const double[]){7e-6}, 1, NULL);
    snprintf(name, sizeof name, "%s/instrument/detector/distance", entries[i]);
    put_numbers(file, name, (const double[]){200}, 1, "mm");
    snprintf(name, sizeof name, "%s/instrument/source/distance", entries[i]);
    put_numbers(file, name, (const double[]){-0.4}, 1, "m");
    snprintf(name, sizeof name, "%s/instrument/source/type", entries[i]);
    make_text(file, name, i % 2 ? "Fixed Tube X-ray" : "Synchrotron X-ray Source");
    /* The sample sinks by 36 mm a turn, or by fits and starts. */
    double sinks[11];
    for (int k = 0; k < 11; k++) sinks[k] = 5 - 0.036 / 360 * angles[k] + (i == 3 && k == 7 ? 0.01 : 0);
    snprintf(name, sizeof name, "%s/sample/z_translation", entries[i]);
    put_numbers(file, name, sinks, 11, "m");
    H5Fclose(file);
    ct_scan *scan = ct_scan_open(path, NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    const ct_geometry *g = &facts->geometry;
    CHECK(g->views == 5 && facts->flats == 4 && facts->darks == 1);
    CHECK(facts->values == CT_VALUES_COUNTS && facts->integers);
    CHECK(facts->known == (CT_KNOWN_ANGLES | CT_KNOWN_PITCH | CT_KNOWN_DISTANCES | CT_KNOWN_BEAM));
    CHECK(g->beam == (i == 1 ? CT_BEAM_CONE : CT_BEAM_FREE));
    CHECK_NEAR(g->feed, i == 1 ? 36 : 0, 1e-9);
    if (i == 1) CHECK_NEAR(ct_geometry_height(g, 0), -9, 1e-9);
    double m[12], u, v, w;
    ct_geometry_matrix(g, 3, m);
    ct_project(m, (const double[3]){0, 0, i == 3 ? -5.5 : 4.5}, &u, &v, &w);
    CHECK_NEAR(v, 0.5 * (NV - 1), 1e-6);
    CHECK_NEAR(g->sod, 400, 1e-9);
    CHECK_NEAR(g->sdd, 600, 1e-9);
    CHECK_NEAR(g->du, 0.0065, 1e-12);
    CHECK_NEAR(g->dv, 0.007, 1e-12);
    CHECK(facts->note && strstr(facts->note, "1 frames that the file marks as invalid"));
    float row[NU];
    for (int k = 0; k < 5; k++) {
      CHECK_NEAR(g->angles[k], angles[projections[k]] * degree, 1e-12);
      CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, k, 2, 1, row, &error));
      CHECK(row[3] == sample_of(projections[k], 2, 3));
    }
    for (int k = 0; k < 4; k++) {
      CHECK_NEAR(facts->flat_positions[k], positions[k], 0);
      CHECK_OK(ct_scan_read(scan, CT_FRAME_FLAT, k, 0, 1, row, &error));
      CHECK(row[0] == sample_of(flats[k], 0, 0));
    }
    CHECK_NEAR(facts->dark_positions[0], 0, 0);
    ct_scan_free(scan);
  }
  remove_test_folder();
}

static void test_nxtomo_faults(void) {
  static const double none[] = {1, 1, 2, 2}, some[] = {0, 0, 0, 1};
  ct_error *error = NULL;
  make_test_folder();
  H5Fclose(begin_nxtomo(in_folder("none.nx"), "/entry", none, 4));
  CHECK_FAILS(ct_scan_open(in_folder("none.nx"), NULL, &error), CT_ERROR_DATA, "no projections");
  hid_t file = begin_nxtomo(in_folder("keys.nx"), "/entry", NULL, 4);
  put_numbers(file, "/entry/instrument/detector/image_key", some, 3, NULL);
  H5Fclose(file);
  CHECK_FAILS(ct_scan_open(in_folder("keys.nx"), NULL, &error), CT_ERROR_DATA, "3 keys for 4 frames");
  file = begin_nxtomo(in_folder("angles.nx"), "/entry", some, 4);
  put_numbers(file, "/entry/sample/rotation_angle", some, 2, "deg");
  H5Fclose(file);
  CHECK_FAILS(ct_scan_open(in_folder("angles.nx"), NULL, &error), CT_ERROR_DATA,
              "2 angles for 4 frames (3 projections)");
  /* No keys, no angles: usable, with a note. */
  H5Fclose(begin_nxtomo(in_folder("bare.nx"), "/entry", NULL, 4));
  ct_scan *scan = ct_scan_open(in_folder("bare.nx"), NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->known == 0 && ct_scan_get_facts(scan)->geometry.views == 4);
  CHECK(strstr(ct_scan_get_facts(scan)->note, "image_key") && strstr(ct_scan_get_facts(scan)->note, "angles"));
  ct_scan_free(scan);
  remove_test_folder();
}

static void test_several_scans(void) {
  static const double keys[] = {0, 0, 0, 0};
  ct_error *error = NULL;
  make_test_folder();
  const char *path = in_folder("many.nx");
  for (int i = 0; i < 3; i++) {
    char entry[32];
    snprintf(entry, sizeof entry, "/entry%04d", i);
    H5Fclose(begin_nxtomo(path, entry, keys, 2 + i));
  }
  ct_scan *scan = ct_scan_open(path, NULL, &error);
  CHECK_OK(scan);
  CHECK(ct_scan_get_facts(scan)->geometry.views == 2);
  CHECK(strstr(ct_scan_get_facts(scan)->note, "holds 3 scans; /entry0000/instrument/detector/data"));
  ct_scan_free(scan);
  CHECK_OK(scan = ct_scan_open(in_folder("many.nx::/entry0002"), NULL, &error));
  CHECK(ct_scan_get_facts(scan)->geometry.views == 4);
  ct_scan_free(scan);
  CHECK_OK(scan = ct_scan_open(path, "{\"dataset\": \"entry0001/instrument/detector/data\"}", &error));
  CHECK(ct_scan_get_facts(scan)->geometry.views == 3);
  ct_scan_free(scan);
  CHECK_FAILS(ct_scan_open(in_folder("many.nx::/entry9"), NULL, &error), CT_ERROR_ARGUMENT, "/entry9");
  float frames[3 * NV * NU] = {0};
  const hid_t file = make_file(in_folder("other.h5"));
  make_array(file, "/some/where/images", H5T_NATIVE_FLOAT, 3, (const hsize_t[]){3, NV, NU}, H5T_NATIVE_FLOAT, frames);
  make_text(file, "/some/words", "not a number");
  H5Fclose(file);
  CHECK_FAILS(ct_scan_open(in_folder("other.h5"), NULL, &error), CT_ERROR_FORMAT, "/some/where/images (3 x 4 x 6)");
  CHECK_OK(scan = ct_scan_open(in_folder("other.h5::/some/where/images"), NULL, &error));
  CHECK(ct_scan_get_facts(scan)->geometry.views == 3 && ct_scan_get_facts(scan)->known == 0);
  ct_scan_free(scan);
  CHECK_FAILS(ct_scan_open(in_folder("other.h5::/some/words"), NULL, &error), CT_ERROR_UNSUPPORTED,
              "neither integers nor reals");
  remove_test_folder();
}

/* Packed numbers, each array by its own attributes; attributes of no convention are told of. */
static void test_packing(void) {
  ct_error *error = NULL;
  float row[NU];
  make_test_folder();
  hid_t file = begin_exchange(in_folder("packed.h5"), 3, 2, 0);
  make_number_attribute(file, "/exchange/data", "scale_factor", 0.25);
  make_number_attribute(file, "/exchange/data", "add_offset", -3);
  make_number_attribute(file, "/exchange/data_white", "add_offset", 7);
  H5Fclose(file);
  ct_scan *scan = ct_scan_open(in_folder("packed.h5"), NULL, &error);
  CHECK_OK(scan);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 2, 1, 1, row, &error));
  CHECK_NEAR(row[3], 0.25 * sample_of(2, 1, 3) - 3, 1e-6);
  CHECK_OK(ct_scan_read(scan, CT_FRAME_FLAT, 1, 2, 1, row, &error));
  CHECK_NEAR(row[5], sample_of(1, 2, 5) + 7, 1e-6);
  ct_scan_free(scan);
  static const char *const others[] = {"offset", "scale", "RescaleSlope"};
  for (int i = 0; i < 3; i++) {
    file = begin_exchange(in_folder("other.h5"), 3, 0, 0);
    make_number_attribute(file, "/exchange/data", others[i], 32);
    H5Fclose(file);
    CHECK_OK(scan = ct_scan_open(in_folder("other.h5"), NULL, &error));
    CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 2, 1, 1, row, &error));
    const ct_remarks *remarks = ct_scan_get_facts(scan)->remarks;
    CHECK(row[3] == sample_of(2, 1, 3) && ct_remarks_count(remarks, CT_REMARK_DOUBT) == 1);
    ct_scan_free(scan);
  }
  remove_test_folder();
}

/* Units of angles, one that is not known too. */
static void test_angle_units(void) {
  static const struct {
    const char *unit;
    double degrees;
    int doubts;
  } cases[] = {{"gon", 0.9, 0}, {"mdeg", 1e-3, 0}, {"Degree", 1, 0}, {"furlong", 1, 1}};
  const double theta[] = {10, 60, 130};
  ct_error *error = NULL;
  make_test_folder();
  for (int i = 0; i < 4; i++) {
    const hid_t file = begin_exchange(in_folder("unit.h5"), 3, 0, 0);
    put_numbers(file, "/exchange/theta", theta, 3, cases[i].unit);
    H5Fclose(file);
    ct_scan *scan = ct_scan_open(in_folder("unit.h5"), NULL, &error);
    CHECK_OK(scan);
    CHECK_NEAR(ct_scan_get_facts(scan)->geometry.angles[2], 130 * cases[i].degrees * M_PI / 180, 1e-9);
    CHECK(ct_remarks_count(ct_scan_get_facts(scan)->remarks, CT_REMARK_DOUBT) == cases[i].doubts);
    ct_scan_free(scan);
  }
  remove_test_folder();
}

/* What an attribute says that the values are; of absorbances the base is doubted. */
static void test_meanings(void) {
  static const struct {
    const char *name, *text;
    int values, doubts;
  } cases[] = {{"units", "OD", CT_VALUES_OPTICAL_DENSITY, 0},
               {"units", "log10(I0/I)", CT_VALUES_OPTICAL_DENSITY, 0},
               {"units", "Absorbance", CT_VALUES_OPTICAL_DENSITY, 1},
               {"long_name", "-log10(I/I0)", CT_VALUES_OPTICAL_DENSITY, 0},
               {"units", "counts", CT_VALUES_COUNTS, 0},
               {"long_name", "counts", CT_VALUES_UNKNOWN, 0},
               {"units", "MODE", CT_VALUES_UNKNOWN, 0}};
  ct_error *error = NULL;
  make_test_folder();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const hid_t file = begin_exchange(in_folder("unit.h5"), 3, 0, 0);
    make_text_attribute(file, "/exchange/data", cases[i].name, cases[i].text);
    H5Fclose(file);
    ct_scan *scan = ct_scan_open(in_folder("unit.h5"), NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    CHECK((int)(facts->values_why ? CT_VALUES_UNKNOWN : facts->values) == cases[i].values);
    CHECK(ct_remarks_count(facts->remarks, CT_REMARK_DOUBT) == cases[i].doubts);
    ct_scan_free(scan);
  }
  remove_test_folder();
}

static const ct_test tests[] = {
    {"real files tell what is known of them", test_real_files},
    {"Data Exchange: flats, darks, angles, row bands", test_exchange},
    {"angles in every state", test_angles},
    {"units of angles", test_angle_units},
    {"packed numbers", test_packing},
    {"meanings of values", test_meanings},
    {"every element type", test_types},
    {"sinogram order, two dimensions, chunks across frames", test_shapes},
    {"NXtomo: interleaved frames below any entry", test_nxtomo},
    {"NXtomo: keys and angles that do not fit", test_nxtomo_faults},
    {"several scans, and datasets by name", test_several_scans},
    {"nothing stays open", test_all_closed},
};

CT_TEST_MAIN(tests)
