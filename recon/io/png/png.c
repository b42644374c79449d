/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 8- and 16-bit grey PNG images as scans: row 0 is the top. libpng leaves a function by longjmp on an error;
 * every call of it stands in a function that sets the mark first and holds nothing of its own across it. */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <errno.h>
#include <limits.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of an interlaced image, which is unpacked whole. */
enum { MAX_INTERLACED = 512 << 20 };

typedef struct png_file {
  char *path;
  FILE *file;
  uint64_t file_bytes;
  png_structp png;
  png_infop info;
  ct_image_facts facts;
  size_t row_bytes;
  bool interlaced;
  int next_row;         /* the row that libpng decodes next */
  unsigned char *row;   /* one row */
  unsigned char *whole; /* an interlaced image, once decoded */
  char message[160];    /* libpng's message */
} png_file;

static void keep_error(png_structp png, png_const_charp message) {
  png_file *image = png_get_error_ptr(png);
  snprintf(image->message, sizeof image->message, "%s", message);
  png_longjmp(png, 1);
}

static void drop_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

/* libpng allocates a chunk's stated length before it finds the file too short for it. Apart from rows and tables,
 * nothing that a grey image needs is larger than the file. */
static png_voidp allocate(png_structp png, png_alloc_size_t bytes) {
  const png_file *image = png_get_mem_ptr(png);
  return bytes > image->file_bytes + ((uint64_t)16 << 20) ? NULL : ct_alloc(bytes, 1, "a picture", NULL);
}

static void release(png_structp png, png_voidp block) {
  (void)png;
  ct_free(block);
}

static bool fail(png_file *image, const char *what, ct_error **error) {
  ct_error_set(error, CT_ERROR_FORMAT, "%s %s%s%s%s", image->path, what, image->message[0] ? " (" : "", image->message,
               image->message[0] ? ")" : "");
  image->message[0] = 0;
  return false;
}

static void end_decoder(png_file *image) {
  png_destroy_read_struct(&image->png, &image->info, NULL);
  image->png = NULL;
  image->info = NULL;
}

/* From the start of the file to the end of its header chunks. */
static bool begin_decoder(png_file *image, ct_error **error) {
  end_decoder(image);
  image->next_row = 0;
  errno = 0;
  if (fseek(image->file, 0, SEEK_SET) != 0) return ct_error_set_errno(error, errno, "Cannot read %s", image->path);
  image->png =
      png_create_read_struct_2(PNG_LIBPNG_VER_STRING, image, keep_error, drop_warning, image, allocate, release);
  image->info = image->png ? png_create_info_struct(image->png) : NULL;
  if (!image->info) return ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to read %s", image->path);
  if (setjmp(png_jmpbuf(image->png))) return fail(image, "is not a readable PNG image", error);
  png_init_io(image->png, image->file);
  /* Texts and profiles are not used: at most 64 of 1 MiB, not libpng's 1000 of 8. */
  png_set_chunk_cache_max(image->png, 64);
  png_set_chunk_malloc_max(image->png, 1 << 20);
  png_read_info(image->png, image->info);
  return true;
}

static bool check_image(png_file *image, ct_error **error) {
  const png_uint_32 width = png_get_image_width(image->png, image->info),
                    height = png_get_image_height(image->png, image->info);
  const int bits = png_get_bit_depth(image->png, image->info), colour = png_get_color_type(image->png, image->info);
  if (colour != PNG_COLOR_TYPE_GRAY)
    return ct_error_set(
        error, CT_ERROR_UNSUPPORTED,
        "%s is a colour image or has an alpha channel; a grey one is expected: save it as grey, without "
        "transparency",
        image->path);
  if (bits != 8 && bits != 16)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s has %d bits per pixel; 8 or 16 are expected", image->path,
                        bits);
  size_t bytes;
  if (width < 1 || height < 1 || width > INT_MAX || height > INT_MAX ||
      !ct_size_product(width, height, 1, (size_t)bits / 8, &bytes))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s states an impossible image size", image->path);
  if (bytes / 1032 > image->file_bytes) /* zlib expands by 1032 at most */
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s ends early: its header promises more pixels (%lu x %lu) than its %llu bytes can hold",
                        image->path, (unsigned long)width, (unsigned long)height,
                        (unsigned long long)image->file_bytes);
  image->facts = (ct_image_facts){.width = (int)width,
                                  .height = (int)height,
                                  .type = bits == 16 ? CT_SAMPLE_UINT16 : CT_SAMPLE_UINT8,
                                  .flip_rows = true};
  image->row_bytes = (size_t)width * (size_t)bits / 8;
  image->interlaced = png_get_interlace_type(image->png, image->info) != PNG_INTERLACE_NONE;
  if (image->interlaced && bytes > MAX_INTERLACED)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s is interlaced, so that all of its %lu x %lu pixels have to be unpacked at once, which is "
                        "done up to 512 MiB. Write it without interlacing.",
                        image->path, (unsigned long)width, (unsigned long)height);
  return true;
}

