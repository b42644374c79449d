/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening TIFF files and checking their pages: TIFF 6.0, BigTIFF. A page is refused before memory is taken for it when
 * it promises more samples than its file can hold, or is no grey image. */
#include "recon/io/tiff/tiff-private.h"

#include "recon/base/memory.h"
#include "recon/base/spare.h"
#include "recon/base/text.h"
#include "recon/base/units.h"
#include "recon/io/shared/array-private.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A compressed strip above this size is decoded row by row; a row of tiles above that one is refused. */
enum { TALL = 4 << 20, MAX_BAND = 512 << 20 };

/* libtiff's messages: the first of a call says what is wrong, later ones are consequences. */
static int keep_error(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));
static int keep_error(TIFF *tiff, void *user, const char *module, const char *format, va_list args) {
  (void)module;
  ct_tiff_failure *failure = user;
  (void)tiff;
  if (failure->message[0] == 0) {
    failure->number = errno;
    vsnprintf(failure->message, sizeof failure->message, format, args);
  }
  return 1; /* handled: the process-wide handler stays silent */
}

static int drop_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));
static int drop_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list args) {
  /* Of damaged data libjpeg only warns, and fills up what is missing. */
  if (module && strcmp(module, "JPEGLib") == 0) return keep_error(tiff, user, module, format, args);
  return 1;
}

/* libtiff's own functions would do, but where the disk cannot be read it takes some numbers for zero: that of the next
 * page, so that a file has fewer pages. It is noted here (untold.h). */
static tmsize_t read_bytes(thandle_t handle, void *data, tmsize_t bytes) {
  tmsize_t done = 0;
  while (done < bytes) {
    const ssize_t got = read((int)(intptr_t)handle, (char *)data + done, (size_t)(bytes - done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      ct_error_set_errno(NULL, errno, "Cannot read a TIFF file");
      return -1;
    }
    if (got == 0) break;
    done += got;
  }
  return done;
}

static tmsize_t write_nothing(thandle_t handle, void *data, tmsize_t bytes) {
  return -1;
}

static toff_t seek_to(thandle_t handle, toff_t offset, int whence) {
  return (toff_t)lseek((int)(intptr_t)handle, (off_t)offset, whence);
}

static int close_handle(thandle_t handle) {
  return close((int)(intptr_t)handle);
}

static toff_t size_of(thandle_t handle) {
  struct stat facts;
  return fstat((int)(intptr_t)handle, &facts) == 0 ? (toff_t)facts.st_size : 0;
}

static int map_nothing(thandle_t handle, void **data, toff_t *size) {
  return 0;
}

static void unmap_nothing(thandle_t handle, void *data, toff_t size) {}

static TIFF *open_handle(int descriptor, const char *path, TIFFOpenOptions *options) {
  /* m: no memory map, for a file that is cut off meanwhile would end the program. O: tables of strips when they are
   * needed. */
  TIFF *tiff = TIFFClientOpenExt(path, "rmO", (thandle_t)(intptr_t)descriptor, read_bytes, write_nothing, seek_to,
                                 close_handle, size_of, map_nothing, unmap_nothing, options);
  if (tiff) TIFFSetFileno(tiff, descriptor);
  return tiff;
}

bool ct_tiff_may_call(ct_error **error) {
  return ct_memory_is_spare("for the TIFF library", error);
}

TIFFOpenOptions *ct_tiff_options(ct_tiff_failure *failure, uint64_t limit, ct_error **error) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) {
    ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to open a TIFF file");
    return NULL;
  }
  TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, failure);
  TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, failure);
  if (limit && limit < (uint64_t)TIFF_TMSIZE_T_MAX) TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)limit);
  return options;
}

bool ct_tiff_fail(ct_tiff *file, const char *what, ct_error **error) {
  ct_error_set(error, CT_ERROR_FORMAT, "%s %s%s%s%s", file->path, what, file->failure.message[0] ? " (" : "",
               file->failure.message, file->failure.message[0] ? ")" : "");
  file->failure.message[0] = 0;
  return false;
}

/* Decoded bytes that one stored byte can make at most. PackBits: 128 of 2. LZW: a table of 12-bit codes filled by one
 * repeated byte, whose strings grow by one each time. Deflate: zlib's documented bound. The others know no practical
 * bound. JPEG: 64 samples of at least two bits. */
static uint64_t expansion(uint16_t compression) {
  switch (compression) {
  case COMPRESSION_NONE:
    return 1;
  case COMPRESSION_PACKBITS:
    return 64;
  case COMPRESSION_LZW:
    return 1400;
  case COMPRESSION_DEFLATE:
  case COMPRESSION_ADOBE_DEFLATE:
    return 1032;
  case COMPRESSION_JPEG:
    return 256;
  default:
    return 65536;
  }
}

