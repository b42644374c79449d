/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is cut short, lengthened, rewritten, replaced or removed while a scan or volume is read from it is an
 * error that names it, in every format; and no output may overwrite it. */
#include "recon/base/path.h"
#include "recon/io/rabbitct/rabbitct.h"
#include "tests/io/bmp.h"
#include "tests/io/compound.h"
#include "tests/io/io-test.h"
#include "tests/io/npz.h"
#include "tests/io/targets.h"

#include <matio.h>
#include <pthread.h>
#include <tiffio.h>

enum { NU = 24, NV = 20, VIEWS = 6 };

typedef enum { CUT, LENGTHEN, REWRITE, REPLACE, REMOVE, CHANGES } change;
static const char *const said[CHANGES] = {"cut short", "lengthened", "rewritten", "replaced", "removed"};

/* The file as it was is put back by restore_file. */
static void change_file(const char *path, change what) {
  char aside[600];
  snprintf(aside, sizeof aside, "%s.aside", path);
  size_t size;
  unsigned char *bytes = get_bytes(path, &size);
  put_bytes(aside, bytes, size);
  if (what == CUT && truncate(path, (off_t)(size / 2)) != 0) abort();
  if (what == LENGTHEN && truncate(path, (off_t)size + 3) != 0) abort();
  if (what == REWRITE) {
    /* Where the clock of the file system has not moved on since the file was made. */
    struct stat status;
    if (stat(path, &status) != 0) abort();
    put_bytes(path, bytes, size);
    status.st_mtim.tv_sec += 2;
    if (utimensat(AT_FDCWD, path, (const struct timespec[]){status.st_mtim, status.st_mtim}, 0) != 0) abort();
  }
  if (what == REPLACE && (rename(aside, path) != 0)) abort();
  if (what == REPLACE) put_bytes(aside, bytes, size);
  if (what == REMOVE && unlink(path) != 0) abort();
  free(bytes);
}

static void restore_file(const char *path) {
  char aside[600];
  snprintf(aside, sizeof aside, "%s.aside", path);
  if (rename(aside, path) != 0) abort();
}

static float sample_of(int view, int row, int column) {
  return (float)(100 * view + 3 * row + column);
}

static ct_stack *make_stack(void) {
  ct_stack *stack = ct_stack_new(NU, NV, VIEWS, NULL);
  if (!stack) abort();
  for (int view = 0; view < VIEWS; view++)
    for (int i = 0; i < NU * NV; i++) ct_stack_view(stack, view)[i] = sample_of(view, i / NU, i % NU);
  return stack;
}

/* Projections as uint16, one view after the other. */
static void put_samples(FILE *file) {
  for (int view = 0; view < VIEWS; view++)
    for (int i = 0; i < NU * NV; i++) {
      const uint16_t sample = (uint16_t)sample_of(view, i / NU, i % NU);
      fwrite(&sample, sizeof sample, 1, file);
    }
}

static void make_hdf5(void) {
  ct_geometry geometry;
  if (!ct_geometry_init(&geometry, CT_BEAM_PARALLEL, NU, NV, VIEWS, NULL)) abort();
  for (int i = 0; i < VIEWS; i++) geometry.angles[i] = 0.5 * i;
  ct_scan *scan = ct_scan_new_memory(&geometry, make_stack(), CT_VALUES_LINE_INTEGRALS, "memory", NULL);
  if (!scan || !ct_scan_write(scratch_path("scan.h5"), scan, NULL, NULL)) abort();
  ct_scan_free(scan);
  ct_geometry_clear(&geometry);
}

static void make_metaimage(void) {
  FILE *file = fopen(scratch_path("scan.mha"), "wb");
  fprintf(file,
          "ObjectType = Image\nNDims = 3\nDimSize = %d %d %d\nElementType = MET_USHORT\nElementDataFile = LOCAL\n", NU,
          NV, VIEWS);
  put_samples(file);
  if (fclose(file) != 0) abort();
}

static void make_raw(void) {
  FILE *file = fopen(scratch_path("samples.bin"), "wb");
  put_samples(file);
  if (fclose(file) != 0) abort();
  file = fopen(scratch_path("raw.json"), "w");
  fprintf(file, "{\"files\": {\"raw\": \"samples.bin\", \"type\": \"uint16\", \"dims\": [%d, %d, %d]}}\n", NU, NV,
          VIEWS);
  if (fclose(file) != 0) abort();
}

