/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows bitmaps as stacks of grey images, not compressed: 8 bits with a grey palette, and 16, 24 and 32 bits whose
 * three channels are equal. Rows run from the bottom up, or from the top down where the height is negative, and are
 * padded to four bytes. Source: Microsoft, "Bitmap Storage", BITMAPCOREHEADER, BITMAPINFOHEADER. */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { FILE_HEADER = 14, CORE_HEADER = 12, INFO_HEADER = 40, COLOURS = 256, PLAIN = 0, MASKS = 3 };

typedef struct {
  char *path;
  int descriptor;
  ct_image_facts facts;
  int bits;
  bool wide_green; /* 16 bits: six for green */
  uint64_t first;  /* byte of the first row */
  size_t row_bytes;
  unsigned char grey[COLOURS];
  unsigned char *row;
} bmp_file;

static uint32_t word(const unsigned char *bytes, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++) value |= (uint32_t)bytes[i] << (8 * i);
  return value;
}

static bool refuse(const bmp_file *image, const char *what, ct_error **error) {
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is a bitmap %s; save it as TIFF or PNG of grey values.",
                      image->path, what);
}

/* Palettes of greys in any order; one without entries is black to white. */
static bool read_palette(bmp_file *image, uint64_t at, uint32_t used, int entry, ct_error **error) {
  unsigned char palette[4 * COLOURS];
  uint64_t count = used ? used : COLOURS;
  const uint64_t room = image->first > at ? (image->first - at) / (uint64_t)entry : 0;
  if (count > room) count = room;
  if (count > COLOURS) count = COLOURS;
  for (int i = 0; i < COLOURS; i++) image->grey[i] = (unsigned char)i;
  if (!count) return true;
  if (!ct_read_exactly(image->descriptor, image->path, palette, (size_t)count * (size_t)entry, (off_t)at, error))
    return false;
  for (size_t i = 0; i < count; i++) {
    const unsigned char *colour = palette + i * (size_t)entry;
    if (colour[0] != colour[1] || colour[1] != colour[2]) return refuse(image, "in colour", error);
    image->grey[i] = colour[0];
  }
  return true;
}

static bool check_masks(bmp_file *image, uint32_t size, ct_error **error) {
  unsigned char masks[12];
  (void)size;
  if (!ct_read_exactly(image->descriptor, image->path, masks, sizeof masks, FILE_HEADER + INFO_HEADER, error))
    return false;
  const uint32_t r = word(masks, 4), g = word(masks + 4, 4), b = word(masks + 8, 4);
  image->wide_green = image->bits == 16 && r == 0xf800 && g == 0x07e0 && b == 0x001f;
  const bool plain =
      image->bits == 16 ? r == 0x7c00 && g == 0x03e0 && b == 0x001f : r == 0xff0000 && g == 0xff00 && b == 0xff;
  return image->wide_green || plain || refuse(image, "with bit masks that are not read", error);
}

static bool read_header(bmp_file *image, uint64_t bytes, ct_error **error) {
  unsigned char h[FILE_HEADER + INFO_HEADER] = {0};
  const size_t there = bytes < sizeof h ? (size_t)bytes : sizeof h;
  if (there < FILE_HEADER + CORE_HEADER)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is cut off: it ends in its header.", image->path);
  if (!ct_read_exactly(image->descriptor, image->path, h, there, 0, error)) return false;
  const uint32_t size = word(h + 14, 4);
  const bool core = size == CORE_HEADER;
  if (h[0] != 'B' || h[1] != 'M' || (!core && (size < INFO_HEADER || size > 1 << 16 || there < sizeof h)))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is no readable bitmap.", image->path);
  const int64_t width = core ? (int64_t)word(h + 18, 2) : (int32_t)word(h + 18, 4),
                signed_height = core ? (int64_t)word(h + 20, 2) : (int32_t)word(h + 22, 4),
                height = signed_height < 0 ? -signed_height : signed_height;
  const uint32_t packing = core ? PLAIN : word(h + 30, 4);
  image->bits = (int)word(h + (core ? 24 : 28), 2);
  image->first = word(h + 10, 4);
  if (width < 1 || height < 1 || width > INT_MAX / 32 || height > INT_MAX)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible image size.", image->path);
  if (image->bits != 8 && image->bits != 16 && image->bits != 24 && image->bits != 32)
    return refuse(image, "of fewer than 8 bits a pixel, or of a kind that is not read", error);
  if (packing != PLAIN && !(packing == MASKS && image->bits != 8 && image->bits != 24))
    return refuse(image, "with compressed pixels", error);
  if (packing == MASKS && !check_masks(image, size, error)) return false;
  image->row_bytes = ((size_t)width * (size_t)image->bits + 31) / 32 * 4;
  if (image->first < FILE_HEADER + size || image->first > bytes ||
      (bytes - image->first) / image->row_bytes < (uint64_t)height)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s ends early: its header promises %lld x %lld pixels, its %llu bytes "
                        "hold fewer.",
                        image->path, (long long)width, (long long)height, (unsigned long long)bytes);
  image->facts = (ct_image_facts){
      .width = (int)width, .height = (int)height, .type = CT_SAMPLE_UINT8, .flip_rows = signed_height < 0};
  return image->bits != 8 ||
         read_palette(image, FILE_HEADER + (uint64_t)size, core ? 0 : word(h + 46, 4), core ? 3 : 4, error);
}

