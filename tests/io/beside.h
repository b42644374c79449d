/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images and geometry files of the tests of recon/io/beside. */
#pragma once

#include "tests/io/io-test.h"

enum { NU = 32, NV = 4, VIEWS = 24 };

static const double degree = M_PI / 180;

static inline const ct_geometry *geometry_of(const ct_scan *scan) {
  return &ct_scan_get_facts(scan)->geometry;
}

/* Views of 16 bits: BEGIN0001.png, ... */
static inline void put_images(const char *begin, int count) {
  float values[NU * NV];
  for (int view = 0; view < count; view++) {
    char name[128];
    snprintf(name, sizeof name, "%s%04d.png", begin, view + 1);
    for (int i = 0; i < NU * NV; i++) values[i] = (float)(60000 - 1000 * (i % NU > 10 && i % NU < 20) - view);
    const ct_png_plane plane = {
        .values = values, .width = NU, .height = NV, .pixel_x = 1, .pixel_y = 1, .bits = 16, .low = 0, .high = 65535};
    if (!ct_png_write_plane(scratch_path(name), &plane, NULL)) abort();
  }
}

static inline void put_stack(const char *name, const char *header, int views) {
  FILE *file = fopen(scratch_path(name), "wb");
  fprintf(file,
          "ObjectType = Image\nNDims = 3\n%sDimSize = %d %d %d\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n",
          header, NU, NV, views);
  for (int i = 0; i < NU * NV * views; i++) fputc(i % 200, file);
  if (fclose(file) != 0) abort();
}

#define RTK_BEGIN "<?xml version=\"1.0\"?>\n<!DOCTYPE RTKGEOMETRY>\n<RTKThreeDCircularGeometry version=\"3\">\n"
#define RTK_END "</RTKThreeDCircularGeometry>\n"

static inline const char *rtk_of(char *text, size_t size, const char *inside, int views) {
  int n = snprintf(text, size, RTK_BEGIN "%s", inside);
  for (int i = 0; i < views; i++)
    n += snprintf(text + n, size - (size_t)n, "<Projection><GantryAngle>%d</GantryAngle></Projection>", 15 * i);
  snprintf(text + n, size - (size_t)n, RTK_END);
  return text;
}

#define DISTANCES                                                                                                      \
  "<SourceToIsocenterDistance>100</SourceToIsocenterDistance><SourceToDetectorDistance>200</"                          \
  "SourceToDetectorDistance>"
