/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By libpng's simplified interface, which unpacks all kinds into red, green, blue and alpha of 8 bits. */
#include "recon/io/png/grey.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

/* Pixels: 1 GiB of colours while it is read. */
enum { LARGEST = 1 << 28 };

bool ct_png_is_coloured(const char *path) {
  unsigned char head[26]; /* the signature, length and type of IHDR, sizes, bits, colour type */
  const bool is_png = ct_read_beginning(path, head, sizeof head, NULL) == sizeof head && !png_sig_cmp(head, 0, 8);
  return is_png && (head[25] != PNG_COLOR_TYPE_GRAY || head[24] < 8);
}

static bool unpack(png_image *image, const char *path, unsigned char **colours, ct_error **error) {
  if ((uint64_t)image->width * image->height > LARGEST)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s is a picture of %lu x %lu pixels, and up to 16384 x 16384 are read: make it smaller, or "
                        "save it as a grey PNG of 8 or 16 bits without an alpha channel.",
                        path, (unsigned long)image->width, (unsigned long)image->height);
  image->format = PNG_FORMAT_RGBA;
  image->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  *colours = ct_alloc((size_t)image->width * image->height, 4, "a picture", error);
  if (!*colours) return false;
  /* A negative stride puts the first row last. */
  if (png_image_finish_read(image, NULL, *colours, -4 * (png_int_32)image->width, NULL)) return true;
  return ct_error_set(error, CT_ERROR_FORMAT, "%s is damaged or cut off (%s)", path, image->message);
}

float *ct_png_read_grey(const char *path, int *width, int *height, ct_error **error) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  unsigned char *colours = NULL;
  float *grey = NULL;
  if (!png_image_begin_read_from_file(&image, path)) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s is not a readable PNG image (%s)", path, image.message);
    return NULL;
  }
  const size_t pixels = (size_t)image.width * image.height;
  if (unpack(&image, path, &colours, error)) grey = ct_alloc(pixels, sizeof *grey, "a picture", error);
  for (size_t i = 0; grey && i < pixels; i++) {
    const unsigned char *c = colours + 4 * i;
    grey[i] = (0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]) * (c[3] / 255.0f);
  }
  *width = (int)image.width;
  *height = (int)image.height;
  ct_free(colours);
  png_image_free(&image);
  return grey;
}
