/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other microscopy programs look for: OME-XML in TIFF files, read and written, and the element size that ImageJ's
 * and napari's readers of HDF5 take. */
#include "recon/base/memory.h"
#include "recon/data/pitch.h"
#include "recon/io/io.h"
#include "tests/io/damage.h"
#include "tests/io/files.h"
#include "tests/test.h"

#include <hdf5.h>
#include <tiffio.h>

enum { NX = 5, NY = 4, NZ = 3 };

#define OME(pixels)                                                                                                    \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a comment -->\n<OME "                                              \
  "xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" "         \
  "DimensionOrder=\"XYZCT\" Type=\"uint16\" SizeX=\"5\" SizeY=\"4\" " pixels "><TiffData/></Pixels></Image></OME>"

static void put_pages(const char *path, const char *description) {
  TIFF *tiff = TIFFOpen(path, "w");
  uint16_t row[NX];
  if (!tiff) abort();
  for (int page = 0; page < NZ; page++) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, NX);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, NY);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    if (page == 0) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
    for (int y = 0; y < NY; y++) {
      for (int x = 0; x < NX; x++) row[x] = (uint16_t)(100 * page + 10 * y + x);
      TIFFWriteScanline(tiff, row, (uint32_t)y, 0);
    }
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

/* Units by their names, micrometres where there is none. */
static void test_sizes(void) {
  static const struct {
    const char *xml;
    double x, y, z; /* 0: not told */
  } cases[] = {
      {OME("SizeZ=\"3\" SizeC=\"1\" SizeT=\"1\" PhysicalSizeX=\"2.5\" PhysicalSizeY=\"3\" PhysicalSizeZ=\"4\""), 2.5e-3,
       3e-3, 4e-3},
      {OME("SizeZ=\"3\" PhysicalSizeX=\"0.2\" PhysicalSizeXUnit=\"mm\" PhysicalSizeY=\"300\" PhysicalSizeYUnit=\"nm\" "
           "PhysicalSizeZ=\"7\" PhysicalSizeZUnit=\"\xc2\xb5m\""),
       0.2, 3e-4, 7e-3},
      {OME("SizeZ=\"3\""), 0, 0, 0},
  };
  ct_error *error = NULL;
  make_test_folder();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    put_pages(in_folder("o.tif"), cases[i].xml);
    ct_volume *volume = ct_volume_read(in_folder("o.tif"), NULL, &error);
    CHECK_OK(volume);
    const ct_grid *g = ct_volume_grid(volume);
    CHECK(g->nz == NZ && ct_volume_get_data(volume)[NX * NY + NX + 2] == 112);
    if (cases[i].x > 0) {
      CHECK_NEAR(g->dx, cases[i].x, 1e-12);
      CHECK_NEAR(g->dy, cases[i].y, 1e-12);
      CHECK_NEAR(g->dz, cases[i].z, 1e-12);
    }
    CHECK(ct_volume_is_pitch_unknown(volume) == !(cases[i].x > 0));
    ct_volume_free(volume);
    ct_scan *scan = ct_scan_open(in_folder("o.tif"), NULL, &error);
    CHECK_OK(scan);
    const ct_scan_facts *facts = ct_scan_get_facts(scan);
    CHECK(facts->geometry.views == NZ && !(facts->known & CT_KNOWN_PITCH) == !(cases[i].x > 0));
    if (cases[i].x > 0) CHECK_NEAR(facts->geometry.dv, cases[i].y, 1e-12);
    ct_scan_free(scan);
  }
  damage(in_folder("o.tif"), 8, 1);
}

/* Several channels are no slices and no views. */
static void test_channels(void) {
  ct_error *error = NULL;
  make_test_folder();
  put_pages(in_folder("c.tif"), OME("SizeZ=\"1\" SizeC=\"3\" SizeT=\"1\""));
  CHECK_FAILS(ct_volume_read(in_folder("c.tif"), NULL, &error), CT_ERROR_UNSUPPORTED, "3 channels");
  CHECK_FAILS(ct_scan_open(in_folder("c.tif"), NULL, &error), CT_ERROR_UNSUPPORTED, "3 channels");
  /* Damaged XML tells nothing. */
  put_pages(in_folder("d.tif"), "<?xml version=\"1.0\"?><OME><Pixels SizeC=\"3\"");
  ct_scan *scan = ct_scan_open(in_folder("d.tif"), NULL, &error);
  CHECK_OK(scan);
  ct_scan_free(scan);
}

