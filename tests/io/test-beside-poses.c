/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry files that tell the pose of each view: RTK's XML and ASTRA's vectors, against rays calculated here and named
 * beams. */
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "tests/io/beside.h"

/* The place where RTK sees a point of its own frame, in mm of the image: rays cut with the detector's plane. */
static void rtk_place(const double p[9], const double x[3], double place[2]) {
  const double g = -p[2] * degree, o = -p[7] * degree, i = -p[8] * degree;
  const double y[3][3] = {{cos(g), 0, sin(g)}, {0, 1, 0}, {-sin(g), 0, cos(g)}},
               a[3][3] = {{1, 0, 0}, {0, cos(o), -sin(o)}, {0, sin(o), cos(o)}},
               z[3][3] = {{cos(i), -sin(i), 0}, {sin(i), cos(i), 0}, {0, 0, 1}};
  double turned[3], once[3], twice[3];
  for (int k = 0; k < 3; k++) once[k] = y[k][0] * x[0] + y[k][1] * x[1] + y[k][2] * x[2];
  for (int k = 0; k < 3; k++) twice[k] = a[k][0] * once[0] + a[k][1] * once[1] + a[k][2] * once[2];
  for (int k = 0; k < 3; k++) turned[k] = z[k][0] * twice[0] + z[k][1] * twice[1] + z[k][2] * twice[2];
  const double share = p[1] / (p[0] - turned[2]);
  for (int k = 0; k < 2; k++) place[k] = p[5 + k] + share * (turned[k] - p[5 + k]) - p[3 + k];
}

