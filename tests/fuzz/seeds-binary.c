/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeds of samples in files: what the program itself writes in each format, and small files of other programs' kinds.
 */
#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "recon/io/png/plane.h"
#include "recon/io/rabbitct/rabbitct.h"
#include "tests/fuzz/fuzz.h"
#include "tests/io/bmp.h"
#include "tests/io/compound.h"
#include "tests/io/hdf5/scans.h"
#include "tests/io/npz.h"

#include <matio.h>
#include <tiffio.h>

enum { VIEWS = 3, PIXELS = NU * NV };

static const char *in(const char *folder, const char *name, const char *extension) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, extension);
  return path;
}

/* A file's bytes are the seed: its companions are not. */
static void put_volumes(const char *extension, const char *folder) {
  static const struct {
    const char *name;
    ct_write_options options;
  } ways[] = {{"float", {.samples = CT_SAMPLES_FLOAT32}},
              {"integers", {.samples = CT_SAMPLES_UINT16, .low = 0, .high = 100}},
              {"packed", {.samples = CT_SAMPLES_FLOAT32, .compress = true}}};
  const ct_format *format = ct_format_for_writing(in(folder, "v", extension), NULL);
  const ct_grid grid = ct_grid_centred(NU, NV, VIEWS, 0.5, NULL);
  ct_volume *volume = ct_volume_new(&grid, NULL);
  if (!volume) abort();
  for (int i = 0; i < VIEWS * PIXELS; i++) ct_volume_data(volume)[i] = (float)i;
  for (size_t i = 0; format && i < sizeof ways / sizeof *ways; i++)
    ct_volume_write_as(format, in(folder, ways[i].name, extension), volume, &ways[i].options, NULL, NULL);
  ct_volume_free(volume);
}

/* As CIL's NEXUSDataWriter keeps a scan. */
static void put_cil(const char *path) {
  static const char *const axes[] = {"angle", "vertical", "horizontal"};
  static const char data[] = "/entry1/tomo_entry/data/data", config[] = "/entry1/tomo_entry/config";
  static const struct {
    const char *name;
    double values[3];
  } vectors[] = {{"source/position", {0, -90, 0}}, {"detector/position", {0, 90, 0}}, {"angles", {0, 60, 120}}};
  float frames[VIEWS * PIXELS] = {0};
  char name[128], key[16];
  const hid_t file = make_file(path);
  make_array(file, data, H5T_NATIVE_FLOAT, 3, (const hsize_t[]){VIEWS, NV, NU}, H5T_NATIVE_FLOAT, frames);
  make_text_attribute(file, data, "data_type", "AcquisitionData");
  for (int i = 0; i < 3; i++) {
    snprintf(key, sizeof key, "dim%d", i);
    make_text_attribute(file, data, key, axes[i]);
    snprintf(name, sizeof name, "%s/%s", config, vectors[i].name);
    make_array(file, name, H5T_NATIVE_FLOAT, 1, (const hsize_t[]){3}, H5T_NATIVE_DOUBLE, vectors[i].values);
  }
  H5Fclose(file);
}

static void put_hdf5(const char *folder) {
  const double keys[VIEWS + 2] = {1, 2}, angles[VIEWS + 2] = {0, 0, 0, 60, 120}, theta[VIEWS] = {0, 60, 120};
  hid_t file = begin_exchange(in(folder, "exchange", "h5"), VIEWS, 1, 1);
  put_numbers(file, "/exchange/theta", theta, VIEWS, "deg");
  H5Fclose(file);
  file = begin_nxtomo(in(folder, "nxtomo", "h5"), "/entry", keys, VIEWS + 2);
  put_numbers(file, "/entry/sample/rotation_angle", angles, VIEWS + 2, "deg");
  H5Fclose(file);
  float frames[VIEWS * PIXELS] = {0};
  file = make_file(in(folder, "chunked", "h5"));
  make_chunked_array(file, "/exchange/data", H5T_NATIVE_FLOAT, (const hsize_t[]){VIEWS, NV, NU},
                     (const hsize_t[]){1, NV, NU}, frames);
  make_text(file, "/gantry/geometry", "{\"version\": 1, \"beam\": \"parallel\", \"views\": 3}");
  H5Fclose(file);
  put_cil(in(folder, "cil", "h5"));
  ct_geometry g;
  ct_scan *scan = make_scan(CT_BEAM_CONE, &g);
  if (!scan || !ct_scan_write(in(folder, "own", "h5"), scan, NULL, NULL)) abort();
  ct_scan_free(scan);
  ct_geometry_clear(&g);
}