static void put_page(TIFF *tiff, int view) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, NU);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, NV);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 16);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, view % 2 ? COMPRESSION_LZW : COMPRESSION_NONE);
  for (int row = 0; row < NV; row++) {
    uint16_t samples[NU];
    for (int i = 0; i < NU; i++) samples[i] = (uint16_t)sample_of(view, row, i);
    if (TIFFWriteScanline(tiff, samples, (uint32_t)row, 0) < 0) abort();
  }
  TIFFWriteDirectory(tiff);
}

static void make_tiff(void) {
  TIFF *pages = TIFFOpen(scratch_path("pages.tif"), "w");
  for (int view = 0; view < VIEWS; view++) {
    char name[32];
    snprintf(name, sizeof name, "tiff/p_%d.tif", view);
    TIFF *one = TIFFOpen(scratch_path(name), "w");
    put_page(one, view);
    put_page(pages, view);
    TIFFClose(one);
  }
  TIFFClose(pages);
}

static void make_bmp(void) {
  for (int view = 0; view < VIEWS; view++) {
    char name[32];
    snprintf(name, sizeof name, "bmp/p_%d.bmp", view);
    write_bmp(scratch_path(name), &(bmp_file){NU, NV, 8, false}, view);
  }
}

static void make_png(void) {
  ct_stack *stack = make_stack();
  for (int view = 0; view < VIEWS; view++) {
    char name[32];
    snprintf(name, sizeof name, "png/p_%d.png", view);
    const ct_png_plane plane = {ct_stack_get_view(stack, view), NU, NV, 1, 1, 16, 0, 65535, NULL};
    if (!ct_png_write_plane(scratch_path(name), &plane, NULL)) abort();
  }
  ct_stack_free(stack);
}

static void make_rabbitct(void) {
  ct_geometry geometry;
  if (!ct_geometry_init(&geometry, CT_BEAM_FREE, NU, NV, VIEWS, NULL)) abort();
  for (int view = 0; view < VIEWS; view++) {
    const double c = cos(0.5 * view), s = sin(0.5 * view);
    const double matrix[12] = {c, s, 0, 12, 0, 0, 1, 10, -s / 500, c / 500, 0, 1};
    memcpy(geometry.matrices + 12 * view, matrix, sizeof matrix);
  }
  ct_stack *stack = make_stack();
  const ct_rabbitct_content content = {.version = 2, .scale = {1, 0}, .geometry = &geometry, .projections = stack};
  if (!ct_rabbitct_write(scratch_path("scan.rctd"), &content, NULL, NULL)) abort();
  ct_stack_free(stack);
  ct_geometry_clear(&geometry);
}

/* Pictures whose rows are stored as these formats do: EDF from the top, FITS from below. */
static void make_pictures(void) {
  for (int view = 0; view < VIEWS; view++) {
    char name[32], text[2881];
    snprintf(name, sizeof name, "edf/p_%d.edf", view);
    FILE *file = fopen(scratch_path(name), "wb");
    fprintf(file, "%-510s}\n", "{ DataType = UnsignedShort ; Dim_1 = 24 ; Dim_2 = 20 ;");
    for (int i = 0; i < NU * NV; i++) {
      const uint16_t sample = (uint16_t)sample_of(view, i / NU, i % NU);
      fwrite(&sample, sizeof sample, 1, file);
    }
    if (fclose(file) != 0) abort();
    snprintf(name, sizeof name, "fits/p_%d.fits", view);
    file = fopen(scratch_path(name), "wb");
    snprintf(text, sizeof text, "%-80s%-80s%-80s%-80s%-80s%-80s%-2400s", "SIMPLE  =                    T",
             "BITPIX  =                   16", "NAXIS   =                    2", "NAXIS1  =                   24",
             "NAXIS2  =                   20", "END", "");
    fwrite(text, 1, 2880, file);
    for (int i = 0; i < 1440; i++) {
      const uint16_t sample = i < NU * NV ? __builtin_bswap16((uint16_t)sample_of(view, i / NU, i % NU)) : 0;
      fwrite(&sample, sizeof sample, 1, file);
    }
    if (fclose(file) != 0) abort();
  }
}

/* Formats of one array behind a header. */
static void make_arrays(void) {
  FILE *file = fopen(scratch_path("scan.nrrd"), "wb");
  fprintf(file, "NRRD0004\ntype: uint16\ndimension: 3\nsizes: %d %d %d\nendian: little\nencoding: raw\n\n", NU, NV,
          VIEWS);
  put_samples(file);
  if (fclose(file) != 0) abort();
  file = fopen(scratch_path("scan.npy"), "wb");
  fwrite("\x93NUMPY\1\0\x4a\0", 1, 10, file);
  fprintf(file, "%-73s\n", "{'descr': '<u2', 'fortran_order': False, 'shape': (6, 20, 24)}");
  put_samples(file);
  if (fclose(file) != 0) abort();
  const uint32_t header[256] = {NU, NV, VIEWS, 6};
  file = fopen(scratch_path("scan.st"), "wb");
  fwrite(header, sizeof header, 1, file);
  put_samples(file);
  if (fclose(file) != 0) abort();
}