/* All nine parameters, other ones in each view; a tag that is missing keeps the view's before. */
static void test_rtk_parameters(void) {
  ct_error *error = NULL;
  double p[9] = {100, 200, 0, 0, 0, 0, 0, 0, 0}, all[5][9];
  FILE *file = fopen(scratch_path("rtk/g.xml"), "w");
  fputs(RTK_BEGIN "<SourceToIsocenterDistance>100</SourceToIsocenterDistance>\n"
                  "<sourcetodetectordistance> 200 </sourcetodetectordistance>\n",
        file);
  static const char *const tags[] = {"SourceToIsocenterDistance",
                                     "SourceToDetectorDistance",
                                     "Angle",
                                     "ProjectionOffsetX",
                                     "ProjectionOffsetY",
                                     "SourceOffsetX",
                                     "SourceOffsetY",
                                     "OutOfPlaneAngle",
                                     "InPlaneAngle"};
  for (int view = 0; view < 5; view++) {
    fputs("<Projection>", file);
    p[2] = 72 * view;
    for (int i = 3; i < 9; i++)
      if (view > 0 && (view + i) % 3) p[i] = 0.5 * i - view;
    for (int i = 2; i < 9; i++)
      if (view == 0 || i == 2 || (view + i) % 3) fprintf(file, "<%s>%.17g</%s>", tags[i], p[i], tags[i]);
    memcpy(all[view], p, sizeof p);
    fputs("</Projection>\n", file);
  }
  fputs(RTK_END, file);
  if (fclose(file) != 0) abort();
  put_stack("rtk/p.mha", "Offset = -15 -1 0\nElementSpacing = 1 0.5 1\n", 5);
  CHECK(ct_path_content(scratch_path("rtk/p.mha"), NULL) == CT_CONTENT_SCAN);
  ct_scan *scan = ct_scan_open(scratch_path("rtk/p.mha"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_FREE);
  for (int view = 0; view < 5; view++) {
    const double ours[3] = {3, -2, 1.5}, theirs[3] = {ours[0], ours[2], -ours[1]};
    double m[12], u, v, w, place[2];
    ct_geometry_matrix(geometry_of(scan), view, m);
    ct_project(m, ours, &u, &v, &w);
    rtk_place(all[view], theirs, place);
    CHECK_NEAR(u, (place[0] + 15) / 1, 1e-9);
    CHECK_NEAR(v, (place[1] + 1) / 0.5, 1e-9);
  }
  ct_scan_free(scan);
}

/* The same in all views is a cone beam, or a parallel one, to the last bit. */
static void test_rtk_plain(void) {
  ct_error *error = NULL;
  char text[4096];
  put_stack("plain/p.mha", "Offset = -15.5 -1.5 0\nElementSpacing = 1 1 1\n", VIEWS);
  put_string(scratch_path("plain/g.xml"),
             rtk_of(text, sizeof text, DISTANCES "<ProjectionOffsetX>4</ProjectionOffsetX>", VIEWS));
  ct_scan *scan = ct_scan_open(scratch_path("plain/g.xml"), NULL, &error);
  CHECK_OK(scan);
  const ct_geometry *g = geometry_of(scan);
  CHECK(g->beam == CT_BEAM_CONE && g->sod == 100 && g->sdd == 200 && g->centre_u == 11.5 && g->centre_v == 1.5);
  for (int i = 0; i < VIEWS; i++) CHECK(g->angles[i] == 15 * i * (M_PI / 180));
  ct_scan_free(scan);
  put_string(scratch_path("plain/g.xml"), rtk_of(text, sizeof text, "", VIEWS));
  scan = ct_scan_open(scratch_path("plain/p.mha"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_PARALLEL && geometry_of(scan)->angles[2] == 30 * (M_PI / 180));
  ct_scan_free(scan);
  /* Geometry of other projections. */
  put_string(scratch_path("plain/g.xml"), rtk_of(text, sizeof text, DISTANCES, VIEWS - 1));
  scan = ct_scan_open(scratch_path("plain/p.mha"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_PARALLEL && has_remark(scan, CT_REMARK_IGNORED, "23 projections"));
  ct_scan_free(scan);
  CHECK_FAILS(ct_scan_open(scratch_path("plain/g.xml"), NULL, &error), CT_ERROR_DATA, "23 projections");
  CHECK(ct_path_content(scratch_path("plain/p.mha"), NULL) == CT_CONTENT_EITHER);
}

/* Of several stacks and geometries each finds the one with its name. */
static void test_pairs(void) {
  ct_error *error = NULL;
  char text[4096];
  for (int i = 0; i < 2; i++) {
    char name[64], inside[256];
    snprintf(name, sizeof name, "pairs/run%c_projections.mha", 'A' + i);
    put_stack(name, "", VIEWS);
    snprintf(inside, sizeof inside,
             "<SourceToIsocenterDistance>%d</SourceToIsocenterDistance><SourceToDetectorDistance>900</"
             "SourceToDetectorDistance>",
             100 + i);
    snprintf(name, sizeof name, "pairs/run%c_geometry.xml", 'A' + i);
    put_string(scratch_path(name), rtk_of(text, sizeof text, inside, VIEWS));
  }
  static const char *const paths[] = {"pairs/runA_projections.mha", "pairs/runB_projections.mha",
                                      "pairs/runA_geometry.xml", "pairs/runB_geometry.xml"};
  for (int i = 0; i < 4; i++) {
    ct_scan *scan = ct_scan_open(scratch_path(paths[i]), NULL, &error);
    CHECK_OK(scan);
    CHECK(geometry_of(scan)->sod == 100 + i % 2);
    ct_scan_free(scan);
  }
  /* One that fits both equally is not guessed. */
  put_string(scratch_path("pairs/x.xml"), rtk_of(text, sizeof text, DISTANCES, VIEWS));
  CHECK_FAILS(ct_scan_open(scratch_path("pairs/x.xml"), NULL, &error), CT_ERROR_DATA, "several");
}

/* A stack of bytes in NumPy's format. */
static void put_npy(const char *name, int views) {
  char header[128];
  snprintf(header, sizeof header, "\x93NUMPY\x01%cv%c{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d, %d), }",
           0, 0, views, NV, NU);
  FILE *file = fopen(scratch_path(name), "wb");
  memset(header + 10 + strlen(header + 10), ' ', sizeof header - 10 - strlen(header + 10));
  header[sizeof header - 1] = '\n';
  fwrite(header, 1, sizeof header, file);
  for (int i = 0; i < NU * NV * views; i++) fputc(i % 200, file);
  if (fclose(file) != 0) abort();
}

/* A folder with one stack and its geometry is that scan, and so is either file: also beside pictures, a stack of other
 * views, a volume of ours, and the file of the stack's own samples. */
static void test_folder_of_a_stack(void) {
  static const char *const paths[] = {"one", "one/views.mhd", "one/g.xml"};
  ct_error *error = NULL;
  char text[4096], bytes[NU * NV * VIEWS] = "";
  put_string(scratch_path("one/views.mhd"),
             "ObjectType = Image\nNDims = 3\nDimSize = 32 4 24\nElementType = MET_UCHAR\n"
             "ElementDataFile = views.raw\n");
  put_bytes(scratch_path("one/views.raw"), bytes, sizeof bytes);
  put_string(scratch_path("one/g.xml"), rtk_of(text, sizeof text, DISTANCES, VIEWS));
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3; i++) {
      ct_scan *scan = ct_scan_open(scratch_path(paths[i]), NULL, &error);
      CHECK_OK(scan);
      CHECK(ct_path_content(scratch_path(paths[i]), NULL) == CT_CONTENT_SCAN);
      CHECK(geometry_of(scan)->sod == 100 && geometry_of(scan)->views == VIEWS);
      CHECK(has_remark(scan, CT_REMARK_READ, "the folder's projections, in one file") == (i == 0));
      CHECK(has_remark(scan, CT_REMARK_IGNORED, "pictures") == (i == 0 && round == 1));
      CHECK(!has_remark(scan, CT_REMARK_DOUBT, "fits other"));
      ct_scan_free(scan);
      CHECK(ct_scan_is_destroyed(scratch_path(paths[i]), NULL, scratch_path("one/views.raw")));
      CHECK(ct_scan_is_destroyed(scratch_path(paths[i]), NULL, scratch_path("one/g.xml")));
    }
    put_images("one/shot", 1);
    put_npy("one/test.npy", 3);
    ct_volume *volume = make_volume(NU, NV, VIEWS);
    CHECK(ct_volume_write(scratch_path("one/volume.mha"), volume, NULL, NULL, &error));
    ct_volume_free(volume);
  }
  char **scans;
  size_t count;
  char *about = ct_path_folder(scratch_path("one"), NULL);
  CHECK(ct_folder_list_scans(about, &scans, &count, &error));
  bool listed = false;
  for (size_t i = 0; i < count; i++) {
    listed = listed || strcmp(ct_path_name(scans[i]), "one") == 0;
    ct_free(scans[i]);
  }
  CHECK(listed);
  ct_free(scans);
  ct_free(about);
}

/* What the folder's description tells counts: which geometry, the layout, that it is about pictures; its stack is not
 * overwritten. */
static void test_described_stack(void) {
  static const struct {
    const char *description; /* NULL: none */
    int sod, views;          /* 0 views: refused */
  } cases[] = {{NULL, 0, 0},
               {"{\"geometry\": false, \"sod_mm\": 50, \"sdd_mm\": 70}", 50, VIEWS},
               {"{\"geometry\": \"sub/right.xml\"}", 100, VIEWS},
               {"{\"layout\": \"sinograms\", \"sod_mm\": 50, \"sdd_mm\": 70}", 50, NV}};
  ct_error *error = NULL;
  char text[4096];
  put_stack("three/views.mha", "", VIEWS);
  put_string(scratch_path("three/wrong.xml"), rtk_of(text, sizeof text, DISTANCES, NV));
  put_string(scratch_path("three/sub/right.xml"), rtk_of(text, sizeof text, DISTANCES, VIEWS));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (cases[i].description) put_string(scratch_path("three/scan.json"), cases[i].description);
    for (int own = 0; own < (cases[i].description ? 2 : 1); own++) {
      const char *path = own ? "three/scan.json" : "three";
      if (!cases[i].views) {
        CHECK_FAILS(ct_scan_open(scratch_path(path), NULL, &error), CT_ERROR_DATA, "\"geometry\": false");
        continue;
      }
      ct_scan *scan = ct_scan_open(scratch_path(path), NULL, &error);
      CHECK_OK(scan);
      CHECK(geometry_of(scan)->sod == cases[i].sod && geometry_of(scan)->views == cases[i].views);
      CHECK(has_remark(scan, CT_REMARK_READ, "the folder's projections"));
      ct_scan_free(scan);
      CHECK(ct_scan_is_destroyed(scratch_path(path), NULL, scratch_path("three/views.mha")));
    }
  }
  put_images("three/shot", 6);
  ct_scan *scan = ct_scan_open(scratch_path("three"), NULL, &error);
  CHECK_OK(scan);
  CHECK(!strcmp(ct_scan_get_facts(scan)->format, "PNG"));
  ct_scan_free(scan);
}

