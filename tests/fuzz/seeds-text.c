/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeds of what is text: scan descriptions, plans, sessions, lessons, scanners' settings, headers. */
#include "app/lesson/lesson.h"
#include "recon/base/memory.h"
#include "recon/solve/plan.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKYSCAN                                                                                                        \
  "[System]\r\nScanner=SkyScan1172\r\n[Acquisition]\r\nFilename Prefix=p_\r\nNumber of Files=3\r\nNumber of "          \
  "Rows=2\r\n"                                                                                                         \
  "Number of Columns=8\r\nCamera Pixel Size (um)=10\r\nRotation Step (deg)=60\r\nObject to Source (mm)=100\r\nCamera " \
  "to Source (mm)=200\r\nOptical Axis (line)=1\r\n"
#define RTK(inside)                                                                                                    \
  "<?xml version=\"1.0\"?>\n<!DOCTYPE RTKGEOMETRY>\n<RTKThreeDCircularGeometry version=\"3\">\n"                       \
  "<SourceToIsocenterDistance>100</SourceToIsocenterDistance><SourceToDetectorDistance>200</SourceToDetectorDistance>" \
  "\n" inside "</RTKThreeDCircularGeometry>\n"

static const struct {
  const char *target, *text;
} seeds[] = {
    {"description",
     "{\"files\": {\"raw\": \"r.raw\", \"type\": \"uint16\", \"dims\": [8, 4, 16], \"header_bytes\": 12}, "
     "\"values\": \"counts\", \"angles_deg\": {\"first\": 0, \"step\": 0.5}}"},
    {"description",
     "{\"files\": {\"raw\": \"r.raw\", \"type\": \"float32\", \"dims\": [4, 4, 4], \"byte_order\": \"big\", "
     "\"frame_header_bytes\": 8, \"scale\": 2, \"offset\": 1}, \"beam\": \"cone\", \"sod_mm\": 200, \"sdd_mm\": 400, "
     "\"pixel_mm\": [0.1, 0.2], \"centre_u\": 1.5, \"centre_v\": 1, \"tilt_deg\": 0.5, \"flip_rows\": true, "
     "\"flip_columns\": false, \"angles_deg\": {\"file\": \"a.txt\"}, \"comment\": \"x\"}"},
    {"description",
     "{\"files\": {\"raw\": \"r.raw\", \"type\": \"uint8\", \"dims\": [8, 8, 2]}, \"flats\": [{\"files\": {\"raw\": "
     "\"r.raw\", \"type\": \"uint8\", \"dims\": [8, 8, 1]}, \"before_view\": 0}], \"darks\": {\"raw\": \"r.raw\", "
     "\"type\": \"int8\", \"dims\": [8, 8, 2]}, \"matrices\": [[1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1], [1, 0, 0, 1, 0, "
     "1, "
     "0, 1, 0, 0, 0, 1]]}"},
    {"description", "{\"files\": \"p_#.png\", \"layout\": \"sinograms\"}"},
    {"session",
     "{\"gantry_session\": 1, \"program\": \"0.1.0\", \"title\": \"a\", \"scan\": {\"path\": \"r.raw\", \"absolute\": "
     "\"/r.raw\"}, \"plan\": null, \"results\": [{\"path\": \"r.raw\", \"bytes\": 4096, \"name\": \"\\u00bd\", "
     "\"made\": true, \"views\": 12, \"seconds\": 0.1, \"a\": true, \"phantom\": {\"nx\": 4}}], \"view\": "
     "{\"crosshair\": "
     "[1, 2, 3], \"smooth\": true}, \"regions\": [{\"name\": \"air\"}]}"},
    {"session", "{\"gantry_session\": 1, \"scan\": {\"example\": true}, \"results\": []}"},
    {"beside-nikon",
     "[XTekCT]\r\nName=p_\r\nSrcToObject=100\r\nSrcToDetector=200\r\nDetectorPixelsX=8\r\nDetectorPixelSizeX=0.5\r\n"
     "DetectorPixelsY=2\r\nDetectorPixelSizeY=0.25\r\nProjections=3\r\nInitialAngle=10\r\nAngularStep=15\r\nWhiteLevel="
     "60000\r\nObjectOffsetX=0.5\r\nObjectRoll=2\r\nObjectTilt=5\r\nInputFolderName=\r\n"},
    {"beside-skyscan", SKYSCAN},
    {"beside-phoenix",
     "[Geometry]\nFDD=200\nFOD=100\nVoxelSizeX=0.25\n[CT]\nNumberImages=3\nRotationSector=360\n[Image]\n"
     "DimX=8\nDimY=2\nCalibValue=-1.5\ncx=3.5\n"},
    {"beside-rtk", RTK("<Projection><GantryAngle>0</GantryAngle></Projection><Projection><GantryAngle>15</GantryAngle>"
                       "<ProjectionOffsetX>1</ProjectionOffsetX></Projection><Projection><GantryAngle>30</GantryAngle>"
                       "<OutOfPlaneAngle>2</OutOfPlaneAngle></Projection>")},
    {"beside-rtk", RTK("<Projection><Matrix>1 0 0 1 0 1 0 1 0 0 0 1</Matrix></Projection>")},
    {"beside-astra", "0 -100 0 0 100 0 0.5 0 0 0 0 0.5\n10 -90 0 0 100 0 0.5 0 0 0 0 0.5\n20 -80 0 0 100 0 0.5 0 0 0 0 "
                     "0.5\n"},
    {"beside-astra", "1 0 0 0 0 0 0 1 0 0 0 1\n0 1 0 0 0 0 -1 0 0 0 0 1\n"},
    {"beside-tigre",
     "{\"DSD\": 1536, \"DSO\": 1000, \"nDetector\": [2, 8], \"dDetector\": [0.8, 0.8], \"offDetector\": [0, 1.5], "
     "\"rotDetector\": [0.01, 0, 0], \"COR\": 0.2, \"angles\": [0, 1, 2], \"mode\": \"cone\"}"},
    {"beside-yxlon",
     "<?xml "
     "version=\"1.0\"?>\n<Scan><ConeBeamScanParameter><PixelSize><Height>0.2</Height><Width>0.4</Width></PixelSize>"
     "<ProjectionSize><Height>2</Height><Width>8</Width></ProjectionSize><ScanTrajectory><PixelPitch>0.5</PixelPitch>"
     "<Fdd>400</Fdd><Fod>200</Fod><YoCenter>3</YoCenter><NumberOfProjections>3</NumberOfProjections><StartAngle>5"
     "</StartAngle><Rotation>360</Rotation></ScanTrajectory></ConeBeamScanParameter></Scan>\n"},
    {"beside-diondo",
     "<?xml version=\"1.0\"?>\n<Parameter><ScanParameter><HelixMode>false</HelixMode></ScanParameter><Geometrie>"
     "<SourceDetectorDist>200</SourceDetectorDist><SourceObjectDist>100</SourceObjectDist></Geometrie><Recon>"
     "<ProjectionDimX>8</ProjectionDimX><ProjectionDimY>2</ProjectionDimY><ProjectionPixelSizeX>0.4"
     "</ProjectionPixelSizeX><ProjectionPixelSizeY>0.2</ProjectionPixelSizeY><ProjectionCount>3</ProjectionCount>"
     "</Recon></Parameter>\n"},
    {"beside-rxsolutions",
     "<?xml version=\"1.0\"?>\n<unireconstruction><conebeam><profile images=\"3\"/><acquisitioninfo><geometry "
     "sod=\"100\" sdd=\"400\"/></acquisitioninfo><correction offsetX=\"1.5\"/></conebeam></unireconstruction>\n"},
    {"beside-rxtable", "RX\nimage;sx;sy;sz;dx;dy;dz;ax;ay;az;bx;by;bz\np_1;0;0;-100;0;0;100;0;1;100;4;0;100\n"
                       "p_2;0;0;-100;0;0;100;0;1;100;4;0;100\np_3;-9;0;-90;0;0;100;0;1;100;4;0;100\n"},
    {"angles", "0\n1.5\n3\n"},
    {"angles", "# gon\nnr;angle\n1;0,5\n2;100,5\n3;200,5\n"},
    {"angles",
     "file\tangle [deg]\tcounts\np_1.tif\t0.5\xc2\xb0\t4\np_2.tif\t1.5\xc2\xb0\t5\np_3.tif\t2.5\xc2\xb0\t6\n"},
    {"mhd", "NDims = 3\nDimSize = 8 8 4\nElementSpacing = 1 1 2\nElementType = MET_USHORT\nElementDataFile = r.raw\n"},
    {"mhd",
     "NDims = 3\nDimSize = 8 4 2\nElementType = MET_UCHAR\nHeaderSize = -1\nElementDataFile = LIST\nr.raw\nr.raw\n"},
    {"mha",
     "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = True\nCompressedData = False\n"
     "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\nElementSpacing = 1 1 1\nDimSize = 2 2 2\nElementType = "
     "MET_UCHAR\nElementDataFile = LOCAL\nabcdefgh"},
    {"nhdr", "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 8 4 2\nencoding: raw\nspacings: 1 1 1\ndata file: r.raw\n"},
    {"nhdr", "NRRD0005\ntype: short\ndimension: 3\nsizes: 4 4 2\nendian: big\nencoding: raw\nbyte skip: 8\nspace "
             "directions: (1,0,0) (0,1,0) (0,0,2)\nspace origin: (0,0,0)\ndata file: LIST 2\nr.raw\nr.raw\n"},
    {"nrrd", "NRRD0004\ntype: float\ndimension: 2\nsizes: 2 2\nendian: little\nencoding: ascii\n\n1 2 3 4\n"},
};