static bool is_supported(uint16_t compression) {
  switch (compression) {
  case COMPRESSION_NONE:
  case COMPRESSION_PACKBITS:
  case COMPRESSION_LZW:
  case COMPRESSION_DEFLATE:
  case COMPRESSION_ADOBE_DEFLATE:
  case COMPRESSION_JPEG:
  case COMPRESSION_LZMA:
  case COMPRESSION_ZSTD:
    return TIFFIsCODECConfigured(compression) == 1;
  default:
    return false;
  }
}

static bool sample_type(uint16_t bits, uint16_t format, ct_sample_type *type) {
  static const struct {
    uint16_t bits, format;
    ct_sample_type type;
  } types[] = {
      {8, SAMPLEFORMAT_UINT, CT_SAMPLE_UINT8},      {8, SAMPLEFORMAT_INT, CT_SAMPLE_INT8},
      {16, SAMPLEFORMAT_UINT, CT_SAMPLE_UINT16},    {16, SAMPLEFORMAT_INT, CT_SAMPLE_INT16},
      {32, SAMPLEFORMAT_UINT, CT_SAMPLE_UINT32},    {32, SAMPLEFORMAT_INT, CT_SAMPLE_INT32},
      {32, SAMPLEFORMAT_IEEEFP, CT_SAMPLE_FLOAT32}, {64, SAMPLEFORMAT_IEEEFP, CT_SAMPLE_FLOAT64},
      {16, SAMPLEFORMAT_IEEEFP, CT_SAMPLE_FLOAT16}, {64, SAMPLEFORMAT_UINT, CT_SAMPLE_UINT64},
      {64, SAMPLEFORMAT_INT, CT_SAMPLE_INT64},
  };
  if (format == SAMPLEFORMAT_VOID) format = SAMPLEFORMAT_UINT;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].bits == bits && types[i].format == format) {
      *type = types[i].type;
      return true;
    }
  return false;
}

/* Checks that the page is a grey image. */
static bool load_kind(ct_tiff *file, ct_error **error) {
  TIFF *tiff = file->tiff;
  ct_tiff_page *page = &file->page;
  uint32_t width = 0, height = 0, depth = 1;
  uint16_t bits = 1, format = SAMPLEFORMAT_UINT, samples = 1, photometric = PHOTOMETRIC_MINISBLACK,
           orientation = ORIENTATION_TOPLEFT;
  const bool sized = TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) && TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_IMAGEDEPTH, &depth);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &page->compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  if (!sized || width == 0 || height == 0 || width > INT_MAX || height > INT_MAX || depth > 1)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible image size (%u x %u)", file->path, width,
                        height);
  if (samples == 1 && photometric == PHOTOMETRIC_PALETTE)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s has a palette of colours; a grey image is expected: save it as grey levels", file->path);
  if (samples != 1 || (photometric != PHOTOMETRIC_MINISBLACK && photometric != PHOTOMETRIC_MINISWHITE))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s is a colour image (%u samples per pixel); a grey one is expected", file->path, samples);
  if (!sample_type(bits, format, &page->facts.type))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s has %u-bit samples of a kind that cannot be read; 8, 16, 32 and 64 bit and float can",
                        file->path, bits);
  if (!is_supported(page->compression)) {
    const TIFFCodec *codec = TIFFFindCODEC(page->compression);
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "%s is compressed with %s (%u), which is not read; none, PackBits, LZW, deflate, Zstandard, LZMA and JPEG are",
        file->path, codec ? codec->name : "an unknown method", page->compression);
  }
  if (orientation > ORIENTATION_BOTLEFT)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s is stored with rows and columns exchanged (orientation %u), which is not read", file->path,
                        orientation);
  page->facts.width = (int)width;
  page->facts.height = (int)height;
  page->facts.rounded = page->compression == COMPRESSION_JPEG;
  page->facts.flip_rows = orientation == ORIENTATION_TOPLEFT || orientation == ORIENTATION_TOPRIGHT;
  page->facts.flip_columns = orientation == ORIENTATION_TOPRIGHT || orientation == ORIENTATION_BOTRIGHT;
  return true;
}

