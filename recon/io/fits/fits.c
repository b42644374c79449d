/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format FITS, by CFITSIO: series of files, planes of a cube and images of extensions. Row 0 is the lowest, as the
 * standard has it (Pence et al. 2010, Astron. Astrophys. 524, A42). BSCALE, BZERO and BLANK are applied by the library.
 */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <errno.h>
#include <fitsio.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define EXTENSIONS "fits fit fts"

/* The library keeps its table of open files in global state; this lock protects it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
  char *path;
  fitsfile *file;
  uint64_t bytes;
  int unit; /* the present one, from 1 */
  int planes, plane;
  ct_image_facts facts;
} fits_image;

static bool fail(const fits_image *image, int status, ct_error **error) {
  char why[FLEN_STATUS] = "", more[FLEN_ERRMSG];
  fits_get_errstatus(status, why);
  while (fits_read_errmsg(more)) continue; /* the library's list of messages is global */
  if (errno == EIO) ct_error_set_errno(NULL, errno, "Cannot read %s", image->path);
  return ct_error_set(error, status == MEMORY_ALLOCATION ? CT_ERROR_MEMORY : CT_ERROR_FORMAT,
                      "%s is damaged or cut off (%s)", image->path, why);
}

static bool sample_type(int equivalent, ct_sample_type *type) {
  static const struct {
    int fits;
    ct_sample_type type;
  } types[] = {{BYTE_IMG, CT_SAMPLE_UINT8},      {SBYTE_IMG, CT_SAMPLE_INT8},    {SHORT_IMG, CT_SAMPLE_INT16},
               {USHORT_IMG, CT_SAMPLE_UINT16},   {LONG_IMG, CT_SAMPLE_INT32},    {ULONG_IMG, CT_SAMPLE_UINT32},
               {LONGLONG_IMG, CT_SAMPLE_INT64},  {FLOAT_IMG, CT_SAMPLE_FLOAT32}, {DOUBLE_IMG, CT_SAMPLE_FLOAT64},
               {ULONGLONG_IMG, CT_SAMPLE_UINT64}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].fits == equivalent) {
      *type = types[i].type;
      return true;
    }
  return false;
}

/* Keywords that laboratories write for the angle, degrees. */
static void take_angle(fits_image *image) {
  static const char *const keys[] = {"ANGLE", "ROTANGLE", "ROT_ANG", "THETA", "OMEGA", "ROTATION"};
  double angle;
  image->facts.has_angle = false;
  for (size_t i = 0; i < sizeof keys / sizeof *keys && !image->facts.has_angle; i++) {
    int status = 0;
    char key[FLEN_KEYWORD];
    snprintf(key, sizeof key, "%s", keys[i]);
    image->facts.has_angle = fits_read_key(image->file, TDOUBLE, key, &angle, NULL, &status) == 0 && isfinite(angle);
    if (image->facts.has_angle) image->facts.angle = angle;
  }
  fits_clear_errmsg();
}

/* BUNIT, the unit of the samples. */
static void take_unit(fits_image *image) {
  int status = 0;
  char unit[FLEN_VALUE];
  if (fits_read_key(image->file, TSTRING, "BUNIT", unit, NULL, &status)) unit[0] = 0;
  snprintf(image->facts.unit, sizeof image->facts.unit, "%s", unit);
  fits_clear_errmsg();
}

/* What the present unit holds: *is_image false for tables and empty units. */
static bool look(fits_image *image, bool *is_image, ct_error **error) {
  int status = 0, kind = 0, bits = 0, axes = 0, equivalent = 0;
  LONGLONG counts[4] = {1, 1, 1, 1};
  *is_image = false;
  if (fits_get_hdu_type(image->file, &kind, &status)) return fail(image, status, error);
  const bool packed = fits_is_compressed_image(image->file, &status);
  if (kind != IMAGE_HDU && !packed) return true;
  if (fits_get_img_paramll(image->file, 4, &bits, &axes, counts, &status) ||
      fits_get_img_equivtype(image->file, &equivalent, &status))
    return fail(image, status, error);
  if (axes < 2) return true;
  size_t bytes;
  const uint64_t room = packed ? image->bytes * 65536 : image->bytes;
  if (counts[0] < 1 || counts[1] < 1 || counts[2] < 1 || counts[0] > INT_MAX || counts[1] > INT_MAX ||
      counts[2] > INT_MAX || (axes > 3 && counts[3] != 1) || axes > 4 ||
      !ct_size_product((int)counts[0], (int)counts[1], (int)counts[2], (size_t)abs(bits) / 8, &bytes))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states a size that cannot be read (%d axes, %lld x %lld x %lld)",
                        image->path, axes, counts[0], counts[1], counts[2]);
  if (bytes > room)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s ends early: its header promises %lld x %lld x %lld samples, more than its %llu bytes hold",
                        image->path, counts[0], counts[1], counts[2], (unsigned long long)image->bytes);
  if (!sample_type(equivalent, &image->facts.type))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds samples of a kind that is not read (BITPIX %d)",
                        image->path, bits);
  image->facts.width = (int)counts[0];
  image->facts.height = (int)counts[1];
  image->planes = (int)counts[2];
  image->plane = 0;
  take_angle(image);
  take_unit(image);
  return *is_image = true;
}

/* The next unit from `unit` on that is an image; *more false where there is none. */
static bool find_unit(fits_image *image, int unit, bool *more, ct_error **error) {
  int status = 0, count = 0;
  *more = false;
  if (fits_get_num_hdus(image->file, &count, &status)) return fail(image, status, error);
  for (; unit <= count && !*more; unit++) {
    if (fits_movabs_hdu(image->file, unit, NULL, &status)) return fail(image, status, error);
    image->unit = unit;
    if (!look(image, more, error)) return false;
  }
  return true;
}

