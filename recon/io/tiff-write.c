/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes as TIFF slices: a folder of one file per slice, or one file of many pages for a path that ends in .tif or
 * .tiff (BigTIFF where its samples come near 4 GB). Rows are stored from the lowest y up, as the array has them, with
 * the orientation tag that says so. */
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/io/tiff-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { STRIP_BYTES = 256 << 10 };

/* Room for the directories and the descriptions beside the samples of a classic TIFF. */
#define CLASSIC_LIMIT ((uint64_t)0xf0000000)

typedef struct writing {
  const char *path; /* the target, for messages */
  const ct_volume *volume;
  bool integers, compress, big;
  double low, high;
  ct_tiff_fault fault;
  uint32_t strip_rows;
  void *strip;
} writing;

static bool fail(writing *w, ct_error **error) {
  const int number = w->fault.words[0] ? w->fault.number : errno;
  if (number)
    ct_error_set_errno(error, number, "Cannot write %s", w->path);
  else
    ct_error_set(error, CT_ERROR_IO, "Cannot write %s (%s)", w->path,
                 w->fault.words[0] ? w->fault.words : "unknown fault");
  return false;
}

static TIFF *open_tiff(writing *w, const char *path, ct_error **error) {
  w->fault = (ct_tiff_fault){0};
  const int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    ct_error_set_errno(error, errno, "Cannot write %s", w->path);
    return NULL;
  }
  TIFFOpenOptions *options = ct_tiff_options(&w->fault, 0, error);
  TIFF *tiff = NULL;
  errno = 0;
  if (options && !(tiff = TIFFFdOpenExt(descriptor, path, w->big ? "w8" : "w", options))) fail(w, error);
  if (options) TIFFOpenOptionsFree(options);
  if (!tiff) close(descriptor);
  return tiff;
}

static bool set_tags(const writing *w, TIFF *tiff, const char *description) {
  const ct_grid *grid = ct_volume_grid(w->volume);
  const bool good =
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)grid->nx) &&
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)grid->ny) &&
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, w->integers ? 16 : 32) &&
      TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, w->integers ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_IEEEFP) &&
      TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) &&
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
      TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
      TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_BOTLEFT) &&
      TIFFSetField(tiff, TIFFTAG_COMPRESSION, w->compress ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE) &&
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, w->strip_rows) &&
      TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER) &&
      TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 10 / grid->dx) &&
      TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 10 / grid->dy) &&
      TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Gantry " GANTRY_VERSION);
  if (!good || !w->compress) return good && (!description || TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description));
  /* Many readers know the predictor of integers, few that of floats. */
  return TIFFSetField(tiff, TIFFTAG_PREDICTOR, w->integers ? PREDICTOR_HORIZONTAL : PREDICTOR_NONE) &&
         TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, 1) &&
         (!description || TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description));
}

/* One slice as the next page. */
static bool write_page(writing *w, TIFF *tiff, int slice, const char *description, ct_error **error) {
  const ct_grid *grid = ct_volume_grid(w->volume);
  const size_t nx = (size_t)grid->nx;
  const float *data = ct_volume_get_data(w->volume) + (size_t)slice * nx * (size_t)grid->ny;
  errno = 0;
  if (!set_tags(w, tiff, description)) return fail(w, error);
  for (int row = 0, strip = 0; row < grid->ny; strip++) {
    const int rows = grid->ny - row < (int)w->strip_rows ? grid->ny - row : (int)w->strip_rows;
    const size_t count = (size_t)rows * nx, bytes = count * (w->integers ? sizeof(uint16_t) : sizeof(float));
    /* libtiff may turn bytes about in the buffer it is given. */
    if (w->integers)
      ct_floats_to_uint16(data + (size_t)row * nx, count, w->low, w->high, w->strip);
    else
      memcpy(w->strip, data + (size_t)row * nx, bytes);
    errno = 0;
    if (TIFFWriteEncodedStrip(tiff, (uint32_t)strip, w->strip, (tmsize_t)bytes) != (tmsize_t)bytes)
      return fail(w, error);
    row += rows;
  }
  errno = 0;
  return (TIFFWriteDirectory(tiff) && !w->fault.words[0]) || fail(w, error);
}