/* Rows run fastest, then columns, then views. */
static void make_matlab(void) {
  static float samples[VIEWS * NV * NU];
  size_t dims[3] = {NV, NU, VIEWS};
  for (int i = 0; i < VIEWS * NV * NU; i++) samples[i] = sample_of(i / (NV * NU), i % NV, i / NV % NU);
  mat_t *mat = Mat_CreateVer(scratch_path("scan.mat"), NULL, MAT_FT_MAT5);
  matvar_t *array = Mat_VarCreate("proj", MAT_C_SINGLE, MAT_T_SINGLE, 3, dims, samples, 0);
  if (!mat || !array || Mat_VarWrite(mat, array, MAT_COMPRESSION_NONE) != 0) abort();
  Mat_VarFree(array);
  Mat_Close(mat);
}

/* Stored: what is deflated is read whole when it is opened. */
static void make_archives(void) {
  static uint16_t samples[VIEWS * NV * NU];
  for (int i = 0; i < VIEWS * NV * NU; i++) samples[i] = (uint16_t)sample_of(i / (NV * NU), i / NU % NV, i % NU);
  const npz_array array = {"proj", "<u2", false, {VIEWS, NV, NU}, samples, sizeof samples};
  write_npz(scratch_path("scan.npz"), &array, 1, false);
  write_zeiss(scratch_path("scan.txrm"), &(zeiss_file){.nu = NU, .nv = NV, .views = VIEWS, .version = 3});
}

static const struct {
  const char *format, *scan, *changed;
} scans[] = {
    {"hdf5", "scan.h5", "scan.h5"},      {"metaimage", "scan.mha", "scan.mha"},  {"raw", "raw.json", "samples.bin"},
    {"tiff", "tiff", "tiff/p_3.tif"},    {"tiff", "pages.tif", "pages.tif"},     {"png", "png", "png/p_3.png"},
    {"bmp", "bmp", "bmp/p_3.bmp"},       {"rabbitct", "scan.rctd", "scan.rctd"}, {"nrrd", "scan.nrrd", "scan.nrrd"},
    {"edf", "edf", "edf/p_3.edf"},       {"fits", "fits", "fits/p_3.fits"},      {"numpy", "scan.npy", "scan.npy"},
    {"numpy", "scan.npz", "scan.npz"},   {"mrc", "scan.st", "scan.st"},          {"matlab", "scan.mat", "scan.mat"},
    {"zeiss", "scan.txrm", "scan.txrm"},
};
enum { SCANS = sizeof scans / sizeof *scans };

static void check_all_are_there(void) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  for (size_t i = 0; i < count; i++) {
    bool found = !ct_format_can(formats[i], CT_FORMAT_OPEN_SCAN);
    for (size_t k = 0; k < SCANS && !found; k++) found = strcmp(scans[k].format, formats[i]->id) == 0;
    if (!found) CT_TEST_END(1, "no scan of the format %s is changed while it is read", formats[i]->title);
  }
}

static void test_scans(void) {
  make_hdf5();
  make_metaimage();
  make_raw();
  make_tiff();
  make_png();
  make_bmp();
  make_rabbitct();
  make_arrays();
  make_pictures();
  make_matlab();
  make_archives();
  check_all_are_there();
  float frame[NU * NV];
  for (size_t i = 0; i < SCANS; i++)
    for (int what = 0; what < CHANGES; what++) {
      const char *path = scratch_path(scans[i].changed);
      ct_error *error = NULL;
      ct_scan *scan = ct_scan_open(scratch_path(scans[i].scan), NULL, &error);
      CHECK_OK(scan);
      CHECK_OK(ct_scan_read(scan, CT_FRAME_PROJECTION, 2, 0, NV, frame, &error) && ct_scan_check(scan, &error));
      /* Rows of pictures are stored from the top. */
      const float sample = frame[5 * NU + 7];
      CHECK(sample == sample_of(2, 5, 7) || sample == sample_of(2, NV - 6, 7) ||
            (strcmp(scans[i].scan, "bmp") == 0 && sample == bmp_value(2, 5, 7, 8)) ||
            (strcmp(scans[i].format, "zeiss") == 0 && sample == 2000 + (NV - 6) * NU + 7));
      change_file(path, (change)what);
      const bool read = ct_scan_read(scan, CT_FRAME_PROJECTION, 3, 4, 5, frame, &error);
      if (read || !error || !strstr(error->message, ct_path_name(path)) || !strstr(error->message, said[what]))
        CT_TEST_END(1, "%s, %s: %s", scans[i].scan, said[what], error ? error->message : "no error");
      ct_error_clear(&error);
      CHECK_FAILS(ct_scan_check(scan, &error), what == REMOVE ? CT_ERROR_IO : CT_ERROR_DATA, said[what]);
      ct_scan_free(scan);
      restore_file(path);
    }
}