static void put_tiff(const char *folder) {
  static const struct {
    const char *name, *mode;
    int bits, compression, tile;
  } ways[] = {{"lzw", "w", 16, COMPRESSION_LZW, 0},
              {"packbits", "wb", 8, COMPRESSION_PACKBITS, 0},
              {"deflate", "wl", 32, COMPRESSION_ADOBE_DEFLATE, 0},
              {"tiles", "w", 16, COMPRESSION_NONE, 16},
              {"bigtiff", "w8", 16, COMPRESSION_NONE, 0},
              {"jpeg", "w", 8, COMPRESSION_JPEG, 16},
              {"fax", "w", 1, COMPRESSION_CCITTFAX4, 0}};
  enum { SIDE = 20 };
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    TIFF *tiff = TIFFOpen(in(folder, ways[i].name, "tif"), ways[i].mode);
    uint8_t bytes[16 * 16 * 4 + SIDE * 4];
    if (!tiff) abort();
    for (int page = 0; page < 2; page++) {
      for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)(k * 13 + (size_t)page);
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, SIDE);
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, SIDE);
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, ways[i].bits);
      TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField(tiff, TIFFTAG_COMPRESSION, ways[i].compression);
      if (ways[i].bits == 32) TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
      if (i == 0 && page == 0)
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                     "<?xml version=\"1.0\"?><OME><Image><Pixels SizeZ=\"2\" PhysicalSizeX=\"2\" PhysicalSizeY=\"2\"/>"
                     "</Image></OME>");
      if (ways[i].tile) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, ways[i].tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, ways[i].tile);
        for (uint32_t y = 0; y < SIDE; y += 16)
          for (uint32_t x = 0; x < SIDE; x += 16) TIFFWriteTile(tiff, bytes, x, y, 0, 0);
      } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 3);
        for (uint32_t y = 0; y < SIDE; y++) TIFFWriteScanline(tiff, bytes, y, 0);
      }
      TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
  }
}

static void put_png(const char *folder) {
  const float values[PIXELS] = {1, 2, 3};
  for (int bits = 8; bits <= 16; bits += 8) {
    const ct_png_plane plane = {.values = values,
                                .width = NU,
                                .height = NV,
                                .pixel_x = 1,
                                .pixel_y = 1,
                                .bits = bits,
                                .low = 0,
                                .high = 9,
                                .plan = bits == 8 ? "{\"gantry_plan\": 1}" : NULL};
    if (!ct_png_write_plane(in(folder, bits == 8 ? "byte" : "word", "png"), &plane, NULL)) abort();
  }
}

static void put_bmp(const char *folder) {
  write_bmp(in(folder, "palette", "bmp"), &(bmp_file){NU, NV, 8, false}, 1);
  write_bmp(in(folder, "top", "bmp"), &(bmp_file){NU, NV, 24, true}, 1);
  write_bmp(in(folder, "fives", "bmp"), &(bmp_file){NU, NV, 16, false}, 1);
}

static void put_rabbitct(const char *folder) {
  static const double rows[12] = {2, 0.25, 0.01, 2, 0.03, 0.125, 2.5, 1.5, 0.001, -0.002, 0.0005, 1};
  ct_geometry geometry;
  ct_stack *stack = ct_stack_new(NU, NV, VIEWS, NULL);
  if (!stack || !ct_geometry_init(&geometry, CT_BEAM_FREE, NU, NV, VIEWS, NULL)) abort();
  for (int i = 0; i < 12 * VIEWS; i++) geometry.matrices[i] = rows[i % 12];
  memset(ct_stack_data(stack), 0, sizeof(float) * VIEWS * PIXELS);
  for (int version = 1; version <= 2; version++) {
    const ct_rabbitct_content content = {version, {1000, 24}, &geometry, stack, {NULL}};
    if (!ct_rabbitct_write(in(folder, version == 1 ? "one" : "two", "rctd"), &content, NULL, NULL)) abort();
  }
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
}

