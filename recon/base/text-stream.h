/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that is printed into memory. */
#ifndef CT_BASE_TEXT_STREAM_H
#define CT_BASE_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* As open_memstream, but fclose fails where memory was too short for anything that was printed: open_memstream leaves
 * that out without a word. After fclose *text is to be freed with free, NULL where it failed. */
FILE *ct_text_stream(char **text, size_t *size);

#endif