static void put(const char *folder, const char *name, int number, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s-%d", folder, name, number);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file) != 0) abort();
}

/* A plan of every parameter that has a value, as JSON and as lines of "key=value". */
static void put_plans(const char *folder) {
  ct_plan plan;
  size_t count, length = 0;
  ct_plan_init(&plan);
  char *json = ct_plan_to_json(&plan, NULL, NULL), *lines = calloc(1, 1 << 16);
  if (!json || !lines) abort();
  put(folder, "plan", 0, json);
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    char value[256];
    if (!ct_plan_get_text(&plan, &params[i], value, sizeof value)) continue;
    length += (size_t)snprintf(lines + length, (1 << 16) - length, "%s=%s\n", params[i].key, value);
    if (length >= 1 << 16) abort();
  }
  put(folder, "plan", 1, lines);
  ct_free(json);
  free(lines);
}

void fuzz_put_text_seeds(const char *target, const char *folder) {
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
    if (strcmp(seeds[i].target, target) == 0) put(folder, target, (int)i, seeds[i].text);
  if (strcmp(target, "plan") == 0) put_plans(folder);
  for (int i = 0; strcmp(target, "lesson") == 0 && gantry_lesson_files[i].name; i++)
    put(folder, target, i, gantry_lesson_files[i].text);
}
