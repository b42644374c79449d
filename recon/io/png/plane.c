/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane as a grey PNG: low..high to black..white, vertical axis upwards, so that the last row of the plane comes
 * first. */
#include "recon/base/memory.h"
#include "recon/io/shared/io-private.h"
#include "recon/base/output.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct plane_writer {
  const char *path;
  FILE *file;
  png_structp png;
  png_infop info;
  int width, height, bits;
  double low, high;
  unsigned char *row;
  int number; /* errno of the fault */
  char words[160];
} plane_writer;

static void keep_fault(png_structp png, png_const_charp words) {
  plane_writer *writer = png_get_error_ptr(png);
  writer->number = errno;
  snprintf(writer->words, sizeof writer->words, "%s", words);
  png_longjmp(png, 1);
}

static void drop_warning(png_structp png, png_const_charp words) {
  (void)png;
  (void)words;
}

static int compare_floats(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* The 0.1 % and 99.9 % percentiles of the finite values, where the caller gives no limits. */
static bool find_range(plane_writer *writer, const float *plane, double low, double high, ct_error **error) {
  writer->low = low;
  writer->high = high;
  if (isnan(low) || isnan(high)) {
    const size_t count = (size_t)writer->width * (size_t)writer->height;
    float *sorted = ct_alloc(count, sizeof *sorted, "a plane", error);
    if (!sorted) return false;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
      if (isfinite(plane[i])) sorted[n++] = plane[i];
    qsort(sorted, n, sizeof *sorted, compare_floats);
    if (isnan(low)) writer->low = n ? sorted[(size_t)(0.001 * (double)(n - 1) + 0.5)] : 0;
    if (isnan(high)) writer->high = n ? sorted[(size_t)(0.999 * (double)(n - 1) + 0.5)] : 1;
    ct_free(sorted);
  }
  if (!isfinite(writer->low) || !isfinite(writer->high))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The grey values of %s have limits that are not finite",
                        writer->path);
  if (!(writer->low < writer->high))
    writer->high = writer->low + (fabs(writer->low) > 1 ? fabs(writer->low) * 1e-6 : 1e-6);
  return true;
}

static void convert_row(const plane_writer *writer, const float *values) {
  const double top = writer->bits == 16 ? 65535 : 255, scale = top / (writer->high - writer->low);
  for (int i = 0; i < writer->width; i++) {
    const double grey = ((double)values[i] - writer->low) * scale + 0.5;
    const unsigned level = grey >= top ? (unsigned)top : grey >= 1 ? (unsigned)grey : 0; /* NaN fails both: black */
    if (writer->bits == 16) {
      writer->row[2 * i] = (unsigned char)(level >> 8);
      writer->row[2 * i + 1] = (unsigned char)level;
    } else {
      writer->row[i] = (unsigned char)level;
    }
  }
}

/* The texts in the picture: what made it, the values of black and white, the plan. */
static void set_texts(plane_writer *writer, char *low, char *high, const char *plan) {
  char software[] = "Gantry " GANTRY_VERSION, black[] = "Gantry black", white[] = "Gantry white", key[] = "Gantry plan",
       title[] = "Software";
  png_text texts[4] = {
      {.compression = PNG_TEXT_COMPRESSION_NONE, .key = title, .text = software},
      {.compression = PNG_TEXT_COMPRESSION_NONE, .key = black, .text = low},
      {.compression = PNG_TEXT_COMPRESSION_NONE, .key = white, .text = high},
      {.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = (png_charp)plan},
  };
  /* tEXt is Latin-1, iTXt UTF-8. */
  for (const char *c = plan; c && *c; c++)
    if ((unsigned char)*c > 127) texts[3].compression = PNG_ITXT_COMPRESSION_NONE;
  png_set_text(writer->png, writer->info, texts, plan ? 4 : 3); /* copies */
}

/* Everything that may leave by longjmp. */
static bool encode(plane_writer *writer, const float *plane, double pixel_x, double pixel_y, char *low, char *high,
                   const char *plan, ct_error **error) {
  if (setjmp(png_jmpbuf(writer->png))) {
    if (writer->number) return ct_error_set_errno(error, writer->number, "Cannot write %s", writer->path);
    return ct_error_set(error, CT_ERROR_IO, "Cannot write %s (%s)", writer->path, writer->words);
  }
  png_init_io(writer->png, writer->file);
  png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(writer->png, writer->info, (png_uint_32)writer->width, (png_uint_32)writer->height, writer->bits,
               PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  const double per_metre_x = 1000 / pixel_x, per_metre_y = 1000 / pixel_y;
  if (per_metre_x >= 0.5 && per_metre_y >= 0.5 && per_metre_x < 2147483647.0 && per_metre_y < 2147483647.0)
    png_set_pHYs(writer->png, writer->info, (png_uint_32)(per_metre_x + 0.5), (png_uint_32)(per_metre_y + 0.5),
                 PNG_RESOLUTION_METER);
  set_texts(writer, low, high, plan);
  errno = 0;
  png_write_info(writer->png, writer->info);
  for (int j = writer->height - 1; j >= 0; j--) {
    convert_row(writer, plane + (size_t)j * (size_t)writer->width);
    png_write_row(writer->png, writer->row);
  }
  png_write_end(writer->png, NULL);
  return true;
}

static bool write_file(plane_writer *writer, const char *to, const float *plane, double pixel_x, double pixel_y,
                       const char *plan, ct_error **error) {
  char low[32], high[32];
  ct_double_to_text(writer->low, low);
  ct_double_to_text(writer->high, high);
  writer->file = fopen(to, "wbe");
  if (!writer->file) return ct_error_set_errno(error, errno, "Cannot write %s", writer->path);
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, keep_fault, drop_warning);
  writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
  bool good = writer->info || ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to write %s", writer->path);
  good = good && encode(writer, plane, pixel_x, pixel_y, low, high, plan, error);
  png_destroy_write_struct(&writer->png, &writer->info);
  errno = 0;
  if (fclose(writer->file) != 0 && good) good = ct_error_set_errno(error, errno, "Cannot write %s", writer->path);
  return good;
}

bool ct_png_write_plane(const char *path, const float *plane, int width, int height, double pixel_x, double pixel_y,
                        int bits, double low, double high, const char *plan, ct_error **error) {
  if (width < 1 || height < 1 || (bits != 8 && bits != 16))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A picture of %d x %d pixels of %d bits cannot be written to %s; 8 and 16 bits can", width,
                        height, bits, path);
  plane_writer writer = {.path = path, .width = width, .height = height, .bits = bits};
  if (!find_range(&writer, plane, low, high, error)) return false;
  ct_output *output = NULL;
  writer.row = ct_alloc((size_t)width, (size_t)bits / 8, "a row of a picture", error);
  bool good = writer.row && (output = ct_output_begin(path, false, error)) &&
              write_file(&writer, ct_output_get_path(output), plane, pixel_x, pixel_y, plan, error);
  ct_free(writer.row);
  if (good) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}