static void codec_close(void *state) {
  bmp_file *image = state;
  if (!image) return;
  if (image->descriptor >= 0) close(image->descriptor);
  ct_free(image->row);
  ct_free(image->path);
  ct_free(image);
}

static void *codec_open(const char *path, ct_image_facts *facts, ct_error **error) {
  uint64_t bytes;
  if (!ct_file_size(path, &bytes, error)) return NULL;
  bmp_file *image = ct_alloc_zero(1, sizeof *image, "an image", error);
  if (!image) return NULL;
  image->descriptor = ct_open_to_read(path, error);
  bool good = image->descriptor >= 0 && (image->path = ct_strdup(path, error)) && read_header(image, bytes, error) &&
              (image->row = ct_alloc(image->row_bytes, 1, "a row of an image", error));
  if (good) {
    *facts = image->facts;
    return image;
  }
  codec_close(image);
  return NULL;
}

/* The three channels of a pixel, which begins at `at`. */
static void split(const bmp_file *image, const unsigned char *at, uint32_t c[3]) {
  if (image->bits != 16) {
    for (int i = 0; i < 3; i++) c[i] = at[i];
    return;
  }
  const uint32_t value = word(at, 2), top = image->wide_green ? 11 : 10;
  c[0] = value & 31;
  c[1] = image->wide_green ? value >> 6 & 31 : value >> 5 & 31;
  c[2] = value >> top & 31;
}

static bool codec_read(void *state, int row0, int rows, float *out, ct_error **error) {
  bmp_file *image = state;
  const int step = image->bits / 8;
  for (int row = row0; row < row0 + rows; row++, out += image->facts.width) {
    const off_t at = (off_t)(image->first + (uint64_t)row * image->row_bytes);
    if (!ct_read_exactly(image->descriptor, image->path, image->row, image->row_bytes, at, error)) return false;
    for (int i = 0; i < image->facts.width; i++) {
      uint32_t c[3];
      if (image->bits == 8) {
        out[i] = image->grey[image->row[i]];
        continue;
      }
      split(image, image->row + (size_t)i * (size_t)step, c);
      if (c[0] != c[1] || c[1] != c[2]) return refuse(image, "in colour", error);
      out[i] = (float)c[0];
    }
  }
  return true;
}

static const ct_image_codec bmp_codec = {
    .title = "BMP",
    .extensions = "bmp",
    .open = codec_open,
    .close = codec_close,
    .read = codec_read,
};

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return ct_series_probe_folder(path, bmp_codec.extensions);
  return ct_probe_confidence(path, bmp_codec.extensions,
                             header_size >= 18 && header[0] == 'B' && header[1] == 'M' && header[15] == 0 &&
                                 header[16] == 0 && header[17] == 0);
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  return ct_image_scan_open(&bmp_codec, path, options, error);
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  (void)options;
  return ct_image_scan_reads(&bmp_codec, path, file);
}

const ct_format ct_format_bmp = {
    .id = "bmp",
    .title = "BMP stack",
    .extensions = "bmp",
    .notes = "folder or numbered pattern; grey of 8, 16, 24 and 32 bit",
    .images = "BMP",
    .probe = probe,
    .open_scan = open_scan,
    .reads = reads,
};
