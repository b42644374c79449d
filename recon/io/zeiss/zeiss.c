/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format of Zeiss (Xradia) microscopes: .txrm, a scan, .xrm, one picture, .txm, a volume; compound files with a
 * stream a picture. Facts: the readers of dxchange, CIL and txrm2tiff. Integers and reals are little-endian, of 32
 * bits. ImageInfo/ImageWidth, ImageHeight, DataType (3 uint8, 5 uint16, 10 float32), ImagesTaken or NoOfImages
 *   ImageInfo/Angles (degrees), PixelSize (micrometres, at the object), XrayGeometry (1: cone), AcquisitionMode (0: a
 *   scan), StoRADistance, DtoRADistance (mm, of either sign), a number a picture
 *   Alignment/X-Shifts, Y-Shifts (pixels by which a picture is to be moved)
 *   ImageData1/Image1 .. Image100, ImageData2/Image101, ...; ReferenceData/Image, the flat field */
#include "recon/io/zeiss/compound-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/shared/source-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXTENSIONS "txrm xrm txm"

enum { LARGEST_SIDE = 65536, MOST_IMAGES = 1000000, IN_STORAGE = 100 };

typedef struct {
  char *path;
  ct_compound *file;
  ct_source source;
  int width, height, count;
  ct_sample_type type;
  int *images;   /* [count], streams */
  int *shifts;   /* [count][2], whole pixels; NULL: none */
  int reference; /* stream, -1: none */
  ct_sample_type reference_type;
  unsigned char *row;
} zeiss;

static void free_zeiss(void *state) {
  zeiss *z = state;
  if (!z) return;
  ct_compound_close(z->file);
  ct_free(z->images);
  ct_free(z->shifts);
  ct_free(z->row);
  ct_free(z->path);
  ct_free(z);
}

/* The first number of a stream; false where it is not there. */
static bool get_number(const zeiss *z, const char *name, bool real, double *value) {
  unsigned char bytes[4];
  uint64_t size;
  const int stream = ct_compound_find(z->file, name, &size);
  if (stream < 0 || size < 4 || !ct_compound_read(z->file, stream, 0, bytes, 4, NULL)) return false;
  const uint32_t word =
      (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  float single;
  memcpy(&single, &word, sizeof single);
  *value = real ? (double)single : (double)(int32_t)word;
  return isfinite(*value);
}

/* A real number a picture (ct_free); NULL where there are not so many. */
static float *get_list(const zeiss *z, const char *name) {
  uint64_t size;
  const int stream = ct_compound_find(z->file, name, &size);
  if (stream < 0 || size / 4 < (uint64_t)z->count) return NULL;
  float *list = ct_alloc((size_t)z->count, sizeof *list, "numbers", NULL);
  bool good = list && ct_compound_read(z->file, stream, 0, list, (size_t)z->count * sizeof *list, NULL);
  if (good) ct_samples_to_float(list, CT_SAMPLE_FLOAT32, false, (size_t)z->count, list);
  for (int i = 0; good && i < z->count; i++) good = isfinite(list[i]);
  if (good) return list;
  ct_free(list);
  return NULL;
}

static bool read_counts(zeiss *z, ct_error **error) {
  double width, height, type, count;
  if (!get_number(z, "ImageInfo/ImageWidth", false, &width) ||
      !get_number(z, "ImageInfo/ImageHeight", false, &height) || !get_number(z, "ImageInfo/DataType", false, &type) ||
      (!get_number(z, "ImageInfo/ImagesTaken", false, &count) && !get_number(z, "ImageInfo/NoOfImages", false, &count)))
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s does not tell the size, kind or number of its pictures (ImageInfo): it is no file of a "
                        "Zeiss microscope, or damaged.",
                        z->path);
  if (width < 1 || height < 1 || count < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE || count > MOST_IMAGES)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible size: %g pictures of %g x %g", z->path, count,
                        width, height);
  if (type != 3 && type != 5 && type != 10)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s holds samples of kind %g; 3 (uint8), 5 (uint16) and 10 (float32) are known.", z->path,
                        type);
  z->width = (int)width;
  z->height = (int)height;
  z->count = (int)count;
  z->type = type == 3 ? CT_SAMPLE_UINT8 : type == 5 ? CT_SAMPLE_UINT16 : CT_SAMPLE_FLOAT32;
  return true;
}