/* A geometry that may be of fewer views is of those that have as many as it tells; a list has other scans, too. */
static void test_exact_stack(void) {
  ct_error *error = NULL;
  put_string(
      scratch_path("four/unireconstruction.xml"),
      "<?xml version=\"1.0\"?>\n<unireconstruction><conebeam><acquisitioninfo><geometry sod=\"100\" sdd=\"150\"/>"
      "</acquisitioninfo></conebeam><profile images=\"24\"/></unireconstruction>");
  put_stack("four/a.mha", "", VIEWS - 8);
  put_stack("four/p.mha", "", VIEWS);
  put_images("four/photo", 1);
  for (int round = 0; round < 2; round++) {
    ct_scan *scan = ct_scan_open(scratch_path("four"), NULL, &error);
    CHECK_OK(scan);
    CHECK(geometry_of(scan)->views == VIEWS && geometry_of(scan)->sdd == 150);
    ct_scan_free(scan);
    unlink(scratch_path("four/photo0001.png"));
  }
  char **scans;
  size_t count;
  put_string(scratch_path("four/more.json"), "{\"files\": \"a.mha\", \"sod_mm\": 50, \"sdd_mm\": 70}");
  CHECK(ct_folder_list_scans(scratch_path("four"), &scans, &count, &error));
  CHECK(count == 2 && !strcmp(ct_path_name(scans[0]), "more.json") && !strcmp(ct_path_name(scans[1]), "p.mha"));
  for (size_t i = 0; i < count; i++) ct_free(scans[i]);
  ct_free(scans);
}