typedef struct {
  const char *path;
  ct_job *job;
  ct_volume *volume;
  ct_error *error;
} reading;

static void *read_volume(void *data) {
  reading *r = data;
  r->volume = ct_volume_read(r->path, r->job, &r->error);
  return NULL;
}

/* The largest file of a folder: the one with samples. */
static void find_largest(const char *folder, char found[600]) {
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  off_t largest = 0;
  while (dir && (entry = readdir(dir))) {
    char path[600];
    struct stat status;
    snprintf(path, sizeof path, "%.300s/%.280s", folder, entry->d_name);
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= largest) continue;
    largest = status.st_size;
    snprintf(found, 600, "%s", path);
  }
  if (dir) closedir(dir);
}

/* The reader waits before the first slice while the file that holds the samples changes. */
static void test_volumes(void) {
  ct_volume *volume = make_volume(30, 20, 5);
  const int count = find_targets();
  for (int n = 0; n < 2 * count; n++) {
    const target *t = &targets[n / 2];
    char folder[32], name[64];
    snprintf(folder, sizeof folder, "volume%d", n);
    snprintf(name, sizeof name, "%s/%s", folder, t->name);
    const ct_write_options options = {.compress = n % 2};
    ct_error *error = NULL;
    CHECK_OK(ct_volume_write_as(t->format, scratch_path(name), volume, &options, NULL, &error));
    char changed[600] = "";
    find_largest(t->format->writes_folder && strcmp(t->name, "v") == 0 ? scratch_path(name) : scratch_path(folder),
                 changed);
    for (int what = 0; what < CHANGES; what++) {
      ct_job *job = ct_job_new(NULL);
      reading r = {.path = scratch_path(name), .job = job};
      ct_job_set_paused(job, true);
      pthread_t thread;
      if (pthread_create(&thread, NULL, read_volume, &r) != 0) abort();
      ct_progress progress = {0};
      while (progress.stage != CT_STAGE_READING) {
        usleep(200);
        ct_job_get_progress(job, &progress);
      }
      change_file(changed, (change)what);
      ct_job_set_paused(job, false);
      pthread_join(thread, NULL);
      ct_job_free(job);
      const bool good = !r.volume && r.error && strstr(r.error->message, ct_path_name(changed));
      ct_volume_free(r.volume);
      if (!good)
        CT_TEST_END(1, "%s, %s %s: %s", name, ct_path_name(changed), said[what], r.error ? r.error->message : "");
      ct_error_clear(&r.error);
      restore_file(changed);
    }
  }
  ct_volume_free(volume);
}

/* The samples of a volume are not to be overwritten either, by whatever name. */
static void test_destroyed(void) {
  const int count = find_targets();
  ct_volume *volume = make_volume(9, 8, 4);
  for (int n = 0; n < count; n++) {
    char folder[32], name[64], samples[600] = "", twin[64];
    ct_error *error = NULL;
    snprintf(folder, sizeof folder, "destroyed%d", n);
    snprintf(name, sizeof name, "%s/%s", folder, targets[n].name);
    snprintf(twin, sizeof twin, "twin%d", n);
    CHECK_OK(ct_volume_write_as(targets[n].format, scratch_path(name), volume, NULL, NULL, &error));
    find_largest(strcmp(targets[n].name, "v") == 0 ? scratch_path(name) : scratch_path(folder), samples);
    CHECK(link(samples, scratch_path(twin)) == 0);
    if (!ct_scan_is_destroyed(scratch_path(name), NULL, samples) ||
        !ct_scan_is_destroyed(scratch_path(name), NULL, scratch_path(twin)))
      CT_TEST_END(1, "the samples of %s would be overwritten", name);
    put_string(scratch_path("other.mha"), "x");
    CHECK(!ct_scan_is_destroyed(scratch_path(name), NULL, scratch_path("other.mha")));
  }
  ct_volume_free(volume);
}

static const ct_test tests[] = {
    {"scans whose file changes", test_scans},
    {"volumes whose file changes", test_volumes},
    {"outputs over the samples of a volume", test_destroyed},
};

IO_TEST_MAIN(tests)