static bool find_images(zeiss *z, ct_error **error) {
  const uint64_t pixels = (uint64_t)z->width * (uint64_t)z->height, bytes = pixels * ct_sample_size(z->type);
  if (bytes > z->source.bytes || bytes * (uint64_t)z->count > z->source.bytes)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: it promises %d pictures of %d x %d, %llu bytes each.",
                        z->path, z->count, z->width, z->height, (unsigned long long)bytes);
  z->images = ct_alloc((size_t)z->count, sizeof *z->images, "a list of pictures", error);
  for (int i = 0; z->images && i < z->count; i++) {
    char name[64];
    uint64_t size;
    snprintf(name, sizeof name, "ImageData%d/Image%d", i / IN_STORAGE + 1, i + 1);
    z->images[i] = ct_compound_find(z->file, name, &size);
    if (z->images[i] < 0 || size < bytes)
      return ct_error_set(error, CT_ERROR_FORMAT, "%s: picture %d of %d is %s.", z->path, i + 1, z->count,
                          z->images[i] < 0 ? "missing" : "cut short");
  }
  uint64_t size;
  z->reference = z->images ? ct_compound_find(z->file, "ReferenceData/Image", &size) : -1;
  if (z->reference < 0) return z->images;
  z->reference_type = size >= pixels * 4 ? CT_SAMPLE_FLOAT32 : CT_SAMPLE_UINT16;
  if (size < pixels * ct_sample_size(z->reference_type)) z->reference = -1;
  return true;
}

/* Moving a picture by parts of a pixel would smooth it. */
static bool find_shifts(zeiss *z, ct_error **error) {
  float *x = get_list(z, "Alignment/X-Shifts"), *y = get_list(z, "Alignment/Y-Shifts");
  bool any = false, good = true;
  for (int i = 0; x && y && i < z->count; i++) any |= rintf(x[i]) != 0 || rintf(y[i]) != 0;
  if (any) good = (z->shifts = ct_alloc((size_t)z->count, 2 * sizeof *z->shifts, "the shifts", error)) != NULL;
  for (int i = 0; any && good && i < z->count; i++) {
    z->shifts[2 * i] = (int)rintf(fmaxf(fminf(x[i], (float)z->width), -(float)z->width));
    z->shifts[2 * i + 1] = (int)rintf(fmaxf(fminf(y[i], (float)z->height), -(float)z->height));
  }
  ct_free(x);
  ct_free(y);
  return good;
}

static zeiss *open_zeiss(const char *path, ct_error **error) {
  zeiss *z = ct_alloc_zero(1, sizeof *z, "a file", error);
  bool good = z && (z->path = ct_strdup(path, error)) && ct_source_take(&z->source, path, error) &&
              (z->file = ct_compound_open(path, error)) && read_counts(z, error) && find_images(z, error) &&
              find_shifts(z, error);
  good = good && (z->row = ct_alloc((size_t)z->width, sizeof(float), "a row of samples", error));
  if (good) return z;
  free_zeiss(z);
  return NULL;
}

static bool read_row(zeiss *z, int stream, ct_sample_type type, int row, float *out, ct_error **error) {
  const size_t width = (size_t)z->width, bytes = width * ct_sample_size(type);
  if (!ct_compound_read(z->file, stream, (uint64_t)row * bytes, z->row, bytes, error)) return false;
  ct_samples_to_float(z->row, type, false, width, out);
  return true;
}

/* Out of the picture's edge comes what is there. */
static void move(float *row, int width, int by) {
  if (by > 0) {
    for (int i = width - 1; i >= 0; i--) row[i] = row[i < by ? 0 : i - by];
  } else {
    for (int i = 0; by < 0 && i < width; i++) row[i] = row[i - by >= width ? width - 1 : i - by];
  }
}