/* Samples that are not compressed and take 2, 4 or 8 times the room that their bits say are not of these bits. */
static bool check_strips(const ct_tiff *file, ct_error **error) {
  const ct_tiff_page *page = &file->page;
  const uint64_t size = ct_sample_size(page->facts.type),
                 needed = (uint64_t)page->facts.width * page->block_height * size,
                 stored = TIFFRawStripSize64(file->tiff, 0), times = needed ? stored / needed : 0;
  if (stored == UINT64_MAX || (times != 2 && times != 4 && times != 8) || stored % needed || size * times > 8)
    return true;
  return ct_error_set(error, CT_ERROR_FORMAT,
                      "%s says that its samples have %u bits, and holds %u bits of each: its header is wrong. Correct "
                      "BitsPerSample, or describe the file as raw samples (\"files\")",
                      file->path, (unsigned)(8 * size), (unsigned)(8 * size * times));
}

/* Strips or tiles, and whether the file is long enough for them. */
static bool load_blocks(ct_tiff *file, ct_error **error) {
  TIFF *tiff = file->tiff;
  ct_tiff_page *page = &file->page;
  const uint32_t width = (uint32_t)page->facts.width, height = (uint32_t)page->facts.height;
  page->tiled = TIFFIsTiled(tiff);
  page->block_width = width;
  page->block_height = height;
  if (page->tiled) {
    page->block_width = page->block_height = 0;
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &page->block_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &page->block_height);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &page->block_height);
    if (page->block_height > height) page->block_height = height;
  }
  size_t bytes;
  const size_t size = ct_sample_size(page->facts.type);
  const uint64_t ratio = expansion(page->compression);
  if (page->block_width == 0 || page->block_height == 0 || page->block_width > INT_MAX ||
      page->block_height > INT_MAX || !ct_size_product(width, height, 1, size, &bytes) ||
      !ct_size_product(page->block_width, page->block_height, 1, size, &page->block_bytes) ||
      !ct_size_multiply(page->block_bytes, page->blocks_across = (width - 1) / page->block_width + 1,
                        &page->band_bytes))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible image size (%u x %u in blocks of %u x %u)",
                        file->path, width, height, page->block_width, page->block_height);
  file->decoded_bytes += bytes;
  /* A tile may be larger than the image that it holds; it still comes out of the file's bytes. */
  if (file->decoded_bytes / ratio > file->file_bytes || page->band_bytes / ratio > file->file_bytes)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s ends early: its header promises more samples (%u x %u) than its %llu bytes can hold",
                        file->path, width, height, (unsigned long long)file->file_bytes);
  if (page->compression == COMPRESSION_NONE && !page->tiled && !check_strips(file, error)) return false;
  char needed[32], most[32];
  uint16_t fill = FILLORDER_MSB2LSB;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &fill);
  page->plain = page->compression == COMPRESSION_NONE && !page->tiled && fill == FILLORDER_MSB2LSB;
  page->tall = !page->plain && !page->tiled && page->block_bytes > TALL;
  if (page->tall) page->band_bytes = (size_t)width * size;
  if (!page->plain && page->band_bytes > MAX_BAND)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s is stored in tiles or rows so large that %s of it have to be "
                        "unpacked at once; up to %s are read. Write it with smaller tiles.",
                        file->path, ct_format_bytes((double)page->band_bytes, needed, sizeof needed),
                        ct_format_bytes(MAX_BAND, most, sizeof most));
  file->band_index = UINT32_MAX;
  file->next_row = UINT32_MAX;
  return true;
}

bool ct_tiff_is_imagej(const char *description) {
  return strncmp(description, "ImageJ=", 7) == 0;
}

/* ImageJ counts pixels per unit in the resolution tags, and names the unit in its lines. */
static bool load_imagej_pitch(ct_tiff *file) {
  const char *text = ct_tiff_get_description(file);
  const char *unit = text && ct_tiff_is_imagej(text) ? strstr(text, "\nunit=") : NULL;
  const double mm = unit ? ct_unit_to_mm(unit + 6, strcspn(unit + 6, "\r\n")) : 0;
  float x = 0, y = 0;
  if (!(mm > 0) || !TIFFGetField(file->tiff, TIFFTAG_XRESOLUTION, &x) ||
      !TIFFGetField(file->tiff, TIFFTAG_YRESOLUTION, &y) || !(x > 0 && y > 0 && isfinite(x) && isfinite(y)))
    return false;
  file->page.facts.pitch_x = mm / (double)x;
  file->page.facts.pitch_y = mm / (double)y;
  return true;
}