/* Header words of an MRC in mode 6, unsigned 16 bits. */
static void put_mrc(const char *extension, const char *folder) {
  unsigned char file[1024 + 2 * VIEWS * PIXELS] = {0};
  const uint32_t words[] = {NU, NV, VIEWS, 6, 0, 0, 0, NU, NV, VIEWS};
  const float cell[3] = {60, 40, 30};
  memcpy(file, words, sizeof words);
  memcpy(file + 40, cell, sizeof cell);
  memcpy(file + 208, "MAP \x44\x44", 6);
  write_file(in(folder, "mode6", extension), file, sizeof file);
}

static void put_edf(const char *extension, const char *folder) {
  char file[512 + 2 * PIXELS];
  const int length =
      snprintf(file, 512,
               "{\nHeaderID = EH:000001:000000:000000 ;\nByteOrder = HighByteFirst ;\nDataType = "
               "UnsignedShort ;\nDim_1 = %d ;\nDim_2 = %d ;\nmotor_mne = sx hrsrot sz ;\nmotor_pos = 1.5 "
               "30 7 ;\nPSize_1 = 2e-06 ;\n",
               NU, NV);
  memset(file + length, ' ', sizeof file - (size_t)length);
  memcpy(file + 510, "}\n", 2);
  write_file(in(folder, "esrf", extension), file, sizeof file);
}

static void put_fits(const char *extension, const char *folder) {
  static const struct {
    const char *key;
    int value;
  } cards[] = {{"BITPIX", 16}, {"NAXIS", 3}, {"NAXIS1", NU}, {"NAXIS2", NV}, {"NAXIS3", VIEWS}, {"BZERO", 32768}};
  char file[2 * 2880], card[81];
  memset(file, ' ', 2880);
  memset(file + 2880, 0, 2880);
  memcpy(file, "SIMPLE  =                    T", 30);
  for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
    const int length = snprintf(card, sizeof card, "%-8s= %20d", cards[i].key, cards[i].value);
    memcpy(file + 80 * (i + 1), card, (size_t)length);
  }
  memcpy(file + 80 * (sizeof cards / sizeof *cards + 1), "END", 3);
  write_file(in(folder, "cube", extension), file, sizeof file);
}

static void put_matlab(const char *folder) {
  for (int packed = 0; packed < 2; packed++) {
    mat_t *mat = Mat_CreateVer(in(folder, packed ? "packed" : "plain", "mat"), NULL, MAT_FT_MAT5);
    double values[VIEWS * NU] = {1, 2}, number = 400;
    size_t dims[2] = {VIEWS, NU}, one[2] = {1, 1};
    const char *fields[] = {"distanceSourceOrigin", "sinogram"};
    matvar_t *structure = Mat_VarCreateStruct("CtDataFull", 2, one, fields, 2);
    if (!mat || !structure) abort();
    Mat_VarSetStructFieldByName(structure, fields[0], 0,
                                Mat_VarCreate(NULL, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &number, 0));
    Mat_VarSetStructFieldByName(structure, fields[1], 0,
                                Mat_VarCreate(NULL, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, values, 0));
    matvar_t *plain = Mat_VarCreate("sino", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, values, 0);
    Mat_VarWrite(mat, plain, packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
    Mat_VarWrite(mat, structure, packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE);
    Mat_VarFree(plain);
    Mat_VarFree(structure);
    Mat_Close(mat);
  }
}

/* A geometry in files of libraries, beside images. */
static void put_tigre(const char *folder) {
  const char *fields[] = {"DSD", "DSO", "nDetector", "dDetector", "angles"};
  double values[][3] = {{1500}, {1000}, {NU, NV}, {0.5, 0.75}, {0, 1, 2}};
  const size_t counts[] = {1, 1, 2, 2, VIEWS};
  size_t one[2] = {1, 1};
  mat_t *mat = Mat_CreateVer(in(folder, "geo", "mat"), NULL, MAT_FT_MAT5);
  const hid_t file = make_file(in(folder, "geo73", "mat"));
  matvar_t *geo = Mat_VarCreateStruct("geo", 2, one, fields, 5);
  if (!mat || !geo) abort();
  for (int i = 0; i < 5; i++) {
    char name[64];
    size_t size[2] = {counts[i], 1};
    snprintf(name, sizeof name, "/geo/%s", fields[i]);
    Mat_VarSetStructFieldByName(geo, fields[i], 0,
                                Mat_VarCreate(NULL, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, values[i], 0));
    make_array(file, name, H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){1, counts[i]}, H5T_NATIVE_DOUBLE, values[i]);
  }
  Mat_VarWrite(mat, geo, MAT_COMPRESSION_NONE);
  Mat_VarFree(geo);
  Mat_Close(mat);
  H5Fclose(file);
}