static bool read_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  zeiss *z = state;
  const bool flat = kind == CT_FRAME_FLAT;
  if (kind == CT_FRAME_DARK) return ct_error_set(error, CT_ERROR_ARGUMENT, "%s holds no dark frames.", z->path);
  if (!ct_source_check(&z->source, z->path, error)) return false;
  const int *shift = flat || !z->shifts ? NULL : z->shifts + 2 * index;
  for (int i = 0; i < rows; i++, out += z->width) {
    int row = row0 + i - (shift ? shift[1] : 0);
    row = row < 0 ? 0 : row >= z->height ? z->height - 1 : row;
    if (!read_row(z, flat ? z->reference : z->images[index], flat ? z->reference_type : z->type, row, out, error))
      return false;
    if (shift) move(out, z->width, shift[0]);
  }
  return ct_source_check(&z->source, z->path, error);
}

static bool check_file(void *state, ct_error **error) {
  const zeiss *z = state;
  return ct_source_check(&z->source, z->path, error);
}

/* Distances and pixels. PixelSize is that at the object: the detector's follows by the magnification. */
static void tell_geometry(const zeiss *z, ct_scan_facts *facts, ct_remarks *remarks) {
  ct_geometry *g = &facts->geometry;
  const char *name = ct_path_name(z->path);
  double beam = 0, pixel = 0, source = 0, detector = 0;
  const bool told = get_number(z, "ImageInfo/XrayGeometry", false, &beam);
  get_number(z, "ImageInfo/PixelSize", true, &pixel);
  get_number(z, "ImageInfo/StoRADistance", true, &source);
  get_number(z, "ImageInfo/DtoRADistance", true, &detector);
  source = fabs(source);
  detector = fabs(detector);
  const bool cone = source > 0 && detector > 0 && (!told || beam == 1);
  double magnification = 1;
  if (cone) {
    g->beam = ct_beam_divergent(g->nv);
    g->sod = source;
    g->sdd = source + detector;
    magnification = g->sdd / g->sod;
    facts->known |= CT_KNOWN_DISTANCES;
    ct_remarks_add(remarks, CT_REMARK_READ, name, "source to axis %g mm, axis to detector %g mm", source, detector);
  }
  if (told || cone) facts->known |= CT_KNOWN_BEAM;
  if (pixel > 0) {
    g->du = g->dv = pixel * 1e-3 * magnification;
    facts->known |= CT_KNOWN_PITCH;
    ct_remarks_add(remarks, CT_REMARK_READ, name, "pixels of %g micrometres at the object", pixel);
  }
  if (z->shifts)
    ct_remarks_add(remarks, CT_REMARK_READ, name,
                   "shifts of the pictures, by whole pixels: X-Shifts towards higher columns, Y-Shifts towards later "
                   "rows");
  if (z->reference >= 0) ct_remarks_add(remarks, CT_REMARK_READ, name, "the reference image as flat field");
}

/* What is there and not read. */
static void tell_ignored(const zeiss *z, ct_remarks *remarks) {
  static const char *const centres[] = {"AutoRecon/CenterShift", "ReconSettings/CenterShift"};
  const char *name = ct_path_name(z->path);
  double shift = 0;
  uint64_t size;
  for (int i = 0; i < 2 && shift == 0; i++) get_number(z, centres[i], true, &shift);
  if (shift != 0)
    ct_remarks_add(
        remarks, CT_REMARK_IGNORED, name,
        "CenterShift %g pixels, of the scanner's software: its sign is not known for certain, and the centre is "
        "searched for",
        shift);
  if (z->reference < 0 && ct_compound_find(z->file, "MultiReferenceData/Image1", &size) >= 0)
    ct_remarks_add(
        remarks, CT_REMARK_IGNORED, name,
        "several reference images (MultiReferenceData), so that the scan has no flat field: export them and name "
        "them as \"flats\" in a scan description");
}

