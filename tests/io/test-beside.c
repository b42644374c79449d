/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry in files beside the images: what each kind tells, that it is found from the folder, an image and the file
 * itself, and that damaged or hostile files are an error where they are opened and a warning where they are found. */
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "tests/io/beside.h"

#define NIKON                                                                                                          \
  "[XTekCT]\r\nName=A\r\nSrcToObject=100\r\nSrcToDetector=200\r\nDetectorPixelsX=32\r\nDetectorPixelSizeX=0.5\r\n"     \
  "DetectorPixelsY=4\r\nDetectorPixelSizeY=0.25\r\nProjections=24\r\nInitialAngle=10\r\nAngularStep=15\r\n"            \
  "WhiteLevel=60000\r\nInputFolderName=\r\n"

/* The folder, an image, and the file itself lead to the same scan. */
static void test_found(void) {
  ct_error *error = NULL;
  static const char *const paths[] = {"found", "found/A_0007.png", "found/A_####.png", "found/A.xtekct"};
  put_images("found/A_", VIEWS);
  put_string(scratch_path("found/A.xtekct"), NIKON "ObjectOffsetX=1\r\n[Xrays]\r\nXraykV=100\r\n");
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    CHECK(ct_path_content(scratch_path(paths[i]), NULL) == CT_CONTENT_SCAN);
    ct_scan *scan = ct_scan_open(scratch_path(paths[i]), NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    const ct_geometry *g = geometry_of(scan);
    CHECK(g->beam == CT_BEAM_CONE && g->views == VIEWS && g->sod == 100 && g->sdd == 200);
    CHECK(g->du == 0.5 && g->dv == 0.25);
    CHECK_NEAR(g->centre_u, 15.5 + 2 / 0.5, 1e-12); /* 1 mm at the object is 2 mm at the detector */
    CHECK_NEAR(g->centre_v, 1.5, 1e-12);
    CHECK_NEAR(g->angles[0], 10 * degree, 1e-12);
    CHECK_NEAR(g->angles[5], 85 * degree, 1e-12);
    CHECK(facts->white_level == 60000 && facts->values == CT_VALUES_COUNTS);
    CHECK(has_remark(scan, CT_REMARK_READ, "source to axis 100 mm") &&
          has_remark(scan, CT_REMARK_ASSUMED, "counter-clockwise") && has_remark(scan, CT_REMARK_ASSUMED, "offset"));
    CHECK(!facts->note && !ct_remarks_count(facts->remarks, CT_REMARK_DOUBT));
    ct_scan_free(scan);
    CHECK(ct_scan_is_destroyed(scratch_path(paths[i]), NULL, scratch_path("found/A.xtekct")));
    CHECK(ct_scan_is_destroyed(scratch_path(paths[i]), NULL, scratch_path("found/A_0003.png")));
  }
  put_string(scratch_path("found/other.txt"), "x");
  CHECK(!ct_scan_is_destroyed(scratch_path("found"), NULL, scratch_path("found/other.txt")));
}

/* A description's values come before those of a scanner's file, which it can name or switch off. */
static void test_described(void) {
  ct_error *error = NULL;
  put_images("told/A_", VIEWS);
  put_string(scratch_path("told/settings/B.xtekct"), NIKON);
  put_string(scratch_path("told/A.xtekct"), NIKON);
  ct_scan *scan = ct_scan_open(scratch_path("told"), "{\"sod_mm\": 50, \"sdd_mm\": 150}", &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->sod == 50 && geometry_of(scan)->du == 0.5);
  ct_scan_free(scan);
  scan = ct_scan_open(scratch_path("told"), "{\"geometry\": false}", &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_PARALLEL && !(ct_scan_get_facts(scan)->known & CT_KNOWN_ANGLES));
  ct_scan_free(scan);
  unlink(scratch_path("told/A.xtekct"));
  scan = ct_scan_open(scratch_path("told"), "{\"geometry\": \"settings/B.xtekct\"}", &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_CONE && geometry_of(scan)->sod == 100);
  ct_scan_free(scan);
  put_string(scratch_path("told/scan.json"), "{\"geometry\": \"settings/B.xtekct\"}");
  CHECK(ct_scan_is_destroyed(scratch_path("told"), NULL, scratch_path("told/settings/B.xtekct")));
  CHECK_FAILS(ct_scan_open(scratch_path("told"), "{\"geometry\": 3}", &error), CT_ERROR_FORMAT, "geometry");
  CHECK_FAILS(ct_scan_open(scratch_path("told"), "{\"geometry\": \"gone.xtekct\"}", &error), CT_ERROR_IO, "gone");
}