/* Resolution is trusted in centimetres only: inches are defaults of cameras and editors (72, 96, 300 dpi). */
static void load_pitch(ct_tiff *file) {
  uint16_t unit = RESUNIT_INCH;
  float x = 0, y = 0;
  if (load_imagej_pitch(file)) return;
  file->page.facts.pitch_x = file->page.facts.pitch_y = 0;
  TIFFGetFieldDefaulted(file->tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  if (unit != RESUNIT_CENTIMETER || !TIFFGetField(file->tiff, TIFFTAG_XRESOLUTION, &x) ||
      !TIFFGetField(file->tiff, TIFFTAG_YRESOLUTION, &y))
    return;
  /* 72 dpi said in centimetres, and one pixel per centimetre, are defaults too. */
  if (!(x > 1 && y > 1 && x < 1e7f && y < 1e7f) || fabsf(x - 28.346f) < 0.02f) return;
  file->page.facts.pitch_x = 10 / (double)x;
  file->page.facts.pitch_y = 10 / (double)y;
}

static bool load_page(ct_tiff *file, ct_error **error) {
  if (!load_kind(file, error) || !load_blocks(file, error)) return false;
  load_pitch(file);
  file->failure.message[0] = 0;
  return true;
}

/* Thumbnails, pyramid levels and masks are no frames. */
static bool is_full_image(const ct_tiff *file) {
  uint32_t kind = 0;
  return !TIFFGetField(file->tiff, TIFFTAG_SUBFILETYPE, &kind) || !(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK));
}

ct_tiff *ct_tiff_open(const char *path, ct_error **error) {
  uint64_t bytes;
  if (!ct_file_size(path, &bytes, error)) return NULL;
  if (bytes == 0) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s is empty", path);
    return NULL;
  }
  const int descriptor = ct_open_to_read(path, error);
  if (descriptor < 0) return NULL;
  ct_tiff *file = ct_tiff_may_call(error) ? ct_alloc_zero(1, sizeof *file, "a TIFF file", error) : NULL;
  /* Nothing that libtiff keeps of a file is much larger than the file, but for small constants. */
  TIFFOpenOptions *options = file ? ct_tiff_options(&file->failure, bytes + ((uint64_t)16 << 20), error) : NULL;
  bool good = options && (file->path = ct_strdup(path, error));
  if (good) {
    file->file_bytes = bytes;
    file->tiff = open_handle(descriptor, path, options);
    if (!file->tiff) good = ct_tiff_fail(file, "is not a readable TIFF file", error);
  }
  if (options) TIFFOpenOptionsFree(options);
  if (!file || !file->tiff) close(descriptor);
  if (good && !is_full_image(file)) {
    bool more;
    good = ct_tiff_next(file, &more, error) &&
           (more || ct_error_set(error, CT_ERROR_FORMAT, "%s holds no full-size image", path));
  } else if (good) {
    good = load_page(file, error);
  }
  if (good) return file;
  ct_tiff_close(file);
  return NULL;
}

void ct_tiff_close(ct_tiff *file) {
  if (!file) return;
  if (file->tiff) TIFFClose(file->tiff);
  ct_free(file->path);
  ct_free(file->band);
  ct_free(file);
}

/* ImageJ writes stacks beyond 4 GB as one directory and a count of images, the samples one after the other. */
static bool check_imagej(const ct_tiff *file, ct_error **error) {
  const char *text = ct_tiff_get_description(file);
  const char *images = text && ct_tiff_is_imagej(text) ? strstr(text, "\nimages=") : NULL;
  if (!images || TIFFCurrentDirectory(file->tiff) != 0 || strtol(images + 8, NULL, 10) < 2) return true;
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "%s holds several images behind one directory, as ImageJ writes large stacks; save it as BigTIFF "
                      "or as single files",
                      file->path);
}

bool ct_tiff_next(ct_tiff *file, bool *more, ct_error **error) {
  *more = false;
  do {
    file->failure.message[0] = 0;
    if (TIFFLastDirectory(file->tiff)) return check_imagej(file, error);
    if (!ct_tiff_may_call(error)) return false;
    if (!TIFFReadDirectory(file->tiff)) return ct_tiff_fail(file, "is damaged: a page of it cannot be read", error);
  } while (!is_full_image(file));
  *more = true;
  return load_page(file, error);
}

uint64_t ct_tiff_tell(const ct_tiff *file) {
  return TIFFCurrentDirOffset(file->tiff);
}

bool ct_tiff_seek(ct_tiff *file, uint64_t page, ct_error **error) {
  if (TIFFCurrentDirOffset(file->tiff) == page) return true;
  file->failure.message[0] = 0;
  file->decoded_bytes = 0;
  if (!ct_tiff_may_call(error)) return false;
  if (!TIFFSetSubDirectory(file->tiff, page))
    return ct_tiff_fail(file, "is damaged: a page of it cannot be read", error);
  return load_page(file, error);
}

const char *ct_tiff_get_description(const ct_tiff *file) {
  const char *text = NULL;
  return TIFFGetField(file->tiff, TIFFTAG_IMAGEDESCRIPTION, &text) ? text : NULL;
}