static void put_astra(const char *folder) {
  const double rows[VIEWS * 12] = {0, -100, 0, 0, 100, 0, 0.5, 0, 0, 0, 0, 0.5};
  const hid_t file = make_file(in(folder, "vectors", "h5"));
  make_array(file, "/cone_vec", H5T_NATIVE_DOUBLE, 2, (const hsize_t[]){VIEWS, 12}, H5T_NATIVE_DOUBLE, rows);
  H5Fclose(file);
}

void fuzz_put_geometry_seeds(const char *target, const char *folder) {
  if (strcmp(target, "beside-tigre-mat") == 0) put_tigre(folder);
  if (strcmp(target, "beside-astra-h5") == 0) put_astra(folder);
}

static void put_zeiss(const char *extension, const char *folder) {
  write_zeiss(in(folder, "three", extension), &(zeiss_file){NU, NV, VIEWS, 3, strcmp(extension, "txm") == 0, true});
  write_zeiss(in(folder, "four", extension), &(zeiss_file){60, 40, 1, 4, false, false});
}

static void put_npz(const char *folder) {
  for (int packed = 0; packed < 2; packed++) {
    const float samples[VIEWS * PIXELS] = {1, 2}, theta[VIEWS] = {0, 60, 120};
    const npz_array arrays[] = {{"projections", "<f4", packed, {VIEWS, NV, NU}, samples, sizeof samples},
                                {"theta", "<f4", false, {VIEWS}, theta, sizeof theta}};
    write_npz(in(folder, packed ? "packed" : "plain", "npz"), arrays, 2, packed);
  }
}

static bool has_extension(const char *id, const char *extension) {
  const char *at = ct_format_find(id)->extensions;
  for (const size_t length = strlen(extension); *at; at += strcspn(at, " "), at += strspn(at, " "))
    if (strcspn(at, " ") == length && strncmp(at, extension, length) == 0) return true;
  return false;
}

/* Files that no format reads, by their first bytes: a flat panel's header before frames, a picture, a series' slice. */
static void put_unread(const char *folder) {
  unsigned char his[100 + 2 * VIEWS * PIXELS] = {0}, jpeg[64] = {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F'};
  unsigned char dicom[200] = {0};
  const uint16_t words[] = {0x7000, 68, 0, 0, 0, 32, 1, 1, NU, NV, VIEWS};
  memcpy(his, words, sizeof words);
  for (size_t i = 100; i < sizeof his; i++) his[i] = (unsigned char)i;
  memcpy(dicom + 128, "DICM\2\0\0\0UL\4\0", 12);
  write_file(in(folder, "panel", "his"), his, sizeof his);
  write_file(in(folder, "picture", "his"), jpeg, sizeof jpeg);
  write_file(in(folder, "slice", "his"), dicom, sizeof dicom);
}

void fuzz_put_binary_seeds(const char *extension, const char *folder) {
  if (strcmp(extension, "his") == 0) {
    put_unread(folder);
    return;
  }
  put_volumes(extension, folder);
  if (has_extension("hdf5", extension)) put_hdf5(folder);
  if (has_extension("tiff", extension)) put_tiff(folder);
  if (has_extension("png", extension)) put_png(folder);
  if (has_extension("bmp", extension)) put_bmp(folder);
  if (has_extension("rabbitct", extension)) put_rabbitct(folder);
  if (has_extension("mrc", extension)) put_mrc(extension, folder);
  if (has_extension("edf", extension)) put_edf(extension, folder);
  if (has_extension("fits", extension)) put_fits(extension, folder);
  if (has_extension("matlab", extension)) put_matlab(folder);
  if (has_extension("zeiss", extension)) put_zeiss(extension, folder);
  if (strcmp(extension, "npz") == 0) put_npz(folder);
}