static void close_file(fits_image *image) {
  int status = 0;
  if (image->file) fits_close_file(image->file, &status);
  fits_clear_errmsg();
  ct_free(image->path);
  ct_free(image);
}

static void codec_close(void *state) {
  if (!state) return;
  pthread_mutex_lock(&lock);
  close_file(state);
  pthread_mutex_unlock(&lock);
}

/* cfitsio makes room for what a packed file says that it holds; no way of packing makes more of a byte than deflate. */
enum { MOST_INFLATED = 1032 };

/* Where gzip, zip and pack keep the size, of the beginning or (negative) of the end. */
static const struct {
  unsigned char magic[2];
  long at;
  bool high_first;
} packings[] = {{{0x1f, 0x8b}, -4, false}, {{'P', 'K'}, 22, false}, {{0x1f, 0x1e}, 2, true}};

static bool is_possible(const char *path, uint64_t bytes, ct_error **error) {
  unsigned char magic[2] = {0}, size[4] = {0};
  uint64_t claimed = 0;
  FILE *file = ct_stream_to_read(path, NULL);
  const bool read = file && fread(magic, 1, 2, file) == 2;
  for (size_t n = 0; read && n < sizeof packings / sizeof *packings; n++) {
    const long at = packings[n].at;
    if (memcmp(magic, packings[n].magic, 2) != 0 || fseek(file, at, at < 0 ? SEEK_END : SEEK_SET) != 0 ||
        fread(size, 1, 4, file) != 4)
      continue;
    for (int k = 0; k < 4; k++) claimed = claimed << 8 | size[packings[n].high_first ? k : 3 - k];
  }
  if (file) fclose(file);
  return claimed <= MOST_INFLATED * bytes ||
         ct_error_set(error, CT_ERROR_FORMAT,
                      "%s is a damaged packed file: it claims to hold %llu bytes, more than its %llu can", path,
                      (unsigned long long)claimed, (unsigned long long)bytes);
}

static bool open_file(fits_image *image, const char *path, ct_error **error) {
  int status = 0;
  bool more = false;
  if (!ct_file_size(path, &image->bytes, error) || !(image->path = ct_strdup(path, error))) return false;
  if (!is_possible(path, image->bytes, error)) return false;
  /* A file of the disk: names with brackets or addresses mean nothing. */
  errno = 0;
  if (fits_open_diskfile(&image->file, path, READONLY, &status)) return fail(image, status, error);
  if (!find_unit(image, 1, &more, error)) return false;
  return more || ct_error_set(error, CT_ERROR_FORMAT, "%s holds no image", path);
}

static void *codec_open(const char *path, ct_image_facts *facts, ct_error **error) {
  fits_image *image = ct_alloc_zero(1, sizeof *image, "an image", error);
  if (!image) return NULL;
  pthread_mutex_lock(&lock);
  const bool good = open_file(image, path, error);
  if (good)
    *facts = image->facts;
  else
    close_file(image);
  pthread_mutex_unlock(&lock);
  return good ? image : NULL;
}

static bool codec_next(void *state, bool *more, ct_image_facts *facts, ct_error **error) {
  fits_image *image = state;
  *more = image->plane + 1 < image->planes;
  if (*more) {
    image->plane++;
    return true;
  }
  pthread_mutex_lock(&lock);
  const bool good = find_unit(image, image->unit + 1, more, error);
  pthread_mutex_unlock(&lock);
  if (good && *more) *facts = image->facts;
  return good;
}

static uint64_t codec_tell(const void *state) {
  const fits_image *image = state;
  return (uint64_t)image->unit << 32 | (uint32_t)image->plane;
}

static bool codec_seek(void *state, uint64_t page, ct_image_facts *facts, ct_error **error) {
  fits_image *image = state;
  bool more = true, good = true;
  if (image->unit != (int)(page >> 32)) {
    pthread_mutex_lock(&lock);
    good = find_unit(image, (int)(page >> 32), &more, error);
    pthread_mutex_unlock(&lock);
  }
  image->plane = (int)(page & UINT32_MAX);
  if (good && (!more || image->unit != (int)(page >> 32) || image->plane >= image->planes))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is damaged: an image of it is gone", image->path);
  if (good) *facts = image->facts;
  return good;
}

static bool codec_read(void *state, int row0, int rows, float *out, ct_error **error) {
  fits_image *image = state;
  const LONGLONG width = image->facts.width, first = ((LONGLONG)image->plane * image->facts.height + row0) * width + 1;
  float blank = NAN;
  int status = 0, any;
  pthread_mutex_lock(&lock);
  fits_read_img(image->file, TFLOAT, first, rows * width, &blank, out, &any, &status);
  const bool good = status == 0 || fail(image, status, error);
  pthread_mutex_unlock(&lock);
  return good;
}

static const ct_image_codec codec = {
    .title = "FITS",
    .extensions = EXTENSIONS,
    .open = codec_open,
    .close = codec_close,
    .next = codec_next,
    .tell = codec_tell,
    .seek = codec_seek,
    .read = codec_read,
};

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return ct_series_probe_folder(path, EXTENSIONS);
  return ct_probe_confidence(path, EXTENSIONS, header_size >= 9 && memcmp(header, "SIMPLE  =", 9) == 0);
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  return ct_image_scan_open(&codec, path, options, error);
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  return ct_image_scan_reads(&codec, path, file);
}

const ct_format ct_format_fits = {
    .id = "fits",
    .title = "FITS series",
    .extensions = EXTENSIONS,
    .notes = "folder, numbered pattern, cubes and extensions",
    .images = "FITS",
    .probe = probe,
    .open_scan = open_scan,
    .reads = reads,
};