/* Where in a view the axis is seen, at its crossing of the central plane and above. */
static void axis_pixel(const ct_geometry *g, int view, double z, double *u, double *v) {
  double m[12], w;
  ct_geometry_matrix(g, view, m);
  ct_project(m, (const double[]){0, 0, z}, u, v, &w);
}

static void test_nikon_axis(void) {
  ct_error *error = NULL;
  double u, v, high;
  put_images("axis/A_", VIEWS);
  /* Older files: mm at the detector, top and bottom of its 4 rows of 0.25 mm. */
  put_string(scratch_path("axis/A.xtekct"), NIKON "CentreOfRotationTop=3\nCentreOfRotationBottom=1\n");
  ct_scan *scan = ct_scan_open(scratch_path("axis"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(geometry_of(scan)->centre_u, 15.5 + 2 / 0.5, 1e-12);
  CHECK_NEAR(geometry_of(scan)->tilt, atan2(2, 1), 1e-12);
  ct_scan_free(scan);
  /* A roll leans the upper end to lower columns. */
  put_string(scratch_path("axis/A.xtekct"), NIKON "ObjectOffsetX=0\nObjectRoll=2\n");
  scan = ct_scan_open(scratch_path("axis"), NULL, &error);
  CHECK_OK(scan);
  axis_pixel(geometry_of(scan), 3, 1, &u, &v);
  CHECK_NEAR((u - 15.5) * 0.5, -2 * sin(2 * degree), 1e-9);
  ct_scan_free(scan);
  /* A tilt leans it towards the detector, where it is seen smaller, and keeps it in one column. */
  put_string(scratch_path("axis/A.xtekct"), NIKON "ObjectOffsetX=1\nObjectTilt=5\n");
  scan = ct_scan_open(scratch_path("axis"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_FREE);
  for (int view = 0; view < VIEWS; view += 5) {
    axis_pixel(geometry_of(scan), view, 0, &u, &v);
    CHECK_NEAR(u, 15.5 + 2 / 0.5, 1e-9);
    CHECK_NEAR(v, 1.5, 1e-9);
    axis_pixel(geometry_of(scan), view, 10, &u, &high);
    const double forward = 10 * sin(5 * degree), up = 10 * cos(5 * degree);
    CHECK_NEAR((high - v) * 0.25, up * 200 / (100 + forward), 1e-9);
  }
  ct_scan_free(scan);
  /* The detector is moved towards higher columns and up, on which the axis is seen lower; with a tilt as without one.
   */
  for (int tilt = 0; tilt < 2; tilt++) {
    put_string(scratch_path("axis/A.xtekct"),
               tilt ? NIKON "ObjectOffsetX=1\nObjectTilt=5\nDetectorOffsetX=1.5\nDetectorOffsetY=0.5\n"
                    : NIKON "ObjectOffsetX=1\nDetectorOffsetX=1.5\nDetectorOffsetY=0.5\n");
    scan = ct_scan_open(scratch_path("axis"), NULL, &error);
    CHECK_OK(scan);
    axis_pixel(geometry_of(scan), 5, 0, &u, &v);
    CHECK_NEAR(u, 15.5 + (2 - 1.5) / 0.5, 1e-9);
    CHECK_NEAR(v, 1.5 - 0.5 / 0.25, 1e-9);
    CHECK(has_remark(scan, CT_REMARK_ASSUMED, "DetectorOffsetX 1.5"));
    ct_scan_free(scan);
  }
  put_string(scratch_path("axis/A.xtekct"), NIKON "DetectorOffsetX=1.5\n");
  scan = ct_scan_open(scratch_path("axis"), NULL, &error);
  CHECK_OK(scan);
  CHECK(has_remark(scan, CT_REMARK_IGNORED, "DetectorOffsetX 1.5"));
  CHECK(!(ct_scan_get_facts(scan)->known & CT_KNOWN_CENTRE));
  ct_scan_free(scan);
}

static void test_nikon_angles(void) {
  ct_error *error = NULL;
  char text[1024] = "Projection\tAngle(deg)\r\n";
  for (int i = 0; i < VIEWS; i++) sprintf(text + strlen(text), "%d:\t%.3f\r\n", i + 1, 10 + 15 * i + 0.25 * (i % 2));
  put_images("ang/A_", VIEWS);
  put_string(scratch_path("ang/A.xtekct"), NIKON);
  put_string(scratch_path("ang/A.ang"), text);
  ct_scan *scan = ct_scan_open(scratch_path("ang"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(geometry_of(scan)->angles[3], 55.25 * degree, 1e-12);
  ct_scan_free(scan);
  /* Angles of something else. */
  put_string(scratch_path("ang/A.ang"), "Projection\tAngle(deg)\r\n1:\t0\r\n2:\t0.1\r\n");
  scan = ct_scan_open(scratch_path("ang"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(geometry_of(scan)->angles[3], 55 * degree, 1e-12);
  CHECK(has_remark(scan, CT_REMARK_IGNORED, "2 angles for 24"));
  ct_scan_free(scan);
  unlink(scratch_path("ang/A.ang"));
  char table[1024] = "Projections\n24 1\nProj Angle(deg) Time(s)\n";
  for (int i = 0; i < VIEWS; i++) sprintf(table + strlen(table), "%d\t%.3f\t%.1f\n", i + 1, 10 + 16.5 * i, 0.1 * i);
  put_string(scratch_path("ang/_ctdata.txt"), table);
  scan = ct_scan_open(scratch_path("ang"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(geometry_of(scan)->angles[3], 55 * degree, 1e-12);
  CHECK(has_remark(scan, CT_REMARK_DOUBT, "leave those of InitialAngle"));
  ct_scan_free(scan);
}

/* One image is missing: angles belong to the numbers. */
static void test_gap(void) {
  ct_error *error = NULL;
  put_images("gap/A_", VIEWS);
  put_string(scratch_path("gap/A.xtekct"), NIKON);
  unlink(scratch_path("gap/A_0006.png"));
  ct_scan *scan = ct_scan_open(scratch_path("gap"), NULL, &error);
  CHECK_OK(scan);
  CHECK_NEAR(geometry_of(scan)->angles[4], 70 * degree, 1e-12);
  CHECK_NEAR(geometry_of(scan)->angles[5], 100 * degree, 1e-12);
  CHECK(has_remark(scan, CT_REMARK_DOUBT, "A_0005.png is followed by A_0007.png"));
  ct_scan_free(scan);
  scan =
      ct_scan_open(scratch_path("gap"), "{\"geometry\": false, \"angles_deg\": {\"first\": 1, \"step\": 2}}", &error);
  CHECK_OK(scan);
  CHECK_NEAR(geometry_of(scan)->angles[5], 13 * degree, 1e-12);
  ct_scan_free(scan);
}

#define SKYSCAN                                                                                                        \
  "[System]\r\nScanner=SkyScan0000\r\nCamera Pixel Size (um)=1000\r\n[Acquisition]\r\nFilename Prefix=s_\r\n"          \
  "Number of Files=24\r\nNumber of Rows=4\r\nNumber of Columns=32\r\nImage Pixel Size (um)=500\r\n"                    \
  "Optical Axis (line)=1\r\nDepth (bits)=16\r\n"

static void test_skyscan(void) {
  ct_error *error = NULL;
  put_images("sky/s_", VIEWS);
  put_images("sky/s__spr", 1);
  put_string(scratch_path("sky/s_.log"), SKYSCAN "Object to Source (mm)=100\r\nCamera to Source (mm)=200\r\n"
                                                 "Rotation Step (deg)=15\r\nRotation Direction=CW\r\n");
  ct_scan *scan = ct_scan_open(scratch_path("sky"), NULL, &error);
  CHECK_OK(scan);
  const ct_geometry *g = geometry_of(scan);
  CHECK(g->beam == CT_BEAM_CONE && g->views == VIEWS && g->sod == 100 && g->sdd == 200 && g->centre_v == 1);
  CHECK_NEAR(g->du, 1, 1e-12);
  CHECK_NEAR(g->angles[2], -30 * degree, 1e-12);
  CHECK(has_remark(scan, CT_REMARK_IGNORED, "s__spr0001.png"));
  ct_scan_free(scan);
  /* A source so far that its rays are parallel; the arc without a step. */
  put_string(scratch_path("sky/s_.log"), SKYSCAN "Object to Source (mm)=1000000\r\nUse 360 Rotation=NO\r\n");
  scan = ct_scan_open(scratch_path("sky"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_PARALLEL && geometry_of(scan)->du == 0.5);
  CHECK_NEAR(geometry_of(scan)->angles[2], 15 * degree, 1e-12);
  ct_scan_free(scan);
  put_string(scratch_path("sky/s_.log"), SKYSCAN "Object to Source (mm)=100\r\nScanning Trajectory=SPIRAL\r\n");
  CHECK_FAILS(ct_scan_open(scratch_path("sky/s_.log"), NULL, &error), CT_ERROR_UNSUPPORTED, "circle");
}

#define PHOENIX                                                                                                        \
  "[General]\nVersion=2\n[Geometry]\nFDD=200\nFOD=100\nMagnification=2\nVoxelSizeX=0.5\nVoxelSizeY=0.25\n"             \
  "[CT]\nNumberImages=24\nRotationSector=180\n[Image]\nDimX=32\nDimY=4\n"

static void test_phoenix(void) {
  ct_error *error = NULL;
  put_images("ge/g_", VIEWS);
  put_string(scratch_path("ge/g.pca"), PHOENIX);
  ct_scan *scan = ct_scan_open(scratch_path("ge/g.pca"), NULL, &error);
  CHECK_OK(scan);
  const ct_geometry *g = geometry_of(scan);
  CHECK(g->beam == CT_BEAM_CONE && g->sod == 100 && g->sdd == 200 && g->du == 1 && g->dv == 0.5);
  CHECK_NEAR(g->angles[2], 15 * degree, 1e-12);
  CHECK(!(ct_scan_get_facts(scan)->known & CT_KNOWN_CENTRE));
  ct_scan_free(scan);
  /* The axis stands beside the middle, on which side no public source tells. */
  put_string(scratch_path("ge/g.pca"), PHOENIX "CalibValue=-1.5\ncx=15.5\n");
  scan = ct_scan_open(scratch_path("ge"), NULL, &error);
  CHECK_OK(scan);
  CHECK(!(ct_scan_get_facts(scan)->known & CT_KNOWN_CENTRE) && has_remark(scan, CT_REMARK_IGNORED, "CalibValue -1.5"));
  ct_scan_free(scan);
}

#define YXLON                                                                                                          \
  "<?xml "                                                                                                             \
  "version=\"1.0\"?>\n<Scan "                                                                                          \
  "xmlns:x=\"urn:x\"><ConeBeamScanParameter><PixelSize><Height>0.2</Height><Width>0.4</Width></PixelSize>"             \
  "<ProjectionSize><Height>4</Height><Width>32</Width></ProjectionSize><DetectorFlipDirections>Horizontal</"           \
  "DetectorFlipDirections><ScanTrajectory x:type=\"CircleTrajectory\"><PixelPitch>0.5</PixelPitch>"                    \
  "<Fdd>400</Fdd><Fod>200</Fod><YoCenter>3</YoCenter><NumberOfProjections>24</NumberOfProjections>"                    \
  "<StartAngle>5</StartAngle><Rotation>360</Rotation></ScanTrajectory></ConeBeamScanParameter></Scan>\n"
#define DIONDO(more)                                                                                                   \
  "<?xml version=\"1.0\"?>\n<Parameter><ScanParameter><HelixMode>false</HelixMode></ScanParameter><Geometrie>"         \
  "<SourceDetectorDist>200</SourceDetectorDist><SourceObjectDist>100</SourceObjectDist></Geometrie><Recon>"            \
  "<ProjectionDimX>32</ProjectionDimX><ProjectionDimY>4</ProjectionDimY><ProjectionPixelSizeX>0.4</"                   \
  "ProjectionPixelSizeX>"                                                                                              \
  "<ProjectionPixelSizeY>0.2</ProjectionPixelSizeY><ProjectionCount>24</ProjectionCount>" more                         \
  "<ProjectionCenterOffsetX>0.5</ProjectionCenterOffsetX></Recon></Parameter>\n"

/* Three forms of one scan, and part of a turn, each in the folder about that of the projections. */
static void test_yxlon_and_diondo(void) {
  static const struct {
    const char *name, *text, *ignored;
    double first, step;
  } cases[] = {
      {"ScanParameter.xml", YXLON, "YoCenter", 5, 15},
      {"run.txt",
       "32\tNumber of Detector Elements \r\n0.2\t2D-Pixel Size [mm]\r\n2\tPixelbinning\r\n100\tFOD [mm]\r\n"
       "200\tFDD [mm]\r\n0.3\tCenter Offset [mm]\r\n24\tCT: Number of Projections\r\n",
       "Center Offset", 0, 15},
      {"settings.xml", DIONDO(""), "ProjectionCenterOffsetX", 0, 15},
      {"settings.xml", DIONDO("<ProjectionCountPer360deg>36</ProjectionCountPer360deg>"), "ProjectionCenterOffsetX", 0,
       10},
  };
  put_images("yx/Projections/p_", VIEWS);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[64];
    snprintf(path, sizeof path, "yx/%s", cases[i].name);
    put_string(scratch_path(path), cases[i].text);
    for (int k = 0; k < 2; k++) {
      ct_error *error = NULL;
      ct_scan *scan = ct_scan_open(scratch_path(k ? path : "yx"), NULL, &error);
      CHECK_OK(scan);
      const ct_geometry *g = geometry_of(scan);
      CHECK(g->beam == CT_BEAM_CONE && g->sod == 100 && g->sdd == 200 && g->views == VIEWS);
      CHECK_NEAR(g->du, 0.4, 1e-12);
      CHECK_NEAR(g->angles[2], (cases[i].first + 2 * cases[i].step) * degree, 1e-12);
      CHECK(has_remark(scan, CT_REMARK_IGNORED, cases[i].ignored));
      CHECK(has_remark(scan, CT_REMARK_DOUBT, "DetectorFlipDirections \"Horizontal\"") == (i == 0));
      ct_scan_free(scan);
    }
    unlink(scratch_path(path));
  }
}

#define TIGRE_BEGIN "{\"DSD\": 1500, \"DSO\": 1000, \"nDetector\": [4, 32], \"dDetector\": [0.75, 0.5], "

/* TIGRE's source starts on the x axis; its pairs are [v, u]. */
static void test_tigre(void) {
  ct_error *error = NULL;
  char text[2048];
  int n = snprintf(text, sizeof text,
                   TIGRE_BEGIN "\"offDetector\": [0.6, -2], \"COR\": 0.4, \"rotDetector\": [0.02, 0.1, 0], "
                               "\"mode\": \"cone\", \"angles\": [");
  for (int i = 0; i < VIEWS; i++) n += snprintf(text + n, sizeof text - (size_t)n, "%s%.17g", i ? ", " : "", 0.2 * i);
  snprintf(text + n, sizeof text - (size_t)n, "]}");
  put_images("tigre/p_", VIEWS);
  put_string(scratch_path("tigre/geo.json"), text);
  for (int k = 0; k < 2; k++) {
    ct_scan *scan = ct_scan_open(scratch_path(k ? "tigre/geo.json" : "tigre"), NULL, &error);
    CHECK_OK(scan);
    const ct_geometry *g = geometry_of(scan);
    CHECK(g->beam == CT_BEAM_CONE && g->du == 0.5 && g->dv == 0.75);
    for (int view = 0; view < VIEWS; view += 5) {
      double source[3], direction[3];
      CHECK(ct_geometry_ray(g, view, 3, 2, source, direction));
      CHECK_NEAR(source[0], 1000 * cos(0.2 * view), 1e-9);
      CHECK_NEAR(source[1], 1000 * sin(0.2 * view), 1e-9);
    }
    /* From (1000, 0.4, 0) through the origin onto the detector 500 mm behind it, whose middle is at (0.4 - 2, 0.6). */
    CHECK_NEAR(g->centre_u, 15.5 + ((0.4 - 0.4 * 1.5) - (0.4 - 2)) / 0.5, 1e-12);
    CHECK_NEAR(g->centre_v, 1.5 + (0 - 0.6) / 0.75, 1e-12);
    CHECK_NEAR(g->tilt, 0.02, 1e-12);
    CHECK(has_remark(scan, CT_REMARK_DOUBT, "pitch and yaw") && has_remark(scan, CT_REMARK_ASSUMED, "[v, u]"));
    ct_scan_free(scan);
  }
  put_string(scratch_path("tigre/geo.json"), TIGRE_BEGIN "\"mode\": \"parallel\"}");
  ct_scan *scan = ct_scan_open(scratch_path("tigre"), NULL, &error);
  CHECK_OK(scan);
  CHECK(geometry_of(scan)->beam == CT_BEAM_PARALLEL && geometry_of(scan)->centre_u == 15.5);
  ct_scan_free(scan);
}

static const struct {
  const char *name, *text, *words;
} broken[] = {
    {"A.json", "{\"DSD\": 10, \"DSO\": 20}", "must be larger"},
    {"A.json", "{\"DSD\": 10, \"DSO\": 5, \"nDetector\": [1, 2, 3]}", "nDetector"},
    {"A.json", "{\"DSD\": 10, \"DSO\": 5, \"angles\": [0, \"a\", 1]}", "angles"},
    {"A.json", "{\"DSD\": 10, \"DSO\": 5, \"angles\": [[0, 0, 0], [0, 1, 0], [0, 0, 0]]}", "leaves its circle"},
    {"A.json", "{\"DSD\": 10, \"DSO\": 5, \"offDetector\": [[0, 0], [0, 1]]}", "offDetector for each view"},
    {"A.xtekct", "[XTekCT]\nSrcToObject=100\n", "SrcToDetector"},
    {"A.xtekct", "[XTekCT]\nSrcToObject=100\nSrcToDetector=50\n", "farther"},
    {"A.xtekct", "[XTekCT]\nSrcToObject=nan\nSrcToDetector=50\n", "SrcToObject must be a number"},
    {"A.xtekct", "[XTekCT]\nSrcToObject=-1\nSrcToDetector=50\n", "SrcToObject must be greater"},
    {"A.xtekct", NIKON "Projections=1e30\nObjectOffsetX=inf\n", "ObjectOffsetX"},
    {"A.xtekct", "[XTekCT]\nSrcToObject=1\nSrcToDetector=2\nProjections=1e9\n", "Projections"},
    {"A.log", "[System]\nScanner=SkyScan\n[Acquisition]\nNumber of Files=24\n", "Object to Source"},
    {"A.log", SKYSCAN "Object to Source (mm)=100\nCamera to Source (mm)=90\n", "farther"},
    {"A.log", SKYSCAN "Object to Source (mm)=1e400\n", "Object to Source"},
    {"A_rec.log", SKYSCAN "Object to Source (mm)=100\n", "reconstructed slices"},
    {"A.pca", "[Geometry]\nFDD=10\n", "FOD"},
    {"A.pca", "[Geometry]\nFDD=10\nFOD=20\n", "farther"},
    {"A.xml", "<a><ConeBeamScanParameter><Fdd>5</Fdd></ConeBeamScanParameter></a>", "FOD and FDD"},
    {"A.xml", "<a><ConeBeamScanParameter><Fdd>5</Fd", "cut off"},
    {"A.xml",
     "<a xmlns:x=\"urn:x\"><ConeBeamScanParameter><ScanTrajectory x:type=\"HelixTrajectory\"/></ConeBeamScanParameter>"
     "</a>",
     "HelixTrajectory"},
    {"A.xml", "<a><Geometrie><SourceObjectDist>9</SourceObjectDist></Geometrie></a>", "SourceDetectorDist"},
    {"A.xml", "<!DOCTYPE a [<!ENTITY b \"c\">]><a><Geometrie>&b;</Geometrie></a>", "declarations"},
    {"A.xml", "<a><Geometrie><HelixMode>true</HelixMode></Geometrie></a>", "helix"},
    {"A.txt", "x\tFOD [mm]\n9\tFDD [mm]\n", "FOD and FDD"},
    {"A_vec.txt", "1 2 3 4 5 6 7 8 9 10 11 12\n1 2 3\n", "twelve"},
    {"A_vec.txt", "0 0 0 0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0 0 0 0 0\n", "no projection"},
    {"A_vec.txt", "1 2 3 4 5 nan 7 8 9 10 11 12\n", "finite"},
    {"A.xml", RTK_BEGIN "<Projection><GantryAngle>0</GantryAngle>", "cut off"},
    {"A.xml", RTK_BEGIN RTK_END, "no projections"},
    {"A.xml", RTK_BEGIN "<Projection><GantryAngle>x</GantryAngle></Projection>" RTK_END, "number"},
    {"A.xml", RTK_BEGIN "<Projection><GantryAngle>nan</GantryAngle></Projection>" RTK_END, "number"},
    {"A.xml", RTK_BEGIN DISTANCES "<Projection><Matrix>1 2 3</Matrix></Projection>" RTK_END, "12 numbers"},
    {"A.xml", RTK_BEGIN DISTANCES "<Projection><Matrix>1 0 0 0 0 1 0 0 0 0 1 -100</Matrix></Projection>" RTK_END,
     "does not follow"},
    {"A.xml",
     RTK_BEGIN DISTANCES "<RadiusCylindricalDetector>9</RadiusCylindricalDetector><Projection></Projection>" RTK_END,
     "curved"},
    {"A.xml", RTK_BEGIN "<SourceToDetectorDistance>10</SourceToDetectorDistance><Projection></Projection>" RTK_END,
     "farther"},
    {"A.xml",
     "<?xml version=\"1.0\"?>\n<!DOCTYPE RTKGEOMETRY [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n"
     "<RTKThreeDCircularGeometry version=\"3\">&b;</RTKThreeDCircularGeometry>",
     "declarations"},
    {"A.xml", "<?xml version=\"1.0\"?>\n<RTKThreeDCircularGeometry version=\"9\"></RTKThreeDCircularGeometry>",
     "versions 2 and 3"},
};

static void test_broken(void) {
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    ct_error *error = NULL;
    char folder[32], name[64];
    snprintf(folder, sizeof folder, "broken%zu", i);
    snprintf(name, sizeof name, "%s/A_", folder);
    put_images(name, 3);
    snprintf(name, sizeof name, "%s/%s", folder, broken[i].name);
    put_string(scratch_path(name), broken[i].text);
    ct_scan *scan = ct_scan_open(scratch_path(name), NULL, &error);
    if (scan || !error || !strstr(error->message, broken[i].words) || !strstr(error->message, broken[i].name))
      CT_TEST_END(1, "case %zu, opened: %.200s", i, error ? error->message : "no error");
    ct_error_clear(&error);
    scan = ct_scan_open(scratch_path(folder), NULL, &error);
    CHECK_OK(scan);
    if (!has_remark(scan, CT_REMARK_DOUBT, broken[i].words) || geometry_of(scan)->beam != CT_BEAM_PARALLEL)
      CT_TEST_END(1, "case %zu, found: no warning", i);
    ct_scan_free(scan);
  }
}

/* Cut at every length, a geometry file is read or refused, and never a surprise. */
static void test_cut(void) {
  char text[4096];
  put_images("cut/A_", 3);
  const char *const wholes[] = {NIKON,   SKYSCAN "Object to Source (mm)=100\r\n",
                                PHOENIX, rtk_of(text, sizeof text, DISTANCES, 3),
                                YXLON,   DIONDO("")};
  static const char *const names[] = {"cut/A.xtekct", "cut/A.log", "cut/A.pca", "cut/A.xml", "cut/A.xml", "cut/A.xml"};
  for (int k = 0; k < 6; k++) {
    for (size_t length = 0; length < strlen(wholes[k]); length += 5) {
      ct_error *error = NULL;
      put_bytes(scratch_path(names[k]), wholes[k], length);
      ct_scan *scan = ct_scan_open(scratch_path("cut"), NULL, &error);
      CHECK_OK(scan);
      ct_scan_free(scan);
    }
    unlink(scratch_path(names[k]));
  }
}

static const ct_test tests[] = {
    {"from the folder, an image, a pattern, the file itself", test_found},
    {"with a scan description", test_described},
    {"Nikon: where the axis is", test_nikon_axis},
    {"Nikon: angles beside it", test_nikon_angles},
    {"an image is missing", test_gap},
    {"Bruker (SkyScan)", test_skyscan},
    {"GE (phoenix)", test_phoenix},
    {"Yxlon and diondo", test_yxlon_and_diondo},
    {"TIGRE", test_tigre},
    {"broken files", test_broken},
    {"cut files", test_cut},
};

IO_TEST_MAIN(tests)