static ct_volume *make_volume(void) {
  const ct_grid grid = {NX, NY, NZ, 0.1, 0.2, 1.0 / 3, -12.345678901234567, 1e-7, 3};
  ct_volume *volume = ct_volume_new(&grid, NULL);
  if (!volume || !ct_volume_set_plan(volume, "{\"text\": \"<a> & \\\"b\\\"\"}", NULL)) abort();
  for (int i = 0; i < NX * NY * NZ; i++) ct_volume_data(volume)[i] = 0.37f * (float)i - 2;
  return volume;
}

/* NAME.ome.tif is OME-TIFF, and reads back exactly. */
static void test_written(void) {
  ct_error *error = NULL;
  char *description;
  make_test_folder();
  ct_volume *volume = make_volume();
  CHECK_OK(ct_volume_write(in_folder("v.ome.tif"), volume, &(ct_write_options){.samples = CT_SAMPLES_FLOAT32}, NULL,
                           &error));
  TIFF *tiff = TIFFOpen(in_folder("v.ome.tif"), "r");
  CHECK(tiff && TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &description));
  CHECK(strstr(description, "Type=\"float\" SizeX=\"5\" SizeY=\"4\" SizeZ=\"3\"") &&
        strstr(description, "PhysicalSizeY=\"0.2") && strstr(description, "PhysicalSizeYUnit=\"mm\""));
  TIFFClose(tiff);
  ct_volume *back = ct_volume_read(in_folder("v.ome.tif"), NULL, &error);
  CHECK_OK(back);
  CHECK(memcmp(ct_volume_grid(back), ct_volume_grid(volume), sizeof(ct_grid)) == 0);
  CHECK(strcmp(ct_volume_get_plan(back), ct_volume_get_plan(volume)) == 0);
  CHECK(memcmp(ct_volume_get_data(back), ct_volume_get_data(volume), sizeof(float) * NX * NY * NZ) == 0);
  ct_volume_free(back);
  ct_volume_free(volume);
}

/* Micrometres, z first. */
static void test_element_size(void) {
  ct_error *error = NULL;
  double size[3];
  make_test_folder();
  ct_volume *volume = make_volume();
  CHECK_OK(ct_volume_write(in_folder("v.h5"), volume, NULL, NULL, &error));
  ct_volume_free(volume);
  const hid_t file = H5Fopen(in_folder("v.h5"), H5F_ACC_RDWR, H5P_DEFAULT),
              data = H5Dopen2(file, "/entry/volume/data", H5P_DEFAULT),
              id = H5Aopen(data, "element_size_um", H5P_DEFAULT);
  CHECK(id >= 0 && H5Aread(id, H5T_NATIVE_DOUBLE, size) >= 0);
  CHECK_NEAR(size[0], 1000.0 / 3, 1e-9);
  CHECK_NEAR(size[1], 200, 1e-9);
  CHECK_NEAR(size[2], 100, 1e-9);
  H5Aclose(id);
  /* As another program's file, which has no spacing of ours. */
  H5Adelete(data, "spacing_mm");
  H5Adelete(data, "origin_mm");
  H5Dclose(data);
  H5Ldelete(file, "/entry/volume/plan", H5P_DEFAULT);
  H5Fclose(file);
  volume = ct_volume_read(in_folder("v.h5"), NULL, &error);
  CHECK_OK(volume);
  CHECK_NEAR(ct_volume_grid(volume)->dx, 0.1, 1e-12);
  CHECK_NEAR(ct_volume_grid(volume)->dz, 1.0 / 3, 1e-12);
  CHECK(!ct_volume_is_pitch_unknown(volume));
  ct_volume_free(volume);
}

static const ct_test tests[] = {
    {"physical sizes", test_sizes},
    {"channels", test_channels},
    {"OME-TIFF that is written", test_written},
    {"HDF5: element size", test_element_size},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
