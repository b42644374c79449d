/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A PNG of any kind as one grey plane, for pictures that are an object and not a measurement. */
#ifndef CT_IO_PNG_GREY_H
#define CT_IO_PNG_GREY_H

#include "recon/base/error.h"

#include <stdbool.h>

/* Whether the file is a PNG that cannot be read as a scan's image: of colours, a palette, an alpha channel, or fewer
 * than 8 bits. */
bool ct_png_is_coloured(const char *path);
/* [height][width], 0..255, the first row lowest in the picture: 0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709) of the
 * values as they are stored, over black where it is transparent; ct_free. CT_ERROR_FORMAT, CT_ERROR_UNSUPPORTED where
 * it is too large, CT_ERROR_IO. */
float *ct_png_read_grey(const char *path, int *width, int *height, ct_error **error);

#endif