static bool write_pages(writing *w, TIFF *tiff, ct_job *job, ct_error **error) {
  const int nz = ct_volume_grid(w->volume)->nz;
  for (int k = 0; k < nz; k++) {
    /* The first page speaks for the file. */
    char *text = k == 0 ? ct_tiff_format_meta(w->volume, -1, true, w->integers, w->low, w->high, error) : NULL;
    const bool good = (text || k > 0) && ct_job_may_go_on(job, error) && write_page(w, tiff, k, text, error);
    ct_free(text);
    if (!good) return false;
    ct_job_advance(job, 1);
  }
  return true;
}

/* Compressed samples take less, nobody knows how much. */
static bool check_space(const writing *w, const ct_output *output, ct_error **error) {
  const uint64_t bytes =
      (uint64_t)ct_grid_voxels(ct_volume_grid(w->volume)) * (w->integers ? sizeof(uint16_t) : sizeof(float));
  return w->compress || ct_output_check_space(output, bytes, error);
}

static bool write_one_file(writing *w, ct_job *job, ct_error **error) {
  ct_output *output = ct_output_begin(w->path, false, error);
  TIFF *tiff = output && check_space(w, output, error) ? open_tiff(w, ct_output_get_path(output), error) : NULL;
  bool good = tiff && write_pages(w, tiff, job, error);
  if (tiff) TIFFClose(tiff);
  if (good && w->fault.words[0]) good = fail(w, error);
  if (good) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}

static bool write_slice_file(writing *w, const char *folder, int slice, int digits, ct_error **error) {
  char *path = ct_strprintf("%s/slice_%0*d.tif", folder, digits, slice);
  char *text = ct_tiff_format_meta(w->volume, slice, true, w->integers, w->low, w->high, error);
  TIFF *tiff = path && text ? open_tiff(w, path, error) : NULL;
  bool good = tiff && write_page(w, tiff, slice, text, error);
  if (tiff) TIFFClose(tiff);
  if (good && w->fault.words[0]) good = fail(w, error);
  ct_free(text);
  ct_free(path);
  return good || ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to write %s", w->path);
}

static bool write_folder(writing *w, ct_job *job, ct_error **error) {
  const int nz = ct_volume_grid(w->volume)->nz;
  int digits = 4;
  for (int n = 10000; digits < 9 && nz > n; n *= 10) digits++;
  ct_output *output = ct_output_begin(w->path, true, error);
  bool good = output && check_space(w, output, error);
  for (int k = 0; good && k < nz; k++) {
    good = ct_job_may_go_on(job, error) && write_slice_file(w, ct_output_get_path(output), k, digits, error);
    if (good) ct_job_advance(job, 1);
  }
  if (good) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}

bool ct_tiff_write_volume(const char *path, const ct_volume *volume, const ct_write_options *options, ct_job *job,
                          ct_error **error) {
  const ct_grid *grid = ct_volume_grid(volume);
  writing w = {.path = path, .volume = volume};
  if (options) {
    w.integers = options->samples == CT_SAMPLES_UINT16;
    w.compress = options->compress;
  }
  if (w.integers) ct_write_range(volume, options, &w.low, &w.high);
  const uint64_t row_bytes = (uint64_t)grid->nx * (w.integers ? 2 : 4);
  const uint64_t rows = STRIP_BYTES / row_bytes;
  w.strip_rows = rows < 1 ? 1 : rows > (uint64_t)grid->ny ? (uint32_t)grid->ny : (uint32_t)rows;
  w.strip = ct_alloc(w.strip_rows, (size_t)row_bytes, "a strip of an image", error);
  if (!w.strip) return false;
  const bool single = ct_path_has_extension(path, "tif tiff");
  const uint64_t slices = single ? (uint64_t)grid->nz : 1;
  w.big = row_bytes * (uint64_t)grid->ny * slices > CLASSIC_LIMIT;
  ct_job_begin_stage(job, CT_STAGE_WRITING, (uint64_t)grid->nz);
  const bool good = single ? write_one_file(&w, job, error) : write_folder(&w, job, error);
  ct_free(w.strip);
  return good;
}