static void tell_angles(const zeiss *z, const ct_open_options *options, ct_scan_facts *facts, ct_remarks *remarks) {
  float *angles = options && options->ignore_angles ? NULL : get_list(z, "ImageInfo/Angles");
  if (!angles) {
    facts->note = ct_assume_angles(&facts->geometry);
    return;
  }
  for (int i = 0; i < z->count; i++) facts->geometry.angles[i] = 0 - (double)angles[i] * (M_PI / 180);
  facts->known |= CT_KNOWN_ANGLES;
  ct_free(angles);
  ct_remarks_add(remarks, CT_REMARK_READ, ct_path_name(z->path), "the angles");
  ct_remarks_add(remarks, CT_REMARK_ASSUMED, ct_path_name(z->path),
                 "the gantry turns clockwise as the angles grow, as CIL and MBIRJAX have it (plans with "
                 "geometry.reverse of before "
                 "November 2026 turn it back), and the first row of a picture is the top; geometry.reverse and "
                 "scan.flip_rows turn "
                 "them over");
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  zeiss *z = open_zeiss(path, error);
  if (!z) return NULL;
  ct_remarks remarks = {0};
  ct_scan_facts facts = {.path = path,
                         .format = "Zeiss microscope",
                         .bytes = z->source.bytes,
                         .integers = ct_sample_is_integer(z->type),
                         .values = ct_sample_is_integer(z->type) ? CT_VALUES_COUNTS : CT_VALUES_UNKNOWN,
                         .flip_rows = true,
                         .flats = z->reference >= 0,
                         .remarks = &remarks};
  ct_scan *scan = NULL;
  if (ct_geometry_init(&facts.geometry, CT_BEAM_PARALLEL, z->width, z->height, z->count, error)) {
    tell_geometry(z, &facts, &remarks);
    tell_ignored(z, &remarks);
    tell_angles(z, options, &facts, &remarks);
    scan = ct_scan_new(&facts, (ct_scan_source){z, read_frame, free_zeiss, check_file}, error);
    z = NULL;
  }
  free_zeiss(z);
  ct_geometry_clear(&facts.geometry);
  ct_remarks_clear(&remarks);
  return scan;
}

/* Volumes: pictures are slices, from the first up, and their first row is the highest y. */
static void *open_slices(const char *path, const ct_open_options *options, ct_volume_facts *facts, ct_error **error) {
  (void)options;
  zeiss *z = open_zeiss(path, error);
  double pixel = 0;
  if (!z) return NULL;
  get_number(z, "ImageInfo/PixelSize", true, &pixel);
  facts->grid = ct_grid_centred(z->width, z->height, z->count, pixel > 0 ? pixel * 1e-3 : 1, NULL);
  facts->pitch_unknown = !(pixel > 0);
  facts->file_bytes = z->source.bytes;
  return z;
}

static bool read_slice_rows(void *state, int k, int row0, int rows, float *out, ct_error **error) {
  zeiss *z = state;
  bool good = true;
  for (int j = row0; good && j < row0 + rows; j++, out += z->width)
    good = read_row(z, z->images[k], z->type, z->height - 1 - j, out, error);
  return good;
}

static const ct_slice_reader reader = {open_slices, read_slice_rows, check_file, free_zeiss};

static bool read_plan(const char *path, const char *dataset, char **plan, ct_error **error) {
  (void)dataset;
  zeiss *z = open_zeiss(path, error);
  const bool good = z != NULL;
  *plan = NULL;
  free_zeiss(z);
  return good;
}

/* What has angles was scanned, unless it says that it was reconstructed. */
static ct_content content(const char *path, const char *dataset) {
  (void)dataset;
  zeiss *z = open_zeiss(path, NULL);
  double mode;
  if (!z) return CT_CONTENT_SCAN;
  float *angles = get_list(z, "ImageInfo/Angles");
  const bool scan = get_number(z, "ImageInfo/AcquisitionMode", false, &mode) ? mode == 0 : angles != NULL;
  const bool single = z->count == 1;
  ct_free(angles);
  free_zeiss(z);
  return scan || single || !ct_path_has_extension(path, "txm") ? CT_CONTENT_SCAN : CT_CONTENT_VOLUME;
}

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder || !ct_path_has_extension(path, EXTENSIONS)) return 0;
  return ct_probe_confidence(path, EXTENSIONS, header_size >= 8 && memcmp(header, CT_COMPOUND_MAGIC, 8) == 0);
}

const ct_format ct_format_zeiss = {
    .id = "zeiss",
    .title = "Zeiss microscope",
    .extensions = EXTENSIONS,
    .notes = "scans with reference, angles, distances and shifts; volumes",
    .probe = probe,
    .content = content,
    .open_scan = open_scan,
    .reader = &reader,
    .read_plan = read_plan,
};