static void codec_close(void *state) {
  png_file *image = state;
  if (!image) return;
  end_decoder(image);
  if (image->file) fclose(image->file);
  ct_free(image->row);
  ct_free(image->whole);
  ct_free(image->path);
  ct_free(image);
}

static void *codec_open(const char *path, ct_image_facts *facts, ct_error **error) {
  uint64_t bytes;
  if (!ct_file_size(path, &bytes, error)) return NULL;
  if (bytes == 0) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s is empty", path);
    return NULL;
  }
  png_file *image = ct_alloc_zero(1, sizeof *image, "an image", error);
  if (!image) return NULL;
  image->file_bytes = bytes;
  bool good = (image->path = ct_strdup(path, error)) != NULL;
  good = good && (image->file = ct_stream_to_read(path, error)) && begin_decoder(image, error) &&
         check_image(image, error) && (image->row = ct_alloc(image->row_bytes, 1, "a row of an image", error));
  if (good) {
    *facts = image->facts;
    return image;
  }
  codec_close(image);
  return NULL;
}

/* The next row into image->row. */
static bool decode_row(png_file *image, ct_error **error) {
  if (setjmp(png_jmpbuf(image->png))) return fail(image, "is damaged or cut off", error);
  png_read_row(image->png, image->row, NULL);
  image->next_row++;
  return true;
}

/* An interlaced image comes in seven passes, so that no row is complete before the last. */
static bool decode_passes(png_file *image, ct_error **error) {
  if (setjmp(png_jmpbuf(image->png))) return fail(image, "is damaged or cut off", error);
  const int passes = png_set_interlace_handling(image->png);
  for (int pass = 0; pass < passes; pass++)
    for (int row = 0; row < image->facts.height; row++)
      png_read_row(image->png, image->whole + (size_t)row * image->row_bytes, NULL);
  return true;
}

static bool decode_whole(png_file *image, ct_error **error) {
  image->whole = ct_alloc_zero((size_t)image->facts.height, image->row_bytes, "an interlaced image", error);
  if (image->whole && begin_decoder(image, error) && decode_passes(image, error)) return true;
  ct_free(image->whole);
  image->whole = NULL;
  return false;
}

static bool codec_read(void *state, int row0, int rows, float *out, ct_error **error) {
  png_file *image = state;
  const size_t width = (size_t)image->facts.width;
  if (image->interlaced) {
    if (!image->whole && !decode_whole(image, error)) return false;
    ct_samples_to_float(image->whole + (size_t)row0 * image->row_bytes, image->facts.type, true, (size_t)rows * width,
                        out);
    return true;
  }
  /* Rows can only be decoded in order: going back, or on after an error, begins again. */
  if ((!image->png || row0 < image->next_row) && !begin_decoder(image, error)) return false;
  while (image->next_row < row0 + rows) {
    const int row = image->next_row;
    if (!decode_row(image, error)) {
      end_decoder(image);
      return false;
    }
    if (row >= row0)
      ct_samples_to_float(image->row, image->facts.type, true, width, out + (size_t)(row - row0) * width);
  }
  return true;
}

static const ct_image_codec png_codec = {
    .title = "PNG",
    .extensions = "png",
    .open = codec_open,
    .close = codec_close,
    .read = codec_read,
};

static int probe(const char *path, const unsigned char *header, size_t header_size, bool is_folder) {
  if (is_folder) return ct_series_probe_folder(path, png_codec.extensions);
  return ct_probe_confidence(path, png_codec.extensions, header_size >= 8 && png_sig_cmp(header, 0, 8) == 0);
}

static ct_scan *open_scan(const char *path, const ct_open_options *options, ct_error **error) {
  return ct_image_scan_open(&png_codec, path, options, error);
}

static bool reads(const char *path, const ct_open_options *options, const char *file) {
  (void)options;
  return ct_image_scan_reads(&png_codec, path, file);
}

const ct_format ct_format_png = {
    .id = "png",
    .title = "PNG stack",
    .extensions = "png",
    .notes = "folder or numbered pattern; 8, 16 bit",
    .also_written = "slices",
    .images = "PNG",
    .probe = probe,
    .open_scan = open_scan,
    .reads = reads,
};
