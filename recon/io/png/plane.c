/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plane as a grey PNG: low..high to black..white, vertical axis upwards, so that the last row of the plane comes
 * first. */
#include "recon/io/png/plane.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/base/output.h"
#include "recon/base/text.h"

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
  ct_png_plane plane; /* low and high are numbers */
  unsigned char *row;
  int number; /* errno of the error */
  char message[160];
} plane_writer;

static void keep_error(png_structp png, png_const_charp message) {
  plane_writer *writer = png_get_error_ptr(png);
  writer->number = errno;
  snprintf(writer->message, sizeof writer->message, "%s", message);
  png_longjmp(png, 1);
}

static void drop_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static int compare_floats(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* The 0.1 % and 99.9 % percentiles of the finite values, where the caller gives no limits. */
static bool find_range(ct_png_plane *plane, const char *path, ct_error **error) {
  if (isnan(plane->low) || isnan(plane->high)) {
    const size_t count = (size_t)plane->width * (size_t)plane->height;
    float *sorted = ct_alloc(count, sizeof *sorted, "a plane", error);
    if (!sorted) return false;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
      if (isfinite(plane->values[i])) sorted[n++] = plane->values[i];
    qsort(sorted, n, sizeof *sorted, compare_floats);
    if (isnan(plane->low)) plane->low = n ? sorted[(size_t)(0.001 * (double)(n - 1) + 0.5)] : 0;
    if (isnan(plane->high)) plane->high = n ? sorted[(size_t)(0.999 * (double)(n - 1) + 0.5)] : 1;
    ct_free(sorted);
  }
  if (!isfinite(plane->low) || !isfinite(plane->high))
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The grey values of %s have limits that are not finite", path);
  if (!(plane->low < plane->high)) plane->high = plane->low + (fabs(plane->low) > 1 ? fabs(plane->low) * 1e-6 : 1e-6);
  return true;
}

static void convert_row(const plane_writer *writer, const float *values) {
  const ct_png_plane *plane = &writer->plane;
  const double top = plane->bits == 16 ? 65535 : 255, scale = top / (plane->high - plane->low);
  for (int i = 0; i < plane->width; i++) {
    const double exact = ((double)values[i] - plane->low) * scale + 0.5;
    const unsigned grey = exact >= top ? (unsigned)top : exact >= 1 ? (unsigned)exact : 0; /* NaN fails both: black */
    if (plane->bits == 16) {
      writer->row[2 * i] = (unsigned char)(grey >> 8);
      writer->row[2 * i + 1] = (unsigned char)grey;
    } else {
      writer->row[i] = (unsigned char)grey;
    }
  }
}

/* The texts in the picture: what made it, the values of black and white, the plan. */
static void set_texts(plane_writer *writer, char *low, char *high) {
  const char *plan = writer->plane.plan;
  char software[] = "Gantry " GANTRY_VERSION, black[] = "Gantry black", white[] = "Gantry white", key[] = CT_PNG_PLAN,
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
static bool encode(plane_writer *writer, char *low, char *high, ct_error **error) {
  if (setjmp(png_jmpbuf(writer->png))) {
    if (writer->number) return ct_error_set_errno(error, writer->number, "Cannot write %s", writer->path);
    return ct_error_set(error, CT_ERROR_IO, "Cannot write %s (%s)", writer->path, writer->message);
  }
  const ct_png_plane *plane = &writer->plane;
  png_init_io(writer->png, writer->file);
  png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR(writer->png, writer->info, (png_uint_32)plane->width, (png_uint_32)plane->height, plane->bits,
               PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  const double per_metre_x = 1000 / plane->pixel_x, per_metre_y = 1000 / plane->pixel_y;
  const bool scaled = !ct_units_are_pixels(ct_units_of_header(plane->plan));
  if (scaled && per_metre_x >= 0.5 && per_metre_y >= 0.5 && per_metre_x < 2147483647.0 && per_metre_y < 2147483647.0)
    png_set_pHYs(writer->png, writer->info, (png_uint_32)(per_metre_x + 0.5), (png_uint_32)(per_metre_y + 0.5),
                 PNG_RESOLUTION_METER);
  set_texts(writer, low, high);
  errno = 0;
  png_write_info(writer->png, writer->info);
  for (int j = plane->height - 1; j >= 0; j--) {
    convert_row(writer, plane->values + (size_t)j * (size_t)plane->width);
    png_write_row(writer->png, writer->row);
  }
  png_write_end(writer->png, NULL);
  return true;
}

static bool write_file(plane_writer *writer, const char *to, ct_error **error) {
  char low[32], high[32];
  ct_double_to_text(writer->plane.low, low);
  ct_double_to_text(writer->plane.high, high);
  writer->file = fopen(to, "wbe");
  if (!writer->file) return ct_error_set_errno(error, errno, "Cannot write %s", writer->path);
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, keep_error, drop_warning);
  writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
  bool good = writer->info || ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to write %s", writer->path);
  good = good && encode(writer, low, high, error);
  png_destroy_write_struct(&writer->png, &writer->info);
  errno = 0;
  if (fclose(writer->file) != 0 && good) good = ct_error_set_errno(error, errno, "Cannot write %s", writer->path);
  return good;
}

bool ct_png_write_plane(const char *path, const ct_png_plane *plane, ct_error **error) {
  const int bits = plane->bits;
  if (plane->width < 1 || plane->height < 1 || (bits != 8 && bits != 16))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "A picture of %d x %d pixels of %d bits cannot be written to %s; 8 and 16 bits can",
                        plane->width, plane->height, bits, path);
  plane_writer writer = {.path = path, .plane = *plane};
  if (!find_range(&writer.plane, path, error)) return false;
  ct_output *output = NULL;
  writer.row = ct_alloc((size_t)plane->width, (size_t)bits / 8, "a row of a picture", error);
  const bool good = writer.row && (output = ct_output_begin(path, false, error)) &&
                    write_file(&writer, ct_output_get_path(output), error);
  ct_free(writer.row);
  if (good) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}