/* Geometry of either of two stacks is asked about where the folder or the geometry is opened, and a warning where a
 * stack is; one that has the name of the other stack is not taken; of several the most alike is. */
static void test_several_stacks(void) {
  ct_error *error = NULL;
  char text[4096];
  put_npy("two/wet.npy", VIEWS);
  put_npy("two/dry.npy", VIEWS);
  put_string(scratch_path("two/setup.xml"), rtk_of(text, sizeof text, DISTANCES, VIEWS));
  CHECK_FAILS(ct_scan_open(scratch_path("two"), NULL, &error), CT_ERROR_DATA, "dry.npy and wet.npy");
  CHECK_FAILS(ct_scan_open(scratch_path("two/setup.xml"), NULL, &error), CT_ERROR_DATA, "several");
  ct_scan *scan = ct_scan_open(scratch_path("two/wet.npy"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->sod == 100 && has_remark(scan, CT_REMARK_DOUBT, "fits other projections"));
  ct_scan_free(scan);
  put_string(scratch_path("two/dry.xml"), rtk_of(text, sizeof text, "", VIEWS));
  unlink(scratch_path("two/setup.xml"));
  scan = ct_scan_open(scratch_path("two/wet.npy"), "{\"beam\": \"parallel\"}", &error);
  CHECK_OK(scan);
  CHECK(!(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES) && has_remark(scan, CT_REMARK_IGNORED, "left to dry.npy"));
  ct_scan_free(scan);
  /* Two geometries: that of the stack's name, else the first with a warning. */
  unlink(scratch_path("two/wet.npy"));
  put_string(scratch_path("two/setup.xml"), rtk_of(text, sizeof text, DISTANCES, VIEWS));
  scan = ct_scan_open(scratch_path("two"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_PARALLEL && has_remark(scan, CT_REMARK_IGNORED, "dry.xml is taken"));
  CHECK(!has_remark(scan, CT_REMARK_DOUBT, "other geometry"));
  ct_scan_free(scan);
  rename(scratch_path("two/dry.xml"), scratch_path("two/again.xml"));
  scan = ct_scan_open(scratch_path("two"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_PARALLEL && has_remark(scan, CT_REMARK_DOUBT, "other geometry"));
  ct_scan_free(scan);
  /* One that fits nothing, and a description in its place. */
  put_string(scratch_path("two/again.xml"), rtk_of(text, sizeof text, "", 5));
  unlink(scratch_path("two/setup.xml"));
  CHECK_FAILS(ct_scan_open(scratch_path("two"), NULL, &error), CT_ERROR_DATA, "5 projections");
  unlink(scratch_path("two/again.xml"));
  CHECK_FAILS(ct_scan_open(scratch_path("two"), NULL, &error), CT_ERROR_FORMAT, "dry.npy");
  put_string(scratch_path("two/scan.json"), "{\"sod_mm\": 50, \"sdd_mm\": 70}");
  for (int i = 0; i < 2; i++) {
    scan = ct_scan_open(scratch_path(i ? "two/scan.json" : "two"), NULL, &error);
    CHECK_OK(scan);
    CHECK(geometry_of(scan)->sod == 50);
    ct_scan_free(scan);
  }
}

/* Rows of a circular scan: cone_vec and parallel3d_vec, or fanflat_vec and parallel_vec. */
static void put_vectors(const char *name, bool exact, bool parallel, bool flat, double pitch) {
  FILE *file = fopen(scratch_path(name), "w");
  fputs("# source, detector, u, v\n", file);
  for (int view = 0; view < VIEWS; view++) {
    const double t = 15 * view * degree, c = cos(t), s = sin(t), sod = parallel ? 1 : 100, odd = parallel ? 0 : 100;
    const double row[12] = {sod * s, -sod * c, 0, -odd * s, odd * c, 0, pitch * c, pitch * s, 0, 0, 0, pitch};
    for (int i = 0; i < 12; i++) {
      if (flat && (i % 3 == 2 || i > 8)) continue;
      fprintf(file, exact ? "%.18e%c" : "%.9g,%c", row[i], i == 11 || (flat && i == 7) ? '\n' : ' ');
    }
  }
  if (fclose(file) != 0) abort();
}

static bool is_same(const ct_geometry *a, const ct_geometry *b) {
  return a->beam == b->beam && a->du == b->du && a->dv == b->dv && a->sod == b->sod && a->sdd == b->sdd &&
         a->centre_u == b->centre_u && a->centre_v == b->centre_v && a->tilt == b->tilt && a->views == b->views &&
         memcmp(a->angles, b->angles, (size_t)a->views * sizeof *a->angles) == 0;
}

/* The vectors of a named beam are that beam, to the last bit. */
static void test_astra_named(void) {
  static const struct {
    const char *file;
    bool exact;
    const char *beam;
    bool parallel, flat;
  } cases[] = {
      {"vec/cone_vec.txt", false, "\"beam\": \"cone\", \"sod_mm\": 100, \"sdd_mm\": 200", false, false},
      {"vec/cone_vec.txt", true, "\"beam\": \"cone\", \"sod_mm\": 100, \"sdd_mm\": 200", false, false},
      {"vec/parallel3d_vec.txt", false, "\"beam\": \"parallel\"", true, false},
      {"vec/geometry_vec.csv", false, "\"beam\": \"parallel\"", true, false},
      {"vec/fanflat_vec.dat", false, "\"beam\": \"fan\", \"sod_mm\": 100, \"sdd_mm\": 200", false, true},
      {"vec/parallel_vec.txt", true, "\"beam\": \"parallel\"", true, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ct_error *error = NULL;
    char text[512], header[256];
    snprintf(header, sizeof header,
             "ObjectType = Image\nNDims = 3\nDimSize = %d %d %d\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n",
             NU, cases[i].flat ? 1 : NV, VIEWS);
    FILE *file = fopen(scratch_path("vec/p.mha"), "wb");
    fputs(header, file);
    for (int k = 0; k < NU * NV * VIEWS; k++) fputc(k % 100, file);
    if (fclose(file) != 0) abort();
    put_vectors(cases[i].file, cases[i].exact, cases[i].parallel, cases[i].flat, 0.4);
    ct_scan *scan = ct_scan_open(scratch_path(cases[i].file), NULL, &error);
    CHECK_OK(scan);
    snprintf(text, sizeof text,
             "{\"geometry\": false, %s, \"pixel_mm\": 0.4, \"angles_deg\": {\"first\": 0, \"step\": 15}}",
             cases[i].beam);
    ct_scan *named = ct_scan_open(scratch_path("vec/p.mha"), text, &error);
    CHECK_OK(named);
    if (!is_same(geometry_of(scan), geometry_of(named))) CT_TEST_END(1, "case %zu is not the named beam", i);
    CHECK(ct_scan_get_facts(scan)->known & CT_KNOWN_PITCH && ct_scan_get_facts(scan)->known & CT_KNOWN_CENTRE);
    ct_scan_free(scan);
    ct_scan_free(named);
    unlink(scratch_path(cases[i].file));
  }
}

/* The same numbers in an array of NumPy's: to the last bit what the text says; damaged ones are refused. */
static void test_astra_npy(void) {
  ct_error *error = NULL;
  char head[128];
  double rows[VIEWS][12];
  put_stack("npy/p.mha", "", VIEWS);
  put_vectors("npy/text/cone_vec.txt", true, false, false, 0.4);
  double *numbers;
  size_t count;
  CHECK_OK(ct_read_numbers(scratch_path("npy/text/cone_vec.txt"), &numbers, &count, &error));
  CHECK(count == sizeof rows / sizeof **rows);
  memcpy(rows, numbers, sizeof rows);
  ct_free(numbers);
  memset(head, ' ', sizeof head);
  memcpy(head, "\x93NUMPY\1\0\x76\0", 10);
  const int length = snprintf(head + 10, 100, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 12), }", VIEWS);
  head[10 + length] = ' ';
  head[127] = '\n';
  unsigned char bytes[sizeof head + sizeof rows];
  memcpy(bytes, head, sizeof head);
  memcpy(bytes + sizeof head, rows, sizeof rows);
  put_bytes(scratch_path("npy/cone_vec.npy"), bytes, sizeof bytes);
  ct_scan *scan = ct_scan_open(scratch_path("npy/cone_vec.npy"), NULL, &error);
  CHECK_OK(scan);
  ct_scan *named = ct_scan_open(scratch_path("npy/p.mha"),
                                "{\"geometry\": false, \"beam\": \"cone\", \"sod_mm\": 100, \"sdd_mm\": 200, "
                                "\"pixel_mm\": 0.4, \"angles_deg\": {\"first\": 0, \"step\": 15}}",
                                &error);
  CHECK_OK(named);
  CHECK(is_same(geometry_of(scan), geometry_of(named)));
  ct_scan_free(scan);
  ct_scan_free(named);
  for (size_t cut = 0; cut < sizeof bytes; cut += 61) {
    put_bytes(scratch_path("npy/cone_vec.npy"), bytes, cut);
    scan = ct_scan_open(scratch_path("npy/cone_vec.npy"), NULL, &error);
    CHECK(!scan && error);
    ct_error_clear(&error);
  }
  memcpy(bytes + 10, "{'no descr", 10);
  put_bytes(scratch_path("npy/cone_vec.npy"), bytes, sizeof bytes);
  CHECK_FAILS(ct_scan_open(scratch_path("npy/cone_vec.npy"), NULL, &error), CT_ERROR_UNSUPPORTED, "float64");
  memcpy(bytes + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 12), }", 80);
  put_bytes(scratch_path("npy/cone_vec.npy"), bytes, sizeof bytes);
  CHECK_FAILS(ct_scan_open(scratch_path("npy/cone_vec.npy"), NULL, &error), CT_ERROR_DATA, "two dimensions");
}

/* A detector that is moved and turned: pixels of the pictures, whose first row is the top, see what the vectors say. */
static void test_astra_free(void) {
  ct_error *error = NULL;
  put_images("free/p_", 6);
  FILE *file = fopen(scratch_path("free/p_cone_vec.txt"), "w");
  double rows[6][12];
  for (int view = 0; view < 6; view++) {
    const double t = view, c = cos(t), s = sin(t);
    const double row[12] = {80 * s,  -80 * c, 2 * view, -90 * s + 3 * c,   90 * c + 3 * s, 5 - view,
                            0.5 * c, 0.5 * s, 0.05,     0.01 * (view - 3), 0.02,           0.6};
    memcpy(rows[view], row, sizeof row);
    for (int i = 0; i < 12; i++) fprintf(file, "%.17g ", row[i]);
    fputc('\n', file);
  }
  if (fclose(file) != 0) abort();
  ct_scan *scan = ct_scan_open(scratch_path("free"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_FREE);
  for (int view = 0; view < 6; view++) {
    const double *r = rows[view], column = 20, stored = 1; /* of the picture */
    double place[3], world[3], m[12], u, v, w;
    for (int k = 0; k < 3; k++) {
      place[k] = r[3 + k] + (column - 0.5 * (NU - 1)) * r[6 + k] + (stored - 0.5 * (NV - 1)) * r[9 + k];
      world[k] = r[k] + 0.4 * (place[k] - r[k]);
    }
    world[2] = -world[2]; /* the picture stands upright, and the world with it */
    ct_geometry_matrix(geometry_of(scan), view, m);
    ct_project(m, world, &u, &v, &w);
    CHECK_NEAR(u, column, 1e-9);
    CHECK_NEAR(v, NV - 1 - stored, 1e-9);
  }
  ct_scan_free(scan);
}

static const ct_test tests[] = {
    {"RTK: nine parameters a view", test_rtk_parameters},
    {"RTK: named beams", test_rtk_plain},
    {"ASTRA: named beams", test_astra_named},
    {"ASTRA: arrays of NumPy", test_astra_npy},
    {"ASTRA: free positions", test_astra_free},
    {"pairs find each other", test_pairs},
    {"a folder with one stack", test_folder_of_a_stack},
    {"what a description tells of a folder's stack", test_described_stack},
    {"the stack of exactly as many views", test_exact_stack},
    {"several stacks or geometries", test_several_stacks},
};

IO_TEST_MAIN(tests)
